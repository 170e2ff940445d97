/* What verbs that judge share: see judge.h. */
#include "judge.h"

#include "output.h"
#include "run_text.h"

#include <math.h>
#include <string.h>

/* ---- what a call asks for ---- */

lu_status judge_seeds(const verb_call *call, lu_match *m, lu_error *error) {
    const char *range = lu_settings_text_of(call->settings, "seeds");
    int episodes = (int)lu_settings_int(call->settings, "episodes");
    lu_status status =
        seeds_parse(*range ? range : LU_PUBLIC_SEEDS, &m->first_seed, &m->episodes, error);
    if (status == LU_OK && episodes > 0) {
        if (*range && episodes > m->episodes) {
            return lu_fail(error, LU_BAD_VALUE,
                           "'seeds' = '%s' holds %d seeds, but 'episodes' = %d", range, m->episodes,
                           episodes);
        }
        m->episodes = episodes;
    }
    return status;
}

lu_status judge_games(const verb_call *call, lu_match *m, lu_error *error) {
    const char *range = lu_settings_text_of(call->settings, "seeds");
    int games = (int)lu_settings_int(call->settings, "games"), seeds = 0;
    lu_status status = seeds_parse(*range ? range : LU_PUBLIC_SEEDS, &m->first_seed, &seeds, error);
    if (status == LU_OK && *range && (games + 1) / 2 > seeds) {
        status = lu_fail(error, LU_BAD_VALUE, "'seeds' = '%s' holds %d seeds, but 'games' = %d",
                         range, seeds, games);
    }
    m->episodes = 2 * (games > 0 ? (games + 1) / 2 : seeds);
    return status;
}

lu_status judge_manner(const verb_call *call, lu_player *p, lu_error *error) {
    bool greedy = lu_settings_bool(call->settings, "greedy");
    bool sample = lu_settings_bool(call->settings, "sample");
    bool q = p->kind == LU_PLAYER_AGENT && lu_net_kind_of(p->file->net) == LU_NET_Q;
    if (greedy && sample) {
        return lu_fail(error, LU_USAGE, "--greedy and --sample cannot be combined: choose one");
    }
    p->temperature = lu_settings_has(call->settings, "temperature")
                         ? lu_settings_real(call->settings, "temperature")
                         : 0.0;
    if (greedy && p->temperature > 0.0) {
        return lu_fail(error, LU_USAGE,
                       "--greedy and --temperature cannot be combined: choose one");
    }
    if (q && sample && !(p->temperature > 0.0)) {
        return lu_fail(error, LU_USAGE,
                       "model %s is a Q-network, which has no probabilities to sample from: leave "
                       "out --sample%s",
                       p->name,
                       lu_settings_has(call->settings, "temperature") ? " or give --temperature"
                                                                      : "");
    }
    p->greedy = p->file && (greedy || (q && !(p->temperature > 0.0)));
    return LU_OK;
}

void judge_note_settings(const lu_episode *s, const lu_player *p) {
    for (size_t i = 0; p->file && i < lu_settings_rows(s->settings); i++) {
        const lu_setting *row = lu_settings_row(s->settings, i, NULL);
        const char *now = lu_settings_text_of(s->settings, row->key);
        bool paid = strncmp(row->key, "reward.", 7) == 0; /* which changes no game */
        if (paid || row->repeat || !lu_settings_has(p->file->settings, row->key) ||
            lu_settings_origin(s->settings, row->key) == LU_FROM_FLAG) {
            continue;
        }
        const char *then = lu_settings_text_of(p->file->settings, row->key);
        if (strcmp(now, then) != 0) {
            note("%s was trained with '%s' = '%s' and plays with '%s'", p->name, row->key, then,
                 now);
        }
    }
}

void judge_sit_down(lu_match *m, const lu_player *own, const call_seats *seats) {
    m->seat = seats->own;
    m->player[0] = own;
    for (int i = 0; i < seats->opponents; i++) {
        m->player[1 + i] = &seats->opponent[i];
        judge_note_settings(m->episode, &seats->opponent[i]);
    }
}

