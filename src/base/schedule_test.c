/* Schedules: every text form, what is refused, and evaluation at the edges. */
#include "settings_internal.h"
#include "test.h"

static double at(const char *text, double p, double u) {
    char why[300] = "";
    lu_schedule *s = lu_schedule_new(text, 0, 0, why, sizeof why);
    if (!s) {
        lu_test_fail(__FILE__, __LINE__, "%s: %s", text, why);
        return NAN;
    }
    double value = lu_schedule_at(s, p, u);
    lu_schedule_delete(s);
    return value;
}

TEST(named_forms) {
    CHECK(at("0.1", 0.7, 0) == 0.1);
    CHECK(at("-3e-4", 0.7, 0) == -3e-4);
    CHECK(at("const(2)", 1, 0) == 2);
    CHECK_NEAR(at("linear(1, 0)", 0.25, 0), 0.75, 1e-15);
    CHECK_NEAR(at("log(1e-2,1e-4)", 0.5, 0), 1e-3, 1e-15);
    CHECK_NEAR(at("cosine(1,0)", 0, 0), 1, 1e-15);
    CHECK_NEAR(at("cosine(1,0)", 0.5, 0), 0.5, 1e-15);
    CHECK_NEAR(at("cosine(1,0)", 1, 0), 0, 1e-15);
    CHECK(at("step(1,2,0.5)", 0.49, 0) == 1);
    CHECK(at("step(1,2,0.5)", 0.5, 0) == 2);
    CHECK(at("piecewise(0.2:1,0.4:3,0.8:-1)", 0.1, 0) == 1);
    CHECK_NEAR(at("piecewise(0.2:1,0.4:3,0.8:-1)", 0.3, 0), 2, 1e-12);
    CHECK_NEAR(at("piecewise(0.2:1,0.4:3,0.8:-1)", 0.6, 0), 1, 1e-12);
    CHECK(at("piecewise(0.2:1,0.4:3,0.8:-1)", 0.9, 0) == -1);
    CHECK(at("piecewise(0.5:7)", 0.1, 0) == 7);
}

TEST(expressions) {
    CHECK(at("1 + 2 * 3", 0, 0) == 7);
    CHECK(at("(1 + 2) * 3", 0, 0) == 9);
    CHECK(at("2 - 3 - 4", 0, 0) == -5);
    CHECK(at("8 / 2 / 2", 0, 0) == 2);
    CHECK(at("2^3^2", 0, 0) == 512);
    CHECK(at("-2^2", 0, 0) == -4);
    CHECK(at("2^-1", 0, 0) == 0.5);
    CHECK(at("--2", 0, 0) == 2);
    CHECK(at("p", 0.25, 0) == 0.25);
    CHECK(at("u", 0, 12) == 12);
    CHECK(at("min(u/10, 1)", 0, 5) == 0.5);
    CHECK(at("min(u/10, 1)", 0, 50) == 1);
    CHECK(at("max(p, 0.5)", 0.2, 0) == 0.5);
    CHECK_NEAR(at("exp(-2*p)", 1, 0), exp(-2.0), 1e-15);
    CHECK(at(" 0.5 * linear(1,0) + 1 ", 0.5, 0) == 1.25);
    CHECK(at("1-p", 0.25, 0) == 0.75);
}

TEST(progress_is_clamped) {
    CHECK(at("linear(1,0)", -5, 0) == 1);
    CHECK(at("linear(1,0)", 5, 0) == 0);
    CHECK(at("linear(1,0)", NAN, 0) == 1);
}

TEST(results_stay_in_range) {
    char why[300];
    lu_schedule *s = lu_schedule_new("1e-6 * u", 0, 1, why, sizeof why);
    NEED(s);
    CHECK(lu_schedule_at(s, 0, 1e9) == 1); /* beyond what was tried when it was read */
    CHECK(lu_schedule_at(s, 0, -5) == 0);
    CHECK(lu_schedule_at(s, 0, NAN) == 0);
    lu_schedule_delete(s);
    s = lu_schedule_new("log(1e-4,1)", 1e-4, 1, why, sizeof why);
    NEED(s);
    CHECK(lu_schedule_at(s, 0, 0) >= 1e-4 && lu_schedule_at(s, 1, 0) <= 1);
    lu_schedule_delete(s);
}

TEST(constants_are_known) {
    char why[300];
    double value = 0;
    lu_schedule *s = lu_schedule_new("2*(3+1)", 0, 0, why, sizeof why);
    NEED(s);
    CHECK(lu_schedule_is_constant(s, &value) && value == 8);
    lu_schedule_delete(s);
    s = lu_schedule_new("linear(1,1)", 0, 0, why, sizeof why);
    NEED(s);
    CHECK(!lu_schedule_is_constant(s, &value));
    lu_schedule_delete(s);
}

