/* Sweeps: spaces and what is refused, the search on functions whose best point is known, rungs,
 * going on after a crash, and trials that train. */
#include "sweep_internal.h"
#include "test.h"

#include "ludus/file.h"
#include "ludus/math.h"
#include "ludus/ppo.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- spaces ---- */

static lu_settings *settings_of(const char *name) {
    const lu_game *game = lu_game_find(name, NULL);
    lu_settings *settings = lu_game_settings(game);
    lu_settings_add(settings, lu_ppo_table);
    lu_settings_add(settings, lu_net_table);
    return settings;
}

static const char four[] = "{\"train.rate\":{\"min\":1e-4,\"max\":1e-1,\"scale\":\"log\","
                           "\"form\":\"cosine({},0)\"},"
                           "\"train.gamma\":{\"min\":0.9,\"max\":1},"
                           "\"train.epochs\":{\"min\":1,\"max\":4,\"scale\":\"int\"},"
                           "\"net.activation\":{\"options\":[\"relu\",\"tanh\"]}}";

static lu_space *space_of(const char *json, lu_error *error) {
    lu_settings *settings = settings_of("cartpole");
    lu_space *space = lu_space_text("json", "space.json", json, strlen(json), settings, error);
    lu_settings_delete(settings);
    return space;
}

static void check_value(const lu_space *space, const char *key, double place, const char *want) {
    lu_text text = LU_TEXT_INIT;
    for (int d = 0; d < lu_space_count(space); d++) {
        if (strcmp(lu_space_key(space, d), key) == 0) {
            lu_space_value(space, d, place, &text);
        }
    }
    CHECK_TEXT(text.text, want);
    lu_text_free(&text);
}

TEST(a_space_gives_values) {
    lu_error error;
    lu_space *space = space_of(four, &error);
    NEED(space != NULL);
    CHECK_INT(lu_space_count(space), 4);
    check_value(space, "train.rate", 0.0, "cosine(0.0001,0)");
    check_value(space, "train.rate", 1.0 / 3.0, "cosine(0.001,0)");
    check_value(space, "train.gamma", 0.25, "0.925");
    check_value(space, "train.epochs", 0.0, "1");
    check_value(space, "train.epochs", 0.2499, "1");
    check_value(space, "train.epochs", 0.2501, "2");
    check_value(space, "train.epochs", 0.9999, "4");
    check_value(space, "net.activation", 0.4999, "relu");
    check_value(space, "net.activation", 0.5, "tanh");
    lu_space_delete(space);
}

TEST(a_space_reads_the_same_from_every_format) {
    static const char ini[] = "[train.rate]\nmin = 1e-4\nmax = 1e-1\nscale = log\n"
                              "form = cosine({},0)\n[train.gamma]\nmin = 0.9\nmax = 1\n"
                              "[train.epochs]\nmin = 1\nmax = 4\nscale = int\n"
                              "[net.activation]\noptions = relu\noptions = tanh\n";
    static const char yml[] = "train:\n  rate: {min: 1e-4, max: 1e-1, scale: log, form: "
                              "\"cosine({},0)\"}\n  gamma: {min: 0.9, max: 1}\n"
                              "  epochs: {min: 1, max: 4, scale: int}\n"
                              "net.activation.options: [relu, tanh]\n";
    const struct {
        const char *kind, *text;
    } forms[] = {{"json", four}, {"ini", ini}, {"yml", yml}};
    lu_settings *settings = settings_of("cartpole");
    lu_json first = LU_JSON_INIT, other = LU_JSON_INIT;
    for (int i = 0; i < 3; i++) {
        lu_error error = {0};
        lu_space *space = lu_space_text(forms[i].kind, "space", forms[i].text,
                                        strlen(forms[i].text), settings, &error);
        if (!space) {
            lu_test_fail(__FILE__, __LINE__, "%s: %s", forms[i].kind, error.text);
            continue;
        }
        lu_json_clear(&other);
        lu_space_write(space, i ? &other : &first);
        CHECK_TEXT(i ? other.text : first.text, first.text);
        lu_space_delete(space);
    }
    lu_json_free(&first);
    lu_json_free(&other);
    lu_settings_delete(settings);
}

