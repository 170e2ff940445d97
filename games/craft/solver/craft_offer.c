/* Options of a reveal by their ranking: see craft_offer.h. */
#include "solver/craft_offer.h"

#include <stdlib.h>
#include <string.h>

/* ---- options ---- */

static bool is_offered(const craft_pool *pool, int entry) {
    const craft_entry *e = &pool->entry[entry];
    bool gate = pool->switches.reveal_gate_65 && e->level > pool->ilvl;
    if (e->origin == CRAFT_ORIGIN_DESECRATED) {
        return e->side < CRAFT_SIDES && !gate;
    }
    return craft_stays(pool, entry, 0) && e->side < CRAFT_SIDES;
}

/* Which sorts an entry becomes, by the rolls of its first number. */
static void add_parts(craft_option *option, const craft_sorts *s, int entry) {
    const craft_entry *e = &s->pool->entry[entry];
    int steps = e->ranges > 0 ? e->steps[0] : 1;
    for (int roll = 0; roll < steps; roll++) {
        int sort = craft_sort_of(s, entry, roll), part = 0;
        while (part < option->parts && option->sort[part] != sort) {
            part++;
        }
        if (part == option->parts) {
            LU_ASSERT(part < CRAFT_OPTION_PARTS); /* a sort for each requirement that it hits */
            option->sort[option->parts++] = (uint16_t)sort;
        }
        option->share[part] += 1.0 / steps;
    }
}

static bool is_same(const craft_option *a, const craft_option *b) {
    return a->parts == 1 && b->parts == 1 && a->sort[0] == b->sort[0] && a->bars == b->bars &&
           a->from_bone == b->from_bone && a->lord == b->lord;
}

int craft_option_list(craft_option **list, const craft_sorts *s) {
    const craft_pool *pool = s->pool;
    int count = 0;
    craft_option *all = *list = lu_alloc((size_t)pool->entries * sizeof *all);
    for (int i = 0; i < pool->entries; i++) {
        const craft_entry *e = &pool->entry[i];
        bool bone = e->origin == CRAFT_ORIGIN_DESECRATED;
        craft_option one = {.entry = (uint16_t)i,
                            .side = e->side,
                            .family = e->family,
                            .bars = e->bars,
                            .from_bone = bone,
                            .lord = bone ? e->lord : CRAFT_LORD_NONE};
        if (!is_offered(pool, i)) {
            continue;
        }
        add_parts(&one, s, i);
        int at = 0;
        while (at < count && !is_same(&all[at], &one)) {
            at++;
        }
        if (at == count) {
            all[count++] = one;
        }
        for (int f = 0; f < pool->floors; f++) {
            bool stays = bone || craft_stays(pool, i, (int)pool->floor[f].level);
            all[at].weight[f] += !stays ? 0.0 : bone ? 1.0 : e->weight;
        }
    }
    return count;
}

int craft_hidden_slot(const craft_sorts *s, const craft_set *set) {
    int found = -1;
    for (int k = 0; k < set->count; k++) {
        const craft_sort *sort = craft_sort_at(s, set->mod[k]);
        bool hidden = sort->family == CRAFT_NO_FAMILY;
        found = hidden && (found < 0 || sort->shown) ? k : found;
    }
    return found;
}

double craft_option_weight(const craft_sorts *s, const craft_option *option,
                           const craft_sight *sight, const craft_sort *hidden) {
    bool taken = (sight->family[option->family >> 6] >> (option->family & 63) & 1u) != 0;
    bool out = option->side != hidden->side || taken || option->bars & sight->added;
    int floor = craft_floor_of(s->pool, hidden->floor);
    return out || floor < 0 ? 0.0 : option->weight[floor];
}

/* ---- rankings ---- */

/* Where an option comes from; FROM_NONE: there is none any more. */
enum { FROM_LORD, FROM_BONES, FROM_POOL, FROM_NONE };

/* Weight of each family by where it comes from. */
typedef struct mass {
    double of[FROM_NONE][CRAFT_POOL_FAMILIES], all[FROM_NONE];
} mass;

/* Two families one after the other and where the third comes from: a term of the chance that all
 * three are among some options. */
typedef struct term {
    uint8_t from[3];
    uint8_t family[2];
    double chance; /* of the pattern, over all weights that each was drawn from */
} term;

typedef struct ranking {
    const craft_offer *offer;
    mass whole, left; /* of all options, of those that are not passed yet */
    uint8_t family[CRAFT_POOL_FAMILIES];
    int families;
    term *term;
    int terms;
} ranking;

