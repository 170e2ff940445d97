/* `ludus potion solve`: the best potions for a recipe, a cauldron and a stock, proven. A task comes
 * from the settings, with an inventory as its stock if one is given; or tasks come from files in
 * the layout of vectors/cases.json: an object with a list `cases`, or one case alone; the answer
 * has the same shape. */
#include "solve.h"

#include "potion_inventory.h"

#include <stdlib.h>
#include <string.h>

static const lu_setting rows[] = {
    {"recipe", LU_TEXT, "", 0, 60, NULL, "The recipe by number or name.", false},
    {"cauldron", LU_TEXT, "", 0, 60, NULL, "The cauldron by number or name.", false},
    {"stock", LU_TEXT, "all", 0, 0, "json",
     "The stock: all, a number of each, shop:C or chapter:C (a day's shop stock of chapters 1 to "
     "C), what you own as in \"6 Dwarf Kraken, 4 Feyberry\", or a JSON object.",
     false},
    {"forbid", LU_TEXT, "", 0, 0, "json", "Ingredients not to use, between commas, or a JSON list.",
     false},
    {"must", LU_TEXT, "", 0, 0, "json",
     "Pieces that must be used: \"2 Mandrake Root, 1 Feyberry\", or a JSON object.", false},
    {"budget", LU_INT, "0", 0, 1e6, NULL, "Maximum gold for the ingredients; 0: no limit.", false},
    {"least_grade", LU_TEXT, "0", 0, 20, NULL,
     "Lowest final grade: tier and stars, like \"Greater 3\", or tier x 6 + star.", false},
    {"stability", LU_ENUM, "exact", 0, 0, "exact|perfect|very_stable|stable|unstable",
     "Lowest acceptable stability; exact asks for the exact ratio, perfect allows the 0.25% that "
     "still count as perfect.",
     false},
    {"chapter", LU_INT, "0", 0, POTION_CHAPTERS, NULL,
     "Only ingredients of chapters 1 to this one, from stock and shop; 0: all.", false},
    {"shop", LU_INT, "0", 0, POTION_CHAPTERS, NULL,
     "A day's shop stock of chapters 1 to this one may be bought as well; 0: nothing.", false},
    {"free", LU_BOOL, "false", 0, 0, NULL,
     "The stock costs nothing: profit and budget count only what is bought.", false},
    {"traits", LU_BOOL, "false", 0, 0, NULL,
     "Also finds the largest expected profit with traits; a case asks for it by its key "
     "`best_traits`.",
     false},
    {"front", LU_BOOL, "false", 0, 0, NULL,
     "Also lists the front of cost and profit, without traits: every potion that earns more than "
     "all that cost no more.",
     false},
    {"front_sizes", LU_BOOL, "false", 0, 0, NULL,
     "Also lists the front of size, cost and profit, without traits and with the exact ratio: "
     "every potion for which no other is as large, as cheap and as profitable.",
     false},
    {"top", LU_INT, "0", 0, POTION_TOP_MOST, NULL,
     "Also lists this many different mixes with the largest profits, without traits.", false},
    {"prove", LU_BOOL, "false", 0, 0, NULL,
     "Proves the largest total and the largest profit a second time, by branch and bound.", false},
    {"memory", LU_INT, "1024", 1, 65536, NULL, "Memory limit for tables and searches, in MB.",
     false},
};

#define PROOF_NODES INT64_C(1000000000) /* then the second proof gives up: about half a minute */

/* Questions of one task: three potions, the purchase, two fronts, the list. */
enum { QUESTIONS = 3, PARTS = 7 };

typedef struct solver {
    const lu_tool_io *io;
    int done, all; /* questions */
    solve_asked asked;
    solve_page page;
} solver;

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

/* ---- one task ---- */

typedef lu_status ask_for(const potion_task *task, potion_brew *brew, lu_error *error);
typedef lu_status prove_it(const potion_task *task, const potion_brew *brew, int64_t limit,
                           potion_proof *proof, lu_error *error);

