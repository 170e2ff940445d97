/* Playing a game without a mind: random legal, wild and mixed actions, and a digest of everything
 * one moment of an environment shows. The battery and the hash that builds are compared by use it;
 * it needs no thread, no file and no library, so that it runs in WASM too. */
#pragma once

#include "ludus/env.h"

typedef enum lu_play {
    LU_PLAY_LEGAL, /* uniformly random legal actions */
    LU_PLAY_WILD,  /* any 32-bit number, often at the edges of what is allowed */
    LU_PLAY_MIXED, /* legal, and one time in eight wild */
} lu_play;

/* Actions of all seats; `mask` holds the rows of all seats. */
void lu_play_choose(const lu_game *game, const lu_rules *rules, const void *state,
                    const uint8_t *mask, lu_play play, lu_rng *rng, int32_t *actions);
/* Hash of the state and of everything that is shown of it, continued from `hash`. */
uint64_t lu_play_digest(const lu_env *env, uint64_t hash);
/* The hash of lu_conform_hash for one core of the game. */
uint64_t lu_play_hash(const lu_game *game, const lu_rules *rules, const lu_core *core,
                      uint64_t seed, int64_t steps);
