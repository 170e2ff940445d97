/* RePoE's mods.json with base_items.json as a pack, and plain lists of prefixes and suffixes. RePoE
 * has weights of 0 and 1: who may come is known, how often is not. */
#include "pack.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- RePoE ---- */

enum { ASKED = 1024 };

typedef struct repoe {
    pack_job *job;
    const lu_json_value *mods, *bases;
    int left;                 /* modifiers of other kinds */
    int beyond;               /* times that a tag was asked for which had no room */
    const char *asked[ASKED]; /* tags of spawn lists */
    int asked_count;
} repoe;

static bool has(const lu_json_value *list, const char *text) {
    for (size_t k = 0; k < lu_json_count(list); k++) {
        const lu_json_value *entry = lu_json_at(list, k);
        if (lu_json_kind_of(entry) == LU_JSON_STRING &&
            strcmp(lu_json_text(entry, NULL), text) == 0) {
            return true;
        }
    }
    return false;
}

static bool is_affix(const lu_json_value *mod) {
    const char *kind = pack_text(mod, "generation_type"), *domain = pack_text(mod, "domain");
    bool item = !*domain || strcmp(domain, "item") == 0 || strcmp(domain, "misc") == 0;
    return item && (strcmp(kind, "prefix") == 0 || strcmp(kind, "suffix") == 0);
}

static bool is_asked(const repoe *r, const char *tag) {
    for (int k = 0; k < r->asked_count; k++) {
        if (strcmp(r->asked[k], tag) == 0) {
            return true;
        }
    }
    return false;
}

/* Tags that spawn lists of affixes ask for. */
static void read_asked(repoe *r) {
    for (size_t k = 0; k < lu_json_count(r->mods); k++) {
        const char *id;
        const lu_json_value *mod = lu_json_member(r->mods, k, &id);
        const lu_json_value *spawn = lu_json_get(mod, "spawn_weights");
        for (size_t n = 0; n < lu_json_count(spawn) && is_affix(mod); n++) {
            const char *tag = pack_text(lu_json_at(spawn, n), "tag");
            if (is_asked(r, tag)) {
                continue;
            }
            if (r->asked_count < ASKED) {
                r->asked[r->asked_count++] = tag;
            } else {
                r->beyond++;
            }
        }
    }
}

/* Texts of a list that spawn lists ask for. */
static void put_asked(const repoe *r, const char *key, const lu_json_value *list) {
    lu_json_key_array(r->job->json, key);
    for (size_t k = 0; k < lu_json_count(list); k++) {
        const lu_json_value *tag = lu_json_at(list, k);
        if (lu_json_kind_of(tag) == LU_JSON_STRING && is_asked(r, lu_json_text(tag, NULL))) {
            lu_json_string(r->job->json, lu_json_text(tag, NULL));
        }
    }
    lu_json_array_end(r->job->json);
}

/* The pool of a base: its class, with the attributes of an armour. */
static bool pool_of(const repoe *r, const lu_json_value *base, char pool[64]) {
    int row = pack_class_of(r->job->rules, pack_text(base, "item_class"));
    const lu_json_value *tags = lu_json_get(base, "tags");
    if (row < 0 || !*pack_text(base, "name")) {
        return false;
    }
    snprintf(pool, 64, "%.40s", r->job->rules->classes[row].name);
    for (size_t k = 0; k < lu_json_count(tags); k++) {
        const lu_json_value *tag = lu_json_at(tags, k);
        const char *text = lu_json_kind_of(tag) == LU_JSON_STRING ? lu_json_text(tag, NULL) : "";
        const char *end = strstr(text, "_armour");
        bool attribute = strncmp(text, "str_", 4) == 0 || strncmp(text, "dex_", 4) == 0 ||
                         strncmp(text, "int_", 4) == 0;
        if (end && attribute && !end[7] && end - text < 16) {
            snprintf(pool + strlen(pool), 20, "_%.*s", (int)(end - text), text);
            break;
        }
    }
    for (char *at = pool; *at; at++) {
        *at = *at >= 'A' && *at <= 'Z' ? (char)(*at + 32) : *at == ' ' ? '_' : *at;
    }
    return true;
}

