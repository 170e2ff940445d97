/* Tests of what an answer of the optimiser hangs on and what stands beside it: prices at which the
 * strategy changes, other rules, baselines and agents, what failed items bring, packs of the user;
 * that more requirements never cost less, and that every pool can be solved. */
#include "fixture_test.h"

#include "craft.h"

#include "ludus/episode.h"

#include <math.h>
#include <stdio.h>

extern const lu_tool lu_tool_craft_optimize, lu_tool_craft_pool;

#define LADDER "orb_of_transmutation, orb_of_augmentation, regal_orb, exalted_orb"

static lu_json_document *answer; /* of the last question */

static lu_status ask_with(lu_tool_io io, const char *const *pairs, lu_error *error) {
    lu_status status = tool_ask(&lu_tool_craft_optimize, io, pairs, NULL, NULL, error);
    lu_json_close(answer);
    answer = status == LU_OK ? lu_json_read("answer", said, strlen(said), error) : NULL;
    return status;
}

static void prices_pair(char *text, size_t room, const char *change, double price) {
    static const struct {
        const char *item;
        double price;
    } rows[] = {{"exalted_orb", 1},
                {"orb_of_annulment", 22},
                {"orb_of_augmentation", 0.0092},
                {"orb_of_transmutation", 0.0028},
                {"regal_orb", 0.0081},
                {"chaos_orb", 8},
                {"white_base", 1}};
    size_t used =
        (size_t)snprintf(text, room, "prices={\"name\":\"p\",\"text\":\"{\\\"prices\\\":{");
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        bool other = change && strcmp(change, rows[k].item) == 0;
        used += (size_t)snprintf(text + used, room - used, "%s\\\"%s\\\":%.12g", k > 0 ? "," : "",
                                 rows[k].item, other ? price : rows[k].price);
    }
    snprintf(text + used, room - used, "}}\"}");
}

/* Boots with two modifiers, at prices of which one may be another; returns the best cost. */
static double cost_with(const char *item, double price, const char *more, const char *and) {
    char prices[600];
    lu_error error = {LU_OK, ""};
    prices_pair(prices, sizeof prices, item, price);
    const char *pairs[] = {"base=STR/DEX boots",
                           "ilvl=82",
                           "want=T4 life and move speed 25%",
                           "actions=" LADDER ", orb_of_annulment",
                           "episodes=0",
                           prices,
                           more,
                           more ? and : NULL,
                           NULL};
    CHECK_TEXT(ask_with((lu_tool_io){0}, pairs, &error) == LU_OK ? "" : error.text, "");
    return answer ? lu_json_real_or(
                        lu_json_get(lu_json_get(lu_json_root(answer), "strategy"), "expected_cost"),
                        -1.0)
                  : -1.0;
}

static const lu_json_value *row_of(const char *list, const char *key, const char *name) {
    const lu_json_value *strategy = lu_json_get(lu_json_root(answer), "strategy"),
                        *rows = lu_json_get(strategy, list);
    for (size_t k = 0; k < lu_json_count(rows); k++) {
        const char *text = "";
        (void)lu_json_get_text(lu_json_at(rows, k), key, &text, NULL);
        if (strcmp(text, name) == 0) {
            return lu_json_at(rows, k);
        }
    }
    return NULL;
}

/* The same with all that it hangs on, which is solved once for two tests. */
static double cost_with_spread(void) {
    static char *kept;
    static double cost;
    lu_error error = {LU_OK, ""};
    if (!kept) {
        cost = cost_with(NULL, 0.0, "spread=on", NULL);
        kept = lu_strdup(said);
    }
    lu_json_close(answer);
    answer = lu_json_read("answer", kept, strlen(kept), &error);
    return cost;
}

TEST(a_strategy_changes_at_the_price_that_is_told) {
    double usual = cost_with_spread();
    const lu_json_value *annul = row_of("sensitivity", "item", "orb_of_annulment");
    NEED(annul != NULL);
    double at = lu_json_real_or(lu_json_get(annul, "switch_at"), -1.0);
    CHECK(fabs(lu_json_real_or(lu_json_get(annul, "d_cost"), -1.0)) < 1e-12);
    CHECK(at > 1.0 && at < 3.0);
    CHECK(cost_with("orb_of_annulment", at * 0.98, "spread=off", NULL) < usual * (1.0 - 1e-9));
    CHECK(fabs(cost_with("orb_of_annulment", at * 1.02, "spread=off", NULL) / usual - 1.0) < 1e-9);
}

