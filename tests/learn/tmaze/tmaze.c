/* T-maze: a sign at the start tells which way to turn at the end of a corridor, where it is no
 * longer seen. Does the memory learn? */
#include "../learn.h"

#define LEARN_GAME        tmaze
#define LEARN_OBSERVATION 3
#define LEARN_MASK        2

LU_HD static void tmaze_reset(const lu_rules *rules, void *bytes, uint64_t seed,
                              const void *options) {
    learn_state *s = (learn_state *)bytes;
    (void)rules;
    (void)options;
    lu_rng rng = learn_begin(s, seed);
    s->cue = (int32_t)lu_rng_below(&rng, 2);
}

LU_HD static void tmaze_step(const lu_rules *rules, void *bytes, const int32_t *actions,
                             double *terms, lu_step *step) {
    learn_state *s = (learn_state *)bytes;
    (void)rules;
    s->steps++;
    if (s->steps == 6) {
        terms[0] = actions[0] == s->cue ? 1.0 : -1.0;
    }
    learn_step(step, s->steps == 6, false);
}

LU_HD static void tmaze_observe(const lu_rules *rules, const void *bytes, int seat,
                                uint64_t changed, float *observation) {
    const learn_state *s = (const learn_state *)bytes;
    (void)rules;
    (void)seat;
    (void)changed;
    observation[0] = s->steps == 0 && s->cue == 0 ? 1.0f : 0.0f;
    observation[1] = s->steps == 0 && s->cue == 1 ? 1.0f : 0.0f;
    observation[2] = s->steps == 5 ? 1.0f : 0.0f;
}

#include "../learn_core.h"
