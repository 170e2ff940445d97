/* Two steps: the first choice opens a door behind which the second can pay 1 by what it sees; the
 * other door pays 0.3. Is credit carried back past a smaller reward? */
#include "../learn.h"

#define LEARN_GAME        twostep
#define LEARN_OBSERVATION 3
#define LEARN_MASK        2

LU_HD static void twostep_reset(const lu_rules *rules, void *bytes, uint64_t seed,
                                const void *options) {
    learn_state *s = (learn_state *)bytes;
    (void)rules;
    (void)options;
    lu_rng rng = learn_begin(s, seed);
    s->cue = (int32_t)lu_rng_below(&rng, 2);
}

LU_HD static void twostep_step(const lu_rules *rules, void *bytes, const int32_t *actions,
                               double *terms, lu_step *step) {
    learn_state *s = (learn_state *)bytes;
    (void)rules;
    s->steps++;
    if (s->steps == 1) {
        s->value[0] = actions[0] == 1;
    } else {
        terms[0] = !s->value[0] ? 0.3 : actions[0] == s->cue ? 1.0 : 0.0;
    }
    learn_step(step, s->steps == 2, false);
}

LU_HD static void twostep_observe(const lu_rules *rules, const void *bytes, int seat,
                                  uint64_t changed, float *observation) {
    const learn_state *s = (const learn_state *)bytes;
    (void)rules;
    (void)seat;
    (void)changed;
    observation[0] = s->steps == 0 ? 1.0f : 0.0f;
    observation[1] = s->value[0] ? 1.0f : 0.0f;
    observation[2] = s->steps && s->cue ? 1.0f : 0.0f;
}

#include "../learn_core.h"
