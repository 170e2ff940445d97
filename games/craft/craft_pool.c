/* Makes the pool of a base: membership by the spawn test, tiers, weights under each floor, and the
 * tables to draw by. */
#include "craft_pool.h"

#include <stdlib.h>
#include <string.h>

craft_switches craft_switches_of(int version) {
    return (craft_switches){
        .version = version,
        .floor_needs_ilvl = 1,
        .alchemy_on_magic = version >= 5 ? CRAFT_ALCHEMY_KEEP : CRAFT_ALCHEMY_OFF,
        .removed_can_return = 1,
        .essence_blocked_by_family = 1,
        .bone_side = CRAFT_SIDE_FIRST,
        .reveal_gate_65 = 1,
        .fracture_unrevealed_counts = 1,
        .reveal_exclusive = {0.80, 0.15, 0.05},
        .vaal_outcomes = {0.25, 0.25, 0.25, 0.25},
    };
}

/* ---- entries ---- */

typedef struct place {
    const craft_mod *mod;
    uint16_t row;
    uint16_t weight; /* 0: in the pool, but not drawn on this base */
    uint8_t bars;
    uint8_t origin; /* craft_origin; of what only essences bring into the pool: essence */
} place;

/* Order of entries: what is drawn, by side, then the rest by origin. */
static int part_of(const place *at) {
    bool drawn = at->origin == CRAFT_ORIGIN_NATURAL || at->origin == CRAFT_ORIGIN_JEWEL;
    return drawn ? at->mod->side : 2 + at->origin * 4 + at->mod->side;
}

static int by_place(const void *a, const void *b) {
    const place *p = a, *q = b;
    const craft_mod *x = p->mod, *y = q->mod;
    int part = part_of(p) - part_of(q);
    int family = part ? part : x->family - y->family;
    int ladder = family ? family : x->ladder - y->ladder;
    int level = ladder ? ladder : y->level - x->level;
    return level ? level : p->row - q->row;
}

/* Modifiers of the base's pool, of its essences and of its corruption. `places` has room for all
 * modifiers of the pack. */
static int gather(const craft_pack *pack, const craft_base *base, place *places) {
    int count = 0;
    for (int k = 0; k < pack->mod_count; k++) {
        places[k] = (place){.mod = NULL, .row = (uint16_t)k};
    }
    for (int k = 0; k < pack->weight_count; k++) {
        const craft_weight *row = &pack->weights[k];
        if (row->pools >> base->pool & 1u) {
            places[row->mod].mod = &pack->mods[row->mod];
            places[row->mod].weight = row->weight;
            places[row->mod].origin = places[row->mod].mod->origin;
        }
    }
    for (int k = 0; k < pack->given_count; k++) {
        place *at = &places[pack->given[k].mod];
        if (!at->mod && pack->given[k].pools >> base->pool & 1u) {
            at->mod = &pack->mods[pack->given[k].mod];
            at->origin = CRAFT_ORIGIN_ESSENCE;
        }
    }
    for (int k = 0; k < pack->mod_count; k++) {
        place at = places[k];
        const craft_mod *mod = &pack->mods[k];
        bool spawns = craft_spawns(pack, mod, base->tags, &at.bars);
        if (spawns && mod->origin == CRAFT_ORIGIN_CORRUPTED) {
            at.mod = mod;
            at.origin = mod->origin;
        }
        at.weight = spawns ? at.weight : 0;
        if (at.mod) {
            places[count++] = at; /* never behind the row that is read */
        }
    }
    qsort(places, (size_t)count, sizeof *places, by_place);
    return count;
}

static void entry_fill(craft_entry *entry, const place *from, bool flat) {
    const craft_mod *mod = from->mod;
    *entry = (craft_entry){
        .tags = mod->tags,
        .mod = from->row,
        .weight = flat && from->weight > 0 ? 1 : from->weight,
        .side = mod->side,
        .level = mod->level,
        .origin = from->origin,
        .lord = mod->lord,
        .adds = mod->adds,
        .bars = from->weight > 0 ? from->bars : 0,
        .ranges = mod->ranges,
        .low = mod->range[0].low,
    };
    for (int k = 0; k < mod->ranges; k++) {
        entry->steps[k] = (uint8_t)(mod->range[k].high - mod->range[k].low + 1);
    }
}

/* Number of entry i's family or ladder inside the pool: that of an earlier entry, or the next. */
static int number_of(const place *places, int i, int *next, const craft_entry *entry, bool family) {
    for (int j = i - 1; j >= 0; j--) {
        const craft_mod *a = places[i].mod, *b = places[j].mod;
        bool part = part_of(&places[i]) == part_of(&places[j]);
        if (family ? a->family == b->family : a->ladder == b->ladder && part) {
            return family ? entry[j].family : entry[j].ladder;
        }
    }
    return (*next)++;
}

