/* Reads a pack of the user. Names stay where they were read; tables are lists of rows. */
#include "craft_pack_file.h"

#include "craft_pool.h"

#include "ludus/json.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    MODS_MOST = 8192,
    BASES_MOST = 4096,
    GIVEN_MOST = 8192,
    NAMES_MOST = 8192,
    TAGS_MOST = 64, /* bits of a word */
    LEAST_SPAWN = CRAFT_ADDED_TAGS + 1,
    WIDEST = 254 /* values of a number less one: rolls are bytes */
};

/* Names with numbers in the order of their coming. */
typedef struct names {
    const char **name;
    int count, room;
} names;

struct craft_pack_file {
    craft_pack pack;
    lu_json_document *document;
    names pools, families, ladders, tags, spawn;
    craft_base *bases;
    craft_mod *mods;
    craft_weight *weights;
    craft_given *given;
    uint8_t *lists; /* spawn lists */
    size_t list_bytes, list_room;
    int weight_count, weight_room, given_count;
};

typedef struct reader {
    craft_pack_file *file;
    const craft_pack *rules; /* built in */
    const char *name;        /* of the file */
    unsigned line;           /* of the row that is read */
    lu_error *error;
} reader;

/* ---- lists that grow ---- */

/* Room for one more row; `bytes` each. */
static void *grown(void *rows, int count, int *room, size_t bytes) {
    if (count < *room) {
        return rows;
    }
    *room = *room ? 2 * *room : 64;
    void *more = lu_alloc((size_t)*room * bytes);
    if (count > 0) {
        memcpy(more, rows, (size_t)count * bytes);
    }
    free(rows);
    return more;
}

static int name_find(const names *list, const char *name) {
    for (int k = 0; k < list->count; k++) {
        if (strcmp(list->name[k], name) == 0) {
            return k;
        }
    }
    return -1;
}

/* Number of a name, new ones behind the last; -1: there are `most` already. */
static int name_add(names *list, const char *name, int most) {
    int found = name_find(list, name);
    if (found >= 0 || list->count >= most) {
        return found;
    }
    list->name = grown(list->name, list->count, &list->room, sizeof *list->name);
    list->name[list->count] = name;
    return list->count++;
}

static void add_all(names *list, const char *const *from, int count) {
    for (int k = 0; k < count; k++) {
        name_add(list, from[k], NAMES_MOST);
    }
}

/* ---- values ---- */

#define REFUSE(r, ...) refuse_row((r), lu_fail((r)->error, LU_BAD_DATA, __VA_ARGS__))

/* The reason with the place before it. */
static lu_status refuse_row(const reader *r, lu_status status) {
    char reason[sizeof r->error->text];
    if (r->error) {
        memcpy(reason, r->error->text, sizeof reason);
        reason[sizeof reason - 1] = '\0';
        lu_fail(r->error, status, "%s:%u: %.180s", r->name, r->line, reason);
    }
    return status;
}

/* A text that may be missing, of at most `most` bytes. */
static lu_status text_of(const reader *r, const lu_json_value *object, const char *key,
                         const char *other, size_t most, const char **to) {
    const lu_json_value *value = lu_json_get(object, key);
    size_t length = 0;
    *to = other;
    if (!value && other) {
        return LU_OK;
    }
    if (lu_json_kind_of(value) != LU_JSON_STRING) {
        return REFUSE(r, "'%s' must be a text", key);
    }
    *to = lu_json_text(value, &length);
    if (length > most || strlen(*to) != length || (!other && length == 0)) {
        return REFUSE(r, "'%s' must be a text of 1 to %zu bytes", key, most);
    }
    return LU_OK;
}

static lu_status byte_of(const reader *r, const lu_json_value *object, const char *key, int low,
                         int high, int other, uint8_t *to) {
    int64_t number = other;
    if (lu_json_get(object, key) &&
        lu_json_get_int(object, key, low, high, &number, r->error) != LU_OK) {
        return refuse_row(r, LU_BAD_DATA);
    }
    *to = (uint8_t)number;
    return LU_OK;
}

