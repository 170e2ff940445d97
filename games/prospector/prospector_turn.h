/* What a decision of prospector does: the 69 actions, pirates, fractures, the market, the limits.
 * Included by prospector.c only; section numbers are those of the rules. */
#pragma once

#include "prospector_world.h"

/* The state and rules of one step, and the observation groups it changed. */
typedef struct turn {
    const prospector_rules *rules;
    prospector_state *s;
    uint64_t changed;
} turn;

enum {
    CHANGED_ALWAYS = (1 << PROSPECTOR_GROUP_SHIP) | (1 << PROSPECTOR_GROUP_MARKET),
    CHANGED_ROCKS = 1 << PROSPECTOR_GROUP_ROCKS,
    CHANGED_NEIGHBOURS = 1 << PROSPECTOR_GROUP_NEIGHBOURS
};

/* ---- cargo ---- */

/* Units on board: in single precision from left to right, by the rules. */
LU_ALWAYS_INLINE float cargo_total(const prospector_state *s) {
    const float *c = s->cargo;
    return ((((c[0] + c[1]) + c[2]) + c[3]) + c[4]) + c[5];
}

/* Credits the cargo is worth at present prices. */
LU_ALWAYS_INLINE double cargo_value(const prospector_state *s) {
    double part[LANES];
    EIGHT for (int c = 0; c < LANES; c++) {
        part[c] = (double)s->cargo[c] * (double)s->price[c];
    }
    return ((((part[0] + part[1]) + part[2]) + part[3]) + part[4]) + part[5];
}

LU_ALWAYS_INLINE void cargo_scale(prospector_state *s, float factor) {
    EIGHT for (int c = 0; c < LANES; c++) {
        s->cargo[c] *= factor;
    }
}

/* The selected rock is here and not depleted. */
LU_ALWAYS_INLINE bool selected_open(const prospector_state *s) {
    return s->selected >= 0 && ((s->open >> (s->selected & 15)) & 1u);
}

/* ---- pirates (9) ---- */

/* Log odds of an encounter in one tick; `rich` is ln(1 + V/1000). */
LU_ALWAYS_INLINE double pirate_odds_of(double intensity, double alert, double rich, bool escaping) {
    double noticed = lu_fmin(lu_fmax(0.01 * alert, 0.0), 1.0);
    return -4.0 + 3.0 * intensity + 2.2 * noticed + 0.8 * rich - (escaping ? 2.8 : 0.0);
}

LU_ALWAYS_INLINE double pirate_odds(double intensity, double alert, double value, bool escaping) {
    double rich = value > 0.0 ? lu_log_core(1.0 + 0.001 * value) : 0.0;
    return pirate_odds_of(intensity, alert, rich, escaping);
}

/* No less than ln(1 + V/1000), without a logarithm: the bits of a double as a whole number are its
 * exponent and fraction, so lines between powers of two, at most 0.0861 below the base 2 logarithm
 * (0.0597 below the natural one). */
LU_ALWAYS_INLINE double rich_most(double value) {
    uint64_t above = lu_double_bits(1.0 + 0.001 * value) - lu_double_bits(1.0);
    return (double)(int64_t)above * (0x1.62e42fefa39efp-1 * 0x1p-52) + 0.06;
}

/* Chance of at least one in dt ticks: 1 - (1 - p)^dt by plain products. */
LU_ALWAYS_INLINE double chance_within(double p, int dt) {
    double free = 1.0 - p, two = free * free, four = two * two, all = 1.0;
    all = (dt & 1) ? free : all;
    all = (dt & 2) ? all * two : all;
    all = (dt & 4) ? all * four : all;
    all = (dt & 8) ? all * (four * four) : all;
    return 1.0 - all;
}

LU_INLINE void pirate_encounter(prospector_state *s, double value) {
    s->encounters++;
    double share = draw_uniform(&s->rng, 0.08, 0.20);
    if (s->decoys > 0 && draw_unit(&s->rng) < 0.6) {
        s->decoys--;
        share *= 0.3;
    }
    cargo_scale(s, (float)(1.0 - share));
    s->value_lost += lu_fmax(value - cargo_value(s), 0.0);
    s->hull -= draw_uniform(&s->rng, 1.0, 4.0);
    s->alert += 8.0;
}

