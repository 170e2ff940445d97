/* Matches: results by player, sides exchanged on equal seeds, threads, stops and records. */
#include "ludus/report.h"

#include "eval_test.h"
#include "ludus/file.h"
#include "ludus/win_rate.h"

#include <math.h>

/* Everything that a match gives, as text. */
static char *told(const lu_match *m) {
    lu_json json = LU_JSON_INIT;
    lu_json_object(&json);
    lu_match_write(m, &json);
    lu_match_write_each(m, &json);
    lu_json_object_end(&json);
    return json.text;
}

TEST(threads_change_nothing) {
    stage s;
    NEED(stage_open(&s, "duet", 2));
    lu_match m[2];
    char *text[2];
    lu_error error = {0};
    for (int i = 0; i < 2; i++) {
        m[i] = (lu_match){.episode = &s.episode,
                          .player = {&s.agent[0], &s.agent[1]},
                          .seatings = 2,
                          .first_seed = 7,
                          .episodes = 60,
                          .threads = i ? 3 : 1};
        CHECK_INT(lu_match_play_to(&m[i], i ? 60 : 24, &error), LU_OK);
        CHECK_INT(m[i].played, i ? 60 : 24);
        CHECK_INT(lu_match_play(&m[i], &error), LU_OK); /* goes on */
        text[i] = told(&m[i]);
    }
    CHECK_TEXT(text[1], text[0]);
    for (int i = 0; i < 2; i++) {
        free(text[i]);
        lu_match_free(&m[i]);
    }
    stage_close(&s);
}

/* The points of duet are zero-sum, its chance is the prize alone: what A does in a seat depends on
 * the seat and on B, not on the seating it belongs to. */
TEST(sides_are_exchanged_on_equal_seeds) {
    stage s;
    NEED(stage_open(&s, "duet", 1));
    lu_player bot;
    lu_error error = {0};
    NEED(lu_player_bot(&bot, "", s.episode.game, &error) == LU_OK);
    lu_match plain = {.episode = &s.episode,
                      .player = {&s.agent[0], &bot},
                      .first_seed = 100,
                      .episodes = 30,
                      .threads = 1};
    lu_match other = plain, both = plain, behind = plain;
    other.player[0] = &bot;
    other.player[1] = &s.agent[0];
    behind.seat = 1;
    both.seatings = 2;
    both.episodes = 60;
    CHECK_INT(lu_match_play(&plain, &error), LU_OK);
    CHECK_INT(lu_match_play(&other, &error), LU_OK);
    CHECK_INT(lu_match_play(&both, &error), LU_OK);
    CHECK_INT(lu_match_play(&behind, &error), LU_OK);
    int differ = 0;
    for (int e = 0; e < 30; e++) {
        CHECK_INT(lu_match_seed(&both, 2 * e), 100 + e);
        CHECK_INT(lu_match_seed(&both, 2 * e + 1), 100 + e);
        CHECK_INT(lu_match_seat(&both, 2 * e, 0), 0);
        CHECK_INT(lu_match_seat(&both, 2 * e + 1, 0), 1);
        CHECK_NEAR(lu_match_return(&both, 2 * e, 0), lu_match_return(&plain, e, 0), 0);
        CHECK_NEAR(lu_match_return(&both, 2 * e, 1), lu_match_return(&plain, e, 1), 0);
        CHECK_NEAR(lu_match_return(&both, 2 * e + 1, 0), lu_match_return(&other, e, 1), 0);
        CHECK_INT(lu_match_seat(&behind, e, 0), 1);
        CHECK_NEAR(lu_match_return(&behind, e, 0), lu_match_return(&other, e, 1), 0);
        CHECK_NEAR(lu_match_return(&behind, e, 1), lu_match_return(&other, e, 0), 0);
        CHECK_NEAR(lu_match_return(&both, e, 0) + lu_match_return(&both, e, 1), 0, 1e-9);
        differ += lu_match_return(&plain, e, 0) != lu_match_return(&other, e, 1);
    }
    CHECK(differ > 5);
    lu_match_free(&plain);
    lu_match_free(&other);
    lu_match_free(&both);
    lu_match_free(&behind);
    stage_close(&s);
}