/* Bits of the names of a list. */
static lu_status bits_of(const reader *r, const lu_json_value *list, const char *what, names *among,
                         int most, bool add, uint64_t *bits) {
    *bits = 0;
    for (size_t k = 0; k < lu_json_count(list); k++) {
        const lu_json_value *entry = lu_json_at(list, k);
        bool text = lu_json_kind_of(entry) == LU_JSON_STRING;
        const char *name = text ? lu_json_text(entry, NULL) : "";
        int bit = !*name ? -1 : add ? name_add(among, name, most) : name_find(among, name);
        if (bit < 0) {
            return REFUSE(r, "'%s': '%.40s' isn't a name of one of at most %d", what, name, most);
        }
        *bits |= UINT64_C(1) << bit;
    }
    return LU_OK;
}

/* ---- bases ---- */

static int class_find(const craft_pack *pack, const char *name) {
    for (int k = 0; k < pack->class_count; k++) {
        if (strcmp(pack->classes[k].name, name) == 0) {
            return k;
        }
    }
    return -1;
}

static lu_status read_base(reader *r, const lu_json_value *row, craft_base *base) {
    const char *class, *pool;
    craft_pack_file *f = r->file;
    LU_TRY(text_of(r, row, "base", NULL, 63, &base->name));
    LU_TRY(text_of(r, row, "class", NULL, 63, &class));
    LU_TRY(text_of(r, row, "pool", NULL, 63, &pool));
    LU_TRY(text_of(r, row, "implicit", "", 400, &base->implicit));
    int kind = class_find(r->rules, class), on = name_add(&f->pools, pool, CRAFT_MAX_POOLS);
    if (kind < 0 || on < 0) {
        return kind < 0 ? REFUSE(r, "'%.60s' isn't a class of items", class)
                        : REFUSE(r, "there are more than %d pools", CRAFT_MAX_POOLS);
    }
    bool jewel = r->rules->classes[kind].kind == CRAFT_KIND_JEWEL;
    base->item_class = (uint8_t)kind;
    base->pool = (uint8_t)on;
    base->obtainable = 1;
    LU_TRY(byte_of(r, row, "req_level", 0, 100, 1, &base->req_level));
    LU_TRY(byte_of(r, row, "quality_max", 0, 40, 20, &base->quality_max));
    LU_TRY(byte_of(r, row, "sockets_max", 0, 6, 0, &base->sockets_max));
    LU_TRY(byte_of(r, row, "rare_prefixes", 0, 5, jewel ? 2 : 3, &base->rare_limit[0]));
    LU_TRY(byte_of(r, row, "rare_suffixes", 0, 5, jewel ? 2 : 3, &base->rare_limit[1]));
    if (base->rare_limit[0] + base->rare_limit[1] > CRAFT_MODS) {
        return REFUSE(r, "a rare item has at most %d modifiers", CRAFT_MODS);
    }
    LU_TRY(bits_of(r, lu_json_get(row, "tags"), "tags", &f->spawn, TAGS_MOST, true, &base->tags));
    base->tags |= UINT64_C(1) << CRAFT_ADDED_TAGS; /* what every base has */
    return LU_OK;
}

/* ---- modifiers ---- */

static const char *const origin_words[] = {"natural", "jewel", "essence", "desecrated"};
static const char *const lord_words[] = {"none", "ulaman", "amanamu", "kurgal"};

static lu_status word_of(const reader *r, const lu_json_value *row, const char *key,
                         const char *const *words, int count, uint8_t *to) {
    const char *text;
    LU_TRY(text_of(r, row, key, words[0], 40, &text));
    for (int k = 0; k < count; k++) {
        if (strcmp(words[k], text) == 0) {
            *to = (uint8_t)k;
            return LU_OK;
        }
    }
    return REFUSE(r, "'%s': '%s' is not known", key, text);
}

