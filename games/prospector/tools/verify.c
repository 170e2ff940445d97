/* Replays recorded episodes of the reference implementation and compares every step: observation,
 * reward, flags, ticks, legal actions, generator state, figures, the generated world and, where the
 * policy is one of the reference's bots, its choice. Input is the trace format of the test vectors:
 * a header line, then one line per step, all JSON. Flags, ticks, masks and generator states must be
 * equal; observations and rewards may differ by 1e-6, relative above 1; figures by 1e-6 of their
 * value. What the header says of the whole episode (totals, sizes, its end) must agree as well.
 * Data that is not such a trace ends the run with a sentence that names file and line. */
#include "verify.h"

#include "prospector/prospector.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TOLERANCE PROSPECTOR_TRACE_TOLERANCE

enum { HEX_DIGITS_MASK = 18 };

extern const lu_game *const lu_games_prospector[];

/* `digits` lower-case hex digits. */
static lu_status hex_of(prospector_trace *r, const lu_json_value *object, const char *key,
                        size_t digits, const char **text) {
    lu_error inner;
    char what[160];
    if (lu_json_get_text(object, key, text, &inner) != LU_OK) {
        return prospector_trace_pass_on(r, &inner);
    }
    if (strlen(*text) != digits || strspn(*text, "0123456789abcdef") != digits) {
        snprintf(what, sizeof what, "\"%s\" must be %zu hex digits", key, digits);
        return prospector_trace_bad(r, what);
    }
    return LU_OK;
}

/* ---- parts of the header ---- */

/* A key that may be left out, or be null, is there. */
static bool has(const lu_json_value *object, const char *key) {
    const lu_json_value *value = lu_json_get(object, key);
    return value && lu_json_kind_of(value) != LU_JSON_NULL;
}

static lu_status check_observation(prospector_trace *r, const lu_json_value *object,
                                   const char *key) {
    const lu_json_value *row = prospector_trace_array(r, object, key, PROSPECTOR_OBSERVATION, true);
    if (!row) {
        return LU_BAD_DATA;
    }
    for (size_t i = 0; i < PROSPECTOR_OBSERVATION; i++) {
        double want = lu_json_real_or(lu_json_at(row, i), 0.0);
        double error = prospector_trace_compare(r, key, (long long)i, (double)(float)want,
                                                (double)r->env->observation[i], TOLERANCE);
        r->obs_error = fmax(r->obs_error, error);
    }
    return LU_OK;
}

static void check_rng(prospector_trace *r, const char *key, const char *want) {
    char got[20];
    uint64_t bits = lu_double_bits(r->env->info[PROSPECTOR_INFO_RNG]);
    snprintf(got, sizeof got, "%016llx", (unsigned long long)bits);
    prospector_trace_text(r, key, want, got);
}

/* The game with the budget of the file and the reference reward. */
static lu_status open_game(prospector_trace *r, double time_max) {
    lu_error inner;
    lu_settings *settings = lu_game_settings(r->game);
    char value[40];
    snprintf(value, sizeof value, "%.17g", time_max);
    lu_status status =
        lu_settings_set(settings, "time_max", value, LU_FROM_FLAG, "time_max", &inner);
    LU_THEN(status,
            lu_settings_set(settings, "reward.mode", "reference", LU_FROM_FLAG, "", &inner));
    if (status == LU_OK) {
        status = lu_episode_open(&r->episode, r->game, settings, NULL, &inner);
    } else {
        lu_settings_delete(settings);
    }
    return status == LU_OK ? LU_OK : prospector_trace_pass_on(r, &inner);
}

static lu_status read_seed(prospector_trace *r, const lu_json_value *header, uint64_t *seed) {
    lu_error inner;
    const char *text = NULL;
    bool plain = has(header, "seed");
    if (has(header, "seed_hex")) {
        LU_TRY(hex_of(r, header, "seed_hex", 16, &text));
    }
    if ((plain || !text) && lu_json_get_uint(header, "seed", seed, &inner) != LU_OK) {
        return prospector_trace_pass_on(r, &inner);
    }
    uint64_t hex = text ? strtoull(text, NULL, 16) : *seed;
    if (plain && hex != *seed) {
        return prospector_trace_bad(r, "\"seed\" and \"seed_hex\" are two different numbers");
    }
    *seed = hex;
    return LU_OK;
}

