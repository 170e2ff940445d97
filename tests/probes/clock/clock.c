/* The rules of clock. */
#include "clock.h"

LU_HD static void clock_reset(const lu_rules *rules, void *bytes, uint64_t seed,
                              const void *options) {
    clock_state *s = (clock_state *)bytes;
    (void)rules;
    (void)options;
    s->rng = seed;
    s->ticks = 0;
    s->apples = 0;
    s->gathered = 0;
    s->unused = 0;
}

LU_HD static void clock_step(const lu_rules *rules, void *bytes, const int32_t *actions,
                             double *terms, lu_step *step) {
    clock_state *s = (clock_state *)bytes;
    int32_t ticks = clock_ticks(s, actions[0]), before = s->apples;
    bool illegal = ticks == 0;
    (void)rules;
    ticks = illegal ? 1 : ticks; /* an illegal action naps for a tick */
    if (!illegal && actions[0] == CLOCK_GATHER) {
        terms[0] = (double)s->apples;
        s->gathered += s->apples;
        s->apples = 0;
    }
    lu_rng rng = lu_rng_from(s->rng);
    for (int i = 0; i < ticks; i++) {
        if (lu_rng_below(&rng, 4) == 0 && s->apples < CLOCK_APPLES_MAX) {
            s->apples++;
        }
    }
    s->rng = rng.state;
    s->ticks += ticks;
    step->ticks = ticks;
    step->terminated = s->ticks >= CLOCK_DAY;
    step->truncated = 0;
    step->illegal = illegal;
    step->unused = 0;
    step->changed = s->apples != before ? 3u : 1u;
}

LU_HD static void clock_observe(const lu_rules *rules, const void *bytes, int seat,
                                uint64_t changed, float *observation) {
    const clock_state *s = (const clock_state *)bytes;
    (void)rules;
    (void)seat;
    if (changed & 1u) {
        observation[0] = (float)s->ticks / (float)CLOCK_DAY;
        observation[1] = (float)s->gathered / (float)(s->gathered + 10);
    }
    if (changed & 2u) {
        observation[2] = (float)s->apples / (float)CLOCK_APPLES_MAX;
    }
}

LU_HD static void clock_mask(const lu_rules *rules, const void *bytes, int seat, uint8_t *mask) {
    (void)rules;
    (void)seat;
    for (int32_t action = 0; action < CLOCK_ACTIONS; action++) {
        mask[action] = clock_ticks((const clock_state *)bytes, action) > 0;
    }
}

LU_HD static void clock_info(const lu_rules *rules, const void *bytes, int seat, double *info) {
    const clock_state *s = (const clock_state *)bytes;
    (void)rules;
    (void)seat;
    info[CLOCK_INFO_GATHERED] = (double)s->gathered;
    info[CLOCK_INFO_TICKS] = (double)s->ticks;
}

LU_HD static void clock_determinise(const lu_rules *rules, void *bytes, int seat, lu_rng *rng) {
    (void)rules;
    (void)seat;
    ((clock_state *)bytes)->rng = lu_rng_u64(rng);
}

#define LU_LOOP_GAME  clock
#define LU_LOOP_NAMES CLOCK
#include "ludus/loop.h"