/* Tiers: levels of a ladder from the highest down. */
static void count_tiers(craft_pool *pool) {
    for (int i = 0; i < pool->entries; i++) {
        craft_entry *e = &pool->entry[i];
        int above = 0, all = 0, last = -1;
        for (int j = 0; j < pool->entries; j++) {
            const craft_entry *o = &pool->entry[j];
            if (o->ladder == e->ladder && o->level != last) {
                last = o->level;
                all++;
                above += o->level > e->level ? 1 : 0;
            }
        }
        e->tier = (uint8_t)(above + 1);
        e->tiers = (uint8_t)all;
    }
}

static lu_status init_entries(craft_pool *pool, const craft_pack *pack, const craft_base *base,
                              place *places, lu_error *error) {
    int count = gather(pack, base, places);
    pool->entries = count;
    if (count > CRAFT_ENTRIES) {
        return lu_fail(error, LU_LIMIT, "%s: %d modifiers of its pool are more than %d", base->name,
                       count, CRAFT_ENTRIES);
    }
    for (int i = 0; i < count; i++) {
        craft_entry *e = &pool->entry[i];
        entry_fill(e, &places[i], pool->switches.flat_weights);
        e->family = (uint8_t)number_of(places, i, &pool->families, pool->entry, true);
        e->ladder = (uint8_t)number_of(places, i, &pool->ladders, pool->entry, false);
        if (pool->families > CRAFT_POOL_FAMILIES) {
            break; /* refused below */
        }
        if (craft_is_drawn(e)) {
            pool->drawn[e->side]++;
            pool->family_side[e->family] = e->side;
        }
        pool->corruptions += e->origin == CRAFT_ORIGIN_CORRUPTED ? 1 : 0;
    }
    if (pool->drawn[0] + pool->drawn[1] == 0) {
        return lu_fail(error, LU_BAD_VALUE, "%s: no modifiers are known for %s", pack->about.name,
                       base->name);
    }
    if (pool->families > CRAFT_POOL_FAMILIES || pool->ladders > UINT8_MAX ||
        pool->drawn[0] > CRAFT_ENTRIES / 2 || pool->drawn[1] > CRAFT_ENTRIES / 2) {
        return lu_fail(error, LU_LIMIT, "%s: its pool has too many modifiers or families",
                       base->name);
    }
    count_tiers(pool);
    return LU_OK;
}

/* ---- floors ---- */

bool craft_stays(const craft_pool *pool, int i, int level) {
    const craft_entry *e = &pool->entry[i];
    bool absolute = pool->switches.floor_mode == CRAFT_KEEP_ABSOLUTE_TOP;
    int best = -1;
    if (!craft_is_drawn(e) || e->weight == 0 || e->level > pool->ilvl) {
        return false;
    }
    if (e->level >= level || pool->switches.floor_mode == CRAFT_STRICT) {
        return e->level >= level;
    }
    for (int j = 0; j < pool->entries; j++) {
        const craft_entry *o = &pool->entry[j];
        bool counts = o->ladder == e->ladder && o->weight > 0;
        if (counts && (absolute || o->level <= pool->ilvl) && o->level > best) {
            best = o->level;
        }
    }
    return best < level && e->level == best;
}

/* Cells so that `own` and `other` together give each entry its weight: cells of small entries are
 * filled up by large ones. */
static void fill_cells(craft_floor *f, int side, int first, int count) {
    uint64_t left[CRAFT_ENTRIES / 2] = {0}; /* weight still to place, in parts of 1 / cells */
    uint16_t list[CRAFT_ENTRIES / 2] = {0};
    int cells = 0, small = 0, large = 0;
    uint16_t stack[2][CRAFT_ENTRIES / 2] = {{0}};
    for (int i = first; i < first + count; i++) {
        if (f->weight[i] > 0) {
            list[cells++] = (uint16_t)i;
        }
    }
    f->cells[side] = (uint32_t)cells;
    for (int k = 0; k < cells; k++) {
        left[k] = (uint64_t)f->weight[list[k]] * (uint64_t)cells;
        if (left[k] < f->total[side]) {
            stack[0][small++] = (uint16_t)k;
        } else {
            stack[1][large++] = (uint16_t)k;
        }
    }
    for (int c = 0; c < cells; c++) {
        int from = small > 0 ? stack[0][--small] : stack[1][--large];
        craft_cell *cell = &f->cell[side][c];
        *cell = (craft_cell){(uint32_t)left[from], list[from], list[from]};
        if (left[from] < f->total[side]) {
            int giver = stack[1][large - 1];
            cell->other = list[giver];
            left[giver] -= f->total[side] - left[from];
            if (left[giver] < f->total[side]) {
                large--;
                stack[0][small++] = (uint16_t)giver;
            }
        }
    }
}

