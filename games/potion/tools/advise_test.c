/* Tests of the advise tool: what it advises is what the solver proves, what it says of limits, shop
 * and contests holds, and what cannot be answered is refused with a sentence. */
#include "potion_inventory.h"
#include "potion_test.h"
#include "solver/potion_solve.h"

#include "ludus/file.h"
#include "tool_said.h"

#include <stdlib.h>

extern const lu_tool lu_tool_potion_advise;

static bool always(void *user) {
    (void)user;
    return true;
}

/* Runs the tool with "key=value" settings (NULL at the end) and one inventory, or none. */
static lu_status advise_until(const char *const *pairs, const char *text, bool (*cancelled)(void *),
                              lu_error *error) {
    return tool_ask(&lu_tool_potion_advise, (lu_tool_io){.cancelled = cancelled}, pairs, "mine.txt",
                    text, error);
}

/* The answer, read; the caller closes it. NULL: refused, and the test fails. */
static lu_json_document *advise(const char *const *pairs, const char *text) {
    lu_error error = {LU_OK, ""};
    lu_status status = advise_until(pairs, text, NULL, &error);
    lu_json_document *answer = lu_json_read("answer", said, strlen(said), &error);
    if (status != LU_OK || !answer) {
        lu_test_fail(__FILE__, __LINE__, "status %d: %s", (int)status, error.text);
    }
    return answer;
}

static char *example(void) {
    char *text = NULL;
    size_t length;
    lu_error error = {LU_OK, ""};
    if (lu_file_read(lu_test_source("games/potion/data/inventory.txt"), 1 << 20, &text, &length,
                     &error) != LU_OK) {
        lu_test_fail(__FILE__, __LINE__, "%s", error.text);
    }
    return text;
}

static double number_of(const lu_json_value *object, const char *key) {
    return lu_json_real_or(lu_json_get(object, key), -1e9);
}

static void pieces_of(const lu_json_value *potion, const char *key, uint8_t *pieces) {
    lu_error error = {LU_OK, ""};
    memset(pieces, 0, POTION_ACTIONS);
    CHECK_INT(potion_stock_from(key, lu_json_get(potion, key), pieces, &error), LU_OK);
}

/* Whether one of the lines holds a part. */
static bool has_words(const lu_json_document *answer, const char *part) {
    const lu_json_value *words = lu_json_get(lu_json_root(answer), "words");
    bool found = false;
    for (size_t k = 0; k < lu_json_count(words); k++) {
        found = found || strstr(lu_json_text(lu_json_at(words, k), NULL), part) != NULL;
    }
    return found;
}

#define CHECK_WORDS(answer, part)                                                                  \
    do {                                                                                           \
        if (!has_words(answer, part)) {                                                            \
            lu_test_fail(__FILE__, __LINE__, "no '%s' in %s", part, said);                         \
        }                                                                                          \
    } while (0)

static const char stock[] =
    "{\"4\": 6, \"5\": 4, \"6\": 3, \"8\": 2, \"11\": 8, \"12\": 6, \"19\": 6, "
    "\"22\": 3, \"33\": 5, \"40\": 3}";

/* ---- profit and size ---- */

TEST(the_best_recipe_is_the_best_of_the_solver) {
    static const char *const goals[] = {"goal=profit", "goal=size"};
    lu_error error = {LU_OK, ""};
    for (int goal = 0; goal < 2; goal++) {
        const char *pairs[] = {"cauldron=mudpack", "shop=0", goals[goal], NULL};
        lu_json_document *answer = advise(pairs, stock);
        NEED(answer);
        const lu_json_value *best = lu_json_get(lu_json_root(answer), "best");
        double most = -1e9;
        for (int r = 0; r < POTION_RECIPES; r++) {
            potion_task task = potion_task_of(r, 2);
            potion_brew brew;
            NEED(potion_stock_read("stock", stock, task.stock, &error) == LU_OK);
            CHECK_INT((goal ? potion_solve_total : potion_solve_traits)(&task, &brew, &error),
                      LU_OK);
            double value = goal ? (double)brew.mix.total : brew.expected;
            if (potion_recipes[r].licence == 1 && brew.found && value > most) {
                most = value;
            }
        }
        CHECK_NEAR(number_of(best, goal ? "total" : "profit"), most, 1e-9);
        CHECK_TEXT(lu_json_text(lu_json_get(best, "recipe_title"), NULL), "Mana Potion");
        /* recipes of licence 1, less the best one */
        CHECK_INT(lu_json_count(lu_json_get(lu_json_root(answer), "others")), 4);
        lu_json_close(answer);
    }
}

