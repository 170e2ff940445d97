/* Files of tensors: what is written reads back equal, and nothing that is cut, flipped or made up
 * is believed. */
#include "ludus/tensors.h"

#include "test.h"

#include <stdlib.h>

/* Bytes of a file from a header's text and its data; the length may be made to lie. */
static char *make_file(const char *header, uint64_t told, size_t data, size_t *length) {
    size_t bytes = strlen(header);
    *length = 8 + bytes + data;
    char *file = lu_alloc(*length);
    for (int i = 0; i < 8; i++) {
        file[i] = (char)(told >> (8 * i));
    }
    memcpy(file + 8, header, bytes);
    memset(file + 8 + bytes, 0, data);
    return file;
}

static const float weight[6] = {1, -2, 3.5f, 0, 1e-30f, 6};
static const double mean[2] = {0.1, -7};
static const uint16_t half[3] = {0x3f80, 0xc000, 0x0001};
static const uint8_t byte[1] = {200};

/* A file with four types, an empty tensor and a scalar. */
static char *small_file(size_t *length) {
    static const float one = 0.25f;
    const lu_tensor_entry entry[] = {
        {.name = "byte", .type = LU_U8, .rank = 1, .shape = {1}, .data = byte},
        {.name = "trunk.0.weight", .type = LU_F32, .rank = 2, .shape = {2, 3}, .data = weight},
        {.name = "half", .type = LU_BF16, .rank = 1, .shape = {3}, .data = half},
        {.name = "normaliser.mean", .type = LU_F64, .rank = 1, .shape = {2}, .data = mean},
        {.name = "none", .type = LU_F32, .rank = 2, .shape = {0, 5}},
        {.name = "one", .type = LU_F32, .data = &one},
    };
    const lu_tensor_note note[] = {{"format", "pt"}, {"text", "\"quoted\"\n\xc3\xa4"}};
    char *bytes;
    CHECK(lu_tensors_write(entry, 6, note, 2, &bytes, length, NULL) == LU_OK);
    return bytes;
}

TEST(written_reads_back) {
    size_t length, again_length;
    lu_error error = {0};
    char *bytes = small_file(&length), *again = small_file(&again_length);
    CHECK(length == again_length && memcmp(bytes, again, length) == 0);
    free(again);
    lu_tensors *tensors = lu_tensors_read("small", bytes, length, &error);
    CHECK_TEXT(error.text, "");
    NEED(tensors);
    CHECK(tensors->hashed);
    CHECK_INT(tensors->entries, 6);
    CHECK_TEXT(lu_tensors_note(tensors, "text"), "\"quoted\"\n\xc3\xa4");
    CHECK_TEXT(lu_tensors_note(tensors, "format"), "pt");
    CHECK(lu_tensors_note(tensors, "other") == NULL);
    const lu_tensor_entry *entry = lu_tensors_find(tensors, "trunk.0.weight");
    NEED(entry);
    CHECK_INT(entry->type, LU_F32);
    CHECK_INT(entry->rank, 2);
    CHECK_INT(entry->shape[0], 2);
    CHECK_INT(entry->shape[1], 3);
    CHECK_INT(entry->count, 6);
    float floats[6];
    CHECK(lu_tensor_floats("small", entry, floats, NULL) == LU_OK);
    CHECK(memcmp(floats, weight, sizeof weight) == 0);
    double doubles[3];
    CHECK(lu_tensor_doubles("small", lu_tensors_find(tensors, "normaliser.mean"), doubles, NULL) ==
          LU_OK);
    CHECK(memcmp(doubles, mean, sizeof mean) == 0);
    CHECK(lu_tensor_floats("small", lu_tensors_find(tensors, "half"), floats, NULL) == LU_OK);
    CHECK(floats[0] == 1 && floats[1] == -2 && floats[2] > 0);
    CHECK_INT(lu_tensors_find(tensors, "none")->count, 0);
    CHECK_INT(lu_tensors_find(tensors, "one")->count, 1);
    /* every tensor is aligned to its type, counted from the start of the file */
    for (size_t i = 0; i < tensors->entries; i++) {
        size_t offset = (size_t)((const char *)tensors->entry[i].data - bytes);
        CHECK_INT(offset % lu_dtype_bytes(tensors->entry[i].type), 0);
    }
    CHECK_INT(lu_tensor_floats("small", lu_tensors_find(tensors, "byte"), floats, &error),
              LU_BAD_DATA);
    CHECK_HAS(error.text, "'byte' has numbers of type U8");
    lu_tensors_close(tensors);
    free(bytes);
}

