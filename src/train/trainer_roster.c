/* Opponents: the seats that do not learn (slots), who sits there, which environments have them, and
 * what of all this goes on. See algorithm.h for the rules. A slot has a generator and a memory of
 * its own. What opponents do is in roster_play.c. */
#include "trainer.h"

#include "ludus/hash.h"
#include "ludus/self_play.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- settings, sizes, memory ---- */

/* Only the share of `self` counts here: the other names are for whoever fills the roster. */
static lu_status read_list(lu_trainer *t, lu_error *error) {
    char key[64];
    snprintf(key, sizeof key, "%sopponents", t->kind->module);
    lu_opponent_share *list = lu_alloc_zero(LU_MAX_OPPONENTS, sizeof *list);
    int count = 0;
    lu_status status =
        lu_opponent_shares_read(key, lu_settings_text_of(t->settings, key), list, &count, error);
    double own = 0.0, all = 0.0;
    for (int i = 0; i < count; i++) {
        own += strcmp(list[i].name, "self") == 0 ? list[i].share : 0.0;
        all += list[i].share;
    }
    t->roster.self_share = count > 0 ? own / all : 1.0;
    free(list);
    return status;
}

/* The share of `pure` at an update. */
static double pure_share(const lu_trainer *t, int64_t update) {
    double share[LU_OPPOSITES], progress = (double)update / (double)t->updates_total;
    lu_self_play_shares(t->settings, progress < 1.0 ? progress : 1.0, (double)update, share);
    return share[LU_PURE];
}

lu_status roster_read(lu_trainer *t, lu_error *error) {
    train_roster *o = &t->roster;
    if (!lu_self_play_on(t->settings)) {
        return read_list(t, error);
    }
    double share[LU_OPPOSITES];
    lu_self_play_shares(t->settings, 0.0, 0.0, share);
    o->self_share = share[LU_PURE];
    o->moves = lu_self_play_moves(t->settings);
    return LU_OK;
}

lu_status roster_check(const lu_trainer *t, lu_error *error) {
    int64_t total = t->updates_total, step = total / 100000 + 1;
    for (int64_t u = 0; u < total && lu_self_play_on(t->settings); u += step) {
        double share[LU_OPPOSITES];
        double sum = lu_self_play_shares(t->settings, (double)u / (double)total, (double)u, share);
        if (sum > 1.0 + 1e-6) {
            return lu_fail(error, LU_BAD_VALUE,
                           "the shares self_play.pure, past, target and latest are %.6g together "
                           "at update %lld: at most 1",
                           sum, (long long)u);
        }
    }
    return LU_OK;
}

/* Environments in which every seat learns: at least one is left to others. */
static int self_environments(const lu_trainer *t, double share) {
    int own = (int)(share * (double)t->environments + 0.5);
    return share < 1.0 ? at_most(own, t->environments - 1) : t->environments;
}

lu_status roster_plan(lu_trainer *t, lu_error *error) {
    train_roster *o = &t->roster;
    /* one that moves begins with room for all, and finds its place in the first update */
    o->from = o->moves ? t->environments : self_environments(t, o->self_share);
    o->first = o->moves ? 0 : o->from;
    o->environments = t->environments - o->first;
    o->others = t->learners - 1;
    o->slots = o->environments * o->others;
    if (o->environments > 0 && o->others == 0) {
        return lu_fail(error, LU_BAD_VALUE,
                       "%s has one seat to play under these settings, which leaves none to "
                       "opponents: leave '%s%s' empty",
                       t->game->id, lu_self_play_on(t->settings) ? "" : t->kind->module,
                       lu_self_play_on(t->settings) ? "self_play.*" : "opponents");
    }
    t->rows = o->from * t->learners + t->environments - o->from;
    t->room = t->rows;
    size_t memory = lu_net_memory_floats(t->net) * sizeof(float);
    o->spare_bytes = memory > sizeof(lu_rng) ? memory : sizeof(lu_rng);
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
    if (o->moves) {
        TRAIN_TAKE(k, o->was, (size_t)(t->room + t->full));
        TRAIN_TAKE(k, o->changed, environments);
        TRAIN_TAKE(k, o->spare, (size_t)t->room * o->spare_bytes);
    }
}

