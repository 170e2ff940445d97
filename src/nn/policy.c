/* Choosing actions head after head, the loss of PPO with its gradient, and the pieces of
 * Q-learning: see policy.h. Softmax and sampling are kernels; what follows here is per row and in
 * row order, so that sums have one order. Left out: advantages, targets, minibatches (the
 * trainers'). */
#include "ludus/policy.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "float_math.h"
#include "kernels.h"

enum { POLICY_OPTIONS = 4096 }; /* of one head: room on the stack */

lu_policy lu_policy_of(const lu_game *game, const lu_rules *rules) {
    lu_policy policy = {.game = game,
                        .rules = rules,
                        .core = lu_game_core(game),
                        .kernels = lu_kernels_best(),
                        .heads = game->heads};
    assert(game->heads <= LU_MAX_HEADS);
    for (int h = 0; h <= game->heads; h++) {
        policy.offset[h] = lu_game_head_offset(game, h);
        assert(h == 0 || policy.offset[h] - policy.offset[h - 1] <= POLICY_OPTIONS);
    }
    policy.logits = policy.offset[game->heads];
    return policy;
}

/* ---- legal options ---- */

/* Whether the needs of `option` (-1: of the whole head) hold. */
static bool needs_hold(const lu_head *head, int option, const int32_t *chosen) {
    bool wanted = false, met = false;
    for (int n = 0; n < head->needs; n++) {
        const lu_need *need = &head->need[n];
        if (need->option != option) {
            continue;
        }
        bool holds = chosen[need->on_head] == need->on_option;
        if (need->kind == LU_NEED_ANY) {
            wanted = true;
            met = met || holds;
        } else if (holds == (need->kind == LU_NEED_NONE)) {
            return false;
        }
    }
    return !wanted || met;
}

static int count_legal(const uint8_t *legal, int options) {
    int count = 0;
    for (int o = 0; o < options; o++) {
        count += legal[o] != 0;
    }
    return count;
}

/* 0, 1 or 2 for more: mostly known after a few bytes. */
static int few_legal(const uint8_t *legal, int options) {
    int count = 0;
    for (int o = 0; o < options && count < 2; o++) {
        count += legal[o] != 0;
    }
    return count;
}

int lu_policy_legal(const lu_policy *policy, const void *state, int seat, int head,
                    const uint8_t *mask, const int32_t *chosen, uint8_t *legal) {
    const lu_head *h = &policy->game->head[head];
    if (h->unused || (h->needs > 0 && !needs_hold(h, -1, chosen))) {
        memset(legal, 0, (size_t)h->options);
        return 0;
    }
    memcpy(legal, mask + policy->offset[head], (size_t)h->options);
    for (int n = 0; n < h->needs; n++) {
        int o = h->need[n].option;
        if (o >= 0 && legal[o]) {
            legal[o] = needs_hold(h, o, chosen);
        }
    }
    if (policy->core->submask && state) {
        policy->core->submask(policy->rules, state, seat, head, chosen, legal);
    }
    return count_legal(legal, h->options);
}

/* ---- acting ---- */

/* Uniform in [0, 1), 24 bits: every value is a float. */
static float draw(lu_rng *rng) {
    return (float)(lu_rng_u64(rng) >> 40) * 0x1p-24f;
}

static int nth_legal(const uint8_t *legal, int options, int n) {
    for (int o = 0; o < options; o++) {
        if (legal[o] && n-- == 0) {
            return o;
        }
    }
    return -1;
}

int lu_q_best(const float *q, const uint8_t *legal, int options) {
    int best = -1;
    for (int o = 0; o < options; o++) {
        if (legal[o] && (best < 0 || q[o] > q[best])) {
            best = o;
        }
    }
    return best;
}

