/* Joker, part: what is gained and lost. Money, the passive effects that come and go with a joker or
 * its debuff, the row of jokers, and making jokers and consumables where there is a slot.
 * Ownership: nothing is owned. Threads: no state. */
#pragma once

#include "ludus/linkage.h"

#include "rules/joker_zone.h"

LU_C_BEGIN

/* ---- money ---- */

LU_INLINE void joker_earn(joker_state *s, int dollars) {
    s->money += dollars;
}

/* Whether a price can be paid: money may go down to the spending floor. */
LU_INLINE bool joker_can_pay(const joker_state *s, int price) {
    return price <= 0 || s->money + s->spending_floor >= price;
}

/* Raises the level of a poker hand. */
LU_INLINE void joker_level_up(joker_state *s, int hand, int levels) {
    int level = s->level[hand] + levels;
    s->level[hand] = (uint16_t)(level < 65535 ? level : 65535);
}

/* ---- passive effects ---- */

/* Gives (sign 1) or takes back (-1) what a joker changes while it is owned and not debuffed. What
 * is asked for when it matters (rules, odds, interest) needs nothing here. */
LU_INLINE void joker_passive(joker_state *s, const joker_joker *joker, int sign) {
    const joker_row *row = joker_row_of(joker);
    int size = row->hand_size + (row->call == JOKER_DO_TURTLE_BEAN ? joker->a : 0);
    int rerolls = s->free_rerolls + sign * row->free_rerolls;
    int discards = s->discards + sign * row->discards;
    s->hand_size = (int16_t)(s->hand_size + sign * size);
    s->round_hands = (int16_t)(s->round_hands + sign * row->hands);
    s->round_discards = (int16_t)(s->round_discards + sign * row->discards);
    s->discards = (int16_t)(discards > 0 ? discards : 0);
    s->free_rerolls = (int16_t)(rerolls > 0 ? rerolls : 0);
    s->spending_floor = (int16_t)(s->spending_floor + sign * row->floor);
    if (row->rules & JOKER_RULE_ASTRONOMER) {
        joker_reprice(s);
    }
}

/* A joker joined the row (or its debuff was lifted). */
LU_INLINE void joker_on_bought(joker_state *s, const joker_joker *joker) {
    if (!(joker->flags & JOKER_DEBUFFED)) {
        joker_passive(s, joker, 1);
    }
}

/* A joker leaves the row. */
LU_INLINE void joker_on_removed(joker_state *s, const joker_joker *joker) {
    if (!(joker->flags & JOKER_DEBUFFED)) {
        joker_passive(s, joker, -1);
    }
}

/* Debuffs a joker or lifts it; one that perished stays debuffed. */
LU_INLINE void joker_on_debuffed(joker_state *s, joker_joker *joker, bool debuffed) {
    debuffed = debuffed || (joker->flags & JOKER_PERISHED);
    if (debuffed == ((joker->flags & JOKER_DEBUFFED) != 0)) {
        return;
    }
    joker->flags ^= JOKER_DEBUFFED;
    joker_passive(s, joker, debuffed ? -1 : 1);
}

/* ---- the row ---- */

/* Where the joker that Crimson Heart debuffed is now. */
LU_INLINE void joker_heart_find(joker_state *s) {
    s->heart = JOKER_NONE;
    for (int i = 0; i < s->jokers; i++) {
        if ((s->joker[i].flags & (JOKER_DEBUFFED | JOKER_PERISHED)) == JOKER_DEBUFFED) {
            s->heart = (uint8_t)i;
        }
    }
}

/* Adds a joker at the right end with all it changes; the caller has looked for a slot. False when
 * the row can hold no more. */
LU_INLINE bool joker_gain_joker(const joker_rules *m, joker_state *s, const joker_joker *made) {
    if (!joker_add_joker(m, s, made)) {
        return false;
    }
    joker_joker *joker = &s->joker[s->jokers - 1];
    if (joker_row_of(joker)->flags & JOKER_ROW_SINCE) {
        joker->a = s->run_hands;
    }
    joker_on_bought(s, joker);
    return true;
}

