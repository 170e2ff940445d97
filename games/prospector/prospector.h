/* Asteroid Belt Prospector: its state, its rules block and the numbers of its actions, terms and
 * info fields. One ship flies a random graph of asteroid fields, scans and mines rocks whose
 * content is hidden, and sells at the one station. The rules are in prospector.c, the tables in
 * prospector_spec.c, what people read in prospector_view.c, the bots in prospector_bots.c.
 * Ownership: states and rules belong to the caller. Threads: nothing is shared.
 *
 * Number formats are part of the rules: a float here is stored in single precision by the rules, a
 * double in double precision; expressions are evaluated in double and rounded once when stored. */
#pragma once

#include "ludus/game.h"
#include "ludus/math.h"

LU_C_BEGIN

/* ---- sizes and limits ---- */

enum {
    PROSPECTOR_GOODS = 6,  /* iron, nickel, water ice, platinum group, rare isotopes, volatiles */
    PROSPECTOR_LANES = 8,  /* goods are stored in rows of 8 so that loops fill a vector */
    PROSPECTOR_NODES = 32, /* at most; at least 8 */
    PROSPECTOR_SLOTS = 6,  /* neighbours of a node, at most */
    PROSPECTOR_ROCKS = 16, /* rocks of a node, at most */
    PROSPECTOR_SHOWN = 11, /* observation fields of a rock */
    PROSPECTOR_OBSERVATION = 260,
    PROSPECTOR_ODDS = 96,       /* steps of 1/8 over log odds -7..5 */
    PROSPECTOR_FUEL_MAX = 1000, /* units */
    PROSPECTOR_HULL_MAX = 100,  /* points */
    PROSPECTOR_HEAT_MAX = 100,  /* degrees */
    PROSPECTOR_TOOL_MAX = 100,  /* points */
    PROSPECTOR_ALERT_MAX = 100, /* points */
    PROSPECTOR_CARGO_MAX = 200, /* units */
    PROSPECTOR_SUPPLY_MAX = 12, /* kits, stabilizers and decoys alike */
    PROSPECTOR_UNREACHABLE = 31 /* hops of a node without a way to the station */
};

typedef enum prospector_node_type {
    PROSPECTOR_STATION,
    PROSPECTOR_CLUSTER,
    PROSPECTOR_HAZARD,
} prospector_node_type;

/* First action of each kind; the comment counts the options. */
enum {
    PROSPECTOR_TRAVEL = 0, /* 6: by neighbour slot */
    PROSPECTOR_HOLD = 6,
    PROSPECTOR_BURN = 7,
    PROSPECTOR_WIDE_SCAN = 8,
    PROSPECTOR_FOCUSED_SCAN = 9,
    PROSPECTOR_DEEP_SCAN = 10,
    PROSPECTOR_LISTEN = 11,
    PROSPECTOR_SELECT = 12, /* 16: by rock slot */
    PROSPECTOR_MINE = 28,   /* 3: careful, normal, hard */
    PROSPECTOR_STABILISE = 31,
    PROSPECTOR_REFINE = 32,
    PROSPECTOR_COOL = 33,
    PROSPECTOR_FIX_TOOL = 34,
    PROSPECTOR_PATCH_HULL = 35,
    PROSPECTOR_JETTISON = 36, /* 6: by good */
    PROSPECTOR_DOCK = 42,
    PROSPECTOR_SELL = 43,       /* 18: good x (25 %, 50 %, 100 %) */
    PROSPECTOR_BUY_FUEL = 61,   /* 3: 120, 260, 480 units */
    PROSPECTOR_BUY_SUPPLY = 64, /* 3: kit, stabilizer, decoy */
    PROSPECTOR_OVERHAUL = 67,
    PROSPECTOR_CASH_OUT = 68,
    PROSPECTOR_ACTIONS = 69
};

/* Observation groups, in order: 24 scalars, 6 x 7, 2, 16 x 11, 16 scalars. */
enum {
    PROSPECTOR_GROUP_SHIP,
    PROSPECTOR_GROUP_NEIGHBOURS,
    PROSPECTOR_GROUP_RESERVED,
    PROSPECTOR_GROUP_ROCKS,
    PROSPECTOR_GROUP_MARKET,
    PROSPECTOR_GROUPS
};
/* First number of each group, and fields of a neighbour slot. */
enum {
    PROSPECTOR_AT_SHIP = 0,
    PROSPECTOR_AT_NEIGHBOURS = 24,
    PROSPECTOR_AT_RESERVED = 66,
    PROSPECTOR_AT_ROCKS = 68,
    PROSPECTOR_AT_MARKET = 244,
    PROSPECTOR_NEIGHBOUR_FIELDS = 7
};

