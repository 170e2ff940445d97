/* `ludus verify joker FILE...`: seeds, scored hands, hand detection and rewards against the rules.
 * A file is an object with `format` and a list `cases`. One line per case, then the count. */
#include "verify.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- comparisons ---- */

static void begin_mismatch(joker_check *c, const char *at) {
    lu_json_object(&c->mismatch);
    lu_json_key_string(&c->mismatch, "at", at);
}

void joker_check_number(joker_check *c, const char *at, double want, double got, double relative) {
    double size = fmax(fabs(want), fabs(got));
    c->checked++;
    if (want == got || fabs(want - got) <= relative * size || c->mismatch.length > 0) {
        return;
    }
    begin_mismatch(c, at);
    lu_json_key_real(&c->mismatch, "want", want);
    lu_json_key_real(&c->mismatch, "got", got);
    lu_json_object_end(&c->mismatch);
}

void joker_check_text(joker_check *c, const char *at, const char *want, const char *got) {
    c->checked++;
    if (strcmp(want, got) == 0 || c->mismatch.length > 0) {
        return;
    }
    begin_mismatch(c, at);
    lu_json_key_string(&c->mismatch, "want", want);
    lu_json_key_string(&c->mismatch, "got", got);
    lu_json_object_end(&c->mismatch);
}

/* Two values of different kind or size. */
static void check_shape(joker_check *c, const char *at, const lu_json_value *want,
                        const lu_json_value *got) {
    if (c->mismatch.length > 0) {
        return;
    }
    begin_mismatch(c, at);
    lu_json_key(&c->mismatch, "want");
    want ? lu_json_value_write(&c->mismatch, want) : lu_json_null(&c->mismatch);
    lu_json_key(&c->mismatch, "got");
    got ? lu_json_value_write(&c->mismatch, got) : lu_json_null(&c->mismatch);
    lu_json_object_end(&c->mismatch);
}

void joker_check_value(joker_check *c, const char *at, const lu_json_value *want,
                       const lu_json_value *got) {
    lu_json_kind kind = lu_json_kind_of(want);
    char below[160];
    if (kind != lu_json_kind_of(got)) {
        check_shape(c, at, want, got);
    } else if (kind == LU_JSON_NUMBER) {
        joker_check_number(c, at, lu_json_real_or(want, 0.0), lu_json_real_or(got, 0.0), 0.0);
    } else if (kind == LU_JSON_STRING) {
        joker_check_text(c, at, lu_json_text(want, NULL), lu_json_text(got, NULL));
    } else if (kind == LU_JSON_ARRAY || kind == LU_JSON_OBJECT) {
        if (lu_json_count(want) != lu_json_count(got)) {
            check_shape(c, at, want, got);
            return;
        }
        for (size_t i = 0; i < lu_json_count(want); i++) {
            const char *key = NULL;
            const lu_json_value *inner =
                kind == LU_JSON_OBJECT ? lu_json_member(want, i, &key) : lu_json_at(want, i);
            if (key) {
                snprintf(below, sizeof below, "%.80s/%.60s", at, key);
            } else {
                snprintf(below, sizeof below, "%.80s/%zu", at, i);
            }
            joker_check_value(c, below, inner, key ? lu_json_get(got, key) : lu_json_at(got, i));
        }
    } else {
        c->checked++; /* true, false, null: the kind says it all */
    }
}

lu_status joker_check_bad(joker_check *c, const char *what) {
    return lu_fail(c->error, LU_BAD_DATA, "%s, case '%s': %s", c->input->name, c->id, what);
}

/* ---- files ---- */

typedef lu_status (*check_case)(joker_check *c, const lu_json_value *entry);

static const struct {
    const char *format;
    check_case check;
} formats[] = {
    {"ludus-joker-seeds-1", joker_check_seed},
    {"ludus-joker-scoring-1", joker_check_scoring},
    {"ludus-joker-detection-1", joker_check_detection},
    {"ludus-joker-reward-1", joker_check_reward},
};

enum { FORMATS = sizeof formats / sizeof *formats };

