/* Sight: the reward is what was seen, +1 or -1. Does the value read the observation? */
#include "../learn.h"

#define LEARN_GAME        sight
#define LEARN_OBSERVATION 1
#define LEARN_MASK        2

LU_INLINE void sight_start(learn_state *s, lu_rng *rng) {
    s->cue = lu_rng_below(rng, 2) ? 1 : -1;
}

LU_INLINE void sight_play(learn_state *s, const int32_t *actions, double *terms, lu_step *step) {
    (void)actions;
    s->steps++;
    terms[0] = (double)s->cue;
    learn_step(step, true, false);
}

LU_INLINE void sight_see(const learn_state *s, float *observation) {
    observation[0] = (float)s->cue;
}

#include "../learn_core.h"
