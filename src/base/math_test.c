#include "ludus/math.h"

#include <float.h>
#include <stdlib.h>

#include "ludus/cpu.h"
#include "math_points.h"
#include "test.h"

/* Points per function; LUDUS_TEST_LONG=1 takes a hundred times as many. */
static int points(void) {
    return getenv("LUDUS_TEST_LONG") ? 4000000 : 40000;
}

/* The largest error found, in units in the last place of the true value. */
typedef struct worst {
    double ulp, x, y;
} worst;

static void compare(worst *most, double got, long double want, double x, double y) {
    double near = (double)want, ulp;
    if (isnan(near) || isinf(near) || isnan(got) || isinf(got)) {
        ulp = near == got || (isnan(near) && isnan(got)) ? 0 : INFINITY;
    } else {
        int exponent;
        (void)frexpl(want, &exponent);
        exponent = exponent < -1021 ? -1021 : exponent;
        ulp = (double)fabsl(ldexpl((long double)got - want, 53 - exponent));
    }
    if (ulp > most->ulp) {
        *most = (worst){ulp, x, y};
    }
}

static void judge(const char *name, worst most, double limit) {
    if (getenv("LUDUS_TEST_LONG")) {
        printf("    %s: %.4f ulp at %a %a\n", name, most.ulp, most.x, most.y);
    }
    if (!(most.ulp < limit)) {
        lu_test_fail(__FILE__, __LINE__, "%s is wrong by %.3f ulp at %a %a", name, most.ulp, most.x,
                     most.y);
    }
}

/* 64 bits of mantissa measure an ulp of double to a two-thousandth. */
static bool reference_is_better(void) {
    if (LDBL_MANT_DIG < 64) {
        lu_test_skip("long double is no better than double here");
        return false;
    }
    return true;
}

static double between(lu_rng *rng, double low, double high) {
    return low + lu_rng_unit(rng) * (high - low);
}

static double any_positive(lu_rng *rng) {
    for (;;) {
        double x = lu_double_from_bits(lu_rng_u64(rng) >> 1);
        if (x > 0 && x < INFINITY) {
            return x;
        }
    }
}

TEST(exp_is_accurate) {
    if (!reference_is_better()) {
        return;
    }
    lu_rng rng = lu_rng_from(1);
    worst normal = {0}, tiny = {0};
    for (int i = 0; i < points(); i++) {
        double x = i & 1 ? between(&rng, -2, 2) : between(&rng, -708, 710);
        compare(&normal, lu_exp(x), expl((long double)x), x, 0);
        if (fabs(x) <= LU_EXP_CORE_MAX) {
            CHECK(lu_exp_core(x) == lu_exp(x));
        }
        x = between(&rng, -747, -708);
        compare(&tiny, lu_exp(x), expl((long double)x), x, 0);
    }
    judge("exp", normal, 0.7);
    judge("exp with subnormal result", tiny, 0.8);
}

TEST(log_is_accurate) {
    if (!reference_is_better()) {
        return;
    }
    lu_rng rng = lu_rng_from(2);
    worst all = {0};
    for (int i = 0; i < points(); i++) {
        double near_one = 1 + ldexp(between(&rng, -0.5, 0.5), -(int)lu_rng_below(&rng, 45));
        double x = i % 3 == 0   ? any_positive(&rng)
                   : i % 3 == 1 ? between(&rng, 0.4, 2.2)
                                : near_one;
        compare(&all, lu_log(x), logl((long double)x), x, 0);
        if (x >= DBL_MIN) {
            CHECK(lu_log_core(x) == lu_log(x));
        }
    }
    judge("log", all, 0.9);
}

TEST(sin_and_cos_are_accurate) {
    if (!reference_is_better()) {
        return;
    }
    lu_rng rng = lu_rng_from(3);
    worst sine = {0}, cosine = {0}, far = {0};
    for (int i = 0; i < points(); i++) {
        static const double ranges[] = {0.8, 7, 1e5, LU_TRIG_CORE_MAX};
        double range = ranges[i & 3], x = between(&rng, -range, range);
        compare(&sine, lu_sin(x), sinl((long double)x), x, 0);
        compare(&cosine, lu_cos(x), cosl((long double)x), x, 0);
        double s, c;
        lu_sincos_core(x, &s, &c);
        CHECK(s == lu_sin(x) && c == lu_cos(x) && s == lu_sin_core(x) && c == lu_cos_core(x));
        x = i & 1 ? between(&rng, 0x1p20, 0x1p30) : any_positive(&rng);
        compare(&far, lu_sin(x), sinl((long double)x), x, 0);
        compare(&far, lu_cos(x), cosl((long double)x), x, 0);
    }
    judge("sin", sine, 0.8);
    judge("cos", cosine, 0.8);
    judge("sin and cos of large values", far, 0.8);
}