static void emit_case(const lu_tool_io *io, const joker_check *c) {
    lu_json line;
    lu_json_init(&line);
    lu_json_object(&line);
    lu_json_key_string(&line, "file", c->input->name);
    lu_json_key_string(&line, "id", c->id);
    lu_json_key_bool(&line, "ok", c->mismatch.length == 0);
    lu_json_key(&line, "got");
    lu_json_object(&line);
    lu_json_key_int(&line, "values", c->checked);
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

static lu_status check_entry(const lu_tool_io *io, const lu_tool_input *input, check_case check,
                             const lu_json_value *entry, size_t number, int count[2],
                             lu_error *error) {
    joker_check c = {.input = input, .error = error};
    const char *id;
    lu_error inner;
    snprintf(c.id, sizeof c.id, "%zu", number + 1);
    if (lu_json_kind_of(entry) != LU_JSON_OBJECT) {
        return joker_check_bad(&c, "a case must be an object");
    }
    if (lu_json_get(entry, "id")) {
        if (lu_json_get_text(entry, "id", &id, &inner) != LU_OK) {
            return joker_check_bad(&c, inner.text);
        }
        snprintf(c.id, sizeof c.id, "%.60s", id);
    }
    lu_json_init(&c.mismatch);
    lu_status status = check(&c, entry);
    if (status == LU_OK && c.checked == 0 && c.mismatch.length == 0) {
        status = joker_check_bad(&c, "it expects nothing, so nothing was checked; add what the "
                                     "rules must give");
    }
    if (status == LU_OK) {
        count[c.mismatch.length > 0]++;
        emit_case(io, &c);
    }
    lu_json_free(&c.mismatch);
    return status;
}

/* The function for a file, by its format. */
static check_case find_check(const lu_tool_input *input, const lu_json_value *root,
                             lu_error *error) {
    const char *format = "";
    if (lu_json_get_text(root, "format", &format, NULL) == LU_OK) {
        for (int i = 0; i < FORMATS; i++) {
            if (strcmp(format, formats[i].format) == 0) {
                return formats[i].check;
            }
        }
    }
    lu_fail(error, LU_BAD_DATA,
            "%s: 'format' is '%.40s'; known are ludus-joker-seeds-1, ludus-joker-scoring-1, "
            "ludus-joker-detection-1 and ludus-joker-reward-1",
            input->name, format);
    return NULL;
}

static lu_status check_root(const lu_tool_io *io, const lu_tool_input *input,
                            const lu_json_value *root, int count[2], lu_error *error) {
    const lu_json_value *cases = lu_json_get(root, "cases");
    check_case check = find_check(input, root, error);
    if (!check) {
        return LU_BAD_DATA;
    }
    if (lu_json_kind_of(cases) != LU_JSON_ARRAY) {
        return lu_fail(error, LU_BAD_DATA, "%s: 'cases' must be a list", input->name);
    }
    if (lu_json_count(cases) == 0) {
        return lu_fail(error, LU_BAD_DATA, "%s: 'cases' is empty, so nothing was checked",
                       input->name);
    }
    for (size_t k = 0; k < lu_json_count(cases); k++) {
        if (io->cancelled && io->cancelled(io->user)) {
            return lu_fail(error, LU_INTERRUPTED, "stopped at %s, case %zu", input->name, k + 1);
        }
        lu_status status = check_entry(io, input, check, lu_json_at(cases, k), k, count, error);
        if (status != LU_OK) {
            return status;
        }
    }
    return LU_OK;
}

static lu_status run(const lu_tool_io *io, lu_error *error) {
    int count[2] = {0, 0};
    if (io->input_count == 0) {
        return lu_fail(error, LU_USAGE, "joker verify: name at least one file of cases");
    }
    for (int k = 0; k < io->input_count; k++) {
        const lu_tool_input *input = &io->inputs[k];
        if (io->progress) {
            io->progress(io->user, (double)k / (double)io->input_count, input->name);
        }
        lu_json_document *document = lu_json_read(input->name, input->text, input->length, error);
        if (!document) {
            return LU_BAD_DATA;
        }
        lu_status status = check_root(io, input, lu_json_root(document), count, error);
        lu_json_close(document);
        if (status != LU_OK) {
            return status;
        }
    }
    char line[80];
    int length = snprintf(line, sizeof line, "{\"passed\":%d,\"failed\":%d}", count[0], count[1]);
    io->emit(io->user, line, (size_t)length);
    if (count[1] > 0) {
        return lu_fail(error, LU_CHECK_FAILED, "%d of %d cases differ", count[1],
                       count[0] + count[1]);
    }
    return LU_OK;
}

extern const lu_tool lu_tool_joker_verify;
const lu_tool lu_tool_joker_verify = {
    .game = "joker",
    .name = "verify",
    .sentence = "Checks what seeds give, scored hands, hand detection and rewards.",
    .settings = {"joker verify", NULL, 0},
    .run = run,
};
