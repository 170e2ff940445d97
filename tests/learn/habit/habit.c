/* Matching pennies, eight rounds: seat 0 wins a round when both show the same, seat 1 when not. A
 * seat sees what the other showed in the last two rounds. The bots have a habit: whatever they show
 * they have shown two rounds before. Does play against them teach to answer it, which play against
 * oneself does not? */
#include "../learn.h"

#define LEARN_GAME        habit
#define LEARN_OBSERVATION 4
#define LEARN_MASK        2
#define LEARN_SEATS       2
#define LEARN_PLAIN_RESET

enum { HABIT_ROUNDS = 8 };

/* value[2 * seat] is what it showed last, value[2 * seat + 1] before that: 1, -1, or 0 for none. */
LU_INLINE void habit_play(learn_state *s, const int32_t *actions, double *terms, lu_step *step) {
    double won = actions[0] == actions[1] ? 1.0 : -1.0;
    for (int seat = 0; seat < LEARN_SEATS; seat++) {
        s->value[2 * seat + 1] = s->value[2 * seat];
        s->value[2 * seat] = actions[seat] == 0 ? 1 : -1;
    }
    s->steps++;
    terms[0] = won;
    terms[1] = -won;
    learn_step(step, s->steps == HABIT_ROUNDS, false);
}

LU_INLINE void habit_see(const learn_state *s, int seat, float *observation) {
    int other = 1 - seat;
    observation[0] = seat == 0 ? 1.0f : -1.0f;
    observation[1] = (float)s->steps / HABIT_ROUNDS;
    observation[2] = (float)s->value[2 * other];
    observation[3] = (float)s->value[2 * other + 1];
}

#include "../learn_core.h"
