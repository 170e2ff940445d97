/* Tests of the solver: against plain enumeration of all mixes of thousands of
 * drawn stocks, on the largest cauldrons against known answers, and at its
 * limits. */
#include "potion_solve.h"
#include "test.h"

#include "ludus/rng.h"

#include <string.h>

/* ---- plain enumeration ---- */

enum { COSTS = 8000, NOTHING = -1000000, TOP = 7 };

typedef struct plain {
    const potion_task *task;
    int clean[16], count;
    bool found;
    int32_t total, total_profit, profit; /* the answers */
    double expected;
    uint8_t pieces[POTION_ACTIONS];
    int32_t top[TOP], tops; /* the largest profits of different mixes */
    int32_t by_cost[COSTS]; /* largest profit of what costs exactly this, NOTHING = none */
} plain;

/* The rule in words: the largest total that has a sense decides it. */
static double plain_traits(const uint8_t *pieces) {
    double sum = 0.0;
    for (int k = 0; k < POTION_SENSES; k++) {
        int largest = 0, signs = 0, deciding = 0;
        for (int i = 1; i <= POTION_INGREDIENTS; i++) {
            if (pieces[i] > 0 && potion_traits[i][k] != 0 && potion_takes[i] > largest) {
                largest = potion_takes[i];
            }
        }
        for (int i = 1; i <= POTION_INGREDIENTS; i++) {
            if (pieces[i] > 0 && potion_traits[i][k] != 0 && potion_takes[i] == largest) {
                signs += potion_traits[i][k];
                deciding++;
            }
        }
        sum += deciding > 0 ? (double)signs / (double)deciding : 0.0;
    }
    return sum;
}

static void plain_take(plain *p, const potion_mix *mix) {
    int32_t all, wanted;
    potion_distances(mix->amount, mix->total, p->task->recipe, &all, &wanted);
    int grade = potion_grade_after(potion_raw_grade(mix->total), 2);
    if (mix->items < 2 || all != 0 || grade < p->task->least_grade ||
        (p->task->budget > 0 && mix->cost > p->task->budget)) {
        return;
    }
    int32_t price = potion_prices[p->task->recipe][grade], brewed = potion_brewed(mix->items);
    int32_t profit = brewed * price - mix->cost;
    double expected = brewed * potion_unit_value(price, plain_traits(p->pieces), 0.0) - mix->cost;
    if (!p->found || expected > p->expected) {
        p->expected = expected;
    }
    int at = p->tops < TOP ? p->tops++ : TOP;
    for (; at > 0 && p->top[at - 1] < profit; at--) {
        if (at < TOP) {
            p->top[at] = p->top[at - 1];
        }
    }
    if (at < TOP) {
        p->top[at] = profit;
    }
    if (profit > p->by_cost[mix->cost]) {
        p->by_cost[mix->cost] = profit;
    }
    if (!p->found || profit > p->profit) {
        p->profit = profit;
    }
    if (!p->found || mix->total > p->total ||
        (mix->total == p->total && profit > p->total_profit)) {
        p->total = mix->total;
        p->total_profit = profit;
    }
    p->found = true;
}

static void plain_walk(plain *p, int at, potion_mix mix) {
    if (at == p->count) {
        plain_take(p, &mix);
        return;
    }
    int action = p->clean[at];
    for (int c = 0; c <= p->task->stock[action]; c++) {
        if (mix.items > p->task->max_items || mix.total > p->task->max_magimins) {
            break;
        }
        p->pieces[action] = (uint8_t)c;
        if (c >= p->task->must[action]) {
            plain_walk(p, at + 1, mix);
        }
        potion_mix_add(&mix, action, 1);
    }
    p->pieces[action] = 0;
}

static void plain_solve(plain *p, const potion_task *task) {
    memset(p, 0, sizeof *p);
    p->task = task;
    for (int c = 0; c < COSTS; c++) {
        p->by_cost[c] = NOTHING;
    }
    for (int i = 1; i <= POTION_INGREDIENTS; i++) {
        if (task->stock[i] > 0) {
            p->clean[p->count++] = i;
        }
    }
    plain_walk(p, 0, (potion_mix){.items = 0});
}

/* Up to nine ingredients, mostly of the recipe's magimins, one to four pieces
 * each. */
