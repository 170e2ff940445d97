/* joker-plan-v1: the full rules behind one list of choices. The player decides what a run turns on:
 * which blinds to play, what to buy, pick and use, when to go on; the planner does the handwork:
 * which cards to play or discard (by rule, or by rollouts when the setting `rollouts` says so),
 * which cards a consumable is used on, the order of the jokers, which joker makes room for a better
 * one. The observation lists the choices with what they are about, their price and what typical
 * hands would gain. The planner sees what the player sees: its own draws come from the count of
 * decisions. Part of joker.c. */
#pragma once

#include "search/joker_search.h"
#include "variants/joker_full.h"
#include "variants/joker_plan_layout.h"

/* ---- kinds of choices ---- */

/* The kind of a choice and its number among them. */
LU_INLINE int joker_choice_kind(int choice, int *number) {
    const int first[] = {JOKER_CHOICE_BUY,  JOKER_CHOICE_VOUCHER, JOKER_CHOICE_PACK,
                         JOKER_CHOICE_PICK, JOKER_CHOICE_USE,     JOKER_CHOICES};
    *number = 0;
    if (choice < JOKER_CHOICE_BUY) {
        return choice;
    }
    int kind = 0;
    while (choice >= first[kind + 1]) {
        kind++;
    }
    *number = choice - first[kind];
    return JOKER_CHOICE_BUY + kind;
}

enum {
    JOKER_CHOICE_KIND_BUY = JOKER_CHOICE_BUY,
    JOKER_CHOICE_KIND_VOUCHER,
    JOKER_CHOICE_KIND_PACK,
    JOKER_CHOICE_KIND_PICK,
    JOKER_CHOICE_KIND_USE
};

/* ---- making room ---- */

/* What the build is worth without each joker, and as it is. */
typedef struct joker_rest {
    double hands[JOKER_ROW_MAX], side[JOKER_ROW_MAX];
} joker_rest;

typedef struct joker_measure {
    double hands, side; /* mean logarithm of typical hands; what they do not show */
} joker_measure;

/* Measures the build of a scratch state, whose jokers are put in order. */
LU_INLINE joker_measure joker_measure_build(const joker_rules *m, joker_state *t) {
    joker_measure measure;
    joker_arrange(m, t);
    measure.hands = joker_lineup_worth(m, t);
    measure.side = joker_sides_of(t, joker_rounds_left(m, t));
    return measure;
}

LU_INLINE void joker_rest_of(const joker_rules *m, const joker_state *s, joker_state *scratch,
                             joker_rest *rest) {
    for (int i = 0; i < s->jokers; i++) {
        joker_copy_state(scratch, s);
        joker_lose_joker(scratch, i);
        joker_measure measure = joker_measure_build(m, scratch);
        rest->hands[i] = measure.hands;
        rest->side[i] = measure.side;
    }
}

/* Whether selling this joker makes room for another of that price. A Negative one takes no slot, a
 * ripe Invisible Joker fills its own again, and what a joker lets the player owe goes with it. */
LU_INLINE bool joker_frees(const joker_state *s, int i, int price) {
    const joker_joker *joker = &s->joker[i];
    const joker_row *row = joker_row_of(joker);
    int room = joker_room_jokers(s) + (joker->edition == JOKER_NEGATIVE ? 0 : 1);
    bool refills = row->call == JOKER_DO_INVISIBLE && joker->a >= row->of && joker_live(joker);
    int floor = s->spending_floor - (joker->flags & JOKER_DEBUFFED ? 0 : row->floor);
    return room > 0 && !refills && !(joker->flags & JOKER_ETERNAL) &&
           (price <= 0 || s->money + joker_sell_value(joker) + floor >= price);
}

/* The joker that is missed least of those that make room; -1 = none. */
LU_INLINE int joker_spare(const joker_state *s, const joker_rest *rest, int price) {
    int spare = -1;
    for (int i = 0; i < s->jokers; i++) {
        if (joker_frees(s, i, price) && (spare < 0 || rest->hands[i] + rest->side[i] >
                                                          rest->hands[spare] + rest->side[spare])) {
            spare = i;
        }
    }
    return spare;
}

