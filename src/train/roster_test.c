/* Opponents: who gives rows and who does not, shares, sides, the same bits for any number of
 * threads and after a resume, and what is learned from play against a pool that play against
 * oneself does not teach. */
#include "ppo_internal.h"
#include "probe_test.h"

#include <stdlib.h>

/* counted by the linker's wrap: see src/env/alloc_count.c */
uint64_t lu_alloc_count(void);

/* ---- pools ---- */

static const lu_bot *bot_of(const probe *p, const char *name) {
    return lu_game_bot(p->train->game, name);
}

/* Members by name: a bot, "random", "self", or a net of the given kind of memory. */
typedef struct pool {
    lu_opponent member[4];
    int count;
    lu_net *net[4];
    lu_normaliser normaliser;
} pool;

static lu_net *net_of(const probe *p, const char *memory, uint64_t seed) {
    lu_error error;
    lu_settings *settings = lu_settings_copy(p->settings);
    lu_settings_set(settings, "net.memory", memory, LU_FROM_FLAG, "test", &error);
    lu_settings_set(settings, "net.hidden", "16", LU_FROM_FLAG, "test", &error);
    lu_net *net = lu_net_new(p->train->game, LU_NET_POLICY, settings, &error);
    lu_net_init(net, seed);
    lu_net_pack(net);
    lu_settings_delete(settings);
    return net;
}

static void pool_add(pool *l, const probe *p, const char *name, double share) {
    lu_opponent *m = &l->member[l->count];
    *m = (lu_opponent){.name = name, .share = share, .self = strcmp(name, "self") == 0};
    if (strncmp(name, "bot:", 4) == 0) {
        m->bot = bot_of(p, name + 4);
    } else if (strncmp(name, "net:", 4) == 0) {
        m->net = l->net[l->count] = net_of(p, name + 4, 77 + (uint64_t)l->count);
        m->normaliser = l->normaliser.length ? &l->normaliser : NULL;
    }
    l->count++;
}

static void pool_free(pool *l) {
    for (int i = 0; i < l->count; i++) {
        lu_net_delete(l->net[i]);
    }
    lu_normaliser_free(&l->normaliser);
    l->count = 0;
}

/* ---- rows and sides ---- */

TEST(opponents_give_no_rows) {
    probe p;
    pool l = {0};
    NEED(probe_open(&p, "pennies", "train.environments=40 train.opponents=self:1,random:3"));
    CHECK_INT(lu_trainer_rows(p.train), 10 * 2 + 30);
    CHECK_INT(probe_run(&p, 1), LU_BAD_VALUE); /* nobody sits there yet */
    CHECK_HAS(p.error.text, "lu_trainer_roster");
    pool_add(&l, &p, "random", 1.0);
    NEED(lu_trainer_roster(p.train, l.member, l.count, &p.error) == LU_OK);
    CHECK(probe_run(&p, 2) == LU_OK);
    /* an episode is a step: every row ends one in each */
    CHECK_INT(p.stats.episodes, 50 * 16);
    CHECK_INT(p.stats.endings, 40 * 16);
    CHECK_INT(lu_trainer_result(p.train, 0).episodes, 30 * 16);
    CHECK_INT(lu_trainer_result(p.train, 1).episodes, 0);
    /* every environment has its rows, and with an opponent one, on both sides alike */
    const ppo_trainer *t = ppo_of(p.train);
    int rows[40] = {0}, sides[2] = {0};
    for (int row = 0; row < t->base.rows; row++) {
        rows[t->row_env[row]]++;
        CHECK_INT(t->row_full[row], t->row_env[row] * 2 + t->row_seat[row]);
        sides[t->row_seat[row]] += t->row_env[row] >= 10;
    }
    for (int e = 0; e < 40; e++) {
        CHECK_INT(rows[e], e < 10 ? 2 : 1);
    }
    CHECK_INT(sides[0], 15);
    CHECK_INT(sides[1], 15);
    pool_free(&l);
    probe_close(&p);
}

