/* Building a net: settings, the list of tensors with torch names, the layers that stand on them.
 * Left out: packed weights (net_pack.c), first values (net_init.c), work spaces (net_work.c),
 * forward and backward (net_run.c and the files of the parts). */
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
     "Hidden layers: the encoder's plus those of the trunk.", false},
    {"net.activation", LU_ENUM, "relu", 0, 0, "relu|tanh|none",
     "Activation of the hidden layers; none gives a linear encoder in front of a memory.", false},
    {"net.bias", LU_BOOL, "true", 0, 0, NULL,
     "Biases in dense layers; an LSTM keeps its own either way.", false},
    {"net.memory", LU_ENUM, "none", 0, 0, "none|mingru|lstm",
     "Recurrent layers after the trunk: MinGRU with a highway, or LSTM.", false},
    {"net.memory_layers", LU_INT, "1", 1, NET_MAX_MEMORIES, NULL, "Recurrent layers.", false},
    {"net.encoder", LU_ENUM, "flat", 0, 0, "flat|entity",
     "Reads the observation as one flat row, or slot by slot with shared weights, embeddings and "
     "pooling.",
     false},
    {"net.entity_width", LU_INT, "32", 1, 1024, NULL, "Features per slot in the entity encoder.",
     false},
    {"net.pool", LU_ENUM, "max", 0, 0, "max|mean",
     "How the features of a group's used slots are pooled.", false},
    {"net.pointer", LU_BOOL, "true", 0, 0, NULL,
     "With the entity encoder: options that point at slots are scored from the slot's features.",
     false},
    {"net.critic", LU_ENUM, "shared", 0, 0, "shared|separate",
     "Value from the policy's features, or from a separate net.", false},
    {"net.critic_inputs", LU_BOOL, "true", 0, 0, NULL,
     "Gives the critic the game's critic-only block, if it has one.", false},
    {"net.precision", LU_ENUM, "fp32", 0, 0, "fp32|bf16|bf16tile|auto",
     "Type of the operands of matrix products; sums, parameters and losses are always fp32. "
     "bf16tile sums in the order of AMX tiles and gives the same bits, slowly, without them; auto "
     "takes the fastest one on this machine when a training starts.",
     false},
    {"net.products", LU_ENUM, "plain", 0, 0, "plain|strassen",
     "How fp32 training multiplies matrices of 128 x 128 and larger: plain, or by Strassen's "
     "algorithm with an eighth less work, where the last bits of a row depend on neighbouring "
     "rows. Inference is always plain.",
     false},
    {"net.heads", LU_ENUM, "independent", 0, 0, "independent|autoregressive",
     "Heads of a policy are independent of each other, or each reads the choices of the heads "
     "before it.",
     false},
    {"net.head_hidden", LU_LIST, "", 1, 4096, NULL,
     "With net.heads=autoregressive: widths of each head's hidden layers, such as 128,128; empty "
     "for none.",
     false},
    {"train.frames", LU_ALIAS, "net.frames", 0, 0, NULL, "Another name of net.frames.", false},
    {"net.frames", LU_LIST, "1", 0, 255, NULL,
     "Frame stacking: how many of the newest observations the net reads, or their ages in "
     "decisions, such as 0,2 (the newest and the one two before); at the start the first "
     "observation is repeated.",
     false},
    {"net.dueling", LU_BOOL, "false", 0, 0, NULL,
     "Q-networks: options as value plus advantage minus its mean over the head.", false},
};

const lu_table lu_net_table = {"net", net_rows_of_table,
                               (int)(sizeof net_rows_of_table / sizeof net_rows_of_table[0])};

/* Widths of the hidden layers of a head; how many, or -1. */
static int read_widths(const lu_settings *s, int *width) {
    const double *number;
    size_t count = lu_settings_list(s, "net.head_hidden", &number);
    for (size_t i = 0; i < count; i++) {
        if (i >= NET_MAX_BRANCH || number[i] != (double)(int)number[i]) {
            return -1;
        }
        width[i] = (int)number[i];
    }
    return (int)count;
}

