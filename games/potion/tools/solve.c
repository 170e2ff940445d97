/* `ludus potion solve`: the best potions of exactly the recipe's ratio, proven. A task comes from
 * the settings, or tasks come from files in the layout of vectors/cases.json: an object with a list
 * `cases`, or one case alone; the answer has the same shape. */
#include "../potion.h"
#include "../potion_solve.h"

#include "ludus/tool.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const lu_setting rows[] = {
    {"recipe", LU_TEXT, "", 0, 60, NULL, "The recipe by number or name.", false},
    {"cauldron", LU_TEXT, "", 0, 60, NULL, "The cauldron by number or name.", false},
    {"stock", LU_TEXT, "all", 0, 0, NULL,
     "What there is: all, a number of each, shop:C (one day of the shop of chapters 1 to C), or a "
     "JSON object of pieces by action or name.",
     false},
    {"forbid", LU_TEXT, "", 0, 0, NULL,
     "Ingredients that stay out: a JSON list of actions or names.", false},
    {"must", LU_TEXT, "", 0, 0, NULL,
     "Pieces that have to be in: a JSON object of pieces by action or name.", false},
    {"budget", LU_INT, "0", 0, 1e6, NULL, "Most gold for the ingredients; 0 sets no limit.", false},
    {"least_grade", LU_INT, "0", 0, POTION_GRADES - 1, NULL,
     "Lowest final grade: tier x 6 + star, Minor 0 to Masterwork 5.", false},
    {"traits", LU_BOOL, "false", 0, 0, NULL,
     "Also finds the largest expected profit with traits; a case asks for it by its key "
     "`best_traits`.",
     false},
    {"front", LU_BOOL, "false", 0, 0, NULL,
     "Also lists the front of cost and profit, without traits: every potion that brings more than "
     "all that cost no more.",
     false},
    {"top", LU_INT, "0", 0, POTION_TOP_MOST, NULL,
     "Also lists so many different mixes of the largest profits, without traits.", false},
    {"prove", LU_BOOL, "false", 0, 0, NULL,
     "Proves the largest total and the largest profit a second time, by branch and bound.", false},
    {"memory", LU_INT, "1024", 1, 65536, NULL, "Most memory for tables and searches, in MB.",
     false},
};

#define PROOF_NODES INT64_C(1000000000) /* then the second proof gives up: about half a minute */

/* Largest total, largest profit, largest profit with traits; the front counts in the progress. */
enum { QUESTIONS = 3, PARTS };

typedef struct solver {
    const lu_tool_io *io;
    const char *name; /* of the input, for messages */
    int done, all;    /* questions */
    int recipe, cauldron;
    potion_task task;
} solver;

/* ---- what is asked ---- */

/* A number below `count`, or one of the names whatever the case. */
static lu_status read_choice(const char *key, const char *text, const char *const *names, int count,
                             int *value, lu_error *error) {
    char *end;
    long number = strtol(text, &end, 10);
    if (*text && !*end && number >= 0 && number < count) {
        *value = (int)number;
        return LU_OK;
    }
    for (int k = 0; k < count; k++) {
        const char *a = names[k], *b = text;
        while (*a && (*a | 32) == (*b | 32)) {
            a++;
            b++;
        }
        if (!*a && !*b) {
            *value = k;
            return LU_OK;
        }
    }
    const char *near = lu_nearest(text, names, (size_t)count);
    if (near) {
        return lu_fail(error, LU_BAD_VALUE, "%s '%.60s' is unknown; did you mean '%s'?", key, text,
                       near);
    }
    return lu_fail(error, LU_BAD_VALUE, "%s '%.60s' must be a number from 0 to %d or a name", key,
                   text, count - 1);
}

/* The action of a number or name in a list; 0 = neither. */
static int action_of(const lu_json_value *value) {
    double number = lu_json_real_or(value, 0.0);
    for (int i = 1; i <= POTION_INGREDIENTS; i++) {
        if (!(number < i) && !(number > i)) {
            return i;
        }
    }
    return lu_json_kind_of(value) == LU_JSON_STRING
               ? potion_ingredient_find(lu_json_text(value, NULL))
               : 0;
}

