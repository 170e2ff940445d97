/* The plain numbers of a state as one table, by which a game's JSON is written and read: names,
 * places, kinds, ranges, and who sees them. What is no plain number (cards, graphs, what derives
 * from the rest) a game writes and reads itself, beside the table; what must hold between numbers
 * (a round within the rounds, a load that fits) it checks after reading, in a function
 * check_relations.
 * Ownership: tables are constant, states belong to the caller. Threads: no shared data. */
#pragma once

#include "ludus/game.h"

LU_C_BEGIN

typedef enum lu_number {
    LU_NUMBER_U8,
    LU_NUMBER_I8,
    LU_NUMBER_U16,
    LU_NUMBER_I16,
    LU_NUMBER_U32,
    LU_NUMBER_I32,
    LU_NUMBER_FLAG, /* an int32 of 0 or 1: false, true */
    LU_NUMBER_BIT,  /* one bit of a uint8: false, true */
    LU_NUMBER_HEX,  /* a uint64: "0x" and 16 digits */
    LU_NUMBER_FLOAT,
    LU_NUMBER_WIDE, /* a double that holds a float */
    LU_NUMBER_REAL,
} lu_number;

typedef struct lu_state_field {
    const char *name;
    size_t offset;
    lu_number kind;
    int count;   /* entries of a list; 0: one number */
    size_t used; /* offset of a number that says how many of them are used; 0: all are */
    lu_number used_kind;
    size_t apart;       /* bytes between entries of a list; 0: none lie between */
    size_t each;        /* bytes between records; 0: an entry of an array each */
    bool hidden;        /* written for seat -1 only */
    bool sparse;        /* left out when 0 */
    double low, high;   /* of what is read; of flags and hex without meaning */
    double none;        /* a value beyond these that is read too, and means nothing there; 0: no */
    uint8_t bit;        /* of LU_NUMBER_BIT */
    const double *unit; /* per entry: the range is times this; NULL: 1 */
    const char *const *names; /* of 0 to `high`, read too in place of the number; NULL: none */
    double (*most)(const lu_rules *rules); /* in place of `high` where it hangs on the rules */
} lu_state_field;

/* Offset of a member, and the number of entries of one that is an array. */
#define LU_FIELD(type, member) #member, offsetof(type, member)
#define LU_FIELD_COUNT(type, member)                                                               \
    ((int)(sizeof((type *)0)->member / sizeof *((type *)0)->member))

/* Members of an open object. */
void lu_fields_to_json(const lu_state_field *fields, int count, const void *state, int seat,
                       lu_json *json);
/* Reads those that the object has; the others stay. A number that cannot be negative has no
 * negative zero. After an error part of the state is written: read into a copy. */
lu_status lu_fields_from_json(const lu_state_field *fields, int count, const lu_rules *rules,
                              void *state, const lu_json_value *value, lu_error *error);

/* The same for the record `index` of many, whose numbers lie in arrays of the state side by side.
 */
void lu_record_to_json(const lu_state_field *fields, int count, const void *state, int index,
                       int seat, lu_json *json);
lu_status lu_record_from_json(const lu_state_field *fields, int count, const lu_rules *rules,
                              void *state, int index, const lu_json_value *value, lu_error *error);

/* The same for a record that is a list of single numbers without names: entries of an open list,
 * and the last ones of the list `what`, behind `first` others. */
void lu_entries_to_json(const lu_state_field *fields, int count, const void *state, lu_json *json);
lu_status lu_entries_from_json(const lu_state_field *fields, int count, const char *what,
                               void *state, const lu_json_value *list, int first, lu_error *error);

LU_C_END