/* Whether a joker on offer has no room of its own. */
LU_INLINE bool joker_crowded(const joker_state *s, const joker_joker *joker) {
    return joker->edition != JOKER_NEGATIVE && !joker_has_room_joker(s);
}

LU_INLINE bool joker_can_replace(const joker_state *s, int price) {
    for (int i = 0; i < s->jokers; i++) {
        if (joker_frees(s, i, price)) {
            return true;
        }
    }
    return false;
}

/* ---- what is legal ---- */

LU_INLINE bool joker_hand_hidden(const joker_state *s) {
    for (int i = 0; i < s->held; i++) {
        if (s->card[s->hand[i]].flags & JOKER_CARD_DOWN) {
            return true;
        }
    }
    return false;
}

LU_INLINE bool joker_plan_may_use(const joker_rules *m, const joker_state *s, int i) {
    int id = s->consumable[i].id;
    if (joker_consumable_facts[id].choose_max > 0 && joker_hand_hidden(s)) {
        return false;
    }
    return joker_can_use_consumable(m, s, i, joker_pick_targets(s, id));
}

/* How a card of the shop is bought: its type of action, or -1. */
LU_INLINE int joker_plan_buying(const joker_rules *m, const joker_state *s, int i) {
    const joker_item *item = &s->shop[i];
    if (item->kind == JOKER_KIND_JOKER && joker_crowded(s, &item->joker)) {
        return joker_can_replace(s, item->price) ? JOKER_ACT_BUY : -1;
    }
    if (item->kind == JOKER_KIND_CONSUMABLE) {
        bool planet = joker_consumable_facts[item->id].set == JOKER_PLANET;
        bool at_once =
            joker_consumable_facts[item->id].choose_max == 0 && joker_can_buy_and_use(m, s, i, 0);
        if (at_once && (planet || !joker_can_buy(m, s, i))) {
            return JOKER_ACT_BUY_AND_USE;
        }
    }
    return joker_can_buy(m, s, i) ? JOKER_ACT_BUY : -1;
}

LU_INLINE bool joker_plan_may_pick(const joker_rules *m, const joker_state *s, int i) {
    const joker_item *item = &s->shown[i];
    if (item->kind == JOKER_KIND_CONSUMABLE) {
        return joker_can_use(m, s, item->id, joker_pick_targets(s, item->id));
    }
    if (item->kind == JOKER_KIND_JOKER && joker_crowded(s, &item->joker)) {
        return joker_can_replace(s, 0);
    }
    return joker_can_pick(m, s, i);
}

LU_INLINE uint32_t joker_plan_shop(const joker_rules *m, const joker_state *s) {
    uint32_t legal = 1u << JOKER_CHOICE_LEAVE;
    legal |= joker_can_reroll(m, s) ? 1u << JOKER_CHOICE_REROLL : 0u;
    for (int i = 0; i < JOKER_SHOP_MAX; i++) {
        legal |= joker_plan_buying(m, s, i) >= 0 ? 1u << (JOKER_CHOICE_BUY + i) : 0u;
    }
    for (int i = 0; i < JOKER_SHOP_VOUCHERS; i++) {
        legal |= joker_can_buy_voucher(m, s, i) ? 1u << (JOKER_CHOICE_VOUCHER + i) : 0u;
    }
    for (int i = 0; i < JOKER_SHOP_PACKS; i++) {
        legal |= joker_can_buy_pack(m, s, i) ? 1u << (JOKER_CHOICE_PACK + i) : 0u;
    }
    return legal;
}

