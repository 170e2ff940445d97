/* Settings: types, precedence, repeatable rows, variables, suggestions, and what is written out. */
#include "ludus/json.h"
#include "ludus/settings.h"
#include "test.h"

#include <stdlib.h>

static const lu_setting game_rows[] = {
    {"time_max", LU_REAL, "100", 0.5, 1e7, NULL, "Length of an episode.", false},
    {"players", LU_INT, "2", 1, 10, NULL, "Number of players.", false},
    {"reward.mode", LU_ENUM, "profit", 0, 0, "profit|reference", "What is rewarded.", false},
    {"reward.scale", LU_REAL, "1", 0, 0, NULL, "Factor of the reward; a|b.", false},
    {"reward.term", LU_TEXT, "", 0, 0, NULL, "One term of the reward.", true},
    {"fast", LU_BOOL, "false", 0, 0, NULL, "Skips drawing.", false},
    {"name", LU_TEXT, "", 0, 8, NULL, "Name of the run.", false},
};
static const lu_setting train_rows[] = {
    {"train.lr", LU_SCHEDULE, "3e-4", 0, 1, NULL, "Step size.", false},
    {"train.layers", LU_LIST, "64,64", 1, 4096, NULL, "Widths of the layers.", false},
    {"train.extra", LU_JSON, "{}", 0, 0, NULL, "Anything else.", false},
    {"train.steps", LU_INT, "1e6", 0, 0, NULL, "Steps to train.", false},
    {"train.limit", LU_INT, "", 0, 0, NULL, "Stops after this many seconds.", false},
    {"train.kind", LU_ENUM, "", 0, 0, "ppo|dqn", "Trainer; empty picks one.", false},
    {"train.clip", LU_SCHEDULE, "", 0, 1, NULL, "Clipping, if any.", false},
    {"train.probe", LU_LIST, "", 0, 0, NULL, "Probe vectors.", true},
};
static const lu_table game_table = {"game", game_rows, sizeof game_rows / sizeof game_rows[0]};
static const lu_table train_table = {"train", train_rows, sizeof train_rows / sizeof train_rows[0]};

static lu_settings *make(void) {
    lu_settings *s = lu_settings_new();
    lu_settings_add(s, game_table);
    lu_settings_add(s, train_table);
    return s;
}

static void set(lu_settings *s, const char *key, const char *value) {
    lu_error error = {0};
    if (lu_settings_set(s, key, value, LU_FROM_FLAG, "--set", &error) != LU_OK) {
        lu_test_fail(__FILE__, __LINE__, "%s=%s: %s", key, value, error.text);
    }
}

/* The value is refused with exactly this sentence. */
static void refused(const char *key, const char *value, const char *says) {
    lu_settings *s = make();
    lu_error error = {0};
    char *before = lu_settings_json(s);
    CHECK(lu_settings_set(s, key, value, LU_FROM_FLAG, "--set", &error) != LU_OK);
    CHECK_TEXT(error.text, says);
    char *after = lu_settings_json(s);
    CHECK_TEXT(after, before);
    free(before);
    free(after);
    lu_settings_delete(s);
}

TEST(defaults) {
    lu_settings *s = make();
    const double *list = NULL;
    CHECK(lu_settings_real(s, "time_max") == 100);
    CHECK_INT(lu_settings_int(s, "players"), 2);
    CHECK_INT(lu_settings_int(s, "train.steps"), 1000000);
    CHECK_INT(lu_settings_enum(s, "reward.mode"), 0);
    CHECK(!lu_settings_bool(s, "fast"));
    CHECK_TEXT(lu_settings_text_of(s, "name"), "");
    CHECK_TEXT(lu_settings_text_of(s, "train.steps"), "1e6");
    CHECK_INT(lu_settings_list(s, "train.layers", &list), 2);
    CHECK(list[1] == 64);
    CHECK(lu_schedule_at(lu_settings_schedule(s, "train.lr"), 0.5, 0) == 3e-4);
    CHECK_INT(lu_settings_count(s, "reward.term"), 0);
    CHECK_TEXT(lu_settings_text_of(s, "reward.term"), "");
    CHECK_INT(lu_settings_origin(s, "players"), LU_FROM_DEFAULT);
    CHECK_TEXT(lu_settings_where(s, "players"), "default");
    CHECK(!lu_settings_is_set(s, "players"));
    CHECK(lu_settings_has(s, "players") && !lu_settings_has(s, "player"));
    /* unset rows */
    CHECK_INT(lu_settings_int(s, "train.limit"), 0);
    CHECK_INT(lu_settings_enum(s, "train.kind"), -1);
    CHECK(lu_settings_schedule(s, "train.clip") == NULL);
    lu_settings_delete(s);
}

