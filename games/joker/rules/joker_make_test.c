/* Making things: prices, what blocks a pool, tags in the shop, vouchers that change shop and packs,
 * bosses, start values of decks and stakes. What seeds give is in tools/verify_test.c. */
#include "rules/joker_make.h"

#include "test.h"

#include <stdlib.h>

typedef struct run {
    joker_rules m;
    joker_state *s;
} run;

static run run_new(int deck, int stake, const char *seed) {
    run r = {.m = {.deck = deck, .stake = stake, .win_ante = 8}};
    r.s = calloc(1, sizeof *r.s);
    joker_seed_text(&r.m, r.s, seed);
    joker_new_run(&r.m, r.s);
    return r;
}

static void give_joker(run *r, int id) {
    joker_item item;
    joker_make_this_joker(&r->m, r->s, id, JOKER_SUFFIX_JUD, JOKER_PLACE_NONE, &item);
    joker_add_joker(&r->m, r->s, &item.joker);
}

static void give_tag(run *r, int id) {
    r->s->tag[r->s->tags++].id = (uint8_t)id;
}

/* ---- prices ---- */

TEST(prices_follow_edition_discount_and_stickers) {
    run r = run_new(JOKER_B_RED, 0, "PRICES");
    joker_joker joker = {.id = JOKER_J_BLUEPRINT};
    CHECK_INT(joker_joker_price(r.s, &joker), 10);
    joker.edition = JOKER_NEGATIVE;
    CHECK_INT(joker_joker_price(r.s, &joker), 15);
    r.s->discount = 25;
    CHECK_INT(joker_joker_price(r.s, &joker), 11); /* 15.5 * 0.75 = 11.6 */
    r.s->discount = 50;
    CHECK_INT(joker_joker_price(r.s, &joker), 7);
    CHECK_INT(joker_voucher_price(r.s, JOKER_V_BLANK), 5);
    CHECK_INT(joker_consumable_price(r.s, JOKER_C_FOOL, JOKER_BASE), 1);
    joker.flags = JOKER_RENTAL;
    CHECK_INT(joker_joker_price(r.s, &joker), 1);
    joker.price = 1;
    CHECK_INT(joker_sell_value(&joker), 1);
    joker.price = 7;
    joker.bonus = 4;
    CHECK_INT(joker_sell_value(&joker), 7);
    r.s->discount = 0;
    give_joker(&r, JOKER_J_ASTRONOMER);
    CHECK_INT(joker_consumable_price(r.s, JOKER_C_MARS, JOKER_BASE), 0);
    CHECK_INT(joker_pack_price(r.s, JOKER_P_CELESTIAL_MEGA_1), 0);
    CHECK_INT(joker_pack_price(r.s, JOKER_P_ARCANA_MEGA_1), 8);
    r.s->joker[0].flags = JOKER_DEBUFFED;
    CHECK_INT(joker_consumable_price(r.s, JOKER_C_MARS, JOKER_BASE), 3);
    free(r.s);
}

TEST(all_prices_are_made_anew) {
    run r = run_new(JOKER_B_MAGIC, 0, "ANEW");
    joker_fill_shop(&r.m, r.s);
    give_joker(&r, JOKER_J_BLUEPRINT);
    r.s->joker[0].edition = JOKER_BASE;
    r.s->shop[0].free = 1;
    r.s->discount = 50;
    joker_reprice(r.s);
    CHECK_INT(r.s->joker[0].price, 5);
    CHECK_INT(r.s->consumable[0].price, 1);
    CHECK_INT(r.s->shop[0].price, 0);
    CHECK_INT(r.s->voucher[0].price, 5);
    CHECK_INT(r.s->pack[0].price, 2);
    free(r.s);
}

/* ---- pools ---- */

/* Everything on display or owned is different, in many shops and packs; with Showman copies come.
 */
