/* ludus runs show: all that a run's folder tells, for people in tables and as one JSON document. */
#include "output.h"
#include "runs.h"
#include "train_display.h"

#include "ludus/file.h"
#include "ludus/run.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { ROWS = 12 }; /* of a table; --json has all */

/* ---- checkpoints ---- */

typedef struct point {
    char *name;
    lu_manifest manifest;
    bool whole, resumable; /* its manifest reads; it has the state of the trainer */
    lu_folder_size size;
} point;

static int compare_points(const void *a, const void *b) {
    const point *x = a, *y = b;
    int64_t left = x->manifest.window, right = y->manifest.window;
    return left != right ? (left < right ? -1 : 1) : strcmp(x->name, y->name);
}

static size_t read_points(const lu_run_view *v, point **points) {
    lu_names names;
    lu_text path = LU_TEXT_INIT;
    lu_text_addf(&path, "%s/checkpoints", v->path.text);
    lu_folder_names(path.text, "ckpt_", &names, NULL);
    size_t count = names.count;
    *points = lu_alloc_zero(count, sizeof **points);
    for (size_t i = 0; i < count; i++) {
        point *p = &(*points)[i];
        p->name = lu_strdup(names.name[i]);
        lu_text_clear(&path);
        lu_text_addf(&path, "%s/checkpoints/%s", v->path.text, p->name);
        p->whole = lu_manifest_read(path.text, &p->manifest, NULL) == LU_OK;
        p->size = lu_folder_measure(path.text);
        lu_text_add(&path, "/state.bin");
        p->resumable = lu_file_exists(path.text);
    }
    lu_names_free(&names);
    if (count > 0) {
        qsort(*points, count, sizeof **points, compare_points);
    }
    lu_text_free(&path);
    return count;
}

static void free_points(point *points, size_t count) {
    for (size_t i = 0; i < count; i++) {
        free(points[i].name);
    }
    free(points);
}

/* ---- JSON ---- */

static void write_rows(const lu_run_view *v, lu_json *json) {
    lu_json_key_array(json, "window_rows");
    for (size_t i = 0; i < v->windows.count; i++) {
        lu_json_raw(json, v->windows.entry[i].row, strlen(v->windows.entry[i].row));
    }
    lu_json_array_end(json);
    lu_json_key_array(json, "evaluation_rows");
    for (size_t i = 0; i < v->evaluations.count; i++) {
        lu_json_raw(json, v->evaluations.entry[i].row, strlen(v->evaluations.entry[i].row));
    }
    lu_json_array_end(json);
    lu_json_key_array(json, "replay_rows");
    for (size_t i = 0; i < v->replays.count; i++) {
        lu_json_object(json);
        lu_replay_entry_write(&v->replays.entry[i], json);
        lu_json_key_string(json, "file", v->replays.entry[i].file);
        lu_json_object_end(json);
    }
    lu_json_array_end(json);
}

static void write_points(const point *points, size_t count, lu_json *json) {
    lu_json_key_array(json, "checkpoints");
    for (size_t i = 0; i < count; i++) {
        const point *p = &points[i];
        lu_json_object(json);
        lu_json_key_string(json, "name", p->name);
        lu_json_key_bool(json, "whole", p->whole);
        if (p->whole) {
            lu_json_key_int(json, "window_id", p->manifest.window);
            lu_json_key_int(json, "update", p->manifest.update);
            lu_json_key_int(json, "env_steps", p->manifest.steps);
            lu_json_key_bool(json, "closed", p->manifest.closed);
        }
        lu_json_key_bool(json, "resumable", p->resumable);
        lu_json_key_int(json, "bytes", p->size.bytes);
        lu_json_object_end(json);
    }
    lu_json_array_end(json);
}

static void print_json(const lu_run_view *v, const point *points, size_t count,
                       lu_folder_size size) {
    lu_json json = LU_JSON_INIT;
    lu_json_object(&json);
    lu_json_key_int(&json, "schema", 1);
    lu_json_key_string(&json, "folder", v->path.text);
    run_entry_write(&v->entry, &json);
    lu_json_key_int(&json, "files", size.files);
    lu_json_key_int(&json, "bytes", size.bytes);
    lu_run_facts_write(v->facts ? lu_json_root(v->facts) : NULL, &json);
    write_rows(v, &json);
    write_points(points, count, &json);
    out_json_end(&json);
}

