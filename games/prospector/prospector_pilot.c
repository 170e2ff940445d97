/* The pilot: the strongest scripted player of prospector. It sees what a player sees and remembers
 * it: a map of the belt, what each rock gave when it was mined, and prices.
 *
 * What it knows about the game, in one place:
 * - Rocks are the scarce thing, not time: a rock breaks after some 17 careful ticks, and the time
 *   budget allows to mine the whole belt. So it mines carefully, with a sound tool, and everywhere.
 * - One tick of mining tells richness and content exactly. Scans tell less and cost more.
 * - Pirates take a share of the cargo at a chance that grows with its value and with alert. So
 * trips are short: it turns home when the expected loss of a tick exceeds the average cost of a
 * tick of this trip, its fixed costs included (the rule of economic order quantity).
 * - Throwing away a good lowers alert by 8 at once: worth one good of little value.
 * - Iron and nickel become isotopes at the station, without risk. Prices wander by 10 to 30 per
 *   cent; time that no trip needs is spent waiting for good ones.
 * - Spending counts twice in the headline figure, so prices below are doubled. */
#include "prospector_pilot.h"

#include <string.h>

enum {
    GOODS = PROSPECTOR_GOODS,
    SLOTS = PROSPECTOR_SLOTS,
    ROCKS = PROSPECTOR_ROCKS,
    NODES = PROSPECTOR_NODES
};

/* The thresholds, found by search on seeds that no report uses. */
typedef struct pilot_rules {
    double untried;       /* credits a tick expected of a rock nobody has mined */
    double poor;          /* a rock that gives fewer credits a tick is left alone */
    double keep;          /* stay with a rock while it gives this share of the best one */
    double rock_life;     /* ticks a rock is expected to last */
    double trip_ticks;    /* mining ticks of a planned trip */
    double trip_fixed;    /* credits of wear per trip, however long */
    double trip_least;    /* mining ticks before the rule of leaving applies */
    double station_ticks; /* ticks a stay at the station takes */
    double tick_price;    /* credits a tick is worth */
    double hull_price;    /* credits a point of hull is worth */
    double fuel_price;    /* credits a unit of fuel costs, doubled */
    double hazard_price;  /* credits a tick at hazard 1 costs */
    double tool_loss;     /* share of the yield lost per share of the tool worn */
    double flight_risk;   /* share of the cargo lost per tick of a detour */
    double far_risk;      /* share of a trip's gain lost per hop beyond the first */
    double way_fuel;      /* ticks of flight a unit of fuel is worth on the map */
    double way_hazard;    /* ticks of flight a tick at hazard 1 is worth on the map */
    double moves;         /* most places after the first in one trip */
    double overhaul_tool; /* overhaul when the tool is below this ... */
    double overhaul_hull; /* ... or the hull below this */
    double hull_least;    /* hull kept for the worst step in the field, ... */
    double hull_hop;      /* ... more for each hop on the way home ... */
    double hull_tick;     /* ... and for each tick of it */
    double fuel_margin;   /* fuel kept, times what the way home takes */
    double burn_flight;   /* burn before a flight when cargo value x ticks exceeds this */
    double burn_mining;   /* burn while mining when two ticks risk this many credits */
    double drop_alert;    /* no good is thrown away below this alert */
    double drop_horizon;  /* ticks over which lower alert pays */
    double drop_cost;     /* credits a tick spent on it costs */
    double steady_rate;   /* stabilise rocks that give more credits a tick */
    double refine_least;  /* units of iron and nickel worth refining */
    double sell_all;      /* units below which a good is sold at once, not a quarter */
    double patience;      /* most ticks to wait for prices in one stay */
    double ask;           /* price asked at first, over the base price ... */
    double ask_end;       /* ... and at the end of the patience */
    double trip_time;     /* ticks a trip to come will take, for the time to spare */
    double edge_trips;    /* trips expected behind an edge nobody has flown */
    double rock_trips;    /* trips expected per rock that pays */
} pilot_rules;