TEST(a_price_moves_the_cost_by_its_uses) {
    double usual = cost_with(NULL, 0.0, "spread=off", NULL);
    double uses =
        lu_json_real_or(lu_json_get(row_of("sensitivity", "item", "exalted_orb"), "d_cost"), -1.0);
    double more = cost_with("exalted_orb", 1.001, "spread=off", NULL);
    CHECK(uses > 1.0 && fabs((more - usual) / 0.001 / uses - 1.0) < 1e-3);
}

TEST(the_spread_is_what_other_rules_cost) {
    double usual = cost_with_spread(), low, high;
    const lu_json_value *strategy = lu_json_get(lu_json_root(answer), "strategy"),
                        *spread = lu_json_get(strategy, "spread"),
                        *cases = lu_json_get(spread, "cases");
    low = lu_json_real_or(lu_json_get(spread, "min"), -1.0);
    high = lu_json_real_or(lu_json_get(spread, "max"), -1.0);
    CHECK(lu_json_count(cases) >= 2 && low > 0.0 && low <= usual && usual <= high);
    double side = lu_json_real_or(lu_json_get(lu_json_at(cases, 0), "expected_cost"), -1.0),
           flat = lu_json_real_or(lu_json_get(lu_json_at(cases, 1), "expected_cost"), -1.0);
    CHECK(fabs(cost_with(NULL, 0.0, "side_choice=side_first", "spread=off") - side) < 1e-6 * side);
    CHECK(fabs(cost_with(NULL, 0.0, "weights=flat", "spread=off") - flat) < 1e-6 * flat);
}

/* What every base that is given up brings is as if all bases but the first were cheaper. */
TEST(a_sale_of_anything_is_a_cheaper_base) {
    double cheaper = cost_with("white_base", 0.75, "spread=off", NULL);
    double sold = cost_with(NULL, 0.0, "sale=[0.25]", "spread=off");
    CHECK(fabs(sold - cheaper - 0.25) < 1e-9 * sold);
    double plain = cost_with(NULL, 0.0, "sale=[0]", "spread=off");
    double hits = cost_with(NULL, 0.0, "sale=[0,0.5,0.5]", "spread=off");
    double by_need = cost_with(NULL, 0.0, "sale={\"life\":0.5,\"move_speed\":0.5}", "spread=off");
    CHECK(hits < plain && by_need <= hits * (1.0 + 1e-9));
}

TEST(what_cannot_be_sold_or_solved_is_refused) {
    static const struct {
        const char *pair, *says;
    } rows[] = {
        {"sale=[900]", "'sale': abandoned items sell for more than they cost, so no strategy"},
        {"sale=-1", "a price must be a number of 0 or more"},
        {"sale={\"luck\":1}", "no requirement 'luck'"},
        {"ruleset=classic", "the simple rules of craft-classic-v1 have no solver"},
        {"pack={\"name\":\"x.json\",\"text\":\"{}\"}", "x.json"},
    };
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        lu_error error = {LU_OK, ""};
        const char *pairs[] = {"base=STR/DEX boots", "want=life", "actions=" LADDER, rows[k].pair,
                               NULL};
        CHECK(ask_with((lu_tool_io){0}, pairs, &error) != LU_OK);
        CHECK_HAS(error.text, rows[k].says);
    }
}

/* ---- rivals ---- */

static lu_status choose_ladder(void *user, struct lu_env *const *envs, int count, int32_t *actions,
                               lu_error *error) {
    (void)user;
    (void)error;
    for (int k = 0; k < count; k++) {
        uint64_t memory[8] = {0};
        lu_rng rng = lu_rng_from(1);
        lu_seat_view view = {envs[k]->rules, envs[k]->state, 0,   envs[k]->observation,
                             envs[k]->mask,  memory,         &rng};
        lu_bot_act(envs[k]->game, lu_game_bot(envs[k]->game, "ladder"), &view, &actions[k]);
    }
    return LU_OK;
}

static void *begin_ladder(void *user, const lu_rules *rules, int most) {
    (void)rules;
    (void)most;
    return user;
}

static void end_ladder(void *talk) {
    (void)talk;
}

static const lu_tool_agent agent = {
    .name = "as-ladder", .begin = begin_ladder, .choose = choose_ladder, .end = end_ladder};