static lu_status forbid(solver *s, const char *text, lu_error *error) {
    lu_json_document *document = lu_json_read("forbid", text, strlen(text), error);
    if (!document) {
        return LU_BAD_VALUE;
    }
    const lu_json_value *list = lu_json_root(document);
    lu_status status = LU_OK;
    if (lu_json_kind_of(list) != LU_JSON_ARRAY) {
        status = lu_fail(error, LU_BAD_VALUE, "forbid must be a list: [\"Fairy Flower Bulb\", 8]");
    }
    for (size_t k = 0; k < lu_json_count(list) && status == LU_OK; k++) {
        int action = action_of(lu_json_at(list, k));
        s->task.stock[action] = 0;
        if (action == 0) {
            status = lu_fail(error, LU_BAD_VALUE,
                             "entry %zu of forbid is no ingredient: an action from 1 to %d or a "
                             "name",
                             k + 1, POTION_INGREDIENTS);
        }
    }
    lu_json_close(document);
    return status;
}

/* Pieces of a setting: what is wrong in it is a bad value, not bad data. */
static lu_status read_pieces(const solver *s, const char *key, uint8_t *pieces, lu_error *error) {
    lu_error inner;
    if (potion_stock_read(key, lu_settings_text_of(s->io->settings, key), pieces, &inner) !=
        LU_OK) {
        return lu_fail(error, LU_BAD_VALUE, "%s", inner.text);
    }
    return LU_OK;
}

/* What the settings ask for beyond recipe, cauldron and stock. */
static lu_status read_wishes(solver *s, lu_error *error) {
    const lu_settings *settings = s->io->settings;
    lu_status status = LU_OK;
    uint64_t bytes = (uint64_t)lu_settings_int(settings, "memory") << 20;
    s->task.memory =
        bytes > SIZE_MAX ? SIZE_MAX : (size_t)bytes; /* in a page addresses end at 4 GB */
    s->task.budget = (int32_t)lu_settings_int(settings, "budget");
    s->task.least_grade = (int32_t)lu_settings_int(settings, "least_grade");
    if (lu_settings_is_set(settings, "forbid")) {
        status = forbid(s, lu_settings_text_of(settings, "forbid"), error);
    }
    if (status == LU_OK && lu_settings_is_set(settings, "must")) {
        status = read_pieces(s, "must", s->task.must, error);
    }
    return status;
}

static lu_status read_settings(solver *s, lu_error *error) {
    const lu_settings *settings = s->io->settings;
    if (!lu_settings_is_set(settings, "recipe") || !lu_settings_is_set(settings, "cauldron")) {
        return lu_fail(error, LU_USAGE,
                       "potion solve needs a file of cases, or a recipe and a cauldron");
    }
    lu_status status = read_choice("recipe", lu_settings_text_of(settings, "recipe"),
                                   potion_recipe_names, POTION_RECIPES, &s->recipe, error);
    if (status == LU_OK) {
        status = read_choice("cauldron", lu_settings_text_of(settings, "cauldron"),
                             potion_cauldron_names, POTION_CAULDRONS, &s->cauldron, error);
    }
    if (status == LU_OK) {
        s->task = potion_task_of(s->recipe, s->cauldron);
        status = read_pieces(s, "stock", s->task.stock, error);
    }
    return status == LU_OK ? read_wishes(s, error) : status;
}

static lu_status read_case(solver *s, const lu_json_value *entry, lu_error *error) {
    int64_t recipe, cauldron;
    lu_error inner;
    if (lu_json_kind_of(entry) != LU_JSON_OBJECT) {
        return lu_fail(error, LU_BAD_DATA, "%s:%u: a case must be an object", s->name,
                       lu_json_line(entry));
    }
    if (lu_json_get_int(entry, "recipe", 0, POTION_RECIPES - 1, &recipe, &inner) != LU_OK ||
        lu_json_get_int(entry, "cauldron", 0, POTION_CAULDRONS - 1, &cauldron, &inner) != LU_OK) {
        return lu_fail(error, LU_BAD_DATA, "%s:%u: %s", s->name, lu_json_line(entry), inner.text);
    }
    s->recipe = (int)recipe;
    s->cauldron = (int)cauldron;
    s->task = potion_task_of(s->recipe, s->cauldron);
    if (potion_stock_from("'stock'", lu_json_get(entry, "stock"), s->task.stock, &inner) != LU_OK) {
        return lu_fail(error, LU_BAD_DATA, "%s:%u: %s", s->name, lu_json_line(entry), inner.text);
    }
    return read_wishes(s, error);
}

/* ---- what is answered ---- */

static void on_progress(void *user, double share, const char *what) {
    solver *s = user;
    if (s->io->progress) {
        s->io->progress(s->io->user, (s->done + share) / s->all, what);
    }
}

static bool on_cancelled(void *user) {
    solver *s = user;
    return s->io->cancelled && s->io->cancelled(s->io->user);
}

