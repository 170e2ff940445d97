/* What jokers do outside scoring while they are owned, as a blind is set, with discards and with
 * cards that come and go: a case for every joker that has such a hook. joker_late_test.c has those
 * of the end of a round and of shops. */
#include "joker_test.h"

/* ---- passive: each also while debuffed and after selling ---- */

/* What a passive joker may change. */
typedef struct passive {
    int size, hands, discards, floor, rerolls;
} passive;

static passive measure(void) {
    passive now = {s->hand_size, s->round_hands, s->round_discards, s->spending_floor,
                   s->free_rerolls};
    return now;
}

static void check_passive(int id, passive want) {
    begin();
    passive before = measure();
    joker_joker *joker = give(id);
    for (int k = 0; k < 3; k++) {
        int on = k != 1;
        CHECK_INT(s->hand_size - before.size, on * want.size);
        CHECK_INT(s->round_hands - before.hands, on * want.hands);
        CHECK_INT(s->round_discards - before.discards, on * want.discards);
        CHECK_INT(s->spending_floor - before.floor, on * want.floor);
        CHECK_INT(s->free_rerolls - before.rerolls, on * want.rerolls);
        joker_on_debuffed(s, joker, k == 0);
    }
    joker_sell_joker(m, s, 0);
    passive after = measure();
    CHECK(memcmp(&before, &after, sizeof after) == 0);
}

static void credit_card(void) {
    check_passive(JOKER_J_CREDIT_CARD, (passive){.floor = 20});
    begin();
    s->money = 3;
    CHECK(!joker_can_pay(s, 4));
    give(JOKER_J_CREDIT_CARD);
    CHECK(joker_can_pay(s, 23) && !joker_can_pay(s, 24));
    s->money = -25;
    CHECK(joker_can_pay(s, 0) && !joker_can_pay(s, 1));
}
static void chaos(void) {
    check_passive(JOKER_J_CHAOS, (passive){.rerolls = 1});
    begin();
    give(JOKER_J_CHAOS);
    to_shop(JOKER_BL_SMALL);
    s->money = 20;
    CHECK_INT(joker_reroll_price(m, s), 0);
    joker_reroll(m, s);
    CHECK_INT(s->money, 20);
    CHECK_INT(joker_reroll_price(m, s), 5); /* a free reroll does not raise the price */
    joker_reroll(m, s);
    CHECK_INT(joker_reroll_price(m, s), 6);
}
static void to_the_moon(void) {
    begin();
    s->money = 27;
    s->deck = JOKER_B_RED;
    at_blind(JOKER_BL_SMALL);
    give(JOKER_J_TO_THE_MOON);
    give(JOKER_J_TO_THE_MOON);
    s->money = 27;
    win();
    CHECK_INT(s->owed, 3 + s->hands + 3 * 5);
}
static void juggler(void) {
    check_passive(JOKER_J_JUGGLER, (passive){.size = 1});
}
static void drunkard(void) {
    check_passive(JOKER_J_DRUNKARD, (passive){.discards = 1});
    begin();
    at_blind(JOKER_BL_SMALL);
    int before = s->discards;
    give(JOKER_J_DRUNKARD);
    CHECK_INT(s->discards, before + 1); /* at once */
    s->discards = 0;
    joker_sell_joker(m, s, 0);
    CHECK_INT(s->discards, 0);
}
static void troubadour(void) {
    check_passive(JOKER_J_TROUBADOUR, (passive){.size = 2, .hands = -1});
}
static void merry_andy(void) {
    check_passive(JOKER_J_MERRY_ANDY, (passive){.size = -1, .discards = 3});
}
static void stuntman(void) {
    check_passive(JOKER_J_STUNTMAN, (passive){.size = -2});
}
static void oops(void) {
    begin();
    CHECK_INT(joker_odds_numerator(s), 1);
    give(JOKER_J_OOPS);
    give(JOKER_J_OOPS);
    CHECK_INT(joker_odds_numerator(s), 4);
    joker_on_debuffed(s, &s->joker[0], true);
    CHECK_INT(joker_odds_numerator(s), 2);
}
static void astronomer(void) {
    begin();
    to_shop(JOKER_BL_SMALL);
    s->pack[0].id = JOKER_P_CELESTIAL_NORMAL_1;
    s->pack[1].id = JOKER_P_ARCANA_NORMAL_1;
    joker_make_this_consumable(s, JOKER_C_PLUTO, &s->shop[0]);
    joker_make_this_consumable(s, JOKER_C_FOOL, &s->shop[1]);
    joker_joker *joker = give(JOKER_J_ASTRONOMER);
    CHECK_INT(s->pack[0].price, 0);
    CHECK_INT(s->pack[1].price, 4);
    CHECK_INT(s->shop[0].price, 0);
    CHECK_INT(s->shop[1].price, 3);
    joker_on_debuffed(s, joker, true);
    CHECK_INT(s->pack[0].price, 4);
    CHECK_INT(s->shop[0].price, 3);
}
static void turtle_bean(void) {
    check_passive(JOKER_J_TURTLE_BEAN, (passive){.size = 5});
    begin();
    give(JOKER_J_TURTLE_BEAN);
    for (int left = 4; left >= 0; left--) {
        at_blind(JOKER_BL_SMALL);
        win();
        CHECK_INT(s->hand_size, 8 + left);
        CHECK_INT(s->jokers, left > 0);
    }
}

