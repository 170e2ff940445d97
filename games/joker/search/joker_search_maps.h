/* Joker, search: orders of cards compared without scoring them. A scored card with all its triggers
 * turns mult m into times * m + plus, and so does a held card; both are read off the rules after
 * one run. All orders of the played cards are then a few multiplications each. Held cards are put
 * into their best order by a rule: of two neighbours the one with more plus / (times - 1) goes
 * left. Only Raised Fist makes a place count there: of the lowest held cards the rightmost is
 * meant. Ownership: nothing is owned. Threads: no state. */
#pragma once

#include "rules/joker_score.h"

enum { JOKER_MAP_FIRST = 1, JOKER_MAP_FACE = 2, JOKER_MAPS = 4 };

/* What a card makes of mult. */
typedef struct joker_map {
    double times, plus;
} joker_map;

/* The cards of a hand. */
typedef struct joker_maps {
    int played_count, held_count;
    double base;             /* mult before the cards */
    bool first;              /* whether it counts which card is first */
    uint32_t scoring, faces; /* played cards; faces only where the first one counts */
    joker_map played[JOKER_PLAY_MAX][JOKER_MAPS]; /* by whether first, and first face card */
    uint32_t lowest;                              /* held cards that may be the lowest */
    joker_map held[JOKER_HAND_MAX][2];            /* by whether the lowest */
} joker_maps;

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

/* Whether one mult is more than another by more than rounding. */
LU_INLINE bool joker_more(double a, double b) {
    return a > b * (1.0 + 1e-13);
}

/* ---- played cards ---- */

/* The map of a played card with these marks, from two values of mult. */
LU_INLINE joker_map joker_map_played(const joker_rules *m, joker_state *s, joker_scoring *c, int i,
                                     uint32_t marks) {
    joker_map map = {1.0, 0.0};
    c->marks[i] = marks;
    if (!joker_card_debuffed(&c->card[i])) {
        c->mult = 0.0;
        joker_trigger_card(m, s, c, i);
        map.plus = c->mult;
        c->mult = 1.0;
        joker_trigger_card(m, s, c, i);
        map.times = c->mult - map.plus;
    }
    return map;
}

/* The played cards of the hand just scored, whose results are lost by it. `first`, `face`: whether
 * a joker looks at the first card, the first face card. */
LU_INLINE void joker_maps_played(const joker_rules *m, joker_state *s, joker_scoring *c, bool first,
                                 bool face, joker_maps *maps) {
    int used = (first ? JOKER_MAP_FIRST : 0) | (face ? JOKER_MAP_FACE : 0);
    joker_base(c);
    maps->played_count = c->played_count;
    maps->base = c->mult;
    maps->first = first;
    maps->scoring = c->found.scoring;
    maps->faces = 0;
    for (int i = 0; i < c->played_count; i++) {
        if (!joker_scores(c, i)) {
            continue;
        }
        uint32_t marks = joker_marks(s, &c->card[i], c->rules);
        maps->faces |= marks & JOKER_M_FACE && face ? 1u << i : 0u;
        for (int kind = 0; kind < JOKER_MAPS; kind++) {
            if ((kind & ~used) == 0) {
                uint32_t more = kind & JOKER_MAP_FIRST ? (uint32_t)JOKER_M_FIRST : 0u;
                more |= kind & JOKER_MAP_FACE ? (uint32_t)JOKER_M_FIRST_FACE : 0u;
                maps->played[i][kind] = joker_map_played(m, s, c, i, marks | more);
            }
        }
    }
}

/* Mult after the played cards in an order. */
LU_INLINE double joker_mult_played(const joker_maps *maps, const uint8_t *order) {
    double mult = maps->base;
    uint32_t faces = maps->faces;
    int kind = maps->first ? JOKER_MAP_FIRST : 0;
    for (int k = 0; k < maps->played_count; k++) {
        uint32_t bit = 1u << order[k];
        if (maps->scoring & bit) {
            kind |= faces & bit ? JOKER_MAP_FACE : 0;
            faces = faces & bit ? 0u : faces;
            mult = maps->played[order[k]][kind].times * mult + maps->played[order[k]][kind].plus;
            kind = 0;
        }
    }
    return mult;
}

/* Orders worth a run: that of the most mult for each card that may be first, one alone when being
 * first changes nothing. (Chips, dollars and stores depend on an order by the first card alone.) */
typedef struct joker_best {
    uint8_t order[JOKER_PLAY_MAX][JOKER_PLAY_MAX];
    double mult[JOKER_PLAY_MAX]; /* after the played cards; 0: none */
} joker_best;

/* The first scoring card of the cards as they lie. */
LU_INLINE int joker_first_scoring(const joker_maps *maps) {
    return maps->first ? lu_lowest_bit(maps->scoring) : 0;
}

/* Compares the orders of the played cards; `late` = those to be permuted, the others lie left of
 * them. An order that is no more than the cards as they lie is left out. Returns how many were
 * compared. */
