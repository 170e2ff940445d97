/* Makes an outlook: aims and wanted families of a goal, the chance of each place to be finished by
 * plain draws, and the cost of the cheapest additions. Each use leads to more modifiers, so that
 * one pass from full items to empty ones is enough for a given cost of giving up; a few rounds find
 * the cost at which a fresh base is worth what it costs. */
#include "craft_outlook.h"

#include "ludus/error.h"

#include <stdlib.h>

enum { ROUNDS = 40, FILLS = 3, PLACE_MODS = 3 * CRAFT_MODS };

/* ---- aims and families ---- */

/* Share of an entry's rolls that hit all of these requirements. */
static double share_of(const craft_goal *goal, const craft_pool *pool, int entry) {
    int from = 0, steps = pool->entry[entry].steps[0];
    for (int k = 0; k < goal->needs; k++) {
        int least = goal->hits[entry] >> k & 1 ? goal->from[k][entry] : 0;
        from = least > from ? least : from;
    }
    return steps > 0 ? 1.0 - (double)from / (double)steps : 1.0;
}

static int add_aim(craft_outlook *o, int side, int needs) {
    int at = craft_aim_of(o, side, needs);
    if (at < 0 && o->aims < CRAFT_AIMS) {
        at = o->aims++;
        o->aim[at].side = (uint8_t)side;
        o->aim[at].needs = (uint8_t)needs;
    }
    return at;
}

static int add_wanted(craft_outlook *o, const craft_entry *e) {
    int at = o->wanted_of[e->family];
    if (at == CRAFT_NOT_WANTED && o->wanted < CRAFT_WANTED) {
        at = o->wanted++;
        o->wanted_of[e->family] = (uint8_t)at;
        o->family[at].family = e->family;
        o->family[at].side = e->side;
    }
    return at;
}

/* Counts the hits of an entry as a shot of its family; what does not fit counts for nothing. */
static void add_shot(craft_outlook *o, const craft_goal *goal, const craft_pool *pool, int entry) {
    const craft_entry *e = &pool->entry[entry];
    int aim = add_aim(o, e->side, goal->hits[entry]), at = add_wanted(o, e), k = 0;
    if (aim < 0 || at == CRAFT_NOT_WANTED) {
        return;
    }
    craft_wanted *w = &o->family[at];
    while (k < w->shots && w->aim[k] != aim) {
        k++;
    }
    if (k == CRAFT_SHOTS) {
        return;
    }
    if (k == w->shots) {
        w->aim[w->shots++] = (uint8_t)aim;
        o->aim[aim].families++;
    }
    for (int f = 0; f < pool->floors; f++) {
        double weight = share_of(goal, pool, entry) * (double)pool->floor[f].weight[entry];
        w->weight[k][f] += (float)weight;
    }
}

/* Hits that count and families that may be blocked, of each aim. */
static void set_limits(craft_outlook *o, const craft_goal *goal, const craft_pool *pool) {
    for (int a = 0; a < o->aims; a++) {
        craft_aim *aim = &o->aim[a];
        int count = 0, alone = 1;
        for (int k = 0; k < goal->needs; k++) {
            int most = aim->needs >> k & 1 ? goal->count[k] : 0;
            count = most > count ? most : count;
        }
        for (int b = 0; b < o->aims; b++) {
            alone = alone && (b == a || !(o->aim[b].needs & aim->needs));
        }
        int limit = pool->limit[CRAFT_RARE][aim->side];
        int spare = alone ? aim->families - count : aim->families;
        aim->most = (uint8_t)(count < aim->families ? count : aim->families);
        aim->spare = (uint8_t)(spare < 0 ? 0 : spare < limit ? spare : limit);
    }
    for (int k = 0; k < goal->needs; k++) {
        o->needed += goal->count[k];
    }
}

/* Steps through the table; returns its size, 0 = too large. */
static int set_steps(craft_outlook *o, const craft_pool *pool) {
    int step = 1;
    for (int a = 0; a < o->aims; a++) {
        o->aim[a].hit_step = step;
        step *= o->aim[a].most + 1;
        o->aim[a].block_step = step;
        step *= o->aim[a].spare + 1;
        if (step > CRAFT_PLACES) {
            return 0;
        }
    }
    for (int side = 0; side < CRAFT_SIDES; side++) {
        o->side_step[side] = step;
        step *= pool->limit[CRAFT_RARE][side] + 1;
    }
    o->rare_step = step;
    return 2 * step <= CRAFT_PLACES ? 2 * step : 0;
}