static const struct question {
    const char *key, *title;
    ask_for *ask;
    prove_it *prove;
} questions[QUESTIONS] = {{"best_total", "Largest total", potion_solve_total, potion_prove_total},
                          {"best_profit", "Best profit", potion_solve_profit, potion_prove_profit},
                          {"best_traits", "Best profit with traits", potion_solve_traits, NULL}};

static lu_status answer_question(solver *s, int q, potion_brew *brew, lu_error *error) {
    const struct question *asked = &questions[q];
    solve_manner manner = {.title = asked->title, .traits = q == 2, .buys = s->asked.shop > 0};
    potion_proof proof;
    lu_status status = asked->ask(&s->asked.task, brew, error);
    if (status == LU_OK && s->asked.prove && !asked->prove) {
        manner.no_proof = "not available with traits";
    } else if (status == LU_OK && s->asked.prove && brew->optimal) {
        status = asked->prove(&s->asked.task, brew, PROOF_NODES, &proof, error);
        manner.proof = &proof;
    }
    if (status == LU_OK) {
        lu_json_key(&s->page.json, asked->key);
        solve_write_brew(&s->asked, brew, manner, &s->page);
    }
    return status;
}

/* Any potion of the stock alone, whatever it is worth: nothing is spent on it. */
static lu_status ask_own(const solver *s, potion_brew *brew, lu_error *error) {
    potion_task task = s->asked.task;
    task.budget = 0;
    memset(task.owned, 0, sizeof task.owned);
    memcpy(task.stock, s->asked.stock, sizeof task.stock);
    lu_status status = potion_solve_profit(&task, brew, error);
    if (status == LU_OK && brew->found) {
        brew->optimal = true;
    }
    return status;
}

/* The mix that needs the least gold beyond the stock. */
static lu_status ask_purchase(const solver *s, potion_brew *brew, lu_error *error) {
    potion_task task = s->asked.task;
    for (int i = 1; i <= POTION_INGREDIENTS; i++) {
        int all = s->asked.stock[i] + (s->asked.open[i] ? POTION_ITEMS_MAX : 0);
        if (s->asked.shop == 0) {
            task.stock[i] = (uint8_t)(all < UINT8_MAX ? all : UINT8_MAX);
        }
        task.owned[i] = s->asked.stock[i];
    }
    return potion_solve_purchase(&task, brew, error);
}

/* The least that has to be bought: nothing, or from the shop that was named, or, where the stock
 * alone has no potion, anywhere. */
static lu_status answer_purchase(solver *s, bool found, lu_error *error) {
    solve_manner manner = {.title = "Least purchase", .buys = true};
    potion_brew brew = {.found = false};
    lu_status status = LU_OK;
    if (s->asked.shop == 0 && found) {
        return LU_OK;
    }
    if (s->asked.shop > 0 || s->asked.task.budget > 0) {
        status = ask_own(s, &brew, error);
    }
    if (status == LU_OK && !brew.found) {
        status = ask_purchase(s, &brew, error);
    }
    if (status == LU_OK) {
        brew.bound = brew.optimal ? brew.bound : 0;
        potion_brew shown = brew; /* profit as everywhere in this answer */
        if (brew.found) {
            potion_brew_add_up(&s->asked.task, &shown);
        }
        lu_json_key(&s->page.json, "least_purchase");
        solve_write_brew(&s->asked, &shown, manner, &s->page);
    }
    return status;
}

static void on_point(void *user, const potion_brew *brew) {
    solver *s = user;
    solve_manner manner = {.buys = s->asked.shop > 0};
    solve_write_brew(&s->asked, brew, manner, &s->page);
}

static void start_list(solver *s, const char *key, const char *title) {
    lu_json_key_array(&s->page.json, key);
    lu_text_add(&s->page.line, title);
    solve_page_line(&s->page);
}

