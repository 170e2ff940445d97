/* Ratings: Elo by hand, the fit against closed forms and drawn results, tournaments. */
#include "ludus/rng.h"
#include "ludus/tournament.h"

#include "eval_test.h"

#include <math.h>

TEST(elo_moves_by_the_ratings_before_the_batch) {
    double ratings[3] = {1500, 1500, 1700};
    const bool frozen[3] = {false, false, true};
    const lu_outcome batch[] = {{0, 1, 1.0}, {0, 1, 1.0}, {1, 2, 0.5}};
    lu_elo_move(ratings, frozen, 3, batch, 3);
    CHECK_NEAR(ratings[0], 1500 + 2 * 8, 1e-9);
    CHECK_NEAR(ratings[1], 1500 - 16 + 16 * (0.5 - 1 / (1 + pow(10, 0.5))), 1e-9);
    CHECK_NEAR(ratings[2], 1700, 0);
}

/* Two players: the share with the drawn game is the rating, and the anchor stays. */
TEST(two_players_have_the_rating_of_their_share) {
    lu_error error = {0};
    lu_rating r[2] = {{.anchor = true, .elo = 1200}};
    const lu_meeting m = {1, 0, {10, 0, 0, 0, 40}};
    CHECK_INT(lu_rate(r, 2, &m, 1, &error), LU_OK);
    double share = 80.5 / 101;
    CHECK_NEAR(r[1].elo, 1200 + 400 * log10(share / (1 - share)), 1e-6);
    CHECK_NEAR(r[0].elo, 1200, 0);
    CHECK_NEAR(r[0].high, 1200, 0);
    CHECK(r[1].low < r[1].elo && r[1].elo < r[1].high);
    CHECK_NEAR(r[1].points, 80, 0);
    CHECK_NEAR(r[0].points, 20, 0);
    CHECK_NEAR(r[0].games, 100, 0);
}

TEST(who_won_all_has_a_rating_and_says_how_unsure_it_is) {
    lu_error error = {0};
    lu_rating r[2] = {0};
    const lu_meeting m = {0, 1, {0, 0, 0, 0, 500}};
    CHECK_INT(lu_rate(r, 2, &m, 1, &error), LU_OK);
    CHECK_NEAR(r[0].elo + r[1].elo, 2 * LU_ELO_START, 1e-6);
    CHECK(r[0].elo - r[1].elo > 1000 && isfinite(r[0].elo));
    CHECK(r[0].high - r[0].low > 150);
}

TEST(strangers_are_not_compared) {
    lu_error error = {0};
    lu_rating r[4] = {0};
    const lu_meeting m[2] = {{0, 1, {5, 0, 0, 0, 5}}, {2, 3, {5, 0, 0, 0, 5}}};
    CHECK_INT(lu_rate(r, 4, m, 2, &error), LU_BAD_VALUE);
    r[0].anchor = r[2].anchor = true;
    r[0].elo = r[2].elo = 1500;
    CHECK_INT(lu_rate(r, 4, m, 2, &error), LU_OK);
}

/* Results drawn by known strengths, both games of a seed alike half of the time: the truth lies in
 * 95 % of the intervals, give or take. */
TEST(intervals_hold_the_truth) {
    enum { PLAYERS = 6, SEEDS = 100, ROUNDS = 200 };
    static const double truth[PLAYERS] = {1500, 1380, 1450, 1490, 1610, 1800};
    lu_rng rng = lu_rng_from(11);
    int inside = 0;
    for (int round = 0; round < ROUNDS; round++) {
        lu_rating r[PLAYERS] = {{.anchor = true, .elo = truth[0]}};
        lu_meeting m[PLAYERS * (PLAYERS - 1) / 2];
        lu_error error = {0};
        int count = 0;
        for (int a = 0; a < PLAYERS; a++) {
            for (int b = a + 1; b < PLAYERS; b++) {
                m[count] = (lu_meeting){.a = a, .b = b};
                for (int s = 0; s < SEEDS; s++) {
                    double share = lu_elo_score(truth[a] - truth[b]);
                    int first = lu_rng_unit(&rng) < share, second = lu_rng_unit(&rng) < share;
                    m[count].pairs[2 * (lu_rng_unit(&rng) < 0.5 ? 2 * first : first + second)]++;
                }
                count++;
            }
        }
        CHECK_INT(lu_rate(r, PLAYERS, m, count, &error), LU_OK);
        for (int p = 1; p < PLAYERS; p++) {
            inside += r[p].low <= truth[p] && truth[p] <= r[p].high;
        }
    }
    printf("    inside: %.3f\n", inside / (double)(ROUNDS * (PLAYERS - 1)));
    CHECK(inside > 0.92 * ROUNDS * (PLAYERS - 1) && inside < 0.975 * ROUNDS * (PLAYERS - 1));
}

