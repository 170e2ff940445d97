/* Choice: one option pays 1, the other -1. Does the policy move at all? */
#include "../learn.h"

#define LEARN_GAME        choice
#define LEARN_OBSERVATION 1
#define LEARN_MASK        2

LU_HD static void choice_reset(const lu_rules *rules, void *bytes, uint64_t seed,
                               const void *options) {
    learn_state *s = (learn_state *)bytes;
    (void)rules;
    (void)options;
    (void)learn_begin(s, seed);
}

LU_HD static void choice_step(const lu_rules *rules, void *bytes, const int32_t *actions,
                              double *terms, lu_step *step) {
    learn_state *s = (learn_state *)bytes;
    (void)rules;
    s->steps++;
    terms[0] = actions[0] == 1 ? 1.0 : -1.0;
    learn_step(step, true, false);
}

LU_HD static void choice_observe(const lu_rules *rules, const void *bytes, int seat,
                                 uint64_t changed, float *observation) {
    (void)rules;
    (void)seat;
    (void)changed;
    (void)bytes;
    observation[0] = 1.0f;
}

LU_HD static void choice_mask(const lu_rules *rules, const void *bytes, int seat, uint8_t *mask) {
    (void)rules;
    (void)seat;
    (void)bytes;
    for (int i = 0; i < LEARN_MASK; i++) {
        mask[i] = 1;
    }
}

#include "../learn_core.h"
