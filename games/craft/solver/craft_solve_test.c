/* Tests of the solver: values agree with all outcomes enumerated, one thread with three, what is
 * promised with what is played by the rules of the game, quantiles with all costs convolved, and a
 * harder target never costs less; the same from items. LUDUS_TEST_LONG=1: all on whole
 * pools. */
#include "craft_solved_test.h"

static const priced_use plain[] = {{"orb_of_transmutation", NULL, 0.01},
                                   {"orb_of_augmentation", NULL, 0.02},
                                   {"regal_orb", NULL, 0.05},
                                   {"exalted_orb", NULL, 1.0},
                                   {"orb_of_annulment", NULL, 3.0},
                                   {"chaos_orb", NULL, 2.0},
                                   {"orb_of_alchemy", NULL, 0.5},
                                   {"exalted_orb", "omen_of_dextral_exaltation", 3.0}};

static solved *solve_from(const char *base, const char *target, lu_pool *pool, const char *item,
                          const craft_set *set) {
    return solve_by(plain, sizeof plain / sizeof *plain, base, target, pool, item, set);
}

static solved *solve(const char *base, const char *target, lu_pool *pool) {
    return solve_from(base, target, pool, NULL, NULL);
}

#define BELT "{\"need\":[{\"any_of\":[{\"family\":\"FireResistance\",\"max_tier\":3}]}]}"
#define BELT_TWO                                                                                   \
    "{\"need\":[{\"any_of\":[{\"family\":\"FireResistance\",\"max_tier\":3}]},"                    \
    "{\"any_of\":[{\"family\":\"IncreasedLife\",\"max_tier\":4}]}]}"

TEST(values_are_the_best_of_all_outcomes) {
    solved *s = solve("Heavy Belt", BELT_TWO, NULL);
    craft_spread spread;
    double worst = 0.0;
    craft_spread_init(&spread);
    for (uint32_t at = 0; at < s->graph.queued; at += 7) {
        uint32_t node = s->graph.queue[at];
        double best = s->problem.base + s->plan.fresh;
        for (int k = 0; k < s->uses; k++) {
            craft_spread_clear(&spread);
            double sum = s->problem.price[k];
            if (!craft_spread_use(&spread, &s->sorts, &s->use[k], &s->graph.table.set[node], 1.0)) {
                continue;
            }
            for (uint32_t j = 0; j < spread.table.count; j++) {
                uint32_t to = craft_table_add(&s->graph.table, &spread.table.set[j]);
                sum += spread.chance[j] * s->values.v[to];
            }
            best = sum < best ? sum : best;
        }
        best = s->graph.flags[node] & CRAFT_NODE_GOAL ? 0.0 : best;
        worst = fmax(worst, fabs(best - s->values.v[node]) / s->plan.fresh);
    }
    CHECK(worst < 1e-9);
    CHECK(s->plan.lower <= s->plan.fresh && s->plan.fresh <= s->plan.upper);
    CHECK(s->plan.lower > s->plan.fresh * (1.0 - 1e-6));
    craft_spread_free(&spread);
    done(s);
}

TEST(three_threads_find_the_same_bits) {
    lu_pool *pool = lu_pool_new(3);
    solved *one = solve("Heavy Belt", BELT_TWO, NULL), *three = solve("Heavy Belt", BELT_TWO, pool);
    CHECK(memcmp(&one->plan.fresh, &three->plan.fresh, sizeof(double)) == 0);
    CHECK(memcmp(&one->plan.lower, &three->plan.lower, sizeof(double)) == 0);
    CHECK(memcmp(one->plan.policy, three->plan.policy,
                 one->graph.table.count * sizeof(craft_policy)) == 0);
    done(one);
    done(three);
    lu_pool_delete(pool);
}

TEST(a_harder_target_never_costs_less) {
    static const char *const harder[] = {
        "{\"need\":[{\"any_of\":[{\"family\":\"FireResistance\",\"max_tier\":5}]}]}",
        "{\"need\":[{\"any_of\":[{\"family\":\"FireResistance\",\"max_tier\":3}]}]}",
        "{\"need\":[{\"any_of\":[{\"family\":\"FireResistance\",\"max_tier\":3}]}],"
        "\"open_suffix\":1}",
        "{\"need\":[{\"any_of\":[{\"family\":\"FireResistance\",\"max_tier\":3}]},"
        "{\"any_of\":[{\"family\":\"IncreasedLife\"}]}],\"open_suffix\":1}",
        "{\"need\":[{\"any_of\":[{\"family\":\"FireResistance\",\"max_tier\":3}]},"
        "{\"any_of\":[{\"family\":\"IncreasedLife\",\"max_tier\":5}]}],\"open_suffix\":1}",
        "{\"need\":[{\"any_of\":[{\"family\":\"FireResistance\",\"max_tier\":3}]},"
        "{\"any_of\":[{\"family\":\"IncreasedLife\",\"max_tier\":5}]},"
        "{\"any_of\":[{\"family\":\"ColdResistance\",\"max_tier\":6}]}],\"open_suffix\":1}"};
    double before = 0.0;
    for (size_t k = 0; k < sizeof harder / sizeof *harder; k++) {
        solved *s = solve("Heavy Belt", harder[k], NULL);
        CHECK(s->plan.possible);
        CHECK(s->plan.lower >= before * (1.0 - 1e-9));
        before = s->plan.lower;
        done(s);
    }
}

