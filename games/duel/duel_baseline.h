/* The scripted baseline of the reference, which acts inside the tick before its timers count down:
 * the seat that the game drives, and the bot for matches, share its choices. Part of the rules.
 * Ownership: nothing is kept. Threads: no state. */
#pragma once

#include "duel_fight.h"

LU_C_BEGIN

/* Entries of duel_fighter.memory: what it remembers of each style, and of being hit. */
enum {
    DUEL_MEMORY_MOST = 0,
    DUEL_MEMORY_SPEED = 3,
    DUEL_MEMORY_ATTACKED = 6, /* the fight has begun */
    DUEL_MEMORY_HIT = 7,      /* it took damage in the last tick */
};

typedef enum duel_urge {
    DUEL_URGE_NONE,
    DUEL_URGE_SPEC,
    DUEL_URGE_STEP_AWAY,
    DUEL_URGE_RESTORE,
    DUEL_URGE_ICE,
    DUEL_URGE_MELEE,
    DUEL_URGE_RANGED,
} duel_urge;

/* Hitpoints of the target less what lands within two ticks. */
LU_INLINE int32_t duel_baseline_health(const duel_fighter *to) {
    int32_t due = 0;
    for (int k = 0; k < to->queued; k++) {
        due += to->queue[k];
    }
    for (int k = 0; k < to->hits; k++) {
        for (int i = 0; to->hit[k].delay <= 2 && i < to->hit[k].count; i++) {
            due += to->hit[k].damage[i];
        }
    }
    return to->level[DUEL_HITPOINTS] - due;
}

/* Overhead it sets with chance 1/5: against the style the target shows. */
LU_INLINE int duel_baseline_shield(const duel_fighter *f, const duel_fighter *to) {
    int shows = duel_shows(to);
    if (shows == DUEL_MELEE && duel_distance(f, to) <= 1) {
        return DUEL_PRAYER_PROTECT_FROM_MELEE;
    }
    return shows == DUEL_SHOT ? DUEL_PRAYER_PROTECT_FROM_MISSILES : DUEL_PRAYER_PROTECT_FROM_MAGIC;
}

/* What a style promises per tick, from what it remembers of its last use. */
LU_INLINE double duel_baseline_worth(const duel_rules *r, const duel_fighter *f,
                                     const duel_fighter *to, int style) {
    duel_blow blow;
    memset(&blow, 0, sizeof blow);
    blow.style = (uint8_t)style;
    blow.type = DUEL_TYPE_SLASH;
    duel_party defender = duel_party_of(to, to->set);
    bool used = f->roll[style] > 0;
    double most = used ? (double)f->memory[DUEL_MEMORY_MOST + style] : 120.0;
    double speed = used ? (double)f->memory[DUEL_MEMORY_SPEED + style] : 4.0;
    most *= duel_shield_of(to) == 1 + style ? 0.7 : 1.0;
    int32_t roll = used ? f->roll[style] : 9999999;
    return duel_chance(roll, duel_defence_roll(r->live, &blow, &defender)) * most / speed;
}

LU_INLINE duel_urge duel_baseline_urge(const duel_rules *r, const duel_fighter *f,
                                       const duel_fighter *to) {
    bool soon = f->cool <= 1, free = f->timer[DUEL_TIMER_FREEZE] == 0;
    bool frozen = to->timer[DUEL_TIMER_FREEZE] > 0, immune = to->timer[DUEL_TIMER_IMMUNE] > 0;
    bool magic =
        f->level[DUEL_MAGIC] >= 94 && !f->lunar && f->item[DUEL_SET_MAGE][DUEL_SLOT_WEAPON];
    int32_t health = duel_baseline_health(to);
    if (soon && free && health <= 59 && f->energy >= 50 && duel_shield_of(to) != 1 + DUEL_MELEE) {
        return DUEL_URGE_SPEC;
    }
    if (f->cool > 2 && !f->path && frozen && duel_distance(f, to) == 1 && duel_beside(f, to)) {
        return DUEL_URGE_STEP_AWAY;
    }
    if (f->level[DUEL_PRAYER] < 50 && f->dose[DUEL_POTION_RESTORE] > 0) {
        return DUEL_URGE_RESTORE;
    }
    if (!soon) {
        return DUEL_URGE_NONE;
    }
    if (!frozen && !immune && magic) {
        return DUEL_URGE_ICE;
    }
    double best = duel_baseline_worth(r, f, to, DUEL_SHOT), worth;
    duel_urge urge = DUEL_URGE_RANGED;
    if (magic && (worth = duel_baseline_worth(r, f, to, DUEL_SPELL)) > best) {
        best = worth;
        urge = DUEL_URGE_ICE;
    }
    if (free && health <= 45 && duel_baseline_worth(r, f, to, DUEL_MELEE) > best) {
        urge = DUEL_URGE_MELEE;
    }
    return urge;
}

