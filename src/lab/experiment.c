/* Runs by the names of their experiments: see ludus/experiment.h. */
#include "ludus/experiment.h"

#include "ludus/file.h"
#include "run_files.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define LINK_UNDONE ".undone_"

/* ---- links ---- */

/* Replaces a link, or what is not there, by a link to `target`; *before takes where it led. */
static lu_status put_link(const char *folder, const char *name, const char *target, lu_text *before,
                          lu_error *error) {
    char old[PATH_MAX];
    lu_text path = LU_TEXT_INIT, undone = LU_TEXT_INIT;
    lu_text_addf(&path, "%s/%s", folder, name);
    lu_text_addf(&undone, "%s/" LINK_UNDONE "%s", folder, name);
    ssize_t length = readlink(path.text, old, sizeof old - 1);
    lu_status status = LU_OK;
    if (length < 0 && errno != ENOENT) {
        status = lu_fail(error, LU_BUSY, "%s isn't a link and was left alone: choose another name",
                         path.text);
    }
    if (status == LU_OK) {
        (void)unlink(undone.text); /* of a training that was killed here */
        bool done = symlink(target, undone.text) == 0 && rename(undone.text, path.text) == 0;
        status =
            done ? LU_OK
                 : lu_fail(error, LU_IO, "cannot make the link %s: %s", path.text, strerror(errno));
    }
    if (status == LU_OK && before) {
        lu_text_add_n(before, old, length > 0 ? (size_t)length : 0);
    }
    lu_text_free(&path);
    lu_text_free(&undone);
    return status;
}

static bool is_name(const char *name) {
    return *name != '-' && run_is_id(name);
}