/* Fields of a shown rock. */
enum {
    PROSPECTOR_ROCK_PRESENT = 0,
    PROSPECTOR_ROCK_CONTENT = 1, /* 6: normalised composition estimate */
    PROSPECTOR_ROCK_STABILITY = 7,
    PROSPECTOR_ROCK_DEPLETION = 8,
    PROSPECTOR_ROCK_CONFIDENCE = 9,
    PROSPECTOR_ROCK_SELECTED = 10
};

/* Reward terms; all but the last, with weight 1, are the reference reward. */
enum {
    PROSPECTOR_TERM_CREDITS,
    PROSPECTOR_TERM_CARGO,
    PROSPECTOR_TERM_FUEL,
    PROSPECTOR_TERM_TIME,
    PROSPECTOR_TERM_WEAR,
    PROSPECTOR_TERM_HEAT,
    PROSPECTOR_TERM_DAMAGE,
    PROSPECTOR_TERM_SCAN,
    PROSPECTOR_TERM_INVALID,
    PROSPECTOR_TERM_PIRATES,
    PROSPECTOR_TERM_STRANDED,
    PROSPECTOR_TERM_DESTROYED,
    PROSPECTOR_TERM_BONUS,
    PROSPECTOR_TERM_SPEND,
    PROSPECTOR_TERMS
};

/* Info fields, in the order of the table. */
enum {
    PROSPECTOR_INFO_ACTION,
    PROSPECTOR_INFO_DT,
    PROSPECTOR_INFO_INVALID,
    PROSPECTOR_INFO_TERMINATED,
    PROSPECTOR_INFO_TRUNCATED,
    PROSPECTOR_INFO_CREDITS,
    PROSPECTOR_INFO_TRUE_PROFIT,
    PROSPECTOR_INFO_NET_PROFIT,
    PROSPECTOR_INFO_PROFIT_PER_TICK,
    PROSPECTOR_INFO_SURVIVAL,
    PROSPECTOR_INFO_OVERHEAT_TICKS,
    PROSPECTOR_INFO_PIRATE_ENCOUNTERS,
    PROSPECTOR_INFO_VALUE_LOST,
    PROSPECTOR_INFO_FUEL_USED,
    PROSPECTOR_INFO_HULL_DAMAGE,
    PROSPECTOR_INFO_TOOL_WEAR,
    PROSPECTOR_INFO_SCAN_COUNT,
    PROSPECTOR_INFO_MINING_TICKS,
    PROSPECTOR_INFO_CARGO_USE,
    PROSPECTOR_INFO_NODE_CONTEXT,
    PROSPECTOR_INFO_TIME_REMAINING,
    PROSPECTOR_INFO_TICKS_ELAPSED,
    PROSPECTOR_INFO_TOTAL_SPEND,
    PROSPECTOR_INFO_RNG,
    PROSPECTOR_INFO_END,
    PROSPECTOR_INFOS
};

/* How an episode ended (state.end, and the names of the info field). */
typedef enum prospector_end {
    PROSPECTOR_RUNNING,
    PROSPECTOR_END_CASH_OUT,
    PROSPECTOR_END_DESTROYED,
    PROSPECTOR_END_STRANDED,
    PROSPECTOR_END_BOTH, /* destroyed and stranded in the same step */
    PROSPECTOR_END_TIME,
} prospector_end;

/* Bits of events_of, in the order of the event table. */
enum {
    PROSPECTOR_EVENT_INVALID,
    PROSPECTOR_EVENT_PIRATES,
    PROSPECTOR_EVENT_OVERHEAT,
    PROSPECTOR_EVENT_TERMINATED,
    PROSPECTOR_EVENT_TRUNCATED,
    PROSPECTOR_EVENT_ARRIVED,
    PROSPECTOR_EVENT_FRACTURE,
    PROSPECTOR_EVENT_DECOY,
    PROSPECTOR_EVENT_SOLD,
    PROSPECTOR_EVENT_BOUGHT,
    PROSPECTOR_EVENTS
};

/* ---- the state ---- */

LU_STATE_BEGIN

/* One node and its edges. Slots 0..degree-1 are used, the others are zero. An edge stands at both
 * of its ends with equal time, fuel and threat; each end keeps an estimate of its own. */
