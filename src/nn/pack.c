/* Weights into panels, once per update: see panel.h. Plain loops that read and write each weight
 * once; the same code for all levels. */
#include "kernels.h"

#include "float_math.h"
#include "panel.h"

static size_t padded(int n) {
    int whole = n / 32 * 32, rest = n - whole;
    return (size_t)(whole + (rest > 24 ? 32 : (rest + 7) / 8 * 8));
}

size_t lu_panel_floats(int n, int k) {
    return padded(n) * (size_t)k;
}
size_t lu_panel_bf16s(int n, int k) {
    return padded(n) * (((size_t)k + 1) / 2 * 2);
}

size_t lu_row_floats(int n) {
    return ((((size_t)n + 15) / 16) | 1) * 16;
}
size_t lu_row_bf16s(int n) {
    return ((((size_t)n + 31) / 32) | 1) * 32;
}

/* panels[step][column] of element (column, step) at w[column * by_column + step * by_step]. */
static void pack(const float *w, size_t by_column, size_t by_step, int n, int steps,
                 float *panels) {
    for (int j = 0; j < n;) {
        int width = lu_panel_width(n - j), count = n - j < width ? n - j : width;
        float *panel = panels + (size_t)j * (size_t)steps;
        for (int k = 0; k < steps; k++) {
            const float *from = w + (size_t)j * by_column + (size_t)k * by_step;
            float *to = panel + (size_t)k * (size_t)width;
            for (int i = 0; i < count; i++) {
                to[i] = from[(size_t)i * by_column];
            }
            for (int i = count; i < width; i++) {
                to[i] = 0.0f;
            }
        }
        j += width;
    }
}

static void pack_bf16(const float *w, size_t by_column, size_t by_step, int n, int steps,
                      uint16_t *panels) {
    int pairs = (steps + 1) / 2;
    for (int j = 0; j < n;) {
        int width = lu_panel_width(n - j), count = n - j < width ? n - j : width;
        uint16_t *panel = panels + (size_t)j * (size_t)pairs * 2;
        for (int k = 0; k < 2 * pairs; k++) {
            const float *from = w + (size_t)j * by_column + (size_t)k * by_step;
            uint16_t *to = panel + (size_t)(k / 2) * (size_t)width * 2 + (k & 1);
            int real = k < steps ? count : 0;
            for (int i = 0; i < real; i++) {
                to[2 * i] = (uint16_t)lu_bf16_from(from[(size_t)i * by_column]);
            }
            for (int i = real; i < width; i++) {
                to[2 * i] = 0;
            }
        }
        j += width;
    }
}

void lu_pack_forward(const float *w, size_t w_stride, int out, int in, float *panels) {
    pack(w, w_stride, 1, out, in, panels);
}

void lu_pack_back(const float *w, size_t w_stride, int out, int in, float *panels) {
    pack(w, 1, w_stride, in, out, panels);
}

void lu_pack_forward_bf16(const float *w, size_t w_stride, int out, int in, uint16_t *panels) {
    pack_bf16(w, w_stride, 1, out, in, panels);
}

void lu_pack_back_bf16(const float *w, size_t w_stride, int out, int in, uint16_t *panels) {
    pack_bf16(w, 1, w_stride, in, out, panels);
}
