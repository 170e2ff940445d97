/* Leagues: chances, who leaves, what is learned of games, what is kept; and trainings against one:
 * the same on any number of threads and after any stop. */
#include "league.h"
#include "run_files.h"
#include "test.h"

#include "ludus/evaluator.h"
#include "ludus/file.h"
#include "ludus/ppo.h"
#include "ludus/self_play.h"
#include "ludus/training.h"

#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* ---- the league ---- */

TEST(members_are_drawn_by_the_softmax_of_their_qualities) {
    league l = {0};
    league_rules rules = {.size = 3, .rate = 0.01};
    double chance[4];
    league_join(&l, &rules, "a", 0, 10);
    CHECK_NEAR(l.member[0].quality, 1.0, 0.0);
    l.member[0].quality = 2.5;
    league_join(&l, &rules, "b", 1, 20);
    CHECK_NEAR(l.member[1].quality, 2.5, 0.0); /* that of the best */
    l.member[1].quality = 2.5 - log(3.0);
    league_chances(&l, &rules, chance);
    CHECK_NEAR(chance[0], 0.75, 1e-12);
    CHECK_NEAR(chance[1], 0.25, 1e-12);

    /* a won game takes rate / (members x chance); others take nothing */
    lu_opponent_result met[2] = {{.episodes = 9, .wins = 4, .draws = 2}, {.episodes = 5}};
    league_learn(&l, &rules, chance, met);
    CHECK_NEAR(l.member[0].quality, 2.5 - 0.01 * 4 / (2 * 0.75), 1e-12);
    CHECK_NEAR(l.member[1].quality, 2.5 - log(3.0), 0.0);
    CHECK_INT(l.member[0].games, 9);
    CHECK_INT(l.member[0].wins, 4);
    CHECK_INT(l.member[0].draws, 2);

    /* the one that is drawn least leaves, the oldest of equals, never the newcomer */
    league_join(&l, &rules, "c", 2, 30);
    league_join(&l, &rules, "d", 3, 40);
    CHECK_INT(l.count, 3);
    CHECK_TEXT(l.member[1].name, "c");
    CHECK_INT(l.left, 1);
    rules.size = 1;
    league_join(&l, &rules, "e", 4, 50);
    CHECK_INT(l.count, 1);
    CHECK_TEXT(l.member[0].name, "e");
    CHECK_INT(l.left, 4);
    league_free(&l);
}

TEST(members_are_drawn_by_what_they_still_win) {
    league l = {0};
    league_rules rules = {.size = 10, .pfsp = true, .power = 2};
    double chance[3] = {1.0 / 3, 1.0 / 3, 1.0 / 3};
    for (int i = 0; i < 3; i++) {
        league_join(&l, &rules, i == 0 ? "a" : i == 1 ? "b" : "c", i, 0);
    }
    lu_opponent_result met[3] = {
        {.episodes = 99, .wins = 99}, {.episodes = 99, .wins = 40, .draws = 19}, {0}};
    league_learn(&l, &rules, chance, met);
    league_chances(&l, &rules, chance);
    /* points of 0.995, 0.5 and, before the first game, 0.5 */
    double sum = 0.005 * 0.005 + 0.25 + 0.25;
    CHECK_NEAR(chance[0], 0.005 * 0.005 / sum, 1e-12);
    CHECK_NEAR(chance[1], 0.25 / sum, 1e-12);
    CHECK_NEAR(chance[2], 0.25 / sum, 1e-12);
    /* earlier games fade */
    league_learn(&l, &rules, chance, (lu_opponent_result[3]){{0}, {0}, {0}});
    CHECK_NEAR(l.member[0].recent_games, 99 * 0.95, 1e-12);
    CHECK_INT(l.member[0].games, 99);
    league_free(&l);
}

static char *text_of(const league *l, const league_rules *rules) {
    lu_json json = LU_JSON_INIT;
    lu_json_object(&json);
    league_write(l, rules, &json);
    lu_json_object_end(&json);
    return json.text;
}