typedef struct prospector_node {
    uint64_t rock_rng;                  /* generator state where the draws of its rocks begin */
    float hazard;                       /* hidden: hull damage per tick, 0..1; fractures raise it */
    float pirate;                       /* hidden: pirate level, 0..1 */
    float fuel[PROSPECTOR_SLOTS];       /* units an empty ship burns on the edge, 20..112 */
    float threat[PROSPECTOR_SLOTS];     /* hidden: true threat of the edge, 0..1 */
    float estimate[PROSPECTOR_SLOTS];   /* what the pilot believes the threat to be, 0..1 */
    int8_t neighbour[PROSPECTOR_SLOTS]; /* node at the other end, 0..31 */
    uint8_t time[PROSPECTOR_SLOTS];     /* ticks of the flight, 1..8 */
    uint8_t type;                       /* prospector_node_type */
    uint8_t hops;                       /* edges to the station, 31 = no way */
    uint8_t degree;                     /* used slots, 0..6 */
    uint8_t rocks;                      /* rocks 0..rocks-1 are present, 0 or 5..16 */
} prospector_node;

/* The rocks of one node: zero until the ship first arrives, and behind the last rock. `shown` is
 * laid out as the observation is, so that showing a node is one copy; the rest is transposed, so
 * that a loop over the rocks of a node fills vectors. */
typedef struct prospector_rocks {
    float shown[PROSPECTOR_ROCKS][PROSPECTOR_SHOWN]; /* PROSPECTOR_ROCK_*: each 0..1 */
    float estimate[PROSPECTOR_GOODS]
                  [PROSPECTOR_ROCKS]; /* composition estimate as stored, sum about 1 */
    float content[PROSPECTOR_GOODS][PROSPECTOR_ROCKS]; /* hidden: true composition, sum about 1 */
    float richness[PROSPECTOR_ROCKS];                  /* hidden: units per tick, 0.2..4 */
    float stability[PROSPECTOR_ROCKS];                 /* hidden: 0 breaks easily .. 1 */
    float noise[PROSPECTOR_ROCKS];                     /* hidden: scan noise, 0.04..0.22 */
} prospector_rocks;

/* Rows of PROSPECTOR_LANES hold the 6 goods; the last two entries are zero. */
typedef struct prospector_state {
    double fuel;        /* units, 0..1000 */
    double hull;        /* points, 0..100 */
    double heat;        /* degrees, 0..100 */
    double tool;        /* points, 0..100 */
    double load;        /* derived: share of the hold in use, 0..1 */
    double alert;       /* points, 0..100 */
    double time_left;   /* ticks, 0..time_max */
    double credits;     /* 0..; the eight up to here are observed in one vector */
    double total_spend; /* credits spent, 0.. */
    double value_lost;  /* credits' worth of cargo taken by pirates, 0.. */
    double use_sum;     /* load fraction x ticks, summed; its weight is `ticks` */
    uint64_t rng;       /* PCG32 state, stream 54 */

    float price[PROSPECTOR_LANES];      /* credits per unit, lowest..highest of the good */
    float last_price[PROSPECTOR_LANES]; /* before the last step */
    float stock[PROSPECTOR_LANES];      /* units at the station, 0..; nickel and volatiles hidden */
    float sales[PROSPECTOR_LANES];      /* hidden: recent sales, units, fading */
    float cargo[PROSPECTOR_LANES];      /* units, 0..200 each and in all */
    /* single precision by the rules, kept in doubles so that the loop over them is not mixed */
    double phase[PROSPECTOR_LANES];     /* hidden: radians, 0..2 pi */
    double period[PROSPECTOR_LANES];    /* hidden: ticks, 180..380 */
    double amplitude[PROSPECTOR_LANES]; /* hidden: credits, 0.1..0.3 of the base price */

    uint32_t made;          /* bit k: the rocks of node k exist */
    int32_t ticks;          /* ticks elapsed, 0..time_max + 7 */
    int32_t overheat_ticks; /* ticks of steps that overheated */
    int32_t encounters;     /* with pirates */
    int32_t scans;          /* valid scans */
    int32_t mining_ticks;   /* valid mining actions */
    float credits_shown;    /* observed credits, 0..1: kept since its logarithm is dear */
    uint16_t open;          /* bit a: rock a is here and not depleted; what may be selected */
    int8_t action;          /* the last action, resolved: 0..68; -1 after reset */
    uint8_t dt;             /* ticks it took, 1..8; 0 after reset */
    uint8_t invalid;        /* 1: it was invalid */
    uint8_t end;            /* prospector_end */
    uint8_t nodes;          /* of the graph, 8..32 */
    uint8_t node;           /* where the ship is */
    int8_t selected;        /* rock slot, -1 none */
    uint8_t escape_ticks;   /* hidden: of the last burn, 0..4 */
    uint8_t kits;           /* 0..12 */
    uint8_t stabilizers;    /* 0..12 */
    uint8_t decoys;         /* 0..12 */
    uint8_t unused[7];      /* zero */
    uint8_t stabilise_ticks[PROSPECTOR_ROCKS]; /* hidden: per slot number, at whatever node, 0..6 */

    prospector_node graph[PROSPECTOR_NODES];
    prospector_rocks rock[PROSPECTOR_NODES];
} prospector_state;

