/* Policies: masks after dependencies, sampling without one illegal option, the loss of PPO against
 * its definition in fp64, edges of the clips, and the pieces of Q-learning. */
#include "net_games_test.h"
#include "net_ref.h"

#include <math.h>
#include <stdlib.h>

#include "test.h"

static lu_policy_act act_on(test_rows *t, const float *logits, lu_rng *rng, float *log_p) {
    return (lu_policy_act){
        .rows = t->rows,
        .logits = logits,
        .logits_stride = (size_t)t->logits,
        .mask = t->mask,
        .mask_stride = (size_t)t->logits,
        .state = t->state_at,
        .rng = rng,
        .actions = t->actions,
        .actions_stride = (size_t)t->game->heads,
        .log_probability = log_p,
        .legal = t->legal,
        .legal_stride = (size_t)t->logits,
    };
}

static lu_rng *generators(int rows) {
    lu_rng *rng = lu_alloc_zero((size_t)rows, sizeof *rng);
    for (int r = 0; r < rows; r++) {
        rng[r] = lu_rng_from(lu_mix(5, (uint64_t)r, 0));
    }
    return rng;
}

static float *random_logits(const test_rows *t, float size, uint64_t seed) {
    size_t n = (size_t)(t->rows * t->logits);
    lu_rng rng = lu_rng_from(seed);
    float *logits = lu_alloc_zero(n, sizeof *logits);
    for (size_t i = 0; i < n; i++) {
        logits[i] = size * test_normal(&rng);
    }
    return logits;
}

/* Whether every choice of a row is legal by lu_head_legal, the mask handed out is that one, and a
 * head that was not asked has option 0. Counts the choices made. */
static int check_row(const test_rows *t, int r) {
    uint8_t legal[32];
    const int32_t *actions = t->actions + r * t->game->heads;
    int choices = 0;
    for (int h = 0; h < t->game->heads; h++) {
        int offset = lu_game_head_offset(t->game, h), options = t->game->head[h].options;
        int count = lu_head_legal(t->game, NULL, &t->state[r], 0, h, t->mask + r * t->logits,
                                  actions, legal);
        bool fine = actions[h] >= 0 && actions[h] < options &&
                    (count == 0 ? actions[h] == 0 : legal[actions[h]] != 0) &&
                    memcmp(legal, t->legal + r * t->logits + offset, (size_t)options) == 0;
        if (!fine) {
            lu_test_fail(__FILE__, __LINE__, "row %d head %d: option %d is wrong", r, h,
                         (int)actions[h]);
        }
        choices += count > 0;
    }
    return choices;
}

/* Logits up to 1e4 in size: probabilities of 0 and of 1 by rounding are common. */
TEST(masked_sampling_is_never_illegal) {
    double wanted = getenv("LUDUS_TEST_LONG") ? 1e8 : 2e6, done = 0.0;
    lu_net *net = test_net(&test_hand, LU_NET_POLICY, "net.hidden=4 net.layers=1", 1);
    lu_policy policy = lu_policy_of(&test_hand, NULL);
    lu_rng *rng = generators(960);
    float *log_p = lu_alloc_zero(960, sizeof *log_p);
    static const float sizes[] = {0.0f, 1.0f, 30.0f, 1e4f};
    for (uint64_t round = 0; done < wanted; round++) {
        test_rows t;
        test_rows_init(&t, net, 960, 1, round);
        float *logits = random_logits(&t, sizes[round % 4], round);
        for (int again = 0; again < 32; again++) {
            lu_policy_act act = act_on(&t, logits, rng, log_p);
            act.epsilon = again == 31 ? 0.5 : 0.0;
            NEED(lu_policy_choose(&policy, &act, NULL) == LU_OK);
            for (int r = 0; r < t.rows; r++) {
                done += check_row(&t, r);
            }
        }
        free(logits);
        test_rows_free(&t);
    }
    free(rng);
    free(log_p);
    lu_net_delete(net);
}

