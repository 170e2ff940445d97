/* Tests of the solve tool: recorded cases are answered as recorded, wishes are heeded, and what is
 * no task is refused with a sentence. */
#include "potion_test.h"

#include "ludus/file.h"
#include "tool_said.h"

#include <stdlib.h>

extern const lu_tool lu_tool_potion_solve;

/* Runs the tool with "key=value" settings (NULL at the end) and one file, or none. */
static lu_status solve(const char *const *pairs, const char *text, lu_error *error) {
    return tool_ask(&lu_tool_potion_solve, (lu_tool_io){0}, pairs, "case.json", text, error);
}

TEST(recorded_cases_are_answered_as_recorded) {
    static const char *const parts[] = {"best_total", "best_profit", "best_traits"};
    lu_error error = {LU_OK, ""};
    char *text;
    size_t length;
    NEED(lu_file_read(lu_test_source("games/potion/vectors/cases.json"), 1 << 24, &text, &length,
                      &error) == LU_OK);
    CHECK_INT(solve(NULL, text, &error), LU_OK);
    lu_json_document *asked = lu_json_read("cases", text, length, &error);
    lu_json_document *got = lu_json_read("answer", said, strlen(said), &error);
    NEED(asked && got);
    const lu_json_value *want = lu_json_get(lu_json_root(asked), "cases");
    const lu_json_value *list = lu_json_get(lu_json_root(got), "cases");
    CHECK_INT(lu_json_count(list), lu_json_count(want));
    for (size_t k = 0; k < 3 * lu_json_count(want); k++) {
        const lu_json_value *a = lu_json_get(lu_json_at(want, k / 3), parts[k % 3]);
        const lu_json_value *b = lu_json_get(lu_json_at(list, k / 3), parts[k % 3]);
        CHECK_INT(lu_json_kind_of(b), lu_json_kind_of(a));
        CHECK_NEAR(lu_json_real_or(lu_json_get(b, "profit"), -1.0),
                   lu_json_real_or(lu_json_get(a, "profit"), -1.0), 1e-6);
        if (k % 3 == 0) {
            CHECK_NEAR(lu_json_real_or(lu_json_get(b, "total"), -1.0),
                       lu_json_real_or(lu_json_get(a, "total"), -1.0), 0.0);
        }
        if (a) {
            CHECK_TEXT(lu_json_text(lu_json_get(b, "proof"), NULL), "optimal");
        }
    }
    lu_json_close(asked);
    lu_json_close(got);
    free(text);
}

TEST(one_case_alone_is_answered_alone) {
    lu_error error = {LU_OK, ""};
    CHECK_INT(
        solve(NULL,
              "{\"id\": \"x\", \"recipe\": 1, \"cauldron\": 0, \"stock\": {}, \"chapter\": 1}",
              &error),
        LU_OK);
    CHECK_HAS(said, "{\"id\":\"x\",\"recipe\":1,");
    CHECK_HAS(said, "\"best_total\":null,\"best_profit\":null,\"least_purchase\":{");
    CHECK_HAS(said, "\"words\":[\"x: Mana Potion in Wooden, 4 items and 75 magimins at most\",");
}

