/* Finds all nodes of a craft: see craft_graph.h. */
#include "solver/craft_graph.h"

#include <stdlib.h>
#include <string.h>

/* ---- room ---- */

/* What two sets of values and three plans keep of a row. */
#define VALUES_OF_A_ROW (2 * (sizeof(double) + sizeof(uint16_t)) + 3 * sizeof(double))

/* Bytes of a graph with room for so many nodes; what sweeps and plans keep of it is counted too. */
static size_t bytes_with(const craft_graph *g, size_t room, size_t places) {
    size_t node =
        sizeof *g->flags + 6 * sizeof(uint32_t) + 3 * sizeof(uint16_t) + sizeof(craft_set);
    size_t of_nodes = node * room + places * sizeof(uint32_t);
    size_t of_lists = g->next_room * (sizeof *g->next + sizeof *g->atom);
    size_t of_refs = g->ref_room * (sizeof *g->ref + (g->chance ? sizeof *g->chance : 0));
    size_t of_values = 4 * sizeof(double) * room + sizeof(double) * (size_t)g->sorts->draws * room;
    size_t of_rows = g->row_room * (sizeof *g->row_next + sizeof *g->row_option + VALUES_OF_A_ROW);
    return of_nodes + of_lists + of_refs + of_values + of_rows + g->move_room * sizeof *g->move;
}

size_t craft_graph_bytes(const craft_graph *g) {
    return bytes_with(g, g->room, (size_t)g->table.mask + 1);
}

/* Looks whether all fits; one use may lead to millions of sets. */
static void check_room(craft_graph *g) {
    g->full = g->full || craft_graph_bytes(g) > g->memory;
}

static void grow_nodes(craft_graph *g) {
    uint32_t room = g->table.room, old = g->room;
    if (room <= old) {
        return;
    }
    g->flags = lu_realloc(g->flags, room);
    g->asked = lu_realloc(g->asked, room * sizeof *g->asked);
    g->list_at = lu_realloc(g->list_at, room * sizeof *g->list_at);
    g->move_at = lu_realloc(g->move_at, room * sizeof *g->move_at);
    g->moves = lu_realloc(g->moves, room * sizeof *g->moves);
    for (int side = 0; side < CRAFT_SIDES; side++) {
        g->list[side] = lu_realloc(g->list[side], room * sizeof *g->list[side]);
        memset(g->list[side] + old, 0, (room - old) * sizeof *g->list[side]);
    }
    memset(g->flags + old, 0, room - old);
    memset(g->asked + old, 0, (room - old) * sizeof *g->asked);
    memset(g->list_at + old, 0, (room - old) * sizeof *g->list_at);
    memset(g->move_at + old, 0, (room - old) * sizeof *g->move_at);
    memset(g->moves + old, 0, (room - old) * sizeof *g->moves);
    g->room = room;
}

static uint32_t larger(uint32_t room, uint32_t need) {
    room = room ? room : 1024;
    while (room < need) {
        room += room / 2;
    }
    return room;
}

static void grow_lists(craft_graph *g, uint32_t more) {
    if (g->nexts + more > g->next_room) {
        g->next_room = larger(g->next_room, g->nexts + more);
        g->next = lu_realloc(g->next, g->next_room * sizeof *g->next);
        g->atom = lu_realloc(g->atom, g->next_room * sizeof *g->atom);
        check_room(g);
    }
}

static void grow_refs(craft_graph *g, uint32_t more) {
    if (g->refs + more > g->ref_room) {
        g->ref_room = larger(g->ref_room, g->refs + more);
        g->ref = lu_realloc(g->ref, g->ref_room * sizeof *g->ref);
        if (g->chance) {
            g->chance = lu_realloc(g->chance, g->ref_room * sizeof *g->chance);
        }
        check_room(g);
    }
}

static void grow_rows(craft_graph *g, uint32_t more) {
    if (g->rows + more > g->row_room) {
        g->row_room = larger(g->row_room, g->rows + more);
        g->row_next = lu_realloc(g->row_next, g->row_room * sizeof *g->row_next);
        g->row_option = lu_realloc(g->row_option, g->row_room * sizeof *g->row_option);
        check_room(g);
    }
}

