/* ludus craft prompt: the example it gives is a target that is read as it says, and every group
 * that it names is one. */
#include "craft_tables.h"

#include "tool_said.h"

#include "ludus/text.h"

extern const lu_tool lu_tool_craft_pool, lu_tool_craft_prompt;

static const char *const wish[] = {"want=fast boots", NULL};

/* The text for the model; the caller frees it. */
static char *system_text(void) {
    lu_error error = {LU_OK, ""};
    CHECK_INT(tool_ask(&lu_tool_craft_prompt, (lu_tool_io){0}, wish, NULL, NULL, &error), LU_OK);
    lu_json_document *document = lu_json_read("said", said, strlen(said), &error);
    const lu_json_value *messages = lu_json_get(lu_json_root(document), "messages");
    const char *text = "", *user = "";
    lu_json_get_text(lu_json_at(messages, 0), "content", &text, &error);
    lu_json_get_text(lu_json_at(messages, 1), "content", &user, &error);
    CHECK_TEXT(user, "fast boots");
    char *kept = lu_strdup(text);
    lu_json_close(document);
    return kept;
}

TEST(the_example_of_the_prompt_is_a_target) {
    char *text = system_text(), *from = strstr(text, "\n{\"base\"");
    lu_error error = {LU_OK, ""};
    lu_text pair = LU_TEXT_INIT;
    lu_json file = LU_JSON_INIT;
    NEED(from);
    lu_json_object(&file);
    lu_json_key_string(&file, "name", "example");
    lu_json_key(&file, "text");
    lu_json_string_n(&file, from + 1, strcspn(from + 1, "\n"));
    lu_json_object_end(&file);
    lu_text_addf(&pair, "target_spec=%s", file.text);
    const char *pairs[] = {pair.text, NULL};
    CHECK_INT(tool_ask(&lu_tool_craft_pool, (lu_tool_io){0}, pairs, NULL, NULL, &error), LU_OK);
    CHECK_HAS(said, "\"understood\":\"maximum life tier 1, 2 x any resistance tier 2 or better, "
                    "movement speed of at least 25, 1 open suffix\"");
    CHECK(!strstr(said, "\"problem\""));
    lu_text_free(&pair);
    lu_json_free(&file);
    free(text);
}

TEST(the_prompt_names_every_group) {
    const craft_pack *pack = craft_pack_at(0);
    char *text = system_text(), line[256];
    for (int k = 0; k < pack->group_count; k++) {
        snprintf(line, sizeof line, "\n%s: %s\n", pack->groups[k].id, pack->groups[k].label);
        CHECK_HAS(text, line);
    }
    free(text);
}

TEST(a_prompt_needs_a_wish) {
    lu_error error = {LU_OK, ""};
    CHECK_INT(tool_ask(&lu_tool_craft_prompt, (lu_tool_io){0}, NULL, NULL, NULL, &error), LU_USAGE);
    CHECK_HAS(error.text, "needs a wish");
}