TEST(rivals_play_the_same_for_any_threads_and_an_agent_beside_them) {
    const char *pairs[] = {"base=Heavy Belt", "want=T5 life", "actions=" LADDER,
                           "episodes=120",    "spread=off",   NULL};
    lu_error error = {LU_OK, ""};
    lu_pool *pool = lu_pool_new(3);
    CHECK_INT(ask_with((lu_tool_io){.agent = &agent}, pairs, &error), LU_OK);
    char *alone = lu_strdup(said);
    CHECK_INT(ask_with((lu_tool_io){.agent = &agent, .pool = pool}, pairs, &error), LU_OK);
    CHECK_TEXT(said, alone);
    const lu_json_value *root = lu_json_root(answer), *rows = lu_json_get(root, "baselines"),
                        *played = lu_json_get(root, "agent");
    double best = lu_json_real_or(lu_json_get(lu_json_get(root, "strategy"), "expected_cost"), -1);
    CHECK_INT((int)lu_json_count(rows), 1 + CRAFT_BOTS);
    for (size_t k = 0; k < lu_json_count(rows); k++) {
        const lu_json_value *one = lu_json_at(rows, k), *cost = lu_json_get(one, "expected_cost"),
                            *high = lu_json_at(lu_json_get(one, "cost_interval"), 1);
        double share = lu_json_real_or(lu_json_get(one, "success_prob"), -1.0);
        CHECK(share >= 0.0 && share <= 1.0);
        CHECK(lu_json_real_or(cost, 1e9) > 0.0 && lu_json_real_or(high, 1e9) > 0.0);
        CHECK(lu_json_real_or(high, 1e9) > best * 0.9); /* none uses more than is listed */
    }
    const lu_json_value *ladder = lu_json_at(rows, 1);
    CHECK(fabs(lu_json_real_or(lu_json_get(played, "expected_cost"), -1.0) -
               lu_json_real_or(lu_json_get(ladder, "expected_cost"), -2.0)) < 1e-12);
    CHECK_HAS(said, "\"model\":\"as-ladder\"");
    CHECK_HAS(said, "\"  Desecrate finish: "); /* for people; its name is that of the bot */
    CHECK_HAS(said, "\"name\":\"desecrate_finish\"");
    free(alone);
    lu_pool_delete(pool);
}

/* From an item: rules for it are found, and baselines and the agent begin with it. */
TEST(from_an_item_rules_are_found_and_rivals_play) {
#define ITEM                                                                                       \
    "item={\"name\":\"i\",\"text\":\"{\\\"base\\\":\\\"Heavy Belt\\\",\\\"ilvl\\\":82,"            \
    "\\\"rarity\\\":\\\"rare\\\",\\\"mods\\\":[%s]}\"}"
    static const char *const mods[] = {"\\\"ColdResist3\\\"",
                                       "\\\"IncreasedLife7\\\",\\\"ColdResist3\\\""};
    double cost[2], ladder[2];
    for (int k = 0; k < 2; k++) {
        char item[300];
        lu_error error = {LU_OK, ""};
        snprintf(item, sizeof item, ITEM, mods[k]);
        const char *pairs[] = {
            item, "want=T5 life, fire resistance", "actions=" LADDER, "episodes=120", "spread=off",
            NULL};
        CHECK_TEXT(
            ask_with((lu_tool_io){.agent = &agent}, pairs, &error) == LU_OK ? "" : error.text, "");
        const lu_json_value *root = lu_json_root(answer), *rows = lu_json_get(root, "baselines"),
                            *rules = lu_json_at(lu_json_get(root, "strategies"), 1),
                            *first = lu_json_at(rows, 1);
        cost[k] = lu_json_real_or(lu_json_get(lu_json_get(root, "strategy"), "expected_cost"), -1);
        ladder[k] = lu_json_real_or(lu_json_get(first, "expected_cost"), -1.0);
        CHECK_INT((int)lu_json_count(rows), 1 + CRAFT_BOTS);
        CHECK(lu_json_real_or(lu_json_at(lu_json_get(first, "cost_interval"), 1), -1.0) > cost[k]);
        CHECK(lu_json_count(lu_json_get(rules, "rules")) > 2);
        CHECK(lu_json_real_or(lu_json_get(rules, "gap"), -1.0) > -1e-9 &&
              lu_json_real_or(lu_json_get(rules, "gap"), 9.0) < 1.0);
        CHECK(fabs(ladder[k] -
                   lu_json_real_or(lu_json_get(lu_json_get(root, "agent"), "expected_cost"),
                                   -2.0)) < 1e-12);
    }
    CHECK(cost[1] < 0.9 * cost[0] && ladder[1] < 0.9 * ladder[0]);
}

