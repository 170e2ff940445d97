/* Players of a training's other seats: see opponents.h. Models are opened when they are to sit
 * somewhere and closed when they do not any more; which these are follows from league, seed and
 * update alone, so that a resumed training seats the same. */
#include "opponents.h"

#include "league.h"
#include "run_files.h"

#include "ludus/file.h"
#include "ludus/hash.h"
#include "ludus/player.h"
#include "ludus/self_play.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_TARGETS = 64 };

/* A player that is open. */
typedef struct guest {
    char name[LU_OPPONENT_NAME];
    lu_player player;
    bool seated;
} guest;

/* What a member of the roster stands for. */
typedef struct chair {
    lu_opposite kind;
    int index; /* in the league, of `past`; -1: the net that learns stands in */
} chair;

struct opponents {
    opponents_plan plan;
    int guests;
    guest **guest; /* each allocated alone: the roster keeps names and nets */
    int members;   /* of the roster */
    lu_opponent member[LU_MAX_OPPONENTS];
    /* by self_play.* */
    bool by_share;
    chair chair[LU_MAX_OPPONENTS];
    league league;
    double *chance;                /* of the league's members, as they are seated */
    int64_t update;                /* the next one */
    char *run;                     /* path of this run; NULL: none yet */
    int64_t newest;                /* closed window of this run; -1: none */
    char latest[LU_OPPONENT_NAME]; /* who sits there as the newest of another run; "": nobody */
    bool found;                    /* `latest` is that of the checkpoint: taken as it is, once */
    char script[LU_OPPONENT_NAME];
    bool scripted;               /* at some update it has a share */
    double points[LU_OPPOSITES]; /* share of the learner's, of the last update with such games */
};

/* ---- players ---- */

