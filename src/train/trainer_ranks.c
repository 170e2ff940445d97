/* A training of several processes: rank 0 is asked what it is to do, as any trainer, and tells the
 * others, who follow (lu_trainer_follow). Each call is a number, and behind it what the call needs:
 * the bytes of a snapshot, the learned state, the members of a roster with the models that the
 * others have not got yet. */
#include "trainer.h"

#include "ludus/hash.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A model of an opponent that all processes have. */
typedef struct known_model {
    uint64_t key;        /* hash of its file */
    lu_model_file *file; /* of a follower */
} known_model;

struct train_known {
    int count;
    known_model model[LU_MAX_OPPONENTS];
};

/* One member on its way; `bytes` of its model follow where they are not known yet. */
typedef struct member_line {
    char name[LU_OPPONENT_NAME], bot[64];
    double share, greedy, delay, delayed;
    uint64_t id, key, bytes;
    uint8_t self, uniform, delays, none[5];
} member_line;

static bool tells(const lu_trainer *t) {
    return t->comm && t->comm->rank == 0;
}

static void spread(const lu_trainer *t, void *block, size_t bytes) {
    t->comm->spread(t->comm->context, block, bytes);
}

void train_call(const lu_trainer *t, train_order order) {
    int number = (int)order;
    if (tells(t)) {
        spread(t, &number, sizeof number);
    }
}

/* ---- snapshots and weights ---- */

void train_call_load(const lu_trainer *t, void *bytes, size_t length) {
    if (tells(t)) {
        uint64_t told = length;
        train_call(t, CALL_LOAD);
        spread(t, &told, sizeof told);
        spread(t, bytes, length);
    }
}

static lu_status follow_load(lu_trainer *t, lu_error *error) {
    uint64_t length;
    spread(t, &length, sizeof length);
    unsigned char *bytes = lu_alloc_zero((size_t)length + 1, 1);
    spread(t, bytes, (size_t)length);
    lu_status status = lu_trainer_load(t, bytes, (size_t)length, error);
    free(bytes);
    return status;
}

/* What rank 0 has learned, or taken over, is what all have. */
static void share_learned(lu_trainer *t) {
    walk size = {WALK_COUNT, NULL, 0};
    t->kind->walk(&size, t);
    unsigned char *bytes = lu_alloc_zero(size.bytes + 1, 1);
    if (tells(t)) {
        walk save = {WALK_SAVE, bytes, 0};
        t->kind->walk(&save, t);
    }
    spread(t, bytes, size.bytes);
    if (!tells(t)) {
        walk load = {WALK_LOAD, bytes, 0};
        t->kind->walk(&load, t);
        lu_net_pack(t->net);
        train_follow(t);
    }
    free(bytes);
}

void train_call_take(lu_trainer *t) {
    if (tells(t)) {
        train_call(t, CALL_TAKE);
        share_learned(t);
    }
}

static void follow_save(const lu_trainer *t) {
    void *bytes = lu_alloc_zero(lu_trainer_snapshot_bytes(t) + 1, 1);
    lu_trainer_save(t, bytes);
    free(bytes);
}

/* ---- members ---- */

static known_model *find_known(const train_known *known, uint64_t key) {
    for (int i = 0; known && i < known->count; i++) {
        if (known->model[i].key == key) {
            return (known_model *)&known->model[i];
        }
    }
    return NULL;
}

static void drop_known(train_known *known) {
    for (int i = 0; known && i < known->count; i++) {
        lu_model_file_delete(known->model[i].file);
    }
    free(known);
}

void train_ranks_drop(lu_trainer *t) {
    drop_known(t->known);
}

static member_line line_of(const lu_opponent *o) {
    member_line line = {.share = o->share,
                        .greedy = o->greedy,
                        .delay = o->delay,
                        .delayed = o->delayed,
                        .id = o->id,
                        .self = o->self,
                        .uniform = o->uniform,
                        .delays = o->delays};
    snprintf(line.name, sizeof line.name, "%s", o->name);
    snprintf(line.bot, sizeof line.bot, "%s", o->bot ? o->bot->name : "");
    return line;
}