/* Mean weight of the families of a side that have no hit. */
static void set_neutral(craft_outlook *o, const craft_pool *pool) {
    for (int f = 0; f < pool->floors; f++) {
        const craft_floor *floor = &pool->floor[f];
        for (int side = 0; side < CRAFT_SIDES; side++) {
            double sum = 0.0, square = 0.0;
            for (int k = 0; k < pool->families; k++) {
                bool counts = pool->family_side[k] == side && floor->family[k] > 0 &&
                              o->wanted_of[k] == CRAFT_NOT_WANTED;
                sum += counts ? (double)floor->family[k] : 0.0;
                square += counts ? (double)floor->family[k] * (double)floor->family[k] : 0.0;
            }
            /* of what is drawn: heavy families are on more items */
            o->neutral[f][side] = sum > 0.0 ? (float)(square / sum) : 0.0f;
        }
    }
}

/* ---- the table ---- */

/* A chance of each place. */
typedef struct fill {
    double chance[CRAFT_PLACES];
    double hopeless;
} fill;

typedef struct solver {
    craft_outlook *o;
    const craft_goal *goal;
    const craft_pool *pool;
    const craft_effect *effect;
    const double *price;
    const uint8_t *legal;
    int actions, places;
    double base;
    double c[CRAFT_PLACES], g[CRAFT_PLACES], n[CRAFT_PLACES]; /* cost, chance to give up, uses */
    int32_t order[CRAFT_PLACES];                              /* places, what they lead to first */
    fill filled[FILLS]; /* four draws on a white base: of any side, of one side first */
} solver;

/* Cost, chance to give up and uses of a way on. */
typedef struct way {
    double c, g, n;
} way;

static craft_standing standing_at(const solver *s, int place) {
    craft_standing st;
    memset(&st, 0, sizeof st);
    st.rarity = (int8_t)(place >= s->o->rare_step ? CRAFT_RARE : CRAFT_MAGIC);
    place %= s->o->rare_step;
    for (int side = CRAFT_SIDES - 1; side >= 0; side--) {
        st.junk[side] = (int8_t)(place / s->o->side_step[side]);
        st.mods[side] = st.junk[side];
        place %= s->o->side_step[side];
    }
    for (int a = s->o->aims - 1; a >= 0; a--) {
        const craft_aim *aim = &s->o->aim[a];
        st.blocked[a] = (int8_t)(place / aim->block_step);
        place %= aim->block_step;
        st.hit[a] = (int8_t)(place / aim->hit_step);
        place %= aim->hit_step;
        st.mods[aim->side] = (int8_t)(st.mods[aim->side] + st.hit[a]);
    }
    return st;
}

static bool is_possible(const solver *s, const craft_standing *st) {
    const uint8_t *limit = s->pool->limit[(int)st->rarity];
    return st->mods[0] <= limit[0] && st->mods[1] <= limit[1];
}

static bool is_done(const solver *s, const craft_standing *st) {
    bool done = true;
    for (int k = 0; k < s->goal->needs; k++) {
        int hits = 0;
        for (int a = 0; a < s->o->aims; a++) {
            hits += s->o->aim[a].needs >> k & 1 ? st->hit[a] : 0;
        }
        done = done && hits >= s->goal->count[k];
    }
    for (int side = 0; side < CRAFT_SIDES; side++) {
        int room = (int)s->pool->limit[(int)st->rarity][side] - st->mods[side];
        done = done && room >= s->goal->open[side];
    }
    return done;
}

static void add_way(const solver *s, const craft_standing *st, double chance, way *sum) {
    int at = craft_place_of(s->o, st);
    if (at < 0) {
        sum->g += chance;
        return;
    }
    sum->c += chance * s->c[at];
    sum->g += chance * s->g[at];
    sum->n += chance * s->n[at];
}