TEST(what_is_kept_of_a_league_reads_as_it_was) {
    league l = {0}, back = {0};
    league_rules rules = {.size = 50, .rate = 0.03};
    double chance[20];
    lu_error error = {0};
    for (int i = 0; i < 20; i++) {
        char name[40];
        snprintf(name, sizeof name, "run:%d", i);
        league_join(&l, &rules, name, i % 3 ? i : -1, 7 * i);
        league_chances(&l, &rules, chance);
        lu_opponent_result met[20] = {{.episodes = 10, .wins = i % 7}};
        league_learn(&l, &rules, chance, met);
    }
    char *text = text_of(&l, &rules);
    lu_json_document *document = lu_json_read("test", text, strlen(text), &error);
    NEED(document != NULL);
    CHECK_INT(league_read(&back, lu_json_root(document), &error), LU_OK);
    CHECK_INT(back.count, 20);
    CHECK(memcmp(back.member, l.member, 20 * sizeof *l.member) == 0);
    lu_json_close(document);
    league_free(&l);
    league_free(&back);
    free(text);

    static const char *const bad[] = {
        "{}",
        "{\"left\":0,\"members\":[{}]}",
        "{\"left\":0,\"members\":[{\"name\":\"\",\"window\":1,\"joined\":1,\"quality\":1,\"games\":"
        "0,\"wins\":0,\"draws\":0,\"recent_games\":0,\"recent_points\":0}]}",
        "{\"left\":0,\"members\":[{\"name\":\"a\",\"window\":1,\"joined\":1,\"quality\":1,"
        "\"games\":1,\"wins\":2,\"draws\":0,\"recent_games\":0,\"recent_points\":0}]}",
    };
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        document = lu_json_read("test", bad[i], strlen(bad[i]), &error);
        NEED(document != NULL);
        CHECK(league_read(&back, lu_json_root(document), &error) != LU_OK);
        CHECK_INT(back.count, 0);
        lu_json_close(document);
    }
}

/* ---- trainings ---- */

/* The exchange of duel with a net of a few neurons: updates of 96 steps, two a window. */
typedef struct school {
    lu_settings *run, *own;
    lu_text runs;
    int asked, most; /* stops after so many updates */
    bool dies;       /* by SIGKILL instead */
} school;

static void set(lu_settings *settings, const char *pair) {
    lu_error error = {0};
    CHECK_INT(lu_settings_set_pair(settings, pair, LU_FROM_FLAG, "test", &error), LU_OK);
    CHECK_TEXT(error.text, "");
}

static bool stops(void *context, const lu_progress *progress) {
    school *s = context;
    (void)progress;
    bool stop = s->asked++ >= s->most;
    if (stop && s->dies) {
        raise(SIGKILL);
    }
    return stop;
}

static void school_open(school *s, const char *folder, const char *const *more) {
    static const char *const pairs[] = {
        "train.environments=24", "train.horizon=4",   "train.minibatch=32", "net.hidden=8",
        "train.steps=1152",      "exchange.rounds=3", "train.threads=1",    NULL};
    lu_error error = {0};
    const lu_game *game = lu_game_find("duel", NULL);
    *s = (school){.run = lu_settings_new(), .own = lu_game_settings(game), .most = 1000};
    lu_settings_add(s->run, lu_run_table);
    set(s->run, "run.window_env_steps=192");
    lu_settings_add(s->own, lu_net_table);
    lu_settings_add(s->own, lu_ppo_table);
    lu_settings_add(s->own, lu_self_play_table);
    for (int i = 0; pairs[i]; i++) {
        set(s->own, pairs[i]);
    }
    for (; *more; more++) {
        set(s->own, *more);
    }
    CHECK_INT(lu_self_play_settle(s->own, game, "train", &error), LU_OK);
    lu_text_init(&s->runs);
    lu_text_addf(&s->runs, "%s/%s", lu_test_folder(), folder);
}

static void school_close(school *s) {
    lu_settings_delete(s->run);
    lu_settings_delete(s->own);
    lu_text_free(&s->runs);
}

static lu_training *begin(school *s, bool kept, const char *resume, lu_error *error) {
    lu_training_plan plan = {.game = lu_game_find("duel", NULL),
                             .algorithm = lu_algorithm_find("ppo", NULL),
                             .settings = s->own,
                             .version = "0",
                             .commit = "test",
                             .hooks = {.context = s, .stop = stops},
                             .run = kept ? s->run : NULL,
                             .runs = s->runs.text,
                             .resume = resume};
    s->asked = 0;
    return lu_training_open(&plan, error);
}

