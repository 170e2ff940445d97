/* What opponents do: a shard's slots are played by the thread that plays the shard, members one
 * after the other, so that a net sees all its rows at once. A player that reacts late does nothing
 * in a decision and makes the next one by what it saw then. */
#include "trainer.h"

#include <string.h>

static bool slot_waits(const lu_trainer *t, int slot) {
    int full = t->roster.full[slot];
    return t->turns && !(t->scratch.to_move[full / t->seats] >> full % t->seats & 1);
}

/* What a slot decides by: what it sees, or what it saw before a late decision, which is then made.
 */
static const float *sight_of(const lu_trainer *t, int slot, const float *observation) {
    const train_roster *o = &t->roster;
    size_t n = (size_t)t->observation;
    if (!o->delays || !o->manner[slot].late) {
        return observation + (size_t)o->full[slot] * n;
    }
    o->manner[slot].late = 0;
    return o->seen + (size_t)slot * n;
}

/* Whether this decision passes a slot by; what it saw first is kept. */
static bool is_late(const lu_trainer *t, int slot, const float *observation) {
    const train_roster *o = &t->roster;
    if (!o->delays || !(o->manner[slot].delay > 0.0f) || slot_waits(t, slot) ||
        lu_rng_unit(&o->rng[slot]) >= (double)o->manner[slot].delay) {
        return false;
    }
    size_t n = (size_t)t->observation;
    if (!o->manner[slot].late) {
        memcpy(o->seen + (size_t)slot * n, observation + (size_t)o->full[slot] * n,
               n * sizeof *o->seen);
        o->manner[slot].late = 1;
    }
    return true;
}

/* A bot: the platform's where the member names none. */
static void act_alone(lu_trainer *t, const lu_opponent *who, int slot, const float *observation) {
    train_roster *o = &t->roster;
    const lu_bot *bot = who->bot ? who->bot : &lu_bot_random;
    size_t full = (size_t)o->full[slot];
    lu_seat_view view = {
        .rules = lu_vec_rules_of(t->vec, (int)(full / (size_t)t->seats)),
        .state = lu_vec_state(t->vec, (int)(full / (size_t)t->seats)),
        .seat = (int)(full % (size_t)t->seats),
        .observation = sight_of(t, slot, observation),
        .mask = t->scratch.mask + full * (size_t)t->mask,
        .memory = bot->memory_bytes > 0 ? roster_memory(o, slot) : NULL,
        .rng = &o->rng[slot],
    };
    lu_bot_act(t->game, bot, &view, t->scratch.actions + full * (size_t)t->heads);
}

/* Rows [first, first + rows) of logits, which those slots have; a net whose heads read the choices
 * before them makes its logits on the way, NULL: they stand. */
static lu_status choose_run(lu_trainer *t, int worker, int member, const lu_net *net,
                            const int *slot, int first, int rows, bool greedy, lu_error *error) {
    train_roster *o = &t->roster;
    const train_worker *w = &t->worker[worker];
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
        .net = net,
        .work = o->work[worker * o->members + member],
        .call = {.first = first,
                 .rows = rows,
                 .actions = actions,
                 .actions_stride = heads,
                 .logits = w->logits + (size_t)first * t->logits_stride,
                 .logits_stride = t->logits_stride},
    };
    lu_policy_act call = {
        .make_logits = net && lu_net_in_series(net) ? lu_net_make_logits : NULL,
        .user = &series,
        .rows = rows,
        .logits = series.call.logits,
        .logits_stride = t->logits_stride,
        .mask = masks,
        .mask_stride = mask,
        .state = t->submask ? state : NULL,
        .seat = seat,
        .rng = rng,
        .greedy = greedy,
        .actions = actions,
        .actions_stride = heads,
        .legal = w->legal,
        .legal_stride = mask,
    };
    lu_error failed;
    if (lu_policy_choose(&t->policy, &call, &failed) != LU_OK) {
        return lu_fail(error, LU_BAD_DATA, "opponent %s: %s", o->member[member].name, failed.text);
    }
    for (int r = 0; r < rows; r++) {
        size_t full = (size_t)o->full[slot[first + r]];
        o->rng[slot[first + r]] = rng[r];
        memcpy(t->scratch.actions + full * heads, actions + (size_t)r * heads,
               heads * sizeof *actions);
    }
    return LU_OK;
}

static bool takes_best(const lu_trainer *t, const lu_net *net, int slot) {
    const train_roster *o = &t->roster;
    return lu_net_kind_of(net) == LU_NET_Q || (o->by_id && o->manner[slot].greedy);
}

/* The rows of a net's last pass, run by run of those that are to move in one manner. */
static lu_status choose_all(lu_trainer *t, int worker, int member, const int *slot, int rows,
                            lu_error *error) {
    const lu_net *net = t->roster.member[member].net;
    for (int from = 0, to; from < rows; from = to) {
        to = from + 1;
        if (slot_waits(t, slot[from])) {
            continue;
        }
        bool best = takes_best(t, net, slot[from]);
        while (to < rows && !slot_waits(t, slot[to]) && takes_best(t, net, slot[to]) == best) {
            to++;
        }
        LU_TRY(choose_run(t, worker, member, net, slot, from, to - from, best, error));
    }
    return LU_OK;
}