/* The product of the chosen options' probabilities is the one that choosing reports. */
TEST(probabilities_are_those_of_the_choice) {
    lu_net *net = test_net(&test_hand, LU_NET_POLICY, "net.hidden=4 net.layers=1", 1);
    lu_policy policy = lu_policy_of(&test_hand, NULL);
    test_rows t;
    test_rows_init(&t, net, 96, 1, 3);
    lu_rng *rng = generators(t.rows);
    float *log_p = lu_alloc_zero((size_t)t.rows, sizeof *log_p), p[64];
    float *logits = random_logits(&t, 2.0f, 3);
    lu_policy_act act = act_on(&t, logits, rng, log_p);
    NEED(lu_policy_choose(&policy, &act, NULL) == LU_OK);
    NEED(policy.logits <= 64);
    for (int r = 0; r < t.rows; r++) {
        const uint8_t *legal = t.legal + r * t.logits;
        double product = 1.0;
        lu_policy_probabilities(&policy, logits + r * t.logits, legal, p);
        for (int h = 0; h < policy.heads; h++) {
            double sum = 0.0;
            bool asked = false;
            for (int o = policy.offset[h]; o < policy.offset[h + 1]; o++) {
                CHECK(legal[o] ? p[o] > 0.0f : !(p[o] > 0.0f) && !(p[o] < 0.0f));
                sum += (double)p[o];
                asked = asked || legal[o];
            }
            CHECK_NEAR(sum, asked ? 1.0 : 0.0, 1e-6);
            int chosen = policy.offset[h] + t.actions[r * policy.heads + h];
            product *= asked ? (double)p[chosen] : 1.0;
        }
        CHECK_NEAR(log(product), (double)log_p[r], 1e-5);
    }
    free(logits);
    free(log_p);
    free(rng);
    test_rows_free(&t);
    lu_net_delete(net);
}

TEST(frequencies_follow_the_softmax) {
    enum { ROWS = 20000, OPTIONS = 7 };
    lu_net *net = test_net(&test_plain, LU_NET_POLICY, "net.hidden=4 net.layers=1", 1);
    test_rows t;
    test_rows_init(&t, net, ROWS, 1, 1);
    float *logits = lu_alloc_zero(ROWS * OPTIONS, sizeof *logits), *log_p = logits;
    lu_rng *rng = generators(ROWS);
    log_p = lu_alloc_zero(ROWS, sizeof *log_p);
    for (int i = 0; i < ROWS * OPTIONS; i++) {
        logits[i] = 0.5f * (float)(i % OPTIONS);
        t.mask[i] = i % OPTIONS != 3;
    }
    lu_policy policy = lu_policy_of(&test_plain, NULL);
    lu_policy_act act = act_on(&t, logits, rng, log_p);
    NEED(lu_policy_choose(&policy, &act, NULL) == LU_OK);
    double sum = 0.0, seen[OPTIONS] = {0};
    for (int o = 0; o < OPTIONS; o++) {
        sum += o == 3 ? 0.0 : exp(0.5 * o);
    }
    for (int r = 0; r < ROWS; r++) {
        seen[t.actions[r]] += 1.0 / ROWS;
        CHECK_NEAR((double)log_p[r], 0.5 * t.actions[r] - log(sum), 1e-6);
    }
    for (int o = 0; o < OPTIONS; o++) {
        CHECK_NEAR(seen[o], o == 3 ? 0.0 : exp(0.5 * o) / sum, 0.015);
    }
    free(logits);
    free(log_p);
    free(rng);
    test_rows_free(&t);
    lu_net_delete(net);
}

/* The log-probability of an action is the sum over the heads that were asked; one that was left
 * empty by mask and dependencies has option 0 for certain, and counts for nothing. */