/* Both bounds as whole numbers of their last decimal. */
static lu_status read_range(const reader *r, const lu_json_value *pair, craft_range *range) {
    static const double units[] = {1.0, 10.0, 100.0};
    double low = lu_json_real_or(lu_json_at(pair, 0), NAN);
    double high = lu_json_real_or(lu_json_at(pair, 1), NAN);
    for (int decimals = 0; decimals <= 2 && lu_json_count(pair) == 2; decimals++) {
        double unit = units[decimals];
        double from = round(low * unit), to = round(high * unit);
        bool whole = fabs(from - low * unit) < 1e-6 && fabs(to - high * unit) < 1e-6;
        if (whole && fabs(from) <= 32000.0 && to >= from && to - from <= WIDEST) {
            *range = (craft_range){(int16_t)from, (int16_t)to, (uint8_t)decimals};
            return LU_OK;
        }
    }
    return REFUSE(r, "a range is [low, high] of at most %d steps and two decimals", WIDEST);
}

static lu_status read_ranges(const reader *r, const lu_json_value *list, craft_mod *mod) {
    if (lu_json_count(list) > CRAFT_RANGES) {
        return REFUSE(r, "'ranges' has more than %d numbers", CRAFT_RANGES);
    }
    for (size_t k = 0; k < lu_json_count(list); k++) {
        LU_TRY(read_range(r, lu_json_at(list, k), &mod->range[k]));
        mod->ranges++;
    }
    return LU_OK;
}

static void list_add(craft_pack_file *f, uint8_t entry) {
    if (f->list_bytes == f->list_room) {
        f->list_room = f->list_room ? 2 * f->list_room : 256;
        uint8_t *more = lu_alloc(f->list_room);
        if (f->list_bytes > 0) {
            memcpy(more, f->lists, f->list_bytes);
        }
        free(f->lists);
        f->lists = more;
    }
    f->lists[f->list_bytes++] = entry;
}

/* Entries of a spawn list in their order; tags that no base and no modifier has are left out. */
static lu_status read_spawn(const reader *r, const lu_json_value *list, craft_mod *mod) {
    craft_pack_file *f = r->file;
    size_t entries = lu_json_count(list);
    if (entries == 0) {
        mod->spawn = 0; /* the first list: every base */
        return LU_OK;
    }
    if (f->list_bytes + entries + 1 > UINT16_MAX) {
        return REFUSE(r, "the spawn lists are too long in total");
    }
    mod->spawn = (uint16_t)f->list_bytes;
    for (size_t k = 0; k < entries; k++) {
        const lu_json_value *pair = lu_json_at(list, k), *tag = lu_json_at(pair, 0);
        double value = lu_json_real_or(lu_json_at(pair, 1), NAN);
        if (lu_json_kind_of(tag) != LU_JSON_STRING || !(value >= 0.0)) {
            return REFUSE(r, "'spawn' is a list of [\"tag\", 0 or 1]");
        }
        int bit = name_find(&f->spawn, lu_json_text(tag, NULL));
        if (bit >= 0 && bit < CRAFT_ADDED_TAGS && value > 0.0) {
            return REFUSE(r, "'%.40s' is added by modifiers and can only exclude others",
                          lu_json_text(tag, NULL));
        }
        if (bit >= 0) {
            list_add(f, (uint8_t)(bit | (value > 0.0 ? CRAFT_SPAWN_YES : 0)));
        }
    }
    list_add(f, CRAFT_SPAWN_END);
    return LU_OK;
}

static lu_status read_weights(const reader *r, const lu_json_value *weights, int mod) {
    craft_pack_file *f = r->file;
    for (size_t k = 0; k < lu_json_count(weights); k++) {
        const char *key;
        lu_json_member(weights, k, &key);
        int64_t weight;
        int pool = name_find(&f->pools, key);
        if (pool < 0) {
            return REFUSE(r, "'weights': no base is of the pool '%.60s'", key);
        }
        if (lu_json_get_int(weights, key, 0, UINT16_MAX, &weight, r->error) != LU_OK) {
            return refuse_row(r, LU_BAD_DATA);
        }
        f->weights = grown(f->weights, f->weight_count, &f->weight_room, sizeof *f->weights);
        f->weights[f->weight_count++] = (craft_weight){
            .mod = (uint16_t)mod,
            .weight = (uint16_t)weight,
            .source = weight == 1 ? CRAFT_WEIGHT_FLAT : CRAFT_WEIGHT_EST,
            .pools = UINT64_C(1) << pool,
        };
    }
    return LU_OK;
}

