/* Unit tests of prospector's rules at their edges: thresholds to the last bit, ways that are not
 * there, budgets of any length, and the numbers of scans, pirates, hazard and market by an
 * independent computation. Found by changing one constant or operator of the rules at a time: what
 * no other test noticed is pinned here and in prospector_seen_test.c. */
#undef LU_ISA
#define LU_ISA _edge_test
#include "prospector_test.h"

static float seen[PROSPECTOR_OBSERVATION];
static double info[PROSPECTOR_INFOS];

static void look(void) {
    prospector_observe(&rules->head, s, 0, LU_ALL_CHANGED, seen);
    prospector_info(&rules->head, s, 0, info);
}

static void begin_budget(uint64_t seed, const char *time_max) {
    rules = rules_with("time_max", time_max);
    prospector_reset(&rules->head, s, seed, NULL);
}

/* ---- ways and listening ---- */

TEST(missing_ways_lead_nowhere) {
    for (uint64_t seed = 0; seed < 20; seed++) {
        for (int node = 0; node < 4; node++) {
            for (int slot = 0; slot < PROSPECTOR_SLOTS; slot++) {
                begin(seed);
                stand_at(node);
                if (slot < s->graph[node].degree) {
                    continue;
                }
                s->graph[node].hazard = 0.0f;
                s->graph[node].pirate = -100.0f;
                s->alert = 9.0;
                s->heat = 9.0;
                uint64_t rng = s->rng;
                CHECK(!legal(slot));
                play(PROSPECTOR_TRAVEL + slot);
                CHECK_INT(result.illegal, 1);
                CHECK_INT(result.ticks, 1);
                CHECK_INT(s->node, node);
                CHECK_NEAR(s->fuel, 1000.0, 0.0);
                CHECK_NEAR(s->hull, 100.0, 0.0);
                CHECK_NEAR(s->alert, 6.0, 0.0);
                CHECK_NEAR(s->heat, 4.0, 0.0);
                CHECK_HEX(s->rng, after_draws(rng, node ? 13 : 12));
            }
        }
    }
}

TEST(listening_where_no_way_leads) {
    begin(31);
    s->graph[0].degree = 0;
    uint64_t rng = s->rng;
    CHECK(legal(PROSPECTOR_LISTEN));
    play(PROSPECTOR_LISTEN);
    CHECK_INT(result.illegal, 0);
    CHECK_INT(result.ticks, 2);
    CHECK_HEX(s->rng, after_draws(rng, 12));
}

TEST(wide_scan_at_the_station) {
    begin(32);
    uint64_t rng = s->rng;
    play(PROSPECTOR_WIDE_SCAN);
    CHECK_INT(result.illegal, 0);
    CHECK_INT(result.ticks, 3);
    CHECK_INT(s->scans, 1);
    CHECK_NEAR(s->fuel, 995.0, 0.0);
    CHECK_NEAR(s->alert, 4.0, 0.0);
    CHECK_NEAR(terms[PROSPECTOR_TERM_SCAN], -0.005, 0.0);
    CHECK_NEAR(terms[PROSPECTOR_TERM_TIME], -0.003, 1e-18);
    CHECK_HEX(s->rng, after_draws(rng, 12));
}

/* ---- scans by the C library, mode by mode ---- */

static double normal_by_library(uint64_t *rng) {
    double u1 = draw_unit(rng), u2 = draw_unit(rng);
    u1 = u1 > 1e-8 ? u1 : 1e-8;
    return sqrt(-2.0 * log(u1)) * cos(LU_TWO_PI * u2);
}

static void normalise(double *part) {
    double sum = 0.0;
    for (int c = 0; c < PROSPECTOR_GOODS; c++) {
        part[c] = part[c] > 1e-8 ? part[c] : 1e-8;
        sum += part[c];
    }
    for (int c = 0; c < PROSPECTOR_GOODS; c++) {
        part[c] /= sum;
    }
}

