/* ludus runs rm: removes runs, after telling what would go. */
#include "output.h"
#include "runs.h"

#include "ludus/run.h"
#include "ludus/run_remove.h"

#include <stdlib.h>
#include <string.h>

static void print_text(const lu_removal *list, int count, bool removed) {
    static const char *const parts[] = {"checkpoints", "replays", "metrics", "tensorboard"};
    lu_text text = LU_TEXT_INIT, path = LU_TEXT_INIT;
    for (int i = 0; i < count; i++) {
        lu_text_add(&text, removed ? "removed " : "would remove ");
        foreign_add(&text, list[i].path.text, 0);
        lu_text_addf(&text, ": %s, %s\n", counted(list[i].size.files, "file"),
                     bytes_text(list[i].size.bytes));
        for (size_t p = 0; p < sizeof parts / sizeof *parts && !removed; p++) {
            lu_text_clear(&path);
            lu_text_addf(&path, "%s/%s", list[i].path.text, parts[p]);
            lu_folder_size size = lu_folder_measure(path.text);
            if (size.files > 0) {
                lu_text_addf(&text, "  %-12s %6lld files  %s\n", parts[p], (long long)size.files,
                             bytes_text(size.bytes));
            }
        }
    }
    lu_text_add(&text, removed ? "" : "Nothing was removed yet: add --yes to do it.\n");
    out_text_end(&text);
    lu_text_free(&path);
}

static void print_json(const lu_removal *list, int count, bool removed) {
    lu_json json = LU_JSON_INIT;
    lu_json_object(&json);
    lu_json_key_int(&json, "schema", 1);
    lu_json_key_bool(&json, "removed", removed);
    lu_json_key_array(&json, "runs");
    for (int i = 0; i < count; i++) {
        lu_json_object(&json);
        lu_json_key_string(&json, "run_id", list[i].id);
        lu_json_key_string(&json, "folder", list[i].path.text);
        lu_json_key_int(&json, "files", list[i].size.files);
        lu_json_key_int(&json, "bytes", list[i].size.bytes);
        lu_json_object_end(&json);
    }
    lu_json_array_end(&json);
    out_json_end(&json);
}

/* ---- the word ---- */

lu_status runs_rm(verb_call *call, lu_error *error) {
    bool yes = lu_settings_bool(call->settings, "yes");
    lu_removal *list = lu_alloc_zero((size_t)call->arguments, sizeof *list);
    lu_status status = LU_OK;
    int count = 0, removed = 0;
    lu_catalogue *catalogue = NULL;
    lu_text runs = LU_TEXT_INIT;
    lu_run_place(call->settings, &runs);
    /* all are looked at before the first goes */
    while (count < call->arguments && status == LU_OK) {
        status = lu_removal_choose(list, count, runs.text, call->argument[count], error);
        count++;
    }
    if (status == LU_OK && yes) {
        lu_removal_clean(runs.text);
        catalogue = lu_catalogue_open(runs.text, LU_CATALOGUE_WRITE, NULL);
    }
    progress_start();
    while (removed < count && status == LU_OK && yes) {
        progress((double)removed / count, "removing");
        status = lu_removal_do(&list[removed], runs.text, catalogue, error);
        removed += status == LU_OK;
    }
    progress_end();
    lu_catalogue_close(catalogue);
    int told = yes ? removed : status == LU_OK ? count : 0;
    if (call->json && status == LU_OK) {
        print_json(list, told, yes);
    } else if (told > 0 && !call->json) {
        print_text(list, told, yes);
    }
    for (int i = 0; i < count; i++) {
        lu_removal_free(&list[i]);
    }
    free(list);
    lu_text_free(&runs);
    return status;
}
