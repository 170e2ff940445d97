/* The extension ludus._native: libludus for Python, on the limited API, so that one build serves
 * Python 3.11 and all later ones. Objects hold what the library hands out; numbers cross in buffers
 * that belong to the caller (numpy arrays as a rule), texts as JSON. Whatever takes long runs
 * without the interpreter's lock.
 * Ownership: an object holds on to the buffers it was given until it is given others or ends.
 * Threads: an object serves one call at a time and refuses a second one. */
#pragma once

#define PY_SSIZE_T_CLEAN
#define Py_LIMITED_API 0x030B0000
#include <Python.h>

#include "ludus/episode.h"
#include "ludus/json.h"

#include <stdbool.h>

/* ---- errors ---- */

/* Raises ludus.Error with the sentence, `status` and `exit_code`; NULL. */
PyObject *native_raise(const lu_error *error);
/* Refuses a second call of an object that is in one; -1 with an exception set. */
int native_enter(bool *busy);
/* The same for what keeps the interpreter's lock to its end. */
int native_idle(bool busy);
/* The forks behind which this process stands, for what threads and files bind to one process. */
unsigned native_forks(void);
/* Refuses an object that was made before the last fork; -1 with an exception set. */
int native_here(unsigned born);

/* ---- texts and buffers ---- */

/* A str of a text or of a JSON document, which is freed. */
PyObject *native_text(lu_text *text);
PyObject *native_json(lu_json *json);
/* A str that the library handed out, freed; None for NULL. */
PyObject *native_taken(char *text);

/* A buffer of exactly `count` numbers of this machine, contiguous; `type` is "i4", "f4", "u1":
 * whole or real, and the bytes of one. -1 with an exception set. */
int native_buffer(PyObject *object, const char *name, const char *type, size_t count, bool writable,
                  Py_buffer *view);
/* The same where None stands for no buffer: view->buf is NULL. */
int native_buffer_or_none(PyObject *object, const char *name, const char *type, size_t count,
                          bool writable, Py_buffer *view);
/* Gives back what is there. */
void native_release(Py_buffer *view);

/* ---- episodes ---- */

/* Opens with settings and options as JSON texts, which may name files of this machine. */
lu_status native_open(lu_episode *episode, const char *game, const char *settings,
                      const char *options, lu_error *error);
/* Options of the resets that follow, as a JSON text. */
lu_status native_options(lu_episode *episode, const char *options, lu_error *error);
/* Refuses options outside of their head; `rows` of all heads. -1 with an exception set. */
int native_check_actions(const lu_game *game, const int32_t *actions, size_t rows);

/* ---- halves of an update: python/native/player.c ---- */

struct lu_trainer;
/* Weights, and the place of a part, as bytes. */
PyObject *native_weights(const struct lu_trainer *trainer);
PyObject *native_place(const struct lu_trainer *trainer, long part);
/* Takes (part, batch, place) from a tuple; batch may be None. */
PyObject *native_take(struct lu_trainer *trainer, PyObject *args);

/* ---- parts of the module: each adds its types and functions ---- */

int native_add_vec(PyObject *module);
int native_add_episode(PyObject *module);
int native_add_policy(PyObject *module);
int native_add_training(PyObject *module);
int native_add_run(PyObject *module);
int native_add_player(PyObject *module);
extern PyMethodDef native_ask_methods[]; /* games, specifications, tools, rows, matches */

/* A type of the module from its spec, by its short name. */
int native_add_type(PyObject *module, PyType_Spec *spec, const char *name);
