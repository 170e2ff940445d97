/* Prospector states from JSON: what prospector_json.c wrote, or what a person gives to set up a
 * situation; missing keys keep the value they have. Every number is checked for its range, then
 * what must hold between them: edges at both ends, a load that fits, a rock that exists. On an
 * error the state is as it was. */
#include "prospector_json.h"

#include <stdlib.h>
#include <string.h>

/* Refuses keys that are neither fields of the table nor in `more`, a list that ends with NULL. */
static lu_status only_keys(const lu_json_value *object, const char *what,
                           const lu_state_field *table, int count, const char *const *more,
                           lu_error *error) {
    if (lu_json_kind_of(object) != LU_JSON_OBJECT) {
        return lu_fail(error, LU_BAD_DATA, "%s must be an object {...}", what);
    }
    for (size_t i = 0; i < lu_json_count(object); i++) {
        const char *key;
        bool known = false;
        (void)lu_json_member(object, i, &key);
        for (int k = 0; k < count && !known; k++) {
            known = strcmp(table[k].name, key) == 0;
        }
        for (int k = 0; more[k] && !known; k++) {
            known = strcmp(more[k], key) == 0;
        }
        if (!known) {
            return lu_fail(error, LU_BAD_DATA, "%s has no key '%s' (line %u)", what, key,
                           lu_json_line(object));
        }
    }
    return LU_OK;
}

static const char *const no_more[] = {NULL};

static lu_status read_rock(prospector_rocks *rocks, int a, const lu_json_value *value,
                           lu_error *error) {
    LU_TRY(only_keys(value, "a rock", rock_fields, ROCK_FIELDS, no_more, error));
    rocks->shown[a][PROSPECTOR_ROCK_PRESENT] = 1.0f;
    return lu_record_from_json(rock_fields, ROCK_FIELDS, NULL, rocks, a, value, error);
}

static lu_status read_edges(prospector_node *node, const lu_json_value *array, lu_error *error) {
    size_t count = lu_json_count(array);
    if (lu_json_kind_of(array) != LU_JSON_ARRAY || count > PROSPECTOR_SLOTS) {
        return lu_fail(error, LU_BAD_DATA, "'edges' must be an array of at most %d edges",
                       PROSPECTOR_SLOTS);
    }
    for (int k = 0; k < PROSPECTOR_SLOTS; k++) {
        if (k >= (int)count || k >= node->degree) {
            node->neighbour[k] = 0;
            node->time[k] = k < (int)count ? 1 : 0;
            node->fuel[k] = node->threat[k] = 0.0f;
            node->estimate[k] = k < (int)count ? 0.5f : 0.0f;
        }
    }
    node->degree = (uint8_t)count;
    for (int k = 0; k < (int)count; k++) {
        const lu_json_value *edge = lu_json_at(array, (size_t)k);
        LU_TRY(only_keys(edge, "an edge", edge_fields, EDGE_FIELDS, no_more, error));
        LU_TRY(lu_record_from_json(edge_fields, EDGE_FIELDS, NULL, node, k, edge, error));
    }
    return LU_OK;
}

static lu_status read_node(prospector_state *s, int i, const lu_json_value *value,
                           lu_error *error) {
    static const char *const more[] = {"edges", "rock", NULL};
    prospector_node *node = &s->graph[i];
    const lu_state_field *table = node_fields[i > 0];
    const lu_json_value *rock = lu_json_get(value, "rock");
    uint8_t before = node->rocks;
    if (only_keys(value, "a node of 'graph'", table, NODE_FIELDS_ALL, more, error) != LU_OK ||
        lu_fields_from_json(table, NODE_FIELDS_ALL, NULL, node, value, error) != LU_OK ||
        (lu_json_get(value, "edges") &&
         read_edges(node, lu_json_get(value, "edges"), error) != LU_OK)) {
        return LU_BAD_DATA;
    }
    if (!rock) {
        /* not given: rocks of another number, or of a whole node given anew, wait for a visit */
        if (node->rocks != before || lu_json_get(value, "rock_rng")) {
            memset(&s->rock[i], 0, sizeof s->rock[i]);
            s->made &= ~(1u << i);
        }
        return LU_OK;
    }
    size_t count = lu_json_count(rock);
    if (lu_json_kind_of(rock) != LU_JSON_ARRAY || count != node->rocks) {
        return lu_fail(error, LU_BAD_DATA, "'rock' of node %d must be an array of its %d rocks", i,
                       node->rocks);
    }
    if (node->rocks != before) {
        memset(&s->rock[i], 0, sizeof s->rock[i]);
    }
    for (int a = 0; a < node->rocks; a++) {
        LU_TRY(read_rock(&s->rock[i], a, lu_json_at(rock, (size_t)a), error));
    }
    s->made |= count > 0 ? 1u << i : 0u;
    return LU_OK;
}

/* ---- what must hold between the fields ---- */