TEST(scans_by_the_numbers) {
    static const double blend[3] = {0.22, 0.42, 0.80}, gain[3] = {0.10, 0.20, 0.45};
    static const double factor[3] = {1.35, 1.00, 0.55}, fuel[3] = {5, 4, 8}, alert[3] = {4, 3, 6};
    static const int action[3] = {8, 9, 10}, ticks[3] = {3, 2, 4};
    for (int k = 0; k < 300; k++) {
        int mode = k % 3;
        begin_calm((uint64_t)(33 + k));
        s->graph[1].rocks = 1; /* so that the wide scan has one too */
        prospector_rocks *rocks = &s->rock[1];
        float *shown = rocks->shown[0];
        rocks->stability[0] = (float)(k % 7) / 6.0f;
        if (k % 2) { /* so that the least share, 1e-8, shows */
            rocks->content[5][0] = rocks->estimate[5][0] = 0.0f;
        }
        shown[PROSPECTOR_ROCK_CONFIDENCE] = (float)(k % 11) / 10.0f;
        uint64_t rng = s->rng;
        double confidence = (double)shown[PROSPECTOR_ROCK_CONFIDENCE], part[PROSPECTOR_GOODS];
        double spread = (double)rocks->noise[0] * (1.0 - confidence + 0.1) * factor[mode];
        for (int c = 0; c < PROSPECTOR_GOODS; c++) {
            part[c] = (double)rocks->content[c][0] + spread * normal_by_library(&rng);
        }
        normalise(part);
        for (int c = 0; c < PROSPECTOR_GOODS; c++) {
            part[c] = (1.0 - blend[mode]) * (double)rocks->estimate[c][0] + blend[mode] * part[c];
        }
        normalise(part);
        double y = (double)rocks->stability[0] + spread * normal_by_library(&rng);
        y = y < 0.0 ? 0.0 : y > 1.0 ? 1.0 : y;
        double stability = (1.0 - blend[mode]) * 0.5 + blend[mode] * y;
        confidence += gain[mode];
        play(action[mode]);
        for (int c = 0; c < PROSPECTOR_GOODS; c++) {
            CHECK_NEAR((double)rocks->estimate[c][0] / part[c], 1.0, 1e-7);
            part[c] = (double)rocks->estimate[c][0];
        }
        normalise(part);
        for (int c = 0; c < PROSPECTOR_GOODS; c++) {
            CHECK_NEAR((double)shown[PROSPECTOR_ROCK_CONTENT + c] / part[c], 1.0, 1e-7);
        }
        CHECK_NEAR((double)shown[PROSPECTOR_ROCK_STABILITY], stability, 1e-7);
        CHECK_NEAR((double)shown[PROSPECTOR_ROCK_CONFIDENCE], confidence > 1.0 ? 1.0 : confidence,
                   1e-7);
        CHECK_NEAR(s->fuel, 1000.0 - fuel[mode], 0.0);
        CHECK_NEAR(s->alert, alert[mode], 0.0);
        CHECK_INT(result.ticks, ticks[mode]);
        CHECK_INT(s->scans, 1);
        CHECK_HEX(s->rng, after_draws(rng, 1 + 12)); /* pirates, market */
    }
}

/* ---- pirates: every check against the rule itself ---- */

TEST(pirate_checks_by_the_numbers) {
    begin(34);
    lu_rng own = lu_rng_from(34);
    int met = 0;
    for (int k = 0; k < 100000; k++) {
        int dt = 1 + (int)lu_rng_below(&own, 8);
        double intensity = lu_rng_unit(&own);
        s->node = 1;
        s->hull = 100.0;
        s->alert = 120.0 * lu_rng_unit(&own);
        s->decoys = 0;
        s->encounters = 0;
        s->escape_ticks = (uint8_t)lu_rng_below(&own, 2);
        memset(s->cargo, 0, sizeof s->cargo);
        s->cargo[4] = k % 4 ? 200.0f * (float)lu_rng_unit(&own) : 0.0f;
        uint64_t rng = s->rng;
        double noticed = s->alert < 100.0 ? s->alert / 100.0 : 1.0;
        double odds = -4.0 + 3.0 * intensity + 2.2 * noticed +
                      0.8 * log1p(cargo_value(s) / 1000.0) - (s->escape_ticks ? 2.8 : 0.0);
        double chance = 1.0 - pow(1.0 - 1.0 / (1.0 + exp(-odds)), dt);
        double unit = draw_unit(&rng);
        pirate_check(rules, s, dt, intensity);
        if (fabs(unit - chance) > 1e-9) {
            CHECK_INT(s->encounters, unit < chance ? 1 : 0);
            CHECK_HEX(s->rng, after_draws(rng, unit < chance ? 2 : 0));
        }
        met += s->encounters;
    }
    CHECK(met > 30000 && met < 70000); /* both ways often */
}

/* ---- mining a rock out ---- */

