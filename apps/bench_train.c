/* ludus bench train: the trainer against the peak of the processor and against peers. Every round
 * takes all cases in turn (fp32, fp32 with Strassen's products and bf16, one thread and several):
 * the peak, one update of our trainer on prospector, one of every peer in that precision. What
 * counts is the fastest update, minibatch and rollout of all rounds, and ratios between them: short
 * pieces in turns are what a busy machine disturbs least. */
#include "bench_peer.h"
#include "bench_run.h"
#include "output.h"

#include "ludus/clock.h"
#include "ludus/cpu.h"
#include "ludus/kernel_bench.h"
#include "ludus/threads.h"
#include "ludus/train.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

enum { MAX_PEERS = 6, HIDDEN = 256, PEAKS = 12 };

/* What a case sets; kinds of one precision share its peers. */
typedef struct case_kind {
    const char *precision, *products;
} case_kind;
static const case_kind kinds[] = {{"fp32", "plain"}, {"fp32", "strassen"}, {"bf16", "plain"}};
enum { KINDS = sizeof kinds / sizeof kinds[0], CASES = 2 * KINDS };

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
    double other_learn[MAX_PEERS], other_minibatch[MAX_PEERS];
} train_case;

typedef struct bench_train_run {
    lu_episode episode;
    int many, rounds, peers;
    train_case cases[CASES];
    int count;
    peer peer[2][MAX_PEERS]; /* for one thread, for many */
    double forward, update;  /* floating-point operations of a row */
    double foreign, steal;   /* shares of all processors that others had meanwhile */
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
    lu_settings *settings = lu_settings_copy(s->settings);
    lu_settings_add(settings, lu_train_table);
    lu_settings_add(settings, lu_net_table);
    const char *wanted[][2] = {{"net.precision", kind->precision},
                               {"net.products", kind->products},
                               {"train.value_clip", "0.2"},
                               {"train.threads", cell("%d", threads)}};
    lu_status status = LU_OK;
    for (int i = 0; i < 4 && status == LU_OK; i++) {
        status = lu_settings_set(settings, wanted[i][0], wanted[i][1], LU_FROM_FLAG, "bench train",
                                 error);
    }
    lu_trainer *train =
        status == LU_OK ? lu_train_new(s->game, s->rules, settings, s->options, error) : NULL;
    lu_settings_delete(settings);
    return train;
}

static lu_status open_cases(bench_train_run *run, lu_error *error) {
    for (int i = 0; i < CASES; i++) {
        int threads = i % 2 ? run->many : 1;
        if (i % 2 && run->many < 2) {
            continue;
        }
        train_case *c = &run->cases[run->count++];
        c->kind = &kinds[i / 2];
        c->bf16 = strcmp(c->kind->precision, "bf16") == 0;
        c->threads = threads;
        c->pool = lu_pool_new(threads);
        c->peers = run->peers;
        c->peer = run->peer[i % 2];
        c->learn = c->minibatch = c->rollout = c->best.seconds = INFINITY;
        for (int p = 0; p < MAX_PEERS; p++) {
            c->other_learn[p] = c->other_minibatch[p] = INFINITY;
        }
        c->train = new_trainer(&run->episode, c->kind, threads, error);
        if (!c->train) {
            return error->status;
        }
        /* the first update brings memory and environments to life */
        lu_status status = lu_trainer_update(c->train, NULL, error);
        if (status != LU_OK) {
            return status;
        }
    }
    return LU_OK;
}

