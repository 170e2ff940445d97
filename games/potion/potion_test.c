/* The rules of potion one by one; the battery of `ludus conform` covers what every game owes. */
#include "potion_test.h"

#include <math.h>
#include <stdlib.h>

/* ---- stability ---- */

static int code_of(int ruleset, int recipe, int a, int b, int c, int d, int e) {
    int32_t amount[POTION_MAGIMINS] = {a, b, c, d, e};
    return potion_code_of(ruleset, amount, a + b + c + d + e, 2, recipe);
}

TEST(two_brews_of_a_real_game_have_their_classes) {
    /* 24 A and 8 C as a Fire Tonic are unstable, 331 A 385 B 33 C as a Health Potion are stable */
    CHECK_INT(code_of(POTION_RULES_GAME, 5, 24, 0, 8, 0, 0), POTION_UNSTABLE);
    CHECK_INT(code_of(POTION_RULES_GAME, 0, 331, 385, 33, 0, 0), POTION_STABLE);
    CHECK_INT(code_of(POTION_RULES_RL_PEER, 5, 24, 0, 8, 0, 0), POTION_CANNOT_BREW);
    CHECK_INT(code_of(POTION_RULES_RL_PEER, 0, 331, 385, 33, 0, 0), POTION_STABLE);
}

/* Of 4000 magimins of a Health Potion x are too many in A: e = x / 4000, delta = 2 x / 4000. */
TEST(every_limit_of_the_game_is_inclusive) {
    static const int limit[] = {10, 210, 610, 1010};
    for (int k = 0; k < 4; k++) {
        CHECK_INT(code_of(POTION_RULES_GAME, 0, 2000 + limit[k], 2000 - limit[k], 0, 0, 0),
                  POTION_PERFECT - k);
        CHECK_INT(code_of(POTION_RULES_GAME, 0, 2000 - limit[k] - 1, 2000 + limit[k] + 1, 0, 0, 0),
                  POTION_PERFECT - k - 1);
    }
}

TEST(every_limit_of_the_peer_is_strict) {
    static const int limit[] = {1, 100, 300, 500};
    for (int k = 0; k < 4; k++) {
        int x = limit[k];
        CHECK_INT(code_of(POTION_RULES_RL_PEER, 0, 2000 + x - 1, 2000 - x + 1, 0, 0, 0),
                  POTION_PERFECT - k);
        CHECK_INT(code_of(POTION_RULES_RL_PEER, 0, 2000 + x, 2000 - x, 0, 0, 0),
                  POTION_PERFECT - k - 1);
    }
}

TEST(unwanted_magimins_count_fully_in_the_game) {
    /* 90 A 90 B 20 E: e = 0.1; the peer sees |0.45 - 0.5| twice = 0.1 */
    CHECK_INT(code_of(POTION_RULES_GAME, 0, 90, 90, 0, 0, 20), POTION_STABLE);
    CHECK_INT(code_of(POTION_RULES_RL_PEER, 0, 90, 90, 0, 0, 20), POTION_STABLE);
    /* three parts: 20 of 100 in the wrong wanted place is e = 0.2, delta = 0.4 */
    CHECK_INT(code_of(POTION_RULES_GAME, 10, 50, 40, 10, 0, 0), POTION_UNSTABLE);
    CHECK_INT(code_of(POTION_RULES_RL_PEER, 10, 50, 40, 10, 0, 0), POTION_CANNOT_BREW);
}

TEST(one_item_brews_nothing) {
    int32_t amount[POTION_MAGIMINS] = {8, 8, 0, 0, 0};
    CHECK_INT(potion_code_of(POTION_RULES_GAME, amount, 16, 1, 0), POTION_CANNOT_BREW);
    CHECK_INT(potion_code_of(POTION_RULES_GAME, amount, 16, 2, 0), POTION_PERFECT);
}

