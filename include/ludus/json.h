/* JSON, written and read. The writer appends to one growing buffer and never builds a tree: it is
 * for traces, frames and metrics that flow in bulk. The reader is strict (RFC 8259, UTF-8 checked,
 * duplicate keys refused, depth and size limited) and keeps its values in one arena; both have no
 * dependency, so that the same code serves the command line, the server and the page (WASM).
 * Ownership: a writer owns its buffer; a document owns all its values. Threads: one at a time. */
#pragma once

#include "ludus/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

LU_C_BEGIN

/* ---- writer ---- */

typedef struct lu_json {
    char *text; /* always terminated; NULL before the first write */
    size_t length, room;
    uint64_t comma; /* bit d: a comma is due at depth d */
    int depth;      /* at most 60 */
} lu_json;

/* lu_json json = LU_JSON_INIT; members of structs take lu_json_init. */
#define LU_JSON_INIT ((lu_json){0})
void lu_json_init(lu_json *json);
void lu_json_free(lu_json *json);
void lu_json_clear(lu_json *json);      /* keeps the buffer */
void lu_json_object(lu_json *json);     /* { */
void lu_json_object_end(lu_json *json); /* } */
void lu_json_array(lu_json *json);      /* [ */
void lu_json_array_end(lu_json *json);  /* ] */
void lu_json_key(lu_json *json, const char *key);
void lu_json_string(lu_json *json,
                    const char *text); /* invalid UTF-8 becomes U+FFFD; NULL is null */
void lu_json_string_n(lu_json *json, const char *text, size_t length);
void lu_json_int(lu_json *json, int64_t value);
void lu_json_uint(lu_json *json, uint64_t value);
void lu_json_real(lu_json *json,
                  double value); /* shortest text that reads back equal; NaN and infinities: null */
void lu_json_float(lu_json *json,
                   float value); /* shortest text that reads back as the same float */
void lu_json_bool(lu_json *json, bool value);
void lu_json_null(lu_json *json);
void lu_json_raw(lu_json *json, const char *text, size_t length); /* one ready JSON value */
void lu_json_newline(lu_json *json); /* between documents (NDJSON), at depth 0 only */
/* Key and value in one call. */
void lu_json_key_object(lu_json *json, const char *key); /* "key": { */
void lu_json_key_array(lu_json *json, const char *key);  /* "key": [ */
void lu_json_key_string(lu_json *json, const char *key, const char *text);
void lu_json_key_int(lu_json *json, const char *key, int64_t value);
void lu_json_key_real(lu_json *json, const char *key, double value);
void lu_json_key_bool(lu_json *json, const char *key, bool value);
void lu_json_key_hex(lu_json *json, const char *key, uint64_t value);
void lu_json_key_raw(lu_json *json, const char *key, const char *text);
/* 64-bit value as 16 hex digits in quotes. */
void lu_json_hex(lu_json *json, uint64_t value);

/* ---- reader ---- */

typedef enum lu_json_kind {
    LU_JSON_NULL,
    LU_JSON_FALSE,
    LU_JSON_TRUE,
    LU_JSON_NUMBER,
    LU_JSON_STRING,
    LU_JSON_ARRAY,
    LU_JSON_OBJECT,
} lu_json_kind;

typedef struct lu_json_value lu_json_value; /* opaque; lives as long as its document */
typedef struct lu_json_document lu_json_document;

/* Reads one JSON value that fills the whole text. `name` appears in messages with line and column.
 * Depth at most 64. Returns NULL on an error. */
lu_json_document *lu_json_read(const char *name, const char *text, size_t length, lu_error *error);
void lu_json_close(lu_json_document *document);
const lu_json_value *lu_json_root(const lu_json_document *document);

lu_json_kind lu_json_kind_of(const lu_json_value *value); /* NULL counts as LU_JSON_NULL */
/* Line the value began in, from 1; 0 for NULL. For messages about what was read. */
unsigned lu_json_line(const lu_json_value *value);
size_t lu_json_count(const lu_json_value *value); /* entries of an array or object, else 0 */
const lu_json_value *lu_json_at(const lu_json_value *array, size_t index);
const lu_json_value *lu_json_get(const lu_json_value *object, const char *key); /* NULL: absent */
const lu_json_value *lu_json_get_same(const lu_json_value *object,
                                      const char *key); /* by lu_same_key; the last one counts */
/* A value that is no object has members too, as many as entries: NULL, by the key "". */
const lu_json_value *lu_json_member(const lu_json_value *object, size_t index, const char **key);
const char *lu_json_text(const lu_json_value *string,
                         size_t *length); /* terminated; length may be NULL */
/* The number as written, e.g. "18446744073709551615". */
const char *lu_json_number_text(const lu_json_value *number);

/* Checked reading of one member: the error names `key` and says what was expected. Whole numbers
 * may be written 1e3 or 5.0; lu_json_get_uint also takes a string ("18446744073709551615", "0xff").
 */
lu_status lu_json_get_real(const lu_json_value *object, const char *key, double low, double high,
                           double *value, lu_error *error);
lu_status lu_json_get_int(const lu_json_value *object, const char *key, int64_t low, int64_t high,
                          int64_t *value, lu_error *error);
lu_status lu_json_get_uint(const lu_json_value *object, const char *key, uint64_t *value,
                           lu_error *error);
lu_status lu_json_get_bool(const lu_json_value *object, const char *key, bool *value,
                           lu_error *error);
lu_status lu_json_get_text(const lu_json_value *object, const char *key, const char **value,
                           lu_error *error);
/* A number or its absence as plain values: any number; `other` when it is none. */
double lu_json_real_or(const lu_json_value *value, double other);
/* Writes a value that was read, member for member and number for number as it was; deeper than the
 * writer goes it is null. */
void lu_json_value_write(lu_json *json, const lu_json_value *value);
void lu_json_key_value(lu_json *json, const char *key, const lu_json_value *value);
/* The same in one form of all: keys sorted, whole numbers digit by digit, other numbers as short as
 * they go. False where it has `deepest` lists and objects inside each other, or more. */
bool lu_json_canonical(lu_json *json, const lu_json_value *value, int deepest);

LU_C_END
