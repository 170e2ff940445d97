/* From observations to the input of the first layer: normalising, and the entity encoder, in which
 * each used slot passes a layer shared by the slots of its group, ReLU after the embeddings of its
 * ids, and a pool. Ids and the mark of use are read from the raw row: normalised they would mean
 * nothing. Slots that are not used are left out of the product; their feature counts as 0. Rows
 * without entities can be kept as the first layer takes them: inference makes them, training reads
 * them again. */
#include "net_internal.h"

#include "float_math.h"

#include <string.h>

void net_normalise(const lu_net *net, const lu_normaliser *normaliser, const float *row, int n,
                   float *to) {
    if (normaliser) {
        net->k->normalise(row, normaliser->shift, normaliser->scale, normaliser->clip, n, to);
    } else {
        memcpy(to, row, (size_t)n * sizeof *to);
    }
}

/* ---- forward ---- */

static int32_t read_id(float value, int vocabulary) {
    return value >= 0.0f && value < (float)vocabulary ? (int32_t)value : 0;
}

/* Notes the used slots of row r and copies their numbers and ids; returns the new count. */
static int gather_slots(const net_group *g, group_work *w, const float *raw, const float *norm,
                        int r, int base, int used) {
    const lu_group *group = g->group;
    for (int s = 0; s < group->slots; s++) {
        int at = g->offset + s * group->fields;
        if (group->presence >= 0 && !(raw[at + group->presence] > 0.0f)) {
            w->where[r * group->slots + s] = -1;
            continue;
        }
        size_t to = (size_t)(base + used++);
        w->where[r * group->slots + s] = (int32_t)to;
        for (int i = 0; i < g->numbers; i++) {
            w->x[to * w->x_stride + (size_t)i] = norm[at + g->number[i]];
        }
        for (int i = 0; i < g->ids; i++) {
            int f = g->id[i];
            w->ids[to * (size_t)g->ids + (size_t)i] =
                read_id(raw[at + f], group->field[f].vocabulary);
        }
    }
    return used;
}

static void slot_features(const lu_net *net, lu_net_work *work, const net_group *g, group_work *w,
                          int base, int used) {
    size_t width = (size_t)net->config.entity_width;
    net_rows x = {.at = w->x + (size_t)base * w->x_stride, .stride = w->x_stride};
    net_rows y = {.at = w->y + (size_t)base * w->y_stride, .stride = w->y_stride};
    if (g->numbers > 0) {
        net_dense_forward(net, work, &g->slot, used, x, y, g->ids ? LU_ACT_NONE : LU_ACT_RELU);
    } else {
        for (int i = 0; i < used; i++) {
            float *row = y.at + (size_t)i * y.stride;
            if (g->slot.bias == NET_NONE) {
                memset(row, 0, width * sizeof *row);
            } else {
                memcpy(row, net->block + g->slot.bias, width * sizeof *row);
            }
        }
    }
    for (int i = 0; i < used && g->ids; i++) {
        float *restrict row = y.at + (size_t)i * y.stride;
        const int32_t *ids = w->ids + ((size_t)base + (size_t)i) * (size_t)g->ids;
        for (int k = 0; k < g->ids; k++) {
            const float *restrict table = net->block + g->tables[k] + (size_t)ids[k] * width;
            for (size_t e = 0; e < width; e++) {
                row[e] += table[e];
            }
        }
        for (size_t e = 0; e < width; e++) {
            row[e] = 0.0f > row[e] ? 0.0f : row[e];
        }
    }
}

/* Features are not negative, so that a maximum that starts at 0 needs no special case: where it
 * stays 0 there is no gradient anyway. Of equal ones the first counts. */
static void pool_max(const int32_t *where, int slots, group_work *w, size_t width, int32_t *best,
                     float *restrict to) {
    for (size_t e = 0; e < width; e++) {
        to[e] = 0.0f;
        best[e] = -1;
    }
    for (int s = 0; s < slots; s++) {
        if (where[s] < 0) {
            continue;
        }
        const float *restrict row = w->y + (size_t)where[s] * w->y_stride;
        for (size_t e = 0; e < width; e++) {
            best[e] = row[e] > to[e] ? where[s] : best[e];
            to[e] = row[e] > to[e] ? row[e] : to[e];
        }
    }
}

static void pool_mean(const int32_t *where, int slots, group_work *w, size_t width,
                      float *restrict to) {
    int count = 0;
    memset(to, 0, width * sizeof *to);
    for (int s = 0; s < slots; s++) {
        if (where[s] < 0) {
            continue;
        }
        const float *restrict row = w->y + (size_t)where[s] * w->y_stride;
        count++;
        for (size_t e = 0; e < width; e++) {
            to[e] += row[e];
        }
    }
    float share = count ? 1.0f / (float)count : 0.0f;
    for (size_t e = 0; e < width; e++) {
        to[e] *= share;
    }
}

