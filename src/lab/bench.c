/* How fast a game steps: see ludus/bench.h. */
#include "ludus/bench.h"

#include "ludus/clock.h"
#include "ludus/cpu.h"
#include "ludus/process.h"
#include "ludus/threads.h"
#include "ludus/vec.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* One set of environments and buffers and a pool of random actions. A step uses a window of the
 * pool at a random place: the draw costs one number per step of a range, not one per decision. Each
 * thread owns a range of the environments and steps it STRIDE times before the threads meet, as
 * training does: a meeting at every step would measure the meeting. */
typedef struct bench {
    lu_vec *vec;
    lu_buffers buffers;
    int32_t *actions;
    int heads, environments;
    lu_rng *rng;   /* one per thread */
    bool recorded; /* the actions are legal ones, recorded from the first episodes on */
    int at;        /* step of the record that comes next */
} bench;

/* The same environments, stepped by one number of threads. */
typedef struct gang {
    bench *bench;
    lu_pool *pool;
} gang;

enum { POOL = 1 << 16, STRIDE = 64, RECORDED = 16 * STRIDE };

/* Any action of every row, more than rows so that a window may begin anywhere. */
static void draw_actions(bench *b, const lu_game *game, size_t rows) {
    lu_rng rng = lu_rng_from(0);
    b->actions = lu_alloc((rows + POOL) * (size_t)game->heads * sizeof *b->actions);
    for (size_t i = 0; i < (rows + POOL) * (size_t)game->heads; i++) {
        uint32_t choices = (uint32_t)game->head[i % (size_t)game->heads].options;
        b->actions[i] = (int32_t)lu_rng_below(&rng, choices);
    }
}

/* Legal actions of every row for RECORDED steps: after a reset the same steps follow. */
static void record_actions(bench *b, const lu_episode *s, size_t rows) {
    const lu_game *game = s->game;
    size_t length = (size_t)lu_game_mask_length(game), heads = (size_t)game->heads;
    lu_buffers seen = b->buffers;
    lu_rng rng = lu_rng_from(0);
    b->actions = lu_alloc_zero(RECORDED * rows * heads, sizeof *b->actions);
    seen.mask = lu_alloc_zero(rows * length, 1);
    lu_vec_reset(b->vec, &seen);
    for (int step = 0; step < RECORDED; step++) {
        int32_t *actions = b->actions + (size_t)step * rows * heads;
        for (size_t row = 0; row < rows; row++) {
            int seat = (int)(row % (size_t)game->seats);
            const void *state = lu_vec_state(b->vec, (int)(row / (size_t)game->seats));
            lu_action_random(game, s->rules, state, seat, seen.mask + row * length, &rng,
                             actions + row * heads);
        }
        seen.actions = actions;
        lu_vec_step(b->vec, &seen);
    }
    free(seen.mask);
}

static lu_status bench_open(bench *b, const lu_episode *s, int environments, int threads,
                            lu_bench_play play, lu_error *error) {
    const lu_game *game = s->game;
    *b = (bench){.heads = game->heads, .environments = environments};
    b->recorded = play != LU_BENCH_ALL;
    b->vec = lu_vec_new(game, s->rules, environments, 1, 1, s->options, error);
    if (!b->vec) {
        return error->status;
    }
    b->rng = lu_alloc((size_t)threads * sizeof *b->rng);
    for (int t = 0; t < threads; t++) {
        b->rng[t] = lu_rng_from((uint64_t)t + 1);
    }
    size_t rows = (size_t)lu_vec_rows(b->vec), count = (size_t)environments;
    b->buffers.reward = lu_alloc_zero(rows, sizeof(float));
    b->buffers.terminated = lu_alloc_zero(count, 1);
    b->buffers.truncated = lu_alloc_zero(count, 1);
    if (b->recorded) {
        record_actions(b, s, rows);
    } else {
        draw_actions(b, game, rows);
    }
    if (play != LU_BENCH_BARE) {
        b->buffers.observation =
            lu_alloc_zero(rows * (size_t)lu_game_observation_length(game), sizeof(float));
        b->buffers.mask = lu_alloc_zero(rows * (size_t)lu_game_mask_length(game), 1);
        b->buffers.observation_kept = true;
    }
    lu_vec_reset(b->vec, &b->buffers);
    return LU_OK;
}

static void bench_close(bench *b) {
    lu_vec_delete(b->vec);
    free(b->rng);
    free(b->actions);
    free(b->buffers.observation);
    free(b->buffers.mask);
    free(b->buffers.reward);
    free(b->buffers.terminated);
    free(b->buffers.truncated);
}

