/* Run folders: what a training leaves behind, in a form that survives a crash at any moment. What
 * lies where is told in docs/run-folder.md. A checkpoint is written beside its place and renamed
 * when it is whole; leftovers of a crash are removed by the next writer and never read. One writer
 * per run (flock on its folder).
 * Ownership: a run owns its texts and its lock until lu_run_close. Threads: one per run. */
#pragma once

#include "ludus/model.h"
#include "ludus/rows.h"
#include "ludus/text.h"
#include "ludus/window.h"

LU_C_BEGIN

/* Where runs are: run.folder. For every command that names a run or a model. */
extern const lu_table lu_run_place_table;
/* How a run is kept: run.window_env_steps, run.keep, ... For whoever trains. */
extern const lu_table lu_run_table;
/* How a run is judged while it trains: eval.episodes, eval.margin, ... */
extern const lu_table lu_eval_table;
/* What a preset promises: band.metric, band.low, band.high, band.against, band.seeds. */
extern const lu_table lu_band_table;

/* Adds the folder of runs: run.folder when it is set, else `runs` in the project's folder, else in
 * the current one. */
void lu_run_place(const lu_settings *settings, lu_text *path);

/* ---- writing ---- */

typedef struct lu_run lu_run;

/* What a run is, told once. */
typedef struct lu_run_facts {
    const lu_game *game;
    const char *algorithm;
    const lu_settings *settings; /* every row goes into run.json */
    uint64_t seed;
    const char *commit;  /* "" or "unknown": none is known */
    const char *version; /* of the program */
    const char *name;    /* id of a new run; NULL: UTC time, short commit and game */
} lu_run_facts;

/* Makes the folder RUNS/ID and takes its lock. NULL on an error. */
lu_run *lu_run_new(const char *runs, const lu_run_facts *facts, lu_error *error);
/* Opens the run at `path` to go on with it: takes its lock (LU_BUSY when another process has it)
 * and removes leftovers. The settings of the facts are written at the next change of run.json. */
lu_run *lu_run_resume(const char *path, const lu_run_facts *facts, lu_error *error);
/* Lets go of the lock; the status stays what it was last set to. */
void lu_run_close(lu_run *run);

const char *lu_run_id(const lu_run *run);
const char *lu_run_path(const lu_run *run);

/* running, finished, stopped (to be resumed) or failed; with how far it has come. Notes and tags
 * stay as they are. */
lu_status lu_run_set_status(lu_run *run, const char *status, int64_t update, int64_t steps,
                            lu_error *error);
/* Appends one JSON document as a line to the rows of windows or updates. */
lu_status lu_run_row(lu_run *run, lu_rows_kind kind, const char *json, lu_error *error);

/* A trainer's state and its model, with the window that is open or was just closed. */
typedef struct lu_checkpoint {
    const lu_window *window;
    bool closed;    /* the window is at its end: a request to the evaluator */
    uint64_t hash;  /* of the trainer */
    uint64_t probe; /* of the model: lu_agent_probe */
    const void *state;
    size_t length;
    const lu_model_file *model;
    const char *league; /* opponents by shares, as JSON; NULL: none */
} lu_checkpoint;

/* Writes the checkpoint of a window, in place of an earlier one of it; of the older ones beyond
 * `keep` (0: none) only the model stays. */
lu_status lu_run_save(lu_run *run, const lu_checkpoint *checkpoint, int keep, lu_error *error);

/* ---- reading ---- */

/* Path of a run by its id or what it alone begins with, by its path, by ID/exploiters/NAME, by the
 * name of an experiment, as "latest": the run of `game` (NULL: of any) that was written last, or as
 * "best": the one with the best evaluation. LU_NOT_FOUND names the nearest. */
lu_status lu_run_find(const char *runs, const char *name, const lu_game *game, lu_text *path,
                      lu_error *error);