TEST(a_rock_mined_out_is_closed) {
    begin_calm(35);
    float *shown = s->rock[1].shown[0];
    s->rock[1].richness[0] = 4.0f;
    shown[PROSPECTOR_ROCK_DEPLETION] = 0.5f;
    for (int k = 0; k < 400 && selected_open(s); k++) {
        s->heat = 0.0;
        s->tool = 100.0;
        play(PROSPECTOR_MINE + 2);
        memset(s->cargo, 0, sizeof s->cargo);
        CHECK(selected_open(s) == (shown[PROSPECTOR_ROCK_DEPLETION] < 1.0f));
        CHECK(legal(PROSPECTOR_MINE) == selected_open(s));
    }
    /* the rest shrinks with each tick: set it so that one tick passes 1, which is cut off */
    begin_calm(35);
    s->rock[1].richness[0] = 1e6f;
    play(PROSPECTOR_MINE + 2);
    CHECK(shown[PROSPECTOR_ROCK_DEPLETION] == 1.0f); /* 200 units, 2 before the cut */
    CHECK_NEAR((double)cargo_total(s), 200.0, 1e-3);
    CHECK_NEAR(s->hull, 100.0, 0.0); /* no fracture */
    CHECK(s->graph[1].hazard == 0.0f);
    CHECK_INT(s->selected, 0);
    CHECK(!legal(PROSPECTOR_MINE) && !legal(PROSPECTOR_SELECT) && !legal(PROSPECTOR_STABILISE));
    play(PROSPECTOR_MINE);
    CHECK_INT(result.illegal, 1);
    CHECK_INT(s->mining_ticks, 1);
}

TEST(kits_fill_up_to_the_most) {
    begin(36);
    s->tool = 90.0;
    play(PROSPECTOR_FIX_TOOL);
    CHECK_NEAR(s->tool, 100.0, 0.0);
    CHECK_INT(result.ticks, 2);
    s->hull = 30.0;
    play(PROSPECTOR_PATCH_HULL);
    CHECK_NEAR(s->hull, 50.0, 0.0);
    CHECK_INT(result.ticks, 2);
    /* a repair gives no reward, wear and damage do not count below 0 */
    CHECK_NEAR(terms[PROSPECTOR_TERM_DAMAGE], 0.0, 0.0);
    CHECK_NEAR(terms[PROSPECTOR_TERM_WEAR], 0.0, 0.0);
}

TEST(refining_a_full_hold) {
    begin(37);
    s->cargo[0] = 80.0f;
    s->cargo[1] = 20.0f;
    s->cargo[4] = 100.0f;
    play(PROSPECTOR_REFINE);
    CHECK_NEAR((double)s->cargo[0], 68.0, 1e-5);
    CHECK_NEAR((double)s->cargo[1], 17.0, 1e-5);
    CHECK_NEAR((double)s->cargo[4], 109.75, 1e-5);
    CHECK_NEAR(s->load, 194.75 / 200.0, 1e-7);
    CHECK_INT(result.ticks, 2);
}

/* ---- every action ---- */

TEST(ticks_of_every_action) {
    for (int action = 0; action < PROSPECTOR_ACTIONS; action++) {
        begin_calm(49);
        bool docked = action >= PROSPECTOR_DOCK && action < PROSPECTOR_CASH_OUT;
        if (docked) {
            stand_at(0);
        }
        s->credits = 1000.0;
        if (!legal(action)) { /* a missing way or rock */
            CHECK((action >= s->graph[1].degree && action < PROSPECTOR_HOLD) ||
                  (action >= PROSPECTOR_SELECT + s->graph[1].rocks && action < PROSPECTOR_MINE));
            continue;
        }
        int want = action < PROSPECTOR_HOLD ? s->graph[1].time[action] : 1;
        switch (action) {
        case PROSPECTOR_FOCUSED_SCAN:
        case PROSPECTOR_LISTEN:
        case PROSPECTOR_STABILISE:
        case PROSPECTOR_REFINE:
        case PROSPECTOR_COOL:
        case PROSPECTOR_FIX_TOOL:
        case PROSPECTOR_PATCH_HULL:
            want = 2;
            break;
        case PROSPECTOR_WIDE_SCAN:
        case PROSPECTOR_OVERHAUL:
            want = 3;
            break;
        case PROSPECTOR_DEEP_SCAN:
            want = 4;
            break;
        default:
            break;
        }
        play(action);
        CHECK_INT(result.illegal, 0);
        CHECK_INT(result.ticks, want);
        CHECK_INT(s->ticks, want);
        CHECK_INT(s->dt, want);
        CHECK_INT(s->action, action);
        CHECK_NEAR(s->time_left, 20000.0 - want, 0.0);
        CHECK_NEAR(terms[PROSPECTOR_TERM_TIME], -0.001 * want, 0.0);
        CHECK_NEAR(terms[PROSPECTOR_TERM_INVALID], 0.0, 0.0);
    }
}

