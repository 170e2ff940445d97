/* Reports on many episodes: see watch_many.h. */
#include "output.h"
#include "watch_many.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- figures ---- */

static bool reported(const lu_game *game, int i) {
    const lu_info *info = &game->info[i];
    return lu_info_is_number(info) &&
           (info->mean || (game->headline && strcmp(info->name, game->headline) == 0));
}

int many_figures(const many *m, figure *list) {
    const lu_game *game = m->session->game;
    int count = OWN_FIGURES;
    list[0] = (figure){"return", "", m->returns, 1, false};
    list[1] = (figure){"decisions", "", m->decisions, 1, false};
    list[2] = (figure){"ticks", "", m->ticks, 1, false};
    list[3] = (figure){"illegal", "", m->illegal, 1, false};
    list[4] = (figure){"terminated", "", m->terminated, 1, true};
    for (int i = 0; i < game->infos; i++) {
        if (reported(game, i)) {
            list[count++] =
                (figure){game->info[i].name, game->info[i].unit ? game->info[i].unit : "",
                         m->info ? m->info + i : NULL, (size_t)game->infos,
                         game->info[i].kind == LU_INFO_FLAG};
        }
    }
    return count;
}

int many_headline(const many *m, const figure *list, int count) {
    const char *headline = m->session->game->headline;
    for (int i = OWN_FIGURES; i < count && headline; i++) {
        if (strcmp(list[i].name, headline) == 0) {
            return i;
        }
    }
    return 0;
}

lu_status many_figure_find(const figure *list, int count, const char *name, int *index,
                           lu_error *error) {
    const char *names[MOST_FIGURES] = {NULL};
    for (*index = 0; *index < count; ++*index) {
        names[*index] = list[*index].name;
        if (strcmp(names[*index], name) == 0) {
            return LU_OK;
        }
    }
    const char *near = lu_nearest(name, names, (size_t)count);
    if (near) {
        return lu_fail(error, LU_NOT_FOUND, "there is no figure '%.100s'; did you mean '%s'?", name,
                       near);
    }
    lu_text all;
    lu_text_init(&all);
    for (int i = 0; i < count; i++) {
        lu_text_addf(&all, "%s%s", i ? ", " : "", names[i]);
    }
    lu_fail(error, LU_NOT_FOUND, "there is no figure '%.100s'; there are %s", name, all.text);
    lu_text_free(&all);
    return LU_NOT_FOUND;
}

static double *values_of(const figure *f, int episodes) {
    double *copy = lu_alloc((size_t)episodes * sizeof *copy);
    for (int e = 0; e < episodes; e++) {
        copy[e] = f->values[(size_t)e * f->stride];
    }
    return copy;
}

lu_summary figure_summary(const figure *f, int episodes) {
    double *copy = values_of(f, episodes);
    lu_summary s = lu_summarise(copy, episodes, f->flag);
    free(copy);
    return s;
}

lu_pairing figure_compare(const figure *a, const figure *b, int episodes, double margin) {
    double *own = values_of(a, episodes), *theirs = values_of(b, episodes);
    lu_pairing p = lu_compare_pairs(own, theirs, episodes, margin);
    free(own);
    free(theirs);
    return p;
}

int many_success(const figure *list, int count) {
    for (int i = OWN_FIGURES; i < count; i++) {
        if (list[i].flag) {
            return i;
        }
    }
    return -1;
}

/* How often an info field of names had each name. */
static int name_count(const many *m, int i, int name) {
    int count = 0;
    for (int e = 0; e < m->episodes; e++) {
        count += (int)m->info[(size_t)e * (size_t)m->session->game->infos + (size_t)i] == name;
    }
    return count;
}

/* ---- causes of the end ---- */

typedef struct ending {
    const char *name;
    int count;
    double share, low, high;
} ending;

/* By the info field `end`, else whether the rules or a limit ended the episode. Those that came up;
 * returns how many. */
