/* Tests of joker's search: the best play is that of trying every choice and every order, what is
 * hidden changes no answer, and bots do only what is legal. */
#pragma GCC diagnostic ignored "-Wunused-function" /* the parts of the rules are included */

#include "joker_search.h"
#include "joker_search_order.h"

#include "test.h"

static joker_model model;
static joker_state state;
static joker_orders orders;
static joker_plans plans;
static uint64_t dice;

static uint32_t below(uint32_t n) {
    dice = dice * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)((dice >> 33) % n);
}

/* ---- the best play against all orders ---- */

/* A round with a few random cards and jokers; lean = with what makes orders matter. */
static void random_round(uint64_t seed, int cards, int jokers) {
    static const uint8_t lean[] = {
        JOKER_J_PHOTOGRAPH,   JOKER_J_HANGING_CHAD, JOKER_J_BLUEPRINT, JOKER_J_BRAINSTORM,
        JOKER_J_BARON,        JOKER_J_RAISED_FIST,  JOKER_J_SMILEY,    JOKER_J_TRIBOULET,
        JOKER_J_SHOOT_THE_MOON, JOKER_J_MIME,       JOKER_J_BASEBALL,  JOKER_J_FIBONACCI,
        JOKER_J_VAMPIRE,      JOKER_J_MIDAS_MASK,   JOKER_J_BULL,      JOKER_J_MATADOR,
        JOKER_J_ACROBAT,      JOKER_J_DUO,          JOKER_J_JOKER,     JOKER_J_SCHOLAR,
        JOKER_J_IDOL,         JOKER_J_ANCIENT,      JOKER_J_SPLASH,    JOKER_J_PAREIDOLIA};
    dice = seed;
    memset(&model, 0, sizeof model);
    memset(&state, 0, sizeof state);
    model.fast = 1;
    model.win_ante = 8;
    joker_seed_number(&model, &state, seed);
    joker_run_start(&model, &state);
    joker_select_blind(&model, &state);
    state.held = 0;
    state.hands = (int16_t)(1 + below(3));
    state.money = (int32_t)below(30);
    for (int i = 0; i < cards; i++) {
        joker_card *card = &state.card[i];
        memset(card, 0, sizeof *card);
        card->rank = (uint8_t)(below(2) ? 11 + below(4) : 2 + below(13));
        card->suit = below(4) & 3u;
        card->enhancement = (uint8_t)(below(2) ? 0 : below(JOKER_ENHANCEMENTS));
        card->edition = (below(3) ? 0 : below(4)) & 7u;
        card->seal = (below(3) ? 0 : below(JOKER_SEALS)) & 7u;
        card->order = (uint16_t)(i + 1);
        state.hand[state.held++] = (uint8_t)i;
    }
    for (int i = 0; i < jokers; i++) {
        joker_joker j;
        memset(&j, 0, sizeof j);
        j.id = below(2) ? lean[below(sizeof lean)] : (uint8_t)below(JOKER_JOKERS);
        j.edition = (uint8_t)(below(3) ? 0 : below(4));
        j.a = joker_rows[j.id].start_a + (int32_t)below(20);
        j.x = joker_rows[j.id].start_x + (double)below(3);
        j.price = 5;
        j.order = (uint16_t)(200 + i);
        state.joker[state.jokers++] = j;
    }
}

/* The highest mean of all choices, orders of played and held cards, and orders of jokers. */
static double best_of_all(void) {
    static joker_state t;
    static joker_call call;
    uint8_t row[JOKER_ROW_MAX];
    double best = -1.0;
    t = state;
    for (int i = 0; i < state.jokers; i++) {
        row[i] = (uint8_t)i;
    }
    do {
        for (int i = 0; i < state.jokers; i++) {
            t.joker[i] = state.joker[row[i]];
        }
        memset(&call, 0, sizeof call);
        joker_call_facts(&model, &t, &call);
        call.hands_left = state.hands - 1;
        call.luck.mode = JOKER_LUCK_MEAN;
        for (uint32_t set = 1; set < 1u << state.held; set++) {
            if (lu_bits_set(set) > JOKER_PLAY_MAX) {
                continue;
            }
            joker_call_choose(&t, &call, set);
            do {
                do {
                    joker_score_run(&model, &t, &call);
                    best = call.score > best ? call.score : best;
                } while (joker_next_order(call.held, call.held_count));
            } while (joker_next_order(call.played, call.played_count));
        }
    } while (joker_next_order(row, state.jokers));
    return best;
}

TEST(best_play_is_that_of_all_orders) {
    int moved = 0;
    for (uint64_t seed = 1; seed <= 1500; seed++) {
        random_round(seed, 5, seed % 5 == 0 ? 4 : 3);
        double best = best_of_all();
        joker_search_plays(&model, &state, &orders, &plans);
        NEED(plans.count > 0);
        CHECK(plans.complete);
        /* the exact expectation differs from one pass by floor() and what counts twice */
        double found = 0.0;
        for (int i = 0; i < plans.count; i++) {
            found = plans.plan[i].pass > found ? plans.plan[i].pass : found;
        }
        if (found < best * (1.0 - 1e-9)) {
            printf("seed %d: found %.3f, best %.3f\n", (int)seed, found, best);
        }
        CHECK(found >= best * (1.0 - 1e-9));
        moved += plans.plan[0].moves_cards | plans.plan[0].moves_jokers;
    }
    CHECK(moved > 300); /* orders did matter */
}