static void add_mass(mass *m, const craft_offer *offer, int option, double sign) {
    int family = offer->of[option].family;
    double weight = sign * offer->of[option].weight;
    int from = offer->of[option].from_bone ? FROM_BONES : FROM_POOL;
    m->of[from][family] += weight;
    m->all[from] += weight;
    if (from == FROM_BONES && offer->of[option].lord == offer->lord) {
        m->of[FROM_LORD][family] += weight;
        m->all[FROM_LORD] += weight;
    }
}

/* What is left of a source when some families are out; where it is empty, an option is a natural
 * one. */
static double rest_of(const ranking *r, int *from, const uint8_t *out, int outs) {
    for (;; *from = *from == FROM_POOL ? FROM_NONE : FROM_POOL) {
        if (*from == FROM_NONE) {
            return 1.0;
        }
        double rest = r->whole.all[*from];
        for (int k = 0; k < outs; k++) {
            rest -= r->whole.of[*from][out[k]];
        }
        if (rest > 0.5) { /* weights are whole numbers */
            return rest;
        }
    }
}

/* Terms of a pattern for each first family, and for each second. */
static void add_terms(ranking *r, const uint8_t *from, double chance) {
    int first = from[0];
    double all = rest_of(r, &first, NULL, 0);
    for (int i = 0; i < r->families; i++) {
        uint8_t out[2] = {r->family[i], 0};
        int second = from[1];
        double rest = rest_of(r, &second, out, 1);
        if (r->whole.of[first][out[0]] <= 0.0) {
            continue;
        }
        for (int j = 0; j < (second == FROM_NONE ? 1 : r->families); j++) {
            int third = from[2];
            out[1] = second == FROM_NONE ? out[0] : r->family[j];
            if (second != FROM_NONE && (j == i || r->whole.of[second][out[1]] <= 0.0)) {
                continue;
            }
            double last = second == FROM_NONE ? 1.0 : rest_of(r, &third, out, 2);
            third = second == FROM_NONE ? FROM_NONE : third;
            r->term[r->terms++] = (term){{(uint8_t)first, (uint8_t)second, (uint8_t)third},
                                         {out[0], out[1]},
                                         chance / (all * rest * last)};
        }
    }
}

static void add_patterns(ranking *r) {
    const craft_switches *switches = r->offer->switches;
    const double *share = switches->reveal_exclusive;
    bool own = r->whole.all[FROM_BONES] > 0.0, lord = r->offer->lord != CRAFT_LORD_NONE;
    double sum = share[0] + share[1] + share[2];
    for (int bones = 1; bones <= 3; bones++) {
        double chance = own ? share[bones - 1] / sum : bones == 1 ? 1.0 : 0.0;
        uint8_t from[3];
        for (int k = 0; k < 3; k++) {
            bool lords = lord && own && (k == 0 || switches->lord_all);
            from[k] = lords ? FROM_LORD : own && k < bones ? FROM_BONES : FROM_POOL;
        }
        if (chance > 0.0) {
            add_terms(r, from, chance);
        }
    }
}

/* Chance that all that is offered is among what is left. */
static double chance_left(const ranking *r) {
    const mass *left = &r->left;
    double sum = 0.0;
    for (int k = 0; k < r->terms; k++) {
        const term *t = &r->term[k];
        double one = t->chance * left->of[t->from[0]][t->family[0]];
        if (t->from[1] != FROM_NONE) {
            one *= left->of[t->from[1]][t->family[1]];
        }
        if (t->from[2] != FROM_NONE) {
            const double *of = left->of[t->from[2]];
            one *= left->all[t->from[2]] - of[t->family[0]] - of[t->family[1]];
        }
        sum += one;
    }
    return sum;
}

void craft_offer_rank(const craft_offer *offer, const uint16_t *order, double *chance) {
    ranking *r = lu_alloc_zero(1, sizeof *r);
    bool seen[CRAFT_POOL_FAMILIES] = {false};
    double before = 1.0;
    r->offer = offer;
    for (int k = 0; k < offer->count; k++) {
        int family = offer->of[k].family;
        add_mass(&r->whole, offer, k, 1.0);
        if (!seen[family]) {
            seen[family] = true;
            r->family[r->families++] = (uint8_t)family;
        }
    }
    r->left = r->whole;
    r->term = lu_alloc((size_t)(3 * r->families * r->families + 1) * sizeof *r->term);
    add_patterns(r);
    for (int k = 0; k < offer->count; k++) {
        add_mass(&r->left, offer, order[k], -1.0);
        double after = k + 1 < offer->count ? chance_left(r) : 0.0;
        chance[order[k]] = before > after ? before - after : 0.0;
        before = after < before ? after : before;
    }
    free(r->term);
    free(r);
}
