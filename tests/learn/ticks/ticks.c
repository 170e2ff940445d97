/* Ticks: a decision takes three ticks, the next one pays 1. Is the discount by ticks, so that the
 * first value is gamma^3? */
#include "../learn.h"

#define LEARN_GAME        ticks
#define LEARN_OBSERVATION 1
#define LEARN_MASK        2
#define LEARN_PLAIN_RESET

LU_HD static void ticks_step(const lu_rules *rules, void *bytes, const int32_t *actions,
                             double *terms, lu_step *step) {
    learn_state *s = (learn_state *)bytes;
    (void)rules;
    (void)actions;
    s->steps++;
    terms[0] = s->steps == 2 ? 1.0 : 0.0;
    learn_step(step, s->steps == 2, false);
    step->ticks = 3;
}

LU_HD static void ticks_observe(const lu_rules *rules, const void *bytes, int seat,
                                uint64_t changed, float *observation) {
    const learn_state *s = (const learn_state *)bytes;
    (void)rules;
    (void)seat;
    (void)changed;
    observation[0] = s->steps == 0 ? 1.0f : -1.0f;
}

#include "../learn_core.h"