/* The doubles next to a multiple of pi/2, where nearly all bits of x cancel. */
TEST(sin_and_cos_are_accurate_near_their_zeros) {
    if (!reference_is_better()) {
        return;
    }
    const long double half_pi = 1.57079632679489661923132169163975144L;
    lu_rng rng = lu_rng_from(4);
    worst all = {0};
    for (int i = 0; i < points(); i++) {
        double most = i & 1 ? 2000.0 : i & 2 ? 667543.0 : 0x1p45;
        double x = (double)(half_pi * (long double)floor(between(&rng, 1, most)));
        x = i % 3 == 0 ? nextafter(x, 0) : i % 3 == 1 ? nextafter(x, 1e300) : x;
        compare(&all, lu_sin(x), sinl((long double)x), x, 0);
        compare(&all, lu_cos(x), cosl((long double)x), x, 0);
    }
    judge("sin and cos near zeros", all, 0.8);
    /* the double nearest to any multiple of pi/2, within 2^-61: the worst case of the reduction */
    worst hard = {0};
    double x = 6381956970095103.0 * 0x1p797;
    compare(&hard, lu_cos(x), cosl((long double)x), x, 0);
    compare(&hard, lu_sin(x), sinl((long double)x), x, 0);
    judge("cos of the hardest double", hard, 0.8);
    CHECK_NEAR(lu_cos(x), -4.6871659242546277e-19, 1e-34);
}

TEST(pow_is_accurate) {
    if (!reference_is_better()) {
        return;
    }
    lu_rng rng = lu_rng_from(5);
    worst all = {0};
    for (int i = 0; i < points(); i++) {
        double near_one = 1 + ldexp(between(&rng, -0.5, 0.5), -(int)lu_rng_below(&rng, 45));
        double x = i % 3 == 0 ? any_positive(&rng) : i % 3 == 1 ? between(&rng, 0, 4) : near_one;
        double y = x > 0 && x != 1 ? between(&rng, -745, 745) / log(x) : 1;
        y = i % 4 == 3 ? between(&rng, -10, 10) : y;
        compare(&all, lu_pow(x, y), powl((long double)x, (long double)y), x, y);
    }
    judge("pow", all, 0.8);
    for (int base = 1; base <= 20; base++) {
        double product = 1;
        for (int power = 0; power <= 12; power++, product *= base) {
            CHECK(lu_pow(base, power) == product || product > 0x1p53);
            CHECK(lu_pow(-base, power) == (power & 1 ? -product : product) || product > 0x1p53);
        }
    }
}

TEST(float_forms_are_accurate) {
    lu_rng rng = lu_rng_from(6);
    worst all = {0};
    for (int i = 0; i < points(); i++) {
        float x = (float)between(&rng, -20, 20), p = fabsf(x), y = (float)between(&rng, -9, 9);
        float small = ldexpf(x, -(int)lu_rng_below(&rng, 60));
        const double pairs[][2] = {
            {(double)lu_expf(x), exp((double)x)},
            {(double)lu_logf(p), log((double)p)},
            {(double)lu_sinf(x), sin((double)x)},
            {(double)lu_cosf(x), cos((double)x)},
            {(double)lu_powf(p, y), pow((double)p, (double)y)},
            {(double)lu_tanhf(x), tanh((double)x)},
            {(double)lu_tanhf(small), tanh((double)small)},
        };
        for (size_t k = 0; k < sizeof pairs / sizeof *pairs; k++) {
            double got = pairs[k][0], want = pairs[k][1];
            int exponent;
            (void)frexp(want, &exponent);
            exponent = exponent < -125 ? -125 : exponent;
            double ulp = got == want ? 0 : fabs(ldexp(got - want, 24 - exponent));
            if (ulp > all.ulp) {
                all = (worst){ulp, (double)x, (double)k};
            }
        }
    }
    judge("float forms", all, 0.5001);
}

