/* Seeded randomness: rounding to 13 places against exact arithmetic and against printf, streams and
 * draws against recorded ones, the table of streams, shuffles, seeds. LUDUS_TEST_LONG=1: ten times
 * the numbers that are rounded. */
#include "rules/joker_rng.h"

#include "test.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static uint64_t next_bits(uint64_t *state) {
    uint64_t z = *state += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

/* Numbers below 1 of three sorts: any, multiples of 2^-51 as streams have them, and those next to
 * the middle between two decimals. */
static double some_number(uint64_t *state, int sort) {
    uint64_t bits = next_bits(state);
    if (sort == 0) {
        return (double)(bits >> 11) * 0x1p-53;
    }
    if (sort == 1) {
        return (double)(bits >> 13) * 0x1p-51;
    }
    double middle = ((double)(bits % 9999999999999u) + 0.5) / 1e13;
    return lu_double_from_bits(lu_double_bits(middle) + (bits >> 62) - 1);
}

/* The nearest decimal by whole numbers: x is mantissa * 2^-shift, so x * 10^13 is a fraction whose
 * rest can be compared with a half exactly; ties go to the even one. */
static double exact_round13(double x) {
    int power;
    double fraction = frexp(x, &power);
    unsigned __int128 scaled = (unsigned __int128)(uint64_t)(fraction * 0x1p53) * 10000000000000u;
    int shift = 53 - power;
    if (shift > 120) {
        return 0.0;
    }
    unsigned __int128 whole = scaled >> shift, half = (unsigned __int128)1 << (shift - 1);
    unsigned __int128 rest = scaled - (whole << shift);
    whole += rest > half || (rest == half && (whole & 1u));
    return (double)(uint64_t)whole / 1e13;
}

/* How many numbers are rounded: `least`, or ten times as many. */
static int numbers(int least) {
    return getenv("LUDUS_TEST_LONG") ? 10 * least : least;
}

TEST(rounding_to_13_places_is_exact) {
    int count = numbers(3000000);
    uint64_t state = 1;
    long wrong = 0, between = 0;
    for (int i = 0; i < count; i++) {
        double x = some_number(&state, i % 3);
        double over = x * 1e13 - floor(x * 1e13);
        between += over == 0.5;
        wrong += joker_round13(x) != exact_round13(x);
    }
    CHECK_INT(wrong, 0);
    CHECK(between > count / 30); /* the cases that need the tail */
    CHECK(joker_round13(0.0) == 0.0);
    CHECK(joker_round13(1.0 - 0x1p-53) == 1.0);
}

TEST(rounding_to_13_places_is_that_of_printf) {
    int count = numbers(300000);
    uint64_t state = 2;
    long wrong = 0;
    for (int i = 0; i < count; i++) {
        double x = some_number(&state, i % 3);
        char text[40];
        snprintf(text, sizeof text, "%.13f", x);
        wrong += joker_round13(x) != strtod(text, NULL);
    }
    CHECK_INT(wrong, 0);
}

/* The first draws of two streams of the seed TESTSEED. */
TEST(streams_are_those_of_the_game) {
    static const double boss[3][2] = {{0.6552508289369773, 0.36736078445867704},
                                      {0.5814574516648273, 0.7843391176293266},
                                      {0.4542146206241773, 0.3362779203407824}};
    static const double rarity[3][2] = {{0.4421573394458773, 0.12737290635558352},
                                        {0.2140177181616273, 0.7773772813739734},
                                        {0.3206337539382773, 0.30965705922348374}};
    joker_state *s = calloc(1, sizeof *s);
    joker_rules m = {.fast = 0};
    joker_seed_text(&m, s, "TESTSEED");
    CHECK(s->hashed == 0.3192720782223546);
    s->ante = 1;
    for (int i = 0; i < 3; i++) {
        double node = joker_node(s, joker_key(JOKER_K_BOSS, 0, 7, 0));
        CHECK(node == boss[i][0]);
        CHECK(joker_node_unit(node) == boss[i][1]);
        node = joker_node(s, joker_key(JOKER_K_RARITY, JOKER_SUFFIX_SHO, 1, 0));
        CHECK(node == rarity[i][0]);
        CHECK(joker_node_unit(node) == rarity[i][1]);
    }
    CHECK_INT(s->streams, 2);
    free(s);
}

