/* Parts of a training and the sum of their gradients: see trainer.h. A minibatch leaves a gradient
 * per shard. They are added in one tree, which the size of a minibatch and the number of parts
 * alone decide: neighbours first, then pairs of pairs, inside every part and then over the parts.
 * Threads share a sum by pieces of the parameters, of which each goes through the whole tree while
 * it is in the first cache. Processes add up what of the tree lies in their own parts; then each
 * ends the sum of a slice of the parameters, for all. So no bit depends on how many there are. */
#include "trainer.h"

#include "ludus/clock.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- who has which part ---- */

int train_first_part(const lu_trainer *t, int rank) {
    return t->comm ? (int)((int64_t)t->parts * rank / t->comm->ranks) : rank * t->parts;
}

static int ranks_of(const lu_trainer *t) {
    return t->comm ? t->comm->ranks : 1;
}

void train_share(const lu_trainer *t, void *block, size_t bytes) {
    double start = lu_clock_seconds();
    for (int r = 0; t->comm && r < t->comm->ranks; r++) {
        int first = train_first_part(t, r), end = train_first_part(t, r + 1);
        t->piece_at[r] = (size_t)first * bytes;
        t->piece_bytes[r] = (size_t)(end - first) * bytes;
    }
    if (t->comm) {
        t->comm->share(t->comm->context, block, t->piece_at, t->piece_bytes);
        *t->exchanging += lu_clock_seconds() - start;
    }
}

/* ---- memory ---- */

/* When all has been added that lies inside of parts that end with `to`: parts whose sum is with
 * part i, and the sums that are left of parts [from, to). */
static int node_parts(int parts, int i, int to) {
    int size = 1;
    while (i % (2 * size) == 0 && size < parts && at_most(i + 2 * size, parts) <= to) {
        size *= 2;
    }
    return size;
}

static int count_nodes(int parts, int from, int to) {
    int nodes = 0;
    for (int i = from; i < to; i += node_parts(parts, i, to)) {
        nodes++;
    }
    return nodes;
}

/* Parameters of the slice whose sum a rank ends: whole cache lines. */
static size_t slice_from(const lu_trainer *t, int rank) {
    size_t lines = t->gradient_stride / 16;
    return lines * (size_t)rank / (size_t)ranks_of(t) * 16;
}

static size_t slice_of(const lu_trainer *t, int rank) {
    return slice_from(t, rank + 1) - slice_from(t, rank);
}

void train_parts_make(lu_trainer *t) {
    size_t ranks = (size_t)ranks_of(t);
    t->exchanging = lu_alloc_zero(1, sizeof *t->exchanging);
    t->node = lu_alloc_zero((size_t)t->parts, sizeof *t->node);
    t->part_sums = lu_alloc_zero((size_t)t->parts, sizeof *t->part_sums);
    t->part_recent = lu_alloc_zero((size_t)t->parts, sizeof *t->part_recent);
    t->piece_at = lu_alloc_zero(ranks, sizeof *t->piece_at);
    t->piece_bytes = lu_alloc_zero(ranks, sizeof *t->piece_bytes);
    t->other_at = lu_alloc_zero(ranks, sizeof *t->other_at);
    t->other_bytes = lu_alloc_zero(ranks, sizeof *t->other_bytes);
    if (t->comm) {
        int rank = t->comm->rank, all = 0;
        for (int r = 0; r < t->comm->ranks; r++) {
            all += count_nodes(t->parts, train_first_part(t, r), train_first_part(t, r + 1));
        }
        int mine = count_nodes(t->parts, train_first_part(t, rank), train_first_part(t, rank + 1));
        t->sent = lu_alloc_zero((size_t)mine * t->gradient_stride, sizeof *t->sent);
        t->got = lu_alloc_zero((size_t)all * slice_of(t, rank), sizeof *t->got);
    }
}

void train_parts_drop(lu_trainer *t) {
    free(t->exchanging);
    free(t->node);
    free(t->part_sums);
    free(t->part_recent);
    free(t->piece_at);
    free(t->piece_bytes);
    free(t->other_at);
    free(t->other_bytes);
    free(t->sent);
    free(t->got);
}

/* ---- the tree ---- */

int train_gradients(int rows) {
    int few = at_most(ceil_div(rows, 64), 8);
    return at_most(at_least(few, rows / 512), TRAIN_GRADIENTS);
}

