/* Run: a run folder that somebody else's trainer writes, with the net of a model file whose
 * parameters come from outside, so that the evaluator, the site and `ludus eval` read it as one of
 * ours (ludus/run.h). */
#include "settings.h"

#include "ludus/agent.h"
#include "ludus/clock.h"
#include "ludus/process.h"
#include "ludus/run.h"
#include "ludus/version.h"

#include <stdlib.h>
#include <string.h>

typedef struct run_object {
    PyObject_HEAD lu_settings *all, *own;
    lu_episode episode;
    lu_net *net;
    lu_run *run;
    lu_window window;
    double began;
    uint64_t seed;
    char *name[LU_MAX_FIGURES]; /* of figures, as the windows name them */
    int names;
    unsigned born; /* the folder is that process's */
} run_object;

static lu_status open_run(run_object *r, const lu_game *game, const char *runs, const char *name,
                          const char *algorithm, lu_error *error) {
    char commit[64];
    lu_process_commit(false, commit, sizeof commit);
    LU_TRY(native_episode(game, r->all, &r->episode, error));
    r->own = native_own_settings(game, lu_algorithms[0], r->all);
    r->net = lu_net_new(game, LU_NET_POLICY, r->own, error);
    if (!r->net) {
        return error->status;
    }
    lu_run_facts facts = {.game = game,
                          .algorithm = algorithm,
                          .settings = r->all,
                          .seed = r->seed,
                          .commit = commit,
                          .version = lu_version(),
                          .name = *name ? name : NULL};
    r->run = lu_run_new(runs, &facts, error);
    return r->run ? lu_run_set_status(r->run, "running", 0, 0, error) : error->status;
}

/* Run(game, preset, settings, runs, name, algorithm, seed) */
static PyObject *run_new(PyTypeObject *type, PyObject *args, PyObject *words) {
    static char *names[] = {"game", "preset",    "settings", "runs",
                            "name", "algorithm", "seed",     NULL};
    const char *id, *preset, *settings, *runs, *name, *algorithm;
    unsigned long long seed;
    lu_error error;
    if (!PyArg_ParseTupleAndKeywords(args, words, "ssssssK", names, &id, &preset, &settings, &runs,
                                     &name, &algorithm, &seed)) {
        return NULL;
    }
    const lu_game *game = lu_game_find(id, &error);
    run_object *r = game ? (run_object *)PyType_GenericAlloc(type, 0) : NULL;
    if (!r) {
        return game ? NULL : native_raise(&error);
    }
    r->seed = seed;
    r->born = native_forks();
    r->began = lu_clock_seconds();
    r->all = native_settings(game, preset, settings, &error);
    if (!r->all || open_run(r, game, runs, name, algorithm, &error) != LU_OK) {
        native_raise(&error);
        Py_DECREF(r);
        return NULL;
    }
    return (PyObject *)r;
}

static void run_free(run_object *r) {
    PyTypeObject *type = Py_TYPE((PyObject *)r);
    if (r->born == native_forks()) {
        lu_run_close(r->run);
    }
    lu_net_delete(r->net);
    lu_settings_delete(r->own);
    lu_settings_delete(r->all);
    lu_episode_close(&r->episode);
    for (int i = 0; i < r->names; i++) {
        free(r->name[i]);
    }
    PyObject_Free(r);
    Py_DECREF(type);
}

/* ---- writing ---- */

/* The figures of an update by name; the names of the first one stay. */
static lu_status read_figures(run_object *r, const lu_json_value *row, lu_progress *g,
                              lu_error *error) {
    const lu_json_value *figures = lu_json_get(row, "figures");
    size_t count = lu_json_count(figures);
    if (count > LU_MAX_FIGURES || (r->names && (size_t)r->names != count)) {
        return lu_fail(error, LU_BAD_DATA, "figures of a run must be the same in every update");
    }
    for (size_t i = 0; i < count; i++) {
        const char *name;
        double value = lu_json_real_or(lu_json_member(figures, i, &name), 0.0);
        if ((int)i >= r->names) {
            r->name[r->names++] = lu_strdup(name);
        }
        if (strcmp(r->name[i], name) != 0) {
            return lu_fail(error, LU_BAD_DATA, "figure '%.60s' stands where '%s' was", name,
                           r->name[i]);
        }
        g->figure[i] = (lu_figure){r->name[i], value};
    }
    g->figures = (int)count;
    return LU_OK;
}