TEST(bad_spaces_are_refused_in_a_sentence) {
    static const struct {
        const char *json, *says;
    } bad[] = {
        {"{}", "no setting varies"},
        {"{\"train.rte\":{\"min\":0,\"max\":1}}", "train.r"},
        {"{\"train.rate\":{\"min\":0.1}}", "needs min and max"},
        {"{\"train.rate\":{\"scale\":\"log\"}}", "needs min and max"},
        {"{\"train.rate\":{\"min\":0.1,\"max\":0.1}}", "is not above"},
        {"{\"train.rate\":{\"min\":0,\"max\":0.1,\"scale\":\"log\"}}", "above 0"},
        {"{\"train.rate\":{\"min\":0.1,\"max\":11}}", "largest allowed value 10"},
        {"{\"train.rate\":{\"min\":0.1,\"max\":1,\"scale\":\"cubic\"}}", "cubic"},
        {"{\"train.rate\":{\"min\":0.1,\"max\":1,\"form\":\"cosine(1,0)\"}}", "{} once"},
        {"{\"train.rate\":{\"min\":0.1,\"max\":1,\"form\":\"cosine({},{})\"}}", "{} once"},
        {"{\"train.rate\":{\"min\":0.1,\"max\":1,\"form\":\"sine({})\"}}", "sine"},
        {"{\"train.epochs\":{\"min\":1.5,\"max\":4}}", "integers"},
        {"{\"net.activation\":{\"options\":[\"relu\"]}}", "at least two"},
        {"{\"net.activation\":{\"options\":[\"relu\",\"elu\"]}}", "elu"},
        {"{\"net.activation\":{\"min\":1,\"max\":2}}", "net.activation.m"},
        {"{\"train.rate\":{\"min\":0.1,\"max\":1,\"options\":[\"1\",\"2\"]}}", "both"},
        {"[1]", "space.json"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        lu_error error = {0};
        lu_space *space = space_of(bad[i].json, &error);
        if (space) {
            lu_test_fail(__FILE__, __LINE__, "accepted: %s", bad[i].json);
        }
        CHECK_HAS(error.text, bad[i].says);
        lu_space_delete(space);
    }
}

/* ---- the search ---- */

/* Six settings, of which three numbers and one list matter. */
static const char six[] = "{\"train.rate\":{\"min\":1e-4,\"max\":1e-1,\"scale\":\"log\"},"
                          "\"train.gamma\":{\"min\":0,\"max\":1},"
                          "\"train.lambda\":{\"min\":0,\"max\":1},"
                          "\"train.clip\":{\"min\":0,\"max\":1},"
                          "\"net.memory\":{\"options\":[\"none\",\"mingru\",\"lstm\"]},"
                          "\"train.entropy\":{\"min\":0,\"max\":1}}";

/* A smooth hill with its top, 0, at a known place; dimensions are in the order of the tables. */
static double hill(const lu_space *space, const lu_trial *t) {
    double score = 0.0;
    for (int d = 0; d < space->count; d++) {
        const char *key = space->dimension[d].key;
        double x = t->place[d];
        if (strcmp(key, "train.rate") == 0) {
            score -= 4.0 * (x - 0.7) * (x - 0.7);
        } else if (strcmp(key, "train.gamma") == 0) {
            score -= 2.0 * (x - 0.2) * (x - 0.2);
        } else if (strcmp(key, "train.lambda") == 0) {
            score -= (x - 0.9) * (x - 0.9);
        } else if (space->dimension[d].options) {
            score -= space_option(&space->dimension[d], x) == 1 ? 0.0 : 0.3;
        }
    }
    return score;
}

static double best_of(const lu_space *space, const lu_sweep_plan *plan, int count) {
    lu_trial *trials = lu_alloc_zero((size_t)count, sizeof *trials);
    for (int i = 0; i < count; i++) {
        lu_sweep_propose(space, plan, trials, i, &trials[i]);
        trials[i].score = hill(space, &trials[i]);
        trials[i].cost = 1.0;
    }
    double best = trials[lu_sweep_best(trials, count)].score;
    free(trials);
    return best;
}

TEST(windows_beat_random_draws) {
    enum { SEEDS = 40, TRIALS = 50 };
    lu_error error;
    lu_space *space = space_of(six, &error);
    NEED(space != NULL);
    double mean[2] = {0.0, 0.0};
    int wins = 0;
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        double found[2];
        for (int random = 0; random < 2; random++) {
            lu_sweep_plan plan = {
                .seed = seed, .start = 10, .random = random, .cost = LU_COST_STEPS};
            found[random] = best_of(space, &plan, TRIALS);
            mean[random] += found[random] / SEEDS;
        }
        wins += found[0] > found[1];
    }
    printf("    short of the top: %.4f, by random draws %.4f; better on %d of %d seeds\n", -mean[0],
           -mean[1], wins, SEEDS);
    CHECK(-mean[0] < 0.5 * -mean[1]);
    CHECK(wins >= SEEDS * 3 / 4);
    lu_space_delete(space);
}

