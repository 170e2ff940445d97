/* Player: plays batches of some parts of a training for a learner in another process, with weights,
 * batches and places as bytes (ludus/trainer_halves.h). */
#include "settings.h"

#include "ludus/trainer_halves.h"
#include "ludus/training.h"

typedef struct player_object {
    PyObject_HEAD lu_settings *all, *own;
    lu_episode episode;
    lu_trainer *trainer;
    bool busy;
} player_object;

/* ---- bytes of a trainer ---- */

/* Whether a trainer has this part; false with an exception set. */
static bool has_part(const lu_trainer *trainer, long part) {
    int first, parts = lu_trainer_parts(trainer, &first);
    if (part < first || part >= first + parts) {
        if (!PyErr_Occurred()) {
            PyErr_Format(PyExc_ValueError, "part %ld is not one of these: %d to %d", part, first,
                         first + parts - 1);
        }
        return false;
    }
    return true;
}

PyObject *native_weights(const lu_trainer *trainer) {
    PyObject *bytes =
        PyBytes_FromStringAndSize(NULL, (Py_ssize_t)lu_trainer_weights_bytes(trainer));
    if (bytes) {
        lu_trainer_weights_save(trainer, PyBytes_AsString(bytes));
    }
    return bytes;
}

PyObject *native_place(const lu_trainer *trainer, long part) {
    PyObject *bytes =
        has_part(trainer, part)
            ? PyBytes_FromStringAndSize(NULL, (Py_ssize_t)lu_trainer_place_bytes(trainer))
            : NULL;
    if (bytes) {
        lu_trainer_place_save(trainer, (int)part, PyBytes_AsString(bytes));
    }
    return bytes;
}

static PyObject *batch_of(const lu_trainer *trainer, int part) {
    PyObject *bytes = PyBytes_FromStringAndSize(NULL, (Py_ssize_t)lu_trainer_batch_bytes(trainer));
    if (bytes) {
        lu_trainer_batch_save(trainer, part, PyBytes_AsString(bytes));
    }
    return bytes;
}

typedef lu_status load_call(lu_trainer *trainer, int part, const void *bytes, size_t length,
                            lu_error *error);

/* Blocks of a foreign process lie where it put them, which may be anywhere in memory. */
static int load(lu_trainer *trainer, int part, PyObject *object, load_call *call) {
    Py_buffer view;
    lu_error error;
    if (object == Py_None) {
        return 0;
    }
    if (PyObject_GetBuffer(object, &view, PyBUF_C_CONTIGUOUS) != 0) {
        return -1;
    }
    lu_status status = call(trainer, part, view.buf, (size_t)view.len, &error);
    PyBuffer_Release(&view);
    if (status != LU_OK) {
        native_raise(&error);
    }
    return status == LU_OK ? 0 : -1;
}

PyObject *native_take(lu_trainer *trainer, PyObject *args) {
    int part;
    PyObject *batch, *place;
    if (!PyArg_ParseTuple(args, "iOO", &part, &batch, &place) ||
        load(trainer, part, batch, lu_trainer_batch_load) != 0 ||
        load(trainer, part, place, lu_trainer_place_load) != 0) {
        return NULL;
    }
    Py_RETURN_NONE;
}

/* ---- a player ---- */

static lu_status open_player(player_object *p, const lu_game *game, int threads, lu_comm share,
                             lu_error *error) {
    const lu_algorithm *a = lu_algorithm_find(lu_settings_text_of(p->all, "algo"), error);
    if (!a || !a->make_shared) {
        return a ? lu_fail(error, LU_BAD_VALUE, "%s trains in one process", a->name)
                 : error->status;
    }
    LU_TRY(native_episode(game, p->all, &p->episode, error));
    p->own = native_own_settings(game, a, p->all);
    LU_TRY(lu_training_set(p->own, a, "threads", (uint64_t)threads, "threads", error));
    p->trainer = a->make_shared(game, p->own, p->episode.options, &share, error);
    return p->trainer ? LU_OK : error->status;
}

