/* Items in words and as JSON. What derives from the modifiers (side, tier, words) is written for
 * readers and computed when read; a modifier may also be its id alone, with its lowest values. */
#include "craft.h"

#include <stdio.h>

static const char *const lord_words[CRAFT_LORDS] = {"none", "ulaman", "amanamu", "kurgal"};

typedef struct flag_word {
    const char *word;
    int flag;
} flag_word;

static const flag_word slot_words[] = {
    {"fractured", CRAFT_FRACTURED},
    {"desecrated", CRAFT_DESECRATED},
    {"unrevealed", CRAFT_UNREVEALED},
    {"crafted", CRAFT_CRAFTED},
    {"mark", CRAFT_MARK},
};
static const flag_word item_words[] = {
    {"corrupted", CRAFT_CORRUPTED},
    {"sanctified", CRAFT_SANCTIFIED},
    {"mirrored", CRAFT_MIRRORED},
};
/* ---- words ---- */

/* A value in its decimals. */
static void put_value(const craft_range *range, const craft_slot *slot, int k, lu_text *text) {
    int unit = range->decimals == 2 ? 100 : range->decimals == 1 ? 10 : 1;
    double value = (double)(range->low + slot->roll[k]) / unit;
    if (slot->factor[k]) {
        int raised = ((range->low + slot->roll[k]) * (77 + slot->factor[k]) + 99) / 100;
        value = (double)raised / unit; /* rounded up */
    }
    lu_text_addf(text, "%.*f", range->decimals, value);
}

void craft_slot_text(const craft_pool *pool, const craft_pack *pack, const craft_slot *slot,
                     lu_text *text) {
    if (slot->flags & CRAFT_UNREVEALED) {
        lu_text_addf(text, "unrevealed %s",
                     craft_slot_side(slot) == CRAFT_PREFIX ? "prefix" : "suffix");
        return;
    }
    const craft_mod *mod = &pack->mods[pool->entry[slot->entry].mod];
    int k = 0;
    for (const char *at = mod->text; *at; at++) {
        const char *close = *at == '(' ? strchr(at, ')') : NULL;
        while (k < mod->ranges && mod->range[k].low == mod->range[k].high) {
            k++; /* written as it is */
        }
        if (close && k < mod->ranges && memchr(at, '-', (size_t)(close - at))) {
            put_value(&mod->range[k], slot, k, text);
            k++;
            at = close;
        } else {
            lu_text_add_char(text, *at);
        }
    }
}

/* ---- writing ---- */

static void put_flags(lu_json *json, const flag_word *words, int count, int flags) {
    for (int k = 0; k < count; k++) {
        if (flags & words[k].flag) {
            lu_json_key_bool(json, words[k].word, true);
        }
    }
}

static void put_bytes(lu_json *json, const char *key, const uint8_t *bytes, int count) {
    lu_json_key_array(json, key);
    for (int k = 0; k < count; k++) {
        lu_json_int(json, bytes[k]);
    }
    lu_json_array_end(json);
}

static void put_slot(const craft_pool *pool, const craft_pack *pack, const craft_slot *slot,
                     lu_json *json) {
    lu_text words = LU_TEXT_INIT;
    craft_slot_text(pool, pack, slot, &words);
    lu_json_object(json);
    if (!(slot->flags & CRAFT_UNREVEALED)) {
        const craft_entry *e = &pool->entry[slot->entry];
        lu_json_key_string(json, "mod", pack->mods[e->mod].id);
        put_bytes(json, "roll", slot->roll, e->ranges);
        if (slot->factor[0] | slot->factor[1] | slot->factor[2]) {
            put_bytes(json, "factor", slot->factor, e->ranges);
        }
        lu_json_key_int(json, "tier", e->tier);
        lu_json_key_int(json, "tiers", e->tiers);
    }
    lu_json_key_string(json, "side", craft_slot_side(slot) == CRAFT_PREFIX ? "P" : "S");
    put_flags(json, slot_words, LU_COUNT(slot_words), slot->flags);
    lu_json_key_string(json, "text", words.text);
    lu_json_object_end(json);
    lu_text_free(&words);
}

static void put_desecration(const craft_pool *pool, const craft_pack *pack, const craft_item *item,
                            lu_json *json) {
    if (item->bone_floor || item->lord || craft_is_choosing(item)) {
        lu_json_key_int(json, "bone_floor", pool->floor[item->bone_floor].level);
        lu_json_key_string(json, "lord", lord_words[item->lord]);
        lu_json_key_bool(json, "echoed", item->echoed != 0);
        lu_json_key_array(json, "options");
        for (int k = 0; k < 3 && item->option[k]; k++) {
            lu_json_string(json, pack->mods[pool->entry[item->option[k] - 1].mod].id);
        }
        lu_json_array_end(json);
    }
}

