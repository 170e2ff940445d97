/* The rules of corridor. Every function is device-ready: see game.h. */
#include "corridor.h"

LU_INLINE const corridor_rules *corridor_rules_of(const lu_rules *rules) {
    return (const corridor_rules *)(const void *)rules;
}

LU_HD static void corridor_reset(const lu_rules *rules, void *bytes, uint64_t seed,
                                 const void *options) {
    corridor_state *s = (corridor_state *)bytes;
    int32_t length = corridor_rules_of(rules)->length;
    lu_rng rng = lu_rng_from(seed);
    (void)options;
    s->lamp = lu_rng_below(&rng, 2) ? length - 1 : 0;
    s->position = 1 + (int32_t)lu_rng_below(&rng, (uint32_t)(length - 2));
    s->steps = 0;
    s->found = 0;
}

LU_HD static void corridor_step(const lu_rules *rules, void *bytes, const int32_t *actions,
                                double *terms, lu_step *step) {
    const corridor_rules *m = corridor_rules_of(rules);
    corridor_state *s = (corridor_state *)bytes;
    int32_t action = actions[0];
    bool illegal = action < 0 || action >= CORRIDOR_ACTIONS;

    /* an illegal action, or a walk into the wall, stays */
    int32_t next = s->position;
    if (action == CORRIDOR_LEFT) {
        next--;
    } else if (action == CORRIDOR_RIGHT) {
        next++;
    }
    if (next >= 0 && next < m->length) {
        s->position = next;
    } else {
        illegal = true;
    }
    s->steps++;
    s->found = s->position == s->lamp;

    terms[CORRIDOR_TERM_LAMP] = s->found ? 1.0 : 0.0;
    terms[CORRIDOR_TERM_TIME] = -1.0;
    step->ticks = 1;
    step->terminated = (uint8_t)(s->found != 0);
    step->truncated = (uint8_t)(!s->found && s->steps >= m->limit);
    step->illegal = illegal ? 1 : 0;
    step->unused = 0;
    step->changed = LU_ALL_CHANGED;
}

LU_HD static void corridor_observe(const lu_rules *rules, const void *bytes, int seat,
                                   uint64_t changed, float *observation) {
    const corridor_rules *m = corridor_rules_of(rules);
    const corridor_state *s = (const corridor_state *)bytes;
    int32_t distance = s->lamp > s->position ? s->lamp - s->position : s->position - s->lamp;
    (void)seat;
    (void)changed;
    observation[CORRIDOR_SEES_POSITION] = (float)s->position / (float)(m->length - 1);
    observation[CORRIDOR_SEES_LIGHT] = 1.0f / (float)(1 + distance);
    observation[CORRIDOR_SEES_TIME] = (float)s->steps / (float)m->limit;
}

LU_HD static void corridor_mask(const lu_rules *rules, const void *bytes, int seat, uint8_t *mask) {
    const corridor_state *s = (const corridor_state *)bytes;
    (void)seat;
    mask[CORRIDOR_LEFT] = s->position > 0;
    mask[CORRIDOR_RIGHT] = s->position < corridor_rules_of(rules)->length - 1;
    mask[CORRIDOR_STAY] = 1;
}

LU_HD static void corridor_info(const lu_rules *rules, const void *bytes, int seat, double *info) {
    const corridor_state *s = (const corridor_state *)bytes;
    (void)rules;
    (void)seat;
    info[CORRIDOR_INFO_POSITION] = (double)s->position;
    info[CORRIDOR_INFO_STEPS] = (double)s->steps;
    info[CORRIDOR_INFO_FOUND] = (double)s->found;
}

/* The walker knows the lamp's end from the brightness of its cell, unless it stands in the middle
 * of the line, where both ends are equally far. */
LU_HD static void corridor_determinise(const lu_rules *rules, void *bytes, int seat, lu_rng *rng) {
    corridor_state *s = (corridor_state *)bytes;
    int32_t last = corridor_rules_of(rules)->length - 1;
    (void)seat;
    if (2 * s->position == last) {
        s->lamp = lu_rng_below(rng, 2) ? last : 0;
    }
}

#define LU_LOOP_GAME  corridor
#define LU_LOOP_NAMES CORRIDOR
#include "ludus/loop.h"