/* All legal choices as bits. */
LU_INLINE uint32_t joker_plan_legal(const joker_rules *m, const joker_state *s) {
    uint32_t legal = 0;
    if (s->phase == JOKER_END) {
        return 0;
    }
    if (s->pack_open) {
        legal = 1u << JOKER_CHOICE_SKIP_PACK;
        for (int i = 0; i < JOKER_PACK_MAX; i++) {
            legal |= joker_plan_may_pick(m, s, i) ? 1u << (JOKER_CHOICE_PICK + i) : 0u;
        }
        return legal;
    }
    switch (s->phase) {
    case JOKER_CASH_OUT:
        return 1u << JOKER_CHOICE_CASH_OUT;
    case JOKER_BLIND_SELECT:
        legal = 1u << JOKER_CHOICE_SELECT;
        legal |= s->blind < 2 ? 1u << JOKER_CHOICE_SKIP : 0u;
        legal |= joker_can_reroll_boss(m, s) ? 1u << JOKER_CHOICE_REROLL_BOSS : 0u;
        break;
    case JOKER_PLAY:
        legal = s->hands > 0 && s->held > 0 ? 1u << JOKER_CHOICE_GO_ON : 0u;
        break;
    default:
        legal = joker_plan_shop(m, s);
        break;
    }
    for (int i = 0; i < s->bag; i++) {
        legal |= joker_plan_may_use(m, s, i) ? 1u << (JOKER_CHOICE_USE + i) : 0u;
    }
    return legal;
}

LU_INLINE void joker_plan_mask(const lu_rules *head, const void *bytes, int seat, uint8_t *mask) {
    uint32_t legal = joker_plan_legal(joker_rules_of(head), (const joker_state *)bytes);
    (void)seat;
    for (int i = 0; i < JOKER_CHOICES; i++) {
        mask[i] = legal >> i & 1u;
    }
}

/* ---- doing ---- */

/* Jokers into a good order, as a player drags them; those that lie face down stay. */
LU_INLINE void joker_plan_arrange(const joker_rules *m, joker_state *s) {
    for (int i = 0; i < s->jokers; i++) {
        if (s->joker[i].flags & JOKER_DOWN) {
            return;
        }
    }
    joker_arrange(m, s);
}

/* Sells the spare joker when the one that is about to come has no room. */
LU_INLINE void joker_plan_room(const joker_rules *m, joker_state *s, const joker_joker *joker,
                               int price) {
    joker_state scratch;
    joker_rest rest;
    if (joker_crowded(s, joker)) {
        joker_rest_of(m, s, &scratch, &rest);
        joker_sell_joker(m, s, joker_spare(s, &rest, price));
    }
}

/* What the planner does next in a round. */
LU_INLINE joker_action joker_plan_round(const joker_rules *m, const joker_state *s) {
    joker_player player;
    joker_skill skill = joker_skill_steady;
    lu_rng rng = lu_rng_from(lu_mix(20261116u, (uint64_t)s->steps, (uint64_t)s->round));
    skill.round_samples = m->rollouts;
    return joker_decide_round(&player, m, s, &skill, &rng);
}

/* Does a legal choice; the type of action goes to the record. */
LU_INLINE int joker_plan_do(const joker_rules *m, joker_state *s, int choice) {
    int i, kind = joker_choice_kind(choice, &i);
    joker_action action = joker_action_of(JOKER_ACT_CASH_OUT, i, 0);
    switch (kind) {
    case JOKER_CHOICE_GO_ON:
        action = joker_plan_round(m, s);
        break;
    case JOKER_CHOICE_SELECT:
        joker_plan_arrange(m, s);
        action.type = JOKER_ACT_SELECT_BLIND;
        break;
    case JOKER_CHOICE_SKIP:
        action.type = JOKER_ACT_SKIP_BLIND;
        break;
    case JOKER_CHOICE_LEAVE:
        action.type = JOKER_ACT_NEXT_ROUND;
        break;
    case JOKER_CHOICE_REROLL:
        action.type = JOKER_ACT_REROLL;
        break;
    case JOKER_CHOICE_REROLL_BOSS:
        action.type = JOKER_ACT_REROLL_BOSS;
        break;
    case JOKER_CHOICE_SKIP_PACK:
        action.type = JOKER_ACT_SKIP_PACK;
        break;
    case JOKER_CHOICE_KIND_BUY:
        action.type = joker_plan_buying(m, s, i);
        if (s->shop[i].kind == JOKER_KIND_JOKER) {
            joker_plan_room(m, s, &s->shop[i].joker, s->shop[i].price);
        }
        break;
    case JOKER_CHOICE_KIND_VOUCHER:
        action.type = JOKER_ACT_BUY_VOUCHER;
        break;
    case JOKER_CHOICE_KIND_PACK:
        action.type = JOKER_ACT_BUY_PACK;
        break;
    case JOKER_CHOICE_KIND_PICK:
        action.type = JOKER_ACT_PICK_PACK;
        if (s->shown[i].kind == JOKER_KIND_JOKER) {
            joker_plan_room(m, s, &s->shown[i].joker, 0);
        } else if (s->shown[i].kind == JOKER_KIND_CONSUMABLE) {
            action.chosen = joker_pick_targets(s, s->shown[i].id);
        }
        break;
    case JOKER_CHOICE_KIND_USE:
        action.type = JOKER_ACT_USE;
        action.chosen = joker_pick_targets(s, s->consumable[i].id);
        break;
    default:
        break;
    }
    joker_perform(m, s, &action);
    return action.type;
}

