/* The course of a run: a case for every deck and stake, then drawing, round end, cash-out, shop,
 * packs, selling, moving, winning and losing. */
#include "joker_test.h"

/* Plays cards without winning. */
static void play_on(uint16_t chosen) {
    s->target = 1e30;
    joker_play(m, s, chosen);
}

/* ---- decks and stakes ---- */

typedef struct deck_case {
    int money, hands, discards, size, jokers, bag, cards, vouchers, held, shop;
} deck_case;

static const deck_case decks[JOKER_DECKS] = {
    [JOKER_B_RED] = {4, 4, 4, 8, 5, 2, 52, 0, 0, 2},
    [JOKER_B_BLUE] = {4, 5, 3, 8, 5, 2, 52, 0, 0, 2},
    [JOKER_B_YELLOW] = {14, 4, 3, 8, 5, 2, 52, 0, 0, 2},
    [JOKER_B_GREEN] = {4, 4, 3, 8, 5, 2, 52, 0, 0, 2},
    [JOKER_B_BLACK] = {4, 3, 3, 8, 6, 2, 52, 0, 0, 2},
    [JOKER_B_MAGIC] = {4, 4, 3, 8, 5, 3, 52, 1, 2, 2},
    [JOKER_B_NEBULA] = {4, 4, 3, 8, 5, 1, 52, 1, 0, 2},
    [JOKER_B_GHOST] = {4, 4, 3, 8, 5, 2, 52, 0, 1, 2},
    [JOKER_B_ABANDONED] = {4, 4, 3, 8, 5, 2, 40, 0, 0, 2},
    [JOKER_B_CHECKERED] = {4, 4, 3, 8, 5, 2, 52, 0, 0, 2},
    [JOKER_B_ZODIAC] = {4, 4, 3, 8, 5, 2, 52, 3, 0, 3},
    [JOKER_B_PAINTED] = {4, 4, 3, 10, 4, 2, 52, 0, 0, 2},
    [JOKER_B_ANAGLYPH] = {4, 4, 3, 8, 5, 2, 52, 0, 0, 2},
    [JOKER_B_PLASMA] = {4, 4, 3, 8, 5, 2, 52, 0, 0, 2},
    [JOKER_B_ERRATIC] = {4, 4, 3, 8, 5, 2, 52, 0, 0, 2},
};

TEST(every_deck) {
    for (int id = 0; id < JOKER_DECKS; id++) {
        const deck_case *want = &decks[id];
        begin_run(id, 0, 3);
        CHECK_INT(s->money, want->money);
        CHECK_INT(s->round_hands, want->hands);
        CHECK_INT(s->round_discards, want->discards);
        CHECK_INT(s->hand_size, want->size);
        CHECK_INT(s->joker_slots, want->jokers);
        CHECK_INT(s->bag_slots, want->bag);
        CHECK_INT(s->owned, want->cards);
        CHECK_INT(lu_bits_set(s->vouchers), want->vouchers);
        CHECK_INT(s->bag, want->held);
        CHECK_INT(s->shop_slots, want->shop);
        CHECK(broken_state() == NULL);
        at_blind(JOKER_BL_WALL);
        CHECK_NEAR(s->target, id == JOKER_B_PLASMA ? 2400.0 : 1200.0, 0.0);
        s->money = 23;
        win();
        int hands = s->hands, discards = s->discards;
        CHECK_INT(s->owed, 5 + (id == JOKER_B_GREEN ? 2 * hands + discards : hands + 4));
        CHECK_INT(s->tags, id == JOKER_B_ANAGLYPH); /* a Double Tag after a boss */
        CHECK(s->tags == 0 || s->tag[0].id == JOKER_TAG_DOUBLE);
    }
}

