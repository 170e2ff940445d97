/* The bots of potion. They read what a seat sees: each layout has a reader that makes a `sight` of
 * the observation, and the bots play on that.
 *   random   any legal action
 *   greedy   whatever makes the mix best right now; finishes when nothing does
 *   brewer   plans the whole brew with a beam of partial mixes, then carries it out */
#include "potion.h"

#include <stdlib.h>
#include <string.h>

/* ---- what a seat sees ---- */

typedef struct sight {
    int recipe, max_items, max_magimins;
    potion_mix mix;
    uint8_t stock[POTION_ACTIONS];
} sight;

static int whole(float value, float scale) {
    return (int)(value * scale + 0.5f);
}

static void sight_of(const float *o, sight *s) {
    memset(s, 0, sizeof *s);
    for (int k = 0; k < POTION_RECIPES; k++) {
        s->recipe = o[POTION_AT_RECIPE + k] > 0.5f ? k : s->recipe;
    }
    const float *cauldron = o + POTION_AT_CAULDRON;
    s->max_items = whole(cauldron[POTION_SEEN_MAX_ITEMS], (float)POTION_ITEMS_MAX);
    s->max_magimins = whole(cauldron[POTION_SEEN_MAX_MAGIMINS], (float)POTION_MAGIMINS_MAX);
    for (int i = 1; i <= POTION_INGREDIENTS; i++) {
        s->stock[i] = (uint8_t)whole(o[POTION_AT_STOCK + i], 10.0f);
        potion_mix_add(&s->mix, i, whole(o[POTION_AT_PIECES + i], (float)POTION_ITEMS_MAX));
    }
}

/* The recipe is the one whose parts are wanted; ingredients that are not legal show no stock, which
 * is all the same to what may be added next. */
static void look_sight_of(const float *o, sight *s) {
    const float *wanted = o + POTION_LOOK_AT_WANTED;
    memset(s, 0, sizeof *s);
    for (int r = 0; r < POTION_RECIPES; r++) {
        float off = 0.0f;
        for (int k = 0; k < POTION_MAGIMINS; k++) {
            const int32_t *parts = potion_parts[r];
            float one = wanted[k] - (float)parts[k] / (float)parts[POTION_PARTS_SUM];
            off += one < 0.0f ? -one : one;
        }
        s->recipe = off < 0.01f ? r : s->recipe;
    }
    s->max_items = whole(o[POTION_LOOK_AT_LIMITS], (float)POTION_ITEMS_MAX);
    s->max_magimins = whole(o[POTION_LOOK_AT_LIMITS + 1], (float)POTION_MAGIMINS_MAX);
    for (int k = 0; k < POTION_MAGIMINS; k++) {
        float total = o[POTION_LOOK_AT_CAULDRON] * (float)s->max_magimins;
        s->mix.amount[k] = whole(o[POTION_LOOK_AT_RATIOS + k], total);
        s->mix.total += s->mix.amount[k];
    }
    s->mix.items = whole(o[POTION_LOOK_AT_CAULDRON + 1], (float)s->max_items);
    for (int i = 1; i <= POTION_INGREDIENTS; i++) {
        s->stock[i] = (uint8_t)whole(o[i * POTION_LOOK_FIELDS + POTION_LOOK_STOCK], 10.0f);
    }
}

static void peer_sight_of(const float *o, sight *s) {
    memset(s, 0, sizeof *s);
    s->recipe = whole(o[POTION_PEER_AT_RECIPE], 1.0f);
    s->max_magimins = whole(o[POTION_PEER_AT_CAULDRON + 1], 1.0f);
    s->max_items = whole(o[POTION_PEER_AT_CAULDRON + 3], 1.0f);
    for (int i = 1; i <= POTION_INGREDIENTS; i++) {
        s->stock[i] = (uint8_t)whole(o[POTION_PEER_AT_STOCK + i], 1.0f);
        potion_mix_add(&s->mix, i, whole(o[POTION_PEER_AT_PIECES + i], 1.0f));
    }
}