/* Tells a member, with its model where that is new; keeps the model's key. */
static lu_status tell_member(lu_trainer *t, const lu_opponent *o, train_known *now,
                             lu_error *error) {
    member_line line = line_of(o);
    char *bytes = NULL;
    size_t length = 0;
    if (o->net && !o->self) {
        LU_TRY(lu_model_file_write(o->file, &bytes, &length, error));
        line.key = lu_hash(bytes, length, 1);
        line.bytes = find_known(t->known, line.key) || find_known(now, line.key) ? 0 : length;
        now->model[now->count++].key = line.key;
    }
    spread(t, &line, sizeof line);
    if (line.bytes > 0) {
        spread(t, bytes, length);
    }
    free(bytes);
    return LU_OK;
}

lu_status train_call_roster(lu_trainer *t, const lu_opponent *member, int count, lu_error *error) {
    if (!tells(t)) {
        return LU_OK;
    }
    for (int m = 0; m < count; m++) {
        if (member[m].net && !member[m].self && !member[m].file) {
            return lu_fail(error, LU_BAD_VALUE,
                           "opponent %s has no model file that other ranks could be given",
                           member[m].name);
        }
    }
    train_known *now = lu_alloc_zero(1, sizeof *now);
    train_call(t, CALL_ROSTER);
    spread(t, &count, sizeof count);
    lu_status status = LU_OK;
    for (int m = 0; m < count && status == LU_OK; m++) {
        status = tell_member(t, &member[m], now, error);
    }
    drop_known(t->known);
    t->known = now;
    return status;
}

static lu_status hear_member(lu_trainer *t, member_line *line, lu_opponent *o, train_known *now,
                             lu_error *error) {
    spread(t, line, sizeof *line);
    *o = (lu_opponent){.name = line->name,
                       .share = line->share,
                       .self = line->self,
                       .id = line->id,
                       .greedy = line->greedy,
                       .delay = line->delay,
                       .delayed = line->delayed,
                       .uniform = line->uniform,
                       .delays = line->delays};
    o->bot = *line->bot ? lu_game_bot(t->game, line->bot) : NULL;
    if (!line->key) {
        return LU_OK;
    }
    known_model *old = find_known(now, line->key);
    lu_model_file *file = old ? old->file : NULL;
    if (!file && (old = find_known(t->known, line->key)) != NULL) {
        file = old->file;
        old->file = NULL;
        now->model[now->count++] = (known_model){line->key, file};
    } else if (!file) {
        char *bytes = lu_alloc_zero(line->bytes + 1, 1);
        spread(t, bytes, line->bytes);
        file = lu_model_file_read(line->name, bytes, line->bytes, error);
        free(bytes);
        now->model[now->count++] = (known_model){line->key, file};
    }
    if (!file) {
        return error->status;
    }
    o->file = file;
    o->net = file->net;
    o->normaliser = file->observation.length ? &file->observation : NULL;
    return LU_OK;
}

static lu_status follow_roster(lu_trainer *t, lu_error *error) {
    int count;
    spread(t, &count, sizeof count);
    member_line *line = lu_alloc_zero((size_t)count + 1, sizeof *line);
    lu_opponent *member = lu_alloc_zero((size_t)count + 1, sizeof *member);
    train_known *now = lu_alloc_zero(1, sizeof *now);
    lu_status status = LU_OK;
    for (int m = 0; m < count && status == LU_OK; m++) {
        status = hear_member(t, &line[m], &member[m], now, error);
    }
    LU_THEN(status, lu_trainer_roster(t, member, count, error));
    free(t->names);
    t->names = line; /* the roster keeps names */
    drop_known(t->known);
    t->known = now;
    free(member);
    return status;
}

/* ---- following ---- */

void lu_trainer_follow(lu_trainer *t) {
    lu_error told;
    for (int order = CALL_NONE; t->comm && order != CALL_END;) {
        spread(t, &order, sizeof order);
        switch ((train_order)order) {
        case CALL_UPDATE:
            (void)lu_trainer_update(t, NULL, &told);
            break;
        case CALL_SAVE:
            follow_save(t);
            break;
        case CALL_LOAD:
            (void)follow_load(t, &t->trouble);
            break;
        case CALL_TAKE:
            share_learned(t);
            break;
        case CALL_ROSTER:
            (void)follow_roster(t, &t->trouble);
            break;
        case CALL_HASH:
            lu_trainer_hash(t);
            break;
        default:
            break;
        }
    }
}
