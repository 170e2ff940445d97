#include "ludus/rng.h"

#include <stdlib.h>

#include "ludus/math.h"
#include "test.h"

enum { INC = 109 };

TEST(pcg32_known_answers) {
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
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        uint64_t state = lu_pcg32_seed(rows[i].seed, INC);
        for (int k = 0; k < rows[i].count; k++) {
            CHECK_HEX(lu_pcg32_next(&state, INC), rows[i].want[k]);
        }
    }
}

/* Three normal draws as the game's reference makes them, through our own log and cos. */
TEST(pcg32_normals_known_answers) {
    static const double want[] = {-0.9543369769171571, -0.7950063430942962, 0.21960053763841697};
    uint64_t state = lu_pcg32_seed(42, INC);
    for (int i = 0; i < 3; i++) {
        double u1 = lu_fmax((double)lu_pcg32_next(&state, INC) * 0x1p-32, 1e-8);
        double u2 = (double)lu_pcg32_next(&state, INC) * 0x1p-32;
        CHECK_NEAR(lu_sqrt(-2.0 * lu_log(u1)) * lu_cos(LU_TWO_PI * u2), want[i], 1e-15);
    }
}

TEST(pcg32_jump_equals_steps) {
    uint64_t state = lu_pcg32_seed(7, INC), walked = state;
    for (uint64_t steps = 0; steps < 300; steps++) {
        CHECK_HEX(lu_pcg32_jump(state, INC, steps), walked);
        CHECK_HEX(lu_pcg32_jump(walked, INC, (uint64_t)0 - steps), state);
        lu_pcg32_next(&walked, INC);
    }
    uint64_t far = lu_pcg32_jump(state, INC, UINT64_C(1) << 40);
    CHECK_HEX(lu_pcg32_jump(far, INC, UINT64_C(12345)),
              lu_pcg32_jump(state, INC, (UINT64_C(1) << 40) + 12345));
}

TEST(pcg32_block_equals_sequence) {
    for (int count = 0; count <= 70; count++) {
        uint64_t inc = 2 * (uint64_t)count + 1;
        uint64_t one = lu_pcg32_seed((uint64_t)count * 977, inc), all = one;
        uint32_t out[70] = {0};
        lu_pcg32_block(&all, inc, count, out);
        for (int i = 0; i < count; i++) {
            CHECK_HEX(out[i], lu_pcg32_next(&one, inc));
        }
        CHECK_HEX(all, one);
    }
}

/* splitmix64 with seed 0, from its author's page. */
TEST(splitmix_known_answers) {
    lu_rng rng = lu_rng_from(0);
    CHECK_HEX(lu_rng_u64(&rng), UINT64_C(0xe220a8397b1dcdaf));
    CHECK_HEX(lu_rng_u64(&rng), UINT64_C(0x6e789e6aa1b965f4));
    CHECK_HEX(lu_rng_u64(&rng), UINT64_C(0x06c45d188009454f));
}

TEST(below_is_in_range_and_even) {
    lu_rng rng = lu_rng_from(1);
    static const uint32_t sizes[] = {1, 2, 3, 7, 10, 1000, 0x80000001u, UINT32_MAX};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        for (int k = 0; k < 1000; k++) {
            CHECK(lu_rng_below(&rng, sizes[i]) < sizes[i]);
        }
    }
    enum { CELLS = 10, DRAWS = 100000 };
    int count[CELLS] = {0};
    for (int i = 0; i < DRAWS; i++) {
        count[lu_rng_below(&rng, CELLS)]++;
    }
    double chi = 0;
    for (int i = 0; i < CELLS; i++) {
        double gap = count[i] - DRAWS / CELLS;
        chi += gap * gap / (DRAWS / CELLS);
    }
    CHECK(chi < 27.9); /* 9 degrees of freedom, one in a thousand; the seed is fixed */
}

TEST(unit_is_in_range_and_even) {
    lu_rng rng = lu_rng_from(2);
    double sum = 0;
    for (int i = 0; i < 100000; i++) {
        double u = lu_rng_unit(&rng);
        CHECK(u >= 0 && u < 1);
        sum += u;
    }
    CHECK_NEAR(sum / 100000, 0.5, 0.004);
}

static int compare(const void *a, const void *b) {
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return x < y ? -1 : x > y;
}

/* Seeds of neighbouring environments and episodes are all different, and half their bits differ. */
TEST(mix_separates_neighbours) {
    enum { SIDE = 24 };
    static uint64_t all[SIDE * SIDE * SIDE];
    int n = 0, flips = 0;
    for (uint64_t seed = 0; seed < SIDE; seed++) {
        for (uint64_t index = 0; index < SIDE; index++) {
            for (uint64_t episode = 0; episode < SIDE; episode++) {
                all[n++] = lu_mix(seed, index, episode);
                flips += __builtin_popcountll(lu_mix(seed, index, episode) ^
                                              lu_mix(seed, index, episode + 1));
            }
        }
    }
    CHECK_NEAR((double)flips / n, 32, 0.25);
    qsort(all, (size_t)n, sizeof *all, compare);
    for (int i = 1; i < n; i++) {
        CHECK(all[i] != all[i - 1]);
    }
    CHECK_HEX(lu_mix(1, 2, 3), UINT64_C(0x7f746f6e3259b2da));
}