/* One alchemy leads to millions of sets where modifiers are told apart: memory is kept all the
 * same.
 */
TEST(memory_is_kept_within_one_use) {
    solved *s = lu_alloc_zero(1, sizeof *s);
    lu_error error = {LU_OK, ""};
    craft_set root = {.rarity = CRAFT_NORMAL};
    read_goal(s, "Heavy Belt", BELT);
    s->graph.memory = (size_t)8 << 20;
    CHECK_INT(craft_sorts_init(&s->sorts, pack(), &s->pool, &s->goal, CRAFT_TELL_MODS, &error),
              LU_OK);
    CHECK_INT(craft_use_init(&s->use[0], &s->sorts, "orb_of_alchemy", NULL, 0, &error), LU_OK);
    CHECK_INT(craft_graph_init(&s->graph, &s->sorts, s->use, 1, &root, 1, &error), LU_LIMIT);
    CHECK_HAS(error.text, "take more than 8 MB");
    CHECK(craft_graph_bytes(&s->graph) <= (size_t)12 << 20);
    done(s);
}

/* Plays the policy by the rules of the game until the item is done; returns what it cost. */
static double play(const solved *s, lu_rng *rng) {
    craft_item item = s->item;
    craft_table *table = &((solved *)(uintptr_t)s)->graph.table;
    double cost = s->problem.first;
    while (!craft_fulfils(&s->goal, &s->pool, &item)) {
        craft_set set = craft_set_of(&((solved *)(uintptr_t)s)->sorts, &item);
        uint32_t count = table->count, node = craft_table_add(table, &set);
        if (node >= count) {
            lu_test_fail(__FILE__, __LINE__, "an item that the solver has not seen");
            return cost;
        }
        uint32_t move = s->plan.policy[node];
        if (move == CRAFT_GIVE_UP) {
            item = (craft_item){.rarity = CRAFT_NORMAL};
            cost += s->problem.base;
            continue;
        }
        int use = s->graph.move[move].use;
        if (craft_why(&s->pool, &item, &s->effect[use]) != CRAFT_USABLE) {
            lu_test_fail(__FILE__, __LINE__, "%s is refused", s->use[use].name);
            return cost;
        }
        craft_apply(&s->pool, &item, &s->effect[use], rng);
        cost += s->problem.price[use];
    }
    return cost;
}

/* A life of tier 4 and a low resistance; one of a wanted family fractured; one that must be. */
#define ITEM_LIFE                                                                                  \
    "{\"rarity\":\"rare\",\"mods\":[{\"mod\":\"IncreasedLife7\",\"roll\":[3]},\"FireResist2\","    \
    "\"ColdResist3\"]}"
#define ITEM_MAGIC "{\"rarity\":\"magic\",\"mods\":[\"FireResist8\"]}"
#define ITEM_LOCKED                                                                                \
    "{\"rarity\":\"rare\",\"mods\":[{\"mod\":\"FireResist8\",\"fractured\":true},"                 \
    "\"IncreasedLife1\","                                                                          \
    "\"ColdResist3\"]}"
#define BELT_LOCKED                                                                                \
    "{\"need\":[{\"any_of\":[{\"family\":\"FireResistance\",\"max_tier\":3,\"fractured\":true}]}," \
    "{\"any_of\":[{\"family\":\"IncreasedLife\",\"max_tier\":4}]}]}"

TEST(from_an_item_it_costs_what_a_base_has_still_to_pay_there) {
    with_few(!is_long());
    solved *all = solve("Heavy Belt", BELT_TWO, NULL);
    uint32_t tries = 7, tried = 0;
    for (uint32_t at = 3; at < all->graph.queued; at += all->graph.queued / tries) {
        uint32_t node = all->graph.queue[at];
        double to_go = all->values.v[node];
        solved *one = solve_from("Heavy Belt", BELT_TWO, NULL, NULL, &all->graph.table.set[node]);
        CHECK(fabs(one->plan.from - to_go) <= 1e-9 * all->plan.fresh);
        CHECK(one->plan.lower <= to_go * (1.0 + 1e-12) && one->plan.upper >= to_go * (1.0 - 1e-9));
        CHECK(one->plan.lower >= to_go * (1.0 - 1e-6));
        tried++;
        done(one);
    }
    CHECK(tried >= tries);
    done(all);
    with_few(false);
}

