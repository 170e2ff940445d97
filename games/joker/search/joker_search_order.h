/* Joker, search: the best play over all choices of up to five held cards, all orders of the played
 * cards and all orders of the jokers. Orders are left out only where they cannot matter:
 *
 *   - a scored card, a held card and a joker each turn mult m into a*m + b with a >= 1, b >= 0,
 *     whatever their place; what only adds (a = 1) is best placed before what multiplies, and the
 *     order among those that only add, and among those that only multiply (b = 0), does not matter;
 *   - so cards that only add lie first in the player's order, and only those that multiply are
 *     permuted; likewise jokers;
 *   - where a place itself counts (Photograph, Hanging Chad, copies, Vampire with Midas Mask,
 *     Matador with Bull or Bootstraps) all orders are tried;
 *   - orders of the played cards differ in mult alone, but for the card that Hanging Chad repeats:
 *     they are compared by the a and b of the cards, and only the best per first card is scored;
 *     held cards are put into their best order by a rule (joker_search_maps.h).
 *
 * Of equal plays the one in the player's own order is kept, then the one with fewer cards, then the
 * leftmost. Plays are ranked by their mean over luck in one pass; those that lead get the exact
 * expectation. Ownership: results belong to the caller. Threads: no state. */
#pragma once

#include "rules/joker_outlook.h"
#include "search/joker_search_maps.h"
#include "search/joker_search_round.h"

enum {
    JOKER_ARRANGEMENTS = 8, /* that lead */
    JOKER_ARRANGEMENT_WORK =
        650000,                    /* after which the search ends: enough for 10 cards, 5 jokers */
    JOKER_ARRANGEMENT_ORDERS = 16, /* orders of cards compared in the time of one scored hand */
    JOKER_ARRANGEMENT_OUTCOMES = 4096
};

typedef struct joker_arrangement {
    uint16_t chosen;               /* positions of the hand */
    uint8_t hand;                  /* kind of hand */
    uint8_t count, held_count;     /* cards played, held and seen */
    uint8_t order[JOKER_PLAY_MAX]; /* positions in the order in which they are to lie */
    uint8_t held[JOKER_HAND_MAX];  /* those that stay, likewise */
    uint8_t row[JOKER_ROW_MAX];    /* present places of the jokers in the order to be */
    uint8_t moves_cards, moves_jokers, moves_held;
    double pass; /* mean of one pass, by which plans are found */
    double mean; /* exact where it could be: plan.look */
    joker_outlook look;
} joker_arrangement;

typedef struct joker_arrangements {
    joker_arrangement plan[JOKER_ARRANGEMENTS]; /* best first */
    int count;
    int64_t runs;   /* hands scored */
    int64_t orders; /* of played cards, compared without */
    int complete;   /* 0: best found; more orders than could be tried */
    int hidden;     /* held cards that lie face down and were left out */
} joker_arrangements;

/* ---- what multiplies ---- */

typedef struct joker_orders {
    joker_state t;                    /* jokers in the order tried, no face-down cards */
    joker_scoring call;               /* facts of that order */
    uint8_t position[JOKER_HAND_MAX]; /* of t's hand in the player's */
    uint32_t times;                   /* marks that some joker multiplies on */
    bool first, face;                 /* the first card, the first face card counts */
    uint8_t row[JOKER_ROW_MAX];
    bool moved; /* the jokers are not in the player's order */
} joker_orders;

/* Whether a joker, as it may act, can multiply while jokers are counted, and whether it can add. */
LU_INLINE bool joker_multiplies(const joker_state *s, const joker_joker *j) {
    const joker_row *row = &joker_rows[j->id];
    bool baseball = false;
    for (int i = 0; i < s->jokers && joker_joker_facts[j->id].rarity == JOKER_UNCOMMON; i++) {
        baseball = baseball || s->joker[i].id == JOKER_J_BASEBALL;
    }
    return row->x > 0.0 || row->effect == JOKER_E_STORED_X || j->edition == JOKER_POLY || baseball;
}

LU_INLINE bool joker_matters_to_order(const joker_joker *j) {
    const uint32_t hooks = JOKER_HOOK_BEFORE | JOKER_HOOK_SCORED | JOKER_HOOK_HELD |
                           JOKER_HOOK_MAIN | JOKER_HOOK_AFTER_OTHER | JOKER_HOOK_DESTROY;
    return joker_joker_facts[j->id].hooks & hooks || j->edition == JOKER_FOIL ||
           j->edition == JOKER_HOLO || j->edition == JOKER_POLY ||
           joker_joker_facts[j->id].rarity == JOKER_UNCOMMON;
}

