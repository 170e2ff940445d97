/* Consumables: a case for every row of their tables, and a test that fails when a row has none. */
#include "joker_test.h"

/* ---- Tarots ---- */

/* A round with given cards. */
static void holding(const char *cards) {
    begin();
    at_blind(JOKER_BL_SMALL);
    hold(cards);
}

/* Cards 0 and 1 are changed, card 2 is not; one more than `most` cannot be chosen. */
static void check_enhances(int id, int most, int enhancement) {
    holding("AS:1R 2D 3C 4H");
    CHECK(!joker_can_use(m, s, id, 0));
    CHECK(!joker_can_use(m, s, id, (uint16_t)((2u << most) - 1u)));
    held(0)->bonus = 10;
    CHECK(use(id, (uint16_t)((1u << most) - 1u)));
    for (int i = 0; i < 4; i++) {
        CHECK_INT(held(i)->enhancement, i < most ? enhancement : JOKER_PLAIN);
    }
    CHECK_INT(held(0)->edition, JOKER_FOIL); /* all else stays */
    CHECK_INT(held(0)->seal, JOKER_RED_SEAL);
    CHECK_INT(held(0)->bonus, 10);
    CHECK_INT(s->tarots, 1);
    CHECK_INT(s->last_used, id);
}
static void magician(void) {
    check_enhances(JOKER_C_MAGICIAN, 2, JOKER_LUCKY);
}
static void empress(void) {
    check_enhances(JOKER_C_EMPRESS, 2, JOKER_MULT);
}
static void hierophant(void) {
    check_enhances(JOKER_C_HEIROPHANT, 2, JOKER_BONUS);
}
static void lovers(void) {
    check_enhances(JOKER_C_LOVERS, 1, JOKER_WILD);
}
static void chariot(void) {
    check_enhances(JOKER_C_CHARIOT, 1, JOKER_STEEL);
}
static void justice(void) {
    check_enhances(JOKER_C_JUSTICE, 1, JOKER_GLASS);
}
static void devil(void) {
    check_enhances(JOKER_C_DEVIL, 1, JOKER_GOLD);
}
static void tower(void) {
    check_enhances(JOKER_C_TOWER, 1, JOKER_STONE);
}

static void check_suit(int id, int suit) {
    holding("AS 9H 7C 5D");
    CHECK(!joker_can_use(m, s, id, 15u));
    CHECK(use(id, 7u));
    for (int i = 0; i < 3; i++) {
        CHECK_INT(held(i)->suit, suit);
    }
    CHECK_INT(held(3)->suit, JOKER_DIAMONDS);
}
static void star(void) {
    check_suit(JOKER_C_STAR, JOKER_DIAMONDS);
}
static void moon(void) {
    check_suit(JOKER_C_MOON, JOKER_CLUBS);
}
static void sun(void) {
    check_suit(JOKER_C_SUN, JOKER_HEARTS);
}
static void world(void) {
    check_suit(JOKER_C_WORLD, JOKER_SPADES);
}

