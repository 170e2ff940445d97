/* Unit tests of prospector's rules on states set up by hand: chances, invalid actions, mining,
 * scans, the mask: every branch and weight that recorded episodes reach rarely or
 * never. Ship, station and ends are in prospector_ship_test.c, worlds, vectors and the loop in
 * prospector_world_test.c. */
#undef LU_ISA
#define LU_ISA _rules_test
#include "prospector_test.h"

/* ---- probabilities: every weight by itself ---- */

TEST(fracture_weights) {
    static const struct {
        double bias, stability, heat, tool;
        bool stabilised;
        double want;
    } rows[] = {
        {0, 1, 0, 1, false, 0.043107254941086},   {-0.7, 1, 0, 1, false, 0.021881270936130},
        {0.8, 1, 0, 1, false, 0.091122961014856}, {0, 0.4, 0, 1, false, 0.167981614866076},
        {0, 1, 0.7, 1, false, 0.043107254941086}, {0, 1, 1, 1, false, 0.080172912172812},
        {0, 1, 2, 1, false, 0.440286350732807},   {0, 1, 0, 0.5, false, 0.087065772440271},
        {0, 1, 0, 1, true, 0.014774031693273},    {0.8, 0.3, 1.2, 0.2, true, 0.657010462673499},
    };
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        CHECK_NEAR(fracture_chance(rows[k].bias, rows[k].stability, rows[k].heat, rows[k].tool,
                                   rows[k].stabilised),
                   rows[k].want, 1e-14);
    }
}

TEST(pirate_weights) {
    static const struct {
        double intensity, alert, value;
        bool escaping;
        double want;
    } rows[] = {
        {0, 0, 0, false, 0.017986209962092},    {0.5, 0, 0, false, 0.075858180021244},
        {0, 50, 0, false, 0.052153563078418},   {0, 150, 0, false, 0.141851064900488},
        {0, 0, 1000, false, 0.030903874133076}, {0, 0, 20000, false, 0.173018750358858},
        {0, 0, 0, true, 0.001112536032860},     {0.6, 80, 3000, true, 0.106123462159267},
    };
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        double odds =
            pirate_odds(rows[k].intensity, rows[k].alert, rows[k].value, rows[k].escaping);
        CHECK_NEAR(sigmoid(odds), rows[k].want, 1e-14);
    }
    for (int dt = 1; dt <= 8; dt++) {
        CHECK_NEAR(chance_within(0.3, dt), 1.0 - pow(0.7, dt), 1e-15);
    }
}

/* The table only settles what the exact rule would settle alike. */
TEST(pirate_bound_is_a_bound) {
    begin(1);
    for (double odds = -6.9; odds < 4.99; odds += 0.0173) {
        int step = (int)((odds + 7.0) * 8.0);
        for (int dt = 1; dt <= 8; dt++) {
            CHECK((double)dt * rules->pirate_most[step] > chance_within(sigmoid(odds), dt));
        }
    }
    for (double value = 0.0; value < 84000.0; value += 0.37) {
        double rich = log(1.0 + 0.001 * value);
        CHECK(rich_most(value) > rich && rich_most(value) < rich + 0.0601);
    }
    CHECK((pirate_odds_of(1.0, 100.0, rich_most(84000.0), false) + 7.0) * 8.0 < PROSPECTOR_ODDS);
}

TEST(pirates_meet_as_often_as_the_chance_says) {
    begin(3);
    int met = 0;
    double expected = 0.0;
    for (int k = 0; k < 40000; k++) {
        s->node = 1;
        s->alert = (double)(k % 100);
        s->encounters = 0;
        s->decoys = 0;
        int dt = 1 + k % 8;
        expected += chance_within(sigmoid(pirate_odds(0.3, s->alert, 0.0, false)), dt);
        pirate_check(rules, s, dt, 0.3);
        met += s->encounters;
    }
    CHECK_NEAR((double)met, expected, 5.0 * sqrt(expected));
}

TEST(encounter_takes_its_share) {
    begin(4);
    for (int k = 0; k < 600; k++) {
        int decoys = k % 3 ? 1 : 0;
        uint64_t next = s->rng;
        prospector_reset(&rules->head, s, 4, NULL);
        s->rng = k ? next : s->rng;
        s->cargo[3] = 100.0f;
        s->decoys = (uint8_t)decoys;
        uint64_t rng = s->rng;
        double value = cargo_value(s);
        pirate_encounter(s, value);
        double share = 0.08 + 0.12 * draw_unit(&rng);
        if (decoys > 0 && draw_unit(&rng) < 0.6) {
            CHECK_INT(s->decoys, 0);
            share *= 0.3;
        } else {
            CHECK_INT(s->decoys, decoys);
        }
        CHECK(s->cargo[3] == 100.0f * (float)(1.0 - share));
        CHECK_NEAR(s->value_lost, value - cargo_value(s), 1e-9);
        CHECK_NEAR(s->hull, 100.0 - (1.0 + 3.0 * draw_unit(&rng)), 1e-12);
        CHECK_NEAR(s->alert, 8.0, 0.0);
        CHECK_HEX(s->rng, rng);
    }
}

