/* What people and tools read: board, stories, reasons, JSON; and the bots. */
#include "potion_test.h"

#include <stdlib.h>

TEST(a_board_a_person_can_read) {
    kit k;
    lu_error error;
    lu_text text = LU_TEXT_INIT;
    NEED(kit_open(&k, PLAIN, NULL, &error));
    kit_start(&k, 3, 10, 1);
    k.at.game->show(k.at.rules, k.s, 0, &text);
    CHECK_HAS(text.text, "Speed Potion in Storm++\n0 of 9 items, 0 of 375 magimins\n");
    CHECK_HAS(text.text, "the cauldron is empty");
    kit_add(&k, "Chimera Waste", 2);
    kit_add(&k, "Glass Ore", 1);
    lu_text_clear(&text);
    k.at.game->show(k.at.rules, k.s, 0, &text);
    CHECK_HAS(text.text, "3 of 9 items, 210 of 375 magimins");
    CHECK_HAS(text.text, "C yellow ############|##..........   128   61.0% of  50.0%");
    CHECK_HAS(text.text, "stable, accuracy 89.05%, fullness 56.0%");
    CHECK_HAS(text.text, "1 x Greater 2 at 154, smell -");
    CHECK_HAS(text.text, "inside: 2 Chimera Waste, 1 Glass Ore");
    lu_text_free(&text);
    kit_close(&k);
}

static void story_of(kit *k, int32_t action, lu_text *text) {
    lu_text_clear(text);
    kit_act(k, action);
    k->at.game->story(k->at.rules, k->env->before, k->s, k->env->actions, text);
}

TEST(stories_and_events_tell_each_decision) {
    kit k;
    lu_error error;
    lu_text text = LU_TEXT_INIT;
    NEED(kit_open(&k, PLAIN, NULL, &error));
    potion_options task = {.recipe = 0, .cauldron = 0, .stocked = 1};
    task.stock[4] = 1; /* Feyberry, 6 A */
    task.stock[5] = 2; /* Mandrake Root, 6 B */
    task.stock[206] = 1;
    lu_env_reset(k.env, 1, &task);
    story_of(&k, 4, &text);
    CHECK_TEXT(text.text, "adds Feyberry, 6 of 75 magimins");
    story_of(&k, 4, &text);
    CHECK_TEXT(text.text, "adds nothing: none is left in stock");
    story_of(&k, 206, &text);
    CHECK_TEXT(text.text, "adds nothing: its magimins do not fit into the cauldron");
    story_of(&k, 207, &text);
    CHECK_TEXT(text.text, "adds nothing: there is no such ingredient");
    CHECK_HEX(k.at.game->events_of(k.at.rules, k.env->before, k.s, k.env->actions),
              1u << POTION_EVENT_IGNORED);
    story_of(&k, 5, &text);
    story_of(&k, 0, &text);
    CHECK_TEXT(text.text, "finishes; 1 perfect Minor 3, profit 13");
    CHECK_HEX(k.at.game->events_of(k.at.rules, k.env->before, k.s, k.env->actions),
              1u << POTION_EVENT_BREWED | 1u << POTION_EVENT_PERFECT);
    lu_text_free(&text);
    kit_close(&k);
}

TEST(reasons_name_what_is_in_the_way) {
    kit k;
    lu_error error;
    NEED(kit_open(&k, PLAIN, NULL, &error));
    kit_start(&k, 0, 0, 1);
    CHECK_TEXT(k.at.game->why_not(k.at.rules, k.s, 0, 0, 207),
               "kept free for an ingredient of your own");
    CHECK_TEXT(k.at.game->why_not(k.at.rules, k.s, 0, 0, 206),
               "its magimins do not fit into the cauldron");
    k.s->stock[206] = 0;
    CHECK_TEXT(k.at.game->why_not(k.at.rules, k.s, 0, 0, 206), "none is left in stock");
    kit_add(&k, "Feyberry", 4);
    CHECK_TEXT(k.at.game->why_not(k.at.rules, k.s, 0, 0, 4), "every slot of the cauldron is taken");
    kit_close(&k);
}

/* ---- JSON ---- */

static lu_status read_state(kit *k, const char *text, lu_error *error) {
    lu_json_document *document = lu_json_read("state", text, strlen(text), error);
    if (!document) {
        return LU_BAD_DATA;
    }
    lu_status status = k->at.game->from_json(k->at.rules, k->s, lu_json_root(document), error);
    lu_json_close(document);
    return status;
}

TEST(a_person_may_write_a_state) {
    kit k;
    lu_error error;
    NEED(kit_open(&k, PLAIN, NULL, &error));
    lu_env_reset(k.env, 4, NULL);
    CHECK_INT(read_state(&k,
                         "{\"recipe\": \"Speed Potion\", \"cauldron\": \"Storm++\","
                         " \"stock\": {\"Glass Ore\": 2}, \"added\": [111, 111, 17]}",
                         &error),
              LU_OK);
    lu_env_refresh(k.env);
    CHECK_INT(k.s->recipe, 3);
    CHECK_INT(k.s->max_magimins, 375);
    CHECK_INT(k.s->mix.total, 210);
    CHECK_INT(k.s->code, POTION_STABLE);
    CHECK_INT(k.s->stock[17], 2);
    CHECK_INT(k.env->mask[17], 1);
    CHECK_INT(k.env->mask[18], 0);
    kit_close(&k);
}

