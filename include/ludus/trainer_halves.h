/* The two halves of an update, for whoever spreads a training over machines in a way of their own:
 * players collect batches with the weights they were given, a learner learns from the batches of
 * all parts (PREFIX.parts) and gives new weights. Batch and weights are bytes of this kind of
 * machine and this version of the program. Driven so, a training gives the bits of
 * lu_trainer_update.
 *
 *     player:   weights_load, collect, batch_save and place_save of each of its parts
 *     learner:  batch_load and place_load of every part, learn, weights_save
 *
 * A player for some of the parts is made by lu_algorithm.make_shared with a comm that has a rank
 * and ranks, and no calls; it has the environments of its parts and nothing to learn with. A
 * learner may be made by lu_algorithm.make. Players go on with their environments from batch to
 * batch; a learner's stay where they are, and its snapshots hold those. With opponents both need
 * the same roster. Only PPO has halves. Ownership and threads: as in algorithm.h. */
#pragma once

#include "ludus/algorithm.h"

LU_C_BEGIN

/* Plays the batch of the next update. */
lu_status lu_trainer_collect(lu_trainer *trainer, lu_error *error);
/* Learns from the batches of all parts, played here or loaded; progress may be NULL. */
lu_status lu_trainer_learn(lu_trainer *trainer, lu_progress *progress, lu_error *error);

/* How many parts a trainer has, and the number of the first. */
int lu_trainer_parts(const lu_trainer *trainer, int *first);

/* The batch of a part. Refused where it was played for another update, part or shape. */
size_t lu_trainer_batch_bytes(const lu_trainer *trainer);
void lu_trainer_batch_save(const lu_trainer *trainer, int part, void *bytes);
lu_status lu_trainer_batch_load(lu_trainer *trainer, int part, const void *bytes, size_t length,
                                lu_error *error);

/* The place of a part: where its environments stand, and what its next batch begins with. */
size_t lu_trainer_place_bytes(const lu_trainer *trainer);
void lu_trainer_place_save(const lu_trainer *trainer, int part, void *bytes);
lu_status lu_trainer_place_load(lu_trainer *trainer, int part, const void *bytes, size_t length,
                                lu_error *error);

/* Weights, normalisers and the number of updates: all that playing needs. */
size_t lu_trainer_weights_bytes(const lu_trainer *trainer);
void lu_trainer_weights_save(const lu_trainer *trainer, void *bytes);
lu_status lu_trainer_weights_load(lu_trainer *trainer, const void *bytes, size_t length,
                                  lu_error *error);

LU_C_END
