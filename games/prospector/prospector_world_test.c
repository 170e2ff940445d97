/* Tests of prospector's random numbers and worlds against known answers and a plain eager
 * generator, and of the loop against single stepping. The rules themselves are tested in
 * prospector_test.c, the recorded episodes in prospector_verify_test.c. */
#include "prospector_world.h"
#include "test_episode.h"

#include "ludus/vec.h"

#include <stdlib.h>

#define PROFIT    "{\"reward.mode\":\"profit\"}"
#define REFERENCE "{\"reward.mode\":\"reference\"}"

/* ---- random numbers ---- */

TEST(generator_known_answers) {
    static const struct {
        uint64_t seed;
        uint32_t want[6];
        int count;
    } rows[] = {
        {42, {0xa15c02b7, 0x7b47f409, 0xba1d3330, 0x83d2f293, 0xbfa4784b, 0xcbed606e}, 6},
        {0, {0x47c28b93, 0xb98f6a27, 0x7d3dcb1e}, 3},
        {1, {0x9b6bdda9, 0x0c31fc48, 0xce97f8ef}, 3},
        {UINT64_MAX, {0x11526277, 0xe6d82672, 0xaf1798ba}, 3},
    };
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        uint64_t rng = lu_pcg32_seed(rows[k].seed, PROSPECTOR_STREAM);
        for (int i = 0; i < rows[k].count; i++) {
            CHECK_HEX(output_of(rng), rows[k].want[i]);
            CHECK_HEX(draw(&rng), rows[k].want[i]);
        }
    }
    uint64_t rng = lu_pcg32_seed(42, PROSPECTOR_STREAM);
    CHECK_NEAR(draw_normal(&rng), -0.9543369769171571, 1e-15);
    CHECK_NEAR(draw_normal(&rng), -0.7950063430942962, 1e-15);
    CHECK_NEAR(draw_normal(&rng), 0.21960053763841697, 1e-15);
}

TEST(sine_and_cosine_are_close) {
    uint64_t rng = 1;
    double worst = 0.0;
    for (int k = 0; k < 200000; k++) {
        uint32_t u = draw(&rng);
        worst = fmax(worst, fabs(cosine_of_draw(u) - cos(LU_TWO_PI * 0x1p-32 * (double)u)));
        double x = draw_unit(&rng) * (k % 2 ? 700.0 : 350000.0);
        worst = fmax(worst, fabs(sine_of(x) - sin(x)));
    }
    /* cos above takes a rounded argument up to 2 pi, which alone is good for 4.4e-16 */
    CHECK_NEAR(worst, 0.0, 9e-16);
    CHECK_NEAR(cosine_of_draw(0), 1.0, 1e-15);
    CHECK_NEAR(cosine_of_draw(0x80000000u), -1.0, 1e-15);
    CHECK_NEAR(cosine_of_draw(0x40000000u), 0.0, 1e-15);
    CHECK_NEAR(cosine_of_draw(0xc0000000u), 0.0, 1e-15);
}

/* ---- worlds ---- */

TEST(world_known_answers) {
    static const struct {
        uint64_t seed, draws, rng;
        int nodes;
    } rows[] = {{0, 1835, 0x16b374a727f783d1, 9},
                {1, 2034, 0x2b492c83755816e1, 10},
                {42, 2848, 0x0f4f3ce59822eed8, 16}};
    lu_episode episode = test_episode("prospector", PROFIT);
    lu_env *env = episode.env;
    for (int k = 0; k < 3; k++) {
        lu_env_reset(env, rows[k].seed, NULL);
        const prospector_state *s = env->state;
        uint64_t start = lu_pcg32_seed(rows[k].seed, PROSPECTOR_STREAM);
        CHECK_INT(s->nodes, rows[k].nodes);
        CHECK_HEX(s->rng, rows[k].rng);
        CHECK_HEX(lu_pcg32_jump(start, PROSPECTOR_STREAM, rows[k].draws), rows[k].rng);
    }
    lu_env_reset(env, 0, NULL);
    const prospector_node *home = &((const prospector_state *)env->state)->graph[0];
    static const int neighbour[4] = {1, 2, 6, 4}, time[4] = {8, 5, 1, 3};
    CHECK_INT(home->degree, 4);
    for (int k = 0; k < 4; k++) {
        CHECK_INT(home->neighbour[k], neighbour[k]);
        CHECK_INT(home->time[k], time[k]);
    }
    /* at reset */
    static const int ones[] = {0, 1, 3, 6, 17, 19};
    for (int k = 0; k < 6; k++) {
        CHECK(env->observation[ones[k]] == 1.0f);
    }
    CHECK(env->observation[14] == 0.25f);
    CHECK(env->observation[15] == 2.0f / 12.0f);
    CHECK(env->observation[16] == 1.0f / 12.0f);
    CHECK_NEAR(lu_env_info(env, 0, "action"), -1.0, 0.0);
    CHECK_NEAR(lu_env_info(env, 0, "dt"), 0.0, 0.0);
    CHECK_NEAR(lu_env_info(env, 0, "survival"), 1.0, 0.0);
    lu_episode_close(&episode);
}

