/* A trained model in the page: the bytes of a model file come in, and for the open environment the
 * same numbers come out as in the native program, bit for bit: all kernels follow one fixed chain
 * of operations (src/nn/kernels.h), here in WASM's vectors of four floats.
 * Archives (.zip) are not read here: a page takes the policy.safetensors out of one. */
#include "inside.h"

#include "ludus/model.h"
#include "ludus/policy.h"

#include <stdlib.h>
#include <string.h>

int32_t EXPORT(ludus_model_open)(int32_t length);
int32_t EXPORT(ludus_model_run)(int32_t seat);
const float *EXPORT(ludus_logits)(void);
const float *EXPORT(ludus_probabilities)(void);
const int32_t *EXPORT(ludus_best)(void);
double EXPORT(ludus_value)(void);

typedef struct wasm_agent {
    lu_model_file *file; /* NULL: no model is open */
    lu_net_work *work;
    lu_policy policy;
    float *memory;                 /* seats x memory floats */
    float *logits, *probabilities; /* of the last run, heads one behind the other */
    uint8_t *legal;
    int32_t best[LU_MAX_HEADS]; /* the best option of each head, the earlier ones so chosen */
    float value;                /* in units of the reward */
} wasm_agent;

static wasm_agent agent;

void wasm_agent_close(void) {
    lu_net_work_delete(agent.work);
    lu_model_file_delete(agent.file);
    free(agent.memory);
    free(agent.logits);
    free(agent.probabilities);
    free(agent.legal);
    memset(&agent, 0, sizeof agent);
}

void *wasm_agent_memory(size_t *bytes) {
    *bytes = 0;
    if (agent.file) {
        size_t floats = (size_t)agent.file->game->seats * lu_net_memory_floats(agent.file->net);
        *bytes = floats * sizeof *agent.memory;
    }
    return agent.memory;
}

