/* What jokers do outside scoring from the end of a round to the next blind, and as copies: a case
 * for every joker that has such a hook and none of joker_event_test.c; then stickers. */
#include "joker_test.h"

/* ---- the round ends ---- */

/* Rounds until the joker given is gone, at most `most`. */
static int rounds_of(int id, int most) {
    begin();
    give(id);
    for (int rounds = 1; rounds <= most; rounds++) {
        at_blind(JOKER_BL_SMALL);
        win();
        if (s->jokers == 0) {
            return rounds;
        }
    }
    return most + 1;
}
static void gros_michel(void) {
    int rounds = rounds_of(JOKER_J_GROS_MICHEL, 100);
    CHECK(rounds <= 100);
    CHECK_INT(s->gros_michel_gone, 1);
    begin();
    give(JOKER_J_GROS_MICHEL);
    give(JOKER_J_OOPS);
    give(JOKER_J_OOPS);
    give(JOKER_J_OOPS); /* 8 in 6 */
    at_blind(JOKER_BL_SMALL);
    win();
    CHECK_INT(s->jokers, 3);
}
static void cavendish(void) {
    CHECK(rounds_of(JOKER_J_CAVENDISH, 20) > 20);
    CHECK(rounds_of(JOKER_J_CAVENDISH, 20000) <= 20000);
    CHECK_INT(s->gros_michel_gone, 0);
}
static void egg(void) {
    begin();
    give(JOKER_J_EGG);
    at_blind(JOKER_BL_SMALL);
    win();
    CHECK_INT(joker_sell_value(&s->joker[0]), 2 + 3);
}
static void todo_list(void) {
    begin();
    give(JOKER_J_TODO_LIST)->a = JOKER_PAIR;
    for (int k = 0; k < 30; k++) {
        int before = s->joker[0].a;
        at_blind(JOKER_BL_SMALL);
        win();
        CHECK(s->joker[0].a != before);
        CHECK(joker_has(s->visible, s->joker[0].a));
    }
}
static void rocket(void) {
    begin();
    give(JOKER_J_ROCKET);
    at_blind(JOKER_BL_SMALL);
    s->money = 0;
    win();
    CHECK_INT(s->owed, 3 + s->hands + 1);
    at_blind(JOKER_BL_WALL);
    s->money = 0;
    win(); /* grows before that payout */
    CHECK_INT(s->owed, 5 + s->hands + 3);
}
static void gift(void) {
    begin();
    give(JOKER_J_GIFT);
    give(JOKER_J_BARON);
    joker_gain_consumable(m, s, JOKER_C_FOOL);
    at_blind(JOKER_BL_SMALL);
    win();
    CHECK_INT(joker_sell_value(&s->joker[0]), 3 + 1);
    CHECK_INT(joker_sell_value(&s->joker[1]), 4 + 1);
    CHECK_INT(joker_bag_value(&s->consumable[0]), 1 + 1);
}
static void popcorn(void) {
    CHECK_INT(rounds_of(JOKER_J_POPCORN, 10), 5);
    begin();
    give(JOKER_J_POPCORN);
    at_blind(JOKER_BL_SMALL);
    win();
    CHECK_INT(s->joker[0].a, 16);
}
static void campfire(void) {
    begin();
    give(JOKER_J_CAMPFIRE);
    give(JOKER_J_BARON);
    joker_gain_consumable(m, s, JOKER_C_FOOL);
    joker_sell_joker(m, s, 1);
    joker_sell_consumable(m, s, 0);
    CHECK_NEAR(s->joker[0].x, 1.5, 0.0);
    at_blind(JOKER_BL_SMALL);
    win();
    CHECK_NEAR(s->joker[0].x, 1.5, 0.0);
    at_blind(JOKER_BL_WALL);
    win();
    CHECK_NEAR(s->joker[0].x, 1.0, 0.0);
}
static void invisible(void) {
    begin();
    give(JOKER_J_INVISIBLE);
    give(JOKER_J_BARON)->edition = JOKER_NEGATIVE;
    at_blind(JOKER_BL_SMALL);
    win();
    CHECK_INT(s->joker[0].a, 1);
    at_blind(JOKER_BL_BIG);
    win();
    joker_sell_joker(m, s, 0);
    CHECK_INT(s->jokers, 2);
    CHECK_INT(s->joker[1].id, JOKER_J_BARON);
    CHECK_INT(s->joker[1].edition, JOKER_BASE);
    CHECK_INT(s->joker[1].price, 8);
    begin();
    give(JOKER_J_INVISIBLE)->a = 1; /* too early */
    give(JOKER_J_BARON);
    joker_sell_joker(m, s, 0);
    CHECK_INT(s->jokers, 1);
}

/* ---- payouts ---- */

