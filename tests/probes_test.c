/* The probe games: each shows one part of the game contract, and each passes the whole battery. */
#include "ludus/conform.h"
#include "ludus/env.h"
#include "ludus/file.h"
#include "ludus/hash.h"
#include "ludus/tool.h"
#include "ludus/vec.h"

#include "probes/chain/chain.h"
#include "probes/clock/clock.h"
#include "probes/duet/duet.h"
#include "probes/house/house.h"
#include "probes/oracle/oracle.h"
#include "probes/swarm/swarm.h"
#include "probes/turns/turns.h"
#include "test_episode.h"

#include <limits.h>
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
        lu_text text = LU_TEXT_INIT;
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
TEST(swarm_with_other_rules_data_passes_the_battery) {
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

TEST(both_seats_of_duet_choose_at_once_and_are_paid_apart) {
    lu_episode t = test_episode("duet-v1", "");
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
    lu_episode_close(&t);
}

TEST(reset_options_of_duet_change_the_episode) {
    lu_episode t = test_episode("duet-v1", "");
    lu_error error;
    lu_settings *values = lu_settings_new();
    lu_settings_add(values, t.game->options.table);
    CHECK_INT(lu_settings_set(values, "rounds", "3", LU_FROM_FLAG, "test", &error), LU_OK);
    CHECK_INT(lu_settings_set(values, "lead", "10", LU_FROM_FLAG, "test", &error), LU_OK);
    duet_options wish;
    CHECK_INT(t.game->options.init(t.rules, values, &wish, &error), LU_OK);
    lu_env_reset(t.env, 1, &wish);
    CHECK_NEAR(lu_env_info(t.env, 0, "lead"), 10, 0);
    CHECK_NEAR(lu_env_info(t.env, 1, "lead"), -10, 0);
    const int32_t actions[] = {DUET_ROCK, DUET_ROCK}, others[] = {DUET_PAPER, DUET_PAPER};
    lu_env_step(t.env, actions);
    lu_env_step(t.env, actions);
    CHECK(!t.env->mask[DUET_ROCK]); /* a third time is not allowed */
    lu_env_step(t.env, others);
    CHECK(t.env->over);
    lu_settings_delete(values);
    lu_episode_close(&t);
}

TEST(seats_of_turns_alternate) {
    lu_episode t = test_episode("turns-v1", "");
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
    lu_episode_close(&t);
}

TEST(heads_of_chain_depend_on_each_other) {
    lu_episode t = test_episode("chain-v1", "");
    uint8_t legal[8];
    lu_env_reset(t.env, 1, NULL);
    chain_state *s = t.env->state;
    const uint8_t pockets[] = {CHAIN_STONE, CHAIN_COIN, CHAIN_EMPTY, CHAIN_FEATHER};
    memcpy(s->pocket, pockets, sizeof pockets);
    lu_env_refresh(t.env);
    int32_t chosen[CHAIN_HEADS] = {CHAIN_WAIT};
#define LEGAL(head) lu_head_legal(t.game, t.rules, s, 0, head, t.env->mask, chosen, legal)
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
    lu_episode_close(&t);
}

TEST(only_the_critic_of_oracle_sees_the_coin) {
    lu_episode t = test_episode("oracle-v1", "");
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
    lu_episode_close(&t);
}

TEST(the_variants_of_swarm_have_their_own_lengths_and_hashes) {
    lu_episode many = test_episode("swarm-v1", ""), few = test_episode("swarm-few-v1", "");
    CHECK(many.game != few.game);
    CHECK_INT(lu_game_observation_length(many.game), 38);
    CHECK_INT(lu_game_observation_length(few.game), 14);
    CHECK(lu_spec_hash(many.game) != lu_spec_hash(few.game));
    CHECK(lu_game_find("swarm", NULL) == many.game);
    /* the table behind the model */
    const swarm_rules *m = (const swarm_rules *)(const void *)many.rules;
    CHECK_INT(m->kinds, 4);
    CHECK_INT(LU_RULES_AT(m, swarm_kind, m->kinds_at)[3].points, 4);
    lu_episode_close(&many);
    lu_episode_close(&few);
}

TEST(actions_of_clock_take_their_ticks) {
    lu_episode t = test_episode("clock-v1", "");
    CHECK(t.game->tick_discount);
    lu_env_reset(t.env, 1, NULL);
    int64_t ticks = 0;
    for (int32_t action = CLOCK_NAP_1; action <= CLOCK_NAP_8; action++) {
        lu_env_step(t.env, &action);
        CHECK_INT(t.env->step.ticks, 1 << action);
        ticks += 1 << action;
    }
    CHECK_INT(t.env->ticks, ticks);
    lu_episode_close(&t);
}

TEST(the_game_drives_the_house_by_a_setting) {
    lu_episode t = test_episode("house-v1", "");
    CHECK(t.game->drives(t.rules, 1) && !t.game->drives(t.rules, 0));
    lu_env_reset(t.env, 3, NULL);
    house_state *s = t.env->state;
    s->turn[1] = HOUSE_ENOUGH;
    const int32_t actions[] = {HOUSE_ROLL, 77}; /* the second is ignored */
    lu_env_step(t.env, actions);
    CHECK_INT(t.env->step.illegal, 0);
    CHECK_INT(s->total[1], HOUSE_ENOUGH);
    lu_episode_close(&t);
}

TEST(a_submask_that_is_missing_is_found) {
    lu_error error;
    lu_game game = *lu_game_find("chain-v1", &error);
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

/* ---- settings, reset options, seeds ---- */

TEST(weights_come_from_mode_and_settings) {
    lu_episode t = test_episode("duet-v1", "");
    lu_episode other = test_episode("duet-v1", "{\"reward.mode\":\"greedy\",\"reward.won\":2.5}");
    const lu_rules *rules = other.rules;
    lu_env *env = other.env;
    CHECK_NEAR(t.rules->weight[DUET_TERM_LOST], 1, 0);
    CHECK_INT(lu_game_modes(t.game), 2);
    CHECK_NEAR(rules->weight[DUET_TERM_WON], 2.5, 0);
    CHECK_NEAR(rules->weight[DUET_TERM_LOST], 0, 0);
    CHECK(rules->hash != t.rules->hash);
    lu_env_reset(env, 1, NULL);
    int prize = ((duet_state *)env->state)->prize;
    const int32_t actions[] = {DUET_PAPER, DUET_ROCK};
    lu_env_step(env, actions);
    CHECK_NEAR(env->reward[0], 2.5 * prize, 0);
    CHECK_NEAR(env->reward[1], 0, 0);
    CHECK_NEAR(env->terms[DUET_TERMS + DUET_TERM_LOST], -prize, 0); /* terms know no weights */
    lu_episode_close(&other);
    lu_episode_close(&t);
}

/* The option block of duet for "key=value" pairs; NULL ends the list. */
static duet_options wishes(const lu_episode *t, const char *const *pairs) {
    lu_error error;
    duet_options wish;
    lu_settings *values = lu_settings_new();
    lu_settings_add(values, t->game->options.table);
    for (; *pairs; pairs++) {
        CHECK_INT(lu_settings_set_pair(values, *pairs, LU_FROM_FLAG, "test", &error), LU_OK);
    }
    CHECK_INT(t->game->options.init(t->rules, values, &wish, &error), LU_OK);
    lu_settings_delete(values);
    return wish;
}

TEST(a_text_seed_takes_the_place_of_the_seed) {
    lu_episode t = test_episode("duet-v1", "");
    duet_options one = wishes(&t, (const char *[]){"words=spring tide", NULL});
    duet_options two = wishes(&t, (const char *[]){"words=neap tide", NULL});
    lu_env_reset(t.env, 1, &one);
    uint64_t first = lu_env_hash(t.env);
    lu_env_reset(t.env, 2, &one);
    CHECK_HEX(lu_env_hash(t.env), first);
    lu_env_reset(t.env, 1, &two);
    CHECK(lu_env_hash(t.env) != first);
    lu_env_reset(t.env, 1, NULL);
    CHECK(lu_env_hash(t.env) != first);
    lu_episode_close(&t);
}

TEST(a_vector_resets_with_its_options_and_tells_the_seed_of_every_episode) {
    enum { ENVIRONMENTS = 3, ROUNDS = 3 };
    lu_episode t = test_episode("duet-v1", "");
    lu_error error;
    duet_options wish = wishes(&t, (const char *[]){"rounds=3", "lead=10", NULL});
    lu_vec *vec = lu_vec_new(t.game, t.rules, ENVIRONMENTS, 77, 1, &wish, &error);
    NEED(vec);
    memset(&wish, 0xAA, sizeof wish); /* the vector has its own copy */
    int32_t actions[ENVIRONMENTS * DUET_SEATS];
    uint8_t terminated[ENVIRONMENTS];
    uint64_t seeds[ENVIRONMENTS];
    double info[ENVIRONMENTS * DUET_SEATS * DUET_INFOS];
    lu_buffers buffers = {
        .actions = actions, .terminated = terminated, .final_seed = seeds, .final_info = info};
    lu_vec_reset(vec, &buffers);
    for (int step = 1; step <= 4 * ROUNDS; step++) {
        for (int i = 0; i < ENVIRONMENTS * DUET_SEATS; i++) {
            actions[i] = step % 3; /* both seats alike: nobody ever wins */
        }
        lu_vec_step(vec, &buffers);
        for (int i = 0; i < ENVIRONMENTS; i++) {
            uint64_t episode = (uint64_t)(step / ROUNDS);
            CHECK_INT(terminated[i], step % ROUNDS == 0);
            CHECK_INT(lu_vec_place(vec, i)->episode, episode);
            CHECK_HEX(lu_vec_place(vec, i)->seed, lu_mix(77, (uint64_t)i, episode));
            if (terminated[i]) {
                CHECK_HEX(seeds[i], lu_mix(77, (uint64_t)i, episode - 1));
                for (int seat = 0; seat < DUET_SEATS; seat++) {
                    const double *mine = info + (i * DUET_SEATS + seat) * DUET_INFOS;
                    CHECK_NEAR(mine[DUET_INFO_LEAD], seat ? -10 : 10, 0);
                }
            }
        }
    }
    lu_vec_delete(vec);
    lu_episode_close(&t);
}

/* Two environments of duet with three rounds that wait when they are over. */
typedef struct waiting {
    lu_episode t;
    lu_vec *vec;
    int32_t actions[2 * DUET_SEATS];
    uint8_t terminated[2];
    double info[2 * DUET_SEATS * DUET_INFOS];
    lu_buffers buffers;
} waiting;

static bool waiting_open(waiting *w) {
    lu_error error;
    *w = (waiting){.t = test_episode("duet-v1", "")};
    duet_options wish = wishes(&w->t, (const char *[]){"rounds=3", NULL});
    w->vec = lu_vec_new(w->t.game, w->t.rules, 2, 77, 1, &wish, &error);
    w->buffers = (lu_buffers){.actions = w->actions, .terminated = w->terminated, .info = w->info};
    if (w->vec) {
        lu_vec_reset(w->vec, &w->buffers);
    }
    return w->vec != NULL;
}

static void waiting_step(waiting *w, int steps) {
    for (int i = 0; i < steps; i++) {
        lu_vec_step(w->vec, &w->buffers);
    }
}

static void waiting_close(waiting *w) {
    lu_vec_delete(w->vec);
    lu_episode_close(&w->t);
}

TEST(a_chosen_environment_is_reset_with_its_seed_and_options_and_the_other_waits) {
    waiting w;
    NEED(waiting_open(&w));
    lu_vec_set_autoreset(w.vec, LU_NO_RESET);
    waiting_step(&w, 3);
    CHECK(w.terminated[0] && w.terminated[1]);
    uint64_t seed = 5, waits = lu_hash(lu_vec_state(w.vec, 0), w.t.rules->state_bytes, 0);
    duet_options wish = wishes(&w.t, (const char *[]){"rounds=4", "lead=10", NULL});
    lu_vec_reset_some(w.vec, (const int32_t[]){1}, 1, &seed, &wish, &w.buffers);
    CHECK_HEX(lu_vec_place(w.vec, 1)->seed, seed);
    CHECK_INT(lu_vec_place(w.vec, 1)->episode, 1);
    CHECK_NEAR(w.info[DUET_SEATS * DUET_INFOS + DUET_INFO_LEAD], 10, 0);
    waiting_step(&w, 3);
    CHECK(w.terminated[0] && !w.terminated[1]);
    waiting_step(&w, 1);
    CHECK(w.terminated[1]);
    CHECK_HEX(lu_hash(lu_vec_state(w.vec, 0), w.t.rules->state_bytes, 0), waits);
    /* without seeds and options: the next episode by the vector's own */
    lu_vec_reset_some(w.vec, (const int32_t[]){1, 0}, 2, NULL, NULL, &w.buffers);
    CHECK_HEX(lu_vec_place(w.vec, 0)->seed, lu_mix(77, 0, 1));
    CHECK_HEX(lu_vec_place(w.vec, 1)->seed, lu_mix(77, 1, 2));
    CHECK_NEAR(w.info[DUET_SEATS * DUET_INFOS + DUET_INFO_LEAD], 0, 0);
    waiting_step(&w, 3);
    CHECK(w.terminated[0] && w.terminated[1]);
    waiting_close(&w);
}

TEST(a_snapshot_keeps_who_waits_and_how_long) {
    for (int way = LU_SAME_STEP; way <= LU_NO_RESET; way++) {
        waiting a, b;
        NEED(waiting_open(&a) && waiting_open(&b));
        lu_error error;
        lu_vec_set_autoreset(a.vec, (lu_autoreset)way);
        waiting_step(&a, 3);
        size_t bytes = lu_vec_snapshot_bytes(a.vec);
        void *kept = lu_alloc(bytes);
        lu_vec_save(a.vec, kept);
        CHECK_INT(lu_vec_load(b.vec, kept, bytes, &error), LU_OK);
        for (int i = 0; i < 9; i++) {
            waiting_step(&a, 1);
            waiting_step(&b, 1);
            CHECK_HEX(lu_vec_hash(a.vec), lu_vec_hash(b.vec));
            /* the step after an end is spent on the reset, or on waiting */
            CHECK_INT(a.terminated[0], way == LU_SAME_STEP   ? i % 3 == 2
                                       : way == LU_NEXT_STEP ? i % 4 == 3
                                                             : 1);
        }
        free(kept);
        waiting_close(&a);
        waiting_close(&b);
    }
}

TEST(a_snapshot_of_another_vector_is_refused) {
    lu_episode t = test_episode("duet-v1", "");
    lu_error error;
    duet_options wish = wishes(&t, (const char *[]){"lead=10", NULL});
    lu_vec *plain = lu_vec_new(t.game, t.rules, 2, 1, 1, NULL, &error);
    lu_vec *ahead = lu_vec_new(t.game, t.rules, 2, 1, 1, &wish, &error);
    lu_buffers none = {0};
    lu_vec_reset(plain, &none);
    lu_vec_reset(ahead, &none);
    uint64_t before = lu_vec_hash(ahead);
    size_t bytes = lu_vec_snapshot_bytes(plain);
    unsigned char *kept = lu_alloc(bytes);
    lu_vec_save(plain, kept);
    CHECK_INT(lu_vec_load(ahead, kept, bytes, &error), LU_OTHER_SPEC);
    CHECK_HAS(error.text, "reset options");
    CHECK_INT(lu_vec_load(plain, kept, bytes - 1, &error), LU_BAD_DATA);
    kept[0] ^= 1; /* of the specification's hash */
    CHECK_INT(lu_vec_load(plain, kept, bytes, &error), LU_OTHER_SPEC);
    CHECK_HEX(lu_vec_hash(ahead), before);
    kept[0] ^= 1;
    CHECK_INT(lu_vec_load(plain, kept, bytes, &error), LU_OK);
    free(kept);
    lu_vec_delete(plain);
    lu_vec_delete(ahead);
    lu_episode_close(&t);
}

TEST(impossible_vectors_are_refused) {
    lu_episode t = test_episode("duet-v1", "");
    lu_error error;
    CHECK(!lu_vec_new(t.game, t.rules, 0, 1, 1, NULL, &error));
    CHECK_INT(error.status, LU_BAD_VALUE);
    CHECK(!lu_vec_new(t.game, t.rules, 1, 1, 0, NULL, &error));
    CHECK_INT(error.status, LU_BAD_VALUE);
    CHECK(!lu_vec_new(t.game, t.rules, INT_MAX, 1, 1, NULL, &error)); /* rows would not fit */
    CHECK_INT(error.status, LU_LIMIT);
    lu_episode_close(&t);
}

TEST(skipping_gets_where_stepping_does) {
    lu_episode t = test_episode("clock-v1", ""), other = test_episode("clock-v1", "");
    lu_env_reset(t.env, 4, NULL);
    lu_env_reset(other.env, 4, NULL);
    for (int32_t action = CLOCK_NAP_1; action <= CLOCK_NAP_8; action++) {
        lu_env_step(t.env, &action);
        lu_env_skip(other.env, &action);
    }
    lu_env_refresh(other.env);
    CHECK_HEX(lu_env_hash(other.env), lu_env_hash(t.env));
    CHECK_INT(other.env->ticks, t.env->ticks);
    CHECK_INT(other.env->decisions, t.env->decisions);
    CHECK_NEAR(other.env->returns[0], t.env->returns[0], 0);
    CHECK(memcmp(other.env->observation, t.env->observation, CLOCK_OBSERVATION * sizeof(float)) ==
          0);
    CHECK(memcmp(other.env->mask, t.env->mask, CLOCK_ACTIONS) == 0);
    lu_episode_close(&t);
    lu_episode_close(&other);
}

TEST(an_info_value_without_a_name_is_null) {
    lu_episode t = test_episode("duet-v1", "");
    const lu_info *last = &t.game->info[DUET_INFO_LAST];
    CHECK_INT(lu_info_names(last), 4);
    CHECK_INT(lu_info_names(&t.game->info[DUET_INFO_LEAD]), 0);
    CHECK_TEXT(lu_info_name(last, 3.0), "nothing");
    static const double wrong[] = {-1.0, 4.0, 1e300, -INFINITY, NAN};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        double info[DUET_INFOS] = {[DUET_INFO_LAST] = wrong[i]};
        lu_json json = LU_JSON_INIT;
        CHECK(!lu_info_name(last, wrong[i]));
        lu_info_write(t.game, info, &json);
        CHECK_HAS(json.text, "\"last\":null");
        lu_json_free(&json);
    }
    lu_episode_close(&t);
}

/* ---- tools ---- */

typedef struct tool_notes {
    char text[200];
    double share;
    int looks, patience; /* looks at cancel so far, and after how many to stop; 0 = never */
} tool_notes;

static void note_line(void *user, const char *json, size_t length) {
    tool_notes *n = user;
    snprintf(n->text, sizeof n->text, "%.*s", (int)length, json);
}

static void note_progress(void *user, double share, const char *what) {
    tool_notes *n = user;
    CHECK(share > n->share && share <= 1.0 && *what);
    n->share = share;
}

static bool note_cancel(void *user) {
    tool_notes *n = user;
    return ++n->looks == n->patience;
}

static lu_status ask_odds(const char *text, int patience, tool_notes *notes, lu_error *error) {
    const lu_tool *tool = lu_tool_find("oracle", "odds");
    lu_settings *settings = lu_settings_new();
    lu_settings_add(settings, tool->settings);
    lu_tool_input input = {"mine.json", text, strlen(text)};
    lu_tool_io io = {.settings = settings,
                     .inputs = &input,
                     .input_count = 1,
                     .user = notes,
                     .emit = note_line,
                     .progress = note_progress,
                     .cancelled = note_cancel};
    *notes = (tool_notes){.patience = patience};
    lu_status status = tool->run(&io, error);
    lu_settings_delete(settings);
    return status;
}

TEST(the_registry_finds_tools_and_not_their_parts) {
    CHECK_INT(lu_tool_count(), 2);
    CHECK(lu_tool_at(0) == lu_tool_find("house", "strain"));
    CHECK(lu_tool_at(1) == lu_tool_find("oracle", "odds"));
    CHECK(!lu_tool_at(2) && !lu_tool_at(-1));
    CHECK(!lu_tool_find("oracle", "odds_part"));
    CHECK(!lu_tool_find("duet", "odds"));
}

TEST(a_tool_starts_from_a_described_state_and_draws_what_is_hidden) {
    tool_notes notes;
    lu_error error;
    /* the coin under the cup is told, and must not matter */
    CHECK_INT(ask_odds("{\"round\": 3, \"coin\": 1}", 0, &notes, &error), LU_OK);
    lu_json_document *document = lu_json_read("", notes.text, strlen(notes.text), &error);
    double heads = lu_json_real_or(lu_json_get(lu_json_root(document), "heads"), -1);
    CHECK(heads > 0.4 && heads < 0.6);
    lu_json_close(document);
    CHECK_NEAR(notes.share, 1, 0);
}

TEST(a_tool_stops_when_asked_and_names_bad_input) {
    tool_notes notes;
    lu_error error;
    CHECK_INT(ask_odds("{}", 3, &notes, &error), LU_INTERRUPTED);
    CHECK_INT(notes.looks, 3);
    CHECK_TEXT(notes.text, "");
    CHECK_INT(ask_odds("{\"round\": 99}", 0, &notes, &error), LU_BAD_DATA);
    CHECK_HAS(error.text, "round");
    CHECK_INT(ask_odds("{", 0, &notes, &error), LU_BAD_DATA);
    CHECK_HAS(error.text, "mine.json:1:2");
}

/* ---- golden and hash ---- */

TEST(golden_playthroughs_are_the_same_twice) {
    for (int i = 0; i < lu_game_count(); i++) {
        lu_text first = LU_TEXT_INIT, second = LU_TEXT_INIT;
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
        lu_episode t = test_episode(lu_game_at(i)->id, "");
        uint64_t hash = lu_conform_hash(t.game, t.rules, 1, 400);
        CHECK(hash != last);
        CHECK_HEX(lu_conform_hash(t.game, t.rules, 1, 400), hash);
        CHECK(lu_conform_hash(t.game, t.rules, 2, 400) != hash);
        CHECK(lu_conform_hash(t.game, t.rules, 1, 404) != hash);
        last = hash;
        lu_episode_close(&t);
    }
}
