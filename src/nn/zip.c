/* Zip archives: see zip.h. Includes zlib.h for inflate and CRC-32. Numbers of fields are those of
 * PKWARE's APPNOTE.TXT, sections 4.3.7 (local header), 4.3.12 (directory), 4.3.16 (end). What makes
 * the form strict: everything that the directory says is said again, equally, by the local header,
 * and the entries follow each other without gaps. Overlapping entries, the base of the worst zip
 * bombs, and bytes that hide between entries are thereby impossible. */
#include "zip.h"

#include "ludus/arena.h"

#include "ludus/printable.h"

#include <assert.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#ifdef FUZZING_BUILD_MODE_UNSAFE_FOR_PRODUCTION
#define CHECK_CRC 0 /* a fuzzer cannot guess checks */
#else
#define CHECK_CRC 1
#endif

enum {
    LOCAL_BYTES = 30,
    CENTRAL_BYTES = 46,
    END_BYTES = 22,
    LOCAL_SIGN = 0x04034b50,
    CENTRAL_SIGN = 0x02014b50,
    END_SIGN = 0x06054b50,
    FLAG_ENCRYPTED = 1,
    FLAG_STREAMED = 8,
    FLAG_LEVEL = 6, /* hints of the packer */
    FLAG_UTF8 = 0x800,
    METHOD_STORED = 0,
    METHOD_DEFLATED = 8,
    VERSION_MOST = 20,    /* 2.0: deflate; 4.5 would be zip64 */
    DATE_1980 = 0x21,     /* the first of January 1980, the earliest date there is */
    DEFLATE_RATIO = 1032, /* deflate never packs better than this */
    BOMB_RATIO = 64,      /* and weights and JSON never better than this ... */
    BOMB_FREE = 1 << 20,  /* ... beyond so many bytes */
};

static uint32_t get(const unsigned char *at, int bytes) {
    uint32_t value = 0;
    for (int i = 0; i < bytes; i++) {
        value |= (uint32_t)at[i] << (8 * i);
    }
    return value;
}

static unsigned char *put(unsigned char *at, uint32_t value, int bytes) {
    for (int i = 0; i < bytes; i++) {
        *at++ = (unsigned char)(value >> (8 * i));
    }
    return at;
}

static lu_status damaged(const char *name, size_t offset, const char *how, lu_error *error) {
    return lu_fail(error, LU_DAMAGED_FILE,
                   "'%s' is damaged at byte %zu: %s; fetch or make it again", name, offset, how);
}

/* ---- guesses ---- */

bool lu_zip_is(const void *bytes, size_t length) {
    return length >= 4 && (memcmp(bytes, "PK\3\4", 4) == 0 || memcmp(bytes, "PK\5\6", 4) == 0);
}

static bool pickled_name(const unsigned char *name, size_t length) {
    static const char *const ends[] = {".pkl", ".pickle", ".pt", ".pth"};
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        size_t end = strlen(ends[i]);
        if (length >= end && memcmp(name + length - end, ends[i], end) == 0) {
            return true;
        }
    }
    return false;
}

bool lu_zip_has_pickle(const void *bytes, size_t length) {
    const unsigned char *start = bytes, *end = start + length, *at = start;
    /* every place that looks like a local header: torch's archives are zip64, which we do not read
     */
    while (end - at >= LOCAL_BYTES && (at = memmem(at, (size_t)(end - at), "PK\3\4", 4)) &&
           end - at >= LOCAL_BYTES) {
        size_t name = get(at + 26, 2);
        if (name <= (size_t)(end - at) - LOCAL_BYTES && pickled_name(at + LOCAL_BYTES, name)) {
            return true;
        }
        at += 4;
    }
    return false;
}

/* ---- reading ---- */

typedef struct reader {
    lu_zip *zip;
    const char *name;
    const unsigned char *bytes;
    size_t directory, end; /* offsets of the directory and of the end record */
    lu_error *error;
} reader;

static lu_status refuse(const reader *r, const char *entry, const char *why) {
    char shown[LU_PRINTABLE];
    return lu_fail(r->error, LU_BAD_DATA,
                   "'%s': entry '%s' %s; a model's archive holds policy.safetensors, obs_rms.json "
                   "and metadata.json, stored or deflated",
                   r->name, lu_printable(shown, entry), why);
}

