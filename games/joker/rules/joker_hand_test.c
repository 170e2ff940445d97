/* Hand detection against a plain reading of the rules, over many hands and all rule jokers; sort
 * values and suits. The recorded hands are in tools/verify_score_test.c. */
#include "rules/joker_hand.h"

#include "test.h"

#include <string.h>

/* ---- the rules, read plainly ---- */

static int plain_count(const joker_card *cards, int n, int rank) {
    int count = 0;
    for (int i = 0; i < n; i++) {
        count += cards[i].enhancement != JOKER_STONE && cards[i].rank == rank;
    }
    return count;
}

/* Cards of the best rank with exactly `size` cards that is not `except`; 0 = none. */
static uint32_t plain_group(const joker_card *cards, int n, int size, int except, int *rank) {
    for (*rank = JOKER_ACE; *rank >= 2; (*rank)--) {
        if (*rank != except && plain_count(cards, n, *rank) == size) {
            uint32_t bits = 0;
            for (int i = 0; i < n; i++) {
                bits |= cards[i].enhancement != JOKER_STONE && cards[i].rank == *rank ? 1u << i : 0;
            }
            return bits;
        }
    }
    return 0;
}

static bool plain_fits(const joker_card *card, int suit, uint32_t rules) {
    if (card->enhancement == JOKER_STONE) {
        return false;
    }
    if (card->enhancement == JOKER_WILD && !(card->flags & JOKER_CARD_DEBUFFED)) {
        return true;
    }
    bool red = card->suit == JOKER_HEARTS || card->suit == JOKER_DIAMONDS;
    bool want = suit == JOKER_HEARTS || suit == JOKER_DIAMONDS;
    return card->suit == suit || ((rules & JOKER_RULE_SMEARED) && red == want);
}

static uint32_t plain_flush(const joker_card *cards, int n, uint32_t rules, int need) {
    for (int suit = 0; suit < JOKER_SUITS && n >= need; suit++) {
        uint32_t bits = 0;
        int count = 0;
        for (int i = 0; i < n; i++) {
            if (plain_fits(&cards[i], suit, rules)) {
                bits |= 1u << i;
                count++;
            }
        }
        if (count >= need) {
            return bits;
        }
    }
    return 0;
}

static uint32_t plain_straight(const joker_card *cards, int n, uint32_t rules, int need) {
    uint32_t bits = 0;
    int length = 0;
    bool skipped = false, straight = false;
    for (int j = 1; j <= 14 && n >= need; j++) {
        int rank = j == 1 ? 14 : j;
        if (plain_count(cards, n, rank) > 0) {
            length++;
            skipped = false;
            for (int i = 0; i < n; i++) {
                bits |= cards[i].enhancement != JOKER_STONE && cards[i].rank == rank ? 1u << i : 0;
            }
        } else if ((rules & JOKER_RULE_SHORTCUT) && !skipped && j != 14) {
            skipped = true;
        } else {
            length = 0;
            skipped = false;
            if (straight) {
                break;
            }
            bits = 0;
        }
        straight = straight || length >= need;
    }
    return straight ? bits : 0;
}

static joker_found plain_detect(const joker_card *cards, int n, uint32_t rules) {
    int need = rules & JOKER_RULE_FOUR_FINGERS ? 4 : 5, rank, other;
    uint32_t five = plain_group(cards, n, 5, 0, &rank), four = plain_group(cards, n, 4, 0, &rank);
    uint32_t three = plain_group(cards, n, 3, 0, &rank), two = plain_group(cards, n, 2, 0, &rank);
    uint32_t more = two ? plain_group(cards, n, 2, rank, &other) : 0;
    uint32_t flush = plain_flush(cards, n, rules, need);
    uint32_t straight = plain_straight(cards, n, rules, need);
    uint32_t type[JOKER_HANDS] = {0};
    type[JOKER_FLUSH_FIVE] = flush ? five : 0;
    type[JOKER_FLUSH_HOUSE] = flush && three && two ? three | two : 0;
    type[JOKER_FIVE] = five;
    type[JOKER_STRAIGHT_FLUSH] = flush && straight ? flush | straight : 0;
    type[JOKER_FOUR] = five ? five : four;
    type[JOKER_FULL_HOUSE] = three && two ? three | two : 0;
    type[JOKER_FLUSH] = flush;
    type[JOKER_STRAIGHT] = straight;
    type[JOKER_THREE] = type[JOKER_FOUR] ? type[JOKER_FOUR] : three;
    type[JOKER_TWO_PAIR] = more ? two | more : type[JOKER_FULL_HOUSE];
    type[JOKER_PAIR] = type[JOKER_THREE] ? type[JOKER_THREE] : two;
    int best = 0;
    for (int i = 1; i < n; i++) {
        best = joker_sort_value(&cards[i]) > joker_sort_value(&cards[best]) ? i : best;
    }
    type[JOKER_HIGH_CARD] = 1u << best;
    joker_found found = {0, 0, 0};
    for (int hand = JOKER_HANDS - 1; hand >= 0; hand--) {
        if (type[hand]) {
            found.hand = (uint8_t)hand;
            found.scoring = (uint8_t)type[hand];
            found.contains |= (uint16_t)(1u << hand);
        }
    }
    for (int i = 0; i < n; i++) {
        if ((rules & JOKER_RULE_SPLASH) || cards[i].enhancement == JOKER_STONE) {
            found.scoring |= (uint8_t)(1u << i);
        }
    }
    return found;
}