void craft_graph_free(craft_graph *g) {
    craft_table_free(&g->table);
    free(g->flags);
    free(g->asked);
    free(g->draw_at);
    free(g->list_at);
    free(g->list[0]);
    free(g->list[1]);
    free(g->move_at);
    free(g->moves);
    free(g->next);
    free(g->atom);
    free(g->move);
    free(g->ref);
    free(g->chance);
    free(g->option);
    free(g->row_next);
    free(g->row_option);
    free(g->queue);
    free(g->order.node);
    free(g->draw_node);
    memset(g, 0, sizeof *g);
}

/* ---- nodes ---- */

/* Number of a set; where no more fit, any. */
static uint32_t node_of(craft_graph *g, const craft_set *set) {
    size_t room = g->table.room;
    if (g->full || (g->table.count == room && bytes_with(g, 2 * room, 4 * room) > g->memory)) {
        g->full = true;
        return 0;
    }
    uint32_t node = craft_table_add(&g->table, set);
    grow_nodes(g);
    return node;
}

static void mark_real(craft_graph *g, uint32_t node) {
    if (g->flags[node] & CRAFT_NODE_REAL) {
        return;
    }
    bool goal = craft_set_fulfils(g->sorts, &g->table.set[node]);
    g->flags[node] |= CRAFT_NODE_REAL | (goal ? CRAFT_NODE_GOAL : 0);
    g->states++;
    g->goals += goal ? 1 : 0;
    if (g->queued == g->queue_room) {
        g->queue_room = larger(g->queue_room, g->queued + 1);
        g->queue = lu_realloc(g->queue, g->queue_room * sizeof *g->queue);
    }
    g->queue[g->queued++] = node;
}

static bool ever_drawn(const craft_sorts *s, int atom) {
    bool drawn = false;
    for (int k = 0; k < s->weightings; k++) {
        drawn = drawn || s->weighting[k].weight[atom] > 0.0;
    }
    return drawn;
}

/* What one draw makes of a node, whatever the floor. */
static void list_draws(craft_graph *g, uint32_t node) {
    const craft_sorts *s = g->sorts;
    craft_set set = g->table.set[node];
    craft_sight sight = craft_sight_of(s, &set);
    if (g->flags[node] & CRAFT_NODE_LISTED) {
        return;
    }
    grow_lists(g, (uint32_t)s->atoms);
    g->flags[node] |= CRAFT_NODE_LISTED;
    g->list_at[node] = g->nexts;
    for (int k = 0; k < s->atoms && !g->full; k++) {
        const craft_atom *atom = &s->atom[k];
        if (sight.room[atom->side] > 0 && !craft_sight_has(&sight, atom) && ever_drawn(s, k)) {
            craft_set more = craft_set_with(s, &set, atom->sort);
            g->next[g->nexts] = node_of(g, &more);
            g->atom[g->nexts++] = (uint16_t)k;
            g->list[atom->side][node]++;
        }
    }
}

/* A draw is asked of a node: what can come out is real, or drawn from again. */
static void ask(craft_graph *g, uint32_t node, int draw) {
    const craft_drawing *d = &g->sorts->draw[draw];
    if (g->asked[node] >> draw & 1) {
        return;
    }
    g->asked[node] |= 1u << draw;
    list_draws(g, node);
    craft_sight sight = craft_sight_of(g->sorts, &g->table.set[node]);
    uint32_t end = g->list_at[node] + g->list[0][node] + g->list[1][node];
    for (uint32_t k = g->list_at[node]; k < end && !g->full; k++) {
        int side = g->sorts->atom[g->atom[k]].side;
        if (!craft_draws_side(d, &sight, side) ||
            craft_atom_weight(g->sorts, d, &sight, g->atom[k]) <= 0.0) {
            continue;
        }
        if (d->left > 1) {
            ask(g, g->next[k], d->then);
        } else {
            mark_real(g, g->next[k]);
        }
    }
}

/* ---- moves ---- */

