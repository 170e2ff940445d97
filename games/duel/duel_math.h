/* The formulas of duel: rolls, hit chance, maximum hit, delays, potions and food, as plain
 * functions of numbers, so that the rules, the tools and the tests share them. Integers throughout:
 * the reference computes in single precision, and percentages as ratios give the same floors, but
 * for 0.7 x 90, 170 and 180. Ownership: nothing is kept. Threads: no state. */
#pragma once

#include "duel_tables.h"

#include "ludus/math.h"

#include <stdbool.h>

LU_C_BEGIN

/* Rows of the list of differences between the reference and the live game: bit n - 1 of `live` is
 * row n as the live game has it. No bits are the rule set `ref`, all are `game`. */
enum {
    DUEL_LIVE_SPECIALS = 1 << 0,  /* accuracy of ranged and magic specials counts */
    DUEL_LIVE_ROLL = 1 << 1,      /* that of melee specials multiplies the roll */
    DUEL_LIVE_ACCURACY = 1 << 2,  /* dagger 115 %, claws 100 % */
    DUEL_LIVE_MAGIC = 1 << 3,     /* magic defence level has its + 8 */
    DUEL_LIVE_FLOOR = 1 << 4,     /* specials multiply a maximum hit that is rounded down */
    DUEL_LIVE_PROTECT = 1 << 5,   /* longsword, warhammer and nightmare staff are protected from */
    DUEL_LIVE_RUSH = 1 << 6,      /* ice rush hits 16 */
    DUEL_LIVE_DIAMOND = 1 << 7,   /* diamond bolts pass the defence roll */
    DUEL_LIVE_SPEED = 1 << 8,     /* warhammer 5 ticks, dark bow 8; ranges of ballista, dark bow */
    DUEL_LIVE_PID = 1 << 9,       /* new PID every 100..150 ticks */
    DUEL_LIVE_VENOM = 1 << 10,    /* the tentacle does not poison */
    DUEL_LIVE_HEALTH = 1 << 12,   /* the opponent is seen in full health before the first splat */
    DUEL_LIVE_FOOD = 1 << 13,     /* the food count counts any primary food */
    DUEL_LIVE_FARCAST = 1 << 14,  /* the farcast option looks at distance 7 too */
    DUEL_LIVE_KNOCKOUT = 1 << 15, /* a double knock-out is a tie */
    DUEL_LIVE_ALL = 0xffff,
    DUEL_LIVE_ROWS = 16,
};

typedef enum duel_style { DUEL_MELEE, DUEL_SHOT, DUEL_SPELL, DUEL_STYLES } duel_style;

/* What one side brings to an attack. */
typedef struct duel_party {
    const int16_t *level; /* current, DUEL_LEVELS */
    const int16_t *bonus; /* of what is worn, DUEL_BONUSES */
    uint32_t prayers;     /* bit p: prayer p is on */
    int32_t stance;       /* duel_stance */
} duel_party;

/* The attack itself. */
typedef struct duel_blow {
    uint8_t style;          /* duel_style */
    uint8_t weapon;         /* item */
    uint8_t ammo;           /* item */
    uint8_t spell;          /* of a spell */
    uint8_t special;        /* duel_special, of the weapon; 0 none */
    uint8_t dharok;         /* full set worn */
    uint8_t queued;         /* maul specials released together, else 1 */
    uint8_t type;           /* duel_type, of melee */
    int16_t base_hitpoints; /* of the attacker, for Dharok's set */
    int16_t unused2;
} duel_blow;

typedef struct duel_odds {
    int32_t attack, defence; /* rolls */
    int32_t most;            /* maximum hit */
} duel_odds;

/* ---- gear ---- */

/* Bonuses of what is worn. Ammunition does not count while something is thrown. */
LU_INLINE void duel_gear_bonus(const uint8_t *item, int16_t *bonus) {
    int kind = duel_items[item[DUEL_SLOT_WEAPON]].kind;
    bool thrown = kind == DUEL_CLASS_KNIFE || kind == DUEL_CLASS_JAVELIN;
    for (int b = 0; b < DUEL_BONUSES; b++) {
        int32_t sum = 0;
        for (int slot = 0; slot < DUEL_SLOTS; slot++) {
            sum += thrown && slot == DUEL_SLOT_AMMO ? 0 : duel_items[item[slot]].bonus[b];
        }
        bonus[b] = (int16_t)sum;
    }
}

