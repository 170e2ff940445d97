/* Bandit: eight arms of which only some are legal in an episode; the reward is what the arm pays,
 * less what the best legal one would. Are masks kept while learning? */
#include "../learn.h"

#define LEARN_GAME        bandit
#define LEARN_OBSERVATION 1
#define LEARN_MASK        8
#define LEARN_OWN_MASK
#define LEARN_BLIND

LU_INLINE void bandit_start(learn_state *s, lu_rng *rng) {
    s->cue = 1 + (int32_t)lu_rng_below(rng, 255);
}

LU_INLINE void bandit_play(learn_state *s, const int32_t *actions, double *terms, lu_step *step) {
    int best = 31 - __builtin_clz((unsigned)s->cue);
    s->steps++;
    terms[0] = (double)(actions[0] - best) / 7.0;
    learn_step(step, true, false);
    step->illegal = (uint8_t) !(s->cue >> (actions[0] & 7) & 1);
}

LU_HD static void bandit_mask(const lu_rules *rules, const void *bytes, int seat, uint8_t *mask) {
    const learn_state *s = (const learn_state *)bytes;
    (void)rules;
    (void)seat;
    for (int i = 0; i < LEARN_MASK; i++) {
        mask[i] = (uint8_t)(s->cue >> i & 1);
    }
}

#include "../learn_core.h"