static lu_status read_metrics(prospector_trace *r, const lu_json_value *header) {
    const lu_json_value *names = lu_json_get(header, "metrics");
    char what[160];
    if (lu_json_kind_of(names) != LU_JSON_ARRAY ||
        lu_json_count(names) > PROSPECTOR_TRACE_METRICS) {
        return prospector_trace_bad(r, "\"metrics\" must be an array of names");
    }
    r->metrics = (int)lu_json_count(names);
    for (int k = 0; k < r->metrics; k++) {
        const lu_json_value *name = lu_json_at(names, (size_t)k);
        bool text = lu_json_kind_of(name) == LU_JSON_STRING;
        r->metric[k] = text ? lu_game_info_index(r->game, lu_json_text(name, NULL)) : -1;
        if (r->metric[k] < 0) {
            snprintf(what, sizeof what, "\"metrics\": entry %d isn't a figure of the game", k);
            return prospector_trace_bad(r, what);
        }
    }
    return LU_OK;
}

/* The reference's bots, whose choices a file can be held against; other policies may bear the name
 * of a bot of ours by chance. */
static const lu_bot *reference_bot(const lu_game *game, const char *policy) {
    static const char *const names[] = {"greedy_miner", "cautious_scanner", "market_timer"};
    for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
        if (strcmp(names[k], policy) == 0) {
            return lu_game_bot(game, policy);
        }
    }
    return NULL;
}

/* What a header says of the format must be what this tool reads; sizes are compared. */
static lu_status read_format(prospector_trace *r, const lu_json_value *header) {
    static const struct {
        const char *key;
        int want;
    } sizes[] = {{"obs_dim", PROSPECTOR_OBSERVATION}, {"n_actions", PROSPECTOR_ACTIONS}};
    lu_error inner;
    const char *format = "prospector-trace";
    int64_t value = 1;
    if (has(header, "format") && lu_json_get_text(header, "format", &format, &inner) != LU_OK) {
        return prospector_trace_pass_on(r, &inner);
    }
    if (strcmp(format, "prospector-trace") != 0) {
        return prospector_trace_bad(r, "\"format\" must be \"prospector-trace\"");
    }
    if (has(header, "version") &&
        lu_json_get_int(header, "version", 1, 1, &value, &inner) != LU_OK) {
        return prospector_trace_pass_on(r, &inner);
    }
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
        if (!has(header, sizes[k].key)) {
            continue;
        }
        if (lu_json_get_int(header, sizes[k].key, 0, INT32_MAX, &value, &inner) != LU_OK) {
            return prospector_trace_pass_on(r, &inner);
        }
        prospector_trace_compare(r, sizes[k].key, -1, (double)value, sizes[k].want, 0.0);
    }
    return LU_OK;
}

/* ---- totals of the episode, which the header has and the steps add up to ---- */

typedef enum total {
    TOTAL_TICKS,
    TOTAL_INVALID,
    TOTAL_OUT_OF_RANGE, /* actions that were replaced */
    TOTAL_DISTINCT,     /* different actions, see settle_distinct */
    TOTAL_RETURN,
} total;

static const struct {
    const char *key;
    double tolerance; /* 0: a whole number */
} totals[PROSPECTOR_TRACE_TOTALS] = {
    [TOTAL_TICKS] = {"ticks", 0.0},
    [TOTAL_INVALID] = {"invalid", 0.0},
    [TOTAL_OUT_OF_RANGE] = {"out_of_range", 0.0},
    [TOTAL_DISTINCT] = {"distinct_actions", 0.0},
    [TOTAL_RETURN] = {"return_total", TOLERANCE},
};

