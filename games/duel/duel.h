/* Duel: its states, its rules block and the numbers of its actions, terms and info fields. Two
 * fighters with three attack styles, three protections, a special weapon, food and potions fight on
 * a clock of 0.6 s until one has no hitpoints. One step is one tick; both choose at once. The rules
 * are in duel.c and its parts duel_*.h, the tables in duel_spec.c and data/, what people read in
 * duel_view.c, the bots in duel_bots.c.
 * Ownership: states and rules belong to the caller. Threads: nothing is shared. */
#pragma once

#include "duel_gear.h"

#include "ludus/game.h"
#include "ludus/math.h"

LU_C_BEGIN

/* ---- sizes ---- */

enum {
    DUEL_SEATS = 2,
    DUEL_HITS = 12,  /* on their way to a fighter, at most */
    DUEL_QUEUE = 24, /* damages that wait to be taken, at most */
    DUEL_RECENT = 5, /* attacks that the recent shares look at */
    DUEL_TIMERS = 8,
    DUEL_ARENA_X = 61,
    DUEL_ARENA_Y = 28,
    DUEL_BORDER = 64,  /* tiles around the arena that can be walked on */
    DUEL_NEVER = -128, /* attack timer before the first attack */
    DUEL_OLDEST = -100,
};

/* Timers that only count down. */
enum {
    DUEL_TIMER_FOOD,
    DUEL_TIMER_POTION,
    DUEL_TIMER_KARAMBWAN,
    DUEL_TIMER_FREEZE,
    DUEL_TIMER_IMMUNE,
    DUEL_TIMER_VENGEANCE,
};

/* ---- actions ---- */

enum {
    DUEL_HEAD_ATTACK,
    DUEL_HEAD_MELEE,
    DUEL_HEAD_RANGED,
    DUEL_HEAD_MAGE,
    DUEL_HEAD_POTION,
    DUEL_HEAD_FOOD,
    DUEL_HEAD_KARAMBWAN,
    DUEL_HEAD_VENGEANCE,
    DUEL_HEAD_GEAR,
    DUEL_HEAD_MOVEMENT,
    DUEL_HEAD_FARCAST,
    DUEL_HEAD_PRAYER,
    DUEL_HEADS,
};
/* Options of the heads, and the first of each head in the mask. */
enum {
    DUEL_NO_ATTACK = 0,
    DUEL_MAGE_ATTACK,
    DUEL_RANGED_ATTACK,
    DUEL_MELEE_ATTACK,
    DUEL_BASIC = 1,
    DUEL_SPEC,
    DUEL_ICE = 1,
    DUEL_BLOOD,
    DUEL_MAGIC_SPEC,
    DUEL_STAY = 0,
    DUEL_NEXT_TO,
    DUEL_UNDER,
    DUEL_FARCAST,
    DUEL_DIAGONAL,
    DUEL_PRAY_NONE = 0,
    DUEL_PRAY_MAGE,
    DUEL_PRAY_RANGED,
    DUEL_PRAY_MELEE,
    DUEL_PRAY_SMITE,
    DUEL_PRAY_REDEMPTION,
    DUEL_AT_ATTACK = 0,
    DUEL_AT_MELEE = 4,
    DUEL_AT_RANGED = 7,
    DUEL_AT_MAGE = 10,
    DUEL_AT_POTION = 14,
    DUEL_AT_FOOD = 19,
    DUEL_AT_KARAMBWAN = 21,
    DUEL_AT_VENGEANCE = 23,
    DUEL_AT_GEAR = 25,
    DUEL_AT_MOVEMENT = 27,
    DUEL_AT_FARCAST = 32,
    DUEL_AT_PRAYER = 39,
    DUEL_ACTIONS = 45,
};

/* Heads of the Dharok variant, and where they begin in its mask. */
enum {
    DHAROK_HEAD_ATTACK,
    DHAROK_HEAD_POTION,
    DHAROK_HEAD_FOOD,
    DHAROK_HEAD_KARAMBWAN,
    DHAROK_HEAD_VENGEANCE,
    DHAROK_HEAD_GEAR,
    DHAROK_HEADS,
};
enum {
    DHAROK_WHIP = 1,
    DHAROK_AXE,
    DHAROK_MAUL,
    DHAROK_ARMOUR_ON = 1,
    DHAROK_ARMOUR_OFF,
    DHAROK_AT_ATTACK = 0,
    DHAROK_AT_POTION = 4,
    DHAROK_AT_FOOD = 8,
    DHAROK_AT_KARAMBWAN = 10,
    DHAROK_AT_VENGEANCE = 12,
    DHAROK_AT_GEAR = 14,
    DHAROK_ACTIONS = 17,
};