static potion_task drawn_task(lu_rng *rng) {
    static const int cauldrons[] = {0, 1, 2, 4, 6, 10, 13, 16, 17};
    int recipe = (int)lu_rng_below(rng, POTION_RECIPES);
    potion_task task = potion_task_of(recipe, cauldrons[lu_rng_below(rng, 9)]);
    int kinds = 3 + (int)lu_rng_below(rng, 7);
    for (int k = 0; k < kinds; k++) {
        int action = 1, tries = lu_rng_below(rng, 5) > 0 ? 40 : 0;
        for (bool clean = false; !clean && tries >= 0; tries--) {
            action = 1 + (int)lu_rng_below(rng, POTION_INGREDIENTS);
            clean = true;
            for (int m = 0; m < POTION_MAGIMINS; m++) {
                clean = clean && !(potion_parts[task.recipe][m] == 0 && potion_adds[action][m] > 0);
            }
        }
        task.stock[action] = (uint8_t)(1 + lu_rng_below(rng, 4));
    }
    return task;
}

/* The next point of the front, from the dearest down, must be the dearest profit that no cheaper
 * mix reaches. */
typedef struct front {
    const plain *p;
    int32_t cost; /* all from here on are points already, or none */
    int points, wrong;
} front;

static bool next_point(front *f) {
    while (--f->cost >= 0) {
        bool is_point = f->p->by_cost[f->cost] > NOTHING;
        for (int32_t c = 0; c < f->cost && is_point; c++) {
            is_point = f->p->by_cost[c] < f->p->by_cost[f->cost];
        }
        if (is_point) {
            return true;
        }
    }
    return false;
}

static void on_point(void *user, const potion_brew *brew) {
    front *f = user;
    bool due = next_point(f);
    f->points++;
    f->wrong += !due || brew->mix.cost != f->cost || brew->profit != f->p->by_cost[f->cost] ||
                !brew->optimal;
}

static void compare_front(const potion_task *task, const plain *p) {
    lu_error error = {LU_OK, ""};
    front f = {.p = p, .cost = COSTS};
    CHECK_INT(potion_solve_front(task, on_point, &f, &error), LU_OK);
    CHECK_INT(f.wrong, 0);
    CHECK(!next_point(&f));
}

static void compare_top(const potion_task *task, const plain *p) {
    lu_error error = {LU_OK, ""};
    potion_brew brews[TOP];
    int32_t count;
    CHECK_INT(potion_solve_top(task, TOP, 1000000, brews, &count, &error), LU_OK);
    CHECK_INT(count, p->tops);
    for (int32_t k = 0; k < count; k++) {
        CHECK_INT(brews[k].profit, p->top[k]);
        CHECK(potion_brew_add_up(task, &brews[k]));
        for (int32_t j = 0; j < k; j++) {
            CHECK(memcmp(brews[j].pieces, brews[k].pieces, sizeof brews[k].pieces) != 0);
        }
    }
}

/* All answers of a task against enumeration; returns whether there is a
 * potion. */
static bool compare(const potion_task *task) {
    lu_error error = {LU_OK, ""};
    potion_brew total, profit, traits;
    potion_proof first, second;
    plain p;
    plain_solve(&p, task);
    CHECK_INT(potion_solve_total(task, &total, &error), LU_OK);
    CHECK_INT(potion_solve_profit(task, &profit, &error), LU_OK);
    CHECK_INT(potion_solve_traits(task, &traits, &error), LU_OK);
    CHECK_INT(potion_prove_total(task, &total, 1000000, &first, &error), LU_OK);
    CHECK_INT(potion_prove_profit(task, &profit, 1000000, &second, &error), LU_OK);
    CHECK(first.proven && second.proven);
    CHECK_INT(total.found, p.found);
    CHECK_INT(profit.found, p.found);
    CHECK_INT(traits.found, p.found);
    compare_front(task, &p);
    compare_top(task, &p);
    if (p.found && total.found && profit.found && traits.found) {
        CHECK_INT(total.mix.total, p.total);
        CHECK_INT(total.profit, p.total_profit);
        CHECK_INT(profit.profit, p.profit);
        CHECK_NEAR(traits.expected, p.expected, 1e-6);
        CHECK(total.optimal && profit.optimal && traits.optimal);
        CHECK(potion_brew_add_up(task, &total) && potion_brew_add_up(task, &profit));
        CHECK(potion_brew_add_up(task, &traits));
    }
    return p.found;
}

