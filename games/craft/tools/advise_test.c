/* Tests of the advisor: odds and costs agree with each other, sessions go on, and what is damaged
 * or cannot be weighed is told. */
#include "tool_said.h"

#include "craft.h"
#include "craft_apply.h"
#include "craft_clipboard.h"

#include "ludus/json.h"

#include <math.h>

extern const lu_tool lu_tool_craft_advise, lu_tool_craft_optimize;

#define ACTIONS                                                                                    \
    "actions=orb_of_transmutation, orb_of_augmentation, regal_orb, exalted_orb, "                  \
    "orb_of_annulment, "                                                                           \
    "chaos_orb"
#define HEAD   "Item Class: Belts\nRarity: "
#define NAME   "\nHeavy Belt\n--------\nItem Level: 82\n--------\n"
#define MAGIC  HEAD "Magic" NAME "+91 to maximum Life\n"
#define RARE   HEAD "Rare" NAME "+91 to maximum Life\n+12% to Fire Resistance\n"
#define HIDDEN HEAD "Rare" NAME "+91 to maximum Life\nUnrevealed Suffix\n"
#define WANT   "want=T4 life, T3 fire resistance"

static lu_status advise(const char *const *pairs, const char *item, lu_error *error) {
    return tool_ask(&lu_tool_craft_advise, (lu_tool_io){0}, pairs, item ? "item.txt" : NULL, item,
                    error);
}

static lu_json_document *answer(const char *const *pairs, const char *item) {
    lu_error error = {LU_OK, ""};
    CHECK_INT(advise(pairs, item, &error), LU_OK);
    CHECK_TEXT(error.text, "");
    return lu_json_read("said", said, strlen(said), &error);
}

static double real(const lu_json_value *object, const char *key) {
    return lu_json_real_or(lu_json_get(object, key), NAN);
}

/* The session of the last answer as a setting; the caller frees it. */
static char *session_pair(const lu_json_document *document) {
    lu_json json = LU_JSON_INIT;
    lu_json_object(&json);
    lu_json_key_string(&json, "name", "s.json");
    lu_json_key_value(&json, "text", lu_json_get(lu_json_root(document), "session"));
    lu_json_object_end(&json);
    size_t room = json.length + 16;
    char *pair = lu_alloc(room);
    snprintf(pair, room, "session=%s", json.text);
    lu_json_free(&json);
    return pair;
}

#define NEW "session={\"name\":\"s.json\",\"text\":\"\"}"

TEST(odds_add_up_to_the_cost_to_go) {
    static const char *const items[] = {MAGIC, RARE, HEAD "Rare" NAME "+91 to maximum Life\n"};
    for (size_t k = 0; k < sizeof items / sizeof *items; k++) {
        lu_json_document *document = answer((const char *[]){ACTIONS, WANT, NULL}, items[k]);
        const lu_json_value *root = lu_json_root(document), *list = lu_json_get(root, "outcomes");
        double sum = 0.0, mean = real(root, "price");
        for (size_t i = 0; i < lu_json_count(list); i++) {
            double chance = real(lu_json_at(list, i), "chance");
            sum += chance;
            mean += chance * real(lu_json_at(list, i), "cost_to_go");
        }
        CHECK(lu_json_count(list) > 0 && fabs(sum - 1.0) < 1e-12);
        CHECK(fabs(mean / real(root, "cost_to_go") - 1.0) < 1e-9);
        const lu_json_value *others = lu_json_get(root, "alternatives");
        CHECK(lu_json_count(others) > 1 && real(lu_json_at(others, 0), "dearer") >= -1e-9 &&
              real(lu_json_at(others, 0), "dearer") <= real(lu_json_at(others, 1), "dearer"));
        lu_json_close(document);
    }
}

/* A belt, the target of WANT, and one use by the rules of the game. */
typedef struct bench {
    craft_pool pool;
    craft_goal goal;
    craft_item item;
    craft_effect effect;
} bench;

