/* Tests of the verify tool on seeds: the recorded file passes, every altered one fails with its
 * first difference named, and what is no such file is refused. */
#include "verify_test.h"

static char *seeds(void) {
    char *text = NULL;
    size_t length;
    lu_error error;
    if (lu_file_read(lu_test_source("games/joker/vectors/seeds.json"), 1 << 24, &text, &length,
                     &error) != LU_OK) {
        lu_test_fail(__FILE__, __LINE__, "%s", error.text);
        return NULL;
    }
    return text;
}

TEST(the_recorded_seeds_pass) {
    lu_error error = {LU_OK, ""};
    char *text = seeds();
    NEED(text);
    CHECK_INT(verify(text, &error), LU_OK);
    CHECK_TEXT(error.text, "");
    CHECK_HAS(said, "{\"passed\":10,\"failed\":0}");
    free(text);
}

TEST(every_altered_seed_fails_where_it_was_altered) {
    static const struct {
        const char *old, *new, *at;
    } rows[] = {
        {"\"hashed_seed\":0.3192720782223546", "\"hashed_seed\":0.3192720782223547", "hashed_seed"},
        {"\"node\":0.6552508289369773", "\"node\":0.6552508289369772", "streams/0/calls/0/node"},
        {"\"hands\":4", "\"hands\":5", "start/hands"},
        {"\"boss\":\"bl_head\"", "\"boss\":\"bl_hook\"", "antes/0/boss"},
        {"\"2C\",\"3C\"", "\"3C\",\"2C\"", "build_order/0"},
        {"\"idol\":\"JD\"", "\"idol\":\"JH\"", "targets/1/idol"},
        {"{\"key\":\"j_splash\"}", "{\"key\":\"j_splash\",\"ed\":\"foil\"}",
         "queues/0/shop_queue/2"},
        {"{\"key\":\"j_smeared\",\"ed\":\"holo\"}", "{\"key\":\"j_smeared\"}",
         "queues/0/shop_queue/3"},
        {"\"target\":300", "\"target\":301", "rounds/0/target"},
        {"\"cost\":10}", "\"cost\":9}", "rounds/0/shop/rerolls/0/1/cost"},
    };
    char *text = seeds();
    NEED(text);
    size_t length = strlen(text);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        lu_error error = {LU_OK, ""};
        char *changed = malloc(length + 64), want[80];
        const char *at = strstr(text, rows[i].old);
        NEED(at);
        snprintf(changed, length + 64, "%.*s%s%s", (int)(at - text), text, rows[i].new,
                 at + strlen(rows[i].old));
        CHECK_INT(verify(changed, &error), LU_CHECK_FAILED);
        snprintf(want, sizeof want, "\"at\":\"%s\"", rows[i].at);
        CHECK_HAS(said, want);
        CHECK_HAS(said, "{\"passed\":9,\"failed\":1}");
        free(changed);
    }
    free(text);
}

TEST(what_is_no_file_of_cases_is_refused) {
    static const struct {
        const char *text, *sentence;
    } rows[] = {
        {"[]", "'format' is ''"},
        {"{\"format\":\"x\"}", "'format' is 'x'"},
        {"{\"format\":\"ludus-joker-seeds-1\"}", "'cases' must be a list"},
        {"{\"format\":\"ludus-joker-seeds-1\",\"cases\":[]}", "'cases' is empty"},
        {"{\"format\":\"ludus-joker-seeds-1\",\"cases\":[{\"seed\":\"A\",\"deck\":\"b_red\","
         "\"stake\":1}]}",
         "expects nothing"},
        {"{\"format\":\"ludus-joker-seeds-1\",\"cases\":[{\"seed\":\"A\",\"deck\":\"b_red\","
         "\"stake\":1,\"antes\":[]}]}",
         "expects nothing"},
        {"{\"format\":\"ludus-joker-seeds-1\",\"cases\":[3]}", "a case must be an object"},
        {"{\"format\":\"ludus-joker-seeds-1\",\"cases\":[{}]}", "case '1'"},
        {"{\"format\":\"ludus-joker-seeds-1\",\"cases\":[{\"seed\":\"123456789\","
         "\"deck\":\"b_red\",\"stake\":1}]}",
         "1 to 8 letters"},
        {"{\"format\":\"ludus-joker-seeds-1\",\"cases\":[{\"seed\":\"A\",\"deck\":\"red deck x\","
         "\"stake\":1}]}",
         "isn't a key of a deck"},
        {"{\"format\":\"ludus-joker-seeds-1\",\"cases\":[{\"seed\":\"A\",\"deck\":\"b_red\","
         "\"stake\":9}]}",
         "stake"},
        {"{\"format\":\"ludus-joker-seeds-1\",\"cases\":[{\"seed\":\"A\",\"deck\":\"b_red\","
         "\"stake\":1,\"streams\":[{\"key\":3}]}]}",
         "a stream needs"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        lu_error error = {LU_OK, ""};
        CHECK_INT(verify(rows[i].text, &error), LU_BAD_DATA);
        CHECK_HAS(error.text, rows[i].sentence);
    }
}

/* Lists of any length, also absurd ones, are compared and never trusted. */
TEST(lists_of_other_lengths_differ) {
    static const char *const rows[] = {
        "\"antes\":{}",   "\"queues\":[{}]",     "\"rounds\":[{},{},{}]",
        "\"targets\":[]", "\"build_order\":[1]", "\"rounds\":[{\"shop\":{\"rerolls\":7}}]"};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char text[256];
        lu_error error = {LU_OK, ""};
        snprintf(text, sizeof text,
                 "{\"format\":\"ludus-joker-seeds-1\",\"cases\":[{\"seed\":\"A\","
                 "\"deck\":\"b_red\",\"stake\":1,%s}]}",
                 rows[i]);
        CHECK_INT(verify(text, &error), LU_CHECK_FAILED);
    }
}
