/* Self-play by shares: environments that change sides, members that keep their seats, opponents
 * that take their best or react late, and the settings that say so. */
#include "probe_test.h"
#include "trainer.h"

#include "ludus/self_play.h"

#include <stdlib.h>

/* counted by the linker's wrap: see src/env/alloc_count.c */
uint64_t lu_alloc_count(void);

/* ---- settings ---- */

static lu_settings *settings_of(const char *game, const char *line, lu_status *status,
                                lu_error *error) {
    const lu_game *of = lu_game_find(game, error);
    lu_settings *settings = lu_game_settings(of);
    char text[400], *rest = text;
    lu_settings_add(settings, lu_ppo_table);
    lu_settings_add(settings, lu_self_play_table);
    snprintf(text, sizeof text, "%s", line);
    for (char *pair; (pair = strtok_r(rest, " ", &rest));) {
        CHECK(lu_settings_set_pair(settings, pair, LU_FROM_FLAG, "test", error) == LU_OK);
    }
    *status = lu_self_play_settle(settings, of, "train", error);
    return settings;
}

TEST(a_strategy_sets_the_shares_that_are_unset) {
    static const struct {
        const char *line;
        double update, share[LU_OPPOSITES];
        bool on, moves;
    } cases[] = {
        {"", 0, {0, 0, 0, 0, 1}, false, false},
        {"self_play.strategy=pure", 0, {1, 0, 0, 0, 0}, true, false},
        {"self_play.strategy=past", 0, {0.8, 0.2, 0, 0, 0}, true, true},
        {"self_play.strategy=past", 100, {0.5, 0.5, 0, 0, 0}, true, true},
        {"self_play.strategy=past", 1000, {0.2, 0.8, 0, 0, 0}, true, true},
        {"self_play.strategy=past self_play.pure=0.25", 9, {0.25, 0.75, 0, 0, 0}, true, false},
        {"self_play.strategy=past self_play.past=0.3 self_play.pure=0.1",
         9,
         {0.1, 0.3, 0, 0, 0.6},
         true,
         false},
        {"self_play.strategy=latest", 0, {0, 0, 0, 1, 0}, true, false},
        {"self_play.strategy=target self_play.targets=random self_play.past=0.5",
         0,
         {0, 0.5, 0.5, 0, 0},
         true,
         false},
        {"self_play.pure=step(1,0.5,0.5)", 0, {1, 0, 0, 0, 0}, true, true},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        lu_error error = {0};
        lu_status status;
        double share[LU_OPPOSITES];
        lu_settings *settings = settings_of("pennies", cases[i].line, &status, &error);
        CHECK_INT(status, LU_OK);
        CHECK_INT(lu_self_play_on(settings), cases[i].on);
        CHECK_INT(lu_self_play_moves(settings), cases[i].moves);
        lu_self_play_shares(settings, 0.0, cases[i].update, share);
        for (int who = 0; who < LU_OPPOSITES; who++) {
            CHECK_NEAR(share[who], cases[i].share[who], 1e-12);
        }
        lu_settings_delete(settings);
    }
}

