/* The environment: actions, prices, ends, rewards, tasks, states as JSON, baselines, and what the
 * ruleset classic does. The battery (`ludus conform craft`) proves the rest. */
#include "craft.h"

#include "ludus/env.h"

#include "test.h"

#include <stdlib.h>

extern const lu_game *const lu_games_craft[];

typedef struct kit {
    const lu_game *game;
    lu_settings *settings;
    lu_rules *rules;
    const craft_rules *m;
    lu_env *env;
    craft_state *s;
    lu_error error;
} kit;

/* A variant with "key=value" settings, NULL at the end; false = they are refused. */
static bool kit_open(kit *k, int variant, const char *const *pairs) {
    memset(k, 0, sizeof *k);
    k->game = lu_games_craft[variant];
    k->settings = lu_game_settings(k->game);
    for (; pairs && *pairs; pairs++) {
        if (lu_settings_set_pair(k->settings, *pairs, LU_FROM_FLAG, "test", &k->error) != LU_OK) {
            return false;
        }
    }
    k->rules = lu_rules_new(k->game, k->settings, &k->error);
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
    if (k->rules) {
        lu_env_delete(k->env);
        lu_rules_delete(k->rules);
    }
    lu_settings_delete(k->settings);
}

static int action_named(const kit *k, const char *name) {
    for (int a = 0; a < k->m->actions; a++) {
        if (strcmp(k->game->head[0].option[a], name) == 0) {
            return a;
        }
    }
    lu_test_fail(__FILE__, __LINE__, "no action %s", name);
    return 0;
}

static void act(kit *k, const char *name) {
    int32_t action = action_named(k, name);
    lu_env_step(k->env, &action);
}

/* The item of the state by names, as a person writes it. */
static void lay(kit *k, const char *item) {
    char text[600];
    snprintf(text, sizeof text, "{\"item\":%s}", item);
    lu_json_document *document = lu_json_read("state", text, strlen(text), &k->error);
    if (!document ||
        k->game->from_json(k->rules, k->s, lu_json_root(document), &k->error) != LU_OK) {
        lu_test_fail(__FILE__, __LINE__, "%s", k->error.text);
    }
    lu_json_close(document);
    lu_env_refresh(k->env);
}

TEST(actions_have_their_numbers) {
    static const struct {
        int number;
        const char *name;
    } fixed[] = {{0, "stop"},
                 {1, "new_base"},
                 {4, "perfect_transmute"},
                 {11, "regal_prefix"},
                 {15, "alchemy_suffix"},
                 {16, "exalt"},
                 {25, "perfect_exalt_suffix"},
                 {29, "chaos_lowest"},
                 {33, "annul"},
                 {37, "annul_desecrated"},
                 {38, "fracture"},
                 {39, "divine"},
                 {40, "bone"},
                 {46, "bone_kurgal"},
                 {47, "keep_1"},
                 {50, "reveal"},
                 {51, "essence_1"},
                 {59, "swap_essence_1"},
                 {62, "swap_essence_side"},
                 {63, "vaal"}};
    for (size_t k = 0; k < sizeof fixed / sizeof *fixed; k++) {
        CHECK(strcmp(craft_action_names[fixed[k].number], fixed[k].name) == 0);
    }
}

TEST(prices_add_up_and_what_has_none_is_masked) {
    kit k;
    NEED(kit_open(&k, 0, NULL));
    const craft_pack *pack = craft_pack_at(k.m->pack);
    const craft_task *task = craft_task_at(k.m, 0);
    double exalt = craft_price_of(pack, "exalted_orb");
    CHECK(task->price[action_named(&k, "exalt_suffix")] ==
          exalt + craft_price_of(pack, "omen_of_dextral_exaltation"));
    CHECK(!task->legal[action_named(&k, "regal_prefix")]);
    CHECK(
        strstr(k.game->why_not(k.rules, k.s, 0, 0, action_named(&k, "regal_prefix")), "no price"));
    CHECK(k.s->spent == 1.0 && k.s->bases == 1);
    act(&k, "transmute");
    CHECK(k.s->spent == 1.0 + craft_price_of(pack, "orb_of_transmutation"));
    CHECK(k.env->terms[CRAFT_TERM_COST] == craft_price_of(pack, "orb_of_transmutation") / 500.0);
    double spent = k.s->spent;
    act(&k, "transmute"); /* the item is magic now */
    CHECK(k.s->spent == spent && k.s->illegal == 1 && k.env->step.illegal == 1);
    kit_close(&k);
}

