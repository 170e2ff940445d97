/* Several ranks give the bits of one: ranks are threads here, each with a trainer of its own. */
#include "ppo_internal.h"
#include "probe_test.h"

#include "test.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { RANKS = 4 };

/* ---- a comm of threads ---- */

typedef struct slot {
    const void *block;
    const size_t *at;
} slot;

typedef struct world {
    pthread_barrier_t barrier;
    slot slot[RANKS];
} world;

typedef struct member {
    world *world;
    lu_comm comm;
} member;

static void meet(member *m) {
    pthread_barrier_wait(&m->world->barrier);
}

static void tell(member *m, const void *block, const size_t *at) {
    m->world->slot[m->comm.rank] = (slot){block, at};
    meet(m);
}

static void share(void *context, void *block, const size_t *at, const size_t *bytes) {
    member *m = context;
    tell(m, block, at);
    for (int r = 0; r < m->comm.ranks; r++) {
        if (r != m->comm.rank && bytes[r] > 0) {
            memcpy((char *)block + at[r], (const char *)m->world->slot[r].block + at[r], bytes[r]);
        }
    }
    meet(m);
}

static void exchange(void *context, const void *from, const size_t *from_at,
                     const size_t *from_bytes, void *to, const size_t *to_at,
                     const size_t *to_bytes) {
    member *m = context;
    (void)from_bytes;
    tell(m, from, from_at);
    for (int r = 0; r < m->comm.ranks; r++) {
        const slot *s = &m->world->slot[r];
        memcpy((char *)to + to_at[r], (const char *)s->block + s->at[m->comm.rank], to_bytes[r]);
    }
    meet(m);
}

static void spread(void *context, void *block, size_t bytes) {
    member *m = context;
    tell(m, block, NULL);
    if (m->comm.rank != 0 && bytes > 0) {
        memcpy(block, m->world->slot[0].block, bytes);
    }
    meet(m);
}

/* ---- trainings ---- */

typedef struct training {
    const probe_kind *kind;
    int ranks, updates;
    const void *from; /* a snapshot to begin with, or NULL */
    size_t length;
    world world;
    member member[RANKS];
    /* of rank 0 */
    uint64_t hash;
    void *state;
    size_t state_bytes;
    lu_progress progress;
} training;

/* The opponents of a kind that names some; whoever follows hears of them. */
static lu_status seat(lu_trainer *t, lu_error *error) {
    const lu_opponent members[] = {{.name = "self", .share = 1, .self = true},
                                   {.name = "random", .share = 2}};
    return lu_trainer_has_opponents(t) ? lu_trainer_roster(t, members, 2, error) : LU_OK;
}

static void lead(training *all, lu_trainer *t) {
    lu_error error;
    CHECK(seat(t, &error) == LU_OK);
    if (all->from) {
        CHECK(lu_trainer_load(t, all->from, all->length, &error) == LU_OK);
    }
    for (int i = 0; i < all->updates; i++) {
        CHECK(lu_trainer_update(t, &all->progress, &error) == LU_OK);
    }
    all->hash = lu_trainer_hash(t);
    all->state_bytes = lu_trainer_snapshot_bytes(t);
    all->state = malloc(all->state_bytes);
    lu_trainer_save(t, all->state);
}

typedef struct seat_of_rank {
    training *all;
    int rank;
} seat_of_rank;

static void *run_rank(void *argument) {
    const seat_of_rank *s = argument;
    training *all = s->all;
    lu_error error;
    probe p;
    char line[400];
    snprintf(line, sizeof line, "%s train.steps=1M train.threads=%d", all->kind->settings,
             1 + s->rank % 2);
    if (!(probe_ppo.open(&p, all->kind->game, line))) {
        CHECK(!"a rank could not begin");
        return NULL;
    }
    const lu_game *game = lu_net_game(lu_trainer_net(p.train));
    lu_trainer *t = lu_ppo_new_shared(game, p.settings, NULL, &all->member[s->rank].comm, &error);
    if (!(t != NULL)) {
        CHECK(!"a rank could not begin");
        return NULL;
    }
    t->shared_work = 0.0;
    if (s->rank == 0) {
        lead(all, t);
    } else {
        lu_trainer_follow(t);
    }
    lu_trainer_delete(t);
    probe_close(&p);
    return NULL;
}

static void run_training(training *all) {
    pthread_t thread[RANKS];
    seat_of_rank seats[RANKS];
    pthread_barrier_init(&all->world.barrier, NULL, (unsigned)all->ranks);
    for (int r = 0; r < all->ranks; r++) {
        all->member[r] =
            (member){&all->world, {r, all->ranks, &all->member[r], share, exchange, spread}};
        seats[r] = (seat_of_rank){all, r};
        pthread_create(&thread[r], NULL, run_rank, &seats[r]);
    }
    for (int r = 0; r < all->ranks; r++) {
        pthread_join(thread[r], NULL);
    }
    pthread_barrier_destroy(&all->world.barrier);
}

static const probe_kind kinds[] = {
    {"twostep", "train.parts=4 train.normalise_observation=true train.normalise_return=true "
                "train.epochs=2"},
    {"tmaze", "train.parts=3 train.environments=36 net.memory=mingru train.prioritise=0.8 "
              "train.optimiser=muon"},
    {"pennies", "train.parts=4 train.recompute=true train.normalise_advantage=batch "
                "train.opponents=self:1,random:1"},
};

TEST(parts_on_any_number_of_ranks_give_the_same_bits) {
    for (size_t k = 0; k < sizeof kinds / sizeof kinds[0]; k++) {
        training one = {.kind = &kinds[k], .ranks = 1, .updates = 3};
        run_training(&one);
        int parts = kinds[k].settings[12] - '0';
        for (int ranks = 2; ranks <= parts; ranks++) {
            training many = {.kind = &kinds[k], .ranks = ranks, .updates = 3};
            run_training(&many);
            CHECK_HEX(many.hash, one.hash);
            CHECK_INT(many.state_bytes, one.state_bytes);
            CHECK(memcmp(many.state, one.state, one.state_bytes) == 0);
            CHECK(many.progress.recent_return == one.progress.recent_return);
            CHECK(many.progress.episode_return == one.progress.episode_return);
            CHECK_INT(many.progress.steps, one.progress.steps);
            free(many.state);
        }
        free(one.state);
    }
}

TEST(a_snapshot_goes_on_with_another_number_of_ranks) {
    training whole = {.kind = &kinds[2], .ranks = 2, .updates = 4};
    training first = {.kind = &kinds[2], .ranks = 3, .updates = 2};
    run_training(&whole);
    run_training(&first);
    training rest = {.kind = &kinds[2],
                     .ranks = 4,
                     .updates = 2,
                     .from = first.state,
                     .length = first.state_bytes};
    run_training(&rest);
    CHECK_HEX(rest.hash, whole.hash);
    free(whole.state);
    free(first.state);
    free(rest.state);
}

TEST(more_ranks_than_parts_are_refused) {
    lu_error error;
    probe p;
    NEED(probe_ppo.open(&p, "twostep", "train.parts=2"));
    const lu_game *game = lu_net_game(lu_trainer_net(p.train));
    lu_comm comm = {.rank = 2, .ranks = 3};
    CHECK(lu_ppo_new_shared(game, p.settings, NULL, &comm, &error) == NULL);
    CHECK(strstr(error.text, "3 ranks share 2 parts") != NULL);
    probe_close(&p);
}
