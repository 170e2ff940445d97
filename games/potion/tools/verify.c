/* `ludus verify potion FILE...`: recorded episodes ("traces") and optimum cases ("cases") against
 * the rules. */
#include "verify.h"

#include <math.h>
#include <string.h>

/* ---- comparisons ---- */

double potion_check_number(lu_check *c, const lu_json_value *object, const char *key, double got,
                           double tolerance) {
    const lu_json_value *value = lu_json_get(object, key);
    if (lu_json_kind_of(value) == LU_JSON_NULL) {
        return 0.0;
    }
    return lu_check_number(c, key, lu_json_real_or(value, (double)NAN), got, tolerance);
}

void potion_check_flag(lu_check *c, const lu_json_value *object, const char *key, bool got) {
    lu_json_kind kind = lu_json_kind_of(lu_json_get(object, key));
    if (kind == LU_JSON_TRUE || kind == LU_JSON_FALSE) {
        lu_check_flag(c, key, kind == LU_JSON_TRUE, got);
    } else if (kind != LU_JSON_NULL) {
        lu_check_say(c, key);
    }
}

static bool same_words(const char *a, const char *b) {
    while (*a && (*a == *b || (*a == '_' && *b == ' ') || (*a == ' ' && *b == '_'))) {
        a++;
        b++;
    }
    return *a == *b;
}

void potion_check_text(lu_check *c, const lu_json_value *object, const char *key, const char *got) {
    const lu_json_value *value = lu_json_get(object, key);
    if (lu_json_kind_of(value) == LU_JSON_STRING) {
        const char *want = lu_json_text(value, NULL);
        lu_check_text(c, key, same_words(want, got) ? got : want, got);
    } else if (lu_json_kind_of(value) != LU_JSON_NULL) {
        lu_check_say(c, key);
    }
}

lu_status potion_check_task(lu_check *c, const lu_json_value *entry, potion_options *task) {
    lu_error inner;
    int64_t recipe, cauldron;
    if (lu_json_get_int(entry, "recipe", 0, POTION_RECIPES - 1, &recipe, &inner) != LU_OK ||
        lu_json_get_int(entry, "cauldron", 0, POTION_CAULDRONS - 1, &cauldron, &inner) != LU_OK) {
        return lu_check_bad(c, inner.text);
    }
    memset(task, 0, sizeof *task);
    task->recipe = (int32_t)recipe;
    task->cauldron = (int32_t)cauldron;
    task->stocked = 1;
    if (potion_stock_from("'stock'", lu_json_get(entry, "stock"), task->stock, &inner) != LU_OK) {
        return lu_check_bad(c, inner.text);
    }
    lu_check_part(c, NULL, -1);
    potion_check_text(c, entry, "recipe_title", potion_recipes[recipe].name);
    potion_check_text(c, entry, "cauldron_title", potion_cauldrons[cauldron].name);
    potion_check_number(c, entry, "max_items", potion_cauldrons[cauldron].items, 0.0);
    potion_check_number(c, entry, "max_magimins", potion_cauldrons[cauldron].magimins, 0.0);
    return LU_OK;
}

static lu_status run(const lu_tool_io *io, lu_error *error) {
    static const lu_check_format formats[] = {
        {NULL, "traces", potion_check_trace},
        {NULL, "cases", potion_check_case},
    };
    return lu_verify_cases(io, formats, sizeof formats / sizeof *formats, error);
}

extern const lu_tool lu_tool_potion_verify;
const lu_tool lu_tool_potion_verify = {
    .game = "potion",
    .name = "verify",
    .sentence = "Replays recorded episodes, recomputes the mixes of optimum cases and solves them.",
    .settings = {"potion verify", NULL, 0},
    .run = run,
};