/* Whether places of the row count by themselves. */
LU_INLINE bool joker_all_orders(const joker_state *s) {
    bool has[JOKER_JOKERS] = {false}, other = false;
    for (int i = 0; i < s->jokers; i++) {
        has[s->joker[i].id] = true;
    }
    other = (has[JOKER_J_VAMPIRE] && has[JOKER_J_MIDAS_MASK]) ||
            (has[JOKER_J_MATADOR] && (has[JOKER_J_BULL] || has[JOKER_J_BOOTSTRAPS])) ||
            (has[JOKER_J_TODO_LIST] && (has[JOKER_J_BULL] || has[JOKER_J_BOOTSTRAPS]));
    return other || has[JOKER_J_BLUEPRINT] || has[JOKER_J_BRAINSTORM];
}

/* ---- plans ---- */

LU_INLINE bool joker_arrangement_better(const joker_arrangement *a, const joker_arrangement *b) {
    double edge = 1e-12 * (b->mean > 0.0 ? b->mean : 1.0);
    if (a->mean > b->mean + edge || a->mean < b->mean - edge) {
        return a->mean > b->mean;
    }
    int moves = a->moves_jokers + a->moves_cards + a->moves_held;
    int others = b->moves_jokers + b->moves_cards + b->moves_held;
    if (moves != others) {
        return moves < others;
    }
    if (a->count != b->count) {
        return a->count < b->count;
    }
    return a->chosen < b->chosen;
}

/* Takes a plan in; one per choice of cards. */
LU_INLINE void joker_arrangements_take(joker_arrangements *plans, const joker_arrangement *plan) {
    int at = 0;
    while (at < plans->count && plans->plan[at].chosen != plan->chosen) {
        at++;
    }
    if (at < plans->count) {
        if (!joker_arrangement_better(plan, &plans->plan[at])) {
            return;
        }
    } else if (plans->count < JOKER_ARRANGEMENTS) {
        plans->count++;
    } else if (joker_arrangement_better(plan, &plans->plan[JOKER_ARRANGEMENTS - 1])) {
        at = JOKER_ARRANGEMENTS - 1;
    } else {
        return;
    }
    plans->plan[at] = *plan;
    for (; at > 0 && joker_arrangement_better(&plans->plan[at], &plans->plan[at - 1]); at--) {
        joker_arrangement other = plans->plan[at];
        plans->plan[at] = plans->plan[at - 1];
        plans->plan[at - 1] = other;
    }
}

/* ---- cards ---- */

/* Whether a scored card multiplies, with what jokers do on it. */
LU_INLINE bool joker_card_times(const joker_orders *o, const joker_card *card) {
    return card->enhancement == JOKER_GLASS || card->edition == JOKER_POLY ||
           joker_marks(&o->t, card, o->call.rules) & o->times;
}

/* How the cards of a choice are to lie: positions of t's hand. */
typedef struct joker_laid {
    uint8_t played[JOKER_PLAY_MAX], held[JOKER_HAND_MAX];
    bool moves_played, moves_held;
} joker_laid;

/* Scores the cards laid so and takes the plan in. */
LU_INLINE void joker_arrangement_try(const joker_rules *m, joker_orders *o, const joker_laid *laid,
                                     joker_arrangements *plans) {
    joker_arrangement plan;
    joker_scoring *c = &o->call;
    memset(&plan, 0, sizeof plan);
    for (int i = 0; i < c->played_count; i++) {
        c->played[i] = o->t.hand[laid->played[i]];
    }
    for (int i = 0; i < c->held_count; i++) {
        c->held[i] = o->t.hand[laid->held[i]];
    }
    joker_score_run(m, &o->t, c);
    plans->runs++;
    plan.pass = plan.mean = c->score;
    if (plans->count == JOKER_ARRANGEMENTS &&
        plan.mean < plans->plan[JOKER_ARRANGEMENTS - 1].mean) {
        return;
    }
    plan.hand = c->found.hand;
    plan.count = (uint8_t)c->played_count;
    plan.held_count = (uint8_t)c->held_count;
    plan.moves_cards = laid->moves_played;
    plan.moves_jokers = o->moved;
    plan.moves_held = laid->moves_held;
    for (int i = 0; i < c->played_count; i++) {
        plan.order[i] = o->position[laid->played[i]];
        plan.chosen = (uint16_t)(plan.chosen | 1u << plan.order[i]);
    }
    for (int i = 0; i < c->held_count; i++) {
        plan.held[i] = o->position[laid->held[i]];
    }
    memcpy(plan.row, o->row, sizeof plan.row);
    joker_arrangements_take(plans, &plan);
}

