/* What a fighter of duel sees: masks, observations, the critic's block. Part of the rules: duel.c
 * includes it.
 * Ownership: nothing is kept. Threads: no state. */
#pragma once

#include "duel_fight.h"

LU_C_BEGIN

/* ---- masks ----
 * Conditions are joined by & and |: in play they are as good as random, and a branch would be
 * guessed wrong half of the time. */

#define DUEL_BIT_(at, condition) ((uint64_t)(bool)(condition) << (at))

/* Options that are always open: the first of every head but attack and prayer. */
LU_INLINE uint64_t duel_mask_always(void) {
    return DUEL_BIT_(DUEL_AT_MELEE, true) | DUEL_BIT_(DUEL_AT_RANGED, true) |
           DUEL_BIT_(DUEL_AT_MAGE, true) | DUEL_BIT_(DUEL_AT_POTION, true) |
           DUEL_BIT_(DUEL_AT_FOOD, true) | DUEL_BIT_(DUEL_AT_KARAMBWAN, true) |
           DUEL_BIT_(DUEL_AT_VENGEANCE, true) | DUEL_BIT_(DUEL_AT_GEAR, true) |
           DUEL_BIT_(DUEL_AT_MOVEMENT, true) | DUEL_BIT_(DUEL_AT_FARCAST, true);
}

LU_INLINE bool duel_fits(const duel_fighter *f, int set, bool free) {
    return free | !duel_items[f->item[set][DUEL_SLOT_WEAPON]].two_handed;
}

LU_INLINE bool duel_ready(const duel_fighter *f) {
    return duel_left(f->cool) == 0;
}

LU_INLINE uint64_t duel_mask_attacks(const duel_rules *r, const duel_fighter *f,
                                     const duel_fighter *to) {
    bool avail = duel_ready(f) | !r->gear_when_soon;
    bool beside = duel_beside(f, to), loose = duel_left(f->timer[DUEL_TIMER_FREEZE]) == 0;
    bool reach = beside | loose;
    bool free = (duel_free_slots(f) > 0) | (f->item[f->set][DUEL_SLOT_SHIELD] == 0);
    const duel_item *spec = &duel_items[f->item[DUEL_SET_SPEC][DUEL_SLOT_WEAPON]];
    const duel_item *bow = &duel_items[f->item[DUEL_SET_RANGED][DUEL_SLOT_WEAPON]];
    int staff = f->item[DUEL_SET_MAGE][DUEL_SLOT_WEAPON];
    bool hurt = f->level[DUEL_HITPOINTS] < f->base[DUEL_HITPOINTS];
    bool maul = (spec->special == DUEL_SPECIAL_MAUL) & (f->energy >= 50);
    bool melee = avail & reach & duel_fits(f, DUEL_SET_MELEE, free);
    bool special = (avail | maul) & reach & duel_fits(f, DUEL_SET_SPEC, free) &
                   (spec->special != 0) & (f->energy >= spec->energy);
    bool ranged = avail & duel_fits(f, DUEL_SET_RANGED, free);
    bool aimed = ranged & (bow->special != 0) & (f->energy >= bow->energy);
    bool magic = !f->lunar & (staff != 0) & avail;
    bool ice = magic & (f->level[DUEL_MAGIC] >= 58);
    bool blood = magic & (f->level[DUEL_MAGIC] >= 56) & hurt;
    bool blast = (staff == DUEL_ITEM_VOLATILE_NIGHTMARE_STAFF) & (f->energy >= 55) & avail;
    return DUEL_BIT_(DUEL_AT_ATTACK + DUEL_NO_ATTACK, !duel_ready(f)) |
           DUEL_BIT_(DUEL_AT_ATTACK + DUEL_MAGE_ATTACK, ice | blood | blast) |
           DUEL_BIT_(DUEL_AT_ATTACK + DUEL_RANGED_ATTACK, ranged) |
           DUEL_BIT_(DUEL_AT_ATTACK + DUEL_MELEE_ATTACK, melee | special) |
           DUEL_BIT_(DUEL_AT_MELEE + DUEL_BASIC, melee) |
           DUEL_BIT_(DUEL_AT_MELEE + DUEL_SPEC, special) |
           DUEL_BIT_(DUEL_AT_RANGED + DUEL_BASIC, ranged) |
           DUEL_BIT_(DUEL_AT_RANGED + DUEL_SPEC, aimed) | DUEL_BIT_(DUEL_AT_MAGE + DUEL_ICE, ice) |
           DUEL_BIT_(DUEL_AT_MAGE + DUEL_BLOOD, blood) |
           DUEL_BIT_(DUEL_AT_MAGE + DUEL_MAGIC_SPEC, blast);
}