TEST(proposals_depend_on_seed_and_trials_alone) {
    lu_error error;
    lu_space *space = space_of(six, &error);
    NEED(space != NULL);
    lu_sweep_plan plan = {.seed = 3, .start = 4};
    lu_trial trials[12], again, other;
    for (int i = 0; i < 12; i++) {
        lu_sweep_propose(space, &plan, trials, i, &trials[i]);
        lu_sweep_propose(space, &plan, trials, i, &again);
        CHECK(memcmp(&again, &trials[i], sizeof again) == 0);
        trials[i].score = hill(space, &trials[i]);
        trials[i].cost = 1.0;
        for (int d = 0; d < space->count; d++) {
            CHECK(trials[i].place[d] >= 0.0 && trials[i].place[d] < 1.0);
        }
    }
    plan.seed = 4;
    lu_sweep_propose(space, &plan, trials, 11, &other);
    CHECK(memcmp(other.place, trials[11].place, sizeof other.place) != 0);
    CHECK(other.seed != trials[11].seed);
    lu_space_delete(space);
}

/* So ranks may train a round side by side, and a sweep that was stopped inside of one goes on. */
TEST(trials_of_a_round_know_nothing_of_each_other) {
    lu_error error;
    lu_space *space = space_of(six, &error);
    NEED(space != NULL);
    lu_sweep_plan plan = {.seed = 3, .start = 4, .together = 3};
    lu_trial trials[9], before[3];
    CHECK(lu_sweep_known(&plan, 5) == 3 && lu_sweep_known(&plan, 6) == 6);
    for (int i = 0; i < 9; i++) {
        if (i % 3 == 0) {
            for (int k = 0; k < 3; k++) {
                lu_sweep_propose(space, &plan, trials, i + k, &before[k]);
            }
        }
        lu_sweep_propose(space, &plan, trials, i, &trials[i]);
        CHECK(memcmp(&before[i % 3], &trials[i], sizeof trials[i]) == 0);
        CHECK(i % 3 == 0 || memcmp(trials[i].place, trials[i - 1].place, sizeof trials[i].place));
        trials[i].score = hill(space, &trials[i]);
        trials[i].cost = 1.0;
    }
    lu_space_delete(space);
}

/* A setting that only costs, tenfold over its range: with costs in view it stays low. */
TEST(dear_trials_are_shunned) {
    enum { SEEDS = 20, TRIALS = 40 };
    lu_error error;
    lu_space *space = space_of(six, &error);
    NEED(space != NULL);
    double mean[2] = {0.0, 0.0};
    for (int blind = 0; blind < 2; blind++) {
        for (uint64_t seed = 0; seed < SEEDS; seed++) {
            lu_sweep_plan plan = {
                .seed = seed, .start = 10, .cost = blind ? LU_COST_NONE : LU_COST_STEPS};
            lu_trial trials[TRIALS];
            for (int i = 0; i < TRIALS; i++) {
                lu_sweep_propose(space, &plan, trials, i, &trials[i]);
                trials[i].score = hill(space, &trials[i]);
                for (int d = 0; d < space->count; d++) {
                    if (strcmp(space->dimension[d].key, "train.entropy") == 0) {
                        trials[i].cost = pow(10.0, trials[i].place[d]);
                    }
                }
                mean[blind] += i < 10 ? 0.0 : trials[i].cost / (SEEDS * (TRIALS - 10));
            }
        }
    }
    printf("    mean cost: %.2f, %.2f without a view of costs\n", mean[0], mean[1]);
    CHECK(mean[0] < 0.75 * mean[1]);
    lu_space_delete(space);
}

