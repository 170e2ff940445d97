/* The size of a state: with rng = fast it ends before the streams. Every variant plays there on
 * storage of exactly that size (the sanitizers see a byte beyond it) as on a whole struct, whose
 * end stays untouched; environments take that much less memory; the battery holds. */
#include "joker_words.h"

#include "ludus/conform.h"
#include "ludus/vec.h"

#include "test_episode.h"

#include <stdlib.h>

enum { COLOUR = 0x5a };

#define FAST  "{\"rng\":\"fast\"}"
#define WHOLE "{\"rng\":\"game\"}"

/* The variants of joker, one after the other; NULL behind the last. */
static const lu_game *variant(int index) {
    for (int i = 0; i < lu_game_count(); i++) {
        if (strcmp(lu_game_at(i)->name, "joker") == 0 && index-- == 0) {
            return lu_game_at(i);
        }
    }
    return NULL;
}

TEST(the_rules_tells_the_size_of_a_state) {
    const lu_game *game;
    for (int v = 0; (game = variant(v)); v++) {
        lu_episode fast = test_episode(game->id, FAST), whole = test_episode(game->id, WHOLE);
        CHECK_INT(fast.rules->state_bytes, JOKER_HOT_BYTES);
        CHECK_INT(whole.rules->state_bytes, sizeof(joker_state));
        CHECK_INT(whole.rules->state_bytes, game->state_bytes);
        lu_episode_close(&fast);
        lu_episode_close(&whole);
    }
}

/* What environments take, by the distance of two neighbours and by their snapshot. */
static size_t distance(const lu_episode *t, size_t *snapshot) {
    lu_error error;
    lu_vec *vec = lu_vec_new(t->game, t->rules, 2, 1, 1, NULL, &error);
    const unsigned char *first = lu_vec_state(vec, 0), *second = lu_vec_state(vec, 1);
    *snapshot = lu_vec_snapshot_bytes(vec);
    lu_vec_delete(vec);
    return (size_t)(second - first);
}

TEST(environments_of_the_fast_generator_take_less_memory) {
    const lu_game *game;
    for (int v = 0; (game = variant(v)); v++) {
        lu_episode fast = test_episode(game->id, FAST), whole = test_episode(game->id, WHOLE);
        size_t less, more;
        CHECK(distance(&fast, &less) <= 4096);
        CHECK(distance(&whole, &more) <= 16384);
        CHECK_INT(more - less, 2 * (sizeof(joker_state) - JOKER_HOT_BYTES));
        CHECK(lu_vec_bytes(fast.rules, 1000) < lu_vec_bytes(whole.rules, 1000) / 4);
        lu_episode_close(&fast);
        lu_episode_close(&whole);
    }
}

/* ---- play on storage of the exact size ---- */

/* A run on a short state and the same one on a whole struct. */
typedef struct pair {
    lu_episode table;
    const lu_core *core;
    void *cut, *before; /* of state_bytes bytes */
    joker_state whole;
    float *observation;
    uint8_t *mask;
} pair;

static pair *pair_new(const lu_game *game) {
    pair *p = calloc(1, sizeof *p);
    p->table = test_episode(game->id, FAST);
    p->core = lu_game_core(game);
    p->cut = calloc(1, p->table.rules->state_bytes);
    p->before = calloc(1, p->table.rules->state_bytes);
    p->observation = calloc((size_t)lu_game_observation_length(game), sizeof(float));
    p->mask = calloc((size_t)lu_game_mask_length(game), 1);
    memset((unsigned char *)&p->whole + JOKER_HOT_BYTES, COLOUR,
           sizeof(joker_state) - JOKER_HOT_BYTES);
    return p;
}

static void pair_delete(pair *p) {
    lu_episode_close(&p->table);
    free(p->cut);
    free(p->before);
    free(p->observation);
    free(p->mask);
    free(p);
}

static void pair_same(const pair *p) {
    const unsigned char *bytes = (const unsigned char *)&p->whole;
    bool kept = true;
    for (size_t i = JOKER_HOT_BYTES; i < sizeof(joker_state); i++) {
        kept = kept && bytes[i] == COLOUR;
    }
    CHECK(kept);
    CHECK(memcmp(p->cut, &p->whole, JOKER_HOT_BYTES) == 0);
}

static void pair_reset(pair *p, uint64_t seed, const void *options) {
    p->core->reset(p->table.rules, p->cut, seed, options);
    p->core->reset(p->table.rules, &p->whole, seed, options);
    pair_same(p);
}

