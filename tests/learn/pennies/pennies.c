/* Matching pennies: seat 0 wins when both show the same, seat 1 when not. Do two seats of one net
 * stay near the only equilibrium, one half? */
#include "../learn.h"

#define LEARN_GAME        pennies
#define LEARN_OBSERVATION 2
#define LEARN_MASK        2
#define LEARN_SEATS       2
#define LEARN_PLAIN_RESET

LU_HD static void pennies_step(const lu_rules *rules, void *bytes, const int32_t *actions,
                               double *terms, lu_step *step) {
    learn_state *s = (learn_state *)bytes;
    (void)rules;
    double won = actions[0] == actions[1] ? 1.0 : -1.0;
    s->steps++;
    terms[0] = won;
    terms[1] = -won;
    learn_step(step, true, false);
}

LU_HD static void pennies_observe(const lu_rules *rules, const void *bytes, int seat,
                                  uint64_t changed, float *observation) {
    (void)rules;
    (void)changed;
    (void)bytes;
    observation[0] = seat == 0 ? 1.0f : 0.0f;
    observation[1] = seat == 1 ? 1.0f : 0.0f;
}

#include "../learn_core.h"
