/* Trump: each seat holds a card of four, which it sees; after four steps the higher one wins, and
 * equal ones draw. Does the win-rate predictor know what a card is worth? */
#include "../learn.h"

#define LEARN_GAME        trump
#define LEARN_OBSERVATION 2
#define LEARN_MASK        2
#define LEARN_SEATS       2
#define LEARN_WON

LU_INLINE void trump_start(learn_state *s, lu_rng *rng) {
    s->value[0] = (int32_t)lu_rng_below(rng, 4);
    s->value[1] = (int32_t)lu_rng_below(rng, 4);
}

LU_INLINE int32_t trump_won(const learn_state *s, int seat) {
    return s->steps == 4 && s->value[seat] > s->value[1 - seat];
}

LU_INLINE void trump_play(learn_state *s, const int32_t *actions, double *terms, lu_step *step) {
    (void)actions;
    s->steps++;
    for (int seat = 0; seat < 2; seat++) {
        terms[seat] = (double)(trump_won(s, seat) - trump_won(s, 1 - seat));
    }
    learn_step(step, s->steps == 4, false);
}

LU_INLINE void trump_see(const learn_state *s, int seat, float *observation) {
    observation[0] = (float)s->value[seat];
    observation[1] = (float)s->steps;
}

#include "../learn_core.h"
