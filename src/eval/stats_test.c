/* Statistics against known answers: published and hand-computed cases, and simulated data of fixed
 * seeds, for which it is known what an interval must cover and how often a test may be wrong. */
#include "ludus/stats.h"

#include "ludus/math.h"
#include "ludus/rng.h"
#include "test.h"

#include <stdlib.h>

/* ---- draws ---- */

static double normal(lu_rng *rng) {
    double size = lu_sqrt(-2 * lu_log(1 - lu_rng_unit(rng)));
    return size * lu_cos(2 * 3.141592653589793 * lu_rng_unit(rng));
}

static double skewed(lu_rng *rng) { /* exponential: mean 1 */
    return -lu_log(1 - lu_rng_unit(rng));
}

/* ---- one player ---- */

TEST(the_figures_of_a_summary) {
    const double values[] = {9, 2, 4, 4, 5, 4, 7, 5};
    lu_summary s = lu_summarise(values, 8, false);
    CHECK_INT(s.count, 8);
    CHECK_NEAR(s.mean, 5, 1e-12);
    CHECK_NEAR(s.deviation, 2.13808993529939, 1e-12); /* sqrt(32 / 7) */
    CHECK_NEAR(s.median, 4.5, 1e-12);
    CHECK_NEAR(s.least, 2, 0);
    CHECK_NEAR(s.most, 9, 0);
    CHECK_NEAR(values[0], 9, 0); /* in their order */
    CHECK(s.low < 5 && s.low > 2 && s.high > 5 && s.high < 9);
}

TEST(quantiles_lie_straight_between_neighbours) {
    const double values[] = {15, 20, 35, 40, 50};
    lu_summary s = lu_summarise(values, 5, false);
    CHECK_NEAR(s.q05, 16, 1e-12);
    CHECK_NEAR(s.q25, 20, 1e-12);
    CHECK_NEAR(s.median, 35, 1e-12);
    CHECK_NEAR(s.q75, 40, 1e-12);
    CHECK_NEAR(s.q95, 48, 1e-12);
}

TEST(interquartile_means_of_the_books) {
    const double twelve[] = {5, 8, 4, 38, 8, 6, 9, 7, 7, 3, 1, 6};
    const double nine[] = {1, 3, 5, 7, 9, 11, 13, 15, 17};
    const double five[] = {1, 2, 4, 6, 100}; /* 1/4 x (3/4 x 2 + 4 + 3/4 x 6) x 10/10 */
    CHECK_NEAR(lu_summarise(twelve, 12, false).iqm, 6.5, 1e-12);
    CHECK_NEAR(lu_summarise(nine, 9, false).iqm, 9, 1e-12);
    CHECK_NEAR(lu_summarise(five, 5, false).iqm, 10 / 2.5, 1e-12);
}

TEST(shares_have_wilsons_interval) {
    double values[20] = {1, 1, 1, 1, 1}, low, high;
    lu_summary s = lu_summarise(values, 20, true);
    CHECK_NEAR(s.mean, 0.25, 1e-12);
    CHECK_NEAR(s.low, 0.1118615, 1e-6);
    CHECK_NEAR(s.high, 0.4687009, 1e-6);
    lu_wilson(0, 10, &low, &high); /* z^2 / (n + z^2) */
    CHECK_NEAR(low, 0, 0);
    CHECK_NEAR(high, 0.2775328, 1e-6);
    lu_wilson(1, 10, &low, &high);
    CHECK_NEAR(low, 1 - 0.2775328, 1e-6);
    CHECK_NEAR(high, 1, 0);
}

TEST(medians_lie_between_ranks) {
    /* ranks of the tables: n = 6 takes 1, 10 takes 2, 16 takes 4, 25 takes 8, 100 takes 40 */
    const int cases[][2] = {{6, 1}, {10, 2}, {16, 4}, {25, 8}, {100, 40}, {1000, 469}, {1600, 760}};
    double values[1600];
    for (int i = 0; i < 1600; i++) {
        values[i] = i + 1;
    }
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        lu_summary s = lu_summarise(values, cases[c][0], false);
        CHECK_NEAR(s.median_low, cases[c][1], 0);
        CHECK_NEAR(s.median_high, cases[c][0] + 1 - cases[c][1], 0);
    }
    lu_summary five = lu_summarise(values, 5, false);
    CHECK(isnan(five.median_low) && isnan(five.median_high) && !isnan(five.low));
}