LU_INLINE bool duel_below(const duel_fighter *f, int level, int32_t cap) {
    return f->level[level] < cap;
}

/* Not 0 when a level but hitpoints is below base: four levels of 16 bits at once, none negative. A
 * bit above each level stays where nothing is borrowed. */
LU_INLINE uint64_t duel_below_base(const duel_fighter *f) {
    const uint64_t above = UINT64_C(0x8000800080008000);
    uint64_t level[2], base[2];
    memcpy(&level[0], f->level, 8);
    memcpy(&level[1], f->level + 3, 8);
    memcpy(&base[0], f->base, 8);
    memcpy(&base[1], f->base + 3, 8);
    uint64_t low = ~((level[0] | above) - base[0]), high = ~((level[1] | above) - base[1]);
    return ((low & UINT64_C(0x0000800080008000)) | (high & UINT64_C(0x8000800080000000)));
}

/* Bits of the potions, from entry DUEL_POTION_BREW on at bit 1. */
LU_INLINE uint64_t duel_mask_potions(const duel_fighter *f) {
    const int16_t *base = f->base;
    bool over = duel_left(f->timer[DUEL_TIMER_POTION]) == 0, weak = false;
    bool hurt = duel_below(f, DUEL_DEFENCE,
                           base[DUEL_DEFENCE] + duel_brew_defence(base[DUEL_DEFENCE]) - 1) |
                (f->level[DUEL_HITPOINTS] <= base[DUEL_HITPOINTS]);
    bool worn = duel_below_base(f) != 0;
    for (int k = DUEL_ATTACK; k <= DUEL_STRENGTH; k++) {
        weak |= duel_below(f, k, base[k] + duel_combat_boost(base[k]) - 1);
    }
    bool shaky =
        duel_below(f, DUEL_RANGED, base[DUEL_RANGED] + duel_ranging_boost(base[DUEL_RANGED]) - 1);
    return DUEL_BIT_(DUEL_POTION_BREW, over & (f->dose[DUEL_POTION_BREW] != 0) & hurt) |
           DUEL_BIT_(DUEL_POTION_RESTORE, over & (f->dose[DUEL_POTION_RESTORE] != 0) & worn) |
           DUEL_BIT_(DUEL_POTION_COMBAT, over & (f->dose[DUEL_POTION_COMBAT] != 0) & weak) |
           DUEL_BIT_(DUEL_POTION_RANGING, over & (f->dose[DUEL_POTION_RANGING] != 0) & shaky);
}

LU_INLINE bool duel_may_eat(const duel_fighter *f) {
    int32_t over = f->food_kind == DUEL_FOOD_ANGLERFISH ? 1 : 0;
    return (duel_left(f->timer[DUEL_TIMER_FOOD]) == 0) & (f->food > 0) &
           (f->level[DUEL_HITPOINTS] < f->base[DUEL_HITPOINTS] + over);
}

LU_INLINE bool duel_may_eat_fish(const duel_fighter *f) {
    return (duel_left(f->timer[DUEL_TIMER_KARAMBWAN]) == 0) & (f->karambwan > 0) &
           (f->level[DUEL_HITPOINTS] < f->base[DUEL_HITPOINTS]);
}

LU_INLINE uint64_t duel_mask_moves(const duel_rules *r, const duel_fighter *f,
                                   const duel_fighter *to) {
    bool may =
        (duel_left(f->timer[DUEL_TIMER_FREEZE]) == 0) & (r->move_when_ready | !duel_ready(f));
    int32_t dx = duel_size(f->x - to->x), dy = duel_size(f->y - to->y);
    /* on open ground a tile at every distance exists that is not the fighter's own */
    return DUEL_BIT_(DUEL_AT_MOVEMENT + DUEL_NEXT_TO, may & (dx + dy != 1)) |
           DUEL_BIT_(DUEL_AT_MOVEMENT + DUEL_UNDER,
                     may & (dx + dy > 0) & (duel_left(to->timer[DUEL_TIMER_FREEZE]) > 0)) |
           DUEL_BIT_(DUEL_AT_MOVEMENT + DUEL_FARCAST, may) |
           DUEL_BIT_(DUEL_AT_MOVEMENT + DUEL_DIAGONAL, may & !((dx == 1) & (dy == 1))) |
           (uint64_t)0x3f << (DUEL_AT_FARCAST + 1);
}

