/* State fields as JSON: every kind there and back, who sees what, and what is refused. */
#include "ludus/fields.h"

#include "test.h"

#include <string.h>

typedef struct sample {
    double real, wide[2];
    uint64_t bits;
    float part;
    int32_t whole, flag;
    uint32_t large;
    int16_t low16;
    uint16_t high16;
    int8_t low8;
    uint8_t high8, many[3], choice, choices[2], marks, few[3], used, title;
} sample;

static const char *const titles[] = {"none", "lord", "duke"};

static const double units[2] = {1, 10};

static double most(const lu_rules *rules) {
    return rules ? 7 : 5;
}

static const lu_state_field fields[] = {
    {LU_FIELD(sample, real), .kind = LU_NUMBER_REAL, .low = -1, .high = 1},
    {LU_FIELD(sample, wide), .kind = LU_NUMBER_WIDE, .count = 2, .high = 2, .unit = units},
    {LU_FIELD(sample, bits), .kind = LU_NUMBER_HEX, .hidden = true},
    {LU_FIELD(sample, part), .kind = LU_NUMBER_FLOAT, .high = 1},
    {LU_FIELD(sample, whole), .kind = LU_NUMBER_I32, .low = -5, .most = most},
    {LU_FIELD(sample, flag), .kind = LU_NUMBER_FLAG},
    {LU_FIELD(sample, large), .kind = LU_NUMBER_U32, .high = 4294967295.0},
    {LU_FIELD(sample, low16), .kind = LU_NUMBER_I16, .low = -32768, .high = 32767},
    {LU_FIELD(sample, high16), .kind = LU_NUMBER_U16, .high = 65535},
    {LU_FIELD(sample, low8), .kind = LU_NUMBER_I8, .low = -128, .high = 127},
    {LU_FIELD(sample, high8), .kind = LU_NUMBER_U8, .high = 255},
    {LU_FIELD(sample, many), .kind = LU_NUMBER_U8, .count = LU_FIELD_COUNT(sample, many),
     .high = 9},
    {LU_FIELD(sample, choice), .kind = LU_NUMBER_U8, .high = 4, .none = 255},
    {LU_FIELD(sample, choices), .kind = LU_NUMBER_U8, .count = 2, .high = 4, .none = 255},
    {"first", offsetof(sample, marks), .kind = LU_NUMBER_BIT, .bit = 1},
    {"third", offsetof(sample, marks), .kind = LU_NUMBER_BIT, .bit = 4, .sparse = true},
    {LU_FIELD(sample, few), .kind = LU_NUMBER_U8, .count = 3, .used = offsetof(sample, used),
     .high = 9},
    {LU_FIELD(sample, title), .kind = LU_NUMBER_U8, .high = 2, .names = titles},
};
enum { FIELDS = sizeof fields / sizeof *fields };

static const sample full = {
    .real = -0.5,
    .wide = {0.25, (double)0.1f},
    .bits = UINT64_MAX,
    .part = 0.1f,
    .whole = -3,
    .flag = 1,
    .large = UINT32_MAX,
    .low16 = INT16_MIN,
    .high16 = UINT16_MAX,
    .low8 = INT8_MIN,
    .high8 = UINT8_MAX,
    .many = {1, 2, 9},
    .choice = 4,
    .choices = {255, 0},
    .marks = 4,
    .few = {7, 8},
    .used = 2,
    .title = 1,
};

static lu_status read_into(sample *s, const char *text, const lu_rules *rules, lu_error *error) {
    lu_json_document *document = lu_json_read("fields", text, strlen(text), error);
    lu_status status = lu_fields_from_json(fields, FIELDS, rules, s, lu_json_root(document), error);
    lu_json_close(document);
    return status;
}

static void write_text(const sample *s, int seat, lu_json *json) {
    lu_json_init(json);
    lu_json_object(json);
    lu_fields_to_json(fields, FIELDS, s, seat, json);
    lu_json_object_end(json);
}

TEST(fields_come_back_as_they_were) {
    lu_json json;
    lu_error error = {0};
    sample back = {0};
    write_text(&full, -1, &json);
    CHECK_TEXT(json.text,
               "{\"real\":-0.5,\"wide\":[0.25,0.1],\"bits\":\"0xffffffffffffffff\",\"part\":0.1,"
               "\"whole\":-3,\"flag\":true,\"large\":4294967295,\"low16\":-32768,\"high16\":65535,"
               "\"low8\":-128,\"high8\":255,\"many\":[1,2,9],\"choice\":4,\"choices\":[255,0],"
               "\"first\":false,\"third\":true,\"few\":[7,8],\"title\":1}");
    CHECK_INT(read_into(&back, json.text, NULL, &error), LU_OK);
    CHECK_INT(back.bits == full.bits && back.large == full.large, true);
    lu_json again;
    write_text(&back, -1, &again);
    CHECK_TEXT(again.text, json.text);
    lu_json_free(&again);
    lu_json_free(&json);
}

