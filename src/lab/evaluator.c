/* The evaluator: see evaluator.h. A window is judged from its checkpoint alone; what it gives is
 * first complete on the disk (replays under their names), then one row in evals.jsonl, and last in
 * what is made from rows. So a crash leaves nothing that counts, and the next evaluator goes on. */
#include "ludus/evaluator.h"

#include "inside.h"

#include "ludus/catalogue.h"
#include "ludus/clock.h"
#include "ludus/file.h"
#include "ludus/hash.h"
#include "ludus/report.h"
#include "ludus/seeds.h"
#include "ludus/tensorboard.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct follower {
    const lu_evaluator *asked;
    const char *run, *id;  /* its folder, and the last part of that */
    lu_settings *settings; /* eval.* of the run */
    int rows, lock;        /* evals.jsonl; the evaluator's lock */
    lu_tensorboard *board;
    lu_catalogue *catalogue;
    int64_t judged, judged_steps; /* the last window that was judged, and its steps; -1: none */
    uint64_t *probes;             /* of the models that were judged, window by window; 0: none */
    int64_t known, next;          /* windows that have room there; the first one to look at */
    int64_t best;                 /* window of the best evaluation; -1: none */
    double *best_values;          /* its metric, seed by seed */
    int episodes;
    lu_text milestones; /* those reached: " NAME:VALUE ", a blank around each */
} follower;

/* One window that is being judged. */
typedef struct judging {
    follower *f;
    lu_manifest manifest;
    lu_episode s;
    lu_player agent;
    lu_match m;
    lu_evaluation result;
    double *values;     /* the metric, seed by seed */
    lu_pairing against; /* the best before; of no use for the first one */
    int *order;         /* episodes from the best to the worst */
    lu_text place;      /* folder of the replays while they are written */
    double began;
} judging;

enum { MOST_WINDOWS = 100000000 };

static void note(const follower *f, const char *what, const lu_error *error) {
    lu_text text;
    lu_text_init(&text);
    lu_text_addf(&text, "%s%s", what, error->text);
    f->asked->note(f->asked->context, text.text);
    lu_text_free(&text);
}

/* ---- leftovers ---- */

/* What an evaluator that was killed left behind. */
static void remove_leftovers(const char *run) {
    lu_text folder;
    lu_text_init(&folder);
    lu_file_clean(run_join(&folder, run, RUN_REPLAYS));
    lu_folder_clean(folder.text, RUN_UNDONE);
    lu_text_free(&folder);
}

/* ---- the run ---- */

static void add_milestones(follower *f, const lu_json_value *row) {
    const lu_json_value *replays = lu_json_get(row, "replays");
    for (size_t i = 0; i < lu_json_count(replays); i++) {
        const lu_json_value *tags = lu_json_get(lu_json_at(replays, i), "tags");
        for (size_t k = 0; k < lu_json_count(tags); k++) {
            const char *tag = lu_json_text(lu_json_at(tags, k), NULL);
            if (tag && strncmp(tag, "milestone:", 10) == 0) {
                lu_text_addf(&f->milestones, " %s ", tag + 10);
            }
        }
    }
}

/* The values of an earlier row; false when they are not those of this set of seeds. */
static bool take_values(follower *f, const lu_json_value *row) {
    const lu_json_value *values = lu_json_get(row, "values");
    if (lu_json_count(values) != (size_t)f->episodes) {
        return false;
    }
    for (int i = 0; i < f->episodes; i++) {
        f->best_values[i] = lu_json_real_or(lu_json_at(values, (size_t)i), NAN);
    }
    return true;
}

static void note_probe(follower *f, int64_t window, uint64_t probe) {
    while (window >= f->known) {
        int64_t room = f->known ? 2 * f->known : 64;
        f->probes = lu_realloc(f->probes, (size_t)room * sizeof *f->probes);
        memset(f->probes + f->known, 0, (size_t)(room - f->known) * sizeof *f->probes);
        f->known = room;
    }
    f->probes[window] = probe;
    memset(f->probes + window + 1, 0, (size_t)(f->known - window - 1) * sizeof *f->probes);
}

