/* The rules of duet. */
#include "duet.h"

LU_HD static void duet_reset(const lu_rules *rules, void *bytes, uint64_t seed,
                             const void *options) {
    const duet_options *wish = (const duet_options *)options;
    duet_state *s = (duet_state *)bytes;
    lu_rng rng = lu_rng_from(wish && wish->words ? wish->words : seed);
    s->round = 0;
    s->rounds =
        wish && wish->rounds ? wish->rounds : ((const duet_rules *)(const void *)rules)->rounds;
    s->prize = 1 + (int32_t)lu_rng_below(&rng, DUET_PRIZE_MAX);
    s->rng = rng.state;
    s->score[0] = wish ? wish->lead : 0;
    s->score[1] = 0;
    for (int seat = 0; seat < DUET_SEATS; seat++) {
        s->last[seat] = DUET_NONE;
        s->count[seat] = 0;
    }
}

LU_INLINE bool duet_legal(const duet_state *s, int seat, int32_t action) {
    return action >= 0 && action < DUET_ACTIONS &&
           !(action == s->last[seat] && s->count[seat] >= 2);
}

LU_HD static void duet_step(const lu_rules *rules, void *bytes, const int32_t *actions,
                            double *terms, lu_step *step) {
    duet_state *s = (duet_state *)bytes;
    bool legal[DUET_SEATS];
    (void)rules;
    step->illegal = 0;
    for (int seat = 0; seat < DUET_SEATS; seat++) {
        legal[seat] = duet_legal(s, seat, actions[seat]);
        if (!legal[seat]) {
            step->illegal = (uint8_t)(step->illegal | 1u << seat);
        }
    }
    /* an illegal choice loses against every legal one; two of them are a tie */
    int winner = -1;
    if (legal[0] && legal[1]) {
        int32_t ahead = (actions[0] - actions[1] + DUET_ACTIONS) % DUET_ACTIONS;
        winner = ahead == 1 ? 0 : ahead == 2 ? 1 : -1;
    } else if (legal[0] != legal[1]) {
        winner = legal[0] ? 0 : 1;
    }
    if (winner >= 0) {
        s->score[winner] += s->prize;
        terms[winner * DUET_TERMS + DUET_TERM_WON] = (double)s->prize;
        terms[(1 - winner) * DUET_TERMS + DUET_TERM_LOST] = -(double)s->prize;
    }
    for (int seat = 0; seat < DUET_SEATS; seat++) {
        if (legal[seat]) {
            uint8_t choice = (uint8_t)actions[seat];
            s->count[seat] = choice == s->last[seat] ? (uint8_t)(s->count[seat] + 1) : 1;
            s->last[seat] = choice;
        }
    }
    lu_rng rng = lu_rng_from(s->rng);
    s->prize = 1 + (int32_t)lu_rng_below(&rng, DUET_PRIZE_MAX);
    s->rng = rng.state;
    s->round++;
    step->ticks = 1;
    step->terminated = s->round >= s->rounds;
    step->truncated = 0;
    step->unused = 0;
    step->changed = LU_ALL_CHANGED;
}

LU_HD static void duet_observe(const lu_rules *rules, const void *bytes, int seat, uint64_t changed,
                               float *observation) {
    const duet_state *s = (const duet_state *)bytes;
    int lead = s->score[seat] - s->score[1 - seat];
    (void)rules;
    if (changed & 1u) {
        observation[0] = (float)s->round / (float)s->rounds;
        observation[1] = (float)s->prize / (float)DUET_PRIZE_MAX;
        observation[2] = (float)lead / 460.0f; /* 40 rounds of 9 points, and the largest lead */
        observation[3] = s->count[seat] >= 2 ? 1.0f : 0.0f;
    }
    if (changed & 2u) {
        observation[4] = (float)s->last[seat];
        observation[5] = (float)s->last[1 - seat];
    }
}

LU_HD static void duet_mask(const lu_rules *rules, const void *bytes, int seat, uint8_t *mask) {
    (void)rules;
    for (int32_t action = 0; action < DUET_ACTIONS; action++) {
        mask[action] = duet_legal((const duet_state *)bytes, seat, action);
    }
}

LU_HD static void duet_info(const lu_rules *rules, const void *bytes, int seat, double *info) {
    const duet_state *s = (const duet_state *)bytes;
    (void)rules;
    info[DUET_INFO_LEAD] = (double)(s->score[seat] - s->score[1 - seat]);
    info[DUET_INFO_ROUND] = (double)s->round;
    info[DUET_INFO_LAST] = (double)s->last[seat];
}

/* Hidden are only the prizes to come. */
LU_HD static void duet_determinise(const lu_rules *rules, void *bytes, int seat, lu_rng *rng) {
    (void)rules;
    (void)seat;
    ((duet_state *)bytes)->rng = lu_rng_u64(rng);
}

#define LU_LOOP_GAME  duet
#define LU_LOOP_NAMES DUET
#define LU_LOOP_SEATS 2
#include "ludus/loop.h"