/* Takes a joker out of the row with all it changed. */
LU_INLINE void joker_lose_joker(joker_state *s, int place) {
    joker_joker gone = s->joker[place];
    s->jokers--;
    memmove(&s->joker[place], &s->joker[place + 1],
            (size_t)(s->jokers - place) * sizeof s->joker[0]);
    memset(&s->joker[s->jokers], 0, sizeof s->joker[0]);
    s->joker[s->jokers].id = JOKER_NONE;
    joker_on_removed(s, &gone);
    if (s->heart != JOKER_NONE) {
        joker_heart_find(s);
    }
}

/* Takes out all jokers of `mask` (bit = place). */
LU_INLINE void joker_lose_jokers(joker_state *s, uint32_t mask) {
    for (int i = s->jokers - 1; i >= 0; i--) {
        if (mask >> i & 1u) {
            joker_lose_joker(s, i);
        }
    }
}

/* Adds a copy of a joker (Ankh, Invisible Joker): a new card, never Negative. */
LU_INLINE void joker_copy_joker(const joker_rules *m, joker_state *s, int place) {
    joker_joker copy = s->joker[place];
    copy.order = joker_new_order(s);
    if (!(copy.flags & JOKER_PERISHED)) {
        copy.flags &= (uint8_t)~JOKER_DEBUFFED;
    }
    copy.flags &= (uint8_t)~JOKER_DOWN;
    if (copy.edition == JOKER_NEGATIVE) {
        copy.edition = JOKER_BASE;
        copy.price = joker_joker_price(s, &copy);
    }
    if (joker_row_of(&copy)->call == JOKER_DO_INVISIBLE) {
        copy.a = 0;
    }
    if (joker_add_joker(m, s, &copy)) {
        joker_on_bought(s, &s->joker[s->jokers - 1]);
    }
}

/* The place of the joker whose effect the one at `place` has for a hook: its own, or where
 * Blueprint and Brainstorm lead; -1 = none. */
LU_INLINE int joker_acting_on(const joker_state *s, int place, uint32_t hook) {
    uint32_t hooks = joker_joker_facts[s->joker[place].id].hooks;
    if (!(hooks & (hook | JOKER_HOOK_COPY))) {
        return -1;
    }
    int at = joker_acting(s->joker, s->jokers, place);
    return at >= 0 && (joker_joker_facts[s->joker[at].id].hooks & hook) ? at : -1;
}

/* Whether a joker is alive and has a hook of its own. */
LU_INLINE bool joker_hooked(const joker_joker *joker, uint32_t hook) {
    return (joker_joker_facts[joker->id].hooks & hook) && joker_live(joker);
}

/* The stores of all jokers that grow at a hook grow once. */
LU_INLINE void joker_grow_all(joker_state *s, uint32_t hook) {
    for (int i = 0; i < s->jokers; i++) {
        const joker_row *row = joker_row_of(&s->joker[i]);
        if ((row->grows & hook) && joker_live(&s->joker[i])) {
            (void)joker_store_grow(row, &s->joker[i], 1);
        }
    }
}

/* ---- making things ---- */

/* Makes a consumable of a set, if there is a slot for it; no draw is made without one. */
LU_INLINE bool joker_create_consumable(const joker_rules *m, joker_state *s, int set, int suffix) {
    joker_item made;
    if (!joker_has_room_consumable(s)) {
        return false;
    }
    joker_make_consumable(m, s, set, suffix, false, &made);
    return joker_add_consumable(m, s, &made);
}

/* Adds a given consumable; the caller has looked for a slot. */
LU_INLINE bool joker_gain_consumable(const joker_rules *m, joker_state *s, int id) {
    joker_item made;
    joker_make_this_consumable(s, id, &made);
    return joker_add_consumable(m, s, &made);
}

/* Makes up to `count` jokers of a rarity (-1 = drawn), as many as there are slots for. */
LU_INLINE int joker_create_jokers(const joker_rules *m, joker_state *s, int rarity, int suffix,
                                  int count) {
    int done = 0;
    joker_item made;
    while (done < count && joker_has_room_joker(s)) {
        joker_make_joker(m, s, rarity, suffix, JOKER_PLACE_NONE, &made);
        if (!joker_gain_joker(m, s, &made.joker)) {
            break;
        }
        done++;
    }
    return done;
}

LU_C_END