static void bench_init(bench *b, const char *text, const char *use) {
    static const char target[] = "{\"need\":[{\"any_of\":[{\"group\":\"life\",\"max_tier\":4}]},"
                                 "{\"any_of\":[{\"group\":\"fire_res\",\"max_tier\":3}]}]}";
    const craft_pack *pack = craft_pack_at(0);
    craft_switches switches = craft_switches_of(4);
    craft_target *wanted = lu_alloc(sizeof *wanted);
    craft_use_words words;
    lu_error error = {LU_OK, ""};
    lu_json json = LU_JSON_INIT;
    lu_json_document *goal = lu_json_read("target", target, strlen(target), &error);
    CHECK_INT(craft_clipboard_read(pack, "item", text, strlen(text), &json, &error), LU_OK);
    lu_json_document *item = lu_json_read("item", json.text, json.length, &error);
    CHECK_INT(
        craft_pool_init(&b->pool, pack, craft_base_find(pack, "Heavy Belt"), 82, &switches, &error),
        LU_OK);
    CHECK_INT(craft_target_read(wanted, pack, lu_json_root(goal), &error), LU_OK);
    CHECK_INT(craft_goal_init(&b->goal, wanted, pack, &b->pool, &error), LU_OK);
    CHECK_INT(craft_item_read(&b->pool, pack, lu_json_root(item), &b->item, &error), LU_OK);
    CHECK_INT(craft_use_read(&words, &b->pool, pack, use, &error), LU_OK);
    CHECK_INT(craft_effect_init(&b->effect, &b->pool, pack, words.use, NULL, 0, &error), LU_OK);
    CHECK_TEXT(error.text, "");
    lu_json_close(goal);
    lu_json_close(item);
    lu_json_free(&json);
    free(wanted);
}

TEST(odds_are_those_of_the_rules) {
    enum { PLAYS = 20000 };
    static const char *const items[] = {MAGIC, HEAD "Rare" NAME "+91 to maximum Life\n",
                                        HEAD "Rare" NAME "+36% to Fire Resistance\n"};
    bench *b = lu_alloc(sizeof *b);
    for (size_t k = 0; k < sizeof items / sizeof *items; k++) {
        lu_json_document *document = answer((const char *[]){ACTIONS, WANT, NULL}, items[k]);
        const lu_json_value *root = lu_json_root(document), *list = lu_json_get(root, "outcomes");
        const char *use = lu_json_text(lu_json_get(root, "next"), NULL);
        double promised = 0.0, played = 0.0;
        lu_rng rng = lu_rng_from(11 + k);
        for (size_t i = 0; i < lu_json_count(list); i++) {
            const lu_json_value *out = lu_json_at(list, i);
            promised += lu_json_count(lu_json_get(out, "hits")) > 0 ? real(out, "chance") : 0.0;
        }
        CHECK(strcmp(use, "white_base") != 0 && promised > 0.0 && promised < 1.0);
        bench_init(b, items[k], use);
        int32_t before[CRAFT_NEEDS_MAX], after[CRAFT_NEEDS_MAX];
        craft_matched(&b->goal, &b->pool, &b->item, before);
        for (int i = 0; i < PLAYS; i++) {
            craft_item item = b->item;
            craft_apply(&b->pool, &item, &b->effect, &rng);
            craft_matched(&b->goal, &b->pool, &item, after);
            played += after[0] > before[0] || after[1] > before[1] ? 1.0 / PLAYS : 0.0;
        }
        CHECK(fabs(played - promised) < 4.0 * sqrt(promised * (1.0 - promised) / PLAYS));
        lu_json_close(document);
    }
    free(b);
}

TEST(advise_and_optimize_tell_the_same_cost) {
    lu_error error = {LU_OK, ""};
    lu_json item = LU_JSON_INIT;
    lu_json_document *document = answer((const char *[]){ACTIONS, WANT, NULL}, MAGIC);
    double to_go = real(lu_json_root(document), "cost_to_go");
    lu_json_close(document);
    lu_json_object(&item);
    lu_json_key_string(&item, "name", "item.txt");
    lu_json_key_string(&item, "text", MAGIC);
    lu_json_object_end(&item);
    char pair[600];
    snprintf(pair, sizeof pair, "item=%s", item.text);
    CHECK_INT(tool_ask(&lu_tool_craft_optimize, (lu_tool_io){0},
                       (const char *[]){ACTIONS, WANT, pair, NULL}, NULL, NULL, &error),
              LU_OK);
    document = lu_json_read("said", said, strlen(said), &error);
    const lu_json_value *best = lu_json_get(lu_json_root(document), "strategy");
    CHECK(fabs(real(best, "expected_cost") / to_go - 1.0) < 1e-9);
    CHECK(real(best, "expected_bases") >= 0.0);
    CHECK_HAS(said, "\"base\":\"Heavy Belt\"");
    lu_json_close(document);
    lu_json_free(&item);
}

