/* Attacks of duel: rolls, claws, bolts and spells, what the opponent learns, one strike. Part of
 * the rules: duel_fight.h includes it. Ownership: nothing is kept. Threads: no state. */
#pragma once

#include "duel_damage.h"

LU_C_BEGIN

/* ---- attacks ---- */

LU_INLINE duel_party duel_party_of(const duel_fighter *f, int set) {
    duel_party party;
    party.level = f->level;
    party.bonus = f->bonus[set];
    party.prayers = f->prayers;
    party.stance = duel_items[f->item[set][DUEL_SLOT_WEAPON]].stance;
    return party;
}

LU_INLINE int32_t duel_between(lu_rng *rng, int32_t low, int32_t high) {
    return high > low ? low + (int32_t)lu_rng_below(rng, (uint32_t)(high - low + 1)) : low;
}

LU_INLINE int32_t duel_rounded(int32_t times, int32_t m, int32_t parts) {
    return (2 * times * m + parts) / (2 * parts);
}

/* Four hits from the first of four ordinary rolls that does damage. */
LU_INLINE void duel_claw(lu_rng *rng, double chance, int32_t most, bool shielded, duel_hit *hit) {
    int first = 0;
    int32_t m = shielded ? duel_shielded(most) : most;
    for (; first < 4; first++) {
        int32_t damage = lu_rng_unit(rng) < chance ? duel_between(rng, 0, most) : 0;
        if ((shielded ? duel_shielded(damage) : damage) > 0) {
            break;
        }
    }
    int32_t one = (int32_t)lu_rng_below(rng, 2), a, h[4] = {0, 0, 0, 0};
    if (first == 0) {
        a = duel_between(rng, duel_rounded(1, m, 2), m - 1);
        h[0] = a;
        h[1] = a / 2;
        h[2] = a / 2 / 2;
        h[3] = a / 2 / 2 + one;
    } else if (first == 1) {
        a = duel_between(rng, duel_rounded(3, m, 8), duel_rounded(7, m, 8));
        h[1] = a;
        h[2] = a / 2;
        h[3] = a / 2 + one;
    } else if (first == 2) {
        a = duel_between(rng, duel_rounded(1, m, 4), duel_rounded(3, m, 4));
        h[2] = a;
        h[3] = a + one;
    } else if (first == 3) {
        h[3] = duel_between(rng, duel_rounded(1, m, 4), duel_rounded(5, m, 4));
    } else {
        h[2] = h[3] = one;
    }
    hit->accurate = first < 4;
    hit->count = 4;
    for (int k = 0; k < 4; k++) {
        hit->damage[k] = (int16_t)h[k];
    }
}

/* The effect of bolts on the damage of a shot. */
LU_INLINE int32_t duel_bolt_damage(const duel_bolt *bolt, int32_t damage, const duel_fighter *to,
                                   bool accurate, lu_rng *rng) {
    bool happens = (accurate && bolt->sure) || lu_rng_below(rng, 100) < (uint32_t)bolt->percent;
    if (!happens || (bolt->needs_hit && !accurate) ||
        (bolt->magic_stops && duel_prays(to, DUEL_PRAYER_PROTECT_FROM_MAGIC))) {
        return damage;
    }
    return damage * bolt->times / 100 + bolt->adds;
}

