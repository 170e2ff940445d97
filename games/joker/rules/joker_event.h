/* Joker, part: what jokers do outside scoring. Each hook is called at its moment for the whole row,
 * left to right. A joker that ends at such a moment leaves the row when all others have been asked.
 * Copies by Blueprint and Brainstorm act where the real joker would pay out, never where it grows.
 * Ownership: nothing is owned. Threads: no state. */
#pragma once

#include "ludus/linkage.h"

#include "rules/joker_gain.h"

LU_C_BEGIN

/* ---- hooks: cards come and go ---- */

/* Playing cards joined the deck. */
LU_INLINE void joker_on_card_added(const joker_rules *m, joker_state *s, int count) {
    (void)m;
    joker_row_added(s->joker, s->jokers, count);
}

/* Adds a card to the deck and to a zone; a full hand sends it under the draw pile. */
LU_INLINE int joker_gain_card(const joker_rules *m, joker_state *s, const joker_card *made,
                              int zone) {
    if (zone == JOKER_ZONE_HAND && s->held >= JOKER_HAND_MAX) {
        s->full[JOKER_FULL_HAND]++;
        zone = JOKER_ZONE_DRAW;
    }
    int index = joker_add_card(m, s, made, zone);
    if (index >= 0) {
        joker_card_changed(s, index);
        joker_on_card_added(m, s, 1);
    }
    return index;
}

/* Playing cards were destroyed: `index` are their places, the cards are still as they were. */
LU_INLINE void joker_on_cards_lost(const joker_rules *m, joker_state *s, const uint8_t *index,
                                   int count) {
    uint32_t rules = joker_rule_bits(s), marks[JOKER_HAND_MAX] = {0};
    (void)m;
    for (int i = 0; i < count; i++) {
        marks[i] = joker_marks(s, &s->card[index[i]], rules);
    }
    joker_row_lost(s->joker, s->jokers, marks, count);
}

/* Destroys cards that lie in no zone any more and tells the jokers once. */
LU_INLINE void joker_destroy_cards(const joker_rules *m, joker_state *s, const uint8_t *index,
                                   int count) {
    if (count > 0) {
        joker_on_cards_lost(m, s, index, count);
    }
    for (int i = 0; i < count; i++) {
        joker_destroy_card(s, index[i]);
    }
}

/* A Planet was used. */
LU_INLINE void joker_on_planet_used(const joker_rules *m, joker_state *s) {
    (void)m;
    joker_grow_all(s, JOKER_HOOK_PLANET_USED);
}

/* ---- hooks: a blind begins ---- */

/* Switches the boss off and undoes what can be undone. */
LU_INLINE void joker_disable_boss(const joker_rules *m, joker_state *s) {
    int boss = joker_active_boss(s);
    if (boss == JOKER_NONE) {
        return;
    }
    s->disabled = 1;
    switch (boss) {
    case JOKER_BL_WATER:
        s->discards = (int16_t)(s->discards + s->boss_took);
        break;
    case JOKER_BL_NEEDLE:
        s->hands = (int16_t)(s->hands + s->boss_took);
        break;
    case JOKER_BL_WALL:
        s->target /= 2.0;
        break;
    case JOKER_BL_FINAL_VESSEL:
        s->target /= 3.0;
        break;
    case JOKER_BL_MANACLE:
        s->juggle++;
        if (s->held > 0) { /* not before the first draw */
            joker_draw_cards(m, s, 1);
        }
        break;
    default:
        break;
    }
    for (int i = 0; i < s->jokers; i++) {
        s->joker[i].flags &= (uint8_t)~JOKER_DOWN;
        joker_on_debuffed(s, &s->joker[i], false);
    }
    s->heart = JOKER_NONE;
    for (int i = 0; i < JOKER_DECK_MAX; i++) {
        s->card[i].flags &= (uint8_t) ~(JOKER_CARD_DEBUFFED | JOKER_CARD_DOWN | JOKER_CARD_FORCED);
    }
}

/* Marble Joker: a Stone card with a random face joins the draw pile. */
LU_INLINE void joker_marble(const joker_rules *m, joker_state *s) {
    joker_card card = joker_front(joker_pick(m, s, joker_key_now(s, JOKER_K_MARB_FR), 52));
    card.enhancement = JOKER_STONE;
    joker_gain_card(m, s, &card, JOKER_ZONE_DRAW);
}

/* Jokers that could be destroyed by the one at `place`: those alive, others and not eternal. */
LU_INLINE uint32_t joker_victims(const joker_state *s, int place, int count, uint32_t dead) {
    uint32_t victims = 0;
    for (int i = 0; i < count; i++) {
        victims |= i != place && !(s->joker[i].flags & JOKER_ETERNAL) ? 1u << i : 0u;
    }
    return victims & ~dead;
}

