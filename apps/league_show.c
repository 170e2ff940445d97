/* The league of a run: see league_show.h. Members come from its newest checkpoint, ratings and
 * matrix from the last row of the evaluator (metrics/league.jsonl), which may be of an earlier
 * window. */
#include "league_show.h"
#include "output.h"

#include "ludus/run.h"

#include <math.h>
#include <string.h>

typedef struct shown {
    const char *run;              /* its path */
    const lu_json_value *league;  /* of the checkpoint */
    const lu_json_value *members; /* of it */
    const lu_json_value *rated;   /* the evaluator's row; NULL: none yet */
    const lu_json_value *players; /* of it */
} shown;

static const char *text_of(const lu_json_value *object, const char *key) {
    const char *text = lu_json_text(lu_json_get(object, key), NULL);
    return text ? text : "";
}

static double real_of(const lu_json_value *object, const char *key) {
    return lu_json_real_or(lu_json_get(object, key), NAN);
}

/* The player of the row that a member is; NULL: it is not rated. */
static const lu_json_value *player_of(const shown *s, const char *name) {
    for (size_t i = 0; i < lu_json_count(s->players); i++) {
        const lu_json_value *player = lu_json_at(s->players, i);
        if (strcmp(text_of(lu_json_get(player, "player"), "name"), name) == 0) {
            return player;
        }
    }
    return NULL;
}

/* ---- text ---- */

/* Of a player of the row; NULL: it is not rated. */
static const char *interval_of(const lu_json_value *rated) {
    return !rated ? "-"
           : lu_json_kind_of(lu_json_get(rated, "anchor")) == LU_JSON_TRUE
               ? "anchor"
               : cell("%.0f .. %.0f", real_of(rated, "low"), real_of(rated, "high"));
}

static bool is_member(const shown *s, const char *name) {
    for (size_t i = 0; i < lu_json_count(s->members); i++) {
        if (strcmp(text_of(lu_json_at(s->members, i), "name"), name) == 0) {
            return true;
        }
    }
    return false;
}

static void print_members(const shown *s) {
    table t = table_of("lrrrrrrr");
    table_row(&t, "member", "joined", "quality", "drawn", "games", "points", "Elo", "95% interval");
    for (size_t i = 0; i < lu_json_count(s->members); i++) {
        const lu_json_value *m = lu_json_at(s->members, i);
        const lu_json_value *rated = player_of(s, text_of(m, "name"));
        double games = real_of(m, "games");
        double points = real_of(m, "wins") + 0.5 * real_of(m, "draws");
        table_row(&t, text_of(m, "name"), cell("%.0f", real_of(m, "joined")),
                  cell("%.3f", real_of(m, "quality")), cell("%.1f%%", 100 * real_of(m, "chance")),
                  cell("%.0f", games), games > 0 ? cell("%.1f%%", 100 * points / games) : "-",
                  rated ? cell("%.0f", real_of(rated, "elo")) : "-", interval_of(rated));
    }
    for (size_t i = 0; i < lu_json_count(s->players); i++) {
        const lu_json_value *rated = lu_json_at(s->players, i);
        const char *name = text_of(lu_json_get(rated, "player"), "name");
        if (!is_member(s, name)) {
            table_row(&t, name, "-", "-", "-", "-", "-", cell("%.0f", real_of(rated, "elo")),
                      interval_of(rated));
        }
    }
    table_print(&t);
    table_free(&t);
}

/* A line per rated player: its share of points against each, in per cent. */
static void print_matrix(const shown *s) {
    size_t count = lu_json_count(s->players);
    out_format("\nShares of points in percent, rated at window %.0f over %.0f games a pair:\n\n%4s",
               real_of(s->rated, "window_id"), real_of(s->rated, "games"), "");
    for (size_t i = 0; i < count; i++) {
        out_format("%6zu", i + 1);
    }
    for (size_t i = 0; i < count; i++) {
        const lu_json_value *player = lu_json_at(s->players, i);
        const lu_json_value *shares = lu_json_get(player, "shares");
        out_format("\n%4zu", i + 1);
        for (size_t k = 0; k < lu_json_count(shares); k++) {
            double share = lu_json_real_or(lu_json_at(shares, k), NAN);
            out_text(isnan(share) ? "     -" : cell("%6.1f", 100 * share));
        }
        out_format("  %s", text_of(lu_json_get(player, "player"), "name"));
    }
    out_text("\n");
}