/* The same value and the same sign, or both NaN. */
#define CHECK_SAME(got, want)                                                                      \
    do {                                                                                           \
        double same_got = (got), same_want = (want);                                               \
        if (!(isnan(same_got) && isnan(same_want)) &&                                              \
            lu_double_bits(same_got) != lu_double_bits(same_want)) {                               \
            lu_test_fail(__FILE__, __LINE__, "%s is %a, not %a", #got, same_got, same_want);       \
        }                                                                                          \
    } while (0)

TEST(special_values) {
    CHECK_SAME(lu_exp(0), 1);
    CHECK_SAME(lu_exp(-0.0), 1);
    CHECK_SAME(lu_exp(INFINITY), INFINITY);
    CHECK_SAME(lu_exp(-INFINITY), 0);
    CHECK_SAME(lu_exp(NAN), NAN);
    CHECK_SAME(lu_exp(0x1.62e42fefa39efp+9), 0x1.fffffffffff2ap+1023);
    CHECK_SAME(lu_exp(0x1.62e42fefa39f0p+9), INFINITY);
    CHECK_SAME(lu_exp(-745.13), 0x1p-1074);
    CHECK_SAME(lu_exp(-745.14), 0);
    CHECK_SAME(lu_exp(DBL_MAX), INFINITY);
    CHECK_SAME(lu_exp(-DBL_MAX), 0);
    CHECK_SAME(lu_exp(1e-300), 1);
    CHECK_SAME(lu_log(0), -INFINITY);
    CHECK_SAME(lu_log(-0.0), -INFINITY);
    CHECK_SAME(lu_log(-1), NAN);
    CHECK_SAME(lu_log(-INFINITY), NAN);
    CHECK_SAME(lu_log(INFINITY), INFINITY);
    CHECK_SAME(lu_log(NAN), NAN);
    CHECK_SAME(lu_log(1), 0);
    CHECK_SAME(lu_log(0x1p-1074), -0x1.74385446d71c3p+9);
    CHECK_SAME(lu_sin(0), 0);
    CHECK_SAME(lu_sin(-0.0), -0.0);
    CHECK_SAME(lu_sin(1e-310), 1e-310);
    CHECK_SAME(lu_cos(0), 1);
    CHECK_SAME(lu_cos(1e-310), 1);
    CHECK_SAME(lu_sin(INFINITY), NAN);
    CHECK_SAME(lu_cos(-INFINITY), NAN);
    CHECK_SAME(lu_sin(NAN), NAN);
    CHECK_SAME(lu_cos(NAN), NAN);
    CHECK_SAME(lu_sigmoid(0), 0.5);
    CHECK_SAME(lu_sigmoid(1000), 1);
    CHECK_SAME(lu_sigmoid(-1000), 0);
    CHECK_SAME(lu_sigmoid(NAN), NAN);
    CHECK_SAME((double)lu_tanhf(-0.0f), -0.0);
    CHECK_SAME((double)lu_tanhf(INFINITY), 1);
    CHECK_SAME((double)lu_tanhf(-INFINITY), -1);
    CHECK_SAME((double)lu_tanhf(NAN), NAN);
    CHECK_SAME((double)lu_expf(89), INFINITY);
    CHECK_SAME(lu_fmin(1, 2), 1);
    CHECK_SAME(lu_fmax(1, 2), 2);
}

/* Every pair of these against the C library, which follows Annex F. */
TEST(pow_special_values) {
    static const double values[] = {
        0.0,     -0.0,      1,          -1,      0.5,      -0.5,     2,         -2,     3,
        -3,      2.5,       -2.5,       1e300,   -1e300,   1e-300,   -1e-300,   0x1p53, 0x1p53 - 1,
        -0x1p53, 0x1p-1074, -0x1p-1074, DBL_MAX, -DBL_MAX, INFINITY, -INFINITY, NAN};
    enum { COUNT = sizeof values / sizeof *values };
    for (int i = 0; i < COUNT; i++) {
        for (int k = 0; k < COUNT; k++) {
            volatile double x = values[i], y = values[k];
            double got = lu_pow(x, y), want = pow(x, y);
            if (!(isnan(got) && isnan(want)) && lu_double_bits(got) != lu_double_bits(want)) {
                worst one = {0};
                compare(&one, got, powl((long double)x, (long double)y), x, y);
                CHECK(one.ulp < 0.8 && signbit(got) == signbit(want));
            }
        }
    }
}

TEST(same_bits_in_this_build) {
    CHECK_HEX(math_points_hash(), MATH_POINTS_HASH);
}

#if defined(__x86_64__)
__attribute__((target("arch=x86-64-v3"))) static uint64_t hash_v3(void) {
    return math_points_hash();
}
__attribute__((target("arch=x86-64-v4"))) static uint64_t hash_v4(void) {
    return math_points_hash();
}

/* Wider vectors and fused multiply-add at hand must change nothing. */
TEST(same_bits_at_every_level) {
    if (lu_cpu_isa() >= LU_ISA_V3) {
        CHECK_HEX(hash_v3(), MATH_POINTS_HASH);
    }
    if (lu_cpu_isa() >= LU_ISA_V4) {
        CHECK_HEX(hash_v4(), MATH_POINTS_HASH);
    }
}
#endif

TEST(bits_are_found_and_counted) {
    CHECK(lu_lowest_bit(1u) == 0 && lu_lowest_bit(0x80000000u) == 31 && lu_lowest_bit(12u) == 2);
    CHECK(lu_highest_bit(1u) == 0 && lu_highest_bit(0xffffffffu) == 31 && lu_highest_bit(12u) == 3);
    CHECK(lu_bits_set(0) == 0 && lu_bits_set(0xffffffffu) == 32 && lu_bits_set(0x80010203u) == 5);
}
