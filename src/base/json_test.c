/* The JSON writer and the strict reader. */
#include "ludus/json.h"
#include "ludus/rng.h"
#include "test.h"

#include <float.h>
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- writer ---- */

TEST(writer_puts_commas_and_colons) {
    lu_json j = LU_JSON_INIT;
    CHECK(j.text == NULL);
    lu_json_object(&j);
    lu_json_key_string(&j, "name", "a\"b");
    lu_json_key_int(&j, "n", -5);
    lu_json_key_real(&j, "x", 0.25);
    lu_json_key_bool(&j, "on", true);
    lu_json_key_array(&j, "list");
    lu_json_uint(&j, UINT64_MAX);
    lu_json_null(&j);
    lu_json_string(&j, NULL);
    lu_json_array(&j);
    lu_json_array_end(&j);
    lu_json_object(&j);
    lu_json_object_end(&j);
    lu_json_raw(&j, "[1]", 3);
    lu_json_bool(&j, false);
    lu_json_array_end(&j);
    lu_json_key_hex(&j, "hash", 0xAB12);
    lu_json_object_end(&j);
    CHECK_TEXT(j.text, "{\"name\":\"a\\\"b\",\"n\":-5,\"x\":0.25,\"on\":true,"
                       "\"list\":[18446744073709551615,null,null,[],{},[1],false],"
                       "\"hash\":\"000000000000ab12\"}");
    CHECK_INT(j.length, strlen(j.text));
    lu_json_newline(&j);
    lu_json_int(&j, 1);
    CHECK_HAS(j.text, "}\n1");
    lu_json_clear(&j);
    CHECK_TEXT(j.text, "");
    lu_json_int(&j, 2);
    CHECK_TEXT(j.text, "2");
    lu_json_free(&j);
}

static void check_string(const char *text, size_t length, const char *want) {
    lu_json j = LU_JSON_INIT;
    lu_json_string_n(&j, text, length);
    CHECK_TEXT(j.text, want);
    lu_json_free(&j);
}

TEST(writer_escapes_strings) {
    check_string("", 0, "\"\"");
    check_string("a\\b\n\r\t\b\f/", 9, "\"a\\\\b\\n\\r\\t\\b\\f/\"");
    check_string("\x01\x1F\0z\x7F", 5, "\"\\u0001\\u001f\\u0000z\\u007f\"");
    check_string("\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80", 9,
                 "\"\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80\"");
    check_string("a\xFFz\xC3", 4, "\"a\xEF\xBF\xBDz\xEF\xBF\xBD\"");
    check_string("\xED\xA0\x80", 3, "\"\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD\"");
}

TEST(writer_numbers) {
    lu_json j = LU_JSON_INIT;
    lu_json_array(&j);
    lu_json_real(&j, NAN);
    lu_json_real(&j, INFINITY);
    lu_json_float(&j, -INFINITY);
    lu_json_real(&j, 1e300);
    lu_json_float(&j, 0.1f);
    lu_json_real(&j, -0.0);
    lu_json_int(&j, INT64_MIN);
    lu_json_float(&j, FLT_MAX);
    lu_json_array_end(&j);
    CHECK_TEXT(j.text, "[null,null,null,1e+300,0.1,-0,-9223372036854775808,3.4028235e+38]");
    lu_json_free(&j);
}

TEST(writer_grows_and_nests) {
    lu_json j = LU_JSON_INIT;
    for (int i = 0; i < 60; i++) {
        lu_json_array(&j);
    }
    for (int i = 0; i < 100000; i++) {
        lu_json_int(&j, i);
    }
    for (int i = 0; i < 60; i++) {
        lu_json_array_end(&j);
    }
    lu_json_document *document = lu_json_read("big", j.text, j.length, NULL);
    NEED(document);
    const lu_json_value *at = lu_json_root(document);
    for (int i = 0; i < 59; i++) {
        at = lu_json_at(at, 0);
    }
    CHECK_INT(lu_json_count(at), 100000);
    CHECK_INT((int)lu_json_real_or(lu_json_at(at, 99999), -1), 99999);
    lu_json_close(document);
    lu_json_free(&j);
}