TEST(every_stake) {
    static const double target[JOKER_STAKES] = {20000, 20000, 36000, 36000,
                                                36000, 60000, 60000, 60000};
    uint32_t stickers[JOKER_STAKES] = {0};
    for (int stake = 0; stake < JOKER_STAKES; stake++) {
        begin_run(JOKER_B_BLUE, stake, 3);
        CHECK_INT(s->round_discards, stake >= 4 ? 2 : 3);
        CHECK_NEAR(joker_target(m, s, 6, JOKER_BL_SMALL), target[stake], 0.0);
        at_blind(JOKER_BL_SMALL);
        s->money = 0;
        win();
        CHECK_INT(s->owed, (stake >= 1 ? 0 : 3) + s->hands);
        joker_cash_out(m, s);
        for (int k = 0; k < 200; k++) {
            joker_reroll_shop(m, s);
            for (int i = 0; i < 2; i++) {
                stickers[stake] |= s->shop[i].joker.flags;
            }
        }
        uint32_t want = (stake >= 3 ? JOKER_ETERNAL : 0u) | (stake >= 6 ? JOKER_PERISHABLE : 0u) |
                        (stake >= 7 ? JOKER_RENTAL : 0u);
        CHECK_HEX(stickers[stake], want);
    }
}

/* ---- drawing, discarding, the end of a round ---- */

TEST(the_hand_is_sorted_and_comes_from_the_end_of_the_pile) {
    begin();
    at_blind(JOKER_BL_SMALL);
    for (int i = 1; i < s->held; i++) {
        CHECK(joker_card_before(held(i - 1), held(i)));
    }
    uint8_t next = s->draw[s->draws - 1];
    joker_discard(m, s, 1u);
    int found = 0;
    for (int i = 0; i < s->held; i++) {
        found += s->hand[i] == next;
    }
    CHECK_INT(found, 1);
    hold("9S 9D KC:o 4C 2H");
    joker_sort_hand(s);
    CHECK_INT(held(4)->enhancement, JOKER_STONE);
}

TEST(a_discard_fires_purple_seals_and_counts) {
    begin();
    at_blind(JOKER_BL_GOAD);
    hold("9S:P 8D:P 7D:P 6D:P 5D");
    joker_discard(m, s, 15u); /* the Spade is debuffed, two slots */
    CHECK_INT(s->bag, 2);
    CHECK_INT(s->discards, 3);
    CHECK_INT(s->discarded_round, 1);
    CHECK_INT(s->last_cards, 4);
    CHECK_INT(s->last_type, 0);
    CHECK(!joker_can_discard(m, s, 0));
    CHECK(!joker_can_discard(m, s, 63u));
    s->discards = 0;
    CHECK(!joker_can_discard(m, s, 1u));
}

TEST(played_cards_that_break_leave_the_deck) {
    begin();
    give(JOKER_J_OOPS);
    give(JOKER_J_OOPS); /* 4 in 4 */
    at_blind(JOKER_BL_SMALL);
    hold("9S:g 9D:g 4C 2H");
    play_on(3u);
    CHECK_INT(s->owned, 50);
    CHECK_INT(s->gones, 0);
    CHECK_INT(s->played_round, 1);
    CHECK_INT(s->run_hands, 1);
    CHECK_INT(s->last_cards, 2);
    CHECK_INT(s->last_type, 1);
    CHECK(s->last_gain > 0.0 && s->best >= s->last_gain);
    CHECK(broken_zones() == NULL);
}

TEST(a_grown_deck_takes_nothing_from_erosion) {
    begin();
    give(JOKER_J_EROSION);
    at_blind(JOKER_BL_SMALL);
    hold("9S 4C 2H");
    CHECK(use(JOKER_C_CRYPTID, 1u));
    play_on(1u);
    CHECK_NEAR(s->last_mult, 1.0, 0.0);
    s->start_deck = 60;
    play_on(1u);
    CHECK_NEAR(s->last_mult, 1.0 + 4.0 * 6.0, 0.0);
}

TEST(dna_copies_the_card_of_a_single_first_hand) {
    begin();
    give(JOKER_J_DNA);
    give(JOKER_J_HOLOGRAM);
    at_blind(JOKER_BL_SMALL);
    hold("9S:g 4C 2H");
    play_on(2u);
    CHECK_INT(s->owned, 53);
    CHECK_NEAR(s->joker[1].x, 1.25, 0.0);
    CHECK(broken_zones() == NULL && broken_orders() == NULL);
    play_on(1u);
    CHECK_INT(s->owned, 53);
}

