/* What trainers share: see trainer.h. */
#include "trainer.h"

#include "ludus/file.h"
#include "ludus/hash.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

/* ---- memory ---- */

void *train_take(train_taker *t, size_t count, size_t bytes) {
    size_t size = (count * bytes + 63) / 64 * 64;
    t->bytes += size;
    return t->arena ? lu_arena_take(t->arena, size, 64) : NULL;
}

void train_large_pages(const lu_arena *arena) {
    size_t page = (size_t)1 << 21;
    uintptr_t from = ((uintptr_t)arena->block + page - 1) / page * page;
    uintptr_t to = ((uintptr_t)arena->block + arena->bytes) / page * page;
    if (to > from) {
        (void)madvise((void *)from, to - from, MADV_HUGEPAGE);
    }
}

/* ---- snapshots ---- */

void walk_piece(walk *w, void *data, size_t bytes) {
    if (w->kind == WALK_SAVE && bytes) {
        memcpy(w->at + w->bytes, data, bytes);
    } else if (w->kind == WALK_LOAD && bytes) {
        memcpy(data, w->at + w->bytes, bytes);
    }
    w->bytes += bytes;
}

void walk_normaliser(walk *w, lu_normaliser *n) {
    size_t length = (size_t)n->length;
    walk_piece(w, &n->count, sizeof n->count);
    walk_piece(w, n->mean, length * sizeof *n->mean);
    walk_piece(w, n->square, length * sizeof *n->square);
    walk_piece(w, n->shift, length * sizeof *n->shift);
    walk_piece(w, n->scale, length * sizeof *n->scale);
}

void walk_learned(walk *w, lu_net *net, lu_optimiser *optimiser) {
    size_t parameters = lu_net_parameters(net) * sizeof(float);
    walk_piece(w, lu_net_block(net), parameters);
    walk_piece(w, &optimiser->steps, sizeof optimiser->steps);
    walk_piece(w, optimiser->first, parameters);
    walk_piece(w, optimiser->second, parameters);
}

/* Settings that may differ between the parts of a run. */
static bool is_free(const char *name) {
    return strcmp(name, "threads") == 0 || strcmp(name, "steps") == 0 ||
           strcmp(name, "save_failed") == 0;
}

uint64_t snapshot_shape(const lu_settings *settings, const char *module, uint64_t start) {
    uint64_t hash = start;
    size_t length = strlen(module);
    for (size_t i = 0; i < lu_settings_rows(settings); i++) {
        const char *of, *key = lu_settings_row(settings, i, &of)->key;
        bool mine = strncmp(key, module, length) == 0;
        if ((mine && !is_free(key + length)) || strncmp(key, "net.", 4) == 0) {
            hash = lu_hash_text(lu_settings_text_of(settings, key), lu_hash_text(key, hash));
        }
    }
    return hash;
}

lu_status snapshot_check(const void *bytes, size_t length, const snapshot_head *mine,
                         const lu_game *game, const char *module, lu_error *error) {
    snapshot_head head;
    if (length < sizeof head || memcmp(bytes, mine->magic, sizeof head.magic) != 0) {
        return lu_fail(error, LU_FOREIGN_FILE, "these %zu bytes are no snapshot of a trainer",
                       length);
    }
    memcpy(&head, bytes, sizeof head);
    if (head.spec != mine->spec || head.rules != mine->rules) {
        return lu_fail(error, LU_OTHER_SPEC,
                       "the snapshot was made with other rules or settings of %s: resume with the "
                       "same",
                       game->id);
    }
    if (head.shape != mine->shape) {
        return lu_fail(error, LU_OTHER_SPEC,
                       "the snapshot was made with other settings %s* or net.*: resume with "
                       "the same (only %sthreads and %ssteps may change)",
                       module, module, module);
    }
    if (head.bytes != mine->bytes || length != mine->bytes) {
        return lu_fail(error, LU_DAMAGED_FILE, "the snapshot has %zu bytes where %llu are needed",
                       length, (unsigned long long)mine->bytes);
    }
    return LU_OK;
}

/* ---- gradients ---- */

int train_gradients(int rows) {
    int few = (rows + 63) / 64, many = rows / 1024;
    few = few < 8 ? few : 8;
    int shards = many > few ? many : few;
    return shards < TRAIN_GRADIENTS ? shards : TRAIN_GRADIENTS;
}

enum { SUM_PIECE = 256 }; /* floats of all shards that stay in the first cache */

void train_sum_part(const lu_kernels *k, float *gradient, size_t stride, int shards, int part) {
    size_t from = (size_t)part * TRAIN_PART, left = stride - from;
    size_t end = from + (left < TRAIN_PART ? left : TRAIN_PART);
    for (size_t at = from; at < end; at += SUM_PIECE) {
        size_t n = end - at < SUM_PIECE ? end - at : SUM_PIECE;
        for (int apart = 1; apart < shards; apart *= 2) {
            for (int i = 0; i + apart < shards; i += 2 * apart) {
                k->blend(1.0f, gradient + (size_t)(i + apart) * stride + at, 1.0f,
                         gradient + (size_t)i * stride + at, n);
            }
        }
    }
}

/* ---- a batch that failed ---- */

void *failed_add(failed_file *f, const char *name, lu_dtype type, size_t rows, size_t columns) {
    void *data = lu_alloc_zero(rows * columns + 1, lu_dtype_bytes(type));
    f->owned[f->count] = data;
    f->entry[f->count++] = (lu_tensor_entry){.name = name,
                                             .type = type,
                                             .rank = 2,
                                             .shape = {(int64_t)rows, (int64_t)columns},
                                             .data = data};
    return data;
}

void failed_add_copy(failed_file *f, const char *name, const float *from, size_t count) {
    memcpy(failed_add(f, name, LU_F32, 1, count), from, count * sizeof(float));
}

void failed_write(failed_file *f, const char *path, const lu_game *game, int64_t update,
                  lu_error *error) {
    char number[32], *bytes = NULL;
    size_t length = 0;
    snprintf(number, sizeof number, "%lld", (long long)update);
    lu_tensor_note notes[] = {{"game", game->id}, {"update", number}, {"reason", error->text}};
    lu_error problem;
    lu_status status = lu_tensors_write(f->entry, f->count, notes, sizeof notes / sizeof notes[0],
                                        &bytes, &length, &problem);
    if (status == LU_OK) {
        status = lu_file_write(path, bytes, length, &problem);
    }
    size_t end = strlen(error->text);
    snprintf(error->text + end, sizeof error->text - end, "; the batch %s %s",
             status == LU_OK ? "is saved in" : "could not be saved:",
             status == LU_OK ? path : problem.text);
    free(bytes);
    for (size_t i = 0; i < f->count; i++) {
        free(f->owned[i]);
    }
}
