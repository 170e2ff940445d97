/* Joker, search: a round played out many times. A simulation is a copy of what the player sees:
 * everything hidden (order of the draw pile, cards and jokers that lie face down, all draws to
 * come) is drawn anew, from a canonical order, so that what is hidden cannot leak into an answer.
 * Ownership: a joker_sim belongs to the caller. Threads: no state. */
#pragma once

#include "search/joker_search_play.h"

#include "ludus/rng.h"

/* A state to try things on; only the part before the streams is used. */
typedef struct joker_sim {
    joker_rules rules; /* as given, with the fast generator */
    joker_state state; /* what is tried */
    joker_state base;  /* what tries begin with */
} joker_sim;

LU_INLINE void joker_copy_state(joker_state *to, const joker_state *from) {
    memcpy(to, from, offsetof(joker_state, stream_key));
}

/* ---- what is hidden ---- */

/* Puts the hidden cards into the order of their creation; `place` = where they lie. */
LU_INLINE int joker_hidden_cards(joker_state *s, uint8_t **place, uint8_t *cards) {
    int count = 0;
    for (int i = 0; i < s->draws; i++) {
        place[count++] = &s->draw[i];
    }
    for (int i = 0; i < s->held; i++) {
        if (s->card[s->hand[i]].flags & JOKER_CARD_DOWN) {
            place[count++] = &s->hand[i];
        }
    }
    uint8_t lie[JOKER_DECK_MAX] = {0};
    for (int i = 0; i < count; i++) {
        lie[*place[i]]++;
    }
    for (int card = 0, at = 0; at < count; card++) {
        for (int k = lie[card]; k > 0; k--) {
            cards[at++] = (uint8_t)card;
        }
    }
    return count;
}

/* Draws all that is hidden anew; the state of the generator as well. */
LU_INLINE void joker_draw_anew(joker_state *s, lu_rng *rng) {
    uint8_t *place[JOKER_DECK_MAX + JOKER_HAND_MAX], cards[JOKER_DECK_MAX + JOKER_HAND_MAX];
    const uint8_t bound = JOKER_CARD_DOWN | JOKER_CARD_FORCED; /* flags of a place in the hand */
    uint8_t flags[JOKER_HAND_MAX] = {0};
    for (int i = 0; i < s->held; i++) {
        flags[i] = s->card[s->hand[i]].flags & bound;
    }
    int count = joker_hidden_cards(s, place, cards);
    for (int i = count - 1; i > 0; i--) {
        int k = (int)lu_rng_below(rng, (uint32_t)i + 1u);
        uint8_t other = cards[i];
        cards[i] = cards[k];
        cards[k] = other;
    }
    for (int i = 0; i < count; i++) {
        s->card[cards[i]].flags &= (uint8_t)~bound;
        *place[i] = cards[i];
    }
    for (int i = 0; i < s->held; i++) {
        joker_card *card = &s->card[s->hand[i]];
        card->flags = (uint8_t)((card->flags & ~bound) | flags[i]);
    }
    int down[JOKER_ROW_MAX], jokers = 0;
    for (int i = 0; i < s->jokers; i++) {
        if (s->joker[i].flags & JOKER_DOWN) {
            down[jokers++] = i;
        }
    }
    for (int i = 1; i < jokers; i++) { /* by creation, then shuffled */
        for (int k = i; k > 0 && s->joker[down[k - 1]].order > s->joker[down[k]].order; k--) {
            joker_joker other = s->joker[down[k]];
            s->joker[down[k]] = s->joker[down[k - 1]];
            s->joker[down[k - 1]] = other;
        }
    }
    for (int i = jokers - 1; i > 0; i--) {
        int k = (int)lu_rng_below(rng, (uint32_t)i + 1u);
        joker_joker other = s->joker[down[i]];
        s->joker[down[i]] = s->joker[down[k]];
        s->joker[down[k]] = other;
    }
    s->rng = lu_rng_u64(rng);
}

LU_INLINE void joker_sim_start(joker_sim *sim, const joker_rules *m, const joker_state *s) {
    sim->rules = *m;
    sim->rules.fast = 1;
    joker_copy_state(&sim->state, s);
}

/* ---- a policy for the rest of a round ---- */

/* Plays the best hand, after discards by rule while it is not enough. */
LU_INLINE void joker_rollout_step(const joker_rules *m, joker_state *s) {
    joker_choice best = joker_quick_play(m, s);
    double missing = s->target - s->score;
    bool enough = best.score >= missing;
    if (!enough && s->discards > 0) {
        bool pace = best.score * s->hands >= missing * 1.15;
        uint16_t thrown = pace ? 0 : joker_rule_discard(m, s, best.score);
        if (thrown) {
            joker_discard(m, s, thrown);
            return;
        }
    }
    joker_play(m, s, best.chosen);
}

