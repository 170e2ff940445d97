/* The batch that made numbers go wrong, as a safetensors file for whoever looks for the reason.
 * This is the only place of a running trainer that allocates. */
#include "inside.h"

#include "ludus/file.h"
#include "ludus/tensors.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FAILED_TENSORS = 16 };

typedef struct failed_file {
    lu_tensor_entry entry[FAILED_TENSORS];
    void *owned[FAILED_TENSORS];
    size_t count;
} failed_file;

/* Room for rows x columns numbers of the file, freed with it. */
static void *add_tensor(failed_file *f, const char *name, lu_dtype type, size_t rows,
                        size_t columns) {
    void *data = lu_alloc_zero(rows * columns + 1, lu_dtype_bytes(type));
    f->owned[f->count] = data;
    f->entry[f->count++] = (lu_tensor_entry){.name = name,
                                             .type = type,
                                             .rank = 2,
                                             .shape = {(int64_t)rows, (int64_t)columns},
                                             .data = data};
    return data;
}

static void add_copy(failed_file *f, const char *name, const float *from, size_t count) {
    memcpy(add_tensor(f, name, LU_F32, 1, count), from, count * sizeof(float));
}

/* The rows of the minibatch in its order. */
static void add_minibatch(const lu_train *t, failed_file *f) {
    const train_batch *b = &t->batch;
    size_t rows = (size_t)t->mini.units * (size_t)t->unit_steps, n = (size_t)t->observation;
    size_t mask = (size_t)t->mask, heads = (size_t)t->heads, r = 0;
    float *observation = add_tensor(f, "observation", LU_F32, rows, n);
    uint8_t *legal = add_tensor(f, "legal", LU_U8, rows, mask);
    int32_t *actions = add_tensor(f, "actions", LU_I32, rows, heads);
    float *reward = add_tensor(f, "reward", LU_F32, rows, 1);
    float *value = add_tensor(f, "value", LU_F32, rows, 1);
    float *log_probability = add_tensor(f, "log_probability", LU_F32, rows, 1);
    float *advantage = add_tensor(f, "advantage", LU_F32, rows, 1);
    float *target = add_tensor(f, "target", LU_F32, rows, 1);
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
    add_copy(f, "gradient", t->gradient, lu_net_parameters(t->net));
}

static void add_slot(const lu_train *t, failed_file *f, int step) {
    size_t full = (size_t)t->full, n = (size_t)t->observation;
    memcpy(add_tensor(f, "observation", LU_F32, full, n), train_slot(t, step),
           full * n * sizeof(float));
}

void train_save_failed(const lu_train *t, int step, lu_error *error) {
    if (!*t->config.save_failed) {
        return;
    }
    failed_file f = {0};
    char update[32], *bytes = NULL;
    size_t length = 0;
    if (step < 0) {
        add_minibatch(t, &f);
    } else {
        add_slot(t, &f, step);
    }
    add_copy(&f, "parameters", lu_net_block(t->net), lu_net_parameters(t->net));
    snprintf(update, sizeof update, "%lld", (long long)t->updates + 1);
    lu_tensor_note notes[] = {{"game", t->game->id}, {"update", update}, {"reason", error->text}};
    lu_error problem;
    lu_status status = lu_tensors_write(f.entry, f.count, notes, sizeof notes / sizeof notes[0],
                                        &bytes, &length, &problem);
    if (status == LU_OK) {
        status = lu_file_write(t->config.save_failed, bytes, length, &problem);
    }
    size_t end = strlen(error->text);
    snprintf(error->text + end, sizeof error->text - end, "; the batch %s %s",
             status == LU_OK ? "is saved in" : "could not be saved:",
             status == LU_OK ? t->config.save_failed : problem.text);
    free(bytes);
    for (size_t i = 0; i < f.count; i++) {
        free(f.owned[i]);
    }
}