static void print(const shown *s) {
    const lu_json_value *exploiters = lu_json_get(s->league, "exploiters");
    size_t members = lu_json_count(s->members);
    out_line("%s: %zu member%s after update %.0f, %.0f have left\n", s->run, members,
             members == 1 ? "" : "s", real_of(s->league, "update"), real_of(s->league, "left"));
    if (exploiters) {
        out_line("exploiters: %.0f turns; the main exploiters last got %.1f%% of the points\n",
                 real_of(exploiters, "turns"), 100 * real_of(exploiters, "points"));
    }
    out_text("\n");
    print_members(s);
    if (s->rated) {
        print_matrix(s);
    } else {
        note("not rated yet: the evaluator rates a league once a window has two members (`ludus "
             "eval --follow %s`)",
             s->run);
    }
}

/* ---- JSON ---- */

static void write_member(const shown *s, const lu_json_value *m, lu_json *json) {
    static const char *const keys[] = {"elo", "low", "high"};
    const lu_json_value *rated = player_of(s, text_of(m, "name"));
    lu_json_object(json);
    for (size_t i = 0; i < lu_json_count(m); i++) {
        const char *key;
        const lu_json_value *value = lu_json_member(m, i, &key);
        lu_json_key_value(json, key, value);
    }
    for (int i = 0; i < 3; i++) {
        lu_json_key_real(json, keys[i], rated ? real_of(rated, keys[i]) : NAN);
    }
    lu_json_object_end(json);
}

static void write(const shown *s) {
    lu_json json = LU_JSON_INIT;
    const lu_json_value *exploiters = lu_json_get(s->league, "exploiters");
    lu_json_object(&json);
    lu_json_key_int(&json, "schema", 1);
    lu_json_key_string(&json, "run", s->run);
    lu_json_key_real(&json, "update", real_of(s->league, "update"));
    lu_json_key_real(&json, "left", real_of(s->league, "left"));
    if (exploiters) {
        lu_json_key_value(&json, "exploiters", exploiters);
    }
    lu_json_key_array(&json, "members");
    for (size_t i = 0; i < lu_json_count(s->members); i++) {
        write_member(s, lu_json_at(s->members, i), &json);
    }
    lu_json_array_end(&json);
    lu_json_key(&json, "rated");
    if (s->rated) {
        lu_json_value_write(&json, s->rated);
    } else {
        lu_json_null(&json);
    }
    lu_json_object_end(&json);
    out_json(&json);
    lu_json_free(&json);
}

lu_status league_show(const verb_call *call, lu_error *error) {
    lu_text runs = LU_TEXT_INIT, path = LU_TEXT_INIT;
    lu_rows rows = {0};
    lu_json_document *league = NULL;
    lu_status status = LU_OK;
    if (call->arguments != 1) {
        return lu_fail(error, LU_USAGE, "`ludus league show` takes one run: ludus league show RUN");
    }
    lu_run_place(call->settings, &runs);
    status = lu_run_find(runs.text, call->argument[0], NULL, &path, error);
    if (status == LU_OK) {
        league = lu_run_league(path.text, error);
        status = league ? LU_OK : error->status;
    }
    LU_THEN(status, lu_rows_read(path.text, LU_LEAGUES, &rows, error));
    if (status == LU_OK) {
        shown s = {.run = call->argument[0], .league = lu_json_root(league)};
        s.members = lu_json_get(s.league, "members");
        s.rated = rows.count > 0 ? lu_rows_at(&rows, rows.count - 1) : NULL;
        s.players = s.rated ? lu_json_get(s.rated, "players") : NULL;
        if (call->json) {
            write(&s);
        } else {
            print(&s);
        }
    }
    lu_rows_free(&rows);
    lu_json_close(league);
    lu_text_free(&runs);
    lu_text_free(&path);
    return status;
}
