/* Unit tests of prospector's rules on states set up by hand: care of the ship, trade, flight and
 * the ends of an episode. */
#undef LU_ISA
#define LU_ISA _ship_test
#include "prospector_test.h"

/* ---- ship ---- */

TEST(burn_covers_three_steps) {
    begin(15);
    play(PROSPECTOR_BURN);
    CHECK_NEAR(s->fuel, 982.0, 0.0);
    CHECK_NEAR(s->alert, 10.0, 0.0);
    int covered = 1; /* its own step: the counter is 3 when pirates come */
    CHECK_INT(s->escape_ticks, 3);
    while (s->escape_ticks > 1) {
        play(PROSPECTOR_HOLD);
        covered++;
    }
    CHECK_INT(covered, 3);
}

TEST(refine) {
    begin(16);
    s->cargo[0] = 10.0f;
    s->cargo[1] = 20.0f;
    s->cargo[4] = 1.0f;
    play(PROSPECTOR_REFINE);
    float keep = (float)(1.0 - 4.5 / 30.0);
    CHECK(s->cargo[0] == 10.0f * keep);
    CHECK(s->cargo[1] == 20.0f * keep);
    CHECK(s->cargo[4] == 1.0f + (float)(0.65 * 4.5));
    CHECK_NEAR(s->fuel, 996.0, 0.0);
    CHECK_NEAR(s->heat, 1.0, 0.0); /* 6 - 2 x 2.5 */
    CHECK_NEAR(s->alert, 3.0, 0.0);
    /* nothing to refine: the costs apply, and it is legal */
    begin(16);
    play(PROSPECTOR_REFINE);
    CHECK_NEAR(s->fuel, 996.0, 0.0);
    CHECK_INT(result.illegal, 0);
    CHECK(s->cargo[4] == 0.0f);
}

TEST(cooling_repair_and_jettison) {
    begin(17);
    s->heat = 50.0;
    play(PROSPECTOR_COOL);
    CHECK_NEAR(s->heat, 25.0, 0.0);
    CHECK_NEAR(s->fuel, 998.0, 0.0);
    CHECK_NEAR(s->alert, 1.0, 0.0);
    s->tool = 50.0;
    s->hull = 90.0;
    play(PROSPECTOR_FIX_TOOL);
    CHECK_NEAR(s->tool, 75.0, 0.0);
    play(PROSPECTOR_PATCH_HULL);
    CHECK_NEAR(s->hull, 100.0, 0.0);
    CHECK_INT(s->kits, 1);
    s->kits = 0;
    play(PROSPECTOR_FIX_TOOL);
    CHECK_INT(result.illegal, 1);
    s->alert = 30.0;
    s->cargo[3] = 7.0f;
    play(PROSPECTOR_JETTISON + 3);
    CHECK(s->cargo[3] == 0.0f);
    CHECK_NEAR(s->alert, 22.0, 0.0);
    play(PROSPECTOR_JETTISON + 3); /* nothing left: legal, and alert falls all the same */
    CHECK_NEAR(s->alert, 14.0, 0.0);
    CHECK_INT(result.illegal, 0);
    play(PROSPECTOR_DOCK);
    CHECK_NEAR(s->alert, 0.0, 0.0);
}

TEST(overheating) {
    begin(18);
    s->heat = 110.0;
    play(PROSPECTOR_BURN); /* does not cool by itself */
    CHECK_NEAR(s->hull, 100.0 - 1.25 * 7.5, 1e-12);
    CHECK_NEAR(s->heat, 100.0, 0.0);
    CHECK_INT(s->overheat_ticks, 1);
    CHECK_NEAR(terms[PROSPECTOR_TERM_HEAT], -0.2 * 0.09, 1e-15);
    CHECK_NEAR(terms[PROSPECTOR_TERM_DAMAGE], -0.9375, 1e-14);
    play(PROSPECTOR_WIDE_SCAN); /* 100 - 7.5: no longer */
    CHECK_INT(s->overheat_ticks, 1);
}

/* ---- station ---- */

TEST(slippage) {
    CHECK_NEAR(slippage_of(10.0, 90.0), 0.025 + 0.2 * sqrt(0.1), 1e-15);
    CHECK_NEAR(slippage_of(0.5, 0.0), 0.125 + 0.2 * sqrt(0.5), 1e-15); /* r over at least 1 */
    CHECK_NEAR(slippage_of(50.0, 0.0), 0.45, 1e-15);                   /* the highest there is */
}

