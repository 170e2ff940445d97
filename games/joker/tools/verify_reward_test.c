/* Tests of the verify tool on rewards: the recorded components and episodes pass, altered ones fail
 * where they were altered, and what is no such case is refused. */
#include "verify_test.h"

static char *vectors(const char *path) {
    char *text = NULL;
    size_t length;
    lu_error error;
    if (lu_file_read(lu_test_source(path), 1 << 24, &text, &length, &error) != LU_OK) {
        lu_test_fail(__FILE__, __LINE__, "%s", error.text);
    }
    return text;
}

#define COMPONENTS "games/joker/vectors/reward_components.json"
#define EPISODES   "games/joker/vectors/reward_episodes.json"

TEST(the_recorded_rewards_pass) {
    static const struct {
        const char *path, *sum;
    } files[] = {{COMPONENTS, "{\"passed\":64,\"failed\":0}"},
                 {EPISODES, "{\"passed\":6,\"failed\":0}"}};
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        lu_error error = {LU_OK, ""};
        char *text = vectors(files[i].path);
        NEED(text);
        CHECK_INT(verify(text, &error), LU_OK);
        CHECK_TEXT(error.text, "");
        CHECK_HAS(said, files[i].sum);
        free(text);
    }
}

/* The first place of a text behind another is altered. */
TEST(every_altered_reward_fails_where_it_was_altered) {
    static const struct {
        const char *path, *behind, *old, *new, *at, *sum;
    } rows[] = {
        {COMPONENTS, "\"R002\"", "\"out\":0.3", "\"out\":0.30000001",
         "\"at\":\"out\",\"want\":0.30000001", "{\"passed\":63,\"failed\":1}"},
        {COMPONENTS, "\"component\":\"joker_synergy_reward\"", "\"out\":", "\"out\":1",
         "\"at\":\"out\"", "{\"passed\":63,\"failed\":1}"},
        {EPISODES, "\"Q02\"", "\"reward\":", "\"reward\":9", "\"at\":\"steps/0/reward\"",
         "{\"passed\":5,\"failed\":1}"},
        {EPISODES, "\"Q22\"", "\"blind_cleared\":false", "\"blind_cleared\":true",
         "\"at\":\"steps/", "{\"passed\":5,\"failed\":1}"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        lu_error error = {LU_OK, ""};
        char *text = vectors(rows[i].path);
        NEED(text);
        const char *at = strstr(text, rows[i].behind);
        at = at ? strstr(at, rows[i].old) : NULL;
        NEED(at);
        size_t room = strlen(text) + 64;
        char *changed = malloc(room);
        snprintf(changed, room, "%.*s%s%s", (int)(at - text), text, rows[i].new,
                 at + strlen(rows[i].old));
        CHECK_INT(verify(changed, &error), LU_CHECK_FAILED);
        CHECK_HAS(said, rows[i].at);
        CHECK_HAS(said, rows[i].sum);
        free(changed);
        free(text);
    }
}

TEST(what_is_no_reward_is_refused) {
    static const struct {
        const char *entry, *sentence;
    } rows[] = {
        {"{}", "a component needs"},
        {"{\"component\":\"luck\",\"in\":{},\"out\":0}", "there is no component 'luck'"},
        {"{\"component\":\"play_reward\",\"in\":[],\"out\":0}", "a component needs"},
        {"{\"steps\":{}}", "'steps' must be a list"},
        {"{\"steps\":[{\"info\":{}}]}", "a step needs"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char text[256];
        lu_error error = {LU_OK, ""};
        snprintf(text, sizeof text, "{\"format\":\"ludus-joker-reward-1\",\"cases\":[%s]}",
                 rows[i].entry);
        CHECK_INT(verify(text, &error), LU_BAD_DATA);
        CHECK_HAS(error.text, rows[i].sentence);
    }
}