TEST(every_type_is_read) {
    lu_settings *s = make();
    static const char *const on[] = {"true", "yes", "on", "1", "True", " YES "};
    static const char *const off[] = {"false", "no", "off", "0", "OFF"};
    for (size_t i = 0; i < sizeof on / sizeof on[0]; i++) {
        set(s, "fast", on[i]);
        CHECK(lu_settings_bool(s, "fast"));
    }
    for (size_t i = 0; i < sizeof off / sizeof off[0]; i++) {
        set(s, "fast", off[i]);
        CHECK(!lu_settings_bool(s, "fast"));
    }
    set(s, "train.steps", "9007199254740993");
    CHECK_INT(lu_settings_int(s, "train.steps"), INT64_C(9007199254740993));
    set(s, "train.steps", "-9223372036854775808");
    CHECK_INT(lu_settings_int(s, "train.steps"), INT64_MIN);
    set(s, "train.steps", "64k");
    CHECK_INT(lu_settings_int(s, "train.steps"), 64000);
    set(s, "time_max", " 2.5e3 ");
    CHECK(lu_settings_real(s, "time_max") == 2500);
    CHECK_TEXT(lu_settings_text_of(s, "time_max"), "2.5e3");
    set(s, "reward.mode", "reference");
    CHECK_INT(lu_settings_enum(s, "reward.mode"), 1);
    set(s, "name", " a b ");
    CHECK_TEXT(lu_settings_text_of(s, "name"), " a b "); /* texts keep their spaces */
    const double *list = NULL;
    set(s, "train.layers", "1, 2 ,4096");
    CHECK_INT(lu_settings_list(s, "train.layers", &list), 3);
    CHECK(list[0] == 1 && list[1] == 2 && list[2] == 4096);
    set(s, "train.layers", "");
    CHECK_INT(lu_settings_list(s, "train.layers", &list), 0);
    set(s, "train.extra", "[1, {\"a\": null}]");
    CHECK_TEXT(lu_settings_text_of(s, "train.extra"), "[1, {\"a\": null}]");
    set(s, "train.lr", "linear(1e-3, 0)");
    CHECK_NEAR(lu_schedule_at(lu_settings_schedule(s, "train.lr"), 0.5, 0), 5e-4, 1e-18);
    set(s, "train.limit", "60");
    CHECK(lu_settings_is_set(s, "train.limit"));
    set(s, "train.limit", "");
    CHECK(!lu_settings_is_set(s, "train.limit"));
    set(s, "train.kind", "dqn");
    CHECK_INT(lu_settings_enum(s, "train.kind"), 1);
    lu_settings_delete(s);
}

