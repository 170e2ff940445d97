/* Writing a run: its folder, run.json, rows of metrics and the lock. See run.h. */
#include "run_files.h"

#include "ludus/clock.h"
#include "ludus/cpu.h"
#include "ludus/file.h"
#include "ludus/hash.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

struct lu_run {
    char *path, *id;
    int lock;
    int rows[2]; /* of windows and of updates */
    lu_run_facts facts;
    lu_settings *settings;
    char *commit, *version, *started;
    int64_t resumes;
    uint64_t binary;
};

static char *copy_of(const char *text) {
    return lu_strdup(text ? text : "");
}

/* ---- run.json ---- */

static const char *const origins[] = {"default", "preset", "file", "variable", "flag"};

static void write_settings(const lu_settings *settings, lu_json *json) {
    lu_json_key_object(json, "settings");
    for (size_t i = 0; i < lu_settings_rows(settings); i++) {
        const lu_setting *row = lu_settings_row(settings, i, NULL);
        const char *where = lu_settings_where(settings, row->key);
        lu_json_key_object(json, row->key);
        lu_json_key(json, "value");
        if (row->repeat) {
            lu_json_array(json);
            for (size_t n = 0; n < lu_settings_count(settings, row->key); n++) {
                lu_json_string(json, lu_settings_nth(settings, row->key, n));
            }
            lu_json_array_end(json);
        } else {
            lu_json_string(json, lu_settings_text_of(settings, row->key));
        }
        lu_json_key_string(json, "origin", origins[lu_settings_origin(settings, row->key)]);
        lu_json_key_string(json, "where", where ? where : "");
        lu_json_object_end(json);
    }
    lu_json_object_end(json);
}

static void write_machine(lu_json *json) {
    char host[256] = "", cpu[128];
    gethostname(host, sizeof host - 1);
    lu_json_key_string(json, "host", host);
    lu_json_key_string(json, "cpu", lu_cpu_name(cpu, sizeof cpu));
    lu_json_key_string(json, "isa", lu_isa_name(lu_cpu_isa()));
}

lu_status lu_run_set_status(lu_run *run, const char *status, int64_t update, int64_t steps,
                            lu_error *error) {
    lu_json json = LU_JSON_INIT;
    lu_text path = LU_TEXT_INIT;
    char now[LU_CLOCK_TEXT], seed[32];
    snprintf(seed, sizeof seed, "%" PRIu64, run->facts.seed);
    lu_json_object(&json);
    lu_json_key_int(&json, "schema", 1);
    lu_json_key_string(&json, "run_id", run->id);
    lu_json_key_string(&json, "status", status);
    lu_json_key_string(&json, "game", run->facts.game->id);
    lu_json_key_hex(&json, "spec", lu_spec_hash(run->facts.game));
    lu_json_key_string(&json, "algorithm", run->facts.algorithm);
    lu_json_key_string(&json, "seed", seed);
    lu_json_key_int(&json, "update", update);
    lu_json_key_int(&json, "env_steps", steps);
    lu_json_key_string(&json, "started", run->started);
    lu_json_key_string(&json, "written", lu_clock_utc(now, sizeof now));
    lu_json_key_int(&json, "resumes", run->resumes);
    lu_json_key_string(&json, "commit", run->commit);
    lu_json_key_string(&json, "version", run->version);
    lu_json_key_hex(&json, "binary", run->binary);
    write_machine(&json);
    int lock = run_edit_lock(run->path);
    run_write_said(run->path, NULL, &json, NULL);
    write_settings(run->settings, &json);
    lu_json_object_end(&json);
    lu_json_newline(&json);
    lu_status done =
        lu_file_write(run_join(&path, run->path, RUN_FILE), json.text, json.length, error);
    if (lock >= 0) {
        close(lock);
    }
    lu_json_free(&json);
    lu_text_free(&path);
    return done;
}

/* ---- opening ---- */

