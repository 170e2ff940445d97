/* Recorded cases against the rules, behind the tools `verify` of all games: files are read, each
 * case is compared value by value, and told in one JSON line
 *   {"file","id","ok","got":{...,"checked":N,"first_mismatch":null|{"at","want","got"}}}
 * where `got` holds what we computed under the keys of what the case expects, so that a case that
 * differs shows both numbers. A game brings its comparisons alone. What is no case of a known form
 * ends the run with a sentence that names file and case, or file and line.
 * Ownership: a check belongs to who runs it, from lu_check_start to lu_check_end; inputs are only
 * read. Threads: no shared state. */
#pragma once

#include "ludus/tool.h"

LU_C_BEGIN

/* ---- one case ---- */

typedef struct lu_check {
    const lu_tool_input *input;
    lu_error *error;
    char id[64];
    long long line;   /* of a file of lines, from 1; 0: cases are told apart by their id */
    const char *part; /* of the case that is compared, NULL = the case itself */
    long long index;  /* entry of the list that the part is, -1 = it is none */
    int open;         /* objects of the part's path that `got` is inside of */
    int64_t checked;  /* values compared */
    lu_json got;      /* what we computed: members of an open object */
    lu_json mismatch; /* the first one, as an object; empty = none */
} lu_check;

/* Comparisons go on inside this part, a name or a path (world/rock): the place of a mismatch is
 * PART/INDEX/KEY, and `got` has an object for each name. A part is not left and come back to, but
 * for parts inside of it. Entries of lists are compared and not repeated in `got`. */
void lu_check_part(lu_check *check, const char *part, long long index);
/* Numbers that may differ by `allowed`; NaN differs from everything. Returns the difference. */
double lu_check_number(lu_check *check, const char *key, double want, double got, double allowed);
void lu_check_text(lu_check *check, const char *key, const char *want, const char *got);
void lu_check_flag(lu_check *check, const char *key, bool want, bool got);
/* Whole values: the same kind, the same members and entries, numbers equal as doubles. */
void lu_check_value(lu_check *check, const char *key, const lu_json_value *want,
                    const lu_json_value *got);
/* Something that must not be, as the first mismatch. */
void lu_check_say(lu_check *check, const char *what);
bool lu_check_differs(const lu_check *check);
/* Forgets what was compared, to compare with another answer that is right as well. */
void lu_check_again(lu_check *check);
/* LU_BAD_DATA with file and case, or file and line, before the sentence. */
lu_status lu_check_bad(lu_check *check, const char *what);
/* What numbers relative to their size, but not below 1, may differ by. */
double lu_above_one(double want, double tolerance);

/* ---- all files ---- */

typedef struct lu_verify {
    const lu_tool_io *io;
    lu_error *error;
    const char *what; /* the cases in a sentence: "cases", "episodes" */
    void *user;
    int passed, failed;
} lu_verify;

typedef lu_status lu_check_case(lu_check *check, const lu_json_value *entry);

/* A kind of file: one JSON document with cases. */
typedef struct lu_check_format {
    const char *format; /* what its member `format` says; NULL: the list alone tells the kind */
    const char *list;   /* member that lists the cases */
    lu_check_case *check;
} lu_check_format;

/* The run of a tool whose files are of these kinds. LU_CHECK_FAILED when a case differs. */
lu_status lu_verify_cases(const lu_tool_io *io, const lu_check_format *formats, size_t count,
                          lu_error *error);
/* The run of a tool with files of its own form: `file` checks one. Closes with the counts. */
lu_status lu_verify_files(lu_verify *verify, lu_status (*file)(lu_verify *, const lu_tool_input *));
/* One JSON value per line of a file; check->line counts. Blank lines are passed over. */
lu_status lu_verify_lines(lu_verify *verify, lu_check *check,
                          lu_status (*each)(lu_verify *, lu_check *, const lu_json_value *));

/* A case begins; its id is the given one, cut. */
void lu_check_start(lu_check *check, const char *id);
/* A case ends: told and counted when `status` is LU_OK. Returns the status. */
lu_status lu_check_end(lu_verify *verify, lu_check *check, lu_status status);

LU_C_END