/* `list`: commands separated by commas; empty for none. */
static lu_status open_peers(bench_train_run *run, const char *list, lu_error *error) {
    while (*list) {
        size_t length = strcspn(list, ",");
        char command[512];
        if (run->peers == MAX_PEERS || length >= sizeof command) {
            return lu_fail(error, LU_LIMIT, "--peer takes at most %d commands of 511 letters",
                           MAX_PEERS);
        }
        snprintf(command, sizeof command, "%.*s", (int)length, list);
        for (int i = 0; i < (run->many > 1 ? 2 : 1); i++) {
            progress(-1, cell("starting %s", command));
            lu_status status =
                peer_open(&run->peer[i][run->peers], command, i ? run->many : 1, error);
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
    for (int i = 0; i < 2 * MAX_PEERS; i++) {
        peer_close(&run->peer[i / MAX_PEERS][i % MAX_PEERS]);
    }
    lu_episode_close(&run->episode);
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
        double peak = lu_bench_peak(c->bf16, c->pool);
        c->peak = peak > c->peak ? peak : c->peak;
    }
    lu_status status = lu_trainer_update(c->train, &stats, error);
    if (status != LU_OK) {
        return status;
    }
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
        if (status == LU_OK && interrupted()) {
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
        progress(share < 1 ? share : 1, cell("round %d", run->rounds + 1));
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

/* Samples per second of a whole update. */
static double update_rate(const train_case *c) {
    return (double)lu_trainer_batch(c->train) / c->learn;
}

static double minibatch_rate(const train_case *c) {
    return minibatch_rows(c) / c->minibatch;
}

/* Of the fastest minibatch: the peak is that of a short time too. */
static double peak_share(const bench_train_run *run, const train_case *c) {
    return minibatch_rate(c) * run->update * 1e-9 / c->peak;
}

/* A peer's batch is as large as ours. */
static double peer_rate(const train_case *c, int p) {
    return (double)lu_trainer_batch(c->train) / c->other_learn[p];
}

/* Steps per second that the peak would allow: one pass forward to act, one update. */
static double bound(const bench_train_run *run, const train_case *c) {
    return c->peak * 1e9 / (run->forward + run->update);
}

static double rollout_rate(const train_case *c) {
    return (double)lu_trainer_batch(c->train) / c->rollout;
}

/* Of the seconds of the fastest round. */
static double part_share(const train_case *c, const char *name) {
    return lu_progress_part(&c->best, name) / c->best.seconds;
}

/* Environments, sampling and bookkeeping: all that is neither a net's forward nor learning. */
static double rest_share(const train_case *c) {
    return 1.0 - part_share(c, "learn") - part_share(c, "infer");
}

static const char *kind_name(const train_case *c) {
    return strcmp(c->kind->products, "plain") == 0
               ? c->kind->precision
               : cell("%s %s", c->kind->precision, c->kind->products);
}

/* The same kind on one thread; NULL when c is that. */
static const train_case *single(const bench_train_run *run, const train_case *c) {
    return c > run->cases && c[-1].kind == c->kind && c[-1].threads == 1 ? c - 1 : NULL;
}

static void write_split(lu_json *json, const train_case *c) {
    static const char *const parts[] = {"learn", "infer", "choose", "play", "advantages"};
    lu_json_key(json, "split");
    lu_json_object(json);
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        lu_json_key_real(json, parts[i], part_share(c, parts[i]));
    }
    lu_json_object_end(json);
}

static void write_case(lu_json *json, bench_train_run *run, const train_case *c) {
    const train_case *one = single(run, c), *beside = with_peers(run, c);
    lu_json_object(json);
    lu_json_key_string(json, "precision", c->kind->precision);
    lu_json_key_string(json, "products", c->kind->products);
    lu_json_key_int(json, "threads", c->threads);
    lu_json_key_real(json, "peak_gflops", c->peak);
    lu_json_key_real(json, "update_samples_per_second", update_rate(c));
    lu_json_key_real(json, "minibatch_samples_per_second", minibatch_rate(c));
    lu_json_key_real(json, "update_gflops", minibatch_rate(c) * run->update * 1e-9);
    lu_json_key_real(json, "update_over_peak", peak_share(run, c));
    lu_json_key_real(json, "train_steps_per_second", c->best.steps_per_second);
    lu_json_key_real(json, "train_over_bound", c->best.steps_per_second / bound(run, c));
    lu_json_key_real(json, "rollout_steps_per_second", rollout_rate(c));
    lu_json_key_real(json, "rest_share", rest_share(c));
    write_split(json, c);
    if (one) {
        lu_json_key_real(json, "update_over_one_thread", minibatch_rate(c) / minibatch_rate(one));
        lu_json_key_real(json, "rollout_over_one_thread", rollout_rate(c) / rollout_rate(one));
    }
    lu_json_key(json, "peers");
    lu_json_array(json);
    for (int p = 0; p < c->peers; p++) {
        lu_json_object(json);
        lu_json_key_string(json, "name", c->peer[p].name);
        lu_json_key_string(json, "about", c->peer[p].about);
        lu_json_key_real(json, "update_samples_per_second", peer_rate(beside, p));
        lu_json_key_real(json, "minibatch_samples_per_second",
                         minibatch_rows(c) / beside->other_minibatch[p]);
        lu_json_key_real(json, "ours_over_peer", update_rate(c) / peer_rate(beside, p));
        lu_json_key_real(json, "ours_over_peer_minibatch",
                         beside->other_minibatch[p] / c->minibatch);
        lu_json_object_end(json);
    }
    lu_json_array_end(json);
    lu_json_object_end(json);
}

static void write_report(lu_json *json, bench_train_run *run) {
    lu_json_object(json);
    bench_machine(json);
    lu_json_key_string(json, "kernel_level", lu_bench_kernel_level());
    lu_json_key_string(json, "game", run->episode.game->id);
    lu_json_key_string(json, "net", "260-256-256-70");
    lu_json_key_int(json, "minibatch", (int64_t)minibatch_rows(&run->cases[0]));
    lu_json_key_int(json, "rounds", run->rounds);
    lu_json_key_real(json, "foreign_load", run->foreign);
    lu_json_key_real(json, "steal", run->steal);
    lu_json_key(json, "cases");
    lu_json_array(json);
    for (int i = 0; i < run->count; i++) {
        write_case(json, run, &run->cases[i]);
    }
    lu_json_array_end(json);
    lu_json_object_end(json);
}

static void print_updates(bench_train_run *run) {
    table t;
    table_init(&t, "lrrrrr");
    table_row(&t, "PPO update", "threads", "samples/s", "ours is", "minibatch", "ours is");
    for (int i = 0; i < run->count; i++) {
        const train_case *c = &run->cases[i], *beside = with_peers(run, c);
        table_row(&t, cell("ludus %s", kind_name(c)), cell("%d", c->threads),
                  cell("%.1f k", update_rate(c) * 1e-3), "",
                  cell("%.1f k", minibatch_rate(c) * 1e-3),
                  cell("%.1f %% of peak", 100 * peak_share(run, c)));
        for (int p = 0; p < c->peers; p++) {
            table_row(&t, cell("  %s", c->peer[p].name), cell("%d", c->threads),
                      cell("%.1f k", peer_rate(beside, p) * 1e-3),
                      cell("%.2f times it", update_rate(c) / peer_rate(beside, p)),
                      cell("%.1f k", minibatch_rows(c) / beside->other_minibatch[p] * 1e-3),
                      cell("%.2f times it", beside->other_minibatch[p] / c->minibatch));
        }
    }
    table_print(&t);
    table_free(&t);
}

static void print_training(const bench_train_run *run) {
    table t;
    table_init(&t, "lrrrrrrrr");
    table_row(&t, "training", "threads", "steps/s", "of bound", "rollout/s", "learn", "nets",
              "rest", "1 thread x");
    for (int i = 0; i < run->count; i++) {
        const train_case *c = &run->cases[i], *one = single(run, c);
        double rate = c->best.steps_per_second;
        table_row(
            &t, kind_name(c), cell("%d", c->threads), cell("%.1f k", rate / 1e3),
            cell("%.1f %%", 100 * rate / bound(run, c)), cell("%.1f k", rollout_rate(c) / 1e3),
            cell("%.1f %%", 100 * part_share(c, "learn")),
            cell("%.1f %%", 100 * part_share(c, "infer")), cell("%.1f %%", 100 * rest_share(c)),
            one ? cell("%.2f, %.2f", minibatch_rate(c) / minibatch_rate(one),
                       rollout_rate(c) / rollout_rate(one))
                : "");
    }
    table_print(&t);
    table_free(&t);
}

static void print_report(bench_train_run *run) {
    char name[128];
    print_updates(run);
    out_text("\n");
    print_training(run);
    out_format(
        "\nBest of %d rounds on %s, minibatch %.0f, net 260-256-256-70, one epoch: the fastest\n"
        "whole update, and the fastest minibatch. Shares of the peak count the operations of "
        "plain\n"
        "products; Strassen's are 11 %% fewer. Last column below: update and rollout over one\n"
        "thread. Others had %.1f %% of the processors, the host %.1f %%. %s, kernels %s.\n",
        run->rounds, run->episode.game->id, minibatch_rows(&run->cases[0]), 100 * run->foreign,
        100 * run->steal, lu_cpu_name(name, sizeof name), lu_bench_kernel_level());
    for (int p = 0; p < run->peers; p++) {
        out_format("%s: %s.\n", run->peer[0][p].name, run->peer[0][p].about);
    }
}

/* ---- the verb ---- */

static lu_status open_run(bench_train_run *run, const verb_call *call, lu_error *error) {
    const lu_game *game = lu_game_find("prospector", error);
    if (!game) {
        return error->status;
    }
    lu_status status = call_open_episode(call, game, NULL, &run->episode, error);
    if (status != LU_OK) {
        return status;
    }
    double in = lu_game_observation_length(game), out = lu_game_mask_length(game) + 1;
    run->forward = 2.0 * (in * HIDDEN + HIDDEN * HIDDEN + HIDDEN * out);
    run->update = 3.0 * run->forward - 2.0 * in * HIDDEN; /* no gradient by the input */
    int threads = (int)lu_settings_int(call->settings, "threads");
    run->many = threads > 0 ? threads : lu_cpu_count();
    status = open_peers(run, lu_settings_text_of(call->settings, "peer"), error);
    return status == LU_OK ? open_cases(run, error) : status;
}

lu_status bench_train(const verb_call *call, lu_error *error) {
    bench_train_run *run = lu_alloc_zero(1, sizeof *run);
    lu_json json;
    lu_json_init(&json);
    progress_start();
    lu_status status = open_run(run, call, error);
    if (status == LU_OK) {
        status = measure(run, lu_settings_real(call->settings, "seconds"), error);
    }
    progress_end();
    if (status == LU_OK) {
        write_report(&json, run);
    }
    if (status == LU_OK && lu_settings_bool(call->settings, "write")) {
        lu_json_newline(&json);
        status = bench_keep("train", &json, error);
    }
    if (status == LU_OK && call->json) {
        out_json(&json);
    } else if (status == LU_OK) {
        print_report(run);
    }
    lu_json_free(&json);
    close_run(run);
    free(run);
    return status;
}
