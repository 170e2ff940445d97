/* The league of a window that is judged: everybody against everybody on fixed seeds, as one row of
 * metrics/league.jsonl, which has the form of a league that `ludus league rate --keep` keeps, with
 * window_id, what its nets answered (probes) and all meetings behind it. A pair whose names and
 * probes stand in the row before is taken from there, so that a window costs the games of its
 * newcomer. The training reads nothing of this. */
#include "evaluator_internal.h"

#include "ludus/agent.h"
#include "ludus/clock.h"
#include "ludus/seeds.h"
#include "ludus/tournament.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST_MEMBERS = 64, MOST_RATED = MOST_MEMBERS + EVALUATOR_ANCHORS };

typedef struct rated {
    const judging *j;
    int count;
    const char *name[MOST_RATED];
    double chance[MOST_RATED];
    lu_player player[MOST_RATED];
    uint64_t probe[MOST_RATED]; /* of its net; 0: a bot */
    int opened;
    lu_anchor anchor[EVALUATOR_ANCHORS];
    lu_text anchored[EVALUATOR_ANCHORS]; /* their names */
    int anchors;
    lu_meeting *known;
    int knowns;
} rated;

/* ---- who ---- */

static void drop_least(rated *r) {
    int least = 0;
    for (int i = 1; i < r->count; i++) {
        least = r->chance[i] < r->chance[least] ? i : least;
    }
    r->count--;
    for (int i = least; i < r->count; i++) {
        r->name[i] = r->name[i + 1];
        r->chance[i] = r->chance[i + 1];
    }
}

/* Behind them the anchors; one that is a member too is there already. */
static void take_anchors(rated *r) {
    const lu_settings *settings = r->j->f->settings;
    size_t count = lu_settings_count(settings, "eval.anchors");
    for (size_t i = 0; i < count && r->anchors < EVALUATOR_ANCHORS; i++) {
        lu_text *name = &r->anchored[r->anchors];
        lu_text_init(name);
        double elo = lu_anchor_read(lu_settings_nth(settings, "eval.anchors", i), name);
        int place = 0;
        while (place < r->count && strcmp(r->name[place], name->text) != 0) {
            place++;
        }
        if (place == r->count) {
            r->name[r->count++] = name->text;
        }
        r->anchor[r->anchors++] = (lu_anchor){place, elo};
    }
}

/* Members in the order of the league; of more than there is room for those that are drawn most. */
static void take_names(rated *r, const lu_json_value *members) {
    for (size_t i = 0; i < lu_json_count(members); i++) {
        const lu_json_value *m = lu_json_at(members, i);
        const char *name = lu_json_text(lu_json_get(m, "name"), NULL);
        if (name && r->count == MOST_MEMBERS) {
            drop_least(r);
        }
        if (name) {
            r->name[r->count] = name;
            r->chance[r->count++] = lu_json_real_or(lu_json_get(m, "chance"), 0.0);
        }
    }
}

static lu_status open_players(rated *r, lu_error *error) {
    const follower *f = r->j->f;
    const lu_game *game = r->j->s.game;
    lu_text runs = LU_TEXT_INIT;
    lu_status status = LU_OK;
    lu_text_add_n(&runs, f->run, strlen(f->run) - strlen(f->id));
    lu_text_add(&runs, ".");
    for (int i = 0; i < r->count && status == LU_OK; i++) {
        lu_player *p = &r->player[i];
        status = lu_player_open(p, r->name[i], game, lu_run_find_player, runs.text, error);
        r->opened += status == LU_OK;
        if (status == LU_OK && p->file) {
            p->greedy = lu_net_kind_of(p->file->net) == LU_NET_Q;
            r->probe[i] = lu_agent_probe(p->file, r->j->s.rules, NULL);
        }
    }
    lu_text_free(&runs);
    return status;
}

/* ---- what is known ---- */

/* Place of a player of an earlier row in this league; -1: none, or it is another one. */
static int place_of(const rated *r, const lu_json_value *row, size_t index) {
    const lu_json_value *player = lu_json_at(lu_json_get(row, "players"), index);
    const char *name = lu_json_text(lu_json_get(lu_json_get(player, "player"), "name"), NULL);
    const char *probe = lu_json_text(lu_json_at(lu_json_get(row, "probes"), index), NULL);
    for (int i = 0; name && probe && i < r->count; i++) {
        if (strcmp(r->name[i], name) == 0) {
            return strtoull(probe, NULL, 16) == r->probe[i] ? i : -1;
        }
    }
    return -1;
}

/* A meeting [a, b, five counts] of an earlier row, as one of today. */
static bool take_meeting(const rated *r, const lu_json_value *row, const lu_json_value *list,
                         int seeds, lu_meeting *m) {
    int number[7], sum = 0;
    for (size_t i = 0; i < 7; i++) {
        double value = lu_json_real_or(lu_json_at(list, i), -1.0);
        if (!(value >= 0.0 && value < 1e6)) {
            return false;
        }
        number[i] = (int)value;
        sum += i < 2 ? 0 : number[i];
    }
    int a = place_of(r, row, (size_t)number[0]), b = place_of(r, row, (size_t)number[1]);
    if (a < 0 || b < 0 || a == b || sum != seeds) {
        return false;
    }
    bool turned = a > b;
    *m = (lu_meeting){.a = turned ? b : a, .b = turned ? a : b};
    for (int i = 0; i < 5; i++) {
        m->pairs[i] = number[2 + (turned ? 4 - i : i)];
    }
    return true;
}

