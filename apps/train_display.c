/* What a training tells: see train_display.h. */
#include "train_display.h"

#include "output.h"
#include "run_text.h"
#include "terminal.h"

#include <math.h>
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

static int64_t total(const display *p) {
    return lu_trainer_updates_total(lu_training_trainer(p->training));
}

/* ---- rows of JSON ---- */

static void row_begin(lu_json *json, const char *event) {
    lu_json_init(json);
    lu_json_object(json);
    lu_json_key_string(json, "event", event);
}

static void row_end(lu_json *json) {
    lu_json_object_end(json);
    out_json(json);
    out_flush();
    lu_json_free(json);
}

/* A row of a file of the run, in an event of its own. */
static void tell_row(const display *p, const char *event, const char *row) {
    lu_json json;
    if (p->json) {
        row_begin(&json, event);
        lu_json_key_raw(&json, "row", row);
        row_end(&json);
    }
}

/* ---- start and end ---- */

void display_memory(const display *p) {
    lu_text text = LU_TEXT_INIT;
    if (*p->preset_told && !p->json) {
        out_line("preset: %s\n", p->preset_told);
    }
    lu_training_need_text(&p->need, &text);
    lu_text_add(&text, "; ");
    if (p->free > 0) {
        lu_text_add_bytes(&text, (double)p->free);
    } else {
        lu_text_add(&text, "an unknown number");
    }
    if (!p->json) {
        lu_text line = LU_TEXT_INIT;
        lu_text_add(&text, " are free");
        lu_text_add(&line, "memory: ");
        text_wrap(&line, text.text, 8, 8, out_columns() ? out_columns() : 1000);
        out_text_end(&line);
    }
    lu_text_free(&text);
}

static void write_memory(const display *p, lu_json *json) {
    lu_json_key_object(json, "memory");
    for (int i = 0; i < p->need.parts; i++) {
        lu_json_key_real(json, p->need.part[i].name, p->need.part[i].value);
    }
    lu_json_key_real(json, "total", (double)p->need.total);
    lu_json_key_real(json, "available", (double)p->free);
    lu_json_object_end(json);
}

static void write_start(const display *p) {
    const lu_algorithm *a = p->plan->algorithm;
    const lu_run *run = lu_training_run(p->training);
    lu_trainer *trainer = lu_training_trainer(p->training);
    lu_json json;
    row_begin(&json, "start");
    write_memory(p, &json);
    lu_json_key_string(&json, "run", lu_run_id(run));
    lu_json_key_string(&json, "folder", lu_run_path(run));
    lu_json_key_string(&json, "preset", *p->preset_told ? p->preset : NULL);
    lu_json_key_string(&json, "game", p->plan->game->id);
    lu_json_key_string(&json, "algorithm", a->name);
    lu_json_key_int(&json, "parameters", (int64_t)lu_net_parameters(lu_trainer_net(trainer)));
    lu_json_key_int(&json, "threads", lu_trainer_threads(trainer));
    lu_json_key_int(&json, "batch", lu_trainer_batch(trainer));
    lu_json_key_int(&json, "update", lu_trainer_updates(trainer));
    lu_json_key_int(&json, "updates_total", lu_trainer_updates_total(trainer));
    row_end(&json);
}

/* A training that is over already, or will be before it has learned anything; a preset is known to
 * learn in its steps. */
static void note_size(const display *p) {
    enum { FEW = 50 };
    const lu_settings *own = p->plan->settings;
    const char *steps = cell("%s.steps", p->plan->algorithm->prefix);
    int batch = lu_trainer_batch(lu_training_trainer(p->training));
    bool fast = lu_settings_has(own, "train.profile") && !lu_settings_enum(own, "train.profile");
    if (lu_training_done(p->training)) {
        note("run %s has finished its %s steps; a larger --steps N trains on",
             lu_run_id(lu_training_run(p->training)),
             count_text((double)lu_trainer_steps(lu_training_trainer(p->training))));
    } else if (total(p) < FEW && lu_settings_origin(own, steps) != LU_FROM_PRESET) {
        note("warning: only %s of %s steps, often too few to learn much: --steps %s "
             "makes %d%s",
             counted(total(p), "update"), count_text(batch), count_text((double)FEW * batch), FEW,
             fast ? "; --train.profile classic or fewer train.environments make them smaller" : "");
    }
}