/* ---- what is seen of the build ---- */

/* (log of a round's score) - (log of a target), in [-1, 1] for factors up to e^6 */
LU_INLINE float joker_margin(double round, double target) {
    return joker_share(round - joker_log(target > 1.0 ? target : 1.0), 6.0);
}

LU_INLINE void joker_see_cards(const joker_state *s, float *o) {
    double owned = s->owned > 0 ? s->owned : 1;
    int faces = 0, suits[JOKER_SUITS] = {0, 0, 0, 0}, enhanced[JOKER_ENHANCEMENTS] = {0};
    for (int i = 0; i < JOKER_DECK_MAX; i++) {
        const joker_card *c = &s->card[i];
        if (c->rank) {
            faces += c->rank >= JOKER_JACK && c->rank <= JOKER_KING;
            suits[c->suit]++;
            enhanced[c->enhancement]++;
        }
    }
    o[JOKER_BUILD_FACES] = joker_share(faces, owned);
    for (int i = 0; i < JOKER_SUITS; i++) {
        o[JOKER_BUILD_SUITS + i] = joker_share(suits[i], owned);
    }
    for (int i = 1; i < JOKER_ENHANCEMENTS; i++) {
        o[JOKER_BUILD_ENHANCED + i - 1] = joker_share(enhanced[i], 16.0);
    }
}

/* Fills the group and tells what the build measures. Sums go over the jokers in the planner's
 * order, so that the order of those that lie face down shows nowhere. */
LU_INLINE joker_measure joker_see_build(const joker_rules *m, const joker_state *s,
                                        joker_state *scratch, float *o) {
    joker_worths worths;
    joker_measure now;
    double sum = 0.0, shares = 0.0, dollars = 0.0, bonus = 0.0;
    joker_copy_state(scratch, s);
    joker_arrange(m, scratch);
    joker_worths_of(m, scratch, 0, &worths);
    for (int hand = 0; hand < JOKER_HANDS; hand++) {
        o[JOKER_BUILD_HANDS + hand] = joker_digits(worths.of[hand]);
        o[JOKER_BUILD_LEVELS + hand] = joker_share(s->level[hand], 20.0);
        o[JOKER_BUILD_PLAYS + hand] = joker_share(s->plays[hand], 50.0);
        sum += joker_hand_share[hand] * joker_log(1.0 + worths.of[hand]);
        shares += joker_hand_share[hand];
    }
    for (int i = 0; i < scratch->jokers; i++) {
        for (size_t k = 0; k < sizeof joker_sides / sizeof *joker_sides; k++) {
            if (joker_sides[k].id == scratch->joker[i].id) {
                dollars += joker_sides[k].dollars;
                bonus += joker_sides[k].bonus;
            }
        }
    }
    now.hands = sum;
    now.side = joker_sides_of(scratch, joker_rounds_left(m, s));
    int hands = s->round_hands > 0 ? s->round_hands : 1;
    double round = sum / shares + joker_log(hands);
    int blind = s->blind == 0 ? JOKER_BL_SMALL : s->blind == 1 ? JOKER_BL_BIG : s->boss;
    o[JOKER_BUILD_WORTH] = joker_share(sum, 40.0);
    o[JOKER_BUILD_DOLLARS] = joker_share(dollars, 20.0);
    o[JOKER_BUILD_BONUS] = joker_share(bonus, 2.0);
    o[JOKER_BUILD_MARGIN] = joker_margin(round, joker_target(m, s, s->ante, blind));
    o[JOKER_BUILD_BOSS] = joker_margin(round, joker_target(m, s, s->ante, s->boss));
    o[JOKER_BUILD_NEXT] =
        joker_margin(round, 2.0 * joker_target(m, s, s->ante + 1, JOKER_BL_SMALL));
    joker_see_cards(s, o);
    return now;
}

