/* Networks: the policy and value function of a game, built from its tables and from settings. A net
 * is a list of named tensors in one block of parameters; inference runs on blocks of rows, training
 * on chunks of whole segments, forward and backward, with gradients added to one block of the same
 * layout. Encoder (flat or entity), trunk (MLP), memory (none, MinGRU, LSTM), heads (logits of all
 * heads and the value as one matrix, pointer heads where options point at slots; or heads in
 * series, each reading the choices of those before it), critic shared or of its own with the
 * critic-only block as further input. Ownership: a net owns parameters and packed copies; a work
 * space belongs to one thread; all other buffers are the caller's. Threads: inference and training
 * read the net; lu_net_pack, lu_net_init and changes of parameters need it alone. Nothing is
 * allocated after *_new. */
#pragma once

#include "ludus/blocks.h"
#include "ludus/game_ask.h"
#include "ludus/threads.h"

LU_C_BEGIN

typedef struct lu_net lu_net;
typedef struct lu_net_work lu_net_work;

/* One named tensor inside the parameter block, torch name and layout: "trunk.0.weight" [out, in].
 */
typedef struct lu_tensor {
    char name[64];
    int rank;
    int64_t shape[3];
    size_t offset; /* first float in the block */
    size_t count;
} lu_tensor;

/* The table of settings (net.hidden, net.layers, net.activation, net.bias, net.memory,
 * net.memory_layers, net.encoder, net.entity_width, net.pool, net.pointer, net.critic,
 * net.critic_inputs, net.precision, net.products, net.heads, net.head_hidden, net.dueling). */
extern const lu_table lu_net_table;

enum { LU_MAX_FRAMES = 16 };

/* The observations that a net reads as one row, newest first (net.frames). */
typedef struct lu_frames {
    int count, depth;       /* depth: the oldest age and one */
    int age[LU_MAX_FRAMES]; /* in decisions, rising from 0 */
} lu_frames;

/* count 0: the setting means nothing, which making a net refuses with a sentence. */
lu_frames lu_frames_read(const lu_settings *settings);

/* Replaces what a setting leaves to the machine (net.precision=auto) by what it means here, so that
 * it is the same wherever these settings are read next. */
lu_status lu_net_settle(lu_settings *settings, lu_error *error);

/* What the outputs mean: logits and a value, or one Q value per option of every head. */
typedef enum lu_net_kind { LU_NET_POLICY, LU_NET_Q } lu_net_kind;

/* A net with the first values of seed 0. NULL when the game's names make no tensor names. */
lu_net *lu_net_new(const lu_game *game, lu_net_kind kind, const lu_settings *settings,
                   lu_error *error);
/* The same without values, for a caller that fills all of lu_net_block and then calls lu_net_pack:
 * first values cost far more than the rest. */
lu_net *lu_net_new_blank(const lu_game *game, lu_net_kind kind, const lu_settings *settings,
                         lu_error *error);
/* How many parameters such a net has; takes no memory for them. */
lu_status lu_net_count(const lu_game *game, lu_net_kind kind, const lu_settings *settings,
                       size_t *parameters, lu_error *error);
/* A net without memory for parameters: for questions about shapes and sizes alone. */
lu_net *lu_net_plan(const lu_game *game, lu_net_kind kind, const lu_settings *settings,
                    lu_error *error);
void lu_net_delete(lu_net *net);
/* A net of the same shape with copies of the parameters. */
lu_net *lu_net_copy(const lu_net *net);

const lu_game *lu_net_game(const lu_net *net);
lu_net_kind lu_net_kind_of(const lu_net *net);
size_t lu_net_parameters(const lu_net *net);
float *lu_net_block(lu_net *net); /* all parameters; call lu_net_pack after changing them */
size_t lu_net_bytes(lu_net *net); /* of the parameters and their packed copies */
int lu_net_tensors(const lu_net *net);
const lu_tensor *lu_net_tensor(const lu_net *net, int index);
int lu_net_logits(const lu_net *net);           /* = mask length of the game */
size_t lu_net_memory_floats(const lu_net *net); /* recurrent state of one row; 0 = none */
const lu_frames *lu_net_frames(const lu_net *net);
int lu_net_inputs(const lu_net *net);        /* numbers of an observation, times frames */
int lu_net_critic_inputs(const lu_net *net); /* numbers of the critic block it reads; 0 = none */
/* Whether heads read the choices of those before them: then logits are made head by head. */
bool lu_net_in_series(const lu_net *net);