LU_INLINE uint64_t duel_mask_prayers(const duel_rules *r, const duel_state *s,
                                     const duel_fighter *f, const duel_fighter *to) {
    bool points = f->level[DUEL_PRAYER] > 0;
    bool may = points & !(r->prayer_when_about & (duel_left(to->cool) > 0));
    bool loose = duel_left(f->timer[DUEL_TIMER_FREEZE]) == 0;
    bool he_is = duel_left(to->timer[DUEL_TIMER_FREEZE]) == 0, beside = duel_beside(f, to);
    bool close = loose | he_is | beside;
    bool lms = s->fight == DUEL_FIGHT_LMS;
    bool starved = (f->food | f->karambwan | f->dose[DUEL_POTION_BREW]) == 0;
    bool danger = ((f->hits | f->queued) > 0) | duel_ready(to);
    return DUEL_BIT_(DUEL_AT_PRAYER + DUEL_PRAY_MAGE, may & !to->known_lunar) |
           DUEL_BIT_(DUEL_AT_PRAYER + DUEL_PRAY_RANGED, may) |
           DUEL_BIT_(DUEL_AT_PRAYER + DUEL_PRAY_MELEE, may & close) |
           DUEL_BIT_(DUEL_AT_PRAYER + DUEL_PRAY_SMITE, r->smite & !lms & duel_ready(f) & points) |
           DUEL_BIT_(DUEL_AT_PRAYER + DUEL_PRAY_REDEMPTION,
                     r->redemption & !lms & starved & danger & points);
}

/* Of the exchange: a style and a protection. */
LU_INLINE uint64_t duel_mask_exchange(const duel_fighter *f) {
    uint64_t magic = !f->lunar && f->item[DUEL_SET_MAGE][DUEL_SLOT_WEAPON] ? 1 : 0;
    return duel_mask_always() | magic << (DUEL_AT_ATTACK + DUEL_MAGE_ATTACK) |
           magic << (DUEL_AT_MAGE + DUEL_ICE) |
           DUEL_BIT_(DUEL_AT_ATTACK + DUEL_RANGED_ATTACK, true) |
           DUEL_BIT_(DUEL_AT_ATTACK + DUEL_MELEE_ATTACK, true) |
           DUEL_BIT_(DUEL_AT_MELEE + DUEL_BASIC, true) |
           DUEL_BIT_(DUEL_AT_RANGED + DUEL_BASIC, true) | (uint64_t)7 << (DUEL_AT_PRAYER + 1);
}

LU_INLINE uint64_t duel_mask_of(const duel_rules *r, const duel_state *s, int seat) {
    const duel_fighter *f = &s->fighter[seat], *to = &s->fighter[1 - seat];
    if (r->rounds) {
        return duel_mask_exchange(f);
    }
    return duel_mask_always() | duel_mask_attacks(r, f, to) |
           duel_mask_potions(f) << DUEL_AT_POTION | DUEL_BIT_(DUEL_AT_FOOD + 1, duel_may_eat(f)) |
           DUEL_BIT_(DUEL_AT_KARAMBWAN + 1, duel_may_eat_fish(f)) |
           DUEL_BIT_(DUEL_AT_VENGEANCE + 1,
                     (f->lunar != 0) & (duel_left(f->timer[DUEL_TIMER_VENGEANCE]) == 0)) |
           DUEL_BIT_(DUEL_AT_GEAR + 1, duel_left(to->cool) == 0) | duel_mask_moves(r, f, to) |
           duel_mask_prayers(r, s, f, to);
}

/* Of the Dharok variant. */
LU_INLINE uint64_t dharok_mask_of(const duel_state *s, int seat) {
    const duel_fighter *f = &s->fighter[seat];
    bool ready = duel_ready(f);
    int32_t room = duel_free_slots(f);
    bool both = room > 0 || f->item[f->set][DUEL_SLOT_SHIELD] == 0;
    uint64_t always = DUEL_BIT_(DHAROK_AT_ATTACK, true) | DUEL_BIT_(DHAROK_AT_POTION, true) |
                      DUEL_BIT_(DHAROK_AT_FOOD, true) | DUEL_BIT_(DHAROK_AT_KARAMBWAN, true) |
                      DUEL_BIT_(DHAROK_AT_VENGEANCE, true) | DUEL_BIT_(DHAROK_AT_GEAR, true);
    return always | DUEL_BIT_(DHAROK_AT_ATTACK + DHAROK_WHIP, ready) |
           DUEL_BIT_(DHAROK_AT_ATTACK + DHAROK_AXE, ready && both) |
           DUEL_BIT_(DHAROK_AT_ATTACK + DHAROK_MAUL, f->energy >= 50 && both) |
           (duel_mask_potions(f) & 14) << DHAROK_AT_POTION |
           DUEL_BIT_(DHAROK_AT_FOOD + 1, duel_may_eat(f)) |
           DUEL_BIT_(DHAROK_AT_KARAMBWAN + 1, duel_may_eat_fish(f)) |
           DUEL_BIT_(DHAROK_AT_VENGEANCE + 1, duel_left(f->timer[DUEL_TIMER_VENGEANCE]) == 0) |
           DUEL_BIT_(DHAROK_AT_GEAR + DHAROK_ARMOUR_ON, f->bare_armour) |
           DUEL_BIT_(DHAROK_AT_GEAR + DHAROK_ARMOUR_OFF, !f->bare_armour && room >= 3);
}

