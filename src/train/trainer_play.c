/* Notes of what is played, whatever is learned from it: the buffers of a step, sums of rows and
 * environments, ends of episodes, and the metrics of an update made of them. Sums are of a shard,
 * and are added in the order of shards. */
#include "trainer.h"

#include "ludus/math.h"

#include <math.h>
#include <string.h>

lu_buffers train_buffers(const lu_trainer *t) {
    const train_scratch *s = &t->scratch;
    return (lu_buffers){
        .actions = s->actions,
        .mask = s->mask,
        .reward = s->reward,
        .terms = s->terms,
        .terminated = s->terminated,
        .truncated = s->truncated,
        .illegal = s->illegal,
        .ticks = s->ticks,
        .to_move = t->turns ? s->to_move : NULL,
        .final_observation = t->bootstrap ? s->final_observation : NULL,
        .final_info = s->final_info,
    };
}

static lu_status first_failed(lu_trainer *t,
                              void (*save)(lu_trainer *trainer, int shard, lu_error *error),
                              lu_error *error) {
    for (int i = 0; i < t->shards; i++) {
        lu_error *failed = &t->shard[i].error;
        if (t->shard[i].status == LU_OK) {
            continue;
        }
        if (failed->status == LU_DIVERGED && *t->save_failed) {
            save(t, i, failed);
        }
        return lu_fail(error, failed->status, "%s", failed->text);
    }
    return LU_OK;
}

int train_shard_at(const lu_trainer *t, int place) {
    int threads = lu_pool_threads(t->pool), run = place % threads;
    int length = t->shards / threads, longer = t->shards % threads; /* of a run, how many more */
    return run * length + at_most(run, longer) + place / threads;
}

lu_status train_play(lu_trainer *t, lu_pool_job *job, int jobs,
                     void (*save)(lu_trainer *trainer, int shard, lu_error *error),
                     lu_error *error) {
    double rows = (double)t->rows * (double)t->horizon;
    for (int m = 0; m < t->mates; m++) {
        atomic_store(&t->mate[m]->stop, false);
    }
    train_run_parts(t, job, jobs, rows * (2.0 * (double)lu_net_parameters(t->net) + 5000.0));
    lu_status status = LU_OK;
    for (int m = 0; m < t->mates && status == LU_OK; m++) {
        status = first_failed(t->mate[m], save, error);
    }
    return lu_comm_agree(t->comm, status, error);
}

/* ---- after a step ---- */

int train_ends(const lu_trainer *t, int environment) {
    bool over = t->scratch.terminated[environment], cut = t->scratch.truncated[environment];
    bool goes_on = cut && t->bootstrap;
    return over || (cut && !goes_on) ? LU_END_TERMINATED : goes_on ? LU_END_TRUNCATED : 0;
}

double train_discount(const lu_trainer *t, int environment) {
    double gamma = t->coefficient[TRAIN_GAMMA];
    int32_t ticks = t->scratch.ticks[environment];
    return t->game->tick_discount && ticks != 1 ? lu_pow(gamma, (double)ticks) : gamma;
}

void train_note_row(lu_trainer *t, train_sums *sums, int row, size_t full, int step, int ends) {
    const train_scratch *s = &t->scratch;
    double reward = (double)s->reward[full];
    const float *term = s->terms + full * (size_t)t->game->terms;
    sums->reward += reward;
    sums->reward_square += reward * reward;
    for (int i = 0; i < t->game->terms; i++) {
        sums->term[i] += (double)term[i];
    }
    t->returns[row] += reward;
    t->lengths[row] += 1.0;
    float *final = &s->finals[(size_t)step * (size_t)t->rows + (size_t)row];
    *final = NAN;
    if (ends) {
        *final = (float)t->returns[row];
        sums->episodes += 1.0;
        sums->returns += t->returns[row];
        sums->lengths += t->lengths[row];
        t->returns[row] = t->lengths[row] = 0.0;
    }
}

/* What is told of an episode is the mean over the seats that learn. */
static void note_info(const lu_trainer *t, train_sums *sums, int environment) {
    unsigned learns = t->learns[environment];
    double seats = (double)__builtin_popcount(learns);
    for (int seat = 0; seat < t->seats; seat++) {
        size_t full = (size_t)(environment * t->seats + seat);
        const double *info = t->scratch.final_info + full * (size_t)t->game->infos;
        for (int i = 0; i < t->game->infos && (learns >> seat & 1); i++) {
            sums->info[i] += info[i] / seats;
        }
    }
}

