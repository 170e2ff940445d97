/* An item to start from: read on the pool of its base, put into the solver's state, and named where
 * that state cannot express it. */
#include "optimize.h"

#include <stdio.h>

lu_status optimize_item_base(optimize_ask *ask, const char **base, int64_t *ilvl, lu_error *error) {
    ask->document = on_item_document(ask->pack, ask->given, error);
    return ask->document ? on_item_base(lu_json_root(ask->document), base, ilvl, error)
                         : LU_BAD_DATA;
}

lu_status optimize_item_read(optimize_ask *ask, lu_error *error) {
    const lu_json_value *root = lu_json_root(ask->document),
                        *options = lu_json_get(root, "options");
    craft_item *item = &ask->item;
    LU_TRY(craft_item_read(&ask->pool, ask->pack, root, item, error));
    ask->is_final = item->flags != 0 && !(craft_item_flags(item) & CRAFT_UNREVEALED);
    for (size_t k = 0; k < CRAFT_SHOWN; k++) {
        const lu_json_value *roll = lu_json_get(lu_json_at(options, k), "roll");
        ask->option_roll[k] = (int16_t)lu_json_real_or(lu_json_at(roll, 0), -1.0);
    }
    return LU_OK;
}

bool optimize_hides(const optimize_ask *ask) {
    return ask->given && !ask->is_final && craft_item_flags(&ask->item) & CRAFT_UNREVEALED;
}

int optimize_roots(const optimize_ask *ask, craft_sorts *sorts, craft_set roots[2]) {
    bool more = ask->given && !ask->is_final;
    roots[0] = (craft_set){.rarity = CRAFT_NORMAL};
    if (more) {
        roots[1] = craft_set_of(sorts, &ask->item);
    }
    return more ? 2 : 1;
}

void optimize_item_notes(const optimize_ask *ask, lu_json *json) {
    static const char *const finals[] = {"corrupted", "sanctified", "mirrored"};
    const craft_item *item = &ask->item;
    char text[200];
    for (int k = 0; k < 3; k++) {
        if (item->flags >> k & 1) {
            snprintf(text, sizeof text, "it is %s: %s", finals[k],
                     ask->is_final ? "nothing can be done with it" : "it can only be revealed");
            lu_json_string(json, text);
        }
    }
    if (item->catalyst) {
        snprintf(text, sizeof text,
                 "its quality (%d%% to %s modifiers) is ignored: values count as rolled, and no "
                 "catalysing omen is used",
                 item->quality, ask->pack->tag_names[item->catalyst - 1]);
        lu_json_string(json, text);
    }
    if (craft_item_flags(item) & CRAFT_MARK) {
        lu_json_string(json, "the next bone takes the place of the Mark of the Abyss");
    }
}

void optimize_write_item(lu_json *json, const optimize_ask *ask) {
    if (!ask->given) {
        return;
    }
    lu_json_key_object(json, "item");
    craft_item_write(&ask->pool, ask->pack, &ask->item, json);
    lu_json_key_array(json, "notes");
    optimize_item_notes(ask, json);
    lu_json_array_end(json);
    lu_json_object_end(json);
}
