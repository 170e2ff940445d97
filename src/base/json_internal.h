/* The values of a JSON document, shared by the reader and the access functions. Internal to base.
 */
#pragma once

#include "ludus/json.h"

typedef struct member member;

struct lu_json_value {
    lu_json_kind kind;
    uint32_t line;
    size_t count; /* bytes of a string or number, entries of an array or object */
    union {
        struct {
            const char *text;
            double real;
        };
        const lu_json_value *items;
        struct {
            const member *members;
            const member **sorted; /* NULL for few members */
        };
    };
};

struct member {
    const char *key;
    size_t key_length;
    lu_json_value value;
};

/* Order of pointers to members by key, for qsort and bsearch. */
int lu_json_compare_members(const void *a, const void *b);