/* One rock by single draws in the order of the rules, compared with its lane. */
static bool rock_is(uint64_t *rng, const prospector_rocks *rocks, int a) {
    double part[6], sum = 0.0;
    bool same = true;
    for (int c = 0; c < 6; c++) {
        part[c] = exp1_of(draw(rng));
        sum += part[c];
    }
    for (int c = 0; c < 6; c++) {
        same &= rocks->content[c][a] == (float)(part[c] / sum);
    }
    double normal = draw_normal(rng);
    same &= rocks->richness[a] == (float)clamp(lu_exp(-0.2 + 0.65 * normal), 0.2, 4.0);
    double g[5];
    for (int k = 0; k < 5; k++) {
        g[k] = exp1_of(draw(rng));
    }
    double three = (g[0] + g[1]) + g[2], two = g[3] + g[4];
    same &= rocks->stability[a] == (float)(three / (three + two));
    same &= rocks->noise[a] == (float)draw_uniform(rng, 0.04, 0.22);
    sum = 0.0;
    for (int c = 0; c < 6; c++) {
        part[c] = exp1_of(draw(rng));
        sum += part[c];
    }
    double again = 0.0;
    for (int c = 0; c < 6; c++) {
        same &= rocks->estimate[c][a] == (float)(part[c] / sum);
        again += lu_fmax((double)rocks->estimate[c][a], 1e-8);
    }
    const float *shown = rocks->shown[a];
    for (int c = 0; c < 6; c++) {
        double one = lu_fmax((double)rocks->estimate[c][a], 1e-8);
        same &= shown[PROSPECTOR_ROCK_CONTENT + c] == (float)(one / again);
    }
    same &= shown[PROSPECTOR_ROCK_PRESENT] == 1.0f && shown[PROSPECTOR_ROCK_STABILITY] == 0.5f;
    same &= shown[PROSPECTOR_ROCK_CONFIDENCE] == 0.1f && shown[PROSPECTOR_ROCK_DEPLETION] == 0.0f;
    return same;
}

static bool all_zero(const void *bytes, size_t count) {
    const unsigned char *at = bytes;
    for (size_t k = 0; k < count; k++) {
        if (at[k]) {
            return false;
        }
    }
    return true;
}

TEST(lazy_rocks_are_eager_rocks) {
    lu_episode episode = test_episode("prospector", PROFIT);
    const prospector_rules *mine = (const prospector_rules *)(const void *)episode.rules;
    lu_env *env = episode.env;
    static prospector_rocks rocks;
    int wrong = 0, unreachable = 0;
    for (uint64_t seed = 0; seed < 2000; seed++) {
        lu_env_reset(env, seed, NULL);
        const prospector_state *s = env->state;
        CHECK(all_zero(s->rock, sizeof s->rock));
        uint64_t rng = 0;
        for (int i = 1; i < s->nodes; i++) {
            const prospector_node *node = &s->graph[i];
            /* the draws of a node begin where those of the one before it end, after its count */
            if (i > 1) {
                CHECK_INT(5 + draw_below(&rng, 12), node->rocks);
                CHECK_HEX(rng, node->rock_rng);
            }
            rng = node->rock_rng;
            memset(&rocks, 0, sizeof rocks);
            rocks_make(mine, node->rock_rng, node->rocks, &rocks);
            for (int a = 0; a < node->rocks; a++) {
                wrong += rock_is(&rng, &rocks, a) ? 0 : 1;
            }
            for (int a = node->rocks; a < PROSPECTOR_ROCKS; a++) {
                CHECK(all_zero(rocks.shown[a], sizeof rocks.shown[a]) &&
                      rocks.richness[a] == 0.0f && rocks.content[5][a] == 0.0f &&
                      rocks.estimate[0][a] == 0.0f);
            }
            unreachable += node->hops == PROSPECTOR_UNREACHABLE ? 1 : 0;
        }
        /* then 24 draws of the market */
        CHECK_HEX(s->rng, lu_pcg32_jump(rng, PROSPECTOR_STREAM, 24));
    }
    CHECK_INT(wrong, 0);
    CHECK(unreachable > 5); /* about 1 % of worlds have such a node */
    lu_episode_close(&episode);
}

