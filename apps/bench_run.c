/* The measuring loops of ludus bench: see bench_run.h. */
#include "bench_run.h"

#include "ludus/clock.h"
#include "ludus/cpu.h"
#include "ludus/threads.h"
#include "ludus/vec.h"
#include "output.h"
#include "process.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* One set of buffers and a pool of random actions. A step uses a window of the pool at a random
 * place: the draw costs one number per step of a range, not one per decision. Each thread owns a
 * range of environments and steps it STRIDE times before the threads meet, as training does: a
 * meeting at every step would measure the meeting. */
typedef struct bench {
    lu_vec *vec;
    lu_buffers buffers;
    int32_t *actions;
    int heads, each; /* environments of one thread */
    lu_pool *pool;
    lu_rng *rng; /* one per thread */
} bench;

enum { POOL = 1 << 16, STRIDE = 64 };

static lu_status bench_open(bench *b, const session *s, int environments, int threads,
                            lu_error *error) {
    const lu_game *game = s->game;
    *b = (bench){.heads = game->heads, .each = environments};
    if (environments > INT_MAX / threads) {
        return lu_fail(error, LU_LIMIT, "%d environments on each of %d threads are too many",
                       environments, threads);
    }
    b->vec = lu_vec_new(game, s->model, environments * threads, 1, 1, s->options, error);
    if (!b->vec) {
        return error->status;
    }
    b->pool = lu_pool_new(threads);
    b->rng = lu_alloc((size_t)threads * sizeof *b->rng);
    for (int t = 0; t < threads; t++) {
        b->rng[t] = lu_rng_from((uint64_t)t + 1);
    }
    size_t rows = (size_t)lu_vec_rows(b->vec), count = (size_t)lu_vec_environments(b->vec);
    lu_rng rng = lu_rng_from(0);
    b->actions = lu_alloc((rows + POOL) * (size_t)game->heads * sizeof *b->actions);
    for (size_t i = 0; i < (rows + POOL) * (size_t)game->heads; i++) {
        uint32_t choices = (uint32_t)game->head[i % (size_t)game->heads].options;
        b->actions[i] = (int32_t)lu_rng_below(&rng, choices);
    }
    b->buffers.observation =
        lu_alloc_zero(rows * (size_t)lu_game_observation_length(game), sizeof(float));
    b->buffers.mask = lu_alloc_zero(rows * (size_t)lu_game_mask_length(game), 1);
    b->buffers.reward = lu_alloc_zero(rows, sizeof(float));
    b->buffers.terminated = lu_alloc_zero(count, 1);
    b->buffers.truncated = lu_alloc_zero(count, 1);
    b->buffers.observation_kept = true;
    lu_vec_reset(b->vec, &b->buffers);
    return LU_OK;
}

static void bench_close(bench *b) {
    lu_vec_delete(b->vec);
    lu_pool_delete(b->pool);
    free(b->rng);
    free(b->actions);
    free(b->buffers.observation);
    free(b->buffers.mask);
    free(b->buffers.reward);
    free(b->buffers.terminated);
    free(b->buffers.truncated);
}

static void step_range(void *context, int thread) {
    bench *b = context;
    lu_buffers own = b->buffers;
    for (int i = 0; i < STRIDE; i++) {
        own.actions = b->actions + (size_t)lu_rng_below(&b->rng[thread], POOL) * (size_t)b->heads;
        lu_vec_step_range(b->vec, thread * b->each, b->each, &own);
    }
}

/* STRIDE steps of every environment. */
static void bench_steps(bench *b) {
    lu_pool_run_fixed(b->pool, step_range, b, lu_pool_threads(b->pool));
}

/* Decisions per second over one round. */
static double one_round(bench *b, double seconds) {
    int64_t steps = 0;
    double start = lu_clock_seconds(), now = start;
    while (now - start < seconds && !interrupted()) {
        bench_steps(b);
        steps += STRIDE;
        now = lu_clock_seconds();
    }
    return (double)steps * lu_vec_environments(b->vec) / (now - start);
}

