/* Episodes of a call, crews and words about steps: see session.h. */
#include "session.h"

#include "ludus/file.h"
#include "ludus/run.h"
#include "output.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

lu_settings *call_game_settings(const verb_call *call, const lu_game *game) {
    lu_settings *settings = lu_game_settings(game);
    if (call->verb->game_settings && call->game == game) {
        lu_settings_take_as_is(settings, call->settings, "game.");
    }
    return settings;
}

lu_status call_seed(const verb_call *call, uint64_t *seed, lu_error *error) {
    return lu_parse_u64("seed", lu_settings_text_of(call->settings, "seed"), seed, error);
}

lu_status call_not_empty(const verb_call *call, const char *key, lu_error *error) {
    if (lu_settings_origin(call->settings, key) != LU_FROM_DEFAULT &&
        !*lu_settings_text_of(call->settings, key)) {
        return lu_fail(error, LU_BAD_VALUE, "'%s' is empty: give a name, or leave it out", key);
    }
    return LU_OK;
}

/* KEY=VALUE of an option of the verb that may be given often, where it has that. */
static lu_status take_pairs(const verb_call *call, const char *option, lu_settings *to,
                            lu_error *error) {
    lu_status status = LU_OK;
    size_t count =
        lu_settings_has(call->settings, option) ? lu_settings_count(call->settings, option) : 0;
    for (size_t i = 0; i < count && status == LU_OK; i++) {
        status = lu_settings_set_pair(to, lu_settings_nth(call->settings, option, i), LU_FROM_FLAG,
                                      cell("--%s", option), error);
    }
    return status;
}

lu_status call_open_episode(const verb_call *call, const lu_game *game, const lu_model_file *file,
                            lu_episode *episode, lu_error *error) {
    lu_settings *settings = call_game_settings(call, game);
    lu_settings *options = lu_game_options(game);
    *episode = (lu_episode){0};
    if (file) {
        lu_settings_take(settings, file->settings, LU_FROM_FILE, "the model");
    }
    if (call->verb->game_settings && call->game == game) {
        lu_settings_take_as_is(options, call->settings, "option.");
    }
    lu_status status = take_pairs(call, "with", settings, error);
    if (status == LU_OK) {
        status = take_pairs(call, "option", options, error);
    }
    if (status != LU_OK) {
        lu_settings_delete(settings);
        lu_settings_delete(options);
        return status;
    }
    return lu_episode_open(episode, game, settings, options, error);
}

/* ---- models and seeds ---- */

lu_model_file *model_open_at(const verb_call *call, const char *name, const lu_game *game,
                             lu_text *path, lu_error *error) {
    lu_text runs;
    lu_model_file *file = NULL;
    lu_text_init(&runs);
    lu_run_place(call->settings, &runs);
    if (lu_run_find_model(runs.text, name, game, path, error) == LU_OK) {
        file = lu_model_file_load(path->text, error);
    }
    if (file && game && file->game != game) {
        lu_fail(error, LU_OTHER_SPEC, "model %s plays %s, not %s", path->text, file->game->id,
                game->id);
        lu_model_file_delete(file);
        file = NULL;
    }
    lu_text_free(&runs);
    return file;
}

lu_model_file *model_open(const verb_call *call, const char *name, const lu_game *game,
                          lu_error *error) {
    lu_text path;
    lu_text_init(&path);
    lu_model_file *file = model_open_at(call, name, game, &path, error);
    lu_text_free(&path);
    return file;
}

lu_status seeds_parse(const char *range, uint64_t *first, int *count, lu_error *error) {
    const char *dots = strstr(range, "..");
    char low[81];
    uint64_t last;
    if (!dots || dots - range > 80) {
        return lu_fail(error, LU_BAD_VALUE, "'seeds' = '%.100s' is no range A..B", range);
    }
    memcpy(low, range, (size_t)(dots - range));
    low[dots - range] = 0;
    lu_status status = lu_parse_u64("seeds", low, first, error);
    if (status == LU_OK) {
        status = lu_parse_u64("seeds", dots + 2, &last, error);
    }
    if (status != LU_OK) {
        return status;
    }
    if (last < *first || last - *first >= 1000000) {
        return lu_fail(error, LU_BAD_VALUE,
                       "'seeds' = '%s' must rise from A to B over at most 1000000 seeds", range);
    }
    *count = (int)(last - *first) + 1;
    return LU_OK;
}

/* ---- crews ---- */

lu_status bot_find(const lu_game *game, const char *name, const lu_bot **bot, lu_error *error) {
    const char *names[64];
    size_t count = 0;
    const char *wanted = *name                                 ? name
                         : game->strongest && *game->strongest ? game->strongest
                                                               : "random";
    int index = lu_game_bot_index(game, wanted);
    *bot = index >= 0 ? &game->bot[index] : NULL;
    if (index >= 0 || strcmp(wanted, "random") == 0) {
        return LU_OK;
    }
    for (int b = 0; b < game->bots && count < 63; b++) {
        names[count++] = game->bot[b].name;
    }
    if (lu_game_bot_index(game, "random") < 0) {
        names[count++] = "random";
    }
    const char *near = lu_nearest(wanted, names, count);
    if (near) {
        return lu_fail(error, LU_NOT_FOUND, "%s has no bot '%.100s'; did you mean '%s'?",
                       game->name, wanted, near);
    }
    lu_text list;
    lu_text_init(&list);
    for (size_t i = 0; i < count; i++) {
        lu_text_addf(&list, "%s%s", i ? ", " : "", names[i]);
    }
    lu_fail(error, LU_NOT_FOUND, "%s has no bot '%.100s'; it has %s", game->name, wanted,
            list.text);
    lu_text_free(&list);
    return LU_NOT_FOUND;
}

