/* Players of a training's other seats: see opponents.h. Models are opened when they are to sit
 * somewhere and closed when they do not any more; which these are follows from league, seed and
 * update alone, so that a resumed training seats the same. */
#include "opponents_internal.h"

#include "ludus/file.h"
#include "ludus/preset.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_TARGETS = 64 };

/* ---- players ---- */

const char *opponents_runs(const opponents *o) {
    return o->plan.runs ? o->plan.runs : "";
}

static guest *find_guest(const opponents *o, const char *name) {
    for (int i = 0; i < o->guests; i++) {
        if (strcmp(o->guest[i]->name, name) == 0) {
            return o->guest[i];
        }
    }
    return NULL;
}

static guest *add_guest(opponents *o, const char *name) {
    guest *g = lu_alloc_zero(1, sizeof *g);
    snprintf(g->name, sizeof g->name, "%s", name);
    o->guest = lu_realloc(o->guest, (size_t)(o->guests + 1) * sizeof(guest *));
    o->guest[o->guests++] = g;
    return g;
}

static void close_guest(opponents *o, int at) {
    lu_player_close(&o->guest[at]->player);
    free(o->guest[at]);
    o->guest[at] = o->guest[--o->guests];
}

void opponents_leave(opponents *o) {
    for (int i = o->guests - 1; i >= 0; i--) {
        if (!o->guest[i]->seated) {
            close_guest(o, i);
        }
    }
}

/* The model of a window of this run. */
static lu_status open_window(const opponents *o, guest *g, int64_t window, lu_error *error) {
    lu_text path = LU_TEXT_INIT;
    lu_run_window_path(o->run, window, &path);
    lu_text_add(&path, "/" RUN_MODEL);
    g->player = (lu_player){.kind = LU_PLAYER_AGENT, .name = g->name};
    g->player.file = lu_model_file_load(path.text, error);
    lu_text_free(&path);
    return g->player.file ? LU_OK : error->status;
}

lu_status opponents_guest(opponents *o, const char *name, int64_t window, guest **found,
                          lu_error *error) {
    lu_error why;
    *found = find_guest(o, name);
    if (*found) {
        return LU_OK;
    }
    *found = add_guest(o, name);
    lu_status status = window >= 0 ? open_window(o, *found, window, &why)
                                   : lu_player_open(&(*found)->player, (*found)->name, o->plan.game,
                                                    lu_run_find_player, opponents_runs(o), &why);
    if (status != LU_OK) {
        close_guest(o, o->guests - 1);
        return lu_fail(error, status, "opponent %s: %s", name, why.text);
    }
    return LU_OK;
}

/* ---- a list ---- */

/* Entries without `self`, which is no player but a share of environments. */
static lu_status open_list(opponents *o, const char *key, lu_error *error) {
    const lu_settings *settings = o->plan.settings;
    const char *text = lu_settings_has(settings, key) ? lu_settings_text_of(settings, key) : "";
    lu_opponent_share *entry = lu_alloc_zero(LU_MAX_OPPONENTS, sizeof *entry);
    int count = 0;
    lu_status status = lu_opponent_shares_read(key, text, entry, &count, error);
    for (int i = 0; i < count && status == LU_OK; i++) {
        guest *g;
        if (strcmp(entry[i].name, "self") == 0) {
            continue;
        }
        g = add_guest(o, entry[i].name);
        status = lu_player_open(&g->player, g->name, o->plan.game, lu_run_find_player,
                                opponents_runs(o), error);
        lu_opponent *m = &o->member[o->members++];
        *m = (lu_opponent){.name = g->name, .share = entry[i].share, .bot = g->player.bot};
        if (g->player.file) {
            m->net = g->player.file->net;
            m->file = g->player.file;
            m->normaliser =
                g->player.file->observation.length ? &g->player.file->observation : NULL;
        }
    }
    free(entry);
    return status;
}

/* ---- by shares ---- */

league_rules opponents_rules(const opponents *o) {
    const lu_settings *s = o->plan.settings;
    return (league_rules){.size = (int)lu_settings_int(s, "league.size"),
                          .pfsp = lu_settings_enum(s, "league.weighting") == 1,
                          .power = lu_settings_real(s, "league.power")};
}

