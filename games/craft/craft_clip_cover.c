/* Covers lines of an item by modifiers of its pool: one cover is the item, two are a question. */
#include "craft_clip.h"

#include <string.h>

enum { WAYS = 20000 }; /* partial covers that are looked at: no item of the game has as many */

/* Whether a line may be a part: the same words, each number within its range. What a catalyst
 * strengthens is shown with its quality. */
static bool line_fits(const clip *c, const clip_line *l, const clip_shape *part, uint64_t tags) {
    bool strong = c->catalyst && tags >> (c->catalyst - 1) & 1u;
    double factor = strong ? 1.0 + c->quality / 100.0 : 1.0;
    if (l->shape.numbers != part->numbers || strcmp(l->shape.text, part->text) != 0) {
        return false;
    }
    for (int k = 0; k < part->numbers; k++) {
        double value = l->shape.low[k], slack = strong ? 1.0 : 1e-9;
        bool plain = value >= part->low[k] - 1e-9 && value <= part->high[k] + 1e-9;
        bool more =
            value >= part->low[k] * factor - slack && value <= part->high[k] * factor + slack;
        if (!plain && !(strong && more)) {
            return false;
        }
    }
    return true;
}

/* What the header of a line says, as far as it is asked. */
static bool head_fits(const clip *c, const clip_line *l, const craft_entry *e) {
    const clip_head *h = &c->heads[l->head];
    const craft_mod *mod = &c->pack->mods[e->mod];
    bool told = h->side >= 0;
    if (e->side >= CRAFT_SIDES || (told && h->side != e->side)) {
        return false;
    }
    if (c->level < 2) {
        bool desecrated = (l->flags & CRAFT_DESECRATED) != 0;
        bool origin = craft_is_drawn(e) || (desecrated && e->origin == CRAFT_ORIGIN_DESECRATED);
        bool named = !told || !*h->name || strcmp(h->name, mod->name) == 0;
        bool tiered = c->level == 1 || !told || h->tier == 0 || h->tier == e->tier;
        return origin && named && tiered;
    }
    return true;
}

/* Finds the lines of an entry, the first of them `from`; false: some part has none. */
static bool place(const clip *c, int entry, int from, const bool *used, clip_hit *h) {
    const craft_entry *e = &c->pool->entry[entry];
    bool mine[CLIP_LINES] = {false};
    h->entry = entry;
    h->parts = c->parts[entry];
    for (int p = 0; p < h->parts; p++) {
        h->part[p] = -1;
        for (int k = from; k < c->line_count && h->part[p] < 0; k++) {
            if (!used[k] && !mine[k] && c->lines[k].head == c->lines[from].head &&
                line_fits(c, &c->lines[k], &c->part[entry][p], e->tags)) {
                h->part[p] = k;
                mine[k] = true;
            }
        }
        if (h->part[p] < 0) {
            return false;
        }
    }
    const clip_head *own = &c->heads[c->lines[from].head];
    return h->parts > 0 && mine[from] && (own->side < 0 || own->lines == h->parts);
}

/* A cover is complete: the first is kept, what differs from it is remembered. */
static void take_cover(clip *c) {
    if (c->found++ == 0) {
        memcpy(c->first, c->now, sizeof c->first);
        c->first_count = c->depth;
        return;
    }
    for (int k = 0; k < c->depth && c->clash < 0; k++) {
        bool same = false;
        for (int n = 0; n < c->first_count; n++) {
            same = same || c->first[n].entry == c->now[k].entry;
        }
        if (!same) {
            c->clash = c->now[k].part[0];
            c->clash_entry = c->now[k].entry;
        }
    }
}

static void cover(clip *c, const bool *used, const int *room) {
    int from = 0;
    c->ways++;
    while (from < c->line_count && used[from]) {
        from++;
    }
    if (from == c->line_count) {
        take_cover(c);
        return;
    }
    for (int entry = 0;
         entry < c->pool->entries && c->found < 2 && c->ways < WAYS && c->depth < CRAFT_MODS;
         entry++) {
        const craft_entry *e = &c->pool->entry[entry];
        clip_hit *h = &c->now[c->depth];
        bool taken = false, next[CLIP_LINES];
        for (int k = 0; k < c->depth; k++) {
            taken = taken || c->pool->entry[c->now[k].entry].family == e->family;
        }
        if (taken || !head_fits(c, &c->lines[from], e) || room[e->side] == 0 ||
            !place(c, entry, from, used, h)) {
            continue;
        }
        int left[CRAFT_SIDES] = {room[0] - (e->side == 0), room[1] - (e->side == 1)};
        memcpy(next, used, sizeof next);
        for (int p = 0; p < h->parts; p++) {
            next[h->part[p]] = true;
        }
        c->depth++;
        cover(c, next, left);
        c->depth--;
    }
}

/* The first line that no modifier of the base has. */
static lu_status refuse_lines(clip *c) {
    for (int k = 0; k < c->line_count; k++) {
        bool fits = false;
        for (int entry = 0; entry < c->pool->entries; entry++) {
            const craft_entry *e = &c->pool->entry[entry];
            for (int p = 0; p < c->parts[entry] && e->side < CRAFT_SIDES; p++) {
                fits = fits || line_fits(c, &c->lines[k], &c->part[entry][p], e->tags);
            }
        }
        if (!fits) {
            return lu_fail(
                c->error, LU_BAD_DATA,
                "%s:%u: no modifier of %s reads '%.100s' with these values; a plain copy adds up "
                "modifiers of the same kind: copy with descriptions (Ctrl+Alt+C)",
                c->name, c->lines[k].number, c->pack->bases[c->base].name, c->lines[k].shape.text);
        }
    }
    return lu_fail(c->error, LU_BAD_DATA,
                   "%s: no set of modifiers of %s gives these lines together", c->name,
                   c->pack->bases[c->base].name);
}

lu_status clip_cover(clip *c, const int *room) {
    for (c->level = 0; c->level < 3 && c->found == 0; c->level++) {
        bool used[CLIP_LINES] = {false};
        c->depth = 0;
        c->clash = -1;
        cover(c, used, room);
    }
    if (c->ways >= WAYS) {
        return lu_fail(
            c->error, LU_BAD_DATA,
            "%s: its lines can be read in too many ways; copy with descriptions (Ctrl+Alt+C)",
            c->name);
    }
    if (c->found == 0) {
        return refuse_lines(c);
    }
    if (c->found > 1) {
        int at = c->clash < 0 ? 0 : c->clash, one = c->first[0].entry;
        for (int k = 0; k < c->first_count; k++) {
            for (int p = 0; p < c->first[k].parts; p++) {
                one = c->first[k].part[p] == at ? c->first[k].entry : one;
            }
        }
        return lu_fail(c->error, LU_BAD_DATA,
                       "%s:%u: '%.100s' may be %s or %s; copy with descriptions (Ctrl+Alt+C), or "
                       "write the item with modifier ids",
                       c->name, c->lines[at].number, c->lines[at].shape.text,
                       c->pack->mods[c->pool->entry[one].mod].id,
                       c->pack->mods[c->pool->entry[c->clash_entry].mod].id);
    }
    return LU_OK;
}