TEST(sentences_of_errors) {
    refused("time_max", "1e99",
            "'time_max' = 1e99 is above the largest allowed value 1e7 (from --set)");
    refused("time_max", "0.4",
            "'time_max' = 0.4 is below the smallest allowed value 0.5 (from --set)");
    refused("time_max", "soon",
            "'time_max' = soon is not a number such as 0.5 or 3e-4 (from --set)");
    refused("time_max", "", "'time_max' = '' is not a number such as 0.5 or 3e-4 (from --set)");
    refused("time_max", "nan", "'time_max' = nan is not a number such as 0.5 or 3e-4 (from --set)");
    refused("players", "0", "'players' = 0 is below the smallest allowed value 1 (from --set)");
    refused("players", "11", "'players' = 11 is above the largest allowed value 10 (from --set)");
    refused("players", "2.5",
            "'players' = 2.5 is not an integer such as 64, 64k or 1e6 (from --set)");
    refused("fast", "maybe", "'fast' = maybe must be true or false (from --set)");
    refused("reward.mode", "proft",
            "'reward.mode' = proft is not one of profit, reference; did you mean "
            "'profit'? (from --set)");
    refused("reward.mode", "x", "'reward.mode' = x is not one of profit, reference (from --set)");
    refused("reward.mode", "profit|reference",
            "'reward.mode' = profit|reference is not one of profit, reference (from --set)");
    refused("name", "123456789", "'name' has 9 bytes, more than the allowed 8 (from --set)");
    refused("train.layers", "1,x,3",
            "'train.layers[1]' = x is not a number such as 0.5 or 3e-4 (from --set)");
    refused("train.layers", "1,,3",
            "'train.layers[1]' = '' is not a number such as 0.5 or 3e-4 (from --set)");
    refused("train.layers", "1,2,",
            "'train.layers[2]' = '' is not a number such as 0.5 or 3e-4 (from --set)");
    refused("train.layers", "0",
            "'train.layers[0]' = 0 is below the smallest allowed value 1 (from --set)");
    refused("train.extra", "{\"a\":}",
            "'train.extra' is not JSON: train.extra:1:6: expected a JSON value (from --set)");
    refused("train.lr", "2",
            "the schedule 'train.lr' = 2 is 2 at p = 0, above the largest allowed value 1 (from "
            "--set)");
    refused("train.lr", "foo(1)",
            "the schedule 'train.lr' = foo(1) has the unknown word 'foo'; known are p, u, const, "
            "linear, log, "
            "cosine, step, piecewise, min, max, exp, abs and round (from --set)");
    refused("rewrad.mode", "profit",
            "unknown setting 'rewrad.mode' (from --set); did you mean 'reward.mode'?");
    refused("mode", "profit", "unknown setting 'mode' (from --set); did you mean 'reward.mode'?");
    refused("completely.other", "1",
            "unknown setting 'completely.other' (from --set); no known setting has a similar name");
    refused("", "1", "unknown setting ' ' (from --set); no known setting has a similar name");
}

TEST(hostile_values) {
    size_t bytes = 70000;
    char *big = malloc(bytes + 1);
    memset(big, '1', bytes);
    big[bytes] = '\0';
    lu_settings *s = make();
    lu_error error;
    static const char *const keys[] = {"players", "time_max", "name",         "reward.mode",
                                       "fast",    "train.lr", "train.layers", "train.extra"};
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++) {
        CHECK_INT(lu_settings_set(s, keys[i], big, LU_FROM_FLAG, big, &error), LU_BAD_VALUE);
        CHECK(strlen(error.text) < 400);
    }
    CHECK_INT(lu_settings_set(s, big, "1", LU_FROM_FLAG, big, &error), LU_UNKNOWN_KEY);
    CHECK(strlen(error.text) < 400);
    big[60000] = '\0';
    CHECK_INT(lu_settings_set(s, "players", big, LU_FROM_FLAG, "--set", &error), LU_BAD_VALUE);
    CHECK_HAS(error.text, "above the largest");
    for (int i = 0; i < 40; i++) {
        big[i] = '[';
        big[40 + i] = ']';
    }
    big[80] = '\0';
    CHECK_INT(lu_settings_set(s, "train.extra", big, LU_FROM_FLAG, "--set", &error), LU_BAD_VALUE);
    CHECK_HAS(error.text, "nested deeper than 32 levels");
    CHECK_INT(lu_settings_set(s, "players", "\x1B[2J", LU_FROM_FLAG, "--set", &error),
              LU_BAD_VALUE);
    CHECK(!strchr(error.text, '\x1B'));
    lu_settings_delete(s);
    free(big);
}

/* Every pair of origins, in both orders of the calls: the higher one stands. */
TEST(precedence_matrix) {
    static const lu_origin origins[] = {LU_FROM_DEFAULT, LU_FROM_PRESET, LU_FROM_FILE,
                                        LU_FROM_VARIABLE, LU_FROM_FLAG};
    for (int a = 0; a < 5; a++) {
        for (int b = 0; b < 5; b++) {
            lu_settings *s = make();
            lu_settings_set(s, "players", "3", origins[a], "first", NULL);
            lu_settings_set(s, "players", "4", origins[b], "second", NULL);
            lu_settings_set(s, "reward.term", "x", origins[a], "first", NULL);
            lu_settings_set(s, "reward.term", "y", origins[b], "second", NULL);
            bool second = b >= a;
            CHECK_INT(lu_settings_int(s, "players"), second ? 4 : 3);
            CHECK_INT(lu_settings_origin(s, "players"), origins[second ? b : a]);
            CHECK_TEXT(lu_settings_where(s, "players"), second ? "second" : "first");
            CHECK_INT(lu_settings_count(s, "reward.term"), a == b ? 2 : 1);
            CHECK_TEXT(lu_settings_nth(s, "reward.term", 0), a == b || !second ? "x" : "y");
            CHECK_TEXT(lu_settings_text_of(s, "reward.term"), second ? "y" : "x");
            lu_settings_delete(s);
        }
    }
}

