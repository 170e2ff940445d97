/* Echo: say one of three words and say it again, which pays 1. Does a second head answer what the
 * first one drew? Where the first is kept from settling, heads that do not read each other are
 * right in one of three. */
#include "../learn.h"

#define LEARN_GAME        echo
#define LEARN_OBSERVATION 1
#define LEARN_MASK        6
#define LEARN_HEADS       2
#define LEARN_BLIND
#define LEARN_PLAIN_RESET

LU_INLINE void echo_play(learn_state *s, const int32_t *actions, double *terms, lu_step *step) {
    s->steps++;
    terms[0] = actions[0] == actions[1] ? 1.0 : 0.0;
    learn_step(step, true, false);
}

#include "../learn_core.h"
