/* What the ace of prospector sees and remembers, apart from what it decides (prospector_ace.c):
 * the observation in units, a map of the belt, what each rock gave when it was mined, and prices.
 * Ownership: the memory is the bot's, zero at the start of an episode. Threads: nothing is shared.
 */
#pragma once

#include "prospector.h"

/* Lowest cost of a way that does not exist. */
#define ACE_FAR 1e6f

/* Credits of a unit: the base price, and what it brings in the end: iron and nickel as isotopes,
 * all less slippage. */
extern const double prospector_base_price[PROSPECTOR_GOODS];
extern const double prospector_worth[PROSPECTOR_GOODS];

/* A node as it was last seen. */
typedef struct ace_place {
    float fuel[PROSPECTOR_SLOTS]; /* units, of an empty ship */
    float
        rate[PROSPECTOR_ROCKS]; /* credits of a careful tick: whole rock, sound tool; 0 = untried */
    float left[PROSPECTOR_ROCKS]; /* 1 - depletion; 0 = absent or gone */
    uint8_t time[PROSPECTOR_SLOTS];
    uint8_t kind[PROSPECTOR_SLOTS]; /* prospector_node_type of the other end */
    uint8_t to[PROSPECTOR_SLOTS];   /* node at the other end + 1; 0 = not known */
    uint8_t degree, visited, type;
    uint8_t fractures; /* each raises the hazard here */
    uint8_t unused[2];
} ace_place;

typedef struct ace_memory {
    ace_place place[PROSPECTOR_NODES];
    float price[PROSPECTOR_GOODS]; /* also above the base, where the observation stops */
    float cargo[PROSPECTOR_GOODS]; /* with load, tool and depletion: before the last action */
    float load, tool, depletion;
    float fixed_cost; /* credits this trip costs however long it is */
    float held_cost;  /* expected losses of this trip so far */
    float home_time, home_fuel;
    int32_t home_slot, home_hops;
    int32_t started, last_action, last_node, last_rock;
    int32_t target;         /* place to go to + 1; 0 = none */
    int32_t target_slot;    /* edge nobody has flown to take there + 1; 0 = stay there */
    int32_t homing;         /* on the way home */
    int32_t mined, moves;   /* in this trip */
    int32_t waited;         /* ticks in this stay */
    int32_t steady, shield; /* covered ticks left of a stabilizer and a burn */
} ace_memory;

/* What is seen now, in units. */
typedef struct ace_view {
    const float *o;
    const uint8_t *mask;
    double fuel, hull, heat, tool, load, alert, time;
    double cargo[PROSPECTOR_GOODS];
    double value; /* of the cargo, credits */
    int node, kits, stabilizers, selected;
    bool station;
} ace_view;

/* Best ways from one place to all others over edges whose ends are known. */
typedef struct ace_ways {
    float cost[PROSPECTOR_NODES], time[PROSPECTOR_NODES], fuel[PROSPECTOR_NODES];
    int8_t first[PROSPECTOR_NODES]; /* slot to take, -1 = no way */
    int8_t hops[PROSPECTOR_NODES];
} ace_ways;

/* Reads an observation and learns from it. `budget`: ticks of a whole episode. */
void prospector_look(ace_memory *memory, double budget, const float *observation,
                     const uint8_t *mask, ace_view *view);
/* Expected hazard of a place, 0..1. */
double prospector_hazard_guess(const ace_place *place);
/* Ways over edges whose ends are known. A tick of flight costs 1 plus `hazard` times the hazard of
 * both ends, a unit of fuel costs `fuel`. */
void prospector_find_ways(const ace_memory *memory, int from, double hazard, double fuel,
                          ace_ways *ways);
/* Fields of a rock in the observation. */
const float *prospector_rock_seen(const float *observation, int rock);

/* The bot, for the table of bots. */
void prospector_ace_act(const lu_seat_view *view, int32_t *actions);
