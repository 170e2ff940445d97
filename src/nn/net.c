/* Building a net: settings, the list of tensors with torch names, the layers that stand on them,
 * packing. Left out: first values (net_init.c), work spaces (net_work.c), forward and backward
 * (net_run.c and the files of the parts). */
#include "net_internal.h"

#include <assert.h>
#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const lu_setting net_rows_of_table[] = {
    {"net.hidden", LU_INT, "256", 1, 4096, NULL, "Width of every hidden layer and of the memory.",
     false},
    {"net.layers", LU_INT, "2", 1, NET_MAX_LAYERS, NULL,
     "Hidden layers: the encoder's and those of the trunk behind it.", false},
    {"net.activation", LU_ENUM, "relu", 0, 0, "relu|tanh|none",
     "Activation of the hidden layers; none makes a linear encoder in front of a memory.", false},
    {"net.bias", LU_BOOL, "true", 0, 0, NULL,
     "Biases in dense layers; an LSTM keeps its own either way.", false},
    {"net.memory", LU_ENUM, "none", 0, 0, "none|mingru|lstm",
     "Recurrent layers behind the trunk: MinGRU with highway, or LSTM.", false},
    {"net.memory_layers", LU_INT, "1", 1, NET_MAX_MEMORIES, NULL, "Recurrent layers.", false},
    {"net.encoder", LU_ENUM, "flat", 0, 0, "flat|entity",
     "Observation as one row of numbers, or slot by slot with shared weights, embeddings and a "
     "pool.",
     false},
    {"net.entity_width", LU_INT, "32", 1, 1024, NULL, "Features of a slot in the entity encoder.",
     false},
    {"net.pool", LU_ENUM, "max", 0, 0, "max|mean",
     "How the features of the used slots of a group become one row.", false},
    {"net.pointer", LU_BOOL, "true", 0, 0, NULL,
     "With the entity encoder: options that point at slots are scored by the slot's features.",
     false},
    {"net.critic", LU_ENUM, "shared", 0, 0, "shared|separate",
     "Value from the policy's features, or from a net of its own.", false},
    {"net.critic_inputs", LU_BOOL, "true", 0, 0, NULL,
     "Give the critic the game's critic-only block, where it has one.", false},
    {"net.precision", LU_ENUM, "fp32", 0, 0, "fp32|bf16",
     "Operands of the matrix products; sums, parameters and losses are fp32 in both.", false},
    {"net.products", LU_ENUM, "plain", 0, 0, "plain|strassen",
     "How fp32 training multiplies matrices of 128 x 128 and more: plain, or by Strassen's rule "
     "with an eighth less work, where the last bits of a row depend on the rows beside it. "
     "Inference is always plain.",
     false},
    {"net.dueling", LU_BOOL, "false", 0, 0, NULL,
     "Q nets: options as value plus advantage less its mean over the head.", false},
};

const lu_table lu_net_table = {"net", net_rows_of_table,
                               (int)(sizeof net_rows_of_table / sizeof net_rows_of_table[0])};

static net_config read_config(const lu_settings *s) {
    static const lu_activation acts[] = {LU_ACT_RELU, LU_ACT_TANH, LU_ACT_NONE};
    return (net_config){
        .hidden = (int)lu_settings_int(s, "net.hidden"),
        .layers = (int)lu_settings_int(s, "net.layers"),
        .memory_layers = (int)lu_settings_int(s, "net.memory_layers"),
        .entity_width = (int)lu_settings_int(s, "net.entity_width"),
        .activation = acts[lu_settings_enum(s, "net.activation")],
        .bias = lu_settings_bool(s, "net.bias"),
        .memory = (net_memory)lu_settings_enum(s, "net.memory"),
        .pool = (net_pool)lu_settings_enum(s, "net.pool"),
        .entity = lu_settings_enum(s, "net.encoder") == 1,
        .pointer = lu_settings_bool(s, "net.pointer"),
        .separate = lu_settings_enum(s, "net.critic") == 1,
        .critic_inputs = lu_settings_bool(s, "net.critic_inputs"),
        .bf16 = lu_settings_enum(s, "net.precision") == 1,
        .dueling = lu_settings_bool(s, "net.dueling"),
        .strassen = lu_settings_enum(s, "net.products") == 1,
    };
}