/* ---- blind_set ---- */

static void ceremonial(void) {
    begin();
    give(JOKER_J_CEREMONIAL);
    give(JOKER_J_BARON)->bonus = 3;
    give(JOKER_J_JOKER)->flags = JOKER_ETERNAL;
    at_blind(JOKER_BL_SMALL);
    CHECK_INT(s->jokers, 2);
    CHECK_INT(s->joker[0].a, 2 * (4 + 3));
    at_blind(JOKER_BL_BIG); /* the neighbour is eternal now */
    CHECK_INT(s->jokers, 2);
    CHECK_INT(s->joker[0].a, 14);
}
static void marble(void) {
    begin();
    give(JOKER_J_BLUEPRINT);
    give(JOKER_J_MARBLE);
    give(JOKER_J_HOLOGRAM);
    at_blind(JOKER_BL_SMALL);
    CHECK_INT(s->owned, 54); /* two, one by the copy */
    int stones = 0;
    for (int i = 0; i < JOKER_DECK_MAX; i++) {
        stones += s->card[i].enhancement == JOKER_STONE;
    }
    CHECK_INT(stones, 2);
    CHECK_NEAR(s->joker[2].x, 1.5, 0.0);
    CHECK(broken_zones() == NULL);
}
static void burglar(void) {
    begin();
    give(JOKER_J_BURGLAR);
    at_blind(JOKER_BL_SMALL);
    CHECK_INT(s->hands, 7);
    CHECK_INT(s->discards, 0);
}
static void madness(void) {
    begin();
    give(JOKER_J_MADNESS);
    give(JOKER_J_BARON);
    give(JOKER_J_JOKER)->flags = JOKER_ETERNAL;
    at_blind(JOKER_BL_PSYCHIC); /* not at a boss */
    CHECK_INT(s->jokers, 3);
    CHECK_NEAR(s->joker[0].x, 1.0, 0.0);
    at_blind(JOKER_BL_SMALL);
    CHECK_INT(s->jokers, 2);
    CHECK_INT(s->joker[1].id, JOKER_J_JOKER);
    CHECK_NEAR(s->joker[0].x, 1.5, 0.0);
    at_blind(JOKER_BL_BIG); /* grows with nothing left to destroy */
    CHECK_INT(s->jokers, 2);
    CHECK_NEAR(s->joker[0].x, 2.0, 0.0);
}
static void riff_raff(void) {
    begin();
    give(JOKER_J_RIFF_RAFF);
    at_blind(JOKER_BL_SMALL);
    CHECK_INT(s->jokers, 3);
    CHECK_INT(joker_joker_facts[s->joker[1].id].rarity, JOKER_COMMON);
    CHECK_INT(joker_joker_facts[s->joker[2].id].rarity, JOKER_COMMON);
    s->joker_slots = 4;
    at_blind(JOKER_BL_BIG); /* as many as fit */
    CHECK_INT(s->jokers, 4);
}
static void cartomancer(void) {
    begin();
    give(JOKER_J_CARTOMANCER);
    give(JOKER_J_BRAINSTORM);
    at_blind(JOKER_BL_SMALL);
    CHECK_INT(s->bag, 2);
    CHECK_INT(joker_consumable_facts[s->consumable[0].id].set, JOKER_TAROT);
    uint64_t rng = s->rng;
    joker_on_blind_set(m, s); /* no slot, no draw */
    CHECK_HEX(s->rng, rng);
    CHECK_INT(s->bag, 2);
}
static void chicot(void) {
    begin();
    give(JOKER_J_CHICOT);
    at_blind(JOKER_BL_FINAL_LEAF);
    CHECK_INT(s->disabled, 1);
    CHECK_INT(held(0)->flags, 0);
    begin();
    give(JOKER_J_BLUEPRINT); /* not copied */
    joker_on_debuffed(s, give(JOKER_J_CHICOT), true);
    at_blind(JOKER_BL_PSYCHIC);
    CHECK_INT(s->disabled, 0);
}
static void certificate(void) {
    begin();
    give(JOKER_J_CERTIFICATE);
    at_blind(JOKER_BL_SMALL);
    CHECK_INT(s->held, 9);
    CHECK_INT(s->owned, 53);
    int seals = 0;
    for (int i = 0; i < s->held; i++) {
        seals += held(i)->seal != JOKER_NO_SEAL;
    }
    CHECK_INT(seals, 1);
    joker_discard(m, s, 3u);
    CHECK_INT(s->owned, 53); /* at the first draw alone */
}