/* Eight bits as bytes of 0 and 1: bit k of the first byte is put into byte k. */
LU_INLINE uint64_t duel_spread(uint64_t bits) {
    uint64_t spread = (bits & 0xff) * UINT64_C(0x0101010101010101);
    spread = (spread & UINT64_C(0x8040201008040201)) + UINT64_C(0x7f7f7f7f7f7f7f7f);
    return spread >> 7 & UINT64_C(0x0101010101010101);
}

LU_INLINE void duel_mask_write(uint64_t bits, uint8_t *mask) {
    for (int at = 0; at < 40; at += 8) {
        uint64_t eight = duel_spread(bits >> at);
        memcpy(mask + at, &eight, 8);
    }
    uint64_t rest = duel_spread(bits >> 40);
    memcpy(mask + 40, &rest, DUEL_ACTIONS - 40);
}

LU_INLINE void dharok_mask_write(uint64_t bits, uint8_t *mask) {
    for (int at = 0; at < 16; at += 8) {
        uint64_t eight = duel_spread(bits >> at);
        memcpy(mask + at, &eight, 8);
    }
    mask[16] = (uint8_t)(bits >> 16 & 1);
}

/* ---- observation ---- */

/* From a table: of a choice between two numbers compilers make a jump. */
LU_TABLE float duel_flags[2] = {0.0f, 1.0f};
LU_INLINE float duel_flag(bool on) {
    return duel_flags[on];
}
/* Of a whole that is at least 1. */
LU_INLINE float duel_share(int32_t part, int32_t whole) {
    return (float)part / (float)whole;
}

/* Damage decided on a fighter and not yet taken. */
LU_INLINE int32_t duel_pending(const duel_fighter *f) {
    int32_t sum = 0;
    for (int k = 0; k < f->hits; k++) {
        const duel_hit *hit = &f->hit[k];
        sum += (hit->count > 0 ? hit->damage[0] : 0) + (hit->count > 1 ? hit->damage[1] : 0) +
               (hit->count > 2 ? hit->damage[2] : 0) + (hit->count > 3 ? hit->damage[3] : 0);
    }
    for (int k = 0; k < DUEL_QUEUE; k++) {
        sum += k < f->queued ? f->queue[k] : 0;
    }
    return sum;
}

LU_INLINE int32_t duel_until_hit(const duel_fighter *f) {
    int32_t first = f->hit[0].delay; /* read in any case: then there is no branch */
    int32_t on_the_way = f->hits ? first : -1;
    return f->queued ? 0 : on_the_way;
}

/* Weapon one-hots and the special weapon: four numbers. */
LU_INLINE void duel_see_weapon(const duel_fighter *f, int32_t *v) {
    int shows = duel_shows(f);
    v[0] = shows == DUEL_MELEE;
    v[1] = shows == DUEL_SHOT;
    v[2] = shows == DUEL_SPELL;
    v[3] = (shows == DUEL_MELEE) & (duel_weapon(f)->special != DUEL_SPECIAL_NONE);
}

LU_INLINE void duel_see_prayers(const duel_fighter *f, int32_t *v) {
    v[0] = duel_prays(f, DUEL_PRAYER_PROTECT_FROM_MELEE);
    v[1] = duel_prays(f, DUEL_PRAYER_PROTECT_FROM_MISSILES);
    v[2] = duel_prays(f, DUEL_PRAYER_PROTECT_FROM_MAGIC);
    v[3] = duel_prays(f, DUEL_PRAYER_SMITE);
    v[4] = duel_prays(f, DUEL_PRAYER_REDEMPTION);
}

LU_INLINE float duel_boosted(const duel_fighter *f, int level, int32_t boost) {
    return duel_share(f->level[level], f->base[level] + boost);
}

