/* Deadline: three steps on lead to the door, which pays 1; after four decisions it is shut. The
 * clock is seen, so the last observation is one that nothing follows, and no target ever ties its
 * value down. Does a limit that is a rule end the value there? */
#include "../learn.h"

#define LEARN_GAME        deadline
#define LEARN_OBSERVATION 2
#define LEARN_MASK        2
#define LEARN_PLAIN_RESET

enum { DEADLINE_DOOR = 3, DEADLINE_STEPS = 4 };

LU_INLINE void deadline_play(learn_state *s, const int32_t *actions, double *terms, lu_step *step) {
    int32_t place = s->value[0] + (actions[0] == 1 ? 1 : -1);
    bool there = place == DEADLINE_DOOR;
    s->value[0] = place > 0 ? place : 0;
    s->steps++;
    terms[0] = there ? 1.0 : 0.0;
    learn_step(step, there, s->steps == DEADLINE_STEPS);
}

LU_INLINE void deadline_see(const learn_state *s, float *observation) {
    observation[0] = (float)s->value[0] / (float)DEADLINE_DOOR;
    observation[1] = (float)s->steps / (float)DEADLINE_STEPS;
}

#include "../learn_core.h"