static void step_range(void *context, int thread) {
    const gang *c = context;
    bench *b = c->bench;
    int64_t threads = lu_pool_threads(c->pool);
    int first = (int)(thread * (int64_t)b->environments / threads);
    int past = (int)((thread + 1) * (int64_t)b->environments / threads);
    lu_buffers own = b->buffers;
    size_t rows = (size_t)lu_vec_rows(b->vec);
    for (int i = 0; i < STRIDE; i++) {
        size_t from =
            b->recorded ? (size_t)(b->at + i) * rows : lu_rng_below(&b->rng[thread], POOL);
        own.actions = b->actions + from * (size_t)b->heads;
        lu_vec_step_range(b->vec, first, past - first, &own);
    }
}

/* STRIDE steps of every environment. Returns the seconds that going back to the start of a record
 * took, which are no part of the steps. */
static double gang_steps(gang *c) {
    bench *b = c->bench;
    double start = lu_clock_seconds(), took = 0.0;
    if (b->recorded && b->at == RECORDED) {
        b->at = 0;
        lu_vec_reset(b->vec, &b->buffers);
        took = lu_clock_seconds() - start;
    }
    lu_pool_run_fixed(c->pool, step_range, c, lu_pool_threads(c->pool));
    b->at += b->recorded ? STRIDE : 0;
    return took;
}

/* Decisions per second over one round, the first steps of which are not counted: they bring the
 * environments into the caches of the threads that step them now. */
static double one_round(gang *c, double seconds, const lu_watch *watch) {
    int64_t steps = 0;
    gang_steps(c);
    double start = lu_clock_seconds(), now = start;
    while (now - start < seconds && !lu_watch_stops(watch)) {
        start += gang_steps(c);
        steps += STRIDE;
        now = lu_clock_seconds();
    }
    return (double)steps * c->bench->environments / (now - start);
}

static void rate_add(lu_bench_rate *rate, double speed) {
    rate->best = speed > rate->best ? speed : rate->best;
    rate->worst = rate->rounds == 0 || speed < rate->worst ? speed : rate->worst;
    rate->rounds++;
}

const char *lu_bench_play_name(lu_bench_play play) {
    static const char *const names[LU_BENCH_PLAYS] = {"all", "legal", "bare"};
    return names[play];
}

lu_status lu_bench_speed(const lu_episode *s, int environments, int threads, lu_bench_play play,
                         double seconds, int rounds, const lu_watch *watch, lu_bench_result *result,
                         lu_error *error) {
    char what[100];
    bench b;
    int all = threads > 0 ? threads : lu_cpu_count();
    all = all < environments ? all : environments;
    lu_status status = bench_open(&b, s, environments, all, play, error);
    if (status != LU_OK) {
        return status;
    }
    gang one = {&b, lu_pool_new(1)}, many = {&b, lu_pool_new(all)};
    result->game = s->game;
    result->play = play;
    result->state_bytes = s->rules->state_bytes;
    result->environments = environments;
    result->one = (lu_bench_rate){.threads = 1};
    result->all = (lu_bench_rate){.threads = all};
    snprintf(what, sizeof what, "%.60s on 1 and %d threads", s->game->id, all);
    one_round(&one, seconds / rounds, watch); /* past the first episodes */
    for (int r = 0; r < rounds && !lu_watch_stops(watch); r++) {
        lu_watch_tell(watch, (double)r / rounds, what);
        rate_add(&result->one, one_round(&one, seconds / rounds, watch));
        rate_add(&result->all, one_round(&many, seconds / rounds, watch));
    }
    for (int r = 0; r < rounds && !lu_watch_stops(watch); r++) {
        double start = lu_clock_seconds();
        lu_vec_reset(b.vec, &b.buffers);
        b.at = 0;
        double took = (lu_clock_seconds() - start) / environments;
        result->reset_seconds =
            r == 0 || took < result->reset_seconds ? took : result->reset_seconds;
    }
    lu_pool_delete(one.pool);
    lu_pool_delete(many.pool);
    bench_close(&b);
    return lu_watch_stops(watch) ? lu_fail(error, LU_INTERRUPTED, "interrupted") : LU_OK;
}

lu_status lu_bench_count(const lu_episode *s, int environments, lu_bench_play play, int64_t count,
                         uint64_t *hash, lu_error *error) {
    bench b;
    LU_TRY(bench_open(&b, s, environments, 1, play, error));
    gang one = {&b, lu_pool_new(1)};
    for (int64_t done = 0; done < count; done += (int64_t)STRIDE * environments) {
        gang_steps(&one);
    }
    lu_pool_delete(one.pool);
    *hash = lu_vec_hash(b.vec);
    bench_close(&b);
    return LU_OK;
}

/* ---- instructions ---- */

enum {
    COUNT_ENVIRONMENTS = 16,
    COUNT_DECISIONS = COUNT_ENVIRONMENTS * STRIDE * 24,
    MAX_WORDS = 160
};

/* The number that callgrind or perf prints, 0 when there is none. */
static double read_count(const char *text, bool perf) {
    const char *at = strstr(text, perf ? "instructions" : "Collected :");
    if (!at) {
        return 0;
    }
    if (!perf) {
        return strtod(at + strlen("Collected :"), NULL);
    }
    while (at > text && at[-1] != '\n') { /* the count is the first field of its line */
        at--;
    }
    return strtod(at, NULL);
}

