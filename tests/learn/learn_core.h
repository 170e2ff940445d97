/* End of every rules file of a learning probe: the functions all of them share, loop and core. */

#ifndef LEARN_SEATS
#define LEARN_SEATS 1
#endif
#ifndef LEARN_HEADS
#define LEARN_HEADS 1
#endif
#ifndef LEARN_TURNS
#define LEARN_TURNS 0
#endif
#ifndef LEARN_CRITIC
#define LEARN_CRITIC 0
#endif

#define LEARN_(name) LU_PASTE(LU_PASTE(LEARN_GAME, _), name)

LU_HD static void LEARN_(reset)(const lu_rules *rules, void *bytes, uint64_t seed,
                                const void *options) {
    (void)rules;
    (void)options;
    lu_rng rng = learn_begin((learn_state *)bytes, seed);
#ifdef LEARN_PLAIN_RESET
    (void)rng;
#else
    LEARN_(start)((learn_state *)bytes, &rng);
#endif
}

LU_HD static void LEARN_(step)(const lu_rules *rules, void *bytes, const int32_t *actions,
                               double *terms, lu_step *step) {
    (void)rules;
    LEARN_(play)((learn_state *)bytes, actions, terms, step);
}

LU_HD static void LEARN_(observe)(const lu_rules *rules, const void *bytes, int seat,
                                  uint64_t changed, float *observation) {
    (void)rules;
    (void)seat;
    (void)changed;
    (void)bytes;
#ifdef LEARN_BLIND
    observation[0] = 1.0f;
#elif LEARN_SEATS > 1
    LEARN_(see)((const learn_state *)bytes, seat, observation);
#else
    LEARN_(see)((const learn_state *)bytes, observation);
#endif
}

/* All options are legal. */
#ifndef LEARN_OWN_MASK
LU_HD static void LEARN_(mask)(const lu_rules *rules, const void *bytes, int seat, uint8_t *mask) {
    (void)rules;
    (void)seat;
    (void)bytes;
    for (int i = 0; i < LEARN_MASK; i++) {
        mask[i] = 1;
    }
}
#endif

LU_HD static void LEARN_(info)(const lu_rules *rules, const void *bytes, int seat, double *info) {
    (void)rules;
    (void)seat;
    info[0] = (double)((const learn_state *)bytes)->steps;
#ifdef LEARN_WON
    info[1] = (double)LEARN_(won)((const learn_state *)bytes, seat);
#endif
}

LU_HD static void LEARN_(determinise)(const lu_rules *rules, void *bytes, int seat, lu_rng *rng) {
    (void)rules;
    (void)seat;
    ((learn_state *)bytes)->rng = lu_rng_u64(rng);
}

#define LU_LOOP_GAME        LEARN_GAME
#define LU_LOOP_STATE       learn_state
#define LU_LOOP_SEATS       LEARN_SEATS
#define LU_LOOP_HEADS       LEARN_HEADS
#define LU_LOOP_TERMS       1
#define LU_LOOP_OBSERVATION LEARN_OBSERVATION
#define LU_LOOP_CRITIC      LEARN_CRITIC
#define LU_LOOP_MASK        LEARN_MASK
#ifdef LEARN_WON
#define LU_LOOP_INFOS 2
#else
#define LU_LOOP_INFOS 1
#endif
#define LU_LOOP_TURNS LEARN_TURNS
#include "ludus/loop.h"
