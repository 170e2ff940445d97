/* Episode: one environment for hosts that ask one at a time, with everything to show, and with
 * other players in its seats (ludus/episode.h, ludus/player.h). */
#include "native.h"

#include "ludus/frame.h"
#include "ludus/player.h"
#include "ludus/run.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

enum { ACTIONS, OBSERVATION, MASK, REWARD, TERMS, INFO, ARRAYS };

typedef struct episode_object {
    PyObject_HEAD lu_episode episode;
    Py_buffer view[ARRAYS];
    lu_player player[LU_MAX_SEATS]; /* of all seats; a person is the caller */
    int players;                    /* opened */
    lu_crew *crew;                  /* NULL: the caller chooses for every seat */
    bool busy, started;
} episode_object;

/* ---- the arrays ---- */

typedef struct array {
    const char *name, *type;
} array;
static const array arrays[ARRAYS] = {{"actions", "i4"}, {"observation", "f4"}, {"mask", "u1"},
                                     {"reward", "f8"},  {"terms", "f8"},       {"info", "f8"}};

static size_t array_count(const lu_game *game, int at) {
    const int width[ARRAYS] = {
        game->heads, lu_game_observation_length(game), lu_game_mask_length(game), 1, game->terms,
        game->infos};
    return (size_t)game->seats * (size_t)width[at];
}

static PyObject *episode_bind(episode_object *e, PyObject *given) {
    if (!PyDict_Check(given)) {
        PyErr_SetString(PyExc_TypeError, "bind takes a dict of arrays by name");
        return NULL;
    }
    if (native_idle(e->busy) != 0) {
        return NULL;
    }
    for (int i = 0; i < ARRAYS; i++) {
        PyObject *object = PyDict_GetItemString(given, arrays[i].name);
        if (object) {
            native_release(&e->view[i]);
            if (native_buffer(object, arrays[i].name, arrays[i].type,
                              array_count(e->episode.game, i), true, &e->view[i]) != 0) {
                return NULL;
            }
        }
    }
    Py_RETURN_NONE;
}

/* Shows the environment in the caller's arrays. */
static void tell(const episode_object *e) {
    const lu_env *env = e->episode.env;
    const void *from[ARRAYS] = {NULL,        env->observation, env->mask,
                                env->reward, env->terms,       env->info};
    for (int i = OBSERVATION; i < ARRAYS; i++) {
        if (e->view[i].buf) {
            memcpy(e->view[i].buf, from[i], (size_t)e->view[i].len);
        }
    }
}

/* 0 where an episode has begun; `running`: and is not over. Raises else. */
static int begun(const episode_object *e, bool running) {
    if (e->started && !(running && e->episode.env->over)) {
        return 0;
    }
    PyErr_SetString(PyExc_RuntimeError, "no episode runs: reset first");
    return -1;
}

/* Where actions are read or written: 0 where they are bound. */
static int bound(const episode_object *e) {
    if (e->view[ACTIONS].buf) {
        return 0;
    }
    PyErr_SetString(PyExc_RuntimeError, "bind actions first");
    return -1;
}

/* ---- making ---- */

static PyObject *episode_new(PyTypeObject *type, PyObject *args, PyObject *words) {
    static char *names[] = {"game", "settings", "options", NULL};
    const char *game, *settings, *options;
    lu_error error;
    if (!PyArg_ParseTupleAndKeywords(args, words, "sss", names, &game, &settings, &options)) {
        return NULL;
    }
    episode_object *e = (episode_object *)PyType_GenericAlloc(type, 0);
    if (e && native_open(&e->episode, game, settings, options, &error) != LU_OK) {
        native_raise(&error);
        Py_DECREF(e);
        return NULL;
    }
    return (PyObject *)e;
}

static void send_home(episode_object *e) {
    lu_crew_delete(e->crew);
    e->crew = NULL;
    while (e->players > 0) {
        lu_player_close(&e->player[--e->players]);
    }
}

