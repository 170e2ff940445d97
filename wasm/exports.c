/* What a game's WASM module offers to node and the page: its registry (one folder's variants), the
 * specification, one environment at a time, and the hash of the standard play that the conformance
 * tests compare with the native builds. Text goes out through one buffer whose address and length
 * the caller reads. */
#include "ludus/conform.h"
#include "ludus/env.h"
#include "ludus/game.h"

#include <stdlib.h>
#include <string.h>

#define EXPORT(name) __attribute__((export_name(#name))) name

extern const lu_game *const LU_WASM_GAMES[];

/* ---- the registry of this module ---- */

int lu_game_count(void) {
    int count = 0;
    while (LU_WASM_GAMES[count]) {
        count++;
    }
    return count;
}

const lu_game *lu_game_at(int index) {
    return LU_WASM_GAMES[index];
}

/* ---- one environment: every call below ludus_open needs one that is open ---- */

static lu_settings *settings;
static lu_model *model;
static lu_env *env;
static lu_json answer;

int32_t EXPORT(ludus_games)(void);
int32_t EXPORT(ludus_open)(int32_t index, const char *settings_json, int32_t length);
void EXPORT(ludus_reset)(uint32_t seed_low, uint32_t seed_high);
int32_t EXPORT(ludus_step)(void);
uint32_t EXPORT(ludus_hash)(uint32_t seed, uint32_t steps, int32_t high);
uint32_t EXPORT(ludus_state_hash)(int32_t high);
void *EXPORT(ludus_take)(int32_t bytes);
int32_t EXPORT(ludus_spec)(void);
int32_t EXPORT(ludus_state_json)(int32_t seat);
const char *EXPORT(ludus_text)(void);
const float *EXPORT(ludus_observation)(void);
const uint8_t *EXPORT(ludus_mask)(void);
int32_t *EXPORT(ludus_actions)(void);
double EXPORT(ludus_reward)(int32_t seat);

int32_t EXPORT(ludus_games)(void) {
    return lu_game_count();
}

/* Scratch memory for the caller's texts; valid until the next call. */
void *EXPORT(ludus_take)(int32_t bytes) {
    static void *scratch;
    free(scratch);
    scratch = bytes > 0 ? lu_alloc((size_t)bytes) : NULL;
    return scratch;
}

/* Opens variant `index` with settings as a JSON object (length 0: defaults). Returns 0, or the
 * status with the sentence as text. */
int32_t EXPORT(ludus_open)(int32_t index, const char *settings_json, int32_t length) {
    lu_error error = {LU_OK, ""};
    const lu_game *game = index >= 0 && index < lu_game_count() ? lu_game_at(index) : NULL;
    lu_settings *values = game ? lu_game_settings(game) : NULL;
    lu_model *made = NULL;
    if (!game) {
        lu_fail(&error, LU_NOT_FOUND, "there is no variant %d in this module", (int)index);
    } else if (length == 0 || lu_settings_text(values, "json", "settings", settings_json,
                                               (size_t)length, LU_FROM_FLAG, &error) == LU_OK) {
        made = lu_model_new(game, values, &error);
    }
    if (!made) {
        lu_settings_delete(values);
        lu_json_clear(&answer);
        lu_json_string(&answer, error.text);
        return (int32_t)error.status;
    }
    lu_env_delete(env);
    lu_model_delete(model);
    lu_settings_delete(settings);
    settings = values;
    model = made;
    env = lu_env_new(game, model);
    return LU_OK;
}

void EXPORT(ludus_reset)(uint32_t seed_low, uint32_t seed_high) {
    lu_env_reset(env, (uint64_t)seed_high << 32 | seed_low, NULL);
}

/* Address of the actions to fill in (seats x heads) before ludus_step. */
int32_t *EXPORT(ludus_actions)(void) {
    return env->actions;
}

/* One decision; bit 0 terminated, bit 1 truncated, bit 2 illegal, bit 3 the episode was over. */
int32_t EXPORT(ludus_step)(void) {
    if (env->over) {
        return 8;
    }
    int32_t actions[LU_MAX_SEATS * LU_MAX_HEADS];
    memcpy(actions, env->actions, (size_t)(env->game->seats * env->game->heads) * sizeof *actions);
    lu_env_step(env, actions);
    return env->step.terminated | env->step.truncated << 1 | (env->step.illegal ? 4 : 0);
}

const float *EXPORT(ludus_observation)(void) {
    return env->observation;
}
const uint8_t *EXPORT(ludus_mask)(void) {
    return env->mask;
}
double EXPORT(ludus_reward)(int32_t seat) {
    return seat >= 0 && seat < env->game->seats ? env->reward[seat] : 0.0;
}

const char *EXPORT(ludus_text)(void) {
    return answer.text;
}

/* Length of the specification as JSON at ludus_text. */
int32_t EXPORT(ludus_spec)(void) {
    lu_json_clear(&answer);
    lu_spec_write(env->game, &answer);
    return (int32_t)answer.length;
}

int32_t EXPORT(ludus_state_json)(int32_t seat) {
    lu_json_clear(&answer);
    env->game->to_json(model, env->state, seat, &answer);
    return (int32_t)answer.length;
}

/* Half of the 64-bit hash of the standard play; `high` 1 = upper half. */
uint32_t EXPORT(ludus_hash)(uint32_t seed, uint32_t steps, int32_t high) {
    static uint64_t hash;
    if (!high) {
        hash = lu_conform_hash(env->game, model, seed, steps);
    }
    return (uint32_t)(high ? hash >> 32 : hash);
}

uint32_t EXPORT(ludus_state_hash)(int32_t high) {
    uint64_t hash = lu_env_hash(env);
    return (uint32_t)(high ? hash >> 32 : hash);
}
