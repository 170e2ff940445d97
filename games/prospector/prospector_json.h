/* The plain numbers of a prospector state, its nodes, edges and rocks as JSON has them: the same
 * tables for writing (prospector_json.c) and reading (prospector_json_read.c), which alone include
 * this. */
#pragma once

#include "prospector.h"

#include "ludus/fields.h"

static const double base_price[PROSPECTOR_GOODS] = {45, 55, 85, 145, 210, 120};

static inline double budget(const lu_rules *rules) {
    return ((const prospector_rules *)(const void *)rules)->time_max;
}

/* The last action may overshoot the budget by 7 ticks. */
static inline double budget_passed(const lu_rules *rules) {
    return budget(rules) + 7.0;
}

/* Seen by the pilot; hidden, one or many; hidden, of each good, and in units of its base price.
 * What the pilot sees of goods prospector_json.c writes. */
#define FIELD(member, type, entries, secret, least, high_, unit_)                                  \
    {                                                                                              \
        LU_FIELD(prospector_state, member), .kind = LU_NUMBER_##type, .count = (entries),          \
                                            .hidden = (secret), .low = (least), .high = (high_),   \
                                            .unit = (unit_)                                        \
    }
#define ONE(member, type, least, high) FIELD(member, type, 0, false, least, high, NULL)
#define HIDDEN(member, type, entries, least, high)                                                 \
    FIELD(member, type, entries, true, least, high, NULL)
#define GOODS(member, type, least, high)                                                           \
    FIELD(member, type, PROSPECTOR_GOODS, true, least, high, NULL)
#define PRICED(member, type, least, high)                                                          \
    FIELD(member, type, PROSPECTOR_GOODS, true, least, high, base_price)
static const lu_state_field fields[] = {
    ONE(fuel, REAL, 0, PROSPECTOR_FUEL_MAX),
    ONE(hull, REAL, 0, PROSPECTOR_HULL_MAX),
    ONE(heat, REAL, 0, PROSPECTOR_HEAT_MAX),
    ONE(tool, REAL, 0, PROSPECTOR_TOOL_MAX),
    ONE(alert, REAL, 0, PROSPECTOR_ALERT_MAX),
    {LU_FIELD(prospector_state, time_left), .kind = LU_NUMBER_REAL, .most = budget},
    ONE(credits, REAL, 0, 1e12),
    ONE(total_spend, REAL, 0, 1e12),
    ONE(value_lost, REAL, 0, 1e12),
    ONE(use_sum, REAL, 0, 1e9),
    {LU_FIELD(prospector_state, ticks), .kind = LU_NUMBER_I32, .most = budget_passed},
    {LU_FIELD(prospector_state, overheat_ticks), .kind = LU_NUMBER_I32, .most = budget_passed},
    ONE(encounters, I32, 0, 1e9),
    ONE(scans, I32, 0, 1e9),
    ONE(mining_ticks, I32, 0, 1e9),
    ONE(kits, U8, 0, PROSPECTOR_SUPPLY_MAX),
    ONE(stabilizers, U8, 0, PROSPECTOR_SUPPLY_MAX),
    ONE(decoys, U8, 0, PROSPECTOR_SUPPLY_MAX),
    ONE(node, U8, 0, PROSPECTOR_NODES - 1),
    ONE(selected, I8, -1, PROSPECTOR_ROCKS - 1),
    ONE(action, I8, -1, PROSPECTOR_ACTIONS - 1),
    ONE(dt, U8, 0, 8),
    ONE(invalid, U8, 0, 1),
    ONE(end, U8, 0, PROSPECTOR_END_TIME),
    HIDDEN(escape_ticks, U8, 0, 0, 4),
    HIDDEN(rng, HEX, 0, 0, 0),
    /* prices stay within lowest..highest of their good: 0.2 to 4 times its base price covers all */
    GOODS(cargo, FLOAT, 0, PROSPECTOR_CARGO_MAX),
    PRICED(price, FLOAT, 0.2, 4.0),
    PRICED(last_price, FLOAT, 0.2, 4.0),
    GOODS(stock, FLOAT, 0, 1e6),
    GOODS(sales, FLOAT, 0, 1e6),
    GOODS(phase, WIDE, 0, 6.2831860),
    GOODS(period, WIDE, 180, 380),
    PRICED(amplitude, WIDE, 0, 0.3001),
    HIDDEN(stabilise_ticks, U8, PROSPECTOR_ROCKS, 0, 6),
};
enum { FIELDS = LU_COUNT(fields) };

