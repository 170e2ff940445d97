/* Exact resume of DQN, the buffer included: one list of everything that the next update depends on,
 * walked to count, to save and to load. Bytes are those of this machine; whoever puts them into a
 * file checks it. */
#include "dqn_inside.h"

#include <string.h>

#define SNAPSHOT_MAGIC "LUDQN__1"

/* The whole rings, filled or not; of the tree only the leaves, from which the rest follows. */
static void walk_buffer(walk *w, dqn_buffer *r) {
    size_t rows = (size_t)r->rows, all = rows * (size_t)r->slots;
    walk_piece(w, r->observation, all * (size_t)r->sight * sizeof *r->observation);
    walk_piece(w, r->legal, all * (size_t)r->mask);
    walk_piece(w, r->actions, all * (size_t)r->heads * sizeof *r->actions);
    walk_piece(w, r->gain, all * sizeof *r->gain);
    walk_piece(w, r->discount, all * sizeof *r->discount);
    walk_piece(w, r->ahead, all * sizeof *r->ahead);
    walk_piece(w, r->kind, all);
    walk_piece(w, r->written, rows * sizeof *r->written);
    walk_piece(w, r->ripe, rows * sizeof *r->ripe);
    walk_piece(w, r->tree_written, rows * sizeof *r->tree_written);
    walk_piece(w, r->tree_ripe, rows * sizeof *r->tree_ripe);
    walk_piece(w, r->tree.sum + r->tree.leaves, all * sizeof *r->tree.sum);
}

static void walk_all(walk *w, lu_dqn *d) {
    size_t rows = (size_t)d->rows, full = (size_t)d->full;
    walk_piece(w, &d->updates, sizeof d->updates);
    walk_piece(w, &d->steps, sizeof d->steps);
    walk_piece(w, &d->gradient_steps, sizeof d->gradient_steps);
    walk_piece(w, &d->target_moves, sizeof d->target_moves);
    walk_piece(w, &d->top, sizeof d->top);
    walk_piece(w, &d->window, sizeof d->window);
    walk_learned(w, d->net, &d->optimiser);
    walk_piece(w, lu_net_block(d->target), lu_net_parameters(d->net) * sizeof(float));
    walk_normaliser(w, &d->normaliser);
    walk_piece(w, d->rng, rows * sizeof *d->rng);
    walk_piece(w, d->returns, rows * sizeof *d->returns);
    walk_piece(w, d->lengths, rows * sizeof *d->lengths);
    /* what the next round begins with */
    walk_piece(w, d->scratch.observation, full * (size_t)d->observation * sizeof(float));
    walk_piece(w, d->scratch.mask, full * (size_t)d->mask);
    walk_buffer(w, &d->buffer);
}

static snapshot_head head_of(const lu_dqn *d) {
    snapshot_head head = {
        .bytes = lu_dqn_snapshot_bytes(d),
        .spec = d->rules->spec,
        .rules = d->rules->hash,
        .shape = snapshot_shape(d->settings, "dqn.", lu_net_parameters(d->net)),
    };
    memcpy(head.magic, SNAPSHOT_MAGIC, sizeof head.magic);
    return head;
}

/* The walk changes a trainer only when it loads. */
static lu_dqn *writable(const lu_dqn *dqn) {
    union {
        const lu_dqn *from;
        lu_dqn *to;
    } same = {dqn};
    return same.to;
}

size_t lu_dqn_snapshot_bytes(const lu_dqn *dqn) {
    walk w = {WALK_COUNT, NULL, 0};
    walk_all(&w, writable(dqn));
    return sizeof(snapshot_head) + w.bytes + lu_vec_snapshot_bytes(dqn->vec);
}

void lu_dqn_save(const lu_dqn *dqn, void *bytes) {
    snapshot_head head = head_of(dqn);
    memcpy(bytes, &head, sizeof head);
    walk w = {WALK_SAVE, bytes, sizeof head};
    walk_all(&w, writable(dqn));
    lu_vec_save(dqn->vec, (unsigned char *)bytes + w.bytes);
}

lu_status lu_dqn_load(lu_dqn *dqn, const void *bytes, size_t length, lu_error *error) {
    snapshot_head mine = head_of(dqn);
    lu_status status = snapshot_check(bytes, length, &mine, dqn->game, "dqn.", error);
    if (status != LU_OK) {
        return status;
    }
    /* the environments first: they refuse before anything of the trainer has changed */
    size_t behind = length - lu_vec_snapshot_bytes(dqn->vec);
    const unsigned char *in = bytes;
    status = lu_vec_load(dqn->vec, in + behind, length - behind, error);
    if (status != LU_OK) {
        return status;
    }
    union {
        const unsigned char *from;
        unsigned char *to;
    } same = {in};
    walk w = {WALK_LOAD, same.to, sizeof mine};
    walk_all(&w, dqn);
    sum_tree_build(&dqn->buffer.tree);
    lu_net_pack(dqn->net);
    lu_net_pack(dqn->target);
    return LU_OK;
}