static const pilot_rules rule = {
    .untried = 80,
    .poor = 28,
    .keep = 0.8,
    .rock_life = 14.4,
    .trip_ticks = 30,
    .trip_fixed = 300,
    .trip_least = 12,
    .station_ticks = 30,
    .tick_price = 5,
    .hull_price = 4.2,
    .fuel_price = 0.875,
    .hazard_price = 3,
    .tool_loss = 1.9,
    .flight_risk = 0.02,
    .far_risk = 0.03,
    .way_fuel = 0.1,
    .way_hazard = 0.5,
    .moves = 3,
    .overhaul_tool = 80,
    .overhaul_hull = 50,
    .hull_least = 22,
    .hull_hop = 6,
    .hull_tick = 0.5,
    .fuel_margin = 1.8,
    .burn_flight = 1500,
    .burn_mining = 45,
    .drop_alert = 8,
    .drop_horizon = 40,
    .drop_cost = 5,
    .steady_rate = 160,
    .refine_least = 0.45,
    .sell_all = 1.2,
    .patience = 300,
    .ask = 1.15,
    .ask_end = 1.0,
    .trip_time = 30,
    .edge_trips = 6,
    .rock_trips = 0.6,
};

static const double base_price[GOODS] = {45, 55, 85, 145, 210, 120};
/* Credits a unit brings in the end: iron and nickel as isotopes, all less slippage. */
static const double worth[GOODS] = {110, 110, 78, 133, 195, 110};

enum { FAR = 1000000 };   /* cost of a way that does not exist */
#define PIRATE_SHARE 0.14 /* of the cargo, that an encounter takes on average */
#define ALERT_WEIGHT 0.022
#define STEADY_TICKS 4 /* mining ticks a stabilizer covers */
#define BURN_TICKS   2 /* mining ticks a burn covers after its own */

/* ---- memory ---- */

/* A node as it was last seen. */
typedef struct pilot_place {
    float fuel[SLOTS]; /* units, of an empty ship */
    float rate[ROCKS]; /* credits a careful tick gives, of a whole rock with a sound tool; 0 =
                          untried */
    float left[ROCKS]; /* 1 - depletion; 0 = absent or gone */
    uint8_t time[SLOTS];
    uint8_t kind[SLOTS]; /* prospector_node_type of the other end */
    uint8_t to[SLOTS];   /* node at the other end + 1; 0 = not known */
    uint8_t degree, visited, type;
    uint8_t fractures; /* each raises the hazard here */
    uint8_t unused[2];
} pilot_place;

typedef struct pilot_memory {
    pilot_place place[NODES];
    float price[GOODS]; /* also above the base, where the observation stops */
    float cargo[GOODS]; /* with load, tool and depletion: before the last action */
    float load, tool, depletion;
    float fixed_cost; /* credits this trip costs however long it is */
    float held_cost;  /* expected losses of this trip so far */
    float home_time, home_fuel;
    int32_t home_slot, home_hops;
    int32_t started, last_action, last_node, last_rock;
    int32_t target, target_slot; /* place to go to; the slot to take there, -1 = stay. Plus 1 */
    int32_t homing;              /* on the way home */
    int32_t mined, moves;        /* in this trip */
    int32_t waited;              /* ticks in this stay */
    int32_t steady, shield;      /* covered ticks left of a stabilizer and a burn */
} pilot_memory;

_Static_assert(sizeof(pilot_memory) == PROSPECTOR_PILOT_BYTES, "as the table of bots says");

/* What is seen now, in units. */
typedef struct pilot_view {
    const float *o;
    const uint8_t *mask;
    double fuel, hull, heat, tool, load, alert, time;
    double cargo[GOODS];
    double value; /* of the cargo, credits */
    int node, kits, stabilizers, selected;
    bool station;
} pilot_view;

static const float *rock_seen(const float *o, int a) {
    return o + PROSPECTOR_AT_ROCKS + PROSPECTOR_SHOWN * a;
}