TEST(from_an_item_a_harder_target_never_costs_less) {
    with_few(!is_long());
    static const char *const harder[] = {
        BELT, BELT_TWO,
        "{\"need\":[{\"any_of\":[{\"family\":\"FireResistance\",\"max_tier\":3}]},"
        "{\"any_of\":[{\"family\":\"IncreasedLife\",\"max_tier\":4}]}],\"open_suffix\":1}",
        "{\"need\":[{\"any_of\":[{\"family\":\"FireResistance\",\"max_tier\":3}]},"
        "{\"any_of\":[{\"family\":\"IncreasedLife\",\"max_tier\":4}]},"
        "{\"any_of\":[{\"family\":\"ColdResistance\",\"max_tier\":6}]}],\"open_suffix\":1}"};
    static const char *const items[] = {ITEM_LIFE, ITEM_MAGIC, ITEM_LOCKED};
    for (size_t i = 0; i < sizeof items / sizeof *items; i++) {
        double before = 0.0;
        for (size_t k = 0; k < sizeof harder / sizeof *harder; k++) {
            solved *s = solve_from("Heavy Belt", harder[k], NULL, items[i], NULL);
            CHECK(s->plan.possible);
            CHECK(s->plan.from >= before * (1.0 - 1e-9));
            before = s->plan.from;
            done(s);
        }
    }
    with_few(false);
}

TEST(an_item_that_no_base_becomes_is_never_given_up) {
    with_few(!is_long());
    solved *s = solve_from("Heavy Belt", BELT_LOCKED, NULL, ITEM_LOCKED, NULL);
    CHECK(s->plan.possible && s->graph.first_goals == 0);
    CHECK(s->plan.from < 1e4 && s->plan.start_success > 1.0 - 1e-9);
    CHECK(s->plan.lower <= s->plan.from && s->plan.lower > s->plan.from * (1.0 - 1e-6));
    done(s);
    s = solve_from("Heavy Belt", BELT_LOCKED, NULL, ITEM_LIFE, NULL);
    CHECK(!s->plan.possible);
    done(s);
    with_few(false);
}

TEST(a_plan_that_is_sure_to_end_is_tallied) {
    with_few(!is_long());
    solved *s = solve_from("Heavy Belt", BELT_LOCKED, NULL, ITEM_LOCKED, NULL);
    lu_error error = {LU_OK, ""};
    craft_tally tally;
    double mean = 0.0, price = 0.0;
    CHECK_INT(
        craft_tally_plan(&tally, &s->problem, &s->values, &s->plan, 3.0 * s->plan.from, 5, &error),
        LU_OK);
    for (int k = 0; k < s->uses; k++) {
        price += tally.uses[k] * s->problem.price[k];
    }
    for (int k = 0; k < CRAFT_QUANTILES; k++) {
        mean += tally.quantile[k] / CRAFT_QUANTILES;
    }
    CHECK(fabs(price / s->plan.from - 1.0) < 1e-9);
    CHECK(tally.bases < 1e-8 && tally.within > 0.9 && tally.within < 1.0);
    CHECK(tally.quantile[0] < s->plan.from && tally.quantile[5] > s->plan.from && mean > 0.0);
    done(s);
    with_few(false);
}

TEST(what_is_promised_is_what_is_played) {
    enum { PLAYS = 4000 };
    static const char *const targets[][2] = {
        {BELT, NULL},           {BELT_TWO, NULL},        {BELT_TWO, ITEM_LIFE},
        {BELT_TWO, ITEM_MAGIC}, {BELT_TWO, ITEM_LOCKED}, {BELT_LOCKED, ITEM_LOCKED}};
    for (size_t t = 0; t < sizeof targets / sizeof *targets; t++) {
        with_few(t > 1 && !is_long());
        solved *s = solve_from("Heavy Belt", targets[t][0], NULL, targets[t][1], NULL);
        double sum = 0.0, squares = 0.0;
        lu_rng rng = lu_rng_from(7 + t);
        for (int k = 0; k < PLAYS; k++) {
            double cost = play(s, &rng);
            sum += cost / PLAYS;
            squares += cost * cost / PLAYS;
        }
        double spread = sqrt((squares - sum * sum) / PLAYS);
        CHECK(fabs(sum - s->plan.from - s->problem.first) < 4.0 * spread);
        done(s);
    }
    with_few(false);
}

