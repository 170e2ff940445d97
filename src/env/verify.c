/* Recorded cases against the rules: see verify.h. Tests: those of the games' tools `verify`. */
#include "ludus/verify.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- places ---- */

/* Names that two paths begin with alike, "a/b" and "a/c": 1. */
static int alike(const char *a, const char *b) {
    int names = 0;
    for (; *a && *a == *b; a++, b++) {
        names += *a == '/';
    }
    return names + ((!*a || *a == '/') && (!*b || *b == '/'));
}

void lu_check_part(lu_check *c, const char *part, long long index) {
    int stays = part && c->part && index < 0 ? alike(part, c->part) : 0;
    for (; c->open > stays; c->open--) {
        lu_json_object_end(&c->got);
    }
    c->part = part;
    c->index = index;
}

/* Opens the objects of the part that are not open yet. */
static void open_part(lu_check *c) {
    const char *name = c->part;
    for (int level = 0; name && *name; level++) {
        char key[64];
        size_t length = strcspn(name, "/");
        snprintf(key, sizeof key, "%.*s", (int)length, name);
        if (level == c->open) {
            lu_json_key_object(&c->got, key);
            c->open++;
        }
        name += length + (name[length] == '/');
    }
}

/* Whether a value under this key is repeated in `got`, which then stands where it belongs. */
static bool kept(lu_check *c, const char *key) {
    if (c->index >= 0 || strchr(key, '/')) {
        return false;
    }
    open_part(c);
    return true;
}

/* Opens the first mismatch; false when there is one already. */
static bool differ(lu_check *c, const char *key) {
    lu_text at = LU_TEXT_INIT;
    if (c->mismatch.length > 0) {
        return false;
    }
    if (c->part) {
        lu_text_addf(&at, "%s/", c->part);
    }
    if (c->index >= 0) {
        lu_text_addf(&at, "%lld/", c->index);
    }
    lu_text_addf(&at, "%s", key);
    lu_json_object(&c->mismatch);
    lu_json_key_string(&c->mismatch, "at", at.text);
    lu_text_free(&at);
    return true;
}

/* ---- comparisons ---- */

double lu_above_one(double want, double tolerance) {
    return tolerance * fmax(1.0, fabs(want));
}

double lu_check_number(lu_check *c, const char *key, double want, double got, double allowed) {
    double error = fabs(want - got);
    /* infinities equal themselves and nothing else, however much is allowed */
    bool equal = (want <= got && want >= got) || (isfinite(error) && error <= allowed);
    c->checked++;
    if (kept(c, key)) {
        lu_json_key_real(&c->got, key, got);
    }
    if (!equal && differ(c, key)) {
        lu_json_key_real(&c->mismatch, "want", want);
        lu_json_key_real(&c->mismatch, "got", got);
        lu_json_object_end(&c->mismatch);
    }
    return error;
}

void lu_check_text(lu_check *c, const char *key, const char *want, const char *got) {
    c->checked++;
    if (kept(c, key)) {
        lu_json_key_string(&c->got, key, got);
    }
    if (strcmp(want, got) != 0 && differ(c, key)) {
        lu_json_key_string(&c->mismatch, "want", want);
        lu_json_key_string(&c->mismatch, "got", got);
        lu_json_object_end(&c->mismatch);
    }
}

void lu_check_flag(lu_check *c, const char *key, bool want, bool got) {
    c->checked++;
    if (kept(c, key)) {
        lu_json_key_bool(&c->got, key, got);
    }
    if (want != got && differ(c, key)) {
        lu_json_key_bool(&c->mismatch, "want", want);
        lu_json_key_bool(&c->mismatch, "got", got);
        lu_json_object_end(&c->mismatch);
    }
}

void lu_check_say(lu_check *c, const char *what) {
    if (differ(c, what)) {
        lu_json_object_end(&c->mismatch);
    }
}

static void put(lu_json *json, const char *key, const lu_json_value *value) {
    lu_json_key(json, key);
    value ? lu_json_value_write(json, value) : lu_json_null(json);
}

/* Values of different kind or size. */
static void differ_in_shape(lu_check *c, const char *key, const lu_json_value *want,
                            const lu_json_value *got) {
    if (differ(c, key)) {
        put(&c->mismatch, "want", want);
        put(&c->mismatch, "got", got);
        lu_json_object_end(&c->mismatch);
    }
}