TEST(an_inventory_is_advised_in_words) {
    static const char *const pairs[] = {"cauldron=2", NULL};
    char *text = example();
    NEED(text);
    lu_json_document *answer = advise(pairs, text);
    NEED(answer);
    CHECK_WORDS(answer, "Brew Mana Potion in the Mudpack cauldron.");
    CHECK_WORDS(answer, "Put in: 1 Golem's-Eye Diamond, 3 Sack of Hive Slime, 2 Bog Beet.");
    CHECK_WORDS(
        answer,
        "Makes 3 x Greater with 1 star at a base price of 114 gold; 132 of 160 magimins, 6 of "
        "6 slots");
    CHECK_WORDS(answer, "Traits: bad taste, good sound; each sells for 114 gold.");
    CHECK_WORDS(answer, "The ingredients are worth 145 gold; the profit is 197 gold.");
    CHECK_WORDS(answer, "Proven: no exactly perfect potion from what you own brings more.");
    CHECK_WORDS(answer, "With more slots you could make ");
    CHECK_WORDS(answer, "Next best: Sight Enhancer (182 gold), ");
    CHECK_WORDS(answer, "To do better (shop of chapter 1), buy 2 Qilin's Tri-Horn for 36 gold");
    lu_json_close(answer);
    free(text);
}

TEST(a_limit_is_named_when_it_is_one) {
    static const struct {
        const char *cauldron, *stock;
        bool limits[3]; /* slots, magimins, pieces */
    } rows[] = {
        {"cauldron=37", "{\"4\": 1, \"5\": 1}", {false, false, true}},
        {"cauldron=0", "{\"4\": 9, \"5\": 9}", {true, false, false}},
        {"cauldron=0", "{\"72\": 9, \"59\": 9}", {false, true, false}},
    };
    static const char *const names[] = {"slots", "magimins", "pieces"};
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        const char *pairs[] = {rows[k].cauldron, "recipe=health potion", "shop=0", "goal=size",
                               NULL};
        lu_json_document *answer = advise(pairs, rows[k].stock);
        NEED(answer);
        const lu_json_value *limits = lu_json_get(lu_json_root(answer), "limits");
        for (int j = 0; j < 3; j++) {
            if ((lu_json_get(limits, names[j]) != NULL) != rows[k].limits[j]) {
                lu_test_fail(__FILE__, __LINE__, "row %zu, %s: %s", k, names[j], said);
            }
        }
        lu_json_close(answer);
    }
}

TEST(what_is_missing_is_named) {
    static const char *const pairs[] = {"cauldron=2", "recipe=Mana Potion", "shop=0", NULL};
    lu_json_document *answer = advise(pairs, "Feyberry 4");
    NEED(answer);
    CHECK_INT(lu_json_kind_of(lu_json_get(lu_json_root(answer), "best")), LU_JSON_NULL);
    CHECK_WORDS(answer, "no Mana Potion has the exact ratio in the Mudpack cauldron");
    CHECK_WORDS(answer, "You own nothing with green (B) and yellow (C) and no magimins");
    lu_json_close(answer);
    answer = advise(pairs, "Mandrake Root 4\nRotfly Larva 1");
    NEED(answer);
    CHECK_WORDS(answer, "You own its magimins, but no mix that fits into the cauldron");
    lu_json_close(answer);
    answer = advise((const char *const[]){"cauldron=2", "shop=0", NULL}, "");
    NEED(answer);
    CHECK_WORDS(answer, "With what you own, no potion has the exact ratio");
    lu_json_close(answer);
    answer = advise((const char *const[]){"cauldron=2", "recipe=1", "shop=0", "budget=5", NULL},
                    "Mandrake Root 2\nSack of Slime 2");
    NEED(answer);
    CHECK_WORDS(answer, "in the Mudpack cauldron for at most 5 gold.");
    CHECK_WORDS(answer, "no mix that fits into the cauldron and the budget has");
    lu_json_close(answer);
}

TEST(the_shop_sells_what_is_to_be_bought) {
    static const char *const pairs[] = {"cauldron=Glass++", "shop=1", NULL};
    lu_json_document *answer = advise(pairs, stock);
    NEED(answer);
    const lu_json_value *root = lu_json_root(answer);
    const lu_json_value *best = lu_json_get(root, "best"), *better = lu_json_get(root, "better");
    uint8_t mix[POTION_ACTIONS], buy[POTION_ACTIONS], owned[POTION_ACTIONS];
    int bought = 0;
    CHECK(number_of(better, "profit") > number_of(best, "profit"));
    pieces_of(better, "mix", mix);
    pieces_of(better, "buy", buy);
    NEED(potion_stock_read("stock", stock, owned, NULL) == LU_OK);
    for (int i = 1; i <= POTION_INGREDIENTS; i++) {
        CHECK_INT(buy[i], mix[i] > owned[i] ? mix[i] - owned[i] : 0);
        CHECK(buy[i] <= (i <= potion_chapter_end[1] ? potion_ingredients[i].shop : 0));
        bought += buy[i];
    }
    CHECK(bought > 0);
    lu_json_close(answer);
}