TEST(numbers_do_not_depend_on_the_locale) {
    static const char *const names[] = {"de_DE.UTF-8", "de_DE.utf8", "fr_FR.UTF-8", "nl_NL.UTF-8"};
    const char *set = NULL;
    for (size_t i = 0; !set && i < sizeof names / sizeof names[0]; i++) {
        set = setlocale(LC_NUMERIC, names[i]);
    }
    if (!set) {
        lu_test_skip("no locale with a decimal comma is installed");
        return;
    }
    lu_json j = LU_JSON_INIT;
    lu_json_array(&j);
    lu_json_real(&j, 0.1 + 0.2);
    lu_json_float(&j, 0.5f);
    lu_json_array_end(&j);
    CHECK_TEXT(j.text, "[0.30000000000000004,0.5]");
    lu_json_document *document = lu_json_read("x", j.text, j.length, NULL);
    CHECK(lu_json_real_or(lu_json_at(lu_json_root(document), 0), 0) == 0.1 + 0.2);
    lu_json_close(document);
    lu_json_free(&j);
    setlocale(LC_NUMERIC, "C");
}

/* ---- reader ---- */

static lu_json_document *read_text(const char *text, lu_error *error) {
    return lu_json_read("in.json", text, strlen(text), error);
}

TEST(reader_rounds_as_strtod_does) {
    static const char *const forms[] = {"%.*f", "%.*g", "%.*e"};
    lu_rng rng = lu_rng_from(3);
    for (int i = 0; i < 40000; i++) {
        char text[280];
        double size = (double[]){1.0, 1e-3, 1e3, 1e9, 1e15, 1e17}[i % 6];
        double value = (lu_rng_unit(&rng) - 0.5) * size;
        uint8_t digits = (uint8_t)(1 + lu_rng_below(&rng, 17));
        if (i % 4 == 3) { /* many zeros behind the point */
            snprintf(text, sizeof text, "[%d.%0*d ]", i % 100, digits, i);
        } else {
            text[0] = '[';
            snprintf(text + 1, sizeof text - 3, forms[i % 4], digits, value);
            strcat(text, i % 8 < 4 ? "]" : ",0]");
        }
        lu_json_document *d = read_text(text, NULL);
        NEED(d);
        double got = lu_json_real_or(lu_json_at(lu_json_root(d), 0), 0),
               want = strtod(text + 1, NULL);
        CHECK(memcmp(&got, &want, sizeof got) == 0);
        lu_json_close(d);
    }
    lu_json_document *zero = read_text("[-0, -0.0]", NULL);
    NEED(zero);
    CHECK(signbit(lu_json_real_or(lu_json_at(lu_json_root(zero), 0), 1)));
    CHECK(signbit(lu_json_real_or(lu_json_at(lu_json_root(zero), 1), 1)));
    lu_json_close(zero);
}