static void compare(lu_check *c, const char *at, const lu_json_value *want,
                    const lu_json_value *got) {
    lu_json_kind kind = lu_json_kind_of(want);
    bool list = kind == LU_JSON_ARRAY || kind == LU_JSON_OBJECT;
    if (kind != lu_json_kind_of(got) || (list && lu_json_count(want) != lu_json_count(got))) {
        differ_in_shape(c, at, want, got);
        return;
    }
    for (size_t i = 0; list && i < lu_json_count(want); i++) {
        char below[160];
        const char *key = NULL;
        const lu_json_value *inner =
            kind == LU_JSON_OBJECT ? lu_json_member(want, i, &key) : lu_json_at(want, i);
        if (key) {
            snprintf(below, sizeof below, "%.80s/%.60s", at, key);
        } else {
            snprintf(below, sizeof below, "%.80s/%zu", at, i);
        }
        compare(c, below, inner, key ? lu_json_get(got, key) : lu_json_at(got, i));
    }
    if (list) {
        return;
    }
    c->checked++; /* of true, false and null the kind says it all */
    if ((kind == LU_JSON_NUMBER &&
         !(fabs(lu_json_real_or(want, 0.0) - lu_json_real_or(got, 0.0)) <= 0.0)) ||
        (kind == LU_JSON_STRING &&
         strcmp(lu_json_text(want, NULL), lu_json_text(got, NULL)) != 0)) {
        differ_in_shape(c, at, want, got);
    }
}

void lu_check_value(lu_check *c, const char *key, const lu_json_value *want,
                    const lu_json_value *got) {
    if (kept(c, key)) {
        put(&c->got, key, got);
    }
    compare(c, key, want, got);
}

bool lu_check_differs(const lu_check *c) {
    return c->mismatch.length > 0;
}

lu_status lu_check_bad(lu_check *c, const char *what) {
    if (c->line > 0) {
        return lu_fail(c->error, LU_BAD_DATA, "%s, line %lld: %s", c->input->name, c->line, what);
    }
    return lu_fail(c->error, LU_BAD_DATA, "%s, case '%s': %s", c->input->name, c->id, what);
}

/* ---- a case ---- */

void lu_check_again(lu_check *c) {
    c->part = NULL;
    c->index = -1;
    c->open = 0;
    c->checked = 0;
    lu_json_clear(&c->mismatch);
    lu_json_clear(&c->got);
    lu_json_object(&c->got);
}

void lu_check_start(lu_check *c, const char *id) {
    snprintf(c->id, sizeof c->id, "%.60s", id);
    lu_json_init(&c->mismatch);
    lu_json_init(&c->got);
    lu_check_again(c);
}

/* Closes `got` with how many values were compared and the first that differs. */
static void finish(lu_check *c) {
    lu_check_part(c, NULL, -1);
    lu_json_key_int(&c->got, "checked", c->checked);
    lu_json_key(&c->got, "first_mismatch");
    if (lu_check_differs(c)) {
        lu_json_raw(&c->got, c->mismatch.text, c->mismatch.length);
    } else {
        lu_json_null(&c->got);
    }
    lu_json_object_end(&c->got);
}

static void tell(const lu_tool_io *io, const lu_check *c) {
    lu_json line = LU_JSON_INIT;
    lu_json_object(&line);
    lu_json_key_string(&line, "file", c->input->name);
    lu_json_key_string(&line, "id", c->id);
    lu_json_key_bool(&line, "ok", !lu_check_differs(c));
    lu_json_key(&line, "got");
    lu_json_raw(&line, c->got.text, c->got.length);
    lu_json_object_end(&line);
    io->emit(io->user, line.text, line.length);
    lu_json_free(&line);
}

lu_status lu_check_end(lu_verify *v, lu_check *c, lu_status status) {
    if (status == LU_OK && c->checked == 0 && !lu_check_differs(c)) {
        status = lu_check_bad(c, "it expects nothing, so nothing was checked; add what the rules "
                                 "must give");
    }
    if (status == LU_OK) {
        finish(c);
        *(lu_check_differs(c) ? &v->failed : &v->passed) += 1;
        tell(v->io, c);
    }
    lu_json_free(&c->got);
    lu_json_free(&c->mismatch);
    return status;
}

/* ---- files ---- */

static bool cancelled(const lu_verify *v) {
    return v->io->cancelled && v->io->cancelled(v->io->user);
}

lu_status lu_verify_files(lu_verify *v, lu_status (*file)(lu_verify *, const lu_tool_input *)) {
    const lu_tool_io *io = v->io;
    if (io->input_count == 0) {
        return lu_fail(v->error, LU_USAGE, "verify: name at least one file of %s", v->what);
    }
    for (int k = 0; k < io->input_count; k++) {
        if (io->progress) {
            io->progress(io->user, (double)k / (double)io->input_count, io->inputs[k].name);
        }
        LU_TRY(file(v, &io->inputs[k]));
    }
    char line[80];
    int length = snprintf(line, sizeof line, "{\"passed\":%d,\"failed\":%d}", v->passed, v->failed);
    io->emit(io->user, line, (size_t)length);
    if (v->failed > 0) {
        return lu_fail(v->error, LU_CHECK_FAILED, "%d of %d %s differ", v->failed,
                       v->passed + v->failed, v->what);
    }
    return LU_OK;
}

static bool blank(const char *at, const char *stop) {
    while (at < stop && *at && strchr(" \t\r", *at)) {
        at++;
    }
    return at == stop;
}