TEST(few_values_have_students_interval) {
    const double values[] = {1, 2, 3, 4, 5};
    lu_summary s = lu_summarise(values, 5, false);
    CHECK_NEAR(s.low, 3 - 2.776 * 0.7071068, 1e-3);
    CHECK_NEAR(s.high, 3 + 2.776 * 0.7071068, 1e-3);
    lu_summary two = lu_summarise(values, 2, false);
    CHECK_NEAR(two.high, 1.5 + 12.706 * 0.5, 1e-3);
    CHECK_NEAR(two.iqm, 1.5, 1e-12);
}

TEST(what_is_not_known_is_no_number) {
    double values[3] = {4, 5, 6};
    lu_summary none = lu_summarise(values, 0, false), one = lu_summarise(values, 1, false);
    CHECK(isnan(none.mean) && isnan(none.q05) && isnan(none.most) && none.count == 0);
    CHECK_NEAR(one.mean, 4, 0);
    CHECK(isnan(one.low) && isnan(one.high) && isnan(one.iqm_low) && one.deviation == 0);
    values[1] = NAN;
    CHECK(isnan(lu_summarise(values, 3, false).mean));
    values[1] = INFINITY;
    CHECK(isnan(lu_summarise(values, 3, false).median));
    values[1] = 1e150;
    CHECK(isnan(lu_compare_pairs(values, values + 1, 2, 0).p));
}

TEST(equal_values_leave_no_doubt) {
    double values[16];
    for (int i = 0; i < 16; i++) {
        values[i] = 0.1;
    }
    lu_summary s = lu_summarise(values, 16, false);
    CHECK(s.mean == 0.1 && s.low == 0.1 && s.high == 0.1 && s.iqm_low == 0.1 && s.deviation == 0);
}

TEST(order_and_unit_change_nothing) {
    double values[40], turned[40], other[40];
    lu_rng rng = lu_rng_from(5);
    for (int i = 0; i < 40; i++) {
        values[i] = turned[39 - i] = normal(&rng);
        other[i] = 4 * values[i] + 64;
    }
    lu_summary a = lu_summarise(values, 40, false), b = lu_summarise(turned, 40, false);
    lu_summary c = lu_summarise(other, 40, false);
    CHECK(memcmp(&a, &b, sizeof a) == 0);
    CHECK_NEAR(c.low, 4 * a.low + 64, 1e-9);
    CHECK_NEAR(c.iqm_high, 4 * a.iqm_high + 64, 1e-9);
}

/* ---- coverage on simulated data ---- */

typedef struct covered {
    double mean, iqm, median; /* share of the samples whose interval holds the truth */
} covered;

static covered coverage(double (*draw)(lu_rng *), int count, int samples, const double truth[3]) {
    lu_rng rng = lu_rng_from((uint64_t)count);
    covered c = {0};
    double values[64], one = 1.0 / samples;
    for (int k = 0; k < samples; k++) {
        for (int i = 0; i < count; i++) {
            values[i] = draw(&rng);
        }
        lu_summary s = lu_summarise(values, count, false);
        c.mean += s.low <= truth[0] && truth[0] <= s.high ? one : 0;
        c.iqm += s.iqm_low <= truth[1] && truth[1] <= s.iqm_high ? one : 0;
        c.median += s.median_low <= truth[2] && truth[2] <= s.median_high ? one : 0;
    }
    return c;
}

/* Chance alone moves a share of 0.95 by 0.014 in 1000 samples and by 0.022 in 400 (two deviations).
 * Beyond that figures may be off by 0.01, and the mean of 16 skewed values by 0.03. The ranks of
 * the median are whole numbers and hence cover 0.979 and 0.967. */