TEST(a_price_file_has_units) {
    static const char file[] =
        "prices={\"name\":\"p.json\",\"text\":\"{\\\"unit\\\":\\\"chaos\\\",\\\"rates\\\":{"
        "\\\"chaos\\\":8},"
        "\\\"prices\\\":{\\\"white_base\\\":0.5,\\\"exalted_orb\\\":0.125}}\"}";
    static const char bare[] =
        "prices={\"name\":\"p.json\",\"text\":\"{\\\"prices\\\":{\\\"exalted_orb\\\":1}}\"}";
    kit k;
    NEED(kit_open(&k, 0, (const char *const[]){file, NULL}));
    CHECK(craft_task_at(k.m, 0)->price[CRAFT_NEW_BASE] == 4.0);
    CHECK(craft_task_at(k.m, 0)->price[action_named(&k, "exalt")] == 1.0);
    CHECK(!craft_task_at(k.m, 0)->legal[action_named(&k, "chaos")]);
    kit_close(&k);
    CHECK(!kit_open(&k, 0, (const char *const[]){bare, NULL}));
    CHECK(strstr(k.error.text, "'white_base' has no price") != NULL);
    kit_close(&k);
}

static const char wanted[] = "{\"rarity\":\"rare\",\"mods\":[\"IncreasedLife9\",\"FireResist2\"]}";

TEST(success_ends_and_pays) {
    kit k;
    NEED(kit_open(&k, 0,
                  (const char *const[]){
                      "target={\"need\":[{\"any_of\":[{\"group\":\"resistance\"}]}]}", NULL}));
    for (int n = 0; n < 400 && !k.env->over; n++) {
        act(&k, k.s->item.rarity == CRAFT_NORMAL ? "alchemy" : "exalt");
        if (!k.env->over && !k.env->mask[action_named(&k, "exalt")]) {
            act(&k, "new_base");
        }
    }
    CHECK(k.s->end == CRAFT_END_SUCCESS && k.env->step.terminated == 1);
    CHECK(k.env->terms[CRAFT_TERM_SUCCESS] == 1.0 && k.env->terms[CRAFT_TERM_UNFINISHED] == 0.0);
    kit_close(&k);
}

TEST(the_ends_without_success) {
    kit k;
    NEED(kit_open(&k, 0, (const char *const[]){"budget=1.5", NULL}));
    act(&k, "new_base");
    CHECK(k.s->end == CRAFT_END_BUDGET && k.env->terms[CRAFT_TERM_UNFINISHED] == 1.0);
    kit_close(&k);
    NEED(kit_open(&k, 0, (const char *const[]){"max_bases=1", NULL}));
    act(&k, "new_base");
    CHECK_INT(k.s->end, CRAFT_END_BASES);
    kit_close(&k);
    NEED(kit_open(&k, 0, (const char *const[]){"max_steps=1", NULL}));
    act(&k, "transmute");
    CHECK(k.s->end == CRAFT_END_STEPS && k.env->step.truncated == 1 && !k.env->step.terminated);
    kit_close(&k);
    NEED(kit_open(&k, 0, NULL));
    act(&k, "stop");
    CHECK_INT(k.s->end, CRAFT_END_STOPPED);
    kit_close(&k);
}

