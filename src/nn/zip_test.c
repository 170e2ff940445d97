/* Archives: what is written reads back equal, what others write is read, and no size, offset or
 * name is believed. */
#include "zip.h"

#include "ludus/file.h"

#include "test.h"

#include <stdlib.h>
#include <zlib.h>

static const char first[] = "first file, first file, first file";
static const char second[] = "{\"b\":2}\n";

static char *small_zip(size_t *length) {
    const lu_zip_part part[] = {{"policy.safetensors", first, sizeof first - 1},
                                {"metadata.json", second, sizeof second - 1}};
    char *bytes;
    CHECK(lu_zip_write(part, 2, &bytes, length, NULL) == LU_OK);
    return bytes;
}

/* ---- archives made by hand, so that each field can be wrong ---- */

typedef struct made {
    const char *name;
    const void *packed;
    size_t packed_bytes, length;
    uint32_t check;
    int method, flags;
} made;

typedef struct wrong {
    size_t gap;        /* bytes between the entries and the directory */
    int shift;         /* added to the offset of the last row */
    int count, length; /* added to the end record's count and directory size */
} wrong;

static unsigned char *put(unsigned char *at, uint64_t value, int bytes) {
    for (int i = 0; i < bytes; i++) {
        *at++ = (unsigned char)(value >> (8 * i));
    }
    return at;
}

static unsigned char *put_fields(unsigned char *at, const made *m) {
    at = put(at, 20, 2);
    at = put(at, (uint64_t)m->flags, 2);
    at = put(at, (uint64_t)m->method, 2);
    at = put(at, 0x00210000, 4);
    at = put(at, m->check, 4);
    at = put(at, m->packed_bytes, 4);
    at = put(at, m->length, 4);
    return put(at, strlen(m->name), 2);
}

static char *make_zip(const made *m, int count, wrong w, size_t *length) {
    size_t room = 64 + w.gap, offset[32];
    for (int i = 0; i < count; i++) {
        room += 128 + 2 * strlen(m[i].name) + m[i].packed_bytes;
    }
    unsigned char *out = lu_alloc_zero(1, room), *at = out;
    for (int i = 0; i < count; i++) {
        offset[i] = (size_t)(at - out);
        at = put(put_fields(put(at, 0x04034b50, 4), &m[i]), 0, 2);
        memcpy(at, m[i].name, strlen(m[i].name));
        at += strlen(m[i].name);
        if (m[i].packed_bytes) {
            memcpy(at, m[i].packed, m[i].packed_bytes);
        }
        at += m[i].packed_bytes;
    }
    at += w.gap;
    size_t directory = (size_t)(at - out);
    for (int i = 0; i < count; i++) {
        at = put_fields(put(put(at, 0x02014b50, 4), 20, 2), &m[i]);
        at = put(put(at, 0, 8), 0, 4);
        at = put(at, offset[i] + (i == count - 1 ? (uint64_t)(int64_t)w.shift : 0), 4);
        memcpy(at, m[i].name, strlen(m[i].name));
        at += strlen(m[i].name);
    }
    size_t rows = (size_t)(at - out) - directory;
    at = put(put(at, 0x06054b50, 4), 0, 4);
    at = put(put(at, (uint64_t)(count + w.count), 2), (uint64_t)(count + w.count), 2);
    at = put(at, (uint64_t)((int64_t)rows + w.length), 4);
    at = put(put(at, directory, 4), 0, 2);
    *length = (size_t)(at - out);
    return (char *)out;
}

static size_t deflate_all(const void *bytes, size_t length, unsigned char *out, size_t room) {
    z_stream stream = {0};
    CHECK(deflateInit2(&stream, 9, Z_DEFLATED, -15, 9, Z_DEFAULT_STRATEGY) == Z_OK);
    stream.next_in = (Bytef *)bytes;
    stream.avail_in = (uInt)length;
    stream.next_out = out;
    stream.avail_out = (uInt)room;
    CHECK(deflate(&stream, Z_FINISH) == Z_STREAM_END);
    size_t used = room - stream.avail_out;
    deflateEnd(&stream);
    return used;
}

