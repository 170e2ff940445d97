/* Training: the course of a training with its run folder, update by update, and who is told
 * (ludus/training.h). Where players elsewhere collect its batches (ludus/trainer_halves.h) it is
 * their learner; Player is one of them. */
#include "settings.h"

#include "ludus/evaluator.h"
#include "ludus/machine_memory.h"
#include "ludus/process.h"
#include "ludus/self_play.h"
#include "ludus/trainer_halves.h"
#include "ludus/training.h"
#include "ludus/version.h"

#include <string.h>

typedef struct training_object {
    PyObject_HEAD lu_settings *all, *own;
    lu_episode episode;
    lu_training *course;
    PyObject *tell; /* called with a kind and a JSON text; its answer to "stop" ends a sitting */
    char commit[64];
    lu_text runs, path;
    unsigned born;     /* the run and its threads are that process's */
    bool failed, busy; /* failed: a callback raised or Ctrl-C, and the exception is set */
    bool collecting;   /* inside of the callback that brings batches */
    bool over;         /* an update ended with an error: only saving is left */
    bool closing;      /* asked to stop for good */
    lu_watch watch;
} training_object;

/* ---- who is told ---- */

/* What the callback answers, as a truth. The caller holds no interpreter's lock. */
static bool told(training_object *t, const char *kind, const char *text) {
    if (t->failed) {
        return true;
    }
    PyGILState_STATE state = PyGILState_Ensure();
    PyObject *answer = PyObject_CallFunction(t->tell, "ss", kind, text);
    int truth = answer ? PyObject_IsTrue(answer) : -1;
    t->failed = truth < 0 || PyErr_CheckSignals() != 0;
    Py_XDECREF(answer);
    PyGILState_Release(state);
    return truth > 0;
}

static void on_update(void *context, const lu_progress *progress, const char *row, bool last) {
    (void)progress;
    (void)last;
    told(context, "update", row ? row : "{}");
}

static void on_window(void *context, const lu_window *window, const lu_progress *last,
                      const char *row) {
    (void)window;
    (void)last;
    told(context, "window", row);
}

static void on_evaluation(void *context, const lu_json_value *row) {
    lu_json json = LU_JSON_INIT;
    lu_json_value_write(&json, row);
    told(context, "evaluation", json.text);
    lu_json_free(&json);
}

static bool on_stop(void *context, const lu_progress *progress) {
    training_object *t = context;
    (void)progress;
    return t->closing || told(t, "stop", "{}") || t->failed;
}

static lu_status on_collect(void *context, lu_trainer *trainer, lu_error *error) {
    training_object *t = context;
    (void)trainer;
    t->collecting = true;
    told(t, "collect", "{}");
    t->collecting = false;
    return t->failed ? lu_fail(error, LU_IO, "no batch came") : LU_OK;
}

/* Inside of an update, whose end the first Ctrl-C waits for; a second one ends it here. */
static bool on_watch(void *context) {
    training_object *t = context;
    PyGILState_STATE state = PyGILState_Ensure();
    PyObject *type, *value, *trace;
    PyErr_Fetch(&type, &value, &trace);
    bool pressed = PyErr_CheckSignals() != 0, again = pressed && t->failed;
    if (pressed) {
        Py_XDECREF(type);
        Py_XDECREF(value);
        Py_XDECREF(trace);
        t->failed = true;
    } else {
        PyErr_Restore(type, value, trace);
    }
    PyGILState_Release(state);
    return again;
}

/* ---- opening ---- */

static const lu_algorithm *settle(training_object *t, const lu_game *game, lu_error *error) {
    const lu_algorithm *a = *t->path.text
                                ? lu_training_algorithm(t->path.text, game, error)
                                : lu_algorithm_find(lu_settings_text_of(t->all, "algo"), error);
    lu_status status = !a              ? error->status
                       : *t->path.text ? lu_run_settings(t->path.text, lu_training_own_keys,
                                                         lu_training_open_keys, t->all, error)
                       : a->profile    ? a->profile(t->all, error)
                                       : LU_OK;
    LU_THEN(status, lu_self_play_settle(t->all, game, a->prefix, error));
    return status == LU_OK ? a : NULL;
}

static lu_status open_course(training_object *t, const lu_game *game, const char *from,
                             const char *name, bool spread, lu_error *error) {
    const lu_algorithm *algorithm = settle(t, game, error);
    lu_training_need need;
    if (!algorithm) {
        return error->status;
    }
    LU_TRY(native_episode(game, t->all, &t->episode, error));
    LU_TRY(lu_eval_ready(&t->episode, t->all, t->runs.text, error));
    t->own = native_own_settings(game, algorithm, t->all);
    LU_TRY(lu_training_memory(game, algorithm, t->own, lu_memory_available(), &need, error));
    lu_training_plan plan = {.game = game,
                             .options = t->episode.options,
                             .algorithm = algorithm,
                             .settings = t->own,
                             .version = lu_version(),
                             .commit = t->commit,
                             .hooks = {t, on_update, on_window, on_evaluation, on_stop, NULL,
                                       spread ? on_collect : NULL, &t->watch},
                             .run = t->all,
                             .runs = t->runs.text,
                             .resume = t->path.text,
                             .name = *name ? name : NULL,
                             .from = from};
    t->course = lu_training_open(&plan, error);
    return t->course ? LU_OK : error->status;
}

