/* The trainer against the peak of the processor and against peers. Every round
 * takes all cases in turn (fp32, fp32 with Strassen's products, bf16, and by tiles where the
 * processor has them; one thread and several):
 * the peak, one update of our trainer on prospector, one of every peer in that precision. What
 * counts is the fastest update, minibatch and rollout of all rounds, and ratios between them: short
 * pieces in turns are what a busy machine disturbs least. */
#include "bench_peer.h"

#include "ludus/bench.h"
#include "ludus/clock.h"
#include "ludus/cpu.h"
#include "ludus/kernel_bench.h"
#include "ludus/ppo.h"
#include "ludus/threads.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

enum { HIDDEN = 256, PEAKS = 12 };

/* What a case sets; kinds of one precision share its peers. */
typedef struct case_kind {
    const char *precision, *products;
    lu_operands operands;
} case_kind;
static const case_kind kinds[] = {{"fp32", "plain", LU_OPERANDS_FP32},
                                  {"fp32", "strassen", LU_OPERANDS_FP32},
                                  {"bf16", "plain", LU_OPERANDS_BF16},
                                  {"bf16tile", "plain", LU_OPERANDS_TILE}};
enum { KINDS = sizeof kinds / sizeof kinds[0], CASES = 2 * KINDS };
_Static_assert((int)CASES == (int)LU_BENCH_CASES, "cases of ludus/bench.h");

/* One kind on one number of threads. */
typedef struct train_case {
    const case_kind *kind;
    bool bf16;
    int threads;
    lu_trainer *train;
    lu_pool *pool; /* of the same size, for the peak */
    int peers;
    peer *peer;       /* those with as many threads */
    double peak;      /* GFLOP/s */
    double learn;     /* seconds of the fastest update of the net */
    double minibatch; /* seconds of the fastest */
    double rollout;   /* seconds of the fastest */
    lu_progress best; /* of the fastest round of rollout and update */
    /* the peers' fastest, in the first case with this precision and these threads */
    double other_learn[LU_BENCH_PEERS], other_minibatch[LU_BENCH_PEERS];
} train_case;

typedef struct bench_train_run {
    const lu_episode *episode;
    const lu_watch *watch;
    int many, rounds, peers;
    train_case cases[CASES];
    int count;
    peer peer[2][LU_BENCH_PEERS]; /* for one thread, for many */
    double forward, update;       /* floating-point operations of a row */
    double foreign, steal;        /* shares of all processors that others had meanwhile */
} bench_train_run;

/* ---- load of others ---- */

typedef struct load {
    double wall, busy, steal, own; /* seconds */
} load;

static double own_cpu(void) {
    struct rusage used;
    getrusage(RUSAGE_SELF, &used);
    return (double)(used.ru_utime.tv_sec + used.ru_stime.tv_sec) +
           1e-6 * (double)(used.ru_utime.tv_usec + used.ru_stime.tv_usec);
}

/* Seconds that all processors worked, and that a hypervisor gave to others. */
static load load_now(void) {
    load now = {.wall = lu_clock_seconds(), .own = own_cpu()};
    double user = 0, nice = 0, system = 0, idle = 0, wait = 0, irq = 0, soft = 0, steal = 0;
    FILE *file = fopen("/proc/stat", "re");
    if (file) {
        if (fscanf(file, "cpu %lf %lf %lf %lf %lf %lf %lf %lf", &user, &nice, &system, &idle, &wait,
                   &irq, &soft, &steal) == 8) {
            double tick = 1.0 / (double)sysconf(_SC_CLK_TCK);
            now.busy = (user + nice + system + irq + soft) * tick;
            now.steal = steal * tick;
        }
        fclose(file);
    }
    return now;
}

static void load_between(bench_train_run *run, load from, load to, double peers) {
    double all = (to.wall - from.wall) * (double)lu_cpu_count();
    double foreign = (to.busy - from.busy) - (to.own - from.own) - peers;
    run->foreign = all > 0 && foreign > 0 ? foreign / all : 0;
    run->steal = all > 0 ? (to.steal - from.steal) / all : 0;
}

/* ---- cases ---- */

