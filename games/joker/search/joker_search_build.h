/* Joker, search: how strong a build is. A build is played out over rounds without a target, and its
 * strength is the mean logarithm of what a round scores; jokers that grow are taken as they will be
 * some rounds from now. Also the order of the jokers. For bots and advisors.
 * Ownership: states belong to the caller. Threads: no state. */
#pragma once

#include "search/joker_search_round.h"

/* ---- order of the jokers ---- */

/* Where a joker belongs in the row: chips, then mult, then multipliers; what eats its neighbour
 * stands at the end. */
LU_INLINE int joker_row_class(const joker_joker *j) {
    const joker_row *row = &joker_rows[j->id];
    bool times = row->x > 0.0 || row->effect == JOKER_E_STORED_X;
    bool adds = row->mult > 0 || row->effect == JOKER_E_STORED_MULT;
    if (j->id == JOKER_J_CEREMONIAL) {
        return 9;
    }
    if (times) {
        return 5;
    }
    if (j->edition == JOKER_POLY) {
        return 4;
    }
    return adds ? 3 : 2;
}

/* How often each kind of hand is to be had, roughly; for weighing their scores. */
LU_TABLE double joker_hand_share[JOKER_HANDS] = {0.01, 0.01, 0.02, 0.02, 0.06, 0.25,
                                                 0.5,  0.35, 0.35, 0.6,  0.6,  0.2};

/* The score of typical hands, weighed by how often they are to be had. */
LU_INLINE double joker_lineup_worth(const joker_rules *m, joker_state *s) {
    joker_worths worths;
    double sum = 0.0;
    joker_worths_of(m, s, 0, &worths);
    for (int hand = 0; hand < JOKER_HANDS; hand++) {
        sum += joker_hand_share[hand] * joker_log(1.0 + worths.of[hand]);
    }
    return sum;
}

/* Whether one joker stands left of another: by class, then by creation, so that the order found
 * does not depend on the order before. */
LU_INLINE bool joker_stands_left(const joker_joker *a, const joker_joker *b) {
    int left = joker_row_class(a), right = joker_row_class(b);
    return left < right || (left == right && a->order < b->order);
}

LU_INLINE void joker_sort_row(joker_state *s) {
    for (int i = 1; i < s->jokers; i++) {
        joker_joker moved = s->joker[i];
        int k = i;
        for (; k > 0 && joker_stands_left(&moved, &s->joker[k - 1]); k--) {
            s->joker[k] = s->joker[k - 1];
        }
        s->joker[k] = moved;
    }
}

LU_INLINE bool joker_copies(int id) {
    return id == JOKER_J_BLUEPRINT || id == JOKER_J_BRAINSTORM;
}

LU_INLINE void joker_shift(joker_state *s, int from, int to) {
    joker_joker moved = s->joker[from];
    for (; from < to; from++) {
        s->joker[from] = s->joker[from + 1];
    }
    for (; from > to; from--) {
        s->joker[from] = s->joker[from - 1];
    }
    s->joker[to] = moved;
}

/* Puts the jokers into a good order: by class, then every move of one joker that makes typical
 * hands score more, where there are copies to place. */
LU_INLINE void joker_arrange(const joker_rules *m, joker_state *s) {
    bool copies = false;
    for (int i = 0; i < s->jokers; i++) {
        copies = copies || joker_copies(s->joker[i].id);
    }
    joker_sort_row(s);
    if (!copies) {
        return;
    }
    double best = joker_lineup_worth(m, s);
    for (int pass = 0; pass < 2; pass++) {
        for (int from = 0; from < s->jokers; from++) {
            int place = from;
            for (int to = 0; to < s->jokers; to++) {
                joker_shift(s, from, to);
                double worth = joker_lineup_worth(m, s);
                joker_shift(s, to, from);
                if (worth > best * 1.000001) {
                    best = worth;
                    place = to;
                }
            }
            joker_shift(s, from, place);
        }
    }
}

/* ---- growth ---- */

/* What jokers that grow or fade gain in some rounds; `least` of what fades. */
typedef struct joker_growth {
    uint8_t id;
    int16_t a, least_a;
    double x, least_x;
} joker_growth;

