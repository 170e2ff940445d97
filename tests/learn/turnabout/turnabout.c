/* Turnabout: two seats move in turn and guess a sign that both see; a right guess is paid one step
 * later, while the other moves. A seat that waits has no legal option. Is credit carried over steps
 * in which nothing is chosen? */
#include "../learn.h"

#define LEARN_GAME        turnabout
#define LEARN_OBSERVATION 2
#define LEARN_MASK        2
#define LEARN_SEATS       2
#define LEARN_TURNS       1
#define LEARN_OWN_MASK

enum { TURNABOUT_OWED, TURNABOUT_TO }; /* in `value`: what is to be paid, and to whom */

LU_INLINE void turnabout_start(learn_state *s, lu_rng *rng) {
    s->cue = (int32_t)lu_rng_below(rng, 2);
}

LU_INLINE void turnabout_play(learn_state *s, const int32_t *actions, double *terms,
                              lu_step *step) {
    int seat = s->steps % 2;
    terms[s->value[TURNABOUT_TO]] = (double)s->value[TURNABOUT_OWED];
    s->value[TURNABOUT_OWED] = actions[seat] == s->cue;
    s->value[TURNABOUT_TO] = seat;
    lu_rng rng = lu_rng_from(s->rng);
    s->cue = (int32_t)lu_rng_below(&rng, 2);
    s->rng = rng.state;
    s->steps++;
    learn_step(step, s->steps == 9, false);
}

LU_INLINE void turnabout_see(const learn_state *s, int seat, float *observation) {
    observation[0] = s->cue ? 1.0f : -1.0f;
    observation[1] = s->steps % 2 == seat ? 1.0f : 0.0f;
}

LU_HD static void turnabout_mask(const lu_rules *rules, const void *bytes, int seat,
                                 uint8_t *mask) {
    const learn_state *s = (const learn_state *)bytes;
    (void)rules;
    mask[0] = mask[1] = s->steps % 2 == seat;
}

LU_HD static uint8_t turnabout_to_move(const lu_rules *rules, const void *bytes) {
    const learn_state *s = (const learn_state *)bytes;
    (void)rules;
    return s->steps % 2 ? 2 : 1;
}

#include "../learn_core.h"
