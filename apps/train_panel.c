/* The panel and the lines of a training: see train_panel.h. */
#include "train_panel.h"

#include "output.h"
#include "terminal.h"

#include "ludus/clock.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

const char *count_text(double count) {
    static const char *const units[] = {"", "k", "M", "G", "T"};
    int unit = 0;
    while (count >= 999.5 && unit < 4) {
        count /= 1000.0;
        unit++;
    }
    return cell(unit == 0 ? "%.0f%s" : count < 99.95 ? "%.1f%s" : "%.0f%s", count, units[unit]);
}

const char *time_text(double seconds) {
    long long s = (long long)(seconds + 0.5);
    return s < 3600 ? cell("%lld:%02lld", s / 60, s % 60)
                    : cell("%lld:%02lld:%02lld", s / 3600, s / 60 % 60, s % 60);
}

void panel_start(panel *p) {
    p->began = lu_clock_seconds();
    p->shown = -1e9;
    p->stride = 1;
}

/* ---- the curve ---- */

/* A point per `stride` updates; when the list is full every second point goes and the stride
 * doubles, so that the curve always spans the session. */
static void add_point(panel *p, double value) {
    if (p->seen++ % p->stride != 0) {
        return;
    }
    if (p->points == PANEL_CURVE) {
        for (int i = 0; i < PANEL_CURVE / 2; i++) {
            p->curve[i] = p->curve[2 * i];
        }
        p->points = PANEL_CURVE / 2;
        p->stride *= 2;
    }
    p->curve[p->points++] = value;
}

static void add_curve(const panel *p, lu_text *text) {
    static const char levels[] = "_.-~=+*#";
    double low = INFINITY, high = -INFINITY;
    for (int i = 0; i < p->points; i++) {
        low = fmin(low, p->curve[i]);
        high = fmax(high, p->curve[i]);
    }
    for (int i = 0; i < p->points; i++) {
        double share = high > low ? (p->curve[i] - low) / (high - low) : 0.0;
        lu_text_add_char(text, levels[(int)(share * 7.0 + 0.5)]);
    }
}

/* ---- a panel ---- */

static double remaining(const panel *p, const lu_progress *g) {
    double done = (double)(g->updates - p->first), left = (double)(p->total - g->updates);
    return done > 0 && left > 0 ? (lu_clock_seconds() - p->began) / done * left : 0.0;
}

static void add_bar(lu_text *text, double share, int width) {
    int full = (int)(share * width);
    lu_text_add_char(text, '[');
    lu_text_fill(text, '#', full);
    lu_text_fill(text, '-', width - full);
    lu_text_add_char(text, ']');
}

static void add_parts(lu_text *text, const lu_progress *g) {
    double sum = 0.0;
    for (int i = 0; i < g->parts; i++) {
        sum += g->part[i].value;
    }
    for (int i = 0; i < g->parts; i++) {
        lu_text_addf(text, "   %s %.0f %%", g->part[i].name,
                     100.0 * g->part[i].value / (sum > 0.0 ? sum : 1.0));
    }
}

static void add_episodes(const panel *p, const lu_progress *g, lu_text *text) {
    int headline = p->game->headline ? lu_game_info_index(p->game, p->game->headline) : -1;
    if (g->recent == 0) {
        lu_text_add(text, "no episode has ended yet");
        return;
    }
    lu_text_addf(text, "return %.5g over the last %lld", g->recent_return, (long long)g->recent);
    if (g->episodes > 0) {
        lu_text_addf(text, "   length %.5g", g->episode_length);
    }
    if (headline >= 0 && g->endings > 0) {
        lu_text_addf(text, "   %s %.5g", p->game->headline, g->info[headline]);
    }
}

static void add_panel(const panel *p, const lu_progress *g, lu_text *text) {
    double share = (double)g->updates / (double)(p->total > 0 ? p->total : 1);
    lu_text_addf(text, "%s   %s   %s\n", p->game->id, p->algorithm->name, p->title);
    add_bar(text, share > 1.0 ? 1.0 : share, 24);
    lu_text_addf(text, " %5.1f %%   %s of %s steps   %s/s   %s left\n", 100.0 * share,
                 count_text((double)g->steps), count_text((double)p->steps_total),
                 count_text(g->steps_per_second), time_text(remaining(p, g)));
    lu_text_add(text, "time  ");
    add_parts(text, g);
    lu_text_add(text, "\nlearns");
    for (int i = 0; i < 4 && p->algorithm->shown[i]; i++) {
        lu_text_addf(text, "   %s %.4g", p->algorithm->shown[i],
                     lu_progress_figure(g, p->algorithm->shown[i]));
    }
    lu_text_add(text, "\nplays    ");
    add_episodes(p, g, text);
    lu_text_add(text, "\nreturn   ");
    add_curve(p, text);
    lu_text_addf(text, "\njudged   %s\nbest     %s\n",
                 *p->judged ? p->judged : "after the first window",
                 *p->best ? p->best : "none yet");
    lu_text_addf(text, "update %lld of %lld   checkpoint %s   Ctrl-C saves and stops\n",
                 (long long)g->updates, (long long)p->total,
                 p->saved > 0 ? cell("%lld", (long long)p->saved) : "none yet");
    if (*p->said) {
        lu_text_addf(text, "warning: %s\n", p->said);
    }
}

