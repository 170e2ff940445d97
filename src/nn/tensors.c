/* The safetensors container: see tensors.h. The reader goes in the order of trust: length of the
 * header, the JSON (by the strict reader), then each tensor (type, shape, place), then that the
 * tensors tile the data exactly, then the hash. Nothing is copied but the header. Left out on
 * purpose: types below one byte and complex numbers, which no net of ours holds. The numbers are
 * taken out by tensor_numbers.c. */
#include "ludus/tensors.h"

#include "ludus/arena.h"
#include "ludus/hash.h"
#include "ludus/json.h"
#include "ludus/settings.h"

#include "ludus/printable.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#ifdef FUZZING_BUILD_MODE_UNSAFE_FOR_PRODUCTION
#define CHECK_HASH 0 /* a fuzzer cannot guess hashes */
#else
#define CHECK_HASH 1
#endif

#define METADATA "__metadata__"
#define HASH_KEY "ludus.hash"
#define HASH_LEAD                                                                                  \
    "{\"" METADATA "\":{\"" HASH_KEY "\":\"" /* how our writer begins every header                 \
                                              */

enum {
    LENGTH_BYTES = 8, /* of the header's length, before it */
    HASH_DIGITS = 16,
    HASH_AT = sizeof HASH_LEAD - 1, /* first digit, from the start of the header */
};

typedef struct dtype_row {
    const char *name;
    size_t bytes;
} dtype_row;

static const dtype_row dtypes[LU_DTYPE_COUNT] = {
#define X(name, text, bytes) {text, bytes},
    LU_DTYPE_LIST(X)
#undef X
};

const char *lu_dtype_name(lu_dtype type) {
    assert(type < LU_DTYPE_COUNT);
    return dtypes[type].name;
}

size_t lu_dtype_bytes(lu_dtype type) {
    assert(type < LU_DTYPE_COUNT);
    return dtypes[type].bytes;
}

static uint64_t get64(const unsigned char *at) {
    uint64_t value = 0;
    for (int i = 0; i < 8; i++) {
        value |= (uint64_t)at[i] << (8 * i);
    }
    return value;
}

static void put64(unsigned char *at, uint64_t value) {
    for (int i = 0; i < 8; i++) {
        at[i] = (unsigned char)(value >> (8 * i));
    }
}

/* Hash of a file: of the data, then of the header with zeros in place of the hash's own digits. */
static uint64_t hash_of(const unsigned char *bytes, size_t header, size_t data) {
    char lead[HASH_AT + HASH_DIGITS];
    size_t zeroed = sizeof lead;
    memcpy(lead, HASH_LEAD, HASH_AT);
    memset(lead + HASH_AT, '0', HASH_DIGITS);
    uint64_t hash = lu_hash(bytes + LENGTH_BYTES + header, data, 0);
    hash = lu_hash(lead, zeroed, hash);
    return lu_hash(bytes + LENGTH_BYTES + zeroed, header - zeroed, hash);
}

static void hex_of(uint64_t value, char out[HASH_DIGITS]) {
    for (int i = HASH_DIGITS - 1; i >= 0; i--, value >>= 4) {
        out[i] = "0123456789abcdef"[value & 15];
    }
}

/* Product of the shape and its bytes; false when either does not fit or an axis is negative. */
static bool measure(lu_tensor_entry *entry) {
    size_t count = 1;
    bool empty = false, fits = true;
    for (int i = 0; i < entry->rank; i++) {
        int64_t axis = entry->shape[i];
        if (axis < 0 || (uint64_t)axis > SIZE_MAX) {
            return false;
        }
        /* an axis of 0 makes the product 0, but must not hide that the others do not fit */
        empty = empty || axis == 0;
        fits = fits && lu_size_mul(count, axis ? (size_t)axis : 1, &count);
    }
    entry->count = empty ? 0 : count;
    return fits && lu_size_mul(entry->count, lu_dtype_bytes(entry->type), &entry->bytes);
}

/* ---- writing ---- */

typedef struct placed {
    lu_tensor_entry entry;
    size_t given, offset;
} placed;

/* Wider numbers first, else as given: an order that aligns every tensor without holes. */
static int compare_placed(const void *a, const void *b) {
    const placed *x = a, *y = b;
    size_t wide_x = dtypes[x->entry.type].bytes, wide_y = dtypes[y->entry.type].bytes;
    if (wide_x != wide_y) {
        return wide_x > wide_y ? -1 : 1;
    }
    return x->given < y->given ? -1 : x->given > y->given;
}