TEST(reader_reads_every_kind) {
    lu_json_document *d = read_text(" {\"a\": null, \"b\": true, \"c\": false,\n \"d\": -1.5e3, "
                                    "\"e\": \"x\\u00e9\\uD83D\\uDE00\\n\", \"f\": [1, [], {}]}\t\n",
                                    NULL);
    NEED(d);
    const lu_json_value *root = lu_json_root(d);
    CHECK_INT(lu_json_kind_of(root), LU_JSON_OBJECT);
    CHECK_INT(lu_json_count(root), 6);
    CHECK_INT(lu_json_kind_of(lu_json_get(root, "a")), LU_JSON_NULL);
    CHECK(lu_json_get(root, "a") != NULL);
    CHECK_INT(lu_json_kind_of(lu_json_get(root, "b")), LU_JSON_TRUE);
    CHECK_INT(lu_json_kind_of(lu_json_get(root, "c")), LU_JSON_FALSE);
    CHECK(lu_json_real_or(lu_json_get(root, "d"), 0) == -1500);
    CHECK_TEXT(lu_json_number_text(lu_json_get(root, "d")), "-1.5e3");
    size_t length = 0;
    CHECK_TEXT(lu_json_text(lu_json_get(root, "e"), &length), "x\xC3\xA9\xF0\x9F\x98\x80\n");
    CHECK_INT(length, 8);
    const lu_json_value *f = lu_json_get(root, "f");
    CHECK_INT(lu_json_count(f), 3);
    CHECK_INT(lu_json_kind_of(lu_json_at(f, 1)), LU_JSON_ARRAY);
    CHECK_INT(lu_json_line(lu_json_get(root, "a")), 1);
    CHECK_INT(lu_json_line(f), 2);
    const char *key = NULL;
    CHECK(lu_json_member(root, 3, &key) == lu_json_get(root, "d"));
    CHECK_TEXT(key, "d");
    lu_json_close(d);
}

TEST(reader_answers_null_for_what_is_not_there) {
    lu_json_document *d = read_text("[1]", NULL);
    NEED(d);
    const lu_json_value *root = lu_json_root(d);
    const char *key = "x";
    CHECK(lu_json_at(root, 1) == NULL);
    CHECK(lu_json_get(root, "a") == NULL);
    CHECK(lu_json_member(root, 0, &key) == NULL);
    CHECK_TEXT(key, "");
    CHECK(lu_json_text(root, NULL) == NULL);
    CHECK(lu_json_number_text(root) == NULL);
    CHECK(lu_json_real_or(NULL, 7) == 7);
    CHECK_INT(lu_json_kind_of(NULL), LU_JSON_NULL);
    CHECK_INT(lu_json_count(NULL), 0);
    CHECK_INT(lu_json_line(NULL), 0);
    lu_json_close(d);
    lu_json_close(NULL);
}

