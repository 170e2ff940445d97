/* How prospector looks to people: the board for a terminal, what a decision did in words and as
 * events, and why an action is illegal. Left out: JSON (prospector_json.c), names of actions
 * (prospector_spec.c).
 * A seat reads what the pilot sees: prices above the base price show as "120+", the ends of edges
 * stay unnamed, rocks show estimates. Seat -1 reads true prices and true rocks. */
#include "prospector.h"

#include <stdio.h>
#include <string.h>

enum {
    GOODS = PROSPECTOR_GOODS,
    LEFT = 26,   /* columns of the left panel */
    BAR = 14,    /* columns of a gauge's bar */
    LINES = 16,  /* of both panels, below the heading */
    LINE = 80,   /* room for one line of a panel */
    STORY = 120, /* most columns of a story */
};

static const char *const good_name[GOODS] = {"iron",     "nickel",   "water ice",
                                             "platinum", "isotopes", "volatiles"};
static const char *const good_sign[GOODS] = {"Fe", "Ni", "Ic", "Pt", "Is", "Vo"};
static const double good_base[GOODS] = {45, 55, 85, 145, 210, 120};
static const char *const type_name[3] = {"station", "cluster", "hazard"};
static const char *const end_name[6] = {
    "",           "cashed out", "destroyed", "stranded without fuel", "destroyed and stranded",
    "out of time"};

static double cargo_units(const prospector_state *s) {
    double sum = 0.0;
    for (int c = 0; c < GOODS; c++) {
        sum += (double)s->cargo[c];
    }
    return sum;
}

/* A share as a whole per cent that needs two digits. */
static int percent(float share) {
    int value = (int)(share * 100.0f + 0.5f);
    return value > 99 ? 99 : value;
}

/* ---- the left panel: ship and market ---- */

static void put_gauge(char *line, const char *name, double value, double most) {
    char bar[BAR + 1];
    int full = (int)(value / most * BAR + 0.5);
    for (int i = 0; i < BAR; i++) {
        bar[i] = i < full ? '#' : '.';
    }
    bar[BAR] = 0;
    snprintf(line, LINE, "%-5s %s %5.0f", name, bar, value);
}

static void put_good(char *line, const prospector_state *s, int c, int seat) {
    bool above = seat >= 0 && (double)s->price[c] > good_base[c];
    double price = above ? good_base[c] : (double)s->price[c];
    char arrow = s->price[c] > s->last_price[c] ? '^' : s->price[c] < s->last_price[c] ? 'v' : ' ';
    snprintf(line, LINE, "%-9s %6.1f  %6.1f%c%c", good_name[c], (double)s->cargo[c], price,
             above ? '+' : ' ', arrow);
}

static void fill_left(const prospector_state *s, int seat, char (*line)[LINE]) {
    put_gauge(line[0], "fuel", s->fuel, PROSPECTOR_FUEL_MAX);
    put_gauge(line[1], "hull", s->hull, PROSPECTOR_HULL_MAX);
    put_gauge(line[2], "heat", s->heat, PROSPECTOR_HEAT_MAX);
    put_gauge(line[3], "tool", s->tool, PROSPECTOR_TOOL_MAX);
    put_gauge(line[4], "hold", cargo_units(s), PROSPECTOR_CARGO_MAX);
    put_gauge(line[5], "alert", s->alert, PROSPECTOR_ALERT_MAX);
    snprintf(line[7], LINE, "kits %d stab %d decoys %d", s->kits, s->stabilizers, s->decoys);
    snprintf(line[9], LINE, "good        hold   price");
    for (int c = 0; c < GOODS; c++) {
        put_good(line[10 + c], s, c, seat);
    }
}

/* ---- the right panel: ways and rocks, or the station's desk ---- */

