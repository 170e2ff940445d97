/* How episodes end: kinds of final items and how often each comes. */
#include "measure.h"

#include <stdlib.h>
#include <string.h>

enum { TOLD = 20 }; /* kinds that an answer lists */

static craft_final kind_of(const craft_goal *goal, const craft_pool *pool, const craft_item *item) {
    craft_final kind = {.hits = 0};
    int32_t matched[CRAFT_NEEDS_MAX];
    for (int k = 0; k < craft_item_mods(item); k++) {
        const craft_slot *slot = &item->slot[k];
        if (craft_hits(goal, pool, slot)) {
            int at = kind.hits++;
            for (; at > 0 && kind.hit[at - 1] > slot->entry; at--) {
                kind.hit[at] = kind.hit[at - 1];
            }
            kind.hit[at] = slot->entry;
        }
    }
    craft_matched(goal, pool, item, matched);
    for (int k = 0; k < goal->needs; k++) {
        kind.met += matched[k] >= goal->count[k];
    }
    return kind;
}

void craft_finals_add(craft_finals *f, const craft_goal *goal, const craft_pool *pool,
                      const craft_item *item) {
    craft_final kind = kind_of(goal, pool, item);
    int row = 0;
    while (row < f->rows && (memcmp(f->row[row].hit, kind.hit, sizeof kind.hit) != 0 ||
                             f->row[row].hits != kind.hits || f->row[row].met != kind.met)) {
        row++;
    }
    f->count++;
    if (row == CRAFT_FINALS) {
        f->others++;
        return;
    }
    if (row == f->rows) {
        f->row[f->rows++] = kind;
    }
    f->row[row].count++;
}

/* The most frequent first; what is as frequent by its modifiers. */
static int by_count(const void *a, const void *b) {
    const craft_final *x = a, *y = b;
    int order = (x->count < y->count) - (x->count > y->count);
    return order ? order : memcmp(x->hit, y->hit, sizeof x->hit);
}

void craft_finals_write(craft_finals *f, const craft_pack *pack, const craft_pool *pool,
                        lu_json *json) {
    int64_t others = f->others;
    qsort(f->row, (size_t)f->rows, sizeof *f->row, by_count);
    lu_json_key_array(json, "final_items");
    for (int row = 0; row < f->rows; row++) {
        const craft_final *kind = &f->row[row];
        if (row >= TOLD) {
            others += kind->count;
            continue;
        }
        lu_json_object(json);
        lu_json_key_int(json, "requirements", kind->met);
        lu_json_key_array(json, "hits");
        for (int k = 0; k < kind->hits; k++) {
            const craft_entry *entry = &pool->entry[kind->hit[k]];
            lu_json_object(json);
            lu_json_key_string(json, "mod", pack->mods[entry->mod].id);
            lu_json_key_int(json, "tier", entry->tier);
            lu_json_object_end(json);
        }
        lu_json_array_end(json);
        lu_json_key_real(json, "share", (double)kind->count / (double)f->count);
        lu_json_object_end(json);
    }
    lu_json_array_end(json);
    lu_json_key_real(json, "other_items", f->count ? (double)others / (double)f->count : 0.0);
}