static void add_ref(craft_graph *g, craft_move *move, const craft_branch *branch,
                    const craft_set *set, uint16_t barred, double chance) {
    craft_set after = craft_branch_end(g->sorts, branch, set);
    uint32_t node = node_of(g, &after);
    if (branch->then == CRAFT_THEN_DRAW) {
        move->draws = 1;
        move->draw = (uint8_t)branch->what;
        ask(g, node, branch->what);
    } else {
        mark_real(g, node);
    }
    grow_refs(g, 2);
    if (g->chance) {
        g->chance[g->refs] = chance;
    }
    g->ref[g->refs++] = node;
    move->refs++;
    if (barred != CRAFT_NO_ENTRY) {
        move->barred = 1;
        g->ref[g->refs++] = barred;
    }
}

static void add_removals(craft_graph *g, craft_move *move, const craft_branch *branch,
                         const craft_set *set, uint8_t bits, int removes, double chance) {
    int count = 0;
    bool bars = branch->then == CRAFT_THEN_DRAW && !g->sorts->pool->switches.removed_can_return;
    for (int k = 0; k < set->count; k++) {
        count += bits >> k & 1;
    }
    for (int k = 0; k < set->count; k++) {
        if (bits >> k & 1) {
            craft_set less = craft_set_without(set, k);
            uint16_t entry = craft_sort_at(g->sorts, set->mod[k])->entry;
            if (removes > 1) {
                add_removals(g, move, branch, &less, craft_bits_without(bits, k), removes - 1,
                             chance / count);
            } else {
                add_ref(g, move, branch, &less, bars ? entry : CRAFT_NO_ENTRY, chance / count);
            }
        }
    }
}

static void keep_move(craft_graph *g, uint32_t node, const craft_move *move) {
    if (g->move_count == g->move_room) {
        g->move_room = larger(g->move_room, g->move_count + 1);
        g->move = lu_realloc(g->move, g->move_room * sizeof *g->move);
    }
    g->move[g->move_count++] = *move;
    g->moves[node]++;
}

/* Rows of what may become of the unrevealed modifier in a slot. */
static void add_rows(craft_graph *g, craft_move *move, const craft_set *set, int slot) {
    const craft_sorts *s = g->sorts;
    craft_set without = craft_set_without(set, slot);
    craft_sight sight = craft_sight_of(s, &without);
    const craft_sort *hidden = craft_sort_at(s, set->mod[slot]);
    int flags = set->mod[slot] & ~CRAFT_SET_SORT;
    for (int k = 0; k < g->options; k++) {
        const craft_option *option = &g->option[k];
        if (craft_option_weight(s, option, &sight, hidden) <= 0.0) {
            continue;
        }
        grow_rows(g, option->parts);
        for (int part = 0; part < option->parts; part++) {
            craft_set kept = craft_set_with(s, &without, (uint16_t)(option->sort[part] | flags));
            uint32_t to = node_of(g, &kept);
            mark_real(g, to);
            g->row_next[g->rows] = to;
            g->row_option[g->rows++] = (uint16_t)k;
            move->rows++;
        }
    }
}

/* A reveal; a second one, with an omen, has the same rows. Where nothing can be offered, what is
 * unrevealed goes. */
static void add_reveal(craft_graph *g, uint32_t node, int use) {
    craft_set set = g->table.set[node];
    int slot = craft_hidden_slot(g->sorts, &set);
    craft_move move = {.use = (uint8_t)use, .first = g->rows};
    int shown = slot < 0 ? CRAFT_SHOWN_NOT : craft_sort_at(g->sorts, set.mod[slot])->shown;
    g->flags[node] |= slot < 0 ? 0 : CRAFT_NODE_HIDES;
    if (slot < 0 || shown != (g->use[use].shown ? CRAFT_SHOWN_ONCE : CRAFT_SHOWN_NOT)) {
        return;
    }
    for (uint32_t k = 0; k < g->moves[node]; k++) {
        const craft_move *other = &g->move[g->move_at[node] + k];
        if (other->rows > 0) {
            move.rows = other->rows;
            move.first = other->first;
        }
    }
    if (move.rows == 0) {
        add_rows(g, &move, &set, slot);
    }
    if (move.rows == 0) {
        craft_set without = craft_set_without(&set, slot);
        uint32_t to = node_of(g, &without);
        mark_real(g, to);
        grow_refs(g, 1);
        move.first = g->refs;
        move.refs = 1;
        g->ref[g->refs++] = to;
    }
    keep_move(g, node, &move);
}