TEST(copies_come_only_with_showman) {
    for (int showman = 0; showman < 2; showman++) {
        run r = run_new(JOKER_B_GHOST, 0, "COPIES");
        int copies = 0;
        r.s->shop_slots = 4;
        give_joker(&r, showman ? JOKER_J_RING_MASTER : JOKER_J_JOKER);
        give_joker(&r, JOKER_J_EGG);
        for (int visit = 0; visit < 400; visit++) {
            r.s->ante = r.s->top_ante = (int16_t)(1 + visit / 20);
            visit % 4 ? joker_reroll_shop(&r.m, r.s) : joker_fill_shop(&r.m, r.s);
            joker_open_pack(&r.m, r.s, visit % 2 ? JOKER_P_BUFFOON_MEGA_1 : JOKER_P_ARCANA_MEGA_1);
            joker_taken taken = {{0, 0, 0}, (uint64_t)1 << JOKER_C_HEX};
            taken.jokers[r.s->joker[0].id >> 6] |= (uint64_t)1 << (r.s->joker[0].id & 63);
            taken.jokers[0] |= (uint64_t)1 << JOKER_J_EGG;
            for (int i = 0; i < 4 + r.s->pack_shown; i++) {
                const joker_item *item = i < 4 ? &r.s->shop[i] : &r.s->shown[i - 4];
                joker_taken before = taken;
                joker_take_item(&taken, item);
                copies += memcmp(&before, &taken, sizeof taken) == 0;
            }
            joker_clear_pack(r.s);
        }
        CHECK(showman ? copies > 50 : copies == 0);
        free(r.s);
    }
}

TEST(jokers_wait_for_their_condition) {
    static const struct {
        int joker, enhancement;
    } rows[] = {{JOKER_J_STEEL_JOKER, JOKER_STEEL},
                {JOKER_J_STONE, JOKER_STONE},
                {JOKER_J_TICKET, JOKER_GOLD},
                {JOKER_J_LUCKY_CAT, JOKER_LUCKY},
                {JOKER_J_GLASS, JOKER_GLASS}};
    run r = run_new(JOKER_B_RED, 0, "CONDITION");
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        CHECK(!joker_in_pool(r.s, rows[i].joker));
        r.s->card[i].enhancement = (uint8_t)rows[i].enhancement;
        CHECK(joker_in_pool(r.s, rows[i].joker));
    }
    CHECK(joker_in_pool(r.s, JOKER_J_GROS_MICHEL) && !joker_in_pool(r.s, JOKER_J_CAVENDISH));
    r.s->gros_michel_gone = 1;
    CHECK(!joker_in_pool(r.s, JOKER_J_GROS_MICHEL) && joker_in_pool(r.s, JOKER_J_CAVENDISH));
    CHECK(!joker_planet_open(r.s, JOKER_C_ERIS) && joker_planet_open(r.s, JOKER_C_PLUTO));
    r.s->plays[JOKER_FLUSH_FIVE] = 1;
    CHECK(joker_planet_open(r.s, JOKER_C_ERIS));
    free(r.s);
}

/* With every entry blocked the fallback comes. */
TEST(an_empty_pool_gives_its_fallback) {
    run r = run_new(JOKER_B_RED, 0, "EMPTY");
    joker_item item;
    for (int i = 0; i < 5; i++) {
        give_joker(&r, joker_by_rarity[joker_rarity_from[JOKER_LEGENDARY] + i]);
    }
    joker_make_joker(&r.m, r.s, JOKER_LEGENDARY, JOKER_SUFFIX_SOU, JOKER_PLACE_NONE, &item);
    CHECK_INT(item.joker.id, JOKER_J_JOKER);
    r.s->vouchers = UINT32_MAX;
    joker_draw_voucher(&r.m, r.s);
    CHECK_INT(r.s->ante_voucher, JOKER_V_BLANK);
    free(r.s);
}

/* ---- the shop ---- */

