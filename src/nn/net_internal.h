/* The inside of a net, shared by the files that build, run and check it: where each layer stands in
 * the block of parameters, its packed copies, and the buffers of a work space. A net is one or two
 * towers (encoder, trunk, memory) below a fused matrix of heads; a separate critic is a second
 * tower with a matrix of one row. Ownership: as in net.h. Threads: as in net.h. */
#pragma once

#include "ludus/arena.h"
#include "ludus/net.h"

#include "kernels.h"

enum {
    /* Rows that go through all layers together. Two blocks of the kernels: the weights' gradient is
     * then visited half as often, and the activations still stay in the second cache. */
    NET_BLOCK_ROWS = 2 * LU_BLOCK_ROWS,
    NET_MAX_LAYERS = 16,
    NET_MAX_MEMORIES = 16,
    NET_MAX_BRANCH = 4, /* hidden layers of a head */
    NET_MAX_TENSORS = 1024,
};

#define NET_NONE ((size_t)-1) /* offset of a tensor that is not there */

typedef enum net_memory { NET_MEMORY_NONE, NET_MEMORY_MINGRU, NET_MEMORY_LSTM } net_memory;
typedef enum net_pool { NET_POOL_MAX, NET_POOL_MEAN } net_pool;
typedef enum net_precision { NET_FP32, NET_BF16, NET_TILE } net_precision;

/* The settings of net.*, read once. */
typedef struct net_config {
    int hidden, layers, memory_layers, entity_width;
    lu_activation activation;
    net_memory memory;
    net_pool pool;
    bool bias, entity, pointer, separate, critic_inputs, dueling, strassen;
    bool bf16;         /* operands of products are bf16 */
    bool tile;         /* and are summed by tiles */
    bool series;       /* heads read the choices of those before them */
    int branch_layers; /* hidden layers of each head; -1: the setting makes no sense */
    int branch_width[NET_MAX_BRANCH];
    lu_frames frames;
} net_config;

lu_status net_check_frames(const net_config *config, lu_error *error);
/* net.precision, with auto as what it means here. */
net_precision net_precision_of(const lu_settings *settings);

/* A dense layer: its tensors as offsets in the block, and the packed copies of the weights. */
typedef struct net_layer {
    int in, out;
    lu_activation act;
    size_t weight, bias; /* NET_NONE: no bias */
    bool passes;         /* the gradient of its input is wanted */
    float *forward, *back;
    uint16_t *forward16, *back16;
    uint32_t *forward_tiles, *back_tiles;
    float *strassen_forward, *strassen_back; /* for products of quarters, NULL: there are none */
    float *bias_step; /* beside strassen_forward: second half of the bias less the first */
    int fold_columns; /* of the weights' gradient that are made of quarters, 0: none */
    size_t fold;      /* their first float in lu_net_work.folds */
} net_layer;

/* Parameters that a step of the optimiser moves together, and then packs while they are at hand:
 * some rows of a layer, or what lies between layers. */
typedef struct net_piece {
    size_t from, count;
    const net_layer *layer; /* NULL: not packed */
    int row, rows;          /* of the layer */
} net_piece;

/* How one observation group enters an entity encoder. A scalar group is copied; a slot passes
 * `slot`, the embeddings of its ids are added, then ReLU and the pool over the slots that are used.
 * The feature of a slot that is not used is 0. */
typedef struct net_group {
    const lu_group *group;
    bool critic;    /* of the critic block */
    int offset;     /* first number in its source row */
    int column;     /* first column in the input of the encoder's layer */
    bool pooled;    /* LU_SLOTS and LU_IDS */
    int numbers;    /* fields that are numbers */
    int *number;    /* their indices */
    int ids;        /* fields that are ids */
    int *id;        /* their indices */
    size_t *tables; /* their embeddings [vocabulary][width] */
    net_layer slot;
} net_group;

