/* Leagues: see league.h. Own math, so that all machines draw alike. */
#include "league.h"

#include "ludus/math.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_MEMBERS = 1000 };

static const double FADE = 0.95; /* of recent results, from update to update */

void league_free(league *l) {
    free(l->member);
    *l = (league){0};
}

/* ---- chances ---- */

/* Share of the points that the learner has got recently; a drawn game stands before the first. */
static double recent_share(const league_member *m) {
    return (m->recent_points + 0.5) / (m->recent_games + 1.0);
}

static double most_quality(const league *l) {
    double most = l->count > 0 ? l->member[0].quality : 1.0;
    for (int i = 1; i < l->count; i++) {
        most = lu_fmax(most, l->member[i].quality);
    }
    return most;
}

void league_chances(const league *l, const league_rules *rules, double *chance) {
    double most = most_quality(l), sum = 0.0;
    for (int i = 0; i < l->count; i++) {
        const league_member *m = &l->member[i];
        chance[i] = rules->pfsp ? lu_pow(lu_fmax(1.0 - recent_share(m), 0.0), rules->power)
                                : lu_exp(m->quality - most);
        sum += chance[i];
    }
    for (int i = 0; i < l->count; i++) {
        chance[i] = sum > 0.0 ? chance[i] / sum : 1.0 / l->count;
    }
}

/* ---- members ---- */

/* The one that is drawn least among the first `count`. */
static int least_drawn(const league *l, const league_rules *rules, int count) {
    double *chance = lu_alloc_zero((size_t)l->count, sizeof *chance);
    int least = 0;
    league_chances(l, rules, chance);
    for (int i = 1; i < count; i++) {
        least = chance[i] < chance[least] ? i : least;
    }
    free(chance);
    return least;
}

static void drop(league *l, int at) {
    l->count--;
    l->left++;
    memmove(l->member + at, l->member + at + 1, (size_t)(l->count - at) * sizeof *l->member);
}

void league_join(league *l, const league_rules *rules, const char *name, int64_t window,
                 int64_t update) {
    league_member m = {.window = window, .joined = update, .quality = most_quality(l)};
    snprintf(m.name, sizeof m.name, "%s", name);
    l->member = lu_realloc(l->member, (size_t)(l->count + 1) * sizeof *l->member);
    l->member[l->count++] = m;
    while (l->count > rules->size) {
        drop(l, least_drawn(l, rules, l->count - 1));
    }
}

static const league_member *find(const league *l, const char *name) {
    for (int i = 0; i < l->count; i++) {
        if (strcmp(l->member[i].name, name) == 0) {
            return &l->member[i];
        }
    }
    return NULL;
}

void league_follow(league *l, const league *other, int64_t update) {
    double most = most_quality(l);
    league next = {.member = lu_alloc_zero((size_t)other->count + 1, sizeof *next.member),
                   .left = l->left};
    for (int i = 0; i < other->count; i++) {
        const league_member *known = find(l, other->member[i].name);
        league_member *m = &next.member[next.count++];
        *m = (league_member){.window = -1, .joined = update, .quality = most};
        snprintf(m->name, sizeof m->name, "%s", other->member[i].name);
        *m = known ? *known : *m;
    }
    for (int i = 0; i < l->count; i++) {
        next.left += find(other, l->member[i].name) == NULL;
    }
    league_free(l);
    *l = next;
}

void league_learn(league *l, const league_rules *rules, const double *chance,
                  const lu_opponent_result *results) {
    for (int i = 0; i < l->count; i++) {
        const lu_opponent_result *r = &results[i];
        league_member *m = &l->member[i];
        m->games += r->episodes;
        m->wins += r->wins;
        m->draws += r->draws;
        m->recent_games = FADE * m->recent_games + (double)r->episodes;
        m->recent_points = FADE * m->recent_points + (double)r->wins + 0.5 * (double)r->draws;
        if (r->wins > 0) {
            m->quality -= rules->rate * (double)r->wins / (l->count * lu_fmax(chance[i], 1e-12));
        }
    }
}

/* ---- kept ---- */

void league_write(const league *l, const league_rules *rules, lu_json *json) {
    double *chance = lu_alloc_zero((size_t)l->count + 1, sizeof *chance);
    league_chances(l, rules, chance);
    lu_json_key_int(json, "left", l->left);
    lu_json_key_array(json, "members");
    for (int i = 0; i < l->count; i++) {
        const league_member *m = &l->member[i];
        lu_json_object(json);
        lu_json_key_string(json, "name", m->name);
        lu_json_key_int(json, "window", m->window);
        lu_json_key_int(json, "joined", m->joined);
        lu_json_key_real(json, "quality", m->quality);
        lu_json_key_real(json, "chance", chance[i]);
        lu_json_key_int(json, "games", m->games);
        lu_json_key_int(json, "wins", m->wins);
        lu_json_key_int(json, "draws", m->draws);
        lu_json_key_real(json, "recent_games", m->recent_games);
        lu_json_key_real(json, "recent_points", m->recent_points);
        lu_json_object_end(json);
    }
    lu_json_array_end(json);
    free(chance);
}

static lu_status read_member(league_member *m, const lu_json_value *entry, lu_error *error) {
    const char *name = NULL;
    lu_status status = lu_json_get_text(entry, "name", &name, error);
    LU_THEN(status, lu_json_get_int(entry, "window", -1, INT64_MAX, &m->window, error));
    LU_THEN(status, lu_json_get_int(entry, "joined", 0, INT64_MAX, &m->joined, error));
    LU_THEN(status, lu_json_get_real(entry, "quality", -1e300, 1e300, &m->quality, error));
    LU_THEN(status, lu_json_get_int(entry, "games", 0, INT64_MAX, &m->games, error));
    LU_THEN(status, lu_json_get_int(entry, "wins", 0, m->games, &m->wins, error));
    LU_THEN(status, lu_json_get_int(entry, "draws", 0, m->games - m->wins, &m->draws, error));
    LU_THEN(status, lu_json_get_real(entry, "recent_games", 0, 1e300, &m->recent_games, error));
    LU_THEN(status, lu_json_get_real(entry, "recent_points", 0, 1e300, &m->recent_points, error));
    if (status == LU_OK && (!*name || strlen(name) >= sizeof m->name)) {
        status = lu_fail(error, LU_BAD_DATA, "a member has no name, or one longer than %d bytes",
                         LU_OPPONENT_NAME - 1);
    }
    if (status == LU_OK) {
        snprintf(m->name, sizeof m->name, "%s", name);
    }
    return status;
}

lu_status league_read(league *l, const lu_json_value *object, lu_error *error) {
    const lu_json_value *list = lu_json_get(object, "members");
    size_t count = lu_json_count(list);
    league read = {.member = lu_alloc_zero(count + 1, sizeof *read.member)};
    lu_status status = lu_json_get_int(object, "left", 0, INT64_MAX, &read.left, error);
    if (status == LU_OK && count > MOST_MEMBERS) {
        status = lu_fail(error, LU_LIMIT, "a league has at most %d members", MOST_MEMBERS);
    }
    for (size_t i = 0; i < count && status == LU_OK; i++) {
        status = read_member(&read.member[read.count++], lu_json_at(list, i), error);
    }
    if (status == LU_OK) {
        league_free(l);
        *l = read;
    } else {
        league_free(&read);
    }
    return status;
}