/* Orthogonal weights (gain sqrt 2 for ReLU and tanh layers, 0.01 for logits, 1 for the value), zero
 * biases; the same bits for the same seed everywhere. */
void lu_net_init(lu_net *net, uint64_t seed);
/* Packs the parameters for the kernels; once after every change. */
void lu_net_pack(lu_net *net);

/* Work space for chunks of at most `rows` rows (inference: at most LU_BLOCK_ROWS). */
lu_net_work *lu_net_work_new(const lu_net *net, int rows);
void lu_net_work_delete(lu_net_work *work);
/* What such a work space takes; a planned net will do. */
size_t lu_net_work_bytes(const lu_net *net, int rows);

/* ---- observation normaliser: frozen while a batch is collected and learned ---- */

typedef struct lu_normaliser {
    int length;
    double count;
    double *mean, *square; /* running mean and sum of squared deviations, fp64 */
    float *shift, *scale;  /* what inference uses: (x - shift) * scale, clipped to +-clip */
    float clip;
} lu_normaliser;

void lu_normaliser_init(lu_normaliser *normaliser, int length);
void lu_normaliser_free(lu_normaliser *normaliser);
/* Adds rows in order (fixed order of sums), then lu_normaliser_freeze makes shift and scale. */
void lu_normaliser_add(lu_normaliser *normaliser, int rows, const float *x, size_t stride);
void lu_normaliser_freeze(lu_normaliser *normaliser);
/* False for a number that was the same in all rows so far, or nearly: it is not scaled. */
bool lu_normaliser_varies(const lu_normaliser *normaliser, int number);
/* Adds x - shift of rows in order to `sum` and its square to `square` (length numbers each), with
 * the kernels of a net. */
void lu_normaliser_sums(const lu_normaliser *normaliser, const lu_net *net, int rows,
                        const float *x, size_t stride, double *sum, double *square);

/* ---- inference ---- */

typedef struct lu_net_infer {
    int rows; /* at most the rows of the work space */
    const float *observation;
    size_t observation_stride; /* floats from row to row */
    const float *critic;       /* NULL when the net takes none */
    size_t critic_stride;
    const lu_normaliser *normaliser;        /* NULL: as it is */
    const lu_normaliser *critic_normaliser; /* NULL: as it is */
    /* out: the observations as the first layer takes them, for lu_net_chunk.kept, at the same
     * distance; may be `observation` itself. NULL: not wanted. See lu_net_kept_bytes. */
    float *keep;
    float
        *memory; /* rows x memory floats, read and overwritten; the caller zeroes rows at starts */
    /* out: rows x logits_stride; what stands behind the logits of a row is lost. A net in series
     * leaves them to lu_net_run_head. */
    float *logits;
    size_t logits_stride;
    /* out: rows; NULL: not wanted, then nothing of a critic runs and its memory stays as it is. Q
     * nets give the state's value when dueling, else 0. */
    float *value;
} lu_net_infer;

void lu_net_run(const lu_net *net, lu_net_work *work, const lu_net_infer *call);

/* Some of the rows of the last lu_net_run of a net in series, and one head. */
typedef struct lu_net_head {
    int head, first, rows;
    const int32_t *actions; /* of row `first`: choices of the heads before; 0 where not asked */
    size_t actions_stride;
    float *logits; /* out: those of this head; begins with the logits of all heads of row `first` */
    size_t logits_stride;
} lu_net_head;

/* Heads may be asked again, with other choices. */
void lu_net_run_head(const lu_net *net, lu_net_work *work, const lu_net_head *call);

/* The same as lu_policy_act.make_logits: `user` is a lu_net_series, whose call is that of any head.
 */
typedef struct lu_net_series {
    const lu_net *net;
    lu_net_work *work;
    lu_net_head call;
} lu_net_series;

void lu_net_make_logits(void *user, int head);

/* Bytes of an observation that lu_net_run keeps: normalised, and in bf16 in a net that multiplies
 * so. 0: this net cannot, since it has an entity encoder or reads a critic block. */
size_t lu_net_kept_bytes(const lu_net *net);
/* The numbers of a kept row. */
void lu_net_kept_row(const lu_net *net, const float *kept, float *row);

/* ---- training ---- */