/* Over the lines of the last one; each line cut at the width, the rest of it cleared. */
static void draw(panel *p, const lu_progress *g) {
    int columns, lines;
    lu_text text, screen;
    lu_text_init(&text);
    lu_text_init(&screen);
    terminal_size(&columns, &lines);
    add_panel(p, g, &text);
    if (p->drawn > 0) {
        lu_text_addf(&screen, "\033[%dA", p->drawn);
    }
    p->drawn = 0;
    for (const char *at = text.text; *at;) {
        size_t length = strcspn(at, "\n");
        lu_text_add_char(&screen, '\r');
        lu_text_add_n(&screen, at, length < (size_t)columns ? length : (size_t)columns - 1);
        lu_text_add(&screen, "\033[K\n");
        at += length + (at[length] != 0);
        p->drawn++;
    }
    out_write(screen.text, screen.length);
    out_flush();
    lu_text_free(&text);
    lu_text_free(&screen);
}

/* ---- evaluations and warnings ---- */

static double real_of(const lu_json_value *object, const char *key) {
    return lu_json_real_or(lu_json_get(object, key), NAN);
}

/* The id of the first replay with a tag; "" when there is none. */
static const char *replay_of(const lu_json_value *row) {
    const lu_json_value *first = lu_json_at(lu_json_get(row, "replays"), 0);
    const char *id = lu_json_text(lu_json_get(first, "replay_id"), NULL);
    return id ? id : "";
}

void panel_evaluation(panel *p, const lu_json_value *row) {
    const lu_json_value *value = lu_json_get(row, "value");
    const char *metric = lu_json_text(lu_json_get(row, "metric"), NULL);
    bool best = lu_json_kind_of(lu_json_get(row, "best")) == LU_JSON_TRUE;
    snprintf(p->judged, sizeof p->judged, "window %.0f: %.60s %.6g, 95 %% interval %.6g to %.6g",
             real_of(row, "window_id"), metric ? metric : "", real_of(value, "mean"),
             real_of(value, "low"), real_of(value, "high"));
    if (best) {
        snprintf(p->best, sizeof p->best, "window %.0f: %.5g (%.5g .. %.5g)   ludus replay %.60s",
                 real_of(row, "window_id"), real_of(value, "mean"), real_of(value, "low"),
                 real_of(value, "high"), replay_of(row));
    }
    if (!p->quiet && !out_terminal()) {
        out_format("evaluation of %s%s\n", p->judged, best ? ", the best so far" : "");
        out_flush();
    }
}

void panel_say(panel *p, const char *format, ...) {
    va_list list;
    va_start(list, format);
    vsnprintf(p->said, sizeof p->said, format, list);
    va_end(list);
    if (p->quiet || !out_terminal()) {
        note("warning: %s", p->said);
    }
}

void panel_end(panel *p) {
    if (!p->quiet && out_terminal() && *p->judged) {
        out_format("judged   %s\nbest     %s\n", p->judged, p->best);
    }
}

/* ---- a line ---- */

static void print_line(const panel *p, const lu_progress *g) {
    lu_text text;
    lu_text_init(&text);
    lu_text_addf(&text, "update %lld/%lld  %s steps  %s/s", (long long)g->updates,
                 (long long)p->total, count_text((double)g->steps),
                 count_text(g->steps_per_second));
    if (g->recent > 0) {
        lu_text_addf(&text, "  return %.5g", g->recent_return);
    }
    if (g->episodes > 0) {
        lu_text_addf(&text, "  length %.5g", g->episode_length);
    }
    for (int i = 0; i < 4 && p->algorithm->shown[i]; i++) {
        lu_text_addf(&text, "  %s %.4g", p->algorithm->shown[i],
                     lu_progress_figure(g, p->algorithm->shown[i]));
    }
    int headline = p->game->headline ? lu_game_info_index(p->game, p->game->headline) : -1;
    if (headline >= 0 && g->endings > 0) {
        lu_text_addf(&text, "  %s %.6g", p->game->headline, g->info[headline]);
    }
    lu_text_addf(&text, "  %s left\n", time_text(remaining(p, g)));
    out_write(text.text, text.length);
    out_flush();
    lu_text_free(&text);
}

void panel_show(panel *p, const lu_progress *g, bool last) {
    double now = lu_clock_seconds();
    bool screen = out_terminal();
    if (g->recent > 0) {
        add_point(p, g->recent_return);
    }
    if (!last && now - p->shown < (screen ? 0.2 : p->line_seconds)) {
        return;
    }
    p->shown = now;
    if (screen) {
        draw(p, g);
    } else {
        print_line(p, g);
    }
}