void crew_init(crew *c, const lu_game *game, const lu_bot *first, const lu_bot *others) {
    memset(c, 0, sizeof *c);
    c->seats = game->seats;
    for (int seat = 0; seat < game->seats; seat++) {
        const lu_bot *bot = seat == 0 ? first : others;
        if (bot) {
            lu_driver_init(&c->driver[seat], bot);
        }
    }
}

void crew_train(crew *c, lu_agent *agent, bool all) {
    c->agent = agent;
    c->trained = all ? (1u << c->seats) - 1 : 1;
}

void crew_free(crew *c) {
    lu_agent_delete(c->agent);
    for (int seat = 0; seat < c->seats; seat++) {
        if (c->driver[seat].bot) {
            lu_driver_free(&c->driver[seat]);
        }
    }
}

void crew_begin(crew *c, uint64_t seed) {
    if (c->agent) {
        lu_agent_begin(c->agent, 0, seed);
    }
    for (int seat = 0; seat < c->seats; seat++) {
        uint64_t own = seat == 0 ? seed : lu_mix(seed, (uint64_t)seat, 2);
        if (c->driver[seat].bot) {
            lu_driver_begin(&c->driver[seat], own);
        }
        c->rng[seat] = lu_rng_from(lu_mix(own, 0, 1));
    }
}

void crew_act(crew *c, const lu_env *env, int seat, int32_t *actions) {
    const lu_game *game = env->game;
    memset(actions, 0, (size_t)game->heads * sizeof *actions);
    if (!((env->to_move >> seat) & 1) || (game->drives && game->drives(env->rules, seat))) {
        return;
    }
    if (c->agent && ((c->trained >> seat) & 1)) {
        lu_agent_ask ask = {.env = env, .seat = seat, .actions = actions, .thought = &c->thought};
        lu_error failure = {0};
        if (lu_agent_act(c->agent, &ask, 1, &failure) != LU_OK && c->failure.status == LU_OK) {
            c->failure = failure;
        }
    } else if (c->driver[seat].bot) {
        lu_driver_act(&c->driver[seat], env, seat, actions);
    } else {
        const uint8_t *mask = env->mask + (size_t)seat * (size_t)lu_game_mask_length(game);
        lu_action_random(game, env->rules, env->state, seat, mask, &c->rng[seat], actions);
    }
}

void crew_act_all(crew *c, const lu_env *env, int32_t *actions) {
    memset(&c->thought, 0, sizeof c->thought);
    for (int seat = c->seats - 1; seat >= 0; seat--) { /* the thought kept is of the first seat */
        crew_act(c, env, seat, actions + seat * env->game->heads);
    }
}

/* ---- words ---- */

const char *info_text(const lu_info *info, double value) {
    const char *name;
    uint64_t bits;
    switch (info->kind) {
    case LU_INFO_COUNT:
        return cell("%lld", (long long)value);
    case LU_INFO_FLAG:
        return value > 0 ? "yes" : "no";
    case LU_INFO_BITS:
        memcpy(&bits, &value, sizeof bits);
        return cell("%016llx", (unsigned long long)bits);
    case LU_INFO_NAME:
        name = lu_info_name(info, value);
        return name ? name : "?";
    case LU_INFO_REAL:
        break;
    }
    return cell("%.6g", value);
}

lu_status record_check(const char *path, lu_error *error) {
    struct stat facts;
    char *folder = lu_strdup(path);
    char *slash = strrchr(folder, '/');
    lu_status status = LU_OK;
    if (slash) {
        slash[slash == folder] = 0;
    }
    if (!*path) {
        status = LU_OK;
    } else if (stat(path, &facts) == 0 && S_ISDIR(facts.st_mode)) {
        status = lu_fail(error, LU_IO, "cannot write a replay to %s: it is a folder", path);
    } else if (access(slash ? folder : ".", W_OK) != 0) {
        status = lu_fail(error, errno == ENOENT || errno == ENOTDIR ? LU_NOT_FOUND : LU_IO,
                         "cannot write a replay to %s: %s", path, strerror(errno));
    }
    free(folder);
    return status;
}

lu_status record_write(lu_recorder *recorder, const lu_env *env, const char *path,
                       lu_error *error) {
    char *bytes = NULL;
    size_t length = 0;
    lu_status status = lu_recorder_finish(recorder, env, &bytes, &length, error);
    if (status == LU_OK) {
        status = lu_file_write(path, bytes, length, error);
    }
    free(bytes);
    return status;
}