static lu_status answer_top(solver *s, lu_error *error) {
    int32_t wanted = (int32_t)s->asked.top, count;
    potion_brew *brews = lu_alloc((size_t)wanted * sizeof *brews);
    lu_status status = potion_solve_top(&s->asked.task, wanted, PROOF_NODES, brews, &count, error);
    start_list(s, "top", "Best different mixes:");
    for (int32_t k = 0; k < count; k++) {
        on_point(s, &brews[k]);
    }
    lu_json_array_end(&s->page.json);
    free(brews);
    return status;
}

static lu_status answer_lists(solver *s, lu_error *error) {
    lu_status status = LU_OK;
    if (s->asked.front) {
        start_list(s, "front", "Front of cost and profit:");
        status = potion_solve_front(&s->asked.task, on_point, s, error);
        lu_json_array_end(&s->page.json);
    }
    s->done++;
    if (status == LU_OK && s->asked.front_sizes) {
        bool complete;
        start_list(s, "front_sizes", "Front of size, cost and profit:");
        status = potion_solve_front_sizes(&s->asked.task, on_point, s, &complete, error);
        lu_json_array_end(&s->page.json);
        lu_json_key_bool(&s->page.json, "front_sizes_complete", complete);
    }
    s->done++;
    if (status == LU_OK && s->asked.top > 0) {
        status = answer_top(s, error);
    }
    s->done++;
    return status;
}

/* The answers of one task as an object; `entry` is the case it came from, or NULL. */
static lu_status answer(solver *s, const lu_json_value *entry, lu_error *error) {
    potion_brew brew[QUESTIONS];
    lu_status status = LU_OK;
    s->asked.task.user = s;
    s->asked.task.progress = on_progress;
    s->asked.task.cancelled = on_cancelled;
    if (s->asked.front_sizes && s->asked.task.stability > 0) {
        return lu_fail(error, LU_BAD_VALUE,
                       "front_sizes lists potions with the exact ratio: leave stability at exact, "
                       "or use front");
    }
    solve_write_task(&s->asked, entry, &s->page);
    for (int q = 0; q < QUESTIONS && status == LU_OK; q++, s->done++) {
        if (q < 2 || s->asked.traits) {
            status = answer_question(s, q, &brew[q], error);
        }
    }
    LU_THEN(status, answer_purchase(s, brew[0].found || !brew[0].optimal, error));
    s->done++;
    LU_THEN(status, answer_lists(s, error));
    if (status == LU_OK && brew[0].found) {
        solve_write_figures(&s->asked, &brew[0], &s->page);
    }
    return status;
}

/* ---- files ---- */

static void start_words(solver *s, size_t tasks) {
    s->done = 0;
    s->all = PARTS * (int)(tasks > 0 ? tasks : 1);
    lu_json_clear(&s->page.json);
    lu_json_clear(&s->page.words);
    lu_json_array(&s->page.words);
    lu_json_object(&s->page.json);
}

static void emit_words(solver *s) {
    lu_json_array_end(&s->page.words);
    lu_json_key(&s->page.json, "words");
    lu_json_raw(&s->page.json, s->page.words.text, s->page.words.length);
    lu_json_object_end(&s->page.json);
    s->io->emit(s->io->user, s->page.json.text, s->page.json.length);
}

