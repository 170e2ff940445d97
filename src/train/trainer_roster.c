/* Opponents: the seats that do not learn (slots), who sits there, and what they do. See algorithm.h
 * for the rules. A slot has a generator and a memory of its own; a shard's slots are played by the
 * thread that plays the shard, members one after the other, so that a net sees all its rows at
 * once. */
#include "trainer.h"

#include "ludus/hash.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- settings, sizes, memory ---- */

/* Only the share of `self` counts here: the other names are for whoever fills the roster. */
lu_status roster_read(lu_trainer *t, lu_error *error) {
    char key[64];
    snprintf(key, sizeof key, "%sopponents", t->kind->module);
    lu_opponent_share list[LU_MAX_OPPONENTS];
    int count;
    LU_TRY(
        lu_opponent_shares_read(key, lu_settings_text_of(t->settings, key), list, &count, error));
    double own = 0.0, all = 0.0;
    for (int i = 0; i < count; i++) {
        own += strcmp(list[i].name, "self") == 0 ? list[i].share : 0.0;
        all += list[i].share;
    }
    t->roster.self_share = count > 0 ? own / all : 1.0;
    return LU_OK;
}

/* Environments in which every seat learns: at least one is left to others. */
static int self_environments(const lu_trainer *t) {
    double share = t->roster.self_share;
    int own = (int)(share * (double)t->environments + 0.5);
    return share < 1.0 ? at_most(own, t->environments - 1) : t->environments;
}

lu_status roster_plan(lu_trainer *t, lu_error *error) {
    train_roster *o = &t->roster;
    o->from = self_environments(t);
    o->environments = t->environments - o->from;
    o->others = t->learners - 1;
    o->slots = o->environments * o->others;
    if (o->environments > 0 && o->others == 0) {
        return lu_fail(error, LU_BAD_VALUE,
                       "%s has one seat to play under these settings, which leaves none to "
                       "opponents: leave '%sopponents' empty",
                       t->game->id, t->kind->module);
    }
    t->rows = o->from * t->learners + o->environments;
    return LU_OK;
}

void roster_lay(lu_trainer *t, train_taker *k) {
    train_roster *o = &t->roster;
    size_t environments = (size_t)o->environments, slots = (size_t)o->slots;
    TRAIN_TAKE(k, o->row, environments);
    TRAIN_TAKE(k, o->draw, environments);
    TRAIN_TAKE(k, o->full, slots);
    TRAIN_TAKE(k, o->rng, slots);
    TRAIN_TAKE(k, o->who, slots);
}

void roster_start(lu_trainer *t) {
    train_roster *o = &t->roster;
    for (int row = o->from * t->learners; row < t->rows; row++) {
        o->row[t->row_env[row] - o->from] = row;
    }
    for (int e = 0, slot = 0; e < o->environments; e++) {
        o->draw[e] = lu_rng_from(lu_mix(t->seed, 5, (uint64_t)(o->from + e)));
        for (int l = 0; l < t->learners; l++) {
            if (t->learner[l] != t->row_seat[o->row[e]]) {
                o->rng[slot] = lu_rng_from(lu_mix(t->seed, 6, (uint64_t)slot));
                o->full[slot++] = (o->from + e) * t->seats + t->learner[l];
            }
        }
    }
}

void roster_drop(lu_trainer *t) {
    train_roster *o = &t->roster;
    for (int i = 0; i < o->members * t->workers; i++) {
        lu_net_work_delete(o->work[i]);
    }
    free(o->work);
    free(o->memory);
    free(o->block);
    free(o->masks);
    free(o->met);
    o->members = 0;
}

/* ---- draws ---- */

static unsigned char *memory_of(const train_roster *o, int slot) {
    return o->memory + (size_t)slot * o->memory_bytes;
}