/* What a run of twelve updates ends with; ids of runs in names are left out. */
typedef struct outcome {
    uint64_t hash;
    char *league;
} outcome;

static void strip_ids(char *text) {
    for (char *at; text && (at = strstr(text, "Z-test-duel"));) {
        char *behind = at + strcspn(at, ":/");
        memmove(at - 15, behind, strlen(behind) + 1); /* "20260131T123456" stands before it */
    }
}

static char *league_of(const char *run) {
    char *text = NULL;
    size_t length;
    lu_error error;
    CHECK_INT(run_load_league(run, &text, &length, &error), LU_OK);
    strip_ids(text);
    return text;
}

/* Trains in sittings of `most` updates each. */
static outcome train(school *s, int most) {
    lu_error error = {0};
    char *path = NULL;
    outcome o = {0};
    for (bool done = false; !done;) {
        s->most = most;
        lu_training *t = begin(s, true, path, &error);
        if (!t || lu_training_go(t, &error) != LU_OK) {
            lu_test_fail(__FILE__, __LINE__, "%s", error.text);
            lu_training_close(t);
            break;
        }
        free(path);
        path = lu_strdup(lu_run_path(lu_training_run(t)));
        done = lu_training_done(t);
        o.hash = lu_trainer_hash(lu_training_trainer(t));
        lu_training_close(t);
    }
    o.league = path ? league_of(path) : NULL;
    free(path);
    return o;
}

static const char *const mixed[] = {"self_play.pure=max(0.25,0.5-u/10)",
                                    "self_play.past=0.25",
                                    "self_play.target=0.2",
                                    "self_play.latest=0.05",
                                    "self_play.targets=bot:mixer",
                                    "self_play.targets=random",
                                    "self_play.past_greedy=0.5",
                                    "self_play.past_delay=0.2*p",
                                    "self_play.delay_draw=uniform",
                                    "league.size=5",
                                    "league.members=bot:noop",
                                    "league.rate=0.1",
                                    NULL};
/* More members than are loaded, drawn by what they still win. */
static const char *const large[] = {"self_play.strategy=past",
                                    "self_play.pure=0.25",
                                    "league.size=4",
                                    "league.loaded=2",
                                    "league.weighting=pfsp",
                                    "net.memory=mingru",
                                    NULL};

static void check_trainings(const char *folder, const char *const *settings) {
    school s;
    school_open(&s, folder, settings);
    outcome whole = train(&s, 1000);
    NEED(whole.league != NULL);
    CHECK_HAS(whole.league, "\"window\":5");
    static const struct {
        const char *threads;
        int most;
    } other[] = {{"train.threads=3", 3}, {"train.threads=8", 7}};
    for (int i = 0; i < 2; i++) {
        set(s.own, other[i].threads);
        outcome parts = train(&s, other[i].most);
        CHECK_HEX(parts.hash, whole.hash);
        CHECK_TEXT(parts.league, whole.league);
        free(parts.league);
    }
    free(whole.league);
    school_close(&s);
}

/* Episodes of one round against members, of five against the newest, of three otherwise; weights
 * that move do so there too. */
static const char *const others[] = {"self_play.pure=max(0.25,0.6-u/20)",
                                     "self_play.past=0.3",
                                     "self_play.latest=0.1",
                                     "self_play.past_game={\"exchange.rounds\":1}",
                                     "self_play.latest_game={\"exchange.rounds\":5}",
                                     "reward.damage_dealt=0.01*p",
                                     "net.memory=mingru",
                                     "train.parts=2",
                                     NULL};

TEST(a_training_against_a_league_goes_on_as_if_it_had_not_been_stopped) {
    check_trainings("mixed", mixed);
    check_trainings("others", others);
    check_trainings("large", large);
}