/* The game of a run, named as for a model. */
lu_status lu_run_game(const char *runs, const char *name, const lu_game **game, lu_error *error);
/* Path of a model that comes with the project, by its name; false where there is none. */
bool lu_published_model(const char *name, lu_text *path);
/* Path of a model file: a .safetensors or .zip as it is, a published model, or a checkpoint of a
 * run named as above, with :WINDOW, :best or :latest behind it; without that the newest one, and of
 * "best" the best. Of the runs without a checkpoint "latest" names none. */
lu_status lu_run_find_model(const char *runs, const char *name, const lu_game *game, lu_text *path,
                            lu_error *error);
/* The same as a lu_model_find of player.h, whose context is the folder of runs. */
lu_status lu_run_find_player(const void *runs, const char *name, const lu_game *game, lu_text *path,
                             lu_error *error);
/* Path of a replay: a file as it is, a replay's id ("replay-000007-1a2b3c4d", of the run that wrote
 * it last), `latest`, `best`, RUN, or RUN:WHICH with `best`, `latest`, the number of a window or an
 * id. Of a window, the newest where none is named, its best replay is taken. */
lu_status lu_run_find_replay(const char *runs, const char *name, const lu_game *game, lu_text *path,
                             lu_error *error);
/* State and window of the newest checkpoint, checked against its manifest; the caller frees the
 * state. */
lu_status lu_run_load(const char *path, char **state, size_t *length, lu_window *window,
                      lu_error *error);
/* Makes an older checkpoint the newest: that of `window`, or with -1 the newest one that is whole.
 * Those above it are kept aside as checkpoints/aside_NUMBER; `said` tells which, and why, and is
 * empty where nothing was in the way. Nothing is changed when there is none to go on from
 * (LU_DAMAGED_FILE, LU_NOT_FOUND), or while the run is being written (LU_BUSY). */
lu_status lu_run_fall_back(const char *run, int64_t window, lu_text *said, lu_error *error);
/* The league of the newest checkpoint, checked against its manifest: members with their qualities,
 * chances and results of training (docs/league.md). NULL on an error, LU_NOT_FOUND where the run
 * trains without one. */
lu_json_document *lu_run_league(const char *path, lu_error *error);
/* True while a training writes the run. A run that says `running` and is not alive has crashed. */
bool lu_run_alive(const char *path);
/* The folder of a run's window: of its checkpoint. */
void lu_run_window_path(const char *run, int64_t window, lu_text *path);

/* What a manifest tells of a checkpoint. */
typedef struct lu_manifest {
    int64_t window, update, steps;
    bool closed;
    uint64_t probe;
} lu_manifest;

/* Reads the manifest in the folder of a checkpoint. */
lu_status lu_manifest_read(const char *folder, lu_manifest *manifest, lu_error *error);
/* Number of the newest checkpoint's window; -1 when there is none. */
int64_t lu_run_newest_window(const char *run);
/* Holds the one evaluator's lock of a run until the descriptor is closed; -1 on an error, LU_BUSY
 * when another has it. */
int lu_run_lock_replays(const char *path, lu_error *error);

/* ---- changing what people say of a run ---- */

/* Tags: up to 40 letters, digits, - _ . : each; a note: up to 4000 bytes of UTF-8. */
typedef struct lu_run_change {
    const char *const *add_tags;  /* end with NULL, or NULL */
    const char *const *drop_tags; /* end with NULL, or NULL */
    const char *note;             /* NULL: as it is */
    int archived;                 /* -1: as it is */
} lu_run_change;

/* Changes run.json, also beside a training that writes it. */
lu_status lu_run_edit(const char *path, const lu_run_change *change, lu_error *error);
/* Gives every row that still has its default the value and origin it has in run.json, except those
 * in `own`, which belong to a sitting. A row that was set to something else now is LU_BAD_VALUE,
 * unless its key is in `own` or `open`. Both lists end with NULL. */
lu_status lu_run_settings(const char *path, const char *const *own, const char *const *open,
                          lu_settings *settings, lu_error *error);
/* A text of run.json: "game", "algorithm", "status", ...; the caller frees it. */
char *lu_run_fact(const char *path, const char *key, lu_error *error);

LU_C_END
