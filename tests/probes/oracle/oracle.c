/* The rules of oracle. */
#include "oracle.h"

LU_INLINE void oracle_toss(oracle_state *s) {
    lu_rng rng = lu_rng_from(s->rng);
    s->coin = (int32_t)lu_rng_below(&rng, 2);
    s->rng = rng.state;
}

LU_HD static void oracle_reset(const lu_rules *rules, void *bytes, uint64_t seed,
                               const void *options) {
    oracle_state *s = (oracle_state *)bytes;
    (void)rules;
    (void)options;
    s->rng = seed;
    s->round = 0;
    s->right = 0;
    s->passed = 0;
    oracle_toss(s);
}

LU_HD static void oracle_step(const lu_rules *rules, void *bytes, const int32_t *actions,
                              double *terms, lu_step *step) {
    oracle_state *s = (oracle_state *)bytes;
    int32_t action = actions[0];
    bool illegal = action < 0 || action >= ORACLE_ACTIONS || (action == ORACLE_PASS && s->passed);
    (void)rules;
    s->passed = 0;
    if (illegal) {
        terms[ORACLE_TERM_GUESS] = -1.0; /* counts as a wrong guess */
    } else if (action == ORACLE_PASS) {
        s->passed = 1;
    } else {
        s->right += action == s->coin;
        terms[ORACLE_TERM_GUESS] = action == s->coin ? 1.0 : -1.0;
    }
    s->round++;
    oracle_toss(s);
    step->ticks = 1;
    step->terminated = s->round >= ORACLE_ROUNDS;
    step->truncated = 0;
    step->illegal = illegal;
    step->unused = 0;
    step->changed = LU_ALL_CHANGED;
}

LU_HD static void oracle_observe(const lu_rules *rules, const void *bytes, int seat,
                                 uint64_t changed, float *observation) {
    const oracle_state *s = (const oracle_state *)bytes;
    (void)rules;
    (void)seat;
    (void)changed;
    observation[0] = (float)s->round / (float)ORACLE_ROUNDS;
    observation[1] = (float)s->right / (float)ORACLE_ROUNDS;
}

LU_HD static void oracle_critic(const lu_rules *rules, const void *bytes, int seat, float *critic) {
    (void)rules;
    (void)seat;
    critic[0] = (float)((const oracle_state *)bytes)->coin;
}

LU_HD static void oracle_mask(const lu_rules *rules, const void *bytes, int seat, uint8_t *mask) {
    (void)rules;
    (void)seat;
    mask[ORACLE_HEADS] = 1;
    mask[ORACLE_TAILS] = 1;
    mask[ORACLE_PASS] = !((const oracle_state *)bytes)->passed;
}

LU_HD static void oracle_info(const lu_rules *rules, const void *bytes, int seat, double *info) {
    const oracle_state *s = (const oracle_state *)bytes;
    (void)rules;
    (void)seat;
    info[ORACLE_INFO_RIGHT] = (double)s->right;
    info[ORACLE_INFO_SHARE] = (double)s->right / (double)ORACLE_ROUNDS;
}

LU_HD static void oracle_determinise(const lu_rules *rules, void *bytes, int seat, lu_rng *rng) {
    oracle_state *s = (oracle_state *)bytes;
    (void)rules;
    (void)seat;
    s->rng = lu_rng_u64(rng);
    oracle_toss(s);
}

#define LU_LOOP_GAME   oracle
#define LU_LOOP_NAMES  ORACLE
#define LU_LOOP_CRITIC ORACLE_CRITIC
#include "ludus/loop.h"