TEST(tags_act_in_the_shop) {
    run r = run_new(JOKER_B_RED, 0, "TAGS");
    give_tag(&r, JOKER_TAG_HANDY);
    give_tag(&r, JOKER_TAG_NEGATIVE);
    give_tag(&r, JOKER_TAG_RARE);
    give_tag(&r, JOKER_TAG_UNCOMMON);
    give_tag(&r, JOKER_TAG_D_SIX);
    give_tag(&r, JOKER_TAG_VOUCHER);
    joker_fill_shop(&r.m, r.s);
    CHECK_INT(r.s->tags, 1); /* only the Handy Tag is still there */
    CHECK_INT(r.s->tag[0].id, JOKER_TAG_HANDY);
    CHECK_INT(joker_joker_facts[r.s->shop[0].joker.id].rarity, JOKER_RARE);
    CHECK_INT(r.s->shop[0].joker.edition, JOKER_NEGATIVE);
    CHECK_INT(r.s->shop[0].price, 0);
    CHECK_INT(r.s->shop[0].joker.price,
              joker_joker_facts[r.s->shop[0].joker.id].price + joker_edition_price[JOKER_NEGATIVE]);
    CHECK_INT(joker_joker_facts[r.s->shop[1].joker.id].rarity, JOKER_UNCOMMON);
    CHECK_INT(r.s->shop[1].price, 0);
    CHECK_INT(r.s->reroll_base, 0);
    CHECK(r.s->voucher[1].id != JOKER_NONE && r.s->voucher[1].id != r.s->voucher[0].id);
    free(r.s);
}

TEST(a_coupon_makes_the_first_offer_free) {
    run r = run_new(JOKER_B_RED, 0, "COUPON");
    give_tag(&r, JOKER_TAG_COUPON);
    joker_fill_shop(&r.m, r.s);
    CHECK_INT(r.s->shop[0].price + r.s->shop[1].price + r.s->pack[0].price + r.s->pack[1].price, 0);
    CHECK_INT(r.s->voucher[0].price, 10);
    joker_reroll_shop(&r.m, r.s);
    CHECK(r.s->shop[0].price > 0 && r.s->shop[1].price > 0);
    free(r.s);
}

/* A Rare Tag whose twenty jokers are all owned is used up for nothing. */
TEST(a_rare_tag_needs_a_rare_joker_that_is_not_owned) {
    run r = run_new(JOKER_B_RED, 0, "RARE");
    int from = joker_rarity_from[JOKER_RARE];
    for (int i = 0; i < 16; i++) {
        give_joker(&r, joker_by_rarity[from + i]);
    }
    CHECK_INT(joker_rares_owned(r.s), 16);
    r.s->joker[0].id = r.s->joker[1].id;
    CHECK_INT(joker_rares_owned(r.s), 15);
    give_tag(&r, JOKER_TAG_RARE);
    joker_fill_shop(&r.m, r.s);
    CHECK_INT(r.s->tags, 0);
    CHECK_INT(r.s->shop[0].free, 1);
    free(r.s);
}

TEST(vouchers_change_what_the_shop_sells) {
    double weight[5];
    run r = run_new(JOKER_B_GHOST, 0, "WEIGHTS");
    joker_shop_weights(r.s, weight);
    CHECK(weight[0] == 20.0 && weight[1] == 4.0 && weight[2] == 4.0);
    CHECK(weight[3] == 0.0 && weight[4] == 2.0);
    r.s->vouchers = 1u << JOKER_V_TAROT_MERCHANT | 1u << JOKER_V_PLANET_MERCHANT |
                    1u << JOKER_V_PLANET_TYCOON | 1u << JOKER_V_MAGIC_TRICK |
                    1u << JOKER_V_ILLUSION;
    joker_shop_weights(r.s, weight);
    CHECK(weight[1] == 9.6 && weight[2] == 32.0 && weight[3] == 4.0);
    int cards = 0, enhanced = 0, editions = 0;
    for (int i = 0; i < 2000; i++) {
        joker_item item;
        joker_make_shop_card(&r.m, r.s, &item);
        if (item.kind == JOKER_KIND_CARD) {
            cards++;
            enhanced += item.card.enhancement != JOKER_PLAIN;
            editions += item.card.edition != JOKER_BASE;
            CHECK_INT(item.price, 1 + joker_edition_price[item.card.edition]);
        }
    }
    CHECK(cards > 70 && cards < 170); /* 4 of 67.6 parts: 118 */
    CHECK(enhanced > cards / 5 && enhanced < cards * 3 / 5);
    CHECK(editions > 0 && editions < cards * 2 / 5);
    free(r.s);
}