/* The moments of observations are those of rows that learn: the seat that is seen is half 1. */
TEST(opponents_give_no_moments) {
    probe p;
    pool l = {0};
    NEED(probe_open(&p, "pennies",
                    "train.environments=31 train.opponents=random:1 "
                    "train.normalise_observation=true"));
    pool_add(&l, &p, "random", 1.0);
    NEED(lu_trainer_roster(p.train, l.member, l.count, &p.error) == LU_OK);
    CHECK(probe_run(&p, 2) == LU_OK);
    const lu_normaliser *n = lu_trainer_normaliser(p.train);
    CHECK_NEAR(n->count, 2 * 31 * 16, 0.0);
    CHECK_NEAR(n->mean[0], 16.0 / 31.0, 1e-9); /* seat 0 learns in 16 environments, seat 1 in 15 */
    pool_free(&l);
    probe_close(&p);
}

TEST(shares_are_kept) {
    probe p;
    pool l = {0};
    NEED(probe_open(&p, "habit",
                    "train.environments=256 train.opponents=bot:stubborn:1 "
                    "train.steps=1M"));
    pool_add(&l, &p, "bot:stubborn", 6.0);
    pool_add(&l, &p, "bot:fickle", 3.0);
    pool_add(&l, &p, "random", 1.0);
    NEED(lu_trainer_roster(p.train, l.member, l.count, &p.error) == LU_OK);
    double met[3] = {0}, all = 0.0;
    for (int update = 0; update < 20; update++) {
        CHECK(probe_run(&p, 1) == LU_OK);
        for (int m = 0; m < 3; m++) {
            met[m] += (double)lu_trainer_result(p.train, m).episodes;
            all += (double)lu_trainer_result(p.train, m).episodes;
        }
    }
    CHECK_NEAR(all, 20 * 256 * 16 / 8, 0.0);
    CHECK_NEAR(met[0] / all, 0.6, 0.015);
    CHECK_NEAR(met[1] / all, 0.3, 0.015);
    CHECK_NEAR(met[2] / all, 0.1, 0.01);
    pool_free(&l);
    probe_close(&p);
}

/* ---- the same bits ---- */

static const struct {
    const char *game, *settings;
    const char *members[4];
} kinds[] = {
    {"habit",
     "train.environments=70 train.opponents=self:1,bot:fickle:2 train.normalise_observation=true",
     {"bot:stubborn", "net:mingru", "random", "self"}},
    {"habit",
     "train.environments=67 train.opponents=bot:fickle:2 net.memory=lstm train.segment=8 "
     "train.prioritise=0.5",
     {"self", "net:none", "bot:fickle", "net:lstm"}},
    {"turnabout",
     "train.environments=33 train.opponents=self:1,x:1 net.memory=mingru",
     {"random", "net:mingru", "self", NULL}},
    {"pennies",
     "train.environments=150 train.opponents=self:3,x:1 net.precision=bf16 train.epochs=3 "
     "train.recompute=true train.normalise_observation=true",
     {"random", "net:none", NULL, NULL}},
};
enum { KINDS = sizeof kinds / sizeof kinds[0] };

static bool open_kind(probe *p, pool *l, int kind, int threads) {
    char line[400];
    snprintf(line, sizeof line, "train.threads=%d train.steps=1M %s", threads,
             kinds[kind].settings);
    memset(l, 0, sizeof *l);
    if (!probe_open(p, kinds[kind].game, line)) {
        return false;
    }
    p->train->shared_work = 0.0; /* the probes are too small to be shared otherwise */
    lu_normaliser_init(&l->normaliser, p->train->observation);
    float seen[2][16] = {{1.0f, 0.5f}, {-0.5f, 2.0f}};
    lu_normaliser_add(&l->normaliser, 2, seen[0], 16);
    lu_normaliser_freeze(&l->normaliser);
    for (int i = 0; i < 4 && kinds[kind].members[i]; i++) {
        pool_add(l, p, kinds[kind].members[i], 1.0 + i);
    }
    return lu_trainer_roster(p->train, l->member, l->count, &p->error) == LU_OK;
}

