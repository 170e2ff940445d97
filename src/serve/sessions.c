/* Sessions of play: an environment each, bounded in number and size, gone when nobody uses them. */
#include "app.h"

#include "ludus/clock.h"
#include "ludus/frame.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { RULES_MOST = 16 << 20, DECISIONS_MOST = 1 << 20, OPTIONS_MOST = 1024 };

typedef struct session {
    struct session *next;
    char id[33];
    peer *peer;
    lu_episode episode;
    double used; /* last */
} session;

struct sessions {
    session *first;
    int count, most, most_own;
    double seconds;
};

sessions *sessions_new(const lu_serve_options *options) {
    sessions *s = lu_alloc_zero(1, sizeof *s);
    s->most = (int)lu_settings_int(options->limits, "serve.sessions");
    s->most_own = (int)lu_settings_int(options->limits, "serve.sessions_per_address");
    s->seconds = lu_settings_real(options->limits, "serve.session_seconds");
    return s;
}

static void session_free(session *s) {
    lu_episode_close(&s->episode);
    free(s);
}

void sessions_delete(sessions *all) {
    while (all && all->first) {
        session *s = all->first;
        all->first = s->next;
        session_free(s);
    }
    free(all);
}

int sessions_count(const sessions *s) {
    return s->count;
}

static void end(sessions *all, session **at) {
    session *s = *at;
    *at = s->next;
    all->count--;
    s->peer->sessions--;
    session_free(s);
}

void sessions_expire(sessions *all, access_control *g, double now) {
    (void)g;
    for (session **at = &all->first; *at;) {
        if (now - (*at)->used > all->seconds) {
            end(all, at);
        } else {
            at = &(*at)->next;
        }
    }
}

/* ---- what a session looks like ---- */

static void session_write(const sessions *all, const session *s, lu_json *json) {
    static const unsigned parts = LU_FRAME_COUNTS | LU_FRAME_REWARDS | LU_FRAME_RETURNS |
                                  LU_FRAME_TERMS | LU_FRAME_ENDS | LU_FRAME_WORDS | LU_FRAME_HEADS |
                                  LU_FRAME_INFO | LU_FRAME_SIGHTS | LU_FRAME_TO_MOVE;
    const lu_env *env = s->episode.env;
    char seed[24]; /* as text: a page has no numbers of 64 bits */
    snprintf(seed, sizeof seed, "%llu", (unsigned long long)env->seed);
    lu_json_object(json);
    lu_json_key_string(json, "session", s->id);
    lu_json_key_string(json, "game", env->game->id);
    lu_json_key_string(json, "seed", seed);
    lu_frame_write(env, parts, NULL, json);
    lu_json_key_int(json, "expires_seconds", (int64_t)all->seconds);
    lu_json_object_end(json);
}

static void answer_session(worker *w, const session *s, int status, http_answer *answer) {
    lu_json json;
    lu_json_init(&json);
    session_write(w->app->sessions, s, &json);
    answer_json(answer, status, &json);
}

/* ---- wishes ---- */

/* What is wrong with a wish: a status with a sentence and a place. */
typedef struct wrong {
    int status;
    const char *name, *pointer;
    char text[300];
} wrong;

static bool fail(wrong *why, int status, const char *name, const char *pointer, const char *text) {
    *why = (wrong){.status = status, .name = name, .pointer = pointer};
    snprintf(why->text, sizeof why->text, "%.290s", text);
    return false;
}

static bool read_seed(const lu_json_value *root, uint64_t *seed, wrong *why) {
    lu_error error = {0};
    if (!lu_json_get(root, "seed")) {
        char hex[17];
        random_hex(hex, 8); /* 32 bits: a seed that people can say */
        *seed = strtoull(hex, NULL, 16);
        return true;
    }
    double real = lu_json_real_or(lu_json_get(root, "seed"), -1.0);
    if (real >= 0.0 && real <= 9007199254740992.0 && real == floor(real)) {
        *seed = (uint64_t)real; /* 5.0 is a whole number too */
        return true;
    }
    return lu_json_get_uint(root, "seed", seed, &error) == LU_OK ||
           fail(why, 422, "bad-value", "/seed", error.text);
}

