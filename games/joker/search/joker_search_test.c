/* Tests of joker's search: the best play is that of trying every choice and every order, what is
 * hidden changes no answer, and bots do only what is legal. LUDUS_TEST_LONG=1: two to three times
 * the rounds and runs. */
#pragma GCC diagnostic ignored "-Wunused-function" /* the parts of the rules are included */

#include "search/joker_search.h"
#include "search/joker_search_discard.h"
#include "search/joker_search_order.h"

#include "test.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static joker_rules rules;
static joker_state state;
static joker_orders orders;
static joker_arrangements plans;
static uint64_t dice;

static uint32_t below(uint32_t n) {
    dice = dice * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)((dice >> 33) % n);
}

/* ---- the best play against all orders ---- */

/* A round with a few random cards and jokers; lean = with what makes orders matter. */
static void random_round(uint64_t seed, int cards, int jokers) {
    static const uint8_t lean[] = {
        JOKER_J_PHOTOGRAPH,     JOKER_J_HANGING_CHAD, JOKER_J_BLUEPRINT, JOKER_J_BRAINSTORM,
        JOKER_J_BARON,          JOKER_J_RAISED_FIST,  JOKER_J_SMILEY,    JOKER_J_TRIBOULET,
        JOKER_J_SHOOT_THE_MOON, JOKER_J_MIME,         JOKER_J_BASEBALL,  JOKER_J_FIBONACCI,
        JOKER_J_VAMPIRE,        JOKER_J_MIDAS_MASK,   JOKER_J_BULL,      JOKER_J_MATADOR,
        JOKER_J_ACROBAT,        JOKER_J_DUO,          JOKER_J_JOKER,     JOKER_J_SCHOLAR,
        JOKER_J_IDOL,           JOKER_J_ANCIENT,      JOKER_J_SPLASH,    JOKER_J_PAREIDOLIA};
    dice = seed;
    memset(&rules, 0, sizeof rules);
    memset(&state, 0, sizeof state);
    rules.fast = 1;
    rules.win_ante = 8;
    joker_seed_number(&rules, &state, seed);
    joker_run_start(&rules, &state);
    joker_select_blind(&rules, &state);
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
        card->flags = below(12) ? 0 : JOKER_CARD_DEBUFFED;
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
    static joker_scoring call;
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
        joker_scoring_facts(&rules, &t, &call);
        call.hands_left = state.hands - 1;
        call.luck.mode = JOKER_LUCK_MEAN;
        for (uint32_t set = 1; set < 1u << state.held; set++) {
            if (lu_bits_set(set) > JOKER_PLAY_MAX) {
                continue;
            }
            joker_scoring_choose(&t, &call, set);
            do {
                do {
                    joker_score_run(&rules, &t, &call);
                    best = call.score > best ? call.score : best;
                } while (joker_next_order(call.held, call.held_count));
            } while (joker_next_order(call.played, call.played_count));
        }
    } while (joker_next_order(row, state.jokers));
    return best;
}

/* The highest mean of one pass that the search finds. */
static double best_found(void) {
    double found = 0.0;
    joker_search_plays(&rules, &state, &orders, &plans);
    CHECK(plans.complete);
    for (int i = 0; i < plans.count; i++) {
        found = plans.plan[i].pass > found ? plans.plan[i].pass : found;
    }
    return found;
}

static void check_best(uint64_t seed) {
    double found = best_found(), best = best_of_all();
    if (found < best * (1.0 - 1e-9)) {
        printf("seed %d: found %.3f, best %.3f\n", (int)seed, found, best);
    }
    CHECK(found >= best * (1.0 - 1e-9));
}

TEST(best_play_is_that_of_all_orders) {
    uint64_t rounds = getenv("LUDUS_TEST_LONG") ? 1500 : 500;
    int moved = 0;
    for (uint64_t seed = 1; seed <= rounds; seed++) {
        random_round(seed, 5, seed % 5 == 0 ? 4 : 3);
        check_best(seed);
        NEED(plans.count > 0);
        moved += plans.plan[0].moves_cards | plans.plan[0].moves_jokers;
    }
    CHECK(moved > (int)rounds / 5); /* orders did matter */
}