static lu_status measure(const session *s, int environments, int threads, double seconds,
                         int rounds, bench_rate *rate, double *reset, lu_error *error) {
    bench b;
    lu_status status = bench_open(&b, s, environments, threads, error);
    if (status != LU_OK) {
        return status;
    }
    *rate = (bench_rate){.threads = threads, .rounds = rounds};
    one_round(&b, seconds / rounds / 4); /* into the caches, and past the first episodes */
    for (int r = 0; r < rounds && !interrupted(); r++) {
        progress((double)r / rounds, cell("%s on %d threads", s->game->id, rate->threads));
        double speed = one_round(&b, seconds / rounds);
        rate->best = speed > rate->best ? speed : rate->best;
        rate->worst = r == 0 || speed < rate->worst ? speed : rate->worst;
    }
    for (int r = 0; reset && r < rounds; r++) {
        double start = lu_clock_seconds();
        lu_vec_reset(b.vec, &b.buffers);
        double took = (lu_clock_seconds() - start) / lu_vec_environments(b.vec);
        *reset = r == 0 || took < *reset ? took : *reset;
    }
    bench_close(&b);
    return interrupted() ? lu_fail(error, LU_INTERRUPTED, "interrupted") : LU_OK;
}

lu_status bench_speed(const session *s, int environments, int threads, double seconds, int rounds,
                      bench_result *result, lu_error *error) {
    result->game = s->game;
    result->environments = environments;
    progress_start();
    lu_status status =
        measure(s, environments, 1, seconds, rounds, &result->one, &result->reset_seconds, error);
    if (status == LU_OK) {
        status = measure(s, environments, threads > 0 ? threads : lu_cpu_count(), seconds, rounds,
                         &result->all, NULL, error);
    }
    progress_end();
    return status;
}

lu_status bench_count(const session *s, int environments, int64_t count, uint64_t *hash,
                      lu_error *error) {
    bench b;
    lu_status status = bench_open(&b, s, environments, 1, error);
    if (status != LU_OK) {
        return status;
    }
    for (int64_t done = 0; done < count; done += (int64_t)STRIDE * environments) {
        bench_steps(&b);
    }
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

static double counted_run(const session *s, bool perf, int64_t decisions) {
    static const char *const callgrind[] = {"valgrind", "--tool=callgrind",
                                            "--callgrind-out-file=/dev/null"};
    static const char *const stat[] = {"perf", "stat", "-x,", "-e", "instructions:u"};
    const char *words[MAX_WORDS];
    char *owned[MAX_WORDS];
    char self[PATH_MAX];
    int count = 0, made = 0;
    ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
    if (length <= 0) {
        return 0;
    }
    self[length] = 0;
    for (size_t i = 0; i < (perf ? 5u : 3u); i++) {
        words[count++] = perf ? stat[i] : callgrind[i];
    }
    const char *own[] = {self,
                         "bench",
                         s->game->id,
                         "--environments",
                         cell("%d", COUNT_ENVIRONMENTS),
                         "--count",
                         cell("%lld", (long long)decisions)};
    for (size_t i = 0; i < sizeof own / sizeof *own; i++) {
        words[count++] = own[i];
    }
    /* the settings that this call has, too */
    for (size_t i = 0; i < lu_settings_rows(s->settings) && count + 3 < MAX_WORDS; i++) {
        const char *key = lu_settings_row(s->settings, i, NULL)->key;
        if (lu_settings_origin(s->settings, key) != LU_FROM_DEFAULT) {
            lu_text pair;
            lu_text_init(&pair);
            lu_text_addf(&pair, "%s=%s", key, lu_settings_text_of(s->settings, key));
            owned[made++] = pair.text;
            words[count++] = "--set";
            words[count++] = pair.text;
        }
    }
    words[count] = NULL;
    lu_text output;
    lu_text_init(&output);
    int code = process_run(words, 300.0, "counting instructions", &output);
    double number = code == 0 ? read_count(output.text, perf) : 0;
    lu_text_free(&output);
    while (made > 0) {
        free(owned[--made]);
    }
    return number;
}

void bench_instructions(const session *s, bench_result *result) {
    progress_start();
    for (int perf = 0; perf < 2 && !interrupted(); perf++) {
        double first = counted_run(s, perf, COUNT_DECISIONS);
        double second = first > 0 ? counted_run(s, perf, 2 * COUNT_DECISIONS) : 0;
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
    progress_end();
}