/* The rules of an environment are those of the player in it, as its infos tell. */
TEST(opponents_may_play_under_settings_of_their_own) {
    static const char *const alone[] = {"self_play.pure=0.25", "self_play.past=0.75",
                                        "self_play.past_game={\"exchange.rounds\":5}", NULL};
    school s;
    lu_error error = {0};
    school_open(&s, "alone", alone);
    lu_training *t = begin(&s, true, NULL, &error);
    NEED(t != NULL);
    lu_trainer *trainer = lu_training_trainer(t);
    int ends[2] = {0}, longest[2] = {0};
    for (int u = 0; u < 6; u++) {
        CHECK_INT(lu_training_update(t, &error), LU_OK);
        for (int e = 0; e < lu_vec_environments(lu_trainer_vec(trainer)); e++) {
            const lu_place *place = lu_vec_place(lu_trainer_vec(trainer), e);
            int rules = lu_vec_rules(lu_trainer_vec(trainer), e), seen = (int)place->decisions;
            CHECK_INT(rules, e >= 6);
            ends[rules] += (int)place->episode;
            longest[rules] = seen > longest[rules] ? seen : longest[rules];
        }
    }
    CHECK(ends[0] > 0 && ends[1] > 0);
    CHECK_INT(longest[0], 2); /* decisions of an episode that goes on */
    CHECK_INT(longest[1], 4);
    lu_training_close(t);
    static const char *const wrong[][2] = {
        {"self_play.past_game=[3]", "it must be a JSON object"},
        {"self_play.past_game={\"x\":1}", "'self_play.past_game': unknown setting 'x'"},
        {"self_play.past_game={\"scripted_opponent\":true,\"exchange.rounds\":0}",
         "must leave its states and"}};
    for (int i = 0; i < 3; i++) {
        lu_text runs = LU_TEXT_INIT;
        set(s.own, wrong[i][0]);
        CHECK(!begin(&s, true, NULL, &error));
        CHECK_HAS(error.text, wrong[i][1]);
        CHECK_INT(lu_run_find(s.runs.text, "latest", NULL, &runs, NULL), LU_OK);
        CHECK(lu_run_newest_window(runs.text) >= 0); /* a run that did not begin is not there */
        lu_text_free(&runs);
    }
    school_close(&s);
}

/* ---- killed, and judged ---- */

static int count_of(const char *text, const char *part) {
    int count = 0;
    for (const char *at = text; (at = strstr(at, part)) != NULL; at++) {
        count++;
    }
    return count;
}

static bool never(void *context) {
    (void)context;
    return false;
}

static void hear(void *context, const lu_evaluation *evaluation) {
    (void)context;
    (void)evaluation;
}

static void hear_note(void *context, const char *sentence) {
    (void)context;
    lu_test_fail(__FILE__, __LINE__, "%s", sentence);
}

/* Judges a run; its last row of matrix and ratings, without ids and date. */
static char *matrix_of(const char *run, size_t *rows) {
    lu_error error = {0};
    lu_evaluator evaluator = {.run = run, .stop = never, .judged = hear, .note = hear_note};
    lu_rows all;
    CHECK_INT(lu_evaluator_follow(&evaluator, &error), LU_OK);
    CHECK_TEXT(error.text, "");
    CHECK_INT(lu_rows_read(run, LU_LEAGUES, &all, &error), LU_OK);
    *rows = all.count;
    lu_json json = LU_JSON_INIT;
    if (all.count > 0) {
        lu_json_value_write(&json, lu_rows_at(&all, all.count - 1));
        char *date = strstr(json.text, "\"date\":");
        memset(date, '-', strlen("\"date\":\"2026-01-31T12:34:56Z\""));
        strip_ids(json.text);
    }
    lu_rows_free(&all);
    return json.text;
}

/* Trains in processes that are killed after so many updates each, the last one aside. */
static void train_killed(school *s, int most) {
    lu_error error = {0};
    lu_text path = LU_TEXT_INIT;
    s->dies = true;
    for (int deaths = 0, status = SIGKILL; status != 0; deaths++) {
        s->most = most;
        pid_t child = fork();
        NEED(child >= 0 && deaths < 50);
        if (child == 0) {
            (void)lu_run_find(s->runs.text, "latest", NULL, &path, &error);
            bool begun = path.length > 0 && lu_run_newest_window(path.text) >= 0;
            lu_training *t = begin(s, true, begun ? path.text : "", &error);
            _exit(t && lu_training_go(t, &error) == LU_OK ? 0 : 1);
        }
        waitpid(child, &status, 0);
        CHECK(status == 0 || (WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL));
        if (status != 0 && !WIFSIGNALED(status)) {
            break;
        }
    }
    s->dies = false;
    lu_text_free(&path);
}

