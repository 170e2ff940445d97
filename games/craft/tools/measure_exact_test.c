/* Tasks before the solver: sets and items are the same thing, the optimum followed by hand costs
 * what it promises, additions are a good yardstick, and the table of drawn targets tells all. */
#include "measure_exact.h"

#include "tool_said.h"

#include <stdlib.h>

typedef struct bench {
    lu_settings *settings;
    lu_rules *rules;
    craft_exact exact;
} bench;

static bool bench_open(bench *b, int task) {
    const char *const pairs[] = {"targets=4", "actions=plain", "prices.spread=3", "budget=20000",
                                 "max_steps=1000"};
    const lu_game *game = lu_game_find("craft-look-v1", NULL);
    lu_tool_io io = {0};
    lu_error error = {0};
    memset(b, 0, sizeof *b);
    b->settings = lu_game_settings(game);
    for (size_t k = 0; k < sizeof pairs / sizeof *pairs; k++) {
        if (lu_settings_set_pair(b->settings, pairs[k], LU_FROM_FLAG, "test", &error) != LU_OK) {
            return false;
        }
    }
    b->rules = lu_rules_new(game, b->settings, &error);
    if (!b->rules) {
        return false;
    }
    const craft_rules *m = (const craft_rules *)(const void *)b->rules;
    return craft_exact_open(&b->exact, m, task, (size_t)1 << 30, &io, &error) == LU_OK;
}

static void bench_close(bench *b) {
    craft_exact_close(&b->exact);
    lu_rules_delete(b->rules);
    lu_settings_delete(b->settings);
}

/* Does what the optimum does. */
static lu_status follow(void *user, const craft_item *item, int *action, lu_error *error) {
    craft_exact *x = user;
    craft_set set = craft_set_of(&x->sorts, item);
    uint32_t node = craft_table_add(&x->graph.table, &set), move = x->best.policy[node];
    (void)error;
    *action = move == CRAFT_GIVE_UP ? CRAFT_NEW_BASE : x->action[x->graph.move[move].use];
    return LU_OK;
}

static lu_status stop_at_once(void *user, const craft_item *item, int *action, lu_error *error) {
    (void)user;
    (void)item;
    (void)error;
    *action = CRAFT_STOP;
    return LU_OK;
}

TEST(the_optimum_followed_by_hand_costs_what_it_promises) {
    for (int task = 0; task < 2; task++) {
        bench b;
        craft_worth best, followed, stopped;
        lu_error error = {0};
        NEED(bench_open(&b, task));
        CHECK_INT(craft_exact_best(&b.exact, &best, &error), LU_OK);
        CHECK_INT(craft_exact_policy(&b.exact, follow, &b.exact, &followed, &error), LU_OK);
        CHECK_NEAR(followed.cost, best.cost, 1e-9 * best.cost);
        CHECK(followed.items > 0 && !followed.stops);
        CHECK_INT(craft_exact_policy(&b.exact, stop_at_once, NULL, &stopped, &error), LU_OK);
        CHECK(stopped.stops && stopped.cost >= CRAFT_NEVER_COST);
        /* removing may pay, and the yardstick merges families */
        const craft_outlook *o = &b.exact.task->outlook;
        CHECK(o->cost > 0.95 * best.cost && o->cost < 1.5 * best.cost);
        bench_close(&b);
    }
}

TEST(an_item_of_a_set_has_that_set) {
    bench b;
    NEED(bench_open(&b, 0));
    for (uint32_t node = 0; node < b.exact.graph.table.count; node += 7) {
        craft_set set = b.exact.graph.table.set[node];
        craft_item item = craft_exact_item(&b.exact, &set);
        craft_set again = craft_set_of(&b.exact.sorts, &item);
        CHECK(memcmp(&set, &again, sizeof set) == 0);
    }
    bench_close(&b);
}

/* An agent that wants one action wherever it may, else a new base. */
static lu_status wish(void *user, const lu_rules *rules, const void *state, int seat,
                      float *probabilities, double *value, lu_error *error) {
    const craft_rules *m = (const craft_rules *)(const void *)rules;
    int wanted = *(const int *)user;
    (void)seat;
    (void)error;
    memset(probabilities, 0, CRAFT_ACTIONS * sizeof *probabilities);
    probabilities[craft_is_legal(m, state, wanted) ? wanted : CRAFT_NEW_BASE] = 1.0f;
    *value = 0.0;
    return LU_OK;
}

TEST(the_table_has_optimum_agent_and_baselines) {
    const char *pairs[] = {"targets=2", "episodes=3", NULL};
    const char *boots[] = {"episodes=2",
                           "target_file={\"name\":\"t.json\",\"text\":\"{\\\"need\\\":[{"
                           "\\\"any_of\\\":[{\\\"group\\\":\\\"life\\\"}]}]}\"}",
                           NULL};
    int alchemy = CRAFT_ALCHEMY_ACTION;
    lu_tool_agent agent = {.name = "wish", .user = &alchemy, .think = wish};
    lu_tool_io io = {.agent = &agent};
    lu_error error = {0};
    const lu_tool *measure = lu_tool_find("craft", "measure");
    CHECK_INT(tool_ask(measure, io, pairs, NULL, NULL, &error), LU_OK);
    CHECK(strstr(said, "\"agent\":\"wish\"") && strstr(said, "\"name\":\"exact optimum\""));
    CHECK(strstr(said, "\"name\":\"essence_spam\"") && strstr(said, "| agent |"));
    const char *small[] = {"targets=1", "episodes=3", "memory=16", NULL};
    CHECK_INT(tool_ask(measure, io, small, NULL, NULL, &error), LU_OK);
    CHECK(strstr(said, "\"solved\":0,\"played\":1") && !strstr(said, "exact optimum |"));
    io.agent = NULL;
    CHECK_INT(tool_ask(measure, io, boots, NULL, NULL, &error), LU_OK);
    CHECK(strstr(said, "\"targets\":1,") && !strstr(said, "| agent |"));
    CHECK(strstr(said, "| exact optimum | 1.000 |"));
}