static void write_entry(lu_json *json, const placed *at) {
    lu_json_key_object(json, at->entry.name);
    lu_json_key_string(json, "dtype", lu_dtype_name(at->entry.type));
    lu_json_key_array(json, "shape");
    for (int i = 0; i < at->entry.rank; i++) {
        lu_json_int(json, at->entry.shape[i]);
    }
    lu_json_array_end(json);
    lu_json_key_array(json, "data_offsets");
    lu_json_uint(json, at->offset);
    lu_json_uint(json, at->offset + at->entry.bytes);
    lu_json_array_end(json);
    lu_json_object_end(json);
}

static void write_header(lu_json *json, const placed *order, size_t entries,
                         const lu_tensor_note *note, size_t notes) {
    lu_json_object(json);
    lu_json_key_object(json, METADATA);
    lu_json_key_hex(json, HASH_KEY, 0);
    for (size_t i = 0; i < notes; i++) {
        assert(strcmp(note[i].key, HASH_KEY) != 0);
        lu_json_key_string(json, note[i].key, note[i].value);
    }
    lu_json_object_end(json);
    for (size_t i = 0; i < entries; i++) {
        write_entry(json, &order[i]);
    }
    lu_json_object_end(json);
    assert(memcmp(json->text, HASH_LEAD, HASH_AT) == 0);
}

lu_status lu_tensors_write(const lu_tensor_entry *entry, size_t entries, const lu_tensor_note *note,
                           size_t notes, char **bytes, size_t *length, lu_error *error) {
    lu_status status = LU_OK;
    size_t data = 0, padded, total;
    placed *order = lu_alloc_zero(entries, sizeof *order);
    lu_json json = LU_JSON_INIT;
    *bytes = NULL;
    *length = 0;
    for (size_t i = 0; i < entries; i++) {
        order[i] = (placed){.entry = entry[i], .given = i};
        assert(entry[i].rank >= 0 && entry[i].rank <= LU_TENSOR_RANK);
        assert(strcmp(entry[i].name, METADATA) != 0);
        bool fits = measure(&order[i].entry);
        assert(fits); /* the caller holds the numbers, so their size fits */
        (void)fits;
    }
    qsort(order, entries, sizeof *order, compare_placed);
    for (size_t i = 0; i < entries; i++) {
        order[i].offset = data;
        if (!lu_size_add(data, order[i].entry.bytes, &data)) {
            data = SIZE_MAX;
            break;
        }
    }
    write_header(&json, order, entries, note, notes);
    padded = (json.length + 7) & ~(size_t)7;
    if (padded > LU_TENSORS_HEADER || !lu_size_add(LENGTH_BYTES + padded, data, &total) ||
        total > LU_TENSORS_LIMIT) {
        status =
            lu_fail(error, LU_LIMIT,
                    "a file of tensors may have a header of 16 MiB and less than 4 GiB in all, "
                    "and this one would be larger: use a smaller net");
        goto done;
    }
    unsigned char *out = lu_alloc(total);
    put64(out, padded);
    memset(out + LENGTH_BYTES, ' ', padded);
    memcpy(out + LENGTH_BYTES, json.text, json.length);
    for (size_t i = 0; i < entries; i++) {
        if (order[i].entry.bytes) {
            memcpy(out + LENGTH_BYTES + padded + order[i].offset, order[i].entry.data,
                   order[i].entry.bytes);
        }
    }
    hex_of(hash_of(out, padded, data), (char *)out + LENGTH_BYTES + HASH_AT);
    *bytes = (char *)out;
    *length = total;
done:
    free(order);
    lu_json_free(&json);
    return status;
}

/* ---- reading: what the file is ---- */

/* True when the bytes begin as a Python pickle does. */
static bool is_pickle(const void *bytes, size_t length) {
    const unsigned char *at = bytes;
    /* PROTO and a version, then an opcode that begins a value, a frame or torch's magic number */
    return length >= 3 && at[0] == 0x80 && at[1] >= 2 && at[1] <= 5 && at[2] != 0 &&
           strchr("}])(cKMJXUBCGNI\x8a\x8b\x8c\x8d\x95\x88\x89\x8f", at[2]) != NULL;
}

