/* Ghost: three seats of which the game itself drives the middle one; the others guess a sign that
 * differs between them, and the ghost is paid nonsense. Are rows that do not learn left out, and
 * those behind them not mixed up? */
#include "../learn.h"

#define LEARN_GAME        ghost
#define LEARN_OBSERVATION 1
#define LEARN_MASK        2
#define LEARN_SEATS       3

LU_INLINE void ghost_start(learn_state *s, lu_rng *rng) {
    for (int i = 0; i < LEARN_SEATS; i++) {
        s->value[i] = (int32_t)lu_rng_below(rng, 2);
    }
}

LU_INLINE void ghost_play(learn_state *s, const int32_t *actions, double *terms, lu_step *step) {
    s->steps++;
    terms[0] = actions[0] == s->value[0] ? 1.0 : -1.0;
    terms[1] = 1000.0;
    terms[2] = actions[2] == s->value[2] ? 1.0 : -1.0;
    learn_step(step, s->steps == 3, false);
}

LU_INLINE void ghost_see(const learn_state *s, int seat, float *observation) {
    observation[0] = seat == 1 ? 1e6f : s->value[seat] ? 1.0f : -1.0f;
}

#include "../learn_core.h"