bool opponents_set(const opponents *o, const char *key) {
    return *lu_settings_text_of(o->plan.settings, key);
}

/* A script, and who was named: they stand for somebody, before a run is made. */
static lu_status open_named(opponents *o, lu_error *error) {
    const lu_settings *s = o->plan.settings;
    const lu_game *game = o->plan.game;
    guest *g;
    size_t targets = lu_settings_count(s, "self_play.targets");
    if (targets > MOST_TARGETS) {
        return lu_fail(error, LU_LIMIT, "'self_play.targets' names %zu players: at most %d",
                       targets, MOST_TARGETS);
    }
    const char *script = lu_settings_text_of(s, "self_play.script");
    const char *usual = lu_game_bot(game, "baseline") ? "baseline" : lu_game_strongest(game)->name;
    snprintf(o->script, sizeof o->script, "bot:%s", *script ? script : usual);
    lu_status status = opponents_guest(o, o->script, -1, &g, error);
    for (size_t i = 0; i < targets && status == LU_OK; i++) {
        status = opponents_guest(o, lu_settings_nth(s, "self_play.targets", i), -1, &g, error);
    }
    for (size_t i = 0; i < lu_settings_count(s, "league.members") && status == LU_OK; i++) {
        status = opponents_guest(o, lu_settings_nth(s, "league.members", i), -1, &g, error);
    }
    return status;
}

/* Games by settings of their own. */
static lu_status open_games(opponents *o, lu_error *error) {
    const lu_game *game = o->plan.game;
    lu_error why = {0};
    char key[64];
    for (int k = LU_PAST; k < LU_SCRIPT; k++) {
        snprintf(key, sizeof key, "self_play.%s_game", lu_opposite_names[k]);
        if (!opponents_set(o, key)) {
            continue;
        }
        lu_settings *own = lu_game_override(o->plan.settings, key, game, o->plan.settings, &why);
        lu_status status = own ? lu_episode_open(&o->game[k], game, own, NULL, &why) : why.status;
        if (status != LU_OK) {
            return lu_fail(error, status, "'%s': %s", key, why.text);
        }
    }
    return LU_OK;
}

/* Without a run nothing is kept that could join a league or be the newest. */
static lu_status check_run(const opponents *o, lu_error *error) {
    bool no_past = opponents_set(o, "self_play.past") && !opponents_set(o, "league.run") &&
                   lu_settings_count(o->plan.settings, "league.members") == 0;
    bool no_latest =
        opponents_set(o, "self_play.latest") && !opponents_set(o, "self_play.latest_run");
    if (o->plan.run || !(no_past || no_latest)) {
        return LU_OK;
    }
    return lu_fail(error, LU_BAD_VALUE,
                   "'self_play.%s' plays against checkpoints of the run, but none are kept here: "
                   "name players with '%s'",
                   no_past ? "past" : "latest",
                   no_past ? "league.members" : "self_play.latest_run");
}

static lu_status read_text(opponents *o, const lu_json_value *root, lu_error *error) {
    const char *latest = NULL;
    lu_status status = league_read(&o->league, root, error);
    LU_THEN(status, lu_json_get_int(root, "update", 0, INT64_MAX, &o->update, error));
    LU_THEN(status, lu_json_get_int(root, "newest", -1, INT64_MAX, &o->newest, error));
    LU_THEN(status, lu_json_get_text(root, "latest", &latest, error));
    if (status == LU_OK) {
        snprintf(o->latest, sizeof o->latest, "%s", latest);
        o->found = true;
    }
    const lu_json_value *turns = lu_json_get(root, "exploiters");
    if (turns) {
        LU_THEN(status, lu_json_get_int(turns, "turns", 0, INT64_MAX, &o->turns, error));
        LU_THEN(status, lu_json_get_int(turns, "update", 0, INT64_MAX, &o->turned, error));
        LU_THEN(status, lu_json_get_real(turns, "points", 0, 1, &o->exploited, error));
        if (lu_json_get(turns, "main_waited")) {
            LU_THEN(status,
                    lu_json_get_int(turns, "main_waited", 0, INT64_MAX, &o->main_waited, error));
            LU_THEN(status, lu_json_get_int(turns, "league_waited", 0, INT64_MAX, &o->league_waited,
                                            error));
        }
    }
    for (int k = 0; k < LU_OPPOSITES && status == LU_OK; k++) {
        status = lu_json_get_real(lu_json_get(root, "points"), lu_opposite_names[k], 0, 1,
                                  &o->points[k], error);
    }
    return status;
}

