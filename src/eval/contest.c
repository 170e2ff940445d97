/* Contests: see contest.h. */
#include "ludus/contest.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { STEP = 48 }; /* games between two looks of the test; a fixed number of blocks */

static const double ALPHA = 0.05, BETA = 0.05;

lu_status lu_match_check_sides(const lu_episode *e, lu_error *error) {
    if (e->game->seats < 2) {
        return lu_fail(error, LU_BAD_VALUE,
                       "%s is a single-player game, so nobody plays against anybody; `ludus "
                       "compare` lets each play alone on the same seeds",
                       e->game->name);
    }
    for (int seat = 0; seat < e->game->seats; seat++) {
        if (lu_game_drives(e->game, e->rules, seat)) {
            return lu_fail(
                error, LU_BAD_VALUE,
                "%s plays seat %d itself under these settings, so nobody else can take it",
                e->game->name, seat);
        }
    }
    return LU_OK;
}

/* The info flag `won`; -1: none. */
static int won_index(const lu_game *game) {
    int info = lu_game_info_index(game, "won");
    return info >= 0 && game->info[info].kind == LU_INFO_FLAG ? info : -1;
}

const char *lu_match_decider(const lu_game *game) {
    return won_index(game) >= 0 ? "won" : "return";
}

double lu_match_points(const lu_match *m, int e) {
    const lu_game *game = m->episode->game;
    int won = won_index(game), seats[2] = {0};
    double sum[2] = {0};
    const lu_player *player = NULL;
    for (int p = 0; p < game->seats; p++) {
        player = m->player[p] ? m->player[p] : player;
        int side = player != m->player[0];
        seats[side]++;
        sum[side] += won >= 0 ? lu_match_info(m, e, p)[won] : lu_match_return(m, e, p);
    }
    double own = sum[0] / seats[0], theirs = seats[1] ? sum[1] / seats[1] : own;
    return own > theirs ? 1.0 : own < theirs ? 0.0 : 0.5;
}

/* ---- playing ---- */

static void sit_down(lu_contest *c) {
    for (int p = 0; p < c->match.episode->game->seats; p++) {
        c->match.player[p] = p % 2 ? c->b : c->a;
    }
    c->match.seatings = 2;
}

/* Shows the test the seeds since its last look; true when it has decided. */
static bool look(lu_contest *c) {
    for (; 2 * c->sprt.count + 1 < c->match.played;) {
        int e = 2 * c->sprt.count;
        lu_sprt_add(&c->sprt,
                    (lu_match_points(&c->match, e) + lu_match_points(&c->match, e + 1)) / 2);
    }
    return lu_sprt_decision(&c->sprt) != LU_SPRT_OPEN;
}

/* Results that are all equal have no spread to resample: then as of shares. Those of few seeds may
 * reach beyond what a share can be. */
static lu_summary summary_of(const double *shares, int seeds) {
    lu_summary s = lu_summarise(shares, seeds, false);
    if (s.least == s.most) {
        lu_wilson(s.mean, seeds, &s.low, &s.high);
    }
    s.low = fmax(s.low, 0.0);
    s.high = fmin(s.high, 1.0);
    return s;
}

static void take_interval(lu_contest *c, const double *points, const double *theirs, int seeds) {
    lu_pairing pairing = lu_compare_pairs(points, theirs, seeds, 0);
    c->verdict = pairing.verdict;
    c->p = pairing.p;
    c->score = summary_of(points, seeds);
    c->elo = lu_score_elo(c->score.mean);
    c->elo_low = lu_score_elo(c->score.low);
    c->elo_high = lu_score_elo(c->score.high);
}

static void count(lu_contest *c) {
    int games = c->match.episodes;
    double *points = lu_alloc_zero((size_t)games / 2, sizeof *points), first = 0;
    double *theirs = lu_alloc_zero((size_t)games / 2, sizeof *theirs);
    for (int e = 0; e < games; e++) {
        double own = lu_match_points(&c->match, e);
        c->wins += own > 0.5;
        c->losses += own < 0.5;
        c->draws += own == 0.5;
        points[e / 2] += own / 2;
        theirs[e / 2] += (1 - own) / 2;
        first += e % 2 ? 1 - own : own;
    }
    for (int s = 0; s < games / 2; s++) {
        c->pairs[(int)(4 * points[s])]++;
    }
    c->first_seat = first / games;
    take_interval(c, points, theirs, games / 2);
    free(points);
    free(theirs);
}

