/* What a game's WASM module offers to node and the page: its registry (one folder's variants), the
 * specification, one environment at a time, and the hash of the standard play that the conformance
 * tests compare with the native builds. Words, bots and saved episodes are in episode.c,
 * tools in tools.c, trained models in agent.c.
 *
 * The page asks for a buffer (ludus_take), writes a text into it and calls with its length only.
 * Calls that can fail return a status, 0 = done, and leave the answer or {"status","error"} as JSON
 * at ludus_text, ludus_text_length. Addresses are 0 and numbers 0 while nothing is open. After a
 * trap (out of memory, a broken promise of ours) the instance must be dropped. */
#include "module.h"

#include "ludus/conform.h"

#include <stdlib.h>
#include <string.h>

enum { TAKE_MOST = 1 << 28 }; /* bytes a page may lend at once: as much as JSON may have */

wasm_module module;

int32_t EXPORT(ludus_games)(void);
void *EXPORT(ludus_take)(int32_t bytes);
const char *EXPORT(ludus_text)(void);
int32_t EXPORT(ludus_text_length)(void);
int32_t EXPORT(ludus_open)(int32_t index, int32_t length);
int32_t EXPORT(ludus_spec)(void);
int32_t EXPORT(ludus_forms)(void);
int32_t EXPORT(ludus_reset)(uint32_t seed_low, uint32_t seed_high, int32_t length);
int32_t EXPORT(ludus_step)(void);
int32_t EXPORT(ludus_state_json)(int32_t seat);
int32_t EXPORT(ludus_from_json)(int32_t length);
int32_t EXPORT(ludus_determinise)(int32_t seat, uint32_t seed_low, uint32_t seed_high);
int32_t EXPORT(ludus_info)(void);
int32_t EXPORT(ludus_to_move)(void);
int32_t EXPORT(ludus_drives)(int32_t seat);
const float *EXPORT(ludus_observation)(void);
const uint8_t *EXPORT(ludus_mask)(void);
int32_t *EXPORT(ludus_actions)(void);
double EXPORT(ludus_reward)(int32_t seat);
uint32_t EXPORT(ludus_hash)(uint32_t seed, uint32_t steps, int32_t high);
uint32_t EXPORT(ludus_state_hash)(int32_t high);

/* ---- texts in and out ---- */

int32_t wasm_refuse(const lu_error *error) {
    lu_json_clear(&module.answer);
    lu_json_object(&module.answer);
    lu_json_key_string(&module.answer, "status", lu_status_name(error->status));
    lu_json_key_string(&module.answer, "error", error->text);
    lu_json_object_end(&module.answer);
    return (int32_t)error->status;
}

int32_t wasm_refuse_because(lu_status status, const char *sentence) {
    lu_error error;
    lu_fail(&error, status, "%s", sentence);
    return wasm_refuse(&error);
}

bool wasm_lent(int32_t length) {
    return length >= 0 && (size_t)length <= module.lent_length;
}

lu_json_document *wasm_read(const char *what, int32_t length, int32_t *status) {
    lu_error error = {LU_OK, ""};
    lu_json_document *document = NULL;
    if (!wasm_lent(length)) {
        lu_fail(&error, LU_USAGE, "%s: %d bytes are more than ludus_take lent", what, (int)length);
    } else {
        document = lu_json_read(what, module.lent, (size_t)length, &error);
    }
    *status = document ? LU_OK : wasm_refuse(&error);
    return document;
}

lu_status wasm_settings(lu_settings *settings, const lu_json_value *object, lu_error *error) {
    if (object && lu_json_kind_of(object) != LU_JSON_OBJECT) {
        return lu_fail(error, LU_BAD_DATA, "settings must be an object {...}");
    }
    return lu_settings_object(settings, "the page", object, LU_FROM_FLAG, error);
}

/* Memory for the caller's next text; what was lent before is gone. 0 when there is not that much.
 */
void *EXPORT(ludus_take)(int32_t bytes) {
    free(module.lent);
    module.lent_length = 0;
    module.lent = bytes > 0 && bytes <= TAKE_MOST ? malloc((size_t)bytes) : NULL;
    module.lent_length = module.lent ? (size_t)bytes : 0;
    return module.lent;
}

const char *EXPORT(ludus_text)(void) {
    return module.answer.text;
}

