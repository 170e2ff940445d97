/* Hidden things of prospector drawn anew, so that a search never peeks. Included by prospector.c
 * only. Cost: about 100 us after 14 visited nodes, most of it rocks and the sines of the market.
 *
 * What stays, because the pilot has seen it or did it:
 * - the ship, its place and figures, the rocks shown at every node visited (prior and truth of
 *   their content are told apart below), which rock is selected, how many rocks there are;
 * - of every node visited: its number, type, hops, and per way the type behind it, time, fuel and
 *   the estimate of the threat;
 * - ways between two visited nodes: both ends have shown the same fuel, a real number, so that the
 *   pilot can tell which belong together;
 * - prices (at the start only those not above their base: later the pilot adds up the changes it is
 *   shown), the four published stocks, and its own doing: recent sales, burn, stabilizers.
 * Everything else is drawn: how many nodes there are, which unvisited node lies behind which way,
 * their types, ways, rocks, hazard and pirate levels, true threats and rocks, the market's waves,
 * the two other stocks, the generator. Deductions from gauges over several steps (damage tells
 * about a hazard) are not made: the state does not remember them. */
#pragma once

#include "prospector_turn.h"

/* ---- the graph ---- */

enum {
    GUESS_WAYS = PROSPECTOR_NODES * PROSPECTOR_SLOTS,
    GUESS_TRIES = 64,
    GUESS_FAR = 64 /* levels from here on have no way home */
};

/* A way of a visited node to one that was never visited: type, time and fuel are known. */
typedef struct open_way {
    uint8_t node, slot, type, joined;
} open_way;

/* A graph being drawn. Levels (`hops`) are settled while nodes are joined: neighbours differ by at
 * most one and every node but the station has a neighbour one below, so levels are hops in the end.
 */
typedef struct graph_guess {
    prospector_node graph[PROSPECTOR_NODES];
    uint32_t near[PROSPECTOR_NODES]; /* bit v of entry u: u and v are neighbours */
    uint32_t visited;                /* sets of nodes */
    uint32_t hidden;                 /* never visited */
    uint32_t placed;                 /* hidden ones with a level and a type */
    uint64_t rng;
    open_way way[GUESS_WAYS];
    int ways, nodes;
    bool thrifty; /* takes a new node only where no placed one fits */
} graph_guess;

/* A random member of a set that is not empty. */
LU_INLINE int guess_pick(graph_guess *g, uint32_t set) {
    for (uint32_t skip = draw_below(&g->rng, (uint32_t)lu_bits_set(set)); skip; skip--) {
        set &= set - 1u;
    }
    return lu_lowest_bit(set);
}

LU_INLINE void guess_place(graph_guess *g, int node, int level, int type) {
    g->placed |= 1u << node;
    g->graph[node].hops = (uint8_t)level;
    g->graph[node].type = (uint8_t)type;
}

LU_INLINE int guess_type(graph_guess *g) {
    return draw_unit(&g->rng) < 0.25 ? PROSPECTOR_HAZARD : PROSPECTOR_CLUSTER;
}

/* Gives `node` its next slot, with an edge to `other`. */
LU_INLINE void guess_end(graph_guess *g, int node, int other, uint8_t time, float fuel) {
    prospector_node *end = &g->graph[node];
    int slot = end->degree++;
    end->neighbour[slot] = (int8_t)other;
    end->time[slot] = time;
    end->fuel[slot] = fuel;
    end->estimate[slot] = 0.5f;
    g->near[node] |= 1u << other;
    g->near[other] |= 1u << node;
}

/* A new edge between two hidden nodes. */
LU_INLINE void guess_edge(graph_guess *g, int a, int b) {
    uint8_t time = (uint8_t)(1u + draw_below(&g->rng, 8));
    float fuel = (float)draw_uniform(&g->rng, 20.0, 112.0);
    guess_end(g, a, b, time, fuel);
    guess_end(g, b, a, time, fuel);
}

