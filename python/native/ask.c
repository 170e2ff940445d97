/* Functions of the module: games and their specifications, tools, matches, and runs as they are
 * read. Answers are JSON texts. */
#include "native.h"

#include "ludus/contest.h"
#include "ludus/file.h"
#include "ludus/process.h"
#include "ludus/rows.h"
#include "ludus/run.h"
#include "ludus/tool_loan.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- games ---- */

static PyObject *games(PyObject *module, PyObject *none) {
    (void)module;
    (void)none;
    lu_json json = LU_JSON_INIT;
    lu_json_array(&json);
    for (int i = 0; i < lu_game_count(); i++) {
        lu_json_string(&json, lu_game_at(i)->id);
    }
    lu_json_array_end(&json);
    return native_json(&json);
}

static void write_schema(lu_json *json, const char *key, lu_settings *settings, const char *title) {
    char *schema = lu_settings_schema(settings, title);
    lu_json_key_raw(json, key, schema);
    free(schema);
    lu_settings_delete(settings);
}

/* spec(game): {"spec", "facts", "settings", "options"}: the specification, words for people, and
 * the schemas of settings and reset options. */
static PyObject *spec(PyObject *module, PyObject *args) {
    const char *name;
    lu_error error;
    (void)module;
    if (!PyArg_ParseTuple(args, "s", &name)) {
        return NULL;
    }
    const lu_game *game = lu_game_find(name, &error);
    if (!game) {
        return native_raise(&error);
    }
    lu_json json = LU_JSON_INIT;
    lu_json_object(&json);
    lu_json_key_string(&json, "id", game->id);
    lu_json_key(&json, "spec");
    lu_spec_write(game, &json);
    lu_json_key_hex(&json, "hash", lu_spec_hash(game));
    lu_json_key_object(&json, "facts");
    lu_game_facts_write(game, &json);
    lu_json_object_end(&json);
    lu_json_key_int(&json, "observation_length", lu_game_observation_length(game));
    lu_json_key_int(&json, "critic_length", lu_game_critic_length(game));
    lu_json_key_int(&json, "mask_length", lu_game_mask_length(game));
    lu_json_key_bool(&json, "submask", lu_game_core(game)->submask != NULL);
    write_schema(&json, "settings", lu_game_settings(game), game->id);
    write_schema(&json, "options", lu_game_options(game), game->id);
    lu_json_object_end(&json);
    return native_json(&json);
}

/* ---- tools ---- */

static PyObject *tools(PyObject *module, PyObject *none) {
    (void)module;
    (void)none;
    lu_json json = LU_JSON_INIT;
    lu_json_array(&json);
    for (int i = 0; i < lu_tool_count(); i++) {
        const lu_tool *tool = lu_tool_at(i);
        lu_json_object(&json);
        lu_json_key_string(&json, "game", tool->game);
        lu_json_key_string(&json, "name", tool->name);
        lu_json_key_string(&json, "sentence", tool->sentence);
        lu_json_key_string(&json, "argument", tool->argument);
        lu_json_key_string(&json, "agent", tool->agent);
        lu_json_key_string(&json, "keeps", tool->keeps);
        lu_settings *settings = lu_settings_new();
        if (tool->settings.count > 0) {
            lu_settings_add(settings, tool->settings);
        }
        write_schema(&json, "settings", settings, tool->name);
        lu_json_object_end(&json);
    }
    lu_json_array_end(&json);
    return native_json(&json);
}

/* Whether Ctrl-C was pressed, with the exception set. Python says so once, and to its main thread
 * alone; `stopped` keeps it for all who ask. */
static bool interrupted(atomic_bool *stopped) {
    if (!atomic_load(stopped)) {
        PyGILState_STATE state = PyGILState_Ensure();
        if (PyErr_CheckSignals() != 0) {
            atomic_store(stopped, true);
        }
        PyGILState_Release(state);
    }
    return atomic_load(stopped);
}

/* A running tool: what it gave, and whom it tells how far it is. */
typedef struct running {
    lu_json answers;
    PyObject *progress;  /* NULL: nobody */
    atomic_bool stopped; /* a callback raised, or Ctrl-C: the exception is set */
} running;

static void emit(void *user, const char *json, size_t length) {
    lu_json_raw(&((running *)user)->answers, json, length);
}

