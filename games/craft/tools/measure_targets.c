/* The optimum, a trained agent and the baselines on targets drawn at random: cost over the exact
 * optimum of each. A strategy that decides by the item alone is evaluated exactly over family sets;
 * one that remembers or looks at tiers plays episodes, as all do where the sets do not fit into
 * memory. */
#include "measure.h"
#include "measure_exact.h"
#include "on_item.h"

#include "ludus/clock.h"
#include "ludus/episode.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { EXACT, AGENT, CHECKED, BOTS, STRATEGIES = BOTS + CRAFT_BOTS, MEMORY = 64, ANNUL = 33 };

/* What a strategy came to on one target. */
typedef struct outcome {
    bool asked, by_play;
    double cost, low, high; /* exalted; the same where it is exact */
    double within, seconds;
} outcome;

typedef struct table {
    const lu_tool_io *io;
    lu_episode episode;
    const craft_rules *m;
    const lu_game *game;
    const lu_core *core;
    craft_state state; /* of the item that is asked about */
    int task, targets, episodes, kind;
    outcome (*all)[STRATEGIES];
} table;

static const char *name_of(int kind) {
    static const char *const names[] = {"exact optimum", "agent",
                                        "agent or a baseline, the cheaper"};
    return kind < BOTS ? names[kind] : craft_bots[kind - BOTS].name;
}

/* ---- strategies that decide by the item ---- */

static lu_status ask_agent(const table *t, int *action, lu_error *error) {
    float chance[CRAFT_ACTIONS];
    double value;
    LU_TRY(t->io->agent->think(t->io->agent->user, t->episode.rules, &t->state, 0, chance, &value,
                               error));
    *action = 0;
    for (int a = 1; a < CRAFT_ACTIONS; a++) {
        *action = chance[a] > chance[*action] ? a : *action;
    }
    return LU_OK;
}

static void ask_bot(const table *t, const lu_bot *bot, void *memory, lu_rng *rng, int32_t *action) {
    uint8_t mask[CRAFT_ACTIONS];
    t->core->mask(t->episode.rules, &t->state, 0, mask);
    lu_seat_view view = {t->episode.rules, &t->state, 0, NULL, mask, memory, rng};
    lu_bot_act(t->game, bot, &view, action);
}

static lu_status choose(void *user, const craft_item *item, int *action, lu_error *error) {
    table *t = user;
    uint64_t memory[MEMORY / 8] = {0};
    lu_rng rng = {1};
    int32_t found = 0;
    memset(&t->state, 0, sizeof t->state);
    t->state.item = *item;
    t->state.task = t->task;
    t->state.bases = 1;
    if (t->kind == AGENT) {
        return ask_agent(t, action, error);
    }
    ask_bot(t, &craft_bots[t->kind - BOTS], memory, &rng, &found);
    *action = found;
    return LU_OK;
}

/* Whether a strategy's action follows from what the solver tells apart. */
static bool by_item(const table *t, int kind) {
    const craft_task *task = craft_task_at(t->m, t->task);
    const char *name = name_of(kind);
    bool annuls = task->legal[ANNUL] && task->price[ANNUL] < task->price[CRAFT_NEW_BASE];
    return kind < BOTS || strcmp(name, "ladder") == 0 || strcmp(name, "essence_spam") == 0 ||
           strcmp(name, "desecrate_finish") == 0 || (strcmp(name, "magic_first") == 0 && !annuls);
}

/* ---- strategies that play ---- */

static lu_status play(table *t, int kind, uint64_t seed, craft_played *played, lu_error *error) {
    craft_options options = {.task = t->task};
    uint64_t memory[MEMORY / 8] = {0};
    lu_rng rng = lu_rng_from(lu_mix64(seed));
    t->core->reset(t->episode.rules, &t->state, seed, &options);
    while (!t->state.end) {
        double terms[CRAFT_TERMS];
        lu_step step = {0};
        int32_t action = 0;
        if (kind == AGENT) {
            LU_TRY(ask_agent(t, &action, error));
        } else {
            ask_bot(t, &craft_bots[kind - BOTS], memory, &rng, &action);
        }
        t->core->step(t->episode.rules, &t->state, &action, terms, &step);
    }
    *played = (craft_played){.seed = seed,
                             .spent = t->state.spent,
                             .bases = t->state.bases,
                             .end = t->state.end,
                             .success = t->state.end == CRAFT_END_SUCCESS};
    return LU_OK;
}

static lu_status play_all(table *t, int kind, outcome *o, lu_error *error) {
    craft_tally tally = {0};
    lu_status status = LU_OK;
    for (int k = 0; k < t->episodes && status == LU_OK; k++) {
        craft_played played = {0};
        status = play(t, kind, (uint64_t)k + 1, &played, error);
        craft_tally_add(&tally, &played);
        if (status == LU_OK && t->io->cancelled && t->io->cancelled(t->io->user)) {
            status = lu_fail(error, LU_INTERRUPTED, "interrupted");
        }
    }
    o->by_play = true;
    o->within = craft_tally_cost(&tally, &o->cost, &o->low, &o->high);
    craft_tally_free(&tally);
    return status;
}

