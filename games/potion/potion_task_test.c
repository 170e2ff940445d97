/* Tasks: what settings and reset options make of an episode, contests, and random play over all of
 * them under both rules. */
#include "potion_test.h"

/* ---- settings ---- */

TEST(a_default_reset_draws_recipe_cauldron_and_stock) {
    kit k;
    lu_error error;
    NEED(kit_open(&k, PLAIN, NULL, &error));
    int recipes[POTION_RECIPES] = {0}, cauldrons[POTION_CAULDRONS] = {0}, pieces[11] = {0};
    for (uint64_t seed = 0; seed < 2000; seed++) {
        lu_env_reset(k.env, seed, NULL);
        recipes[k.s->recipe]++;
        cauldrons[k.s->cauldron]++;
        CHECK_INT(k.s->stock[0] + k.s->stock[207], 0);
        CHECK_INT(k.s->max_items, potion_cauldrons[k.s->cauldron].items);
        CHECK_INT(k.s->max_magimins, potion_cauldrons[k.s->cauldron].magimins);
        for (int i = 1; i <= POTION_INGREDIENTS; i++) {
            NEED(k.s->stock[i] <= 10);
            pieces[k.s->stock[i]]++;
        }
    }
    for (int i = 0; i < POTION_RECIPES; i++) {
        CHECK(recipes[i] > 50 && recipes[i] < 160);
    }
    for (int i = 0; i < POTION_CAULDRONS; i++) {
        CHECK(cauldrons[i] > 20 && cauldrons[i] < 100);
    }
    /* 412,000 draws of 11 amounts: 37,455 each, deviation 185 */
    for (int i = 0; i <= 10; i++) {
        CHECK(pieces[i] > 36500 && pieces[i] < 38400);
    }
    kit_close(&k);
}

TEST(fixed_tasks_by_settings) {
    static const char *const pairs[] = {"recipe.randomize=false",
                                        "recipe_index=7",
                                        "cauldron.randomize=false",
                                        "cauldron_index=12",
                                        "ingredients.randomize=false",
                                        "ingredients.maximum_amount=3",
                                        NULL};
    kit k;
    lu_error error;
    NEED(kit_open(&k, PLAIN, pairs, &error));
    for (uint64_t seed = 0; seed < 20; seed++) {
        lu_env_reset(k.env, seed, NULL);
        CHECK_INT(k.s->recipe, 7);
        CHECK_INT(k.s->cauldron, 12);
        for (int i = 1; i <= POTION_INGREDIENTS; i++) {
            CHECK_INT(k.s->stock[i], 3);
        }
    }
    kit_close(&k);
}

TEST(a_chapter_limits_everything_that_is_drawn) {
    for (int chapter = 1; chapter <= POTION_CHAPTERS; chapter++) {
        char pair[32];
        const char *const pairs[] = {pair, "ingredients.minimum_amount=1", NULL};
        kit k;
        lu_error error;
        snprintf(pair, sizeof pair, "chapter=%d", chapter);
        NEED(kit_open(&k, PLAIN, pairs, &error));
        for (uint64_t seed = 0; seed < 200; seed++) {
            lu_env_reset(k.env, seed, NULL);
            CHECK(potion_recipes[k.s->recipe].licence <= chapter);
            CHECK(potion_cauldrons[k.s->cauldron].chapter <= chapter);
            for (int i = 1; i <= POTION_INGREDIENTS; i++) {
                CHECK_INT(k.s->stock[i] > 0, potion_ingredients[i].chapter <= chapter);
            }
        }
        kit_close(&k);
    }
}

TEST(allowed_ingredients_are_a_list_a_chapter_or_a_shop) {
    static const char *const list[] = {"ingredients.allowed_ingredients=3, 17,206",
                                       "ingredients.minimum_amount=1", NULL};
    static const char *const chapter[] = {"ingredients.allowed_ingredients=chapter:2",
                                          "ingredients.minimum_amount=1", NULL};
    static const char *const shop[] = {"ingredients.allowed_ingredients=shop:3", NULL};
    kit k;
    lu_error error;
    NEED(kit_open(&k, PLAIN, list, &error));
    lu_env_reset(k.env, 1, NULL);
    for (int i = 1; i <= POTION_INGREDIENTS; i++) {
        CHECK_INT(k.s->stock[i] > 0, i == 3 || i == 17 || i == 206);
    }
    kit_close(&k);
    NEED(kit_open(&k, PLAIN, chapter, &error));
    lu_env_reset(k.env, 1, NULL);
    for (int i = 1; i <= POTION_INGREDIENTS; i++) {
        CHECK_INT(k.s->stock[i] > 0, i <= 82);
    }
    kit_close(&k);
    NEED(kit_open(&k, PLAIN, shop, &error));
    lu_env_reset(k.env, 1, NULL);
    for (int i = 1; i <= POTION_INGREDIENTS; i++) {
        CHECK_INT(k.s->stock[i], i <= 131 ? potion_ingredients[i].shop : 0);
    }
    kit_close(&k);
}

