/* Exact resume: the list of everything that the next update depends on (trainer_kind.walk), walked
 * to count, to save and to load, behind a head that must agree. Bytes are those of this machine;
 * whoever puts them into a file checks it. */
#include "trainer.h"

#include "ludus/hash.h"

#include <string.h>

/* ---- pieces ---- */

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

/* ---- the head ---- */

/* What must agree before anything is read. */
typedef struct snapshot_head {
    char magic[8];
    uint64_t bytes, spec, rules, shape;
} snapshot_head;

/* Settings that may differ between the parts of a run. */
static const char *const free_names[] = {"threads", "steps", "save_failed"};

/* Settings that are left out at the value that turns them off: a snapshot is then that of a trainer
 * that does not know them. */
static const struct {
    const char *name, *off;
} silent_names[] = {
    {"opponents", ""},
    {"observation_clip", "10"},
    {"eps_greedy", "0"},
    {"novelty", "0"},
    {"observation_noise", ""},
    {"frames", "1"},
    {"heads", "independent"},
    {"head_hidden", ""},
    {"win_rate", "false"},
    {"parts", "1"},
    {"reward", ""},
    {"closed", ""},
};

static bool is_free(const char *name, const char *value) {
    for (size_t i = 0; i < sizeof free_names / sizeof free_names[0]; i++) {
        if (strcmp(name, free_names[i]) == 0) {
            return true;
        }
    }
    for (size_t i = 0; i < sizeof silent_names / sizeof silent_names[0]; i++) {
        if (strcmp(name, silent_names[i].name) == 0 && strcmp(value, silent_names[i].off) == 0) {
            return true;
        }
    }
    return false;
}

/* The hash of the rules has the weights of the end alone. */
static bool is_moving_weight(const lu_trainer *t, const lu_setting *row) {
    double constant;
    return strncmp(row->key, "reward.", 7) == 0 && row->type == LU_SCHEDULE &&
           lu_settings_is_set(t->settings, row->key) &&
           !lu_schedule_is_constant(lu_settings_schedule(t->settings, row->key), &constant);
}

/* Rows of self-play count where they differ from their defaults. */
static bool is_shared(const lu_setting *row, const char *value) {
    bool of_self_play =
        strncmp(row->key, "self_play.", 10) == 0 || strncmp(row->key, "league.", 7) == 0;
    bool of_net = strncmp(row->key, "net.", 4) == 0;
    return (of_net && !is_free(row->key + 4, value)) ||
           (of_self_play && strcmp(value, row->initial) != 0);
}

/* Hash of the values of all settings of the trainer's module, net.* and self-play, except free
 * ones, and of reward weights that move. */
static uint64_t shape_of(const lu_trainer *t) {
    uint64_t hash = lu_net_parameters(t->net), opponents = roster_shape(t);
    const char *module = t->kind->module;
    size_t length = strlen(module);
    for (size_t i = 0; i < lu_settings_rows(t->settings); i++) {
        const char *of;
        const lu_setting *row = lu_settings_row(t->settings, i, &of);
        const char *value = lu_settings_text_of(t->settings, row->key);
        bool mine = strncmp(row->key, module, length) == 0;
        if ((mine && !is_free(row->key + length, value)) || is_shared(row, value) ||
            is_moving_weight(t, row)) {
            hash = lu_hash_text(row->key, hash);
            for (size_t n = 1; n < lu_settings_count(t->settings, row->key); n++) {
                hash = lu_hash_text(lu_settings_nth(t->settings, row->key, n - 1), hash);
            }
            hash = lu_hash_text(value, hash); /* the last of them */
        }
    }
    return opponents ? lu_hash(&opponents, sizeof opponents, hash) : hash;
}

/* The walk changes a trainer only when it loads, and bytes only when it saves. */
static void *writable(const void *from) {
    union {
        const void *from;
        void *to;
    } same = {from};
    return same.to;
}

/* What a part has of its own, its environments left out: they come behind it. */
static void walk_one(walk *w, lu_trainer *t) {
    roster_walk_sides(w, t);
    if (t->kind->walk_part) {
        t->kind->walk_part(w, t);
    }
    frames_walk(w, t);
    roster_walk(w, t);
}

/* All parts take as many bytes. */
size_t train_part_bytes(const lu_trainer *t) {
    walk w = {WALK_COUNT, NULL, 0};
    walk_one(&w, writable(t));
    return w.bytes + lu_vec_snapshot_bytes(t->vec);
}

void train_part_save(const lu_trainer *mate, unsigned char *bytes) {
    walk w = {WALK_SAVE, bytes, 0};
    walk_one(&w, writable(mate));
    lu_vec_save(mate->vec, bytes + w.bytes);
}

