/* ludus runs list: the runs of a folder, newest first. */
#include "output.h"
#include "runs.h"
#include "train_display.h"

#include "ludus/run.h"

#include <math.h>
#include <string.h>

/* "" is any. */
static const char *any(const char *text) {
    return *text ? text : NULL;
}

/* Where the catalogue cannot be written, one in memory serves as well. */
static lu_status read_runs(const char *runs, const lu_run_filter *filter, lu_run_list *list,
                           lu_error *error) {
    lu_status status = LU_OK;
    static const lu_catalogue_mode modes[] = {LU_CATALOGUE_WRITE, LU_CATALOGUE_MEMORY};
    progress_start();
    for (int m = 0; m < 2; m++) {
        lu_catalogue *c = lu_catalogue_open(runs, modes[m], error);
        status = c ? lu_catalogue_sync_all(c, runs_watch, "reading runs", error) : error->status;
        LU_THEN(status, lu_catalogue_runs(c, filter, list, error));
        lu_catalogue_close(c);
        if (status == LU_OK || status == LU_INTERRUPTED) {
            break;
        }
    }
    progress_end();
    return status;
}

static void print_json(const char *runs, const lu_run_list *list) {
    lu_json json = LU_JSON_INIT;
    lu_json_object(&json);
    lu_json_key_int(&json, "schema", 1);
    lu_json_key_string(&json, "folder", runs);
    lu_json_key_array(&json, "runs");
    for (size_t i = 0; i < list->count; i++) {
        lu_json_object(&json);
        run_entry_write(&list->entry[i], &json);
        lu_json_object_end(&json);
    }
    lu_json_array_end(&json);
    out_json_end(&json);
}

static void print_table(const lu_run_list *list) {
    size_t damaged = 0;
    table t = table_of("llLlrRRrnL");
    table_row(&t, "run", "game", "algorithm", "status", "steps", "windows", "return", "best",
              "95% interval", "tags");
    for (size_t i = 0; i < list->count; i++) {
        const lu_run_entry *e = &list->entry[i];
        const char *tags = *e->tags ? e->tags + 1 : "";
        table_row(&t, foreign(e->run_id, 60), foreign(e->game, 24), foreign(e->algorithm, 12),
                  foreign(e->status, 12), count_text((double)e->env_steps),
                  cell("%lld", (long long)e->windows), real_text(e->last_return),
                  real_text(e->best), interval_text(e->best_low, e->best_high), foreign(tags, 40));
        damaged += *e->problem != 0;
    }
    table_print(&t);
    table_free(&t);
    if (damaged > 0) {
        note("%zu of these have damaged files; `ludus runs show RUN` says which", damaged);
    }
}

lu_status runs_list(verb_call *call, lu_error *error) {
    const lu_settings *own = call->settings;
    lu_run_filter filter = {
        .game = any(lu_settings_text_of(own, "game")),
        .status = lu_settings_enum(own, "status") > 0 ? lu_settings_text_of(own, "status") : NULL,
        .tag = any(lu_settings_text_of(own, "tag")),
        .archived = lu_settings_bool(own, "archived"),
    };
    lu_run_list list = {0};
    lu_text runs = LU_TEXT_INIT;
    lu_run_place(own, &runs);
    lu_status status = read_runs(runs.text, &filter, &list, error);
    if (status == LU_OK && call->json) {
        print_json(runs.text, &list);
    } else if (status == LU_OK && list.count == 0) {
        out_format("no matching run in %s; `ludus train GAME` starts one\n", runs.text);
    } else if (status == LU_OK) {
        print_table(&list);
    }
    lu_run_list_free(&list);
    lu_text_free(&runs);
    return status;
}