LU_TABLE joker_growth joker_growths[] = {
    {JOKER_J_RIDE_THE_BUS, 4, 0, 0.0, 0.0}, {JOKER_J_GREEN_JOKER, 4, 0, 0.0, 0.0},
    {JOKER_J_RUNNER, 30, 0, 0.0, 0.0},      {JOKER_J_SQUARE, 16, 0, 0.0, 0.0},
    {JOKER_J_TROUSERS, 8, 0, 0.0, 0.0},     {JOKER_J_RED_CARD, 3, 0, 0.0, 0.0},
    {JOKER_J_FLASH, 4, 0, 0.0, 0.0},        {JOKER_J_CASTLE, 30, 0, 0.0, 0.0},
    {JOKER_J_WEE, 40, 0, 0.0, 0.0},         {JOKER_J_CONSTELLATION, 0, 0, 0.4, 0.0},
    {JOKER_J_HOLOGRAM, 0, 0, 0.4, 0.0},     {JOKER_J_VAMPIRE, 0, 0, 0.2, 0.0},
    {JOKER_J_OBELISK, 0, 0, 0.2, 0.0},      {JOKER_J_CAMPFIRE, 0, 0, 0.4, 0.0},
    {JOKER_J_LUCKY_CAT, 0, 0, 0.3, 0.0},    {JOKER_J_CAINO, 0, 0, 0.5, 0.0},
    {JOKER_J_YORICK, 0, 0, 0.8, 0.0},       {JOKER_J_ICE_CREAM, -40, 10, 0.0, 0.0},
    {JOKER_J_POPCORN, -8, 2, 0.0, 0.0},     {JOKER_J_RAMEN, 0, 0, -0.2, 1.1},
};

/* A joker as it will be some rounds from now. */
LU_INLINE void joker_project(joker_joker *j) {
    for (size_t k = 0; k < sizeof joker_growths / sizeof *joker_growths; k++) {
        const joker_growth *g = &joker_growths[k];
        if (g->id == j->id) {
            int32_t a = j->a + g->a;
            double x = j->x + g->x;
            j->a = a < g->least_a ? g->least_a : a;
            j->x = x < g->least_x ? g->least_x : x;
            return;
        }
    }
}

/* What no simulated round shows of a joker: dollars that it brings per round, and the rest in the
 * logarithm of a round's score. */
typedef struct joker_side {
    uint8_t id;
    double dollars, bonus;
} joker_side;

LU_TABLE joker_side joker_sides[] = {
    {JOKER_J_GOLDEN, 4.0, 0.0},
    {JOKER_J_ROCKET, 3.0, 0.0},
    {JOKER_J_CLOUD_9, 4.0, 0.0},
    {JOKER_J_TO_THE_MOON, 3.0, 0.0},
    {JOKER_J_EGG, 2.5, 0.0},
    {JOKER_J_GIFT, 2.5, 0.0},
    {JOKER_J_DELAYED_GRAT, 1.0, 0.0},
    {JOKER_J_BUSINESS, 2.5, 0.0},
    {JOKER_J_RESERVED_PARKING, 1.5, 0.0},
    {JOKER_J_MAIL, 2.5, 0.0},
    {JOKER_J_FACELESS, 2.0, 0.0},
    {JOKER_J_ROUGH_GEM, 2.0, 0.0},
    {JOKER_J_TICKET, 1.5, 0.0},
    {JOKER_J_SATELLITE, 2.0, 0.0},
    {JOKER_J_TRADING, 2.5, 0.0},
    {JOKER_J_TODO_LIST, 2.5, 0.0},
    {JOKER_J_MATADOR, 1.0, 0.0},
    {JOKER_J_ASTRONOMER, 2.0, 0.0},
    {JOKER_J_CHAOS, 2.0, 0.0},
    {JOKER_J_CARTOMANCER, 0.0, 0.2},
    {JOKER_J_HALLUCINATION, 0.0, 0.06},
    {JOKER_J_8_BALL, 0.0, 0.05},
    {JOKER_J_SUPERPOSITION, 0.0, 0.03},
    {JOKER_J_VAGABOND, 0.0, 0.15},
    {JOKER_J_PERKEO, 0.0, 0.5},
    {JOKER_J_CHICOT, 0.0, 0.4},
    {JOKER_J_MR_BONES, 0.0, 0.12},
    {JOKER_J_LUCHADOR, 0.0, 0.08},
    {JOKER_J_SPACE, 0.0, 0.15},
    {JOKER_J_BURNT, 0.0, 0.2},
    {JOKER_J_HIKER, 0.0, 0.08},
    {JOKER_J_DNA, 0.0, 0.1},
    {JOKER_J_CERTIFICATE, 0.0, 0.08},
    {JOKER_J_SUPERNOVA, 0.0, 0.15},
    {JOKER_J_SIXTH_SENSE, 0.0, 0.05},
    {JOKER_J_INVISIBLE, 0.0, 0.1},
    {JOKER_J_DIET_COLA, 0.0, 0.05},
    {JOKER_J_RIFF_RAFF, 0.0, 0.1},
    {JOKER_J_MADNESS, 0.0, -0.5},
    {JOKER_J_CEREMONIAL, 0.0, -0.1},
    {JOKER_J_GROS_MICHEL, 0.0, -0.15},
    {JOKER_J_SELZER, 0.0, -0.4},
    {JOKER_J_TURTLE_BEAN, 0.0, -0.1},
    {JOKER_J_LOYALTY_CARD, 0.0, 0.1},
};

