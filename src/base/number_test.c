/* Numbers as text: shortest printing, exact reading, the three checked readers, UTF-8 helpers. */
#include "ludus/settings.h"
#include "number.h"
#include "test.h"
#include "utf8.h"

#include <float.h>
#include <stdlib.h>

static const char *real_text(double value) {
    static char text[LU_NUMBER];
    CHECK_INT(lu_print_real(text, value), strlen(text));
    return text;
}

static const char *float_text(float value) {
    static char text[LU_NUMBER];
    CHECK_INT(lu_print_float(text, value), strlen(text));
    return text;
}

static uint64_t next_random(uint64_t *state) { /* splitmix64 */
    uint64_t z = (*state += UINT64_C(0x9E3779B97F4A7C15));
    z = (z ^ (z >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94D049BB133111EB);
    return z ^ (z >> 31);
}

TEST(shortest_texts) {
    CHECK_TEXT(real_text(0), "0");
    CHECK_TEXT(real_text(-0.0), "-0");
    CHECK_TEXT(real_text(1), "1");
    CHECK_TEXT(real_text(-17), "-17");
    CHECK_TEXT(real_text(0.1), "0.1");
    CHECK_TEXT(real_text(0.1 + 0.2), "0.30000000000000004");
    CHECK_TEXT(real_text(1e22), "1e+22");
    CHECK_TEXT(real_text(5e-324), "5e-324");
    CHECK_TEXT(real_text(999999999999999.0), "999999999999999");
    CHECK_TEXT(float_text(0), "0");
    CHECK_TEXT(float_text(-0.0f), "-0");
    CHECK_TEXT(float_text(0.1f), "0.1");
    CHECK_TEXT(float_text(1.0f / 3), "0.33333334");
    CHECK_TEXT(float_text(16777216.0f), "16777216");
    CHECK_TEXT(float_text(-2.5f), "-2.5");
    CHECK_TEXT(float_text(1e-45f), "1e-45");
    char out[LU_NUMBER];
    lu_print_int(out, INT64_MIN);
    CHECK_TEXT(out, "-9223372036854775808");
    lu_print_uint(out, UINT64_MAX);
    CHECK_TEXT(out, "18446744073709551615");
    lu_print_short(out, 1e7);
    CHECK_TEXT(out, "1e7");
    lu_print_short(out, -12e6);
    CHECK_TEXT(out, "-12e6");
    lu_print_short(out, 4096);
    CHECK_TEXT(out, "4096");
    lu_print_short(out, INFINITY);
    CHECK_TEXT(out, "infinity");
}

TEST(random_doubles_and_floats_read_back_equal) {
    uint64_t state = 1;
    for (int i = 0; i < 20000; i++) {
        uint64_t bits = next_random(&state);
        double value;
        memcpy(&value, &bits, sizeof value);
        if (isfinite(value)) {
            const char *text = real_text(value);
            CHECK(lu_number_value(text, strlen(text)) == value);
            CHECK(strtod(text, NULL) == value);
        }
        uint32_t half = (uint32_t)(bits >> 32);
        float single;
        memcpy(&single, &half, sizeof single);
        if (isfinite(single)) {
            CHECK(strtof(float_text(single), NULL) == single);
        }
    }
}

TEST(reading_agrees_with_strtod) {
    uint64_t state = 7;
    for (int i = 0; i < 20000; i++) {
        char text[64];
        uint64_t bits = next_random(&state), digits = bits >> (bits & 63);
        int power = (int)(next_random(&state) % 80) - 40;
        snprintf(text, sizeof text, "%llu.%llue%d", (unsigned long long)digits,
                 (unsigned long long)(bits % 1000), power);
        CHECK(lu_number_span(text, strlen(text)) == strlen(text));
        CHECK(lu_number_value(text, strlen(text)) == strtod(text, NULL));
    }
    CHECK(lu_number_value("1e999999999999999999999", 23) == INFINITY);
    CHECK(lu_number_value("-1e-999999999999999999999", 25) == 0);
    CHECK(lu_number_value("0e999999999", 11) == 0);
    char zeros[400];
    memset(zeros, '0', sizeof zeros);
    zeros[0] = '1';
    zeros[1] = '.';
    CHECK(lu_number_value(zeros, sizeof zeros) == 1);
}

TEST(spans_of_numbers) {
    static const struct {
        const char *text;
        size_t span;
    } rows[] = {{"12", 2},    {"-1.5e-3", 7}, {".5", 2}, {"5.", 2},   {"1e", 1},  {"1e+", 1},
                {"", 0},      {"-", 0},       {".", 0},  {"nan", 0},  {"inf", 0}, {"0x1", 1},
                {"1.2.3", 3}, {"+3k", 2},     {"e5", 0}, {"1e5e5", 3}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        CHECK_INT(lu_number_span(rows[i].text, strlen(rows[i].text)), rows[i].span);
    }
}

TEST(unsigned_reader) {
    uint64_t value = 0;
    lu_error error;
    CHECK_INT(lu_parse_u64("seed", "18446744073709551615", &value, &error), LU_OK);
    CHECK(value == UINT64_MAX);
    CHECK_INT(lu_parse_u64("seed", "0xFFFFffffFFFFffff", &value, &error), LU_OK);
    CHECK(value == UINT64_MAX);
    CHECK_INT(lu_parse_u64("seed", "0", &value, &error), LU_OK);
    CHECK(value == 0);
    CHECK_INT(lu_parse_u64("seed", "18446744073709551616", &value, &error), LU_BAD_VALUE);
    CHECK_TEXT(error.text, "'seed' = 18446744073709551616 is above the largest allowed value "
                           "18446744073709551615");
    CHECK_INT(lu_parse_u64("seed", "0x10000000000000000", &value, &error), LU_BAD_VALUE);
    static const char *const bad[] = {"", "-1", "+1", " 1", "1 ", "0x", "0xg", "1e3", "1.0", "abc"};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        CHECK_INT(lu_parse_u64("seed", bad[i], &value, &error), LU_BAD_VALUE);
        CHECK_HAS(error.text, "'seed' = ");
        CHECK_HAS(error.text, "decimal or 0x hex");
    }
    CHECK_INT(lu_parse_u64("seed", "x", &value, NULL), LU_BAD_VALUE);
    CHECK(value == 0);
}