/* One choice between `count` >= 2 legal options. */
static int choose_option(const lu_kernels *k, const lu_policy_act *call, int row, int head,
                         const float *logits, const uint8_t *legal, int options, int count,
                         float *log_probability) {
    float p[POLICY_OPTIONS];
    lu_softmax_stats stats;
    lu_rng *rng = call->rng ? &call->rng[row] : NULL;
    bool greedy = call->greedy || (call->best && ((call->best[row] >> head) & 1));
    bool soft = call->log_probability || !greedy;
    int choice;
    if (soft) {
        k->masked_softmax(logits, legal, options, p, &stats);
    }
    if (rng && call->epsilon > 0.0 && lu_rng_unit(rng) < call->epsilon) {
        choice = nth_legal(legal, options, (int)lu_rng_below(rng, (uint32_t)count));
    } else if (greedy || !rng) {
        choice = lu_q_best(logits, legal, options);
    } else {
        choice = k->sample(p, legal, options, draw(rng));
    }
    *log_probability = soft ? (logits[choice] - stats.max) - stats.log_sum : 0.0f;
    return choice;
}

/* What the heads of a row have said so far. */
typedef struct row_choice {
    float log_probability;
    bool asked;
} row_choice;

static void choose_head(const lu_policy *policy, const lu_policy_act *call, int r, int h,
                        row_choice *row) {
    int at = policy->offset[h], options = policy->offset[h + 1] - at;
    const float *logits = call->logits + (size_t)r * call->logits_stride + at;
    const uint8_t *mask = call->mask + (size_t)r * call->mask_stride;
    uint8_t *legal = call->legal + (size_t)r * call->legal_stride + at;
    int32_t *actions = call->actions + (size_t)r * call->actions_stride;
    const void *state = call->state ? call->state[r] : NULL;
    int count =
        lu_policy_legal(policy, state, call->seat ? call->seat[r] : 0, h, mask, actions, legal);
    row->asked = row->asked || count > 0;
    actions[h] = 0;
    if (count == 1) {
        actions[h] = nth_legal(legal, options, 0);
    } else if (count > 1) {
        float part;
        actions[h] =
            choose_option(policy->kernels, call, r, h, logits, legal, options, count, &part);
        row->log_probability += part;
    }
}

static lu_status end_row(const lu_policy *policy, const lu_policy_act *call, int r,
                         const row_choice *row, lu_error *error) {
    float sum = row->log_probability;
    if (call->log_probability) {
        call->log_probability[r] = sum;
    }
    if (!row->asked) {
        return lu_fail(error, LU_BAD_DATA,
                       "%s: row %d has no legal option in any head; a game must always leave one",
                       policy->game->id, r);
    }
    if (!isfinite(sum)) {
        return lu_fail(error, LU_DIVERGED,
                       "%s: the logits of row %d are NaN or infinite; lower the learning rate or "
                       "clip the gradient",
                       policy->game->id, r);
    }
    return LU_OK;
}

/* Head after head, all rows together. */
static lu_status choose_in_series(const lu_policy *policy, const lu_policy_act *call,
                                  lu_error *error) {
    row_choice row[LU_BLOCK_ROWS] = {0};
    assert(call->rows <= LU_BLOCK_ROWS);
    for (int h = 0; h < policy->heads; h++) {
        call->make_logits(call->user, h);
        for (int r = 0; r < call->rows; r++) {
            choose_head(policy, call, r, h, &row[r]);
        }
    }
    for (int r = 0; r < call->rows; r++) {
        LU_TRY(end_row(policy, call, r, &row[r], error));
    }
    return LU_OK;
}

lu_status lu_policy_choose(const lu_policy *policy, const lu_policy_act *call, lu_error *error) {
    assert(call->rng || (call->greedy && call->epsilon == 0.0));
    assert(call->state || !policy->core->submask);
    if (call->make_logits) {
        return choose_in_series(policy, call, error);
    }
    for (int r = 0; r < call->rows; r++) {
        row_choice row = {0};
        for (int h = 0; h < policy->heads; h++) {
            choose_head(policy, call, r, h, &row);
        }
        LU_TRY(end_row(policy, call, r, &row, error));
    }
    return LU_OK;
}

/* ---- the loss of PPO ---- */

/* What the heads of a row say about the action that was taken. */
typedef struct row_view {
    float log_probability;
    int count[LU_MAX_HEADS]; /* legal options, 2 for more; 0 = not asked */
    lu_softmax_stats stats[LU_MAX_HEADS];
} row_view;