/* The side of all jokers of a state, in the logarithm of a round's score; `rounds` still come. */
LU_INLINE double joker_sides_of(const joker_state *s, int rounds) {
    double sum = 0.0, span = rounds < 8 ? rounds : 8;
    for (int i = 0; i < s->jokers; i++) {
        for (size_t k = 0; k < sizeof joker_sides / sizeof *joker_sides; k++) {
            if (joker_sides[k].id == s->joker[i].id) {
                sum += joker_sides[k].bonus + 0.013 * span * joker_sides[k].dollars;
            }
        }
    }
    return sum;
}

/* Rounds that are still to come until the run is won. */
LU_INLINE int joker_rounds_left(const joker_rules *m, const joker_state *s) {
    int left = 3 * (m->win_ante - s->ante) + 3 - s->blind;
    return left > 0 ? left : 0;
}

/* ---- strength ---- */

/* The mean logarithm of what a round scores with this build, over `samples` rounds drawn from
 * `seed`; the state in a shop or before a blind. */
LU_INLINE double joker_round_strength(joker_sim *sim, const joker_rules *m, const joker_state *s,
                                      int samples, uint64_t seed) {
    double sum = 0.0;
    joker_state *base = &sim->base;
    sim->rules = *m;
    sim->rules.fast = 1;
    joker_copy_state(base, s);
    base->pack_open = 0;
    if (base->pack_hand) {
        joker_return_hand(base);
    }
    base->pack_hand = 0;
    base->blind = 0; /* without a boss */
    for (int i = 0; i < base->jokers; i++) {
        joker_project(&base->joker[i]);
    }
    joker_arrange(&sim->rules, base);
    for (int k = 0; k < samples; k++) {
        joker_state *t = &sim->state;
        lu_rng rng = lu_rng_from(seed + (uint64_t)k);
        joker_copy_state(t, base);
        joker_draw_anew(t, &rng);
        joker_select_blind(&sim->rules, t);
        t->target = 1e300;
        double score = 0.0;
        for (int guard = 0; guard < 64 && t->phase == JOKER_PLAY; guard++) {
            joker_rollout_step(&sim->rules, t);
            score = t->score;
        }
        sum += joker_log(1.0 + score);
    }
    return samples > 0 ? sum / samples : 0.0;
}

/* Strength with all that counts: also income and what no round shows. */
LU_INLINE double joker_build_value(joker_sim *sim, const joker_rules *m, const joker_state *s,
                                   int samples, uint64_t seed) {
    return joker_round_strength(sim, m, s, samples, seed) +
           joker_sides_of(s, joker_rounds_left(m, s));
}
