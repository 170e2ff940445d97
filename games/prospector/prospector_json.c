/* States of prospector as JSON, for tools and pages. Seat -1 writes everything, so that reading it
 * gives the same bytes; a seat gets what the pilot sees. What derives from the rest (load, hops,
 * the shown rocks) is not written but computed. Left out: reading, prospector_json_read.c. */
#include "prospector_json.h"

/* ---- everything ---- */

static void put_records(const char *key, const lu_state_field *table, int count, const void *of,
                        int records, lu_json *json) {
    lu_json_key_array(json, key);
    for (int i = 0; i < records; i++) {
        lu_json_object(json);
        lu_record_to_json(table, count, of, i, -1, json);
        lu_json_object_end(json);
    }
    lu_json_array_end(json);
}

static void put_node(const prospector_state *s, int i, lu_json *json) {
    const prospector_node *node = &s->graph[i];
    const lu_state_field *table = node_fields[i > 0];
    lu_json_object(json);
    lu_fields_to_json(table, NODE_BEFORE, node, -1, json);
    put_records("edges", edge_fields, EDGE_FIELDS, node, node->degree, json);
    lu_fields_to_json(table + NODE_BEFORE, NODE_FIELDS_ALL - NODE_BEFORE, node, -1, json);
    if ((s->made >> i) & 1u) {
        put_records("rock", rock_fields, ROCK_FIELDS, &s->rock[i], node->rocks, json);
    }
    lu_json_object_end(json);
}

static void put_graph(const prospector_state *s, lu_json *json) {
    lu_json_key_array(json, "graph");
    for (int i = 0; i < s->nodes; i++) {
        put_node(s, i, json);
    }
    lu_json_array_end(json);
}

/* ---- what the pilot sees ---- */

/* Of an edge and of a rock at the ship's node. */
static const lu_state_field seen_edge[] = {
    EDGE("time", time, U8, 1, 8),
    EDGE("fuel", fuel, FLOAT, 0, PROSPECTOR_FUEL_MAX),
    EDGE("threat", estimate, FLOAT, 0, 1),
};
static const lu_state_field seen_rock[] = {
    {.name = "content",
     .offset = offsetof(prospector_rocks, shown[0][PROSPECTOR_ROCK_CONTENT]),
     .kind = LU_NUMBER_FLOAT,
     .count = PROSPECTOR_GOODS,
     .each = sizeof(float) * PROSPECTOR_SHOWN},
    ROCK_SHOWN("stability", PROSPECTOR_ROCK_STABILITY),
    ROCK_SHOWN("depletion", PROSPECTOR_ROCK_DEPLETION),
    ROCK_SHOWN("confidence", PROSPECTOR_ROCK_CONFIDENCE),
};

static void put_market(const prospector_state *s, lu_json *json) {
    static const bool published[PROSPECTOR_GOODS] = {true, false, true, true, true, false};
    /* a price above its base shows as the base; the change since the last decision tells more */
    lu_json_key_array(json, "price");
    for (int c = 0; c < PROSPECTOR_GOODS; c++) {
        bool above = (double)s->price[c] > base_price[c];
        lu_json_float(json, above ? (float)base_price[c] : s->price[c]);
    }
    lu_json_array_end(json);
    lu_json_key_array(json, "price_change");
    for (int c = 0; c < PROSPECTOR_GOODS; c++) {
        lu_json_float(json, s->price[c] - s->last_price[c]);
    }
    lu_json_array_end(json);
    lu_json_key_array(json, "stock"); /* null: not published */
    for (int c = 0; c < PROSPECTOR_GOODS; c++) {
        if (published[c]) {
            lu_json_float(json, s->stock[c]);
        } else {
            lu_json_null(json);
        }
    }
    lu_json_array_end(json);
}

static void put_seen(const prospector_state *s, lu_json *json) {
    static const lu_state_field cargo = {LU_FIELD(prospector_state, cargo), .kind = LU_NUMBER_FLOAT,
                                         .count = PROSPECTOR_GOODS};
    const prospector_node *node = &s->graph[s->node];
    lu_fields_to_json(&cargo, 1, s, -1, json);
    put_market(s, json);
    lu_json_key_int(json, "type", node->type);
    lu_json_key_int(json, "hops", node->hops);
    lu_json_key_array(json, "neighbours");
    for (int k = 0; k < node->degree; k++) {
        lu_json_object(json);
        lu_json_key_int(json, "type", s->graph[node->neighbour[k]].type);
        lu_record_to_json(seen_edge, LU_COUNT(seen_edge), node, k, -1, json);
        lu_json_object_end(json);
    }
    lu_json_array_end(json);
    put_records("rocks", seen_rock, LU_COUNT(seen_rock), &s->rock[s->node], node->rocks, json);
}

void prospector_to_json(const lu_rules *rules, const void *state, int seat, lu_json *json) {
    const prospector_state *s = state;
    (void)rules;
    lu_json_object(json);
    lu_fields_to_json(fields, FIELDS, s, seat, json);
    if (seat < 0) {
        put_graph(s, json);
    } else {
        put_seen(s, json);
    }
    lu_json_object_end(json);
}