/* ---- text ---- */

static void print_head(const lu_run_view *v, lu_folder_size size) {
    const lu_run_entry *e = &v->entry;
    lu_text text = LU_TEXT_INIT;
    lu_text_add(&text, paint(BOLD));
    foreign_add(&text, e->run_id, 0);
    lu_text_addf(&text, "%s\n%s by %s, %s", paint(PLAIN), foreign(e->game, 40),
                 foreign(e->algorithm, 20), foreign(e->status, 20));
    lu_text_addf(&text, "%s: %s steps, %lld update%s, ", e->archived ? ", archived" : "",
                 count_text((double)e->env_steps), (long long)e->update, e->update == 1 ? "" : "s");
    if (isfinite(e->wall_seconds)) { /* told by the first window */
        lu_text_addf(&text, "%s, ", span_text(e->wall_seconds));
    }
    lu_text_addf(&text, "seed %s\n", foreign(e->seed, 24));
    lu_text_addf(&text, "started %s, last written %s", foreign(e->started, 30),
                 foreign(e->written, 30));
    if (e->resumes > 0) {
        lu_text_addf(&text, ", resumed %lld time%s", (long long)e->resumes,
                     e->resumes == 1 ? "" : "s");
    }
    lu_text_addf(&text, "\nludus %s, commit %s, on %s\n", foreign(e->version, 20),
                 foreign(e->commit, 50), foreign(e->host, 50));
    if (*e->tags) {
        lu_text_add(&text, "tags:");
        foreign_add(&text, e->tags, 0);
        lu_text_add_char(&text, '\n');
    }
    if (*e->note) {
        lu_text_add(&text, "note: ");
        foreign_add(&text, e->note, 0);
        lu_text_add_char(&text, '\n');
    }
    foreign_add(&text, v->path.text, 0);
    lu_text_addf(&text, ": %s, %s\n", counted(size.files, "file"), bytes_text(size.bytes));
    if (*e->problem) {
        lu_text_addf(&text, "%sdamaged:%s ", paint(RED), paint(PLAIN));
        foreign_add(&text, e->problem, 0);
        lu_text_add_char(&text, '\n');
    }
    out_line("%s", text.text);
    lu_text_free(&text);
}

/* A path without the project's folder in front. */
static const char *in_project(const char *path) {
    size_t length = lu_home() ? strlen(lu_home()) : 0;
    return length > 0 && strncmp(path, lu_home(), length) == 0 && path[length] == '/'
               ? path + length + 1
               : path;
}

static void print_settings(const lu_run_view *v) {
    lu_run_setting s;
    table t = table_of("llll");
    table_row(&t, "setting", "value", "origin", "where");
    for (size_t i = 0; lu_run_setting_at(v, i, &s); i++) {
        if (strcmp(s.origin, "default") != 0 && !runs_is_short(v, s.key)) {
            table_row(&t, foreign(s.key, 40), foreign(s.value.text, 50), foreign(s.origin, 10),
                      foreign(in_project(s.where), 60));
        }
        lu_run_setting_free(&s);
    }
    out_text(t.rows > 1 ? "\n" : "\nall settings have their default values\n");
    if (t.rows > 1) {
        table_print(&t);
    }
    table_free(&t);
}

/* "windows (the last 12 of 40)"; returns the first row to show. */
static size_t print_title(const char *name, size_t count) {
    if (count > ROWS) {
        out_format("\n%s (the last %d of %zu; --json has all)\n", name, ROWS, count);
        return count - ROWS;
    }
    out_format("\n%s (%zu)\n", name, count);
    return 0;
}

static void print_windows(const lu_run_view *v) {
    size_t count = v->windows.count;
    if (count == 0) {
        out_text("\nno windows yet\n");
        return;
    }
    table t = table_of("rrrrrrr");
    table_row(&t, "window", "steps", "episodes", "return", "length", "steps/s", "time");
    for (size_t i = print_title("windows", count); i < count; i++) {
        const lu_window_entry *w = &v->windows.entry[i];
        table_row(&t, cell("%lld%s", (long long)w->window_id, w->complete ? "" : "+"),
                  count_text((double)w->env_steps), cell("%lld", (long long)w->episodes),
                  real_text(w->episode_return), real_text(w->episode_length),
                  real_text(w->steps_per_second), span_text(w->wall_seconds));
    }
    table_print(&t);
    table_free(&t);
    double *returns = lu_alloc(count * sizeof *returns);
    for (size_t i = 0; i < count; i++) {
        returns[i] = v->windows.entry[i].episode_return;
    }
    lu_text curve = LU_TEXT_INIT;
    spark_add(&curve, returns, count, 60);
    out_format("return %s\n", curve.text);
    lu_text_free(&curve);
    free(returns);
}