static void fill_floor(craft_pool *pool, int level) {
    craft_floor *f = &pool->floor[pool->floors++];
    f->level = (uint32_t)level;
    for (int i = 0; i < pool->entries; i++) {
        const craft_entry *e = &pool->entry[i];
        if (craft_stays(pool, i, level)) {
            f->weight[i] = e->weight;
            f->families[e->side] += f->family[e->family] == 0 ? 1 : 0;
            f->family[e->family] += e->weight;
            f->total[e->side] += e->weight;
        }
    }
    fill_cells(f, CRAFT_PREFIX, 0, pool->drawn[CRAFT_PREFIX]);
    fill_cells(f, CRAFT_SUFFIX, pool->drawn[CRAFT_PREFIX], pool->drawn[CRAFT_SUFFIX]);
}

/* A floor for each level that a currency or bone of the version has. */
static void init_floors(craft_pool *pool, const craft_pack *pack) {
    int version = pool->switches.version - 3;
    fill_floor(pool, 0);
    for (int k = 0; k < pack->currency_count; k++) {
        int level = pack->currencies[k].floor[version];
        if (craft_floor_of(pool, level) < 0 && pool->floors < CRAFT_POOL_FLOORS) {
            fill_floor(pool, level);
        }
    }
    for (int k = 0; k < pack->bone_count; k++) {
        int level = pack->bones[k].floor;
        if (craft_floor_of(pool, level) < 0 && pool->floors < CRAFT_POOL_FLOORS) {
            fill_floor(pool, level);
        }
    }
}

/* ---- the whole ---- */

/* Values of the first range of an implicit's text, "(20-30)% ..." or "(1.5-2.5)% ...". */
static int implicit_steps(const char *text) {
    const char *open = strchr(text, '(');
    const char *dash = open ? strchr(open, '-') : NULL;
    if (!dash) {
        return 0;
    }
    double low = strtod(open + 1, NULL), high = strtod(dash + 1, NULL);
    double unit = low != (int)low || high != (int)high ? 10.0 : 1.0;
    int steps = (int)((high - low) * unit + 1.5);
    return steps > 1 && steps <= UINT8_MAX ? steps : 0;
}

static void init_limits(craft_pool *pool, const craft_base *base) {
    for (int side = 0; side < CRAFT_SIDES; side++) {
        int rare = base->rare_limit[side];
        int shift = pool->switches.magic_limit_shift ? rare - 3 : 0;
        shift = pool->kind == CRAFT_KIND_JEWEL ? 0 : shift;
        int magic = 1 + shift;
        pool->limit[CRAFT_MAGIC][side] = (uint8_t)(magic < 0 ? 0 : magic);
        pool->limit[CRAFT_RARE][side] = (uint8_t)rare;
    }
}

lu_status craft_pool_init(craft_pool *pool, const craft_pack *pack, int base, int ilvl,
                          const craft_switches *switches, lu_error *error) {
    const craft_base *row = &pack->bases[base];
    memset(pool, 0, sizeof *pool);
    pool->switches = *switches;
    pool->base = base;
    pool->ilvl = ilvl;
    pool->kind = pack->classes[row->item_class].kind;
    pool->implicit_steps = implicit_steps(row->implicit);
    /* catalysts work on rings and amulets alone */
    bool belt = strcmp(pack->classes[row->item_class].name, "Belt") == 0;
    pool->quality_most = pool->kind == CRAFT_KIND_JEWELLERY && !belt ? row->quality_max : 0;
    for (int tag = 0; tag < pack->tag_count; tag++) {
        bool loose = strcmp(pack->tag_names[tag], "drop") == 0;
        pool->loose_tags |= (uint64_t)loose << tag;
    }
    init_limits(pool, row);
    place *places = lu_alloc((size_t)pack->mod_count * sizeof *places);
    lu_status status = init_entries(pool, pack, row, places, error);
    free(places);
    if (status == LU_OK) {
        init_floors(pool, pack);
    }
    return status;
}

int craft_entry_of(const craft_pool *pool, int mod) {
    for (int i = 0; i < pool->entries; i++) {
        if (pool->entry[i].mod == mod) {
            return i;
        }
    }
    return CRAFT_NO_ENTRY;
}

int craft_floor_of(const craft_pool *pool, int level) {
    for (int k = 0; k < pool->floors; k++) {
        if (pool->floor[k].level == (uint32_t)level) {
            return k;
        }
    }
    return -1;
}

int craft_essence_gives(const craft_pool *pool, const craft_pack *pack, int essence,
                        uint16_t entries[3]) {
    int count = 0, on = pack->bases[pool->base].pool;
    for (int k = 0; k < pack->given_count && count < 3; k++) {
        const craft_given *row = &pack->given[k];
        if (row->essence == essence && row->pools >> on & 1u) {
            entries[count++] = (uint16_t)craft_entry_of(pool, row->mod);
        }
    }
    return count;
}
