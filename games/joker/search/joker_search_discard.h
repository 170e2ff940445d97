/* Joker, search: the best discard, by what the next hand is expected to score. All sets of up to
 * five held cards that are seen are tried; cards are drawn from what is truly left: all draws where
 * there are few, else a sample, or the one known draw when the order of the pile is given.
 * Ownership: results belong to the caller. Threads: no state. */
#pragma once

#include "search/joker_search_round.h"

enum {
    JOKER_DRAWS_ALL = 1000,   /* sets of drawn cards up to which all are tried */
    JOKER_DISCARD_FIRST = 12, /* samples of each set at first ... */
    JOKER_DISCARDS_BEST = 12  /* ... and sets that get all samples */
};

typedef enum joker_draw_basis {
    JOKER_DRAW_SAMPLED,
    JOKER_DRAW_ALL,
    JOKER_DRAW_KNOWN
} joker_draw_basis;

typedef struct joker_discarded {
    uint16_t thrown;    /* positions; 0 = no discard is possible */
    int basis;          /* joker_draw_basis */
    int64_t draws;      /* tried */
    double mean, error; /* of the best next score; standard error, 0 when all were tried */
    double reach;       /* chance that it reaches what is missing */
} joker_discarded;

/* ---- one draw ---- */

/* The best next score after a discard, with the pile as it lies. */
LU_INLINE double joker_after_discard(joker_sim *sim, uint16_t thrown) {
    joker_state *t = &sim->state;
    joker_discard(&sim->rules, t, thrown);
    return t->phase == JOKER_PLAY && t->held > 0 ? joker_quick_play(&sim->rules, t).score : 0.0;
}

/* Cards that a discard draws. */
LU_INLINE int joker_drawn_by(joker_sim *sim, const joker_state *s, uint16_t thrown) {
    joker_copy_state(&sim->state, s);
    joker_discard(&sim->rules, &sim->state, thrown);
    return s->draws - sim->state.draws;
}

LU_INLINE double joker_ways_to_draw(int left, int count) {
    double ways = 1.0;
    for (int i = 0; i < count; i++) {
        ways = ways * (left - i) / (i + 1);
    }
    return ways;
}

/* ---- one set of cards ---- */

typedef struct joker_tally {
    double sum, squares, reached;
    int64_t count;
} joker_tally;

LU_INLINE void joker_tally_add(joker_tally *tally, double score, double missing) {
    tally->sum += score;
    tally->squares += score * score;
    tally->reached += score >= missing ? 1.0 : 0.0;
    tally->count++;
}

/* All sets of `count` cards on top of the pile. */
LU_INLINE void joker_try_all_draws(joker_sim *sim, const joker_state *s, uint16_t thrown, int count,
                                   joker_tally *tally) {
    uint8_t at[JOKER_HAND_MAX], pile[JOKER_DECK_MAX];
    double missing = s->target - s->score;
    memcpy(pile, s->draw, s->draws);
    for (int i = 1; i < s->draws; i++) { /* in the order of creation: the pile's own is hidden */
        for (int k = i; k > 0 && pile[k - 1] > pile[k]; k--) {
            uint8_t other = pile[k];
            pile[k] = pile[k - 1];
            pile[k - 1] = other;
        }
    }
    for (int i = 0; i < count; i++) {
        at[i] = (uint8_t)i;
    }
    for (;;) {
        joker_state *t = &sim->state;
        int n = 0, next = 0;
        joker_copy_state(t, s);
        t->rng = 1;
        for (int i = 0; i < s->draws; i++) {
            if (next < count && at[next] == i) {
                t->draw[s->draws - ++next] = pile[i];
            } else {
                t->draw[n++] = pile[i];
            }
        }
        joker_tally_add(tally, joker_after_discard(sim, thrown), missing);
        int k = count - 1;
        while (k >= 0 && at[k] == s->draws - count + k) {
            k--;
        }
        if (k < 0) {
            return;
        }
        at[k]++;
        for (int i = k + 1; i < count; i++) {
            at[i] = (uint8_t)(at[i - 1] + 1);
        }
    }
}

LU_INLINE void joker_try_draws(joker_sim *sim, const joker_state *s, uint16_t thrown, int samples,
                               uint64_t seed, joker_tally *tally) {
    for (int k = 0; k < samples; k++) {
        lu_rng rng = lu_rng_from(seed + (uint64_t)k);
        joker_copy_state(&sim->state, s);
        joker_draw_anew(&sim->state, &rng);
        joker_tally_add(tally, joker_after_discard(sim, thrown), s->target - s->score);
    }
}