static lu_status read_totals(prospector_trace *r, const lu_json_value *header) {
    lu_error inner;
    const char *end = "";
    for (int k = 0; k < PROSPECTOR_TRACE_TOTALS; k++) {
        int64_t whole = 0;
        lu_status status = LU_OK;
        r->want[k] = (double)NAN;
        if (!has(header, totals[k].key)) {
            continue;
        }
        if (totals[k].tolerance > 0.0) {
            status = lu_json_get_real(header, totals[k].key, -1e12, 1e12, &r->want[k], &inner);
        } else {
            status = lu_json_get_int(header, totals[k].key, 0, INT64_C(1) << 40, &whole, &inner);
            r->want[k] = (double)whole;
        }
        if (status != LU_OK) {
            return prospector_trace_pass_on(r, &inner);
        }
    }
    if (has(header, "end") && lu_json_get_text(header, "end", &end, &inner) != LU_OK) {
        return prospector_trace_pass_on(r, &inner);
    }
    snprintf(r->end, sizeof r->end, "%s", end);
    return LU_OK;
}

/* How an action of `seen` came about. */
enum { SEEN_SENT = 1, SEEN_REPLACED = 2 };

static void add_totals(prospector_trace *r, int64_t sent) {
    int taken = (int)r->env->info[PROSPECTOR_INFO_ACTION];
    uint8_t how = sent == taken ? SEEN_SENT : SEEN_REPLACED;
    r->total[TOTAL_TICKS] += (double)r->env->step.ticks;
    r->total[TOTAL_INVALID] += r->env->step.illegal ? 1.0 : 0.0;
    r->total[TOTAL_OUT_OF_RANGE] += sent != taken ? 1.0 : 0.0;
    r->total[TOTAL_RETURN] += r->env->reward[0];
    r->seen[taken] |= how;
}

/* Different actions. The format leaves open whether the action that stands in for one out of range
 * counts where nobody sent it, so both counts are right. */
static void settle_distinct(prospector_trace *r) {
    double taken = 0.0, sent = 0.0;
    for (size_t k = 0; k < sizeof r->seen; k++) {
        taken += r->seen[k] ? 1.0 : 0.0;
        sent += r->seen[k] & SEEN_SENT ? 1.0 : 0.0;
    }
    r->total[TOTAL_DISTINCT] = fabs(sent - r->want[TOTAL_DISTINCT]) <= 0.0 ? sent : taken;
}

/* How the episode ended. The format tells the reference's words for four ends; any other word may
 * stand for an end that is none of the four, for a ship lost while it cashes out and for a
 * recording that stops before the end, which may be called truncated as well. */
static void check_end(prospector_trace *r) {
    static const struct {
        prospector_end end;
        const char *word;
    } ends[] = {{PROSPECTOR_END_DESTROYED, "destroyed"},
                {PROSPECTOR_END_STRANDED, "stranded"},
                {PROSPECTOR_END_BOTH, "destroyed+stranded"},
                {PROSPECTOR_END_TIME, "truncated"}};
    int end = (int)r->env->info[PROSPECTOR_INFO_END];
    const char *got = r->game->info[PROSPECTOR_INFO_END].names[end];
    bool cashed = (int)r->env->info[PROSPECTOR_INFO_ACTION] == PROSPECTOR_CASH_OUT;
    bool told = false; /* by one of the four words */
    for (size_t k = 0; k < sizeof ends / sizeof *ends; k++) {
        bool same = strcmp(ends[k].word, r->end) == 0;
        told = told || same || ((int)ends[k].end == end && !cashed);
        got = (int)ends[k].end == end ? ends[k].word : got;
        if (same && ends[k].end == PROSPECTOR_END_TIME && end == PROSPECTOR_RUNNING) {
            return;
        }
    }
    if (r->end[0] && told) {
        prospector_trace_text(r, "end", r->end, got);
    }
}

/* Holds the header against the whole episode, with t = -1 as for all the header says. */
static void check_totals(prospector_trace *r) {
    long long steps = r->step;
    r->step = -1;
    settle_distinct(r);
    prospector_trace_compare(r, "steps", -1, (double)r->steps, (double)steps, 0.0);
    for (int k = 0; k < PROSPECTOR_TRACE_TOTALS; k++) {
        if (!isnan(r->want[k])) {
            prospector_trace_compare(r, totals[k].key, -1, r->want[k], r->total[k],
                                     totals[k].tolerance);
        }
    }
    check_end(r);
    r->step = steps;
}

/* ---- header ---- */

