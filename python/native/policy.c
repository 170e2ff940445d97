/* Policy: a trained model that answers for rows of observations (ludus/agent.h). */
#include "native.h"

#include "ludus/agent.h"

#include <stdlib.h>
#include <string.h>

typedef struct policy_object {
    PyObject_HEAD lu_model_file *file;
    lu_episode episode; /* of the game, by the settings of the training */
    lu_agent *agent;    /* NULL before the first begin */
    int rows;           /* that the agent follows */
    bool busy;
} policy_object;

/* ---- opening ---- */

static lu_status open_rules(policy_object *p, lu_error *error) {
    lu_settings *settings = lu_game_settings(p->file->game);
    lu_settings_take(settings, p->file->settings, LU_FROM_FILE, "the model");
    return lu_episode_open(&p->episode, p->file->game, settings, NULL, error);
}

static PyObject *policy_new(PyTypeObject *type, PyObject *args, PyObject *words) {
    static char *names[] = {"name", "data", NULL};
    const char *name;
    Py_buffer data = {0};
    lu_error error;
    if (!PyArg_ParseTupleAndKeywords(args, words, "s|y*", names, &name, &data)) {
        return NULL;
    }
    policy_object *p = (policy_object *)PyType_GenericAlloc(type, 0);
    if (p) {
        Py_BEGIN_ALLOW_THREADS p->file =
            data.buf ? lu_model_file_open(name, data.buf, (size_t)data.len, &error)
                     : lu_model_file_load(name, &error);
        Py_END_ALLOW_THREADS if (!p->file || open_rules(p, &error) != LU_OK) {
            native_raise(&error);
            Py_DECREF(p);
            p = NULL;
        }
    }
    if (data.buf) {
        PyBuffer_Release(&data);
    }
    return (PyObject *)p;
}

static void policy_free(policy_object *p) {
    PyTypeObject *type = Py_TYPE((PyObject *)p);
    lu_agent_delete(p->agent);
    lu_episode_close(&p->episode);
    lu_model_file_delete(p->file);
    PyObject_Free(p);
    Py_DECREF(type);
}

/* ---- answering ---- */

/* begin(rows, seed, greedy, temperature): forgets, and readies for so many rows. */
static PyObject *policy_begin(policy_object *p, PyObject *args) {
    int rows, greedy;
    unsigned long long seed;
    double temperature;
    if (!PyArg_ParseTuple(args, "iKpd", &rows, &seed, &greedy, &temperature)) {
        return NULL;
    }
    if (rows < 1 || rows > 1 << 22 || !(temperature >= 0.0 && temperature < 1e6)) {
        PyErr_SetString(PyExc_ValueError, "rows or temperature is out of range");
        return NULL;
    }
    if (native_enter(&p->busy) != 0) {
        return NULL;
    }
    lu_agent_delete(p->agent);
    lu_agent_settings settings = {.file = p->file,
                                  .rules = p->episode.rules,
                                  .episodes = rows,
                                  .greedy = greedy != 0,
                                  .thinks = true,
                                  .temperature = temperature};
    p->agent = lu_agent_new(&settings);
    p->rows = rows;
    for (int i = 0; i < rows; i++) {
        lu_agent_begin(p->agent, i, lu_mix(seed, (uint64_t)i, 0));
    }
    p->busy = false;
    Py_RETURN_NONE;
}

enum { OBSERVATION, CRITIC, MASK, ACTIONS, LOGITS, PROBABILITIES, VALUES, PARTS };

