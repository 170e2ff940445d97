/* The comparisons of the verify tool and the world its header describes: graph, first rock of node
 * 1 and market. */
#include "verify.h"

#include "prospector/prospector.h"
#include "prospector/prospector_world.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TOLERANCE    PROSPECTOR_TRACE_TOLERANCE
#define METRIC_FLOOR 1e-9 /* what rounding may leave of a figure that is 0 */

/* ---- mismatches and bad data ---- */

/* Header values are compared inside their part, those of a step inside it. */
static void place(prospector_trace *r) {
    lu_check_part(r->check, r->step < 0 ? r->part : "steps", r->step);
}

double prospector_trace_compare(prospector_trace *r, const char *key, long long index, double want,
                                double got, double tolerance) {
    char name[96];
    snprintf(name, sizeof name, index >= 0 ? "%s/%lld" : "%s", key, index);
    place(r);
    double allowed = lu_above_one(want, tolerance);
    return lu_check_number(r->check, name, want, got, allowed) / lu_above_one(want, 1.0);
}

void prospector_trace_metric(prospector_trace *r, const char *key, double want, double got) {
    place(r);
    lu_check_number(r->check, key, want, got, TOLERANCE * fabs(want) + METRIC_FLOOR);
}

void prospector_trace_text(prospector_trace *r, const char *key, const char *want,
                           const char *got) {
    place(r);
    lu_check_text(r->check, key, want, got);
}

lu_status prospector_trace_bad(prospector_trace *r, const char *what) {
    return lu_check_bad(r->check, what);
}

lu_status prospector_trace_pass_on(prospector_trace *r, const lu_error *inner) {
    return prospector_trace_bad(r, inner->text);
}

const lu_json_value *prospector_trace_array(prospector_trace *r, const lu_json_value *object,
                                            const char *key, size_t count, bool numbers) {
    const lu_json_value *value = lu_json_get(object, key);
    char text[160];
    if (lu_json_kind_of(value) != LU_JSON_ARRAY || lu_json_count(value) != count) {
        snprintf(text, sizeof text, "\"%s\" must be an array of %zu", key, count);
        prospector_trace_bad(r, text);
        return NULL;
    }
    for (size_t i = 0; numbers && i < count; i++) {
        if (lu_json_kind_of(lu_json_at(value, i)) != LU_JSON_NUMBER) {
            snprintf(text, sizeof text, "\"%s\" must hold numbers, and entry %zu isn't one", key,
                     i);
            prospector_trace_bad(r, text);
            return NULL;
        }
    }
    return value;
}

/* ---- the world of the header ---- */

static lu_status world_row(prospector_trace *r, const lu_json_value *object, const char *key,
                           size_t count, const double *got) {
    const lu_json_value *row = prospector_trace_array(r, object, key, count, true);
    if (!row) {
        return LU_BAD_DATA;
    }
    for (size_t i = 0; i < count; i++) {
        prospector_trace_compare(r, key, (long long)i, lu_json_real_or(lu_json_at(row, i), 0.0),
                                 got[i], TOLERANCE);
    }
    return LU_OK;
}

static lu_status world_floats(prospector_trace *r, const lu_json_value *world, const char *key,
                              const float *got) {
    double row[PROSPECTOR_GOODS];
    for (int c = 0; c < PROSPECTOR_GOODS; c++) {
        row[c] = (double)got[c];
    }
    return world_row(r, world, key, PROSPECTOR_GOODS, row);
}

/* Value of one edge table; unused slots hold what the rules name for them. */
static double edge_value(const prospector_node *node, int table, int slot) {
    bool used = slot < node->degree;
    switch (table) {
    case 0:
        return used ? (double)node->neighbour[slot] : -1.0;
    case 1:
        return used ? (double)node->time[slot] : 1.0;
    case 2:
        return (double)node->fuel[slot];
    default:
        return (double)node->threat[slot];
    }
}