TEST(ice_cream_and_seltzer_are_used_up) {
    begin();
    give(JOKER_J_SELZER)->a = 1;
    give(JOKER_J_ICE_CREAM)->a = 5;
    at_blind(JOKER_BL_SMALL);
    play_on(1u);
    CHECK_INT(s->jokers, 0);
}

TEST(held_cards_pay_at_the_end_of_a_round) {
    begin();
    give(JOKER_J_MIME);
    at_blind(JOKER_BL_GOAD);
    s->bag_slots = 6;
    hold("2C 9D:d 8D:dR 7S:d 6D:B");
    s->money = 0;
    s->target = 1.0;
    joker_play(m, s, 1u);
    CHECK_INT(s->money, 3 * 2 + 3 * 3); /* Mime, and a Red seal; the Spade is debuffed */
    CHECK_INT(s->bag, 2);
    CHECK_INT(s->consumable[0].id, JOKER_C_PLUTO); /* of the hand played last */
    CHECK_INT(s->owned, 52);
}

TEST(unused_discards_and_rounds_are_counted) {
    begin();
    at_blind(JOKER_BL_SMALL);
    joker_discard(m, s, 1u);
    win();
    CHECK_INT(s->unused_discards, 3);
    CHECK_INT(s->round, 1);
    CHECK_INT(s->last_cleared, 1);
}

/* ---- cash-out and shop ---- */

TEST(interest_has_a_cap_and_needs_five_dollars) {
    static const int cases[6][3] = {{4, 5, 0},  {5, 5, 1},    {24, 5, 4},
                                    {80, 5, 5}, {80, 10, 10}, {-8, 5, 0}};
    for (int i = 0; i < 6; i++) {
        begin();
        s->interest_cap = (uint8_t)cases[i][1];
        at_blind(JOKER_BL_SMALL);
        s->money = cases[i][0];
        win();
        CHECK_INT(s->owed, 3 + 3 + cases[i][2]);
        int owed = s->owed;
        CHECK(joker_can_cash_out(m, s));
        joker_cash_out(m, s);
        CHECK_INT(s->money, cases[i][0] + owed);
        CHECK_INT(s->owed, 0);
        CHECK_INT(s->phase, JOKER_SHOP);
        CHECK_INT(s->blind, 1);
    }
}

TEST(buying_needs_money_and_a_slot) {
    begin();
    to_shop(JOKER_BL_SMALL);
    joker_make_this_joker(m, s, JOKER_J_BARON, JOKER_SUFFIX_SHO, JOKER_PLACE_NONE, &s->shop[0]);
    s->shop[0].joker.edition = JOKER_BASE;
    joker_price_item(s, &s->shop[0]);
    joker_make_this_consumable(s, JOKER_C_HERMIT, &s->shop[1]);
    s->money = 7;
    CHECK(!joker_can_buy(m, s, 0));
    CHECK(joker_can_buy(m, s, 1));
    s->money = 10;
    s->joker_slots = 0;
    CHECK(!joker_can_buy(m, s, 0));
    s->shop[0].joker.edition = JOKER_NEGATIVE; /* always fits */
    CHECK(joker_can_buy(m, s, 0));
    joker_buy_card(m, s, 0);
    CHECK_INT(s->money, 2);
    CHECK_INT(s->last_cost, 8);
    CHECK_INT(s->jokers, 1);
    CHECK(!joker_can_buy(m, s, 0));
    s->money = 5;
    CHECK(joker_can_buy_and_use(m, s, 1, 0));
    joker_buy_and_use(m, s, 1, 0);
    CHECK_INT(s->money, 4); /* 5 - 3, doubled */
    CHECK_INT(s->bag, 0);
    joker_make_playing_card(m, s, JOKER_SUFFIX_SHO, false, &s->shop[1]);
    CHECK(joker_can_buy(m, s, 1));
    joker_buy_card(m, s, 1);
    CHECK_INT(s->owned, 53);
    CHECK_INT(s->draws, 53);
    CHECK(broken_state() == NULL || s->joker_slots == 0);
}

