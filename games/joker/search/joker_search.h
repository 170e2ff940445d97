/* Joker, search: a player for whole runs, made of the parts: the round by rule or by rollouts, the
 * shop by the measured strength of builds. It sees what the player sees.
 * Ownership: a joker_player belongs to the caller. Threads: no state. */
#pragma once

#include "search/joker_search_shop.h"

/* Room to think in; nothing in it lasts from one decision to the next. */
typedef struct joker_player {
    joker_sim sim;
    joker_state scratch;
} joker_player;

LU_INLINE joker_action joker_action_of(int type, int index, uint16_t chosen) {
    joker_action action = {type, index, 0, chosen};
    return action;
}

/* What a shop or pack is measured with: the same rounds at every decision in it, so that what was
 * begun by selling a joker is ended by buying another. */
LU_INLINE uint64_t joker_shop_seed(const joker_state *s) {
    return lu_mix(20261115u, (uint64_t)s->round, (uint64_t)s->rerolls);
}

/* ---- order ---- */

/* A move that brings the jokers closer to a good order; false when they are in it. */
LU_INLINE bool joker_decide_order(joker_player *p, const joker_rules *m, const joker_state *s,
                                  joker_action *action) {
    joker_state *t = &p->scratch;
    if (s->jokers < 2) {
        return false;
    }
    for (int i = 0; i < s->jokers; i++) {
        if (s->joker[i].flags & JOKER_DOWN) {
            return false;
        }
    }
    joker_copy_state(t, s);
    joker_arrange(m, t);
    for (int i = 0; i < s->jokers; i++) {
        if (s->joker[i].order == t->joker[i].order) {
            continue;
        }
        for (int k = i + 1; k < s->jokers; k++) {
            if (s->joker[k].order == t->joker[i].order) {
                *action = joker_action_of(JOKER_ACT_MOVE_JOKER, k, 0);
                action->to = i;
                return true;
            }
        }
    }
    return false;
}

/* ---- consumables in the bag ---- */

/* Whether a consumable is to be used now; `targets` = the cards it would be used on. */
LU_INLINE bool joker_use_now(const joker_state *s, int id, uint16_t targets) {
    switch (id) {
    case JOKER_C_HERMIT:
        return s->money >= 12 || (s->phase == JOKER_PLAY && s->ante >= 8);
    case JOKER_C_WRAITH:
        return s->money < 10;
    case JOKER_C_HEX:
    case JOKER_C_ANKH:
        return s->jokers == 1;
    case JOKER_C_OUIJA:
    case JOKER_C_INCANTATION:
    case JOKER_C_TOWER:
        return false;
    case JOKER_C_ECTOPLASM:
        return s->ectoplasms == 0;
    default:
        break;
    }
    bool cards = joker_consumable_facts[id].choose_max > 0;
    return !cards || (s->phase == JOKER_PLAY && targets);
}

LU_INLINE bool joker_decide_bag(const joker_rules *m, const joker_state *s, joker_action *action) {
    for (int i = 0; i < s->bag; i++) {
        int id = s->consumable[i].id;
        bool hidden = false;
        if (joker_consumable_facts[id].set == JOKER_PLANET &&
            joker_has_voucher(s, JOKER_V_OBSERVATORY) && joker_room_bag(s) > 0) {
            continue;
        }
        for (int k = 0; k < s->held; k++) {
            hidden = hidden || s->card[s->hand[k]].flags & JOKER_CARD_DOWN;
        }
        if (hidden && joker_consumable_facts[id].choose_max > 0) {
            continue;
        }
        uint16_t targets = joker_pick_targets(s, id);
        if (joker_can_use_consumable(m, s, i, targets) && joker_use_now(s, id, targets)) {
            *action = joker_action_of(JOKER_ACT_USE, i, targets);
            return true;
        }
    }
    return false;
}

/* ---- packs ---- */