static lu_status check_header(prospector_trace *r, const lu_json_value *header) {
    lu_error inner;
    double time_max;
    uint64_t seed;
    const char *rng, *policy = NULL;
    if (lu_json_kind_of(header) != LU_JSON_OBJECT) {
        return prospector_trace_bad(r, "the header must be an object");
    }
    if (lu_json_get_real(header, "time_max", 1.0, 1e7, &time_max, &inner) != LU_OK) {
        return prospector_trace_pass_on(r, &inner);
    }
    LU_TRY(read_format(r, header));
    LU_TRY(read_seed(r, header, &seed));
    LU_TRY(read_totals(r, header));
    LU_TRY(read_metrics(r, header));
    LU_TRY(hex_of(r, header, "rng_after_reset", 16, &rng));
    LU_TRY(open_game(r, time_max));
    int64_t steps;
    if (lu_json_get_int(header, "steps", 0, INT64_C(1) << 40, &steps, &inner) != LU_OK) {
        return prospector_trace_pass_on(r, &inner);
    }
    r->steps = (long long)steps;
    if (has(header, "policy")) {
        if (lu_json_get_text(header, "policy", &policy, &inner) != LU_OK) {
            return prospector_trace_pass_on(r, &inner);
        }
        snprintf(r->check->id, sizeof r->check->id, "%.60s", policy);
        const lu_bot *bot = reference_bot(r->game, policy);
        if (bot) {
            lu_seated_bot_init(&r->seated, bot);
            lu_seated_bot_begin(&r->seated, seed);
        }
    }
    r->env = r->episode.env;
    lu_episode_reset(&r->episode, seed);
    check_rng(r, "rng_after_reset", rng);
    if (has(header, "world")) {
        LU_TRY(prospector_trace_world(r, lu_json_get(header, "world")));
    }
    return check_observation(r, header, "reset_obs");
}

/* ---- steps ---- */

/* Mask of the next decision as 18 hex digits, bit k = action k. */
static void mask_text(const uint8_t *mask, char *text) {
    for (int digit = 0; digit < HEX_DIGITS_MASK; digit++) {
        int value = 0;
        for (int b = 0; b < 4; b++) {
            int action = 4 * (HEX_DIGITS_MASK - 1 - digit) + b;
            value |= action < PROSPECTOR_ACTIONS && mask[action] ? 1 << b : 0;
        }
        text[digit] = "0123456789abcdef"[value];
    }
    text[HEX_DIGITS_MASK] = '\0';
}

/* A whole number; flags may be true and false as well. */
static lu_status whole_of(prospector_trace *r, const lu_json_value *row, const char *key,
                          int64_t *value) {
    lu_error inner;
    lu_json_kind kind = lu_json_kind_of(lu_json_get(row, key));
    if (kind == LU_JSON_TRUE || kind == LU_JSON_FALSE) {
        *value = kind == LU_JSON_TRUE;
        return LU_OK;
    }
    lu_status status = lu_json_get_int(row, key, INT64_MIN, INT64_MAX, value, &inner);
    return status == LU_OK ? LU_OK : prospector_trace_pass_on(r, &inner);
}

