/* Reads items of the clipboard: lines of modifiers are covered by modifiers of the pool, and the
 * cover is written as an item. */
#include "craft_clip.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { TEXT = 1 << 16 }; /* bytes of an item, at most */

/* Rolls of a modifier from the numbers of its lines, those that are fixed in its text apart. */
static void put_rolls(const clip *c, const clip_hit *h, lu_json *json) {
    const craft_entry *e = &c->pool->entry[h->entry];
    const craft_mod *mod = &c->pack->mods[e->mod];
    bool strong = c->catalyst && e->tags >> (c->catalyst - 1) & 1u;
    double value[CLIP_PARTS * CLIP_NUMBERS];
    int count = 0, next = 0;
    for (int p = 0; p < h->parts; p++) {
        const clip_shape *part = &c->part[h->entry][p];
        for (int k = 0; k < part->numbers; k++) {
            double rolled = c->lines[h->part[p]].shape.low[k];
            if (part->low[k] < part->high[k]) {
                value[count++] =
                    strong && rolled > part->high[k] ? rolled / (1.0 + c->quality / 100.0) : rolled;
            }
        }
    }
    lu_json_key_array(json, "roll");
    for (int k = 0; k < mod->ranges; k++) {
        const craft_range *range = &mod->range[k];
        int roll = 0, most = e->steps[k] > 0 ? e->steps[k] - 1 : 0;
        if (range->low < range->high && next < count) {
            double unit = range->decimals == 2 ? 100.0 : range->decimals == 1 ? 10.0 : 1.0;
            roll = (int)lround(value[next++] * unit) - range->low;
        }
        lu_json_int(json, roll < 0 ? 0 : roll > most ? most : roll);
    }
    lu_json_array_end(json);
}

static void put_mod(const clip *c, const clip_hit *h, lu_json *json) {
    lu_json_object(json);
    lu_json_key_string(json, "mod", c->pack->mods[c->pool->entry[h->entry].mod].id);
    put_rolls(c, h, json);
}

/* An option that a reveal shows, appended: a modifier of the side of what is unrevealed. */
static lu_status put_option(const clip *c, int option, lu_json *json) {
    clip *one = lu_alloc(sizeof *one);
    int room[CRAFT_SIDES] = {c->hidden[0] > 0, c->hidden[0] == 0};
    *one = *c;
    one->line_count = 0;
    for (int k = 0; k < c->line_count; k++) {
        if (c->heads[c->lines[k].head].option == option) {
            one->lines[one->line_count++] = c->lines[k];
        }
    }
    lu_status status = clip_cover(one, room);
    if (status == LU_OK && one->first_count == 1) {
        put_mod(one, &one->first[0], json);
        lu_json_object_end(json);
    }
    free(one);
    return status;
}

/* The options, which belong to one unrevealed modifier, and the lines of the item itself. */
static lu_status find_options(clip *c) {
    lu_status status = LU_OK;
    if (c->options > 3 || (c->options > 0 && c->hidden[0] + c->hidden[1] == 0)) {
        return lu_fail(c->error, LU_BAD_DATA,
                       "%s: it shows %d options: an unrevealed modifier has up to three, and must "
                       "be listed as 'Unrevealed Prefix' or 'Unrevealed Suffix' next to them",
                       c->name, c->options);
    }
    for (int k = 1; k <= c->options && status == LU_OK; k++) {
        status = put_option(c, k, &c->shown);
    }
    int lines = 0;
    for (int k = 0; k < c->line_count; k++) {
        if (!c->heads[c->lines[k].head].option) {
            c->lines[lines++] = c->lines[k];
        }
    }
    c->line_count = lines;
    return status;
}