/* Copies a name; false when it has anything that a plain file name does not need. */
static bool read_name(const unsigned char *at, size_t length, char out[LU_ZIP_NAME]) {
    size_t used = 0;
    bool plain = length > 0 && length < LU_ZIP_NAME && at[0] != '.';
    for (; used < length && used < LU_ZIP_NAME - 1; used++) {
        char c = (char)at[used];
        plain = plain && ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                          (c >= '0' && c <= '9') || c == '.' || c == '-' || c == '_');
        out[used] = c ? c : '?';
    }
    out[used] = '\0';
    return plain;
}

/* What flags, method and sizes may say. */
static lu_status check_fields(const reader *r, const unsigned char *row, const lu_zip_entry *entry,
                              size_t at) {
    uint32_t flags = get(row + 8, 2), method = get(row + 10, 2);
    if (flags & FLAG_ENCRYPTED) {
        return refuse(r, entry->name, "is encrypted");
    }
    if (flags & FLAG_STREAMED) {
        return refuse(r, entry->name, "was written as a stream, with its sizes behind it");
    }
    if (flags & ~(uint32_t)(FLAG_LEVEL | FLAG_UTF8)) {
        return refuse(r, entry->name, "has unknown flags");
    }
    if (method != METHOD_STORED && method != METHOD_DEFLATED) {
        return refuse(r, entry->name, "is packed by a method that is not read");
    }
    if ((get(row + 6, 2) & 255) > VERSION_MOST || entry->packed_bytes == UINT32_MAX ||
        entry->length == UINT32_MAX) {
        return refuse(r, entry->name, "needs a later version of zip");
    }
    if (get(row + 32, 2) || get(row + 34, 2)) {
        return damaged(r->name, at, "an entry with a comment or on another disk", r->error);
    }
    bool possible = method == METHOD_STORED ? entry->packed_bytes == entry->length
                                            : entry->length / DEFLATE_RATIO <= entry->packed_bytes;
    return possible ? LU_OK : damaged(r->name, at, "impossible sizes", r->error);
}

/* The local header at `at` says the same as the row of the directory; *next is where the entry
 * ends.
 */
static lu_status check_local(const reader *r, const unsigned char *row, lu_zip_entry *entry,
                             size_t at, size_t *next) {
    const unsigned char *local = r->bytes + at;
    size_t room = r->directory - at, name = get(row + 28, 2);
    if (room < LOCAL_BYTES || get(local, 4) != LOCAL_SIGN) {
        return damaged(r->name, at, "no entry begins here", r->error);
    }
    /* version, flags, method, time, CRC and sizes stand in the same order in both */
    if (memcmp(local + 4, row + 6, 22) != 0 || get(local + 26, 2) != name) {
        return damaged(r->name, at, "an entry differs from the directory", r->error);
    }
    size_t lead = LOCAL_BYTES + name + get(local + 28, 2);
    if (lead > room || entry->packed_bytes > room - lead) {
        return damaged(r->name, at, "an entry reaches into the directory", r->error);
    }
    if (memcmp(local + LOCAL_BYTES, row + CENTRAL_BYTES, name) != 0) {
        return damaged(r->name, at, "an entry has another name than in the directory", r->error);
    }
    entry->packed = local + lead;
    entry->offset = at + lead;
    *next = at + lead + entry->packed_bytes;
    return LU_OK;
}

/* One row of the directory at *at, whose entry must begin at *local; both move on. */
static lu_status read_row(reader *r, size_t *at, size_t *local) {
    const unsigned char *row = r->bytes + *at;
    size_t room = r->end - *at;
    if (room < CENTRAL_BYTES || get(row, 4) != CENTRAL_SIGN) {
        return damaged(r->name, *at, "no row of the directory begins here", r->error);
    }
    size_t name = get(row + 28, 2), whole = CENTRAL_BYTES + name + get(row + 30, 2);
    if (whole > room) {
        return damaged(r->name, *at, "a row of the directory is cut off", r->error);
    }
    lu_zip_entry *entry = &r->zip->entry[r->zip->entries];
    *entry = (lu_zip_entry){.check = get(row + 16, 4),
                            .packed_bytes = get(row + 20, 4),
                            .length = get(row + 24, 4),
                            .deflated = get(row + 10, 2) == METHOD_DEFLATED};
    if (!read_name(row + CENTRAL_BYTES, name, entry->name)) {
        return refuse(r, entry->name, "has a path or a strange name");
    }
    if (lu_zip_find(r->zip, entry->name) >= 0) {
        return refuse(r, entry->name, "appears twice");
    }
    LU_TRY(check_fields(r, row, entry, *at));
    if (get(row + 42, 4) != *local) {
        return damaged(r->name, *at, "an entry does not begin where the one before it ends",
                       r->error);
    }
    lu_status status = check_local(r, row, entry, *local, local);
    r->zip->entries += status == LU_OK;
    *at += whole;
    return status;
}

