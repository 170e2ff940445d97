/* Secret: a coin that only the critic sees pays +1 or -1, one option pays 0.2 more. Does the critic
 * use what is its own? */
#include "../learn.h"

#define LEARN_GAME        secret
#define LEARN_OBSERVATION 1
#define LEARN_MASK        2
#define LEARN_CRITIC      1
#define LEARN_BLIND

LU_INLINE void secret_start(learn_state *s, lu_rng *rng) {
    s->cue = lu_rng_below(rng, 2) ? 1 : -1;
}

LU_INLINE void secret_play(learn_state *s, const int32_t *actions, double *terms, lu_step *step) {
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
