/* ludus league: everybody against everybody, and how strong each is; the league of a training. */
#include "judge.h"
#include "league_keep.h"
#include "league_show.h"
#include "output.h"

#include "ludus/run.h"
#include "ludus/tournament.h"

#include <stdlib.h>
#include <string.h>

enum { PLAYERS = 64 };

static const verb_example examples[] = {
    {"ludus league rate latest best bot:random --games 100", "three players, 100 games per pair"},
    {"ludus league rate best bot:mixer bot:ace --anchor bot:mixer=1800 --anchor bot:ace=1950",
     "ratings on the scale of scripts with known ratings"},
    {"ludus league rate --game duel --games 200 --keep duel-bots",
     "all bots of a game, kept for the site's page /league"},
    {"ludus league show latest", "a run's league: members, ratings, matrix"},
    {NULL, NULL},
};

static const lu_setting options[] = {
    {"game", LU_TEXT, "", 0, 100, NULL,
     "The game; default: that of the models. Without players, all of its bots play.", false},
    JUDGE_GAMES,
    JUDGE_SEEDS,
    {"anchor", LU_TEXT, "", 0, 4096, NULL,
     "PLAYER=ELO: fixes this player's rating; without ELO at 1500. Without anchors the mean of all "
     "is 1500.",
     true},
    JUDGE_GREEDY,
    JUDGE_SAMPLE,
    JUDGE_WITH,
    JUDGE_OPTION,
    JUDGE_THREADS,
    LEAGUE_KEEP,
    {"write", LU_BOOL, "false", 0, 0, NULL,
     "Writes the rating of each model named by its file into the file's card.", false},
};

static const lu_table *const tables[] = {&lu_run_place_table, NULL};

static const char *const words[] = {"rate", "show", NULL};

static const char details[] =
    "Players are named as for `ludus match`. Every pair plays the same seeds, each twice "
    "with\nsides swapped. The matrix shows the row player's share of points against\nthe column "
    "player; ratings are maximum likelihood over all games, in Elo. `show` prints the same "
    "for\nthe league that a run trains against, as rated by its evaluator, plus each member's "
    "quality,\nchance of being drawn and results in training (docs/league.md).";

typedef struct names {
    int count;
    const char *list[PLAYERS];
    lu_anchor anchor[PLAYERS];
} names;

/* Those of the call, or all bots of the game. */
static lu_status take_names(const verb_call *call, names *n, lu_error *error) {
    const char *name = lu_settings_text_of(call->settings, "game");
    for (int i = 0; i < call->arguments && n->count < PLAYERS; i++) {
        n->list[n->count++] = call->argument[i];
    }
    if (n->count == 0 && *name) {
        const lu_game *game = lu_game_find(name, error);
        if (!game) {
            return LU_NOT_FOUND;
        }
        for (int i = 0; i < game->bots && n->count < PLAYERS - 1; i++) {
            n->list[n->count++] = game->bot[i].name;
        }
        n->list[n->count++] = "random";
    }
    if (n->count < 2 || call->arguments > PLAYERS) {
        return lu_fail(
            error, LU_USAGE,
            "a league has 2 to %d players, not %d: name them, or use --game for all bots of a game",
            PLAYERS, call->arguments > n->count ? call->arguments : n->count);
    }
    return LU_OK;
}

/* Place of a player in the list that no other anchor has; -1: none. */
static int place_of(const names *n, const lu_tournament *t, const char *name) {
    int place = -1;
    for (int i = 0; i < n->count; i++) {
        place = strcmp(n->list[i], name) == 0 ? i : place;
    }
    for (int i = 0; i < t->anchors; i++) {
        place = n->anchor[i].player == place ? -1 : place;
    }
    return place;
}

static lu_status take_anchors(const verb_call *call, names *n, lu_tournament *t, lu_error *error) {
    t->anchor = n->anchor;
    for (size_t i = 0; i < lu_settings_count(call->settings, "anchor"); i++) {
        lu_text name = LU_TEXT_INIT;
        const char *anchor = lu_settings_nth(call->settings, "anchor", i);
        double elo = lu_anchor_read(anchor, &name);
        int place = place_of(n, t, name.text);
        lu_text_free(&name);
        if (place < 0) {
            return lu_fail(error, LU_BAD_VALUE,
                           "'anchor' = '%.200s' is not one of the players, or is repeated; name "
                           "each once, as among the players, with a rating: PLAYER=1800",
                           anchor);
        }
        n->anchor[t->anchors++] = (lu_anchor){place, elo};
    }
    return LU_OK;
}

/* By rating, the strongest first. */
static void sort(const lu_tournament *t, int *order) {
    for (int i = 0; i < t->count; i++) {
        int at = i;
        for (; at > 0 && t->rating[order[at - 1]].elo < t->rating[i].elo; at--) {
            order[at] = order[at - 1];
        }
        order[at] = i;
    }
}