TEST(reader_refuses_what_is_not_json) {
    static const struct {
        const char *text, *says;
    } rows[] = {
        {"", "in.json:1:1: the text ends where a value is expected"},
        {"  \n ", "in.json:2:2: the text ends where a value is expected"},
        {"nul", "in.json:1:1: expected a JSON value"},
        {"True", "expected a JSON value"},
        {"1 2", "in.json:1:3: more text after the end"},
        {"[1,]", "in.json:1:4: expected a JSON value"},
        {"[1 2]", "expected ',' or ']'"},
        {"[", "the text ends where a value is expected"},
        {"[1", "expected ',' or ']'"},
        {"{\"a\":1,}", "expected a key in double quotes"},
        {"{a:1}", "in.json:1:2: expected a key in double quotes"},
        {"{\"a\" 1}", "expected ':'"},
        {"{\"a\":1", "expected ',' or '}'"},
        {"{\n\"a\":1,\n\"a\":2}", "in.json:3:7: the key a appears twice"},
        {"\"abc", "in.json:1:1: an unterminated string"},
        {"\"abc\\", "an unterminated string"},
        {"\"a\nb\"", "in.json:1:3: a control character"},
        {"\"\\x\"", "unknown escape"},
        {"\"\\u12G4\"", "unknown escape"},
        {"\"\\uD800\"", "in.json:1:2: an unpaired surrogate escape"},
        {"\"\\uD800\\u0041\"", "an unpaired surrogate escape"},
        {"\"\\uDC00\"", "an unpaired surrogate escape"},
        {"\"\xFF\"", "in.json:1:2: a byte that is not UTF-8"},
        {"\"\xED\xA0\x80\"", "not UTF-8"},
        {"\"\xC3\"", "not UTF-8"},
        {"\"\xC3\xA9\xFF\"", "in.json:1:3: a byte"},
        {"{\"a\\u0000b\":1}", "a key with \\u0000"},
        {"01", "not a JSON number"},
        {"-01", "not a JSON number"},
        {"+1", "not a JSON number"},
        {".5", "not a JSON number"},
        {"-.5", "not a JSON number"},
        {"5.", "not a JSON number"},
        {"5.e3", "not a JSON number"},
        {"1e", "not a JSON number"},
        {"1e+", "not a JSON number"},
        {"-", "not a JSON number"},
        {"--1", "not a JSON number"},
        {"1.2.3", "not a JSON number"},
        {"1e999", "a number too large"},
        {"NaN", "expected a JSON value"},
        {"// x\n1", "expected a JSON value"},
        {"\xEF\xBB\xBF{}", "expected a JSON value"},
        {"{} x", "more text after"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        lu_error error = {0};
        lu_json_document *d = read_text(rows[i].text, &error);
        CHECK(d == NULL);
        CHECK_INT(error.status, LU_BAD_DATA);
        CHECK_HAS(error.text, rows[i].says);
        lu_json_close(d);
    }
    CHECK(lu_json_read("x", "1\0", 2, NULL) == NULL);
    CHECK(lu_json_read("x", "\"a\0b\"", 5, NULL) == NULL);
    CHECK(lu_json_read("x", NULL, 0, NULL) == NULL);
}

TEST(reader_limits_depth) {
    char text[400] = "";
    memset(text, '[', 64);
    memset(text + 64, ']', 64);
    lu_json_document *d = lu_json_read("deep", text, 128, NULL);
    CHECK(d);
    lu_json_close(d);
    memset(text, '[', 65);
    memset(text + 65, ']', 65);
    lu_error error;
    CHECK(lu_json_read("deep", text, 130, &error) == NULL);
    CHECK_HAS(error.text, "deep:1:65: nested deeper than 64 levels");
    char *huge = malloc(1 << 20);
    memset(huge, '[', 1 << 20);
    CHECK(lu_json_read("deep", huge, 1 << 20, &error) == NULL);
    free(huge);
}

TEST(reader_indexes_large_objects) {
    lu_json j = LU_JSON_INIT;
    lu_json_object(&j);
    char key[32];
    for (int i = 0; i < 20000; i++) {
        snprintf(key, sizeof key, "k%d", (i * 7919) % 20000);
        lu_json_key_int(&j, key, i);
    }
    size_t before = j.length;
    lu_json_object_end(&j);
    lu_json_document *d = lu_json_read("big", j.text, j.length, NULL);
    NEED(d);
    const lu_json_value *root = lu_json_root(d);
    for (int i = 0; i < 20000; i++) {
        snprintf(key, sizeof key, "k%d", (i * 7919) % 20000);
        CHECK_INT((int)lu_json_real_or(lu_json_get(root, key), -1), i);
    }
    CHECK(lu_json_get(root, "k20000") == NULL);
    const char *first = NULL;
    lu_json_member(root, 1, &first);
    CHECK_TEXT(first, "k7919"); /* members keep the order of the text */
    lu_json_close(d);
    /* the same with one key twice */
    j.length = before;
    j.depth = 1;
    j.comma = 3;
    lu_json_key_int(&j, "k5", 0);
    lu_json_object_end(&j);
    lu_error error;
    CHECK(lu_json_read("big", j.text, j.length, &error) == NULL);
    CHECK_HAS(error.text, "the key k5 appears twice");
    lu_json_free(&j);
}

TEST(checked_members) {
    lu_json_document *d = read_text("{\"n\": 9007199254740993, \"u\": 18446744073709551615,\n"
                                    "\"h\": \"0xff\", \"x\": 0.5, \"b\": true, \"t\": \"text\",\n"
                                    "\"z\": \"a\\u0000b\", \"e\": 1e3, \"neg\": -1}",
                                    NULL);
    NEED(d);
    const lu_json_value *root = lu_json_root(d);
    int64_t whole = 0;
    uint64_t size = 0;
    double real = 0;
    bool flag = false;
    const char *text = NULL;
    lu_error error;
    CHECK_INT(lu_json_get_int(root, "n", 0, INT64_MAX, &whole, &error), LU_OK);
    CHECK_INT(whole, INT64_C(9007199254740993));
    CHECK_INT(lu_json_get_int(root, "e", 0, 1000, &whole, &error), LU_OK);
    CHECK_INT(whole, 1000);
    CHECK_INT(lu_json_get_uint(root, "u", &size, &error), LU_OK);
    CHECK(size == UINT64_MAX);
    CHECK_INT(lu_json_get_uint(root, "h", &size, &error), LU_OK);
    CHECK(size == 255);
    CHECK_INT(lu_json_get_real(root, "x", 0, 1, &real, &error), LU_OK);
    CHECK(real == 0.5);
    CHECK_INT(lu_json_get_bool(root, "b", &flag, &error), LU_OK);
    CHECK(flag);
    CHECK_INT(lu_json_get_text(root, "t", &text, &error), LU_OK);
    CHECK_TEXT(text, "text");
    /* and what is wrong with the others */
    CHECK_INT(lu_json_get_int(root, "q", 0, 1, &whole, &error), LU_BAD_DATA);
    CHECK_TEXT(error.text, "the key 'q' is missing; expected a whole number");
    CHECK_INT(lu_json_get_int(root, "t", 0, 1, &whole, &error), LU_BAD_DATA);
    CHECK_TEXT(error.text, "'t' in line 2 is a string; expected a whole number");
    CHECK_INT(lu_json_get_int(root, "x", 0, 1, &whole, &error), LU_BAD_DATA);
    CHECK_HAS(error.text, "'x' = 0.5 is not an integer");
    CHECK_HAS(error.text, "(line 2)");
    CHECK_INT(lu_json_get_int(root, "n", 0, 10, &whole, &error), LU_BAD_DATA);
    CHECK_INT(error.status, LU_BAD_DATA);
    CHECK_HAS(error.text, "above the largest allowed value 10 (line 1)");
    CHECK_INT(lu_json_get_uint(root, "neg", &size, &error), LU_BAD_DATA);
    CHECK_INT(lu_json_get_real(root, "b", 0, 1, &real, &error), LU_BAD_DATA);
    CHECK_TEXT(error.text, "'b' in line 2 is true; expected a number");
    CHECK_INT(lu_json_get_real(root, "e", 0, 1, &real, NULL), LU_BAD_DATA);
    CHECK_INT(lu_json_get_bool(root, "n", &flag, &error), LU_BAD_DATA);
    CHECK_HAS(error.text, "expected true or false");
    CHECK_INT(lu_json_get_text(root, "z", &text, &error), LU_BAD_DATA);
    CHECK_HAS(error.text, "\\u0000");
    CHECK_INT(lu_json_get_text(lu_json_get(root, "x"), "a", &text, &error), LU_BAD_DATA);
    CHECK_HAS(error.text, "expected an object with the key 'a', got a number");
    CHECK_INT(lu_json_get_text(NULL, "a", &text, &error), LU_BAD_DATA);
    lu_json_close(d);
}

TEST(canonical_json_has_one_form) {
    static const char given[] =
        "{ \"b\": [1e2, 9007199254740993, \"x\"], \"a\": {\"d\":null,\"c\":true} }";
    lu_error error = {LU_OK, ""};
    lu_json json = LU_JSON_INIT;
    lu_json_document *document = lu_json_read("given", given, sizeof given - 1, &error);
    NEED(document);
    CHECK(lu_json_canonical(&json, lu_json_root(document), 3));
    CHECK_TEXT(json.text, "{\"a\":{\"c\":true,\"d\":null},\"b\":[100,9007199254740993,\"x\"]}");
    lu_json_clear(&json);
    CHECK(!lu_json_canonical(&json, lu_json_root(document), 2));
    lu_json_free(&json);
    lu_json_close(document);
}