/* What the newest checkpoint of the run that is gone on with says. */
static lu_status read_league(opponents *o, lu_error *error) {
    char *text = NULL;
    size_t length = 0;
    lu_error why = {0}, wrong = {0};
    lu_json_document *document = NULL;
    lu_status status = run_load_league(o->plan.resume, &text, &length, &why);
    if (status == LU_OK) {
        document = lu_json_read(RUN_LEAGUE, text, length, &wrong);
        status = document ? read_text(o, lu_json_root(document), &wrong) : wrong.status;
        if (status != LU_OK) {
            lu_fail(&why, LU_DAMAGED_FILE, RUN_LEAGUE " of the newest checkpoint of %s: %.500s",
                    o->plan.resume, wrong.text);
        }
    }
    lu_json_close(document);
    free(text);
    return status == LU_OK ? LU_OK : run_not_resumed(&why, error);
}

/* The league of another run, as its newest checkpoint has it. */
static lu_status follow_league(opponents *o, lu_error *error) {
    const char *name = lu_settings_text_of(o->plan.settings, "league.run");
    lu_text path = LU_TEXT_INIT;
    league other = {0};
    char *text = NULL;
    size_t length = 0;
    lu_error why = {0};
    lu_status status = lu_run_find(opponents_runs(o), name, o->plan.game, &path, &why);
    LU_THEN(status, run_load_league(path.text, &text, &length, &why));
    lu_json_document *document =
        status == LU_OK ? lu_json_read(RUN_LEAGUE, text, length, &why) : NULL;
    if (status == LU_OK) {
        status = document ? league_read(&other, lu_json_root(document), &why) : why.status;
    }
    if (status == LU_OK) {
        league_follow(&o->league, &other, o->update);
    } else {
        lu_fail(error, status, "'league.run' = '%.200s': %.600s", name, why.text);
    }
    league_free(&other);
    lu_json_close(document);
    free(text);
    lu_text_free(&path);
    return status;
}

static lu_status open_shares(opponents *o, lu_error *error) {
    const lu_settings *s = o->plan.settings;
    league_rules rules = opponents_rules(o);
    o->by_share = true;
    o->exploited = 0.5;
    for (int k = 0; k < LU_OPPOSITES; k++) {
        o->points[k] = 0.5;
    }
    LU_TRY(check_run(o, error));
    LU_TRY(open_named(o, error));
    LU_TRY(open_games(o, error));
    if (o->plan.resume && *o->plan.resume) {
        return read_league(o, error);
    }
    for (size_t i = 0; i < lu_settings_count(s, "league.members"); i++) {
        league_join(&o->league, &rules, lu_settings_nth(s, "league.members", i), -1, 0);
    }
    return opponents_set(o, "league.run") ? follow_league(o, error) : LU_OK;
}

/* ---- opening ---- */

lu_status opponents_open(const opponents_plan *plan, opponents **found, lu_error *error) {
    char key[100];
    snprintf(key, sizeof key, "%s.opponents", plan->algorithm->prefix);
    opponents *o = lu_alloc_zero(1, sizeof *o);
    o->plan = *plan;
    o->newest = -1;
    lu_status status =
        lu_self_play_on(plan->settings) ? open_shares(o, error) : open_list(o, key, error);
    if (status != LU_OK || !(o->by_share || o->members > 0)) {
        opponents_close(o);
        o = NULL;
    }
    *found = o;
    return status;
}

void opponents_close(opponents *o) {
    if (!o) {
        return;
    }
    while (o->guests > 0) {
        close_guest(o, o->guests - 1);
    }
    for (int k = 0; k < LU_OPPOSITES; k++) {
        if (o->game[k].rules) {
            lu_episode_close(&o->game[k]);
        }
    }
    free(o->guest);
    free(o->chance);
    free(o->run);
    league_free(&o->league);
    free(o);
}