/* Players of the next episode of an environment, counted from the first with opponents. */
static void seat_players(train_roster *o, int environment) {
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

static lu_status check_members(const lu_trainer *t, const lu_opponent *member, int count,
                               lu_error *error) {
    if (t->roster.slots == 0) {
        return lu_fail(error, LU_BAD_VALUE,
                       "'%sopponents' leaves no seat to opponents: name them there",
                       t->kind->module);
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
        if (member[m].net && lu_net_game(member[m].net) != t->game) {
            return lu_fail(error, LU_OTHER_SPEC, "the net of opponent %s is not one for %s",
                           member[m].name, t->game->id);
        }
    }
    return LU_OK;
}

/* What must be the same after a resume. */
static uint64_t members_hash(const train_roster *o) {
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

static void make_room(lu_trainer *t) {
    train_roster *o = &t->roster;
    size_t workers = (size_t)t->workers, members = (size_t)o->members;
    o->work = lu_alloc_zero(members * workers, sizeof *o->work);
    o->met = lu_alloc_zero((size_t)t->shards * members, sizeof *o->met);
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
    o->masks = lu_alloc_zero(workers * LU_BLOCK_ROWS, (size_t)t->mask);
    o->block = lu_alloc_zero(workers * LU_BLOCK_ROWS * o->block_floats + 1, sizeof *o->block);
}

lu_status lu_trainer_roster(lu_trainer *t, const lu_opponent *member, int count, lu_error *error) {
    train_roster *o = &t->roster;
    LU_TRY(check_members(t, member, count, error));
    roster_drop(t);
    double sum = 0.0, upto = 0.0;
    for (int m = 0; m < count; m++) {
        sum += member[m].share;
    }
    for (int m = 0; m < count; m++) {
        upto += member[m].share / sum;
        o->upto[m] = upto;
        o->member[m] = member[m];
        if (member[m].self) {
            o->member[m].net = t->net;
            o->member[m].normaliser = lu_trainer_normaliser(t);
        }
    }
    o->members = count;
    make_room(t);
    for (int e = 0; e < o->environments; e++) {
        seat_players(o, e);
    }
    t->more_shape = members_hash(o);
    return LU_OK;
}

lu_opponent_result lu_trainer_result(const lu_trainer *trainer, int member) {
    const train_roster *o = &trainer->roster;
    train_met sum = {0};
    for (int i = 0; member < o->members && i < trainer->shards; i++) {
        train_add(&sum, &o->met[i * o->members + member], sizeof sum);
    }
    return (lu_opponent_result){(int64_t)sum.episodes,
                                sum.episodes > 0.0 ? sum.returns / sum.episodes : 0.0};
}

/* ---- playing ---- */

/* The first slot of an environment, or of the next that has some. */
static int slot_from(const train_roster *o, int environment) {
    return (at_least(environment, o->from) - o->from) * o->others;
}

static bool slot_waits(const lu_trainer *t, int slot) {
    int full = t->roster.full[slot];
    return t->turns && !(t->scratch.to_move[full / t->seats] >> full % t->seats & 1);
}

/* A bot: the platform's where the member names none. */
static void act_alone(lu_trainer *t, const lu_opponent *who, int slot, const float *observation) {
    train_roster *o = &t->roster;
    const lu_bot *bot = who->bot ? who->bot : &lu_bot_random;
    size_t full = (size_t)o->full[slot];
    lu_seat_view view = {
        .rules = t->rules,
        .state = lu_vec_state(t->vec, (int)(full / (size_t)t->seats)),
        .seat = (int)(full % (size_t)t->seats),
        .observation = observation + full * (size_t)t->observation,
        .mask = t->scratch.mask + full * (size_t)t->mask,
        .memory = bot->memory_bytes > 0 ? memory_of(o, slot) : NULL,
        .rng = &o->rng[slot],
    };
    lu_bot_act(t->game, bot, &view, t->scratch.actions + full * (size_t)t->heads);
}

/* Rows [first, first + rows) of the last pass of a net, all of them to move. */
static lu_status choose_run(lu_trainer *t, int worker, int member, const int *slot, int first,
                            int rows, lu_error *error) {
    train_roster *o = &t->roster;
    const train_worker *w = &t->worker[worker];
    const lu_opponent *who = &o->member[member];
    size_t mask = (size_t)t->mask, heads = (size_t)t->heads;
    int32_t actions[LU_BLOCK_ROWS * LU_MAX_HEADS];
    uint8_t *masks = o->masks + (size_t)worker * LU_BLOCK_ROWS * mask, seat[LU_BLOCK_ROWS];
    const void *state[LU_BLOCK_ROWS];
    lu_rng rng[LU_BLOCK_ROWS];
    for (int r = 0; r < rows; r++) {
        size_t full = (size_t)o->full[slot[first + r]];
        memcpy(masks + (size_t)r * mask, t->scratch.mask + full * mask, mask);
        seat[r] = (uint8_t)(full % (size_t)t->seats);
        state[r] = lu_vec_state(t->vec, (int)(full / (size_t)t->seats));
        rng[r] = o->rng[slot[first + r]];
    }
    lu_net_series series = {
        .net = who->net,
        .work = o->work[worker * o->members + member],
        .call = {.first = first,
                 .rows = rows,
                 .actions = actions,
                 .actions_stride = heads,
                 .logits = w->logits + (size_t)first * t->logits_stride,
                 .logits_stride = t->logits_stride},
    };
    lu_policy_act call = {
        .make_logits = lu_net_in_series(who->net) ? lu_net_make_logits : NULL,
        .user = &series,
        .rows = rows,
        .logits = series.call.logits,
        .logits_stride = t->logits_stride,
        .mask = masks,
        .mask_stride = mask,
        .state = t->submask ? state : NULL,
        .seat = seat,
        .rng = rng,
        .greedy = lu_net_kind_of(who->net) == LU_NET_Q,
        .actions = actions,
        .actions_stride = heads,
        .legal = w->legal,
        .legal_stride = mask,
    };
    lu_error failed;
    if (lu_policy_choose(&t->policy, &call, &failed) != LU_OK) {
        return lu_fail(error, LU_BAD_DATA, "opponent %s: %s", who->name, failed.text);
    }
    for (int r = 0; r < rows; r++) {
        size_t full = (size_t)o->full[slot[first + r]];
        o->rng[slot[first + r]] = rng[r];
        memcpy(t->scratch.actions + full * heads, actions + (size_t)r * heads,
               heads * sizeof *actions);
    }
    return LU_OK;
}

/* All rows of a net at once: its memory moves with every step, as that of a learner does. */
static lu_status act_together(lu_trainer *t, int worker, int member, const int *slot, int rows,
                              const float *observation, lu_error *error) {
    train_roster *o = &t->roster;
    const train_worker *w = &t->worker[worker];
    const lu_opponent *who = &o->member[member];
    size_t n = (size_t)t->observation, bytes = lu_net_memory_floats(who->net) * sizeof(float);
    float *memory = o->block + (size_t)worker * LU_BLOCK_ROWS * o->block_floats;
    for (int r = 0; r < rows; r++) {
        memcpy(w->seen + (size_t)r * n, observation + (size_t)o->full[slot[r]] * n,
               n * sizeof(float));
        memcpy((char *)memory + (size_t)r * bytes, memory_of(o, slot[r]), bytes);
    }
    lu_net_infer call = {
        .rows = rows,
        .observation = w->seen,
        .observation_stride = n,
        .normaliser = who->normaliser,
        .memory = bytes ? memory : NULL,
        .logits = w->logits,
        .logits_stride = t->logits_stride,
    };
    lu_net_run(who->net, o->work[worker * o->members + member], &call);
    lu_status status = LU_OK;
    for (int r = 0; r < rows; r++) {
        memcpy(memory_of(o, slot[r]), (char *)memory + (size_t)r * bytes, bytes);
    }
    for (int from = 0; from < rows && status == LU_OK;) {
        int to = from;
        while (to < rows && !slot_waits(t, slot[to])) {
            to++;
        }
        if (to > from) {
            status = choose_run(t, worker, member, slot, from, to - from, error);
        }
        from = to + 1; /* the slot that ended the run waits */
    }
    return status;
}

lu_status roster_act(lu_trainer *t, int worker, const train_shard *s, const float *observation,
                     lu_error *error) {
    train_roster *o = &t->roster;
    int first = slot_from(o, s->first), end = slot_from(o, s->first + s->count);
    lu_status status = LU_OK;
    for (int m = 0; m < o->members && status == LU_OK; m++) {
        int together[LU_BLOCK_ROWS], rows = 0;
        for (int slot = first; slot < end; slot++) {
            if (o->who[slot] != m) {
                continue;
            }
            if (o->member[m].net) {
                together[rows++] = slot;
            } else if (!slot_waits(t, slot)) {
                act_alone(t, &o->member[m], slot, observation);
            }
        }
        if (rows > 0) {
            status = act_together(t, worker, m, together, rows, observation, error);
        }
    }
    return status;
}

lu_status roster_begin(lu_trainer *t, lu_error *error) {
    train_roster *o = &t->roster;
    if (o->slots > 0 && o->members == 0) {
        return lu_fail(error, LU_BAD_VALUE,
                       "'%sopponents' leaves seats to opponents, and none sits there: call "
                       "lu_trainer_roster first",
                       t->kind->module);
    }
    for (int i = 0; i < t->shards * o->members; i++) {
        o->met[i] = (train_met){0};
    }
    return LU_OK;
}

void roster_note(lu_trainer *t, const train_shard *s, int step) {
    train_roster *o = &t->roster;
    int shard = (int)(s - t->shard);
    const float *final = t->scratch.finals + (size_t)step * (size_t)t->rows;
    for (int e = at_least(s->first, o->from); e < s->first + s->count; e++) {
        if (!(t->scratch.terminated[e] | t->scratch.truncated[e])) {
            continue;
        }
        int other = e - o->from;
        for (int i = 0; i < o->others; i++) {
            train_met *met = &o->met[shard * o->members + o->who[other * o->others + i]];
            met->episodes += 1.0;
            met->returns += (double) final[o->row[other]];
        }
        seat_players(o, other);
    }
}

/* ---- resume ---- */

void roster_walk(walk *w, lu_trainer *t) {
    train_roster *o = &t->roster;
    size_t slots = (size_t)o->slots;
    walk_piece(w, o->draw, (size_t)o->environments * sizeof *o->draw);
    walk_piece(w, o->rng, slots * sizeof *o->rng);
    walk_piece(w, o->who, slots * sizeof *o->who);
    walk_piece(w, o->memory, slots * o->memory_bytes);
}

uint64_t roster_hash(const lu_trainer *t, uint64_t hash) {
    const train_roster *o = &t->roster;
    size_t slots = (size_t)o->slots;
    if (slots > 0) {
        hash = lu_hash(o->draw, (size_t)o->environments * sizeof *o->draw, hash);
        hash = lu_hash(o->rng, slots * sizeof *o->rng, hash);
        hash = lu_hash(o->who, slots * sizeof *o->who, hash);
        hash = lu_hash(o->memory, slots * o->memory_bytes, hash);
    }
    return hash;
}
