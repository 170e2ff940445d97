/* Vouchers and tags: a case for every row of their tables, and tests that fail when a row has none.
 */
#include "joker_test.h"

/* ---- vouchers: what each changes of a state in a shop ---- */

typedef struct voucher_case {
    int slots, discount, rate, reroll, bag, hands, discards, cap, jokers, ante, size;
    bool told; /* its effect is only asked for: its bit is all, see the note */
} voucher_case;

static const voucher_case vouchers[JOKER_VOUCHERS] = {
    [JOKER_V_OVERSTOCK_NORM] = {.slots = 1},
    [JOKER_V_OVERSTOCK_PLUS] = {.slots = 1},
    [JOKER_V_CLEARANCE_SALE] = {.discount = 25},
    [JOKER_V_LIQUIDATION] = {.discount = 50},
    [JOKER_V_HONE] = {.rate = 1},
    [JOKER_V_GLOW_UP] = {.rate = 3},
    [JOKER_V_REROLL_SURPLUS] = {.reroll = -2},
    [JOKER_V_REROLL_GLUT] = {.reroll = -2},
    [JOKER_V_CRYSTAL_BALL] = {.bag = 1},
    [JOKER_V_OMEN_GLOBE] = {.told = true},
    [JOKER_V_TELESCOPE] = {.told = true},
    [JOKER_V_OBSERVATORY] = {.told = true},
    [JOKER_V_GRABBER] = {.hands = 1},
    [JOKER_V_NACHO_TONG] = {.hands = 1},
    [JOKER_V_WASTEFUL] = {.discards = 1},
    [JOKER_V_RECYCLOMANCY] = {.discards = 1},
    [JOKER_V_TAROT_MERCHANT] = {.told = true},
    [JOKER_V_TAROT_TYCOON] = {.told = true},
    [JOKER_V_PLANET_MERCHANT] = {.told = true},
    [JOKER_V_PLANET_TYCOON] = {.told = true},
    [JOKER_V_SEED_MONEY] = {.cap = 5},
    [JOKER_V_MONEY_TREE] = {.cap = 15},
    [JOKER_V_BLANK] = {.told = true},
    [JOKER_V_ANTIMATTER] = {.jokers = 1},
    [JOKER_V_MAGIC_TRICK] = {.told = true},
    [JOKER_V_ILLUSION] = {.told = true},
    [JOKER_V_HIEROGLYPH] = {.ante = -1, .hands = -1},
    [JOKER_V_PETROGLYPH] = {.ante = -1, .discards = -1},
    [JOKER_V_DIRECTORS_CUT] = {.told = true},
    [JOKER_V_RETCON] = {.told = true},
    [JOKER_V_PAINT_BRUSH] = {.size = 1},
    [JOKER_V_PALETTE] = {.size = 1},
};

TEST(every_voucher) {
    static const voucher_case none;
    for (int id = 0; id < JOKER_VOUCHERS; id++) {
        const voucher_case *want = &vouchers[id];
        if (memcmp(want, &none, sizeof none) == 0) {
            lu_test_fail(__FILE__, __LINE__, "%s has no case", joker_voucher_words[id].key);
        }
        begin();
        to_shop(JOKER_BL_SMALL);
        s->money = 50;
        s->voucher[0].id = s->ante_voucher = (uint8_t)id;
        s->voucher[0].price = 10;
        CHECK(joker_can_buy_voucher(m, s, 0));
        CHECK(!joker_can_buy_voucher(m, s, 1));
        joker_buy_voucher(m, s, 0);
        CHECK_INT(s->money, 40);
        CHECK_INT(s->last_cost, 10);
        CHECK(joker_has_voucher(s, id));
        CHECK_INT(s->ante_voucher, JOKER_NONE);
        CHECK_INT(s->shop_slots, 2 + want->slots);
        CHECK_INT(s->discount, want->discount);
        CHECK_INT(s->edition_rate, 1 + want->rate);
        CHECK_INT(s->reroll_base, 5 + want->reroll);
        CHECK_INT(s->bag_slots, 2 + want->bag);
        CHECK_INT(s->round_hands, 4 + want->hands);
        CHECK_INT(s->round_discards, 4 + want->discards);
        CHECK_INT(s->interest_cap, 5 + want->cap);
        CHECK_INT(s->joker_slots, 5 + want->jokers);
        CHECK_INT(s->ante, 1 + want->ante);
        CHECK_INT(s->hand_size, 8 + want->size);
        CHECK_INT(s->shop[2].kind != JOKER_KIND_NONE, want->slots); /* in this shop already */
    }
}

