/* Studies of rewards: see ludus/ablate_study.h. */
#include "ludus/ablate_study.h"

#include "ludus/clock.h"
#include "ludus/file.h"
#include "ludus/report.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- what is asked for ---- */

static void add_term(lu_ablate_study *a, int term) {
    lu_ablate_report *r = &a->report;
    for (int i = 0; i < r->rows; i++) {
        if (r->row[i].term == term) {
            return;
        }
    }
    r->row[r->rows++] = (lu_ablate_row){.term = term, .weight = a->episode->rules->weight[term]};
}

static lu_status add_named(lu_ablate_study *a, const char *name, lu_error *error) {
    const lu_game *game = a->episode->game;
    const char *names[LU_MAX_TERMS];
    for (int t = 0; t < game->terms; t++) {
        names[t] = game->term[t].name;
        if (strcmp(names[t], name) != 0) {
            continue;
        }
        if (a->episode->rules->weight[t] == 0) {
            return lu_fail(error, LU_BAD_VALUE,
                           "'terms': the weight of '%s' is already 0, so leaving it out changes "
                           "nothing: set one with --reward.%s",
                           name, name);
        }
        add_term(a, t);
        return LU_OK;
    }
    const char *near = lu_nearest(name, names, (size_t)game->terms);
    return near ? lu_fail(error, LU_BAD_VALUE,
                          "'terms': %s has no reward term '%.100s'; did you mean '%s'?", game->name,
                          name, near)
                : lu_fail(error, LU_BAD_VALUE,
                          "'terms': %s has no reward term '%.100s'; `ludus spec %s` lists them",
                          game->name, name, game->name);
}

lu_status lu_ablate_terms(lu_ablate_study *a, const char *list, lu_error *error) {
    const lu_game *game = a->episode->game;
    lu_status status = LU_OK;
    for (int t = 0; !*list && t < game->terms; t++) {
        if (a->episode->rules->weight[t] != 0) {
            add_term(a, t);
        }
    }
    for (const char *at = *list ? list : NULL; at && status == LU_OK;) {
        size_t length = strcspn(at, ",");
        char *name = lu_strdup(at);
        name[length] = 0;
        status = add_named(a, name, error);
        free(name);
        at = at[length] ? at + length + 1 : NULL;
    }
    if (status == LU_OK && a->report.rows == 0) {
        status = lu_fail(error, LU_BAD_VALUE,
                         "every reward term of %s has weight 0 under these settings: there is "
                         "nothing to leave out",
                         game->name);
    }
    return status;
}

lu_status lu_ablate_figures(lu_ablate_study *a, const char *name, lu_error *error) {
    const lu_game *game = a->episode->game;
    lu_match_figure list[LU_MATCH_FIGURES];
    lu_match m = {.episode = a->episode};
    int count = lu_match_figures(&m, 0, list), metric = lu_match_headline(game, list, count);
    lu_status status = *name ? lu_match_figure_find(list, count, name, &metric, error) : LU_OK;
    if (status == LU_OK && metric == 0) {
        status = *name
                     ? lu_fail(error, LU_BAD_VALUE,
                               "returns cannot be compared, since each training has its own "
                               "reward: choose a --metric from `ludus spec %s`",
                               game->name)
                     : lu_fail(error, LU_BAD_VALUE,
                               "%s has no headline metric: choose a --metric from `ludus spec %s`",
                               game->name, game->name);
    }
    int success = lu_match_success(list, count);
    a->report.figures = success >= 0 && success != metric ? 2 : 1;
    a->index[0] = metric;
    a->index[1] = success;
    for (int f = 0; f < a->report.figures; f++) {
        a->report.figure[f] = list[a->index[f]].name;
    }
    return status;
}

int lu_ablate_total(const lu_ablate_study *a) {
    return (a->report.rows + 1) * a->report.trainings;
}

/* ---- trainings ---- */

typedef struct watching {
    const lu_ablate_study *a;
    const char *name;
} watching;

static bool watch(void *context, double share) {
    const watching *w = context;
    char what[200];
    int all = lu_ablate_total(w->a);
    snprintf(what, sizeof what, "training %d of %d, %s%s", w->a->done + 1, all, w->name,
             lu_watch_stops(w->a->watch) ? ": its update ends" : "");
    lu_watch_tell(w->a->watch, (w->a->done + share) / all, what);
    return lu_watch_stops(w->a->watch);
}

static bool stops(void *context) {
    const lu_ablate_study *a = context;
    return lu_watch_stops(a->watch);
}

static void show(void *context, const lu_match *m) {
    const lu_ablate_study *a = context;
    char what[80];
    snprintf(what, sizeof what, "policy: %d of %d episodes", m->played, m->episodes);
    lu_watch_tell(a->watch, (double)m->played / m->episodes, what);
}