/* What the last tick of mining told about its rock. */
static void learn_rock(pilot_memory *m, const pilot_view *v) {
    pilot_place *p = &m->place[v->node];
    double before = (double)m->depletion;
    double after = (double)rock_seen(v->o, m->last_rock)[PROSPECTOR_ROCK_DEPLETION];
    double dug = (after - before) * 100.0, sum = 0.0, credits = 0.0;
    if (after >= 1.0) {
        dug = v->load - (double)m->load;
        p->fractures++;
    }
    if (dug <= 0.01) {
        return;
    }
    /* pirates take the same share of every good */
    double kept = v->load / ((double)m->load + dug);
    for (int c = 0; c < GOODS; c++) {
        double units = lu_fmax(v->cargo[c] / kept - (double)m->cargo[c], 0.0);
        sum += units;
        credits += units * worth[c];
    }
    if (sum > 0.0) {
        double whole = (1.0 - before) * (0.4 + 0.6 * (double)m->tool / 100.0);
        float rate = (float)(dug * credits / sum / whole), *known = &p->rate[m->last_rock];
        *known = *known > 0.0f ? 0.5f * (*known + rate) : rate;
    }
}

/* Edges show the same fuel at both ends: so both ends of an edge are known once both were visited.
 */
static void join_edges(pilot_memory *m, int node, int slot) {
    pilot_place *p = &m->place[node];
    for (int u = 0; u < NODES; u++) {
        pilot_place *q = &m->place[u];
        for (int k = 0; k < q->degree && u != node; k++) {
            if (q->fuel[k] == p->fuel[slot] && q->time[k] == p->time[slot]) {
                p->to[slot] = (uint8_t)(u + 1);
                q->to[k] = (uint8_t)(node + 1);
            }
        }
    }
}

static void learn_place(pilot_memory *m, const pilot_view *v) {
    pilot_place *p = &m->place[v->node];
    for (int a = 0; a < ROCKS; a++) {
        const float *rock = rock_seen(v->o, a);
        p->left[a] =
            rock[PROSPECTOR_ROCK_PRESENT] > 0.0f ? 1.0f - rock[PROSPECTOR_ROCK_DEPLETION] : 0.0f;
    }
    if (p->visited) {
        return;
    }
    p->visited = 1;
    p->type = v->o[19] > 0.0f   ? PROSPECTOR_STATION
              : v->o[20] > 0.0f ? PROSPECTOR_CLUSTER
                                : PROSPECTOR_HAZARD;
    for (int k = 0; k < SLOTS; k++) {
        const float *n = v->o + PROSPECTOR_AT_NEIGHBOURS + PROSPECTOR_NEIGHBOUR_FIELDS * k;
        if (n[0] > 0.0f) {
            p->degree = (uint8_t)(k + 1);
            p->kind[k] = n[1] > 0.0f   ? PROSPECTOR_STATION
                         : n[2] > 0.0f ? PROSPECTOR_CLUSTER
                                       : PROSPECTOR_HAZARD;
            p->time[k] = (uint8_t)(n[4] * 8.0f + 0.5f);
            p->fuel[k] = n[5] * 160.0f;
            p->to[k] = p->kind[k] == PROSPECTOR_STATION ? 1 : 0;
            join_edges(m, v->node, k);
        }
    }
}

/* A price above its base shows as the base; from there on its changes are added up. */
static void learn_prices(pilot_memory *m, pilot_view *v) {
    for (int c = 0; c < GOODS; c++) {
        float base = (float)base_price[c], seen = v->o[PROSPECTOR_AT_MARKET + c];
        float change = v->o[PROSPECTOR_AT_MARKET + GOODS + c] * 100.0f;
        float sum = m->started ? m->price[c] + change : 1.1f * base;
        m->price[c] = seen < 1.0f ? seen * base : sum > base ? sum : base;
        v->value += v->cargo[c] * (double)m->price[c];
    }
}