/* ---- invalid actions ---- */

TEST(out_of_range_holds_twice) {
    static const int32_t actions[] = {-1, 69, INT32_MIN, INT32_MAX, 1000};
    for (int k = 0; k < 5; k++) {
        begin(5);
        s->alert = 10.0;
        s->heat = 20.0;
        play(actions[k]);
        CHECK_NEAR(s->alert, 4.0, 0.0);
        CHECK_NEAR(s->heat, 12.5, 0.0); /* two holds and one tick, 2.5 each */
        CHECK_INT(result.illegal, 1);
        CHECK_INT(result.ticks, 1);
        CHECK_INT(s->action, PROSPECTOR_HOLD);
        CHECK_NEAR(terms[PROSPECTOR_TERM_INVALID], -0.01, 0.0);
    }
    begin(5);
    s->alert = 10.0;
    s->heat = 20.0;
    play(PROSPECTOR_HOLD);
    CHECK_NEAR(s->alert, 7.0, 0.0);
    CHECK_NEAR(s->heat, 15.0, 0.0);
    CHECK_INT(result.illegal, 0);
}

TEST(invalid_scans_are_charged) {
    begin(6);
    play(PROSPECTOR_FOCUSED_SCAN);
    CHECK_NEAR(s->fuel, 996.0, 0.0);
    CHECK_NEAR(s->alert, 0.0, 0.0); /* +3 -3 */
    CHECK_INT(result.ticks, 1);
    CHECK_INT(result.illegal, 1);
    CHECK_INT(s->scans, 0);
    CHECK_NEAR(terms[PROSPECTOR_TERM_SCAN], -0.005, 0.0);
    play(PROSPECTOR_DEEP_SCAN);
    CHECK_NEAR(s->fuel, 988.0, 0.0);
    CHECK_NEAR(s->alert, 3.0, 0.0);
    CHECK_NEAR(terms[PROSPECTOR_TERM_SCAN], -0.005, 0.0);
}

TEST(flags_agree_with_the_mask) {
    begin(7);
    lu_rng rng = lu_rng_from(7);
    for (int k = 0; k < 20000; k++) {
        int action = (int)lu_rng_below(&rng, 68);
        bool may = legal(action);
        play(action);
        CHECK(may == !result.illegal);
        if (result.terminated || result.truncated) {
            prospector_reset(&rules->head, s, (uint64_t)k, NULL);
        }
    }
}

/* ---- mining ---- */

TEST(mining_one_tick) {
    static const double heat[3] = {2, 4, 7}, wear[3] = {0.8, 1.6, 2.8}, alert[3] = {1.2, 2.2, 4.0};
    static const double yield[3] = {0.8, 1.15, 1.55}, noise[3] = {0.05, 0.10, 0.16};
    for (int mode = 0; mode < 3; mode++) {
        begin_calm(8);
        s->tool = 60.0;
        s->heat = 85.0; /* share 0.85: half the yield */
        float *shown = s->rock[1].shown[0];
        shown[PROSPECTOR_ROCK_DEPLETION] = 0.25f;
        uint64_t rng = s->rng;
        double grain = exp(noise[mode] * draw_normal(&rng));
        double amount =
            (double)s->rock[1].richness[0] * 0.75 * (0.4 + 0.6 * 0.6) * 0.5 * yield[mode] * grain;
        play(PROSPECTOR_MINE + mode);
        CHECK_NEAR((double)s->cargo[2], amount * (double)s->rock[1].content[2][0], 1e-7);
        CHECK_NEAR((double)shown[PROSPECTOR_ROCK_DEPLETION], 0.25 + 0.01 * amount, 1e-7);
        CHECK_NEAR(s->tool, 60.0 - wear[mode], 1e-12);
        CHECK_NEAR(s->heat, 85.0 + heat[mode] - 2.5, 1e-12);
        CHECK_NEAR(s->alert, alert[mode], 1e-12);
        CHECK_INT(s->mining_ticks, 1);
        CHECK_HEX(s->rng, after_draws(rng, 1 + 1 + 12)); /* fracture, pirates, market */
    }
}