TEST(empty_file_of_tensors) {
    size_t length;
    char *bytes;
    CHECK(lu_tensors_write(NULL, 0, NULL, 0, &bytes, &length, NULL) == LU_OK);
    lu_tensors *tensors = lu_tensors_read("empty", bytes, length, NULL);
    CHECK(tensors && tensors->entries == 0);
    lu_tensors_close(tensors);
    free(bytes);
}

/* The exact bytes: a change of them is a change of the file format. */
TEST(known_bytes) {
    static const float two[2] = {1, 2};
    const lu_tensor_entry entry = {
        .name = "w", .type = LU_F32, .rank = 1, .shape = {2}, .data = two};
    const lu_tensor_note note = {"k", "v"};
    const char *header = "{\"__metadata__\":{\"ludus.hash\":\"892d5591ef11e62c\",\"k\":\"v\"},"
                         "\"w\":{\"dtype\":\"F32\",\"shape\":[2],\"data_offsets\":[0,8]}} ";
    size_t length;
    char *bytes;
    NEED(lu_tensors_write(&entry, 1, &note, 1, &bytes, &length, NULL) == LU_OK);
    CHECK_INT(length, 8 + strlen(header) + 8);
    CHECK_INT((unsigned char)bytes[0], strlen(header));
    CHECK_INT(strlen(header) % 8, 0);
    bytes[8 + strlen(header)] = 0;
    CHECK_TEXT(bytes + 8, header);
    free(bytes);
}

TEST(every_truncation_is_refused) {
    size_t length;
    char *bytes = small_file(&length);
    for (size_t cut = 0; cut < length; cut++) {
        lu_error error = {0};
        char *part = lu_alloc(cut); /* its own block, so that a sanitizer sees reads past the end */
        memcpy(part, bytes, cut);
        lu_tensors *tensors = lu_tensors_read("cut", part, cut, &error);
        if (tensors || lu_status_exit(error.status) != 4 || !error.text[0]) {
            lu_test_fail(__FILE__, __LINE__, "cut at %zu: %s", cut, error.text);
        }
        lu_tensors_close(tensors);
        free(part);
    }
    free(bytes);
}

/* Every flip is refused, or takes the hash's key away: then `hashed` tells. */
TEST(every_flip_is_seen) {
    size_t length;
    char *bytes = small_file(&length);
    for (size_t bit = 0; bit < 8 * length; bit++) {
        lu_error error = {0};
        bytes[bit / 8] = (char)(bytes[bit / 8] ^ (1 << bit % 8));
        lu_tensors *tensors = lu_tensors_read("flip", bytes, length, &error);
        if (tensors ? tensors->hashed : !error.text[0]) {
            lu_test_fail(__FILE__, __LINE__, "bit %zu passes", bit);
        }
        lu_tensors_close(tensors);
        bytes[bit / 8] = (char)(bytes[bit / 8] ^ (1 << bit % 8));
    }
    free(bytes);
}

TEST(appended_bytes_are_refused) {
    size_t length;
    char *bytes = small_file(&length);
    bytes = lu_realloc(bytes, length + 1);
    bytes[length] = 0;
    lu_error error = {0};
    CHECK(!lu_tensors_read("longer", bytes, length + 1, &error));
    CHECK_INT(error.status, LU_DAMAGED_FILE);
    CHECK_HAS(error.text, "belong to no tensor");
    free(bytes);
}

#define W(rest) "{\"w\":{\"dtype\":\"F32\"," rest "}}"