static void on_progress(void *user, double share, const char *what) {
    running *r = user;
    if (!r->progress || atomic_load(&r->stopped)) {
        return;
    }
    PyGILState_STATE state = PyGILState_Ensure();
    PyObject *answer = PyObject_CallFunction(r->progress, "ds", share, what ? what : "");
    if (!answer) {
        atomic_store(&r->stopped, true);
    }
    Py_XDECREF(answer);
    PyGILState_Release(state);
}

static bool cancelled(void *user) {
    return interrupted(&((running *)user)->stopped);
}

/* Texts of the files that a tool reads: pairs of a name and bytes. */
static lu_tool_input *read_inputs(PyObject *pairs, Py_ssize_t *count) {
    *count = PySequence_Size(pairs);
    if (*count < 0) {
        return NULL;
    }
    lu_tool_input *inputs = lu_alloc_zero((size_t)*count + 1, sizeof *inputs);
    for (Py_ssize_t i = 0; i < *count; i++) {
        PyObject *pair = PySequence_GetItem(pairs, i);
        PyObject *name = pair ? PySequence_GetItem(pair, 0) : NULL;
        PyObject *data = pair ? PySequence_GetItem(pair, 1) : NULL;
        char *bytes = NULL;
        Py_ssize_t length = 0;
        inputs[i].name = name ? PyUnicode_AsUTF8AndSize(name, NULL) : NULL;
        int status = inputs[i].name && data ? PyBytes_AsStringAndSize(data, &bytes, &length) : -1;
        inputs[i].text = bytes; /* both live as long as the sequence of the caller */
        inputs[i].length = (size_t)length;
        Py_XDECREF(name);
        Py_XDECREF(data);
        Py_XDECREF(pair);
        if (status != 0) {
            free(inputs);
            return NULL;
        }
    }
    return inputs;
}

static lu_status run_tool(const lu_tool *tool, const lu_settings *settings, const char *agent,
                          const char *runs, lu_tool_io *io, lu_error *error) {
    lu_tool_loan loan = {0};
    lu_status status = lu_tool_lend(&loan, tool, settings, agent, runs, 0, error);
    if (status == LU_OK) {
        lu_tool_equip(&loan, io);
        status = tool->run(io, error);
        lu_tool_return(&loan);
    }
    return status;
}

/* tool(game, name, settings, inputs, agent, runs, progress): a list of answers. */
static PyObject *tool(PyObject *module, PyObject *args) {
    const char *game, *name, *text, *agent, *runs;
    PyObject *pairs, *progress;
    Py_ssize_t count;
    lu_error error;
    (void)module;
    if (!PyArg_ParseTuple(args, "sssOssO", &game, &name, &text, &pairs, &agent, &runs, &progress)) {
        return NULL;
    }
    const lu_tool *found = lu_tool_find(game, name);
    if (!found) {
        PyErr_Format(PyExc_LookupError, "%s has no tool '%s'", game, name);
        return NULL;
    }
    lu_tool_input *inputs = read_inputs(pairs, &count);
    if (!inputs) {
        return NULL;
    }
    lu_settings *settings = lu_settings_new();
    lu_settings_read_files(settings);
    if (found->settings.count > 0) {
        lu_settings_add(settings, found->settings);
    }
    running r = {.progress = progress == Py_None ? NULL : progress};
    lu_json_init(&r.answers);
    lu_json_array(&r.answers);
    lu_tool_io io = {.settings = settings,
                     .inputs = inputs,
                     .input_count = (int)count,
                     .user = &r,
                     .emit = emit,
                     .progress = on_progress,
                     .cancelled = cancelled};
    lu_status status =
        lu_settings_text(settings, "json", name, text, strlen(text), LU_FROM_FLAG, &error);
    if (status == LU_OK) {
        Py_BEGIN_ALLOW_THREADS status = run_tool(found, settings, agent, runs, &io, &error);
        Py_END_ALLOW_THREADS
    }
    free(inputs);
    lu_settings_delete(settings);
    lu_json_array_end(&r.answers);
    if (PyErr_Occurred() || status != LU_OK) {
        lu_json_free(&r.answers);
        return PyErr_Occurred() ? NULL : native_raise(&error);
    }
    return native_json(&r.answers);
}

/* ---- matches ---- */

