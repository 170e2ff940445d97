/* ludus config: the settings as they would hold, with where each value comes from. */
#include "call_episode.h"
#include "output.h"
#include "training_settings.h"

#include "ludus/algorithm.h"
#include "ludus/dqn.h"
#include "ludus/ppo.h"
#include "ludus/preset.h"
#include "ludus/run.h"
#include "ludus/self_play.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const verb_example examples[] = {
    {"ludus config prospector", "a game's settings and their values"},
    {"LUDUS_TIME_MAX=900 ludus config prospector --show-origin",
     "also where each value comes from"},
    {"ludus config prospector --preset prospector-short", "with a preset from config/"},
    {"ludus config cartpole --preset cartpole-classic --training", "with the training settings"},
    {"ludus config prospector --schema", "JSON schema of a config file"},
    {"ludus config", "every verb's options and every game's settings"},
    {NULL, NULL},
};

static const lu_setting options[] = {
    {"show_origin", LU_BOOL, "false", 0, 0, NULL, "Shows where each value comes from.", false},
    {"training", LU_BOOL, "false", 0, 0, NULL,
     "Shows what `ludus train` would train with: also the settings of training and runs.", false},
    {"schema", LU_BOOL, "false", 0, 0, NULL, "Prints the JSON schema instead.", false},
};

static const char *const origins[] = {"default", "preset", "file", "variable", "flag"};

static void write_module(const lu_settings *settings, const char *module, lu_json *json) {
    for (size_t i = 0; i < lu_settings_rows(settings); i++) {
        const lu_setting *row = lu_settings_row(settings, i, NULL);
        lu_json_object(json);
        lu_json_key_string(json, "module", module);
        lu_json_key_string(json, "key", row->key);
        lu_json_key(json, "value");
        lu_settings_write(settings, row->key, json);
        lu_json_key_string(json, "type", lu_type_name(row->type));
        lu_json_key_string(json, "default", row->initial);
        lu_json_key_string(json, "origin", origins[lu_settings_origin(settings, row->key)]);
        const char *where = lu_settings_where(settings, row->key);
        lu_json_key_string(json, "where", where ? where : "");
        lu_json_object_end(json);
    }
}

static void print_module(const lu_settings *settings, const char *module, bool origin) {
    if (lu_settings_rows(settings) == 0) {
        return;
    }
    table t = table_of(origin ? "lll" : "ll");
    if (origin) {
        table_row(&t, module, "value", "from");
    } else {
        table_row(&t, module, "value");
    }
    for (size_t i = 0; i < lu_settings_rows(settings); i++) {
        const lu_setting *row = lu_settings_row(settings, i, NULL);
        size_t count = row->repeat ? lu_settings_count(settings, row->key) : 1;
        lu_origin from = lu_settings_origin(settings, row->key);
        const char *where = lu_settings_where(settings, row->key);
        /* a profile gives some of the defaults */
        bool more = where && *where && strcmp(where, origins[from]) != 0;
        /* one line per value; a repeatable row without any has one as well */
        for (size_t n = 0; n < count || n == 0; n++) {
            const char *text = n < count ? lu_settings_nth(settings, row->key, n) : "";
            const char *value = *text ? text : "(unset)", *key = n == 0 ? row->key : "";
            if (origin) {
                table_row(&t, key, value,
                          more ? cell("%s: %s", origins[from], where) : origins[from]);
            } else {
                table_row(&t, key, value);
            }
        }
    }
    table_print(&t);
    table_free(&t);
}

/* One module in the way asked for. */
static void show(const verb_call *call, const lu_settings *settings, const char *module,
                 lu_json *json) {
    if (lu_settings_bool(call->settings, "schema")) {
        char *schema = lu_settings_schema(settings, module);
        out_format("%s\n", schema);
        free(schema);
    } else if (call->json) {
        write_module(settings, module, json);
    } else {
        print_module(settings, module, lu_settings_bool(call->settings, "show_origin"));
    }
}