/* ---- rungs ---- */

/* Score of a trial after a share of its steps: rises to its end, with a wobble of its own. */
static double on_the_way(double end, double share, lu_rng *rng) {
    return end - exp(-4.0 * share) + 0.02 * (lu_rng_unit(rng) - 0.5);
}

/* Random trials with or without rungs; returns the number of the winner. */
static int climb(const lu_space *space, double keep, uint64_t seed, int count, double *steps) {
    lu_sweep_plan plan = {.seed = seed, .random = true, .rungs = 3, .keep = keep};
    lu_trial *trials = lu_alloc_zero((size_t)count, sizeof *trials);
    *steps = 0.0;
    for (int i = 0; i < count; i++) {
        lu_trial *t = &trials[i];
        lu_sweep_propose(space, &plan, trials, i, t);
        lu_rng rng = lu_rng_from(t->seed);
        double end = hill(space, t), share = 1.0;
        t->score = end;
        for (int rung = 0; rung < plan.rungs; rung++) {
            t->rungs = rung + 1;
            t->rung[rung] = on_the_way(end, lu_sweep_rung_at(&plan, rung), &rng);
            if (!lu_sweep_goes_on(&plan, trials, i, rung, t->rung[rung])) {
                t->state = LU_TRIAL_PRUNED;
                t->score = t->rung[rung];
                share = lu_sweep_rung_at(&plan, rung);
                break;
            }
        }
        *steps += share;
    }
    int best = lu_sweep_best(trials, count);
    free(trials);
    return best;
}

TEST(rungs_save_steps_and_keep_the_winner) {
    enum { SEEDS = 20, TRIALS = 60 };
    lu_error error;
    lu_space *space = space_of(six, &error);
    NEED(space != NULL);
    double all, median, third, saved[2] = {0.0, 0.0};
    int kept = 0;
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        int winner = climb(space, 1.0, seed, TRIALS, &all);
        CHECK_NEAR(all, TRIALS, 1e-9); /* a share of 1 gives up none */
        kept += climb(space, 0.5, seed, TRIALS, &median) == winner;
        climb(space, 1.0 / 3.0, seed, TRIALS, &third);
        saved[0] += median / (SEEDS * TRIALS);
        saved[1] += third / (SEEDS * TRIALS);
    }
    printf("    steps: %.2f with the median, %.2f with the best third; winner kept %d of %d\n",
           saved[0], saved[1], kept, SEEDS);
    CHECK(saved[0] < 0.6);
    CHECK(saved[1] < saved[0]);
    CHECK(kept >= SEEDS - 1);
    lu_space_delete(space);
}

TEST(rungs_lie_at_halves) {
    lu_sweep_plan plan = {.rungs = 3, .keep = 0.5};
    CHECK(lu_sweep_rung_at(&plan, 0) == 0.125);
    CHECK(lu_sweep_rung_at(&plan, 2) == 0.5);
    /* four trials were there before: above their median goes on, below does not */
    lu_trial trials[5];
    for (int i = 0; i < 5; i++) {
        trials[i] = (lu_trial){.number = i, .rungs = 1, .rung = {i}};
    }
    CHECK(lu_sweep_goes_on(&plan, trials, 3, 0, -9.0)); /* too few to judge by */
    CHECK(!lu_sweep_goes_on(&plan, trials, 5, 0, 0.5));
    CHECK(!lu_sweep_goes_on(&plan, trials, 5, 0, 1.5));
    CHECK(lu_sweep_goes_on(&plan, trials, 5, 0, 2.5));
    CHECK(lu_sweep_goes_on(&plan, trials, 5, 1, -9.0)); /* nobody was at the next one */
}

/* ---- the folder ---- */