void opponents_of_run(opponents *o, const lu_run *run) {
    if (o) {
        o->run = lu_strdup(lu_run_path(run));
    }
}

void opponents_window_name(const opponents *o, int64_t window, char name[LU_OPPONENT_NAME]) {
    const char *slash = o->run ? strrchr(o->run, '/') : NULL;
    snprintf(name, LU_OPPONENT_NAME, "%.200s:%" PRId64, slash ? slash + 1 : "", window);
}

double opponents_progress(const lu_trainer *trainer, int64_t update) {
    double progress = (double)update / (double)lu_trainer_updates_total(trainer);
    return progress < 1.0 ? progress : 1.0;
}

/* ---- after an update ---- */

static void add_figure(lu_progress *p, const char *name, double value) {
    if (p->figures < LU_MAX_FIGURES) {
        p->figure[p->figures++] = (lu_figure){name, value};
    }
}

/* Of the kinds that are met. */
static void tell_figures(opponents *o, const lu_opponent_result *kinds, lu_progress *p) {
    static const char *const names[LU_OPPOSITES] = {"", "past_points", "target_points",
                                                    "latest_points", "script_points"};
    const bool met[LU_OPPOSITES] = {false, opponents_set(o, "self_play.past"),
                                    opponents_set(o, "self_play.target"),
                                    opponents_set(o, "self_play.latest"), o->scripted};
    for (int k = LU_PAST; k < LU_OPPOSITES; k++) {
        const lu_opponent_result *r = &kinds[k];
        if (r->episodes > 0) {
            o->points[k] = ((double)r->wins + 0.5 * (double)r->draws) / (double)r->episodes;
        }
        if (met[k]) {
            add_figure(p, names[k], o->points[k]);
        }
    }
    if (met[LU_PAST]) {
        add_figure(p, "league_members", o->league.count);
    }
    if (lu_settings_int(o->plan.settings, "league.main_exploiters") > 0) {
        add_figure(p, "exploiter_points", o->exploited);
    }
}

void opponents_learn(opponents *o, const lu_trainer *trainer, lu_progress *progress) {
    if (!o || !o->by_share) {
        return;
    }
    lu_opponent_result kinds[LU_OPPOSITES] = {0};
    lu_opponent_result *past = lu_alloc_zero((size_t)o->league.count + 1, sizeof *past);
    for (int m = 0; m < o->members && lu_trainer_has_opponents(trainer); m++) {
        lu_opponent_result r = lu_trainer_result(trainer, m);
        lu_opponent_result *kind = &kinds[o->chair[m].kind];
        kind->episodes += r.episodes;
        kind->wins += r.wins;
        kind->draws += r.draws;
        if (o->chair[m].kind == LU_PAST && o->chair[m].index >= 0) {
            past[o->chair[m].index] = r;
        }
    }
    league_rules rules = opponents_rules(o);
    rules.rate = lu_schedule_at(lu_settings_schedule(o->plan.settings, "league.rate"),
                                opponents_progress(trainer, o->update), (double)o->update);
    if (o->chance) {
        league_learn(&o->league, &rules, o->chance, past);
    }
    o->update = lu_trainer_updates(trainer);
    tell_figures(o, kinds, progress);
    free(past);
}

/* The net as it is now, read as the file will be that the checkpoint writes. */
static lu_status take_model(opponents *o, const lu_model_file *model, const char *name,
                            lu_error *error) {
    char *bytes = NULL;
    size_t length = 0;
    lu_status status = lu_model_file_write(model, &bytes, &length, error);
    lu_model_file *file = status == LU_OK ? lu_model_file_read(name, bytes, length, error) : NULL;
    if (file) {
        guest *g = add_guest(o, name);
        g->player = (lu_player){.kind = LU_PLAYER_AGENT, .name = g->name, .file = file};
    }
    free(bytes);
    return file ? LU_OK : error->status;
}

