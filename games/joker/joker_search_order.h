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
 *     they are compared by the a and b of the cards, and only the best per first card is scored.
 *
 * Of equal plays the one in the player's own order is kept, then the one with fewer cards, then the
 * leftmost. Plays are ranked by their mean over luck in one pass; those that lead get the exact
 * expectation. Ownership: results belong to the caller. Threads: no state. */
#pragma once

#include "joker_outlook.h"
#include "joker_search_round.h"

enum {
    JOKER_PLANS = 8,          /* that lead */
    JOKER_PLAN_WORK = 650000, /* after which the search ends: enough for 10 cards, 5 jokers */
    JOKER_PLAN_ORDERS = 16,   /* orders of cards compared in the time of one scored hand */
    JOKER_PLAN_OUTCOMES = 4096
};

typedef struct joker_plan {
    uint16_t chosen;               /* positions of the hand */
    uint8_t hand;                  /* kind of hand */
    uint8_t count;                 /* cards played */
    uint8_t order[JOKER_PLAY_MAX]; /* positions in the order in which they are to lie */
    uint8_t row[JOKER_ROW_MAX];    /* present places of the jokers in the order to be */
    uint8_t moves_cards, moves_jokers;
    uint8_t moves_held; /* held cards that add lie left of those that multiply */
    double pass;        /* mean of one pass, by which plans are found */
    double mean;        /* exact where it could be: plan.look */
    joker_outlook look;
} joker_plan;

typedef struct joker_plans {
    joker_plan plan[JOKER_PLANS]; /* best first */
    int count;
    int64_t runs;   /* hands scored */
    int64_t orders; /* of played cards, compared without */
    int complete;   /* 0: best found; more orders than could be tried */
    int hidden;     /* held cards that lie face down and were left out */
} joker_plans;

/* ---- what multiplies ---- */

