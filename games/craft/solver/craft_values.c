/* Sweeps: see craft_values.h. */
#include "solver/craft_values.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { CHUNK = 256 };

void craft_values_free(craft_values *values) {
    free(values->v);
    free(values->fresh);
    free(values->d);
    free(values->share);
    free(values->need);
    free(values->reach.node);
    memset(values, 0, sizeof *values);
}

/* ---- draws ---- */

/* Sum and weight of a part of a node's list. */
typedef struct part_sum {
    double sum, weight;
} part_sum;

static double sum_part(const craft_values *values, const double *weight, uint32_t from,
                       uint32_t to) {
    const craft_graph *g = values->graph;
    double sum = 0.0;
    for (uint32_t k = from; k < to; k++) {
        sum += weight[g->atom[k]] * values->v[g->next[k]];
    }
    return sum;
}

/* The same where more draws follow, tags must be shared or an entry may not come. */
static part_sum sum_slowly(const craft_values *values, const craft_drawing *draw,
                           const craft_sight *sight, uint32_t from, uint32_t to) {
    const craft_graph *g = values->graph;
    part_sum part = {0.0, 0.0};
    for (uint32_t k = from; k < to; k++) {
        bool bar = g->sorts->atom[g->atom[k]].entry == sight->barred;
        double w = bar ? 0.0 : craft_atom_weight(g->sorts, draw, sight, g->atom[k]);
        if (w > 0.0) {
            uint32_t next = g->next[k];
            double then =
                draw->left > 1 ? values->d[craft_draw_place(g, next, draw->then)] : values->v[next];
            part.sum += w * then;
            part.weight += w;
        }
    }
    return part;
}

static double join(const craft_sorts *s, const part_sum *part) {
    double weight = part[0].weight + part[1].weight;
    if (weight <= 0.0) {
        return CRAFT_NEVER_COST;
    }
    if (s->pool->switches.side_choice == CRAFT_SIDE_FIRST && part[0].weight > 0.0 &&
        part[1].weight > 0.0) {
        return 0.5 * (part[0].sum / part[0].weight + part[1].sum / part[1].weight);
    }
    return (part[0].sum + part[1].sum) / weight;
}

static double slow_draw(const craft_values *values, uint32_t node, const craft_drawing *draw,
                        uint16_t barred) {
    const craft_graph *g = values->graph;
    uint32_t from = g->list_at[node], mid = from + g->list[0][node], to = mid + g->list[1][node];
    part_sum part[CRAFT_SIDES] = {{0.0, 0.0}, {0.0, 0.0}};
    craft_sight sight = craft_sight_of(g->sorts, &g->table.set[node]);
    sight.barred = barred;
    if (craft_draws_side(draw, &sight, CRAFT_PREFIX)) {
        part[0] = sum_slowly(values, draw, &sight, from, mid);
    }
    if (craft_draws_side(draw, &sight, CRAFT_SUFFIX)) {
        part[1] = sum_slowly(values, draw, &sight, mid, to);
    }
    return join(g->sorts, part);
}

/* Sums of both sides under one weighting, kept while draws of the same come. */
typedef struct side_sums {
    int weighting;
    double sum[CRAFT_SIDES];
} side_sums;

static double plain_draw(const craft_values *values, uint32_t node, const craft_drawing *draw,
                         double share, side_sums *sums) {
    const craft_graph *g = values->graph;
    if (sums->weighting != draw->weighting) {
        const double *weight = g->sorts->weighting[draw->weighting].weight;
        uint32_t from = g->list_at[node], mid = from + g->list[0][node];
        sums->weighting = draw->weighting;
        sums->sum[0] = sum_part(values, weight, from, mid);
        sums->sum[1] = sum_part(values, weight, mid, mid + g->list[1][node]);
    }
    double sum = draw->from == CRAFT_ANY ? sums->sum[0] + sums->sum[1]
                                         : sums->sum[draw->from - CRAFT_ONLY_P];
    return share * sum;
}