/* ---- discards ---- */

static void burnt(void) {
    begin();
    give(JOKER_J_BURNT);
    at_blind(JOKER_BL_SMALL);
    hold("9S 9D 5C 4C");
    joker_discard(m, s, 3u);
    CHECK_INT(s->level[JOKER_PAIR], 2);
    hold("9S 9D 5C 4C");
    joker_discard(m, s, 3u);
    CHECK_INT(s->level[JOKER_PAIR], 2); /* the first discard of a round */
}
static void faceless(void) {
    begin();
    give(JOKER_J_FACELESS);
    give(JOKER_J_BRAINSTORM);
    at_blind(JOKER_BL_SMALL);
    int money = s->money;
    hold("KS QD 5C 4C JD");
    joker_discard(m, s, 7u);
    CHECK_INT(s->money, money);
    hold("KS QD 5C 4C JD");
    joker_discard(m, s, 31u);
    CHECK_INT(s->money, money + 10); /* twice with the copy */
}
static void green_joker(void) {
    begin();
    give(JOKER_J_GREEN_JOKER)->a = 1;
    at_blind(JOKER_BL_SMALL);
    joker_discard(m, s, 7u);
    CHECK_INT(s->joker[0].a, 0);
    joker_discard(m, s, 7u);
    CHECK_INT(s->joker[0].a, 0);
}
static void mail(void) {
    begin();
    give(JOKER_J_MAIL);
    at_blind(JOKER_BL_GOAD);
    s->mail_rank = 9;
    int money = s->money;
    hold("9S 9D 9H 4C 9D:o");
    joker_discard(m, s, 31u); /* the Spade is debuffed, the Stone card has no rank */
    CHECK_INT(s->money, money + 10);
}
static void trading(void) {
    begin();
    give(JOKER_J_TRADING);
    give(JOKER_J_CAINO);
    at_blind(JOKER_BL_SMALL);
    int money = s->money;
    hold("KS QD 5C");
    joker_discard(m, s, 1u);
    CHECK_INT(s->owned, 51);
    CHECK_INT(s->money, money + 3);
    CHECK_NEAR(s->joker[1].x, 2.0, 0.0);
    joker_discard(m, s, 1u);
    CHECK_INT(s->owned, 51);
    CHECK(broken_zones() == NULL);
}
static void ramen(void) {
    begin();
    give(JOKER_J_RAMEN);
    at_blind(JOKER_BL_GOAD);
    hold("KS QD 5C 2H 3H");
    joker_discard(m, s, 7u); /* debuffed cards count too */
    CHECK_NEAR(s->joker[0].x, 1.97, 1e-12);
    s->joker[0].x = 1.015;
    joker_discard(m, s, 7u);
    CHECK_INT(s->jokers, 0);
}
static void castle(void) {
    begin();
    give(JOKER_J_CASTLE);
    at_blind(JOKER_BL_SMALL);
    s->castle_suit = JOKER_HEARTS;
    hold("KH QH 5C 2D 3H:o 4C:w");
    joker_discard(m, s, 31u);
    CHECK_INT(s->joker[0].a, 6);
    hold("4C:w");
    joker_discard(m, s, 1u);
    CHECK_INT(s->joker[0].a, 9);
}
static void hit_the_road(void) {
    begin();
    give(JOKER_J_HIT_THE_ROAD);
    at_blind(JOKER_BL_SMALL);
    hold("JS JD 5C");
    joker_discard(m, s, 7u);
    CHECK_NEAR(s->joker[0].x, 2.0, 0.0);
    win();
    CHECK_NEAR(s->joker[0].x, 1.0, 0.0);
}
static void yorick(void) {
    begin();
    give(JOKER_J_YORICK);
    at_blind(JOKER_BL_SMALL);
    for (int cards = 0; cards < 22; cards++) {
        s->discards = 5;
        joker_discard(m, s, 1u);
    }
    CHECK_NEAR(s->joker[0].x, 1.0, 0.0);
    CHECK_INT(s->joker[0].b, 1);
    joker_discard(m, s, 3u);
    CHECK_NEAR(s->joker[0].x, 2.0, 0.0);
    CHECK_INT(s->joker[0].b, 22);
}