TEST(a_tournament_orders_its_players) {
    stage s;
    NEED(stage_open(&s, "turns", 1));
    lu_error error = {0};
    lu_player players[3] = {s.agent[0]};
    lu_anchor held = {2, LU_ELO_START};
    CHECK_INT(lu_player_bot(&players[1], "expert", s.episode.game, &error), LU_OK);
    CHECK_INT(lu_player_bot(&players[2], "random", s.episode.game, &error), LU_OK);
    lu_tournament t = {.match = {.episode = &s.episode, .episodes = 60, .threads = 1},
                       .players = players,
                       .count = 3,
                       .moves = true,
                       .anchor = &held,
                       .anchors = 1};
    lu_tournament two = t;
    two.match.threads = 2;
    CHECK_INT(lu_tournament_play(&t, &error), LU_OK);
    CHECK_INT(lu_tournament_play(&two, &error), LU_OK);
    CHECK_NEAR(t.rating[2].elo, LU_ELO_START, 0);
    CHECK(t.rating[1].low > t.rating[2].elo);
    CHECK(t.rating[1].elo > t.rating[0].elo);
    CHECK_NEAR(t.rating[1].games, 120, 0);
    CHECK_NEAR(t.moved[2], LU_ELO_START, 0);
    CHECK(t.moved[1] > t.moved[2] + 100 && t.moved[1] > t.moved[0]);
    CHECK_NEAR(lu_tournament_share(&t, 1, 2) + lu_tournament_share(&t, 2, 1), 1, 1e-12);
    for (int p = 0; p < 3; p++) {
        CHECK(t.rating[p].elo == two.rating[p].elo);
        CHECK(t.moved[p] == two.moved[p]);
    }
    /* two anchors are held, the third player is fitted to both */
    lu_anchor scale[2] = {{1, 2000}, {2, 1600}};
    lu_tournament held_twice = t;
    held_twice.anchor = scale;
    held_twice.anchors = 2;
    held_twice.known = t.meeting;
    held_twice.knowns = t.meetings;
    held_twice.meetings = 0;
    held_twice.moves = false;
    held_twice.moved = NULL;
    CHECK_INT(lu_tournament_play(&held_twice, &error), LU_OK);
    CHECK(held_twice.rating[1].anchor && held_twice.rating[2].anchor);
    CHECK_NEAR(held_twice.rating[1].elo, 2000, 0);
    CHECK_NEAR(held_twice.rating[2].high, 1600, 0);
    CHECK(held_twice.rating[0].elo < 2000 && held_twice.rating[0].low < held_twice.rating[0].elo);
    held_twice.points = NULL;
    lu_tournament_free(&held_twice);
    lu_tournament_free(&t);
    lu_tournament_free(&two);
    stage_close(&s);
}

TEST(an_anchor_is_a_player_and_a_rating) {
    static const struct {
        const char *text, *player;
        double elo;
    } cases[] = {{"bot:ace", "bot:ace", LU_ELO_START},
                 {"bot:ace=1948.5", "bot:ace", 1948.5},
                 {"a=b.safetensors", "a=b.safetensors", LU_ELO_START},
                 {"a=1=-20", "a=1", -20},
                 {"a=", "a=", LU_ELO_START},
                 {"a=nan", "a=nan", LU_ELO_START}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        lu_text player = LU_TEXT_INIT;
        CHECK_NEAR(lu_anchor_read(cases[i].text, &player), cases[i].elo, 0);
        CHECK_TEXT(player.text, cases[i].player);
        lu_text_free(&player);
    }
}
