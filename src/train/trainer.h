/* What trainers share whatever they learn by: one block of memory laid out in two passes, the walk
 * of a snapshot, the sum of gradient shards, and the file of a batch that failed.
 * Ownership: the caller owns every buffer. Threads: no state; train_sum_part may run on different
 * parts at once. */
#pragma once

#include "ludus/arena.h"
#include "ludus/net.h"
#include "ludus/tensors.h"

#include "../nn/kernels.h"

/* ---- memory ---- */

/* Two passes over the same list: the first adds up sizes, the second takes. */
typedef struct train_taker {
    lu_arena *arena; /* NULL: only the size */
    size_t bytes;
} train_taker;

void *train_take(train_taker *taker, size_t count, size_t bytes);

#define TRAIN_TAKE(taker, pointer, count)                                                          \
    ((pointer) = train_take((taker), (count), sizeof *(pointer)))

/* Minibatches read rows from all over a batch; small pages would miss the TLB at each. */
void train_large_pages(const lu_arena *arena);

/* ---- snapshots ---- */

/* One list of everything that goes on, walked to count, to save and to load. */
typedef enum walk_kind { WALK_COUNT, WALK_SAVE, WALK_LOAD } walk_kind;
typedef struct walk {
    walk_kind kind;
    unsigned char *at; /* NULL while counting */
    size_t bytes;
} walk;

void walk_piece(walk *w, void *data, size_t bytes);
void walk_normaliser(walk *w, lu_normaliser *normaliser);
/* Parameters and moments; pack the net after loading. */
void walk_learned(walk *w, lu_net *net, lu_optimiser *optimiser);

/* What must agree before anything is read. */
typedef struct snapshot_head {
    char magic[8];
    uint64_t bytes, spec, rules, shape;
} snapshot_head;

/* Hash of the values of all settings whose key begins with `module` (which ends with a dot) or with
 * "net.", except those that may differ between the parts of a run: threads, steps, save_failed. */
uint64_t snapshot_shape(const lu_settings *settings, const char *module, uint64_t start);
/* Whether bytes begin with a head that says what `mine` says. */
lu_status snapshot_check(const void *bytes, size_t length, const snapshot_head *mine,
                         const lu_game *game, const char *module, lu_error *error);

/* ---- gradients ---- */

enum {
    TRAIN_GRADIENTS = 16, /* gradient shards at most */
    TRAIN_PART = 4096,    /* parameters that one job of the sum takes */
};

/* Gradient shards of a minibatch, whatever the number of threads. Each costs passes over all
 * parameters: 8 from 512 rows on, more from 8192 on. */
int train_gradients(int rows);

/* Adds one part of all gradient shards to the first: neighbours first, then pairs of pairs. */
void train_sum_part(const lu_kernels *k, float *gradient, size_t stride, int shards, int part);

/* ---- a batch that failed ---- */

enum { FAILED_TENSORS = 16 };

typedef struct failed_file {
    lu_tensor_entry entry[FAILED_TENSORS];
    void *owned[FAILED_TENSORS];
    size_t count;
} failed_file;

/* Room for rows x columns numbers of the file, freed with it. Allocates: a run has ended. */
void *failed_add(failed_file *f, const char *name, lu_dtype type, size_t rows, size_t columns);
void failed_add_copy(failed_file *f, const char *name, const float *from, size_t count);
/* Writes the file, adds to the sentence of the error where it is, and frees what was added. */
void failed_write(failed_file *f, const char *path, const lu_game *game, int64_t update,
                  lu_error *error);
