/* A trained model in the page: the bytes of a model file come in, and for the open environment the
 * same numbers come out as in the native program, bit for bit: all kernels follow one fixed chain
 * of operations (src/nn/kernels.h), here in WASM's vectors of four floats.
 * Archives (.zip) are not read here: a page takes the policy.safetensors out of one. */
#include "module.h"

#include "ludus/agent.h"

#include <stdlib.h>
#include <string.h>

int32_t EXPORT(ludus_model_open)(int32_t length);
int32_t EXPORT(ludus_model_run)(int32_t seat);
int32_t EXPORT(ludus_model_draw)(int32_t seat);
const float *EXPORT(ludus_logits)(void);
const float *EXPORT(ludus_probabilities)(void);
const int32_t *EXPORT(ludus_best)(void);
double EXPORT(ludus_value)(void);

static struct {
    lu_model_file *file; /* NULL: no model is open */
    lu_agent *agent;
    lu_thought thought; /* of the last run, as all below */
    int32_t best[LU_MAX_HEADS];
    float *logits, *probabilities; /* heads one behind the other */
} own;

void wasm_agent_close(void) {
    lu_agent_delete(own.agent);
    lu_model_file_delete(own.file);
    free(own.logits);
    free(own.probabilities);
    memset(&own, 0, sizeof own);
}

void *wasm_agent_memory(size_t *bytes) {
    *bytes = 0;
    return own.agent ? lu_agent_memory(own.agent, 0, bytes) : NULL;
}

/* Seats forget what they remember of an episode. */
void wasm_agent_begin(void) {
    if (own.agent) {
        lu_agent_begin(own.agent, 0, module.episode.env->seed);
    }
}

static void describe(const lu_model_file *file) {
    lu_json *json = &module.answer;
    lu_json_clear(json);
    lu_json_object(json);
    lu_json_key_string(json, "game", file->game->id);
    lu_json_key_string(json, "kind", lu_net_kind_of(file->net) == LU_NET_Q ? "q" : "policy");
    lu_json_key_int(json, "step", file->step);
    lu_json_key_int(json, "parameters", (int64_t)lu_net_parameters(file->net));
    lu_json_key_string(json, "build", file->build);
    lu_json_object_end(json);
}

/* Reads the lent bytes of a model file (safetensors) for the game that is open; what was open stays
 * so on an error. */
int32_t EXPORT(ludus_model_open)(int32_t length) {
    lu_error error = {LU_OK, ""};
    if (!module.episode.env) {
        return wasm_refuse_because(LU_USAGE, "nothing is open; call ludus_open first");
    }
    if (!wasm_lent(length)) {
        return wasm_refuse_because(LU_USAGE, "the model has more bytes than ludus_take lent");
    }
    const lu_game *game = module.episode.env->game;
    lu_model_file *file = lu_model_file_read("model", module.lent, (size_t)length, &error);
    if (file && file->game != game) {
        lu_fail(&error, LU_OTHER_SPEC, "the model is for %s, but %s is open", file->game->id,
                game->id);
        lu_model_file_delete(file);
        file = NULL;
    }
    if (!file) {
        return wasm_refuse(&error);
    }
    wasm_agent_close();
    size_t options = (size_t)lu_game_mask_length(game);
    own.file = file;
    own.agent = lu_agent_new(&(lu_agent_settings){
        .file = file, .rules = module.episode.rules, .episodes = 1, .thinks = true});
    own.logits = lu_alloc_zero(options, sizeof *own.logits);
    own.probabilities = lu_alloc_zero(options, sizeof *own.probabilities);
    wasm_agent_begin();
    describe(file);
    return LU_OK;
}

static int32_t ask_agent(int32_t seat, uint32_t best) {
    lu_error error = {LU_OK, ""};
    if (!module.episode.env || !own.agent) {
        return wasm_refuse_because(LU_USAGE, "no model is open; call ludus_model_open first");
    }
    if (!wasm_seat(seat, 0)) {
        return wasm_refuse_because(LU_NOT_FOUND, "the game has no such seat");
    }
    lu_agent_ask ask = {.env = module.episode.env,
                        .seat = seat,
                        .best = best,
                        .actions = own.best,
                        .thought = &own.thought,
                        .probabilities = own.probabilities,
                        .logits = own.logits};
    lu_status status = lu_agent_act(own.agent, &ask, 1, &error);
    return status == LU_OK ? LU_OK : wasm_refuse(&error);
}

/* Runs the net on what a seat sees now; its memory moves on, so ask once per decision. Fills
 * ludus_logits, ludus_probabilities (each head under the best choices of the heads before it),
 * ludus_best and ludus_value. */
int32_t EXPORT(ludus_model_run)(int32_t seat) {
    return ask_agent(seat, UINT32_MAX);
}

/* The same with options drawn from the policy in place of the best, by the episode's seed. */
int32_t EXPORT(ludus_model_draw)(int32_t seat) {
    return ask_agent(seat, 0);
}

const lu_tool_agent *wasm_agent_for(const lu_tool *tool) {
    static lu_tool_agent door;
    if (!tool->agent || !own.file || strcmp(own.file->game->id, tool->agent) != 0) {
        return NULL;
    }
    door = lu_agent_for_tool(own.file, own.file->game->id);
    return &door;
}

/* Addresses of the last run, heads one behind the other; 0 while no model is open. */
const float *EXPORT(ludus_logits)(void) {
    return own.logits;
}

const float *EXPORT(ludus_probabilities)(void) {
    return own.probabilities;
}

const int32_t *EXPORT(ludus_best)(void) {
    return own.file ? own.best : NULL;
}

double EXPORT(ludus_value)(void) {
    return (double)own.thought.value;
}