LU_INLINE bool duel_is_dharok(const uint8_t *item) {
    return item[DUEL_SLOT_HEAD] == DUEL_ITEM_DHAROKS_HELM &&
           item[DUEL_SLOT_BODY] == DUEL_ITEM_DHAROKS_PLATEBODY &&
           item[DUEL_SLOT_LEGS] == DUEL_ITEM_DHAROKS_PLATELEGS &&
           item[DUEL_SLOT_WEAPON] == DUEL_ITEM_DHAROKS_GREATAXE;
}

/* Style of a weapon that is swung, shot or thrown; a staff is swung. */
LU_INLINE int duel_style_of(int kind) {
    return kind >= DUEL_CLASS_CROSSBOW && kind <= DUEL_CLASS_JAVELIN ? DUEL_SHOT : DUEL_MELEE;
}

/* ---- levels ---- */

LU_INLINE int32_t duel_prayed(int32_t level, uint32_t prayers, int of) {
    int32_t best = 100;
    for (; prayers; prayers &= prayers - 1) {
        int32_t percent = duel_prayers[lu_lowest_bit(prayers)].percent[of];
        best = percent > best ? percent : best;
    }
    return level * best / 100;
}

/* floor(0.7 x); the reference is one too low where single precision is. */
LU_INLINE int32_t duel_seven_tenths(int32_t x, bool exact) {
    return x * 7 / 10 - (!exact && (x == 90 || x == 170 || x == 180) ? 1 : 0);
}

LU_INLINE int32_t duel_shielded(int32_t damage) {
    return damage * 3 / 5;
}

LU_INLINE int32_t duel_speed(const duel_item *weapon, uint32_t live) {
    return weapon->speed[(live & DUEL_LIVE_SPEED) ? 1 : 0];
}

/* ---- accuracy ---- */

LU_INLINE int32_t duel_accuracy(const duel_item *weapon, uint32_t live) {
    return weapon->accuracy[(live & DUEL_LIVE_ACCURACY) ? 1 : 0];
}

LU_INLINE int32_t duel_attack_roll(uint32_t live, const duel_blow *blow, const duel_party *by) {
    const duel_item *weapon = &duel_items[blow->weapon];
    int32_t special = blow->special ? duel_accuracy(weapon, live) : 100;
    if (blow->style == DUEL_MELEE) {
        int32_t level = duel_prayed(by->level[DUEL_ATTACK], by->prayers, DUEL_OF_ATTACK) + 8;
        level += by->stance == DUEL_STANCE_ACCURATE     ? 3
                 : by->stance == DUEL_STANCE_CONTROLLED ? 1
                                                        : 0;
        bool on_roll = (live & DUEL_LIVE_ROLL) != 0;
        level = on_roll ? level : level * special / 100;
        int32_t roll = level * (by->bonus[DUEL_BONUS_ATTACK + blow->type] + 64);
        return on_roll ? roll * special / 100 : roll;
    }
    bool counts = (live & DUEL_LIVE_SPECIALS) != 0;
    int32_t roll;
    if (blow->style == DUEL_SHOT) {
        int32_t level = duel_prayed(by->level[DUEL_RANGED], by->prayers, DUEL_OF_RANGED) + 8;
        level += by->stance == DUEL_STANCE_ACCURATE ? 3 : 0;
        roll = level * (by->bonus[DUEL_BONUS_ATTACK + DUEL_TYPE_RANGED] + 64);
    } else {
        int32_t level = duel_prayed(by->level[DUEL_MAGIC], by->prayers, DUEL_OF_MAGIC) + 9;
        level += counts && blow->special ? 2 : 0;
        roll = level * (by->bonus[DUEL_BONUS_ATTACK + DUEL_TYPE_MAGIC] + 64);
        bool ice = blow->spell >= DUEL_SPELL_ICE_RUSH && blow->spell <= DUEL_SPELL_ICE_BARRAGE;
        roll = ice && blow->weapon == DUEL_ITEM_ZURIELS_STAFF ? roll * 11 / 10 : roll;
    }
    return counts ? roll * special / 100 : roll;
}

