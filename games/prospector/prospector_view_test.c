/* What people see of prospector and its bots: the board fits, every decision has a story, JSON
 * gives the same bytes back and refuses what is wrong, reasons match the mask, the pilot
 * and the ace earn, and the baselines are as published. */
#include "prospector.h"
#include "test_episode.h"

#include <stdlib.h>

typedef struct bench {
    lu_episode at;
    prospector_state *s;
} bench;

static bench bench_new(const char *settings) {
    bench b = {.at = test_episode("prospector", settings)};
    lu_episode_reset(&b.at, 3);
    b.s = b.at.env->state;
    return b;
}

static void bench_free(bench *b) {
    lu_episode_close(&b->at);
}

static void step(bench *b, int action) {
    int32_t actions[1] = {action};
    lu_env_step(b->at.env, actions);
}

/* Sets the ship down at a station neighbour with rocks, in good order. */
static void fly_out(bench *b) {
    for (uint64_t seed = 3; b->s->node == 0 || b->at.env->over; seed++) {
        lu_env_reset(b->at.env, seed, NULL);
        step(b, PROSPECTOR_TRAVEL);
    }
    b->s->hull = 100.0;
}

static const char *story(bench *b, lu_text *text) {
    lu_text_clear(text);
    b->at.game->story(b->at.rules, b->at.env->before, b->at.env->state, b->at.env->actions, text);
    return text->text;
}

/* ---- the board ---- */

static void check_board(bench *b, int seat) {
    lu_text text = LU_TEXT_INIT;
    b->at.game->show(b->at.rules, b->s, seat, &text);
    int lines = 0, column = 0, widest = 0;
    for (const char *at = text.text; *at; at++) {
        column = *at == '\n' ? 0 : column + 1;
        lines += *at == '\n';
        widest = column > widest ? column : widest;
        CHECK(*at == '\n' || (*at >= ' ' && *at < 127));
    }
    CHECK(lines <= 18 && widest <= 80);
    lu_text_free(&text);
}

TEST(the_board_fits_whatever_happens) {
    bench b = bench_new("");
    lu_rng rng = lu_rng_from(7);
    for (uint64_t seed = 0; seed < 40; seed++) {
        lu_env_reset(b.at.env, seed, NULL);
        while (!b.at.env->over) {
            int32_t action;
            lu_action_random(b.at.game, b.at.rules, b.s, 0, b.at.env->mask, &rng, &action);
            lu_env_step(b.at.env, &action);
            check_board(&b, 0);
            check_board(&b, -1);
        }
    }
    /* the largest numbers there are */
    fly_out(&b);
    b.s->credits = 9999999.0;
    for (int c = 0; c < PROSPECTOR_GOODS; c++) {
        b.s->cargo[c] = 199.9f;
        b.s->price[c] = 420.0f;
    }
    b.s->kits = b.s->stabilizers = b.s->decoys = PROSPECTOR_SUPPLY_MAX;
    b.s->end = PROSPECTOR_END_BOTH;
    check_board(&b, 0);
    check_board(&b, -1);
    bench_free(&b);
}

TEST(the_board_tells_a_seat_no_more_than_it_sees) {
    bench b = bench_new("");
    lu_text text = LU_TEXT_INIT;
    b.s->price[3] = 199.5f;
    b.at.game->show(b.at.rules, b.s, 0, &text);
    CHECK_HAS(text.text, "145.0+");
    CHECK(!strstr(text.text, "199.5"));
    lu_text_clear(&text);
    b.at.game->show(b.at.rules, b.s, -1, &text);
    CHECK_HAS(text.text, "199.5");
    lu_text_free(&text);
    bench_free(&b);
}

/* ---- stories ---- */

TEST(every_decision_has_a_story) {
    bench b = bench_new("");
    lu_text text = LU_TEXT_INIT;
    lu_rng rng = lu_rng_from(11);
    bool told[PROSPECTOR_ACTIONS] = {false};
    for (uint64_t seed = 0; seed < 300; seed++) {
        lu_env_reset(b.at.env, seed, NULL);
        b.s->credits = seed % 2 ? 5000.0 : 0.0;
        lu_env_refresh(b.at.env);
        while (!b.at.env->over) {
            /* every third action may be illegal */
            int32_t action = (int32_t)lu_rng_below(&rng, PROSPECTOR_ACTIONS + 1) - 1;
            if (lu_rng_below(&rng, 3)) {
                lu_action_random(b.at.game, b.at.rules, b.s, 0, b.at.env->mask, &rng, &action);
            }
            lu_env_step(b.at.env, &action);
            const char *line = story(&b, &text);
            CHECK(text.length > 0 && text.length <= 120);
            CHECK(!strchr(line, '\n'));
            if (action >= 0 && !b.at.env->step.illegal) {
                told[action] = true;
            }
        }
    }
    for (int a = 0; a < PROSPECTOR_ACTIONS; a++) {
        CHECK(told[a]);
    }
    lu_text_free(&text);
    bench_free(&b);
}

