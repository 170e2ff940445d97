/* Opponents: the seats that do not learn (slots), who sits there, and what they do. See algorithm.h
 * for the rules. A slot has a generator and a memory of its own; a shard's slots are played by the
 * thread that plays the shard, members one after the other, so that a net sees all its rows at
 * once. */
#include "ppo_internal.h"

#include "ludus/hash.h"

#include <stdlib.h>
#include <string.h>

/* ---- sizes and memory ---- */

/* Environments in which every seat learns: at least one is left to others. */
static int self_environments(const ppo_trainer *t) {
    int environments = t->base.environments;
    double share = t->config.self_share;
    int own = (int)(share * (double)environments + 0.5);
    return share < 1.0 ? at_most(own, environments - 1) : environments;
}

lu_status roster_plan(ppo_trainer *t, lu_error *error) {
    ppo_roster *o = &t->roster;
    lu_trainer *b = &t->base;
    o->from = self_environments(t);
    o->environments = b->environments - o->from;
    o->others = b->learners - 1;
    o->slots = o->environments * o->others;
    if (o->environments > 0 && o->others == 0) {
        return lu_fail(error, LU_BAD_VALUE,
                       "%s has one seat to play under these settings, which leaves none to "
                       "opponents: leave 'train.opponents' empty",
                       b->game->id);
    }
    b->rows = o->from * b->learners + o->environments;
    return LU_OK;
}

void roster_lay(ppo_trainer *t, train_taker *k) {
    ppo_roster *o = &t->roster;
    size_t environments = (size_t)o->environments, slots = (size_t)o->slots;
    TRAIN_TAKE(k, o->row, environments);
    TRAIN_TAKE(k, o->draw, environments);
    TRAIN_TAKE(k, o->full, slots);
    TRAIN_TAKE(k, o->rng, slots);
    TRAIN_TAKE(k, o->who, slots);
}

/* Rows of the seats that learn are known. */
void roster_start(ppo_trainer *t) {
    ppo_roster *o = &t->roster;
    const lu_trainer *b = &t->base;
    for (int row = 0; row < b->rows; row++) {
        if (t->row_env[row] >= o->from) {
            o->row[t->row_env[row] - o->from] = row;
            t->base.learns[t->row_env[row]] = (uint8_t)(1u << t->row_seat[row]);
        }
    }
    for (int e = 0, slot = 0; e < o->environments; e++) {
        o->draw[e] = lu_rng_from(lu_mix(b->seed, 5, (uint64_t)(o->from + e)));
        for (int l = 0; l < b->learners; l++) {
            if (b->learner[l] != t->row_seat[o->row[e]]) {
                o->rng[slot] = lu_rng_from(lu_mix(b->seed, 6, (uint64_t)slot));
                o->full[slot++] = (o->from + e) * b->seats + b->learner[l];
            }
        }
    }
}

static void drop_members(ppo_trainer *t) {
    ppo_roster *o = &t->roster;
    for (int i = 0; i < o->members * t->base.workers; i++) {
        lu_net_work_delete(o->work[i]);
    }
    free(o->work);
    free(o->memory);
    free(o->block);
    free(o->met);
    o->members = 0;
}

void roster_drop(ppo_trainer *t) {
    drop_members(t);
}

/* ---- draws ---- */

static unsigned char *memory_of(const ppo_roster *o, int slot) {
    return o->memory + (size_t)slot * o->memory_bytes;
}

/* Players of the next episode of an environment, counted from the first with opponents. */
static void seat_players(ppo_roster *o, int environment) {
    for (int slot = environment * o->others; slot < (environment + 1) * o->others; slot++) {
        double x = lu_rng_unit(&o->draw[environment]);
        int member = 0;
        while (member + 1 < o->members && x >= o->upto[member]) {
            member++;
        }
        o->who[slot] = member;
        memset(memory_of(o, slot), 0, o->memory_bytes);
    }
}