/* Seats forget what they remember of an episode. */
void wasm_agent_begin(void) {
    size_t bytes;
    void *memory = wasm_agent_memory(&bytes);
    if (bytes) {
        memset(memory, 0, bytes);
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
    size_t options = (size_t)lu_game_mask_length(game), wide = (options + 15) / 16 * 16;
    agent.file = file;
    agent.work = lu_net_work_new(file->net, 1);
    agent.policy = lu_policy_of(game, module.episode.rules);
    agent.memory = lu_alloc_zero((size_t)game->seats * lu_net_memory_floats(file->net) + 1,
                                 sizeof *agent.memory);
    agent.logits = lu_alloc_zero(wide, sizeof *agent.logits);
    agent.probabilities = lu_alloc_zero(wide, sizeof *agent.probabilities);
    agent.legal = lu_alloc_zero(options, sizeof *agent.legal);
    describe(file);
    return LU_OK;
}

/* A Q net has no probabilities: the best option of each head has 1, and the value is the mean of
 * the best Q values. */
static void believe_best(void) {
    double sum = 0.0;
    int asked = 0;
    for (int h = 0; h < agent.policy.heads; h++) {
        int first = agent.policy.offset[h], last = agent.policy.offset[h + 1];
        bool any = memchr(agent.legal + first, 1, (size_t)(last - first)) != NULL;
        for (int o = first; o < last; o++) {
            agent.probabilities[o] = any && o == first + agent.best[h] ? 1.0f : 0.0f;
        }
        sum += any ? (double)agent.logits[first + agent.best[h]] : 0.0;
        asked += any;
    }
    agent.value = asked ? (float)(sum / asked) : 0.0f;
}

/* Runs the net on what a seat of an environment sees; `memory`, that of the seat, moves on. */
static lu_status think(const lu_env *env, const lu_policy *policy, int seat, float *memory,
                       lu_error *error) {
    const lu_model_file *file = agent.file;
    size_t at = (size_t)seat, observation = (size_t)lu_game_observation_length(env->game);
    size_t critic = (size_t)lu_game_critic_length(env->game);
    size_t options = (size_t)lu_game_mask_length(env->game);
    lu_net_run(file->net, agent.work,
               &(lu_net_infer){
                   .rows = 1,
                   .observation = env->observation + at * observation,
                   .observation_stride = observation,
                   .critic = lu_net_critic_inputs(file->net) > 0 ? env->critic + at * critic : NULL,
                   .critic_stride = critic,
                   .normaliser = file->observation.length ? &file->observation : NULL,
                   .critic_normaliser = file->critic.length ? &file->critic : NULL,
                   .memory = lu_net_memory_floats(file->net) ? memory : NULL,
                   .logits = agent.logits,
                   .logits_stride = (options + 15) / 16 * 16,
                   .value = &agent.value});
    const void *state = env->state;
    uint8_t whose = (uint8_t)seat;
    lu_rng unused = lu_rng_from(0);
    lu_status status = lu_policy_choose(policy,
                                        &(lu_policy_act){.rows = 1,
                                                         .logits = agent.logits,
                                                         .logits_stride = options,
                                                         .mask = env->mask + at * options,
                                                         .mask_stride = options,
                                                         .state = &state,
                                                         .seat = &whose,
                                                         .rng = &unused,
                                                         .greedy = true,
                                                         .actions = agent.best,
                                                         .actions_stride = LU_MAX_HEADS,
                                                         .legal = agent.legal,
                                                         .legal_stride = options},
                                        error);
    if (status != LU_OK) {
        return status;
    }
    lu_policy_probabilities(policy, agent.logits, agent.legal, agent.probabilities);
    if (lu_net_kind_of(file->net) == LU_NET_Q) {
        believe_best();
    }
    double scale = file->return_scale;
    agent.value = (float)((double)agent.value / (scale > 0.0 ? scale : 1.0));
    return LU_OK;
}

/* Runs the net on what a seat sees now; its memory moves on, so ask once per decision. Fills
 * ludus_logits, ludus_probabilities (each head under the best choices of the heads before it),
 * ludus_best and ludus_value. */
int32_t EXPORT(ludus_model_run)(int32_t seat) {
    lu_error error = {LU_OK, ""};
    const lu_env *env = module.episode.env;
    if (!env || !agent.file) {
        return wasm_refuse_because(LU_USAGE, "no model is open; call ludus_model_open first");
    }
    if (seat < 0 || seat >= env->game->seats) {
        return wasm_refuse_because(LU_NOT_FOUND, "the game has no such seat");
    }
    float *memory = agent.memory + (size_t)seat * lu_net_memory_floats(agent.file->net);
    lu_status status = think(env, &agent.policy, seat, memory, &error);
    return status == LU_OK ? LU_OK : wasm_refuse(&error);
}

/* ---- for tools ---- */

/* One state by itself, as the first decision of an episode. */
static lu_status think_apart(void *user, const lu_rules *rules, const void *state, int seat,
                             float *probabilities, double *value, lu_error *error) {
    const lu_game *game = agent.file->game;
    lu_env *env = lu_env_new(game, rules);
    lu_policy policy = lu_policy_of(game, rules);
    float *memory = lu_alloc_zero(lu_net_memory_floats(agent.file->net) + 1, sizeof *memory);
    (void)user;
    memcpy(env->state, state, rules->state_bytes);
    lu_env_refresh(env);
    lu_status status = think(env, &policy, seat, memory, error);
    if (status == LU_OK) {
        memcpy(probabilities, agent.probabilities,
               (size_t)lu_game_mask_length(game) * sizeof *probabilities);
        *value = (double)agent.value;
    }
    free(memory);
    lu_env_delete(env);
    return status;
}

const lu_tool_agent *wasm_agent_for(const lu_tool *tool) {
    static lu_tool_agent door;
    if (!tool->agent || !agent.file || strcmp(agent.file->game->id, tool->agent) != 0) {
        return NULL;
    }
    door = (lu_tool_agent){
        .name = agent.file->game->id, .step = agent.file->step, .think = think_apart};
    return &door;
}

/* Addresses of the last run, heads one behind the other; 0 while no model is open. */
const float *EXPORT(ludus_logits)(void) {
    return agent.logits;
}

const float *EXPORT(ludus_probabilities)(void) {
    return agent.probabilities;
}

const int32_t *EXPORT(ludus_best)(void) {
    return agent.file ? agent.best : NULL;
}

double EXPORT(ludus_value)(void) {
    return (double)agent.value;
}