static const char *runs_of(const opponents *o) {
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

/* Those who sit nowhere leave. */
static void close_others(opponents *o) {
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

/* A player by name, or of a window of this run where that is not -1; opened where it is not yet. */
static lu_status open_guest(opponents *o, const char *name, int64_t window, guest **found,
                            lu_error *error) {
    lu_error why;
    *found = find_guest(o, name);
    if (*found) {
        return LU_OK;
    }
    *found = add_guest(o, name);
    lu_status status = window >= 0 ? open_window(o, *found, window, &why)
                                   : lu_player_open(&(*found)->player, (*found)->name, o->plan.game,
                                                    lu_run_find_player, runs_of(o), &why);
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
        status = lu_player_open(&g->player, g->name, o->plan.game, lu_run_find_player, runs_of(o),
                                error);
        lu_opponent *m = &o->member[o->members++];
        *m = (lu_opponent){.name = g->name, .share = entry[i].share, .bot = g->player.bot};
        if (g->player.file) {
            m->net = g->player.file->net;
            m->normaliser =
                g->player.file->observation.length ? &g->player.file->observation : NULL;
        }
    }
    free(entry);
    return status;
}

/* ---- by shares ---- */

static league_rules rules_of(const opponents *o) {
    const lu_settings *s = o->plan.settings;
    return (league_rules){.size = (int)lu_settings_int(s, "league.size"),
                          .pfsp = lu_settings_enum(s, "league.weighting") == 1,
                          .power = lu_settings_real(s, "league.power")};
}

static bool is_set(const opponents *o, const char *key) {
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
    lu_status status = open_guest(o, o->script, -1, &g, error);
    for (size_t i = 0; i < targets && status == LU_OK; i++) {
        status = open_guest(o, lu_settings_nth(s, "self_play.targets", i), -1, &g, error);
    }
    for (size_t i = 0; i < lu_settings_count(s, "league.members") && status == LU_OK; i++) {
        status = open_guest(o, lu_settings_nth(s, "league.members", i), -1, &g, error);
    }
    return status;
}

/* Without a run nothing is kept that could join a league or be the newest. */
static lu_status check_run(const opponents *o, lu_error *error) {
    bool no_past =
        is_set(o, "self_play.past") && lu_settings_count(o->plan.settings, "league.members") == 0;
    bool no_latest = is_set(o, "self_play.latest") && !is_set(o, "self_play.latest_run");
    if (o->plan.run || !(no_past || no_latest)) {
        return LU_OK;
    }
    return lu_fail(error, LU_BAD_VALUE,
                   "'self_play.%s' plays against checkpoints of the run, and none is kept here: "
                   "name players by '%s'",
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
    lu_error why;
    lu_status status = run_load_league(o->plan.resume, &text, &length, error);
    lu_json_document *document =
        status == LU_OK ? lu_json_read(RUN_LEAGUE, text, length, error) : NULL;
    if (status == LU_OK) {
        status = document ? read_text(o, lu_json_root(document), &why) : error->status;
    }
    if (document && status != LU_OK) {
        lu_fail(error, LU_DAMAGED_FILE,
                RUN_LEAGUE " of the newest checkpoint of %s: %s: remove this checkpoint to go on "
                           "from the one before",
                o->plan.resume, why.text);
        status = LU_DAMAGED_FILE;
    }
    lu_json_close(document);
    free(text);
    return status;
}

static lu_status open_shares(opponents *o, lu_error *error) {
    const lu_settings *s = o->plan.settings;
    league_rules rules = rules_of(o);
    o->by_share = true;
    for (int k = 0; k < LU_OPPOSITES; k++) {
        o->points[k] = 0.5;
    }
    LU_TRY(check_run(o, error));
    LU_TRY(open_named(o, error));
    if (o->plan.resume && *o->plan.resume) {
        return read_league(o, error);
    }
    for (size_t i = 0; i < lu_settings_count(s, "league.members"); i++) {
        league_join(&o->league, &rules, lu_settings_nth(s, "league.members", i), -1, 0);
    }
    return LU_OK;
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

/* ---- seating ---- */

/* One sitting: shares and manners of the next update. */
typedef struct sitting {
    opponents *o;
    double progress, share[LU_OPPOSITES];
} sitting;

static bool may_delay(const opponents *o, lu_opposite kind) {
    char key[64];
    snprintf(key, sizeof key, "self_play.%s_delay", lu_opposite_names[kind]);
    return kind != LU_SCRIPT && strcmp(lu_settings_text_of(o->plan.settings, key), "0") != 0;
}

/* A member of the roster. Without a guest the net that learns stands in. */
static void add_member(const sitting *s, lu_opposite kind, int index, guest *g, double share) {
    opponents *o = s->o;
    lu_opposite_manner manner =
        lu_self_play_manner(o->plan.settings, kind, s->progress, (double)o->update);
    lu_opponent *m = &o->member[o->members];
    *m = (lu_opponent){.name = g ? g->name : "self",
                       .share = share,
                       .self = !g,
                       .bot = g ? g->player.bot : NULL,
                       .greedy = manner.greedy,
                       .delay = manner.delay,
                       .delayed = manner.delayed,
                       .uniform = manner.uniform,
                       .delays = may_delay(o, kind)};
    /* the newest stays the same player when another checkpoint takes its place */
    m->id = lu_hash_text(kind == LU_LATEST ? "" : m->name, (uint64_t)kind + 1);
    if (g && g->player.file) {
        m->net = g->player.file->net;
        m->normaliser = g->player.file->observation.length ? &g->player.file->observation : NULL;
    }
    if (g) {
        g->seated = true;
    }
    o->chair[o->members++] = (chair){kind, index};
}

/* Of a league larger than league.loaded so many are drawn for an update; each game then draws one
 * of them evenly, so that every member has its chance. Weights by member, in games' chances. */
static void draw_loaded(const opponents *o, double *weight) {
    int count = o->league.count, most = (int)lu_settings_int(o->plan.settings, "league.loaded");
    char key[100];
    snprintf(key, sizeof key, "%s.seed", o->plan.algorithm->prefix);
    uint64_t seed = (uint64_t)lu_settings_int(o->plan.settings, key);
    lu_rng rng = lu_rng_from(lu_mix(seed, 8, (uint64_t)o->update));
    for (int i = 0; i < count; i++) {
        weight[i] = count <= most ? o->chance[i] : 0.0;
    }
    for (int n = 0; n < most && count > most; n++) {
        double x = lu_rng_unit(&rng);
        int i = 0;
        while (i + 1 < count && x >= o->chance[i]) {
            x -= o->chance[i++];
        }
        weight[i] += 1.0 / most;
    }
}

static lu_status seat_past(const sitting *s, lu_error *error) {
    opponents *o = s->o;
    league_rules rules = rules_of(o);
    size_t count = (size_t)o->league.count;
    double *weight = lu_alloc_zero(count + 1, sizeof *weight);
    lu_status status = LU_OK;
    o->chance = lu_realloc(o->chance, (count + 1) * sizeof *o->chance);
    league_chances(&o->league, &rules, o->chance);
    draw_loaded(o, weight);
    for (int i = 0; i < o->league.count && status == LU_OK; i++) {
        const league_member *m = &o->league.member[i];
        guest *g = NULL;
        if (weight[i] > 0.0) {
            status = open_guest(o, m->name, m->window, &g, error);
            if (status == LU_OK) {
                add_member(s, LU_PAST, i, g, s->share[LU_PAST] * weight[i]);
            }
        }
    }
    if (count == 0) {
        add_member(s, LU_PAST, -1, NULL, s->share[LU_PAST]);
    }
    free(weight);
    return status;
}

static lu_status seat_targets(const sitting *s, lu_error *error) {
    const lu_settings *settings = s->o->plan.settings;
    size_t count = lu_settings_count(settings, "self_play.targets");
    lu_status status = LU_OK;
    for (size_t i = 0; i < count && status == LU_OK; i++) {
        guest *g;
        status = open_guest(s->o, lu_settings_nth(settings, "self_play.targets", i), -1, &g, error);
        if (status == LU_OK) {
            add_member(s, LU_TARGET, 0, g, s->share[LU_TARGET] / (double)count);
        }
    }
    return status;
}

/* The newest closed window of another run as RUN:WINDOW; "" where it has none yet. */
static lu_status find_latest(opponents *o, lu_error *error) {
    lu_text path = LU_TEXT_INIT, folder = LU_TEXT_INIT;
    const char *name = lu_settings_text_of(o->plan.settings, "self_play.latest_run");
    lu_status status = lu_run_find(runs_of(o), name, o->plan.game, &path, error);
    int64_t window = status == LU_OK ? lu_run_newest_window(path.text) : -1;
    lu_manifest m = {0};
    for (; window >= 0 && !m.closed; window -= !m.closed) {
        lu_run_window_path(path.text, window, &folder);
        if (lu_manifest_read(folder.text, &m, NULL) != LU_OK) {
            m.closed = false;
        }
    }
    if (status == LU_OK && window < 0) {
        o->latest[0] = '\0';
    } else if (status == LU_OK && path.length > LU_OPPONENT_NAME - 24) {
        status =
            lu_fail(error, LU_LIMIT, "'self_play.latest_run': the path %s is too long", path.text);
    } else if (status == LU_OK) {
        snprintf(o->latest, sizeof o->latest, "%.220s:%" PRId64, path.text, window);
    }
    lu_text_free(&path);
    lu_text_free(&folder);
    return status;
}

static void window_name(const opponents *o, int64_t window, char name[LU_OPPONENT_NAME]) {
    const char *slash = o->run ? strrchr(o->run, '/') : NULL;
    snprintf(name, LU_OPPONENT_NAME, "%.200s:%" PRId64, slash ? slash + 1 : "", window);
}

static lu_status seat_latest(const sitting *s, lu_error *error) {
    opponents *o = s->o;
    bool other = is_set(o, "self_play.latest_run");
    char name[LU_OPPONENT_NAME] = "";
    guest *g = NULL;
    if (other && !o->found) {
        LU_TRY(find_latest(o, error));
    }
    o->found = false;
    if (other) {
        snprintf(name, sizeof name, "%s", o->latest);
    } else if (o->newest >= 0) {
        window_name(o, o->newest, name);
    }
    if (*name) {
        LU_TRY(open_guest(o, name, other ? -1 : o->newest, &g, error));
    }
    add_member(s, LU_LATEST, 0, g, s->share[LU_LATEST]);
    return LU_OK;
}

/* Share of the updates that are done. */
static double progress_of(const lu_trainer *trainer, int64_t update) {
    double progress = (double)update / (double)lu_trainer_updates_total(trainer);
    return progress < 1.0 ? progress : 1.0;
}

static bool has_script(const opponents *o, const lu_trainer *trainer) {
    int64_t total = lu_trainer_updates_total(trainer), step = total / 100000 + 1;
    double share[LU_OPPOSITES] = {0};
    for (int64_t u = 0; u < total && !(share[LU_SCRIPT] > 0.0); u += step) {
        lu_self_play_shares(o->plan.settings, progress_of(trainer, u), (double)u, share);
    }
    return share[LU_SCRIPT] > 0.0;
}

static lu_status seat_shares(opponents *o, lu_trainer *trainer, lu_error *error) {
    sitting s = {.o = o, .progress = progress_of(trainer, o->update)};
    guest *g;
    if (o->members == 0) {
        o->scripted = has_script(o, trainer);
    }
    lu_self_play_shares(o->plan.settings, s.progress, (double)o->update, s.share);
    o->members = 0;
    for (int i = 0; i < o->guests; i++) {
        o->guest[i]->seated = false;
    }
    lu_status status = is_set(o, "self_play.past") ? seat_past(&s, error) : LU_OK;
    LU_THEN(status, is_set(o, "self_play.target") ? seat_targets(&s, error) : LU_OK);
    LU_THEN(status, is_set(o, "self_play.latest") ? seat_latest(&s, error) : LU_OK);
    LU_THEN(status, open_guest(o, o->script, -1, &g, error));
    if (status == LU_OK) {
        add_member(&s, LU_SCRIPT, 0, g, s.share[LU_SCRIPT]);
        status = lu_trainer_roster(trainer, o->member, o->members, error);
    }
    if (status == LU_OK) {
        close_others(o);
    }
    return status;
}

lu_status opponents_seat(opponents *o, lu_trainer *trainer, lu_error *error) {
    if (!o || !lu_trainer_has_opponents(trainer)) {
        return LU_OK;
    }
    return o->by_share ? seat_shares(o, trainer, error)
                       : lu_trainer_roster(trainer, o->member, o->members, error);
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
    const bool met[LU_OPPOSITES] = {false, is_set(o, "self_play.past"),
                                    is_set(o, "self_play.target"), is_set(o, "self_play.latest"),
                                    o->scripted};
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
    league_rules rules = rules_of(o);
    rules.rate = lu_schedule_at(lu_settings_schedule(o->plan.settings, "league.rate"),
                                progress_of(trainer, o->update), (double)o->update);
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
    league_rules rules = rules_of(o);
    char name[LU_OPPONENT_NAME];
    bool joins = is_set(o, "self_play.past") &&
                 (window + 1) % lu_settings_int(o->plan.settings, "league.every") == 0;
    window_name(o, window, name);
    o->newest = window;
    if (joins) {
        league_join(&o->league, &rules, name, window, o->update);
    }
    return joins || is_set(o, "self_play.latest") ? take_model(o, model, name, error) : LU_OK;
}

char *opponents_text(const opponents *o) {
    if (!o || !o->by_share) {
        return NULL;
    }
    league_rules rules = rules_of(o);
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
    league_write(&o->league, &rules, &json);
    lu_json_object_end(&json);
    lu_json_newline(&json);
    return json.text;
}
