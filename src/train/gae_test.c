/* Advantages against their definition, for every pattern of ends; the keyed order. */
#include "ludus/file.h"
#include "ludus/ppo.h"
#include "ludus/tensors.h"

#include "test.h"

#include <stdlib.h>

enum { STEPS = 5, PATTERNS = 243 }; /* three kinds of step */

/* A_t = sum over k >= t of delta_k x the product over t <= j < k of g_j lambda c_j, as far as the
 * episode goes. */
static double defined(const lu_gae *g, int t) {
    double sum = 0.0, weight = 1.0;
    for (int k = t; k < g->steps; k++) {
        double ratio = g->ratio ? (double)g->ratio[k] : 1.0;
        double gamma = pow(g->gamma, g->ticks ? g->ticks[k] : 1);
        double next = (double)g->value[k + 1];
        next = g->ends[k] == LU_END_TRUNCATED ? (double)g->final_value[k] : next;
        next = g->ends[k] == LU_END_TERMINATED ? 0.0 : next;
        double reward = (double)g->reward[k] * g->reward_scale;
        reward =
            g->reward_clip > 0.0 ? fmax(-g->reward_clip, fmin(g->reward_clip, reward)) : reward;
        sum += weight * fmin(ratio, g->rho_clip) * (reward + gamma * next - (double)g->value[k]);
        if (g->ends[k]) {
            break;
        }
        weight *= gamma * g->lambda * fmin(ratio, g->c_clip);
    }
    return sum;
}

static float drawn(lu_rng *rng) {
    return (float)(lu_rng_unit(rng) * 4.0 - 2.0);
}

static void check_pattern(int pattern, int kind, lu_rng *rng) {
    float reward[STEPS], value[STEPS + 1], final_value[STEPS], ratio[STEPS], advantage[STEPS],
        target[STEPS];
    int32_t ticks[STEPS];
    uint8_t ends[STEPS];
    for (int t = 0, rest = pattern; t < STEPS; t++, rest /= 3) {
        reward[t] = drawn(rng);
        value[t] = drawn(rng);
        final_value[t] = drawn(rng);
        ratio[t] = (float)(lu_rng_unit(rng) * 2.0);
        ticks[t] = 1 + (int32_t)lu_rng_below(rng, 5);
        ends[t] = (uint8_t)(rest % 3);
    }
    value[STEPS] = drawn(rng);
    lu_gae g = {.rows = 1,
                .steps = STEPS,
                .stride = 1,
                .gamma = 0.97,
                .lambda = 0.9,
                .rho_clip = kind & 1 ? 1.0 : 1.3,
                .c_clip = kind & 1 ? 1.2 : 0.8,
                .reward_scale = kind & 4 ? 2.5 : 1.0,
                .reward_clip = kind & 4 ? 1.5 : 0.0,
                .reward = reward,
                .value = value,
                .final_value = final_value,
                .ratio = kind & 1 ? ratio : NULL,
                .ticks = kind & 2 ? ticks : NULL,
                .ends = ends,
                .advantage = advantage,
                .target = target};
    if (!(kind & 1)) {
        g.rho_clip = g.c_clip = 1.0;
    }
    lu_gae_run(&g);
    for (int t = 0; t < STEPS; t++) {
        CHECK_NEAR((double)advantage[t], defined(&g, t), 2e-6);
        CHECK_NEAR((double)target[t], defined(&g, t) + (double)value[t], 2e-6);
    }
}

TEST(advantages_follow_their_definition_for_every_pattern_of_ends) {
    lu_rng rng = lu_rng_from(7);
    for (int kind = 0; kind < 8; kind++) {
        for (int pattern = 0; pattern < PATTERNS; pattern++) {
            check_pattern(pattern, kind, &rng);
        }
    }
}

TEST(rows_do_not_touch_each_other) {
    enum { ROWS = 131, STRIDE = 140 };
    static float reward[3 * STRIDE], value[4 * STRIDE], out[2][3 * STRIDE], one[2][3];
    static uint8_t ends[3 * STRIDE];
    lu_rng rng = lu_rng_from(3);
    for (int i = 0; i < 3 * STRIDE; i++) {
        reward[i] = drawn(&rng);
        value[i] = drawn(&rng);
        ends[i] = lu_rng_below(&rng, 4) == 0;
    }
    lu_gae g = {.rows = ROWS,
                .steps = 3,
                .stride = STRIDE,
                .gamma = 0.9,
                .lambda = 0.8,
                .rho_clip = 1,
                .c_clip = 1,
                .reward_scale = 1,
                .reward = reward,
                .value = value,
                .final_value = reward,
                .ends = ends,
                .advantage = out[0],
                .target = out[1]};
    lu_gae_run(&g);
    for (int r = 0; r < ROWS; r++) {
        lu_gae single = g;
        float rewards[3], values[4];
        uint8_t over[3];
        for (int t = 0; t < 4; t++) {
            values[t] = value[t * STRIDE + r];
            if (t < 3) {
                rewards[t] = reward[t * STRIDE + r];
                over[t] = ends[t * STRIDE + r];
            }
        }
        single.rows = 1;
        single.stride = 1;
        single.reward = single.final_value = rewards;
        single.value = values;
        single.ends = over;
        single.advantage = one[0];
        single.target = one[1];
        lu_gae_run(&single);
        for (int t = 0; t < 3; t++) {
            CHECK(out[0][t * STRIDE + r] == one[0][t] && out[1][t * STRIDE + r] == one[1][t]);
        }
    }
}

