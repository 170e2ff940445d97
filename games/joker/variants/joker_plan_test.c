/* Tests of joker-plan-v1: which choices are legal, what they do, what is seen of them, and that the
 * planner knows no more than the player. LUDUS_TEST_LONG=1: three hundred times the random runs. */
#pragma GCC diagnostic ignored "-Wunused-function" /* the parts of the rules are included */

#include "variants/joker_plan.h"

#include "joker_test.h"

static uint64_t dice;
static float seen[JOKER_PLAN_OBSERVATION];

static uint32_t below(uint32_t n) {
    dice = dice * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)((dice >> 33) % n);
}

static bool legal(int choice) {
    return joker_plan_legal(m, s) >> choice & 1u;
}

/* Does a choice that must be legal. */
static void choose(int choice) {
    NEED(legal(choice));
    (void)joker_plan_do(m, s, choice);
    const char *broken = broken_state();
    if (broken) {
        lu_test_fail(__FILE__, __LINE__, "choice %d: %s", choice, broken);
    }
}

/* A field of a choice as the player sees it now. */
static double see(int choice, int field) {
    joker_plan_observe(&m->head, s, 0, LU_ALL_CHANGED, seen);
    return (double)seen[JOKER_PLAN_AT_CHOICES + choice * JOKER_CHOICE_FIELDS + field];
}

/* ---- shops put together by hand ---- */

/* A shop with nothing in it, and so much money. */
static void empty_shop(int money) {
    begin();
    to_shop(0);
    joker_clear_shop(s);
    s->money = money;
}

static void offer_joker(int place, int id, int price) {
    joker_make_this_joker(m, s, id, JOKER_SUFFIX_SHO, JOKER_PLACE_SHOP, &s->shop[place]);
    s->shop[place].joker.edition = JOKER_BASE;
    s->shop[place].price = (int16_t)price;
}

static void offer_consumable(int place, int id, int price) {
    joker_make_this_consumable(s, id, &s->shop[place]);
    s->shop[place].price = (int16_t)price;
}

/* A full row: four that multiply and one that does nothing for a score. */
static void full_row(int idle) {
    give(JOKER_J_DUO);
    give(JOKER_J_TRIO);
    give(idle);
    give(JOKER_J_FAMILY);
    give(JOKER_J_TRIBE);
}

/* Makes all jokers but one eternal. */
static void keep_all_but(int place) {
    for (int i = 0; i < s->jokers; i++) {
        s->joker[i].flags |= i == place ? 0 : JOKER_ETERNAL;
    }
}

static int find_joker(int id) {
    for (int i = 0; i < s->jokers; i++) {
        if (s->joker[i].id == id) {
            return i;
        }
    }
    return -1;
}

/* ---- making room ---- */

TEST(buying_with_a_full_row_sells_the_spare_joker) {
    empty_shop(3);
    full_row(JOKER_J_CREDIT_CARD);
    offer_joker(1, JOKER_J_JOKER, 2);
    int refund = joker_sell_value(&s->joker[2]);
    choose(JOKER_CHOICE_BUY + 1);
    CHECK(s->jokers == 5 && find_joker(JOKER_J_CREDIT_CARD) < 0 && find_joker(JOKER_J_JOKER) == 4);
    CHECK(s->money == 3 + refund - 2);
    CHECK(s->last_sold == JOKER_J_CREDIT_CARD);
}

TEST(a_joker_that_fits_sells_none) {
    empty_shop(10);
    full_row(JOKER_J_CREDIT_CARD);
    joker_lose_joker(s, 0);
    offer_joker(0, JOKER_J_JOKER, 2);
    choose(JOKER_CHOICE_BUY);
    CHECK(s->jokers == 5 && s->money == 8);
    offer_joker(0, JOKER_J_GREEDY_JOKER, 5);
    s->shop[0].joker.edition = JOKER_NEGATIVE;
    choose(JOKER_CHOICE_BUY);
    CHECK(s->jokers == 6 && s->money == 3);
}

/* What a Credit Card lets the player owe is gone when it is sold for room. */
TEST(a_spare_joker_pays_only_what_it_brings) {
    empty_shop(0);
    full_row(JOKER_J_CREDIT_CARD);
    keep_all_but(2);
    int refund = joker_sell_value(&s->joker[2]);
    offer_joker(0, JOKER_J_JOKER, refund + 1);
    CHECK(!legal(JOKER_CHOICE_BUY));
    s->shop[0].price = (int16_t)refund;
    choose(JOKER_CHOICE_BUY);
    CHECK(s->money == 0);
}

