/* Tests of the solver: against plain enumeration of all mixes of thousands of
 * drawn stocks, on the largest cauldrons against known answers, and at its
 * limits. */
#include "solver/potion_solve_internal.h"
#include "solver/potion_solve_plain_test.h"

#include <stdlib.h>
#include <string.h>

TEST(the_solver_agrees_with_plain_enumeration) {
    lu_rng rng = lu_rng_from(6);
    int with = 0;
    for (int round = 0; round < share(2000); round++) {
        potion_task task = drawn_task(&rng, 9);
        with += compare(&task, PLAIN_LISTS);
    }
    CHECK(with > share(500) && with < share(1950));
}

/* Pieces that must be in, a budget, a lowest grade. */
TEST(what_else_is_asked_for_agrees_with_plain_enumeration) {
    lu_rng rng = lu_rng_from(66);
    int with = 0;
    for (int round = 0; round < share(2000); round++) {
        potion_task task = drawn_task(&rng, 9);
        for (int i = 1; i <= POTION_INGREDIENTS && round % 2 == 0; i++) {
            if (task.stock[i] > 0 && lu_rng_below(&rng, 4) == 0) {
                task.must[i] = (uint8_t)(1 + lu_rng_below(&rng, task.stock[i]));
            }
        }
        task.budget = round % 3 == 0 ? 1 + (int32_t)lu_rng_below(&rng, 300) : 0;
        task.least_grade = round % 5 == 0 ? (int32_t)lu_rng_below(&rng, 16) : 0;
        with += compare(&task, PLAIN_LISTS);
    }
    CHECK(with > share(200) && with < share(1500));
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

/* Without room for tables branch and bound answers, and what it did not rule out is told. */
TEST(without_tables_the_best_found_has_bounds) {
    lu_error error = {LU_OK, ""};
    potion_task task = potion_task_of(10, 28);
    potion_brew total, profit;
    memset(task.stock + 1, POTION_ITEMS_MAX, POTION_INGREDIENTS);
    task.memory = 1 << 20;
    CHECK_INT(potion_solve_total(&task, &total, &error), LU_OK);
    CHECK_INT(potion_solve_profit(&task, &profit, &error), LU_OK);
    CHECK(total.found && profit.found);
    CHECK(total.mix.total <= 970 && total.total_bound >= 970);
    CHECK(!total.optimal || total.mix.total == 970);
    CHECK(profit.profit <= 11758 && profit.bound >= 11758);
    CHECK(potion_brew_add_up(&task, &total) && potion_brew_add_up(&task, &profit));
}

/* Small tasks are even proven without tables. */
TEST(without_tables_small_tasks_are_solved) {
    lu_rng rng = lu_rng_from(16);
    int with = 0;
    for (int round = 0; round < share(200); round++) {
        lu_error error = {LU_OK, ""};
        static plain p;
        potion_task task = drawn_task(&rng, 6);
        potion_brew total, profit, traits;
        task.memory = 1;
        task.stability = (int32_t)lu_rng_below(&rng, POTION_CODES);
        plain_solve(&p, &task);
        CHECK_INT(potion_solve_total(&task, &total, &error), LU_OK);
        CHECK_INT(potion_solve_profit(&task, &profit, &error), LU_OK);
        CHECK_INT(potion_solve_traits(&task, &traits, &error), LU_OK);
        CHECK(total.found == p.found && profit.found == p.found && traits.found == p.found);
        if (p.found) {
            CHECK(total.mix.total <= p.total && total.total_bound >= p.total);
            CHECK(!total.optimal || total.profit == p.total_profit);
            CHECK(profit.profit <= p.profit && profit.bound >= p.profit);
            CHECK(traits.expected <= p.expected + 1e-6 && traits.bound >= p.expected - 1e-6);
            CHECK(potion_brew_add_up(&task, &total) && potion_brew_add_up(&task, &profit));
            with++;
        }
    }
    CHECK(with > share(50) && with < share(200));
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

static potion_task gratis_task(int recipe, int cauldron) {
    potion_task task = potion_task_of(recipe, cauldron);
    memset(task.stock + 1, POTION_ITEMS_MAX, POTION_INGREDIENTS);
    memcpy(task.owned, task.stock, sizeof task.owned);
    return task;
}

/* Where nothing costs anything, thousands of mixes are equally good: one is enough. */
TEST(pieces_for_nothing_are_solved_at_once) {
    lu_error error = {LU_OK, ""};
    potion_task task = gratis_task(10, 28);
    potion_brew brew;
    solve_job *job = lu_alloc(sizeof *job);
    int64_t work = 20000;
    memset(&brew, 0, sizeof brew);
    brew.optimal = true;
    CHECK(solve_job_init(job, &task));
    job->work = &work;
    CHECK_INT(solve_exact(job, true, &brew, &error), LU_OK);
    CHECK(brew.found && brew.optimal && work >= 0);
    CHECK_INT(brew.profit, 6 * potion_prices[10][POTION_GRADES - 1]);
    CHECK(potion_brew_add_up(&task, &brew));
    free(job);
}

/* What the work does not suffice for is told: with bounds around the best potion. */
TEST(work_that_ends_leaves_bounds) {
    static const int64_t rows[] = {0, 100, 1000};
    potion_task task = potion_task_of(10, 12);
    potion_brew best;
    lu_error error = {LU_OK, ""};
    solve_job *job = lu_alloc(sizeof *job);
    int unproven = 0;
    memset(task.stock + 1, 3, POTION_INGREDIENTS);
    CHECK_INT(potion_solve_profit(&task, &best, &error), LU_OK);
    CHECK(best.found && best.optimal);
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        int64_t work = rows[k];
        potion_brew brew = {.optimal = true};
        CHECK(solve_job_init(job, &task));
        job->work = &work;
        CHECK_INT(solve_exact(job, true, &brew, &error), LU_OK);
        CHECK(brew.found && brew.profit <= best.profit && brew.bound >= best.profit);
        CHECK(!brew.optimal || brew.profit == best.profit);
        CHECK(potion_brew_add_up(&task, &brew));
        unproven += !brew.optimal;
    }
    CHECK(unproven > 0);
    free(job);
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