TEST(both_distances_are_zero_together) {
    lu_rng rng = lu_rng_from(3);
    int zeros = 0;
    for (int n = 0; n < 200000; n++) {
        int recipe = (int)lu_rng_below(&rng, POTION_RECIPES);
        int32_t amount[POTION_MAGIMINS], total = 0, all, wanted;
        for (int k = 0; k < POTION_MAGIMINS; k++) {
            amount[k] = (int32_t)lu_rng_below(&rng, 3) *
                        (potion_parts[recipe][k] > 0 || lu_rng_below(&rng, 4) == 0);
            amount[k] *= n % 2 ? 1 : potion_parts[recipe][k];
            total += amount[k];
        }
        potion_distances(amount, total, recipe, &all, &wanted);
        zeros += all == 0 && total > 0;
        CHECK((all == 0) == (wanted == 0));
        CHECK(wanted <= all);
    }
    CHECK(zeros > 1000);
}

/* ---- mixing, masks and ends ---- */

TEST(the_mask_is_stock_slots_and_magimins) {
    kit k;
    lu_error error;
    NEED(kit_open(&k, PLAIN, NULL, &error));
    lu_rng rng = lu_rng_from(8);
    for (uint64_t seed = 0; seed < 300; seed++) {
        lu_env_reset(k.env, seed, NULL);
        while (!k.env->over) {
            CHECK_INT(k.env->mask[0], 1);
            CHECK_INT(k.env->mask[POTION_ACTIONS - 1], 0);
            for (int i = 1; i <= POTION_INGREDIENTS; i++) {
                bool legal = k.s->stock[i] > 0 && k.s->mix.items < k.s->max_items &&
                             k.s->mix.total + potion_ingredients[i].total <= k.s->max_magimins;
                CHECK_INT(k.env->mask[i], legal);
            }
            int32_t action;
            lu_action_random(k.at.game, k.at.rules, k.s, 0, k.env->mask, &rng, &action);
            kit_act(&k, action);
            CHECK(k.s->mix.total <= k.s->max_magimins && k.s->mix.items <= k.s->max_items);
        }
        CHECK_INT(k.s->illegal, 0);
    }
    kit_close(&k);
}

TEST(the_finish_action_ends_the_episode) {
    kit k;
    lu_error error;
    NEED(kit_open(&k, PLAIN, NULL, &error));
    kit_start(&k, 0, 2, 1);
    kit_act(&k, POTION_FINISH);
    CHECK(k.env->step.terminated && !k.env->step.truncated);
    CHECK_INT(k.s->end, POTION_END_FINISHED);
    CHECK_NEAR(k.env->reward[0], 0.0, 0.0);
    CHECK_NEAR(lu_env_info(k.env, 0, "profit"), 0.0, 0.0);
    kit_close(&k);
}

TEST(the_last_slot_ends_the_episode) {
    kit k;
    lu_error error;
    NEED(kit_open(&k, PLAIN, NULL, &error));
    kit_start(&k, 0, 0, 1); /* Wooden: 4 items */
    kit_add(&k, "Feyberry", 2);
    kit_add(&k, "Mandrake Root", 1);
    CHECK(!k.env->over);
    kit_add(&k, "Mandrake Root", 1);
    CHECK(k.env->step.terminated);
    CHECK_INT(k.s->end, POTION_END_ITEMS);
    /* 12 A and 12 B: perfect, 24 of 75 */
    CHECK_NEAR(k.env->reward[0], 24.0 / 75.0 + 1.0, 1e-12);
    CHECK_INT(k.s->grade, 2 + 2);
    kit_close(&k);
}

/* Trace T03: five ingredients make exactly 160 in a Mudpack with six slots. */
static void brew_full(kit *k) {
    static const int actions[] = {50, 12, 12, 11, 96};
    kit_start(k, 1, 2, 1);
    for (int i = 0; i < 5; i++) {
        kit_act(k, actions[i]);
    }
}