TEST(packs_are_paid_opened_and_closed) {
    begin();
    to_shop(JOKER_BL_SMALL);
    s->pack[0].id = JOKER_P_ARCANA_MEGA_1;
    s->pack[0].price = 8;
    s->money = 7;
    CHECK(!joker_can_buy_pack(m, s, 0));
    s->money = 9;
    joker_buy_pack(m, s, 0);
    CHECK_INT(s->money, 1);
    CHECK_INT(s->held, 8);
    CHECK(!joker_can_leave_shop(m, s) && !joker_can_reroll(m, s) && !joker_can_buy_pack(m, s, 1));
    joker_make_this_consumable(s, JOKER_C_HANGED_MAN, &s->shown[0]);
    CHECK(!joker_can_pick(m, s, 0)); /* consumables are asked for by joker_can_use */
    joker_pick_pack(m, s, 0, 3u);
    CHECK_INT(s->owned, 50);
    CHECK_INT(s->pack_picks, 1);
    CHECK(!joker_can_pick(m, s, 0));
    joker_make_this_consumable(s, JOKER_C_PLUTO, &s->shown[1]);
    joker_pick_pack(m, s, 1, 0);
    CHECK_INT(s->pack_open, 0);
    CHECK_INT(s->phase, JOKER_SHOP);
    CHECK_INT(s->draws, 50);
    CHECK(!joker_can_buy_pack(m, s, 0)); /* it is gone */
    joker_start_pack(m, s, JOKER_P_BUFFOON_NORMAL_1);
    s->joker_slots = 0;
    s->shown[0].joker.edition = JOKER_BASE;
    CHECK(!joker_can_pick(m, s, 0));
    s->joker_slots = 5;
    CHECK(joker_can_pick(m, s, 0));
    joker_pick_pack(m, s, 0, 0);
    CHECK_INT(s->jokers, 1);
    joker_start_pack(m, s, JOKER_P_STANDARD_NORMAL_1);
    CHECK(joker_can_pick(m, s, 2));
    joker_pick_pack(m, s, 2, 0);
    CHECK_INT(s->owned, 51);
}

TEST(the_boss_can_be_rerolled_with_a_voucher) {
    begin();
    s->money = 30;
    CHECK(!joker_can_reroll_boss(m, s));
    joker_apply_voucher(m, s, JOKER_V_DIRECTORS_CUT);
    int boss = s->boss;
    joker_reroll_boss(m, s);
    CHECK(s->boss != boss);
    CHECK_INT(s->money, 20);
    CHECK(!joker_can_reroll_boss(m, s)); /* once per ante */
    joker_apply_voucher(m, s, JOKER_V_RETCON);
    CHECK(joker_can_reroll_boss(m, s));
    s->money = 9;
    CHECK(!joker_can_reroll_boss(m, s));
}

TEST(an_ante_brings_a_voucher_a_boss_and_tags) {
    begin();
    to_shop(JOKER_BL_WALL);
    CHECK_INT(s->ante, 2);
    CHECK_INT(s->blind, 0);
    CHECK(s->ante_voucher != JOKER_NONE && s->voucher[0].id == s->ante_voucher);
    CHECK(s->boss != JOKER_BL_WALL);
    CHECK_INT(s->orbital[0], JOKER_NONE); /* drawn when the ante is first seen */
    joker_leave_shop(m, s);
    CHECK(s->orbital[0] < JOKER_HANDS);
    CHECK_INT(s->shop[0].kind, JOKER_KIND_NONE);
}

/* ---- selling, moving, the end ---- */

