/* ludus compare: which of two players is better, on the same seeds, and how sure that is. */
#include "judge.h"
#include "output.h"
#include "run_text.h"

#include "ludus/comparison.h"
#include "ludus/contest.h"
#include "ludus/run.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const verb_example examples[] = {
    {"ludus compare latest best", "the newest agent next to the best one"},
    {"ludus compare latest bot:pilot --metric net_profit --margin 100",
     "better by more than 100 credits?"},
    {"ludus compare bot:ace bot:pilot --game prospector --sequential",
     "two bots, on as many seeds as it takes"},
    {"ludus compare old.safetensors new.safetensors --greedy --json",
     "two model files, taking their best actions, as JSON"},
    {NULL, NULL},
};

static const lu_setting options[] = {
    {"game", LU_TEXT, "", 0, 100, NULL,
     "The game; default: that of the models. Required for two bots.", false},
    JUDGE_SEEDS,
    JUDGE_EPISODES,
    {"metric", LU_TEXT, "", 0, 100, NULL,
     "Metric that decides; default: the game's headline. The return is shown next to it.", false},
    {"margin", LU_REAL, "0", 0, 1e12, NULL,
     "A difference counts only if it is significantly larger than this.", false},
    {"lower", LU_BOOL, "false", 0, 0, NULL, "Less is better for this metric.", false},
    {"sequential", LU_BOOL, "false", 0, 0, NULL,
     "Stops as soon as a sequential test of the metric decides, at the latest after all seeds.",
     false},
    {"effect", LU_REAL, "0.25", 0.02, 10, NULL,
     "With --sequential: the difference to detect, in standard deviations of the differences.",
     false},
    JUDGE_GREEDY,
    JUDGE_SAMPLE,
    {"opponent", LU_TEXT, "", 0, 4096, NULL,
     "Player in the other seats of a multiplayer game; if repeated, the seats after A's and B's in "
     "order. Default: the strongest bot.",
     true},
    {"seat", LU_INT, "0", 0, LU_MAX_SEATS - 1, NULL, "Seat of A, and of B.", false},
    JUDGE_WITH,
    JUDGE_THREADS,
};

static const lu_table *const tables[] = {&lu_run_place_table, NULL};

static const char details[] =
    "A and B are each a model file, a run, `latest`, `best`, `random` or bot:NAME. Both play the "
    "same\nseeds with the settings of A's training (of B's if A is a bot). The verdict is better "
    "or\nworse if the 95% interval of the mean difference lies beyond the margin and a "
    "sign-flip\ntest agrees (p at most 0.05), else undecided; with --sequential the test decides.";

enum { BAR = 41 };

/* ---- who plays ---- */

enum { A, B, PLAYERS };

static lu_status open_players(const verb_call *call, lu_player *who, call_seats *seats,
                              lu_episode *s, lu_error *error) {
    lu_status status = judge_open(call, call->argument, 2, who, s, error);
    LU_THEN(status, call_open_seats(call, s->game, seats, error));
    LU_THEN(status, call_check_own(seats, s, error));
    for (int i = 0; i < seats->opponents; i++) {
        LU_THEN(status, judge_manner(call, &seats->opponent[i], error));
    }
    return status;
}

/* Both matches: A and B by themselves, against the same. */
static lu_status sit_down(const verb_call *call, lu_comparison *c, const lu_episode *s,
                          const lu_player *who, const call_seats *seats, lu_error *error) {
    c->a.episode = s;
    c->a.threads = (int)lu_settings_int(call->settings, "threads");
    judge_ready(&c->a);
    lu_status status = judge_seeds(call, &c->a, error);
    judge_sit_down(&c->a, &who[A], seats);
    c->b = c->a;
    c->b.player[0] = &who[B];
    return status;
}

/* ---- the report ---- */

/* The interval of a difference drawn around 0 on a line that reaches as far to both sides. */
static void draw_bar(const lu_pairing *p, double reach, char bar[BAR + 1]) {
    const lu_summary *d = &p->difference;
    double at[3] = {d->low, d->high, d->mean};
    int column[3];
    for (int i = 0; i < 3; i++) {
        column[i] = (int)lround((at[i] / reach + 1) / 2 * (BAR - 1));
    }
    memset(bar, '-', BAR);
    bar[BAR] = 0;
    bar[BAR / 2] = '0';
    memset(bar + column[0], '=', (size_t)(column[1] - column[0] + 1));
    bar[column[0]] = '[';
    bar[column[1]] = ']';
    bar[column[2]] = 'o';
}

static void print_difference(const lu_comparison *c, int i) {
    lu_pairing p = lu_comparison_pairing(c, i);
    const lu_summary *d = &p.difference;
    bool metric = i == c->metric;
    out_format("\n%s, A - B: %s, 95%% interval %s\n", c->of_a[i].name, real_text(d->mean),
               interval_text(d->low, d->high));
    double reach = fmax(fabs(d->low), fabs(d->high));
    if (reach > 0) { /* and is a number */
        char bar[BAR + 1];
        reach *= 1.1;
        draw_bar(&p, reach, bar);
        out_format("  %s %s %s\n", real_text(-reach), bar, real_text(reach));
    }
    out_line("  A ahead on %s of the seeds, ties count half; p = %.2g\n",
             figure_share(p.improvement, p.improvement_low, p.improvement_high), p.p);
    const char *beyond =
        metric && c->margin > 0 ? cell(" by more than %s", real_text(c->margin)) : "";
    style colour = p.verdict == LU_BETTER ? GREEN : p.verdict == LU_WORSE ? RED : YELLOW;
    if (p.verdict == LU_UNDECIDED) {
        out_format("  %sundecided%s whether A is better or worse%s\n", paint(colour), paint(PLAIN),
                   beyond);
    } else {
        out_format("  A is %s%s%s than B%s\n", paint(colour), lu_verdict_name(p.verdict),
                   paint(PLAIN), beyond);
    }
}

