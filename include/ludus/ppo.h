/* Training by PPO: environments are played in shards that no barrier joins, advantages are GAE with
 * the clips of V-trace, and minibatches of rows (or of whole segments, for nets with memory) are
 * learned in gradient shards whose sums have one order. Hence the same bits for any number of
 * threads. An update (lu_trainer_update) collects one batch and learns from it.
 * Ownership and threads: as in algorithm.h; lu_gae_run has no state. */
#pragma once

#include "ludus/algorithm.h"

LU_C_BEGIN

/* The table of settings train.*; its defaults are those of the profile `fast`. */
extern const lu_table lu_ppo_table;

/* Gives every row of train.* and net.* that still has its default the value that the profile named
 * by train.profile has for it. `classic`: CleanRL's ppo.py, net included; `fast`: nothing to do.
 * Call it once, after all other sources of settings. */
lu_status lu_ppo_profile(lu_settings *settings, lu_error *error);

/* As lu_algorithm.make and lu_algorithm.bytes_needed. Settings must hold those of the game,
 * lu_ppo_table and lu_net_table. */
lu_trainer *lu_ppo_new(const lu_game *game, const lu_settings *settings, const void *options,
                       lu_error *error);
lu_trainer *lu_ppo_new_shared(const lu_game *game, const lu_settings *settings, const void *options,
                              const lu_comm *comm, lu_error *error);
lu_status lu_ppo_bytes_needed(const lu_game *game, const lu_settings *settings,
                              lu_training_need *need, lu_error *error);

/* ---- advantages ---- */

/* delta_t = rho_t (r_t + g_t W_t - V_t), A_t = delta_t + g_t lambda c_t A_{t+1} while the episode
 * goes on; g = gamma^ticks, rho = min(ratio, rho_clip), c = min(ratio, c_clip); W = 0 after a
 * termination, the value of the last observation after a truncation, else V_{t+1}. target = A + V.
 * With ratios of 1 and clips of at least 1 it is plain GAE. Sums in fp64. */
typedef struct lu_gae {
    int rows, steps;
    size_t stride; /* elements from one step to the next, in every array */
    double gamma, lambda, rho_clip, c_clip;
    double reward_scale, reward_clip; /* r = scale x reward, in +-clip (0 = no clip) */
    const float *reward;
    const float *value;        /* steps + 1 */
    const float *final_value;  /* read where truncated */
    const float *ratio;        /* NULL: 1 */
    const int32_t *ticks;      /* NULL: 1 */
    const uint8_t *ends;       /* LU_END_* bits; others are ignored */
    float *advantage, *target; /* out */
} lu_gae;

void lu_gae_run(const lu_gae *call);

/* The place of `index` in a keyed random order of 0 .. count - 1, without a table: a Feistel
 * network on the bits, walked until the number is in range. About 10 ns. */
uint32_t lu_shuffled(uint64_t key, uint32_t count, uint32_t index);

LU_C_END