LU_INLINE int32_t duel_defence_roll(uint32_t live, const duel_blow *blow, const duel_party *to) {
    int32_t defence = duel_prayed(to->level[DUEL_DEFENCE], to->prayers, DUEL_OF_DEFENCE);
    int32_t stance = to->stance == DUEL_STANCE_DEFENSIVE    ? 3
                     : to->stance == DUEL_STANCE_CONTROLLED ? 1
                                                            : 0;
    const int16_t *bonus = to->bonus + DUEL_BONUS_DEFENCE;
    if (blow->style == DUEL_SPELL) {
        int32_t magic = duel_prayed(to->level[DUEL_MAGIC], to->prayers, DUEL_OF_MAGIC);
        bool whole = (live & DUEL_LIVE_MAGIC) != 0;
        int32_t level = whole ? duel_seven_tenths(magic, true) + defence * 3 / 10 + stance + 8
                              : duel_seven_tenths(magic, false) + (defence + stance + 8) * 3 / 10;
        return level * (bonus[DUEL_TYPE_MAGIC] + 64);
    }
    int32_t level = defence + stance + 8;
    if (blow->style == DUEL_SHOT) {
        return level * (bonus[DUEL_TYPE_RANGED] + 64);
    }
    if (blow->special == DUEL_SPECIAL_FIFTH) {
        return level * (bonus[DUEL_TYPE_STAB] + 64) / 4;
    }
    return level * (bonus[blow->type] + 64);
}

/* The chance as a fraction that is not reduced. */
LU_INLINE void duel_chance_parts(int32_t attack, int32_t defence, int64_t *over, int64_t *under) {
    if (attack > defence) {
        *under = 2 * ((int64_t)attack + 1);
        *over = *under - (defence + 2);
    } else {
        *under = 2 * ((int64_t)defence + 1);
        *over = attack;
    }
}

LU_INLINE double duel_chance(int32_t attack, int32_t defence) {
    int64_t over, under;
    duel_chance_parts(attack, defence, &over, &under);
    return (double)over / (double)under;
}

/* ---- damage ---- */

/* The best of the four spells from `first` on that the level allows; 0: none. */
LU_INLINE int duel_best_spell(int32_t magic, int first) {
    int spell = 0;
    for (int k = 0; k < 4; k++) {
        spell = magic >= duel_spells[first + k].level ? first + k : spell;
    }
    return spell;
}

LU_INLINE int32_t duel_nightmare_most(int32_t magic) {
    int32_t most = (magic * 263 + 449) / 449;
    return most < 58 ? most : 58;
}

LU_INLINE int32_t duel_most(uint32_t live, const duel_blow *blow, const duel_party *by) {
    const duel_item *weapon = &duel_items[blow->weapon];
    int32_t more = blow->special ? weapon->damage : 1000;
    int32_t percent = 100 + by->bonus[DUEL_BONUS_MAGIC_DAMAGE];
    if (blow->style == DUEL_SPELL) {
        int32_t plain = blow->special
                            ? duel_nightmare_most(by->level[DUEL_MAGIC])
                            : duel_spells[blow->spell].max[(live & DUEL_LIVE_RUSH) ? 1 : 0];
        return plain * percent / 100;
    }
    if (blow->style == DUEL_SHOT) {
        int32_t level =
            duel_prayed(by->level[DUEL_RANGED], by->prayers, DUEL_OF_RANGED_STRENGTH) + 8;
        int32_t parts = level * (by->bonus[DUEL_BONUS_RANGED_STRENGTH] + 64) + 320;
        return (live & DUEL_LIVE_FLOOR) ? parts / 640 * more / 1000
                                        : (int32_t)((int64_t)parts * more / 640000);
    }
    int32_t level = duel_prayed(by->level[DUEL_STRENGTH], by->prayers, DUEL_OF_STRENGTH) + 8;
    level += by->stance == DUEL_STANCE_AGGRESSIVE   ? 3
             : by->stance == DUEL_STANCE_CONTROLLED ? 1
                                                    : 0;
    int32_t most = (level * (by->bonus[DUEL_BONUS_STRENGTH] + 64) + 320) / 640;
    if (blow->dharok) {
        int32_t missing = blow->base_hitpoints - by->level[DUEL_HITPOINTS];
        most = most * (10000 + missing * blow->base_hitpoints) / 10000;
    }
    /* godswords: 10 % of all of them, then 25 % of their own, each rounded down */
    if ((live & DUEL_LIVE_FLOOR) && weapon->kind == DUEL_CLASS_GODSWORD && blow->special) {
        return most * 11 / 10 * (more == 1375 ? 5 : 4) / 4;
    }
    return most * more / 1000;
}

