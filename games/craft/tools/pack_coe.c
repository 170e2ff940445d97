/* Craft of Exile's data as a pack: its bases are pools, its items bases, each tier of a modifier
 * that differs from the others one modifier. All its numbers are texts. */
#include "pack.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    TIERS = 96,    /* different ones of a modifier */
    UNKNOWN = 100, /* a weighting of 1 beside one of so many means that nobody knows it */
    VALUES = 3,
    POOLS = 256
};

typedef struct tier {
    const char *level, *values; /* as they are written */
} tier;

/* A base of the data, which is a pool of the pack. */
typedef struct pool {
    const char *id, *name;
    int item_class;  /* row, -1: it is not crafted here */
    bool has_items;  /* only such a pool takes weights */
    double heaviest; /* weighting */
    int most;        /* modifiers of a rare item */
} pool;

typedef struct coe {
    pack_job *job;
    const lu_json_value *data, *words;
    pool pool[POOLS];
    int pools;
    int unknown, others, silent; /* weights, modifiers that are left out */
    int beyond;                  /* rows of tiers for which there was no room */
} coe;

static const lu_json_value *seq(const lu_json_value *data, const char *key) {
    return lu_json_get(lu_json_get(data, key), "seq");
}

/* Row of a list whose member `key` is `id`; NULL = none. */
static const lu_json_value *row_of(const lu_json_value *list, const char *key, const char *id) {
    for (size_t k = 0; k < lu_json_count(list); k++) {
        if (strcmp(pack_text(lu_json_at(list, k), key), id) == 0) {
            return lu_json_at(list, k);
        }
    }
    return NULL;
}

/* A word of the language file, else what the row says itself. */
static const char *word_of(const coe *c, const char *part, const char *id, const lu_json_value *row,
                           const char *key) {
    const char *own = pack_text(row, key);
    const char *other = pack_text(lu_json_get(c->words, part), id);
    return *own ? own : other;
}

/* ---- bases ---- */

static pool *pool_of(coe *c, const char *id) {
    for (int k = 0; k < c->pools; k++) {
        if (strcmp(c->pool[k].id, id) == 0) {
            return &c->pool[k];
        }
    }
    return NULL;
}

static void read_pools(coe *c) {
    const lu_json_value *bases = seq(c->data, "bases");
    for (size_t k = 0; k < lu_json_count(bases) && c->pools < POOLS; k++) {
        const lu_json_value *base = lu_json_at(bases, k);
        const char *id = pack_text(base, "id_base");
        const char *name = word_of(c, "base", id, base, "name_base");
        const lu_json_value *group =
            row_of(seq(c->data, "bgroups"), "id_bgroup", pack_text(base, "id_bgroup"));
        double most = pack_number(group, "max_affix", 6.0);
        c->pool[c->pools++] = (pool){
            .id = id,
            .name = name,
            .item_class = pack_class_of(c->job->rules, name),
            .most = most >= 2.0 && most <= 6.0 ? (int)most : 6,
        };
    }
}

/* Heaviest weighting of each pool: beside it a weighting of 1 is no weight. */
static void read_heaviest(coe *c) {
    const lu_json_value *tiers = lu_json_get(c->data, "tiers");
    for (size_t k = 0; k < lu_json_count(tiers); k++) {
        const char *id;
        const lu_json_value *bases = lu_json_member(tiers, k, &id);
        for (size_t b = 0; b < lu_json_count(bases); b++) {
            const lu_json_value *list = lu_json_member(bases, b, &id);
            pool *on = pool_of(c, id);
            for (size_t n = 0; n < lu_json_count(list) && on; n++) {
                double weight = pack_number(lu_json_at(list, n), "weighting", 0.0);
                on->heaviest = weight > on->heaviest ? weight : on->heaviest;
            }
        }
    }
}

static void put_base(coe *c, const char *name, pool *on, double level) {
    lu_json *json = c->job->json;
    lu_json_object(json);
    lu_json_key_string(json, "base", name);
    lu_json_key_string(json, "class", c->job->rules->classes[on->item_class].name);
    lu_json_key_string(json, "pool", on->name);
    lu_json_key_int(json, "req_level", level >= 0.0 && level <= 100.0 ? (int)level : 1);
    lu_json_key_int(json, "rare_prefixes", on->most / 2);
    lu_json_key_int(json, "rare_suffixes", on->most / 2);
    lu_json_object_end(json);
    on->has_items = true;
    c->job->bases++;
}

