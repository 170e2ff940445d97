/* A sum tree: leaves with a weight each, drawn in proportion to it. Every inner number is the sum
 * of its two children, made anew whenever one changes; hence the numbers follow from the leaves
 * alone, whatever the order of changes, and no error piles up.
 * Ownership: the caller owns the numbers. Threads: draws from any number, changes from one. */
#pragma once

#include <stddef.h>
#include <stdint.h>

typedef struct sum_tree {
    size_t leaves; /* a power of two */
    double *sum;   /* 2 x leaves: the root at 1, the children of i at 2i and 2i + 1 */
    int64_t used;  /* leaves above 0 */
} sum_tree;

/* Leaves of a tree for `count` weights; it has twice as many numbers. */
size_t sum_tree_leaves(size_t count);
/* A new weight, 0 or more; a step per level. */
void sum_tree_set(sum_tree *tree, size_t leaf, double weight);
/* The leaf at x in [0, total); never one of weight 0 unless all are. */
size_t sum_tree_find(const sum_tree *tree, double x);
/* All inner numbers anew, after the leaves were written. */
void sum_tree_build(sum_tree *tree);

static inline double sum_tree_at(const sum_tree *tree, size_t leaf) {
    return tree->sum[tree->leaves + leaf];
}

static inline double sum_tree_total(const sum_tree *tree) {
    return tree->sum[1];
}