void display_start(display *p, lu_training *training) {
    const lu_algorithm *a = p->plan->algorithm;
    lu_trainer *trainer = lu_training_trainer(training);
    p->training = training;
    p->first = lu_trainer_updates(trainer);
    p->shown = -1e9;
    p->stride = 1;
    if (p->json) {
        write_start(p);
        note_size(p);
        return;
    }
    out_line("run:    %s\n", lu_run_path(lu_training_run(training)));
    out_line("%s by %s: %zu parameters, %s of %s steps, %s\n", p->plan->game->id, a->name,
             lu_net_parameters(lu_trainer_net(trainer)), counted(total(p), "update"),
             count_text(lu_trainer_batch(trainer)), counted(lu_trainer_threads(trainer), "thread"));
    if (p->first > 0 && !lu_training_done(training)) {
        out_format("resuming after update %lld\n", (long long)p->first);
    }
    out_flush();
    note_size(p);
}

static void write_end(const display *p, const char *state) {
    lu_trainer *trainer = lu_training_trainer(p->training);
    lu_json json;
    row_begin(&json, "end");
    lu_json_key_string(&json, "status", state);
    lu_json_key_string(&json, "run", lu_run_id(lu_training_run(p->training)));
    lu_json_key_string(&json, "folder", lu_run_path(lu_training_run(p->training)));
    lu_json_key_int(&json, "update", lu_trainer_updates(trainer));
    lu_json_key_int(&json, "env_steps", lu_trainer_steps(trainer));
    lu_json_key_real(&json, "wall_seconds", lu_training_seconds(p->training));
    lu_json_key_hex(&json, "hash", lu_trainer_hash(trainer));
    row_end(&json);
}

void display_end(const display *p, const char *state, const char *run) {
    lu_trainer *trainer = lu_training_trainer(p->training);
    if (p->json) {
        write_end(p, state);
        return;
    }
    out_text(out_terminal() ? "\r\033[K" : ""); /* over the ^C of Ctrl-C */
    if (out_terminal() && *p->judged) {         /* below the display, where it can be read */
        out_line("eval     %s\nbest     %s\n", p->judged, p->best);
    }
    out_line("%s after %s, %s steps, %s; hash %016llx\n", state,
             counted(lu_trainer_updates(trainer), "update"),
             count_text((double)lu_trainer_steps(trainer)),
             time_text(lu_training_seconds(p->training)),
             (unsigned long long)lu_trainer_hash(trainer));
    if (strcmp(state, "stopped") == 0 && !interrupted()) { /* by a limit of run.stop_* */
        out_line("To continue: ludus train %s --resume %s\n", p->plan->game->name, run);
    }
    if (lu_training_saved(p->training) >= 0) {
        out_line("Next: ludus eval %s\n", run);
    }
}

/* ---- the curve ---- */

/* A point per `stride` updates; when the list is full every second point goes and the stride
 * doubles, so that the curve always spans the sitting. */
static void add_point(display *p, double value) {
    if (p->seen++ % p->stride != 0) {
        return;
    }
    if (p->points == DISPLAY_CURVE) {
        for (int i = 0; i < DISPLAY_CURVE / 2; i++) {
            p->curve[i] = p->curve[2 * i];
        }
        p->points = DISPLAY_CURVE / 2;
        p->stride *= 2;
    }
    p->curve[p->points++] = value;
}

static void add_curve(const display *p, lu_text *text) {
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

/* ---- a display ---- */

static double remaining(const display *p, const lu_progress *g) {
    double done = (double)(g->updates - p->first), left = (double)(total(p) - g->updates);
    return done > 0 && left > 0 ? lu_training_seconds(p->training) / done * left : 0.0;
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
        lu_text_addf(text, "   %s %.0f%%", g->part[i].name,
                     100.0 * g->part[i].value / (sum > 0.0 ? sum : 1.0));
    }
}

static void add_episodes(const display *p, const lu_progress *g, lu_text *text) {
    const lu_game *game = p->plan->game;
    int headline = game->headline ? lu_game_info_index(game, game->headline) : -1;
    if (g->recent == 0) {
        lu_text_add(text, "no episode has ended yet");
        return;
    }
    lu_text_addf(text, "return %.5g over the last %lld", g->recent_return, (long long)g->recent);
    if (g->episodes > 0) {
        lu_text_addf(text, "   length %.5g", g->episode_length);
    }
    if (headline >= 0 && g->endings > 0) {
        lu_text_addf(text, "   %s %.5g", game->headline, g->info[headline]);
    }
}