/* Leads an open way to a hidden node. */
LU_INLINE void guess_join(graph_guess *g, open_way *way, int to) {
    prospector_node *from = &g->graph[way->node];
    from->neighbour[way->slot] = (int8_t)to;
    guess_end(g, to, way->node, from->time[way->slot], from->fuel[way->slot]);
    way->joined = 1;
}

/* Placed nodes of levels low..high with a free slot that are no neighbours of `from`. */
LU_INLINE uint32_t guess_at_level(const graph_guess *g, int from, int low, int high) {
    uint32_t set = 0;
    for (uint32_t left = g->placed & ~g->near[from] & ~(1u << from); left; left &= left - 1u) {
        int x = lu_lowest_bit(left);
        const prospector_node *node = &g->graph[x];
        bool fits = node->degree < PROSPECTOR_SLOTS && node->hops >= low && node->hops <= high;
        set |= fits ? 1u << x : 0u;
    }
    return set;
}

/* Those of them that an open way may lead to. */
LU_INLINE uint32_t guess_behind(const graph_guess *g, const open_way *way, int low, int high) {
    uint32_t set = guess_at_level(g, way->node, low, high), fit = 0;
    for (; set; set &= set - 1u) {
        fit |= g->graph[lu_lowest_bit(set)].type == way->type ? set & (0u - set) : 0u;
    }
    return fit;
}

/* An open way of a node (-1: of any node) that leads to this type (0: to any) from this level. */
LU_INLINE open_way *guess_way(graph_guess *g, int node, int type, int level) {
    for (int k = 0; k < g->ways; k++) {
        open_way *way = &g->way[k];
        if (!way->joined && (node < 0 || way->node == node) && (type == 0 || way->type == type) &&
            g->graph[way->node].hops == level) {
            return way;
        }
    }
    return NULL;
}

/* Joins a newly placed node to one a level below: by an open way, or by hidden nodes down to one.
 * False when that cannot be. */
LU_INLINE bool guess_descend(graph_guess *g, int x) {
    for (;;) {
        int level = g->graph[x].hops - 1;
        open_way *way = guess_way(g, -1, g->graph[x].type, level);
        uint32_t there = guess_at_level(g, x, level, level), fresh = g->hidden & ~g->placed;
        if (way) {
            guess_join(g, way, x);
            return true;
        }
        if (there) {
            guess_edge(g, x, guess_pick(g, there));
            return true;
        }
        if (level < 1 || !fresh) {
            return false;
        }
        int below = guess_pick(g, fresh);
        guess_place(g, below, level, guess_type(g));
        guess_edge(g, x, below);
        x = below;
    }
}

/* A visited node whose shortest way home was not flown needs a hidden node one level below. */
LU_INLINE bool guess_way_home(graph_guess *g, int node) {
    int level = g->graph[node].hops;
    bool known = false;
    for (uint32_t left = g->near[node]; left && !known; left &= left - 1u) {
        known = g->graph[lu_lowest_bit(left)].hops == level - 1;
    }
    if (known) {
        return true;
    }
    open_way *way = guess_way(g, node, 0, level);
    uint32_t there = way ? guess_behind(g, way, level - 1, level - 1) : 0u;
    uint32_t fresh = g->thrifty && there ? 0u : g->hidden & ~g->placed;
    if (!way || !(there | fresh)) {
        return false;
    }
    int x = guess_pick(g, there | fresh);
    bool placed = (g->placed >> x) & 1u;
    if (!placed) {
        guess_place(g, x, level - 1, way->type);
    }
    guess_join(g, way, x);
    return placed || guess_descend(g, x);
}

/* The other open ways, each to a random node that fits. */
LU_INLINE bool guess_ways(graph_guess *g) {
    for (int k = 0; k < g->ways; k++) {
        open_way *way = &g->way[k];
        int level = g->graph[way->node].hops;
        if (way->joined) {
            continue;
        }
        uint32_t there = guess_behind(g, way, level - 1, level + 1);
        uint32_t fresh = g->thrifty && there ? 0u : g->hidden & ~g->placed;
        if (!(there | fresh)) {
            return false;
        }
        int x = guess_pick(g, there | fresh);
        if (!((g->placed >> x) & 1u)) {
            guess_place(g, x, level + 1, way->type);
        }
        guess_join(g, way, x);
    }
    return true;
}

