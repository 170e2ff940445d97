/* `ludus serve-env`: a game for remote learners over lines of JSON. Agents log in by a name, reset
 * against a bot or another agent, and step; a match goes on when all its agents have stepped.
 * Agents are known by their names, not by their connections, so that one may be logged out from
 * elsewhere; it ends with the connection that logged it in. Matches: env_match.c; reading what is
 * asked: env_read.c. */
#include "env_match.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LINE_MOST = 8192, AGENTS_MOST = 4096 };

/* A line that was read. */
typedef struct request {
    line_peer *peer;
    const char *name; /* of the env_agent */
    const lu_json_value *body;
} request;

/* ---- the five actions ---- */

/* The agent of a request; NULL with what is wrong. */
static env_agent *asked_agent(env_server *s, const request *r, line_wrong *wrong) {
    env_agent *a = env_find_agent(s, r->name);
    if (!a) {
        line_wrong_set(wrong, "unknown-agent", "meta.id", "'%s' is not logged in", r->name);
    } else if (a->asking) {
        line_wrong_set(wrong, "busy", "meta.id", "'%s' is already waiting for an answer", r->name);
        a = NULL;
    }
    return a;
}

static bool on_login(env_server *s, const request *r, line_wrong *wrong) {
    const lu_game *game = s->place.game;
    const char *type = env_word_of(lu_json_get(r->body, "agentType"));
    const lu_game *other = type ? lu_game_find(type, NULL) : NULL;
    if (other && strcmp(other->name, game->name) != 0) {
        return line_wrong_set(wrong, "bad-value", "agentType", "this server plays %s", game->id);
    }
    if (env_find_agent(s, r->name)) {
        return line_wrong_set(wrong, "bad-value", "meta.id", "'%s' is logged in already", r->name);
    }
    if (s->agents >= AGENTS_MOST) {
        return line_wrong_set(wrong, "busy", NULL, "%d agents are logged in: try again later",
                              s->agents);
    }
    env_agent *a = lu_alloc_zero(1, sizeof *a);
    snprintf(a->name, sizeof a->name, "%s", r->name);
    a->home = r->peer;
    a->next = s->first;
    s->first = a;
    s->agents++;
    lu_json *json = env_body_begin(s);
    lu_json_key_string(json, "game", game->id);
    lu_json_key_hex(json, "hash", lu_spec_hash(game));
    lu_json_key_int(json, "seats", game->seats);
    lu_json_key_int(json, "observation", lu_game_observation_length(game));
    lu_json_key_array(json, "heads");
    for (int h = 0; h < game->heads; h++) {
        lu_json_int(json, game->head[h].options);
    }
    lu_json_array_end(json);
    env_body_end(s, r->peer);
    return true;
}

/* Whether a target is a bot, or may be another agent. */
static bool fits_target(const env_server *s, const env_agent *a, const char *target,
                        const lu_bot *bot, line_wrong *wrong) {
    const lu_game *game = s->place.game;
    if (!bot && strcmp(target, "attacker") == 0) {
        return line_wrong_set(wrong, "bad-value", "target",
                              "there is no target: name a bot or another agent");
    }
    bool two = game->seats == 2 && strcmp(target, a->name) != 0 && env_free_seat(s, 0) == 0 &&
               env_free_seat(s, 1) == 1;
    return bot || two ||
           line_wrong_set(wrong, "bad-value", "target",
                          "'%s' isn't a bot of %s, and this game cannot be played by two agents",
                          target, game->name);
}

/* One that is refused leaves the agent's match as it was. */
static bool on_reset(env_server *s, const request *r, line_wrong *wrong) {
    env_wish wish = {0};
    env_agent *a = asked_agent(s, r, wrong);
    bool fits = a && env_read_reset(s, &wish, r->body, wrong);
    const lu_bot *bot = fits ? env_bot_of(s->place.game, wish.target) : NULL;
    if (!fits || !fits_target(s, a, wish.target, bot, wrong)) {
        lu_settings_delete(wish.options);
        return false;
    }
    env_leave(s, a);
    lu_settings_delete(a->wish.options);
    a->wish = wish;
    a->asking = r->peer;
    if (bot) {
        env_meet_bots(s, a, bot);
    } else {
        env_meet_agent(s, a);
    }
    return true;
}

static bool on_step(env_server *s, const request *r, line_wrong *wrong) {
    env_agent *a = asked_agent(s, r, wrong);
    if (!a) {
        return false;
    }
    if (!a->match) {
        return line_wrong_set(wrong, "over", NULL, "'%s' is in no match: reset first", a->name);
    }
    if (!env_read_actions(s->place.game, a, r->body, wrong)) {
        return false;
    }
    a->asking = r->peer;
    a->stepped = true;
    if (a->lost) {
        env_answer_match(s, a);
    } else {
        env_go_on(s, a->match);
    }
    return true;
}