static void add_display(const display *p, const lu_progress *g, lu_text *text) {
    const lu_algorithm *a = p->plan->algorithm;
    int64_t all = total(p), saved = lu_training_saved(p->training);
    double share = (double)g->updates / (double)(all > 0 ? all : 1);
    double steps = (double)(all * lu_trainer_batch(lu_training_trainer(p->training)));
    lu_text_addf(text, "%s   %s   %s\n", p->plan->game->id, a->name,
                 lu_run_id(lu_training_run(p->training)));
    add_bar(text, share > 1.0 ? 1.0 : share, 24);
    lu_text_addf(text, " %5.1f%%   %s of %s steps   %s/s   %s left\n", 100.0 * share,
                 count_text((double)g->steps), count_text(steps), count_text(g->steps_per_second),
                 time_text(remaining(p, g)));
    lu_text_add(text, "time  ");
    add_parts(text, g);
    lu_text_add(text, "\nlearns");
    for (int i = 0; i < 4 && a->shown[i]; i++) {
        lu_text_addf(text, "   %s %.4g", a->shown[i], lu_progress_figure(g, a->shown[i]));
    }
    lu_text_add(text, "\nplays    ");
    add_episodes(p, g, text);
    lu_text_add(text, "\nreturn   ");
    add_curve(p, text);
    lu_text_addf(text, "\neval     %s\nbest     %s\n",
                 *p->judged ? p->judged : "after the first window",
                 *p->best ? p->best : "none yet");
    lu_text_addf(text, "update %lld of %lld   checkpoint %s   Ctrl-C saves and stops\n",
                 (long long)g->updates, (long long)all,
                 saved > 0 ? cell("%lld", (long long)saved) : "none yet");
    if (*p->said) {
        lu_text_addf(text, "warning: %s\n", p->said);
    }
}

/* Bytes of a line that fit: figures stand three blanks apart behind the line's name, and one that
 * does not fit is left out; a sentence is cut. */
static size_t shown_of(const char *line, size_t length, size_t columns) {
    const size_t name = 9, most = columns > 1 ? columns - 1 : 1;
    size_t end = most;
    if (length < columns) {
        return length;
    }
    while (end > name && strncmp(line + end, "   ", 3) != 0) {
        end--;
    }
    return end > name ? end : most;
}

/* Over the lines of the last one; what does not fit is left out, the rest of a line cleared. */
static void draw(display *p, const lu_progress *g) {
    int columns, lines;
    lu_text text = LU_TEXT_INIT, screen = LU_TEXT_INIT;
    terminal_size(&columns, &lines);
    add_display(p, g, &text);
    lu_text_add(&screen, "\r\033[K"); /* a line of the update stands here */
    if (p->drawn > 0) {
        lu_text_addf(&screen, "\033[%dA", p->drawn);
    }
    p->drawn = 0;
    for (const char *at = text.text; *at;) {
        size_t length = strcspn(at, "\n");
        lu_text_add_char(&screen, '\r');
        lu_text_add_n(&screen, at, shown_of(at, length, (size_t)columns));
        lu_text_add(&screen, "\033[K\n");
        at += length + (at[length] != 0);
        p->drawn++;
    }
    out_write(screen.text, screen.length);
    out_flush();
    lu_text_free(&text);
    lu_text_free(&screen);
}

/* ---- windows and evaluations ---- */

static double real_of(const lu_json_value *object, const char *key) {
    return lu_json_real_or(lu_json_get(object, key), NAN);
}

/* The id of the first replay with a tag; "" when there is none. */
static const char *replay_of(const lu_json_value *row) {
    const lu_json_value *first = lu_json_at(lu_json_get(row, "replays"), 0);
    const char *id = lu_json_text(lu_json_get(first, "replay_id"), NULL);
    return id ? id : "";
}

static bool is_worse(const lu_json_value *object) {
    const char *verdict = lu_json_text(lu_json_get(object, "verdict"), NULL);
    return verdict && strcmp(verdict, "worse") == 0;
}

/* What `random` and the strongest bot got, behind the figures of a window. */
static void add_bots(const lu_json_value *bots, char *text, size_t room) {
    for (size_t i = 0, used = strlen(text); i < lu_json_count(bots) && used < room; i++) {
        const lu_json_value *bot = lu_json_at(bots, i);
        const char *name = lu_json_text(lu_json_get(bot, "name"), NULL);
        snprintf(text + used, room - used, "%s%.40s %s", i == 0 ? "; " : ", ", name ? name : "",
                 real_text(real_of(lu_json_get(bot, "value"), "mean")));
        used = strlen(text);
    }
}

