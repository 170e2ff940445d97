/* One environment for people and tools: a game, its rules, a state, and after each reset or step
 * everything a host may want to show: observations, masks, terms, reward, info. Training steps
 * through vec.h instead; both run the same rules.
 * Ownership: the object owns its state and results; game and rules must outlive it.
 * Threads: one at a time per object. */
#pragma once

#include "ludus/game_ask.h"

LU_C_BEGIN

typedef struct lu_env {
    const lu_game *game;
    const lu_rules *rules;
    const lu_core *core;
    void *state;
    void *before;       /* the state before the last step, for stories and events */
    float *observation; /* seats x observation length */
    float *critic;      /* seats x critic length */
    uint8_t *mask;      /* seats x mask length */
    double *terms;      /* seats x terms, of the last step */
    double *reward;     /* seats, of the last step */
    double *returns;    /* seats, sum of rewards since the reset */
    double *info;       /* seats x infos */
    int32_t *actions;   /* seats x heads, of the last step */
    uint8_t to_move;
    lu_step step;      /* of the last step */
    uint64_t seed;     /* of this episode */
    int64_t decisions; /* since the reset */
    int64_t ticks;     /* since the reset */
    int64_t illegal;   /* illegal actions since the reset, over all seats */
    bool over;         /* terminated or truncated: only reset goes on */
} lu_env;

lu_env *lu_env_new(const lu_game *game, const lu_rules *rules);
void lu_env_delete(lu_env *env);
void lu_env_reset(lu_env *env, uint64_t seed, const void *options);
/* `actions`: seats x heads. Stepping an ended episode is a programming error. */
void lu_env_step(lu_env *env, const int32_t *actions);
/* The same without looking: observations, masks, to_move, info and `before` keep what they held,
 * until the next lu_env_step or lu_env_refresh. For going far at the price of the rules alone. */
void lu_env_skip(lu_env *env, const int32_t *actions);
/* Reads everything shown from the state again, after the caller changed it (from_json, snapshot).
 */
void lu_env_refresh(lu_env *env);
/* Seats that are to choose now, a bit each: none when it is over, none that the game drives. */
unsigned lu_env_choosers(const lu_env *env);
/* Hash of the state's bytes. */
uint64_t lu_env_hash(const lu_env *env);
/* Value of an info field of a seat by name; the name must exist. */
double lu_env_info(const lu_env *env, int seat, const char *name);
/* Info fields of all seats: an object, or an array of them where a game has several seats. */
void lu_env_info_write(const lu_env *env, lu_json *json);
/* Info fields of one seat as one JSON object; a value that stands for no name of its field is null.
 */
void lu_info_write(const lu_game *game, const double *info, lu_json *json);
/* Name of an action for people: the option names of its heads. */
void lu_action_name(const lu_game *game, const int32_t *actions, lu_text *text);

/* A bot with its memory and generator, in one seat. */
typedef struct lu_seated_bot {
    const lu_bot *bot;
    void *memory;
    lu_rng rng;
} lu_seated_bot;

void lu_seated_bot_init(lu_seated_bot *seated, const lu_bot *bot);
void lu_seated_bot_free(lu_seated_bot *seated);
/* Forgets everything, for a new episode with this seed. */
void lu_seated_bot_begin(lu_seated_bot *seated, uint64_t seed);
void lu_seated_bot_act(lu_seated_bot *seated, const lu_env *env, int seat, int32_t *actions);

LU_C_END