TEST(inventory_is_the_stock_of_every_episode) {
    static const char *const pairs[] = {
        "ingredients.inventory={\"name\":\"mine.txt\",\"text\":\"3 Feyberry\\nMandrake Root 120\"}",
        "ingredients.minimum_amount=5", "chapter=1", NULL};
    kit k;
    lu_error error;
    NEED(kit_open(&k, PLAIN, pairs, &error));
    for (uint64_t seed = 0; seed < 20; seed++) {
        lu_env_reset(k.env, seed, NULL);
        for (int i = 1; i <= POTION_INGREDIENTS; i++) {
            CHECK_INT(k.s->stock[i], i == potion_ingredient_find("Feyberry") ? 3
                                     : i == potion_ingredient_find("Mandrake Root")
                                         ? POTION_STOCK_MAX
                                         : 0);
        }
    }
    kit_close(&k);
}

TEST(held_out_recipes_are_drawn_only_when_asked_for) {
    static const char *const pairs[] = {"recipe.held_out=4,11,19", NULL};
    kit k;
    lu_error error;
    NEED(kit_open(&k, PLAIN, pairs, &error));
    potion_options held = {.recipe = -1, .cauldron = -1, .held_out = 1};
    int seen[POTION_RECIPES] = {0};
    for (uint64_t seed = 0; seed < 400; seed++) {
        lu_env_reset(k.env, seed, NULL);
        seen[k.s->recipe] |= 1;
        lu_env_reset(k.env, seed, &held);
        seen[k.s->recipe] |= 2;
    }
    for (int r = 0; r < POTION_RECIPES; r++) {
        CHECK_INT(seen[r], r == 4 || r == 11 || r == 19 ? 2 : 1);
    }
    kit_close(&k);
}