/* Slot, the two largest goods, stability, confidence, how much is mined: 25 columns. */
static void put_rock(char *line, const prospector_state *s, int a, int seat) {
    const prospector_rocks *rocks = &s->rock[s->node];
    const float *shown = rocks->shown[a];
    float share[GOODS];
    int first = 0, second = -1;
    for (int c = 0; c < GOODS; c++) {
        share[c] = seat >= 0 ? shown[PROSPECTOR_ROCK_CONTENT + c] : rocks->content[c][a];
        first = share[c] > share[first] ? c : first;
    }
    for (int c = 0; c < GOODS; c++) {
        if (c != first && (second < 0 || share[c] > share[second])) {
            second = c;
        }
    }
    char mark = s->selected == a ? '>' : ' ';
    if (shown[PROSPECTOR_ROCK_DEPLETION] >= 1.0f) {
        snprintf(line, LINE, "%c%2d -- gone --", mark, a + 1);
        return;
    }
    snprintf(line, LINE, "%c%2d %s%02d %s%02d %3d %3d %3d", mark, a + 1, good_sign[first],
             percent(share[first]), good_sign[second], percent(share[second]),
             percent(seat >= 0 ? shown[PROSPECTOR_ROCK_STABILITY] : rocks->stability[a]),
             percent(shown[PROSPECTOR_ROCK_CONFIDENCE]), percent(shown[PROSPECTOR_ROCK_DEPLETION]));
}

static void fill_ways(const prospector_state *s, int seat, char (*line)[LINE]) {
    const prospector_node *node = &s->graph[s->node];
    snprintf(line[0], LINE, "way  to        ticks  fuel  threat");
    for (int k = 0; k < node->degree; k++) {
        const char *to = type_name[s->graph[node->neighbour[k]].type];
        float threat = seat >= 0 ? node->estimate[k] : node->threat[k];
        snprintf(line[1 + k], LINE, "%3d  %-9s %5d %5.0f %6d%%", k + 1, to, node->time[k],
                 (double)node->fuel[k], percent(threat));
    }
}

static void fill_rocks(const prospector_state *s, int seat, char (*line)[LINE]) {
    int count = s->graph[s->node].rocks, half = (count + 1) / 2;
    snprintf(line[7], LINE, "rock content  stb cnf mnd%s",
             count > 1 ? "  rock content  stb cnf mnd" : "");
    for (int a = 0; a < half; a++) {
        char cell[LINE], other[LINE] = "";
        put_rock(cell, s, a, seat);
        if (half + a < count) {
            put_rock(other, s, half + a, seat);
        }
        snprintf(line[8 + a], LINE, "%-25.25s  %.25s", cell, other);
    }
}

static void fill_desk(const prospector_state *s, char (*line)[LINE]) {
    static const int published[4] = {0, 2, 3, 4};
    snprintf(line[8], LINE, "station desk");
    snprintf(line[9], LINE, "  fuel      120 for 60   260 for 120   480 for 210");
    snprintf(line[10], LINE, "  supplies  kit 150   stabilizer 175   decoy 110");
    snprintf(line[11], LINE, "  overhaul  hull and tool as new for 280");
    snprintf(line[12], LINE, "  selling   small lots into large stocks lose least");
    int at = snprintf(line[13], LINE, "  stock    ");
    for (int k = 0; k < 4; k++) {
        int c = published[k];
        at += snprintf(line[13] + at, (size_t)(LINE - at), " %s %.0f", good_sign[c],
                       (double)s->stock[c]);
    }
}

void prospector_show(const lu_rules *rules, const void *state, int seat, lu_text *text) {
    const prospector_state *s = state;
    char left[LINES][LINE], right[LINES][LINE];
    (void)rules;
    memset(left, 0, sizeof left);
    memset(right, 0, sizeof right);
    fill_left(s, seat, left);
    fill_ways(s, seat, right);
    if (s->node == 0) {
        fill_desk(s, right);
    } else {
        fill_rocks(s, seat, right);
    }
    const prospector_node *node = &s->graph[s->node];
    lu_text_addf(text, "Node %d, %s", s->node, s->end ? end_name[s->end] : type_name[node->type]);
    if (s->node != 0 && !s->end) {
        lu_text_addf(text, ", %d %s from home", node->hops, node->hops == 1 ? "hop" : "hops");
    }
    lu_text_addf(text, " | %.0f ticks left | %.0f credits\n", s->time_left, s->credits);
    for (int i = 0; i < LINES; i++) {
        size_t before = text->length;
        lu_text_addf(text, "%-*s  %s", LEFT, left[i], right[i]);
        while (text->length > before && text->text[text->length - 1] == ' ') {
            text->text[--text->length] = 0;
        }
        lu_text_add_char(text, '\n');
    }
}