/* Everything a host asks of a state. */
static void pair_look(pair *p) {
    const lu_game *g = p->table.game;
    double info[LU_MAX_INFOS];
    lu_text text = LU_TEXT_INIT;
    p->core->observe(p->table.rules, p->cut, 0, LU_ALL_CHANGED, p->observation);
    p->core->mask(p->table.rules, p->cut, 0, p->mask);
    p->core->info(p->table.rules, p->cut, 0, info);
    g->show(p->table.rules, p->cut, 0, &text);
    for (int h = 0, at = 0; h < g->heads; at += g->head[h++].options) {
        for (int option = 0; option < g->head[h].options; option++) {
            if (!p->mask[at + option]) {
                (void)g->why_not(p->table.rules, p->cut, 0, h, option);
            }
        }
    }
    lu_text_free(&text);
}

static bool pair_step(pair *p, const int32_t *actions) {
    const lu_game *g = p->table.game;
    double terms[LU_MAX_TERMS] = {0};
    lu_step step;
    lu_text text = LU_TEXT_INIT;
    memcpy(p->before, p->cut, p->table.rules->state_bytes);
    p->core->step(p->table.rules, p->cut, actions, terms, &step);
    memset(terms, 0, sizeof terms);
    p->core->step(p->table.rules, &p->whole, actions, terms, &step);
    (void)g->events_of(p->table.rules, p->before, p->cut, actions);
    g->story(p->table.rules, p->before, p->cut, actions, &text);
    lu_text_free(&text);
    pair_same(p);
    return step.terminated || step.truncated;
}

/* Through JSON into storage of the exact size, and drawn anew there. */
static void pair_copy(pair *p, lu_rng *rng) {
    const lu_game *g = p->table.game;
    const lu_rules *rules = p->table.rules;
    lu_error error = {LU_OK, ""};
    lu_json json = LU_JSON_INIT;
    g->to_json(rules, p->cut, -1, &json);
    lu_json_document *document = lu_json_read("state", json.text, json.length, &error);
    p->core->reset(rules, p->before, 1, NULL);
    CHECK_INT(g->from_json(rules, p->before, lu_json_root(document), &error), LU_OK);
    CHECK(memcmp(p->before, p->cut, rules->state_bytes) == 0);
    p->core->determinise(rules, p->before, 0, rng);
    lu_json_close(document);
    lu_json_free(&json);
}

TEST(every_variant_plays_on_a_state_of_the_exact_size) {
    const lu_game *game;
    const joker_options wish = {"LUDUS"};
    int32_t actions[LU_MAX_HEADS];
    for (int v = 0; (game = variant(v)); v++) {
        pair *p = pair_new(game);
        lu_rng rng = lu_rng_from(7);
        uint64_t seed = 1;
        pair_reset(p, seed, &wish);
        for (int i = 0; i < 600; i++) {
            pair_look(p);
            lu_action_random(game, p->table.rules, p->cut, 0, p->mask, &rng, actions);
            if (i % 20 == 0) {
                pair_copy(p, &rng);
            }
            if (pair_step(p, actions)) {
                pair_reset(p, ++seed, NULL);
            }
        }
        CHECK(seed > 2);
        pair_delete(p);
    }
}

TEST(every_bot_plays_on_a_state_of_the_exact_size) {
    const lu_game *game;
    int32_t actions[LU_MAX_HEADS];
    for (int v = 0; (game = variant(v)); v++) {
        for (int b = 0; b < lu_game_bots(game); b++) {
            pair *p = pair_new(game);
            lu_seated_bot seated;
            lu_seated_bot_init(&seated, lu_game_bot_at(game, b));
            lu_seated_bot_begin(&seated, 3);
            pair_reset(p, 3, NULL);
            bool over = false;
            for (int i = 0; i < 30 && !over; i++) {
                pair_look(p);
                lu_seat_view view = {
                    .rules = p->table.rules,
                    .state = p->cut,
                    .observation = p->observation,
                    .mask = p->mask,
                    .memory = seated.memory,
                    .rng = &seated.rng,
                };
                lu_bot_act(game, seated.bot, &view, actions);
                over = pair_step(p, actions);
            }
            lu_seated_bot_free(&seated);
            pair_delete(p);
        }
    }
}

/* ---- states from outside ---- */

static lu_status read_state(const lu_episode *t, void *state, const char *text, lu_error *error) {
    lu_json_document *document = lu_json_read("state", text, strlen(text), error);
    lu_status status = t->game->from_json(t->rules, state, lu_json_root(document), error);
    lu_json_close(document);
    return status;
}

