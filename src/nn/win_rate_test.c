/* The win-rate predictor: its gradient is that of the cross-entropy, and it learns. */
#include "ludus/win_rate.h"

#include "test.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { NUMBERS = 13 };

static double loss_of(const float *parameters, const float *x, double won) {
    double p = lu_win_rate_run(parameters, NUMBERS, x);
    return -won * log(p) - (1 - won) * log(1 - p);
}

TEST(win_rate_gradient_is_that_of_the_cross_entropy) {
    static const double outcomes[] = {1, 0, 0.5};
    size_t count = lu_win_rate_count(NUMBERS), checked = 0;
    float *parameters = calloc(count, sizeof(float)), *gradient = calloc(count, sizeof(float));
    float x[NUMBERS];
    lu_win_rate_init(parameters, NUMBERS, 3);
    lu_rng rng = lu_rng_from(4);
    for (size_t i = 0; i < count; i++) {
        parameters[i] += 0.2f * (float)(lu_rng_unit(&rng) - 0.5);
    }
    for (int o = 0; o < 3; o++) {
        for (int i = 0; i < NUMBERS; i++) {
            x[i] = (float)lu_rng_unit(&rng) - 0.5f;
        }
        memset(gradient, 0, count * sizeof *gradient);
        lu_win_rate_learn(parameters, NUMBERS, x, outcomes[o], 2.0f, gradient);
        for (size_t i = 0; i < count; i += 7) {
            const float step = 1e-3f;
            float was = parameters[i];
            parameters[i] = was + step;
            double up = loss_of(parameters, x, outcomes[o]);
            parameters[i] = was - step;
            double down = loss_of(parameters, x, outcomes[o]);
            parameters[i] = was;
            CHECK_NEAR((double)gradient[i], (up - down) / (double)step, 2e-3);
            checked += fabs((double)gradient[i]) > 0.01;
        }
    }
    CHECK(checked > 100);
    free(parameters);
    free(gradient);
}

TEST(win_rate_learns_a_probability) {
    size_t count = lu_win_rate_count(1);
    float *block = calloc(4 * count, sizeof(float));
    lu_win_rate_init(block, 1, 1);
    lu_rng rng = lu_rng_from(2);
    for (int64_t step = 1; step <= 600; step++) {
        for (int i = 0; i < 64; i++) {
            float x = (float)lu_rng_below(&rng, 3) - 1.0f;
            bool won = lu_rng_unit(&rng) < 0.5 + 0.4 * (double)x;
            lu_win_rate_learn(block, 1, &x, won, 1.0f / 64, block + count);
        }
        lu_win_rate_step(block, 1, block + count, block + 2 * count, block + 3 * count, step, 1e-3);
    }
    for (int x = -1; x <= 1; x++) {
        float seen = (float)x;
        CHECK_NEAR(lu_win_rate_run(block, 1, &seen), 0.5 + 0.4 * x, 0.05);
    }
    free(block);
}

TEST(win_rate_tensors_fill_the_block) {
    lu_tensor tensor[LU_WIN_RATE_TENSORS];
    size_t at = 0;
    lu_win_rate_tensors(NUMBERS, tensor);
    for (int t = 0; t < LU_WIN_RATE_TENSORS; t++) {
        CHECK_INT(tensor[t].offset, at);
        at += tensor[t].count;
    }
    CHECK_INT(at, lu_win_rate_count(NUMBERS));
    CHECK_INT(at, NUMBERS * 64 + 64 + 64 * 64 + 64 + 64 * 2 + 2);
}