TEST(a_finished_item_costs_nothing_more) {
    char item[300];
    lu_error error = {LU_OK, ""};
    snprintf(item, sizeof item, ITEM, "\\\"IncreasedLife7\\\"");
    const char *pairs[] = {item, "want=life", "actions=" LADDER, "episodes=0", NULL};
    CHECK_INT(ask_with((lu_tool_io){0}, pairs, &error), LU_OK);
    CHECK_HAS(said, "path stop");
    CHECK_HAS(said, "\"gap\":0,");
    CHECK(!strstr(said, "nan%"));
}

/* ---- packs ---- */

/* advise and measure know the pack too. */
static void check_other_tools(const char *own, const char *base) {
    char item[160], settings[160];
    lu_error error = {LU_OK, ""};
    snprintf(item, sizeof item, "{\"base\":\"%s\",\"rarity\":\"magic\",\"mods\":[\"life_1\"]}",
             base);
    snprintf(settings, sizeof settings, "settings={\"base\":\"%s\"}", base);
    CHECK_INT(tool_ask(lu_tool_find("craft", "advise"), (lu_tool_io){0},
                       (const char *const[]){own, "want=T1 life, fire resistance",
                                             "actions=" LADDER, NULL},
                       "item.json", item, &error),
              LU_OK);
    CHECK_HAS(said, "\"next\":\"orb_of_augmentation\"");
    const lu_tool *measure = lu_tool_find("craft", "measure");
    static const char *const target =
        "target_file={\"name\":\"t\",\"text\":\"{\\\"need\\\":[{\\\"any_of\\\":[{"
        "\\\"mod\\\":\\\"life_1\\\"}]}]}\"}";
    CHECK_INT(tool_ask(measure, (lu_tool_io){0},
                       (const char *const[]){own, settings, target, "episodes=5", NULL}, NULL, NULL,
                       &error),
              LU_OK);
    CHECK_HAS(said, "| exact optimum | 1.000 |");
    CHECK_INT(tool_ask(measure, (lu_tool_io){0},
                       (const char *const[]){own, "bot=ladder", "episodes=5", NULL}, NULL, NULL,
                       &error),
              LU_BAD_VALUE);
    CHECK_HAS(error.text, "base");
}

TEST(a_pack_of_the_user_is_played_and_solved) {
    char *text = fixture("plain_mods.json");
    lu_error error = {LU_OK, ""};
    lu_json pair = LU_JSON_INIT;
    CHECK_INT(tool_ask(lu_tool_find("craft", "pack"), (lu_tool_io){0}, NULL, "plain_mods.json",
                       text, &error),
              LU_OK);
    lu_json_document *pack = lu_json_read("pack", said, strlen(said), &error);
    NEED(pack != NULL);
    const lu_json_value *row = lu_json_at(lu_json_get(lu_json_root(pack), "bases"), 0),
                        *mod = lu_json_at(lu_json_get(lu_json_root(pack), "mods"), 0);
    const char *base = "", *family = "";
    CHECK_INT(lu_json_get_text(row, "base", &base, &error), LU_OK);
    CHECK_INT(lu_json_get_text(mod, "family", &family, &error), LU_OK);
    lu_json_object(&pair);
    lu_json_key_string(&pair, "name", "mine.json");
    lu_json_key_string(&pair, "text", said);
    lu_json_object_end(&pair);
    char *own = lu_alloc(pair.length + 8), named[120], target[200];
    snprintf(own, pair.length + 8, "pack=%s", pair.text);
    snprintf(named, sizeof named, "base=%s", base);
    snprintf(target, sizeof target,
             "target_spec={\"name\":\"t\",\"text\":\"{\\\"need\\\":[{\\\"any_of\\\":[{"
             "\\\"family\\\":\\\"%s\\\"}]}]}\"}",
             family);
    const char *pairs[] = {own, named, target, "actions=" LADDER, "episodes=20", NULL};
    CHECK_TEXT(ask_with((lu_tool_io){0}, pairs, &error) == LU_OK ? "" : error.text, "");
    CHECK_HAS(said, "\"status\":\"optimal\"");
    CHECK_HAS(said, "\"name\":\"ladder\"");
    CHECK_INT(tool_ask(&lu_tool_craft_pool, (lu_tool_io){0},
                       (const char *const[]){own, named, NULL}, NULL, NULL, &error),
              LU_OK);
    CHECK_HAS(said, base);
    check_other_tools(own, base);
    free(own);
    lu_json_free(&pair);
    lu_json_close(pack);
    free(text);
}

