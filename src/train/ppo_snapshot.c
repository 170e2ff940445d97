/* What of a PPO trainer goes on: the list of it for exact resume, and its hash. */
#include "ppo_internal.h"

#include "ludus/hash.h"
#include "ludus/win_rate.h"

void ppo_walk(walk *w, lu_trainer *trainer) {
    ppo_trainer *t = ppo_of(trainer);
    walk_piece(w, &t->base.updates, sizeof t->base.updates);
    walk_piece(w, &t->base.steps, sizeof t->base.steps);
    walk_piece(w, &t->base.recent, sizeof t->base.recent);
    walk_learned(w, t->base.net, &t->base.optimiser);
    walk_normaliser(w, &t->base.normaliser);
    walk_normaliser(w, &t->base.critic_normaliser);
    walk_piece(w, &t->return_count, sizeof t->return_count);
    walk_piece(w, &t->return_mean, sizeof t->return_mean);
    walk_piece(w, &t->return_square, sizeof t->return_square);
    walk_piece(w, &t->return_scale, sizeof t->return_scale);
    ppo_win_walk(w, t);
}

void ppo_walk_part(walk *w, lu_trainer *trainer) {
    ppo_trainer *t = ppo_of(trainer);
    size_t rows = (size_t)t->base.room, full = (size_t)t->base.full;
    size_t last = (size_t)t->base.horizon * (size_t)t->base.rows;
    walk_piece(w, t->base.rng, rows * sizeof *t->base.rng);
    walk_piece(w, t->now, rows * t->memory * sizeof *t->now);
    walk_piece(w, t->base.returns, rows * sizeof *t->base.returns);
    walk_piece(w, t->base.lengths, rows * sizeof *t->base.lengths);
    walk_piece(w, t->discounted, rows * sizeof *t->discounted);
    /* what the next rollout begins with */
    if (t->base.frames.depth == 1) {
        walk_piece(w, ppo_slot(t, t->base.horizon),
                   full * (size_t)t->base.observation * sizeof(float));
    }
    walk_piece(w, ppo_critic_slot(t, t->base.horizon), full * (size_t)t->critic * sizeof(float));
    walk_piece(w, t->batch.flags + last, rows);
    walk_piece(w, t->base.scratch.mask, full * (size_t)t->base.mask);
    walk_piece(w, t->base.scratch.to_move, (size_t)t->base.environments);
}

void ppo_walk_weights(walk *w, lu_trainer *trainer) {
    ppo_trainer *t = ppo_of(trainer);
    walk_piece(w, &t->base.updates, sizeof t->base.updates);
    walk_piece(w, &t->base.steps, sizeof t->base.steps);
    walk_piece(w, lu_net_block(t->base.net), lu_net_parameters(t->base.net) * sizeof(float));
    walk_normaliser(w, &t->base.normaliser);
    walk_normaliser(w, &t->base.critic_normaliser);
    walk_piece(w, &t->return_count, sizeof t->return_count);
    walk_piece(w, &t->return_mean, sizeof t->return_mean);
    walk_piece(w, &t->return_square, sizeof t->return_square);
    walk_piece(w, &t->return_scale, sizeof t->return_scale);
}

/* What playing leaves for learning; what only the next rollout needs stays with the player. */
void ppo_walk_batch(walk *w, lu_trainer *trainer) {
    ppo_trainer *t = ppo_of(trainer);
    const ppo_batch *b = &t->batch;
    size_t steps = (size_t)trainer->horizon, rows = (size_t)trainer->room, all = steps * rows;
    size_t segments = steps / (size_t)t->config.segment;
    walk_piece(w, b->observation, steps * b->slot * sizeof(float));
    walk_piece(w, b->critic, steps * b->critic_slot * sizeof(float));
    walk_piece(w, b->legal, all * (size_t)trainer->mask);
    walk_piece(w, b->actions, all * (size_t)trainer->heads * sizeof *b->actions);
    walk_piece(w, b->log_probability, all * sizeof(float));
    walk_piece(w, b->reward, all * sizeof(float));
    walk_piece(w, b->final_value, all * sizeof(float));
    walk_piece(w, b->value, (all + rows) * sizeof(float));
    walk_piece(w, b->flags, all);
    walk_piece(w, b->memory, segments * rows * t->memory * sizeof(float));
    walk_piece(w, b->ticks, trainer->game->tick_discount ? all * sizeof *b->ticks : 0);
    walk_piece(w, t->win.outcome, t->win.on ? all : 0);
    walk_piece(w, trainer->scratch.finals, all * sizeof(float));
    for (int i = 0; i < trainer->shards; i++) {
        ppo_shard *s = &t->shard[i];
        walk_piece(w, &trainer->shard[i].sums, sizeof trainer->shard[i].sums);
        walk_piece(w, &s->judged, sizeof s->judged);
        walk_piece(w, s->moments[0], 2 * (size_t)trainer->inputs * sizeof(double));
        walk_piece(w, s->moments[1], 2 * (size_t)t->critic * sizeof(double));
    }
    size_t met = (size_t)trainer->shards * (size_t)trainer->roster.members;
    walk_piece(w, trainer->roster.met, met * sizeof *trainer->roster.met);
}

uint64_t ppo_hash(const lu_trainer *trainer) {
    const ppo_trainer *t = ppo_of_const(trainer);
    size_t parameters = lu_net_parameters(t->base.net) * sizeof(float);
    uint64_t hash = lu_hash(lu_net_block(t->base.net), parameters, (uint64_t)t->base.updates);
    hash = lu_hash(t->base.optimiser.first, parameters, hash);
    hash = lu_hash(t->base.optimiser.second, parameters, hash);
    size_t moments = (size_t)t->base.normaliser.length * sizeof(double);
    hash = lu_hash(t->base.normaliser.mean, moments, hash);
    hash = lu_hash(t->base.normaliser.square, moments, hash);
    moments = (size_t)t->base.critic_normaliser.length * sizeof(double);
    hash = lu_hash(t->base.critic_normaliser.mean, moments, hash);
    hash = lu_hash(t->base.critic_normaliser.square, moments, hash);
    if (t->win.on) {
        size_t bytes = lu_win_rate_count(t->base.observation) * sizeof(float);
        hash = lu_hash(t->win.parameters, bytes, hash);
    }
    return lu_hash(&t->return_square, sizeof t->return_square, hash);
}

uint64_t ppo_hash_part(const lu_trainer *trainer) {
    const ppo_trainer *t = ppo_of_const(trainer);
    uint64_t hash = lu_hash(t->base.rng, (size_t)t->base.rows * sizeof *t->base.rng, 0);
    return lu_hash(t->now, (size_t)t->base.rows * t->memory * sizeof *t->now, hash);
}
