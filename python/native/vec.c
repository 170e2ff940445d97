/* Vec: N environments of a game, stepped together into the caller's arrays (ludus/vec.h). */
#include "native.h"

#include "ludus/vec.h"

#include <stddef.h>
#include <string.h>

/* ---- the arrays ---- */

static int one(const lu_game *game) {
    (void)game;
    return 1;
}
static int heads(const lu_game *game) {
    return game->heads;
}
static int terms(const lu_game *game) {
    return game->terms;
}
static int infos(const lu_game *game) {
    return game->infos;
}

typedef struct slot {
    const char *name, *type;
    size_t offset;
    int (*width)(const lu_game *game);
    bool per_environment; /* else per row: environment x seat */
} slot;

#define SLOT(member, type, width, per)                                                             \
    { #member, type, offsetof(lu_buffers, member), width, per }
static const slot slots[] = {
    SLOT(actions, "i4", heads, false),
    SLOT(observation, "f4", lu_game_observation_length, false),
    SLOT(critic, "f4", lu_game_critic_length, false),
    SLOT(mask, "u1", lu_game_mask_length, false),
    SLOT(reward, "f4", one, false),
    SLOT(terms, "f4", terms, false),
    SLOT(terminated, "u1", one, true),
    SLOT(truncated, "u1", one, true),
    SLOT(illegal, "u1", one, true),
    SLOT(to_move, "u1", one, true),
    SLOT(ticks, "i4", one, true),
    SLOT(info, "f8", infos, false),
    SLOT(final_observation, "f4", lu_game_observation_length, false),
    SLOT(final_critic, "f4", lu_game_critic_length, false),
    SLOT(final_mask, "u1", lu_game_mask_length, false),
    SLOT(final_info, "f8", infos, false),
    SLOT(final_seed, "u8", one, true),
};
enum { SLOTS = sizeof slots / sizeof *slots };

typedef struct vec_object {
    PyObject_HEAD lu_episode episode;
    lu_vec *vec;
    lu_autoreset autoreset;
    int environments, threads;
    lu_buffers buffers;
    Py_buffer view[SLOTS];
    unsigned born; /* where threads step it, it is of one process */
    bool busy, started;
} vec_object;

static int check_here(const vec_object *v) {
    return v->threads == 1 ? 0 : native_here(v->born);
}

static void put(vec_object *v, int at, void *address) {
    memcpy((char *)&v->buffers + slots[at].offset, &address, sizeof address);
}

static size_t slot_count(const vec_object *v, int at) {
    const lu_game *game = v->episode.game;
    size_t rows = (size_t)v->environments * (slots[at].per_environment ? 1u : (size_t)game->seats);
    return rows * (size_t)slots[at].width(game);
}

static PyObject *vec_bind(vec_object *v, PyObject *arrays) {
    if (!PyDict_Check(arrays)) {
        PyErr_SetString(PyExc_TypeError, "bind takes a dict of arrays by name");
        return NULL;
    }
    if (native_enter(&v->busy) != 0) {
        return NULL;
    }
    Py_ssize_t found = 0;
    int status = 0;
    for (int i = 0; i < SLOTS && status == 0; i++) {
        PyObject *array = PyDict_GetItemString(arrays, slots[i].name);
        if (array) {
            found++;
            native_release(&v->view[i]);
            status = native_buffer(array, slots[i].name, slots[i].type, slot_count(v, i), true,
                                   &v->view[i]);
            put(v, i, v->view[i].buf);
        }
    }
    v->busy = false;
    if (status == 0 && found != PyDict_Size(arrays)) {
        PyErr_SetString(PyExc_ValueError, "bind: an array has a name that no buffer has");
        status = -1;
    }
    if (status != 0) {
        return NULL;
    }
    v->buffers.observation_kept = false; /* until a step has written it */
    Py_RETURN_NONE;
}

/* ---- making ---- */

static int renew(vec_object *v, uint64_t seed) {
    lu_error error;
    lu_vec *made = lu_vec_new(v->episode.game, v->episode.rules, v->environments, seed, v->threads,
                              v->episode.options, &error);
    if (!made) {
        native_raise(&error);
        return -1;
    }
    lu_vec_delete(v->vec);
    v->vec = made;
    v->started = false;
    lu_vec_set_autoreset(made, v->autoreset);
    return 0;
}

static PyObject *vec_new(PyTypeObject *type, PyObject *args, PyObject *words) {
    static char *names[] = {"game",    "settings", "options",   "environments",
                            "threads", "seed",     "autoreset", NULL};
    const char *game, *settings, *options;
    int environments, threads, autoreset;
    unsigned long long seed;
    if (!PyArg_ParseTupleAndKeywords(args, words, "sssiiKi", names, &game, &settings, &options,
                                     &environments, &threads, &seed, &autoreset)) {
        return NULL;
    }
    if (environments < 1 || environments > 1 << 24 || threads < 0 || threads > 4096 ||
        autoreset < LU_SAME_STEP || autoreset > LU_NO_RESET) {
        PyErr_SetString(PyExc_ValueError, "environments, threads or autoreset is out of range");
        return NULL;
    }
    vec_object *v = (vec_object *)PyType_GenericAlloc(type, 0);
    if (!v) {
        return NULL;
    }
    lu_error error;
    v->environments = environments;
    v->threads = threads;
    v->born = native_forks();
    v->autoreset = (lu_autoreset)autoreset;
    if (native_open(&v->episode, game, settings, options, &error) != LU_OK) {
        native_raise(&error);
        Py_DECREF(v);
        return NULL;
    }
    if (renew(v, seed) != 0) {
        Py_DECREF(v);
        return NULL;
    }
    return (PyObject *)v;
}

static void vec_free(vec_object *v) {
    PyTypeObject *type = Py_TYPE((PyObject *)v);
    for (int i = 0; i < SLOTS; i++) {
        native_release(&v->view[i]);
    }
    if (v->threads == 1 ||
        v->born == native_forks()) { /* else its threads are not here to be ended */
        lu_vec_delete(v->vec);
    }
    lu_episode_close(&v->episode);
    PyObject_Free(v);
    Py_DECREF(type);
}

/* ---- playing ---- */

/* reset(seed, options): episode 0 of every environment; options None: as they are. */
static PyObject *vec_reset(vec_object *v, PyObject *args) {
    unsigned long long seed;
    const char *options;
    lu_error error;
    if (!PyArg_ParseTuple(args, "Kz", &seed, &options) || check_here(v) != 0 ||
        native_enter(&v->busy) != 0) {
        return NULL;
    }
    if (options && native_options(&v->episode, options, &error) != LU_OK) {
        v->busy = false;
        return native_raise(&error);
    }
    int status = renew(v, seed);
    if (status == 0) {
        v->buffers.observation_kept = false;
        Py_BEGIN_ALLOW_THREADS lu_vec_reset(v->vec, &v->buffers);
        Py_END_ALLOW_THREADS v->started = true;
        v->buffers.observation_kept = true;
    }
    v->busy = false;
    if (status != 0) {
        return NULL;
    }
    Py_RETURN_NONE;
}

/* Each named once and in range. */
static int check_which(const vec_object *v, const int32_t *which, size_t count) {
    for (size_t i = 0; i < count; i++) {
        if (which[i] < 0 || which[i] >= v->environments || (i > 0 && which[i] <= which[i - 1])) {
            PyErr_SetString(PyExc_ValueError,
                            "environments to reset must rise and lie in the vector");
            return -1;
        }
    }
    return 0;
}

/* reset_some(which, seeds, options): the next episode of some environments. */
static PyObject *vec_reset_some(vec_object *v, PyObject *args) {
    PyObject *which_object, *seeds_object;
    const char *options;
    Py_buffer which = {0}, seeds = {0};
    lu_error error;
    if (!PyArg_ParseTuple(args, "OOz", &which_object, &seeds_object, &options)) {
        return NULL;
    }
    Py_ssize_t count = PyObject_Length(which_object);
    if (count < 0 || check_here(v) != 0 || native_enter(&v->busy) != 0) {
        return NULL;
    }
    int status = native_buffer(which_object, "which", "i4", (size_t)count, false, &which);
    status = status
                 ? status
                 : native_buffer_or_none(seeds_object, "seeds", "u8", (size_t)count, false, &seeds);
    status = status ? status : check_which(v, which.buf, (size_t)count);
    if (status == 0 && options && native_options(&v->episode, options, &error) != LU_OK) {
        native_raise(&error);
        status = -1;
    }
    if (status == 0) {
        Py_BEGIN_ALLOW_THREADS lu_vec_reset_some(v->vec, which.buf, (int)count, seeds.buf,
                                                 options ? v->episode.options : NULL, &v->buffers);
        Py_END_ALLOW_THREADS
            /* the other rows may never have been written */
            v->buffers.observation_kept = v->started || count == v->environments;
        v->started = v->started || count == v->environments;
    }
    native_release(&which);
    native_release(&seeds);
    v->busy = false;
    if (status != 0) {
        return NULL;
    }
    Py_RETURN_NONE;
}

/* step(actions): of this array, or of the one that is bound where it is None. */
static PyObject *vec_step(vec_object *v, PyObject *actions) {
    Py_buffer given = {0};
    const lu_game *game = v->episode.game;
    size_t rows = (size_t)v->environments * (size_t)game->seats;
    if (check_here(v) != 0 || native_enter(&v->busy) != 0) {
        return NULL;
    }
    int status =
        native_buffer_or_none(actions, "actions", "i4", rows * (size_t)game->heads, false, &given);
    lu_buffers buffers = v->buffers;
    buffers.actions = given.buf ? given.buf : buffers.actions;
    if (status == 0 && (!v->started || !buffers.actions)) {
        PyErr_SetString(PyExc_RuntimeError,
                        v->started ? "no actions: give them or bind an array" : "reset first");
        status = -1;
    }
    status = status ? status : native_check_actions(game, buffers.actions, rows);
    if (status == 0) {
        Py_BEGIN_ALLOW_THREADS lu_vec_step(v->vec, &buffers);
        Py_END_ALLOW_THREADS v->buffers.observation_kept = true;
    }
    native_release(&given);
    v->busy = false;
    if (status != 0) {
        return NULL;
    }
    Py_RETURN_NONE;
}

/* draw(seed): random legal actions of every row into the bound array, under all dependencies. */
static PyObject *vec_draw(vec_object *v, PyObject *number) {
    unsigned long long seed = PyLong_AsUnsignedLongLong(number);
    if (PyErr_Occurred() || native_idle(v->busy) != 0) {
        return NULL;
    }
    if (!v->started || !v->buffers.actions || !v->buffers.mask) {
        PyErr_SetString(PyExc_RuntimeError, "bind actions and mask and reset first");
        return NULL;
    }
    const lu_game *game = v->episode.game;
    size_t length = (size_t)lu_game_mask_length(game);
    int rows = v->environments * game->seats;
    lu_rng rng = lu_rng_from(seed);
    for (int row = 0; row < rows; row++) {
        int32_t *actions = (int32_t *)v->view[0].buf + (size_t)row * (size_t)game->heads;
        lu_action_random(game, v->episode.rules, lu_vec_state(v->vec, row / game->seats),
                         row % game->seats, v->buffers.mask + (size_t)row * length, &rng, actions);
    }
    Py_RETURN_NONE;
}

/* ---- looking ---- */

static int environment_of(const vec_object *v, PyObject *args, int *seat) {
    int environment = 0;
    *seat = 0;
    if (!PyArg_ParseTuple(args, "i|i", &environment, seat) || native_idle(v->busy) != 0) {
        return -1;
    }
    if (environment < 0 || environment >= v->environments || *seat < -1 ||
        *seat >= v->episode.game->seats || !v->started) {
        PyErr_SetString(PyExc_IndexError, "no such environment or seat, or it was never reset");
        return -1;
    }
    return environment;
}

static PyObject *vec_show(vec_object *v, PyObject *args) {
    int seat, environment = environment_of(v, args, &seat);
    if (environment < 0) {
        return NULL;
    }
    lu_text text = LU_TEXT_INIT;
    v->episode.game->show(v->episode.rules, lu_vec_state(v->vec, environment), seat < 0 ? 0 : seat,
                          &text);
    return native_text(&text);
}

static PyObject *vec_state(vec_object *v, PyObject *args) {
    int seat, environment = environment_of(v, args, &seat);
    if (environment < 0) {
        return NULL;
    }
    lu_json json = LU_JSON_INIT;
    v->episode.game->to_json(v->episode.rules, lu_vec_state(v->vec, environment), seat, &json);
    return native_json(&json);
}

/* place(environment): episodes finished, seed and decisions of the running one. */
static PyObject *vec_place(vec_object *v, PyObject *args) {
    int seat, environment = environment_of(v, args, &seat);
    if (environment < 0) {
        return NULL;
    }
    const lu_place *place = lu_vec_place(v->vec, environment);
    return Py_BuildValue("KKK", (unsigned long long)place->episode, (unsigned long long)place->seed,
                         (unsigned long long)place->decisions);
}

static PyObject *vec_hash(vec_object *v, PyObject *none) {
    (void)none;
    return native_idle(v->busy) != 0 ? NULL : PyLong_FromUnsignedLongLong(lu_vec_hash(v->vec));
}

static PyMethodDef methods[] = {
    {"bind", (PyCFunction)vec_bind, METH_O, "bind(arrays): what results are written to, by name."},
    {"reset", (PyCFunction)vec_reset, METH_VARARGS, "reset(seed, options): episode 0 of all."},
    {"reset_some", (PyCFunction)vec_reset_some, METH_VARARGS,
     "reset_some(which, seeds, options): the next episode of some."},
    {"step", (PyCFunction)vec_step, METH_O, "step(actions): one decision of every environment."},
    {"draw", (PyCFunction)vec_draw, METH_O, "draw(seed): random legal actions of every row."},
    {"show", (PyCFunction)vec_show, METH_VARARGS, "show(environment, seat=0): the board as text."},
    {"state", (PyCFunction)vec_state, METH_VARARGS, "state(environment, seat=0): as JSON."},
    {"place", (PyCFunction)vec_place, METH_VARARGS,
     "place(environment): episode, seed, decisions."},
    {"hash", (PyCFunction)vec_hash, METH_NOARGS, "hash(): over all states and places."},
    {NULL, NULL, 0, NULL},
};

static PyType_Slot type_slots[] = {
    {Py_tp_new, (void *)vec_new},
    {Py_tp_dealloc, (void *)vec_free},
    {Py_tp_methods, methods},
    {Py_tp_doc, "N environments of one game, stepped together into the caller's arrays."},
    {0, NULL},
};
static PyType_Spec spec = {"ludus._native.Vec", sizeof(vec_object), 0, Py_TPFLAGS_DEFAULT,
                           type_slots};

int native_add_vec(PyObject *module) {
    return native_add_type(module, &spec, "Vec");
}