/* What a discard is worth over `samples` draws, or over all of them where there are few. `known` =
 * the pile lies as it will be drawn. */
LU_INLINE joker_discarded joker_discard_value(joker_sim *sim, const joker_state *s, uint16_t thrown,
                                              int samples, bool known, uint64_t seed) {
    joker_discarded out;
    joker_tally tally = {0.0, 0.0, 0.0, 0};
    int count = joker_drawn_by(sim, s, thrown);
    bool hidden = false;
    for (int i = 0; i < s->held; i++) {
        hidden = hidden || s->card[s->hand[i]].flags & JOKER_CARD_DOWN;
    }
    memset(&out, 0, sizeof out);
    out.thrown = thrown;
    if (known && !hidden) {
        joker_copy_state(&sim->state, s);
        joker_tally_add(&tally, joker_after_discard(sim, thrown), s->target - s->score);
        out.basis = JOKER_DRAW_KNOWN;
    } else if (!hidden && count <= JOKER_HAND_MAX &&
               joker_ways_to_draw(s->draws, count) <= JOKER_DRAWS_ALL) {
        joker_try_all_draws(sim, s, thrown, count, &tally);
        out.basis = JOKER_DRAW_ALL;
    } else {
        joker_try_draws(sim, s, thrown, samples, seed, &tally);
        out.basis = JOKER_DRAW_SAMPLED;
    }
    double n = (double)tally.count;
    out.draws = tally.count;
    out.mean = tally.sum / n;
    out.reach = tally.reached / n;
    if (out.basis == JOKER_DRAW_SAMPLED && tally.count > 1) {
        double variance = (tally.squares - tally.sum * tally.sum / n) / (n - 1.0);
        out.error = variance > 0.0 ? lu_sqrt(variance / n) : 0.0;
    }
    return out;
}

/* ---- all sets ---- */

/* Keeps the best few by their mean, best first. */
LU_INLINE void joker_discards_take(joker_discarded *list, int *count, const joker_discarded *d) {
    int at = *count < JOKER_DISCARDS_BEST ? (*count)++ : JOKER_DISCARDS_BEST - 1;
    if (at == JOKER_DISCARDS_BEST - 1 && list[at].thrown && list[at].mean >= d->mean) {
        return;
    }
    list[at] = *d;
    for (; at > 0 && list[at].mean > list[at - 1].mean; at--) {
        joker_discarded other = list[at];
        list[at] = list[at - 1];
        list[at - 1] = other;
    }
}

/* The best discard; `sim` holds the rules (joker_sim_start). */
LU_INLINE joker_discarded joker_search_discards(joker_sim *sim, const joker_state *s, int samples,
                                                bool known, uint64_t seed) {
    joker_discarded list[JOKER_DISCARDS_BEST], best;
    int count = 0;
    uint32_t forced = joker_cards_to_lay(s).forced, seen = 0;
    memset(list, 0, sizeof list);
    memset(&best, 0, sizeof best);
    if (s->discards <= 0 || s->held == 0) {
        return best;
    }
    for (int i = 0; i < s->held; i++) {
        seen |= s->card[s->hand[i]].flags & JOKER_CARD_DOWN ? 0u : 1u << i;
    }
    seen |= forced;
    int first = s->held > 9 ? JOKER_DISCARD_FIRST / 3 : JOKER_DISCARD_FIRST;
    for (uint32_t set = 1; set < 1u << s->held; set++) {
        if (joker_bits(set) > JOKER_PLAY_MAX || set & ~seen || (set & forced) != forced) {
            continue;
        }
        joker_discarded d;
        joker_tally tally = {0.0, 0.0, 0.0, 0};
        if (known) {
            d = joker_discard_value(sim, s, (uint16_t)set, 1, true, seed);
        } else {
            memset(&d, 0, sizeof d);
            joker_try_draws(sim, s, (uint16_t)set, first, seed, &tally);
            d.thrown = (uint16_t)set;
            d.mean = tally.sum / (double)tally.count;
        }
        joker_discards_take(list, &count, &d);
    }
    for (int i = 0; i < count; i++) {
        joker_discarded d = joker_discard_value(sim, s, list[i].thrown, samples, known, ~seed);
        if (!best.thrown || d.mean > best.mean) {
            best = d;
        }
    }
    return best;
}