lu_status lu_zip_open(lu_zip *zip, const char *name, const void *bytes, size_t length,
                      lu_error *error) {
    *zip = (lu_zip){.name = name};
    reader r = {.zip = zip, .name = name, .bytes = bytes, .error = error};
    if (!lu_zip_is(bytes, length)) {
        return lu_fail(error, LU_FOREIGN_FILE, "'%s' is not a zip archive", name);
    }
    if (length < END_BYTES || get(r.bytes + length - END_BYTES, 4) != END_SIGN) {
        return damaged(name, length, "a zip archive without the end of its directory", error);
    }
    r.end = length - END_BYTES;
    const unsigned char *end = r.bytes + r.end;
    uint32_t count = get(end + 10, 2);
    if (get(end + 4, 2) || get(end + 6, 2) || get(end + 8, 2) != count || get(end + 20, 2)) {
        return damaged(name, r.end, "an archive of several disks, or with a comment", error);
    }
    if (count > LU_ZIP_ENTRIES) {
        return lu_fail(error, LU_BAD_DATA, "'%s' has %u entries; a model's archive has three", name,
                       (unsigned)count);
    }
    r.directory = get(end + 16, 4);
    if (r.directory > r.end || get(end + 12, 4) != r.end - r.directory) {
        return damaged(name, r.end, "the directory is not where the archive says it is", error);
    }
    size_t at = r.directory, local = 0;
    for (uint32_t i = 0; i < count; i++) {
        LU_TRY(read_row(&r, &at, &local));
    }
    if (local != r.directory || at != r.end) {
        return damaged(name, local, "bytes that belong to no entry", error);
    }
    return LU_OK;
}

int lu_zip_find(const lu_zip *zip, const char *entry) {
    for (int i = 0; i < zip->entries; i++) {
        if (strcmp(zip->entry[i].name, entry) == 0) {
            return i;
        }
    }
    return -1;
}

/* Inflates into a buffer of exactly the told size; anything more or less is false. */
static bool inflate_exactly(const lu_zip_entry *entry, unsigned char *out) {
    z_stream stream = {0};
    if (inflateInit2(&stream, -15) != Z_OK) {
        lu_out_of_memory(1 << 16);
    }
    size_t used = 0, made = 0;
    int code = Z_OK;
    while (code == Z_OK) {
        size_t in = entry->packed_bytes - used, room = entry->length - made;
        uInt in_now = (uInt)(in < UINT_MAX / 2 ? in : UINT_MAX / 2);
        uInt out_now = (uInt)(room < UINT_MAX / 2 ? room : UINT_MAX / 2);
        stream.next_in = (Bytef *)(entry->packed + used);
        stream.avail_in = in_now;
        stream.next_out = out + made;
        stream.avail_out = out_now;
        code = inflate(&stream, Z_NO_FLUSH); /* Z_BUF_ERROR when it can go no further */
        used += in_now - stream.avail_in;
        made += out_now - stream.avail_out;
    }
    inflateEnd(&stream);
    return code == Z_STREAM_END && used == entry->packed_bytes && made == entry->length;
}

static uint32_t check_of(const unsigned char *bytes, size_t length) {
    uLong check = crc32(0, NULL, 0);
    while (length > 0) {
        uInt now = (uInt)(length < UINT_MAX / 2 ? length : UINT_MAX / 2);
        check = crc32(check, bytes, now);
        bytes += now;
        length -= now;
    }
    return (uint32_t)check;
}

