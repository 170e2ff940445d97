/* Checks of the battery on what people and tools see: JSON, the board, stories, bots, the golden
 * playthrough and replays. */
#include "conform_internal.h"
#include "replay_layout.h"

#include "ludus/clock.h"
#include "ludus/file.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define WHERE         "(episode seed %llu, decision %lld)"
#define WHERE_OF(env) (unsigned long long)(env)->seed, (long long)(env)->decisions

/* ---- JSON ---- */

/* The state through JSON into `other`, which is of another episode: all bytes must come across. */
static bool round_trip(lu_checker *c, const lu_env *env, lu_env *other, lu_json *json) {
    const lu_game *g = c->game;
    lu_error error;
    for (int seat = 0; seat < g->seats; seat++) {
        lu_json_clear(json);
        g->to_json(c->rules, env->state, seat, json);
        lu_json_document *document = lu_json_read("state", json->text, json->length, &error);
        if (!document || lu_json_kind_of(lu_json_root(document)) != LU_JSON_OBJECT) {
            lu_checker_fail(c, "to_json for seat %d does not write a JSON object: %s " WHERE, seat,
                            document ? "another kind of value" : error.text, WHERE_OF(env));
        }
        lu_json_close(document);
    }
    lu_json_clear(json);
    g->to_json(c->rules, env->state, -1, json);
    lu_json_document *document = lu_json_read("state", json->text, json->length, &error);
    if (!document || lu_json_kind_of(lu_json_root(document)) != LU_JSON_OBJECT) {
        lu_checker_fail(c, "to_json does not write a JSON object: %s " WHERE,
                        document ? "another kind of value" : error.text, WHERE_OF(env));
    } else if (g->from_json(c->rules, other->state, lu_json_root(document), &error) != LU_OK) {
        lu_checker_fail(c, "from_json refuses what to_json wrote: %s " WHERE, error.text,
                        WHERE_OF(env));
    } else {
        int64_t at = lu_first_difference(env->state, other->state, env->rules->state_bytes);
        if (at >= 0) {
            lu_checker_fail(c, "byte %lld of the state is lost on its way through JSON " WHERE,
                            (long long)at, WHERE_OF(env));
        }
    }
    lu_json_close(document);
    return !c->failed;
}

/* Whether what a state shows lies within its ranges. */
static bool sound(const lu_env *env) {
    const lu_game *g = env->game;
    for (int seat = 0; seat < g->seats; seat++) {
        const float *row = env->observation + seat * lu_game_observation_length(g);
        for (int k = 0; k < g->groups; k++) {
            for (int i = 0; i < lu_group_length(&g->group[k]); i++, row++) {
                const lu_field *field = &g->group[k].field[i % g->group[k].fields];
                if (!(*row >= field->low && *row <= field->high)) {
                    return false;
                }
            }
        }
    }
    return true;
}

/* Each member of the state alone, with values it should not have: refused without a trace, or
 * accepted and sound. */
static void bad_members(lu_checker *c, const lu_env *env, lu_env *other, const lu_json *whole) {
    static const char *const values[] = {"null", "\"?\"", "-1000000000", "1e300",
                                         "[]",   "{}",    "0.5"};
    const lu_game *g = c->game;
    lu_error error;
    lu_json_document *document = lu_json_read("state", whole->text, whole->length, &error);
    for (size_t m = 0; m < lu_json_count(lu_json_root(document)) && !c->failed; m++) {
        const char *key;
        lu_json_member(lu_json_root(document), m, &key);
        for (size_t v = 0; v < sizeof values / sizeof *values && !c->failed; v++) {
            lu_json json = LU_JSON_INIT;
            lu_json_object(&json);
            lu_json_key_raw(&json, key, values[v]);
            lu_json_object_end(&json);
            lu_json_document *bad = lu_json_read("state", json.text, json.length, &error);
            memcpy(other->state, env->state, env->rules->state_bytes);
            error.text[0] = 0;
            lu_status status = g->from_json(c->rules, other->state, lu_json_root(bad), &error);
            lu_json_close(bad);
            if (status != LU_OK && memcmp(other->state, env->state, env->rules->state_bytes) != 0) {
                lu_checker_fail(c, "from_json refuses %s, but has changed the state", json.text);
            } else if (status != LU_OK && !error.text[0]) {
                lu_checker_fail(c, "from_json refuses %s without a sentence", json.text);
            } else if (status == LU_OK) {
                lu_env_refresh(other);
                if (!sound(other)) {
                    lu_checker_fail(c, "from_json takes %s, which shows values out of range",
                                    json.text);
                }
            }
            lu_json_free(&json);
        }
    }
    lu_json_close(document);
}