/* The graph by single draws in the order of the rules, with the C library's functions. */
typedef struct plain_graph {
    int nodes, type[PROSPECTOR_NODES], degree[PROSPECTOR_NODES];
    float hazard[PROSPECTOR_NODES], pirate[PROSPECTOR_NODES];
    int neighbour[PROSPECTOR_NODES][PROSPECTOR_SLOTS], time[PROSPECTOR_NODES][PROSPECTOR_SLOTS];
    double fuel[PROSPECTOR_NODES][PROSPECTOR_SLOTS], threat[PROSPECTOR_NODES][PROSPECTOR_SLOTS];
} plain_graph;

static void plain_edge(plain_graph *g, uint64_t *rng, int u, int v) {
    bool known = false;
    for (int k = 0; k < g->degree[u]; k++) {
        known |= g->neighbour[u][k] == v;
    }
    if (known || g->degree[u] == PROSPECTOR_SLOTS || g->degree[v] == PROSPECTOR_SLOTS) {
        return;
    }
    int time = 1 + (int)(draw(rng) % 8);
    double fuel = 20.0 + 92.0 * draw_unit(rng);
    double u1 = draw_unit(rng), u2 = draw_unit(rng);
    double noise = 0.05 * sqrt(-2.0 * log(fmax(u1, 1e-8))) * cos(LU_TWO_PI * u2);
    double threat = 0.5 * ((double)g->hazard[u] + (double)g->hazard[v]) +
                    0.5 * ((double)g->pirate[u] + (double)g->pirate[v]) + noise;
    threat = threat < 0.0 ? 0.0 : threat > 1.0 ? 1.0 : threat;
    for (int end = 0; end < 2; end++) {
        int here = end ? v : u, slot = g->degree[here]++;
        g->neighbour[here][slot] = end ? u : v;
        g->time[here][slot] = time;
        g->fuel[here][slot] = fuel;
        g->threat[here][slot] = threat;
    }
}

static void plain_make(plain_graph *g, uint64_t *rng) {
    memset(g, 0, sizeof *g);
    g->nodes = 8 + (int)(draw(rng) % 25);
    for (int i = 1; i < g->nodes; i++) {
        bool rough = draw_unit(rng) < 0.25;
        g->type[i] = rough ? 2 : 1;
        g->hazard[i] = (float)(0.05 + 0.30 * draw_unit(rng));
        g->pirate[i] = (float)(0.05 + 0.25 * draw_unit(rng));
        g->hazard[i] += rough ? 0.25f : 0.0f;
        g->pirate[i] += rough ? 0.12f : 0.0f;
    }
    for (int i = 1; i < g->nodes; i++) {
        plain_edge(g, rng, i, (int)(draw(rng) % (uint32_t)i));
    }
    for (int i = 0; i < g->nodes; i++) {
        int u = (int)(draw(rng) % (uint32_t)g->nodes), v = (int)(draw(rng) % (uint32_t)g->nodes);
        if (u != v) {
            plain_edge(g, rng, u, v);
        }
    }
}

