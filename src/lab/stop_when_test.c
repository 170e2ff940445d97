/* Conditions under which a training stops: what is read, what is refused, when they hold. */
#include "stop_when.h"

#include "ludus/game_ask.h"

#include "test.h"

static lu_progress update(int64_t number, int64_t episodes, double mean) {
    lu_progress p = {.updates = number,
                     .episodes = episodes,
                     .endings = episodes,
                     .episode_return = mean,
                     .figures = 1};
    p.figure[0] = (lu_figure){"entropy", 0.5};
    p.info[0] = mean;
    p.term[0] = -mean;
    return p;
}

static bool holds(const char *text, const lu_progress *p) {
    const lu_game *game = lu_game_find("cartpole", NULL);
    stop_when when;
    lu_error error;
    bool is = false;
    CHECK_INT(stop_when_read(&when, text, &error), LU_OK);
    CHECK_INT(stop_when_ask(&when, p, game, &is, &error), LU_OK);
    return is;
}

TEST(a_condition_holds_as_it_is_written) {
    lu_progress p = update(10, 2, 30.0), none = update(11, 0, 0.0);
    CHECK(!holds("", &p));
    CHECK(holds("update >= 10", &p));
    CHECK(!holds("update > 10", &p));
    CHECK(holds(" entropy<1 and episode_return > 29.5", &p));
    CHECK(!holds("entropy < 0.1 and episode_return > 29.5", &p));
    CHECK(holds("entropy < 0.1 and update > 3 or episode_return <= 30", &p));
    CHECK(holds("update > 3 or entropy < 0.1 and update > 300", &p));
    CHECK(!holds("entropy < 0.1 or update > 3 and update > 300", &p));
    CHECK(holds("episode_length < 1", &p));
    /* no episode ended: there is no such figure */
    CHECK(!holds("episode_length < 1", &none));
    CHECK(!holds("episode_length >= 0", &none));
}

TEST(objects_of_a_row_are_asked_by_dot_slash_and_line) {
    const lu_game *game = lu_game_find("cartpole", NULL);
    lu_progress p = update(10, 2, 30.0);
    char text[3][100];
    static const char signs[] = "./_";
    for (int i = 0; i < 3; i++) {
        snprintf(text[i], sizeof text[i], "infos%c%s >= 30 and terms%c%s < 0", signs[i],
                 game->info[0].name, signs[i], game->term[0].name);
        CHECK(holds(text[i], &p));
    }
}

TEST(what_is_no_condition_is_refused) {
    static const char *const bad[] = {
        "entropy",      "entropy =",      "entropy < x",           "< 3",
        "update > nan", "update > 3 and", "update > 3 update < 4", "update > 3 or"};
    stop_when when;
    lu_error error;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        CHECK_INT(stop_when_read(&when, bad[i], &error), LU_BAD_VALUE);
    }
    lu_text many = LU_TEXT_INIT;
    for (int i = 0; i <= STOP_WHEN_PARTS; i++) {
        lu_text_addf(&many, "%supdate > %d", i ? " and " : "", i);
    }
    CHECK_INT(stop_when_read(&when, many.text, &error), LU_BAD_VALUE);
    lu_text_free(&many);
}

TEST(a_name_that_no_update_has_is_told) {
    const lu_game *game = lu_game_find("cartpole", NULL);
    lu_progress p = update(1, 0, 0.0);
    stop_when when;
    lu_error error;
    bool is = true;
    CHECK_INT(stop_when_read(&when, "wins > 3", &error), LU_OK);
    CHECK_INT(stop_when_ask(&when, &p, game, &is, &error), LU_BAD_VALUE);
    CHECK(!is);
    CHECK_INT(stop_when_read(&when, "infos.nothing > 3", &error), LU_OK);
    CHECK_INT(stop_when_ask(&when, &p, game, &is, &error), LU_BAD_VALUE);
}
