/* Minibatches: which units (rows, or segments of rows) come next, in a keyed random order without a
 * table or drawn by priority, the normalisation of their advantages, and their rows gathered for
 * the net. A minibatch is cut into gradient shards of almost equal length, by its size alone:
 * threads that share them end together. */
#include "ppo_internal.h"

#include "ludus/math.h"

#include <string.h>

/* ---- order ---- */

/* A Feistel network on two halves that may differ by a bit: each round changes one half by a
 * function of the other, which any function can do and undo. */
static uint64_t feistel(uint64_t key, int bits, uint64_t x) {
    int low = bits / 2, high = bits - low;
    uint64_t low_mask = ((uint64_t)1 << low) - 1, high_mask = ((uint64_t)1 << high) - 1;
    uint64_t a = x & low_mask, b = x >> low;
    for (uint64_t round = 0; round < 6; round += 2) {
        a ^= lu_mix64(key + (round << 40 | b)) & low_mask;
        b ^= lu_mix64(key + ((round + 1) << 40 | a)) & high_mask;
    }
    return b << low | a;
}

uint32_t lu_shuffled(uint64_t key, uint32_t count, uint32_t index) {
    if (count < 2) {
        return 0;
    }
    int bits = 32 - __builtin_clz(count - 1);
    uint64_t x = index;
    /* a number out of range is sent on; the walk comes back into range since the map is a
     * permutation, after less than two rounds on average */
    do {
        x = feistel(key, bits, x);
    } while (x >= count);
    return (uint32_t)x;
}