/* Without discount the potentials of an episode add up to minus the score of its start: 0. */
TEST(the_potential_adds_up_to_nothing) {
    kit k;
    double sum = 0.0;
    NEED(kit_open(&k, 0, NULL));
    lu_rng rng = lu_rng_from(3);
    while (!k.env->over) {
        int32_t action;
        lu_action_random(k.game, k.rules, k.s, 0, k.env->mask, &rng, &action);
        lu_env_step(k.env, &action);
        sum += k.env->terms[CRAFT_TERM_POTENTIAL];
    }
    CHECK(fabs(sum) < 1e-12);
    kit_close(&k);
}

/* The chance of a plain exalted orb that is observed is that of its draws. */
TEST(the_observed_chance_is_that_of_the_draws) {
    kit k;
    NEED(kit_open(&k, 0,
                  (const char *const[]){
                      "target={\"need\":[{\"any_of\":[{\"group\":\"life\",\"min_value\":125}]},"
                      "{\"any_of\":[{\"group\":\"resistance\",\"max_tier\":3}]}]}",
                      NULL}));
    lay(&k, "{\"rarity\":\"rare\",\"mods\":[\"MovementVelocity2\",\"FireResist2\"]}");
    const craft_goal *goal = &craft_task_at(k.m, 0)->goal;
    craft_effect exalt = craft_task_at(k.m, 0)->effect[action_named(&k, "exalt")];
    int hits[2] = {0, 0}, plays = 200000;
    lu_rng rng = lu_rng_from(5);
    for (int n = 0; n < plays; n++) {
        craft_item item = k.s->item;
        int32_t matched[CRAFT_NEEDS_MAX];
        craft_apply(&k.m->pool, &item, &exalt, &rng);
        craft_matched(goal, &k.m->pool, &item, matched);
        hits[0] += matched[0];
        hits[1] += matched[1];
    }
    for (int need = 0; need < 2; need++) {
        double want = (double)k.env->observation[CRAFT_AT_NEEDS + need * CRAFT_NEED_FIELDS + 8];
        double got = hits[need] / (double)plays, error = sqrt(want * (1 - want) / plays);
        CHECK(want > 0.0 && fabs(got - want) < 4.5 * error);
    }
    kit_close(&k);
}

TEST(a_reveal_is_an_action_of_its_own) {
    kit k;
    NEED(kit_open(&k, 0, NULL));
    lay(&k, "{\"rarity\":\"rare\",\"mods\":[\"MovementVelocity2\",\"FireResist2\"]}");
    CHECK(!k.env->mask[CRAFT_REVEAL_ACTION]);
    act(&k, "bone_suffix");
    double spent = k.s->spent;
    CHECK(k.env->mask[CRAFT_REVEAL_ACTION] && k.env->mask[action_named(&k, "exalt")]);
    act(&k, "reveal");
    CHECK(k.s->spent == spent && craft_is_choosing(&k.s->item));
    CHECK(!k.env->mask[action_named(&k, "exalt")] && k.env->mask[action_named(&k, "keep_3")]);
    act(&k, "reveal"); /* again, by Abyssal Echoes */
    CHECK(k.s->spent > spent && !k.env->mask[CRAFT_REVEAL_ACTION]);
    act(&k, "keep_1");
    CHECK(!craft_is_choosing(&k.s->item) && craft_item_mods(&k.s->item) == 3);
    kit_close(&k);
}

TEST(essence_slots_hit_the_target_first) {
    kit k;
    NEED(kit_open(&k, 0, NULL));
    const craft_task *task = craft_task_at(k.m, 0);
    const craft_effect *first = &task->effect[CRAFT_UPGRADE_FIRST];
    CHECK(task->goal.hits[first->given[0]] != 0);
    CHECK(task->effect[CRAFT_SWAP_FIRST].op == CRAFT_OP_GIVE);
    kit_close(&k);
}