TEST(graphs_by_the_numbers) {
    static plain_graph g;
    lu_episode episode = test_episode("prospector", PROFIT);
    lu_env *env = episode.env;
    int harmless = 0;
    for (uint64_t seed = 0; seed < 500; seed++) {
        uint64_t rng = lu_pcg32_seed(seed, PROSPECTOR_STREAM);
        lu_env_reset(env, seed, NULL);
        const prospector_state *s = env->state;
        plain_make(&g, &rng);
        CHECK_INT(s->nodes, g.nodes);
        CHECK_INT(s->graph[1].rocks, 5 + (int)(draw(&rng) % 12));
        CHECK_HEX(s->graph[1].rock_rng, rng);
        for (int i = 0; i < g.nodes; i++) {
            const prospector_node *node = &s->graph[i];
            CHECK_INT(node->type, g.type[i]);
            CHECK_INT(node->degree, g.degree[i]);
            CHECK_NEAR((double)node->hazard, (double)g.hazard[i], 1e-7);
            CHECK_NEAR((double)node->pirate, (double)g.pirate[i], 1e-7);
            for (int k = 0; k < g.degree[i]; k++) {
                CHECK_INT(node->neighbour[k], g.neighbour[i][k]);
                CHECK_INT(node->time[k], g.time[i][k]);
                CHECK_NEAR((double)node->fuel[k], g.fuel[i][k], 1e-5);
                CHECK_NEAR((double)node->threat[k], g.threat[i][k], 2e-7);
                CHECK(node->estimate[k] == 0.5f);
                harmless += node->threat[k] == 0.0f ? 1 : 0;
            }
        }
        /* the market: 24 draws at the end of all */
        static const double base[6] = {45, 55, 85, 145, 210, 120};
        rng = lu_pcg32_jump(s->rng, PROSPECTOR_STREAM, UINT64_C(0) - 24);
        for (int c = 0; c < 6; c++) {
            CHECK_NEAR((double)s->stock[c], 20.0 + 100.0 * draw_unit(&rng), 1e-5);
            CHECK_NEAR(s->phase[c], LU_TWO_PI * draw_unit(&rng), 1e-6);
            CHECK_NEAR(s->period[c], 180.0 + 200.0 * draw_unit(&rng), 2e-5);
            CHECK_NEAR(s->amplitude[c], base[c] * (0.1 + 0.2 * draw_unit(&rng)), 4e-6);
            CHECK_NEAR((double)s->price[c], base[c] + s->amplitude[c] * sin(s->phase[c]), 2e-5);
            CHECK(s->last_price[c] == s->price[c] && s->sales[c] == 0.0f);
        }
        CHECK_HEX(rng, s->rng);
    }
    CHECK(harmless > 5); /* noise below 0 is cut off */
    lu_episode_close(&episode);
}

TEST(hops_are_shortest_ways) {
    lu_episode episode = test_episode("prospector", PROFIT);
    lu_env *env = episode.env;
    for (uint64_t seed = 0; seed < 500; seed++) {
        lu_env_reset(env, seed, NULL);
        const prospector_state *s = env->state;
        int hops[PROSPECTOR_NODES];
        for (int i = 0; i < PROSPECTOR_NODES; i++) {
            hops[i] = i == 0 ? 0 : PROSPECTOR_UNREACHABLE;
        }
        for (int round = 0; round < PROSPECTOR_NODES; round++) {
            for (int i = 0; i < s->nodes; i++) {
                for (int k = 0; k < s->graph[i].degree; k++) {
                    int j = s->graph[i].neighbour[k];
                    hops[j] = hops[i] + 1 < hops[j] ? hops[i] + 1 : hops[j];
                }
            }
        }
        for (int i = 0; i < s->nodes; i++) {
            CHECK_INT(s->graph[i].hops, hops[i]);
        }
        CHECK(all_zero(&s->graph[s->nodes], sizeof s->graph[0] * (size_t)(32 - s->nodes)));
    }
    lu_episode_close(&episode);
}

/* A reset over an old episode gives the bytes of a reset over zeros. */
TEST(reset_leaves_nothing_behind) {
    lu_episode one = test_episode("prospector", PROFIT), other = test_episode("prospector", PROFIT);
    lu_env *used = one.env, *fresh = other.env;
    lu_rng rng = lu_rng_from(3);
    for (uint64_t seed = 0; seed < 200; seed++) {
        lu_env_reset(used, seed, NULL);
        while (!used->over && used->decisions < 200) {
            int32_t action = (int32_t)lu_rng_below(&rng, 68);
            lu_env_step(used, &action);
        }
        lu_env_reset(used, seed + 1000, NULL);
        memset(fresh->state, 0, sizeof(prospector_state));
        lu_env_reset(fresh, seed + 1000, NULL);
        CHECK(memcmp(used->state, fresh->state, sizeof(prospector_state)) == 0);
    }
    lu_episode_close(&one);
    lu_episode_close(&other);
}