static lu_status read_update(run_object *r, const lu_json_value *row, lu_progress *g,
                             lu_error *error) {
    double most = 9e15;
    LU_TRY(lu_json_get_int(row, "updates", 1, (int64_t)most, &g->updates, error));
    LU_TRY(lu_json_get_int(row, "steps", 1, (int64_t)most, &g->steps, error));
    LU_TRY(lu_json_get_int(row, "episodes", 0, (int64_t)most, &g->episodes, error));
    if (g->steps <= r->window.steps || g->updates <= r->window.update) {
        return lu_fail(error, LU_BAD_DATA, "updates and steps of a run must rise");
    }
    g->ticks = g->steps - r->window.steps;
    g->episode_return = lu_json_real_or(lu_json_get(row, "episode_return"), 0.0);
    g->episode_length = lu_json_real_or(lu_json_get(row, "episode_length"), 0.0);
    g->reward = lu_json_real_or(lu_json_get(row, "reward"), 0.0);
    g->reward_square = g->reward * g->reward;
    g->seconds = lu_json_real_or(lu_json_get(row, "seconds"), 0.0);
    g->steps_per_second = g->seconds > 0.0 ? (double)g->ticks / g->seconds : 0.0;
    return read_figures(r, row, g, error);
}

static lu_status write_update(run_object *r, const lu_progress *g, lu_error *error) {
    lu_json json = LU_JSON_INIT;
    lu_json_object(&json);
    lu_json_key_int(&json, "window_id", r->window.id);
    lu_json_key_real(&json, "wall_seconds", r->window.wall);
    lu_progress_write(g, r->episode.game, &json);
    lu_json_object_end(&json);
    lu_status status = lu_run_row(r->run, LU_UPDATES, json.text, error);
    lu_json_free(&json);
    return status;
}

static lu_model_file model_of(run_object *r, double return_scale) {
    lu_model_file model = {.game = r->episode.game,
                           .net = r->net,
                           .settings = r->own,
                           .return_scale = return_scale,
                           .step = r->window.steps,
                           .seed = r->seed};
    strcpy(model.build, "ludus " LU_VERSION " python");
    return model;
}

static lu_status write_window(run_object *r, const lu_progress *last, bool complete,
                              lu_error *error) {
    char now[LU_CLOCK_TEXT];
    lu_json json = LU_JSON_INIT;
    lu_json_object(&json);
    lu_json_key_string(&json, "run_id", lu_run_id(r->run));
    lu_json_key_bool(&json, "complete", complete);
    lu_json_key_string(&json, "written", lu_clock_utc(now, sizeof now));
    lu_window_write(&r->window, last, r->episode.game, &json);
    lu_json_object_end(&json);
    lu_status status = lu_run_row(r->run, LU_WINDOWS, json.text, error);
    lu_json_free(&json);
    lu_model_file model = model_of(r, 1.0);
    static const char nothing[] = "the optimiser is elsewhere";
    lu_checkpoint point = {.window = &r->window,
                           .closed = true,
                           .probe = lu_agent_probe(&model, r->episode.rules, r->episode.options),
                           .state = nothing,
                           .length = sizeof nothing,
                           .model = &model};
    LU_THEN(status, lu_run_save(r->run, &point, (int)lu_settings_int(r->all, "run.keep"), error));
    return status;
}

/* Copies parameters in; LU_DIVERGED when one is no number. */
static lu_status take_block(run_object *r, const float *block, lu_error *error) {
    size_t count = lu_net_parameters(r->net);
    for (size_t i = 0; i < count; i++) {
        if (!(block[i] - block[i] == 0.0f)) {
            return lu_fail(error, LU_DIVERGED, "parameter %zu of the net isn't a number", i);
        }
    }
    memcpy(lu_net_block(r->net), block, count * sizeof *block);
    lu_net_pack(r->net);
    return LU_OK;
}

