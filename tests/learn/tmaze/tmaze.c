/* T-maze: a sign at the start tells which way to turn at the end of a corridor, where it is no
 * longer seen. Does the memory learn? */
#include "../learn.h"

#define LEARN_GAME        tmaze
#define LEARN_OBSERVATION 3
#define LEARN_MASK        2

LU_INLINE void tmaze_start(learn_state *s, lu_rng *rng) {
    s->cue = (int32_t)lu_rng_below(rng, 2);
}

LU_INLINE void tmaze_play(learn_state *s, const int32_t *actions, double *terms, lu_step *step) {
    s->steps++;
    if (s->steps == 6) {
        terms[0] = actions[0] == s->cue ? 1.0 : -1.0;
    }
    learn_step(step, s->steps == 6, false);
}

LU_INLINE void tmaze_see(const learn_state *s, float *observation) {
    observation[0] = s->steps == 0 && s->cue == 0 ? 1.0f : 0.0f;
    observation[1] = s->steps == 0 && s->cue == 1 ? 1.0f : 0.0f;
    observation[2] = s->steps == 5 ? 1.0f : 0.0f;
}

#include "../learn_core.h"