TEST(a_session_goes_on) {
    lu_json_document *document = answer((const char *[]){ACTIONS, WANT, NEW, NULL}, MAGIC);
    CHECK_HAS(said, "\"next\":\"orb_of_augmentation\"");
    char *pair = session_pair(document);
    lu_json_close(document);
    /* the same item: nothing was used yet */
    document = answer((const char *[]){pair, NULL}, MAGIC);
    CHECK_HAS(said, "The item is the same as in the last call: nothing has been used yet");
    CHECK_HAS(said, "\"so_far\":{\"steps\":0,\"spent\":0,");
    lu_json_close(document);
    /* an outcome of what was advised; target and actions are those of the session */
    document = answer((const char *[]){pair, NULL},
                      HEAD "Magic" NAME "+91 to maximum Life\n+12% to Fire Resistance\n");
    CHECK_HAS(said, "\"last\":{\"action\":\"orb_of_augmentation\",\"how\":\"advised\"");
    CHECK_HAS(said, "\"steps\":1,");
    free(pair);
    pair = session_pair(document);
    lu_json_close(document);
    /* what does not follow is taken as it is */
    document = answer((const char *[]){pair, NULL},
                      HEAD "Rare" NAME "+93 to maximum Life\n+12% to Fire Resistance\n");
    CHECK_HAS(said, "This item does not follow from the advice: it is taken as it is, and");
    CHECK_HAS(said, "\"how\":\"unknown\",\"price\":0,");
    lu_json_close(document);
    /* unless the player says what it was */
    document = answer((const char *[]){pair, "did=regal_orb", NULL}, RARE);
    CHECK_HAS(said, "\"last\":{\"action\":\"regal_orb\",\"how\":\"told\"");
    lu_json_close(document);
    /* without an item it is about that of the session; a budget counts what was spent */
    document = answer((const char *[]){pair, "budget=50", NULL}, NULL);
    const lu_json_value *budget = lu_json_get(lu_json_root(document), "budget");
    CHECK(real(budget, "left") < 50.0 && real(budget, "within") > 0.0);
    lu_json_close(document);
    free(pair);
}

TEST(a_session_of_elsewhere_is_refused) {
    static const struct {
        const char *pair;
        lu_status status;
        const char *says;
    } rows[] = {
        {"session={\"name\":\"s.json\",\"text\":\"{\"}", LU_DAMAGED_FILE, "s.json is damaged"},
        {"session={\"name\":\"s.json\",\"text\":\"[1]\"}", LU_FOREIGN_FILE,
         "s.json isn't a session"},
        {"session={\"name\":\"s.json\",\"text\":\"{\\\"schema\\\":"
         "\\\"ludus.craft.session/9\\\"}\"}",
         LU_OTHER_VERSION, "of version 9"},
        {"session={\"name\":\"s.json\",\"text\":\"{\\\"schema\\\":"
         "\\\"ludus.craft.session/1\\\",\\\"settings\\\":{\\\"prices\\\":"
         "\\\"/etc/passwd\\\"}}\"}",
         LU_DAMAGED_FILE, "it has a setting that does not belong in a session"},
        {"session={\"name\":\"s.json\",\"text\":\"{\\\"schema\\\":"
         "\\\"ludus.craft.session/1\\\",\\\"settings\\\":{},\\\"item\\\":{\\\"base\\\":"
         "\\\"Tea\\\",\\\"ilvl\\\":3}}\"}",
         LU_DAMAGED_FILE, "'done' isn't a list"},
    };
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        lu_error error = {LU_OK, ""};
        CHECK_INT(advise((const char *[]){rows[k].pair, WANT, NULL}, MAGIC, &error),
                  rows[k].status);
        CHECK_HAS(error.text, rows[k].says);
        CHECK_TEXT(said, "");
    }
}

TEST(what_cannot_be_weighed_is_named) {
    static const struct {
        const char *item, *says;
    } rows[] = {
        {HEAD "Rare" NAME "+5 to Tea\n", "no modifier of Heavy Belt"},
        {NULL, "name one file with an item: text copied from the game (- reads"},
    };
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        lu_error error = {LU_OK, ""};
        CHECK(advise((const char *[]){ACTIONS, WANT, NULL}, rows[k].item, &error) != LU_OK);
        CHECK_HAS(error.text, rows[k].says);
    }
    lu_error error = {LU_OK, ""};
    CHECK(advise((const char *[]){ACTIONS, NULL}, MAGIC, &error) != LU_OK);
    CHECK_HAS(error.text, "needs a target");
}