LU_INLINE int32_t duel_far(int32_t ax, int32_t ay, int32_t bx, int32_t by) {
    int32_t dx = duel_size(ax - bx), dy = duel_size(ay - by);
    return duel_least(7, dx > dy ? dx : dy);
}

LU_INLINE bool duel_has_pid(const duel_state *s, int seat) {
    /* equal numbers: the first seat goes first */
    return (s->fighter[0].pid <= s->fighter[1].pid) ^ (seat == 1);
}

/* Whole numbers of the group `now`; shares have 0 here. */
LU_INLINE void duel_see_whole(const duel_rules *r, const duel_state *s, int seat, int32_t *v) {
    const duel_fighter *f = &s->fighter[seat], *to = &s->fighter[1 - seat];
    bool counts = f->food_kind == DUEL_FOOD_ANGLERFISH || (r->live & DUEL_LIVE_FOOD);
    int32_t since = f->cool - 1;
    duel_see_weapon(f, v);
    v[4] = f->energy;
    duel_see_prayers(f, v + 5);
    v[10] = v[11] = v[28] = v[46] = v[51] = v[52] = v[53] = v[65] = 0;
    duel_see_weapon(to, v + 12);
    duel_see_prayers(to, v + 16);
    v[21] = to->energy;
    v[22] = f->dose[DUEL_POTION_RANGING];
    v[23] = f->dose[DUEL_POTION_COMBAT];
    v[24] = f->dose[DUEL_POTION_RESTORE];
    v[25] = f->dose[DUEL_POTION_BREW];
    v[26] = counts ? f->food : 0;
    v[27] = f->karambwan;
    v[29] = duel_left(f->timer[DUEL_TIMER_FREEZE]);
    v[30] = duel_left(to->timer[DUEL_TIMER_FREEZE]);
    v[31] = duel_left(f->timer[DUEL_TIMER_IMMUNE]);
    v[32] = duel_left(to->timer[DUEL_TIMER_IMMUNE]);
    v[33] = duel_beside(f, to);
    v[34] = v[35] = v[36] = v[37] = v[38] = 0;
    v[39] = duel_left(f->cool);
    v[40] = duel_left(f->timer[DUEL_TIMER_FOOD]);
    v[41] = duel_left(f->timer[DUEL_TIMER_POTION]);
    v[42] = duel_left(f->timer[DUEL_TIMER_KARAMBWAN]);
    v[43] = f->cool == DUEL_NEVER ? -100 : (since < -3 ? -3 : since > 0 ? 0 : since) + 3;
    v[44] = duel_left(to->cool);
    v[45] = duel_left(to->timer[DUEL_TIMER_FOOD]);
    v[47] = duel_until_hit(to);
    v[48] = duel_until_hit(f);
    v[49] = f->turn.attacks > 0;
    v[50] = to->turn.attacks > 0;
    v[54] = f->target;
    v[55] = f->moved;
    v[56] = to->moved;
    v[57] = duel_has_pid(s, seat);
    v[58] = (f->level[DUEL_MAGIC] >= 94) & !f->lunar;
    v[59] = (f->level[DUEL_MAGIC] >= 92) & !f->lunar;
    v[60] = duel_far(f->goal_x, f->goal_y, to->x, to->y);
    v[61] = duel_far(f->goal_x, f->goal_y, f->x, f->y);
    v[62] = duel_far(f->x, f->y, to->x, to->y);
    v[63] = to->turn.blocked;
    v[64] = f->turn.blocked;
}

LU_INLINE void duel_see_now(const duel_rules *r, const duel_state *s, int seat, float *o) {
    const duel_fighter *f = &s->fighter[seat], *to = &s->fighter[1 - seat];
    const int16_t *level = f->level, *base = f->base;
    int32_t full = base[DUEL_HITPOINTS], his = to->base[DUEL_HITPOINTS];
    int32_t shown = to->shown >= 0 ? to->shown : (r->live & DUEL_LIVE_HEALTH) ? his : 0;
    int32_t v[DUEL_FROM_HISTORY];
    duel_see_whole(r, s, seat, v);
    /* converted in one go, which becomes vector code */
    for (int k = 0; k < DUEL_FROM_HISTORY; k++) {
        o[k] = (float)v[k];
    }
    o[10] = duel_share(level[DUEL_HITPOINTS], full);
    o[11] = duel_share(shown, his);
    o[28] = duel_share(level[DUEL_PRAYER], base[DUEL_PRAYER]);
    o[34] = duel_boosted(f, DUEL_STRENGTH, duel_combat_boost(base[DUEL_STRENGTH]));
    o[35] = duel_boosted(f, DUEL_ATTACK, duel_combat_boost(base[DUEL_ATTACK]));
    o[36] = duel_boosted(f, DUEL_DEFENCE, duel_combat_boost(base[DUEL_DEFENCE]));
    o[37] = duel_boosted(f, DUEL_RANGED, duel_ranging_boost(base[DUEL_RANGED]));
    o[38] = duel_boosted(f, DUEL_MAGIC, 0);
    if (to->hits | to->queued) {
        o[46] = duel_share(duel_pending(to), his);
    }
    o[51] = duel_share(f->turn.last_decided, his);
    o[52] = duel_share(f->turn.splat, full);
    o[53] = duel_share(to->turn.splat, his);
    float scale = (duel_share(to->taken, his) + 1.0f) / (duel_share(f->taken, full) + 1.0f);
    o[65] = scale < 0.5f ? 0.5f : scale > 2.0f ? 2.0f : scale;
}

