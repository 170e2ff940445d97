/* Tables of sets and spreads: see craft_spread.h. */
#include "solver/craft_spread.h"

#include <stdlib.h>
#include <string.h>

/* ---- tables ---- */

enum { FIRST_ROOM = 64 };

void craft_table_init(craft_table *table) {
    *table = (craft_table){.room = FIRST_ROOM, .mask = 2 * FIRST_ROOM - 1};
    table->set = lu_alloc(FIRST_ROOM * sizeof *table->set);
    table->place = lu_alloc_zero(2 * FIRST_ROOM, sizeof *table->place);
}

void craft_table_free(craft_table *table) {
    free(table->set);
    free(table->place);
    memset(table, 0, sizeof *table);
}

static uint32_t hash_of(const craft_set *set) {
    uint64_t word[2];
    memcpy(word, set, sizeof word);
    uint64_t mixed = (word[0] ^ (word[1] << 23 | word[1] >> 41)) * UINT64_C(0x9e3779b97f4a7c15);
    mixed = (mixed ^ mixed >> 29 ^ word[1]) * UINT64_C(0xbf58476d1ce4e5b9);
    return (uint32_t)(mixed >> 32);
}

/* Few sets in a large table are taken out one by one. */
void craft_table_clear(craft_table *table) {
    if (table->count > table->mask / 16) {
        memset(table->place, 0, ((size_t)table->mask + 1) * sizeof *table->place);
        table->count = 0;
    }
    for (uint32_t k = 0; k < table->count; k++) {
        uint32_t at = hash_of(&table->set[k]) & table->mask;
        for (; table->place[at]; at = (at + 1) & table->mask) {
            table->place[at] = 0;
        }
    }
    table->count = 0;
}

static void grow(craft_table *table) {
    uint32_t places = 4 * table->room;
    table->room *= 2;
    table->mask = places - 1;
    table->set = lu_realloc(table->set, table->room * sizeof *table->set);
    free(table->place);
    table->place = lu_alloc_zero(places, sizeof *table->place);
    for (uint32_t k = 0; k < table->count; k++) {
        uint32_t at = hash_of(&table->set[k]) & table->mask;
        while (table->place[at]) {
            at = (at + 1) & table->mask;
        }
        table->place[at] = k + 1;
    }
}

uint32_t craft_table_add(craft_table *table, const craft_set *set) {
    uint32_t at = hash_of(set) & table->mask;
    for (; table->place[at]; at = (at + 1) & table->mask) {
        uint32_t known = table->place[at] - 1;
        if (memcmp(&table->set[known], set, sizeof *set) == 0) {
            return known;
        }
    }
    if (table->count == table->room) {
        grow(table);
        return craft_table_add(table, set);
    }
    table->set[table->count] = *set;
    table->place[at] = ++table->count;
    return table->count - 1;
}

/* ---- spreads ---- */

void craft_spread_init(craft_spread *spread) {
    craft_table_init(&spread->table);
    spread->room = FIRST_ROOM;
    spread->full = false;
    spread->chance = lu_alloc(FIRST_ROOM * sizeof *spread->chance);
}

void craft_spread_free(craft_spread *spread) {
    craft_table_free(&spread->table);
    free(spread->chance);
    memset(spread, 0, sizeof *spread);
}

void craft_spread_clear(craft_spread *spread) {
    craft_table_clear(&spread->table);
}

void craft_spread_add(craft_spread *spread, const craft_set *set, double chance) {
    if (spread->table.count == CRAFT_SPREAD_SETS) {
        spread->full = true;
        return;
    }
    uint32_t before = spread->table.count, at = craft_table_add(&spread->table, set);
    if (spread->table.room > spread->room) {
        spread->room = spread->table.room;
        spread->chance = lu_realloc(spread->chance, spread->room * sizeof *spread->chance);
    }
    spread->chance[at] = (at < before ? spread->chance[at] : 0.0) + chance;
}

/* What each side weighs in a draw from a set: 0 where nothing can come. */
static int weigh(const craft_sorts *s, const craft_drawing *draw, const craft_sight *sight,
                 double *weight) {
    int sides = 0;
    for (int side = 0; side < CRAFT_SIDES; side++) {
        weight[side] = 0.0;
        for (int k = 0; k < s->atoms && craft_draws_side(draw, sight, side); k++) {
            if (s->atom[k].side == side && !craft_sight_has(sight, &s->atom[k])) {
                weight[side] += craft_atom_weight(s, draw, sight, k);
            }
        }
        sides += weight[side] > 0.0 ? 1 : 0;
    }
    return sides;
}