/* Plays on to the end of the round: 1 and a little for each hand left when it is won, else a part
 * for what was scored. */
LU_INLINE double joker_rollout(const joker_rules *m, joker_state *s) {
    double share = 0.0;
    int hands = s->hands;
    for (int guard = 0; guard < 64 && s->phase == JOKER_PLAY; guard++) {
        share = s->score / (s->target > 1.0 ? s->target : 1.0);
        hands = s->hands;
        joker_rollout_step(m, s);
    }
    if (s->phase == JOKER_CASH_OUT || (s->phase == JOKER_END && s->won)) {
        return 1.0 + 0.01 * hands;
    }
    return 0.3 * (share < 1.0 ? share : 1.0);
}

/* ---- deciding ---- */

enum { JOKER_OPTIONS_MAX = 12 };

typedef struct joker_option {
    uint16_t chosen;
    uint8_t discard;
    double value; /* sum over samples */
} joker_option;

LU_INLINE void joker_option_do(const joker_rules *m, joker_state *s, const joker_option *o) {
    if (o->discard) {
        joker_discard(m, s, o->chosen);
    } else {
        joker_play(m, s, o->chosen);
    }
}

/* Plays and discards worth a try. */
LU_INLINE int joker_options_of(const joker_rules *m, joker_state *s, joker_choice best,
                               joker_option *list) {
    joker_worths worths;
    joker_keeps keeps;
    int count = 0;
    list[count].discard = 0;
    list[count++].chosen = best.chosen;
    if (s->discards <= 0) {
        return count;
    }
    joker_worths_of(m, s, joker_main_suit(s), &worths);
    joker_keeps_of(s, &worths, best.score, &keeps);
    while (count < JOKER_OPTIONS_MAX - 2) {
        int at = -1;
        for (int i = 0; i < keeps.count; i++) {
            if (keeps.list[i].value >= 0.0 &&
                (at < 0 || keeps.list[i].value > keeps.list[at].value)) {
                at = i;
            }
        }
        if (at < 0) {
            break;
        }
        list[count].discard = 1;
        list[count++].chosen = (uint16_t)(joker_first_bits(s->held) & ~keeps.list[at].kept);
        keeps.list[at].value = -1.0;
    }
    /* the best hand stays, the rest goes */
    joker_keeps none;
    memset(&none, 0, sizeof none);
    joker_keeps_add(s, &none, best.chosen, 0.0);
    if (none.count) {
        list[count].discard = 1;
        list[count++].chosen = (uint16_t)(joker_first_bits(s->held) & ~none.list[0].kept);
    }
    return count;
}

/* One more sample of the options from `from` to `to`. */
LU_INLINE void joker_option_sample(joker_sim *sim, const joker_state *s, joker_option *list,
                                   int count, uint64_t seed) {
    for (int i = 0; i < count; i++) {
        lu_rng rng = lu_rng_from(seed);
        joker_copy_state(&sim->state, s);
        joker_draw_anew(&sim->state, &rng);
        joker_option_do(&sim->rules, &sim->state, &list[i]);
        list[i].value += joker_rollout(&sim->rules, &sim->state);
    }
}

LU_INLINE void joker_options_sort(joker_option *list, int count) {
    for (int i = 1; i < count; i++) {
        for (int k = i; k > 0 && list[k - 1].value < list[k].value; k--) {
            joker_option other = list[k];
            list[k] = list[k - 1];
            list[k - 1] = other;
        }
    }
}

/* The best option by rollouts: all get some samples, the better half more, and so on. */
LU_INLINE joker_option joker_search_round(joker_sim *sim, const joker_rules *m,
                                          const joker_state *s, int samples, lu_rng *rng) {
    joker_option list[JOKER_OPTIONS_MAX];
    joker_sim_start(sim, m, s);
    joker_draw_anew(&sim->state, rng); /* cards that lie face down are not known */
    joker_choice best = joker_quick_play(&sim->rules, &sim->state);
    memset(list, 0, sizeof list);
    bool hidden = false;
    for (int i = 0; i < s->held; i++) {
        hidden = hidden || s->card[s->hand[i]].flags & JOKER_CARD_DOWN;
    }
    int count = joker_options_of(&sim->rules, &sim->state, best, list);
    if (count < 2 || (!hidden && best.score >= s->target - s->score)) {
        return list[0];
    }
    uint64_t seed = lu_rng_u64(rng);
    int done = 0;
    for (int live = count; live > 1 && done < samples; live = (live + 1) / 2) {
        int more = samples / 3 > 0 ? samples / 3 : 1;
        for (int k = 0; k < more; k++, done++) {
            joker_option_sample(sim, s, list, live, seed + (uint64_t)done);
        }
        joker_options_sort(list, live);
    }
    return list[0];
}