TEST(stories_carry_the_numbers) {
    bench b = bench_new("");
    lu_text text = LU_TEXT_INIT;
    b.s->cargo[0] = 12.0f;
    step(&b, PROSPECTOR_SELL + 2);
    CHECK_HAS(story(&b, &text), "sells 12.0 iron for ");
    b.s->credits = 500.0;
    b.s->fuel = 100.0;
    step(&b, PROSPECTOR_BUY_FUEL + 2);
    CHECK_TEXT(story(&b, &text), "buys 480 fuel for 210 credits");
    step(&b, PROSPECTOR_OVERHAUL);
    CHECK_HAS(story(&b, &text), "overhauls the ship for 280 credits");
    step(&b, PROSPECTOR_MINE);
    CHECK_TEXT(story(&b, &text), "cannot do that (no rock selected) and holds");

    fly_out(&b);
    CHECK_HAS(story(&b, &text), "flies ");
    step(&b, PROSPECTOR_SELECT);
    CHECK_HAS(story(&b, &text), "aims at rock 1");
    step(&b, PROSPECTOR_DEEP_SCAN);
    CHECK_HAS(story(&b, &text), "deep scans rock 1: ");
    step(&b, PROSPECTOR_CASH_OUT);
    CHECK_HAS(story(&b, &text), "cashes out with ");
    lu_text_free(&text);
    bench_free(&b);
}

TEST(fractures_and_pirates_are_told_and_counted) {
    bench b = bench_new("");
    lu_text text = LU_TEXT_INIT;
    uint64_t seen = 0;
    for (uint64_t seed = 0; seed < 30; seed++) {
        lu_env_reset(b.at.env, seed, NULL);
        step(&b, PROSPECTOR_TRAVEL);
        int rock = 0;
        while (!b.at.env->over && b.s->node != 0) {
            int hazards = b.s->encounters;
            step(&b, b.at.env->mask[PROSPECTOR_MINE + 2] ? PROSPECTOR_MINE + 2
                                                         : PROSPECTOR_SELECT + (rock++ & 15));
            uint64_t bits =
                b.at.game->events_of(b.at.rules, b.at.env->before, b.s, b.at.env->actions);
            story(&b, &text);
            CHECK((b.s->encounters > hazards) == ((bits >> PROSPECTOR_EVENT_PIRATES & 1u) != 0));
            CHECK(!(bits >> PROSPECTOR_EVENT_PIRATES & 1u) || strstr(text.text, "pirates!"));
            CHECK(!(bits >> PROSPECTOR_EVENT_FRACTURE & 1u) || strstr(text.text, "fractures"));
            CHECK(((bits >> PROSPECTOR_EVENT_TERMINATED & 1u) != 0) ==
                  (b.at.env->step.terminated != 0));
            CHECK(((bits >> PROSPECTOR_EVENT_INVALID & 1u) != 0) == (b.at.env->step.illegal != 0));
            seen |= bits;
        }
    }
    CHECK(seen >> PROSPECTOR_EVENT_FRACTURE & 1u);
    CHECK(seen >> PROSPECTOR_EVENT_PIRATES & 1u);
    CHECK(seen >> PROSPECTOR_EVENT_TERMINATED & 1u);
    lu_text_free(&text);
    bench_free(&b);
}

/* ---- JSON ---- */

static lu_status read_json(bench *b, void *state, const char *text, lu_error *error) {
    lu_json_document *document = lu_json_read("test", text, strlen(text), error);
    if (!document) {
        return LU_BAD_DATA;
    }
    lu_status status = b->at.game->from_json(b->at.rules, state, lu_json_root(document), error);
    lu_json_close(document);
    return status;
}

