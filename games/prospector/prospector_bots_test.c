/* Tests of the reference's three bots: the published means, and the rules that play hardly reaches,
 * on observations made by hand. */
#include "prospector.h"
#include "test_episode.h"

static const lu_bot *bot_named(const char *name) {
    return lu_game_bot(lu_game_find("prospector", NULL), name);
}

static int choice(const char *name, const float *o) {
    int32_t action = -1;
    bot_named(name)->act(&(lu_seat_view){.observation = o}, &action);
    return action;
}

/* Means over seeds 7..1006 as the reference's authors measured them: decisions are equal to the
 * last one, else these would drift. */
TEST(published_means) {
    static const struct {
        const char *name;
        double profit, per_tick, steps, ticks, encounters, reward;
    } rows[] = {
        {"greedy_miner", 163.9, 1.617, 57.7, 97.0, 15.1, -103.8},
        {"cautious_scanner", -99.3, -0.804, 63.6, 130.3, 20.3, -87.6},
        {"market_timer", 19.6, 0.296, 53.1, 58.4, 12.6, -112.7},
    };
    lu_episode episode = test_episode("prospector", "{\"reward\":{\"mode\":\"reference\"}}");
    lu_env *env = episode.env;
    for (int k = 0; k < 3; k++) {
        double profit = 0, per_tick = 0, steps = 0, ticks = 0, encounters = 0, reward = 0;
        const lu_bot *bot = bot_named(rows[k].name);
        for (uint64_t seed = 7; seed <= 1006; seed++) {
            lu_env_reset(env, seed, NULL);
            while (!env->over) {
                int32_t action = -1;
                bot->act(&(lu_seat_view){.observation = env->observation}, &action);
                lu_env_step(env, &action);
            }
            CHECK_NEAR(lu_env_info(env, 0, "survival"), 0.0, 0.0);
            profit += lu_env_info(env, 0, "net_profit") / 1000.0;
            per_tick += lu_env_info(env, 0, "profit_per_tick") / 1000.0;
            steps += (double)env->decisions / 1000.0;
            ticks += lu_env_info(env, 0, "ticks_elapsed") / 1000.0;
            encounters += lu_env_info(env, 0, "pirate_encounters") / 1000.0;
            reward += env->returns[0] / 1000.0;
        }
        CHECK_NEAR(profit, rows[k].profit, 0.05);
        CHECK_NEAR(per_tick, rows[k].per_tick, 0.00056); /* published after rounding twice */
        CHECK_NEAR(steps, rows[k].steps, 0.05);
        CHECK_NEAR(ticks, rows[k].ticks, 0.05);
        CHECK_NEAR(encounters, rows[k].encounters, 0.05);
        CHECK_NEAR(reward, rows[k].reward, 0.05);
    }
    lu_episode_close(&episode);
}

/* An observation in the field: full of fuel and sound, no rocks, ways as `types` says (0 station,
 * 1 cluster, 2 hazard). */
static void field(float *o, const char *types) {
    memset(o, 0, sizeof(float) * PROSPECTOR_OBSERVATION);
    o[0] = o[1] = o[3] = o[6] = 1.0f;
    o[20] = 1.0f;
    for (int k = 0; types[k]; k++) {
        o[24 + 7 * k] = 1.0f;
        o[25 + 7 * k + (types[k] - '0')] = 1.0f;
    }
    for (int c = 0; c < 6; c++) {
        o[244 + c] = 1.0f;
    }
}

static float *add_rock(float *o, int a, float stability, float confidence) {
    float *rock = o + 68 + 11 * a;
    rock[0] = 1.0f;
    rock[1] = 1.0f;
    rock[7] = stability;
    rock[9] = confidence;
    return rock;
}

TEST(without_rocks_they_move_on) {
    static const char *const names[] = {"greedy_miner", "cautious_scanner", "market_timer"};
    float o[PROSPECTOR_OBSERVATION];
    for (int k = 0; k < 3; k++) {
        field(o, "0221");
        CHECK_INT(choice(names[k], o), 3); /* the first cluster */
        field(o, "02");
        CHECK_INT(choice(names[k], o), 1); /* else the first that is not the station */
        field(o, "0");
        CHECK_INT(choice(names[k], o), 0); /* else any */
        field(o, "");
        CHECK_INT(choice(names[k], o), PROSPECTOR_HOLD);
        field(o, "121");
        o[17] = 1.0f; /* docked with nothing to do */
        CHECK_INT(choice(names[k], o), 0);
    }
}