/* ---- what is seen of the choices ---- */

/* What the choices of a state are measured with. */
typedef struct joker_plan {
    joker_state scratch;
    joker_measure now;
    joker_rest rest;
    bool rested; /* rest is filled */
} joker_plan;

LU_INLINE void joker_see_gain(const joker_plan *a, joker_measure then, float *o) {
    o[JOKER_CHOICE_HANDS] = joker_share(then.hands - a->now.hands, 4.0);
    o[JOKER_CHOICE_SIDE] = joker_share(then.side - a->now.side, 1.0);
}

LU_INLINE void joker_see_joker_choice(const joker_rules *m, const joker_state *s, joker_plan *a,
                                      const joker_joker *joker, int price, float *o) {
    int spare = -1;
    o[JOKER_CHOICE_THING] = (float)(JOKER_THING_JOKER + joker->id);
    o[JOKER_CHOICE_RARITY] = joker_share(joker_joker_facts[joker->id].rarity + 1, 4.0);
    if (joker->edition != JOKER_BASE) {
        o[JOKER_CHOICE_EDITION + joker->edition - 1] = 1.0f;
    }
    o[JOKER_CHOICE_ETERNAL] = joker->flags & JOKER_ETERNAL ? 1.0f : 0.0f;
    o[JOKER_CHOICE_PERISHABLE] = joker->flags & JOKER_PERISHABLE ? 1.0f : 0.0f;
    o[JOKER_CHOICE_RENTAL] = joker->flags & JOKER_RENTAL ? 1.0f : 0.0f;
    if (joker_crowded(s, joker)) {
        if (!a->rested) {
            joker_rest_of(m, s, &a->scratch, &a->rest);
            a->rested = true;
        }
        spare = joker_spare(s, &a->rest, price);
        o[JOKER_CHOICE_REPLACES] = 1.0f;
    }
    joker_copy_state(&a->scratch, s);
    joker_joker grown = *joker;
    joker_project(&grown);
    joker_with_joker(m, &a->scratch, &grown, spare);
    joker_see_gain(a, joker_measure_build(m, &a->scratch), o);
}

LU_INLINE void joker_see_consumable_choice(const joker_rules *m, const joker_state *s,
                                           joker_plan *a, int id, float *o) {
    o[JOKER_CHOICE_THING] = (float)(JOKER_THING_CONSUMABLE + id);
    if (joker_consumable_facts[id].set == JOKER_PLANET) {
        joker_copy_state(&a->scratch, s);
        joker_level_up(&a->scratch, joker_consumable_facts[id].hand, 1);
        joker_see_gain(a, joker_measure_build(m, &a->scratch), o);
    }
}

LU_INLINE void joker_see_item_choice(const joker_rules *m, const joker_state *s, joker_plan *a,
                                     const joker_item *item, int price, float *o) {
    if (item->kind == JOKER_KIND_JOKER) {
        joker_see_joker_choice(m, s, a, &item->joker, price, o);
    } else if (item->kind == JOKER_KIND_CONSUMABLE) {
        joker_see_consumable_choice(m, s, a, item->id, o);
    } else {
        o[JOKER_CHOICE_CARD] =
            joker_share(joker_card_quality(s, &item->card, joker_deck_suit(s)), 30.0);
    }
}

