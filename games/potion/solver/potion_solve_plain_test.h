/* Plain enumeration of all mixes of a small stock, for the tests of the solver: every answer as the
 * rules tell it, in words and without any trick. Ownership: the caller's storage. Threads: none. */
#pragma once

#include "solver/potion_solve.h"
#include "test.h"

#include "ludus/rng.h"

#include <stdlib.h>
#include <string.h>

/* So many of `all` stocks are drawn: a quarter, or all of them with LUDUS_TEST_LONG=1. */
static int share(int all) {
    return getenv("LUDUS_TEST_LONG") ? all : all / 4;
}

enum { PLAIN_COSTS = 8000, PLAIN_NOTHING = -1000000, PLAIN_TOP = 7 };

/* What one mix is. */
typedef struct plain_point {
    int32_t total, paid, profit;
} plain_point;

typedef struct plain {
    const potion_task *task;
    int kind[16], count;
    bool found;
    int32_t total, total_profit, profit, paid; /* the answers; the least that is paid */
    double expected;
    uint8_t pieces[POTION_ACTIONS];
    int32_t top[PLAIN_TOP], tops; /* the largest profits of different mixes */
    int32_t by_cost[PLAIN_COSTS]; /* largest profit of what costs exactly this */
    plain_point *points;          /* of all mixes that no other one makes needless; or NULL */
    int32_t point_count, points_room;
} plain;