lu_status judge_open(const verb_call *call, const char *const *names, int count, lu_player *who,
                     lu_episode *s, lu_error *error) {
    const char *name = lu_settings_text_of(call->settings, "game");
    const lu_game *game = NULL;
    if (*name && !(game = lu_game_find(name, error))) {
        return LU_NOT_FOUND;
    }
    const lu_model_file *file = NULL;
    lu_status status = call_players(call, names, count, &game, who, error);
    for (int i = 0; i < count && status == LU_OK; i++) {
        status = judge_manner(call, &who[i], error);
        file = file ? file : who[i].file;
    }
    LU_THEN(status, call_open_episode(call, game, file, s, error));
    return status;
}

/* ---- playing ---- */

static bool stop(void *context) {
    (void)context;
    return interrupted();
}

static void show(void *context, const lu_match *m) {
    (void)context;
    progress((double)m->played / m->episodes,
             cell("%s: %d of %d episodes", m->player[0]->name, m->played, m->episodes));
}

void judge_ready(lu_match *m) {
    m->stop = stop;
    m->progress = show;
}

lu_status judge_play(lu_match *m, lu_error *error) {
    judge_ready(m);
    progress_start();
    lu_status status = lu_match_play(m, error);
    progress_end();
    return status;
}

/* ---- reports ---- */

const char *figure_share(double share, double low, double high) {
    return isnan(share) ? "-" : cell("%.3g%% (%.3g .. %.3g)", 100 * share, 100 * low, 100 * high);
}

static void add_means(table *t, const lu_match *m, const lu_match_figure *f) {
    lu_summary s = lu_match_summary(f, m->episodes);
    table_row(t, f->name, real_text(s.mean), interval_text(s.low, s.high),
              f->flag ? "" : real_text(s.iqm), f->flag ? "" : interval_text(s.iqm_low, s.iqm_high));
}

static void add_quantiles(table *t, const lu_match *m, const lu_match_figure *f) {
    lu_summary s = lu_match_summary(f, m->episodes);
    table_row(t, f->name, real_text(s.median), interval_text(s.median_low, s.median_high),
              real_text(s.least), real_text(s.q05), real_text(s.q25), real_text(s.q75),
              real_text(s.q95), real_text(s.most));
}

bool figure_equals(const lu_match_figure *f, const lu_match_figure *other, int episodes) {
    for (int i = 0; i < episodes; i++) {
        double own = f->values[(size_t)i * f->stride];
        double value = other ? other->values[(size_t)i * other->stride] : 0.0;
        if (own < value || own > value) {
            return false;
        }
    }
    return true;
}

/* What nobody did needs no row: illegal actions. */
static bool needs_row(const lu_match_figure *f, const lu_match_figure *other, int episodes) {
    return strcmp(f->name, "illegal") != 0 || !figure_equals(f, NULL, episodes) ||
           (other && !figure_equals(other, NULL, episodes));
}

void judge_opponents(const lu_match *m, lu_text *text) {
    for (int p = 1; p < m->episode->game->seats && m->player[p]; p++) {
        lu_text_addf(text, "%s%s", p > 1 ? ", " : "", m->player[p]->name);
    }
}

/* Where the player sat and against whom, as the end of a line. */
static void add_seats(lu_text *text, const lu_match *m) {
    if (m->seat > 0) {
        lu_text_addf(text, ", in seat %d", m->seat);
    }
    if (m->player[1]) {
        lu_text_add(text, ", against ");
        judge_opponents(m, text);
    }
    if (m->seatings > 1) {
        lu_text_add(text, ", from every seat");
    }
}

static void print_endings(const lu_match *m) {
    lu_ending list[LU_MAX_NAMES];
    int count = lu_match_endings(m, list);
    table t = table_of("lrn");
    table_row(&t, "end", "episodes", "share, 95% interval");
    for (int i = 0; i < count; i++) {
        table_row(&t, list[i].name, cell("%d", list[i].count),
                  figure_share(list[i].share, list[i].low, list[i].high));
    }
    out_text("\n");
    table_print(&t);
    table_free(&t);
}

