/* craft-look-v1: what it shows of an action is what comes of it, and nothing is shown that an
 * item's families, hits and flags do not tell. */
#include "craft.h"

#include "ludus/env.h"

#include "test.h"

#include <math.h>
#include <stdlib.h>

typedef struct kit {
    const lu_game *game;
    lu_settings *settings;
    lu_rules *rules;
    const craft_rules *m;
    lu_env *env;
    craft_state *s;
} kit;

static bool kit_open(kit *k, const char *const *pairs) {
    lu_error error = {0};
    memset(k, 0, sizeof *k);
    k->game = lu_game_find("craft-look-v1", NULL);
    k->settings = lu_game_settings(k->game);
    for (; pairs && *pairs; pairs++) {
        if (lu_settings_set_pair(k->settings, *pairs, LU_FROM_FLAG, "test", &error) != LU_OK) {
            return false;
        }
    }
    k->rules = lu_rules_new(k->game, k->settings, &error);
    if (!k->rules) {
        return false;
    }
    k->m = (const craft_rules *)(const void *)k->rules;
    k->env = lu_env_new(k->game, k->rules);
    k->s = k->env->state;
    lu_env_reset(k->env, 1, NULL);
    return true;
}

static void kit_close(kit *k) {
    lu_env_delete(k->env);
    lu_rules_delete(k->rules);
    lu_settings_delete(k->settings);
}

static const craft_task *task_of(const kit *k) {
    return craft_task_of(k->m, k->s);
}

static int hits_of(const kit *k, const craft_item *item) {
    const craft_task *task = task_of(k);
    craft_standing s = craft_stand(&task->outlook, &task->goal, &k->m->pool, item);
    return craft_stand_hits(&task->outlook, &s);
}

/* Uses an action many times on the item of the state: what is shown must be what came, on average.
 */
static void check_action(const kit *k, int action) {
    enum { PLAYS = 3000 };
    const craft_task *task = task_of(k);
    const float *shown = k->env->observation + action * CRAFT_LOOK_FIELDS;
    const craft_effect *effect = &task->effect[craft_use_of(k->m, k->s, action)];
    double done = 0.0, gain = 0.0, square = 0.0;
    int before = hits_of(k, &k->s->item);
    lu_rng rng = lu_rng_from(5);
    for (int n = 0; n < PLAYS; n++) {
        craft_item item = k->s->item;
        craft_apply(&k->m->pool, &item, effect, &rng);
        double one = (double)(hits_of(k, &item) - before) / task->outlook.needed;
        done += craft_fulfils(&task->goal, &k->m->pool, &item) ? 1.0 / PLAYS : 0.0;
        gain += one / PLAYS;
        square += one * one / PLAYS;
    }
    double chance = (double)shown[CRAFT_LOOK_DONE];
    CHECK_NEAR(done, chance, 4.5 * sqrt(chance * (1.0 - chance) / PLAYS) + 1e-6);
    CHECK_NEAR(gain, (double)shown[CRAFT_LOOK_GAIN],
               4.5 * sqrt((square - gain * gain) / PLAYS) + 1e-6);
    CHECK_NEAR(shown[CRAFT_LOOK_LEGAL], 1.0, 0.0);
}

/* Actions whose outcome is one draw, one removal, both, or given; alchemy is a rough sum. */
static bool is_looked_into(const craft_effect *e) {
    return (e->op == CRAFT_OP_ADD && e->adds == 1) || e->op == CRAFT_OP_SWAP ||
           (e->op == CRAFT_OP_REMOVE && e->removes == 1) || e->op == CRAFT_OP_UPGRADE ||
           e->op == CRAFT_OP_GIVE;
}

TEST(the_look_shows_what_an_action_leads_to) {
    const char *const pairs[] = {"targets=12", "prices.spread=3", "budget=1e9", "max_bases=1000000",
                                 NULL};
    kit k;
    lu_rng rng = lu_rng_from(3);
    int checked = 0;
    NEED(kit_open(&k, pairs));
    for (uint64_t seed = 0; seed < 12; seed++) {
        lu_env_reset(k.env, seed, NULL);
        for (int step = 0; step < 6 && !k.env->over; step++) {
            int32_t action;
            do { /* to rare items with some modifiers, which are left as they are */
                lu_action_random(k.game, k.rules, k.s, 0, k.env->mask, &rng, &action);
            } while (action <= CRAFT_NEW_BASE || action >= CRAFT_SWAP_FIRST);
            if (is_looked_into(&task_of(&k)->effect[action])) {
                check_action(&k, action);
                checked++;
            }
            lu_env_step(k.env, &action);
        }
        for (int a = 0; a < CRAFT_ACTIONS; a++) {
            CHECK_INT((int)k.env->observation[a * CRAFT_LOOK_FIELDS], k.env->mask[a]);
        }
    }
    CHECK(checked > 30);
    kit_close(&k);
}