/* Draws that are one sum over a list: one of any side by weight, or of one side. */
static bool is_plain(const craft_sorts *s, const craft_drawing *draw) {
    bool pooled = s->pool->switches.side_choice == CRAFT_POOLED;
    return draw->left == 1 && !draw->shared &&
           (draw->from == CRAFT_ONLY_P || draw->from == CRAFT_ONLY_S ||
            (draw->from == CRAFT_ANY && pooled));
}

/* One over the weight of all that a plain draw may take; 0: another draw, or nothing to take. */
static double share_of(const craft_graph *g, uint32_t node, const craft_drawing *draw) {
    const double *weight = g->sorts->weighting[draw->weighting].weight;
    uint32_t from = g->list_at[node], mid = from + g->list[0][node], to = mid + g->list[1][node];
    double sum = 0.0;
    from = draw->from == CRAFT_ONLY_S ? mid : from;
    to = draw->from == CRAFT_ONLY_P ? mid : to;
    for (uint32_t k = from; k < to && is_plain(g->sorts, draw); k++) {
        sum += weight[g->atom[k]];
    }
    return sum > 0.0 ? 1.0 / sum : 0.0;
}

static void fill_shares(craft_values *values) {
    const craft_graph *g = values->graph;
    for (uint32_t node = 0; node < g->table.count; node++) {
        uint32_t place = g->draw_at[node];
        for (uint32_t left = g->asked[node]; left; left &= left - 1, place++) {
            values->share[place] = share_of(g, node, &g->sorts->draw[__builtin_ctz(left)]);
        }
    }
}

static void add_draws(craft_values *values, uint32_t node, uint32_t bits) {
    const craft_graph *g = values->graph;
    side_sums sums = {.weighting = -1};
    uint32_t place = g->draw_at[node];
    for (uint32_t left = g->asked[node]; left; left &= left - 1, place++) {
        int number = __builtin_ctz(left);
        const craft_drawing *draw = &g->sorts->draw[number];
        if (bits >> number & 1) {
            double share = values->share[place];
            values->d[place] = share > 0.0 ? plain_draw(values, node, draw, share, &sums)
                                           : slow_draw(values, node, draw, CRAFT_NO_ENTRY);
        }
    }
}

void craft_values_init(craft_values *values, const craft_graph *g) {
    *values = (craft_values){.graph = g};
    values->v = lu_alloc_zero(g->table.count + 1, sizeof *values->v);
    values->fresh = lu_alloc_zero(g->table.count + 1, sizeof *values->fresh);
    values->d = lu_alloc_zero(g->draws + 1, sizeof *values->d);
    values->share = lu_alloc((g->draws + 1) * sizeof *values->share);
    values->need = lu_alloc_zero(g->table.count + 1, sizeof *values->need);
    fill_shares(values);
}

/* ---- moves ---- */

static double barred_value(const craft_values *values, const craft_move *move) {
    const craft_graph *g = values->graph;
    double sum = 0.0;
    for (uint32_t k = 0; k < move->refs; k++) {
        uint32_t at = move->first + 2 * k;
        sum += slow_draw(values, g->ref[at], &g->sorts->draw[move->draw], (uint16_t)g->ref[at + 1]);
    }
    return sum / move->refs;
}

double craft_move_value(const craft_values *values, const craft_move *move) {
    const craft_graph *g = values->graph;
    double sum = 0.0;
    if (move->barred) {
        return barred_value(values, move);
    }
    const double *value = move->draws ? values->d : values->v;
    const uint32_t *ref = &g->ref[move->first];
    if (move->uneven) {
        const double *chance = &g->chance[move->first];
        for (uint32_t k = 0; k < move->refs; k++) {
            sum += chance[k] * value[ref[k]];
        }
        return sum;
    }
    for (uint32_t k = 0; k < move->refs; k++) {
        sum += value[ref[k]];
    }
    return sum / move->refs;
}

/* ---- sweeps over layers ---- */

typedef enum sweep_kind { DRAWS, BEST, POLICY, CHECK } sweep_kind;

