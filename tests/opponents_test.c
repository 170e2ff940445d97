/* Training against opponents on the probes, by PPO and by DQN: two seats at once (duet), seats in
 * turn (turns), a seat that the game drives or leaves free (house), and one seat alone (chain). */
#include "ludus/dqn.h"
#include "ludus/ppo.h"

#include "test.h"

#include <stdlib.h>

typedef struct school {
    const lu_game *game;
    lu_settings *settings;
    lu_trainer *trainer;
    lu_progress progress; /* of the last update */
    lu_error error;
} school;

static lu_status set_line(lu_settings *settings, const char *line, lu_error *error) {
    char text[600], *rest = text;
    lu_status status = LU_OK;
    snprintf(text, sizeof text, "%s", line);
    for (char *pair; status == LU_OK && (pair = strtok_r(rest, " ", &rest));) {
        status = lu_settings_set_pair(settings, pair, LU_FROM_FLAG, "test", error);
    }
    return status;
}

/* Small settings of an algorithm. */
static const char *const small_ppo = "train.environments=256 train.horizon=16 train.minibatch=1024 "
                                     "train.epochs=2 train.rate=0.003 net.hidden=32 net.layers=1 "
                                     "train.threads=1 train.steps=10M";
static const char *const small_dqn = "dqn.environments=256 dqn.horizon=4 dqn.rounds=4 "
                                     "dqn.gradient_steps=2 dqn.buffer=50k dqn.warmup=4k "
                                     "dqn.rate=0.003 dqn.epsilon=0.1 "
                                     "net.hidden=32 net.layers=1 dqn.threads=1 dqn.steps=10M";

/* The algorithm is the one whose settings the line names; PPO where it names none. */
static bool school_open(school *s, const char *game, const char *settings) {
    bool dqn = strstr(settings, "dqn.") != NULL;
    memset(s, 0, sizeof *s);
    s->game = lu_game_find(game, &s->error);
    s->settings = lu_game_settings(s->game);
    lu_settings_add(s->settings, dqn ? lu_dqn_table : lu_ppo_table);
    lu_settings_add(s->settings, lu_net_table);
    bool good = set_line(s->settings, dqn ? small_dqn : small_ppo, &s->error) == LU_OK &&
                set_line(s->settings, settings, &s->error) == LU_OK;
    s->trainer =
        good ? (dqn ? lu_dqn_new : lu_ppo_new)(s->game, s->settings, NULL, &s->error) : NULL;
    return s->trainer != NULL;
}

static void school_close(school *s) {
    lu_trainer_delete(s->trainer);
    lu_settings_delete(s->settings);
}

/* All bots of the game alike, one that moves at random, and the learner itself. */
static lu_status seat_all(school *s) {
    lu_opponent member[8];
    int count = 0;
    for (int b = 0; b < s->game->bots && count < 6; b++) {
        member[count++] =
            (lu_opponent){.name = s->game->bot[b].name, .share = 1.0, .bot = &s->game->bot[b]};
    }
    member[count++] = (lu_opponent){.name = "random", .share = 0.5};
    member[count++] = (lu_opponent){.name = "self", .share = 1.0, .self = true};
    return lu_trainer_roster(s->trainer, member, count, &s->error);
}

static lu_status learn(school *s, int updates) {
    lu_status status = LU_OK;
    for (int i = 0; i < updates && status == LU_OK; i++) {
        status = lu_trainer_update(s->trainer, &s->progress, &s->error);
    }
    if (status != LU_OK) {
        lu_test_fail(__FILE__, __LINE__, "%s", s->error.text);
    }
    return status;
}

static uint64_t hash_after(const char *game, const char *settings, int threads) {
    school s;
    char line[300];
    snprintf(line, sizeof line, "%s %s.threads=%d", settings,
             strstr(settings, "dqn.") ? "dqn" : "train", threads);
    uint64_t hash = (uint64_t)threads;
    if (school_open(&s, game, line) && seat_all(&s) == LU_OK && learn(&s, 3) == LU_OK) {
        hash = lu_trainer_hash(s.trainer);
    }
    CHECK_INT(s.progress.illegal, 0);
    school_close(&s);
    return hash;
}

