/* The evaluator: see evaluator.h. A window is judged from its checkpoint alone; what it gives is
 * first complete on the disk (replays under their names), then one row in evals.jsonl, and last in
 * what is made from rows. So a crash leaves nothing that counts, and the next evaluator goes on. */
#include "evaluator_internal.h"

#include "ludus/clock.h"
#include "ludus/file.h"
#include "ludus/preset.h"
#include "ludus/tournament.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST_WINDOWS = 100000000 };

static void note(const follower *f, const char *what, const lu_error *error) {
    lu_text text = LU_TEXT_INIT;
    lu_text_addf(&text, "%s%s", what, error->text);
    f->asked->note(f->asked->context, text.text);
    lu_text_free(&text);
}

/* Nets of Q values have no policy to draw from. */
static bool chooses_best(const lu_settings *settings, const lu_model_file *file) {
    return lu_settings_bool(settings, "eval.greedy") || lu_net_kind_of(file->net) == LU_NET_Q;
}

/* eval.best_share after so many steps and updates of the run. */
static double best_share(const lu_settings *settings, const lu_algorithm *algorithm,
                         const lu_manifest *m) {
    char key[64];
    snprintf(key, sizeof key, "%s.steps", algorithm->prefix);
    return lu_schedule_at(lu_settings_schedule(settings, "eval.best_share"),
                          (double)m->steps / (double)lu_settings_int(settings, key),
                          (double)m->update);
}

/* ---- leftovers ---- */