lu_status lu_fail_pickle(const char *name, lu_error *error) {
    return lu_fail(error, LU_BAD_DATA,
                   "'%s' is a pickle, which can run code and is never read: convert it with "
                   "python/ludus_convert.py (its --help says how)",
                   name);
}

static lu_status foreign(const char *name, const unsigned char *bytes, size_t length,
                         lu_error *error) {
    static const struct {
        const char *magic;
        size_t length;
        const char *what;
    } known[] = {
        {"\x1f\x8b", 2, "gzip data"},
        {"PK\x03\x04", 4, "a zip archive"},
        {"\x89HDF", 4, "an HDF5 file"},
        {"\x93NUMPY", 6, "a NumPy array"},
        {"GGUF", 4, "a GGUF file"},
        {"\x7f"
         "ELF",
         4, "a program"},
        {"\x89PNG", 4, "a PNG picture"},
        {"{", 1, "JSON"},
    };
    if (length == 0) {
        return lu_fail(error, LU_FOREIGN_FILE, "'%s' is empty, not a safetensors file", name);
    }
    if (is_pickle(bytes, length)) {
        return lu_fail_pickle(name, error);
    }
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        if (length >= known[i].length && memcmp(bytes, known[i].magic, known[i].length) == 0) {
            return lu_fail(error, LU_FOREIGN_FILE,
                           "'%s' is not a safetensors file but looks like %s", name, known[i].what);
        }
    }
    return lu_fail(error, LU_FOREIGN_FILE,
                   "'%s' is not a safetensors file: no JSON header follows its first 8 bytes",
                   name);
}

static lu_status damaged(const char *name, size_t offset, const char *how, lu_error *error) {
    return lu_fail(error, LU_DAMAGED_FILE,
                   "'%s' is damaged at byte %zu: %s; fetch or save it again", name, offset, how);
}

/* The header's length: within the file and within its limit. */
static lu_status check_start(const char *name, const unsigned char *bytes, size_t length,
                             size_t *header, lu_error *error) {
    if (length > LU_TENSORS_LIMIT) {
        return lu_fail(error, LU_LIMIT,
                       "'%s' has %zu bytes, and files of 4 GiB or more are not read", name, length);
    }
    if (length <= LENGTH_BYTES || bytes[LENGTH_BYTES] != '{') {
        return foreign(name, bytes, length, error);
    }
    uint64_t told = get64(bytes);
    if (told >> 40) {
        return foreign(name, bytes, length, error);
    }
    if (told < 2 || told > length - LENGTH_BYTES) {
        return lu_fail(
            error, LU_DAMAGED_FILE,
            "'%s' is damaged at byte 0: it claims a header of %llu bytes, and %zu follow; "
            "fetch or save it again",
            name, (unsigned long long)told, length - LENGTH_BYTES);
    }
    if (told > LU_TENSORS_HEADER) {
        return lu_fail(error, LU_LIMIT, "'%s' has a header of %llu bytes; at most 16 MiB are read",
                       name, (unsigned long long)told);
    }
    *header = (size_t)told;
    return LU_OK;
}

/* ---- reading: tensors ---- */

typedef struct reader {
    const char *name;
    const unsigned char *data; /* first byte behind the header */
    size_t start, length;      /* offset of the data in the file, its bytes */
    lu_error *error;
} reader;

static lu_status bad_entry(const reader *r, const char *entry, const char *how) {
    char shown[LU_PRINTABLE];
    return lu_fail(r->error, LU_DAMAGED_FILE,
                   "'%s' is damaged in its header, at tensor '%s': %s; fetch or save it again",
                   r->name, lu_printable(shown, entry), how);
}

/* A whole number that is not negative, written with digits only. */
static bool read_whole(const lu_json_value *value, uint64_t most, uint64_t *out) {
    if (lu_json_kind_of(value) != LU_JSON_NUMBER) {
        return false;
    }
    const char *text = lu_json_number_text(value);
    if (strspn(text, "0123456789") != strlen(text)) {
        return false;
    }
    return lu_parse_u64("number", text, out, NULL) == LU_OK && *out <= most;
}

