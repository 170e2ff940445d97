/* What others ask of a trainer: where it is, and what it has. */
#include "trainer.h"

#include "ludus/hash.h"

#include <stdlib.h>

bool lu_trainer_done(const lu_trainer *trainer) {
    return trainer->updates >= trainer->updates_total;
}

int64_t lu_trainer_updates(const lu_trainer *trainer) {
    return trainer->updates;
}

int64_t lu_trainer_updates_total(const lu_trainer *trainer) {
    return trainer->updates_total;
}

int64_t lu_trainer_steps(const lu_trainer *trainer) {
    return trainer->steps;
}

int lu_trainer_batch(const lu_trainer *trainer) {
    return trainer->batch * trainer->parts;
}

int lu_trainer_rows(const lu_trainer *trainer) {
    return trainer->rows * trainer->parts;
}

int lu_trainer_threads(const lu_trainer *trainer) {
    return lu_pool_threads(trainer->pool);
}

const lu_rules *lu_trainer_rules(const lu_trainer *trainer) {
    return trainer->rules;
}

lu_net *lu_trainer_net(lu_trainer *trainer) {
    return trainer->net;
}

lu_vec *lu_trainer_vec(lu_trainer *trainer) {
    return trainer->vec;
}

const lu_normaliser *lu_trainer_normaliser(const lu_trainer *trainer) {
    return trainer->normaliser.length ? &trainer->normaliser : NULL;
}

const lu_normaliser *lu_trainer_critic_normaliser(const lu_trainer *trainer) {
    return trainer->critic_normaliser.length ? &trainer->critic_normaliser : NULL;
}

float *lu_trainer_win_rate(lu_trainer *trainer) {
    return trainer->win_rate;
}

double lu_trainer_return_scale(const lu_trainer *trainer) {
    return trainer->kind->return_scale(trainer);
}

uint64_t lu_trainer_hash(const lu_trainer *trainer) {
    train_call(trainer, CALL_HASH);
    uint64_t *part = lu_alloc_zero((size_t)trainer->parts, sizeof *part);
    for (int m = 0; m < trainer->mates; m++) {
        const lu_trainer *t = trainer->mate[m];
        uint64_t own = t->kind->hash_part ? t->kind->hash_part(t) : 0;
        part[t->part] = roster_hash(t, own) ^ lu_vec_hash(t->vec);
    }
    train_share(trainer, part, sizeof *part);
    uint64_t learned = trainer->kind->hash(trainer);
    uint64_t hash = lu_hash(part, (size_t)trainer->parts * sizeof *part, learned);
    free(part);
    return hash;
}