TEST(packs_show_what_their_kind_says) {
    run r = run_new(JOKER_B_RED, 0, "PACKS");
    for (int pack = 0; pack < JOKER_PACKS; pack++) {
        joker_open_pack(&r.m, r.s, pack);
        const joker_pack_fact *fact = &joker_pack_facts[pack];
        CHECK_INT(r.s->pack_shown, fact->shown);
        CHECK_INT(r.s->pack_picks, fact->picks);
        for (int i = 0; i < fact->shown; i++) {
            const joker_item *item = &r.s->shown[i];
            int set =
                item->kind == JOKER_KIND_CONSUMABLE ? joker_consumable_facts[item->id].set : -1;
            switch (fact->kind) {
            case JOKER_PACK_ARCANA:
                CHECK(set == JOKER_TAROT || item->id == JOKER_C_SOUL);
                break;
            case JOKER_PACK_CELESTIAL:
                CHECK(set == JOKER_PLANET || item->id == JOKER_C_BLACK_HOLE);
                break;
            case JOKER_PACK_SPECTRAL:
                CHECK_INT(set, JOKER_SPECTRAL);
                break;
            case JOKER_PACK_BUFFOON:
                CHECK_INT(item->kind, JOKER_KIND_JOKER);
                break;
            default:
                CHECK_INT(item->kind, JOKER_KIND_CARD);
                break;
            }
        }
        joker_clear_pack(r.s);
    }
    free(r.s);
}

TEST(telescope_and_omen_globe_change_packs) {
    run r = run_new(JOKER_B_NEBULA, 0, "TELESCOPE");
    joker_state fresh = *r.s;
    joker_open_pack(&r.m, r.s, JOKER_P_CELESTIAL_NORMAL_1);
    int normal = r.s->shown[0].id; /* no hand was played: a draw */
    *r.s = fresh;
    r.s->plays[JOKER_PAIR] = r.s->plays[JOKER_FLUSH] = 2;
    joker_open_pack(&r.m, r.s, JOKER_P_CELESTIAL_NORMAL_1);
    CHECK_INT(r.s->shown[0].id, JOKER_C_JUPITER); /* the stronger of the two */
    CHECK_INT(normal == JOKER_C_JUPITER ? normal : r.s->shown[1].id, normal);
    r.s->vouchers |= 1u << JOKER_V_OMEN_GLOBE;
    int spectrals = 0;
    for (int i = 0; i < 200; i++) {
        joker_open_pack(&r.m, r.s, JOKER_P_ARCANA_MEGA_1);
        for (int k = 0; k < 5; k++) {
            spectrals += joker_consumable_facts[r.s->shown[k].id].set == JOKER_SPECTRAL;
        }
    }
    CHECK(spectrals > 140 && spectrals < 260); /* a fifth of 1000 */
    free(r.s);
}

/* The Soul and Black Hole: three in a thousand, never in the shop. */
TEST(souls_are_rare) {
    run r = run_new(JOKER_B_GHOST, 0, "SOULS");
    int souls = 0, holes = 0;
    for (int i = 0; i < 20000; i++) {
        joker_item item;
        joker_make_consumable(&r.m, r.s, JOKER_SPECTRAL, JOKER_SUFFIX_SPE, true, &item);
        souls += item.id == JOKER_C_SOUL;
        holes += item.id == JOKER_C_BLACK_HOLE;
        joker_make_consumable(&r.m, r.s, JOKER_SPECTRAL, JOKER_SUFFIX_SHO, false, &item);
        CHECK(item.id != JOKER_C_SOUL && item.id != JOKER_C_BLACK_HOLE);
    }
    CHECK(souls > 30 && souls < 95);
    CHECK(holes > 30 && holes < 95);
    free(r.s);
}