TEST(a_player_reads_what_an_action_uses_and_costs) {
    kit k;
    NEED(kit_open(&k, 0, NULL));
    lu_text text = LU_TEXT_INIT;
    static const struct {
        const char *action, *note;
    } rows[] = {{"stop", ""},
                {"new_base", "1 ex"},
                {"essence_3", "Greater Essence of the Mind, 0.0966 ex"},
                {"bone", "Preserved Rib, "},
                {"annul_prefix", " ex"},
                {"keep_1", ""}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        int32_t action = action_named(&k, rows[i].action);
        lu_text_clear(&text);
        k.game->note(k.rules, k.s, 0, 0, &action, &text);
        CHECK_HAS(text.text, rows[i].note);
        CHECK((*rows[i].note || text.length == 0) && !strstr(text.text, "e+"));
    }
    lu_text_free(&text);
    kit_close(&k);
}

TEST(random_targets_are_possible_and_differ) {
    kit k;
    NEED(kit_open(&k, 0, (const char *const[]){"targets=40", "prices.spread=3", NULL}));
    int other = 0;
    for (int n = 1; n < k.m->tasks; n++) {
        const craft_task *a = craft_task_at(k.m, n - 1), *b = craft_task_at(k.m, n);
        other += memcmp(&a->goal, &b->goal, sizeof a->goal) != 0;
        double ratio = b->price[16] / craft_price_of(craft_pack_at(0), "exalted_orb");
        CHECK(b->goal.needs >= 1 && b->goal.needs <= 3 && ratio >= 1.0 / 3 && ratio <= 3.0);
    }
    CHECK_INT(other, 39);
    craft_options wish = {.task = 7};
    lu_env_reset(k.env, 1, &wish);
    CHECK_INT(k.s->task, 7);
    kit_close(&k);
}

/* One base of each pool, at low and high item levels: targets are found and random play ends. */
TEST(every_pool_can_be_played) {
    const craft_pack *pack = craft_pack_at(0);
    uint64_t seen = 0;
    int played_pools = 0;
    for (int b = 0; b < pack->base_count; b++) {
        const craft_base *base = &pack->bases[b];
        bool diamond = strcmp(base->name, "Diamond") == 0;
        if (seen >> base->pool & 1u || !base->obtainable || diamond) {
            continue;
        }
        seen |= UINT64_C(1) << base->pool;
        played_pools++;
        for (int high = 0; high < 2; high++) {
            char name[96];
            kit k;
            snprintf(name, sizeof name, "base=%s", base->name);
            const char *pairs[] = {name, high ? "ilvl=82" : "ilvl=1", "targets=2", NULL};
            if (!kit_open(&k, 0, pairs)) {
                lu_test_fail(__FILE__, __LINE__, "%s: %s", base->name, k.error.text);
            }
            lu_rng rng = lu_rng_from(1);
            for (int n = 0; n < 60 && !k.env->over; n++) {
                int32_t action;
                lu_action_random(k.game, k.rules, k.s, 0, k.env->mask, &rng, &action);
                action = action == CRAFT_STOP ? CRAFT_NEW_BASE : action;
                lu_env_step(k.env, &action);
            }
            CHECK(k.env->illegal == 0);
            kit_close(&k);
        }
    }
    CHECK_INT(played_pools, 50);
}

TEST(settings_that_cannot_be_are_named) {
    static const struct {
        const char *pair, *said;
    } cases[] = {
        {"base=Tea Cup", "knows no base 'Tea Cup'"},
        {"base=Diamond", "no modifiers are known for Diamond"},
        {"target={\"need\":[{\"any_of\":[{\"group\":\"cast_speed\"}]}]}", "names no modifier"},
        {"reveal_exclusive=1", "needs 3 chances"},
        {"vaal_outcomes=0,0,0,0", "needs 4 chances"},
    };
    for (size_t n = 0; n < sizeof cases / sizeof *cases; n++) {
        kit k;
        if (kit_open(&k, 0, (const char *const[]){cases[n].pair, NULL}) ||
            !strstr(k.error.text, cases[n].said)) {
            lu_test_fail(__FILE__, __LINE__, "%s: '%s'", cases[n].pair, k.error.text);
        }
        kit_close(&k);
    }
}

