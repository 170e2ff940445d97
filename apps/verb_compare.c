/* ludus compare: which of two players is better, on the same seeds, and how sure that is. */
#include "output.h"
#include "watch_many.h"

#include "ludus/run.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const verb_example examples[] = {
    {"ludus compare latest best", "the newest agent beside the best one"},
    {"ludus compare latest bot:pilot --metric net_profit --margin 100",
     "better by more than 100 credits?"},
    {"ludus compare bot:ace bot:pilot --game prospector --sequential",
     "two bots, for as many seeds as it takes"},
    {"ludus compare old.safetensors new.safetensors --greedy --json",
     "two model files, their best actions, as JSON"},
    {NULL, NULL},
};

static const lu_setting options[] = {
    {"game", LU_TEXT, "", 0, 100, NULL,
     "The game; unset takes that of the models, and two bots need it.", false},
    {"seeds", LU_TEXT, "", 0, 80, NULL, "Range of seeds A..B; unset takes " MANY_SEEDS ".", false},
    {"episodes", LU_INT, "0", 0, 1000000, NULL,
     "Plays this many episodes, from the first seed upwards; 0 plays all seeds.", false},
    {"metric", LU_TEXT, "", 0, 100, NULL,
     "Figure that decides; unset takes the game's headline. The return is told beside it.", false},
    {"margin", LU_REAL, "0", 0, 1e12, NULL,
     "A difference of the metric counts when it is surely larger than this.", false},
    {"lower", LU_BOOL, "false", 0, 0, NULL, "Of this metric less is better.", false},
    {"sequential", LU_BOOL, "false", 0, 0, NULL,
     "Plays only until a sequential test of the metric decides, at most all seeds.", false},
    {"effect", LU_REAL, "0.25", 0.02, 10, NULL,
     "With --sequential: the difference to be found, in deviations of the differences.", false},
    {"greedy", LU_BOOL, "false", 0, 0, NULL, "Takes the best action; nets of Q values always do.",
     false},
    {"sample", LU_BOOL, "false", 0, 0, NULL,
     "Draws actions from the policy, as in training: so it is unless --greedy is given.", false},
    {"opponent", LU_TEXT, "", 0, 100, NULL,
     "Bot in the other seats of a game for several; unset takes the strongest.", false},
    {"with", LU_TEXT, "", 0, 4096, NULL,
     "KEY=VALUE: a setting of the game in place of the one of the training.", true},
    {"threads", LU_INT, "0", 0, 1024, NULL,
     "Threads, 0 for one per processor; results do not depend on it.", false},
};

static const lu_table *const tables[] = {&lu_run_place_table, NULL};

static const char details[] =
    "A and B are each a model file, a run, `latest`, `best`, or bot:NAME. Both play the same\n"
    "seeds with the settings of A's training (of B's when A is a bot). The verdict is better or\n"
    "worse when the 95 % interval of the mean difference lies beyond the margin and a sign-flip\n"
    "test agrees (p at most 0.05), else undecided; with --sequential the test says it.";

enum {
    STEP = 48, /* episodes between two looks of the sequential test; a fixed number of blocks */
    BAR = 41,
};

static const double ALPHA = 0.025, BETA = 0.05; /* alpha for each side */

/* One of the two. */
typedef struct player {
    const char *name;
    lu_model_file *file; /* NULL: a bot */
    many m;
} player;

/* Two sequential tests: is A better by the effect, or B? */
typedef struct race {
    lu_sprt better, worse;
    bool decided;
    int seen;
} race;

typedef struct comparison {
    const verb_call *call;
    const lu_game *game;
    lu_episode s;
    player a, b;
    figure fa[MOST_FIGURES], fb[MOST_FIGURES];
    int metric;
    double margin;
    bool lower, sequential;
    race race;
} comparison;

/* ---- who plays ---- */

static const char *bot_name(const char *name) {
    return strncmp(name, "bot:", 4) == 0 ? name + 4 : NULL;
}

static lu_status open_model(comparison *c, player *p, lu_error *error) {
    if (bot_name(p->name)) {
        return LU_OK;
    }
    p->file = model_open(c->call, p->name, c->game, error);
    if (!p->file) {
        return error->status;
    }
    c->game = p->file->game;
    return LU_OK;
}

static lu_status open_bot(const comparison *c, player *p, lu_error *error) {
    const char *name = bot_name(p->name);
    return name ? bot_find(c->game, name, &p->m.bot, error) : LU_OK;
}