typedef struct asked {
    const char *names[2], *game, *settings, *options, *runs, *record;
    int greedy; /* -1: as a net of its kind plays by itself */
    int each;
    atomic_bool stopped;
    lu_contest contest;
    lu_player who[2];
    lu_episode episode;
} asked;

static bool stop_match(void *context) {
    return interrupted(&((asked *)context)->stopped);
}

static lu_status read_json(lu_settings *settings, const char *name, const char *text,
                           lu_error *error) {
    return lu_settings_text(settings, "json", name, text, strlen(text), LU_FROM_FLAG, error);
}

/* Opens players and episode, by the settings of the first model. */
static lu_status open_match(asked *a, int players, lu_error *error) {
    const lu_game *game = NULL;
    const lu_model_file *file = NULL;
    if (*a->game && !(game = lu_game_find(a->game, error))) {
        return error->status;
    }
    LU_TRY(lu_players_open(a->who, a->names, players, &game, lu_run_find_player, a->runs, error));
    for (int i = 0; i < players; i++) {
        bool q = a->who[i].file && lu_net_kind_of(a->who[i].file->net) == LU_NET_Q;
        a->who[i].greedy = a->who[i].file && (a->greedy > 0 || q);
        file = file ? file : a->who[i].file;
    }
    lu_settings *settings = lu_game_settings(game), *options = lu_game_options(game);
    if (file) {
        lu_settings_take(settings, file->settings, LU_FROM_FILE, "the model");
    }
    lu_settings_read_files(settings);
    lu_status status = read_json(settings, "settings", a->settings, error);
    LU_THEN(status, read_json(options, "options", a->options, error));
    if (status != LU_OK) {
        lu_settings_delete(settings);
        lu_settings_delete(options);
        return status;
    }
    return lu_episode_open(&a->episode, game, settings, options, error);
}

static lu_status play_contest(asked *a, lu_json *json, lu_error *error) {
    lu_status status = lu_match_check_sides(&a->episode, error);
    LU_THEN(status, lu_contest_play(&a->contest, error));
    if (status == LU_OK) {
        lu_contest_write(&a->contest, json);
        lu_contest_free(&a->contest);
    }
    return status;
}

static lu_status play_alone(asked *a, int players, lu_json *json, lu_error *error) {
    lu_match *match = &a->contest.match;
    match->player[0] = &a->who[0];
    match->player[1] = players > 1 ? &a->who[1] : NULL;
    LU_TRY(lu_match_play(match, error));
    lu_json_object(json);
    lu_json_key(json, "player");
    lu_player_write(&a->who[0], json);
    lu_match_write_seats(match, json);
    lu_match_write(match, json);
    if (a->each) {
        lu_match_write_each(match, json);
    }
    lu_json_object_end(json);
    lu_match_free(match);
    return LU_OK;
}

/* match(a, b, game, settings, options, runs, record, games, first_seed, threads, greedy, exchange,
 * each): two players with sides exchanged, or one beside others on fixed seeds. */
static PyObject *match(PyObject *module, PyObject *args) {
    asked a = {0};
    int games, threads, exchange;
    unsigned long long seed;
    lu_error error;
    (void)module;
    if (!PyArg_ParseTuple(args, "szsssssiKiipp", &a.names[0], &a.names[1], &a.game, &a.settings,
                          &a.options, &a.runs, &a.record, &games, &seed, &threads, &a.greedy,
                          &exchange, &a.each)) {
        return NULL;
    }
    if (games < 1 || games > 1 << 24 || threads < 0 || threads > 4096 || (exchange && games % 2)) {
        PyErr_SetString(PyExc_ValueError,
                        "games must be 1 or more, an even number where sides are exchanged");
        return NULL;
    }
    a.contest.a = &a.who[0];
    a.contest.b = &a.who[1];
    a.contest.match = (lu_match){.episode = &a.episode,
                                 .record = a.record,
                                 .first_seed = seed,
                                 .episodes = games,
                                 .threads = threads,
                                 .context = &a,
                                 .stop = stop_match};
    lu_json json = LU_JSON_INIT;
    int players = a.names[1] ? 2 : 1;
    lu_status status;
    Py_BEGIN_ALLOW_THREADS status = open_match(&a, players, &error);
    LU_THEN(status,
            exchange ? play_contest(&a, &json, &error) : play_alone(&a, players, &json, &error));
    lu_episode_close(&a.episode);
    lu_player_close(&a.who[0]);
    lu_player_close(&a.who[1]);
    Py_END_ALLOW_THREADS if (PyErr_Occurred() || status != LU_OK) {
        lu_json_free(&json);
        return PyErr_Occurred() ? NULL : native_raise(&error);
    }
    return native_json(&json);
}