TEST(a_lower_origin_is_still_checked) {
    lu_settings *s = make();
    lu_error error;
    set(s, "players", "3");
    CHECK_INT(lu_settings_set(s, "players", "99", LU_FROM_FILE, "a.ini:1", &error), LU_BAD_VALUE);
    CHECK_HAS(error.text, "(from a.ini:1)");
    CHECK_INT(lu_settings_set(s, "player", "1", LU_FROM_FILE, "a.ini:2", &error), LU_UNKNOWN_KEY);
    CHECK_TEXT(error.text, "unknown setting 'player' in a.ini:2; did you mean 'players'?");
    CHECK_INT(lu_settings_int(s, "players"), 3);
    lu_settings_delete(s);
}

TEST(repeatable_rows) {
    lu_settings *s = make();
    set(s, "reward.term", "a");
    set(s, "reward.term", "b");
    CHECK_INT(lu_settings_count(s, "reward.term"), 2);
    CHECK_TEXT(lu_settings_nth(s, "reward.term", 0), "a");
    CHECK_TEXT(lu_settings_text_of(s, "reward.term"), "b");
    lu_json json = LU_JSON_INIT;
    lu_settings_write(s, "reward.term", &json);
    CHECK_TEXT(json.text, "[\"a\",\"b\"]");
    lu_json_clear(&json);
    lu_settings_write(s, "players", &json);
    CHECK_TEXT(json.text, "2");
    lu_json_free(&json);
    CHECK(lu_settings_is_set(s, "reward.term"));
    set(s, "reward.term", ""); /* empties the list */
    CHECK_INT(lu_settings_count(s, "reward.term"), 0);
    CHECK(!lu_settings_is_set(s, "reward.term"));
    set(s, "reward.term", "c");
    CHECK_INT(lu_settings_count(s, "reward.term"), 1);
    CHECK_INT(lu_settings_count(s, "players"), 1);
    CHECK_TEXT(lu_settings_nth(s, "players", 0), "2");
    lu_settings_delete(s);
}

TEST(pairs) {
    lu_settings *s = make();
    lu_error error;
    CHECK_INT(lu_settings_set_pair(s, "players=4", LU_FROM_FLAG, "--set", &error), LU_OK);
    CHECK_INT(lu_settings_int(s, "players"), 4);
    CHECK_INT(lu_settings_set_pair(s, "name=a=b", LU_FROM_FLAG, "--set", &error), LU_OK);
    CHECK_TEXT(lu_settings_text_of(s, "name"), "a=b");
    CHECK_INT(lu_settings_set_pair(s, "players", LU_FROM_FLAG, "--set", &error), LU_USAGE);
    CHECK_TEXT(error.text, "players (from --set) is not of the form key=value");
    CHECK_INT(lu_settings_set_pair(s, "=4", LU_FROM_FLAG, "--set", &error), LU_USAGE);
    CHECK_INT(lu_settings_set_pair(s, "playrs=4", LU_FROM_FLAG, "--set", &error), LU_UNKNOWN_KEY);
    lu_settings_delete(s);
}