/* ---- events ---- */

static bool fractured(const prospector_state *was, const prospector_state *is) {
    if (is->action < PROSPECTOR_MINE || is->action >= PROSPECTOR_MINE + 3 || is->invalid) {
        return false;
    }
    /* mining alone only nears depletion 1 */
    const float *shown = is->rock[is->node].shown[is->selected];
    return was->selected >= 0 && shown[PROSPECTOR_ROCK_DEPLETION] >= 1.0f;
}

uint64_t prospector_events_of(const lu_rules *rules, const void *before, const void *after,
                              const int32_t *actions) {
    const prospector_state *was = before, *is = after;
    bool sale = is->action >= PROSPECTOR_SELL && is->action < PROSPECTOR_BUY_FUEL;
    bool over = is->end != PROSPECTOR_RUNNING && was->end == PROSPECTOR_RUNNING;
    const bool happened[PROSPECTOR_EVENTS] = {
        [PROSPECTOR_EVENT_INVALID] = is->invalid != 0,
        [PROSPECTOR_EVENT_PIRATES] = is->encounters > was->encounters,
        [PROSPECTOR_EVENT_OVERHEAT] = is->overheat_ticks > was->overheat_ticks,
        [PROSPECTOR_EVENT_TERMINATED] = over && is->end != PROSPECTOR_END_TIME,
        [PROSPECTOR_EVENT_TRUNCATED] = over && is->end == PROSPECTOR_END_TIME,
        [PROSPECTOR_EVENT_ARRIVED] = is->node != was->node,
        [PROSPECTOR_EVENT_FRACTURE] = fractured(was, is),
        [PROSPECTOR_EVENT_DECOY] = is->decoys < was->decoys,
        [PROSPECTOR_EVENT_SOLD] = sale && is->credits > was->credits,
        [PROSPECTOR_EVENT_BOUGHT] = is->total_spend > was->total_spend,
    };
    uint64_t bits = 0;
    (void)rules;
    (void)actions;
    for (int i = 0; i < PROSPECTOR_EVENTS; i++) {
        bits |= (uint64_t)happened[i] << i;
    }
    return bits;
}

/* ---- stories ---- */

/* `more`: other things happened too, so the line is short. */
static void tell_mining(const prospector_state *was, const prospector_state *is, bool more,
                        lu_text *text) {
    static const char *const how[3] = {"carefully mines", "mines", "mines hard:"};
    const float *shown = was->rock[was->node].shown[was->selected];
    const float *now = is->rock[is->node].shown[was->selected];
    int rock = was->selected;
    /* after a fracture or a raid the hold no longer tells how much was dug, depletion may */
    double dug = cargo_units(is) - cargo_units(was);
    if (now[PROSPECTOR_ROCK_DEPLETION] < 1.0f) {
        dug = 100.0 * (double)(now[PROSPECTOR_ROCK_DEPLETION] - shown[PROSPECTOR_ROCK_DEPLETION]);
    }
    int most = 0;
    for (int c = 1; c < GOODS; c++) {
        most = is->cargo[c] - was->cargo[c] > is->cargo[most] - was->cargo[most] ? c : most;
    }
    if (more) {
        lu_text_addf(text, "%s %.1f units", how[is->action - PROSPECTOR_MINE],
                     dug > 0.0 ? dug : 0.0);
        return;
    }
    lu_text_addf(text, "%s %.1f units of rock %d", how[is->action - PROSPECTOR_MINE],
                 dug > 0.0 ? dug : 0.0, rock + 1);
    if (is->cargo[most] > was->cargo[most]) {
        lu_text_addf(text, " (%s %.1f)", good_name[most],
                     (double)(is->cargo[most] - was->cargo[most]));
    }
    if (is->heat > was->heat) {
        lu_text_addf(text, ", heat %.0f -> %.0f", was->heat, is->heat);
    }
}