/* After one draw. Returns false where nothing may come. */
static bool draw_way(const solver *s, const craft_standing *st, int floor, int side, way *sum) {
    craft_comes list[CRAFT_COMES];
    craft_scope scope;
    craft_scope_standing(s->o, s->pool, st, floor, side, &scope);
    int count = craft_draw_list(s->o, s->pool, &scope, list);
    for (int k = 0; k < count; k++) {
        craft_standing next = *st;
        craft_stand_add(s->o, &next, list[k].side, list[k].wanted, list[k].aim);
        add_way(s, &next, list[k].chance, sum);
    }
    return count > 0;
}

/* After an essence: each of its modifiers is as likely as the others. */
static bool give_way(const solver *s, const craft_standing *st, const craft_effect *e, way *sum) {
    for (int k = 0; k < e->givens; k++) {
        const craft_entry *entry = &s->pool->entry[e->given[k]];
        int wanted = s->o->wanted_of[entry->family], needs = s->goal->hits[e->given[k]];
        int aim = needs ? craft_aim_of(s->o, entry->side, needs) : -1;
        bool room = st->mods[entry->side] < (int)s->pool->limit[CRAFT_RARE][entry->side];
        bool taken = aim >= 0 && st->hit[aim] + st->blocked[aim] >= s->o->aim[aim].families;
        craft_standing next = *st;
        if (!room || taken) {
            return false;
        }
        craft_stand_add(s->o, &next, entry->side, wanted, aim);
        add_way(s, &next, 1.0 / e->givens, sum);
    }
    return e->givens > 0;
}

/* What an addition leads to, its price included; false: it cannot be used. */
static bool use_way(const solver *s, const craft_standing *st, int action, way *sum) {
    const craft_effect *e = &s->effect[action];
    bool low =
        s->pool->switches.floor_needs_ilvl && (int)s->pool->floor[e->floor].level > s->pool->ilvl;
    craft_standing to = *st;
    *sum = (way){s->price[action], 0.0, 1.0};
    if (!s->legal[action] || !(e->needs >> st->rarity & 1) || low) {
        return false;
    }
    to.rarity = (int8_t)(e->gives < CRAFT_RARITIES ? e->gives : st->rarity);
    if (e->op == CRAFT_OP_ADD && e->adds == 1 && e->with == 0) {
        return draw_way(s, &to, e->floor, e->add_side, sum);
    }
    return e->op == CRAFT_OP_UPGRADE && give_way(s, &to, e, sum);
}

/* The cheapest way on from a standing, when giving up costs `give_up`. */
static way best_way(const solver *s, const craft_standing *st, double give_up) {
    way best = {0.0, 1.0, 0.0};
    for (int action = 0; action < s->actions; action++) {
        way found;
        if (use_way(s, st, action, &found) &&
            found.c + found.g * give_up < best.c + best.g * give_up) {
            best = found;
        }
    }
    return best;
}

static void set_place(solver *s, int place, double give_up) {
    craft_standing st = standing_at(s, place);
    way best = {0.0, 1.0, 0.0};
    if (is_possible(s, &st)) {
        best = is_done(s, &st) ? (way){0.0, 0.0, 0.0} : best_way(s, &st, give_up);
    }
    s->c[place] = best.c;
    s->g[place] = best.g;
    s->n[place] = best.n;
}

/* ---- white bases ---- */

/* Four draws, one side first where the omen says so. */
static void fill_base(solver *s, fill *to, int first) {
    fill *now = lu_alloc_zero(1, sizeof *now);
    memset(to, 0, sizeof *to);
    to->chance[s->o->rare_step] = 1.0;
    for (int draw = 0; draw < 4; draw++) {
        *now = *to;
        memset(to, 0, sizeof *to);
        to->hopeless = now->hopeless;
        for (int place = s->o->rare_step; place < s->places; place++) {
            if (now->chance[place] <= 0.0) {
                continue;
            }
            craft_standing st = standing_at(s, place);
            craft_comes list[CRAFT_COMES];
            craft_scope scope;
            bool room =
                first != CRAFT_ANY_SIDE && st.mods[first] < (int)s->pool->limit[CRAFT_RARE][first];
            craft_scope_standing(s->o, s->pool, &st, 0, room ? first : CRAFT_ANY_SIDE, &scope);
            int count = craft_draw_list(s->o, s->pool, &scope, list);
            for (int k = 0; k < count; k++) {
                craft_standing next = st;
                craft_stand_add(s->o, &next, list[k].side, list[k].wanted, list[k].aim);
                int at = craft_place_of(s->o, &next);
                double chance = now->chance[place] * list[k].chance;
                *(at < 0 ? &to->hopeless : &to->chance[at]) += chance;
            }
        }
    }
    free(now);
}