TEST(a_seat_is_not_told_what_is_hidden) {
    lu_json json;
    write_text(&full, 0, &json);
    CHECK(!strstr(json.text, "bits"));
    CHECK_HAS(json.text, "\"flag\":true");
    lu_json_free(&json);
}

TEST(what_is_left_out_stays_and_no_zero_is_negative) {
    lu_error error = {0};
    sample s = full;
    CHECK_INT(read_into(&s, "{\"part\":-0.0,\"real\":-0.0}", NULL, &error), LU_OK);
    CHECK(!__builtin_signbit(s.part)); /* of 0 to 1 */
    CHECK(__builtin_signbit(s.real));  /* of -1 to 1 */
    CHECK_INT(s.high16, UINT16_MAX);
    CHECK_INT(s.many[2], 9);
}

TEST(a_value_for_nothing_lies_beyond_the_range) {
    lu_error error = {0};
    sample s = full;
    CHECK_INT(read_into(&s, "{\"choice\":255,\"choices\":[1,255]}", NULL, &error), LU_OK);
    CHECK_INT(s.choice, 255);
    CHECK_INT(s.choices[0], 1);
    CHECK_INT(s.choices[1], 255);
}

TEST(bits_lists_in_use_and_names) {
    lu_error error = {0};
    sample s = full;
    CHECK_INT(read_into(&s, "{\"first\":true,\"third\":false,\"few\":[5],\"title\":\"duke\"}", NULL,
                        &error),
              LU_OK);
    CHECK_INT(s.marks, 1);
    CHECK_INT(s.used, 1);
    CHECK(s.few[0] == 5 && s.few[1] == 0);
    CHECK_INT(s.title, 2);
    lu_json json;
    write_text(&s, -1, &json);
    CHECK_HAS(json.text, "\"first\":true,\"few\":[5],\"title\":2}");
    lu_json_free(&json);
}

TEST(fields_out_of_range_are_refused) {
    static const struct {
        const char *text, *part;
    } rows[] = {
        {"{\"real\":1.5}", "'real'"},
        {"{\"whole\":6}", "'whole'"},
        {"{\"whole\":0.5}", "'whole'"},
        {"{\"flag\":1}", "'flag'"},
        {"{\"bits\":\"0xg\"}", "'bits'"},
        {"{\"many\":[1,2]}", "'many' must be an array of 3"},
        {"{\"many\":4}", "'many' must be an array of 3"},
        {"{\"many\":[1,2,10]}", "'many'[2] is 10"},
        {"{\"many\":[1,2.5,3]}", "'many'[1] is 2.5, but must be whole"},
        {"{\"many\":[1,\"2\",3]}", "'many'[1] must be a number"},
        {"{\"wide\":[2.5,0]}", "'wide'[0] is 2.5, but must lie in 0..2"},
        {"{\"choice\":5}", "255 is for none"},
        {"{\"choice\":254}", "'choice'"},
        {"{\"choices\":[0,9]}",
         "'choices'[1] is 9, but must be whole and lie in 0..4; 255 is for none"},
        {"{\"third\":1}", "'third'"},
        {"{\"few\":[1,2,3,4]}", "'few' must be an array of at most 3"},
        {"{\"few\":[1,10]}", "'few'[1] is 10"},
        {"{\"title\":\"king\"}", "'title': there is no title 'king'"},
        {"{\"title\":3}", "'title'"},
        {"{\"wide\":[0,20.5]}", "'wide'[1] is 20.5, but must lie in 0..20"},
    };
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        lu_error error = {0};
        sample s = full;
        CHECK_INT(read_into(&s, rows[k].text, NULL, &error), LU_BAD_DATA);
        CHECK_HAS(error.text, rows[k].part);
    }
}

TEST(a_bound_may_hang_on_the_rules) {
    lu_error error = {0};
    lu_rules rules = {0};
    sample s = full;
    CHECK_INT(read_into(&s, "{\"whole\":7}", NULL, &error), LU_BAD_DATA);
    CHECK_INT(s.whole, -3);
    CHECK_INT(read_into(&s, "{\"whole\":7}", &rules, &error), LU_OK);
    CHECK_INT(s.whole, 7);
}

