/* Tournaments: see tournament.h. */
#include "ludus/tournament.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* What is known of a pair, a before b; NULL: nothing. */
static const lu_meeting *known_pair(const lu_tournament *t, int a, int b) {
    for (int i = 0; i < t->knowns; i++) {
        if (t->known[i].a == a && t->known[i].b == b) {
            return &t->known[i];
        }
    }
    return NULL;
}

static lu_status play_pair(lu_tournament *t, int a, int b, lu_error *error) {
    const lu_meeting *known = known_pair(t, a, b);
    if (known) {
        t->meeting[t->meetings++] = *known;
        return LU_OK;
    }
    lu_contest c = {.match = t->match, .a = &t->players[a], .b = &t->players[b]};
    lu_status status = lu_contest_play(&c, error);
    if (status == LU_OK) {
        lu_meeting *m = &t->meeting[t->meetings++];
        *m = (lu_meeting){.a = a, .b = b};
        memcpy(m->pairs, c.pairs, sizeof m->pairs);
        for (int e = 0; e < t->match.episodes && t->moves; e++) {
            t->points[(t->meetings - 1) * t->match.episodes + e] = lu_match_points(&c.match, e);
        }
    }
    lu_contest_free(&c);
    return status;
}

double lu_anchor_read(const char *text, lu_text *player) {
    const char *mark = strrchr(text, '=');
    char *end = NULL;
    double elo = mark ? strtod(mark + 1, &end) : 0.0;
    bool told = mark && end != mark + 1 && *end == '\0' && elo >= -1e4 && elo <= 1e4;
    lu_text_add_n(player, text, told ? (size_t)(mark - text) : strlen(text));
    return told ? elo : LU_ELO_START;
}

/* Seed by seed through all pairs, the two games of a seed as one batch; anchors stand. */
static void move(lu_tournament *t) {
    int games = t->match.episodes;
    bool *frozen = lu_alloc_zero((size_t)t->count, sizeof *frozen);
    for (int p = 0; p < t->count; p++) {
        frozen[p] = t->rating[p].anchor;
        t->moved[p] = frozen[p] ? t->rating[p].elo : LU_ELO_START;
    }
    for (int e = 0; e + 1 < games; e += 2) {
        for (int i = 0; i < t->meetings; i++) {
            const lu_meeting *m = &t->meeting[i];
            lu_outcome seed[2] = {{m->a, m->b, t->points[i * games + e]},
                                  {m->a, m->b, t->points[i * games + e + 1]}};
            lu_elo_move(t->moved, frozen, t->count, seed, 2);
        }
    }
    free(frozen);
}

lu_status lu_tournament_play(lu_tournament *t, lu_error *error) {
    size_t count = (size_t)t->count;
    lu_status status = LU_OK;
    t->rating = lu_alloc_zero(count, sizeof *t->rating);
    t->meeting = lu_alloc_zero(count * (count - 1) / 2, sizeof *t->meeting);
    if (t->moves) {
        t->points =
            lu_alloc_zero(count * (count - 1) / 2 * (size_t)t->match.episodes, sizeof *t->points);
        t->moved = lu_alloc_zero(count, sizeof *t->moved);
    }
    for (int a = 0; a < t->count; a++) {
        for (int b = a + 1; b < t->count; b++) {
            LU_THEN(status, play_pair(t, a, b, error));
        }
    }
    for (int i = 0; i < t->anchors; i++) {
        t->rating[t->anchor[i].player] = (lu_rating){.anchor = true, .elo = t->anchor[i].elo};
    }
    LU_THEN(status, lu_rate(t->rating, t->count, t->meeting, t->meetings, error));
    if (status == LU_OK && t->moves) {
        move(t);
    }
    return status;
}

void lu_tournament_free(lu_tournament *t) {
    free(t->rating);
    free(t->meeting);
    free(t->points);
    free(t->moved);
}

double lu_tournament_share(const lu_tournament *t, int a, int b) {
    for (int i = 0; i < t->meetings; i++) {
        const lu_meeting *m = &t->meeting[i];
        if ((m->a == a && m->b == b) || (m->a == b && m->b == a)) {
            int seeds = 0, halves = 0;
            for (int k = 0; k < 5; k++) {
                seeds += m->pairs[k];
                halves += k * m->pairs[k];
            }
            double share = halves / (4.0 * seeds);
            return m->a == a ? share : 1.0 - share;
        }
    }
    return NAN;
}

static void write_player(const lu_tournament *t, int p, lu_json *json) {
    const lu_rating *r = &t->rating[p];
    lu_json_object(json);
    lu_json_key(json, "player");
    lu_player_write(&t->players[p], json);
    lu_json_key_real(json, "elo", r->elo);
    lu_json_key_real(json, "low", r->low);
    lu_json_key_real(json, "high", r->high);
    if (t->moved) {
        lu_json_key_real(json, "moved", t->moved[p]);
    }
    lu_json_key_bool(json, "anchor", r->anchor);
    lu_json_key_real(json, "points", r->points);
    lu_json_key_int(json, "games", (int64_t)r->games);
    lu_json_key_array(json, "shares"); /* against each, null for itself */
    for (int q = 0; q < t->count; q++) {
        lu_json_real(json, lu_tournament_share(t, p, q));
    }
    lu_json_array_end(json);
    lu_json_object_end(json);
}

void lu_tournament_write(const lu_tournament *t, lu_json *json) {
    const lu_match *m = &t->match;
    lu_json_object(json);
    lu_json_key_int(json, "schema", 1);
    lu_json_key_string(json, "game", m->episode->game->id);
    lu_json_key_int(json, "games", m->episodes);
    lu_json_key_array(json, "seeds");
    lu_json_uint(json, m->first_seed);
    lu_json_uint(json, m->first_seed + (uint64_t)m->episodes / 2 - 1);
    lu_json_array_end(json);
    lu_json_key_raw(json, "settings", m->episode->settings_json);
    lu_json_key_string(json, "decided_by", lu_match_decider(m->episode->game));
    lu_json_key_array(json, "players");
    for (int p = 0; p < t->count; p++) {
        write_player(t, p, json);
    }
    lu_json_array_end(json);
    lu_json_object_end(json);
}