/* ---- all targets, all pools ---- */

static double belt_cost(const char *needs, const char *open) {
    char target[800];
    lu_error error = {LU_OK, ""};
    snprintf(target, sizeof target,
             "target_spec={\"name\":\"t\",\"text\":\"{\\\"need\\\":[%s]%s}\"}", needs, open);
    const char *pairs[] = {
        "base=Heavy Belt", "ilvl=82",    target, "actions=" LADDER ", orb_of_annulment, chaos_orb",
        "episodes=0",      "spread=off", NULL};
    CHECK_TEXT(ask_with((lu_tool_io){0}, pairs, &error) == LU_OK ? "" : error.text, "");
    const lu_json_value *strategy = answer ? lu_json_get(lu_json_root(answer), "strategy") : NULL;
    return lu_json_real_or(lu_json_get(strategy, "expected_cost"), -1.0);
}

TEST(a_further_requirement_never_costs_less) {
    static const char *const family[] = {"FireResistance", "ColdResistance", "LightningResistance",
                                         "IncreasedLife",  "IncreasedMana",  "Strength"};
    lu_rng rng = lu_rng_from(5);
    for (int k = 0; k < (getenv("LUDUS_TEST_LONG") ? 4 : 2); k++) {
        char one[200], two[400], *text = one;
        uint32_t first = lu_rng_below(&rng, 6), second = (first + 1 + lu_rng_below(&rng, 5)) % 6;
        uint32_t tier[2] = {2 + lu_rng_below(&rng, 4), 2 + lu_rng_below(&rng, 4)};
#define NEEDS "{\\\"any_of\\\":[{\\\"family\\\":\\\"%s\\\",\\\"max_tier\\\":%u}]}"
        snprintf(text, sizeof one, NEEDS, family[first], tier[0]);
        snprintf(two, sizeof two, "%s," NEEDS, one, family[second], tier[1]);
        double alone = belt_cost(one, ""), both = belt_cost(two, ""),
               open = belt_cost(two, ",\\\"open_suffix\\\":1");
        CHECK(alone > 0.0 && both >= alone * (1.0 - 1e-8) && open >= both * (1.0 - 1e-8));
    }
}

/* A base of each pool with the first of its ladders: as magic items, or (long) as any by all plain
 * uses. */
TEST(every_pool_can_be_solved) {
    const craft_pack *pack = craft_pack_find("poe2-0.4");
    bool all = getenv("LUDUS_TEST_LONG") != NULL;
    bool seen[256] = {false};
    int pools = 0;
    for (int row = 0; row < pack->base_count; row++) {
        craft_switches switches = craft_switches_of(4);
        craft_pool *pool = lu_alloc(sizeof *pool);
        lu_error error = {LU_OK, ""};
        int which = pack->bases[row].pool;
        if (!seen[which] && pack->bases[row].obtainable && pack->bases[row].req_level <= 82 &&
            craft_pool_init(pool, pack, row, 82, &switches, &error) == LU_OK &&
            pool->drawn[0] + pool->drawn[1] > 0) {
            char base[120], target[300];
            const craft_entry *e = &pool->entry[0];
            seen[which] = true;
            pools++;
            snprintf(base, sizeof base, "base=%s", pack->bases[row].name);
            snprintf(target, sizeof target,
                     "target_spec={\"name\":\"t\",\"text\":\"{\\\"need\\\":[{\\\"any_of\\\":[{"
                     "\\\"ladder\\\":\\\"%s\\\"}]}]}\"}",
                     pack->ladder_names[pack->mods[e->mod].ladder]);
            const char *pairs[] = {base,
                                   target,
                                   all ? "actions=plain"
                                       : "actions=orb_of_transmutation, "
                                         "orb_of_augmentation",
                                   "episodes=0",
                                   "spread=off",
                                   "ilvl=82",
                                   NULL};
            lu_status status = ask_with((lu_tool_io){0}, pairs, &error);
            if (status != LU_OK || !strstr(said, "\"status\":\"optimal\"") ||
                !strstr(said, "\"feasible\":true")) {
                lu_test_fail(__FILE__, __LINE__, "%s: %s", base, error.text);
            }
        }
        free(pool);
    }
    CHECK_INT(pools, 50); /* of 51: no modifiers of the Diamond are known */
}