static void print_race(const lu_comparison *c) {
    int taken = c->a.episodes;
    if (!c->decided) {
        out_line("\nThe sequential test did not decide within %d seeds: add more with --seeds.\n",
                 taken);
        return;
    }
    bool none = lu_comparison_pairing(c, c->metric).verdict == LU_UNDECIDED;
    out_line("\nThe sequential test decided after %d of %d seeds%s.\n", taken, c->most,
             none ? cell(": no difference of %s deviations", real_text(c->effect)) : "");
}

static void print(const lu_comparison *c) {
    const lu_match *m = &c->a;
    const int shown[2] = {c->metric, 0};
    bool same = figure_equals(&c->of_a[c->metric], &c->of_a[0], m->episodes) &&
                figure_equals(&c->of_b[c->metric], &c->of_b[0], m->episodes);
    out_line("%s: A = %s, B = %s, %s each, seeds %llu..%llu\n\n", m->episode->game->id,
             judge_name(m->player[0]), judge_name(c->b.player[0]), counted(m->episodes, "episode"),
             (unsigned long long)m->first_seed,
             (unsigned long long)lu_match_seed(m, m->episodes - 1));
    table t = table_of("lrnrn");
    table_row(&t, "metric", "A", "95% interval", "B", "95% interval");
    for (int n = 0; n < (same ? 1 : 2); n++) {
        lu_summary a = lu_match_summary(&c->of_a[shown[n]], m->episodes);
        lu_summary b = lu_match_summary(&c->of_b[shown[n]], m->episodes);
        table_row(&t, c->of_a[shown[n]].name, real_text(a.mean), interval_text(a.low, a.high),
                  real_text(b.mean), interval_text(b.low, b.high));
    }
    table_print(&t);
    table_free(&t);
    for (int n = 0; n < (same ? 1 : 2); n++) {
        print_difference(c, shown[n]);
    }
    if (c->sequential) {
        print_race(c);
    }
    if (lu_match_check_sides(m->episode, NULL) == LU_OK) {
        lu_text others = LU_TEXT_INIT;
        judge_opponents(m, &others);
        out_line("\nEach played by itself against %s: `ludus match` lets A and B play against "
                 "each other.\n",
                 others.text);
        lu_text_free(&others);
    }
}

/* ---- the verb ---- */

static lu_status compare(const verb_call *call, lu_comparison *c, lu_error *error) {
    progress_start();
    lu_status status = lu_comparison_play(c, error);
    progress_end();
    if (status == LU_OK && call->json) {
        lu_json json = LU_JSON_INIT;
        lu_comparison_write(c, &json);
        out_json(&json);
        lu_json_free(&json);
    } else if (status == LU_OK) {
        print(c);
    }
    lu_comparison_free(c);
    return status;
}

static lu_status run(verb_call *call, lu_error *error) {
    const lu_settings *settings = call->settings;
    lu_player who[PLAYERS] = {0};
    call_seats seats = {.filled = true};
    lu_episode s = {0};
    lu_comparison *c = lu_alloc_zero(1, sizeof *c);
    c->margin = lu_settings_real(settings, "margin");
    c->lower = lu_settings_bool(settings, "lower");
    c->sequential = lu_settings_bool(settings, "sequential");
    c->effect = lu_settings_real(settings, "effect");
    lu_status status = LU_OK;
    if (!c->sequential && lu_settings_origin(settings, "effect") == LU_FROM_FLAG) {
        status = lu_fail(error, LU_USAGE, "--effect needs --sequential");
    }
    LU_THEN(status, open_players(call, who, &seats, &s, error));
    LU_THEN(status, sit_down(call, c, &s, who, &seats, error));
    LU_THEN(status, lu_comparison_metric(c, lu_settings_text_of(settings, "metric"), error));
    if (status == LU_OK) {
        judge_note_settings(&s, &who[A]);
        judge_note_settings(&s, &who[B]);
        status = compare(call, c, error);
    }
    lu_episode_close(&s);
    for (int i = 0; i < PLAYERS; i++) {
        lu_player_close(&who[i]);
    }
    call_close_seats(&seats);
    free(c);
    return status;
}

const verb verb_compare = {
    .name = "compare",
    .usage = "compare A B [--seeds A..B | --episodes N] [--metric M] [--margin X] [--sequential]",
    .sentence = "Compares two players on the same seeds, with confidence intervals.",
    .details = details,
    .examples = examples,
    .options = VERB_OPTIONS("compare", options),
    .tables = tables,
    .least = 2,
    .most = 2,
    .argument = "MODEL",
    .json = true,
    .run = run,
};