TEST(the_solver_agrees_with_plain_enumeration) {
    lu_rng rng = lu_rng_from(6);
    int with = 0;
    for (int round = 0; round < 2000; round++) {
        potion_task task = drawn_task(&rng);
        with += compare(&task);
    }
    CHECK(with > 500 && with < 1950);
}

/* Pieces that must be in, a budget, a lowest grade. */
TEST(what_else_is_asked_for_agrees_with_plain_enumeration) {
    lu_rng rng = lu_rng_from(66);
    int with = 0;
    for (int round = 0; round < 2000; round++) {
        potion_task task = drawn_task(&rng);
        for (int i = 1; i <= POTION_INGREDIENTS && round % 2 == 0; i++) {
            if (task.stock[i] > 0 && lu_rng_below(&rng, 4) == 0) {
                task.must[i] = (uint8_t)(1 + lu_rng_below(&rng, task.stock[i]));
            }
        }
        task.budget = round % 3 == 0 ? 1 + (int32_t)lu_rng_below(&rng, 300) : 0;
        task.least_grade = round % 5 == 0 ? (int32_t)lu_rng_below(&rng, 16) : 0;
        with += compare(&task);
    }
    CHECK(with > 200 && with < 1500);
}

/* ---- known answers ---- */

TEST(large_cauldrons_are_solved) {
    /* recipe, cauldron, then total, its profit, best profit; from everything
     * without limit */
    static const int rows[][5] = {
        {0, 19, 572, 2806, 2832},    {0, 37, 1848, 9912, 10887}, {10, 19, 570, 3639, 3675},
        {10, 28, 970, 11713, 11758}, {2, 8, 240, 463, 465},
    };
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        lu_error error = {LU_OK, ""};
        potion_task task = potion_task_of(rows[k][0], rows[k][1]);
        potion_brew brew;
        potion_proof proof;
        memset(task.stock + 1, POTION_ITEMS_MAX, POTION_INGREDIENTS);
        CHECK_INT(potion_solve_total(&task, &brew, &error), LU_OK);
        CHECK_INT(brew.mix.total, rows[k][2]);
        CHECK_INT(brew.profit, rows[k][3]);
        CHECK_INT(potion_prove_total(&task, &brew, 10000000, &proof, &error), LU_OK);
        CHECK(proof.proven);
        CHECK_INT(potion_solve_profit(&task, &brew, &error), LU_OK);
        CHECK_INT(brew.profit, rows[k][4]);
        CHECK(brew.optimal);
        CHECK_INT(brew.bound, brew.profit);
        CHECK_INT(potion_prove_profit(&task, &brew, 10000000, &proof, &error), LU_OK);
        CHECK(proof.proven);
    }
}

/* Stocks of the default task of the environment, 0 to 10 of everything. A few second proofs are too
 * long for a test. */
TEST(drawn_tasks_are_proven_twice) {
    enum { ROUNDS = 20, NODES = 1000000 };
    lu_rng rng = lu_rng_from(606);
    int proven = 0;
    for (int round = 0; round < ROUNDS; round++) {
        lu_error error = {LU_OK, ""};
        int recipe = (int)lu_rng_below(&rng, POTION_RECIPES);
        potion_task task = potion_task_of(recipe, (int)lu_rng_below(&rng, 20));
        potion_brew brew;
        potion_proof proof;
        for (int i = 1; i <= POTION_INGREDIENTS; i++) {
            task.stock[i] = (uint8_t)lu_rng_below(&rng, 11);
        }
        CHECK_INT(potion_solve_total(&task, &brew, &error), LU_OK);
        CHECK_INT(potion_prove_total(&task, &brew, NODES, &proof, &error), LU_OK);
        CHECK(brew.optimal && (proof.proven || proof.nodes > NODES));
        proven += proof.proven;
        CHECK_INT(potion_solve_profit(&task, &brew, &error), LU_OK);
        CHECK_INT(potion_prove_profit(&task, &brew, NODES, &proof, &error), LU_OK);
        CHECK(brew.optimal && (proof.proven || proof.nodes > NODES));
        proven += proof.proven;
    }
    CHECK(proven > ROUNDS);
}