/* Ten bots and a member of each of twelve windows: two have left at the end. */
static const char *const twenty[] = {"self_play.strategy=past",
                                     "self_play.pure=0.25",
                                     "league.size=20",
                                     "league.rate=0.1",
                                     "league.loaded=6",
                                     "league.members=bot:noop",
                                     "league.members=random",
                                     "league.members=bot:mixer",
                                     "league.members=bot:juggler",
                                     "league.members=bot:ace",
                                     "league.members=bot:boxer",
                                     "league.members=bot:striker",
                                     "league.members=bot:reader",
                                     "league.members=bot:brawler",
                                     "league.members=bot:stayalive",
                                     NULL};

/* The hash of the trainer (weights, optimiser, generators, environments), league and matrix of the
 * one run in a folder. */
static outcome judged(school *s, char **matrix) {
    lu_text path = LU_TEXT_INIT, folder = LU_TEXT_INIT;
    lu_error error = {0};
    size_t rows = 0;
    outcome o = {0};
    CHECK_INT(lu_run_find(s->runs.text, "latest", NULL, &path, &error), LU_OK);
    o.league = league_of(path.text);
    *matrix = matrix_of(path.text, &rows);
    CHECK_INT(rows, 12); /* of each window */
    CHECK(run_newest(path.text, &folder));
    lu_json_document *manifest = run_json(folder.text, RUN_MANIFEST, &error);
    const lu_json_value *root = manifest ? lu_json_root(manifest) : NULL;
    const char *hash = lu_json_text(lu_json_get(root, "hash"), NULL);
    o.hash = hash ? strtoull(hash, NULL, 16) : 0;
    lu_json_close(manifest);
    lu_text_free(&path);
    lu_text_free(&folder);
    return o;
}

TEST(a_league_of_twenty_that_is_killed_has_equal_weights_draws_matrix_and_ratings) {
    school s;
    char *matrix, *other;
    school_open(&s, "lived", twenty);
    set(s.run, "run.window_env_steps=96");
    outcome trained = train(&s, 1000), whole = judged(&s, &matrix);
    CHECK_HEX(whole.hash, trained.hash);
    free(trained.league);
    school_close(&s);
    CHECK_INT(count_of(whole.league, "\"name\":"), 20);
    CHECK_INT(count_of(matrix, "\"elo\":"), 20);
    CHECK_INT(count_of(matrix, "\"shares\":"), 20);

    school_open(&s, "killed", twenty);
    set(s.run, "run.window_env_steps=96");
    train_killed(&s, 5);
    outcome killed = judged(&s, &other);
    school_close(&s);
    CHECK_HEX(killed.hash, whole.hash);
    CHECK_TEXT(killed.league, whole.league);
    CHECK_TEXT(other, matrix);
    free(matrix);
    free(other);
    free(whole.league);
    free(killed.league);
}

/* ---- exploiters ---- */

/* Two kinds of exploiters, turns of two updates, from the third on: twelve updates see four turns
 * of three exploiters. */
static const char *const exploited[] = {
    "self_play.strategy=past",  "self_play.pure=0.5",         "league.size=30",
    "league.main_exploiters=2", "league.league_exploiters=1", "league.exploiter_updates=2",
    "league.exploiter_delay=3", "league.exploiter_reset=0.5", NULL};

TEST(exploiters_take_turns_and_join_the_league) {
    school s;
    school_open(&s, "exploited", exploited);
    outcome whole = train(&s, 1000);
    NEED(whole.league != NULL);
    CHECK_HAS(whole.league, "\"exploiters\":{\"turns\":4,\"update\":10,");
    CHECK_INT(count_of(whole.league, "/exploiters/main-1:"), 4);
    CHECK_INT(count_of(whole.league, "/exploiters/main-2:"), 4);
    CHECK_INT(count_of(whole.league, "/exploiters/league-3:"), 4);
    /* cut off anywhere, also within a turn: the hook is asked after updates of exploiters too */
    set(s.own, "train.threads=3");
    for (int most = 3; most <= 7; most += 4) {
        outcome parts = train(&s, most);
        CHECK_HEX(parts.hash, whole.hash);
        CHECK_TEXT(parts.league, whole.league);
        free(parts.league);
    }
    free(whole.league);
    school_close(&s);
}