int32_t EXPORT(ludus_text_length)(void) {
    return (int32_t)module.answer.length;
}

/* ---- opening ---- */

int32_t EXPORT(ludus_games)(void) {
    return lu_game_count();
}

/* Settings of a game from the lent JSON object (length 0: defaults). */
static lu_status read_settings(lu_settings *settings, int32_t length, lu_error *error) {
    if (length == 0) {
        return LU_OK;
    }
    if (!wasm_lent(length)) {
        return lu_fail(error, LU_USAGE, "settings: %d bytes are more than ludus_take lent",
                       (int)length);
    }
    return lu_settings_text(settings, "json", "settings", module.lent, (size_t)length, LU_FROM_FLAG,
                            error);
}

/* Opens variant `index` with settings, at the start of the episode of seed 0. What was open stays
 * so on an error. */
int32_t EXPORT(ludus_open)(int32_t index, int32_t length) {
    lu_error error = {LU_OK, ""};
    lu_episode opened = {0};
    const lu_game *game = index >= 0 && index < lu_game_count() ? lu_game_at(index) : NULL;
    lu_settings *values = game ? lu_game_settings(game) : NULL;
    if (!game) {
        lu_fail(&error, LU_NOT_FOUND, "there is no variant %d in this module", (int)index);
    } else if (read_settings(values, length, &error) != LU_OK) {
        lu_settings_delete(values);
    } else {
        lu_episode_open(&opened, game, values, NULL, &error);
    }
    if (!opened.env) {
        return wasm_refuse(&error);
    }
    wasm_agent_close();
    wasm_episode_close();
    lu_episode_close(&module.episode);
    module.episode = opened;
    lu_episode_reset(&module.episode, 0);
    wasm_episode_begin();
    return LU_OK;
}

int32_t wasm_nothing_open(void) {
    return wasm_refuse_because(LU_USAGE, "nothing is open; call ludus_open first");
}

bool wasm_seat(int32_t seat, int32_t least) {
    return seat >= least && seat < module.episode.game->seats;
}

int32_t wasm_no_seat(int32_t seat) {
    lu_error error;
    lu_fail(&error, LU_NOT_FOUND, "there is no seat %d; the game has %d", (int)seat,
            module.episode.game->seats);
    return wasm_refuse(&error);
}

int32_t EXPORT(ludus_spec)(void) {
    NEED_OPEN();
    lu_json_clear(&module.answer);
    lu_spec_write(module.episode.game, &module.answer);
    return LU_OK;
}

static void put_schema(const char *key, const lu_settings *settings) {
    char *schema = lu_settings_schema(settings, module.episode.game->id);
    lu_json_key_raw(&module.answer, key, schema);
    free(schema);
}

/* {"settings":SCHEMA,"options":SCHEMA}: what ludus_open and ludus_reset take, for forms. */
int32_t EXPORT(ludus_forms)(void) {
    NEED_OPEN();
    lu_settings *options = lu_game_options(module.episode.game);
    lu_json_clear(&module.answer);
    lu_json_object(&module.answer);
    put_schema("settings", module.episode.settings);
    put_schema("options", options);
    lu_json_object_end(&module.answer);
    lu_settings_delete(options);
    return LU_OK;
}

/* ---- playing ---- */

/* Options of a reset from the lent JSON object (length 0: none are given). */
int32_t EXPORT(ludus_reset)(uint32_t seed_low, uint32_t seed_high, int32_t length) {
    lu_error error = {LU_OK, ""};
    uint64_t seed = (uint64_t)seed_high << 32 | seed_low;
    NEED_OPEN();
    lu_settings *options = lu_game_options(module.episode.game);
    lu_status status = read_settings(options, length, &error);
    if (status == LU_OK) {
        status = lu_episode_set_options(&module.episode, options, &error);
    } else {
        lu_settings_delete(options);
    }
    if (status != LU_OK) {
        return wasm_refuse(&error);
    }
    lu_episode_reset(&module.episode, seed);
    wasm_agent_begin();
    wasm_episode_begin();
    return LU_OK;
}

/* Address of the actions to fill in (seats x heads) before ludus_step; any number may be written:
 * what is illegal has the effect the game defines. */
int32_t *EXPORT(ludus_actions)(void) {
    return module.episode.env ? module.episode.env->actions : NULL;
}