static double counted_run(const lu_episode *s, bool perf, lu_bench_play play, int64_t decisions,
                          const lu_watch *watch) {
    static const char *const callgrind[] = {"valgrind", "--tool=callgrind",
                                            "--callgrind-out-file=/dev/null"};
    static const char *const stat[] = {"perf", "stat", "-x,", "-e", "instructions:u"};
    const char *words[MAX_WORDS];
    char *owned[MAX_WORDS];
    char self[PATH_MAX], environments[16], number[24];
    int count = 0, made = 0;
    ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
    if (length <= 0) {
        return 0;
    }
    self[length] = 0;
    snprintf(environments, sizeof environments, "%d", COUNT_ENVIRONMENTS);
    snprintf(number, sizeof number, "%lld", (long long)decisions);
    for (size_t i = 0; i < (perf ? 5u : 3u); i++) {
        words[count++] = perf ? stat[i] : callgrind[i];
    }
    const char *own[] = {self,
                         "bench",
                         s->game->id,
                         "--environments",
                         environments,
                         "--count",
                         number,
                         "--actions",
                         play == LU_BENCH_ALL ? "all" : "legal",
                         play == LU_BENCH_BARE ? "--bare" : "--no-bare"};
    for (size_t i = 0; i < sizeof own / sizeof *own; i++) {
        words[count++] = own[i];
    }
    /* the settings that this call has, too */
    for (size_t i = 0; i < lu_settings_rows(s->settings) && count + 3 < MAX_WORDS; i++) {
        const char *key = lu_settings_row(s->settings, i, NULL)->key;
        if (lu_settings_origin(s->settings, key) != LU_FROM_DEFAULT) {
            lu_text pair = LU_TEXT_INIT;
            lu_text_addf(&pair, "%s=%s", key, lu_settings_text_of(s->settings, key));
            owned[made++] = pair.text;
            words[count++] = "--set";
            words[count++] = pair.text;
        }
    }
    words[count] = NULL;
    lu_text output = LU_TEXT_INIT;
    int code = lu_process_run(words, 300.0, watch, "counting instructions", &output);
    double counted = code == 0 ? read_count(output.text, perf) : 0;
    lu_text_free(&output);
    while (made > 0) {
        free(owned[--made]);
    }
    return counted;
}

lu_status lu_bench_instructions(const lu_episode *s, lu_bench_play play, const lu_watch *watch,
                                lu_bench_result *result, lu_error *error) {
    for (int perf = 0; perf < 2 && !lu_watch_stops(watch); perf++) {
        double first = counted_run(s, perf, play, COUNT_DECISIONS, watch);
        double second = first > 0 ? counted_run(s, perf, play, 2 * COUNT_DECISIONS, watch) : 0;
        if (second > first) {
            result->instructions = (second - first) / COUNT_DECISIONS;
            /* valgrind offers programs AVX2 at most */
            lu_isa isa = lu_cpu_isa() > LU_ISA_V3 && !perf ? LU_ISA_V3 : lu_cpu_isa();
            snprintf(result->counter, sizeof result->counter, "%s, level %s",
                     perf ? "perf" : "callgrind", lu_isa_name(isa));
            break;
        }
        snprintf(result->counter, sizeof result->counter,
                 "not counted: neither valgrind nor perf "
                 "works here");
    }
    return lu_watch_stops(watch) ? lu_fail(error, LU_INTERRUPTED, "interrupted") : LU_OK;
}

/* ---- as JSON ---- */

static void write_rate(lu_json *json, const char *key, const lu_bench_rate *rate) {
    lu_json_key_object(json, key);
    lu_json_key_int(json, "threads", rate->threads);
    lu_json_key_real(json, "decisions_per_second", rate->best);
    lu_json_key_real(json, "slowest_round", rate->worst);
    lu_json_key_int(json, "rounds", rate->rounds);
    lu_json_object_end(json);
}

void lu_bench_write(const lu_bench_result *r, lu_json *json) {
    lu_json_object(json);
    lu_json_key_string(json, "game", r->game->id);
    lu_json_key_string(json, "play", lu_bench_play_name(r->play));
    lu_json_key_int(json, "state_bytes", r->state_bytes);
    lu_json_key_int(json, "hot_bytes", lu_game_hot_bytes(r->game));
    lu_json_key_int(json, "environments", r->environments);
    write_rate(json, "one_thread", &r->one);
    write_rate(json, "all_threads", &r->all);
    lu_json_key_real(json, "reset_nanoseconds", r->reset_seconds * 1e9);
    lu_json_key(json, "instructions_per_decision");
    if (r->instructions > 0) {
        lu_json_real(json, r->instructions);
    } else {
        lu_json_null(json);
    }
    lu_json_key_string(json, "counter", r->counter);
    lu_json_object_end(json);
}