enum { SUM_PIECE = 256 }; /* floats of all shards that stay in the first cache */

/* Adds up the shards of one part into the first, `n` numbers from `at` on. */
static void add_shards(const lu_trainer *t, int gradients, size_t at, size_t n) {
    size_t stride = t->gradient_stride;
    for (int apart = 1; apart < gradients; apart *= 2) {
        for (int i = 0; i + apart < gradients; i += 2 * apart) {
            lu_net_blend(t->net, 1.0f, t->gradient + (size_t)(i + apart) * stride + at, 1.0f,
                         t->gradient + (size_t)i * stride + at, n);
        }
    }
}

/* Adds up the parts [from, to), of which all or nothing of a pair is there: node[i] holds the sum
 * of the parts from i on up to the next that is not NULL. */
static void add_tree(const lu_trainer *t, float *const *node, int from, int to, size_t at,
                     size_t n) {
    for (int apart = 1; apart < t->parts; apart *= 2) {
        for (int i = 0; i + apart < t->parts; i += 2 * apart) {
            bool whole = i >= from && at_most(i + 2 * apart, t->parts) <= to;
            if (whole && node[i] && node[i + apart]) {
                lu_net_blend(t->net, 1.0f, node[i + apart] + at, 1.0f, node[i] + at, n);
            }
        }
    }
}

typedef struct sum_job {
    lu_trainer *head;
    int gradients;
} sum_job;

static double squares(const lu_trainer *t, int piece) {
    size_t at = (size_t)piece * TRAIN_PIECE, left = lu_net_parameters(t->net) - at;
    return lu_net_squares(t->net, t->gradient + at, left < TRAIN_PIECE ? left : TRAIN_PIECE);
}

static void sum_piece(void *context, int piece) {
    const sum_job *job = context;
    lu_trainer *t = job->head;
    size_t from = (size_t)piece * TRAIN_PIECE, left = t->gradient_stride - from;
    size_t end = from + (left < TRAIN_PIECE ? left : TRAIN_PIECE);
    for (size_t at = from; at < end; at += SUM_PIECE) {
        size_t n = end - at < SUM_PIECE ? end - at : SUM_PIECE;
        for (int m = 0; m < t->mates; m++) {
            add_shards(t->mate[m], job->gradients, at, n);
        }
        add_tree(t, t->node, t->part, t->part + t->mates, at, n);
    }
    if (!t->comm) {
        t->square[piece] = squares(t, piece);
    }
}

static void square_piece(void *context, int piece) {
    lu_trainer *t = context;
    t->square[piece] = squares(t, piece);
}

/* ---- over processes ---- */

/* What is left of this process's parts, slice by slice. */
static void send_nodes(lu_trainer *t) {
    size_t at = 0;
    int end = t->part + t->mates;
    for (int r = 0; r < t->comm->ranks; r++) {
        size_t n = slice_of(t, r), from = slice_from(t, r);
        t->piece_at[r] = at * sizeof(float);
        for (int i = t->part; i < end; i += node_parts(t->parts, i, end)) {
            memcpy(t->sent + at, t->node[i] + from, n * sizeof(float));
            at += n;
        }
        t->piece_bytes[r] = at * sizeof(float) - t->piece_at[r];
    }
}

/* The sums of all processes over this one's slice, into the gradient of the head. */
static void end_slice(lu_trainer *t, float **node) {
    size_t n = slice_of(t, t->comm->rank), from = slice_from(t, t->comm->rank), at = 0;
    memset(node, 0, (size_t)t->parts * sizeof(float *));
    for (int r = 0; r < t->comm->ranks; r++) {
        int end = train_first_part(t, r + 1);
        for (int i = train_first_part(t, r); i < end; i += node_parts(t->parts, i, end)) {
            node[i] = t->got + at;
            at += n;
        }
    }
    for (size_t piece = 0; piece < n; piece += SUM_PIECE) {
        add_tree(t, node, 0, t->parts, piece, n - piece < SUM_PIECE ? n - piece : SUM_PIECE);
    }
    memcpy(t->gradient + from, node[0], n * sizeof(float));
}

