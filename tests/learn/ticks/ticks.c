/* Ticks: a decision takes three ticks, the next one pays 1. Is the discount by ticks, so that the
 * first value is gamma^3? */
#include "../learn.h"

#define LEARN_GAME        ticks
#define LEARN_OBSERVATION 1
#define LEARN_MASK        2
#define LEARN_PLAIN_RESET

LU_INLINE void ticks_play(learn_state *s, const int32_t *actions, double *terms, lu_step *step) {
    (void)actions;
    s->steps++;
    terms[0] = s->steps == 2 ? 1.0 : 0.0;
    learn_step(step, s->steps == 2, false);
    step->ticks = 3;
}

LU_INLINE void ticks_see(const learn_state *s, float *observation) {
    observation[0] = s->steps == 0 ? 1.0f : -1.0f;
}

#include "../learn_core.h"