static void encode_group(const lu_net *net, lu_net_work *work, tower_work *tw, const net_group *g,
                         group_work *w, int first, int rows) {
    size_t width = (size_t)net->config.entity_width;
    int slots = g->group->slots;
    slot_features(net, work, g, w, first * slots, w->used[first / NET_BLOCK_ROWS]);
    for (int r = first; r < first + rows; r++) {
        const int32_t *where = w->where + r * slots;
        float *to = tw->x + (size_t)r * tw->x_stride + g->column;
        if (net->config.pool == NET_POOL_MAX) {
            pool_max(where, slots, w, width, w->best + (size_t)r * width, to);
        } else {
            pool_mean(where, slots, w, width, to);
        }
    }
}

/* Scalars and slots of the groups of one source (observation or critic block). */
static void gather_row(const net_tower *tower, tower_work *tw, bool critic, const float *raw,
                       const float *norm, int r, int first) {
    float *x = tw->x + (size_t)r * tw->x_stride;
    for (int i = 0; i < tower->groups; i++) {
        const net_group *g = &tower->group[i];
        if (g->critic != critic) {
            continue;
        }
        if (!g->pooled) {
            memcpy(x + g->column, norm + g->offset,
                   (size_t)lu_group_length(g->group) * sizeof(float));
            continue;
        }
        group_work *w = &tw->group[i];
        int32_t *used = &w->used[first / NET_BLOCK_ROWS];
        *used = gather_slots(g, w, raw, norm, r, first * g->group->slots, *used);
    }
}

static void encode_entities(const lu_net *net, lu_net_work *work, int t, const net_source *source,
                            int first, int rows) {
    const net_tower *tower = &net->tower[t];
    tower_work *tw = &work->tower[t];
    for (int g = 0; g < tower->groups; g++) {
        if (tower->group[g].pooled) {
            tw->group[g].used[first / NET_BLOCK_ROWS] = 0;
        }
    }
    for (int r = first; r < first + rows; r++) {
        const float *raw = net_row(source, r);
        net_normalise(net, source->normaliser, raw, net->observation, work->norm);
        gather_row(tower, tw, false, raw, work->norm, r, first);
        if (tower->critic) {
            raw = net_critic_row(source, r);
            net_normalise(net, source->critic_normaliser, raw, net->critic, work->norm);
            gather_row(tower, tw, true, raw, work->norm, r, first);
        }
    }
    for (int g = 0; g < tower->groups; g++) {
        if (tower->group[g].pooled) {
            encode_group(net, work, tw, &tower->group[g], &tw->group[g], first, rows);
        }
    }
}

/* A row without entities: its numbers, normalised. */
static void encode_flat(const lu_net *net, lu_net_work *work, int t, const net_source *source,
                        int r) {
    const net_tower *tower = &net->tower[t];
    tower_work *tw = &work->tower[t];
    float *x = tw->x16 ? work->norm : tw->x + (size_t)r * tw->x_stride;
    net_normalise(net, source->normaliser, net_row(source, r), net->observation, x);
    if (tower->critic) {
        net_normalise(net, source->critic_normaliser, net_critic_row(source, r), net->critic,
                      x + net->observation);
    }
    if (tw->x16) {
        net->k->to_bf16(x, 0, 1, tower->inputs, tw->x16 + (size_t)r * tw->x16_stride, 0);
    }
}

static void take_kept(const lu_net *net, tower_work *tw, const float *row, int r) {
    size_t bytes = lu_net_kept_bytes(net);
    if (tw->x16) {
        uint16_t *x = tw->x16 + (size_t)r * tw->x16_stride;
        memcpy(x, row, bytes);
        if (net->observation & 1) {
            x[net->observation] = 0; /* the partner of the last number */
        }
    } else {
        memcpy(tw->x + (size_t)r * tw->x_stride, row, bytes);
    }
}

void net_encode(const lu_net *net, lu_net_work *work, int t, const net_source *source, int first,
                int rows) {
    if (net->tower[t].groups) {
        encode_entities(net, work, t, source, first, rows);
        return;
    }
    for (int r = first; r < first + rows; r++) {
        if (source->kept) {
            take_kept(net, &work->tower[t], net_row(source, r), r);
        } else {
            encode_flat(net, work, t, source, r);
        }
    }
}

/* ---- rows that are kept ---- */