/* ---- runs ---- */

/* find(what, runs, name, game): the path of a "run", a "model" or a "replay". */
static PyObject *find(PyObject *module, PyObject *args) {
    const char *what, *runs, *name, *id;
    lu_error error;
    (void)module;
    if (!PyArg_ParseTuple(args, "sssz", &what, &runs, &name, &id)) {
        return NULL;
    }
    const lu_game *game = id ? lu_game_find(id, &error) : NULL;
    if (id && !game) {
        return native_raise(&error);
    }
    lu_text path = LU_TEXT_INIT;
    lu_status status = strcmp(what, "run") == 0 ? lu_run_find(runs, name, game, &path, &error)
                       : strcmp(what, "model") == 0
                           ? lu_run_find_model(runs, name, game, &path, &error)
                           : lu_run_find_replay(runs, name, game, &path, &error);
    if (status != LU_OK) {
        lu_text_free(&path);
        return native_raise(&error);
    }
    return native_text(&path);
}

/* rows(run, kind): windows, updates, evals or leagues of a run's folder, as one JSON list. */
static PyObject *rows(PyObject *module, PyObject *args) {
    static const char *const kinds[] = {"windows", "updates", "evals", "leagues"};
    const char *run, *kind;
    lu_rows found;
    lu_error error;
    int which = 0;
    (void)module;
    if (!PyArg_ParseTuple(args, "ss", &run, &kind)) {
        return NULL;
    }
    while (which < 4 && strcmp(kinds[which], kind) != 0) {
        which++;
    }
    if (which == 4) {
        PyErr_Format(PyExc_ValueError, "rows are windows, updates, evals or leagues, not '%s'",
                     kind);
        return NULL;
    }
    lu_status status;
    Py_BEGIN_ALLOW_THREADS status = lu_rows_read(run, (lu_rows_kind)which, &found, &error);
    Py_END_ALLOW_THREADS if (status != LU_OK) {
        return native_raise(&error);
    }
    lu_json json = LU_JSON_INIT;
    lu_json_array(&json);
    for (size_t i = 0; i < found.count; i++) {
        lu_json_value_write(&json, lu_rows_at(&found, i));
    }
    lu_json_array_end(&json);
    lu_rows_free(&found);
    return native_json(&json);
}

/* share(): the folder of presets and published models, or None. */
static PyObject *share(PyObject *module, PyObject *none) {
    (void)module;
    (void)none;
    return native_taken(lu_share() ? lu_strdup(lu_share()) : NULL);
}

/* place(): the folder of runs: LUDUS_RUN_FOLDER, else that of this project. */
static PyObject *place(PyObject *module, PyObject *none) {
    (void)module;
    (void)none;
    lu_error error;
    lu_text path = LU_TEXT_INIT;
    lu_settings *settings = lu_settings_new();
    lu_settings_add(settings, lu_run_place_table);
    lu_status status = lu_settings_variables(settings, environ, false, &error);
    lu_run_place(settings, &path);
    lu_settings_delete(settings);
    if (status != LU_OK) {
        lu_text_free(&path);
        return native_raise(&error);
    }
    return native_text(&path);
}

PyMethodDef native_ask_methods[] = {
    {"games", games, METH_NOARGS, "games(): ids of all variants, a JSON list."},
    {"spec", spec, METH_VARARGS, "spec(game): specification, facts and schemas, as JSON."},
    {"tools", tools, METH_NOARGS, "tools(): the registry of tools, as JSON."},
    {"tool", tool, METH_VARARGS, "tool(game, name, settings, inputs, agent, runs, progress)"},
    {"match", match, METH_VARARGS, "match(a, b, game, ...): a report as JSON."},
    {"find", find, METH_VARARGS, "find(what, runs, name, game): a path."},
    {"rows", rows, METH_VARARGS, "rows(run, kind): rows of a run, a JSON list."},
    {"share", share, METH_NOARGS, "share(): the folder of presets and published models, or None."},
    {"place", place, METH_NOARGS, "place(): the folder of runs."},
    {NULL, NULL, 0, NULL},
};
