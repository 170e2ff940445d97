/* Sorts, atoms and weightings of a pool against a goal, and sets of them: see craft_sorts.h. */
#include "solver/craft_sorts.h"

#include "ludus/file.h"

#include <stdlib.h>
#include <string.h>

/* ---- sorts ---- */

/* Bits of the requirements that an entry hits with this roll. */
static int hits_of(const craft_goal *goal, int entry, int roll) {
    int bits = goal->hits[entry];
    for (int k = 0; k < goal->needs; k++) {
        bits &= roll < goal->from[k][entry] ? ~(1 << k) : 0xff;
    }
    return bits;
}

static craft_sort sort_for(const craft_sorts *s, int entry, int roll) {
    const craft_entry *e = &s->pool->entry[entry];
    const char *id = s->pack->mods[e->mod].id;
    return (craft_sort){
        .tags = s->tells & CRAFT_TELL_TAGS ? e->tags & ~s->untold : 0,
        .entry = (uint16_t)entry,
        .family = e->family,
        .side = e->side,
        .level = s->tells & CRAFT_TELL_LEVELS ? e->level : 0,
        .adds = e->adds,
        .hits = (uint8_t)(s->goal ? hits_of(s->goal, entry, roll) : 0),
        .forbidden = s->goal ? s->goal->forbidden[entry] : 0,
        .mark = strncmp(id, "EssenceAbyss", 12) == 0,
    };
}

/* To whoever tells only `tells` apart. */
static bool same_sort(int tells, const craft_sort *a, const craft_sort *b) {
    return a->family == b->family && a->side == b->side && a->adds == b->adds &&
           a->hits == b->hits && a->forbidden == b->forbidden && a->mark == b->mark &&
           a->lord == b->lord && a->floor == b->floor && a->shown == b->shown &&
           (!(tells & CRAFT_TELL_TAGS) || a->tags == b->tags) &&
           (!(tells & CRAFT_TELL_LEVELS) || a->level == b->level) &&
           (!(tells & CRAFT_TELL_MODS) || a->entry == b->entry);
}

int craft_sort_like(const craft_sorts *s, int sort, int tells) {
    int found = 0;
    while (!same_sort(tells, &s->sort[found], &s->sort[sort])) {
        found++;
    }
    return found;
}

static int sort_add(craft_sorts *s, const craft_sort *sort) {
    for (int k = 0; k < s->count; k++) {
        if (same_sort(s->tells, &s->sort[k], sort)) {
            return k;
        }
    }
    if (s->count == CRAFT_SORTS) {
        return -1;
    }
    s->sort[s->count] = *sort;
    return s->count++;
}

int craft_sort_of(const craft_sorts *s, int entry, int roll) {
    craft_sort sort = sort_for(s, entry, roll);
    int found = 0;
    while (found < s->count && !same_sort(s->tells, &s->sort[found], &sort)) {
        found++;
    }
    return found;
}

static int sort_hidden(craft_sorts *s, int side, int floor, int lord, int shown) {
    craft_sort sort = {.entry = CRAFT_NO_ENTRY,
                       .family = CRAFT_NO_FAMILY,
                       .side = (uint8_t)side,
                       .level = 1,
                       .lord = (uint8_t)lord,
                       .floor = (uint8_t)floor,
                       .shown = (uint8_t)shown};
    return sort_add(s, &sort);
}

int craft_sort_hidden(craft_sorts *s, int side, int floor, int lord) {
    return sort_hidden(s, side, floor, lord, CRAFT_SHOWN_NOT);
}

/* ---- atoms ---- */

static int atom_add(craft_sorts *s, int sort, int entry) {
    const craft_entry *e = &s->pool->entry[entry];
    for (int k = 0; k < s->atoms; k++) {
        if (s->atom[k].sort == sort && s->atom[k].bars == e->bars) {
            return k;
        }
    }
    s->atom[s->atoms] = (craft_atom){(uint16_t)sort, (uint16_t)entry, e->side, e->family, e->bars};
    return s->atoms++;
}

/* Each roll of the first number goes to the sort of what it hits. */
static void portion_add(craft_sorts *s, int entry) {
    const craft_entry *e = &s->pool->entry[entry];
    int steps = e->ranges > 0 ? e->steps[0] : 1, first = s->portions;
    for (int roll = 0; roll < steps; roll++) {
        craft_sort sort = sort_for(s, entry, roll);
        int atom = atom_add(s, sort_add(s, &sort), entry), k = first;
        while (k < s->portions && s->portion[k].atom != atom) {
            k++;
        }
        if (k == s->portions) {
            s->portion[s->portions++] = (craft_portion){(uint16_t)entry, (uint16_t)atom, 0.0};
        }
        s->portion[k].share += 1.0 / steps;
    }
}