/* What an evaluator that was killed left behind. */
static void remove_leftovers(const char *run) {
    lu_text folder = LU_TEXT_INIT;
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
    if (lu_json_count(values) != (size_t)f->seeds) {
        return false;
    }
    for (int i = 0; i < f->seeds; i++) {
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

/* A player of eval.opponents. It chooses as the agent does. */
static lu_status open_player(const lu_settings *settings, size_t index, const lu_game *game,
                             const char *runs, lu_player *player, lu_error *error) {
    lu_status status = lu_player_open(player, lu_settings_nth(settings, "eval.opponents", index),
                                      game, lu_run_find_player, runs, error);
    player->greedy = player->file && chooses_best(settings, player->file);
    return status;
}

/* All of them, into room for so many. */
static lu_status open_players(const lu_settings *settings, const lu_game *game, const char *runs,
                              lu_player *list, int *count, lu_error *error) {
    size_t named = lu_settings_count(settings, "eval.opponents");
    lu_status status = LU_OK;
    for (size_t i = 0; i < named && status == LU_OK; i++) {
        status = open_player(settings, i, game, runs, &list[*count], error);
        *count += status == LU_OK;
    }
    return status;
}

static void close_players(lu_player *list, int count) {
    while (count > 0) {
        lu_player_close(&list[--count]);
    }
    free(list);
}

/* Those of the run, opened once: all windows of this evaluator meet the same. */
static lu_status open_opponents(follower *f, lu_error *error) {
    size_t count = lu_settings_count(f->settings, "eval.opponents");
    char *id = count > 0 ? lu_run_fact(f->run, "game", error) : NULL;
    const lu_game *game = id ? lu_game_find(id, error) : NULL;
    lu_text runs = LU_TEXT_INIT;
    lu_text_add_n(&runs, f->run, strlen(f->run) - strlen(f->id));
    lu_text_add(&runs, ".");
    f->opponent = lu_alloc_zero(count + 1, sizeof *f->opponent);
    lu_status status = count > 0 && !game ? error->status
                                          : open_players(f->settings, game, runs.text, f->opponent,
                                                         &f->opponents, error);
    lu_text_free(&runs);
    free(id);
    return status;
}

/* What a run says of its evaluations. */
static lu_status read_settings(const char *run, lu_settings *settings,
                               const lu_algorithm **algorithm, lu_error *error) {
    static const char *const none[] = {NULL};
    char *name = lu_run_fact(run, "algorithm", error);
    const lu_algorithm *ours = name ? lu_algorithm_find(name, NULL) : NULL;
    *algorithm = ours ? ours : lu_algorithms[0]; /* whose settings a trainer of others keeps */
    if (!name) {
        return error->status;
    }
    free(name);
    lu_settings_add(settings, lu_eval_table);
    lu_settings_add(settings, *(*algorithm)->table);
    return lu_run_settings(run, none, none, settings, error);
}

static lu_status open_run(follower *f, lu_error *error) {
    const char *slash = strrchr(f->asked->run, '/');
    f->run = f->asked->run;
    f->id = slash ? slash + 1 : f->run;
    lu_status status = read_settings(f->run, f->settings, &f->algorithm, error);
    LU_THEN(status, open_opponents(f, error));
    if (status == LU_OK) {
        f->seeds = (int)lu_settings_int(f->settings, "eval.episodes");
        f->best_values = lu_alloc_zero((size_t)f->seeds, sizeof(double));
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
    lu_text path = LU_TEXT_INIT;
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
    while (f->bots > 0) {
        free(f->bot[--f->bots].values);
    }
    close_players(f->opponent, f->opponents);
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
        note(f, "the replay index is out of date: ", &error);
    }
    if (f->board && lu_tensorboard_eval(f->board, lu_json_root(row), &error) != LU_OK) {
        note(f, "cannot write TensorBoard's file: ", &error);
    }
    if (f->catalogue && lu_catalogue_sync(f->catalogue, f->run, &error) != LU_OK) {
        note(f, "the catalogue is out of date: ", &error);
    }
    lu_json_close(row);
}

static lu_status write_row(judging *j, lu_error *error) {
    follower *f = j->f;
    lu_json json = LU_JSON_INIT;
    lu_status status = evaluation_write(j, &json, error);
    if (status == LU_OK) {
        status = lu_rows_append(f->rows, json.text, error);
    }
    LU_THEN(status, lu_rows_sync(f->rows, error));
    if (status == LU_OK) {
        f->judged = j->result.window;
        f->judged_steps = j->manifest.steps;
        note_probe(f, j->result.window, j->manifest.probe);
        if (j->result.best) {
            f->best = j->result.window;
            memcpy(f->best_values, j->values, (size_t)f->seeds * sizeof *j->values);
        }
        spread(f, json.text);
        j->result.row = json.text;
        f->asked->judged(f->asked->context, &j->result);
    }
    lu_json_free(&json);
    return status;
}

/* ---- models that lie in a run ---- */

lu_status lu_eval_metric(const lu_game *game, const lu_settings *settings, const char **name,
                         lu_error *error) {
    const char *wish = lu_settings_text_of(settings, "eval.metric");
    if (lu_settings_count(settings, "eval.opponents") > 0) {
        *name = "score";
        return game->seats > 1
                   ? LU_OK
                   : lu_fail(error, LU_BAD_VALUE, "'eval.opponents': %s is a single-player game",
                             game->name);
    }
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

/* All of eval.anchors can be opened. */
static lu_status check_anchors(const lu_episode *episode, const lu_settings *settings,
                               const char *runs, lu_error *error) {
    size_t count = lu_settings_count(settings, "eval.anchors");
    lu_status status = count > 0 ? lu_match_check_sides(episode, error) : LU_OK;
    if (count > EVALUATOR_ANCHORS) {
        return lu_fail(error, LU_BAD_VALUE, "'eval.anchors' has %zu players; the maximum is %d",
                       count, EVALUATOR_ANCHORS);
    }
    for (size_t i = 0; i < count && status == LU_OK; i++) {
        lu_text name = LU_TEXT_INIT;
        lu_player player = {0};
        lu_anchor_read(lu_settings_nth(settings, "eval.anchors", i), &name);
        status = lu_player_open(&player, name.text, episode->game, lu_run_find_player, runs, error);
        if (status == LU_OK) {
            lu_player_close(&player);
        }
        lu_text_free(&name);
    }
    return status;
}

/* The game can be played by eval.game. */
static lu_status check_game(const lu_game *game, const lu_settings *settings, lu_error *error) {
    lu_episode episode;
    lu_error why = {0};
    lu_settings *own = lu_game_override(settings, "eval.game", game, settings, &why);
    lu_status status =
        own ? lu_episode_open(&episode, game, own, lu_game_options(game), &why) : why.status;
    if (status != LU_OK) {
        return lu_fail(error, status, "'eval.game': %s", why.text);
    }
    lu_episode_close(&episode);
    return LU_OK;
}

lu_status lu_eval_ready(const lu_episode *episode, const lu_settings *settings, const char *runs,
                        lu_error *error) {
    const char *metric;
    size_t named = lu_settings_count(settings, "eval.opponents");
    lu_status status = lu_eval_metric(episode->game, settings, &metric, error);
    LU_THEN(status, check_game(episode->game, settings, error));
    LU_THEN(status, check_anchors(episode, settings, runs, error));
    if (status != LU_OK || named == 0) {
        return status;
    }
    int count = 0;
    lu_player *list = lu_alloc_zero(named, sizeof *list);
    status = lu_match_check_sides(episode, error);
    LU_THEN(status, open_players(settings, episode->game, runs, list, &count, error));
    close_players(list, count);
    return status;
}

lu_status lu_eval_check(const char *folder, const lu_model_file *file, const lu_rules *rules,
                        lu_error *error) {
    lu_manifest manifest;
    lu_status status = lu_manifest_read(folder, &manifest, error);
    uint64_t now = status == LU_OK ? lu_agent_probe(file, rules, NULL) : 0;
    if (status == LU_OK && now != manifest.probe) {
        status = lu_fail(error, LU_CHECK_FAILED,
                         "%s: the net answers differently after loading (%016" PRIx64
                         ") than in training (%016" PRIx64 ")",
                         folder, now, manifest.probe);
    }
    return status;
}

/* ---- the same figures again ---- */

void lu_eval_checkpoint(const lu_player *p, lu_text *folder) {
    const char *slash = p->path ? strrchr(p->path, '/') : NULL;
    /* a published model has a name too, but its own beside others */
    if (slash && strcmp(p->name, p->path) != 0 && strcmp(slash + 1, RUN_MODEL) == 0) {
        lu_text_add_n(folder, p->path, (size_t)(slash - p->path));
    }
}

/* The model's game as eval.game has it. */
static lu_status play_by(const lu_settings *eval, lu_model_file *file, bool *other,
                         lu_error *error) {
    *other = *lu_settings_text_of(eval, "eval.game");
    if (*other) {
        lu_settings *game = lu_game_override(eval, "eval.game", file->game, file->settings, error);
        if (!game) {
            return error->status;
        }
        lu_settings_delete(file->settings);
        file->settings = game;
    }
    return LU_OK;
}

lu_status lu_eval_plan_again(lu_eval_again *again, lu_match *m, lu_player *own, lu_player *opponent,
                             lu_error *error) {
    const lu_algorithm *algorithm;
    lu_manifest manifest;
    const lu_game *game = own->file->game;
    lu_text run = LU_TEXT_INIT;
    lu_settings *settings = lu_settings_new();
    lu_text_addf(&run, "%s/../..", again->checkpoint);
    lu_status status = read_settings(run.text, settings, &algorithm, error);
    LU_THEN(status, lu_manifest_read(again->checkpoint, &manifest, error));
    LU_THEN(status, play_by(settings, own->file, &again->other_game, error));
    if (status == LU_OK) {
        own->best_share = again->greedy ? best_share(settings, algorithm, &manifest) : 0.0;
        m->episodes = (int)lu_settings_int(settings, "eval.episodes");
        own->greedy = own->greedy || (again->greedy && lu_settings_bool(settings, "eval.greedy"));
    }
    if (status == LU_OK && again->opponents && lu_settings_count(settings, "eval.opponents") > 0) {
        m->seatings = game->seats;
        m->episodes *= game->seats;
        status = open_player(settings, 0, game, again->runs, opponent, error);
        opponent->best_share = own->best_share;
        again->seated = status == LU_OK;
    }
    lu_text_free(&run);
    lu_settings_delete(settings);
    return status;
}

/* ---- judging ---- */

/* The model of a checkpoint, with the game as it was trained for. */
static lu_status open_model(judging *j, const char *folder, lu_error *error) {
    lu_text path = LU_TEXT_INIT;
    lu_model_file *file = lu_model_file_load(run_join(&path, folder, RUN_MODEL), error);
    lu_text_free(&path);
    if (!file) {
        return error->status;
    }
    j->agent = (lu_player){.kind = LU_PLAYER_AGENT, .name = j->f->id, .file = file};
    j->agent.greedy = chooses_best(j->f->settings, file);
    j->agent.best_share = best_share(j->f->settings, j->f->algorithm, &j->manifest);
    for (int i = 0; i < j->f->opponents; i++) {
        j->f->opponent[i].best_share = j->agent.best_share;
    }
    lu_settings *settings = lu_game_settings(file->game);
    lu_settings_take(settings, file->settings, LU_FROM_FILE, "the model");
    lu_status status =
        lu_episode_open(&j->s, file->game, settings, lu_game_options(file->game), error);
    LU_THEN(status, lu_eval_check(folder, file, j->s.rules, error));
    if (status != LU_OK || !*lu_settings_text_of(j->f->settings, "eval.game")) {
        return status;
    }
    settings = lu_game_override(j->f->settings, "eval.game", file->game, j->s.settings, error);
    lu_episode_close(&j->s);
    return settings
               ? lu_episode_open(&j->s, file->game, settings, lu_game_options(file->game), error)
               : error->status;
}

/* A league that cannot be rated, as one with a model that is gone, is only told. */
static lu_status rate_league(judging *j, lu_error *error) {
    lu_error why = {0};
    lu_status status = evaluation_league(j, &why);
    if (status == LU_INTERRUPTED) {
        return lu_fail(error, status, "%s", why.text);
    }
    if (status != LU_OK) {
        note(j->f, "the league was not rated: ", &why);
    }
    return LU_OK;
}

static lu_status judge(follower *f, int64_t window, lu_error *error) {
    lu_text folder = LU_TEXT_INIT;
    judging j = {.f = f, .result = {.window = window}, .began = lu_clock_seconds()};
    lu_text_init(&j.place);
    lu_json_init(&j.standings);
    lu_run_window_path(f->run, window, &folder);
    lu_text_addf(&j.place, "%s/" RUN_REPLAYS "/" RUN_UNDONE "%" PRId64, f->run, window);
    (void)lu_folder_remove(j.place.text, NULL);
    lu_status status = lu_manifest_read(folder.text, &j.manifest, error);
    LU_THEN(status, open_model(&j, folder.text, error));
    LU_THEN(status, evaluation_play(&j, error));
    LU_THEN(status, evaluation_bots(&j, error));
    LU_THEN(status, rate_league(&j, error)); /* first: the row of the window ends its judging */
    LU_THEN(status, write_row(&j, error));
    (void)lu_folder_remove(j.place.text, NULL);
    free(j.values);
    free(j.worth);
    free(j.order);
    lu_match_free(&j.m);
    lu_episode_close(&j.s);
    lu_player_close(&j.agent);
    lu_json_free(&j.standings);
    lu_text_free(&j.place);
    lu_text_free(&folder);
    return status;
}

/* ---- following ---- */

/* The next window to judge: closed, and with another model than the one that was judged; -1 when
 * there is none. Windows before the newest one stay as they are, and are looked at once. */
static int64_t next_window(follower *f) {
    lu_text path = LU_TEXT_INIT;
    lu_manifest m;
    int64_t newest = lu_run_newest_window(f->run), found = -1;
    newest = newest < MOST_WINDOWS ? newest : MOST_WINDOWS - 1;
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
            LU_THEN(status, judge(f, window, error));
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