/* Riff-Raff: Common jokers, as many as fit when the dead have left. */
LU_INLINE void joker_riff_raff(const joker_rules *m, joker_state *s, int count, uint32_t dead) {
    int room = joker_room_jokers(s) + lu_bits_set(dead);
    for (int made = 0; made < count && made < room; made++) {
        joker_item item;
        joker_make_joker(m, s, JOKER_COMMON, JOKER_SUFFIX_RIF, JOKER_PLACE_NONE, &item);
        joker_gain_joker(m, s, &item.joker);
    }
}

/* A blind was set. Jokers that are destroyed here do not act any more, those made here not yet. */
LU_INLINE void joker_on_blind_set(const joker_rules *m, joker_state *s) {
    uint32_t dead = 0;
    for (int i = 0, count = s->jokers; i < count; i++) {
        int at = dead >> i & 1u ? -1 : joker_acting_on(s, i, JOKER_HOOK_BLIND_SET);
        if (at < 0 || dead >> at & 1u) {
            continue;
        }
        joker_joker *joker = &s->joker[i];
        const joker_row *row = joker_row_of(&s->joker[at]);
        uint32_t victims = joker_victims(s, i, count, dead);
        switch (row->call) {
        case JOKER_DO_CEREMONIAL:
            if (at == i && victims >> (i + 1) & 1u) {
                joker->a += 2 * joker_sell_value(&s->joker[i + 1]);
                dead |= 1u << (i + 1);
            }
            break;
        case JOKER_DO_MADNESS:
            if (at == i && s->blind < 2) {
                (void)joker_store_grow(row, joker, 1);
                dead |= victims ? 1u << joker_pick_joker(m, s, JOKER_K_MADNESS, victims) : 0u;
            }
            break;
        case JOKER_DO_MARBLE:
            joker_marble(m, s);
            break;
        case JOKER_DO_BURGLAR:
            s->hands = (int16_t)(s->hands + row->again);
            s->discards = 0;
            break;
        case JOKER_DO_RIFF_RAFF:
            joker_riff_raff(m, s, row->again, dead);
            break;
        case JOKER_DO_CHICOT:
            joker_disable_boss(m, s);
            break;
        default: /* Cartomancer */
            joker_create_consumable(m, s, row->make - 1, row->suffix);
            break;
        }
    }
    joker_lose_jokers(s, dead);
}

/* The first hand of a round was drawn: Certificate. */
LU_INLINE void joker_on_first_draw(const joker_rules *m, joker_state *s) {
    for (int i = 0; i < s->jokers; i++) {
        if (joker_acting_on(s, i, JOKER_HOOK_FIRST_DRAW) < 0) {
            continue;
        }
        joker_card card = joker_front(joker_pick(m, s, joker_key_now(s, JOKER_K_CERT_FR), 52));
        double u = joker_u(m, s, joker_key_now(s, JOKER_K_CERTSL));
        card.seal = (u > 0.75   ? JOKER_RED_SEAL
                     : u > 0.5  ? JOKER_BLUE_SEAL
                     : u > 0.25 ? JOKER_GOLD_SEAL
                                : JOKER_PURPLE_SEAL) &
                    7u;
        joker_gain_card(m, s, &card, JOKER_ZONE_HAND);
        joker_sort_hand(s);
    }
}

/* ---- hooks: discards ---- */

/* Cards are about to be discarded by the player; `hand` is what they would be: Burnt Joker. */
LU_INLINE void joker_on_pre_discard(const joker_rules *m, joker_state *s, int hand) {
    (void)m;
    for (int i = 0; i < s->jokers && s->discarded_round == 0; i++) {
        if (joker_acting_on(s, i, JOKER_HOOK_PRE_DISCARD) >= 0) {
            joker_level_up(s, hand, 1);
        }
    }
}

/* Cards discarded together, and what jokers see of them. */
typedef struct joker_thrown {
    uint32_t marks[JOKER_PLAY_MAX];
    int count;
    uint32_t dead; /* jokers that were used up by them (bit = place) */
} joker_thrown;

/* One card of those thrown, for the joker at `as` of the row; true when it destroys the card.
 * `own`: the joker acts itself and is not copied. */