static void episode_free(episode_object *e) {
    PyTypeObject *type = Py_TYPE((PyObject *)e);
    for (int i = 0; i < ARRAYS; i++) {
        native_release(&e->view[i]);
    }
    send_home(e);
    lu_episode_close(&e->episode);
    PyObject_Free(e);
    Py_DECREF(type);
}

/* ---- who sits where ---- */

static lu_status seat_player(episode_object *e, const char *name, const char *runs,
                             lu_error *error) {
    lu_player *player = &e->player[e->players];
    const char *rest;
    *player = (lu_player){0};
    lu_status status = LU_OK;
    if (lu_player_kind_of(name, e->episode.game, &rest) == LU_PLAYER_PERSON) {
        *player = (lu_player){.kind = LU_PLAYER_PERSON, .name = "person"};
    } else {
        status = lu_player_open(player, name, e->episode.game, lu_run_find_player, runs, error);
        player->name = "player"; /* the text that named it is the caller's */
        player->greedy = player->file && lu_net_kind_of(player->file->net) == LU_NET_Q;
    }
    e->players += status == LU_OK;
    return status;
}

/* seat(names, runs): one name per seat, "person" for the caller's. */
static PyObject *episode_seat(episode_object *e, PyObject *args) {
    PyObject *names;
    const char *runs;
    const lu_game *game = e->episode.game;
    lu_error error;
    if (!PyArg_ParseTuple(args, "Os", &names, &runs) || native_idle(e->busy) != 0) {
        return NULL;
    }
    if (PySequence_Size(names) != game->seats) {
        PyErr_Format(PyExc_ValueError, "%s has %d seats: name a player for each", game->id,
                     game->seats);
        return NULL;
    }
    send_home(e);
    for (int i = 0; i < game->seats; i++) {
        PyObject *name = PySequence_GetItem(names, i);
        const char *text = name ? PyUnicode_AsUTF8AndSize(name, NULL) : NULL;
        lu_status status = text ? seat_player(e, text, runs, &error) : LU_USAGE;
        Py_XDECREF(name);
        if (status != LU_OK) {
            send_home(e);
            return text ? native_raise(&error) : NULL;
        }
    }
    const lu_player *seats[LU_MAX_SEATS];
    for (int i = 0; i < game->seats; i++) {
        seats[i] = &e->player[i];
    }
    e->crew = lu_crew_new(game, e->episode.rules, seats, 1, false);
    Py_RETURN_NONE;
}

/* act(): the others choose, into the bound actions. */
static PyObject *episode_act(episode_object *e, PyObject *none) {
    (void)none;
    lu_error error;
    if (!e->crew) {
        PyErr_SetString(PyExc_RuntimeError, "nobody is seated");
        return NULL;
    }
    if (begun(e, true) != 0 || bound(e) != 0 || native_enter(&e->busy) != 0) {
        return NULL;
    }
    const lu_game *game = e->episode.game;
    size_t bytes = (size_t)game->heads * sizeof(int32_t);
    int32_t *given = e->view[ACTIONS].buf;
    int32_t *chosen = lu_alloc_zero((size_t)game->seats, bytes);
    memcpy(chosen, given, (size_t)game->seats * bytes);
    lu_crew_ask ask = {.env = e->episode.env, .actions = chosen};
    lu_status status;
    Py_BEGIN_ALLOW_THREADS status = lu_crew_act(e->crew, &ask, 1, &error);
    Py_END_ALLOW_THREADS for (int i = 0; status == LU_OK && i < game->seats; i++) {
        if (e->player[i].kind != LU_PLAYER_PERSON) {
            memcpy(given + i * game->heads, chosen + i * game->heads, bytes);
        }
    }
    free(chosen);
    e->busy = false;
    if (status != LU_OK) {
        return native_raise(&error);
    }
    Py_RETURN_NONE;
}

/* ---- playing ---- */