static void look(pilot_memory *m, double budget, const float *o, const uint8_t *mask,
                 pilot_view *v) {
    memset(v, 0, sizeof *v);
    v->o = o;
    v->mask = mask;
    v->fuel = (double)o[0] * PROSPECTOR_FUEL_MAX;
    v->hull = (double)o[1] * PROSPECTOR_HULL_MAX;
    v->heat = (double)o[2] * PROSPECTOR_HEAT_MAX;
    v->tool = (double)o[3] * PROSPECTOR_TOOL_MAX;
    v->load = (double)o[4] * PROSPECTOR_CARGO_MAX;
    v->alert = (double)o[5] * PROSPECTOR_ALERT_MAX;
    v->time = (double)o[6] * budget;
    v->kits = (int)(o[14] * PROSPECTOR_SUPPLY_MAX + 0.5f);
    v->stabilizers = (int)(o[15] * PROSPECTOR_SUPPLY_MAX + 0.5f);
    v->station = o[17] > 0.0f;
    v->node = (int)(o[22] * 31.0f + 0.5f);
    v->selected = -1;
    for (int a = 0; a < ROCKS; a++) {
        if (rock_seen(o, a)[PROSPECTOR_ROCK_SELECTED] > 0.0f) {
            v->selected = a;
        }
    }
    for (int c = 0; c < GOODS; c++) {
        v->cargo[c] = (double)o[8 + c] * PROSPECTOR_CARGO_MAX;
    }
    learn_prices(m, v);
    if (m->started && m->last_node == v->node && m->last_action == PROSPECTOR_MINE) {
        learn_rock(m, v);
    }
    learn_place(m, v);
    m->started = 1;
}

/* ---- the map ---- */

static double hazard_of(const pilot_place *p) {
    static const double usual[3] = {0.0, 0.2, 0.45};
    return lu_fmin(usual[p->type] + 0.1 * p->fractures, 1.0);
}

static double pirate_level(const pilot_place *p) {
    return p->type == PROSPECTOR_HAZARD ? 0.3 : 0.175;
}

/* Chance of an encounter in one tick. */
static double pirate_chance(double level, const pilot_view *v) {
    return lu_sigmoid(-4.0 + 3.0 * level + ALERT_WEIGHT * v->alert +
                      0.8 * lu_log(1.0 + v->value / 1000.0));
}

/* Best ways from one place to all others over edges whose ends are known. */
typedef struct pilot_ways {
    float cost[NODES], time[NODES], fuel[NODES];
    int8_t first[NODES]; /* slot to take, -1 = no way */
    int8_t hops[NODES];
} pilot_ways;

/* Dijkstra's method; 32 nodes need no heap. */
static void find_ways(const pilot_memory *m, int from, pilot_ways *w) {
    uint32_t done = 0;
    for (int i = 0; i < NODES; i++) {
        w->cost[i] = i == from ? 0.0f : (float)FAR;
        w->time[i] = w->fuel[i] = 0.0f;
        w->first[i] = -1;
        w->hops[i] = 0;
    }
    for (;;) {
        int u = -1;
        for (int i = 0; i < NODES; i++) {
            if (!((done >> i) & 1u) && w->cost[i] < (float)FAR &&
                (u < 0 || w->cost[i] < w->cost[u])) {
                u = i;
            }
        }
        if (u < 0) {
            return;
        }
        done |= 1u << u;
        const pilot_place *p = &m->place[u];
        for (int k = 0; k < p->degree; k++) {
            int t = p->to[k] - 1;
            if (t < 0) {
                continue;
            }
            double rough = 1.0 + rule.way_hazard * (hazard_of(p) + hazard_of(&m->place[t]));
            float cost =
                w->cost[u] + (float)(p->time[k] * rough + rule.way_fuel * (double)p->fuel[k]);
            if (cost < w->cost[t]) {
                w->cost[t] = cost;
                w->time[t] = w->time[u] + (float)p->time[k];
                w->fuel[t] = w->fuel[u] + p->fuel[k];
                w->hops[t] = (int8_t)(w->hops[u] + 1);
                w->first[t] = u == from ? (int8_t)k : w->first[u];
            }
        }
    }
}

/* ---- what places are worth ---- */

