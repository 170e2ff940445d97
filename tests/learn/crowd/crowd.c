/* Crowd: eight things of sixteen kinds stand around, one of them of the kind that is wanted, always
 * kind 7. Pointing at it pays 1. Do slots share what they learn? */
#include "../learn.h"

#define LEARN_GAME        crowd
#define LEARN_OBSERVATION 16
#define LEARN_MASK        8

LU_HD static void crowd_reset(const lu_rules *rules, void *bytes, uint64_t seed,
                              const void *options) {
    learn_state *s = (learn_state *)bytes;
    (void)rules;
    (void)options;
    lu_rng rng = learn_begin(s, seed);
    s->cue = (int32_t)lu_rng_below(&rng, 8);
    for (int i = 0; i < 8; i++) {
        int32_t kind = (int32_t)lu_rng_below(&rng, 15);
        s->value[i] = i == s->cue ? 7 : kind < 7 ? kind : kind + 1;
    }
}

LU_HD static void crowd_step(const lu_rules *rules, void *bytes, const int32_t *actions,
                             double *terms, lu_step *step) {
    learn_state *s = (learn_state *)bytes;
    (void)rules;
    s->steps++;
    terms[0] = actions[0] == s->cue ? 1.0 : 0.0;
    learn_step(step, true, false);
}

LU_HD static void crowd_observe(const lu_rules *rules, const void *bytes, int seat,
                                uint64_t changed, float *observation) {
    const learn_state *s = (const learn_state *)bytes;
    (void)rules;
    (void)seat;
    (void)changed;
    for (int i = 0; i < 8; i++) {
        observation[2 * i] = 1.0f;
        observation[2 * i + 1] = (float)s->value[i];
    }
}

#include "../learn_core.h"