/* Encoder, trunk and memory of the actor or of a separate critic. */
typedef struct net_tower {
    bool critic; /* takes the critic block too */
    int inputs;  /* columns into layer[0] */
    int groups;  /* 0: flat */
    net_group *group;
    int layers;
    net_layer layer[NET_MAX_LAYERS]; /* [0] is the encoder's */
    int memories;
    net_layer memory[NET_MAX_MEMORIES];    /* MinGRU: [3H,H]; LSTM: weight_ih */
    net_layer recurrent[NET_MAX_MEMORIES]; /* LSTM: weight_hh */
    size_t memory_at;                      /* first float in the recurrent state of a row */
} net_tower;

/* A head whose first options point at the slots of a group: logit = query . feature / sqrt(width).
 * Options beyond the slots are rows of the head matrix like any other. */
typedef struct net_pointer {
    int head, group; /* index of the group in the actor's tower */
    int logit;       /* first logit */
    int count;       /* options that point */
    int column;      /* first column of the query in the output of the head matrix */
    size_t weight, bias;
} net_pointer;

/* A head of a net in series (series.c): its columns of the head matrix, the rows of a table that
 * the choices of earlier heads add to them, and the layers behind. The last of these, or the
 * columns themselves, are the logits that are no pointers and then the query, where the head has
 * one. */
typedef struct net_branch {
    int first;    /* columns of the head matrix; 0: the head is not in use */
    int column;   /* the first of them */
    size_t table; /* [options of all heads before it][first], NET_NONE: it is the first */
    int layers;
    net_layer layer[NET_MAX_BRANCH];
    int pointer; /* index, -1 = none */
} net_branch;

struct lu_net {
    const lu_game *game;
    lu_net_kind kind;
    net_config config;
    const lu_kernels *k;
    int logits, observation, critic; /* observation: of all frames; critic: numbers of the critic
                                        block in use, 0 = none */
    int head_offset[LU_MAX_HEADS + 1];
    net_tower tower[2]; /* actor, separate critic */
    int towers;
    net_layer head;   /* [linear logits | value | queries], rows of head.weight and pointer.* */
    int *column;      /* per logit its column of `head`, -1 = pointed */
    int linear;       /* logits that are columns */
    int value_column; /* -1: the value comes from `value`, or there is none */
    int pointers;
    net_pointer pointer[LU_MAX_HEADS];
    int queries;        /* of pointers that are columns of `head`: all, or none in series */
    net_branch *branch; /* per head; NULL: the columns of `head` are the logits */
    bool mixed;      /* shared critic with its own inputs: `mix` takes [features | critic block] */
    net_layer mix;   /* critic.encoder of a mixed critic */
    net_layer value; /* critic.head [1,H] of a mixed or separate critic */
    bool has_value;
    int tensors;
    lu_tensor *tensor;
    uint8_t *is_table; /* per tensor: an embedding */
    float *block;
    size_t parameters;
    size_t memory_floats;
    size_t folds; /* floats of lu_net_work.folds */
    int pieces;   /* all parameters, in their order */
    net_piece *piece;
    lu_arena arena; /* packed weights */
};

/* ---- work space ---- */

/* Buffers of one pooled group. Used slots stand one behind the other, so that empty ones cost
 * nothing; a block of rows uses the part that starts at first row * slots. */
typedef struct group_work {
    float *x;       /* numbers of used slots */
    float *y;       /* their features */
    float *dy;      /* gradient of the features, one block of rows */
    int32_t *where; /* rows x slots: index into y, -1 = not used */
    int32_t *best;  /* rows x width: index into y of the maximum, -1 = none */
    int32_t *ids;   /* used slots x ids */
    int32_t *used;  /* per block of rows: how many */
    size_t x_stride, y_stride;
} group_work;

typedef struct memory_work {
    float *gates;  /* rows x (3H or 4H), activated in place */
    float *state;  /* rows x H: h */
    float *cell;   /* LSTM: rows x H */
    float *squash; /* LSTM: tanh of cell */
    float *before; /* rows x H: state that entered the step */
    float *out;    /* rows x H: MinGRU's output; LSTM: = state */
} memory_work;

typedef struct branch_work {
    float *y[NET_MAX_BRANCH + 1]; /* rows x outputs of each layer, [0]: of the head matrix */
    size_t stride[NET_MAX_BRANCH + 1];
} branch_work;