TEST(the_order_is_a_permutation) {
    static const uint32_t counts[] = {1, 2, 3, 5, 16, 17, 100, 512, 1000, 4097};
    static uint8_t seen[4097];
    for (size_t c = 0; c < sizeof counts / sizeof counts[0]; c++) {
        for (uint64_t key = 0; key < 5; key++) {
            memset(seen, 0, sizeof seen);
            for (uint32_t i = 0; i < counts[c]; i++) {
                uint32_t at = lu_shuffled(lu_mix64(key), counts[c], i);
                NEED(at < counts[c]);
                CHECK(!seen[at]);
                seen[at] = 1;
            }
        }
    }
}

/* Every place is equally likely: chi-square of where index 0 goes, and of pairs of neighbours. */
TEST(the_order_is_random) {
    enum { COUNT = 10, KEYS = 20000 };
    static int where[COUNT], apart[COUNT];
    for (uint64_t key = 0; key < KEYS; key++) {
        uint32_t a = lu_shuffled(lu_mix(1, 2, key), COUNT, 3);
        uint32_t b = lu_shuffled(lu_mix(1, 2, key), COUNT, 4);
        where[a]++;
        apart[(b + COUNT - a) % COUNT]++;
    }
    double single = 0.0, pair = 0.0;
    for (int i = 0; i < COUNT; i++) {
        double want = (double)KEYS / COUNT, want_pair = (double)KEYS / (COUNT - 1);
        single += (where[i] - want) * (where[i] - want) / want;
        pair += i ? (apart[i] - want_pair) * (apart[i] - want_pair) / want_pair : 0.0;
    }
    CHECK(single < 30.0); /* 9 degrees of freedom: 30 is beyond 1 in 2000 */
    CHECK(pair < 28.0);
    CHECK_INT(apart[0], 0);
}

/* ---- goldens: the same formulas written in Python, in float64 ---- */

enum { GOLDEN = 24 * 8 };

static bool floats(const lu_tensors *file, const char *name, float *out, lu_error *error) {
    const lu_tensor_entry *entry = lu_tensors_find(file, name);
    return entry && lu_tensor_floats(name, entry, out, error) == LU_OK;
}

static void check_golden(const lu_tensors *file, lu_gae *g, const char *name) {
    static float advantage[GOLDEN], target[GOLDEN];
    double want[GOLDEN];
    lu_error error;
    const lu_tensor_entry *entry = lu_tensors_find(file, name);
    NEED(entry && entry->count == GOLDEN);
    NEED(lu_tensor_doubles(name, entry, want, &error) == LU_OK);
    g->advantage = advantage;
    g->target = target;
    lu_gae_run(g);
    for (int i = 0; i < GOLDEN; i++) {
        CHECK_NEAR((double)advantage[i], want[i], 1e-5);
    }
}

TEST(advantages_agree_with_the_goldens) {
    static float reward[GOLDEN], value[GOLDEN + 8], last[GOLDEN], ratio[GOLDEN];
    uint8_t ends[GOLDEN], classic[GOLDEN];
    const char *path = lu_test_source("tests/goldens/gae.safetensors");
    lu_error error;
    char *bytes;
    size_t length;
    if (!lu_file_exists(path)) {
        lu_test_skip("no tests/goldens/gae.safetensors");
        return;
    }
    NEED(lu_file_read(path, 1 << 20, &bytes, &length, &error) == LU_OK);
    lu_tensors *file = lu_tensors_read(path, bytes, length, &error);
    NEED(file != NULL);
    NEED(floats(file, "input32.reward", reward, &error));
    NEED(floats(file, "input32.value", value, &error));
    NEED(floats(file, "input32.final_value", last, &error));
    NEED(floats(file, "input32.ratio", ratio, &error));
    const lu_tensor_entry *over = lu_tensors_find(file, "input.terminated");
    const lu_tensor_entry *cut = lu_tensors_find(file, "input.truncated");
    NEED(over && cut && over->bytes == GOLDEN && cut->bytes == GOLDEN);
    for (int i = 0; i < GOLDEN; i++) {
        uint8_t a = ((const uint8_t *)over->data)[i], b = ((const uint8_t *)cut->data)[i];
        ends[i] = (uint8_t)(a ? LU_END_TERMINATED : b ? LU_END_TRUNCATED : 0);
        classic[i] = a || b ? LU_END_TERMINATED : 0;
    }
    lu_gae g = {.rows = 8,
                .steps = 24,
                .stride = 8,
                .gamma = 0.99,
                .lambda = 0.95,
                .rho_clip = 1.0,
                .c_clip = 1.0,
                .reward_scale = 1.0,
                .reward = reward,
                .value = value,
                .final_value = last,
                .ends = ends};
    check_golden(file, &g, "out.gae");
    g.ratio = ratio;
    check_golden(file, &g, "out.vtrace");
    g.ratio = NULL;
    g.ends = classic;
    check_golden(file, &g, "out.gae_classic");
    lu_tensors_close(file);
    free(bytes);
}