TEST(moving_shifts_those_between) {
    begin();
    for (int i = 0; i < 4; i++) {
        give(JOKER_J_JOKER + i);
    }
    joker_move_joker(m, s, 0, 2);
    static const int row[4] = {1, 2, 0, 3};
    for (int i = 0; i < 4; i++) {
        CHECK_INT(s->joker[i].id, row[i]);
    }
    joker_move_joker(m, s, 3, 0);
    CHECK_INT(s->joker[0].id, 3);
    CHECK_INT(s->joker[1].id, 1);
    at_blind(JOKER_BL_SMALL);
    uint8_t first = s->hand[0], second = s->hand[1];
    joker_move_card(m, s, 0, 5);
    CHECK_INT(s->hand[5], first);
    CHECK_INT(s->hand[0], second);
}

TEST(selling_pays_half_the_price) {
    begin();
    s->money = 0;
    give(JOKER_J_BARON)->bonus = 2;
    joker_gain_consumable(m, s, JOKER_C_FOOL);
    joker_sell_joker(m, s, 0);
    CHECK_INT(s->money, 6);
    CHECK_INT(s->last_sold, JOKER_J_BARON);
    joker_sell_consumable(m, s, 0);
    CHECK_INT(s->money, 7);
    CHECK_INT(s->jokers + s->bag, 0);
}

TEST(a_round_is_lost_without_hands_or_cards) {
    begin();
    at_blind(JOKER_BL_SMALL);
    for (int hand = 3; hand >= 0; hand--) {
        play_on(1u);
        CHECK_INT(s->phase, hand ? JOKER_PLAY : JOKER_END);
    }
    CHECK_INT(s->lost, 1);
    begin();
    at_blind(JOKER_BL_SMALL);
    hold("9S 8S");
    for (int i = 0; i < s->draws; i++) {
        joker_put_gone(s, s->draw[i]);
    }
    s->draws = 0;
    joker_discard(m, s, 3u);
    CHECK_INT(s->lost, 1);
    begin();
    s->hand_size = 0;
    at_blind(JOKER_BL_SMALL);
    CHECK_INT(s->lost, 1);
    CHECK(!joker_can_sell_joker(m, s, 0) && !joker_can_play(m, s, 1u));
}

TEST(a_hand_emptied_by_a_consumable_is_filled_again) {
    begin();
    at_blind(JOKER_BL_SMALL);
    hold("9S 8S");
    joker_gain_consumable(m, s, JOKER_C_HANGED_MAN);
    joker_use_consumable(m, s, 0, 3u);
    CHECK_INT(s->held, 8);
    CHECK_INT(s->phase, JOKER_PLAY);
}

TEST(the_boss_of_the_last_ante_wins_and_endless_goes_on) {
    for (int endless = 0; endless <= 1; endless++) {
        begin();
        m->endless = endless;
        s->ante = 8;
        at_blind(JOKER_BL_BIG);
        win();
        CHECK_INT(s->won, 0);
        at_blind(JOKER_BL_FINAL_VESSEL);
        win();
        CHECK_INT(s->won, 1);
        CHECK_INT(s->ante, 9);
        CHECK_INT(s->phase, endless ? JOKER_CASH_OUT : JOKER_END);
        if (endless) {
            joker_cash_out(m, s);
            joker_leave_shop(m, s);
            at_blind(JOKER_BL_SMALL);
            CHECK_NEAR(s->target, 110000.0, 0.0);
            s->hands = 1;
            play_on(1u);
            CHECK_INT(s->lost, 1);
        }
    }
}

/* Sort numbers end at 65535: they are closed up before, and nothing changes its order. */
TEST(sort_numbers_are_closed_up) {
    begin();
    give(JOKER_J_JOKER);
    joker_gain_consumable(m, s, JOKER_C_FOOL);
    s->next_order = 61000;
    give(JOKER_J_BARON);
    to_shop(JOKER_BL_SMALL);
    uint16_t before[52];
    for (int i = 0; i < 52; i++) {
        before[i] = s->card[i].order;
    }
    joker_leave_shop(m, s);
    CHECK_INT(s->next_order, 52 + 2 + 1 + 1);
    CHECK_INT(s->joker[1].order, 55);
    CHECK(broken_state() == NULL && broken_orders() == NULL);
    for (int i = 1; i < 52; i++) {
        CHECK_INT(s->card[i].order > s->card[i - 1].order, before[i] > before[i - 1]);
    }
}
