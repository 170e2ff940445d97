/* Tests of the verify tool: the recorded files pass, every altered one fails with its first
 * difference named, and what is no such file is refused. */
#include "potion_test.h"

#include "ludus/file.h"
#include "tool_said.h"

#include <stdlib.h>

extern const lu_tool lu_tool_potion_verify;

static lu_status verify(const char *text, lu_error *error) {
    return tool_ask(&lu_tool_potion_verify, (lu_tool_io){0}, NULL, "file.json", text, error);
}

/* The recorded files, read once and kept. */
static const char *vectors(const char *name) {
    static char *kept[2];
    char path[64];
    size_t length;
    lu_error error;
    int which = strcmp(name, "traces") == 0;
    snprintf(path, sizeof path, "games/potion/vectors/%s.json", name);
    if (!kept[which] &&
        lu_file_read(lu_test_source(path), 1 << 24, &kept[which], &length, &error) != LU_OK) {
        lu_test_fail(__FILE__, __LINE__, "%s", error.text);
        kept[which] = NULL;
    }
    return kept[which];
}

/* A copy with the first `old` behind `from` replaced; NULL if it is not there. */
static char *altered(const char *text, const char *from, const char *old, const char *new) {
    const char *at = strstr(text, from);
    at = at ? strstr(at, old) : NULL;
    if (!at) {
        return NULL;
    }
    size_t room = strlen(text) + strlen(new) + 1;
    char *copy = malloc(room);
    snprintf(copy, room, "%.*s%s%s", (int)(at - text), text, new, at + strlen(old));
    return copy;
}

TEST(the_recorded_files_pass) {
    static const char *const names[] = {"traces", "cases"};
    for (int k = 0; k < 2; k++) {
        lu_error error = {LU_OK, ""};
        const char *text = vectors(names[k]);
        NEED(text);
        CHECK_INT(verify(text, &error), LU_OK);
        CHECK_TEXT(error.text, "");
        CHECK_HAS(said, "{\"passed\":5,\"failed\":0}");
    }
}

TEST(every_altered_entry_fails_with_its_key) {
    static const struct {
        const char *file, *from, *old, *new, *key;
    } rows[] = {
        {"traces", "\"T02\"", "\"legal_actions\": 206", "\"legal_actions\": 205", "legal_actions"},
        {"traces", "\"T13\"", "\"taken\": false", "\"taken\": true", "taken"},
        {"traces", "\"T13\"", "\"legal\": false", "\"legal\": true", "legal"},
        {"traces", "\"T02\"", "\"items\": 3", "\"items\": 4", "items"},
        {"traces", "\"T02\"", "      104,", "      105,", "magimins D"},
        {"traces", "\"T02\"", "\"Rottermelon\"", "\"Melon\"", "name"},
        {"traces", "\"T05\"", "\"reward\": 1.36", "\"reward\": 1.361", "reward"},
        {"traces", "\"T05\"", "\"done\": true", "\"done\": false", "done"},
        {"traces", "\"T05\"", "\"stability\": \"stable\"", "\"stability\": \"perfect\"",
         "stability"},
        {"traces", "\"T05\"", "\"fullness\": 0.99", "\"fullness\": 0.98", "fullness"},
        {"traces", "\"T05\"", "\"cost\": 273", "\"cost\": 272", "cost"},
        {"traces", "\"T05\"", "\"masked_delta\": 0.1313", "\"masked_delta\": 0.1314",
         "masked_delta"},
        {"traces", "\"T05\"", "in_brief\": 1.37", "in_brief\": 1.36", "reward_as_written_in_brief"},
        {"traces", "\"T05\"", "\"star\": 4", "\"star\": 3", "star"},
        {"traces", "\"T02\"", "\"price\": 695", "\"price\": 696", "price"},
        {"traces", "\"T02\"", "\"p\": 0.5", "\"p\": 0.4", "/p\""},
        {"traces", "\"game_rules\"", "\"grade\": 23", "\"grade\": 24", "grade"},
        {"traces", "\"T11\"", "\"error\": 0.051", "\"error\": 0.052", "error"},
        {"traces", "\"T11\"", "\"very_stable\"", "\"stable\"", "stability"},
        {"traces", "\"game_traits\"", "-1.0", "1.0", "taste"},
        {"traces", "\"T02\"", "\"Storm++\"", "\"Storm+\"", "cauldron_title"},
        {"cases", "\"P1\"", "\"total\": 160", "\"total\": 159", "total"},
        {"cases", "\"P1\"", "\"profit\": 264", "\"profit\": 265", "profit"},
        {"cases", "\"P1\"", "\"grade\": 14", "\"grade\": 15", "grade"},
        {"cases", "\"P1\"", "\"unit_price\": 128", "\"unit_price\": 129", "unit_price"},
        {"cases", "\"P1\"", "\"12\": 2", "\"12\": 1", "not exactly the ratio"},
        {"cases", "\"P1\"", "\"Unicorn Horn\": 2", "\"Unicorn Horn\": 1", "names"},
        {"cases", "\"P4\"", "\"15\": 2", "\"15\": 0", "in stock"},
        {"cases", "\"P4\"", "\"rl_reward_is_maximum\": true", "\"rl_reward_is_maximum\": false",
         "rl_reward_is_maximum"},
        {"cases", "\"best_traits\"", "\"profit\": 227.4", "\"profit\": 227.5", "profit"},
    };
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        lu_error error = {LU_OK, ""};
        const char *text = vectors(rows[k].file);
        NEED(text);
        char *wrong = altered(text, rows[k].from, rows[k].old, rows[k].new);
        if (!wrong) {
            lu_test_fail(__FILE__, __LINE__, "row %zu: nothing to alter", k);
        } else if (verify(wrong, &error) != LU_CHECK_FAILED || !strstr(said, rows[k].key) ||
                   !strstr(said, "{\"passed\":4,\"failed\":1}")) {
            lu_test_fail(__FILE__, __LINE__, "row %zu (%s) is not found: %s", k, rows[k].new, said);
        }
        free(wrong);
    }
}

