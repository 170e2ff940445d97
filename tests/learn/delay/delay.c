/* Delay: 1 is paid after four decisions. Is the discount right, step by step? */
#include "../learn.h"

#define LEARN_GAME        delay
#define LEARN_OBSERVATION 4
#define LEARN_MASK        2
#define LEARN_PLAIN_RESET

LU_INLINE void delay_play(learn_state *s, const int32_t *actions, double *terms, lu_step *step) {
    (void)actions;
    s->steps++;
    terms[0] = s->steps == 4 ? 1.0 : 0.0;
    learn_step(step, s->steps == 4, false);
}

LU_INLINE void delay_see(const learn_state *s, float *observation) {
    for (int i = 0; i < 4; i++) {
        observation[i] = s->steps == i ? 1.0f : 0.0f;
    }
}

#include "../learn_core.h"