/* What was judged of the windows before this one. A row of a window makes later ones void. */
static lu_status read_past(follower *f, int64_t before, lu_error *error) {
    lu_rows rows;
    lu_status status = lu_rows_read(f->run, LU_EVALS, &rows, error);
    f->judged = f->judged_steps = f->best = -1;
    lu_text_clear(&f->milestones);
    for (size_t i = 0; i < rows.count; i++) {
        const lu_json_value *row = lu_rows_at(&rows, i);
        const char *probe = lu_json_text(lu_json_get(row, "probe"), NULL);
        int64_t window, steps;
        if (lu_json_get_int(row, "window_id", 0, MOST_WINDOWS, &window, NULL) != LU_OK ||
            lu_json_get_int(row, "env_steps", 0, INT64_MAX, &steps, NULL) != LU_OK ||
            window >= before) {
            break;
        }
        f->judged = window;
        f->judged_steps = steps;
        note_probe(f, window, probe ? strtoull(probe, NULL, 16) : 0);
        add_milestones(f, row);
        if (lu_json_kind_of(lu_json_get(row, "best")) == LU_JSON_TRUE && take_values(f, row)) {
            f->best = f->judged;
        }
    }
    lu_rows_free(&rows);
    return status;
}

static lu_status open_run(follower *f, lu_error *error) {
    static const char *const none[] = {NULL};
    const char *slash = strrchr(f->asked->run, '/');
    f->run = f->asked->run;
    f->id = slash ? slash + 1 : f->run;
    lu_settings_add(f->settings, lu_eval_table);
    lu_status status = lu_run_settings(f->run, none, none, f->settings, error);
    if (status == LU_OK) {
        f->episodes = (int)lu_settings_int(f->settings, "eval.episodes");
        f->best_values = lu_alloc_zero((size_t)f->episodes, sizeof(double));
        f->lock = lu_run_lock_replays(f->run, error);
        status = f->lock >= 0 ? read_past(f, MOST_WINDOWS, error) : error->status;
    }
    if (status == LU_OK) {
        remove_leftovers(f->run);
        f->rows = lu_rows_open(f->run, LU_EVALS, error);
        status = f->rows >= 0 ? LU_OK : error->status;
    }
    return status;
}

/* TensorBoard's file and the catalogue can be made from the rows: their failures are only told. */
static void open_extras(follower *f) {
    lu_error error = {0};
    lu_text path;
    lu_text_init(&path);
    f->board = lu_tensorboard_open(run_join(&path, f->run, "tensorboard/eval"),
                                   f->judged < 0 ? -1 : f->judged_steps, &error);
    if (!f->board) {
        note(f, "no TensorBoard file: ", &error);
    }
    lu_text_clear(&path);
    lu_text_add_n(&path, f->run, strlen(f->run) - strlen(f->id));
    lu_text_add(&path, ".");
    f->catalogue = lu_catalogue_open(path.text, LU_CATALOGUE_WRITE, &error);
    if (!f->catalogue) {
        note(f, "no catalogue: ", &error);
    }
    lu_text_free(&path);
}

static void close_run(follower *f) {
    lu_tensorboard_close(f->board, NULL);
    lu_catalogue_close(f->catalogue);
    if (f->rows >= 0) {
        close(f->rows);
    }
    if (f->lock >= 0) {
        close(f->lock);
    }
    lu_settings_delete(f->settings);
    lu_text_free(&f->milestones);
    free(f->best_values);
    free(f->probes);
}

/* ---- replays ---- */

/* Episode of the k-th replay to keep: the best, the worst, the median, then the next best ones. */
static int kept_episode(const judging *j, int k) {
    int n = j->m.episodes, middle = n / 2;
    int rank = k == 0 ? 0 : k == 1 ? n - 1 : k == 2 ? middle : k - 2;
    rank += k > 2 && rank >= middle ? 1 : 0;
    return j->order[rank < n ? rank : n - 1];
}

static bool reached(const judging *j, const lu_milestone *milestone, int episode) {
    int info = lu_game_info_index(j->s.game, milestone->name);
    double value =
        info >= 0 ? lu_match_info(&j->m, episode, 0)[info] : lu_match_return(&j->m, episode, 0);
    return value >= milestone->value;
}