/* ---- tensors ---- */

/* What is no letter, digit, dot or '_' in a name becomes '_'. */
static void clean_name(char *name) {
    for (char *c = name; *c; c++) {
        if (!isalnum((unsigned char)*c) && *c != '.') {
            *c = '_';
        }
    }
}

/* Appends a tensor to the block and returns its offset; cols 0 makes a vector. */
static size_t add_tensor(lu_net *net, int rows, int cols, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
static size_t add_tensor(lu_net *net, int rows, int cols, const char *format, ...) {
    assert(net->tensors < NET_MAX_TENSORS);
    lu_tensor *t = &net->tensor[net->tensors++];
    va_list list;
    va_start(list, format);
    vsnprintf(t->name, sizeof t->name, format, list);
    va_end(list);
    clean_name(t->name);
    t->rank = cols ? 2 : 1;
    t->shape[0] = rows;
    t->shape[1] = cols ? cols : 1;
    t->shape[2] = 1;
    t->offset = net->parameters;
    t->count = (size_t)rows * (size_t)(cols ? cols : 1);
    net->parameters += t->count;
    return t->offset;
}

static net_layer add_layer(lu_net *net, const char *prefix, int in, int out, lu_activation act,
                           bool bias, bool passes) {
    net_layer layer = {.in = in, .out = out, .act = act, .bias = NET_NONE, .passes = passes};
    layer.weight = in > 0 ? add_tensor(net, out, in, "%s.weight", prefix) : NET_NONE;
    if (bias && net->config.bias) {
        layer.bias = add_tensor(net, out, 0, "%s.bias", prefix);
    }
    return layer;
}

/* Two tensors of one name, or a name cut at its end, would make a file that cannot be read back. */
static lu_status check_names(const lu_net *net, lu_error *error) {
    for (int i = 0; i < net->tensors; i++) {
        const char *name = net->tensor[i].name;
        if (strlen(name) + 1 >= sizeof net->tensor[i].name) {
            return lu_fail(error, LU_BAD_DATA,
                           "%s: the name of tensor '%s' is too long; shorten the group's or "
                           "field's name",
                           net->game->id, name);
        }
        for (int j = 0; j < i; j++) {
            if (strcmp(name, net->tensor[j].name) == 0) {
                return lu_fail(error, LU_BAD_DATA,
                               "%s: two tensors are called '%s'; groups and fields need names "
                               "that differ in letters and digits",
                               net->game->id, name);
            }
        }
    }
    return LU_OK;
}

/* ---- towers ---- */

static void split_fields(net_group *g) {
    const lu_group *group = g->group;
    g->number = lu_alloc_zero((size_t)group->fields + 1, sizeof *g->number);
    g->id = lu_alloc_zero((size_t)group->fields + 1, sizeof *g->id);
    g->tables = lu_alloc_zero((size_t)group->fields + 1, sizeof *g->tables);
    for (int f = 0; f < group->fields; f++) {
        if (g->pooled && group->field[f].vocabulary > 0) {
            g->id[g->ids++] = f;
        } else {
            g->number[g->numbers++] = f;
        }
    }
}

static void add_group(lu_net *net, net_group *g, const char *prefix) {
    char name[160];
    int width = net->config.entity_width;
    snprintf(name, sizeof name, "%sencoder.%s%s", prefix, g->critic ? "hidden." : "",
             g->group->name);
    g->slot = add_layer(net, name, g->numbers, width, LU_ACT_RELU, true, false);
    for (int i = 0; i < g->ids; i++) {
        const lu_field *field = &g->group->field[g->id[i]];
        g->tables[i] = add_tensor(net, field->vocabulary, width, "%s.%s.weight", name, field->name);
        net->is_table[net->tensors - 1] = 1;
    }
}

static void add_groups(lu_net *net, net_tower *tower, const char *prefix) {
    const lu_game *game = net->game;
    int count = game->groups + (tower->critic ? game->critic_groups : 0);
    tower->group = lu_alloc_zero((size_t)count, sizeof *tower->group);
    tower->groups = count;
    int offset = 0, column = 0;
    for (int i = 0; i < count; i++) {
        net_group *g = &tower->group[i];
        g->critic = i >= game->groups;
        offset = i == game->groups ? 0 : offset;
        g->group = g->critic ? &game->critic_group[i - game->groups] : &game->group[i];
        g->offset = offset;
        g->column = column;
        g->pooled = g->group->kind != LU_SCALARS;
        split_fields(g);
        if (g->pooled) {
            add_group(net, g, prefix);
        }
        offset += lu_group_length(g->group);
        column += g->pooled ? net->config.entity_width : lu_group_length(g->group);
    }
    tower->inputs = column;
}

static void add_memories(lu_net *net, net_tower *tower, const char *prefix) {
    const net_config *c = &net->config;
    char name[160];
    tower->memories = c->memory == NET_MEMORY_NONE ? 0 : c->memory_layers;
    for (int i = 0; i < tower->memories; i++) {
        int h = c->hidden;
        snprintf(name, sizeof name, "%smemory.%d", prefix, i);
        if (c->memory == NET_MEMORY_MINGRU) {
            tower->memory[i] = add_layer(net, name, h, 3 * h, LU_ACT_NONE, false, true);
            continue;
        }
        net_layer *in = &tower->memory[i], *re = &tower->recurrent[i];
        *in = (net_layer){.in = h, .out = 4 * h, .act = LU_ACT_NONE, .passes = true};
        *re = *in;
        in->weight = add_tensor(net, 4 * h, h, "%s.weight_ih", name);
        re->weight = add_tensor(net, 4 * h, h, "%s.weight_hh", name);
        in->bias = add_tensor(net, 4 * h, 0, "%s.bias_ih", name);
        re->bias = add_tensor(net, 4 * h, 0, "%s.bias_hh", name);
    }
    tower->memory_at = net->memory_floats;
    int states = c->memory == NET_MEMORY_LSTM ? 2 : 1;
    net->memory_floats += (size_t)(tower->memories * states * c->hidden);
}

static void add_tower(lu_net *net, net_tower *tower, const char *prefix) {
    const net_config *c = &net->config;
    char name[160];
    tower->inputs = net->observation + (tower->critic ? net->critic : 0);
    if (c->entity) {
        add_groups(net, tower, prefix);
    }
    tower->layers = c->layers;
    snprintf(name, sizeof name, "%sencoder", prefix);
    tower->layer[0] =
        add_layer(net, name, tower->inputs, c->hidden, c->activation, true, c->entity);
    for (int i = 1; i < c->layers; i++) {
        snprintf(name, sizeof name, "%strunk.%d", prefix, i - 1);
        tower->layer[i] = add_layer(net, name, c->hidden, c->hidden, c->activation, true, true);
    }
    add_memories(net, tower, prefix);
}

/* ---- heads ---- */

/* Which logits are columns of the head matrix and which are pointed at. */
static void place_logits(lu_net *net) {
    const lu_game *game = net->game;
    for (int h = 0; h < game->heads; h++) {
        const lu_head *head = &game->head[h];
        int pointed = 0;
        if (net->config.entity && net->config.pointer && head->points_at >= 0 && !head->unused &&
            net->tower[0].group[head->points_at].pooled) {
            int slots = game->group[head->points_at].slots;
            pointed = head->options < slots ? head->options : slots;
            net->pointer[net->pointers++] = (net_pointer){.head = h,
                                                          .group = head->points_at,
                                                          .logit = net->head_offset[h],
                                                          .count = pointed};
        }
        for (int o = 0; o < head->options; o++) {
            net->column[net->head_offset[h] + o] = o < pointed ? -1 : net->linear++;
        }
    }
}

/* head.weight, then the weights of the queries, then the biases of both: one matrix to the kernels,
 * several tensors to the world. */
static void add_heads(lu_net *net) {
    const net_config *c = &net->config;
    bool own_row = net->kind == LU_NET_Q ? c->dueling : !net->mixed && !c->separate;
    net->value_column = own_row ? net->linear : -1;
    int rows = net->linear + (own_row ? 1 : 0);
    net->head = (net_layer){.in = c->hidden,
                            .out = rows,
                            .act = LU_ACT_NONE,
                            .weight = net->parameters,
                            .passes = true};
    if (rows > 0) {
        add_tensor(net, rows, c->hidden, "head.weight");
    }
    for (int p = 0; p < net->pointers; p++) {
        net_pointer *pointer = &net->pointer[p];
        pointer->weight = add_tensor(net, c->entity_width, c->hidden, "pointer.%s.weight",
                                     net->game->head[pointer->head].name);
        pointer->column = net->head.out;
        net->head.out += c->entity_width;
    }
    net->head.bias = c->bias ? net->parameters : NET_NONE;
    if (rows > 0 && c->bias) {
        add_tensor(net, rows, 0, "head.bias");
    }
    for (int p = 0; p < net->pointers && c->bias; p++) {
        net->pointer[p].bias = add_tensor(net, c->entity_width, 0, "pointer.%s.bias",
                                          net->game->head[net->pointer[p].head].name);
    }
}

/* ---- packed weights ---- */

/* Calls `visit` for every layer that has weights, in the order of the block. */
typedef void layer_visit(lu_net *net, net_layer *layer, void *context);

static void each_layer(lu_net *net, layer_visit *visit, void *context) {
    for (int t = 0; t < net->towers; t++) {
        net_tower *tower = &net->tower[t];
        for (int g = 0; g < tower->groups; g++) {
            if (tower->group[g].pooled && tower->group[g].numbers > 0) {
                visit(net, &tower->group[g].slot, context);
            }
        }
        for (int i = 0; i < tower->layers; i++) {
            visit(net, &tower->layer[i], context);
        }
        for (int i = 0; i < tower->memories; i++) {
            visit(net, &tower->memory[i], context);
            if (net->config.memory == NET_MEMORY_LSTM) {
                visit(net, &tower->recurrent[i], context);
            }
        }
    }
    visit(net, &net->head, context);
    if (net->mixed) {
        visit(net, &net->mix, context);
    }
    if (net->value.out) {
        visit(net, &net->value, context);
    }
}

static size_t lines(size_t bytes) {
    return (bytes + 63) / 64 * 64;
}

static void count_packed(lu_net *net, net_layer *l, void *context) {
    size_t unit = net->config.bf16 ? sizeof(uint16_t) : sizeof(float);
    size_t forward =
        net->config.bf16 ? lu_packed_bf16s(l->out, l->in) : lu_packed_floats(l->out, l->in);
    size_t back =
        net->config.bf16 ? lu_packed_bf16s(l->in, l->out) : lu_packed_floats(l->in, l->out);
    size_t bytes = lines(forward * unit) + (l->passes ? lines(back * unit) : 0);
    if (net_strassen_fits(net, l->out, l->in)) {
        bytes +=
            lines(net_strassen_floats(l->out, l->in) * unit) + lines((size_t)l->out / 2 * unit);
    }
    if (l->passes && net_strassen_fits(net, l->in, l->out)) {
        bytes += lines(net_strassen_floats(l->in, l->out) * unit);
    }
    *(size_t *)context += bytes;
}

static void take_packed(lu_net *net, net_layer *l, void *context) {
    (void)context;
    if (net_strassen_fits(net, l->out, l->in)) {
        l->strassen_forward =
            lu_arena_take(&net->arena, net_strassen_floats(l->out, l->in) * 4, 64);
        l->bias_step = lu_arena_take(&net->arena, (size_t)l->out / 2 * 4, 64);
    }
    if (l->passes && net_strassen_fits(net, l->in, l->out)) {
        l->strassen_back = lu_arena_take(&net->arena, net_strassen_floats(l->in, l->out) * 4, 64);
    }
    if (net->config.bf16) {
        l->forward16 = lu_arena_take(&net->arena, lu_packed_bf16s(l->out, l->in) * 2, 64);
        l->back16 =
            l->passes ? lu_arena_take(&net->arena, lu_packed_bf16s(l->in, l->out) * 2, 64) : NULL;
    } else {
        l->forward = lu_arena_take(&net->arena, lu_packed_floats(l->out, l->in) * 4, 64);
        l->back =
            l->passes ? lu_arena_take(&net->arena, lu_packed_floats(l->in, l->out) * 4, 64) : NULL;
    }
}

static void pack_forward(const lu_net *net, const net_layer *l) {
    const float *w = net->block + l->weight;
    if (net->config.bf16) {
        net->k->pack_forward_bf16(w, (size_t)l->in, l->out, l->in, l->forward16);
    } else {
        net->k->pack_forward(w, (size_t)l->in, l->out, l->in, l->forward);
    }
}

static void pack_back(const lu_net *net, const net_layer *l) {
    const float *w = net->block + l->weight;
    if (l->passes && net->config.bf16) {
        net->k->pack_back_bf16(w, (size_t)l->in, l->out, l->in, l->back16);
    } else if (l->passes) {
        net->k->pack_back(w, (size_t)l->in, l->out, l->in, l->back);
    }
}

/* Sums of products of quarters that wait for their layer's gradient. */
static void place_fold(lu_net *net, net_layer *l, void *context) {
    (void)context;
    int columns = l->in / 64 * 64; /* the few others are not made of quarters */
    if (net_strassen_fits(net, l->out, columns)) {
        l->fold_columns = columns;
        l->fold = net->folds;
        net->folds += (size_t)l->out * (size_t)columns;
    }
}

typedef struct fold_job {
    lu_net_work *work;
    float *gradient;
} fold_job;

static void fold_layer(lu_net *net, net_layer *l, void *context) {
    const fold_job *job = context;
    net_strassen_fold(net, job->work, l, job->gradient);
}

void net_fold(const lu_net *net, lu_net_work *work, float *gradient) {
    each_layer((lu_net *)net, fold_layer, &(fold_job){work, gradient});
    work->folded = true;
}

/* Which of the packed copies a visit fills: four of each layer. */
typedef struct pack_turn {
    int wanted, count;
} pack_turn;

static void pack_layer(lu_net *net, net_layer *l, void *context) {
    pack_turn *turn = context;
    if (turn->count++ == turn->wanted) {
        pack_forward(net, l);
    }
    if (turn->count++ == turn->wanted) {
        pack_back(net, l);
    }
    if (turn->count++ == turn->wanted) {
        net_strassen_pack_forward(net, l);
    }
    if (turn->count++ == turn->wanted) {
        net_strassen_pack_back(net, l);
    }
}

void net_pack_piece(void *net, int index) {
    each_layer(net, pack_layer, &(pack_turn){index, 0});
}

int net_pack_pieces(lu_net *net) {
    pack_turn none = {-1, 0};
    each_layer(net, pack_layer, &none);
    return none.count;
}

void lu_net_pack(lu_net *net) {
    int pieces = net_pack_pieces(net);
    for (int i = 0; i < pieces; i++) {
        net_pack_piece(net, i);
    }
}

void net_use_kernels(lu_net *net, const lu_kernels *kernels) {
    net->k = kernels;
    lu_net_pack(net);
}

/* ---- the net ---- */

static void add_all(lu_net *net) {
    const net_config *c = &net->config;
    bool critic = c->critic_inputs && net->kind == LU_NET_POLICY;
    net->critic = critic ? lu_game_critic_length(net->game) : 0;
    bool separate = c->separate && net->kind == LU_NET_POLICY;
    net->mixed = !separate && net->critic > 0;
    net->towers = separate ? 2 : 1;
    add_tower(net, &net->tower[0], "");
    place_logits(net);
    add_heads(net);
    if (separate) {
        net->tower[1].critic = net->critic > 0;
        add_tower(net, &net->tower[1], "critic.");
    } else if (net->mixed) {
        net->mix = add_layer(net, "critic.encoder", c->hidden + net->critic, c->hidden,
                             c->activation, true, true);
    }
    if (separate || net->mixed) {
        net->value = add_layer(net, "critic.head", c->hidden, 1, LU_ACT_NONE, true, true);
    }
    net->has_value = net->value_column >= 0 || net->value.out > 0;
}

/* Everything but memory for the parameters. */
static lu_net *plan(const lu_game *game, lu_net_kind kind, const net_config *config,
                    lu_error *error) {
    if (config->strassen && config->bf16) {
        lu_fail(error, LU_BAD_VALUE,
                "net.products=strassen multiplies in fp32; set net.precision=fp32 or "
                "net.products=plain");
        return NULL;
    }
    lu_net *net = lu_alloc_zero(1, sizeof *net);
    net->game = game;
    net->kind = kind;
    net->config = *config;
    net->k = lu_kernels_best();
    net->logits = lu_game_mask_length(game);
    net->observation = lu_game_observation_length(game);
    for (int h = 0; h <= game->heads; h++) {
        net->head_offset[h] = lu_game_head_offset(game, h);
    }
    net->column = lu_alloc_zero((size_t)net->logits + 1, sizeof *net->column);
    net->tensor = lu_alloc_zero(NET_MAX_TENSORS, sizeof *net->tensor);
    net->is_table = lu_alloc_zero(NET_MAX_TENSORS, 1);
    add_all(net);
    each_layer(net, place_fold, NULL);
    if (check_names(net, error) != LU_OK) {
        lu_net_delete(net);
        return NULL;
    }
    return net;
}

size_t lu_net_bytes(lu_net *net) {
    size_t bytes = lines(net->parameters * sizeof(float)) + 64;
    each_layer(net, count_packed, &bytes);
    return bytes;
}

static lu_net *build(const lu_game *game, lu_net_kind kind, const net_config *config,
                     lu_error *error) {
    lu_net *net = plan(game, kind, config, error);
    if (!net) {
        return NULL;
    }
    lu_arena_init(&net->arena, lu_net_bytes(net));
    net->block = lu_arena_take(&net->arena, net->parameters * sizeof(float), 64);
    each_layer(net, take_packed, NULL);
    return net;
}

lu_status lu_net_count(const lu_game *game, lu_net_kind kind, const lu_settings *settings,
                       size_t *parameters, lu_error *error) {
    net_config config = read_config(settings);
    lu_net *net = plan(game, kind, &config, error);
    *parameters = net ? net->parameters : 0;
    lu_net_delete(net);
    return net ? LU_OK : error->status;
}

lu_net *lu_net_plan(const lu_game *game, lu_net_kind kind, const lu_settings *settings,
                    lu_error *error) {
    net_config config = read_config(settings);
    return plan(game, kind, &config, error);
}

lu_net *lu_net_new_blank(const lu_game *game, lu_net_kind kind, const lu_settings *settings,
                         lu_error *error) {
    net_config config = read_config(settings);
    return build(game, kind, &config, error);
}

lu_net *lu_net_new(const lu_game *game, lu_net_kind kind, const lu_settings *settings,
                   lu_error *error) {
    lu_net *net = lu_net_new_blank(game, kind, settings, error);
    if (net) {
        lu_net_init(net, 0);
    }
    return net;
}

lu_net *lu_net_copy(const lu_net *net) {
    lu_net *copy = build(net->game, net->kind, &net->config, NULL);
    assert(copy);
    memcpy(copy->block, net->block, net->parameters * sizeof(float));
    net_use_kernels(copy, net->k);
    return copy;
}

void lu_net_delete(lu_net *net) {
    if (!net) {
        return;
    }
    for (int t = 0; t < 2; t++) {
        for (int g = 0; g < net->tower[t].groups; g++) {
            free(net->tower[t].group[g].number);
            free(net->tower[t].group[g].id);
            free(net->tower[t].group[g].tables);
        }
        free(net->tower[t].group);
    }
    free(net->column);
    free(net->tensor);
    free(net->is_table);
    lu_arena_free(&net->arena);
    free(net);
}

const lu_game *lu_net_game(const lu_net *net) {
    return net->game;
}

lu_net_kind lu_net_kind_of(const lu_net *net) {
    return net->kind;
}

size_t lu_net_parameters(const lu_net *net) {
    return net->parameters;
}

float *lu_net_block(lu_net *net) {
    return net->block;
}

int lu_net_tensors(const lu_net *net) {
    return net->tensors;
}

const lu_tensor *lu_net_tensor(const lu_net *net, int index) {
    assert(index >= 0 && index < net->tensors);
    return &net->tensor[index];
}

int lu_net_logits(const lu_net *net) {
    return net->logits;
}

size_t lu_net_memory_floats(const lu_net *net) {
    return net->memory_floats;
}

int lu_net_critic_inputs(const lu_net *net) {
    return net->critic;
}