/* Plays the evaluation seeds with a policy and keeps the figures of `training` in a row of values.
 */
static lu_status judge(lu_ablate_study *a, const char *path, int row, int training,
                       lu_error *error) {
    const lu_ablate_report *r = &a->report;
    lu_model_file *file = lu_model_file_load(path, error);
    if (!file) {
        return error->status;
    }
    if (file->game != r->game || file->seed != r->first_training + (uint64_t)training) {
        lu_model_file_delete(file);
        return lu_fail(error, LU_OTHER_SPEC,
                       "%s is from another training: remove it to train again", path);
    }
    lu_player policy = {.kind = LU_PLAYER_AGENT,
                        .name = "policy",
                        .file = file,
                        .greedy = r->greedy || lu_net_kind_of(file->net) == LU_NET_Q};
    lu_match m = {.episode = a->episode,
                  .player = {&policy, a->opponent},
                  .first_seed = r->first_seed,
                  .episodes = r->episodes,
                  .threads = a->threads,
                  .context = a,
                  .stop = stops,
                  .progress = show};
    a->report.greedy = policy.greedy;
    lu_status status = lu_match_play(&m, error);
    lu_match_figure list[LU_MATCH_FIGURES];
    lu_match_figures(&m, 0, list);
    for (int f = 0; f < r->figures && status == LU_OK; f++) {
        for (int e = 0; e < r->episodes; e++) {
            a->values[f][row][(size_t)training * (size_t)r->episodes + (size_t)e] =
                lu_match_figure_value(&list[a->index[f]], e);
        }
    }
    lu_match_free(&m);
    lu_model_file_delete(file);
    return status;
}

static double mean_of(const lu_ablate_study *a, int f, int row, int training) {
    double sum = 0;
    for (int e = 0; e < a->report.episodes; e++) {
        sum += a->values[f][row][(size_t)training * (size_t)a->report.episodes + (size_t)e];
    }
    return sum / a->report.episodes;
}

static void tell(const lu_ablate_study *a, int row, int training, lu_ablate_trained *told) {
    for (int f = 0; f < a->report.figures; f++) {
        told->mean[f] = mean_of(a, f, row, training);
    }
    if (a->trained) {
        a->trained(a->context, told);
    }
}

/* One training of a row of values: the baseline's is the first. */
static lu_status train_one(lu_ablate_study *a, int row, int training, lu_error *error) {
    int term = row == 0 ? LU_BASELINE : a->report.row[row - 1].term;
    lu_ablate_trained told = {.term = term, .seed = a->report.first_training + (uint64_t)training};
    bool there = lu_ablation_has(a->ablation, term, told.seed);
    double began = lu_clock_seconds();
    lu_text name = LU_TEXT_INIT, path = LU_TEXT_INIT;
    lu_text_addf(&name, "%s%s, seed %" PRIu64, row == 0 ? "baseline" : "without ",
                 row == 0 ? "" : a->report.game->term[term].name, told.seed);
    watching w = {a, name.text};
    lu_error why = {0};
    lu_status status = lu_watch_stops(a->watch) ? LU_INTERRUPTED
                                                : lu_ablation_train(a->ablation, term, told.seed,
                                                                    a->threads, watch, &w, &why);
    if (status != LU_OK) {
        lu_fail(error, status, "training %s: %.800s", name.text, why.text);
    }
    told.seconds = there ? -1 : lu_clock_seconds() - began;
    if (status == LU_OK) {
        lu_ablation_policy(a->ablation, term, told.seed, &path);
        status = judge(a, path.text, row, training, error);
    }
    if (status == LU_OK) {
        a->done++;
        told.name = name.text;
        tell(a, row, training, &told);
    }
    lu_text_free(&name);
    lu_text_free(&path);
    return status;
}

static lu_status train_all(lu_ablate_study *a, lu_error *error) {
    const lu_ablate_report *r = &a->report;
    lu_status status = LU_OK;
    for (int t = 0; t < r->trainings && status == LU_OK; t++) {
        for (int row = 0; row <= r->rows && status == LU_OK; row++) {
            status = train_one(a, row, t, error);
        }
    }
    if (status == LU_INTERRUPTED) {
        lu_fail(error, LU_INTERRUPTED,
                "interrupted after %d of %d trainings; everything done is kept in %s; repeat the "
                "command to resume",
                a->done, lu_ablate_total(a), r->folder);
    }
    return status;
}

/* ---- the result ---- */

static bool turned(const lu_ablate_report *r, int f) {
    return f == 0 && r->lower;
}

static lu_verdict verdict_of(const lu_effect *e, bool lower) {
    return e->low > 0    ? (lower ? LU_WORSE : LU_BETTER)
           : e->high < 0 ? (lower ? LU_BETTER : LU_WORSE)
                         : LU_UNDECIDED;
}