static int check_open(const run_object *r) {
    if (!r->run) {
        PyErr_SetString(PyExc_RuntimeError, "this run has ended");
        return -1;
    }
    return native_here(r->born);
}

/* update(row, block, closes): an update's figures; with `closes` the window ends and the net with
 * these parameters becomes its checkpoint. */
static PyObject *run_update(run_object *r, PyObject *args) {
    const char *text;
    PyObject *object;
    int closes;
    Py_buffer block = {0};
    lu_error error;
    if (check_open(r) != 0 || !PyArg_ParseTuple(args, "sOp", &text, &object, &closes)) {
        return NULL;
    }
    if (native_buffer_or_none(object, "block", "f4", lu_net_parameters(r->net), false, &block) !=
        0) {
        return NULL;
    }
    lu_progress g = {0};
    lu_json_document *row = lu_json_read("update", text, strlen(text), &error);
    lu_status status = row ? read_update(r, lu_json_root(row), &g, &error) : error.status;
    lu_json_close(row);
    if (status == LU_OK && block.buf) {
        status = take_block(r, block.buf, &error);
    }
    if (status == LU_OK) {
        lu_window_add(&r->window, &g, lu_clock_seconds() - r->began);
        status = write_update(r, &g, &error);
    }
    LU_THEN(status, closes ? write_window(r, &g, true, &error) : LU_OK);
    LU_THEN(status, lu_run_set_status(r->run, "running", g.updates, g.steps, &error));
    native_release(&block);
    if (status != LU_OK) {
        return native_raise(&error);
    }
    if (closes) {
        lu_window_next(&r->window);
    }
    Py_RETURN_NONE;
}

/* end(status): finished, stopped or failed. */
static PyObject *run_end(run_object *r, PyObject *object) {
    const char *said = PyUnicode_AsUTF8AndSize(object, NULL);
    lu_error error;
    if (!said || check_open(r) != 0) {
        return NULL;
    }
    if (lu_run_set_status(r->run, said, r->window.update, r->window.steps, &error) != LU_OK) {
        return native_raise(&error);
    }
    lu_run_close(r->run);
    r->run = NULL;
    Py_RETURN_NONE;
}

/* model(): the file of the net as it is, as bytes. */
static PyObject *run_model(run_object *r, PyObject *none) {
    (void)none;
    char *bytes;
    size_t length;
    lu_error error;
    lu_model_file model = model_of(r, 1.0);
    if (lu_model_file_write(&model, &bytes, &length, &error) != LU_OK) {
        return native_raise(&error);
    }
    PyObject *result = PyBytes_FromStringAndSize(bytes, (Py_ssize_t)length);
    free(bytes);
    return result;
}

static PyObject *run_place(run_object *r, PyObject *none) {
    (void)none;
    if (check_open(r) != 0) {
        return NULL;
    }
    return Py_BuildValue("ss", lu_run_id(r->run), lu_run_path(r->run));
}

static PyMethodDef methods[] = {
    {"update", (PyCFunction)run_update, METH_VARARGS, "update(row, block, closes)"},
    {"end", (PyCFunction)run_end, METH_O, "end(status): finished, stopped or failed."},
    {"model", (PyCFunction)run_model, METH_NOARGS, "model(): the model file as bytes."},
    {"place", (PyCFunction)run_place, METH_NOARGS, "place(): id and path."},
    {NULL, NULL, 0, NULL},
};

static PyType_Slot slots[] = {
    {Py_tp_new, (void *)run_new},
    {Py_tp_dealloc, (void *)run_free},
    {Py_tp_methods, methods},
    {Py_tp_doc, "A run folder that another trainer writes."},
    {0, NULL},
};
static PyType_Spec spec = {"ludus._native.Run", sizeof(run_object), 0, Py_TPFLAGS_DEFAULT, slots};

int native_add_run(PyObject *module) {
    return native_add_type(module, &spec, "Run");
}
