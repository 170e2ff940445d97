/* Figures of a run along an axis, as buckets: the least, largest, mean and last value of each, with
 * their number, so that a chart of any width shows every peak of a run of any length. Windows come
 * from the catalogue with their evaluations (keys eval.*), updates from their file, line by line.
 */
#include "app.h"

#include "ludus/file.h"

#include <fcntl.h>
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { KEYS_MOST = 16, NAMES_MOST = 400, LINE_MOST = 1 << 20, DEPTH_MOST = 3, LOOK = 40 };
#define ROWS_MOST ((size_t)4 << 20)

typedef struct series {
    const char *axis;
    int keys;
    const char *key[KEYS_MOST];
    double low, high; /* of x */
    size_t rows, room;
    bool over;     /* its rows are more than there is memory for */
    double *cells; /* per row: x, what resumes go by, and a value per key (NaN: none) */
    size_t names;  /* keys that exist, when none was asked for */
    char *name[NAMES_MOST];
} series;

static double *row_at(const series *s, size_t index) {
    return s->cells + index * (size_t)(s->keys + 2);
}

static void series_free(series *s) {
    for (size_t i = 0; i < s->names; i++) {
        free(s->name[i]);
    }
    free(s->cells);
}

/* ---- rows ---- */

/* The number at a dotted path; NaN when there is none. */
static double number_at(const lu_json_value *value, const char *path) {
    char name[128];
    while (value && *path) {
        size_t length = strcspn(path, ".");
        snprintf(name, sizeof name, "%.*s", (int)length, path);
        value = lu_json_get(value, name);
        path += length + (path[length] == '.');
    }
    return lu_json_real_or(value, (double)NAN);
}

static void add_name(series *s, const char *name) {
    for (size_t i = 0; i < s->names; i++) {
        if (strcmp(s->name[i], name) == 0) {
            return;
        }
    }
    if (s->names < NAMES_MOST) {
        s->name[s->names++] = lu_strdup(name);
    }
}

/* Paths of all numbers below a value. */
static void add_names(series *s, const lu_json_value *value, const char *prefix, int depth) {
    for (size_t i = 0; i < lu_json_count(value); i++) {
        const char *key;
        const lu_json_value *member = lu_json_member(value, i, &key);
        lu_text path = LU_TEXT_INIT;
        lu_text_addf(&path, "%s%s%s", prefix, *prefix ? "." : "", key);
        const param plain = {.name = "key", .kind = PARAM_KEY};
        if (!param_fits(&plain, path.text)) {
            lu_text_free(&path);
            continue;
        }
        if (lu_json_kind_of(member) == LU_JSON_NUMBER) {
            add_name(s, path.text);
        } else if (lu_json_kind_of(member) == LU_JSON_OBJECT && depth < DEPTH_MOST) {
            add_names(s, member, path.text, depth + 1);
        }
        lu_text_free(&path);
    }
}

/* Room for more rows; false where the memory for them is not there. */
static bool grow(series *s) {
    size_t room = s->room ? 2 * s->room : 256;
    double *cells = lu_try_realloc(s->cells, room * (size_t)(s->keys + 2) * sizeof *cells);
    if (cells) {
        s->cells = cells;
        s->room = room;
    }
    return cells != NULL;
}

/* Adds a row; `judged` is the evaluation of its window, or NULL. */
static void add_row(series *s, const lu_json_value *row, const char *order,
                    const lu_json_value *judged) {
    double x = number_at(row, s->axis);
    if (!isfinite(x) || s->rows == ROWS_MOST) {
        return;
    }
    if (s->rows == s->room && !grow(s)) {
        s->over = true;
        return;
    }
    double *cells = row_at(s, s->rows++);
    cells[0] = x;
    cells[1] = number_at(row, order);
    for (int k = 0; k < s->keys; k++) {
        bool eval = strncmp(s->key[k], "eval.", 5) == 0;
        cells[k + 2] = eval ? number_at(lu_json_get(judged, "value"), s->key[k] + 5)
                            : number_at(row, s->key[k]);
    }
}

