/* Contests: points, Elo and the sequential test, in games for two. */
#include "ludus/contest.h"

#include "eval_test.h"

static lu_player bot_of(const stage *s, const char *name) {
    lu_player p;
    lu_error error = {0};
    CHECK_INT(lu_player_bot(&p, name, s->episode.game, &error), LU_OK);
    return p;
}

TEST(the_stronger_one_is_found_from_both_sides) {
    stage s;
    NEED(stage_open(&s, "turns", 0));
    lu_player expert = bot_of(&s, "expert"), any = bot_of(&s, "random");
    lu_error error = {0};
    lu_contest there = {.a = &expert, .b = &any, .match = {.episode = &s.episode, .episodes = 100}};
    lu_contest back = {.a = &any, .b = &expert, .match = there.match};
    CHECK_INT(lu_contest_play(&there, &error), LU_OK);
    CHECK_INT(lu_contest_play(&back, &error), LU_OK);
    CHECK_INT(there.wins + there.draws + there.losses, 100);
    CHECK_INT(there.pairs[0] + there.pairs[1] + there.pairs[2] + there.pairs[3] + there.pairs[4],
              50);
    CHECK_INT(there.draws, 0);
    CHECK_NEAR(there.score.mean, there.wins / 100.0, 1e-12);
    CHECK_INT(there.verdict, LU_BETTER);
    CHECK_INT(back.verdict, LU_WORSE);
    CHECK(there.elo > 200 && there.elo_low > 0);
    CHECK(there.elo_low < there.elo && there.elo < there.elo_high);
    CHECK(back.elo < -200);
    lu_contest_free(&there);
    lu_contest_free(&back);
    stage_close(&s);
}

/* The same player on both sides: what it wins on one it loses on the other. */
TEST(nobody_is_stronger_than_itself) {
    stage s;
    NEED(stage_open(&s, "duet", 1));
    lu_player twin = s.agent[0];
    lu_error error = {0};
    lu_contest c = {.a = &s.agent[0],
                    .b = &twin,
                    .sequential = true,
                    .other = 20,
                    .match = {.episode = &s.episode, .first_seed = 5, .episodes = 400}};
    CHECK_INT(lu_contest_play(&c, &error), LU_OK);
    CHECK_NEAR(c.score.mean, 0.5, 1e-12);
    CHECK_INT(c.wins, c.losses);
    CHECK_INT(c.pairs[2], c.match.episodes / 2);
    lu_summary wins = lu_contest_wins(&c);
    CHECK(c.score.low < 0.5 && c.score.high > 0.5); /* equal results, but few */
    CHECK(wins.low < wins.mean && wins.high > wins.mean);
    CHECK_INT(c.verdict, LU_UNDECIDED);
    CHECK_NEAR(c.elo, 0, 1e-9);
    CHECK_TEXT(lu_contest_decision(&c), "rejected");
    CHECK_INT(c.match.episodes, 48); /* at its first look */
    CHECK_INT(c.most, 400);
    lu_contest_free(&c);
    stage_close(&s);
}

TEST(the_test_ends_when_it_knows_and_threads_change_nothing) {
    stage s;
    NEED(stage_open(&s, "turns", 0));
    lu_player expert = bot_of(&s, "expert"), any = bot_of(&s, "random");
    char *text[2];
    lu_error error = {0};
    for (int i = 0; i < 2; i++) {
        lu_contest c = {.a = &expert,
                        .b = &any,
                        .sequential = true,
                        .other = 100,
                        .match = {.episode = &s.episode, .episodes = 800, .threads = i ? 3 : 1}};
        lu_json json = LU_JSON_INIT;
        CHECK_INT(lu_contest_play(&c, &error), LU_OK);
        CHECK_TEXT(lu_contest_decision(&c), "accepted");
        CHECK(c.match.episodes < 800);
        lu_contest_write(&c, &json);
        text[i] = json.text;
        lu_contest_free(&c);
    }
    CHECK_TEXT(text[1], text[0]);
    CHECK_HAS(text[0], "\"decided_by\":\"won\"");
    CHECK_HAS(text[0], "\"sprt\":{\"decision\":\"accepted\",\"most\":800");
    free(text[0]);
    free(text[1]);
    stage_close(&s);
}

TEST(seats_that_nobody_can_take) {
    lu_episode e;
    lu_error error = {0};
    NEED(lu_episode_open_text(&e, "clock", NULL, NULL, &error) == LU_OK);
    CHECK_INT(lu_match_check_sides(&e, &error), LU_BAD_VALUE);
    CHECK_HAS(error.text, "single-player");
    lu_episode_close(&e);
    NEED(lu_episode_open_text(&e, "house", NULL, NULL, &error) == LU_OK);
    CHECK_INT(lu_match_check_sides(&e, &error), LU_BAD_VALUE);
    CHECK_HAS(error.text, "plays seat 1 itself");
    lu_episode_close(&e);
}