/* An unrevealed modifier: what to keep of the reveal, and a session that goes on behind it. */
TEST(a_reveal_is_advised_with_what_to_keep) {
    static const char kept[] =
        HEAD "Rare" NAME "+91 to maximum Life\n+42% to Fire Resistance (desecrated)\n";
    lu_json_document *document = answer((const char *[]){ACTIONS, WANT, NEW, NULL}, HIDDEN);
    const lu_json_value *root = lu_json_root(document), *list = lu_json_get(root, "outcomes"),
                        *keep = lu_json_get(root, "keep");
    double mean = real(root, "price");
    for (size_t i = 0; i < lu_json_count(list); i++) {
        mean += real(lu_json_at(list, i), "chance") * real(lu_json_at(list, i), "cost_to_go");
    }
    CHECK_HAS(said, "\"next\":\"reveal\"");
    CHECK_HAS(said, "Keep the first of these that is offered: +#% to Fire Resistance (as wanted)");
    CHECK(fabs(mean / real(root, "cost_to_go") - 1.0) < 1e-9);
    CHECK(lu_json_count(keep) > 5 && real(lu_json_at(keep, 0), "cost_to_go") < 1e-12);
    CHECK(real(lu_json_at(keep, 1), "cost_to_go") <= real(lu_json_at(keep, 2), "cost_to_go"));
    char *session = session_pair(document);
    lu_json_close(document);
    document = answer((const char *[]){session, NULL}, kept);
    CHECK_HAS(said, "\"how\":\"advised\"");
    CHECK_HAS(said, "\"done\":true");
    lu_json_close(document);
    free(session);
}

TEST(what_is_done_or_final_is_told) {
    lu_json_document *document = answer((const char *[]){ACTIONS, "want=T4 life", NULL}, MAGIC);
    CHECK_HAS(said, "\"done\":true");
    CHECK_HAS(said, "Stop: it fulfils the target");
    lu_json_close(document);
    document = answer((const char *[]){ACTIONS, WANT, NULL}, RARE "--------\nCorrupted\n");
    CHECK_HAS(said, "it is corrupted: nothing can be done with it");
    CHECK_HAS(said, "\"next\":\"white_base\"");
    lu_json_close(document);
}

/* ---- options that a reveal shows ---- */

#define ECHOES "actions=orb_of_transmutation, regal_orb, exalted_orb, reveal+omen_of_abyssal_echoes"

static const char *const options[] = {"+42% to Fire Resistance", "+12% to Cold Resistance",
                                      "+22 to Strength"};

static double cost_of(const char *item) {
    lu_json_document *document = answer((const char *[]){ECHOES, WANT, NULL}, item);
    double cost = real(lu_json_root(document), "cost_to_go");
    lu_json_close(document);
    return cost;
}

/* Each costs what the item costs that has it. */
TEST(options_cost_what_the_item_costs_that_keeps_them) {
    char item[600];
    double least = INFINITY;
    snprintf(item, sizeof item, HIDDEN "%s (option)\n%s (option)\n%s (option)\n", options[0],
             options[1], options[2]);
    lu_json_document *document = answer((const char *[]){ECHOES, WANT, NULL}, item);
    const lu_json_value *root = lu_json_root(document), *list = lu_json_get(root, "options");
    CHECK_INT((int)lu_json_count(list), 3);
    CHECK_HAS(said, "\"next\":\"keep1\"");
    CHECK_HAS(said, "\"text\":\"+12% to Cold Resistance\"");
    double cost[3];
    for (size_t k = 0; k < 3; k++) {
        cost[k] = real(lu_json_at(list, k), "cost_to_go");
        least = fmin(least, cost[k]);
    }
    CHECK(fabs(least - real(root, "cost_to_go")) < 1e-9);
    lu_json_close(document);
    for (size_t k = 0; k < 3; k++) {
        snprintf(item, sizeof item, HEAD "Rare" NAME "+91 to maximum Life\n%s (desecrated)\n",
                 options[k]);
        double own = cost_of(item);
        CHECK(fabs(cost[k] - own) <= 1e-6 * (1.0 + own));
    }
    CHECK(cost[0] < 1e-12 && cost[1] > 1.0 && cost[2] > 1.0);
}

