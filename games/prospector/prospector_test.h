/* Set-up states for the tests of prospector's rules. The file of the rules is included, so that its
 * static functions can be asked directly; the including file names its LU_ISA before, so that each
 * test program's core has a name of its own. */
#pragma once

#include "prospector.c"
#include "test.h"

#include <stdlib.h>

extern const lu_game *const lu_games_prospector[];

static prospector_state state; /* static: 57 kB, and zero before the first reset */
static prospector_state *const s = &state;
static double terms[PROSPECTOR_TERMS];
static lu_step result;

static inline const prospector_rules *rules_with(const char *key, const char *value) {
    static lu_rules *rules;
    lu_error error;
    lu_settings *settings = lu_game_settings(lu_games_prospector[0]);
    if (key && lu_settings_set(settings, key, value, LU_FROM_FLAG, "test", &error) != LU_OK) {
        lu_test_fail(__FILE__, __LINE__, "%s", error.text);
    }
    lu_rules_delete(rules);
    rules = lu_rules_new(lu_games_prospector[0], settings, &error);
    lu_settings_delete(settings);
    return (const prospector_rules *)(const void *)rules;
}

static const prospector_rules *rules;

static inline void begin(uint64_t seed) {
    rules = rules_with(NULL, NULL);
    prospector_reset(&rules->head, s, seed, NULL);
}

static inline void play(int32_t action) {
    memset(terms, 0, sizeof terms);
    prospector_step(&rules->head, s, &action, terms, &result);
}

/* Puts the ship at a node, as if it had flown there. */
static inline void stand_at(int node) {
    turn t = {rules, s, 0};
    if (s->selected >= 0) {
        s->rock[s->node].shown[s->selected][PROSPECTOR_ROCK_SELECTED] = 0.0f;
    }
    s->selected = -1;
    s->node = (uint8_t)node;
    arrive(&t);
}

/* In the field, with a rock selected and nobody and nothing to harm the ship. */
static inline void begin_calm(uint64_t seed) {
    begin(seed);
    stand_at(1);
    s->graph[1].hazard = 0.0f;
    s->graph[1].pirate = -100.0f; /* log odds -300: never */
    s->selected = 0;
    s->rock[1].shown[0][PROSPECTOR_ROCK_SELECTED] = 1.0f;
    s->rock[1].stability[0] = 100.0f; /* never breaks */
}

static inline uint64_t after_draws(uint64_t rng, uint64_t draws) {
    return lu_pcg32_jump(rng, PROSPECTOR_STREAM, draws);
}

static inline bool legal(int action) {
    uint8_t mask[PROSPECTOR_ACTIONS];
    prospector_mask(&rules->head, s, 0, mask);
    return mask[action] == 1;
}