TEST(variables) {
    lu_settings *s = make();
    lu_error error;
    char *good[] = {"PATH=/bin",
                    "LUDUS_REWARD_MODE=reference",
                    "LUDUS_HOME=/x",
                    "LUDUS_ISA=avx2",
                    "LUDUS_LOG=debug",
                    "LUDUS_TEST_X=1",
                    "LUDUS_TIME_MAX=7",
                    "LUDUS_PLAYERS=",
                    "LUDUS_",
                    "LUDUS_BROKEN",
                    NULL};
    CHECK_INT(lu_settings_variables(s, good, true, &error), LU_OK);
    CHECK_INT(lu_settings_enum(s, "reward.mode"), 1);
    CHECK(lu_settings_real(s, "time_max") == 7);
    CHECK_INT(lu_settings_origin(s, "time_max"), LU_FROM_VARIABLE);
    CHECK_TEXT(lu_settings_where(s, "time_max"), "LUDUS_TIME_MAX");
    CHECK_INT(lu_settings_origin(s, "players"), LU_FROM_DEFAULT); /* empty counts as not set */
    char *unknown[] = {"LUDUS_PLAYERS=5", "LUDUS_REWRAD_MODE=profit", NULL};
    CHECK_INT(lu_settings_variables(s, unknown, true, &error), LU_UNKNOWN_KEY);
    CHECK_TEXT(error.text,
               "the variable LUDUS_REWRAD_MODE is not a setting; did you mean LUDUS_REWARD_MODE?");
    CHECK_INT(lu_settings_int(s, "players"), 2); /* an error changes nothing */
    CHECK_INT(lu_settings_variables(s, unknown, false, &error), LU_OK);
    CHECK_INT(lu_settings_int(s, "players"), 5);
    char *bad[] = {"LUDUS_PLAYERS=500", NULL};
    CHECK_INT(lu_settings_variables(s, bad, false, &error), LU_BAD_VALUE);
    CHECK_TEXT(error.text,
               "'players' = 500 is above the largest allowed value 10 (from LUDUS_PLAYERS)");
    CHECK_INT(lu_settings_variables(s, NULL, true, &error), LU_OK);
    lu_settings_delete(s);
}

TEST(of_keys_of_one_name_that_without_dots_is_meant) {
    static const lu_setting rows[] = {{"a.b.c", LU_INT, "1", 0, 0, NULL, "One.", false},
                                      {"a_b.c", LU_INT, "2", 0, 0, NULL, "Two.", false},
                                      {"a_b_c", LU_INT, "3", 0, 0, NULL, "Three.", false}};
    char *variables[] = {"LUDUS_A_B_C=5", NULL};
    lu_error error;
    lu_settings *s = lu_settings_new();
    lu_settings_add(s, (lu_table){"x", rows, 2});
    CHECK_INT(lu_settings_variables(s, variables, true, &error), LU_BAD_VALUE);
    CHECK_HAS(error.text, "names both 'a.b.c' and 'a_b.c'");
    CHECK(lu_settings_key(s, "a-b-c") == NULL);
    lu_settings_delete(s);
    s = lu_settings_new();
    lu_settings_add(s, (lu_table){"x", rows + 1, 2});
    CHECK_INT(lu_settings_variables(s, variables, true, &error), LU_OK);
    CHECK_INT(lu_settings_int(s, "a_b_c"), 5);
    CHECK_INT(lu_settings_int(s, "a_b.c"), 2);
    CHECK_TEXT(lu_settings_key(s, "a-b-c"), "a_b_c");
    lu_settings_delete(s);
}

TEST(nearest_words) {
    static const char *const words[] = {"train", "replay", "bench", "serve", "play"};
    CHECK_TEXT(lu_nearest("trian", words, 5), "train");
    CHECK_TEXT(lu_nearest("replya", words, 5), "replay");
    CHECK_TEXT(lu_nearest("plays", words, 5), "play");
    CHECK_TEXT(lu_nearest("bench", words, 5), "bench");
    CHECK(lu_nearest("xyz", words, 5) == NULL);
    CHECK(lu_nearest("", words, 5) == NULL);
    CHECK(lu_nearest("train", words, 0) == NULL);
    lu_settings *s = make();
    CHECK_TEXT(lu_settings_nearest(s, "train.layer"), "train.layers");
    CHECK_TEXT(lu_settings_nearest(s, "layers"), "train.layers");
    CHECK_TEXT(lu_settings_nearest(s, "time-max"), "time_max");
    CHECK_TEXT(lu_settings_nearest(s, "ppo.time_maks"), "time_max");
    CHECK(lu_settings_nearest(s, "zzzzzz") == NULL);
    lu_settings_delete(s);
    lu_settings *none = lu_settings_new();
    CHECK(lu_settings_nearest(none, "x") == NULL);
    lu_settings_delete(none);
}