static lu_status answer(policy_object *p, Py_buffer *part, int rows, bool all_frames,
                        lu_error *error) {
    const lu_game *game = p->file->game;
    size_t inputs =
        (size_t)(all_frames ? lu_net_inputs(p->file->net) : lu_game_observation_length(game));
    size_t critic = (size_t)lu_game_critic_length(game), length = (size_t)lu_game_mask_length(game);
    lu_agent_ask *asks = lu_alloc_zero((size_t)rows, sizeof *asks);
    lu_thought *thoughts = part[VALUES].buf ? lu_alloc_zero((size_t)rows, sizeof *thoughts) : NULL;
    for (size_t i = 0; i < (size_t)rows; i++) {
        asks[i] = (lu_agent_ask){
            .observation = (const float *)part[OBSERVATION].buf + i * inputs,
            .critic = part[CRITIC].buf ? (const float *)part[CRITIC].buf + i * critic : NULL,
            .mask = (const uint8_t *)part[MASK].buf + i * length,
            .all_frames = all_frames,
            .episode = (int)i,
            .actions = (int32_t *)part[ACTIONS].buf + i * (size_t)game->heads,
            .thought = thoughts ? &thoughts[i] : NULL,
            .logits = part[LOGITS].buf ? (float *)part[LOGITS].buf + i * length : NULL,
            .probabilities =
                part[PROBABILITIES].buf ? (float *)part[PROBABILITIES].buf + i * length : NULL};
    }
    lu_status status = lu_agent_act(p->agent, asks, rows, error);
    for (int i = 0; thoughts && i < rows; i++) {
        ((float *)part[VALUES].buf)[i] = thoughts[i].value;
    }
    free(thoughts);
    free(asks);
    return status;
}

/* answer(rows, all_frames, observation, critic, mask, actions, logits, probabilities, values) */
static PyObject *policy_answer(policy_object *p, PyObject *args) {
    static const char *const names[PARTS] = {"observation", "critic",        "mask",  "actions",
                                             "logits",      "probabilities", "values"};
    PyObject *object[PARTS];
    Py_buffer part[PARTS] = {0};
    int rows, all_frames, status = 0;
    lu_error error;
    if (!PyArg_ParseTuple(args, "ipOOOOOOO", &rows, &all_frames, &object[0], &object[1], &object[2],
                          &object[3], &object[4], &object[5], &object[6])) {
        return NULL;
    }
    if (native_idle(p->busy) != 0) {
        return NULL;
    }
    if (!p->agent || rows < 1 || rows > p->rows) {
        PyErr_SetString(PyExc_ValueError, "begin with at least so many rows first");
        return NULL;
    }
    const lu_game *game = p->file->game;
    int length = lu_game_mask_length(game);
    const int width[PARTS] = {all_frames ? lu_net_inputs(p->file->net)
                                         : lu_game_observation_length(game),
                              lu_game_critic_length(game),
                              length,
                              game->heads,
                              length,
                              length,
                              1};
    if (native_enter(&p->busy) != 0) {
        return NULL;
    }
    for (int i = 0; i < PARTS && status == 0; i++) {
        const char *type = i == MASK ? "u1" : i == ACTIONS ? "i4" : "f4";
        bool needed = i == OBSERVATION || i == MASK || i == ACTIONS;
        status = (needed ? native_buffer : native_buffer_or_none)(
            object[i], names[i], type, (size_t)rows * (size_t)width[i], i >= ACTIONS, &part[i]);
    }
    if (status == 0) {
        lu_status said;
        Py_BEGIN_ALLOW_THREADS said = answer(p, part, rows, all_frames != 0, &error);
        Py_END_ALLOW_THREADS if (said != LU_OK) {
            native_raise(&error);
            status = -1;
        }
    }
    for (int i = 0; i < PARTS; i++) {
        native_release(&part[i]);
    }
    p->busy = false;
    if (status != 0) {
        return NULL;
    }
    Py_RETURN_NONE;
}

/* forget(row, seed): one row begins a new episode. */
static PyObject *policy_forget(policy_object *p, PyObject *args) {
    int row;
    unsigned long long seed;
    if (!PyArg_ParseTuple(args, "iK", &row, &seed)) {
        return NULL;
    }
    if (native_idle(p->busy) != 0) {
        return NULL;
    }
    if (!p->agent || row < 0 || row >= p->rows) {
        PyErr_SetString(PyExc_IndexError, "no such row");
        return NULL;
    }
    lu_agent_begin(p->agent, row, seed);
    Py_RETURN_NONE;
}

/* ---- what it is ---- */

static void write_normaliser(lu_json *json, const char *key, const lu_normaliser *n) {
    if (n->length == 0) {
        return;
    }
    lu_json_key_object(json, key);
    lu_json_key_real(json, "clip", n->clip);
    lu_json_key_array(json, "shift");
    for (int i = 0; i < n->length; i++) {
        lu_json_float(json, n->shift[i]);
    }
    lu_json_array_end(json);
    lu_json_key_array(json, "scale");
    for (int i = 0; i < n->length; i++) {
        lu_json_float(json, n->scale[i]);
    }
    lu_json_array_end(json);
    lu_json_object_end(json);
}