void lu_check_json(lu_checker *c) {
    lu_env *env = lu_checker_env(c), *other = lu_checker_env(c);
    lu_rng rng = lu_checker_rng(c, 50);
    lu_json json = LU_JSON_INIT;
    lu_env_reset(env, lu_rng_u64(&rng), NULL);
    int64_t rounds = c->options->steps / 200 + 3;
    for (int64_t i = 0; i < rounds && !c->failed; i++) {
        lu_env_reset(other, lu_rng_u64(&rng), NULL);
        if (round_trip(c, env, other, &json) && i < 3) {
            bad_members(c, env, other, &json);
        }
        for (uint32_t k = lu_rng_below(&rng, 12); k > 0; k--) {
            lu_checker_step(env, LU_PLAY_MIXED, &rng);
        }
    }
    lu_json_free(&json);
    lu_env_delete(env);
    lu_env_delete(other);
}

/* ---- board, events, story ---- */

/* Lines and longest line in code points; false at a control character or a broken UTF-8 lead. */
static bool measure(const lu_text *text, int *lines, int *columns) {
    int column = 0;
    *lines = *columns = 0;
    for (size_t i = 0; i < text->length; i++) {
        unsigned char letter = (unsigned char)text->text[i];
        if (letter == '\n') {
            ++*lines;
            column = 0;
            continue;
        }
        if (letter < 0x20 || letter == 0x7f || letter > 0xf4) {
            return false;
        }
        column += (letter & 0xc0) != 0x80;
        *columns = column > *columns ? column : *columns;
    }
    *lines += column > 0;
    return true;
}

void lu_check_show(lu_checker *c) {
    lu_env *env = lu_checker_env(c);
    lu_rng rng = lu_checker_rng(c, 51);
    lu_text text = LU_TEXT_INIT;
    lu_env_reset(env, lu_rng_u64(&rng), NULL);
    for (int64_t i = 0; i < c->options->steps / 4 + 1 && !c->failed; i++) {
        int lines, columns, seat = (int)lu_rng_below(&rng, (uint32_t)c->game->seats + 1) - 1;
        lu_text_clear(&text);
        c->game->show(c->rules, env->state, seat, &text);
        if (!measure(&text, &lines, &columns)) {
            lu_checker_fail(c, "the board for seat %d has a control character " WHERE, seat,
                            WHERE_OF(env));
        } else if (lines < 1 || lines > 18 || columns > 80) {
            lu_checker_fail(c,
                            "the board for seat %d has %d lines (1 to 18) and %d columns (at "
                            "most 80) " WHERE,
                            seat, lines, columns, WHERE_OF(env));
        }
        lu_checker_step(env, LU_PLAY_MIXED, &rng);
    }
    lu_text_free(&text);
    lu_env_delete(env);
}

void lu_check_events(lu_checker *c) {
    const lu_game *g = c->game;
    uint64_t known = g->events < 64 ? ((uint64_t)1 << g->events) - 1 : UINT64_MAX;
    lu_env *env = lu_checker_env(c);
    lu_rng rng = lu_checker_rng(c, 52);
    lu_text text = LU_TEXT_INIT;
    lu_env_reset(env, lu_rng_u64(&rng), NULL);
    for (int64_t i = 0; i < c->options->steps / 2 + 1 && !c->failed; i++) {
        lu_checker_step(env, LU_PLAY_MIXED, &rng);
        if (env->decisions == 0) {
            continue;
        }
        int lines, columns;
        uint64_t bits = g->events_of(c->rules, env->before, env->state, env->actions);
        lu_text_clear(&text);
        g->story(c->rules, env->before, env->state, env->actions, &text);
        if (bits & ~known) {
            lu_checker_fail(c, "event bits %016llx, but there are %d events " WHERE,
                            (unsigned long long)bits, g->events, WHERE_OF(env));
        } else if (!measure(&text, &lines, &columns) || strchr(text.text, '\n') || columns > 120) {
            lu_checker_fail(c, "the story '%s' is not one line of at most 120 columns " WHERE,
                            text.text, WHERE_OF(env));
        }
    }
    lu_text_free(&text);
    lu_env_delete(env);
}

/* ---- bots ---- */

enum {
    BOT_GUARD = 32,
    BOT_COLOUR = 0x5A,
    BOT_LEAST = 20, /* decisions of a bot that thinks long */
};
static const double bot_seconds = 0.25; /* after which no more than those are played */