TEST(an_exponent_chooses_the_weighting_that_has_one) {
    static const struct {
        const char *line, *weighting;
    } cases[] = {
        {"self_play.past=0.5", "quality"},
        {"self_play.past=0.5 league.power=3", "pfsp"},
        {"self_play.past=0.5 league.power=3 league.weighting=quality", "quality"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        lu_error error = {0};
        lu_status status;
        lu_settings *settings = settings_of("pennies", cases[i].line, &status, &error);
        CHECK_INT(status, LU_OK);
        CHECK_TEXT(lu_settings_text_of(settings, "league.weighting"), cases[i].weighting);
        lu_settings_delete(settings);
    }
}

TEST(shares_that_do_not_go_together_are_refused) {
    static const struct {
        const char *game, *line, *says;
    } cases[] = {
        {"choice", "self_play.pure=0.5", "one seat"},
        {"pennies", "self_play.pure=0.5 train.opponents=random:1", "'train.opponents'"},
        {"pennies", "self_play.target=0.5", "'self_play.targets'"},
        {"pennies", "self_play.targets=random", "'self_play.target'"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        lu_error error = {0};
        lu_status status;
        lu_settings *settings = settings_of(cases[i].game, cases[i].line, &status, &error);
        CHECK_INT(status, LU_BAD_VALUE);
        CHECK_HAS(error.text, cases[i].says);
        lu_settings_delete(settings);
    }
    /* known only with the number of updates */
    lu_error error = {0};
    lu_status status;
    lu_training_need need;
    lu_settings *settings =
        settings_of("pennies", "self_play.pure=0.5 self_play.past=0.4+0.2*p", &status, &error);
    lu_settings_add(settings, lu_net_table);
    const lu_game *game = lu_game_find("pennies", &error);
    CHECK_INT(lu_ppo_bytes_needed(game, settings, &need, &error), LU_BAD_VALUE);
    CHECK_HAS(error.text, "at most 1");
    lu_settings_add(settings, lu_dqn_table);
    lu_settings_set(settings, "self_play.past", "0", LU_FROM_FLAG, "test", &error);
    lu_settings_set(settings, "self_play.pure", "linear(1,0)", LU_FROM_FLAG, "test", &error);
    CHECK_INT(lu_dqn_bytes_needed(game, settings, &need, &error), LU_BAD_VALUE);
    CHECK_HAS(error.text, "self_play.pure");
    lu_settings_delete(settings);
}

/* ---- sides that move ---- */

/* Members with ids: bots of `habit`, and a net with memory. */
typedef struct crowd {
    lu_opponent member[4];
    int count;
    lu_net *net;
} crowd;

static bool crowd_open(probe *p, crowd *c, const char *settings) {
    static const char *const names[] = {"stubborn", "fickle", "random"};
    char line[400];
    lu_error error;
    snprintf(line, sizeof line, "train.environments=70 train.steps=1M %s", settings);
    *c = (crowd){0};
    if (!probe_open(p, "habit", line)) {
        return false;
    }
    p->train->shared_work = 0.0;
    for (int i = 0; i < 3; i++) {
        c->member[c->count++] = (lu_opponent){.name = names[i],
                                              .id = (uint64_t)i + 1,
                                              .share = 1.0,
                                              .greedy = 0.5,
                                              .delay = 0.3,
                                              .delayed = 0.5,
                                              .uniform = i == 1,
                                              .delays = true,
                                              .bot = lu_game_bot(p->train->game, names[i])};
    }
    lu_settings *own = lu_settings_copy(p->settings);
    lu_settings_set(own, "net.memory", "mingru", LU_FROM_FLAG, "test", &error);
    c->net = lu_net_new(p->train->game, LU_NET_POLICY, own, &error);
    lu_net_init(c->net, 9);
    lu_net_pack(c->net);
    lu_settings_delete(own);
    c->member[c->count] = c->member[0];
    c->member[c->count].bot = NULL;
    c->member[c->count].net = c->net;
    c->member[c->count++].id = 77;
    return lu_trainer_roster(p->train, c->member, c->count, &p->error) == LU_OK;
}

static void crowd_close(probe *p, crowd *c) {
    probe_close(p);
    lu_net_delete(c->net);
}

static const char *const moving[] = {
    "self_play.pure=max(0,1-u/5)",
    "self_play.pure=min(0.9,max(0.1,u/6-0.1)) net.memory=mingru train.segment=8",
    "self_play.pure=0.5+0.5*(p-p) train.prioritise=0.5 train.normalise_observation=true",
    "self_play.pure=0.4 train.epochs=3 train.recompute=true",
};
enum { MOVING = sizeof moving / sizeof moving[0] };

TEST(environments_change_sides_with_the_share) {
    static const int own[] = {70, 56, 42, 28, 14, 0, 0};
    probe p;
    crowd c;
    NEED(crowd_open(&p, &c, moving[0]));
    for (int u = 0; u < 7; u++) {
        int rows[70] = {0};
        CHECK(probe_run(&p, 1) == LU_OK);
        CHECK_INT(lu_trainer_rows(p.train), 70 + own[u]);
        CHECK_NEAR(figure_of(&p, "reward"), p.stats.reward, 0.0);
        for (int row = 0; row < p.train->rows; row++) {
            int e = p.train->row_env[row];
            rows[e]++;
            CHECK_INT(p.train->row_full[row], e * 2 + p.train->row_seat[row]);
            CHECK(e < own[u] || p.train->row_seat[row] == e % 2);
        }
        for (int e = 0; e < 70; e++) {
            CHECK_INT(rows[e], e < own[u] ? 2 : 1);
        }
        /* episodes of eight steps: those of environments that changed begin with the update */
        CHECK_INT(p.stats.endings, 140);
        int64_t met = 0;
        for (int m = 0; m < c.count; m++) {
            lu_opponent_result r = lu_trainer_result(p.train, m);
            met += r.episodes;
            CHECK(r.wins >= 0 && r.draws >= 0 && r.wins + r.draws <= r.episodes);
        }
        CHECK_INT(met, 2 * (70 - own[u]));
    }
    crowd_close(&p, &c);
}

static uint64_t hash_after(int kind, int threads, int updates) {
    probe p;
    crowd c;
    char line[300];
    snprintf(line, sizeof line, "%s train.threads=%d", moving[kind], threads);
    if (!crowd_open(&p, &c, line)) {
        return (uint64_t)threads;
    }
    CHECK(probe_run(&p, updates) == LU_OK);
    uint64_t hash = lu_trainer_hash(p.train);
    crowd_close(&p, &c);
    return hash;
}

TEST(moving_sides_are_the_same_for_any_number_of_threads) {
    for (int kind = 0; kind < MOVING; kind++) {
        uint64_t one = hash_after(kind, 1, 6);
        CHECK_HEX(hash_after(kind, 2, 6), one);
        CHECK_HEX(hash_after(kind, 3, 6), one);
        CHECK_HEX(hash_after(kind, 8, 6), one);
    }
}

TEST(a_resumed_run_goes_on_with_the_same_sides) {
    for (int kind = 0; kind < MOVING; kind++) {
        probe part, rest;
        crowd c, other;
        uint64_t whole = hash_after(kind, 1, 6);
        NEED(crowd_open(&part, &c, moving[kind]));
        CHECK(probe_run(&part, 3) == LU_OK);
        size_t length = lu_trainer_snapshot_bytes(part.train);
        unsigned char *bytes = malloc(length);
        lu_trainer_save(part.train, bytes);
        NEED(crowd_open(&rest, &other, moving[kind]));
        CHECK(probe_run(&rest, 1) == LU_OK); /* a load replaces whatever was there */
        /* shares follow from the update: they need not be those of the snapshot */
        other.member[0].share = 3.0;
        NEED(lu_trainer_roster(rest.train, other.member, other.count, &rest.error) == LU_OK);
        NEED(lu_trainer_load(rest.train, bytes, length, &rest.error) == LU_OK);
        other.member[0].share = 1.0;
        NEED(lu_trainer_roster(rest.train, other.member, other.count, &rest.error) == LU_OK);
        CHECK(probe_run(&rest, 3) == LU_OK);
        CHECK_HEX(lu_trainer_hash(rest.train), whole);
        /* against others it is another training */
        NEED(lu_trainer_roster(rest.train, other.member, other.count - 1, &rest.error) == LU_OK);
        CHECK_INT(lu_trainer_load(rest.train, bytes, length, &rest.error), LU_OTHER_SPEC);
        free(bytes);
        crowd_close(&part, &c);
        crowd_close(&rest, &other);
    }
}

TEST(an_update_that_moves_sides_allocates_nothing) {
    for (int kind = 0; kind < MOVING; kind++) {
        probe p;
        crowd c;
        NEED(crowd_open(&p, &c, moving[kind]));
        uint64_t before = lu_alloc_count();
        CHECK(probe_run(&p, 3) == LU_OK);
        CHECK_INT(lu_alloc_count() - before, 0);
        crowd_close(&p, &c);
    }
}

/* ---- members that stay ---- */

TEST(members_with_ids_keep_their_seats) {
    probe p;
    crowd c;
    NEED(crowd_open(&p, &c, "self_play.pure=0 train.horizon=13"));
    CHECK(probe_run(&p, 1) == LU_OK); /* ends within episodes of eight steps */
    const train_roster *o = &p.train->roster;
    int32_t who[70];
    memcpy(who, o->who, sizeof who);
    uint64_t draws = o->draw[3].state;
    /* the same in another order, with one that leaves and one that comes */
    lu_opponent next[] = {c.member[3], c.member[1], c.member[0], c.member[2]};
    next[1].id = 1000;
    NEED(lu_trainer_roster(p.train, next, 4, &p.error) == LU_OK);
    static const int place[] = {2, -1, 3, 0};
    int left = 0;
    for (int e = 0; e < 70; e++) {
        left += who[e] == 1;
        CHECK(who[e] == 1 || o->who[e] == place[who[e]]);
    }
    CHECK(left > 5);
    CHECK(who[3] == 1 || o->draw[3].state == draws);
    CHECK(probe_run(&p, 1) == LU_OK);
    crowd_close(&p, &c);
}

/* ---- manners ---- */

/* A bot of `habit` that notes whether what it is shown is of now: the round is in both. */
static int decisions, of_before;

static void note_sight(const lu_seat_view *view, int32_t *actions) {
    const int32_t *steps = (const int32_t *)view->state + 2; /* behind learn_state.rng */
    int shown = (int)(view->observation[1] * 8.0f + 0.5f);
    decisions++;
    of_before += shown != *steps;
    CHECK(shown == *steps || shown < *steps);
    actions[0] = 1;
}

static const lu_bot noting = {
    .name = "noting", .sentence = "Notes.", .sees_hidden = true, .act = note_sight};

/* Share of the rounds in which it did nothing, and of its decisions those by what it saw before. */
static void check_delay(double delay, double delayed, double nothing, double before) {
    probe p;
    decisions = of_before = 0;
    NEED(probe_open(&p, "habit",
                    "train.environments=200 train.horizon=32 self_play.pure=0 train.steps=1M"));
    lu_opponent who = {.name = "noting",
                       .id = 1,
                       .share = 1.0,
                       .bot = &noting,
                       .delay = delay,
                       .delayed = delayed,
                       .delays = true};
    NEED(lu_trainer_roster(p.train, &who, 1, &p.error) == LU_OK);
    CHECK(probe_run(&p, 2) == LU_OK);
    double rounds = 2.0 * 200.0 * 32.0;
    CHECK_NEAR(1.0 - decisions / rounds, nothing, 0.02);
    CHECK_NEAR((double)of_before / (decisions ? decisions : 1), before, 0.03);
    probe_close(&p);
}

TEST(opponents_that_react_late_decide_by_what_they_saw) {
    check_delay(0.0, 1.0, 0.0, 0.0);
    check_delay(1.0, 1.0, 1.0, 0.0);
    /* a decision is late when the one before passed it by: not in the first of eight rounds */
    check_delay(0.4, 1.0, 0.4, 0.4 * 7.0 / 8.0);
    check_delay(0.4, 0.5, 0.2, 0.5 * 0.6 / 0.8 * 0.4 * 7.0 / 8.0);
}

/* A net whose options differ a little is nearly a coin, and always one side at its best. */
TEST(greedy_opponents_take_their_best) {
    for (int greedy = 0; greedy < 2; greedy++) {
        probe p;
        crowd c;
        NEED(crowd_open(&p, &c, "self_play.pure=0 train.rate=0"));
        lu_opponent who = {
            .name = "net", .id = 5, .share = 1.0, .net = c.net, .greedy = (double)greedy};
        memset(lu_net_block(c.net), 0, lu_net_parameters(c.net) * sizeof(float));
        lu_net_pack(c.net);
        NEED(lu_trainer_roster(p.train, &who, 1, &p.error) == LU_OK);
        CHECK(probe_run(&p, 1) == LU_OK);
        int heads = 0;
        for (int e = 0; e < 70; e++) {
            heads += p.train->scratch.actions[e * 2 + (e % 2 ? 0 : 1)] == 0;
        }
        CHECK(greedy ? heads == 70 : heads > 15 && heads < 55);
        crowd_close(&p, &c);
    }
}
