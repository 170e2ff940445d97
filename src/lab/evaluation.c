/* One window that is judged: its episodes, the metric seed by seed, whether it is the best so far,
 * the replays that are kept, and the row that tells all this. With eval.opponents it plays against
 * each of them, in every seat of each seed, and its score is the metric. */
#include "evaluator_internal.h"

#include "ludus/clock.h"
#include "ludus/contest.h"
#include "ludus/file.h"
#include "ludus/hash.h"
#include "ludus/seeds.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- figures ---- */

static void take_metric(judging *j) {
    const lu_game *game = j->s.game;
    int info = lu_game_info_index(game, j->result.metric);
    for (int e = 0; e < j->m.episodes; e++) {
        j->worth[e] = info < 0 ? lu_match_return(&j->m, e, 0) : lu_match_info(&j->m, e, 0)[info];
        j->values[e] = j->worth[e];
    }
    j->result.value =
        lu_summarise(j->values, j->f->seeds, info >= 0 && game->info[info].kind == LU_INFO_FLAG);
}

/* By the metric, then by the return. */
static bool is_better(const judging *j, int a, int b) {
    return j->worth[a] != j->worth[b] ? j->worth[a] > j->worth[b]
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
    j->against = lu_compare_pairs(j->values, f->best_values, f->seeds, margin);
    j->result.best = j->against.verdict == LU_BETTER;
}

/* ---- opponents ---- */

/* Points of a match, as a share of all matches, are added to the values of its seeds; the standing
 * tells them apart by opponent. */
static void take_points(judging *j, const lu_match *m, const lu_player *opponent) {
    int counts[3] = {0}, seats = j->s.game->seats;
    double *own = lu_alloc_zero((size_t)j->f->seeds, sizeof *own);
    for (int e = 0; e < m->episodes; e++) {
        double points = lu_match_points(m, e);
        counts[(int)(2 * points)]++;
        own[e / seats] += points / seats;
        j->values[e / seats] += points / seats / j->f->opponents;
    }
    lu_summary score = lu_summarise(own, j->f->seeds, false);
    lu_json *json = &j->standings;
    lu_json_object(json);
    lu_json_key_string(json, "name", opponent->name);
    lu_json_key_int(json, "wins", counts[2]);
    lu_json_key_int(json, "draws", counts[1]);
    lu_json_key_int(json, "losses", counts[0]);
    lu_json_key_real(json, "elo", lu_score_elo(score.mean));
    lu_json_key_object(json, "score");
    lu_summary_write(&score, json);
    lu_json_object_end(json);
    lu_json_object_end(json);
    free(own);
}

static lu_status play_opponents(judging *j, lu_error *error) {
    lu_status status = lu_match_check_sides(&j->s, error);
    const lu_match plan = j->m;
    lu_json_array(&j->standings);
    for (int i = 0; i < j->f->opponents && status == LU_OK; i++) {
        lu_match m = plan;
        m.player[1] = &j->f->opponent[i];
        m.record = i == 0 ? plan.record : NULL;
        status = lu_match_play(&m, error);
        if (status == LU_OK) {
            take_points(j, &m, m.player[1]);
        }
        if (i == 0) { /* what is told of episodes is told of the first one */
            j->m = m;
        } else {
            lu_match_free(&m);
        }
    }
    lu_json_array_end(&j->standings);
    for (int e = 0; e < j->m.episodes && status == LU_OK; e++) {
        j->worth[e] = lu_match_points(&j->m, e);
    }
    j->result.value = lu_summarise(j->values, j->f->seeds, false);
    return status;
}

/* ---- playing ---- */

static lu_status play_alone(judging *j, lu_error *error) {
    lu_status status = lu_match_play(&j->m, error);
    if (status == LU_OK) {
        take_metric(j);
    }
    return status;
}