/* Where a value is not told, an option is what it may be rolled as. */
TEST(an_option_without_a_value_is_what_it_may_become) {
    static const char item[] =
        "{\"base\":\"Heavy Belt\",\"ilvl\":82,\"rarity\":\"rare\",\"mods\":[\"IncreasedLife9\"],"
        "\"unrevealed\":[\"S\"],\"options\":[%s\"Strength5\"]}";
    static const char *const ways[] = {"{\"mod\":\"FireResist6\",\"roll\":[0]},",
                                       "{\"mod\":\"FireResist6\",\"roll\":[4]},",
                                       "\"FireResist6\","};
    double cost[3];
    for (int k = 0; k < 3; k++) {
        char text[400];
        snprintf(text, sizeof text, item, ways[k]);
        lu_json_document *document =
            answer((const char *[]){ECHOES, "want=T4 life, fire res 32%", NULL}, text);
        cost[k] = real(lu_json_at(lu_json_get(lu_json_root(document), "options"), 0), "cost_to_go");
        lu_json_close(document);
    }
    CHECK(cost[0] > 1.0 && cost[1] < 1e-12);
    CHECK(fabs(cost[2] - 0.2 * cost[0]) < 1e-6 * cost[0]); /* 31 of 31 to 35 is too little */
}

/* Drawing again costs its omen and then the best of three, as a reveal does. */
TEST(options_are_drawn_again_where_that_is_worth_it) {
    char item[600];
    snprintf(item, sizeof item, HIDDEN "%s (option)\n%s (option)\n", options[1], options[2]);
    lu_json_document *document = answer(
        (const char *[]){
            ECHOES, WANT,
            "prices={\"name\":\"p.json\",\"text\":\"{\\\"unit\\\":\\\"exalted\\\",\\\"prices\\\":{"
            "\\\"white_base\\\":1,\\\"orb_of_transmutation\\\":0.1,\\\"regal_orb\\\":0.1,"
            "\\\"exalted_orb\\\":1,\\\"preserved_collarbone\\\":1,"
            "\\\"omen_of_abyssal_echoes\\\":0.01}}\"}",
            NULL},
        item);
    CHECK_HAS(said, "\"next\":\"reveal + omen_of_abyssal_echoes\"");
    CHECK_HAS(said, "Keep the first of these that is offered");
    lu_json_close(document);
    snprintf(item, sizeof item, HIDDEN "%s (option)\n%s (option)\nOptions drawn again\n",
             options[1], options[2]);
    document = answer((const char *[]){ECHOES, WANT, NULL}, item);
    CHECK(!strstr(said, "omen_of_abyssal_echoes\",\"cost_to_go"));
    lu_json_close(document);
}

/* A reveal, and what was kept of it, are seen by the item. */
TEST(a_session_goes_on_behind_options) {
    char item[600];
    lu_json_document *document = answer((const char *[]){ECHOES, WANT, NEW, NULL}, HIDDEN);
    char *session = session_pair(document);
    lu_json_close(document);
    snprintf(item, sizeof item, HIDDEN "%s (option)\n%s (option)\n", options[0], options[2]);
    document = answer((const char *[]){session, NULL}, item);
    CHECK_HAS(said, "\"steps\":1,\"spent\":0,\"last\":{\"action\":\"reveal\",\"how\":\"advised\"");
    free(session);
    session = session_pair(document);
    lu_json_close(document);
    document = answer((const char *[]){session, NULL}, item);
    CHECK_HAS(said, "The item is the same as in the last call: nothing has been used yet");
    lu_json_close(document);
    document = answer((const char *[]){session, NULL},
                      HEAD "Rare" NAME "+91 to maximum Life\n+22 to Strength (desecrated)\n");
    CHECK_HAS(said, "\"steps\":2,\"spent\":0,\"last\":{\"action\":\"keep2\",\"how\":\"told\"");
    lu_json_close(document);
    free(session);
}

TEST(options_that_cannot_be_are_refused) {
    lu_error error = {LU_OK, ""};
    const char *const *pairs = (const char *[]){ECHOES, WANT, NULL};
    CHECK(advise(pairs, RARE "+22 to Strength (option)\n", &error) != LU_OK);
    CHECK_HAS(error.text, "Unrevealed Suffix");
    CHECK(advise(pairs, HIDDEN "+22 to maximum Strangeness (option)\n", &error) != LU_OK);
    CHECK_HAS(error.text, "no modifier of Heavy Belt reads");
    CHECK(advise(pairs, HIDDEN "+91 to maximum Life (option)\n", &error) != LU_OK);
    CHECK(advise(pairs,
                 HIDDEN "+22 to Strength (option)\n+12% to Cold Resistance (option)\n+12% to Fire "
                        "Resistance (option)\n+12% to Lightning Resistance (option)\n",
                 &error) != LU_OK);
    CHECK_HAS(error.text, "up to three");
}