void craft_offer_of(const craft_graph *g, uint32_t node, const craft_move *move, craft_offer *offer,
                    uint16_t places[CRAFT_OFFER_MOST]) {
    const craft_set *set = &g->table.set[node];
    int slot = craft_hidden_slot(g->sorts, set);
    const craft_sort *hidden = craft_sort_at(g->sorts, set->mod[slot]);
    int floor = craft_floor_of(g->sorts->pool, hidden->floor);
    offer->switches = &g->sorts->pool->switches;
    offer->lord = hidden->lord;
    offer->count = 0;
    for (uint32_t row = 0; row < move->rows;) {
        const craft_option *option = &g->option[g->row_option[move->first + row]];
        places[offer->count] = (uint16_t)row;
        offer->of[offer->count].weight = option->weight[floor];
        offer->of[offer->count].family = option->family;
        offer->of[offer->count].from_bone = option->from_bone;
        offer->of[offer->count++].lord = option->lord;
        row += option->parts;
    }
}

static void add_move(craft_graph *g, uint32_t node, int use) {
    craft_branch branch[CRAFT_BRANCHES];
    craft_set set = g->table.set[node];
    int count = craft_use_on(g->sorts, &g->use[use], &set, branch);
    craft_move move = {.use = (uint8_t)use, .first = g->refs, .uneven = count > 1};
    if (move.uneven && !g->chance) {
        g->ref_room = larger(g->ref_room, g->refs + 1);
        g->ref = lu_realloc(g->ref, g->ref_room * sizeof *g->ref);
        g->chance = lu_alloc(g->ref_room * sizeof *g->chance);
    }
    for (int k = 0; k < count; k++) {
        if (branch[k].removes > 0) {
            add_removals(g, &move, &branch[k], &set, branch[k].remove, branch[k].removes,
                         branch[k].chance);
        } else {
            add_ref(g, &move, &branch[k], &set, CRAFT_NO_ENTRY, branch[k].chance);
        }
    }
    if (count > 0) {
        keep_move(g, node, &move);
    }
}

/* Looks at all nodes of the queue from a place on. */
static lu_status find_all(craft_graph *g, uint32_t from, lu_error *error) {
    for (uint32_t at = from; at < g->queued; at++) {
        uint32_t node = g->queue[at];
        g->move_at[node] = g->move_count;
        for (int k = 0; k < 2 * g->uses && !(g->flags[node] & CRAFT_NODE_GOAL); k++) {
            int use = k % g->uses;
            if (g->use[use].again != (k >= g->uses)) {
                continue; /* behind plain reveals, whose rows it has and marks */
            }
            if (g->use[use].line == CRAFT_LINE_REVEAL) {
                add_reveal(g, node, use);
            } else {
                add_move(g, node, use);
            }
        }
        if (at % 256 == 0 && g->progress) {
            g->progress(g->user, (double)at / g->queued, "finding all items");
        }
        if (at % 256 == 0 && g->cancelled && g->cancelled(g->user)) {
            return lu_fail(error, LU_INTERRUPTED, "the solver was stopped before it was done");
        }
        if (g->full) {
            return lu_fail(
                error, LU_LIMIT,
                "%u states take more than %zu MB: raise 'memory' or allow fewer 'actions'",
                g->states, g->memory >> 20);
        }
    }
    return LU_OK;
}

/* ---- order ---- */

/* Rare before magic before normal, more modifiers before fewer, revealed before unrevealed, locked
 * before open. */
static int layer_of(const craft_graph *g, uint32_t node) {
    const craft_set *set = &g->table.set[node];
    int fixed = 0, hides = g->flags[node] & CRAFT_NODE_HIDES ? 1 : 0;
    for (int k = 0; k < set->count; k++) {
        fixed |= set->mod[k] & CRAFT_SET_FRACTURED;
    }
    return ((CRAFT_RARE - set->rarity) * (CRAFT_MODS + 1) + CRAFT_MODS - set->count) * 4 +
           2 * hides + (fixed ? 0 : 1);
}