/* Training(game, preset, settings, runs, resume, load, name, tell, spread) */
static PyObject *training_new(PyTypeObject *type, PyObject *args, PyObject *words) {
    static char *names[] = {"game", "preset", "settings", "runs",   "resume",
                            "load", "name",   "tell",     "spread", NULL};
    const char *id, *preset, *settings, *runs, *resume, *load, *name;
    PyObject *tell;
    int spread;
    lu_error error;
    if (!PyArg_ParseTupleAndKeywords(args, words, "sssssssOp", names, &id, &preset, &settings,
                                     &runs, &resume, &load, &name, &tell, &spread)) {
        return NULL;
    }
    const lu_game *game = lu_game_find(id, &error);
    training_object *t = game ? (training_object *)PyType_GenericAlloc(type, 0) : NULL;
    if (!t) {
        return game ? NULL : native_raise(&error);
    }
    lu_text_init(&t->runs);
    lu_text_init(&t->path);
    Py_INCREF(tell);
    t->tell = tell;
    t->watch = (lu_watch){.context = t, .stop = on_watch};
    t->born = native_forks();
    lu_text_add(&t->runs, runs);
    lu_process_commit(false, t->commit, sizeof t->commit);
    lu_status status = *resume ? lu_run_find(runs, resume, game, &t->path, &error) : LU_OK;
    if (status == LU_OK) {
        t->all = native_settings(game, preset, settings, &error);
        status = t->all ? open_course(t, game, load, name, spread, &error) : error.status;
    }
    if (status != LU_OK) {
        native_raise(&error);
        Py_DECREF(t);
        return NULL;
    }
    return (PyObject *)t;
}

static void training_free(training_object *t) {
    PyTypeObject *type = Py_TYPE((PyObject *)t);
    if (t->born == native_forks()) {
        lu_training_close(t->course);
    }
    lu_settings_delete(t->own);
    lu_settings_delete(t->all);
    lu_episode_close(&t->episode);
    lu_text_free(&t->runs);
    lu_text_free(&t->path);
    Py_XDECREF(t->tell);
    PyObject_Free(t);
    Py_DECREF(type);
}

/* ---- the course ---- */

static int check_open(const training_object *t) {
    if (!t->course) {
        PyErr_SetString(PyExc_RuntimeError, "this training is closed");
        return -1;
    }
    return native_here(t->born);
}

static PyObject *course(training_object *t, lu_status (*call)(lu_training *, lu_error *)) {
    lu_error error;
    lu_status status;
    if (check_open(t) != 0 || native_enter(&t->busy) != 0) {
        return NULL;
    }
    t->failed = false;
    Py_BEGIN_ALLOW_THREADS status = call(t->course, &error);
    Py_END_ALLOW_THREADS t->busy = false;
    t->over |= status != LU_OK;
    if (t->failed) {
        return NULL;
    }
    if (status != LU_OK) {
        return native_raise(&error);
    }
    return PyBool_FromLong(lu_training_done(t->course));
}

static PyObject *train(training_object *t, lu_status (*call)(lu_training *, lu_error *)) {
    if (t->over) {
        PyErr_SetString(PyExc_RuntimeError, "an update of this training did not end well: close it "
                                            "and `resume` its run from the last checkpoint");
        return NULL;
    }
    return course(t, call);
}

/* The last one ends the sitting too. */
static lu_status update(lu_training *course_, lu_error *error) {
    LU_TRY(lu_training_update(course_, error));
    return lu_training_done(course_) ? lu_training_go(course_, error) : LU_OK;
}

static PyObject *training_update(training_object *t, PyObject *none) {
    (void)none;
    return train(t, update);
}

static PyObject *training_go(training_object *t, PyObject *none) {
    (void)none;
    return train(t, lu_training_go);
}

static lu_status hear(lu_training *course_, lu_error *error) {
    (void)error;
    lu_training_hear(course_, true);
    return LU_OK;
}

static PyObject *training_hear(training_object *t, PyObject *none) {
    (void)none;
    return course(t, hear);
}

static PyObject *training_close(training_object *t, PyObject *none) {
    (void)none;
    if (native_here(t->born) != 0 || native_enter(&t->busy) != 0) {
        return NULL;
    }
    lu_error error;
    lu_status status = LU_OK;
    if (t->course && !t->over) {
        t->closing = true;
        Py_BEGIN_ALLOW_THREADS status = lu_training_go(t->course, &error);
        Py_END_ALLOW_THREADS
    }
    lu_training_close(t->course);
    t->course = NULL;
    t->busy = false;
    if (status != LU_OK) {
        return native_raise(&error);
    }
    Py_RETURN_NONE;
}