TEST(exactly_full_ends_the_episode) {
    kit k;
    lu_error error;
    NEED(kit_open(&k, PLAIN, NULL, &error));
    brew_full(&k);
    CHECK(k.env->step.terminated);
    CHECK_INT(k.s->end, POTION_END_MAGIMINS);
    CHECK_NEAR(k.env->reward[0], 2.0, 0.0);
    CHECK_INT(k.s->price, 128);
    kit_close(&k);
}

TEST(without_full_ends_only_finishing_is_left) {
    static const char *const pairs[] = {"full_ends=false", NULL};
    kit k;
    lu_error error;
    NEED(kit_open(&k, PEER, pairs, &error));
    brew_full(&k);
    CHECK(!k.env->over);
    int legal = 0;
    for (int i = 0; i < POTION_ACTIONS; i++) {
        legal += k.env->mask[i];
    }
    CHECK_INT(legal, 1);
    kit_act(&k, POTION_FINISH);
    CHECK_NEAR(k.env->reward[0], 2.0, 0.0);
    kit_close(&k);
}

TEST(an_illegal_action_does_nothing_and_is_counted) {
    kit k;
    lu_error error;
    NEED(kit_open(&k, PLAIN, NULL, &error));
    potion_options task = {.recipe = 5, .cauldron = 1, .stocked = 1};
    task.stock[39] = 2;
    lu_env_reset(k.env, 1, &task);
    static const int32_t wrong[] = {39, -1, 207, 208, 1, INT32_MAX, INT32_MIN};
    kit_act(&k, 39);
    kit_act(&k, 39);
    potion_mix mix = k.s->mix;
    for (int i = 0; i < 7; i++) {
        kit_act(&k, wrong[i]);
        CHECK_INT(k.env->step.illegal, 1);
        CHECK(!k.env->over);
        CHECK_NEAR(k.env->reward[0], 0.0, 0.0);
    }
    CHECK(memcmp(&mix, &k.s->mix, sizeof mix) == 0);
    CHECK_INT(k.s->illegal, 7);
    CHECK_INT(k.s->steps, 9);
    kit_close(&k);
}

TEST(too_many_decisions_end_as_if_finished) {
    static const char *const off[] = {"step_cap=false", NULL};
    kit k;
    lu_error error;
    NEED(kit_open(&k, PLAIN, NULL, &error));
    kit_start(&k, 0, 0, 1);
    kit_add(&k, "Feyberry", 1);
    kit_add(&k, "Mandrake Root", 1);
    while (!k.env->over) {
        kit_act(&k, 207);
    }
    CHECK_INT(k.s->steps, 16);
    CHECK_INT(k.s->end, POTION_END_CAP);
    CHECK_NEAR(k.env->reward[0], 12.0 / 75.0 + 1.0, 1e-12);
    kit_close(&k);
    NEED(kit_open(&k, PLAIN, off, &error));
    kit_start(&k, 0, 0, 1);
    for (int i = 0; i < 1000; i++) {
        kit_act(&k, 207);
    }
    CHECK(!k.env->over);
    kit_close(&k);
}

TEST(the_order_of_adding_never_matters) {
    kit k;
    lu_error error;
    NEED(kit_open(&k, PLAIN, NULL, &error));
    static const int one[] = {78, 65, 90, 17, 111, 111, 33, 0},
                     two[] = {33, 111, 17, 111, 90, 78, 65, 0};
    double info[2][POTION_INFOS];
    for (int pass = 0; pass < 2; pass++) {
        kit_start(&k, 3, 10, 1);
        for (int i = 0; i < 8; i++) {
            kit_act(&k, pass ? two[i] : one[i]);
        }
        memcpy(info[pass], k.env->info, sizeof info[pass]);
        CHECK_NEAR(k.env->reward[0], 1.992, 1e-12);
    }
    CHECK(memcmp(info[0], info[1], sizeof info[0]) == 0);
    kit_close(&k);
}

/* ---- rewards ---- */