void craft_order_init(craft_order *order, const craft_graph *g, const uint32_t *nodes,
                      uint32_t count) {
    uint32_t at[CRAFT_LAYERS + 1];
    memset(order->layer, 0, sizeof order->layer);
    order->node = lu_alloc((count + 1) * sizeof *order->node);
    for (uint32_t k = 0; k < count; k++) {
        order->layer[layer_of(g, nodes ? nodes[k] : k) + 1]++;
    }
    for (int k = 0; k < CRAFT_LAYERS; k++) {
        order->layer[k + 1] += order->layer[k];
    }
    memcpy(at, order->layer, sizeof at);
    for (uint32_t k = 0; k < count; k++) {
        uint32_t node = nodes ? nodes[k] : k;
        order->node[at[layer_of(g, node)]++] = node;
    }
}

/* Gives each draw its place, and moves those instead of nodes. */
static void place_draws(craft_graph *g) {
    uint32_t count = g->table.count;
    g->draw_at = lu_alloc((count + 1) * sizeof *g->draw_at);
    for (uint32_t k = 0; k < count; k++) {
        g->draw_at[k] = g->draws;
        g->draws += (uint32_t)__builtin_popcount(g->asked[k]);
    }
    g->draw_node = lu_alloc((g->draws + 1) * sizeof *g->draw_node);
    for (uint32_t k = 0; k < count; k++) {
        for (int bits = __builtin_popcount(g->asked[k]) - 1; bits >= 0; bits--) {
            g->draw_node[g->draw_at[k] + (uint32_t)bits] = k;
        }
    }
    for (uint32_t k = 0; k < g->move_count; k++) {
        const craft_move *move = &g->move[k];
        for (uint32_t r = 0; r < move->refs && move->draws && !move->barred; r++) {
            uint32_t *ref = &g->ref[move->first + r];
            *ref = craft_draw_place(g, *ref, move->draw);
        }
    }
}

lu_status craft_graph_init(craft_graph *g, const craft_sorts *sorts, const craft_use *use, int uses,
                           const craft_set *roots, uint32_t root_count, lu_error *error) {
    *g = (craft_graph){.sorts = sorts,
                       .use = use,
                       .uses = uses,
                       .memory = g->memory,
                       .user = g->user,
                       .progress = g->progress,
                       .cancelled = g->cancelled};
    for (int k = 0; k < uses && g->options == 0; k++) {
        g->options = use[k].line == CRAFT_LINE_REVEAL ? craft_option_list(&g->option, sorts) : 0;
    }
    craft_table_init(&g->table);
    grow_nodes(g);
    for (uint32_t k = 0; k < root_count; k++) {
        g->start = node_of(g, &roots[k]);
    }
    lu_status status = LU_OK;
    for (uint32_t k = 0; k < root_count && status == LU_OK; k++) {
        uint32_t done = g->queued;
        mark_real(g, node_of(g, &roots[k]));
        status = find_all(g, done, error);
        g->first_goals = k == 0 ? g->goals : g->first_goals;
    }
    if (status == LU_OK) {
        place_draws(g);
        craft_order_init(&g->order, g, NULL, g->table.count);
    }
    return status;
}

uint32_t craft_draw_place(const craft_graph *g, uint32_t node, int draw) {
    uint32_t before = g->asked[node] & ((1u << draw) - 1u);
    return g->draw_at[node] + (uint32_t)__builtin_popcount(before);
}

uint64_t craft_graph_edges(const craft_graph *g) {
    craft_spread spread;
    uint64_t edges = 0;
    craft_spread_init(&spread);
    for (uint32_t k = 0; k < g->queued; k++) {
        uint32_t node = g->queue[k];
        for (int use = 0; use < g->uses && !(g->flags[node] & CRAFT_NODE_GOAL); use++) {
            craft_spread_clear(&spread);
            if (craft_spread_use(&spread, g->sorts, &g->use[use], &g->table.set[node], 1.0)) {
                edges += spread.table.count;
            }
        }
    }
    craft_spread_free(&spread);
    return edges;
}
