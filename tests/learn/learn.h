/* What the learning probes share: one state for all of them, one reward term, and the tables that a
 * game must have. Each probe asks one question of a trainer; its rules say which. The head of a
 * rules file defines LEARN_GAME and the sizes, its end includes "../learn_core.h", which makes a
 * game of its GAME_start (behind learn_begin), GAME_play and GAME_see (of a seat, where there are
 * several). LEARN_PLAIN_RESET does without the first, LEARN_BLIND without the last, and
 * LEARN_OWN_MASK says that not all options are always legal, LEARN_WON (before learn_spec.h too)
 * that GAME_won tells who has won. */
#pragma once

#include "ludus/game.h"

enum { LEARN_VALUES = 16 };

LU_STATE_BEGIN
typedef struct learn_state {
    uint64_t rng;
    int32_t steps; /* decisions so far */
    int32_t cue;   /* what there is to see, or to guess */
    int32_t value[LEARN_VALUES];
} learn_state;
LU_STATE_END

LU_STATIC_ASSERT(sizeof(learn_state) == 80, "the state has no padding");

LU_INLINE void learn_step(lu_step *step, bool terminated, bool truncated) {
    step->ticks = 1;
    step->terminated = terminated;
    step->truncated = truncated && !terminated;
    step->illegal = 0;
    step->unused = 0;
    step->changed = LU_ALL_CHANGED;
}

/* Begins an episode: nothing but the generator. */
LU_INLINE lu_rng learn_begin(learn_state *s, uint64_t seed) {
    lu_rng rng = lu_rng_from(seed);
    s->rng = lu_rng_u64(&rng);
    s->steps = 0;
    s->cue = 0;
    for (int i = 0; i < LEARN_VALUES; i++) {
        s->value[i] = 0;
    }
    return rng;
}