/* The last part of a path. */
static const char *last_of(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

/* BASE, the folder that holds that of the runs, and "../RUNS" from a folder in it. */
static bool place_of(const char *runs, lu_text *base, lu_text *up) {
    char *whole = realpath(runs, NULL);
    const char *name = whole ? last_of(whole) : "";
    lu_text_clear(base);
    lu_text_clear(up);
    if (*name) {
        lu_text_add_n(base, whole, (size_t)(name - whole) - (name > whole + 1));
        lu_text_addf(up, "../%s", name);
    }
    free(whole);
    return up->length > 0;
}

/* BASE/experiments/NAME and BASE/tensorboard/NAME. */
static lu_status link_run(const lu_experiment *x, lu_text *said, lu_error *error) {
    static const char *const kinds[][2] = {{"experiments", ""}, {"tensorboard", "/tensorboard"}};
    lu_text base = LU_TEXT_INIT, up = LU_TEXT_INIT, before = LU_TEXT_INIT;
    lu_text folder = LU_TEXT_INIT, target = LU_TEXT_INIT;
    lu_status status = place_of(x->runs, &base, &up)
                           ? LU_OK
                           : lu_fail(error, LU_IO, "cannot find the folder %s", x->runs);
    for (int k = 0; k < 2 && status == LU_OK; k++) {
        lu_text_clear(&target);
        lu_text_addf(&target, "%s/%s%s", up.text, last_of(x->run), kinds[k][1]);
        run_join(&folder, base.text, kinds[k][0]);
        status = lu_folder_make(folder.text, error);
        LU_THEN(status, put_link(folder.text, x->name, target.text, k ? NULL : &before, error));
    }
    const char *old = last_of(before.text);
    lu_text_addf(said, "%s/experiments/%s leads to this run", base.text, x->name);
    if (*old && strcmp(old, last_of(x->run)) != 0) {
        lu_text_addf(said, ", in place of %s", old);
    }
    lu_text_free(&base);
    lu_text_free(&up);
    lu_text_free(&before);
    lu_text_free(&folder);
    lu_text_free(&target);
    return status;
}

void lu_experiment_forget(const char *runs, const char *id) {
    static const char *const kinds[][2] = {{"experiments", ""}, {"tensorboard", "/tensorboard"}};
    lu_text base = LU_TEXT_INIT, up = LU_TEXT_INIT, folder = LU_TEXT_INIT, path = LU_TEXT_INIT;
    bool placed = place_of(runs, &base, &up);
    for (int k = 0; k < 2 && placed; k++) {
        lu_names names;
        lu_text target = LU_TEXT_INIT;
        lu_text_addf(&target, "%s/%s%s", up.text, id, kinds[k][1]);
        lu_folder_names(run_join(&folder, base.text, kinds[k][0]), "", &names, NULL);
        for (size_t i = 0; i < names.count; i++) {
            char led[PATH_MAX];
            ssize_t length = readlink(run_join(&path, folder.text, names.name[i]), led, sizeof led);
            if (length > 0 && (size_t)length == target.length &&
                memcmp(led, target.text, target.length) == 0) {
                (void)unlink(path.text);
            }
        }
        lu_names_free(&names);
        lu_text_free(&target);
    }
    lu_text_free(&base);
    lu_text_free(&up);
    lu_text_free(&folder);
    lu_text_free(&path);
}

/* ---- what the run holds ---- */

/* JSON values are YAML too. */
static lu_status write_config(const lu_experiment *x, lu_error *error) {
    lu_text text = LU_TEXT_INIT, path = LU_TEXT_INIT;
    lu_text_addf(&text,
                 "# Settings of run %s; `ludus train --preset FILE` trains the same again.\n",
                 last_of(x->run));
    if (lu_settings_has(x->settings, "load") && lu_settings_is_set(x->settings, "load")) {
        lu_json model = LU_JSON_INIT;
        lu_settings_write(x->settings, "load", &model);
        lu_text_addf(&text, "# It began with a model, so that this needs --load %s too.\n",
                     model.text);
        lu_json_free(&model);
    }
    lu_text_addf(&text, "env.name: %s\n", x->game->id);
    for (size_t i = 0; i < lu_settings_rows(x->settings); i++) {
        const char *key = lu_settings_row(x->settings, i, NULL)->key;
        if (lu_settings_origin(x->settings, key) == LU_FROM_DEFAULT ||
            run_listed(x->left_out, key)) {
            continue;
        }
        lu_json value = LU_JSON_INIT;
        lu_settings_write(x->settings, key, &value);
        lu_text_addf(&text, "%s: %s\n", key, value.text);
        lu_json_free(&value);
    }
    lu_status status =
        lu_file_write(run_join(&path, x->run, "config.yml"), text.text, text.length, error);
    lu_text_free(&text);
    lu_text_free(&path);
    return status;
}

/* One folder with all that the training and its companions write down. */
static lu_status link_logs(const lu_experiment *x, lu_error *error) {
    static const struct {
        const char *name, *target, *wanted; /* `wanted`: a setting that must be on; NULL: always */
    } logs[] = {
        {"updates.jsonl", "../" RUN_UPDATES, NULL},
        {"windows.jsonl", "../" RUN_WINDOWS, NULL},
        {"evals.jsonl", "../" RUN_EVALS, "eval.on"},
        {"evaluator.log", "../evaluator.log", "eval.on"},
        {"tensorboard.log", "../tensorboard/tensorboard.log", "tensorboard"},
        {"server.log", "../server.log", "serve"},
    };
    lu_text folder = LU_TEXT_INIT;
    lu_status status = lu_folder_make(run_join(&folder, x->run, "logs"), error);
    for (size_t i = 0; i < sizeof logs / sizeof *logs && status == LU_OK; i++) {
        bool wanted = !logs[i].wanted || (lu_settings_has(x->settings, logs[i].wanted) &&
                                          lu_settings_bool(x->settings, logs[i].wanted));
        status = wanted ? put_link(folder.text, logs[i].name, logs[i].target, NULL, error) : LU_OK;
    }
    lu_text_free(&folder);
    return status;
}

lu_status lu_experiment_open(const lu_experiment *x, lu_text *said, lu_error *error) {
    if (!is_name(x->name)) {
        return lu_fail(error, LU_BAD_VALUE,
                       "the experiment's name '%.100s' must consist of letters, digits, '.', '_' "
                       "and '-': no experiments folder was created",
                       x->name);
    }
    LU_TRY(write_config(x, error));
    LU_TRY(link_logs(x, error));
    return link_run(x, said, error);
}

lu_status lu_experiment_model(const char *run, const lu_model_file *model, lu_error *error) {
    lu_text path = LU_TEXT_INIT;
    lu_status status = lu_model_file_export_zip(run_join(&path, run, "model.zip"), model, error);
    lu_text_free(&path);
    return status;
}
