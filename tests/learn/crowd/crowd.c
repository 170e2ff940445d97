/* Crowd: eight things of sixteen kinds stand around, one of them of the kind that is wanted, always
 * kind 7. Pointing at it pays 1. Do slots share what they learn? */
#include "../learn.h"

#define LEARN_GAME        crowd
#define LEARN_OBSERVATION 16
#define LEARN_MASK        8

LU_INLINE void crowd_start(learn_state *s, lu_rng *rng) {
    s->cue = (int32_t)lu_rng_below(rng, 8);
    for (int i = 0; i < 8; i++) {
        int32_t kind = (int32_t)lu_rng_below(rng, 15);
        s->value[i] = i == s->cue ? 7 : kind < 7 ? kind : kind + 1;
    }
}

LU_INLINE void crowd_play(learn_state *s, const int32_t *actions, double *terms, lu_step *step) {
    s->steps++;
    terms[0] = actions[0] == s->cue ? 1.0 : 0.0;
    learn_step(step, true, false);
}

LU_INLINE void crowd_see(const learn_state *s, float *observation) {
    for (int i = 0; i < 8; i++) {
        observation[2 * i] = 1.0f;
        observation[2 * i + 1] = (float)s->value[i];
    }
}

#include "../learn_core.h"