TEST(the_reward_is_at_most_two_and_two_only_when_perfect_and_full) {
    for (int variant = 0; variant < VARIANTS; variant++) {
        kit k;
        lu_error error;
        NEED(kit_open(&k, variant, NULL, &error));
        lu_rng rng = lu_rng_from(9);
        for (uint64_t seed = 0; seed < 3000; seed++) {
            lu_env_reset(k.env, seed, NULL);
            while (!k.env->over) {
                int32_t action;
                lu_action_random(k.at.game, k.at.rules, k.s, 0, k.env->mask, &rng, &action);
                kit_act(&k, action);
                CHECK(k.env->over || k.env->reward[0] == 0.0);
            }
            CHECK(k.env->reward[0] >= 0.0 && k.env->reward[0] <= 2.0);
            CHECK((k.env->reward[0] > 0.0) == (k.s->code > 0));
            int32_t all, wanted;
            potion_distances(k.s->mix.amount, k.s->mix.total, k.s->recipe, &all, &wanted);
            bool best = k.s->code > 0 && wanted == 0 && k.s->mix.total == k.s->max_magimins;
            CHECK((k.env->reward[0] >= 2.0) == best);
            CHECK_NEAR(k.env->reward[0], lu_env_info(k.env, 0, "score"), 1e-12);
        }
        kit_close(&k);
    }
}

/* Trace T11: delta 0.0761589, fullness 0.8753623, very stable in the game, stable for the peer. */
static void brew_unclean(kit *k) {
    static const int actions[] = {29, 23, 12, 171, 99, 119, 0};
    kit_start(k, 16, 16, 1);
    for (int i = 0; i < 7; i++) {
        kit_act(k, actions[i]);
    }
}

static double reward_with(const char *const *pairs) {
    kit k;
    lu_error error;
    if (!kit_open(&k, PLAIN, pairs, &error)) {
        lu_test_fail(__FILE__, __LINE__, "%s", error.text);
        kit_close(&k);
        return -1.0;
    }
    brew_unclean(&k);
    double reward = k.env->reward[0];
    kit_close(&k);
    return reward;
}

#define WITH(...) reward_with((const char *const[]){__VA_ARGS__, NULL})

TEST(every_form_of_the_reward) {
    const double delta = 23.0 / 302.0, fullness = 302.0 / 345.0;
    CHECK_NEAR(WITH("rules=rl_peer"), (1 - delta) * fullness + 0.5, 1e-12);
    CHECK_NEAR(WITH("rules=game"), (1 - delta) * fullness + 0.75, 1e-12);
    CHECK_NEAR(WITH("rules=rl_peer", "reward.mode=text"), 1 - delta * fullness + 0.5, 1e-12);
    CHECK_NEAR(WITH("rules=rl_peer", "reward.bonus=log"),
               (1 - delta) * fullness + 1.661 * log10(2.0 + 1e-8), 1e-12);
    CHECK_NEAR(WITH("reward.stability_reward=0,1,2,3,4"), (1 - delta) * fullness + 3.0, 1e-12);
    /* 3 potions at 270 (Grand 1), traits -1 +1 -1 0 -1, cost 401 */
    double profit = 3.0 * 270.0 * 0.9 - 401.0;
    CHECK_NEAR(WITH("reward.mode=profit"), profit / 1000.0, 1e-12);
    CHECK_NEAR(WITH("reward.mode=sigmoid"), 2.0 / (1.0 + exp(-profit / 1000.0)) - 1.0, 1e-12);
    CHECK_NEAR(WITH("reward.mode=sigmoid", "reward.profit_scale=100"),
               2.0 / (1.0 + exp(-profit / 100.0)) - 1.0, 1e-12);
    CHECK_NEAR(WITH("reward.mode=profit", "shop_bonus=0.5"),
               (3.0 * 270.0 * 0.9 * 1.5 - 401.0) / 1000.0, 1e-12);
    CHECK_NEAR(WITH("reward.mode=profit", "reward.profit=0", "reward.grade=1"), 19.0 / 35.0, 1e-12);
}