/* ---- tags ---- */

static void gain(int id) {
    joker_gain_tag(m, s, id, JOKER_NONE);
}
/* A shop tag waits until the next shop and is spent there. */
static void in_next_shop(int id) {
    begin();
    gain(id);
    CHECK_INT(s->tags, 1);
    at_blind(JOKER_BL_SMALL);
    win();
    CHECK_INT(s->tags, 1);
    joker_cash_out(m, s);
}
static void tag_uncommon(void) {
    in_next_shop(JOKER_TAG_UNCOMMON);
    CHECK_INT(s->tags, 0);
    CHECK_INT(s->shop[0].price, 0);
    CHECK_INT(joker_joker_facts[s->shop[0].joker.id].rarity, JOKER_UNCOMMON);
}
static void tag_rare(void) {
    in_next_shop(JOKER_TAG_RARE);
    CHECK_INT(s->tags, 0);
    CHECK_INT(s->shop[0].price, 0);
    CHECK_INT(joker_joker_facts[s->shop[0].joker.id].rarity, JOKER_RARE);
}
static void check_edition(int id, int edition) {
    in_next_shop(id);
    for (int k = 0; k < 50 && s->tags > 0; k++) { /* until a joker without edition shows up */
        joker_reroll_shop(m, s);
    }
    int found = 0;
    for (int i = 0; i < 2; i++) {
        const joker_item *item = &s->shop[i];
        found += item->kind == JOKER_KIND_JOKER && item->joker.edition == edition && item->free &&
                 item->price == 0;
    }
    CHECK_INT(found, 1);
    CHECK_INT(s->tags, 0);
}
static void tag_negative(void) {
    check_edition(JOKER_TAG_NEGATIVE, JOKER_NEGATIVE);
}
static void tag_foil(void) {
    check_edition(JOKER_TAG_FOIL, JOKER_FOIL);
}
static void tag_holo(void) {
    check_edition(JOKER_TAG_HOLO, JOKER_HOLO);
}
static void tag_polychrome(void) {
    check_edition(JOKER_TAG_POLYCHROME, JOKER_POLY);
}
static void tag_investment(void) {
    begin();
    gain(JOKER_TAG_INVESTMENT);
    gain(JOKER_TAG_INVESTMENT);
    at_blind(JOKER_BL_SMALL);
    s->money = 0;
    win();
    CHECK_INT(s->owed, 3 + s->hands);
    at_blind(JOKER_BL_WALL);
    s->money = 0;
    win();
    CHECK_INT(s->owed, 5 + s->hands + 50);
    CHECK_INT(s->tags, 0);
}
static void tag_voucher(void) {
    in_next_shop(JOKER_TAG_VOUCHER);
    CHECK_INT(s->tags, 0);
    CHECK(s->voucher[1].id != JOKER_NONE && s->voucher[1].id != s->voucher[0].id);
}
static void tag_boss(void) {
    begin();
    int boss = s->boss;
    s->tag_small = JOKER_TAG_BOSS;
    joker_skip_blind(m, s);
    CHECK(s->boss != boss);
    CHECK_INT(s->tags, 0);
    CHECK_INT(s->blind, 1);
}
static void check_pack_tag(int id, int kind, int shown, int picks) {
    begin();
    s->tag_small = (uint8_t)id;
    joker_skip_blind(m, s);
    CHECK_INT(s->tags, 0);
    CHECK_INT(s->pack_open, kind + 1);
    CHECK_INT(s->pack_shown, shown);
    CHECK_INT(s->pack_picks, picks);
    CHECK_INT(s->held, kind == JOKER_PACK_ARCANA || kind == JOKER_PACK_SPECTRAL ? 8 : 0);
    CHECK(!joker_can_select_blind(m, s) && !joker_can_skip_blind(m, s));
    joker_skip_pack(m, s);
    CHECK_INT(s->phase, JOKER_BLIND_SELECT);
    CHECK_INT(s->held, 0);
    CHECK(joker_can_select_blind(m, s));
    CHECK(broken_state() == NULL);
}
static void tag_standard(void) {
    check_pack_tag(JOKER_TAG_STANDARD, JOKER_PACK_STANDARD, 5, 2);
}
static void tag_charm(void) {
    check_pack_tag(JOKER_TAG_CHARM, JOKER_PACK_ARCANA, 5, 2);
}
static void tag_meteor(void) {
    check_pack_tag(JOKER_TAG_METEOR, JOKER_PACK_CELESTIAL, 5, 2);
}
static void tag_buffoon(void) {
    check_pack_tag(JOKER_TAG_BUFFOON, JOKER_PACK_BUFFOON, 4, 2);
}
static void tag_ethereal(void) {
    check_pack_tag(JOKER_TAG_ETHEREAL, JOKER_PACK_SPECTRAL, 2, 1);
}
static void tag_handy(void) {
    begin();
    s->money = 1;
    s->run_hands = 7;
    gain(JOKER_TAG_HANDY);
    CHECK_INT(s->money, 8);
    CHECK_INT(s->tags, 0);
}
static void tag_garbage(void) {
    begin();
    s->money = 1;
    s->unused_discards = 9;
    gain(JOKER_TAG_GARBAGE);
    CHECK_INT(s->money, 10);
}
static void tag_coupon(void) {
    in_next_shop(JOKER_TAG_COUPON);
    CHECK_INT(s->tags, 0);
    CHECK_INT(s->shop[0].price + s->shop[1].price + s->pack[0].price + s->pack[1].price, 0);
    CHECK_INT(s->voucher[0].price, 10);
    s->money = 5;
    joker_reroll(m, s);
    CHECK(s->shop[0].price > 0);
}
static void tag_double(void) {
    begin();
    gain(JOKER_TAG_DOUBLE);
    gain(JOKER_TAG_DOUBLE);
    CHECK_INT(s->tags, 2);
    gain(JOKER_TAG_FOIL);
    CHECK_INT(s->tags, 3); /* both doubled it */
    for (int i = 0; i < 3; i++) {
        CHECK_INT(s->tag[i].id, JOKER_TAG_FOIL);
    }
    begin();
    s->money = 3;
    gain(JOKER_TAG_DOUBLE);
    gain(JOKER_TAG_ECONOMY);
    CHECK_INT(s->money, 12);
    CHECK_INT(s->tags, 0);
}
static void tag_juggle(void) {
    begin();
    gain(JOKER_TAG_JUGGLE);
    gain(JOKER_TAG_JUGGLE);
    at_blind(JOKER_BL_SMALL);
    CHECK_INT(s->held, 14);
    CHECK_INT(s->tags, 0);
    win();
    at_blind(JOKER_BL_BIG);
    CHECK_INT(s->held, 8);
}
static void tag_d_six(void) {
    in_next_shop(JOKER_TAG_D_SIX);
    CHECK_INT(s->tags, 0);
    CHECK_INT(joker_reroll_price(m, s), 0);
    joker_reroll(m, s);
    CHECK_INT(joker_reroll_price(m, s), 1);
    joker_leave_shop(m, s);
    to_shop(JOKER_BL_BIG);
    CHECK_INT(joker_reroll_price(m, s), 5);
}
static void tag_top_up(void) {
    begin();
    give(JOKER_J_BARON);
    s->joker_slots = 2;
    gain(JOKER_TAG_TOP_UP);
    CHECK_INT(s->jokers, 2);
    CHECK_INT(joker_joker_facts[s->joker[1].id].rarity, JOKER_COMMON);
    s->joker_slots = 6;
    gain(JOKER_TAG_TOP_UP);
    CHECK_INT(s->jokers, 4);
}
static void tag_skip(void) {
    begin();
    s->money = 0;
    s->tag_small = s->tag_big = JOKER_TAG_SKIP;
    joker_skip_blind(m, s);
    CHECK_INT(s->money, 5);
    CHECK_INT(s->last_tag, JOKER_TAG_SKIP);
    joker_skip_blind(m, s);
    CHECK_INT(s->money, 15);
    CHECK_INT(s->blind, 2);
    CHECK(!joker_can_skip_blind(m, s));
}
static void tag_orbital(void) {
    begin();
    s->tag_big = JOKER_TAG_ORBITAL;
    s->blind = 1;
    int hand = s->orbital[1];
    CHECK(hand < JOKER_HANDS);
    joker_skip_blind(m, s);
    CHECK_INT(s->level[hand], 4);
}
static void tag_economy(void) {
    begin();
    static const int money[3][2] = {{7, 14}, {50, 90}, {-4, -4}};
    for (int i = 0; i < 3; i++) {
        s->money = money[i][0];
        gain(JOKER_TAG_ECONOMY);
        CHECK_INT(s->money, money[i][1]);
    }
}