/* The bot's action; false when it wrote outside its memory or left a head open. */
static bool bot_acts(lu_checker *c, const lu_bot *bot, lu_seated_bot *seated, const lu_env *env,
                     int seat, int32_t *actions) {
    const lu_game *g = c->game;
    int32_t *mine = actions + seat * g->heads;
    for (int h = 0; h < g->heads; h++) {
        mine[h] = INT32_MIN;
    }
    lu_seated_bot_act(seated, env, seat, mine);
    for (int h = 0; h < g->heads; h++) {
        if (mine[h] == INT32_MIN && !g->head[h].unused) {
            return lu_checker_fail(c, "bot '%s' gives no choice for head '%s' " WHERE, bot->name,
                                   g->head[h].name, WHERE_OF(env));
        }
        mine[h] = mine[h] == INT32_MIN ? 0 : mine[h];
    }
    const unsigned char *end = seated->memory;
    for (int i = 0; end && i < BOT_GUARD; i++) {
        if (end[bot->memory_bytes + i] != BOT_COLOUR) {
            return lu_checker_fail(c, "bot '%s' writes beyond its memory of %d bytes " WHERE,
                                   bot->name, bot->memory_bytes, WHERE_OF(env));
        }
    }
    return true;
}

/* One bot in one seat for *steps decisions, or as many as it makes in `seconds`: *steps is then
 * their number; the others play at random. Returns a hash of its play. */
static uint64_t bot_plays(lu_checker *c, const lu_bot *bot, int seat, double seconds,
                          int64_t *steps) {
    double end = lu_clock_seconds() + seconds;
    int32_t actions[LU_MAX_SEATS * LU_MAX_HEADS];
    lu_env *env = lu_checker_env(c);
    lu_rng rng = lu_checker_rng(c, 53);
    lu_seated_bot seated = {.bot = bot};
    unsigned char *memory = NULL;
    uint64_t hash = 0;
    if (bot->memory_bytes > 0) {
        memory = lu_alloc((size_t)bot->memory_bytes + BOT_GUARD);
        memset(memory, BOT_COLOUR, (size_t)bot->memory_bytes + BOT_GUARD);
        seated.memory = memory;
    }
    env->over = true;
    int64_t i = 0;
    for (; i < *steps && !c->failed && (i < BOT_LEAST || lu_clock_seconds() < end); i++) {
        if (env->over) {
            uint64_t seed = lu_rng_u64(&rng);
            lu_env_reset(env, seed, NULL);
            lu_seated_bot_begin(&seated, seed);
        }
        lu_checker_act(env, LU_PLAY_LEGAL, &rng, actions);
        bool chooses = lu_env_choosers(env) >> seat & 1;
        /* only what a seat that chooses does is judged, and only where something is legal */
        int legal = 0;
        for (int o = 0; o < lu_game_mask_length(c->game); o++) {
            legal += env->mask[seat * lu_game_mask_length(c->game) + o];
        }
        if (chooses && legal && !bot_acts(c, bot, &seated, env, seat, actions)) {
            break;
        }
        lu_env_step(env, actions);
        hash = lu_play_digest(env, hash);
        if (!bot->wild && chooses && legal && (env->step.illegal >> seat & 1)) {
            lu_text name = LU_TEXT_INIT;
            lu_action_name(c->game, actions + seat * c->game->heads, &name);
            lu_checker_fail(c, "bot '%s' in seat %d chooses '%s', which is illegal " WHERE,
                            bot->name, seat, name.text, WHERE_OF(env));
            lu_text_free(&name);
        }
    }
    *steps = i;
    free(memory);
    lu_env_delete(env);
    return hash;
}

void lu_check_bots(lu_checker *c) {
    const lu_game *g = c->game;
    for (int b = 0; b < g->bots; b++) {
        for (int seat = 0; seat < g->seats && !c->failed; seat++) {
            if (lu_game_drives(g, c->rules, seat)) {
                continue;
            }
            int64_t steps = c->options->steps / (2 * g->bots * g->seats) + 1;
            uint64_t first = bot_plays(c, &g->bot[b], seat, bot_seconds, &steps);
            if (first != bot_plays(c, &g->bot[b], seat, INFINITY, &steps)) {
                lu_checker_fail(c, "bot '%s' in seat %d plays differently the second time",
                                g->bot[b].name, seat);
            }
        }
    }
}

/* ---- golden playthrough ---- */