/* Milestones that this episode is the first to reach. */
static void write_milestones(const judging *j, int episode, lu_json *json) {
    const lu_game *game = j->s.game;
    lu_text tag, between;
    lu_text_init(&tag);
    lu_text_init(&between);
    for (int i = 0; i < game->milestones; i++) {
        lu_text_clear(&tag);
        lu_text_clear(&between);
        lu_text_addf(&tag, "milestone:%s:%g", game->milestone[i].name, game->milestone[i].value);
        lu_text_addf(&between, " %s ", tag.text + strlen("milestone:"));
        if (reached(j, &game->milestone[i], episode) &&
            !strstr(j->f->milestones.text, between.text)) {
            lu_text_add(&j->f->milestones, between.text);
            lu_json_string(json, tag.text);
        }
    }
    lu_text_free(&tag);
    lu_text_free(&between);
}

static void write_tags(const judging *j, int k, int episode, lu_json *json) {
    static const char *const places[] = {"window_best", "window_worst", "window_median"};
    lu_json_key(json, "tags");
    lu_json_array(json);
    lu_json_string(json, "every_window");
    if (k < 3) {
        lu_json_string(json, places[k]);
    }
    if (k == 0 && j->result.best) {
        lu_json_string(json, "best_so_far");
    }
    write_milestones(j, episode, json);
    lu_json_array_end(json);
}

/* What ended an episode, where the game tells it in the info field `end`. */
static const char *end_of(const lu_game *game, const double *info) {
    int at = lu_game_info_index(game, "end");
    const char *name = at >= 0 ? lu_info_name(&game->info[at], info[at]) : NULL;
    return name ? name : "";
}

static void write_replay(const judging *j, int k, const char *id, size_t bytes, lu_json *json) {
    const lu_match *m = &j->m;
    int e = kept_episode(j, k);
    const double *info = lu_match_info(m, e, 0);
    char file[128];
    snprintf(file, sizeof file, RUN_REPLAYS "/%s.ludus", id);
    lu_json_object(json);
    lu_json_key_string(json, "replay_id", id);
    lu_json_key_string(json, "file", file);
    lu_json_key_int(json, "bytes", (int64_t)bytes);
    lu_json_key_int(json, "window_id", j->result.window);
    lu_json_key(json, "seed");
    lu_json_uint(json, lu_match_seed(m, e));
    write_tags(j, k, e, json);
    lu_json_key_real(json, "return", lu_match_return(m, e, 0));
    lu_json_key_real(json, "value", j->values[e]);
    lu_json_key_int(json, "decisions", (int64_t)m->decisions[e]);
    lu_json_key_int(json, "ticks", (int64_t)m->ticks[e]);
    lu_json_key_bool(json, "terminated", m->terminated[e] != 0.0);
    lu_json_key_bool(json, "truncated", m->terminated[e] == 0.0);
    lu_json_key_string(json, "end", end_of(j->s.game, info));
    lu_json_key(json, "infos");
    lu_info_write(j->s.game, info, json);
    lu_json_object_end(json);
}

/* Gives the k-th replay its name; the same episode has the same name whenever it is judged. */
static lu_status keep_replay(const judging *j, int k, lu_json *json, lu_error *error) {
    lu_text from, to;
    char *bytes, id[64];
    size_t length;
    lu_text_init(&from);
    lu_text_init(&to);
    lu_match_replay(&j->m, kept_episode(j, k), &from);
    lu_status status = lu_file_read(from.text, LU_REPLAY_LIMIT, &bytes, &length, error);
    if (status == LU_OK) {
        snprintf(id, sizeof id, "replay-%06" PRId64 "-%08x", j->result.window,
                 (unsigned)(lu_hash(bytes, length, 0) & 0xffffffffu));
        lu_text_addf(&to, "%s/" RUN_REPLAYS "/%s.ludus", j->f->run, id);
        free(bytes);
        if (rename(from.text, to.text) != 0) {
            status = lu_fail(error, LU_IO, "cannot write %s: %s", to.text, strerror(errno));
        } else {
            write_replay(j, k, id, length, json);
        }
    }
    lu_text_free(&from);
    lu_text_free(&to);
    return status;
}

static lu_status keep_replays(const judging *j, lu_json *json, lu_error *error) {
    int count = (int)lu_settings_int(j->f->settings, "eval.replays");
    lu_status status = LU_OK;
    lu_json_key(json, "replays");
    lu_json_array(json);
    for (int k = 0; k < count && k < j->m.episodes && status == LU_OK; k++) {
        status = keep_replay(j, k, json, error);
    }
    lu_json_array_end(json);
    return status;
}

