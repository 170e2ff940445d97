/* The tools of the game's folder for the page: the list, and one run. A tool takes texts and never
 * opens a file, so every tool of the registry runs here; what a page reads from a .gz file it
 * inflates itself (DecompressionStream). A run holds the module's thread, hence a page runs it in a
 * worker; the host's `progress` is told how far it is and ends it by answering 1. */
#include "module.h"

#include <stdlib.h>
#include <string.h>

enum { INPUTS_MOST = 1024 };

/* From the host: share done in [0, 1], what is being done, its length. 1: stop. */
__attribute__((import_module("ludus"), import_name("progress"))) int32_t
ludus_host_progress(double share, const char *what, int32_t length);

int32_t EXPORT(ludus_tools)(void);
int32_t EXPORT(ludus_tool_run)(int32_t length);

typedef struct tool_run {
    double share;
    const char *what;
    bool stop;
} tool_run;

/* A host that said stop is not asked again. */
static bool ask_host(tool_run *run) {
    run->stop =
        run->stop || ludus_host_progress(run->share, run->what, (int32_t)strlen(run->what)) != 0;
    return run->stop;
}

static void on_progress(void *user, double share, const char *what) {
    tool_run *run = user;
    run->share = share;
    run->what = what;
    ask_host(run);
}

static bool on_cancelled(void *user) {
    return ask_host(user);
}

static void on_emit(void *user, const char *json, size_t length) {
    (void)user;
    lu_json_raw(&module.answer, json, length);
}

/* [{"game","name","sentence","agent","settings":SCHEMA}, ...]; agent: the variant whose trained
 * model helps, or null */
int32_t EXPORT(ludus_tools)(void) {
    lu_json_clear(&module.answer);
    lu_json_array(&module.answer);
    for (int i = 0; i < lu_tool_count(); i++) {
        const lu_tool *tool = lu_tool_at(i);
        lu_settings *settings = lu_settings_new();
        if (tool->settings.count > 0) {
            lu_settings_add(settings, tool->settings);
        }
        char *schema = lu_settings_schema(settings, tool->name);
        lu_json_object(&module.answer);
        lu_json_key_string(&module.answer, "game", tool->game);
        lu_json_key_string(&module.answer, "name", tool->name);
        lu_json_key_string(&module.answer, "sentence", tool->sentence);
        lu_json_key_string(&module.answer, "agent", tool->agent);
        lu_json_key_raw(&module.answer, "settings", schema);
        lu_json_object_end(&module.answer);
        free(schema);
        lu_settings_delete(settings);
    }
    lu_json_array_end(&module.answer);
    return LU_OK;
}

/* Texts of [{"name","text"}, ...]; they live in the document. Absent: none. */
static lu_status read_inputs(const lu_json_value *array, lu_tool_input *inputs, int *count,
                             lu_error *error) {
    size_t entries = lu_json_count(array);
    *count = 0;
    if (array && lu_json_kind_of(array) != LU_JSON_ARRAY) {
        return lu_fail(error, LU_BAD_DATA, "'inputs' must be an array of {\"name\",\"text\"}");
    }
    if (entries > INPUTS_MOST) {
        return lu_fail(error, LU_LIMIT, "'inputs' has %zu entries; at most %d are taken", entries,
                       (int)INPUTS_MOST);
    }
    for (size_t i = 0; i < entries; i++) {
        const lu_json_value *entry = lu_json_at(array, i), *text = lu_json_get(entry, "text");
        lu_tool_input *input = &inputs[i];
        lu_status status = lu_json_get_text(entry, "name", &input->name, error);
        LU_THEN(status, lu_json_get_text(entry, "text", &input->text, error));
        if (status != LU_OK) {
            return status;
        }
        lu_json_text(text, &input->length);
    }
    *count = (int)entries;
    return LU_OK;
}

/* Refuses members that mean nothing, so that a slip of the pen is told. */
static lu_status known_members(const lu_json_value *call, lu_error *error) {
    static const char *const known[] = {"tool", "settings", "inputs"};
    if (lu_json_kind_of(call) != LU_JSON_OBJECT) {
        return lu_fail(error, LU_BAD_DATA,
                       "a call must be an object {\"tool\",\"settings\",\"inputs\"}");
    }
    for (size_t i = 0; i < lu_json_count(call); i++) {
        const char *key;
        bool found = false;
        (void)lu_json_member(call, i, &key);
        for (int k = 0; k < 3; k++) {
            found = found || strcmp(key, known[k]) == 0;
        }
        if (!found) {
            return lu_fail(error, LU_UNKNOWN_KEY,
                           "a call has no '%s'; it has tool, settings and inputs", key);
        }
    }
    return LU_OK;
}

static lu_status run_call(const lu_json_value *call, lu_settings *settings, lu_tool_input *inputs,
                          lu_error *error) {
    const char *name;
    tool_run run = {0.0, "", false};
    lu_tool_io io = {.settings = settings,
                     .inputs = inputs,
                     .user = &run,
                     .emit = on_emit,
                     .progress = on_progress,
                     .cancelled = on_cancelled};
    lu_status status = known_members(call, error);
    LU_THEN(status, lu_json_get_text(call, "tool", &name, error));
    if (status != LU_OK) {
        return status;
    }
    const lu_tool *tool = lu_tool_find(lu_game_at(0)->name, name);
    if (!tool) {
        return lu_fail(error, LU_NOT_FOUND, "%s has no tool '%.60s'; ludus_tools lists them",
                       lu_game_at(0)->name, name);
    }
    if (tool->settings.count > 0) {
        lu_settings_add(settings, tool->settings);
    }
    status = wasm_settings(settings, lu_json_get(call, "settings"), error);
    LU_THEN(status, read_inputs(lu_json_get(call, "inputs"), inputs, &io.input_count, error));
    if (status != LU_OK) {
        return status;
    }
    io.agent = wasm_agent_for(tool);
    lu_json_clear(&module.answer);
    lu_json_array(&module.answer);
    status = tool->run(&io, error);
    lu_json_array_end(&module.answer);
    return status;
}

/* Runs the lent {"tool":NAME,"settings":{...},"inputs":[{"name","text"},...]}. The answer is the
 * array of the documents that the tool gave; so it is with LU_CHECK_FAILED, whose documents say
 * what failed. */
int32_t EXPORT(ludus_tool_run)(int32_t length) {
    lu_error error = {LU_OK, ""};
    int32_t read;
    lu_json_document *document = wasm_read("call", length, &read);
    if (!document) {
        return read;
    }
    lu_settings *settings = lu_settings_new();
    lu_tool_input *inputs = lu_alloc_zero(INPUTS_MOST, sizeof *inputs);
    lu_status status = run_call(lu_json_root(document), settings, inputs, &error);
    free(inputs);
    lu_settings_delete(settings);
    lu_json_close(document);
    return status == LU_OK || status == LU_CHECK_FAILED ? (int32_t)status : wasm_refuse(&error);
}