static uint64_t hash_after(int kind, int threads, int updates) {
    probe p;
    pool l;
    if (!open_kind(&p, &l, kind, threads)) {
        return (uint64_t)threads;
    }
    CHECK(probe_run(&p, updates) == LU_OK);
    uint64_t hash = lu_trainer_hash(p.train);
    pool_free(&l);
    probe_close(&p);
    return hash;
}

TEST(opponents_are_the_same_for_any_number_of_threads) {
    for (int kind = 0; kind < KINDS; kind++) {
        uint64_t one = hash_after(kind, 1, 6);
        CHECK_HEX(hash_after(kind, 2, 6), one);
        CHECK_HEX(hash_after(kind, 3, 6), one);
        CHECK_HEX(hash_after(kind, 8, 6), one);
    }
}

TEST(a_resumed_run_goes_on_against_the_same_opponents) {
    for (int kind = 0; kind < KINDS; kind++) {
        probe part, rest;
        pool l, other;
        uint64_t whole = hash_after(kind, 1, 5);
        NEED(open_kind(&part, &l, kind, 1));
        CHECK(probe_run(&part, 2) == LU_OK);
        size_t length = lu_trainer_snapshot_bytes(part.train);
        unsigned char *bytes = malloc(length);
        lu_trainer_save(part.train, bytes);
        NEED(open_kind(&rest, &other, kind, 2));
        CHECK(probe_run(&rest, 1) == LU_OK); /* a load replaces whatever was there */
        NEED(lu_trainer_load(rest.train, bytes, length, &rest.error) == LU_OK);
        CHECK(probe_run(&rest, 3) == LU_OK);
        CHECK_HEX(lu_trainer_hash(rest.train), whole);
        /* against others it is another training */
        NEED(lu_trainer_roster(rest.train, other.member, other.count - 1, &rest.error) == LU_OK);
        CHECK_INT(lu_trainer_load(rest.train, bytes, length, &rest.error), LU_OTHER_SPEC);
        free(bytes);
        pool_free(&l);
        pool_free(&other);
        probe_close(&part);
        probe_close(&rest);
    }
}

TEST(an_update_against_opponents_allocates_nothing) {
    for (int kind = 0; kind < KINDS; kind++) {
        probe p;
        pool l;
        NEED(open_kind(&p, &l, kind, 1));
        uint64_t before = lu_alloc_count();
        CHECK(probe_run(&p, 2) == LU_OK);
        CHECK_INT(lu_alloc_count() - before, 0);
        pool_free(&l);
        probe_close(&p);
    }
}

/* ---- what does not fit ---- */

TEST(rosters_that_do_not_fit_are_refused) {
    static const struct {
        const char *text, *says;
    } bad[] = {
        {"random", "NAME:SHARE"}, {"random:0", "NAME:SHARE"},         {":1", "NAME:SHARE"},
        {"random:x", "random:x"}, {"random:1 self:-1", "NAME:SHARE"},
    };
    lu_error error;
    lu_opponent_share list[LU_MAX_OPPONENTS];
    int count;
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        CHECK_INT(lu_opponent_shares_read("train.opponents", bad[i].text, list, &count, &error),
                  LU_BAD_VALUE);
        CHECK_HAS(error.text, bad[i].says);
    }
    NEED(lu_opponent_shares_read("k", " a b", list, &count, &error) != LU_OK);
    NEED(lu_opponent_shares_read("k", "bot:x:0.5, RUN:7:2", list, &count, &error) == LU_OK);
    CHECK_INT(count, 2);
    CHECK_TEXT(list[1].name, "RUN:7");
    CHECK_NEAR(list[0].share, 0.5, 0.0);

    lu_settings *settings = lu_game_settings(lu_game_find("choice", &error));
    lu_settings_add(settings, lu_ppo_table);
    lu_settings_add(settings, lu_net_table);
    NEED(lu_settings_set_pair(settings, "train.opponents=random:1", LU_FROM_FLAG, "t", &error) ==
         LU_OK);
    lu_training_need need;
    CHECK_INT(lu_ppo_bytes_needed(lu_game_find("choice", &error), settings, &need, &error),
              LU_BAD_VALUE);
    CHECK_HAS(error.text, "one seat");
    lu_settings_delete(settings);

    probe p;
    NEED(probe_open(&p, "pennies", "train.opponents=self:1"));
    lu_opponent who = {.name = "random", .share = 1.0};
    CHECK_INT(lu_trainer_roster(p.train, &who, 1, &p.error), LU_BAD_VALUE);
    probe_close(&p);
}