/* Says where a model plays by other settings than it was trained with. */
static void note_settings(const comparison *c, const player *p) {
    for (size_t i = 0; p->file && i < lu_settings_rows(c->s.settings); i++) {
        const lu_setting *row = lu_settings_row(c->s.settings, i, NULL);
        const char *now = lu_settings_text_of(c->s.settings, row->key);
        if (row->repeat || !lu_settings_has(p->file->settings, row->key) ||
            lu_settings_origin(c->s.settings, row->key) == LU_FROM_FLAG) {
            continue;
        }
        const char *then = lu_settings_text_of(p->file->settings, row->key);
        if (strcmp(now, then) != 0) {
            note("%s was trained with '%s' = '%s' and plays with '%s'", p->name, row->key, then,
                 now);
        }
    }
}

static lu_status open_players(comparison *c, lu_error *error) {
    const char *game = lu_settings_text_of(c->call->settings, "game");
    if (*game && !(c->game = lu_game_find(game, error))) {
        return LU_NOT_FOUND;
    }
    lu_status status = open_model(c, &c->a, error);
    if (status == LU_OK) {
        status = open_model(c, &c->b, error);
    }
    if (status == LU_OK && !c->game) {
        status = lu_fail(error, LU_USAGE, "two bots need a game: give --game");
    }
    if (status == LU_OK) {
        status = open_bot(c, &c->a, error);
    }
    if (status == LU_OK) {
        status = open_bot(c, &c->b, error);
    }
    if (status == LU_OK) {
        status =
            call_open_episode(c->call, c->game, c->a.file ? c->a.file : c->b.file, &c->s, error);
    }
    return status;
}

static lu_status sit_down(comparison *c, player *p, lu_error *error) {
    const lu_settings *settings = c->call->settings;
    many *m = &p->m;
    m->session = &c->s;
    m->name = p->name;
    m->file = p->file;
    m->alone = c->game->seats > 1;
    m->threads = (int)lu_settings_int(settings, "threads");
    lu_status status = many_take_seeds(m, c->call, error);
    if (status == LU_OK) {
        status = many_take_manner(m, c->call, error);
    }
    if (status == LU_OK) {
        status = bot_find(c->game, lu_settings_text_of(settings, "opponent"), &m->opponent, error);
    }
    return status;
}

/* ---- playing ---- */

static double value_of(const figure *f, int episode) {
    return f->values[(size_t)episode * f->stride];
}

/* Shows the test the results since its last look. */
static void look(comparison *c) {
    race *r = &c->race;
    const figure *a = &c->fa[c->metric], *b = &c->fb[c->metric];
    for (; r->seen < c->b.m.played; r->seen++) {
        double gain = value_of(a, r->seen) - value_of(b, r->seen);
        gain = c->lower ? -gain : gain;
        lu_sprt_add(&r->better, gain - c->margin);
        lu_sprt_add(&r->worse, -gain - c->margin);
    }
    lu_sprt_end better = lu_sprt_decision(&r->better), worse = lu_sprt_decision(&r->worse);
    r->decided = better == LU_SPRT_OTHER || worse == LU_SPRT_OTHER ||
                 (better == LU_SPRT_NULL && worse == LU_SPRT_NULL);
}

static lu_status play_on(comparison *c, lu_error *error) {
    int most = c->a.m.episodes, end = 0;
    lu_status status = LU_OK;
    progress_start();
    while (end < most && !c->race.decided && status == LU_OK) {
        end = most - end < STEP ? most : end + STEP;
        status = many_play_to(&c->a.m, end, error);
        if (status == LU_OK) {
            status = many_play_to(&c->b.m, end, error);
        }
        if (status == LU_OK) {
            many_figures(&c->a.m, c->fa);
            many_figures(&c->b.m, c->fb);
            look(c);
        }
    }
    progress_end();
    c->a.m.episodes = c->b.m.episodes = end;
    return status;
}

static lu_status play(comparison *c, lu_error *error) {
    if (c->sequential) {
        double effect = lu_settings_real(c->call->settings, "effect");
        c->race.better = c->race.worse = lu_sprt_new(LU_SPRT_EFFECT, 0, effect, ALPHA, BETA);
        return play_on(c, error);
    }
    lu_status status = many_play(&c->a.m, error);
    if (status == LU_OK) {
        status = many_play(&c->b.m, error);
    }
    many_figures(&c->a.m, c->fa);
    many_figures(&c->b.m, c->fb);
    return status;
}

/* ---- the report ---- */

static lu_verdict turned(lu_verdict verdict) {
    return verdict == LU_BETTER ? LU_WORSE : verdict == LU_WORSE ? LU_BETTER : LU_UNDECIDED;
}