/* The row of each environment that has opponents. */
static void note_rows(lu_trainer *t) {
    train_roster *o = &t->roster;
    for (int row = o->from * t->learners; row < t->rows; row++) {
        o->row[t->row_env[row] - o->first] = row;
    }
}

void roster_start(lu_trainer *t) {
    train_roster *o = &t->roster;
    note_rows(t);
    for (int e = 0, slot = 0; e < o->environments; e++) {
        o->draw[e] = lu_rng_from(lu_mix(t->seed, 5, (uint64_t)(o->first + e)));
        for (int l = 0; l < t->learners; l++) {
            if (l != e % t->learners) { /* that seat learns: see train_strips */
                o->rng[slot] = lu_rng_from(lu_mix(t->seed, 6, (uint64_t)slot));
                o->full[slot++] = (o->first + e) * t->seats + t->learner[l];
            }
        }
    }
}

static void drop_work(lu_net_work **work, int count) {
    for (int i = 0; i < count; i++) {
        lu_net_work_delete(work[i]);
    }
    free(work);
}

/* Of the members, without work spaces. */
static void drop_members(train_roster *o) {
    free(o->member);
    free(o->upto);
    free(o->memory);
    free(o->block);
    free(o->masks);
    free(o->met);
    free(o->all);
    free(o->manner);
    free(o->seen);
}

void roster_drop(lu_trainer *t) {
    if (t->head == t) {
        drop_work(t->roster.work, t->roster.members * t->workers);
    }
    drop_members(&t->roster);
}

/* ---- draws ---- */

/* What is drawn of the next player's manner: nothing where it has none. */
static void draw_manner(train_roster *o, int slot, lu_rng *rng) {
    const lu_opponent *who = &o->member[o->who[slot]];
    train_manner *m = &o->manner[slot];
    *m = (train_manner){0};
    m->greedy = who->greedy > 0.0 && lu_rng_unit(rng) < who->greedy;
    if (who->delay > 0.0 && (who->delayed >= 1.0 || lu_rng_unit(rng) < who->delayed)) {
        m->delay = (float)(who->delay * (who->uniform ? lu_rng_unit(rng) : 1.0));
    }
}

void roster_seat(lu_trainer *t, int environment) {
    train_roster *o = &t->roster;
    for (int slot = environment * o->others; slot < (environment + 1) * o->others; slot++) {
        double x = lu_rng_unit(&o->draw[environment]);
        int member = 0;
        while (member + 1 < o->members && x >= o->upto[member]) {
            member++;
        }
        o->who[slot] = member;
        memset(roster_memory(o, slot), 0, o->memory_bytes);
        if (o->by_id) {
            draw_manner(o, slot, &o->draw[environment]);
        }
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
        if (!(member[m].share > 0.0 || (member[m].id && member[m].share == 0.0))) {
            return lu_fail(error, LU_BAD_VALUE, "the share of opponent %s must be above 0",
                           member[m].name);
        }
        if (member[m].net && lu_net_game(member[m].net) != t->game) {
            return lu_fail(error, LU_OTHER_SPEC, "opponent %s has a net for another game than %s",
                           member[m].name, t->game->id);
        }
        int depth = member[m].net ? lu_net_frames(member[m].net)->depth : 1;
        if (depth > t->frames.depth) {
            return lu_fail(error, LU_BAD_VALUE,
                           "opponent %s reads a frame %d decisions old, but this training only "
                           "keeps %d: set net.frames to reach as far back",
                           member[m].name, depth - 1, t->frames.depth - 1);
        }
    }
    return LU_OK;
}

