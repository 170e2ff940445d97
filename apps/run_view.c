/* A run for people and programs: see run_view.h. It is read through a catalogue in memory, so that
 * a run of any folder shows the same, and nothing is written by looking at it. */
#include "run_view.h"

#include "output.h"
#include "train_panel.h"

#include "ludus/file.h"
#include "ludus/run.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { FACTS_MOST = 16 << 20 };

/* ---- reading ---- */

static lu_json_document *read_facts(const char *path) {
    lu_text file;
    char *bytes;
    size_t length;
    lu_json_document *document = NULL;
    lu_text_init(&file);
    lu_text_addf(&file, "%s/run.json", path);
    if (lu_file_read(file.text, FACTS_MOST, &bytes, &length, NULL) == LU_OK) {
        document = lu_json_read(file.text, bytes, length, NULL);
        free(bytes);
    }
    lu_text_free(&file);
    return document;
}

static lu_status read_entries(run_view *v, lu_catalogue *c, const char *id, lu_error *error) {
    lu_run_list list = {0};
    lu_status status = lu_catalogue_sync(c, id, error);
    if (status == LU_OK) {
        status = lu_catalogue_runs(c, &(lu_run_filter){.run_id = id, .archived = -1}, &list, error);
    }
    if (status == LU_OK && list.count != 1) {
        status = lu_fail(error, LU_NOT_FOUND, "run %.300s has gone meanwhile", id);
    }
    if (status != LU_OK) {
        lu_run_list_free(&list);
        return status;
    }
    v->entry = list.entry[0];
    free(list.entry);
    status = lu_catalogue_windows(c, id, 0, 0, &v->windows, error);
    if (status == LU_OK) {
        status = lu_catalogue_evaluations(c, id, 0, 0, &v->evaluations, error);
    }
    return status == LU_OK
               ? lu_catalogue_replays(c, &(lu_replay_filter){.window_id = -1}, &v->replays, error)
               : status;
}

/* "." and the like say no name: the real path does. */
static void name_path(lu_text *path) {
    const char *slash = strrchr(path->text, '/'), *last = slash ? slash + 1 : path->text;
    char *real =
        strcmp(last, ".") == 0 || strcmp(last, "..") == 0 ? realpath(path->text, NULL) : NULL;
    if (real) {
        lu_text_clear(path);
        lu_text_add(path, real);
        free(real);
    }
}

lu_status run_view_open(run_view *v, const verb_call *call, const char *name, lu_error *error) {
    lu_text runs;
    *v = (run_view){0};
    lu_text_init(&v->path);
    lu_text_init(&runs);
    lu_run_place(call->settings, &runs);
    lu_status status = lu_run_find(runs.text, name, NULL, &v->path, error);
    if (status == LU_OK) {
        name_path(&v->path);
        const char *slash = strrchr(v->path.text, '/');
        lu_text_clear(&runs);
        lu_text_add_n(&runs, slash ? v->path.text : ".",
                      slash ? (size_t)(slash - v->path.text) : 1);
        lu_catalogue *c =
            lu_catalogue_open(slash == v->path.text ? "/" : runs.text, LU_CATALOGUE_MEMORY, error);
        status = c ? read_entries(v, c, slash ? slash + 1 : v->path.text, error) : error->status;
        lu_catalogue_close(c);
        v->facts = read_facts(v->path.text);
    }
    lu_text_free(&runs);
    if (status != LU_OK) {
        run_view_close(v);
    }
    return status;
}

void run_view_close(run_view *v) {
    lu_json_close(v->facts);
    lu_run_entry_free(&v->entry);
    lu_window_list_free(&v->windows);
    lu_evaluation_list_free(&v->evaluations);
    lu_replay_list_free(&v->replays);
    lu_text_free(&v->path);
    *v = (run_view){0};
}

/* ---- settings ---- */

static const lu_json_value *settings_of(const run_view *v) {
    return v->facts ? lu_json_get(lu_json_root(v->facts), "settings") : NULL;
}

static void fill_setting(run_setting *s, const char *key, const lu_json_value *entry) {
    const lu_json_value *value = lu_json_get(entry, "value");
    const char *text = lu_json_text(value, NULL);
    const char *origin = lu_json_text(lu_json_get(entry, "origin"), NULL);
    const char *where = lu_json_text(lu_json_get(entry, "where"), NULL);
    *s = (run_setting){.key = key, .origin = origin ? origin : "", .where = where ? where : ""};
    lu_text_init(&s->value);
    lu_text_add(&s->value, text ? text : "");
    for (size_t i = 0; i < lu_json_count(value); i++) { /* a setting that may be given repeatedly */
        text = lu_json_text(lu_json_at(value, i), NULL);
        lu_text_addf(&s->value, "%s%s", i ? " " : "", text ? text : "");
    }
}