typedef struct tower_work {
    float *x; /* input of layer[0]; a flat tower of a bf16 net has x16 instead */
    uint16_t *x16;
    size_t x_stride, x16_stride;
    float *y[NET_MAX_LAYERS];      /* NULL with tiles, where nobody reads it */
    uint16_t *y16[NET_MAX_LAYERS]; /* bf16 nets */
    size_t h_stride, h16_stride;
    memory_work memory[NET_MAX_MEMORIES];
    size_t gate_stride;
    group_work *group;
    uint16_t *d16[2]; /* nets with tiles, one block: second forms of d and d2 */
    bool d_narrowed;  /* d16[0] is that of d, by the heads */
    bool in_place;    /* gradients take the place of the outputs y: d and d2 are NULL */
    float *d;         /* rows x H: gradient of the features, then of each layer below */
    float *d2;        /* the other one, rows x H */
    float *dx;        /* one block: gradient of x (entity encoder) */
    float *dgates;
    float *carry, *carry_cell; /* rows x H: what flows back in time */
} tower_work;

struct lu_net_work {
    const lu_net *net;
    int rows;
    tower_work tower[2];
    float *head;    /* one block: output of the head matrix */
    float *queries; /* rows x columns of all queries (pointers) */
    float *dhead;   /* one block */
    size_t head_stride, query_stride;
    branch_work *branch; /* per head of a net in series */
    float *dbranch[2];   /* one block: gradients of two layers of a branch */
    size_t branch_stride;
    float *mix_x, *mix_y; /* mixed critic, rows x (H + critic), rows x H */
    float *dmix_x, *dmix_y;
    size_t mix_stride;
    float *single; /* one block x 1: value of `value`, and its gradient */
    size_t single_stride;
    uint16_t *narrow[2]; /* one block in bf16, each; the second for x in net_dense_grad */
    size_t narrow_stride;
    uint32_t *pairs[2]; /* of rows, or tiles of them */
    size_t pair_stride;
    bool strassen;             /* this pass may take products of quarters */
    float *left[4], *right[4]; /* half a block each: sums of quarters */
    size_t sum_stride;
    float *folds;  /* sums of products of quarters that are not in the gradient yet, or zeros */
    bool folded;   /* they are zeros */
    float *norm;   /* one normalised row */
    float *logits; /* one row */
    lu_turn *turn; /* of the chunk in the backward pass, from its next product on; NULL: none */
    int number;    /* of that chunk */
    bool fresh;    /* its products write the gradient of their weights */
    lu_arena arena;
};

/* Where the rows of a call come from, and their time structure. */
typedef struct net_source {
    int rows, segments, steps;
    const float *const *rows_at; /* or */
    const float *base;
    size_t stride;
    const float *const *critic_at;
    const float *critic_base;
    size_t critic_stride;
    bool kept;   /* observations are as lu_net_run left them in `keep` */
    float *keep; /* as base and stride; NULL: not wanted */
    const lu_normaliser *normaliser, *critic_normaliser;
    const uint8_t *starts;
    const int32_t *actions; /* in series: the choices; NULL: they are not made yet */
    size_t actions_stride;
    const float *memory; /* NULL: zeros */
    float *memory_out;   /* NULL: not wanted */
} net_source;

static inline const float *net_row(const net_source *s, int r) {
    return s->rows_at ? s->rows_at[r] : s->base + (size_t)r * s->stride;
}

static inline const float *net_critic_row(const net_source *s, int r) {
    return s->critic_at ? s->critic_at[r] : s->critic_base + (size_t)r * s->critic_stride;
}

static inline int net_block(int rows, int first) {
    return rows - first < NET_BLOCK_ROWS ? rows - first : NET_BLOCK_ROWS;
}

/* ---- net_pack.c ---- */
/* Room for the packed copies out of the net's arena, once the layers stand; places of the sums that
 * wait for a gradient. */