/* ---- nodes, their edges and rocks ---- */

/* Of the station and of the other nodes: `rocks` stands behind the edges. */
#define NODE_FIELDS(first_type, last_type, most_danger, most_rocks)                                \
    {                                                                                              \
        {LU_FIELD(prospector_node, type), .kind = LU_NUMBER_U8, .low = (first_type),               \
         .high = (last_type)},                                                                     \
            {LU_FIELD(prospector_node, hazard), .kind = LU_NUMBER_FLOAT, .high = (most_danger)},   \
            {LU_FIELD(prospector_node, pirate), .kind = LU_NUMBER_FLOAT, .high = (most_danger)},   \
            {LU_FIELD(prospector_node, rock_rng), .kind = LU_NUMBER_HEX},                          \
            {LU_FIELD(prospector_node, rocks), .kind = LU_NUMBER_U8, .high = (most_rocks)},        \
    }
enum { NODE_BEFORE = 4, NODE_FIELDS_ALL = 5 };
static const lu_state_field node_fields[2][NODE_FIELDS_ALL] = {
    NODE_FIELDS(0, 0, 0, 0), NODE_FIELDS(1, 2, 1, PROSPECTOR_ROCKS)};

/* Record k of a node is its edge k, record a of its rocks the rock a. */
#define RECORD(type, name_, member, number, least, high_)                                          \
    {                                                                                              \
        .name = (name_), .offset = offsetof(type, member), .kind = LU_NUMBER_##number,             \
        .low = (least), .high = (high_)                                                            \
    }
#define EDGE(name, member, number, low, high)                                                      \
    RECORD(prospector_node, name, member, number, low, high)
static const lu_state_field edge_fields[] = {
    EDGE("to", neighbour, I8, 0, PROSPECTOR_NODES - 1),
    EDGE("time", time, U8, 1, 8),
    EDGE("fuel", fuel, FLOAT, 0, PROSPECTOR_FUEL_MAX),
    EDGE("threat", threat, FLOAT, 0, 1),
    EDGE("estimate", estimate, FLOAT, 0, 1),
};
enum { EDGE_FIELDS = LU_COUNT(edge_fields) };

#define ROCK(member, high) RECORD(prospector_rocks, #member, member, FLOAT, 0, high)
#define ROCK_GOODS(member)                                                                         \
    {                                                                                              \
        LU_FIELD(prospector_rocks, member), .kind = LU_NUMBER_FLOAT, .count = PROSPECTOR_GOODS,    \
                                            .apart = sizeof(float) * PROSPECTOR_ROCKS, .high = 1   \
    }
/* Of what the pilot sees of a rock. */
#define ROCK_SHOWN(name_, place)                                                                   \
    {                                                                                              \
        .name = (name_), .offset = offsetof(prospector_rocks, shown[0][place]),                    \
        .kind = LU_NUMBER_FLOAT, .each = sizeof(float) * PROSPECTOR_SHOWN, .high = 1               \
    }
static const lu_state_field rock_fields[] = {
    ROCK_GOODS(estimate),
    ROCK_GOODS(content),
    ROCK_SHOWN("stability_estimate", PROSPECTOR_ROCK_STABILITY),
    ROCK_SHOWN("depletion", PROSPECTOR_ROCK_DEPLETION),
    ROCK_SHOWN("confidence", PROSPECTOR_ROCK_CONFIDENCE),
    ROCK(richness, 4),
    ROCK(stability, 1),
    ROCK(noise, 1),
};
enum { ROCK_FIELDS = LU_COUNT(rock_fields) };