static lu_status take_lock(lu_run *run, lu_error *error) {
    run->lock = open(run->path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (run->lock < 0) {
        return lu_fail(error, errno == ENOENT ? LU_NOT_FOUND : LU_IO, "cannot open %s: %s",
                       run->path, strerror(errno));
    }
    /* whoever asks whether the run is alive holds the lock for a moment */
    int refused = flock(run->lock, LOCK_EX | LOCK_NB);
    for (int attempt = 0; refused && errno == EWOULDBLOCK && attempt < 20; attempt++) {
        usleep(5000);
        refused = flock(run->lock, LOCK_EX | LOCK_NB);
    }
    if (refused) {
        return errno == EWOULDBLOCK
                   ? lu_fail(error, LU_BUSY,
                             "run %s is being written by another ludus; wait until it ends",
                             run->id)
                   : lu_fail(error, LU_IO, "cannot lock %s: %s", run->path, strerror(errno));
    }
    return LU_OK;
}

static lu_status open_rows(lu_run *run, lu_error *error) {
    lu_text path = LU_TEXT_INIT;
    lu_status status = lu_folder_make(run_join(&path, run->path, "checkpoints"), error);
    lu_text_free(&path);
    for (int kind = 0; kind < 2 && status == LU_OK; kind++) {
        run->rows[kind] = lu_rows_open(run->path, (lu_rows_kind)kind, error);
        status = run->rows[kind] >= 0 ? LU_OK : error ? error->status : LU_IO;
    }
    return status;
}

/* A hash of this program, so that one can tell which build trained. */
static uint64_t binary_hash(void) {
    char *bytes;
    size_t length;
    uint64_t hash = 0;
    if (lu_file_read("/proc/self/exe", (size_t)1 << 30, &bytes, &length, NULL) == LU_OK) {
        hash = lu_hash(bytes, length, 0);
        free(bytes);
    }
    return hash;
}

static lu_run *start(const char *path, const lu_run_facts *facts) {
    lu_run *run = lu_alloc_zero(1, sizeof *run);
    const char *slash = strrchr(path, '/');
    run->path = lu_strdup(path);
    run->id = lu_strdup(slash ? slash + 1 : path);
    run->lock = run->rows[LU_WINDOWS] = run->rows[LU_UPDATES] = -1;
    run->binary = binary_hash();
    run->facts = *facts;
    run->settings = lu_settings_copy(facts->settings);
    run->commit = copy_of(facts->commit);
    run->version = copy_of(facts->version);
    return run;
}

bool run_is_id(const char *name) {
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-";
    return *name && *name != '.' && !name[strspn(name, plain)];
}

/* 20260131T123456Z-1b5890c-prospector, with -2 and so on when that is taken. */
static void add_id(lu_text *path, const lu_run_facts *facts, int attempt) {
    char now[LU_CLOCK_TEXT];
    if (facts->name) {
        lu_text_add(path, facts->name);
        return;
    }
    lu_clock_utc(now, sizeof now);
    for (const char *c = now; *c; c++) {
        if (*c != '-' && *c != ':') {
            lu_text_add_char(path, *c);
        }
    }
    const char *commit = facts->commit && *facts->commit ? facts->commit : "unknown";
    lu_text_addf(path, "-%.*s-%s", (int)strcspn(commit, "-"), commit, facts->game->name);
    if (attempt > 1) {
        lu_text_addf(path, "-%d", attempt);
    }
}

static lu_status check_name(const char *what, const char *name, lu_error *error) {
    return !name || run_is_id(name)
               ? LU_OK
               : lu_fail(
                     error, LU_BAD_VALUE,
                     "'%.60s' cannot name a %s: letters, digits, dots, dashes and underscores do, "
                     "with no dot at the front",
                     name, what);
}

static lu_status make_folder(const char *runs, const lu_run_facts *facts, lu_text *path,
                             lu_error *error) {
    lu_status status = check_name("run", facts->name, error);
    LU_THEN(status, check_name("trainer", facts->algorithm, error));
    LU_THEN(status, lu_folder_make_safely(runs, error));
    for (int attempt = 1; status == LU_OK; attempt++) {
        lu_text_clear(path);
        lu_text_addf(path, "%s/", runs);
        add_id(path, facts, attempt);
        if (mkdir(path->text, 0777) == 0) {
            return LU_OK;
        }
        if (errno != EEXIST || attempt > 1000 || facts->name) {
            status =
                lu_fail(error, LU_IO, "cannot make folder %s: %s", path->text, strerror(errno));
        }
    }
    return status;
}

/* Takes back a new run that could not be begun. */
static void remove_new(const char *path) {
    static const char *const files[] = {RUN_FILE, RUN_WINDOWS, RUN_UPDATES, NULL};
    static const char *const folders[] = {"metrics", "checkpoints", NULL};
    lu_text inside = LU_TEXT_INIT;
    for (int i = 0; files[i]; i++) {
        unlink(run_join(&inside, path, files[i]));
    }
    for (int i = 0; folders[i]; i++) {
        rmdir(run_join(&inside, path, folders[i]));
    }
    rmdir(path);
    lu_text_free(&inside);
}

/* The names of a new run and of its rows are on the disk before it is said to run. */
static lu_status sync_names(const lu_run *run, const char *runs, lu_error *error) {
    lu_text path = LU_TEXT_INIT;
    lu_status status = lu_folder_sync(run_join(&path, run->path, "metrics"), error);
    LU_THEN(status, lu_folder_sync(runs, error));
    lu_text_free(&path);
    return status;
}

lu_run *lu_run_new(const char *runs, const lu_run_facts *facts, lu_error *error) {
    lu_text path = LU_TEXT_INIT;
    lu_run *run = NULL;
    char now[LU_CLOCK_TEXT];
    lu_status status = make_folder(runs, facts, &path, error);
    if (status == LU_OK) {
        run = start(path.text, facts);
        run->started = lu_strdup(lu_clock_utc(now, sizeof now));
        status = take_lock(run, error);
    }
    LU_THEN(status, open_rows(run, error));
    LU_THEN(status, sync_names(run, runs, error));
    LU_THEN(status, lu_run_set_status(run, "running", 0, 0, error));
    lu_text_free(&path);
    if (status != LU_OK && run) {
        remove_new(run->path);
    }
    if (status != LU_OK) {
        lu_run_close(run);
        return NULL;
    }
    return run;
}

/* A folder inside of a run that leads elsewhere would be written there. */
static lu_status check_folders(const char *path, lu_error *error) {
    static const char *const folders[] = {"metrics", "checkpoints", RUN_REPLAYS, "tensorboard"};
    lu_status status = LU_OK;
    struct stat about;
    lu_text inside = LU_TEXT_INIT;
    for (size_t i = 0; i < sizeof folders / sizeof *folders && status == LU_OK; i++) {
        if (lstat(run_join(&inside, path, folders[i]), &about) == 0 && S_ISLNK(about.st_mode)) {
            status =
                lu_fail(error, LU_BAD_DATA,
                        "%s is a link: a run can only be resumed if all of it is in one folder",
                        inside.text);
        }
    }
    lu_text_free(&inside);
    return status;
}

lu_run *lu_run_resume(const char *path, const lu_run_facts *facts, lu_error *error) {
    lu_run *run = start(path, facts);
    lu_status status = check_folders(path, error);
    LU_THEN(status, take_lock(run, error));
    lu_json_document *document = status == LU_OK ? run_json(path, RUN_FILE, error) : NULL;
    if (document) {
        const lu_json_value *root = lu_json_root(document);
        run->started = copy_of(lu_json_text(lu_json_get(root, "started"), NULL));
        run->resumes = (int64_t)lu_json_real_or(lu_json_get(root, "resumes"), 0.0) + 1;
        lu_json_close(document);
        run_sweep(path, 0);
        status = open_rows(run, error);
    } else if (status == LU_OK) {
        status = LU_BAD_DATA;
    }
    if (status != LU_OK) {
        lu_run_close(run);
        return NULL;
    }
    return run;
}

void lu_run_close(lu_run *run) {
    if (!run) {
        return;
    }
    for (int kind = 0; kind < 2; kind++) {
        if (run->rows[kind] >= 0) {
            close(run->rows[kind]);
        }
    }
    if (run->lock >= 0) {
        close(run->lock);
    }
    lu_settings_delete(run->settings);
    free(run->commit);
    free(run->version);
    free(run->started);
    free(run->path);
    free(run->id);
    free(run);
}

const char *lu_run_id(const lu_run *run) {
    return run->id;
}

const char *lu_run_path(const lu_run *run) {
    return run->path;
}

/* ---- growing ---- */

lu_status lu_run_row(lu_run *run, lu_rows_kind kind, const char *json, lu_error *error) {
    return lu_rows_append(run->rows[kind], json, error);
}

lu_status lu_run_save(lu_run *run, const lu_checkpoint *checkpoint, int keep, lu_error *error) {
    lu_status status = lu_rows_sync(run->rows[LU_WINDOWS], error);
    LU_THEN(status, lu_rows_sync(run->rows[LU_UPDATES], error));
    LU_THEN(status, run_checkpoint(run->path, checkpoint, error));
    if (status == LU_OK) {
        run_sweep(run->path, keep);
        status = lu_run_set_status(run, "running", checkpoint->window->update,
                                   checkpoint->window->steps, error);
    }
    return status;
}