/* Notes at the end of a tick: damage taken, and roll, maximum and speed of an attack it made. */
LU_INLINE void duel_baseline_learn(const duel_rules *r, duel_fighter *f) {
    f->memory[DUEL_MEMORY_HIT] = f->turn.splat > 0 ? 1 : 0;
    if (f->turn.attacks == 0) {
        return;
    }
    int style = f->turn.style - 1;
    duel_fighter now = *f;
    now.spell = style == DUEL_SPELL ? DUEL_SPELL_ICE_BARRAGE : 0;
    now.armed = 0;
    duel_method m = duel_method_of(r, &now);
    duel_party by = duel_party_of(&now, now.set);
    int32_t most = duel_most(r->live, &m.blow, &by);
    f->roll[style] = duel_attack_roll(r->live, &m.blow, &by);
    f->memory[DUEL_MEMORY_MOST + style] = (uint8_t)duel_least(most, 255);
    f->memory[DUEL_MEMORY_SPEED + style] = f->turn.speed;
}

LU_INLINE void duel_baseline_attack(duel_state *s, const duel_rules *r, duel_fighter *f,
                                    const duel_fighter *to, lu_rng *rng) {
    switch (duel_baseline_urge(r, f, to)) {
    case DUEL_URGE_SPEC:
        duel_choose(s, f, DUEL_SET_SPEC, DUEL_MELEE, 0, true);
        break;
    case DUEL_URGE_STEP_AWAY: {
        uint32_t way = lu_rng_below(rng, 3);
        f->target = 0;
        duel_go(f, f->x + (way == 0 ? -3 : way == 1 ? 3 : 0), f->y + (way == 2 ? 3 : 0));
        break;
    }
    case DUEL_URGE_RESTORE:
        duel_drink_dose(f, DUEL_POTION_RESTORE);
        break;
    case DUEL_URGE_ICE:
        duel_choose(s, f, DUEL_SET_MAGE, DUEL_SPELL,
                    duel_best_spell(f->level[DUEL_MAGIC], DUEL_SPELL_ICE_RUSH), false);
        break;
    case DUEL_URGE_MELEE:
        duel_choose(s, f, DUEL_SET_MELEE, DUEL_MELEE, 0, false);
        break;
    case DUEL_URGE_RANGED:
        duel_choose(s, f, DUEL_SET_RANGED, DUEL_SHOT, 0, false);
        break;
    default:
        break;
    }
}

/* One tick of the driven seat, in place of its inputs. */
LU_INLINE void duel_baseline(duel_state *s, const duel_rules *r, duel_fighter *f, duel_fighter *to,
                             lu_rng *rng) {
    int32_t full = f->base[DUEL_HITPOINTS], before = f->level[DUEL_HITPOINTS];
    f->memory[DUEL_MEMORY_ATTACKED] = f->memory[DUEL_MEMORY_ATTACKED] || f->hits || f->queued;
    if (!f->memory[DUEL_MEMORY_ATTACKED]) {
        f->prayers = 0;
        return;
    }
    if (lu_rng_below(rng, 5) == 0) {
        duel_overhead(f, duel_baseline_shield(f, to));
    }
    duel_baseline_attack(s, r, f, to, rng);
    if (before < 30 || (f->memory[DUEL_MEMORY_HIT] && before * 100 <= full * 65)) {
        duel_eat_food(f);
        duel_eat_fish(f);
    }
    if (before <= full && f->food_kind == DUEL_FOOD_ANGLERFISH && f->food > 0) {
        duel_eat_food(f);
    } else if (f->level[DUEL_RANGED] <= f->base[DUEL_RANGED]) {
        duel_drink_dose(f, DUEL_POTION_RANGING);
    } else if (f->level[DUEL_STRENGTH] <= f->base[DUEL_STRENGTH]) {
        duel_drink_dose(f, DUEL_POTION_COMBAT);
    }
}

LU_C_END
