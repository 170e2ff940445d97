/* What the tests of potion share: an environment with settings, and ways to play in it.
 * Ownership: kit_open and kit_close go together. Threads: one at a time. */
#pragma once

#include "ludus/env.h"

#include "potion.h"
#include "test.h"

extern const lu_game *const lu_games_potion[];

typedef struct kit {
    const lu_game *game;
    lu_settings *settings;
    lu_rules *rules;
    const potion_rules *m;
    lu_env *env;
    potion_state *s;
} kit;

enum { PLAIN, LOOK, PEER, VARIANTS };

/* A variant with "key=value" settings, NULL at the end; not reset.
 */
static inline bool kit_open(kit *k, int variant, const char *const *pairs, lu_error *error) {
    memset(k, 0, sizeof *k);
    k->game = lu_games_potion[variant];
    k->settings = lu_game_settings(k->game);
    for (; pairs && *pairs; pairs++) {
        if (lu_settings_set_pair(k->settings, *pairs, LU_FROM_FLAG, "test", error) != LU_OK) {
            return false;
        }
    }
    k->rules = lu_rules_new(k->game, k->settings, error);
    if (!k->rules) {
        return false;
    }
    k->m = (const potion_rules *)(const void *)k->rules;
    k->env = lu_env_new(k->game, k->rules);
    k->s = k->env->state;
    return true;
}

static inline void kit_close(kit *k) {
    lu_env_delete(k->env);
    if (k->rules) {
        lu_rules_delete(k->rules);
    }
    lu_settings_delete(k->settings);
}

/* A task with 14 pieces of everything. */
static inline void kit_start(kit *k, int recipe, int cauldron, uint64_t seed) {
    potion_options task = {.recipe = recipe, .cauldron = cauldron, .stocked = 1};
    memset(task.stock + 1, POTION_ITEMS_MAX, POTION_INGREDIENTS);
    lu_env_reset(k->env, seed, &task);
}

static inline void kit_act(kit *k, int32_t action) {
    lu_env_step(k->env, &action);
}

/* Adds by name and stops at the end of the episode. */
static inline void kit_add(kit *k, const char *name, int pieces) {
    int action = potion_ingredient_find(name);
    if (action == 0) {
        lu_test_fail(__FILE__, __LINE__, "no ingredient '%s'", name);
    }
    for (int i = 0; i < pieces && !k->env->over; i++) {
        kit_act(k, action);
    }
}