TEST(wishes_are_heeded) {
    static const char *const rows[][4] = {
        {NULL, NULL, NULL, "\"profit\":270,"},
        {"forbid=[\"Weeping Metal Ore\", 11]", NULL, NULL, "\"best_total\":{\"proof\":\"optimal\""},
        {"must={\"Pixiedust Diamond\": 1}", NULL, NULL, "\"8\":1"},
        {"budget=40", "least_grade=6", NULL, "\"best_profit\":{\"proof\":\"optimal\""},
        {"budget=4", NULL, NULL, "\"best_profit\":null"},
        {"traits=true", NULL, NULL, "\"trait_sum\":5"},
        {"front=true", NULL, NULL, "\"front\":[{\"proof\":\"optimal\",\"total\":152,"},
        {"front_sizes=true", NULL, NULL, "\"front_sizes\":[{\"proof\":\"optimal\",\"total\":160,"},
        {"top=3", NULL, NULL, "\"top\":[{\"proof\":\"optimal\",\"total\":152,"},
        {"prove=true", NULL, NULL, "\"second_proof\":{\"proven\":true,"},
        {"prove=true", "traits=true", NULL, "\"second_proof\":\"not available with traits\""},
        {"stock=chapter:1", NULL, NULL, "\"profit\":227,"},
        {"stock=shop:5", "chapter=1", NULL, "\"profit\":227,"},
        {"least_grade=greater 2", NULL, NULL, "\"profit\":270,"},
        {"least_grade=Greater", "budget=100", NULL, "\"grade\":12,"},
        {"least_grade=Masterwork 5", NULL, NULL, "\"best_profit\":null"},
        {"stock=shop:1", "stability=stable", NULL, "\"stability\":\"stable\""},
        {"stock=shop:1", "stability=perfect", NULL, "\"rl_reward_bound\":1.9"},
        {"stability=unstable", "prove=true", NULL, "\"second_proof\":{\"proven\":true,"},
        {"stock={\"5\": 4}", NULL, NULL,
         "\"buy\":[{\"action\":6,\"name\":\"Sack of Slime\",\"pieces\":1,\"price\":7,\"gold\":7,"
         "\"places\":[\"Enchanted Forest\"]}],\"buy_gold\":7"},
        {"stock={\"5\": 4, \"6\": 4}", "shop=1", NULL, "\"buy\":[],\"buy_gold\":0"},
        {"stock={\"5\": 4, \"6\": 4}", "free=true", NULL, "\"paid\":0,\"profit\":108,"},
        {"memory=1", "stability=stable", NULL, "\"best_total\":{\"proof\":"},
    };
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        lu_error error = {LU_OK, ""};
        const char *pairs[] = {"recipe=mana potion", "cauldron=2", rows[k][0],
                               rows[k][0] ? rows[k][1] : NULL, NULL};
        CHECK_INT(solve(pairs, NULL, &error), LU_OK);
        if (!strstr(said, rows[k][3])) {
            lu_test_fail(__FILE__, __LINE__, "row %zu: %s", k, said);
        }
        CHECK(k != 1 || (!strstr(said, "\"96\":") && !strstr(said, "\"11\":")));
    }
}

/* What a case wishes goes before the settings. */
TEST(a_case_may_have_wishes) {
    static const char *const rows[][2] = {
        {"\"forbid\": [96]", "\"best_total\":{\"proof\":\"optimal\""},
        {"\"must\": {\"8\": 1}", "\"8\":1"},
        {"\"budget\": 4", "\"best_profit\":null"},
        {"\"least_grade\": \"Masterwork 5\"", "\"best_profit\":null"},
        {"\"least_grade\": 35", "\"best_profit\":null"},
        {"\"chapter\": 1", "\"profit\":227,"},
        {"\"stability\": \"unstable\", \"chapter\": 1", "\"total\":160,"},
        {"\"top\": 2", "\"top\":["},
        {"\"front\": true", "\"front\":["},
        {"\"front_sizes\": true", "\"front_sizes\":["},
        {"\"shop\": 2", "\"least_purchase\":{"},
        {"\"traits\": true", "\"best_traits\":{"},
        {"\"prove\": true", "\"second_proof\":{"},
        {"\"free\": true", "\"paid\":0,"},
    };
    static const char *const other[] = {"budget=100", "chapter=2", NULL};
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        lu_error error = {LU_OK, ""};
        char text[300];
        snprintf(text, sizeof text,
                 "{\"recipe\": \"Mana Potion\", \"cauldron\": \"mudpack\", \"stock\": "
                 "\"chapter:5\", \"budget\": 0, %s}",
                 rows[k][0]);
        char *budget = strstr(rows[k][0], "budget") ? strstr(text, "\"budget\": 0, ") : NULL;
        if (budget) { /* a key comes once */
            memset(budget, ' ', strlen("\"budget\": 0, "));
        }
        CHECK_INT(solve(other, text, &error), LU_OK);
        CHECK_TEXT(error.text, "");
        CHECK_HAS(said, rows[k][1]);
    }
}

TEST(an_inventory_is_a_stock) {
    static const char *const pairs[] = {"recipe=1", "cauldron=2", NULL};
    static const char *const texts[] = {"Mandrake Root 4\n4x Sack of Slime\n",
                                        "{\"Mandrake Root\": 4, \"6\": 4}",
                                        "{\"inventory\": {\"5\": 4, \"Sack of Slime\": 4}}"};
    for (int k = 0; k < 3; k++) {
        lu_error error = {LU_OK, ""};
        CHECK_INT(solve(pairs, texts[k], &error), LU_OK);
        CHECK_TEXT(error.text, "");
        CHECK_HAS(said, "\"mix\":{\"5\":3,\"6\":3}");
    }
}