static lu_status read_mod(reader *r, const lu_json_value *row, int at) {
    craft_pack_file *f = r->file;
    craft_mod *mod = &f->mods[at];
    const char *ladder, *family, *side;
    uint64_t adds;
    LU_TRY(text_of(r, row, "mod", NULL, 100, &mod->id));
    LU_TRY(text_of(r, row, "name", "", 100, &mod->name));
    LU_TRY(text_of(r, row, "text", "", 400, &mod->text));
    LU_TRY(text_of(r, row, "ladder", mod->id, 100, &ladder));
    LU_TRY(text_of(r, row, "family", NULL, 100, &family));
    LU_TRY(text_of(r, row, "side", NULL, 1, &side));
    LU_TRY(byte_of(r, row, "level", 0, 100, 1, &mod->level));
    LU_TRY(word_of(r, row, "origin", origin_words, 4, &mod->origin));
    LU_TRY(word_of(r, row, "lord", lord_words, CRAFT_LORDS, &mod->lord));
    if (!side || (*side != 'P' && *side != 'S')) {
        return REFUSE(r, "'side' is \"P\" or \"S\"");
    }
    mod->side = *side == 'P' ? CRAFT_PREFIX : CRAFT_SUFFIX;
    int in = name_add(&f->families, family, NAMES_MOST);
    int of = name_add(&f->ladders, ladder, NAMES_MOST);
    if (in < 0 || of < 0) {
        return REFUSE(r, "there are more than %d families or ladders", NAMES_MOST);
    }
    mod->family = (uint16_t)in;
    mod->ladder = (uint16_t)of;
    LU_TRY(read_ranges(r, lu_json_get(row, "ranges"), mod));
    LU_TRY(bits_of(r, lu_json_get(row, "tags"), "tags", &f->tags, TAGS_MOST, true, &mod->tags));
    LU_TRY(bits_of(r, lu_json_get(row, "adds"), "adds", &f->spawn, TAGS_MOST, false, &adds));
    mod->adds = (uint8_t)adds;
    LU_TRY(read_spawn(r, lu_json_get(row, "spawn"), mod));
    return read_weights(r, lu_json_get(row, "weights"), at);
}

/* Tags that modifiers add are the first of the spawn test; the rest of their places stay empty. */
static lu_status read_added(reader *r, const lu_json_value *mods) {
    static const char *const empty[CRAFT_ADDED_TAGS] = {"?1", "?2", "?3", "?4", "?5"};
    names *spawn = &r->file->spawn;
    for (size_t k = 0; k < lu_json_count(mods); k++) {
        const lu_json_value *adds = lu_json_get(lu_json_at(mods, k), "adds");
        uint64_t bits;
        r->line = lu_json_line(adds);
        LU_TRY(bits_of(r, adds, "adds", spawn, CRAFT_ADDED_TAGS, true, &bits));
    }
    for (int k = 0; spawn->count < CRAFT_ADDED_TAGS; k++) {
        name_add(spawn, empty[k], TAGS_MOST);
    }
    name_add(spawn, "default", TAGS_MOST);
    return spawn->count == LEAST_SPAWN ? LU_OK : REFUSE(r, "'default' is added by no modifier");
}

/* ---- what must hold between rows ---- */

/* An id stands once. */
static lu_status check_ids(reader *r, const lu_json_value *rows) {
    for (int k = 0; k < r->file->pack.mod_count; k++) {
        const char *id = r->file->mods[k].id;
        r->line = lu_json_line(lu_json_at(rows, (size_t)k));
        if (craft_mod_find(&r->file->pack, id) != k) {
            return REFUSE(r, "'%.60s' is listed twice", id);
        }
    }
    return LU_OK;
}