typedef struct joker_orders {
    joker_state t;                    /* jokers in the order tried, no face-down cards */
    joker_call call;                  /* facts of that order */
    uint8_t position[JOKER_HAND_MAX]; /* of t's hand in the player's */
    uint32_t times;                   /* marks that some joker multiplies on */
    bool first, face;                 /* the first card, the first face card counts */
    uint8_t row[JOKER_ROW_MAX];
    bool moved;      /* the jokers are not in the player's order */
    bool held_moved; /* the held cards are not */
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

LU_INLINE bool joker_plan_better(const joker_plan *a, const joker_plan *b) {
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
LU_INLINE void joker_plans_take(joker_plans *plans, const joker_plan *plan) {
    int at = 0;
    while (at < plans->count && plans->plan[at].chosen != plan->chosen) {
        at++;
    }
    if (at < plans->count) {
        if (!joker_plan_better(plan, &plans->plan[at])) {
            return;
        }
    } else if (plans->count < JOKER_PLANS) {
        plans->count++;
    } else if (joker_plan_better(plan, &plans->plan[JOKER_PLANS - 1])) {
        at = JOKER_PLANS - 1;
    } else {
        return;
    }
    plans->plan[at] = *plan;
    for (; at > 0 && joker_plan_better(&plans->plan[at], &plans->plan[at - 1]); at--) {
        joker_plan other = plans->plan[at];
        plans->plan[at] = plans->plan[at - 1];
        plans->plan[at - 1] = other;
    }
}

/* The next order of a list of numbers by size; false behind the last. */
LU_INLINE bool joker_next_order(uint8_t *list, int n) {
    int i = n - 2, k = n - 1;
    while (i >= 0 && list[i] >= list[i + 1]) {
        i--;
    }
    if (i < 0) {
        return false;
    }
    while (list[k] <= list[i]) {
        k--;
    }
    uint8_t other = list[i];
    list[i] = list[k];
    list[k] = other;
    for (int a = i + 1, b = n - 1; a < b; a++, b--) {
        other = list[a];
        list[a] = list[b];
        list[b] = other;
    }
    return true;
}

/* ---- cards ---- */

/* Whether a scored card multiplies, with what jokers do on it. */
LU_INLINE bool joker_card_times(const joker_orders *o, const joker_card *card) {
    return card->enhancement == JOKER_GLASS || card->edition == JOKER_POLY ||
           joker_marks(&o->t, card, o->call.rules) & o->times;
}

/* Puts held cards that only multiply last, those that only add first; false when they lie so. */
LU_INLINE bool joker_sort_held(joker_orders *o) {
    joker_call *c = &o->call;
    uint32_t times = 0, adds = 0;
    for (uint32_t left = c->on_held; left;) {
        const joker_row *row = &joker_rows[o->t.joker[c->acts[joker_next(&left)]].id];
        times |= row->x > 0.0 ? row->filter : 0u;
        adds |= row->mult > 0 ? row->filter : 0u;
    }
    if (!adds) {
        return false; /* all only multiply */
    }
    uint8_t sorted[JOKER_CALL_HELD];
    int n = 0, lowest = -1, rank = 15;
    for (int i = 0; i < c->held_count; i++) {
        const joker_card *card = &o->t.card[c->held[i]];
        if (card->enhancement != JOKER_STONE && card->rank <= rank) {
            rank = card->rank;
            lowest = i;
        }
    }
    for (int kind = 0; kind < 3; kind++) {
        for (int i = 0; i < c->held_count; i++) {
            const joker_card *card = &o->t.card[c->held[i]];
            uint32_t marks = joker_marks(&o->t, card, c->rules);
            marks |= i == lowest ? (uint32_t)JOKER_M_LOWEST : 0u;
            bool x = card->enhancement == JOKER_STEEL || marks & times, b = marks & adds;
            if ((!x ? 0 : b ? 1 : 2) == kind) {
                sorted[n++] = c->held[i];
            }
        }
    }
    bool moved = memcmp(c->held, sorted, (size_t)n) != 0;
    memcpy(c->held, sorted, (size_t)n);
    return moved;
}

/* Scores the cards of the call as they lie and takes the plan in; `at` = positions of t's hand. */
LU_INLINE void joker_plan_try(const joker_model *m, joker_orders *o, uint32_t set,
                              const uint8_t *at, bool moved, joker_plans *plans) {
    joker_plan plan;
    joker_call *c = &o->call;
    memset(&plan, 0, sizeof plan);
    for (int i = 0; i < c->played_count; i++) {
        c->played[i] = o->t.hand[at[i]];
    }
    joker_score_run(m, &o->t, c);
    plans->runs++;
    plan.pass = plan.mean = c->score;
    if (plans->count == JOKER_PLANS && plan.mean < plans->plan[JOKER_PLANS - 1].mean) {
        return;
    }
    plan.hand = c->found.hand;
    plan.count = (uint8_t)c->played_count;
    plan.moves_cards = moved;
    plan.moves_jokers = o->moved;
    plan.moves_held = o->held_moved;
    for (int i = 0; i < c->played_count; i++) {
        plan.order[i] = o->position[at[i]];
    }
    for (int i = 0; i < o->t.held; i++) {
        plan.chosen = (uint16_t)(plan.chosen | (set >> i & 1u ? 1u << o->position[i] : 0u));
    }
    memcpy(plan.row, o->row, sizeof plan.row);
    joker_plans_take(plans, &plan);
}

/* ---- orders of cards ---- */

enum { JOKER_MAP_FIRST = 1, JOKER_MAP_FACE = 2, JOKER_MAPS = 4 };

/* What a scored card with all its triggers makes of mult m: times * m + plus. */
typedef struct joker_map {
    double times, plus;
} joker_map;

/* The played cards as maps, by whether a card is the first, and the first face card. */
typedef struct joker_maps {
    joker_map map[JOKER_PLAY_MAX][JOKER_MAPS];
    uint32_t scoring, faces; /* cards */
    double base;             /* mult before the cards */
} joker_maps;

/* Reads the map of a card off the rules, from two values of mult. The call's results are lost. */
LU_INLINE joker_map joker_map_of(const joker_model *m, joker_orders *o, int i, uint32_t marks) {
    joker_call *c = &o->call;
    joker_map map = {1.0, 0.0};
    c->marks[i] = marks;
    if (!joker_card_debuffed(&c->card[i])) {
        c->mult = 0.0;
        joker_trigger_card(m, &o->t, c, i);
        map.plus = c->mult;
        c->mult = 1.0;
        joker_trigger_card(m, &o->t, c, i);
        map.times = c->mult - map.plus;
    }
    return map;
}

/* The maps of the hand just scored; those that no joker tells apart stay out. */
LU_INLINE void joker_maps_of(const joker_model *m, joker_orders *o, joker_maps *maps) {
    joker_call *c = &o->call;
    int used = (o->first ? JOKER_MAP_FIRST : 0) | (o->face ? JOKER_MAP_FACE : 0);
    joker_base(c);
    maps->base = c->mult;
    maps->scoring = c->found.scoring;
    maps->faces = 0;
    for (int i = 0; i < c->played_count; i++) {
        if (!joker_scores(c, i)) {
            continue;
        }
        uint32_t marks = joker_marks(&o->t, &c->card[i], c->rules);
        maps->faces |= marks & JOKER_M_FACE && o->face ? 1u << i : 0u;
        for (int kind = 0; kind < JOKER_MAPS; kind++) {
            if ((kind & ~used) == 0) {
                uint32_t first = kind & JOKER_MAP_FIRST ? (uint32_t)JOKER_M_FIRST : 0u;
                uint32_t face = kind & JOKER_MAP_FACE ? (uint32_t)JOKER_M_FIRST_FACE : 0u;
                maps->map[i][kind] = joker_map_of(m, o, i, marks | first | face);
            }
        }
    }
}

/* Mult after the cards in an order. */
LU_INLINE double joker_order_mult(const joker_maps *maps, const uint8_t *order, int n, bool first) {
    double mult = maps->base;
    uint32_t faces = maps->faces;
    int kind = first ? JOKER_MAP_FIRST : 0;
    for (int k = 0; k < n; k++) {
        uint32_t bit = 1u << order[k];
        if (maps->scoring & bit) {
            kind |= faces & bit ? JOKER_MAP_FACE : 0;
            faces = faces & bit ? 0u : faces;
            mult = maps->map[order[k]][kind].times * mult + maps->map[order[k]][kind].plus;
            kind = 0;
        }
    }
    return mult;
}

/* Orders to score: that of the most mult for each card that may be first, one alone when being
 * first changes nothing. (Chips, dollars and stores depend on an order by the first card alone.) */
typedef struct joker_best {
    uint8_t order[JOKER_PLAY_MAX][JOKER_PLAY_MAX]; /* indices of the played cards */
    double mult[JOKER_PLAY_MAX];                   /* 0: none */
} joker_best;

/* The first scoring card of an order. */
LU_INLINE int joker_first_of(const joker_maps *maps, const uint8_t *order) {
    int k = 0;
    while (!(maps->scoring >> order[k] & 1u)) {
        k++;
    }
    return order[k];
}

/* Compares the orders of the cards of the hand just scored by their maps; returns their number. */
LU_INLINE int joker_best_orders(const joker_model *m, joker_orders *o, joker_best *best) {
    const joker_call *c = &o->call;
    uint8_t present[JOKER_PLAY_MAX], order[JOKER_PLAY_MAX], late[JOKER_PLAY_MAX];
    int n = c->played_count, fixed = 0, free = 0, compared = 0;
    memset(best->mult, 0, sizeof best->mult);
    for (int i = 0; i < n; i++) {
        present[i] = (uint8_t)i;
        if (joker_scores(c, i) &&
            (o->first || o->face || joker_card_times(o, &o->t.card[c->played[i]]))) {
            late[free++] = (uint8_t)i;
        } else {
            order[fixed++] = (uint8_t)i;
        }
    }
    if (free == 0 || n < 2 || c->blocked) {
        return 0;
    }
    joker_maps maps;
    joker_maps_of(m, o, &maps);
    /* what is no more than the cards as they lie needs no run */
    int first = o->first ? joker_first_of(&maps, present) : 0;
    double least[JOKER_PLAY_MAX] = {0.0};
    least[first] = joker_order_mult(&maps, present, n, o->first);
    memcpy(order + fixed, late, (size_t)free);
    do {
        double mult = joker_order_mult(&maps, order, n, o->first);
        first = o->first ? order[fixed] : 0;
        if (mult > least[first] * (1.0 + 1e-13)) {
            least[first] = best->mult[first] = mult;
            memcpy(best->order[first], order, sizeof order);
        }
        compared++;
    } while (joker_next_order(order + fixed, free));
    return compared;
}

/* One choice of cards: as they lie, with the held cards sorted, and in orders that may be better.
 */
LU_INLINE void joker_plan_cards(const joker_model *m, joker_orders *o, uint32_t set,
                                joker_plans *plans) {
    uint8_t at[JOKER_PLAY_MAX], order[JOKER_PLAY_MAX];
    joker_best best;
    int n = 0;
    joker_call_choose(&o->t, &o->call, set);
    for (uint32_t left = set; left;) {
        at[n++] = (uint8_t)joker_next(&left);
    }
    o->held_moved = false;
    joker_plan_try(m, o, set, at, false, plans);
    o->held_moved = joker_sort_held(o);
    if (o->held_moved) {
        joker_plan_try(m, o, set, at, false, plans);
    }
    plans->orders += joker_best_orders(m, o, &best);
    for (int first = 0; first < n; first++) {
        if (best.mult[first] > 0.0) {
            for (int i = 0; i < n; i++) {
                order[i] = at[best.order[first][i]];
            }
            joker_plan_try(m, o, set, order, true, plans);
        }
    }
}

/* ---- jokers ---- */

/* All choices of cards with the jokers in the order of o->row. */
LU_INLINE void joker_plan_row(const joker_model *m, const joker_state *s, joker_orders *o,
                              joker_plans *plans) {
    joker_state *t = &o->t;
    uint32_t forced = joker_cards_to_lay(t).forced;
    o->moved = false;
    for (int i = 0; i < s->jokers; i++) {
        t->joker[i] = s->joker[o->row[i]];
        o->moved = o->moved || o->row[i] != i;
    }
    joker_call_facts(m, t, &o->call);
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
            if (plans->runs + plans->orders / JOKER_PLAN_ORDERS >= JOKER_PLAN_WORK) {
                plans->complete = 0;
                return;
            }
            if ((set & forced) == forced) {
                joker_plan_cards(m, o, set, plans);
            }
            uint32_t low = set & (0u - set), next = set + low;
            set = next | ((set ^ next) / low >> 2);
        }
    }
}