/* What the cash-out owes beside blind and hands, with no money and no interest. */
static int paid(void) {
    at_blind(JOKER_BL_SMALL);
    s->money = 0;
    win();
    return s->owed - 3 - s->hands;
}
static void delayed_grat(void) {
    begin();
    give(JOKER_J_DELAYED_GRAT);
    CHECK_INT(paid(), 2 * 4);
    at_blind(JOKER_BL_SMALL);
    joker_discard(m, s, 1u);
    s->money = 0;
    win();
    CHECK_INT(s->owed - 3 - s->hands, 0);
}
static void cloud_9(void) {
    begin();
    give(JOKER_J_CLOUD_9);
    CHECK_INT(paid(), 4);
    for (int i = 0; i < JOKER_DECK_MAX; i++) {
        s->card[i].enhancement = s->card[i].rank == 9 && s->card[i].suit == 0 ? JOKER_STONE : 0;
    }
    CHECK_INT(paid(), 3);
}
static void golden(void) {
    begin();
    give(JOKER_J_GOLDEN);
    CHECK_INT(paid(), 4);
    joker_on_debuffed(s, &s->joker[0], true);
    s->joker[0].flags |= JOKER_PERISHED;
    CHECK_INT(paid(), 0);
}
static void satellite(void) {
    begin();
    give(JOKER_J_SATELLITE);
    CHECK_INT(paid(), 0);
    use(JOKER_C_PLUTO, 0);
    use(JOKER_C_PLUTO, 0);
    use(JOKER_C_ERIS, 0);
    CHECK_INT(paid(), 2);
}

/* ---- selling, shop, packs ---- */

static void luchador(void) {
    begin();
    give(JOKER_J_LUCHADOR);
    give(JOKER_J_BLUEPRINT);
    give(JOKER_J_LUCHADOR);
    at_blind(JOKER_BL_SMALL);
    joker_sell_joker(m, s, 0);
    CHECK_INT(s->disabled, 0);
    at_blind(JOKER_BL_PSYCHIC);
    joker_sell_joker(m, s, 0); /* a copy of it sells like it */
    CHECK_INT(s->disabled, 1);
}
static void diet_cola(void) {
    begin();
    give(JOKER_J_DIET_COLA);
    joker_sell_joker(m, s, 0);
    CHECK_INT(s->tags, 1);
    CHECK_INT(s->tag[0].id, JOKER_TAG_DOUBLE);
}
static void flash(void) {
    begin();
    give(JOKER_J_FLASH);
    to_shop(JOKER_BL_SMALL);
    s->money = 50;
    joker_reroll(m, s);
    joker_reroll(m, s);
    CHECK_INT(s->joker[0].a, 4);
}
static void hallucination(void) {
    int made = 0;
    for (uint64_t seed = 0; seed < 200; seed++) {
        begin_run(JOKER_B_RED, 0, seed);
        give(JOKER_J_HALLUCINATION);
        joker_start_pack(m, s, JOKER_P_CELESTIAL_NORMAL_1);
        made += s->bag;
        CHECK(s->bag == 0 || joker_consumable_facts[s->consumable[0].id].set == JOKER_TAROT);
    }
    CHECK(made > 70 && made < 130);
    begin();
    give(JOKER_J_HALLUCINATION);
    give(JOKER_J_OOPS);
    give(JOKER_J_BRAINSTORM);
    joker_start_pack(m, s, JOKER_P_CELESTIAL_NORMAL_1);
    CHECK_INT(s->bag, 2); /* 2 in 2, and the copy */
}
static void red_card(void) {
    begin();
    give(JOKER_J_RED_CARD);
    joker_start_pack(m, s, JOKER_P_CELESTIAL_MEGA_1);
    joker_pick_pack(m, s, 0, 0);
    CHECK_INT(s->pack_open, JOKER_PACK_CELESTIAL + 1);
    joker_skip_pack(m, s);
    CHECK_INT(s->joker[0].a, 3);
    joker_start_pack(m, s, JOKER_P_CELESTIAL_NORMAL_1);
    joker_pick_pack(m, s, 0, 0);
    CHECK_INT(s->pack_open, 0);
    CHECK_INT(s->joker[0].a, 3); /* a pack used up is not skipped */
}
static void perkeo(void) {
    begin();
    give(JOKER_J_PERKEO);
    joker_gain_consumable(m, s, JOKER_C_HERMIT);
    to_shop(JOKER_BL_SMALL);
    joker_leave_shop(m, s);
    CHECK_INT(s->bag, 2);
    CHECK_INT(s->consumable[1].id, JOKER_C_HERMIT);
    CHECK_INT(s->consumable[1].negative, 1);
    CHECK_INT(joker_bag_value(&s->consumable[1]), 4);
    CHECK_INT(joker_room_bag(s), 1);
}
static void mr_bones(void) {
    for (int k = 0; k < 2; k++) {
        begin();
        give(JOKER_J_BLUEPRINT); /* not copied */
        give(JOKER_J_MR_BONES);
        at_blind(JOKER_BL_SMALL);
        s->hands = 1;
        s->target = 1000000.0;
        s->score = k == 0 ? 250000.0 : 249000.0;
        s->money = 0;
        joker_play(m, s, 1u);
        CHECK_INT(s->phase, k == 0 ? JOKER_CASH_OUT : JOKER_END);
        CHECK_INT(s->lost, k);
        CHECK_INT(s->saved, 1 - k);
        CHECK_INT(s->jokers, 1 + k);
        CHECK_INT(s->owed, 0); /* no reward for the blind */
    }
}
static void blueprint(void) {
    begin();
    give(JOKER_J_BLUEPRINT);
    give(JOKER_J_BURGLAR);
    at_blind(JOKER_BL_SMALL);
    CHECK_INT(s->hands, 10);
    joker_move_joker(m, s, 0, 1); /* nothing on its right */
    at_blind(JOKER_BL_SMALL);
    CHECK_INT(s->hands, 7);
    joker_on_debuffed(s, &s->joker[0], true); /* the copied one is debuffed */
    joker_move_joker(m, s, 0, 1);
    at_blind(JOKER_BL_SMALL);
    CHECK_INT(s->hands, 4);
}
static void brainstorm(void) {
    begin();
    give(JOKER_J_BURGLAR);
    give(JOKER_J_JOKER);
    give(JOKER_J_BRAINSTORM);
    give(JOKER_J_BLUEPRINT);
    give(JOKER_J_BRAINSTORM);
    at_blind(JOKER_BL_SMALL);
    CHECK_INT(s->hands, 4 + 4 * 3);
}