lu_status lu_verify_lines(lu_verify *v, lu_check *c,
                          lu_status (*each)(lu_verify *, lu_check *, const lu_json_value *)) {
    const char *at = c->input->text, *end = at + c->input->length;
    lu_status status = LU_OK;
    bool any = false;
    for (c->line = 1; at < end && status == LU_OK; c->line++) {
        const char *stop = memchr(at, '\n', (size_t)(end - at));
        stop = stop ? stop : end;
        if (cancelled(v)) {
            return lu_fail(v->error, LU_INTERRUPTED, "stopped at %s, line %lld", c->input->name,
                           c->line);
        }
        if (!blank(at, stop)) {
            lu_error inner;
            lu_json_document *document = lu_json_read("text", at, (size_t)(stop - at), &inner);
            status = document ? each(v, c, lu_json_root(document)) : lu_check_bad(c, inner.text);
            lu_json_close(document);
            any = true;
        }
        at = stop + 1;
    }
    if (!any) {
        c->line = 1;
        return lu_check_bad(c, "the file is empty; expected a header line");
    }
    return status;
}

/* ---- documents with cases ---- */

typedef struct known {
    const lu_check_format *formats;
    size_t count;
} known;

static lu_status check_case(lu_verify *v, const lu_tool_input *input, lu_check_case *check,
                            const lu_json_value *entry, size_t number) {
    lu_check c = {.input = input, .error = v->error};
    const char *id = NULL;
    lu_error inner;
    char counted[24];
    snprintf(counted, sizeof counted, "%zu", number + 1);
    lu_check_start(&c, counted);
    lu_status status = LU_OK;
    if (lu_json_kind_of(entry) != LU_JSON_OBJECT) {
        status = lu_check_bad(&c, "a case must be an object");
    } else if (lu_json_get(entry, "id")) {
        status = lu_json_get_text(entry, "id", &id, &inner) == LU_OK ? LU_OK
                                                                     : lu_check_bad(&c, inner.text);
        snprintf(c.id, sizeof c.id, "%.60s", id ? id : counted);
    }
    return lu_check_end(v, &c, status == LU_OK ? check(&c, entry) : status);
}

static lu_status check_list(lu_verify *v, const lu_tool_input *input, const lu_check_format *kind,
                            const lu_json_value *list) {
    lu_status status = LU_OK;
    if (lu_json_kind_of(list) != LU_JSON_ARRAY) {
        return lu_fail(v->error, LU_BAD_DATA, "%s: '%s' must be a list", input->name, kind->list);
    }
    if (lu_json_count(list) == 0) {
        return lu_fail(v->error, LU_BAD_DATA, "%s: '%s' is empty, so nothing was checked",
                       input->name, kind->list);
    }
    for (size_t k = 0; k < lu_json_count(list) && status == LU_OK; k++) {
        status = cancelled(v) ? lu_fail(v->error, LU_INTERRUPTED, "stopped at %s, case %zu",
                                        input->name, k + 1)
                              : check_case(v, input, kind->check, lu_json_at(list, k), k);
    }
    return status;
}

/* What a file might have been. */
static lu_status unknown(lu_verify *v, const lu_tool_input *input, const char *format) {
    const known *k = v->user;
    lu_text list = LU_TEXT_INIT;
    for (size_t i = 0; i < k->count; i++) {
        const lu_check_format *f = &k->formats[i];
        lu_text_addf(&list, "%s%s",
                     i == 0             ? ""
                     : i + 1 < k->count ? ", "
                                        : " and ",
                     f->format ? f->format : f->list);
    }
    lu_status status =
        k->formats[0].format
            ? lu_fail(v->error, LU_BAD_DATA, "%s: 'format' is '%.40s'; known are %s", input->name,
                      format, list.text)
            : lu_fail(v->error, LU_BAD_DATA, "%s: expected an object with a list of these: %s",
                      input->name, list.text);
    lu_text_free(&list);
    return status;
}

static lu_status check_root(lu_verify *v, const lu_tool_input *input, const lu_json_value *root) {
    const known *k = v->user;
    const char *format = "";
    bool found = false;
    lu_status status = LU_OK;
    (void)lu_json_get_text(root, "format", &format, NULL);
    for (size_t i = 0; i < k->count && status == LU_OK; i++) {
        const lu_check_format *f = &k->formats[i];
        if (f->format ? strcmp(f->format, format) == 0 : lu_json_get(root, f->list) != NULL) {
            found = true;
            status = check_list(v, input, f, lu_json_get(root, f->list));
        }
    }
    return found ? status : unknown(v, input, format);
}

static lu_status check_document(lu_verify *v, const lu_tool_input *input) {
    lu_json_document *document = lu_json_read(input->name, input->text, input->length, v->error);
    lu_status status = document ? check_root(v, input, lu_json_root(document)) : LU_BAD_DATA;
    lu_json_close(document);
    return status;
}

lu_status lu_verify_cases(const lu_tool_io *io, const lu_check_format *formats, size_t count,
                          lu_error *error) {
    known k = {formats, count};
    lu_verify v = {.io = io, .error = error, .what = "cases", .user = &k};
    return lu_verify_files(&v, check_document);
}