static void write_mix(const potion_brew *brew, lu_json *json) {
    lu_json_key(json, "mix");
    lu_json_object(json);
    for (int i = 1; i <= POTION_INGREDIENTS; i++) {
        char key[16];
        snprintf(key, sizeof key, "%d", i);
        if (brew->pieces[i] > 0) {
            lu_json_key_int(json, key, brew->pieces[i]);
        }
    }
    lu_json_object_end(json);
    lu_json_key(json, "names");
    lu_json_object(json);
    for (int i = 1; i <= POTION_INGREDIENTS; i++) {
        if (brew->pieces[i] > 0) {
            lu_json_key_int(json, potion_ingredients[i].name, brew->pieces[i]);
        }
    }
    lu_json_object_end(json);
}

/* The second proof; NULL = none was asked for. */
static void write_proof(const potion_proof *proof, lu_json *json) {
    if (proof) {
        lu_json_key(json, "second_proof");
        lu_json_object(json);
        lu_json_key_bool(json, "proven", proof->proven);
        lu_json_key_int(json, "nodes", proof->nodes);
        lu_json_object_end(json);
    }
}

static void write_brew(const potion_brew *brew, const potion_proof *proof, bool traits,
                       lu_json *json) {
    if (!brew->found) {
        lu_json_null(json);
        return;
    }
    lu_json_object(json);
    lu_json_key_string(json, "proof", brew->optimal ? "optimal" : "best found");
    if (!brew->optimal) {
        lu_json_key_int(json, "profit_bound", brew->bound);
    }
    write_proof(proof, json);
    lu_json_key_int(json, "total", brew->mix.total);
    lu_json_key_int(json, "items", brew->mix.items);
    lu_json_key_int(json, "brewed", brew->brewed);
    lu_json_key_int(json, "grade", brew->grade);
    lu_json_key_int(json, "unit_price", brew->price);
    lu_json_key_int(json, "cost", brew->mix.cost);
    if (traits) {
        lu_json_key_real(json, "profit", brew->expected);
        lu_json_key_real(json, "trait_sum", brew->trait_sum);
    } else {
        lu_json_key_int(json, "profit", brew->profit);
    }
    write_mix(brew, json);
    lu_json_object_end(json);
}

static void on_point(void *user, const potion_brew *brew) {
    write_brew(brew, NULL, false, user);
}

/* The recipe, the cauldron, and the name of the case. */
static void write_task(const solver *s, const lu_json_value *entry, lu_json *json) {
    if (lu_json_get(entry, "id")) {
        lu_json_key(json, "id");
        lu_json_value_write(json, lu_json_get(entry, "id"));
    }
    lu_json_key_int(json, "recipe", s->recipe);
    lu_json_key_string(json, "recipe_title", potion_recipes[s->recipe].name);
    lu_json_key_int(json, "cauldron", s->cauldron);
    lu_json_key_string(json, "cauldron_title", potion_cauldrons[s->cauldron].name);
    lu_json_key_int(json, "max_items", s->task.max_items);
    lu_json_key_int(json, "max_magimins", s->task.max_magimins);
}

/* What follows from the largest total. */
static void write_figures(const solver *s, const potion_brew *total, lu_json *json) {
    double fullness = (double)total->mix.total / (double)s->task.max_magimins;
    lu_json_key_real(json, "fullness", fullness);
    lu_json_key_real(json, "rl_reward_perfect", 1.0 + fullness);
    lu_json_key_bool(json, "rl_reward_is_maximum", fullness >= 0.75);
}

static lu_status write_top(const solver *s, int32_t wanted, lu_json *json, lu_error *error) {
    potion_brew *brews = lu_alloc((size_t)wanted * sizeof *brews);
    int32_t count;
    lu_status status = potion_solve_top(&s->task, wanted, PROOF_NODES, brews, &count, error);
    lu_json_key(json, "top");
    lu_json_array(json);
    for (int32_t k = 0; k < count; k++) {
        write_brew(&brews[k], NULL, false, json);
    }
    lu_json_array_end(json);
    free(brews);
    return status;
}