/* reset(seed, options): options None: as they are. */
static PyObject *episode_reset(episode_object *e, PyObject *args) {
    unsigned long long seed;
    const char *options;
    lu_error error;
    if (!PyArg_ParseTuple(args, "Kz", &seed, &options) || native_idle(e->busy) != 0) {
        return NULL;
    }
    if (options && native_options(&e->episode, options, &error) != LU_OK) {
        return native_raise(&error);
    }
    lu_episode_reset(&e->episode, seed);
    if (e->crew) {
        lu_crew_begin(e->crew, 0, seed, seed, 0);
    }
    e->started = true;
    tell(e);
    return PyLong_FromUnsignedLong(lu_env_choosers(e->episode.env));
}

/* step(): by the bound actions; terminated, truncated, illegal, ticks, choosers. */
static PyObject *episode_step(episode_object *e, PyObject *none) {
    (void)none;
    const lu_env *env = e->episode.env;
    const lu_game *game = e->episode.game;
    if (native_idle(e->busy) != 0 || begun(e, true) != 0 || bound(e) != 0) {
        return NULL;
    }
    if (native_check_actions(game, e->view[ACTIONS].buf, (size_t)game->seats) != 0) {
        return NULL;
    }
    lu_episode_step(&e->episode, e->view[ACTIONS].buf);
    tell(e);
    return Py_BuildValue("iiiiI", (int)env->step.terminated, (int)env->step.truncated,
                         (int)env->step.illegal, (int)env->step.ticks, lu_env_choosers(env));
}

/* legal(seat, head, chosen): the mask of one head after the heads before it were chosen. */
static PyObject *episode_legal(episode_object *e, PyObject *args) {
    int seat, head;
    Py_buffer chosen;
    const lu_game *game = e->episode.game;
    if (!PyArg_ParseTuple(args, "iiy*", &seat, &head, &chosen)) {
        return NULL;
    }
    PyObject *result = NULL;
    if (seat < 0 || seat >= game->seats || head < 0 || head >= game->heads ||
        (size_t)chosen.len != (size_t)game->heads * sizeof(int32_t)) {
        PyErr_SetString(PyExc_ValueError, "no such seat or head, or not an action per head");
    } else if (native_idle(e->busy) == 0 && begun(e, false) == 0 &&
               native_check_actions(game, chosen.buf, 1) == 0) {
        uint8_t *legal = lu_alloc_zero((size_t)game->head[head].options, 1);
        const uint8_t *mask = e->episode.env->mask + seat * lu_game_mask_length(game);
        lu_head_legal(game, e->episode.rules, e->episode.env->state, seat, head, mask, chosen.buf,
                      legal);
        result = PyBytes_FromStringAndSize((const char *)legal, game->head[head].options);
        free(legal);
    }
    PyBuffer_Release(&chosen);
    return result;
}

/* draw(seed): a random legal action of every seat into the bound array. */
static PyObject *episode_draw(episode_object *e, PyObject *number) {
    unsigned long long seed = PyLong_AsUnsignedLongLong(number);
    const lu_game *game = e->episode.game;
    if (PyErr_Occurred() || native_idle(e->busy) != 0 || begun(e, false) != 0 || bound(e) != 0) {
        return NULL;
    }
    lu_rng rng = lu_rng_from(seed);
    for (int seat = 0; seat < game->seats; seat++) {
        lu_action_random(game, e->episode.rules, e->episode.env->state, seat,
                         e->episode.env->mask + seat * lu_game_mask_length(game), &rng,
                         (int32_t *)e->view[ACTIONS].buf + seat * game->heads);
    }
    Py_RETURN_NONE;
}

/* ---- looking ---- */

static int seat_of(const episode_object *e, PyObject *number, int least) {
    long seat = PyLong_AsLong(number);
    if (PyErr_Occurred() || native_idle(e->busy) != 0 || begun(e, false) != 0) {
        return -2;
    }
    if (seat < least || seat >= e->episode.game->seats) {
        PyErr_SetString(PyExc_IndexError, "no such seat");
        return -2;
    }
    return (int)seat;
}