static void put_bases(coe *c) {
    const lu_json_value *items = seq(c->data, "bitems");
    int left = 0;
    lu_json_key_array(c->job->json, "bases");
    for (size_t k = 0; k < lu_json_count(items); k++) {
        const lu_json_value *item = lu_json_at(items, k);
        const char *name = pack_text(item, "name_bitem");
        pool *on = pool_of(c, pack_text(item, "id_base"));
        if (!on || on->item_class < 0 || !*name) {
            left++;
        } else {
            put_base(c, name, on, pack_number(item, "drop_level", 1.0));
        }
    }
    lu_json_array_end(c->job->json);
    if (left > 0) {
        lu_text_line(&c->job->notes, "missing: %d base%s of classes that are not crafted here",
                     left, left == 1 ? "" : "s");
    }
}

/* ---- modifiers ---- */

/* A text that holds JSON, such as modgroups and nvalues; close the document. */
static lu_json_document *inner(const char *text) {
    return *text ? lu_json_read("inner", text, strlen(text), NULL) : NULL;
}

static int tiers_of(coe *c, const lu_json_value *bases, tier *found) {
    int count = 0;
    for (size_t b = 0; b < lu_json_count(bases); b++) {
        const char *key;
        const lu_json_value *list = lu_json_member(bases, b, &key);
        for (size_t n = 0; n < lu_json_count(list); n++) {
            tier next = {pack_text(lu_json_at(list, n), "ilvl"),
                         pack_text(lu_json_at(list, n), "nvalues")};
            int at = 0;
            while (at < count && (strcmp(found[at].level, next.level) != 0 ||
                                  strcmp(found[at].values, next.values) != 0)) {
                at++;
            }
            if (at == count && count < TIERS) {
                found[count++] = next;
            } else if (at == count) {
                c->beyond++;
            }
        }
    }
    return count;
}

/* Weights of one tier by pool; how many there are. */
static int put_weights(coe *c, const lu_json_value *bases, const tier *which, bool drawn) {
    int count = 0;
    lu_json_key_object(c->job->json, "weights");
    for (size_t b = 0; b < lu_json_count(bases); b++) {
        const char *id;
        const lu_json_value *list = lu_json_member(bases, b, &id);
        const pool *on = pool_of(c, id);
        for (size_t n = 0; n < lu_json_count(list) && on && on->has_items; n++) {
            const lu_json_value *entry = lu_json_at(list, n);
            double weight = pack_number(entry, "weighting", 0.0);
            if (strcmp(pack_text(entry, "ilvl"), which->level) != 0 ||
                strcmp(pack_text(entry, "nvalues"), which->values) != 0) {
                continue;
            }
            bool told = weight > 1.0 || (weight >= 1.0 && (on->heaviest < UNKNOWN || !drawn));
            if (told && weight <= 65535.0) {
                lu_json_key_int(c->job->json, on->name, (int64_t)weight);
                count++;
            } else {
                c->unknown++;
            }
            break;
        }
    }
    lu_json_object_end(c->job->json);
    return count;
}

/* Pairs of numbers of nvalues: [[1,2],[3,4]], [1,2] or [5]. */
static int read_values(const char *text, double range[VALUES][2]) {
    lu_json_document *document = inner(text);
    const lu_json_value *list = document ? lu_json_root(document) : NULL;
    bool flat = lu_json_kind_of(lu_json_at(list, 0)) == LU_JSON_NUMBER;
    int count = 0;
    for (size_t k = 0; k < lu_json_count(list) && count < VALUES; k += flat ? 2 : 1) {
        const lu_json_value *pair = lu_json_at(list, k);
        double low = lu_json_real_or(flat ? pair : lu_json_at(pair, 0), 0.0);
        double high = lu_json_real_or(flat ? lu_json_at(list, k + 1) : lu_json_at(pair, 1), low);
        range[count][0] = low < high ? low : high;
        range[count++][1] = low < high ? high : low;
    }
    lu_json_close(document);
    return count;
}