TEST(a_shop_without_use_is_not_asked) {
    static const char *const pairs[] = {"cauldron=2", "stock=all", "recipe=0", NULL};
    lu_json_document *answer = advise(pairs, NULL);
    NEED(answer);
    CHECK_INT((int)number_of(lu_json_root(answer), "shop"), 0);
    CHECK(!has_words(answer, "shop"));
    lu_json_close(answer);
}

TEST(a_tie_of_traits_is_told) {
    /* equal totals, opposite taste and sound */
    static const char *const pairs[] = {"cauldron=2", "recipe=Mana Potion", "shop=0", NULL};
    lu_json_document *answer = advise(pairs, "Reef Radish 1\nHallucinatory Shroom 1");
    NEED(answer);
    CHECK_WORDS(answer, "Traits: good or bad taste, good or bad sound; each sells for 57 gold.");
    lu_json_close(answer);
}

/* ---- contests ---- */

static void keep_last(void *user, const potion_brew *brew) {
    *(potion_brew *)user = *brew;
}

TEST(the_cheapest_potion_that_wins_is_the_end_of_the_front) {
    static const char *const pairs[] = {"contest=roxanne", NULL};
    char *text = example();
    NEED(text);
    lu_json_document *answer = advise(pairs, text);
    NEED(answer);
    const lu_json_value *rounds = lu_json_get(lu_json_root(answer), "rounds");
    CHECK_INT(lu_json_count(rounds), POTION_ROUNDS);
    for (size_t k = 0; k < POTION_ROUNDS; k++) {
        static const int grades[] = {12, 11, 10}; /* Greater 0, Common 5, Common 4 */
        const lu_json_value *round = lu_json_at(rounds, k);
        const lu_json_value *cheapest = lu_json_get(round, "cheapest");
        potion_task task = potion_task_of(potion_rounds[k].recipe, potion_rounds[k].cauldron);
        potion_brew last = {.found = false};
        lu_error error = {LU_OK, ""};
        CHECK_INT((int)number_of(round, "winning_grade"), grades[k]);
        CHECK_INT(lu_json_kind_of(lu_json_get(round, "can_win")), LU_JSON_TRUE);
        CHECK(number_of(cheapest, "unit_price") >= 72.0);
        task.least_grade = grades[k];
        NEED(potion_inventory_read("mine", text, strlen(text), task.stock, &error) == LU_OK);
        NEED(potion_solve_front(&task, keep_last, &last, &error) == LU_OK);
        CHECK(last.found && last.optimal);
        CHECK_INT((int)number_of(cheapest, "cost"), last.mix.cost);
    }
    CHECK_WORDS(answer, "The contest of Roxanne on day 10, brewed in the Mudpack++ cauldron.");
    CHECK_WORDS(answer, "You can win it; the cheapest mix is worth 87 gold, proven:");
    lu_json_close(answer);
    free(text);
}

/* A search that ends early rules nothing out. */
TEST(the_cheapest_found_is_not_called_proven) {
    static const char *const rows[][2] = {
        {"memory=1", "You can win it; the cheapest mix found is worth 686 gold, not proven:"},
        {"memory=1024", "You can win it; the cheapest mix is worth 686 gold, proven:"}};
    for (size_t k = 0; k < 2; k++) {
        const char *pairs[] = {"contest=anubia", "round=1", "shop=0", "stock=10", rows[k][0], NULL};
        lu_json_document *answer = advise(pairs, NULL);
        NEED(answer);
        CHECK_WORDS(answer, rows[k][1]);
        CHECK_INT(lu_json_kind_of(lu_json_get(
                      lu_json_at(lu_json_get(lu_json_root(answer), "rounds"), 0), "proven")),
                  k == 0 ? LU_JSON_FALSE : LU_JSON_TRUE);
        lu_json_close(answer);
    }
}

TEST(a_shop_that_was_not_searched_to_the_end_is_not_ruled_out) {
    static const char *const rows[][2] = {
        {"memory=1",
         "With a day's shop stock of chapter 1 nothing better was found, but that is not proven."},
        {"memory=1024", "A day's shop stock of chapter 1 has nothing better."}};
    for (size_t k = 0; k < 2; k++) {
        const char *pairs[] = {"cauldron=2", "stock=5", "shop=1", rows[k][0], NULL};
        lu_json_document *answer = advise(pairs, NULL);
        NEED(answer);
        CHECK_WORDS(answer, rows[k][1]);
        CHECK_INT(lu_json_kind_of(lu_json_get(lu_json_root(answer), "better_proven")),
                  k == 0 ? LU_JSON_FALSE : LU_JSON_TRUE);
        lu_json_close(answer);
    }
}

