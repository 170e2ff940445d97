/* The buffer of DQN: rings of steps, sums over n steps, and which of them the tree may draw. See
 * dqn_internal.h for the layout. */
#include "dqn_internal.h"

#include "ludus/algorithm.h"

#include <string.h>

void dqn_buffer_lay(dqn_buffer *r, train_taker *k) {
    size_t rows = (size_t)r->rows, all = rows * (size_t)r->slots;
    TRAIN_TAKE(k, r->observation, all * (size_t)r->observed);
    TRAIN_TAKE(k, r->legal, all * (size_t)r->mask);
    TRAIN_TAKE(k, r->force, all * (size_t)r->forced);
    TRAIN_TAKE(k, r->actions, all * (size_t)r->heads);
    TRAIN_TAKE(k, r->gain, all);
    TRAIN_TAKE(k, r->discount, all);
    TRAIN_TAKE(k, r->ahead, all);
    TRAIN_TAKE(k, r->kind, all);
    TRAIN_TAKE(k, r->written, rows);
    TRAIN_TAKE(k, r->ripe, rows);
    TRAIN_TAKE(k, r->tree_written, rows);
    TRAIN_TAKE(k, r->tree_ripe, rows);
    r->tree.leaves = sum_tree_leaves(all);
    TRAIN_TAKE(k, r->tree.sum, 2 * r->tree.leaves);
}

/* A step and a last observation at each step, and the steps that are not ripe yet. */
int dqn_buffer_least(int horizon, int steps) {
    return 2 * horizon + steps + 2;
}

/* Where the slot with this number, counted over all time, lies. */
static size_t slot_at(const dqn_buffer *r, int row, int64_t number) {
    return (size_t)row * (size_t)r->slots + (size_t)(number % r->slots);
}

void dqn_buffer_see(dqn_buffer *r, int row, const float *observation, const uint8_t *legal) {
    size_t at = slot_at(r, row, r->written[row]), n = (size_t)r->observed, mask = (size_t)r->mask;
    memcpy(r->observation + at * n, observation, n * sizeof *observation);
    memcpy(r->legal + at * mask, legal, mask);
}

void dqn_buffer_force(dqn_buffer *r, int row, const uint8_t *force) {
    size_t mask = (size_t)r->forced;
    uint8_t *to = r->force + slot_at(r, row, r->written[row]) * mask;
    if (force) {
        memcpy(to, force, mask);
    } else {
        memset(to, 1, mask);
    }
}

/* The oldest unripe step of a row gets its sum over `steps` steps. Sums in fp64. */
static void ripen(dqn_buffer *r, int row, int steps, bool terminated) {
    int64_t first = r->ripe[row]++;
    double gain = 0.0, discount = 1.0;
    for (int i = 0; i < steps; i++) {
        size_t at = slot_at(r, row, first + i);
        gain += discount * (double)r->gain[at];
        discount *= (double)r->discount[at];
    }
    size_t at = slot_at(r, row, first);
    r->gain[at] = (float)gain;
    r->discount[at] = terminated ? 0.0f : (float)discount;
    r->ahead[at] = (uint16_t)(terminated ? 0 : steps);
}

void dqn_buffer_act(dqn_buffer *r, int row, const int32_t *actions, float reward, float discount,
                    int ends) {
    int64_t number = r->written[row]++;
    size_t at = slot_at(r, row, number);
    for (int h = 0; h < r->heads; h++) {
        r->actions[at * (size_t)r->heads + (size_t)h] = (uint16_t)actions[h];
    }
    r->gain[at] = reward;
    r->discount[at] = discount;
    r->kind[at] = SLOT_STEP;
    /* the step n before now has this one as its next observation */
    if (number - r->ripe[row] >= r->steps) {
        ripen(r, row, r->steps, false);
    }
    while (ends && r->ripe[row] <= number) {
        ripen(r, row, (int)(number + 1 - r->ripe[row]), (ends & LU_END_TERMINATED) != 0);
    }
}

void dqn_buffer_cut(dqn_buffer *r, int row) {
    int64_t number = r->written[row]++;
    r->kind[slot_at(r, row, number)] = SLOT_LAST;
    r->ripe[row] = number + 1;
}

void dqn_buffer_note(dqn_buffer *r, double top) {
    for (int row = 0; row < r->rows; row++) {
        for (; r->tree_written[row] < r->written[row]; r->tree_written[row]++) {
            sum_tree_set(&r->tree, slot_at(r, row, r->tree_written[row]), 0.0);
        }
        for (; r->tree_ripe[row] < r->ripe[row]; r->tree_ripe[row]++) {
            size_t at = slot_at(r, row, r->tree_ripe[row]);
            if (r->kind[at] == SLOT_STEP) {
                sum_tree_set(&r->tree, at, top);
            }
        }
    }
}