/* The text with ranges in the place of its marks. */
static void put_text(coe *c, const char *text, double range[VALUES][2], int count) {
    lu_text line = LU_TEXT_INIT;
    int next = 0;
    for (const char *at = text; *at; at++) {
        if (*at == '#' && next < count && range[next][0] < range[next][1]) {
            lu_text_addf(&line, "(%g-%g)", range[next][0], range[next][1]);
            next++;
        } else if (*at == '#' && next < count) {
            lu_text_addf(&line, "%g", range[next++][0]);
        } else {
            lu_text_add_char(&line, *at);
        }
    }
    lu_json_key_string(c->job->json, "text", line.text);
    lu_text_free(&line);
}

static void put_tags(coe *c, const char *types) {
    const lu_json_value *list = seq(c->data, "mtypes");
    lu_json_key_array(c->job->json, "tags");
    for (size_t k = 0; k < lu_json_count(list); k++) {
        const lu_json_value *type = lu_json_at(list, k);
        char id[40], tag[40];
        snprintf(id, sizeof id, "|%.30s|", pack_text(type, "id_mtype"));
        if (strstr(types, id)) {
            snprintf(tag, sizeof tag, "%.36s", pack_text(type, "name_mtype"));
            for (char *at = tag; *at; at++) {
                *at = *at >= 'A' && *at <= 'Z' ? (char)(*at + 32) : *at == ' ' ? '_' : *at;
            }
            lu_json_string(c->job->json, tag);
        }
    }
    lu_json_array_end(c->job->json);
}

/* Whether a text with # for its numbers reads as a modifier's, whose ranges stand in brackets. */
static bool reads_as(const char *shape, const char *text) {
    while (*shape && *text) {
        const char *close = *text == '(' ? strchr(text, ')') : NULL;
        size_t number = close ? (size_t)(close - text) + 1 : strspn(text, "0123456789.");
        if (*shape != (number ? '#' : *text)) {
            return false;
        }
        text += number ? number : 1;
        shape++;
    }
    return *shape == *text;
}

/* The ladder of the built-in tables that has this family and reads like this, so that what targets
 * call it fits here too; NULL: none. */
static const char *known_ladder(const craft_pack *rules, const char *family, const char *shape) {
    int own = craft_family_find(rules, family);
    for (int k = 0; k < rules->mod_count && own >= 0; k++) {
        const craft_mod *mod = &rules->mods[k];
        if (mod->family == own && reads_as(shape, mod->text)) {
            return rules->ladder_names[mod->ladder];
        }
    }
    return NULL;
}

/* Its family is the first of its groups; a modifier without one is a family of its own. */
static void put_kind(coe *c, const char *groups, const char *id, const char *shape) {
    lu_json_document *document = inner(groups);
    const lu_json_value *first = document ? lu_json_at(lu_json_root(document), 0) : NULL;
    char own[80];
    snprintf(own, sizeof own, "coe_%.60s", id);
    const char *family = lu_json_kind_of(first) == LU_JSON_STRING ? lu_json_text(first, NULL) : own;
    const char *ladder = known_ladder(c->job->rules, family, shape);
    lu_json_key_string(c->job->json, "ladder", ladder ? ladder : own);
    lu_json_key_string(c->job->json, "family", family);
    lu_json_close(document);
}

static void put_tier(coe *c, const lu_json_value *row, const char *origin,
                     const lu_json_value *bases, const tier *t, int number) {
    lu_json *json = c->job->json;
    const char *id = pack_text(row, "id_modifier");
    const char *text = word_of(c, "mod", id, row, "name_modifier");
    double range[VALUES][2] = {{0}}, level = strtod(t->level, NULL);
    int count = read_values(t->values, range);
    char name[100];
    lu_json_object(json);
    snprintf(name, sizeof name, "coe_%.60s_%d", id, number);
    lu_json_key_string(json, "mod", name);
    put_kind(c, pack_text(row, "modgroups"), id, text);
    lu_json_key_string(json, "side", *pack_text(row, "affix") == 'p' ? "P" : "S");
    lu_json_key_int(json, "level", level >= 0.0 && level <= 100.0 ? (int)level : 1);
    lu_json_key_string(json, "origin", origin);
    put_text(c, text, range, count);
    pack_ranges(c->job, (const double(*)[2])range, count);
    put_tags(c, pack_text(row, "mtypes"));
    c->silent += put_weights(c, bases, t, strcmp(origin, "natural") == 0) == 0;
    lu_json_object_end(json);
    c->job->mods++;
}

