/* Tests of potions of a lowest class of stability, of pieces that are owned, and of the front of
 * size, cost and profit: against plain enumeration of thousands of drawn stocks. */
#include "solver/potion_solve_plain_test.h"

/* Any ingredients, often unwanted ones. */
static potion_task drawn_loose(lu_rng *rng, int most_kinds) {
    potion_task task = drawn_task(rng, most_kinds);
    if (lu_rng_below(rng, 3) > 0) {
        task.stock[1 + lu_rng_below(rng, POTION_INGREDIENTS)] = 2;
    }
    task.stability = POTION_UNSTABLE + (int32_t)lu_rng_below(rng, 4);
    return task;
}

/* Pieces that must be in or are owned, a budget, a lowest grade. */
static void draw_wishes(lu_rng *rng, int round, potion_task *task) {
    for (int i = 1; i <= POTION_INGREDIENTS; i++) {
        if (task->stock[i] > 0 && round % 2 == 0 && lu_rng_below(rng, 5) == 0) {
            task->must[i] = (uint8_t)(1 + lu_rng_below(rng, task->stock[i]));
        }
        if (task->stock[i] > 0 && round % 3 > 0) {
            task->owned[i] = (uint8_t)lu_rng_below(rng, task->stock[i] + 1u);
        }
    }
    task->budget = round % 3 == 0 ? 1 + (int32_t)lu_rng_below(rng, 300) : 0;
    task->least_grade = round % 5 == 0 ? (int32_t)lu_rng_below(rng, 16) : 0;
}

TEST(every_class_agrees_with_plain_enumeration) {
    lu_rng rng = lu_rng_from(7);
    int with = 0;
    for (int round = 0; round < share(600); round++) {
        potion_task task = drawn_loose(&rng, 6);
        with += compare(&task, round % 10 == 0 ? PLAIN_LISTS : PLAIN_POTIONS);
    }
    CHECK(with > share(250) && with < share(580));
}

TEST(wishes_and_classes_agree_with_plain_enumeration) {
    lu_rng rng = lu_rng_from(77);
    int with = 0;
    for (int round = 0; round < share(500); round++) {
        potion_task task = drawn_loose(&rng, 6);
        draw_wishes(&rng, round, &task);
        with += compare(&task, round % 10 == 0 ? PLAIN_LISTS : PLAIN_POTIONS);
    }
    CHECK(with > share(100) && with < share(500));
}

TEST(owned_pieces_agree_with_plain_enumeration) {
    lu_rng rng = lu_rng_from(777);
    int with = 0;
    for (int round = 0; round < share(1000); round++) {
        potion_task task = drawn_task(&rng, 8);
        draw_wishes(&rng, round, &task);
        with += compare(&task, PLAIN_LISTS);
    }
    CHECK(with > share(60) && with < share(900));
}

/* ---- the front of size, cost and profit ---- */

typedef struct sizes {
    const plain *p;
    int points, wrong;
} sizes;

static void on_size(void *user, const potion_brew *brew) {
    sizes *f = user;
    bool known = false;
    for (int32_t i = 0; i < f->p->point_count; i++) {
        plain_point point = f->p->points[i];
        known = known || (point.total == brew->mix.total && point.paid == brew->paid &&
                          point.profit == brew->profit);
    }
    f->points++;
    f->wrong += !known || !brew->optimal;
}

TEST(the_front_of_sizes_agrees_with_plain_enumeration) {
    enum { ROOM = 400 };
    lu_rng rng = lu_rng_from(8);
    plain_point room[ROOM];
    int most = 0;
    for (int round = 0; round < share(1500); round++) {
        lu_error error = {LU_OK, ""};
        static plain p;
        potion_task task = drawn_task(&rng, 8);
        bool complete;
        if (round % 2) {
            draw_wishes(&rng, round, &task);
        }
        p.points = room;
        p.points_room = ROOM;
        plain_solve(&p, &task);
        sizes f = {.p = &p};
        CHECK_INT(potion_solve_front_sizes(&task, on_size, &f, &complete, &error), LU_OK);
        CHECK(complete);
        CHECK_INT(f.wrong, 0);
        CHECK_INT(f.points, p.point_count);
        most = f.points > most ? f.points : most;
    }
    CHECK(most > 5);
}

/* ---- known answers ---- */

TEST(ordinary_shops_are_solved_in_every_class) {
    /* recipe, cauldron, shop, class, then total, its profit, best profit */
    static const int rows[][7] = {
        {1, 2, 1, POTION_PERFECT, 144, 222, 227},
        {1, 2, 1, POTION_STABLE, 160, 153, 227},
        {10, 12, 2, POTION_PERFECT, 274, 774, 808},
        {10, 12, 2, POTION_UNSTABLE, 275, 691, 808},
        {6, 17, 3, POTION_VERY_STABLE, 405, 1201, 1668},
    };
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        lu_error error = {LU_OK, ""};
        const int *row = rows[k];
        potion_task task = potion_task_of(row[0], row[1]);
        potion_brew brew;
        for (int i = 1; i <= potion_chapter_end[row[2]]; i++) {
            task.stock[i] = potion_ingredients[i].shop;
        }
        task.stability = row[3];
        CHECK_INT(potion_solve_total(&task, &brew, &error), LU_OK);
        CHECK(brew.optimal);
        CHECK_INT(brew.mix.total, row[4]);
        CHECK_INT(brew.profit, row[5]);
        CHECK_INT(potion_solve_profit(&task, &brew, &error), LU_OK);
        CHECK(brew.optimal);
        CHECK_INT(brew.profit, row[6]);
    }
}

static bool stop_at(void *user) {
    return --*(int *)user < 0;
}

/* Each search can be ended at any of its questions. */
TEST(every_question_can_be_stopped) {
    for (int after = 0; after < 40; after += 13) {
        lu_error error = {LU_OK, ""};
        potion_task task = potion_task_of(14, 28);
        potion_brew brew;
        int left = after;
        bool complete;
        sizes f = {.p = NULL};
        memset(task.stock + 1, POTION_ITEMS_MAX, POTION_INGREDIENTS);
        task.user = &left;
        task.cancelled = stop_at;
        CHECK_INT(potion_solve_front_sizes(&task, on_size, &f, &complete, &error), LU_INTERRUPTED);
        CHECK_INT(f.points, 0);
        task.stability = POTION_STABLE;
        left = after;
        CHECK_INT(potion_solve_total(&task, &brew, &error), LU_INTERRUPTED);
        left = after;
        CHECK_INT(potion_solve_profit(&task, &brew, &error), LU_INTERRUPTED);
    }
}
