/* The rules of turns. */
#include "turns.h"

LU_HD static void turns_reset(const lu_rules *rules, void *bytes, uint64_t seed,
                              const void *options) {
    turns_state *s = (turns_state *)bytes;
    lu_rng rng = lu_rng_from(seed);
    (void)rules;
    (void)options;
    for (int i = 0; i < TURNS_HEAPS; i++) {
        s->heap[i] = (uint8_t)(1 + lu_rng_below(&rng, TURNS_STONES));
    }
    s->seat = 0;
    s->moves = 0;
}

LU_HD static void turns_step(const lu_rules *rules, void *bytes, const int32_t *actions,
                             double *terms, lu_step *step) {
    turns_state *s = (turns_state *)bytes;
    int seat = s->seat;
    int32_t action = actions[seat];
    bool illegal = !turns_legal(s, action);
    (void)rules;
    /* an illegal move takes one stone from the first heap that has one */
    for (int i = 0; illegal && i < TURNS_HEAPS; i++) {
        if (s->heap[i] > 0) {
            action = i * TURNS_TAKE;
            break;
        }
    }
    s->heap[action / TURNS_TAKE] =
        (uint8_t)(s->heap[action / TURNS_TAKE] - (1 + action % TURNS_TAKE));
    s->moves++;
    s->seat = (uint8_t)(1 - seat);
    bool over = s->heap[0] + s->heap[1] + s->heap[2] == 0;
    if (over) {
        terms[seat * TURNS_TERMS + TURNS_TERM_WIN] = 1.0;
        terms[(1 - seat) * TURNS_TERMS + TURNS_TERM_WIN] = -1.0;
    }
    step->ticks = 1;
    step->terminated = over;
    step->truncated = 0;
    step->illegal = (uint8_t)((illegal ? 1u : 0u) << seat);
    step->unused = 0;
    step->changed = LU_ALL_CHANGED;
}

LU_HD static void turns_observe(const lu_rules *rules, const void *bytes, int seat,
                                uint64_t changed, float *observation) {
    const turns_state *s = (const turns_state *)bytes;
    (void)rules;
    (void)changed;
    for (int i = 0; i < TURNS_HEAPS; i++) {
        observation[i] = (float)s->heap[i] / (float)TURNS_STONES;
    }
    observation[TURNS_HEAPS] = s->seat == seat ? 1.0f : 0.0f;
}

/* The seat that waits has no legal option. */
LU_HD static void turns_mask(const lu_rules *rules, const void *bytes, int seat, uint8_t *mask) {
    const turns_state *s = (const turns_state *)bytes;
    (void)rules;
    for (int32_t action = 0; action < TURNS_ACTIONS; action++) {
        mask[action] = s->seat == seat && turns_legal(s, action);
    }
}

LU_HD static uint8_t turns_to_move(const lu_rules *rules, const void *bytes) {
    (void)rules;
    return (uint8_t)(1u << ((const turns_state *)bytes)->seat);
}

LU_HD static void turns_info(const lu_rules *rules, const void *bytes, int seat, double *info) {
    const turns_state *s = (const turns_state *)bytes;
    (void)rules;
    info[TURNS_INFO_MOVES] = (double)s->moves;
    info[TURNS_INFO_WON] =
        s->heap[0] + s->heap[1] + s->heap[2] == 0 && s->seat == 1 - seat ? 1.0 : 0.0;
}

/* Nothing is hidden. */
LU_HD static void turns_determinise(const lu_rules *rules, void *bytes, int seat, lu_rng *rng) {
    (void)rules;
    (void)bytes;
    (void)seat;
    (void)rng;
}

#define LU_LOOP_GAME  turns
#define LU_LOOP_NAMES TURNS
#define LU_LOOP_SEATS TURNS_SEATS
#define LU_LOOP_TURNS 1
#include "ludus/loop.h"