/* A stored entry with a right CRC. */
static made stored(const char *name, const char *text) {
    size_t length = strlen(text);
    return (made){.name = name,
                  .packed = text,
                  .packed_bytes = length,
                  .length = length,
                  .check = (uint32_t)crc32(0, (const Bytef *)text, (uInt)length)};
}

/* Opens, unpacks everything; the status of the first failure. */
static lu_status open_all(const char *bytes, size_t length, size_t limit, lu_error *error) {
    lu_zip zip;
    *error = (lu_error){0};
    lu_status status = lu_zip_open(&zip, "test.zip", bytes, length, error);
    for (int i = 0; i < zip.entries && status == LU_OK; i++) {
        char *out;
        size_t out_length;
        status = lu_zip_unpack(&zip, i, limit, &out, &out_length, error);
        free(out);
    }
    return status;
}

/* ---- tests ---- */

TEST(written_reads_back) {
    size_t length, again_length, got_length;
    char *bytes = small_zip(&length), *again = small_zip(&again_length), *got;
    CHECK(length == again_length && memcmp(bytes, again, length) == 0);
    free(again);
    lu_zip zip;
    lu_error error = {0};
    CHECK_INT(lu_zip_open(&zip, "small.zip", bytes, length, &error), LU_OK);
    CHECK_TEXT(error.text, "");
    CHECK_INT(zip.entries, 2);
    CHECK_INT(lu_zip_find(&zip, "metadata.json"), 1);
    CHECK_INT(lu_zip_find(&zip, "metadata"), -1);
    CHECK_INT(lu_zip_unpack(&zip, 0, 1000, &got, &got_length, &error), LU_OK);
    CHECK_TEXT(got, first);
    CHECK_INT(got_length, sizeof first - 1);
    free(got);
    CHECK_INT(lu_zip_unpack(&zip, 1, 3, &got, &got_length, &error), LU_LIMIT);
    CHECK(got == NULL);
    free(bytes);
}

TEST(empty_archive) {
    size_t length;
    char *bytes;
    lu_zip zip;
    CHECK(lu_zip_write(NULL, 0, &bytes, &length, NULL) == LU_OK);
    CHECK_INT(length, 22);
    CHECK_INT(lu_zip_open(&zip, "empty.zip", bytes, length, NULL), LU_OK);
    CHECK_INT(zip.entries, 0);
    free(bytes);
}

TEST(deflated_is_read) {
    unsigned char packed[256];
    made m = stored("obs_rms.json", first);
    m.packed_bytes = deflate_all(first, m.length, packed, sizeof packed);
    m.packed = packed;
    m.method = 8;
    size_t length;
    char *bytes = make_zip(&m, 1, (wrong){0}, &length);
    lu_zip zip;
    char *got = NULL;
    size_t got_length;
    CHECK_INT(lu_zip_open(&zip, "packed.zip", bytes, length, NULL), LU_OK);
    CHECK_INT(lu_zip_unpack(&zip, 0, 1000, &got, &got_length, NULL), LU_OK);
    CHECK_TEXT(got, first);
    free(got);
    free(bytes);
}

TEST(every_truncation_is_refused) {
    size_t length;
    char *bytes = small_zip(&length);
    for (size_t cut = 0; cut < length; cut++) {
        lu_error error;
        char *part = lu_alloc(cut);
        memcpy(part, bytes, cut);
        lu_status status = open_all(part, cut, 1000, &error);
        if (lu_status_exit(status) != 4 || !error.text[0]) {
            lu_test_fail(__FILE__, __LINE__, "cut at %zu: %s", cut, error.text);
        }
        free(part);
    }
    free(bytes);
}

/* What a flip may change without harm: "made by", time and date in both places are compared, and
 * attributes mean nothing to us. */
TEST(every_flip_is_seen) {
    size_t length, changed = 0;
    char *bytes = small_zip(&length);
    for (size_t bit = 0; bit < 8 * length; bit++) {
        lu_error error;
        lu_zip zip;
        bytes[bit / 8] = (char)(bytes[bit / 8] ^ (1 << bit % 8));
        if (open_all(bytes, length, 1000, &error) == LU_OK) {
            CHECK_INT(lu_zip_open(&zip, "flip.zip", bytes, length, NULL), LU_OK);
            CHECK_TEXT(zip.entry[0].name, "policy.safetensors");
            CHECK_TEXT(zip.entry[1].name, "metadata.json");
            CHECK(memcmp(zip.entry[0].packed, first, sizeof first - 1) == 0);
            CHECK(memcmp(zip.entry[1].packed, second, sizeof second - 1) == 0);
            changed++;
        }
        bytes[bit / 8] = (char)(bytes[bit / 8] ^ (1 << bit % 8));
    }
    CHECK_INT(changed, 2 * 8 * (2 + 2 + 4)); /* made by, kind of contents, mode: per entry */
    free(bytes);
}

