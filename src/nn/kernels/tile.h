/* The tile, written once for every vector family: R rows times V vectors of one product, held in
 * registers over the whole chain. Include after defining T (prefix of the family), TILE_LANES,
 * TILE_V (vectors per row), TILE_MAX (rows that the registers hold) and TILE_NAME; defines the
 * table TILE_NAME[kind][size]. Cost per step of the chain: R * V fused multiply-adds, V loads, R
 * broadcasts. Where another thread works on the same core, the instructions that it leaves room for
 * are the limit: so plain tiles have the broadcasts of every third row done by the multiply-adds.
 * Turned ones load and call too much for that. */

#define TILE_PASTE2(a, b) a##b
#define TILE_PASTE(a, b)  TILE_PASTE2(a, b)
#define TF(name)          TILE_PASTE(T, name)

/* Stores the sums; `change` is an expression of d (the sum) and y (the layer's output). */
#define TILE_STORE(change)                                                                         \
    do {                                                                                           \
        LU_UNROLL                                                                                  \
        for (int r = 0; r < R; r++) {                                                              \
            LU_UNROLL                                                                              \
            for (int v = 0; v < TILE_V; v++) {                                                     \
                const size_t at = (size_t)(v * TILE_LANES);                                        \
                TF(f) d = acc[r][v];                                                               \
                TF(_store)(c + (size_t)r * c_stride + at, change);                                 \
            }                                                                                      \
        }                                                                                          \
    } while (0)
#define TILE_Y TF(_load)(y + (size_t)r * y_stride + at)

LU_ALWAYS_INLINE void TILE_PASTE(TILE_NAME, _finish)(const int R, const bool plain,
                                                     const tile_job *job,
                                                     TF(f) acc[LU_TILE_ROWS][TILE_V]) {
    float *c = job->c;
    const float *y = job->y;
    const size_t c_stride = job->c_stride, y_stride = job->y_stride;
    if (plain && job->finish == FINISH_RELU) {
        TILE_STORE(TF(_relu)(d));
    } else if (plain && job->finish == FINISH_BACK_RELU) {
        TILE_STORE(TF(_back_relu)(d, TILE_Y));
    } else if (plain && job->finish == FINISH_BACK_TANH) {
        TILE_STORE(TF(_back_tanh)(d, TILE_Y));
    } else {
        TILE_STORE(d);
    }
}

#undef TILE_Y
#undef TILE_STORE

/* Outputs and activations may be far away: called now, they are here when the sums are done. */
LU_ALWAYS_INLINE void TILE_PASTE(TILE_NAME, _call)(const int R, const tile_job *job) {
    const bool reads = job->finish >= FINISH_BACK_RELU;
    const bool writes = job->start != job->c; /* else they have just been read */
    LU_UNROLL
    for (int r = 0; r < R; r++) {
        LU_UNROLL
        for (int v = 0; v < TILE_V; v++) {
            if (writes) {
                __builtin_prefetch(job->c + (size_t)r * job->c_stride + v * TILE_LANES, 1);
            }
            if (reads) {
                __builtin_prefetch(job->y + (size_t)r * job->y_stride + v * TILE_LANES, 0);
            }
        }
    }
}

