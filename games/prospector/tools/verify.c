/* Replays recorded episodes of the reference implementation and compares every step: observation,
 * reward, flags, ticks, legal actions, generator state, figures, the generated world and, where the
 * policy is one of the reference's bots, its choice. Input is the trace format of the test vectors:
 * a header line, then one line per step, all JSON. Flags, ticks, masks and generator states must be
 * equal; observations and rewards may differ by 1e-6, relative above 1; figures by 1e-6 of their
 * value.
 * Data that is not such a trace ends the run with a sentence that names file and line. */
#include "ludus/env.h"
#include "ludus/tool.h"
#include "prospector/prospector.h"
#include "prospector/prospector_world.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TOLERANCE    1e-6
#define METRIC_FLOOR 1e-9 /* what rounding may leave of a figure that is 0 */

enum { METRICS_MAX = 32, HEX_DIGITS_MASK = 18 };

extern const lu_game *const lu_games_prospector[];

/* One file being replayed. */
typedef struct replay {
    const lu_game *game;
    const lu_tool_input *input;
    lu_error *error;
    lu_model *model;
    lu_env *env;
    lu_driver driver; /* of the bot that made the file, if it is one of the reference's */
    char id[64];
    int metrics;
    int metric[METRICS_MAX]; /* info index of each entry of "m" */
    long long line;          /* of the file, from 1 */
    long long step;          /* -1 at the header */
    long long steps;
    double obs_error, reward_error;
    lu_json mismatch; /* the first one, as an object; empty = none */
} replay;

/* ---- mismatches and bad data ---- */

/* Opens the object of the first mismatch; false when there is one already. */
static bool differ(replay *r, const char *key, long long index) {
    if (r->mismatch.length > 0) {
        return false;
    }
    char name[96];
    if (index >= 0) {
        snprintf(name, sizeof name, "%s[%lld]", key, index);
    } else {
        snprintf(name, sizeof name, "%s", key);
    }
    lu_json_object(&r->mismatch);
    lu_json_key_int(&r->mismatch, "t", r->step);
    lu_json_key_string(&r->mismatch, "key", name);
    return true;
}

/* Equal within the tolerance; returns the error, relative above 1. */
static double compare(replay *r, const char *key, long long index, double want, double got,
                      double tolerance) {
    double error = fabs(want - got) / fmax(1.0, fabs(want));
    if (!(error <= tolerance) && differ(r, key, index)) {
        lu_json_key_real(&r->mismatch, "want", want);
        lu_json_key_real(&r->mismatch, "got", got);
        lu_json_object_end(&r->mismatch);
    }
    return error;
}

/* A figure: equal within the tolerance of its own value. */
static void compare_metric(replay *r, const char *key, double want, double got) {
    if (!(fabs(want - got) <= TOLERANCE * fabs(want) + METRIC_FLOOR) && differ(r, key, -1)) {
        lu_json_key_real(&r->mismatch, "want", want);
        lu_json_key_real(&r->mismatch, "got", got);
        lu_json_object_end(&r->mismatch);
    }
}

static void compare_text(replay *r, const char *key, const char *want, const char *got) {
    if (strcmp(want, got) != 0 && differ(r, key, -1)) {
        lu_json_key_string(&r->mismatch, "want", want);
        lu_json_key_string(&r->mismatch, "got", got);
        lu_json_object_end(&r->mismatch);
    }
}

static lu_status bad(replay *r, const char *what) {
    return lu_fail(r->error, LU_BAD_DATA, "%s, line %lld: %s", r->input->name, r->line, what);
}

/* Puts file and line before what a reader has said. */
static lu_status bad_inner(replay *r, const lu_error *inner) {
    return bad(r, inner->text);
}