TEST(names_are_plain) {
    static const char *const names[] = {
        "../policy.safetensors",
        "/etc/passwd",
        "a/b",
        "a\\b",
        ".",
        "..",
        ".hidden",
        "a b",
        "",
        "C:x",
        "policy.safetensors\n",
        "\x1b[31m",
        "\xc3\xa4",
        "a%2e",
        "folder/",
        "a-name-that-is-much-longer-than-any-name-a-model-needs-in-its-archive",
    };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        made m = stored(names[i], "x");
        size_t length;
        lu_error error;
        char *bytes = make_zip(&m, 1, (wrong){0}, &length);
        CHECK_INT(open_all(bytes, length, 1000, &error), LU_BAD_DATA);
        CHECK_HAS(error.text, "a path or a strange name");
        CHECK(!strpbrk(error.text, "\n\x1b"));
        free(bytes);
    }
}

TEST(names_are_unique) {
    made m[2] = {stored("a", "x"), stored("a", "y")};
    size_t length;
    lu_error error;
    char *bytes = make_zip(m, 2, (wrong){0}, &length);
    CHECK_INT(open_all(bytes, length, 1000, &error), LU_BAD_DATA);
    CHECK_HAS(error.text, "appears twice");
    free(bytes);
}

TEST(wrong_fields_are_refused) {
    static const struct {
        int flags, method, packed, length;
        wrong w;
        const char *why;
    } rows[] = {
        {1, 0, 0, 0, {0}, "is encrypted"},
        {8, 0, 0, 0, {0}, "as a stream"},
        {0x2000, 0, 0, 0, {0}, "unknown flags"},
        {0, 12, 0, 0, {0}, "a method that is not read"},
        {0, 0, 0, 1, {0}, "impossible sizes"},
        {0, 0, 1, 1, {0}, "reaches into the directory"},
        {0, 8, 0, 1 << 20, {0}, "impossible sizes"},
        {0, 8, 0, 0, {0}, "does not unpack"},
        {0, 0, 0, 0, {.gap = 1}, "belong to no entry"},
        {0, 0, 0, 0, {.shift = 1}, "does not begin where"},
        {0, 0, 0, 0, {.shift = -1}, "does not begin where"},
        {0, 0, 0, 0, {.count = 1}, "no row of the directory"},
        {0, 0, 0, 0, {.count = -1}, "belong to no entry"},
        {0, 0, 0, 0, {.count = 100}, "entries; a model's archive has three"},
        {0, 0, 0, 0, {.length = 1}, "not where the archive says it is"},
        {0, 0, 0, 0, {.length = -1}, "not where the archive says it is"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        made m[2] = {stored("a", "first"), stored("b", "second")};
        size_t length;
        lu_error error;
        m[1].flags = rows[i].flags;
        m[1].method = rows[i].method;
        char *bytes = make_zip(m, 2, rows[i].w, &length);
        /* sizes are changed behind the data, so that the file stays as it is */
        for (size_t at = 0; at + 4 < length; at++) {
            bool local = memcmp(bytes + at, "PK\3\4", 4) == 0;
            if ((local || memcmp(bytes + at, "PK\1\2", 4) == 0) &&
                bytes[at + (local ? 30 : 46)] == 'b') {
                unsigned char *sizes = (unsigned char *)bytes + at + (local ? 18 : 20);
                put(sizes, m[1].packed_bytes + (size_t)rows[i].packed, 4);
                put(sizes + 4, m[1].length + (size_t)rows[i].length, 4);
            }
        }
        lu_status status = open_all(bytes, length, 1 << 20, &error);
        if (lu_status_exit(status) != 4 || !strstr(error.text, rows[i].why)) {
            lu_test_fail(__FILE__, __LINE__, "row %zu: \"%s\" without \"%s\"", i, error.text,
                         rows[i].why);
        }
        free(bytes);
    }
}

/* 64 MiB of zeros in 64 KiB: honest, but no model. */
TEST(bombs_are_refused) {
    size_t zeros = (size_t)64 << 20, room = 1 << 20, length;
    char *nothing = lu_alloc_zero(1, zeros);
    unsigned char *packed = lu_alloc(room);
    made m = {.name = "policy.safetensors", .packed = packed, .length = zeros, .method = 8};
    m.packed_bytes = deflate_all(nothing, zeros, packed, room);
    m.check = (uint32_t)crc32(0, (const Bytef *)nothing, (uInt)zeros);
    char *bytes = make_zip(&m, 1, (wrong){0}, &length);
    lu_error error;
    CHECK_INT(open_all(bytes, length, (size_t)1 << 32, &error), LU_LIMIT);
    CHECK_HAS(error.text, "more than 64 times");
    CHECK_INT(open_all(bytes, length, 1000, &error), LU_LIMIT);
    free(bytes);
    /* one that tells a small size and unpacks to more */
    m.length = 1000;
    bytes = make_zip(&m, 1, (wrong){0}, &length);
    CHECK_INT(open_all(bytes, length, (size_t)1 << 32, &error), LU_DAMAGED_FILE);
    CHECK_HAS(error.text, "does not unpack to its size");
    free(bytes);
    free(packed);
    free(nothing);
}

/* Two rows of the directory over one entry. */
TEST(overlapping_entries_are_refused) {
    made m[2] = {stored("a", "first"), stored("a", "first")};
    size_t length;
    lu_error error;
    char *bytes = make_zip(m, 2, (wrong){.shift = -(30 + 1 + 5)}, &length);
    bytes[length - 22 - 1] = 'b'; /* the second row's name */
    CHECK_INT(open_all(bytes, length, 1000, &error), LU_DAMAGED_FILE);
    CHECK_HAS(error.text, "does not begin where the one before it ends");
    free(bytes);
}

TEST(damage_inside_is_seen) {
    made m = stored("a", "first");
    m.check ^= 1;
    size_t length;
    lu_error error;
    char *bytes = make_zip(&m, 1, (wrong){0}, &length);
    CHECK_INT(open_all(bytes, length, 1000, &error), LU_DAMAGED_FILE);
    CHECK_HAS(error.text, "does not agree with its CRC");
    free(bytes);
}

TEST(pickles_are_known) {
    made m[2] = {stored("archive/data.pkl", "x"), stored("archive/data/0", "y")};
    size_t length;
    char *bytes = make_zip(m, 2, (wrong){0}, &length);
    CHECK(lu_zip_has_pickle(bytes, length));
    CHECK(!lu_zip_has_pickle(bytes, 40));
    free(bytes);
    bytes = small_zip(&length);
    CHECK(!lu_zip_has_pickle(bytes, length));
    free(bytes);
}

/* Archives of Python's zipfile and of Info-ZIP, kept with the fuzzer's corpus. */
TEST(archives_of_others_are_read) {
    static const char *const names[] = {"fuzz/corpus/zip/python-deflated.zip",
                                        "fuzz/corpus/zip/python-stored.zip",
                                        "fuzz/corpus/zip/info-zip.zip"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char *bytes, *got = NULL;
        size_t length, got_length;
        lu_zip zip;
        lu_error error = {0};
        NEED(lu_file_read(lu_test_source(names[i]), 1 << 20, &bytes, &length, &error) == LU_OK);
        CHECK_INT(open_all(bytes, length, 1 << 20, &error), LU_OK);
        CHECK_TEXT(error.text, "");
        NEED(lu_zip_open(&zip, names[i], bytes, length, NULL) == LU_OK);
        CHECK_INT(zip.entry[0].deflated, i != 1);
        CHECK_INT(
            lu_zip_unpack(&zip, lu_zip_find(&zip, "metadata.json"), 100, &got, &got_length, &error),
            LU_OK);
        CHECK_TEXT(got, "{\"game\":\"corridor-v1\"}\n");
        free(got);
        free(bytes);
    }
}