TEST(intervals_cover_what_they_promise) {
    const double even[3] = {0, 0, 0};
    /* exponential: interquartile mean = 2 x the integral of -ln(1 - u) over 1/4 .. 3/4 */
    const double odd[3] = {1, 1 - 0.5 * 1.3862943611198906 + 1.5 * 0.2876820724517809,
                           0.6931471805599453};
    covered n = coverage(normal, 16, 1000, even), e = coverage(skewed, 16, 1000, odd);
    CHECK_NEAR(n.mean, 0.95, 0.024);
    CHECK_NEAR(n.iqm, 0.95, 0.024);
    CHECK_NEAR(n.median, 0.979, 0.014);
    CHECK_NEAR(e.mean, 0.95, 0.044);
    CHECK_NEAR(e.iqm, 0.95, 0.024);
    CHECK_NEAR(e.median, 0.979, 0.014);
    n = coverage(normal, 64, 400, even);
    e = coverage(skewed, 64, 400, odd);
    CHECK_NEAR(n.mean, 0.95, 0.032);
    CHECK_NEAR(n.iqm, 0.95, 0.032);
    CHECK_NEAR(n.median, 0.967, 0.022);
    CHECK_NEAR(e.mean, 0.95, 0.032);
    CHECK_NEAR(e.iqm, 0.95, 0.032);
    CHECK_NEAR(e.median, 0.967, 0.022);
}

/* To the second order the interval of a mean is m + e (z + (2 z^2 + 1) g / (6 sqrt n)) with the
 * standard error e, the skewness g and z to both sides; the middle of its ends lies by the last
 * term beside the mean. The percentiles of resamples alone give (z^2 - 1), without acceleration z^2
 * + 1 and without the correction of the bias 2 z^2 - 1. */
TEST(intervals_lean_as_the_values_do) {
    enum { FIRST = 100, SAMPLES = 60 };
    lu_rng rng = lu_rng_from(31);
    double values[FIRST + SAMPLES], ratio = 0;
    for (int n = FIRST; n < FIRST + SAMPLES; n++) {
        double squares = 0, cubes = 0;
        for (int i = 0; i < n; i++) {
            values[i] = skewed(&rng);
        }
        lu_summary s = lu_summarise(values, n, false);
        for (int i = 0; i < n; i++) {
            squares += (values[i] - s.mean) * (values[i] - s.mean) / n;
            cubes += pow(values[i] - s.mean, 3) / n;
        }
        double z = 1.96 + (pow(1.96, 3) + 1.96) / (4.0 * n), error = sqrt(squares / n);
        double lean = error * (2 * z * z + 1) * cubes / pow(squares, 1.5) / (6 * sqrt(n));
        ratio += (0.5 * (s.low + s.high) - s.mean) / lean / SAMPLES;
    }
    CHECK_NEAR(ratio, 1.1, 0.1); /* the third order adds a tenth at this size */
}

TEST(large_samples_join_on) {
    /* from 2048 values on there are no resamples; the interval must not jump */
    double *values = malloc(2048 * sizeof *values);
    lu_rng rng = lu_rng_from(11);
    for (int i = 0; i < 2048; i++) {
        values[i] = skewed(&rng);
    }
    lu_summary a = lu_summarise(values, 2047, false), b = lu_summarise(values, 2048, false);
    CHECK_NEAR(b.low, a.low, 0.006);
    CHECK_NEAR(b.high, a.high, 0.006);
    CHECK_NEAR(b.iqm_low, a.iqm_low, 0.002);
    CHECK_NEAR(b.iqm_high, a.iqm_high, 0.002);
    CHECK(b.high - b.low > 0.06 && b.high - b.low < 0.12);
    free(values);
}

/* ---- pairs ---- */

TEST(darwins_maize) {
    /* heights of crossed less self-fertilised plants in eighths of an inch; Fisher 1935 counted
     * 863 of the 32768 ways to sign them with a sum of 314 or more */
    const double maize[15] = {49, -67, 8, 16, 6, 23, 28, 41, 14, 29, 56, 24, 75, 60, -48};
    const double none[15] = {0};
    lu_pairing p = lu_compare_pairs(maize, none, 15, 0);
    CHECK_NEAR(p.p, 2 * 863 / 32768.0, 1e-12);
    CHECK_NEAR(p.difference.mean, 314 / 15.0, 1e-12);
    CHECK_NEAR(p.difference.median, 24, 1e-12);
    CHECK_INT(p.wins, 13);
    CHECK_INT(p.losses, 2);
    CHECK_NEAR(p.improvement, 13 / 15.0, 1e-12);
    CHECK_INT(p.verdict, LU_UNDECIDED);
}