size_t lu_net_kept_bytes(const lu_net *net) {
    bool flat = net->critic == 0 && net->tower[0].groups == 0;
    size_t number = net->config.bf16 ? sizeof(uint16_t) : sizeof(float);
    return flat ? (size_t)net->observation * number : 0;
}

void net_keep(const lu_net *net, const lu_net_work *work, const net_source *source, int first,
              int rows) {
    const tower_work *tw = &work->tower[0];
    for (size_t r = (size_t)first; r < (size_t)(first + rows); r++) {
        const void *x = tw->x16 ? (const void *)(tw->x16 + r * tw->x16_stride)
                                : (const void *)(tw->x + r * tw->x_stride);
        memcpy(source->keep + r * source->stride, x, lu_net_kept_bytes(net));
    }
}

void lu_net_kept_row(const lu_net *net, const float *kept, float *row) {
    const uint16_t *narrow = (const uint16_t *)(const void *)kept;
    for (int i = 0; i < net->observation; i++) {
        row[i] = net->config.bf16 ? lu_float_from_bits((uint32_t)narrow[i] << 16) : kept[i];
    }
}

/* ---- backward ---- */

void net_slots_clear(const lu_net *net, lu_net_work *work, int t, int first, int rows) {
    const net_tower *tower = &net->tower[t];
    (void)rows;
    for (int g = 0; g < tower->groups; g++) {
        if (tower->group[g].pooled) {
            group_work *w = &work->tower[t].group[g];
            size_t base = (size_t)first * (size_t)tower->group[g].group->slots;
            size_t used = (size_t)w->used[first / NET_BLOCK_ROWS];
            memset(w->dy + base * w->y_stride, 0, used * w->y_stride * sizeof(float));
        }
    }
}

static void unpool(const lu_net *net, const net_group *g, group_work *w, int r, const float *dx) {
    size_t width = (size_t)net->config.entity_width;
    int slots = g->group->slots, count = 0;
    if (net->config.pool == NET_POOL_MAX) {
        const int32_t *best = w->best + (size_t)r * width;
        for (size_t e = 0; e < width; e++) {
            if (best[e] >= 0) {
                w->dy[(size_t)best[e] * w->y_stride + e] += dx[e];
            }
        }
        return;
    }
    const int32_t *where = w->where + r * slots;
    for (int s = 0; s < slots; s++) {
        count += where[s] >= 0;
    }
    float share = count ? 1.0f / (float)count : 0.0f;
    for (int s = 0; s < slots; s++) {
        for (size_t e = 0; e < width && where[s] >= 0; e++) {
            w->dy[(size_t)where[s] * w->y_stride + e] += dx[e] * share;
        }
    }
}

static void group_back(const lu_net *net, lu_net_work *work, const net_group *g, group_work *w,
                       int base, int used, float *gradient) {
    size_t width = (size_t)net->config.entity_width;
    net_rows x = {.at = w->x + (size_t)base * w->x_stride, .stride = w->x_stride};
    net_rows y = {.at = w->y + (size_t)base * w->y_stride, .stride = w->y_stride};
    net_rows dy = {.at = w->dy + (size_t)base * w->y_stride, .stride = w->y_stride};
    net_act_back(LU_ACT_RELU, used, (int)width, y, dy);
    for (int i = 0; i < used; i++) {
        const int32_t *ids = w->ids + ((size_t)base + (size_t)i) * (size_t)g->ids;
        const float *restrict from = dy.at + (size_t)i * dy.stride;
        for (int k = 0; k < g->ids; k++) {
            float *restrict to = gradient + g->tables[k] + (size_t)ids[k] * width;
            for (size_t e = 0; e < width; e++) {
                to[e] += from[e];
            }
        }
    }
    if (g->numbers > 0) {
        net_dense_grad(net, work, &g->slot, used, dy, x, gradient);
    } else if (used > 0 && g->slot.bias != NET_NONE) {
        net->k->bias_grad(dy.at, dy.stride, used, (int)width, gradient + g->slot.bias);
    }
}

void net_encode_back(const lu_net *net, lu_net_work *work, int t, int first, int rows,
                     float *gradient) {
    const net_tower *tower = &net->tower[t];
    tower_work *tw = &work->tower[t];
    for (int i = 0; i < tower->groups; i++) {
        const net_group *g = &tower->group[i];
        if (!g->pooled) {
            continue;
        }
        group_work *w = &tw->group[i];
        for (int r = 0; r < rows; r++) {
            unpool(net, g, w, first + r, tw->dx + (size_t)r * tw->x_stride + g->column);
        }
        group_back(net, work, g, w, first * g->group->slots, w->used[first / NET_BLOCK_ROWS],
                   gradient);
    }
}