/* What is drawn of a family on one pool is of one side. */
static lu_status check_sides(reader *r, const lu_json_value *rows) {
    craft_pack_file *f = r->file;
    size_t families = (size_t)f->families.count;
    uint8_t *sides = lu_alloc_zero(families * CRAFT_MAX_POOLS, 1);
    lu_status status = LU_OK;
    for (int k = 0; k < f->weight_count && status == LU_OK; k++) {
        const craft_weight *row = &f->weights[k];
        const craft_mod *mod = &f->mods[row->mod];
        bool drawn = mod->origin == CRAFT_ORIGIN_NATURAL || mod->origin == CRAFT_ORIGIN_JEWEL;
        for (size_t pool = 0; pool < CRAFT_MAX_POOLS && drawn; pool++) {
            uint8_t *side = &sides[pool * families + mod->family];
            if (row->pools >> pool & 1u) {
                *side = (uint8_t)(*side | 1u << mod->side);
            }
            if (*side == 3) {
                r->line = lu_json_line(lu_json_at(rows, row->mod));
                status = REFUSE(r, "the family of '%.60s' has prefixes and suffixes on one pool",
                                mod->id);
                break;
            }
        }
    }
    free(sides);
    return status;
}

static lu_status read_given(reader *r, const lu_json_value *row, craft_given *given) {
    const char *essence, *mod;
    uint64_t pools;
    LU_TRY(text_of(r, row, "essence", NULL, 100, &essence));
    LU_TRY(text_of(r, row, "mod", NULL, 100, &mod));
    int from = craft_essence_find(r->rules, essence), gives = craft_mod_find(&r->file->pack, mod);
    if (from < 0 || gives < 0) {
        return REFUSE(r, "'%.60s' isn't %s", from < 0 ? essence : mod,
                      from < 0 ? "an essence" : "a modifier of the pack");
    }
    LU_TRY(byte_of(r, row, "one_of", 1, 3, 1, &given->one_of));
    LU_TRY(bits_of(r, lu_json_get(row, "pools"), "pools", &r->file->pools, CRAFT_MAX_POOLS, false,
                   &pools));
    *given = (craft_given){(uint16_t)from, (uint16_t)gives, given->one_of, pools};
    return LU_OK;
}

/* ---- the whole ---- */

static lu_status list_of(reader *r, const lu_json_value *root, const char *key, size_t least,
                         size_t most, const lu_json_value **list) {
    *list = lu_json_get(root, key);
    size_t count = lu_json_count(*list);
    bool right = lu_json_kind_of(*list) == LU_JSON_ARRAY || (!*list && least == 0);
    r->line = lu_json_line(*list ? *list : root);
    if (!right || count < least || count > most) {
        return REFUSE(r, "'%s' must be a list of %zu to %zu rows", key, least, most);
    }
    return LU_OK;
}

static lu_status read_about(reader *r, const lu_json_value *root) {
    craft_source *about = &r->file->pack.about;
    const char *schema, *rules;
    r->line = lu_json_line(root);
    LU_TRY(text_of(r, root, "schema", "", 60, &schema));
    if (strcmp(schema, "ludus.craft.pack/1") != 0) {
        return REFUSE(r,
                      "'schema' is not ludus.craft.pack/1: `ludus craft pack FILE` writes a pack");
    }
    LU_TRY(text_of(r, root, "rules", "poe2-0.4", 60, &rules));
    r->rules = craft_pack_find(rules);
    if (!r->rules) {
        return REFUSE(r, "'rules': no pack '%s' is built in", rules);
    }
    r->file->pack = *r->rules;
    LU_TRY(text_of(r, root, "name", NULL, 63, &about->name));
    LU_TRY(text_of(r, root, "patch", "", 63, &about->patch));
    LU_TRY(text_of(r, root, "date", "", 40, &about->date));
    LU_TRY(text_of(r, root, "source", "", 400, &about->source));
    return text_of(r, root, "confidence", "", 400, &about->confidence);
}