static bool read_shape(const lu_json_value *shape, lu_tensor_entry *entry) {
    size_t rank = lu_json_count(shape);
    if (lu_json_kind_of(shape) != LU_JSON_ARRAY || rank > LU_TENSOR_RANK) {
        return false;
    }
    entry->rank = (int)rank;
    for (size_t i = 0; i < rank; i++) {
        uint64_t axis;
        if (!read_whole(lu_json_at(shape, i), INT64_MAX, &axis)) {
            return false;
        }
        entry->shape[i] = (int64_t)axis;
    }
    return true;
}

static lu_status read_entry(const reader *r, const char *key, const lu_json_value *value,
                            lu_tensor_entry *entry) {
    const lu_json_value *type = lu_json_get(value, "dtype"), *shape = lu_json_get(value, "shape"),
                        *offsets = lu_json_get(value, "data_offsets");
    *entry = (lu_tensor_entry){.name = key, .type = LU_DTYPE_COUNT};
    if (lu_json_kind_of(value) != LU_JSON_OBJECT || lu_json_count(value) != 3 || !type || !shape ||
        !offsets) {
        return bad_entry(r, key, "it needs dtype, shape and data_offsets, and nothing else");
    }
    if (lu_json_kind_of(type) == LU_JSON_STRING) {
        for (int i = 0; i < LU_DTYPE_COUNT; i++) {
            if (strcmp(lu_json_text(type, NULL), dtypes[i].name) == 0) {
                entry->type = (lu_dtype)i;
            }
        }
    }
    if (entry->type == LU_DTYPE_COUNT) {
        return bad_entry(r, key, "this build does not know its dtype");
    }
    if (!read_shape(shape, entry)) {
        return bad_entry(r, key, "its shape is not a list of at most 8 whole numbers");
    }
    if (!measure(entry)) {
        return bad_entry(r, key, "the product of its shape does not fit");
    }
    uint64_t begin, end;
    if (lu_json_kind_of(offsets) != LU_JSON_ARRAY || lu_json_count(offsets) != 2 ||
        !read_whole(lu_json_at(offsets, 0), r->length, &begin) ||
        !read_whole(lu_json_at(offsets, 1), r->length, &end) || begin > end) {
        return bad_entry(r, key, "its data_offsets are not two rising numbers within the file");
    }
    if (end - begin != entry->bytes) {
        return bad_entry(r, key, "its data_offsets do not agree with its dtype and shape");
    }
    entry->data = r->data + begin;
    return LU_OK;
}

/* By place; empty tensors before the one that begins where they stand. */
static int compare_entries(const void *a, const void *b) {
    const lu_tensor_entry *x = a, *y = b;
    uintptr_t at_x = (uintptr_t)x->data, at_y = (uintptr_t)y->data;
    if (at_x != at_y) {
        return at_x < at_y ? -1 : 1;
    }
    if (x->bytes != y->bytes) {
        return x->bytes < y->bytes ? -1 : 1;
    }
    return strcmp(x->name, y->name);
}

/* Each tensor begins where the one before ends, the last ends with the file. */
static lu_status check_tiling(const reader *r, const lu_tensor_entry *entry, size_t entries) {
    size_t at = 0;
    for (size_t i = 0; i < entries; i++) {
        size_t begin = (size_t)((const unsigned char *)entry[i].data - r->data);
        if (begin != at) {
            return bad_entry(r, entry[i].name,
                             begin < at ? "it overlaps the tensor before it"
                                        : "there is a gap before it");
        }
        at += entry[i].bytes;
    }
    if (at != r->length) {
        return damaged(r->name, r->start + at, "bytes that belong to no tensor", r->error);
    }
    return LU_OK;
}

static lu_status read_entries(const reader *r, const lu_json_value *root, lu_tensors *tensors) {
    size_t members = lu_json_count(root);
    lu_tensor_entry *entry = lu_alloc_zero(members, sizeof *entry);
    tensors->entry = entry;
    for (size_t i = 0; i < members; i++) {
        const char *key;
        const lu_json_value *value = lu_json_member(root, i, &key);
        if (strcmp(key, METADATA) == 0) {
            continue;
        }
        LU_TRY(read_entry(r, key, value, &entry[tensors->entries]));
        tensors->entries++;
    }
    qsort(entry, tensors->entries, sizeof *entry, compare_entries);
    return check_tiling(r, entry, tensors->entries);
}