/* Settings of a further table as the call has them. */
static void show_training(const verb_call *call, lu_table rows, lu_json *json) {
    lu_settings *settings = lu_settings_new();
    lu_settings_add(settings, rows);
    lu_settings_take_as_is(settings, call->settings, "");
    show(call, settings, rows.module, json);
    lu_settings_delete(settings);
}

static lu_status show_all(const verb_call *call, lu_json *json, lu_error *error) {
    lu_status status = LU_OK;
    for (int v = 0; verbs[v] && status == LU_OK; v++) {
        if (verbs[v]->options.count == 0) {
            continue;
        }
        lu_settings *settings = lu_settings_new();
        lu_settings_add(settings, verbs[v]->options);
        status = lu_settings_variables(settings, environ, false, error);
        if (status == LU_OK) {
            show(call, settings, cell("ludus %s", verbs[v]->name), json);
            out_text(call->json || lu_settings_bool(call->settings, "schema") ? "" : "\n");
        }
        lu_settings_delete(settings);
    }
    for (int g = 0; g < lu_game_count() && status == LU_OK; g++) {
        lu_settings *settings = lu_game_settings(lu_game_at(g));
        status = lu_settings_variables(settings, environ, false, error);
        if (status == LU_OK) {
            show(call, settings, lu_game_at(g)->id, json);
            out_text(call->json || lu_settings_bool(call->settings, "schema") ? "" : "\n");
        }
        lu_settings_delete(settings);
    }
    for (int t = 0; training_tables[t] && status == LU_OK; t++) {
        show_training(call, *training_tables[t], json);
        out_text(call->json || lu_settings_bool(call->settings, "schema") ? "" : "\n");
    }
    return status;
}

/* As `ludus train` would train, but for what only a training can judge. */
static lu_status settle(verb_call *call, lu_error *error) {
    lu_text told = LU_TEXT_INIT;
    lu_status status = training_preset(call, &told, error);
    LU_THEN(status, training_settle(call, error));
    const lu_algorithm *a = lu_algorithm_find(lu_settings_text_of(call->settings, "algo"), NULL);
    LU_THEN(status, a && a->profile ? a->profile(call->settings, error) : LU_OK);
    if (status == LU_OK && !call->json && !lu_settings_bool(call->settings, "schema")) {
        note("preset: %s", told.text);
    }
    lu_text_free(&told);
    return status;
}

static lu_status run(verb_call *call, lu_error *error) {
    lu_status status = LU_OK;
    bool schema = lu_settings_bool(call->settings, "schema");
    lu_json json = LU_JSON_INIT;
    lu_json_object(&json);
    lu_json_key_int(&json, "schema", 1);
    lu_json_key_array(&json, "settings");
    if (call->game) {
        /* opened, since the rules refuse what only the game can judge */
        lu_episode e;
        bool training = lu_settings_bool(call->settings, "training");
        status = training ? settle(call, error) : training_settle(call, error);
        LU_THEN(status, call_open_episode(call, call->game, NULL, &e, error));
        training = training && status == LU_OK;
        if (status == LU_OK) {
            show(call, e.settings, call->game->id, &json);
            lu_episode_close(&e);
        }
        for (int t = 0; training && training_tables[t]; t++) {
            show_training(call, *training_tables[t], &json);
        }
    } else {
        status = show_all(call, &json, error);
    }
    lu_json_array_end(&json);
    lu_json_object_end(&json);
    if (status == LU_OK && call->json && !schema) {
        out_json(&json);
    }
    lu_json_free(&json);
    return status;
}

const verb verb_config = {
    .name = "config",
    .usage = "config [GAME] [--show-origin] [--schema] [--json]",
    .sentence = "Shows settings with their values and where each comes from.",
    .details = "A flag overrides a variable (LUDUS_KEY), a variable overrides a file (--config, "
               "then\n--preset), a file overrides the default.",
    .examples = examples,
    .options = VERB_OPTIONS("config", options),
    .tables = training_tables,
    .game = VERB_GAME_MAYBE,
    .game_settings = true,
    .json = true,
    .run = run,
};