TEST(hostile_headers_are_refused) {
    static const struct {
        const char *header;
        size_t data;
        const char *why;
    } rows[] = {
        {"{\"w\":[]}", 0, "needs dtype"},
        {"{\"w\":{}}", 0, "needs dtype"},
        {W("\"shape\":[1]"), 4, "needs dtype"},
        {W("\"shape\":[1],\"data_offsets\":[0,4],\"more\":1"), 4, "needs dtype"},
        {"{\"w\":{\"dtype\":\"F31\",\"shape\":[1],\"data_offsets\":[0,4]}}", 4, "dtype"},
        {"{\"w\":{\"dtype\":7,\"shape\":[1],\"data_offsets\":[0,4]}}", 4, "dtype"},
        {"{\"w\":{\"dtype\":\"f32\",\"shape\":[1],\"data_offsets\":[0,4]}}", 4, "dtype"},
        {"{\"w\":{\"dtype\":\"F64\",\"shape\":[1],\"data_offsets\":[0,4]}}", 4, "do not agree"},
        /* shapes */
        {W("\"shape\":1,\"data_offsets\":[0,4]"), 4, "its shape"},
        {W("\"shape\":[-1],\"data_offsets\":[0,4]"), 4, "its shape"},
        {W("\"shape\":[1.5],\"data_offsets\":[0,4]"), 4, "its shape"},
        {W("\"shape\":[1e0],\"data_offsets\":[0,4]"), 4, "its shape"},
        {W("\"shape\":[\"1\"],\"data_offsets\":[0,4]"), 4, "its shape"},
        {W("\"shape\":[[1]],\"data_offsets\":[0,4]"), 4, "its shape"},
        {W("\"shape\":[1,1,1,1,1,1,1,1,1],\"data_offsets\":[0,4]"), 4, "its shape"},
        {W("\"shape\":[9223372036854775808],\"data_offsets\":[0,4]"), 4, "its shape"},
        {W("\"shape\":[18446744073709551617],\"data_offsets\":[0,4]"), 4, "its shape"},
        {W("\"shape\":[4611686018427387904],\"data_offsets\":[0,0]"), 0, "does not fit"},
        {W("\"shape\":[4294967296,4294967296],\"data_offsets\":[0,0]"), 0, "does not fit"},
        {W("\"shape\":[4294967297,4294967297],\"data_offsets\":[0,4]"), 4, "does not fit"},
        {W("\"shape\":[4294967296,4294967296,0],\"data_offsets\":[0,0]"), 0, "does not fit"},
        {W("\"shape\":[0,9223372036854775807,9223372036854775807],\"data_offsets\":[0,0]"), 0,
         "does not fit"},
        {W("\"shape\":[2],\"data_offsets\":[0,4]"), 4, "do not agree"},
        /* offsets */
        {W("\"shape\":[1],\"data_offsets\":[-4,0]"), 4, "data_offsets"},
        {W("\"shape\":[1],\"data_offsets\":[4,0]"), 4, "data_offsets"},
        {W("\"shape\":[1],\"data_offsets\":[4,8]"), 4, "data_offsets"},
        {W("\"shape\":[1],\"data_offsets\":[0]"), 4, "data_offsets"},
        {W("\"shape\":[1],\"data_offsets\":[0,4,4]"), 4, "data_offsets"},
        {W("\"shape\":[1],\"data_offsets\":[18446744073709551612,18446744073709551616]"), 4,
         "data_offsets"},
        {W("\"shape\":[1],\"data_offsets\":[18446744073709551612,4]"), 4, "data_offsets"},
        {W("\"shape\":[1],\"data_offsets\":{\"0\":0,\"1\":4}"), 4, "data_offsets"},
        {W("\"shape\":[1],\"data_offsets\":[4,8]"), 8, "there is a gap before it"},
        {W("\"shape\":[1],\"data_offsets\":[0,4]"), 8, "belong to no tensor"},
        {"{}", 1, "belong to no tensor"},
        {"{\"a\":{\"dtype\":\"U8\",\"shape\":[4],\"data_offsets\":[0,4]},"
         "\"b\":{\"dtype\":\"U8\",\"shape\":[4],\"data_offsets\":[2,6]}}",
         6, "overlaps"},
        {"{\"a\":{\"dtype\":\"U8\",\"shape\":[4],\"data_offsets\":[0,4]},"
         "\"b\":{\"dtype\":\"U8\",\"shape\":[4],\"data_offsets\":[0,4]}}",
         4, "overlaps"},
        {"{\"a\":{\"dtype\":\"U8\",\"shape\":[1],\"data_offsets\":[0,1]},"
         "\"b\":{\"dtype\":\"U8\",\"shape\":[1],\"data_offsets\":[2,3]}}",
         3, "there is a gap before it"},
        /* names and texts */
        {"{\"a\":{\"dtype\":\"U8\",\"shape\":[1],\"data_offsets\":[0,1]},"
         "\"a\":{\"dtype\":\"U8\",\"shape\":[1],\"data_offsets\":[1,2]}}",
         2, "in its header"},
        {"{\"__metadata__\":7}", 0, "it is not a map of strings"},
        {"{\"__metadata__\":{\"a\":1}}", 0, "it is not a map of strings"},
        {"{\"__metadata__\":{\"a\":\"x\\u0000y\"}}", 0, "NUL"},
        {"{\"__metadata__\":{\"a\":\"1\",\"a\":\"2\"}}", 0, "in its header"},
        {"{\"\xff\":{\"dtype\":\"U8\",\"shape\":[1],\"data_offsets\":[0,1]}}", 1, "in its header"},
        {"{\"a\xed\xa0\x80\":{\"dtype\":\"U8\",\"shape\":[1],\"data_offsets\":[0,1]}}", 1,
         "in its header"},
        {"{\"__metadata__\":{\"ludus.hash\":\"0000000000000000\"}}", 0, "does not match"},
        {"{\"__metadata__\":{\"ludus.hash\":\"\"}}", 0, "not where ludus wrote it"},
        {"{\"__metadata__\":{\"a\":\"\",\"ludus.hash\":\"0000000000000000\"}}", 0,
         "not where ludus wrote it"},
        /* JSON */
        {"{", 0, "claims a header of 1 bytes"},
        {"{\"w\":", 0, "in its header"},
        {"{} {}", 0, "in its header"},
        {"{\"\x1b[31m\":1}", 0, "in its header"},
        {"{\"\\u001b[31m\":1}", 0, "at tensor '?[31m'"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        size_t length;
        lu_error error = {0};
        char *bytes = make_file(rows[i].header, strlen(rows[i].header), rows[i].data, &length);
        lu_tensors *tensors = lu_tensors_read("hostile", bytes, length, &error);
        CHECK(!tensors);
        if (error.status != LU_DAMAGED_FILE || !strstr(error.text, rows[i].why)) {
            lu_test_fail(__FILE__, __LINE__, "row %zu: \"%s\" without \"%s\"", i, error.text,
                         rows[i].why);
        }
        lu_tensors_close(tensors);
        free(bytes);
    }
}

TEST(deep_json_is_refused) {
    char header[4096] = "{\"w\":";
    size_t used = strlen(header);
    memset(header + used, '[', 2000);
    header[used + 2000] = '\0';
    size_t length;
    char *bytes = make_file(header, strlen(header), 0, &length);
    lu_error error = {0};
    CHECK(!lu_tensors_read("deep", bytes, length, &error));
    CHECK_INT(error.status, LU_DAMAGED_FILE);
    free(bytes);
}

TEST(lying_lengths_are_refused) {
    static const struct {
        uint64_t told;
        lu_status status;
    } rows[] = {
        {0, LU_DAMAGED_FILE},
        {1, LU_DAMAGED_FILE},
        {3, LU_DAMAGED_FILE},
        {100, LU_DAMAGED_FILE},
        {UINT64_C(1) << 24, LU_DAMAGED_FILE},
        {(UINT64_C(1) << 40) - 1, LU_DAMAGED_FILE},
        {UINT64_C(1) << 40, LU_FOREIGN_FILE},
        {INT64_MAX, LU_FOREIGN_FILE},
        {UINT64_MAX, LU_FOREIGN_FILE},
        {UINT64_MAX - 7, LU_FOREIGN_FILE},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        size_t length;
        lu_error error = {0};
        char *bytes = make_file("{}", rows[i].told, 0, &length);
        CHECK(!lu_tensors_read("lying", bytes, length, &error));
        CHECK_TEXT(lu_status_name(error.status), lu_status_name(rows[i].status));
        free(bytes);
    }
}

/* A header above its limit in a file that really is so large. */
TEST(huge_header_is_refused) {
    size_t header = ((size_t)16 << 20) + 8, length = header + 8;
    char *bytes = lu_alloc(length);
    memset(bytes, ' ', length);
    for (int i = 0; i < 8; i++) {
        bytes[i] = (char)((uint64_t)header >> (8 * i));
    }
    memcpy(bytes + 8, "{}", 2);
    lu_error error = {0};
    CHECK(!lu_tensors_read("huge", bytes, length, &error));
    CHECK_INT(error.status, LU_LIMIT);
    free(bytes);
}

TEST(other_files_are_named) {
    static const struct {
        const char *bytes;
        size_t length;
        lu_status status;
        const char *why;
    } rows[] = {
        {"", 0, LU_FOREIGN_FILE, "is empty"},
        {"abc", 3, LU_FOREIGN_FILE, "not a safetensors file"},
        {"\x80\x02\x8a\x0al\xfc\x9c\x46\xf9 j\xa8P\x19.\x80\x02M\xe9\x03.", 20, LU_BAD_DATA,
         "python/ludus_convert.py"},
        {"\x80\x04\x95\x10\0\0\0\0\0\0\0}\x94.", 14, LU_BAD_DATA, "never read"},
        {"\x80\x05}q\0.", 6, LU_BAD_DATA, "never read"},
        {"PK\3\4aaaaaaaa", 12, LU_FOREIGN_FILE, "a zip archive"},
        {"{\"a\": {\"b\": 1}}", 15, LU_FOREIGN_FILE, "JSON"},
        {"\x1f\x8b\x08\0\0\0\0\0\0\x03", 10, LU_FOREIGN_FILE, "gzip"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        lu_error error = {0};
        CHECK(!lu_tensors_read("other", rows[i].bytes, rows[i].length, &error));
        CHECK_TEXT(lu_status_name(error.status), lu_status_name(rows[i].status));
        CHECK_HAS(error.text, rows[i].why);
    }
}

/* A header of 640 bytes begins with 80 02, as a pickle does. */
TEST(header_like_a_pickle_is_read) {
    char header[641];
    memset(header, ' ', 640);
    memcpy(header, "{}", 2);
    header[640] = '\0';
    size_t length;
    char *bytes = make_file(header, 640, 0, &length);
    lu_tensors *tensors = lu_tensors_read("640", bytes, length, NULL);
    CHECK(tensors != NULL);
    lu_tensors_close(tensors);
    free(bytes);
}

TEST(numbers_must_be_finite) {
    static const float bad[2][2] = {{1, NAN}, {-INFINITY, 1}};
    static const uint16_t bad_half[1] = {0x7c00};
    static const double bad_double[1] = {INFINITY};
    float out[2];
    double wide[2];
    lu_error error = {0};
    for (int i = 0; i < 2; i++) {
        lu_tensor_entry entry = {.name = "w", .type = LU_F32, .data = bad[i], .count = 2};
        CHECK_INT(lu_tensor_floats("f", &entry, out, &error), LU_BAD_DATA);
        CHECK_INT(lu_tensor_doubles("f", &entry, wide, &error), LU_BAD_DATA);
    }
    lu_tensor_entry half_entry = {.name = "w", .type = LU_F16, .data = bad_half, .count = 1};
    CHECK_INT(lu_tensor_floats("f", &half_entry, out, &error), LU_BAD_DATA);
    lu_tensor_entry double_entry = {.name = "w", .type = LU_F64, .data = bad_double, .count = 1};
    CHECK_INT(lu_tensor_doubles("f", &double_entry, wide, &error), LU_BAD_DATA);
    CHECK_HAS(error.text, "at number 0");
    CHECK_INT(lu_tensor_floats("f", &double_entry, out, &error), LU_BAD_DATA);
    CHECK_HAS(error.text, "type F64");
}

/* Every half number against the definition, computed in double. */
TEST(half_numbers_are_exact) {
    for (uint32_t bits = 0; bits < 0x10000; bits++) {
        uint16_t number = (uint16_t)bits;
        lu_tensor_entry entry = {.name = "h", .type = LU_F16, .data = &number, .count = 1};
        int exponent = (int)(bits >> 10) & 31;
        double part = (double)(bits & 1023), value;
        lu_status status = lu_tensor_doubles("h", &entry, &value, NULL);
        if (exponent == 31) {
            CHECK_INT(status, LU_BAD_DATA);
            continue;
        }
        double want = exponent ? ldexp(1024 + part, exponent - 25) : ldexp(part, -24);
        want = bits >> 15 ? -want : want;
        if (status != LU_OK || value != want || signbit(value) != signbit(want)) {
            lu_test_fail(__FILE__, __LINE__, "%04x is %g, not %g", bits, value, want);
        }
    }
}
