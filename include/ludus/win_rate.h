/* The win-rate predictor: a small net beside a policy (two hidden layers of 64, ReLU) that reads
 * the newest frame of a seat's own observation, normalised as the policy reads it, and says how
 * likely the seat wins. Plain loops in one order: the same bits on every processor and in WASM.
 * Ownership: the caller owns parameters, gradients and moments, blocks of lu_win_rate_count floats.
 * Threads: no state. */
#pragma once

#include "ludus/net.h"

LU_C_BEGIN

enum { LU_WIN_RATE_HIDDEN = 64, LU_WIN_RATE_TENSORS = 6 };

/* Parameters for an observation of so many numbers. */
size_t lu_win_rate_count(int numbers);
/* Their tensors as a model file has them: "win_rate.0.weight" [64, numbers], ... */
void lu_win_rate_tensors(int numbers, lu_tensor tensor[LU_WIN_RATE_TENSORS]);
/* First values; the same bits for the same seed. */
void lu_win_rate_init(float *parameters, int numbers, uint64_t seed);
/* A row as it is read: normalised by the first numbers of the normaliser, or as it is for NULL. */
void lu_win_rate_see(const lu_normaliser *normaliser, int numbers, const float *row, float *x);
/* Probability that the seat wins. */
double lu_win_rate_run(const float *parameters, int numbers, const float *x);
/* Adds the gradient of the cross-entropy against `won` (1, 0, or 0.5 for a draw) to `gradient`,
 * times scale. Returns the probability. */
double lu_win_rate_learn(const float *parameters, int numbers, const float *x, double won,
                         float scale, float *gradient);
/* Step number `step` (from 1) of Adam; zeroes the gradient. */
void lu_win_rate_step(float *parameters, int numbers, float *gradient, float *first, float *second,
                      int64_t step, double rate);

LU_C_END