TEST(json_gives_the_same_bytes_back) {
    bench b = bench_new("");
    lu_json json = LU_JSON_INIT;
    lu_error error;
    lu_rng rng = lu_rng_from(5);
    prospector_state *other = calloc(1, sizeof *other);
    const lu_core *core = lu_game_core(b.at.game);
    for (uint64_t seed = 100; seed < 130; seed++) {
        lu_env_reset(b.at.env, seed, NULL);
        for (int k = 0; k < 60 && !b.at.env->over; k++) {
            int32_t action;
            do {
                lu_action_random(b.at.game, b.at.rules, b.s, 0, b.at.env->mask, &rng, &action);
            } while (action == PROSPECTOR_CASH_OUT);
            lu_env_step(b.at.env, &action);
        }
        lu_json_clear(&json);
        b.at.game->to_json(b.at.rules, b.s, -1, &json);
        /* into a fresh world, and into one that has seen other places */
        memset(other, 0, sizeof *other);
        core->reset(b.at.rules, other, seed + 7, NULL);
        CHECK_INT(read_json(&b, other, json.text, &error), LU_OK);
        CHECK(memcmp(other, b.s, sizeof *other) == 0);
        memcpy(other, b.at.env->before, sizeof *other);
        CHECK_INT(read_json(&b, other, json.text, &error), LU_OK);
        CHECK(memcmp(other, b.s, sizeof *other) == 0);
    }
    free(other);
    lu_json_free(&json);
    bench_free(&b);
}

TEST(a_person_sets_up_a_situation) {
    bench b = bench_new("");
    lu_error error;
    double hull = b.s->hull;
    CHECK_INT(
        read_json(&b, b.s, "{\"fuel\": 55.5, \"credits\": 300, \"cargo\": [1,2,3,4,5,6]}", &error),
        LU_OK);
    CHECK_NEAR(b.s->fuel, 55.5, 0.0);
    CHECK_NEAR(b.s->hull, hull, 0.0);
    CHECK_NEAR((double)b.s->cargo[5], 6.0, 0.0);
    CHECK_NEAR(b.s->load, 0.105, 1e-6);
    lu_env_refresh(b.at.env);
    CHECK(b.at.env->mask[PROSPECTOR_OVERHAUL]);
    step(&b, PROSPECTOR_OVERHAUL);
    CHECK(!b.at.env->step.illegal);
    bench_free(&b);
}

TEST(json_refuses_what_is_wrong) {
    static const char *const bad[][2] = {
        {"[]", "must be an object"},
        {"{\"fule\": 3}", "no key 'fule'"},
        {"{\"fuel\": 1000.5}", "fuel"},
        {"{\"fuel\": -1}", "fuel"},
        {"{\"fuel\": \"full\"}", "fuel"},
        {"{\"fuel\": null}", "fuel"},
        {"{\"kits\": 13}", "kits"},
        {"{\"kits\": 1.5}", "kits"},
        {"{\"time_left\": 20001}", "time_left"},
        {"{\"credits\": 1e300}", "credits"},
        {"{\"node\": 5}", "first visit"},
        {"{\"node\": 31}", "node"},
        {"{\"node\": 32}", "node"},
        {"{\"selected\": 0}", "selected"},
        {"{\"action\": 69}", "action"},
        {"{\"end\": 6}", "end"},
        {"{\"cargo\": [1,2,3]}", "array of 6"},
        {"{\"cargo\": 7}", "array of 6"},
        {"{\"cargo\": [1,2,3,4,5,\"x\"]}", "'cargo'[5]"},
        {"{\"cargo\": [100,100,100,0,0,0]}", "300"},
        {"{\"price\": [1e9,55,85,145,210,120]}", "'price'[0]"},
        {"{\"period\": [0,200,200,200,200,200]}", "'period'[0]"},
        {"{\"rng\": \"zebra\"}", "rng"},
        {"{\"stabilise_ticks\": [7]}", "array of 16"},
        {"{\"graph\": 3}", "graph"},
        {"{\"graph\": []}", "graph"},
        {"{\"graph\": [{},{\"edges\": [{\"to\": 1}]}]}", "edge"},
        {"{\"graph\": [{\"edges\": []},{\"edges\": [{\"to\": 0}]}]}", "both nodes"},
        {"{\"graph\": [{\"edges\": []},{\"edges\": [{\"to\": 31}]}]}", "edge"},
        {"{\"graph\": [{\"edges\": []},{\"edges\": [], \"rocks\": 17}]}", "rocks"},
        {"{\"graph\": [{\"edges\": []},{\"edges\": [], \"rocks\": 6, \"rock\": [{}]}]}", "6 rocks"},
        {"{\"graph\": [{\"edges\": [], \"rocks\": 5},{\"edges\": []}]}", "rocks"},
        {"{\"graph\": [{\"type\": 1},{\"edges\": []}]}", "type"},
    };
    bench b = bench_new("");
    lu_error error;
    prospector_state *before = calloc(1, sizeof *before);
    memcpy(before, b.s, sizeof *before);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        error.text[0] = 0;
        if (read_json(&b, b.s, bad[i][0], &error) == LU_OK) {
            lu_test_fail(__FILE__, __LINE__, "accepted: %s", bad[i][0]);
        }
        CHECK_HAS(error.text, bad[i][1]);
        CHECK(memcmp(before, b.s, sizeof *before) == 0);
    }
    free(before);
    bench_free(&b);
}