void lu_check_golden(lu_checker *c) {
    char *kept = NULL;
    size_t length;
    lu_error error;
    if (!c->options->golden) {
        lu_checker_skip(c, "no golden playthrough was given");
        return;
    }
    if (lu_file_read(c->options->golden, (size_t)64 << 20, &kept, &length, &error) != LU_OK) {
        lu_checker_fail(c, "%s", error.text);
        return;
    }
    lu_text made = LU_TEXT_INIT;
    lu_golden_write(c->game, &made);
    size_t line = 1, from = 0, at = 0;
    while (at < length && at < made.length && kept[at] == made.text[at]) {
        line += kept[at] == '\n';
        from = kept[at++] == '\n' ? at : from;
    }
    if (length != made.length || at < length) {
        const char *was = from < length ? kept + from : "", *is = made.text + from;
        size_t old = strcspn(was, "\n"), now = strcspn(is, "\n");
        lu_checker_fail(c,
                        "%s, line %zu was '%.*s' and is '%.*s'; if that is intended, `ludus "
                        "golden %s --write` remakes the file",
                        c->options->golden, line, (int)(old < 300 ? old : 300), was,
                        (int)(now < 300 ? now : 300), is, c->game->id);
    }
    lu_text_free(&made);
    free(kept);
}

/* ---- replays ---- */

/* Records one episode of mixed play, with made-up thoughts. */
static bool record(lu_checker *c, int64_t most, const char *settings, char **bytes,
                   size_t *length) {
    int32_t actions[LU_MAX_SEATS * LU_MAX_HEADS];
    lu_env *env = lu_checker_env(c);
    lu_rng rng = lu_checker_rng(c, 54);
    lu_error error;
    lu_env_reset(env, lu_rng_u64(&rng), NULL);
    lu_recorder *recorder = lu_recorder_new(env, settings, NULL);
    while (!env->over && env->decisions < most) {
        lu_thought thoughts[LU_MAX_SEATS] = {0};
        for (int seat = (int)(env->decisions % 2); seat < env->game->seats; seat++) {
            thoughts[seat].known = true;
            thoughts[seat].value = (float)env->decisions;
            thoughts[seat].top_count = 1;
            thoughts[seat].top_probability[0] = 1.0f;
        }
        lu_checker_act(env, LU_PLAY_MIXED, &rng, actions);
        lu_env_step(env, actions);
        lu_recorder_step(recorder, env, thoughts);
    }
    lu_status status = lu_recorder_finish(recorder, env, bytes, length, &error);
    lu_recorder_delete(recorder);
    lu_env_delete(env);
    return status == LU_OK || lu_checker_fail(c, "%s", error.text);
}

static void compare_frames(lu_checker *c, lu_replay *replay) {
    const lu_game *g = c->game;
    int64_t rows = g->seats * g->heads;
    lu_env *play = lu_env_new(g, replay->episode.rules),
           *seek = lu_env_new(g, replay->episode.rules);
    uint64_t *digests = lu_alloc((size_t)(replay->decisions + 1) * sizeof *digests);
    lu_rng rng = lu_checker_rng(c, 55);
    lu_env_reset(play, replay->seed, NULL);
    digests[0] = lu_play_digest(play, 0);
    for (int64_t i = 0; i < replay->decisions; i++) {
        lu_env_step(play, replay->actions + i * rows);
        digests[i + 1] = lu_play_digest(play, 0);
    }
    for (int k = 0; k < 40 && !c->failed; k++) {
        int64_t frame = (int64_t)lu_rng_below(&rng, (uint32_t)replay->decisions + 1);
        lu_replay_seek(replay, seek, frame);
        if (lu_play_digest(seek, 0) != digests[frame]) {
            lu_checker_fail(c, "frame %lld of a replay of seed %llu differs from forward play",
                            (long long)frame, (unsigned long long)replay->seed);
        }
    }
    free(digests);
    lu_env_delete(play);
    lu_env_delete(seek);
}

void lu_check_replay(lu_checker *c) {
    char *first = NULL, *second = NULL, *settings = lu_settings_json(c->settings);
    size_t length, other;
    lu_error error;
    int64_t most = c->options->steps / 10 < 1000 ? c->options->steps / 10 + 1 : 1000;
    if (record(c, most, settings, &first, &length) && record(c, most, settings, &second, &other)) {
        if (length != other || memcmp(first, second, length) != 0) {
            lu_checker_fail(c, "recording the same episode twice gives other bytes");
        } else {
            lu_replay *replay = lu_replay_read_for(c->game, "the replay", first, length, &error);
            if (replay) {
                compare_frames(c, replay);
                lu_replay_close(replay);
            } else {
                lu_checker_fail(c, "%s", error.text);
            }
        }
    }
    free(first);
    free(second);
    free(settings);
}
