/* Ghost: three seats of which the game itself drives the middle one; the others guess a sign that
 * differs between them, and the ghost is paid nonsense. Are rows that do not learn left out, and
 * those behind them not mixed up? */
#include "../learn.h"

#define LEARN_GAME        ghost
#define LEARN_OBSERVATION 1
#define LEARN_MASK        2
#define LEARN_SEATS       3

LU_HD static void ghost_reset(const lu_rules *rules, void *bytes, uint64_t seed,
                              const void *options) {
    learn_state *s = (learn_state *)bytes;
    lu_rng rng = learn_begin(s, seed);
    (void)rules;
    (void)options;
    for (int i = 0; i < LEARN_SEATS; i++) {
        s->value[i] = (int32_t)lu_rng_below(&rng, 2);
    }
}

LU_HD static void ghost_step(const lu_rules *rules, void *bytes, const int32_t *actions,
                             double *terms, lu_step *step) {
    learn_state *s = (learn_state *)bytes;
    (void)rules;
    s->steps++;
    terms[0] = actions[0] == s->value[0] ? 1.0 : -1.0;
    terms[1] = 1000.0;
    terms[2] = actions[2] == s->value[2] ? 1.0 : -1.0;
    learn_step(step, s->steps == 3, false);
}

LU_HD static void ghost_observe(const lu_rules *rules, const void *bytes, int seat,
                                uint64_t changed, float *observation) {
    const learn_state *s = (const learn_state *)bytes;
    (void)rules;
    (void)changed;
    observation[0] = seat == 1 ? 1e6f : s->value[seat] ? 1.0f : -1.0f;
}

#include "../learn_core.h"