static bool is_choice_of(const lu_env *env, int seat, const int32_t *actions, wrong *why) {
    const lu_game *game = env->game;
    uint8_t legal[OPTIONS_MOST];
    const uint8_t *mask = env->mask + (size_t)seat * (size_t)lu_game_mask_length(game);
    for (int h = 0; h < game->heads; h++) {
        int count = lu_head_legal(game, env->rules, env->state, seat, h, mask, actions, legal);
        int32_t option = actions[h];
        bool inside = option >= 0 && option < game->head[h].options;
        if (count == 0 || (inside && legal[option])) {
            continue;
        }
        const char *because =
            inside && game->why_not ? game->why_not(env->rules, env->state, seat, h, option) : NULL;
        char text[300];
        snprintf(text, sizeof text, "%s is not legal now%s%s",
                 inside ? game->head[h].option[option] : "this option", because ? ": " : "",
                 because ? because : "");
        return fail(why, 422, "illegal", "/actions", text);
    }
    return true;
}

/* Illegal choices are refused; the rules take them all the same when `force` says so. */
static bool check_actions(const lu_env *env, const int32_t *actions, wrong *why) {
    for (int seat = 0; seat < env->game->seats; seat++) {
        bool own = ((env->to_move >> seat) & 1) &&
                   !(env->game->drives && env->game->drives(env->rules, seat));
        if (own && !is_choice_of(env, seat, actions + seat * env->game->heads, why)) {
            return false;
        }
    }
    return true;
}

static bool read_number(const lu_json_value *value, int32_t *number) {
    double real = lu_json_real_or(value, (double)NAN);
    bool whole = real >= -2147483648.0 && real <= 2147483647.0 && real == floor(real);
    *number = whole ? (int32_t)real : 0;
    return whole;
}

static bool read_actions(const lu_json_value *root, const lu_env *env, int32_t *actions,
                         wrong *why) {
    const lu_json_value *list = lu_json_get(root, "actions"), *one = lu_json_get(root, "action");
    int count = env->game->seats * env->game->heads;
    if (one && !list && count == 1) {
        return read_number(one, actions) ||
               fail(why, 422, "bad-value", "/action", "this must be a whole number");
    }
    if (!list || one || lu_json_kind_of(list) != LU_JSON_ARRAY ||
        lu_json_count(list) != (size_t)count) {
        char text[120];
        snprintf(text, sizeof text, "actions must be a list of %d whole numbers", count);
        return fail(why, 422, "bad-value", "/actions", text);
    }
    for (int i = 0; i < count; i++) {
        if (!read_number(lu_json_at(list, (size_t)i), &actions[i])) {
            return fail(why, 422, "bad-value", "/actions", "these must be whole numbers");
        }
    }
    return true;
}

static bool step(session *s, const lu_json_value *root, wrong *why) {
    int32_t actions[LU_MAX_SEATS * LU_MAX_HEADS] = {0};
    lu_error error = {0};
    bool force = false;
    if (lu_json_get(root, "force") && lu_json_get_bool(root, "force", &force, &error) != LU_OK) {
        return fail(why, 422, "bad-value", "/force", error.text);
    }
    if (!read_actions(root, s->episode.env, actions, why)) {
        return false;
    }
    if (s->episode.env->over) {
        return fail(why, 409, "over", NULL, "the episode is over: reset begins a new one");
    }
    if (s->episode.env->decisions >= DECISIONS_MOST) {
        return fail(why, 409, "over", NULL, "the episode has too many decisions: reset it");
    }
    if (!force && !check_actions(s->episode.env, actions, why)) {
        return false;
    }
    lu_episode_step(&s->episode, actions);
    return true;
}

static bool reset(session *s, const lu_json_value *root, wrong *why) {
    uint64_t seed;
    if (!read_seed(root, &seed, why)) {
        return false;
    }
    lu_episode_reset(&s->episode, seed);
    return true;
}

/* ---- making one ---- */

/* Takes the members of an object as settings. */
static bool take_settings(lu_settings *settings, const lu_json_value *root, const char *key,
                          const char *pointer, wrong *why) {
    lu_error error = {0};
    const lu_json_value *value = lu_json_get(root, key);
    if (value && lu_json_kind_of(value) != LU_JSON_OBJECT) {
        return fail(why, 422, "bad-value", pointer, "this must be an object");
    }
    return lu_settings_object(settings, key, value, LU_FROM_FLAG, &error) == LU_OK ||
           fail(why, 422, "bad-value", pointer, error.text);
}