/* First unit whose running sum is above x. */
static uint32_t find_unit(const double *sums, int units, double x) {
    int low = 0, high = units - 1;
    while (low < high) {
        int middle = low + (high - low) / 2;
        if (sums[middle] > x) {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    return (uint32_t)low;
}

static double unit_priority(const ppo_trainer *t, int unit) {
    int group = unit / t->base.rows, row = unit % t->base.rows;
    double sum = 0.0;
    for (int step = 0; step < t->unit_steps; step++) {
        size_t at = (size_t)(group * t->unit_steps + step) * (size_t)t->base.rows + (size_t)row;
        sum += lu_fabs((double)t->batch.advantage[at]);
    }
    return lu_pow(sum + 1e-6, t->config.prioritise);
}

/* ---- one minibatch ---- */

void ppo_minibatch_size(const ppo_trainer *t, ppo_minibatch *mini, int units) {
    int gradients = train_gradients(units * t->unit_steps);
    mini->gradients = gradients < units ? gradients : units;
    mini->units = units;
    mini->grain = t->by_segment ? 1 : TRAIN_DOZEN;
}

ppo_range ppo_gradient_units(const ppo_minibatch *mini, int gradient) {
    int64_t grains = mini->units / mini->grain;
    int from = (int)(grains * gradient / mini->gradients) * mini->grain;
    int to = (int)(grains * (gradient + 1) / mini->gradients) * mini->grain;
    return (ppo_range){from, gradient + 1 < mini->gradients ? to : mini->units};
}

/* Minibatch `number` of a part: its size and where its places lie. */
static void set_minibatch(const ppo_trainer *t, int number, ppo_minibatch *m) {
    int64_t units = t->units;
    m->first = (int)(units * number / t->minibatches);
    ppo_minibatch_size(t, m, (int)(units * (number + 1) / t->minibatches) - m->first);
    m->index = t->index + m->first;
    m->weight = t->weight ? t->weight + m->first : NULL;
}

static void choose_place(const ppo_trainer *t, const ppo_minibatch *m, int number, int place) {
    if (t->config.prioritise <= 0.0) {
        m->index[place] = lu_shuffled(t->key, (uint32_t)t->units, (uint32_t)(m->first + place));
        return;
    }
    lu_rng rng = lu_rng_from(lu_mix(t->key, (uint64_t)number + 1, (uint64_t)place));
    double total = t->priority[t->units - 1], x = lu_rng_unit(&rng) * total;
    uint32_t unit = find_unit(t->priority, t->units, x);
    double p = (t->priority[unit] - (unit ? t->priority[unit - 1] : 0.0)) / total;
    double progress = (double)t->base.updates / (double)t->base.updates_total;
    double beta = t->config.prioritise_beta +
                  (1.0 - t->config.prioritise_beta) * (progress < 1.0 ? progress : 1.0);
    m->index[place] = unit;
    LU_ASSERT(m->weight);
    m->weight[place] = (float)lu_pow((double)t->units * p, -beta);
}

static void add_place(const ppo_trainer *t, uint32_t unit, ppo_spread *spread) {
    int group = (int)unit / t->base.rows, row = (int)unit % t->base.rows;
    for (int step = 0; step < t->unit_steps; step++) {
        size_t at = (size_t)(group * t->unit_steps + step) * (size_t)t->base.rows + (size_t)row;
        if (!(t->batch.flags[at] & FLAG_WAITS)) {
            double a = (double)t->batch.advantage[at];
            spread->count += 1.0;
            spread->sum += a;
            spread->square += a * a;
        }
    }
}

/* Places of a gradient shard of a minibatch. */
static void choose_places(void *context, int index) {
    ppo_trainer *t = ppo_of(context);
    int number = index / t->base.gradients, gradient = index % t->base.gradients;
    ppo_minibatch shape, *m = &shape;
    set_minibatch(t, number, m);
    if (gradient >= m->gradients) {
        return;
    }
    ppo_range range = ppo_gradient_units(m, gradient);
    ppo_spread *spread = &t->place_spread[index];
    *spread = (ppo_spread){0};
    /* the advantages lie anywhere in the batch: they are called first and added up afterwards */
    for (int place = range.from; place < range.to; place++) {
        choose_place(t, m, number, place);
        size_t at = (size_t)m->index[place]; /* the first of them, or near it */
        __builtin_prefetch(t->batch.advantage + at);
        __builtin_prefetch(t->batch.flags + at);
    }
    for (int place = range.from; place < range.to; place++) {
        add_place(t, m->index[place], spread);
    }
}

enum { PRIORITIES = 64 }; /* units whose priorities one job finds */

static void find_priorities(void *context, int index) {
    ppo_trainer *t = ppo_of(context);
    int end = at_most((index + 1) * PRIORITIES, t->units);
    for (int u = index * PRIORITIES; u < end; u++) {
        t->priority[u] = unit_priority(t, u);
    }
}

static void prioritise(ppo_trainer *head) {
    double rows = (double)head->base.rows * (double)head->base.horizon;
    train_run_parts(&head->base, find_priorities, ceil_div(head->units, PRIORITIES), rows * 200.0);
    for (int i = 0; i < head->base.mates; i++) {
        ppo_trainer *t = ppo_mate(head, i);
        for (int u = 1; u < t->units; u++) {
            t->priority[u] += t->priority[u - 1];
        }
    }
}

/* The spread of every minibatch of a part: by gradient shard. */
static void sum_spreads(const ppo_trainer *t, ppo_spread *spread) {
    for (int number = 0; number < t->minibatches; number++) {
        ppo_minibatch m;
        set_minibatch(t, number, &m);
        spread[number] = (ppo_spread){0};
        for (int i = 0; i < m.gradients; i++) {
            train_add(&spread[number], &t->place_spread[number * t->base.gradients + i],
                      sizeof *spread);
        }
    }
}

void ppo_epoch_begin(ppo_trainer *head, int epoch) {
    const lu_trainer *b = &head->base;
    size_t most = (size_t)head->most_minibatches;
    for (int i = 0; i < b->mates; i++) {
        ppo_trainer *t = ppo_mate(head, i);
        t->key = lu_mix(lu_mix(t->base.seed, 4, (uint64_t)b->updates), (uint64_t)epoch, 0);
    }
    if (head->config.prioritise > 0.0) {
        prioritise(head);
    }
    train_run_parts(b, choose_places, head->minibatches * b->gradients,
                    (double)b->rows * (double)b->horizon * 5000.0);
    for (int i = 0; i < b->mates; i++) {
        sum_spreads(ppo_mate(head, i), head->spread + (size_t)(b->part + i) * most);
    }
    if (head->config.normalise_advantage == NORMALISE_MINIBATCH) {
        train_share(b, head->spread, most * sizeof *head->spread);
    }
}

/* (A - mean) / (deviation + 1e-8), deviation with n - 1, as torch. */
static void set_advantage(ppo_minibatch *m, const ppo_spread *all) {
    double count = all->count, mean = count > 0.0 ? all->sum / count : 0.0;
    double rest = all->square - all->sum * mean;
    double variance = count > 1.0 && rest > 0.0 ? rest / (count - 1.0) : 0.0;
    m->shift = (float)mean;
    m->scale = (float)(1.0 / (lu_sqrt(variance) + 1e-8));
}

void ppo_minibatch_begin(ppo_trainer *head, int number) {
    ppo_minibatch *m = &head->mini;
    ppo_spread all = {0};
    for (int p = 0; p < head->base.parts; p++) {
        const ppo_judged *judged = &head->part_judged[p];
        ppo_spread batch = {judged->acting, judged->advantage, judged->advantage_square};
        bool of_batch = head->config.normalise_advantage == NORMALISE_BATCH;
        size_t at = (size_t)p * (size_t)head->most_minibatches + (size_t)number;
        train_add(&all, of_batch ? &batch : &head->spread[at], sizeof all);
    }
    m->shift = 0.0f;
    m->scale = 1.0f;
    if (head->config.normalise_advantage != NORMALISE_NONE) {
        set_advantage(m, &all);
    }
    for (int i = 0; i < head->base.mates; i++) {
        ppo_trainer *t = ppo_mate(head, i);
        set_minibatch(t, number, &t->mini);
        t->mini.shift = m->shift;
        t->mini.scale = m->scale;
    }
}

/* ---- rows for the net ---- */

enum { GATHER_AHEAD = 8 };

/* Rows lie anywhere in the batch: what is copied of a row is called some rows before its turn. */
static void call_row(const ppo_trainer *t, size_t at) {
    const ppo_batch *b = &t->batch;
    size_t mask = (size_t)t->base.mask;
    for (size_t byte = 0; byte < mask; byte += 64) {
        __builtin_prefetch(b->legal + at * mask + byte);
    }
    __builtin_prefetch(b->legal + (at + 1) * mask - 1);
    __builtin_prefetch(b->actions + at * (size_t)t->base.heads);
    __builtin_prefetch(b->log_probability + at);
    __builtin_prefetch(b->value + at);
    __builtin_prefetch(b->target + at);
    __builtin_prefetch(b->advantage + at);
    __builtin_prefetch(b->flags + at);
}

static void gather_row(const ppo_trainer *t, ppo_worker *w, size_t r, int step, int row) {
    const ppo_batch *b = &t->batch;
    size_t at = (size_t)step * (size_t)t->base.rows + (size_t)row,
           full = (size_t)t->base.row_full[row];
    size_t heads = (size_t)t->base.heads, mask = (size_t)t->base.mask;
    w->observation[r] = ppo_slot(t, step) + full * (size_t)t->base.inputs;
    /* the longest part arrives while the rest of the block is gathered */
    size_t bytes = t->kept ? t->kept : (size_t)t->base.inputs * sizeof(float);
    for (size_t byte = 0; byte < bytes; byte += 64) {
        __builtin_prefetch((const char *)w->observation[r] + byte);
    }
    if (t->critic) {
        w->critic[r] = ppo_critic_slot(t, step) + full * (size_t)t->critic;
    }
    memcpy(w->legal + r * mask, b->legal + at * mask, mask);
    memcpy(w->actions + r * heads, b->actions + at * heads, heads * sizeof *b->actions);
    w->starts[r] = (b->flags[at] & FLAG_START) != 0;
    w->old_log_probability[r] = b->log_probability[at];
    w->old_value[r] = b->value[at];
    w->target[r] = b->target[at];
    w->advantage[r] = (b->advantage[at] - t->mini.shift) * t->mini.scale;
}

void ppo_gather(const ppo_trainer *t, ppo_worker *w, int first, int units, lu_net_chunk *chunk,
                lu_ppo *call) {
    const ppo_minibatch *m = &t->mini;
    bool drawn = t->config.prioritise > 0.0;
    for (int i = 0; i < units; i++) {
        int unit = (int)m->index[first + i], group = unit / t->base.rows, row = unit % t->base.rows;
        if (i + GATHER_AHEAD < units && t->unit_steps == 1) {
            call_row(t, (size_t)m->index[first + i + GATHER_AHEAD]);
        }
        for (int step = 0; step < t->unit_steps; step++) {
            size_t r = (size_t)(step * units + i);
            gather_row(t, w, r, group * t->unit_steps + step, row);
            w->weight[r] = drawn ? m->weight[first + i] : 1.0f;
        }
        if (t->memory) {
            memcpy(w->memory + (size_t)i * t->memory, t->batch.memory + (size_t)unit * t->memory,
                   t->memory * sizeof(float));
        }
    }
    *chunk = (lu_net_chunk){
        .segments = units,
        .steps = t->unit_steps,
        .observation = w->observation,
        .critic = t->critic ? w->critic : NULL,
        .kept = t->kept > 0,
        .normaliser = lu_trainer_normaliser(&t->base),
        .critic_normaliser = lu_trainer_critic_normaliser(&t->base),
        .starts = w->starts,
        .memory = t->memory ? w->memory : NULL,
        .actions = w->actions,
        .actions_stride = (size_t)t->base.heads,
    };
    *call = (lu_ppo){
        .rows = units * t->unit_steps,
        .logits = w->logits,
        .logits_stride = t->base.logits_stride,
        .value = w->value,
        .legal = w->legal,
        .legal_stride = (size_t)t->base.mask,
        .actions = w->actions,
        .actions_stride = (size_t)t->base.heads,
        .old_log_probability = w->old_log_probability,
        .advantage = w->advantage,
        .target = w->target,
        .old_value = w->old_value,
        .weight = drawn ? w->weight : NULL,
        .clip = (float)t->base.coefficient[TRAIN_CLIP],
        .value_clip = (float)t->base.coefficient[TRAIN_VALUE_CLIP],
        .value_cost = (float)t->base.coefficient[TRAIN_VALUE_COST],
        .entropy_cost = m->entropy_cost,
        .scale = (float)(1.0 / ((double)m->units * (double)t->unit_steps * (double)t->base.parts)),
        .dlogits = w->dlogits,
        .dlogits_stride = t->base.logits_stride,
        .dvalue = w->dvalue,
        .log_probability = w->log_probability,
    };
}
