/* Settings: a module declares its settings once, as a table of rows; that table feeds config files,
 * LUDUS_* variables, --key value, --set key=value, --help, the JSON schema and docs/settings.md.
 * A lu_settings object joins several tables and holds one value, with its origin, for each row.
 * Precedence: flag > variable > file (a --config file over a --preset) > default, whatever the
 * order of the calls. Unknown keys are errors that name the nearest known key.
 * Ownership: the object owns its values; tables must outlive it (they are constants as a rule),
 * unless lu_settings_add_copy took them.
 * Threads: read from any number of threads, write from one. */
#pragma once

#include "ludus/error.h"
#include "ludus/json.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

LU_C_BEGIN

typedef enum lu_type {
    LU_BOOL,     /* true false yes no on off 1 0 */
    LU_INT,      /* whole number in [low, high]; 1e6, 64k, 4M, 2G (thousands) and
                  * 64Ki, 4Mi, 2Gi (1024s) accepted when exact */
    LU_REAL,     /* finite number in [low, high] */
    LU_TEXT,     /* any text; high = longest length in bytes, 0 = 4096 */
    LU_ENUM,     /* one of `choices` */
    LU_LIST,     /* numbers separated by commas, each in [low, high]; may be empty */
    LU_JSON,     /* any one JSON value */
    LU_SCHEDULE, /* a number that may change with progress: see lu_schedule */
    LU_FILE,     /* the text of a file: see lu_file_text; high = most bytes, 0 = 1 MiB */
    LU_ALIAS,    /* no setting: another name of the key that `initial` holds; `choices` is NULL, or
                  * what yes and no mean there: "minibatch|none" */
} lu_type;

typedef struct lu_setting {
    const char *key; /* lower case, dots and underscores: "reward.mode" */
    lu_type type;
    const char *initial;  /* default as text; "" = unset, where that has a meaning of its own */
    double low, high;     /* range; both 0 = any */
    const char *choices;  /* LU_ENUM: "profit|reference"; LU_FILE: "new" where the file may not be
                           * there yet, which then is an empty text; LU_TEXT: what a list in a file
                           * or body stands for, "commas" for its values separated by these, "json"
                           * for its JSON, as a map does; NULL: neither is taken */
    const char *sentence; /* what it does, one sentence with a full stop */
    bool repeat; /* may be given several times; the values are kept in order, "" empties the list */
} lu_setting;

typedef struct lu_table {
    const char *module; /* "prospector", "bench": heading in the docs */
    const lu_setting *rows;
    int count;
} lu_table;

/* Value of a schedule at progress p in [0, 1] and update u. Text forms:
 *   0.1   const(0.1)   linear(a,b)   log(a,b)   cosine(a,b)
 *   step(a,b,p)                 a before progress p, then b
 *   piecewise(p0:v0,p1:v1,...)  linear between points, constant outside
 *   any other text              an arithmetic expression over p and u:
 *                               + - * / ^ ( ) min(a,b) max(a,b) exp(x) abs(x) round(x)
 *   {"type": "linear", "initial-value": a, "final-value": b, "change-over-time-steps": n}
 *                               from a to b over n updates; also log, constant, jump with
 *                               {"jumps": {"0": a, "200": b}}, and expression over t with
 *                               "substitutions": kept as an expression over u
 * The forms may stand inside an expression; their arguments are plain numbers. Values must be
 * finite and in the range of the row on a grid of p; beyond that (large u) they are clamped. */
typedef struct lu_schedule lu_schedule;

/* The value of an LU_FILE row. It is given as
 *   {"name":"prices.json","text":"..."}   the text itself: pages, HTTP, Python
 *   {"unit":"exalted",...}                any other object: the JSON of the file, named by the key
 *   prices.json                           a path, where lu_settings_read_files allows it: as it
 *                                         stands, then beneath the project's folder; gzip is
 *                                         inflated, - is standard input
 *   {"name":"prices.json","hash":"..."}   the same, and the text must have this hash
 * Texts are UTF-8 without NUL. What replays, models and runs keep is the last form (so reads
 * lu_settings_text_of): who opens them must have the same text at the same place, and the sentence
 * of the error names the file that is missing or has changed. */
typedef struct lu_file_text {
    const char *name; /* as given */
    const char *text; /* terminated */
    size_t length;
    char hash[17]; /* lu_hash of the text with seed 0, 16 hex digits */
} lu_file_text;

typedef enum lu_origin {
    LU_FROM_DEFAULT,
    LU_FROM_PRESET,
    LU_FROM_FILE,
    LU_FROM_VARIABLE,
    LU_FROM_FLAG,
} lu_origin;

