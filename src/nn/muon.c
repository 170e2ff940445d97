/* Muon's orthogonalisation by Newton-Schulz rounds: see kernels.h. X <- a X + (b A + c A A) X with
 * A = X X^T pushes every singular value of X towards 1; five rounds with coefficients of their own
 * bring values from 0.01 to 1 into about 0.7 .. 1.2, which is all the optimiser needs. All products
 * are dense-layer kernels: X X^T is a forward with X as weights, A A = A A^T too, B X is a back. */
#include "kernels.h"

#include "ludus/error.h"
#include "ludus/math.h"

static const float rounds[5][3] = {{4.0848f, -6.8946f, 2.9270f},
                                   {3.9505f, -6.3029f, 2.6377f},
                                   {3.7418f, -5.5913f, 2.3037f},
                                   {2.8769f, -3.1427f, 1.2046f},
                                   {2.8366f, -3.0525f, 1.2012f}};

/* The matrix is turned to be at most as high as wide: A has the smaller side. */
typedef struct muon_room {
    int low, high; /* sides */
    size_t x_stride, a_stride;
    float *x, *next, *a, *b, *packed;
    lu_pool *pool; /* NULL: products are not worth sharing */
} muon_room;

/* Rows of a product that one job does: few, so that threads end together, and a multiple of what
 * the kernels take at once. Rows do not touch each other: any cut gives the same bits. */
enum { STRIP = 24 };

/* Operations of a product below which waking threads costs more than it brings. */
static const double shared_work = 4e6;

static muon_room room_of(int rows, int cols, float *room) {
    muon_room m = {.low = rows < cols ? rows : cols, .high = rows < cols ? cols : rows};
    m.x_stride = lu_row_floats(m.high);
    m.a_stride = lu_row_floats(m.low);
    m.x = room;
    m.next = m.x + (size_t)m.low * m.x_stride;
    m.a = m.next + (size_t)m.low * m.x_stride;
    m.b = m.a + (size_t)m.low * m.a_stride;
    m.packed = m.b + (size_t)m.low * m.a_stride;
    return m;
}

size_t lu_muon_floats(int rows, int cols) {
    int low = rows < cols ? rows : cols, high = rows < cols ? cols : rows;
    size_t packed = lu_packed_floats(low, high), other = lu_packed_floats(high, low);
    return 2 * (size_t)low * (lu_row_floats(high) + lu_row_floats(low)) +
           (packed > other ? packed : other);
}

typedef struct product {
    const lu_kernels *k;
    int rows;
    lu_dense_forward forward; /* of all rows */
    lu_dense_back back;
} product;

static int strip_rows(const product *p, int index) {
    int left = p->rows - index * STRIP;
    return left < STRIP ? left : STRIP;
}

static void forward_strip(void *context, int index) {
    const product *p = context;
    lu_dense_forward call = p->forward;
    call.rows = strip_rows(p, index);
    call.x += (size_t)(index * STRIP) * call.x_stride;
    call.y += (size_t)(index * STRIP) * call.y_stride;
    p->k->forward(&call);
}

static void back_strip(void *context, int index) {
    const product *p = context;
    lu_dense_back call = p->back;
    call.rows = strip_rows(p, index);
    call.dy += (size_t)(index * STRIP) * call.dy_stride;
    call.dx += (size_t)(index * STRIP) * call.dx_stride;
    p->k->back(&call);
}

static void multiply(const muon_room *m, lu_pool_job *job, product *p) {
    p->rows = m->low;
    lu_pool_run(m->pool, job, p, (p->rows + STRIP - 1) / STRIP);
}

/* y = x x^T */
static void times_turned(const lu_kernels *k, const muon_room *m, const float *x, size_t stride,
                         int inner, float *y) {
    k->pack_forward(x, stride, m->low, inner, m->packed);
    multiply(m, forward_strip,
             &(product){.k = k,
                        .forward = {.in = inner,
                                    .out = m->low,
                                    .x = x,
                                    .x_stride = stride,
                                    .packed = m->packed,
                                    .y = y,
                                    .y_stride = m->a_stride}});
}

static void round_once(const lu_kernels *k, muon_room *m, const float *factor) {
    size_t square = (size_t)m->low * m->a_stride, whole = (size_t)m->low * m->x_stride;
    times_turned(k, m, m->x, m->x_stride, m->high, m->a);
    times_turned(k, m, m->a, m->a_stride, m->low, m->b);
    k->blend(factor[1], m->a, factor[2], m->b, square);
    k->pack_back(m->x, m->x_stride, m->low, m->high, m->packed);
    multiply(m, back_strip,
             &(product){.k = k,
                        .back = {.in = m->high,
                                 .out = m->low,
                                 .dy = m->b,
                                 .dy_stride = m->a_stride,
                                 .packed = m->packed,
                                 .dx = m->next,
                                 .dx_stride = m->x_stride}});
    k->blend(factor[0], m->x, 1.0f, m->next, whole);
    float *old = m->x;
    m->x = m->next;
    m->next = old;
}

void lu_muon_orthogonal(const lu_kernels *k, lu_pool *pool, float *g, size_t stride, int rows,
                        int cols, float *room) {
    LU_ASSERT(rows >= 1 && cols >= 1 && stride >= (size_t)cols);
    muon_room m = room_of(rows, cols, room);
    m.pool = 2.0 * m.low * m.low * m.high >= shared_work ? pool : NULL;
    bool turned = rows > cols;
    double sum = 0.0;
    for (int r = 0; r < rows; r++) {
        sum = sum + k->sum_squares(g + (size_t)r * stride, (size_t)cols);
    }
    /* by the Frobenius norm no singular value is above 1 */
    float scale = (float)(1.0 / (lu_sqrt(sum) + 1e-7));
    for (size_t i = 0; i < 2 * (size_t)m.low * (m.x_stride + m.a_stride); i++) {
        room[i] = 0.0f; /* padding is blended too */
    }
    for (int r = 0; r < rows; r++) {
        for (int c = 0; c < cols; c++) {
            size_t at =
                turned ? (size_t)c * m.x_stride + (size_t)r : (size_t)r * m.x_stride + (size_t)c;
            m.x[at] = g[(size_t)r * stride + (size_t)c] * scale;
        }
    }
    for (int i = 0; i < 5; i++) {
        round_once(k, &m, rounds[i]);
    }
    for (int r = 0; r < rows; r++) {
        for (int c = 0; c < cols; c++) {
            size_t at =
                turned ? (size_t)c * m.x_stride + (size_t)r : (size_t)r * m.x_stride + (size_t)c;
            g[(size_t)r * stride + (size_t)c] = m.x[at];
        }
    }
}