void craft_item_write(const craft_pool *pool, const craft_pack *pack, const craft_item *item,
                      lu_json *json) {
    lu_json_key_string(json, "rarity", craft_rarity_names[item->rarity]);
    lu_json_key_array(json, "mods");
    for (int k = 0; k < craft_item_mods(item); k++) {
        put_slot(pool, pack, &item->slot[k], json);
    }
    lu_json_array_end(json);
    put_flags(json, item_words, LU_COUNT(item_words), item->flags);
    lu_json_key_int(json, "implicit_roll", item->implicit_roll);
    if (item->catalyst) {
        lu_json_key_int(json, "quality", item->quality);
        lu_json_key_string(json, "catalyst", pack->tag_names[item->catalyst - 1]);
    }
    if (item->sockets) {
        lu_json_key_int(json, "sockets", item->sockets);
    }
    if (item->corruption) {
        int entry = item->corruption - 1;
        lu_json_key_string(json, "corruption", pack->mods[pool->entry[entry].mod].id);
        put_bytes(json, "corruption_roll", item->corruption_roll, 2);
    }
    put_desecration(pool, pack, item, json);
}

/* ---- reading ---- */

/* What is read, and where to. */
typedef struct reader {
    const craft_pool *pool;
    const craft_pack *pack;
    craft_item *item;
    lu_error *error;
} reader;

/* A whole number that may be missing. */
static bool read_byte(const reader *r, const lu_json_value *object, const char *key, int most,
                      uint8_t *to) {
    int64_t number = *to;
    if (lu_json_get(object, key) &&
        lu_json_get_int(object, key, 0, most, &number, r->error) != LU_OK) {
        return false;
    }
    *to = (uint8_t)number;
    return true;
}

static bool read_flags(const reader *r, const lu_json_value *object, const flag_word *words,
                       int count, uint8_t *flags) {
    for (int k = 0; k < count; k++) {
        const lu_json_value *member = lu_json_get(object, words[k].word);
        bool set = false;
        if (!member || lu_json_kind_of(member) == LU_JSON_ARRAY) {
            continue; /* lists of the item: fractured, unrevealed */
        }
        if (lu_json_get_bool(object, words[k].word, &set, r->error) != LU_OK) {
            return false;
        }
        *flags |= set ? (uint8_t)words[k].flag : 0;
    }
    return true;
}

/* Numbers of a list below limits. */
static bool read_list(const reader *r, const lu_json_value *list, const char *key,
                      const uint8_t *below, int count, uint8_t *to) {
    for (size_t k = 0; k < lu_json_count(list); k++) {
        double number = lu_json_real_or(lu_json_at(list, k), -1.0);
        int most = k < (size_t)count ? below[k] - 1 : -1;
        if (!(number >= 0.0 && number <= most) || number != (double)(int)number) {
            lu_fail(r->error, LU_BAD_DATA, "'%s': entry %zu isn't an integer from 0 to %d", key, k,
                    most);
            return false;
        }
        to[k] = (uint8_t)number;
    }
    return true;
}

/* Entry of a modifier that can be on the base. */
static int entry_named(const reader *r, const char *id) {
    int mod = craft_mod_find(r->pack, id);
    int entry = mod < 0 ? CRAFT_NO_ENTRY : craft_entry_of(r->pool, mod);
    if (entry == CRAFT_NO_ENTRY) {
        lu_fail(r->error, LU_BAD_DATA, "'%s' isn't a modifier of %s", id,
                r->pack->bases[r->pool->base].name);
    }
    return entry;
}

/* Whether one more modifier fits on a side. */
static bool has_room(const reader *r, int side) {
    bool room = craft_room(r->pool, r->item, r->item->rarity, side) > 0;
    if (!room) {
        lu_fail(r->error, LU_BAD_DATA, "a %s item of %s has at most %d %s",
                craft_rarity_names[r->item->rarity], r->pack->bases[r->pool->base].name,
                r->pool->limit[r->item->rarity][side], side ? "suffixes" : "prefixes");
    }
    return room;
}

static bool add_hidden(const reader *r, const char *side) {
    int at = strcmp(side, "P") == 0 ? CRAFT_PREFIX : strcmp(side, "S") == 0 ? CRAFT_SUFFIX : -1;
    if (at < 0) {
        lu_fail(r->error, LU_BAD_DATA, "an unrevealed modifier has the side \"P\" or \"S\"");
        return false;
    }
    if (!has_room(r, at)) {
        return false;
    }
    craft_put_hidden(r->item, at);
    return true;
}

