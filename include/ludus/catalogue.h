/* The catalogue: every run of a folder with its windows, evaluations and replays, in
 * RUNS/catalogue.sqlite, and the index of replays of one run, RUN/replay_index.sqlite. Both are
 * only caches of the run folders (docs/run-folder.md): they are brought up to date cheaply, made
 * again when they are damaged or of another version, and never needed to read a run.
 * Ownership: a catalogue belongs to its opener until lu_catalogue_close; entries and lists that are
 * handed out own their texts until freed. Threads: one per catalogue; several processes may have
 * the same one open. */
#pragma once

#include "ludus/json.h"
#include "ludus/text.h"

LU_C_BEGIN

/* ---- entries: texts are never NULL, a number that is not known is NaN ---- */

typedef struct lu_run_entry {
    char *run_id;           /* name of the folder */
    char *game, *algorithm; /* "prospector-v1", "ppo" */
    char *status; /* running, stopped, finished, failed, crashed; damaged: run.json is unreadable */
    char *started, *written; /* UTC */
    char *seed, *commit, *version, *host, *note, *experiment;
    char *tags;    /* " good old ", with a blank around each; "" for none */
    char *problem; /* what is damaged in its folder, one sentence; "" for nothing */
    char *metric;  /* of the best evaluation */
    bool archived;
    int64_t update, env_steps, resumes;
    int64_t windows, evaluations, replays; /* how many there are */
    int64_t best_window;                   /* -1: nothing was evaluated yet */
    double wall_seconds;
    double last_return;               /* of the newest window in which episodes ended */
    double best, best_low, best_high; /* the evaluation of best_window, with its interval */
} lu_run_entry;

typedef struct lu_window_entry {
    char *run_id, *written;
    char *row; /* the whole row as JSON */
    int64_t window_id, update, env_steps, ticks, episodes;
    bool complete;
    double wall_seconds, steps_per_second, episode_return, episode_length;
} lu_window_entry;

typedef struct lu_evaluation_entry {
    char *run_id, *written, *metric;
    char *row; /* the whole row as JSON, without its replays */
    int64_t window_id, update, env_steps, episodes, best_window;
    bool best; /* the best of its run when it was made */
    double mean, low, high, median, seconds;
} lu_evaluation_entry;

typedef struct lu_replay_entry {
    char *run_id, *replay_id, *file, *written;
    char *tags;                  /* " every_window window_best ", with a blank around each */
    char *end, *infos;           /* cause of the end; info fields as JSON */
    int64_t window_id, position; /* position in the row of its window */
    int64_t bytes, decisions, ticks;
    uint64_t seed;
    bool terminated, truncated;
    double episode_return, value; /* value: of the metric */
} lu_replay_entry;

typedef struct lu_run_list {
    size_t count;
    lu_run_entry *entry;
} lu_run_list;
typedef struct lu_window_list {
    size_t count;
    lu_window_entry *entry;
} lu_window_list;
typedef struct lu_evaluation_list {
    size_t count;
    lu_evaluation_entry *entry;
} lu_evaluation_list;
typedef struct lu_replay_list {
    size_t count;
    lu_replay_entry *entry;
} lu_replay_list;

void lu_run_list_free(lu_run_list *list);
void lu_window_list_free(lu_window_list *list);
void lu_evaluation_list_free(lu_evaluation_list *list);
void lu_replay_list_free(lu_replay_list *list);
void lu_run_entry_free(lu_run_entry *entry);
void lu_replay_entry_free(lu_replay_entry *entry);
/* True when `tags` of an entry hold this one. */
bool lu_tags_have(const char *tags, const char *tag);

/* ---- entries as JSON: members of an open object, the same for command line and HTTP ---- */

/* What of a run is damaged is left to the caller: it names files. */
void lu_run_entry_write(const lu_run_entry *entry, lu_json *json);
/* What its run.json (NULL: it cannot be read) tells beside: cpu, settings. */
void lu_run_facts_write(const lu_json_value *facts, lu_json *json);
/* Seeds are texts: not every reader has numbers of 64 bits. */
void lu_replay_entry_write(const lu_replay_entry *entry, lu_json *json);

/* ---- the catalogue ---- */

typedef struct lu_catalogue lu_catalogue;

typedef enum lu_catalogue_mode {
    LU_CATALOGUE_WRITE,  /* makes it when it is missing; where nothing can be written: MEMORY */
    LU_CATALOGUE_READ,   /* as it is: LU_NOT_FOUND when it is missing, queries may be out of date */
    LU_CATALOGUE_MEMORY, /* empty, without a file: for a folder that is not to be touched */
} lu_catalogue_mode;

