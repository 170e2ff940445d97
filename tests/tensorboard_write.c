/* Writes an event file for tests in other languages, from rows as a run has them.
 * Usage: tensorboard_write FOLDER KEPT windows|evals ROWS.jsonl
 * KEPT is -1 for a new run. With `windows` the settings of cartpole come first, as a text. */
#include "ludus/file.h"
#include "ludus/game_ask.h"
#include "ludus/tensorboard.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static lu_status add_rows(lu_tensorboard *writer, bool evals, char *text, lu_error *error) {
    lu_status status = LU_OK;
    for (char *end; status == LU_OK && (end = strchr(text, '\n')) != NULL; text = end + 1) {
        lu_json_document *row = lu_json_read("row", text, (size_t)(end - text), error);
        if (!row) {
            return error->status;
        }
        status = evals ? lu_tensorboard_eval(writer, lu_json_root(row), error)
                       : lu_tensorboard_window(writer, lu_json_root(row), error);
        lu_json_close(row);
    }
    return status;
}

int main(int argc, char **argv) {
    lu_error error = {0};
    char *text = NULL;
    size_t length;
    if (argc != 5) {
        fprintf(stderr, "usage: tensorboard_write FOLDER KEPT windows|evals ROWS.jsonl\n");
        return 2;
    }
    bool evals = strcmp(argv[3], "evals") == 0;
    lu_status status = lu_file_read(argv[4], 1 << 24, &text, &length, &error);
    lu_tensorboard *writer =
        status == LU_OK ? lu_tensorboard_open(argv[1], strtoll(argv[2], NULL, 10), &error) : NULL;
    if (writer && !evals) {
        lu_settings *settings = lu_game_settings(lu_game_find("cartpole", NULL));
        lu_tensorboard_settings(writer, settings, 0, 1.0e9);
        lu_settings_delete(settings);
    }
    if (writer) {
        status = add_rows(writer, evals, text, &error);
        lu_status closed = lu_tensorboard_close(writer, status == LU_OK ? &error : NULL);
        LU_THEN(status, closed);
    }
    free(text);
    if (!writer || status != LU_OK) {
        fprintf(stderr, "tensorboard_write: %s\n", error.text);
        return 1;
    }
    return 0;
}
