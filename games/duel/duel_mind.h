/* What the bots of duel share: reading an observation by name, a plan that becomes legal choices,
 * and estimates of damage from what a seat sees.
 * Ownership: nothing is kept but in the memory that a bot is given. Threads: no state. */
#pragma once

#include "duel.h"

LU_C_BEGIN

/* Numbers of the observation that bots read. */
enum {
    DUEL_SEE_ENERGY = 4,
    DUEL_SEE_SHIELD = 5, /* melee, ranged, magic */
    DUEL_SEE_HEALTH = 10,
    DUEL_SEE_HIS_HEALTH = 11,
    DUEL_SEE_HIS_STYLE = 12,  /* melee, ranged, mage */
    DUEL_SEE_HIS_SHIELD = 16, /* melee, ranged, magic */
    DUEL_SEE_COMBAT_DOSES = 23,
    DUEL_SEE_RESTORE_DOSES = 24,
    DUEL_SEE_BREW_DOSES = 25,
    DUEL_SEE_PRAYER = 28,
    DUEL_SEE_FROZEN = 29,
    DUEL_SEE_HIS_FROZEN = 30,
    DUEL_SEE_HIS_IMMUNE = 32,
    DUEL_SEE_BESIDE = 33,
    DUEL_SEE_STRENGTH = 34,
    DUEL_SEE_ATTACK = 35,
    DUEL_SEE_DEFENCE = 36,
    DUEL_SEE_RANGED = 37,
    DUEL_SEE_MAGIC = 38,
    DUEL_SEE_COOL = 39,
    DUEL_SEE_HIS_COOL = 44,
    DUEL_SEE_PENDING = 46,
    DUEL_SEE_UNTIL_HIT = 48,
    DUEL_SEE_HIS_ATTACKED = 50,
    DUEL_SEE_DISTANCE = 62,
    DUEL_SEE_HIS_CONFIDENCE = 66,
    DUEL_SEE_HIS_SHARES = 67,        /* melee, magic, ranged */
    DUEL_SEE_HIS_SHIELD_SHARES = 75, /* magic, ranged, melee */
    DUEL_SEE_RECENT_HIS = 82,        /* melee, magic, ranged */
    DUEL_SEE_RECENT_SHIELD = 89,     /* magic, ranged, melee */
    DUEL_SEE_BASE = 96,              /* attack, strength, defence, ranged, magic, prayer, hp */
    DUEL_SEE_GEAR = 124,
    DUEL_SEE_HIS_DEFENCE = 142, /* ranged, magic, slash */
    DUEL_SEE_HIS_GEAR = 145,    /* accuracy and strength of magic, ranged, melee */
};

/* Index of a style in the lists that go melee, magic, ranged. */
LU_INLINE int duel_mind_place(int style) {
    return style == DUEL_MELEE ? 0 : style == DUEL_SPELL ? 1 : 2;
}

typedef struct duel_plan {
    int attack; /* 1 + duel_style, 0 none */
    int kind;   /* option of its head */
    int potion; /* duel_potion */
    bool food, karambwan, vengeance;
    int movement, farcast;
    int shield; /* 1 + duel_style, 4 smite, 5 redemption, 0 as it is */
} duel_plan;

/* Chances of the styles or protections. */
typedef struct duel_mix {
    double part[DUEL_STYLES];
} duel_mix;

/* The plan as choices that the mask allows: what is closed becomes the nearest thing that is open.
 */
void duel_mind_commit(const lu_seat_view *view, const duel_plan *plan, int32_t *actions);
bool duel_mind_ready(const lu_seat_view *view);
/* True when a style can be used now. */
bool duel_mind_may(const lu_seat_view *view, int style);
/* Mean damage per tick of each style against what the opponent wears, without and with protection,
 * as far as a seat can know: his levels are taken for those of the own build. */
void duel_mind_means(const lu_seat_view *view, double mean[DUEL_STYLES],
                     double shielded[DUEL_STYLES]);
/* The same of the opponent's styles against this seat. */
void duel_mind_fears(const lu_seat_view *view, double mean[DUEL_STYLES],
                     double shielded[DUEL_STYLES]);
int duel_mind_draw(const duel_mix *mix, lu_rng *rng);
/* Hitpoints as a share, less what is known to come. */
double duel_mind_his_health(const lu_seat_view *view);

LU_C_END