/* The rule in words: the largest total that has a sense decides it. */
static inline double plain_traits(const uint8_t *pieces) {
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

static inline int plain_code(const potion_task *task, const potion_mix *mix) {
    static const double limits[] = {0.0025, 0.0525, 0.1525, 0.2525};
    double error = 0.0;
    for (int m = 0; m < POTION_MAGIMINS; m++) {
        double share = (double)mix->amount[m] / (double)mix->total;
        double off = share - (double)potion_parts[task->recipe][m] /
                                 (double)potion_parts[task->recipe][POTION_PARTS_SUM];
        error += off > 0.0 ? off : 0.0;
    }
    for (int k = 0; k < 4; k++) {
        if (error <= limits[k] + 1e-9) {
            return POTION_PERFECT - k;
        }
    }
    return POTION_CANNOT_BREW;
}

/* Keeps what no other mix makes needless. */
static inline void plain_keep(plain *p, plain_point made) {
    int32_t kept = 0;
    for (int32_t i = 0; i < p->point_count; i++) {
        plain_point old = p->points[i];
        if (old.total >= made.total && old.paid <= made.paid && old.profit >= made.profit) {
            return;
        }
    }
    for (int32_t i = 0; i < p->point_count; i++) {
        plain_point old = p->points[i];
        if (!(made.total >= old.total && made.paid <= old.paid && made.profit >= old.profit)) {
            p->points[kept++] = old;
        }
    }
    p->point_count = kept;
    NEED(p->point_count < p->points_room);
    p->points[p->point_count++] = made;
}

static inline void plain_take(plain *p, const potion_mix *mix) {
    static const int shifts[] = {0, -1, 0, 1, 2};
    int32_t all, wanted, paid = 0;
    if (mix->items < 2) {
        return;
    }
    potion_distances(mix->amount, mix->total, p->task->recipe, &all, &wanted);
    int code = plain_code(p->task, mix);
    int grade = potion_grade_after(potion_raw_grade(mix->total), shifts[code]);
    for (int k = 0; k < p->count; k++) {
        int action = p->kind[k], bought = p->pieces[action] - p->task->owned[action];
        paid += bought > 0 ? bought * potion_adds[action][POTION_ADDS_PRICE] : 0;
    }
    bool stable = p->task->stability > 0 ? code >= p->task->stability : all == 0;
    if (!stable || grade < p->task->least_grade ||
        (p->task->budget > 0 && paid > p->task->budget)) {
        return;
    }
    int32_t price = potion_prices[p->task->recipe][grade], brewed = potion_brewed(mix->items);
    int32_t profit = brewed * price - paid;
    double expected = brewed * potion_unit_value(price, plain_traits(p->pieces), 0.0) - paid;
    if (!p->found || expected > p->expected) {
        p->expected = expected;
    }
    if (!p->found || paid < p->paid) {
        p->paid = paid;
    }
    int at = p->tops < PLAIN_TOP ? p->tops++ : PLAIN_TOP;
    for (; at > 0 && p->top[at - 1] < profit; at--) {
        if (at < PLAIN_TOP) {
            p->top[at] = p->top[at - 1];
        }
    }
    if (at < PLAIN_TOP) {
        p->top[at] = profit;
    }
    if (profit > p->by_cost[paid]) {
        p->by_cost[paid] = profit;
    }
    if (p->points) {
        plain_keep(p, (plain_point){mix->total, paid, profit});
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

static inline void plain_walk(plain *p, int at, potion_mix mix) {
    if (at == p->count) {
        plain_take(p, &mix);
        return;
    }
    int action = p->kind[at];
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

/* All answers; p->points may hold room for the front of size, cost and profit. */
static inline void plain_solve(plain *p, const potion_task *task) {
    plain_point *points = p->points;
    int32_t points_room = p->points_room;
    memset(p, 0, sizeof *p);
    p->points = points;
    p->points_room = points_room;
    p->task = task;
    for (int c = 0; c < PLAIN_COSTS; c++) {
        p->by_cost[c] = PLAIN_NOTHING;
    }
    for (int i = 1; i <= POTION_INGREDIENTS; i++) {
        if (task->stock[i] > 0) {
            p->kind[p->count++] = i;
        }
    }
    plain_walk(p, 0, (potion_mix){.items = 0});
}

/* Up to so many ingredients, mostly of the recipe's magimins, one to four pieces
 * each. */
static inline potion_task drawn_task(lu_rng *rng, int most_kinds) {
    static const int cauldrons[] = {0, 1, 2, 4, 6, 10, 13, 16, 17};
    int recipe = (int)lu_rng_below(rng, POTION_RECIPES);
    potion_task task = potion_task_of(recipe, cauldrons[lu_rng_below(rng, 9)]);
    int kinds = 3 + (int)lu_rng_below(rng, (uint32_t)most_kinds - 2);
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

static inline bool next_point(front *f) {
    while (--f->cost >= 0) {
        bool is_point = f->p->by_cost[f->cost] > PLAIN_NOTHING;
        for (int32_t c = 0; c < f->cost && is_point; c++) {
            is_point = f->p->by_cost[c] < f->p->by_cost[f->cost];
        }
        if (is_point) {
            return true;
        }
    }
    return false;
}

static inline void on_point(void *user, const potion_brew *brew) {
    front *f = user;
    bool due = next_point(f);
    f->points++;
    f->wrong +=
        !due || brew->paid != f->cost || brew->profit != f->p->by_cost[f->cost] || !brew->optimal;
}

static inline void compare_front(const potion_task *task, const plain *p) {
    lu_error error = {LU_OK, ""};
    front f = {.p = p, .cost = PLAIN_COSTS};
    CHECK_INT(potion_solve_front(task, on_point, &f, &error), LU_OK);
    CHECK_INT(f.wrong, 0);
    CHECK(!next_point(&f));
}

static inline void compare_top(const potion_task *task, const plain *p) {
    lu_error error = {LU_OK, ""};
    potion_brew brews[PLAIN_TOP];
    int32_t count;
    CHECK_INT(potion_solve_top(task, PLAIN_TOP, 100000000, brews, &count, &error), LU_OK);
    CHECK_INT(count, p->tops);
    for (int32_t k = 0; k < count; k++) {
        CHECK_INT(brews[k].profit, p->top[k]);
        CHECK(potion_brew_add_up(task, &brews[k]));
        for (int32_t j = 0; j < k; j++) {
            CHECK(memcmp(brews[j].pieces, brews[k].pieces, sizeof brews[k].pieces) != 0);
        }
    }
}

/* How much of a task is compared: lists take longer. */
typedef enum plain_scope { PLAIN_POTIONS, PLAIN_LISTS } plain_scope;

/* All answers of a task against enumeration; returns whether there is a potion. */
static inline bool compare(const potion_task *task, plain_scope scope) {
    lu_error error = {LU_OK, ""};
    potion_brew total, profit, traits, purchase;
    potion_proof first, second;
    static plain p;
    p.points = NULL;
    plain_solve(&p, task);
    CHECK_INT(potion_solve_total(task, &total, &error), LU_OK);
    CHECK_INT(potion_solve_profit(task, &profit, &error), LU_OK);
    CHECK_INT(potion_solve_traits(task, &traits, &error), LU_OK);
    CHECK_INT(potion_solve_purchase(task, &purchase, &error), LU_OK);
    CHECK_INT(total.found, p.found);
    CHECK_INT(profit.found, p.found);
    CHECK_INT(traits.found, p.found);
    CHECK_INT(purchase.found, p.found);
    CHECK(total.optimal && profit.optimal && traits.optimal && purchase.optimal);
    if (scope == PLAIN_LISTS) {
        CHECK_INT(potion_prove_total(task, &total, 100000000, &first, &error), LU_OK);
        CHECK_INT(potion_prove_profit(task, &profit, 100000000, &second, &error), LU_OK);
        CHECK(first.proven && second.proven);
        compare_front(task, &p);
        compare_top(task, &p);
    }
    if (p.found && total.found && profit.found && traits.found && purchase.found) {
        CHECK_INT(total.mix.total, p.total);
        CHECK_INT(total.profit, p.total_profit);
        CHECK_INT(total.total_bound, p.total);
        CHECK_INT(profit.profit, p.profit);
        CHECK_INT(profit.bound, p.profit);
        CHECK_NEAR(traits.expected, p.expected, 1e-6);
        CHECK_INT(purchase.paid, p.paid);
        CHECK(potion_brew_add_up(task, &total) && potion_brew_add_up(task, &profit));
        CHECK(potion_brew_add_up(task, &traits) && potion_brew_add_up(task, &purchase));
    }
    return p.found;
}
