/* Rows of metrics and run.json as entries of the catalogue, and the tables that hold them. Rows
 * come from files that anyone may have written: nothing is trusted to be there or to be of a kind.
 */
#include "catalogue_internal.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

enum {
    TEXT_MOST = 4096, /* bytes of a text that are kept */
    TAGS_MOST = 64,
    TAG_MOST = 80,
};

/* ---- tables ---- */

#define TEXT(type, member)                                                                         \
    { #member, SQL_TEXT, offsetof(type, member) }
#define INT(type, member)                                                                          \
    { #member, SQL_INT, offsetof(type, member) }
#define REAL(type, member)                                                                         \
    { #member, SQL_REAL, offsetof(type, member) }
#define FLAG(type, member)                                                                         \
    { #member, SQL_BOOL, offsetof(type, member) }

static const sql_column run_columns[] = {
    TEXT(lu_run_entry, run_id),      TEXT(lu_run_entry, game),
    TEXT(lu_run_entry, algorithm),   TEXT(lu_run_entry, status),
    TEXT(lu_run_entry, started),     TEXT(lu_run_entry, written),
    TEXT(lu_run_entry, seed),        TEXT(lu_run_entry, commit),
    TEXT(lu_run_entry, version),     TEXT(lu_run_entry, host),
    TEXT(lu_run_entry, experiment),  TEXT(lu_run_entry, note),
    TEXT(lu_run_entry, tags),        TEXT(lu_run_entry, problem),
    TEXT(lu_run_entry, metric),      FLAG(lu_run_entry, archived),
    INT(lu_run_entry, update),       INT(lu_run_entry, env_steps),
    INT(lu_run_entry, resumes),      INT(lu_run_entry, windows),
    INT(lu_run_entry, evaluations),  INT(lu_run_entry, replays),
    INT(lu_run_entry, best_window),  REAL(lu_run_entry, wall_seconds),
    REAL(lu_run_entry, last_return), REAL(lu_run_entry, best),
    REAL(lu_run_entry, best_low),    REAL(lu_run_entry, best_high),
};
const sql_table runs_table = SQL_TABLE("runs", "run_id", run_columns, lu_run_entry);

static const sql_column window_columns[] = {
    TEXT(lu_window_entry, run_id),
    INT(lu_window_entry, window_id),
    INT(lu_window_entry, update),
    INT(lu_window_entry, env_steps),
    INT(lu_window_entry, ticks),
    INT(lu_window_entry, episodes),
    FLAG(lu_window_entry, complete),
    REAL(lu_window_entry, wall_seconds),
    REAL(lu_window_entry, steps_per_second),
    REAL(lu_window_entry, episode_return),
    REAL(lu_window_entry, episode_length),
    TEXT(lu_window_entry, written),
    TEXT(lu_window_entry, row),
};
const sql_table windows_table =
    SQL_TABLE("windows", "run_id, window_id", window_columns, lu_window_entry);

static const sql_column evaluation_columns[] = {
    TEXT(lu_evaluation_entry, run_id),  INT(lu_evaluation_entry, window_id),
    INT(lu_evaluation_entry, update),   INT(lu_evaluation_entry, env_steps),
    INT(lu_evaluation_entry, episodes), INT(lu_evaluation_entry, best_window),
    FLAG(lu_evaluation_entry, best),    TEXT(lu_evaluation_entry, metric),
    REAL(lu_evaluation_entry, mean),    REAL(lu_evaluation_entry, low),
    REAL(lu_evaluation_entry, high),    REAL(lu_evaluation_entry, median),
    REAL(lu_evaluation_entry, seconds), TEXT(lu_evaluation_entry, written),
    TEXT(lu_evaluation_entry, row),
};
const sql_table evaluations_table =
    SQL_TABLE("evaluations", "run_id, window_id", evaluation_columns, lu_evaluation_entry);

static const sql_column replay_columns[] = {
    TEXT(lu_replay_entry, run_id),
    TEXT(lu_replay_entry, replay_id),
    TEXT(lu_replay_entry, file),
    INT(lu_replay_entry, bytes),
    INT(lu_replay_entry, window_id),
    INT(lu_replay_entry, position),
    {"seed", SQL_SEED, offsetof(lu_replay_entry, seed)},
    TEXT(lu_replay_entry, tags),
    {"return", SQL_REAL, offsetof(lu_replay_entry, episode_return)},
    REAL(lu_replay_entry, value),
    INT(lu_replay_entry, decisions),
    INT(lu_replay_entry, ticks),
    FLAG(lu_replay_entry, terminated),
    FLAG(lu_replay_entry, truncated),
    TEXT(lu_replay_entry, end),
    TEXT(lu_replay_entry, infos),
    TEXT(lu_replay_entry, written),
};
const sql_table replays_table =
    SQL_TABLE("replays", "run_id, replay_id", replay_columns, lu_replay_entry);
const sql_table replay_index_table =
    SQL_TABLE("replays", "replay_id", replay_columns, lu_replay_entry);

/* ---- members ---- */

/* A text, cut between characters when it is longer than anyone needs. */
static char *text_of(const lu_json_value *object, const char *key) {
    const lu_json_value *value = lu_json_get(object, key);
    const char *text = NULL;
    if (lu_json_kind_of(value) == LU_JSON_STRING) {
        text = lu_json_text(value, NULL);
    } else if (lu_json_kind_of(value) == LU_JSON_NUMBER) {
        text = lu_json_number_text(value);
    }
    char *copy = lu_strdup(text ? text : "");
    if (strlen(copy) > TEXT_MOST) {
        size_t end = TEXT_MOST;
        while (end > 0 && ((unsigned char)copy[end] & 0xc0) == 0x80) {
            end--;
        }
        copy[end] = 0;
    }
    return copy;
}

int64_t int_of(const lu_json_value *object, const char *key, int64_t other) {
    int64_t value = other;
    const lu_json_value *member = lu_json_get(object, key);
    return lu_json_kind_of(member) == LU_JSON_NUMBER &&
                   lu_json_get_int(object, key, INT64_MIN, INT64_MAX, &value, NULL) == LU_OK
               ? value
               : other;
}

static double real_of(const lu_json_value *object, const char *key) {
    return lu_json_real_or(lu_json_get(object, key), (double)NAN);
}

static bool flag_of(const lu_json_value *object, const char *key) {
    return lu_json_kind_of(lu_json_get(object, key)) == LU_JSON_TRUE;
}

static bool is_tag(const char *tag) {
    size_t length = strlen(tag);
    for (const char *c = tag; *c; c++) {
        if (*c <= ' ' || *c >= 0x7f) {
            return false;
        }
    }
    return length > 0 && length <= TAG_MOST;
}

/* A list of tags as " a b "; what is no tag is left out. */
static char *tags_of(const lu_json_value *object) {
    const lu_json_value *list = lu_json_get(object, "tags");
    lu_text text = LU_TEXT_INIT;
    for (size_t i = 0; i < lu_json_count(list) && i < TAGS_MOST; i++) {
        const lu_json_value *entry =
            lu_json_kind_of(list) == LU_JSON_ARRAY ? lu_json_at(list, i) : NULL;
        const char *tag = lu_json_kind_of(entry) == LU_JSON_STRING ? lu_json_text(entry, NULL) : "";
        if (is_tag(tag)) {
            lu_text_addf(&text, "%s%s ", text.length ? "" : " ", tag);
        }
    }
    return lu_text_take(&text);
}

bool lu_tags_have(const char *tags, const char *tag) {
    size_t length = strlen(tag);
    for (const char *at = tags; length > 0 && (at = strstr(at, tag)) != NULL; at++) {
        if (at > tags && at[-1] == ' ' && at[length] == ' ') {
            return true;
        }
    }
    return false;
}

/* A value as JSON again, with its numbers as they were written; without one member. */
static char *json_of(const lu_json_value *value, const char *without) {
    lu_json json = LU_JSON_INIT;
    const char *key;
    if (lu_json_kind_of(value) == LU_JSON_OBJECT) {
        lu_json_object(&json);
        for (size_t i = 0; i < lu_json_count(value); i++) {
            const lu_json_value *member = lu_json_member(value, i, &key);
            if (!without || strcmp(key, without) != 0) {
                lu_json_key_value(&json, key, member);
            }
        }
        lu_json_object_end(&json);
    } else {
        lu_json_null(&json);
    }
    char *text = lu_strdup(json.text);
    lu_json_free(&json);
    return text;
}

char *run_id_of(const char *path) {
    size_t end = strlen(path);
    while (end > 1 && path[end - 1] == '/') {
        end--;
    }
    size_t begin = end;
    while (begin > 0 && path[begin - 1] != '/') {
        begin--;
    }
    char *id = lu_alloc(end - begin + 1);
    memcpy(id, path + begin, end - begin);
    id[end - begin] = 0;
    return id;
}

/* ---- entries ---- */

void run_of(const char *run_id, const lu_json_value *root, lu_run_entry *entry) {
    *entry = (lu_run_entry){
        .run_id = lu_strdup(run_id),
        .game = text_of(root, "game"),
        .algorithm = text_of(root, "algorithm"),
        .status = text_of(root, "status"),
        .started = text_of(root, "started"),
        .written = text_of(root, "written"),
        .seed = text_of(root, "seed"),
        .commit = text_of(root, "commit"),
        .version = text_of(root, "version"),
        .host = text_of(root, "host"),
        .experiment =
            text_of(lu_json_get(lu_json_get(root, "settings"), "run.experiment"), "value"),
        .note = text_of(root, "notes"),
        .tags = tags_of(root),
        .archived = flag_of(root, "archived"),
        .update = int_of(root, "update", 0),
        .env_steps = int_of(root, "env_steps", 0),
        .resumes = int_of(root, "resumes", 0),
        .best_window = -1,
        .wall_seconds = (double)NAN,
        .last_return = (double)NAN,
        .best = (double)NAN,
        .best_low = (double)NAN,
        .best_high = (double)NAN,
    };
}

void window_of(const char *run_id, const lu_json_value *row, lu_window_entry *entry) {
    *entry = (lu_window_entry){
        .run_id = lu_strdup(run_id),
        .written = text_of(row, "written"),
        .row = json_of(row, NULL),
        .window_id = int_of(row, "window_id", 0),
        .update = int_of(row, "update", 0),
        .env_steps = int_of(row, "env_steps", 0),
        .ticks = int_of(row, "ticks", 0),
        .episodes = int_of(row, "episodes", 0),
        .complete = flag_of(row, "complete"),
        .wall_seconds = real_of(row, "wall_seconds"),
        .steps_per_second = real_of(row, "steps_per_second"),
        .episode_return = real_of(row, "episode_return"),
        .episode_length = real_of(row, "episode_length"),
    };
}

void evaluation_of(const char *run_id, const lu_json_value *row, lu_evaluation_entry *entry) {
    const lu_json_value *value = lu_json_get(row, "value");
    int64_t window = int_of(row, "window_id", 0);
    *entry = (lu_evaluation_entry){
        .run_id = lu_strdup(run_id),
        .written = text_of(row, "written"),
        .metric = text_of(row, "metric"),
        .row = json_of(row, "replays"),
        .window_id = window,
        .update = int_of(row, "update", 0),
        .env_steps = int_of(row, "env_steps", 0),
        .episodes = int_of(lu_json_get(row, "seeds"), "count", 0),
        .best_window = int_of(row, "best_window", window),
        .best = flag_of(row, "best"),
        .mean = real_of(value, "mean"),
        .low = real_of(value, "low"),
        .high = real_of(value, "high"),
        .median = real_of(value, "median"),
        .seconds = real_of(row, "seconds"),
    };
}

bool replay_of(const char *run_id, const lu_json_value *row, size_t index, lu_replay_entry *entry) {
    const lu_json_value *list = lu_json_get(row, "replays");
    const lu_json_value *replay =
        lu_json_kind_of(list) == LU_JSON_ARRAY ? lu_json_at(list, index) : NULL;
    const lu_json_value *infos = lu_json_get(replay, "infos");
    uint64_t seed = 0;
    (void)lu_json_get_uint(replay, "seed", &seed, NULL);
    *entry = (lu_replay_entry){
        .run_id = lu_strdup(run_id),
        .replay_id = text_of(replay, "replay_id"),
        .file = text_of(replay, "file"),
        .written = text_of(row, "written"),
        .tags = tags_of(replay),
        .end = text_of(replay, "end"),
        .infos = json_of(infos, NULL),
        .window_id = int_of(row, "window_id", 0),
        .position = (int64_t)index,
        .bytes = int_of(replay, "bytes", 0),
        .decisions = int_of(replay, "decisions", 0),
        .ticks = int_of(replay, "ticks", 0),
        .seed = seed,
        .terminated = flag_of(replay, "terminated"),
        .truncated = flag_of(replay, "truncated"),
        .episode_return = real_of(replay, "return"),
        .value = real_of(replay, "value"),
    };
    if (!*entry->replay_id) {
        sql_row_free(&replays_table, entry);
        return false;
    }
    return true;
}

/* ---- freeing ---- */

void lu_run_entry_free(lu_run_entry *entry) {
    sql_row_free(&runs_table, entry);
}

void lu_replay_entry_free(lu_replay_entry *entry) {
    sql_row_free(&replays_table, entry);
}

void lu_run_list_free(lu_run_list *list) {
    sql_rows_free(&runs_table, list->entry, list->count);
    *list = (lu_run_list){0};
}

void lu_window_list_free(lu_window_list *list) {
    sql_rows_free(&windows_table, list->entry, list->count);
    *list = (lu_window_list){0};
}

void lu_evaluation_list_free(lu_evaluation_list *list) {
    sql_rows_free(&evaluations_table, list->entry, list->count);
    *list = (lu_evaluation_list){0};
}

void lu_replay_list_free(lu_replay_list *list) {
    sql_rows_free(&replays_table, list->entry, list->count);
    *list = (lu_replay_list){0};
}
