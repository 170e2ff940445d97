/* Work spaces: every buffer that forward and backward need, laid out once. The layout is walked
 * twice, first to add up the bytes and then to hand out the memory, so that the two cannot differ.
 * Training on long segments keeps all rows of a chunk; a net without memory should be given chunks
 * of at most NET_BLOCK_ROWS rows, which stay in the second cache through forward, loss and
 * backward. */
#include "net_internal.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* Adds up while the arena has no block, takes from it afterwards. */
typedef struct taker {
    lu_arena *arena;
    size_t bytes;
} taker;

static void *take(taker *t, size_t rows, size_t stride, size_t unit) {
    size_t count, bytes;
    bool fits = lu_size_mul(rows, stride, &count) && lu_size_mul(count, unit, &bytes);
    if (!fits) {
        lu_out_of_memory((size_t)-1);
    }
    bytes = (bytes + 63) / 64 * 64;
    t->bytes += bytes;
    return t->arena->block ? lu_arena_take(t->arena, bytes, 64) : NULL;
}

static float *take_floats(taker *t, int rows, size_t stride) {
    return take(t, (size_t)rows, stride, sizeof(float));
}

/* Rows of bf16: tiles read what nobody has written, and must not find a NaN there. */
static uint16_t *take_zeros(taker *t, size_t rows, size_t stride) {
    uint16_t *at = take(t, rows, stride, sizeof *at);
    if (at) {
        memset(at, 0, rows * stride * sizeof *at);
    }
    return at;
}

static void lay_group(taker *t, const lu_net *net, const net_group *g, group_work *w, int rows) {
    int slots = g->group->slots, all = rows * slots;
    size_t width = (size_t)net->config.entity_width;
    w->x_stride = lu_row_floats(g->numbers ? g->numbers : 1);
    w->y_stride = lu_row_floats((int)width);
    w->x = take_floats(t, all, w->x_stride);
    w->y = take_floats(t, all, w->y_stride);
    w->dy = take_floats(t, all, w->y_stride);
    w->where = take(t, (size_t)all, 1, sizeof(int32_t));
    w->best = take(t, (size_t)rows, width, sizeof(int32_t));
    w->ids = take(t, (size_t)all, (size_t)g->ids, sizeof(int32_t));
    w->used = take(t, (size_t)(rows / NET_BLOCK_ROWS + 1), 1, sizeof(int32_t));
}

static void lay_memory(taker *t, const lu_net *net, memory_work *w, int rows, size_t gates,
                       size_t hidden) {
    w->gates = take_floats(t, rows, gates);
    w->state = take_floats(t, rows, hidden);
    w->before = take_floats(t, rows, hidden);
    if (net->config.memory == NET_MEMORY_LSTM) {
        w->cell = take_floats(t, rows, hidden);
        w->squash = take_floats(t, rows, hidden);
        w->out = w->state;
    } else {
        w->out = take_floats(t, rows, hidden);
    }
}

static void lay_tower(taker *t, const lu_net *net, const net_tower *tower, tower_work *w,
                      int rows) {
    int block = rows < NET_BLOCK_ROWS ? rows : NET_BLOCK_ROWS;
    int gates = net->config.memory == NET_MEMORY_LSTM ? 4 : 3;
    w->x_stride = lu_row_floats(tower->inputs);
    w->h_stride = lu_row_floats(net->config.hidden);
    w->gate_stride = lu_row_floats(gates * net->config.hidden);
    w->x16_stride = lu_row_bf16s(tower->inputs);
    w->h16_stride = lu_row_bf16s(net->config.hidden);
    bool bf16 = net->config.bf16;
    size_t rows16 = ((size_t)rows + 15) / 16 * 16; /* tiles read whole ones */
    if (bf16 && !tower->groups) {
        w->x16 = take_zeros(t, rows16, w->x16_stride);
    } else {
        w->x = take_floats(t, rows, w->x_stride);
    }
    bool last_read = net->mixed || tower->memories > 0; /* as fp32 */
    for (int i = 0; i < tower->layers; i++) {
        bool narrow = net->config.tile && tower->layer[i].act != LU_ACT_TANH &&
                      !(last_read && i + 1 == tower->layers);
        w->y[i] = narrow ? NULL : take_floats(t, rows, w->h_stride);
        w->y16[i] = bf16 ? take_zeros(t, rows16, w->h16_stride) : NULL;
    }
    for (int i = 0; i < 2 && net->config.tile; i++) {
        w->d16[i] = take_zeros(t, NET_BLOCK_ROWS, w->h16_stride);
    }
    for (int i = 0; i < tower->memories; i++) {
        lay_memory(t, net, &w->memory[i], rows, w->gate_stride, w->h_stride);
    }
    for (int g = 0; g < tower->groups; g++) {
        if (tower->group[g].pooled) {
            lay_group(t, net, &tower->group[g], &w->group[g], rows);
        }
    }
    w->in_place = !bf16 && !net->config.strassen && !last_read;
    if (!w->in_place) {
        w->d = take_floats(t, rows, w->h_stride);
        w->d2 = take_floats(t, rows, w->h_stride);
    }
    if (tower->groups) {
        w->dx = take_floats(t, block, w->x_stride);
    }
    if (tower->memories) {
        w->dgates = take_floats(t, rows, w->gate_stride);
        w->carry = take_floats(t, rows, w->h_stride);
        w->carry_cell = take_floats(t, rows, w->h_stride);
    }
}