/* Player(game, settings, rank, ranks, threads): settings are those of the learner. */
static PyObject *player_new(PyTypeObject *type, PyObject *args, PyObject *words) {
    static char *names[] = {"game", "settings", "rank", "ranks", "threads", NULL};
    const char *id, *settings;
    lu_comm share = {0};
    int threads;
    lu_error error;
    if (!PyArg_ParseTupleAndKeywords(args, words, "ssiii", names, &id, &settings, &share.rank,
                                     &share.ranks, &threads)) {
        return NULL;
    }
    if (share.ranks < 1 || share.rank < 0 || share.rank >= share.ranks || threads < 0) {
        PyErr_Format(PyExc_ValueError, "there is no rank %d of %d with %d threads", share.rank,
                     share.ranks, threads);
        return NULL;
    }
    const lu_game *game = lu_game_find(id, &error);
    player_object *p = game ? (player_object *)PyType_GenericAlloc(type, 0) : NULL;
    if (!p) {
        return game ? NULL : native_raise(&error);
    }
    p->all = native_settings(game, "", settings, &error);
    if (!p->all || open_player(p, game, threads, share, &error) != LU_OK) {
        native_raise(&error);
        Py_DECREF(p);
        return NULL;
    }
    return (PyObject *)p;
}

static void player_free(player_object *p) {
    PyTypeObject *type = Py_TYPE((PyObject *)p);
    if (p->trainer) {
        lu_trainer_delete(p->trainer);
    }
    lu_settings_delete(p->own);
    lu_settings_delete(p->all);
    lu_episode_close(&p->episode);
    PyObject_Free(p);
    Py_DECREF(type);
}

/* collect(weights): a list of (part, batch, place). */
static PyObject *player_collect(player_object *p, PyObject *weights) {
    Py_buffer view;
    lu_error error;
    lu_status status;
    if (native_enter(&p->busy) != 0) {
        return NULL;
    }
    if (PyObject_GetBuffer(weights, &view, PyBUF_C_CONTIGUOUS) != 0) {
        p->busy = false;
        return NULL;
    }
    Py_BEGIN_ALLOW_THREADS status =
        lu_trainer_weights_load(p->trainer, view.buf, (size_t)view.len, &error);
    LU_THEN(status, lu_trainer_collect(p->trainer, &error));
    Py_END_ALLOW_THREADS PyBuffer_Release(&view);
    p->busy = false;
    if (status != LU_OK) {
        return native_raise(&error);
    }
    int first, parts = lu_trainer_parts(p->trainer, &first);
    PyObject *all = PyList_New(0);
    for (int part = first; all && part < first + parts; part++) {
        PyObject *one =
            Py_BuildValue("iNN", part, batch_of(p->trainer, part), native_place(p->trainer, part));
        if (!one || PyList_Append(all, one) != 0) {
            Py_CLEAR(all);
        }
        Py_XDECREF(one);
    }
    return all;
}

static PyObject *player_stand(player_object *p, PyObject *args) {
    int part;
    PyObject *place;
    if (!PyArg_ParseTuple(args, "iO", &part, &place) ||
        load(p->trainer, part, place, lu_trainer_place_load) != 0) {
        return NULL;
    }
    Py_RETURN_NONE;
}

static PyObject *player_parts(player_object *p, PyObject *none) {
    (void)none;
    int first, parts = lu_trainer_parts(p->trainer, &first);
    return Py_BuildValue("ii", first, parts);
}

static PyMethodDef methods[] = {
    {"collect", (PyCFunction)player_collect, METH_O,
     "collect(weights): plays; a list of (part, batch, place)."},
    {"stand", (PyCFunction)player_stand, METH_VARARGS,
     "stand(part, place): goes on from where a part stands."},
    {"parts", (PyCFunction)player_parts, METH_NOARGS, "parts(): the first, and how many."},
    {NULL, NULL, 0, NULL},
};

static PyType_Slot slots[] = {
    {Py_tp_new, (void *)player_new},
    {Py_tp_dealloc, (void *)player_free},
    {Py_tp_methods, methods},
    {Py_tp_doc, "Plays batches of some parts of a training for a learner elsewhere."},
    {0, NULL},
};
static PyType_Spec spec = {"ludus._native.Player", sizeof(player_object), 0, Py_TPFLAGS_DEFAULT,
                           slots};

int native_add_player(PyObject *module) {
    return native_add_type(module, &spec, "Player");
}