/* Not at the station, which the caller has checked. The draw is first held against a bound from a
 * table, dt times the chance at the next higher eighth of log odds (1 - (1 - p)^dt <= dt p): that
 * settles nine of ten checks without a logarithm or an exponential. */
LU_ALWAYS_INLINE void pirate_check(const prospector_rules *rules, prospector_state *s, int dt,
                                   double intensity) {
    double value = cargo_value(s);
    double unit = draw_unit(&s->rng);
    bool escaping = s->escape_ticks > 0;
    double most = pirate_odds_of(intensity, s->alert, rich_most(value), escaping);
    int step = (int)clamp((most + 7.0) * 8.0, 0.0, (double)(PROSPECTOR_ODDS - 1));
    if (unit < (double)dt * rules->pirate_most[step]) {
        double odds = pirate_odds(intensity, s->alert, value, escaping);
        if (unit < chance_within(sigmoid(odds), dt)) {
            pirate_encounter(s, value);
        }
    }
}

/* ---- actions (8): each returns its ticks, 0 when it is invalid ---- */

LU_ALWAYS_INLINE int act_hold(prospector_state *s) {
    s->alert = lu_fmax(s->alert - 3.0, 0.0);
    s->heat = lu_fmax(s->heat - 2.5, 0.0);
    return 1;
}

/* Makes the rocks of the node on the first visit. */
LU_INLINE void arrive(turn *t) {
    prospector_state *s = t->s;
    const prospector_node *node = &s->graph[s->node];
    prospector_rocks *rocks = &s->rock[s->node];
    if (node->rocks > 0 && !((s->made >> s->node) & 1u)) {
        rocks_make(t->rules, node->rock_rng, node->rocks, rocks);
        s->made |= 1u << s->node;
    }
    uint32_t open = 0;
    for (int a = 0; a < node->rocks; a++) {
        open |= (rocks->shown[a][PROSPECTOR_ROCK_DEPLETION] < 1.0f ? 1u : 0u) << a;
    }
    s->open = (uint16_t)open;
    t->changed |= CHANGED_ROCKS | CHANGED_NEIGHBOURS;
}

LU_INLINE int act_travel(turn *t, int slot) {
    prospector_state *s = t->s;
    const prospector_node *from = &s->graph[s->node];
    if (slot >= from->degree) {
        return 0;
    }
    int dt = from->time[slot];
    double threat = (double)from->threat[slot];
    s->fuel -= (double)from->fuel[slot] *
               (1.0 + 0.5 * ((double)cargo_total(s) / (double)PROSPECTOR_CARGO_MAX));
    if (s->selected >= 0) {
        s->rock[s->node].shown[s->selected][PROSPECTOR_ROCK_SELECTED] = 0.0f;
        s->selected = -1;
    }
    s->node = (uint8_t)from->neighbour[slot];
    arrive(t);
    s->hull -= (double)dt * threat * 0.7 * draw_uniform(&s->rng, 0.85, 1.15);
    s->heat += (double)dt * threat * 0.5;
    s->alert += (double)dt * threat * 0.8;
    if (s->node != 0) {
        pirate_check(t->rules, s, dt, threat);
    }
    return dt;
}

LU_INLINE int act_wide_scan(turn *t) {
    prospector_state *s = t->s;
    s->fuel -= 5.0;
    s->alert += 4.0;
    int count = s->graph[s->node].rocks;
    if (count > 0) {
        scan_wide(t->rules, &s->rng, &s->rock[s->node], count);
        t->changed |= CHANGED_ROCKS;
    }
    s->scans++;
    return 3;
}

/* Fuel and alert are charged even when there is nothing to scan. */
LU_INLINE int act_scan(turn *t, bool deep) {
    prospector_state *s = t->s;
    s->fuel -= deep ? 8.0 : 4.0;
    s->alert += deep ? 6.0 : 3.0;
    if (!selected_open(s)) {
        return 0;
    }
    scan_one(&s->rng, &s->rock[s->node], s->selected, &scan_modes[deep ? 2 : 1]);
    s->scans++;
    t->changed |= CHANGED_ROCKS;
    return deep ? 4 : 2;
}