/* An array of exactly `count` numbers; NULL after an error. */
static const lu_json_value *array_of(replay *r, const lu_json_value *object, const char *key,
                                     size_t count, bool numbers) {
    const lu_json_value *value = lu_json_get(object, key);
    char text[160];
    if (lu_json_kind_of(value) != LU_JSON_ARRAY || lu_json_count(value) != count) {
        snprintf(text, sizeof text, "\"%s\" must be an array of %zu", key, count);
        bad(r, text);
        return NULL;
    }
    for (size_t i = 0; numbers && i < count; i++) {
        if (lu_json_kind_of(lu_json_at(value, i)) != LU_JSON_NUMBER) {
            snprintf(text, sizeof text, "\"%s\" must hold numbers, entry %zu is none", key, i);
            bad(r, text);
            return NULL;
        }
    }
    return value;
}

/* `digits` lower-case hex digits. */
static lu_status hex_of(replay *r, const lu_json_value *object, const char *key, size_t digits,
                        const char **text) {
    lu_error inner;
    char what[160];
    if (lu_json_get_text(object, key, text, &inner) != LU_OK) {
        return bad_inner(r, &inner);
    }
    if (strlen(*text) != digits || strspn(*text, "0123456789abcdef") != digits) {
        snprintf(what, sizeof what, "\"%s\" must be %zu hex digits", key, digits);
        return bad(r, what);
    }
    return LU_OK;
}

/* ---- the world of the header ---- */

static lu_status world_row(replay *r, const lu_json_value *object, const char *key,
                           const char *shown, size_t count, const double *got) {
    const lu_json_value *row = array_of(r, object, key, count, true);
    if (!row) {
        return LU_BAD_DATA;
    }
    for (size_t i = 0; i < count; i++) {
        compare(r, shown, (long long)i, lu_json_real_or(lu_json_at(row, i), 0.0), got[i],
                TOLERANCE);
    }
    return LU_OK;
}

static lu_status world_goods(replay *r, const lu_json_value *world, const char *key,
                             const double *got) {
    char shown[64];
    snprintf(shown, sizeof shown, "world.%s", key);
    return world_row(r, world, key, shown, PROSPECTOR_GOODS, got);
}

static lu_status world_floats(replay *r, const lu_json_value *world, const char *key,
                              const float *got) {
    double row[PROSPECTOR_GOODS];
    for (int c = 0; c < PROSPECTOR_GOODS; c++) {
        row[c] = (double)got[c];
    }
    return world_goods(r, world, key, row);
}

/* Value of one edge table; unused slots hold what the rules name for them. */
static double edge_value(const prospector_node *node, int table, int slot) {
    bool used = slot < node->degree;
    switch (table) {
    case 0:
        return used ? (double)node->neighbour[slot] : -1.0;
    case 1:
        return used ? (double)node->time[slot] : 1.0;
    case 2:
        return (double)node->fuel[slot];
    default:
        return (double)node->threat[slot];
    }
}

static lu_status check_graph(replay *r, const lu_json_value *world, const prospector_state *s) {
    static const char *const node_keys[] = {"node_type", "node_hazard", "node_pirate",
                                            "n_asteroids"};
    static const char *const edge_keys[] = {"neighbors", "edge_time", "edge_fuel", "edge_threat"};
    double row[PROSPECTOR_NODES];
    char shown[64];
    for (int k = 0; k < 4; k++) {
        for (int i = 0; i < s->nodes; i++) {
            const prospector_node *node = &s->graph[i];
            row[i] = k == 0   ? (double)node->type
                     : k == 1 ? (double)node->hazard
                     : k == 2 ? (double)node->pirate
                              : (double)node->rocks;
        }
        snprintf(shown, sizeof shown, "world.%s", node_keys[k]);
        if (world_row(r, world, node_keys[k], shown, s->nodes, row) != LU_OK) {
            return LU_BAD_DATA;
        }
    }
    for (int k = 0; k < 4; k++) {
        const lu_json_value *table = array_of(r, world, edge_keys[k], s->nodes, false);
        if (!table) {
            return LU_BAD_DATA;
        }
        for (int i = 0; i < s->nodes; i++) {
            const lu_json_value *slots = lu_json_at(table, (size_t)i);
            if (lu_json_count(slots) != PROSPECTOR_SLOTS) {
                return bad(r, "\"world\": every node needs six neighbour slots");
            }
            snprintf(shown, sizeof shown, "world.%s[%d]", edge_keys[k], i);
            for (int slot = 0; slot < PROSPECTOR_SLOTS; slot++) {
                double want = lu_json_real_or(lu_json_at(slots, (size_t)slot), (double)NAN);
                compare(r, shown, slot, want, edge_value(&s->graph[i], k, slot), TOLERANCE);
            }
        }
    }
    return LU_OK;
}