/* ---- tests ---- */

static uint32_t next(uint64_t *state, uint32_t below) {
    uint64_t z = *state += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return (uint32_t)((z ^ (z >> 31)) >> 32) % below;
}

/* Hands from few or many ranks and suits, so that every type comes up; some Wild, Stone, debuffed.
 */
TEST(detection_is_what_the_rules_say) {
    uint64_t state = 7;
    int seen[JOKER_HANDS] = {0};
    for (int k = 0; k < 200000; k++) {
        joker_card cards[JOKER_PLAY_MAX];
        memset(cards, 0, sizeof cards);
        int n = 1 + (int)next(&state, 5);
        uint32_t rules = next(&state, 32), ranks = 1 + next(&state, 13), from = next(&state, 13);
        uint32_t suits = 1 + next(&state, 4), special = next(&state, 3);
        for (int i = 0; i < n; i++) {
            cards[i].rank = (uint8_t)(2 + (from + next(&state, ranks)) % 13);
            cards[i].suit = (uint8_t)(next(&state, suits) & 3u);
            if (special == 0 && next(&state, 3) == 0) {
                cards[i].enhancement = next(&state, 2) ? JOKER_WILD : JOKER_STONE;
                cards[i].flags = next(&state, 2) ? JOKER_CARD_DEBUFFED : 0;
            }
        }
        joker_found got = joker_detect(cards, n, rules), want = plain_detect(cards, n, rules);
        seen[want.hand]++;
        if (got.hand != want.hand || got.scoring != want.scoring || got.contains != want.contains) {
            lu_test_fail(__FILE__, __LINE__, "hand %d: %d %02x %03x, not %d %02x %03x", k, got.hand,
                         got.scoring, got.contains, want.hand, want.scoring, want.contains);
            return;
        }
    }
    for (int hand = 0; hand < JOKER_HANDS; hand++) {
        CHECK(seen[hand] > 100);
    }
}

TEST(sort_values_and_order) {
    static const joker_card king = {.rank = 13, .suit = JOKER_CLUBS, .order = 4};
    static const joker_card older = {.rank = 13, .suit = JOKER_CLUBS, .order = 3};
    static const joker_card ace = {.rank = 14, .suit = JOKER_DIAMONDS};
    static const joker_card ten = {.rank = 10, .suit = JOKER_SPADES};
    static const joker_card stone = {
        .rank = 14, .suit = JOKER_DIAMONDS, .enhancement = JOKER_STONE};
    static const joker_card two = {.rank = 2, .suit = JOKER_DIAMONDS};
    CHECK_INT(joker_sort_value(&king), 1032);
    CHECK_INT(joker_sort_value(&ace), 1141);
    CHECK_INT(joker_sort_value(&ten), 1004);
    CHECK_INT(joker_sort_value(&stone), 140);
    CHECK(joker_card_before(&older, &king) && !joker_card_before(&king, &older));
    CHECK(joker_card_before(&two, &stone));
}

TEST(suits_and_faces) {
    joker_card card = {.rank = 12, .suit = JOKER_CLUBS};
    CHECK_INT(joker_suits(&card, 0), 1 << JOKER_CLUBS);
    CHECK_INT(joker_suits(&card, JOKER_RULE_SMEARED), 1 << JOKER_CLUBS | 1 << JOKER_SPADES);
    CHECK(joker_face(&card, 0));
    card.enhancement = JOKER_WILD;
    CHECK_INT(joker_suits(&card, 0), JOKER_ALL_SUITS);
    card.flags = JOKER_CARD_DEBUFFED;
    CHECK_INT(joker_suits(&card, 0), 0);
    CHECK_INT(joker_own_suits(&card, 0), 1 << JOKER_CLUBS);
    CHECK(!joker_face(&card, JOKER_RULE_PAREIDOLIA) && joker_own_face(&card, 0));
    card.flags = 0;
    card.enhancement = JOKER_STONE;
    CHECK_INT(joker_suits(&card, 0), 0);
    CHECK(!joker_face(&card, 0) && joker_face(&card, JOKER_RULE_PAREIDOLIA));
}
