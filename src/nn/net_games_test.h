/* Small games that exist only as tables, for the tests of nets and policies: "plain" has one group
 * and one head, "hand" has everything the tables can say (slots, ids, pointers, needs, submask, an
 * unused head, a critic block). Also nets from a line of settings, and random chunks of rows.
 * Ownership: as each function says. Threads: one. */
#pragma once

#include "ludus/policy.h"

#include "net_internal.h"

extern const lu_game test_plain, test_hand;

/* The state of "hand": a mask drawn at random and what the submask forbids. */
typedef struct hand_state {
    uint8_t mask[32];
    uint8_t forbidden[32];
} hand_state;

/* Settings from a line like "net.hidden=12 net.memory=lstm", and a net of them. Both end the
 * program on an error. */
lu_settings *test_settings(const char *line);
lu_net *test_net(const lu_game *game, lu_net_kind kind, const char *settings, uint64_t seed);

/* Random rows with everything a loss needs; freed by test_chunk_free. */
typedef struct test_rows {
    const lu_game *game;
    int rows, observation, critic, logits;
    float *x, *c; /* rows x observation, rows x critic */
    const float **x_at, **c_at;
    hand_state *state;
    const void **state_at;
    uint8_t *mask, *legal; /* rows x logits */
    int32_t *actions;      /* rows x heads */
    float *old_log_probability, *advantage, *target, *old_value, *weight;
    uint8_t *starts;
    float *memory;
    lu_net_chunk chunk;
    lu_ppo ppo; /* inputs set; outputs and logits are the test's */
    float entropy_cost[LU_MAX_HEADS];
} test_rows;

void test_rows_init(test_rows *t, const lu_net *net, int segments, int steps, uint64_t seed);
void test_rows_free(test_rows *t);
float test_normal(lu_rng *rng);