TEST(what_is_no_task_is_refused) {
    static const struct {
        const char *pairs[3], *text;
        lu_status status;
        const char *part;
    } rows[] = {
        {{NULL}, NULL, LU_USAGE, "a recipe and a cauldron"},
        {{"recipe=1", "cauldron=38"}, NULL, LU_BAD_VALUE, "0 to 37"},
        {{"recipe=Mana Poton", "cauldron=3"}, NULL, LU_BAD_VALUE, "'Mana Potion'"},
        {{"recipe=1", "cauldron=3", "stock=shop:9"}, NULL, LU_BAD_VALUE, "stock"},
        {{"recipe=1", "cauldron=3", "forbid={}"}, NULL, LU_BAD_VALUE, "must be a list"},
        {{"recipe=1", "cauldron=3", "forbid=[8, 207]"}, NULL, LU_BAD_VALUE, "entry 2 of forbid"},
        {{"recipe=1", "cauldron=3", "forbid=8, Feyberri"},
         NULL,
         LU_BAD_VALUE,
         "did you mean 'Feyberry'?"},
        {{"recipe=1", "cauldron=3", "forbid=["}, NULL, LU_BAD_VALUE, "forbid"},
        {{"recipe=1", "cauldron=3", "must={\"x\": 1}"}, NULL, LU_BAD_VALUE, "must"},
        {{"recipe=1", "cauldron=3", "must=all"},
         NULL,
         LU_BAD_VALUE,
         "'must' must be pieces with their ingredients, as in 2 Mandrake Root"},
        {{"recipe=1", "cauldron=3", "least_grade=Greater 6"}, NULL, LU_BAD_VALUE, "\"Greater 3\""},
        {{"recipe=1", "cauldron=3", "least_grade=36"}, NULL, LU_BAD_VALUE, "0 to 35"},
        {{"recipe=1", "cauldron=3", "least_grade="}, NULL, LU_BAD_VALUE, "0 to 35"},
        {{"recipe=1", "cauldron=3", "stability=solid"}, NULL, LU_BAD_VALUE, "stability"},
        {{"recipe=1"}, "{}", LU_USAGE, "a recipe and a cauldron"},
        {{"recipe=1", "cauldron=2", "stock=all"}, "{}", LU_USAGE, "not from both"},
        {{"recipe=1", "cauldron=2"}, "Mandrake Rot 4", LU_BAD_DATA, "case.json:1"},
        {{"recipe=1"}, "{\"recipe\": 1, \"cauldron\": 1}", LU_USAGE, "not from both"},
        {{NULL}, "{", LU_BAD_DATA, "case.json"},
        {{NULL}, "[]", LU_BAD_DATA, "must be an object"},
        {{NULL}, "{\"cases\": 1}", LU_BAD_DATA, "must be a list"},
        {{NULL}, "{\"cases\": [\n7]}", LU_BAD_DATA, "case.json:2: a case must be an object"},
        {{NULL}, "{\"recipe\": 20, \"cauldron\": 1, \"stock\": {}}", LU_BAD_DATA, "recipe"},
        {{NULL}, "{\"recipe\": [], \"cauldron\": 1, \"stock\": {}}", LU_BAD_DATA, "recipe"},
        {{NULL}, "{\"recipe\": 2, \"cauldron\": 1}", LU_BAD_DATA, "no 'stock'"},
        {{NULL}, "{\"recipe\": 2, \"cauldron\": 1, \"stock\": 7}", LU_BAD_DATA, "stock"},
    };
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        lu_error error = {LU_OK, ""};
        const char *pairs[] = {rows[k].pairs[0], rows[k].pairs[0] ? rows[k].pairs[1] : NULL,
                               rows[k].pairs[2], NULL};
        lu_status status = solve(pairs, rows[k].text, &error);
        if (status != rows[k].status || !strstr(error.text, rows[k].part)) {
            lu_test_fail(__FILE__, __LINE__, "row %zu: status %d, %s", k, (int)status, error.text);
        }
        CHECK_TEXT(said, "");
    }
}