/* Main exploiters with a delay of their own join later, from their first turn on. */
TEST(main_exploiters_may_wait_longer) {
    school s;
    school_open(&s, "waited", exploited);
    set(s.own, "league.main_exploiter_delay=7");
    outcome whole = train(&s, 1000);
    NEED(whole.league != NULL);
    CHECK_HAS(whole.league, "\"exploiters\":{\"turns\":4,\"update\":10,\"main_waited\":2,");
    CHECK_INT(count_of(whole.league, "/exploiters/main-1:"), 2);
    CHECK_INT(count_of(whole.league, "/exploiters/main-2:0"), 1);
    CHECK_INT(count_of(whole.league, "/exploiters/league-3:"), 4);
    outcome parts = train(&s, 3);
    CHECK_HEX(parts.hash, whole.hash);
    CHECK_TEXT(parts.league, whole.league);
    free(parts.league);
    free(whole.league);
    /* or sooner */
    set(s.own, "league.exploiter_delay=9");
    set(s.own, "league.main_exploiter_delay=0");
    whole = train(&s, 1000);
    NEED(whole.league != NULL);
    CHECK_HAS(whole.league, "\"main_waited\":0,\"league_waited\":4,");
    CHECK_INT(count_of(whole.league, "/exploiters/league-3:"), 1);
    free(whole.league);
    school_close(&s);
}

/* Of its preset all holds but the net; a batch of another size is as many updates. */
TEST(exploiters_train_by_a_preset_of_their_own) {
    school s;
    lu_error error = {0};
    char path[4200], pair[4300];
    static const char preset[] = "{\"train.rate\":0.02,\"train.environments\":4,\"net.hidden\":99,"
                                 "\"train.horizon\":16,\"ticks_max\":77}";
    school_open(&s, "taught", exploited);
    snprintf(path, sizeof path, "%s.json", s.runs.text);
    NEED(lu_file_write(path, preset, sizeof preset - 1, &error) == LU_OK);
    outcome plain = train(&s, 1000);
    snprintf(pair, sizeof pair, "league.main_exploiter_preset=%s", path);
    set(s.own, pair);
    outcome whole = train(&s, 1000), parts = train(&s, 3);
    CHECK(whole.hash != plain.hash);
    CHECK_HEX(parts.hash, whole.hash);
    CHECK_TEXT(parts.league, whole.league);
    CHECK_INT(count_of(whole.league, "/exploiters/main-2:"), 4);
    set(s.own, "league.league_exploiter_preset=missing");
    CHECK(!begin(&s, true, "", &error));
    CHECK_HAS(error.text, "'league.league_exploiter_preset': there is no preset 'missing'");
    free(plain.league);
    free(whole.league);
    free(parts.league);
    school_close(&s);
}

/* An exploiter begins with what it exploits; a net of another shape cannot. */
TEST(a_training_begins_with_a_model) {
    static const char *const alone[] = {"self_play.strategy=pure", NULL};
    school s;
    lu_error error = {0};
    lu_text path = LU_TEXT_INIT;
    char pair[LU_OPPONENT_NAME + 40];
    school_open(&s, "begun", alone);
    s.most = 3;
    lu_training *t = begin(&s, true, "", &error);
    NEED(t != NULL);
    CHECK_INT(lu_training_go(t, &error), LU_OK);
    snprintf(pair, sizeof pair, "self_play.latest_run=%s", lu_run_path(lu_training_run(t)));
    lu_run_window_path(lu_run_path(lu_training_run(t)), 1, &path);
    lu_text_add(&path, "/" RUN_MODEL);
    lu_model_file *model = lu_model_file_load(path.text, &error);
    NEED(model != NULL);
    lu_training_close(t);
    school_close(&s);

    const char *const exploits[] = {"self_play.strategy=exploiter", pair, NULL};
    school_open(&s, "begun", exploits);
    t = begin(&s, true, "", &error);
    NEED(t != NULL);
    lu_net *net = lu_trainer_net(lu_training_trainer(t));
    CHECK(memcmp(lu_net_block(net), lu_net_block(model->net),
                 lu_net_parameters(net) * sizeof(float)) == 0);
    CHECK(lu_trainer_normaliser(lu_training_trainer(t))->count == model->observation.count);
    lu_training_close(t);
    set(s.own, "net.hidden=16");
    CHECK(begin(&s, true, "", &error) == NULL);
    CHECK_HAS(error.text, "its net has a different shape from net.* and");
    school_close(&s);
    lu_model_file_delete(model);
    lu_text_free(&path);
}