LU_INLINE bool joker_discard_of(joker_state *s, joker_thrown *thrown, int at, int as, bool own) {
    joker_joker *joker = &s->joker[as];
    const joker_row *row = joker_row_of(joker);
    uint32_t marks = thrown->marks[at];
    bool last = at == thrown->count - 1;
    int fitting = 0;
    if (row->effect == JOKER_E_PER_DISCARDED && (marks & row->filter)) {
        joker_earn(s, row->money); /* Mail-In Rebate */
    }
    if (own && (row->grows & JOKER_HOOK_DISCARD) &&
        ((marks | (uint32_t)JOKER_M_ANY) & row->filter) && joker_store_grow(row, joker, 1)) {
        thrown->dead |= 1u << as;
    }
    switch (row->call) {
    case JOKER_DO_FACELESS:
        for (int i = 0; i < thrown->count && last; i++) {
            fitting += thrown->marks[i] & row->filter ? 1 : 0;
        }
        joker_earn(s, fitting >= row->of ? row->money : 0);
        return false;
    case JOKER_DO_GREEN:
        joker->a -= own && last && joker->a > 0 ? 1 : 0;
        return false;
    case JOKER_DO_TRADING:
        if (own && s->discarded_round == 0 && thrown->count == 1) {
            joker_earn(s, row->money);
            return true;
        }
        return false;
    case JOKER_DO_YORICK:
        if (own && --joker->b <= 0) {
            joker->b = row->start_b;
            (void)joker_store_grow(row, joker, 1);
        }
        return false;
    default:
        return false;
    }
}

/* One card of those thrown; true when a joker destroys it. */
LU_INLINE bool joker_on_discard(const joker_rules *m, joker_state *s, joker_thrown *thrown,
                                int at) {
    bool destroyed = false;
    (void)m;
    for (int i = 0; i < s->jokers; i++) {
        int as = joker_acting_on(s, i, JOKER_HOOK_DISCARD);
        if (as >= 0) {
            destroyed |= joker_discard_of(s, thrown, at, as, as == i);
        }
    }
    return destroyed;
}

/* ---- hooks: the round ends ---- */

/* The round is lost with less than the target: true when Mr. Bones saves it and goes. */
LU_INLINE bool joker_on_last_chance(const joker_rules *m, joker_state *s) {
    (void)m;
    for (int i = 0; i < s->jokers && s->score >= 0.25 * s->target; i++) {
        if (joker_hooked(&s->joker[i], JOKER_HOOK_LAST_CHANCE)) {
            joker_lose_joker(s, i);
            return true;
        }
    }
    return false;
}

/* Adds to a sell value, as far as it can be kept. */
LU_INLINE int16_t joker_bonus_up(int16_t bonus, int dollars) {
    return (int16_t)(bonus < 30000 ? bonus + dollars : bonus);
}

/* Raises the sell values of all jokers and consumables: Gift Card. */
LU_INLINE void joker_gift(joker_state *s, int dollars) {
    for (int i = 0; i < s->jokers; i++) {
        s->joker[i].bonus = joker_bonus_up(s->joker[i].bonus, dollars);
    }
    for (int i = 0; i < s->bag; i++) {
        s->consumable[i].bonus = joker_bonus_up(s->consumable[i].bonus, dollars);
    }
}

/* The effect of one joker at the end of a round; true when it is used up. */
LU_INLINE bool joker_round_end_of(const joker_rules *m, joker_state *s, joker_joker *joker) {
    const joker_row *row = joker_row_of(joker);
    bool holds = row->when != JOKER_WHEN_BOSS_BEATEN || s->blind == 2;
    if ((row->back & JOKER_HOOK_ROUND_END) && holds) {
        joker_store_back(row, joker);
    }
    if ((row->grows & JOKER_HOOK_ROUND_END) && holds && joker_store_grow(row, joker, 1)) {
        return true;
    }
    switch (row->call) {
    case JOKER_DO_EXTINCT: {
        bool gone = joker_odds(m, s, joker_key_now(s, row->key), row->odds);
        s->gros_michel_gone |= gone && joker->id == JOKER_J_GROS_MICHEL;
        return gone;
    }
    case JOKER_DO_EGG:
        joker->bonus = joker_bonus_up(joker->bonus, row->money);
        return false;
    case JOKER_DO_GIFT:
        joker_gift(s, row->money);
        return false;
    case JOKER_DO_TODO_LIST:
        joker_draw_todo(m, s, joker);
        return false;
    case JOKER_DO_TURTLE_BEAN:
        if (joker->a <= 1) {
            return true;
        }
        joker->a--;
        s->hand_size--;
        return false;
    default:
        return false;
    }
}

/* Per joker: its effect, then the rental fee, then the count of a perishable one. */
LU_INLINE void joker_on_round_end(const joker_rules *m, joker_state *s) {
    uint32_t dead = 0;
    for (int i = 0; i < s->jokers; i++) {
        joker_joker *joker = &s->joker[i];
        if (joker_hooked(joker, JOKER_HOOK_ROUND_END) && joker_round_end_of(m, s, joker)) {
            dead |= 1u << i;
        }
        joker_earn(s, joker->flags & JOKER_RENTAL ? -3 : 0);
        if ((joker->flags & JOKER_PERISHABLE) && joker->rounds > 0 && --joker->rounds == 0) {
            joker->flags |= JOKER_PERISHED;
            joker_on_debuffed(s, joker, true);
        }
    }
    joker_lose_jokers(s, dead);
}

