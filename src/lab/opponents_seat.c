/* Seating: who sits where in the next update, how often each is drawn and how each plays. See
 * opponents.h. */
#include "opponents_internal.h"

#include "ludus/hash.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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
                       .delays = may_delay(o, kind),
                       .rules = o->rules[kind]};
    /* the newest stays the same player when another checkpoint takes its place */
    m->id = lu_hash_text(kind == LU_LATEST ? "" : m->name, (uint64_t)kind + 1);
    if (g && g->player.file) {
        m->net = g->player.file->net;
        m->file = g->player.file;
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
    league_rules rules = opponents_rules(o);
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
            status = opponents_guest(o, m->name, m->window, &g, error);
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
        status =
            opponents_guest(s->o, lu_settings_nth(settings, "self_play.targets", i), -1, &g, error);
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
    lu_status status = lu_run_find(opponents_runs(o), name, o->plan.game, &path, error);
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

static lu_status seat_latest(const sitting *s, lu_error *error) {
    opponents *o = s->o;
    bool other = opponents_set(o, "self_play.latest_run");
    char name[LU_OPPONENT_NAME] = "";
    guest *g = NULL;
    if (other && !o->found) {
        LU_TRY(find_latest(o, error));
    }
    o->found = false;
    if (other) {
        snprintf(name, sizeof name, "%s", o->latest);
    } else if (o->newest >= 0) {
        opponents_window_name(o, o->newest, name);
    }
    if (*name) {
        LU_TRY(opponents_guest(o, name, other ? -1 : o->newest, &g, error));
    }
    add_member(s, LU_LATEST, 0, g, s->share[LU_LATEST]);
    return LU_OK;
}

static bool has_script(const opponents *o, const lu_trainer *trainer) {
    int64_t total = lu_trainer_updates_total(trainer), step = total / 100000 + 1;
    double share[LU_OPPOSITES] = {0};
    for (int64_t u = 0; u < total && !(share[LU_SCRIPT] > 0.0); u += step) {
        lu_self_play_shares(o->plan.settings, opponents_progress(trainer, u), (double)u, share);
    }
    return share[LU_SCRIPT] > 0.0;
}

/* Weights that move are those of the next update, as the trainer's own. */
static void weigh(const sitting *s, const lu_episode *game) {
    for (int t = 0; t < game->game->terms; t++) {
        const lu_schedule *weight = lu_reward_schedule(game->game, game->settings, t);
        if (weight) {
            game->rules->weight[t] = lu_schedule_at(weight, s->progress, (double)s->o->update);
        }
    }
}

/* The trainer takes the rules of games by other settings, once. */
static lu_status take_rules(opponents *o, lu_trainer *trainer, lu_error *error) {
    const lu_rules *list[LU_OPPOSITES];
    int count = 0;
    for (int k = 0; k < LU_OPPOSITES; k++) {
        if (o->game[k].rules) {
            list[count] = o->game[k].rules;
            o->rules[k] = ++count;
        }
    }
    return count > 0 ? lu_trainer_take_rules(trainer, list, count, error) : LU_OK;
}

static lu_status seat_shares(opponents *o, lu_trainer *trainer, lu_error *error) {
    sitting s = {.o = o, .progress = opponents_progress(trainer, o->update)};
    guest *g;
    if (o->members == 0) {
        o->scripted = has_script(o, trainer);
        LU_TRY(take_rules(o, trainer, error));
    }
    for (int k = 0; k < LU_OPPOSITES; k++) {
        if (o->game[k].rules) {
            weigh(&s, &o->game[k]);
        }
    }
    lu_self_play_shares(o->plan.settings, s.progress, (double)o->update, s.share);
    o->members = 0;
    for (int i = 0; i < o->guests; i++) {
        o->guest[i]->seated = false;
    }
    lu_status status = opponents_set(o, "self_play.past") ? seat_past(&s, error) : LU_OK;
    LU_THEN(status, opponents_set(o, "self_play.target") ? seat_targets(&s, error) : LU_OK);
    LU_THEN(status, opponents_set(o, "self_play.latest") ? seat_latest(&s, error) : LU_OK);
    LU_THEN(status, opponents_guest(o, o->script, -1, &g, error));
    if (status == LU_OK) {
        add_member(&s, LU_SCRIPT, 0, g, s.share[LU_SCRIPT]);
        status = lu_trainer_roster(trainer, o->member, o->members, error);
    }
    if (status == LU_OK) {
        opponents_leave(o);
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
