/* What the tests of potion share: an environment with settings, and ways to play in it.
 * Ownership: kit_open and kit_close go together. Threads: one at a time. */
#pragma once

#include "ludus/episode.h"

#include "potion.h"
#include "test.h"

extern const lu_game *const lu_games_potion[];

typedef struct kit {
    lu_episode at;
    const potion_rules *m;
    lu_env *env;
    potion_state *s;
} kit;

enum { PLAIN, LOOK, PEER, VARIANTS };

/* A variant with "key=value" settings, NULL at the end; not reset. */
static inline bool kit_open(kit *k, int variant, const char *const *pairs, lu_error *error) {
    memset(k, 0, sizeof *k);
    lu_settings *settings = lu_game_settings(lu_games_potion[variant]);
    lu_status status = LU_OK;
    for (; pairs && *pairs && status == LU_OK; pairs++) {
        status = lu_settings_set_pair(settings, *pairs, LU_FROM_FLAG, "test", error);
    }
    if (status != LU_OK) {
        lu_settings_delete(settings);
        return false;
    }
    if (lu_episode_open(&k->at, lu_games_potion[variant], settings, NULL, error) != LU_OK) {
        return false;
    }
    k->m = (const potion_rules *)(const void *)k->at.rules;
    k->env = k->at.env;
    k->s = k->env->state;
    return true;
}

static inline void kit_close(kit *k) {
    lu_episode_close(&k->at);
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