LU_INLINE void joker_see_price(const joker_state *s, int price, float *o) {
    o[JOKER_CHOICE_PRICE] = joker_share(price, 20.0);
    o[JOKER_CHOICE_MONEY] = joker_share(s->money - price, 50.0);
    o[JOKER_CHOICE_INTEREST] = joker_share(joker_cost(s, price) - price, 5.0);
}

LU_INLINE void joker_see_pack_choice(const joker_state *s, int i, float *o) {
    const joker_pack_fact *fact = &joker_pack_facts[s->pack[i].id];
    o[JOKER_CHOICE_THING] = (float)(JOKER_THING_PACK + (int)fact->kind);
    o[JOKER_CHOICE_PICKS] = joker_share(fact->picks, 2.0);
    o[JOKER_CHOICE_SHOWN] = joker_share(fact->shown, 5.0);
    joker_see_price(s, s->pack[i].price, o);
}

LU_INLINE void joker_see_choice(const joker_rules *m, const joker_state *s, joker_plan *a,
                                int choice, float *o) {
    int i, kind = joker_choice_kind(choice, &i);
    o[JOKER_CHOICE_LEGAL] = 1.0f;
    o[JOKER_CHOICE_KIND + kind] = 1.0f;
    switch (kind) {
    case JOKER_CHOICE_SKIP:
        o[JOKER_CHOICE_THING] =
            (float)(JOKER_THING_TAG + (s->blind == 0 ? s->tag_small : s->tag_big));
        break;
    case JOKER_CHOICE_REROLL:
        joker_see_price(s, joker_reroll_price(m, s), o);
        break;
    case JOKER_CHOICE_KIND_BUY:
        joker_see_price(s, s->shop[i].price, o);
        joker_see_item_choice(m, s, a, &s->shop[i], s->shop[i].price, o);
        break;
    case JOKER_CHOICE_KIND_VOUCHER:
        o[JOKER_CHOICE_THING] = (float)(JOKER_THING_VOUCHER + s->voucher[i].id);
        joker_see_price(s, s->voucher[i].price, o);
        break;
    case JOKER_CHOICE_KIND_PACK:
        joker_see_pack_choice(s, i, o);
        break;
    case JOKER_CHOICE_KIND_PICK:
        joker_see_item_choice(m, s, a, &s->shown[i], 0, o);
        break;
    case JOKER_CHOICE_KIND_USE:
        joker_see_consumable_choice(m, s, a, s->consumable[i].id, o);
        break;
    default:
        break;
    }
}

LU_INLINE void joker_plan_observe(const lu_rules *head, const void *bytes, int seat,
                                  uint64_t changed, float *o) {
    const joker_rules *m = joker_rules_of(head);
    const joker_state *s = (const joker_state *)bytes;
    joker_plan a;
    (void)seat;
    if (!changed) {
        return;
    }
    a.rested = false;
    joker_see_run(m, s, o + JOKER_PLAN_AT_RUN);
    joker_see_blind(s, o + JOKER_PLAN_AT_BLIND);
    joker_see_owned(s, o + JOKER_PLAN_AT_OWNED);
    a.now = joker_see_build(m, s, &a.scratch, o + JOKER_PLAN_AT_BUILD);
    joker_see_jokers(s, o + JOKER_PLAN_AT_JOKERS);
    o += JOKER_PLAN_AT_CHOICES;
    memset(o, 0, JOKER_CHOICES * JOKER_CHOICE_FIELDS * sizeof *o);
    uint32_t legal = joker_plan_legal(m, s);
    for (int i = 0; i < JOKER_CHOICES; i++, o += JOKER_CHOICE_FIELDS) {
        if (legal >> i & 1u) {
            joker_see_choice(m, s, &a, i, o);
        }
    }
}
