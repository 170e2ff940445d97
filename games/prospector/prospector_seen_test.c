/* Unit tests of what prospector shows and reports: what the observation cuts off, place and
 * neighbours, figures, reward terms, the tight mask. */
#undef LU_ISA
#define LU_ISA _seen_test
#include "prospector_test.h"

static float seen[PROSPECTOR_OBSERVATION];
static double info[PROSPECTOR_INFOS];

static void look(void) {
    prospector_observe(&rules->head, s, 0, LU_ALL_CHANGED, seen);
    prospector_info(&rules->head, s, 0, info);
}

TEST(observed_stock_price_and_credits_are_cut_off) {
    static const int good[4] = {0, 2, 3, 4};
    for (int odd = 0; odd < 2; odd++) {
        begin(42);
        for (int k = 0; k < 4; k++) {
            bool high = k % 2 == odd;
            s->stock[good[k]] = high ? 1000.0f : 0.0f;
            s->price[good[k]] = s->last_price[good[k]] + (high ? 150.0f : -150.0f);
        }
        s->stock[1] = s->stock[5] = 250.0f;
        s->price[1] = s->last_price[1] + 50.0f;
        look();
        for (int k = 0; k < 4; k++) {
            bool high = k % 2 == odd;
            CHECK(seen[256 + k] == (high ? 1.0f : 0.0f));
            CHECK(seen[250 + good[k]] == (high ? 1.0f : -1.0f));
        }
    }
    CHECK_NEAR((double)seen[251], 0.5, 1e-6);
    for (int k = 0; k < 4; k++) {
        s->stock[good[k]] = 125.0f * (float)k;
    }
    s->price[0] = 22.5f;
    s->price[4] = 420.0f;
    look();
    for (int k = 0; k < 4; k++) {
        CHECK(seen[256 + k] == 0.25f * (float)k);
    }
    CHECK(seen[244] == 0.5f);
    CHECK(seen[248] == 1.0f);

    static const double credits[] = {0.0, 1.0, 999.0, 1e7, 3e7};
    for (int k = 0; k < 5; k++) {
        double want = log1p(credits[k]) / log1p(1e7);
        CHECK_NEAR((double)prospector_credits_shown(credits[k]), want < 1.0 ? want : 1.0, 1e-7);
    }
    CHECK(prospector_credits_shown(3e7) == 1.0f && prospector_credits_shown(-5.0) == 0.0f);
}

TEST(observed_place_and_neighbours) {
    int unreachable = 0;
    for (uint64_t seed = 0; seed < 300; seed++) {
        begin(seed);
        for (int node = 1; node < s->nodes; node++) {
            bool far = s->graph[node].hops == PROSPECTOR_UNREACHABLE;
            if (node > 3 && !far) {
                continue;
            }
            stand_at(node);
            look();
            CHECK(seen[22] == (float)node / 31.0f);
            CHECK(seen[23] == (float)s->graph[node].hops / 31.0f);
            CHECK(!far || seen[23] == 1.0f);
            CHECK(seen[17] == 0.0f && seen[19] == 0.0f);
            CHECK(seen[20] == (s->graph[node].type == PROSPECTOR_CLUSTER ? 1.0f : 0.0f));
            CHECK(seen[21] == (s->graph[node].type == PROSPECTOR_HAZARD ? 1.0f : 0.0f));
            CHECK(seen[66] == 0.0f && seen[67] == 0.0f);
            for (int k = 0; k < PROSPECTOR_SLOTS; k++) {
                const float *way = seen + 24 + 7 * k;
                bool used = k < s->graph[node].degree;
                int there = s->graph[node].neighbour[k];
                CHECK(way[0] == (used ? 1.0f : 0.0f));
                CHECK(way[1] == (used && there == 0 ? 1.0f : 0.0f));
                CHECK(way[4] == (used ? (float)s->graph[node].time[k] / 8.0f : 0.0f));
                CHECK(way[5] == (used ? s->graph[node].fuel[k] / 160.0f : 0.0f));
                CHECK(way[6] == (used ? 0.5f : 0.0f));
            }
            unreachable += far ? 1 : 0;
        }
    }
    CHECK(unreachable > 0);
}