TEST(jokers_that_make_no_room_are_not_sold) {
    empty_shop(50);
    full_row(JOKER_J_EGG);
    keep_all_but(-1);
    offer_joker(0, JOKER_J_JOKER, 2);
    CHECK(!legal(JOKER_CHOICE_BUY));
    /* a ripe Invisible Joker fills its own place again */
    empty_shop(50);
    full_row(JOKER_J_INVISIBLE);
    keep_all_but(2);
    offer_joker(0, JOKER_J_JOKER, 2);
    CHECK(legal(JOKER_CHOICE_BUY));
    s->joker[2].a = joker_rows[JOKER_J_INVISIBLE].of;
    CHECK(!legal(JOKER_CHOICE_BUY));
    /* a Negative one takes no slot */
    give(JOKER_J_EGG)->edition = JOKER_NEGATIVE;
    CHECK(!legal(JOKER_CHOICE_BUY));
}

TEST(a_pack_with_a_full_row_sells_too) {
    empty_shop(0);
    full_row(JOKER_J_CREDIT_CARD);
    joker_start_pack(m, s, JOKER_P_BUFFOON_NORMAL_1);
    s->shown[0].joker.edition = JOKER_BASE;
    int id = s->shown[0].joker.id;
    choose(JOKER_CHOICE_PICK);
    CHECK(s->jokers == 5 && find_joker(JOKER_J_CREDIT_CARD) < 0 && s->joker[4].id == id);
    CHECK(s->pack_open == 0 && s->money > 0);
}

/* ---- consumables ---- */

TEST(planets_are_used_at_once) {
    empty_shop(10);
    offer_consumable(0, JOKER_C_PLUTO, 3);
    choose(JOKER_CHOICE_BUY);
    CHECK(s->level[JOKER_HIGH_CARD] == 2 && s->bag == 0 && s->money == 7);
}

/* One that takes no cards is kept while there is room, else used. */
TEST(tarots_are_kept_while_there_is_room) {
    empty_shop(30);
    offer_consumable(0, JOKER_C_HERMIT, 3);
    choose(JOKER_CHOICE_BUY);
    CHECK(s->bag == 1 && s->money == 27);
    (void)joker_gain_consumable(m, s, JOKER_C_EMPRESS);
    offer_consumable(0, JOKER_C_HERMIT, 3);
    offer_consumable(1, JOKER_C_MAGICIAN, 3);
    CHECK(!legal(JOKER_CHOICE_BUY + 1)); /* it would need cards */
    choose(JOKER_CHOICE_BUY);
    CHECK(s->bag == 2 && s->money == 24 + 20);
    CHECK(legal(JOKER_CHOICE_USE) && !legal(JOKER_CHOICE_USE + 1));
    choose(JOKER_CHOICE_USE);
    CHECK(s->bag == 1 && s->money == 64);
}

TEST(cards_for_a_tarot_are_seen_cards) {
    begin();
    at_blind(0);
    hold("2S 9H KD");
    (void)joker_gain_consumable(m, s, JOKER_C_CHARIOT);
    CHECK(legal(JOKER_CHOICE_USE));
    held(2)->flags |= JOKER_CARD_DOWN;
    CHECK(!legal(JOKER_CHOICE_USE));
    held(2)->flags = 0;
    choose(JOKER_CHOICE_USE);
    CHECK(s->bag == 0 && held(2)->enhancement == JOKER_STEEL);
}

/* ---- the round ---- */

TEST(selecting_a_blind_arranges_the_jokers) {
    begin();
    give(JOKER_J_DUO);
    give(JOKER_J_JOKER);
    choose(JOKER_CHOICE_SELECT);
    CHECK(s->phase == JOKER_PLAY);
    CHECK(s->joker[0].id == JOKER_J_JOKER && s->joker[1].id == JOKER_J_DUO);
}

TEST(jokers_that_lie_face_down_stay) {
    begin();
    give(JOKER_J_DUO)->flags |= JOKER_DOWN;
    give(JOKER_J_JOKER);
    joker_plan_arrange(m, s);
    CHECK(s->joker[0].id == JOKER_J_DUO);
}