/* Tries an order of the played cards with the held cards as they lie best at its mult; `order` =
 * indices, NULL = as they lie: then only when the held cards move. */
LU_INLINE void joker_arrangement_order(const joker_rules *m, joker_orders *o,
                                       const joker_maps *maps, const joker_laid *present,
                                       const uint8_t *order, double mult,
                                       joker_arrangements *plans) {
    joker_laid laid = *present;
    uint8_t held[JOKER_HAND_MAX];
    if (maps->held_count > 0 && joker_best_held(maps, mult, held)) {
        for (int i = 0; i < maps->held_count; i++) {
            laid.held[i] = present->held[held[i]];
        }
        laid.moves_held = true;
    }
    for (int i = 0; order && i < maps->played_count; i++) {
        laid.played[i] = present->played[order[i]];
    }
    laid.moves_played = order != NULL;
    if (order || laid.moves_held) {
        joker_arrangement_try(m, o, &laid, plans);
    }
}

/* The played cards whose place may count. */
LU_INLINE uint32_t joker_late_cards(const joker_orders *o) {
    const joker_scoring *c = &o->call;
    uint32_t late = 0;
    for (int i = 0; i < c->played_count; i++) {
        bool times = o->first || o->face || joker_card_times(o, &o->t.card[c->played[i]]);
        late |= joker_scores(c, i) && times ? 1u << i : 0u;
    }
    return c->played_count < 2 ? 0u : late;
}

/* One choice of cards: as they lie, then in orders that may be better. */
LU_INLINE void joker_arrangement_cards(const joker_rules *m, joker_orders *o, uint32_t set,
                                       joker_arrangements *plans) {
    joker_scoring *c = &o->call;
    joker_laid present = {.moves_played = false};
    joker_best best = {.mult = {0.0}};
    joker_maps maps;
    int played = 0, held = 0;
    for (int i = 0; i < o->t.held; i++) {
        if (set >> i & 1u) {
            present.played[played++] = (uint8_t)i;
        } else {
            present.held[held++] = (uint8_t)i;
        }
    }
    c->played_count = played;
    c->held_count = held;
    joker_arrangement_try(m, o, &present, plans);
    uint32_t late = joker_late_cards(o);
    bool adds = held > 1 && joker_held_adds(c);
    if (c->blocked || (!late && !adds)) {
        return;
    }
    maps.held_count = 0;
    if (adds) {
        joker_maps_held(m, &o->t, c, &maps);
    }
    joker_maps_played(m, &o->t, c, o->first, o->face, &maps);
    if (late) {
        plans->orders += joker_best_played(&maps, late, &best);
    }
    if (adds) {
        static const uint8_t same[JOKER_PLAY_MAX] = {0, 1, 2, 3, 4};
        joker_arrangement_order(m, o, &maps, &present, NULL, joker_mult_played(&maps, same), plans);
    }
    for (int first = 0; first < played; first++) {
        if (best.mult[first] > 0.0) {
            joker_arrangement_order(m, o, &maps, &present, best.order[first], best.mult[first],
                                    plans);
        }
    }
}

/* ---- jokers ---- */

/* All choices of cards with the jokers in the order of o->row. */
LU_INLINE void joker_arrangement_row(const joker_rules *m, const joker_state *s, joker_orders *o,
                                     joker_arrangements *plans) {
    joker_state *t = &o->t;
    uint32_t forced = joker_cards_to_lay(t).forced;
    o->moved = false;
    for (int i = 0; i < s->jokers; i++) {
        t->joker[i] = s->joker[o->row[i]];
        o->moved = o->moved || o->row[i] != i;
    }
    joker_scoring_facts(m, t, &o->call);
    o->call.hands_left = s->hands - 1;
    o->call.luck.mode = JOKER_LUCK_MEAN;
    o->times = 0;
    o->first = o->face = false;
    for (uint32_t left = o->call.on_scored; left;) {
        const joker_row *row = &joker_rows[t->joker[o->call.acts[joker_next(&left)]].id];
        o->times |= row->effect == JOKER_E_PER_SCORED && row->x > 0.0 ? row->filter : 0u;
        o->face = o->face || row->filter & JOKER_M_FIRST_FACE;
    }
    for (uint32_t left = o->call.on_again; left;) {
        const joker_row *row = &joker_rows[t->joker[o->call.acts[joker_next(&left)]].id];
        o->first = o->first || row->filter & JOKER_M_FIRST;
    }
    for (int count = 1; count <= JOKER_PLAY_MAX && count <= t->held; count++) {
        for (uint32_t set = (1u << count) - 1u; set < 1u << t->held;) {
            if (plans->runs + plans->orders / JOKER_ARRANGEMENT_ORDERS >= JOKER_ARRANGEMENT_WORK) {
                plans->complete = 0;
                return;
            }
            if ((set & forced) == forced) {
                joker_arrangement_cards(m, o, set, plans);
            }
            uint32_t low = set & (0u - set), next = set + low;
            set = next | ((set ^ next) / low >> 2);
        }
    }
}