/* Differences of a figure; of the metric with the margin, and with the better end where it is. */
static lu_pairing pairing_of(const comparison *c, int i) {
    bool metric = i == c->metric;
    lu_pairing p = figure_compare(&c->fa[i], &c->fb[i], c->a.m.episodes, metric ? c->margin : 0);
    if (metric && c->lower) {
        double low = p.improvement_low;
        p.improvement = 1 - p.improvement;
        p.improvement_low = 1 - p.improvement_high;
        p.improvement_high = 1 - low;
        p.verdict = turned(p.verdict);
    }
    if (metric && c->sequential) {
        p.verdict = lu_sprt_decision(&c->race.better) == LU_SPRT_OTHER  ? LU_BETTER
                    : lu_sprt_decision(&c->race.worse) == LU_SPRT_OTHER ? LU_WORSE
                                                                        : LU_UNDECIDED;
    }
    return p;
}

static void write_player(const player *p, const char *key, lu_json *json) {
    lu_json_key(json, key);
    lu_json_object(json);
    lu_json_key_string(json, "name", p->name);
    if (p->file) {
        lu_json_key_bool(json, "greedy", p->m.greedy);
        lu_json_key_int(json, "env_steps", p->file->step);
    }
    lu_json_object_end(json);
}

static void write_figure(const comparison *c, int i, lu_json *json) {
    lu_summary a = figure_summary(&c->fa[i], c->a.m.episodes);
    lu_summary b = figure_summary(&c->fb[i], c->a.m.episodes);
    lu_pairing p = pairing_of(c, i);
    lu_json_key(json, c->fa[i].name);
    lu_json_object(json);
    lu_json_key(json, "a");
    lu_json_object(json);
    lu_summary_write(&a, json);
    lu_json_object_end(json);
    lu_json_key(json, "b");
    lu_json_object(json);
    lu_summary_write(&b, json);
    lu_json_object_end(json);
    lu_json_key(json, "difference");
    lu_json_object(json);
    lu_pairing_write(&p, json);
    lu_json_object_end(json);
    lu_json_object_end(json);
}

static void write_race(const comparison *c, int most, lu_json *json) {
    const race *r = &c->race;
    lu_json_key(json, "sequential");
    lu_json_object(json);
    lu_json_key_bool(json, "decided", r->decided);
    lu_json_key_int(json, "most", most);
    lu_json_key_real(json, "effect", r->better.other);
    lu_json_key_real(json, "alpha", ALPHA);
    lu_json_key_real(json, "beta", BETA);
    lu_json_key_real(json, "lower", lu_sprt_lower(&r->better));
    lu_json_key_real(json, "upper", lu_sprt_upper(&r->better));
    lu_json_key_real(json, "better", lu_sprt_ratio(&r->better));
    lu_json_key_real(json, "worse", lu_sprt_ratio(&r->worse));
    lu_json_object_end(json);
}

static void write(const comparison *c, int most) {
    const many *m = &c->a.m;
    lu_json json;
    lu_json_init(&json);
    lu_json_object(&json);
    lu_json_key_int(&json, "schema", 1);
    lu_json_key_string(&json, "game", c->game->id);
    write_player(&c->a, "a", &json);
    write_player(&c->b, "b", &json);
    lu_json_key_int(&json, "episodes", m->episodes);
    lu_json_key(&json, "seeds");
    lu_json_array(&json);
    lu_json_uint(&json, m->first_seed);
    lu_json_uint(&json, m->first_seed + (uint64_t)m->episodes - 1);
    lu_json_array_end(&json);
    lu_json_key(&json, "settings");
    lu_json_raw(&json, c->s.settings_json, strlen(c->s.settings_json));
    lu_json_key_string(&json, "metric", c->fa[c->metric].name);
    lu_json_key_bool(&json, "lower", c->lower);
    lu_json_key_string(&json, "verdict", lu_verdict_name(pairing_of(c, c->metric).verdict));
    lu_json_key(&json, "figures");
    lu_json_object(&json);
    write_figure(c, c->metric, &json);
    if (c->metric != 0) {
        write_figure(c, 0, &json);
    }
    lu_json_object_end(&json);
    if (c->sequential) {
        write_race(c, most, &json);
    }
    lu_json_object_end(&json);
    out_json(&json);
    lu_json_free(&json);
}

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

static void print_difference(const comparison *c, int i) {
    lu_pairing p = pairing_of(c, i);
    const lu_summary *d = &p.difference;
    bool metric = i == c->metric;
    out_format("\n%s, A - B: %s, 95 %% interval %s\n", c->fa[i].name, figure_number(d->mean),
               figure_interval(d->low, d->high));
    double reach = fmax(fabs(d->low), fabs(d->high));
    if (reach > 0) { /* and is a number */
        char bar[BAR + 1];
        reach *= 1.1;
        draw_bar(&p, reach, bar);
        out_format("  %s %s %s\n", figure_number(-reach), bar, figure_number(reach));
    }
    out_format("  A ahead on %s of the seeds, ties as half; p = %.2g\n",
               figure_share(p.improvement, p.improvement_low, p.improvement_high), p.p);
    const char *beyond =
        metric && c->margin > 0 ? cell(" by more than %s", figure_number(c->margin)) : "";
    style colour = p.verdict == LU_BETTER ? GREEN : p.verdict == LU_WORSE ? RED : YELLOW;
    if (p.verdict == LU_UNDECIDED) {
        out_format("  %sundecided%s whether A is better or worse%s\n", paint(colour), paint(PLAIN),
                   beyond);
    } else {
        out_format("  A is %s%s%s than B%s\n", paint(colour), lu_verdict_name(p.verdict),
                   paint(PLAIN), beyond);
    }
}