TEST(bad_settings_are_refused_with_a_sentence) {
    static const struct {
        const char *pair, *part;
    } bad[] = {
        {"ingredients.minimum_amount=11", "ingredients.maximum_amount = 10"},
        {"ingredients.allowed_ingredients=chapter:6", "chapter:6"},
        {"ingredients.allowed_ingredients=1,,2", "neither an action"},
        {"ingredients.allowed_ingredients=0", "'0'"},
        {"ingredients.allowed_ingredients=207", "'207'"},
        {"ingredients.allowed_ingredients=1 2", "'1 2'"},
        {"recipe.held_out=0.5", "0.5"},
        {"recipe.held_out=0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19", "no recipe"},
        {"reward.stability_reward=1,2", "2 numbers"},
        {"task=nobody", "nobody"},
        {"ingredients.inventory={\"name\":\"mine.txt\",\"text\":\"\\nFeybery 1\"}",
         "mine.txt:2: 'Feybery' isn't an ingredient"},
        {"ingredients.inventory=/etc/passwd", "no path is read here"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        const char *const pairs[] = {bad[i].pair, NULL};
        kit k;
        lu_error error = {LU_OK, ""};
        CHECK(!kit_open(&k, PLAIN, pairs, &error));
        CHECK_HAS(error.text, bad[i].part);
        kit_close(&k);
    }
}

/* ---- reset options ---- */

static bool options_from(const kit *k, const char *pair, potion_options *wish, lu_error *error) {
    lu_settings *values = lu_settings_new();
    lu_settings_add(values, k->at.game->options.table);
    bool fine = lu_settings_set_pair(values, pair, LU_FROM_FLAG, "test", error) == LU_OK &&
                k->at.game->options.init(k->at.rules, values, wish, error) == LU_OK;
    lu_settings_delete(values);
    return fine;
}

TEST(reset_options_fix_a_task) {
    kit k;
    lu_error error;
    potion_options wish;
    NEED(kit_open(&k, PLAIN, NULL, &error));
    NEED(options_from(&k, "stock={\"Frog Leg\": 3, \"206\": 99}", &wish, &error));
    wish.recipe = 9;
    wish.cauldron = 30;
    lu_env_reset(k.env, 5, &wish);
    CHECK_INT(k.s->recipe, 9);
    CHECK_INT(k.s->cauldron, 30);
    for (int i = 0; i < POTION_ACTIONS; i++) {
        CHECK_INT(k.s->stock[i], i == 25 ? 3 : i == 206 ? 99 : 0);
    }
    NEED(options_from(&k, "stock=all", &wish, &error));
    CHECK_INT(wish.stock[206], 14);
    NEED(options_from(&k, "stock=7", &wish, &error));
    CHECK_INT(wish.stock[1], 7);
    NEED(options_from(&k, "stock=shop:1", &wish, &error));
    CHECK_INT(wish.stock[44], potion_ingredients[44].shop);
    CHECK_INT(wish.stock[45], 0);
    kit_close(&k);
}

TEST(bad_reset_options_are_refused_with_a_sentence) {
    static const struct {
        const char *pair, *part;
    } bad[] = {
        {"stock=some", "'some' isn't a stock"},
        {"stock=100", "'100' isn't a stock"},
        {"stock={\"Unobtainium\": 1}", "Unobtainium"},
        {"stock={\"5\": 100}", "99"},
        {"stock={\"0\": 1}", "'0'"},
        {"stock={", "stock"},
        {"recipe=20", "19"},
        {"held_out=true", "recipe.held_out"},
    };
    kit k;
    lu_error error;
    potion_options wish;
    NEED(kit_open(&k, PLAIN, NULL, &error));
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        error.text[0] = 0;
        CHECK(!options_from(&k, bad[i].pair, &wish, &error));
        CHECK_HAS(error.text, bad[i].part);
    }
    kit_close(&k);
}

/* ---- contests ---- */

TEST(a_contest_fixes_cauldron_recipes_and_stock) {
    static const char *const cauldron[] = {"contest.cauldron=peer", "contest.cauldron=fitting"};
    for (int contest = 0; contest < POTION_CONTESTS; contest++) {
        for (int fitting = 0; fitting < 2; fitting++) {
            char task[32];
            const char *const pairs[] = {task, cauldron[fitting], NULL};
            const potion_round *round = &potion_rounds[contest * POTION_ROUNDS];
            kit k;
            lu_error error;
            int seen = 0;
            snprintf(task, sizeof task, "task=%s", potion_contest_names[contest]);
            NEED(kit_open(&k, PLAIN, pairs, &error));
            for (uint64_t seed = 0; seed < 60; seed++) {
                lu_env_reset(k.env, seed, NULL);
                NEED(k.s->round >= 0);
                seen |= 1 << k.s->round;
                CHECK_INT(k.s->recipe, round[k.s->round].recipe);
                CHECK_INT(k.s->cauldron, fitting ? round->cauldron : round->peer_cauldron);
                CHECK_INT(k.s->stock[1], 10);
                CHECK_INT(k.s->stock[206], 10);
            }
            CHECK_INT(seen, 7);
            kit_close(&k);
        }
    }
}

/* A perfect Mana Potion of 96 magimins, Common 4 at 72, wins; one of 48 does not. */
TEST(a_round_is_won_by_tier_and_price) {
    static const char *const pairs[] = {"task=roxanne", "contest.round=3", "reward.contest=1",
                                        NULL};
    kit k;
    lu_error error;
    NEED(kit_open(&k, PLAIN, pairs, &error));
    for (int lost = 0; lost < 2; lost++) {
        lu_env_reset(k.env, 1, NULL);
        CHECK_INT(k.s->recipe, 1);
        kit_add(&k, "Salamander's Fiery Tongue", lost ? 1 : 2); /* 24 B each */
        kit_add(&k, "Qilin's Tri-Horn", lost ? 1 : 2);          /* 24 C each */
        kit_act(&k, POTION_FINISH);
        CHECK_INT(k.s->code, POTION_PERFECT);
        CHECK_INT(k.s->won, !lost);
        CHECK_NEAR(lu_env_info(k.env, 0, "contest_won"), !lost, 0.0);
        CHECK_NEAR(k.env->terms[POTION_TERM_CONTEST], !lost, 0.0);
    }
    kit_close(&k);
}