/* How many of the recent entries are each of 0..3. */
LU_INLINE void duel_tally(const uint8_t *list, int32_t *count) {
    count[0] = count[1] = count[2] = count[3] = 0;
    for (int k = 0; k < DUEL_RECENT; k++) {
        count[list[k] & 3]++;
    }
}

LU_INLINE void duel_see_history(const duel_fighter *f, const duel_fighter *to, float *o) {
    const int order[DUEL_STYLES] = {DUEL_MELEE, DUEL_SPELL, DUEL_SHOT};
    const int prayed[DUEL_STYLES] = {DUEL_SPELL, DUEL_SHOT, DUEL_MELEE};
    int32_t style[2][4], into[2][4], open[2][4];
    duel_tally(f->recent_style, style[0]);
    duel_tally(to->recent_style, style[1]);
    duel_tally(f->recent_into, into[0]);
    duel_tally(to->recent_into, into[1]);
    duel_tally(f->recent_open, open[0]);
    duel_tally(to->recent_open, open[1]);
    /* no attacks: every count is 0 */
    int32_t mine = f->attacks ? f->attacks : 1, his = to->attacks ? to->attacks : 1;
    o[0] = to->attacks < 20 ? (float)to->attacks / 20.0f : 1.0f;
    o[7] = duel_share(to->attacks - to->blocked, his);
    o[8] = f->attacks < 20 ? (float)f->attacks / 20.0f : 1.0f;
    o[15] = duel_share(f->blocked, mine);
    o[22] = (float)open[1][2] / 5.0f;
    o[29] = (float)open[0][1] / 5.0f;
    for (int k = 0; k < DUEL_STYLES; k++) {
        o[1 + k] = duel_share(to->by_style[order[k]], his);
        o[4 + k] = duel_share(f->by_style[order[k]], mine);
        o[9 + k] = duel_share(f->into[prayed[k]], mine);
        o[12 + k] = duel_share(to->into[prayed[k]], his);
        o[16 + k] = (float)style[1][1 + order[k]] / 5.0f;
        o[19 + k] = (float)style[0][1 + order[k]] / 5.0f;
        o[23 + k] = (float)into[0][1 + prayed[k]] / 5.0f;
        o[26 + k] = (float)into[1][1 + prayed[k]] / 5.0f;
    }
}

LU_INLINE void duel_see_weapons(const duel_fighter *f, float *o) {
    int ammo = f->item[DUEL_SET_RANGED][DUEL_SLOT_AMMO];
    int bow = f->item[DUEL_SET_RANGED][DUEL_SLOT_WEAPON];
    int spec = f->item[DUEL_SET_SPEC][DUEL_SLOT_WEAPON];
    int staff = f->item[DUEL_SET_MAGE][DUEL_SLOT_WEAPON];
    bool blast = staff == DUEL_ITEM_VOLATILE_NIGHTMARE_STAFF;
    o[0] = duel_flag(ammo == DUEL_ITEM_DRAGONSTONE_DRAGON_BOLTS_E);
    o[1] = duel_flag(ammo == DUEL_ITEM_OPAL_DRAGON_BOLTS_E);
    o[2] = duel_flag(ammo == DUEL_ITEM_DIAMOND_BOLTS_E);
    o[3] = duel_flag(blast);
    o[4] = duel_flag(duel_items[bow].special != DUEL_SPECIAL_NONE);
    o[5] = duel_flag(blast);
    o[6] = duel_flag(bow == DUEL_ITEM_ZARYTE_CROSSBOW);
    o[7] = duel_flag(duel_items[bow].kind == DUEL_CLASS_BALLISTA);
    o[8] = duel_flag(bow == DUEL_ITEM_MORRIGANS_JAVELIN);
    o[9] = duel_flag(bow == DUEL_ITEM_DRAGON_KNIFE);
    o[10] = duel_flag(bow == DUEL_ITEM_DARK_BOW);
    o[11] = duel_flag(spec == DUEL_ITEM_DRAGON_CLAWS);
    o[12] = duel_flag(duel_items[spec].kind == DUEL_CLASS_DRAGON_DAGGER);
    o[13] = duel_flag(spec == DUEL_ITEM_ARMADYL_GODSWORD);
    o[14] = duel_flag(spec == DUEL_ITEM_VESTAS_LONGSWORD);
    o[15] = duel_flag(spec == DUEL_ITEM_STATIUS_WARHAMMER);
    o[16] = duel_flag(spec == DUEL_ITEM_ANCIENT_GODSWORD);
    o[17] = duel_flag(spec == DUEL_ITEM_GRANITE_MAUL);
    o[18] = duel_flag(f->item[DUEL_SET_MELEE][DUEL_SLOT_NECK] == DUEL_ITEM_AMULET_OF_BLOOD_FURY);
    o[19] = duel_flag(f->item[DUEL_SET_MELEE][DUEL_SLOT_WEAPON] == DUEL_ITEM_DHAROKS_GREATAXE);
    o[20] = duel_flag(staff == DUEL_ITEM_ZURIELS_STAFF);
}