/* ---- observation ---- */

enum {
    DUEL_OBSERVATION = 176,
    DUEL_CRITIC = 93, /* loop.h has it as a literal */
    DHAROK_OBSERVATION = 40,
    DHAROK_CRITIC = 15,
};
/* Groups, and the first number of each. */
enum {
    DUEL_GROUP_NOW,
    DUEL_GROUP_HISTORY,
    DUEL_GROUP_LOADOUT,
    DUEL_GROUP_TARGET,
    DUEL_GROUP_RULES,
    DUEL_GROUP_READY,
    DUEL_GROUPS,
};
enum {
    DUEL_FROM_NOW = 0,
    DUEL_FROM_HISTORY = 66,
    DUEL_FROM_LOADOUT = 96,
    DUEL_FROM_TARGET = 142,
    DUEL_FROM_RULES = 160,
    DUEL_FROM_READY = 162,
};

/* ---- terms, infos, events ---- */

enum {
    DUEL_TERM_STEP,
    DUEL_TERM_WIN,
    DUEL_TERM_LOSE,
    DUEL_TERM_TIE,
    DUEL_TERM_DAMAGE_DEALT,
    DUEL_TERM_DAMAGE_RECEIVED,
    DUEL_TERM_DEALT_SCALE,
    DUEL_TERM_RECEIVED_SCALE,
    DUEL_TERM_HEALTH_PRESERVED,
    DUEL_TERM_HEAL,
    DUEL_TERM_TARGET_HEAL,
    DUEL_TERM_SMITE_DEALT,
    DUEL_TERM_SMITE_RECEIVED,
    DUEL_TERM_PROTECTED_CORRECT,
    DUEL_TERM_PROTECTED_WRONG,
    DUEL_TERM_ATTACKED_CORRECT,
    DUEL_TERM_ATTACKED_WRONG,
    DUEL_TERM_PROTECTED_PREVIOUS_CORRECT,
    DUEL_TERM_PROTECTED_PREVIOUS_WRONG,
    DUEL_TERM_ATTACKED_PREVIOUS_CORRECT,
    DUEL_TERM_ATTACKED_PREVIOUS_WRONG,
    DUEL_TERM_TARGET_FROZEN,
    DUEL_TERM_PLAYER_FROZEN,
    DUEL_TERM_NO_PRAYER,
    DUEL_TERM_ATTACK_LEVEL,
    DUEL_TERM_STRENGTH_LEVEL,
    DUEL_TERM_DEFENSE_LEVEL,
    DUEL_TERM_RANGED_LEVEL,
    DUEL_TERM_MAGIC_LEVEL,
    DUEL_TERM_HIT_WITH_BOOST,
    DUEL_TERM_SAFE,
    DUEL_TERM_WASTED_FOOD,
    DUEL_TERM_DIED_WITH_FOOD,
    DUEL_TERM_TARGET_DIED_WITH_FOOD,
    DUEL_TERMS,
};

enum {
    DUEL_INFO_WON,
    DUEL_INFO_LOST,
    DUEL_INFO_END,
    DUEL_INFO_TICKS,
    DUEL_INFO_DAMAGE_DEALT,
    DUEL_INFO_DAMAGE_RECEIVED,
    DUEL_INFO_ATTACKS,
    DUEL_INFO_OFF_PRAYER,
    DUEL_INFO_PRAYED_RIGHT,
    DUEL_INFO_MELEE_SHARE,
    DUEL_INFO_RANGED_SHARE,
    DUEL_INFO_MAGIC_SHARE,
    DUEL_INFO_PRAY_MELEE_SHARE,
    DUEL_INFO_PRAY_RANGED_SHARE,
    DUEL_INFO_PRAY_MAGIC_SHARE,
    DUEL_INFO_HITPOINTS,
    DUEL_INFO_FOOD_LEFT,
    DUEL_INFO_BREWS_LEFT,
    DUEL_INFO_SPECIALS,
    DUEL_INFO_BUILD,
    DUEL_INFO_FIGHT,
    DUEL_INFOS,
};

typedef enum duel_end {
    DUEL_RUNNING,
    DUEL_END_WON, /* seat 0 won */
    DUEL_END_LOST,
    DUEL_END_BOTH, /* both fell */
    DUEL_END_SUPPLIES,
    DUEL_END_ROUNDS, /* of the exchange */
    DUEL_END_LIMIT,
} duel_end;