LU_INLINE duel_odds duel_odds_of(uint32_t live, const duel_blow *blow, const duel_party *by,
                                 const duel_party *to) {
    duel_odds odds;
    odds.attack = duel_attack_roll(live, blow, by);
    odds.defence = duel_defence_roll(live, blow, to);
    odds.most = duel_most(live, blow, by);
    return odds;
}

/* ---- bolts ---- */

typedef struct duel_bolt {
    int32_t percent;  /* chance */
    int32_t times;    /* damage in percent */
    int32_t adds;     /* damage */
    bool needs_hit;   /* only with an accurate shot */
    bool magic_stops; /* not into protection from magic */
    bool sure;        /* with an accurate shot */
    bool passes;      /* its shot is accurate */
} duel_bolt;

/* The effect of the bolts that a blow shoots; percent 0: none. */
LU_INLINE duel_bolt duel_bolt_of(uint32_t live, const duel_blow *blow, int32_t ranged) {
    duel_bolt bolt = {0, 100, 0, false, false, false, false};
    bool zaryte = blow->weapon == DUEL_ITEM_ZARYTE_CROSSBOW;
    if (duel_items[blow->weapon].kind != DUEL_CLASS_CROSSBOW) {
        return bolt;
    }
    if (blow->ammo == DUEL_ITEM_DIAMOND_BOLTS_E) {
        bolt.percent = 10;
        bolt.times = zaryte ? 125 : 115;
        bolt.passes = (live & DUEL_LIVE_DIAMOND) != 0;
    } else if (blow->ammo == DUEL_ITEM_OPAL_DRAGON_BOLTS_E) {
        bolt.percent = 5;
        bolt.adds = ranged / (zaryte ? 9 : 10);
    } else if (blow->ammo == DUEL_ITEM_DRAGONSTONE_DRAGON_BOLTS_E) {
        bolt.percent = 6;
        bolt.adds = ranged * (zaryte ? 22 : 20) / 100;
        bolt.needs_hit = bolt.magic_stops = true;
    }
    bolt.percent *= blow->special == DUEL_SPECIAL_BOLTS ? 2 : 1;
    bolt.sure = blow->special == DUEL_SPECIAL_BOLTS_SURE;
    return bolt;
}

/* ---- delays ---- */

/* Ticks between attack and landing at distance d; `second` is the second arrow of a dark bow. */
LU_INLINE int32_t duel_delay(const duel_blow *blow, int32_t d, bool second) {
    if (blow->style == DUEL_MELEE) {
        return 0;
    }
    if (blow->style == DUEL_SPELL) {
        return 1 + (1 + d) / 3;
    }
    switch (duel_items[blow->weapon].kind) {
    case DUEL_CLASS_BALLISTA:
        return blow->special ? 2 : 2 + (1 + d) / 6;
    case DUEL_CLASS_KNIFE:
    case DUEL_CLASS_JAVELIN:
        return 1 + d / 6;
    default:
        return second ? 1 + (2 + d) / 3 : 1 + (3 + d) / 6;
    }
}

/* ---- food and potions: change current levels ---- */

enum { DUEL_SHARK_HEALS = 20, DUEL_KARAMBWAN_HEALS = 18 };

LU_INLINE int32_t duel_angler_heals(int32_t base) {
    int32_t more = base >= 93 ? 13 : base >= 75 ? 8 : base >= 50 ? 6 : base >= 25 ? 4 : 2;
    int32_t heals = base / 10 + more;
    return heals < 22 ? heals : 22;
}

/* Of base levels, which are never negative: without a sign a division costs half. */
LU_INLINE int32_t duel_combat_boost(int32_t base) {
    return (int32_t)((uint32_t)base * 15 / 100) + 5;
}
LU_INLINE int32_t duel_ranging_boost(int32_t base) {
    return (int32_t)((uint32_t)base / 10) + 4;
}
LU_INLINE int32_t duel_brew_defence(int32_t base) {
    return 2 + (int32_t)((uint32_t)base / 5);
}
LU_INLINE int32_t duel_brew_heals(int32_t base) {
    return 2 + (int32_t)((uint32_t)base * 15 / 100);
}

