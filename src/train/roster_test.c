/* Opponents, of PPO and of DQN: who gives rows and who does not, shares, sides, the same bits for
 * any number of threads and after a resume, and what is learned from play against a pool that play
 * against oneself does not teach. */
#include "dqn_internal.h"
#include "probe_test.h"

#include <stdlib.h>

/* counted by the linker's wrap: see src/env/alloc_count.c */
uint64_t lu_alloc_count(void);

/* ---- pools ---- */

static const lu_bot *bot_of(const probe *p, const char *name) {
    return lu_game_bot(p->train->game, name);
}

/* Members by name: a bot, "random", "self", or a net of the given kind of memory, of a policy
 * ("net:mingru"), with heads in series ("series:none") or of Q values ("q:none"). */
typedef struct pool {
    lu_opponent member[4];
    int count;
    lu_net *net[4];
    lu_normaliser normaliser;
} pool;

static lu_net *net_of(const probe *p, lu_net_kind kind, bool series, const char *memory,
                      uint64_t seed) {
    lu_error error;
    lu_settings *settings = lu_settings_copy(p->settings);
    lu_settings_set(settings, "net.memory", memory, LU_FROM_FLAG, "test", &error);
    lu_settings_set(settings, "net.hidden", "16", LU_FROM_FLAG, "test", &error);
    lu_settings_set(settings, "net.heads", series ? "autoregressive" : "independent", LU_FROM_FLAG,
                    "test", &error);
    lu_settings_set(settings, "net.head_hidden", series ? "11" : "", LU_FROM_FLAG, "test", &error);
    lu_net *net = lu_net_new(p->train->game, kind, settings, &error);
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
    } else if (strchr(name, ':')) {
        lu_net_kind kind = *name == 'q' ? LU_NET_Q : LU_NET_POLICY;
        m->net = net_of(p, kind, *name == 's', strchr(name, ':') + 1, 77 + (uint64_t)l->count);
        l->net[l->count] = m->net;
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

/* Settings of an algorithm with those of its opponents. */
typedef struct table {
    const probe_algorithm *algorithm;
    const char *settings;
} table;

static bool open_table(probe *p, const table *t, const char *game, const char *opponents) {
    char line[400];
    snprintf(line, sizeof line, "%s %s.opponents=%s", t->settings, t->algorithm->prefix, opponents);
    return t->algorithm->open(p, game, line);
}

/* Updates of 16 steps each. */
static const table sixteen[] = {
    {&probe_ppo, "train.normalise_observation=true train.environments=40"},
    {&probe_dqn, "dqn.normalise_observation=true dqn.environments=40 dqn.warmup=0"},
};

/* Every free seat of every environment stands once in the strips where all learn, and one seat
 * where there are opponents; seats take turns, rows are numbered without a gap. */
static void check_strips(bool by_seat, int learners, int from) {
    const trainer_kind kind = {.by_seat = by_seat};
    enum { SEATS = 4, ENVIRONMENTS = 50, SHARD = 12 };
    lu_trainer t = {.kind = &kind, .seats = SEATS, .learners = learners};
    int rows[SEATS * ENVIRONMENTS] = {0}, learns[SEATS * ENVIRONMENTS] = {0}, count = 0;
    t.roster.from = t.roster.first = from;
    for (int l = 0; l < learners; l++) {
        t.learner[l] = SEATS - learners + l;
    }
    for (int first = 0; first < ENVIRONMENTS; first += SHARD) {
        train_strip strip[2 * LU_MAX_SEATS];
        int strips = train_strips(&t, first, at_most(SHARD, ENVIRONMENTS - first), strip);
        for (int i = 0; i < strips; i++) {
            for (int r = 0; r < strip[i].rows; r++, count++) {
                rows[strip[i].row + r]++;
                learns[strip[i].full + r * strip[i].stride]++;
            }
        }
    }
    CHECK_INT(count, from * learners + ENVIRONMENTS - from);
    for (int row = 0; row < count; row++) {
        CHECK_INT(rows[row], 1);
    }
    for (int full = 0; full < SEATS * ENVIRONMENTS; full++) {
        int e = full / SEATS, l = full % SEATS - (SEATS - learners);
        CHECK_INT(learns[full], l >= 0 && (e < from || (e - from) % learners == l));
    }
}

TEST(every_seat_that_learns_has_one_row) {
    for (int learners = 1; learners <= 4; learners++) {
        for (int from = learners == 1 ? 50 : 0; from <= 50; from += 5) {
            check_strips(false, learners, from);
            check_strips(true, learners, from);
        }
    }
}

static void check_rows(const table *t) {
    probe p;
    pool l = {0};
    NEED(open_table(&p, t, "pennies", "self:1,random:3"));
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
    int rows[40] = {0}, sides[2] = {0};
    for (int row = 0; row < p.train->rows; row++) {
        int e = p.train->row_env[row], seat = p.train->row_seat[row];
        rows[e]++;
        CHECK_INT(p.train->row_full[row], e * 2 + seat);
        sides[seat] += e >= 10;
    }
    for (int e = 0; e < 40; e++) {
        CHECK_INT(rows[e], e < 10 ? 2 : 1);
    }
    CHECK_INT(sides[0], 15);
    CHECK_INT(sides[1], 15);
    pool_free(&l);
    probe_close(&p);
}

TEST(opponents_give_no_rows) {
    check_rows(&sixteen[0]);
    check_rows(&sixteen[1]);
}

/* Rings of the buffer hold what rows saw, did and won, and nothing of a bot: a learner that always
 * shows heads is stored with heads alone, as the seat that it is. */
TEST(opponents_give_nothing_to_the_buffer) {
    probe p;
    pool l = {0};
    const table heads = {&probe_dqn, "dqn.environments=40 dqn.epsilon=0 dqn.warmup=0 dqn.rate=0"};
    NEED(open_table(&p, &heads, "pennies", "self:1,random:3"));
    lu_net *net = lu_trainer_net(p.train);
    memset(lu_net_block(net), 0, lu_net_parameters(net) * sizeof(float));
    lu_net_pack(net); /* all options are worth the same: the first is taken */
    pool_add(&l, &p, "random", 1.0);
    NEED(lu_trainer_roster(p.train, l.member, l.count, &p.error) == LU_OK);
    CHECK(probe_run(&p, 2) == LU_OK);
    const dqn_buffer *r = &dqn_of(p.train)->buffer;
    int won = 0;
    CHECK_INT(r->rows, 50);
    CHECK_INT(r->tree.used, 2 * 16 * 50);
    for (int row = 0; row < r->rows; row++) {
        CHECK_INT(r->written[row], 2 * 16);
        for (size_t i = 0; i < 2 * 16; i++) {
            size_t at = (size_t)row * (size_t)r->slots + i;
            int seat = p.train->row_seat[row];
            CHECK(r->observation[2 * at + (size_t)seat] == 1.0f);
            CHECK(r->observation[2 * at + (size_t)(1 - seat)] == 0.0f);
            CHECK_INT(r->actions[at], 0);
            CHECK(sum_tree_at(&r->tree, at) > 0.0);
            won += p.train->row_env[row] >= 10 && r->gain[at] > 0.0f;
        }
    }
    CHECK(won > 400 && won < 560); /* of 960 rounds against chance */
    pool_free(&l);
    probe_close(&p);
}

/* The moments of observations are those of rows that learn: the seat that is seen is half 1. */
static void check_moments(const table *t, int steps) {
    probe p;
    pool l = {0};
    NEED(open_table(&p, t, "pennies", "random:1"));
    pool_add(&l, &p, "random", 1.0);
    NEED(lu_trainer_roster(p.train, l.member, l.count, &p.error) == LU_OK);
    CHECK(probe_run(&p, 2) == LU_OK);
    const lu_normaliser *n = lu_trainer_normaliser(p.train);
    CHECK_NEAR(n->count, 2 * 31 * steps, 0.0);
    CHECK_NEAR(n->mean[0], 16.0 / 31.0, 1e-9); /* seat 0 learns in 16 environments, seat 1 in 15 */
    pool_free(&l);
    probe_close(&p);
}

TEST(opponents_give_no_moments) {
    const table odd[] = {
        {&probe_ppo, "train.normalise_observation=true train.environments=31"},
        {&probe_dqn, "dqn.normalise_observation=true dqn.environments=31"},
    };
    check_moments(&odd[0], 16); /* of every step */
    check_moments(&odd[1], 4);  /* of every round */
}

static void check_shares(const table *t) {
    probe p;
    pool l = {0};
    NEED(open_table(&p, t, "habit", "bot:stubborn:1"));
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

TEST(shares_are_kept) {
    const table many[] = {
        {&probe_ppo, "train.environments=256 train.steps=1M"},
        {&probe_dqn, "dqn.environments=256 dqn.steps=1M"},
    };
    check_shares(&many[0]);
    check_shares(&many[1]);
}

/* ---- the same bits ---- */

static const struct {
    const probe_algorithm *algorithm;
    const char *game, *settings;
    const char *members[4];
} kinds[] = {
    {&probe_ppo,
     "habit",
     "train.environments=70 train.opponents=self:1,bot:fickle:2 train.normalise_observation=true",
     {"bot:stubborn", "net:mingru", "random", "self"}},
    {&probe_ppo,
     "habit",
     "train.environments=67 train.opponents=bot:fickle:2 net.memory=lstm train.segment=8 "
     "train.prioritise=0.5",
     {"self", "net:none", "bot:fickle", "net:lstm"}},
    {&probe_ppo,
     "turnabout",
     "train.environments=33 train.opponents=self:1,x:1 net.memory=mingru",
     {"random", "net:mingru", "self", NULL}},
    {&probe_ppo,
     "pennies",
     "train.environments=150 train.opponents=self:3,x:1 net.precision=bf16 train.epochs=3 "
     "train.recompute=true train.normalise_observation=true",
     {"random", "net:none", NULL, NULL}},
    {&probe_ppo,
     "habit",
     "train.environments=70 train.opponents=self:1,bot:fickle:2 net.heads=autoregressive "
     "net.head_hidden=9",
     {"series:none", "net:mingru", "self", NULL}},
    {&probe_ppo,
     "turnabout",
     "train.environments=33 train.opponents=self:1,x:1 net.heads=autoregressive",
     {"series:lstm", "self", NULL, NULL}},
    {&probe_ppo,
     "ghost",
     "train.environments=50 train.opponents=self:1,x:1",
     {"random", "net:none", NULL, NULL}},
    {&probe_dqn,
     "habit",
     "dqn.environments=70 dqn.opponents=self:1,bot:fickle:2 dqn.normalise_observation=true",
     {"bot:stubborn", "net:mingru", "random", "self"}},
    {&probe_dqn,
     "habit",
     "dqn.environments=67 dqn.opponents=bot:fickle:2 net.dueling=true dqn.steps_ahead=3",
     {"self", "q:none", "series:none", "net:lstm"}},
    {&probe_dqn,
     "pennies",
     "dqn.environments=150 dqn.opponents=self:3,x:1 net.precision=bf16 dqn.prioritise=0 "
     "dqn.normalise_observation=true",
     {"random", "net:none", NULL, NULL}},
    {&probe_dqn,
     "ghost",
     "dqn.environments=50 dqn.opponents=self:1,x:1",
     {"random", "q:none", NULL, NULL}},
};
enum { KINDS = sizeof kinds / sizeof kinds[0] };

static bool open_kind(probe *p, pool *l, int kind, int threads) {
    const probe_algorithm *a = kinds[kind].algorithm;
    char line[400];
    snprintf(line, sizeof line, "%s.threads=%d %s.steps=1M %s", a->prefix, threads, a->prefix,
             kinds[kind].settings);
    memset(l, 0, sizeof *l);
    if (!a->open(p, kinds[kind].game, line)) {
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
        uint64_t one = hash_after(kind, 1, 4);
        CHECK_HEX(hash_after(kind, 2, 4), one);
        CHECK_HEX(hash_after(kind, 3, 4), one);
        CHECK_HEX(hash_after(kind, 8, 4), one);
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

TEST(the_memory_against_opponents_is_what_is_taken) {
    const probe_kind ppo[] = {{"pennies", ""},
                              {"pennies", "train.opponents=x:1"},
                              {"habit", "train.opponents=self:1,x:1 train.environments=500"}};
    const probe_kind dqn[] = {{"pennies", ""},
                              {"pennies", "dqn.opponents=x:1"},
                              {"habit", "dqn.opponents=self:1,x:1 dqn.environments=300"}};
    probe_check_memory(&probe_ppo, ppo, 3, 300000);
    probe_check_memory(&probe_dqn, dqn, 3, 300000);
}

/* ---- what does not fit ---- */

/* A game for one, and a roster where every seat learns; the sentences name the setting. */
static void check_refused(const probe_algorithm *a, const char *key) {
    lu_error error;
    const lu_game *game = lu_game_find("choice", &error);
    lu_settings *settings = lu_game_settings(game);
    char line[100];
    lu_settings_add(settings, *a->algorithm->table);
    lu_settings_add(settings, lu_net_table);
    snprintf(line, sizeof line, "%s.opponents=random:1", a->prefix);
    NEED(lu_settings_set_pair(settings, line, LU_FROM_FLAG, "t", &error) == LU_OK);
    lu_training_need need;
    CHECK_INT(a->algorithm->bytes_needed(game, settings, &need, &error), LU_BAD_VALUE);
    CHECK_HAS(error.text, "one seat");
    CHECK_HAS(error.text, key);
    lu_settings_delete(settings);

    probe p;
    snprintf(line, sizeof line, "%s.opponents=self:1", a->prefix);
    NEED(a->open(&p, "pennies", line));
    lu_opponent who = {.name = "random", .share = 1.0};
    CHECK_INT(lu_trainer_roster(p.train, &who, 1, &p.error), LU_BAD_VALUE);
    CHECK_HAS(p.error.text, key);
    probe_close(&p);
}

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

    check_refused(&probe_ppo, "'train.opponents'");
    check_refused(&probe_dqn, "'dqn.opponents'");
}

/* ---- learning ---- */

/* An algorithm, how it is trained, how it plays without learning, and how far from chance it may
 * end after self-play: whoever takes the best option always guesses some rounds right or wrong. */
typedef struct school {
    const probe_algorithm *algorithm;
    const char *train, *play;
    double alone;
} school;

static const school schools[] = {
    {&probe_ppo, "train.steps=120000 train.entropy=0.1", "train.environments=512", 0.15},
    {&probe_dqn, "dqn.steps=50000",
     "dqn.environments=512 dqn.buffer=20k dqn.warmup=0 dqn.epsilon=0 dqn.rate=0", 0.4},
};

static bool open_school(probe *p, pool *l, const school *s, const char *settings,
                        const char *opponents) {
    const table t = {s->algorithm, settings};
    memset(l, 0, sizeof *l);
    if (!open_table(p, &t, "habit", opponents)) {
        return false;
    }
    pool_add(l, p, "bot:stubborn", 1.0);
    pool_add(l, p, "bot:fickle", 1.0);
    return !*opponents || lu_trainer_roster(p->train, l->member, l->count, &p->error) == LU_OK;
}

/* Mean reward of a round against the pool, of a trainer whose net has the parameters of another:
 * PPO plays the first rollout before anything is learned, and DQN learns at a rate of 0. */
static double against_pool(const school *s, const float *parameters) {
    probe p;
    pool l;
    if (!open_school(&p, &l, s, s->play, "bot:x:1")) {
        return 0.0;
    }
    lu_net *net = lu_trainer_net(p.train);
    memcpy(lu_net_block(net), parameters, lu_net_parameters(net) * sizeof(float));
    lu_net_pack(net);
    CHECK(probe_run(&p, 1) == LU_OK);
    pool_free(&l);
    probe_close(&p);
    return p.stats.reward;
}

static double trained(const school *s, const char *opponents) {
    probe p;
    pool l;
    if (!open_school(&p, &l, s, s->train, opponents)) {
        return 0.0;
    }
    CHECK(probe_run(&p, 0) == LU_OK);
    double reward = against_pool(s, lu_net_block(lu_trainer_net(p.train)));
    pool_free(&l);
    probe_close(&p);
    return reward;
}

/* Six of eight rounds can be won against either habit, and none by chance. */
static void check_lesson(const school *s) {
    double pool_trained = trained(s, "bot:stubborn:1,bot:fickle:1");
    double mixed = trained(s, "self:1,bot:stubborn:1,bot:fickle:1");
    double alone = trained(s, "");
    printf("    %s against the pool: %.3f after play against it, %.3f with half self-play, %.3f "
           "after self-play\n",
           s->algorithm->algorithm->name, pool_trained, mixed, alone);
    CHECK(pool_trained > 0.65);
    CHECK(mixed > 0.6);
    CHECK(fabs(alone) < s->alone);
}

TEST(a_pool_teaches_what_self_play_does_not) {
    check_lesson(&schools[0]);
    check_lesson(&schools[1]);
}

/* A net opposite is learned from as well: one that always shows heads loses every round. */
static void check_weakness(const table *t, const char *net) {
    probe p;
    pool l = {0};
    NEED(open_table(&p, t, "pennies", "x:1"));
    pool_add(&l, &p, net, 1.0);
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

TEST(the_weakness_of_a_net_is_learned) {
    const table plain[] = {{&probe_ppo, ""}, {&probe_dqn, ""}};
    for (int i = 0; i < 2; i++) {
        check_weakness(&plain[i], "net:none");
        check_weakness(&plain[i], "q:none");
    }
}