/* ---- the table of cases ---- */

static void (*const cases[JOKER_JOKERS])(void) = {
    [JOKER_J_GROS_MICHEL] = gros_michel,
    [JOKER_J_CAVENDISH] = cavendish,
    [JOKER_J_EGG] = egg,
    [JOKER_J_TODO_LIST] = todo_list,
    [JOKER_J_ROCKET] = rocket,
    [JOKER_J_GIFT] = gift,
    [JOKER_J_POPCORN] = popcorn,
    [JOKER_J_CAMPFIRE] = campfire,
    [JOKER_J_INVISIBLE] = invisible,
    [JOKER_J_DELAYED_GRAT] = delayed_grat,
    [JOKER_J_CLOUD_9] = cloud_9,
    [JOKER_J_GOLDEN] = golden,
    [JOKER_J_SATELLITE] = satellite,
    [JOKER_J_LUCHADOR] = luchador,
    [JOKER_J_DIET_COLA] = diet_cola,
    [JOKER_J_FLASH] = flash,
    [JOKER_J_HALLUCINATION] = hallucination,
    [JOKER_J_RED_CARD] = red_card,
    [JOKER_J_PERKEO] = perkeo,
    [JOKER_J_MR_BONES] = mr_bones,
    [JOKER_J_BLUEPRINT] = blueprint,
    [JOKER_J_BRAINSTORM] = brainstorm,
};

TEST(every_joker_with_a_hook_from_the_end_of_a_round_on) {
    for (int id = 0; id < JOKER_JOKERS; id++) {
        uint32_t hooks = joker_joker_facts[id].hooks;
        check_case(id, (hooks & LATE) != 0 && (hooks & EARLY) == 0, cases[id]);
    }
}

/* ---- stickers ---- */

TEST(rental_jokers_cost_three_dollars_a_round) {
    begin();
    give(JOKER_J_JOKER)->flags = JOKER_RENTAL;
    give(JOKER_J_BARON)->flags = JOKER_RENTAL;
    at_blind(JOKER_BL_SMALL);
    s->money = 2;
    win();
    CHECK_INT(s->money, -4);
}

TEST(perishable_jokers_are_debuffed_for_good_after_five_rounds) {
    begin();
    joker_joker *joker = give(JOKER_J_JUGGLER);
    joker->flags = JOKER_PERISHABLE;
    joker->rounds = 5;
    for (int round = 1; round <= 6; round++) {
        at_blind(JOKER_BL_SMALL);
        win();
        CHECK_INT((joker->flags & JOKER_DEBUFFED) != 0, round >= 5);
        CHECK_INT(s->hand_size, round >= 5 ? 8 : 9);
    }
    at_blind(JOKER_BL_FINAL_HEART); /* a boss that lifts debuffs does not lift this one */
    win();
    CHECK(joker->flags & JOKER_DEBUFFED);
    joker_sell_joker(m, s, 0);
    CHECK_INT(s->hand_size, 8);
}

TEST(eternal_jokers_stay) {
    begin();
    give(JOKER_J_JOKER)->flags = JOKER_ETERNAL;
    give(JOKER_J_BARON);
    CHECK(!joker_can_sell_joker(m, s, 0));
    CHECK(joker_can_sell_joker(m, s, 1));
    CHECK(!joker_can_sell_joker(m, s, 2));
    s->joker[0].edition = JOKER_FOIL;
    CHECK(use(JOKER_C_HEX, 0)); /* Baron is the one without edition */
    CHECK_INT(s->jokers, 2);
    CHECK_INT(s->joker[1].edition, JOKER_POLY);
}