/* ---- members ---- */

static lu_status check_members(const ppo_trainer *t, const lu_opponent *member, int count,
                               lu_error *error) {
    if (t->roster.slots == 0) {
        return lu_fail(error, LU_BAD_VALUE,
                       "'train.opponents' leaves no seat to opponents: name them there");
    }
    if (count < 1 || count > LU_MAX_OPPONENTS) {
        return lu_fail(error, LU_BAD_VALUE, "a roster has 1 to %d members, not %d",
                       LU_MAX_OPPONENTS, count);
    }
    for (int m = 0; m < count; m++) {
        if (!(member[m].share > 0.0)) {
            return lu_fail(error, LU_BAD_VALUE, "the share of opponent %s must be above 0",
                           member[m].name);
        }
        if (member[m].net && lu_net_game(member[m].net) != t->base.game) {
            return lu_fail(error, LU_OTHER_SPEC, "the net of opponent %s is not one for %s",
                           member[m].name, t->base.game->id);
        }
    }
    return LU_OK;
}

/* What must be the same after a resume. */
static uint64_t members_hash(const ppo_roster *o) {
    uint64_t hash = (uint64_t)o->members;
    for (int m = 0; m < o->members; m++) {
        const lu_opponent *who = &o->member[m];
        const char *kind = who->bot ? who->bot->name : who->self ? "self" : "";
        hash = lu_hash(&who->share, sizeof who->share, lu_hash_text(kind, hash));
        if (who->net && !who->self) {
            hash =
                lu_hash(lu_net_block(who->net), lu_net_parameters(who->net) * sizeof(float), hash);
        }
    }
    return hash;
}

static void make_room(ppo_trainer *t) {
    ppo_roster *o = &t->roster;
    size_t workers = (size_t)t->base.workers, members = (size_t)o->members;
    o->work = lu_alloc_zero(members * workers, sizeof *o->work);
    o->met = lu_alloc_zero((size_t)t->base.shards * members, sizeof *o->met);
    o->memory_bytes = o->block_floats = 0;
    for (size_t m = 0; m < members; m++) {
        const lu_opponent *who = &o->member[m];
        size_t floats = who->net ? lu_net_memory_floats(who->net) : 0;
        size_t bytes = who->bot ? (size_t)who->bot->memory_bytes : floats * sizeof(float);
        bytes = (bytes + 15) / 16 * 16;
        o->memory_bytes = bytes > o->memory_bytes ? bytes : o->memory_bytes;
        o->block_floats = floats > o->block_floats ? floats : o->block_floats;
        for (size_t w = 0; who->net && w < workers; w++) {
            o->work[w * members + m] = lu_net_work_new(who->net, LU_BLOCK_ROWS);
        }
    }
    o->memory = lu_alloc_zero((size_t)o->slots * o->memory_bytes + 1, 1);
    o->block = lu_alloc_zero(workers * LU_BLOCK_ROWS * o->block_floats + 1, sizeof *o->block);
}

lu_status roster_seat(lu_trainer *trainer, const lu_opponent *member, int count, lu_error *error) {
    ppo_trainer *t = ppo_of(trainer);
    ppo_roster *o = &t->roster;
    LU_TRY(check_members(t, member, count, error));
    drop_members(t);
    double sum = 0.0, upto = 0.0;
    for (int m = 0; m < count; m++) {
        sum += member[m].share;
    }
    for (int m = 0; m < count; m++) {
        upto += member[m].share / sum;
        o->upto[m] = upto;
        o->member[m] = member[m];
        if (member[m].self) {
            o->member[m].net = trainer->net;
            o->member[m].normaliser = lu_trainer_normaliser(trainer);
        }
    }
    o->members = count;
    make_room(t);
    for (int e = 0; e < o->environments; e++) {
        seat_players(o, e);
    }
    trainer->more_shape = members_hash(o);
    return LU_OK;
}

