/* What an update tells: sums of the shards, added in their order, as means. */
#include "ppo_inside.h"

#include "ludus/hash.h"

/* Episodes enter the window in the order of steps, then rows. */
static void add_window(lu_train *t) {
    for (int step = 0; step < t->config.horizon; step++) {
        size_t at = (size_t)step * (size_t)t->rows;
        for (int row = 0; row < t->rows; row++) {
            if (t->batch.flags[at + (size_t)row] & FLAG_ENDED) {
                t->window.at[t->window.count++ % LU_RECENT_EPISODES] =
                    (double)t->batch.finals[at + (size_t)row];
            }
        }
    }
}

static void add_shard(const lu_train *t, const train_sums *from, train_sums *to) {
    to->episodes += from->episodes;
    to->returns += from->returns;
    to->lengths += from->lengths;
    to->endings += from->endings;
    to->ticks += from->ticks;
    to->truncated += from->truncated;
    to->illegal += from->illegal;
    to->reward += from->reward;
    to->reward_square += from->reward_square;
    to->advantage += from->advantage;
    to->advantage_square += from->advantage_square;
    to->acting += from->acting;
    to->target += from->target;
    to->target_square += from->target_square;
    to->miss += from->miss;
    to->miss_square += from->miss_square;
    to->infer += from->infer;
    to->choose += from->choose;
    to->play += from->play;
    for (int i = 0; i < t->game->terms; i++) {
        to->term[i] += from->term[i];
    }
    for (int i = 0; i < t->game->infos; i++) {
        to->info[i] += from->info[i];
    }
}

/* Variance from sums over `count` numbers, not below 0. */
static double variance_of(double count, double sum, double square) {
    double variance = count > 0.0 ? (square - sum * sum / count) / count : 0.0;
    return variance > 0.0 ? variance : 0.0;
}

static void recent_mean(const lu_train *t, lu_train_stats *s) {
    s->recent = t->window.count < LU_RECENT_EPISODES ? t->window.count : LU_RECENT_EPISODES;
    for (int64_t i = 0; i < s->recent; i++) {
        s->recent_return += t->window.at[i];
    }
    s->recent_return /= s->recent ? (double)s->recent : 1.0;
}

void train_statistics(lu_train *t, lu_train_stats *s) {
    train_sums all = {0};
    for (int i = 0; i < t->shards; i++) {
        add_shard(t, &t->shard[i].sums, &all);
    }
    add_window(t);
    recent_mean(t, s);
    double rows = (double)t->rows * (double)t->config.horizon;
    double episodes = all.episodes > 0.0 ? all.episodes : 1.0;
    double endings = all.endings > 0.0 ? all.endings : 1.0;
    double threads = (double)lu_pool_threads(t->pool);
    s->updates = t->updates;
    s->steps = t->steps;
    s->episodes = (int64_t)all.episodes;
    s->episode_return = all.returns / episodes;
    s->episode_length = all.lengths / episodes;
    s->reward = all.reward / rows;
    s->reward_square = all.reward_square / rows;
    for (int i = 0; i < t->game->terms; i++) {
        s->term[i] = all.term[i] / rows;
    }
    s->endings = (int64_t)all.endings;
    for (int i = 0; i < t->game->infos; i++) {
        s->info[i] = all.info[i] / endings;
    }
    s->ticks = (int64_t)all.ticks;
    s->truncated = (int64_t)all.truncated;
    s->illegal = (int64_t)all.illegal;
    double spread = variance_of(rows, all.target, all.target_square);
    s->explained = spread > 0.0 ? 1.0 - variance_of(rows, all.miss, all.miss_square) / spread : 0.0;
    s->value_bias = -all.miss / rows;
    double acting = all.acting > 0.0 ? all.acting : 1.0;
    s->advantage_mean = all.advantage / acting;
    s->advantage_std = __builtin_sqrt(variance_of(all.acting, all.advantage, all.advantage_square));
    s->rate = t->coefficient[TRAIN_RATE];
    s->entropy_cost = t->coefficient[TRAIN_ENTROPY];
    s->clip = t->coefficient[TRAIN_CLIP];
    s->return_scale = (double)t->return_scale;
    s->infer = all.infer / threads;
    s->choose = all.choose / threads;
    s->play = all.play / threads;
}

uint64_t lu_train_hash(const lu_train *t) {
    size_t parameters = lu_net_parameters(t->net) * sizeof(float);
    uint64_t hash = lu_hash(lu_net_block(t->net), parameters, (uint64_t)t->updates);
    hash = lu_hash(t->optimiser.first, parameters, hash);
    hash = lu_hash(t->optimiser.second, parameters, hash);
    hash = lu_hash(t->rng, (size_t)t->rows * sizeof *t->rng, hash);
    hash = lu_hash(t->now, (size_t)t->rows * t->memory * sizeof *t->now, hash);
    size_t moments = (size_t)t->normaliser.length * sizeof(double);
    hash = lu_hash(t->normaliser.mean, moments, hash);
    hash = lu_hash(t->normaliser.square, moments, hash);
    moments = (size_t)t->critic_normaliser.length * sizeof(double);
    hash = lu_hash(t->critic_normaliser.mean, moments, hash);
    hash = lu_hash(t->critic_normaliser.square, moments, hash);
    hash = lu_hash(&t->return_square, sizeof t->return_square, hash);
    return hash ^ lu_vec_hash(t->vec);
}