static const struct {
    const char *game, *settings;
    int rows;
} kinds[] = {
    {"duet", "train.opponents=x:1", 256},
    {"duet", "train.opponents=self:1,x:3 net.memory=mingru", 64 * 2 + 192},
    {"turns", "train.opponents=self:1,x:1", 128 * 2 + 128},
    {"turns", "train.opponents=x:1 net.memory=lstm", 256},
    {"house", "house=false train.opponents=self:1,x:1", 128 * 2 + 128},
    {"duet", "dqn.opponents=x:1 net.dueling=true", 256},
    {"duet", "dqn.opponents=self:1,x:3", 64 * 2 + 192},
    {"house", "house=false dqn.opponents=self:1,x:1", 128 * 2 + 128},
};

TEST(probes_learn_the_same_against_opponents_for_any_number_of_threads) {
    for (size_t k = 0; k < sizeof kinds / sizeof kinds[0]; k++) {
        uint64_t one = hash_after(kinds[k].game, kinds[k].settings, 1);
        CHECK_HEX(hash_after(kinds[k].game, kinds[k].settings, 2), one);
        CHECK_HEX(hash_after(kinds[k].game, kinds[k].settings, 3), one);
        CHECK_HEX(hash_after(kinds[k].game, kinds[k].settings, 8), one);
    }
}

TEST(probes_go_on_against_opponents_after_a_resume) {
    for (size_t k = 0; k < sizeof kinds / sizeof kinds[0]; k++) {
        school part, rest;
        uint64_t whole = hash_after(kinds[k].game, kinds[k].settings, 1);
        NEED(school_open(&part, kinds[k].game, kinds[k].settings));
        CHECK_INT(lu_trainer_rows(part.trainer), kinds[k].rows);
        NEED(seat_all(&part) == LU_OK && learn(&part, 2) == LU_OK);
        size_t length = lu_trainer_snapshot_bytes(part.trainer);
        unsigned char *bytes = malloc(length);
        lu_trainer_save(part.trainer, bytes);
        NEED(school_open(&rest, kinds[k].game, kinds[k].settings));
        NEED(seat_all(&rest) == LU_OK);
        NEED(lu_trainer_load(rest.trainer, bytes, length, &rest.error) == LU_OK);
        CHECK(learn(&rest, 1) == LU_OK);
        CHECK_HEX(lu_trainer_hash(rest.trainer), whole);
        free(bytes);
        school_close(&part);
        school_close(&rest);
    }
}

/* Seats that the game drives are nobody's, and one seat alone meets nobody. */
TEST(probes_with_one_free_seat_take_no_opponents) {
    school s;
    static const struct {
        const char *game, *with, *without;
    } cases[] = {{"house", "train.opponents=self:1,x:1", ""},
                 {"chain", "train.opponents=self:1,x:1", ""},
                 {"house", "dqn.opponents=self:1,x:1", "dqn.opponents="}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        CHECK(!school_open(&s, cases[i].game, cases[i].with));
        CHECK_HAS(s.error.text, "one seat to play");
        school_close(&s);
        NEED(school_open(&s, cases[i].game, cases[i].without));
        CHECK(learn(&s, 2) == LU_OK);
        school_close(&s);
    }
}

/* `answer` plays what beats the last choice of the other seat: who knows it wins every round but
 * the first, on either side. */
static void find_out(const char *settings, int updates) {
    school s;
    NEED(school_open(&s, "duet", settings));
    lu_opponent member = {.name = "answer", .share = 1.0, .bot = lu_game_bot(s.game, "answer")};
    NEED(lu_trainer_roster(s.trainer, &member, 1, &s.error) == LU_OK);
    CHECK(learn(&s, 1) == LU_OK);
    double before = lu_trainer_result(s.trainer, 0).mean;
    CHECK(learn(&s, updates) == LU_OK);
    lu_opponent_result after = lu_trainer_result(s.trainer, 0);
    printf("    %s: %.1f, then %.1f of some 60 points\n", settings, before, after.mean);
    CHECK(before < 15.0 && after.mean > 40.0);
    /* infos are those of the seat that learns: its lead is what it has won */
    CHECK_NEAR(s.progress.info[0], s.progress.episode_return, 1e-9);
    CHECK_NEAR(s.progress.episode_return, after.mean, 1e-9);
    school_close(&s);
}

TEST(the_bot_of_duet_is_found_out) {
    find_out("train.opponents=bot:answer:1", 40);
    find_out("dqn.opponents=bot:answer:1 dqn.gradient_steps=8", 40);
}