LU_INLINE int act_listen(turn *t) {
    prospector_state *s = t->s;
    prospector_node *node = &s->graph[s->node];
    uint64_t u1[LANES], u2[LANES];
    double z[LANES];
    memset(u1, 0, sizeof u1);
    memset(u2, 0, sizeof u2);
    for (int k = 0; k < node->degree; k++) {
        u1[k] = draw(&s->rng);
        u2[k] = draw(&s->rng);
    }
    lanes_normal(u1, u2, z);
    for (int k = 0; k < node->degree; k++) {
        double y = clamp((double)node->threat[k] + 0.08 * z[k], 0.0, 1.0);
        node->estimate[k] = (float)(0.25 * (double)node->estimate[k] + 0.75 * y);
    }
    t->changed |= CHANGED_NEIGHBOURS;
    return 2;
}

LU_ALWAYS_INLINE int act_select(turn *t, int slot) {
    prospector_state *s = t->s;
    if (!(((uint32_t)s->open >> slot) & 1u)) {
        return 0;
    }
    prospector_rocks *rocks = &s->rock[s->node];
    if (s->selected >= 0) {
        rocks->shown[s->selected][PROSPECTOR_ROCK_SELECTED] = 0.0f;
    }
    rocks->shown[slot][PROSPECTOR_ROCK_SELECTED] = 1.0f;
    s->selected = (int8_t)slot;
    t->changed |= CHANGED_ROCKS;
    return 1;
}

/* ---- mining (8.3) ---- */

typedef struct mine_mode {
    double yield, heat, wear, alert, noise, bias;
} mine_mode;

/* careful, normal, hard */
LU_TABLE mine_mode mine_modes[3] = {{0.80, 2.0, 0.8, 1.2, 0.05, -0.7},
                                    {1.15, 4.0, 1.6, 2.2, 0.10, 0.0},
                                    {1.55, 7.0, 2.8, 4.0, 0.16, 0.8}};

/* Chance that the rock breaks in this tick; `tool` and `heat` are the shares of section 8.3. */
LU_ALWAYS_INLINE double fracture_chance(double bias, double stability, double heat, double tool,
                                        bool stabilised) {
    return sigmoid(-3.1 + bias + 2.5 * (1.0 - stability) + 2.2 * lu_fmax(heat - 0.7, 0.0) +
                   1.5 * (1.0 - tool) - (stabilised ? 1.1 : 0.0));
}

LU_INLINE int act_mine(turn *t, const mine_mode *mode) {
    prospector_state *s = t->s;
    if (!selected_open(s)) {
        return 0;
    }
    int slot = s->selected;
    prospector_rocks *rocks = &s->rock[s->node];
    float *shown = rocks->shown[slot];
    double depletion = (double)shown[PROSPECTOR_ROCK_DEPLETION];
    double tool = clamp(s->tool / 100.0, 0.0, 1.0);
    double heat = clamp(s->heat / 100.0, 0.0, 2.0);
    double cooled = heat <= 0.7 ? 1.0 : lu_fmax(1.0 - (heat - 0.7) / 0.3, 0.1);
    double amount = (double)rocks->richness[slot] * (1.0 - depletion) * (0.4 + 0.6 * tool) *
                    cooled * mode->yield * lu_exp_core(mode->noise * draw_normal(&s->rng));

    /* what is taken, cut down to the free hold */
    double taken[PROSPECTOR_GOODS], total = 0.0;
    for (int c = 0; c < PROSPECTOR_GOODS; c++) {
        taken[c] = amount * (double)rocks->content[c][slot];
        total += taken[c];
    }
    double room = lu_fmax((double)PROSPECTOR_CARGO_MAX - (double)cargo_total(s), 0.0);
    if (total > room) {
        double scale = room / total;
        total = 0.0;
        for (int c = 0; c < PROSPECTOR_GOODS; c++) {
            taken[c] *= scale;
            total += taken[c];
        }
    }
    for (int c = 0; c < PROSPECTOR_GOODS; c++) {
        s->cargo[c] += (float)taken[c];
    }
    s->heat += mode->heat;
    s->tool -= mode->wear;
    s->alert += mode->alert;
    s->mining_ticks++;
    float left = (float)clamp(depletion + 0.01 * total, 0.0, 1.0);

    double chance = fracture_chance(mode->bias, (double)rocks->stability[slot], heat, tool,
                                    s->stabilise_ticks[slot] > 0);
    if (draw_unit(&s->rng) < chance) {
        prospector_node *node = &s->graph[s->node];
        s->hull -= 12.0 * draw_uniform(&s->rng, 0.5, 1.0);
        left = 1.0f;
        node->hazard = (float)clamp((double)node->hazard + 0.1, 0.0, 1.0);
    }
    shown[PROSPECTOR_ROCK_DEPLETION] = left;
    if (!(left < 1.0f)) {
        s->open = (uint16_t)(s->open & ~(1u << slot));
    }
    t->changed |= CHANGED_ROCKS;
    return 1;
}

