/* What an item that is given up brings: so much for each modifier that counts, by how many of them
 * there are, or by requirement. */
#include "optimize.h"

#include <string.h>

/* A price of the answer's unit, in exalted. */
static lu_status read_price(const optimize_ask *ask, const lu_json_value *value, double *to,
                            lu_error *error) {
    double price = lu_json_kind_of(value) == LU_JSON_NUMBER ? lu_json_real_or(value, -1.0) : -1.0;
    *to = price * ask->unit;
    return price >= 0.0 && price < 1e12
               ? LU_OK
               : lu_fail(error, LU_BAD_VALUE, "'sale': a price must be a number of 0 or more");
}

static lu_status read_needs(optimize_ask *ask, const lu_json_value *root, lu_error *error) {
    const craft_target *target = &ask->want.target;
    for (size_t i = 0; i < lu_json_count(root); i++) {
        const char *id = "";
        const lu_json_value *value = lu_json_member(root, i, &id);
        int need = 0;
        while (need < target->needs && strcmp(target->need[need].id, id) != 0) {
            need++;
        }
        if (need == target->needs) {
            return lu_fail(error, LU_BAD_VALUE, "'sale': the target has no requirement '%s'", id);
        }
        LU_TRY(read_price(ask, value, &ask->sale.need[need], error));
    }
    return LU_OK;
}

lu_status optimize_read_sale(optimize_ask *ask, lu_error *error) {
    const char *text = lu_settings_text_of(ask->settings, "sale");
    lu_json_document *document = *text ? lu_json_read("sale", text, strlen(text), error) : NULL;
    const lu_json_value *root = document ? lu_json_root(document) : NULL;
    size_t count = lu_json_count(root);
    lu_status status = *text && !document ? LU_BAD_VALUE : LU_OK;
    ask->sale.told = root != NULL;
    if (root && lu_json_kind_of(root) == LU_JSON_OBJECT) {
        status = read_needs(ask, root, error);
    } else if (root && lu_json_kind_of(root) == LU_JSON_ARRAY && count > 0) {
        for (size_t k = 0; k <= CRAFT_MODS && status == LU_OK; k++) {
            const lu_json_value *value = lu_json_at(root, k < count ? k : count - 1);
            status = read_price(ask, value, &ask->sale.hits[k], error);
        }
    } else if (root) {
        double each = 0.0;
        status = read_price(ask, root, &each, error);
        for (int k = 0; k < CRAFT_NEEDS_MAX; k++) {
            ask->sale.need[k] = each;
        }
    }
    lu_json_close(document);
    return status;
}

double *optimize_sales(const optimize_ask *ask, const craft_graph *graph) {
    if (!ask->sale.told) {
        return NULL;
    }
    double *sale = lu_alloc_zero(graph->table.count + 1, sizeof *sale);
    for (uint32_t node = 0; node < graph->table.count; node++) {
        uint8_t have[CRAFT_NEEDS_MAX];
        int hits = craft_set_hits(graph->sorts, &graph->table.set[node], have);
        sale[node] = ask->sale.hits[hits < CRAFT_MODS ? hits : CRAFT_MODS];
        for (int k = 0; k < ask->goal.needs; k++) {
            sale[node] += have[k] * ask->sale.need[k];
        }
    }
    return sale;
}
