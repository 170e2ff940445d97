/* Episodes and players of a call, words about steps: see call_episode.h. */
#include "call_episode.h"

#include "ludus/file.h"
#include "ludus/run.h"
#include "ludus/seeds.h"
#include "output.h"
#include "run_text.h"

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
    LU_THEN(status, take_pairs(call, "option", options, error));
    if (status != LU_OK) {
        lu_settings_delete(settings);
        lu_settings_delete(options);
        return status;
    }
    return lu_episode_open(episode, game, settings, options, error);
}

/* ---- models and seeds ---- */

lu_status call_player(const verb_call *call, const char *name, const lu_game *game,
                      lu_player *player, lu_error *error) {
    lu_text runs = LU_TEXT_INIT;
    lu_run_place(call->settings, &runs);
    lu_status status = lu_player_open(player, name, game, lu_run_find_player, runs.text, error);
    lu_text_free(&runs);
    return status;
}

lu_status call_players(const verb_call *call, const char *const *names, int count,
                       const lu_game **game, lu_player *players, lu_error *error) {
    lu_text runs = LU_TEXT_INIT;
    lu_run_place(call->settings, &runs);
    lu_status status =
        lu_players_open(players, names, count, game, lu_run_find_player, runs.text, error);
    lu_text_free(&runs);
    return status;
}

lu_status call_model(const verb_call *call, const char *name, const lu_game *game,
                     lu_player *player, lu_error *error) {
    lu_text runs = LU_TEXT_INIT;
    lu_run_place(call->settings, &runs);
    lu_status status = lu_player_model(player, name, game, lu_run_find_player, runs.text, error);
    lu_text_free(&runs);
    return status;
}

/* ---- seats ---- */

static lu_status open_opponent(const verb_call *call, const char *name, const lu_game *game,
                               call_seats *seats, lu_error *error) {
    lu_player *player = &seats->opponent[seats->opponents];
    lu_status status = LU_OK;
    const char *rest;
    if (seats->persons && lu_player_kind_of(name, game, &rest) == LU_PLAYER_PERSON) {
        *player = (lu_player){.kind = LU_PLAYER_PERSON, .name = name};
    } else {
        status = call_player(call, name, game, player, error);
    }
    seats->opponents += status == LU_OK;
    return status;
}

/* Whether the game has these seats. */
static lu_status check_seats(const lu_game *game, int own, size_t opponents, lu_error *error) {
    if (own >= game->seats) {
        return lu_fail(error, LU_BAD_VALUE, "'seat' = %d, but %s has %s", own, game->name,
                       game->seats > 1 ? cell("the seats 0 to %d", game->seats - 1)
                                       : "seat 0 alone");
    }
    if (opponents > 0 && game->seats == 1) {
        return lu_fail(error, LU_USAGE, "%s has one seat: leave out --opponent", game->name);
    }
    if (opponents >= (size_t)game->seats) {
        return lu_fail(error, LU_USAGE, "%zu opponents are named, but %s leaves %d seat%s to them",
                       opponents, game->name, game->seats - 1, game->seats > 2 ? "s" : "");
    }
    return LU_OK;
}

lu_status call_open_seats(const verb_call *call, const lu_game *game, call_seats *seats,
                          lu_error *error) {
    size_t named = lu_settings_count(call->settings, "opponent");
    seats->own = (int)lu_settings_int(call->settings, "seat");
    lu_status status = check_seats(game, seats->own, named, error);
    for (size_t i = 0; i < named && status == LU_OK; i++) {
        const char *name = lu_settings_nth(call->settings, "opponent", i);
        status = open_opponent(call, name, game, seats, error);
    }
    if (named == 0 && seats->filled && game->seats > 1) {
        LU_THEN(status, open_opponent(call, "", game, seats, error));
    }
    return status;
}

lu_status call_check_own(const call_seats *seats, const lu_episode *e, lu_error *error) {
    if (lu_game_drives(e->game, e->rules, seats->own)) {
        return lu_fail(error, LU_BAD_VALUE, "'seat' = %d, but %s drives this seat itself",
                       seats->own, e->game->name);
    }
    return LU_OK;
}

void call_close_seats(call_seats *seats) {
    while (seats->opponents > 0) {
        lu_player_close(&seats->opponent[--seats->opponents]);
    }
}

const lu_player *call_opponent(const call_seats *seats, int behind) {
    int last = seats->opponents - 1, at = behind - 1;
    return last < 0 ? NULL : &seats->opponent[at < last ? at : last];
}

const lu_model_file *call_first_model(const lu_player *own, const call_seats *seats) {
    const lu_model_file *file = own->file;
    for (int i = 0; i < seats->opponents && !file; i++) {
        file = seats->opponent[i].file;
    }
    return file;
}

lu_model_file *model_open(const verb_call *call, const char *name, const lu_game *game,
                          lu_error *error) {
    lu_player player;
    if (call_model(call, name, game, &player, error) != LU_OK) {
        return NULL;
    }
    free(player.path);
    return player.file;
}

lu_status seeds_parse(const char *range, uint64_t *first, int *count, lu_error *error) {
    range = strcmp(range, "public") == 0 ? LU_PUBLIC_SEEDS : range;
    const char *dots = strstr(range, "..");
    char low[81];
    uint64_t last;
    if (!dots || dots - range > 80) {
        return lu_fail(error, LU_BAD_VALUE, "'seeds' = '%.100s' isn't a range A..B", range);
    }
    memcpy(low, range, (size_t)(dots - range));
    low[dots - range] = 0;
    lu_status status = lu_parse_u64("seeds", low, first, error);
    LU_THEN(status, lu_parse_u64("seeds", dots + 2, &last, error));
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
    return real_text(value);
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
