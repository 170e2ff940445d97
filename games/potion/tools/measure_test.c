/* Tests of the measure tool: optima are those of the solver, figures those of the tasks, and what
 * is no report is refused with a sentence. */
#include "potion_test.h"
#include "solver/potion_solve.h"

#include "tool_said.h"

#include <stdlib.h>

extern const lu_tool lu_tool_potion_measure;

enum { TASKS = 6 };

static lu_status measure(const char *text, lu_error *error) {
    static const char *const each[] = {"tasks=true", NULL};
    return tool_ask(&lu_tool_potion_measure, (lu_tool_io){0}, each, "report.json", text, error);
}

/* Small cauldrons, so that the solver is quick. */
static const char *const pairs[] = {"cauldron.randomize=false", "cauldron_index=1",
                                    "recipe.held_out=4,11,19", NULL};

static double optimum_of(const potion_state *s) {
    potion_task task = potion_task_of(s->recipe, s->cauldron);
    potion_brew brew;
    memcpy(task.stock, s->stock, sizeof task.stock);
    CHECK_INT(potion_solve_total(&task, &brew, NULL), LU_OK);
    double best = brew.found ? 1.0 + (double)brew.mix.total / (double)s->max_magimins : 0.0;
    return best < 1.75 ? 1.75 : best;
}

/* A report in which episode i scored optimum x i / 5, and only the last is perfect. */
static char *report_of(kit *k, const potion_options *options, double *optimum) {
    lu_json json = LU_JSON_INIT;
    char *settings = lu_settings_json(k->at.settings);
    lu_json_object(&json);
    lu_json_key_string(&json, "game", k->at.game->id);
    lu_json_key_int(&json, "best_of", 3);
    lu_json_key_raw(&json, "settings", settings);
    lu_json_key_object(&json, "options");
    lu_json_key_bool(&json, "held_out", options != NULL);
    lu_json_object_end(&json);
    lu_json_key_array(&json, "each");
    for (int i = 0; i < TASKS; i++) {
        lu_env_reset(k->env, 70 + (uint64_t)i, options);
        optimum[i] = optimum_of(k->s);
        lu_json_object(&json);
        lu_json_key_int(&json, "seed", 70 + i);
        lu_json_key_object(&json, "info");
        lu_json_key_real(&json, "score", i == 5 ? optimum[i] : optimum[i] * i / 5.0);
        lu_json_key_bool(&json, "perfect", i == 5);
        lu_json_key_string(&json, "recipe", potion_recipe_names[k->s->recipe]);
        lu_json_key_string(&json, "cauldron", potion_cauldron_names[k->s->cauldron]);
        lu_json_object_end(&json);
        lu_json_object_end(&json);
    }
    lu_json_array_end(&json);
    lu_json_object_end(&json);
    free(settings);
    return json.text;
}

static double at(const lu_json_value *object, const char *key, const char *inner) {
    return lu_json_real_or(lu_json_get(lu_json_get(object, key), inner), -1.0);
}

TEST(figures_are_those_of_the_tasks) {
    static const potion_options held = {.recipe = -1, .cauldron = -1, .held_out = 1};
    for (int h = 0; h < 2; h++) {
        lu_error error = {LU_OK, ""};
        double optimum[TASKS];
        kit k;
        NEED(kit_open(&k, LOOK, pairs, &error));
        char *report = report_of(&k, h ? &held : NULL, optimum);
        CHECK_INT(measure(report, &error), LU_OK);
        CHECK_TEXT(error.text, "");
        lu_json_document *got = lu_json_read("answer", said, strlen(said), &error);
        NEED(got);
        const lu_json_value *root = lu_json_root(got);
        CHECK_INT((int)lu_json_real_or(lu_json_get(root, "tasks"), 0.0), TASKS);
        CHECK_INT((int)lu_json_real_or(lu_json_get(root, "best_of"), 0.0), 3);
        CHECK_NEAR(at(root, "ratio", "mean"), 0.5, 1e-12);
        CHECK_NEAR(at(root, "perfect", "mean"), 1.0 / 6.0, 1e-12);
        CHECK_NEAR(at(root, "optimal", "mean"), 1.0 / 6.0, 1e-12);
        /* Wilson's interval of 1 in 6, and one of resampled means around the mean */
        CHECK_NEAR(at(root, "perfect", "low"), 0.03005, 1e-4);
        CHECK_NEAR(at(root, "perfect", "high"), 0.56350, 1e-4);
        CHECK(at(root, "ratio", "low") > 0.1 && at(root, "ratio", "low") < 0.4);
        CHECK(at(root, "ratio", "high") > 0.6 && at(root, "ratio", "high") < 0.9);
        const lu_json_value *each = lu_json_get(root, "each");
        CHECK_INT(lu_json_count(each), TASKS);
        for (int i = 0; i < TASKS; i++) {
            const lu_json_value *task = lu_json_at(each, (size_t)i);
            CHECK_NEAR(lu_json_real_or(lu_json_get(task, "optimum"), 0.0), optimum[i], 1e-12);
        }
        const lu_json_value *recipes = lu_json_get(root, "recipes");
        CHECK(lu_json_count(recipes) > 0);
        for (size_t i = 0; i < lu_json_count(recipes); i++) {
            bool flag = !h;
            CHECK_INT(lu_json_get_bool(lu_json_at(recipes, i), "held_out", &flag, &error), LU_OK);
            CHECK_INT(flag, h);
        }
        lu_json_close(got);
        free(report);
        kit_close(&k);
    }
}