/* facts(): game, kind, settings, tensors, normalisers, where it comes from. */
static PyObject *policy_facts(policy_object *p, PyObject *none) {
    (void)none;
    const lu_model_file *file = p->file;
    lu_json json = LU_JSON_INIT;
    lu_json_object(&json);
    lu_json_key_string(&json, "game", file->game->id);
    lu_json_key_string(&json, "kind", lu_net_kind_of(file->net) == LU_NET_Q ? "q" : "policy");
    lu_json_key_raw(&json, "settings", file->settings_json);
    lu_json_key_int(&json, "step", file->step);
    lu_json_key(&json, "seed");
    lu_json_uint(&json, file->seed);
    lu_json_key_real(&json, "return_scale", file->return_scale);
    lu_json_key_string(&json, "build", file->build);
    lu_json_key_raw(&json, "card", file->card ? file->card : "null");
    lu_json_key_int(&json, "inputs", lu_net_inputs(file->net));
    lu_json_key_int(&json, "critic_inputs", lu_net_critic_inputs(file->net));
    lu_json_key_int(&json, "parameters", (int64_t)lu_net_parameters(file->net));
    lu_json_key_array(&json, "ages");
    for (int i = 0; i < lu_net_frames(file->net)->count; i++) {
        lu_json_int(&json, lu_net_frames(file->net)->age[i]);
    }
    lu_json_array_end(&json);
    lu_json_key_bool(&json, "series", lu_net_in_series(file->net));
    lu_json_key_int(&json, "memory", (int64_t)lu_net_memory_floats(file->net));
    lu_json_key_array(&json, "tensors");
    for (int i = 0; i < lu_net_tensors(file->net); i++) {
        const lu_tensor *tensor = lu_net_tensor(file->net, i);
        lu_json_object(&json);
        lu_json_key_string(&json, "name", tensor->name);
        lu_json_key_int(&json, "offset", (int64_t)tensor->offset);
        lu_json_key_array(&json, "shape");
        for (int a = 0; a < tensor->rank; a++) {
            lu_json_int(&json, tensor->shape[a]);
        }
        lu_json_array_end(&json);
        lu_json_object_end(&json);
    }
    lu_json_array_end(&json);
    write_normaliser(&json, "normaliser", &file->observation);
    write_normaliser(&json, "critic_normaliser", &file->critic);
    lu_json_object_end(&json);
    return native_json(&json);
}

static PyObject *policy_block(policy_object *p, PyObject *none) {
    (void)none;
    return PyBytes_FromStringAndSize((const char *)lu_net_block(p->file->net),
                                     (Py_ssize_t)(lu_net_parameters(p->file->net) * sizeof(float)));
}

static PyMethodDef methods[] = {
    {"begin", (PyCFunction)policy_begin, METH_VARARGS,
     "begin(rows, seed, greedy, temperature): forgets, and readies for so many rows."},
    {"answer", (PyCFunction)policy_answer, METH_VARARGS,
     "answer(rows, all_frames, observation, critic, mask, actions, logits, probabilities, values)"},
    {"forget", (PyCFunction)policy_forget, METH_VARARGS, "forget(row, seed): a new episode."},
    {"facts", (PyCFunction)policy_facts, METH_NOARGS, "facts(): what the model is, as JSON."},
    {"block", (PyCFunction)policy_block, METH_NOARGS, "block(): all parameters, as bytes."},
    {NULL, NULL, 0, NULL},
};

static PyType_Slot slots[] = {
    {Py_tp_new, (void *)policy_new},
    {Py_tp_dealloc, (void *)policy_free},
    {Py_tp_methods, methods},
    {Py_tp_doc, "A trained model that answers for rows of observations."},
    {0, NULL},
};
static PyType_Spec spec = {"ludus._native.Policy", sizeof(policy_object), 0, Py_TPFLAGS_DEFAULT,
                           slots};

int native_add_policy(PyObject *module) {
    return native_add_type(module, &spec, "Policy");
}