static void (*const tags[JOKER_TAGS])(void) = {
    [JOKER_TAG_UNCOMMON] = tag_uncommon,
    [JOKER_TAG_RARE] = tag_rare,
    [JOKER_TAG_NEGATIVE] = tag_negative,
    [JOKER_TAG_FOIL] = tag_foil,
    [JOKER_TAG_HOLO] = tag_holo,
    [JOKER_TAG_POLYCHROME] = tag_polychrome,
    [JOKER_TAG_INVESTMENT] = tag_investment,
    [JOKER_TAG_VOUCHER] = tag_voucher,
    [JOKER_TAG_BOSS] = tag_boss,
    [JOKER_TAG_STANDARD] = tag_standard,
    [JOKER_TAG_CHARM] = tag_charm,
    [JOKER_TAG_METEOR] = tag_meteor,
    [JOKER_TAG_BUFFOON] = tag_buffoon,
    [JOKER_TAG_HANDY] = tag_handy,
    [JOKER_TAG_GARBAGE] = tag_garbage,
    [JOKER_TAG_ETHEREAL] = tag_ethereal,
    [JOKER_TAG_COUPON] = tag_coupon,
    [JOKER_TAG_DOUBLE] = tag_double,
    [JOKER_TAG_JUGGLE] = tag_juggle,
    [JOKER_TAG_D_SIX] = tag_d_six,
    [JOKER_TAG_TOP_UP] = tag_top_up,
    [JOKER_TAG_SKIP] = tag_skip,
    [JOKER_TAG_ORBITAL] = tag_orbital,
    [JOKER_TAG_ECONOMY] = tag_economy,
};