/* What progress pays on the way adds up to (1 - error) x fullness at the end. */
TEST(progress_adds_up) {
    kit k;
    lu_error error;
    NEED(kit_open(&k, PLAIN, NULL, &error));
    static const int actions[] = {29, 23, 12, 171, 99, 119, 0};
    double sum = 0.0;
    kit_start(&k, 16, 16, 1);
    for (int i = 0; i < 7; i++) {
        kit_act(&k, actions[i]);
        sum += k.env->terms[POTION_TERM_PROGRESS];
    }
    CHECK_NEAR(sum, lu_env_info(k.env, 0, "accuracy") * lu_env_info(k.env, 0, "fullness"), 1e-12);
    CHECK_NEAR(k.env->terms[POTION_TERM_PROGRESS], 0.0, 0.0);
    kit_close(&k);
}

TEST(no_potion_pays_nothing_unless_asked) {
    static const char *const plain[] = {"task=default", NULL};
    static const char *const paid[] = {"reward.cannot_make_potion_reward=-0.5", NULL};
    static const char *const logs[] = {"reward.bonus=log", NULL};
    static const char *const gold[] = {"reward.mode=profit", NULL};
    static const char *const *const settings[] = {plain, paid, logs, gold};
    static const double want[] = {0.0, -0.5, 1.661 * -8.0, -0.006};
    for (int i = 0; i < 4; i++) {
        kit k;
        lu_error error;
        NEED(kit_open(&k, PLAIN, settings[i], &error));
        kit_start(&k, 0, 2, 1);
        kit_add(&k, "Mandrake Root", 1);
        kit_act(&k, POTION_FINISH);
        CHECK_NEAR(k.env->reward[0], want[i], 1e-12);
        CHECK_INT(k.s->grade, 0);
        CHECK_INT(k.s->price, 0);
        kit_close(&k);
    }
}

/* ---- stars and traits ---- */

TEST(the_peer_draws_stars_half_and_half) {
    static const char *const pairs[] = {"rules=rl_peer", NULL};
    kit k;
    lu_error error;
    NEED(kit_open(&k, PLAIN, pairs, &error));
    int count[POTION_GRADES] = {0};
    for (uint64_t seed = 0; seed < 2000; seed++) {
        kit_start(&k, 0, 0, seed);
        kit_add(&k, "Feyberry", 2);
        kit_add(&k, "Mandrake Root", 2);
        count[k.s->grade]++;
    }
    CHECK_INT(count[4] + count[5], 2000);
    CHECK(count[4] > 900 && count[5] > 900);
    kit_close(&k);
}

TEST(star_luck_adds_a_star_to_the_best_classes) {
    static const char *const always[] = {"star_luck=1", NULL};
    kit k;
    lu_error error;
    NEED(kit_open(&k, PLAIN, always, &error));
    kit_start(&k, 0, 0, 1);
    kit_add(&k, "Feyberry", 2);
    kit_add(&k, "Mandrake Root", 2);
    CHECK_INT(k.s->grade, 5);
    brew_unclean(&k); /* very stable: raw Grand 0, one star, one more */
    CHECK_INT(k.s->grade, 20);
    kit_start(&k, 5, 2, 1); /* 24 A, 8 C: unstable, Minor 3 less one */
    kit_add(&k, "Swamp Octopus", 1);
    kit_add(&k, "Unicorn Horn", 1);
    kit_act(&k, POTION_FINISH);
    CHECK_INT(k.s->code, POTION_UNSTABLE);
    CHECK_INT(k.s->grade, 2);
    kit_close(&k);
}

static void pool(const char *const *names, int count, int copies, int sense, int *good, int *bad) {
    uint8_t added[POTION_ITEMS_MAX];
    for (int i = 0; i < count; i++) {
        added[i] = (uint8_t)potion_ingredient_find(names[i]);
    }
    potion_trait_pool(added, count, sense, copies, good, bad);
}

