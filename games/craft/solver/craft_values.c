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
    free(values->keep);
    free(values->rank);
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
    if (g->rows > 0) {
        values->keep = lu_alloc_zero(g->rows, sizeof *values->keep);
        values->rank = lu_alloc(g->rows * sizeof *values->rank);
        memset(values->rank, 0xff, g->rows * sizeof *values->rank); /* not ranked */
    }
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

/* The least of what a use may remove. */
static double chosen_value(const craft_values *values, const craft_move *move) {
    const craft_graph *g = values->graph;
    double least = CRAFT_NEVER_COST;
    for (uint32_t k = 0; k < move->refs; k++) {
        uint32_t ref = g->ref[move->first + (move->barred ? 2 * k : k)];
        const craft_drawing *draw = &g->sorts->draw[move->draw];
        double value = !move->draws ? values->v[ref]
                       : move->barred
                           ? slow_draw(values, ref, draw, (uint16_t)g->ref[move->first + 2 * k + 1])
                           : values->d[ref];
        least = value < least ? value : least;
    }
    return least;
}

static bool removes(const craft_use *use) {
    return use->line == CRAFT_LINE_CHAOS_ORB || use->line == CRAFT_LINE_ORB_OF_ANNULMENT ||
           use->line == CRAFT_LINE_ESSENCE_SWAP;
}

