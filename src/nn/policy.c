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
    for (int o = 0; o < options;) {
        int end = options - o < 128 ? options : o + 128; /* what a byte can count */
        uint8_t part = 0;
        for (; o < end; o++) {
            part = (uint8_t)(part + (legal[o] != 0));
        }
        count += part;
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

/* What the heads of the rows of a block have said so far. */
typedef struct block_choice {
    float log_probability[LU_BLOCK_ROWS];
    bool asked[LU_BLOCK_ROWS];
} block_choice;

/* One choice between `count` >= 2 legal options; p is read where it is a draw by probabilities. */
static int choose_option(const lu_kernels *k, const lu_policy_act *call, int row, int head,
                         const float *logits, const uint8_t *legal, int options, int count,
                         const float *p) {
    lu_rng *rng = call->rng ? &call->rng[row] : NULL;
    bool greedy = call->greedy || (call->best && ((call->best[row] >> head) & 1));
    if (rng && call->epsilon > 0.0 && lu_rng_unit(rng) < call->epsilon) {
        return nth_legal(legal, options, (int)lu_rng_below(rng, (uint32_t)count));
    }
    if (greedy || !rng) {
        return lu_q_best(logits, legal, options);
    }
    return k->sample(p, legal, options, draw(rng));
}

/* A head of some rows, `first` of the call and those behind it, `at` in the block: first what is
 * legal, then the probabilities of all, then the choices. */
static void choose_head(const lu_policy *policy, const lu_policy_act *call, int h, int first,
                        int rows, block_choice *block, int at) {
    float p[POLICY_OPTIONS];
    lu_softmax_stats stats[LU_BLOCK_ROWS];
    int32_t open[LU_BLOCK_ROWS];
    int count[LU_BLOCK_ROWS], opened = 0;
    int offset = policy->offset[h], options = policy->offset[h + 1] - offset;
    const float *logits = call->logits + (size_t)first * call->logits_stride + offset;
    uint8_t *legal = call->legal + (size_t)first * call->legal_stride + offset;
    int32_t *actions = call->actions + (size_t)first * call->actions_stride;
    for (int i = 0; i < rows; i++) {
        int r = first + i;
        uint8_t *own = legal + (size_t)i * call->legal_stride;
        int32_t *chosen = actions + (size_t)i * call->actions_stride;
        count[i] = lu_policy_legal(policy, call->state ? call->state[r] : NULL,
                                   call->seat ? call->seat[r] : 0, h,
                                   call->mask + (size_t)r * call->mask_stride, chosen, own);
        block->asked[at + i] = block->asked[at + i] || count[i] > 0;
        chosen[h] = count[i] == 1 ? nth_legal(own, options, 0) : 0;
        open[opened] = i;
        opened += count[i] > 1;
    }
    bool soft = call->log_probability || !call->greedy;
    lu_softmax softmax = {.rows = soft ? opened : 0,
                          .n = options,
                          .row = open,
                          .logits = logits,
                          .logits_stride = call->logits_stride,
                          .legal = legal,
                          .legal_stride = call->legal_stride,
                          .p = p,
                          .p_stride = (size_t)options,
                          .stats = stats};
    policy->kernels->masked_softmax(&softmax);
    for (int o = 0; o < opened; o++) {
        size_t i = (size_t)open[o];
        const float *own = logits + i * call->logits_stride;
        int choice = choose_option(policy->kernels, call, first + open[o], h, own,
                                   legal + i * call->legal_stride, options, count[i],
                                   p + i * (size_t)options);
        actions[i * call->actions_stride + (size_t)h] = choice;
        block->log_probability[at + open[o]] +=
            soft ? (own[choice] - stats[i].max) - stats[i].log_sum : 0.0f;
    }
}

static lu_status end_row(const lu_policy *policy, const lu_policy_act *call, int r, bool asked,
                         float log_probability, lu_error *error) {
    if (call->log_probability) {
        call->log_probability[r] = log_probability;
    }
    if (!asked) {
        return lu_fail(error, LU_BAD_DATA,
                       "%s: row %d has no legal option in any head; a game must always leave one",
                       policy->game->id, r);
    }
    if (!isfinite(log_probability)) {
        return lu_fail(error, LU_DIVERGED,
                       "%s: the logits of row %d are NaN or infinite; lower the learning rate or "
                       "clip the gradient",
                       policy->game->id, r);
    }
    return LU_OK;
}

/* Head after head, as many rows together as have room for their probabilities. */
static lu_status choose_block(const lu_policy *policy, const lu_policy_act *call, int first,
                              int rows, lu_error *error) {
    block_choice block = {0};
    for (int h = 0; h < policy->heads; h++) {
        int room = POLICY_OPTIONS / (policy->offset[h + 1] - policy->offset[h]);
        if (call->make_logits) {
            call->make_logits(call->user, h);
        }
        for (int at = 0; at < rows; at += room) {
            choose_head(policy, call, h, first + at, rows - at < room ? rows - at : room, &block,
                        at);
        }
    }
    for (int i = 0; i < rows; i++) {
        LU_TRY(end_row(policy, call, first + i, block.asked[i], block.log_probability[i], error));
    }
    return LU_OK;
}

lu_status lu_policy_choose(const lu_policy *policy, const lu_policy_act *call, lu_error *error) {
    assert(call->rng || (call->greedy && call->epsilon == 0.0));
    assert(call->state || !policy->core->submask);
    assert(!call->make_logits || call->rows <= LU_BLOCK_ROWS);
    for (int first = 0; first < call->rows; first += LU_BLOCK_ROWS) {
        int rows = call->rows - first < LU_BLOCK_ROWS ? call->rows - first : LU_BLOCK_ROWS;
        LU_TRY(choose_block(policy, call, first, rows, error));
    }
    return LU_OK;
}

/* ---- the loss of PPO ---- */

/* What the heads of some rows say about the actions that were taken. */
enum { VIEW_ROWS = 16 };
typedef struct rows_view {
    int count[LU_MAX_HEADS][VIEW_ROWS]; /* legal options, 2 for more; 0 = not asked */
    lu_softmax_stats stats[LU_MAX_HEADS][VIEW_ROWS];
    float log_probability[VIEW_ROWS];
    float log_ratio[VIEW_ROWS], ratio[VIEW_ROWS];
} rows_view;

/* Probabilities of all heads, laid out like the logits and where their gradients will be. */
static void look(const lu_policy *policy, const lu_ppo *call, int first, int rows,
                 rows_view *view) {
    size_t row = (size_t)first;
    memset(view->log_probability, 0, sizeof view->log_probability);
    for (int h = 0; h < policy->heads; h++) {
        int at = policy->offset[h], options = policy->offset[h + 1] - at, several = 0;
        const uint8_t *legal = call->legal + row * call->legal_stride + at;
        const float *logits = call->logits + row * call->logits_stride + at;
        const int32_t *actions = call->actions + row * call->actions_stride + h;
        int32_t open[VIEW_ROWS];
        for (int i = 0; i < rows; i++) {
            view->count[h][i] = few_legal(legal + (size_t)i * call->legal_stride, options);
            view->stats[h][i] = (lu_softmax_stats){0};
            open[several] = i;
            several += view->count[h][i] > 1;
        }
        lu_softmax softmax = {.rows = several,
                              .n = options,
                              .row = open,
                              .logits = logits,
                              .logits_stride = call->logits_stride,
                              .legal = legal,
                              .legal_stride = call->legal_stride,
                              .p = call->dlogits + row * call->dlogits_stride + at,
                              .p_stride = call->dlogits_stride,
                              .stats = view->stats[h]};
        policy->kernels->masked_softmax(&softmax);
        /* without a choice log-probability and entropy are 0 */
        for (int o = 0; o < several; o++) {
            size_t i = (size_t)open[o];
            const lu_softmax_stats *stats = &view->stats[h][i];
            view->log_probability[i] +=
                (logits[i * call->logits_stride + (size_t)actions[i * call->actions_stride]] -
                 stats->max) -
                stats->log_sum;
        }
    }
    for (int i = 0; i < rows; i++) {
        view->log_ratio[i] = view->log_probability[i] - call->old_log_probability[first + i];
    }
    policy->kernels->exp(view->log_ratio, view->ratio, (size_t)rows);
}

void lu_policy_probabilities(const lu_policy *policy, const float *logits, const uint8_t *legal,
                             float *probabilities) {
    memset(probabilities, 0, (size_t)policy->logits * sizeof *probabilities);
    for (int h = 0; h < policy->heads; h++) {
        int at = policy->offset[h], options = policy->offset[h + 1] - at;
        if (few_legal(legal + at, options) > 0) {
            policy->kernels->masked_softmax(&(lu_softmax){.rows = 1,
                                                          .n = options,
                                                          .logits = logits + at,
                                                          .legal = legal + at,
                                                          .p = probabilities + at});
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

/* Gradient of the logits of one head: d (log-probability of the action) and the entropy's, in place
 * of the probabilities. */
static void head_gradient(const lu_kernels *k, const float *logits, int options,
                          const lu_softmax_stats *stats, int action, float d, float entropy_cost,
                          float *p) {
    float chosen = p[action];
    k->softmax_back(logits, stats, options, d, entropy_cost, p);
    float log_p = (logits[action] - stats->max) - stats->log_sum;
    p[action] = d * (1.0f - chosen) + entropy_cost * (chosen * (log_p + stats->entropy));
}

/* Row i of a view, r of the call. */
static void ppo_row(const lu_policy *policy, const lu_ppo *call, int r, const rows_view *view,
                    int i, lu_ppo_sums *sums) {
    const float *logits = call->logits + (size_t)r * call->logits_stride;
    const int32_t *actions = call->actions + (size_t)r * call->actions_stride;
    float *dlogits = call->dlogits + (size_t)r * call->dlogits_stride;
    float weight = call->weight ? call->weight[r] : 1.0f, scale = weight * call->scale;
    float log_ratio = view->log_ratio[i], ratio = view->ratio[i], advantage = call->advantage[r];
    float low = 1.0f - call->clip, high = 1.0f + call->clip;
    float bounded = ratio < low ? low : ratio > high ? high : ratio;
    float free_loss = -advantage * ratio, bound_loss = -advantage * bounded;
    bool bound = bound_loss > free_loss;
    float d = bound ? 0.0f : free_loss * scale, dv;
    float loss = value_loss(call, r, &dv);
    call->dvalue[r] = dv * (call->value_cost * scale);
    for (int h = 0; h < policy->heads; h++) {
        int at = policy->offset[h], options = policy->offset[h + 1] - at;
        if (view->count[h][i] < 2) {
            memset(dlogits + at, 0, (size_t)options * sizeof *dlogits);
        } else {
            head_gradient(policy->kernels, logits + at, options, &view->stats[h][i], actions[h], d,
                          call->entropy_cost[h] * scale, dlogits + at);
        }
        sums->entropy[h] += (double)weight * (double)view->stats[h][i].entropy;
        sums->asked[h] += view->count[h][i] > 0 ? (double)weight : 0.0;
    }
    if (call->log_probability) {
        call->log_probability[r] = view->log_probability[i];
    }
    double w = (double)weight;
    sums->weight += w;
    sums->policy += w * (double)(bound ? bound_loss : free_loss);
    sums->value += w * (double)loss;
    sums->kl += w * (((double)ratio - 1.0) - (double)log_ratio);
    sums->clipped += ratio < low || ratio > high ? w : 0.0;
    sums->ratio += w * (double)ratio;
}

/* Sums stay at hand meanwhile: where they go, they are neighbours of those of other threads. */
void lu_ppo_run(const lu_policy *policy, const lu_ppo *call, lu_ppo_sums *sums) {
    rows_view view;
    lu_ppo_sums own = *sums;
    for (int first = 0; first < call->rows; first += VIEW_ROWS) {
        int rows = call->rows - first < VIEW_ROWS ? call->rows - first : VIEW_ROWS;
        look(policy, call, first, rows, &view);
        for (int i = 0; i < rows; i++) {
            ppo_row(policy, call, first + i, &view, i, &own);
        }
    }
    *sums = own;
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
