/* What the files of the lab share: names inside a run folder and readers of its JSON. */
#pragma once

#include "ludus/run.h"

#include <sys/stat.h>

#define RUN_FILE       "run.json"
#define RUN_WINDOWS    "metrics/windows.jsonl"
#define RUN_UPDATES    "metrics/updates.jsonl"
#define RUN_EVALS      "metrics/evals.jsonl"
#define RUN_LEAGUES    "metrics/league.jsonl"
#define RUN_REPLAYS    "replays"
#define RUN_MANIFEST   "manifest.json"
#define RUN_STATE      "state.bin"
#define RUN_SUMS       "window.bin"
#define RUN_MODEL      "model.safetensors"
#define RUN_LEAGUE     "league.json"
#define RUN_EXPLOITERS "exploiters"
#define RUN_CKPT       "ckpt_"
#define RUN_UNDONE     ".undone_" /* a checkpoint that is being written */
#define RUN_BEFORE     ".before_" /* and its name: one that gives way to a newer of its window */
#define RUN_JSON_MOST  ((size_t)16 << 20)
#define RUN_STATE_MOST ((size_t)1 << 40)

/* Reads one JSON object from FOLDER/NAME; NULL on an error. */
lu_json_document *run_json(const char *folder, const char *name, lu_error *error);
/* Fails with the path of a damaged file before what is wrong in it. */
lu_status run_blame(const char *path, lu_error *error);
/* Adds FOLDER/NAME to an emptied text and returns it. */
const char *run_join(lu_text *path, const char *folder, const char *name);
/* Whether a name may be a run's: plain, to stand in commands and addresses, and begin with no dot,
 * so that none leads upwards. */
bool run_is_id(const char *name);
/* Adds the path of the newest checkpoint of a run; false when it has none. */
bool run_newest(const char *run, lu_text *path);
/* Whether RUNS/NAME is a run: a folder of its own, not a link to one, with a run.json, of which
 * `about` tells. The path is filled in any case. */
bool run_is_of(const char *runs, const char *name, lu_text *path, struct stat *about);
/* Whether a list that ends with NULL, or is NULL, has a word. */
bool run_listed(const char *const *list, const char *word);
/* The window of the best evaluation; -1 when none was judged. */
int64_t run_best_window(const char *run);
/* Puts back what an interrupted writer had moved out of the way. */
void run_put_back(const char *run);
/* Puts back and removes what an interrupted writer left, and removes the states of the oldest
 * checkpoints beyond `keep` (0: of none). */
void run_sweep(const char *run, int keep);
/* The newest window below `bound`; -1 when there is none. */
int64_t run_newest_below(const char *run, int64_t bound);
/* Reads all that a training needs of a checkpoint, and compares it with the manifest. */
lu_status run_check(const char *folder, lu_error *error);
/* Why a run cannot be resumed from its newest checkpoint; of a damaged one, what to do. */
lu_status run_not_resumed(const lu_error *why, lu_error *error);
/* Writes one checkpoint whole. */
lu_status run_checkpoint(const char *run, const lu_checkpoint *checkpoint, lu_error *error);
/* RUN_LEAGUE of the newest checkpoint, checked against its manifest; the caller frees the text. */
lu_status run_load_league(const char *run, char **text, size_t *length, lu_error *error);
/* Locks run.json for a change; closing the descriptor lets go. -1 when it cannot be locked. */
int run_edit_lock(const char *run);
/* Members notes, tags and archived of an open object, as they are in run.json and changed as said
 * (NULL: not at all). */
lu_status run_write_said(const char *run, const lu_run_change *change, lu_json *json,
                         lu_error *error);
/* Locks the folder of `what`, a word such as "sweep". Closing the descriptor, which is -1 where the
 * folder cannot be opened, lets go; LU_BUSY when another process has it. */
lu_status folder_lock(const char *folder, const char *what, int *lock, lu_error *error);
/* Writes FOLDER/NAME, a JSON object with a member per line that tells what the folder is for, or
 * compares it with the one there: LU_OTHER_SPEC names the first member that differs. */
lu_status folder_settle(const char *folder, const char *name, const char *what, const char *text,
                        lu_error *error);