TEST(json_of_a_seat_hides_what_the_pilot_cannot_see) {
    static const char *const hidden[] = {"rng",      "sales", "phase",        "period",
                                         "richness", "graph", "escape_ticks", "stabilise_ticks",
                                         "noise",    "to"};
    bench b = bench_new("");
    lu_json json = LU_JSON_INIT;
    fly_out(&b);
    b.at.game->to_json(b.at.rules, b.s, 0, &json);
    for (size_t i = 0; i < sizeof hidden / sizeof *hidden; i++) {
        char key[32];
        snprintf(key, sizeof key, "\"%s\"", hidden[i]);
        CHECK(!strstr(json.text, key));
    }
    CHECK_HAS(json.text, "\"neighbours\"");
    lu_json_free(&json);
    bench_free(&b);
}

/* ---- reasons ---- */

static void check_reasons(const char *settings) {
    bench b = bench_new(settings);
    lu_rng rng = lu_rng_from(9);
    for (uint64_t seed = 0; seed < 60; seed++) {
        lu_env_reset(b.at.env, seed, NULL);
        b.s->credits = (double)(seed * 9);
        b.s->kits = seed % 3 ? b.s->kits : PROSPECTOR_SUPPLY_MAX;
        lu_env_refresh(b.at.env);
        while (!b.at.env->over) {
            for (int a = 0; a < PROSPECTOR_ACTIONS; a++) {
                const char *why = b.at.game->why_not(b.at.rules, b.s, 0, 0, a);
                if ((why == NULL) != (b.at.env->mask[a] != 0)) {
                    lu_test_fail(__FILE__, __LINE__, "action %d: mask %d, reason %s", a,
                                 b.at.env->mask[a], why ? why : "(none)");
                }
            }
            int32_t action;
            lu_action_random(b.at.game, b.at.rules, b.s, 0, b.at.env->mask, &rng, &action);
            lu_env_step(b.at.env, &action);
        }
    }
    bench_free(&b);
}

TEST(reasons_are_given_exactly_for_illegal_actions) {
    check_reasons("");
}

TEST(reasons_match_the_tight_mask_too) {
    check_reasons("{\"mask.tight\":true}");
}

/* ---- bots ---- */

/* Plays one episode; the hash of its actions. */
static uint64_t play(bench *b, lu_seated_bot *seated, uint64_t seed) {
    uint64_t hash = seed;
    lu_env_reset(b->at.env, seed, NULL);
    lu_seated_bot_begin(seated, seed);
    while (!b->at.env->over) {
        int32_t action = -1;
        lu_seated_bot_act(seated, b->at.env, 0, &action);
        if (action < 0 || action >= PROSPECTOR_ACTIONS || !b->at.env->mask[action]) {
            lu_test_fail(__FILE__, __LINE__, "seed %llu: action %d is illegal",
                         (unsigned long long)seed, action);
            break;
        }
        hash = lu_mix64(hash ^ (uint64_t)action);
        lu_env_step(b->at.env, &action);
    }
    return hash;
}

/* Legal, and at least this mean survival and mean net profit over seeds from 90000 on. */
static void check_earns(const char *bot, int episodes, double survival_bar, double profit_bar) {
    bench b = bench_new("");
    lu_seated_bot seated;
    lu_seated_bot_init(&seated, lu_game_bot(b.at.game, bot));
    double profit = 0.0, survival = 0.0;
    for (int k = 0; k < episodes; k++) {
        (void)play(&b, &seated, 90000 + (uint64_t)k);
        profit += lu_env_info(b.at.env, 0, "net_profit") / episodes;
        survival += lu_env_info(b.at.env, 0, "survival") / episodes;
    }
    if (survival < survival_bar - 1e-9 || profit < profit_bar) {
        lu_test_fail(__FILE__, __LINE__, "%s: mean survival %.3f, mean net profit %.0f", bot,
                     survival, profit);
    }
    lu_seated_bot_free(&seated);
    bench_free(&b);
}