LU_INLINE joker_action joker_decide_pack(joker_player *p, const joker_rules *m,
                                         const joker_state *s, const joker_skill *skill) {
    joker_situation now;
    uint64_t seed = joker_shop_seed(s);
    joker_action best = joker_action_of(JOKER_ACT_SKIP_PACK, 0, 0);
    double most = 0.0;
    joker_situation_of(&p->sim, m, s, skill, seed, &now);
    int sell = -1;
    for (int i = 0; i < JOKER_PACK_MAX; i++) {
        const joker_item *item = &s->shown[i];
        double value = -1.0;
        uint16_t targets = 0;
        int instead = -1;
        if (item->kind == JOKER_KIND_JOKER) {
            joker_wish wish =
                joker_wish_for(&p->sim, &p->scratch, m, s, skill, &now, &item->joker, 0, seed);
            value = wish.gain;
            instead = wish.instead;
        } else if (item->kind == JOKER_KIND_CARD) {
            value = joker_card_quality(s, &item->card, joker_deck_suit(s)) > 16.0 ? 0.02 : -1.0;
        } else if (item->kind == JOKER_KIND_CONSUMABLE) {
            targets = joker_pick_targets(s, item->id);
            if (!joker_can_use(m, s, item->id, targets)) {
                continue;
            }
            value =
                joker_consumable_facts[item->id].set == JOKER_PLANET
                    ? joker_planet_value(&p->sim, &p->scratch, m, s, skill, &now, item->id, seed) +
                          0.005
                    : joker_consumable_value(s, item->id, now.dollar);
        }
        if (value > most) {
            most = value;
            best = joker_action_of(JOKER_ACT_PICK_PACK, i, targets);
            sell = instead;
        }
    }
    return best.type == JOKER_ACT_PICK_PACK && sell >= 0
               ? joker_action_of(JOKER_ACT_SELL_JOKER, sell, 0)
               : best;
}

/* ---- the shop ---- */

/* Takes an offer over the best so far. */
LU_INLINE void joker_prefer(double gain, joker_action action, double *most, joker_action *best) {
    if (gain > *most) {
        *most = gain;
        *best = action;
    }
}

LU_INLINE joker_action joker_decide_shop(joker_player *p, const joker_rules *m,
                                         const joker_state *s, const joker_skill *skill) {
    joker_situation now;
    uint64_t seed = joker_shop_seed(s);
    joker_action best = joker_action_of(JOKER_ACT_NEXT_ROUND, 0, 0);
    double most = 0.0;
    joker_situation_of(&p->sim, m, s, skill, seed, &now);
    for (int i = 0; i < JOKER_SHOP_MAX; i++) {
        const joker_item *item = &s->shop[i];
        if (item->kind == JOKER_KIND_JOKER) {
            joker_wish wish = joker_wish_for(&p->sim, &p->scratch, m, s, skill, &now, &item->joker,
                                             item->price, seed);
            joker_action action = joker_action_of(JOKER_ACT_BUY, i, 0);
            if (wish.instead >= 0) {
                action = joker_action_of(JOKER_ACT_SELL_JOKER, wish.instead, 0);
            }
            joker_prefer(wish.gain, action, &most, &best);
        } else if (item->kind == JOKER_KIND_CONSUMABLE && joker_can_pay(s, item->price)) {
            double cost = now.dollar * joker_cost(s, item->price);
            bool planet = joker_consumable_facts[item->id].set == JOKER_PLANET;
            double value =
                planet ? joker_planet_value(&p->sim, &p->scratch, m, s, skill, &now, item->id, seed)
                       : joker_consumable_value(s, item->id, now.dollar);
            if (planet && joker_can_buy_and_use(m, s, i, 0)) {
                joker_prefer(value - cost, joker_action_of(JOKER_ACT_BUY_AND_USE, i, 0), &most,
                             &best);
            } else if (!planet && joker_can_buy(m, s, i)) {
                joker_prefer(value - cost, joker_action_of(JOKER_ACT_BUY, i, 0), &most, &best);
            }
        }
    }
    for (int i = 0; i < JOKER_SHOP_PACKS; i++) {
        if (joker_can_buy_pack(m, s, i)) {
            double gain =
                joker_pack_value(s, s->pack[i].id) - now.dollar * joker_cost(s, s->pack[i].price);
            joker_prefer(gain, joker_action_of(JOKER_ACT_BUY_PACK, i, 0), &most, &best);
        }
    }
    for (int i = 0; i < JOKER_SHOP_VOUCHERS; i++) {
        if (joker_can_buy_voucher(m, s, i)) {
            double gain = joker_voucher_value(s, s->voucher[i].id) -
                          now.dollar * joker_cost(s, s->voucher[i].price);
            joker_prefer(gain, joker_action_of(JOKER_ACT_BUY_VOUCHER, i, 0), &most, &best);
        }
    }
    if (best.type == JOKER_ACT_NEXT_ROUND && joker_can_reroll(m, s)) {
        int price = joker_reroll_price(m, s);
        int reserve = price ? now.reserve + 4 : -s->spending_floor;
        if (s->money - price >= reserve && s->rerolls < 12) {
            best = joker_action_of(JOKER_ACT_REROLL, 0, 0);
        }
    }
    return best;
}

