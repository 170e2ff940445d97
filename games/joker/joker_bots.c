/* Bots of joker. They are given the state and play on a copy in which everything hidden is drawn
 * anew, so that they know no more than the player. */
#include "joker_bots.h"
#include "joker_words.h"
#include "search/joker_search_round.h"
#include "variants/joker_brief.h"

#include <stdlib.h>

/* ---- eager ---- */

static bool may(const uint8_t *mask, int type) {
    return mask[type] != 0;
}

/* What to do where there is nothing to play: on to the next blind. */
static int onwards(const uint8_t *mask) {
    static const int order[] = {JOKER_ACT_SELECT_BLIND, JOKER_ACT_CASH_OUT, JOKER_ACT_NEXT_ROUND};
    for (size_t k = 0; k < sizeof order / sizeof *order; k++) {
        if (may(mask, order[k])) {
            return order[k];
        }
    }
    return JOKER_ACT_SKIP_PACK;
}

/* The best play with cards that lie face down taken for others that are not seen. */
static joker_choice best_play(const lu_rules *rules, const void *state, lu_rng *rng) {
    joker_state *copy = malloc(sizeof *copy);
    joker_choice best = {0, JOKER_NONE, 0.0};
    if (copy) {
        joker_copy_state(copy, state);
        joker_draw_anew(copy, rng);
        best = joker_best_play(joker_rules_of(rules), copy);
        free(copy);
    }
    return best;
}

static void act_eager(const lu_seat_view *view, int32_t *actions) {
    memset(actions, 0, JOKER_HEADS * sizeof *actions);
    if (!may(view->mask, JOKER_ACT_PLAY)) {
        actions[JOKER_HEAD_TYPE] = onwards(view->mask);
        return;
    }
    joker_choice best = best_play(view->rules, view->state, view->rng);
    actions[JOKER_HEAD_TYPE] = JOKER_ACT_PLAY;
    for (int i = 0; i < JOKER_HAND_MAX; i++) {
        actions[JOKER_HEAD_CARD + i] = joker_has(best.chosen, i);
    }
}

static void act_eager_brief(const lu_seat_view *view, int32_t *actions) {
    const joker_state *s = view->state;
    memset(actions, 0, JOKER_BRIEF_HEADS * sizeof *actions);
    if (s->phase != JOKER_PLAY) {
        actions[JOKER_BRIEF_HEAD_TYPE] = onwards(view->mask);
        actions[JOKER_BRIEF_HEAD_BLIND] = s->blind;
        return;
    }
    if (joker_brief_selected(s) && s->selected) {
        actions[JOKER_BRIEF_HEAD_TYPE] = JOKER_ACT_PLAY;
        return;
    }
    joker_choice best = best_play(view->rules, view->state, view->rng);
    actions[JOKER_BRIEF_HEAD_TYPE] = JOKER_ACT_SELECT;
    for (int i = 0; i < JOKER_BRIEF_HAND; i++) {
        actions[JOKER_BRIEF_HEAD_CARD + i] = joker_has(best.chosen, i);
    }
}

const lu_bot joker_bots[JOKER_BOTS] = {
    {"eager", "Always plays the hand with the highest score, and never buys.", true, 0, act_eager,
     false},
    {"steady", "Discards by rule, and buys what makes a few simulated rounds score more.", true, 0,
     joker_act_steady, false},
    {"search", "Simulates every choice of a round, and buys by many simulated rounds.", true, 0,
     joker_act_search, false},
};
const lu_bot joker_brief_bots[JOKER_BRIEF_BOTS] = {
    {"eager", "Always plays the hand with the highest score, and never buys.", true, 0,
     act_eager_brief, false},
};