TEST(the_expert_wins_from_either_seat) {
    stage s;
    NEED(stage_open(&s, "turns", 0));
    lu_player expert, any;
    lu_error error = {0};
    NEED(lu_player_bot(&expert, "expert", s.episode.game, &error) == LU_OK);
    NEED(lu_player_bot(&any, "random", s.episode.game, &error) == LU_OK);
    lu_match m = {.episode = &s.episode,
                  .player = {&expert, &any},
                  .seatings = 2,
                  .first_seed = 1,
                  .episodes = 80};
    CHECK_INT(lu_match_play(&m, &error), LU_OK);
    lu_match_figure own[LU_MATCH_FIGURES], theirs[LU_MATCH_FIGURES];
    lu_match_figures(&m, 0, own);
    lu_match_figures(&m, 1, theirs);
    CHECK(lu_match_summary(&own[0], 80).mean > 0.7);
    CHECK_NEAR(lu_match_summary(&own[0], 80).mean, -lu_match_summary(&theirs[0], 80).mean, 1e-12);
    lu_match_free(&m);
    stage_close(&s);
}

typedef struct watcher {
    int asked, told, most;
} watcher;

static bool stop(void *context) {
    return ((watcher *)context)->asked++ >= ((watcher *)context)->most;
}

static void progress(void *context, const lu_match *m) {
    ((watcher *)context)->told = m->played;
}

TEST(a_match_can_be_stopped) {
    stage s;
    NEED(stage_open(&s, "duet", 0));
    lu_player any = {.kind = LU_PLAYER_BOT, .name = "any", .bot = &lu_bot_random};
    lu_error error = {0};
    watcher w = {.most = 200};
    lu_match m = {.episode = &s.episode,
                  .player = {&any},
                  .first_seed = 1,
                  .episodes = 1000,
                  .threads = 1,
                  .context = &w,
                  .stop = stop,
                  .progress = progress};
    CHECK_INT(lu_match_play(&m, &error), LU_INTERRUPTED);
    CHECK(w.told > 0 && w.told < 1000);
    CHECK_INT(m.played, w.told);
    lu_match_free(&m);
    stage_close(&s);
}

TEST(records_are_those_of_the_episodes) {
    stage s;
    NEED(stage_open(&s, "duet", 2));
    char folder[600];
    lu_error error = {0};
    lu_text path = LU_TEXT_INIT;
    snprintf(folder, sizeof folder, "%s/records", lu_test_folder());
    lu_match m = {.episode = &s.episode,
                  .player = {&s.agent[0], &s.agent[1]},
                  .seatings = 2,
                  .record = folder,
                  .first_seed = 40,
                  .episodes = 4};
    CHECK_INT(lu_match_play(&m, &error), LU_OK);
    for (int e = 0; e < 4; e++) {
        lu_text_clear(&path);
        lu_match_replay(&m, e, &path);
        lu_replay *replay = lu_replay_open(path.text, &error);
        NEED(replay);
        CHECK_INT(replay->seed, 40 + e / 2);
        CHECK_INT(replay->decisions, (int64_t)m.decisions[e]);
        lu_replay_close(replay);
    }
    CHECK_HAS(path.text, "/41-1.ludus");
    lu_text_free(&path);
    lu_match_free(&m);
    stage_close(&s);
}

/* A predictor that says one half everywhere misses a win and a loss by a quarter; one that says the
 * same to everybody is told as such. */
TEST(what_a_predictor_says_is_held_against_what_came) {
    stage s;
    NEED(stage_open(&s, "turns", 2));
    int numbers = lu_game_observation_length(s.episode.game);
    s.file[0].win_rate = lu_alloc_zero(lu_win_rate_count(numbers), sizeof(float));
    for (int i = 0; i < 2; i++) {
        /* the bias of winning: log odds of 1/2, then of 3/4 */
        s.file[0].win_rate[lu_win_rate_count(numbers) - 2] = i ? logf(3.0f) : 0.0f;
        lu_match m = {.episode = &s.episode,
                      .player = {&s.agent[0], &s.agent[1]},
                      .seatings = 2,
                      .first_seed = 7,
                      .episodes = 20,
                      .threads = 1};
        lu_error error = {0};
        CHECK_INT(lu_match_play(&m, &error), LU_OK);
        NEED(m.win_rate != NULL);
        int won = lu_game_info_index(s.episode.game, "won");
        for (int e = 0; e < m.episodes; e++) {
            double own = lu_match_info(&m, e, 0)[won], other = lu_match_info(&m, e, 1)[won];
            double came = own > 0 ? 1 : other > 0 ? 0 : 0.5, p = i ? 0.75 : 0.5;
            CHECK_NEAR(m.win_rate[e], p, 1e-6);
            CHECK_NEAR(m.win_miss[e], (p - came) * (p - came), 1e-6);
        }
        char *text = told(&m);
        CHECK_HAS(text, "\"win_rate\":{\"mean\":{");
        free(text);
        lu_match_free(&m);
    }
    free(s.file[0].win_rate);
    s.file[0].win_rate = NULL;
    stage_close(&s);
}