/* ---- one target ---- */

/* `exact` is NULL where the sets do not fit. */
static lu_status measure_one(table *t, craft_exact *exact, int kind, outcome *o, lu_error *error) {
    double start = lu_clock_seconds();
    craft_worth worth;
    o->asked = true;
    t->kind = kind;
    if (!exact || !by_item(t, kind)) {
        lu_status status = play_all(t, kind, o, error);
        o->seconds = lu_clock_seconds() - start;
        return status;
    }
    lu_status status = kind == EXACT ? craft_exact_best(exact, &worth, error)
                                     : craft_exact_policy(exact, choose, t, &worth, error);
    o->cost = o->low = o->high = worth.cost;
    o->within = worth.within;
    o->seconds = lu_clock_seconds() - start;
    return status;
}

/* What the agent would cost is known before anything is spent, and so it is of some baselines: the
 * cheapest of them is an answer too. */
static void check_agent(outcome *all) {
    double seconds = 0.0;
    for (int kind = AGENT; kind < STRATEGIES; kind++) {
        bool known = all[AGENT].asked && all[kind].asked && !all[kind].by_play && kind != CHECKED;
        seconds += known ? all[kind].seconds : 0.0;
        if (known && (!all[CHECKED].asked || all[kind].cost < all[CHECKED].cost)) {
            all[CHECKED] = all[kind];
        }
    }
    all[CHECKED].seconds = seconds;
}

static lu_status measure_target(table *t, lu_error *error) {
    size_t memory = (size_t)lu_settings_int(t->io->settings, "memory") << 20;
    craft_exact *exact = lu_alloc_zero(1, sizeof *exact);
    double start = lu_clock_seconds();
    lu_status status = craft_exact_open(exact, t->m, t->task, memory, t->io, error);
    double opened = lu_clock_seconds() - start;
    bool fits = status != LU_LIMIT;
    status = fits ? status : LU_OK;
    for (int kind = 0; kind < STRATEGIES && status == LU_OK; kind++) {
        if (kind == EXACT ? fits : kind >= BOTS || (kind == AGENT && t->io->agent)) {
            status = measure_one(t, fits ? exact : NULL, kind, &t->all[t->task][kind], error);
        }
    }
    check_agent(t->all[t->task]);
    t->all[t->task][EXACT].seconds += opened;
    craft_exact_close(exact);
    free(exact);
    return status;
}

/* ---- the answer ---- */

/* Means over all targets. */
typedef struct summary {
    int targets, played, solved;
    double ratio, worst, within, seconds, behind; /* behind: worst over the best baseline */
    int worse;                                    /* targets 2 % above the best baseline */
} summary;

/* Cost of the best baseline, as high as its interval. */
static double best_bot(const outcome *all) {
    double best = INFINITY;
    for (int kind = BOTS; kind < STRATEGIES; kind++) {
        best = all[kind].asked && all[kind].high < best ? all[kind].high : best;
    }
    return best;
}

static summary sum_up(const table *t, int kind) {
    summary s = {0};
    for (int k = 0; k < t->targets; k++) {
        const outcome *o = &t->all[k][kind];
        if (!o->asked) {
            continue;
        }
        double over = o->low / best_bot(t->all[k]), ratio = 0.0;
        if (t->all[k][EXACT].asked) {
            ratio = o->cost / t->all[k][EXACT].cost;
            s.solved++;
        }
        s.targets++;
        s.played += o->by_play ? 1 : 0;
        s.ratio += ratio;
        s.worst = ratio > s.worst ? ratio : s.worst;
        s.within += o->within;
        s.seconds += o->seconds;
        s.behind = over > s.behind ? over : s.behind;
        s.worse += over > 1.02 ? 1 : 0;
    }
    s.ratio = s.solved > 0 ? s.ratio / s.solved : NAN;
    s.within /= s.targets;
    s.seconds /= s.targets;
    return s;
}

static void write_each(const table *t, lu_json *json) {
    lu_json_key_array(json, "each");
    for (int k = 0; k < t->targets; k++) {
        lu_json_object(json);
        lu_json_key_real(json, "yardstick", craft_task_at(t->m, k)->outlook.cost);
        for (int kind = 0; kind < STRATEGIES; kind++) {
            const outcome *o = &t->all[k][kind];
            if (o->asked) {
                lu_json_key_array(json, name_of(kind));
                lu_json_real(json, o->cost);
                lu_json_real(json, o->low);
                lu_json_real(json, o->high);
                lu_json_real(json, o->within);
                lu_json_array_end(json);
            }
        }
        lu_json_object_end(json);
    }
    lu_json_array_end(json);
}

static void write_summary(int kind, const summary *s, lu_json *json) {
    lu_json_object(json);
    lu_json_key_string(json, "name", name_of(kind));
    lu_json_key_int(json, "targets", s->targets);
    lu_json_key_int(json, "solved", s->solved);
    lu_json_key_int(json, "played", s->played);
    lu_json_key_real(json, "ratio", s->ratio);
    lu_json_key_real(json, "worst_ratio", s->worst);
    lu_json_key_real(json, "within_budget", s->within);
    lu_json_key_real(json, "seconds", s->seconds);
    lu_json_key_real(json, "over_best_baseline", s->behind);
    lu_json_key_int(json, "worse_than_baselines", s->worse);
    lu_json_object_end(json);
}

