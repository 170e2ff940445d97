/* The loss of PPO in fp64, straight from its definition: see net_ref.h. */
#include "net_ref.h"

#include <math.h>
#include <string.h>

/* log p of every legal option of a head into `log_p`; returns how many are legal. */
static int log_softmax(const double *logits, const uint8_t *legal, int n, double *log_p) {
    double max = -INFINITY, sum = 0.0;
    int count = 0;
    for (int o = 0; o < n; o++) {
        max = legal[o] ? fmax(max, logits[o]) : max;
        count += legal[o] != 0;
    }
    for (int o = 0; o < n; o++) {
        sum += legal[o] ? exp(logits[o] - max) : 0.0;
    }
    for (int o = 0; o < n; o++) {
        log_p[o] = legal[o] ? logits[o] - max - log(sum) : 0.0;
    }
    return count;
}

static double entropy_of(const double *log_p, const uint8_t *legal, int n) {
    double entropy = 0.0;
    for (int o = 0; o < n; o++) {
        entropy -= legal[o] ? exp(log_p[o]) * log_p[o] : 0.0;
    }
    return entropy;
}

/* Loss of the value and its slope. */
static double value_part(const lu_ppo *call, int r, double v, double *d) {
    double target = (double)call->target[r], error = v - target, loss = 0.5 * error * error;
    *d = error;
    double clip = (double)call->value_clip;
    if (clip > 0.0 && fabs(v - (double)call->old_value[r]) > clip) {
        double old = (double)call->old_value[r];
        double other = old + (v > old ? clip : -clip) - target;
        if (0.5 * other * other > loss) {
            loss = 0.5 * other * other;
            *d = 0.0;
        }
    }
    return loss;
}

double net_ref_ppo(const lu_policy *policy, const lu_ppo *call, const double *logits,
                   const double *value, double *dlogits, double *dvalue) {
    double total = 0.0, log_p[8192];
    int n = policy->logits;
    for (int r = 0; r < call->rows; r++) {
        const double *row = logits + (size_t)(r * n);
        const uint8_t *legal = call->legal + (size_t)r * call->legal_stride;
        const int32_t *actions = call->actions + (size_t)r * call->actions_stride;
        double weight = (call->weight ? (double)call->weight[r] : 1.0) * (double)call->scale;
        double joint = 0.0, bonus = 0.0, entropy[LU_MAX_HEADS];
        for (int h = 0; h < policy->heads; h++) {
            int from = policy->offset[h], options = policy->offset[h + 1] - from;
            int count = log_softmax(row + from, legal + from, options, log_p + from);
            entropy[h] = entropy_of(log_p + from, legal + from, options);
            joint += count ? log_p[from + actions[h]] : 0.0;
            bonus += (double)call->entropy_cost[h] * entropy[h];
        }
        double ratio = exp(joint - (double)call->old_log_probability[r]);
        double advantage = (double)call->advantage[r], clip = (double)call->clip;
        double bounded = fmin(fmax(ratio, 1.0 - clip), 1.0 + clip);
        bool bound = -advantage * bounded > -advantage * ratio;
        double dv, loss = value_part(call, r, value[r], &dv);
        total += weight * (fmax(-advantage * ratio, -advantage * bounded) +
                           (double)call->value_cost * loss - bonus);
        if (!dlogits) {
            continue;
        }
        dvalue[r] = weight * (double)call->value_cost * dv;
        memset(dlogits + (size_t)(r * n), 0, (size_t)n * sizeof *dlogits);
        for (int h = 0; h < policy->heads; h++) {
            double cost = (double)call->entropy_cost[h];
            for (int o = policy->offset[h]; o < policy->offset[h + 1]; o++) {
                double p = legal[o] ? exp(log_p[o]) : 0.0;
                double hit = o == policy->offset[h] + actions[h] ? 1.0 : 0.0;
                double d = (bound ? 0.0 : -advantage * ratio) * (hit - p);
                dlogits[r * n + o] =
                    legal[o] ? weight * (d + cost * p * (log_p[o] + entropy[h])) : 0.0;
            }
        }
    }
    return total;
}