TEST(drawn_flips_agree_with_all_of_them) {
    /* 20 differences are tried in all ways; zeros count for nothing, a 21st is drawn */
    double a[24] = {0}, b[24] = {0};
    lu_rng rng = lu_rng_from(3);
    for (int i = 0; i < 20; i++) {
        a[i] = normal(&rng) + 0.1;
    }
    double all = lu_compare_pairs(a, b, 20, 0).p;
    CHECK_NEAR(lu_compare_pairs(a, b, 24, 0).p, all, 0);
    a[20] = 1e-6;
    double drawn = lu_compare_pairs(a, b, 21, 0).p;
    CHECK(all > 0.005 && all < 0.2);
    CHECK_NEAR(drawn, all, 4 * sqrt(all / 9999) + 1e-4);
}

TEST(many_differences_use_the_normal_distribution) {
    double *a = malloc(4096 * sizeof *a), *b = calloc(4096, sizeof *b);
    for (int i = 0; i < 4096; i++) {
        a[i] = i < 2112 ? 1 : -1; /* 64 above the middle: 2 deviations of the sum, 128 of 64 */
    }
    CHECK_NEAR(lu_compare_pairs(a, b, 4096, 0).p, 0.0455003, 1e-5);
    free(a);
    free(b);
}

TEST(verdicts) {
    double a[12], b[12];
    for (int i = 0; i < 12; i++) {
        b[i] = i % 3;
        a[i] = b[i] + 2 + 0.1 * (i % 4);
    }
    CHECK_INT(lu_compare_pairs(a, b, 12, 0).verdict, LU_BETTER);
    CHECK_INT(lu_compare_pairs(b, a, 12, 0).verdict, LU_WORSE);
    CHECK_INT(lu_compare_pairs(a, b, 12, 2).verdict, LU_BETTER);
    CHECK_INT(lu_compare_pairs(a, b, 12, 2.2).verdict, LU_UNDECIDED);
    CHECK_INT(lu_compare_pairs(b, a, 12, 2.2).verdict, LU_UNDECIDED);
    /* five pairs can be won by chance with 1 in 16, six with 1 in 32 */
    CHECK_INT(lu_compare_pairs(a, b, 5, 0).verdict, LU_UNDECIDED);
    CHECK_INT(lu_compare_pairs(a, b, 6, 0).verdict, LU_BETTER);
    lu_pairing same = lu_compare_pairs(a, a, 12, 0);
    CHECK_INT(same.verdict, LU_UNDECIDED);
    CHECK_NEAR(same.p, 1, 0);
    CHECK_NEAR(same.improvement, 0.5, 0);
    CHECK(same.improvement_low < 0.5 && same.improvement_high > 0.5);
    CHECK_TEXT(lu_verdict_name(LU_WORSE), "worse");
}

TEST(probability_of_improvement) {
    /* 7 wins, 1 tie, 2 losses: 5 / 12 -+ 1.96 sqrt(10 - 25 / 12) / 12, halved and moved to 1/2 */
    const double a[10] = {1, 1, 1, 1, 1, 1, 1, 0, -1, -1}, b[10] = {0};
    lu_pairing p = lu_compare_pairs(a, b, 10, 0);
    CHECK_NEAR(p.improvement, 0.75, 1e-12);
    CHECK_NEAR(p.improvement_low, 0.4785556, 1e-6);
    CHECK_NEAR(p.improvement_high, 0.9381111, 1e-6);
    double won[16];
    for (int i = 0; i < 16; i++) {
        won[i] = 1;
    }
    lu_pairing all = lu_compare_pairs(won, (double[16]){0}, 16, 0);
    CHECK_NEAR(all.improvement_high, 1, 0);
    CHECK(all.improvement_low > 0.8 && all.improvement_low < 0.9);
}