/* R and the kind are constants at every call: the loops unroll and acc lives in registers. */
LU_ALWAYS_INLINE void TILE_PASTE(TILE_NAME, _rows)(const int R, const tile_kind kind,
                                                   const tile_job *job) {
    TF(f) acc[LU_TILE_ROWS][TILE_V];
    const bool dot = kind & TILE_DOT, turned = kind & TILE_TURNED;
    if (turned && job->fresh) {
        LU_UNROLL
        for (int r = 0; r < R; r++) {
            LU_UNROLL
            for (int v = 0; v < TILE_V; v++) {
                acc[r][v] = TF(_zero)();
            }
        }
    } else {
        LU_UNROLL
        for (int r = 0; r < R; r++) {
            LU_UNROLL
            for (int v = 0; v < TILE_V; v++) {
                size_t at = (size_t)r * (turned ? job->c_stride : job->start_stride);
                const float *from = turned ? job->c : job->start;
                acc[r][v] = turned || from ? TF(_load)(from + at + v * TILE_LANES) : TF(_zero)();
            }
        }
    }
    if (turned) {
        /* the sums of the next tile: far away, and needed before its first step */
        LU_UNROLL
        for (int r = 0; r < R; r++) {
            LU_UNROLL
            for (int v = 0; v < TILE_V; v++) {
                LU_CALL(job->c + (size_t)(R + r) * job->c_stride, (size_t)(v * TILE_LANES));
            }
        }
    } else if (job->steps >= LU_LONG) {
        TILE_PASTE(TILE_NAME, _call)(R, job);
    }
    const float *b = job->b;
    const size_t row = turned ? 1 : job->a_stride, step = turned ? job->a_stride : 1;
    /* three rows per pointer: base, base + row, base + 2 row are addresses of the instruction */
    const float *a0 = job->a, *a3 = a0 + 3 * row, *a6 = a3 + 3 * row, *a9 = a6 + 3 * row;
    for (int left = job->steps; left > 0; left -= LU_LINE) {
        int chunk = left < LU_LINE ? left : LU_LINE;
        LU_UNROLL
        for (int r = 0; r < R; r++) {
            if (!turned && job->ahead) {
                const float *base = r < 3 ? a0 : r < 6 ? a3 : r < 9 ? a6 : a9;
                LU_CALL(base + (size_t)(r % 3) * row, job->ahead);
            }
        }
        LU_UNROLL_STEPS
        for (int k = 0; k < chunk; k++) {
            TF(f) w[TILE_V];
            LU_UNROLL
            for (int v = 0; v < TILE_V; v++) {
                w[v] = TF(_load)(b + v * TILE_LANES);
            }
            LU_UNROLL
            for (int r = 0; r < R; r++) {
                const float *base = r < 3 ? a0 : r < 6 ? a3 : r < 9 ? a6 : a9;
                const float *at = turned ? a0 + r : base + (size_t)(r % 3) * row;
                TF(f) x = TF(_all)(at);
                LU_UNROLL
                for (int v = 0; v < TILE_V; v++) {
                    acc[r][v] = dot                   ? TF(_dot)(x, w[v], acc[r][v])
                                : turned || r % 3 > 0 ? TF(_fma)(x, w[v], acc[r][v])
                                                      : TF(_fma_all)(at, w[v], acc[r][v]);
                }
            }
            if (turned) {
                LU_CALL(a0, LU_AHEAD * job->a_stride);
                LU_CALL(b, LU_AHEAD * job->b_stride);
                if (TILE_V * TILE_LANES > LU_LINE) {
                    LU_CALL(b, LU_AHEAD * job->b_stride + LU_LINE);
                }
            }
            b += job->b_stride;
            a0 += step;
            a3 += step;
            a6 += step;
            a9 += step;
        }
    }
    TILE_PASTE(TILE_NAME, _finish)(R, !turned, job, acc);
}

/* Sizes above TILE_MAX are empty and never called. */
#define TILE_CASE(kind, rows)                                                                      \
    static __attribute__((noinline)) void TILE_PASTE(TILE_NAME, TILE_PASTE(_##kind##_, rows))(     \
        const tile_job *job) {                                                                     \
        if (rows <= TILE_MAX) {                                                                    \
            TILE_PASTE(TILE_NAME, _rows)(rows, kind, job);                                         \
        }                                                                                          \
    }
#define TILE_CASES(kind)                                                                           \
    TILE_CASE(kind, 12)                                                                            \
    TILE_CASE(kind, 8) TILE_CASE(kind, 6) TILE_CASE(kind, 4) TILE_CASE(kind, 2) TILE_CASE(kind, 1)
TILE_CASES(TILE_PLAIN)
TILE_CASES(TILE_DOT)
TILE_CASES(TILE_TURNED)
TILE_CASES(TILE_TURNED_DOT)

#define TILE_ENTRY(kind)                                                                           \
    [kind] = {TILE_PASTE(TILE_NAME, _##kind##_12), TILE_PASTE(TILE_NAME, _##kind##_8),             \
              TILE_PASTE(TILE_NAME, _##kind##_6),  TILE_PASTE(TILE_NAME, _##kind##_4),             \
              TILE_PASTE(TILE_NAME, _##kind##_2),  TILE_PASTE(TILE_NAME, _##kind##_1)}
static tile_function *const TILE_NAME[TILE_KINDS][TILE_SIZES] = {
    TILE_ENTRY(TILE_PLAIN), TILE_ENTRY(TILE_DOT), TILE_ENTRY(TILE_TURNED),
    TILE_ENTRY(TILE_TURNED_DOT)};

#undef TILE_ENTRY
#undef TILE_CASES
#undef TILE_CASE
#undef TF
#undef TILE_PASTE
#undef TILE_PASTE2
#undef TILE_NAME
#undef TILE_V
#undef TILE_MAX
#undef TILE_LANES
#undef T
