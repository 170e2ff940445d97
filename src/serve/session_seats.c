/* Seats of a session: see session_seats.h. */
#include "session_seats.h"
#include "lines.h"

#include "ludus/game_ask.h"

#include <stdlib.h>
#include <string.h>

/* ---- names ---- */

static bool take_name(session_seats *s, const lu_game *game, int seat, const char *name,
                      lu_error *error) {
    const param plain = {.name = "seats", .kind = PARAM_KEY};
    if (!name || !param_fits(&plain, name)) {
        lu_fail(error, LU_BAD_VALUE,
                "seat %d must be person, random, bot:NAME or the name of a model", seat);
        return false;
    }
    const char *rest;
    bool person = lu_player_kind_of(name, game, &rest) == LU_PLAYER_PERSON;
    s->name[seat] = lu_strdup(name);
    s->persons |= person ? 1u << seat : 0u;
    return true;
}

bool seats_read(session_seats *s, const lu_game *game, const lu_json_value *list, lu_error *error) {
    bool array = lu_json_kind_of(list) == LU_JSON_ARRAY;
    *s = (session_seats){.count = game->seats};
    if (list && (!array || lu_json_count(list) != (size_t)game->seats)) {
        lu_fail(error, LU_BAD_VALUE, "seats must be a list of %d: one for each seat of %s",
                game->seats, game->name);
        return false;
    }
    for (int seat = 0; seat < s->count; seat++) {
        const lu_json_value *one = list ? lu_json_at(list, (size_t)seat) : NULL;
        if (!take_name(s, game, seat, list ? json_word(one) : "person", error)) {
            return false;
        }
    }
    return true;
}

void seats_free(session_seats *s) {
    lu_crew_delete(s->crew);
    for (int seat = 0; seat < s->count; seat++) {
        lu_player_close(&s->player[seat]);
        free(s->name[seat]);
    }
    *s = (session_seats){0};
}

/* ---- players ---- */

/* What a file's reader says stays inside, for the file is none of the client's. */
static lu_status open_model(session_seats *s, int seat, worker *w, const lu_game *game, size_t most,
                            lu_error *error) {
    size_t size = 0;
    char tag[64];
    const char *name = s->name[seat];
    name += strncmp(name, "model:", 6) == 0 ? 6 : 0;
    int file = worker_model(w, name, &size, tag);
    if (file == NO_DESCRIPTOR) {
        return lu_fail(error, LU_BUSY, "the server has no file descriptor left: try again");
    }
    if (file < 0) {
        return lu_fail(error, LU_NOT_FOUND, "there is no bot or model '%s' for %s", name,
                       game->name);
    }
    char *bytes = read_whole(file, size, most - s->bytes);
    if (!bytes) {
        return lu_fail(error, LU_LIMIT, "model %s is too large to play here", name);
    }
    lu_model_file *model = lu_model_file_read(name, bytes, size, NULL);
    free(bytes);
    s->player[seat] = (lu_player){.kind = LU_PLAYER_AGENT, .name = s->name[seat], .file = model};
    s->bytes += size;
    if (!model) {
        return lu_fail(error, LU_BAD_DATA, "model %s cannot be used", name);
    }
    return model->game == game ? LU_OK
                               : lu_fail(error, LU_OTHER_SPEC, "model %s plays %s, not %s", name,
                                         model->game->id, game->id);
}

static lu_status open_player(session_seats *s, int seat, worker *w, const lu_game *game,
                             size_t most, lu_error *error) {
    const char *rest;
    switch (lu_player_kind_of(s->name[seat], game, &rest)) {
    case LU_PLAYER_PERSON:
        s->player[seat] = (lu_player){.kind = LU_PLAYER_PERSON, .name = rest};
        return LU_OK;
    case LU_PLAYER_BOT:
        return lu_player_bot(&s->player[seat], rest, game, error);
    case LU_PLAYER_AGENT:
        break;
    }
    return open_model(s, seat, w, game, most, error);
}

/* The first seat of the same name. */
static int first_of(const session_seats *s, int seat) {
    int first = 0;
    while (strcmp(s->name[first], s->name[seat]) != 0) {
        first++;
    }
    return first;
}

lu_status seats_open(session_seats *s, worker *w, const lu_episode *episode, size_t most,
                     lu_error *error) {
    const lu_player *players[LU_MAX_SEATS];
    lu_status status = LU_OK;
    for (int seat = 0; seat < s->count && status == LU_OK; seat++) {
        int first = first_of(s, seat);
        players[seat] = &s->player[first];
        status = first == seat ? open_player(s, seat, w, episode->game, most, error) : LU_OK;
    }
    if (status == LU_OK) {
        s->crew = lu_crew_new(episode->game, episode->rules, players, 1, false);
    }
    return status;
}

/* ---- questions ---- */

bool seats_have_players(const session_seats *s) {
    return s->persons != (1u << s->count) - 1u;
}

unsigned seats_asked(const session_seats *s, const lu_env *env) {
    return s->persons & lu_env_choosers(env);
}

void seats_write(const session_seats *s, const lu_env *env, lu_json *json) {
    lu_json_key_array(json, "seats");
    for (int seat = 0; seat < s->count; seat++) {
        lu_json_string(json, s->name[seat]);
    }
    lu_json_array_end(json);
    lu_json_key_array(json, "drives");
    for (int seat = 0; seat < s->count; seat++) {
        lu_json_bool(json, lu_game_drives(env->game, env->rules, seat));
    }
    lu_json_array_end(json);
}