/* Raised Fist means the rightmost of the lowest cards, which may multiply beside it. */
TEST(held_cards_lie_as_well_as_can_be) {
    static const uint8_t jokers[][2] = {{JOKER_J_RAISED_FIST, JOKER_J_BARON},
                                        {JOKER_J_SHOOT_THE_MOON, JOKER_J_RAISED_FIST},
                                        {JOKER_J_SHOOT_THE_MOON, JOKER_J_MIME}};
    uint64_t rounds = getenv("LUDUS_TEST_LONG") ? 120 : 60;
    int moved = 0;
    for (uint64_t seed = 1; seed <= rounds; seed++) {
        random_round(seed, 7, 2);
        for (int i = 0; i < 2; i++) {
            state.joker[i].id = jokers[seed % 3][i];
        }
        for (int i = 0; i < state.held; i++) {
            state.card[i].rank = (uint8_t)(12 + below(2));
            state.card[i].enhancement = below(2) ? JOKER_STEEL : JOKER_PLAIN;
        }
        check_best(seed);
        moved += plans.plan[0].moves_held;
    }
    CHECK(moved > (int)rounds / 4);
}

/* The most orders that five jokers can ask for are all looked at, also with ten cards. */
TEST(five_jokers_are_searched_to_the_end) {
    static const uint8_t jokers[] = {JOKER_J_PHOTOGRAPH, JOKER_J_HANGING_CHAD, JOKER_J_BLUEPRINT,
                                     JOKER_J_BRAINSTORM, JOKER_J_SPLASH};
    for (int cards = 8; cards <= 10; cards++) {
        random_round(5, cards, 5);
        for (int i = 0; i < 5; i++) {
            memset(&state.joker[i], 0, sizeof state.joker[i]);
            state.joker[i].id = jokers[i];
        }
        joker_search_plays(&rules, &state, &orders, &plans);
        CHECK(plans.complete);
        CHECK(plans.orders > 120 * 8000); /* all orders of cards for all of jokers */
    }
}

/* Plain cards and no jokers: nothing has to be moved, and fewer cards are enough. */
TEST(equal_plays_keep_the_players_order) {
    static const uint8_t ranks[] = {5, 9, 14, 5, 2};
    random_round(7, 5, 0);
    for (int i = 0; i < 5; i++) {
        memset(&state.card[i], 0, sizeof state.card[i]);
        state.card[i].rank = ranks[i];
        state.card[i].suit = (unsigned)i & 3u;
    }
    joker_search_plays(&rules, &state, &orders, &plans);
    CHECK_INT(plans.plan[0].chosen, 1 | 1 << 3);
    CHECK_INT(plans.plan[0].hand, JOKER_PAIR);
    CHECK_NEAR(plans.plan[0].look.mean, 40.0, 0.0);
    CHECK_INT(plans.plan[0].order[0], 0);
    CHECK_INT(plans.plan[0].order[1], 3);
    CHECK(!plans.plan[0].moves_cards && !plans.plan[0].moves_jokers && !plans.plan[0].moves_held);
}

/* Bloodstone on one Heart: half of the time x1.5. */
TEST(luck_is_counted_out) {
    random_round(7, 1, 0);
    memset(&state.card[0], 0, sizeof state.card[0]);
    state.card[0].rank = 10;
    state.card[0].suit = JOKER_HEARTS;
    state.joker[0].id = JOKER_J_BLOODSTONE;
    state.joker[0].x = 1.0;
    state.jokers = 1;
    state.target = 16.0;
    state.score = 0.0;
    joker_search_plays(&rules, &state, &orders, &plans);
    CHECK_NEAR(plans.plan[0].look.worst, 15.0, 0.0);
    CHECK_NEAR(plans.plan[0].look.best, 22.0, 0.0);
    CHECK_NEAR(plans.plan[0].look.mean, 18.5, 0.0);
    CHECK_NEAR(plans.plan[0].look.reach, 0.5, 0.0);
    CHECK(plans.plan[0].look.exact);
}

/* ---- typical hands ---- */