static void put_bases(repoe *r) {
    lu_json *json = r->job->json;
    int left = 0;
    lu_json_key_array(json, "bases");
    for (size_t k = 0; k < lu_json_count(r->bases); k++) {
        const char *id;
        const lu_json_value *base = lu_json_member(r->bases, k, &id);
        char pool[64];
        if (!pool_of(r, base, pool)) {
            left++;
            continue;
        }
        int row = pack_class_of(r->job->rules, pack_text(base, "item_class"));
        double level = pack_number(base, "drop_level", 1.0);
        lu_json_object(json);
        lu_json_key_string(json, "base", pack_text(base, "name"));
        lu_json_key_string(json, "class", r->job->rules->classes[row].name);
        lu_json_key_string(json, "pool", pool);
        lu_json_key_int(json, "req_level", level >= 0.0 && level <= 100.0 ? (int)level : 1);
        put_asked(r, "tags", lu_json_get(base, "tags"));
        lu_json_object_end(json);
        r->job->bases++;
    }
    lu_json_array_end(json);
    if (left > 0) {
        lu_text_line(&r->job->notes, "missing: %d base%s of classes that are not crafted here",
                     left, left == 1 ? "" : "s");
    }
}

/* The spawn test: the first entry whose tag the base has decides. */
static bool spawns(const lu_json_value *mod, const lu_json_value *base) {
    const lu_json_value *list = lu_json_get(mod, "spawn_weights");
    for (size_t k = 0; k < lu_json_count(list); k++) {
        const lu_json_value *entry = lu_json_at(list, k);
        if (has(lu_json_get(base, "tags"), pack_text(entry, "tag"))) {
            return pack_number(entry, "weight", 0.0) > 0.0;
        }
    }
    return false;
}

/* Weight 1 on each pool with a base where it may come. */
static void put_pools(repoe *r, const lu_json_value *mod) {
    enum { MOST = CRAFT_MAX_POOLS };
    char seen[MOST][64];
    int count = 0;
    lu_json_key_object(r->job->json, "weights");
    for (size_t k = 0; k < lu_json_count(r->bases); k++) {
        const char *id;
        const lu_json_value *base = lu_json_member(r->bases, k, &id);
        char pool[64];
        int at = 0;
        if (!spawns(mod, base) || !pool_of(r, base, pool)) {
            continue;
        }
        while (at < count && strcmp(seen[at], pool) != 0) {
            at++;
        }
        if (at == count && count < MOST) {
            memcpy(seen[count++], pool, sizeof pool);
            lu_json_key_int(r->job->json, pool, 1);
        }
    }
    lu_json_object_end(r->job->json);
}

static void put_spawn(repoe *r, const lu_json_value *mod) {
    const lu_json_value *list = lu_json_get(mod, "spawn_weights");
    lu_json_key_array(r->job->json, "spawn");
    for (size_t k = 0; k < lu_json_count(list); k++) {
        const lu_json_value *entry = lu_json_at(list, k);
        lu_json_array(r->job->json);
        lu_json_string(r->job->json, pack_text(entry, "tag"));
        lu_json_int(r->job->json, pack_number(entry, "weight", 0.0) > 0.0);
        lu_json_array_end(r->job->json);
    }
    lu_json_array_end(r->job->json);
}

/* Numbers of its stats, and their names as a text where it has none. */
static void put_stats(repoe *r, const lu_json_value *mod) {
    const lu_json_value *stats = lu_json_get(mod, "stats");
    double range[CRAFT_RANGES][2];
    int count = 0;
    lu_text line = LU_TEXT_INIT;
    for (size_t k = 0; k < lu_json_count(stats) && count < CRAFT_RANGES; k++) {
        const lu_json_value *stat = lu_json_at(stats, k);
        double low = pack_number(stat, "min", 0.0), high = pack_number(stat, "max", low);
        range[count][0] = low < high ? low : high;
        range[count++][1] = low < high ? high : low;
        lu_text_addf(&line, low < high ? "%s%s (%g-%g)" : "%s%s %g", k ? " / " : "",
                     pack_text(stat, "id"), low, high);
    }
    const char *text = pack_text(mod, "text");
    lu_json_key_string(r->job->json, "text", *text ? text : line.text);
    pack_ranges(r->job, (const double(*)[2])range, count);
    lu_text_free(&line);
}

static void put_mod(repoe *r, const char *id, const lu_json_value *mod) {
    lu_json *json = r->job->json;
    const lu_json_value *group = lu_json_at(lu_json_get(mod, "groups"), 0);
    const lu_json_value *essence = lu_json_get(mod, "is_essence_only");
    double level = pack_number(mod, "required_level", 1.0);
    const char *type = pack_text(mod, "type");
    lu_json_object(json);
    lu_json_key_string(json, "mod", id);
    lu_json_key_string(json, "name", pack_text(mod, "name"));
    lu_json_key_string(json, "ladder", *type ? type : id);
    lu_json_key_string(json, "family",
                       lu_json_kind_of(group) == LU_JSON_STRING ? lu_json_text(group, NULL) : id);
    lu_json_key_string(json, "side", *pack_text(mod, "generation_type") == 'p' ? "P" : "S");
    lu_json_key_int(json, "level", level >= 0.0 && level <= 100.0 ? (int)level : 1);
    lu_json_key_string(json, "origin",
                       lu_json_kind_of(essence) == LU_JSON_TRUE ? "essence" : "natural");
    put_stats(r, mod);
    lu_json_key_value(json, "tags", lu_json_get(mod, "implicit_tags"));
    put_asked(r, "adds", lu_json_get(mod, "adds_tags"));
    put_spawn(r, mod);
    put_pools(r, mod);
    lu_json_object_end(json);
    r->job->mods++;
}