static bool open_game(lu_episode *episode, const lu_game *game, const lu_json_value *root,
                      wrong *why) {
    lu_error error = {0};
    lu_settings *settings = lu_game_settings(game), *options = lu_game_options(game);
    bool fine = take_settings(settings, root, "settings", "/settings", why) &&
                take_settings(options, root, "options", "/options", why);
    if (fine && lu_rules_bytes(game, settings) > RULES_MOST) {
        fine = fail(why, 422, "bad-value", "/settings", "these settings make too large a game");
    }
    if (!fine) {
        lu_settings_delete(settings);
        lu_settings_delete(options);
        return false;
    }
    if (lu_episode_open(episode, game, settings, NULL, &error) != LU_OK) {
        lu_settings_delete(options);
        return fail(why, 422, "bad-value", "/settings", error.text);
    }
    return lu_episode_set_options(episode, options, &error) == LU_OK ||
           fail(why, 422, "bad-value", "/options", error.text);
}

static session *make(const lu_json_value *root, wrong *why) {
    lu_error error = {0};
    const char *name;
    uint64_t seed;
    if (lu_json_get_text(root, "game", &name, &error) != LU_OK) {
        fail(why, 422, "bad-value", "/game", error.text);
        return NULL;
    }
    const lu_game *game = lu_game_find(name, &error);
    if (!game) {
        fail(why, 404, "not-found", "/game", "there is no such game");
        return NULL;
    }
    session *s = lu_alloc_zero(1, sizeof *s);
    if (!read_seed(root, &seed, why) || !open_game(&s->episode, game, root, why)) {
        session_free(s);
        return NULL;
    }
    lu_episode_reset(&s->episode, seed);
    random_hex(s->id, 32);
    return s;
}

/* ---- handlers ---- */

static session **find(worker *w, const char *id) {
    session **at = &w->app->sessions->first;
    while (*at && strcmp((*at)->id, id) != 0) {
        at = &(*at)->next;
    }
    if (*at) {
        (*at)->used = w->app->now;
    }
    return at;
}

/* The session that the path names; NULL when the answer is filled. */
static session *named(worker *w, const http_request *r, http_answer *answer) {
    session *s = *find(w, r->given[0]);
    if (!s) {
        answer_problem(answer, r, 404, "not-found", NULL,
                       "there is no such session: it may have expired");
    }
    return s;
}

static void answer_wrong(const http_request *r, const wrong *why, http_answer *answer) {
    answer_problem(answer, r, why->status, why->name, why->pointer, "%s", why->text);
}

void on_session_post(worker *w, const http_request *r, http_answer *answer) {
    static const char *const members[] = {"game", "seed", "settings", "options", NULL};
    wrong why = {0};
    sessions *all = w->app->sessions;
    lu_json_document *document = body_json(r, answer);
    if (!document) {
        return;
    }
    if (body_only(r, answer, lu_json_root(document), members)) {
        if (all->count >= all->most || w->app->peer->sessions >= all->most_own) {
            bool own = all->count < all->most;
            answer_field(answer, "Retry-After", "60");
            answer_problem(answer, r, own ? 429 : 503, "sessions", NULL,
                           own ? "you have too many sessions: end one, or wait until one expires"
                               : "there are too many sessions: try again later");
        } else {
            session *s = make(lu_json_root(document), &why);
            if (s) {
                s->peer = w->app->peer;
                s->peer->sessions++;
                s->used = w->app->now;
                s->next = all->first;
                all->first = s;
                all->count++;
                answer_field(answer, "Location", "/api/v1/sessions/%s", s->id);
                answer_session(w, s, 201, answer);
            } else {
                answer_wrong(r, &why, answer);
            }
        }
    }
    lu_json_close(document);
}

void on_session_get(worker *w, const http_request *r, http_answer *answer) {
    session *s = named(w, r, answer);
    if (s) {
        answer_session(w, s, 200, answer);
    }
}

void on_session_delete(worker *w, const http_request *r, http_answer *answer) {
    if (named(w, r, answer)) {
        end(w->app->sessions, find(w, r->given[0]));
        answer->status = 204;
    }
}