lu_opponent_result lu_trainer_result(const lu_trainer *trainer, int member) {
    const ppo_roster *o = trainer->kind->roster ? &ppo_of_const(trainer)->roster : NULL;
    roster_met sum = {0};
    for (int i = 0; o && member < o->members && i < trainer->shards; i++) {
        train_add(&sum, &o->met[i * o->members + member], sizeof sum);
    }
    return (lu_opponent_result){(int64_t)sum.episodes,
                                sum.episodes > 0.0 ? sum.returns / sum.episodes : 0.0};
}

/* ---- playing ---- */

static ppo_range slots_of(const ppo_roster *o, const ppo_shard *s) {
    int from = at_least(s->base->first, o->from);
    int to = at_least(s->base->first + s->base->count, from);
    return (ppo_range){(from - o->from) * o->others, (to - o->from) * o->others};
}

static bool slot_waits(const ppo_trainer *t, int slot) {
    int full = t->roster.full[slot], seats = t->base.seats;
    return t->turns && !(t->to_move[full / seats] >> full % seats & 1);
}

/* A bot: the platform's where the member names none. */
static void act_alone(ppo_trainer *t, const lu_opponent *who, int slot, int step) {
    ppo_roster *o = &t->roster;
    const lu_trainer *b = &t->base;
    const lu_bot *bot = who->bot ? who->bot : &lu_bot_random;
    size_t full = (size_t)o->full[slot];
    lu_seat_view view = {
        .rules = b->rules,
        .state = lu_vec_state(b->vec, (int)(full / (size_t)b->seats)),
        .seat = (int)(full % (size_t)b->seats),
        .observation = ppo_slot(t, step) + full * (size_t)b->observation,
        .mask = b->scratch.mask + full * (size_t)b->mask,
        .memory = bot->memory_bytes > 0 ? memory_of(o, slot) : NULL,
        .rng = &o->rng[slot],
    };
    lu_bot_act(b->game, bot, &view, b->scratch.actions + full * (size_t)b->heads);
}

static lu_status choose_slot(ppo_trainer *t, ppo_worker *w, const lu_opponent *who, int slot,
                             const float *logits, lu_error *error) {
    ppo_roster *o = &t->roster;
    const lu_trainer *b = &t->base;
    size_t full = (size_t)o->full[slot];
    uint8_t seat = (uint8_t)(full % (size_t)b->seats);
    const void *state = lu_vec_state(b->vec, (int)(full / (size_t)b->seats));
    lu_policy_act call = {
        .rows = 1,
        .logits = logits,
        .logits_stride = b->logits_stride,
        .mask = b->scratch.mask + full * (size_t)b->mask,
        .mask_stride = (size_t)b->mask,
        .state = t->submask ? &state : NULL,
        .seat = &seat,
        .rng = &o->rng[slot],
        .greedy = lu_net_kind_of(who->net) == LU_NET_Q,
        .actions = b->scratch.actions + full * (size_t)b->heads,
        .actions_stride = (size_t)b->heads,
        .legal = w->legal,
        .legal_stride = (size_t)b->mask,
    };
    lu_error failed;
    lu_status status = lu_policy_choose(&b->policy, &call, &failed);
    return status == LU_OK ? LU_OK
                           : lu_fail(error, LU_BAD_DATA, "opponent %s: %s", who->name, failed.text);
}