TEST(what_is_no_such_file_is_refused) {
    static const struct {
        const char *text, *part;
    } rows[] = {
        {"", "file.json"},
        {"[1", "file.json"},
        {"{}", "traces and cases"},
        {"[]", "traces and cases"},
        {"{\"traces\": 1}", "'traces' must be a list"},
        {"{\"traces\": []}", "nothing was checked"},
        {"{\"traces\": [1]}", "case '1'"},
        {"{\"traces\": [{\"id\": 5}]}", "id"},
        {"{\"traces\": [{\"id\": \"A\"}]}", "case 'A'"},
        {"{\"traces\": [{\"actions\": [], \"final\": {}, \"recipe\": 20, \"cauldron\": 0}]}",
         "recipe"},
        {"{\"traces\": [{\"actions\": [], \"final\": {}, \"recipe\": 1, \"cauldron\": 0}]}",
         "stock"},
        {"{\"traces\": [{\"actions\": [0], \"final\": {}, \"recipe\": 1, \"cauldron\": 0, "
         "\"stock\": \"all\"}]}",
         "steps"},
        {"{\"traces\": [{\"actions\": [0], \"final\": {}, \"recipe\": 1, \"cauldron\": 0, "
         "\"stock\": \"all\", \"steps\": [0]}]}",
         "step must be an object"},
        {"{\"cases\": [{\"recipe\": 1, \"cauldron\": 0, \"stock\": \"all\", \"best_total\": 1}]}",
         "object or null"},
        {"{\"cases\": [{\"recipe\": 1, \"cauldron\": 0, \"stock\": \"all\", \"best_total\": {}}]}",
         "'mix'"},
        {"{\"cases\": [{\"recipe\": 1, \"cauldron\": 0, \"stock\": \"all\", \"best_total\": "
         "{\"mix\": {\"900\": 1}}}]}",
         "900"},
    };
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        lu_error error = {LU_OK, ""};
        CHECK_INT(verify(rows[k].text, &error), LU_BAD_DATA);
        CHECK_HAS(error.text, rows[k].part);
    }
}

TEST(a_case_without_a_perfect_potion_passes) {
    lu_error error = {LU_OK, ""};
    CHECK_INT(
        verify("{\"cases\": [{\"id\": \"none\", \"recipe\": 1, \"cauldron\": 0, \"stock\": {}, "
               "\"best_total\": null, \"best_profit\": null}]}",
               &error),
        LU_OK);
    CHECK_HAS(said, "\"found\":false");
}

/* Mixes that add up but are not the best ones, and a null where a potion exists. */
TEST(what_is_not_the_best_fails) {
    static const char *const rows[][2] = {
        {"\"best_total\": {\"total\": 8, \"mix\": {\"2\": 1, \"3\": 1}}",
         "/total\",\"want\":8,\"got\":24"},
        {"\"best_profit\": {\"profit\": -2, \"mix\": {\"2\": 1, \"3\": 1}}", "/profit\",\"want\""},
        {"\"best_traits\": {\"mix\": {\"5\": 2, \"6\": 2}, \"profit\": 24}", "/profit\",\"want\""},
        {"\"best_profit\": null", "/found\",\"want\":false,\"got\":true"},
    };
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        lu_error error = {LU_OK, ""};
        char text[300];
        snprintf(text, sizeof text,
                 "{\"cases\": [{\"recipe\": 1, \"cauldron\": 0, \"stock\": {\"2\": 3, \"3\": 3, "
                 "\"5\": 2, \"6\": 2}, %s}]}",
                 rows[k][0]);
        CHECK_INT(verify(text, &error), LU_CHECK_FAILED);
        CHECK_HAS(said, rows[k][1]);
    }
}

/* A brew that fails under the peer's rules but not in the game, and one item alone. */
TEST(failed_brews_are_compared_too) {
    lu_error error = {LU_OK, ""};
    CHECK_INT(
        verify("{\"traces\": [{\"id\": \"x\", \"recipe\": 5, \"cauldron\": 2, \"stock\": \"10 of "
               "each\","
               " \"actions\": [38, 12, 0], \"steps\": [{\"action\": 38}, {\"items\": 2},"
               " {\"reward\": 0.0, \"done\": true}], \"final\": {\"stability\": \"cannot_brew\","
               " \"reward\": 0.0, \"reward_as_written_in_brief\": 0.0, \"peer_tier_outcomes\": []},"
               " \"game_rules\": {\"stability\": \"unstable\", \"error\": 0.25, \"grade\": 2,"
               " \"brewed\": 1}},"
               " {\"id\": \"y\", \"recipe\": 5, \"cauldron\": 2, \"stock\": \"10 of each\","
               " \"actions\": [38, 0], \"steps\": [{}, {\"reward\": 0.0}], \"final\":"
               " {\"stability\": \"cannot_brew\", \"items\": 1, \"total\": 24},"
               " \"game_rules\": {\"stability\": \"cannot_brew\", \"grade\": null}}]}",
               &error),
        LU_OK);
    CHECK_HAS(said, "{\"passed\":2,\"failed\":0}");
}