/* ---- ship and station ---- */

LU_ALWAYS_INLINE int act_refine(prospector_state *s) {
    s->fuel -= 4.0;
    s->heat += 6.0;
    s->alert += 3.0;
    double low_grade = (double)(s->cargo[0] + s->cargo[1]);
    if (low_grade > 0.0) {
        double used = 0.15 * low_grade;
        float keep = (float)(1.0 - lu_fmin(used / low_grade, 1.0));
        s->cargo[0] *= keep;
        s->cargo[1] *= keep;
        s->cargo[4] += (float)(0.65 * used);
    }
    return 2;
}

LU_ALWAYS_INLINE int act_repair(prospector_state *s, double *what, double most, double more) {
    if (s->kits == 0) {
        return 0;
    }
    s->kits--;
    *what = lu_fmin(*what + more, most);
    return 2;
}

/* Share of the price lost when q units meet this stock (8.5). */
LU_ALWAYS_INLINE double slippage_of(double q, double stock) {
    double r = q / lu_fmax(stock + q, 1.0);
    return clamp(0.25 * r + 0.2 * lu_sqrt(r), 0.0, 0.70);
}

LU_ALWAYS_INLINE int act_sell(prospector_state *s, int order) {
    static const double share[3] = {0.25, 0.50, 1.00};
    if (s->node != 0) {
        return 0;
    }
    int c = order / 3;
    double q = (double)s->cargo[c] * share[order % 3];
    if (q > 0.0) {
        s->credits += q * (double)s->price[c] * (1.0 - slippage_of(q, (double)s->stock[c]));
        s->cargo[c] = (float)lu_fmax((double)s->cargo[c] - q, 0.0);
        s->stock[c] += (float)q;
        s->sales[c] += (float)q;
    }
    return 1;
}

/* Pays at the station, if there is enough to pay with. */
LU_ALWAYS_INLINE bool pay(prospector_state *s, double price) {
    if (s->node != 0 || !(s->credits >= price)) {
        return false;
    }
    s->credits -= price;
    s->total_spend += price;
    return true;
}

LU_ALWAYS_INLINE int act_buy_fuel(prospector_state *s, double price, double amount) {
    if (!pay(s, price)) {
        return 0;
    }
    s->fuel = lu_fmin(s->fuel + amount, (double)PROSPECTOR_FUEL_MAX);
    return 1;
}

LU_ALWAYS_INLINE int act_buy_supply(prospector_state *s, uint8_t *count, double price) {
    if (*count >= PROSPECTOR_SUPPLY_MAX || !pay(s, price)) {
        return 0;
    }
    (*count)++;
    return 1;
}

/* The first action of each action's kind: one jump by table instead of a chain of comparisons,
 * which random play would mispredict several times a step. */
LU_TABLE uint8_t action_kind[PROSPECTOR_ACTIONS] = {
    0,  0,  0,  0,  0,  0,  6,  7,  8,  9,  10, 11, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12,
    12, 12, 12, 12, 12, 28, 28, 28, 31, 32, 33, 34, 35, 36, 36, 36, 36, 36, 36, 42, 43, 43, 43,
    43, 43, 43, 43, 43, 43, 43, 43, 43, 43, 43, 43, 43, 43, 43, 61, 61, 61, 64, 65, 66, 67, 68,
};