/* ---- the round ---- */

/* The least useful joker, for Verdant Leaf. */
LU_INLINE int joker_weakest(joker_player *p, const joker_rules *m, const joker_state *s) {
    int weakest = -1;
    double most = -1e9;
    for (int i = 0; i < s->jokers; i++) {
        if (s->joker[i].flags & JOKER_ETERNAL) {
            continue;
        }
        joker_copy_state(&p->scratch, s);
        joker_lose_joker(&p->scratch, i);
        joker_cards_debuff(&p->scratch);
        double worth = joker_lineup_worth(m, &p->scratch);
        if (worth > most) {
            most = worth;
            weakest = i;
        }
    }
    return weakest;
}

/* A Luchador that is seen and would act when sold; -1 = none. */
LU_INLINE int joker_luchador(const joker_state *s) {
    const uint32_t bars = JOKER_ETERNAL | JOKER_DOWN;
    for (int i = 0; i < s->jokers; i++) {
        const joker_joker *joker = &s->joker[i];
        if (joker->id == JOKER_J_LUCHADOR && !(joker->flags & bars) && joker_live(joker)) {
            return i;
        }
    }
    return -1;
}

LU_INLINE joker_action joker_decide_round(joker_player *p, const joker_rules *m,
                                          const joker_state *s, const joker_skill *skill,
                                          lu_rng *rng) {
    if (joker_active_boss(s) == JOKER_BL_FINAL_LEAF && s->jokers > 0) {
        int weakest = joker_weakest(p, m, s);
        if (weakest >= 0) {
            return joker_action_of(JOKER_ACT_SELL_JOKER, weakest, 0);
        }
    }
    if (joker_active_boss(s) != JOKER_NONE) {
        int luchador = joker_luchador(s);
        if (luchador >= 0) {
            return joker_action_of(JOKER_ACT_SELL_JOKER, luchador, 0);
        }
    }
    joker_option option;
    if (skill->round_samples > 0) {
        option = joker_search_round(&p->sim, m, s, skill->round_samples, rng);
    } else {
        joker_sim_start(&p->sim, m, s);
        joker_draw_anew(&p->sim.state, rng);
        joker_state *t = &p->sim.state;
        joker_choice best = joker_quick_play(&p->sim.rules, t);
        double missing = s->target - s->score;
        uint16_t thrown = 0;
        if (best.score < missing && s->discards > 0 && best.score * s->hands < missing * 1.15) {
            thrown = joker_rule_discard(&p->sim.rules, t, best.score);
        }
        option.discard = thrown != 0;
        option.chosen = thrown ? thrown : best.chosen;
    }
    return joker_action_of(option.discard ? JOKER_ACT_DISCARD : JOKER_ACT_PLAY, 0, option.chosen);
}

/* ---- whatever is up ---- */

LU_INLINE joker_action joker_decide(joker_player *p, const joker_rules *m, const joker_state *s,
                                    const joker_skill *skill, lu_rng *rng) {
    joker_action action;
    if (s->pack_open) {
        return joker_decide_pack(p, m, s, skill);
    }
    if (s->phase != JOKER_CASH_OUT && joker_decide_bag(m, s, &action)) {
        return action;
    }
    switch (s->phase) {
    case JOKER_BLIND_SELECT:
        if (joker_decide_order(p, m, s, &action)) {
            return action;
        }
        return joker_action_of(JOKER_ACT_SELECT_BLIND, 0, 0);
    case JOKER_CASH_OUT:
        return joker_action_of(JOKER_ACT_CASH_OUT, 0, 0);
    case JOKER_SHOP:
        return joker_decide_shop(p, m, s, skill);
    default:
        return joker_decide_round(p, m, s, skill, rng);
    }
}
