/* Vector stepping: states in one block, ranges owned by threads, each game's own loop: see vec.h.
 * A step hands every thread its fixed range through the pool; the ranges depend only on the number
 * of environments and threads, and no result depends on the ranges. */
#include "ludus/vec.h"

#include "ludus/arena.h"
#include "ludus/hash.h"
#include "ludus/threads.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

struct lu_vec {
    const lu_game *game;
    const lu_rules *rules;
    const lu_core *core;
    unsigned char *states;
    size_t stride, block; /* bytes of one state and of all of them */
    lu_place *places;
    void *options;
    uint64_t seed;
    int environments;
    lu_autoreset autoreset;
    lu_pool *pool;
    const lu_rules **list; /* NULL: all play by `rules` */
    int lists;
    uint8_t *follows; /* environments: which of them */
};

/* States lie an odd number of cache lines apart: equal fields of neighbours then fall into
 * different cache sets, which an even distance (a multiple of the page for a large state) breaks.
 */
static size_t stride_of(size_t state_bytes) {
    size_t lines = (state_bytes + 63) / 64;
    return (lines | 1) * 64;
}

size_t lu_vec_bytes(const lu_rules *rules, int environments) {
    return (size_t)environments * (stride_of(rules->state_bytes) + sizeof(lu_place));
}