void net_take_packed(lu_net *net);
void net_place_folds(lu_net *net);
/* Cuts the parameters into pieces. */
void net_cut(lu_net *net);
/* lu_net_pack as jobs of a pool: one piece, and, once all are done, one of the sums of quarters. */
void net_pack_piece(void *net, int index);
int net_pack_quarters(lu_net *net);
void net_pack_quarter(void *net, int index);
/* Kernels of another level (tests): packs anew. */
void net_use_kernels(lu_net *net, const lu_kernels *kernels);

/* ---- net_dense.c: layers in the precision of the net, in blocks of rows ---- */

/* A matrix of rows. bf16 nets may give it a second form: net_dense_forward writes it from `at`, or
 * finds it written where `at` is NULL, and net_dense_grad and net_dense_back read it. With tiles
 * net_dense_forward writes the second form of y instead, and finds that of x. */
typedef struct net_rows {
    float *at;
    size_t stride;
    uint16_t *at16; /* NULL: converted for each product */
    size_t stride16;
} net_rows;

void net_dense_forward(const lu_net *net, lu_net_work *work, const net_layer *layer, int rows,
                       net_rows x, net_rows y, lu_activation act);
/* Output of a layer of the trunk. */
static inline net_rows net_layer_rows(const tower_work *tw, int layer, int first) {
    size_t row = (size_t)first;
    return (net_rows){
        .at = tw->y[layer] ? tw->y[layer] + row * tw->h_stride : NULL,
        .stride = tw->h_stride,
        .at16 = tw->y16[layer] ? tw->y16[layer] + row * tw->h16_stride : NULL,
        .stride16 = tw->h16_stride,
    };
}

/* Gradients of the features (0), or of every second layer below (1), of a block; with tiles in the
 * second form alone. Not for towers whose gradients are in place. */
static inline net_rows net_gradient_rows(const tower_work *tw, int which, int first) {
    return (net_rows){
        .at = tw->d16[which] ? NULL : (which ? tw->d2 : tw->d) + (size_t)first * tw->h_stride,
        .stride = tw->h_stride,
        .at16 = tw->d16[which],
        .stride16 = tw->h16_stride,
    };
}
/* Gradient of the features of a block, as fp32. */
static inline net_rows net_features_gradient(const tower_work *tw, const net_tower *tower,
                                             int first) {
    float *from = tw->in_place ? tw->y[tower->layers - 1] : tw->d;
    return (net_rows){.at = from + (size_t)first * tw->h_stride, .stride = tw->h_stride};
}
/* Gradient of the bias of a layer; NULL: it has none. */
static inline float *net_bias_gradient(const net_layer *layer, float *gradient) {
    return layer->bias == NET_NONE ? NULL : gradient + layer->bias;
}

/* Gives a block of gradients its second form, unless it has one, for both products of a layer;
 * valid until the next call, and the next product whose rows have none. */
net_rows net_narrowed(const lu_net *net, lu_net_work *work, int rows, int n, net_rows dy);
/* act, below: activation whose output is `below`; dx may not overlap dy, but be `below` in fp32. */
void net_dense_back(const lu_net *net, lu_net_work *work, const net_layer *layer, int rows,
                    net_rows dy, lu_activation act, net_rows below, net_rows dx);
/* With tiles dx gets its second form, where it has room for one, or nothing but that; the gradient
 * of the bias of the layer below, which net_dense_grad then leaves out, is added to db. */
void net_dense_back_to(const lu_net *net, lu_net_work *work, const net_layer *layer, int rows,
                       net_rows dy, lu_activation act, net_rows below, net_rows dx, float *db);
void net_dense_grad(const lu_net *net, lu_net_work *work, const net_layer *layer, int rows,
                    net_rows dy, net_rows x, float *gradient);
/* d *= act'(y). */
void net_act_back(lu_activation act, int rows, int n, net_rows y, net_rows d);

/* ---- strassen.c: products of quarters, for large fp32 layers in training ---- */