/* The score of a typical hand the long way: its cards lie in the pool and are played. */
static double long_way(int hand, int suit) {
    joker_scoring call;
    memset(&call, 0, sizeof call);
    joker_scoring_facts(&rules, &state, &call);
    call.hands_left = state.hands - 1;
    call.luck.mode = JOKER_LUCK_MEAN;
    for (int i = 0; i < JOKER_PLAY_MAX && joker_typical[hand][i][0]; i++) {
        memset(&state.card[i], 0, sizeof state.card[i]);
        state.card[i].rank = joker_typical[hand][i][0];
        state.card[i].suit = (unsigned)(joker_typical[hand][i][1] + suit) & 3u;
        call.played[call.played_count++] = (uint8_t)i;
    }
    joker_score_run(&rules, &state, &call);
    return call.score;
}

TEST(typical_hands_score_as_if_they_were_played) {
    for (uint64_t seed = 1; seed <= 600; seed++) {
        joker_worths worths;
        random_round(seed, 8, (int)(seed % 6));
        for (int i = 0; i < state.jokers && seed % 2; i++) {
            state.joker[i].id = (uint8_t)below(JOKER_JOKERS);
        }
        state.blind = (uint8_t)(seed % 3);
        state.boss = (uint8_t)below(JOKER_BLINDS);
        state.level[below(JOKER_HANDS)] = (uint16_t)(1 + below(20));
        int suit = (int)below(JOKER_SUITS);
        joker_worths_of(&rules, &state, suit, &worths);
        joker_state before = state;
        for (int hand = 0; hand < JOKER_HANDS; hand++) {
            state = before; /* what jokers count of the deck is counted without these cards */
            CHECK(long_way(hand, suit) == worths.of[hand]);
        }
    }
}

/* ---- discards ---- */

static joker_sim sim;

/* A pair and one card to throw; the pile has two cards, one of them of the pair's rank. */
static void small_pile(void) {
    static const uint8_t ranks[] = {9, 9, 2, 9, 3};
    random_round(7, 5, 0);
    for (int i = 0; i < 5; i++) {
        memset(&state.card[i], 0, sizeof state.card[i]);
        state.card[i].rank = ranks[i];
        state.card[i].suit = (unsigned)i & 3u;
    }
    state.held = 3;
    state.hand_size = 3;
    state.draws = 2;
    state.draw[0] = 3;
    state.draw[1] = 4;
    state.discards = 1;
    state.target = 1e6;
    joker_sim_start(&sim, &rules, &state);
}

TEST(a_discard_is_counted_over_all_draws) {
    small_pile();
    joker_discarded one = joker_discard_value(&sim, &state, 4, 100, false, 1);
    CHECK_INT(one.basis, JOKER_DRAW_ALL);
    CHECK_INT(one.draws, 2);
    /* Three of a Kind 57 x 3, or a Pair 28 x 2 */
    CHECK_NEAR(one.mean, (171.0 + 56.0) / 2.0, 0.0);
    CHECK_NEAR(one.error, 0.0, 0.0);
    joker_discarded best = joker_search_discards(&sim, &state, 100, false, 1);
    CHECK_INT(best.thrown, 4);
}

TEST(a_known_pile_is_drawn_from_its_end) {
    small_pile();
    joker_discarded one = joker_discard_value(&sim, &state, 4, 100, true, 1);
    CHECK_INT(one.basis, JOKER_DRAW_KNOWN);
    CHECK_NEAR(one.mean, 56.0, 0.0);
    state.draw[0] = 4;
    state.draw[1] = 3;
    one = joker_discard_value(&sim, &state, 4, 100, true, 1);
    CHECK_NEAR(one.mean, 171.0, 0.0);
}

/* ---- whole runs ---- */

static joker_player player;

static void start_run(uint64_t seed) {
    memset(&rules, 0, sizeof rules);
    memset(&state, 0, sizeof state);
    rules.fast = 1;
    rules.win_ante = 8;
    joker_seed_number(&rules, &state, seed);
    state.rng = seed;
    joker_run_start(&rules, &state);
}

/* Whether joker-v1 takes a action. */
static bool legal(const joker_action *action) {
    int32_t actions[JOKER_HEADS] = {action->type, action->index, action->to};
    joker_action read;
    for (int i = 0; i < JOKER_HAND_MAX; i++) {
        actions[JOKER_HEAD_CARD + i] = action->chosen >> i & 1u;
    }
    return joker_read_action(&rules, &state, actions, &read);
}

