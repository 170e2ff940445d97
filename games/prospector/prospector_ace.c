/* The ace: the strongest scripted player of prospector, with the eyes and the memory of
 * prospector_ace_map.c. What it knows about the game:
 * - Rocks are scarce, not time: a rock breaks after some 17 careful ticks, and the budget allows to
 *   mine the whole belt. So it mines carefully, with a sound tool, first near home, then far away.
 * - One tick of mining tells richness and content exactly. Scans tell less and cost more.
 * - Pirates take a share of the cargo, at a chance that grows with its value and with alert. So its
 *   trips are short: it turns home when the expected loss of a tick exceeds the average cost of a
 *   tick of this trip, fixed costs included (the rule of the economic order quantity).
 * - Throwing away a good lowers alert by 8 at once: worth the good of least value.
 * - Iron and nickel become isotopes at the station, without risk. Prices wander by 10 to 30 per
 *   cent: time that no trip needs is spent waiting for good ones.
 * - Spending counts twice in net_profit, so prices below are doubled. */
#include "prospector_ace.h"

enum { GOODS = PROSPECTOR_GOODS, ROCKS = PROSPECTOR_ROCKS, NODES = PROSPECTOR_NODES };

/* The thresholds, found by search on seeds that no report uses. */
typedef struct ace_rules {
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
} ace_rules;