/* Orders of the jokers: first the player's, then all that can matter. */
LU_INLINE void joker_arrangement_rows(const joker_rules *m, const joker_state *s, joker_orders *o,
                                      joker_arrangements *plans) {
    uint8_t list[JOKER_ROW_MAX];
    int fixed = 0, free = 0;
    bool all = joker_all_orders(s);
    for (int i = 0; i < s->jokers; i++) {
        o->row[i] = (uint8_t)i;
    }
    joker_arrangement_row(m, s, o, plans);
    for (int i = 0; i < s->jokers; i++) {
        if (s->joker[i].flags & JOKER_DOWN) {
            return; /* turned down: they are not known apart */
        }
        if (!all && !(joker_matters_to_order(&s->joker[i]) && joker_multiplies(s, &s->joker[i]))) {
            o->row[fixed++] = (uint8_t)i;
        } else {
            list[free++] = (uint8_t)i;
        }
    }
    if (s->jokers < 2 || free == 0) {
        return;
    }
    do {
        memcpy(o->row + fixed, list, (size_t)free);
        joker_arrangement_row(m, s, o, plans);
    } while (plans->complete && joker_next_order(list, free));
}

/* ---- the search ---- */

/* The exact expectation of a plan. */
LU_INLINE void joker_arrangement_look(const joker_rules *m, const joker_state *s, joker_orders *o,
                                      joker_arrangement *plan) {
    joker_state *t = &o->t;
    for (int i = 0; i < s->jokers; i++) {
        t->joker[i] = s->joker[plan->row[i]];
    }
    joker_scoring_facts(m, t, &o->call);
    o->call.hands_left = s->hands - 1;
    o->call.luck.mode = JOKER_LUCK_MEAN;
    o->call.played_count = plan->count;
    o->call.held_count = plan->held_count;
    for (int i = 0; i < plan->count; i++) {
        o->call.played[i] = s->hand[plan->order[i]];
    }
    for (int i = 0; i < plan->held_count; i++) {
        o->call.held[i] = s->hand[plan->held[i]];
    }
    joker_look(m, t, &o->call, JOKER_ARRANGEMENT_OUTCOMES, s->target - s->score, &plan->look);
}

/* The state without held cards that lie face down. */
LU_INLINE void joker_orders_start(const joker_state *s, joker_orders *o,
                                  joker_arrangements *plans) {
    memset(o, 0, sizeof *o);
    memset(plans, 0, sizeof *plans);
    plans->complete = 1;
    joker_copy_state(&o->t, s);
    o->t.held = 0;
    for (int i = 0; i < s->held; i++) {
        if (s->card[s->hand[i]].flags & JOKER_CARD_DOWN) {
            plans->hidden++;
        } else {
            o->position[o->t.held] = (uint8_t)i;
            o->t.hand[o->t.held++] = s->hand[i];
        }
    }
}

/* Finds the best plays of a state in a round; `o` is room to work in. */
LU_INLINE void joker_search_plays(const joker_rules *m, const joker_state *s, joker_orders *o,
                                  joker_arrangements *plans) {
    joker_orders_start(s, o, plans);
    joker_arrangement_rows(m, s, o, plans);
    for (int i = 0; i < plans->count; i++) {
        joker_arrangement_look(m, s, o, &plans->plan[i]);
        plans->plan[i].mean = plans->plan[i].look.mean;
        for (int k = i; k > 0 && joker_arrangement_better(&plans->plan[k], &plans->plan[k - 1]);
             k--) {
            joker_arrangement other = plans->plan[k];
            plans->plan[k] = plans->plan[k - 1];
            plans->plan[k - 1] = other;
        }
    }
}