TEST(whole_reader_is_exact) {
    static const struct {
        const char *text;
        int64_t value;
    } rows[] = {{"0", 0},
                {"-0", 0},
                {"+5", 5},
                {"007", 7},
                {"1e6", 1000000},
                {"1.5e3", 1500},
                {"64k", 64000},
                {"4M", 4000000},
                {"2G", 2000000000},
                {"1.5k", 1500},
                {"64Ki", 65536},
                {"1.5Ki", 1536},
                {"2Gi", INT64_C(2147483648)},
                {"-3k", -3000},
                {"5.000", 5},
                {"100e-2", 1},
                {"9007199254740993", INT64_C(9007199254740993)},
                {"9223372036854775807", INT64_MAX},
                {"-9223372036854775808", INT64_MIN},
                {"0e99999999999", 0}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        int64_t value = -1;
        CHECK_INT(lu_parse_i64("n", rows[i].text, INT64_MIN, INT64_MAX, &value, NULL), LU_OK);
        CHECK_INT(value, rows[i].value);
    }
    static const char *const bad[] = {
        "",      "k",       "1.5", "1e-1", "64K",
        "6 4",   "0x10",    "nan", "1kk",  "--1",
        "1_000", "0.0001k", "1e",  "64kb", "0.1234567890123456789012"};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        int64_t value = 42;
        lu_error error;
        CHECK_INT(lu_parse_i64("n", bad[i], INT64_MIN, INT64_MAX, &value, &error), LU_BAD_VALUE);
        CHECK_HAS(error.text, "is not an integer such as 64, 64k or 1e6");
        CHECK_INT(value, 42);
    }
}

