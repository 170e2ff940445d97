/* Reports on matches: see report.h. */
#include "ludus/report.h"

#include <stdlib.h>
#include <string.h>

/* ---- figures ---- */

static bool reported(const lu_game *game, int i) {
    const lu_info *info = &game->info[i];
    return lu_info_is_number(info) &&
           (info->mean || (game->headline && strcmp(info->name, game->headline) == 0));
}

int lu_match_figures(const lu_match *m, int player, lu_match_figure *list) {
    const lu_game *game = m->episode->game;
    size_t seats = (size_t)game->seats, infos = (size_t)game->infos;
    const double *info = m->info ? lu_match_info(m, 0, player) : NULL;
    int count = LU_MATCH_OWN;
    list[0] =
        (lu_match_figure){"return", "", m->returns ? m->returns + player : NULL, seats, false};
    list[1] = (lu_match_figure){"decisions", "", m->decisions, 1, false};
    list[2] = (lu_match_figure){"ticks", "", m->ticks, 1, false};
    list[3] = (lu_match_figure){"illegal", "", m->illegal, 1, false};
    list[4] = (lu_match_figure){"terminated", "", m->terminated, 1, true};
    for (int i = 0; i < game->infos; i++) {
        if (reported(game, i)) {
            list[count++] = (lu_match_figure){
                game->info[i].name, game->info[i].unit ? game->info[i].unit : "",
                info ? info + i : NULL, seats * infos, game->info[i].kind == LU_INFO_FLAG};
        }
    }
    return count;
}

int lu_match_headline(const lu_game *game, const lu_match_figure *list, int count) {
    const char *headline = game->headline;
    for (int i = LU_MATCH_OWN; i < count && headline; i++) {
        if (strcmp(list[i].name, headline) == 0) {
            return i;
        }
    }
    return 0;
}

lu_status lu_match_figure_find(const lu_match_figure *list, int count, const char *name, int *index,
                               lu_error *error) {
    const char *names[LU_MATCH_FIGURES] = {NULL};
    for (*index = 0; *index < count; ++*index) {
        names[*index] = list[*index].name;
        if (strcmp(names[*index], name) == 0) {
            return LU_OK;
        }
    }
    const char *near = lu_nearest(name, names, (size_t)count);
    if (near) {
        return lu_fail(error, LU_NOT_FOUND, "there is no metric '%.100s'; did you mean '%s'?", name,
                       near);
    }
    lu_text all = LU_TEXT_INIT;
    for (int i = 0; i < count; i++) {
        lu_text_addf(&all, "%s%s", i ? ", " : "", names[i]);
    }
    lu_fail(error, LU_NOT_FOUND, "there is no metric '%.100s'; the metrics are %s", name, all.text);
    lu_text_free(&all);
    return LU_NOT_FOUND;
}

double lu_match_figure_value(const lu_match_figure *f, int episode) {
    return f->values[(size_t)episode * f->stride];
}

static double *values_of(const lu_match_figure *f, int episodes) {
    LU_ASSERT(f->values); /* the match was played */
    double *copy = lu_alloc((size_t)episodes * sizeof *copy);
    for (int e = 0; e < episodes; e++) {
        copy[e] = lu_match_figure_value(f, e);
    }
    return copy;
}

lu_summary lu_match_summary(const lu_match_figure *f, int episodes) {
    double *copy = values_of(f, episodes);
    lu_summary s = lu_summarise(copy, episodes, f->flag);
    free(copy);
    return s;
}

lu_pairing lu_match_compare(const lu_match_figure *a, const lu_match_figure *b, int episodes,
                            double margin) {
    double *own = values_of(a, episodes), *theirs = values_of(b, episodes);
    lu_pairing p = lu_compare_pairs(own, theirs, episodes, margin);
    free(own);
    free(theirs);
    return p;
}

int lu_match_success(const lu_match_figure *list, int count) {
    for (int i = LU_MATCH_OWN; i < count; i++) {
        if (list[i].flag) {
            return i;
        }
    }
    return -1;
}

/* How often an info field of names had this one. */
static int name_count(const lu_match *m, int i, int name) {
    int count = 0;
    for (int e = 0; e < m->episodes; e++) {
        count += (int)lu_match_info(m, e, 0)[i] == name;
    }
    return count;
}

/* ---- causes of the end ---- */

/* Whether the first name, that of an episode which still runs, is only left to those that a limit
 * has cut off. */