TEST(selling) {
    static const double share[3] = {0.25, 0.5, 1.0};
    for (int c = 0; c < PROSPECTOR_GOODS; c++) {
        for (int k = 0; k < 3; k++) {
            begin(19);
            s->cargo[c] = 40.0f;
            double q = 40.0 * share[k], price = (double)s->price[c], stock = (double)s->stock[c];
            play(PROSPECTOR_SELL + 3 * c + k);
            CHECK_NEAR(s->credits, q * price * (1.0 - slippage_of(q, stock)), 1e-9);
            CHECK(s->cargo[c] == (float)(40.0 - q));
            CHECK(s->stock[c] == (float)((float)stock + (float)q) * 0.998f);
            CHECK(s->sales[c] == (float)q * rules->fade[1]);
            CHECK_NEAR(terms[PROSPECTOR_TERM_CREDITS], s->credits / 1000.0, 1e-12);
        }
    }
    begin(19);
    play(PROSPECTOR_SELL); /* nothing: legal and without effect */
    CHECK_INT(result.illegal, 0);
    CHECK_NEAR(s->credits, 0.0, 0.0);
}

TEST(purchases) {
    static const double price[7] = {60, 120, 210, 150, 175, 110, 280};
    for (int k = 0; k < 7; k++) {
        begin(20);
        s->fuel = 100.0;
        s->hull = s->tool = 40.0;
        s->credits = price[k] - 0.01;
        CHECK(!legal(PROSPECTOR_BUY_FUEL + k));
        play(PROSPECTOR_BUY_FUEL + k);
        CHECK_INT(result.illegal, 1);
        CHECK_NEAR(s->total_spend, 0.0, 0.0);
        s->credits = price[k];
        CHECK(legal(PROSPECTOR_BUY_FUEL + k));
        play(PROSPECTOR_BUY_FUEL + k);
        CHECK_INT(result.illegal, 0);
        CHECK_INT(result.ticks, k == 6 ? 3 : 1);
        CHECK_NEAR(s->credits, 0.0, 0.0);
        CHECK_NEAR(s->total_spend, price[k], 0.0);
        CHECK_NEAR(terms[PROSPECTOR_TERM_SPEND], -price[k] / 1000.0, 1e-15);
        static const double fuel[3] = {120, 260, 480};
        CHECK_NEAR(s->fuel, k < 3 ? 100.0 + fuel[k] : 100.0, 0.0);
        CHECK_INT(s->kits, k == 3 ? 4 : 3);
        CHECK_INT(s->stabilizers, k == 4 ? 3 : 2);
        CHECK_INT(s->decoys, k == 5 ? 2 : 1);
        CHECK_NEAR(s->hull, k == 6 ? 100.0 : 40.0, 0.0);
        CHECK_NEAR(s->tool, k == 6 ? 100.0 : 40.0, 0.0);
    }
}

TEST(supply_caps) {
    begin(21);
    uint8_t *const count[3] = {&s->kits, &s->stabilizers, &s->decoys};
    for (int k = 0; k < 3; k++) {
        s->credits = 10000.0;
        *count[k] = 11;
        CHECK(legal(PROSPECTOR_BUY_SUPPLY + k));
        play(PROSPECTOR_BUY_SUPPLY + k);
        CHECK_INT(*count[k], 12);
        CHECK(!legal(PROSPECTOR_BUY_SUPPLY + k));
        double credits = s->credits;
        play(PROSPECTOR_BUY_SUPPLY + k);
        CHECK_INT(result.illegal, 1);
        CHECK_INT(*count[k], 12);
        CHECK_NEAR(s->credits, credits, 0.0);
    }
}

TEST(fuel_into_a_full_tank) {
    begin(22);
    s->credits = 500.0;
    CHECK(legal(PROSPECTOR_BUY_FUEL));
    play(PROSPECTOR_BUY_FUEL);
    CHECK_NEAR(s->fuel, 1000.0, 0.0);
    CHECK_NEAR(s->credits, 440.0, 0.0);
}

TEST(price_bounds) {
    static const double low[6] = {12, 15, 20, 50, 80, 30}, high[6] = {180, 200, 240, 320, 420, 300};
    for (int side = 0; side < 2; side++) {
        begin(23);
        for (int c = 0; c < PROSPECTOR_GOODS; c++) {
            /* a quarter of a period at tick 1 */
            s->period[c] = 4.0;
            s->phase[c] = 0.0;
            s->amplitude[c] = side ? 1e4 : -1e4;
        }
        play(PROSPECTOR_HOLD);
        for (int c = 0; c < PROSPECTOR_GOODS; c++) {
            CHECK_NEAR((double)s->price[c], side ? high[c] : low[c], 0.0);
        }
        CHECK(s->price[6] == 0.0f && s->price[7] == 0.0f);
        float o[PROSPECTOR_OBSERVATION];
        prospector_observe(&rules->head, s, 0, LU_ALL_CHANGED, o);
        for (int c = 0; c < PROSPECTOR_GOODS; c++) {
            float base = (float)market_base[c];
            CHECK(o[244 + c] == (side ? 1.0f : (float)low[c] / base));
            CHECK(o[250 + c] >= -1.0f && o[250 + c] <= 1.0f);
        }
    }
}

