/* The packs of craft, and the searches in them. */
#include "craft_data.h"

#include <stddef.h>
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

#define FIND(function, table, number, compare)                                                     \
    int function(const craft_pack *pack, const char *name) {                                       \
        return find(pack->table, sizeof *pack->table, pack->number##_count, name, compare);        \
    }
FIND(craft_base_find, bases, base, strcasecmp)
FIND(craft_mod_find, mods, mod, strcmp)
FIND(craft_currency_find, currencies, currency, strcmp)
FIND(craft_omen_find, omens, omen, strcmp)
FIND(craft_essence_find, essences, essence, strcmp)
FIND(craft_bone_find, bones, bone, strcmp)
FIND(craft_catalyst_find, catalysts, catalyst, strcmp)
FIND(craft_group_find, groups, group, strcmp)
FIND(craft_pool_find, pool_names, pool, strcmp)
FIND(craft_family_find, family_names, family, strcmp)
FIND(craft_ladder_find, ladder_names, ladder, strcmp)

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
