/* Constant: the reward is 1 whatever is done. Does the value learn a constant? */
#include "../learn.h"

#define LEARN_GAME        constant
#define LEARN_OBSERVATION 1
#define LEARN_MASK        2
#define LEARN_BLIND
#define LEARN_PLAIN_RESET

LU_INLINE void constant_play(learn_state *s, const int32_t *actions, double *terms, lu_step *step) {
    (void)actions;
    s->steps++;
    terms[0] = 1.0;
    learn_step(step, true, false);
}

#include "../learn_core.h"
