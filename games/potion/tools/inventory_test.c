/* Tests of the inventory tool: what it says of a file, and what it refuses. */
#include "tool_said.h"

extern const lu_tool lu_tool_potion_inventory;

/* Runs the tool over one text, or none. */
static lu_status ask(const char *text, lu_error *error) {
    return tool_ask(&lu_tool_potion_inventory, (lu_tool_io){0}, NULL, "mine.txt", text, error);
}

TEST(an_inventory_is_told_by_action_and_name) {
    lu_error error = {LU_OK, ""};
    CHECK_INT(ask("4 Feyberry\nRotfly Larva 2\n", &error), LU_OK);
    CHECK_TEXT(said, "{\"file\":\"mine.txt\",\"ingredients\":2,\"pieces\":6,"
                     "\"stock\":{\"3\":2,\"4\":4},\"names\":{\"Rotfly Larva\":2,\"Feyberry\":4},"
                     "\"words\":[\"6 pieces of 2 ingredients:\",\"   2 Rotfly Larva\","
                     "\"   4 Feyberry\"]}\n");
}

TEST(what_is_no_inventory_is_refused_by_its_line) {
    lu_error error = {LU_OK, ""};
    CHECK_INT(ask("4 Feyberry\n2 Rotfly Lava\n", &error), LU_BAD_DATA);
    CHECK_HAS(error.text, "mine.txt:2:");
    CHECK_HAS(error.text, "Rotfly Larva");
    CHECK_TEXT(said, "");
    CHECK_INT(ask(NULL, &error), LU_USAGE);
}
