/* States of prospector as JSON, for tools and pages. Seat -1 writes everything, so that reading it
 * gives the same bytes; a seat gets what the pilot sees. What derives from the rest (load, hops,
 * the shown rocks) is not written but computed. Left out: reading, prospector_json_read.c. */
#include "prospector_json.h"

static void put_hex(lu_json *json, const char *key, uint64_t value) {
    lu_text text = LU_TEXT_INIT;
    lu_text_addf(&text, "0x%016llx", (unsigned long long)value);
    lu_json_key_string(json, key, text.text);
    lu_text_free(&text);
}

static void put_floats(lu_json *json, const char *key, const float *value, int count, int stride) {
    lu_json_key_array(json, key);
    for (int i = 0; i < count; i++) {
        lu_json_float(json, value[i * stride]);
    }
    lu_json_array_end(json);
}

static void put_float(lu_json *json, const char *key, float value) {
    lu_json_key(json, key);
    lu_json_float(json, value);
}

/* ---- everything ---- */

static void put_rock(const prospector_rocks *rocks, int a, lu_json *json) {
    const float *shown = rocks->shown[a];
    lu_json_object(json);
    put_floats(json, "estimate", &rocks->estimate[0][a], PROSPECTOR_GOODS, PROSPECTOR_ROCKS);
    put_floats(json, "content", &rocks->content[0][a], PROSPECTOR_GOODS, PROSPECTOR_ROCKS);
    put_float(json, "stability_estimate", shown[PROSPECTOR_ROCK_STABILITY]);
    put_float(json, "depletion", shown[PROSPECTOR_ROCK_DEPLETION]);
    put_float(json, "confidence", shown[PROSPECTOR_ROCK_CONFIDENCE]);
    put_float(json, "richness", rocks->richness[a]);
    put_float(json, "stability", rocks->stability[a]);
    put_float(json, "noise", rocks->noise[a]);
    lu_json_object_end(json);
}

static void put_node(const prospector_state *s, int i, lu_json *json) {
    const prospector_node *node = &s->graph[i];
    lu_json_object(json);
    lu_json_key_int(json, "type", node->type);
    put_float(json, "hazard", node->hazard);
    put_float(json, "pirate", node->pirate);
    put_hex(json, "rock_rng", node->rock_rng);
    lu_json_key_array(json, "edges");
    for (int k = 0; k < node->degree; k++) {
        lu_json_object(json);
        lu_json_key_int(json, "to", node->neighbour[k]);
        lu_json_key_int(json, "time", node->time[k]);
        put_float(json, "fuel", node->fuel[k]);
        put_float(json, "threat", node->threat[k]);
        put_float(json, "estimate", node->estimate[k]);
        lu_json_object_end(json);
    }
    lu_json_array_end(json);
    lu_json_key_int(json, "rocks", node->rocks);
    if ((s->made >> i) & 1u) {
        lu_json_key_array(json, "rock");
        for (int a = 0; a < node->rocks; a++) {
            put_rock(&s->rock[i], a, json);
        }
        lu_json_array_end(json);
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

static void put_seen(const prospector_state *s, lu_json *json) {
    static const int stocks[4] = {0, 2, 3, 4};
    const prospector_node *node = &s->graph[s->node];
    put_floats(json, "cargo", s->cargo, PROSPECTOR_GOODS, 1);
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
    lu_json_key(json, "stock"); /* null: not published */
    lu_json_array(json);
    for (int c = 0, k = 0; c < PROSPECTOR_GOODS; c++) {
        if (k < 4 && stocks[k] == c) {
            lu_json_float(json, s->stock[c]);
            k++;
        } else {
            lu_json_null(json);
        }
    }
    lu_json_array_end(json);
    lu_json_key_int(json, "type", node->type);
    lu_json_key_int(json, "hops", node->hops);
    lu_json_key_array(json, "neighbours");
    for (int k = 0; k < node->degree; k++) {
        lu_json_object(json);
        lu_json_key_int(json, "type", s->graph[node->neighbour[k]].type);
        lu_json_key_int(json, "time", node->time[k]);
        put_float(json, "fuel", node->fuel[k]);
        put_float(json, "threat", node->estimate[k]);
        lu_json_object_end(json);
    }
    lu_json_array_end(json);
    lu_json_key_array(json, "rocks");
    for (int a = 0; a < node->rocks; a++) {
        const float *shown = s->rock[s->node].shown[a];
        lu_json_object(json);
        put_floats(json, "content", shown + PROSPECTOR_ROCK_CONTENT, PROSPECTOR_GOODS, 1);
        put_float(json, "stability", shown[PROSPECTOR_ROCK_STABILITY]);
        put_float(json, "depletion", shown[PROSPECTOR_ROCK_DEPLETION]);
        put_float(json, "confidence", shown[PROSPECTOR_ROCK_CONFIDENCE]);
        lu_json_object_end(json);
    }
    lu_json_array_end(json);
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