/* ---- cards come and go, Planets ---- */

static void glass(void) {
    begin();
    give(JOKER_J_GLASS);
    at_blind(JOKER_BL_SMALL);
    hold("KS:g QD 5C:g");
    CHECK(use(JOKER_C_HANGED_MAN, 3u));
    CHECK_NEAR(s->joker[0].x, 1.75, 0.0);
}
static void caino(void) {
    begin();
    give(JOKER_J_CAINO);
    at_blind(JOKER_BL_GOAD);
    hold("KS QD JC");
    CHECK(use(JOKER_C_HANGED_MAN, 3u)); /* the debuffed King is no face card */
    CHECK_NEAR(s->joker[0].x, 2.0, 0.0);
}
static void hologram(void) {
    begin();
    give(JOKER_J_HOLOGRAM);
    at_blind(JOKER_BL_SMALL);
    CHECK(use(JOKER_C_CRYPTID, 1u));
    CHECK_NEAR(s->joker[0].x, 1.5, 0.0);
}
static void constellation(void) {
    begin();
    give(JOKER_J_CONSTELLATION);
    CHECK(use(JOKER_C_PLUTO, 0));
    CHECK_NEAR(s->joker[0].x, 1.1, 1e-15);
    CHECK(use(JOKER_C_BLACK_HOLE, 0));
    CHECK_NEAR(s->joker[0].x, 1.1, 1e-15);
}

/* ---- the table of cases ---- */

static void (*const cases[JOKER_JOKERS])(void) = {
    [JOKER_J_CREDIT_CARD] = credit_card,
    [JOKER_J_CHAOS] = chaos,
    [JOKER_J_TO_THE_MOON] = to_the_moon,
    [JOKER_J_JUGGLER] = juggler,
    [JOKER_J_DRUNKARD] = drunkard,
    [JOKER_J_TROUBADOUR] = troubadour,
    [JOKER_J_MERRY_ANDY] = merry_andy,
    [JOKER_J_STUNTMAN] = stuntman,
    [JOKER_J_OOPS] = oops,
    [JOKER_J_ASTRONOMER] = astronomer,
    [JOKER_J_TURTLE_BEAN] = turtle_bean,
    [JOKER_J_CEREMONIAL] = ceremonial,
    [JOKER_J_MARBLE] = marble,
    [JOKER_J_BURGLAR] = burglar,
    [JOKER_J_MADNESS] = madness,
    [JOKER_J_RIFF_RAFF] = riff_raff,
    [JOKER_J_CARTOMANCER] = cartomancer,
    [JOKER_J_CHICOT] = chicot,
    [JOKER_J_CERTIFICATE] = certificate,
    [JOKER_J_BURNT] = burnt,
    [JOKER_J_FACELESS] = faceless,
    [JOKER_J_GREEN_JOKER] = green_joker,
    [JOKER_J_MAIL] = mail,
    [JOKER_J_TRADING] = trading,
    [JOKER_J_RAMEN] = ramen,
    [JOKER_J_CASTLE] = castle,
    [JOKER_J_HIT_THE_ROAD] = hit_the_road,
    [JOKER_J_YORICK] = yorick,
    [JOKER_J_GLASS] = glass,
    [JOKER_J_CAINO] = caino,
    [JOKER_J_HOLOGRAM] = hologram,
    [JOKER_J_CONSTELLATION] = constellation,
};

TEST(every_joker_with_a_hook_before_the_end_of_a_round) {
    for (int id = 0; id < JOKER_JOKERS; id++) {
        uint32_t hooks = joker_joker_facts[id].hooks;
        check_case(id, (hooks & EARLY) != 0, cases[id]);
    }
}