/* Learning that goes the wrong way: below `random`, or below an earlier window. */
static void warn_of_evaluation(display *p, const lu_json_value *row) {
    const lu_json_value *random = lu_json_at(lu_json_get(row, "bots"), 0);
    bool below = is_worse(random), falls = is_worse(lu_json_get(row, "against_best"));
    if (!below && !falls) {
        return;
    }
    snprintf(p->said, sizeof p->said, "window %.0f: %s%s", real_of(row, "window_id"),
             below ? "worse than random" : "", below && falls ? ", and " : "");
    size_t used = strlen(p->said);
    if (falls) {
        snprintf(p->said + used, sizeof p->said - used, "the best was window %.0f, falling since",
                 real_of(row, "best_window"));
    }
    if (p->json || !out_terminal()) {
        note("warning: %s", p->said);
    }
}

void display_evaluation(display *p, const lu_json_value *row) {
    const lu_json_value *value = lu_json_get(row, "value");
    const char *metric = lu_json_text(lu_json_get(row, "metric"), NULL);
    bool best = lu_json_kind_of(lu_json_get(row, "best")) == LU_JSON_TRUE;
    snprintf(p->judged, sizeof p->judged, "window %.0f: %.60s %s (95%%: %s)%s",
             real_of(row, "window_id"), metric ? metric : "", real_text(real_of(value, "mean")),
             interval_text(real_of(value, "low"), real_of(value, "high")),
             best && *p->best && !out_terminal() ? ", best so far" : "");
    add_bots(lu_json_get(row, "bots"), p->judged, sizeof p->judged);
    if (best) {
        snprintf(p->best, sizeof p->best, "window %.0f: %s (%s)   ludus replay %.60s",
                 real_of(row, "window_id"), real_text(real_of(value, "mean")),
                 interval_text(real_of(value, "low"), real_of(value, "high")), replay_of(row));
    }
    if (p->json) {
        lu_json json = LU_JSON_INIT;
        lu_json_value_write(&json, row);
        tell_row(p, "evaluation", json.text);
        lu_json_free(&json);
    } else if (!out_terminal()) {
        out_format("evaluation of %s\n", p->judged);
        out_flush();
    }
    warn_of_evaluation(p, row);
}

void display_window(display *p, const lu_window *window, const lu_progress *last, const char *row) {
    const char *text;
    for (int i = 0; (text = lu_window_warning(window, last, p->plan->game, i)) != NULL; i++) {
        snprintf(p->said, sizeof p->said, "window %lld: %s", (long long)window->id, text);
        if (p->json || !out_terminal()) {
            note("warning: %s", p->said);
        }
    }
    tell_row(p, "window", row);
}

/* ---- exploiters ---- */

static void update_ended(display *p, const lu_progress *g) {
    p->learned = g->seconds - g->rollout;
    p->began = lu_training_seconds(p->training);
    p->at = NULL;
}

/* Share of the points that an exploiter gets from whom it plays against. */
static double exploiter_points(const lu_progress *g) {
    for (int i = 0; i < g->figures; i++) {
        if (strcmp(g->figure[i].name, "latest_points") == 0 ||
            strcmp(g->figure[i].name, "past_points") == 0) {
            return g->figure[i].value;
        }
    }
    return NAN;
}

void display_exploiter(display *p, const char *name, const lu_progress *g, int64_t done,
                       int64_t updates) {
    double now = lu_training_seconds(p->training), points = exploiter_points(g);
    update_ended(p, g);
    if (p->json) {
        lu_json json;
        row_begin(&json, "exploiter");
        lu_json_key_string(&json, "name", name);
        lu_json_key_int(&json, "update", done);
        lu_json_key_int(&json, "updates", updates);
        lu_json_key_real(&json, "points", points);
        row_end(&json);
        return;
    }
    bool late = now - p->shown >= lu_settings_real(p->plan->run, "run.line_seconds");
    if (out_terminal()) { /* over the last line, below the display */
        out_format("\r\033[Kexploiter %s: update %lld of %lld, %.0f%% of the points%s", name,
                   (long long)done, (long long)updates, 100.0 * points,
                   done == updates ? "\r\033[K" : "");
    } else if (late || done == updates) {
        out_format("exploiter %s: update %lld of %lld, %.0f%% of the points\n", name,
                   (long long)done, (long long)updates, 100.0 * points);
        p->shown = now;
    }
    out_flush();
}

/* ---- inside an update ---- */