/* What an action gains beside its price, as parts of what one use is worth. */
TEST(stakes_tell_small_gains_apart) {
    const char *const pairs[] = {"targets=12", "prices.spread=3", "actions=plain", "budget=20000",
                                 NULL};
    kit k;
    int below = 0, above = 0;
    NEED(kit_open(&k, pairs));
    for (uint64_t seed = 0; seed < 24; seed++) {
        int32_t transmute = 2;
        lu_env_reset(k.env, seed / 2, NULL);
        if (seed % 2 == 1) { /* white items, and magic ones that an essence may finish */
            lu_env_step(k.env, &transmute);
        }
        const craft_task *task = task_of(&k);
        const craft_outlook *o = &task->outlook;
        CHECK(o->uses > 1.0);
        for (int a = CRAFT_NEW_BASE; a < CRAFT_ACTIONS; a++) {
            const float *shown = k.env->observation + a * CRAFT_LOOK_FIELDS;
            if (!k.env->mask[a]) {
                CHECK_NEAR(shown[CRAFT_LOOK_DONE_STAKE], 0.0, 0.0);
                continue;
            }
            double z = ((double)shown[CRAFT_LOOK_DONE] - task->price[a] / o->cost) * o->uses;
            CHECK_NEAR(shown[CRAFT_LOOK_DONE_STAKE], z / (1.0 + fabs(z)), 1e-4);
            double pays = (double)shown[CRAFT_LOOK_PAYS] * o->uses;
            bool cut = fabs((double)shown[CRAFT_LOOK_PAYS]) >= 1.0;
            CHECK(cut ||
                  fabs((double)shown[CRAFT_LOOK_HOPE_STAKE] - pays / (1.0 + fabs(pays))) < 1e-3);
            below += shown[CRAFT_LOOK_DONE_STAKE] < 0.0f ? 1 : 0;
            above += shown[CRAFT_LOOK_DONE_STAKE] > 0.0f ? 1 : 0;
        }
    }
    CHECK(below > 100 && above > 3); /* most uses finish nothing at once */
    kit_close(&k);
}

/* On a magic item the bet is that of the best of a regal orb and the essences, each one step
 * ahead: none of them gains, and where one pays, one of them loses nothing. The table counts
 * families of an aim alike, so that both hold nearly. */
TEST(a_bet_is_the_best_of_a_regal_and_essences) {
    const char *const pairs[] = {"targets=40", "prices.spread=3", "actions=plain", "budget=20000",
                                 NULL};
    kit k;
    int paid = 0, essences = 0;
    NEED(kit_open(&k, pairs));
    for (uint64_t seed = 0; seed < 40; seed++) {
        int32_t transmute = 2;
        lu_env_reset(k.env, seed, NULL);
        lu_env_step(k.env, &transmute);
        float bet = k.env->observation[CRAFT_LOOK_AT_ITEM + 19], best = -1.0f;
        int by = 0;
        for (int a = 8; a < CRAFT_SWAP_FIRST && !k.env->over; a++) {
            bool counts = (a == 8 || a >= CRAFT_UPGRADE_FIRST) && k.env->mask[a];
            float gain = k.env->observation[a * CRAFT_LOOK_FIELDS + CRAFT_LOOK_BET_STAKE];
            by = counts && gain > best ? a : by;
            best = counts && gain > best ? gain : best;
        }
        CHECK(best < 0.05f);
        CHECK(bet < 0.1f || best > -0.05f);
        paid += bet >= 0.1f ? 1 : 0;
        essences += bet >= 0.1f && by >= CRAFT_UPGRADE_FIRST ? 1 : 0;
    }
    CHECK(paid > 5 && essences > 3);
    kit_close(&k);
}

/* Draws until an item is full. */
TEST(hope_is_the_chance_of_plain_draws) {
    enum { PLAYS = 20000 };
    kit k;
    NEED(kit_open(&k, NULL));
    const craft_task *task = task_of(&k);
    const craft_pool *pool = &k.m->pool;
    lu_rng rng = lu_rng_from(8);
    double done = 0.0;
    for (int n = 0; n < PLAYS; n++) {
        craft_item item = {.rarity = CRAFT_RARE};
        bool found = false;
        while (!found && craft_item_mods(&item) < CRAFT_MODS) {
            craft_wish wish = craft_plain_wish(0, CRAFT_RARE, CRAFT_ANY_SIDE);
            craft_put(pool, &item, craft_draw(pool, &item, &wish, &rng), 0, &rng);
            found = craft_fulfils(&task->goal, pool, &item);
        }
        done += found ? 1.0 / PLAYS : 0.0;
    }
    CHECK_NEAR(task->outlook.hope, done, 0.1 * done);
    kit_close(&k);
}