/* Every edge stands at both of its ends, once, with equal time, fuel and threat. */
static lu_status check_edges(const prospector_state *s, lu_error *error) {
    for (int u = 0; u < s->nodes; u++) {
        const prospector_node *a = &s->graph[u];
        uint32_t seen = 0;
        for (int k = 0; k < a->degree; k++) {
            int v = a->neighbour[k], back = 0;
            if (v >= s->nodes || v == u || ((seen >> v) & 1u)) {
                return lu_fail(
                    error, LU_BAD_DATA,
                    "edge %d of node %d leads to node %d: edges join two different nodes "
                    "of the graph, at most once",
                    k, u, v);
            }
            seen |= 1u << v;
            const prospector_node *b = &s->graph[v];
            while (back < b->degree && b->neighbour[back] != u) {
                back++;
            }
            if (back == b->degree || a->time[k] != b->time[back] || a->fuel[k] != b->fuel[back] ||
                a->threat[k] != b->threat[back]) {
                return lu_fail(error, LU_BAD_DATA,
                               "the edge from node %d to %d must be listed at both nodes with "
                               "equal time, fuel and threat",
                               u, v);
            }
        }
    }
    return LU_OK;
}

static void fill_hops(prospector_state *s) {
    for (int i = 0; i < s->nodes; i++) {
        s->graph[i].hops = i ? PROSPECTOR_UNREACHABLE : 0;
    }
    for (int round = 0; round < s->nodes; round++) {
        for (int i = 0; i < s->nodes; i++) {
            for (int k = 0; k < s->graph[i].degree; k++) {
                int through = s->graph[s->graph[i].neighbour[k]].hops + 1;
                if (through < s->graph[i].hops) {
                    s->graph[i].hops = (uint8_t)through;
                }
            }
        }
    }
}

static lu_status check_ship(const prospector_state *s, lu_error *error) {
    double load = 0.0;
    for (int c = 0; c < PROSPECTOR_GOODS; c++) {
        load += (double)s->cargo[c];
    }
    if (load > PROSPECTOR_CARGO_MAX + 1e-3) {
        return lu_fail(error, LU_BAD_DATA, "'cargo' holds %g units in all, but the hold takes %d",
                       load, PROSPECTOR_CARGO_MAX);
    }
    if (s->node >= s->nodes) {
        return lu_fail(error, LU_BAD_DATA, "'node' is %d, but the graph has nodes 0..%d", s->node,
                       s->nodes - 1);
    }
    if (s->graph[s->node].rocks > 0 && !((s->made >> s->node) & 1u)) {
        return lu_fail(error, LU_BAD_DATA,
                       "the rocks of node %d do not exist before the first visit: fly there, or "
                       "list them as 'rock' in 'graph'",
                       s->node);
    }
    if (s->selected >= s->graph[s->node].rocks) {
        return lu_fail(error, LU_BAD_DATA, "'selected' is %d, but node %d has %d rocks",
                       s->selected, s->node, s->graph[s->node].rocks);
    }
    return LU_OK;
}

static lu_status check_relations(const prospector_state *s, lu_error *error) {
    LU_TRY(check_edges(s, error));
    return check_ship(s, error);
}

static lu_status read_graph(prospector_state *s, const lu_json_value *graph, lu_error *error) {
    size_t count = lu_json_count(graph);
    if (lu_json_kind_of(graph) != LU_JSON_ARRAY || count < 2 || count > PROSPECTOR_NODES) {
        return lu_fail(error, LU_BAD_DATA, "'graph' must be an array of 2 to %d nodes",
                       PROSPECTOR_NODES);
    }
    for (int i = (int)count; i < PROSPECTOR_NODES; i++) {
        memset(&s->graph[i], 0, sizeof s->graph[i]);
        memset(&s->rock[i], 0, sizeof s->rock[i]);
        s->made &= ~(1u << i);
    }
    for (int i = s->nodes; i < (int)count; i++) {
        s->graph[i].type = PROSPECTOR_CLUSTER;
    }
    s->nodes = (uint8_t)count;
    for (int i = 0; i < (int)count; i++) {
        LU_TRY(read_node(s, i, lu_json_at(graph, (size_t)i), error));
    }
    return LU_OK;
}

static lu_status read_state(const lu_rules *rules, prospector_state *s, const lu_json_value *value,
                            lu_error *error) {
    static const char *const more[] = {"graph", NULL};
    const lu_json_value *graph = lu_json_get(value, "graph");
    if (only_keys(value, "a state of prospector", fields, FIELDS, more, error) != LU_OK ||
        lu_fields_from_json(fields, FIELDS, rules, s, value, error) != LU_OK ||
        (graph && read_graph(s, graph, error) != LU_OK)) {
        return LU_BAD_DATA;
    }
    /* at another node nothing is selected unless it was said */
    if (lu_json_get(value, "node") && !lu_json_get(value, "selected")) {
        s->selected = -1;
    }
    LU_TRY(check_relations(s, error));
    if (graph) {
        fill_hops(s);
    }
    return LU_OK;
}

lu_status prospector_from_json(const lu_rules *rules, void *state, const lu_json_value *value,
                               lu_error *error) {
    /* 57 kB: too much for the stack of a page */
    prospector_state *s = lu_alloc(sizeof *s);
    memcpy(s, state, sizeof *s);
    lu_status status = read_state(rules, s, value, error);
    if (status == LU_OK) {
        prospector_refresh(s);
        memcpy(state, s, sizeof *s);
    }
    free(s);
    return status;
}