static void tell_scan(const prospector_state *is, lu_text *text) {
    const prospector_rocks *rocks = &is->rock[is->node];
    int a = is->selected;
    if (is->action == PROSPECTOR_WIDE_SCAN) {
        lu_text_addf(text, "scans %d rocks", is->graph[is->node].rocks);
        return;
    }
    const float *shown = rocks->shown[a];
    int most = 0;
    for (int c = 1; c < GOODS; c++) {
        most =
            shown[PROSPECTOR_ROCK_CONTENT + c] > shown[PROSPECTOR_ROCK_CONTENT + most] ? c : most;
    }
    lu_text_addf(text, "%s rock %d: %s %d%%, stability %d%%, confidence %d%%",
                 is->action == PROSPECTOR_DEEP_SCAN ? "deep scans" : "scans", a + 1,
                 good_name[most], percent(shown[PROSPECTOR_ROCK_CONTENT + most]),
                 percent(shown[PROSPECTOR_ROCK_STABILITY]),
                 percent(shown[PROSPECTOR_ROCK_CONFIDENCE]));
}

static void tell_trade(const prospector_state *was, const prospector_state *is, lu_text *text) {
    static const char *const supply[3] = {"a repair kit", "a stabilizer", "a decoy"};
    int action = is->action;
    if (action < PROSPECTOR_BUY_FUEL) {
        int c = (action - PROSPECTOR_SELL) / 3;
        double units = (double)(was->cargo[c] - is->cargo[c]);
        if (units > 0.0) {
            lu_text_addf(text, "sells %.1f %s for %.0f credits", units, good_name[c],
                         is->credits - was->credits);
        } else {
            lu_text_addf(text, "has no %s to sell", good_name[c]);
        }
    } else if (action < PROSPECTOR_BUY_SUPPLY) {
        lu_text_addf(text, "buys %.0f fuel for %.0f credits", is->fuel - was->fuel,
                     was->credits - is->credits);
    } else if (action < PROSPECTOR_OVERHAUL) {
        lu_text_addf(text, "buys %s for %.0f credits", supply[action - PROSPECTOR_BUY_SUPPLY],
                     was->credits - is->credits);
    } else {
        lu_text_addf(text,
                     "overhauls the ship for %.0f credits, hull %.0f -> %.0f, tool %.0f -> %.0f",
                     was->credits - is->credits, was->hull, is->hull, was->tool, is->tool);
    }
}

/* Actions of the ship itself. */
static void tell_ship(const prospector_state *was, const prospector_state *is, lu_text *text) {
    int action = is->action;
    int good = action - PROSPECTOR_JETTISON;
    switch (action) {
    case PROSPECTOR_HOLD:
        lu_text_addf(text, "holds, alert %.0f -> %.0f", was->alert, is->alert);
        break;
    case PROSPECTOR_BURN:
        lu_text_add(text, "burns hard to shake off pirates");
        break;
    case PROSPECTOR_LISTEN:
        lu_text_addf(text, "listens along %d ways", is->graph[is->node].degree);
        break;
    case PROSPECTOR_STABILISE:
        lu_text_addf(text, "stabilises rock %d, %d stabilizers left", is->selected + 1,
                     is->stabilizers);
        break;
    case PROSPECTOR_REFINE:
        lu_text_addf(text, "refines %.1f iron and nickel into %.1f isotopes",
                     (double)(was->cargo[0] + was->cargo[1] - is->cargo[0] - is->cargo[1]),
                     (double)(is->cargo[4] - was->cargo[4]));
        break;
    case PROSPECTOR_COOL:
        lu_text_addf(text, "cools down, heat %.0f -> %.0f", was->heat, is->heat);
        break;
    case PROSPECTOR_FIX_TOOL:
        lu_text_addf(text, "mends the tool, %.0f -> %.0f, %d kits left", was->tool, is->tool,
                     is->kits);
        break;
    case PROSPECTOR_PATCH_HULL:
        lu_text_addf(text, "patches the hull, %.0f -> %.0f, %d kits left", was->hull, is->hull,
                     is->kits);
        break;
    case PROSPECTOR_DOCK:
        lu_text_addf(text, "docks, alert %.0f -> %.0f", was->alert, is->alert);
        break;
    case PROSPECTOR_CASH_OUT:
        lu_text_addf(text, "cashes out with %.0f credits", is->credits);
        break;
    default:
        lu_text_addf(text, "jettisons %.1f %s, alert %.0f -> %.0f", (double)was->cargo[good],
                     good_name[good], was->alert, is->alert);
    }
}