/* Hidden nodes that no open way leads to hang on others, then n tries for another edge as in the
 * making of a world. What finds no free slot stays without a way home, as in some worlds. */
LU_INLINE void guess_rest(graph_guess *g) {
    while (g->hidden & ~g->placed) {
        int x = guess_pick(g, g->hidden & ~g->placed);
        uint32_t there = guess_at_level(g, x, 1, 255);
        if (there) {
            int parent = guess_pick(g, there);
            guess_place(g, x, g->graph[parent].hops + 1, guess_type(g));
            guess_edge(g, x, parent);
        } else {
            guess_place(g, x, GUESS_FAR, guess_type(g));
        }
    }
    for (int k = 0; k < g->nodes; k++) {
        int one = (int)draw_below(&g->rng, (uint32_t)g->nodes);
        int other = (int)draw_below(&g->rng, (uint32_t)g->nodes);
        int level = g->graph[one].hops;
        bool free = ((g->hidden >> one) & 1u) && g->graph[one].degree < PROSPECTOR_SLOTS;
        if (free && ((guess_at_level(g, one, level - 1, level + 1) >> other) & 1u)) {
            guess_edge(g, one, other);
        }
    }
}

/* What the pilot knows of the graph, and a number of nodes. */
LU_INLINE void guess_start(graph_guess *g, const prospector_state *s) {
    memset(g->graph, 0, sizeof g->graph);
    memset(g->near, 0, sizeof g->near);
    g->visited = s->made | 1u | (1u << s->node);
    g->placed = 0;
    g->ways = 0;
    for (uint32_t left = g->visited; left; left &= left - 1u) {
        int i = lu_lowest_bit(left);
        g->graph[i] = s->graph[i];
        if (s->graph[i].hops == PROSPECTOR_UNREACHABLE) {
            g->graph[i].hops = GUESS_FAR;
        }
        for (int k = 0; k < s->graph[i].degree; k++) {
            int to = s->graph[i].neighbour[k];
            if ((g->visited >> to) & 1u) {
                g->near[i] |= 1u << to;
                continue;
            }
            /* in random order: each new one changes places with an earlier one */
            open_way way = {(uint8_t)i, (uint8_t)k, s->graph[to].type, 0};
            g->way[g->ways++] = way;
            int place = (int)draw_below(&g->rng, (uint32_t)g->ways);
            g->way[g->ways - 1] = g->way[place];
            g->way[place] = way;
        }
    }
    int most = lu_highest_bit(g->visited) + 1, known = lu_bits_set(g->visited);
    int least = known + (g->ways > 0) > most ? known + 1 : most;
    least = least > 8 ? least : 8;
    /* without an open way more nodes could only be out of reach */
    g->nodes = g->ways ? least + (int)draw_below(&g->rng, (uint32_t)(33 - least)) : least;
    g->hidden = (uint32_t)((UINT64_C(1) << g->nodes) - 1u) & ~g->visited;
}

/* One graph that shows the pilot what it has seen; false when the draws led nowhere. */
LU_INLINE bool guess_graph(graph_guess *g, prospector_state *s) {
    guess_start(g, s);
    /* from the station outwards: a node's own way home comes before others take its ways */
    for (int level = 1; level < PROSPECTOR_NODES; level++) {
        for (uint32_t left = g->visited; left; left &= left - 1u) {
            int node = lu_lowest_bit(left);
            if (g->graph[node].hops == level && !guess_way_home(g, node)) {
                return false;
            }
        }
    }
    if (!guess_ways(g)) {
        return false;
    }
    guess_rest(g);
    memcpy(s->graph, g->graph, sizeof s->graph);
    s->nodes = (uint8_t)g->nodes;
    hops_fill(s, g->near, g->nodes);
    return true;
}