TEST(figures_after_a_reset) {
    begin(43);
    look();
    for (int k = 0; k < PROSPECTOR_INFOS; k++) {
        double want = k == PROSPECTOR_INFO_ACTION           ? -1.0
                      : k == PROSPECTOR_INFO_SURVIVAL       ? 1.0
                      : k == PROSPECTOR_INFO_TIME_REMAINING ? 20000.0
                                                            : 0.0;
        if (k != PROSPECTOR_INFO_RNG) {
            CHECK_NEAR(info[k], want, 0.0);
        }
    }
}

TEST(figures_of_a_short_trip) {
    begin_calm(44);
    s->cargo[2] = 100.0f;
    s->credits = 700.0;
    s->total_spend = 1000.0;
    look();
    CHECK_NEAR(info[PROSPECTOR_INFO_PROFIT_PER_TICK], -300.0, 0.0); /* over at least one tick */
    CHECK_NEAR(info[PROSPECTOR_INFO_NODE_CONTEXT], 1.0, 0.0);
    play(PROSPECTOR_COOL); /* two ticks half full */
    play(PROSPECTOR_JETTISON + 2);
    play(PROSPECTOR_HOLD);
    look();
    CHECK_NEAR(info[PROSPECTOR_INFO_CARGO_USE], 0.25, 1e-7);
    CHECK_NEAR(info[PROSPECTOR_INFO_NET_PROFIT], -300.0, 0.0);
    CHECK_NEAR(info[PROSPECTOR_INFO_PROFIT_PER_TICK], -75.0, 0.0);
    CHECK_NEAR(info[PROSPECTOR_INFO_TRUE_PROFIT], 700.0, 0.0);
    CHECK_NEAR(info[PROSPECTOR_INFO_TICKS_ELAPSED], 4.0, 0.0);
    CHECK_NEAR(info[PROSPECTOR_INFO_FUEL_USED], 2.0, 0.0);
    CHECK_NEAR(info[PROSPECTOR_INFO_HULL_DAMAGE], 0.0, 0.0);
    CHECK_NEAR(info[PROSPECTOR_INFO_TIME_REMAINING], 19996.0, 0.0);
    CHECK_NEAR(info[PROSPECTOR_INFO_TERMINATED] + info[PROSPECTOR_INFO_TRUNCATED], 0.0, 0.0);
}

TEST(terms_of_one_step) {
    begin(45);
    s->credits = 1000.0;
    play(PROSPECTOR_BUY_FUEL + 1);
    play(PROSPECTOR_BUY_SUPPLY + 2); /* only this step's spending counts */
    CHECK_NEAR(terms[PROSPECTOR_TERM_SPEND], -0.110, 1e-15);
    CHECK_NEAR(terms[PROSPECTOR_TERM_CREDITS], -0.110, 1e-15);
    CHECK_NEAR(terms[PROSPECTOR_TERM_CARGO], 0.0, 0.0);
    s->value_lost = 300.0;
    s->cargo[4] = 10.0f;
    float price = s->price[4];
    play(PROSPECTOR_COOL);
    CHECK_NEAR(terms[PROSPECTOR_TERM_FUEL], -0.002, 1e-15);
    CHECK_NEAR(terms[PROSPECTOR_TERM_TIME], -0.002, 1e-18);
    CHECK_NEAR(terms[PROSPECTOR_TERM_PIRATES], 0.0, 0.0);
    double gained = 10.0 * ((double)s->price[4] - (double)price);
    CHECK_NEAR(terms[PROSPECTOR_TERM_CARGO], gained > 0.0 ? 2e-5 * gained : 0.0, 1e-15);
}

TEST(tight_mask_lets_the_smallest_lot_pass) {
    begin(48);
    rules = rules_with("mask.tight", "true");
    s->cargo[1] = 1e-6f;
    s->fuel = 999.9999;
    s->credits = 60.0;
    CHECK(legal(46) && legal(37) && legal(32) && legal(61) && !legal(36) && !legal(43));
    s->cargo[1] = 0.0f;
    s->fuel = 1000.0;
    CHECK(!legal(46) && !legal(37) && !legal(32) && !legal(61));
    rules = rules_with(NULL, NULL);
}