/* Adds a part when the line stays within STORY columns. */
static void add_part(lu_text *text, const char *part) {
    if (text->length + strlen(part) <= STORY) {
        lu_text_add(text, part);
    }
}

/* What happened besides the action, the most important first. */
static void tell_events(const prospector_state *was, const prospector_state *is, uint64_t bits,
                        lu_text *text) {
    char part[STORY];
    bool broke = (bits >> PROSPECTOR_EVENT_FRACTURE) & 1u,
         decoy = (bits >> PROSPECTOR_EVENT_DECOY) & 1u;
    double hull = was->hull - is->hull;
    if (is->end != PROSPECTOR_RUNNING && is->end != PROSPECTOR_END_CASH_OUT) {
        snprintf(part, sizeof part, "; %s", end_name[is->end]);
        add_part(text, part);
    }
    if (broke) {
        snprintf(part, sizeof part, "; the rock fractures: hull -%.1f", hull);
        add_part(text, part);
    }
    if (bits & (1u << PROSPECTOR_EVENT_PIRATES)) {
        snprintf(part, sizeof part, "; pirates! lost %.0f credits of cargo",
                 is->value_lost - was->value_lost);
        add_part(text, part);
        snprintf(part, sizeof part, "%s, hull -%.1f", decoy ? " (decoy)" : "", hull);
        add_part(text, broke ? "" : part);
    }
    if (bits & (1u << PROSPECTOR_EVENT_OVERHEAT)) {
        snprintf(part, sizeof part, "; overheats: hull -%.1f", hull);
        add_part(text, part);
    }
}

void prospector_story(const lu_rules *rules, const void *before, const void *after,
                      const int32_t *actions, lu_text *text) {
    const prospector_state *was = before, *is = after;
    uint64_t bits = prospector_events_of(rules, before, after, actions);
    const uint64_t busy = 1u << PROSPECTOR_EVENT_PIRATES | 1u << PROSPECTOR_EVENT_FRACTURE |
                          1u << PROSPECTOR_EVENT_OVERHEAT | 1u << PROSPECTOR_EVENT_TERMINATED;
    int action = is->action;
    if (is->invalid) {
        const char *why = prospector_why_not(rules, before, 0, 0, actions[0]);
        lu_text_addf(text, "cannot do that (%s) and holds", why ? why : "no such action");
    } else if (action < PROSPECTOR_HOLD) {
        lu_text_addf(text, "flies %d ticks to %s %d, fuel -%.0f, hull -%.1f", is->dt,
                     type_name[is->graph[is->node].type], is->node, was->fuel - is->fuel,
                     was->hull - is->hull);
    } else if (action >= PROSPECTOR_WIDE_SCAN && action <= PROSPECTOR_DEEP_SCAN) {
        tell_scan(is, text);
    } else if (action >= PROSPECTOR_SELECT && action < PROSPECTOR_MINE) {
        lu_text_addf(text, "aims at rock %d", is->selected + 1);
    } else if (action >= PROSPECTOR_MINE && action < PROSPECTOR_STABILISE) {
        tell_mining(was, is, (bits & busy) != 0, text);
    } else if (action >= PROSPECTOR_SELL && action < PROSPECTOR_CASH_OUT) {
        tell_trade(was, is, text);
    } else {
        tell_ship(was, is, text);
    }

    tell_events(was, is, bits, text);
}

/* ---- why an action is illegal ---- */