typedef struct lu_settings lu_settings;

lu_settings *lu_settings_new(void);
void lu_settings_delete(lu_settings *settings);
/* Adds a table; its rows take their defaults. A key that appears twice is a programming error. */
void lu_settings_add(lu_settings *settings, lu_table table);
/* The same for a table that was made at run time: the object keeps copies of the rows and of all
 * their texts. */
void lu_settings_add_copy(lu_settings *settings, lu_table table);
/* Lets values of LU_FILE rows name files of this machine, which are then read: for what a user or a
 * file of this machine says, never for what comes over a network. In WASM there are no files. */
void lu_settings_read_files(lu_settings *settings);
/* A deep copy with the same tables, values and origins. */
lu_settings *lu_settings_copy(const lu_settings *settings);
/* The same with every value at its default. */
lu_settings *lu_settings_blank(const lu_settings *settings);
/* How files may name settings of this object: behind one of `sections` (ends with NULL), which then
 * counts as not there where the whole name is unknown, with '-', '_' and '.' as equals, and
 * deathMatch as death_match.
 * `loose`: what no table has is left out and no error. */
void lu_settings_file_names(lu_settings *settings, const char *const *sections, bool loose);

/* Takes over what is set in `from` (also a default that was changed there) for the rows that nobody
 * has set in `to`; either may hold further tables. */
void lu_settings_take(lu_settings *to, const lu_settings *from, lu_origin origin,
                      const char *where);
/* The same with the origins of `from`, whose keys may have a prefix ("game.") before those of `to`.
 */
void lu_settings_take_as_is(lu_settings *to, const lu_settings *from, const char *prefix);

/* The key or alias that a word of a command line names, equal but for '-', '_' and '.': of
 * several the one without dots. NULL: none, or still several. */
const char *lu_settings_key(const lu_settings *settings, const char *word);
/* True when two keys are equal but for '-', '_' and '.'. */
bool lu_same_key(const char *a, const char *b);

/* Sets one key, or the key of an alias, from text. `where` says in words where it came from
 * ("--seed", "LUDUS_SEED", "run.ini:4"). A lower origin never overrides a higher one (it is still
 * checked). For a repeatable row values of one origin are appended, and a higher origin replaces
 * all of a lower one. A key and its alias, or two aliases, as flags (`where` begins with --), as
 * variables or within one file are an error. */
lu_status lu_settings_set(lu_settings *settings, const char *key, const char *value,
                          lu_origin origin, const char *where, lu_error *error);
/* The same for "key=value", as after --set, with the key as lu_settings_key takes it. */
lu_status lu_settings_set_pair(lu_settings *settings, const char *pair, lu_origin origin,
                               const char *where, lu_error *error);
/* Reads every LUDUS_* variable of the environment that is not in the reserved list (LUDUS_HOME,
 * LUDUS_ISA, LUDUS_LOG, LUDUS_TEST_*): LUDUS_REWARD_MODE sets reward.mode ('.', '-' and '_' count
 * as equal). `strict` = a variable that names no key of these tables is an error. An empty variable
 * counts as not set. On an error nothing has changed. */
lu_status lu_settings_variables(lu_settings *settings, char **environment, bool strict,
                                lu_error *error);
/* Reads a .ini, .yml/.yaml or .json file (native builds only). Sections and nested maps flatten to
 * dotted keys. The whole file is checked before anything is set: on an error nothing has changed.
 * Refused: files over 4 MiB (LU_LIMIT), NUL bytes, broken UTF-8, a key given twice (unless it is
 * repeatable: in INI by further lines, in YAML and JSON by a list); YAML anchors, aliases, tags and
 * further documents. INI: "key = value" or "key: value" on one line of any length, "; comment"
 * after a space, indentation means nothing, no continuation lines. A UTF-8 byte order mark in front
 * is skipped. */
lu_status lu_settings_file(lu_settings *settings, const char *path, lu_origin origin,
                           lu_error *error);
/* The same from memory; `kind` is "ini", "yml" or "json", `name` appears in messages. In WASM only
 * "json" is read. */
lu_status lu_settings_text(lu_settings *settings, const char *kind, const char *name,
                           const char *text, size_t length, lu_origin origin, lu_error *error);

/* The same from a JSON object; NULL is an empty one. */
lu_status lu_settings_object(lu_settings *settings, const char *name, const lu_json_value *object,
                             lu_origin origin, lu_error *error);

