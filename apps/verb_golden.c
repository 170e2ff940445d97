/* ludus golden: the playthrough in games/NAME/golden.txt that a person reads in a diff. */
#include "output.h"
#include "verb.h"

#include "ludus/conform.h"
#include "ludus/file.h"
#include "ludus/project_lock.h"

#include <stdlib.h>
#include <string.h>

static const verb_example examples[] = {
    {"ludus golden prospector --check", "does games/prospector/golden.txt match the rules?"},
    {"ludus golden prospector --write", "rewrite it after an intended change of the rules"},
    {"ludus golden prospector", "print it"},
    {"ludus golden prospector --check --json", "one JSON document for programs"},
    {NULL, NULL},
};

static const lu_setting options[] = {
    {"write", LU_BOOL, "false", 0, 0, NULL, "Rewrites the game's file.", false},
    {"check", LU_BOOL, "false", 0, 0, NULL,
     "Compares with the game's file; exit code 5 if it differs.", false},
    {"file", LU_TEXT, "", 0, 4096, NULL,
     "A file other than games/NAME/golden.txt (golden-ID.txt for later variants).", false},
};

enum { GOLDEN_LIMIT = 64 << 20 };

static lu_status compare(const char *path, const lu_text *made, lu_error *error) {
    char *kept;
    size_t length;
    lu_status status = lu_file_read(path, GOLDEN_LIMIT, &kept, &length, error);
    if (status != LU_OK) {
        return status;
    }
    if (length != made->length || memcmp(kept, made->text, length) != 0) {
        /* the first line that differs says most */
        size_t line = 1, start = 0, at = 0;
        while (at < length && at < made->length && kept[at] == made->text[at]) {
            if (kept[at] == '\n') {
                line++;
                start = at + 1;
            }
            at++;
        }
        const char *is = start < made->length ? made->text + start : "";
        const char *was = start < length ? kept + start : "";
        status = lu_fail(error, LU_CHECK_FAILED, "%s:%zu is '%.*s', but the rules give '%.*s'",
                         path, line, (int)(strcspn(was, "\n") > 200 ? 200 : strcspn(was, "\n")),
                         was, (int)(strcspn(is, "\n") > 200 ? 200 : strcspn(is, "\n")), is);
    }
    free(kept);
    return status;
}

/* Only files of the project are locked: another file is the caller's own. */
static lu_status rewrite(const char *path, const lu_text *made, bool own, lu_error *error) {
    int lock = -1;
    lu_status status = own ? LU_OK : lu_project_lock(&lock, error);
    LU_THEN(status, lu_file_write(path, made->text, made->length, error));
    lu_project_unlock(lock);
    return status;
}

static void print_json(const lu_game *game, const char *file, const char *verdict,
                       const lu_text *text, const lu_error *error) {
    lu_json json = LU_JSON_INIT;
    lu_json_object(&json);
    lu_json_key_int(&json, "schema", 1);
    lu_json_key_string(&json, "game", game->id);
    lu_json_key_string(&json, "file", file);
    lu_json_key_string(&json, "verdict", verdict);
    if (error) {
        lu_json_key_string(&json, "difference", error->text);
    }
    if (text) {
        lu_json_key_string(&json, "text", text->text);
    }
    out_json_end(&json);
}

static lu_status run(verb_call *call, lu_error *error) {
    const lu_game *game = call->game;
    bool write = lu_settings_bool(call->settings, "write");
    bool check = lu_settings_bool(call->settings, "check");
    const char *file = lu_settings_text_of(call->settings, "file");
    lu_status status = LU_OK;
    lu_text made = LU_TEXT_INIT, path = LU_TEXT_INIT;
    if (write && check) {
        return lu_fail(error, LU_USAGE, "--write and --check cannot be combined");
    }
    lu_golden_write(game, &made);
    bool variant = lu_game_find(game->name, NULL) != game;
    if (*file) {
        lu_text_add(&path, file);
    } else {
        lu_text_addf(&path, variant ? "%s/games/%s/golden-%s.txt" : "%s/games/%s/golden.txt",
                     lu_home() ? lu_home() : ".", game->name, game->id);
    }
    if (write) {
        status = rewrite(path.text, &made, *file != 0, error);
        if (status == LU_OK && call->json) {
            print_json(game, path.text, "written", NULL, NULL);
        } else if (status == LU_OK) {
            note("wrote %s (%zu bytes)", path.text, made.length);
        }
    } else if (check) {
        status = compare(path.text, &made, error);
        if (call->json && status == LU_CHECK_FAILED) {
            print_json(game, path.text, "differs", NULL, error);
        } else if (call->json && status == LU_OK) {
            print_json(game, path.text, "agrees", NULL, NULL);
        } else if (status == LU_OK) {
            note("%s agrees", path.text);
        }
    } else if (call->json) {
        print_json(game, path.text, "made", &made, NULL);
    } else {
        out_write(made.text, made.length);
    }
    lu_text_free(&made);
    lu_text_free(&path);
    return status;
}

const verb verb_golden = {
    .name = "golden",
    .usage = "golden GAME [--check | --write] [--json]",
    .sentence = "Prints, checks or rewrites the golden playthrough of a game.",
    .examples = examples,
    .options = VERB_OPTIONS("golden", options),
    .game = VERB_GAME,
    .json = true,
    .run = run,
};
