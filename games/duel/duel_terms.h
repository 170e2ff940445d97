/* The reward terms of duel: what one tick was worth to a fighter. Part of the rules.
 * Ownership: nothing is kept. Threads: no state. */
#pragma once

#include "duel_see.h"

LU_C_BEGIN

/* Food and brews left as share of the hitpoints they heal. */
LU_INLINE double duel_food_share(const duel_fighter *f) {
    double base = (double)f->base[DUEL_HITPOINTS];
    return (double)(f->food * duel_food_heals(f) + f->karambwan * DUEL_KARAMBWAN_HEALS) / base +
           (double)f->dose[DUEL_POTION_BREW] * (16.0 / 99.0);
}

LU_INLINE double duel_food_worth(const duel_rules *r, const duel_fighter *f) {
    double share = duel_food_share(f);
    return r->curved_food ? share * lu_pow(share + 1.2, 1.5) : share;
}

/* Terms of an attack that `by` made on `to`, for both. */
LU_INLINE void duel_attack_terms(const duel_fighter *by, const duel_fighter *to, double *mine,
                                 double *his) {
    const duel_turn *turn = &by->turn;
    const int boosted[DUEL_STYLES] = {DUEL_STRENGTH, DUEL_RANGED, DUEL_MAGIC};
    double ticks = (double)turn->speed / 5.0;
    int style = turn->style - 1;
    mine[turn->blocked ? DUEL_TERM_ATTACKED_WRONG : DUEL_TERM_ATTACKED_CORRECT] = ticks;
    his[turn->blocked ? DUEL_TERM_PROTECTED_CORRECT : DUEL_TERM_PROTECTED_WRONG] = ticks;
    mine[to->turn.was_shield == turn->style ? DUEL_TERM_ATTACKED_PREVIOUS_WRONG
                                            : DUEL_TERM_ATTACKED_PREVIOUS_CORRECT] = ticks;
    if (turn->shield) {
        his[turn->shield == 1 + turn->was_style ? DUEL_TERM_PROTECTED_PREVIOUS_CORRECT
                                                : DUEL_TERM_PROTECTED_PREVIOUS_WRONG] = ticks;
    }
    double level = (double)by->level[boosted[style]], base = (double)by->base[boosted[style]];
    mine[DUEL_TERM_HIT_WITH_BOOST] = level > base ? level / base - 1.0 : 0.0;
}

/* Terms of every tick. */
LU_INLINE void duel_tick_terms(const duel_rules *r, const duel_fighter *f, const duel_fighter *to,
                               double *t) {
    double full = (double)f->base[DUEL_HITPOINTS], his = (double)to->base[DUEL_HITPOINTS];
    double dealt = (double)((r->generated ? f->turn.decided + to->turn.extra : to->turn.splat));
    double received = (double)((r->generated ? to->turn.decided + f->turn.extra : f->turn.splat));
    t[DUEL_TERM_STEP] = 1.0;
    /* most ticks see nothing of this: what is 0 is there already */
    if ((dealt > 0.0) | (received > 0.0)) {
        t[DUEL_TERM_DAMAGE_DEALT] = dealt;
        t[DUEL_TERM_DAMAGE_RECEIVED] = received;
        t[DUEL_TERM_DEALT_SCALE] = dealt / his;
        t[DUEL_TERM_RECEIVED_SCALE] = received / full;
        t[DUEL_TERM_SMITE_DEALT] = f->turn.smote ? (double)f->turn.decided / his : 0.0;
        t[DUEL_TERM_SMITE_RECEIVED] = to->turn.smote ? (double)to->turn.decided / full : 0.0;
    }
    if (f->turn.healed | to->turn.healed) {
        t[DUEL_TERM_HEAL] = (double)f->turn.healed / full;
        t[DUEL_TERM_TARGET_HEAL] = (double)to->turn.healed / his;
    }
    t[DUEL_TERM_TARGET_FROZEN] = (double)to->turn.frozen;
    t[DUEL_TERM_PLAYER_FROZEN] = (double)f->turn.frozen;
    t[DUEL_TERM_NO_PRAYER] = (double)duel_flag(f->level[DUEL_PRAYER] == 0);
    const int levels[5] = {DUEL_ATTACK, DUEL_STRENGTH, DUEL_DEFENCE, DUEL_RANGED, DUEL_MAGIC};
    /* a division costs less than a wrong guess, and four at once cost as one */
    double over[DUEL_LEVELS];
    for (int k = 0; k < 4; k++) {
        over[k] = (double)f->level[k] / (double)f->base[k] - 1.0;
    }
    for (int k = 3; k < 7; k++) {
        over[k] = (double)f->level[k] / (double)f->base[k] - 1.0;
    }
    for (int k = 0; k < 5; k++) {
        t[DUEL_TERM_ATTACK_LEVEL + k] = over[levels[k]];
    }
    if (f->turn.meals) {
        t[DUEL_TERM_SAFE] = r->safe_by_share ? (double)f->turn.hitpoints_at_meal / full : 1.0;
        t[DUEL_TERM_WASTED_FOOD] = (double)f->turn.wasted / full;
    }
}

/* Terms of the end. */
LU_INLINE void duel_end_terms(const duel_rules *r, const duel_fighter *f, const duel_fighter *to,
                              bool won, bool lost, double *t) {
    if (won) {
        t[DUEL_TERM_WIN] = 1.0;
        t[DUEL_TERM_HEALTH_PRESERVED] =
            (double)f->level[DUEL_HITPOINTS] / (double)f->base[DUEL_HITPOINTS];
        t[DUEL_TERM_TARGET_DIED_WITH_FOOD] = duel_food_worth(r, to);
    } else if (lost) {
        t[DUEL_TERM_LOSE] = 1.0;
        t[DUEL_TERM_DIED_WITH_FOOD] = duel_food_worth(r, f);
    } else {
        t[DUEL_TERM_TIE] = 1.0;
    }
}

LU_C_END
