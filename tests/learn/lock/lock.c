/* Lock: wait for 0.2, or open and name the key that is seen, which pays 1. Does a second head that
 * is asked only after one option of the first learn? */
#include "../learn.h"

#define LEARN_GAME        lock
#define LEARN_OBSERVATION 3
#define LEARN_MASK        5
#define LEARN_HEADS       2

LU_INLINE void lock_start(learn_state *s, lu_rng *rng) {
    s->cue = (int32_t)lu_rng_below(rng, 3);
}

LU_INLINE void lock_play(learn_state *s, const int32_t *actions, double *terms, lu_step *step) {
    s->steps++;
    terms[0] = actions[0] == 0 ? 0.2 : actions[1] == s->cue ? 1.0 : 0.0;
    learn_step(step, true, false);
}

LU_INLINE void lock_see(const learn_state *s, float *observation) {
    for (int i = 0; i < 3; i++) {
        observation[i] = s->cue == i ? 1.0f : 0.0f;
    }
}

#include "../learn_core.h"