static lu_status check_graph(prospector_trace *r, const lu_json_value *world,
                             const prospector_state *s) {
    static const char *const node_keys[] = {"node_type", "node_hazard", "node_pirate",
                                            "n_asteroids"};
    static const char *const edge_keys[] = {"neighbors", "edge_time", "edge_fuel", "edge_threat"};
    double row[PROSPECTOR_NODES];
    char shown[64];
    for (int k = 0; k < 4; k++) {
        for (int i = 0; i < s->nodes; i++) {
            const prospector_node *node = &s->graph[i];
            row[i] = k == 0   ? (double)node->type
                     : k == 1 ? (double)node->hazard
                     : k == 2 ? (double)node->pirate
                              : (double)node->rocks;
        }
        LU_TRY(world_row(r, world, node_keys[k], s->nodes, row));
    }
    for (int k = 0; k < 4; k++) {
        const lu_json_value *table =
            prospector_trace_array(r, world, edge_keys[k], s->nodes, false);
        if (!table) {
            return LU_BAD_DATA;
        }
        for (int i = 0; i < s->nodes; i++) {
            const lu_json_value *slots = lu_json_at(table, (size_t)i);
            if (lu_json_count(slots) != PROSPECTOR_SLOTS) {
                return prospector_trace_bad(r, "\"world\": every node needs six neighbour slots");
            }
            snprintf(shown, sizeof shown, "%s/%d", edge_keys[k], i);
            for (int slot = 0; slot < PROSPECTOR_SLOTS; slot++) {
                double want = lu_json_real_or(lu_json_at(slots, (size_t)slot), (double)NAN);
                prospector_trace_compare(r, shown, slot, want, edge_value(&s->graph[i], k, slot),
                                         TOLERANCE);
            }
        }
    }
    return LU_OK;
}

/* The first rock of node 1, which tells a wrong draw of the rocks from one of the graph. */
static lu_status check_rock(prospector_trace *r, const lu_json_value *rock,
                            const prospector_state *s) {
    prospector_rocks *rocks = lu_alloc_zero(1, sizeof *rocks);
    double content[PROSPECTOR_GOODS], estimate[PROSPECTOR_GOODS];
    lu_error inner;
    lu_status status = LU_OK;
    rocks_make((const prospector_rules *)(const void *)r->episode.rules, s->graph[1].rock_rng,
               s->graph[1].rocks, rocks);
    for (int c = 0; c < PROSPECTOR_GOODS; c++) {
        content[c] = (double)rocks->content[c][0];
        estimate[c] = (double)rocks->estimate[c][0];
    }
    static const char *const keys[] = {"richness", "stability", "noise"};
    const double got[] = {(double)rocks->richness[0], (double)rocks->stability[0],
                          (double)rocks->noise[0]};
    for (int k = 0; k < 3 && status == LU_OK; k++) {
        double want;
        if (lu_json_get_real(rock, keys[k], 0.0, 10.0, &want, &inner) != LU_OK) {
            status = prospector_trace_pass_on(r, &inner);
        } else {
            prospector_trace_compare(r, keys[k], -1, want, got[k], TOLERANCE);
        }
    }
    LU_THEN(status, world_row(r, rock, "true_comp", PROSPECTOR_GOODS, content));
    LU_THEN(status, world_row(r, rock, "comp_est", PROSPECTOR_GOODS, estimate));
    free(rocks);
    return status;
}

lu_status prospector_trace_world(prospector_trace *r, const lu_json_value *world) {
    const prospector_state *s = (const prospector_state *)r->env->state;
    lu_error inner;
    int64_t nodes;
    if (lu_json_kind_of(world) != LU_JSON_OBJECT) {
        return prospector_trace_bad(r, "\"world\" must be an object");
    }
    if (lu_json_get_int(world, "node_count", 1, PROSPECTOR_NODES, &nodes, &inner) != LU_OK) {
        return prospector_trace_pass_on(r, &inner);
    }
    r->part = "world";
    prospector_trace_compare(r, "node_count", -1, (double)nodes, (double)s->nodes, 0.0);
    if (nodes != s->nodes) {
        r->part = NULL;
        return LU_OK; /* the tables have another length: the mismatch says it all */
    }
    LU_TRY(check_graph(r, world, s));
    const lu_json_value *rock = lu_json_get(world, "asteroid_1_0");
    if (lu_json_kind_of(rock) != LU_JSON_OBJECT) {
        return prospector_trace_bad(r, "\"asteroid_1_0\" must be an object");
    }
    r->part = "world/asteroid_1_0";
    LU_TRY(check_rock(r, rock, s));
    r->part = "world";
    LU_TRY(world_floats(r, world, "price", s->price));
    LU_TRY(world_row(r, world, "phase", PROSPECTOR_GOODS, s->phase));
    LU_TRY(world_row(r, world, "period", PROSPECTOR_GOODS, s->period));
    LU_TRY(world_row(r, world, "amp", PROSPECTOR_GOODS, s->amplitude));
    LU_TRY(world_floats(r, world, "inventory", s->stock));
    r->part = NULL;
    return LU_OK;
}