lu_vec *lu_vec_new(const lu_game *game, const lu_rules *rules, int environments, uint64_t seed,
                   int threads, const void *options, lu_error *error) {
    size_t block;
    if (environments < 1 || threads < 1 || threads > 1024) {
        lu_fail(error, LU_BAD_VALUE,
                "%d environments on %d threads: both must be at least 1 (threads at most 1024)",
                environments, threads);
        return NULL;
    }
    size_t stride = stride_of(rules->state_bytes);
    /* rows are counted in an int; a terabyte of states is a slip of the pen */
    if (environments > INT_MAX / game->seats ||
        !lu_size_mul(stride, (size_t)environments, &block) || block > (size_t)1 << 40) {
        lu_fail(error, LU_LIMIT, "%d environments of %zu bytes do not fit: use fewer", environments,
                stride);
        return NULL;
    }
    /* a mapping is zeroed lazily and may use huge pages, which spares the TLB with large states */
    void *states = mmap(NULL, block, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (states == MAP_FAILED) {
        lu_fail(error, LU_LIMIT, "no memory for %d environments (%zu bytes): use fewer",
                environments, block);
        return NULL;
    }
    (void)madvise(states, block, MADV_HUGEPAGE);
    lu_vec *vec = lu_alloc_zero(1, sizeof *vec);
    vec->game = game;
    vec->rules = rules;
    vec->core = lu_game_core(game);
    vec->states = states;
    vec->stride = stride;
    vec->block = block;
    vec->places = lu_alloc_zero((size_t)environments, sizeof *vec->places);
    if (options && game->options.bytes > 0) {
        vec->options = lu_alloc(game->options.bytes);
        memcpy(vec->options, options, game->options.bytes);
    }
    vec->seed = seed;
    vec->environments = environments;
    vec->pool = lu_pool_new(threads);
    return vec;
}

void lu_vec_delete(lu_vec *vec) {
    if (!vec) {
        return;
    }
    lu_pool_delete(vec->pool);
    munmap(vec->states, vec->block);
    free(vec->places);
    free(vec->options);
    free(vec->list);
    free(vec->follows);
    free(vec);
}

/* The work of all environments, for a game's loop; the caller names a part of it. */
static lu_loop loop_of(const lu_vec *vec, const lu_buffers *buffers) {
    return (lu_loop){.rules = vec->rules,
                     .states = vec->states,
                     .stride = vec->stride,
                     .places = vec->places,
                     .seed = vec->seed,
                     .options = vec->options,
                     .buffers = buffers,
                     .count = vec->environments,
                     .autoreset = vec->autoreset};
}

/* Of a range of environments, or of places in a list of them, neighbours with the same rules. */
static void run_loop(const lu_vec *vec, const lu_loop *all) {
    lu_loop loop = *all;
    int end = all->first + all->count;
    if (!vec->follows) {
        vec->core->loop(&loop);
        return;
    }
    for (int first = all->first, next; first < end; first = next) {
        int rules = vec->follows[all->which ? all->which[first] : first];
        next = first + 1;
        while (next < end && vec->follows[all->which ? all->which[next] : next] == rules) {
            next++;
        }
        loop.rules = vec->list[rules];
        loop.first = first;
        loop.count = next - first;
        vec->core->loop(&loop);
    }
}

typedef struct vec_job {
    lu_vec *vec;
    lu_loop loop; /* of all threads */
} vec_job;

static void run_job(void *context, int index) {
    const vec_job *job = context;
    int64_t count = job->loop.count, threads = lu_pool_threads(job->vec->pool);
    int first = (int)(count * index / threads), end = (int)(count * (index + 1) / threads);
    if (end > first) {
        lu_loop loop = job->loop;
        loop.first = first;
        loop.count = end - first;
        run_loop(job->vec, &loop);
    }
}

static void run_all(lu_vec *vec, lu_loop loop) {
    vec_job job = {vec, loop};
    lu_pool_run_fixed(vec->pool, run_job, &job, lu_pool_threads(vec->pool));
}

void lu_vec_reset(lu_vec *vec, const lu_buffers *buffers) {
    lu_loop loop = loop_of(vec, buffers);
    loop.reset = true;
    run_all(vec, loop);
}

void lu_vec_reset_some(lu_vec *vec, const int32_t *which, int count, const uint64_t *seeds,
                       const void *options, const lu_buffers *buffers) {
    lu_loop loop = loop_of(vec, buffers);
    for (int i = 0; i < count; i++) {
        LU_ASSERT(which[i] >= 0 && which[i] < vec->environments);
    }
    loop.reset = true;
    loop.which = which;
    loop.seeds = seeds;
    loop.count = count;
    loop.options = options ? options : loop.options;
    run_all(vec, loop);
}

void lu_vec_set_autoreset(lu_vec *vec, lu_autoreset autoreset) {
    vec->autoreset = autoreset;
}

void lu_vec_step(lu_vec *vec, const lu_buffers *buffers) {
    LU_ASSERT(buffers->actions);
    run_all(vec, loop_of(vec, buffers));
}

void lu_vec_step_range(lu_vec *vec, int first, int count, const lu_buffers *buffers) {
    LU_ASSERT(first >= 0 && count >= 0 && count <= vec->environments - first && buffers->actions);
    lu_loop loop = loop_of(vec, buffers);
    loop.first = first;
    loop.count = count;
    run_loop(vec, &loop);
}

void lu_vec_reset_one(lu_vec *vec, int environment, const lu_buffers *buffers) {
    const int32_t which = environment;
    LU_ASSERT(environment >= 0 && environment < vec->environments);
    lu_loop loop = loop_of(vec, buffers);
    loop.reset = true;
    loop.which = &which;
    loop.count = 1;
    run_loop(vec, &loop);
}

void lu_vec_take_rules(lu_vec *vec, const lu_rules *const *list, int count) {
    LU_ASSERT(count > 0 && count < 256 && list[0] == vec->rules && !vec->list);
    vec->list = lu_alloc_zero((size_t)count, sizeof *vec->list);
    for (int i = 0; i < count; i++) {
        LU_ASSERT(list[i]->spec == vec->rules->spec &&
                  list[i]->state_bytes == vec->rules->state_bytes);
        vec->list[i] = list[i];
    }
    vec->lists = count;
    vec->follows = lu_alloc_zero((size_t)vec->environments, sizeof *vec->follows);
}

void lu_vec_choose_rules(lu_vec *vec, int environment, int index) {
    LU_ASSERT(vec->follows && environment >= 0 && environment < vec->environments && index >= 0 &&
              index < vec->lists);
    vec->follows[environment] = (uint8_t)index;
}

int lu_vec_rules(const lu_vec *vec, int environment) {
    return vec->follows ? vec->follows[environment] : 0;
}

const lu_rules *lu_vec_rules_of(const lu_vec *vec, int environment) {
    return vec->follows ? vec->list[vec->follows[environment]] : vec->rules;
}

int lu_vec_environments(const lu_vec *vec) {
    return vec->environments;
}

int lu_vec_rows(const lu_vec *vec) {
    return vec->environments * vec->game->seats;
}

int lu_vec_threads(const lu_vec *vec) {
    return lu_pool_threads(vec->pool);
}

void *lu_vec_state(lu_vec *vec, int environment) {
    LU_ASSERT(environment >= 0 && environment < vec->environments);
    return vec->states + (size_t)environment * vec->stride;
}

const lu_place *lu_vec_place(const lu_vec *vec, int environment) {
    LU_ASSERT(environment >= 0 && environment < vec->environments);
    return &vec->places[environment];
}

uint64_t lu_vec_hash(const lu_vec *vec) {
    uint64_t hash = 0;
    for (int i = 0; i < vec->environments; i++) {
        hash = lu_hash(vec->states + (size_t)i * vec->stride, vec->rules->state_bytes, hash);
    }
    hash = lu_hash(vec->places, (size_t)vec->environments * sizeof *vec->places, hash);
    return vec->follows ? lu_hash(vec->follows, (size_t)vec->environments, hash) : hash;
}

/* ---- snapshots ---- */

typedef struct snapshot_head {
    uint64_t spec, rules, options, environments, seed, autoreset;
} snapshot_head;

/* Hash of the option block, 0 without one: later resets depend on it. */
static uint64_t options_hash(const lu_vec *vec) {
    return vec->options ? lu_hash(vec->options, vec->game->options.bytes, 1) : 0;
}

/* Of all rules that are played by. */
static uint64_t rules_hash(const lu_vec *vec) {
    uint64_t hash = vec->rules->hash;
    for (int i = 1; i < vec->lists; i++) {
        hash = lu_mix(hash, vec->list[i]->hash, (uint64_t)i);
    }
    return hash;
}

size_t lu_vec_snapshot_bytes(const lu_vec *vec) {
    return sizeof(snapshot_head) +
           (size_t)vec->environments *
               (sizeof(lu_place) + vec->rules->state_bytes + (vec->follows ? 1 : 0));
}

void lu_vec_save(const lu_vec *vec, void *bytes) {
    unsigned char *out = bytes;
    snapshot_head head = {vec->rules->spec,  rules_hash(vec),
                          options_hash(vec), (uint64_t)vec->environments,
                          vec->seed,         (uint64_t)vec->autoreset};
    memcpy(out, &head, sizeof head);
    out += sizeof head;
    memcpy(out, vec->places, (size_t)vec->environments * sizeof *vec->places);
    out += (size_t)vec->environments * sizeof *vec->places;
    for (int i = 0; i < vec->environments; i++) {
        memcpy(out, vec->states + (size_t)i * vec->stride, vec->rules->state_bytes);
        out += vec->rules->state_bytes;
    }
    if (vec->follows) {
        memcpy(out, vec->follows, (size_t)vec->environments);
    }
}

lu_status lu_vec_load(lu_vec *vec, const void *bytes, size_t length, lu_error *error) {
    const unsigned char *in = bytes;
    snapshot_head head;
    if (length != lu_vec_snapshot_bytes(vec)) {
        return lu_fail(
            error, LU_BAD_DATA,
            "the snapshot has %zu bytes where %zu are needed: it is of another game or count",
            length, lu_vec_snapshot_bytes(vec));
    }
    memcpy(&head, in, sizeof head);
    in += sizeof head;
    if (head.spec != vec->rules->spec || head.rules != rules_hash(vec) ||
        head.options != options_hash(vec) || head.environments != (uint64_t)vec->environments) {
        return lu_fail(error, LU_OTHER_SPEC,
                       "snapshot of %s was made with other rules, settings or reset options: "
                       "resume with the same",
                       vec->game->id);
    }
    vec->seed = head.seed;
    vec->autoreset = (lu_autoreset)head.autoreset;
    memcpy(vec->places, in, (size_t)vec->environments * sizeof *vec->places);
    in += (size_t)vec->environments * sizeof *vec->places;
    for (int i = 0; i < vec->environments; i++) {
        memcpy(vec->states + (size_t)i * vec->stride, in, vec->rules->state_bytes);
        in += vec->rules->state_bytes;
    }
    for (int i = 0; vec->follows && i < vec->environments; i++) {
        if (in[i] >= vec->lists) {
            return lu_fail(error, LU_BAD_DATA,
                           "the snapshot has an environment under rules that are not there");
        }
    }
    if (vec->follows) {
        memcpy(vec->follows, in, (size_t)vec->environments);
    }
    return LU_OK;
}