lu_status opponents_window(opponents *o, const lu_model_file *model, int64_t window,
                           lu_error *error) {
    if (!o || !o->by_share) {
        return LU_OK;
    }
    league_rules rules = opponents_rules(o);
    char name[LU_OPPONENT_NAME];
    bool latest = opponents_set(o, "self_play.latest") && !opponents_set(o, "self_play.latest_run");
    bool joins = opponents_set(o, "self_play.past") && !opponents_set(o, "league.run") &&
                 lu_settings_bool(o->plan.settings, "league.grows") &&
                 (window + 1) % lu_settings_int(o->plan.settings, "league.every") == 0;
    opponents_window_name(o, window, name);
    o->newest = window;
    if (joins) {
        league_join(&o->league, &rules, name, window, o->update);
    }
    return joins || latest ? take_model(o, model, name, error) : LU_OK;
}

lu_status opponents_renew(opponents *o, lu_trainer *trainer, lu_error *error) {
    if (!o || !o->by_share) {
        return LU_OK;
    }
    o->found = false;
    lu_status status = opponents_set(o, "league.run") ? follow_league(o, error) : LU_OK;
    LU_THEN(status, opponents_seat(o, trainer, error));
    return status;
}

/* ---- exploiters ---- */

int64_t opponents_exploiters(const opponents *o, bool main) {
    const lu_settings *s = o->plan.settings;
    int64_t own = main ? lu_settings_int(s, "league.main_exploiter_delay") : -1;
    int64_t delay = own < 0 ? lu_settings_int(s, "league.exploiter_delay") : own;
    return !o->by_share || o->update < delay
               ? 0
               : lu_settings_int(s, main ? "league.main_exploiters" : "league.league_exploiters");
}

bool opponents_turn_due(const opponents *o) {
    return o && o->update > o->turned && o->newest >= 0 &&
           o->update % lu_settings_int(o->plan.settings, "league.exploiter_updates") == 0 &&
           opponents_exploiters(o, true) + opponents_exploiters(o, false) > 0;
}

int64_t opponents_turns(const opponents *o, bool main) {
    return o->turns - (main ? o->main_waited : o->league_waited);
}

int64_t opponents_newest(const opponents *o) {
    return o->newest;
}

void opponents_join(opponents *o, const char *name) {
    league_rules rules = opponents_rules(o);
    league_join(&o->league, &rules, name, -1, o->update);
}

lu_status opponents_turned(opponents *o, double points, lu_trainer *trainer, lu_error *error) {
    o->turns++;
    o->turned = o->update;
    o->main_waited = opponents_exploiters(o, true) > 0 ? o->main_waited : o->turns;
    o->league_waited = opponents_exploiters(o, false) > 0 ? o->league_waited : o->turns;
    o->exploited = points;
    return opponents_seat(o, trainer, error);
}

char *opponents_text(const opponents *o) {
    if (!o || !o->by_share) {
        return NULL;
    }
    league_rules rules = opponents_rules(o);
    lu_json json = LU_JSON_INIT;
    lu_json_object(&json);
    lu_json_key_int(&json, "schema", 1);
    lu_json_key_int(&json, "update", o->update);
    lu_json_key_int(&json, "newest", o->newest);
    lu_json_key_string(&json, "latest", o->latest);
    lu_json_key_object(&json, "points");
    for (int k = 0; k < LU_OPPOSITES; k++) {
        lu_json_key_real(&json, lu_opposite_names[k], o->points[k]);
    }
    lu_json_object_end(&json);
    if (lu_settings_int(o->plan.settings, "league.main_exploiters") +
            lu_settings_int(o->plan.settings, "league.league_exploiters") >
        0) {
        lu_json_key_object(&json, "exploiters");
        lu_json_key_int(&json, "turns", o->turns);
        lu_json_key_int(&json, "update", o->turned);
        if (lu_settings_int(o->plan.settings, "league.main_exploiter_delay") >= 0) {
            lu_json_key_int(&json, "main_waited", o->main_waited);
            lu_json_key_int(&json, "league_waited", o->league_waited);
        }
        lu_json_key_real(&json, "points", o->exploited);
        lu_json_object_end(&json);
    }
    league_write(&o->league, &rules, &json);
    lu_json_object_end(&json);
    lu_json_newline(&json);
    return json.text;
}
