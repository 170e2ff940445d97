/* The win-rate predictor of a training (train.win_rate): how episodes of the batch ended, and one
 * pass over some steps of those that did, after the policy has learned. One thread, one order. */
#include "ppo_internal.h"

#include "ludus/math.h"
#include "ludus/win_rate.h"

#include <string.h>

enum {
    STEPS_OF_EPISODE = 5, /* that are learned at most */
    MINIBATCH = 256,
};
static const double rate = 1e-3;

lu_status ppo_win_read(ppo_trainer *t, lu_error *error) {
    const lu_game *game = t->base.game;
    t->win.on = train_bool(&t->base, "win_rate");
    t->win.info = lu_game_info_index(game, "won");
    bool known = t->win.info >= 0 && game->info[t->win.info].kind == LU_INFO_FLAG;
    return !t->win.on || known ? LU_OK
                               : lu_fail(error, LU_BAD_VALUE,
                                         "'train.win_rate' learns from the flag 'won' at the end "
                                         "of an episode, but %s has none: turn it off",
                                         game->id);
}

void ppo_win_lay(ppo_trainer *t, train_taker *k) {
    ppo_win *w = &t->win;
    size_t count = w->on ? lu_win_rate_count(t->base.observation) : 0;
    TRAIN_TAKE(k, w->parameters, count);
    TRAIN_TAKE(k, w->gradient, count);
    TRAIN_TAKE(k, w->first, count);
    TRAIN_TAKE(k, w->second, count);
    TRAIN_TAKE(k, w->x, w->on ? (size_t)t->base.inputs : 0);
}

void ppo_win_start(ppo_trainer *t) {
    if (t->win.on) {
        lu_win_rate_init(t->win.parameters, t->base.observation,
                         lu_mix(t->base.seed, TRAIN_STREAM_WIN, 0));
        t->base.win_rate = t->win.parameters;
    }
}

/* 2 for a win, 1 for a draw: nobody has won in a game for several, 0 for the rest. */
uint8_t ppo_win_outcome(const ppo_trainer *t, int row) {
    const lu_trainer *b = &t->base;
    int environment = b->row_env[row], winners = 0;
    for (int seat = 0; seat < b->seats; seat++) {
        size_t full = (size_t)(environment * b->seats + seat);
        bool won = b->scratch.final_info[full * (size_t)b->game->infos + (size_t)t->win.info] != 0;
        if (won && seat == b->row_seat[row]) {
            return 2;
        }
        winners += won;
    }
    return b->seats > 1 && winners == 0 ? 1 : 0;
}

/* ---- learning ---- */

/* One step of the batch. */
static void learn_step(ppo_trainer *t, int step, int row, uint8_t outcome) {
    ppo_win *w = &t->win;
    const lu_trainer *b = &t->base;
    int n = b->observation;
    const float *seen = ppo_slot(t, step) + (size_t)b->row_full[row] * (size_t)b->inputs;
    if (t->kept) {
        lu_net_kept_row(b->net, seen, w->x);
    } else {
        lu_win_rate_see(lu_trainer_normaliser(b), n, seen, w->x);
    }
    double won = 0.5 * outcome;
    double p = lu_win_rate_learn(w->parameters, n, w->x, won, 1.0f / MINIBATCH, w->gradient);
    w->seen += 1.0;
    w->loss -= won * lu_log(p + 1e-12) + (1.0 - won) * lu_log(1.0 - p + 1e-12);
    w->right += outcome == 1 ? 0.5 : (p > 0.5) == (outcome == 2);
    if (++w->filled == MINIBATCH) {
        lu_win_rate_step(w->parameters, n, w->gradient, w->first, w->second, ++w->steps, rate);
        w->filled = 0;
    }
}

/* Some steps of an episode that lasted from `first` to `last` in this batch. */
static void learn_episode(ppo_trainer *t, int row, int first, int last) {
    int chosen[STEPS_OF_EPISODE], count = at_most(last - first + 1, STEPS_OF_EPISODE);
    uint8_t outcome = t->win.outcome[(size_t)last * (size_t)t->base.rows + (size_t)row];
    lu_rng rng = lu_rng_from(
        lu_mix(lu_mix(t->base.seed, TRAIN_STREAM_WIN, ppo_time(t, last) + 1), (uint64_t)row, 0));
    for (int i = 0; i < count; i++) {
        bool taken = true;
        while (taken) {
            chosen[i] = first + (int)lu_rng_below(&rng, (uint32_t)(last - first + 1));
            taken = false;
            for (int k = 0; k < i; k++) {
                taken = taken || chosen[k] == chosen[i];
            }
        }
        learn_step(t, chosen[i], row, outcome);
    }
}

/* By step, then row: neighbours of a minibatch are of different episodes. */
void ppo_win_learn(ppo_trainer *t) {
    ppo_win *w = &t->win;
    const lu_trainer *b = &t->base;
    w->seen = w->loss = w->right = 0.0;
    for (int step = 0; step < b->horizon && w->on; step++) {
        for (int row = 0; row < b->rows; row++) {
            size_t at = (size_t)step * (size_t)b->rows + (size_t)row;
            if (!(t->batch.flags[at] & (LU_END_TERMINATED | LU_END_TRUNCATED))) {
                continue;
            }
            int first = step;
            while (first > 0 &&
                   !(t->batch.flags[(size_t)first * (size_t)b->rows + (size_t)row] & FLAG_START)) {
                first--;
            }
            learn_episode(t, row, first, step);
        }
    }
}

void ppo_win_tell(const ppo_trainer *t, lu_progress *p) {
    const ppo_win *w = &t->win;
    if (w->on) {
        double seen = w->seen > 0.0 ? w->seen : 1.0;
        train_figure(p, "win_loss", w->loss / seen);
        train_figure(p, "win_right", w->right / seen);
    }
}

void ppo_win_walk(walk *w, ppo_trainer *t) {
    ppo_win *own = &t->win;
    size_t bytes = own->on ? lu_win_rate_count(t->base.observation) * sizeof(float) : 0;
    walk_piece(w, own->parameters, bytes);
    walk_piece(w, own->gradient, bytes);
    walk_piece(w, own->first, bytes);
    walk_piece(w, own->second, bytes);
    walk_piece(w, &own->steps, own->on ? sizeof own->steps : 0);
    walk_piece(w, &own->filled, own->on ? sizeof own->filled : 0);
}