/* Puts a modifier on with its lowest values. */
static craft_slot *add_mod(const reader *r, const char *id) {
    int entry = entry_named(r, id);
    if (entry == CRAFT_NO_ENTRY) {
        return NULL;
    }
    const craft_entry *e = &r->pool->entry[entry];
    if (e->side >= CRAFT_SIDES || craft_has_family(r->item, e->family)) {
        lu_fail(r->error, LU_BAD_DATA, "'%s' cannot be on the item together with the others", id);
        return NULL;
    }
    if (!has_room(r, e->side)) {
        return NULL;
    }
    craft_slot *slot = &r->item->slot[craft_item_mods(r->item)];
    slot->entry = (uint16_t)entry;
    slot->flags = e->side == CRAFT_SUFFIX ? CRAFT_IS_SUFFIX : 0;
    r->item->count[e->side]++;
    craft_item_sum(r->pool, r->item);
    return slot;
}

static bool read_mod(const reader *r, const lu_json_value *value) {
    const char *text;
    if (lu_json_kind_of(value) == LU_JSON_STRING) {
        return add_mod(r, lu_json_text(value, NULL)) != NULL;
    }
    if (!lu_json_get(value, "mod")) {
        return lu_json_get_text(value, "side", &text, r->error) == LU_OK && add_hidden(r, text);
    }
    if (lu_json_get_text(value, "mod", &text, r->error) != LU_OK) {
        return false;
    }
    craft_slot *slot = add_mod(r, text);
    static const uint8_t factors[CRAFT_RANGES] = {46, 46, 46};
    if (!slot) {
        return false;
    }
    const craft_entry *e = &r->pool->entry[slot->entry];
    uint8_t flags = slot->flags;
    if (!read_flags(r, value, slot_words, LU_COUNT(slot_words), &flags)) {
        return false;
    }
    slot->flags = flags & (uint8_t)~CRAFT_UNREVEALED;
    return read_list(r, lu_json_get(value, "roll"), "roll", e->steps, e->ranges, slot->roll) &&
           read_list(r, lu_json_get(value, "factor"), "factor", factors, e->ranges, slot->factor);
}

/* Lists of the item: modifiers that are fractured, sides of what is unrevealed. */
static bool read_lists(const reader *r, const lu_json_value *value) {
    const lu_json_value *hidden = lu_json_get(value, "unrevealed");
    const lu_json_value *locked = lu_json_get(value, "fractured");
    for (size_t k = 0; k < lu_json_count(hidden); k++) {
        const lu_json_value *side = lu_json_at(hidden, k);
        bool text = lu_json_kind_of(side) == LU_JSON_STRING;
        if (!add_hidden(r, text ? lu_json_text(side, NULL) : "")) {
            return false;
        }
    }
    for (size_t k = 0; k < lu_json_count(locked); k++) {
        const lu_json_value *id = lu_json_at(locked, k);
        bool text = lu_json_kind_of(id) == LU_JSON_STRING, found = false;
        int entry = entry_named(r, text ? lu_json_text(id, NULL) : "");
        for (int n = 0; n < craft_item_mods(r->item) && entry != CRAFT_NO_ENTRY; n++) {
            if (r->item->slot[n].entry == entry) {
                r->item->slot[n].flags |= CRAFT_FRACTURED;
                found = true;
            }
        }
        if (!found) {
            lu_fail(r->error, LU_BAD_DATA, "'fractured' names a modifier that is not on the item");
            return false;
        }
    }
    return true;
}

/* A word of a list; absent: the first. */
static bool read_word(const reader *r, const lu_json_value *object, const char *key,
                      const char *const *words, int count, uint8_t *to) {
    const char *text = words[0];
    if (lu_json_get(object, key) && lu_json_get_text(object, key, &text, r->error) != LU_OK) {
        return false;
    }
    for (int k = 0; k < count; k++) {
        if (strcmp(words[k], text) == 0) {
            *to = (uint8_t)k;
            return true;
        }
    }
    lu_fail(r->error, LU_BAD_DATA, "'%s': '%s' is not known", key, text);
    return false;
}

