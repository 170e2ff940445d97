/* World generation and scanning of prospector: the graph, the rocks of a node, the market at reset.
 * Included by prospector.c, and by tools and tests that make rocks outside a step.
 * Rocks are made when the ship first arrives: a rock always takes 20 draws, so a reset stores where
 * the draws of a node begin and jumps over them. The result is that of eager generation. */
#pragma once

#include "prospector_math.h"

/* Draws of one rock, in order. */
enum {
    ROCK_CONTENT = 0,
    ROCK_RICHNESS = 6,
    ROCK_STABILITY = 8,
    ROCK_NOISE = 13,
    ROCK_ESTIMATE = 14,
    ROCK_DRAWS = 20,
    SCAN_DRAWS = 14,
    EDGES_MAX = 64
};

LU_TABLE double market_base[LANES] = {45, 55, 85, 145, 210, 120, 0, 0};
LU_TABLE double market_low[LANES] = {12, 15, 20, 50, 80, 30, 0, 0};
LU_TABLE double market_high[LANES] = {180, 200, 240, 320, 420, 300, 0, 0};

/* ---- rocks ---- */

/* Shown composition of eight rocks from their stored estimates. */
LU_ALWAYS_INLINE void rocks_show(prospector_rocks *rocks, int first, int count) {
    double part[PROSPECTOR_GOODS][LANES];
    for (int c = 0; c < PROSPECTOR_GOODS; c++) {
        EIGHT for (int j = 0; j < LANES; j++) {
            part[c][j] = (double)rocks->estimate[c][first + j];
        }
    }
    lanes_normalise(part);
    float share[PROSPECTOR_GOODS][PROSPECTOR_LANES];
    for (int c = 0; c < PROSPECTOR_GOODS; c++) {
        EIGHT for (int j = 0; j < LANES; j++) {
            share[c][j] = (float)part[c][j];
        }
    }
    for (int j = 0; j < count; j++) {
        for (int c = 0; c < PROSPECTOR_GOODS; c++) {
            rocks->shown[first + j][PROSPECTOR_ROCK_CONTENT + c] = share[c][j];
        }
    }
}

/* Rocks first..first+7 of a node, of which `count` exist; the others stay zero. */
LU_INLINE void rocks_make_eight(const prospector_rules *rules, uint64_t rng,
                                prospector_rocks *rocks, int first, int count) {
    uint64_t lane[LANES];
    uint64_t u[ROCK_DRAWS][PROSPECTOR_LANES];
    double e[ROCK_DRAWS][LANES], normal[LANES];
    float there[LANES];
    lanes_start(lane, rng, &rules->rock, first);
    lanes_draw(lane, ROCK_DRAWS, u);
    for (int d = 0; d < ROCK_DRAWS; d++) {
        if (d != ROCK_RICHNESS + 1 && d != ROCK_NOISE) {
            EIGHT for (int j = 0; j < LANES; j++) {
                e[d][j] = exp1_of(u[d][j]);
            }
        }
    }
    EIGHT for (int j = 0; j < LANES; j++) {
        normal[j] = lu_sqrt(2.0 * e[ROCK_RICHNESS][j]) * cosine_of_draw(u[ROCK_RICHNESS + 1][j]);
    }
    EIGHT for (int j = 0; j < LANES; j++) {
        there[j] = j < count ? 1.0f : 0.0f;
    }

    /* two flat simplices: each entry over the sum from left to right */
    for (int which = 0; which < 2; which++) {
        double(*part)[LANES] = which ? &e[ROCK_ESTIMATE] : &e[ROCK_CONTENT];
        float(*out)[PROSPECTOR_ROCKS] = which ? rocks->estimate : rocks->content;
        double sum[LANES];
        EIGHT for (int j = 0; j < LANES; j++) {
            sum[j] =
                ((((part[0][j] + part[1][j]) + part[2][j]) + part[3][j]) + part[4][j]) + part[5][j];
        }
        for (int c = 0; c < PROSPECTOR_GOODS; c++) {
            EIGHT for (int j = 0; j < LANES; j++) {
                out[c][first + j] = (float)(part[c][j] / sum[j]) * there[j];
            }
        }
    }

    /* richness, stability beta(3,2), scan noise */
    EIGHT for (int j = 0; j < LANES; j++) {
        double rich = clamp(lu_exp_core(-0.2 + 0.65 * normal[j]), 0.2, 4.0);
        double a = (e[ROCK_STABILITY][j] + e[ROCK_STABILITY + 1][j]) + e[ROCK_STABILITY + 2][j];
        double b = e[ROCK_STABILITY + 3][j] + e[ROCK_STABILITY + 4][j];
        double noise = 0.04 + (0.22 - 0.04) * (unit_of(u[ROCK_NOISE][j]));
        rocks->richness[first + j] = (float)rich * there[j];
        rocks->stability[first + j] = (float)(a / (a + b)) * there[j];
        rocks->noise[first + j] = (float)noise * there[j];
    }

    for (int j = 0; j < count; j++) {
        float *shown = rocks->shown[first + j];
        shown[PROSPECTOR_ROCK_PRESENT] = 1.0f;
        shown[PROSPECTOR_ROCK_STABILITY] = 0.5f;
        shown[PROSPECTOR_ROCK_CONFIDENCE] = 0.1f;
    }
    rocks_show(rocks, first, count);
}