/* Wins, ties and losses with chances 0.5, 0.3 and 0.2: the truth is 0.65. Two players that are
 * alike: a verdict is wrong, and the exact test allows 1 in 20. */
TEST(pairs_are_as_wrong_as_they_say) {
    enum { SAMPLES = 1000, COUNT = 16 };
    double a[COUNT], b[COUNT], inside = 0, wrong = 0, small = 0;
    lu_rng rng = lu_rng_from(21);
    for (int k = 0; k < SAMPLES; k++) {
        for (int i = 0; i < COUNT; i++) {
            double u = lu_rng_unit(&rng);
            a[i] = u < 0.5 ? 1 : u < 0.8 ? 0 : -1;
            b[i] = 0;
        }
        lu_pairing p = lu_compare_pairs(a, b, COUNT, 0);
        inside += p.improvement_low <= 0.65 && 0.65 <= p.improvement_high;
        for (int i = 0; i < COUNT; i++) {
            double seed = normal(&rng); /* what both meet on a seed */
            a[i] = seed + skewed(&rng);
            b[i] = seed + skewed(&rng);
        }
        p = lu_compare_pairs(a, b, COUNT, 0);
        wrong += p.verdict != LU_UNDECIDED;
        small += p.p <= 0.05;
    }
    CHECK_NEAR(inside / SAMPLES, 0.95, 0.02);
    CHECK_NEAR(small / SAMPLES, 0.05, 0.021); /* three deviations */
    CHECK_NEAR(wrong / SAMPLES, 0.05, 0.03);
}

/* ---- several trainings ---- */

/* Differences 1 3 | 5 7: the means of the rows are 2 and 6, those of the columns 3 and 5; hence the
 * variance of the mean is 4 + 1 with 25 / (16 + 1) = 1.47 degrees, of which 1 counts. */
TEST(the_effect_of_few_values_is_known) {
    const double a[] = {11, 23, 35, 47}, b[] = {10, 20, 30, 40}, wild[] = {1, 2, 3, HUGE_VAL};
    lu_effect e = lu_compare_trainings(a, b, 2, 2);
    CHECK_NEAR(e.a, 29, 1e-12);
    CHECK_NEAR(e.b, 25, 1e-12);
    CHECK_NEAR(e.mean, 4, 1e-12);
    CHECK_NEAR(e.freedom, 25.0 / 17, 1e-9);
    CHECK_NEAR(e.low, 4 - 12.706 * sqrt(5), 1e-9);
    CHECK_NEAR(e.high, 4 + 12.706 * sqrt(5), 1e-9);
    e = lu_compare_trainings(a, a, 2, 2);
    CHECK(e.mean == 0 && e.low == 0 && e.high == 0);
    e = lu_compare_trainings(a, wild, 2, 2);
    CHECK(isnan(e.mean) && isnan(e.low) && isnan(e.high));
}

TEST(one_training_covers_the_episodes_alone) {
    double a[40], b[40], difference[40];
    lu_rng rng = lu_rng_from(5);
    for (int i = 0; i < 40; i++) {
        a[i] = normal(&rng);
        b[i] = normal(&rng);
        difference[i] = a[i] - b[i];
    }
    lu_summary s = lu_summarise(difference, 40, false);
    lu_effect e = lu_compare_trainings(a, b, 1, 40);
    CHECK(e.low == s.low && e.high == s.high && isnan(e.freedom));
    CHECK_NEAR(e.mean, s.mean, 1e-12);
    e = lu_compare_trainings(a, b, 1, 1);
    CHECK(isnan(e.low) && isnan(e.high));
}

/* Share of the intervals that hold 0, with deviations of trainings, of evaluation seeds and of what
 * is left. */
static double effect_coverage(int trainings, double by_training, double by_episode, int samples) {
    enum { EPISODES = 32 };
    double a[8 * EPISODES], b[8 * EPISODES] = {0}, column[EPISODES], held = 0;
    lu_rng rng = lu_rng_from((uint64_t)trainings);
    for (int k = 0; k < samples; k++) {
        for (int i = 0; i < EPISODES; i++) {
            column[i] = by_episode * normal(&rng);
        }
        for (int t = 0; t < trainings; t++) {
            double row = by_training * normal(&rng);
            for (int i = 0; i < EPISODES; i++) {
                a[t * EPISODES + i] = row + column[i] + normal(&rng);
            }
        }
        lu_effect e = lu_compare_trainings(a, b, trainings, EPISODES);
        held += e.low <= 0 && e.high >= 0;
    }
    return held / samples;
}