/* Reads a body and does with the session what it says. */
static void change(worker *w, const http_request *r, http_answer *answer,
                   const char *const *members,
                   bool (*act)(session *, const lu_json_value *, wrong *)) {
    wrong why = {0};
    session *s = named(w, r, answer);
    lu_json_document *document = s ? body_json(r, answer) : NULL;
    if (document && body_only(r, answer, lu_json_root(document), members)) {
        if (act(s, lu_json_root(document), &why)) {
            answer_session(w, s, 200, answer);
        } else {
            answer_wrong(r, &why, answer);
        }
    }
    lu_json_close(document);
}

static const char *const reset_members[] = {"seed", NULL};
static const char *const step_members[] = {"actions", "action", "force", NULL};

void on_session_reset(worker *w, const http_request *r, http_answer *answer) {
    change(w, r, answer, reset_members, reset);
}

void on_session_step(worker *w, const http_request *r, http_answer *answer) {
    change(w, r, answer, step_members, step);
}

void on_session_plain(worker *w, const http_request *r, http_answer *answer) {
    if (named(w, r, answer)) {
        answer_field(answer, "Upgrade", "websocket");
        answer_problem(answer, r, 426, "upgrade", NULL, "this address is a WebSocket");
    }
}

/* ---- over a WebSocket ---- */

typedef struct play {
    stream base;
    app *app;
    char id[33];
    int waiting; /* sessions to be told */
    bool gone;
    wrong why; /* status 0: nothing is wrong */
    lu_json json;
} play;

static void play_free(stream *base) {
    play *p = (play *)base;
    lu_json_free(&p->json);
    free(p);
}

static void write_problem(play *p) {
    lu_json_object(&p->json);
    lu_json_key(&p->json, "problem");
    lu_json_object(&p->json);
    lu_json_key_int(&p->json, "status", p->why.status);
    lu_json_key_string(&p->json, "detail", p->why.text);
    if (p->why.pointer) {
        lu_json_key_string(&p->json, "pointer", p->why.pointer);
    }
    lu_json_object_end(&p->json);
    lu_json_object_end(&p->json);
    p->why.status = 0;
}

static stream_step play_next(stream *base, double now, lu_text *out, double *wake) {
    play *p = (play *)base;
    p->app->now = now;
    if (p->why.status) {
        write_problem(p);
    } else if (p->waiting > 0) {
        session *s = *find(&p->app->here, p->id);
        p->waiting = 0;
        if (!s) {
            return STREAM_END;
        }
        session_write(p->app->sessions, s, &p->json);
    } else {
        *wake = INFINITY;
        return STREAM_WAIT;
    }
    lu_text_add_n(out, p->json.text, p->json.length);
    lu_json_clear(&p->json);
    return STREAM_MORE;
}

/* {"reset":{...}} or {"step":{...}}. */
static bool act(play *p, session *s, const lu_json_value *root) {
    const char *key;
    const lu_json_value *wish = lu_json_member(root, 0, &key);
    if (lu_json_count(root) != 1 || lu_json_kind_of(wish) != LU_JSON_OBJECT ||
        (strcmp(key, "reset") != 0 && strcmp(key, "step") != 0)) {
        return fail(&p->why, 422, "bad-value", "", "a message is {\"reset\":{}} or {\"step\":{}}");
    }
    return *key == 'r' ? reset(s, wish, &p->why) : step(s, wish, &p->why);
}

static bool play_hear(stream *base, const char *text, size_t length) {
    play *p = (play *)base;
    lu_error error = {0};
    p->app->now = lu_clock_seconds();
    session *s = *find(&p->app->here, p->id);
    if (!s) {
        return false;
    }
    lu_json_document *document =
        json_is_flat(text, length) ? lu_json_read("message", text, length, &error) : NULL;
    if (!document) {
        fail(&p->why, 400, "bad-json", NULL,
             error.status != LU_OK ? error.text : "the message is nested too deeply");
    } else if (act(p, s, lu_json_root(document))) {
        p->waiting++;
    }
    lu_json_close(document);
    return true;
}

void on_session_socket(worker *w, const http_request *r, http_answer *answer) {
    session *s = named(w, r, answer);
    if (!s) {
        return;
    }
    play *p = lu_alloc_zero(1, sizeof *p);
    p->app = w->app;
    p->waiting = 1;
    snprintf(p->id, sizeof p->id, "%s", s->id);
    lu_json_init(&p->json);
    p->base = (stream){play_next, NULL, play_hear, play_free, "play"};
    answer->stream = &p->base;
    answer->socket = true;
}