static bool read_quality(const reader *r, const lu_json_value *value) {
    craft_item *item = r->item;
    uint8_t tag = 0;
    if (!lu_json_get(value, "catalyst")) {
        return true;
    }
    if (!read_word(r, value, "catalyst", r->pack->tag_names, r->pack->tag_count, &tag) ||
        !read_byte(r, value, "quality", 40, &item->quality)) {
        return false;
    }
    item->catalyst = (uint8_t)(tag + 1);
    return true;
}

static bool read_corruption(const reader *r, const lu_json_value *value) {
    const char *id;
    if (!lu_json_get(value, "corruption")) {
        return true;
    }
    if (lu_json_get_text(value, "corruption", &id, r->error) != LU_OK) {
        return false;
    }
    int entry = entry_named(r, id);
    static const uint8_t any[2] = {255, 255};
    if (entry == CRAFT_NO_ENTRY) {
        return false;
    }
    r->item->corruption = (uint16_t)(entry + 1);
    return read_list(r, lu_json_get(value, "corruption_roll"), "corruption_roll", any, 2,
                     r->item->corruption_roll);
}

static bool read_options(const reader *r, const lu_json_value *value) {
    const lu_json_value *list = lu_json_get(value, "options");
    craft_item *item = r->item;
    uint8_t level = 0;
    bool echoed = false;
    if (!read_byte(r, value, "bone_floor", 100, &level) ||
        !read_word(r, value, "lord", lord_words, CRAFT_LORDS, &item->lord) ||
        (lu_json_get(value, "echoed") &&
         lu_json_get_bool(value, "echoed", &echoed, r->error) != LU_OK)) {
        return false;
    }
    int floor = craft_floor_of(r->pool, level);
    bool hidden = (craft_item_flags(item) & CRAFT_UNREVEALED) != 0;
    if (floor < 0 || lu_json_count(list) > 3 || (lu_json_count(list) > 0 && !hidden)) {
        lu_fail(r->error, LU_BAD_DATA,
                "'options' are up to three for an unrevealed modifier, 'bone_floor' a known level");
        return false;
    }
    for (size_t k = 0; k < lu_json_count(list); k++) {
        const lu_json_value *one = lu_json_at(list, k), *named = lu_json_get(one, "mod");
        const lu_json_value *id = named ? named : one;
        bool text = lu_json_kind_of(id) == LU_JSON_STRING;
        int entry = entry_named(r, text ? lu_json_text(id, NULL) : "");
        uint8_t roll[CRAFT_RANGES];
        if (entry == CRAFT_NO_ENTRY ||
            !read_list(r, lu_json_get(one, "roll"), "roll", r->pool->entry[entry].steps,
                       r->pool->entry[entry].ranges, roll)) {
            return false;
        }
        int side = craft_slot_side(&item->slot[craft_hidden_of(item)]);
        if (r->pool->entry[entry].side != side ||
            craft_has_family(item, r->pool->entry[entry].family)) {
            lu_fail(r->error, LU_BAD_DATA, "'options': one cannot be on the item");
            return false;
        }
        item->option[k] = (uint16_t)(entry + 1);
    }
    item->bone_floor = hidden ? (uint8_t)floor : 0;
    item->lord = hidden ? item->lord : 0;
    item->echoed = echoed && craft_is_choosing(item);
    return true;
}

lu_status craft_item_read(const craft_pool *pool, const craft_pack *pack,
                          const lu_json_value *value, craft_item *item, lu_error *error) {
    craft_item read;
    reader r = {pool, pack, &read, error};
    memset(&read, 0, sizeof read);
    if (lu_json_kind_of(value) != LU_JSON_OBJECT) {
        return lu_fail(error, LU_BAD_DATA, "an item is an object with rarity and mods");
    }
    const lu_json_value *mods = lu_json_get(value, "mods");
    uint8_t most = (uint8_t)(pool->implicit_steps > 0 ? pool->implicit_steps - 1 : 0);
    if (!read_word(&r, value, "rarity", craft_rarity_names, CRAFT_RARITIES, &read.rarity) ||
        !read_byte(&r, value, "implicit_roll", most, &read.implicit_roll) ||
        !read_byte(&r, value, "sockets", 255, &read.sockets)) {
        return LU_BAD_DATA;
    }
    for (size_t k = 0; k < lu_json_count(mods); k++) {
        if (!read_mod(&r, lu_json_at(mods, k))) {
            return LU_BAD_DATA;
        }
    }
    if (!read_flags(&r, value, item_words, LU_COUNT(item_words), &read.flags) ||
        !read_lists(&r, value) || !read_quality(&r, value) || !read_corruption(&r, value) ||
        !read_options(&r, value)) {
        return LU_BAD_DATA;
    }
    *item = read;
    return LU_OK;
}