const char *judge_name(const lu_player *player) {
    const char *end = player->path ? strstr(player->path, "/checkpoints/") : NULL;
    const char *id = end;
    while (id && id > player->path && id[-1] != '/') {
        id--;
    }
    /* what a path or an id says already is left out */
    return !id || strstr(player->name, cell("%.*s", (int)(end - id), id))
               ? player->name
               : cell("%s (%s)", player->name, foreign(cell("%.*s", (int)(end - id), id), 60));
}

void judge_print(const lu_match *m) {
    lu_match_figure list[LU_MATCH_FIGURES];
    int count = lu_match_figures(m, 0, list);
    int headline = lu_match_headline(m->episode->game, list, count);
    lu_text seats = LU_TEXT_INIT;
    add_seats(&seats, m);
    out_line("%s: %s, %s, seeds %llu..%llu%s%s\n\n", m->episode->game->id, judge_name(m->player[0]),
             counted(m->episodes, "episode"), (unsigned long long)m->first_seed,
             (unsigned long long)lu_match_seed(m, m->episodes - 1),
             m->rolls > 1 ? cell(", best of %d rollouts each", m->rolls) : "", seats.text);
    lu_text_free(&seats);
    table t = table_of("lrnRN");
    t.fold = true;
    table_row(&t, "metric", "mean", "95% interval", "IQM", "95% interval");
    for (int n = -1; n < count; n++) {
        if (n != headline && (n < 0 || needs_row(&list[n], NULL, m->episodes))) {
            add_means(&t, m, &list[n < 0 ? headline : n]);
        }
    }
    table_print(&t);
    table_free(&t);
    out_text("\n");
    t = table_of("lrNrrrrrr");
    t.fold = true;
    table_row(&t, "metric", "median", "95% interval", "min", "5%", "25%", "75%", "95%", "max");
    for (int n = -1; n < 3; n++) { /* the headline, the return and how long it took */
        const lu_match_figure *f = &list[n < 0 ? headline : n];
        if (n != headline && !f->flag) {
            add_quantiles(&t, m, f);
        }
    }
    table_print(&t);
    table_free(&t);
    print_endings(m);
}

/* "BOT: better by true_profit: ahead on 62 % (57 .. 67) of the seeds, p = 0.002". */
static void print_verdict(const char *name, const lu_match_figure *f, const lu_pairing *p) {
    out_line("%s: %s; ahead on %s of the seeds, ties count half; p = %.2g\n", f->name,
             p->verdict == LU_UNDECIDED ? cell("undecided against %s", name)
                                        : cell("%s than %s", lu_verdict_name(p->verdict), name),
             figure_share(p->improvement, p->improvement_low, p->improvement_high), p->p);
}

void judge_print_against(const lu_match *m, const lu_match *other) {
    lu_match_figure list[LU_MATCH_FIGURES], theirs[LU_MATCH_FIGURES];
    int count = lu_match_figures(m, 0, list);
    int headline = lu_match_headline(m->episode->game, list, count);
    lu_pairing told[2] = {0};
    lu_match_figures(other, 0, theirs);
    out_format("\nagainst %s on the same seeds\n\n", other->player[0]->name);
    table t = table_of("lrnrn");
    t.fold = true;
    table_row(&t, "metric", other->player[0]->name, "95% interval", "difference", "95% interval");
    for (int n = -1; n < count; n++) {
        int i = n < 0 ? headline : n;
        if (n == headline || !needs_row(&list[i], &theirs[i], m->episodes)) {
            continue;
        }
        lu_summary s = lu_match_summary(&theirs[i], m->episodes);
        lu_pairing p = lu_match_compare(&list[i], &theirs[i], m->episodes, 0);
        const lu_summary *d = &p.difference;
        table_row(&t, list[i].name, real_text(s.mean), interval_text(s.low, s.high),
                  real_text(d->mean), interval_text(d->low, d->high));
        if (n <= 0) {
            told[n + 1] = p;
        }
    }
    table_print(&t);
    table_free(&t);
    out_text("\n");
    print_verdict(other->player[0]->name, &list[headline], &told[0]);
    if (!figure_equals(&list[headline], &list[0], m->episodes) ||
        !figure_equals(&theirs[headline], &theirs[0], m->episodes)) {
        print_verdict(other->player[0]->name, &list[0], &told[1]);
    }
}