TEST(whole_reader_names_the_limit) {
    int64_t value = 0;
    lu_error error;
    lu_parse_i64("n", "11", 1, 10, &value, &error);
    CHECK_TEXT(error.text, "'n' = 11 is above the largest allowed value 10");
    lu_parse_i64("n", "0", 1, 10, &value, &error);
    CHECK_TEXT(error.text, "'n' = 0 is below the smallest allowed value 1");
    lu_parse_i64("n", "9223372036854775808", INT64_MIN, INT64_MAX, &value, &error);
    CHECK_TEXT(error.text, "'n' = 9223372036854775808 is above the largest allowed value "
                           "9223372036854775807");
    lu_parse_i64("n", "-1e30", -5, 5, &value, &error);
    CHECK_TEXT(error.text, "'n' = -1e30 is below the smallest allowed value -5");
    lu_parse_i64("n", "9223372036854775G", -5, 5, &value, &error);
    CHECK_HAS(error.text, "above the largest");
}

TEST(real_reader) {
    double value = 0;
    lu_error error;
    CHECK_INT(lu_parse_real("x", "3e-4", 0, 1, &value, &error), LU_OK);
    CHECK(value == 3e-4);
    CHECK_INT(lu_parse_real("x", "1", 0, 1, &value, &error), LU_OK);
    CHECK_INT(lu_parse_real("time_max", "1e99", 0, 1e7, &value, &error), LU_BAD_VALUE);
    CHECK_TEXT(error.text, "'time_max' = 1e99 is above the largest allowed value 1e7");
    CHECK_INT(lu_parse_real("x", "-0.5", 0, 1, &value, &error), LU_BAD_VALUE);
    CHECK_TEXT(error.text, "'x' = -0.5 is below the smallest allowed value 0");
    CHECK_INT(lu_parse_real("x", "1e999", -INFINITY, INFINITY, &value, &error), LU_BAD_VALUE);
    CHECK_HAS(error.text, "above the largest");
    static const char *const bad[] = {"",   "nan", "inf", "-inf", "0x1p3",   "1,5",
                                      "1 ", " 1",  "1e",  "1..2", "infinity"};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        CHECK_INT(lu_parse_real("x", bad[i], -INFINITY, INFINITY, &value, &error), LU_BAD_VALUE);
        CHECK_HAS(error.text, "is not a number such as 0.5 or 3e-4");
    }
}

TEST(shown_texts_are_short_and_harmless) {
    char out[LU_SHOW], big[4000];
    CHECK_TEXT(lu_show(out, ""), "''");
    CHECK_TEXT(lu_show(out, "plain \xC3\xA9"), "plain \xC3\xA9");
    CHECK_TEXT(lu_show(out, "\x1B[31mred\n\x7F"), "?[31mred??");
    CHECK_TEXT(lu_show(out, "a\xC2\x9B\xFF"
                            "b"),
               "a??b");
    memset(big, 'y', sizeof big - 1);
    big[sizeof big - 1] = '\0';
    CHECK(strlen(lu_show(out, big)) < LU_SHOW);
    CHECK_HAS(out, "yyy...");
}

TEST(utf8_well_formedness) {
    static const struct {
        const char *text;
        size_t length;
    } rows[] = {{"a", 1},
                {"\xC3\xA9", 2},
                {"\xE2\x82\xAC", 3},
                {"\xF0\x9F\x98\x80", 4},
                {"\x80", 0},
                {"\xC0\xAF", 0},
                {"\xC1\xBF", 0},
                {"\xE0\x80\xAF", 0},
                {"\xED\xA0\x80", 0},
                {"\xF0\x80\x80\x80", 0},
                {"\xF4\x90\x80\x80", 0},
                {"\xF5\x80\x80\x80", 0},
                {"\xE2\x82", 0},
                {"\xE2\x28\xA1", 0}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        CHECK_INT(lu_utf8_next(rows[i].text, strlen(rows[i].text)), rows[i].length);
    }
    CHECK_INT(lu_utf8_prefix("ab\xFFz", 4), 2);
    CHECK_INT(lu_utf8_next("", 0), 0);
}