static double move_value(const craft_values *values, const craft_move *move) {
    const craft_graph *g = values->graph;
    double sum = 0.0;
    if (values->chooses && removes(&g->use[move->use])) {
        return chosen_value(values, move);
    }
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

/* ---- reveals ---- */

/* Value of the option whose rows begin here. */
static double option_value(const craft_values *values, uint32_t row) {
    const craft_graph *g = values->graph;
    const craft_option *option = &g->option[g->row_option[row]];
    double sum = 0.0;
    for (int part = 0; part < option->parts; part++) {
        sum += option->share[part] * values->v[g->row_next[row + (uint32_t)part]];
    }
    return sum;
}

/* Ranks options by their values; false: the ranking stays. */
static bool rank_options(uint16_t *rank, const double *value, int count) {
    bool changed = rank[0] == UINT16_MAX;
    for (int k = 0; k < count && changed; k++) {
        rank[k] = (uint16_t)k;
    }
    for (int k = 1; k < count; k++) {
        uint16_t one = rank[k];
        int at = k;
        for (; at > 0 && value[rank[at - 1]] > value[one]; at--) {
            rank[at] = rank[at - 1];
            changed = true;
        }
        rank[at] = one;
    }
    return changed;
}

/* The mean of what is kept where the best is; chances of options follow their ranking. */
static double reveal_value(const craft_values *values, uint32_t node, const craft_move *move) {
    craft_offer offer;
    uint16_t place[CRAFT_OFFER_MOST];
    double value[CRAFT_OFFER_MOST], chance[CRAFT_OFFER_MOST], sum = 0.0;
    double *keep = values->keep + move->first;
    craft_offer_of(values->graph, node, move, &offer, place);
    for (int k = 0; k < offer.count; k++) {
        value[k] = option_value(values, move->first + place[k]);
    }
    if (rank_options(values->rank + move->first, value, offer.count)) {
        craft_offer_rank(&offer, values->rank + move->first, chance);
        for (int k = 0; k < offer.count; k++) {
            keep[place[k]] = chance[k];
        }
    }
    for (int k = 0; k < offer.count; k++) {
        keep[place[k]] = fabs(keep[place[k]]);
        sum += keep[place[k]] * value[k];
    }
    return sum;
}

/* The same where options may be drawn again for a price. */
static double again_value(const craft_values *values, uint32_t node, const craft_move *move,
                          double price) {
    const craft_graph *g = values->graph;
    double *keep = values->keep + move->first, again = price + reveal_value(values, node, move);
    double sum = 0.0;
    for (uint32_t row = 0; row < move->rows;) {
        double value = option_value(values, move->first + row);
        sum += keep[row] * (value > again ? again : value);
        keep[row] = value > again ? -keep[row] : keep[row];
        row += g->option[g->row_option[move->first + row]].parts;
    }
    return sum;
}

double craft_move_again(const craft_values *values, uint32_t node, const craft_move *move) {
    const craft_graph *g = values->graph;
    double mean = reveal_value(values, node, move), worst = mean;
    for (uint32_t row = 0; row < move->rows;) {
        worst = fmax(worst, option_value(values, move->first + row));
        row += g->option[g->row_option[move->first + row]].parts;
    }
    return worst - mean;
}

/* How often options are drawn again. */
static double chance_again(const craft_graph *g, const double *keep, const craft_move *move) {
    double sum = 0.0;
    for (uint32_t row = 0; row < move->rows && g->use[move->use].again;) {
        double chance = keep[move->first + row];
        sum += chance < 0.0 ? -chance : 0.0;
        row += g->option[g->row_option[move->first + row]].parts;
    }
    return sum;
}

double craft_reveal_rows(const craft_graph *g, const double *keep, const craft_move *move,
                         double *chance) {
    double again = chance_again(g, keep, move);
    for (uint32_t row = 0; row < move->rows && chance;) {
        const craft_option *option = &g->option[g->row_option[move->first + row]];
        double one = keep[move->first + row];
        bool kept = one >= 0.0 || !g->use[move->use].again;
        for (int part = 0; part < option->parts; part++) {
            chance[row++] = fabs(one) * ((kept ? 1.0 : 0.0) + again) * option->share[part];
        }
    }
    return again;
}

void craft_spread_move(craft_spread *into, const craft_graph *g, const double *keep, uint32_t node,
                       const craft_move *move, double chance) {
    craft_set set = g->table.set[node];
    if (move->rows == 0 && g->use[move->use].line == CRAFT_LINE_REVEAL) { /* it shows nothing */
        craft_spread_add(into, &g->table.set[g->ref[move->first]], chance);
    } else if (move->rows == 0) {
        (void)craft_spread_use(into, g->sorts, &g->use[move->use], &set, chance);
    } else {
        double *rows = lu_alloc(move->rows * sizeof *rows);
        (void)craft_reveal_rows(g, keep, move, rows);
        for (uint32_t k = 0; k < move->rows; k++) {
            set = g->table.set[g->row_next[move->first + k]];
            if (rows[k] > 0.0) {
                craft_spread_add(into, &set, chance * rows[k]);
            }
        }
        free(rows);
    }
}

/* A reveal by what is kept as it was ranked. */
static double kept_cost(const craft_values *values, const craft_move *move, double price) {
    const craft_graph *g = values->graph;
    bool may = g->use[move->use].again;
    double all = 0.0, kept = 0.0, again = 0.0;
    for (uint32_t row = 0; row < move->rows;) {
        double chance = values->keep[move->first + row], size = fabs(chance);
        double part = size * option_value(values, move->first + row);
        all += part;
        kept += chance < 0.0 ? 0.0 : part;
        again += chance < 0.0 ? size : 0.0;
        row += g->option[g->row_option[move->first + row]].parts;
    }
    return may ? kept + again * (price + all) : price + all;
}

double craft_move_cost(const craft_values *values, uint32_t node, const craft_move *move,
                       double price) {
    if (move->rows == 0) {
        return price + move_value(values, move);
    }
    return values->graph->use[move->use].again ? again_value(values, node, move, price)
                                               : price + reveal_value(values, node, move);
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

static double give_up(const sweep *w, uint32_t node) {
    return w->terms->give - (w->terms->sale ? w->terms->sale[node] : 0.0);
}

static double best_of(const sweep *w, uint32_t node, craft_policy *which) {
    const craft_graph *g = w->values->graph;
    double best = give_up(w, node);
    *which = CRAFT_GIVE_UP;
    for (uint32_t k = 0; k < g->moves[node]; k++) {
        const craft_move *move = &g->move[g->move_at[node] + k];
        double price = w->terms->price[move->use];
        if (price < best) {
            double value = craft_move_cost(w->values, node, move, price);
            if (value < best) {
                best = value;
                *which = g->move_at[node] + k;
            }
        }
    }
    if (w->terms->leap && w->terms->leap[node] < best) {
        best = w->terms->leap[node];
        *which = CRAFT_LEAP;
    }
    return best;
}

static double value_of(const sweep *w, uint32_t node) {
    uint32_t move = w->follow[node];
    if (move == CRAFT_GIVE_UP) {
        return give_up(w, node);
    }
    if (move == CRAFT_LEAP) {
        return w->terms->leap[node];
    }
    const craft_move *m = &w->values->graph->move[move];
    double price = w->terms->price[m->use];
    return m->rows > 0 ? kept_cost(w->values, m, price) : price + move_value(w->values, m);
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
        double off = w->sign * (best - values->v[node]);
        return values->v[node] > 0.0                ? off / values->v[node]
               : values->v[node] < 0.0 || off > 0.0 ? 1.0
                                                    : 0.0; /* a reveal may be sure to do it */
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
           w->policy[node] < CRAFT_LEAP;
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
    for (uint32_t k = 0; k < move->rows; k++) {
        if (acts(w, g->row_next[move->first + k])) {
            see(w, g->row_next[move->first + k]);
        }
    }
    for (uint32_t k = 0; k < move->refs; k++) {
        uint32_t ref = g->ref[move->first + (move->barred ? 2 * k : k)];
        if (move->draws) {
            need(w, move->barred ? ref : g->draw_node[ref], move->draw);
        } else if (acts(w, ref)) {
            see(w, ref);
        }
    }
}

void craft_values_follow(craft_values *values, const craft_policy *policy, const double *keep,
                         bool from_root) {
    const craft_graph *g = values->graph;
    uint32_t count = g->table.count;
    walk w = {.values = values, .policy = policy};
    w.seen = lu_alloc_zero(count + 1, 1);
    w.list = lu_alloc((count + 1) * sizeof *w.list);
    memset(values->need, 0, count * sizeof *values->need);
    if (keep && g->rows > 0) {
        memcpy(values->keep, keep, g->rows * sizeof *keep);
        memset(values->rank, 0xff, g->rows * sizeof *values->rank);
    }
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