TEST(the_larger_total_decides_a_trait) {
    /* the real brew: Pegasus Mite 144 (touch -, sound -), Cosmic Cassava 66 (taste -, sound +) */
    static const char *const names[] = {"Cosmic Cassava", "Pegasus Mite", "Cosmic Cassava",
                                        "Pegasus Mite"};
    static const int want[POTION_SENSES] = {-1, -1, 0, 0, -1};
    for (int sense = 0; sense < POTION_SENSES; sense++) {
        int good, bad;
        pool(names, 4, 0, sense, &good, &bad);
        CHECK_INT(good, want[sense] > 0);
        CHECK_INT(bad, want[sense] < 0);
    }
}

/* Two ingredients of 8 with opposite smells do not exist in one place, so find any such pair. */
static bool find_tie(int *good, int *bad, int *sense) {
    for (int i = 1; i <= POTION_INGREDIENTS; i++) {
        for (int j = 1; j <= POTION_INGREDIENTS; j++) {
            for (int k = 0; k < POTION_SENSES; k++) {
                if (potion_takes[i] == potion_takes[j] && potion_traits[i][k] > 0 &&
                    potion_traits[j][k] < 0 && potion_takes[i] < 30) {
                    *good = i;
                    *bad = j;
                    *sense = k;
                    return true;
                }
            }
        }
    }
    return false;
}

TEST(a_tie_is_drawn_by_ingredient_or_by_copy) {
    static const char *const by[][3] = {{"trait_tie=distinct", "reward.mode=profit", NULL},
                                        {"trait_tie=copies", "reward.mode=profit", NULL}};
    int good, bad, sense, up[2] = {0, 0};
    NEED(find_tie(&good, &bad, &sense));
    for (int copies = 0; copies < 2; copies++) {
        uint8_t added[4] = {(uint8_t)good, (uint8_t)good, (uint8_t)good, (uint8_t)bad};
        CHECK_NEAR(potion_trait_mean(added, 4, sense, copies), copies ? 0.5 : 0.0, 1e-12);
        kit k;
        lu_error error;
        NEED(kit_open(&k, PLAIN, by[copies], &error));
        for (uint64_t seed = 0; seed < 4000; seed++) {
            /* whichever recipe these make a potion of */
            for (int recipe = 0; recipe < POTION_RECIPES; recipe++) {
                kit_start(&k, recipe, 37, seed);
                for (int i = 0; i < 4; i++) {
                    kit_act(&k, added[i]);
                }
                if (k.s->code > 0) {
                    break;
                }
            }
            NEED(k.s->code > 0);
            kit_act(&k, POTION_FINISH);
            CHECK(k.s->trait[sense] == 1 || k.s->trait[sense] == -1);
            up[copies] += k.s->trait[sense] == 1;
        }
        kit_close(&k);
    }
    CHECK(up[0] > 1850 && up[0] < 2150);
    CHECK(up[1] > 2850 && up[1] < 3150);
}

TEST(draws_change_only_what_is_drawn) {
    kit k;
    lu_error error;
    NEED(kit_open(&k, PLAIN, NULL, &error));
    brew_unclean(&k);
    double reward = k.env->reward[0];
    uint64_t hash = lu_env_hash(k.env);
    brew_unclean(&k);
    CHECK_HEX(lu_env_hash(k.env), hash);
    kit_start(&k, 16, 16, 99);
    static const int actions[] = {29, 23, 12, 171, 99, 119, 0};
    for (int i = 0; i < 7; i++) {
        kit_act(&k, actions[i]);
    }
    CHECK_NEAR(k.env->reward[0], reward, 0.0);
    kit_close(&k);
}

/* ---- observations ---- */

