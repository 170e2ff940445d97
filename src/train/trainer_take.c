/* Beginning with what was learned before: see lu_trainer_take. */
#include "trainer.h"

#include "ludus/win_rate.h"

#include <string.h>

static bool same_shape(const lu_net *a, const lu_net *b) {
    bool same = lu_net_kind_of(a) == lu_net_kind_of(b) && lu_net_tensors(a) == lu_net_tensors(b) &&
                lu_net_parameters(a) == lu_net_parameters(b) &&
                memcmp(lu_net_frames(a), lu_net_frames(b), sizeof(lu_frames)) == 0;
    for (int i = 0; same && i < lu_net_tensors(a); i++) {
        const lu_tensor *x = lu_net_tensor(a, i), *y = lu_net_tensor(b, i);
        same = strcmp(x->name, y->name) == 0 && x->rank == y->rank &&
               memcmp(x->shape, y->shape, sizeof x->shape) == 0;
    }
    return same;
}

static int length_of(const lu_normaliser *n) {
    return n ? n->length : 0;
}

static void copy(lu_normaliser *to, const lu_normaliser *from) {
    size_t length = (size_t)to->length;
    if (length > 0) {
        to->count = from->count;
        memcpy(to->mean, from->mean, length * sizeof *to->mean);
        memcpy(to->square, from->square, length * sizeof *to->square);
        lu_normaliser_freeze(to);
    }
}

lu_status lu_trainer_take(lu_trainer *t, const lu_learned *learned, lu_error *error) {
    size_t bytes = lu_net_parameters(t->net) * sizeof(float);
    if (!same_shape(t->net, learned->net)) {
        return lu_fail(
            error, LU_OTHER_SPEC,
            "its net has a different shape from net.* and %s: use the settings it was trained with",
            t->kind->module);
    }
    if (length_of(learned->normaliser) != t->normaliser.length ||
        length_of(learned->critic_normaliser) != t->critic_normaliser.length) {
        return lu_fail(error, LU_OTHER_SPEC,
                       "one of the two normalises observations and the other does not: set "
                       "%snormalise_observation as in its training",
                       t->kind->module);
    }
    memcpy(lu_net_block(t->net), lu_net_block(learned->net), bytes);
    lu_net_pack(t->net);
    memset(t->optimiser.first, 0, bytes);
    memset(t->optimiser.second, 0, bytes);
    t->optimiser.steps = 0;
    copy(&t->normaliser, learned->normaliser);
    copy(&t->critic_normaliser, learned->critic_normaliser);
    if (t->win_rate && learned->win_rate) {
        memcpy(t->win_rate, learned->win_rate, lu_win_rate_count(t->observation) * sizeof(float));
    }
    if (t->kind->taken) {
        t->kind->taken(t);
    }
    train_follow(t);
    train_call_take(t);
    return LU_OK;
}