/* Streams of a real seed are checked and left out where there is no room for them. */
TEST(streams_from_outside_do_not_reach_a_short_state) {
    static const char good[] = "{\"money\":77,\"streams\":[[5,9,0.25],[1000,10,0.5]]}";
    static const char bad[] = "{\"money\":78,\"streams\":[[1024,9,0.25]]}";
    lu_error error = {LU_OK, ""};
    pair *p = pair_new(variant(0));
    lu_episode whole = test_episode(variant(0)->id, WHOLE);
    pair_reset(p, 1, NULL);
    CHECK_INT(read_state(&p->table, p->cut, good, &error), LU_OK);
    CHECK_INT(read_state(&p->table, &p->whole, good, &error), LU_OK);
    pair_same(p);
    CHECK_INT(p->whole.money, 77);
    CHECK_INT(p->whole.streams, 0);
    CHECK_INT(read_state(&p->table, p->cut, bad, &error), LU_BAD_DATA);
    pair_same(p);
    lu_game_core(whole.game)->reset(whole.rules, &p->whole, 1, NULL);
    CHECK_INT(read_state(&whole, &p->whole, good, &error), LU_OK);
    CHECK_INT(p->whole.streams, 2);
    CHECK(p->whole.stream[1000] == 0.5);
    lu_episode_close(&whole);
    pair_delete(p);
}

/* What no table of fields says of one number is refused too, and the state stays. */
TEST(bad_parts_of_a_state_are_refused) {
    static const struct {
        const char *text, *part;
    } bad[] = {
        {"{\"streams\":[[5,0,0.25]]}", "'streams'[1] is 0"},
        {"{\"streams\":[[5,9]]}", "'streams' must be an array of 3"},
        {"{\"guide\":[0,0,0,0,0,0,0,0,13]}", "'guide'[8] is 13"},
        {"{\"guide\":[0,0,0]}", "'guide' must be an array of 9"},
        {"{\"tags\":[{\"key\":\"tag_orbital\",\"hand\":12}]}", "255 is for none"},
        {"{\"packs\":[{\"key\":\"p_arcana_normal_1\",\"price\":1001}]}", "'price'"},
        {"{\"packs\":[{\"key\":\"p_arcana_normal_1\",\"free\":1}]}", "'free'"},
        {"{\"jokers\":[{\"key\":\"j_joker\",\"eternal\":7}]}", "'eternal'"},
    };
    lu_error error = {LU_OK, ""};
    lu_episode t = test_episode(variant(0)->id, WHOLE);
    joker_state *s = lu_alloc_zero(1, sizeof *s), *before = lu_alloc(sizeof *s);
    lu_game_core(t.game)->reset(t.rules, s, 1, NULL);
    memcpy(before, s, sizeof *s);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        CHECK_INT(read_state(&t, s, bad[i].text, &error), LU_BAD_DATA);
        CHECK_HAS(error.text, bad[i].part);
        CHECK(memcmp(before, s, sizeof *s) == 0);
    }
    free(s);
    free(before);
    lu_episode_close(&t);
}

/* A whole state in which one place is told twice, or not at all. */
TEST(each_card_lies_in_one_place) {
    lu_error error = {LU_OK, ""};
    lu_episode t = test_episode(variant(0)->id, WHOLE);
    joker_state *s = lu_alloc_zero(1, sizeof *s);
    for (int more = -1; more <= 1; more++) {
        lu_json json = LU_JSON_INIT;
        lu_game_core(t.game)->reset(t.rules, s, 1, NULL);
        s->draw[s->draws] = s->draw[0];
        s->draws = (uint8_t)(s->draws + more);
        t.game->to_json(t.rules, s, -1, &json);
        lu_game_core(t.game)->reset(t.rules, s, 2, NULL);
        CHECK_INT(read_state(&t, s, json.text, &error), more ? LU_BAD_DATA : LU_OK);
        if (more) {
            CHECK_HAS(error.text, more > 0 ? "lies in 2 places" : "lies in 0 places");
        }
        lu_json_free(&json);
    }
    free(s);
    lu_episode_close(&t);
}

/* ---- all hosts ---- */

static void report(void *user, const lu_conform_result *result) {
    const lu_game *game = user;
    if (!result->passed && !result->skipped) {
        lu_test_fail(__FILE__, __LINE__, "%s:%s  %s", game->id, result->check, result->detail);
    }
}

/* Vectors, snapshots, replays, guards around rows, copies drawn anew: all by the shorter size. */
TEST(the_battery_holds_with_the_fast_generator) {
    for (int v = 0; variant(v); v++) {
        lu_episode t = test_episode(variant(v)->id, FAST);
        lu_conform_options options = lu_conform_default();
        options.steps = 400;
        options.user = (void *)variant(v);
        options.report = report;
        CHECK_INT(lu_conform(t.game, t.settings, &options), 0);
        lu_episode_close(&t);
    }
}