static void fool(void) {
    begin();
    CHECK(!joker_can_use(m, s, JOKER_C_FOOL, 0)); /* nothing was used yet */
    use(JOKER_C_PLUTO, 0);
    use(JOKER_C_BLACK_HOLE, 0); /* Spectrals do not count */
    CHECK(use(JOKER_C_FOOL, 0));
    CHECK_INT(s->bag, 1);
    CHECK_INT(s->consumable[0].id, JOKER_C_PLUTO);
    CHECK(!joker_can_use(m, s, JOKER_C_FOOL, 0)); /* never another Fool */
    use(JOKER_C_HERMIT, 0);
    joker_gain_consumable(m, s, JOKER_C_FOOL);
    CHECK(!joker_can_use(m, s, JOKER_C_FOOL, 0)); /* no slot for one from the shop ... */
    CHECK(joker_can_use_consumable(m, s, 1, 0));  /* ... but its own gets free */
    joker_use_consumable(m, s, 1, 0);
    CHECK_INT(s->consumable[1].id, JOKER_C_HERMIT);
}
static void check_two(int id, int set) {
    begin();
    joker_gain_consumable(m, s, id);
    CHECK(joker_can_use_consumable(m, s, 0, 0));
    joker_use_consumable(m, s, 0, 0);
    CHECK_INT(s->bag, 2);
    CHECK_INT(joker_consumable_facts[s->consumable[0].id].set, set);
    CHECK_INT(joker_consumable_facts[s->consumable[1].id].set, set);
    CHECK(!joker_can_use(m, s, id, 0));
    s->consumable[0].id = (uint8_t)id; /* in a full bag its own slot is the only one */
    joker_use_consumable(m, s, 0, 0);
    CHECK_INT(s->bag, 2);
}
static void high_priestess(void) {
    check_two(JOKER_C_HIGH_PRIESTESS, JOKER_PLANET);
}
static void emperor(void) {
    check_two(JOKER_C_EMPEROR, JOKER_TAROT);
}
static void hermit(void) {
    begin();
    static const int money[4][2] = {{7, 14}, {30, 50}, {-3, -3}, {0, 0}};
    for (int i = 0; i < 4; i++) {
        s->money = money[i][0];
        CHECK(use(JOKER_C_HERMIT, 0));
        CHECK_INT(s->money, money[i][1]);
    }
}
static void wheel_of_fortune(void) {
    int hits = 0, kinds[JOKER_EDITIONS] = {0};
    begin();
    CHECK(!joker_can_use(m, s, JOKER_C_WHEEL_OF_FORTUNE, 0));
    give(JOKER_J_JOKER)->edition = JOKER_NEGATIVE;
    CHECK(!joker_can_use(m, s, JOKER_C_WHEEL_OF_FORTUNE, 0));
    give(JOKER_J_BARON);
    for (int i = 0; i < 2000; i++) {
        s->joker[1].edition = JOKER_BASE;
        s->joker[1].price = 8;
        CHECK(use(JOKER_C_WHEEL_OF_FORTUNE, 0));
        hits += s->joker[1].edition != JOKER_BASE;
        kinds[s->joker[1].edition]++;
        CHECK_INT(s->joker[1].price, 8 + joker_edition_price[s->joker[1].edition]);
    }
    CHECK(hits > 420 && hits < 580);
    CHECK(kinds[JOKER_FOIL] > kinds[JOKER_HOLO] && kinds[JOKER_HOLO] > kinds[JOKER_POLY]);
    CHECK(kinds[JOKER_POLY] > 40 && kinds[JOKER_NEGATIVE] == 0);
}
static void strength(void) {
    holding("KS AD 3C");
    CHECK(use(JOKER_C_STRENGTH, 3u));
    CHECK_INT(held(0)->rank, JOKER_ACE);
    CHECK_INT(held(1)->rank, 2);
    CHECK_INT(held(1)->suit, JOKER_DIAMONDS);
    CHECK_INT(held(2)->rank, 3);
}
static void hanged_man(void) {
    holding("AS KS QS");
    CHECK(!joker_can_use(m, s, JOKER_C_HANGED_MAN, 7u));
    CHECK(use(JOKER_C_HANGED_MAN, 6u));
    CHECK_INT(s->held, 1);
    CHECK_INT(s->owned, 50);
}
static void death(void) {
    holding("AS KD:gR2 QS");
    held(1)->bonus = 15;
    uint16_t order = held(0)->order;
    CHECK(!joker_can_use(m, s, JOKER_C_DEATH, 1u));
    CHECK(use(JOKER_C_DEATH, 3u));
    for (int i = 0; i < 2; i++) {
        CHECK_INT(held(i)->rank, JOKER_KING);
        CHECK_INT(held(i)->suit, JOKER_DIAMONDS);
        CHECK_INT(held(i)->enhancement, JOKER_GLASS);
        CHECK_INT(held(i)->seal, JOKER_RED_SEAL);
        CHECK_INT(held(i)->edition, JOKER_HOLO);
        CHECK_INT(held(i)->bonus, 15);
    }
    CHECK_INT(held(0)->order, order);
    CHECK_INT(s->owned, 52);
}
static void temperance(void) {
    begin();
    s->money = 0;
    CHECK(use(JOKER_C_TEMPERANCE, 0));
    CHECK_INT(s->money, 0);
    give(JOKER_J_BARON);
    give(JOKER_J_JOKER)->bonus = 4;
    CHECK(use(JOKER_C_TEMPERANCE, 0));
    CHECK_INT(s->money, 4 + 1 + 4);
    s->joker[0].bonus = 100;
    CHECK(use(JOKER_C_TEMPERANCE, 0));
    CHECK_INT(s->money, 9 + 50);
}
static void judgement(void) {
    begin();
    CHECK(use(JOKER_C_JUDGEMENT, 0));
    CHECK_INT(s->jokers, 1);
    s->joker_slots = 1;
    CHECK(!joker_can_use(m, s, JOKER_C_JUDGEMENT, 0));
}