typedef struct sweep {
    craft_values *values;
    const craft_terms *terms;
    craft_policy *policy;       /* of BEST */
    const craft_policy *follow; /* of POLICY */
    sweep_kind kind;
    int sign;
    const craft_order *order;
    uint32_t from, to; /* of the layer */
    double *most;      /* of each chunk */
} sweep;

static double best_of(const sweep *w, uint32_t node, craft_policy *which) {
    const craft_graph *g = w->values->graph;
    double best = w->terms->give;
    *which = CRAFT_GIVE_UP;
    for (uint32_t k = 0; k < g->moves[node]; k++) {
        const craft_move *move = &g->move[g->move_at[node] + k];
        double price = w->terms->price[move->use];
        if (price < best) {
            double value = price + craft_move_value(w->values, move);
            if (value < best) {
                best = value;
                *which = g->move_at[node] + k;
            }
        }
    }
    return best;
}

static double value_of(const sweep *w, uint32_t node) {
    uint32_t move = w->follow[node];
    if (move == CRAFT_GIVE_UP) {
        return w->terms->give;
    }
    const craft_move *m = &w->values->graph->move[move];
    return w->terms->price[m->use] + craft_move_value(w->values, m);
}

static double visit(const sweep *w, uint32_t node) {
    craft_values *values = w->values;
    const craft_graph *g = values->graph;
    craft_policy which;
    if (w->kind != CHECK) {
        add_draws(values, node, w->kind == POLICY ? values->need[node] : g->asked[node]);
    }
    if (w->kind == DRAWS ||
        (g->flags[node] & (CRAFT_NODE_REAL | CRAFT_NODE_GOAL)) != CRAFT_NODE_REAL) {
        return 0.0;
    }
    if (w->kind == CHECK) {
        double best = best_of(w, node, &which);
        return w->sign * (best - values->v[node]) / values->v[node];
    }
    values->fresh[node] = w->kind == BEST ? best_of(w, node, &w->policy[node]) : value_of(w, node);
    return fabs(values->fresh[node] - values->v[node]);
}

static void sweep_chunk(void *context, int index) {
    const sweep *w = context;
    uint32_t from = w->from + (uint32_t)index * CHUNK;
    uint32_t to = from + CHUNK < w->to ? from + CHUNK : w->to;
    double most = w->kind == CHECK ? -1.0 : 0.0;
    for (uint32_t k = from; k < to; k++) {
        double one = visit(w, w->order->node[k]);
        most = one > most ? one : most;
    }
    w->most[index] = most;
}

/* What the layer found becomes the values. */
static void keep_layer(const sweep *w) {
    const craft_graph *g = w->values->graph;
    for (uint32_t k = w->from; k < w->to; k++) {
        uint32_t node = w->order->node[k];
        if ((g->flags[node] & (CRAFT_NODE_REAL | CRAFT_NODE_GOAL)) == CRAFT_NODE_REAL) {
            w->values->v[node] = w->values->fresh[node];
        }
    }
}

static double run(sweep *w, lu_pool *pool) {
    const craft_graph *g = w->values->graph;
    double most = w->kind == CHECK ? -1.0 : 0.0;
    bool part = w->kind == POLICY && w->values->reach.node;
    w->order = part ? &w->values->reach : &g->order;
    w->most = lu_alloc((g->table.count / CHUNK + 2) * sizeof *w->most);
    for (int layer = 0; layer < CRAFT_LAYERS; layer++) {
        w->from = w->order->layer[layer];
        w->to = w->order->layer[layer + 1];
        int chunks = (int)((w->to - w->from + CHUNK - 1) / CHUNK);
        if (chunks > 0) {
            lu_pool_run(pool, sweep_chunk, w, chunks);
        }
        for (int k = 0; k < chunks; k++) {
            most = w->most[k] > most ? w->most[k] : most;
        }
        if (w->kind == BEST || w->kind == POLICY) {
            keep_layer(w);
        }
    }
    free(w->most);
    return most;
}

void craft_values_draws(craft_values *values, lu_pool *pool) {
    sweep w = {.values = values, .kind = DRAWS};
    (void)run(&w, pool);
}