/* One hit of an attack: whether it is accurate and what it does. */
LU_INLINE void duel_roll_hit(const duel_rules *r, const duel_blow *blow, const duel_fighter *by,
                             const duel_fighter *to, const duel_odds *odds, bool shielded,
                             lu_rng *rng, duel_hit *hit) {
    double chance = duel_chance(odds->attack, odds->defence);
    int32_t m = odds->most, low = 0, high = m;
    if (blow->special == DUEL_SPECIAL_CLAWS) {
        duel_claw(rng, chance, m, shielded, hit);
        return;
    }
    bool accurate = lu_rng_unit(rng) < chance;
    bool late = shielded && (r->live & DUEL_LIVE_PROTECT);
    duel_bolt bolt = duel_bolt_of(r->live, blow, by->level[DUEL_RANGED]);
    if (bolt.passes && !accurate && lu_rng_below(rng, 100) < (uint32_t)bolt.percent) {
        accurate = bolt.sure = true; /* it is the effect that makes it hit */
    }
    if (blow->special == DUEL_SPECIAL_FIFTH || blow->special == DUEL_SPECIAL_QUARTER) {
        int32_t part = blow->special == DUEL_SPECIAL_FIFTH ? m / 5 : m / 4;
        low = part;
        high = m + part;
        shielded = late;
    } else if (blow->special == DUEL_SPECIAL_NIGHTMARE) {
        low = 1;
        high = duel_nightmare_most(by->level[DUEL_MAGIC]);
        shielded = late;
    }
    int32_t damage = accurate ? duel_between(rng, low, high) : 0;
    if (blow->special == DUEL_SPECIAL_NIGHTMARE) {
        damage = damage * (100 + by->bonus[by->set][DUEL_BONUS_MAGIC_DAMAGE]) / 100;
    }
    damage = shielded ? duel_shielded(damage) : damage;
    if (bolt.percent > 0) {
        damage = duel_bolt_damage(&bolt, damage, to, accurate, rng);
    }
    if (blow->special == DUEL_SPECIAL_DARK_BOW) {
        damage = damage < 8 ? 8 : damage > 48 ? 48 : damage;
    }
    hit->accurate = accurate ? 1 : 0;
    hit->count = blow->style == DUEL_SPELL && !accurate ? 0 : 1;
    hit->damage[0] = (int16_t)damage;
}

LU_INLINE void duel_recent(uint8_t *list, uint8_t entry) {
    for (int k = DUEL_RECENT - 1; k > 0; k--) {
        list[k] = list[k - 1];
    }
    list[0] = entry;
}

/* Counts one hit of an attack in the figures of the match. */
LU_INLINE void duel_count_hit(duel_state *s, duel_fighter *by, int style, uint8_t shield) {
    bool blocked = shield == 1 + style;
    if (by->attacks == UINT16_MAX) {
        return;
    }
    by->attacks++;
    by->by_style[style]++;
    by->blocked = (uint16_t)(by->blocked + (blocked ? 1 : 0));
    duel_recent(by->recent_style, (uint8_t)(1 + style));
    duel_recent(by->recent_open, blocked ? 1 : 2);
    if (shield) {
        by->into[shield - 1]++;
        duel_recent(by->recent_into, shield);
    }
    s->changed |= 1u << DUEL_GROUP_HISTORY;
}

/* What the opponent learns of the gear that an attack was made in. */
LU_INLINE void duel_show_gear(duel_state *s, duel_fighter *f, int style) {
    const int accuracy[DUEL_STYLES] = {DUEL_TYPE_SLASH, DUEL_TYPE_RANGED, DUEL_TYPE_MAGIC};
    const int strength[DUEL_STYLES] = {DUEL_BONUS_STRENGTH, DUEL_BONUS_RANGED_STRENGTH,
                                       DUEL_BONUS_MAGIC_DAMAGE};
    int16_t strong = duel_bare_bonus(f, strength[style]);
    bool seen = (f->seen_styles >> style) & 1;
    if (style == DUEL_MELEE && seen && strong < f->seen[style][1]) {
        return;
    }
    f->seen_styles = (uint8_t)(f->seen_styles | 1u << style);
    f->seen[style][0] = duel_bare_bonus(f, DUEL_BONUS_ATTACK + accuracy[style]);
    f->seen[style][1] = strong;
    for (int k = 0; k < 3; k++) {
        f->seen[style][2 + k] = f->bare[k];
    }
    s->changed |= 1u << DUEL_GROUP_TARGET;
}

LU_INLINE void duel_freeze(duel_fighter *f, int32_t ticks) {
    if (f->timer[DUEL_TIMER_FREEZE] > 0 || f->timer[DUEL_TIMER_IMMUNE] > 0) {
        return;
    }
    f->timer[DUEL_TIMER_FREEZE] = (uint8_t)ticks;
    f->timer[DUEL_TIMER_IMMUNE] = (uint8_t)(ticks + 5);
    f->turn.frozen = (uint8_t)ticks;
    duel_stop(f);
}