void train_note_environments(const lu_trainer *t, train_shard *s) {
    for (int e = s->first; e < s->first + s->count; e++) {
        s->sums.ticks += t->scratch.ticks[e];
        s->sums.truncated += t->scratch.truncated[e];
        s->sums.illegal += (t->scratch.illegal[e] & t->learns[e]) != 0;
        if (t->scratch.terminated[e] | t->scratch.truncated[e]) {
            s->sums.endings += 1.0;
            note_info(t, &s->sums, e);
        }
    }
}

static void note_finals(const lu_trainer *t, train_recent *ended) {
    size_t places = (size_t)t->horizon * (size_t)t->rows;
    ended->count = 0;
    for (size_t i = 0; i < places; i++) {
        if (!isnan(t->scratch.finals[i])) {
            ended->at[ended->count++ % LU_RECENT_EPISODES] = (double)t->scratch.finals[i];
        }
    }
}

static void join_recent(train_recent *to, const train_recent *ended) {
    int64_t first = ended->count > LU_RECENT_EPISODES ? ended->count - LU_RECENT_EPISODES : 0;
    to->count += first;
    for (int64_t i = first; i < ended->count; i++) {
        to->at[to->count++ % LU_RECENT_EPISODES] = ended->at[i % LU_RECENT_EPISODES];
    }
}

void train_note_recent(lu_trainer *t) {
    for (int m = 0; m < t->mates; m++) {
        note_finals(t->mate[m], &t->part_recent[t->part + m]);
    }
    train_share(t, t->part_recent, sizeof *t->part_recent);
    for (int p = 0; p < t->parts; p++) {
        join_recent(&t->recent, &t->part_recent[p]);
    }
}

/* ---- metrics ---- */

void train_add(void *to, const void *from, size_t bytes) {
    double *sums = to;
    const double *more = from;
    for (size_t i = 0; i < bytes / sizeof *sums; i++) {
        sums[i] += more[i];
    }
}

void train_figure(lu_progress *p, const char *name, double value) {
    p->figure[p->figures++] = (lu_figure){name, value};
}

void train_part(lu_progress *p, const char *name, double seconds) {
    p->part[p->parts++] = (lu_figure){name, seconds};
}

static void recent_mean(const lu_trainer *t, lu_progress *p) {
    p->recent = t->recent.count < LU_RECENT_EPISODES ? t->recent.count : LU_RECENT_EPISODES;
    for (int64_t i = 0; i < p->recent; i++) {
        p->recent_return += t->recent.at[i];
    }
    p->recent_return /= p->recent ? (double)p->recent : 1.0;
}

/* Sums of the shards of every part, by part. */
static train_sums sum_parts(lu_trainer *t) {
    train_sums all = {0};
    for (int m = 0; m < t->mates; m++) {
        const lu_trainer *mate = t->mate[m];
        train_sums *sums = &t->part_sums[mate->part];
        memset(sums, 0, sizeof *sums);
        for (int i = 0; i < mate->shards; i++) {
            train_add(sums, &mate->shard[i].sums, sizeof *sums);
        }
    }
    train_share(t, t->part_sums, sizeof *t->part_sums);
    for (int part = 0; part < t->parts; part++) {
        train_add(&all, &t->part_sums[part], sizeof all);
    }
    return all;
}

void train_statistics(lu_trainer *t, lu_progress *p) {
    train_sums all = sum_parts(t);
    roster_results(t);
    recent_mean(t, p);
    int64_t steps = t->batch / t->environments;
    double rows = (double)t->rows * (double)steps * (double)t->parts;
    double episodes = all.episodes > 0.0 ? all.episodes : 1.0;
    double endings = all.endings > 0.0 ? all.endings : 1.0;
    double threads = (double)lu_pool_threads(t->pool) * (t->comm ? t->comm->ranks : 1);
    p->updates = t->updates;
    p->steps = t->steps;
    p->steps_per_second = (double)lu_trainer_batch(t) / (p->seconds > 0.0 ? p->seconds : 1e-9);
    p->episodes = (int64_t)all.episodes;
    p->episode_return = all.returns / episodes;
    p->episode_length = all.lengths / episodes;
    p->reward = all.reward / rows;
    p->reward_square = all.reward_square / rows;
    for (int i = 0; i < t->game->terms; i++) {
        p->term[i] = all.term[i] / rows;
    }
    p->endings = (int64_t)all.endings;
    for (int i = 0; i < t->game->infos; i++) {
        p->info[i] = all.info[i] / endings;
    }
    p->ticks = (int64_t)all.ticks;
    p->truncated = (int64_t)all.truncated;
    p->illegal = (int64_t)all.illegal;
    train_figure(p, "reward", p->reward);
    train_part(p, "infer", all.infer / threads);
    train_part(p, "choose", all.choose / threads);
    train_part(p, "play", all.play / threads);
    if (t->comm) {
        train_part(p, "exchange", *t->exchanging);
    }
}