/* Orders of the jokers: first the player's, then all that can matter. */
LU_INLINE void joker_plan_rows(const joker_model *m, const joker_state *s, joker_orders *o,
                               joker_plans *plans) {
    uint8_t list[JOKER_ROW_MAX];
    int fixed = 0, free = 0;
    bool all = joker_all_orders(s);
    for (int i = 0; i < s->jokers; i++) {
        o->row[i] = (uint8_t)i;
    }
    joker_plan_row(m, s, o, plans);
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
        joker_plan_row(m, s, o, plans);
    } while (plans->complete && joker_next_order(list, free));
}

/* ---- the search ---- */

/* The exact expectation of a plan. */
LU_INLINE void joker_plan_look(const joker_model *m, const joker_state *s, joker_orders *o,
                               joker_plan *plan) {
    joker_state *t = &o->t;
    uint32_t set = 0;
    for (int i = 0; i < s->jokers; i++) {
        t->joker[i] = s->joker[plan->row[i]];
    }
    joker_call_facts(m, t, &o->call);
    o->call.hands_left = s->hands - 1;
    o->call.luck.mode = JOKER_LUCK_MEAN;
    for (int i = 0; i < t->held; i++) {
        set |= joker_has(plan->chosen, o->position[i]) ? 1u << i : 0u;
    }
    joker_call_choose(t, &o->call, set);
    if (plan->moves_held) {
        (void)joker_sort_held(o);
    }
    for (int i = 0; i < plan->count; i++) {
        o->call.played[i] = s->hand[plan->order[i]];
    }
    joker_look(m, t, &o->call, JOKER_PLAN_OUTCOMES, s->target - s->score, &plan->look);
}

/* The state without held cards that lie face down. */
LU_INLINE void joker_orders_start(const joker_state *s, joker_orders *o, joker_plans *plans) {
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
LU_INLINE void joker_search_plays(const joker_model *m, const joker_state *s, joker_orders *o,
                                  joker_plans *plans) {
    joker_orders_start(s, o, plans);
    joker_plan_rows(m, s, o, plans);
    for (int i = 0; i < plans->count; i++) {
        joker_plan_look(m, s, o, &plans->plan[i]);
        plans->plan[i].mean = plans->plan[i].look.mean;
        for (int k = i; k > 0 && joker_plan_better(&plans->plan[k], &plans->plan[k - 1]); k--) {
            joker_plan other = plans->plan[k];
            plans->plan[k] = plans->plan[k - 1];
            plans->plan[k - 1] = other;
        }
    }
}