static bool cut_is_first(const lu_match *m, int info) {
    for (int e = 0; e < m->episodes; e++) {
        if ((int)lu_match_info(m, e, 0)[info] == 0 && m->terminated[e] != 0) {
            return false;
        }
    }
    return true;
}

int lu_match_endings(const lu_match *m, lu_ending *list) {
    static const char *const plain[] = {"truncated", "terminated"};
    const lu_game *game = m->episode->game;
    int info = lu_game_info_index(game, "end"), used = 0, terminated = 0;
    bool named = info >= 0 && game->info[info].kind == LU_INFO_NAME;
    for (int e = 0; e < m->episodes; e++) {
        terminated += m->terminated[e] != 0;
    }
    for (int i = 0; i < (named ? lu_info_names(&game->info[info]) : 2); i++) {
        lu_ending end = {.name = !named                            ? plain[i]
                                 : i == 0 && cut_is_first(m, info) ? "time limit"
                                                                   : game->info[info].names[i],
                         .count = named ? name_count(m, info, i)
                                  : i   ? terminated
                                        : m->episodes - terminated};
        end.share = (double)end.count / m->episodes;
        lu_wilson(end.share, m->episodes, &end.low, &end.high);
        if (end.count > 0) {
            list[used++] = end;
        }
    }
    return used;
}

/* ---- JSON ---- */

static void write_summary(lu_json *json, const char *key, const lu_match_figure *f, int episodes) {
    lu_summary s = lu_match_summary(f, episodes);
    lu_json_key_object(json, key);
    lu_summary_write(&s, json);
    lu_json_object_end(json);
}

static void write_names(const lu_match *m, lu_json *json) {
    const lu_game *game = m->episode->game;
    lu_json_key_object(json, "names");
    for (int i = 0; i < game->infos; i++) {
        if (game->info[i].kind != LU_INFO_NAME) {
            continue;
        }
        lu_json_key_object(json, game->info[i].name);
        for (int name = 0; name < lu_info_names(&game->info[i]); name++) {
            int count = name_count(m, i, name);
            if (count > 0) {
                lu_json_key_int(json, game->info[i].names[name], count);
            }
        }
        lu_json_object_end(json);
    }
    lu_json_object_end(json);
}

static void write_endings(const lu_match *m, lu_json *json) {
    lu_ending list[LU_MAX_NAMES];
    int count = lu_match_endings(m, list);
    lu_json_key_object(json, "ends");
    for (int i = 0; i < count; i++) {
        lu_json_key_object(json, list[i].name);
        lu_json_key_int(json, "count", list[i].count);
        lu_json_key_real(json, "share", list[i].share);
        lu_json_key_real(json, "low", list[i].low);
        lu_json_key_real(json, "high", list[i].high);
        lu_json_object_end(json);
    }
    lu_json_object_end(json);
}

/* null in a game that has no such flag. */
static void write_success(const lu_match *m, const lu_match_figure *list, int count,
                          lu_json *json) {
    int success = lu_match_success(list, count);
    lu_json_key(json, "success");
    if (success < 0) {
        lu_json_null(json);
        return;
    }
    lu_summary s = lu_match_summary(&list[success], m->episodes);
    lu_json_object(json);
    lu_json_key_string(json, "name", list[success].name);
    lu_summary_write(&s, json);
    lu_json_object_end(json);
}

static void write_infos(const lu_match *m, const lu_match_figure *list, int count, lu_json *json) {
    lu_json_key_array(json, "infos");
    for (int i = LU_MATCH_OWN; i < count; i++) {
        lu_summary s = lu_match_summary(&list[i], m->episodes);
        lu_json_object(json);
        lu_json_key_string(json, "name", list[i].name);
        lu_json_key_string(json, "unit", list[i].unit);
        lu_summary_write(&s, json);
        lu_json_object_end(json);
    }
    lu_json_array_end(json);
}

/* What the first player's predictor says, and how far that is from what came. */
static void write_win_rate(const lu_match *m, lu_json *json) {
    if (m->win_rate) {
        lu_match_figure mean = {"mean", "", m->win_rate, 1, false};
        lu_match_figure miss = {"squared_miss", "", m->win_miss, 1, false};
        lu_json_key_object(json, "win_rate");
        write_summary(json, mean.name, &mean, m->episodes);
        write_summary(json, miss.name, &miss, m->episodes);
        lu_json_object_end(json);
    }
}

