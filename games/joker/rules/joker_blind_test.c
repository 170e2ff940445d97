/* Blinds: a case for every row of their table, and a test that fails when a row has none. */
#include "joker_test.h"

#define FLAG(i, flag) ((held(i)->flags & JOKER_CARD_##flag) != 0)

static int count_flag(int flag) {
    int count = 0;
    for (int i = 0; i < s->held; i++) {
        count += (held(i)->flags & flag) != 0;
    }
    return count;
}

static void at(int blind) {
    begin();
    at_blind(blind);
}

/* Plays cards without winning. */
static void play_on(uint16_t chosen) {
    s->target = 1e30;
    joker_play(m, s, chosen);
}

/* ---- blinds ---- */

static void small(void) {
    at(JOKER_BL_SMALL);
    CHECK_NEAR(s->target, 300.0, 0.0);
    CHECK_INT(s->held, 8);
    CHECK_INT(s->hands, 4);
    CHECK_INT(s->discards, 4);
}
static void big(void) {
    at(JOKER_BL_BIG);
    CHECK_NEAR(s->target, 450.0, 0.0);
}
static void hook(void) {
    at(JOKER_BL_HOOK);
    give(JOKER_J_YORICK);
    int discards = s->discards;
    play_on(1u);
    CHECK_INT(s->gones, 3); /* the played card and two more */
    CHECK_INT(s->held, 8);
    CHECK_INT(s->discards, discards);
    CHECK_INT(s->discarded_round, 0);
    CHECK_INT(s->joker[0].b, 21); /* jokers see the discards */
    CHECK_INT(s->boss_acted, 1);
    hold("AS KS"); /* fewer if fewer are held */
    play_on(1u);
    hold("AS");
    play_on(1u);
    CHECK(broken_zones() == NULL);
}
static void ox(void) {
    at(JOKER_BL_OX);
    CHECK_INT(s->ox_hand, JOKER_HIGH_CARD);
    hold("9S 9D 5C 4C");
    s->money = 12;
    play_on(3u);
    CHECK_INT(s->money, 12);
    hold("9S 7D 5C 4C");
    play_on(1u);
    CHECK_INT(s->money, 0);
    s->plays[JOKER_PAIR] = s->plays[JOKER_FLUSH] = 9;
    win();
    CHECK_INT(s->ox_hand, JOKER_FLUSH); /* the stronger of equals, for the next one */
}
static void house(void) {
    at(JOKER_BL_HOUSE);
    CHECK_INT(count_flag(JOKER_CARD_DOWN), 8);
    joker_discard(m, s, 7u);
    CHECK_INT(count_flag(JOKER_CARD_DOWN), 5);
}
static void wall(void) {
    at(JOKER_BL_WALL);
    CHECK_NEAR(s->target, 1200.0, 0.0);
    joker_disable_boss(m, s);
    CHECK_NEAR(s->target, 600.0, 0.0);
}
static void wheel(void) {
    int down = 0;
    for (uint64_t seed = 0; seed < 200; seed++) {
        begin_run(JOKER_B_RED, 0, seed);
        at_blind(JOKER_BL_WHEEL);
        down += count_flag(JOKER_CARD_DOWN);
    }
    CHECK(down > 180 && down < 280); /* 1600 cards, 1 in 7 */
    joker_disable_boss(m, s);
    CHECK_INT(count_flag(JOKER_CARD_DOWN), 0);
}
static void arm(void) {
    at(JOKER_BL_ARM);
    s->level[JOKER_HIGH_CARD] = 2;
    play_on(1u);
    CHECK_INT(s->level[JOKER_HIGH_CARD], 1);
    CHECK_INT(s->boss_acted, 1);
    play_on(1u);
    CHECK_INT(s->level[JOKER_HIGH_CARD], 1);
    CHECK_INT(s->boss_acted, 0);
}
/* The first card of the four is debuffed, with Smeared Joker also the third; Wild always. */
static void check_suit_boss(int boss, const char *cards) {
    at(boss);
    hold(cards);
    CHECK(FLAG(0, DEBUFFED) && !FLAG(1, DEBUFFED) && !FLAG(2, DEBUFFED));
    CHECK(FLAG(3, DEBUFFED) && !FLAG(4, DEBUFFED));
    give(JOKER_J_SMEARED);
    joker_cards_debuff(s);
    CHECK(FLAG(0, DEBUFFED) && !FLAG(1, DEBUFFED) && FLAG(2, DEBUFFED));
    joker_disable_boss(m, s);
    CHECK_INT(count_flag(JOKER_CARD_DEBUFFED), 0);
    win();
    CHECK(broken_state() == NULL);
}
static void club(void) {
    check_suit_boss(JOKER_BL_CLUB, "AC KH QS 2D:w 3C:o");
}
static void goad(void) {
    check_suit_boss(JOKER_BL_GOAD, "AS KH QC 2D:w 3S:o");
}
static void window(void) {
    check_suit_boss(JOKER_BL_WINDOW, "AD KS QH 2C:w 3D:o");
}
static void head(void) {
    check_suit_boss(JOKER_BL_HEAD, "AH KS QD 2C:w 3H:o");
}
static void fish(void) {
    at(JOKER_BL_FISH);
    CHECK_INT(count_flag(JOKER_CARD_DOWN), 0);
    joker_discard(m, s, 3u);
    CHECK_INT(count_flag(JOKER_CARD_DOWN), 0);
    play_on(7u);
    CHECK_INT(count_flag(JOKER_CARD_DOWN), 3);
    joker_discard(m, s, 3u);
    CHECK(count_flag(JOKER_CARD_DOWN) <= 3); /* cards drawn after a discard are up */
}
static void psychic(void) {
    at(JOKER_BL_PSYCHIC);
    give(JOKER_J_MATADOR);
    int money = s->money;
    play_on(15u);
    CHECK_NEAR(s->score, 0.0, 0.0);
    CHECK_INT(s->run_hands, 1); /* counts as played */
    CHECK_INT(s->money, money + 8);
    play_on(31u);
    CHECK(s->score > 0.0);
}
static void water(void) {
    at(JOKER_BL_WATER);
    CHECK_INT(s->discards, 0);
    joker_disable_boss(m, s);
    CHECK_INT(s->discards, 4);
}
static void manacle(void) {
    at(JOKER_BL_MANACLE);
    CHECK_INT(s->held, 7);
    joker_disable_boss(m, s);
    CHECK_INT(s->held, 8);
    begin();
    give(JOKER_J_CHICOT);
    at_blind(JOKER_BL_MANACLE);
    CHECK_INT(s->held, 8);
    win();
    CHECK_INT(s->hand_size + s->juggle, 8);
}
static void eye(void) {
    at(JOKER_BL_EYE);
    hold("9S 9D 5C 4C 2H 7H 7D 7C");
    play_on(1u);
    double score = s->score;
    CHECK(score > 0.0);
    play_on(1u);
    CHECK_NEAR(s->score, score, 0.0);
    hold("9S 9D 5C 4C");
    play_on(3u);
    CHECK(s->score > score);
}
static void mouth(void) {
    at(JOKER_BL_MOUTH);
    hold("9S 9D 5C 4C");
    play_on(3u);
    double score = s->score;
    hold("9S 9D 5C 4C");
    play_on(1u);
    CHECK_NEAR(s->score, score, 0.0);
    hold("9S 9D 5C 4C");
    play_on(3u);
    CHECK_NEAR(s->score, 2.0 * score, 0.0);
}
static void plant(void) {
    at(JOKER_BL_PLANT);
    hold("KS QD JC AH 9S");
    CHECK_INT(count_flag(JOKER_CARD_DEBUFFED), 3);
    give(JOKER_J_PAREIDOLIA);
    joker_cards_debuff(s);
    CHECK_INT(count_flag(JOKER_CARD_DEBUFFED), 5);
}
static void serpent(void) {
    at(JOKER_BL_SERPENT);
    CHECK_INT(s->held, 8);
    joker_discard(m, s, 31u);
    CHECK_INT(s->held, 6);
    joker_discard(m, s, 1u);
    CHECK_INT(s->held, 8);
    play_on(1u);
    CHECK_INT(s->held, 10);
    joker_disable_boss(m, s);
    joker_discard(m, s, 31u);
    CHECK_INT(s->held, 8);
}
static void pillar(void) {
    begin();
    at_blind(JOKER_BL_SMALL);
    uint8_t played = s->hand[0];
    win();
    at_blind(JOKER_BL_PILLAR);
    for (int i = 0; i < JOKER_DECK_MAX; i++) {
        CHECK_INT((s->card[i].flags & JOKER_CARD_DEBUFFED) != 0, i == played);
    }
    win();
    CHECK_INT(s->card[played].flags, 0); /* a new ante */
}
static void needle(void) {
    at(JOKER_BL_NEEDLE);
    CHECK_INT(s->hands, 1);
    CHECK_NEAR(s->target, 300.0, 0.0);
    joker_disable_boss(m, s);
    CHECK_INT(s->hands, 4);
}
static void tooth(void) {
    at(JOKER_BL_TOOTH);
    s->money = 2;
    play_on(31u);
    CHECK_INT(s->money, -3);
}
static void flint(void) {
    at(JOKER_BL_FLINT);
    hold("9S 9D 5C 4C");
    play_on(3u); /* (10/2 + 18) * (2/2) */
    CHECK_NEAR(s->score, 23.0, 0.0);
    CHECK_INT(s->boss_acted, 1);
}
static void mark(void) {
    at(JOKER_BL_MARK);
    for (int i = 0; i < s->held; i++) {
        CHECK_INT(FLAG(i, DOWN), held(i)->rank >= JOKER_JACK && held(i)->rank <= JOKER_KING);
    }
}
static void acorn(void) {
    int moved = 0;
    for (uint64_t seed = 0; seed < 20; seed++) {
        begin_run(JOKER_B_RED, 0, seed);
        give(JOKER_J_JOKER);
        give(JOKER_J_BARON);
        give(JOKER_J_MIME);
        at_blind(JOKER_BL_FINAL_ACORN);
        moved += s->joker[0].id != JOKER_J_JOKER;
        for (int i = 0; i < 3; i++) {
            CHECK(s->joker[i].flags & JOKER_DOWN);
        }
        int sum = s->joker[0].id + s->joker[1].id + s->joker[2].id;
        CHECK_INT(sum, JOKER_J_JOKER + JOKER_J_BARON + JOKER_J_MIME);
        win();
        CHECK_INT(s->joker[0].flags, 0);
    }
    CHECK(moved > 5 && moved < 20);
}
static void leaf(void) {
    begin();
    give(JOKER_J_JOKER);
    give(JOKER_J_BARON);
    at_blind(JOKER_BL_FINAL_LEAF);
    CHECK_INT(count_flag(JOKER_CARD_DEBUFFED), 8);
    joker_gain_consumable(m, s, JOKER_C_FOOL);
    joker_sell_consumable(m, s, 0);
    CHECK_INT(count_flag(JOKER_CARD_DEBUFFED), 8);
    joker_sell_joker(m, s, 0);
    CHECK_INT(count_flag(JOKER_CARD_DEBUFFED), 0);
    CHECK_INT(s->disabled, 1);
}
static void vessel(void) {
    at(JOKER_BL_FINAL_VESSEL);
    CHECK_NEAR(s->target, 1800.0, 0.0);
    joker_disable_boss(m, s);
    CHECK_NEAR(s->target, 600.0, 0.0);
}
static void heart(void) {
    begin();
    give(JOKER_J_JUGGLER);
    give(JOKER_J_JUGGLER);
    give(JOKER_J_JUGGLER);
    at_blind(JOKER_BL_FINAL_HEART);
    for (int k = 0; k < 3; k++) {
        int debuffed = -1, count = 0, old = s->heart;
        for (int i = 0; i < 3; i++) {
            debuffed = joker_live(&s->joker[i]) ? debuffed : i;
            count += !joker_live(&s->joker[i]);
        }
        CHECK_INT(count, 1);
        CHECK_INT(s->heart, debuffed);
        CHECK_INT(s->hand_size, 10);
        joker_move_joker(m, s, s->heart, (s->heart + 1) % 3);
        CHECK_INT(joker_live(&s->joker[s->heart]), 0);
        joker_discard(m, s, 1u); /* not by a discard */
        CHECK_INT(s->heart, (old + 1) % 3);
        old = s->heart;
        play_on(1u);
        CHECK(s->heart != old); /* another one */
        CHECK_INT(s->boss_acted, 1);
    }
    win();
    CHECK_INT(s->hand_size, 11);
    begin();
    give(JOKER_J_JOKER);
    at_blind(JOKER_BL_FINAL_HEART);
    play_on(1u); /* the only one is drawn again */
    CHECK_INT(s->heart, 0);
    joker_disable_boss(m, s);
    CHECK(joker_live(&s->joker[0]));
    CHECK_INT(s->heart, JOKER_NONE);
}
static void bell(void) {
    at(JOKER_BL_FINAL_BELL);
    CHECK_INT(count_flag(JOKER_CARD_FORCED), 1);
    int place = 0;
    while (!FLAG(place, FORCED)) {
        place++;
    }
    uint16_t forced = (uint16_t)(1u << place), other = place ? 1u : 2u;
    CHECK(!joker_can_play(m, s, other) && !joker_can_discard(m, s, other));
    CHECK(joker_can_play(m, s, forced | other) && joker_can_discard(m, s, forced));
    uint8_t index = s->hand[place];
    joker_discard(m, s, forced);
    CHECK_INT(count_flag(JOKER_CARD_FORCED), 1); /* another one */
    CHECK_INT(s->card[index].flags, 0);
    joker_disable_boss(m, s);
    CHECK_INT(count_flag(JOKER_CARD_FORCED), 0);
}

