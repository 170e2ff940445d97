/* An update in two halves that may run in two processes: see trainer_halves.h. Both blocks of bytes
 * are lists that the kind of trainer walks, behind a head that must agree. */
#include "ludus/trainer_halves.h"

#include "trainer.h"

#include <string.h>

typedef struct half_head {
    char magic[8];
    uint64_t bytes, rules, parameters;
    int64_t update; /* the one that is to come */
    int64_t part;   /* of weights -1 */
} half_head;

static const char magic[8] = "LUHALF_1";

/* ---- halves ---- */

static lu_status check_halves(const lu_trainer *t, lu_error *error) {
    return t->kind->collect ? LU_OK
                            : lu_fail(error, LU_BAD_VALUE,
                                      "a trainer of %s* alternates playing and learning many times "
                                      "per update: only ppo has halves",
                                      t->kind->module);
}

lu_status lu_trainer_collect(lu_trainer *t, lu_error *error) {
    LU_TRY(check_halves(t, error));
    return train_collect(t, error);
}

lu_status lu_trainer_learn(lu_trainer *t, lu_progress *progress, lu_error *error) {
    lu_progress unwanted;
    LU_TRY(check_halves(t, error));
    if (t->partial) {
        return lu_fail(
            error, LU_BAD_VALUE,
            "this trainer has %d of %d parts, and plays alone: all of them learn together",
            t->mates, t->parts);
    }
    for (int m = 0; m < t->mates; m++) {
        if (!t->collected && !t->mate[m]->collected) {
            return lu_fail(error, LU_BAD_VALUE,
                           "there is no batch of part %d for update %lld: collect or load it first",
                           t->part + m, (long long)t->updates + 1);
        }
    }
    lu_status status = train_learn(t, progress ? progress : &unwanted, error);
    for (int m = 0; m < t->mates; m++) {
        t->mate[m]->collected = false;
    }
    return status;
}

/* ---- bytes ---- */

static lu_trainer *writable(const lu_trainer *from) {
    union {
        const lu_trainer *from;
        lu_trainer *to;
    } same = {from};
    return same.to;
}

typedef void walk_list(walk *w, lu_trainer *trainer);

static size_t bytes_of(const lu_trainer *t, walk_list *list) {
    walk w = {WALK_COUNT, NULL, sizeof(half_head)};
    if (list) {
        list(&w, writable(t));
    }
    return w.bytes;
}

static half_head head_of(const lu_trainer *t, size_t bytes, int part) {
    half_head head = {.bytes = bytes,
                      .rules = t->rules->hash,
                      .parameters = lu_net_parameters(t->net),
                      .update = t->head->updates,
                      .part = part};
    memcpy(head.magic, magic, sizeof magic);
    return head;
}

static void save(const lu_trainer *t, walk_list *list, int part, void *bytes) {
    half_head head = head_of(t, bytes_of(t, list), part);
    walk w = {WALK_SAVE, bytes, sizeof head};
    memcpy(bytes, &head, sizeof head);
    list(&w, writable(t));
}

static lu_status check(const lu_trainer *t, const char *what, size_t need, int part,
                       const void *bytes, size_t length, lu_error *error) {
    half_head mine = head_of(t, need, part), head;
    if (length < sizeof head || memcmp(bytes, magic, sizeof magic) != 0) {
        return lu_fail(error, LU_FOREIGN_FILE, "these %zu bytes aren't a %s of a trainer", length,
                       what);
    }
    memcpy(&head, bytes, sizeof head);
    if (head.rules != mine.rules || head.parameters != mine.parameters || head.part != mine.part) {
        return lu_fail(error, LU_OTHER_SPEC,
                       "the %s is of another part, or of a trainer with other settings", what);
    }
    if (head.bytes != mine.bytes || length != mine.bytes) {
        return lu_fail(error, LU_DAMAGED_FILE, "the %s has %zu bytes where %llu are needed", what,
                       length, (unsigned long long)mine.bytes);
    }
    return LU_OK;
}