/* ---- figures ---- */

lu_status lu_eval_metric(const lu_game *game, const lu_settings *settings, const char **name,
                         lu_error *error) {
    const char *wish = lu_settings_text_of(settings, "eval.metric");
    *name = *wish ? wish : game->headline ? game->headline : "return";
    int info = lu_game_info_index(game, *name);
    bool numeric = info >= 0 && lu_info_is_number(&game->info[info]);
    return numeric || strcmp(*name, "return") == 0
               ? LU_OK
               : lu_fail(error, LU_BAD_VALUE,
                         "'eval.metric' = '%.100s' is neither `return` nor an info field of %s "
                         "that is a number: `ludus spec %s` lists them",
                         *name, game->id, game->name);
}

static lu_status take_metric(judging *j, lu_error *error) {
    const lu_game *game = j->s.game;
    lu_status status = lu_eval_metric(game, j->f->settings, &j->result.metric, error);
    if (status != LU_OK) {
        return status;
    }
    int info = lu_game_info_index(game, j->result.metric);
    for (int e = 0; e < j->m.episodes; e++) {
        j->values[e] = info < 0 ? lu_match_return(&j->m, e, 0) : lu_match_info(&j->m, e, 0)[info];
    }
    j->result.value =
        lu_summarise(j->values, j->m.episodes, info >= 0 && game->info[info].kind == LU_INFO_FLAG);
    return LU_OK;
}

/* By the metric, then by the return. */
static bool is_better(const judging *j, int a, int b) {
    return j->values[a] != j->values[b]
               ? j->values[a] > j->values[b]
               : lu_match_return(&j->m, a, 0) > lu_match_return(&j->m, b, 0);
}

/* From the best to the worst; equal ones in the order of their seeds. */
static void take_order(judging *j) {
    for (int e = 0; e < j->m.episodes; e++) {
        int at = e;
        for (; at > 0 && is_better(j, e, j->order[at - 1]); at--) {
            j->order[at] = j->order[at - 1];
        }
        j->order[at] = e;
    }
}

static void take_best(judging *j) {
    const follower *f = j->f;
    double margin = lu_settings_real(f->settings, "eval.margin");
    if (f->best < 0) {
        j->result.best = true;
        return;
    }
    j->against = lu_compare_pairs(j->values, f->best_values, j->m.episodes, margin);
    j->result.best = j->against.verdict == LU_BETTER;
}

static void write_head(const judging *j, lu_json *json) {
    char now[LU_CLOCK_TEXT];
    lu_json_key_string(json, "run_id", j->f->id);
    lu_json_key_int(json, "window_id", j->result.window);
    lu_json_key_int(json, "update", j->manifest.update);
    lu_json_key_int(json, "env_steps", j->manifest.steps);
    lu_json_key(json, "probe");
    lu_json_hex(json, j->manifest.probe);
    lu_json_key_string(json, "written", lu_clock_utc(now, sizeof now));
    lu_json_key_real(json, "seconds", lu_clock_seconds() - j->began);
    lu_json_key_string(json, "metric", j->result.metric);
    lu_json_key(json, "seeds");
    lu_json_object(json);
    lu_json_key_int(json, "first", (int64_t)j->m.first_seed);
    lu_json_key_int(json, "count", j->m.episodes);
    lu_json_object_end(json);
    lu_json_key_bool(json, "greedy", j->agent.greedy);
    lu_json_key(json, "value");
    lu_json_object(json);
    lu_summary_write(&j->result.value, json);
    lu_json_object_end(json);
}

static void write_figures(const judging *j, lu_json *json) {
    bool compared = j->f->best >= 0;
    lu_json_key(json, "values");
    lu_json_array(json);
    for (int e = 0; e < j->m.episodes; e++) {
        lu_json_real(json, j->values[e]);
    }
    lu_json_array_end(json);
    lu_json_key_bool(json, "best", j->result.best);
    lu_json_key_int(json, "best_window", j->result.best ? j->result.window : j->f->best);
    if (compared) {
        lu_json_key(json, "against_best");
        lu_json_object(json);
        lu_pairing_write(&j->against, json);
        lu_json_object_end(json);
    }
    lu_json_key(json, "report");
    lu_json_object(json);
    lu_match_write(&j->m, json);
    lu_json_key_bool(json, "greedy", j->agent.greedy);
    lu_json_key_int(json, "env_steps", j->agent.file->step);
    lu_json_object_end(json);
}