/* Shares of members with an id follow from the update and need not be the same. */
uint64_t roster_shape(const lu_trainer *t) {
    const train_roster *o = &t->roster;
    uint64_t hash = (uint64_t)o->members;
    for (int m = 0; m < o->members; m++) {
        const lu_opponent *who = &o->member[m];
        const char *kind = who->bot ? who->bot->name : who->self ? "self" : "";
        hash = lu_hash_text(kind, hash);
        hash = who->id ? lu_hash(&who->id, sizeof who->id, hash)
                       : lu_hash(&who->share, sizeof who->share, hash);
        if (who->net && !who->self) {
            hash =
                lu_hash(lu_net_block(who->net), lu_net_parameters(who->net) * sizeof(float), hash);
        }
    }
    return hash;
}

/* Takes the members over, with the running sums of their shares. */
static void take_members(lu_trainer *t, const lu_opponent *member, int count) {
    train_roster *o = &t->roster;
    double sum = 0.0, upto = 0.0;
    for (int m = 0; m < count; m++) {
        sum += member[m].share;
    }
    o->member = lu_alloc_zero((size_t)count, sizeof *o->member);
    o->upto = lu_alloc_zero((size_t)count, sizeof *o->upto);
    o->by_id = true;
    o->delays = false;
    for (int m = 0; m < count; m++) {
        upto += sum > 0.0 ? member[m].share / sum : 1.0 / count;
        o->upto[m] = upto;
        o->member[m] = member[m];
        o->by_id = o->by_id && member[m].id;
        o->delays = o->delays || member[m].delays;
        if (member[m].self) {
            o->member[m].net = t->net;
            o->member[m].normaliser = lu_trainer_normaliser(t);
        }
    }
    /* who has no share behind the last one that has is not drawn by a rounding */
    for (int m = count - 1; m > 0 && !(member[m].share > 0.0); m--) {
        o->upto[m - 1] = 1.0;
    }
    o->members = count;
}

static int find_id(const train_roster *o, uint64_t id) {
    int m = 0;
    while (m < o->members && o->member[m].id != id) {
        m++;
    }
    return m < o->members ? m : -1;
}

/* Work spaces of nets; those of members that were there before are kept. */
static void make_work(lu_trainer *t, const train_roster *old) {
    train_roster *o = &t->roster;
    size_t workers = (size_t)t->workers, members = (size_t)o->members;
    o->work = lu_alloc_zero(members * workers, sizeof *o->work);
    for (size_t m = 0; m < members; m++) {
        const lu_opponent *who = &o->member[m];
        int was = who->id ? find_id(old, who->id) : -1;
        bool same = was >= 0 && old->member[was].net == who->net;
        for (size_t w = 0; who->net && w < workers; w++) {
            lu_net_work **kept = same ? &old->work[w * (size_t)old->members + (size_t)was] : NULL;
            o->work[w * members + m] =
                kept && *kept ? *kept : lu_net_work_new(who->net, LU_BLOCK_ROWS);
            if (kept) {
                *kept = NULL;
            }
        }
    }
    drop_work(old->work, old->members * t->workers);
}