static net_config read_config(const lu_settings *s) {
    static const lu_activation acts[] = {LU_ACT_RELU, LU_ACT_TANH, LU_ACT_NONE};
    net_config config = {
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
        .bf16 = net_precision_of(s) != NET_FP32,
        .tile = net_precision_of(s) == NET_TILE,
        .dueling = lu_settings_bool(s, "net.dueling"),
        .strassen = lu_settings_enum(s, "net.products") == 1,
        .series = lu_settings_enum(s, "net.heads") == 1,
        .frames = lu_frames_read(s),
    };
    config.branch_layers = read_widths(s, config.branch_width);
    return config;
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
                               "%s: two tensors are called '%s'; groups, fields and heads need "
                               "names that differ in letters and digits",
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

/* Columns of the head matrix for a head in series. */
static void place_branch(lu_net *net, int h) {
    const lu_head *head = &net->game->head[h];
    net_branch *branch = &net->branch[h];
    int out = head->options;
    branch->pointer = -1;
    for (int p = 0; p < net->pointers; p++) {
        if (net->pointer[p].head == h) {
            branch->pointer = p;
            out += net->config.entity_width - net->pointer[p].count;
        }
    }
    branch->table = NET_NONE;
    branch->layers = net->config.branch_layers;
    branch->column = net->linear;
    branch->first = head->unused ? 0 : branch->layers ? net->config.branch_width[0] : out;
    net->linear += branch->first;
    for (int i = 0, in = branch->first; i < branch->layers; i++) {
        bool last = i + 1 == branch->layers;
        int width = last ? out : net->config.branch_width[i + 1];
        branch->layer[i] = (net_layer){.in = in, .out = width};
        in = width;
    }
}

/* What stands behind the columns of the head matrix. */
static void add_branch(lu_net *net, int h) {
    net_branch *branch = &net->branch[h];
    char name[160];
    if (branch->first == 0) {
        return;
    }
    if (h > 0) {
        branch->table = add_tensor(net, net->head_offset[h], branch->first, "choice.%s.weight",
                                   net->game->head[h].name);
        net->is_table[net->tensors - 1] = 1;
    }
    for (int i = 0; i < branch->layers; i++) {
        bool last = i + 1 == branch->layers;
        snprintf(name, sizeof name, "head.%s.%d", net->game->head[h].name, i + 1);
        branch->layer[i] = add_layer(net, name, branch->layer[i].in, branch->layer[i].out,
                                     last ? LU_ACT_NONE : net->config.activation, true, true);
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
    for (int p = 0; p < net->queries; p++) {
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
    for (int p = 0; p < net->queries && c->bias; p++) {
        net->pointer[p].bias = add_tensor(net, c->entity_width, 0, "pointer.%s.bias",
                                          net->game->head[net->pointer[p].head].name);
    }
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
    net->queries = net->branch ? 0 : net->pointers;
    net->linear = net->branch ? 0 : net->linear;
    for (int h = 0; h < net->game->heads && net->branch; h++) {
        place_branch(net, h);
    }
    add_heads(net);
    for (int h = 0; h < net->game->heads && net->branch; h++) {
        add_branch(net, h);
    }
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

/* What cannot be combined. */
static lu_status check_config(lu_net_kind kind, const net_config *config, lu_error *error) {
    if (config->strassen && config->bf16) {
        return lu_fail(error, LU_BAD_VALUE,
                       "net.products=strassen multiplies in fp32; set net.precision=fp32 or "
                       "net.products=plain");
    }
    if (config->series && kind == LU_NET_Q) {
        return lu_fail(error, LU_BAD_VALUE,
                       "net.heads=autoregressive is for policies, but this is a Q-network; train "
                       "with ppo or set net.heads=independent");
    }
    if (config->branch_layers < 0) {
        return lu_fail(error, LU_BAD_VALUE, "net.head_hidden takes up to %d integers",
                       NET_MAX_BRANCH);
    }
    if (config->branch_layers > 0 && !config->series) {
        return lu_fail(
            error, LU_BAD_VALUE,
            "net.head_hidden needs net.heads=autoregressive; set that or leave it empty");
    }
    return LU_OK;
}

/* Everything but memory for the parameters. */
static lu_net *plan(const lu_game *game, lu_net_kind kind, const net_config *config,
                    lu_error *error) {
    if (check_config(kind, config, error) != LU_OK) {
        return NULL;
    }
    if (net_check_frames(config, error) != LU_OK) {
        return NULL;
    }
    lu_net *net = lu_alloc_zero(1, sizeof *net);
    net->game = game;
    net->kind = kind;
    net->config = *config;
    net->k = lu_kernels_best();
    net->logits = lu_game_mask_length(game);
    net->observation = config->frames.count * lu_game_observation_length(game);
    for (int h = 0; h <= game->heads; h++) {
        net->head_offset[h] = lu_game_head_offset(game, h);
    }
    net->column = lu_alloc_zero((size_t)net->logits + 1, sizeof *net->column);
    net->tensor = lu_alloc_zero(NET_MAX_TENSORS, sizeof *net->tensor);
    net->is_table = lu_alloc_zero(NET_MAX_TENSORS, 1);
    if (config->series) {
        net->branch = lu_alloc_zero((size_t)game->heads, sizeof *net->branch);
    }
    add_all(net);
    net_place_folds(net);
    if (check_names(net, error) != LU_OK) {
        lu_net_delete(net);
        return NULL;
    }
    return net;
}

static lu_net *build(const lu_game *game, lu_net_kind kind, const net_config *config,
                     lu_error *error) {
    lu_net *net = plan(game, kind, config, error);
    if (!net) {
        return NULL;
    }
    lu_arena_init(&net->arena, lu_net_bytes(net));
    net->block = lu_arena_take(&net->arena, net->parameters * sizeof(float), 64);
    net_take_packed(net);
    net_cut(net);
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
    free(net->branch);
    free(net->column);
    free(net->tensor);
    free(net->is_table);
    free(net->piece);
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

bool lu_net_in_series(const lu_net *net) {
    return net->branch;
}

int lu_net_critic_inputs(const lu_net *net) {
    return net->critic;
}