/* ---- what is made from the row ---- */

static void spread(follower *f, const char *text) {
    lu_error error = {0};
    lu_json_document *row = lu_json_read("row", text, strlen(text), &error);
    if (!row) {
        note(f, "", &error);
        return;
    }
    if (lu_replay_index_add(f->run, lu_json_root(row), &error) != LU_OK) {
        note(f, "the index of replays is behind: ", &error);
    }
    if (f->board && lu_tensorboard_eval(f->board, lu_json_root(row), &error) != LU_OK) {
        note(f, "TensorBoard's file cannot be written: ", &error);
    }
    if (f->catalogue && lu_catalogue_sync(f->catalogue, f->run, &error) != LU_OK) {
        note(f, "the catalogue is behind: ", &error);
    }
    lu_json_close(row);
}

static lu_status write_row(judging *j, lu_error *error) {
    follower *f = j->f;
    lu_json json;
    lu_json_init(&json);
    lu_json_object(&json);
    write_head(j, &json);
    write_figures(j, &json);
    lu_status status = keep_replays(j, &json, error);
    lu_json_object_end(&json);
    if (status == LU_OK) {
        status = lu_rows_append(f->rows, json.text, error);
        (void)fsync(f->rows);
    }
    if (status == LU_OK) {
        f->judged = j->result.window;
        f->judged_steps = j->manifest.steps;
        note_probe(f, j->result.window, j->manifest.probe);
        if (j->result.best) {
            f->best = j->result.window;
            memcpy(f->best_values, j->values, (size_t)j->m.episodes * sizeof *j->values);
        }
        spread(f, json.text);
        j->result.row = json.text;
        f->asked->judged(f->asked->context, &j->result);
    }
    lu_json_free(&json);
    return status;
}

/* ---- models that lie in a run ---- */

lu_status lu_eval_check(const char *folder, const lu_model_file *file, const lu_rules *rules,
                        lu_error *error) {
    lu_manifest manifest;
    lu_status status = lu_manifest_read(folder, &manifest, error);
    uint64_t now = status == LU_OK ? lu_agent_probe(file, rules, NULL) : 0;
    if (status == LU_OK && now != manifest.probe) {
        status = lu_fail(error, LU_CHECK_FAILED,
                         "%s: the net answers otherwise after loading (%016" PRIx64
                         ") than in training (%016" PRIx64 ")",
                         folder, now, manifest.probe);
    }
    return status;
}

lu_status lu_eval_settings(const char *folder, lu_settings *settings, lu_error *error) {
    static const char *const none[] = {NULL};
    lu_text run;
    lu_text_init(&run);
    lu_text_addf(&run, "%s/../..", folder);
    lu_settings_add(settings, lu_eval_table);
    lu_status status = lu_run_settings(run.text, none, none, settings, error);
    lu_text_free(&run);
    return status;
}

/* ---- judging ---- */

static lu_status play(judging *j, lu_error *error) {
    const follower *f = j->f;
    lu_text_addf(&j->place, "%s/" RUN_REPLAYS "/" RUN_UNDONE "%" PRId64, f->run, j->result.window);
    j->m = (lu_match){.episode = &j->s,
                      .player = {&j->agent},
                      .record = j->place.text,
                      .first_seed = LU_PUBLIC_FIRST,
                      .episodes = f->episodes,
                      .threads = (int)lu_settings_int(f->settings, "eval.threads"),
                      .context = f->asked->context,
                      .stop = f->asked->stop,
                      .progress = f->asked->progress};
    (void)lu_folder_remove(j->place.text, NULL);
    lu_status status = lu_match_play(&j->m, error);
    if (status == LU_OK) {
        status = take_metric(j, error);
    }
    if (status == LU_OK) {
        take_order(j);
        take_best(j);
        status = write_row(j, error);
    }
    lu_match_free(&j->m);
    (void)lu_folder_remove(j->place.text, NULL);
    return status;
}