/* The first rock of node 1, which tells a wrong draw of the rocks from one of the graph. */
static lu_status check_rock(replay *r, const lu_json_value *rock, const prospector_state *s) {
    prospector_rocks *rocks = lu_alloc_zero(1, sizeof *rocks);
    double content[PROSPECTOR_GOODS], estimate[PROSPECTOR_GOODS];
    lu_error inner;
    lu_status status = LU_OK;
    rocks_make((const prospector_model *)(const void *)r->model, s->graph[1].rock_rng,
               s->graph[1].rocks, rocks);
    for (int c = 0; c < PROSPECTOR_GOODS; c++) {
        content[c] = (double)rocks->content[c][0];
        estimate[c] = (double)rocks->estimate[c][0];
    }
    static const char *const keys[] = {"richness", "stability", "noise"};
    const double got[] = {(double)rocks->richness[0], (double)rocks->stability[0],
                          (double)rocks->noise[0]};
    for (int k = 0; k < 3 && status == LU_OK; k++) {
        double want;
        if (lu_json_get_real(rock, keys[k], 0.0, 10.0, &want, &inner) != LU_OK) {
            status = bad_inner(r, &inner);
        } else {
            char shown[64];
            snprintf(shown, sizeof shown, "world.asteroid_1_0.%s", keys[k]);
            compare(r, shown, -1, want, got[k], TOLERANCE);
        }
    }
    if (status == LU_OK) {
        status = world_row(r, rock, "true_comp", "world.asteroid_1_0.true_comp", PROSPECTOR_GOODS,
                           content);
    }
    if (status == LU_OK) {
        status = world_row(r, rock, "comp_est", "world.asteroid_1_0.comp_est", PROSPECTOR_GOODS,
                           estimate);
    }
    free(rocks);
    return status;
}

static lu_status check_world(replay *r, const lu_json_value *world) {
    const prospector_state *s = (const prospector_state *)r->env->state;
    lu_error inner;
    int64_t nodes;
    if (lu_json_kind_of(world) != LU_JSON_OBJECT) {
        return bad(r, "\"world\" must be an object");
    }
    if (lu_json_get_int(world, "node_count", 1, PROSPECTOR_NODES, &nodes, &inner) != LU_OK) {
        return bad_inner(r, &inner);
    }
    compare(r, "world.node_count", -1, (double)nodes, (double)s->nodes, 0.0);
    if (nodes != s->nodes) {
        return LU_OK; /* the tables have another length: the mismatch says it all */
    }
    if (check_graph(r, world, s) != LU_OK) {
        return LU_BAD_DATA;
    }
    const lu_json_value *rock = lu_json_get(world, "asteroid_1_0");
    if (lu_json_kind_of(rock) != LU_JSON_OBJECT) {
        return bad(r, "\"asteroid_1_0\" must be an object");
    }
    if (check_rock(r, rock, s) != LU_OK || world_floats(r, world, "price", s->price) != LU_OK ||
        world_goods(r, world, "phase", s->phase) != LU_OK ||
        world_goods(r, world, "period", s->period) != LU_OK ||
        world_goods(r, world, "amp", s->amplitude) != LU_OK ||
        world_floats(r, world, "inventory", s->stock) != LU_OK) {
        return LU_BAD_DATA;
    }
    return LU_OK;
}

/* ---- header and steps ---- */

static lu_status check_observation(replay *r, const lu_json_value *object, const char *key) {
    const lu_json_value *row = array_of(r, object, key, PROSPECTOR_OBSERVATION, true);
    if (!row) {
        return LU_BAD_DATA;
    }
    for (size_t i = 0; i < PROSPECTOR_OBSERVATION; i++) {
        double want = lu_json_real_or(lu_json_at(row, i), 0.0);
        double error = compare(r, key, (long long)i, (double)(float)want,
                               (double)r->env->observation[i], TOLERANCE);
        r->obs_error = fmax(r->obs_error, error);
    }
    return LU_OK;
}