static lu_status check_step(prospector_trace *r, const lu_json_value *row) {
    static const char *const keys[] = {"t", "a", "ra", "dt", "te", "tr", "inv"};
    int64_t value[7];
    double reward;
    const char *rng, *mask;
    lu_error inner;
    if (lu_json_kind_of(row) != LU_JSON_OBJECT) {
        return prospector_trace_bad(r, "a step must be an object");
    }
    for (int k = 0; k < 7; k++) {
        LU_TRY(whole_of(r, row, keys[k], &value[k]));
    }
    if (lu_json_get_real(row, "r", -1e12, 1e12, &reward, &inner) != LU_OK) {
        return prospector_trace_pass_on(r, &inner);
    }
    const lu_json_value *metrics = prospector_trace_array(r, row, "m", (size_t)r->metrics, true);
    if (!metrics || hex_of(r, row, "rng", 16, &rng) != LU_OK ||
        hex_of(r, row, "mask", HEX_DIGITS_MASK, &mask) != LU_OK) {
        return LU_BAD_DATA;
    }
    if (value[0] != r->step) {
        return prospector_trace_bad(r, "\"t\" does not count the steps from 0");
    }
    if (r->env->over) {
        /* after a difference our episode may end where the recorded one goes on */
        return lu_check_differs(r->check)
                   ? LU_OK
                   : prospector_trace_bad(r, "a step after the end of the episode");
    }

    /* before the step: what is legal, what the bot would do */
    char got[HEX_DIGITS_MASK + 1];
    mask_text(r->env->mask, got);
    prospector_trace_text(r, "mask", mask, got);
    if (r->seated.bot) {
        int32_t choice = 0;
        lu_seated_bot_act(&r->seated, r->env, 0, &choice);
        prospector_trace_compare(r, "a", -1, (double)value[1], (double)choice, 0.0);
    }
    /* out of range is out of range, however far */
    int32_t action = value[1] == (int32_t)value[1] ? (int32_t)value[1] : -1;
    lu_env_step(r->env, &action);
    add_totals(r, value[1]);
    const double *info = r->env->info;
    prospector_trace_compare(r, "ra", -1, (double)value[2], info[PROSPECTOR_INFO_ACTION], 0.0);
    prospector_trace_compare(r, "dt", -1, (double)value[3], (double)r->env->step.ticks, 0.0);
    prospector_trace_compare(r, "te", -1, (double)value[4], (double)r->env->step.terminated, 0.0);
    prospector_trace_compare(r, "tr", -1, (double)value[5], (double)r->env->step.truncated, 0.0);
    prospector_trace_compare(r, "inv", -1, (double)value[6], (double)r->env->step.illegal, 0.0);
    check_rng(r, "rng", rng);
    double error = prospector_trace_compare(r, "r", -1, reward, r->env->reward[0], TOLERANCE);
    r->reward_error = fmax(r->reward_error, error);
    for (int k = 0; k < r->metrics; k++) {
        prospector_trace_metric(r, r->game->info[r->metric[k]].name,
                                lu_json_real_or(lu_json_at(metrics, (size_t)k), 0.0),
                                info[r->metric[k]]);
    }
    return check_observation(r, row, "o");
}

/* ---- files ---- */

static lu_status check_line(lu_verify *v, lu_check *c, const lu_json_value *root) {
    prospector_trace *r = v->user;
    (void)c;
    lu_status status = r->env ? check_step(r, root) : check_header(r, root);
    r->step++;
    return status;
}

static lu_status check_lines(lu_verify *v, prospector_trace *r) {
    LU_TRY(lu_verify_lines(v, r->check, check_line));
    if (r->step < r->steps && !r->env->over) {
        return prospector_trace_bad(r, "the file ends before the last step its header announces");
    }
    check_totals(r);
    lu_check_part(r->check, NULL, -1);
    lu_json_key_real(&r->check->got, "max_obs_error", r->obs_error);
    lu_json_key_real(&r->check->got, "max_reward_error", r->reward_error);
    return LU_OK;
}

/* File name without folder and endings. */
static void stem_of(const char *path, char *stem, size_t room) {
    const char *slash = strrchr(path, '/');
    snprintf(stem, room, "%s", slash ? slash + 1 : path);
    stem[strcspn(stem, ".")] = '\0';
}

static lu_status check_file(lu_verify *v, const lu_tool_input *input) {
    lu_check c = {.input = input, .error = v->error};
    prospector_trace r = {.game = lu_games_prospector[0], .check = &c, .step = -1};
    char stem[64];
    stem_of(input->name, stem, sizeof stem);
    lu_check_start(&c, stem);
    v->user = &r;
    lu_status status = lu_check_end(v, &c, check_lines(v, &r));
    lu_seated_bot_free(&r.seated);
    lu_episode_close(&r.episode);
    return status;
}

static lu_status run(const lu_tool_io *io, lu_error *error) {
    lu_verify v = {.io = io, .error = error, .what = "recorded episodes"};
    return lu_verify_files(&v, check_file);
}

extern const lu_tool lu_tool_prospector_verify;
const lu_tool lu_tool_prospector_verify = {
    .game = "prospector",
    .name = "verify",
    .sentence = "Replays recorded episodes and compares every step with the reference.",
    .settings = {"prospector verify", NULL, 0},
    .run = run,
};