lu_status train_part_load(lu_trainer *mate, const unsigned char *bytes, lu_error *error) {
    size_t of_vec = lu_vec_snapshot_bytes(mate->vec);
    LU_TRY(roster_check_sides(mate, bytes, error));
    LU_TRY(lu_vec_load(mate->vec, bytes + train_part_bytes(mate) - of_vec, of_vec, error));
    walk w = {WALK_LOAD, writable(bytes), 0};
    walk_one(&w, mate);
    return LU_OK;
}

static size_t learned_bytes(const lu_trainer *t) {
    walk w = {WALK_COUNT, NULL, 0};
    t->kind->walk(&w, writable(t));
    return w.bytes;
}

/* Where part p begins: behind the head and what is learned. */
static size_t part_at(const lu_trainer *t, int part) {
    return sizeof(snapshot_head) + learned_bytes(t) + (size_t)part * train_part_bytes(t);
}

static snapshot_head head_of(const lu_trainer *t) {
    snapshot_head head = {.bytes = lu_trainer_snapshot_bytes(t),
                          .spec = t->rules->spec,
                          .rules = t->rules->hash,
                          .shape = shape_of(t)};
    memcpy(head.magic, t->kind->magic, sizeof head.magic);
    return head;
}

static lu_status check(const lu_trainer *t, const void *bytes, size_t length, lu_error *error) {
    snapshot_head head, mine = head_of(t);
    const char *module = t->kind->module;
    size_t name = sizeof head.magic - 1; /* the last letter is the number of the form */
    if (length >= sizeof head && memcmp(bytes, mine.magic, name) == 0 &&
        ((const char *)bytes)[name] < mine.magic[name]) {
        return lu_fail(error, LU_OTHER_SPEC,
                       "this training was started by an older version that sums gradients in "
                       "another order, so it cannot resume bit for bit here: start a new one from "
                       "its weights (--load); its models and replays still work");
    }
    if (length < sizeof head || memcmp(bytes, mine.magic, sizeof head.magic) != 0) {
        return lu_fail(error, LU_FOREIGN_FILE, "these %zu bytes are not a trainer snapshot",
                       length);
    }
    memcpy(&head, bytes, sizeof head);
    if (head.spec != mine.spec || head.rules != mine.rules) {
        return lu_fail(error, LU_OTHER_SPEC,
                       "the snapshot was made with other rules or settings of %s: resume with the "
                       "same",
                       t->game->id);
    }
    if (head.shape != mine.shape) {
        return lu_fail(error, LU_OTHER_SPEC,
                       "the snapshot was made with other settings %s* or net.*%s: resume with "
                       "the same (only %sthreads and %ssteps may change)",
                       module, roster_shape(t) ? ", or with other opponents" : "", module, module);
    }
    if (head.bytes != mine.bytes || length != mine.bytes) {
        return lu_fail(error, LU_DAMAGED_FILE, "the snapshot has %zu bytes where %llu are needed",
                       length, (unsigned long long)mine.bytes);
    }
    for (int p = 0; p < t->parts; p++) {
        LU_TRY(roster_check_sides(t, (const unsigned char *)bytes + part_at(t, p), error));
    }
    return LU_OK;
}

/* ---- the whole ---- */

size_t lu_trainer_snapshot_bytes(const lu_trainer *t) {
    return part_at(t, t->parts);
}

void lu_trainer_save(const lu_trainer *t, void *bytes) {
    train_call(t, CALL_SAVE);
    snapshot_head head = head_of(t);
    memcpy(bytes, &head, sizeof head);
    walk learned = {WALK_SAVE, bytes, sizeof head};
    t->kind->walk(&learned, writable(t));
    for (int m = 0; m < t->mates; m++) {
        train_part_save(t->mate[m], (unsigned char *)bytes + part_at(t, t->part + m));
    }
    train_share(t, (unsigned char *)bytes + learned.bytes, train_part_bytes(t));
}

lu_status lu_trainer_load(lu_trainer *t, const void *bytes, size_t length, lu_error *error) {
    LU_TRY(check(t, bytes, length, error));
    train_call_load(t, writable(bytes), length);
    /* the environments first: they refuse before anything of the trainer has changed */
    size_t of_vec = lu_vec_snapshot_bytes(t->vec);
    for (int m = 0; m < t->mates; m++) {
        size_t behind = part_at(t, t->part + m + 1) - of_vec;
        LU_TRY(lu_vec_load(t->mate[m]->vec, (const unsigned char *)bytes + behind, of_vec, error));
    }
    walk w = {WALK_LOAD, writable(bytes), sizeof(snapshot_head)};
    t->kind->walk(&w, t);
    for (int m = 0; m < t->mates; m++) {
        walk own = {WALK_LOAD, writable(bytes), part_at(t, t->part + m)};
        walk_one(&own, t->mate[m]);
    }
    lu_net_pack(t->net);
    if (t->kind->loaded) {
        t->kind->loaded(t);
    }
    train_follow(t);
    return LU_OK;
}