static lu_status read_notes(const reader *r, const lu_json_value *map, lu_tensors *tensors) {
    if (!map) {
        return LU_OK;
    }
    size_t members = lu_json_count(map);
    lu_tensor_note *note = lu_alloc_zero(members, sizeof *note);
    tensors->note = note;
    if (lu_json_kind_of(map) != LU_JSON_OBJECT) {
        return bad_entry(r, METADATA, "it is not a map of strings");
    }
    for (size_t i = 0; i < members; i++) {
        const lu_json_value *value = lu_json_member(map, i, &note[i].key);
        size_t length = 0;
        if (lu_json_kind_of(value) != LU_JSON_STRING) {
            return bad_entry(r, METADATA, "it is not a map of strings");
        }
        note[i].value = lu_json_text(value, &length);
        if (strlen(note[i].value) != length) {
            return bad_entry(r, METADATA, "a text with a NUL character");
        }
        tensors->notes++;
    }
    return LU_OK;
}

static lu_status check_hash(const reader *r, lu_tensors *tensors) {
    const char *told = lu_tensors_note(tensors, HASH_KEY);
    if (!told) {
        return LU_OK;
    }
    const unsigned char *bytes = r->data - r->start;
    size_t header = r->start - LENGTH_BYTES;
    /* only our writer puts it there: with another order the hash cannot be formed again */
    if (header < HASH_AT + HASH_DIGITS || memcmp(bytes + LENGTH_BYTES, HASH_LEAD, HASH_AT) != 0 ||
        strlen(told) != HASH_DIGITS ||
        memcmp(bytes + LENGTH_BYTES + HASH_AT, told, HASH_DIGITS) != 0) {
        return lu_fail(r->error, LU_DAMAGED_FILE,
                       "'%s' is damaged at byte 8: '" HASH_KEY "' is not where ludus wrote it; a "
                       "program that saves a model again must drop '" HASH_KEY
                       "' and 'ludus.build' from its metadata",
                       r->name);
    }
    char hex[HASH_DIGITS];
    hex_of(hash_of(bytes, header, r->length), hex);
    if (CHECK_HASH && memcmp(hex, told, HASH_DIGITS) != 0) {
        return damaged(r->name, LENGTH_BYTES + HASH_AT,
                       "the hash of the file does not match its bytes", r->error);
    }
    tensors->hashed = true;
    return LU_OK;
}

lu_tensors *lu_tensors_read(const char *name, const void *bytes, size_t length, lu_error *error) {
    const unsigned char *at = bytes;
    size_t header = 0;
    if (check_start(name, at, length, &header, error) != LU_OK) {
        return NULL;
    }
    size_t start = LENGTH_BYTES + header;
    reader r = {name, at + start, start, length - start, error};
    lu_error inner;
    lu_json_document *document =
        lu_json_read("header", (const char *)at + LENGTH_BYTES, header, &inner);
    if (!document) {
        lu_fail(error, LU_DAMAGED_FILE,
                "'%s' is damaged in its header, which begins at byte 8: %.600s", name, inner.text);
        return NULL;
    }
    lu_tensors *tensors = lu_alloc_zero(1, sizeof *tensors);
    tensors->inside = document;
    const lu_json_value *root = lu_json_root(document);
    if (read_entries(&r, root, tensors) != LU_OK ||
        read_notes(&r, lu_json_get(root, METADATA), tensors) != LU_OK ||
        check_hash(&r, tensors) != LU_OK) {
        lu_tensors_close(tensors);
        return NULL;
    }
    return tensors;
}

void lu_tensors_close(lu_tensors *tensors) {
    if (tensors) {
        free((void *)tensors->entry);
        free((void *)tensors->note);
        lu_json_close(tensors->inside);
        free(tensors);
    }
}

const lu_tensor_entry *lu_tensors_find(const lu_tensors *tensors, const char *name) {
    for (size_t i = 0; i < tensors->entries; i++) {
        if (strcmp(tensors->entry[i].name, name) == 0) {
            return &tensors->entry[i];
        }
    }
    return NULL;
}

const char *lu_tensors_note(const lu_tensors *tensors, const char *key) {
    for (size_t i = 0; i < tensors->notes; i++) {
        if (strcmp(tensors->note[i].key, key) == 0) {
            return tensors->note[i].value;
        }
    }
    return NULL;
}