/* ---- costs ---- */

enum { CELLS = 6000, TOTALS = 120000 }; /* of 0.01 exalted: one base, all; what is dearer is rare */

/* Chances of all costs of one base: given up, and done. */
typedef struct base_costs {
    double given_up[CELLS], done[CELLS];
} base_costs;

static int cell_of(double cost) {
    return (int)(cost * 100.0 + 0.5);
}

/* What comes of the bases that are at these nodes; `at` is by cost, and uses only add to it. */
static void follow_cell(solved *s, double **at, int cell, base_costs *costs, craft_spread *spread) {
    uint32_t nodes = s->graph.table.count;
    for (uint32_t node = 0; node < nodes; node++) {
        double chance = at[cell][node];
        uint32_t move = s->plan.policy[node];
        bool goal = s->graph.flags[node] & CRAFT_NODE_GOAL;
        if (chance <= 0.0 || goal || move == CRAFT_GIVE_UP) {
            (goal ? costs->done : costs->given_up)[cell] += chance;
            continue;
        }
        int use = s->graph.move[move].use, to = cell + cell_of(s->problem.price[use]);
        if (to >= CELLS) {
            continue;
        }
        at[to] = at[to] ? at[to] : lu_alloc_zero(nodes, sizeof **at);
        craft_spread_clear(spread);
        (void)craft_spread_use(spread, &s->sorts, &s->use[use], &s->graph.table.set[node], chance);
        for (uint32_t k = 0; k < spread->table.count; k++) {
            at[to][craft_table_add(&s->graph.table, &spread->table.set[k])] += spread->chance[k];
        }
    }
}

/* Chances of all costs until it is done, the first base included; from 0 to TOTALS cells. */
static double *convolve(solved *s) {
    base_costs *costs = lu_alloc_zero(1, sizeof *costs);
    double **at = lu_alloc_zero(CELLS, sizeof *at), *total = lu_alloc_zero(TOTALS, sizeof *total);
    int base = cell_of(s->problem.base);
    craft_spread spread;
    craft_spread_init(&spread);
    at[0] = lu_alloc_zero(s->graph.table.count, sizeof **at);
    at[0][0] = 1.0;
    for (int cell = 0; cell < CELLS; cell++) {
        if (at[cell]) {
            follow_cell(s, at, cell, costs, &spread);
            free(at[cell]);
        }
    }
    for (int cost = base; cost < TOTALS; cost++) {
        total[cost] = cost - base < CELLS ? costs->done[cost - base] : 0.0;
        for (int cell = 0; cell < CELLS && cell <= cost - base; cell++) {
            if (costs->given_up[cell] > 0.0) {
                total[cost] += costs->given_up[cell] * total[cost - base - cell];
            }
        }
    }
    craft_spread_free(&spread);
    free(at);
    free(costs);
    return total;
}

static double within(const double *total, int cost) {
    double sum = 0.0;
    for (int k = 0; k <= cost && k < TOTALS; k++) {
        sum += total[k];
    }
    return sum;
}

TEST(quantiles_are_those_of_all_costs_convolved) {
    with_few(!is_long());
    enum { SEEDS = 5 };
    solved *s = solve("Heavy Belt", BELT_TWO, NULL);
    double *total = convolve(s), mean = 0.0, low[CRAFT_QUANTILES] = {0},
           high[CRAFT_QUANTILES] = {0};
    for (int k = 0; k < TOTALS; k++) {
        mean += total[k] * k / 100.0;
    }
    CHECK(fabs(within(total, TOTALS) - 1.0) < 1e-4);
    CHECK(fabs(mean / (s->plan.fresh + s->problem.base) - 1.0) < 2e-4);
    for (int seed = 1; seed <= SEEDS; seed++) {
        craft_tally tally;
        lu_error error = {LU_OK, ""};
        CHECK_INT(craft_tally_plan(&tally, &s->problem, &s->values, &s->plan, 0.0, (uint64_t)seed,
                                   &error),
                  LU_OK);
        for (int q = 0; q < CRAFT_QUANTILES; q++) {
            low[q] += within(total, cell_of(tally.quantile[q]) - 1) / SEEDS;
            high[q] += within(total, cell_of(tally.quantile[q]) + 1) / SEEDS;
        }
    }
    for (int q = 0; q < CRAFT_QUANTILES; q++) {
        double want = craft_quantile_at[q];
        if (low[q] > want + 0.003 || high[q] < want - 0.003) {
            lu_test_fail(__FILE__, __LINE__, "%g: %g..%g", want, low[q], high[q]);
        }
    }
    free(total);
    done(s);
    with_few(false);
}