TEST(robin_is_out_of_reach_of_base_prices) {
    for (int r = 12; r < 15; r++) {
        int top = potion_prices[potion_rounds[r].recipe][POTION_GRADES - 1];
        CHECK(top < potion_rounds[r].target);
        CHECK_INT(top * 1.25 >= potion_rounds[r].target, r == 14);
    }
    /* by tier alone the best potion wins */
    potion_rules m = {.judged = POTION_BY_GRADE, .goals = 1};
    potion_state s = {.round = 0};
    potion_outcome o = {.brewed = 7, .grade = 30, .price = 1508, .unit_value = 1508};
    m.goal[0] = (potion_goal){.recipe = 9, .grade = 30, .target = 3800};
    CHECK(potion_round_won(&m, &s, &o));
    m.judged = POTION_BY_BASE_PRICE;
    CHECK(!potion_round_won(&m, &s, &o));
    m.judged = POTION_BY_SALE_PRICE;
    o.unit_value = 3800.0;
    CHECK(potion_round_won(&m, &s, &o));
    o.grade = 29;
    CHECK(!potion_round_won(&m, &s, &o));
}

/* ---- random play over tasks ---- */

/* Everything derived in a state follows from what was added. */
static void check_sound(const kit *k) {
    const potion_state *s = k->s;
    potion_mix mix = {{0}, 0, 0, 0};
    uint8_t pieces[POTION_ACTIONS] = {0};
    for (int i = 0; i < s->mix.items; i++) {
        potion_mix_add(&mix, s->added[i], 1);
        pieces[s->added[i]]++;
    }
    CHECK(memcmp(&mix, &s->mix, sizeof mix) == 0);
    CHECK(memcmp(pieces, s->pieces, sizeof pieces) == 0);
    CHECK_INT(s->code, potion_code_of(k->m->ruleset, mix.amount, mix.total, mix.items, s->recipe));
    CHECK_INT(s->raw, potion_raw_grade(mix.total));
    CHECK(mix.items <= s->max_items && mix.total <= s->max_magimins);
    if (s->end && s->code > 0) {
        const potion_limit *row = &potion_stability[k->m->ruleset * 4 + POTION_PERFECT - s->code];
        CHECK(s->grade == potion_grade_after(s->raw, row->shift) ||
              s->grade == potion_grade_after(s->raw, row->lucky_shift));
        CHECK_INT(s->price, potion_prices[s->recipe][s->grade]);
        double value = potion_unit_value(s->price, lu_env_info(k->env, 0, "trait_sum"), 0.0);
        CHECK_NEAR(lu_env_info(k->env, 0, "profit"), (mix.items / 2) * value - mix.cost, 1e-9);
    }
}

TEST(random_play_over_tasks_stays_sound) {
    static const char *const tasks[] = {
        "task=default",
        "task=corsac",
        "chapter=2",
        "ingredients.allowed_ingredients=shop:4",
        "ingredients.maximum_amount=1",
        "ingredients.maximum_amount=0",
    };
    static const char *const ruleset[] = {"rules=game", "rules=rl_peer"};
    lu_rng rng = lu_rng_from(77);
    for (size_t t = 0; t < 2 * sizeof tasks / sizeof *tasks; t++) {
        const char *const pairs[] = {tasks[t / 2], ruleset[t % 2], NULL};
        kit k;
        lu_error error;
        NEED(kit_open(&k, (int)(t % VARIANTS), pairs, &error));
        for (int episode = 0; episode < 300; episode++) {
            lu_env_reset(k.env, lu_rng_u64(&rng), NULL);
            for (int step = 0; step < 200 && !k.env->over; step++) {
                int32_t action = (int32_t)lu_rng_below(&rng, POTION_ACTIONS + 2) - 1;
                if (lu_rng_below(&rng, 3)) {
                    lu_action_random(k.at.game, k.at.rules, k.s, 0, k.env->mask, &rng, &action);
                }
                bool legal = action >= 0 && action < POTION_ACTIONS && k.env->mask[action];
                kit_act(&k, action);
                CHECK_INT(k.env->step.illegal, !legal);
                check_sound(&k);
            }
        }
        kit_close(&k);
    }
}