TEST(heads_that_are_not_asked_are_certain) {
    lu_net *net = test_net(&test_hand, LU_NET_POLICY, "net.hidden=4 net.layers=1", 1);
    lu_policy policy = lu_policy_of(&test_hand, NULL);
    test_rows t;
    test_rows_init(&t, net, 500, 1, 8);
    float *logits = random_logits(&t, 2.0f, 9), *log_p = lu_alloc_zero(500, sizeof *log_p);
    lu_rng *rng = generators(500);
    lu_policy_act act = act_on(&t, logits, rng, log_p);
    NEED(lu_policy_choose(&policy, &act, NULL) == LU_OK);
    int empty = 0, asked = 0;
    for (int r = 0; r < t.rows; r++) {
        double want = 0.0;
        for (int h = 0; h < test_hand.heads; h++) {
            int from = r * t.logits + lu_game_head_offset(&test_hand, h), chosen;
            double sum = 0.0;
            for (int o = 0; o < test_hand.head[h].options; o++) {
                sum += t.legal[from + o] ? exp((double)logits[from + o]) : 0.0;
            }
            chosen = t.actions[r * test_hand.heads + h];
            want += sum > 0.0 ? (double)logits[from + chosen] - log(sum) : 0.0;
            CHECK(sum > 0.0 || chosen == 0);
            empty += sum == 0.0;
            asked += sum > 0.0;
        }
        CHECK_NEAR((double)log_p[r], want, 2e-5);
    }
    CHECK(empty > 100 && asked > 100);
    free(logits);
    free(log_p);
    free(rng);
    test_rows_free(&t);
    lu_net_delete(net);
}

TEST(greedy_takes_the_best_legal_option) {
    lu_net *net = test_net(&test_plain, LU_NET_POLICY, "net.hidden=4 net.layers=1", 1);
    lu_policy policy = lu_policy_of(&test_plain, NULL);
    test_rows t;
    test_rows_init(&t, net, 50, 1, 1);
    float *logits = random_logits(&t, 1.0f, 3);
    lu_policy_act act = act_on(&t, logits, NULL, NULL);
    act.greedy = true;
    NEED(lu_policy_choose(&policy, &act, NULL) == LU_OK);
    for (int r = 0; r < t.rows; r++) {
        for (int o = 0; o < t.logits; o++) {
            CHECK(!t.mask[r * t.logits + o] ||
                  logits[r * t.logits + o] <= logits[r * t.logits + t.actions[r]]);
        }
    }
    free(logits);
    test_rows_free(&t);
    lu_net_delete(net);
}

TEST(nothing_legal_and_bad_logits_are_errors) {
    lu_net *net = test_net(&test_plain, LU_NET_POLICY, "net.hidden=4 net.layers=1", 1);
    lu_policy policy = lu_policy_of(&test_plain, NULL);
    test_rows t;
    lu_error error;
    test_rows_init(&t, net, 3, 1, 1);
    lu_rng *rng = generators(3);
    float *logits = random_logits(&t, 1.0f, 3), log_p[3];
    memset(t.mask, 1, (size_t)(3 * t.logits));
    memset(t.mask + t.logits, 0, (size_t)t.logits);
    lu_policy_act act = act_on(&t, logits, rng, log_p);
    CHECK_INT(lu_policy_choose(&policy, &act, &error), LU_BAD_DATA);
    CHECK_HAS(error.text, "row 1 has no legal option");
    memset(t.mask, 1, (size_t)(3 * t.logits));
    logits[2 * t.logits + 4] = NAN;
    CHECK_INT(lu_policy_choose(&policy, &act, &error), LU_DIVERGED);
    CHECK_HAS(error.text, "row 2");
    CHECK(t.actions[2] >= 0 && t.actions[2] < t.logits);
    free(rng);
    free(logits);
    test_rows_free(&t);
    lu_net_delete(net);
}

/* ---- PPO ---- */