TEST(going_on_plays_what_is_enough_and_discards_what_is_not) {
    begin();
    at_blind(0);
    hold("AS KS QS JS TS 2H 3D");
    choose(JOKER_CHOICE_GO_ON);
    CHECK(s->phase == JOKER_CASH_OUT && s->last_hand == JOKER_STRAIGHT_FLUSH);
    begin();
    at_blind(0);
    hold("2S 4H 6S 8D TS QS 3C 7H");
    choose(JOKER_CHOICE_GO_ON);
    CHECK(s->phase == JOKER_PLAY && s->discarded_round == 1 && s->hands == s->round_hands);
}

/* Whether the full game allows a action. */
static bool allowed(const joker_action *action) {
    int32_t actions[JOKER_HEADS] = {0};
    joker_action read;
    actions[JOKER_HEAD_TYPE] = action->type;
    actions[JOKER_HEAD_INDEX] = action->index;
    actions[JOKER_HEAD_TO] = action->to;
    for (int i = 0; i < JOKER_HAND_MAX; i++) {
        actions[JOKER_HEAD_CARD + i] = joker_has(action->chosen, i);
    }
    return joker_read_action(m, s, actions, &read) && read.chosen == action->chosen;
}

static bool same_action(joker_action a, joker_action b) {
    return a.type == b.type && a.index == b.index && a.to == b.to && a.chosen == b.chosen;
}

/* The state with everything hidden drawn anew. */
static void hide_anew(joker_state *other, uint64_t seed) {
    lu_rng rng = lu_rng_from(seed);
    memcpy(other, s, sizeof *other);
    joker_draw_anew(other, &rng);
    other->number = seed;
    joker_seed_number(m, other, seed);
}

/* What is hidden changes neither what is seen nor what is legal nor what the planner does. */
static void check_hidden(uint64_t seed) {
    static joker_state other;
    static float also[JOKER_PLAN_OBSERVATION];
    hide_anew(&other, seed);
    CHECK(joker_plan_legal(m, s) == joker_plan_legal(m, &other));
    joker_plan_observe(&m->head, s, 0, LU_ALL_CHANGED, seen);
    joker_plan_observe(&m->head, &other, 0, LU_ALL_CHANGED, also);
    CHECK(memcmp(seen, also, sizeof seen) == 0);
    if (s->phase == JOKER_PLAY) {
        joker_action action = joker_plan_round(m, s);
        CHECK(same_action(action, joker_plan_round(m, s)));
        CHECK(same_action(action, joker_plan_round(m, &other)));
        CHECK(allowed(&action));
    }
}

/* The bosses that turn cards or jokers face down, by rule and by rollouts. */
TEST(the_planner_sees_what_the_player_sees) {
    static const int bosses[] = {JOKER_BL_HOUSE, JOKER_BL_WHEEL,       JOKER_BL_MARK,
                                 JOKER_BL_FISH,  JOKER_BL_FINAL_ACORN, JOKER_BL_HOOK};
    int hidden = 0;
    for (uint64_t seed = 1; seed <= 30; seed++) {
        begin_run(JOKER_B_RED, 0, seed);
        m->rollouts = seed % 2 ? 6 : 0;
        give(JOKER_J_DUO);
        give(JOKER_J_LUCHADOR);
        give(JOKER_J_CARTOMANCER);
        give(JOKER_J_HALLUCINATION);
        give(JOKER_J_BLUEPRINT);
        at_blind(bosses[seed % 6]);
        for (int k = 0; k < 4 && s->phase == JOKER_PLAY; k++) {
            hidden += joker_hand_hidden(s) || s->joker[0].flags & JOKER_DOWN;
            check_hidden(seed * 10 + (uint64_t)k);
            choose(JOKER_CHOICE_GO_ON);
        }
    }
    CHECK(hidden > 20);
}

/* ---- what is seen ---- */

