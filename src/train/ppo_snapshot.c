/* Exact resume: one list of everything that the next update depends on, walked to count, to save
 * and to load. Bytes are those of this machine; whoever puts them into a file checks it. */
#include "ppo_inside.h"

#include <string.h>

#define SNAPSHOT_MAGIC "LUTRAIN1"

static void walk_all(walk *w, lu_train *t) {
    size_t rows = (size_t)t->rows, full = (size_t)t->full, last = (size_t)t->config.horizon;
    walk_piece(w, &t->updates, sizeof t->updates);
    walk_piece(w, &t->steps, sizeof t->steps);
    walk_piece(w, &t->window, sizeof t->window);
    walk_learned(w, t->net, &t->optimiser);
    walk_normaliser(w, &t->normaliser);
    walk_normaliser(w, &t->critic_normaliser);
    walk_piece(w, &t->return_count, sizeof t->return_count);
    walk_piece(w, &t->return_mean, sizeof t->return_mean);
    walk_piece(w, &t->return_square, sizeof t->return_square);
    walk_piece(w, &t->return_scale, sizeof t->return_scale);
    walk_piece(w, t->rng, rows * sizeof *t->rng);
    walk_piece(w, t->now, rows * t->memory * sizeof *t->now);
    walk_piece(w, t->returns, rows * sizeof *t->returns);
    walk_piece(w, t->lengths, rows * sizeof *t->lengths);
    walk_piece(w, t->discounted, rows * sizeof *t->discounted);
    /* what the next rollout begins with */
    walk_piece(w, train_slot(t, t->config.horizon), full * (size_t)t->observation * sizeof(float));
    walk_piece(w, train_critic_slot(t, t->config.horizon),
               full * (size_t)t->critic * sizeof(float));
    walk_piece(w, t->batch.flags + last * rows, rows);
    walk_piece(w, t->scratch.mask, full * (size_t)t->mask);
    walk_piece(w, t->scratch.to_move, (size_t)t->config.environments);
}

static snapshot_head head_of(const lu_train *t) {
    snapshot_head head = {.bytes = lu_train_snapshot_bytes(t),
                          .spec = t->rules->spec,
                          .rules = t->rules->hash,
                          .shape =
                              snapshot_shape(t->settings, "train.", lu_net_parameters(t->net))};
    memcpy(head.magic, SNAPSHOT_MAGIC, sizeof head.magic);
    return head;
}

/* The walk changes a trainer only when it loads. */
static lu_train *writable(const lu_train *train) {
    union {
        const lu_train *from;
        lu_train *to;
    } same = {train};
    return same.to;
}

size_t lu_train_snapshot_bytes(const lu_train *train) {
    walk w = {WALK_COUNT, NULL, 0};
    walk_all(&w, writable(train));
    return sizeof(snapshot_head) + w.bytes + lu_vec_snapshot_bytes(train->vec);
}

void lu_train_save(const lu_train *train, void *bytes) {
    snapshot_head head = head_of(train);
    memcpy(bytes, &head, sizeof head);
    walk w = {WALK_SAVE, bytes, sizeof head};
    walk_all(&w, writable(train));
    lu_vec_save(train->vec, (unsigned char *)bytes + w.bytes);
}

lu_status lu_train_load(lu_train *train, const void *bytes, size_t length, lu_error *error) {
    snapshot_head mine = head_of(train);
    lu_status status = snapshot_check(bytes, length, &mine, train->game, "train.", error);
    if (status != LU_OK) {
        return status;
    }
    /* the environments first: they refuse before anything of the trainer has changed */
    size_t behind = length - lu_vec_snapshot_bytes(train->vec);
    const unsigned char *in = bytes;
    status = lu_vec_load(train->vec, in + behind, length - behind, error);
    if (status != LU_OK) {
        return status;
    }
    union {
        const unsigned char *from;
        unsigned char *to;
    } same = {in};
    walk w = {WALK_LOAD, same.to, sizeof mine};
    walk_all(&w, train);
    lu_net_pack(train->net);
    return LU_OK;
}