/* Probabilities of all heads into p, laid out like the logits. */
static void look(const lu_policy *policy, const float *logits, const uint8_t *legal,
                 const int32_t *actions, float *p, row_view *view) {
    view->log_probability = 0.0f;
    for (int h = 0; h < policy->heads; h++) {
        int at = policy->offset[h], options = policy->offset[h + 1] - at;
        view->count[h] = few_legal(legal + at, options);
        view->stats[h] = (lu_softmax_stats){0};
        if (view->count[h] < 2) {
            continue; /* no choice: log-probability and entropy are 0 */
        }
        policy->kernels->masked_softmax(logits + at, legal + at, options, p + at, &view->stats[h]);
        view->log_probability +=
            (logits[at + actions[h]] - view->stats[h].max) - view->stats[h].log_sum;
    }
}

void lu_policy_probabilities(const lu_policy *policy, const float *logits, const uint8_t *legal,
                             float *probabilities) {
    memset(probabilities, 0, (size_t)policy->logits * sizeof *probabilities);
    for (int h = 0; h < policy->heads; h++) {
        int at = policy->offset[h], options = policy->offset[h + 1] - at;
        if (few_legal(legal + at, options) > 0) {
            policy->kernels->masked_softmax(logits + at, legal + at, options, probabilities + at,
                                            NULL);
        }
    }
}

/* Loss and gradient of the value. Inside the clip range the clipped value is the value: asked in
 * this order, since old + (v - old) rounds away from v and would win or lose by a last bit. */
static float value_loss(const lu_ppo *call, int r, float *gradient) {
    float v = call->value[r], target = call->target[r], error = v - target;
    *gradient = error;
    float loss = error * error;
    if (call->value_clip > 0.0f) {
        float moved = v - call->old_value[r], clip = call->value_clip;
        if (moved > clip || moved < -clip) {
            float other = call->old_value[r] + (moved > 0.0f ? clip : -clip) - target;
            if (other * other > loss) {
                loss = other * other;
                *gradient = 0.0f;
            }
        }
    }
    return 0.5f * loss;
}

/* Gradient of the logits of one head: d (log-probability of the action) and the entropy's. */
static void head_gradient(const lu_kernels *k, const float *logits, int options, const float *p,
                          const lu_softmax_stats *stats, int action, float d, float entropy_cost,
                          float *to) {
    k->softmax_back(logits, p, stats, options, d, entropy_cost, to);
    float log_p = (logits[action] - stats->max) - stats->log_sum;
    to[action] = d * (1.0f - p[action]) + entropy_cost * (p[action] * (log_p + stats->entropy));
}

static void ppo_row(const lu_policy *policy, const lu_ppo *call, int r, float *p,
                    lu_ppo_sums *sums) {
    const float *logits = call->logits + (size_t)r * call->logits_stride;
    const uint8_t *legal = call->legal + (size_t)r * call->legal_stride;
    const int32_t *actions = call->actions + (size_t)r * call->actions_stride;
    float *dlogits = call->dlogits + (size_t)r * call->dlogits_stride;
    float weight = call->weight ? call->weight[r] : 1.0f, scale = weight * call->scale;
    row_view view;
    look(policy, logits, legal, actions, p, &view);
    float log_ratio = view.log_probability - call->old_log_probability[r];
    float ratio = lu_exp_float(log_ratio), advantage = call->advantage[r];
    float low = 1.0f - call->clip, high = 1.0f + call->clip;
    float bounded = ratio < low ? low : ratio > high ? high : ratio;
    float free_loss = -advantage * ratio, bound_loss = -advantage * bounded;
    bool bound = bound_loss > free_loss;
    float d = bound ? 0.0f : free_loss * scale, dv;
    float loss = value_loss(call, r, &dv);
    call->dvalue[r] = dv * (call->value_cost * scale);
    for (int h = 0; h < policy->heads; h++) {
        int at = policy->offset[h], options = policy->offset[h + 1] - at;
        if (view.count[h] < 2) {
            memset(dlogits + at, 0, (size_t)options * sizeof *dlogits);
        } else {
            head_gradient(policy->kernels, logits + at, options, p + at, &view.stats[h], actions[h],
                          d, call->entropy_cost[h] * scale, dlogits + at);
        }
        sums->entropy[h] += (double)weight * (double)view.stats[h].entropy;
        sums->asked[h] += view.count[h] > 0 ? (double)weight : 0.0;
    }
    if (call->log_probability) {
        call->log_probability[r] = view.log_probability;
    }
    double w = (double)weight;
    sums->weight += w;
    sums->policy += w * (double)(bound ? bound_loss : free_loss);
    sums->value += w * (double)loss;
    sums->kl += w * (((double)ratio - 1.0) - (double)log_ratio);
    sums->clipped += ratio < low || ratio > high ? w : 0.0;
    sums->ratio += w * (double)ratio;
}

