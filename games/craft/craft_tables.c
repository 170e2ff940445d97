/* The packs of craft, and the searches in them. */
#include "craft_data.h"

#include "ludus/settings.h"

#include <ctype.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#define COUNT(table)        ((int)(sizeof(table) / sizeof *(table)))
#define TABLE(name, number) .name = name, .number##_count = COUNT(name)
/* The packs share every table: they differ by the version of the rules. */
#define PACK(name, patch, date, source, confidence, version)                                       \
    {                                                                                              \
        .about = {name, patch, date, source, confidence, version}, .price_date = price_date,       \
        .spawn_lists = spawn_lists, .group_members = group_members, TABLE(classes, class),         \
        TABLE(bases, base), TABLE(mods, mod), TABLE(weights, weight), TABLE(currencies, currency), \
        TABLE(omens, omen), TABLE(essences, essence), TABLE(given, given), TABLE(bones, bone),     \
        TABLE(catalysts, catalyst), TABLE(groups, group), TABLE(prices, price),                    \
        TABLE(pool_names, pool), TABLE(family_names, family), TABLE(ladder_names, ladder),         \
        TABLE(tag_names, tag), TABLE(spawn_names, spawn)                                           \
    }

static const craft_pack packs[] = {CRAFT_PACK_ROWS(PACK)};

/* ---- searches ---- */

const craft_pack *craft_pack_at(int index) {
    return index >= 0 && index < COUNT(packs) ? &packs[index] : NULL;
}

const craft_pack *craft_pack_find(const char *name) {
    for (int k = 0; k < COUNT(packs); k++) {
        if (strcmp(packs[k].about.name, name) == 0) {
            return &packs[k];
        }
    }
    return NULL;
}

/* Row of a table whose first member is the name; -1 = none. */
static int find(const void *table, size_t stride, int count, const char *name,
                int (*compare)(const char *, const char *)) {
    for (int k = 0; k < count; k++) {
        const char *id;
        memcpy(&id, (const char *)table + (size_t)k * stride, sizeof id);
        if (compare(id, name) == 0) {
            return k;
        }
    }
    return -1;
}

/* As strcmp for names of things: "Exalted Orb" is exalted_orb. */
static int differ(const char *a, const char *b) {
    for (;; a++, b++) {
        a += *a == '\'';
        b += *b == '\'';
        char x = *a == ' ' || *a == '-' ? '_' : (char)tolower((unsigned char)*a);
        char y = *b == ' ' || *b == '-' ? '_' : (char)tolower((unsigned char)*b);
        if (x != y || !x) {
            return x != y;
        }
    }
}

#define FIND(function, table, number, compare)                                                     \
    int function(const craft_pack *pack, const char *name) {                                       \
        return find(pack->table, sizeof *pack->table, pack->number##_count, name, compare);        \
    }
FIND(craft_base_find, bases, base, strcasecmp)
FIND(craft_mod_find, mods, mod, strcmp)
FIND(craft_currency_find, currencies, currency, differ)
FIND(craft_omen_find, omens, omen, differ)
FIND(craft_essence_find, essences, essence, differ)
FIND(craft_bone_find, bones, bone, differ)
FIND(craft_catalyst_find, catalysts, catalyst, differ)
FIND(craft_group_find, groups, group, strcmp)
FIND(craft_pool_find, pool_names, pool, strcmp)
FIND(craft_family_find, family_names, family, strcmp)
FIND(craft_ladder_find, ladder_names, ladder, strcmp)

bool craft_same_thing(const char *id, const char *name) {
    return differ(id, name) == 0;
}

const char *craft_thing(const craft_pack *pack, const char *name) {
    int row;
    return (row = craft_currency_find(pack, name)) >= 0   ? pack->currencies[row].id
           : (row = craft_essence_find(pack, name)) >= 0  ? pack->essences[row].id
           : (row = craft_bone_find(pack, name)) >= 0     ? pack->bones[row].id
           : (row = craft_catalyst_find(pack, name)) >= 0 ? pack->catalysts[row].id
           : (row = craft_omen_find(pack, name)) >= 0     ? pack->omens[row].id
                                                          : NULL;
}

lu_status craft_no_thing(const char *what, const craft_pack *pack, const char *kind,
                         const char *name, lu_error *error) {
    enum { MOST = 512 };
    const char *names[MOST], *titles[MOST];
    char plain[96];
    size_t count = 0;
    snprintf(plain, sizeof plain, "%s", name);
    for (char *at = plain; *at; at++) {
        *at = *at == ' ' ? '_' : (char)tolower((unsigned char)*at);
    }
#define ADD(table, number)                                                                         \
    for (int k = 0; k < pack->number##_count && count < MOST; k++) {                               \
        names[count] = pack->table[k].id;                                                          \
        titles[count++] = pack->table[k].name;                                                     \
    }
    ADD(currencies, currency)
    ADD(essences, essence)
    ADD(bones, bone)
    ADD(catalysts, catalyst)
    ADD(omens, omen)
#undef ADD
    const char *near = lu_nearest(plain, names, count);
    for (size_t k = 0; near && k < count; k++) {
        near = near == names[k] ? titles[k] : near;
    }
    return lu_fail(error, LU_BAD_VALUE, "%s%s knows no %s '%s'%s%s%s", what, pack->about.name, kind,
                   name, near ? "; did you mean " : "", near ? near : "", near ? "?" : "");
}

int craft_omen_with(const craft_pack *pack, craft_line line, craft_omen_effect effect) {
    for (int k = 0; k < pack->omen_count; k++) {
        if (pack->omens[k].line == line && pack->omens[k].effect == effect) {
            return k;
        }
    }
    return -1;
}

/* ---- what follows from rows ---- */

double craft_price_of(const craft_pack *pack, const char *item) {
    int row = find(pack->prices, sizeof *pack->prices, pack->price_count, item, strcmp);
    return row < 0 ? -1.0 : pack->prices[row].exalted;
}

bool craft_in_group(const craft_pack *pack, int group, const craft_mod *mod) {
    const craft_group *g = &pack->groups[group];
    const uint16_t *member = pack->group_members + g->first;
    bool in = false;
    for (int k = 0; k < g->families; k++) {
        in = in || member[k] == mod->family;
    }
    for (int k = 0; k < g->ladders; k++) {
        in = in || member[g->families + k] == mod->ladder;
    }
    return in;
}

bool craft_spawns(const craft_pack *pack, const craft_mod *mod, uint64_t tags, uint8_t *bars) {
    *bars = 0;
    for (const uint8_t *entry = pack->spawn_lists + mod->spawn; *entry != CRAFT_SPAWN_END;
         entry++) {
        int tag = *entry & (CRAFT_SPAWN_YES - 1);
        bool yes = (*entry & CRAFT_SPAWN_YES) != 0;
        if (tags >> tag & 1u) {
            return yes;
        }
        /* an added tag that lets a modifier in is in no table: data/make.py refuses one */
        if (tag < CRAFT_ADDED_TAGS && !yes) {
            *bars |= (uint8_t)(1u << tag);
        }
    }
    return false;
}

int craft_weight_on(const craft_pack *pack, int mod, int pool) {
    for (int k = 0; k < pack->weight_count; k++) {
        const craft_weight *row = &pack->weights[k];
        if (row->mod == mod && row->pools >> pool & 1u) {
            return row->weight;
        }
    }
    return -1;
}