static void lay_branches(taker *t, const lu_net *net, lu_net_work *w) {
    int rows = w->rows, block = rows < NET_BLOCK_ROWS ? rows : NET_BLOCK_ROWS, width = 1;
    for (int h = 0; h < net->game->heads; h++) {
        const net_branch *branch = &net->branch[h];
        for (int i = 0; i <= branch->layers && branch->first > 0; i++) {
            int out = i ? branch->layer[i - 1].out : branch->first;
            w->branch[h].stride[i] = lu_row_floats(out);
            w->branch[h].y[i] = take_floats(t, rows, w->branch[h].stride[i]);
            width = out > width ? out : width;
        }
    }
    w->branch_stride = lu_row_floats(width);
    w->dbranch[0] = take_floats(t, block, w->branch_stride);
    w->dbranch[1] = take_floats(t, block, w->branch_stride);
}

/* Longest row that any product of the net reads or writes. */
static int widest(const lu_net *net) {
    int width = net->head.out > net->config.hidden ? net->head.out : net->config.hidden;
    for (int t = 0; t < net->towers; t++) {
        width = net->tower[t].inputs > width ? net->tower[t].inputs : width;
        for (int g = 0; g < net->tower[t].groups; g++) {
            int numbers = net->tower[t].group[g].numbers;
            width = numbers > width ? numbers : width;
        }
    }
    for (int h = 0; h < net->game->heads && net->branch; h++) {
        for (int i = 0; i < net->branch[h].layers; i++) {
            int out = net->branch[h].layer[i].out;
            width = out > width ? out : width;
        }
    }
    int gates = net->memory_floats ? 4 * net->config.hidden : 0;
    int mix = net->config.hidden + net->critic;
    width = gates > width ? gates : width;
    width = mix > width ? mix : width;
    return net->config.entity && net->config.entity_width > width ? net->config.entity_width
                                                                  : width;
}

static void lay_all(taker *t, const lu_net *net, lu_net_work *w) {
    int rows = w->rows, block = rows < NET_BLOCK_ROWS ? rows : NET_BLOCK_ROWS;
    int width = widest(net);
    for (int i = 0; i < net->towers; i++) {
        lay_tower(t, net, &net->tower[i], &w->tower[i], rows);
    }
    w->head_stride = lu_row_floats(net->head.out);
    w->head = take_floats(t, block, w->head_stride);
    w->dhead = take_floats(t, block, w->head_stride);
    w->query_stride = (size_t)(net->queries * net->config.entity_width);
    w->queries = take_floats(t, rows, w->query_stride);
    if (net->branch) {
        lay_branches(t, net, w);
    }
    w->single_stride = lu_row_floats(1);
    w->single = take_floats(t, block, w->single_stride);
    if (net->mixed) {
        w->mix_stride = lu_row_floats(net->mix.in);
        w->mix_x = take_floats(t, rows, w->mix_stride);
        w->mix_y = take_floats(t, rows, w->tower[0].h_stride);
        w->dmix_x = take_floats(t, block, w->mix_stride);
        w->dmix_y = take_floats(t, block, w->tower[0].h_stride);
    }
    w->norm = take_floats(t, 1, (size_t)(net->observation + net->critic));
    w->logits = take_floats(t, 1, (size_t)net->logits);
    if (net->config.bf16) {
        w->narrow_stride = lu_row_bf16s(width);
        w->pair_stride = lu_row_floats(width);
        size_t tiles = lu_packed_tiles(width, NET_BLOCK_ROWS);
        for (int i = 0; i < 2; i++) {
            bool used = net->config.tile || i == 0;
            w->narrow[i] = used ? take_zeros(t, NET_BLOCK_ROWS, w->narrow_stride) : NULL;
            w->pairs[i] = net->config.tile
                              ? take(t, 1, tiles, sizeof(uint32_t))
                              : take(t, NET_BLOCK_ROWS / 2, w->pair_stride, sizeof(uint32_t));
        }
    }
    if (net->config.strassen) {
        w->sum_stride = lu_row_floats((width + 1) / 2);
        for (int i = 0; i < 4; i++) {
            w->left[i] = take_floats(t, NET_BLOCK_ROWS / 2, w->sum_stride);
            w->right[i] = take_floats(t, NET_BLOCK_ROWS / 2, w->sum_stride);
        }
        w->folds = take_floats(t, 1, net->folds);
    }
}

/* The work space without its buffers, and the bytes they will take. */
static lu_net_work *plan(const lu_net *net, int rows, size_t *bytes) {
    assert(rows > 0);
    lu_net_work *work = lu_alloc_zero(1, sizeof *work);
    work->net = net;
    work->rows = rows;
    for (int t = 0; t < net->towers; t++) {
        int groups = net->tower[t].groups;
        work->tower[t].group = lu_alloc_zero((size_t)groups + 1, sizeof(group_work));
    }
    work->branch = lu_alloc_zero((size_t)net->game->heads + 1, sizeof *work->branch);
    taker t = {&work->arena, 0};
    lay_all(&t, net, work);
    *bytes = t.bytes + 64;
    return work;
}

lu_net_work *lu_net_work_new(const lu_net *net, int rows) {
    size_t bytes;
    lu_net_work *work = plan(net, rows, &bytes);
    lu_arena_init(&work->arena, bytes);
    lay_all(&(taker){&work->arena, 0}, net, work);
    if (net->folds) {
        memset(work->folds, 0, net->folds * sizeof *work->folds);
    }
    work->folded = true;
    return work;
}

size_t lu_net_work_bytes(const lu_net *net, int rows) {
    size_t bytes;
    lu_net_work_delete(plan(net, rows, &bytes));
    return bytes;
}

void lu_net_work_delete(lu_net_work *work) {
    if (!work) {
        return;
    }
    free(work->tower[0].group);
    free(work->tower[1].group);
    free(work->branch);
    lu_arena_free(&work->arena);
    free(work);
}