lu_status lu_contest_play(lu_contest *c, lu_error *error) {
    lu_status status = lu_match_check_sides(c->match.episode, error);
    bool decided = false;
    int end = 0;
    c->most = c->match.episodes;
    if (c->sequential) {
        c->sprt = lu_sprt_elo(c->null, c->other, ALPHA, BETA);
    }
    sit_down(c);
    while (status == LU_OK && end < c->most && !decided) {
        end = c->sequential && c->most - end >= STEP ? end + STEP : c->most;
        status = lu_match_play_to(&c->match, end, error);
        decided = status == LU_OK && c->sequential && look(c);
    }
    if (status == LU_OK) {
        c->match.episodes = end;
        count(c);
    }
    return status;
}

void lu_contest_free(lu_contest *c) {
    lu_match_free(&c->match);
}

/* ---- the result ---- */

const char *lu_contest_decision(const lu_contest *c) {
    lu_sprt_end end = lu_sprt_decision(&c->sprt);
    return end == LU_SPRT_OTHER ? "accepted" : end == LU_SPRT_NULL ? "rejected" : "undecided";
}

lu_summary lu_contest_wins(const lu_contest *c) {
    int seeds = c->match.episodes / 2;
    double *won = lu_alloc_zero((size_t)seeds, sizeof *won);
    for (int e = 0; e < 2 * seeds; e++) {
        won[e / 2] += lu_match_points(&c->match, e) == 1.0 ? 0.5 : 0.0;
    }
    lu_summary wins = summary_of(won, seeds);
    free(won);
    return wins;
}

static void write_test(const lu_contest *c, lu_json *json) {
    lu_json_key_object(json, "sprt");
    lu_json_key_string(json, "decision", lu_contest_decision(c));
    lu_json_key_int(json, "most", c->most);
    lu_json_key_real(json, "null", c->null);
    lu_json_key_real(json, "other", c->other);
    lu_json_key_real(json, "alpha", ALPHA);
    lu_json_key_real(json, "beta", BETA);
    lu_json_key_real(json, "lower", lu_sprt_lower(&c->sprt));
    lu_json_key_real(json, "upper", lu_sprt_upper(&c->sprt));
    lu_json_key_real(json, "ratio", lu_sprt_ratio(&c->sprt));
    lu_json_object_end(json);
}

static void write_points(const lu_contest *c, lu_json *json) {
    lu_json_key_string(json, "verdict", lu_verdict_name(c->verdict));
    lu_json_key_real(json, "p", c->p);
    lu_json_key_int(json, "wins", c->wins);
    lu_json_key_int(json, "draws", c->draws);
    lu_json_key_int(json, "losses", c->losses);
    lu_json_key_real(json, "score", c->score.mean);
    lu_json_key_real(json, "low", c->score.low);
    lu_json_key_real(json, "high", c->score.high);
    lu_json_key_real(json, "elo", c->elo);
    lu_json_key_real(json, "elo_low", c->elo_low);
    lu_json_key_real(json, "elo_high", c->elo_high);
    lu_json_key_real(json, "first_seat", c->first_seat);
    lu_json_key_array(json, "pairs");
    for (int i = 0; i < 5; i++) {
        lu_json_int(json, c->pairs[i]);
    }
    lu_json_array_end(json);
}

void lu_contest_write(const lu_contest *c, lu_json *json) {
    const lu_match *m = &c->match;
    lu_json_object(json);
    lu_json_key_int(json, "schema", 1);
    lu_json_key_string(json, "game", m->episode->game->id);
    lu_json_key(json, "a");
    lu_player_write(c->a, json);
    lu_json_key(json, "b");
    lu_player_write(c->b, json);
    lu_json_key_int(json, "games", m->episodes);
    lu_json_key_array(json, "seeds");
    lu_json_uint(json, m->first_seed);
    lu_json_uint(json, lu_match_seed(m, m->episodes - 1));
    lu_json_array_end(json);
    lu_json_key_raw(json, "settings", m->episode->settings_json);
    lu_json_key_string(json, "decided_by", lu_match_decider(m->episode->game));
    write_points(c, json);
    if (c->sequential) {
        write_test(c, json);
    }
    lu_json_object_end(json);
}