static bool fits(const sight *s, const potion_mix *mix, int action) {
    return s->stock[action] > 0 && mix->items < s->max_items &&
           mix->total + potion_takes[action] <= s->max_magimins;
}

/* Share of magimins in the wrong place. */
static double error_of(const sight *s, const potion_mix *mix) {
    int32_t all, wanted;
    potion_distances(mix->amount, mix->total, s->recipe, &all, &wanted);
    double scale = (double)potion_parts[s->recipe][POTION_PARTS_SUM] * (double)mix->total;
    return mix->total > 0 ? (double)all / (2.0 * scale) : 1.0;
}

/* The reward of finishing with this mix. */
static double score_of(const sight *s, int ruleset, const potion_mix *mix) {
    int32_t all, wanted;
    int code = potion_code_of(ruleset, mix->amount, mix->total, mix->items, s->recipe);
    if (code == POTION_CANNOT_BREW) {
        return 0.0;
    }
    potion_distances(mix->amount, mix->total, s->recipe, &all, &wanted);
    double scale = (double)potion_parts[s->recipe][POTION_PARTS_SUM] * (double)mix->total;
    double fullness = (double)mix->total / (double)s->max_magimins;
    return (1.0 - (double)wanted / scale) * fullness + 0.25 * (double)code;
}

static int ruleset_of(const lu_rules *rules) {
    return ((const potion_rules *)(const void *)rules)->ruleset;
}

/* ---- greedy ---- */

/* Ahead of a second item nothing can be brewed: then the nearest ratio counts. */
static int choose_greedy(const lu_rules *rules, const sight *s) {
    int ruleset = ruleset_of(rules), best = POTION_FINISH;
    double most = score_of(s, ruleset, &s->mix);
    most = s->mix.items < 2 ? -1.0 : most;
    for (int i = 1; i <= POTION_INGREDIENTS; i++) {
        if (fits(s, &s->mix, i)) {
            potion_mix mix = s->mix;
            potion_mix_add(&mix, i, 1);
            double score = score_of(s, ruleset, &mix);
            score = score > 0.0 ? score : -error_of(s, &mix);
            best = score > most ? i : best;
            most = score > most ? score : most;
        }
    }
    return best;
}

/* ---- brewer ---- */

enum { BEAM = 64 };

/* A partial mix of the beam and how it came about. */
typedef struct partial {
    potion_mix mix;
    uint8_t added[16];
    double worth;
} partial;

typedef struct beam {
    int count;
    partial row[BEAM]; /* best first */
} beam;

typedef struct plan {
    uint8_t made, at; /* made is 1 once the plan stands */
    uint8_t action[16];
} plan;

/* Partial mixes that are near the ratio and would be full after `items` lead furthest. */
static double worth_of(const sight *s, int items, const potion_mix *mix) {
    double pace = (double)mix->total / (double)s->max_magimins - (double)mix->items / (double)items;
    return -error_of(s, mix) - lu_fabs(pace);
}

/* Puts a partial mix among the best, in order; equal amounts count once. */
static void beam_add(beam *b, const partial *one) {
    if (b->count == BEAM && one->worth <= b->row[BEAM - 1].worth) {
        return;
    }
    int at = b->count;
    while (at > 0 && b->row[at - 1].worth < one->worth) {
        at--;
    }
    for (int k = at - 1; k >= 0 && b->row[k].worth <= one->worth; k--) {
        if (memcmp(b->row[k].mix.amount, one->mix.amount, sizeof one->mix.amount) == 0) {
            return;
        }
    }
    b->count += b->count < BEAM ? 1 : 0;
    memmove(b->row + at + 1, b->row + at, (size_t)(b->count - 1 - at) * sizeof *b->row);
    b->row[at] = *one;
}

/* Pieces of an ingredient that a partial mix has taken. */
static int taken(const partial *one, int action) {
    int count = 0;
    for (int k = 0; k < one->mix.items; k++) {
        count += one->added[k] == action ? 1 : 0;
    }
    return count;
}

