/* Checkpoints: a folder each, written beside its place, synced and renamed. The manifest holds size
 * and hash of the other files; what is not as it says is refused. */
#include "inside.h"

#include "ludus/file.h"
#include "ludus/hash.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

const char *run_join(lu_text *path, const char *folder, const char *name) {
    lu_text_clear(path);
    lu_text_addf(path, "%s/%s", folder, name);
    return path->text;
}

/* Update of a checkpoint's folder; -1 for any other name. */
static int64_t update_of(const char *name) {
    const size_t lead = sizeof RUN_CKPT - 1;
    int64_t update;
    if (strncmp(name, RUN_CKPT, lead) != 0 || strlen(name) > 40 ||
        strspn(name + lead, "0123456789") != strlen(name + lead) ||
        lu_parse_i64("update", name + lead, 0, INT64_MAX, &update, NULL) != LU_OK) {
        return -1;
    }
    return update;
}

static DIR *open_checkpoints(const char *run, lu_text *path) {
    return opendir(run_join(path, run, "checkpoints"));
}

bool run_newest(const char *run, lu_text *path) {
    lu_text folder;
    int64_t newest = -1;
    char name[48] = "";
    lu_text_init(&folder);
    DIR *list = open_checkpoints(run, &folder);
    for (struct dirent *entry; list && (entry = readdir(list)) != NULL;) {
        int64_t update = update_of(entry->d_name);
        if (update > newest) {
            newest = update;
            snprintf(name, sizeof name, "%.47s", entry->d_name);
        }
    }
    if (list) {
        closedir(list);
    }
    if (newest >= 0) {
        lu_text_addf(path, "%s/%s", folder.text, name);
    }
    lu_text_free(&folder);
    return newest >= 0;
}

/* ---- removing ---- */

/* Removes a folder of plain files. */
static void remove_folder(const char *path) {
    lu_text file;
    lu_text_init(&file);
    DIR *list = opendir(path);
    for (struct dirent *entry; list && (entry = readdir(list)) != NULL;) {
        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0) {
            unlink(run_join(&file, path, entry->d_name));
        }
    }
    if (list) {
        closedir(list);
    }
    rmdir(path);
    lu_text_free(&file);
}

/* The largest update that `keep` others are newer than; -1 when there are fewer. */
static int64_t last_to_go(const char *run, int keep) {
    lu_text folder;
    int64_t bound = INT64_MAX;
    lu_text_init(&folder);
    for (int i = 0; i <= keep && bound >= 0; i++) {
        int64_t next = -1;
        DIR *list = open_checkpoints(run, &folder);
        for (struct dirent *entry; list && (entry = readdir(list)) != NULL;) {
            int64_t update = update_of(entry->d_name);
            next = update < bound && update > next ? update : next;
        }
        if (list) {
            closedir(list);
        }
        bound = next;
    }
    lu_text_free(&folder);
    return bound;
}

void run_sweep(const char *run, int keep) {
    lu_text folder, path;
    int64_t gone = keep > 0 ? last_to_go(run, keep) : -1;
    lu_text_init(&folder);
    lu_text_init(&path);
    DIR *list = open_checkpoints(run, &folder);
    for (struct dirent *entry; list && (entry = readdir(list)) != NULL;) {
        int64_t update = update_of(entry->d_name);
        bool undone = strncmp(entry->d_name, RUN_UNDONE, sizeof RUN_UNDONE - 1) == 0;
        if (undone || (update >= 0 && update <= gone)) {
            remove_folder(run_join(&path, folder.text, entry->d_name));
        }
    }
    if (list) {
        closedir(list);
    }
    lu_text_free(&folder);
    lu_text_free(&path);
}

/* ---- writing ---- */

static void write_file_entry(lu_json *json, const char *name, const void *bytes, size_t length) {
    lu_json_key(json, name);
    lu_json_object(json);
    lu_json_key_int(json, "bytes", (int64_t)length);
    lu_json_key(json, "hash");
    lu_json_hex(json, lu_hash(bytes, length, 0));
    lu_json_object_end(json);
}