static lu_status answer_cases(solver *s, const char *name, const lu_json_value *root,
                              lu_error *error) {
    const lu_json_value *list = lu_json_get(root, "cases");
    size_t count = list ? lu_json_count(list) : 1;
    lu_status status = LU_OK;
    if (list && lu_json_kind_of(list) != LU_JSON_ARRAY) {
        return lu_fail(error, LU_BAD_DATA, "%s: 'cases' must be a list", name);
    }
    start_words(s, count);
    if (list) {
        lu_json_key_array(&s->page.json, "cases");
    }
    for (size_t k = 0; k < count && status == LU_OK; k++) {
        const lu_json_value *entry = list ? lu_json_at(list, k) : root;
        status = solve_read_case(s->io->settings, name, entry, &s->asked, error);
        if (list) {
            lu_json_object(&s->page.json);
        }
        LU_THEN(status, answer(s, entry, error));
        if (list) {
            lu_json_object_end(&s->page.json);
        }
    }
    if (list) {
        lu_json_array_end(&s->page.json);
    }
    if (count == 0) {
        lu_text_addf(&s->page.line, "%s: the list of cases is empty", name);
        solve_page_line(&s->page);
    }
    if (status == LU_OK) {
        emit_words(s);
    }
    return status;
}

/* From the settings, with the stock of an inventory or NULL. */
static lu_status answer_settings(solver *s, const uint8_t *stock, lu_error *error) {
    lu_status status = solve_read_settings(s->io->settings, stock, &s->asked, error);
    if (status == LU_OK) {
        start_words(s, 1);
        status = answer(s, NULL, error);
    }
    if (status == LU_OK) {
        emit_words(s);
    }
    return status;
}

static lu_status answer_inventory(solver *s, const lu_tool_input *input, lu_error *error) {
    uint8_t stock[POTION_ACTIONS] = {0};
    if (lu_settings_is_set(s->io->settings, "stock")) {
        return lu_fail(error, LU_USAGE,
                       "potion solve takes the stock from the inventory %s, or from the settings, "
                       "not from both",
                       input->name);
    }
    lu_status status = potion_inventory_read(input->name, input->text, input->length, stock, error);
    return status == LU_OK ? answer_settings(s, stock, error) : status;
}

/* JSON begins with a bracket, an inventory of lines does not. */
static bool is_json(const lu_tool_input *input) {
    size_t at = 0;
    while (at < input->length && memchr(" \t\r\n", input->text[at], 4)) {
        at++;
    }
    return at < input->length && (input->text[at] == '{' || input->text[at] == '[');
}

static lu_status answer_file(solver *s, const lu_tool_input *input, lu_error *error) {
    if (!is_json(input)) {
        return answer_inventory(s, input, error);
    }
    lu_json_document *document = lu_json_read(input->name, input->text, input->length, error);
    if (!document) {
        return LU_BAD_DATA;
    }
    const lu_json_value *root = lu_json_root(document);
    const lu_settings *settings = s->io->settings;
    lu_status status;
    if (lu_json_kind_of(root) == LU_JSON_OBJECT && !lu_json_get(root, "cases") &&
        !lu_json_get(root, "recipe")) {
        status = answer_inventory(s, input, error);
    } else if (lu_settings_is_set(settings, "recipe") || lu_settings_is_set(settings, "cauldron") ||
               lu_settings_is_set(settings, "stock")) {
        status = lu_fail(error, LU_USAGE,
                         "potion solve takes recipe, cauldron and stock from the case, or from the "
                         "settings, not from both");
    } else {
        status = answer_cases(s, input->name, root, error);
    }
    lu_json_close(document);
    return status;
}

static lu_status run(const lu_tool_io *io, lu_error *error) {
    solver *s = lu_alloc_zero(1, sizeof *s);
    lu_status status = LU_OK;
    s->io = io;
    solve_page_init(&s->page);
    for (int k = 0; k < io->input_count && status == LU_OK; k++) {
        status = answer_file(s, &io->inputs[k], error);
    }
    if (io->input_count == 0) {
        status = answer_settings(s, NULL, error);
    }
    solve_page_free(&s->page);
    free(s);
    return status;
}

extern const lu_tool lu_tool_potion_solve;
const lu_tool lu_tool_potion_solve = {
    .game = "potion",
    .name = "solve",
    .sentence = "Finds the largest and the most profitable potion and proves them best.",
    .settings = {"potion solve", rows, (int)(sizeof rows / sizeof *rows)},
    .run = run,
};
