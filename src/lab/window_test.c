/* Windows: means over what ended, not over updates; borders; warnings. */
#include "ludus/window.h"

#include "test.h"

static lu_progress update(int64_t number, int64_t steps, int64_t episodes, double mean) {
    lu_progress p = {.updates = number,
                     .steps = steps,
                     .ticks = 7,
                     .truncated = 1,
                     .seconds = 0.5,
                     .episodes = episodes,
                     .endings = episodes,
                     .episode_return = mean,
                     .episode_length = 2.0 * mean,
                     .reward = 1.0,
                     .reward_square = 2.0,
                     .figures = 2,
                     .parts = 1};
    p.figure[0] = (lu_figure){"entropy", (double)number};
    p.figure[1] = (lu_figure){"kl", 0.25};
    p.part[0] = (lu_figure){"learn", 0.25};
    p.info[0] = 10.0 * mean;
    p.term[0] = mean;
    return p;
}

static lu_json_document *row_of(const lu_window *w, const lu_progress *last, const lu_game *game) {
    lu_json json = LU_JSON_INIT;
    lu_json_object(&json);
    lu_window_write(w, last, game, &json);
    lu_json_object_end(&json);
    lu_json_document *row = lu_json_read("row", json.text, json.length, NULL);
    lu_json_free(&json);
    return row;
}

static double real(const lu_json_document *row, const char *group, const char *key) {
    const lu_json_value *object = lu_json_root(row);
    object = group ? lu_json_get(object, group) : object;
    return lu_json_real_or(lu_json_get(object, key), -12345.0);
}

TEST(means_are_over_episodes_that_ended) {
    const lu_game *game = lu_game_find("cartpole", NULL);
    lu_window w = {0};
    lu_progress a = update(1, 100, 3, 10.0), b = update(2, 200, 1, 50.0),
                c = update(3, 300, 0, 0.0);
    lu_window_add(&w, &a, 1.0);
    lu_window_add(&w, &b, 2.0);
    lu_window_add(&w, &c, 3.0);
    lu_json_document *row = row_of(&w, &c, game);
    NEED(row);
    CHECK_NEAR(real(row, NULL, "episode_return"), 20.0, 1e-12); /* (3 x 10 + 50) / 4 */
    CHECK_NEAR(real(row, NULL, "episode_length"), 40.0, 1e-12);
    CHECK_NEAR(real(row, NULL, "episodes"), 4.0, 0.0);
    CHECK_NEAR(real(row, "infos", game->info[0].name), 200.0, 1e-12);
    CHECK_NEAR(real(row, "terms", game->term[0].name), 20.0, 1e-12); /* per decision */
    CHECK_NEAR(real(row, NULL, "entropy"), 2.0, 1e-12);              /* over updates */
    CHECK_NEAR(real(row, NULL, "ticks"), 21.0, 0.0);
    CHECK_NEAR(real(row, NULL, "truncated"), 3.0, 0.0);
    CHECK_NEAR(real(row, NULL, "wall_seconds"), 3.0, 0.0);
    CHECK_NEAR(real(row, NULL, "steps_per_second"), 200.0, 1e-9);
    CHECK_NEAR(real(row, "seconds", "learn"), 0.75, 1e-12);
    CHECK_NEAR(real(row, NULL, "updates"), 3.0, 0.0);
    lu_json_close(row);
}

TEST(a_window_without_an_end_has_no_mean) {
    const lu_game *game = lu_game_find("cartpole", NULL);
    lu_window w = {0};
    lu_progress a = update(1, 100, 0, 0.0);
    lu_window_add(&w, &a, 1.0);
    lu_json_document *row = row_of(&w, &a, game);
    NEED(row);
    CHECK(lu_json_get(lu_json_root(row), "episode_return") == NULL);
    CHECK_INT(lu_json_count(lu_json_get(lu_json_root(row), "infos")), 0);
    lu_json_close(row);
}

TEST(a_window_ends_at_multiples_of_its_size) {
    lu_window w = {0};
    static const int64_t steps[] = {400, 800, 1200, 1600, 2000, 5200};
    static const bool full[] = {false, false, true, false, true, true};
    for (int i = 0; i < 6; i++) {
        lu_progress p = update(i + 1, steps[i], 1, 1.0);
        lu_window_add(&w, &p, 0.0);
        CHECK_INT(lu_window_full(&w, 1000), full[i]);
        if (lu_window_full(&w, 1000)) {
            lu_window_next(&w);
        }
    }
    CHECK_INT(w.id, 3); /* ids never skip, however long an update is */
    CHECK_INT(w.first_step, 5200);
    CHECK_INT(w.ticks, 42); /* goes on over windows */
    CHECK_INT(w.episodes, 0);
}

TEST(what_looks_wrong_is_told) {
    const lu_game *game = lu_game_find("cartpole", NULL);
    lu_window w = {0};
    lu_progress p = update(1, 100, 1, 1.0);
    CHECK(lu_window_warning(&w, &p, game, 0) == NULL); /* nothing yet */
    lu_window_add(&w, &p, 0.0);
    CHECK(lu_window_warning(&w, &p, game, 0) == NULL);

    p.figure[0].value = 1e-5; /* entropy */
    w = (lu_window){0};
    lu_window_add(&w, &p, 0.0);
    CHECK_HAS(lu_window_warning(&w, &p, game, 0),
              "the entropy has collapsed: the policy always takes the same action; raise the");
    CHECK(lu_window_warning(&w, &p, game, 1) == NULL);

    p = update(1, 100, 1, 1.0);
    p.reward_square = 1.0; /* all rewards are 1, but episodes end */
    w = (lu_window){0};
    lu_window_add(&w, &p, 0.0);
    CHECK(lu_window_warning(&w, &p, game, 0) == NULL);
    p.endings = 0;
    w = (lu_window){0};
    lu_window_add(&w, &p, 0.0);
    CHECK_HAS(lu_window_warning(&w, &p, game, 0),
              "every reward in this window was the same, so there is nothing to");
    p.reward = p.reward_square = 0.0;
    p.endings = 1;
    p.silent = 1;
    w = (lu_window){0};
    lu_window_add(&w, &p, 0.0);
    CHECK_HAS(lu_window_warning(&w, &p, game, 0),
              "every reward in this window was the same, so there is nothing to");
    CHECK_HAS(lu_window_warning(&w, &p, game, 1), "no legal option");

    lu_progress spoke = update(2, 200, 1, 1.0); /* one update in which the head was asked */
    lu_window_add(&w, &spoke, 0.0);
    CHECK(lu_window_warning(&w, &spoke, game, 0) == NULL);
}
