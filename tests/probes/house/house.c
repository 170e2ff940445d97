/* The rules of house. */
#include "house.h"

LU_HD static void house_reset(const lu_rules *rules, void *bytes, uint64_t seed,
                              const void *options) {
    house_state *s = (house_state *)bytes;
    (void)rules;
    (void)options;
    s->rng = seed;
    for (int seat = 0; seat < HOUSE_SEATS; seat++) {
        s->total[seat] = 0;
        s->turn[seat] = 0;
    }
    s->steps = 0;
    s->winner = 0;
}

LU_INLINE bool house_legal(const house_state *s, int seat, int32_t action) {
    return action == HOUSE_ROLL || (action == HOUSE_BANK && s->turn[seat] > 0);
}

LU_HD static void house_step(const lu_rules *rules, void *bytes, const int32_t *actions,
                             double *terms, lu_step *step) {
    house_state *s = (house_state *)bytes;
    const house_rules *own = (const house_rules *)(const void *)rules;
    bool driven = own->driven != 0;
    lu_rng rng = lu_rng_from(s->rng);
    step->illegal = 0;
    for (int seat = 0; seat < HOUSE_SEATS; seat++) {
        int32_t action = actions[seat];
        if (seat == 1 && driven) {
            action = s->turn[1] >= HOUSE_ENOUGH ? HOUSE_BANK : HOUSE_ROLL;
        }
        if (!house_legal(s, seat, action)) {
            step->illegal = (uint8_t)(step->illegal | 1u << seat);
            action = HOUSE_ROLL;
        }
        if (action == HOUSE_BANK) {
            s->total[seat] += s->turn[seat];
            s->turn[seat] = 0;
            if (s->total[seat] >= HOUSE_GOAL + own->more && !s->winner) {
                s->winner = 1 + seat;
            }
        } else {
            int32_t die = 1 + (int32_t)lu_rng_below(&rng, 6);
            s->turn[seat] = die == 1 ? 0 : s->turn[seat] + die;
        }
    }
    s->rng = rng.state;
    s->steps++;
    if (s->winner) {
        terms[(s->winner - 1) * HOUSE_TERMS] = 1.0;
        terms[(2 - s->winner) * HOUSE_TERMS] = -1.0;
    }
    step->ticks = 1;
    step->terminated = s->winner != 0;
    step->truncated = !s->winner && s->steps >= HOUSE_LIMIT;
    step->unused = 0;
    step->changed = LU_ALL_CHANGED;
}

LU_INLINE float house_share(int32_t points) {
    return points < HOUSE_GOAL ? (float)points / (float)HOUSE_GOAL : 1.0f;
}

LU_HD static void house_observe(const lu_rules *rules, const void *bytes, int seat,
                                uint64_t changed, float *observation) {
    const house_state *s = (const house_state *)bytes;
    (void)rules;
    (void)changed;
    observation[0] = house_share(s->total[seat]);
    observation[1] = house_share(s->turn[seat]);
    observation[2] = house_share(s->total[1 - seat]);
    observation[3] = house_share(s->turn[1 - seat]);
}

LU_HD static void house_mask(const lu_rules *rules, const void *bytes, int seat, uint8_t *mask) {
    (void)rules;
    for (int32_t action = 0; action < HOUSE_ACTIONS; action++) {
        mask[action] = house_legal((const house_state *)bytes, seat, action);
    }
}

LU_HD static void house_info(const lu_rules *rules, const void *bytes, int seat, double *info) {
    const house_state *s = (const house_state *)bytes;
    (void)rules;
    info[HOUSE_INFO_WON] = s->winner == 1 + seat ? 1.0 : 0.0;
    info[HOUSE_INFO_STEPS] = (double)s->steps;
}

LU_HD static void house_determinise(const lu_rules *rules, void *bytes, int seat, lu_rng *rng) {
    (void)rules;
    (void)seat;
    ((house_state *)bytes)->rng = lu_rng_u64(rng);
}

#define LU_LOOP_GAME  house
#define LU_LOOP_NAMES HOUSE
#define LU_LOOP_SEATS HOUSE_SEATS
#include "ludus/loop.h"