TEST(ppo_matches_its_definition) {
    static const lu_game *const games[] = {&test_plain, &test_hand};
    for (int g = 0; g < 2; g++) {
        lu_net *net = test_net(games[g], LU_NET_POLICY, "net.hidden=4 net.layers=1", 1);
        lu_policy policy = lu_policy_of(games[g], NULL);
        test_rows t;
        test_rows_init(&t, net, 300, 1, 4);
        size_t n = (size_t)(t.rows * t.logits), rows = (size_t)t.rows;
        float *logits = random_logits(&t, 0.6f, 3), *value = lu_alloc_zero(rows, 4);
        float *dlogits = lu_alloc_zero(n, 4), *dvalue = lu_alloc_zero(rows, 4);
        double *wide = lu_alloc_zero(n, 8), *wide_value = lu_alloc_zero(rows, 8);
        double *want = lu_alloc_zero(n, 8), *want_value = lu_alloc_zero(rows, 8);
        for (size_t r = 0; r < rows; r++) {
            wide_value[r] = (double)(value[r] = t.old_value[r] * 1.7f);
        }
        for (size_t i = 0; i < n; i++) {
            wide[i] = (double)logits[i];
            dlogits[i] = NAN;
        }
        t.ppo.logits = logits;
        t.ppo.logits_stride = t.ppo.dlogits_stride = (size_t)t.logits;
        t.ppo.value = value;
        t.ppo.dlogits = dlogits;
        t.ppo.dvalue = dvalue;
        lu_ppo_sums sums = {0};
        lu_ppo_run(&policy, &t.ppo, &sums);
        double loss = net_ref_ppo(&policy, &t.ppo, wide, wide_value, want, want_value);
        double got = sums.policy + 0.5 * sums.value;
        for (int h = 0; h < games[g]->heads; h++) {
            got -= (double)t.entropy_cost[h] * sums.entropy[h];
        }
        CHECK_NEAR(got / t.rows, loss, 1e-6);
        for (size_t i = 0; i < n; i++) {
            CHECK_NEAR((double)dlogits[i], want[i], 3e-8);
            CHECK(t.legal[i] || dlogits[i] == 0.0f);
        }
        for (size_t r = 0; r < rows; r++) {
            CHECK_NEAR((double)dvalue[r], want_value[r], 1e-8);
        }
        CHECK(sums.clipped > 0.0 && sums.clipped < sums.weight);
        void *all[] = {logits, value, dlogits, dvalue, wide, wide_value, want, want_value};
        for (int i = 0; i < 8; i++) {
            free(all[i]);
        }
        test_rows_free(&t);
        lu_net_delete(net);
    }
}

/* One row of "plain" through the loss; returns d value, and d logits in place. */
static float one_row(const lu_ppo *base, float value, float old_value, float advantage,
                     float old_log_p, float *dlogits, lu_ppo_sums *sums) {
    lu_policy policy = lu_policy_of(&test_plain, NULL);
    static const float logits[7] = {0};
    static const int32_t action[1] = {2};
    float target = 1.0f, dvalue;
    lu_ppo call = *base;
    call.rows = 1;
    call.logits = logits;
    call.value = &value;
    call.old_value = &old_value;
    call.actions = action;
    call.advantage = &advantage;
    call.target = &target;
    call.old_log_probability = &old_log_p;
    call.dlogits = dlogits;
    call.dvalue = &dvalue;
    *sums = (lu_ppo_sums){0};
    lu_ppo_run(&policy, &call, sums);
    return dvalue;
}