void lu_ppo_run(const lu_policy *policy, const lu_ppo *call, lu_ppo_sums *sums) {
    float p[POLICY_OPTIONS * 2];
    assert(policy->logits <= POLICY_OPTIONS * 2);
    for (int r = 0; r < call->rows; r++) {
        ppo_row(policy, call, r, p, sums);
    }
}

/* ---- Q-learning ---- */

/* Leaves what was in force; the number of options that are left. */
static int keep_in_force(uint8_t *legal, const uint8_t *force, int options) {
    int count = 0;
    for (int o = 0; o < options; o++) {
        legal[o] = legal[o] && force[o];
        count += legal[o];
    }
    return count;
}

void lu_q_next_run(const lu_policy *policy, const lu_q_next *call) {
    uint8_t legal[POLICY_OPTIONS];
    int32_t chosen[LU_MAX_HEADS];
    for (int r = 0; r < call->rows; r++) {
        const float *q = call->q + (size_t)r * call->stride;
        const float *select = call->select ? call->select + (size_t)r * call->stride : q;
        const uint8_t *mask = call->mask + (size_t)r * call->mask_stride;
        const uint8_t *force = call->force ? call->force[r] : NULL;
        float sum = 0.0f;
        int asked = 0;
        for (int h = 0; h < policy->heads; h++) {
            int at = policy->offset[h], options = policy->offset[h + 1] - at;
            int count = lu_policy_legal(policy, call->state ? call->state[r] : NULL,
                                        call->seat ? call->seat[r] : 0, h, mask, chosen, legal);
            if (force && count > 0) {
                count = keep_in_force(legal, force + at, options);
            }
            chosen[h] = 0;
            if (count > 0) {
                chosen[h] = lu_q_best(select + at, legal, options);
                sum += q[at + chosen[h]];
                asked++;
            }
            force = force && chosen[h] == call->done[r][h] ? force : NULL;
        }
        call->best[r] = asked ? sum / (float)asked : 0.0f;
    }
}

/* Mean of Q(action) over the heads that were asked; *asked counts them. */
static float q_of_action(const lu_policy *policy, const float *q, const uint8_t *legal,
                         const int32_t *actions, int *asked) {
    float sum = 0.0f;
    *asked = 0;
    for (int h = 0; h < policy->heads; h++) {
        int at = policy->offset[h], options = policy->offset[h + 1] - at;
        if (few_legal(legal + at, options) > 0) {
            sum += q[at + actions[h]];
            ++*asked;
        }
    }
    return *asked ? sum / (float)*asked : 0.0f;
}

double lu_q_loss_run(const lu_policy *policy, const lu_q_loss *call) {
    double total = 0.0;
    for (int r = 0; r < call->rows; r++) {
        const float *q = call->q + (size_t)r * call->stride;
        const uint8_t *legal = call->legal + (size_t)r * call->legal_stride;
        const int32_t *actions = call->actions + (size_t)r * call->actions_stride;
        float *dq = call->dq + (size_t)r * call->stride;
        float weight = call->weight ? call->weight[r] : 1.0f;
        int asked;
        float error = q_of_action(policy, q, legal, actions, &asked) - call->target[r];
        memset(dq, 0, (size_t)policy->logits * sizeof *dq);
        if (call->errors) {
            call->errors[r] = asked ? error : 0.0f;
        }
        if (asked == 0) {
            continue;
        }
        float size = fabsf(error);
        float slope = size <= 1.0f ? error : error > 0.0f ? 1.0f : -1.0f;
        total += (double)weight *
                 (size <= 1.0f ? 0.5 * (double)error * (double)error : (double)size - 0.5);
        for (int h = 0; h < policy->heads; h++) {
            int at = policy->offset[h], options = policy->offset[h + 1] - at;
            if (few_legal(legal + at, options) > 0) {
                dq[at + actions[h]] = slope * weight * call->scale / (float)asked;
            }
        }
    }
    return total;
}