/* What a payout counts. */
LU_INLINE int joker_payout_count(const joker_state *s, const joker_joker *joker, int counter) {
    int nines = 0;
    switch (counter) {
    case JOKER_N_DISCARDS_LEFT:
        return s->discards;
    case JOKER_N_PLANETS:
        return lu_bits_set(s->planets_used);
    case JOKER_N_STORE:
        return joker->a;
    case JOKER_N_NINES:
        for (int i = 0; i < JOKER_DECK_MAX; i++) {
            nines += joker_rank_bit(&s->card[i]) == JOKER_R(9);
        }
        return nines;
    default:
        return 1;
    }
}

/* Dollars that jokers pay at cash-out. */
LU_INLINE int joker_on_payout(const joker_rules *m, joker_state *s) {
    int dollars = 0;
    (void)m;
    for (int i = 0; i < s->jokers; i++) {
        const joker_row *row = joker_row_of(&s->joker[i]);
        bool holds = row->when != JOKER_WHEN_NO_DISCARD_USED || s->discarded_round == 0;
        if (row->effect == JOKER_E_PAYOUT && joker_live(&s->joker[i]) && holds) {
            dollars += row->money * joker_payout_count(s, &s->joker[i], row->counter);
        }
    }
    return dollars;
}

/* Dollars of interest per full $5: 1, and 1 more per To the Moon. */
LU_INLINE int joker_interest_rate(const joker_state *s) {
    int rate = 1;
    for (int i = 0; i < s->jokers; i++) {
        rate += joker_live(&s->joker[i]) ? joker_row_of(&s->joker[i])->interest : 0;
    }
    return rate;
}

/* Free rerolls of a shop. */
LU_INLINE int joker_free_rerolls(const joker_state *s) {
    int count = 0;
    for (int i = 0; i < s->jokers; i++) {
        count += joker_live(&s->joker[i]) ? joker_row_of(&s->joker[i])->free_rerolls : 0;
    }
    return count;
}

/* ---- hooks: shop ---- */

/* A joker or consumable was sold. */
LU_INLINE void joker_on_sell_any(const joker_rules *m, joker_state *s) {
    (void)m;
    joker_grow_all(s, JOKER_HOOK_SELL_ANY);
}

/* The shop was rerolled. */
LU_INLINE void joker_on_reroll(const joker_rules *m, joker_state *s) {
    (void)m;
    joker_grow_all(s, JOKER_HOOK_REROLL);
}

/* The rest of a pack was left. */
LU_INLINE void joker_on_pack_skip(const joker_rules *m, joker_state *s) {
    (void)m;
    joker_grow_all(s, JOKER_HOOK_PACK_SKIP);
}

/* A pack was opened: Hallucination. */
LU_INLINE void joker_on_pack_open(const joker_rules *m, joker_state *s) {
    for (int i = 0; i < s->jokers; i++) {
        int at = joker_acting_on(s, i, JOKER_HOOK_PACK_OPEN);
        if (at < 0 || !joker_has_room_consumable(s)) {
            continue;
        }
        const joker_row *row = joker_row_of(&s->joker[at]);
        if (joker_odds(m, s, joker_key_now(s, row->key), row->odds)) {
            joker_create_consumable(m, s, row->make - 1, row->suffix);
        }
    }
}

/* A Negative copy of a random consumable: Perkeo. It needs no slot. */
LU_INLINE void joker_perkeo(const joker_rules *m, joker_state *s) {
    uint8_t sorted[JOKER_BAG_MAX];
    for (int i = 0; i < s->bag; i++) {
        int at = i;
        for (; at > 0 && s->consumable[sorted[at - 1]].order > s->consumable[i].order; at--) {
            sorted[at] = sorted[at - 1];
        }
        sorted[at] = (uint8_t)i;
    }
    int chosen = sorted[joker_pick(m, s, joker_key_now(s, JOKER_K_PERKEO), s->bag)];
    if (s->bag >= JOKER_BAG_MAX) {
        s->full[JOKER_FULL_BAG]++;
        return;
    }
    joker_bag_item *copy = &s->consumable[s->bag++];
    *copy = s->consumable[chosen];
    copy->negative = 1;
    copy->order = joker_new_order(s);
    copy->price = joker_consumable_price(s, copy->id, JOKER_NEGATIVE);
}

/* The shop is left. */
LU_INLINE void joker_on_shop_exit(const joker_rules *m, joker_state *s) {
    for (int i = 0; i < s->jokers; i++) {
        if (s->bag > 0 && joker_acting_on(s, i, JOKER_HOOK_SHOP_EXIT) >= 0) {
            joker_perkeo(m, s);
        }
    }
}

LU_C_END