/* Seconds that an update still takes; NAN: not known. */
static double update_left(const display *p, double share, double now) {
    double left = share > 0.02 ? (now - p->since) * (1.0 - share) / share : NAN;
    return left + (strcmp(p->at, "playing") != 0 ? 0.0 : p->learned > 0.0 ? p->learned : NAN);
}

/* What a second Ctrl-C leaves. */
static const char *what_stays(const display *p) {
    int64_t saved = lu_training_saved(p->training);
    return saved < 0 ? "there is no checkpoint yet" : cell("update %lld is kept", (long long)saved);
}

/* The last words stay in place from the first Ctrl-C on. */
static void tell_end(display *p, const char *left, const char *run) {
    bool drawn = !p->json && out_terminal(), kept = lu_training_saved(p->training) >= 0;
    p->ends = true;
    snprintf(p->words, sizeof p->words,
             kept ? "%s" LUDUS_PROGRAM ": ended at once; `ludus train %s "
                    "--resume %.900s` resumes from the last checkpoint\n"
                  : "%s" LUDUS_PROGRAM ": ended at once, before any "
                    "checkpoint\n",
             drawn ? "\n" : "", p->plan->game->name, run);
    out_last_words(p->words);
    if (!drawn) {
        note("stopping after this update%s; a second Ctrl-C ends at once (%s)", left,
             what_stays(p));
    }
}

void display_within(display *p, double share, const char *what, const char *run) {
    enum { QUIET_SECONDS = 2 };
    double now = lu_training_seconds(p->training);
    if (!p->at || strcmp(p->at, what) != 0) {
        p->at = what;
        p->since = now;
    }
    double seconds = update_left(p, share, now);
    const char *left = isfinite(seconds) ? cell(", about %s left", time_text(seconds)) : "";
    if (interrupted() && !p->ends) {
        tell_end(p, left, run);
    } else if (now - p->began < QUIET_SECONDS) {
        return;
    }
    const char *line = cell("%s update: %s%s", interrupted() ? "last" : "this", what, left);
    if (p->json || !out_terminal()) {
        progress(share, line);
        return;
    }
    int columns, lines;
    terminal_size(&columns, &lines);
    const char *whole = cell("%s, %.0f%%%s", line, 100.0 * share,
                             interrupted() ? "; Ctrl-C again ends at once" : "");
    /* a line that wraps would move the display down */
    out_format("\r\033[K%.*s", columns - 1, whole);
    out_flush();
}

/* ---- a line ---- */

static void print_line(const display *p, const lu_progress *g) {
    const lu_algorithm *a = p->plan->algorithm;
    const lu_game *game = p->plan->game;
    lu_text text = LU_TEXT_INIT;
    lu_text_addf(&text, "update %lld/%lld  %s steps  %s/s", (long long)g->updates,
                 (long long)total(p), count_text((double)g->steps),
                 count_text(g->steps_per_second));
    if (g->recent > 0) {
        lu_text_addf(&text, "  return %.5g", g->recent_return);
    }
    if (g->episodes > 0) {
        lu_text_addf(&text, "  length %.5g", g->episode_length);
    }
    for (int i = 0; i < 4 && a->shown[i]; i++) {
        lu_text_addf(&text, "  %s %.4g", a->shown[i], lu_progress_figure(g, a->shown[i]));
    }
    int headline = game->headline ? lu_game_info_index(game, game->headline) : -1;
    if (headline >= 0 && g->endings > 0) {
        lu_text_addf(&text, "  %s %s", game->headline, real_text(g->info[headline]));
    }
    lu_text_addf(&text, "  %s left\n", time_text(remaining(p, g)));
    out_write(text.text, text.length);
    out_flush();
    lu_text_free(&text);
}

static void show(display *p, const lu_progress *g, bool last) {
    double now = lu_training_seconds(p->training);
    bool screen = out_terminal();
    if (g->recent > 0) {
        add_point(p, g->recent_return);
    }
    if (!last &&
        now - p->shown < (screen ? 0.2 : lu_settings_real(p->plan->run, "run.line_seconds"))) {
        return;
    }
    p->shown = now;
    if (screen) {
        draw(p, g);
    } else {
        print_line(p, g);
    }
}

void display_update(display *p, const lu_progress *g, const char *row, bool last) {
    update_ended(p, g);
    if (p->json) {
        out_format("{\"event\":\"update\",%s\n", row + 1);
        out_flush();
    } else {
        show(p, g, last);
    }
}