TEST(a_round_may_need_the_shop_or_be_lost) {
    static const char *const shop[] = {"contest=roxanne", "round=1", NULL};
    static const char *const none[] = {"contest=roxanne", "round=1", "cauldron=0", "shop=0", NULL};
    static const char *const price[] = {"contest=robin", "round=1", "shop=0", NULL};
    lu_json_document *answer = advise(shop, "Feyberry 4");
    NEED(answer);
    const lu_json_value *rounds = lu_json_get(lu_json_root(answer), "rounds");
    CHECK_INT(lu_json_count(rounds), 1);
    CHECK_WORDS(answer, "You can win it; buy ");
    lu_json_close(answer);
    answer = advise(none, "Feyberry 4");
    NEED(answer);
    CHECK_WORDS(answer, "It cannot be won in the Wooden cauldron with what you own.");
    CHECK_WORDS(answer, "You own nothing with green (B)");
    lu_json_close(answer);
    answer = advise(price, "Feyberry 4");
    NEED(answer);
    CHECK_WORDS(answer,
                "Radiation Tonic at 3,800 gold or more: none sells for more than 2,700 gold.");
    CHECK_INT(lu_json_kind_of(lu_json_get(
                  lu_json_at(lu_json_get(lu_json_root(answer), "rounds"), 0), "can_win")),
              LU_JSON_FALSE);
    lu_json_close(answer);
}

TEST(the_beginning_of_one_name_names_it) {
    const char *pairs[] = {"cauldron=MUDPACK", "recipe=mana p", NULL};
    lu_json_document *answer = advise(pairs, "Feyberry 4");
    NEED(answer);
    CHECK_WORDS(answer, "no Mana Potion has the exact ratio in the Mudpack cauldron");
    lu_json_close(answer);
}

/* ---- refusals ---- */

TEST(what_cannot_be_advised_is_refused) {
    static const struct {
        const char *pairs[4], *text;
        lu_status status;
        const char *part;
    } rows[] = {
        {{NULL}, "Feyberry 4", LU_USAGE, "needs a cauldron"},
        {{"cauldron=2"}, NULL, LU_USAGE, "needs what you own"},
        {{"cauldron=2", "stock=all"},
         "Feyberry 4",
         LU_USAGE,
         "from one inventory file or from the setting stock, not from both"},
        {{"cauldron=2", "stock=6 Dwarf Krakn, 4 Feyberry"},
         NULL,
         LU_BAD_VALUE,
         "'Dwarf Krakn' isn't an ingredient; did you mean 'Dwarf Kraken'?"},
        {{"cauldron=2", "stock={\"Dwarf Krakn\":3}"},
         NULL,
         LU_BAD_VALUE,
         "'Dwarf Krakn' isn't an ingredient; did you mean 'Dwarf Kraken'?"},
        {{"cauldron=38"}, "", LU_BAD_VALUE, "0 to 37"},
        {{"cauldron=Mudpak"}, "", LU_BAD_VALUE, "did you mean 'Mudpack'?"},
        {{"cauldron=mudp"}, "", LU_BAD_VALUE, "several names, such as 'Mudpack'"},
        {{"cauldron=2", "recipe=Mana Poton"}, "", LU_BAD_VALUE, "'Mana Potion'"},
        {{"cauldron=2", "stock=shop:9"}, NULL, LU_BAD_VALUE, "stock"},
        {{"cauldron=2"},
         "Feyberri 4",
         LU_BAD_DATA,
         "mine.txt:1: 'Feyberri' isn't an ingredient; did"},
        {{"cauldron=2", "goal=contest"}, "", LU_USAGE, "name one of roxanne"},
        {{"cauldron=2", "goal=size", "contest=finn"}, "", LU_USAGE, "belong together"},
        {{"contest=finn", "recipe=0"}, "", LU_USAGE, "leave recipe unset"},
        {{"cauldron=2", "round=2"}, "", LU_USAGE, "a round belongs to a contest"},
    };
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        lu_error error = {LU_OK, ""};
        const char *pairs[5] = {rows[k].pairs[0], rows[k].pairs[1], rows[k].pairs[2],
                                rows[k].pairs[3], NULL};
        lu_status status = advise_until(pairs, rows[k].text, NULL, &error);
        if (status != rows[k].status || !strstr(error.text, rows[k].part)) {
            lu_test_fail(__FILE__, __LINE__, "row %zu: status %d, %s", k, (int)status, error.text);
        }
        CHECK_TEXT(said, "");
    }
}

TEST(a_wish_to_stop_stops) {
    static const char *const pairs[] = {"cauldron=28", "stock=all", NULL};
    lu_error error = {LU_OK, ""};
    CHECK_INT(advise_until(pairs, NULL, always, &error), LU_INTERRUPTED);
    CHECK_TEXT(said, "");
}
