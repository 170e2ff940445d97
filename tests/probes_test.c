/* The probe games: each shows one part of the game contract, and each passes the whole battery. */
#include "ludus/conform.h"
#include "ludus/env.h"
#include "ludus/file.h"
#include "ludus/vec.h"

#include "probes/chain/chain.h"
#include "probes/clock/clock.h"
#include "probes/duet/duet.h"
#include "probes/house/house.h"
#include "probes/oracle/oracle.h"
#include "probes/swarm/swarm.h"
#include "probes/turns/turns.h"
#include "test.h"

#include <stdlib.h>

static void report(void *user, const lu_conform_result *result) {
    if (!result->passed && !result->skipped) {
        lu_test_fail(__FILE__, __LINE__, "%s:%s %s", (const char *)user, result->check,
                     result->detail);
    }
}

/* The golden file of a probe; LUDUS_TEST_GOLDEN=write makes it anew. */
static const char *golden_of(const lu_game *game) {
    char name[200];
    bool variant = lu_game_find(game->name, NULL) != game;
    snprintf(name, sizeof name,
             variant ? "tests/probes/%s/golden-%s.txt" : "tests/probes/%s/golden.txt", game->name,
             game->id);
    const char *path = lu_test_source(name), *wish = getenv("LUDUS_TEST_GOLDEN");
    if (wish && strcmp(wish, "write") == 0) {
        lu_error error;
        lu_text text;
        lu_text_init(&text);
        lu_golden_write(game, &text);
        CHECK_INT(lu_file_write(path, text.text, text.length, &error), LU_OK);
        lu_text_free(&text);
    }
    return path;
}

/* The battery on a game, with one setting changed unless key is NULL. */
static void battery(const char *id, const char *key, const char *value) {
    lu_error error;
    const lu_game *game = lu_game_find(id, &error);
    NEED(game);
    lu_settings *settings = lu_game_settings(game);
    if (key) {
        CHECK_INT(lu_settings_set(settings, key, value, LU_FROM_FLAG, "test", &error), LU_OK);
    }
    lu_conform_options options = lu_conform_default();
    options.steps = 4000;
    options.user = (void *)(uintptr_t)id;
    options.report = report;
    options.golden = golden_of(game);
    CHECK_INT(lu_conform(game, settings, &options), 0);
    lu_settings_delete(settings);
}

TEST(duet_passes_the_battery) {
    battery("duet-v1", NULL, NULL);
}
TEST(duet_of_one_round_passes_the_battery) {
    battery("duet-v1", "rounds", "1");
}
TEST(turns_passes_the_battery) {
    battery("turns-v1", NULL, NULL);
}
TEST(chain_passes_the_battery) {
    battery("chain-v1", NULL, NULL);
}
TEST(oracle_passes_the_battery) {
    battery("oracle-v1", NULL, NULL);
}
TEST(swarm_passes_the_battery) {
    battery("swarm-v1", NULL, NULL);
}
TEST(swarm_with_other_model_data_passes_the_battery) {
    battery("swarm-v1", "kinds", "8");
}
TEST(the_second_variant_of_swarm_passes_the_battery) {
    battery("swarm-few-v1", NULL, NULL);
}
TEST(clock_passes_the_battery) {
    battery("clock-v1", NULL, NULL);
}
TEST(house_passes_the_battery) {
    battery("house-v1", NULL, NULL);
}
TEST(house_with_two_free_seats_passes_the_battery) {
    battery("house-v1", "house", "false");
}

/* ---- what each probe is for ---- */

typedef struct table {
    const lu_game *game;
    lu_settings *settings;
    lu_model *model;
    lu_env *env;
} table;

static table sit_down(const char *id) {
    lu_error error;
    table t = {.game = lu_game_find(id, &error)};
    t.settings = lu_game_settings(t.game);
    t.model = lu_model_new(t.game, t.settings, &error);
    t.env = lu_env_new(t.game, t.model);
    return t;
}

static void get_up(table *t) {
    lu_env_delete(t->env);
    lu_model_delete(t->model);
    lu_settings_delete(t->settings);
}

TEST(both_seats_of_duet_choose_at_once_and_are_paid_apart) {
    table t = sit_down("duet-v1");
    lu_env_reset(t.env, 1, NULL);
    CHECK_INT(t.env->to_move, 3);
    int prize = ((duet_state *)t.env->state)->prize;
    const int32_t actions[] = {DUET_PAPER, DUET_ROCK};
    lu_env_step(t.env, actions);
    CHECK_NEAR(t.env->reward[0], prize, 0);
    CHECK_NEAR(t.env->reward[1], -prize, 0);
    const int32_t wrong[] = {DUET_PAPER, 7};
    lu_env_step(t.env, wrong);
    CHECK_INT(t.env->step.illegal, 2);
    get_up(&t);
}