TEST(a_score_above_the_exact_optimum_is_the_optimum) {
    static const char text[] =
        "{\"game\": \"potion-v1\", \"settings\": {\"ingredients.maximum_amount\": 0}, \"each\": "
        "[{\"seed\": 5, \"info\": {\"score\": %s, \"perfect\": false, \"recipe\": \"%s\", "
        "\"cauldron\": \"%s\"}}]}";
    static const char *const empty[] = {"ingredients.maximum_amount=0", NULL};
    char report[600];
    lu_error error = {LU_OK, ""};
    kit k;
    NEED(kit_open(&k, PLAIN, empty, &error));
    lu_env_reset(k.env, 5, NULL);
    const char *recipe = potion_recipe_names[k.s->recipe];
    const char *cauldron = potion_cauldron_names[k.s->cauldron];
    kit_close(&k);
    /* an empty shelf has no potion: the bound stands for the optimum */
    snprintf(report, sizeof report, text, "0.7", recipe, cauldron);
    CHECK_INT(measure(report, &error), LU_OK);
    CHECK_HAS(said, "\"ratio\":{\"mean\":0.39999999999999997,");
    CHECK_HAS(said, "\"by_bound\":1,");
    snprintf(report, sizeof report, text, "1.8", recipe, cauldron);
    CHECK_INT(measure(report, &error), LU_OK);
    CHECK_HAS(said, "\"ratio\":{\"mean\":1,");
    CHECK_HAS(said, "\"optimum\":1.8,");
}

TEST(what_is_no_report_is_refused) {
    static const struct {
        const char *text;
        lu_status status;
        const char *part;
    } rows[] = {
        {NULL, LU_USAGE, "--each"},
        {"{", LU_BAD_DATA, "report.json"},
        {"{}", LU_BAD_DATA, "game"},
        {"{\"game\": \"cartpole-v1\"}", LU_BAD_DATA, "not a variant of potion"},
        {"{\"game\": \"potion-v1\"}", LU_BAD_DATA, "'each'"},
        {"{\"game\": \"potion-v1\", \"each\": []}", LU_BAD_DATA, "'each'"},
        {"{\"game\": \"potion-v1\", \"settings\": {\"recipes\": 3}}", LU_UNKNOWN_KEY, "recipes"},
        {"{\"game\": \"potion-v1\", \"options\": {\"held_out\": true}}", LU_BAD_VALUE, "held_out"},
        {"{\"game\": \"potion-v1\", \"each\": [{\"seed\": -1}]}", LU_BAD_DATA, "seed"},
        {"{\"game\": \"potion-v1\", \"each\": [{\"seed\": 1}]}", LU_BAD_DATA, "score"},
        {"{\"game\": \"potion-v1\", \"each\": [{\"seed\": 1, \"info\": {\"score\": 3}}]}",
         LU_BAD_DATA, "score"},
        {"{\"game\": \"potion-v1\", \"each\": [{\"seed\": 1, \"info\": {\"score\": 1, "
         "\"perfect\": true, \"recipe\": \"Soup\", \"cauldron\": \"Pot\"}}]}",
         LU_OTHER_SPEC, "'Soup'"},
    };
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        lu_error error = {LU_OK, ""};
        lu_status status = measure(rows[k].text, &error);
        if (status != rows[k].status || !strstr(error.text, rows[k].part)) {
            lu_test_fail(__FILE__, __LINE__, "row %zu: status %d, %s", k, (int)status, error.text);
        }
        CHECK_TEXT(said, "");
    }
}
