/* The outlook of an item: the chance that it is finished when plain draws fill what is open. Items
 * that have the same hits, the same number of blocked families of each requirement and as many
 * other modifiers on each side count as one, so that a table of some hundred places holds all of
 * them; it is filled when a task is made. What one use makes of an item is then exact for that item
 * (by the pool's weights), and valued by the table: one step ahead. Over the same places goes the
 * yardstick of a task: roughly what the cheapest strategy costs that only adds. Ownership: the
 * caller's. Threads: constant once made. */
#pragma once

#include "craft_rules.h"
#include "craft_target.h"

#ifdef __cplusplus
extern "C" {
#endif

enum {
    CRAFT_AIMS = 8,        /* kinds of hits, at most */
    CRAFT_SHOTS = 3,       /* aims of one family, at most */
    CRAFT_WANTED = 48,     /* families with a hit, at most */
    CRAFT_PLACES = 4096,   /* of the table, at most */
    CRAFT_NOT_WANTED = 255 /* a family without a hit */
};

/* Modifiers of one side that hit the same requirements. */
typedef struct craft_aim {
    uint8_t side;     /* craft_side */
    uint8_t needs;    /* bits of the requirements */
    uint8_t most;     /* hits that count */
    uint8_t families; /* that have such a hit */
    uint8_t spare;    /* of them that may be blocked */
    uint8_t unused[3];
    int32_t hit_step, block_step; /* in the table */
} craft_aim;

/* A family with hits, and their weights under each floor. */
typedef struct craft_wanted {
    uint8_t family, side, shots;
    uint8_t aim[CRAFT_SHOTS];
    uint8_t unused[2];
    float weight[CRAFT_SHOTS][CRAFT_POOL_FLOORS];
} craft_wanted;

/* What a use leads to, in expectation. */
typedef struct craft_odds {
    double hope;     /* chance that it is finished when plain draws fill what is open */
    double reach;    /* the same by the additions of the best chance, whatever they cost */
    double bet;      /* what draws and essences are worth, as a share of the yardstick */
    double done;     /* chance that it is finished at once */
    double hopeless; /* chance that additions can no longer finish it */
    double hits;     /* modifiers that count */
    double lost;     /* chance that a hit goes */
} craft_odds;

typedef struct craft_outlook {
    double cost; /* exalted until an item is done by the cheapest additions, first base included */
    double uses; /* expected, until then */
    double hope, best; /* chances of a white base: by plain draws, by any additions */
    double base_bet;   /* what draws and essences are worth to a white base */
    int32_t possible;  /* 0: additions alone never finish it; the budget stands for the cost */
    int32_t aims, wanted, needed; /* needed: hits of a finished item */
    int32_t side_step[CRAFT_SIDES], rare_step;
    int32_t unused;
    float neutral[CRAFT_POOL_FLOORS][CRAFT_SIDES]; /* mean weight of a family without a hit */
    craft_aim aim[CRAFT_AIMS];
    craft_wanted family[CRAFT_WANTED];
    uint8_t wanted_of[CRAFT_POOL_FAMILIES];
    craft_odds filled[3];       /* alchemy on a white base: of any side, prefixes, suffixes first */
    float chance[CRAFT_PLACES]; /* to be finished by plain draws; 2: it is */
    float reach[CRAFT_PLACES];  /* to be finished by any additions */
    float bet[CRAFT_PLACES];    /* what draws and essences are worth */
} craft_outlook;

/* An item as the outlook sees it. */
typedef struct craft_standing {
    int8_t hit[CRAFT_AIMS], blocked[CRAFT_AIMS];
    int8_t junk[CRAFT_SIDES]; /* modifiers that count for nothing */
    int8_t mods[CRAFT_SIDES]; /* all */
    int8_t rarity;
    int8_t unused[3];
} craft_standing;

/* Of the first `actions` uses of a task, with their prices; number 1 is a new base. */
void craft_outlook_init(craft_outlook *o, const craft_goal *goal, const craft_pool *pool,
                        const craft_effect *effect, const double *price, const uint8_t *legal,
                        int actions, double budget);

/* ---- standings ---- */

/* Aim of these requirements on a side, -1 = none. */
LU_INLINE int craft_aim_of(const craft_outlook *o, int side, int needs) {
    int found = -1;
    for (int a = 0; a < o->aims && found < 0; a++) {
        found = o->aim[a].side == side && o->aim[a].needs == needs ? a : -1;
    }
    return found;
}

/* One more modifier of a family, which hits an aim or (-1) none. */
LU_INLINE void craft_stand_add(const craft_outlook *o, craft_standing *s, int side, int wanted,
                               int aim) {
    bool counts = aim >= 0 && s->hit[aim] < o->aim[aim].most;
    s->mods[side]++;
    if (counts) {
        s->hit[aim]++;
    } else {
        s->junk[side]++;
    }
    if (wanted != CRAFT_NOT_WANTED) {
        const craft_wanted *w = &o->family[wanted];
        for (int k = 0; k < w->shots; k++) {
            s->blocked[w->aim[k]] = (int8_t)(s->blocked[w->aim[k]] + (w->aim[k] == aim ? 0 : 1));
        }
    }
}

LU_INLINE craft_standing craft_stand(const craft_outlook *o, const craft_goal *goal,
                                     const craft_pool *pool, const craft_item *item) {
    craft_standing s;
    memset(&s, 0, sizeof s);
    s.rarity = (int8_t)item->rarity;
    for (int k = 0; k < craft_item_mods(item); k++) {
        const craft_slot *slot = &item->slot[k];
        int side = craft_slot_side(slot), wanted = CRAFT_NOT_WANTED, aim = -1;
        if (!(slot->flags & CRAFT_UNREVEALED)) {
            wanted = o->wanted_of[pool->entry[slot->entry].family];
            int hits = goal->hits[slot->entry] ? craft_hits(goal, pool, slot) : 0;
            aim = hits ? craft_aim_of(o, side, hits) : -1;
        }
        craft_stand_add(o, &s, side, wanted, aim);
    }
    return s;
}

/* Place in the table; -1: a requirement can no longer be met by additions. */
LU_INLINE int craft_place_of(const craft_outlook *o, const craft_standing *s) {
    int at = s->rarity == CRAFT_RARE ? o->rare_step : 0;
    for (int side = 0; side < CRAFT_SIDES; side++) {
        at += s->junk[side] * o->side_step[side];
    }
    for (int a = 0; a < o->aims; a++) {
        const craft_aim *aim = &o->aim[a];
        if (s->blocked[a] > aim->spare) {
            return -1;
        }
        at += s->hit[a] * aim->hit_step + s->blocked[a] * aim->block_step;
    }
    return at;
}

LU_INLINE int craft_stand_hits(const craft_outlook *o, const craft_standing *s) {
    int sum = 0;
    for (int a = 0; a < o->aims; a++) {
        sum += s->hit[a];
    }
    return sum;
}

/* Adds a standing that comes with this chance. */
LU_INLINE void craft_odds_add(const craft_outlook *o, const craft_standing *s, double chance,
                              craft_odds *odds) {
    int at = craft_place_of(o, s);
    double hope = at < 0 ? 0.0 : (double)o->chance[at];
    odds->hope += chance * (hope > 1.0 ? 1.0 : hope);
    odds->reach += at < 0 ? 0.0 : chance * (double)o->reach[at];
    odds->bet += at < 0 ? 0.0 : chance * (double)o->bet[at];
    odds->done += hope > 1.0 ? chance : 0.0;
    odds->hopeless += hope <= 0.0 ? chance : 0.0;
    odds->hits += chance * (double)craft_stand_hits(o, s);
}

/* ---- draws ---- */

/* What a draw sees: what is left of each wanted family, and the weight of each side that is open.
 */
typedef struct craft_scope {
    float left[CRAFT_WANTED];
    double total[CRAFT_SIDES];
    int32_t floor;
} craft_scope;

/* Chance that a draw is from this side. */
LU_INLINE double craft_side_chance(const craft_pool *pool, const craft_scope *scope, int side) {
    double own = scope->total[side], other = scope->total[1 - side];
    if (own <= 0.0) {
        return 0.0;
    }
    bool even = pool->switches.side_choice == CRAFT_SIDE_FIRST && other > 0.0;
    return even ? 0.5 : own / (own + other);
}

/* The scope of an item's draw. */
LU_INLINE void craft_scope_item(const craft_outlook *o, const craft_pool *pool,
                                const craft_item *item, const craft_wish *wish,
                                craft_scope *scope) {
    uint32_t weight[CRAFT_SIDES];
    craft_weights(pool, item, wish, weight);
    scope->floor = wish->floor;
    for (int side = 0; side < CRAFT_SIDES; side++) {
        scope->total[side] = (double)weight[side];
    }
    for (int w = 0; w < o->wanted; w++) {
        scope->left[w] = craft_has_family(item, o->family[w].family) ? 0.0f : 1.0f;
    }
}

/* The scope of a standing: families of an aim are as likely as each other to be the ones that are
 * taken, and what counts for nothing has the mean weight. `side`: the only one, or
 * CRAFT_ANY_SIDE. */
LU_INLINE void craft_scope_standing(const craft_outlook *o, const craft_pool *pool,
                                    const craft_standing *s, int floor, int side,
                                    craft_scope *scope) {
    const craft_floor *f = &pool->floor[floor];
    int plain[CRAFT_SIDES] = {s->junk[0], s->junk[1]};
    scope->floor = floor;
    scope->total[0] = (double)f->total[0];
    scope->total[1] = (double)f->total[1];
    for (int a = 0; a < o->aims; a++) {
        plain[o->aim[a].side] -= s->blocked[a];
    }
    for (int w = 0; w < o->wanted; w++) {
        const craft_wanted *family = &o->family[w];
        float left = 1.0f;
        for (int k = 0; k < family->shots; k++) {
            const craft_aim *aim = &o->aim[family->aim[k]];
            int taken = s->hit[family->aim[k]] + s->blocked[family->aim[k]];
            float free = 1.0f - (float)taken / (float)aim->families;
            left = free < left ? free : left;
        }
        scope->left[w] = left > 0.0f ? left : 0.0f;
        scope->total[family->side] -=
            (1.0 - (double)scope->left[w]) * (double)f->family[family->family];
    }
    for (int k = 0; k < CRAFT_SIDES; k++) {
        bool open = (side == CRAFT_ANY_SIDE || side == k) &&
                    s->mods[k] < (int)pool->limit[(int)s->rarity][k];
        scope->total[k] -= plain[k] > 0 ? (double)plain[k] * (double)o->neutral[floor][k] : 0.0;
        scope->total[k] = open && scope->total[k] > 0.0 ? scope->total[k] : 0.0;
    }
}

/* What comes of one draw: at most so many standings. */
enum { CRAFT_COMES = CRAFT_WANTED * (CRAFT_SHOTS + 1) + CRAFT_SIDES };

/* One thing that a draw may bring. */
typedef struct craft_comes {
    double chance;
    uint8_t side, wanted;
    int8_t aim;
} craft_comes;

/* Lists what a draw may bring, with chances; returns how many. */
LU_INLINE int craft_draw_list(const craft_outlook *o, const craft_pool *pool,
                              const craft_scope *scope, craft_comes *list) {
    double by[CRAFT_SIDES], rest[CRAFT_SIDES];
    int count = 0;
    for (int side = 0; side < CRAFT_SIDES; side++) {
        double chance = craft_side_chance(pool, scope, side);
        by[side] = chance > 0.0 ? chance / scope->total[side] : 0.0;
        rest[side] = scope->total[side];
    }
    for (int w = 0; w < o->wanted; w++) {
        const craft_wanted *family = &o->family[w];
        double left = (double)scope->left[w], per = left * by[family->side];
        if (per <= 0.0) {
            continue;
        }
        double all = (double)pool->floor[scope->floor].family[family->family], miss = all;
        rest[family->side] -= left * all;
        for (int k = 0; k < family->shots; k++) {
            double weight = (double)family->weight[k][scope->floor];
            craft_comes hit = {per * weight, family->side, (uint8_t)w, (int8_t)family->aim[k]};
            miss -= weight;
            list[count] = hit;
            count += weight > 0.0 ? 1 : 0;
        }
        craft_comes low = {per * miss, family->side, (uint8_t)w, -1};
        list[count] = low;
        count += miss > 1e-6 * all ? 1 : 0;
    }
    for (int side = 0; side < CRAFT_SIDES; side++) {
        craft_comes junk = {by[side] * rest[side], (uint8_t)side, CRAFT_NOT_WANTED, -1};
        list[count] = junk;
        count += by[side] > 0.0 && rest[side] > 0.0 ? 1 : 0;
    }
    return count;
}

/* Adds what one draw makes of a standing. */
LU_INLINE void craft_odds_draw(const craft_outlook *o, const craft_pool *pool,
                               const craft_scope *scope, const craft_standing *s, double chance,
                               craft_odds *odds) {
    craft_comes list[CRAFT_COMES];
    int count = craft_draw_list(o, pool, scope, list);
    for (int k = 0; k < count; k++) {
        craft_standing next = *s;
        craft_stand_add(o, &next, list[k].side, list[k].wanted, list[k].aim);
        craft_odds_add(o, &next, chance * list[k].chance, odds);
    }
}

/* The same for two draws, the second one from the standing after the first. */
LU_INLINE void craft_odds_two(const craft_outlook *o, const craft_pool *pool,
                              const craft_scope *scope, const craft_standing *s, int side,
                              craft_odds *odds) {
    craft_comes list[CRAFT_COMES];
    int count = craft_draw_list(o, pool, scope, list);
    for (int k = 0; k < count; k++) {
        craft_standing next = *s;
        craft_scope then;
        craft_stand_add(o, &next, list[k].side, list[k].wanted, list[k].aim);
        craft_scope_standing(o, pool, &next, scope->floor, side, &then);
        craft_odds_draw(o, pool, &then, &next, list[k].chance, odds);
    }
}

#ifdef __cplusplus
}
#endif