TEST(edges_of_the_clips) {
    static const uint8_t legal[7] = {1, 0, 1, 1, 0, 1, 0}, alone[7] = {0, 0, 1, 0, 0, 0, 0};
    static const float no_cost[1] = {0.0f};
    lu_ppo base = {.legal = legal,
                   .clip = 0.2f,
                   .value_clip = 0.2f,
                   .value_cost = 1.0f,
                   .entropy_cost = no_cost,
                   .scale = 1.0f};
    float d[7], even = -logf(4.0f);
    lu_ppo_sums sums;
    /* inside the range the gradient of the value is there, to the last bit of the edge */
    for (int i = 0; i < 1000; i++) {
        float old = 0.001f * (float)i, v = old + 0.19f * sinf((float)i);
        CHECK(one_row(&base, v, old, 1.0f, even, d, &sums) == v - 1.0f);
    }
    /* away from the target and beyond the range: none */
    CHECK(one_row(&base, 0.9f, 0.4f, 1.0f, even, d, &sums) == 0.0f);
    CHECK(one_row(&base, 0.1f, 0.4f, 1.0f, even, d, &sums) == 0.1f - 1.0f);
    /* a ratio of 1 is not clipped and gives kl 0 */
    one_row(&base, 0.0f, 0.0f, 1.0f, even, d, &sums);
    CHECK_NEAR(sums.ratio, 1.0, 1e-6);
    CHECK_NEAR(sums.kl, 0.0, 1e-9);
    CHECK(sums.clipped == 0.0 && d[2] < 0.0f && d[1] == 0.0f);
    /* too high with a good advantage, too low with a bad one: no gradient, illegal or not */
    one_row(&base, 0.0f, 0.0f, 1.0f, even - 0.5f, d, &sums);
    CHECK(d[2] == 0.0f && d[0] == 0.0f && sums.clipped == 1.0);
    one_row(&base, 0.0f, 0.0f, -1.0f, even + 0.5f, d, &sums);
    CHECK(d[2] == 0.0f && sums.clipped == 1.0);
    one_row(&base, 0.0f, 0.0f, -1.0f, even - 0.5f, d, &sums);
    CHECK(d[2] > 1.0f && sums.clipped == 1.0);
    /* one legal option: log-probability 0 and no gradient at all */
    base.legal = alone;
    one_row(&base, 0.0f, 0.0f, 1.0f, 0.0f, d, &sums);
    CHECK(sums.ratio == 1.0 && sums.entropy[0] == 0.0 && d[2] == 0.0f);
}

/* ---- Q-learning ---- */

TEST(q_targets_respect_masks) {
    lu_policy policy = lu_policy_of(&test_plain, NULL);
    static const float q[7] = {9, 1, 2, 8, 3, 0, 0}, select[7] = {0, 5, 6, 9, 1, 0, 0};
    static const uint8_t mask[7] = {0, 1, 1, 0, 1, 0, 0}, none[7] = {0};
    float best;
    lu_q_next call = {
        .rows = 1, .q = q, .stride = 7, .mask = mask, .mask_stride = 7, .best = &best};
    lu_q_next_run(&policy, &call);
    CHECK(best == 3.0f);
    call.select = select;
    lu_q_next_run(&policy, &call);
    CHECK(best == 2.0f);
    call.mask = none;
    lu_q_next_run(&policy, &call);
    CHECK(best == 0.0f);
    CHECK_INT(lu_q_best(q, mask, 7), 4);
    CHECK_INT(lu_q_best(q, none, 7), -1);
}

TEST(q_loss_is_huber_on_the_mean_of_asked_heads) {
    lu_policy policy = lu_policy_of(&test_hand, NULL);
    float q[21], dq[21], error, target = 0.25f;
    uint8_t legal[21] = {[1] = 1, [2] = 1, [4] = 1, [9] = 1, [15] = 1, [20] = 1};
    int32_t actions[5] = {2, 5, 0, 0, 5};
    for (int i = 0; i < 21; i++) {
        q[i] = 0.125f * (float)i;
    }
    lu_q_loss call = {.rows = 1,
                      .q = q,
                      .stride = 21,
                      .legal = legal,
                      .legal_stride = 21,
                      .actions = actions,
                      .actions_stride = 5,
                      .target = &target,
                      .scale = 1.0f,
                      .dq = dq,
                      .errors = &error};
    double mean = (q[2] + q[9] + q[20]) / 3.0, loss = lu_q_loss_run(&policy, &call);
    CHECK_NEAR((double)error, mean - 0.25, 1e-6);
    CHECK_NEAR(loss, fabs(mean - 0.25) - 0.5, 1e-6);
    for (int i = 0; i < 21; i++) {
        CHECK_NEAR((double)dq[i], i == 2 || i == 9 || i == 20 ? 1.0 / 3.0 : 0.0, 1e-7);
    }
    target = 1.0f;
    loss = lu_q_loss_run(&policy, &call);
    CHECK_NEAR(loss, 0.5 * (mean - 1.0) * (mean - 1.0), 1e-6);
    CHECK_NEAR((double)dq[9], (mean - 1.0) / 3.0, 1e-7);
}