static lu_sweep_plan plan_of(uint64_t seed) {
    return (lu_sweep_plan){.game = lu_game_find("cartpole", NULL),
                           .algorithm = "ppo",
                           .metric = "return",
                           .settings = "{\"net.hidden\":8}",
                           .seed = seed,
                           .steps = 1000,
                           .start = 4,
                           .rungs = 2,
                           .keep = 0.5,
                           .cost = LU_COST_STEPS};
}

/* Adds trials on the hill until there are `count`. */
static void add_trials(lu_sweep *s, const lu_space *space, const lu_sweep_plan *plan, int count) {
    while (lu_sweep_count(s) < count) {
        lu_trial t;
        lu_error error;
        lu_sweep_propose(space, plan, lu_sweep_trials(s), lu_sweep_count(s), &t);
        t.score = hill(space, &t);
        t.state = t.number % 5 == 3   ? LU_TRIAL_FAILED
                  : t.number % 5 == 4 ? LU_TRIAL_PRUNED
                                      : LU_TRIAL_DONE;
        t.rungs = t.state == LU_TRIAL_FAILED ? 0 : 2;
        t.rung[0] = t.score - 0.123456789012345;
        t.rung[1] = t.score / 3.0;
        t.cost = 1.0 + t.place[0];
        t.steps = 1000;
        t.seconds = 0.1;
        NEED(lu_sweep_add(s, &t, "for a test", &error) == LU_OK);
    }
}

static char *folder_of(const char *name) {
    lu_text path = LU_TEXT_INIT;
    lu_text_addf(&path, "%s/%s", lu_test_folder(), name);
    return lu_text_take(&path);
}

static char *bytes_of(const char *folder, const char *file, size_t *length) {
    char path[600], *bytes = NULL;
    lu_error error;
    snprintf(path, sizeof path, "%s/%s", folder, file);
    if (lu_file_read(path, 1 << 24, &bytes, length, &error) != LU_OK) {
        lu_test_fail(__FILE__, __LINE__, "%s", error.text);
    }
    return bytes;
}

static void append(const char *folder, const char *text) {
    char path[600];
    snprintf(path, sizeof path, "%s/trials.jsonl", folder);
    FILE *file = fopen(path, "ab");
    NEED(file != NULL);
    fputs(text, file);
    fclose(file);
}

TEST(a_killed_sweep_goes_on_as_if_it_had_not_been) {
    lu_error error = {0};
    lu_space *space = space_of(six, &error);
    lu_sweep_plan plan = plan_of(7);
    char *whole = folder_of("whole"), *torn = folder_of("torn");
    lu_sweep *s = lu_sweep_open(whole, space, &plan, &error);
    NEED(s != NULL);
    add_trials(s, space, &plan, 20);
    lu_sweep_close(s);

    s = lu_sweep_open(torn, space, &plan, &error);
    NEED(s != NULL);
    add_trials(s, space, &plan, 9);
    lu_sweep_close(s);
    append(torn, "{\"trial\":9,\"seed\":123,\"sta");
    s = lu_sweep_open(torn, space, &plan, &error);
    NEED(s != NULL);
    CHECK_INT(lu_sweep_count(s), 9);
    add_trials(s, space, &plan, 20);
    lu_sweep_close(s);

    size_t a, b;
    char *first = bytes_of(whole, "trials.jsonl", &a), *second = bytes_of(torn, "trials.jsonl", &b);
    CHECK(a == b && memcmp(first, second, a) == 0);
    free(first);
    free(second);
    lu_sweep_result r;
    NEED(lu_sweep_read(torn, &r, &error) == LU_OK);
    CHECK_INT(r.trials, 20);
    CHECK_INT(r.failed, 4);
    CHECK_INT(r.pruned, 4);
    CHECK_INT(r.steps, 20000);
    CHECK_TEXT(r.game, "cartpole-v1");
    CHECK_TEXT(r.settings, "{\"net.hidden\":8}");
    CHECK_HAS(r.values, "\"train.rate\":");
    lu_sweep_result_free(&r);
    free(whole);
    free(torn);
    lu_space_delete(space);
}