TEST(copies_are_deep) {
    lu_settings *s = make();
    set(s, "players", "5");
    set(s, "reward.term", "a");
    set(s, "reward.term", "b");
    set(s, "train.lr", "cosine(1e-3,0)");
    set(s, "train.layers", "8,9");
    set(s, "train.probe", "1,2");
    lu_settings *copy = lu_settings_copy(s);
    char *before = lu_settings_json(s), *after = lu_settings_json(copy);
    CHECK_TEXT(after, before);
    CHECK_INT(lu_settings_origin(copy, "players"), LU_FROM_FLAG);
    CHECK_TEXT(lu_settings_where(copy, "players"), "--set");
    CHECK_INT(lu_settings_origin(copy, "name"), LU_FROM_DEFAULT);
    lu_settings_delete(s);
    CHECK_INT(lu_settings_count(copy, "reward.term"), 2);
    CHECK_INT(lu_settings_int(copy, "players"), 5);
    set(copy, "reward.term", "c");
    CHECK_INT(lu_settings_count(copy, "reward.term"), 3);
    free(before);
    free(after);
    lu_settings_delete(copy);
}

TEST(rows_in_order) {
    lu_settings *s = make();
    const char *module = NULL;
    CHECK_INT(lu_settings_rows(s), 15);
    CHECK_TEXT(lu_settings_row(s, 0, &module)->key, "time_max");
    CHECK_TEXT(module, "game");
    CHECK_TEXT(lu_settings_row(s, 7, &module)->key, "train.lr");
    CHECK_TEXT(module, "train");
    CHECK_TEXT(lu_type_name(LU_BOOL), "bool");
    CHECK_TEXT(lu_type_name(LU_INT), "integer");
    CHECK_TEXT(lu_type_name(LU_SCHEDULE), "schedule");
    lu_settings_delete(s);
}

TEST(canonical_json_is_sorted_and_minimal) {
    lu_settings *s = make();
    char *text = lu_settings_json(s);
    CHECK_TEXT(text, "{}");
    free(text);
    /* other spellings of the defaults */
    set(s, "time_max", "1e2");
    set(s, "train.steps", "1M");
    set(s, "train.layers", "64.0, 64");
    set(s, "train.extra", " { } ");
    set(s, "train.lr", "const(0.0003)");
    set(s, "fast", "no");
    set(s, "train.limit", "");
    text = lu_settings_json(s);
    CHECK_TEXT(text, "{}");
    free(text);
    lu_settings_delete(s);
}

TEST(canonical_json_of_every_type) {
    lu_settings *s = make();
    set(s, "train.steps", "9007199254740993");
    set(s, "train.layers", "8, 1.5");
    set(s, "train.extra",
        "{\"b\": [1.0, 2e1, 18446744073709551615], \"a\": {\"z\": null, \"y\": \"\\u00e9\"}}");
    set(s, "train.lr", "linear( 1e-3 , 0 )");
    set(s, "fast", "yes");
    set(s, "name", "a\"b");
    set(s, "reward.mode", "reference");
    set(s, "reward.term", "t1");
    set(s, "reward.term", "t2");
    set(s, "time_max", "0.50");
    set(s, "train.limit", "5");
    set(s, "train.clip", "0.2");
    set(s, "train.probe", "1,2");
    set(s, "train.probe", "3");
    char *text = lu_settings_json(s);
    CHECK_TEXT(text,
               "{\"fast\":true,\"name\":\"a\\\"b\",\"reward.mode\":\"reference\","
               "\"reward.term\":[\"t1\",\"t2\"],\"time_max\":0.5,\"train.clip\":0.2,"
               "\"train.extra\":{\"a\":{\"y\":\"\xC3\xA9\",\"z\":null},"
               "\"b\":[1,20,18446744073709551615]},\"train.layers\":[8,1.5],"
               "\"train.limit\":5,\"train.lr\":\"linear(1e-3,0)\",\"train.probe\":[[1,2],[3]],"
               "\"train.steps\":9007199254740993}");
    /* reading it back gives the same values */
    lu_settings *again = make();
    lu_error error = {0};
    CHECK_INT(lu_settings_text(again, "json", "stored", text, strlen(text), LU_FROM_FILE, &error),
              LU_OK);
    CHECK_TEXT(error.text, "");
    char *second = lu_settings_json(again);
    CHECK_TEXT(second, text);
    free(second);
    free(text);
    lu_settings_delete(again);
    lu_settings_delete(s);
}