static void refused(const char *text, double low, double high, const char *says) {
    char why[300] = "";
    lu_schedule *s = lu_schedule_new(text, low, high, why, sizeof why);
    if (s) {
        lu_test_fail(__FILE__, __LINE__, "\"%s\" was accepted", text);
    }
    lu_schedule_delete(s);
    CHECK_HAS(why, says);
}

TEST(refused_schedules) {
    refused("", 0, 0, "needs a number");
    refused("abc", 0, 0, "unknown word 'abc'");
    refused("sin(p)", 0, 0, "unknown word 'sin'");
    refused("linear 1,2", 0, 0, "has no '('");
    refused("linear(1)", 0, 0, "has no ','");
    refused("linear(1,2,3)", 0, 0, "takes 2 numbers in linear(...)");
    refused("const(1,2)", 0, 0, "takes 1 number in const(...)");
    refused("linear(p,1)", 0, 0, "needs a number at 'p,1)'");
    refused("log(0,1)", 0, 0, "needs two numbers above 0");
    refused("step(1,2,3)", 0, 0, "progress from 0 to 1");
    refused("piecewise()", 0, 0, "needs a number");
    refused("piecewise(0.5:1,0.5:2)", 0, 0, "rising progress");
    refused("piecewise(0:1,2:2)", 0, 0, "rising progress");
    refused("piecewise(0 1)", 0, 0, "has no ':'");
    refused("1 +", 0, 0, "needs a number");
    refused("(1", 0, 0, "has no ')'");
    refused("1)", 0, 0, "unexpected text at ')'");
    refused("1 2", 0, 0, "unexpected text at '2'");
    refused("1e999", 0, 0, "too large");
    refused("1/p", 0, 0, "is not a finite number at p = 0");
    refused("exp(u)", 0, 0, "is not a finite number");
    refused("linear(0.5,2)", 0, 1, "above the largest allowed value 1");
    refused("-1", 0, 1, "below the smallest allowed value 0");
    refused("nan", 0, 0, "unknown word");
}

TEST(hostile_schedules) {
    char text[3000];
    memset(text, '(', sizeof text);
    text[1000] = '\0';
    refused(text, 0, 0, "nested deeper");
    memset(text, '-', sizeof text);
    text[2000] = '\0';
    refused(text, 0, 0, "nested deeper");
    for (size_t i = 0; i < 2000; i++) {
        text[i] = i % 2 ? '+' : '1';
    }
    text[1999] = '\0';
    refused(text, 0, 0, "too long an expression");
    memset(text, '1', sizeof text);
    text[2999] = '\0';
    refused(text, 0, 0, "longer than 2048 characters");
    /* right-leaning powers use the most stack per step */
    size_t used = 0;
    for (int i = 0; i < 40; i++) {
        used += (size_t)snprintf(text + used, sizeof text - used, "1^");
    }
    snprintf(text + used, sizeof text - used, "1");
    refused(text, 0, 0, "nested deeper");
}

TEST(formulas_read_values_by_their_names) {
    static const char *const names[] = {"p_two", "hp", "hp_2"};
    const double values[] = {3, 0.5, -4};
    char why[200] = "";
    lu_schedule *f = lu_formula_new("max(hp,hp_2)*p_two + u - p", names, 3, why, sizeof why);
    NEED(f != NULL);
    CHECK_NEAR(lu_formula_at(f, 0.25, 10, values), 0.5 * 3 + 10 - 0.25, 1e-12);
    lu_schedule_delete(f);
    f = lu_formula_new("p_two/(hp-0.5)", names, 3, why, sizeof why);
    NEED(f != NULL);
    CHECK_NEAR(lu_formula_at(f, 0, 0, values), 0.0, 0.0); /* not finite */
    lu_schedule_delete(f);
    CHECK(!lu_formula_new("hp_3", names, 3, why, sizeof why));
    CHECK_HAS(why, "unknown word");
    CHECK(!lu_formula_new("hp hp", names, 3, why, sizeof why));
}

static const lu_setting moving[] = {{"x", LU_SCHEDULE, "0", -10, 10, NULL, "X.", false}};