/* Which of the fills an effect is. */
static int fill_of(const craft_effect *e) {
    return e->add_side == CRAFT_PREFIX ? 1 : e->add_side == CRAFT_SUFFIX ? 2 : 0;
}

static way fill_way(const solver *s, int action) {
    const fill *f = &s->filled[fill_of(&s->effect[action])];
    way sum = {s->price[action], f->hopeless, 1.0};
    for (int place = s->o->rare_step; place < s->places; place++) {
        sum.c += f->chance[place] * s->c[place];
        sum.g += f->chance[place] * s->g[place];
        sum.n += f->chance[place] * s->n[place];
    }
    return sum;
}

/* All of the table, then a white base. */
static way solve(solver *s, double give_up) {
    craft_standing white;
    memset(&white, 0, sizeof white);
    white.rarity = CRAFT_NORMAL;
    for (int k = 0; k < s->places; k++) {
        set_place(s, s->order[k], give_up);
    }
    way best = best_way(s, &white, give_up);
    for (int action = 0; action < s->actions; action++) {
        const craft_effect *e = &s->effect[action];
        bool fills = s->legal[action] && e->op == CRAFT_OP_FILL4 && (e->needs & 1);
        way found = fills ? fill_way(s, action) : best;
        if (found.c + found.g * give_up < best.c + best.g * give_up) {
            best = found;
        }
    }
    return best;
}

/* Rare before magic, full before empty. */
static void set_order(solver *s) {
    int count = 0;
    for (int rank = 0; rank <= 2 * PLACE_MODS + 1; rank++) {
        for (int place = 0; place < s->places; place++) {
            craft_standing st = standing_at(s, place);
            int magic = st.rarity == CRAFT_MAGIC ? PLACE_MODS + 1 : 0;
            if (magic + PLACE_MODS - st.mods[0] - st.mods[1] == rank) {
                s->order[count++] = place;
            }
        }
    }
}

/* Chances of plain draws until an item is full, under the limits of rare items. */
static void set_chances(solver *s) {
    for (int k = 0; k < s->places; k++) {
        craft_standing st = standing_at(s, s->order[k]);
        float *chance = &s->o->chance[s->order[k]];
        *chance = is_possible(s, &st) && is_done(s, &st) ? 2.0f : 0.0f;
        st.rarity = CRAFT_RARE;
        if (*chance <= 0.0f && is_possible(s, &st)) {
            craft_odds odds = {0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0};
            craft_scope scope;
            craft_scope_standing(s->o, s->pool, &st, 0, CRAFT_ANY_SIDE, &scope);
            craft_odds_draw(s->o, s->pool, &scope, &st, 1.0, &odds);
            *chance = (float)odds.hope;
        }
    }
    s->o->hope = (double)s->o->chance[s->o->rare_step];
}

/* Whether a bet counts a use: plain transmute, regal and exalt, and upgrade essences. With
 * augmentations too it would be nearly the cost to go, and nothing left to learn. */
static bool is_cheap(const solver *s, int action) {
    static const uint8_t list[] = {2, 8, 16};
    bool found = s->effect[action].op == CRAFT_OP_UPGRADE;
    for (size_t k = 0; k < sizeof list; k++) {
        found = found || list[k] == action;
    }
    return found;
}

/* What the best of them is worth to a standing, less its price; 0: none pays. */
static double bet_of(const solver *s, const craft_standing *st) {
    double best = 0.0;
    for (int action = 0; action < s->actions; action++) {
        way found = {0.0, 0.0, 0.0};
        bool can = is_cheap(s, action) && use_way(s, st, action, &found);
        best = can && -found.c > best ? -found.c : best;
    }
    return best;
}

