/* Cut-off: every decision pays 1 and an episode never ends, it is only cut off after four. Is the
 * value that of the endless game, 1 / (1 - gamma)? */
#include "../learn.h"

#define LEARN_GAME        cutoff
#define LEARN_OBSERVATION 1
#define LEARN_MASK        2
#define LEARN_BLIND
#define LEARN_PLAIN_RESET

LU_INLINE void cutoff_play(learn_state *s, const int32_t *actions, double *terms, lu_step *step) {
    (void)actions;
    s->steps++;
    terms[0] = 1.0;
    learn_step(step, false, s->steps == 4);
}

#include "../learn_core.h"