TEST(schedules_may_be_objects) {
    static const struct {
        const char *text;
        double at[3]; /* at updates 0, 100, 1000 */
    } good[] = {
        {"{\"type\":\"linear\",\"initial-value\":1,\"final-value\":0.5,"
         "\"change-over-time-steps\":200,\"round-value\":false}",
         {1, 0.75, 0.5}},
        {"{\"type\":\"log\",\"initial_value\":0.01,\"final_value\":1e-4,"
         "\"change_over_time_steps\":200}",
         {0.01, 0.001, 1e-4}},
        {"{\"type\":\"constant\",\"value\":-3}", {-3, -3, -3}},
        {"{\"type\":\"jump\",\"jumps\":{\"0\":1,\"100\":{\"type\":\"constant\",\"value\":-2},"
         "\"1000\":5}}",
         {1, -2, 5}},
        {"{\"type\":\"linear\",\"initial-value\":0.8,\"final-value\":0.2,"
         "\"change-over-time-steps\":170,\"round-value\":true,\"round-digits\":1}",
         {0.8, 0.4, 0.2}},
        {"{\"type\":\"expression\",\"expression\":\"2 * x**2 - 1.5e0 + round(min(t, 1000) / 400 * "
         "k)\","
         "\"substitutions\":{\"x\":{\"type\":\"jump\",\"jumps\":{\"0\":-1,\"100\":2}},\"k\":0.6}}",
         {0.5, 6.5, 8.5}},
    };
    static const char *const bad[][2] = {
        {"{\"type\":\"linear\",\"initial-value\":1}", "needs the numbers"},
        {"{\"type\":\"log\",\"initial-value\":0,\"final-value\":1,\"change-over-time-steps\":9}",
         "above 0"},
        {"{\"type\":\"linear\",\"initial-value\":1,\"final-value\":0,\"change-over-time-steps\":9,"
         "\"round-value\":true,\"round-digits\":99}",
         "'round-digits'"},
        {"{\"type\":\"expression\",\"expression\":\"random(0, 1)\"}", "unknown word 'random'"},
        {"{\"type\":\"expression\",\"expression\":\"1 if t > 9 else 0\"}",
         "unexpected text at 'if"},
        {"{\"type\":\"expression\",\"expression\":\"k\",\"defaults\":{\"k\":1}}",
         "unknown word 'k'"},
        {"{\"type\":\"expression\"}", "needs an 'expression'"},
        {"{\"type\":\"jump\",\"jumps\":{\"5\":1}}", "rising numbers"},
        {"{\"type\":\"jump\",\"jumps\":{\"0\":1,\"0.5\":1}}", "rising numbers"},
        {"{\"type\":\"jump\",\"jumps\":{\"0\":1,\"9\":[]}}", "must have as its 'type'"},
        {"{\"value\":1}", "must have as its 'type'"},
        {"{", "is not JSON"},
        {"{\"type\":\"constant\",\"value\":11}", "above the largest"},
    };
    static const double update[] = {0, 100, 1000};
    lu_settings *s = lu_settings_new();
    lu_settings_add(s, (lu_table){"test", moving, 1});
    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++) {
        lu_error error = {0};
        CHECK_INT(lu_settings_set(s, "x", good[i].text, LU_FROM_FLAG, "test", &error), LU_OK);
        CHECK_TEXT(error.text, "");
        for (int k = 0; k < 3; k++) {
            CHECK_NEAR(lu_schedule_at(lu_settings_schedule(s, "x"), 0, update[k]), good[i].at[k],
                       1e-12);
        }
        CHECK(*lu_settings_text_of(s, "x") != '{'); /* what is kept is an expression */
    }
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        lu_error error = {0};
        CHECK(lu_settings_set(s, "x", bad[i][0], LU_FROM_FLAG, "test", &error) != LU_OK);
        CHECK_HAS(error.text, bad[i][1]);
    }
    lu_settings_delete(s);
}

/* What holds for a whole run may be an object all the same, of one number. */
TEST(numbers_may_be_constant_objects) {
    static const lu_setting rows[] = {{"n", LU_INT, "1", 1, 100, NULL, "N.", false},
                                      {"r", LU_REAL, "1", 0, 2, NULL, "R.", false}};
    lu_settings *s = lu_settings_new();
    lu_error error = {0};
    lu_settings_add(s, (lu_table){"test", rows, 2});
    CHECK_INT(lu_settings_set(s, "n", "{\"type\":\"constant\",\"value\":12}", LU_FROM_FLAG, "test",
                              &error),
              LU_OK);
    CHECK_INT(lu_settings_set(s, "r", "{\"type\":\"constant\",\"value\":0.25}", LU_FROM_FLAG,
                              "test", &error),
              LU_OK);
    CHECK_TEXT(error.text, "");
    CHECK_INT(lu_settings_int(s, "n"), 12);
    CHECK_TEXT(lu_settings_text_of(s, "n"), "12");
    CHECK_NEAR(lu_settings_real(s, "r"), 0.25, 0.0);
    CHECK(lu_settings_set(s, "n", "{\"type\":\"expression\",\"expression\":\"t\"}", LU_FROM_FLAG,
                          "test", &error) != LU_OK);
    CHECK_HAS(error.text, "'n' = u holds for the whole run: give one number");
    error = (lu_error){0};
    CHECK(lu_settings_set(s, "n", "{\"type\":\"constant\",\"value\":1.5}", LU_FROM_FLAG, "test",
                          &error) != LU_OK);
    CHECK_HAS(error.text, "'n' = 1.5");
    lu_settings_delete(s);
}
