/* Tests of the inventory tool: what it says of a file, and what it refuses. */
#include "test.h"

#include "ludus/tool.h"

#include <stdio.h>
#include <string.h>

extern const lu_tool lu_tool_potion_inventory;

static char said[1024];

static void note(void *user, const char *json, size_t length) {
    (void)user;
    snprintf(said, sizeof said, "%.*s", (int)length, json);
}

/* Runs the tool over one text, or none. */
static lu_status ask(const char *text, lu_error *error) {
    lu_settings *settings = lu_settings_new();
    lu_tool_input input = {"mine.txt", text, text ? strlen(text) : 0};
    lu_tool_io io = {
        .settings = settings, .inputs = &input, .input_count = text ? 1 : 0, .emit = note};
    said[0] = '\0';
    lu_status status = lu_tool_potion_inventory.run(&io, error);
    lu_settings_delete(settings);
    return status;
}

TEST(an_inventory_is_told_by_action_and_name) {
    lu_error error = {LU_OK, ""};
    CHECK_INT(ask("4 Feyberry\nRotfly Larva 2\n", &error), LU_OK);
    CHECK_TEXT(said, "{\"file\":\"mine.txt\",\"ingredients\":2,\"pieces\":6,"
                     "\"stock\":{\"3\":2,\"4\":4},\"names\":{\"Rotfly Larva\":2,\"Feyberry\":4}}");
}

TEST(what_is_no_inventory_is_refused_by_its_line) {
    lu_error error = {LU_OK, ""};
    CHECK_INT(ask("4 Feyberry\n2 Rotfly Lava\n", &error), LU_BAD_DATA);
    CHECK_HAS(error.text, "mine.txt:2:");
    CHECK_HAS(error.text, "Rotfly Larva");
    CHECK_TEXT(said, "");
    CHECK_INT(ask(NULL, &error), LU_USAGE);
}