TEST(hold_limit_scales_what_is_mined) {
    begin_calm(9);
    s->rock[1].richness[0] = 4.0f;
    s->cargo[0] = 199.5f;
    play(PROSPECTOR_MINE + 2);
    CHECK_NEAR((double)cargo_total(s), 200.0, 1e-4);
    CHECK_NEAR((double)s->rock[1].shown[0][PROSPECTOR_ROCK_DEPLETION], 0.005, 1e-6);
    CHECK_NEAR((double)s->cargo[5], 0.5 * (double)s->rock[1].content[5][0], 1e-5);
    /* a full hold takes nothing and the rock stays as it is */
    begin_calm(9);
    s->cargo[0] = 200.0f;
    play(PROSPECTOR_MINE + 2);
    CHECK(s->cargo[0] == 200.0f);
    CHECK(s->cargo[1] == 0.0f);
    CHECK(s->rock[1].shown[0][PROSPECTOR_ROCK_DEPLETION] == 0.0f);
    CHECK_INT(s->mining_ticks, 1);
}

TEST(hold_limit_clamps_the_cargo) {
    begin(10);
    s->cargo[1] = s->cargo[4] = 150.0f;
    play(PROSPECTOR_HOLD);
    CHECK(s->cargo[1] == 150.0f * (float)(200.0 / 300.0));
    CHECK_NEAR(s->load, 1.0, 1e-7);
    CHECK(s->load <= 1.0);
    begin(10);
    s->cargo[2] = 500.0f;
    play(PROSPECTOR_HOLD);
    CHECK(s->cargo[2] == 200.0f);
    begin(10);
    s->cargo[2] = -5.0f;
    play(PROSPECTOR_HOLD);
    CHECK(s->cargo[2] == 0.0f);
}

TEST(heat_slows_mining) {
    /* yield over the cool yield: 1 up to 0.7, then falling to a tenth */
    static const double heat[] = {70, 76, 85, 97, 150}, want[] = {1.0, 0.8, 0.5, 0.1, 0.1};
    double cool = 0.0;
    for (int k = 0; k < 5; k++) {
        begin_calm(11);
        s->heat = heat[k];
        play(PROSPECTOR_MINE);
        double got = (double)cargo_total(s);
        cool = k == 0 ? got : cool;
        CHECK_NEAR(got / cool, want[k], 1e-6);
    }
}

TEST(fracture_effects) {
    begin_calm(12);
    s->rock[1].stability[0] = -100.0f;
    s->graph[1].hazard = 0.95f;
    s->graph[1].pirate = -100.0f;
    uint64_t rng = after_draws(s->rng, 3);
    double hit = 12.0 * (0.5 + 0.5 * draw_unit(&rng));
    double drift = 0.7 * (0.8 + 0.4 * draw_unit(&rng)); /* hazard is 1 by then */
    play(PROSPECTOR_MINE + 1);
    CHECK_NEAR(s->hull, 100.0 - hit - drift, 1e-9);
    CHECK(s->graph[1].hazard == 1.0f);
    CHECK(s->rock[1].shown[0][PROSPECTOR_ROCK_DEPLETION] == 1.0f);
    CHECK_INT(s->selected, 0);
    CHECK(!selected_open(s));
    CHECK(!legal(PROSPECTOR_MINE) && !legal(PROSPECTOR_SELECT));
    float o[PROSPECTOR_OBSERVATION];
    prospector_observe(&rules->head, s, 0, LU_ALL_CHANGED, o);
    CHECK(o[18] == 0.0f);
    CHECK(o[PROSPECTOR_AT_ROCKS] == 1.0f);
    CHECK(o[PROSPECTOR_AT_ROCKS + PROSPECTOR_ROCK_SELECTED] == 1.0f);
}

TEST(stabilise_counters_belong_to_slots) {
    begin_calm(13);
    play(PROSPECTOR_STABILISE);
    CHECK_INT(result.ticks, 2);
    CHECK_INT(s->stabilizers, 1);
    CHECK_INT(s->stabilise_ticks[0], 4);
    /* flying does not reset them: they only run down, at whatever node the ship is */
    int home = -1;
    for (int k = 0; k < s->graph[1].degree; k++) {
        home = s->graph[1].neighbour[k] == 0 ? k : home;
    }
    NEED(home >= 0);
    s->graph[1].time[home] = 1;
    play(PROSPECTOR_TRAVEL + home);
    CHECK_INT(s->node, 0);
    CHECK_INT(s->stabilise_ticks[0], 3);
    CHECK_INT(s->stabilise_ticks[1], 0);
    /* at another node the same slot number is helped: odds that break a rock without, but not with
     */
    int broken[2] = {0, 0};
    for (int with = 0; with < 2; with++) {
        for (uint64_t seed = 0; seed < 400; seed++) {
            begin_calm(13);
            stand_at(2);
            s->selected = 0;
            s->graph[2].hazard = 0.0f;
            s->rng = lu_pcg32_seed(seed, PROSPECTOR_STREAM);
            s->rock[2].stability[0] = 0.0f;
            s->stabilise_ticks[0] = with ? 3 : 0;
            s->stabilise_ticks[1] = with ? 0 : 6; /* another slot's counter does not help */
            play(PROSPECTOR_MINE + 1);
            broken[with] += s->rock[2].shown[0][PROSPECTOR_ROCK_DEPLETION] == 1.0f ? 1 : 0;
        }
    }
    CHECK_NEAR(broken[0] / 400.0, 0.354343, 0.08);
    CHECK_NEAR(broken[1] / 400.0, 0.154465, 0.06);
}