static lu_status add_all(craft_sorts *s, lu_error *error) {
    const craft_pool *pool = s->pool;
    for (int side = 0; side < CRAFT_SIDES; side++) {
        for (int i = 0; i < pool->entries; i++) {
            const craft_entry *e = &pool->entry[i];
            if (e->side == side && craft_is_drawn(e) && e->weight > 0 && e->level <= pool->ilvl) {
                portion_add(s, i);
            }
        }
    }
    for (int i = 0; i < pool->entries; i++) { /* what is given, revealed or on an item as it came */
        const craft_entry *e = &pool->entry[i];
        int steps = e->ranges > 0 ? e->steps[0] : 1;
        for (int roll = 0; roll < steps && e->side < CRAFT_SIDES; roll++) {
            craft_sort sort = sort_for(s, i, roll);
            if (sort_add(s, &sort) < 0) {
                return lu_fail(error, LU_LIMIT, "the target distinguishes more than %d modifiers",
                               CRAFT_SORTS);
            }
        }
    }
    return LU_OK;
}

lu_status craft_sorts_init(craft_sorts *s, const craft_pack *pack, const craft_pool *pool,
                           const craft_goal *goal, int tells, lu_error *error) {
    memset(s, 0, sizeof *s);
    s->pack = pack;
    s->pool = pool;
    s->goal = goal;
    s->tells = tells;
    for (int k = 0; k < pack->tag_count; k++) { /* what drops shares nothing with other modifiers */
        s->untold |= strcmp(pack->tag_names[k], "drop") == 0 ? UINT64_C(1) << k : 0;
    }
    s->sort = lu_alloc(CRAFT_SORTS * sizeof *s->sort);
    s->atom = lu_alloc(CRAFT_SORTS * sizeof *s->atom);
    s->portion = lu_alloc(CRAFT_SORTS * sizeof *s->portion);
    return add_all(s, error);
}

void craft_sorts_free(craft_sorts *s) {
    for (int k = 0; k < s->weightings; k++) {
        free(s->weighting[k].weight);
    }
    free(s->sort);
    free(s->atom);
    free(s->portion);
    memset(s, 0, sizeof *s);
}

/* ---- weightings and draws ---- */

int craft_weighting_of(craft_sorts *s, int level, int tag, double factor) {
    for (int k = 0; k < s->weightings; k++) {
        const craft_weighting *w = &s->weighting[k];
        if (w->level == level && w->tag == tag && (tag < 0 || w->factor == factor)) {
            return k;
        }
    }
    if (s->weightings == CRAFT_WEIGHTINGS) {
        return -1;
    }
    craft_weighting *w = &s->weighting[s->weightings];
    *w = (craft_weighting){level, tag, factor, lu_alloc_zero((size_t)s->atoms, sizeof(double))};
    for (int k = 0; k < s->portions; k++) {
        const craft_portion *p = &s->portion[k];
        const craft_entry *e = &s->pool->entry[p->entry];
        double times = tag >= 0 && e->tags >> tag & 1u ? factor : 1.0;
        if (craft_stays(s->pool, p->entry, level)) {
            w->weight[p->atom] += e->weight * p->share * times;
        }
    }
    return s->weightings++;
}

int craft_draw_of(craft_sorts *s, int weighting, int from, bool shared, int left) {
    int then = left > 1 ? craft_draw_of(s, weighting, from, shared, left - 1) : 0;
    craft_drawing draw = {(uint8_t)weighting, (uint8_t)from, shared, (uint8_t)left, (uint8_t)then};
    for (int k = 0; k < s->draws; k++) {
        if (memcmp(&s->draw[k], &draw, sizeof draw) == 0) {
            return k;
        }
    }
    if (s->draws == CRAFT_DRAWS || weighting < 0 || then < 0) {
        return -1;
    }
    s->draw[s->draws] = draw;
    return s->draws++;
}

/* ---- sets ---- */

const craft_sort *craft_sort_at(const craft_sorts *s, uint16_t mod) {
    return &s->sort[mod & CRAFT_SET_SORT];
}

craft_set craft_set_with(const craft_sorts *s, const craft_set *set, uint16_t mod) {
    craft_set more = *set;
    int at = more.count++;
    for (; at > 0 && more.mod[at - 1] > mod && !(s->tells & CRAFT_TELL_ORDER); at--) {
        more.mod[at] = more.mod[at - 1];
    }
    more.mod[at] = mod;
    return more;
}

craft_set craft_set_without(const craft_set *set, int slot) {
    craft_set less = *set;
    for (int k = slot; k + 1 < less.count; k++) {
        less.mod[k] = less.mod[k + 1];
    }
    less.mod[--less.count] = 0;
    return less;
}

int craft_set_sided(const craft_sorts *s, const craft_set *set, int side) {
    int count = 0;
    for (int k = 0; k < set->count; k++) {
        count += craft_sort_at(s, set->mod[k])->side == side ? 1 : 0;
    }
    return count;
}