/* Neither money, clock and tiers that miss are seen, nor which rolls came. */
TEST(items_that_no_rule_tells_apart_look_the_same) {
    kit k;
    NEED(kit_open(&k, NULL));
    const craft_pool *pool = &k.m->pool;
    const craft_goal *goal = &task_of(&k)->goal;
    float first[CRAFT_LOOK_OBSERVATION], second[CRAFT_LOOK_OBSERVATION];
    const lu_core *core = lu_game_core(k.game);
    int same = 0;
    for (int i = 0; i + 1 < pool->drawn[0]; i++) {
        bool alike = pool->entry[i].family == pool->entry[i + 1].family && !goal->hits[i] &&
                     !goal->hits[i + 1];
        if (!alike) {
            continue;
        }
        lu_rng rng = lu_rng_from((uint64_t)i);
        craft_state one = *k.s, other = *k.s;
        one.item.rarity = other.item.rarity = CRAFT_RARE;
        craft_put(pool, &one.item, i, 0, &rng);
        craft_put(pool, &other.item, i + 1, 0, &rng);
        other.spent = 77.0;
        other.steps = 12;
        other.bases = 5;
        core->observe(k.rules, &one, 0, LU_ALL_CHANGED, first);
        core->observe(k.rules, &other, 0, LU_ALL_CHANGED, second);
        CHECK(memcmp(first, second, sizeof first) == 0);
        same++;
    }
    CHECK(same > 10);
    kit_close(&k);
}

/* Requirements that share families, a count of two, open slots, and what no addition can give. */
TEST(every_target_has_an_outlook) {
    static const char *const targets[] = {
        "target={\"need\":[{\"any_of\":[{\"group\":\"life\"}]},{\"any_of\":[{\"group\":\"life\","
        "\"max_tier\":1}]}]}",
        "target={\"need\":[{\"any_of\":[{\"group\":\"resistance\",\"max_tier\":2}],\"count\":2}],"
        "\"open_suffix\":1}",
        "target={\"need\":[{\"any_of\":[{\"group\":\"resistance\"}],\"count\":3},"
        "{\"any_of\":[{\"group\":\"life\"}]},{\"any_of\":[{\"group\":\"move_speed\"}]},"
        "{\"any_of\":[{\"group\":\"mana\"}]}]}",
        "target={\"need\":[{\"any_of\":[{\"group\":\"life\",\"fractured\":true}]}]}",
    };
    for (size_t t = 0; t < sizeof targets / sizeof *targets; t++) {
        const char *const pairs[] = {targets[t], NULL};
        kit k;
        NEED(kit_open(&k, pairs));
        const craft_outlook *o = &task_of(&k)->outlook;
        CHECK(o->cost > 0.0 && o->aims > 0 && o->wanted > 0);
        CHECK(o->possible ? o->hope > 0.0 && o->uses >= 1.0 : o->cost == task_of(&k)->budget);
        kit_close(&k);
    }
}

TEST(plain_actions_leave_out_the_others) {
    const char *const pairs[] = {"actions=plain",
                                 "target={\"need\":[{\"any_of\":[{\"group\":"
                                 "\"life\"}]}]}",
                                 "targets=3", NULL};
    kit k;
    NEED(kit_open(&k, pairs));
    CHECK_INT(k.m->tasks, 4); /* three drawn ones and the one that is given */
    for (int t = 0; t < 4; t++) {
        const craft_task *task = craft_task_at(k.m, t);
        CHECK(task->legal[2] && task->legal[16] && !task->legal[38] && !task->legal[40]);
        CHECK(t == 3 || task->outlook.cost <= 0.5 * task->budget);
    }
    CHECK_NEAR(craft_task_at(k.m, 3)->price[16], 1.0, 1e-12); /* given: prices as they are */
    kit_close(&k);
    const char *const poor[] = {"targets=3", "budget=0.01", NULL};
    lu_error error = {0};
    lu_settings *settings = lu_game_settings(lu_game_find("craft-look-v1", NULL));
    for (int n = 0; poor[n]; n++) {
        (void)lu_settings_set_pair(settings, poor[n], LU_FROM_FLAG, "test", &error);
    }
    CHECK(!lu_rules_new(lu_game_find("craft-look-v1", NULL), settings, &error));
    CHECK(strstr(error.text, "drawn is within half of 'budget' and 'max_steps': raise them"));
    lu_settings_delete(settings);
}