/* All rows of a net at once: its memory moves with every step, as that of a learner does. */
static lu_status act_together(lu_trainer *t, int worker, int member, const int *slot, int rows,
                              const float *observation, lu_error *error) {
    train_roster *o = &t->roster;
    const train_worker *w = &t->worker[worker];
    const lu_opponent *who = &o->member[member];
    size_t n = (size_t)lu_net_inputs(who->net),
           bytes = lu_net_memory_floats(who->net) * sizeof(float);
    float *memory = o->block + (size_t)worker * LU_BLOCK_ROWS * o->block_floats;
    for (int r = 0; r < rows; r++) {
        int full = o->full[slot[r]], age = t->frames.depth > 1 ? t->frames.age[full / t->seats] : 0;
        frames_stack(t, lu_net_frames(who->net), observation, full, age,
                     sight_of(t, slot[r], observation), w->seen + (size_t)r * n);
        memcpy((char *)memory + (size_t)r * bytes, roster_memory(o, slot[r]), bytes);
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
    for (int r = 0; r < rows; r++) {
        memcpy(roster_memory(o, slot[r]), (char *)memory + (size_t)r * bytes, bytes);
    }
    return choose_all(t, worker, member, slot, rows, error);
}

/* Nothing: the first legal option of every head, which is 0 where that is legal. */
static lu_status act_late(lu_trainer *t, int worker, int member, int slot, lu_error *error) {
    const train_worker *w = &t->worker[worker];
    memset(w->logits, 0, t->logits_stride * sizeof *w->logits);
    return choose_run(t, worker, member, NULL, &slot, 0, 1, true, error);
}

lu_status roster_act(lu_trainer *t, int worker, const train_shard *s, const float *observation,
                     lu_error *error) {
    train_roster *o = &t->roster;
    int first = roster_slot(o, s->first), end = roster_slot(o, s->first + s->count);
    lu_status status = LU_OK;
    for (int m = 0; m < o->members && status == LU_OK; m++) {
        int together[LU_BLOCK_ROWS], rows = 0;
        for (int slot = first; slot < end; slot++) {
            if (o->who[slot] != m) {
                continue;
            }
            if (is_late(t, slot, observation)) {
                LU_TRY(act_late(t, worker, m, slot, error));
            } else if (o->member[m].net) {
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

/* ---- ends ---- */

/* Whether a flag of the game says who has won; -1: the return does. As matches count (contest.h).
 */
static int won_index(const lu_game *game) {
    int info = lu_game_info_index(game, "won");
    return info >= 0 && game->info[info].kind == LU_INFO_FLAG ? info : -1;
}

/* Points of the learner of an environment, counted from the first that may have opponents, against
 * the mean of the others: 1, 0.5 or 0. */
static double points_of(const lu_trainer *t, int environment, double own_return) {
    const train_roster *o = &t->roster;
    size_t infos = (size_t)t->game->infos;
    int won = won_index(t->game), first = environment * o->others;
    const double *info = t->scratch.final_info;
    double own = own_return, theirs = 0.0;
    if (won >= 0) {
        own = info[(size_t)t->row_full[o->row[environment]] * infos + (size_t)won];
    }
    for (int slot = first; slot < first + o->others; slot++) {
        theirs +=
            won >= 0 ? info[(size_t)o->full[slot] * infos + (size_t)won] : o->manner[slot].returns;
    }
    theirs /= o->others;
    return own > theirs ? 1.0 : own < theirs ? 0.0 : 0.5;
}

static void note_returns(const lu_trainer *t, int environment) {
    const train_roster *o = &t->roster;
    int first = environment * o->others;
    for (int slot = first; slot < first + o->others; slot++) {
        o->manner[slot].returns += (double)t->scratch.reward[o->full[slot]];
    }
}

/* An episode has begun by the rules of the one before: where others are wanted, it begins again. */
static void settle_rules(lu_trainer *t, int environment, const lu_buffers *buffers) {
    int wanted = roster_rules(&t->roster, environment - t->roster.first);
    if (wanted != lu_vec_rules(t->vec, environment)) {
        lu_vec_choose_rules(t->vec, environment, wanted);
        lu_vec_reset_one(t->vec, environment, buffers);
    }
}

void roster_note(lu_trainer *t, const train_shard *s, int step, const lu_buffers *buffers) {
    train_roster *o = &t->roster;
    int shard = (int)(s - t->shard);
    const float *final = t->scratch.finals + (size_t)step * (size_t)t->rows;
    for (int e = at_least(s->first, o->from); e < s->first + s->count; e++) {
        int other = e - o->first;
        if (o->by_id) {
            note_returns(t, other);
        }
        if (!(t->scratch.terminated[e] | t->scratch.truncated[e])) {
            continue;
        }
        double own = (double) final[o->row[other]];
        double points = o->by_id ? points_of(t, other, own) : 0.0;
        for (int i = 0; i < o->others; i++) {
            train_met *met = &o->met[shard * o->members + o->who[other * o->others + i]];
            met->episodes += 1.0;
            met->returns += own;
            met->wins += points == 1.0;
            met->draws += points == 0.5;
        }
        roster_seat(t, other);
        if (o->other_rules) {
            settle_rules(t, e, buffers);
        }
    }
}
