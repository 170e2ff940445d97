/* The trials of a sweep round by round, by one process or by ranks: see sweep.h. A rank trains its
 * share of a round; then all know all of it, and rank 0 keeps it. */
#include "sweep_internal.h"

#include <stdlib.h>
#include <string.h>

/* A trial of a round on its way between ranks. */
typedef struct ended {
    lu_trial trial;
    lu_error why;
} ended;

static int ranks_of(const lu_sweep_course *c) {
    return c->comm ? c->comm->ranks : 1;
}

/* The first of `count` trials of a round that a rank trains. */
static int rank_first(const lu_sweep_course *c, int rank, int count) {
    return (int)((int64_t)count * rank / ranks_of(c));
}

/* Ranks behind the first have no folder: they are told what it holds. */
static lu_status share_trials(const lu_sweep_course *c, lu_error *error) {
    lu_sweep *s = c->sweep;
    lu_status status = LU_OK;
    int count = s->count;
    if (!c->comm) {
        return LU_OK;
    }
    c->comm->spread(c->comm->context, &count, sizeof count);
    lu_trial *trials = lu_alloc_zero((size_t)count + 1, sizeof *trials);
    if (c->comm->rank == 0 && count > 0) {
        memcpy(trials, s->trials, (size_t)count * sizeof *trials);
    }
    c->comm->spread(c->comm->context, trials, (size_t)count * sizeof *trials);
    for (int i = s->count; i < count && status == LU_OK; i++) {
        status = lu_sweep_add(s, &trials[i], "", error);
    }
    free(trials);
    return status;
}

static lu_status train_share(const lu_sweep_course *c, ended *round, int from, int to,
                             lu_error *error) {
    const lu_sweep *s = c->sweep;
    lu_status status = LU_OK;
    for (int i = from; i < to && status == LU_OK; i++) {
        lu_sweep_propose(s->space, &s->plan, s->trials, s->count + i, &round[i].trial);
        status = c->begins(c->context, round[i].trial.number)
                     ? lu_sweep_train(s, c->settings, c->threads, c->memory, &round[i].trial,
                                      c->watch, c->context, &round[i].why, error)
                     : lu_fail(error, LU_INTERRUPTED, "interrupted");
    }
    return status;
}

static lu_status share_round(const lu_sweep_course *c, ended *round, int count, lu_status status,
                             lu_error *error) {
    if (!c->comm) {
        return status;
    }
    LU_TRY(lu_comm_agree(c->comm, status, error));
    size_t ranks = (size_t)c->comm->ranks;
    size_t *at = lu_alloc_zero(2 * ranks, sizeof *at), *bytes = at + ranks;
    for (int r = 0; r < c->comm->ranks; r++) {
        int first = rank_first(c, r, count), end = rank_first(c, r + 1, count);
        at[r] = (size_t)first * sizeof *round;
        bytes[r] = (size_t)(end - first) * sizeof *round;
    }
    c->comm->share(c->comm->context, round, at, bytes);
    free(at);
    return LU_OK;
}

/* Alone a trial is kept as soon as it ended; ranks keep a round. */
static int round_size(const lu_sweep_course *c) {
    const lu_sweep *s = c->sweep;
    int together = s->plan.together > 1 ? s->plan.together : 1;
    int left = together - s->count % together, wanted = c->trials - s->count;
    left = c->comm ? left : 1;
    return left < wanted ? left : wanted;
}

lu_status lu_sweep_go(const lu_sweep_course *c, lu_error *error) {
    lu_sweep *s = c->sweep;
    lu_status status = share_trials(c, error);
    int rank = c->comm ? c->comm->rank : 0;
    while (status == LU_OK && s->count < c->trials) {
        int count = round_size(c);
        ended *round = lu_alloc_zero((size_t)count, sizeof *round);
        status = train_share(c, round, rank_first(c, rank, count), rank_first(c, rank + 1, count),
                             error);
        status = share_round(c, round, count, status, error);
        for (int i = 0; i < count && status == LU_OK; i++) {
            status = lu_sweep_add(s, &round[i].trial, round[i].why.text, error);
            LU_THEN(status, c->told(c->context, &round[i].trial, round[i].why.text, error));
        }
        status = lu_comm_agree(c->comm, status, error);
        free(round);
    }
    return status;
}