TEST(exploiters_without_a_league_are_refused) {
    static const char *const wrong[][2] = {
        {"league.main_exploiters=1", "'self_play.past'"},
        {"self_play.strategy=exploiter", "'self_play.latest_run'"},
        {"self_play.strategy=past", "leaves the league empty"},
        {"league.main_exploiters=1", "keeps its members"},
    };
    const lu_game *game = lu_game_find("duel", NULL);
    for (int i = 0; i < 4; i++) {
        lu_error error = {0};
        lu_settings *own = lu_game_settings(game);
        lu_settings_add(own, lu_ppo_table);
        lu_settings_add(own, lu_self_play_table);
        set(own, wrong[i][0]);
        if (i > 1) {
            set(own, "league.grows=false");
            set(own, "self_play.past=1");
        }
        CHECK_INT(lu_self_play_settle(own, game, "train", &error), LU_BAD_VALUE);
        CHECK_HAS(error.text, wrong[i][1]);
        lu_settings_delete(own);
    }
}

/* What earlier checkpoints of another run did to it is no business of this one. */
TEST(the_newest_of_another_run_is_an_opponent) {
    static const char *const alone[] = {"self_play.strategy=pure", NULL};
    school s;
    lu_error error = {0};
    school_open(&s, "other", alone);
    s.most = 3;
    lu_training *t = begin(&s, true, "", &error);
    NEED(t != NULL);
    CHECK_INT(lu_training_go(t, &error), LU_OK);
    char *path = lu_strdup(lu_run_path(lu_training_run(t)));
    lu_training_close(t);
    school_close(&s);

    char pair[LU_OPPONENT_NAME + 40];
    snprintf(pair, sizeof pair, "self_play.latest_run=%s", path);
    const char *const against[] = {"self_play.strategy=latest", pair, NULL};
    school_open(&s, "against", against);
    outcome whole = train(&s, 1000), parts = train(&s, 4);
    CHECK_HAS(whole.league, "other/:0\",\"points\"");
    CHECK_HEX(parts.hash, whole.hash);
    CHECK_TEXT(parts.league, whole.league);
    free(whole.league);
    free(parts.league);
    free(path);
    school_close(&s);
}

TEST(a_league_that_cannot_be_is_refused) {
    static const char *const past[] = {"self_play.past=1", NULL};
    static const char *const named[] = {"self_play.past=1", "league.members=nobody", NULL};
    school s;
    lu_error error = {0};
    school_open(&s, "refused", past);
    CHECK(begin(&s, false, NULL, &error) == NULL); /* nothing is kept that could join */
    CHECK_HAS(error.text, "'league.members'");
    school_close(&s);
    school_open(&s, "refused", named);
    CHECK(begin(&s, true, "", &error) == NULL);
    CHECK_HAS(error.text, "nobody");
    CHECK(!lu_file_exists(s.runs.text)); /* no run is left behind */
    school_close(&s);
}

/* A model that a league needs to go on is gone, or its file is not what was written. */
TEST(a_damaged_league_does_not_go_on) {
    school s;
    lu_error error = {0};
    lu_text path = LU_TEXT_INIT;
    school_open(&s, "damaged", large);
    s.most = 4;
    lu_training *t = begin(&s, true, "", &error);
    NEED(t != NULL);
    CHECK_INT(lu_training_go(t, &error), LU_OK);
    char *run = lu_strdup(lu_run_path(lu_training_run(t)));
    lu_training_close(t);
    lu_run_window_path(run, 1, &path);
    lu_text_add(&path, "/" RUN_LEAGUE);
    lu_file_write(path.text, "{}", 2, NULL);
    CHECK(begin(&s, true, run, &error) == NULL);
    CHECK_INT(error.status, LU_DAMAGED_FILE);
    CHECK_HAS(error.text, RUN_LEAGUE);
    remove(path.text);
    CHECK(begin(&s, true, run, &error) == NULL);
    CHECK_HAS(error.text, RUN_LEAGUE);
    free(run);
    lu_text_free(&path);
    school_close(&s);
}