/* One decision; bit 0 terminated, bit 1 truncated, bit 2 illegal, bit 3 the episode was over or
 * nothing is open. */
int32_t EXPORT(ludus_step)(void) {
    lu_env *env = module.episode.env;
    if (!env || env->over) {
        return 8;
    }
    int32_t actions[LU_MAX_SEATS * LU_MAX_HEADS];
    memcpy(actions, env->actions, (size_t)(env->game->seats * env->game->heads) * sizeof *actions);
    lu_env_step(env, actions);
    return env->step.terminated | env->step.truncated << 1 | (env->step.illegal ? 4 : 0);
}

const float *EXPORT(ludus_observation)(void) {
    return module.episode.env ? module.episode.env->observation : NULL;
}

const uint8_t *EXPORT(ludus_mask)(void) {
    return module.episode.env ? module.episode.env->mask : NULL;
}

double EXPORT(ludus_reward)(int32_t seat) {
    return module.episode.env && wasm_seat(seat, 0) ? module.episode.env->reward[seat] : 0.0;
}

/* Bit k: seat k chooses at the next step. */
int32_t EXPORT(ludus_to_move)(void) {
    return module.episode.env && !module.episode.env->over ? module.episode.env->to_move : 0;
}

/* 1 when the game itself drives a seat under the open settings: what is chosen for it is ignored.
 */
int32_t EXPORT(ludus_drives)(int32_t seat) {
    const lu_episode *episode = &module.episode;
    return episode->env && wasm_seat(seat, 0) &&
           lu_game_drives(episode->game, episode->rules, seat);
}

/* ---- the state ---- */

/* What a seat may see, or everything for seat -1. */
int32_t EXPORT(ludus_state_json)(int32_t seat) {
    NEED_OPEN();
    NEED_SEAT(seat, -1);
    lu_json_clear(&module.answer);
    module.episode.game->to_json(module.episode.rules, module.episode.env->state, seat,
                                 &module.answer);
    return LU_OK;
}

/* Sets up a situation from the lent JSON; on an error the state is as it was. */
int32_t EXPORT(ludus_from_json)(int32_t length) {
    lu_error error = {LU_OK, ""};
    int32_t status;
    lu_env *env = module.episode.env;
    if (!env) {
        return wasm_nothing_open();
    }
    lu_json_document *document = wasm_read("state", length, &status);
    if (!document) {
        return status;
    }
    if (lu_json_kind_of(lu_json_root(document)) != LU_JSON_OBJECT) {
        lu_fail(&error, LU_BAD_DATA, "a state must be an object {...}");
    } else if (env->game->from_json(module.episode.rules, env->state, lu_json_root(document),
                                    &error) == LU_OK) {
        env->over = false;
        env->decisions = 0; /* no step has led here */
        lu_env_refresh(env);
        wasm_agent_begin();
        wasm_episode_begin();
    }
    lu_json_close(document);
    return error.status == LU_OK ? LU_OK : wasm_refuse(&error);
}

/* Draws everything hidden from a seat anew. */
int32_t EXPORT(ludus_determinise)(int32_t seat, uint32_t seed_low, uint32_t seed_high) {
    lu_rng rng = lu_rng_from((uint64_t)seed_high << 32 | seed_low);
    NEED_OPEN();
    NEED_SEAT(seat, 0);
    module.episode.env->core->determinise(module.episode.rules, module.episode.env->state, seat,
                                          &rng);
    lu_env_refresh(module.episode.env);
    return LU_OK;
}

int32_t EXPORT(ludus_info)(void) {
    NEED_OPEN();
    lu_json_clear(&module.answer);
    lu_env_info_write(module.episode.env, &module.answer);
    return LU_OK;
}

/* ---- hashes ---- */

/* Half of the 64-bit hash of the standard play; `high` 1 = upper half of the last one. */
uint32_t EXPORT(ludus_hash)(uint32_t seed, uint32_t steps, int32_t high) {
    static uint64_t hash;
    if (!high && module.episode.env) {
        hash = lu_conform_hash(module.episode.game, module.episode.rules, seed, steps);
    }
    return (uint32_t)(high ? hash >> 32 : hash);
}

uint32_t EXPORT(ludus_state_hash)(int32_t high) {
    uint64_t hash = module.episode.env ? lu_env_hash(module.episode.env) : 0;
    return (uint32_t)(high ? hash >> 32 : hash);
}