/* The second proof finds out about answers that are not the best. */
TEST(a_wrong_answer_is_not_proven) {
    lu_error error = {LU_OK, ""};
    potion_task task = potion_task_of(1, 2);
    potion_brew brew, none;
    potion_proof proof;
    memset(task.stock + 1, POTION_ITEMS_MAX, POTION_INGREDIENTS);
    memset(&none, 0, sizeof none);
    CHECK_INT(potion_solve_profit(&task, &brew, &error), LU_OK);
    brew.profit--;
    CHECK_INT(potion_prove_profit(&task, &brew, 1000000, &proof, &error), LU_FAILED);
    CHECK(!proof.proven);
    brew.profit++;
    CHECK_INT(potion_prove_profit(&task, &brew, 10, &proof, &error), LU_OK);
    CHECK(!proof.proven); /* too few nodes */
    brew.mix.total -= 2;
    CHECK_INT(potion_prove_total(&task, &brew, 1000000, &proof, &error), LU_FAILED);
    CHECK_INT(potion_prove_total(&task, &none, 1000000, &proof, &error), LU_FAILED);
}

/* ---- limits ---- */

TEST(nothing_is_found_where_nothing_is) {
    lu_error error = {LU_OK, ""};
    potion_task task = potion_task_of(1, 2);
    potion_brew brew;
    CHECK_INT(potion_solve_total(&task, &brew, &error), LU_OK);
    CHECK(!brew.found && brew.optimal);
    task.stock[12] = 9; /* one magimin alone */
    CHECK_INT(potion_solve_profit(&task, &brew, &error), LU_OK);
    CHECK(!brew.found && brew.optimal);
}

/* One Pixiedust Diamond is in ratio, but one item is no potion. */
TEST(one_item_is_no_potion) {
    lu_error error = {LU_OK, ""};
    potion_task task = potion_task_of(1, 2);
    potion_brew brew;
    task.stock[8] = 1;
    CHECK_INT(potion_solve_total(&task, &brew, &error), LU_OK);
    CHECK(!brew.found);
    task.stock[2] = task.stock[3] = 1; /* 4 + 4: the same amounts from two items */
    task.max_magimins = 8;
    CHECK_INT(potion_solve_total(&task, &brew, &error), LU_OK);
    CHECK(brew.found);
    CHECK_INT(brew.mix.total, 8);
    CHECK_INT(brew.mix.items, 2);
}

TEST(a_limit_of_memory_is_told) {
    lu_error error = {LU_OK, ""};
    potion_task task = potion_task_of(14, 37);
    potion_brew brew;
    memset(task.stock + 1, POTION_ITEMS_MAX, POTION_INGREDIENTS);
    task.memory = 1 << 20;
    CHECK_INT(potion_solve_total(&task, &brew, &error), LU_LIMIT);
    CHECK_HAS(error.text, "MB");
}

/* With too little memory for the search an answer is the best one found, and says what is possible.
 */
TEST(without_memory_the_best_found_has_a_bound) {
    lu_error error = {LU_OK, ""};
    potion_task task = potion_task_of(10, 12);
    potion_brew best, brew;
    memset(task.stock + 1, POTION_ITEMS_MAX, POTION_INGREDIENTS);
    CHECK_INT(potion_solve_traits(&task, &best, &error), LU_OK);
    CHECK(best.optimal);
    task.memory = 6 << 20;
    CHECK_INT(potion_solve_traits(&task, &brew, &error), LU_OK);
    CHECK(brew.found && !brew.optimal);
    CHECK(brew.expected <= best.expected && brew.bound >= best.expected);
    CHECK(potion_brew_add_up(&task, &brew));
}

static bool stop(void *user) {
    (*(int *)user)++;
    return true;
}

TEST(a_solver_can_be_stopped) {
    lu_error error = {LU_OK, ""};
    potion_task task = potion_task_of(10, 28);
    potion_brew brew;
    int asked = 0;
    memset(task.stock + 1, POTION_ITEMS_MAX, POTION_INGREDIENTS);
    task.user = &asked;
    task.cancelled = stop;
    CHECK_INT(potion_solve_total(&task, &brew, &error), LU_INTERRUPTED);
    CHECK_INT(asked, 1);
}