TEST(stickers_come_with_the_stake) {
    for (int stake = 0; stake < JOKER_STAKES; stake++) {
        run r = run_new(JOKER_B_RED, stake, "STICKERS");
        int eternal = 0, perishable = 0, rental = 0;
        for (int i = 0; i < 2000; i++) {
            joker_item item;
            joker_make_joker(&r.m, r.s, -1, JOKER_SUFFIX_SHO, JOKER_PLACE_SHOP, &item);
            uint8_t may = joker_joker_facts[item.joker.id].flags;
            bool lasts = item.joker.flags & JOKER_ETERNAL,
                 ends = item.joker.flags & JOKER_PERISHABLE;
            CHECK(!(lasts && ends));
            CHECK(!lasts || (may & JOKER_IS_MAY_ETERNAL));
            CHECK(!ends || ((may & JOKER_IS_MAY_PERISH) && item.joker.rounds == 5));
            eternal += lasts;
            perishable += ends;
            rental += (item.joker.flags & JOKER_RENTAL) != 0;
        }
        CHECK(stake >= 3 ? eternal > 450 && eternal < 650 : eternal == 0);
        CHECK(stake >= 6 ? perishable > 350 && perishable < 620 : perishable == 0);
        CHECK(stake >= 7 ? rental > 500 && rental < 700 : rental == 0);
        free(r.s);
    }
}

/* ---- antes and the start ---- */

/* A boss comes again only when all that may come were there as often; showdowns on antes 8, 16 ..
 */
TEST(bosses_take_turns) {
    run r = run_new(JOKER_B_RED, 0, "BOSSES");
    uint8_t early[JOKER_BLINDS] = {0};
    early[r.s->boss] = 1;
    for (int i = 1; i < 8; i++) { /* the eight bosses of ante 1 */
        joker_draw_boss(&r.m, r.s);
        CHECK_INT(early[r.s->boss]++, 0);
        CHECK_INT(joker_blind_facts[r.s->boss].from, 1);
    }
    for (int ante = 2; ante <= 40; ante++) {
        r.s->ante = r.s->top_ante = (int16_t)ante;
        joker_draw_boss(&r.m, r.s);
        CHECK_INT(joker_blind_facts[r.s->boss].kind,
                  ante % 8 == 0 ? JOKER_BLIND_SHOWDOWN : JOKER_BLIND_BOSS);
        CHECK(ante % 8 == 0 || joker_blind_facts[r.s->boss].from <= ante);
    }
    r.s->ante = 0;
    joker_draw_boss(&r.m, r.s);
    CHECK_INT(joker_blind_facts[r.s->boss].from, 1);
    free(r.s);
}

TEST(tags_wait_for_their_ante) {
    for (int k = 0; k < 50; k++) {
        char seed[16];
        snprintf(seed, sizeof seed, "TAG%d", k);
        run r = run_new(JOKER_B_RED, 0, seed);
        CHECK_INT(joker_tag_from[r.s->tag_small], 1);
        CHECK_INT(joker_tag_from[r.s->tag_big], 1);
        free(r.s);
    }
}

TEST(decks_and_stakes_set_the_start) {
    for (int deck = 0; deck < JOKER_DECKS; deck++) {
        run r = run_new(deck, 4, "START");
        int faces = 0, black = 0;
        for (int i = 0; i < r.s->owned; i++) {
            faces += r.s->card[i].rank >= JOKER_JACK && r.s->card[i].rank <= JOKER_KING;
            black += r.s->card[i].suit == JOKER_CLUBS || r.s->card[i].suit == JOKER_DIAMONDS;
            CHECK_INT(r.s->card[i].order, i + 1);
        }
        CHECK_INT(r.s->owned, deck == JOKER_B_ABANDONED ? 40 : 52);
        CHECK_INT(r.s->draws, r.s->owned);
        CHECK(deck == JOKER_B_ERRATIC || faces == (deck == JOKER_B_ABANDONED ? 0 : 12));
        CHECK(deck == JOKER_B_ERRATIC || black == (deck == JOKER_B_CHECKERED ? 0 : r.s->owned / 2));
        CHECK_INT(r.s->round_discards, joker_deck_facts[deck].discards - 1);
        CHECK_INT(r.s->shop_slots, deck == JOKER_B_ZODIAC ? 3 : 2);
        CHECK_INT(r.s->bag, deck == JOKER_B_MAGIC ? 2 : deck == JOKER_B_GHOST ? 1 : 0);
        CHECK(joker_target(&r.m, r.s, 2, JOKER_BL_BIG) ==
              (deck == JOKER_B_PLASMA ? 2700.0 : 1350.0));
        CHECK_INT(joker_reward_of(r.s, JOKER_BL_SMALL), 0);
        CHECK_INT(joker_reward_of(r.s, JOKER_BL_BIG), 4);
        free(r.s);
    }
}