static const char *origin_of(const lu_json_value *row) {
    const char *group = pack_text(row, "id_mgroup");
    return strcmp(group, "1") == 0    ? "natural"
           : strcmp(group, "10") == 0 ? "desecrated"
           : strcmp(group, "13") == 0 ? "essence"
                                      : NULL;
}

static void put_mods(coe *c) {
    const lu_json_value *list = seq(c->data, "modifiers"), *tiers = lu_json_get(c->data, "tiers");
    lu_json_key_array(c->job->json, "mods");
    for (size_t k = 0; k < lu_json_count(list); k++) {
        const lu_json_value *row = lu_json_at(list, k);
        const lu_json_value *bases = lu_json_get(tiers, pack_text(row, "id_modifier"));
        const char *affix = pack_text(row, "affix"), *origin = origin_of(row);
        bool sided = strcmp(affix, "prefix") == 0 || strcmp(affix, "suffix") == 0;
        tier found[TIERS];
        if (!sided || !origin || lu_json_kind_of(bases) != LU_JSON_OBJECT) {
            c->others++;
            continue;
        }
        int count = tiers_of(c, bases, found);
        for (int n = 0; n < count; n++) {
            put_tier(c, row, origin, bases, &found[n], n + 1);
        }
    }
    lu_json_array_end(c->job->json);
}

/* ---- bench costs ---- */

static int by_size(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Costs of a crafting bench, {"benchcosts":{"modifier":{"chaos_orb":2}}}: the middle one is what a
 * price file may have as `bench`. */
static void note_bench(pack_job *job) {
    const lu_json_value *costs = lu_json_get(job->root[PACK_COE_COMMON], "benchcosts");
    double *cost = lu_alloc((lu_json_count(costs) + 1) * sizeof *cost);
    int count = 0, unpriced = 0;
    for (size_t k = 0; k < lu_json_count(costs); k++) {
        const char *key;
        const lu_json_value *one = lu_json_member(costs, k, &key);
        double sum = 0.0;
        for (size_t n = 0; n < lu_json_count(one) && sum >= 0.0; n++) {
            lu_json_member(one, n, &key);
            double price = craft_price_of(job->rules, key);
            sum = price < 0.0 ? -1.0 : sum + price * pack_number(one, key, 0.0);
        }
        unpriced += sum < 0.0;
        if (sum >= 0.0) {
            cost[count++] = sum;
        }
    }
    qsort(cost, (size_t)count, sizeof *cost, by_size);
    if (count > 0) {
        lu_text_line(&job->notes,
                     "read: %d bench cost%s, with a median of %.4g exalted: put it into a price "
                     "file as 'bench'",
                     count, count == 1 ? "" : "s", cost[count / 2]);
    }
    if (unpriced > 0) {
        lu_text_line(&job->notes, "missing: the price of %d bench cost%s", unpriced,
                     unpriced == 1 ? "" : "s");
    }
    free(cost);
}

void pack_write_coe(pack_job *job) {
    coe c = {.job = job, .data = job->root[PACK_COE_DATA], .words = job->root[PACK_COE_WORDS]};
    read_pools(&c);
    read_heaviest(&c);
    put_bases(&c);
    put_mods(&c);
    note_bench(job);
    if (c.others > 0) {
        lu_text_line(&job->notes,
                     "missing: modifiers that aren't prefixes or suffixes of bases, desecration "
                     "or essences, or have no tiers: %d",
                     c.others);
    }
    if (c.beyond > 0) {
        lu_text_line(&job->notes, "missing: rows of tiers beyond %d of one modifier: %d", TIERS,
                     c.beyond);
    }
    if (c.unknown > 0) {
        lu_text_line(&job->notes,
                     "missing: %d unknown weight%s (given as 1 or not at all): not drawn there",
                     c.unknown, c.unknown == 1 ? "" : "s");
    }
    if (c.silent > 0) {
        lu_text_line(&job->notes, "missing: any weight of %d tier%s", c.silent,
                     c.silent == 1 ? "" : "s");
    }
    lu_text_line(&job->notes, "missing: spawn lists, added tags, implicits and what essences give "
                              "are not in this format");
}