static void check_rng(replay *r, const char *key, const char *want) {
    char got[20];
    uint64_t bits = lu_double_bits(r->env->info[PROSPECTOR_INFO_RNG]);
    snprintf(got, sizeof got, "%016llx", (unsigned long long)bits);
    compare_text(r, key, want, got);
}

/* A model with the budget of the file and the reference reward. */
static lu_status make_model(replay *r, double time_max) {
    lu_error inner;
    lu_settings *settings = lu_game_settings(r->game);
    char value[40];
    snprintf(value, sizeof value, "%.17g", time_max);
    lu_status status =
        lu_settings_set(settings, "time_max", value, LU_FROM_FLAG, "time_max", &inner);
    if (status == LU_OK) {
        status = lu_settings_set(settings, "reward.mode", "reference", LU_FROM_FLAG, "", &inner);
    }
    if (status == LU_OK) {
        r->model = lu_model_new(r->game, settings, &inner);
        status = r->model ? LU_OK : LU_BAD_DATA;
    }
    lu_settings_delete(settings);
    return status == LU_OK ? LU_OK : bad_inner(r, &inner);
}

static lu_status read_seed(replay *r, const lu_json_value *header, uint64_t *seed) {
    lu_error inner;
    if (lu_json_get(header, "seed_hex")) {
        const char *text;
        if (hex_of(r, header, "seed_hex", 16, &text) != LU_OK) {
            return LU_BAD_DATA;
        }
        *seed = strtoull(text, NULL, 16);
        return LU_OK;
    }
    if (lu_json_get_uint(header, "seed", seed, &inner) != LU_OK) {
        return bad_inner(r, &inner);
    }
    return LU_OK;
}

static lu_status read_metrics(replay *r, const lu_json_value *header) {
    const lu_json_value *names = lu_json_get(header, "metrics");
    char what[160];
    if (lu_json_kind_of(names) != LU_JSON_ARRAY || lu_json_count(names) > METRICS_MAX) {
        return bad(r, "\"metrics\" must be an array of names");
    }
    r->metrics = (int)lu_json_count(names);
    for (int k = 0; k < r->metrics; k++) {
        const lu_json_value *name = lu_json_at(names, (size_t)k);
        bool text = lu_json_kind_of(name) == LU_JSON_STRING;
        r->metric[k] = text ? lu_game_info_index(r->game, lu_json_text(name, NULL)) : -1;
        if (r->metric[k] < 0) {
            snprintf(what, sizeof what, "\"metrics\": entry %d is no figure of the game", k);
            return bad(r, what);
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
            return &game->bot[lu_game_bot_index(game, policy)];
        }
    }
    return NULL;
}

static lu_status check_header(replay *r, const lu_json_value *header) {
    lu_error inner;
    double time_max;
    uint64_t seed;
    const char *rng, *policy = NULL;
    if (lu_json_kind_of(header) != LU_JSON_OBJECT) {
        return bad(r, "the header must be an object");
    }
    if (lu_json_get_real(header, "time_max", 1.0, 1e7, &time_max, &inner) != LU_OK) {
        return bad_inner(r, &inner);
    }
    if (read_seed(r, header, &seed) != LU_OK || read_metrics(r, header) != LU_OK ||
        hex_of(r, header, "rng_after_reset", 16, &rng) != LU_OK ||
        make_model(r, time_max) != LU_OK) {
        return LU_BAD_DATA;
    }
    int64_t steps;
    if (lu_json_get_int(header, "steps", 0, INT64_C(1) << 40, &steps, &inner) != LU_OK) {
        return bad_inner(r, &inner);
    }
    r->steps = (long long)steps;
    if (lu_json_get(header, "policy")) {
        if (lu_json_get_text(header, "policy", &policy, &inner) != LU_OK) {
            return bad_inner(r, &inner);
        }
        snprintf(r->id, sizeof r->id, "%.60s", policy);
        const lu_bot *bot = reference_bot(r->game, policy);
        if (bot) {
            lu_driver_init(&r->driver, bot);
            lu_driver_begin(&r->driver, seed);
        }
    }
    r->env = lu_env_new(r->game, r->model);
    lu_env_reset(r->env, seed, NULL);
    check_rng(r, "rng_after_reset", rng);
    if (lu_json_get(header, "world")) {
        if (check_world(r, lu_json_get(header, "world")) != LU_OK) {
            return LU_BAD_DATA;
        }
    }
    return check_observation(r, header, "reset_obs");
}

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

