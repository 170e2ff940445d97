/* Games as tables, nets from a line, random rows: see net_games_test.h. */
#include "net_games_test.h"

#include "ludus/math.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const names[] = {"a", "b", "c", "d", "e", "f", "g", "h"};

static void any_mask(const lu_rules *rules, const void *state, int seat, uint8_t *mask) {
    (void)rules;
    (void)seat;
    memcpy(mask, ((const hand_state *)state)->mask, 21);
}

/* What the tables cannot say: options forbidden when the verb before was odd. */
static void hand_submask(const lu_rules *rules, const void *state, int seat, int head,
                         const int32_t *chosen, uint8_t *mask) {
    static const int offset[] = {0, 4, 10, 13, 15}, options[] = {4, 6, 3, 2, 6};
    (void)rules;
    (void)seat;
    for (int o = 0; head > 0 && chosen[0] % 2 == 1 && o < options[head]; o++) {
        mask[o] = mask[o] && !((const hand_state *)state)->forbidden[offset[head] + o];
    }
}

static const lu_core plain_core = {.mask = any_mask};
static const lu_core hand_core = {.mask = any_mask, .submask = hand_submask};

static const lu_field plain_fields[] = {
    {"n 1", -4, 4, "", 0}, {"n 2", -4, 4, "", 0},  {"n 3", -4, 4, "", 0},  {"n 4", -4, 4, "", 0},
    {"n 5", -4, 4, "", 0}, {"n 6", -4, 4, "", 0},  {"n 7", -4, 4, "", 0},  {"n 8", -4, 4, "", 0},
    {"n 9", -4, 4, "", 0}, {"n 10", -4, 4, "", 0}, {"n 11", -4, 4, "", 0},
};
static const lu_group plain_groups[] = {{"numbers", LU_SCALARS, 1, -1, LU_ROWS(plain_fields)}};
static const lu_head plain_heads[] = {
    {.name = "act", .options = 7, .option = names, .points_at = -1}};

const lu_game test_plain = {
    .id = "plain-v1",
    .name = "plain",
    .seats = 1,
    .heads = 1,
    .head = plain_heads,
    .groups = 1,
    .group = plain_groups,
    .state_bytes = sizeof(hand_state),
    .core = {&plain_core, NULL, NULL},
};

static const lu_field card[] = {
    {"present", 0, 1, "", 0}, {"kind", 0, 8, "", 9}, {"age", -4, 4, "", 0}, {"suit", 0, 3, "", 4}};
static const lu_field ware[] = {{"price", -4, 4, "", 0}, {"stock", -4, 4, "", 0}};
static const lu_field last[] = {{"mine", 0, 2, "", 3}, {"theirs", 0, 2, "", 3}};
static const lu_group hand_groups[] = {
    {"numbers", LU_SCALARS, 1, -1, 5, plain_fields},
    {"cards", LU_IDS, 6, 0, LU_ROWS(card)},
    {"shop wares", LU_SLOTS, 5, -1, LU_ROWS(ware)},
    {"last", LU_IDS, 1, -1, LU_ROWS(last)},
};
static const lu_group hand_critic[] = {
    {"secrets", LU_SCALARS, 1, -1, 3, plain_fields},
    {"deck", LU_IDS, 2, 0, LU_ROWS(card)},
};
static const lu_need item_needs[] = {{-1, LU_NEED_ANY, 0, 1}, {-1, LU_NEED_ANY, 0, 2}};
static const lu_need way_needs[] = {{-1, LU_NEED_ALL, 0, 2},
                                    {2, LU_NEED_NONE, 1, 0},
                                    {1, LU_NEED_ANY, 1, 1},
                                    {1, LU_NEED_ANY, 1, 2}};
static const lu_head hand_heads[] = {
    {.name = "verb", .options = 4, .option = names, .points_at = -1},
    {.name = "item", .options = 6, .option = names, .needs = 2, .need = item_needs, .points_at = 1},
    {.name = "way", .options = 3, .option = names, .needs = 4, .need = way_needs, .points_at = -1},
    {.name = "reserved", .options = 2, .option = names, .points_at = -1, .unused = true},
    {.name = "ware", .options = 6, .option = names, .points_at = 2},
};