/* Freeze and blood count at the moment of the cast. */
LU_INLINE void duel_spell_effects(const duel_hit *hit, const duel_blow *blow, duel_fighter *by,
                                  duel_fighter *to) {
    const duel_spell *spell = &duel_spells[blow->spell];
    if (!hit->accurate) {
        return;
    }
    if (spell->freeze) {
        duel_freeze(to, spell->freeze);
    } else if (spell->heal) {
        int32_t heals = hit->damage[0] * spell->heal / 100;
        bool zuriel = blow->weapon == DUEL_ITEM_ZURIELS_STAFF;
        duel_heal(by, zuriel ? hit->damage[0] * spell->heal * 3 / 200 : heals);
    }
}

LU_INLINE void duel_spend_energy(duel_fighter *f, int32_t cost) {
    if (cost > 0) {
        f->energy = (uint8_t)(f->energy - cost);
        f->energy_clock = f->energy_clock ? f->energy_clock : 50;
        f->specials++;
        f->turn.special = 1;
    }
}

/* One attack that is in reach and due. */
LU_INLINE void duel_strike(duel_state *s, const duel_rules *r, duel_fighter *by, duel_fighter *to,
                           const duel_method *m, lu_rng *rng) {
    const duel_blow *blow = &m->blow;
    duel_party attacker = duel_party_of(by, by->set), defender = duel_party_of(to, to->set);
    duel_odds odds = duel_odds_of(r->live, blow, &attacker, &defender);
    uint8_t shield = duel_shield_of(to);
    bool blocked = shield == 1 + blow->style;
    bool bow = duel_items[blow->weapon].kind == DUEL_CLASS_DARK_BOW && blow->style == DUEL_SHOT;
    int hits = bow || blow->special == DUEL_SPECIAL_DOUBLE ? 2 : 1;
    int32_t sum = 0, distance = duel_distance(by, to);
    duel_spend_energy(by, m->cost);
    for (int k = 0; k < hits; k++) {
        duel_hit hit;
        memset(&hit, 0, sizeof hit);
        hit.style = blow->style;
        hit.special = blow->special;
        hit.poison = blow->style == DUEL_MELEE ? duel_items[blow->weapon].poison : 0;
        hit.delay = (int8_t)duel_delay(blow, distance, k == 1 && bow);
        duel_roll_hit(r, blow, by, to, &odds, blocked, rng, &hit);
        for (int i = 0; i < hit.count; i++) {
            sum += hit.damage[i];
        }
        if (blow->style == DUEL_SPELL && blow->spell) {
            duel_spell_effects(&hit, blow, by, to);
        }
        duel_count_hit(s, by, blow->style, shield);
        if (to->hits < DUEL_HITS) {
            to->hit[to->hits++] = hit;
        }
    }
    duel_turn *turn = &by->turn;
    turn->decided = (int16_t)(turn->decided + sum);
    turn->last_decided = (int16_t)sum;
    turn->attacks++;
    turn->style = (uint8_t)(1 + blow->style);
    turn->speed = (uint8_t)m->speed;
    turn->blocked = blocked ? 1 : 0;
    turn->shield = shield;
    turn->smote = duel_prays(by, DUEL_PRAYER_SMITE) ? 1 : 0;
    duel_show_gear(s, by, blow->style);
}

/* Step (d) of a fighter's processing: its attack, if it has a target, reach and time. */
LU_INLINE void duel_attack(duel_state *s, const duel_rules *r, duel_fighter *f, duel_fighter *to,
                           lu_rng *rng) {
    if (!f->target | (f->level[DUEL_HITPOINTS] == 0) | (to->level[DUEL_HITPOINTS] == 0)) {
        return;
    }
    duel_method m = duel_method_of(r, f);
    bool maul = m.blow.special == DUEL_SPECIAL_MAUL;
    if (!duel_in_reach(f, to, &m)) {
        bool diagonal = duel_size(f->x - to->x) == 1 && duel_size(f->y - to->y) == 1;
        if (m.blow.style == DUEL_MELEE && diagonal && !to->moved) {
            duel_go_beside(f, to);
        }
        return;
    }
    if (maul) {
        for (; f->mauls > 0 && f->energy >= m.cost; f->mauls--) {
            duel_strike(s, r, f, to, &m, rng);
        }
        return;
    }
    if (f->cool > 0) {
        return;
    }
    duel_strike(s, r, f, to, &m, rng);
    f->cool = (int8_t)m.speed;
    f->armed = 0;
    if (m.blow.style == DUEL_SPELL) {
        f->spell = 0;
        f->target = 0;
        duel_stop(f);
    }
}

LU_C_END