static void sum_processes(lu_trainer *t) {
    const lu_comm *c = t->comm;
    size_t at = 0, slice = slice_of(t, c->rank) * sizeof(float);
    double start = lu_clock_seconds();
    send_nodes(t);
    for (int r = 0; r < c->ranks; r++) {
        int nodes = count_nodes(t->parts, train_first_part(t, r), train_first_part(t, r + 1));
        t->other_at[r] = at;
        t->other_bytes[r] = (size_t)nodes * slice;
        at += t->other_bytes[r];
    }
    c->exchange(c->context, t->sent, t->piece_at, t->piece_bytes, t->got, t->other_at,
                t->other_bytes);
    end_slice(t, t->node);
    for (int r = 0; r < c->ranks; r++) {
        t->piece_at[r] = slice_from(t, r) * sizeof(float);
        t->piece_bytes[r] = slice_of(t, r) * sizeof(float);
    }
    c->share(c->context, t->gradient, t->piece_at, t->piece_bytes);
    *t->exchanging += lu_clock_seconds() - start;
}

/* ---- a step ---- */

typedef struct learn_job {
    lu_trainer *head;
    sum_job sum;
    int pieces;
    train_loss *loss;
    double norm;
} learn_job;

static void sum_pieces(void *context, int index) {
    learn_job *job = context;
    (void)index;
    for (int piece = 0; piece < job->pieces; piece++) {
        sum_piece(&job->sum, piece);
    }
}

static lu_optimiser_step step_of(const lu_trainer *t, int pieces) {
    double sum = 0.0;
    for (int piece = 0; piece < pieces; piece++) {
        sum += t->square[piece];
    }
    return (lu_optimiser_step){.rate = t->coefficient[TRAIN_RATE],
                               .beta1 = t->coefficient[TRAIN_BETA1],
                               .beta2 = t->coefficient[TRAIN_BETA2],
                               .eps = t->coefficient[TRAIN_EPS],
                               .decay = t->coefficient[TRAIN_DECAY],
                               .clip = t->coefficient[TRAIN_MAX_NORM],
                               .square = sum,
                               .pool = t->pool};
}

/* Between the sum and the passes of Adam, by one thread. */
static void begin_step(void *context, int index) {
    learn_job *job = context;
    lu_trainer *t = job->head;
    (void)index;
    lu_optimiser_step step = step_of(t, job->pieces);
    job->norm = isfinite(job->loss(t))
                    ? lu_optimiser_begin(&t->optimiser, t->net, t->gradient, &step)
                    : NAN;
}

/* Other processes, or matrices of Muon, which need all threads by themselves. */
static void step_alone(learn_job *job) {
    lu_trainer *t = job->head;
    double loss = job->loss(t);
    if (t->comm) {
        sum_processes(t);
        train_run(t, square_piece, t, job->pieces, 20.0 * (double)lu_net_parameters(t->net));
    }
    lu_optimiser_step step = step_of(t, job->pieces);
    job->norm = isfinite(loss) ? lu_optimiser_run(&t->optimiser, t->net, t->gradient, &step) : NAN;
}

double train_minibatch(lu_trainer *t, const train_gradient *g) {
    double parameters = (double)lu_net_parameters(t->net), mates = (double)t->mates;
    int pieces = (int)((t->gradient_stride + TRAIN_PIECE - 1) / TRAIN_PIECE), passes = 0;
    learn_job job = {.head = t, .sum = {t, g->gradients}, .pieces = pieces, .loss = g->loss};
    parts_job parts = {t, g->job, g->jobs};
    for (int m = 0; m < t->mates; m++) {
        t->node[t->part + m] = t->mate[m]->gradient;
    }
    bool sum_shared = 40.0 * parameters * (double)g->gradients * mates >= t->shared_work;
    lu_pool_pass pass[3 + LU_OPTIMISER_PASSES];
    pass[passes++] = (lu_pool_pass){train_run_part, &parts, t->mates * g->jobs};
    pass[passes++] = sum_shared ? (lu_pool_pass){sum_piece, &job.sum, pieces}
                                : (lu_pool_pass){sum_pieces, &job, 1};
    bool alone = t->comm || t->optimiser_kind != LU_ADAM;
    if (!alone) {
        pass[passes++] = (lu_pool_pass){begin_step, &job, 1};
        passes += lu_optimiser_passes(&t->optimiser, t->net, pass + passes);
    }
    bool shared = t->mates * g->jobs > 1 && g->work * mates >= t->shared_work;
    lu_pool_run_passes(shared ? t->pool : NULL, pass, passes);
    if (alone) {
        step_alone(&job);
    }
    return job.norm;
}