/* ---- states as JSON ---- */

TEST(items_that_cannot_be_are_refused) {
    static const struct {
        const char *item, *said;
    } cases[] = {
        {"{\"rarity\":\"unique\"}", "'unique' is not known"},
        {"{\"rarity\":\"rare\",\"mods\":[\"Tea\"]}", "'Tea' isn't a modifier of"},
        {"{\"rarity\":\"rare\",\"mods\":[\"IncreasedLife9\",\"IncreasedLife8\"]}",
         "' cannot be on the item together with the others"},
        {"{\"rarity\":\"magic\",\"mods\":[\"FireResist2\",\"ColdResist2\"]}",
         "has at most 1 suffixes"},
        {"{\"rarity\":\"rare\",\"mods\":[{\"mod\":\"FireResist2\",\"roll\":[99]}]}",
         "isn't an integer from 0 to"},
        {"{\"rarity\":\"rare\",\"options\":[\"FireResist2\"]}", "for an unrevealed modifier"},
        {"{\"rarity\":\"rare\",\"mods\":[\"FireResist2\"],\"fractured\":[\"ColdResist2\"]}",
         "not on the item"},
        {"{\"rarity\":\"rare\",\"unrevealed\":[\"Q\"]}", "has the side"},
    };
    kit k;
    NEED(kit_open(&k, 0, NULL));
    for (size_t n = 0; n < sizeof cases / sizeof *cases; n++) {
        craft_state before = *k.s;
        char text[300];
        snprintf(text, sizeof text, "{\"item\":%s}", cases[n].item);
        lu_json_document *document = lu_json_read("state", text, strlen(text), &k.error);
        NEED(document != NULL);
        lu_status status = k.game->from_json(k.rules, k.s, lu_json_root(document), &k.error);
        if (status == LU_OK || !strstr(k.error.text, cases[n].said)) {
            lu_test_fail(__FILE__, __LINE__, "%s: '%s'", cases[n].item, k.error.text);
        }
        CHECK(memcmp(&before, k.s, sizeof before) == 0);
        lu_json_close(document);
    }
    kit_close(&k);
}

TEST(an_item_in_words_has_its_values) {
    kit k;
    lu_text text = LU_TEXT_INIT;
    NEED(kit_open(&k, 0, NULL));
    lay(&k, "{\"rarity\":\"rare\",\"mods\":[{\"mod\":\"IncreasedLife9\",\"roll\":[3],\"fractured\":"
            "true}],\"unrevealed\":[\"S\"]}");
    k.game->show(k.rules, k.s, 0, &text);
    CHECK(strstr(text.text, "* P T1/9 +123 to maximum Life [fractured]") != NULL);
    CHECK(strstr(text.text, "S unrevealed suffix") != NULL);
    lu_text_free(&text);
    kit_close(&k);
}

/* ---- baselines ---- */

/* Share of episodes of a bot that succeed. */
static double played(kit *k, const char *name, int episodes) {
    const lu_bot *bot = lu_game_bot(k->game, name);
    uint64_t memory[4];
    int done = 0;
    for (int n = 0; n < episodes; n++) {
        lu_rng rng = lu_rng_from((uint64_t)n);
        memset(memory, 0, sizeof memory);
        lu_env_reset(k->env, (uint64_t)n + 1, NULL);
        while (!k->env->over) {
            lu_seat_view view = {k->rules,     k->s,   0,   k->env->observation,
                                 k->env->mask, memory, &rng};
            int32_t action = 0;
            bot->act(&view, &action);
            CHECK(k->env->mask[action]);
            lu_env_step(k->env, &action);
        }
        done += k->s->end == CRAFT_END_SUCCESS;
    }
    return done / (double)episodes;
}

