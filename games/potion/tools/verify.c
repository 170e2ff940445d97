/* `ludus verify potion FILE...`: recorded episodes ("traces") and optimum cases ("cases") against
 * the rules. One line per entry, then the count. */
#include "verify.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- comparisons ---- */

static void begin_mismatch(potion_check *c, const char *key) {
    lu_json_object(&c->mismatch);
    lu_json_key_string(&c->mismatch, "part", c->part);
    if (c->index >= 0) {
        lu_json_key_int(&c->mismatch, "index", c->index);
    }
    lu_json_key_string(&c->mismatch, "key", key);
}

void potion_check_number(potion_check *c, const lu_json_value *object, const char *key, double got,
                         double tolerance) {
    const lu_json_value *value = lu_json_get(object, key);
    if (lu_json_kind_of(value) == LU_JSON_NULL) {
        return;
    }
    double want = lu_json_real_or(value, (double)NAN);
    if (fabs(want - got) <= tolerance || c->mismatch.length > 0) {
        return;
    }
    begin_mismatch(c, key);
    lu_json_key_real(&c->mismatch, "want", want);
    lu_json_key_real(&c->mismatch, "got", got);
    lu_json_object_end(&c->mismatch);
}

void potion_check_flag(potion_check *c, const lu_json_value *object, const char *key, bool got) {
    lu_json_kind kind = lu_json_kind_of(lu_json_get(object, key));
    if (kind == LU_JSON_NULL || kind == (got ? LU_JSON_TRUE : LU_JSON_FALSE) ||
        c->mismatch.length > 0) {
        return;
    }
    begin_mismatch(c, key);
    lu_json_key_bool(&c->mismatch, "got", got);
    lu_json_object_end(&c->mismatch);
}

static bool same_words(const char *a, const char *b) {
    while (*a && (*a == *b || (*a == '_' && *b == ' ') || (*a == ' ' && *b == '_'))) {
        a++;
        b++;
    }
    return *a == *b;
}

void potion_check_text(potion_check *c, const lu_json_value *object, const char *key,
                       const char *got) {
    const lu_json_value *value = lu_json_get(object, key);
    lu_json_kind kind = lu_json_kind_of(value);
    if (kind == LU_JSON_NULL || c->mismatch.length > 0 ||
        (kind == LU_JSON_STRING && same_words(lu_json_text(value, NULL), got))) {
        return;
    }
    begin_mismatch(c, key);
    if (kind == LU_JSON_STRING) {
        lu_json_key_string(&c->mismatch, "want", lu_json_text(value, NULL));
    }
    lu_json_key_string(&c->mismatch, "got", got);
    lu_json_object_end(&c->mismatch);
}

void potion_check_say(potion_check *c, const char *what) {
    if (c->mismatch.length == 0) {
        begin_mismatch(c, what);
        lu_json_object_end(&c->mismatch);
    }
}

lu_status potion_check_bad(potion_check *c, const char *what) {
    return lu_fail(c->error, LU_BAD_DATA, "%s, entry '%s': %s", c->input->name, c->id, what);
}

/* ---- entries ---- */

lu_status potion_check_task(potion_check *c, const lu_json_value *entry, potion_options *task) {
    lu_error inner;
    int64_t recipe, cauldron;
    if (lu_json_get_int(entry, "recipe", 0, POTION_RECIPES - 1, &recipe, &inner) != LU_OK ||
        lu_json_get_int(entry, "cauldron", 0, POTION_CAULDRONS - 1, &cauldron, &inner) != LU_OK) {
        return potion_check_bad(c, inner.text);
    }
    memset(task, 0, sizeof *task);
    task->recipe = (int32_t)recipe;
    task->cauldron = (int32_t)cauldron;
    task->stocked = 1;
    if (potion_stock_from("'stock'", lu_json_get(entry, "stock"), task->stock, &inner) != LU_OK) {
        return potion_check_bad(c, inner.text);
    }
    c->part = "task";
    potion_check_text(c, entry, "recipe_title", potion_recipes[recipe].name);
    potion_check_text(c, entry, "cauldron_title", potion_cauldrons[cauldron].name);
    potion_check_number(c, entry, "max_items", potion_cauldrons[cauldron].items, 0.0);
    potion_check_number(c, entry, "max_magimins", potion_cauldrons[cauldron].magimins, 0.0);
    return LU_OK;
}