static lu_status write_parts(const char *folder, const lu_checkpoint *c, lu_error *error) {
    lu_text path;
    lu_json json;
    char *model = NULL;
    size_t length = 0;
    lu_text_init(&path);
    lu_json_init(&json);
    lu_status status = lu_model_file_write(c->model, &model, &length, error);
    if (status == LU_OK) {
        status = lu_file_write(run_join(&path, folder, RUN_STATE), c->state, c->length, error);
    }
    if (status == LU_OK) {
        status = lu_file_write(run_join(&path, folder, RUN_MODEL), model, length, error);
    }
    if (status == LU_OK) {
        lu_json_object(&json);
        lu_json_key_int(&json, "schema", 1);
        lu_json_key_int(&json, "update", c->update);
        lu_json_key_int(&json, "env_steps", c->steps);
        lu_json_key(&json, "hash");
        lu_json_hex(&json, c->hash);
        lu_json_key(&json, "files");
        lu_json_object(&json);
        write_file_entry(&json, RUN_STATE, c->state, c->length);
        write_file_entry(&json, RUN_MODEL, model, length);
        lu_json_object_end(&json);
        lu_json_object_end(&json);
        lu_json_newline(&json);
        status =
            lu_file_write(run_join(&path, folder, RUN_MANIFEST), json.text, json.length, error);
    }
    free(model);
    lu_json_free(&json);
    lu_text_free(&path);
    return status;
}

/* The name itself must reach the disk; a system that cannot sync folders is no failure. */
static void sync_folder(const char *path) {
    int folder = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (folder >= 0) {
        (void)fsync(folder);
        close(folder);
    }
}

lu_status run_checkpoint(const char *run, const lu_checkpoint *c, lu_error *error) {
    lu_text all, undone, done;
    lu_text_init(&all);
    lu_text_init(&undone);
    lu_text_init(&done);
    run_join(&all, run, "checkpoints");
    lu_text_addf(&undone, "%s/" RUN_UNDONE "%" PRId64, all.text, c->update);
    lu_text_addf(&done, "%s/" RUN_CKPT "%08" PRId64, all.text, c->update);
    remove_folder(undone.text);
    lu_status status = lu_folder_make(undone.text, error);
    if (status == LU_OK) {
        status = write_parts(undone.text, c, error);
    }
    if (status == LU_OK) {
        /* the same update again, as after a resume: equal content, so that either may stay */
        remove_folder(done.text);
        if (rename(undone.text, done.text) != 0) {
            status =
                lu_fail(error, LU_IO, "cannot write checkpoint %s: %s", done.text, strerror(errno));
        }
        sync_folder(all.text);
    }
    if (status != LU_OK) {
        remove_folder(undone.text);
    }
    lu_text_free(&all);
    lu_text_free(&undone);
    lu_text_free(&done);
    return status;
}

/* ---- reading ---- */

/* What the manifest says of the state must be so. */
static lu_status check_state(const char *folder, const char *state, size_t length,
                             lu_error *error) {
    char want[32] = "", have[32];
    const char *hash = NULL;
    int64_t bytes = -1;
    lu_json_document *document = run_json(folder, RUN_MANIFEST, error);
    if (!document) {
        return error ? error->status : LU_FAILED;
    }
    const lu_json_value *files = lu_json_get(lu_json_root(document), "files");
    const lu_json_value *entry = lu_json_get(files, RUN_STATE);
    lu_status status = lu_json_get_int(entry, "bytes", 0, INT64_MAX, &bytes, error);
    if (status == LU_OK) {
        status = lu_json_get_text(entry, "hash", &hash, error);
    }
    if (status != LU_OK) {
        lu_text path;
        lu_text_init(&path);
        status = run_blame(run_join(&path, folder, RUN_MANIFEST), error);
        lu_text_free(&path);
    } else {
        snprintf(want, sizeof want, "%.20s", hash);
        snprintf(have, sizeof have, "%016" PRIx64, lu_hash(state, length, 0));
        if ((size_t)bytes != length || strcmp(want, have) != 0) {
            status = lu_fail(error, LU_DAMAGED_FILE,
                             "%s/" RUN_STATE " is not what its manifest says: remove this "
                             "checkpoint to go on from the one before",
                             folder);
        }
    }
    lu_json_close(document);
    return status;
}

lu_status lu_run_load(const char *path, char **state, size_t *length, lu_error *error) {
    lu_text folder, file;
    lu_status status = LU_OK;
    *state = NULL;
    *length = 0;
    lu_text_init(&folder);
    lu_text_init(&file);
    if (!run_newest(path, &folder)) {
        status =
            lu_fail(error, LU_NOT_FOUND,
                    "run %s has no checkpoint, so that it cannot go on: start a new one", path);
    } else {
        status = lu_file_read(run_join(&file, folder.text, RUN_STATE), RUN_STATE_MOST, state,
                              length, error);
    }
    if (status == LU_OK) {
        status = check_state(folder.text, *state, *length, error);
    }
    if (folder.length > 0 && status == LU_NOT_FOUND) {
        status = lu_fail(error, LU_DAMAGED_FILE,
                         "%s lacks " RUN_STATE " or " RUN_MANIFEST
                         ": remove this checkpoint to go on from the one before",
                         folder.text);
    }
    if (status != LU_OK) {
        free(*state);
        *state = NULL;
    }
    lu_text_free(&folder);
    lu_text_free(&file);
    return status;
}
