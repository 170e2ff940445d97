/* What the files of the settings module share: the value of a row, the object that joins the
 * tables, and the batch in which a whole file is checked before anything is set. Internal to base.
 */
#pragma once

#include "ludus/json.h"
#include "ludus/settings.h"
#include "ludus/text.h"

enum {
    LU_SETTINGS_BYTES = 4 << 20, /* longest file */
    LU_VALUE_BYTES = 64 << 10,   /* longest value of any type but LU_TEXT with a larger `high` */
    LU_VALUE_DEPTH = 32,         /* nesting of an LU_JSON value */
    LU_FILE_NAME = 1024,         /* longest name of a file */
};

/* ---- one value ---- */

typedef struct lu_value {
    char *text; /* as given, without surrounding spaces (LU_TEXT: as given) */
    bool flag;
    int choice; /* -1: unset */
    int64_t whole;
    double real;
    double *list;
    size_t list_count;
    lu_schedule *schedule; /* NULL: unset */
    lu_file_text *file;    /* NULL: unset; a block of its own with its texts behind it */
} lu_value;

/* Reads `text` as a value of the row; `reads` = it may name a file of this machine. The sentence of
 * an error ends with "(from where)". */
lu_status lu_value_read(const lu_setting *row, const char *text, bool reads, const char *where,
                        lu_value *value, lu_error *error);
/* Another one like it. */
lu_value lu_value_copy(const lu_setting *row, const lu_value *value);
void lu_value_free(lu_value *value);

/* ---- files (settings_text_file.c) ---- */

/* Most bytes of the text of an LU_FILE row. */
size_t lu_file_most(const lu_setting *row);
/* Reads one of the forms of lu_file_text into value->file, and puts the kept form in value->text.
 */
lu_status lu_value_read_file(const lu_setting *row, bool reads, lu_value *value, lu_error *error);
lu_file_text *lu_file_text_copy(const lu_file_text *file);
void lu_file_text_write(lu_json *json, const lu_file_text *file);

/* ---- the object ---- */

typedef struct lu_entry {
    const lu_setting *row;
    const char *module;
    void *own; /* block of row, module and their texts, when they are a copy; else NULL */
    lu_origin origin;
    bool given;        /* set by a call, be it with origin LU_FROM_DEFAULT */
    const char *alias; /* by which the last value was set; NULL: by its key */
    char *where;       /* of the last value that was set */
    size_t count;      /* always 1 unless the row is repeatable */
    size_t room;
    lu_value *values;
} lu_entry;

typedef struct lu_alias {
    const lu_setting *row;
    void *own; /* as in lu_entry */
} lu_alias;

struct lu_settings {
    lu_entry *entries;
    size_t count, room;
    size_t *order; /* entries sorted by key */
    lu_alias *aliases;
    size_t alias_count;
    bool reads;                  /* values may name files */
    const char *const *sections; /* of files: see lu_settings_file_names; NULL: none */
    bool loose;
};

/* Entry of a key or alias, or NULL; *alias (may be NULL) is then the alias or NULL. */
lu_entry *lu_settings_find(const lu_settings *settings, const char *key, const char **alias);
/* The keys, and behind them the aliases. */
const char *lu_settings_name(const lu_settings *settings, size_t index);
/* Takes another key that a word names but for '-', '_' and '.': one without dots goes before one
 * with. False: neither does. */
bool lu_plainer(const char **found, const char *key);
enum { LU_ALIAS_TEXT = 64 };
/* What a text means that is given under an alias (NULL: under the key itself); it may lie in
 * `room`.
 */
const char *lu_alias_text(const lu_settings *settings, const char *alias, const char *text,
                          char room[LU_ALIAS_TEXT]);
/* Fills the error for a key no table has; `named` = it stands in a file (else after a flag). */
lu_status lu_settings_unknown(const lu_settings *settings, const char *key, bool named,
                              const char *where, lu_error *error);
/* Gives a checked value to its entry by the rules of precedence; takes over what *value owns. */
void lu_entry_store(lu_entry *entry, lu_value *value, const char *alias, lu_origin origin,
                    const char *where);

/* ---- batches: check everything, then set everything ---- */

typedef struct lu_pending {
    lu_entry *entry;
    lu_value value;
    const char *alias;
    char *where;
} lu_pending;

typedef struct lu_batch {
    lu_settings *settings;
    const char *name; /* of the file, for messages */
    lu_pending *items;
    size_t count, room;
    unsigned *seen;    /* per entry: line of its first value in this batch, 0 = none */
    const char *alias; /* by which the entry that is being added is named, or NULL */
} lu_batch;

void lu_batch_init(lu_batch *batch, lu_settings *settings, const char *name);
void lu_batch_free(lu_batch *batch);
/* Checks one value for an entry. */
lu_status lu_batch_add(lu_batch *batch, lu_entry *entry, const char *text, unsigned line,
                       lu_error *error);
/* Checks one key and value as an INI line has them. */
lu_status lu_batch_pair(lu_batch *batch, const char *key, const char *text, unsigned line,
                        lu_error *error);
void lu_batch_apply(lu_batch *batch, lu_origin origin);
/* An error at a line of the file of this batch. */
lu_status lu_batch_fail(const lu_batch *batch, unsigned line, const char *what, lu_error *error);

/* ---- trees: what YAML and JSON files have in common ---- */

typedef enum lu_node_kind { LU_NODE_TEXT, LU_NODE_NULL, LU_NODE_LIST, LU_NODE_MAP } lu_node_kind;

typedef struct lu_node {
    lu_node_kind kind;
    bool bare; /* text that is a JSON literal as it stands: a number, true or false */
    unsigned line;
    char *key;  /* in a map */
    char *text; /* LU_NODE_TEXT */
    struct lu_node *first, *last, *next;
} lu_node;

lu_node *lu_node_new(lu_node_kind kind, unsigned line);
void lu_node_delete(lu_node *node);
/* Appends a child to a list or map; takes over the child. */
void lu_node_add(lu_node *parent, lu_node *child);
/* Flattens a map into the batch. */
lu_status lu_batch_tree(lu_batch *batch, const lu_node *root, lu_error *error);

/* ---- file kinds of native builds (settings_file.c) ---- */

lu_status lu_read_ini(lu_batch *batch, const char *text, size_t length, lu_error *error);
lu_status lu_read_yaml(lu_batch *batch, const char *text, size_t length, lu_error *error);

/* A schedule that is a JSON object with `type`, as a text (schedule_json.c); false, with part of a
 * sentence, where it cannot be. */
bool lu_schedule_from_json(const char *json, lu_text *text, char *why, size_t bytes);
