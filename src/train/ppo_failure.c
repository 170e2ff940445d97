/* What PPO saves of a batch that made numbers go wrong. Observations are saved as the net took them
 * (normalised, and rounded in a bf16 net) where the batch keeps them so, else raw. */
#include "ppo_internal.h"

#include <string.h>

static void copy_observation(const ppo_trainer *t, int step, int row, float *to) {
    size_t n = (size_t)t->base.inputs;
    const float *from = ppo_slot(t, step) + (size_t)t->base.row_full[row] * n;
    if (t->kept) {
        lu_net_kept_row(t->base.net, from, to);
    } else {
        memcpy(to, from, n * sizeof *to);
    }
}

/* The rows of the minibatch in its order. */
static void add_minibatch(const ppo_trainer *t, failed_file *f) {
    const ppo_batch *b = &t->batch;
    size_t rows = (size_t)t->mini.units * (size_t)t->unit_steps, n = (size_t)t->base.inputs;
    size_t mask = (size_t)t->base.mask, heads = (size_t)t->base.heads, r = 0;
    float *observation = failed_add(f, "observation", LU_F32, rows, n);
    uint8_t *legal = failed_add(f, "legal", LU_U8, rows, mask);
    int32_t *actions = failed_add(f, "actions", LU_I32, rows, heads);
    float *reward = failed_add(f, "reward", LU_F32, rows, 1);
    float *value = failed_add(f, "value", LU_F32, rows, 1);
    float *log_probability = failed_add(f, "log_probability", LU_F32, rows, 1);
    float *advantage = failed_add(f, "advantage", LU_F32, rows, 1);
    float *target = failed_add(f, "target", LU_F32, rows, 1);
    for (int i = 0; i < t->mini.units; i++) {
        int unit = (int)t->mini.index[i], group = unit / t->base.rows, row = unit % t->base.rows;
        for (int s = 0; s < t->unit_steps; s++, r++) {
            int step = group * t->unit_steps + s;
            size_t at = (size_t)step * (size_t)t->base.rows + (size_t)row;
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
    failed_add_copy(f, "gradient", t->base.gradient, lu_net_parameters(t->base.net));
}

static void write_failed(const ppo_trainer *t, failed_file *f, lu_error *error) {
    failed_add_copy(f, "parameters", lu_net_block(t->base.net), lu_net_parameters(t->base.net));
    failed_write(f, &t->base, error);
}

void ppo_save_minibatch(ppo_trainer *t, lu_error *error) {
    failed_file f = {0};
    if (*t->base.save_failed) {
        add_minibatch(t, &f);
        write_failed(t, &f, error);
    }
}

/* The rows whose logits went wrong, and their neighbours of the same strip. */
void ppo_save_shard(lu_trainer *trainer, int shard, lu_error *error) {
    const ppo_trainer *t = ppo_of(trainer);
    const ppo_shard *s = &t->shard[shard];
    const train_strip *strip = &s->base->strip[s->failed_strip];
    size_t n = (size_t)trainer->inputs;
    failed_file f = {0};
    float *observation = failed_add(&f, "observation", LU_F32, (size_t)strip->rows, n);
    for (int r = 0; r < strip->rows; r++) {
        copy_observation(t, s->failed_at, strip->row + r, observation + (size_t)r * n);
    }
    write_failed(t, &f, error);
}