/* One action in 0..68. */
LU_ALWAYS_INLINE int act(turn *t, int action) {
    static const double fuel_price[3] = {60.0, 120.0, 210.0}, fuel_units[3] = {120.0, 260.0, 480.0};
    prospector_state *s = t->s;
    int which = action - action_kind[action];
    switch (action_kind[action]) {
    case PROSPECTOR_TRAVEL:
        return act_travel(t, which);
    case PROSPECTOR_SELECT:
        return act_select(t, which);
    case PROSPECTOR_SELL:
        return act_sell(s, which);
    case PROSPECTOR_JETTISON:
        s->cargo[which] = 0.0f;
        s->alert = lu_fmax(s->alert - 8.0, 0.0);
        return 1;
    case PROSPECTOR_BURN:
        s->fuel -= 18.0;
        s->alert += 10.0;
        s->escape_ticks = s->escape_ticks > 4 ? s->escape_ticks : 4;
        return 1;
    case PROSPECTOR_WIDE_SCAN:
        return act_wide_scan(t);
    case PROSPECTOR_FOCUSED_SCAN:
    case PROSPECTOR_DEEP_SCAN:
        return act_scan(t, action == PROSPECTOR_DEEP_SCAN);
    case PROSPECTOR_LISTEN:
        return act_listen(t);
    case PROSPECTOR_MINE:
        return act_mine(t, &mine_modes[which]);
    case PROSPECTOR_STABILISE:
        if (!selected_open(s) || s->stabilizers == 0) {
            return 0;
        }
        s->stabilizers--;
        s->stabilise_ticks[s->selected] = 6;
        return 2;
    case PROSPECTOR_REFINE:
        return act_refine(s);
    case PROSPECTOR_COOL:
        s->fuel -= 2.0;
        s->heat = lu_fmax(s->heat - 20.0, 0.0);
        s->alert += 1.0;
        return 2;
    case PROSPECTOR_FIX_TOOL:
        return act_repair(s, &s->tool, (double)PROSPECTOR_TOOL_MAX, 25.0);
    case PROSPECTOR_PATCH_HULL:
        return act_repair(s, &s->hull, (double)PROSPECTOR_HULL_MAX, 20.0);
    case PROSPECTOR_DOCK:
        if (s->node != 0) {
            return 0;
        }
        s->alert = lu_fmax(s->alert - 20.0, 0.0);
        return 1;
    case PROSPECTOR_BUY_FUEL:
        return act_buy_fuel(s, fuel_price[which], fuel_units[which]);
    case PROSPECTOR_BUY_SUPPLY:
        return act_buy_supply(s, &s->kits, 150.0);
    case PROSPECTOR_BUY_SUPPLY + 1:
        return act_buy_supply(s, &s->stabilizers, 175.0);
    case PROSPECTOR_BUY_SUPPLY + 2:
        return act_buy_supply(s, &s->decoys, 110.0);
    case PROSPECTOR_OVERHAUL:
        if (!pay(s, 280.0)) {
            return 0;
        }
        s->hull = PROSPECTOR_HULL_MAX;
        s->tool = PROSPECTOR_TOOL_MAX;
        return 3;
    case PROSPECTOR_CASH_OUT:
        return 1;
    default:
        return act_hold(s);
    }
}

/* ---- global dynamics (9) ---- */

