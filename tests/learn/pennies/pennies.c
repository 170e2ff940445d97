/* Matching pennies: seat 0 wins when both show the same, seat 1 when not. Do two seats of one net
 * stay near the only equilibrium, one half? */
#include "../learn.h"

#define LEARN_GAME        pennies
#define LEARN_OBSERVATION 2
#define LEARN_MASK        2
#define LEARN_SEATS       2
#define LEARN_PLAIN_RESET

LU_INLINE void pennies_play(learn_state *s, const int32_t *actions, double *terms, lu_step *step) {
    double won = actions[0] == actions[1] ? 1.0 : -1.0;
    s->steps++;
    terms[0] = won;
    terms[1] = -won;
    learn_step(step, true, false);
}

LU_INLINE void pennies_see(const learn_state *s, int seat, float *observation) {
    (void)s;
    observation[0] = seat == 0 ? 1.0f : 0.0f;
    observation[1] = seat == 1 ? 1.0f : 0.0f;
}

#include "../learn_core.h"
