/* Secret: a coin that only the critic sees pays +1 or -1, one option pays 0.2 more. Does the critic
 * use what is its own? */
#include "../learn.h"

#define LEARN_GAME        secret
#define LEARN_OBSERVATION 1
#define LEARN_MASK        2
#define LEARN_CRITIC      1
#define LEARN_BLIND

LU_HD static void secret_reset(const lu_rules *rules, void *bytes, uint64_t seed,
                               const void *options) {
    learn_state *s = (learn_state *)bytes;
    (void)rules;
    (void)options;
    lu_rng rng = learn_begin(s, seed);
    s->cue = lu_rng_below(&rng, 2) ? 1 : -1;
}

LU_HD static void secret_step(const lu_rules *rules, void *bytes, const int32_t *actions,
                              double *terms, lu_step *step) {
    learn_state *s = (learn_state *)bytes;
    (void)rules;
    s->steps++;
    terms[0] = (double)s->cue + (actions[0] == 1 ? 0.2 : 0.0);
    learn_step(step, true, false);
}

LU_HD static void secret_critic(const lu_rules *rules, const void *bytes, int seat, float *critic) {
    const learn_state *s = (const learn_state *)bytes;
    (void)rules;
    (void)seat;
    critic[0] = (float)s->cue;
}

#include "../learn_core.h"