/* Never far below 0.95; above it where trainings hardly differ, as what is left counts twice. */
TEST(effects_cover_trainings_and_episodes) {
    CHECK_NEAR(effect_coverage(3, 0, 0, 1000), 0.98, 0.02);
    CHECK_NEAR(effect_coverage(3, 0.5, 0.5, 1000), 0.95, 0.03);
    CHECK_NEAR(effect_coverage(3, 2, 0.5, 1000), 0.95, 0.02);
    CHECK_NEAR(effect_coverage(8, 0.5, 0.5, 1000), 0.96, 0.02);
    CHECK_NEAR(effect_coverage(8, 0.1, 2, 1000), 0.95, 0.02);
}

/* ---- sequential ---- */

TEST(walds_lot) {
    /* Wald's lots: 0.1 against 0.3, alpha 0.02, beta 0.03. Rejected at 0.1862 n + 2.8755 bad ones,
     * accepted at 0.1862 n - 2.5827. */
    lu_sprt s = lu_sprt_new(LU_SPRT_WINS, 0.1, 0.3, 0.02, 0.03);
    CHECK_NEAR(lu_sprt_upper(&s), 3.8815638, 1e-6);
    CHECK_NEAR(lu_sprt_lower(&s), -3.4863552, 1e-6);
    CHECK_INT(lu_sprt_decision(&s), LU_SPRT_OPEN);
    for (int i = 0; i < 13; i++) {
        CHECK_INT(lu_sprt_decision(&s), LU_SPRT_OPEN);
        lu_sprt_add(&s, 0);
    }
    CHECK_NEAR(lu_sprt_ratio(&s), 13 * -0.2513144, 1e-5);
    lu_sprt_add(&s, 0); /* 0.1862 x 14 = 2.607 */
    CHECK_INT(lu_sprt_decision(&s), LU_SPRT_NULL);
    s = lu_sprt_new(LU_SPRT_WINS, 0.1, 0.3, 0.02, 0.03);
    for (int i = 0; i < 20; i++) { /* 0.1862 x 20 + 2.8755 = 6.6 */
        lu_sprt_add(&s, i >= 14);
    }
    CHECK_INT(lu_sprt_decision(&s), LU_SPRT_OPEN);
    lu_sprt_add(&s, 1); /* 7 of 21: 6.79 are needed */
    CHECK_INT(lu_sprt_decision(&s), LU_SPRT_OTHER);
}

TEST(elo_and_draws) {
    CHECK_NEAR(lu_elo_score(0), 0.5, 1e-12);
    CHECK_NEAR(lu_elo_score(400), 10 / 11.0, 1e-12);
    CHECK_NEAR(lu_elo_score(-400), 1 / 11.0, 1e-12);
    for (int elo = -600; elo <= 600; elo += 75) {
        CHECK_NEAR(lu_score_elo(lu_elo_score(elo)), elo, 1e-8);
    }
    CHECK(isinf(lu_score_elo(1)) && lu_score_elo(1) > 0);
    CHECK(isinf(lu_score_elo(0)) && lu_score_elo(0) < 0);
    CHECK(isnan(lu_score_elo(NAN)));
    lu_sprt s = lu_sprt_elo(0, 100, 0.05, 0.05);
    CHECK_NEAR(s.other, 0.6400650, 1e-6);
    /* 12 wins, 6 draws, 2 losses: mean 0.75, variance 2.25 / 19;
     * 20 x 0.140065 x (1.5 - 1.140065) / (2 x 0.118421) */
    for (int i = 0; i < 20; i++) {
        if (i == 15) {
            CHECK_NEAR(lu_sprt_ratio(&s), 0, 0);
        }
        lu_sprt_add(&s, i < 12 ? 1 : i < 18 ? 0.5 : 0);
    }
    CHECK_NEAR(lu_sprt_ratio(&s), 4.257183, 1e-4);
    CHECK_INT(lu_sprt_decision(&s), LU_SPRT_OTHER);
    CHECK_NEAR(lu_sprt_upper(&s), 2.9444390, 1e-6);
}