/* ---- the loop ---- */

enum { ENVIRONMENTS = 12, STEPS = 1500 };

TEST(loop_equals_single_steps) {
    lu_episode episode = test_episode("prospector", REFERENCE);
    lu_error error;
    static float observation[ENVIRONMENTS][PROSPECTOR_OBSERVATION], reward[ENVIRONMENTS];
    static uint8_t mask[ENVIRONMENTS][PROSPECTOR_ACTIONS], terminated[ENVIRONMENTS],
        truncated[ENVIRONMENTS];
    static int32_t actions[ENVIRONMENTS], ticks[ENVIRONMENTS];
    lu_buffers buffers = {.actions = actions,
                          .observation = &observation[0][0],
                          .mask = &mask[0][0],
                          .reward = reward,
                          .terminated = terminated,
                          .truncated = truncated,
                          .ticks = ticks,
                          .observation_kept = true};
    lu_vec *vec = lu_vec_new(episode.game, episode.rules, ENVIRONMENTS, 9, 1, NULL, &error);
    NEED(vec);
    lu_env *env[ENVIRONMENTS];
    lu_vec_reset(vec, &buffers);
    for (int e = 0; e < ENVIRONMENTS; e++) {
        env[e] = lu_env_new(episode.game, episode.rules);
        lu_env_reset(env[e], lu_vec_place(vec, e)->seed, NULL);
    }
    lu_rng rng = lu_rng_from(11);
    for (int step = 0; step < STEPS; step++) {
        for (int e = 0; e < ENVIRONMENTS; e++) {
            actions[e] = (int32_t)lu_rng_below(&rng, 70) - 1 + (e % 2);
        }
        lu_vec_step(vec, &buffers);
        for (int e = 0; e < ENVIRONMENTS; e++) {
            lu_env_step(env[e], &actions[e]);
            CHECK(reward[e] == (float)env[e]->reward[0]);
            CHECK_INT(ticks[e], env[e]->step.ticks);
            CHECK_INT(terminated[e], env[e]->step.terminated);
            CHECK_INT(truncated[e], env[e]->step.truncated);
            if (env[e]->over) {
                lu_env_reset(env[e], lu_vec_place(vec, e)->seed, NULL);
            }
            CHECK(memcmp(observation[e], env[e]->observation, sizeof observation[e]) == 0);
            CHECK(memcmp(mask[e], env[e]->mask, sizeof mask[e]) == 0);
            CHECK(memcmp(lu_vec_state(vec, e), env[e]->state, sizeof(prospector_state)) == 0);
        }
    }
    for (int e = 0; e < ENVIRONMENTS; e++) {
        lu_env_delete(env[e]);
    }
    lu_vec_delete(vec);
    lu_episode_close(&episode);
}

/* Every build level gives the same bytes. */
TEST(levels_agree) {
    lu_episode episode = test_episode("prospector", REFERENCE);
    const lu_rules *rules = episode.rules;
    static prospector_state state[LU_ISA_COUNT];
    int levels = 0;
    for (int level = 0; level < LU_ISA_COUNT && level <= (int)lu_cpu_isa(); level++) {
        const lu_core *core = episode.game->core[level];
        if (!core) {
            continue;
        }
        levels = level + 1;
        lu_rng rng = lu_rng_from(5);
        core->reset(rules, &state[level], 1, NULL);
        for (int k = 0; k < 20000; k++) {
            int32_t action = (int32_t)lu_rng_below(&rng, 69);
            double terms[PROSPECTOR_TERMS] = {0};
            lu_step step;
            core->step(rules, &state[level], &action, terms, &step);
            if (step.terminated || step.truncated) {
                core->reset(rules, &state[level], (uint64_t)k, NULL);
            }
        }
        CHECK(memcmp(&state[0], &state[level], sizeof state[0]) == 0);
    }
    CHECK(levels > 0);
    lu_episode_close(&episode);
}
