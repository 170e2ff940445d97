/* What the tests of duel share: an environment with settings, and choices by name.
 * Ownership: kit_open and kit_close go together. Threads: one at a time. */
#pragma once

#include "duel.h"
#include "duel_see.h"

#include "ludus/env.h"

#include "test.h"

extern const lu_game *const lu_games_duel[];

typedef struct kit {
    lu_settings *settings;
    lu_rules *rules;
    const duel_rules *r;
    lu_env *env;
    duel_state *s;
    duel_fighter *a, *b;
    int32_t act[DUEL_SEATS * DUEL_HEADS];
} kit;

/* A variant with "key=value" settings, NULL at the end, and a first episode. */
static inline bool kit_open(kit *k, int variant, const char *const *pairs, lu_error *error) {
    memset(k, 0, sizeof *k);
    const lu_game *game = lu_games_duel[variant];
    k->settings = lu_game_settings(game);
    for (; pairs && *pairs; pairs++) {
        if (lu_settings_set_pair(k->settings, *pairs, LU_FROM_FLAG, "test", error) != LU_OK) {
            return false;
        }
    }
    k->rules = lu_rules_new(game, k->settings, error);
    if (!k->rules) {
        return false;
    }
    k->r = (const duel_rules *)(const void *)k->rules;
    k->env = lu_env_new(game, k->rules);
    k->s = k->env->state;
    k->a = &k->s->fighter[0];
    k->b = &k->s->fighter[1];
    lu_env_reset(k->env, 1, NULL);
    return true;
}

static inline void kit_close(kit *k) {
    lu_env_delete(k->env);
    if (k->rules) {
        lu_rules_delete(k->rules);
    }
    lu_settings_delete(k->settings);
}

/* Side by side on one line, timers over, the first fighter with PID. */
static inline void kit_face(kit *k, int distance) {
    k->a->x = 20;
    k->a->y = k->b->y = 10;
    k->b->x = (int16_t)(20 + distance);
    k->a->pid = 1;
    k->b->pid = 2;
    k->a->pid_clock = k->b->pid_clock = 200;
    k->a->cool = k->b->cool = 0;
    duel_stop(k->a);
    duel_stop(k->b);
    duel_refresh(k->rules, k->s);
    lu_env_refresh(k->env);
}

static inline void kit_clear(kit *k) {
    memset(k->act, 0, sizeof k->act);
}

/* One tick with the choices made so far, which are then forgotten. */
static inline void kit_tick(kit *k) {
    lu_env_step(k->env, k->act);
    kit_clear(k);
}

static inline void kit_melee(kit *k, int seat) {
    k->act[seat * DUEL_HEADS + DUEL_HEAD_ATTACK] = DUEL_MELEE_ATTACK;
    k->act[seat * DUEL_HEADS + DUEL_HEAD_MELEE] = DUEL_BASIC;
}
static inline void kit_ice(kit *k, int seat) {
    k->act[seat * DUEL_HEADS + DUEL_HEAD_ATTACK] = DUEL_MAGE_ATTACK;
    k->act[seat * DUEL_HEADS + DUEL_HEAD_MAGE] = DUEL_ICE;
}