LU_INLINE void duel_see_loadout(const duel_rules *r, const duel_fighter *f, float *o) {
    const int shown[DUEL_LEVELS] = {DUEL_ATTACK, DUEL_STRENGTH, DUEL_DEFENCE,  DUEL_RANGED,
                                    DUEL_MAGIC,  DUEL_PRAYER,   DUEL_HITPOINTS};
    const int sets[3] = {DUEL_SET_MAGE, DUEL_SET_RANGED, DUEL_SET_MELEE};
    const duel_item *bow = &duel_items[f->item[DUEL_SET_RANGED][DUEL_SLOT_WEAPON]];
    const duel_item *blade = &duel_items[f->item[DUEL_SET_MELEE][DUEL_SLOT_WEAPON]];
    int live = (r->live & DUEL_LIVE_SPEED) ? 1 : 0;
    for (int k = 0; k < DUEL_LEVELS; k++) {
        o[k] = (float)f->base[shown[k]];
    }
    duel_see_weapons(f, o + 7);
    o[28] = (float)f->bonus[DUEL_SET_MAGE][DUEL_BONUS_ATTACK + DUEL_TYPE_MAGIC];
    o[29] = (float)f->bonus[DUEL_SET_MAGE][DUEL_BONUS_MAGIC_DAMAGE];
    o[30] = (float)f->bonus[DUEL_SET_RANGED][DUEL_BONUS_ATTACK + DUEL_TYPE_RANGED];
    o[31] = (float)f->bonus[DUEL_SET_RANGED][DUEL_BONUS_RANGED_STRENGTH];
    o[32] = (float)bow->speed[live];
    o[33] = (float)bow->range[live];
    o[34] = (float)f->bonus[DUEL_SET_MELEE][DUEL_BONUS_ATTACK + DUEL_TYPE_SLASH];
    o[35] = (float)f->bonus[DUEL_SET_MELEE][DUEL_BONUS_STRENGTH];
    o[36] = (float)blade->speed[live];
    for (int k = 0; k < 3; k++) {
        const int16_t *defence = f->bonus[sets[k]] + DUEL_BONUS_DEFENCE;
        o[37 + 3 * k] = (float)defence[DUEL_TYPE_RANGED];
        o[38 + 3 * k] = (float)defence[DUEL_TYPE_MAGIC];
        o[39 + 3 * k] = (float)defence[DUEL_TYPE_SLASH];
    }
}