/* With the value clipped, as the peers do it. */
static lu_trainer *new_trainer(const lu_episode *s, const case_kind *kind, int threads,
                               lu_error *error) {
    char number[16];
    lu_settings *settings = lu_settings_copy(s->settings);
    snprintf(number, sizeof number, "%d", threads);
    lu_settings_add(settings, lu_ppo_table);
    lu_settings_add(settings, lu_net_table);
    const char *wanted[][2] = {{"net.precision", kind->precision},
                               {"net.products", kind->products},
                               {"train.value_clip", "0.2"},
                               {"train.threads", number}};
    lu_status status = LU_OK;
    for (int i = 0; i < 4 && status == LU_OK; i++) {
        status = lu_settings_set(settings, wanted[i][0], wanted[i][1], LU_FROM_FLAG, "bench train",
                                 error);
    }
    lu_trainer *train = status == LU_OK ? lu_ppo_new(s->game, settings, s->options, error) : NULL;
    lu_settings_delete(settings);
    return train;
}

static lu_status open_cases(bench_train_run *run, lu_error *error) {
    for (int i = 0; i < CASES; i++) {
        int threads = i % 2 ? run->many : 1;
        if ((i % 2 && run->many < 2) ||
            (kinds[i / 2].operands == LU_OPERANDS_TILE && !lu_bench_tiles())) {
            continue;
        }
        train_case *c = &run->cases[run->count++];
        c->kind = &kinds[i / 2];
        c->bf16 = c->kind->operands != LU_OPERANDS_FP32;
        c->threads = threads;
        c->pool = lu_pool_new(threads);
        c->peers = run->peers;
        c->peer = run->peer[i % 2];
        c->learn = c->minibatch = c->rollout = c->best.seconds = INFINITY;
        for (int p = 0; p < LU_BENCH_PEERS; p++) {
            c->other_learn[p] = c->other_minibatch[p] = INFINITY;
        }
        c->train = new_trainer(run->episode, c->kind, threads, error);
        if (!c->train) {
            return error->status;
        }
        /* the first update brings memory and environments to life */
        LU_TRY(lu_trainer_update(c->train, NULL, error));
    }
    return LU_OK;
}

/* `list`: commands separated by commas; empty for none. */
static lu_status open_peers(bench_train_run *run, const char *list, lu_error *error) {
    while (*list) {
        size_t length = strcspn(list, ",");
        char command[512], what[540];
        if (run->peers == LU_BENCH_PEERS || length >= sizeof command) {
            return lu_fail(error, LU_LIMIT, "--peer takes at most %d commands of 511 letters",
                           LU_BENCH_PEERS);
        }
        snprintf(command, sizeof command, "%.*s", (int)length, list);
        for (int i = 0; i < (run->many > 1 ? 2 : 1); i++) {
            snprintf(what, sizeof what, "starting %s", command);
            lu_watch_tell(run->watch, -1, what);
            lu_status status =
                peer_open(&run->peer[i][run->peers], command, i ? run->many : 1, run->watch, error);
            if (status != LU_OK) {
                return status;
            }
        }
        run->peers++;
        list += length + (list[length] == ',');
    }
    return LU_OK;
}

static void close_run(bench_train_run *run) {
    for (int i = 0; i < run->count; i++) {
        lu_trainer_delete(run->cases[i].train);
        lu_pool_delete(run->cases[i].pool);
    }
    for (int i = 0; i < 2 * LU_BENCH_PEERS; i++) {
        peer_close(&run->peer[i / LU_BENCH_PEERS][i % LU_BENCH_PEERS]);
    }
}

/* ---- rounds ---- */

/* The case whose rounds the peers of c take part in. */
static train_case *with_peers(bench_train_run *run, const train_case *c) {
    train_case *first = run->cases;
    while (first->bf16 != c->bf16 || first->threads != c->threads) {
        first++;
    }
    return first;
}

static void least(double *to, double seconds) {
    *to = seconds < *to ? seconds : *to;
}

static lu_status our_round(train_case *c, lu_error *error) {
    lu_progress stats;
    for (int i = 0; i < PEAKS; i++) {
        double peak = lu_bench_peak(c->kind->operands, c->pool);
        c->peak = peak > c->peak ? peak : c->peak;
    }
    LU_TRY(lu_trainer_update(c->train, &stats, error));
    least(&c->learn, lu_progress_part(&stats, "learn"));
    least(&c->minibatch, stats.fastest);
    least(&c->rollout, stats.rollout);
    if (stats.seconds < c->best.seconds) {
        c->best = stats;
    }
    return LU_OK;
}