/* The answers of one task as an object; `entry` is the case it came from, or NULL. */
static lu_status answer(solver *s, const lu_json_value *entry, lu_json *json, lu_error *error) {
    typedef lu_status question(const potion_task *task, potion_brew *brew, lu_error *error);
    typedef lu_status prover(const potion_task *task, const potion_brew *brew, int64_t limit,
                             potion_proof *proof, lu_error *error);
    static const struct {
        const char *key;
        question *ask;
        prover *prove;
    } questions[QUESTIONS] = {{"best_total", potion_solve_total, potion_prove_total},
                              {"best_profit", potion_solve_profit, potion_prove_profit},
                              {"best_traits", potion_solve_traits, NULL}};
    bool twice = lu_settings_bool(s->io->settings, "prove");
    bool traits = lu_settings_bool(s->io->settings, "traits") || lu_json_get(entry, "best_traits");
    potion_brew brew[QUESTIONS];
    s->task.user = s;
    s->task.progress = on_progress;
    s->task.cancelled = on_cancelled;
    lu_json_object(json);
    write_task(s, entry, json);
    for (int q = 0; q < QUESTIONS; q++, s->done++) {
        if (q == 2 && !traits) {
            continue;
        }
        prover *again = twice ? questions[q].prove : NULL;
        potion_proof proof;
        lu_status status = questions[q].ask(&s->task, &brew[q], error);
        if (status == LU_OK && again) {
            status = again(&s->task, &brew[q], PROOF_NODES, &proof, error);
        }
        if (status != LU_OK) {
            return status;
        }
        lu_json_key(json, questions[q].key);
        write_brew(&brew[q], again ? &proof : NULL, q == 2, json);
    }
    lu_status status = LU_OK;
    if (lu_settings_bool(s->io->settings, "front")) {
        lu_json_key(json, "front");
        lu_json_array(json);
        status = potion_solve_front(&s->task, on_point, json, error);
        lu_json_array_end(json);
    }
    int32_t top = (int32_t)lu_settings_int(s->io->settings, "top");
    if (top > 0 && status == LU_OK) {
        status = write_top(s, top, json, error);
    }
    s->done++;
    if (brew[0].found) {
        write_figures(s, &brew[0], json);
    }
    lu_json_object_end(json);
    return status;
}

/* ---- files ---- */

static lu_status answer_file(solver *s, const lu_tool_input *input, lu_json *json,
                             lu_error *error) {
    lu_json_document *document = lu_json_read(input->name, input->text, input->length, error);
    if (!document) {
        return LU_BAD_DATA;
    }
    const lu_json_value *root = lu_json_root(document), *list = lu_json_get(root, "cases");
    size_t count = list ? lu_json_count(list) : 1;
    lu_status status = LU_OK;
    s->name = input->name;
    s->done = 0;
    s->all = PARTS * (int)(count > 0 ? count : 1);
    if (list && lu_json_kind_of(list) != LU_JSON_ARRAY) {
        status = lu_fail(error, LU_BAD_DATA, "%s: 'cases' must be a list", input->name);
    }
    if (list) {
        lu_json_object(json);
        lu_json_key(json, "cases");
        lu_json_array(json);
    }
    for (size_t k = 0; k < count && status == LU_OK; k++) {
        const lu_json_value *entry = list ? lu_json_at(list, k) : root;
        status = read_case(s, entry, error);
        status = status == LU_OK ? answer(s, entry, json, error) : status;
    }
    if (list && status == LU_OK) {
        lu_json_array_end(json);
        lu_json_object_end(json);
    }
    lu_json_close(document);
    return status;
}

static lu_status run(const lu_tool_io *io, lu_error *error) {
    solver s = {.io = io, .all = PARTS};
    lu_json json;
    lu_status status = LU_OK;
    lu_json_init(&json);
    if (io->input_count > 0 && (lu_settings_is_set(io->settings, "recipe") ||
                                lu_settings_is_set(io->settings, "cauldron") ||
                                lu_settings_is_set(io->settings, "stock"))) {
        status = lu_fail(error, LU_USAGE,
                         "potion solve takes recipe, cauldron and stock from the file, or from the "
                         "settings, not from both");
    }
    for (int k = 0; k < io->input_count && status == LU_OK; k++) {
        lu_json_clear(&json);
        status = answer_file(&s, &io->inputs[k], &json, error);
        if (status == LU_OK) {
            io->emit(io->user, json.text, json.length);
        }
    }
    if (io->input_count == 0 && status == LU_OK) {
        status = read_settings(&s, error);
        status = status == LU_OK ? answer(&s, NULL, &json, error) : status;
        if (status == LU_OK) {
            io->emit(io->user, json.text, json.length);
        }
    }
    lu_json_free(&json);
    return status;
}

extern const lu_tool lu_tool_potion_solve;
const lu_tool lu_tool_potion_solve = {
    .game = "potion",
    .name = "solve",
    .sentence = "Finds the largest and the most profitable exact potion and proves them best.",
    .settings = {"potion solve", rows, (int)(sizeof rows / sizeof *rows)},
    .run = run,
};