TEST(reset_options_of_duet_change_the_episode) {
    table t = sit_down("duet-v1");
    lu_error error;
    lu_settings *values = lu_settings_new();
    lu_settings_add(values, t.game->options);
    CHECK_INT(lu_settings_set(values, "rounds", "3", LU_FROM_FLAG, "test", &error), LU_OK);
    CHECK_INT(lu_settings_set(values, "lead", "10", LU_FROM_FLAG, "test", &error), LU_OK);
    duet_options wish;
    CHECK_INT(t.game->options_init(t.model, values, &wish, &error), LU_OK);
    lu_env_reset(t.env, 1, &wish);
    CHECK_NEAR(lu_env_info(t.env, "lead"), 10, 0);
    const int32_t actions[] = {DUET_ROCK, DUET_ROCK}, others[] = {DUET_PAPER, DUET_PAPER};
    lu_env_step(t.env, actions);
    lu_env_step(t.env, actions);
    CHECK(!t.env->mask[DUET_ROCK]); /* a third time is not allowed */
    lu_env_step(t.env, others);
    CHECK(t.env->over);
    lu_settings_delete(values);
    get_up(&t);
}

TEST(seats_of_turns_alternate) {
    table t = sit_down("turns-v1");
    lu_env_reset(t.env, 1, NULL);
    turns_state *s = t.env->state;
    *s = (turns_state){.heap = {1, 2, 0}};
    lu_env_refresh(t.env);
    CHECK_INT(t.env->to_move, 1);
    CHECK(!t.env->mask[TURNS_ACTIONS]); /* the waiting seat has no option */
    const int32_t first[] = {0, 99}, second[] = {99, TURNS_TAKE + 1};
    lu_env_step(t.env, first);
    CHECK_INT(t.env->step.illegal, 0);
    CHECK_INT(t.env->to_move, 2);
    lu_env_step(t.env, second);
    CHECK(t.env->step.terminated);
    CHECK_NEAR(t.env->reward[1], 1, 0);
    CHECK_NEAR(t.env->reward[0], -1, 0);
    get_up(&t);
}

TEST(heads_of_chain_depend_on_each_other) {
    table t = sit_down("chain-v1");
    uint8_t legal[8];
    lu_env_reset(t.env, 1, NULL);
    chain_state *s = t.env->state;
    const uint8_t pockets[] = {CHAIN_STONE, CHAIN_COIN, CHAIN_EMPTY, CHAIN_FEATHER};
    memcpy(s->pocket, pockets, sizeof pockets);
    lu_env_refresh(t.env);
    int32_t chosen[CHAIN_HEADS] = {CHAIN_WAIT};
#define LEGAL(head) lu_head_legal(t.game, t.model, s, 0, head, t.env->mask, chosen, legal)
    CHECK_INT(LEGAL(CHAIN_ITEM), 0); /* any: waiting needs no item */
    chosen[CHAIN_VERB] = CHAIN_TRADE;
    CHECK_INT(LEGAL(CHAIN_ITEM), 1); /* submask: only coins are traded */
    CHECK(legal[1]);
    CHECK_INT(LEGAL(CHAIN_DIRECTION), 0); /* all: only a throw has a direction */
    chosen[CHAIN_VERB] = CHAIN_THROW;
    CHECK_INT(LEGAL(CHAIN_ITEM), 3);
    CHECK_INT(LEGAL(CHAIN_DIRECTION), 2); /* none: not up out of the first pocket */
    CHECK_INT(LEGAL(CHAIN_FORCE), 1);     /* submask: a stone is heavy */
    chosen[CHAIN_ITEM] = 3;
    CHECK_INT(LEGAL(CHAIN_DIRECTION), 3);
    CHECK_INT(LEGAL(CHAIN_FORCE), 2);
    CHECK_INT(LEGAL(CHAIN_RESERVED), 0);
#undef LEGAL
    CHECK_INT(t.game->head[CHAIN_ITEM].points_at, 1);
    get_up(&t);
}

