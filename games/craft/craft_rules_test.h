/* What the tests of craft's rules share: an item on a table, uses by name, and chances that are
 * played many times. The share of an outcome stays within 4.5 standard errors of the number that
 * was computed by enumeration over the pool, by hand, or by an independent exact program (the
 * public vectors, named there); 4.5 of them are passed by chance once in 147,000 tests. Ownership:
 * table_new gives, the test frees. Threads: one. */
#pragma once

#include "craft_apply.h"
#include "craft_target.h"

#include "test.h"

#include <stdlib.h>

/* Plays of a case; LUDUS_TEST_LONG=1: four times as many. */
static inline int plays(void) {
    return getenv("LUDUS_TEST_LONG") ? 200000 : 50000;
}

typedef struct table {
    const craft_pack *pack;
    craft_pool pool;
    craft_item item;
    lu_rng rng;
    lu_error error;
} table;

static inline table *table_new(const char *base, int ilvl, const craft_switches *switches) {
    table *t = lu_alloc_zero(1, sizeof *t);
    t->pack = craft_pack_find("poe2-0.4");
    t->rng = lu_rng_from(7);
    if (craft_pool_init(&t->pool, t->pack, craft_base_find(t->pack, base), ilvl, switches,
                        &t->error) != LU_OK) {
        lu_test_fail(__FILE__, __LINE__, "%s", t->error.text);
    }
    return t;
}

static inline table *boots(void) {
    craft_switches switches = craft_switches_of(4);
    return table_new("Blacksteel Sabatons", 82, &switches);
}

static inline int entry_named(const table *t, const char *mod) {
    int row = craft_mod_find(t->pack, mod);
    int entry = row < 0 ? CRAFT_NO_ENTRY : craft_entry_of(&t->pool, row);
    if (entry == CRAFT_NO_ENTRY) {
        lu_test_fail(__FILE__, __LINE__, "no modifier %s", mod);
        return 0;
    }
    return entry;
}

/* The item of the table: rarity and modifiers, separated by spaces. */
static inline void lay(table *t, int rarity, const char *mods) {
    char copy[512], *rest = copy;
    memset(&t->item, 0, sizeof t->item);
    t->item.rarity = (uint8_t)rarity;
    snprintf(copy, sizeof copy, "%s", mods);
    for (char *word; (word = strsep(&rest, " ")) != NULL;) {
        if (*word) {
            craft_put(&t->pool, &t->item, entry_named(t, word), 0, &t->rng);
        }
    }
}

static inline craft_effect use(table *t, const char *name, const char *omen1, const char *omen2) {
    const char *omens[] = {omen1, omen2};
    craft_effect effect;
    memset(&effect, 0, sizeof effect);
    if (craft_effect_init(&effect, &t->pool, t->pack, name, omens,
                          (omen1 != NULL) + (omen2 != NULL), &t->error) != LU_OK) {
        lu_test_fail(__FILE__, __LINE__, "%s", t->error.text);
    }
    return effect;
}

static inline int why(table *t, const char *name, const char *omen1, const char *omen2) {
    craft_effect e = use(t, name, omen1, omen2);
    return craft_why(&t->pool, &t->item, &e);
}

/* Row of a modifier; the last one asked for is kept, since the search is what takes the time. */
static inline int row_of(const table *t, const char *mod) {
    static const char *last;
    static int row;
    if (mod != last) {
        row = craft_mod_find(t->pack, mod);
        last = mod;
    }
    return row;
}

static inline bool has_mod(const table *t, const craft_item *item, const char *mod) {
    int row = row_of(t, mod);
    for (int k = 0; k < craft_item_mods(item); k++) {
        bool known = !(item->slot[k].flags & CRAFT_UNREVEALED);
        if (known && t->pool.entry[item->slot[k].entry].mod == row) {
            return true;
        }
    }
    return false;
}

static inline bool has_family(const table *t, const craft_item *item, const char *family) {
    int row = craft_family_find(t->pack, family);
    for (int k = 0; k < craft_item_mods(item); k++) {
        bool known = !(item->slot[k].flags & CRAFT_UNREVEALED);
        if (known && t->pack->mods[t->pool.entry[item->slot[k].entry].mod].family == row) {
            return true;
        }
    }
    return false;
}