TEST(a_full_gauge_of_heat_does_no_harm) {
    begin(50);
    s->heat = 102.5;
    play(PROSPECTOR_BURN); /* 100 after its tick: not above */
    CHECK_NEAR(s->heat, 100.0, 0.0);
    CHECK_NEAR(s->hull, 100.0, 0.0);
    CHECK_INT(s->overheat_ticks, 0);
    s->heat = 120.0;
    play(PROSPECTOR_LISTEN); /* two ticks: 115, both count */
    CHECK_NEAR(s->hull, 100.0 - 1.25 * 15.0, 1e-12);
    CHECK_INT(s->overheat_ticks, 2);
}

/* ---- ends, to the last bit ---- */

TEST(a_little_is_not_nothing) {
    begin_calm(38);
    s->hull = 1e-9;
    play(PROSPECTOR_HOLD);
    CHECK_INT(result.terminated, 0);
    s->hull = 0.0;
    play(PROSPECTOR_HOLD);
    CHECK_INT(s->end, PROSPECTOR_END_DESTROYED);

    begin_calm(38);
    s->fuel = 18.0 + 1e-9;
    play(PROSPECTOR_BURN);
    CHECK_INT(result.terminated, 0);
    s->fuel = 18.0;
    play(PROSPECTOR_BURN);
    CHECK_INT(s->end, PROSPECTOR_END_STRANDED);
    prospector_info(&rules->head, s, 0, info);
    CHECK_NEAR(info[PROSPECTOR_INFO_FUEL_USED], 1000.0, 0.0);

    begin(38);
    s->time_left = 1.0 + 1e-9;
    play(PROSPECTOR_HOLD);
    CHECK_INT(result.truncated, 0);
    play(PROSPECTOR_HOLD);
    CHECK_INT(result.truncated, 1);
    CHECK_NEAR(s->time_left, 0.0, 0.0);
}

TEST(cash_out_with_a_wreck_or_an_empty_tank) {
    begin_calm(39); /* stranded: no bonus */
    s->credits = 5000.0;
    s->fuel = 0.0;
    play(PROSPECTOR_CASH_OUT);
    CHECK_INT(s->end, PROSPECTOR_END_STRANDED);
    CHECK_NEAR(terms[PROSPECTOR_TERM_STRANDED], -50.0, 0.0);
    CHECK_NEAR(terms[PROSPECTOR_TERM_DESTROYED], 0.0, 0.0);
    CHECK_NEAR(terms[PROSPECTOR_TERM_BONUS], 0.0, 0.0);
    look();
    CHECK_NEAR(info[PROSPECTOR_INFO_SURVIVAL], 0.0, 0.0);

    begin(39); /* at home an empty tank is no end: the bonus is paid */
    s->credits = 5000.0;
    s->fuel = 0.0;
    play(PROSPECTOR_CASH_OUT);
    CHECK_INT(s->end, PROSPECTOR_END_CASH_OUT);
    CHECK_NEAR(terms[PROSPECTOR_TERM_BONUS], 0.01, 1e-15);

    begin(39); /* destroyed: the bonus is lost */
    s->credits = 5000.0;
    s->hull = 1.0;
    s->heat = 120.0;
    play(PROSPECTOR_CASH_OUT);
    CHECK_NEAR(terms[PROSPECTOR_TERM_DESTROYED], -100.0, 0.0);
    CHECK_NEAR(terms[PROSPECTOR_TERM_BONUS], 0.0, 0.0);
}