/* Fills a zeroed block with `count` rocks whose draws begin at `rng`. */
LU_INLINE void rocks_make(const prospector_rules *rules, uint64_t rng, int count,
                          prospector_rocks *rocks) {
    for (int first = 0; first < count; first += LANES) {
        int here = count - first;
        rocks_make_eight(rules, rng, rocks, first, here < LANES ? here : LANES);
    }
}

/* ---- scans ---- */

typedef struct scan_mode {
    double blend, gain, factor;
} scan_mode;

/* wide, focused, deep */
LU_TABLE scan_mode scan_modes[3] = {{0.22, 0.10, 1.35}, {0.42, 0.20, 1.00}, {0.80, 0.45, 0.55}};

/* Scans rocks first..first+count-1, of eight; lane 0 draws at `rng`. */
LU_INLINE void scan_eight(const prospector_rules *rules, uint64_t rng, prospector_rocks *rocks,
                          int first, int count, const scan_mode *mode) {
    uint64_t lane[LANES];
    uint64_t u[SCAN_DRAWS][PROSPECTOR_LANES];
    double z[SCAN_DRAWS / 2][LANES], part[PROSPECTOR_GOODS][LANES];
    double confidence[LANES], spread[LANES];
    lanes_start(lane, rng, &rules->scan, 0);
    lanes_draw(lane, SCAN_DRAWS, u);
    for (int d = 0; d < SCAN_DRAWS / 2; d++) {
        lanes_normal(u[2 * d], u[2 * d + 1], z[d]);
    }

    for (int j = 0; j < LANES; j++) {
        confidence[j] = (double)rocks->shown[first + j][PROSPECTOR_ROCK_CONFIDENCE];
    }
    EIGHT for (int j = 0; j < LANES; j++) {
        spread[j] = (double)rocks->noise[first + j] * (1.0 - confidence[j] + 0.1) * mode->factor;
    }
    for (int c = 0; c < PROSPECTOR_GOODS; c++) {
        EIGHT for (int j = 0; j < LANES; j++) {
            part[c][j] = (double)rocks->content[c][first + j] + spread[j] * z[c][j];
        }
    }
    lanes_normalise(part);
    for (int c = 0; c < PROSPECTOR_GOODS; c++) {
        EIGHT for (int j = 0; j < LANES; j++) {
            part[c][j] = (1.0 - mode->blend) * (double)rocks->estimate[c][first + j] +
                         mode->blend * part[c][j];
        }
    }
    lanes_normalise(part);
    for (int c = 0; c < PROSPECTOR_GOODS; c++) {
        EIGHT for (int j = 0; j < LANES; j++) {
            rocks->estimate[c][first + j] = j < count ? (float)part[c][j] : 0.0f;
        }
    }
    rocks_show(rocks, first, count);
    for (int j = 0; j < count; j++) {
        float *shown = rocks->shown[first + j];
        double y = clamp((double)rocks->stability[first + j] + spread[j] * z[6][j], 0.0, 1.0);
        double old = (double)shown[PROSPECTOR_ROCK_STABILITY];
        shown[PROSPECTOR_ROCK_STABILITY] =
            (float)clamp((1.0 - mode->blend) * old + mode->blend * y, 0.0, 1.0);
        shown[PROSPECTOR_ROCK_CONFIDENCE] = (float)clamp(confidence[j] + mode->gain, 0.0, 1.0);
    }
}

/* Scans all rocks of a node in slot order. */
LU_INLINE void scan_wide(const prospector_rules *rules, uint64_t *rng, prospector_rocks *rocks,
                         int count) {
    uint64_t start = *rng;
    for (int first = 0; first < count; first += LANES) {
        int here = count - first < LANES ? count - first : LANES;
        scan_eight(rules, start, rocks, first, here, &scan_modes[0]);
        start = rules->scan.mul[here] * start + rules->scan.add[here];
    }
    *rng = start;
}