TEST(a_stabilizer_covers_four_mining_ticks) {
    begin_calm(14);
    play(PROSPECTOR_STABILISE);
    int covered = 0;
    for (int k = 0; k < 6; k++) {
        covered += s->stabilise_ticks[0] > 0 ? 1 : 0;
        play(PROSPECTOR_MINE);
    }
    CHECK_INT(covered, 4);
}

/* ---- scans, threats, mask, hidden things ---- */

TEST(wide_scan_is_one_scan_per_rock) {
    for (uint64_t seed = 0; seed < 50; seed++) {
        begin(seed);
        stand_at(1);
        prospector_rocks *copy = malloc(sizeof *copy);
        for (int times = 0; times < 12; times++) {
            *copy = s->rock[1];
            uint64_t one = s->rng, all = s->rng;
            for (int a = 0; a < s->graph[1].rocks; a++) {
                scan_one(&one, copy, a, &scan_modes[0]);
            }
            scan_wide(rules, &all, &s->rock[1], s->graph[1].rocks);
            CHECK_HEX(all, one);
            CHECK(memcmp(copy, &s->rock[1], sizeof *copy) == 0);
            s->rng = all;
        }
        free(copy);
    }
}

TEST(listening) {
    begin(27);
    uint64_t rng = s->rng;
    s->graph[0].threat[0] = 1.0f;
    double y = clamp(1.0 + 0.08 * draw_normal(&rng), 0.0, 1.0);
    play(PROSPECTOR_LISTEN);
    CHECK(s->graph[0].estimate[0] == (float)(0.125 + 0.75 * y));
    CHECK_INT(result.ticks, 2);
    CHECK_HEX(s->rng, after_draws(rng, 2u * (uint64_t)(s->graph[0].degree - 1) + 12));
}

TEST(mask_rows) {
    static const int always[] = {6, 7, 8, 11, 32, 33, 36, 37, 38, 39, 40, 41, 68};
    begin_calm(28);
    for (size_t k = 0; k < sizeof always / sizeof *always; k++) {
        CHECK(legal(always[k]));
    }
    for (int k = 0; k < 6; k++) {
        CHECK(legal(k) == (k < s->graph[1].degree));
    }
    for (int a = 0; a < 16; a++) {
        CHECK(legal(12 + a) == (a < s->graph[1].rocks));
    }
    static const int with_rock[] = {9, 10, 28, 29, 30, 31};
    for (int k = 0; k < 6; k++) {
        CHECK(legal(with_rock[k]));
    }
    s->stabilizers = 0;
    CHECK(!legal(31) && legal(30));
    s->selected = -1;
    for (int k = 0; k < 6; k++) {
        CHECK(!legal(with_rock[k]));
    }
    s->credits = 1e6;
    for (int a = 42; a < 68; a++) {
        CHECK(!legal(a));
    }
    CHECK(legal(34) && legal(35));
    s->kits = 0;
    CHECK(!legal(34) && !legal(35));
    stand_at(0);
    for (int a = 42; a < 68; a++) {
        CHECK(legal(a));
    }
    for (int a = 12; a < 28; a++) {
        CHECK(!legal(a));
    }
}

TEST(tight_mask) {
    begin(29);
    rules = rules_with("mask.tight", "true");
    s->credits = 1000.0;
    CHECK(!legal(8) && !legal(32) && !legal(36) && !legal(43) && !legal(61) && !legal(63));
    CHECK(legal(64) && legal(6) && legal(68));
    s->cargo[0] = 1.0f;
    s->fuel = 900.0;
    CHECK(legal(32) && legal(36) && legal(43) && legal(45) && legal(61) && !legal(46));
    stand_at(1);
    CHECK(legal(8) && !legal(43));
}