static const ace_rules rule = {
    .untried = 80,
    .poor = 28,
    .keep = 0.8,
    .rock_life = 14.4,
    .trip_ticks = 30,
    .trip_fixed = 300,
    .trip_least = 12,
    .station_ticks = 36,
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
    .hull_hop = 5.4,
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

#define PIRATE_SHARE 0.14  /* of the cargo, that an encounter takes on average */
#define ALERT_WEIGHT 0.022 /* of a point of alert in the chance of pirates */
#define STEADY_TICKS 4     /* mining ticks a stabilizer covers */
#define BURN_TICKS   2     /* ticks a burn covers after its own */

/* ---- what places are worth ---- */

static double pirate_level(const ace_place *p) {
    return p->type == PROSPECTOR_HAZARD ? 0.3 : 0.175;
}

/* Chance of an encounter in one tick. */
static double pirate_chance(double level, const ace_view *v) {
    return lu_sigmoid(-4.0 + 3.0 * level + ALERT_WEIGHT * v->alert +
                      0.8 * lu_log(1.0 + v->value / 1000.0));
}

/* Credits a tick of careful mining brings now. */
static double rock_gain(const ace_place *p, int a, double tool) {
    if (p->left[a] <= 0.0f) {
        return 0.0;
    }
    double rate = p->rate[a] > 0.0f ? (double)p->rate[a] : rule.untried;
    return rate * (double)p->left[a] * (0.4 + 0.6 * tool / 100.0) -
           rule.hazard_price * prospector_hazard_guess(p);
}

/* Credits that mining the best rocks of a place brings in one trip, and the ticks it takes. */
static double place_gain(const ace_place *p, double tool, double *ticks) {
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
typedef struct ace_trip {
    int target, slot;
    double time, fuel; /* of all flights */
    double rate;       /* credits per tick of the whole trip; 0 = there is none */
} ace_trip;

static void weigh_trip(const ace_memory *m, const ace_view *v, const ace_ways *here,
                       const ace_ways *home, ace_trip *trip) {
    const ace_place *p = &m->place[trip->target];
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
static ace_trip choose_trip(const ace_memory *m, const ace_view *v, const ace_ways *here,
                            const ace_ways *home) {
    ace_trip best = {0, -1, 0.0, 0.0, 0.0};
    for (int at = 0; at < NODES; at++) {
        const ace_place *p = &m->place[at];
        if (!p->visited || here->cost[at] >= ACE_FAR) {
            continue;
        }
        for (int k = -1; k < p->degree; k++) {
            ace_trip trip = {at, k, 0.0, 0.0, 0.0};
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
static double spare_ticks(const ace_memory *m, const ace_view *v) {
    double trips = 1.0;
    for (int u = 1; u < NODES; u++) {
        const ace_place *p = &m->place[u];
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
static int sell(const ace_memory *m, const ace_view *v) {
    double patience = spare_ticks(m, v), most = 0.0, ask = 0.0;
    int best = -1;
    if (m->waited < patience) {
        ask = rule.ask + (rule.ask_end - rule.ask) * m->waited / patience;
    }
    for (int c = 0; c < GOODS; c++) {
        double value = v->cargo[c] * (double)m->price[c];
        if (v->cargo[c] > 0.01 && (double)m->price[c] >= ask * prospector_base_price[c] &&
            value > most) {
            most = value;
            best = c;
        }
    }
    return best < 0 ? -1 : PROSPECTOR_SELL + 3 * best + (v->cargo[best] < rule.sell_all ? 2 : 0);
}

/* Everything that turns cargo into credits; -1 when the hold is empty. */
static int trade(ace_memory *m, const ace_view *v) {
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

static int at_station(ace_memory *m, const ace_view *v) {
    int action = trade(m, v);
    if (action >= 0) {
        return action;
    }
    ace_ways ways;
    prospector_find_ways(m, 0, rule.way_hazard, rule.way_fuel, &ways);
    ace_trip trip = choose_trip(m, v, &ways, &ways);
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
    double wanted = lu_fmin(trip.fuel * 1.3 + 100.0, PROSPECTOR_FUEL_MAX - 1.0);
    for (int size = 2; size >= 0 && v->fuel < wanted; size -= 2) {
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
static int lower_alert(const ace_view *v, double chance) {
    int least = 0;
    for (int c = 1; c < GOODS; c++) {
        least = v->cargo[c] * prospector_worth[c] < v->cargo[least] * prospector_worth[least]
                    ? c
                    : least;
    }
    double loss = PIRATE_SHARE * v->value, fall = ALERT_WEIGHT * lu_fmin(8.0, v->alert);
    double saved = chance * fall * rule.drop_horizon * (loss + 2.5 * rule.hull_price);
    double cost = v->cargo[least] * prospector_worth[least] + chance * loss + rule.drop_cost;
    bool pays = v->alert > rule.drop_alert && saved > cost;
    return pays && v->mask[PROSPECTOR_JETTISON + least] ? PROSPECTOR_JETTISON + least : -1;
}

/* Takes a way, after a burn when much is at stake; the flight into the station is safe. */
static int fly(const ace_memory *m, const ace_view *v, int slot) {
    const ace_place *p = &m->place[v->node];
    if (p->kind[slot] != PROSPECTOR_STATION && v->value * p->time[slot] > rule.burn_flight &&
        m->last_action != PROSPECTOR_BURN &&
        v->fuel > (double)m->home_fuel * rule.fuel_margin + 40.0) {
        return PROSPECTOR_BURN;
    }
    return slot;
}

static int fly_home(ace_memory *m, const ace_view *v) {
    m->homing = 1;
    m->target = m->target_slot = 0;
    return fly(m, v, m->home_slot);
}

/* The next flight to the target; -1 when the ship is there or has none. */
static int follow_plan(ace_memory *m, const ace_view *v) {
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
    ace_ways ways;
    prospector_find_ways(m, v->node, rule.way_hazard, rule.way_fuel, &ways);
    if (ways.first[target] < 0) {
        m->target = m->target_slot = 0;
        return -1;
    }
    return fly(m, v, ways.first[target]);
}

/* Another place before flying home, when there is one that pays. */
static int move_on(ace_memory *m, const ace_view *v) {
    ace_ways here, home;
    prospector_find_ways(m, v->node, rule.way_hazard, rule.way_fuel, &here);
    prospector_find_ways(m, 0, rule.way_hazard, rule.way_fuel, &home);
    ace_trip trip = choose_trip(m, v, &here, &home);
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
static int mine(ace_memory *m, const ace_view *v, int rock, double gain, double risk) {
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
static int work(ace_memory *m, const ace_view *v) {
    const ace_place *p = &m->place[v->node];
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

/* No way home is known, as when a person set the ship down somewhere: any edge not yet flown. */
static int explore(const ace_memory *m, const ace_view *v) {
    const ace_place *p = &m->place[v->node];
    for (int k = 0; k < p->degree; k++) {
        if (!p->to[k]) {
            return PROSPECTOR_TRAVEL + k;
        }
    }
    return p->degree > 0 ? PROSPECTOR_TRAVEL : PROSPECTOR_HOLD;
}

static int in_field(ace_memory *m, const ace_view *v) {
    if (m->last_node != v->node) {
        ace_ways ways;
        prospector_find_ways(m, v->node, rule.way_hazard, rule.way_fuel, &ways);
        m->home_time = ways.time[0];
        m->home_fuel = ways.fuel[0];
        m->home_slot = ways.first[0];
        m->home_hops = ways.hops[0];
    }
    if (m->home_slot < 0) {
        return explore(m, v);
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

void prospector_ace_act(const lu_seat_view *view, int32_t *actions) {
    ace_memory *m = view->memory;
    ace_view v;
    prospector_look(m, ((const prospector_rules *)(const void *)view->rules)->time_max,
                    view->observation, view->mask, &v);
    int action = v.station ? at_station(m, &v) : in_field(m, &v);
    if (action < 0) {
        action = follow_plan(m, &v);
    }
    if (action < 0 || !view->mask[action]) {
        action = PROSPECTOR_HOLD;
    }
    bool chosen = action >= PROSPECTOR_SELECT && action < PROSPECTOR_MINE;
    m->last_action = action;
    m->last_node = v.node;
    m->last_rock = chosen ? action - PROSPECTOR_SELECT : v.selected;
    m->load = (float)v.load;
    m->tool = (float)v.tool;
    m->depletion = m->last_rock >= 0 ? prospector_rock_seen(view->observation,
                                                            m->last_rock)[PROSPECTOR_ROCK_DEPLETION]
                                     : 0.0f;
    for (int c = 0; c < GOODS; c++) {
        m->cargo[c] = (float)v.cargo[c];
    }
    actions[0] = action;
}