/* ---- learning ---- */

/* Mean reward of a round against the pool, of a trainer whose net has the parameters of another:
 * the first rollout of an update is played before anything is learned. */
static double against_pool(const float *parameters) {
    probe p;
    pool l = {0};
    if (!probe_open(&p, "habit", "train.environments=512 train.opponents=bot:x:1")) {
        return 0.0;
    }
    lu_net *net = lu_trainer_net(p.train);
    memcpy(lu_net_block(net), parameters, lu_net_parameters(net) * sizeof(float));
    lu_net_pack(net);
    pool_add(&l, &p, "bot:stubborn", 1.0);
    pool_add(&l, &p, "bot:fickle", 1.0);
    CHECK(lu_trainer_roster(p.train, l.member, l.count, &p.error) == LU_OK);
    CHECK(probe_run(&p, 1) == LU_OK);
    pool_free(&l);
    probe_close(&p);
    return p.stats.reward;
}

static double trained(const char *opponents) {
    probe p;
    pool l = {0};
    char line[200];
    snprintf(line, sizeof line, "train.steps=120000 train.entropy=0.1 %s", opponents);
    if (!probe_open(&p, "habit", line)) {
        return 0.0;
    }
    pool_add(&l, &p, "bot:stubborn", 1.0);
    pool_add(&l, &p, "bot:fickle", 1.0);
    if (*opponents) {
        CHECK(lu_trainer_roster(p.train, l.member, l.count, &p.error) == LU_OK);
    }
    CHECK(probe_run(&p, 0) == LU_OK);
    double reward = against_pool(lu_net_block(lu_trainer_net(p.train)));
    pool_free(&l);
    probe_close(&p);
    return reward;
}

/* Six of eight rounds can be won against either habit, and none by chance. */
TEST(a_pool_teaches_what_self_play_does_not) {
    double pool_trained = trained("train.opponents=bot:stubborn:1,bot:fickle:1");
    double mixed = trained("train.opponents=self:1,bot:stubborn:1,bot:fickle:1");
    double alone = trained("");
    printf("    against the pool: %.3f after play against it, %.3f with half self-play, %.3f after "
           "self-play\n",
           pool_trained, mixed, alone);
    CHECK(pool_trained > 0.65);
    CHECK(mixed > 0.6);
    CHECK(fabs(alone) < 0.15);
}

/* A net opposite is learned from as well: one that always shows heads loses every round. */
TEST(the_weakness_of_a_net_is_learned) {
    probe p;
    pool l = {0};
    NEED(probe_open(&p, "pennies", "train.opponents=x:1"));
    pool_add(&l, &p, "net:none", 1.0);
    float *block = lu_net_block(l.net[0]);
    for (int i = 0; i < lu_net_tensors(l.net[0]); i++) {
        const lu_tensor *tensor = lu_net_tensor(l.net[0], i);
        if (strstr(tensor->name, "head") && strstr(tensor->name, "bias")) {
            block[tensor->offset] += 20.0f; /* heads */
        }
    }
    lu_net_pack(l.net[0]);
    NEED(lu_trainer_roster(p.train, l.member, l.count, &p.error) == LU_OK);
    CHECK(probe_run(&p, 0) == LU_OK);
    CHECK(p.stats.reward > 0.95);
    CHECK_NEAR(lu_trainer_result(p.train, 0).mean, p.stats.reward, 1e-9);
    pool_free(&l);
    probe_close(&p);
}
