/* Checkpoints: a folder each, written beside its place, synced and renamed. The manifest holds size
 * and hash of the other files; what is not as it says is refused. */
#include "run_files.h"

#include "ludus/file.h"
#include "ludus/hash.h"

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

/* Window of a checkpoint's folder; -1 for any other name. */
static int64_t window_of(const char *name) {
    const size_t lead = sizeof RUN_CKPT - 1;
    int64_t window;
    if (strncmp(name, RUN_CKPT, lead) != 0 || strlen(name) > 40 ||
        strspn(name + lead, "0123456789") != strlen(name + lead) ||
        lu_parse_i64("window", name + lead, 0, INT64_MAX, &window, NULL) != LU_OK) {
        return -1;
    }
    return window;
}

static lu_names checkpoints_of(const char *run, const char *lead) {
    lu_names names;
    struct stat about;
    size_t kept = 0;
    lu_text path = LU_TEXT_INIT, folder = LU_TEXT_INIT;
    lu_folder_names(run_join(&path, run, "checkpoints"), lead, &names, NULL);
    for (size_t i = 0; i < names.count; i++) {
        run_join(&folder, path.text, names.name[i]);
        if (lstat(folder.text, &about) == 0 && S_ISDIR(about.st_mode)) {
            names.name[kept++] = names.name[i];
        } else { /* a link leads elsewhere */
            free(names.name[i]);
        }
    }
    names.count = kept;
    lu_text_free(&folder);
    lu_text_free(&path);
    return names;
}

/* The newest window below `bound`; -1 when there is none. */
static int64_t newest_below(const lu_names *names, int64_t bound) {
    int64_t newest = -1;
    for (size_t i = 0; i < names->count; i++) {
        int64_t window = window_of(names->name[i]);
        newest = window < bound && window > newest ? window : newest;
    }
    return newest;
}

int64_t run_newest_below(const char *run, int64_t bound) {
    lu_names names = checkpoints_of(run, RUN_CKPT);
    int64_t newest = newest_below(&names, bound);
    lu_names_free(&names);
    return newest;
}

int64_t lu_run_newest_window(const char *run) {
    return run_newest_below(run, INT64_MAX);
}

void lu_run_window_path(const char *run, int64_t window, lu_text *path) {
    lu_text_clear(path);
    lu_text_addf(path, "%s/checkpoints/" RUN_CKPT "%06" PRId64, run, window);
}

bool run_newest(const char *run, lu_text *path) {
    int64_t newest = lu_run_newest_window(run);
    if (newest >= 0) {
        lu_run_window_path(run, newest, path);
    }
    return newest >= 0;
}

/* ---- removing ---- */

/* Leaves the model of a checkpoint. */
static void thin(const char *folder) {
    lu_text path = LU_TEXT_INIT;
    unlink(run_join(&path, folder, RUN_STATE));
    unlink(run_join(&path, folder, RUN_SUMS));
    lu_text_free(&path);
}

void run_put_back(const char *run) {
    lu_text all = LU_TEXT_INIT, before = LU_TEXT_INIT, place = LU_TEXT_INIT;
    lu_names names;
    (void)lu_folder_names(run_join(&all, run, "checkpoints"), RUN_BEFORE, &names, NULL);
    for (size_t i = 0; i < names.count; i++) {
        run_join(&before, all.text, names.name[i]);
        run_join(&place, all.text, names.name[i] + strlen(RUN_BEFORE));
        if (lu_file_exists(place.text) || rename(before.text, place.text) != 0) {
            (void)lu_folder_remove(before.text, NULL);
        }
    }
    lu_names_free(&names);
    lu_text_free(&all);
    lu_text_free(&before);
    lu_text_free(&place);
}

void run_sweep(const char *run, int keep) {
    lu_text path = LU_TEXT_INIT;
    run_put_back(run);
    lu_folder_clean(run_join(&path, run, "checkpoints"), RUN_UNDONE);
    lu_names names = checkpoints_of(run, RUN_CKPT);
    int64_t last = keep > 0 ? INT64_MAX : -1; /* the newest that `keep` others are newer than */
    for (int i = 0; i <= keep && last >= 0; i++) {
        last = newest_below(&names, last);
    }
    for (size_t i = 0; i < names.count; i++) {
        int64_t window = window_of(names.name[i]);
        if (window >= 0 && window <= last) {
            lu_run_window_path(run, window, &path);
            thin(path.text);
        }
    }
    lu_names_free(&names);
    lu_text_free(&path);
}