/* ---- flight and ends ---- */

TEST(travel) {
    begin(24);
    s->cargo[0] = 100.0f;
    prospector_node *home = &s->graph[0];
    home->threat[0] = 0.5f;
    int there = home->neighbour[0], dt = home->time[0];
    s->graph[there].hazard = 0.0f;
    s->graph[there].pirate = -100.0f;
    s->escape_ticks = 100;
    uint64_t rng = s->rng;
    double rough = 0.85 + 0.3 * draw_unit(&rng);
    bool met = draw_unit(&rng) <
               chance_within(sigmoid(pirate_odds(0.5, 0.4 * dt, cargo_value(s), true)), dt);
    play(PROSPECTOR_TRAVEL);
    CHECK_INT(s->node, there);
    CHECK_INT(result.ticks, dt);
    CHECK_INT(s->encounters, met ? 1 : 0);
    CHECK_NEAR(s->fuel, 1000.0 - (double)home->fuel[0] * 1.25, 1e-9);
    if (!met) {
        CHECK_NEAR(s->hull, 100.0 - (double)dt * 0.5 * 0.7 * rough, 1e-12);
        CHECK_NEAR(s->alert, (double)dt * 0.5 * 0.8, 1e-12);
        CHECK_HEX(s->rng, after_draws(rng, 1 + 12));
    }
    /* home again: no check at the station, so one draw and the market's twelve */
    int back = 0;
    while (s->graph[there].neighbour[back] != 0) {
        back++;
    }
    rng = s->rng;
    s->fuel = 0.5; /* a flight home never fails for lack of fuel */
    play(PROSPECTOR_TRAVEL + back);
    CHECK_INT(s->node, 0);
    CHECK_HEX(s->rng, after_draws(rng, 13));
    CHECK_INT(result.terminated, 0);
    CHECK_NEAR(s->fuel, 0.0, 0.0);
    play(PROSPECTOR_HOLD); /* fuel 0 at the station is no end */
    CHECK_INT(result.terminated, 0);
}

TEST(ends) {
    double info[PROSPECTOR_INFOS];
    begin_calm(25);
    s->credits = 3000.0;
    s->fuel = 1.0;
    play(PROSPECTOR_BURN);
    CHECK_INT(s->end, PROSPECTOR_END_STRANDED);
    CHECK_NEAR(terms[PROSPECTOR_TERM_STRANDED], -50.0, 0.0);
    CHECK_NEAR(terms[PROSPECTOR_TERM_DESTROYED], 0.0, 0.0);
    CHECK_NEAR(terms[PROSPECTOR_TERM_BONUS], 0.0, 0.0);

    begin_calm(25);
    s->fuel = 1.0;
    s->hull = 1.0;
    s->heat = 120.0;
    play(PROSPECTOR_BURN);
    CHECK_INT(s->end, PROSPECTOR_END_BOTH);
    CHECK_NEAR(terms[PROSPECTOR_TERM_STRANDED] + terms[PROSPECTOR_TERM_DESTROYED], -150.0, 0.0);
    prospector_info(&rules->head, s, 0, info);
    CHECK_NEAR(info[PROSPECTOR_INFO_SURVIVAL], 0.0, 0.0);
    CHECK_NEAR(info[PROSPECTOR_INFO_TERMINATED], 1.0, 0.0);

    begin(25);
    s->hull = 1.0;
    s->heat = 120.0;
    play(PROSPECTOR_CASH_OUT); /* destroyed while cashing out: no bonus */
    CHECK_INT(s->end, PROSPECTOR_END_DESTROYED);
    CHECK_INT(result.terminated, 1);

    begin_calm(25); /* in the field too */
    s->credits = 3000.0;
    CHECK(legal(PROSPECTOR_CASH_OUT));
    play(PROSPECTOR_CASH_OUT);
    CHECK_INT(s->end, PROSPECTOR_END_CASH_OUT);
    CHECK_INT(result.terminated, 1);
    CHECK_NEAR(terms[PROSPECTOR_TERM_BONUS], 0.006, 1e-15);
}

TEST(time_may_overshoot) {
    begin(26);
    rules = rules_with("time_max", "100");
    prospector_reset(&rules->head, s, 26, NULL);
    s->time_left = 2.0;
    s->ticks = 98;
    s->graph[0].time[0] = 8;
    s->credits = 1000.0;
    play(PROSPECTOR_TRAVEL);
    CHECK_INT(result.truncated, 1);
    CHECK_INT(result.terminated, 0);
    CHECK_INT(s->ticks, 106);
    CHECK_NEAR(s->time_left, 0.0, 0.0);
    CHECK_INT(s->end, PROSPECTOR_END_TIME);
    CHECK_NEAR(terms[PROSPECTOR_TERM_BONUS], 0.002, 1e-15);
}
