/* The observation normaliser: running moments in fp64, added row by row (Welford), so that the
 * result depends on the order of the rows and on nothing else; frozen copies for inference. */
#include "net_internal.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

void lu_normaliser_init(lu_normaliser *normaliser, int length) {
    assert(length >= 0);
    size_t n = (size_t)length + 1;
    *normaliser = (lu_normaliser){
        .length = length,
        .mean = lu_alloc_zero(n, sizeof(double)),
        .square = lu_alloc_zero(n, sizeof(double)),
        .shift = lu_alloc_zero(n, sizeof(float)),
        .scale = lu_alloc_zero(n, sizeof(float)),
        .clip = 10.0f,
    };
    lu_normaliser_freeze(normaliser);
}

void lu_normaliser_free(lu_normaliser *normaliser) {
    free(normaliser->mean);
    free(normaliser->square);
    free(normaliser->shift);
    free(normaliser->scale);
    *normaliser = (lu_normaliser){0};
}

void lu_normaliser_add(lu_normaliser *normaliser, int rows, const float *x, size_t stride) {
    double *restrict mean = normaliser->mean, *restrict square = normaliser->square;
    for (int r = 0; r < rows; r++) {
        const float *restrict row = x + (size_t)r * stride;
        normaliser->count += 1.0;
        double share = 1.0 / normaliser->count;
        for (int i = 0; i < normaliser->length; i++) {
            double delta = (double)row[i] - mean[i];
            mean[i] += delta * share;
            square[i] += delta * ((double)row[i] - mean[i]);
        }
    }
}

bool lu_normaliser_varies(const lu_normaliser *normaliser, int number) {
    return normaliser->count > 1.0 && normaliser->square[number] / normaliser->count > 1e-8;
}

/* A number that has not varied yet is shifted and not scaled: a division by almost nothing would
 * throw its first change to the clip. */
void lu_normaliser_freeze(lu_normaliser *normaliser) {
    for (int i = 0; i < normaliser->length; i++) {
        double variance = normaliser->count > 1.0 ? normaliser->square[i] / normaliser->count : 0.0;
        normaliser->shift[i] = (float)normaliser->mean[i];
        normaliser->scale[i] = variance > 1e-8 ? (float)(1.0 / sqrt(variance)) : 1.0f;
    }
}

void lu_normaliser_sums(const lu_normaliser *normaliser, const lu_net *net, int rows,
                        const float *x, size_t stride, double *sum, double *square) {
    net->k->moments(x, stride, rows, normaliser->shift, normaliser->length, sum, square);
}
