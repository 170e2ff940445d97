/* The item of a tool's input. */
#include "on_item.h"

#include "craft_clipboard.h"

/* An item as JSON; a target or a price file is none. */
static lu_json_document *item_json(const lu_tool_input *input, lu_error *error) {
    lu_json_document *document = lu_json_read(input->name, input->text, input->length, error);
    const lu_json_value *root = document ? lu_json_root(document) : NULL;
    if (root && !lu_json_get(root, "rarity") && !lu_json_get(root, "mods")) {
        lu_fail(error, LU_BAD_DATA, "%s: no item: it has neither 'rarity' nor 'mods'", input->name);
        lu_json_close(document);
        return NULL;
    }
    return document;
}

lu_json_document *on_item_document(const craft_pack *pack, const lu_tool_input *input,
                                   lu_error *error) {
    lu_json json = LU_JSON_INIT;
    lu_json_document *document = NULL;
    if (!craft_is_clipboard(input->text, input->length)) {
        return item_json(input, error);
    }
    if (craft_clipboard_read(pack, input->name, input->text, input->length, &json, error) ==
        LU_OK) {
        document = lu_json_read(input->name, json.text, json.length, error);
    }
    lu_json_free(&json);
    return document;
}

lu_status on_item_base(const lu_json_value *root, const char **base, int64_t *ilvl,
                       lu_error *error) {
    lu_status status =
        lu_json_get(root, "base") ? lu_json_get_text(root, "base", base, error) : LU_OK;
    LU_THEN(status,
            lu_json_get(root, "ilvl") ? lu_json_get_int(root, "ilvl", 1, 100, ilvl, error) : LU_OK);
    return status == LU_OK ? LU_OK : LU_BAD_DATA;
}

lu_status on_item_open(on_item *on, const lu_tool_io *io, lu_error *error) {
    const lu_settings *v = io->settings;
    const char *base = lu_settings_text_of(v, "base");
    int64_t ilvl = lu_settings_int(v, "ilvl");
    craft_switches switches;
    memset(on, 0, sizeof *on);
    on->pack = craft_pack_find(lu_settings_text_of(v, "ruleset"));
    const lu_file_text *own = lu_settings_file_of(v, "pack", 0);
    if (own) {
        on->file = craft_pack_file_read(own->name, own->text, own->length, error);
        if (!on->file) {
            return LU_BAD_DATA;
        }
        on->pack = craft_pack_file_pack(on->file);
    }
    if (io->input_count != 1) {
        return lu_fail(error, LU_USAGE,
                       "name one file with an item: text copied from the game, or "
                       "{\"base\",\"ilvl\",\"rarity\",\"mods\"}");
    }
    const lu_tool_input *input = &io->inputs[0];
    on->document = on_item_document(on->pack, input, error);
    on->root = on->document ? lu_json_root(on->document) : NULL;
    if (!on->root || on_item_base(on->root, &base, &ilvl, error) != LU_OK) {
        return LU_BAD_DATA;
    }
    int row = craft_base_find(on->pack, base);
    if (row < 0) {
        return lu_fail(error, LU_BAD_DATA, "%s: %s knows no base '%s'", input->name,
                       on->pack->about.name, base);
    }
    lu_status status = craft_switches_read(&switches, on->pack->about.version, v, error);
    if (status == LU_OK) {
        status = craft_pool_init(&on->pool, on->pack, row, (int)ilvl, &switches, error);
    }
    return status == LU_OK ? craft_item_read(&on->pool, on->pack, on->root, &on->item, error)
                           : status;
}

void on_item_close(on_item *on) {
    craft_pack_file_free(on->file);
    lu_json_close(on->document);
}

void on_item_words(const craft_pool *pool, const craft_pack *pack, const craft_item *item,
                   lu_json *json) {
    lu_text line = LU_TEXT_INIT;
    for (int k = 0; k < craft_item_mods(item); k++) {
        const craft_slot *slot = &item->slot[k];
        lu_text_clear(&line);
        lu_text_addf(&line, "  %s ", craft_slot_side(slot) == CRAFT_PREFIX ? "P" : "S");
        if (!(slot->flags & CRAFT_UNREVEALED)) {
            lu_text_addf(&line, "T%d ", pool->entry[slot->entry].tier);
        }
        craft_slot_text(pool, pack, slot, &line);
        lu_text_add(&line, slot->flags & CRAFT_FRACTURED ? " (fractured)" : "");
        lu_json_string(json, line.text);
    }
    lu_text_free(&line);
}

lu_status craft_file_setting(lu_settings *to, const char *key, const lu_file_text *file,
                             lu_error *error) {
    lu_json json = LU_JSON_INIT;
    if (!file) {
        return LU_OK;
    }
    lu_json_object(&json);
    lu_json_key_string(&json, "name", file->name);
    lu_json_key_string(&json, "text", file->text);
    lu_json_object_end(&json);
    lu_status status = lu_settings_set(to, key, json.text, LU_FROM_FILE, file->name, error);
    lu_json_free(&json);
    return status;
}