/* Round targets: The Ancient Joker's suit never repeats, Stone cards are never picked. */
TEST(round_targets_change) {
    run r = run_new(JOKER_B_RED, 0, "TARGETS");
    for (int i = 1; i < r.s->owned; i++) {
        r.s->card[i].enhancement = JOKER_STONE;
    }
    for (int i = 0; i < 50; i++) {
        int suit = r.s->ancient_suit;
        joker_round_targets(&r.m, r.s);
        CHECK(r.s->ancient_suit != suit && r.s->ancient_suit < JOKER_SUITS);
        CHECK_INT(r.s->idol_rank, 2);
        CHECK_INT(r.s->idol_suit, JOKER_CLUBS);
    }
    r.s->card[0].enhancement = JOKER_STONE;
    joker_round_targets(&r.m, r.s);
    CHECK_INT(r.s->mail_rank, JOKER_ACE);
    CHECK_INT(r.s->castle_suit, JOKER_SPADES);
    free(r.s);
}

/* The cheap generator follows the same rules: a run starts and shops are filled. */
TEST(the_fast_generator_fills_shops_too) {
    run r = {.m = {.deck = JOKER_B_ZODIAC, .stake = 7, .fast = 1}};
    r.s = calloc(1, sizeof *r.s);
    joker_seed_number(&r.m, r.s, 12345);
    joker_new_run(&r.m, r.s);
    for (int i = 0; i < 200; i++) {
        joker_fill_shop(&r.m, r.s);
        for (int k = 0; k < 3; k++) {
            CHECK(r.s->shop[k].kind != JOKER_KIND_NONE && r.s->shop[k].price > 0);
        }
    }
    CHECK_INT(r.s->streams, 0);
    free(r.s);
}

/* Capacities are counted, nothing is overrun. */
TEST(full_rows_are_counted) {
    run r = run_new(JOKER_B_RED, 0, "FULLROWS");
    joker_item item;
    joker_card card = joker_front(0);
    joker_make_this_consumable(r.s, JOKER_C_FOOL, &item);
    for (int i = 0; i < 200; i++) {
        give_joker(&r, JOKER_J_JOKER);
        joker_add_consumable(&r.m, r.s, &item);
        joker_add_card(&r.m, r.s, &card, i % 2 ? JOKER_ZONE_DRAW : JOKER_ZONE_HAND);
    }
    CHECK_INT(r.s->jokers, JOKER_ROW_MAX);
    CHECK_INT(r.s->bag, JOKER_BAG_MAX);
    CHECK_INT(r.s->owned, JOKER_DECK_MAX);
    CHECK_INT(r.s->held, JOKER_HAND_MAX);
    CHECK_INT(r.s->draws + r.s->held, JOKER_DECK_MAX);
    CHECK_INT(r.s->full[JOKER_FULL_ROW], 200 - JOKER_ROW_MAX);
    CHECK_INT(r.s->full[JOKER_FULL_BAG], 200 - JOKER_BAG_MAX);
    CHECK(r.s->full[JOKER_FULL_DECK] > 0 && r.s->full[JOKER_FULL_HAND] > 0);
    free(r.s);
}