static lu_status check_step(replay *r, const lu_json_value *row) {
    static const char *const keys[] = {"t", "a", "ra", "dt", "te", "tr", "inv"};
    int64_t value[7];
    double reward;
    const char *rng, *mask;
    lu_error inner;
    if (lu_json_kind_of(row) != LU_JSON_OBJECT) {
        return bad(r, "a step must be an object");
    }
    for (int k = 0; k < 7; k++) {
        if (lu_json_get_int(row, keys[k], INT64_MIN, INT64_MAX, &value[k], &inner) != LU_OK) {
            return bad_inner(r, &inner);
        }
    }
    if (lu_json_get_real(row, "r", -1e12, 1e12, &reward, &inner) != LU_OK) {
        return bad_inner(r, &inner);
    }
    const lu_json_value *metrics = array_of(r, row, "m", (size_t)r->metrics, true);
    if (!metrics || hex_of(r, row, "rng", 16, &rng) != LU_OK ||
        hex_of(r, row, "mask", HEX_DIGITS_MASK, &mask) != LU_OK) {
        return LU_BAD_DATA;
    }
    if (value[0] != r->step) {
        return bad(r, "\"t\" does not count the steps from 0");
    }
    if (r->env->over) {
        /* after a difference our episode may end where the recorded one goes on */
        return r->mismatch.length > 0 ? LU_OK : bad(r, "a step after the end of the episode");
    }

    /* before the step: what is legal, what the bot would do */
    char got[HEX_DIGITS_MASK + 1];
    mask_text(r->env->mask, got);
    compare_text(r, "mask", mask, got);
    if (r->driver.bot) {
        int32_t choice = 0;
        lu_driver_act(&r->driver, r->env, 0, &choice);
        compare(r, "a", -1, (double)value[1], (double)choice, 0.0);
    }
    /* out of range is out of range, however far */
    int32_t action = value[1] == (int32_t)value[1] ? (int32_t)value[1] : -1;
    lu_env_step(r->env, &action);
    const double *info = r->env->info;
    compare(r, "ra", -1, (double)value[2], info[PROSPECTOR_INFO_ACTION], 0.0);
    compare(r, "dt", -1, (double)value[3], (double)r->env->step.ticks, 0.0);
    compare(r, "te", -1, (double)value[4], (double)r->env->step.terminated, 0.0);
    compare(r, "tr", -1, (double)value[5], (double)r->env->step.truncated, 0.0);
    compare(r, "inv", -1, (double)value[6], (double)r->env->step.illegal, 0.0);
    check_rng(r, "rng", rng);
    double error = compare(r, "r", -1, reward, r->env->reward[0], TOLERANCE);
    r->reward_error = fmax(r->reward_error, error);
    for (int k = 0; k < r->metrics; k++) {
        compare_metric(r, r->game->info[r->metric[k]].name,
                       lu_json_real_or(lu_json_at(metrics, (size_t)k), 0.0), info[r->metric[k]]);
    }
    return check_observation(r, row, "o");
}

/* ---- files ---- */