static void (*const blinds[JOKER_BLINDS])(void) = {
    [JOKER_BL_SMALL] = small,       [JOKER_BL_BIG] = big,
    [JOKER_BL_HOOK] = hook,         [JOKER_BL_OX] = ox,
    [JOKER_BL_HOUSE] = house,       [JOKER_BL_WALL] = wall,
    [JOKER_BL_WHEEL] = wheel,       [JOKER_BL_ARM] = arm,
    [JOKER_BL_CLUB] = club,         [JOKER_BL_FISH] = fish,
    [JOKER_BL_PSYCHIC] = psychic,   [JOKER_BL_GOAD] = goad,
    [JOKER_BL_WATER] = water,       [JOKER_BL_WINDOW] = window,
    [JOKER_BL_MANACLE] = manacle,   [JOKER_BL_EYE] = eye,
    [JOKER_BL_MOUTH] = mouth,       [JOKER_BL_PLANT] = plant,
    [JOKER_BL_SERPENT] = serpent,   [JOKER_BL_PILLAR] = pillar,
    [JOKER_BL_NEEDLE] = needle,     [JOKER_BL_HEAD] = head,
    [JOKER_BL_TOOTH] = tooth,       [JOKER_BL_FLINT] = flint,
    [JOKER_BL_MARK] = mark,         [JOKER_BL_FINAL_ACORN] = acorn,
    [JOKER_BL_FINAL_LEAF] = leaf,   [JOKER_BL_FINAL_VESSEL] = vessel,
    [JOKER_BL_FINAL_HEART] = heart, [JOKER_BL_FINAL_BELL] = bell,
};

TEST(every_blind) {
    for (int id = 0; id < JOKER_BLINDS; id++) {
        if (!blinds[id]) {
            lu_test_fail(__FILE__, __LINE__, "%s has no case", joker_blind_words[id].key);
            continue;
        }
        blinds[id]();
        begin(); /* every blind can be begun, won and left */
        at_blind(id);
        int factor = (int)(2.0 * joker_blind_facts[id].factor);
        CHECK_NEAR(s->target, 150.0 * factor, 0.0);
        s->money = 0;
        s->target = 0.0;
        joker_play(m, s, 31u);
        CHECK_INT(s->phase, JOKER_CASH_OUT);
        CHECK_INT(s->ante, id < 2 ? 1 : 2);
        CHECK(broken_state() == NULL);
    }
}