static void put_item(const clip *c, lu_json *json) {
    lu_json_object(json);
    lu_json_key_string(json, "base", c->pack->bases[c->base].name);
    lu_json_key_int(json, "ilvl", c->ilvl);
    lu_json_key_string(json, "rarity", clip_rarities[c->rarity]);
    lu_json_key_array(json, "mods");
    for (int k = 0; k < c->first_count; k++) {
        const clip_hit *h = &c->first[k];
        put_mod(c, h, json);
        for (size_t m = 0; m < CLIP_MARKS; m++) {
            if (c->lines[h->part[0]].flags & clip_marks[m].flag) {
                lu_json_key_bool(json, clip_marks[m].word, true);
            }
        }
        lu_json_object_end(json);
    }
    lu_json_array_end(json);
    lu_json_key_array(json, "unrevealed");
    for (int side = 0; side < CRAFT_SIDES; side++) {
        for (int k = 0; k < c->hidden[side]; k++) {
            lu_json_string(json, side ? "S" : "P");
        }
    }
    lu_json_array_end(json);
    if (c->options > 0) {
        lu_json_key_raw(json, "options", c->shown.text);
        lu_json_key_bool(json, "echoed", c->echoed);
    }
    if (c->catalyst) {
        lu_json_key_int(json, "quality", c->quality);
        lu_json_key_string(json, "catalyst", c->pack->tag_names[c->catalyst - 1]);
    }
    lu_json_key_int(json, "sockets", c->sockets);
    lu_json_key_bool(json, "corrupted", (c->flags & CRAFT_CORRUPTED) != 0);
    lu_json_key_bool(json, "sanctified", (c->flags & CRAFT_SANCTIFIED) != 0);
    lu_json_key_bool(json, "mirrored", (c->flags & CRAFT_MIRRORED) != 0);
    lu_json_object_end(json);
}

static lu_status find_mods(clip *c) {
    craft_switches switches = craft_switches_of(c->pack->about.version);
    LU_TRY(craft_pool_init(c->pool, c->pack, c->base, c->ilvl, &switches, c->error));
    for (int k = 0; k < c->pool->entries; k++) {
        c->parts[k] = clip_parts_of(c->pack->mods[c->pool->entry[k].mod].text, c->part[k]);
    }
    lu_json_array(&c->shown);
    LU_TRY(find_options(c));
    lu_json_array_end(&c->shown);
    int room[CRAFT_SIDES];
    for (int side = 0; side < CRAFT_SIDES; side++) {
        room[side] = c->pool->limit[c->rarity][side] - c->hidden[side];
        if (room[side] < 0) {
            return lu_fail(c->error, LU_BAD_DATA, "%s: more unrevealed modifiers than fit",
                           c->name);
        }
    }
    return clip_cover(c, room);
}

static lu_status read_all(clip *c, const char *text, size_t length, lu_json *json) {
    if (length > TEXT) {
        return lu_fail(c->error, LU_BAD_DATA, "%s: it is too long for one item", c->name);
    }
    LU_TRY(clip_read_lines(c, text, length));
    if (c->rarity < 0 || c->base < 0 || !c->levelled) {
        return lu_fail(c->error, LU_BAD_DATA, "%s: it has no %s; copy the item from the game",
                       c->name,
                       c->rarity < 0 ? "line 'Rarity: ...'"
                       : c->base < 0 ? "known base"
                                     : "line 'Item Level: ...'");
    }
    LU_TRY(find_mods(c));
    put_item(c, json);
    return LU_OK;
}

bool craft_is_clipboard(const char *text, size_t length) {
    size_t at = length >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;
    while (at < length && (text[at] == ' ' || text[at] == '\n' || text[at] == '\r')) {
        at++;
    }
    return at < length && text[at] != '{' && text[at] != '[';
}

lu_status craft_clipboard_read(const craft_pack *pack, const char *name, const char *text,
                               size_t length, lu_json *json, lu_error *error) {
    clip *c = lu_alloc_zero(1, sizeof *c);
    *c = (clip){.pack = pack, .name = name, .error = error, .base = -1, .rarity = -1};
    c->heads[0].side = -1;
    c->pool = lu_alloc(sizeof *c->pool);
    c->part = lu_alloc_zero(CRAFT_ENTRIES, sizeof *c->part);
    c->parts = lu_alloc_zero(CRAFT_ENTRIES, sizeof *c->parts);
    lu_status status = read_all(c, text, length, json);
    free(c->pool);
    free(c->part);
    free(c->parts);
    lu_json_free(&c->shown);
    free(c);
    return status == LU_OK ? LU_OK : LU_BAD_DATA;
}