/* Credits a tick of careful mining brings now. */
static double rock_gain(const pilot_place *p, int a, double tool) {
    if (p->left[a] <= 0.0f) {
        return 0.0;
    }
    double rate = p->rate[a] > 0.0f ? (double)p->rate[a] : rule.untried;
    return rate * (double)p->left[a] * (0.4 + 0.6 * tool / 100.0) -
           rule.hazard_price * hazard_of(p);
}

/* Credits that mining the best rocks of a place brings in one trip, and the ticks it takes. */
static double place_gain(const pilot_place *p, double tool, double *ticks) {
    double left = rule.trip_ticks, sum = 0.0;
    uint32_t used = 0;
    while (left > 0.0) {
        int best = -1;
        double most = rule.poor;
        for (int a = 0; a < ROCKS; a++) {
            double gain = (used >> a) & 1u ? 0.0 : rock_gain(p, a, tool);
            if (gain > most) {
                most = gain;
                best = a;
            }
        }
        if (best < 0) {
            break;
        }
        used |= 1u << best;
        double spent = lu_fmin(left, rule.rock_life);
        sum += 0.9 * spent * most;
        left -= spent;
    }
    *ticks = rule.trip_ticks - left;
    return sum;
}

/* A trip from here to a place (by an edge nobody has flown when slot >= 0) and home. */
typedef struct pilot_trip {
    int target, slot;
    double time, fuel; /* of all flights */
    double rate;       /* credits per tick of the whole trip; 0 = there is none */
} pilot_trip;

static void weigh_trip(const pilot_memory *m, const pilot_view *v, const pilot_ways *here,
                       const pilot_ways *home, pilot_trip *trip) {
    const pilot_place *p = &m->place[trip->target];
    int at = trip->target, k = trip->slot, hops = home->hops[at] + (k >= 0);
    double time = (double)(here->time[at] + home->time[at]);
    double fuel = (double)(here->fuel[at] + home->fuel[at]);
    double ticks = rule.trip_ticks, gain;
    trip->rate = 0.0;
    if (k >= 0) {
        gain = 0.9 * ticks * rule.untried * (p->kind[k] == PROSPECTOR_HAZARD ? 0.85 : 1.0);
        time += 2.0 * p->time[k];
        fuel += 2.0 * (double)p->fuel[k];
    } else {
        gain = place_gain(p, v->station ? PROSPECTOR_TOOL_MAX : v->tool, &ticks) *
               (p->type == PROSPECTOR_HAZARD ? 0.9 : 1.0);
    }
    trip->time = time;
    trip->fuel = fuel;

    /* can it be flown at all */
    double hull = rule.hull_least + rule.hull_hop * hops + rule.hull_tick * time + 20.0;
    if (fuel * 1.3 + 60.0 > (v->station ? PROSPECTOR_FUEL_MAX : v->fuel) ||
        time + ticks + 10.0 > v->time || (v->hull < hull && !v->station)) {
        return;
    }

    /* from the field only what is more than flying home counts */
    double cost = 0.0, all = ticks * 1.2;
    if (v->station) {
        cost += rule.trip_fixed;
        all += rule.station_ticks;
    } else {
        time -= (double)home->time[v->node];
        fuel -= (double)home->fuel[v->node];
        cost += v->value * rule.flight_risk * time;
    }
    cost +=
        fuel * rule.fuel_price + 0.5 * time * rule.hull_price + rule.far_risk * gain * (hops - 1);
    trip->rate = gain > cost ? (gain - cost) / lu_fmax(time + all, 1.0) : 0.0;
}

/* The best of all trips; its rate is 0 when none pays. */
static pilot_trip choose_trip(const pilot_memory *m, const pilot_view *v, const pilot_ways *here,
                              const pilot_ways *home) {
    pilot_trip best = {0, -1, 0.0, 0.0, 0.0};
    for (int at = 0; at < NODES; at++) {
        const pilot_place *p = &m->place[at];
        if (!p->visited || here->cost[at] >= (float)FAR) {
            continue;
        }
        for (int k = -1; k < p->degree; k++) {
            pilot_trip trip = {at, k, 0.0, 0.0, 0.0};
            if (k < 0 ? at == 0 || at == v->node : p->to[k] > 0) {
                continue;
            }
            weigh_trip(m, v, here, home, &trip);
            best = trip.rate > best.rate ? trip : best;
        }
    }
    return best;
}

