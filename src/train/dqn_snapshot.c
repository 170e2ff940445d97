/* What of a DQN trainer goes on, the buffer included: the list of it for exact resume, and its
 * hash.
 */
#include "dqn_internal.h"

#include "ludus/hash.h"

/* The whole rings, filled or not; of the tree only the leaves, from which the rest follows. */
static void walk_buffer(walk *w, dqn_buffer *r) {
    size_t rows = (size_t)r->rows, all = rows * (size_t)r->slots;
    walk_piece(w, r->observation, all * (size_t)r->observed * sizeof *r->observation);
    walk_piece(w, r->legal, all * (size_t)r->mask);
    walk_piece(w, r->force, all * (size_t)r->forced);
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

void dqn_walk(walk *w, lu_trainer *trainer) {
    dqn_trainer *d = dqn_of(trainer);
    size_t rows = (size_t)d->base.rows, full = (size_t)d->base.full;
    walk_piece(w, &d->base.updates, sizeof d->base.updates);
    walk_piece(w, &d->base.steps, sizeof d->base.steps);
    walk_piece(w, &d->gradient_steps, sizeof d->gradient_steps);
    walk_piece(w, &d->target_moves, sizeof d->target_moves);
    walk_piece(w, &d->top, sizeof d->top);
    walk_piece(w, &d->base.recent, sizeof d->base.recent);
    walk_learned(w, d->base.net, &d->base.optimiser);
    walk_piece(w, lu_net_block(d->target), lu_net_parameters(d->base.net) * sizeof(float));
    walk_normaliser(w, &d->base.normaliser);
    walk_piece(w, d->base.rng, rows * sizeof *d->base.rng);
    walk_piece(w, d->base.returns, rows * sizeof *d->base.returns);
    walk_piece(w, d->base.lengths, rows * sizeof *d->base.lengths);
    /* what the next round begins with */
    walk_piece(w, d->observation, full * (size_t)d->base.observation * sizeof(float));
    walk_piece(w, d->base.scratch.mask, full * (size_t)d->base.mask);
    walk_buffer(w, &d->buffer);
}

void dqn_loaded(lu_trainer *trainer) {
    dqn_trainer *d = dqn_of(trainer);
    sum_tree_build(&d->buffer.tree);
    lu_net_pack(d->target);
}

uint64_t dqn_hash(const lu_trainer *trainer) {
    const dqn_trainer *d = dqn_of_const(trainer);
    const dqn_buffer *r = &d->buffer;
    size_t parameters = lu_net_parameters(d->base.net) * sizeof(float);
    size_t all = (size_t)r->rows * (size_t)r->slots;
    uint64_t hash = lu_hash(lu_net_block(d->base.net), parameters, (uint64_t)d->base.updates);
    hash = lu_hash(lu_net_block(d->target), parameters, hash);
    hash = lu_hash(d->base.optimiser.first, parameters, hash);
    hash = lu_hash(d->base.optimiser.second, parameters, hash);
    hash = lu_hash(d->base.rng, (size_t)d->base.rows * sizeof *d->base.rng, hash);
    size_t moments = (size_t)d->base.normaliser.length * sizeof(double);
    hash = lu_hash(d->base.normaliser.mean, moments, hash);
    hash = lu_hash(d->base.normaliser.square, moments, hash);
    hash = lu_hash(r->observation, all * (size_t)r->observed * sizeof(float), hash);
    hash = lu_hash(r->legal, all * (size_t)r->mask, hash);
    hash = lu_hash(r->actions, all * (size_t)r->heads * sizeof *r->actions, hash);
    hash = lu_hash(r->gain, all * sizeof *r->gain, hash);
    hash = lu_hash(r->discount, all * sizeof *r->discount, hash);
    return lu_hash(r->tree.sum + r->tree.leaves, all * sizeof *r->tree.sum, hash);
}
