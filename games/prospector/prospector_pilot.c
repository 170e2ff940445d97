/* The pilot: the short script a person writes first, and the bar that a learned agent has to pass.
 * It flies to the nearest field next to the station, mines carefully until it is time to go home,
 * sells all, repairs, refuels and flies out again; when no field is left it cashes out. It acts on
 * the observation and the mask, and remembers nothing but which fields are worked out. It scans and
 * refines nothing and waits for no price: the ace (prospector_ace.c) shows what that brings. */
#include "prospector_pilot.h"

/* Thresholds, as shares of the most there can be. */
typedef struct pilot_rules {
    float home_hull; /* fly home when the hull is below this, ... */
    float home_fuel; /* ... the fuel below this (the dearest flight takes 0.17), ... */
    float home_load; /* ... the load above this (pirates love a full hold) ... */
    float home_time; /* ... or the time left below this */
    float calm;      /* dock until alert is below this */
    float fix_hull;  /* overhaul when the hull is below this ... */
    float fix_tool;  /* ... or the tool below this */
    float refuel;    /* buy fuel when it is below this */
} pilot_rules;

static const pilot_rules rule = {
    .home_hull = 0.40f,
    .home_fuel = 0.20f,
    .home_load = 0.10f,
    .home_time = 0.01f,
    .calm = 0.02f,
    .fix_hull = 0.60f,
    .fix_tool = 0.60f,
    .refuel = 0.40f,
};

/* Numbers of the ship in the observation. */
enum { FUEL, HULL, TOOL = 3, LOAD, ALERT, TIME, CARGO = 8, DOCKED = 17 };

/* The slot of the shortest flight to the station, or to a field that is not among `done`; -1 if
 * there is none. */
static int nearest(const float *o, const uint8_t *mask, bool station, uint32_t done) {
    int best = -1;
    float least = 0.0f;
    for (int k = 0; k < PROSPECTOR_SLOTS; k++) {
        const float *n = o + PROSPECTOR_AT_NEIGHBOURS + PROSPECTOR_NEIGHBOUR_FIELDS * k;
        bool fits = mask[PROSPECTOR_TRAVEL + k] && (n[1] > 0.0f) == station && !(done >> k & 1u);
        if (fits && (best < 0 || n[4] < least)) {
            best = k;
            least = n[4];
        }
    }
    return best;
}

static int at_station(const float *o, const uint8_t *mask, pilot_memory *m) {
    for (int c = 0; c < PROSPECTOR_GOODS; c++) {
        int sell_all = PROSPECTOR_SELL + 3 * c + 2;
        if (o[CARGO + c] > 0.0f && mask[sell_all]) {
            return sell_all;
        }
    }
    bool worn = o[HULL] < rule.fix_hull || o[TOOL] < rule.fix_tool;
    if (worn && mask[PROSPECTOR_OVERHAUL]) {
        return PROSPECTOR_OVERHAUL;
    }
    for (int size = 2; size >= 0 && o[FUEL] < rule.refuel; size--) {
        if (mask[PROSPECTOR_BUY_FUEL + size]) {
            return PROSPECTOR_BUY_FUEL + size;
        }
    }
    if (o[ALERT] > rule.calm) {
        return PROSPECTOR_DOCK;
    }
    m->slot = nearest(o, mask, false, m->worked_out);
    bool ready = !worn && o[FUEL] >= rule.refuel && o[TIME] >= rule.home_time;
    return m->slot >= 0 && ready ? PROSPECTOR_TRAVEL + m->slot : PROSPECTOR_CASH_OUT;
}

/* Home, or from a field far away, where only a person can have set the ship down, anywhere. */
static int fly_home(const float *o, const uint8_t *mask) {
    int slot = nearest(o, mask, true, 0);
    slot = slot >= 0 ? slot : nearest(o, mask, false, 0);
    return slot >= 0 ? PROSPECTOR_TRAVEL + slot : PROSPECTOR_HOLD;
}

static int in_field(const float *o, const uint8_t *mask, pilot_memory *m) {
    if (o[HULL] < rule.home_hull || o[FUEL] < rule.home_fuel || o[LOAD] > rule.home_load ||
        o[TIME] < rule.home_time) {
        return fly_home(o, mask);
    }
    if (mask[PROSPECTOR_MINE]) {
        return PROSPECTOR_MINE;
    }
    for (int a = 0; a < PROSPECTOR_ROCKS; a++) {
        if (mask[PROSPECTOR_SELECT + a]) {
            return PROSPECTOR_SELECT + a;
        }
    }
    m->worked_out |= 1u << m->slot;
    return fly_home(o, mask);
}

void prospector_pilot_act(const lu_seat_view *view, int32_t *actions) {
    actions[0] = view->observation[DOCKED] > 0.0f
                     ? at_station(view->observation, view->mask, view->memory)
                     : in_field(view->observation, view->mask, view->memory);
}