/* Adds up to `cap`; a level that is above it already stays. */
LU_INLINE int16_t duel_raised(int32_t level, int32_t by, int32_t cap) {
    int32_t next = level + by < cap ? level + by : cap;
    return (int16_t)(next > level ? next : level);
}

LU_INLINE void duel_eat(int16_t *level, const int16_t *base, int food) {
    int32_t full = base[DUEL_HITPOINTS], heals = duel_angler_heals(full);
    bool angler = food == DUEL_FOOD_ANGLERFISH;
    level[DUEL_HITPOINTS] = duel_raised(level[DUEL_HITPOINTS], angler ? heals : DUEL_SHARK_HEALS,
                                        angler ? full + heals : full);
}

LU_INLINE void duel_eat_karambwan(int16_t *level, const int16_t *base) {
    level[DUEL_HITPOINTS] =
        duel_raised(level[DUEL_HITPOINTS], DUEL_KARAMBWAN_HEALS, base[DUEL_HITPOINTS]);
}

typedef enum duel_potion {
    DUEL_POTION_NONE,
    DUEL_POTION_BREW,
    DUEL_POTION_RESTORE,
    DUEL_POTION_COMBAT,
    DUEL_POTION_RANGING,
    DUEL_POTIONS,
} duel_potion;

LU_INLINE void duel_lowered(int16_t *level, int32_t by) {
    *level = (int16_t)(*level > by ? *level - by : 0);
}

LU_INLINE void duel_drink(int16_t *level, const int16_t *base, int potion) {
    if (potion == DUEL_POTION_BREW) {
        int32_t shield = duel_brew_defence(base[DUEL_DEFENCE]);
        int32_t heals = duel_brew_heals(base[DUEL_HITPOINTS]);
        level[DUEL_DEFENCE] = duel_raised(level[DUEL_DEFENCE], shield, base[DUEL_DEFENCE] + shield);
        level[DUEL_HITPOINTS] =
            duel_raised(level[DUEL_HITPOINTS], heals, base[DUEL_HITPOINTS] + heals);
        duel_lowered(&level[DUEL_ATTACK], base[DUEL_ATTACK] / 10 + 2);
        duel_lowered(&level[DUEL_STRENGTH], level[DUEL_STRENGTH] / 10 + 2);
        duel_lowered(&level[DUEL_MAGIC], level[DUEL_MAGIC] / 10 + 2);
        duel_lowered(&level[DUEL_RANGED], level[DUEL_RANGED] / 10 + 2);
    } else if (potion == DUEL_POTION_RESTORE) {
        for (int k = 0; k < DUEL_LEVELS; k++) {
            if (k != DUEL_HITPOINTS) {
                level[k] = duel_raised(level[k], 8 + base[k] / 4, base[k]);
            }
        }
    } else if (potion == DUEL_POTION_COMBAT) {
        for (int k = DUEL_ATTACK; k <= DUEL_STRENGTH; k++) {
            int32_t boost = duel_combat_boost(base[k]);
            level[k] = duel_raised(level[k], boost, base[k] + boost);
        }
    } else if (potion == DUEL_POTION_RANGING) {
        int32_t boost = duel_ranging_boost(base[DUEL_RANGED]);
        level[DUEL_RANGED] = duel_raised(level[DUEL_RANGED], boost, base[DUEL_RANGED] + boost);
    }
}

/* The stat clock: one level towards base; prayer does not come back by itself. */
LU_INLINE void duel_decay(int16_t *level, const int16_t *base) {
    for (int k = 0; k < DUEL_LEVELS; k++) {
        int32_t up = level[k] < base[k] && k != DUEL_PRAYER ? 1 : 0;
        level[k] = (int16_t)(level[k] > base[k] ? level[k] - 1 : level[k] + up);
    }
}

/* ---- prayer points ---- */

/* Points that prayers take in one tick. */
LU_INLINE double duel_drain(uint32_t prayers, int32_t bonus) {
    int32_t sum = 0;
    for (; prayers; prayers &= prayers - 1) {
        sum += duel_prayers[lu_lowest_bit(prayers)].drain;
    }
    return (double)sum * 0.01 / (1.0 + 0.0333 * (double)bonus);
}

LU_C_END
