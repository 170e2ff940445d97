/* Files of named tensors in the safetensors format: 8 bytes of length, a JSON header with names,
 * types, shapes and a map of texts, then the numbers, little-endian, without holes. Such a file is
 * data only, opens in Python's `safetensors`, and is believed in nothing: every length, offset and
 * shape is checked before use. The writer adds the text "ludus.hash" over the whole file, and the
 * reader checks it where it is there: a flipped bit anywhere is refused.
 * Ownership: bytes that are written belong to the caller, who frees them; what is read points into
 * the caller's bytes, which must outlive it. Threads: no shared state. */
#pragma once

#include "ludus/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

LU_C_BEGIN

/* X(name in C, name in the file, bytes of one number) */
#define LU_DTYPE_LIST(X)                                                                           \
    X(LU_F64, "F64", 8)                                                                            \
    X(LU_I64, "I64", 8)                                                                            \
    X(LU_U64, "U64", 8)                                                                            \
    X(LU_F32, "F32", 4)                                                                            \
    X(LU_I32, "I32", 4)                                                                            \
    X(LU_U32, "U32", 4)                                                                            \
    X(LU_F16, "F16", 2)                                                                            \
    X(LU_BF16, "BF16", 2)                                                                          \
    X(LU_I16, "I16", 2)                                                                            \
    X(LU_U16, "U16", 2)                                                                            \
    X(LU_I8, "I8", 1)                                                                              \
    X(LU_U8, "U8", 1)                                                                              \
    X(LU_BOOL8, "BOOL", 1)

typedef enum lu_dtype {
#define X(name, text, bytes) name,
    LU_DTYPE_LIST(X)
#undef X
        LU_DTYPE_COUNT
} lu_dtype;

enum { LU_TENSOR_RANK = 8 };                        /* most axes of a tensor in a file */
#define LU_TENSORS_HEADER ((uint64_t)16 << 20)      /* largest header, bytes */
#define LU_TENSORS_LIMIT  (((uint64_t)4 << 30) - 1) /* largest file, bytes */

/* One tensor of a file, row-major. */
typedef struct lu_tensor_entry {
    const char *name;
    lu_dtype type;
    int rank; /* 0: one number */
    int64_t shape[LU_TENSOR_RANK];
    const void *data; /* may lie at any address when it was read: memcpy, do not cast */
    size_t count,
        bytes; /* numbers and their bytes: filled by the reader, not asked by the writer */
} lu_tensor_entry;

/* One text of the file's map. */
typedef struct lu_tensor_note {
    const char *key, *value;
} lu_tensor_note;

/* Name and size of a type: "BF16", 2. */
const char *lu_dtype_name(lu_dtype type);
size_t lu_dtype_bytes(lu_dtype type);

/* ---- writing ---- */

/* A file of these tensors and texts; equal input gives equal bytes. Types of wider numbers come
 * first, else the order given is kept, so that every tensor is aligned to its type. Names and keys
 * must be unique, UTF-8 and not "__metadata__" or "ludus.hash". LU_LIMIT: too large a file. */
lu_status lu_tensors_write(const lu_tensor_entry *entry, size_t entries, const lu_tensor_note *note,
                           size_t notes, char **bytes, size_t *length, lu_error *error);

/* ---- reading ---- */

typedef struct lu_tensors {
    size_t entries;
    const lu_tensor_entry *entry; /* in the order of their data */
    size_t notes;
    const lu_tensor_note *note;
    bool hashed; /* it had a hash, and the hash agrees */
    struct lu_json_document *inside;
} lu_tensors;

/* Reads a whole file; `name` appears in messages. NULL on an error: LU_FOREIGN_FILE (something
 * else), LU_BAD_DATA (a pickle: the sentence names the converter), LU_DAMAGED_FILE (names the
 * place), LU_LIMIT (a header above 16 MiB, a file of 4 GiB or more). */
lu_tensors *lu_tensors_read(const char *name, const void *bytes, size_t length, lu_error *error);
void lu_tensors_close(lu_tensors *tensors);

/* By name; NULL when there is none. */
const lu_tensor_entry *lu_tensors_find(const lu_tensors *tensors, const char *name);
/* Text of a key; NULL when there is none. */
const char *lu_tensors_note(const lu_tensors *tensors, const char *key);

/* The numbers of a tensor, all of them finite: F32, F16 and BF16 as floats, these and F64 as
 * doubles (each conversion is exact). LU_BAD_DATA for another type and for NaN and infinities. */
lu_status lu_tensor_floats(const char *file, const lu_tensor_entry *entry, float *out,
                           lu_error *error);
lu_status lu_tensor_doubles(const char *file, const lu_tensor_entry *entry, double *out,
                            lu_error *error);

/* The sentence for whoever opened a Python pickle. */
lu_status lu_fail_pickle(const char *name, lu_error *error);

LU_C_END