const lu_game test_hand = {
    .id = "hand-v1",
    .name = "hand",
    .seats = 1,
    .heads = 5,
    .head = hand_heads,
    .groups = 4,
    .group = hand_groups,
    .critic_groups = 2,
    .critic_group = hand_critic,
    .state_bytes = sizeof(hand_state),
    .core = {&hand_core, NULL, NULL},
};

/* ---- nets ---- */

lu_settings *test_settings(const char *line) {
    lu_settings *settings = lu_settings_new();
    lu_error error = {0};
    char text[512], *rest = NULL;
    lu_settings_add(settings, lu_net_table);
    snprintf(text, sizeof text, "%s", line);
    for (char *pair = strtok_r(text, " ", &rest); pair; pair = strtok_r(NULL, " ", &rest)) {
        if (lu_settings_set_pair(settings, pair, LU_FROM_FLAG, "test", &error) != LU_OK) {
            fprintf(stderr, "%s: %s\n", pair, error.text);
            abort();
        }
    }
    return settings;
}

lu_net *test_net(const lu_game *game, lu_net_kind kind, const char *line, uint64_t seed) {
    lu_settings *settings = test_settings(line);
    lu_error error = {0};
    lu_net *net = lu_net_new_blank(game, kind, settings, &error);
    if (!net) {
        fprintf(stderr, "%s\n", error.text);
        abort();
    }
    lu_net_init(net, seed);
    lu_settings_delete(settings);
    return net;
}

/* ---- rows ---- */

float test_normal(lu_rng *rng) {
    double radius = sqrt(-2.0 * lu_log(1.0 - lu_rng_unit(rng)));
    return (float)(radius * lu_cos(6.283185307179586 * lu_rng_unit(rng)));
}

static void random_groups(const lu_group *group, int groups, lu_rng *rng, float *to) {
    for (int g = 0; g < groups; g++) {
        for (int s = 0; s < group[g].slots; s++) {
            bool used = group[g].presence < 0 || lu_rng_below(rng, 3) > 0;
            for (int f = 0; f < group[g].fields; f++, to++) {
                int vocabulary = group[g].field[f].vocabulary;
                *to = !used                    ? 0.0f
                      : f == group[g].presence ? 1.0f
                      : vocabulary             ? (float)lu_rng_below(rng, (uint32_t)vocabulary)
                                               : test_normal(rng);
            }
        }
    }
}

static float *floats(int n) {
    return lu_alloc_zero((size_t)n + 1, sizeof(float));
}

static void alloc_rows(test_rows *t, const lu_net *net, int rows) {
    size_t n = (size_t)rows;
    t->game = lu_net_game(net);
    t->rows = rows;
    t->observation = lu_game_observation_length(t->game);
    t->critic = lu_game_critic_length(t->game);
    t->logits = lu_game_mask_length(t->game);
    t->x = floats(rows * t->observation);
    t->c = floats(rows * t->critic);
    t->x_at = lu_alloc_zero(n, sizeof *t->x_at);
    t->c_at = lu_alloc_zero(n, sizeof *t->c_at);
    t->state = lu_alloc_zero(n, sizeof *t->state);
    t->state_at = lu_alloc_zero(n, sizeof *t->state_at);
    t->mask = lu_alloc_zero(n, (size_t)t->logits);
    t->legal = lu_alloc_zero(n, (size_t)t->logits);
    t->actions = lu_alloc_zero(n * (size_t)t->game->heads, sizeof *t->actions);
    t->old_log_probability = floats(rows);
    t->advantage = floats(rows);
    t->target = floats(rows);
    t->old_value = floats(rows);
    t->weight = floats(rows);
    t->starts = lu_alloc_zero(n, 1);
}

