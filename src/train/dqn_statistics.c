/* What an update of DQN tells: sums of shards and minibatches, added in their order, as means. */
#include "dqn_inside.h"

#include "ludus/hash.h"

#include <math.h>

void dqn_note_minibatch(const lu_dqn *d, lu_dqn_stats *s) {
    for (int i = 0; i < d->mini.gradients; i++) {
        const dqn_loss *sums = &d->mini.sums[i];
        s->loss += sums->loss;
        s->td_error += sums->error;
        s->q += sums->q;
        s->target += sums->target;
    }
    s->norm += d->mini.norm;
    s->minibatches++;
}

/* Episodes enter the window in the order of steps, then rows. */
void dqn_note_round(lu_dqn *d) {
    size_t places = (size_t)d->config.horizon * (size_t)d->rows;
    for (size_t i = 0; i < places; i++) {
        if (!isnan(d->scratch.finals[i])) {
            d->window.at[d->window.count++ % LU_RECENT_EPISODES] = (double)d->scratch.finals[i];
        }
    }
}

static void add_shard(const lu_dqn *d, const dqn_sums *from, dqn_sums *to) {
    to->episodes += from->episodes;
    to->returns += from->returns;
    to->lengths += from->lengths;
    to->endings += from->endings;
    to->ticks += from->ticks;
    to->truncated += from->truncated;
    to->illegal += from->illegal;
    to->reward += from->reward;
    to->reward_square += from->reward_square;
    to->infer += from->infer;
    to->choose += from->choose;
    to->play += from->play;
    for (int i = 0; i < d->game->terms; i++) {
        to->term[i] += from->term[i];
    }
    for (int i = 0; i < d->game->infos; i++) {
        to->info[i] += from->info[i];
    }
}

static void recent_mean(const lu_dqn *d, lu_dqn_stats *s) {
    s->recent = d->window.count < LU_RECENT_EPISODES ? d->window.count : LU_RECENT_EPISODES;
    for (int64_t i = 0; i < s->recent; i++) {
        s->recent_return += d->window.at[i];
    }
    s->recent_return /= s->recent ? (double)s->recent : 1.0;
}

static void learned_means(const lu_dqn *d, lu_dqn_stats *s) {
    double minibatches = s->minibatches ? (double)s->minibatches : 1.0;
    double rows = minibatches * (double)d->config.minibatch;
    s->loss /= rows;
    s->td_error /= rows;
    s->q /= rows;
    s->target /= rows;
    s->norm /= minibatches;
}

void dqn_statistics(lu_dqn *d, lu_dqn_stats *s) {
    dqn_sums all = {0};
    for (int i = 0; i < d->shards; i++) {
        add_shard(d, &d->shard[i].sums, &all);
    }
    recent_mean(d, s);
    learned_means(d, s);
    double rows = (double)lu_dqn_batch(d) * (double)d->learners;
    double episodes = all.episodes > 0.0 ? all.episodes : 1.0;
    double endings = all.endings > 0.0 ? all.endings : 1.0;
    double threads = (double)lu_pool_threads(d->pool);
    s->updates = d->updates;
    s->steps = d->steps;
    s->gradient_steps = d->gradient_steps;
    s->target_moves = d->target_moves;
    s->remembered = d->buffer.tree.used;
    s->rate = d->coefficient[DQN_RATE];
    s->epsilon = d->epsilon;
    s->beta = d->coefficient[DQN_BETA];
    s->episodes = (int64_t)all.episodes;
    s->episode_return = all.returns / episodes;
    s->episode_length = all.lengths / episodes;
    s->reward = all.reward / rows;
    s->reward_square = all.reward_square / rows;
    for (int i = 0; i < d->game->terms; i++) {
        s->term[i] = all.term[i] / rows;
    }
    s->endings = (int64_t)all.endings;
    for (int i = 0; i < d->game->infos; i++) {
        s->info[i] = all.info[i] / endings;
    }
    s->ticks = (int64_t)all.ticks;
    s->truncated = (int64_t)all.truncated;
    s->illegal = (int64_t)all.illegal;
    s->infer = all.infer / threads;
    s->choose = all.choose / threads;
    s->play = all.play / threads;
}

uint64_t lu_dqn_hash(const lu_dqn *d) {
    const dqn_buffer *r = &d->buffer;
    size_t parameters = lu_net_parameters(d->net) * sizeof(float);
    size_t all = (size_t)r->rows * (size_t)r->slots;
    uint64_t hash = lu_hash(lu_net_block(d->net), parameters, (uint64_t)d->updates);
    hash = lu_hash(lu_net_block(d->target), parameters, hash);
    hash = lu_hash(d->optimiser.first, parameters, hash);
    hash = lu_hash(d->optimiser.second, parameters, hash);
    hash = lu_hash(d->rng, (size_t)d->rows * sizeof *d->rng, hash);
    size_t moments = (size_t)d->normaliser.length * sizeof(double);
    hash = lu_hash(d->normaliser.mean, moments, hash);
    hash = lu_hash(d->normaliser.square, moments, hash);
    hash = lu_hash(r->observation, all * (size_t)r->sight * sizeof(float), hash);
    hash = lu_hash(r->legal, all * (size_t)r->mask, hash);
    hash = lu_hash(r->actions, all * (size_t)r->heads * sizeof *r->actions, hash);
    hash = lu_hash(r->gain, all * sizeof *r->gain, hash);
    hash = lu_hash(r->discount, all * sizeof *r->discount, hash);
    hash = lu_hash(r->tree.sum + r->tree.leaves, all * sizeof *r->tree.sum, hash);
    return hash ^ lu_vec_hash(d->vec);
}