/* ---- writing ---- */

static void write_file_entry(lu_json *json, const char *name, const void *bytes, size_t length) {
    lu_json_key_object(json, name);
    lu_json_key_int(json, "bytes", (int64_t)length);
    lu_json_key_hex(json, "hash", lu_hash(bytes, length, 0));
    lu_json_object_end(json);
}

static lu_status write_parts(const char *folder, const lu_checkpoint *c, lu_error *error) {
    lu_text path = LU_TEXT_INIT;
    lu_json json = LU_JSON_INIT;
    char *model = NULL;
    size_t length = 0;
    lu_status status = lu_model_file_write(c->model, &model, &length, error);
    LU_THEN(status, lu_file_write(run_join(&path, folder, RUN_STATE), c->state, c->length, error));
    if (status == LU_OK) {
        status =
            lu_file_write(run_join(&path, folder, RUN_SUMS), c->window, sizeof *c->window, error);
    }
    LU_THEN(status, lu_file_write(run_join(&path, folder, RUN_MODEL), model, length, error));
    if (status == LU_OK && c->league) {
        status =
            lu_file_write(run_join(&path, folder, RUN_LEAGUE), c->league, strlen(c->league), error);
    }
    if (status == LU_OK) {
        lu_json_object(&json);
        lu_json_key_int(&json, "schema", 1);
        lu_json_key_int(&json, "window_id", c->window->id);
        lu_json_key_int(&json, "update", c->window->update);
        lu_json_key_int(&json, "env_steps", c->window->steps);
        lu_json_key_bool(&json, "closed", c->closed);
        lu_json_key_hex(&json, "hash", c->hash);
        lu_json_key_hex(&json, "probe", c->probe);
        lu_json_key_object(&json, "files");
        write_file_entry(&json, RUN_STATE, c->state, c->length);
        write_file_entry(&json, RUN_SUMS, c->window, sizeof *c->window);
        write_file_entry(&json, RUN_MODEL, model, length);
        if (c->league) {
            write_file_entry(&json, RUN_LEAGUE, c->league, strlen(c->league));
        }
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

/* Puts the folder `from` at the place of all/name. Where one is there already the two change
 * places, so that at no moment there is none. On a file system that cannot do that (NFS, older ZFS)
 * the old one is moved aside meanwhile, from where run_put_back takes it. */
static bool put_in_place(const char *from, const char *all, const char *name) {
    lu_text to = LU_TEXT_INIT, before = LU_TEXT_INIT;
    run_join(&to, all, name);
    lu_text_addf(&before, "%s/" RUN_BEFORE "%s", all, name);
    bool there = lu_file_exists(to.text), done = false;
    if (there && renameat2(AT_FDCWD, from, AT_FDCWD, to.text, RENAME_EXCHANGE) == 0) {
        (void)lu_folder_remove(from, NULL);
        done = true;
    } else if (!there || errno == EINVAL || errno == ENOSYS || errno == ENOTSUP) {
        done = (!there || rename(to.text, before.text) == 0) && rename(from, to.text) == 0;
        int why = errno;
        if (there && !done) {
            (void)rename(before.text, to.text);
        } else if (there) {
            (void)lu_folder_remove(before.text, NULL);
        }
        errno = why;
    } /* else a disk that fails: the one that is there stays */
    lu_text_free(&to);
    lu_text_free(&before);
    return done;
}

lu_status run_checkpoint(const char *run, const lu_checkpoint *c, lu_error *error) {
    lu_text all = LU_TEXT_INIT, undone = LU_TEXT_INIT, done = LU_TEXT_INIT;
    run_join(&all, run, "checkpoints");
    lu_text_addf(&undone, "%s/" RUN_UNDONE "%" PRId64, all.text, c->window->id);
    lu_run_window_path(run, c->window->id, &done);
    (void)lu_folder_remove(undone.text, NULL);
    lu_status status = lu_folder_make(undone.text, error);
    LU_THEN(status, write_parts(undone.text, c, error));
    LU_THEN(status, lu_folder_sync(undone.text, error));
    if (status == LU_OK && !put_in_place(undone.text, all.text, strrchr(done.text, '/') + 1)) {
        status =
            lu_fail(error, LU_IO, "cannot write checkpoint %s: %s", done.text, strerror(errno));
    }
    LU_THEN(status, lu_folder_sync(all.text, error));
    if (status != LU_OK) {
        (void)lu_folder_remove(undone.text, NULL);
    }
    lu_text_free(&all);
    lu_text_free(&undone);
    lu_text_free(&done);
    return status;
}

/* ---- reading ---- */

static lu_status blame_manifest(const char *folder, lu_error *error) {
    lu_text path = LU_TEXT_INIT;
    lu_status status = run_blame(run_join(&path, folder, RUN_MANIFEST), error);
    lu_text_free(&path);
    return status;
}

static lu_status read_manifest(const lu_json_value *root, lu_manifest *m, lu_error *error) {
    const char *hash;
    lu_status status = lu_json_get_int(root, "window_id", 0, INT64_MAX, &m->window, error);
    LU_THEN(status, lu_json_get_int(root, "update", 0, INT64_MAX, &m->update, error));
    LU_THEN(status, lu_json_get_int(root, "env_steps", 0, INT64_MAX, &m->steps, error));
    LU_THEN(status, lu_json_get_bool(root, "closed", &m->closed, error));
    LU_THEN(status, lu_json_get_text(root, "probe", &hash, error));
    if (status == LU_OK) {
        m->probe = strtoull(hash, NULL, 16);
    }
    return status;
}

lu_status lu_manifest_read(const char *folder, lu_manifest *manifest, lu_error *error) {
    *manifest = (lu_manifest){0};
    lu_json_document *document = run_json(folder, RUN_MANIFEST, error);
    if (!document) {
        return error ? error->status : LU_FAILED;
    }
    lu_status status = read_manifest(lu_json_root(document), manifest, error);
    lu_json_close(document);
    return status == LU_OK ? LU_OK : blame_manifest(folder, error);
}

/* What the manifest says of a file must be so. */
static lu_status check_file(const char *folder, const lu_json_value *files, const char *name,
                            const char *content, size_t length, lu_error *error) {
    char have[32];
    const char *hash = NULL;
    int64_t bytes = -1;
    const lu_json_value *entry = lu_json_get(files, name);
    lu_status status = lu_json_get_int(entry, "bytes", 0, INT64_MAX, &bytes, error);
    LU_THEN(status, lu_json_get_text(entry, "hash", &hash, error));
    if (status != LU_OK) {
        return blame_manifest(folder, error);
    }
    snprintf(have, sizeof have, "%016" PRIx64, lu_hash(content, length, 0));
    if ((size_t)bytes != length || strcmp(hash, have) != 0) {
        status =
            lu_fail(error, LU_DAMAGED_FILE, "%s/%s is not what its manifest says", folder, name);
    }
    return status;
}

/* Reads a file of a checkpoint and checks it. */
static lu_status read_part(const char *folder, const lu_json_value *files, const char *name,
                           char **content, size_t *length, lu_error *error) {
    *content = NULL;
    lu_status status = lu_file_read_beneath(folder, name, RUN_STATE_MOST, content, length, error);
    if (status == LU_NOT_FOUND) {
        status = lu_fail(error, LU_DAMAGED_FILE, "%s lacks %s", folder, name);
    }
    LU_THEN(status, check_file(folder, files, name, *content, *length, error));
    if (status != LU_OK) {
        free(*content);
        *content = NULL;
    }
    return status;
}

/* The manifest is damaged where it cannot be understood, not where the disk gives nothing. */
static lu_status open_manifest(const char *folder, lu_json_document **document, lu_error *error) {
    lu_error why = {0};
    *document = run_json(folder, RUN_MANIFEST, &why);
    if (*document) {
        return LU_OK;
    }
    return why.status == LU_IO ? lu_fail(error, why.status, "%s", why.text)
                               : lu_fail(error, LU_DAMAGED_FILE,
                                         "%s lacks a " RUN_MANIFEST " that can be read", folder);
}

static lu_status load_from(const char *folder, char **state, size_t *length, lu_window *window,
                           lu_error *error) {
    char *sums = NULL;
    size_t bytes = 0;
    lu_json_document *document;
    LU_TRY(open_manifest(folder, &document, error));
    const lu_json_value *files = lu_json_get(lu_json_root(document), "files");
    lu_status status = read_part(folder, files, RUN_SUMS, &sums, &bytes, error);
    if (status == LU_OK && bytes != sizeof *window) {
        status = lu_fail(error, LU_OTHER_VERSION,
                         "%s/" RUN_SUMS " is of another version of ludus: start a new run", folder);
    }
    if (status == LU_OK) {
        memcpy(window, sums, sizeof *window);
        status = read_part(folder, files, RUN_STATE, state, length, error);
    }
    free(sums);
    lu_json_close(document);
    return status;
}

lu_status run_check(const char *folder, lu_error *error) {
    char *state = NULL, *league = NULL;
    size_t length;
    lu_window window;
    lu_json_document *document = NULL;
    lu_status status = load_from(folder, &state, &length, &window, error);
    LU_THEN(status, open_manifest(folder, &document, error));
    const lu_json_value *files = document ? lu_json_get(lu_json_root(document), "files") : NULL;
    if (status == LU_OK && lu_json_get(files, RUN_LEAGUE)) {
        status = read_part(folder, files, RUN_LEAGUE, &league, &length, error);
    }
    lu_json_close(document);
    free(state);
    free(league);
    return status;
}

static lu_status no_checkpoint(const char *run, lu_error *error) {
    return lu_fail(error, LU_NOT_FOUND,
                   "run %s has no checkpoint and can't be resumed: start a new one", run);
}

lu_status run_not_resumed(const lu_error *why, lu_error *error) {
    bool damaged = why->status == LU_DAMAGED_FILE || why->status == LU_BAD_DATA;
    return lu_fail(error, why->status, "%.800s%s", why->text,
                   damaged
                       ? ": `ludus train --resume RUN --fall-back` resumes from the one before and "
                         "keeps this one aside"
                       : "");
}

lu_status lu_run_load(const char *path, char **state, size_t *length, lu_window *window,
                      lu_error *error) {
    lu_text folder = LU_TEXT_INIT;
    lu_error why = {0};
    *state = NULL;
    *length = 0;
    lu_status status = run_newest(path, &folder)
                           ? load_from(folder.text, state, length, window, &why)
                           : no_checkpoint(path, &why);
    lu_text_free(&folder);
    return status == LU_OK ? LU_OK : run_not_resumed(&why, error);
}

lu_status run_load_league(const char *run, char **text, size_t *length, lu_error *error) {
    lu_text folder = LU_TEXT_INIT;
    lu_json_document *document = NULL;
    *text = NULL;
    *length = 0;
    lu_status status = run_newest(run, &folder) ? open_manifest(folder.text, &document, error)
                                                : no_checkpoint(run, error);
    if (status == LU_OK) {
        const lu_json_value *files = lu_json_get(lu_json_root(document), "files");
        status = read_part(folder.text, files, RUN_LEAGUE, text, length, error);
    }
    lu_json_close(document);
    lu_text_free(&folder);
    return status;
}

lu_json_document *lu_run_league(const char *path, lu_error *error) {
    lu_text folder = LU_TEXT_INIT, file = LU_TEXT_INIT;
    lu_json_document *document = NULL;
    char *text = NULL;
    size_t length = 0;
    if (run_newest(path, &folder) && !lu_file_exists(run_join(&file, folder.text, RUN_LEAGUE))) {
        lu_fail(error, LU_NOT_FOUND,
                "run %s has no league: it was trained without self_play.* (docs/league.md)", path);
    } else if (run_load_league(path, &text, &length, error) == LU_OK) {
        document = lu_json_read(file.text, text, length, error);
    }
    free(text);
    lu_text_free(&file);
    lu_text_free(&folder);
    return document;
}