void pack_write_repoe(pack_job *job) {
    repoe r = {
        .job = job, .mods = job->root[PACK_REPOE_MODS], .bases = job->root[PACK_REPOE_BASES]};
    read_asked(&r);
    put_bases(&r);
    lu_json_key_array(job->json, "mods");
    for (size_t k = 0; k < lu_json_count(r.mods); k++) {
        const char *id;
        const lu_json_value *mod = lu_json_member(r.mods, k, &id);
        if (is_affix(mod)) {
            put_mod(&r, id, mod);
        } else {
            r.left++;
        }
    }
    lu_json_array_end(job->json);
    if (r.beyond > 0) {
        lu_text_line(&job->notes, "missing: tags of spawn lists beyond %d, asked for %d times",
                     ASKED, r.beyond);
    }
    if (r.left > 0) {
        lu_text_line(&job->notes,
                     "missing: modifiers that aren't prefixes or suffixes of items: %d", r.left);
    }
    lu_text_line(&job->notes,
                 "missing: weights: this format only has 0 and 1, so all are equally likely");
    lu_text_line(&job->notes, "missing: what essences give");
}

/* ---- plain lists ---- */

static int highest_tier(const lu_json_value *list) {
    double most = 1.0;
    for (size_t k = 0; k < lu_json_count(list); k++) {
        double tier = pack_number(lu_json_at(list, k), "tier", 1.0);
        most = tier > most && tier <= 99.0 ? tier : most;
    }
    return (int)most;
}

static void put_plain(pack_job *job, const char *key, const char *side, int *unweighted) {
    const lu_json_value *list = lu_json_get(job->root[PACK_PLAIN], key);
    int tiers = highest_tier(list);
    for (size_t k = 0; k < lu_json_count(list); k++) {
        const lu_json_value *row = lu_json_at(list, k);
        double tier = pack_number(row, "tier", 1.0), weight = pack_number(row, "weight", 0.0);
        double range[1][2] = {{pack_number(row, "min_value", 0.0), 0.0}};
        range[0][1] = pack_number(row, "max_value", range[0][0]);
        lu_json_object(job->json);
        lu_json_key_string(job->json, "mod", pack_text(row, "id"));
        lu_json_key_string(job->json, "family", pack_text(row, "group"));
        lu_json_key_string(job->json, "ladder", pack_text(row, "group"));
        lu_json_key_string(job->json, "side", side);
        lu_json_key_int(job->json, "level",
                        tier >= 1.0 && tier <= tiers ? tiers - (int)tier + 1 : 1);
        lu_text line = LU_TEXT_INIT;
        lu_text_addf(&line, "%.60s (%g-%g)", pack_text(row, "group"), range[0][0], range[0][1]);
        lu_json_key_string(job->json, "text", line.text);
        lu_text_free(&line);
        pack_ranges(job, (const double(*)[2])range, lu_json_get(row, "min_value") ? 1 : 0);
        lu_json_key_value(job->json, "tags", lu_json_get(row, "tags"));
        lu_json_key_object(job->json, "weights");
        if (weight >= 1.0 && weight <= 65535.0) {
            lu_json_key_int(job->json, "plain", (int64_t)weight);
        } else {
            ++*unweighted;
        }
        lu_json_object_end(job->json);
        lu_json_object_end(job->json);
        job->mods++;
    }
}

void pack_write_plain(pack_job *job) {
    int unweighted = 0;
    lu_json_key_array(job->json, "bases");
    lu_json_object(job->json);
    lu_json_key_string(job->json, "base", job->base);
    lu_json_key_string(job->json, "class", job->item_class);
    lu_json_key_string(job->json, "pool", "plain");
    lu_json_object_end(job->json);
    lu_json_array_end(job->json);
    job->bases = 1;
    lu_json_key_array(job->json, "mods");
    put_plain(job, "prefixes", "P", &unweighted);
    put_plain(job, "suffixes", "S", &unweighted);
    lu_json_array_end(job->json);
    if (unweighted > 0) {
        lu_text_line(&job->notes, "missing: weights of modifiers, which are not drawn: %d",
                     unweighted);
    }
    lu_text_line(&job->notes, "missing: levels: better tiers get higher ones, counted from 1, so "
                              "that every item level of 100 allows all");
}