TEST(every_tag) {
    for (int id = 0; id < JOKER_TAGS; id++) {
        if (!tags[id]) {
            lu_test_fail(__FILE__, __LINE__, "%s has no case", joker_tag_words[id].key);
            continue;
        }
        tags[id]();
    }
}

TEST(packs_of_tags_come_one_after_the_other) {
    begin();
    gain(JOKER_TAG_CHARM);
    gain(JOKER_TAG_BOSS);
    gain(JOKER_TAG_METEOR);
    int boss = s->boss;
    s->tag_small = JOKER_TAG_ECONOMY;
    joker_skip_blind(m, s);
    CHECK_INT(s->pack_open, JOKER_PACK_ARCANA + 1);
    CHECK_INT(s->boss, boss);
    joker_skip_pack(m, s);
    CHECK_INT(s->pack_open, JOKER_PACK_CELESTIAL + 1);
    CHECK(s->boss != boss);
    joker_skip_pack(m, s);
    CHECK_INT(s->pack_open, 0);
    CHECK_INT(s->tags, 0);
}

TEST(tags_that_find_no_place_are_counted) {
    begin();
    for (int i = 0; i < JOKER_TAGS_MAX + 3; i++) {
        gain(JOKER_TAG_COUPON);
    }
    CHECK_INT(s->tags, JOKER_TAGS_MAX);
    CHECK_INT(s->full[JOKER_FULL_TAGS], 3);
}

/* A shop has room for the voucher of the ante and one of a tag. */
TEST(vouchers_that_find_no_place_are_counted) {
    begin();
    s->ante_voucher = JOKER_V_TELESCOPE;
    gain(JOKER_TAG_VOUCHER);
    joker_fill_shop(m, s);
    CHECK(s->voucher[0].id == JOKER_V_TELESCOPE && s->voucher[1].id != JOKER_NONE);
    CHECK_INT(s->full[JOKER_FULL_VOUCHERS], 0);
    gain(JOKER_TAG_VOUCHER);
    gain(JOKER_TAG_VOUCHER);
    joker_fill_shop(m, s);
    CHECK(s->voucher[0].id == JOKER_V_TELESCOPE && s->voucher[1].id != JOKER_NONE);
    CHECK_INT(s->full[JOKER_FULL_VOUCHERS], 1);
    CHECK_INT(s->tags, 0);
}