/* Scans one rock: its seven normals are the lanes. */
LU_INLINE void scan_one(uint64_t *rng, prospector_rocks *rocks, int slot, const scan_mode *mode) {
    uint64_t u1[LANES], u2[LANES];
    double z[LANES], part[PROSPECTOR_GOODS], sum = 0.0;
    uint32_t u[SCAN_DRAWS];
    lu_pcg32_block(rng, PROSPECTOR_STREAM, SCAN_DRAWS, u);
    for (int j = 0; j < SCAN_DRAWS / 2; j++) {
        u1[j] = u[2 * j];
        u2[j] = u[2 * j + 1];
    }
    u1[LANES - 1] = u2[LANES - 1] = 0;
    lanes_normal(u1, u2, z);

    float *shown = rocks->shown[slot];
    double confidence = (double)shown[PROSPECTOR_ROCK_CONFIDENCE];
    double spread = (double)rocks->noise[slot] * (1.0 - confidence + 0.1) * mode->factor;
    for (int c = 0; c < PROSPECTOR_GOODS; c++) {
        part[c] = lu_fmax((double)rocks->content[c][slot] + spread * z[c], 1e-8);
        sum += part[c];
    }
    double again = 0.0;
    for (int c = 0; c < PROSPECTOR_GOODS; c++) {
        part[c] =
            (1.0 - mode->blend) * (double)rocks->estimate[c][slot] + mode->blend * (part[c] / sum);
        part[c] = lu_fmax(part[c], 1e-8);
        again += part[c];
    }
    double last = 0.0;
    for (int c = 0; c < PROSPECTOR_GOODS; c++) {
        float stored = (float)(part[c] / again);
        rocks->estimate[c][slot] = stored;
        part[c] = lu_fmax((double)stored, 1e-8);
        last += part[c];
    }
    for (int c = 0; c < PROSPECTOR_GOODS; c++) {
        shown[PROSPECTOR_ROCK_CONTENT + c] = (float)(part[c] / last);
    }
    double y = clamp((double)rocks->stability[slot] + spread * z[6], 0.0, 1.0);
    double old = (double)shown[PROSPECTOR_ROCK_STABILITY];
    shown[PROSPECTOR_ROCK_STABILITY] =
        (float)clamp((1.0 - mode->blend) * old + mode->blend * y, 0.0, 1.0);
    shown[PROSPECTOR_ROCK_CONFIDENCE] = (float)clamp(confidence + mode->gain, 0.0, 1.0);
}

/* ---- the graph ---- */

/* Raw draws of the edges made so far: their normals are computed together at the end. */
typedef struct edge_notes {
    uint64_t u1[EDGES_MAX], u2[EDGES_MAX];
    double mean[EDGES_MAX];
    uint8_t from[EDGES_MAX], to[EDGES_MAX], from_slot[EDGES_MAX], to_slot[EDGES_MAX];
    uint32_t near[PROSPECTOR_NODES]; /* bit v of entry u: u and v are neighbours */
    int count;
} edge_notes;

/* Draws nothing when the edge exists or an end has no free slot. */
LU_ALWAYS_INLINE void edge_add(prospector_state *state, uint64_t *rng, edge_notes *notes,
                               uint32_t u, uint32_t v) {
    prospector_node *a = &state->graph[u], *b = &state->graph[v];
    if (((notes->near[u] >> v) & 1u) | (a->degree >= PROSPECTOR_SLOTS) |
        (b->degree >= PROSPECTOR_SLOTS)) {
        return;
    }
    uint8_t time = (uint8_t)(1u + draw_below(rng, 8));
    float fuel = (float)draw_uniform(rng, 20.0, 112.0);
    int k = notes->count++, at = a->degree++, bt = b->degree++;
    notes->u1[k] = draw(rng);
    notes->u2[k] = draw(rng);
    /* the two sums are in single precision by the rules */
    notes->mean[k] = 0.5 * (double)(a->hazard + b->hazard) + 0.5 * (double)(a->pirate + b->pirate);
    notes->from[k] = (uint8_t)u;
    notes->to[k] = (uint8_t)v;
    notes->from_slot[k] = (uint8_t)at;
    notes->to_slot[k] = (uint8_t)bt;
    notes->near[u] |= 1u << v;
    notes->near[v] |= 1u << u;
    a->neighbour[at] = (int8_t)v;
    b->neighbour[bt] = (int8_t)u;
    a->time[at] = b->time[bt] = time;
    a->fuel[at] = b->fuel[bt] = fuel;
    a->estimate[at] = b->estimate[bt] = 0.5f;
}