/* ---- windows ---- */

static lu_json_document *parse(const char *row) {
    return lu_json_read("row", row, strlen(row), NULL);
}

static void look_at_windows(series *s, const lu_window_list *windows,
                            const lu_evaluation_list *judged) {
    size_t first = windows->count > LOOK ? windows->count - LOOK : 0;
    for (size_t i = first; i < windows->count; i++) {
        lu_json_document *row = parse(windows->entry[i].row);
        add_names(s, row ? lu_json_root(row) : NULL, "", 0);
        lu_json_close(row);
    }
    lu_json_document *row = judged->count ? parse(judged->entry[judged->count - 1].row) : NULL;
    add_names(s, row ? lu_json_get(lu_json_root(row), "value") : NULL, "eval", 1);
    lu_json_close(row);
}

static lu_status read_windows(series *s, lu_catalogue *c, const char *run_id) {
    lu_window_list windows = {0};
    lu_evaluation_list judged = {0};
    lu_status status = lu_catalogue_windows(c, run_id, 0, 0, &windows, NULL);
    LU_THEN(status, lu_catalogue_evaluations(c, run_id, 0, 0, &judged, NULL));
    if (status == LU_OK && s->keys == 0) {
        look_at_windows(s, &windows, &judged);
        s->rows = windows.count;
    }
    for (size_t i = 0, e = 0; status == LU_OK && s->keys > 0 && i < windows.count; i++) {
        while (e < judged.count && judged.entry[e].window_id < windows.entry[i].window_id) {
            e++;
        }
        bool both = e < judged.count && judged.entry[e].window_id == windows.entry[i].window_id;
        lu_json_document *row = parse(windows.entry[i].row);
        lu_json_document *eval = both ? parse(judged.entry[e].row) : NULL;
        add_row(s, row ? lu_json_root(row) : NULL, "window_id", eval ? lu_json_root(eval) : NULL);
        lu_json_close(row);
        lu_json_close(eval);
    }
    lu_window_list_free(&windows);
    lu_evaluation_list_free(&judged);
    return status;
}

/* ---- updates ---- */

/* One line of updates.jsonl: a row, or a resume that makes later rows void. */
static void add_line(series *s, const char *line, size_t length) {
    lu_json_document *document = lu_json_read("row", line, length, NULL);
    const lu_json_value *root = document ? lu_json_root(document) : NULL;
    const lu_json_value *resume = lu_json_get(root, "resume");
    if (resume) {
        double last = lu_json_real_or(resume, DBL_MAX);
        while (s->rows > 0 && row_at(s, s->rows - 1)[1] > last) {
            s->rows--;
        }
    } else if (root) {
        add_row(s, root, "update", NULL);
        if (s->keys == 0) {
            add_names(s, root, "", 0);
        }
    }
    lu_json_close(document);
}

static lu_status read_updates(series *s, worker *w, const char *run_id) {
    size_t size;
    char tag[64];
    const char *names[] = {run_id, "metrics", "updates.jsonl", NULL};
    int file = open_beneath(w->app->options.runs, names, &size, tag);
    FILE *input = lu_file_stream(file);
    char *line = NULL;
    size_t room = 0;
    if (!input) {
        return file == NO_DESCRIPTOR ? LU_BUSY : LU_OK; /* nothing was written yet */
    }
    for (ssize_t length; (length = lu_file_line(&line, &room, input)) > 0;) {
        if (line[length - 1] == '\n' && length < LINE_MOST) { /* else it is being written */
            add_line(s, line, (size_t)length - 1);
        }
        worker_has_read(w, (size_t)length);
    }
    free(line);
    fclose(input);
    return LU_OK;
}

/* ---- buckets ---- */

typedef struct bucket {
    double x0, x1, min, max, sum, last;
    int64_t count;
} bucket;

