/* Eyes and memory of the ace: see prospector_ace.h. What an observation does not say is worked
 * out here: richness and content of a rock from one tick of mining, both ends of an edge from its
 * fuel, prices above the base from their changes. */
#include "prospector_ace.h"

#include <string.h>

enum {
    GOODS = PROSPECTOR_GOODS,
    SLOTS = PROSPECTOR_SLOTS,
    ROCKS = PROSPECTOR_ROCKS,
    NODES = PROSPECTOR_NODES
};

const double prospector_base_price[GOODS] = {45, 55, 85, 145, 210, 120};
const double prospector_worth[GOODS] = {110, 110, 78, 133, 195, 110};

const float *prospector_rock_seen(const float *o, int a) {
    return o + PROSPECTOR_AT_ROCKS + PROSPECTOR_SHOWN * a;
}

/* What the last tick of mining told about its rock. */
static void learn_rock(ace_memory *m, const ace_view *v) {
    ace_place *p = &m->place[v->node];
    double before = (double)m->depletion;
    double after = (double)prospector_rock_seen(v->o, m->last_rock)[PROSPECTOR_ROCK_DEPLETION];
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
        credits += units * prospector_worth[c];
    }
    if (sum > 0.0) {
        double whole = (1.0 - before) * (0.4 + 0.6 * (double)m->tool / 100.0);
        float rate = (float)(dug * credits / sum / whole), *known = &p->rate[m->last_rock];
        *known = *known > 0.0f ? 0.5f * (*known + rate) : rate;
    }
}

/* Edges show the same fuel at both ends: so an edge is known once both ends were visited. */
static void join_edges(ace_memory *m, int node, int slot) {
    ace_place *p = &m->place[node];
    for (int u = 0; u < NODES; u++) {
        ace_place *q = &m->place[u];
        for (int k = 0; k < q->degree && u != node; k++) {
            if (q->fuel[k] == p->fuel[slot] && q->time[k] == p->time[slot]) {
                p->to[slot] = (uint8_t)(u + 1);
                q->to[k] = (uint8_t)(node + 1);
            }
        }
    }
}

static void learn_place(ace_memory *m, const ace_view *v) {
    ace_place *p = &m->place[v->node];
    for (int a = 0; a < ROCKS; a++) {
        const float *rock = prospector_rock_seen(v->o, a);
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
static void learn_prices(ace_memory *m, ace_view *v) {
    for (int c = 0; c < GOODS; c++) {
        float base = (float)prospector_base_price[c], seen = v->o[PROSPECTOR_AT_MARKET + c];
        float change = v->o[PROSPECTOR_AT_MARKET + GOODS + c] * 100.0f;
        float sum = m->started ? m->price[c] + change : 1.1f * base;
        m->price[c] = seen < 1.0f ? seen * base : sum > base ? sum : base;
        v->value += v->cargo[c] * (double)m->price[c];
    }
}

void prospector_look(ace_memory *m, double budget, const float *o, const uint8_t *mask,
                     ace_view *v) {
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
        if (prospector_rock_seen(o, a)[PROSPECTOR_ROCK_SELECTED] > 0.0f) {
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

double prospector_hazard_guess(const ace_place *p) {
    static const double usual[3] = {0.0, 0.2, 0.45};
    return lu_fmin(usual[p->type] + 0.1 * p->fractures, 1.0);
}

/* Dijkstra's method; 32 nodes need no heap. */
void prospector_find_ways(const ace_memory *m, int from, double hazard, double fuel, ace_ways *w) {
    uint32_t done = 0;
    for (int i = 0; i < NODES; i++) {
        w->cost[i] = i == from ? 0.0f : ACE_FAR;
        w->time[i] = w->fuel[i] = 0.0f;
        w->first[i] = -1;
        w->hops[i] = 0;
    }
    for (;;) {
        int u = -1;
        for (int i = 0; i < NODES; i++) {
            if (!((done >> i) & 1u) && w->cost[i] < ACE_FAR && (u < 0 || w->cost[i] < w->cost[u])) {
                u = i;
            }
        }
        if (u < 0) {
            return;
        }
        done |= 1u << u;
        const ace_place *p = &m->place[u];
        for (int k = 0; k < p->degree; k++) {
            int t = p->to[k] - 1;
            if (t < 0) {
                continue;
            }
            double rough =
                1.0 + hazard * (prospector_hazard_guess(p) + prospector_hazard_guess(&m->place[t]));
            float cost = w->cost[u] + (float)(p->time[k] * rough + fuel * (double)p->fuel[k]);
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