static lu_status one_round(bench_train_run *run, double *peers_cpu, lu_error *error) {
    lu_status status = LU_OK;
    for (int i = 0; i < run->count && status == LU_OK; i++) {
        train_case *c = &run->cases[i];
        status = our_round(c, error);
        int peers = with_peers(run, c) == c ? c->peers : 0;
        for (int p = 0; p < peers && status == LU_OK; p++) {
            peer_times times;
            status = peer_round(&c->peer[p], c->bf16, &times, error);
            if (status == LU_OK) {
                least(&c->other_learn[p], times.update);
                least(&c->other_minibatch[p], times.minibatch);
                *peers_cpu += times.cpu;
            }
        }
        if (status == LU_OK && lu_watch_stops(run->watch)) {
            status = lu_fail(error, LU_INTERRUPTED, "interrupted");
        }
    }
    run->rounds++;
    return status;
}

static lu_status measure(bench_train_run *run, double seconds, lu_error *error) {
    load from = load_now();
    double peers_cpu = 0;
    lu_status status = LU_OK;
    do {
        double share = (lu_clock_seconds() - from.wall) / seconds;
        char what[32];
        snprintf(what, sizeof what, "round %d", run->rounds + 1);
        lu_watch_tell(run->watch, share < 1 ? share : 1, what);
        status = one_round(run, &peers_cpu, error);
    } while (status == LU_OK && lu_clock_seconds() - from.wall < seconds);
    load_between(run, from, load_now(), peers_cpu);
    return status;
}

/* ---- what was found ---- */

/* Rows of the smallest minibatch: all but at most one row of every other. */
static double minibatch_rows(const train_case *c) {
    return floor((double)lu_trainer_batch(c->train) / c->best.minibatches);
}

static double rollout_rate(const train_case *c) {
    return (double)lu_trainer_batch(c->train) / c->rollout;
}

static double minibatch_rate(const train_case *c) {
    return minibatch_rows(c) / c->minibatch;
}

/* Of the seconds of the fastest round. */
static double part_share(const train_case *c, const char *name) {
    return lu_progress_part(&c->best, name) / c->best.seconds;
}

/* The same kind on one thread; NULL when c is that. */
static const train_case *single(const bench_train_run *run, const train_case *c) {
    return c > run->cases && c[-1].kind == c->kind && c[-1].threads == 1 ? c - 1 : NULL;
}

/* A peer's batch is as large as ours. */
static void tell_peer(const train_case *c, const train_case *beside, int p, lu_bench_case *to) {
    lu_bench_peer *its = &to->peer[p];
    snprintf(its->name, sizeof its->name, "%s", c->peer[p].name);
    snprintf(its->about, sizeof its->about, "%s", c->peer[p].about);
    its->update = (double)lu_trainer_batch(beside->train) / beside->other_learn[p];
    its->minibatch = minibatch_rows(c) / beside->other_minibatch[p];
    its->over = to->update / its->update;
    its->over_minibatch = beside->other_minibatch[p] / c->minibatch;
}

/* The bound: one pass forward to act, one update, at the peak. */
static void tell_case(bench_train_run *run, const train_case *c, lu_bench_case *to) {
    const train_case *one = single(run, c);
    *to = (lu_bench_case){.precision = c->kind->precision,
                          .products = c->kind->products,
                          .threads = c->threads,
                          .peak = c->peak,
                          .update = (double)lu_trainer_batch(c->train) / c->learn,
                          .minibatch = minibatch_rate(c),
                          .gflops = minibatch_rate(c) * run->update * 1e-9,
                          .over_peak = minibatch_rate(c) * run->update * 1e-9 / c->peak,
                          .steps = c->best.steps_per_second,
                          .over_bound = c->best.steps_per_second /
                                        (c->peak * 1e9 / (run->forward + run->update)),
                          .rollout = rollout_rate(c),
                          .learn = part_share(c, "learn"),
                          .infer = part_share(c, "infer"),
                          .choose = part_share(c, "choose"),
                          .play = part_share(c, "play"),
                          .advantages = part_share(c, "advantages"),
                          .many = one != NULL};
    to->rest = 1.0 - to->learn - to->infer;
    if (one) {
        to->update_over_one = minibatch_rate(c) / minibatch_rate(one);
        to->rollout_over_one = rollout_rate(c) / rollout_rate(one);
    }
    for (int p = 0; p < c->peers; p++) {
        tell_peer(c, with_peers(run, c), p, to);
    }
}