static lu_status read_mods(reader *r, const lu_json_value *mods) {
    craft_pack_file *f = r->file;
    int count = (int)lu_json_count(mods);
    f->mods = lu_alloc_zero((size_t)count, sizeof *f->mods);
    list_add(f, CRAFT_ADDED_TAGS | CRAFT_SPAWN_YES);
    list_add(f, CRAFT_SPAWN_END);
    for (int k = 0; k < count; k++) {
        const lu_json_value *row = lu_json_at(mods, (size_t)k);
        r->line = lu_json_line(row);
        LU_TRY(read_mod(r, row, k));
    }
    f->pack.mods = f->mods;
    f->pack.mod_count = count;
    LU_TRY(check_ids(r, mods));
    return check_sides(r, mods);
}

static lu_status read_tables(reader *r, const lu_json_value *root) {
    craft_pack_file *f = r->file;
    const lu_json_value *bases, *mods, *given;
    LU_TRY(list_of(r, root, "bases", 1, BASES_MOST, &bases));
    LU_TRY(list_of(r, root, "mods", 1, MODS_MOST, &mods));
    LU_TRY(list_of(r, root, "essences", 0, GIVEN_MOST, &given));
    /* groups and catalysts of the rules name families, ladders and tags by number */
    add_all(&f->families, r->rules->family_names, r->rules->family_count);
    add_all(&f->ladders, r->rules->ladder_names, r->rules->ladder_count);
    add_all(&f->tags, r->rules->tag_names, r->rules->tag_count);
    LU_TRY(read_added(r, mods));
    f->bases = lu_alloc_zero(lu_json_count(bases), sizeof *f->bases);
    f->pack.base_count = (int)lu_json_count(bases);
    for (int k = 0; k < f->pack.base_count; k++) {
        const lu_json_value *row = lu_json_at(bases, (size_t)k);
        r->line = lu_json_line(row);
        LU_TRY(read_base(r, row, &f->bases[k]));
    }
    LU_TRY(read_mods(r, mods));
    f->given = lu_alloc_zero(lu_json_count(given) + 1, sizeof *f->given);
    for (; f->given_count < (int)lu_json_count(given); f->given_count++) {
        const lu_json_value *row = lu_json_at(given, (size_t)f->given_count);
        r->line = lu_json_line(row);
        LU_TRY(read_given(r, row, &f->given[f->given_count]));
    }
    return LU_OK;
}

static void put_tables(craft_pack_file *f) {
    craft_pack *pack = &f->pack;
    pack->bases = f->bases;
    pack->weights = f->weights;
    pack->weight_count = f->weight_count;
    pack->given = f->given;
    pack->given_count = f->given_count;
    pack->spawn_lists = f->lists;
    pack->pool_names = f->pools.name;
    pack->pool_count = f->pools.count;
    pack->family_names = f->families.name;
    pack->family_count = f->families.count;
    pack->ladder_names = f->ladders.name;
    pack->ladder_count = f->ladders.count;
    pack->tag_names = f->tags.name;
    pack->tag_count = f->tags.count;
    pack->spawn_names = f->spawn.name;
    pack->spawn_count = f->spawn.count;
}

craft_pack_file *craft_pack_file_read(const char *name, const char *text, size_t length,
                                      lu_error *error) {
    lu_error own;
    craft_pack_file *file = lu_alloc_zero(1, sizeof *file);
    reader r = {.file = file, .name = name, .error = error ? error : &own};
    file->document = lu_json_read(name, text, length, r.error);
    const lu_json_value *root = file->document ? lu_json_root(file->document) : NULL;
    if (!root || read_about(&r, root) != LU_OK || read_tables(&r, root) != LU_OK) {
        craft_pack_file_free(file);
        return NULL;
    }
    put_tables(file);
    return file;
}

const craft_pack *craft_pack_file_pack(const craft_pack_file *file) {
    return &file->pack;
}

void craft_pack_file_free(craft_pack_file *file) {
    if (file) {
        names *lists[] = {&file->pools, &file->families, &file->ladders, &file->tags, &file->spawn};
        for (size_t k = 0; k < sizeof lists / sizeof *lists; k++) {
            free((void *)lists[k]->name);
        }
        free(file->bases);
        free(file->mods);
        free(file->weights);
        free(file->given);
        free(file->lists);
        lu_json_close(file->document);
        free(file);
    }
}
