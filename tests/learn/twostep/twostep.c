/* Two steps: the first choice opens a door behind which the second can pay 1 by what it sees; the
 * other door pays 0.3. Is credit carried back past a smaller reward? */
#include "../learn.h"

#define LEARN_GAME        twostep
#define LEARN_OBSERVATION 3
#define LEARN_MASK        2

LU_INLINE void twostep_start(learn_state *s, lu_rng *rng) {
    s->cue = (int32_t)lu_rng_below(rng, 2);
}

LU_INLINE void twostep_play(learn_state *s, const int32_t *actions, double *terms, lu_step *step) {
    s->steps++;
    if (s->steps == 1) {
        s->value[0] = actions[0] == 1;
    } else {
        terms[0] = !s->value[0] ? 0.3 : actions[0] == s->cue ? 1.0 : 0.0;
    }
    learn_step(step, s->steps == 2, false);
}

LU_INLINE void twostep_see(const learn_state *s, float *observation) {
    observation[0] = s->steps == 0 ? 1.0f : 0.0f;
    observation[1] = s->value[0] ? 1.0f : 0.0f;
    observation[2] = s->steps && s->cue ? 1.0f : 0.0f;
}

#include "../learn_core.h"