enum {
    DUEL_EVENT_MELEE,
    DUEL_EVENT_RANGED,
    DUEL_EVENT_MAGIC,
    DUEL_EVENT_SPECIAL,
    DUEL_EVENT_BLOCKED,
    DUEL_EVENT_BIG_HIT,
    DUEL_EVENT_FROZEN,
    DUEL_EVENT_ATE,
    DUEL_EVENT_DRANK,
    DUEL_EVENT_VENGEANCE,
    DUEL_EVENT_PID,
    DUEL_EVENT_WON,
    DUEL_EVENTS,
};

/* ---- the state ---- */

LU_STATE_BEGIN

/* An attack on its way. */
typedef struct duel_hit {
    int16_t damage[4];
    uint8_t count;    /* damages, 0..4; a spell that missed has none */
    int8_t delay;     /* ticks left */
    uint8_t style;    /* duel_style */
    uint8_t accurate; /* 1: it hit */
    uint8_t special;  /* duel_special */
    uint8_t poison;   /* damage its poison starts with */
    uint8_t unused[2];
} duel_hit;

/* What happened to a fighter in the last tick; zero at the start of each. */
typedef struct duel_turn {
    int16_t decided;           /* damage of its attacks */
    int16_t last_decided;      /* of the last of them */
    int16_t splat;             /* damage taken */
    int16_t extra;             /* damage decided on it by vengeance, recoil, bleed, sacrifice */
    int16_t healed;            /* by blood spells and blood fury */
    int16_t wasted;            /* hitpoints that food and brews healed in vain */
    int16_t hitpoints_at_meal; /* before the first meal */
    uint8_t attacks;           /* attacks made */
    uint8_t style;             /* 1 + style of the last, 0 none */
    uint8_t speed;             /* ticks of its weapon */
    uint8_t blocked;           /* it went into the matching protection */
    uint8_t shield;            /* 1 + style that the target protected from, 0 none */
    uint8_t smote;             /* smite was on */
    uint8_t special;           /* it was one */
    uint8_t meals;             /* pieces eaten and doses of brew */
    uint8_t doses;             /* drunk */
    uint8_t frozen;            /* ticks by which the freeze timer rose */
    uint8_t was_style;         /* style of the weapon shown before the tick */
    uint8_t was_shield;        /* 1 + style it protected from before the tick, 0 none */
} duel_turn;

typedef struct duel_fighter {
    double drain;              /* prayer points that are due, 0..1 */
    uint64_t mask;             /* derived: legal options */
    uint32_t pid;              /* hidden: the smaller number goes first */
    uint32_t prayers;          /* bits */
    int32_t roll[DUEL_STYLES]; /* attack rolls that the scripted baseline remembers */
    int32_t unused1;
    int16_t level[DUEL_LEVELS]; /* current, 0..130 */
    int16_t base[DUEL_LEVELS];  /* 1..99 */
    int16_t x, y;               /* tiles */
    int16_t goal_x, goal_y;     /* end of the path; where it stands without one */
    int16_t shown;              /* hitpoints as of the last splat, -1 before it */
    int16_t taken;              /* splats of the match */
    int16_t bleed;              /* damage that javelins still do */
    uint16_t attacks;           /* of the match, one per hit */
    uint16_t by_style[DUEL_STYLES];
    uint16_t into[DUEL_STYLES]; /* attacks while the target protected from a style */
    uint16_t blocked;           /* attacks into the matching protection */
    uint16_t specials;
    int16_t queue[DUEL_QUEUE];    /* damages in order */
    int16_t seen[DUEL_STYLES][5]; /* gear at the last attack of a style: accuracy, strength, ranged,
                                     magic and slash defence */
    int16_t bare[3];              /* derived: ranged, magic, slash defence worn, less ring, ammo */
    int16_t bonus[DUEL_SETS][DUEL_BONUSES]; /* derived */
    duel_turn turn;
    duel_hit hit[DUEL_HITS];
    int8_t cool; /* attack timer, below 0 the ticks since it ended; DUEL_NEVER */
    uint8_t timer[DUEL_TIMERS];
    uint8_t energy;       /* special, 0..100 */
    uint8_t energy_clock; /* ticks to the next 10, 0 stopped */
    uint8_t armed;        /* special */
    uint8_t mauls;        /* specials of the maul that wait */
    uint8_t spell;        /* chosen, 0 none */
    uint8_t target;       /* it attacks */
    uint8_t path;         /* it walks to the goal */
    uint8_t moved;        /* at its last processing */
    uint8_t run;          /* energy, 0..100 */
    uint8_t rest;         /* ticks stood towards the next point */
    uint8_t vengeance;    /* active */
    uint8_t known_lunar;  /* was seen with vengeance */
    uint8_t poison;       /* damage of the next one, 0 none */
    uint8_t poison_clock, poison_count;
    uint8_t bleed_clock;
    uint8_t sacrifice;   /* ticks to it, 0 none */
    uint8_t recoil;      /* points left in the ring */
    uint8_t pid_clock;   /* ticks to a new number */
    uint8_t queued;      /* damages in the queue */
    uint8_t hits;        /* on their way to it */
    uint8_t set;         /* worn */
    uint8_t bare_armour; /* of dharok: armour is off */
    uint8_t food, karambwan;
    uint8_t dose[DUEL_POTIONS]; /* left; entry 0 unused */
    uint8_t recent_style[DUEL_RECENT], recent_into[DUEL_RECENT], recent_open[DUEL_RECENT];
    /* constant in a match */
    uint8_t build, high_prayers, food_kind, lunar;
    uint8_t gear;            /* different items */
    uint8_t fixed;           /* slots of vials and runes */
    uint8_t worn[DUEL_SETS]; /* derived: items of a set */
    uint8_t item[DUEL_SETS][DUEL_SLOTS];
    uint8_t seen_styles; /* bits of `seen` */
    uint8_t memory[8];   /* of the scripted baseline: see duel_baseline.h */
    uint8_t unused2[1];
} duel_fighter;

