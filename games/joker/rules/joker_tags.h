/* Joker, part: vouchers, tags, and what a joker does when it is sold. A tag fires at once, or waits
 * for its moment in the order of gain: a blind choice (joker_run.h), the start of a round and the
 * cash-out (joker_round.h), the shop (joker_make.h).
 * Ownership: nothing is owned. Threads: no state. */
#pragma once

#include "ludus/linkage.h"

#include "rules/joker_use.h"

LU_C_BEGIN

/* ---- vouchers ---- */

/* The ante goes down by one (Hieroglyph, Petroglyph). */
LU_INLINE void joker_ante_down(joker_state *s) {
    s->ante = (int16_t)(s->ante - 1);
}

/* Owns a voucher from now on; effects that are asked for when they matter are only its bit. */
LU_INLINE void joker_apply_voucher(const joker_rules *m, joker_state *s, int id) {
    s->vouchers |= 1u << id;
    switch (id) {
    case JOKER_V_OVERSTOCK_NORM:
    case JOKER_V_OVERSTOCK_PLUS: /* the shop that is open gets one more card at once */
        s->shop_slots++;
        if (s->phase == JOKER_SHOP) {
            joker_fill_cards(m, s, s->shop_slots - 1);
        }
        break;
    case JOKER_V_CLEARANCE_SALE:
    case JOKER_V_LIQUIDATION:
        s->discount = (uint8_t)(id == JOKER_V_LIQUIDATION ? 50 : 25);
        joker_reprice(s);
        break;
    case JOKER_V_HONE:
        s->edition_rate = 2;
        break;
    case JOKER_V_GLOW_UP:
        s->edition_rate = 4;
        break;
    case JOKER_V_REROLL_SURPLUS:
    case JOKER_V_REROLL_GLUT:
        s->reroll_base = (int16_t)(s->reroll_base - 2);
        break;
    case JOKER_V_CRYSTAL_BALL:
        s->bag_slots++;
        break;
    case JOKER_V_GRABBER:
    case JOKER_V_NACHO_TONG:
        s->round_hands++;
        break;
    case JOKER_V_WASTEFUL:
    case JOKER_V_RECYCLOMANCY:
        s->round_discards++;
        break;
    case JOKER_V_SEED_MONEY:
        s->interest_cap = 10;
        break;
    case JOKER_V_MONEY_TREE:
        s->interest_cap = 20;
        break;
    case JOKER_V_ANTIMATTER:
        s->joker_slots++;
        break;
    case JOKER_V_HIEROGLYPH:
        joker_ante_down(s);
        s->round_hands--;
        break;
    case JOKER_V_PETROGLYPH:
        joker_ante_down(s);
        s->round_discards--;
        break;
    case JOKER_V_PAINT_BRUSH:
    case JOKER_V_PALETTE:
        s->hand_size++;
        break;
    default:
        break;
    }
}

/* ---- tags ---- */

/* Fires a tag that acts when it is gained; false when it waits for its moment. */
LU_INLINE bool joker_tag_at_once(const joker_rules *m, joker_state *s, int id, int hand) {
    switch (id) {
    case JOKER_TAG_HANDY:
        joker_earn(s, s->run_hands);
        return true;
    case JOKER_TAG_GARBAGE:
        joker_earn(s, s->unused_discards);
        return true;
    case JOKER_TAG_SKIP:
        joker_earn(s, 5 * s->skips);
        return true;
    case JOKER_TAG_ECONOMY:
        joker_double_money(s, 40);
        return true;
    case JOKER_TAG_TOP_UP:
        joker_create_jokers(m, s, JOKER_COMMON, JOKER_SUFFIX_TOP, 2);
        return true;
    case JOKER_TAG_ORBITAL:
        if (hand < JOKER_HANDS) {
            joker_level_up(s, hand, 3);
        }
        return true;
    default:
        return false;
    }
}

/* Takes out all tags of a kind; returns how many there were. */
LU_INLINE int joker_drop_tags(joker_state *s, int id) {
    int count = 0;
    while (joker_spend_tag(s, id)) {
        count++;
    }
    return count;
}

/* Gains a tag (`hand`: of an Orbital Tag); every Double Tag that waits adds another one. */
LU_INLINE void joker_gain_tag(const joker_rules *m, joker_state *s, int id, int hand) {
    int count = id == JOKER_TAG_DOUBLE ? 1 : 1 + joker_drop_tags(s, JOKER_TAG_DOUBLE);
    for (int i = 0; i < count; i++) {
        if (joker_tag_at_once(m, s, id, hand)) {
            continue;
        }
        if (s->tags >= JOKER_TAGS_MAX) {
            s->full[JOKER_FULL_TAGS]++;
            continue;
        }
        s->tag[s->tags].id = (uint8_t)id;
        s->tag[s->tags].hand = (uint8_t)hand;
        s->tags++;
    }
}

/* The pack that a tag opens at a blind choice; JOKER_NONE = it opens none. */
LU_INLINE int joker_tag_pack(int id) {
    switch (id) {
    case JOKER_TAG_STANDARD:
        return JOKER_P_STANDARD_MEGA_1;
    case JOKER_TAG_CHARM:
        return JOKER_P_ARCANA_MEGA_1;
    case JOKER_TAG_METEOR:
        return JOKER_P_CELESTIAL_MEGA_1;
    case JOKER_TAG_BUFFOON:
        return JOKER_P_BUFFOON_MEGA_1;
    case JOKER_TAG_ETHEREAL:
        return JOKER_P_SPECTRAL_NORMAL_1;
    default:
        return JOKER_NONE;
    }
}

/* ---- selling a joker ---- */

/* What a joker does when it is sold (at its place still). Invisible Joker says through the result
 * that another joker is to be duplicated when it has left. */
LU_INLINE bool joker_on_sell_self(const joker_rules *m, joker_state *s, int place) {
    int at = joker_acting_on(s, place, JOKER_HOOK_SELL_SELF);
    if (at < 0) {
        return false;
    }
    const joker_row *row = joker_row_of(&s->joker[at]);
    switch (row->call) {
    case JOKER_DO_LUCHADOR:
        joker_disable_boss(m, s);
        return false;
    case JOKER_DO_DIET_COLA:
        joker_gain_tag(m, s, JOKER_TAG_DOUBLE, JOKER_NONE);
        return false;
    default: /* Invisible Joker */
        return at == place && s->joker[at].a >= row->of && s->jokers > 1 &&
               joker_room_jokers(s) >= 0;
    }
}

LU_C_END
