/* The rules of swarm, for any number of slots; the two variants at the end fix it. */
#include "swarm.h"

LU_INLINE const swarm_kind *swarm_kind_of(const lu_rules *rules, int kind) {
    const swarm_rules *m = (const swarm_rules *)(const void *)rules;
    return LU_RULES_AT(m, swarm_kind, m->kinds_at) + kind;
}

LU_INLINE void swarm_spawn(const lu_rules *rules, swarm_state *s, int slots) {
    lu_rng rng = lu_rng_from(s->rng);
    uint32_t kinds = (uint32_t)((const swarm_rules *)(const void *)rules)->kinds;
    if (lu_rng_below(&rng, 2)) {
        for (int i = 0; i < slots; i++) {
            if (s->kind[i] == 0) {
                s->kind[i] = (uint8_t)(1 + lu_rng_below(&rng, kinds));
                s->age[i] = 0;
                break;
            }
        }
    }
    s->rng = rng.state;
}

LU_INLINE void swarm_begin(const lu_rules *rules, void *bytes, uint64_t seed, int slots) {
    swarm_state *s = (swarm_state *)bytes;
    s->rng = seed;
    s->round = 0;
    s->points = 0;
    for (int i = 0; i < SWARM_MANY; i++) {
        s->kind[i] = 0;
        s->age[i] = 0;
    }
    swarm_spawn(rules, s, slots);
}

/* Option k squashes slot k, the last option waits. */
LU_INLINE void swarm_play(const lu_rules *rules, void *bytes, int32_t action, int slots,
                          double *terms, lu_step *step) {
    swarm_state *s = (swarm_state *)bytes;
    bool squash = action >= 0 && action < slots && s->kind[action];
    bool bugs = false;
    for (int i = 0; i < slots; i++) {
        bugs = bugs || s->kind[i];
    }
    if (squash) {
        int32_t points = swarm_kind_of(rules, s->kind[action] - 1)->points;
        s->points += points;
        terms[0] = (double)points;
        s->kind[action] = 0;
        s->age[action] = 0;
    }
    for (int i = 0; i < slots; i++) {
        if (s->kind[i] && ++s->age[i] >= swarm_kind_of(rules, s->kind[i] - 1)->patience) {
            s->kind[i] = 0;
            s->age[i] = 0;
        }
    }
    swarm_spawn(rules, s, slots);
    for (int i = 0; i < slots; i++) {
        bugs = bugs || s->kind[i];
    }
    s->round++;
    step->ticks = 1;
    step->terminated = s->points >= SWARM_GOAL;
    step->truncated = !step->terminated && s->round >= SWARM_LIMIT;
    step->illegal = !squash && action != slots;
    step->unused = 0;
    step->changed = bugs ? 3u : 1u; /* an empty meadow stays as it was */
}

LU_INLINE void swarm_see(const void *bytes, uint64_t changed, int slots, float *observation) {
    const swarm_state *s = (const swarm_state *)bytes;
    if (changed & 1u) {
        float share = (float)s->points / (float)SWARM_GOAL;
        observation[0] = (float)s->round / (float)SWARM_LIMIT;
        observation[1] = share < 1.0f ? share : 1.0f;
    }
    if (changed & 2u) {
        float *slot = observation + SWARM_SCALARS;
        for (int i = 0; i < slots; i++, slot += SWARM_FIELDS) {
            slot[0] = s->kind[i] ? 1.0f : 0.0f;
            slot[1] = (float)s->kind[i];
            slot[2] = (float)s->age[i] / (float)SWARM_AGE_MAX;
        }
    }
}

LU_INLINE void swarm_allow(const void *bytes, int slots, uint8_t *mask) {
    for (int i = 0; i < slots; i++) {
        mask[i] = ((const swarm_state *)bytes)->kind[i] != 0;
    }
    mask[slots] = 1;
}

LU_INLINE void swarm_tell(const void *bytes, double *info) {
    info[SWARM_INFO_POINTS] = (double)((const swarm_state *)bytes)->points;
    info[SWARM_INFO_ROUND] = (double)((const swarm_state *)bytes)->round;
}

LU_INLINE void swarm_guess(void *bytes, lu_rng *rng) {
    ((swarm_state *)bytes)->rng = lu_rng_u64(rng); /* what comes is all that is hidden */
}

/* The functions of lu_core for one number of slots. */
#define SWARM_VARIANT(prefix, slots)                                                               \
    LU_HD static void prefix##_reset(const lu_rules *rules, void *state, uint64_t seed,            \
                                     const void *options) {                                        \
        (void)options;                                                                             \
        swarm_begin(rules, state, seed, slots);                                                    \
    }                                                                                              \
    LU_HD static void prefix##_step(const lu_rules *rules, void *state, const int32_t *actions,    \
                                    double *terms, lu_step *step) {                                \
        swarm_play(rules, state, actions[0], slots, terms, step);                                  \
    }                                                                                              \
    LU_HD static void prefix##_observe(const lu_rules *rules, const void *state, int seat,         \
                                       uint64_t changed, float *observation) {                     \
        (void)rules;                                                                               \
        (void)seat;                                                                                \
        swarm_see(state, changed, slots, observation);                                             \
    }                                                                                              \
    LU_HD static void prefix##_mask(const lu_rules *rules, const void *state, int seat,            \
                                    uint8_t *mask) {                                               \
        (void)rules;                                                                               \
        (void)seat;                                                                                \
        swarm_allow(state, slots, mask);                                                           \
    }                                                                                              \
    LU_HD static void prefix##_info(const lu_rules *rules, const void *state, int seat,            \
                                    double *info) {                                                \
        (void)seat;                                                                                \
        (void)rules;                                                                               \
        swarm_tell(state, info);                                                                   \
    }                                                                                              \
    LU_HD static void prefix##_determinise(const lu_rules *rules, void *state, int seat,           \
                                           lu_rng *rng) {                                          \
        (void)rules;                                                                               \
        (void)seat;                                                                                \
        swarm_guess(state, rng);                                                                   \
    }

SWARM_VARIANT(swarm, SWARM_MANY)
SWARM_VARIANT(swarm_few, SWARM_FEW)

#define LU_LOOP_NAMES SWARM
#define LU_LOOP_STATE swarm_state

#define LU_LOOP_GAME        swarm
#define LU_LOOP_OBSERVATION (SWARM_SCALARS + SWARM_MANY * SWARM_FIELDS)
#define LU_LOOP_MASK        (SWARM_MANY + 1)
#include "ludus/loop.h"
#undef LU_LOOP_GAME
#undef LU_LOOP_OBSERVATION
#undef LU_LOOP_MASK

#define LU_LOOP_GAME        swarm_few
#define LU_LOOP_OBSERVATION (SWARM_SCALARS + SWARM_FEW * SWARM_FIELDS)
#define LU_LOOP_MASK        (SWARM_FEW + 1)
#include "ludus/loop.h"
