/* Options of a reveal: see craft_reveal.h. */
#include "solver/craft_reveal.h"

/* Where an option comes from. */
typedef enum option_from { FROM_LORD, FROM_BONES, FROM_POOL } option_from;

typedef struct drawing {
    const craft_pool *pool;
    const craft_reveal *reveal;
    craft_options_told *told;
    void *user;
    uint8_t from[CRAFT_OPTIONS]; /* option_from */
    uint16_t option[CRAFT_OPTIONS];
    uint64_t family[2]; /* on the item or among the options */
    uint8_t added;      /* tags that the item's modifiers give it */
} drawing;

static bool has_family(const drawing *d, int family) {
    return (d->family[family >> 6] >> (family & 63) & 1u) != 0;
}

static void flip_family(drawing *d, int family) {
    d->family[family >> 6] ^= UINT64_C(1) << (family & 63);
}

/* Weight of an entry as the next option. */
static double weight_of(const drawing *d, int entry, int from) {
    const craft_entry *e = &d->pool->entry[entry];
    bool gate = d->pool->switches.reveal_gate_65 && d->pool->ilvl < 65;
    if (e->side != d->reveal->side || has_family(d, e->family) || e->bars & d->added) {
        return 0.0;
    }
    if (from == FROM_POOL) {
        return craft_stays(d->pool, entry, d->reveal->floor) ? e->weight : 0.0;
    }
    bool lords = from != FROM_LORD || e->lord == d->reveal->lord;
    return e->origin == CRAFT_ORIGIN_DESECRATED && lords && !gate ? 1.0 : 0.0;
}

static double sum_of(const drawing *d, int from) {
    double sum = 0.0;
    for (int i = 0; i < d->pool->entries; i++) {
        sum += weight_of(d, i, from);
    }
    return sum;
}

/* Draws the options from number `at` on; `count` are there. Where none of its kind is left, an
 * option is a natural one. */
static void draw_options(drawing *d, int at, int count, double chance) {
    if (at == CRAFT_OPTIONS) {
        d->told(d->user, d->option, count, chance);
        return;
    }
    int from = d->from[at];
    double sum = sum_of(d, from);
    if (sum <= 0.0) {
        from = FROM_POOL;
        sum = sum_of(d, from);
    }
    if (sum <= 0.0) {
        draw_options(d, at + 1, count, chance);
        return;
    }
    for (int i = 0; i < d->pool->entries; i++) {
        double weight = weight_of(d, i, from);
        if (weight > 0.0) {
            d->option[count] = (uint16_t)i;
            flip_family(d, d->pool->entry[i].family);
            draw_options(d, at + 1, count + 1, chance * weight / sum);
            flip_family(d, d->pool->entry[i].family);
        }
    }
}

/* Whether any modifier comes from bones alone here; where none does, all options are natural. */
static bool has_own(const drawing *d) {
    bool own = false;
    for (int i = 0; i < d->pool->entries; i++) {
        own = own || weight_of(d, i, FROM_BONES) > 0.0;
    }
    return own;
}

void craft_reveal_options(const craft_pool *pool, const uint16_t *on_item, int mods,
                          const craft_reveal *reveal, craft_options_told *told, void *user) {
    drawing d = {.pool = pool, .reveal = reveal, .told = told, .user = user};
    for (int k = 0; k < mods; k++) {
        const craft_entry *e = &pool->entry[on_item[k]];
        d.family[e->family >> 6] |= UINT64_C(1) << (e->family & 63);
        d.added |= e->adds;
    }
    bool lord = reveal->lord != CRAFT_LORD_NONE, own = has_own(&d);
    for (int bones = 1; bones <= CRAFT_OPTIONS; bones++) {
        double chance = own ? pool->switches.reveal_exclusive[bones - 1] : bones == 1 ? 1.0 : 0.0;
        for (int k = 0; k < CRAFT_OPTIONS; k++) {
            d.from[k] = own && k < bones ? FROM_BONES : FROM_POOL;
            if (lord && own && (k == 0 || pool->switches.lord_all)) {
                d.from[k] = FROM_LORD;
            }
        }
        if (chance > 0.0) {
            draw_options(&d, 0, 0, chance);
        }
    }
}

/* ---- one wanted among them ---- */

typedef struct wish {
    const uint16_t *wanted;
    int wants;
    double chance;
} wish;

static void add_wanted(void *user, const uint16_t *entry, int count, double chance) {
    wish *w = user;
    bool found = false;
    for (int k = 0; k < count * w->wants; k++) {
        found = found || entry[k / w->wants] == w->wanted[k % w->wants];
    }
    w->chance += found ? chance : 0.0;
}

double craft_reveal_chance(const craft_pool *pool, const uint16_t *on_item, int mods,
                           const craft_reveal *reveal, const uint16_t *wanted, int wants) {
    wish w = {wanted, wants, 0.0};
    craft_reveal_options(pool, on_item, mods, reveal, add_wanted, &w);
    return w.chance;
}