/* At the prices of the pack chaos is dear, and greedy keeps what it should give up. */
TEST(baselines_reach_an_easy_target) {
    static const struct {
        const char *name;
        double least;
    } bots[] = {{"ladder", 0.9},      {"essence_spam", 0.9}, {"magic_first", 0.5},
                {"chaos_spam", 0.01}, {"greedy", 0.1},       {"desecrate_finish", 0.5}};
    kit k;
    NEED(kit_open(&k, 0, NULL));
    for (size_t n = 0; n < sizeof bots / sizeof *bots; n++) {
        double share = played(&k, bots[n].name, 100);
        if (share < bots[n].least) {
            lu_test_fail(__FILE__, __LINE__, "%s: %.3f", bots[n].name, share);
        }
    }
    kit_close(&k);
}

/* ---- the ruleset classic ---- */

/* Public vector P8. */
TEST(classic_chaos_is_as_recorded) {
    static const char target[] =
        "target={\"need\":[{\"any_of\":[{\"family\":\"IncreasedLife\",\"max_tier\":2}]},"
        "{\"any_of\":[{\"group\":\"elemental_res\",\"max_tier\":3}],\"count\":2}]}";
    kit k;
    NEED(kit_open(&k, 1, (const char *const[]){target, NULL}));
    const craft_task *task = craft_task_at(k.m, 0);
    lu_rng rng = lu_rng_from(9);
    int hits = 0, plays = 400000;
    craft_item item = k.s->item;
    for (int n = 0; n < plays; n++) {
        craft_apply(&k.m->pool, &item, &task->effect[CRAFT_CLASSIC_CHAOS], &rng);
        hits += craft_fulfils(&task->goal, &k.m->pool, &item);
    }
    double chance = 0.0027696900142657726, error = sqrt(chance * (1 - chance) / plays);
    CHECK(fabs(hits / (double)plays - chance) < 4.5 * error);
    kit_close(&k);
}

TEST(classic_essence_abyss_and_bench) {
    static const char prices[] =
        "prices={\"name\":\"p.json\",\"text\":\"{\\\"prices\\\":{\\\"white_base\\\":1,\\\"chaos_"
        "orb\\\":1,\\\"exalted_orb\\\":1,"
        "\\\"bench\\\":2,\\\"preserved_rib\\\":3,\\\"greater_essence_of_the_body\\\":4}}\"}";
    kit k;
    NEED(kit_open(&k, 1, (const char *const[]){prices, "auto_stop=false", NULL}));
    const craft_pool *pool = &k.m->pool;
    act(&k, "essence_2"); /* life: the best tier that the item level allows */
    CHECK(pool->entry[k.s->item.slot[0].entry].tier == 1 && k.s->item.rarity == CRAFT_RARE);
    CHECK(k.s->item.count[0] >= 2 && k.s->item.count[1] >= 2 && k.s->spent == 5.0);
    lay(&k, wanted);
    act(&k, "abyss");
    CHECK(craft_item_flags(&k.s->item) & CRAFT_DESECRATED);
    CHECK(!k.env->mask[CRAFT_CLASSIC_ABYSS]);
    act(&k, "bench_1"); /* movement speed of the middle tier */
    const craft_entry *e = &pool->entry[k.s->item.slot[3].entry];
    CHECK(e->tier == (e->tiers + 1) / 2 && (k.s->item.slot[3].flags & CRAFT_CRAFTED));
    CHECK(!k.env->mask[CRAFT_CLASSIC_BENCH]);
    kit_close(&k);
}

TEST(classic_chaos_spam_finishes_with_cheap_chaos) {
    static const char prices[] =
        "prices={\"name\":\"p.json\",\"text\":\"{\\\"prices\\\":{\\\"white_base\\\":1,\\\"chaos_"
        "orb\\\":1,\\\"exalted_orb\\\":1}}\"}";
    kit k;
    NEED(kit_open(&k, 1, (const char *const[]){prices, NULL}));
    CHECK(played(&k, "chaos_spam", 40) > 0.9);
    kit_close(&k);
}
