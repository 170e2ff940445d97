/* Choice: one option pays 1, the other -1. Does the policy move at all? */
#include "../learn.h"

#define LEARN_GAME        choice
#define LEARN_OBSERVATION 1
#define LEARN_MASK        2
#define LEARN_BLIND
#define LEARN_PLAIN_RESET

LU_INLINE void choice_play(learn_state *s, const int32_t *actions, double *terms, lu_step *step) {
    s->steps++;
    terms[0] = actions[0] == 1 ? 1.0 : -1.0;
    learn_step(step, true, false);
}

#include "../learn_core.h"