static void make_room(lu_trainer *t, const train_roster *old) {
    train_roster *o = &t->roster;
    size_t members = (size_t)o->members, slots = (size_t)o->slots;
    if (t->head == t) {
        make_work(t, old);
        o->all = lu_alloc_zero((size_t)t->parts * members, sizeof *o->all);
    } else {
        o->work = t->head->roster.work;
        o->all = NULL;
    }
    o->met = lu_alloc_zero((size_t)t->shards * members, sizeof *o->met);
    o->memory_bytes = o->block_floats = 0;
    for (size_t m = 0; m < members; m++) {
        const lu_opponent *who = &o->member[m];
        size_t floats = who->net ? lu_net_memory_floats(who->net) : 0;
        size_t bytes = who->bot ? (size_t)who->bot->memory_bytes : floats * sizeof(float);
        bytes = (bytes + 15) / 16 * 16;
        o->memory_bytes = bytes > o->memory_bytes ? bytes : o->memory_bytes;
        o->block_floats = floats > o->block_floats ? floats : o->block_floats;
    }
    o->memory = lu_alloc_zero(slots * o->memory_bytes + 1, 1);
    o->block =
        lu_alloc_zero((size_t)t->workers * LU_BLOCK_ROWS * o->block_floats + 1, sizeof *o->block);
    o->masks = lu_alloc_zero((size_t)t->workers * LU_BLOCK_ROWS, (size_t)t->mask);
    o->manner = o->by_id ? lu_alloc_zero(slots, sizeof *o->manner) : NULL;
    o->seen = o->delays ? lu_alloc_zero(slots * (size_t)t->observation, sizeof *o->seen) : NULL;
}

/* A slot goes on with the player that sits there, where that is still a member. */
static bool keep_slot(lu_trainer *t, const train_roster *old, int slot) {
    train_roster *o = &t->roster;
    int now = o->by_id && old->by_id ? find_id(o, old->member[o->who[slot]].id) : -1;
    if (now < 0) {
        return false;
    }
    size_t bytes = old->memory_bytes < o->memory_bytes ? old->memory_bytes : o->memory_bytes;
    size_t n = (size_t)t->observation;
    memcpy(roster_memory(o, slot), roster_memory(old, slot), bytes);
    o->manner[slot] = old->manner[slot];
    o->who[slot] = now;
    if (o->seen && old->seen) {
        memcpy(o->seen + (size_t)slot * n, old->seen + (size_t)slot * n, n * sizeof *o->seen);
    }
    return true;
}

static void seat_members(lu_trainer *t, const lu_opponent *member, int count) {
    train_roster *o = &t->roster, old = t->roster;
    take_members(t, member, count);
    make_room(t, &old);
    for (int e = o->from - o->first; e < o->environments; e++) {
        bool kept = true;
        for (int i = 0; i < o->others; i++) {
            kept = keep_slot(t, &old, e * o->others + i) && kept;
        }
        if (!kept) {
            roster_seat(t, e);
        }
    }
    drop_members(&old);
    for (int e = o->from; o->other_rules && e < t->environments; e++) {
        const lu_place *place = lu_vec_place(t->vec, e);
        int rules = roster_rules(o, e - o->first);
        if (place->decisions == 0 && place->episode == 0 && rules > 0) {
            lu_vec_choose_rules(t->vec, e, rules);
            t->kind->restart(t, e);
        }
    }
}

/* Rules that cannot stand in for those of the training. */
static lu_status check_rules(const lu_trainer *t, const lu_rules *rules, lu_error *error) {
    bool same = rules->spec == t->rules->spec && rules->state_bytes == t->rules->state_bytes;
    for (int seat = 0; seat < t->seats; seat++) {
        same =
            same && lu_game_drives(t->game, rules, seat) == lu_game_drives(t->game, t->rules, seat);
    }
    if (!t->kind->restart || t->submask || t->comm) {
        return lu_fail(error, LU_BAD_VALUE,
                       "opponents play by the settings of the training %s: leave out those of "
                       "their own",
                       t->comm            ? "where several processes train"
                       : t->kind->restart ? "in a game whose masks depend on its state"
                                          : "with this algorithm");
    }
    return same ? LU_OK
                : lu_fail(error, LU_BAD_VALUE,
                          "settings of the game against some opponents must leave its states and "
                          "the seats that are played as they are in the training");
}

