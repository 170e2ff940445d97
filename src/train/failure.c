/* The batch that made numbers go wrong, as a safetensors file for whoever looks for the reason.
 * Observations are saved as the net took them (normalised, and rounded in a bf16 net) where the
 * batch keeps them so, else raw. This is the only place of a running trainer that allocates. */
#include "ppo_inside.h"

#include <string.h>

static void copy_observation(const lu_train *t, int step, int row, float *to) {
    size_t n = (size_t)t->observation;
    const float *from = train_slot(t, step) + (size_t)t->row_full[row] * n;
    if (t->kept) {
        lu_net_kept_row(t->net, from, to);
    } else {
        memcpy(to, from, n * sizeof *to);
    }
}

/* The rows of the minibatch in its order. */
static void add_minibatch(const lu_train *t, failed_file *f) {
    const train_batch *b = &t->batch;
    size_t rows = (size_t)t->mini.units * (size_t)t->unit_steps, n = (size_t)t->observation;
    size_t mask = (size_t)t->mask, heads = (size_t)t->heads, r = 0;
    float *observation = failed_add(f, "observation", LU_F32, rows, n);
    uint8_t *legal = failed_add(f, "legal", LU_U8, rows, mask);
    int32_t *actions = failed_add(f, "actions", LU_I32, rows, heads);
    float *reward = failed_add(f, "reward", LU_F32, rows, 1);
    float *value = failed_add(f, "value", LU_F32, rows, 1);
    float *log_probability = failed_add(f, "log_probability", LU_F32, rows, 1);
    float *advantage = failed_add(f, "advantage", LU_F32, rows, 1);
    float *target = failed_add(f, "target", LU_F32, rows, 1);
    for (int i = 0; i < t->mini.units; i++) {
        int unit = (int)t->mini.index[i], group = unit / t->rows, row = unit % t->rows;
        for (int s = 0; s < t->unit_steps; s++, r++) {
            int step = group * t->unit_steps + s;
            size_t at = (size_t)step * (size_t)t->rows + (size_t)row;
            copy_observation(t, step, row, observation + r * n);
            memcpy(legal + r * mask, b->legal + at * mask, mask);
            memcpy(actions + r * heads, b->actions + at * heads, heads * sizeof *actions);
            reward[r] = b->reward[at];
            value[r] = b->value[at];
            log_probability[r] = b->log_probability[at];
            advantage[r] = b->advantage[at];
            target[r] = b->target[at];
        }
    }
    failed_add_copy(f, "gradient", t->gradient, lu_net_parameters(t->net));
}

/* The rows whose logits went wrong, and their neighbours of the same lane. */
static void add_lane(const lu_train *t, failed_file *f, const train_shard *s) {
    const train_lane *lane = &s->lane[s->failed_lane];
    size_t n = (size_t)t->observation;
    float *observation = failed_add(f, "observation", LU_F32, (size_t)lane->rows, n);
    for (int r = 0; r < lane->rows; r++) {
        copy_observation(t, s->failed_at, lane->row + r, observation + (size_t)r * n);
    }
}

void train_save_failed(const lu_train *t, const train_shard *shard, lu_error *error) {
    if (!*t->config.save_failed) {
        return;
    }
    failed_file f = {0};
    if (shard) {
        add_lane(t, &f, shard);
    } else {
        add_minibatch(t, &f);
    }
    failed_add_copy(&f, "parameters", lu_net_block(t->net), lu_net_parameters(t->net));
    failed_write(&f, t->config.save_failed, t->game, t->updates + 1, error);
}
