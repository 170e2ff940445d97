#include "ludus/log.h"

#include "test.h"

typedef struct seen {
    int count;
    lu_log_level level;
    char text[2100];
} seen;

static void note(void *user, lu_log_level level, const char *text) {
    seen *all = user;
    all->count++;
    all->level = level;
    snprintf(all->text, sizeof all->text, "%s", text);
}

TEST(messages_reach_the_handler_by_level) {
    seen all = {0};
    lu_log_level before = lu_log_get_level();
    lu_log_set(note, &all);
    lu_log_set_level(LU_LOG_WARNING);
    lu_log_write(LU_LOG_INFO, "not this");
    CHECK_INT(all.count, 0);
    lu_log_write(LU_LOG_WARNING, "%d of %s", 3, "four");
    CHECK_INT(all.count, 1);
    CHECK_INT(all.level, LU_LOG_WARNING);
    CHECK_TEXT(all.text, "3 of four");
    CHECK(lu_log_wants(LU_LOG_ERROR));
    CHECK(!lu_log_wants(LU_LOG_DEBUG));
    lu_log_set_level(LU_LOG_OFF);
    lu_log_write(LU_LOG_ERROR, "nor this");
    CHECK_INT(all.count, 1);
    lu_log_set_level(before);
    lu_log_set(NULL, NULL);
}

TEST(long_messages_are_cut) {
    seen all = {0};
    lu_log_level before = lu_log_get_level();
    lu_log_set(note, &all);
    lu_log_set_level(LU_LOG_DEBUG);
    lu_log_write(LU_LOG_DEBUG, "%5000d", 1);
    CHECK_INT(all.count, 1);
    CHECK_INT(strlen(all.text), 1999);
    lu_log_set_level(before);
    lu_log_set(NULL, NULL);
}

TEST(level_names_go_both_ways) {
    for (int i = LU_LOG_DEBUG; i <= LU_LOG_OFF; i++) {
        lu_log_level level = LU_LOG_OFF;
        CHECK(lu_log_level_parse(lu_log_level_name((lu_log_level)i), &level));
        CHECK_INT(level, i);
    }
    lu_log_level level = LU_LOG_INFO;
    CHECK(!lu_log_level_parse("loud", &level));
    CHECK_INT(level, LU_LOG_INFO);
}