static void random_row(test_rows *t, int r, lu_rng *rng) {
    t->x_at[r] = t->x + (size_t)(r * t->observation);
    t->c_at[r] = t->c + (size_t)(r * t->critic);
    t->state_at[r] = &t->state[r];
    random_groups(t->game->group, t->game->groups, rng, t->x + (size_t)(r * t->observation));
    random_groups(t->game->critic_group, t->game->critic_groups, rng,
                  t->c + (size_t)(r * t->critic));
    for (int o = 0; o < t->logits; o++) {
        t->state[r].mask[o] = lu_rng_below(rng, 3) > 0;
        t->state[r].forbidden[o] = lu_rng_below(rng, 3) == 0;
    }
    t->state[r].mask[lu_rng_below(rng, (uint32_t)t->game->head[0].options)] = 1;
    memcpy(t->mask + (size_t)(r * t->logits), t->state[r].mask, (size_t)t->logits);
    t->advantage[r] = test_normal(rng);
    t->target[r] = test_normal(rng);
    t->old_value[r] = 0.3f * test_normal(rng);
    t->weight[r] = 0.5f + (float)lu_rng_unit(rng);
    t->starts[r] = lu_rng_below(rng, 6) == 0;
}

/* Legal actions of a uniform policy, and old log-probabilities that give ratios around 1. */
static void choose(test_rows *t, lu_rng *rng) {
    lu_policy policy = lu_policy_of(t->game, NULL);
    float *logits = floats(t->rows * t->logits);
    lu_rng *rngs = lu_alloc_zero((size_t)t->rows, sizeof *rngs);
    for (int r = 0; r < t->rows; r++) {
        rngs[r] = lu_rng_from(lu_rng_u64(rng));
    }
    lu_policy_act act = {
        .rows = t->rows,
        .logits = logits,
        .logits_stride = (size_t)t->logits,
        .mask = t->mask,
        .mask_stride = (size_t)t->logits,
        .state = t->state_at,
        .rng = rngs,
        .actions = t->actions,
        .actions_stride = (size_t)t->game->heads,
        .log_probability = t->old_log_probability,
        .legal = t->legal,
        .legal_stride = (size_t)t->logits,
    };
    lu_error error;
    if (lu_policy_choose(&policy, &act, &error) != LU_OK) {
        fprintf(stderr, "%s\n", error.text);
        abort();
    }
    for (int r = 0; r < t->rows; r++) {
        t->old_log_probability[r] += 0.3f * test_normal(rng);
    }
    free(logits);
    free(rngs);
}

void test_rows_init(test_rows *t, const lu_net *net, int segments, int steps, uint64_t seed) {
    lu_rng rng = lu_rng_from(seed);
    *t = (test_rows){0};
    alloc_rows(t, net, segments * steps);
    for (int r = 0; r < t->rows; r++) {
        random_row(t, r, &rng);
    }
    choose(t, &rng);
    size_t state = lu_net_memory_floats(net) * (size_t)segments;
    t->memory = floats((int)state);
    for (size_t i = 0; i < state; i++) {
        t->memory[i] = 0.5f * test_normal(&rng);
    }
    t->chunk = (lu_net_chunk){
        .segments = segments,
        .steps = steps,
        .observation = t->x_at,
        .critic = t->c_at,
        .starts = t->starts,
        .memory = t->memory,
        .actions = t->actions,
        .actions_stride = (size_t)t->game->heads,
    };
    for (int h = 0; h < t->game->heads; h++) {
        t->entropy_cost[h] = 0.01f * (float)(h + 1);
    }
    t->ppo = (lu_ppo){
        .rows = t->rows,
        .legal = t->legal,
        .legal_stride = (size_t)t->logits,
        .actions = t->actions,
        .actions_stride = (size_t)t->game->heads,
        .old_log_probability = t->old_log_probability,
        .advantage = t->advantage,
        .target = t->target,
        .old_value = t->old_value,
        .weight = t->weight,
        .clip = 0.2f,
        .value_clip = 0.2f,
        .value_cost = 0.5f,
        .entropy_cost = t->entropy_cost,
        .scale = 1.0f / (float)t->rows,
    };
}

void test_rows_free(test_rows *t) {
    void *all[] = {t->x,         t->c,      t->x_at,   t->c_at,    t->state,
                   t->state_at,  t->mask,   t->legal,  t->actions, t->old_log_probability,
                   t->advantage, t->target, t->weight, t->starts,  t->old_value,
                   t->memory};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
        free(all[i]);
    }
}