static PyObject *episode_show(episode_object *e, PyObject *number) {
    int seat = seat_of(e, number, 0);
    lu_text text = LU_TEXT_INIT;
    if (seat < 0) {
        return NULL;
    }
    e->episode.game->show(e->episode.rules, e->episode.env->state, seat, &text);
    return native_text(&text);
}

static PyObject *episode_state(episode_object *e, PyObject *number) {
    int seat = seat_of(e, number, -1);
    lu_json json = LU_JSON_INIT;
    if (seat < -1) {
        return NULL;
    }
    e->episode.game->to_json(e->episode.rules, e->episode.env->state, seat, &json);
    return native_json(&json);
}

/* load(json): a situation, as `state` of seat -1 writes it or a person does. */
static PyObject *episode_load(episode_object *e, PyObject *object) {
    Py_ssize_t length;
    const char *text = PyUnicode_AsUTF8AndSize(object, &length);
    lu_error error;
    if (!text || native_idle(e->busy) != 0 || begun(e, false) != 0) {
        return NULL;
    }
    lu_json_document *document = lu_json_read("state", text, (size_t)length, &error);
    lu_env *env = e->episode.env;
    const lu_json_value *state = document ? lu_json_root(document) : NULL;
    lu_status status =
        !document ? error.status
        : lu_json_kind_of(state) != LU_JSON_OBJECT
            ? lu_fail(&error, LU_BAD_DATA, "a state is an object: {...}")
            : e->episode.game->from_json(e->episode.rules, env->state, state, &error);
    lu_json_close(document);
    if (status != LU_OK) {
        return native_raise(&error);
    }
    lu_env_refresh(env);
    tell(e);
    Py_RETURN_NONE;
}

static PyObject *episode_story(episode_object *e, PyObject *none) {
    (void)none;
    lu_text text = LU_TEXT_INIT;
    if (e->started && e->episode.env->decisions > 0) {
        lu_frame_story(e->episode.env, &text);
    }
    return native_text(&text);
}

static PyObject *episode_hash(episode_object *e, PyObject *none) {
    (void)none;
    return PyLong_FromUnsignedLongLong(e->started ? lu_env_hash(e->episode.env) : 0);
}

static PyMethodDef methods[] = {
    {"bind", (PyCFunction)episode_bind, METH_O, "bind(arrays): what is shown where, by name."},
    {"seat", (PyCFunction)episode_seat, METH_VARARGS, "seat(names, runs): a player per seat."},
    {"act", (PyCFunction)episode_act, METH_NOARGS, "act(): the other players choose."},
    {"reset", (PyCFunction)episode_reset, METH_VARARGS, "reset(seed, options): seats that choose."},
    {"step", (PyCFunction)episode_step, METH_NOARGS,
     "step(): terminated, truncated, illegal, ticks, seats that choose."},
    {"legal", (PyCFunction)episode_legal, METH_VARARGS, "legal(seat, head, chosen): bytes."},
    {"draw", (PyCFunction)episode_draw, METH_O, "draw(seed): a random legal action per seat."},
    {"show", (PyCFunction)episode_show, METH_O, "show(seat): the board as text."},
    {"state", (PyCFunction)episode_state, METH_O, "state(seat): JSON; all of it for -1."},
    {"load", (PyCFunction)episode_load, METH_O, "load(json): sets up a situation."},
    {"story", (PyCFunction)episode_story, METH_NOARGS, "story(): the last step in a line."},
    {"hash", (PyCFunction)episode_hash, METH_NOARGS, "hash(): of the state."},
    {NULL, NULL, 0, NULL},
};

static PyType_Slot slots[] = {
    {Py_tp_new, (void *)episode_new},
    {Py_tp_dealloc, (void *)episode_free},
    {Py_tp_methods, methods},
    {Py_tp_doc, "One environment of a game, shown in the caller's arrays."},
    {0, NULL},
};
static PyType_Spec spec = {"ludus._native.Episode", sizeof(episode_object), 0, Py_TPFLAGS_DEFAULT,
                           slots};

int native_add_episode(PyObject *module) {
    return native_add_type(module, &spec, "Episode");
}