/* ---- records ---- */

typedef struct herd {
    uint8_t age[3];
    float taste[2][3]; /* per food, of each */
    float shape[3][2]; /* of each */
    int16_t debt[3];
} herd;

static const lu_state_field animal[] = {
    {LU_FIELD(herd, age), .kind = LU_NUMBER_U8, .high = 20},
    {LU_FIELD(herd, taste), .kind = LU_NUMBER_FLOAT, .count = 2, .apart = 3 * sizeof(float),
     .high = 1},
    {"width", offsetof(herd, shape[0][1]), .kind = LU_NUMBER_FLOAT, .each = 2 * sizeof(float),
     .high = 9},
    {LU_FIELD(herd, debt), .kind = LU_NUMBER_I16, .sparse = true, .low = -9, .high = 9},
};

static lu_status read_animal(herd *h, int index, const char *text, lu_error *error) {
    lu_json_document *document = lu_json_read("animal", text, strlen(text), error);
    lu_status status = lu_record_from_json(animal, LU_COUNT(animal), NULL, h, index,
                                           lu_json_root(document), error);
    lu_json_close(document);
    return status;
}

TEST(a_record_is_one_of_each_array) {
    static const herd all = {.age = {1, 2, 3},
                             .taste = {{0.5f, 0.25f, 0.75f}, {0, 1, 0.125f}},
                             .shape = {{1, 2}, {3, 4}, {5, 6}},
                             .debt = {0, -7, 0}};
    static const char *const texts[] = {"{\"age\":1,\"taste\":[0.5,0],\"width\":2}",
                                        "{\"age\":2,\"taste\":[0.25,1],\"width\":4,\"debt\":-7}",
                                        "{\"age\":3,\"taste\":[0.75,0.125],\"width\":6}"};
    herd h = {0};
    lu_error error;
    for (int i = 0; i < 3; i++) {
        lu_json json = LU_JSON_INIT;
        lu_json_object(&json);
        lu_record_to_json(animal, LU_COUNT(animal), &all, i, -1, &json);
        lu_json_object_end(&json);
        CHECK_TEXT(json.text, texts[i]);
        lu_json_free(&json);
        h.shape[i][0] = all.shape[i][0];
        CHECK_INT(read_animal(&h, i, texts[i], &error), LU_OK);
    }
    CHECK(memcmp(&h, &all, sizeof h) == 0);
    CHECK_INT(read_animal(&h, 1, "{\"taste\":[0,2]}", &error), LU_BAD_DATA);
    CHECK_TEXT(error.text, "'taste'[1] is 2, but must lie in 0..1");
    CHECK(h.taste[0][0] == 0.5f && h.taste[1][1] == 1.0f);
}

/* ---- lists without names ---- */

TEST(a_record_may_be_a_list) {
    static const lu_state_field pair[] = {
        {LU_FIELD(sample, whole), .kind = LU_NUMBER_I32, .high = 5},
        {LU_FIELD(sample, real), .kind = LU_NUMBER_REAL, .low = -1, .high = 1},
    };
    static const struct {
        const char *text, *says;
    } rows[] = {
        {"[\"x\",4,0.25]", NULL},
        {"[\"x\",6,0.25]", "'pair'[1] is 6"},
        {"[\"x\",4,2]", "'pair'[2] is 2"},
        {"[4,0.25]", "'pair' must be an array of 3"},
        {"{}", "'pair' must be an array of 3"},
    };
    lu_json json = LU_JSON_INIT;
    lu_json_array(&json);
    lu_entries_to_json(pair, 2, &full, &json);
    lu_json_array_end(&json);
    CHECK_TEXT(json.text, "[-3,-0.5]");
    lu_json_free(&json);
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        lu_error error = {0};
        sample s = full;
        const char *text = rows[k].text;
        lu_json_document *document = lu_json_read("pair", text, strlen(text), &error);
        lu_status status =
            lu_entries_from_json(pair, 2, "pair", &s, lu_json_root(document), 1, &error);
        CHECK_INT(status, rows[k].says ? LU_BAD_DATA : LU_OK);
        CHECK(rows[k].says ? strstr(error.text, rows[k].says) != NULL
                           : s.whole == 4 && s.real == 0.25);
        lu_json_close(document);
    }
}