TEST(a_known_shop_is_seen_as_it_is) {
    empty_shop(12);
    offer_joker(0, JOKER_J_JOKER, 2);
    offer_consumable(1, JOKER_C_JUPITER, 3);
    s->voucher[0].id = JOKER_V_GRABBER;
    s->voucher[0].price = 10;
    s->pack[1].id = JOKER_P_BUFFOON_MEGA_1;
    s->pack[1].price = 8;
    CHECK(see(JOKER_CHOICE_BUY, JOKER_CHOICE_LEGAL) == 1.0);
    CHECK(see(JOKER_CHOICE_BUY, JOKER_CHOICE_KIND + JOKER_CHOICE_KIND_BUY) == 1.0);
    CHECK(see(JOKER_CHOICE_BUY, JOKER_CHOICE_THING) == JOKER_THING_JOKER + JOKER_J_JOKER);
    CHECK_NEAR(see(JOKER_CHOICE_BUY, JOKER_CHOICE_PRICE), 0.1, 1e-6);
    CHECK_NEAR(see(JOKER_CHOICE_BUY, JOKER_CHOICE_MONEY), 0.2, 1e-6);
    CHECK(see(JOKER_CHOICE_BUY, JOKER_CHOICE_HANDS) > 0.2); /* mult of weak hands */
    CHECK(see(JOKER_CHOICE_BUY, JOKER_CHOICE_REPLACES) == 0.0);
    CHECK(see(JOKER_CHOICE_BUY + 1, JOKER_CHOICE_THING) ==
          JOKER_THING_CONSUMABLE + JOKER_C_JUPITER);
    CHECK(see(JOKER_CHOICE_BUY + 1, JOKER_CHOICE_HANDS) > 0.0);
    CHECK(see(JOKER_CHOICE_VOUCHER, JOKER_CHOICE_THING) == JOKER_THING_VOUCHER + JOKER_V_GRABBER);
    CHECK_NEAR(see(JOKER_CHOICE_VOUCHER, JOKER_CHOICE_INTEREST), 0.4, 1e-6);
    CHECK(see(JOKER_CHOICE_PACK + 1, JOKER_CHOICE_THING) == JOKER_THING_PACK + JOKER_PACK_BUFFOON);
    CHECK_NEAR(see(JOKER_CHOICE_PACK + 1, JOKER_CHOICE_PICKS), 1.0, 1e-6);
    CHECK(see(JOKER_CHOICE_PACK, JOKER_CHOICE_LEGAL) == 0.0);
    CHECK(see(JOKER_CHOICE_SELECT, JOKER_CHOICE_LEGAL) == 0.0);
    full_row(JOKER_J_EGG);
    keep_all_but(2);
    CHECK(see(JOKER_CHOICE_BUY, JOKER_CHOICE_REPLACES) == 1.0);
    CHECK(see(JOKER_CHOICE_BUY, JOKER_CHOICE_SIDE) < 0.0); /* the Egg's income goes */
}

TEST(a_skip_shows_its_tag) {
    begin();
    CHECK(see(JOKER_CHOICE_SKIP, JOKER_CHOICE_THING) == JOKER_THING_TAG + s->tag_small);
    choose(JOKER_CHOICE_SKIP);
    CHECK(s->blind == 1);
}

/* ---- random runs ---- */

/* Buying or picking is what the full game allows, at once or after the sale of one joker. */
static void check_taking(const joker_legal *full, int choice, int type, int i,
                         const joker_item *item) {
    bool free = joker_has(full->index[type], i);
    bool cards = item->kind == JOKER_KIND_CONSUMABLE && joker_consumable_facts[item->id].choose_max;
    if (type == JOKER_ACT_BUY && item->kind == JOKER_KIND_CONSUMABLE && !cards) {
        free = free || joker_has(full->index[JOKER_ACT_BUY_AND_USE], i);
    }
    if (item->kind == JOKER_KIND_JOKER && joker_crowded(s, &item->joker)) {
        CHECK(!free && (!legal(choice) || full->types >> JOKER_ACT_SELL_JOKER & 1u));
    } else if (type == JOKER_ACT_PICK_PACK && cards) {
        CHECK(free || !legal(choice)); /* there may be no good cards */
    } else {
        CHECK(free == legal(choice));
    }
}