typedef struct duel_state {
    uint64_t rng;
    int32_t tick;
    uint8_t fight;   /* duel_fight */
    uint8_t end;     /* duel_end */
    uint8_t changed; /* groups that a tick changes; 0 between ticks */
    uint8_t unused;
    duel_fighter fighter[DUEL_SEATS];
} duel_state;

LU_STATE_END

/* ---- the rules block ---- */

enum { DUEL_RULE_BUILDS = DUEL_BUILDS + 1 }; /* the last is one from a file */

typedef struct duel_rules {
    lu_rules head;
    duel_build build[DUEL_RULE_BUILDS];
    uint32_t live; /* rows of the live game */
    int32_t limit; /* ticks, 0 none */
    int32_t pid_low, pid_high;
    int32_t rounds; /* of the exchange, 0: a fight */
    uint8_t choice[DUEL_SEATS][DUEL_RULE_BUILDS];
    uint8_t fight; /* 0 as the build, else 1 + duel_fight, 4 drawn */
    uint8_t draw_gear;
    uint8_t prayer_when_about, gear_when_soon;
    uint8_t smite, redemption, move_when_ready, death_match;
    uint8_t driven;    /* 1: the baseline drives seat 1 */
    uint8_t generated; /* damage terms count what is decided */
    uint8_t safe_by_share, curved_food;
    uint8_t choices[DUEL_SEATS]; /* builds that each seat draws from */
    uint8_t unused[5];
} duel_rules;

/* Brings every derived field in line with the others, for whoever builds a state by hand. */
void duel_refresh(const lu_rules *rules, duel_state *state);

/* ---- parts in other files ---- */

enum { DUEL_BOTS = 11, DHAROK_BOTS = 2, DUEL_ROWS = 51, DHAROK_ROWS = 35 };
extern const lu_bot duel_bots[DUEL_BOTS];
extern const lu_bot dharok_bots[DHAROK_BOTS];
extern const lu_setting duel_rows[DUEL_ROWS], dharok_rows[DHAROK_ROWS];
lu_status duel_rules_init(lu_rules *rules, const lu_settings *settings, lu_error *error);
lu_status dharok_rules_init(lu_rules *rules, const lu_settings *settings, lu_error *error);
bool duel_drives(const lu_rules *rules, int seat);

void duel_to_json(const lu_rules *rules, const void *state, int seat, lu_json *json);
lu_status duel_from_json(const lu_rules *rules, void *state, const lu_json_value *value,
                         lu_error *error);
void duel_show(const lu_rules *rules, const void *state, int seat, lu_text *text);
uint64_t duel_events_of(const lu_rules *rules, const void *before, const void *after,
                        const int32_t *actions);
void duel_story(const lu_rules *rules, const void *before, const void *after,
                const int32_t *actions, lu_text *text);
const char *duel_why_not(const lu_rules *rules, const void *state, int seat, int head, int option);

LU_C_END
