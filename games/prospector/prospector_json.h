/* The fields of a prospector state as JSON has them: one table for writing (prospector_json.c) and
 * reading (prospector_json_read.c), which alone include this. */
#pragma once

#include "prospector.h"

#include <stddef.h>

/* ---- the fields of a state ---- */

typedef enum field_kind { REAL, INT32, BYTE, SIGNED_BYTE } field_kind;

/* Bounds that hang on the rules stand in `high` as these. */
#define BUDGET        (-1.0)
#define BUDGET_PASSED (-2.0) /* the last action may overshoot the budget by 7 ticks */

typedef struct field {
    const char *key;
    size_t offset;
    field_kind kind;
    bool hidden; /* only in what seat -1 sees */
    double low, high;
} field;

#define AT(member) offsetof(prospector_state, member)
static const field fields[] = {
    {"fuel", AT(fuel), REAL, false, 0, PROSPECTOR_FUEL_MAX},
    {"hull", AT(hull), REAL, false, 0, PROSPECTOR_HULL_MAX},
    {"heat", AT(heat), REAL, false, 0, PROSPECTOR_HEAT_MAX},
    {"tool", AT(tool), REAL, false, 0, PROSPECTOR_TOOL_MAX},
    {"alert", AT(alert), REAL, false, 0, PROSPECTOR_ALERT_MAX},
    {"time_left", AT(time_left), REAL, false, 0, BUDGET},
    {"credits", AT(credits), REAL, false, 0, 1e12},
    {"total_spend", AT(total_spend), REAL, false, 0, 1e12},
    {"value_lost", AT(value_lost), REAL, false, 0, 1e12},
    {"use_sum", AT(use_sum), REAL, false, 0, 1e9},
    {"ticks", AT(ticks), INT32, false, 0, BUDGET_PASSED},
    {"overheat_ticks", AT(overheat_ticks), INT32, false, 0, BUDGET_PASSED},
    {"encounters", AT(encounters), INT32, false, 0, 1e9},
    {"scans", AT(scans), INT32, false, 0, 1e9},
    {"mining_ticks", AT(mining_ticks), INT32, false, 0, 1e9},
    {"kits", AT(kits), BYTE, false, 0, PROSPECTOR_SUPPLY_MAX},
    {"stabilizers", AT(stabilizers), BYTE, false, 0, PROSPECTOR_SUPPLY_MAX},
    {"decoys", AT(decoys), BYTE, false, 0, PROSPECTOR_SUPPLY_MAX},
    {"node", AT(node), BYTE, false, 0, PROSPECTOR_NODES - 1},
    {"selected", AT(selected), SIGNED_BYTE, false, -1, PROSPECTOR_ROCKS - 1},
    {"action", AT(action), SIGNED_BYTE, false, -1, PROSPECTOR_ACTIONS - 1},
    {"dt", AT(dt), BYTE, false, 0, 8},
    {"invalid", AT(invalid), BYTE, false, 0, 1},
    {"end", AT(end), BYTE, false, 0, PROSPECTOR_END_TIME},
    {"escape_ticks", AT(escape_ticks), BYTE, true, 0, 4},
};

/* Rows over the goods. */
typedef struct row {
    const char *key;
    size_t offset;
    bool wide;        /* a float kept in a double */
    double low, high; /* of each entry, times the base price when `of_base` */
    bool of_base;
} row;

/* Prices stay within lowest..highest of their good: 0.2 to 4 times its base price covers all. */
static const row rows[] = {
    {"cargo", AT(cargo), false, 0, PROSPECTOR_CARGO_MAX, false},
    {"price", AT(price), false, 0.2, 4.0, true},
    {"last_price", AT(last_price), false, 0.2, 4.0, true},
    {"stock", AT(stock), false, 0, 1e6, false},
    {"sales", AT(sales), false, 0, 1e6, false},
    {"phase", AT(phase), true, 0, 6.2831860, false},
    {"period", AT(period), true, 180, 380, false},
    {"amplitude", AT(amplitude), true, 0, 0.3001, true},
};
static const double base_price[PROSPECTOR_GOODS] = {45, 55, 85, 145, 210, 120};

#define COUNT(array) ((int)(sizeof(array) / sizeof *(array)))