lu_status lu_zip_unpack(const lu_zip *zip, int index, size_t limit, char **bytes, size_t *length,
                        lu_error *error) {
    assert(index >= 0 && index < zip->entries);
    const lu_zip_entry *entry = &zip->entry[index];
    *bytes = NULL;
    *length = 0;
    if (entry->length > limit) {
        return lu_fail(error, LU_LIMIT,
                       "'%s': entry '%s' unpacks to %zu bytes, and at most %zu are read", zip->name,
                       entry->name, entry->length, limit);
    }
    if (entry->length > BOMB_FREE && entry->length / BOMB_RATIO > entry->packed_bytes) {
        return lu_fail(error, LU_LIMIT,
                       "'%s': entry '%s' unpacks to more than %d times its size, which no model "
                       "does: make the archive with files that are stored",
                       zip->name, entry->name, BOMB_RATIO);
    }
    unsigned char *out = lu_alloc(entry->length + 1);
    bool good = true;
    if (entry->deflated) {
        good = inflate_exactly(entry, out);
    } else {
        memcpy(out, entry->packed, entry->length);
    }
    if (!good || (CHECK_CRC && check_of(out, entry->length) != entry->check)) {
        free(out);
        return lu_fail(error, LU_DAMAGED_FILE,
                       "'%s' is damaged at byte %zu: entry '%s' %s; fetch or make it again",
                       zip->name, entry->offset, entry->name,
                       good ? "does not agree with its CRC" : "does not unpack to its size");
    }
    out[entry->length] = '\0';
    *bytes = (char *)out;
    *length = entry->length;
    return LU_OK;
}

/* ---- writing ---- */

/* The 22 bytes that local header and directory have in common: version to sizes. */
static unsigned char *put_common(unsigned char *at, const lu_zip_part *part, uint32_t check) {
    at = put(at, VERSION_MOST, 2);
    at = put(at, 0, 2); /* flags */
    at = put(at, METHOD_STORED, 2);
    at = put(at, 0, 2); /* time */
    at = put(at, DATE_1980, 2);
    at = put(at, check, 4);
    at = put(at, (uint32_t)part->length, 4);
    return put(at, (uint32_t)part->length, 4);
}

static unsigned char *put_bytes(unsigned char *at, const void *bytes, size_t length) {
    if (length) {
        memcpy(at, bytes, length);
    }
    return at + length;
}

lu_status lu_zip_write(const lu_zip_part *part, int parts, char **bytes, size_t *length,
                       lu_error *error) {
    size_t total = END_BYTES, directory = 0;
    uint32_t check[LU_ZIP_ENTRIES], offset[LU_ZIP_ENTRIES];
    assert(parts >= 0 && parts <= LU_ZIP_ENTRIES);
    *bytes = NULL;
    *length = 0;
    for (int i = 0; i < parts; i++) {
        char name[LU_ZIP_NAME];
        bool plain = read_name((const unsigned char *)part[i].name, strlen(part[i].name), name);
        assert(plain);
        (void)plain;
        size_t lead = LOCAL_BYTES + CENTRAL_BYTES + 2 * strlen(part[i].name);
        if (!lu_size_add(total, lead, &total) || !lu_size_add(total, part[i].length, &total) ||
            total >= UINT32_MAX) {
            return lu_fail(error, LU_LIMIT,
                           "a zip archive of 4 GiB or more is not written: use the plain file");
        }
    }
    unsigned char *out = lu_alloc(total), *at = out;
    for (int i = 0; i < parts; i++) {
        size_t name = strlen(part[i].name);
        offset[i] = (uint32_t)(at - out);
        check[i] = check_of(part[i].bytes, part[i].length);
        at = put(at, LOCAL_SIGN, 4);
        at = put_common(at, &part[i], check[i]);
        at = put(at, (uint32_t)name, 2);
        at = put(at, 0, 2); /* extra */
        at = put_bytes(at, part[i].name, name);
        at = put_bytes(at, part[i].bytes, part[i].length);
    }
    directory = (size_t)(at - out);
    for (int i = 0; i < parts; i++) {
        size_t name = strlen(part[i].name);
        at = put(at, CENTRAL_SIGN, 4);
        at = put(at, VERSION_MOST, 2);
        at = put_common(at, &part[i], check[i]);
        at = put(at, (uint32_t)name, 2);
        at = put(at, 0, 4); /* extra, comment */
        at = put(at, 0, 4); /* disk, kind of contents */
        at = put(at, 0, 4); /* mode */
        at = put(at, offset[i], 4);
        at = put_bytes(at, part[i].name, name);
    }
    size_t rows = (size_t)(at - out) - directory;
    at = put(at, END_SIGN, 4);
    at = put(at, 0, 4); /* disks */
    at = put(at, (uint32_t)parts, 2);
    at = put(at, (uint32_t)parts, 2);
    at = put(at, (uint32_t)rows, 4);
    at = put(at, (uint32_t)directory, 4);
    put(at, 0, 2); /* comment */
    assert((size_t)(at - out) + 2 == total);
    *bytes = (char *)out;
    *length = total;
    return LU_OK;
}