static void check_legal(void) {
    static const struct {
        int choice, type;
    } plain[] = {
        {JOKER_CHOICE_GO_ON, JOKER_ACT_PLAY},
        {JOKER_CHOICE_SELECT, JOKER_ACT_SELECT_BLIND},
        {JOKER_CHOICE_SKIP, JOKER_ACT_SKIP_BLIND},
        {JOKER_CHOICE_CASH_OUT, JOKER_ACT_CASH_OUT},
        {JOKER_CHOICE_LEAVE, JOKER_ACT_NEXT_ROUND},
        {JOKER_CHOICE_REROLL, JOKER_ACT_REROLL},
        {JOKER_CHOICE_REROLL_BOSS, JOKER_ACT_REROLL_BOSS},
        {JOKER_CHOICE_SKIP_PACK, JOKER_ACT_SKIP_PACK},
    };
    joker_legal full;
    joker_legal_now(m, s, &full);
    for (size_t i = 0; i < sizeof plain / sizeof *plain; i++) {
        CHECK(legal(plain[i].choice) == (full.types >> plain[i].type & 1u));
    }
    for (int i = 0; i < JOKER_SHOP_MAX; i++) {
        check_taking(&full, JOKER_CHOICE_BUY + i, JOKER_ACT_BUY, i, &s->shop[i]);
    }
    for (int i = 0; i < JOKER_PACK_MAX; i++) {
        check_taking(&full, JOKER_CHOICE_PICK + i, JOKER_ACT_PICK_PACK, i, &s->shown[i]);
    }
    for (int i = 0; i < JOKER_SHOP_VOUCHERS; i++) {
        CHECK(legal(JOKER_CHOICE_VOUCHER + i) == joker_has(full.index[JOKER_ACT_BUY_VOUCHER], i));
    }
    for (int i = 0; i < JOKER_SHOP_PACKS; i++) {
        CHECK(legal(JOKER_CHOICE_PACK + i) == joker_has(full.index[JOKER_ACT_BUY_PACK], i));
    }
    for (int i = 0; i < JOKER_BAG_MAX; i++) {
        CHECK(!legal(JOKER_CHOICE_USE + i) || joker_has(full.index[JOKER_ACT_USE], i));
    }
    CHECK((joker_plan_legal(m, s) != 0) == (s->phase != JOKER_END));
}

/* Money and levels, so that runs go far and rows are full. */
static void help(void) {
    s->money += (int32_t)below(40);
    for (int hand = 0; hand < JOKER_HANDS; hand++) {
        joker_level_up(s, hand, (int)below(60));
    }
    if (!below(3)) {
        give((int)below(JOKER_JOKERS))->edition = JOKER_NEGATIVE;
    }
}

static int random_choice(void) {
    uint32_t bits = joker_plan_legal(m, s);
    int choice = 0;
    for (uint32_t left = below((uint32_t)lu_bits_set(bits)) + 1; left; choice++) {
        left -= bits >> choice & 1u;
    }
    return choice - 1;
}

/* One random run; counts choices and purchases that sold a joker. */
static void run(uint64_t seed, int *made, int *sold) {
    begin_run((int)(seed % JOKER_DECKS), (int)(seed % JOKER_STAKES), seed);
    m->fast = seed % 7 != 0;
    m->endless = seed % 5 == 0;
    m->rollouts = seed % 20 == 3 ? 2 : 0;
    dice = seed * 77777u + 5u;
    for (int k = 0; k < 400 && s->phase != JOKER_END; k++) {
        check_legal();
        int choice = random_choice(), room = joker_room_jokers(s), owe = s->spending_floor;
        if (k % 16 == 5) {
            check_hidden(seed + (uint64_t)k);
        }
        s->last_sold = s->last_consumable = -1;
        int debt = s->money < 0 ? -s->money : 0;
        choose(choice);
        bool buys = choice >= JOKER_CHOICE_REROLL && choice < JOKER_CHOICE_PICK;
        CHECK(!buys || s->money >= 0 || -s->money <= (debt > owe ? debt : owe));
        if (choice >= JOKER_CHOICE_BUY && choice < JOKER_CHOICE_USE && s->last_consumable < 0) {
            CHECK(joker_room_jokers(s) >= (room < 0 ? room : 0)); /* slots are kept */
        }
        *sold += choice >= JOKER_CHOICE_BUY && s->last_sold >= 0;
        ++*made;
        if (seed % 2 == 1 && s->phase == JOKER_SHOP && !s->pack_open && !below(3)) {
            help();
        }
    }
}

TEST(random_choices_break_nothing) {
    uint64_t runs = getenv("LUDUS_TEST_LONG") ? 12000 : 40;
    int made = 0, sold = 0;
    for (uint64_t seed = 0; seed < runs; seed++) {
        run(seed, &made, &sold);
    }
    CHECK(made > 1600 && sold > 6);
}