/* Ingredients in stock, those with magimins the recipe does not want only if `unclean`. */
static int shelf_of(const sight *s, bool unclean, uint8_t *shelf) {
    int count = 0;
    for (int i = 1; i <= POTION_INGREDIENTS; i++) {
        bool clean = true;
        for (int k = 0; k < POTION_MAGIMINS; k++) {
            clean = clean && (potion_adds[i][k] == 0 || potion_parts[s->recipe][k] > 0);
        }
        if (s->stock[i] > 0 && (clean || unclean)) {
            shelf[count++] = (uint8_t)i;
        }
    }
    return count;
}

/* Goes through all mixes one ingredient longer than those of `from`; keeps the best to go on with
 * and the best to finish with. */
static void widen(const sight *s, int ruleset, int items, const uint8_t *shelf, int count,
                  const beam *from, beam *to, partial *best) {
    to->count = 0;
    for (int b = 0; b < from->count; b++) {
        for (int k = 0; k < count; k++) {
            const partial *row = &from->row[b];
            if (!fits(s, &row->mix, shelf[k]) || taken(row, shelf[k]) >= s->stock[shelf[k]]) {
                continue;
            }
            partial one = *row;
            one.added[one.mix.items] = shelf[k];
            potion_mix_add(&one.mix, shelf[k], 1);
            double score = score_of(s, ruleset, &one.mix);
            if (score > best->worth) {
                *best = one;
                best->worth = score;
            }
            one.worth = worth_of(s, items, &one.mix);
            beam_add(to, &one);
        }
    }
}

static void make_plan(const lu_rules *rules, const sight *s, plan *p) {
    beam beams[2];
    partial best;
    uint8_t shelf[POTION_ACTIONS];
    memset(&best, 0, sizeof best);
    /* clean ingredients can be perfect; the others only where these do not get far */
    for (int unclean = 0; unclean < 2 && best.worth < 1.75; unclean++) {
        int count = shelf_of(s, unclean, shelf), ruleset = ruleset_of(rules);
        /* a beam of near relatives misses much: the next plans for one slot less */
        for (int spare = 0; spare < 4 && best.worth < 1.995; spare++) {
            int items = s->max_items - spare, now = 0;
            memset(beams, 0, sizeof beams);
            beams[0].count = 1;
            for (int depth = 0; depth < s->max_items && beams[now].count > 0; depth++) {
                widen(s, ruleset, items, shelf, count, &beams[now], &beams[1 - now], &best);
                now = 1 - now;
            }
        }
    }
    p->made = 1;
    memcpy(p->action, best.added, sizeof p->action);
}

static int choose_brewer(const lu_rules *rules, const sight *s, void *memory) {
    plan *p = memory;
    if (!p->made) {
        make_plan(rules, s, p);
    }
    /* behind the last ingredient the plan holds zeros: finish */
    int action = p->at < POTION_ITEMS_MAX ? p->action[p->at++] : POTION_FINISH;
    return action > 0 && fits(s, &s->mix, action) ? action : POTION_FINISH;
}

/* ---- the tables ---- */

#define BOTS(prefix, reader)                                                                       \
    static void prefix##_greedy(const lu_seat_view *view, int32_t *actions) {                      \
        sight s;                                                                                   \
        reader(view->observation, &s);                                                             \
        actions[0] = choose_greedy(view->rules, &s);                                               \
    }                                                                                              \
    static void prefix##_brewer(const lu_seat_view *view, int32_t *actions) {                      \
        sight s;                                                                                   \
        reader(view->observation, &s);                                                             \
        actions[0] = choose_brewer(view->rules, &s, view->memory);                                 \
    }                                                                                              \
    const lu_bot prefix##_bots[POTION_BOTS] = {                                                    \
        {"greedy", "Adds whatever makes the mix best right now.", false, 0, prefix##_greedy,       \
         false},                                                                                   \
        {"brewer", "Plans the whole brew with a beam of partial mixes.", false, sizeof(plan),      \
         prefix##_brewer, false},                                                                  \
    }

BOTS(potion, sight_of);
BOTS(potion_look, look_sight_of);
BOTS(potion_peer, peer_sight_of);