void lu_match_write(const lu_match *m, lu_json *json) {
    const lu_game *game = m->episode->game;
    lu_match_figure list[LU_MATCH_FIGURES];
    int count = lu_match_figures(m, 0, list);
    lu_json_key_int(json, "schema", 1);
    lu_json_key_string(json, "game", game->id);
    lu_json_key_int(json, "episodes", m->episodes);
    lu_json_key_array(json, "seeds");
    lu_json_uint(json, m->first_seed);
    lu_json_uint(json, lu_match_seed(m, m->episodes - 1));
    lu_json_array_end(json);
    if (m->seatings > 1) {
        lu_json_key_int(json, "seatings", m->seatings);
    }
    lu_json_key_raw(json, "settings", m->episode->settings_json);
    lu_json_key_string(json, "headline", game->headline ? game->headline : "");
    lu_json_key_string(json, "interval",
                       "95%: means by bootstrap (BCa), flags and shares by Wilson, medians by "
                       "order statistics");
    for (int i = 0; i < LU_MATCH_OWN; i++) {
        write_summary(json, list[i].name, &list[i], m->episodes);
    }
    write_success(m, list, count, json);
    write_infos(m, list, count, json);
    write_endings(m, json);
    write_names(m, json);
    write_win_rate(m, json);
}

void lu_match_write_seats(const lu_match *m, lu_json *json) {
    int seats = m->episode->game->seats;
    if (seats == 1) {
        return;
    }
    lu_json_key_int(json, "seat", m->seat);
    lu_json_key_array(json, "opponents");
    for (int p = 1; p < seats && m->player[p]; p++) {
        lu_player_write(m->player[p], json);
    }
    lu_json_array_end(json);
}

/* An info field of an episode, by its kind. */
static void write_info(const lu_info *info, double value, lu_json *json) {
    const char *name = info->kind == LU_INFO_NAME ? lu_info_name(info, value) : NULL;
    if (name) {
        lu_json_key_string(json, info->name, name);
    } else if (info->kind == LU_INFO_FLAG) {
        lu_json_key_bool(json, info->name, value > 0);
    } else {
        lu_json_key_real(json, info->name, value);
    }
}

void lu_match_write_each(const lu_match *m, lu_json *json) {
    const lu_game *game = m->episode->game;
    lu_json_key_array(json, "each");
    for (int e = 0; e < m->episodes; e++) {
        lu_json_object(json);
        lu_json_key(json, "seed");
        lu_json_uint(json, lu_match_seed(m, e));
        if (m->seatings > 1) {
            lu_json_key_int(json, "seat", lu_match_seat(m, e, 0));
        }
        lu_json_key_int(json, "roll", m->roll[e]);
        lu_json_key_real(json, "return", lu_match_return(m, e, 0));
        lu_json_key_real(json, "decisions", m->decisions[e]);
        lu_json_key_object(json, "info");
        for (int i = 0; i < game->infos; i++) {
            if (reported(game, i) || game->info[i].kind == LU_INFO_NAME) {
                write_info(&game->info[i], lu_match_info(m, e, 0)[i], json);
            }
        }
        lu_json_object_end(json);
        lu_json_object_end(json);
    }
    lu_json_array_end(json);
}

static void write_other(const lu_match *m, const lu_match *other, lu_json *json) {
    lu_match_figure list[LU_MATCH_FIGURES], theirs[LU_MATCH_FIGURES];
    int count = lu_match_figures(m, 0, list);
    lu_match_figures(other, 0, theirs);
    lu_json_object(json);
    for (int i = 0; i < count; i++) {
        lu_pairing p = lu_match_compare(&list[i], &theirs[i], m->episodes, 0);
        lu_json_key_object(json, list[i].name);
        write_summary(json, "theirs", &theirs[i], m->episodes);
        lu_json_key_object(json, "difference");
        lu_pairing_write(&p, json);
        lu_json_object_end(json);
        lu_json_object_end(json);
    }
    lu_json_object_end(json);
}

void lu_match_write_against(const lu_match *m, const lu_match *others, int count, lu_json *json) {
    lu_json_key_object(json, "against");
    for (int i = 0; i < count; i++) {
        lu_json_key(json, others[i].player[0]->name);
        write_other(m, &others[i], json);
    }
    lu_json_object_end(json);
}