/* Whether a product with n columns and so many steps is cut into quarters. */
bool net_strassen_fits(const lu_net *net, int n, int steps);
/* Whether a block of rows is. */
bool net_strassen_rows(const lu_net_work *work, int rows);
/* Floats of strassen_forward (n = out) or strassen_back (n = in). */
size_t net_strassen_floats(int n, int steps);
void net_strassen_pack_forward(const lu_net *net, const net_layer *layer);
void net_strassen_pack_back(const lu_net *net, const net_layer *layer);
/* As net_dense_*, on one block. */
void net_strassen_forward(const lu_net *net, lu_net_work *work, const net_layer *layer, int rows,
                          net_rows x, net_rows y, lu_activation act);
void net_strassen_back(const lu_net *net, lu_net_work *work, const net_layer *layer, int rows,
                       net_rows dy, lu_activation act, net_rows below, net_rows dx);
void net_strassen_grad(const lu_net *net, lu_net_work *work, const net_layer *layer, int rows,
                       net_rows dy, net_rows x, float *gradient);
/* Adds what net_strassen_grad left in lu_net_work.folds to the gradient, for one layer or for all.
 */
void net_strassen_fold(const lu_net *net, lu_net_work *work, const net_layer *layer,
                       float *gradient);
void net_fold(const lu_net *net, lu_net_work *work, float *gradient);

/* ---- encoder.c ---- */

/* The first n numbers of a source row, normalised, into `to`. */
void net_normalise(const lu_net *net, const lu_normaliser *normaliser, const float *row, int n,
                   float *to);
void net_encode(const lu_net *net, lu_net_work *work, int tower, const net_source *source,
                int first, int rows);
/* Writes net_source.keep of a block, from what net_encode left. */
void net_keep(const lu_net *net, const lu_net_work *work, const net_source *source, int first,
              int rows);
/* From tower_work.dx and what pointers left in group_work.dy. */
void net_encode_back(const lu_net *net, lu_net_work *work, int tower, int first, int rows,
                     float *gradient);
/* Zeroes the gradients of the slot features of a block. */
void net_slots_clear(const lu_net *net, lu_net_work *work, int tower, int first, int rows);

/* ---- recurrent.c: on all rows of a chunk ---- */

void net_memory_forward(const lu_net *net, lu_net_work *work, int tower, const net_source *source);
/* tower_work.d holds the gradient of the features and receives that of the trunk's output, with the
 * activation of the trunk undone. */
void net_memory_back(const lu_net *net, lu_net_work *work, int tower, const net_source *source,
                     float *gradient);

/* ---- heads.c ---- */

void net_heads_forward(const lu_net *net, lu_net_work *work, const net_source *source, int first,
                       int rows, float *logits, size_t stride, float *value);
/* Leaves the gradients of the features in tower_work.d, with the activation of the trunk undone
 * when there is no memory. */
void net_heads_back(const lu_net *net, lu_net_work *work, const net_source *source, int first,
                    int rows, const float *dlogits, size_t stride, const float *dvalue,
                    float *gradient);
/* Logits of the options of a pointer in row r, from its query; and back, where the gradient of the
 * query is written and that of the slots added to. */
void net_point(const lu_net *net, const lu_net_work *work, const net_pointer *pointer, int r,
               const float *query, float *logits);
void net_point_back(const lu_net *net, lu_net_work *work, const net_pointer *pointer, int r,
                    const float *query, const float *dlogits, float *dquery);

/* ---- series.c: heads that read the choices of the heads before them ---- */

/* A stretch of rows: `first` in the work space, `at` in the block of the head matrix. */
typedef struct net_stretch {
    int first, at, rows;
    const int32_t *actions; /* of its first row */
    size_t actions_stride;
} net_stretch;

/* Logits of one head, from lu_net_work.head and the choices of the heads before it. logits: those
 * of the first row, all heads. */
void net_branch_forward(const lu_net *net, lu_net_work *work, int head, const net_stretch *rows,
                        float *logits, size_t stride);
/* Fills the columns of lu_net_work.dhead of all heads. */
void net_branches_back(const lu_net *net, lu_net_work *work, const net_stretch *rows,
                       const float *dlogits, size_t stride, float *gradient);