/* Takes an agent off the list; who waits for its answer is told. */
static void log_out(env_server *s, env_agent *a, bool told) {
    env_agent **at = &s->first;
    line_wrong wrong;
    while (*at != a) {
        at = &(*at)->next;
    }
    *at = a->next;
    s->agents--;
    env_leave(s, a);
    if (a->asking && told) {
        line_wrong_set(&wrong, "logged-out", "meta.id", "'%s' was logged out", a->name);
        env_answer_wrong(s, a, &wrong);
    }
    for (env_agent *other = s->first; other; other = other->next) {
        if (other->meeting && strcmp(other->wish.target, a->name) == 0) {
            line_wrong_set(&wrong, "target-lost", "target", "'%s' was logged out", a->name);
            env_answer_wrong(s, other, &wrong);
        }
    }
    lu_settings_delete(a->wish.options);
    free(a);
}

static bool on_logout(env_server *s, const request *r, line_wrong *wrong) {
    env_agent *a = env_find_agent(s, r->name);
    if (!a) {
        return line_wrong_set(wrong, "unknown-agent", "meta.id", "'%s' is not logged in", r->name);
    }
    log_out(s, a, true);
    env_body_begin(s);
    env_body_end(s, r->peer);
    return true;
}

static bool on_debug(env_server *s, const request *r, line_wrong *wrong) {
    const env_agent *a = env_find_agent(s, r->name);
    (void)wrong;
    lu_json *json = env_body_begin(s);
    lu_json_key_string(json, "game", s->place.game->id);
    lu_json_key_int(json, "agents", s->agents);
    lu_json_key_int(json, "matches", (int64_t)s->matches);
    lu_json_key_bool(json, "loggedIn", a != NULL);
    lu_json_key(json, "state");
    if (a && a->match) {
        s->place.game->to_json(s->place.rules, a->match->env->state, a->seat, json);
    } else {
        lu_json_null(json);
    }
    env_body_end(s, r->peer);
    return true;
}

static const struct {
    const char *name;
    bool (*act)(env_server *s, const request *r, line_wrong *wrong);
} actions_known[] = {
    {"login", on_login},   {"reset", on_reset}, {"step", on_step},
    {"logout", on_logout}, {"debug", on_debug},
};

/* ---- the service ---- */

static bool act(env_server *s, request *r, const lu_json_value *root, line_wrong *wrong) {
    const char *action = env_word_of(lu_json_get(root, "action"));
    r->name = env_word_of(lu_json_get(lu_json_get(root, "meta"), "id"));
    r->body = lu_json_get(root, "body");
    if (!r->name) {
        return line_wrong_set(wrong, "missing-field", "meta.id",
                              "meta.id must be the name of an agent, of at most %d bytes",
                              ENV_NAME_MOST);
    }
    for (size_t i = 0; action && i < sizeof actions_known / sizeof *actions_known; i++) {
        if (strcmp(actions_known[i].name, action) == 0) {
            return actions_known[i].act(s, r, wrong);
        }
    }
    return line_wrong_set(wrong, "bad-value", "action",
                          "action must be login, reset, step, logout or debug");
}

static void hear(void *user, line_peer *peer, char *line, size_t length) {
    env_server *s = user;
    lu_error error = {0};
    line_wrong wrong;
    request r = {.peer = peer};
    lu_json_document *document = lu_json_read("line", line, length, &error);
    if (!document) {
        line_wrong_set(&wrong, "bad-json", NULL, "%.380s", error.text);
        env_refuse(s, peer, &wrong);
    } else if (!act(s, &r, lu_json_root(document), &wrong)) {
        env_refuse(s, peer, &wrong);
    }
    lu_json_close(document);
}

static void gone(void *user, line_peer *peer) {
    env_server *s = user;
    for (env_agent *a = s->first; a; a = a->next) {
        if (a->asking == peer) { /* its answer finds nobody */
            env_settle(a);
            a->asking = NULL;
        }
    }
    for (env_agent *a = s->first, *next; a; a = next) {
        next = a->next;
        if (a->home == peer) {
            log_out(s, a, true);
            next = s->first; /* the list has changed */
        }
    }
}

static void close_env(void *user) {
    env_server *s = user;
    while (s->first) {
        env_agent *a = s->first;
        a->asking = NULL;
        log_out(s, a, false);
    }
    lu_episode_close(&s->place);
    lu_json_free(&s->json);
    free(s);
}

const line_server_kind env_server_kind = {
    .service =
        {.line_most = LINE_MOST, .owed_most = 1, .hear = hear, .refuse = env_refuse, .gone = gone},
    .free = close_env,
};

void *env_server_make(const lu_env_options *options, lu_error *error) {
    env_server *s = lu_alloc_zero(1, sizeof *s);
    lu_settings *settings = lu_game_settings(options->game);
    lu_settings_take(settings, options->settings, LU_FROM_FILE, "the server");
    lu_json_init(&s->json);
    s->seed = options->seed;
    if (lu_episode_open(&s->place, options->game, settings, NULL, error) != LU_OK) {
        free(s);
        return NULL;
    }
    if (env_free_seat(s, 0) < 0) {
        lu_fail(error, LU_BAD_VALUE, "%s plays all its seats itself under these settings",
                options->game->name);
        close_env(s);
        return NULL;
    }
    return s;
}

lu_line_server *lu_env_server_open(const lu_line_options *line, const lu_env_options *options,
                                   lu_error *error) {
    void *s = env_server_make(options, error);
    return s ? line_server_open(line, &env_server_kind, s, error) : NULL;
}