/* The mate that has a part; NULL with an error where it is another's. */
static lu_trainer *mate_of(lu_trainer *t, int part, lu_error *error) {
    if (part < t->part || part >= t->part + t->mates) {
        lu_fail(error, LU_BAD_VALUE, "part %d is not one of this trainer's: %d to %d", part,
                t->part, t->part + t->mates - 1);
        return NULL;
    }
    return t->mate[part - t->part];
}

/* The bytes are only read while loading. */
static walk load_walk(const void *bytes) {
    union {
        const void *from;
        unsigned char *to;
    } same = {bytes};
    return (walk){WALK_LOAD, same.to, sizeof(half_head)};
}

int lu_trainer_parts(const lu_trainer *t, int *first) {
    *first = t->part;
    return t->mates;
}

size_t lu_trainer_batch_bytes(const lu_trainer *t) {
    return bytes_of(t, t->kind->walk_batch);
}

void lu_trainer_batch_save(const lu_trainer *t, int part, void *bytes) {
    LU_ASSERT(t->kind->walk_batch && part >= t->part && part < t->part + t->mates);
    save(t->mate[part - t->part], t->kind->walk_batch, part, bytes);
}

lu_status lu_trainer_batch_load(lu_trainer *t, int part, const void *bytes, size_t length,
                                lu_error *error) {
    half_head head;
    LU_TRY(check_halves(t, error));
    lu_trainer *mate = mate_of(t, part, error);
    if (!mate) {
        return error->status;
    }
    LU_TRY(check(mate, "batch", lu_trainer_batch_bytes(mate), part, bytes, length, error));
    memcpy(&head, bytes, sizeof head);
    if (head.update != t->updates) {
        return lu_fail(error, LU_OTHER_SPEC,
                       "the batch was played for update %lld, and %lld is to be learned",
                       (long long)head.update + 1, (long long)t->updates + 1);
    }
    LU_TRY(train_begin(t, error)); /* which clears the sums that the batch brings */
    walk w = load_walk(bytes);
    t->kind->walk_batch(&w, mate);
    mate->collected = true;
    return LU_OK;
}

size_t lu_trainer_place_bytes(const lu_trainer *t) {
    return sizeof(half_head) + train_part_bytes(t);
}

void lu_trainer_place_save(const lu_trainer *t, int part, void *bytes) {
    LU_ASSERT(part >= t->part && part < t->part + t->mates);
    half_head head = head_of(t, lu_trainer_place_bytes(t), part);
    memcpy(bytes, &head, sizeof head);
    train_part_save(t->mate[part - t->part], (unsigned char *)bytes + sizeof head);
}

lu_status lu_trainer_place_load(lu_trainer *t, int part, const void *bytes, size_t length,
                                lu_error *error) {
    LU_TRY(check_halves(t, error));
    lu_trainer *mate = mate_of(t, part, error);
    if (!mate) {
        return error->status;
    }
    LU_TRY(check(mate, "place", lu_trainer_place_bytes(t), part, bytes, length, error));
    return train_part_load(mate, (const unsigned char *)bytes + sizeof(half_head), error);
}

size_t lu_trainer_weights_bytes(const lu_trainer *t) {
    return bytes_of(t, t->kind->walk_weights);
}

void lu_trainer_weights_save(const lu_trainer *t, void *bytes) {
    LU_ASSERT(t->kind->walk_weights);
    save(t, t->kind->walk_weights, -1, bytes);
}

lu_status lu_trainer_weights_load(lu_trainer *t, const void *bytes, size_t length,
                                  lu_error *error) {
    LU_TRY(check_halves(t, error));
    LU_TRY(check(t, "block of weights", lu_trainer_weights_bytes(t), -1, bytes, length, error));
    walk w = load_walk(bytes);
    t->kind->walk_weights(&w, t);
    lu_net_pack(t->net);
    t->begun = t->collected = false;
    train_follow(t);
    return LU_OK;
}