/* True threats from the notes. */
LU_INLINE void edges_finish(prospector_state *state, edge_notes *notes) {
    float threat[EDGES_MAX];
    /* up to the next multiple of eight, so that whole vectors are computed */
    for (int k = notes->count; k % LANES != 0; k++) {
        notes->u1[k] = notes->u2[k] = 0;
        notes->mean[k] = 0.0;
    }
    for (int first = 0; first < notes->count; first += LANES) {
        double wide[LANES];
        EIGHT for (int k = 0; k < LANES; k++) {
            double noise = 0.05 * normal_of(notes->u1[first + k], notes->u2[first + k]);
            wide[k] = clamp(notes->mean[first + k] + noise, 0.0, 1.0);
        }
        EIGHT for (int k = 0; k < LANES; k++) {
            threat[first + k] = (float)wide[k];
        }
    }
    for (int k = 0; k < notes->count; k++) {
        state->graph[notes->from[k]].threat[notes->from_slot[k]] = threat[k];
        state->graph[notes->to[k]].threat[notes->to_slot[k]] = threat[k];
    }
}

/* Breadth first from the station, a set of nodes per ring. */
LU_INLINE void hops_fill(prospector_state *state, const uint32_t *near, int nodes) {
    uint32_t seen = 1u, ring = 1u;
    for (int k = 1; k < nodes; k++) {
        state->graph[k].hops = PROSPECTOR_UNREACHABLE;
    }
    for (uint8_t hops = 0; ring; hops++) {
        uint32_t next = 0;
        for (uint32_t left = ring; left; left &= left - 1u) {
            int node = lu_lowest_bit(left);
            state->graph[node].hops = hops;
            next |= near[node];
        }
        ring = next & ~seen;
        seen |= next;
    }
}

LU_INLINE void graph_make(const prospector_rules *rules, prospector_state *state, uint64_t *rng) {
    edge_notes notes;
    uint32_t n = 8u + draw_below(rng, 25);
    memset(state->graph, 0, sizeof state->graph);
    memset(notes.near, 0, sizeof notes.near);
    notes.count = 0;
    state->nodes = (uint8_t)n;
    /* three draws a node, all at once */
    uint32_t raw[3 * PROSPECTOR_NODES];
    lu_pcg32_block(rng, PROSPECTOR_STREAM, 3 * ((int)n - 1), raw);
    for (uint32_t i = 1, k = 0; i < n; i++, k += 3) {
        prospector_node *node = &state->graph[i];
        bool rough = raw[k] < UINT32_C(0x40000000); /* a unit below 0.25 */
        float hazard = (float)(0.05 + (0.35 - 0.05) * ((double)raw[k + 1] * PROSPECTOR_UNIT));
        float pirate = (float)(0.05 + (0.30 - 0.05) * ((double)raw[k + 2] * PROSPECTOR_UNIT));
        node->type = rough ? PROSPECTOR_HAZARD : PROSPECTOR_CLUSTER;
        node->hazard = (float)((double)hazard + (rough ? 0.25 : 0.0));
        node->pirate = (float)((double)pirate + (rough ? 0.12 : 0.0));
    }

    /* a random tree, then n tries for another edge */
    for (uint32_t i = 1; i < n; i++) {
        edge_add(state, rng, &notes, i, draw_below(rng, i));
    }
    for (uint32_t i = 0; i < n; i++) {
        uint32_t one = draw_below(rng, n);
        uint32_t other = draw_below(rng, n);
        if (one != other) {
            edge_add(state, rng, &notes, one, other);
        }
    }
    /* rocks: only their number and where their draws begin; a chain of long latencies, beside which
     * the edges are finished */
    for (uint32_t i = 1; i < n; i++) {
        uint32_t rocks = 5u + draw_below(rng, 12);
        state->graph[i].rocks = (uint8_t)rocks;
        state->graph[i].rock_rng = *rng;
        *rng = rules->rock.mul[rocks] * *rng + rules->rock.add[rocks];
    }
    edges_finish(state, &notes);
    hops_fill(state, notes.near, (int)n);
}

/* ---- the market at reset ---- */

/* Draws phase, period and amplitude of every good into the state and its stock into `stock`. */
LU_INLINE void market_draw(prospector_state *state, uint64_t *rng, float *stock) {
    for (int c = 0; c < PROSPECTOR_GOODS; c++) {
        stock[c] = (float)draw_uniform(rng, 20.0, 120.0);
        state->phase[c] = (double)(float)draw_uniform(rng, 0.0, LU_TWO_PI);
        state->period[c] = (double)(float)draw_uniform(rng, 180.0, 380.0);
        state->amplitude[c] = (double)(float)(market_base[c] * draw_uniform(rng, 0.10, 0.30));
    }
}

LU_INLINE void market_make(prospector_state *state, uint64_t *rng) {
    market_draw(state, rng, state->stock);
    EIGHT for (int c = 0; c < LANES; c++) {
        double wave = state->amplitude[c] * lu_sin_core(state->phase[c]);
        state->price[c] = (float)clamp(market_base[c] + wave, market_low[c], market_high[c]);
    }
    memcpy(state->last_price, state->price, sizeof state->price);
}