static void put_number(char *to, size_t room, double x, const char *format) {
    if (isnan(x) || x <= 0.0) {
        snprintf(to, room, "-"); /* no optimum is known */
    } else if (x < 1e6) {
        snprintf(to, room, format, x);
    } else {
        snprintf(to, room, "never");
    }
}

static void write_words(int kind, const summary *s, lu_json *json) {
    char line[200], ratio[24], worst[24], worse[16] = "";
    put_number(ratio, sizeof ratio, s->ratio, "%.3f");
    put_number(worst, sizeof worst, s->worst, "%.2f");
    if (kind < BOTS) {
        snprintf(worse, sizeof worse, "%d", s->worse);
    }
    snprintf(line, sizeof line, "| %s | %s | %s | %.3f | %s | %.3f s |%s", name_of(kind), ratio,
             worst, s->within, worse, s->seconds,
             s->played == 0           ? " exact |"
             : s->played < s->targets ? " in part played |"
                                      : " played |");
    lu_json_string(json, line);
}

static void answer(const table *t) {
    lu_json json = LU_JSON_INIT;
    lu_json_object(&json);
    lu_json_key_string(&json, "game", t->game->id);
    lu_json_key_int(&json, "targets", t->targets);
    if (t->io->agent) {
        lu_json_key_string(&json, "agent", t->io->agent->name);
    }
    lu_json_key_array(&json, "strategies");
    for (int kind = 0; kind < STRATEGIES; kind++) {
        summary s = sum_up(t, kind);
        if (s.targets > 0) {
            write_summary(kind, &s, &json);
        }
    }
    lu_json_array_end(&json);
    write_each(t, &json);
    lu_json_key_array(&json, "words");
    lu_json_string(&json, "| strategy | cost / optimum, mean | worst | within the budget | 2% "
                          "above the best baseline | time per answer | cost is |");
    lu_json_string(&json, "|---|---|---|---|---|---|---|");
    for (int kind = 0; kind < STRATEGIES; kind++) {
        summary s = sum_up(t, kind);
        if (s.targets > 0) {
            write_words(kind, &s, &json);
        }
    }
    lu_json_array_end(&json);
    lu_json_object_end(&json);
    t->io->emit(t->io->user, json.text, json.length);
    lu_json_free(&json);
}

/* ---- the whole ---- */

/* What the preset craft-look trains on, with another seed of targets. */
static const char held_out[] = "{\"actions\":\"plain\",\"prices.spread\":3,\"budget\":20000,"
                               "\"max_bases\":1000000,\"max_steps\":1000,\"targets.seed\":20001}";

static lu_status open_targets(table *t, lu_error *error) {
    const char *more = lu_settings_text_of(t->io->settings, "settings");
    const lu_file_text *file = lu_settings_file_of(t->io->settings, "target_spec", 0);
    char count[16];
    t->game = lu_game_find("craft-look-v1", NULL);
    t->core = lu_game_core(t->game);
    lu_settings *settings = lu_game_settings(t->game), *options = lu_game_options(t->game);
    snprintf(count, sizeof count, "%d", file ? 0 : t->targets);
    lu_status status = lu_settings_text(settings, "json", "settings", held_out, strlen(held_out),
                                        LU_FROM_FILE, error);
    if (status == LU_OK && *more) {
        status =
            lu_settings_text(settings, "json", "settings", more, strlen(more), LU_FROM_FILE, error);
    }
    if (status == LU_OK) {
        status = lu_settings_set(settings, "targets", count, LU_FROM_FILE, "targets", error);
    }
    LU_THEN(status, craft_file_setting(settings, "pack",
                                       lu_settings_file_of(t->io->settings, "pack", 0), error));
    if (status == LU_OK && file) {
        status = lu_settings_set(settings, "target", file->text, LU_FROM_FILE, file->name, error);
    }
    if (status != LU_OK) {
        lu_settings_delete(settings);
        lu_settings_delete(options);
        return status;
    }
    status = lu_episode_open(&t->episode, t->game, settings, options, error);
    t->m = (const craft_rules *)(const void *)t->episode.rules;
    return status;
}

lu_status craft_measure_targets(const lu_tool_io *io, int targets, lu_error *error) {
    table t = {.io = io, .targets = targets > 0 ? targets : 1};
    t.episodes = (int)lu_settings_int(io->settings, "episodes");
    lu_status status = open_targets(&t, error);
    t.all = lu_alloc_zero((size_t)t.targets, sizeof *t.all);
    for (t.task = 0; t.task < t.targets && status == LU_OK; t.task++) {
        if (io->progress) {
            io->progress(io->user, (double)t.task / t.targets, "measuring targets");
        }
        status = measure_target(&t, error);
    }
    if (status == LU_OK) {
        answer(&t);
    }
    free(t.all);
    lu_episode_close(&t.episode);
    return status;
}