LU_STATE_END

enum { PROSPECTOR_HOT_BYTES = 512 };
#ifndef __cplusplus
_Static_assert(sizeof(prospector_node) == 104, "the same on every machine");
_Static_assert(sizeof(prospector_rocks) == 1664, "the same on every machine");
_Static_assert(offsetof(prospector_state, graph) == PROSPECTOR_HOT_BYTES, "hot part");
_Static_assert(sizeof(prospector_state) == 512 + 32 * 104 + 32 * 1664, "the same on every machine");
#endif

/* ---- the rules block ---- */

/* Affine powers of the generator: j draws ahead, the state s is mul[j] * s + add[j]. */
typedef struct prospector_jumps {
    uint64_t mul[PROSPECTOR_ROCKS + 1];
    uint64_t add[PROSPECTOR_ROCKS + 1];
} prospector_jumps;

typedef struct prospector_rules {
    lu_rules head;
    double time_max; /* ticks of an episode, the budget */
    /* of the first eight numbers of a state: what they are shown over, their highest value (0 for
     * the load, which is_load marks), what a drop of 1 is worth in reward, the least drop that
     * counts */
    double scale[PROSPECTOR_LANES], most[PROSPECTOR_LANES], is_load[PROSPECTOR_LANES];
    double rate[PROSPECTOR_LANES], least[PROSPECTOR_LANES];
    double pirate_most[PROSPECTOR_ODDS]; /* bounds of pirate_chance: see pirate_check */
    double tight;                        /* 1: the mask also drops legal actions without effect */
    uint64_t price_mul[2]
                      [PROSPECTOR_LANES]; /* [k][c]: 2 c + k draws, the draws of good c's noise */
    uint64_t price_add[2][PROSPECTOR_LANES];
    prospector_jumps rock;             /* entry j: the 20 draws of j rocks */
    prospector_jumps scan;             /* entry j: the 14 draws of j scanned rocks */
    double noise[9][PROSPECTOR_LANES]; /* deviation of a price after a step of dt ticks, credits */
    float fade[9];                     /* what a step of dt ticks leaves of recent sales */
    float unused;
} prospector_rules;

/* ---- what derives from the rest of a state ---- */

/* Observed credits: ln(1 + credits) / ln(1 + 1e7), at most 1. */
LU_INLINE float prospector_credits_shown(double credits) {
    double share = lu_log(1.0 + (credits > 0.0 ? credits : 0.0)) / 16.11809575095832;
    return (float)(share < 1.0 ? share : 1.0);
}

/* Brings every derived field in line with the others: credits_shown, load, open, the shown
 * composition and selected flag of every made rock. For whoever builds a state by hand. */
void prospector_refresh(prospector_state *state);

/* ---- parts in other files ---- */

enum { PROSPECTOR_BOTS = 6 };
extern const lu_bot prospector_bots[PROSPECTOR_BOTS];

void prospector_to_json(const lu_rules *rules, const void *state, int seat, lu_json *json);
lu_status prospector_from_json(const lu_rules *rules, void *state, const lu_json_value *value,
                               lu_error *error);
void prospector_show(const lu_rules *rules, const void *state, int seat, lu_text *text);
uint64_t prospector_events_of(const lu_rules *rules, const void *before, const void *after,
                              const int32_t *actions);
void prospector_story(const lu_rules *rules, const void *before, const void *after,
                      const int32_t *actions, lu_text *text);
const char *prospector_why_not(const lu_rules *rules, const void *state, int seat, int head,
                               int option);

LU_C_END