/* A chunk of `segments` segments of `steps` steps each; row r = step * segments + segment. Without
 * memory use steps = 1. Observations are reached through row pointers, so that nothing is gathered
 * beforehand. */
typedef struct lu_net_chunk {
    int segments, steps;
    const float *const *observation; /* rows pointers */
    const float *const *critic;      /* rows pointers, or NULL */
    bool kept;                       /* observations are what lu_net_run kept: not normalised */
    const lu_normaliser *normaliser, *critic_normaliser;
    const uint8_t
        *starts;         /* rows: 1 = an episode starts at this row (its memory is zeroed first) */
    const float *memory; /* segments x memory floats: state before the first step */
    const int32_t *actions; /* rows: what was chosen; read by nets in series alone */
    size_t actions_stride;
    bool more;  /* another chunk adds to the same gradient: it may be incomplete until then */
    bool fresh; /* the first that adds to its gradient: what that holds does not count */
    /* Chunks that several threads add to one gradient do so in the order of their numbers, from 0
     * on: lu_net_turns counts, zero at the start. NULL: one thread adds them all. */
    lu_turn *turn;
    int number;
} lu_net_chunk;

/* Forward with everything kept for the backward pass. logits: rows x stride, as in lu_net_infer;
 * value: rows. */
void lu_net_forward(const lu_net *net, lu_net_work *work, const lu_net_chunk *chunk, float *logits,
                    size_t logits_stride, float *value);
/* Adds the gradient of the loss to `gradient` (layout of the parameter block), from the gradients
 * of the last forward's logits and values. Fixed order of sums. */
void lu_net_backward(const lu_net *net, lu_net_work *work, const lu_net_chunk *chunk,
                     const float *dlogits, size_t logits_stride, const float *dvalue,
                     float *gradient);

/* Counts in which chunks take turns: layers by themselves, where that can be. */
int lu_net_turns(const lu_net *net);

/* ---- optimisers ---- */

typedef enum lu_optimiser_kind { LU_ADAM, LU_MUON } lu_optimiser_kind;

typedef struct lu_optimiser_job lu_optimiser_job;
typedef struct lu_optimiser {
    lu_optimiser_kind kind;
    long steps; /* done so far */
    size_t parameters;
    float *first, *second; /* moments; Muon uses `first` as momentum */
    float *room;           /* scratch for Muon */
    lu_optimiser_job *job; /* the step that is under way */
} lu_optimiser;

typedef struct lu_optimiser_step {
    double rate, beta1, beta2, eps, decay; /* Muon: beta1 is the momentum */
    double clip;                           /* global norm, 0 = off */
    double square; /* sum of squares of the gradient where it is known; 0: it is summed here */
    lu_pool *pool; /* threads that share the work; NULL: none. Same bits for any number */
} lu_optimiser_step;

void lu_optimiser_init(lu_optimiser *optimiser, lu_optimiser_kind kind, const lu_net *net);
void lu_optimiser_free(lu_optimiser *optimiser);
/* What an optimiser takes; a planned net will do. */
size_t lu_optimiser_bytes(lu_optimiser_kind kind, const lu_net *net);
/* One step on the parameters from the gradient block; returns the gradient's norm before clipping.
 * Muon moves matrices by orthogonalised momentum and vectors by Adam. Calls lu_net_pack. */
double lu_optimiser_run(lu_optimiser *optimiser, lu_net *net, const float *gradient,
                        const lu_optimiser_step *step);
/* A step of Adam in passes of a pool, for who has other passes before: lu_optimiser_passes fills at
 * most LU_OPTIMISER_PASSES and returns how many, lu_optimiser_begin returns the norm and is called
 * before the first of them; where that is not finite, or it was not called, they do nothing. */
enum { LU_OPTIMISER_PASSES = 2 };
int lu_optimiser_passes(lu_optimiser *optimiser, lu_net *net, lu_pool_pass *pass);
double lu_optimiser_begin(lu_optimiser *optimiser, lu_net *net, const float *gradient,
                          const lu_optimiser_step *step);
/* Sum of squares of `count` numbers, in fp64 and one order. */
double lu_net_squares(const lu_net *net, const float *x, size_t count);
/* y = a x + b y on `count` numbers of parameters or gradients, with the kernels of the net; two
 * roundings before the sum. */
void lu_net_blend(const lu_net *net, float a, const float *x, float b, float *y, size_t count);

LU_C_END