/* ---- Planets ---- */

static void planet(void) {
    for (int id = JOKER_C_MERCURY; id <= JOKER_C_ERIS; id++) {
        int hand = joker_consumable_facts[id].hand;
        begin();
        CHECK(use(id, 0));
        for (int k = 0; k < JOKER_HANDS; k++) {
            CHECK_INT(s->level[k], k == hand ? 2 : 1);
        }
        CHECK_INT(joker_hand_facts[hand].planet, id);
        CHECK_HEX(s->planets_used, 1u << (id - JOKER_C_MERCURY));
        CHECK_INT(s->tarots, 0);
    }
}

/* ---- Spectrals ---- */

static void check_summons(int id, int count, int low, int high) {
    begin();
    CHECK(!joker_can_use(m, s, id, 0)); /* no hand */
    uint32_t suits = 0, kinds = 0;
    for (int k = 0; k < 40; k++) {
        holding("5S 5D 5C");
        uint16_t newest = s->next_order;
        s->rng = (uint64_t)k * 99991u;
        CHECK(use(id, 0));
        CHECK_INT(s->held, 2 + count);
        CHECK_INT(s->owned, 51 + count);
        for (int i = 0; i < s->held; i++) {
            if (held(i)->order >= newest) {
                CHECK(held(i)->rank >= low && held(i)->rank <= high);
                suits |= 1u << held(i)->suit;
                kinds |= 1u << held(i)->enhancement;
            }
        }
    }
    CHECK_HEX(suits, 15u);
    CHECK_HEX(kinds, 0x1feu & ~(1u << JOKER_STONE)); /* always enhanced, never Stone */
}
static void familiar(void) {
    check_summons(JOKER_C_FAMILIAR, 3, JOKER_JACK, JOKER_KING);
}
static void grim(void) {
    check_summons(JOKER_C_GRIM, 2, JOKER_ACE, JOKER_ACE);
}
static void incantation(void) {
    check_summons(JOKER_C_INCANTATION, 4, 2, 10);
}
static void check_seal(int id, int seal) {
    holding("AS KS:R QS");
    CHECK(!joker_can_use(m, s, id, 3u));
    CHECK(use(id, 2u));
    CHECK_INT(held(1)->seal, seal);
    CHECK_INT(held(0)->seal, JOKER_NO_SEAL);
    CHECK_INT(s->last_used, JOKER_NONE);
}
static void talisman(void) {
    check_seal(JOKER_C_TALISMAN, JOKER_GOLD_SEAL);
}
static void deja_vu(void) {
    check_seal(JOKER_C_DEJA_VU, JOKER_RED_SEAL);
}
static void trance(void) {
    check_seal(JOKER_C_TRANCE, JOKER_BLUE_SEAL);
}
static void medium(void) {
    check_seal(JOKER_C_MEDIUM, JOKER_PURPLE_SEAL);
}
static void aura(void) {
    int kinds[JOKER_EDITIONS] = {0};
    for (int k = 0; k < 300; k++) {
        holding("AS KS:1");
        s->rng = (uint64_t)k;
        CHECK(!joker_can_use(m, s, JOKER_C_AURA, 2u)); /* has an edition */
        CHECK(use(JOKER_C_AURA, 1u));
        kinds[held(0)->edition]++;
    }
    CHECK_INT(kinds[JOKER_BASE] + kinds[JOKER_NEGATIVE], 0);
    CHECK(kinds[JOKER_FOIL] > 120 && kinds[JOKER_HOLO] > 75 && kinds[JOKER_POLY] > 20);
}
static void wraith(void) {
    begin();
    s->money = 30;
    CHECK(use(JOKER_C_WRAITH, 0));
    CHECK_INT(s->money, 0);
    CHECK_INT(joker_joker_facts[s->joker[0].id].rarity, JOKER_RARE);
    s->joker_slots = 1;
    CHECK(!joker_can_use(m, s, JOKER_C_WRAITH, 0));
}
static void sigil(void) {
    holding("AS KH QC JD");
    CHECK(use(JOKER_C_SIGIL, 0));
    for (int i = 1; i < 4; i++) {
        CHECK_INT(held(i)->suit, held(0)->suit);
        CHECK_INT(held(i)->rank, JOKER_ACE - i);
    }
    CHECK_INT(s->hand_size, 8);
}
static void ouija(void) {
    holding("AS KH QC JD");
    CHECK(use(JOKER_C_OUIJA, 0));
    for (int i = 1; i < 4; i++) {
        CHECK_INT(held(i)->rank, held(0)->rank);
        CHECK_INT(held(i)->suit, i); /* as before */
    }
    CHECK_INT(s->hand_size, 7);
}
static void ectoplasm(void) {
    begin();
    CHECK(!joker_can_use(m, s, JOKER_C_ECTOPLASM, 0));
    give(JOKER_J_JOKER);
    give(JOKER_J_BARON);
    give(JOKER_J_MIME);
    static const int sizes[3] = {7, 5, 2};
    for (int i = 0; i < 3; i++) {
        CHECK(use(JOKER_C_ECTOPLASM, 0));
        CHECK_INT(s->hand_size, sizes[i]);
    }
    CHECK(!joker_can_use(m, s, JOKER_C_ECTOPLASM, 0));
    CHECK_INT(joker_room_jokers(s), 5);
}
static void immolate(void) {
    holding("AS KH QC JD 9S 8S 7S");
    s->money = 1;
    CHECK(use(JOKER_C_IMMOLATE, 0));
    CHECK_INT(s->held, 2);
    CHECK_INT(s->owned, 47);
    CHECK_INT(s->money, 21);
    CHECK(use(JOKER_C_IMMOLATE, 0)); /* fewer if fewer are held */
    CHECK_INT(s->held, 0);
    CHECK_INT(s->owned, 45);
}
static void ankh(void) {
    int kept[3] = {0};
    begin();
    CHECK(!joker_can_use(m, s, JOKER_C_ANKH, 0));
    for (int k = 0; k < 90; k++) {
        begin_run(JOKER_B_RED, 0, (uint64_t)k);
        give(JOKER_J_JOKER);
        give(JOKER_J_BARON)->edition = JOKER_NEGATIVE;
        give(JOKER_J_EGG)->flags = JOKER_ETERNAL;
        CHECK(use(JOKER_C_ANKH, 0));
        int copy = s->joker[s->jokers - 1].id;
        kept[copy == JOKER_J_JOKER ? 0 : copy == JOKER_J_BARON ? 1 : 2]++;
        CHECK_INT(s->jokers, copy == JOKER_J_EGG ? 2 : 3);
        CHECK(s->joker[s->jokers - 1].edition != JOKER_NEGATIVE);
    }
    CHECK(kept[0] > 15 && kept[1] > 15 && kept[2] > 15);
}
static void hex(void) {
    begin();
    give(JOKER_J_JOKER)->edition = JOKER_FOIL;
    CHECK(!joker_can_use(m, s, JOKER_C_HEX, 0));
    give(JOKER_J_BARON);
    give(JOKER_J_EGG)->flags = JOKER_ETERNAL;
    s->joker[2].edition = JOKER_HOLO;
    CHECK(use(JOKER_C_HEX, 0));
    CHECK_INT(s->jokers, 2);
    CHECK_INT(s->joker[0].id, JOKER_J_BARON);
    CHECK_INT(s->joker[0].edition, JOKER_POLY);
    CHECK_INT(s->joker[0].price, 13);
}
static void cryptid(void) {
    holding("AS:gR1 KH");
    held(0)->bonus = 5;
    CHECK(use(JOKER_C_CRYPTID, 1u));
    CHECK_INT(s->held, 4);
    CHECK_INT(s->owned, 54);
    for (int i = 0; i < 4; i++) {
        CHECK_INT(held(i)->rank, i == 1 ? JOKER_KING : JOKER_ACE);
        CHECK_INT(held(i)->bonus, i == 1 ? 0 : 5);
        CHECK_INT(held(i)->seal, i == 1 ? JOKER_NO_SEAL : JOKER_RED_SEAL);
        CHECK_INT(held(i)->edition, i == 1 ? JOKER_BASE : JOKER_FOIL);
    }
    CHECK(broken_orders() == NULL);
}
static void soul(void) {
    begin();
    CHECK(use(JOKER_C_SOUL, 0));
    CHECK_INT(joker_joker_facts[s->joker[0].id].rarity, JOKER_LEGENDARY);
    s->joker_slots = 1;
    CHECK(!joker_can_use(m, s, JOKER_C_SOUL, 0));
}
static void black_hole(void) {
    begin();
    CHECK(use(JOKER_C_BLACK_HOLE, 0));
    for (int hand = 0; hand < JOKER_HANDS; hand++) {
        CHECK_INT(s->level[hand], 2);
    }
    CHECK_INT(s->planets_used, 0);
}