TEST(the_pilot_is_legal_survives_and_earns) {
    check_earns("pilot", 40, 0.95, 9000.0);
}

TEST(the_ace_is_legal_survives_and_earns) {
    check_earns("ace", 12, 1.0, 60000.0);
}

static const char *const earners[] = {"pilot", "ace"};

TEST(pilot_and_ace_play_the_same_again) {
    for (int i = 0; i < 2; i++) {
        bench b = bench_new("{\"time_max\":2500}");
        lu_seated_bot seated;
        lu_seated_bot_init(&seated, lu_game_bot(b.at.game, earners[i]));
        for (uint64_t seed = 1; seed < 6; seed++) {
            uint64_t first = play(&b, &seated, seed);
            CHECK_HEX(play(&b, &seated, seed), first);
        }
        lu_seated_bot_free(&seated);
        bench_free(&b);
    }
}

TEST(pilot_and_ace_cope_with_a_tight_mask_and_little_time) {
    static const char *const settings[] = {"{\"mask.tight\":true}", "{\"time_max\":300}",
                                           "{\"time_max\":20}"};
    for (int i = 0; i < 6; i++) {
        bench b = bench_new(settings[i / 2]);
        lu_seated_bot seated;
        lu_seated_bot_init(&seated, lu_game_bot(b.at.game, earners[i % 2]));
        for (uint64_t seed = 1; seed < (i / 2 ? 20 : 4); seed++) {
            (void)play(&b, &seated, seed);
            CHECK_NEAR(lu_env_info(b.at.env, 0, "survival"), 1.0, 0.0);
        }
        lu_seated_bot_free(&seated);
        bench_free(&b);
    }
}

TEST(the_pilot_flies_home_with_a_weak_hull) {
    bench b = bench_new("");
    lu_seated_bot seated;
    lu_seated_bot_init(&seated, lu_game_bot(b.at.game, "pilot"));
    lu_seated_bot_begin(&seated, 3);
    fly_out(&b);
    b.s->hull = 39.0;
    lu_env_refresh(b.at.env);
    int32_t action = -1;
    lu_seated_bot_act(&seated, b.at.env, 0, &action);
    lu_env_step(b.at.env, &action);
    CHECK_INT(b.s->node, 0);
    lu_seated_bot_free(&seated);
    bench_free(&b);
}

/* Where every rock is gone the published rules aim at the first one, for ever. */
TEST(the_baselines_stay_as_published) {
    static const char *const published[] = {"greedy_miner", "market_timer", "cautious_scanner"};
    bench b = bench_new("");
    fly_out(&b);
    for (int a = 0; a < b.s->graph[b.s->node].rocks; a++) {
        b.s->rock[b.s->node].shown[a][PROSPECTOR_ROCK_DEPLETION] = 1.0f;
        b.s->rock[b.s->node].shown[a][PROSPECTOR_ROCK_CONFIDENCE] = 0.5f; /* no scan is due */
    }
    prospector_refresh(b.s);
    lu_env_refresh(b.at.env);
    for (int i = 0; i < 3; i++) {
        const lu_bot *bot = lu_game_bot(b.at.game, published[i]);
        lu_seated_bot seated;
        lu_seated_bot_init(&seated, bot);
        lu_seated_bot_begin(&seated, 1);
        int32_t action = -1;
        lu_seated_bot_act(&seated, b.at.env, 0, &action);
        CHECK(bot->wild);
        CHECK_INT(action, PROSPECTOR_SELECT);
        CHECK(!b.at.env->mask[action]);
        lu_seated_bot_free(&seated);
    }
    bench_free(&b);
}

TEST(the_floor_bots_do_what_they_say) {
    bench b = bench_new("");
    lu_seated_bot seated;
    lu_seated_bot_init(&seated, lu_game_bot(b.at.game, "cash_out"));
    (void)play(&b, &seated, 5);
    CHECK_INT(b.at.env->decisions, 1);
    lu_seated_bot_free(&seated);
    lu_seated_bot_init(&seated, lu_game_bot(b.at.game, "random"));
    uint64_t first = play(&b, &seated, 5);
    CHECK_HEX(play(&b, &seated, 5), first);
    CHECK(play(&b, &seated, 6) != first);
    lu_seated_bot_free(&seated);
    bench_free(&b);
}