/* ---- at the station ---- */

/* Ticks this stay may wait for prices: what is left over per trip still to come. */
static double spare_ticks(const pilot_memory *m, const pilot_view *v) {
    double trips = 1.0;
    for (int u = 1; u < NODES; u++) {
        const pilot_place *p = &m->place[u];
        for (int a = 0; a < ROCKS && p->visited; a++) {
            trips += rock_gain(p, a, PROSPECTOR_TOOL_MAX) > rule.poor ? rule.rock_trips : 0.0;
        }
        for (int k = 0; k < p->degree; k++) {
            trips += p->to[k] ? 0.0 : rule.edge_trips;
        }
    }
    double spare = (v->time - 200.0) / trips - rule.trip_time;
    return lu_fmin(lu_fmax(spare, 0.0), rule.patience);
}

/* Sells a quarter of the most valuable good whose price will do; -1 when none does. */
static int sell(const pilot_memory *m, const pilot_view *v) {
    double patience = spare_ticks(m, v), most = 0.0, ask = 0.0;
    int best = -1;
    if (m->waited < patience) {
        ask = rule.ask + (rule.ask_end - rule.ask) * m->waited / patience;
    }
    for (int c = 0; c < GOODS; c++) {
        double value = v->cargo[c] * (double)m->price[c];
        if (v->cargo[c] > 0.01 && (double)m->price[c] >= ask * base_price[c] && value > most) {
            most = value;
            best = c;
        }
    }
    return best < 0 ? -1 : PROSPECTOR_SELL + 3 * best + (v->cargo[best] < rule.sell_all ? 2 : 0);
}

/* Everything that turns cargo into credits; -1 when the hold is empty. */
static int trade(pilot_memory *m, const pilot_view *v) {
    double units = 0.0;
    for (int c = 0; c < GOODS; c++) {
        units = lu_fmax(units, v->cargo[c]);
    }
    if (v->cargo[0] + v->cargo[1] > rule.refine_least && v->fuel > 20.0 && v->heat < 90.0 &&
        v->time > 100.0) {
        return PROSPECTOR_REFINE;
    }
    if (units <= 0.01) {
        m->waited = 0;
        return -1;
    }
    m->waited++;
    int sale = sell(m, v);
    return sale >= 0 ? sale : v->alert > 1.0 ? PROSPECTOR_DOCK : PROSPECTOR_HOLD;
}

static int at_station(pilot_memory *m, const pilot_view *v) {
    int action = trade(m, v);
    if (action >= 0) {
        return action;
    }
    pilot_ways ways;
    find_ways(m, 0, &ways);
    pilot_trip trip = choose_trip(m, v, &ways, &ways);
    if (trip.rate <= 0.0) {
        return PROSPECTOR_CASH_OUT;
    }
    int hops = ways.hops[trip.target] + (trip.slot >= 0);
    double hull = rule.hull_least + rule.hull_hop * hops + 20.0;
    if (v->tool < rule.overhaul_tool || v->hull < lu_fmax(rule.overhaul_hull, hull)) {
        if (v->mask[PROSPECTOR_OVERHAUL]) {
            return PROSPECTOR_OVERHAUL;
        }
        if (v->hull < hull) {
            return v->kits ? PROSPECTOR_PATCH_HULL : PROSPECTOR_CASH_OUT;
        }
    }
    for (int size = 2; size >= 0 && v->fuel < trip.fuel * 1.3 + 100.0; size -= 2) {
        if (v->mask[PROSPECTOR_BUY_FUEL + size]) {
            return PROSPECTOR_BUY_FUEL + size;
        }
    }
    if (v->fuel < trip.fuel * 1.3) {
        return PROSPECTOR_CASH_OUT;
    }
    if (v->alert > 0.3) {
        return PROSPECTOR_DOCK;
    }
    m->target = trip.target + 1;
    m->target_slot = trip.slot + 1;
    m->mined = m->moves = m->homing = m->steady = m->shield = 0;
    m->held_cost = 0.0f;
    m->fixed_cost = (float)(trip.fuel * rule.fuel_price + 0.5 * trip.time * rule.hull_price +
                            rule.trip_fixed + rule.tick_price * (trip.time + rule.station_ticks));
    return -1;
}