/* A try may lead nowhere: a node that needs a way home finds no slot or type that fits. The later
 * tries are thrifty. All of them fail in about 2 of a million positions of a roaming pilot; such a
 * world keeps its graph. */
LU_INLINE void graph_redraw(prospector_state *s, uint64_t *rng) {
    graph_guess g;
    g.rng = *rng;
    bool drawn = false;
    for (int k = 0; k < GUESS_TRIES && !drawn; k++) {
        g.thrifty = k >= GUESS_TRIES / 8;
        drawn = guess_graph(&g, s);
    }
    *rng = g.rng;
}

/* ---- rocks and threats ---- */

/* Rocks the pilot has seen: a fresh draw of the prior, pulled towards what is shown by how much its
 * confidence has risen above the 0.1 it starts at: truth = (1 - w) prior + w shown, so that a rock
 * never scanned is pure prior (its first estimate is unrelated to the truth) and one at confidence
 * 1 is as shown. Richness and noise show nowhere and are pure prior. */
LU_INLINE void rocks_redraw(const prospector_rules *rules, prospector_rocks *rocks, int count,
                            uint64_t rng) {
    prospector_rocks fresh;
    memset(&fresh, 0, sizeof fresh);
    rocks_make(rules, rng, count, &fresh);
    for (int a = 0; a < count; a++) {
        const float *shown = rocks->shown[a];
        double w = clamp(((double)shown[PROSPECTOR_ROCK_CONFIDENCE] - 0.1) / 0.9, 0.0, 1.0);
        for (int c = 0; c < PROSPECTOR_GOODS; c++) {
            rocks->content[c][a] = (float)((1.0 - w) * (double)fresh.content[c][a] +
                                           w * (double)shown[PROSPECTOR_ROCK_CONTENT + c]);
        }
        rocks->stability[a] = (float)((1.0 - w) * (double)fresh.stability[a] +
                                      w * (double)shown[PROSPECTOR_ROCK_STABILITY]);
        rocks->richness[a] = fresh.richness[a];
        rocks->noise[a] = fresh.noise[a];
    }
}

/* Threats of the edges of nodes below `node`'s number: both ends share one. An end that was
 * listened at (its estimate is no longer 0.5) gives it with the spread of one hearing; else it is
 * prior. */
LU_INLINE void threats_redraw(prospector_state *s, int node, uint64_t *rng) {
    prospector_node *a = &s->graph[node];
    for (int k = 0; k < a->degree; k++) {
        prospector_node *b = &s->graph[a->neighbour[k]];
        if (a->neighbour[k] > node) {
            continue;
        }
        int back = 0;
        while (b->neighbour[back] != node) {
            back++;
        }
        double prior =
            0.5 * (double)(a->hazard + b->hazard) + 0.5 * (double)(a->pirate + b->pirate);
        double z = draw_normal(rng), threat = prior + 0.05 * z;
        if (a->estimate[k] != 0.5f) {
            threat = (double)a->estimate[k] + 0.08 * z;
        } else if (b->estimate[back] != 0.5f) {
            threat = (double)b->estimate[back] + 0.08 * z;
        }
        a->threat[k] = b->threat[back] = (float)clamp(threat, 0.0, 1.0);
    }
}

/* ---- the market ---- */

enum { GUESS_WAVES = 24 };

/* Squared deviations of the last two prices of a good from its wave, in units of their noise. At
 * the start a price above its base is not shown: there only the side counts. */
LU_INLINE double wave_misfit(const prospector_rules *rules, const prospector_state *s, int c) {
    int dt = s->dt > 0 ? s->dt : 1;
    double fall = s->ticks == 0 ? 0.0 : 0.04 * (double)s->stock[c] + 0.05 * (double)s->sales[c];
    double sum = 0.0;
    for (int back = 0; back < 2; back++) {
        double turned = LU_TWO_PI * (double)(s->ticks - back * dt);
        double wave = s->amplitude[c] * sine_of(turned / s->period[c] + s->phase[c]);
        double price = (double)(back ? s->last_price[c] : s->price[c]);
        double off = (price - (market_base[c] + wave - fall)) / rules->noise[dt][c];
        bool unseen = s->ticks == 0 && price > market_base[c];
        off = unseen && wave > 0.0 ? 0.0 : off;
        sum += s->ticks - back * dt >= 0 ? off * off : 0.0;
    }
    return sum;
}