lu_status lu_trainer_take_rules(lu_trainer *t, const lu_rules *const *list, int count,
                                lu_error *error) {
    const lu_rules *all[LU_OPPOSITES] = {t->rules};
    LU_ASSERT(count > 0 && count < LU_OPPOSITES && !t->roster.other_rules);
    for (int i = 0; i < count; i++) {
        LU_TRY(check_rules(t, list[i], error));
        all[i + 1] = list[i];
    }
    for (int m = 0; m < t->mates; m++) {
        lu_vec_take_rules(t->mate[m]->vec, all, count + 1);
        t->mate[m]->roster.other_rules = true;
    }
    return LU_OK;
}

lu_status lu_trainer_roster(lu_trainer *t, const lu_opponent *member, int count, lu_error *error) {
    LU_TRY(check_members(t, member, count, error));
    LU_TRY(train_call_roster(t, member, count, error));
    for (int m = 0; m < t->mates; m++) {
        seat_members(t->mate[m], member, count);
    }
    return LU_OK;
}

bool lu_trainer_has_opponents(const lu_trainer *trainer) {
    return trainer->roster.slots > 0;
}

void roster_results(lu_trainer *head) {
    int members = head->roster.members;
    for (int m = 0; m < head->mates; m++) {
        const lu_trainer *t = head->mate[m];
        train_met *all = head->roster.all + (size_t)t->part * (size_t)members;
        for (int who = 0; who < members; who++) {
            all[who] = (train_met){0};
            for (int i = 0; i < t->shards; i++) {
                train_add(&all[who], &t->roster.met[i * members + who], sizeof all[who]);
            }
        }
    }
    if (members > 0) {
        train_share(head, head->roster.all, (size_t)members * sizeof(train_met));
    }
}

lu_opponent_result lu_trainer_result(const lu_trainer *trainer, int member) {
    const train_roster *o = &trainer->roster;
    train_met sum = {0};
    for (int p = 0; member < o->members && p < trainer->parts; p++) {
        train_add(&sum, &o->all[p * o->members + member], sizeof sum);
    }
    return (lu_opponent_result){(int64_t)sum.episodes,
                                sum.episodes > 0.0 ? sum.returns / sum.episodes : 0.0,
                                (int64_t)sum.wins, (int64_t)sum.draws};
}

/* ---- sides ---- */

void roster_move_rows(lu_trainer *t, const void *from, void *to, size_t bytes, int old_rows) {
    const train_roster *o = &t->roster;
    unsigned char *place = to;
    memcpy(o->spare, from, (size_t)old_rows * bytes);
    for (int row = 0; row < t->rows; row++, place += bytes) {
        if (o->was[row] >= 0) {
            memcpy(place, o->spare + (size_t)o->was[row] * bytes, bytes);
        } else {
            memset(place, 0, bytes);
        }
    }
}

/* Numbers rows anew; of those in environments that change sides nothing is kept. */
static void number_anew(lu_trainer *t, int from) {
    train_roster *o = &t->roster;
    int *row_of = o->was + t->room;
    int low = at_most(from, o->from), high = at_least(from, o->from);
    for (int full = 0; full < t->full; full++) {
        row_of[full] = -1;
    }
    for (int row = 0; row < t->rows; row++) {
        row_of[t->row_full[row]] = row;
    }
    o->from = from;
    t->rows = from * t->learners + t->environments - from;
    train_number(t);
    note_rows(t);
    for (int row = 0; row < t->rows; row++) {
        bool changed = t->row_env[row] >= low && t->row_env[row] < high;
        o->was[row] = changed ? -1 : row_of[t->row_full[row]];
    }
}

/* Environments between the old side and the new one begin an episode, with other players or none.
 */