/* ---- in the field ---- */

/* Throws away the good of least value when the lower alert saves more; -1 otherwise. */
static int lower_alert(const pilot_view *v, double chance) {
    int least = 0;
    for (int c = 1; c < GOODS; c++) {
        least = v->cargo[c] * worth[c] < v->cargo[least] * worth[least] ? c : least;
    }
    double loss = PIRATE_SHARE * v->value, fall = ALERT_WEIGHT * lu_fmin(8.0, v->alert);
    double saved = chance * fall * rule.drop_horizon * (loss + 2.5 * rule.hull_price);
    double cost = v->cargo[least] * worth[least] + chance * loss + rule.drop_cost;
    bool pays = v->alert > rule.drop_alert && saved > cost;
    return pays && v->mask[PROSPECTOR_JETTISON + least] ? PROSPECTOR_JETTISON + least : -1;
}

/* Takes a way, after a burn when much is at stake; the flight into the station is safe. */
static int fly(const pilot_memory *m, const pilot_view *v, int slot) {
    const pilot_place *p = &m->place[v->node];
    if (p->kind[slot] != PROSPECTOR_STATION && v->value * p->time[slot] > rule.burn_flight &&
        m->last_action != PROSPECTOR_BURN &&
        v->fuel > (double)m->home_fuel * rule.fuel_margin + 40.0) {
        return PROSPECTOR_BURN;
    }
    return slot;
}

static int fly_home(pilot_memory *m, const pilot_view *v) {
    m->homing = 1;
    m->target = m->target_slot = 0;
    return fly(m, v, m->home_slot);
}

/* The next flight to the target; -1 when the ship is there or has none. */
static int follow_plan(pilot_memory *m, const pilot_view *v) {
    int target = m->target - 1, slot = m->target_slot - 1;
    if (target < 0) {
        return -1;
    }
    if (v->node == target) {
        int action = slot >= 0 ? fly(m, v, slot) : -1;
        if (action != PROSPECTOR_BURN) {
            m->target = m->target_slot = 0;
        }
        return action;
    }
    pilot_ways ways;
    find_ways(m, v->node, &ways);
    if (ways.first[target] < 0) {
        m->target = m->target_slot = 0;
        return -1;
    }
    return fly(m, v, ways.first[target]);
}

/* Another place before flying home, when there is one that pays. */
static int move_on(pilot_memory *m, const pilot_view *v) {
    pilot_ways here, home;
    find_ways(m, v->node, &here);
    find_ways(m, 0, &home);
    pilot_trip trip = choose_trip(m, v, &here, &home);
    if (m->moves >= (int)rule.moves || trip.rate <= rule.tick_price) {
        return fly_home(m, v);
    }
    m->moves++;
    m->target = trip.target + 1;
    m->target_slot = trip.slot + 1;
    int action = follow_plan(m, v);
    return action >= 0 ? action : fly_home(m, v);
}

/* Mines the chosen rock, with what protects it and the ship. */
static int mine(pilot_memory *m, const pilot_view *v, int rock, double gain, double risk) {
    if (rock != v->selected) {
        m->steady = 0;
        m->shield -= m->shield > 0;
        return PROSPECTOR_SELECT + rock;
    }
    if (m->steady == 0 && v->stabilizers > 0 && gain > rule.steady_rate) {
        m->steady = STEADY_TICKS;
        m->shield = 0;
        return PROSPECTOR_STABILISE;
    }
    m->steady -= m->steady > 0;
    if (m->shield == 0 && 2.0 * risk > rule.burn_mining &&
        v->fuel > (double)m->home_fuel * rule.fuel_margin + 60.0) {
        m->shield = BURN_TICKS;
        return PROSPECTOR_BURN;
    }
    m->shield -= m->shield > 0;
    m->mined++;
    return PROSPECTOR_MINE;
}

