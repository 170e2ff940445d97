/* A training by halves, in trainers that exchange bytes alone, is the whole one bit for bit. */
#include "probe_test.h"
#include "trainer.h"

#include "ludus/ppo.h"
#include "ludus/trainer_halves.h"

#include "test.h"

#include <stdlib.h>

static const probe_kind kinds[] = {
    {"twostep", "train.parts=4 train.normalise_observation=true train.normalise_return=true"},
    {"tmaze", "train.parts=2 net.memory=mingru train.prioritise=0.8 train.epochs=2"},
    {"cutoff", "train.parts=1 train.recompute=true train.epochs=2"},
};

enum { PLAYERS = 2, UPDATES = 4 };

typedef struct spread_training {
    probe learner;
    lu_trainer *player[PLAYERS];
    int players;
} spread_training;

static bool open_training(spread_training *s, const probe_kind *kind) {
    char line[400];
    snprintf(line, sizeof line, "%s train.steps=1M", kind->settings);
    if (!probe_ppo.open(&s->learner, kind->game, line)) {
        return false;
    }
    const lu_game *game = lu_net_game(lu_trainer_net(s->learner.train));
    s->players = s->learner.train->parts < PLAYERS ? s->learner.train->parts : PLAYERS;
    for (int i = 0; i < s->players; i++) {
        lu_comm share = {.rank = i, .ranks = s->players};
        s->player[i] =
            lu_ppo_new_shared(game, s->learner.settings, NULL, &share, &s->learner.error);
        if (!s->player[i]) {
            return false;
        }
    }
    return true;
}

static void close_training(spread_training *s) {
    for (int i = 0; i < s->players; i++) {
        lu_trainer_delete(s->player[i]);
    }
    probe_close(&s->learner);
}

/* What a player leaves for its parts: the batch, and where it stands. */
static void hand_over(spread_training *s, lu_trainer *player) {
    lu_trainer *learner = s->learner.train;
    lu_error *error = &s->learner.error;
    size_t batch = lu_trainer_batch_bytes(learner), place = lu_trainer_place_bytes(learner);
    void *played = malloc(batch), *stands = malloc(place);
    int first, parts = lu_trainer_parts(player, &first);
    for (int part = first; part < first + parts; part++) {
        lu_trainer_batch_save(player, part, played);
        CHECK_INT(lu_trainer_batch_load(learner, part, played, batch, error), LU_OK);
        lu_trainer_place_save(player, part, stands);
        CHECK_INT(lu_trainer_place_load(learner, part, stands, place, error), LU_OK);
    }
    free(played);
    free(stands);
}

/* A player is lost, and another one takes its place as the learner knows it. */
static void replace_player(spread_training *s, int i) {
    lu_trainer *learner = s->learner.train;
    lu_error *error = &s->learner.error;
    lu_comm share = {.rank = i, .ranks = s->players};
    size_t place = lu_trainer_place_bytes(learner);
    void *stands = malloc(place);
    lu_trainer_delete(s->player[i]);
    s->player[i] = lu_ppo_new_shared(lu_net_game(lu_trainer_net(learner)), s->learner.settings,
                                     NULL, &share, error);
    int first, parts = lu_trainer_parts(s->player[i], &first);
    for (int part = first; part < first + parts; part++) {
        lu_trainer_place_save(learner, part, stands);
        CHECK_INT(lu_trainer_place_load(s->player[i], part, stands, place, error), LU_OK);
    }
    free(stands);
}

/* One update: weights go out, batches come in. */
static void run_update(spread_training *s) {
    lu_trainer *learner = s->learner.train;
    lu_error *error = &s->learner.error;
    size_t weights = lu_trainer_weights_bytes(learner);
    void *bytes = malloc(weights);
    lu_trainer_weights_save(learner, bytes);
    for (int i = 0; i < s->players; i++) {
        CHECK_INT(lu_trainer_weights_load(s->player[i], bytes, weights, error), LU_OK);
        CHECK_INT(lu_trainer_collect(s->player[i], error), LU_OK);
        hand_over(s, s->player[i]);
    }
    CHECK_INT(lu_trainer_learn(learner, &s->learner.stats, error), LU_OK);
    free(bytes);
}

TEST(halves_give_the_bits_of_the_whole) {
    for (size_t k = 0; k < sizeof kinds / sizeof kinds[0]; k++) {
        probe whole;
        spread_training s = {0};
        char line[400];
        snprintf(line, sizeof line, "%s train.steps=1M", kinds[k].settings);
        NEED(probe_ppo.open(&whole, kinds[k].game, line));
        NEED(open_training(&s, &kinds[k]));
        for (int i = 0; i < UPDATES; i++) {
            CHECK(lu_trainer_update(whole.train, &whole.stats, &whole.error) == LU_OK);
            if (i == UPDATES / 2) {
                replace_player(&s, s.players - 1);
            }
            run_update(&s);
            CHECK_HEX(lu_trainer_hash(whole.train), lu_trainer_hash(s.learner.train));
            CHECK(whole.stats.episode_return == s.learner.stats.episode_return);
            CHECK(whole.stats.recent_return == s.learner.stats.recent_return);
            CHECK_INT(whole.stats.steps, s.learner.stats.steps);
        }
        close_training(&s);
        probe_close(&whole);
    }
}

TEST(what_does_not_fit_together_is_refused) {
    spread_training s = {0};
    NEED(open_training(&s, &kinds[0]));
    lu_trainer *learner = s.learner.train;
    lu_error *error = &s.learner.error;
    size_t length = lu_trainer_batch_bytes(learner);
    unsigned char *bytes = malloc(length);
    CHECK_INT(lu_trainer_learn(learner, NULL, error), LU_BAD_VALUE);
    CHECK(strstr(error->text, "no batch of part 0") != NULL);
    CHECK_INT(lu_trainer_learn(s.player[0], NULL, error), LU_BAD_VALUE);
    CHECK(strstr(error->text, "2 of 4 parts") != NULL);
    CHECK_INT(lu_trainer_collect(s.player[0], error), LU_OK);
    lu_trainer_batch_save(s.player[0], 1, bytes);
    CHECK_INT(lu_trainer_batch_load(learner, 2, bytes, length, error), LU_OTHER_SPEC);
    CHECK_INT(lu_trainer_batch_load(learner, 4, bytes, length, error), LU_BAD_VALUE);
    CHECK_INT(lu_trainer_batch_load(learner, 1, bytes, length - 1, error), LU_DAMAGED_FILE);
    CHECK_INT(lu_trainer_batch_load(learner, 1, bytes, 5, error), LU_FOREIGN_FILE);
    CHECK_INT(lu_trainer_weights_load(learner, bytes, length, error), LU_OTHER_SPEC);
    CHECK_INT(lu_trainer_place_load(learner, 1, bytes, length, error), LU_DAMAGED_FILE);
    CHECK_INT(lu_trainer_place_load(learner, 4, bytes, length, error), LU_BAD_VALUE);
    run_update(&s);
    CHECK_INT(lu_trainer_batch_load(learner, 1, bytes, length, error), LU_OTHER_SPEC);
    CHECK(strstr(error->text, "played for update 1") != NULL);
    free(bytes);
    close_training(&s);
}

TEST(dqn_has_no_halves) {
    probe p;
    NEED(probe_dqn.open(&p, "choice", ""));
    CHECK_INT(lu_trainer_collect(p.train, &p.error), LU_BAD_VALUE);
    CHECK_INT(lu_trainer_learn(p.train, NULL, &p.error), LU_BAD_VALUE);
    probe_close(&p);
}