static lu_status take_known(rated *r, int seeds, lu_error *error) {
    lu_rows rows;
    lu_status status = lu_rows_read(r->j->f->run, LU_LEAGUES, &rows, error);
    if (status == LU_OK && rows.count > 0) {
        const lu_json_value *row = lu_rows_at(&rows, rows.count - 1);
        const lu_json_value *meetings = lu_json_get(row, "meetings");
        size_t count = lu_json_count(meetings);
        r->known = lu_alloc_zero(count + 1, sizeof *r->known);
        for (size_t i = 0; i < count; i++) {
            r->knowns += take_meeting(r, row, lu_json_at(meetings, i), seeds, &r->known[r->knowns]);
        }
    }
    lu_rows_free(&rows);
    return status;
}

/* ---- the row ---- */

static void write_meetings(const lu_tournament *t, lu_json *json) {
    lu_json_key_array(json, "meetings");
    for (int i = 0; i < t->meetings; i++) {
        const lu_meeting *m = &t->meeting[i];
        lu_json_array(json);
        lu_json_int(json, m->a);
        lu_json_int(json, m->b);
        for (int k = 0; k < 5; k++) {
            lu_json_int(json, m->pairs[k]);
        }
        lu_json_array_end(json);
    }
    lu_json_array_end(json);
}

/* The tournament's object with window and date in front, probes and meetings behind. */
static lu_status write_league(const rated *r, const lu_tournament *t, lu_json *row,
                              lu_error *error) {
    char date[LU_CLOCK_TEXT], hex[32];
    lu_json whole = LU_JSON_INIT;
    lu_tournament_write(t, &whole);
    lu_json_document *document = lu_json_read("result", whole.text, whole.length, error);
    lu_json_free(&whole);
    if (!document) {
        return error->status;
    }
    const lu_json_value *root = lu_json_root(document);
    lu_json_object(row);
    lu_json_key_int(row, "window_id", r->j->result.window);
    lu_json_key_string(row, "date", lu_clock_utc(date, sizeof date));
    for (size_t i = 0; i < lu_json_count(root); i++) {
        const char *key;
        const lu_json_value *value = lu_json_member(root, i, &key);
        lu_json_key_value(row, key, value);
    }
    lu_json_key_array(row, "probes");
    for (int i = 0; i < r->count; i++) {
        snprintf(hex, sizeof hex, "%016" PRIx64, r->probe[i]);
        lu_json_string(row, hex);
    }
    lu_json_array_end(row);
    write_meetings(t, row);
    lu_json_object_end(row);
    lu_json_close(document);
    return LU_OK;
}

static lu_status append(const follower *f, const char *row, lu_error *error) {
    int file = lu_rows_open(f->run, LU_LEAGUES, error);
    if (file < 0) {
        return error->status;
    }
    lu_status status = lu_rows_append(file, row, error);
    LU_THEN(status, lu_rows_sync(file, error));
    close(file);
    return status;
}

static lu_status rate(rated *r, int seeds, lu_error *error) {
    const judging *j = r->j;
    lu_json row = LU_JSON_INIT;
    LU_TRY(lu_match_check_sides(&j->s, error));
    LU_TRY(open_players(r, error));
    LU_TRY(take_known(r, seeds, error));
    lu_tournament t = {.match = {.episode = &j->s,
                                 .first_seed = LU_PUBLIC_FIRST,
                                 .episodes = 2 * seeds,
                                 .threads = j->m.threads,
                                 .context = j->m.context,
                                 .stop = j->m.stop},
                       .players = r->player,
                       .count = r->count,
                       .known = r->known,
                       .knowns = r->knowns,
                       .anchor = r->anchor,
                       .anchors = r->anchors};
    lu_status status = lu_tournament_play(&t, error);
    LU_THEN(status, write_league(r, &t, &row, error));
    LU_THEN(status, append(j->f, row.text, error));
    lu_tournament_free(&t);
    lu_json_free(&row);
    return status;
}

lu_status evaluation_league(const judging *j, lu_error *error) {
    int seeds = (int)lu_settings_int(j->f->settings, "eval.league_seeds");
    lu_text folder = LU_TEXT_INIT;
    lu_status status = LU_OK;
    lu_run_window_path(j->f->run, j->result.window, &folder);
    lu_json_document *league = seeds > 0 ? run_json(folder.text, RUN_LEAGUE, NULL) : NULL;
    const lu_json_value *members = league ? lu_json_get(lu_json_root(league), "members") : NULL;
    size_t anchors = lu_settings_count(j->f->settings, "eval.anchors");
    if (lu_json_count(members) >= (anchors > 0 ? 1 : 2)) {
        rated *r = lu_alloc_zero(1, sizeof *r);
        r->j = j;
        take_names(r, members);
        take_anchors(r);
        status = rate(r, seeds, error);
        while (r->opened > 0) {
            lu_player_close(&r->player[--r->opened]);
        }
        for (int i = 0; i < r->anchors; i++) {
            lu_text_free(&r->anchored[i]);
        }
        free(r->known);
        free(r);
    }
    lu_json_close(league);
    lu_text_free(&folder);
    return status;
}