/* Of each place: the chance to be finished by such uses less their price, when they are bought
 * only while that pays and an item that is given up is worth nothing. Worths take the place of
 * costs, which are known. */
static void set_bets(solver *s) {
    for (int k = 0; k < s->places; k++) {
        int place = s->order[k];
        craft_standing st = standing_at(s, place);
        double worth = 0.0;
        if (is_possible(s, &st)) {
            worth = is_done(s, &st) ? s->o->cost : bet_of(s, &st);
        }
        s->c[place] = -worth;
        s->o->bet[place] = (float)(worth / s->o->cost);
    }
    craft_standing white;
    memset(&white, 0, sizeof white);
    s->o->base_bet = bet_of(s, &white) / s->o->cost;
}

static void set_filled(const solver *s, craft_outlook *o) {
    for (int k = 0; k < FILLS; k++) {
        craft_odds odds = {0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0};
        odds.hopeless = s->filled[k].hopeless;
        for (int place = o->rare_step; place < s->places; place++) {
            if (s->filled[k].chance[place] > 0.0) {
                craft_standing st = standing_at(s, place);
                craft_odds_add(o, &st, s->filled[k].chance[place], &odds);
            }
        }
        o->filled[k] = odds;
    }
}

/* Rounds of x, the cost of a fresh base, from above: the first one is of the best chance. */
static void find_fresh(solver *s, double budget) {
    craft_outlook *o = s->o;
    double x = 1e12;
    for (int round = 0; round < ROUNDS; round++) {
        way best = solve(s, s->base + x);
        for (int place = 0; place < s->places && round == 0; place++) {
            o->reach[place] = (float)(1.0 - s->g[place]);
        }
        o->best = round == 0 ? 1.0 - best.g : o->best;
        double hit = 1.0 - best.g;
        o->possible = hit > 1e-12;
        double next = o->possible ? (best.c + best.g * s->base) / hit : x;
        o->uses = o->possible ? (best.n + best.g) / hit : 0.0;
        if (!o->possible || next >= x * (1.0 - 1e-9)) {
            break;
        }
        x = next;
    }
    o->cost = o->possible ? s->base + x : budget;
}

/* Fewer blocked families are told apart until the table is small enough. */
static int fit_table(craft_outlook *o, const craft_pool *pool) {
    int places = set_steps(o, pool);
    while (places == 0) {
        craft_aim *most = &o->aim[0];
        for (int a = 1; a < o->aims; a++) {
            most = o->aim[a].spare > most->spare ? &o->aim[a] : most;
        }
        if (most->spare == 0) {
            o->aims--; /* its hits count for nothing */
        } else {
            most->spare--;
        }
        places = set_steps(o, pool);
    }
    return places;
}

void craft_outlook_init(craft_outlook *o, const craft_goal *goal, const craft_pool *pool,
                        const craft_effect *effect, const double *price, const uint8_t *legal,
                        int actions, double budget) {
    solver *s = lu_alloc_zero(1, sizeof *s);
    memset(o, 0, sizeof *o);
    memset(o->wanted_of, CRAFT_NOT_WANTED, sizeof o->wanted_of);
    for (int i = 0; i < pool->entries; i++) {
        bool given = pool->entry[i].origin == CRAFT_ORIGIN_ESSENCE;
        if (goal->hits[i] && (given || pool->floor[0].weight[i] > 0)) {
            add_shot(o, goal, pool, i);
        }
    }
    set_limits(o, goal, pool);
    set_neutral(o, pool);
    *s = (solver){.o = o,
                  .goal = goal,
                  .pool = pool,
                  .effect = effect,
                  .price = price,
                  .legal = legal,
                  .actions = actions,
                  .places = fit_table(o, pool),
                  .base = price[1]};
    fill_base(s, &s->filled[0], CRAFT_ANY_SIDE);
    fill_base(s, &s->filled[1], CRAFT_PREFIX);
    fill_base(s, &s->filled[2], CRAFT_SUFFIX);
    set_order(s);
    set_chances(s);
    find_fresh(s, budget);
    set_bets(s);
    set_filled(s, o);
    free(s);
}
