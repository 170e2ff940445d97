/* The sum tree: see sum_tree.h. */
#include "sum_tree.h"

size_t sum_tree_leaves(size_t count) {
    size_t leaves = 2; /* so that the root is no leaf */
    while (leaves < count) {
        leaves *= 2;
    }
    return leaves;
}

void sum_tree_set(sum_tree *tree, size_t leaf, double weight) {
    size_t at = tree->leaves + leaf;
    double *sum = tree->sum;
    if (sum[at] == weight) {
        return;
    }
    tree->used += (weight > 0.0) - (sum[at] > 0.0);
    sum[at] = weight;
    for (at /= 2; at > 0; at /= 2) {
        sum[at] = sum[2 * at] + sum[2 * at + 1];
    }
}

size_t sum_tree_find(const sum_tree *tree, double x) {
    const double *sum = tree->sum;
    size_t at = 1;
    while (at < tree->leaves) {
        at *= 2;
        /* x may lie a rounding beyond both: then the last leaf that counts */
        if (x >= sum[at] && sum[at + 1] > 0.0) {
            x -= sum[at];
            at++;
        }
    }
    return at - tree->leaves;
}

void sum_tree_build(sum_tree *tree) {
    double *sum = tree->sum;
    tree->used = 0;
    for (size_t at = 2 * tree->leaves - 1; at > 0; at--) {
        if (at >= tree->leaves) {
            tree->used += sum[at] > 0.0;
        } else {
            sum[at] = sum[2 * at] + sum[2 * at + 1];
        }
    }
}