/* Reading. Asking for a key that no table has, or as another type, is a programming error. A row
 * that is unset ("") reads as false, 0, choice -1, an empty list or a NULL schedule. */
bool lu_settings_has(const lu_settings *settings, const char *key);
bool lu_settings_is_set(const lu_settings *settings, const char *key); /* not default and not "" */
bool lu_settings_bool(const lu_settings *settings, const char *key);
int64_t lu_settings_int(const lu_settings *settings, const char *key);
double lu_settings_real(const lu_settings *settings, const char *key);
/* Text as given (any type). For a repeatable row the last value. */
const char *lu_settings_text_of(const lu_settings *settings, const char *key);
/* Index of the choice. */
int lu_settings_enum(const lu_settings *settings, const char *key);
/* Number of entries; *values points into the object. */
size_t lu_settings_list(const lu_settings *settings, const char *key, const double **values);
/* Number of values of a repeatable row, and one of them. */
size_t lu_settings_count(const lu_settings *settings, const char *key);
const char *lu_settings_nth(const lu_settings *settings, const char *key, size_t index);
/* A file, or NULL when the row is unset; `index` counts the values of a repeatable row. */
const lu_file_text *lu_settings_file_of(const lu_settings *settings, const char *key, size_t index);
const lu_schedule *lu_settings_schedule(const lu_settings *settings, const char *key);
double lu_schedule_at(const lu_schedule *schedule, double progress, double update);
/* A schedule that stands inside another text. Reads one of the text forms; low and high both 0 =
 * any finite value. On an error `why` has a sentence part ("has no ')' after ..."). Progress
 * outside [0, 1] is taken as 0 or 1. */
lu_schedule *lu_schedule_new(const char *text, double low, double high, char *why,
                             size_t why_bytes);
void lu_schedule_delete(lu_schedule *schedule);
/* The same with names beside p and u, for values that come with every call; a result that is not
 * finite counts as 0. */
lu_schedule *lu_formula_new(const char *text, const char *const *names, int count, char *why,
                            size_t why_bytes);
double lu_formula_at(const lu_schedule *formula, double progress, double update,
                     const double *values);
/* True, and the number, when the schedule is one number for all time. */
bool lu_schedule_is_constant(const lu_schedule *schedule, double *value);

lu_origin lu_settings_origin(const lu_settings *settings, const char *key);
const char *lu_settings_where(const lu_settings *settings, const char *key);

/* Rows in order, over all tables, for whoever prints them; aliases are not among them. */
size_t lu_settings_rows(const lu_settings *settings);
const lu_setting *lu_settings_row(const lu_settings *settings, size_t index, const char **module);

/* Aliases in order: rows of type LU_ALIAS. */
size_t lu_settings_aliases(const lu_settings *settings);
const lu_setting *lu_settings_alias(const lu_settings *settings, size_t index);

/* The known key nearest to `key`, or NULL when none is near (distance above a third). */
const char *lu_settings_nearest(const lu_settings *settings, const char *key);
/* The same over any list of words: used for verbs, games and bots. */
const char *lu_nearest(const char *word, const char *const *words, size_t count);

/* One value as JSON of its type: null when unset, an array for a list and for all values of a
 * repeatable row, {"hash","name"} for a file. */
void lu_settings_write(const lu_settings *settings, const char *key, lu_json *json);
/* Values as one canonical JSON object, keys sorted, only those that differ from the default: what
 * replays and models store. The caller frees the text. */
char *lu_settings_json(const lu_settings *settings);
/* JSON schema of the tables (draft 2020-12). The caller frees the text. */
char *lu_settings_schema(const lu_settings *settings, const char *title);
/* Markdown table of one module's rows, as in docs/settings.md. The caller frees the text. */
char *lu_settings_markdown(lu_table table);
/* Readers of numbers from outside: strict (the whole text, no spaces), exact, and the sentence of
 * an error names `what` and the limit: "'time_max' = 1e99 is above the largest allowed value 1e7".
 * lu_parse_u64 takes decimal or 0x hex over the full range; lu_parse_i64 the forms of LU_INT;
 * lu_parse_real decimal numbers that are finite. low and high are inclusive and always count. */
lu_status lu_parse_u64(const char *what, const char *text, uint64_t *value, lu_error *error);
lu_status lu_parse_i64(const char *what, const char *text, int64_t low, int64_t high,
                       int64_t *value, lu_error *error);
lu_status lu_parse_real(const char *what, const char *text, double low, double high, double *value,
                        lu_error *error);
/* Name of a type: "bool", "integer", "number", ... */
const char *lu_type_name(lu_type type);

LU_C_END