static void write_bucket(const bucket *b, lu_json *json) {
    lu_json_object(json);
    lu_json_key_real(json, "x0", b->x0);
    lu_json_key_real(json, "x1", b->x1);
    lu_json_key_real(json, "min", b->min);
    lu_json_key_real(json, "max", b->max);
    lu_json_key_real(json, "mean", b->sum / (double)b->count);
    lu_json_key_real(json, "last", b->last);
    lu_json_key_int(json, "count", b->count);
    lu_json_object_end(json);
}

/* Stretches of equal width between the first and the last x; empty ones are left out. */
static void write_series(const series *s, int key, int64_t buckets, lu_json *json) {
    bucket open = {0};
    int64_t total = 0, at = -1;
    double width = (s->high - s->low) / (double)buckets;
    lu_json_object(json);
    lu_json_key_string(json, "key", s->key[key]);
    lu_json_key_array(json, "buckets");
    for (size_t i = 0; i < s->rows; i++) {
        const double *row = row_at(s, i);
        double x = row[0], value = row[key + 2];
        if (x < s->low || x > s->high || !isfinite(value)) {
            continue;
        }
        int64_t place = width > 0.0 ? (int64_t)((x - s->low) / width) : 0;
        place = place < buckets ? place : buckets - 1;
        if (place != at && open.count > 0) {
            write_bucket(&open, json);
            open.count = 0;
        }
        at = place;
        if (open.count == 0) {
            open = (bucket){.x0 = x, .min = value, .max = value};
        }
        open.x1 = x;
        open.min = fmin(open.min, value);
        open.max = fmax(open.max, value);
        open.sum += value;
        open.last = value;
        open.count++;
        total++;
    }
    if (open.count > 0) {
        write_bucket(&open, json);
    }
    lu_json_array_end(json);
    lu_json_key_int(json, "count", total);
    lu_json_object_end(json);
}

/* Narrows what was asked for to what is there. */
static void set_range(series *s, const http_request *r) {
    double first = INFINITY, last = -INFINITY;
    for (size_t i = 0; i < s->rows; i++) {
        first = fmin(first, row_at(s, i)[0]);
        last = fmax(last, row_at(s, i)[0]);
    }
    s->low = fmax(first, param_real(r, "from", -INFINITY));
    s->high = fmin(last, param_real(r, "to", INFINITY));
}

static void write_answer(series *s, const http_request *r, const char *rows, http_answer *answer) {
    lu_json json = LU_JSON_INIT;
    lu_json_object(&json);
    lu_json_key_string(&json, "axis", s->axis);
    lu_json_key_string(&json, "rows", rows);
    lu_json_key_int(&json, "total", (int64_t)s->rows);
    lu_json_key_array(&json, s->keys ? "series" : "keys");
    for (size_t i = 0; i < s->names && s->keys == 0; i++) {
        lu_json_string(&json, s->name[i]);
    }
    for (int k = 0; k < s->keys; k++) {
        write_series(s, k, param_int(r, "buckets", 400), &json);
    }
    lu_json_array_end(&json);
    lu_json_object_end(&json);
    answer_json(answer, 200, &json);
}

void on_series_get(worker *w, const http_request *r, http_answer *answer) {
    lu_run_entry run;
    const char *rows = request_parameter(r, "rows"), *axis = request_parameter(r, "axis");
    series s = {.axis = axis ? axis : "env_steps"};
    for (int i = 0; i < r->parameters; i++) {
        if (strcmp(r->parameter[i].key, "key") == 0) {
            s.key[s.keys++] = r->parameter[i].value;
        }
    }
    rows = rows ? rows : "windows";
    if (!worker_run(w, r, answer, &run)) {
        return;
    }
    lu_status status = strcmp(rows, "updates") == 0 ? read_updates(&s, w, run.run_id)
                                                    : read_windows(&s, w->catalogue, run.run_id);
    status = status == LU_OK && s.over ? LU_LIMIT : status;
    if (status == LU_OK) {
        if (s.keys > 0) {
            set_range(&s, r);
        }
        write_answer(&s, r, rows, answer);
    } else {
        answer_failed(answer, r, status);
    }
    series_free(&s);
    lu_run_entry_free(&run);
}