/* Adds what one draw makes of a set; false: there is nothing to draw. */
static bool draw_one(craft_spread *into, const craft_sorts *s, const craft_drawing *draw,
                     const craft_set *set, uint16_t barred, double chance) {
    craft_sight sight = craft_sight_of(s, set);
    double weight[CRAFT_SIDES];
    sight.barred = barred;
    int sides = weigh(s, draw, &sight, weight);
    bool first = s->pool->switches.side_choice == CRAFT_SIDE_FIRST;
    for (int k = 0; k < s->atoms && sides > 0; k++) {
        const craft_atom *atom = &s->atom[k];
        double w = craft_atom_weight(s, draw, &sight, k);
        if (w > 0.0 && weight[atom->side] > 0.0 && !craft_sight_has(&sight, atom)) {
            double of = first ? weight[atom->side] * sides : weight[0] + weight[1];
            craft_set next = craft_set_with(s, set, atom->sort);
            craft_spread_add(into, &next, chance * w / of);
        }
    }
    return sides > 0;
}

/* The draws behind the first one, each on all that came before. */
static bool draw_rest(craft_spread *into, const craft_sorts *s, const craft_drawing *draw,
                      const craft_spread *from, double chance) {
    craft_spread next;
    craft_spread *to = draw->left > 1 ? &next : into;
    bool all = true;
    if (draw->left > 1) {
        craft_spread_init(&next);
    }
    for (uint32_t k = 0; k < from->table.count && all; k++) {
        craft_set set = from->table.set[k];
        all = draw_one(to, s, draw, &set, CRAFT_NO_ENTRY,
                       from->chance[k] * (draw->left > 1 ? 1.0 : chance));
    }
    if (draw->left > 1) {
        all = all && draw_rest(into, s, &s->draw[draw->then], &next, chance);
        into->full = into->full || next.full;
        craft_spread_free(&next);
    }
    return all;
}

static bool draw_all(craft_spread *into, const craft_sorts *s, const craft_drawing *draw,
                     const craft_set *set, uint16_t barred, double chance) {
    if (draw->left == 1) {
        return draw_one(into, s, draw, set, barred, chance);
    }
    craft_spread first;
    craft_spread_init(&first);
    bool all = draw_one(&first, s, draw, set, barred, 1.0) &&
               draw_rest(into, s, &s->draw[draw->then], &first, chance);
    craft_spread_free(&first);
    return all;
}

bool craft_spread_draw(craft_spread *into, const craft_sorts *s, const craft_drawing *draw,
                       const craft_set *set, double chance) {
    return draw_all(into, s, draw, set, CRAFT_NO_ENTRY, chance);
}

/* What follows once the modifiers of a branch are gone. */
static bool finish(craft_spread *into, const craft_sorts *s, const craft_branch *branch,
                   const craft_set *set, uint16_t barred, double chance) {
    craft_set next = craft_branch_end(s, branch, set);
    if (branch->then == CRAFT_THEN_DRAW) {
        return draw_all(into, s, &s->draw[branch->what], &next, barred, chance);
    }
    craft_spread_add(into, &next, chance);
    return true;
}

/* Removes one, then the others of the branch, then what follows. */
static bool remove_one(craft_spread *into, const craft_sorts *s, const craft_branch *branch,
                       const craft_set *set, uint8_t bits, int removes, double chance) {
    int count = 0;
    bool all = true, returns = s->pool->switches.removed_can_return != 0;
    for (int k = 0; k < set->count; k++) {
        count += bits >> k & 1;
    }
    for (int k = 0; k < set->count && all; k++) {
        if (bits >> k & 1) {
            craft_set less = craft_set_without(set, k);
            uint16_t entry = craft_sort_at(s, set->mod[k])->entry;
            all = removes > 1 ? remove_one(into, s, branch, &less, craft_bits_without(bits, k),
                                           removes - 1, chance / count)
                              : finish(into, s, branch, &less, returns ? CRAFT_NO_ENTRY : entry,
                                       chance / count);
        }
    }
    return all;
}

bool craft_spread_branch(craft_spread *into, const craft_sorts *s, const craft_branch *branch,
                         const craft_set *set, double chance) {
    double each = chance * branch->chance;
    return branch->removes > 0
               ? remove_one(into, s, branch, set, branch->remove, branch->removes, each)
               : finish(into, s, branch, set, CRAFT_NO_ENTRY, each);
}

bool craft_spread_use(craft_spread *into, const craft_sorts *s, const craft_use *use,
                      const craft_set *set, double chance) {
    craft_branch branch[CRAFT_BRANCHES];
    int count = craft_use_on(s, use, set, branch);
    bool all = count > 0;
    for (int k = 0; k < count && all; k++) {
        all = craft_spread_branch(into, s, &branch[k], set, chance);
    }
    return all;
}