/* What is known of the opponent's gear; of a style that he has not used, the fighter's own. */
LU_INLINE void duel_see_target(const duel_fighter *f, const duel_fighter *to, float *o) {
    const int order[DUEL_STYLES] = {DUEL_SPELL, DUEL_SHOT, DUEL_MELEE};
    const int sets[DUEL_STYLES] = {DUEL_SET_MAGE, DUEL_SET_RANGED, DUEL_SET_MELEE};
    const int accuracy[DUEL_STYLES] = {DUEL_TYPE_MAGIC, DUEL_TYPE_RANGED, DUEL_TYPE_SLASH};
    const int strength[DUEL_STYLES] = {DUEL_BONUS_MAGIC_DAMAGE, DUEL_BONUS_RANGED_STRENGTH,
                                       DUEL_BONUS_STRENGTH};
    for (int k = 0; k < 3; k++) {
        o[k] = (float)to->bare[k];
    }
    for (int k = 0; k < DUEL_STYLES; k++) {
        const int16_t *own = f->bonus[sets[k]], *seen = to->seen[order[k]];
        bool known = (to->seen_styles >> order[k]) & 1;
        o[3 + 2 * k] = (float)(known ? seen[0] : own[DUEL_BONUS_ATTACK + accuracy[k]]);
        o[4 + 2 * k] = (float)(known ? seen[1] : own[strength[k]]);
        o[9 + 3 * k] = (float)(known ? seen[2] : own[DUEL_BONUS_DEFENCE + DUEL_TYPE_RANGED]);
        o[10 + 3 * k] = (float)(known ? seen[3] : own[DUEL_BONUS_DEFENCE + DUEL_TYPE_MAGIC]);
        o[11 + 3 * k] = (float)(known ? seen[4] : own[DUEL_BONUS_DEFENCE + DUEL_TYPE_SLASH]);
    }
}

LU_INLINE void duel_see_ready(const duel_fighter *f, const duel_fighter *to, float *o) {
    const int bits[7] = {DUEL_AT_MAGE + DUEL_BLOOD,      DUEL_AT_MAGE + DUEL_ICE,
                         DUEL_AT_MAGE + DUEL_MAGIC_SPEC, DUEL_AT_RANGED + DUEL_BASIC,
                         DUEL_AT_RANGED + DUEL_SPEC,     DUEL_AT_MELEE + DUEL_BASIC,
                         DUEL_AT_MELEE + DUEL_SPEC};
    o[0] = duel_flag(f->vengeance != 0);
    o[1] = duel_flag(to->vengeance != 0);
    o[2] = duel_flag(f->lunar != 0);
    o[3] = duel_flag(to->known_lunar != 0);
    o[4] = (float)duel_left(f->timer[DUEL_TIMER_VENGEANCE]);
    o[5] = (float)duel_left(to->timer[DUEL_TIMER_VENGEANCE]);
    for (int k = 0; k < 7; k++) {
        o[6 + k] = duel_flag((f->mask >> bits[k]) & 1);
    }
    o[13] = duel_flag(f->food_kind == DUEL_FOOD_ANGLERFISH);
}

LU_INLINE void duel_see(const duel_rules *r, const duel_state *s, int seat, uint64_t changed,
                        float *o) {
    const duel_fighter *f = &s->fighter[seat], *to = &s->fighter[1 - seat];
    if (changed & 1u << DUEL_GROUP_NOW) {
        duel_see_now(r, s, seat, o);
    }
    if (changed & 1u << DUEL_GROUP_HISTORY) {
        duel_see_history(f, to, o + DUEL_FROM_HISTORY);
    }
    if (changed & 1u << DUEL_GROUP_LOADOUT) {
        duel_see_loadout(r, f, o + DUEL_FROM_LOADOUT);
    }
    if (changed & 1u << DUEL_GROUP_TARGET) {
        duel_see_target(f, to, o + DUEL_FROM_TARGET);
    }
    if (changed & 1u << DUEL_GROUP_RULES) {
        o[DUEL_FROM_RULES] = duel_flag(s->fight == DUEL_FIGHT_LMS);
        o[DUEL_FROM_RULES + 1] = duel_flag(s->fight == DUEL_FIGHT_ARENA);
    }
    if (changed & 1u << DUEL_GROUP_READY) {
        duel_see_ready(f, to, o + DUEL_FROM_READY);
    }
}

/* Numbers of the observation that are private to their owner, as runs of first and last. */
LU_TABLE uint8_t duel_private[][2] = {{10, 11}, {22, 28},   {34, 40},   {42, 43},
                                      {46, 46}, {51, 51},   {54, 54},   {58, 62},
                                      {65, 65}, {103, 159}, {165, 165}, {168, 175}};
enum { DUEL_PRIVATE_RUNS = sizeof duel_private / sizeof *duel_private };

/* The private numbers of the opponent, from his own point of view. */
LU_INLINE void duel_see_critic(const duel_rules *r, const duel_state *s, int seat, float *critic) {
    float whole[DUEL_OBSERVATION];
    int at = 0;
    duel_see(r, s, 1 - seat, LU_ALL_CHANGED, whole);
    for (int run = 0; run < DUEL_PRIVATE_RUNS; run++) {
        for (int k = duel_private[run][0]; k <= duel_private[run][1]; k++) {
            critic[at++] = whole[k];
        }
    }
}

LU_C_END