static void (*const consumables[JOKER_CONSUMABLES])(void) = {
    [JOKER_C_FOOL] = fool,
    [JOKER_C_MAGICIAN] = magician,
    [JOKER_C_HIGH_PRIESTESS] = high_priestess,
    [JOKER_C_EMPRESS] = empress,
    [JOKER_C_EMPEROR] = emperor,
    [JOKER_C_HEIROPHANT] = hierophant,
    [JOKER_C_LOVERS] = lovers,
    [JOKER_C_CHARIOT] = chariot,
    [JOKER_C_JUSTICE] = justice,
    [JOKER_C_HERMIT] = hermit,
    [JOKER_C_WHEEL_OF_FORTUNE] = wheel_of_fortune,
    [JOKER_C_STRENGTH] = strength,
    [JOKER_C_HANGED_MAN] = hanged_man,
    [JOKER_C_DEATH] = death,
    [JOKER_C_TEMPERANCE] = temperance,
    [JOKER_C_DEVIL] = devil,
    [JOKER_C_TOWER] = tower,
    [JOKER_C_STAR] = star,
    [JOKER_C_MOON] = moon,
    [JOKER_C_SUN] = sun,
    [JOKER_C_JUDGEMENT] = judgement,
    [JOKER_C_WORLD] = world,
    [JOKER_C_MERCURY] = planet,
    [JOKER_C_VENUS] = planet,
    [JOKER_C_EARTH] = planet,
    [JOKER_C_MARS] = planet,
    [JOKER_C_JUPITER] = planet,
    [JOKER_C_SATURN] = planet,
    [JOKER_C_URANUS] = planet,
    [JOKER_C_NEPTUNE] = planet,
    [JOKER_C_PLUTO] = planet,
    [JOKER_C_PLANET_X] = planet,
    [JOKER_C_CERES] = planet,
    [JOKER_C_ERIS] = planet,
    [JOKER_C_FAMILIAR] = familiar,
    [JOKER_C_GRIM] = grim,
    [JOKER_C_INCANTATION] = incantation,
    [JOKER_C_TALISMAN] = talisman,
    [JOKER_C_AURA] = aura,
    [JOKER_C_WRAITH] = wraith,
    [JOKER_C_SIGIL] = sigil,
    [JOKER_C_OUIJA] = ouija,
    [JOKER_C_ECTOPLASM] = ectoplasm,
    [JOKER_C_IMMOLATE] = immolate,
    [JOKER_C_ANKH] = ankh,
    [JOKER_C_DEJA_VU] = deja_vu,
    [JOKER_C_HEX] = hex,
    [JOKER_C_TRANCE] = trance,
    [JOKER_C_MEDIUM] = medium,
    [JOKER_C_CRYPTID] = cryptid,
    [JOKER_C_SOUL] = soul,
    [JOKER_C_BLACK_HOLE] = black_hole,
};

TEST(every_consumable) {
    for (int id = 0; id < JOKER_CONSUMABLES; id++) {
        if (!consumables[id]) {
            lu_test_fail(__FILE__, __LINE__, "%s has no case", joker_consumable_words[id].key);
            continue;
        }
        consumables[id]();
        begin(); /* what needs chosen cards cannot be used without a hand */
        bool needs = joker_consumable_facts[id].choose_min > 0;
        CHECK(!needs || !joker_can_use(m, s, id, 0));
    }
}

TEST(a_changed_card_is_looked_at_by_the_boss) {
    begin();
    at_blind(JOKER_BL_GOAD);
    hold("AS KH");
    CHECK(held(0)->flags & JOKER_CARD_DEBUFFED);
    CHECK(use(JOKER_C_SUN, 1u));
    CHECK(!(held(0)->flags & JOKER_CARD_DEBUFFED));
    CHECK(use(JOKER_C_LOVERS, 2u)); /* a Wild card counts as Spades */
    CHECK(held(1)->flags & JOKER_CARD_DEBUFFED);
}