/* The same state with another order of the draw pile, and other cards and jokers face down. */
static void shuffle_hidden(joker_state *s, uint64_t seed) {
    lu_rng rng = lu_rng_from(seed);
    uint64_t kept = s->rng;
    joker_draw_anew(s, &rng);
    s->rng = ~kept;
}

static bool same_action(const joker_action *a, const joker_action *b) {
    return a->type == b->type && a->index == b->index && a->to == b->to && a->chosen == b->chosen;
}

/* A bot does what is legal to the end of a run, and no more than once in some decisions does the
 * test look whether what is hidden would change them. */
static int play_run(const joker_skill *skill, uint64_t seed) {
    static joker_state other;
    lu_rng rng = lu_rng_from(seed);
    int decisions = 0;
    start_run(seed);
    for (; state.phase != JOKER_END && decisions < 1000; decisions++) {
        lu_rng again = rng;
        joker_action action = joker_decide(&player, &rules, &state, skill, &rng);
        if (!legal(&action)) {
            printf("run %d: type %d index %d is not legal\n", (int)seed, action.type, action.index);
            CHECK(false);
            break;
        }
        if (decisions % 5 == 0) {
            other = state;
            shuffle_hidden(&other, seed + (uint64_t)decisions);
            joker_action second = joker_decide(&player, &rules, &other, skill, &again);
            CHECK(same_action(&action, &second));
        }
        joker_perform(&rules, &state, &action);
    }
    CHECK(decisions < 1000);
    return state.top_ante;
}

TEST(steady_plays_well_and_sees_nothing_hidden) {
    int antes = 0, runs = getenv("LUDUS_TEST_LONG") ? 8 : 4;
    for (uint64_t seed = 40000; seed < 40000 + (uint64_t)runs; seed++) {
        antes += play_run(&joker_skill_steady, seed);
    }
    CHECK(antes >= runs * 3);
}

TEST(search_plays_well_and_sees_nothing_hidden) {
    joker_skill skill = joker_skill_search;
    int antes = 0, runs = getenv("LUDUS_TEST_LONG") ? 4 : 2;
    skill.samples = 3;
    skill.round_samples = 3;
    for (uint64_t seed = 40000; seed < 40000 + (uint64_t)runs; seed++) {
        antes += play_run(&skill, seed);
    }
    CHECK(antes >= runs * 3);
}

/* Best plays and discards in rounds of such runs do not depend on what is hidden either. */
TEST(advice_sees_nothing_hidden) {
    static joker_state other;
    static joker_arrangements second;
    lu_rng rng = lu_rng_from(3);
    int looked = 0;
    start_run(40100);
    while (state.phase != JOKER_END && looked < 12) {
        joker_action action = joker_decide(&player, &rules, &state, &joker_skill_steady, &rng);
        if (action.type == JOKER_ACT_PLAY) {
            other = state;
            shuffle_hidden(&other, (uint64_t)looked);
            joker_search_plays(&rules, &state, &orders, &plans);
            joker_search_plays(&rules, &other, &orders, &second);
            CHECK_INT(plans.plan[0].chosen, second.plan[0].chosen);
            CHECK_NEAR(plans.plan[0].look.mean, second.plan[0].look.mean, 0.0);
            joker_sim_start(&sim, &rules, &state);
            joker_discarded a = joker_search_discards(&sim, &state, 20, false, 5);
            joker_discarded b = joker_search_discards(&sim, &other, 20, false, 5);
            CHECK_INT(a.thrown, b.thrown);
            CHECK_NEAR(a.mean, b.mean, 0.0);
            looked++;
        }
        joker_perform(&rules, &state, &action);
    }
    CHECK_INT(looked, 12);
}

TEST(the_logarithm_is_one) {
    static const double numbers[] = {1e-300, 0.1, 0.99, 1.0, 1.4142135, 2.0, 3.0, 12345.678, 1e300};
    for (size_t k = 0; k < sizeof numbers / sizeof *numbers; k++) {
        double expected = log(numbers[k]);
        CHECK_NEAR(joker_log(numbers[k]), expected, 1e-12 * (1.0 + fabs(expected)));
    }
}
