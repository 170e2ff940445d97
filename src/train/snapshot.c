/* Exact resume: one list of everything that the next update depends on, walked to count, to save
 * and to load. Bytes are those of this machine; whoever puts them into a file checks it. */
#include "inside.h"

#include "ludus/hash.h"

#include <stdlib.h>
#include <string.h>

/* What must agree before anything is read. */
typedef struct snapshot_head {
    char magic[8];
    uint64_t bytes, spec, model, shape;
} snapshot_head;

#define SNAPSHOT_MAGIC "LUTRAIN1"

typedef enum walk_kind { WALK_COUNT, WALK_SAVE, WALK_LOAD } walk_kind;
typedef struct walk {
    walk_kind kind;
    unsigned char *at; /* NULL while counting */
    size_t bytes;
} walk;

static void piece(walk *w, void *data, size_t bytes) {
    if (w->kind == WALK_SAVE && bytes) {
        memcpy(w->at + w->bytes, data, bytes);
    } else if (w->kind == WALK_LOAD && bytes) {
        memcpy(data, w->at + w->bytes, bytes);
    }
    w->bytes += bytes;
}

static void walk_normaliser(walk *w, lu_normaliser *n) {
    size_t length = (size_t)n->length;
    piece(w, &n->count, sizeof n->count);
    piece(w, n->mean, length * sizeof *n->mean);
    piece(w, n->square, length * sizeof *n->square);
    piece(w, n->shift, length * sizeof *n->shift);
    piece(w, n->scale, length * sizeof *n->scale);
}

static void walk_all(walk *w, lu_train *t) {
    size_t parameters = lu_net_parameters(t->net) * sizeof(float), rows = (size_t)t->rows;
    size_t full = (size_t)t->full, last = (size_t)t->config.horizon;
    piece(w, &t->updates, sizeof t->updates);
    piece(w, &t->steps, sizeof t->steps);
    piece(w, &t->window, sizeof t->window);
    piece(w, lu_net_block(t->net), parameters);
    piece(w, &t->optimiser.steps, sizeof t->optimiser.steps);
    piece(w, t->optimiser.first, parameters);
    piece(w, t->optimiser.second, parameters);
    walk_normaliser(w, &t->normaliser);
    walk_normaliser(w, &t->critic_normaliser);
    piece(w, &t->return_count, sizeof t->return_count);
    piece(w, &t->return_mean, sizeof t->return_mean);
    piece(w, &t->return_square, sizeof t->return_square);
    piece(w, &t->return_scale, sizeof t->return_scale);
    piece(w, t->rng, rows * sizeof *t->rng);
    piece(w, t->now, rows * t->memory * sizeof *t->now);
    piece(w, t->returns, rows * sizeof *t->returns);
    piece(w, t->lengths, rows * sizeof *t->lengths);
    piece(w, t->discounted, rows * sizeof *t->discounted);
    /* what the next rollout begins with */
    piece(w, train_slot(t, t->config.horizon), full * (size_t)t->observation * sizeof(float));
    piece(w, train_critic_slot(t, t->config.horizon), full * (size_t)t->critic * sizeof(float));
    piece(w, t->batch.flags + last * rows, rows);
    piece(w, t->scratch.mask, full * (size_t)t->mask);
    piece(w, t->scratch.to_move, (size_t)t->config.environments);
}

/* Settings that may differ between the parts of a run. */
static bool is_free(const char *key) {
    return strcmp(key, "train.threads") == 0 || strcmp(key, "train.steps") == 0 ||
           strcmp(key, "train.save_failed") == 0;
}

static uint64_t shape_of(const lu_train *t) {
    uint64_t hash = lu_net_parameters(t->net);
    for (size_t i = 0; i < lu_settings_rows(t->settings); i++) {
        const char *module, *key = lu_settings_row(t->settings, i, &module)->key;
        if ((strncmp(key, "train.", 6) == 0 || strncmp(key, "net.", 4) == 0) && !is_free(key)) {
            hash = lu_hash_text(lu_settings_text_of(t->settings, key), lu_hash_text(key, hash));
        }
    }
    return hash;
}

static snapshot_head head_of(const lu_train *t) {
    snapshot_head head = {.bytes = lu_train_snapshot_bytes(t),
                          .spec = t->model->spec,
                          .model = t->model->hash,
                          .shape = shape_of(t)};
    memcpy(head.magic, SNAPSHOT_MAGIC, sizeof head.magic);
    return head;
}

/* The walk changes a trainer only when it loads. */
static lu_train *writable(const lu_train *train) {
    union {
        const lu_train *from;
        lu_train *to;
    } same = {train};
    return same.to;
}

size_t lu_train_snapshot_bytes(const lu_train *train) {
    walk w = {WALK_COUNT, NULL, 0};
    walk_all(&w, writable(train));
    return sizeof(snapshot_head) + w.bytes + lu_vec_snapshot_bytes(train->vec);
}

void lu_train_save(const lu_train *train, void *bytes) {
    snapshot_head head = head_of(train);
    memcpy(bytes, &head, sizeof head);
    walk w = {WALK_SAVE, bytes, sizeof head};
    walk_all(&w, writable(train));
    lu_vec_save(train->vec, (unsigned char *)bytes + w.bytes);
}

lu_status lu_train_load(lu_train *train, const void *bytes, size_t length, lu_error *error) {
    snapshot_head head, mine = head_of(train);
    if (length < sizeof head || memcmp(bytes, SNAPSHOT_MAGIC, sizeof head.magic) != 0) {
        return lu_fail(error, LU_FOREIGN_FILE, "these %zu bytes are no snapshot of a trainer",
                       length);
    }
    memcpy(&head, bytes, sizeof head);
    if (head.spec != mine.spec || head.model != mine.model) {
        return lu_fail(error, LU_OTHER_SPEC,
                       "the snapshot was made with other rules or settings of %s: resume with the "
                       "same",
                       train->game->id);
    }
    if (head.shape != mine.shape) {
        return lu_fail(error, LU_OTHER_SPEC,
                       "the snapshot was made with other settings train.* or net.*: resume with "
                       "the same (only train.threads and train.steps may change)");
    }
    if (head.bytes != mine.bytes || length != mine.bytes) {
        return lu_fail(error, LU_DAMAGED_FILE, "the snapshot has %zu bytes where %llu are needed",
                       length, (unsigned long long)mine.bytes);
    }
    /* the environments first: they refuse before anything of the trainer has changed */
    size_t behind = length - lu_vec_snapshot_bytes(train->vec);
    const unsigned char *in = bytes;
    lu_status status = lu_vec_load(train->vec, in + behind, length - behind, error);
    if (status != LU_OK) {
        return status;
    }
    union {
        const unsigned char *from;
        unsigned char *to;
    } same = {in};
    walk w = {WALK_LOAD, same.to, sizeof head};
    walk_all(&w, train);
    lu_net_pack(train->net);
    return LU_OK;
}