/* save(path): the model as it is, an archive where the name ends with .zip. */
static PyObject *training_save(training_object *t, PyObject *object) {
    const char *path = PyUnicode_AsUTF8AndSize(object, NULL);
    lu_error error;
    if (!path || check_open(t) != 0) {
        return NULL;
    }
    size_t length = strlen(path);
    lu_model_file file = lu_training_model(t->course);
    bool zip = length > 4 && strcmp(path + length - 4, ".zip") == 0;
    if ((zip ? lu_model_file_export_zip : lu_model_file_save)(path, &file, &error) != LU_OK) {
        return native_raise(&error);
    }
    Py_RETURN_NONE;
}

/* facts(): where it is, as JSON. */
static PyObject *training_facts(training_object *t, PyObject *none) {
    (void)none;
    if (check_open(t) != 0) {
        return NULL;
    }
    lu_trainer *trainer = lu_training_trainer(t->course);
    lu_json json = LU_JSON_INIT;
    lu_json_object(&json);
    lu_json_key_string(&json, "game", t->episode.game->id);
    lu_json_key_string(&json, "run", lu_run_id(lu_training_run(t->course)));
    lu_json_key_string(&json, "path", lu_run_path(lu_training_run(t->course)));
    lu_json_key_int(&json, "updates", lu_trainer_updates(trainer));
    lu_json_key_int(&json, "updates_total", lu_trainer_updates_total(trainer));
    lu_json_key_int(&json, "steps", lu_trainer_steps(trainer));
    lu_json_key_int(&json, "batch", lu_trainer_batch(trainer));
    lu_json_key_int(&json, "parts", lu_trainer_parts(trainer, &(int){0}));
    lu_json_key_int(&json, "window", lu_training_window(t->course)->id);
    lu_json_key_int(&json, "judged", lu_training_judged(t->course));
    lu_json_key_real(&json, "share", lu_training_share(t->course));
    lu_json_key_bool(&json, "done", lu_training_done(t->course));
    lu_json_key_hex(&json, "hash", lu_trainer_hash(trainer));
    lu_json_object_end(&json);
    return native_json(&json);
}

/* settings(): all that differ from their defaults, as JSON: what players are made with. */
static PyObject *training_settings(training_object *t, PyObject *none) {
    (void)none;
    return native_taken(lu_settings_json(t->all));
}

/* ---- players elsewhere ---- */

static lu_trainer *learner_of(training_object *t) {
    if (!t->course || !t->collecting) {
        PyErr_SetString(PyExc_RuntimeError, "only the callback that collects may ask for this");
        return NULL;
    }
    return lu_training_trainer(t->course);
}

static PyObject *training_weights(training_object *t, PyObject *none) {
    lu_trainer *trainer = learner_of(t);
    (void)none;
    return trainer ? native_weights(trainer) : NULL;
}

static PyObject *training_place(training_object *t, PyObject *part) {
    lu_trainer *trainer = learner_of(t);
    return trainer ? native_place(trainer, PyLong_AsLong(part)) : NULL;
}

static PyObject *training_take(training_object *t, PyObject *args) {
    lu_trainer *trainer = learner_of(t);
    return trainer ? native_take(trainer, args) : NULL;
}

static PyMethodDef methods[] = {
    {"settings", (PyCFunction)training_settings, METH_NOARGS,
     "settings(): those that differ from their defaults, as JSON."},
    {"weights", (PyCFunction)training_weights, METH_NOARGS,
     "weights(): what players play the next batch with."},
    {"place", (PyCFunction)training_place, METH_O, "place(part): where a part stands."},
    {"take", (PyCFunction)training_take, METH_VARARGS,
     "take(part, batch, place): what a player has played."},
    {"update", (PyCFunction)training_update, METH_NOARGS, "update(): one; whether it is done."},
    {"go", (PyCFunction)training_go, METH_NOARGS,
     "go(): to the end or a stop; whether it is done."},
    {"hear", (PyCFunction)training_hear, METH_NOARGS, "hear(): tells of evaluations that came in."},
    {"save", (PyCFunction)training_save, METH_O, "save(path): the model as it is."},
    {"facts", (PyCFunction)training_facts, METH_NOARGS, "facts(): where it is, as JSON."},
    {"close", (PyCFunction)training_close, METH_NOARGS,
     "close(): ends the sitting and lets go of the run."},
    {NULL, NULL, 0, NULL},
};

static PyType_Slot slots[] = {
    {Py_tp_new, (void *)training_new},
    {Py_tp_dealloc, (void *)training_free},
    {Py_tp_methods, methods},
    {Py_tp_doc, "The course of a training with its run folder."},
    {0, NULL},
};
static PyType_Spec spec = {"ludus._native.Training", sizeof(training_object), 0, Py_TPFLAGS_DEFAULT,
                           slots};

int native_add_training(PyObject *module) {
    return native_add_type(module, &spec, "Training");
}
