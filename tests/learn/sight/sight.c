/* Sight: the reward is what was seen, +1 or -1. Does the value read the observation? */
#include "../learn.h"

#define LEARN_GAME        sight
#define LEARN_OBSERVATION 1
#define LEARN_MASK        2

LU_HD static void sight_reset(const lu_rules *rules, void *bytes, uint64_t seed,
                              const void *options) {
    learn_state *s = (learn_state *)bytes;
    (void)rules;
    (void)options;
    lu_rng rng = learn_begin(s, seed);
    s->cue = lu_rng_below(&rng, 2) ? 1 : -1;
}

LU_HD static void sight_step(const lu_rules *rules, void *bytes, const int32_t *actions,
                             double *terms, lu_step *step) {
    learn_state *s = (learn_state *)bytes;
    (void)rules;
    (void)actions;
    s->steps++;
    terms[0] = (double)s->cue;
    learn_step(step, true, false);
}

LU_HD static void sight_observe(const lu_rules *rules, const void *bytes, int seat,
                                uint64_t changed, float *observation) {
    const learn_state *s = (const learn_state *)bytes;
    (void)rules;
    (void)seat;
    (void)changed;
    observation[0] = (float)s->cue;
}

#include "../learn_core.h"