static void move_sides(lu_trainer *t, int from) {
    train_roster *o = &t->roster;
    int old = o->from, old_rows = t->rows, changed = 0;
    uint64_t key = lu_mix(t->seed, 7, (uint64_t)t->updates);
    number_anew(t, from);
    roster_move_rows(t, t->rng, t->rng, sizeof *t->rng, old_rows);
    roster_move_rows(t, t->returns, t->returns, sizeof *t->returns, old_rows);
    roster_move_rows(t, t->lengths, t->lengths, sizeof *t->lengths, old_rows);
    for (int row = 0; row < t->rows; row++) {
        if (o->was[row] < 0) {
            t->rng[row] = lu_rng_from(lu_mix(key, (uint64_t)t->row_full[row], 0));
        }
    }
    for (int e = at_most(old, from); e < at_least(old, from); e++) {
        o->changed[changed++] = e;
        if (e >= from) {
            roster_seat(t, e - o->first);
        }
        if (o->other_rules) {
            lu_vec_choose_rules(t->vec, e, e >= from ? roster_rules(o, e - o->first) : 0);
        }
    }
    t->kind->moved(t, old_rows, changed);
}

lu_status roster_begin(lu_trainer *t, lu_error *error) {
    train_roster *o = &t->roster;
    int from = o->moves ? self_environments(t, pure_share(t, t->updates)) : o->from;
    if (from < t->environments && o->members == 0) {
        return lu_fail(error, LU_BAD_VALUE,
                       "'%s%s' leaves seats to opponents, and none sits there: call "
                       "lu_trainer_roster first",
                       lu_self_play_on(t->settings) ? "" : t->kind->module,
                       lu_self_play_on(t->settings) ? "self_play.pure" : "opponents");
    }
    if (from != o->from) {
        move_sides(t, from);
    }
    for (int i = 0; i < t->shards * o->members; i++) {
        o->met[i] = (train_met){0};
    }
    return LU_OK;
}

/* ---- resume ---- */

void roster_walk_sides(walk *w, lu_trainer *t) {
    train_roster *o = &t->roster;
    if (!o->moves) {
        return;
    }
    walk_piece(w, &o->from, sizeof o->from);
    if (w->kind == WALK_LOAD) {
        t->rows = o->from * t->learners + t->environments - o->from;
        train_number(t);
        note_rows(t);
        t->kind->numbered(t);
    }
}

lu_status roster_check_sides(const lu_trainer *t, const unsigned char *bytes, lu_error *error) {
    int from = 0;
    if (t->roster.moves) {
        memcpy(&from, bytes, sizeof from);
    }
    return from >= 0 && from <= t->environments
               ? LU_OK
               : lu_fail(error, LU_DAMAGED_FILE,
                         "the snapshot has %d environments in which every seat learns, of %d", from,
                         t->environments);
}

void roster_walk(walk *w, lu_trainer *t) {
    train_roster *o = &t->roster;
    size_t slots = (size_t)o->slots;
    walk_piece(w, o->draw, (size_t)o->environments * sizeof *o->draw);
    walk_piece(w, o->rng, slots * sizeof *o->rng);
    walk_piece(w, o->who, slots * sizeof *o->who);
    walk_piece(w, o->memory, slots * o->memory_bytes);
    walk_piece(w, o->manner, o->by_id ? slots * sizeof *o->manner : 0);
    walk_piece(w, o->seen, o->delays ? slots * (size_t)t->observation * sizeof *o->seen : 0);
}

/* Of seats that nobody has now only the generators go on. */
uint64_t roster_hash(const lu_trainer *t, uint64_t hash) {
    const train_roster *o = &t->roster;
    size_t slots = (size_t)o->slots, from = (size_t)roster_slot(o, o->from), left = slots - from;
    if (slots > 0) {
        hash = lu_hash(o->draw, (size_t)o->environments * sizeof *o->draw, hash);
        hash = lu_hash(o->rng, slots * sizeof *o->rng, hash);
        hash = lu_hash(o->who + from, left * sizeof *o->who, hash);
        hash = lu_hash(o->memory + from * o->memory_bytes, left * o->memory_bytes, hash);
    }
    if (slots > 0 && o->by_id) {
        hash = lu_hash(o->manner + from, left * sizeof *o->manner, hash);
    }
    return hash;
}