void craft_values_set(craft_values *values, double goal, double other, lu_pool *pool) {
    const craft_graph *g = values->graph;
    for (uint32_t k = 0; k < g->table.count; k++) {
        values->v[k] = g->flags[k] & CRAFT_NODE_GOAL ? goal : other;
    }
    craft_values_draws(values, pool);
}

double craft_sweep_best(craft_values *values, const craft_terms *terms, craft_policy *policy,
                        lu_pool *pool) {
    sweep w = {.values = values, .terms = terms, .policy = policy, .kind = BEST};
    return run(&w, pool);
}

double craft_sweep_policy(craft_values *values, const craft_terms *terms,
                          const craft_policy *policy, lu_pool *pool) {
    sweep w = {.values = values, .terms = terms, .follow = policy, .kind = POLICY};
    return run(&w, pool);
}

double craft_sweep_check(craft_values *values, const craft_terms *terms, int sign, lu_pool *pool) {
    sweep w = {.values = values, .terms = terms, .kind = CHECK, .sign = sign};
    return run(&w, pool);
}

/* ---- one policy ---- */

/* Nodes to look at, each once: those in `need` with a draw or in `seen`. */
typedef struct walk {
    craft_values *values;
    const craft_policy *policy;
    uint8_t *seen;
    uint32_t *list;
    uint32_t count;
} walk;

static void see(walk *w, uint32_t node) {
    if (!w->seen[node]) {
        w->seen[node] = 1;
        w->list[w->count++] = node;
    }
}

static bool acts(const walk *w, uint32_t node) {
    return (w->values->graph->flags[node] & (CRAFT_NODE_REAL | CRAFT_NODE_GOAL)) ==
               CRAFT_NODE_REAL &&
           w->policy[node] != CRAFT_GIVE_UP;
}

static void need(walk *w, uint32_t node, int draw) {
    const craft_graph *g = w->values->graph;
    const craft_drawing *d = &g->sorts->draw[draw];
    see(w, node);
    if (w->values->need[node] >> draw & 1) {
        return;
    }
    w->values->need[node] |= 1u << draw;
    const double *weight = g->sorts->weighting[d->weighting].weight;
    uint32_t end = g->list_at[node] + g->list[0][node] + g->list[1][node];
    for (uint32_t k = g->list_at[node]; k < end; k++) {
        bool comes = weight[g->atom[k]] > 0.0;
        if (comes && d->left > 1 && g->asked[g->next[k]] >> d->then & 1) {
            need(w, g->next[k], d->then);
        } else if (comes && acts(w, g->next[k])) {
            see(w, g->next[k]);
        }
    }
}

/* Draws and nodes that the policy's move at a node refers to. */
static void follow(walk *w, uint32_t node) {
    const craft_graph *g = w->values->graph;
    const craft_move *move = &g->move[w->policy[node]];
    for (uint32_t k = 0; k < move->refs; k++) {
        uint32_t ref = g->ref[move->first + (move->barred ? 2 * k : k)];
        if (move->draws) {
            need(w, move->barred ? ref : g->draw_node[ref], move->draw);
        } else if (acts(w, ref)) {
            see(w, ref);
        }
    }
}

void craft_values_follow(craft_values *values, const craft_policy *policy, bool from_root) {
    const craft_graph *g = values->graph;
    uint32_t count = g->table.count;
    walk w = {.values = values, .policy = policy};
    w.seen = lu_alloc_zero(count + 1, 1);
    w.list = lu_alloc((count + 1) * sizeof *w.list);
    memset(values->need, 0, count * sizeof *values->need);
    free(values->reach.node);
    values->reach.node = NULL;
    if (from_root) {
        see(&w, 0);
        see(&w, g->start);
    }
    for (uint32_t k = 0; k < count && !from_root; k++) {
        if (acts(&w, k)) {
            see(&w, k);
        }
    }
    for (uint32_t k = 0; k < w.count; k++) {
        if (acts(&w, w.list[k])) {
            follow(&w, w.list[k]);
        }
    }
    craft_order_init(&values->reach, g, w.list, w.count);
    free(w.seen);
    free(w.list);
}
