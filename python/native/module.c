/* The module itself: its exception, what all types share, and the table of its parts. */
#include "native.h"

#include "ludus/version.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static PyObject *error_type;

PyObject *native_raise(const lu_error *error) {
    PyObject *raised = PyObject_CallFunction(error_type, "s", error->text);
    PyObject *status = PyUnicode_FromString(lu_status_name(error->status));
    PyObject *code = PyLong_FromLong(lu_status_exit(error->status));
    if (raised && status && code && PyObject_SetAttrString(raised, "status", status) == 0 &&
        PyObject_SetAttrString(raised, "exit_code", code) == 0) {
        PyErr_SetObject(error_type, raised);
    }
    Py_XDECREF(raised);
    Py_XDECREF(status);
    Py_XDECREF(code);
    return NULL;
}

int native_idle(bool busy) {
    if (busy) {
        PyErr_SetString(PyExc_RuntimeError,
                        "this object is in another call: give each thread one of its own");
    }
    return busy ? -1 : 0;
}

int native_enter(bool *busy) {
    if (native_idle(*busy) != 0) {
        return -1;
    }
    *busy = true;
    return 0;
}

static unsigned forks;

static void count_fork(void) {
    forks++;
}

unsigned native_forks(void) {
    return forks;
}

int native_here(unsigned born) {
    if (born != forks) {
        PyErr_SetString(
            PyExc_RuntimeError,
            "this object belongs to the process that was forked: make one of its own here");
    }
    return born == forks ? 0 : -1;
}

PyObject *native_text(lu_text *text) {
    PyObject *result = PyUnicode_DecodeUTF8(text->text, (Py_ssize_t)text->length, "replace");
    lu_text_free(text);
    return result;
}

PyObject *native_json(lu_json *json) {
    PyObject *result =
        PyUnicode_DecodeUTF8(json->text ? json->text : "", (Py_ssize_t)json->length, "replace");
    lu_json_free(json);
    return result;
}

PyObject *native_taken(char *text) {
    if (!text) {
        Py_RETURN_NONE;
    }
    PyObject *result = PyUnicode_DecodeUTF8(text, (Py_ssize_t)strlen(text), "replace");
    free(text);
    return result;
}

/* Whether numbers that a buffer calls `format` are of `type`, in this machine's order of bytes. */
static bool is_type(const Py_buffer *view, const char *type) {
    const char *format = view->format ? view->format : "B";
    format += *format == '@' || *format == '=' || *format == '<';
    const char *known = *type == 'f' ? "fd" : "?bBhHiIlLqQnN";
    return *format && !format[1] && strchr(known, *format) && view->itemsize == type[1] - '0';
}

int native_buffer(PyObject *object, const char *name, const char *type, size_t count, bool writable,
                  Py_buffer *view) {
    int flags = PyBUF_C_CONTIGUOUS | PyBUF_FORMAT | (writable ? PyBUF_WRITABLE : 0);
    if (PyObject_GetBuffer(object, view, flags) != 0) {
        view->buf = NULL;
        return -1;
    }
    size_t item = (size_t)(type[1] - '0');
    if (!is_type(view, type) || (size_t)view->len != item * count) {
        PyErr_Format(
            PyExc_ValueError,
            "%s must hold %zu numbers, %s ones of %zu bytes each, not %zd bytes of format '%s'",
            name, count, *type == 'f' ? "real" : "whole", item, view->len,
            view->format ? view->format : "B");
        PyBuffer_Release(view);
        view->buf = NULL;
        return -1;
    }
    return 0;
}

int native_buffer_or_none(PyObject *object, const char *name, const char *type, size_t count,
                          bool writable, Py_buffer *view) {
    view->buf = NULL;
    return !object || object == Py_None ? 0
                                        : native_buffer(object, name, type, count, writable, view);
}

void native_release(Py_buffer *view) {
    if (view->buf) {
        PyBuffer_Release(view);
        view->buf = NULL;
    }
}

static lu_status read_values(lu_settings *settings, const char *name, const char *text,
                             lu_error *error) {
    return !text || !*text
               ? LU_OK
               : lu_settings_text(settings, "json", name, text, strlen(text), LU_FROM_FLAG, error);
}

lu_status native_options(lu_episode *episode, const char *options, lu_error *error) {
    lu_settings *values = lu_game_options(episode->game);
    lu_status status = read_values(values, "options", options, error);
    if (status != LU_OK) {
        lu_settings_delete(values);
        return status;
    }
    return lu_episode_set_options(episode, values, error);
}

lu_status native_open(lu_episode *episode, const char *name, const char *settings,
                      const char *options, lu_error *error) {
    *episode = (lu_episode){0};
    const lu_game *game = lu_game_find(name, error);
    if (!game) {
        return error->status;
    }
    lu_settings *values = lu_game_settings(game);
    lu_settings_read_files(values);
    lu_status status = read_values(values, "settings", settings, error);
    if (status != LU_OK) {
        lu_settings_delete(values);
        return status;
    }
    status = lu_episode_open(episode, game, values, NULL, error);
    if (status == LU_OK && options && *options) {
        status = native_options(episode, options, error);
        if (status != LU_OK) {
            lu_episode_close(episode);
        }
    }
    return status;
}

int native_check_actions(const lu_game *game, const int32_t *actions, size_t rows) {
    for (int h = 0; h < game->heads; h++) {
        unsigned most = 0, options = (unsigned)game->head[h].options;
        for (size_t r = 0; r < rows; r++) {
            unsigned action = (unsigned)actions[r * (size_t)game->heads + (size_t)h];
            most = action > most ? action : most;
        }
        if (most >= options) {
            PyErr_Format(PyExc_ValueError,
                         "an action of head '%s' is %d, which is none of its %d options",
                         game->head[h].name, (int)most, (int)options);
            return -1;
        }
    }
    return 0;
}

int native_add_type(PyObject *module, PyType_Spec *spec, const char *name) {
    PyObject *type = PyType_FromModuleAndSpec(module, spec, NULL);
    int status = type ? PyModule_AddObjectRef(module, name, type) : -1;
    Py_XDECREF(type);
    return status;
}

static int fill(PyObject *module) {
    error_type = PyErr_NewExceptionWithDoc(
        "ludus.Error",
        "What the library refuses: one sentence that says what, where and what to do.\n\n"
        "`status` names the kind (\"LU_BAD_VALUE\"), `exit_code` is that of the command line.",
        NULL, NULL);
    static int (*const parts[])(PyObject *) = {native_add_vec,    native_add_episode,
                                               native_add_policy, native_add_training,
                                               native_add_run,    native_add_player};
    if (pthread_atfork(NULL, NULL, count_fork) != 0) {
        PyErr_NoMemory();
        return -1;
    }
    if (!error_type || PyModule_AddObjectRef(module, "Error", error_type) != 0 ||
        PyModule_AddStringConstant(module, "version", lu_version()) != 0) {
        return -1;
    }
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        if (parts[i](module) != 0) {
            return -1;
        }
    }
    return 0;
}

static PyModuleDef_Slot slots[] = {{Py_mod_exec, (void *)fill}, {0, NULL}};

static struct PyModuleDef definition = {
    .m_base = PyModuleDef_HEAD_INIT,
    .m_name = "ludus._native",
    .m_doc = "libludus: what the modules of the package are made of.",
    .m_methods = native_ask_methods,
    .m_slots = slots,
};

PyMODINIT_FUNC PyInit__native(void);
PyMODINIT_FUNC PyInit__native(void) {
    return PyModuleDef_Init(&definition);
}
