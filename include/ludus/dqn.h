/* Training by DQN: Q values of every option, learned from a buffer of past steps. Double targets, a
 * duelling net (net.dueling), returns over several steps, draws by priority, and masks everywhere:
 * an option that is illegal is neither taken nor read in a target. An update is dqn.rounds rounds;
 * in a round every environment plays dqn.horizon steps and then dqn.gradient_steps minibatches are
 * learned.
 * Games: all seats decide at every step, masks are said in full by mask and needs (no submask), the
 * net has no memory; what does not fit is refused in a sentence. With several heads the Q value of
 * an action is the mean over the heads that were asked.
 * Ownership and threads: as in algorithm.h. */
#pragma once

#include "ludus/algorithm.h"

LU_C_BEGIN

/* The table of settings dqn.*. */
extern const lu_table lu_dqn_table;

/* As lu_algorithm.make and lu_algorithm.bytes_needed. Settings must hold those of the game,
 * lu_dqn_table and lu_net_table. */
lu_trainer *lu_dqn_new(const lu_game *game, const lu_settings *settings, const void *options,
                       lu_error *error);
lu_status lu_dqn_bytes_needed(const lu_game *game, const lu_settings *settings,
                              lu_training_need *need, lu_error *error);

/* The net that targets are read from; both are of kind LU_NET_Q. */
lu_net *lu_dqn_target(lu_trainer *trainer);

LU_C_END