/* Work at this place, or leave it. */
static int work(pilot_memory *m, const pilot_view *v) {
    const pilot_place *p = &m->place[v->node];
    int rock = -1;
    double most = 0.0;
    for (int a = 0; a < ROCKS; a++) {
        double gain = rock_gain(p, a, v->tool) / (a == v->selected ? rule.keep : 1.0);
        if (gain > most) {
            most = gain;
            rock = a;
        }
    }
    double gain = rock >= 0 ? rock_gain(p, rock, v->tool) : 0.0;
    double chance = pirate_chance(pirate_level(p), v), risk = chance * PIRATE_SHARE * v->value;
    double held = risk + gain * rule.tool_loss * (1.0 - v->tool / 100.0);
    double average = ((double)m->fixed_cost + (double)m->held_cost) / (m->mined + 1);
    if (gain < rule.poor || held > gain) {
        return held < average ? move_on(m, v) : fly_home(m, v);
    }
    if (m->mined > rule.trip_least && held > average) {
        return fly_home(m, v);
    }
    int drop = lower_alert(v, chance);
    if (drop >= 0) {
        return drop;
    }
    int action = mine(m, v, rock, gain, risk);
    if (action == PROSPECTOR_MINE) {
        m->held_cost += (float)(m->shield > 0 ? 0.1 * held + 8.0 : held);
    }
    return action;
}

static int in_field(pilot_memory *m, const pilot_view *v) {
    if (m->last_node != v->node) {
        pilot_ways ways;
        find_ways(m, v->node, &ways);
        m->home_time = ways.time[0];
        m->home_fuel = ways.fuel[0];
        m->home_slot = ways.first[0];
        m->home_hops = ways.hops[0];
    }
    if (m->home_slot < 0) {
        return PROSPECTOR_HOLD; /* set down at a place by a person: no way home is known */
    }
    double hull = rule.hull_least + rule.hull_hop * (m->home_hops - 1) +
                  rule.hull_tick * (double)m->home_time;
    if (v->hull < hull) {
        bool patch = v->kits > 0 && (m->home_hops > 1 || v->hull < 12.0);
        return patch ? PROSPECTOR_PATCH_HULL : fly_home(m, v);
    }
    double fuel = (double)m->home_fuel * (1.0 + 0.5 * v->load / PROSPECTOR_CARGO_MAX);
    if (m->homing || v->fuel < fuel * rule.fuel_margin + 15.0 ||
        v->time < (double)m->home_time + 60.0) {
        return fly_home(m, v);
    }
    int action = follow_plan(m, v);
    return action >= 0 ? action : work(m, v);
}

void prospector_pilot_act(const lu_model *model, const void *state, int seat,
                          const float *observation, const uint8_t *mask, void *memory, lu_rng *rng,
                          int32_t *actions) {
    pilot_memory *m = memory;
    pilot_view v;
    (void)state;
    (void)seat;
    (void)rng;
    look(m, ((const prospector_model *)(const void *)model)->time_max, observation, mask, &v);
    int action = v.station ? at_station(m, &v) : in_field(m, &v);
    if (action < 0) {
        action = follow_plan(m, &v);
    }
    if (action < 0 || !mask[action]) {
        action = PROSPECTOR_HOLD;
    }
    bool chosen = action >= PROSPECTOR_SELECT && action < PROSPECTOR_MINE;
    m->last_action = action;
    m->last_node = v.node;
    m->last_rock = chosen ? action - PROSPECTOR_SELECT : v.selected;
    m->load = (float)v.load;
    m->tool = (float)v.tool;
    m->depletion =
        m->last_rock >= 0 ? rock_seen(observation, m->last_rock)[PROSPECTOR_ROCK_DEPLETION] : 0.0f;
    for (int c = 0; c < GOODS; c++) {
        m->cargo[c] = (float)v.cargo[c];
    }
    actions[0] = action;
}
