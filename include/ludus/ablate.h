/* A reward ablation: what each term of a game's reward is worth, found by training without it. The
 * baseline has all terms, a variant has one of them with weight 0; both train with the same seeds
 * and are otherwise equal. Everything is kept in a folder:
 *   ablation.json               what is trained, written once, a setting per line
 *   baseline-SEED.safetensors   a policy that is trained to its end
 *   without-TERM-SEED.safetensors
 *   *.state                     a training that was stopped, with a hash behind it
 * and what is there is not trained again. Trainings are exact: one that was stopped ends with the
 * same policy as one that was not.
 * Ownership: an ablation owns the lock of its folder; what the plan points at must outlive it.
 * Threads: one caller at a time. */
#pragma once

#include "ludus/algorithm.h"

LU_C_BEGIN

enum { LU_BASELINE = -1 }; /* in place of a term: none is left out */

typedef struct lu_ablation_plan {
    const lu_game *game;
    const lu_algorithm *algorithm;
    /* Of game, net and algorithm, with its profile, that all trainings share; seed and threads
     * among them are not used. */
    const lu_settings *settings;
    const void *options;          /* of the game's resets, or NULL */
    const char *options_json;     /* the same as text */
    const char *version, *commit; /* of the program that trains, for the policies */
} lu_ablation_plan;

/* A name for what the plan trains: equal plans give equal numbers. */
uint64_t lu_ablation_hash(const lu_ablation_plan *plan);

typedef struct lu_ablation lu_ablation;

/* Makes an ablation in a folder, or goes on with the one there. LU_BUSY when another process works
 * on it; LU_OTHER_SPEC, naming what differs, when it is of another plan; LU_LIMIT when a training
 * takes more than `memory` bytes (0: any). NULL on an error. */
lu_ablation *lu_ablation_open(const char *folder, const lu_ablation_plan *plan, size_t memory,
                              lu_error *error);
void lu_ablation_close(lu_ablation *ablation);
/* Whether the training without a term, or LU_BASELINE, is there to its end. */
bool lu_ablation_has(const lu_ablation *ablation, int term, uint64_t seed);
/* Adds the path of its policy. */
void lu_ablation_policy(const lu_ablation *ablation, int term, uint64_t seed, lu_text *path);

/* Asked after every update, and now and then inside of long ones, with the share of the training
 * that is done in updates; true stops it after its update. */
typedef bool lu_ablation_watch(void *context, double share);

/* Trains and writes the policy, from where an earlier call was stopped. LU_INTERRUPTED when `watch`
 * said so: the state is kept. What is trained already is not trained again. */
lu_status lu_ablation_train(lu_ablation *ablation, int term, uint64_t seed, int threads,
                            lu_ablation_watch *watch, void *context, lu_error *error);

LU_C_END