const char *lu_ablate_reading(lu_verdict verdict) {
    return verdict == LU_BETTER ? "helps" : verdict == LU_WORSE ? "harms" : "no effect shown";
}

static int by_effect(const void *a, const void *b) {
    const lu_ablate_row *x = a, *y = b;
    double left = x->effect[0].mean, right = y->effect[0].mean;
    return left != right ? (left < right) - (left > right) : x->term - y->term;
}

static void judge_rows(lu_ablate_report *r) {
    for (int i = 0; i < r->rows; i++) {
        for (int f = 0; f < r->figures; f++) {
            r->row[i].verdict[f] = verdict_of(&r->row[i].effect[f], turned(r, f));
        }
    }
    qsort(r->row, (size_t)r->rows, sizeof *r->row, by_effect);
    for (int i = 0; r->lower && i < r->rows / 2; i++) {
        lu_ablate_row row = r->row[i];
        r->row[i] = r->row[r->rows - 1 - i];
        r->row[r->rows - 1 - i] = row;
    }
}

static void write_seeds(lu_json *json, const char *key, uint64_t first, int count) {
    lu_json_key_array(json, key);
    lu_json_uint(json, first);
    lu_json_uint(json, first + (uint64_t)count - 1);
    lu_json_array_end(json);
}

static void write_row(const lu_ablate_report *r, const lu_ablate_row *row, lu_json *json) {
    lu_json_object(json);
    lu_json_key_string(json, "term", r->game->term[row->term].name);
    lu_json_key_real(json, "weight", row->weight);
    lu_json_key_string(json, "reading", lu_ablate_reading(row->verdict[0]));
    lu_json_key_object(json, "figures");
    for (int f = 0; f < r->figures; f++) {
        lu_json_key_object(json, r->figure[f]);
        lu_effect_write(&row->effect[f], json);
        lu_json_key_string(json, "reading", lu_ablate_reading(row->verdict[f]));
        lu_json_object_end(json);
    }
    lu_json_object_end(json);
    lu_json_object_end(json);
}

void lu_ablate_write(const lu_ablate_report *r, lu_json *json) {
    lu_json_key_int(json, "schema", 1);
    lu_json_key_string(json, "game", r->game->id);
    lu_json_key_string(json, "algorithm", r->algorithm);
    lu_json_key_string(json, "folder", r->folder);
    lu_json_key_int(json, "steps", r->steps);
    write_seeds(json, "train_seeds", r->first_training, r->trainings);
    write_seeds(json, "seeds", r->first_seed, r->episodes);
    lu_json_key_string(json, "covers",
                       r->trainings > 1 ? "training and evaluation seeds" : "evaluation seeds");
    if (r->opponent) {
        lu_json_key_string(json, "opponent", r->opponent);
    }
    lu_json_key_bool(json, "greedy", r->greedy);
    lu_json_key_string(json, "metric", r->figure[0]);
    lu_json_key_bool(json, "lower", r->lower);
    lu_json_key_raw(json, "settings", r->settings);
    lu_json_key_array(json, "terms");
    for (int i = 0; i < r->rows; i++) {
        write_row(r, &r->row[i], json);
    }
    lu_json_array_end(json);
}

static lu_status write_result(const lu_ablate_report *r, lu_error *error) {
    lu_json json = LU_JSON_INIT;
    lu_text path = LU_TEXT_INIT;
    lu_text_addf(&path, "%s/result.json", r->folder);
    lu_json_object(&json);
    lu_json_key_string(&json, "event", "result");
    lu_ablate_write(r, &json);
    lu_json_object_end(&json);
    lu_status status = lu_file_write(path.text, json.text, json.length, error);
    lu_json_free(&json);
    lu_text_free(&path);
    return status;
}

lu_status lu_ablate_run(lu_ablate_study *a, lu_error *error) {
    lu_ablate_report *r = &a->report;
    for (int f = 0; f < r->figures; f++) {
        a->values[f] = lu_alloc_zero((size_t)r->rows + 1, sizeof *a->values[f]);
        for (int i = 0; i <= r->rows; i++) {
            a->values[f][i] =
                lu_alloc_zero((size_t)r->trainings * (size_t)r->episodes, sizeof(double));
        }
    }
    LU_TRY(train_all(a, error));
    for (int i = 0; i < r->rows; i++) {
        for (int f = 0; f < r->figures; f++) {
            r->row[i].effect[f] = lu_compare_trainings(a->values[f][0], a->values[f][i + 1],
                                                       r->trainings, r->episodes);
        }
    }
    judge_rows(r);
    return write_result(r, error);
}

void lu_ablate_free(lu_ablate_study *a) {
    for (int f = 0; f < LU_ABLATE_FIGURES; f++) {
        for (int i = 0; a->values[f] && i <= a->report.rows; i++) {
            free(a->values[f][i]);
        }
        free(a->values[f]);
        a->values[f] = NULL;
    }
}