TEST(the_learning_layout_is_as_documented) {
    kit k;
    lu_error error;
    NEED(kit_open(&k, PLAIN, NULL, &error));
    kit_start(&k, 3, 10, 1);
    CHECK_INT(lu_game_observation_length(k.at.game), 459);
    kit_add(&k, "Chimera Waste", 2); /* 128 C, 64 D */
    const float *o = k.env->observation;
    int waste = potion_ingredient_find("Chimera Waste");
    CHECK_NEAR(o[waste], 1.2, 1e-6);
    CHECK_NEAR(o[208 + waste], 2.0 / 14.0, 1e-6);
    CHECK_NEAR(o[416 + 3], 1.0, 0.0);
    CHECK_NEAR(o[436 + 2], 2.0 / 3.0, 1e-6);
    CHECK_NEAR(o[441 + 2], 0.5, 0.0);
    CHECK_NEAR(o[446 + 2], 0.5 - 2.0 / 3.0, 1e-6);
    CHECK_NEAR(o[451 + POTION_SEEN_FULLNESS], 192.0 / 375.0, 1e-6);
    CHECK_NEAR(o[451 + POTION_SEEN_ITEMS], 2.0 / 9.0, 1e-6);
    CHECK_NEAR(o[451 + POTION_SEEN_FREE_ITEMS], 0.5, 0.0);
    CHECK_NEAR(o[451 + POTION_SEEN_FREE_MAGIMINS], 183.0 / 2000.0, 1e-6);
    CHECK_NEAR(o[451 + POTION_SEEN_MAX_ITEMS], 9.0 / 14.0, 1e-6);
    CHECK_NEAR(o[451 + POTION_SEEN_MAX_MAGIMINS], 375.0 / 2000.0, 1e-6);
    CHECK_NEAR(o[451 + POTION_SEEN_GRADE], 13.0 / 35.0, 1e-6);
    CHECK_NEAR(o[451 + POTION_SEEN_CODE], 0.25, 0.0);
    kit_close(&k);
}

static bool is_clean(int recipe, int action) {
    for (int k = 0; k < POTION_MAGIMINS; k++) {
        if (potion_ingredients[action].magimins[k] && !potion_recipes[recipe].parts[k]) {
            return false;
        }
    }
    return true;
}

/* The best score of ending now, after `action`, or with one more clean piece: by playing each. */
static double best_within_reach(kit *k, int action) {
    double best = lu_env_info(k->env, 0, "score");
    if (k->env->over || action == POTION_FINISH || !is_clean(k->s->recipe, action)) {
        return best;
    }
    potion_state kept = *k->s;
    for (int32_t i = 1; i <= POTION_INGREDIENTS; i++) {
        if (k->env->mask[i] && is_clean(kept.recipe, i)) {
            double terms[POTION_TERMS] = {0};
            lu_step step;
            k->env->core->step(k->at.rules, k->s, &i, terms, &step);
            k->env->core->info(k->at.rules, k->s, 0, k->env->info);
            best = fmax(best, k->env->info[POTION_INFO_SCORE]);
            *k->s = kept;
        }
    }
    lu_env_refresh(k->env);
    return best;
}

/* What the row of an action said, once it has been taken. */
static void check_reach(kit *k, int action, const float *row) {
    const potion_state *s = k->s;
    double least = 1.0, free_items = s->max_items - s->mix.items;
    for (int i = 0; i < POTION_MAGIMINS; i++) {
        double part = potion_recipes[s->recipe].parts[i];
        double left = part / potion_recipes[s->recipe].sum -
                      (double)s->mix.amount[i] / (double)s->max_magimins;
        least = part > 0.0 ? fmin(least, left) : least;
    }
    double missing = s->max_magimins - s->mix.total;
    double before = action ? missing + potion_ingredients[action].total : missing;
    double size = action ? potion_ingredients[action].total * (free_items + 1) / before / 4.0 : 0.0;
    CHECK_NEAR(row[POTION_LOOK_SIZE], fmin(1.0, size), 1e-5);
    CHECK_NEAR(row[POTION_LOOK_NEED], fmin(1.0, missing / fmax(1.0, free_items) / 200.0), 1e-5);
    CHECK_NEAR(row[POTION_LOOK_ROOM], least, 1e-5);
    CHECK_NEAR(row[POTION_LOOK_NEXT], best_within_reach(k, action) / 2.0, 1e-5);
}