static void print_race(const comparison *c, int most) {
    int taken = c->a.m.episodes;
    if (!c->race.decided) {
        out_format("\nThe sequential test did not decide in %d seeds: give more with --seeds.\n",
                   taken);
        return;
    }
    bool none = pairing_of(c, c->metric).verdict == LU_UNDECIDED;
    out_format("\nThe sequential test decided after %d of %d seeds%s.\n", taken, most,
               none ? cell(": no difference of %s deviations", figure_number(c->race.better.other))
                    : "");
}

static void print(const comparison *c, int most) {
    const many *m = &c->a.m;
    const int shown[2] = {c->metric, 0};
    table t;
    out_format("%s: A = %s, B = %s, %d episodes each, seeds %llu..%llu\n\n", c->game->id, c->a.name,
               c->b.name, m->episodes, (unsigned long long)m->first_seed,
               (unsigned long long)(m->first_seed + (uint64_t)m->episodes - 1));
    table_init(&t, "lrlrl");
    table_row(&t, "figure", "A", "95 % interval", "B", "95 % interval");
    for (int n = 0; n < (c->metric ? 2 : 1); n++) {
        lu_summary a = figure_summary(&c->fa[shown[n]], m->episodes);
        lu_summary b = figure_summary(&c->fb[shown[n]], m->episodes);
        table_row(&t, c->fa[shown[n]].name, figure_number(a.mean), figure_interval(a.low, a.high),
                  figure_number(b.mean), figure_interval(b.low, b.high));
    }
    table_print(&t);
    table_free(&t);
    for (int n = 0; n < (c->metric ? 2 : 1); n++) {
        print_difference(c, shown[n]);
    }
    if (c->sequential) {
        print_race(c, most);
    }
}

/* ---- the verb ---- */

static lu_status find_metric(comparison *c, lu_error *error) {
    const char *name = lu_settings_text_of(c->call->settings, "metric");
    int count = many_figures(&c->a.m, c->fa);
    if (!*name) {
        c->metric = many_headline(&c->a.m, c->fa, count);
        return LU_OK;
    }
    return many_figure_find(c->fa, count, name, &c->metric, error);
}

static lu_status compare(comparison *c, lu_error *error) {
    lu_status status = sit_down(c, &c->a, error);
    if (status == LU_OK) {
        status = sit_down(c, &c->b, error);
    }
    if (status == LU_OK) {
        status = find_metric(c, error);
    }
    if (status != LU_OK) {
        return status;
    }
    int most = c->a.m.episodes;
    note_settings(c, &c->a);
    note_settings(c, &c->b);
    status = play(c, error);
    if (status == LU_OK && c->call->json) {
        write(c, most);
    } else if (status == LU_OK) {
        print(c, most);
    }
    many_free(&c->a.m);
    many_free(&c->b.m);
    return status;
}

static lu_status run(verb_call *call, lu_error *error) {
    const lu_settings *settings = call->settings;
    comparison *c = lu_alloc_zero(1, sizeof *c);
    c->call = call;
    c->a.name = call->argument[0];
    c->b.name = call->argument[1];
    c->margin = lu_settings_real(settings, "margin");
    c->lower = lu_settings_bool(settings, "lower");
    c->sequential = lu_settings_bool(settings, "sequential");
    lu_status status = LU_OK;
    if (!c->sequential && lu_settings_origin(settings, "effect") == LU_FROM_FLAG) {
        status = lu_fail(error, LU_USAGE, "--effect is for --sequential: give that too");
    }
    if (status == LU_OK) {
        status = open_players(c, error);
    }
    if (status == LU_OK) {
        status = compare(c, error);
        lu_episode_close(&c->s);
    }
    lu_model_file_delete(c->a.file);
    lu_model_file_delete(c->b.file);
    free(c);
    return status;
}

const verb verb_compare = {
    .name = "compare",
    .usage = "compare A B [--seeds A..B | --episodes N] [--metric M] [--margin X] [--sequential]",
    .sentence = "Tells which of two players is better, on the same seeds, and how sure that is.",
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