/* The wave of each good: one of a few draws of the prior, with chances by how well it explains the
 * prices (the largest of log chance + Gumbel noise is such a choice). */
LU_INLINE void waves_redraw(const prospector_rules *rules, prospector_state *s, uint64_t *rng) {
    for (int c = 0; c < PROSPECTOR_GOODS; c++) {
        double best = -1e300, phase = 0.0, period = 0.0, amplitude = 0.0;
        for (int k = 0; k < GUESS_WAVES; k++) {
            s->phase[c] = (double)(float)draw_uniform(rng, 0.0, LU_TWO_PI);
            s->period[c] = (double)(float)draw_uniform(rng, 180.0, 380.0);
            s->amplitude[c] = (double)(float)(market_base[c] * draw_uniform(rng, 0.10, 0.30));
            double score =
                -0.5 * wave_misfit(rules, s, c) - lu_log_core(lu_fmax(exp1_of(draw(rng)), 1e-12));
            if (score > best) {
                best = score;
                phase = s->phase[c];
                period = s->period[c];
                amplitude = s->amplitude[c];
            }
        }
        s->phase[c] = phase;
        s->period[c] = period;
        s->amplitude[c] = amplitude;
        double price = market_base[c] + amplitude * sine_of(phase);
        if (s->ticks == 0 && (double)s->price[c] > market_base[c] && price > market_base[c]) {
            s->price[c] = s->last_price[c] = (float)lu_fmin(price, market_high[c]);
        }
    }
}

/* Stocks all fade alike: the four that are seen, less what the pilot sold, tell how far the other
 * two have. */
LU_INLINE void stocks_redraw(prospector_state *s, uint64_t *rng) {
    double seen = 0.0;
    for (int c = 0; c < PROSPECTOR_GOODS; c++) {
        seen += c == 1 || c == 5 ? 0.0 : (double)s->stock[c] - (double)s->sales[c];
    }
    double faded = clamp(seen / 280.0, 0.0, 1.0);
    s->stock[1] = (float)(draw_uniform(rng, 20.0, 120.0) * faded) + s->sales[1];
    s->stock[5] = (float)(draw_uniform(rng, 20.0, 120.0) * faded) + s->sales[5];
}

/* ---- all of it ---- */

static LU_HD void prospector_determinise(const lu_rules *head, void *memory, int seat,
                                         lu_rng *own) {
    const prospector_rules *rules = (const prospector_rules *)(const void *)head;
    prospector_state *s = (prospector_state *)memory;
    uint64_t rng = lu_rng_u64(own);
    (void)seat;
    graph_redraw(s, &rng);
    for (int i = 1; i < s->nodes; i++) {
        prospector_node *node = &s->graph[i];
        bool rough = node->type == PROSPECTOR_HAZARD;
        node->hazard = (float)(draw_uniform(&rng, 0.05, 0.35) + (rough ? 0.25 : 0.0));
        node->pirate = (float)(draw_uniform(&rng, 0.05, 0.30) + (rough ? 0.12 : 0.0));
        node->rock_rng = lu_rng_u64(own);
        if ((s->made >> i) & 1u) {
            rocks_redraw(rules, &s->rock[i], node->rocks, node->rock_rng);
        } else if (i != s->node) {
            node->rocks = (uint8_t)(5u + draw_below(&rng, 12));
        }
    }
    for (int i = 1; i < s->nodes; i++) {
        threats_redraw(s, i, &rng);
    }
    stocks_redraw(s, &rng);
    waves_redraw(rules, s, &rng);
    s->rng = lu_rng_u64(own);
}