lu_status evaluation_play(judging *j, lu_error *error) {
    const follower *f = j->f;
    int seatings = f->opponents > 0 ? j->s.game->seats : 1;
    size_t episodes = (size_t)f->seeds * (size_t)seatings;
    j->m = (lu_match){.episode = &j->s,
                      .player = {&j->agent},
                      .seatings = seatings,
                      .record = j->place.text,
                      .first_seed = LU_PUBLIC_FIRST,
                      .episodes = (int)episodes,
                      .threads = (int)lu_settings_int(f->settings, "eval.threads"),
                      .context = f->asked->context,
                      .stop = f->asked->stop,
                      .progress = f->asked->progress};
    j->values = lu_alloc_zero((size_t)f->seeds, sizeof *j->values);
    j->worth = lu_alloc_zero(episodes, sizeof *j->worth);
    j->order = lu_alloc_zero(episodes, sizeof *j->order);
    lu_status status = lu_eval_metric(j->s.game, f->settings, &j->result.metric, error);
    LU_THEN(status, f->opponents > 0 ? play_opponents(j, error) : play_alone(j, error));
    if (status == LU_OK) {
        take_order(j);
        take_best(j);
    }
    return status;
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
    lu_text tag = LU_TEXT_INIT, between = LU_TEXT_INIT;
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
    lu_json_key_array(json, "tags");
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
    if (m->seatings > 1) {
        lu_json_key_int(json, "seat", lu_match_seat(m, e, 0));
    }
    write_tags(j, k, e, json);
    lu_json_key_real(json, "return", lu_match_return(m, e, 0));
    lu_json_key_real(json, "value", j->worth[e]);
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
    lu_text from = LU_TEXT_INIT, to = LU_TEXT_INIT;
    char *bytes, id[64];
    size_t length;
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
    lu_json_key_array(json, "replays");
    for (int k = 0; k < count && k < j->m.episodes && status == LU_OK; k++) {
        status = keep_replay(j, k, json, error);
    }
    lu_json_array_end(json);
    return status;
}

/* ---- the row ---- */

static void write_head(const judging *j, lu_json *json) {
    char now[LU_CLOCK_TEXT];
    lu_json_key_string(json, "run_id", j->f->id);
    lu_json_key_int(json, "window_id", j->result.window);
    lu_json_key_int(json, "update", j->manifest.update);
    lu_json_key_int(json, "env_steps", j->manifest.steps);
    lu_json_key_hex(json, "probe", j->manifest.probe);
    lu_json_key_string(json, "written", lu_clock_utc(now, sizeof now));
    lu_json_key_real(json, "seconds", lu_clock_seconds() - j->began);
    lu_json_key_string(json, "metric", j->result.metric);
    lu_json_key_object(json, "seeds");
    lu_json_key_int(json, "first", (int64_t)j->m.first_seed);
    lu_json_key_int(json, "count", j->f->seeds);
    lu_json_object_end(json);
    lu_json_key_bool(json, "greedy", j->agent.greedy);
    if (j->agent.best_share > 0.0) {
        lu_json_key_real(json, "best_share", j->agent.best_share);
    }
    lu_json_key_object(json, "value");
    lu_summary_write(&j->result.value, json);
    lu_json_object_end(json);
}

static void write_figures(const judging *j, lu_json *json) {
    bool compared = j->f->best >= 0;
    lu_json_key_array(json, "values");
    for (int e = 0; e < j->f->seeds; e++) {
        lu_json_real(json, j->values[e]);
    }
    lu_json_array_end(json);
    lu_json_key_bool(json, "best", j->result.best);
    lu_json_key_int(json, "best_window", j->result.best ? j->result.window : j->f->best);
    if (compared) {
        lu_json_key_object(json, "against_best");
        lu_pairing_write(&j->against, json);
        lu_json_object_end(json);
    }
    evaluation_write_bots(j, json);
    if (j->f->opponents > 0) {
        lu_json_key(json, "opponents");
        lu_json_raw(json, j->standings.text, j->standings.length);
    }
    lu_json_key_object(json, "report");
    lu_match_write(&j->m, json);
    lu_json_key_bool(json, "greedy", j->agent.greedy);
    lu_json_key_int(json, "env_steps", j->agent.file->step);
    lu_json_object_end(json);
}

lu_status evaluation_write(judging *j, lu_json *json, lu_error *error) {
    lu_json_object(json);
    write_head(j, json);
    write_figures(j, json);
    lu_status status = keep_replays(j, json, error);
    lu_json_object_end(json);
    return status;
}