LU_INLINE int joker_best_played(const joker_maps *maps, uint32_t late, joker_best *best) {
    uint8_t order[JOKER_PLAY_MAX], present[JOKER_PLAY_MAX];
    double least[JOKER_PLAY_MAX] = {0.0};
    int n = maps->played_count, fixed = 0, free = n, compared = 0;
    for (int i = n - 1; i >= 0; i--) {
        present[i] = (uint8_t)i;
        if (late >> i & 1u) {
            order[--free] = (uint8_t)i;
        }
    }
    for (int i = 0; i < n; i++) {
        if (!(late >> i & 1u)) {
            order[fixed++] = (uint8_t)i;
        }
    }
    least[joker_first_scoring(maps)] = joker_mult_played(maps, present);
    do {
        double mult = joker_mult_played(maps, order);
        int first = maps->first ? order[fixed] : 0;
        if (joker_more(mult, least[first])) {
            least[first] = best->mult[first] = mult;
            memcpy(best->order[first], order, sizeof order);
        }
        compared++;
    } while (joker_next_order(order + fixed, n - fixed));
    return compared;
}

/* ---- held cards ---- */

/* Whether held cards can add mult: else all of them only multiply, in any order. */
LU_INLINE bool joker_held_adds(const joker_scoring *c) {
    for (uint32_t left = c->on_held; left;) {
        if (joker_row_of(&c->joker[c->acts[joker_next(&left)]])->mult > 0) {
            return true;
        }
    }
    return false;
}

LU_INLINE joker_map joker_map_held(const joker_rules *m, joker_state *s, joker_scoring *c, int i,
                                   uint32_t marks) {
    joker_map map = {1.0, 0.0};
    if (!joker_card_debuffed(&c->held_card[i])) {
        int again = joker_again_held(c);
        c->mult = 0.0;
        joker_trigger_held(m, s, c, i, marks, again);
        map.plus = c->mult;
        c->mult = 1.0;
        joker_trigger_held(m, s, c, i, marks, again);
        map.times = c->mult - map.plus;
    }
    return map;
}

/* The held cards of the hand just scored. DNA's copies lie behind them and stay there. */
LU_INLINE void joker_maps_held(const joker_rules *m, joker_state *s, joker_scoring *c,
                               joker_maps *maps) {
    int rank = 15;
    maps->held_count = c->held_count;
    maps->lowest = 0;
    for (int i = 0; i < c->held_count + c->copies; i++) {
        const joker_card *card = &c->held_card[i];
        if (card->enhancement != JOKER_STONE && card->rank <= rank) {
            bool copy = i >= c->held_count;
            maps->lowest = card->rank < rank || copy ? 0 : maps->lowest;
            maps->lowest |= copy ? 0u : 1u << i;
            rank = card->rank;
        }
    }
    for (int i = 0; i < c->held_count; i++) {
        uint32_t marks = joker_marks(s, &c->held_card[i], c->rules);
        maps->held[i][0] = joker_map_held(m, s, c, i, marks);
        maps->held[i][1] = joker_map_held(m, s, c, i, marks | (uint32_t)JOKER_M_LOWEST);
    }
}

/* Mult after the held cards in an order; `lowest` = the one Raised Fist means, -1 = none. */
LU_INLINE double joker_mult_held(const joker_maps *maps, const uint8_t *order, int lowest,
                                 double mult) {
    for (int k = 0; k < maps->held_count; k++) {
        const joker_map *map = &maps->held[order[k]][order[k] == lowest];
        mult = map->times * mult + map->plus;
    }
    return mult;
}

/* Held cards but `lowest`, what adds the most for its factor first; equals as they lie. */
LU_INLINE int joker_sort_held(const joker_maps *maps, int lowest, uint8_t *order) {
    double key[JOKER_HAND_MAX];
    int n = 0;
    for (int i = 0; i < maps->held_count; i++) {
        if (i == lowest) {
            continue;
        }
        const joker_map *map = &maps->held[i][0];
        double own = map->times > 1.0 ? map->plus / (map->times - 1.0) : LU_INFINITY;
        int at = n++;
        for (; at > 0 && key[at - 1] < own; at--) {
            key[at] = key[at - 1];
            order[at] = order[at - 1];
        }
        key[at] = own;
        order[at] = (uint8_t)i;
    }
    return n;
}

/* Finds the best order of the held cards at a mult; false when they lie as well as can be. Where
 * Raised Fist counts, each of the lowest cards is tried as the rightmost of them: those like it
 * come before it, and of the others the best so many. */
LU_INLINE bool joker_best_held(const joker_maps *maps, double mult, uint8_t *best) {
    uint8_t order[JOKER_HAND_MAX], sorted[JOKER_HAND_MAX];
    int n = maps->held_count, present = maps->lowest ? lu_highest_bit(maps->lowest) : -1;
    bool found = false;
    for (int i = 0; i < n; i++) {
        order[i] = (uint8_t)i;
    }
    double most = joker_mult_held(maps, order, present, mult);
    uint32_t left = maps->lowest;
    do {
        int lowest = left ? joker_next(&left) : -1, others = joker_sort_held(maps, lowest, sorted);
        for (int before = 0; before <= (lowest < 0 ? 0 : others); before++) {
            int count = 0, free = 0;
            uint32_t late = 0;
            for (int k = 0; k < others; k++) { /* `before` of those that are not like it */
                bool like = lowest >= 0 && maps->lowest >> sorted[k] & 1u;
                if (lowest < 0 || like || free++ < before) {
                    order[count++] = sorted[k];
                } else {
                    late |= 1u << k;
                }
            }
            if (lowest >= 0) {
                order[count++] = (uint8_t)lowest;
            }
            while (late) {
                order[count++] = sorted[joker_next(&late)];
            }
            double now = joker_mult_held(maps, order, lowest, mult);
            if (joker_more(now, most)) {
                most = now;
                memcpy(best, order, sizeof order);
                found = true;
            }
        }
    } while (left);
    return found;
}