/* All rows of a net at once: its memory moves with every step, as that of a learner does. */
static lu_status act_together(ppo_trainer *t, ppo_worker *w, int member, const int *slot, int rows,
                              int step, lu_error *error) {
    ppo_roster *o = &t->roster;
    const lu_opponent *who = &o->member[member];
    size_t n = (size_t)t->base.observation, worker = (size_t)(w - t->worker);
    size_t bytes = lu_net_memory_floats(who->net) * sizeof(float);
    float *memory = o->block + worker * LU_BLOCK_ROWS * o->block_floats;
    for (int r = 0; r < rows; r++) {
        memcpy(w->last + (size_t)r * n, ppo_slot(t, step) + (size_t)o->full[slot[r]] * n,
               n * sizeof(float));
        memcpy((char *)memory + (size_t)r * bytes, memory_of(o, slot[r]), bytes);
    }
    lu_net_infer call = {
        .rows = rows,
        .observation = w->last,
        .observation_stride = n,
        .normaliser = who->normaliser,
        .memory = bytes ? memory : NULL,
        .logits = w->logits,
        .logits_stride = t->base.logits_stride,
    };
    lu_net_run(who->net, o->work[worker * (size_t)o->members + (size_t)member], &call);
    lu_status status = LU_OK;
    for (int r = 0; r < rows && status == LU_OK; r++) {
        memcpy(memory_of(o, slot[r]), (char *)memory + (size_t)r * bytes, bytes);
        if (!slot_waits(t, slot[r])) {
            status = choose_slot(t, w, who, slot[r], w->logits + (size_t)r * t->base.logits_stride,
                                 error);
        }
    }
    return status;
}

lu_status roster_act(ppo_trainer *t, ppo_worker *w, const ppo_shard *s, int step, lu_error *error) {
    ppo_roster *o = &t->roster;
    ppo_range range = slots_of(o, s);
    lu_status status = LU_OK;
    for (int m = 0; m < o->members && status == LU_OK; m++) {
        int together[LU_BLOCK_ROWS], rows = 0;
        for (int slot = range.from; slot < range.to; slot++) {
            if (o->who[slot] != m) {
                continue;
            }
            if (o->member[m].net) {
                together[rows++] = slot;
            } else if (!slot_waits(t, slot)) {
                act_alone(t, &o->member[m], slot, step);
            }
        }
        if (rows > 0) {
            status = act_together(t, w, m, together, rows, step, error);
        }
    }
    return status;
}

void roster_begin(ppo_trainer *t, int shard) {
    ppo_roster *o = &t->roster;
    if (o->members > 0) {
        memset(o->met + shard * o->members, 0, (size_t)o->members * sizeof *o->met);
    }
}

void roster_note(ppo_trainer *t, int shard, int step) {
    ppo_roster *o = &t->roster;
    const lu_trainer *b = &t->base;
    ppo_range range = slots_of(o, &t->shard[shard]);
    for (int slot = range.from; slot < range.to; slot += o->others) {
        int e = slot / o->others;
        if (!(b->scratch.terminated[o->from + e] | b->scratch.truncated[o->from + e])) {
            continue;
        }
        const float *final = b->scratch.finals + (size_t)step * (size_t)b->rows;
        for (int i = slot; i < slot + o->others; i++) {
            roster_met *met = &o->met[shard * o->members + o->who[i]];
            met->episodes += 1.0;
            met->returns += (double) final[o->row[e]];
        }
        seat_players(o, e);
    }
}

/* ---- resume ---- */

void roster_walk(walk *w, ppo_trainer *t) {
    ppo_roster *o = &t->roster;
    size_t slots = (size_t)o->slots;
    walk_piece(w, o->draw, (size_t)o->environments * sizeof *o->draw);
    walk_piece(w, o->rng, slots * sizeof *o->rng);
    walk_piece(w, o->who, slots * sizeof *o->who);
    walk_piece(w, o->memory, slots * o->memory_bytes);
}

uint64_t roster_hash(const ppo_trainer *t, uint64_t hash) {
    const ppo_roster *o = &t->roster;
    size_t slots = (size_t)o->slots;
    if (slots > 0) {
        hash = lu_hash(o->draw, (size_t)o->environments * sizeof *o->draw, hash);
        hash = lu_hash(o->rng, slots * sizeof *o->rng, hash);
        hash = lu_hash(o->who, slots * sizeof *o->who, hash);
        hash = lu_hash(o->memory, slots * o->memory_bytes, hash);
    }
    return hash;
}