TEST(schema_is_json_and_says_what_is_allowed) {
    lu_settings *s = make();
    char *text = lu_settings_schema(s, "Settings of a run");
    lu_error error = {0};
    lu_json_document *d = lu_json_read("schema", text, strlen(text), &error);
    CHECK_TEXT(error.text, "");
    NEED(d);
    const lu_json_value *root = lu_json_root(d);
    CHECK_TEXT(lu_json_text(lu_json_get(root, "$schema"), NULL),
               "https://json-schema.org/draft/2020-12/schema");
    CHECK_TEXT(lu_json_text(lu_json_get(root, "title"), NULL), "Settings of a run");
    CHECK_INT(lu_json_kind_of(lu_json_get(root, "additionalProperties")), LU_JSON_FALSE);
    const lu_json_value *all = lu_json_get(root, "properties");
    CHECK_INT(lu_json_count(all), lu_settings_rows(s));
    const lu_json_value *row = lu_json_get(all, "players");
    CHECK_TEXT(lu_json_text(lu_json_get(row, "type"), NULL), "integer");
    CHECK(lu_json_real_or(lu_json_get(row, "minimum"), 0) == 1);
    CHECK(lu_json_real_or(lu_json_get(row, "maximum"), 0) == 10);
    CHECK(lu_json_real_or(lu_json_get(row, "default"), 0) == 2);
    CHECK_TEXT(lu_json_text(lu_json_get(row, "description"), NULL), "Number of players.");
    row = lu_json_get(all, "reward.mode");
    CHECK_INT(lu_json_count(lu_json_get(row, "enum")), 2);
    row = lu_json_get(all, "reward.term");
    CHECK_TEXT(lu_json_text(lu_json_get(row, "type"), NULL), "array");
    CHECK_TEXT(lu_json_text(lu_json_get(lu_json_get(row, "items"), "type"), NULL), "string");
    CHECK_INT(lu_json_kind_of(lu_json_get(row, "default")), LU_JSON_ARRAY);
    row = lu_json_get(all, "train.limit");
    CHECK_TEXT(lu_json_text(lu_json_at(lu_json_get(row, "type"), 1), NULL), "null");
    CHECK(lu_json_get(row, "minimum") == NULL);
    CHECK_INT(lu_json_count(lu_json_get(lu_json_get(all, "train.kind"), "enum")), 3);
    row = lu_json_get(all, "train.layers");
    CHECK(lu_json_real_or(lu_json_get(lu_json_get(row, "items"), "maximum"), 0) == 4096);
    row = lu_json_get(all, "train.lr");
    CHECK_TEXT(lu_json_text(lu_json_at(lu_json_get(row, "type"), 1), NULL), "string");
    CHECK(lu_json_get(lu_json_get(all, "train.extra"), "type") == NULL);
    lu_json_close(d);
    free(text);
    lu_settings_delete(s);
}

TEST(markdown_has_a_line_per_row) {
    char *text = lu_settings_markdown(game_table);
    CHECK_HAS(
        text,
        "## game\n\n| Setting | Type | Default | Allowed | Meaning |\n|---|---|---|---|---|\n");
    CHECK_HAS(text, "| `time_max` | number | `100` | 0.5 to 1e7 | Length of an episode. |\n");
    CHECK_HAS(
        text,
        "| `reward.mode` | choice | `profit` | `profit`, `reference` | What is rewarded. |\n");
    CHECK_HAS(text, "| `reward.scale` | number | `1` |  | Factor of the reward; a\\|b. |\n");
    CHECK_HAS(
        text,
        "| `reward.term` | text, repeatable |  | up to 4096 bytes | One term of the reward. |\n");
    free(text);
}

TEST(a_table_made_at_run_time_is_copied) {
    char key[] = "made.count", initial[] = "3", choices[] = "a|b", sentence[] = "Made.";
    char module[] = "made";
    lu_setting rows[] = {
        {key, LU_INT, initial, 0, 9, NULL, sentence, false},
        {"made.kind", LU_ENUM, "b", 0, 0, choices, sentence, false},
    };
    lu_settings *s = lu_settings_new();
    lu_settings_add_copy(s, (lu_table){module, rows, 2});
    /* nothing of the caller's is looked at again */
    memset(key, 'x', sizeof key - 1);
    memset(initial, 'x', sizeof initial - 1);
    memset(choices, 'x', sizeof choices - 1);
    memset(sentence, 'x', sizeof sentence - 1);
    memset(module, 'x', sizeof module - 1);
    memset(rows, 0, sizeof rows);
    CHECK_INT(lu_settings_int(s, "made.count"), 3);
    CHECK_INT(lu_settings_set(s, "made.kind", "a", LU_FROM_FLAG, "test", NULL), LU_OK);
    /* a copy has rows of its own */
    lu_settings *copy = lu_settings_copy(s);
    lu_settings_delete(s);
    const char *where;
    const lu_setting *row = lu_settings_row(copy, 0, &where);
    CHECK_TEXT(row->key, "made.count");
    CHECK_TEXT(row->sentence, "Made.");
    CHECK_TEXT(where, "made");
    CHECK_INT(lu_settings_enum(copy, "made.kind"), 0);
    lu_settings_delete(copy);
}