/* The best is found by a paired test: another window may have the highest mean. */
static void print_highest(const lu_run_view *v) {
    const lu_evaluation_entry *best = NULL;
    const lu_evaluation_entry *high = NULL;
    for (size_t i = 0; i < v->evaluations.count; i++) {
        const lu_evaluation_entry *e = &v->evaluations.entry[i];
        best = e->window_id == v->entry.best_window ? e : best;
        high = high == NULL || e->mean > high->mean ? e : high;
    }
    if (best == NULL || high->mean <= best->mean) {
        return;
    }
    out_line("best by paired test: window %lld (%s); highest mean: window %lld (%s), not "
             "significantly better%s\n",
             (long long)best->window_id, real_text(best->mean), (long long)high->window_id,
             real_text(high->mean),
             high->window_id > best->window_id ? "" : " than the best before it");
}

static void print_evaluations(const lu_run_view *v) {
    size_t count = v->evaluations.count;
    if (count == 0) {
        out_text("\nno evaluations yet\n");
        return;
    }
    table t = table_of("rrlrnRRl");
    table_row(&t, "window", "steps", "metric", "mean", "95% interval", "median", "episodes", "");
    for (size_t i = print_title("evaluations", count); i < count; i++) {
        const lu_evaluation_entry *e = &v->evaluations.entry[i];
        table_row(&t, cell("%lld", (long long)e->window_id), count_text((double)e->env_steps),
                  foreign(e->metric, 24), real_text(e->mean), interval_text(e->low, e->high),
                  real_text(e->median), cell("%lld", (long long)e->episodes),
                  e->window_id == v->entry.best_window ? "best" : "");
    }
    table_print(&t);
    table_free(&t);
    print_highest(v);
}

static void print_replays(const lu_run_view *v) {
    size_t count = v->replays.count;
    if (count == 0) {
        return;
    }
    table t = table_of("lrrrRw");
    table_row(&t, "replay", "window", "return", "value", "decisions", "tags");
    size_t from = print_title("replays", count);
    for (size_t i = count - from; i-- > 0;) { /* the list begins with the newest */
        const lu_replay_entry *r = &v->replays.entry[i];
        table_row(&t, foreign(r->replay_id, 40), cell("%lld", (long long)r->window_id),
                  real_text(r->episode_return), real_text(r->value),
                  cell("%lld", (long long)r->decisions), foreign(*r->tags ? r->tags + 1 : "", 120));
    }
    table_print(&t);
    table_free(&t);
}

static void print_points(const point *points, size_t count) {
    if (count == 0) {
        out_text("\nno checkpoints yet\n");
        return;
    }
    table t = table_of("lrrrl");
    table_row(&t, "checkpoint", "update", "steps", "size", "");
    for (size_t i = print_title("checkpoints", count); i < count; i++) {
        const point *p = &points[i];
        table_row(&t, foreign(p->name, 40),
                  p->whole ? cell("%lld", (long long)p->manifest.update) : "-",
                  p->whole ? count_text((double)p->manifest.steps) : "-", bytes_text(p->size.bytes),
                  !p->whole      ? "damaged"
                  : p->resumable ? "can be resumed"
                                 : "model only");
    }
    table_print(&t);
    table_free(&t);
}

lu_status runs_show(verb_call *call, lu_error *error) {
    lu_run_view v;
    point *points;
    LU_TRY(lu_run_view_open(&v, call->settings, call->argument[0], error));
    size_t count = read_points(&v, &points);
    lu_folder_size size = lu_folder_measure(v.path.text);
    if (call->json) {
        print_json(&v, points, count, size);
    } else {
        print_head(&v, size);
        print_settings(&v);
        print_windows(&v);
        print_evaluations(&v);
        print_replays(&v);
        print_points(points, count);
    }
    free_points(points, count);
    lu_run_view_close(&v);
    return LU_OK;
}
