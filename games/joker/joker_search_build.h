/* Joker, search: how strong a build is. A build is played out over rounds without a target, and its
 * strength is the mean logarithm of what a round scores; jokers that grow are taken as they will be
 * some rounds from now. Also the order of the jokers. For bots and advisors.
 * Ownership: states belong to the caller. Threads: no state. */
#pragma once

#include "joker_search_round.h"

/* ---- order of the jokers ---- */

/* Where a joker belongs in the row: chips, then mult, then multipliers; what eats its neighbour
 * stands at the end. */
static inline int joker_row_class(const joker_joker *j) {
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
static const double joker_hand_share[JOKER_HANDS] = {0.01, 0.01, 0.02, 0.02, 0.06, 0.25,
                                                     0.5,  0.35, 0.35, 0.6,  0.6,  0.2};

/* The score of typical hands, weighed by how often they are to be had. */
static inline double joker_lineup_worth(const joker_model *m, joker_state *s) {
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
static inline bool joker_stands_left(const joker_joker *a, const joker_joker *b) {
    int left = joker_row_class(a), right = joker_row_class(b);
    return left < right || (left == right && a->order < b->order);
}

static inline void joker_sort_row(joker_state *s) {
    for (int i = 1; i < s->jokers; i++) {
        joker_joker moved = s->joker[i];
        int k = i;
        for (; k > 0 && joker_stands_left(&moved, &s->joker[k - 1]); k--) {
            s->joker[k] = s->joker[k - 1];
        }
        s->joker[k] = moved;
    }
}

static inline bool joker_copies(int id) {
    return id == JOKER_J_BLUEPRINT || id == JOKER_J_BRAINSTORM;
}

static inline void joker_shift(joker_state *s, int from, int to) {
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
static inline void joker_arrange(const joker_model *m, joker_state *s) {
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

/* A joker as it will be some rounds from now. */
static inline void joker_project(joker_joker *j) {
    switch (j->id) {
    case JOKER_J_RIDE_THE_BUS:
        j->a += 4;
        break;
    case JOKER_J_GREEN_JOKER:
        j->a += 4;
        break;
    case JOKER_J_RUNNER:
        j->a += 30;
        break;
    case JOKER_J_SQUARE:
        j->a += 16;
        break;
    case JOKER_J_TROUSERS:
        j->a += 8;
        break;
    case JOKER_J_RED_CARD:
        j->a += 3;
        break;
    case JOKER_J_FLASH:
        j->a += 4;
        break;
    case JOKER_J_CASTLE:
        j->a += 30;
        break;
    case JOKER_J_WEE:
        j->a += 40;
        break;
    case JOKER_J_CONSTELLATION:
        j->x += 0.4;
        break;
    case JOKER_J_HOLOGRAM:
        j->x += 0.4;
        break;
    case JOKER_J_VAMPIRE:
        j->x += 0.2;
        break;
    case JOKER_J_OBELISK:
        j->x += 0.2;
        break;
    case JOKER_J_CAMPFIRE:
        j->x += 0.4;
        break;
    case JOKER_J_LUCKY_CAT:
        j->x += 0.3;
        break;
    case JOKER_J_CAINO:
        j->x += 0.5;
        break;
    case JOKER_J_YORICK:
        j->x += 0.8;
        break;
    case JOKER_J_ICE_CREAM:
        j->a = j->a > 50 ? j->a - 40 : 10;
        break;
    case JOKER_J_POPCORN:
        j->a = j->a > 10 ? j->a - 8 : 2;
        break;
    case JOKER_J_RAMEN:
        j->x = j->x > 1.3 ? j->x - 0.2 : 1.1;
        break;
    default:
        break;
    }
}

/* Dollars that a joker brings per round. */
static inline double joker_income(const joker_state *s, const joker_joker *j) {
    switch (j->id) {
    case JOKER_J_GOLDEN:
        return 4.0;
    case JOKER_J_ROCKET:
        return j->a + 1.5;
    case JOKER_J_CLOUD_9:
        return 4.0;
    case JOKER_J_TO_THE_MOON:
        return s->money >= 15 ? 4.0 : 2.5;
    case JOKER_J_EGG:
        return 2.5;
    case JOKER_J_GIFT:
        return 2.5;
    case JOKER_J_DELAYED_GRAT:
        return 1.0;
    case JOKER_J_BUSINESS:
        return 2.5;
    case JOKER_J_RESERVED_PARKING:
        return 1.5;
    case JOKER_J_MAIL:
        return 2.5;
    case JOKER_J_FACELESS:
        return 2.0;
    case JOKER_J_ROUGH_GEM:
        return 2.0;
    case JOKER_J_TICKET:
        return 1.5;
    case JOKER_J_SATELLITE:
        return 2.0;
    case JOKER_J_TRADING:
        return 2.5;
    case JOKER_J_TODO_LIST:
        return 2.5;
    case JOKER_J_MATADOR:
        return 1.0;
    case JOKER_J_ASTRONOMER:
        return 2.0;
    case JOKER_J_CHAOS:
        return 2.0;
    case JOKER_J_FLASH:
        return 0.0;
    default:
        return 0.0;
    }
}

/* What no simulated round shows, in the logarithm of a round's score. */
static inline double joker_bonus(int id) {
    switch (id) {
    case JOKER_J_CARTOMANCER:
        return 0.2;
    case JOKER_J_HALLUCINATION:
        return 0.06;
    case JOKER_J_8_BALL:
        return 0.05;
    case JOKER_J_SUPERPOSITION:
        return 0.03;
    case JOKER_J_VAGABOND:
        return 0.15;
    case JOKER_J_PERKEO:
        return 0.5;
    case JOKER_J_CHICOT:
        return 0.4;
    case JOKER_J_MR_BONES:
        return 0.12;
    case JOKER_J_LUCHADOR:
        return 0.08;
    case JOKER_J_SPACE:
        return 0.15;
    case JOKER_J_BURNT:
        return 0.2;
    case JOKER_J_HIKER:
        return 0.08;
    case JOKER_J_DNA:
        return 0.1;
    case JOKER_J_CERTIFICATE:
        return 0.08;
    case JOKER_J_SUPERNOVA:
        return 0.15;
    case JOKER_J_SIXTH_SENSE:
        return 0.05;
    case JOKER_J_SEANCE:
        return 0.0;
    case JOKER_J_INVISIBLE:
        return 0.1;
    case JOKER_J_DIET_COLA:
        return 0.05;
    case JOKER_J_RIFF_RAFF:
        return 0.1;
    case JOKER_J_MADNESS:
        return -0.5;
    case JOKER_J_CEREMONIAL:
        return -0.1;
    case JOKER_J_GROS_MICHEL:
        return -0.15;
    case JOKER_J_SELZER:
        return -0.4;
    case JOKER_J_TURTLE_BEAN:
        return -0.1;
    case JOKER_J_LOYALTY_CARD:
        return 0.1;
    default:
        return 0.0;
    }
}

/* Rounds that are still to come until the run is won. */
static inline int joker_rounds_left(const joker_model *m, const joker_state *s) {
    int left = 3 * (m->win_ante - s->ante) + 3 - s->blind;
    return left > 0 ? left : 0;
}

/* ---- strength ---- */

/* The mean logarithm of what a round scores with this build, over `samples` rounds drawn from
 * `seed`; the state in a shop or before a blind. */
static inline double joker_round_strength(joker_sim *sim, const joker_model *m,
                                          const joker_state *s, int samples, uint64_t seed) {
    double sum = 0.0;
    joker_state *base = &sim->base;
    sim->model = *m;
    sim->model.fast = 1;
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
    joker_arrange(&sim->model, base);
    for (int k = 0; k < samples; k++) {
        joker_state *t = &sim->state;
        lu_rng rng = lu_rng_from(seed + (uint64_t)k);
        joker_copy_state(t, base);
        joker_draw_anew(t, &rng);
        joker_select_blind(&sim->model, t);
        t->target = 1e300;
        double score = 0.0;
        for (int guard = 0; guard < 64 && t->phase == JOKER_PLAY; guard++) {
            joker_rollout_step(&sim->model, t);
            score = t->score;
        }
        sum += joker_log(1.0 + score);
    }
    return samples > 0 ? sum / samples : 0.0;
}

/* Strength with all that counts: also income and what no round shows. */
static inline double joker_build_value(joker_sim *sim, const joker_model *m, const joker_state *s,
                                       int samples, uint64_t seed) {
    double value = joker_round_strength(sim, m, s, samples, seed);
    int rounds = joker_rounds_left(m, s);
    double span = rounds < 8 ? rounds : 8;
    for (int i = 0; i < s->jokers; i++) {
        const joker_joker *j = &s->joker[i];
        value += joker_bonus(j->id) + 0.013 * span * joker_income(s, j);
    }
    return value;
}