static void emit_entry(const lu_tool_io *io, const potion_check *c, bool trace) {
    lu_json line;
    lu_json_init(&line);
    lu_json_object(&line);
    lu_json_key_string(&line, "file", c->input->name);
    lu_json_key_string(&line, "id", c->id);
    lu_json_key_bool(&line, "ok", c->mismatch.length == 0);
    lu_json_key(&line, "got");
    lu_json_object(&line);
    lu_json_key_int(&line, trace ? "steps" : "mixes", c->checked);
    if (trace) {
        lu_json_key_real(&line, "max_reward_error", c->reward_error);
    }
    lu_json_key(&line, "first_mismatch");
    if (c->mismatch.length == 0) {
        lu_json_null(&line);
    } else {
        lu_json_raw(&line, c->mismatch.text, c->mismatch.length);
    }
    lu_json_object_end(&line);
    lu_json_object_end(&line);
    io->emit(io->user, line.text, line.length);
    lu_json_free(&line);
}

static lu_status check_entry(const lu_tool_io *io, const lu_tool_input *input,
                             const lu_json_value *entry, size_t number, bool trace, int count[2],
                             lu_error *error) {
    potion_check c = {.input = input, .error = error, .part = "task", .index = -1};
    const char *id;
    lu_error inner;
    snprintf(c.id, sizeof c.id, "%zu", number + 1);
    if (lu_json_kind_of(entry) != LU_JSON_OBJECT) {
        return potion_check_bad(&c, "an entry must be an object");
    }
    if (lu_json_get(entry, "id")) {
        if (lu_json_get_text(entry, "id", &id, &inner) != LU_OK) {
            return potion_check_bad(&c, inner.text);
        }
        snprintf(c.id, sizeof c.id, "%.60s", id);
    }
    lu_json_init(&c.mismatch);
    lu_status status = trace ? potion_check_trace(&c, entry) : potion_check_case(&c, entry);
    if (status == LU_OK) {
        count[c.mismatch.length > 0]++;
        emit_entry(io, &c, trace);
    }
    lu_json_free(&c.mismatch);
    return status;
}

/* ---- files ---- */

static lu_status check_list(const lu_tool_io *io, const lu_tool_input *input,
                            const lu_json_value *list, bool trace, int count[2], lu_error *error) {
    if (lu_json_kind_of(list) != LU_JSON_ARRAY) {
        return lu_fail(error, LU_BAD_DATA, "%s: '%s' must be a list", input->name,
                       trace ? "traces" : "cases");
    }
    if (lu_json_count(list) == 0) {
        return lu_fail(error, LU_BAD_DATA, "%s: '%s' is empty, there is nothing to check",
                       input->name, trace ? "traces" : "cases");
    }
    for (size_t k = 0; k < lu_json_count(list); k++) {
        if (io->cancelled && io->cancelled(io->user)) {
            return lu_fail(error, LU_INTERRUPTED, "stopped at %s, entry %zu", input->name, k + 1);
        }
        lu_status status = check_entry(io, input, lu_json_at(list, k), k, trace, count, error);
        if (status != LU_OK) {
            return status;
        }
    }
    return LU_OK;
}

static lu_status check_file(const lu_tool_io *io, const lu_tool_input *input, int count[2],
                            lu_error *error) {
    lu_json_document *document = lu_json_read(input->name, input->text, input->length, error);
    if (!document) {
        return LU_BAD_DATA;
    }
    const lu_json_value *root = lu_json_root(document);
    const lu_json_value *traces = lu_json_get(root, "traces"), *cases = lu_json_get(root, "cases");
    lu_status status = LU_OK;
    if (!traces && !cases) {
        status = lu_fail(error, LU_BAD_DATA,
                         "%s: expected an object with a list 'traces' or 'cases'", input->name);
    }
    if (traces) {
        status = check_list(io, input, traces, true, count, error);
    }
    if (cases && status == LU_OK) {
        status = check_list(io, input, cases, false, count, error);
    }
    lu_json_close(document);
    return status;
}

static lu_status run(const lu_tool_io *io, lu_error *error) {
    int count[2] = {0, 0};
    if (io->input_count == 0) {
        return lu_fail(error, LU_USAGE, "potion verify: name at least one file of traces or cases");
    }
    for (int k = 0; k < io->input_count; k++) {
        if (io->progress) {
            io->progress(io->user, (double)k / (double)io->input_count, io->inputs[k].name);
        }
        lu_status status = check_file(io, &io->inputs[k], count, error);
        if (status != LU_OK) {
            return status;
        }
    }
    char line[80];
    int length = snprintf(line, sizeof line, "{\"passed\":%d,\"failed\":%d}", count[0], count[1]);
    io->emit(io->user, line, (size_t)length);
    if (count[1] > 0) {
        return lu_fail(error, LU_CHECK_FAILED, "%d of %d entries differ", count[1],
                       count[0] + count[1]);
    }
    return LU_OK;
}

extern const lu_tool lu_tool_potion_verify;
const lu_tool lu_tool_potion_verify = {
    .game = "potion",
    .name = "verify",
    .sentence = "Replays recorded episodes, re-adds the mixes of optimum cases and solves them.",
    .settings = {"potion verify", NULL, 0},
    .run = run,
};