/* Where the stock alone has a potion nothing is bought: the best one of it is told, and a budget,
 * which counts gold that is spent, does not rule it out. */
TEST(least_purchase_is_nothing_where_the_stock_suffices) {
    static const char *const rows[] = {"shop=1", "budget=5"};
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        lu_error error = {LU_OK, ""};
        const char *pairs[] = {"recipe=1", "cauldron=2",
                               "stock={\"Mandrake Root\": 4, \"Sack of Slime\": 4, \"8\": 2}",
                               rows[k], NULL};
        CHECK_INT(solve(pairs, NULL, &error), LU_OK);
        const char *least = strstr(said, "\"least_purchase\":{\"proof\":\"optimal\"");
        NEED(least);
        CHECK_HAS(least, "\"profit\":81,\"mix\":{\"5\":2,\"6\":2,\"8\":2}");
        CHECK_HAS(least, "\"buy\":[],\"buy_gold\":0}");
    }
}

/* A misspelt wish is refused; what is no wish at all is the case's own business. */
TEST(misspelt_wishes_are_refused) {
    static const char *const rows[][2] = {{"stabilty", "'stability'"},
                                          {"budgets", "'budget'"},
                                          {"Stock", "'stock'"},
                                          {"leastgrade", "'least_grade'"},
                                          {"best_trait", "'best_traits'"}};
    static const char *const foreign[] = {
        "id",           "note",      "method",         "goal",       "max_items", "score",
        "recipe_title", "recipe_id", "cauldron_title", "best_total", "about"};
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        lu_error error = {LU_OK, ""};
        char text[300];
        snprintf(text, sizeof text, "{\"recipe\": 1, \"cauldron\": 0, \"stock\": {},\n\"%s\": 1}",
                 rows[k][0]);
        CHECK_INT(solve(NULL, text, &error), LU_BAD_DATA);
        CHECK_HAS(error.text, "case.json:2: key '");
        CHECK_HAS(error.text, rows[k][1]);
        CHECK_TEXT(said, "");
    }
    for (size_t k = 0; k < sizeof foreign / sizeof *foreign; k++) {
        lu_error error = {LU_OK, ""};
        char text[300];
        snprintf(text, sizeof text,
                 "{\"recipe\": 1, \"cauldron\": 0, \"stock\": {}, \"%s\": \"x\"}", foreign[k]);
        CHECK_INT(solve(NULL, text, &error), LU_OK);
        CHECK_TEXT(error.text, "");
    }
}

TEST(an_empty_list_is_answered_by_one) {
    lu_error error = {LU_OK, ""};
    CHECK_INT(solve(NULL, "{\"cases\": []}", &error), LU_OK);
    CHECK_TEXT(said, "{\"cases\":[],\"words\":[\"case.json: the list of cases is empty\"]}\n");
}

/* A wish of the wrong kind is refused with its line. */
TEST(wishes_of_a_wrong_kind_are_refused) {
    static const char *const rows[] = {"\"budget\": -1",
                                       "\"budget\": \"many\"",
                                       "\"chapter\": 6",
                                       "\"chapter\": null",
                                       "\"shop\": 1.5",
                                       "\"top\": 101",
                                       "\"front\": 1",
                                       "\"front_sizes\": \"x\"",
                                       "\"traits\": {}",
                                       "\"prove\": [true]",
                                       "\"free\": 0",
                                       "\"stability\": 3",
                                       "\"stability\": \"\"",
                                       "\"least_grade\": 36",
                                       "\"least_grade\": \"Great 1\"",
                                       "\"forbid\": {}",
                                       "\"forbid\": [0]",
                                       "\"forbid\": [[]]",
                                       "\"must\": [1]",
                                       "\"must\": {\"8\": -1}",
                                       "\"must\": {\"207\": 1}",
                                       "\"least_grade\": [ ]"};
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        lu_error error = {LU_OK, ""};
        char text[300];
        snprintf(text, sizeof text, "{\"recipe\": 1, \"cauldron\": 0, \"stock\": {},\n%s}",
                 rows[k]);
        lu_status status = solve(NULL, text, &error);
        if (status != LU_BAD_DATA || !strstr(error.text, "case.json:2: ")) {
            lu_test_fail(__FILE__, __LINE__, "%s: status %d, %s", rows[k], (int)status, error.text);
        }
        CHECK_TEXT(said, "");
    }
}