/* What must hold of every item. */
static inline void check_item(const table *t, const craft_item *item) {
    craft_item again = *item;
    craft_item_sum(&t->pool, &again);
    int sides[CRAFT_SIDES] = {0};
    uint8_t families[CRAFT_POOL_FAMILIES] = {0};
    for (int k = 0; k < craft_item_mods(item); k++) {
        const craft_slot *slot = &item->slot[k];
        sides[craft_slot_side(slot)]++;
        if (!(slot->flags & CRAFT_UNREVEALED)) {
            const craft_entry *e = &t->pool.entry[slot->entry];
            CHECK_INT(families[e->family]++, 0);
            CHECK_INT(e->side, craft_slot_side(slot));
            for (int n = 0; n < CRAFT_RANGES; n++) {
                CHECK(n < e->ranges ? slot->roll[n] < e->steps[n] : slot->roll[n] == 0);
            }
        }
    }
    CHECK(memcmp(&again, item, sizeof again) == 0);
    CHECK(sides[0] == item->count[0] && sides[1] == item->count[1]);
    CHECK(item->count[0] <= t->pool.limit[item->rarity][0]);
    CHECK(item->count[1] <= t->pool.limit[item->rarity][1]);
}

typedef bool outcome(const table *t, const craft_item *item, const void *what);

static inline bool mod_there(const table *t, const craft_item *item, const void *what) {
    return has_mod(t, item, what);
}
static inline bool mod_gone(const table *t, const craft_item *item, const void *what) {
    return !has_mod(t, item, what);
}
static inline bool family_there(const table *t, const craft_item *item, const void *what) {
    return has_family(t, item, what);
}

/* Plays the effects one after the other, what cannot be used is skipped, and holds the share of the
 * outcome against `chance`. */
static inline void expect(table *t, const craft_effect *effects, int count, outcome *holds,
                          const void *what, double chance, int line) {
    int hits = 0;
    int all = plays();
    for (int k = 0; k < all; k++) {
        craft_item item = t->item;
        for (int n = 0; n < count; n++) {
            if (craft_why(&t->pool, &item, &effects[n]) == CRAFT_USABLE) {
                craft_apply(&t->pool, &item, &effects[n], &t->rng);
            }
        }
        hits += holds(t, &item, what);
        if (k < 500) {
            check_item(t, &item);
        }
    }
    double got = hits / (double)all, error = sqrt(chance * (1.0 - chance) / all);
    if (fabs(got - chance) > 4.5 * error + 1e-12) {
        lu_test_fail(__FILE__, line, "%s: %.6f, not %.6f (standard error %.6f)", (const char *)what,
                     got, chance, error);
    }
}
#define EXPECT(effects, holds, what, chance)                                                       \
    expect(t, effects, (int)(sizeof(effects) / sizeof *(effects)), holds, what, chance, __LINE__)

/* Chance that one draw gives the modifier, by walking over all of the pool. */
static inline double chance_of(const table *t, const char *mod, int floor, int rarity, int side) {
    double all = 0.0, own = 0.0;
    int at = craft_floor_of(&t->pool, floor);
    for (int i = 0; i < t->pool.entries; i++) {
        const craft_entry *e = &t->pool.entry[i];
        double weight = t->pool.floor[at].weight[i];
        bool open = e->side < 2 && craft_room(&t->pool, &t->item, rarity, e->side) > 0 &&
                    (side == CRAFT_ANY_SIDE || side == e->side);
        weight = open && !craft_has_family(&t->item, e->family) ? weight : 0.0;
        all += weight;
        own += i == entry_named(t, mod) ? weight : 0.0;
    }
    return own / all;
}

/* Two prefixes and two suffixes. */
static const char four[] __attribute__((unused)) =
    "IncreasedLife3 MovementVelocity2 FireResist2 ColdResist6";

/* A modifier of this family of tier 3 or better, 2 or better. */
static inline bool high(const table *t, const craft_item *item, const char *family, int tier) {
    static const char *last;
    static int row;
    if (family != last) {
        row = craft_family_find(t->pack, family);
        last = family;
    }
    bool found = false;
    for (int k = 0; k < craft_item_mods(item); k++) {
        const craft_entry *e = &t->pool.entry[item->slot[k].entry];
        found = found || (t->pack->mods[e->mod].family == row && e->tier <= tier);
    }
    return found;
}
static inline bool in_top_two(const table *t, const craft_item *item, const void *what) {
    return high(t, item, what, 2);
}
static inline bool in_top_three(const table *t, const craft_item *item, const void *what) {
    return high(t, item, what, 3);
}