static const char *why_not_at_desk(const prospector_state *s, int option) {
    static const double price[7] = {60, 120, 210, 150, 175, 110, 280};
    static const char *const poor[7] = {
        "costs 60 credits, more than you have",  "costs 120 credits, more than you have",
        "costs 210 credits, more than you have", "costs 150 credits, more than you have",
        "costs 175 credits, more than you have", "costs 110 credits, more than you have",
        "costs 280 credits, more than you have",
    };
    static const char *const full[3] = {"the ship cannot carry more than 12 kits",
                                        "the ship cannot carry more than 12 stabilizers",
                                        "the ship cannot carry more than 12 decoys"};
    const uint8_t held[3] = {s->kits, s->stabilizers, s->decoys};
    int which = option - PROSPECTOR_BUY_SUPPLY;
    if (which >= 0 && which < 3 && held[which] >= PROSPECTOR_SUPPLY_MAX) {
        return full[which];
    }
    return s->credits < price[option - PROSPECTOR_BUY_FUEL] ? poor[option - PROSPECTOR_BUY_FUEL]
                                                            : NULL;
}

/* Actions that are legal by the rules and without effect, when the settings drop them. */
static const char *why_idle(const prospector_state *s, int option) {
    int good = -1;
    if (option >= PROSPECTOR_JETTISON && option < PROSPECTOR_DOCK) {
        good = option - PROSPECTOR_JETTISON;
    } else if (option >= PROSPECTOR_SELL && option < PROSPECTOR_BUY_FUEL) {
        good = (option - PROSPECTOR_SELL) / 3;
    }
    if (good >= 0 && !(s->cargo[good] > 0.0f)) {
        return "none of it is in the hold";
    }
    if (option == PROSPECTOR_REFINE && !(s->cargo[0] + s->cargo[1] > 0.0f)) {
        return "no iron or nickel is in the hold";
    }
    if (option == PROSPECTOR_WIDE_SCAN && s->node == 0) {
        return "there are no rocks at the station";
    }
    if (option >= PROSPECTOR_BUY_FUEL && option < PROSPECTOR_BUY_SUPPLY &&
        s->fuel >= PROSPECTOR_FUEL_MAX) {
        return "the tank is full";
    }
    return NULL;
}

static const char *why_no_rock(const prospector_state *s, int rock) {
    if (rock < 0) {
        return "no rock selected";
    }
    if (rock >= s->graph[s->node].rocks) {
        return s->node == 0 ? "there are no rocks at the station" : "there is no such rock here";
    }
    return s->rock[s->node].shown[rock][PROSPECTOR_ROCK_DEPLETION] < 1.0f ? NULL
                                                                          : "that rock is gone";
}

const char *prospector_why_not(const lu_rules *rules, const void *state, int seat, int head,
                               int option) {
    const prospector_rules *m = (const prospector_rules *)(const void *)rules;
    const prospector_state *s = state;
    const char *why = NULL;
    (void)seat;
    (void)head;
    if (option < 0 || option >= PROSPECTOR_ACTIONS) {
        return "there is no such action";
    }
    if (option < PROSPECTOR_HOLD) {
        why = option < s->graph[s->node].degree ? NULL : "there is no such way from here";
    } else if (option >= PROSPECTOR_SELECT && option < PROSPECTOR_MINE) {
        why = why_no_rock(s, option - PROSPECTOR_SELECT);
    } else if (option == PROSPECTOR_FOCUSED_SCAN || option == PROSPECTOR_DEEP_SCAN ||
               (option >= PROSPECTOR_MINE && option <= PROSPECTOR_STABILISE)) {
        why = why_no_rock(s, s->selected);
        if (!why && option == PROSPECTOR_STABILISE && s->stabilizers == 0) {
            why = "no stabilizers left";
        }
    } else if (option == PROSPECTOR_FIX_TOOL || option == PROSPECTOR_PATCH_HULL) {
        why = s->kits > 0 ? NULL : "no repair kits left";
    } else if (option >= PROSPECTOR_DOCK && option < PROSPECTOR_CASH_OUT && s->node != 0) {
        why = "not at the station";
    } else if (option >= PROSPECTOR_BUY_FUEL && option < PROSPECTOR_CASH_OUT) {
        why = why_not_at_desk(s, option);
    }
    if (!why && m->tight != 0.0) {
        why = why_idle(s, option);
    }
    return why;
}