/* Opens the catalogue of a folder of runs. One that is damaged is moved aside (.damaged), one of
 * another version is emptied: the next sync fills it again. NULL on an error. */
lu_catalogue *lu_catalogue_open(const char *runs, lu_catalogue_mode mode, lu_error *error);
void lu_catalogue_close(lu_catalogue *catalogue);

/* Brings one run up to date, by its id or its path in the folder; it is forgotten when its folder
 * is gone. Three calls of stat when nothing has changed. What is damaged in a run is noted in its
 * entry and is no error. */
lu_status lu_catalogue_sync(lu_catalogue *catalogue, const char *run, lu_error *error);

/* Is told how far a long job has come, in [0, 1]; true ends it with LU_INTERRUPTED. May be NULL. */
typedef bool lu_catalogue_watch(void *context, double share);

/* Brings all runs up to date and forgets those whose folder is gone. */
lu_status lu_catalogue_sync_all(lu_catalogue *catalogue, lu_catalogue_watch *watch, void *context,
                                lu_error *error);
/* Empties the catalogue and makes it again from the folders. */
lu_status lu_catalogue_rebuild(lu_catalogue *catalogue, lu_catalogue_watch *watch, void *context,
                               lu_error *error);

/* Which runs: NULL takes any. */
typedef struct lu_run_filter {
    const char *run_id;
    const char *game; /* "prospector" or "prospector-v1" */
    const char *status, *tag;
    int archived;  /* 0: those that are not, 1: only those, -1: both */
    int64_t limit; /* 0: all */
} lu_run_filter;

/* Runs that pass, newest first. A run that says `running` and has no living process is crashed. */
lu_status lu_catalogue_runs(lu_catalogue *catalogue, const lu_run_filter *filter, lu_run_list *list,
                            lu_error *error);
/* The run of a game with the best evaluation: the largest mean among those judged by the same
 * metric as the newest evaluation of the game; archived runs do not count. LU_NOT_FOUND: no run of
 * the game was evaluated. */
lu_status lu_catalogue_best_run(lu_catalogue *catalogue, const char *game, lu_run_entry *entry,
                                lu_error *error);
/* Windows or evaluations of a run in order, from window `first` on; limit 0: all. */
lu_status lu_catalogue_windows(lu_catalogue *catalogue, const char *run_id, int64_t first,
                               int64_t limit, lu_window_list *list, lu_error *error);
lu_status lu_catalogue_evaluations(lu_catalogue *catalogue, const char *run_id, int64_t first,
                                   int64_t limit, lu_evaluation_list *list, lu_error *error);

/* Which replays: NULL or, for window_id, -1 takes any. */
typedef struct lu_replay_filter {
    const char *run_id, *tag, *replay_id;
    int64_t window_id;
    const lu_replay_entry *after; /* cursor: the last entry of the page before, or NULL */
    int64_t limit;                /* 0: all */
} lu_replay_filter;

/* Replays that pass, newest first; the first one is the latest replay. A page begins behind
 * `after`, of which written, run_id, window_id and position count. */
lu_status lu_catalogue_replays(lu_catalogue *catalogue, const lu_replay_filter *filter,
                               lu_replay_list *list, lu_error *error);
/* In place of the number of a window. */
enum { LU_BEST_WINDOW = -1, LU_NEWEST_WINDOW = -2 };

/* The best replay of a window of a run: the one that is tagged window_best, else the one with the
 * largest value. LU_NOT_FOUND: there is none. */
lu_status lu_catalogue_window_replay(lu_catalogue *catalogue, const char *run_id, int64_t window,
                                     lu_replay_entry *entry, lu_error *error);

/* ---- the index of one run's replays ---- */

/* Puts the replays of a row of evals.jsonl into the index, in place of those that it had of this
 * window; a second call with the same row changes nothing. The index is made when it is missing,
 * and made again from evals.jsonl when it is damaged. */
lu_status lu_replay_index_add(const char *run, const lu_json_value *row, lu_error *error);
/* Makes the index again from metrics/evals.jsonl. */
lu_status lu_replay_index_rebuild(const char *run, lu_error *error);

/* The best replay of a window, as above. It looks into evals.jsonl: an index may be behind. */
lu_status lu_replay_index_window(const char *run, int64_t window, lu_replay_entry *entry,
                                 lu_error *error);
/* All with a tag (NULL: all), newest window first; from evals.jsonl where the index is missing or
 * damaged. */
lu_status lu_replay_index_list(const char *run, const char *tag, lu_replay_list *list,
                               lu_error *error);

LU_C_END
