/* The batch that made numbers go wrong, as a safetensors file for whoever looks for the reason.
 * This is the only place of a running trainer that allocates. */
#include "inside.h"

#include <string.h>

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
            memcpy(observation + r * n, train_slot(t, step) + (size_t)t->row_full[row] * n,
                   n * sizeof(float));
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

static void add_slot(const lu_train *t, failed_file *f, int step) {
    size_t full = (size_t)t->full, n = (size_t)t->observation;
    memcpy(failed_add(f, "observation", LU_F32, full, n), train_slot(t, step),
           full * n * sizeof(float));
}

void train_save_failed(const lu_train *t, int step, lu_error *error) {
    if (!*t->config.save_failed) {
        return;
    }
    failed_file f = {0};
    if (step < 0) {
        add_minibatch(t, &f);
    } else {
        add_slot(t, &f, step);
    }
    failed_add_copy(&f, "parameters", lu_net_block(t->net), lu_net_parameters(t->net));
    failed_write(&f, t->config.save_failed, t->game, t->updates + 1, error);
}
