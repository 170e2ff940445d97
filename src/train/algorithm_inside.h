/* The entries of the table of algorithms, and what they share. */
#pragma once

#include "ludus/algorithm.h"

extern const lu_algorithm lu_algorithm_ppo, lu_algorithm_dqn;

/* Adds a figure to a list that has room. */
void lu_figure_add(lu_figure *list, int *count, const char *name, double value);

/* Calls that only hand on to a trainer whose functions begin with `type`, as entries of the table:
 * the trainer is a void pointer there, so that each needs a function of its own. */
#define LU_HAND_ON(type)                                                                           \
    static void *make(const lu_game *game, const lu_rules *rules, const lu_settings *settings,     \
                      const void *options, lu_error *error) {                                      \
        return type##_new(game, rules, settings, options, error);                                  \
    }                                                                                              \
    static void drop(void *trainer) {                                                              \
        type##_delete(trainer);                                                                    \
    }                                                                                              \
    static bool done(const void *trainer) {                                                        \
        return type##_done(trainer);                                                               \
    }                                                                                              \
    static int64_t updates(const void *trainer) {                                                  \
        return type##_updates(trainer);                                                            \
    }                                                                                              \
    static int64_t updates_total(const void *trainer) {                                            \
        return type##_updates_total(trainer);                                                      \
    }                                                                                              \
    static int64_t steps(const void *trainer) {                                                    \
        return type##_steps(trainer);                                                              \
    }                                                                                              \
    static int batch(const void *trainer) {                                                        \
        return type##_batch(trainer);                                                              \
    }                                                                                              \
    static int threads(const void *trainer) {                                                      \
        return type##_threads(trainer);                                                            \
    }                                                                                              \
    static lu_net *net(void *trainer) {                                                            \
        return type##_net(trainer);                                                                \
    }                                                                                              \
    static const lu_normaliser *normaliser(const void *trainer) {                                  \
        return type##_normaliser(trainer);                                                         \
    }                                                                                              \
    static uint64_t hash(const void *trainer) {                                                    \
        return type##_hash(trainer);                                                               \
    }                                                                                              \
    static size_t snapshot_bytes(const void *trainer) {                                            \
        return type##_snapshot_bytes(trainer);                                                     \
    }                                                                                              \
    static void save(const void *trainer, void *bytes) {                                           \
        type##_save(trainer, bytes);                                                               \
    }                                                                                              \
    static lu_status load(void *trainer, const void *bytes, size_t length, lu_error *error) {      \
        return type##_load(trainer, bytes, length, error);                                         \
    }

/* The same calls as members of the entry. */
#define LU_HANDED_ON                                                                               \
    .make = make, .drop = drop, .done = done, .updates = updates, .updates_total = updates_total,  \
    .steps = steps, .batch = batch, .threads = threads, .net = net, .normaliser = normaliser,      \
    .hash = hash, .snapshot_bytes = snapshot_bytes, .save = save, .load = load
