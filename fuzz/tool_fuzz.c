/* Fuzzes the tools of all games: the first line of an input names game and tool, the second is the
 * JSON of its settings, as servers and pages give them, the rest are its files, with a zero byte
 * between. What a tool says is JSON; what it refuses, it refuses with a sentence. */
#include "ludus/clock.h"
#include "ludus/tool.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { INPUTS = 4 };
static const double SECONDS = 0.02; /* then a tool is told to end */

static double begun;

static bool cancelled(void *user) {
    (void)user;
    return lu_clock_seconds() - begun > SECONDS;
}

static void emit(void *user, const char *json, size_t length) {
    lu_error error = {0};
    lu_json_document *document = lu_json_read("it", json, length, &error);
    (void)user;
    if (!document) {
        fprintf(stderr, "%.*s\n%s\n", (int)length, json, error.text);
        abort();
    }
    lu_json_close(document);
}

/* The next line, terminated, which moves on; NULL when there is none. */
static char *next_line(char **at, const char *end) {
    char *line = *at, *stop = memchr(line, '\n', (size_t)(end - line));
    if (stop) {
        *stop = '\0';
        *at = stop + 1;
    }
    return stop ? line : NULL;
}

static void run(const lu_tool *tool, const lu_json_value *given, char *at, const char *end) {
    lu_error error = {0};
    lu_tool_input inputs[INPUTS];
    lu_settings *settings = lu_settings_new();
    lu_tool_io io = {.settings = settings, .inputs = inputs, .emit = emit, .cancelled = cancelled};
    lu_settings_add(settings, tool->settings);
    lu_status status = lu_settings_object(settings, "settings", given, LU_FROM_FLAG, &error);
    while (at < end && io.input_count < INPUTS) {
        size_t length = strnlen(at, (size_t)(end - at));
        inputs[io.input_count++] = (lu_tool_input){"fuzz", at, length};
        at += length + 1;
    }
    if (status == LU_OK) {
        begun = lu_clock_seconds();
        status = tool->run(&io, &error);
    }
    if (status != LU_OK && status != LU_CHECK_FAILED && status != LU_INTERRUPTED && !*error.text) {
        fprintf(stderr, "%s %s: refused without a sentence\n", tool->game, tool->name);
        abort();
    }
    lu_settings_delete(settings);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    char *bytes = malloc(size + 1), *at = bytes; /* a block of its own: reading beyond is found */
    memcpy(bytes, data, size);
    bytes[size] = '\0'; /* inputs of tools are terminated */
    char *game = next_line(&at, bytes + size), *name = game ? strchr(game, ' ') : NULL;
    char *json = name ? next_line(&at, bytes + size) : NULL;
    lu_json_document *given = json ? lu_json_read("settings", json, strlen(json), NULL) : NULL;
    if (given && lu_json_kind_of(lu_json_root(given)) == LU_JSON_OBJECT) {
        *name++ = '\0';
        const lu_tool *tool = lu_tool_find(game, name);
        if (tool) {
            run(tool, lu_json_root(given), at, bytes + size);
        }
    }
    lu_json_close(given);
    free(bytes);
    return 0;
}