TEST(what_is_set_in_one_object_is_taken_by_another) {
    lu_settings *from = make(), *to = lu_settings_new();
    lu_settings_add(to, game_table);
    set(from, "time_max", "7");
    set(from, "players", "3");
    set(from, "reward.term", "a");
    set(from, "reward.term", "b");
    set(from, "train.steps", "5");
    CHECK_INT(lu_settings_set(from, "name", "x", LU_FROM_DEFAULT, "profile", NULL), LU_OK);
    CHECK_INT(lu_settings_set(to, "players", "9", LU_FROM_PRESET, "p.ini", NULL), LU_OK);
    lu_settings_take(to, from, LU_FROM_FILE, "the model");
    char *json = lu_settings_json(to);
    CHECK_TEXT(json, "{\"name\":\"x\",\"players\":9,\"reward.term\":[\"a\",\"b\"],\"time_max\":7}");
    CHECK_INT(lu_settings_origin(to, "time_max"), LU_FROM_FILE);
    CHECK_TEXT(lu_settings_where(to, "time_max"), "the model");
    CHECK_INT(lu_settings_origin(to, "fast"), LU_FROM_DEFAULT);
    free(json);
    lu_settings_delete(from);
    lu_settings_delete(to);
}

TEST(taken_as_is_origins_stay_and_a_prefix_goes) {
    static const lu_setting rows[] = {
        {"game.players", LU_INT, "2", 1, 10, NULL, "Of the game.", false},
        {"fast", LU_BOOL, "false", 0, 0, NULL, "Of the game.", false},
        {"players", LU_INT, "2", 1, 10, NULL, "Of the verb.", false},
    };
    lu_settings *from = lu_settings_new(), *to = lu_settings_new();
    lu_settings_add(from, (lu_table){"verb", rows, 3});
    lu_settings_add(to, game_table);
    set(from, "players", "9");
    CHECK_INT(lu_settings_set(from, "game.players", "4", LU_FROM_VARIABLE, "X", NULL), LU_OK);
    CHECK_INT(lu_settings_set(from, "fast", "yes", LU_FROM_FILE, "a.ini", NULL), LU_OK);
    lu_settings_take_as_is(to, from, "game.");
    CHECK_INT(lu_settings_int(to, "players"), 4);
    CHECK_INT(lu_settings_origin(to, "players"), LU_FROM_VARIABLE);
    CHECK(lu_settings_bool(to, "fast"));
    CHECK_TEXT(lu_settings_where(to, "fast"), "a.ini");
    lu_settings_delete(from);
    lu_settings_delete(to);
}

TEST(an_object_of_json_sets_what_its_text_would) {
    static const char text[] = "{\"reward\":{\"scale\":2},\"train.layers\":[3,4],\"fast\":true}";
    lu_error error = {0};
    lu_settings *s = make();
    lu_json_document *document = lu_json_read("test", text, sizeof text - 1, &error);
    NEED(document);
    CHECK_INT(lu_settings_object(s, "body", lu_json_root(document), LU_FROM_FLAG, &error), LU_OK);
    CHECK_INT(lu_settings_object(s, "body", NULL, LU_FROM_FLAG, &error), LU_OK);
    char *json = lu_settings_json(s);
    CHECK_TEXT(json, "{\"fast\":true,\"reward.scale\":2,\"train.layers\":[3,4]}");
    const lu_json_value *list = lu_json_get(lu_json_root(document), "train.layers");
    CHECK_INT(lu_settings_object(s, "body", list, LU_FROM_FLAG, &error), LU_BAD_DATA);
    free(json);
    lu_json_close(document);
    lu_settings_delete(s);
}