TEST(keys_are_spelled_as_in_the_game) {
    static const struct {
        int base, suffix, ante, resample;
        const char *text;
    } rows[] = {
        {JOKER_K_BOSS, JOKER_SUFFIX_SHO, 3, 0, "boss"},
        {JOKER_K_NR, 0, 12, 0, "nr12"},
        {JOKER_K_RARITY, JOKER_SUFFIX_SHO, 1, 0, "rarity1sho"},
        {JOKER_K_JOKER2, JOKER_SUFFIX_BUF, 2, 3, "Joker2buf2_resample3"},
        {JOKER_K_JOKER4, JOKER_SUFFIX_SOU, 2, 2, "Joker4_resample2"},
        {JOKER_K_SOUL_SPECTRAL, 0, 0, 0, "soul_Spectral0"},
        {JOKER_K_VOUCHER_FROMTAG, 0, 4, 0, "Voucher_fromtag"},
        {JOKER_K_EDITION, JOKER_SUFFIX_BLUSL, -1, 0, "ediblusl-1"},
        {JOKER_K_TAROT, JOKER_SUFFIX_8BA, 5, 2047, "Tarot8ba5_resample2047"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char text[JOKER_KEY_TEXT_MAX] = "";
        uint32_t key = joker_key(rows[i].base, rows[i].suffix, rows[i].ante, rows[i].resample);
        int n = joker_key_text(key, text);
        text[n] = 0;
        CHECK_TEXT(text, rows[i].text);
        CHECK(n <= JOKER_KEY_TEXT_MAX - 8);
    }
}

/* A full table forgets streams of old antes and nothing else. */
TEST(old_streams_make_room) {
    joker_state *s = calloc(1, sizeof *s);
    joker_rules m = {.fast = 0};
    joker_seed_text(&m, s, "ROOM");
    double first = joker_u(&m, s, joker_key(JOKER_K_CDT, 0, 1, 0));
    double glass = joker_u(&m, s, joker_key(JOKER_K_GLASS, 0, 0, 0));
    for (int ante = 1; ante < 100; ante++) {
        s->ante = s->top_ante = (int16_t)ante;
        for (int base = JOKER_K_RARITY; base < JOKER_K_COUNT; base++) {
            joker_u(&m, s, joker_key(base, JOKER_SUFFIX_SHO, ante, 0));
        }
        CHECK(s->streams <= JOKER_STREAMS_MAX);
    }
    CHECK_INT(s->full[JOKER_FULL_STREAMS], 0);
    uint32_t used = 0;
    for (uint32_t slot = 0; slot < JOKER_STREAM_SLOTS; slot++) {
        uint32_t key = s->stream_key[slot];
        used += key != 0;
        CHECK(key == 0 || joker_stream_find(s, key) == slot);
    }
    CHECK_INT(used, s->streams);
    CHECK(joker_u(&m, s, joker_key(JOKER_K_CDT, 0, 1, 0)) == first); /* forgotten */
    CHECK(joker_u(&m, s, joker_key(JOKER_K_GLASS, 0, 0, 0)) != glass);
    free(s);
}

/* A table that is full of streams of the same ante counts that, and goes on drawing. */
TEST(a_full_table_of_streams_is_counted) {
    joker_state *s = calloc(1, sizeof *s);
    joker_rules m = {.fast = 0};
    joker_seed_text(&m, s, "FULL");
    s->ante = s->top_ante = 1;
    for (int resample = 2; resample < 1000; resample++) {
        double u = joker_u(&m, s, joker_key(JOKER_K_TAROT, JOKER_SUFFIX_SHO, 1, resample));
        CHECK(u >= 0.0 && u < 1.0);
    }
    CHECK_INT(s->streams, JOKER_STREAMS_MAX);
    CHECK_INT(s->full[JOKER_FULL_STREAMS], 998 - JOKER_STREAMS_MAX);
    free(s);
}

/* The order before a shuffle does not count, only which cards there are. */
TEST(a_shuffle_depends_on_the_cards_alone) {
    uint8_t one[52], other[52];
    for (int fast = 0; fast < 2; fast++) {
        joker_state *s = calloc(1, sizeof *s);
        joker_rules m = {.fast = fast};
        joker_seed_text(&m, s, "SHUFFLE");
        for (int i = 0; i < 52; i++) {
            s->card[i + 3].rank = 2;
            s->card[i + 3].order = (uint16_t)(i < 26 ? 100 + i : i); /* slots out of order */
            one[i] = (uint8_t)(i + 3);
            other[i] = (uint8_t)(54 - i);
        }
        joker_state *copy = malloc(sizeof *copy);
        memcpy(copy, s, sizeof *s);
        joker_shuffle(&m, s, joker_key(JOKER_K_SHUFFLE, 0, 0, 0), one, 52);
        joker_shuffle(&m, copy, joker_key(JOKER_K_SHUFFLE, 0, 0, 0), other, 52);
        CHECK(memcmp(one, other, sizeof one) == 0);
        joker_sort_by_order(s, one, 52);
        for (int i = 0; i < 52; i++) {
            CHECK_INT(one[i], i < 26 ? i + 29 : i - 23); /* every card once, by its number */
        }
        free(copy);
        free(s);
    }
}

TEST(numbers_become_seeds_of_eight_letters) {
    static const struct {
        uint64_t number;
        const char *text;
    } rows[] = {{0, "11111111"},  {1, "21111111"},  {35, "12111111"},
                {33, "Z1111111"}, {34, "O1111111"}, {35 * 35 + 9, "A1211111"}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        joker_state *s = calloc(1, sizeof *s);
        joker_rules m = {.fast = 0};
        char text[9] = "";
        joker_seed_number(&m, s, rows[i].number);
        memcpy(text, s->seed, 8);
        CHECK_TEXT(text, rows[i].text);
        CHECK_INT(s->rng, rows[i].number);
        free(s);
    }
}

/* Both generators fill [0, 1) evenly: counts of 20 equal parts stay within 5 deviations. */
TEST(draws_are_even) {
    for (int fast = 0; fast < 2; fast++) {
        joker_state *s = calloc(1, sizeof *s);
        joker_rules m = {.fast = fast};
        int parts[20] = {0}, hits = 0;
        joker_seed_text(&m, s, "EVEN");
        for (int i = 0; i < 200000; i++) {
            parts[joker_pick(&m, s, joker_key(JOKER_K_MISPRINT, 0, 0, 0), 20)]++;
            hits += joker_odds(&m, s, joker_key(JOKER_K_GLASS, 0, 0, 0), 4);
        }
        for (int i = 0; i < 20; i++) {
            CHECK(abs(parts[i] - 10000) < 490);
        }
        CHECK(abs(hits - 50000) < 970);
        s->jokers = 2;
        s->joker[0].id = s->joker[1].id = JOKER_J_OOPS;
        CHECK_INT(joker_odds_numerator(s), 4);
        CHECK(joker_odds(&m, s, joker_key(JOKER_K_GLASS, 0, 0, 0), 4));
        s->joker[1].flags = JOKER_DEBUFFED;
        CHECK_INT(joker_odds_numerator(s), 2);
        free(s);
    }
}