static lu_status check_lines(replay *r, const lu_tool_io *io) {
    const char *at = r->input->text, *end = at + r->input->length;
    lu_error inner;
    r->step = -1;
    while (at < end) {
        const char *stop = memchr(at, '\n', (size_t)(end - at));
        stop = stop ? stop : end;
        r->line++;
        if (stop > at) {
            if (io->cancelled && io->cancelled(io->user)) {
                return lu_fail(r->error, LU_INTERRUPTED, "stopped at %s, line %lld", r->input->name,
                               r->line);
            }
            lu_json_document *document = lu_json_read("text", at, (size_t)(stop - at), &inner);
            if (!document) {
                return bad_inner(r, &inner);
            }
            const lu_json_value *root = lu_json_root(document);
            lu_status status = r->env ? check_step(r, root) : check_header(r, root);
            lu_json_close(document);
            if (status != LU_OK) {
                return status;
            }
            r->step++;
        }
        at = stop + 1;
    }
    if (!r->env) {
        r->line = 1;
        return bad(r, "the file is empty; expected a header line");
    }
    if (r->step != r->steps) {
        return bad(r, "the file ends before the last step its header announces");
    }
    return LU_OK;
}

/* File name without folder and endings. */
static void stem_of(const char *path, char *stem, size_t room) {
    const char *slash = strrchr(path, '/');
    snprintf(stem, room, "%s", slash ? slash + 1 : path);
    stem[strcspn(stem, ".")] = '\0';
}

static lu_status check_file(const lu_tool_io *io, const lu_tool_input *input, bool *passed,
                            lu_error *error) {
    replay r;
    lu_json line;
    memset(&r, 0, sizeof r);
    r.game = lu_games_prospector[0];
    r.input = input;
    r.error = error;
    stem_of(input->name, r.id, sizeof r.id);
    lu_json_init(&r.mismatch);
    lu_json_init(&line);
    lu_status status = check_lines(&r, io);
    if (status == LU_OK) {
        *passed = r.mismatch.length == 0;
        lu_json_object(&line);
        lu_json_key_string(&line, "file", input->name);
        lu_json_key_string(&line, "id", r.id);
        lu_json_key_bool(&line, "ok", *passed);
        lu_json_key(&line, "got");
        lu_json_object(&line);
        lu_json_key_int(&line, "steps", r.step);
        lu_json_key_real(&line, "max_obs_error", r.obs_error);
        lu_json_key_real(&line, "max_reward_error", r.reward_error);
        lu_json_key(&line, "first_mismatch");
        if (*passed) {
            lu_json_null(&line);
        } else {
            lu_json_raw(&line, r.mismatch.text, r.mismatch.length);
        }
        lu_json_object_end(&line);
        lu_json_object_end(&line);
        io->emit(io->user, line.text, line.length);
    }
    lu_json_free(&line);
    lu_json_free(&r.mismatch);
    lu_driver_free(&r.driver);
    lu_env_delete(r.env);
    if (r.model) {
        lu_model_delete(r.model);
    }
    return status;
}

static lu_status run(const lu_tool_io *io, lu_error *error) {
    int count[2] = {0, 0};
    if (io->input_count == 0) {
        return lu_fail(error, LU_USAGE, "prospector verify: name at least one trace file");
    }
    for (int k = 0; k < io->input_count; k++) {
        bool passed = false;
        if (io->progress) {
            io->progress(io->user, (double)k / (double)io->input_count, io->inputs[k].name);
        }
        lu_status status = check_file(io, &io->inputs[k], &passed, error);
        if (status != LU_OK) {
            return status;
        }
        count[passed ? 0 : 1]++;
    }
    lu_json line;
    lu_json_init(&line);
    lu_json_object(&line);
    lu_json_key_int(&line, "passed", count[0]);
    lu_json_key_int(&line, "failed", count[1]);
    lu_json_object_end(&line);
    io->emit(io->user, line.text, line.length);
    lu_json_free(&line);
    if (count[1] > 0) {
        return lu_fail(error, LU_CHECK_FAILED, "%d of %d episodes differ from the reference",
                       count[1], count[0] + count[1]);
    }
    return LU_OK;
}

extern const lu_tool lu_tool_prospector_verify;
const lu_tool lu_tool_prospector_verify = {
    .game = "prospector",
    .name = "verify",
    .sentence = "Replays recorded episodes and compares every step with the reference.",
    .settings = {"prospector verify", NULL, 0},
    .run = run,
};