TEST(results_that_are_all_equal) {
    lu_sprt effect = lu_sprt_new(LU_SPRT_EFFECT, 0, 0.25, 0.05, 0.05), means = effect;
    means.kind = LU_SPRT_MEANS;
    lu_sprt rising = effect;
    for (int i = 0; i < 100; i++) {
        lu_sprt_add(&effect, 0);
        lu_sprt_add(&means, 0.125);
        lu_sprt_add(&rising, 2);
    }
    CHECK_NEAR(lu_sprt_ratio(&effect), -3.125, 1e-12); /* n t^2 / 2 */
    CHECK_INT(lu_sprt_decision(&effect), LU_SPRT_NULL);
    CHECK_INT(lu_sprt_decision(&means), LU_SPRT_OPEN); /* half-way between the guesses */
    CHECK_INT(lu_sprt_decision(&rising), LU_SPRT_OTHER);
}

typedef struct outcome {
    double other, results; /* share of `other`, mean number of results */
} outcome;

/* Plays until the test decides, 1000 times. `draw` is given the truth. */
static outcome simulate(lu_sprt test, double (*draw)(lu_rng *, double), double truth) {
    enum { MATCHES = 1000, MOST = 20000 };
    lu_rng rng = lu_rng_from(77);
    outcome o = {0};
    for (int m = 0; m < MATCHES; m++) {
        lu_sprt s = test;
        while (lu_sprt_decision(&s) == LU_SPRT_OPEN && s.count < MOST) {
            lu_sprt_add(&s, draw(&rng, truth));
        }
        o.other += (lu_sprt_decision(&s) == LU_SPRT_OTHER) / (double)MATCHES;
        o.results += s.count / (double)MATCHES;
    }
    return o;
}

static double draw_win(lu_rng *rng, double truth) {
    return lu_rng_unit(rng) < truth;
}

static double draw_match(lu_rng *rng, double elo) { /* four in ten are drawn */
    double u = lu_rng_unit(rng), score = lu_elo_score(elo);
    return u < score - 0.2 ? 1 : u < score + 0.2 ? 0.5 : 0;
}

static double draw_difference(lu_rng *rng, double effect) {
    return 3 * (normal(rng) + effect);
}

/* alpha and beta are 0.05; 1000 matches move that by 0.014 (two deviations). Overshoot makes the
 * test rather too careful, an estimated spread rather too quick. */
TEST(sequential_tests_are_as_wrong_as_they_say) {
    lu_sprt wins = lu_sprt_new(LU_SPRT_WINS, 0.5, 0.6, 0.05, 0.05);
    outcome null = simulate(wins, draw_win, 0.5), other = simulate(wins, draw_win, 0.6);
    CHECK(null.other > 0.02 && null.other < 0.064);
    CHECK(other.other > 0.936 && other.other < 0.98);
    /* Wald: ((1 - beta) upper + beta lower) / expected step = 2.65 / 0.02014 = 131.6 at 0.6 */
    CHECK_NEAR(other.results, 131.6, 9);
    CHECK_NEAR(null.results, 130, 9);
    lu_sprt elo = lu_sprt_elo(0, 50, 0.05, 0.05);
    null = simulate(elo, draw_match, 0);
    other = simulate(elo, draw_match, 50);
    CHECK(null.other > 0.02 && null.other < 0.07);
    CHECK(other.other > 0.93 && other.other < 0.98);
    lu_sprt effect = lu_sprt_new(LU_SPRT_EFFECT, 0, 0.25, 0.05, 0.05);
    null = simulate(effect, draw_difference, 0);
    other = simulate(effect, draw_difference, 0.25);
    CHECK(null.other > 0.02 && null.other < 0.07);
    CHECK(other.other > 0.93 && other.other < 0.98);
    CHECK(other.results < 120 && simulate(effect, draw_difference, 0.6).results < 45);
}
