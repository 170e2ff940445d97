/* Data of others as a pack: what each form becomes. pack.c opens the files and tells them apart;
 * pack_coe.c and pack_repoe.c write bases and modifiers of each form.
 * Ownership: values belong to open documents. Threads: one each. */
#pragma once

#include "ludus/json.h"
#include "ludus/text.h"

#include "craft_tables.h"

/* Forms of files. */
typedef enum pack_form {
    PACK_COE_DATA,   /* poecd= */
    PACK_COE_WORDS,  /* poecl= */
    PACK_COE_COMMON, /* poecc= */
    PACK_REPOE_MODS,
    PACK_REPOE_BASES,
    PACK_PLAIN,
    PACK_READY, /* a pack already */
    PACK_FORMS
} pack_form;

typedef struct pack_job {
    const lu_json_value *root[PACK_FORMS]; /* NULL: no such file */
    const craft_pack *rules;               /* built in */
    const char *base, *item_class;         /* of a plain file */
    lu_json *json;                         /* the pack, an open object */
    lu_text notes;                         /* what was read and what is missing, a line each */
    int bases, mods;
} pack_job;

/* Each writes "bases" and "mods". What it leaves out is in the notes. */
void pack_write_coe(pack_job *job);
void pack_write_repoe(pack_job *job);
void pack_write_plain(pack_job *job);

/* ---- shared ---- */

/* Row of a class that a text names, "Boots (STR/DEX)" or "Body Armours"; -1 = none. */
int pack_class_of(const craft_pack *rules, const char *text);
/* A member as a text; "" where it is none. */
const char *pack_text(const lu_json_value *object, const char *key);
/* A member that is a number, or a text of one; `other` where it is none. */
double pack_number(const lu_json_value *object, const char *key, double other);
/* Writes "ranges" of pairs of numbers where they fit into a pack. */
void pack_ranges(pack_job *job, const double (*range)[2], int count);