/* Prices after dt more ticks: 12 draws, all lanes at once. */
LU_ALWAYS_INLINE void market_move(const prospector_rules *rules, prospector_state *s, int dt) {
    /* the two idle lanes divide by 1 instead of by their zero */
    static const double idle[LANES] = {0, 0, 0, 0, 0, 0, 1, 1};
    double turned = LU_TWO_PI * (double)(s->ticks + dt);
    const double *deviation = rules->noise[dt];
    float fade = rules->fade[dt];
    double noise[LANES], wave[LANES], angle[LANES];
    uint64_t u1[LANES], u2[LANES];
    uint64_t rng = s->rng;
    s->rng = rules->price_mul[0][6] * rng + rules->price_add[0][6];
    EIGHT for (int c = 0; c < LANES; c++) {
        u1[c] = output_of(rules->price_mul[0][c] * rng + rules->price_add[0][c]);
        u2[c] = output_of(rules->price_mul[1][c] * rng + rules->price_add[1][c]);
        angle[c] = turned / (s->period[c] + idle[c]) + s->phase[c];
    }
    EIGHT for (int c = 0; c < LANES; c++) {
        noise[c] = deviation[c] * normal_of(u1[c], u2[c]);
        wave[c] = s->amplitude[c] * sine_of(angle[c]);
    }
    EIGHT for (int c = 0; c < LANES; c++) {
        double price = market_base[c] + wave[c] - 0.04 * (double)s->stock[c] -
                       0.05 * (double)s->sales[c] + noise[c];
        s->last_price[c] = s->price[c];
        s->price[c] = (float)clamp(price, market_low[c], market_high[c]);
        s->sales[c] *= fade;
        s->stock[c] *= 0.998f;
    }
}

/* Everything of section 9 but the limits of the gauges. Returns the share of the hold in use. */
LU_ALWAYS_INLINE double dynamics(const prospector_rules *rules, prospector_state *s, int dt) {
    double ticks = (double)dt;
    s->time_left -= ticks;
    s->heat = lu_fmax(s->heat - 2.5 * ticks, 0.0);
    s->escape_ticks = (uint8_t)(s->escape_ticks > dt ? s->escape_ticks - dt : 0);
    for (int a = 0; a < PROSPECTOR_ROCKS; a++) {
        uint8_t left = s->stabilise_ticks[a];
        s->stabilise_ticks[a] = (uint8_t)(left > (uint8_t)dt ? left - (uint8_t)dt : 0);
    }
    if (s->heat > (double)PROSPECTOR_HEAT_MAX) {
        s->hull -= 1.25 * (s->heat - (double)PROSPECTOR_HEAT_MAX);
        s->heat = PROSPECTOR_HEAT_MAX;
        s->overheat_ticks += dt;
    }
    if (s->node != 0) {
        const prospector_node *node = &s->graph[s->node];
        double hazard = (double)node->hazard;
        if (hazard > 0.0) {
            s->hull -= ticks * hazard * 0.7 * draw_uniform(&s->rng, 0.8, 1.2);
            s->heat += ticks * hazard * 0.5;
            s->alert += ticks * hazard * 0.8;
        }
        pirate_check(rules, s, dt, (double)node->pirate);
    }
    market_move(rules, s, dt);

    /* the hold */
    EIGHT for (int c = 0; c < LANES; c++) {
        s->cargo[c] = clampf(s->cargo[c], 0.0f, (float)PROSPECTOR_CARGO_MAX);
    }
    float total = cargo_total(s);
    if (total > (float)PROSPECTOR_CARGO_MAX) {
        cargo_scale(s, (float)((double)PROSPECTOR_CARGO_MAX / (double)total));
        total = cargo_total(s);
        total = total < (float)PROSPECTOR_CARGO_MAX ? total : (float)PROSPECTOR_CARGO_MAX;
    }
    double load = (double)total / (double)PROSPECTOR_CARGO_MAX;
    s->use_sum += load * ticks;
    s->ticks += dt;
    return load;
}

/* Brings the eight gauges into their ranges and puts `load` in its place; drop[k] gets what the
 * loss against `before` is worth in reward. One vector: plain code would become a chain of jumps,
 * and a scalar store of the load between two vector accesses would stall the second. */
LU_ALWAYS_INLINE void gauges_settle(const prospector_rules *rules, prospector_state *s, double load,
                                    const double *before, double *drop) {
    double gauge[LANES];
    memcpy(gauge, &s->fuel, sizeof gauge);
    EIGHT for (int k = 0; k < LANES; k++) {
        gauge[k] = clamp(gauge[k], 0.0, rules->most[k]) + load * rules->is_load[k];
        drop[k] = lu_fmax(before[k] - gauge[k], rules->least[k]) * rules->rate[k];
    }
    memcpy(&s->fuel, gauge, sizeof gauge);
}