/* The model of a checkpoint, with the game as it was trained for. */
static lu_status open_model(judging *j, const char *folder, lu_error *error) {
    lu_text path;
    lu_text_init(&path);
    lu_model_file *file = lu_model_file_load(run_join(&path, folder, RUN_MODEL), error);
    lu_text_free(&path);
    if (!file) {
        return error->status;
    }
    j->agent = (lu_player){.kind = LU_PLAYER_AGENT, .name = j->f->id, .file = file};
    j->agent.greedy =
        lu_settings_bool(j->f->settings, "eval.greedy") || lu_net_kind_of(file->net) == LU_NET_Q;
    lu_settings *settings = lu_game_settings(file->game);
    lu_settings_take(settings, file->settings, LU_FROM_FILE, "the model");
    lu_status status =
        lu_episode_open(&j->s, file->game, settings, lu_game_options(file->game), error);
    return status == LU_OK ? lu_eval_check(folder, file, j->s.rules, error) : status;
}

static lu_status judge(follower *f, int64_t window, lu_error *error) {
    lu_text folder;
    judging j = {.f = f, .result = {.window = window}, .began = lu_clock_seconds()};
    lu_text_init(&folder);
    lu_text_init(&j.place);
    lu_run_window_path(f->run, window, &folder);
    lu_status status = lu_manifest_read(folder.text, &j.manifest, error);
    if (status == LU_OK) {
        status = open_model(&j, folder.text, error);
    }
    if (status == LU_OK) {
        j.values = lu_alloc_zero((size_t)f->episodes, sizeof *j.values);
        j.order = lu_alloc_zero((size_t)f->episodes, sizeof *j.order);
        status = play(&j, error);
        free(j.values);
        free(j.order);
    }
    lu_episode_close(&j.s);
    lu_player_close(&j.agent);
    lu_text_free(&j.place);
    lu_text_free(&folder);
    return status;
}

/* ---- following ---- */

/* The next window to judge: closed, and with another model than the one that was judged; -1 when
 * there is none. Windows before the newest one stay as they are, and are looked at once. */
static int64_t next_window(follower *f) {
    lu_text path;
    lu_manifest m;
    int64_t newest = lu_run_newest_window(f->run), found = -1;
    newest = newest < MOST_WINDOWS ? newest : MOST_WINDOWS - 1;
    lu_text_init(&path);
    while (f->next <= newest && found < 0) {
        lu_run_window_path(f->run, f->next, &path);
        bool closed =
            lu_file_exists(path.text) && lu_manifest_read(path.text, &m, NULL) == LU_OK && m.closed;
        if (closed && (f->next >= f->known || f->probes[f->next] != m.probe)) {
            found = f->next;
        } else if (f->next == newest) {
            break;
        } else {
            f->next++;
        }
    }
    lu_text_free(&path);
    return found;
}

static bool running(const follower *f) {
    char *status = lu_run_fact(f->run, "status", NULL);
    bool yes = status && strcmp(status, "running") == 0 && lu_run_alive(f->run);
    free(status);
    return yes;
}

static lu_status follow(follower *f, lu_error *error) {
    lu_status status = LU_OK;
    while (status == LU_OK && !f->asked->stop(f->asked->context)) {
        bool ends = !running(f); /* asked first: what is closed before the end is seen below */
        int64_t window = next_window(f);
        if (window >= 0) {
            status = window <= f->judged ? read_past(f, window, error) : LU_OK;
            status = status == LU_OK ? judge(f, window, error) : status;
        } else if (ends) {
            return LU_OK;
        } else {
            usleep(100000);
        }
    }
    return status == LU_OK ? lu_fail(error, LU_INTERRUPTED, "interrupted") : status;
}

lu_status lu_evaluator_follow(const lu_evaluator *evaluator, lu_error *error) {
    follower f = {.asked = evaluator,
                  .settings = lu_settings_new(),
                  .rows = -1,
                  .lock = -1,
                  .judged = -1,
                  .judged_steps = -1,
                  .best = -1};
    lu_text_init(&f.milestones);
    lu_status status = open_run(&f, error);
    if (status == LU_OK) {
        open_extras(&f);
        status = follow(&f, error);
    }
    close_run(&f);
    return status;
}