static void tell(bench_train_run *run, lu_bench_training *to) {
    *to = (lu_bench_training){.game = run->episode->game,
                              .rounds = run->rounds,
                              .count = run->count,
                              .peers = run->peers,
                              .minibatch_rows = minibatch_rows(&run->cases[0]),
                              .foreign = run->foreign,
                              .steal = run->steal};
    for (int i = 0; i < run->count; i++) {
        tell_case(run, &run->cases[i], &to->cases[i]);
    }
}

lu_status lu_bench_train(const lu_episode *episode, int threads, const char *peers, double seconds,
                         const lu_watch *watch, lu_bench_training *result, lu_error *error) {
    const lu_game *game = episode->game;
    double in = lu_game_observation_length(game), out = lu_game_mask_length(game) + 1;
    bench_train_run *run = lu_alloc_zero(1, sizeof *run);
    run->episode = episode;
    run->watch = watch;
    run->forward = 2.0 * (in * HIDDEN + HIDDEN * HIDDEN + HIDDEN * out);
    run->update = 3.0 * run->forward - 2.0 * in * HIDDEN; /* no gradient by the input */
    run->many = threads > 0 ? threads : lu_cpu_count();
    lu_status status = open_peers(run, peers, error);
    LU_THEN(status, open_cases(run, error));
    LU_THEN(status, measure(run, seconds, error));
    if (status == LU_OK) {
        tell(run, result);
    }
    close_run(run);
    free(run);
    return status;
}

/* ---- as JSON ---- */

static void write_peer(const lu_bench_peer *p, lu_json *json) {
    lu_json_object(json);
    lu_json_key_string(json, "name", p->name);
    lu_json_key_string(json, "about", p->about);
    lu_json_key_real(json, "update_samples_per_second", p->update);
    lu_json_key_real(json, "minibatch_samples_per_second", p->minibatch);
    lu_json_key_real(json, "ours_over_peer", p->over);
    lu_json_key_real(json, "ours_over_peer_minibatch", p->over_minibatch);
    lu_json_object_end(json);
}

static void write_case(const lu_bench_case *c, int peers, lu_json *json) {
    lu_json_object(json);
    lu_json_key_string(json, "precision", c->precision);
    lu_json_key_string(json, "products", c->products);
    lu_json_key_int(json, "threads", c->threads);
    lu_json_key_real(json, "peak_gflops", c->peak);
    lu_json_key_real(json, "update_samples_per_second", c->update);
    lu_json_key_real(json, "minibatch_samples_per_second", c->minibatch);
    lu_json_key_real(json, "update_gflops", c->gflops);
    lu_json_key_real(json, "update_over_peak", c->over_peak);
    lu_json_key_real(json, "train_steps_per_second", c->steps);
    lu_json_key_real(json, "train_over_bound", c->over_bound);
    lu_json_key_real(json, "rollout_steps_per_second", c->rollout);
    lu_json_key_real(json, "rest_share", c->rest);
    lu_json_key_object(json, "split");
    lu_json_key_real(json, "learn", c->learn);
    lu_json_key_real(json, "infer", c->infer);
    lu_json_key_real(json, "choose", c->choose);
    lu_json_key_real(json, "play", c->play);
    lu_json_key_real(json, "advantages", c->advantages);
    lu_json_object_end(json);
    if (c->many) {
        lu_json_key_real(json, "update_over_one_thread", c->update_over_one);
        lu_json_key_real(json, "rollout_over_one_thread", c->rollout_over_one);
    }
    lu_json_key_array(json, "peers");
    for (int p = 0; p < peers; p++) {
        write_peer(&c->peer[p], json);
    }
    lu_json_array_end(json);
    lu_json_object_end(json);
}

void lu_bench_train_write(const lu_bench_training *r, lu_json *json) {
    lu_json_key_string(json, "kernel_level", lu_bench_kernel_level());
    lu_json_key_string(json, "tiles", lu_cpu_tiles_text());
    lu_json_key_string(json, "game", r->game->id);
    lu_json_key_string(json, "net", "260-256-256-70");
    lu_json_key_int(json, "minibatch", (int64_t)r->minibatch_rows);
    lu_json_key_int(json, "rounds", r->rounds);
    lu_json_key_real(json, "foreign_load", r->foreign);
    lu_json_key_real(json, "steal", r->steal);
    lu_json_key_array(json, "cases");
    for (int i = 0; i < r->count; i++) {
        write_case(&r->cases[i], r->peers, json);
    }
    lu_json_array_end(json);
}