TEST(only_the_critic_of_oracle_sees_the_coin) {
    table t = sit_down("oracle-v1");
    lu_env_reset(t.env, 1, NULL);
    oracle_state *s = t.env->state;
    float seen[ORACLE_OBSERVATION];
    for (int coin = 0; coin < 2; coin++) {
        s->coin = coin;
        lu_env_refresh(t.env);
        CHECK_NEAR((double)t.env->critic[0], coin, 0);
        if (coin == 0) {
            memcpy(seen, t.env->observation, sizeof seen);
        }
        CHECK(memcmp(seen, t.env->observation, sizeof seen) == 0);
    }
    get_up(&t);
}

TEST(the_variants_of_swarm_have_their_own_lengths_and_hashes) {
    table many = sit_down("swarm-v1"), few = sit_down("swarm-few-v1");
    CHECK(many.game != few.game);
    CHECK_INT(lu_game_observation_length(many.game), 38);
    CHECK_INT(lu_game_observation_length(few.game), 14);
    CHECK(lu_spec_hash(many.game) != lu_spec_hash(few.game));
    CHECK(lu_game_find("swarm", NULL) == many.game);
    /* the table behind the model */
    const swarm_model *m = (const swarm_model *)(const void *)many.model;
    CHECK_INT(m->kinds, 4);
    CHECK_INT(LU_MODEL_AT(m, swarm_kind, m->kinds_at)[3].points, 4);
    get_up(&many);
    get_up(&few);
}

TEST(actions_of_clock_take_their_ticks) {
    table t = sit_down("clock-v1");
    CHECK(t.game->tick_discount);
    lu_env_reset(t.env, 1, NULL);
    int64_t ticks = 0;
    for (int32_t action = CLOCK_NAP_1; action <= CLOCK_NAP_8; action++) {
        lu_env_step(t.env, &action);
        CHECK_INT(t.env->step.ticks, 1 << action);
        ticks += 1 << action;
    }
    CHECK_INT(t.env->ticks, ticks);
    get_up(&t);
}

TEST(the_game_drives_the_house_by_a_setting) {
    table t = sit_down("house-v1");
    CHECK(t.game->drives(t.model, 1) && !t.game->drives(t.model, 0));
    lu_env_reset(t.env, 3, NULL);
    house_state *s = t.env->state;
    s->turn[1] = HOUSE_ENOUGH;
    const int32_t actions[] = {HOUSE_ROLL, 77}; /* the second is ignored */
    lu_env_step(t.env, actions);
    CHECK_INT(t.env->step.illegal, 0);
    CHECK_INT(s->total[1], HOUSE_ENOUGH);
    get_up(&t);
}

TEST(a_submask_that_is_missing_is_found) {
    lu_error error;
    static lu_game game; /* settings remember it by its address */
    game = *lu_game_find("chain-v1", &error);
    static lu_core core[LU_ISA_COUNT];
    for (int isa = 0; isa < LU_ISA_COUNT; isa++) {
        if (game.core[isa]) {
            core[isa] = *game.core[isa];
            core[isa].submask = NULL;
            game.core[isa] = &core[isa];
        }
    }
    lu_settings *settings = lu_game_settings(&game);
    lu_conform_options options = lu_conform_default();
    options.steps = 2000;
    options.only = "mask-agrees";
    CHECK_INT(lu_conform(&game, settings, &options), 1);
    lu_settings_delete(settings);
}

TEST(golden_playthroughs_are_the_same_twice) {
    for (int i = 0; i < lu_game_count(); i++) {
        lu_text first, second;
        lu_text_init(&first);
        lu_text_init(&second);
        lu_golden_write(lu_game_at(i), &first);
        lu_golden_write(lu_game_at(i), &second);
        CHECK_TEXT(first.text, second.text);
        CHECK_HAS(first.text, lu_game_at(i)->id);
        lu_text_free(&first);
        lu_text_free(&second);
    }
}

TEST(the_hash_of_the_standard_play_depends_on_game_seed_and_steps_only) {
    uint64_t last = 0;
    for (int i = 0; i < lu_game_count(); i++) {
        table t = sit_down(lu_game_at(i)->id);
        uint64_t hash = lu_conform_hash(t.game, t.model, 1, 400);
        CHECK(hash != last);
        CHECK_HEX(lu_conform_hash(t.game, t.model, 1, 400), hash);
        CHECK(lu_conform_hash(t.game, t.model, 2, 400) != hash);
        CHECK(lu_conform_hash(t.game, t.model, 1, 404) != hash);
        last = hash;
        get_up(&t);
    }
}