TEST(a_folder_of_something_else_is_refused) {
    lu_error error = {0};
    lu_space *space = space_of(six, &error), *other = space_of(four, &error);
    lu_sweep_plan plan = plan_of(1), changed = plan_of(2);
    char *folder = folder_of("mine");
    lu_sweep_result r;
    CHECK_INT(lu_sweep_read(folder, &r, &error), LU_NOT_FOUND);
    lu_sweep *s = lu_sweep_open(folder, space, &plan, &error);
    NEED(s != NULL);
    CHECK(!lu_sweep_open(folder, space, &plan, &error) && error.status == LU_BUSY);
    lu_sweep_close(s);
    CHECK_INT(lu_sweep_read(folder, &r, &error), LU_NOT_FOUND);
    CHECK_HAS(error.text, "no trial");

    CHECK(!lu_sweep_open(folder, space, &changed, &error) && error.status == LU_OTHER_SPEC);
    CHECK_HAS(error.text, "'seed' differs");
    CHECK(!lu_sweep_open(folder, other, &plan, &error) && error.status == LU_OTHER_SPEC);
    CHECK_HAS(error.text, "'space' differs");
    append(folder, "{\"trial\":0}\n");
    CHECK(!lu_sweep_open(folder, space, &plan, &error) && error.status == LU_DAMAGED_FILE);
    CHECK_HAS(error.text, "line 1");
    free(folder);
    lu_space_delete(space);
    lu_space_delete(other);
}

/* ---- trials that train ---- */

static bool never(void *context, double share, double score) {
    (void)score;
    *(double *)context = share;
    return false;
}

static bool at_once(void *context, double share, double score) {
    (void)context;
    (void)share;
    (void)score;
    return true;
}

TEST(a_trial_trains) {
    lu_error error = {0}, why = {0};
    lu_settings *settings = settings_of("cartpole");
    lu_space *space = space_of("{\"train.rate\":{\"min\":1e-4,\"max\":1e-2,\"scale\":\"log\"},"
                               "\"train.segment\":{\"options\":[\"0\",\"5\"]}}",
                               &error);
    NEED(space != NULL);
    lu_sweep_plan plan = plan_of(5);
    plan.steps = 4096;
    plan.settings = "{}";
    char *folder = folder_of("trains");
    NEED(lu_settings_set_pair(settings, "train.environments=16", LU_FROM_FLAG, "t", &error) ==
         LU_OK);
    NEED(lu_settings_set_pair(settings, "train.horizon=16", LU_FROM_FLAG, "t", &error) == LU_OK);
    NEED(lu_settings_set_pair(settings, "net.hidden=8", LU_FROM_FLAG, "t", &error) == LU_OK);
    lu_sweep *s = lu_sweep_open(folder, space, &plan, &error);
    NEED(s != NULL);
    lu_trial t = {.seed = 9}, again = t, broken = t;
    double share = 0.0;
    NEED(lu_sweep_train(s, settings, 1, 0, &t, never, &share, &why, &error) == LU_OK);
    CHECK_INT(t.state, LU_TRIAL_DONE);
    CHECK_INT(t.steps, 4096);
    CHECK_INT(t.rungs, 2);
    CHECK(t.score > 5.0 && t.score < 500.0 && t.cost == 4096.0 && share == 1.0);
    NEED(lu_sweep_train(s, settings, 2, 0, &again, never, &share, &why, &error) == LU_OK);
    CHECK(again.score == t.score && again.rung[0] == t.rung[0]);

    /* values that do not go together, too little memory, and Ctrl-C */
    for (int d = 0; d < 2; d++) {
        broken.place[d] = space->dimension[d].options ? 0.9 : 0.5;
    }
    NEED(lu_sweep_train(s, settings, 1, 0, &broken, never, &share, &why, &error) == LU_OK);
    CHECK_INT(broken.state, LU_TRIAL_FAILED);
    CHECK_HAS(why.text, "train.segment");
    broken = t;
    NEED(lu_sweep_train(s, settings, 1, 1000, &broken, never, &share, &why, &error) == LU_OK);
    CHECK_INT(broken.state, LU_TRIAL_FAILED);
    CHECK_HAS(why.text, "memory");
    CHECK_INT(lu_sweep_train(s, settings, 1, 0, &again, at_once, NULL, &why, &error),
              LU_INTERRUPTED);
    lu_sweep_close(s);
    free(folder);
    lu_space_delete(space);
    lu_settings_delete(settings);
}