TEST(the_timer_without_a_way_home) {
    float o[PROSPECTOR_OBSERVATION];
    field(o, "12");
    add_rock(o, 2, 0.5f, 0.1f);
    CHECK_INT(choice("market_timer", o), PROSPECTOR_SELECT + 2);
    o[4] = 0.2f; /* a load, but no way home from here: it goes on */
    CHECK_INT(choice("market_timer", o), PROSPECTOR_SELECT + 2);
    o[2] = 0.66f;
    CHECK_INT(choice("market_timer", o), PROSPECTOR_COOL);
    o[2] = 0.0f;
    o[4] = 0.3f;
    o[253] = -0.03f; /* falling prices: any way */
    CHECK_INT(choice("market_timer", o), 0);
    o[253] = 0.0f;
    o[4] = 0.9f; /* full: without a way home it holds */
    CHECK_INT(choice("market_timer", o), PROSPECTOR_HOLD);
    field(o, "10");
    o[4] = 0.13f;
    CHECK_INT(choice("market_timer", o), 1);
}

TEST(the_timer_at_the_station) {
    float o[PROSPECTOR_OBSERVATION];
    field(o, "1");
    o[17] = 1.0f;
    o[8 + 3] = 0.02f;
    CHECK_INT(choice("market_timer", o), 0); /* waits for a better price: off it goes */
    o[250 + 3] = 0.02f;
    CHECK_INT(choice("market_timer", o), PROSPECTOR_SELL + 9);
    o[244 + 3] = 0.5f; /* rising, but low */
    CHECK_INT(choice("market_timer", o), 0);
    o[6] = 0.14f; /* the time runs out: it sells all the same */
    CHECK_INT(choice("market_timer", o), PROSPECTOR_SELL + 9);
    o[8 + 3] = 0.01f;
    o[8 + 1] = 0.0499f;
    o[8 + 5] = 0.06f;
    CHECK_INT(choice("market_timer", o), PROSPECTOR_SELL + 15);
    o[8 + 5] = 0.0499f;
    o[0] = 0.49f;
    o[7] = 0.2976f; /* 120 credits and a bit */
    CHECK_INT(choice("market_timer", o), PROSPECTOR_BUY_FUEL + 1);
    o[7] = 0.2970f; /* a bit less */
    CHECK_INT(choice("market_timer", o), 0);
}

/* The order of additions decides between rocks whose sums differ in the last bit: products are
 * rounded to single precision, added in double precision, and their sum rounded once. Volatile:
 * gcc 12 may drop the rounding of (double)(float)x when it packs such code into vectors. */
TEST(value_is_a_dot_product_of_single_precision) {
    lu_rng rng = lu_rng_from(7);
    int chained = 0, wide = 0;
    for (int k = 0; k < 20000; k++) {
        float o[PROSPECTOR_OBSERVATION];
        field(o, "0");
        volatile float dot[2], chain[2], exact[2];
        for (int a = 0; a < 2; a++) {
            float *rock = add_rock(o, a, 1.0f, 0.5f);
            volatile double sum = 0.0, all = 0.0;
            chain[a] = 0.0f;
            for (int c = 0; c < 6; c++) {
                /* the second rock is the first one but for the last bit */
                o[244 + c] = a ? o[244 + c] : 1.0f - 0.4f * (float)lu_rng_unit(&rng);
                float near = o[68 + 1 + c] * (lu_rng_below(&rng, 2) ? 0x1.000002p0f : 1.0f);
                rock[1 + c] = a ? near : (float)lu_rng_unit(&rng) / 3.0f;
                volatile float product = o[244 + c] * rock[1 + c];
                sum = sum + (double)product;
                all = all + (double)o[244 + c] * (double)rock[1 + c];
                chain[a] = chain[a] + product;
            }
            dot[a] = (float)sum;
            exact[a] = (float)all;
        }
        int want = dot[1] > dot[0] ? 1 : 0; /* the first on ties */
        CHECK_INT(choice("greedy_miner", o), PROSPECTOR_SELECT + want);
        CHECK_INT(choice("cautious_scanner", o), PROSPECTOR_SELECT + want);
        chained += (chain[1] > chain[0] ? 1 : 0) != want;
        wide += (exact[1] > exact[0] ? 1 : 0) != want;
    }
    CHECK(chained > 100 && wide > 100); /* other roundings would choose otherwise */
}
