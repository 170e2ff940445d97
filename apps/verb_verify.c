/* ludus verify: recorded vectors against the rules, by the game's own tool `verify`. Files are read
 * and checked one at a time, so that any number of them fits; a file that cannot be read is told
 * and the others are still checked. */
#include "output.h"
#include "verb.h"

#include "ludus/file.h"

#include <stdlib.h>
#include <string.h>

static const verb_example examples[] = {
    {"ludus verify prospector games/prospector/vectors/*.jsonl.gz", "every recorded episode"},
    {"ludus verify prospector games/prospector/vectors/04_*.gz --json",
     "one line of JSON per case; the last line has the totals"},
    {NULL, NULL},
};

enum { VECTOR_LIMIT = 1 << 30 }; /* largest file after inflating, bytes */

typedef struct verify {
    bool json;
    int passed, failed;
    int unread; /* files without a verdict */
    table rows;
    int file, files;
    const char *name;
} verify;

/* How many values were compared, or the first that differs with both numbers. */
static void add_outcome(const lu_json_value *got, lu_text *text) {
    const lu_json_value *mismatch = lu_json_get(got, "first_mismatch");
    const char *at = "";
    int64_t checked = 0;
    if (lu_json_get_text(mismatch, "at", &at, NULL) != LU_OK) {
        (void)lu_json_get_int(got, "checked", 0, INT64_MAX, &checked, NULL);
        lu_text_addf(text, "%lld values", (long long)checked);
        return;
    }
    lu_text_addf(text, "%s", at);
    for (int k = 0; k < 2; k++) {
        const lu_json_value *value = lu_json_get(mismatch, k ? "got" : "want");
        lu_json json = LU_JSON_INIT;
        if (value) {
            lu_json_value_write(&json, value);
            lu_text_addf(text, "%s %s %.80s", k ? "," : ":", k ? "got" : "want", json.text);
        }
        lu_json_free(&json);
    }
}

/* A case as ludus/verify.h tells it. A tool's own closing line is left out: it counts one file
 * only.
 */
static void emit(void *user, const char *text, size_t length) {
    verify *v = user;
    lu_json_document *document = lu_json_read("case", text, length, NULL);
    const lu_json_value *root = document ? lu_json_root(document) : NULL;
    if (!lu_json_get(root, "ok")) {
        lu_json_close(document);
        return;
    }
    bool ok = lu_json_kind_of(lu_json_get(root, "ok")) == LU_JSON_TRUE;
    v->passed += ok;
    v->failed += !ok;
    if (v->json) {
        out_write(text, length);
        out_text("\n");
    } else {
        const char *id = "", *file = "";
        lu_text got = LU_TEXT_INIT;
        lu_json_get_text(root, "id", &id, NULL);
        lu_json_get_text(root, "file", &file, NULL);
        add_outcome(lu_json_get(root, "got"), &got);
        const char *slash = strrchr(file, '/');
        table_row(&v->rows, ok ? "ok" : "FAIL", id, slash ? slash + 1 : file, got.text);
        lu_text_free(&got);
    }
    lu_json_close(document);
}

static void on_progress(void *user, double share, const char *what) {
    verify *v = user;
    (void)what;
    progress((v->file + share) / v->files, v->name);
}

static bool cancelled(void *user) {
    (void)user;
    return interrupted();
}

static lu_status check_file(verify *v, const verb_call *call, const char *path, lu_error *error) {
    char *bytes;
    size_t length;
    LU_TRY(lu_file_read(path, VECTOR_LIMIT, &bytes, &length, error));
    lu_tool_input input = {path, bytes, length};
    lu_tool_io io = {.settings = call->settings,
                     .inputs = &input,
                     .input_count = 1,
                     .user = v,
                     .emit = emit,
                     .progress = on_progress,
                     .cancelled = cancelled};
    v->name = path;
    lu_status status = call->tool->run(&io, error);
    free(bytes);
    /* cases that differ are counted here and told at the end */
    return status == LU_CHECK_FAILED ? LU_OK : status;
}

/* Every file; the status is that of the first one that could not be checked. */
static lu_status check_files(verify *v, const verb_call *call, lu_error *error) {
    lu_status first = LU_OK;
    for (v->file = 0; v->file < v->files; v->file++) {
        lu_status status = check_file(v, call, call->argument[v->file], error);
        if (status == LU_OK && interrupted()) {
            status = lu_fail(error, LU_INTERRUPTED, "interrupted");
        }
        if (status == LU_INTERRUPTED) {
            return status;
        }
        if (status != LU_OK) {
            v->unread++;
            first = first == LU_OK ? status : first;
            if (v->files > 1) {
                note_error(error);
            }
        }
    }
    if (v->unread > 0 && v->files > 1) {
        lu_fail(error, first, "%d of %d files could not be checked", v->unread, v->files);
    }
    return first;
}

static lu_status run(verb_call *call, lu_error *error) {
    verify v = {.json = call->json, .files = call->arguments};
    if (!call->tool) {
        return lu_fail(error, LU_NOT_FOUND,
                       "%s has no tool 'verify': it would be games/%s/tools/verify.c",
                       call->game->name, call->game->name);
    }
    v.rows = table_of("llll");
    table_row(&v.rows, "", "case", "file", "compared");
    progress_start();
    lu_status status = check_files(&v, call, error);
    progress_end();
    if (v.json && status != LU_INTERRUPTED) {
        out_format("{\"passed\":%d,\"failed\":%d}\n", v.passed, v.failed);
    } else if (!v.json && v.passed + v.failed > 0) {
        table_print(&v.rows);
        out_format("%d passed, %d failed\n", v.passed, v.failed);
    }
    table_free(&v.rows);
    if (status != LU_INTERRUPTED && v.failed > 0) {
        status = lu_fail(error, LU_CHECK_FAILED, "%d of %d cases differ from what was recorded%s",
                         v.failed, v.passed + v.failed,
                         v.unread > 0 ? cell("; %d files could not be checked", v.unread) : "");
    }
    return status;
}

const verb verb_verify = {
    .name = "verify",
    .usage = "verify GAME FILE... [--json]",
    .sentence = "Checks recorded vectors of a game against its rules.",
    .details = "Files may be gzipped; - reads standard input. The exit code is 5 if a case "
               "differs,\nelse that of the first file that could not be checked (3 or 4).",
    .examples = examples,
    .options = {"verify", NULL, 0},
    .game = VERB_GAME,
    .tool = "verify",
    .least = 1,
    .most = -1,
    .argument = "FILE",
    .json = true,
    .run = run,
};