static int endings_of(const many *m, ending *list) {
    static const char *const plain[] = {"truncated", "terminated"};
    const lu_game *game = m->session->game;
    int info = lu_game_info_index(game, "end"), used = 0, terminated = 0;
    bool named = info >= 0 && game->info[info].kind == LU_INFO_NAME;
    for (int e = 0; e < m->episodes; e++) {
        terminated += m->terminated[e] != 0;
    }
    for (int i = 0; i < (named ? lu_info_names(&game->info[info]) : 2); i++) {
        ending end = {.name = named ? game->info[info].names[i] : plain[i],
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

static void write_summary(lu_json *json, const char *key, const figure *f, int episodes) {
    lu_summary s = figure_summary(f, episodes);
    lu_json_key(json, key);
    lu_json_object(json);
    lu_summary_write(&s, json);
    lu_json_object_end(json);
}

static void write_names(const many *m, lu_json *json) {
    const lu_game *game = m->session->game;
    lu_json_key(json, "names");
    lu_json_object(json);
    for (int i = 0; i < game->infos; i++) {
        if (game->info[i].kind != LU_INFO_NAME) {
            continue;
        }
        lu_json_key(json, game->info[i].name);
        lu_json_object(json);
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

static void write_endings(const many *m, lu_json *json) {
    ending list[LU_MAX_NAMES];
    int count = endings_of(m, list);
    lu_json_key(json, "ends");
    lu_json_object(json);
    for (int i = 0; i < count; i++) {
        lu_json_key(json, list[i].name);
        lu_json_object(json);
        lu_json_key_int(json, "count", list[i].count);
        lu_json_key_real(json, "share", list[i].share);
        lu_json_key_real(json, "low", list[i].low);
        lu_json_key_real(json, "high", list[i].high);
        lu_json_object_end(json);
    }
    lu_json_object_end(json);
}

/* null in a game that has no such flag. */
static void write_success(const many *m, const figure *list, int count, lu_json *json) {
    int success = many_success(list, count);
    lu_json_key(json, "success");
    if (success < 0) {
        lu_json_null(json);
        return;
    }
    lu_summary s = figure_summary(&list[success], m->episodes);
    lu_json_object(json);
    lu_json_key_string(json, "name", list[success].name);
    lu_summary_write(&s, json);
    lu_json_object_end(json);
}

static void write_infos(const many *m, const figure *list, int count, lu_json *json) {
    lu_json_key(json, "infos");
    lu_json_array(json);
    for (int i = OWN_FIGURES; i < count; i++) {
        lu_summary s = figure_summary(&list[i], m->episodes);
        lu_json_object(json);
        lu_json_key_string(json, "name", list[i].name);
        lu_json_key_string(json, "unit", list[i].unit);
        lu_summary_write(&s, json);
        lu_json_object_end(json);
    }
    lu_json_array_end(json);
}

void many_write(const many *m, lu_json *json) {
    const lu_game *game = m->session->game;
    figure list[MOST_FIGURES];
    int count = many_figures(m, list);
    lu_json_key_int(json, "schema", 1);
    lu_json_key_string(json, "game", game->id);
    lu_json_key_int(json, "episodes", m->episodes);
    lu_json_key(json, "seeds");
    lu_json_array(json);
    lu_json_uint(json, m->first_seed);
    lu_json_uint(json, m->first_seed + (uint64_t)m->episodes - 1);
    lu_json_array_end(json);
    lu_json_key(json, "settings");
    lu_json_raw(json, m->session->settings_json, strlen(m->session->settings_json));
    lu_json_key_string(json, "headline", game->headline ? game->headline : "");
    lu_json_key_string(json, "interval",
                       "95 %: means by bootstrap (BCa), flags and shares by Wilson, medians by "
                       "order statistics");
    for (int i = 0; i < OWN_FIGURES; i++) {
        write_summary(json, list[i].name, &list[i], m->episodes);
    }
    write_success(m, list, count, json);
    write_infos(m, list, count, json);
    write_endings(m, json);
    write_names(m, json);
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

void many_write_each(const many *m, lu_json *json) {
    const lu_game *game = m->session->game;
    lu_json_key(json, "each");
    lu_json_array(json);
    for (int e = 0; e < m->episodes; e++) {
        lu_json_object(json);
        lu_json_key(json, "seed");
        lu_json_uint(json, m->first_seed + (uint64_t)e);
        lu_json_key_int(json, "roll", m->roll[e]);
        lu_json_key_real(json, "return", m->returns[e]);
        lu_json_key_real(json, "decisions", m->decisions[e]);
        lu_json_key(json, "info");
        lu_json_object(json);
        for (int i = 0; i < game->infos; i++) {
            if (reported(game, i) || game->info[i].kind == LU_INFO_NAME) {
                write_info(&game->info[i], m->info[(size_t)e * (size_t)game->infos + (size_t)i],
                           json);
            }
        }
        lu_json_object_end(json);
        lu_json_object_end(json);
    }
    lu_json_array_end(json);
}

static void write_other(const many *m, const many *other, lu_json *json) {
    figure list[MOST_FIGURES], theirs[MOST_FIGURES];
    int count = many_figures(m, list);
    many_figures(other, theirs);
    lu_json_object(json);
    for (int i = 0; i < count; i++) {
        lu_pairing p = figure_compare(&list[i], &theirs[i], m->episodes, 0);
        lu_json_key(json, list[i].name);
        lu_json_object(json);
        write_summary(json, "theirs", &theirs[i], m->episodes);
        lu_json_key(json, "difference");
        lu_json_object(json);
        lu_pairing_write(&p, json);
        lu_json_object_end(json);
        lu_json_object_end(json);
    }
    lu_json_object_end(json);
}

void many_write_against(const many *m, const many *others, int count, lu_json *json) {
    lu_json_key(json, "against");
    lu_json_object(json);
    for (int i = 0; i < count; i++) {
        lu_json_key(json, others[i].name);
        write_other(m, &others[i], json);
    }
    lu_json_object_end(json);
}

/* ---- text ---- */

const char *figure_number(double value) {
    return isnan(value) ? "-" : fabs(value) >= 1e5 ? cell("%.0f", value) : cell("%.5g", value);
}

const char *figure_interval(double low, double high) {
    return isnan(low) ? "-" : cell("%s .. %s", figure_number(low), figure_number(high));
}

const char *figure_share(double share, double low, double high) {
    return isnan(share) ? "-" : cell("%.3g %% (%.3g .. %.3g)", 100 * share, 100 * low, 100 * high);
}

static void add_means(table *t, const many *m, const figure *f) {
    lu_summary s = figure_summary(f, m->episodes);
    table_row(t, f->name, figure_number(s.mean), figure_interval(s.low, s.high),
              f->flag ? "" : figure_number(s.iqm),
              f->flag ? "" : figure_interval(s.iqm_low, s.iqm_high));
}

static void add_quantiles(table *t, const many *m, const figure *f) {
    lu_summary s = figure_summary(f, m->episodes);
    table_row(t, f->name, figure_number(s.median), figure_interval(s.median_low, s.median_high),
              figure_number(s.least), figure_number(s.q05), figure_number(s.q25),
              figure_number(s.q75), figure_number(s.q95), figure_number(s.most));
}

static void print_endings(const many *m) {
    ending list[LU_MAX_NAMES];
    int count = endings_of(m, list);
    table t;
    table_init(&t, "lrl");
    table_row(&t, "end", "episodes", "share, 95 % interval");
    for (int i = 0; i < count; i++) {
        table_row(&t, list[i].name, cell("%d", list[i].count),
                  figure_share(list[i].share, list[i].low, list[i].high));
    }
    out_text("\n");
    table_print(&t);
    table_free(&t);
}

void many_print(const many *m) {
    figure list[MOST_FIGURES];
    int count = many_figures(m, list), headline = many_headline(m, list, count);
    table t;
    out_format("%s: %s, %d episodes, seeds %llu..%llu%s\n\n", m->session->game->id, m->name,
               m->episodes, (unsigned long long)m->first_seed,
               (unsigned long long)(m->first_seed + (uint64_t)m->episodes - 1),
               m->rolls > 1 ? cell(", best of %d roll-outs each", m->rolls) : "");
    table_init(&t, "lrlrl");
    table_row(&t, "figure", "mean", "95 % interval", "IQM", "95 % interval");
    for (int n = -1; n < count; n++) {
        if (n != headline) {
            add_means(&t, m, &list[n < 0 ? headline : n]);
        }
    }
    table_print(&t);
    table_free(&t);
    out_text("\n");
    table_init(&t, "lrlrrrrrr");
    table_row(&t, "figure", "median", "95 % interval", "min", "5 %", "25 %", "75 %", "95 %", "max");
    for (int n = -1; n < 3; n++) { /* the headline, the return and how long it took */
        const figure *f = &list[n < 0 ? headline : n];
        if (n != headline && !f->flag) {
            add_quantiles(&t, m, f);
        }
    }
    table_print(&t);
    table_free(&t);
    print_endings(m);
}

/* "BOT: better by true_profit: ahead on 62 % (57 .. 67) of the seeds, p = 0.002". */
static void print_verdict(const char *name, const figure *f, const lu_pairing *p) {
    out_format("%s: %s; ahead on %s of the seeds, ties as half; p = %.2g\n", f->name,
               p->verdict == LU_UNDECIDED ? cell("undecided against %s", name)
                                          : cell("%s than %s", lu_verdict_name(p->verdict), name),
               figure_share(p->improvement, p->improvement_low, p->improvement_high), p->p);
}

void many_print_against(const many *m, const many *other) {
    figure list[MOST_FIGURES], theirs[MOST_FIGURES];
    int count = many_figures(m, list), headline = many_headline(m, list, count);
    lu_pairing told[2] = {0};
    table t;
    many_figures(other, theirs);
    out_format("\nagainst %s on the same seeds\n\n", other->name);
    table_init(&t, "lrlrl");
    table_row(&t, "figure", other->name, "95 % interval", "difference", "95 % interval");
    for (int n = -1; n < count; n++) {
        int i = n < 0 ? headline : n;
        if (n == headline) {
            continue;
        }
        lu_summary s = figure_summary(&theirs[i], m->episodes);
        lu_pairing p = figure_compare(&list[i], &theirs[i], m->episodes, 0);
        const lu_summary *d = &p.difference;
        table_row(&t, list[i].name, figure_number(s.mean), figure_interval(s.low, s.high),
                  figure_number(d->mean), figure_interval(d->low, d->high));
        if (n <= 0) {
            told[n + 1] = p;
        }
    }
    table_print(&t);
    table_free(&t);
    out_text("\n");
    print_verdict(other->name, &list[headline], &told[0]);
    if (headline != 0) {
        print_verdict(other->name, &list[0], &told[1]);
    }
}