TEST(the_end_comes_before_the_time) {
    begin_budget(40, "1");
    s->hull = 0.0;
    play(PROSPECTOR_HOLD);
    CHECK_INT(result.terminated, 1);
    CHECK_INT(result.truncated, 0);
    CHECK_INT(s->end, PROSPECTOR_END_DESTROYED);
    begin_budget(40, "1");
    play(PROSPECTOR_CASH_OUT);
    CHECK_INT(result.terminated, 1);
    CHECK_INT(result.truncated, 0);
    CHECK_INT(s->end, PROSPECTOR_END_CASH_OUT);
    look();
    CHECK_NEAR(info[PROSPECTOR_INFO_TERMINATED], 1.0, 0.0);
    CHECK_NEAR(info[PROSPECTOR_INFO_TRUNCATED], 0.0, 0.0);
    CHECK_NEAR(info[PROSPECTOR_INFO_SURVIVAL], 1.0, 0.0);
}

TEST(budgets_of_any_length) {
    begin_budget(41, "7.5");
    look();
    CHECK(seen[6] == 1.0f);
    CHECK_NEAR(info[PROSPECTOR_INFO_TIME_REMAINING], 7.5, 0.0);
    for (int k = 1; k <= 8; k++) {
        play(PROSPECTOR_HOLD);
        look();
        double left = k < 8 ? 7.5 - (double)k : 0.0;
        CHECK(seen[6] == (float)(left / 7.5));
        CHECK_NEAR(info[PROSPECTOR_INFO_TIME_REMAINING], left, 0.0);
        CHECK_INT(result.truncated, k == 8);
        CHECK_NEAR(info[PROSPECTOR_INFO_TRUNCATED], k == 8 ? 1.0 : 0.0, 0.0);
        CHECK_NEAR(info[PROSPECTOR_INFO_TERMINATED], 0.0, 0.0);
    }
    CHECK_INT(s->ticks, 8);
    begin_budget(41, "1");
    play(PROSPECTOR_LISTEN); /* longer than the budget */
    look();
    CHECK_INT(result.truncated, 1);
    CHECK_INT(s->ticks, 2);
    CHECK(seen[6] == 0.0f);
}

/* ---- hazard and market ---- */

/* Drifting in the field: what the hazard of a node does in dt ticks. */
TEST(hazard_by_the_numbers) {
    begin_calm(46);
    s->graph[1].hazard = 0.5f;
    s->heat = 50.0;
    uint64_t rng = s->rng;
    double rough = 0.8 + 0.4 * draw_unit(&rng);
    play(PROSPECTOR_LISTEN);
    CHECK_NEAR(s->heat, 50.0 - 5.0 + 2.0 * 0.5 * 0.5, 1e-12);
    CHECK_NEAR(s->alert, 2.0 * 0.5 * 0.8, 1e-12);
    CHECK(s->hull <= 100.0 - 2.0 * 0.5 * 0.7 * 0.8 && s->hull >= 100.0 - 2.0 * 0.5 * 0.7 * 1.2);
    begin_calm(46);
    s->graph[1].hazard = 0.5f;
    play(PROSPECTOR_HOLD); /* without draws of the action itself the first is the hazard's */
    CHECK_NEAR(s->hull, 100.0 - 0.5 * 0.7 * rough, 1e-12);
}

TEST(market_by_the_numbers) {
    static const double base[6] = {45, 55, 85, 145, 210, 120};
    begin(47);
    for (int k = 0; k < 400; k++) {
        static const int32_t actions[4] = {6, 11, 8, 33};
        double stock[6], sales[6];
        uint64_t rng = s->rng;
        int32_t action = actions[k % 4];
        rng = action == 11 ? after_draws(rng, 2u * s->graph[0].degree) : rng;
        for (int c = 0; c < 6; c++) {
            s->stock[c] = (float)(k % 97);
            s->sales[c] = (float)(k % 31);
            stock[c] = (double)s->stock[c];
            sales[c] = (double)s->sales[c];
        }
        float before = s->price[3];
        s->fuel = 1000.0;
        play(action);
        int dt = result.ticks;
        for (int c = 0; c < 6; c++) {
            double wave = s->amplitude[c] * sin(LU_TWO_PI * s->ticks / s->period[c] + s->phase[c]);
            double noise = 0.03 * base[c] * sqrt(dt) * normal_by_library(&rng);
            double price = base[c] + wave - 0.04 * stock[c] - 0.05 * sales[c] + noise;
            CHECK_NEAR((double)s->price[c], price, 2e-5);
            CHECK_NEAR((double)s->sales[c], sales[c] * exp(-dt / 14.0), 1e-5);
            CHECK_NEAR((double)s->stock[c], stock[c] * 0.998, 1e-5);
        }
        CHECK(s->last_price[3] == before);
        CHECK_HEX(s->rng, rng);
    }
}