TEST(the_look_shows_what_each_action_leads_to) {
    static const char *const ruleset[] = {"rules=game", "rules=rl_peer"};
    lu_rng rng = lu_rng_from(12);
    for (int r = 0; r < 2; r++) {
        const char *const pairs[] = {ruleset[r], NULL};
        kit k;
        lu_error error;
        NEED(kit_open(&k, LOOK, pairs, &error));
        CHECK_INT(lu_game_observation_length(k.at.game), 2935);
        for (uint64_t seed = 0; seed < 40; seed++) {
            lu_env_reset(k.env, seed, NULL);
            for (int step = 0; step < 5 && !k.env->over; step++) {
                int32_t action;
                do { /* every other episode of clean pieces, so that potions come out */
                    lu_action_random(k.at.game, k.at.rules, k.s, 0, k.env->mask, &rng, &action);
                } while (seed % 2 && action && !is_clean(k.s->recipe, action));
                float row[POTION_LOOK_FIELDS];
                memcpy(row, k.env->observation + action * POTION_LOOK_FIELDS, sizeof row);
                double before = k.s->mix.total ? 1.0 : 0.0;
                kit_act(&k, action);
                int32_t all, wanted;
                potion_distances(k.s->mix.amount, k.s->mix.total, k.s->recipe, &all, &wanted);
                double scale = 2.0 * potion_recipes[k.s->recipe].sum * k.s->mix.total;
                double after = k.s->mix.total ? all / scale : 1.0;
                CHECK_NEAR(row[POTION_LOOK_LEGAL], 1.0, 0.0);
                CHECK_NEAR(row[POTION_LOOK_FINISH], action == 0, 0.0);
                CHECK_NEAR(row[POTION_LOOK_ERROR], after, 1e-6);
                CHECK_NEAR(row[POTION_LOOK_FULLNESS], lu_env_info(k.env, 0, "fullness"), 1e-6);
                CHECK_NEAR(row[POTION_LOOK_CODE], k.s->code / 4.0, 0.0);
                if (before == 0.0 && action > 0) {
                    CHECK_NEAR(row[POTION_LOOK_CHANGE], after - 1.0, 1e-6);
                }
                check_reach(&k, action, row);
            }
        }
        for (int i = 0; i < POTION_ACTIONS; i++) {
            const float *row = k.env->observation + i * POTION_LOOK_FIELDS;
            CHECK_INT((int)row[POTION_LOOK_LEGAL], k.env->mask[i]);
        }
        kit_close(&k);
    }
}

TEST(the_peer_layout_is_as_documented) {
    kit k;
    lu_error error;
    NEED(kit_open(&k, PEER, NULL, &error));
    kit_start(&k, 3, 10, 1);
    CHECK_INT(lu_game_observation_length(k.at.game), 431);
    kit_add(&k, "Chimera Waste", 2);
    const float *o = k.env->observation;
    int waste = potion_ingredient_find("Chimera Waste");
    static const double tail[] = {0, 0, 2.0 / 3.0, 1.0 / 3.0, 0, 0, 0, 0.5, 0.5, 0, 192, 375, 2, 9};
    CHECK_NEAR(o[waste], 12.0, 0.0);
    CHECK_NEAR(o[208 + waste], 2.0, 0.0);
    CHECK_NEAR(o[416], 3.0, 0.0);
    for (int i = 0; i < 14; i++) {
        CHECK_NEAR(o[417 + i], tail[i], 1e-6);
    }
    kit_close(&k);
}