bool run_setting_at(const run_view *v, size_t index, run_setting *setting) {
    const char *key;
    const lu_json_value *entry = lu_json_member(settings_of(v), index, &key);
    if (entry) {
        fill_setting(setting, key, entry);
    }
    return entry != NULL;
}

bool run_setting_of(const run_view *v, const char *key, run_setting *setting) {
    const lu_json_value *entry = lu_json_get(settings_of(v), key);
    if (entry) {
        fill_setting(setting, key, entry);
    }
    return entry != NULL;
}

void run_setting_free(run_setting *setting) {
    lu_text_free(&setting->value);
}

/* ---- JSON ---- */

void run_entry_write(const lu_run_entry *e, lu_json *json) {
    lu_run_entry_write(e, json);
    if (*e->problem) {
        lu_json_key_string(json, "problem", e->problem);
    }
}

/* ---- texts ---- */

/* Bytes of the UTF-8 character at `c`, with its code; 0 when it is broken. */
static int next_character(const unsigned char *c, uint32_t *code) {
    int length = c[0] < 0x80 ? 1 : c[0] < 0xc2 ? 0 : c[0] < 0xe0 ? 2 : c[0] < 0xf0 ? 3 : 4;
    static const unsigned char masks[] = {0, 0x7f, 0x1f, 0x0f, 0x07};
    *code = c[0] & masks[length];
    for (int i = 1; i < length; i++) {
        if ((c[i] & 0xc0) != 0x80) {
            return 0;
        }
        *code = *code << 6 | (c[i] & 0x3f);
    }
    return c[0] > 0xf4 ? 0 : length;
}

/* What drives a terminal, turns the direction of writing or takes no place. */
static bool is_unsafe(uint32_t code) {
    return code < ' ' || (code >= 0x7f && code < 0xa0) || code == 0xad || code == 0x61c ||
           (code >= 0x200b && code <= 0x200f) || (code >= 0x2028 && code <= 0x202e) ||
           (code >= 0x2060 && code <= 0x206f) || code == 0xfeff || code > 0x10ffff;
}

void foreign_add(lu_text *text, const char *from, int most) {
    int columns = 0;
    for (const unsigned char *c = (const unsigned char *)from; *c; columns++) {
        uint32_t code;
        int length = next_character(c, &code);
        if (most > 0 && columns == most) {
            lu_text_add(text, "...");
            return;
        }
        if (length == 0 || is_unsafe(code)) {
            lu_text_add_char(text, '?');
        } else {
            lu_text_add_n(text, (const char *)c, (size_t)length);
        }
        c += length ? length : 1;
    }
}

const char *foreign(const char *from, int most) {
    lu_text text;
    lu_text_init(&text);
    foreign_add(&text, from, most);
    const char *made = cell("%s", text.text);
    lu_text_free(&text);
    return made;
}

const char *real_text(double value) {
    return isnan(value)                               ? "-"
           : fabs(value) >= 1e5 && fabs(value) < 1e15 ? cell("%.0f", value)
                                                      : cell("%.5g", value);
}

const char *interval_text(double low, double high) {
    return isnan(low) || isnan(high) ? "-" : cell("%s .. %s", real_text(low), real_text(high));
}

const char *span_text(double seconds) {
    return seconds >= 0.0 && seconds < 1e12 ? time_text(seconds) : "-";
}

const char *bytes_text(int64_t bytes) {
    lu_text text;
    lu_text_init(&text);
    lu_text_add_bytes(&text, (double)bytes);
    const char *shown = cell("%s", text.text);
    lu_text_free(&text);
    return shown;
}

/* Mean of the numbers among values [from, to); NaN when there is none. */
static double mean_of(const double *values, size_t from, size_t to) {
    double sum = 0.0;
    size_t count = 0;
    for (size_t i = from; i < to; i++) {
        if (!isnan(values[i])) {
            sum += values[i];
            count++;
        }
    }
    return count ? sum / (double)count : (double)NAN;
}

void spark_add(lu_text *text, const double *values, size_t count, int width) {
    static const char levels[] = "_.-~=+*#";
    size_t places = count < (size_t)width ? count : (size_t)width;
    double low = INFINITY, high = -INFINITY;
    for (size_t i = 0; i < places; i++) {
        double value = mean_of(values, i * count / places, (i + 1) * count / places);
        low = fmin(low, value); /* the number, when one of both is NaN */
        high = fmax(high, value);
    }
    for (size_t i = 0; i < places; i++) {
        double value = mean_of(values, i * count / places, (i + 1) * count / places);
        double share = high > low ? (value - low) / (high - low) : 0.0;
        share = share >= 0.0 && share <= 1.0 ? share : 0.0; /* NaN where the range overflows */
        lu_text_add_char(text, isnan(value) ? ' ' : levels[(int)(share * 7.0 + 0.5)]);
    }
}