int craft_set_hits(const craft_sorts *s, const craft_set *set, uint8_t have[CRAFT_NEEDS_MAX]) {
    int all = 0;
    memset(have, 0, CRAFT_NEEDS_MAX);
    for (int i = 0; i < set->count; i++) {
        int hits = craft_sort_at(s, set->mod[i])->hits;
        for (int k = 0; k < s->goal->needs; k++) {
            bool more = hits >> k & 1 && have[k] < s->goal->count[k];
            have[k] = (uint8_t)(have[k] + (more ? 1 : 0));
            all += more ? 1 : 0;
        }
    }
    return all;
}

bool craft_set_fulfils(const craft_sorts *s, const craft_set *set) {
    const craft_goal *goal = s->goal;
    int matched[CRAFT_NEEDS_MAX] = {0};
    bool holds = true;
    for (int i = 0; i < set->count; i++) {
        const craft_sort *sort = craft_sort_at(s, set->mod[i]);
        int hits = sort->hits & (set->mod[i] & CRAFT_SET_FRACTURED ? 0xff : ~goal->fractured);
        holds = holds && !sort->forbidden;
        for (int k = 0; k < goal->needs; k++) {
            matched[k] += hits >> k & 1;
        }
    }
    for (int k = 0; k < goal->needs; k++) {
        holds = holds && matched[k] >= goal->count[k];
    }
    for (int side = 0; side < CRAFT_SIDES; side++) {
        int room = s->pool->limit[set->rarity][side] - craft_set_sided(s, set, side);
        holds = holds && room >= goal->open[side];
    }
    return holds;
}

void craft_sorts_show(craft_sorts *s, const craft_item *item, const int16_t *roll) {
    for (s->showns = 0; s->showns < CRAFT_SHOWN && item->option[s->showns]; s->showns++) {
        s->shown[s->showns].entry = (uint16_t)(item->option[s->showns] - 1);
        s->shown[s->showns].roll = roll[s->showns];
    }
}

craft_set craft_set_of(craft_sorts *s, const craft_item *item) {
    craft_set set = {.rarity = item->rarity, .final = item->flags != 0};
    int shown = !craft_is_choosing(item) ? CRAFT_SHOWN_NOT
                : item->echoed           ? CRAFT_SHOWN_AGAIN
                                         : CRAFT_SHOWN_ONCE; /* options are of the first */
    for (int k = 0; k < craft_item_mods(item); k++) {
        const craft_slot *slot = &item->slot[k];
        bool hidden = (slot->flags & CRAFT_UNREVEALED) != 0;
        int level = hidden ? (int)s->pool->floor[item->bone_floor].level : 0;
        int sort = hidden ? sort_hidden(s, craft_slot_side(slot), level, item->lord, shown)
                          : craft_sort_of(s, slot->entry, craft_first_roll(s->pool, slot));
        shown = hidden ? CRAFT_SHOWN_NOT : shown;
        int flags = (slot->flags & CRAFT_FRACTURED ? CRAFT_SET_FRACTURED : 0) |
                    (slot->flags & CRAFT_DESECRATED ? CRAFT_SET_DESECRATED : 0) |
                    (slot->flags & CRAFT_CRAFTED ? CRAFT_SET_CRAFTED : 0);
        set = craft_set_with(s, &set, (uint16_t)(sort | flags));
    }
    return set;
}

/* ---- what a draw sees ---- */

craft_sight craft_sight_of(const craft_sorts *s, const craft_set *set) {
    craft_sight sight = {.barred = CRAFT_NO_ENTRY};
    for (int side = 0; side < CRAFT_SIDES; side++) {
        sight.room[side] = s->pool->limit[set->rarity][side];
    }
    for (int k = 0; k < set->count; k++) {
        const craft_sort *sort = craft_sort_at(s, set->mod[k]);
        uint8_t room = sight.room[sort->side];
        sight.room[sort->side] = (uint8_t)(room > 0 ? room - 1 : 0);
        sight.tags |= sort->tags;
        sight.added |= sort->adds;
        if (sort->family != CRAFT_NO_FAMILY) {
            sight.family[sort->family >> 6] |= UINT64_C(1) << (sort->family & 63);
        }
    }
    return sight;
}

bool craft_draws_side(const craft_drawing *draw, const craft_sight *sight, int side) {
    int first = draw->from == CRAFT_FILL_P ? CRAFT_PREFIX : CRAFT_SUFFIX;
    switch (draw->from) {
    case CRAFT_ONLY_P:
    case CRAFT_ONLY_S:
        return side == draw->from - CRAFT_ONLY_P && sight->room[side] > 0;
    case CRAFT_FILL_P:
    case CRAFT_FILL_S:
        return sight->room[side] > 0 && (side == first || sight->room[first] == 0);
    default:
        return sight->room[side] > 0;
    }
}