static void print_ratings(const lu_tournament *t, const int *order) {
    table ratings = table_of("rlrnrr");
    table_row(&ratings, "", "player", "Elo", "95% interval", "K 16", "points");
    for (int i = 0; i < t->count; i++) {
        const lu_rating *r = &t->rating[order[i]];
        table_row(&ratings, cell("%d", i + 1), t->players[order[i]].name, cell("%.0f", r->elo),
                  r->anchor ? "anchor" : cell("%.0f .. %.0f", r->low, r->high),
                  cell("%.0f", t->moved[order[i]]), cell("%.3g%%", 100 * r->points / r->games));
    }
    table_print(&ratings);
    table_free(&ratings);
}

/* A line per player: its share against each, in per cent, in the order of the ratings. */
static void print_matrix(const lu_tournament *t, const int *order) {
    size_t widest = 0;
    for (int i = 0; i < t->count; i++) {
        size_t length = strlen(t->players[i].name);
        widest = length > widest ? length : widest;
    }
    out_format("\n%*s", (int)widest + 4, "");
    for (int i = 0; i < t->count; i++) {
        out_format("%6d", i + 1);
    }
    for (int i = 0; i < t->count; i++) {
        out_format("\n%2d  %-*s", i + 1, (int)widest, t->players[order[i]].name);
        for (int j = 0; j < t->count; j++) {
            out_text(i == j ? "     -"
                            : cell("%6.1f", 100 * lu_tournament_share(t, order[i], order[j])));
        }
    }
    out_text("\n");
}

static void print(const lu_tournament *t) {
    int order[PLAYERS];
    const lu_match *m = &t->match;
    sort(t, order);
    out_line("%s: %d players, %d games per pair, seeds %llu..%llu with sides swapped, by %s\n\n",
             m->episode->game->id, t->count, m->episodes, (unsigned long long)m->first_seed,
             (unsigned long long)m->first_seed + (unsigned long long)m->episodes / 2 - 1,
             lu_match_decider(m->episode->game));
    print_ratings(t, order);
    print_matrix(t, order);
}

/* Into the files of models, with --write. */
static lu_status keep_ratings(const verb_call *call, const lu_tournament *t, lu_error *error) {
    for (int i = 0; i < t->count && lu_settings_bool(call->settings, "write"); i++) {
        if (lu_player_is_file(&t->players[i])) {
            LU_TRY(lu_tournament_keep(t, i, error));
            note("wrote %.0f into %s", t->rating[i].elo, t->players[i].path);
        }
    }
    return LU_OK;
}

static lu_status play(const verb_call *call, lu_tournament *t, lu_error *error) {
    for (int i = 0; i < t->count; i++) {
        judge_note_settings(t->match.episode, &t->players[i]);
    }
    judge_ready(&t->match);
    progress_start();
    lu_status status = lu_tournament_play(t, error);
    progress_end();
    if (status == LU_OK && call->json) {
        lu_json json = LU_JSON_INIT;
        lu_tournament_write(t, &json);
        out_json(&json);
        lu_json_free(&json);
    } else if (status == LU_OK) {
        print(t);
    }
    LU_THEN(status, league_keep(call, t, error));
    LU_THEN(status, keep_ratings(call, t, error));
    lu_tournament_free(t);
    return status;
}

/* LU_USAGE when --write finds no file among the names. */
static lu_status check_files(const verb_call *call, const lu_player *players, int count,
                             lu_error *error) {
    bool found = !lu_settings_bool(call->settings, "write");
    for (int i = 0; i < count; i++) {
        found = found || lu_player_is_file(&players[i]);
    }
    return found ? LU_OK
                 : lu_fail(error, LU_USAGE,
                           "--write writes into model files, but no player is named by its file");
}

static lu_status run_rate(verb_call *call, lu_error *error) {
    lu_player *who = lu_alloc_zero(PLAYERS, sizeof *who);
    lu_episode s = {0};
    names n = {0};
    lu_tournament t = {
        .match = {.episode = &s, .threads = (int)lu_settings_int(call->settings, "threads")},
        .players = who,
        .moves = true};
    lu_status status = take_names(call, &n, error);
    LU_THEN(status, take_anchors(call, &n, &t, error));
    LU_THEN(status, league_keep_check(call, error));
    LU_THEN(status, judge_games(call, &t.match, error));
    LU_THEN(status, judge_open(call, n.list, n.count, who, &s, error));
    LU_THEN(status, lu_match_check_sides(&s, error));
    LU_THEN(status, check_files(call, who, n.count, error));
    t.count = n.count;
    LU_THEN(status, play(call, &t, error));
    lu_episode_close(&s);
    for (int i = 0; i < n.count; i++) {
        lu_player_close(&who[i]);
    }
    free(who);
    return status;
}

static lu_status run(verb_call *call, lu_error *error) {
    return strcmp(call->word, "show") == 0 ? league_show(call, error) : run_rate(call, error);
}

const verb verb_league = {
    .name = "league",
    .usage =
        "league rate [PLAYER...] [--game GAME] [--games N] [--anchor PLAYER[=ELO]] [--keep NAME] "
        "[--write] [--json] | league show RUN [--json]",
    .sentence = "Plays a round robin and rates the players; shows the league of a run.",
    .details = details,
    .examples = examples,
    .words = words,
    .options = VERB_OPTIONS("league", options),
    .tables = tables,
    .most = -1,
    .argument = "PLAYER",
    .json = true,
    .run = run,
};