TEST(bad_states_are_refused_and_change_nothing) {
    static const struct {
        const char *text, *part;
    } bad[] = {
        {"{\"recipe\": 20}", "recipe"},
        {"{\"recipe\": \"Tea\"}", "no recipe 'Tea'"},
        {"{\"cauldron\": \"Cup\"}", "no cauldron 'Cup'"},
        {"{\"cauldron\": 0, \"added\": [206]}", "336 magimins"},
        {"{\"cauldron\": 0, \"added\": [1, 1, 1, 1, 1]}", "5 ingredients, but the cauldron only 4"},
        {"{\"added\": [0]}", "'added'[0] is 0"},
        {"{\"added\": [1.5]}", "must be whole"},
        {"{\"added\": 7}", "an array of at most 16"},
        {"{\"stock\": {\"1\": 200}}", "99"},
        {"{\"stock\": 5}", "stock"},
        {"{\"traits\": [1, 1]}", "array of 5"},
        {"{\"traits\": [1, 1, 1, 1, 2]}", "-1..1"},
        {"{\"end\": 9}", "end"},
        {"{\"grade\": 36}", "grade"},
        {"{\"round\": 0}", "round"},
        {"{\"rng\": -1}", "rng"},
    };
    kit k;
    lu_error error;
    NEED(kit_open(&k, PLAIN, NULL, &error));
    lu_env_reset(k.env, 4, NULL);
    potion_state before = *k.s;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        error.text[0] = 0;
        CHECK(read_state(&k, bad[i].text, &error) != LU_OK);
        CHECK_HAS(error.text, bad[i].part);
        CHECK(memcmp(&before, k.s, sizeof before) == 0);
    }
    kit_close(&k);
}

TEST(a_player_does_not_read_the_generator) {
    kit k;
    lu_error error;
    lu_json json = LU_JSON_INIT;
    NEED(kit_open(&k, PLAIN, NULL, &error));
    lu_env_reset(k.env, 4, NULL);
    k.at.game->to_json(k.at.rules, k.s, 0, &json);
    CHECK(!strstr(json.text, "\"rng\""));
    lu_json_clear(&json);
    k.at.game->to_json(k.at.rules, k.s, -1, &json);
    CHECK_HAS(json.text, "\"rng\":\"0x");
    lu_json_free(&json);
    kit_close(&k);
}

/* ---- bots ---- */

static void play_bot(kit *k, const char *bot, int episodes, double *score, double *perfect) {
    lu_seated_bot seated;
    lu_seated_bot_init(&seated, lu_game_bot(k->at.game, bot));
    *score = *perfect = 0.0;
    for (uint64_t seed = 30000; seed < 30000 + (uint64_t)episodes; seed++) {
        lu_env_reset(k->env, seed, NULL);
        lu_seated_bot_begin(&seated, seed);
        while (!k->env->over) {
            int32_t action;
            lu_seated_bot_act(&seated, k->env, 0, &action);
            kit_act(k, action);
        }
        CHECK_INT(k->s->illegal, 0);
        *score += lu_env_info(k->env, 0, "score") / episodes;
        *perfect += lu_env_info(k->env, 0, "perfect") / episodes;
    }
    lu_seated_bot_free(&seated);
}

TEST(the_bots_reach_their_marks_in_every_layout) {
    static const struct {
        const char *name;
        double least, most, perfect;
    } rows[] = {
        {"random", 0.0, 0.1, -1.0}, {"greedy", 1.35, 1.7, -1.0}, {"brewer", 1.93, 2.0, 0.95}};
    for (int variant = 0; variant < VARIANTS; variant++) {
        kit k;
        lu_error error;
        NEED(kit_open(&k, variant, NULL, &error));
        for (size_t b = 0; b < sizeof rows / sizeof *rows; b++) {
            double score, perfect;
            play_bot(&k, rows[b].name, 40, &score, &perfect);
            CHECK(score >= rows[b].least && score <= rows[b].most);
            CHECK(perfect > rows[b].perfect);
        }
        kit_close(&k);
    }
}

/* What the bots read from each layout is the same: under equal rules they play alike. */
TEST(the_bots_play_alike_in_every_layout) {
    static const char *const pairs[] = {"rules=rl_peer", "step_cap=false", NULL};
    for (int bot = 0; bot < POTION_BOTS; bot++) {
        double score[VARIANTS], perfect[VARIANTS];
        for (int variant = 0; variant < VARIANTS; variant++) {
            kit k;
            lu_error error;
            NEED(kit_open(&k, variant, pairs, &error));
            play_bot(&k, k.at.game->bot[bot].name, 20, &score[variant], &perfect[variant]);
            kit_close(&k);
        }
        for (int variant = 1; variant < VARIANTS; variant++) {
            CHECK_NEAR(score[variant], score[0], 0.0);
            CHECK_NEAR(perfect[variant], perfect[0], 0.0);
        }
    }
}
