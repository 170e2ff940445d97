/* Scored hands: every joker that acts while a hand scores has a case here, with figures worked out
 * from the rules by hand, and must make a difference; then copying, bosses, luck, what is written
 * back. The recorded hands are in tools/verify_score_test.c. */
#include "rules/joker_outlook.h"
#include "tools/case.h"

#include "test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- one case per joker ---- */

typedef struct row_case {
    int id;
    const char *played, *held, *jokers, *more; /* jokers: inside of a JSON list, NULL = the one
 alone; more: members */
    double chips, mult, dollars;
} row_case;

#define J(...) #__VA_ARGS__
#define ALONE(key, played, held, more, chips, mult, dollars)                                       \
    { JOKER_J_##key, played, held, NULL, more, chips, mult, dollars }
#define WITH(key, played, held, jokers, more, chips, mult, dollars)                                \
    { JOKER_J_##key, played, held, jokers, more, chips, mult, dollars }

/* Luck is the best there is; High Card is 5 x 1, Pair 10 x 2, Two Pair 20 x 2, Three 30 x 3,
 * Straight 30 x 4, Flush 35 x 4, Four 60 x 7, Straight Flush 100 x 8. */
static const row_case row_cases[] = {
    ALONE(JOKER, "2H", "", "", 7, 5, 0),
    ALONE(GREEDY_JOKER, "2D", "", "", 7, 4, 0),
    ALONE(LUSTY_JOKER, "2H", "", "", 7, 4, 0),
    ALONE(WRATHFUL_JOKER, "2S", "", "", 7, 4, 0),
    ALONE(GLUTTENOUS_JOKER, "2C", "", "", 7, 4, 0),
    ALONE(JOLLY, "2H 2S", "", "", 14, 10, 0),
    ALONE(ZANY, "2H 2S 2C", "", "", 36, 15, 0),
    ALONE(MAD, "2H 2S 3C 3D", "", "", 30, 12, 0),
    ALONE(CRAZY, "2H 3S 4C 5D 6H", "", "", 50, 16, 0),
    ALONE(DROLL, "2H 3H 4H 5H 7H", "", "", 56, 14, 0),
    ALONE(SLY, "2H 2S", "", "", 64, 2, 0),
    ALONE(WILY, "2H 2S 2C", "", "", 136, 3, 0),
    ALONE(CLEVER, "2H 2S 3C 3D", "", "", 110, 2, 0),
    ALONE(DEVIOUS, "2H 3S 4C 5D 6H", "", "", 150, 4, 0),
    ALONE(CRAFTY, "2H 3H 4H 5H 7H", "", "", 136, 4, 0),
    ALONE(HALF, "2H", "", "", 7, 21, 0),
    ALONE(STENCIL, "2H", "", "", 7, 5, 0),
    ALONE(FOUR_FINGERS, "2H 3H 4H 5H", "", "", 114, 8, 0),
    ALONE(MIME, "2H", "KC:steel", "", 7, 2.25, 0),
    WITH(CEREMONIAL, "2H", "", J({"key" : "ceremonial", "state" : {"mult" : 6}}), "", 7, 7, 0),
    ALONE(BANNER, "2H", "", "", 97, 1, 0),
    ALONE(MYSTIC_SUMMIT, "2H", "",
          J("ctx"
            : {"discards_left" : 0}),
          7, 16, 0),
    WITH(LOYALTY_CARD, "2H", "", J({"key" : "loyalty_card", "state" : {"ready" : true}}), "", 7, 4,
         0),
    ALONE(8_BALL, "8H", "", "", 13, 1, 0),
    ALONE(MISPRINT, "2H", "", "", 7, 24, 0),
    ALONE(DUSK, "2H", "",
          J("ctx"
            : {"hands_left" : 0}),
          9, 1, 0),
    ALONE(RAISED_FIST, "2H", "KD 3C 5S", "", 7, 7, 0),
    ALONE(FIBONACCI, "2H", "", "", 7, 9, 0),
    ALONE(STEEL_JOKER, "2H", "",
          J("ctx"
            : {"steel_in_deck" : 5}),
          7, 2, 0),
    ALONE(SCARY_FACE, "KH", "", "", 45, 1, 0),
    ALONE(ABSTRACT, "2H", "", "", 7, 4, 0),
    ALONE(HACK, "2H", "", "", 9, 1, 0),
    WITH(PAREIDOLIA, "2H", "", J("pareidolia", "scary_face"), "", 37, 1, 0),
    ALONE(GROS_MICHEL, "2H", "", "", 7, 16, 0),
    ALONE(EVEN_STEVEN, "2H", "", "", 7, 5, 0),
    ALONE(ODD_TODD, "3H", "", "", 39, 1, 0),
    ALONE(SCHOLAR, "AH", "", "", 36, 5, 0),
    ALONE(BUSINESS, "KH", "", "", 15, 1, 2),
    ALONE(SUPERNOVA, "2H", "",
          J("plays"
            : {"High Card" : [ 2, 0 ]}),
          7, 4, 0),
    WITH(RIDE_THE_BUS, "2H", "", J({"key" : "ride_the_bus", "state" : {"mult" : 3}}), "", 7, 5, 0),
    ALONE(SPACE, "2H", "", "", 17, 2, 0),
    ALONE(BLACKBOARD, "2H", "2C 3S", "", 7, 3, 0),
    WITH(RUNNER, "2H 3S 4C 5D 6H", "", J({"key" : "runner", "state" : {"chips" : 15}}), "", 80, 4,
         0),
    ALONE(ICE_CREAM, "2H", "", "", 107, 1, 0),
    WITH(DNA, "KH", "", J("dna", "baron"), "", 15, 1.5, 0),
    ALONE(SPLASH, "2H KS", "", "", 17, 1, 0),
    ALONE(BLUE_JOKER, "2H", "",
          J("ctx"
            : {"deck_left" : 40}),
          87, 1, 0),
    ALONE(SIXTH_SENSE, "6H", "", "", 11, 1, 0),
    WITH(CONSTELLATION, "2H", "", J({"key" : "constellation", "state" : {"x" : 1.5}}), "", 7, 1.5,
         0),
    WITH(HIKER, "2H", "", J("hiker", "hack"), "", 14, 1, 0),
    WITH(GREEN_JOKER, "2H", "", J({"key" : "green_joker", "state" : {"mult" : 2}}), "", 7, 4, 0),
    ALONE(SUPERPOSITION, "AH 2S 3C 4D 5H", "", "", 55, 4, 0),
    WITH(TODO_LIST, "2H", "", J({"key" : "todo_list", "state" : {"hand" : "High Card"}}), "", 7, 1,
         4),
    ALONE(CAVENDISH, "2H", "", "", 7, 3, 0),
    ALONE(CARD_SHARP, "2H", "",
          J("plays"
            : {"High Card" : [ 1, 1 ]}),
          7, 3, 0),
    WITH(RED_CARD, "2H", "", J({"key" : "red_card", "state" : {"mult" : 6}}), "", 7, 7, 0),
    WITH(MADNESS, "2H", "", J({"key" : "madness", "state" : {"x" : 1.5}}), "", 7, 1.5, 0),
    ALONE(SQUARE, "2H 2S 3C 3D", "", "", 34, 2, 0),
    ALONE(SEANCE, "2H 3H 4H 5H 6H", "", "", 120, 8, 0),
    ALONE(VAMPIRE, "2H:bonus", "", "", 7, 1.1, 0),
    ALONE(SHORTCUT, "2H 4S 6C 8D TH", "", "", 60, 4, 0),
    WITH(HOLOGRAM, "2H", "", J({"key" : "hologram", "state" : {"x" : 1.25}}), "", 7, 1.25, 0),
    ALONE(VAGABOND, "2H", "",
          J("ctx"
            : {"money" : 4}),
          7, 1, 0),
    ALONE(BARON, "2H", "KC", "", 7, 1.5, 0),
    ALONE(OBELISK, "2H", "",
          J("plays"
            : {"Pair" : [ 5, 0 ]}),
          7, 1.2, 0),
    WITH(MIDAS_MASK, "KH", "", J("midas_mask", "ticket"), "", 15, 1, 4),
    ALONE(PHOTOGRAPH, "KH", "", "", 15, 2, 0),
    ALONE(EROSION, "2H", "",
          J("ctx"
            : {"deck_size" : 50}),
          7, 9, 0),
    ALONE(RESERVED_PARKING, "2H", "KC", "", 7, 1, 1),
    ALONE(FORTUNE_TELLER, "2H", "",
          J("ctx"
            : {"tarots_used" : 3}),
          7, 4, 0),
    ALONE(STONE, "2H", "",
          J("ctx"
            : {"stone_in_deck" : 2}),
          57, 1, 0),
    ALONE(LUCKY_CAT, "2H:lucky", "", "", 7, 26.25, 20),
    WITH(BASEBALL, "2H", "", J("baseball", "mime"), "", 7, 1.5, 0),
    ALONE(BULL, "2H", "",
          J("ctx"
            : {"money" : 10}),
          27, 1, 0),
    WITH(FLASH, "2H", "", J({"key" : "flash", "state" : {"mult" : 4}}), "", 7, 5, 0),
    ALONE(POPCORN, "2H", "", "", 7, 21, 0),
    ALONE(TROUSERS, "2H 2S 3C 3D", "", "", 30, 4, 0),
    WITH(ANCIENT, "2H", "", J({"key" : "ancient", "state" : {"suit" : "H"}}), "", 7, 1.5, 0),
    ALONE(RAMEN, "2H", "", "", 7, 2, 0),
    ALONE(WALKIE_TALKIE, "4H", "", "", 19, 5, 0),
    ALONE(SELZER, "2H", "", "", 9, 1, 0),
    WITH(CASTLE, "2H", "", J({"key" : "castle", "state" : {"chips" : 6}}), "", 13, 1, 0),
    ALONE(SMILEY, "KH", "", "", 15, 6, 0),
    WITH(CAMPFIRE, "2H", "", J({"key" : "campfire", "state" : {"x" : 1.25}}), "", 7, 1.25, 0),
    ALONE(TICKET, "2H:gold", "", "", 7, 1, 4),
    ALONE(ACROBAT, "2H", "",
          J("ctx"
            : {"hands_left" : 0}),
          7, 3, 0),
    ALONE(SOCK_AND_BUSKIN, "KH", "", "", 25, 1, 0),
    WITH(SWASHBUCKLER, "2H", "", J("swashbuckler", {"key" : "joker", "sell" : 3}), "", 7, 8, 0),
    ALONE(SMEARED, "2H 3D 5H 7D 9H", "", "", 61, 4, 0),
    ALONE(THROWBACK, "2H", "",
          J("ctx"
            : {"skips" : 2}),
          7, 1.5, 0),
    ALONE(HANGING_CHAD, "2H", "", "", 11, 1, 0),
    ALONE(ROUGH_GEM, "2D", "", "", 7, 1, 1),
    ALONE(BLOODSTONE, "2H", "", "", 7, 1.5, 0),
    ALONE(ARROWHEAD, "2S", "", "", 57, 1, 0),
    ALONE(ONYX_AGATE, "2C", "", "", 7, 8, 0),
    WITH(GLASS, "2H", "", J({"key" : "glass", "state" : {"x" : 1.75}}), "", 7, 1.75, 0),
    ALONE(FLOWER_POT, "2H 2S 2C 2D", "", "", 68, 21, 0),
    WITH(BLUEPRINT, "2H", "", J("blueprint", "joker"), "", 7, 9, 0),
    ALONE(WEE, "2H", "", "", 15, 1, 0),
    WITH(IDOL, "2H", "", J({"key" : "idol", "state" : {"rank" : "2", "suit" : "H"}}), "", 7, 2, 0),
    ALONE(SEEING_DOUBLE, "2C 2H", "", "", 14, 4, 0),
    ALONE(MATADOR, "2H", "",
          J("levels"
            : {"High Card" : 2}, "ctx"
            : {"blind" : "bl_arm"}),
          7, 1, 8),
    ALONE(MATADOR, "2H", "",
          J("ctx"
            : {"blind" : "bl_psychic"}),
          0, 0, 8),
    WITH(HIT_THE_ROAD, "2H", "", J({"key" : "hit_the_road", "state" : {"x" : 1.5}}), "", 7, 1.5, 0),
    ALONE(DUO, "2H 2S", "", "", 14, 4, 0),
    ALONE(TRIO, "2H 2S 2C", "", "", 36, 9, 0),
    ALONE(FAMILY, "2H 2S 2C 2D", "", "", 68, 28, 0),
    ALONE(ORDER, "2H 3S 4C 5D 6H", "", "", 50, 12, 0),
    ALONE(TRIBE, "2H 3H 4H 5H 7H", "", "", 56, 8, 0),
    ALONE(STUNTMAN, "2H", "", "", 257, 1, 0),
    WITH(BRAINSTORM, "2H", "", J("joker", "brainstorm"), "", 7, 9, 0),
    ALONE(SHOOT_THE_MOON, "2H", "QC", "", 7, 14, 0),
    ALONE(DRIVERS_LICENSE, "2H", "",
          J("ctx"
            : {"enhanced_in_deck" : 16}),
          7, 3, 0),
    ALONE(BOOTSTRAPS, "2H", "",
          J("ctx"
            : {"money" : 10}),
          7, 5, 0),
    WITH(CAINO, "2H", "", J({"key" : "caino", "state" : {"x" : 2}}), "", 7, 2, 0),
    ALONE(TRIBOULET, "KH", "", "", 15, 2, 0),
    WITH(YORICK, "2H", "", J({"key" : "yorick", "state" : {"x" : 2}}), "", 7, 2, 0),
};

enum { ROW_CASES = sizeof row_cases / sizeof *row_cases };

static void add_cards(lu_json *json, const char *key, const char *cards) {
    lu_json_key_array(json, key);
    for (const char *at = cards; *at; at += strcspn(at, " "), at += strspn(at, " ")) {
        lu_json_string_n(json, at, strcspn(at, " "));
    }
    lu_json_array_end(json);
}

/* Reads a hand; `jokers` is the inside of a list, `more` further members. NULL after a failure. */
static joker_case *read_hand(const char *played, const char *held, const char *jokers,
                             const char *more) {
    static joker_case hand;
    char text[2048];
    lu_json cards = LU_JSON_INIT;
    lu_error error = {LU_OK, ""};
    lu_json_object(&cards);
    add_cards(&cards, "played", played);
    add_cards(&cards, "held", held);
    snprintf(text, sizeof text, "%s,\"jokers\":[%s]%s%s}", cards.text, jokers, *more ? "," : "",
             more);
    lu_json_free(&cards);
    lu_json_document *document = lu_json_read("case", text, strlen(text), &error);
    lu_status status =
        document ? joker_case_read(lu_json_root(document), &hand, &error) : LU_BAD_DATA;
    lu_json_close(document);
    if (status != LU_OK) {
        lu_test_fail(__FILE__, __LINE__, "%s: %s", text, error.text);
        return NULL;
    }
    hand.call.luck.mode = JOKER_LUCK_BEST;
    return &hand;
}

static joker_case *read_row(const row_case *r) {
    char alone[64];
    snprintf(alone, sizeof alone, "\"%s\"", joker_joker_words[r->id].key);
    return read_hand(r->played, r->held, r->jokers ? r->jokers : alone, r->more);
}

/* What a hand gives, as far as a joker can change it. */
typedef struct outcome {
    double chips, mult, dollars;
    int copies, made;
    uint32_t broken, bonus, plain;
} outcome;

static outcome outcome_of(joker_case *hand) {
    joker_case_score(hand, false);
    const joker_scoring *c = &hand->call;
    outcome o = {c->chips, c->mult, c->dollars, c->copies, c->made_count, c->broken, 0, 0};
    for (int i = 0; i < c->played_count; i++) {
        o.bonus += c->card[i].bonus;
        o.plain |= c->card[i].enhancement == JOKER_PLAIN ? 1u << i : 0u;
    }
    return o;
}

static bool same_outcome(const outcome *a, const outcome *b) {
    return memcmp(a, b, sizeof *a) == 0;
}

TEST(every_joker_of_a_case_gives_what_its_row_says) {
    for (int k = 0; k < ROW_CASES; k++) {
        const row_case *r = &row_cases[k];
        joker_case *hand = read_row(r);
        if (!hand) {
            continue;
        }
        outcome with = outcome_of(hand);
        bool right = with.chips == r->chips && with.dollars == r->dollars &&
                     lu_fabs(with.mult - r->mult) <= 1e-12 * r->mult;
        if (!right) {
            lu_test_fail(__FILE__, __LINE__, "%s: %g x %g $%g, not %g x %g $%g",
                         joker_joker_words[r->id].key, with.chips, with.mult, with.dollars,
                         r->chips, r->mult, r->dollars);
        }
    }
}

/* A debuffed joker does nothing: every case must come out differently then. */
TEST(every_joker_of_a_case_makes_a_difference) {
    for (int k = 0; k < ROW_CASES; k++) {
        const row_case *r = &row_cases[k];
        joker_case *hand = read_row(r);
        if (!hand) {
            continue;
        }
        outcome with = outcome_of(hand);
        bool there = false;
        for (int i = 0; i < hand->state.jokers; i++) {
            if (hand->state.joker[i].id == r->id) {
                hand->state.joker[i].flags |= JOKER_DEBUFFED;
                there = true;
            }
        }
        CHECK(there);
        joker_scoring_lineup(&hand->state, &hand->call);
        hand->call.rules = joker_rule_bits(&hand->state);
        outcome without = outcome_of(hand);
        if (same_outcome(&with, &without)) {
            lu_test_fail(__FILE__, __LINE__, "%s makes no difference",
                         joker_joker_words[r->id].key);
        }
    }
}

TEST(every_joker_that_acts_in_scoring_has_a_case) {
    const uint32_t hooks = JOKER_HOOK_BEFORE | JOKER_HOOK_SCORED | JOKER_HOOK_HELD |
                           JOKER_HOOK_AGAIN_SCORED | JOKER_HOOK_AGAIN_HELD | JOKER_HOOK_MAIN |
                           JOKER_HOOK_AFTER_OTHER | JOKER_HOOK_DESTROY | JOKER_HOOK_AFTER |
                           JOKER_HOOK_DEBUFFED_HAND | JOKER_HOOK_COPY;
    const uint32_t rules = JOKER_RULE_FOUR_FINGERS | JOKER_RULE_SHORTCUT | JOKER_RULE_SMEARED |
                           JOKER_RULE_PAREIDOLIA | JOKER_RULE_SPLASH;
    int cases = 0;
    for (int id = 0; id < JOKER_JOKERS; id++) {
        bool found = false;
        for (int k = 0; k < ROW_CASES; k++) {
            found = found || row_cases[k].id == id;
        }
        bool scores = (joker_joker_facts[id].hooks & hooks) || (joker_rows[id].rules & rules);
        cases += found ? 1 : 0;
        if (found != scores) {
            lu_test_fail(__FILE__, __LINE__, "%s: %s", joker_joker_words[id].key,
                         scores ? "has no case" : "has a case but no part in scoring");
        }
    }
    CHECK(cases > 0);
}

/* A row says something for each of its hooks, and grows only where it has one. */
TEST(rows_and_hooks_agree) {
    const uint32_t given = JOKER_HOOK_PASSIVE | JOKER_HOOK_RULE;
    for (int id = 0; id < JOKER_JOKERS; id++) {
        const joker_row *row = &joker_rows[id];
        uint32_t hooks = joker_joker_facts[id].hooks;
        bool passive = row->hand_size || row->hands || row->discards || row->free_rerolls ||
                       row->floor || row->interest || row->doubles || row->rules ||
                       row->call == JOKER_DO_TURTLE_BEAN;
        CHECK_INT(row->id, id);
        CHECK(row->effect != JOKER_E_NONE || row->call != JOKER_DO_NOTHING || passive);
        CHECK(passive == ((hooks & given) != 0));
        CHECK((row->grows & ~hooks) == 0);
        CHECK((row->back & ~hooks) == 0);
        CHECK(!row->grows || row->by || row->by_x < 0.0 || row->by_x > 0.0);
        CHECK((row->odds != 0) == (row->key != JOKER_K_NONE && row->call != JOKER_DO_MISPRINT));
        CHECK((row->effect == JOKER_E_STORED_X) == (row->start_x > 0.0));
    }
}

/* ---- copying ---- */

static void check_mult(const char *jokers, double want, int line) {
    joker_case *hand = read_hand("2H", "", jokers, "");
    if (hand) {
        joker_case_score(hand, false);
        if (hand->call.mult != want) {
            lu_test_fail(__FILE__, line, "%s: mult %g, not %g", jokers, hand->call.mult, want);
        }
    }
}

TEST(copies_follow_their_chain) {
    check_mult(J("blueprint", "blueprint", "joker"), 13, __LINE__);
    check_mult(J("joker", "blueprint", "brainstorm"), 13, __LINE__);
    check_mult(J("brainstorm", "joker"), 5, __LINE__);          /* itself as target */
    check_mult(J("joker", "blueprint"), 5, __LINE__);           /* nothing on its right */
    check_mult(J("blueprint", "brainstorm"), 1, __LINE__);      /* a ring */
    check_mult(J("blueprint", "splash", "joker"), 5, __LINE__); /* not to be copied */
    check_mult(J("blueprint", {"key" : "joker", "debuffed" : true}), 1, __LINE__);
    check_mult(J({"key" : "blueprint", "debuffed" : true}, "joker"), 5, __LINE__);
    check_mult(J("blueprint", {"key" : "blueprint", "debuffed" : true}, "joker"), 5, __LINE__);
    check_mult(J("blueprint", {"key" : "joker", "ed" : "holo"}), 19, __LINE__); /* no edition */
    /* the payoff is copied, the growth is not: 1 more, given twice */
    check_mult(J("blueprint", {"key" : "green_joker", "state" : {"mult" : 2}}), 7, __LINE__);
}

TEST(what_is_copied_where) {
    joker_case *hand = read_hand("KH", "", J("blueprint", "hiker", "sock_and_buskin"), "");
    NEED(hand);
    joker_case_score(hand, false);
    CHECK_INT(hand->call.card[0].bonus, 20); /* two triggers, twice each */
    CHECK_INT((int)hand->call.chips, 35);    /* 5 + 10 + 20 */
    hand = read_hand("2H", "", J("blueprint", "wee"), "");
    NEED(hand);
    joker_case_score(hand, false);
    CHECK_INT(hand->call.joker[1].a, 8);
    CHECK_INT((int)hand->call.chips, 23); /* 7 + 8 + 8 */
    /* a copied Swashbuckler counts as the copied one does */
    check_mult(J("blueprint", {"key" : "swashbuckler", "sell" : 2}), 11, __LINE__);
}

TEST(stores_start_again) {
    joker_case *hand = read_hand("KH", "",
                                 J({"key" : "ride_the_bus", "state" : {"mult" : 3}},
                                   {"key" : "obelisk", "state" : {"x" : 1.6}}),
                                 J("plays"
                                   : {"High Card" : [ 4, 0 ], "Pair" : [ 4, 0 ]}));
    NEED(hand);
    joker_case_score(hand, false);
    CHECK_INT(hand->call.joker[0].a, 0); /* a face card scored */
    CHECK(hand->call.joker[1].x == 1.0); /* five plays against four */
    hand->state.plays[JOKER_PAIR] = 5;
    joker_case_score(hand, false);
    CHECK(hand->call.joker[1].x == 1.6 + 0.2); /* a tie */
    hand->state.visible = 0;
    joker_case_score(hand, false);
    CHECK(hand->call.joker[1].x == 1.0); /* hidden hands do not count */
}

/* ---- cards ---- */

static void check_cards(const char *played, const char *held, const char *jokers, double chips,
                        double mult, double dollars, int line) {
    joker_case *hand = read_hand(played, held, jokers, "");
    if (!hand) {
        return;
    }
    joker_case_score(hand, false);
    const joker_scoring *c = &hand->call;
    if (c->chips != chips || c->mult != mult || c->dollars != dollars) {
        lu_test_fail(__FILE__, line, "%s | %s | %s: %g x %g $%g, not %g x %g $%g", played, held,
                     jokers, c->chips, c->mult, c->dollars, chips, mult, dollars);
    }
}

TEST(cards_give_what_they_bear) {
    check_cards("2H:bonus", "", "", 37, 1, 0, __LINE__);
    check_cards("2H:mult", "", "", 7, 5, 0, __LINE__);
    check_cards("2H:glass,holo", "", "", 7, 12, 0, __LINE__); /* x2, then +10 */
    check_cards("2H:stone,+5", "", "", 60, 1, 0, __LINE__);
    check_cards("2H:lucky", "", "", 7, 21, 20, __LINE__);
    check_cards("2H:foil,redseal", "", "", 109, 1, 0, __LINE__);
    check_cards("2H:goldseal", "", J("hack"), 9, 1, 6, __LINE__);
    check_cards("2H:polychrome", "", "", 7, 1.5, 0, __LINE__);
    check_cards("2H:bonus,foil,redseal,debuffed", "", "", 5, 1, 0, __LINE__);
    check_cards("2H", "KC:steel,redseal KD:steel,debuffed", "", 7, 2.25, 0, __LINE__);
    /* held cards are triggered again only where they did something */
    check_cards("2H", "3C:redseal", J("mime", "baron"), 7, 1, 0, __LINE__);
    check_cards("2H", "KC:redseal", J("mime", "baron"), 7, 3.375, 0, __LINE__);
    /* the lowest held card is debuffed: nothing; a tie goes to the right */
    check_cards("2H", "9C 3C:debuffed", J("raised_fist"), 7, 1, 0, __LINE__);
    check_cards("2H", "3D:debuffed 3C", J("raised_fist"), 7, 7, 0, __LINE__);
    /* Smeared: any red card is a Diamond; Wild is all; Stone is nothing */
    check_cards("2H", "", J("smeared", "rough_gem"), 7, 1, 1, __LINE__);
    check_cards("2S:wild", "", J("rough_gem"), 7, 1, 1, __LINE__);
    check_cards("2D:stone", "", J("rough_gem"), 55, 1, 0, __LINE__);
}

TEST(suits_are_shared_out_one_per_card) {
    check_cards("2H 2S 2C 2D:debuffed", "", J("flower_pot"), 66, 21, 0, __LINE__);
    check_cards("2H 2S 2C 2D:wild,debuffed", "", J("flower_pot"), 66, 7, 0, __LINE__);
    check_cards("2H 2H 2C:wild 2C:wild", "", J("flower_pot"), 68, 7, 0, __LINE__);
    check_cards("2C:wild 2C:wild", "", J("seeing_double"), 14, 4, 0, __LINE__);
    check_cards("2C 2C", "", J("seeing_double"), 14, 2, 0, __LINE__);
    check_cards("2C:debuffed 2H", "", J("seeing_double"), 12, 2, 0, __LINE__);
    check_cards("2S 2S", "", J("seeing_double", "smeared"), 14, 4, 0, __LINE__);
}

TEST(money_won_in_the_hand_counts_at_once) {
    check_cards("2D:goldseal", "", J("bull"), 7 + 14, 1, 3, __LINE__);
    check_cards("2D:goldseal", "", J("bootstraps"), 7, 3, 3, __LINE__);
    joker_case *hand = read_hand("2D:goldseal", "", J("vagabond"), J("ctx" : {"money" : 4}));
    NEED(hand);
    joker_case_score(hand, false);
    CHECK_INT(hand->call.made_count, 1); /* before the hand it was $4 */
}

/* ---- bosses, decks ---- */

static const joker_scoring *boss_hand(const char *played, const char *more) {
    joker_case *hand = read_hand(played, "", "", more);
    if (!hand) {
        return NULL;
    }
    joker_case_score(hand, false);
    return &hand->call;
}

TEST(bosses_act) {
    const joker_scoring *c = boss_hand("2H 2S", J("ctx" : {"blind" : "bl_psychic"}));
    NEED(c);
    CHECK(c->blocked && c->acted && c->score == 0.0 && c->plays == 1);
    c = boss_hand("2H 2S", J("plays" : {"Pair" : [ 1, 1 ]}, "ctx" : {"blind" : "bl_eye"}));
    NEED(c);
    CHECK(c->blocked);
    c = boss_hand("2H 2S", J("plays" : {"Pair" : [ 1, 0 ]}, "ctx" : {"blind" : "bl_eye"}));
    NEED(c);
    CHECK(!c->blocked && !c->acted && c->score == 28.0);
    c = boss_hand("2H 2S", J("ctx" : {"blind" : "bl_mouth", "first_hand" : "Flush"}));
    NEED(c);
    CHECK(c->blocked);
    c = boss_hand("2H 2S", J("ctx" : {"blind" : "bl_mouth"}));
    NEED(c);
    CHECK(!c->blocked);
    c = boss_hand("2H 2S", J("levels" : {"Pair" : 3}, "ctx" : {"blind" : "bl_arm"}));
    NEED(c);
    CHECK(c->acted && c->level == 2.0 && c->chips == 29.0 && c->mult == 3.0);
    c = boss_hand("2H 2S", J("ctx" : {"blind" : "bl_arm"}));
    NEED(c);
    CHECK(!c->acted && c->level == 1.0);
    c = boss_hand("2H 2S", J("ctx" : {"blind" : "bl_ox", "ox_hand" : "Pair", "money" : 9}));
    NEED(c);
    CHECK(c->acted && c->dollars == -9.0 && c->money == 0.0);
    c = boss_hand("2H 2S", J("levels" : {"Pair" : 2}, "ctx" : {"blind" : "bl_flint"}));
    NEED(c);
    CHECK(c->acted && c->chips == 17.0 && c->mult == 2.0); /* 25 x 3 -> 13 x 2 */
    c = boss_hand("2H:debuffed 2S", J("ctx" : {"blind" : "bl_head"}));
    NEED(c);
    CHECK(c->acted && c->chips == 12.0);
}

TEST(plasma_and_observatory_come_last) {
    joker_case *hand = read_hand("2H", "", J("joker"),
                                 J("ctx"
                                   : {"deck" : "b_plasma", "observatory" : {"High Card" : 2}}));
    NEED(hand);
    joker_case_score(hand, false);
    /* 7 x (5 * 1.5 * 1.5 = 11.25): 18.25 / 2 -> 9 */
    CHECK(hand->call.chips == 9.0 && hand->call.mult == 9.0 && hand->call.score == 81.0);
}

/* ---- luck ---- */

TEST(the_outlook_weighs_every_outcome) {
    joker_outlook o;
    joker_case *hand = read_hand("2H:lucky", "", J("misprint", "bloodstone"), "");
    NEED(hand);
    joker_look(&hand->rules, &hand->state, &hand->call, 1000, 0.0, &o);
    CHECK_INT(o.outcomes, 2 * 2 * 24);
    CHECK_INT(o.exact, 1);
    CHECK_NEAR(o.reach, 1.0, 1e-12);
    CHECK(o.worst == 7.0);                            /* 7 x 1 */
    CHECK(o.best == 7.0 * (21.0 * 1.5 + 23.0) - 0.5); /* floor(381.5) */
    CHECK_NEAR(o.dollars, 20.0 / 15.0, 1e-12);
    double fine = 0.0; /* the same by hand */
    for (int lucky = 0; lucky < 2; lucky++) {
        for (int blood = 0; blood < 2; blood++) {
            for (int print = 0; print < 24; print++) {
                double mult = (1.0 + 20.0 * lucky) * (blood ? 1.5 : 1.0) + print;
                fine += (lucky ? 0.2 : 0.8) * 0.5 / 24.0 * lu_floor(7.0 * mult);
            }
        }
    }
    CHECK_NEAR(o.mean, fine, 1e-9);
    CHECK_INT(hand->call.luck.mode, JOKER_LUCK_BEST); /* as it was */
    /* one pass: (1 + 4) * 1.25 + 11.5 */
    hand->call.luck.mode = JOKER_LUCK_MEAN;
    joker_case_score(hand, false);
    CHECK_NEAR(hand->call.mult, 17.75, 1e-12);
    /* too many outcomes: said so */
    joker_look(&hand->rules, &hand->state, &hand->call, 10, 0.0, &o);
    CHECK_INT(o.exact, 0);
    CHECK_NEAR(o.mean, 124.0, 1e-12); /* floor(7 * 17.75) */
    CHECK(o.worst == 7.0 && o.best == 381.0);
}

/* Rolls come per trigger, mult before money, and each from its own stream. */
TEST(rolls_follow_the_triggers) {
    static joker_state mirror;
    for (int fast = 0; fast < 2; fast++) {
        joker_case *hand = read_hand("2H:lucky,redseal 2S:lucky", "", "", "");
        NEED(hand);
        hand->rules.fast = fast;
        hand->call.luck.mode = JOKER_LUCK_STREAMS;
        joker_seed_text(&hand->rules, &hand->state, "LUDUS");
        for (int round = 0; round < 20; round++) {
            double mult = 2.0, dollars = 0.0;
            mirror = hand->state;
            for (int trigger = 0; trigger < 3; trigger++) {
                uint32_t first = joker_key_now(&mirror, JOKER_K_LUCKY_MULT);
                uint32_t second = joker_key_now(&mirror, JOKER_K_LUCKY_MONEY);
                mult += joker_odds(&hand->rules, &mirror, first, 5) ? 20.0 : 0.0;
                dollars += joker_odds(&hand->rules, &mirror, second, 15) ? 20.0 : 0.0;
            }
            joker_case_score(hand, false);
            CHECK(hand->call.mult == mult && hand->call.dollars == dollars);
            CHECK(memcmp(&mirror, &hand->state, sizeof mirror) == 0);
        }
    }
}

TEST(glass_breaks_by_its_stream_and_is_told) {
    int broken = 0;
    joker_case *hand =
        read_hand("KH:glass KS:glass", "", J({"key" : "glass", "state" : {"x" : 1}}, "caino"), "");
    NEED(hand);
    hand->call.luck.mode = JOKER_LUCK_STREAMS;
    joker_seed_text(&hand->rules, &hand->state, "LUDUS");
    for (int round = 0; round < 400; round++) {
        joker_case_score(hand, false);
        int now = __builtin_popcount(hand->call.broken);
        broken += now;
        CHECK(hand->call.joker[0].x == 1.0 + 0.75 * now);
        CHECK(hand->call.joker[1].x == 1.0 + now);
    }
    CHECK(broken > 160 && broken < 240); /* 200 expected */
}

/* ---- slots, ends, what is written back ---- */

TEST(nothing_is_made_without_a_slot) {
    joker_case *hand = read_hand("8H 8S 8C 8D", "", J("8_ball", "vagabond"),
                                 J("ctx"
                                   : {"free_slots" : 1, "money" : 0}));
    NEED(hand);
    joker_case_score(hand, false);
    CHECK_INT(hand->call.made_count, 1);
    CHECK_INT(hand->call.made[0].set, JOKER_TAROT);
    CHECK_INT(hand->call.made[0].suffix, JOKER_SUFFIX_8BA);
    /* the card goes even where its Spectral card does not fit */
    hand = read_hand("6H", "", J("sixth_sense"), J("ctx" : {"free_slots" : 0}));
    NEED(hand);
    joker_case_score(hand, false);
    CHECK_INT(hand->call.made_count, 0);
    CHECK_INT(hand->call.broken, 1);
    hand = read_hand("6H", "", J("sixth_sense"), J("ctx" : {"hands_played_round" : 1}));
    NEED(hand);
    joker_case_score(hand, false);
    CHECK_INT(hand->call.broken, 0);
}

TEST(jokers_are_used_up_after_the_hand) {
    joker_case *hand = read_hand("2H", "",
                                 J("ice_cream", {"key" : "ice_cream", "state" : {"chips" : 5}},
                                   "selzer", {"key" : "selzer", "state" : {"hands" : 1}}),
                                 "");
    NEED(hand);
    joker_case_score(hand, true);
    CHECK_INT(hand->call.joker[0].a, 95);
    CHECK_INT(hand->call.joker[2].a, 9);
    CHECK_INT(hand->call.ended, 1 << 1 | 1 << 3);
    CHECK(hand->call.chips == 5 + 3 * 2 + 105);
}

TEST(a_scored_hand_is_written_back) {
    joker_case *hand = read_hand("KH:glass", "3C", J("hiker", "runner", "space", "stuntman"), "");
    NEED(hand);
    joker_state before = hand->state;
    joker_case_score(hand, false);
    CHECK(memcmp(&before, &hand->state, sizeof before) == 0); /* a try changes nothing */
    joker_score(&hand->rules, &hand->state, &hand->call);
    const joker_state *s = &hand->state;
    CHECK_INT(s->card[0].bonus, 5);
    CHECK_INT(s->level[JOKER_HIGH_CARD], 2);
    CHECK_INT(s->plays[JOKER_HIGH_CARD], 1);
    CHECK_INT(s->plays_round[JOKER_HIGH_CARD], 1);
    CHECK_INT(s->last_hand, JOKER_HIGH_CARD);
    CHECK_INT(s->first_hand, JOKER_HIGH_CARD);
    CHECK(s->last_chips == 275.0 && s->last_mult == 4.0 && s->last_score == 1100.0);
    CHECK_NEAR(s->chips_jokers, 250.0 / 275.0, 1e-12);
    CHECK(s->mult_jokers == 0.0 && s->x_jokers == 1.0);
    /* DNA's copy lies behind the held cards, and Hologram has seen it */
    hand = read_hand("KH", "3C", J("dna", "hologram"), "");
    NEED(hand);
    joker_score(&hand->rules, &hand->state, &hand->call);
    CHECK_INT(hand->call.held_count, 1);
    CHECK_INT(hand->call.copies, 1);
    CHECK_INT(hand->call.held_card[1].rank, JOKER_KING);
    CHECK(hand->state.joker[1].x == 1.25);
    CHECK(hand->state.last_mult == 1.25);
}
