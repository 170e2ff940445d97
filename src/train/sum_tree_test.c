/* The sum tree against sums and a search over a plain list. */
#include "sum_tree.h"

#include "ludus/rng.h"

#include "test.h"

#include <stdlib.h>

enum { MOST = 300 };

static sum_tree make_tree(size_t count) {
    sum_tree tree = {.leaves = sum_tree_leaves(count)};
    tree.sum = calloc(2 * tree.leaves, sizeof *tree.sum);
    return tree;
}

/* First place whose running sum is above x. Whole numbers as weights: every sum is exact. */
static size_t naive_find(const double *weight, size_t count, double x) {
    double sum = 0.0;
    for (size_t i = 0; i < count; i++) {
        sum += weight[i];
        if (x < sum) {
            return i;
        }
    }
    return count;
}

TEST(leaves_are_a_power_of_two) {
    static const struct {
        size_t count, leaves;
    } cases[] = {{1, 2}, {2, 2}, {3, 4}, {64, 64}, {65, 128}, {1000000, 1048576}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        CHECK_INT(sum_tree_leaves(cases[i].count), cases[i].leaves);
    }
}

TEST(draws_agree_with_a_plain_list) {
    static const size_t counts[] = {1, 2, 3, 7, 64, 65, MOST};
    lu_rng rng = lu_rng_from(5);
    for (size_t c = 0; c < sizeof counts / sizeof counts[0]; c++) {
        size_t count = counts[c];
        double weight[MOST] = {0};
        sum_tree tree = make_tree(count);
        for (int round = 0; round < 400; round++) {
            size_t leaf = lu_rng_below(&rng, (uint32_t)count);
            weight[leaf] = lu_rng_below(&rng, 3) ? (double)lu_rng_below(&rng, 100) : 0.0;
            sum_tree_set(&tree, leaf, weight[leaf]);
            double total = 0.0;
            int64_t used = 0;
            for (size_t i = 0; i < count; i++) {
                total += weight[i];
                used += weight[i] > 0.0;
            }
            CHECK(sum_tree_total(&tree) == total);
            CHECK_INT(tree.used, used);
            for (int draw = 0; draw < 20 && total > 0.0; draw++) {
                double x = lu_rng_unit(&rng) * total;
                CHECK_INT(sum_tree_find(&tree, x), naive_find(weight, count, x));
            }
        }
        free(tree.sum);
    }
}

/* Weights whose sums round, and draws at and beyond the end of the sum. */
TEST(a_leaf_without_weight_is_never_drawn) {
    lu_rng rng = lu_rng_from(6);
    sum_tree tree = make_tree(MOST);
    for (int round = 0; round < 2000; round++) {
        size_t leaf = lu_rng_below(&rng, MOST);
        double size = lu_rng_unit(&rng);
        sum_tree_set(&tree, leaf, round % 3 ? 0.0 : size * size * 1e-3 + (round % 7 ? 0.0 : 1e6));
        double total = sum_tree_total(&tree);
        for (int draw = 0; draw < 10 && total > 0.0; draw++) {
            double x = draw == 0 ? 0.0 : draw == 1 ? total * 1.0000001 : lu_rng_unit(&rng) * total;
            CHECK(sum_tree_at(&tree, sum_tree_find(&tree, x)) > 0.0);
        }
    }
    free(tree.sum);
}

TEST(the_sums_follow_from_the_leaves_alone) {
    lu_rng rng = lu_rng_from(7);
    sum_tree tree = make_tree(MOST), again = make_tree(MOST);
    for (int round = 0; round < 5000; round++) {
        sum_tree_set(&tree, lu_rng_below(&rng, MOST), lu_rng_unit(&rng) - 0.2 > 0.0 ? 0.1 : 0.0);
        sum_tree_set(&tree, lu_rng_below(&rng, MOST), lu_rng_unit(&rng));
    }
    for (size_t i = 0; i < MOST; i++) {
        again.sum[again.leaves + i] = sum_tree_at(&tree, i);
    }
    sum_tree_build(&again);
    CHECK(memcmp(tree.sum, again.sum, 2 * tree.leaves * sizeof *tree.sum) == 0);
    CHECK_INT(again.used, tree.used);
    free(tree.sum);
    free(again.sum);
}

/* A leaf of weight w is drawn in w of the sum. */
TEST(draws_have_the_shares_of_their_weights) {
    enum { DRAWS = 100000 };
    static const double weight[] = {1, 0, 3, 0.5, 0, 5.5};
    int seen[6] = {0};
    sum_tree tree = make_tree(6);
    lu_rng rng = lu_rng_from(8);
    for (size_t i = 0; i < 6; i++) {
        sum_tree_set(&tree, i, weight[i]);
    }
    for (int i = 0; i < DRAWS; i++) {
        seen[sum_tree_find(&tree, ((double)i + lu_rng_unit(&rng)) / DRAWS * 10.0)]++;
    }
    for (size_t i = 0; i < 6; i++) {
        CHECK_NEAR((double)seen[i] / DRAWS, weight[i] / 10.0, 2e-5);
    }
    free(tree.sum);
}
