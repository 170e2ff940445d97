/* Sessions of play: an environment each, bounded in number and size, gone when nobody uses them.
 * Where others than persons sit in the seats a worker plays for them: the session is its own until
 * it is done, and whoever asks meanwhile waits. */
#include "session.h"

#include "ludus/clock.h"
#include "ludus/frame.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { RULES_MOST = 16 << 20, DECISIONS_MOST = 1 << 20, OPTIONS_MOST = 1024, PLAYED_MOST = 1000 };
#define PLAY_SECONDS 0.5 /* decisions without a person begin within this time of a request */

sessions *sessions_new(const lu_serve_options *options) {
    sessions *s = lu_alloc_zero(1, sizeof *s);
    s->most = (int)lu_settings_int(options->limits, "serve.sessions");
    s->most_own = (int)lu_settings_int(options->limits, "serve.sessions_per_address");
    s->most_bytes = (size_t)lu_settings_int(options->limits, "serve.session_models") << 20;
    s->seconds = lu_settings_real(options->limits, "serve.session_seconds");
    return s;
}

void session_free(session *s) {
    seats_free(&s->seats);
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

void session_end(sessions *all, session **at) {
    session *s = *at;
    if (s->busy) {
        s->gone = true;
        return;
    }
    *at = s->next;
    all->count--;
    all->bytes -= s->seats.bytes;
    s->peer->sessions--;
    session_free(s);
}

void sessions_expire(sessions *all, access_control *g, double now) {
    (void)g;
    for (session **at = &all->first; *at;) {
        if (!(*at)->busy && now - (*at)->used > all->seconds) {
            session_end(all, at);
        } else {
            at = &(*at)->next;
        }
    }
}

/* ---- what a session looks like ---- */

void session_write(const sessions *all, const session *s, lu_json *json) {
    static const unsigned parts = LU_FRAME_COUNTS | LU_FRAME_REWARDS | LU_FRAME_RETURNS |
                                  LU_FRAME_TERMS | LU_FRAME_ENDS | LU_FRAME_WORDS | LU_FRAME_HEADS |
                                  LU_FRAME_INFO | LU_FRAME_SIGHTS | LU_FRAME_TO_MOVE;
    const lu_env *env = s->episode.env;
    unsigned persons = s->seats.persons;
    char seed[24]; /* as text: a page has no numbers of 64 bits */
    snprintf(seed, sizeof seed, "%llu", (unsigned long long)env->seed);
    lu_json_object(json);
    lu_json_key_string(json, "session", s->id);
    lu_json_key_string(json, "game", env->game->id);
    lu_json_key_string(json, "seed", seed);
    seats_write(&s->seats, env, json);
    lu_json_key_int(json, "played", s->played);
    lu_json_key_bool(json, "pending", !env->over && seats_asked(&s->seats, env) == 0);
    lu_frame_write_shown(env, parts, persons ? persons : ~0u, json);
    lu_json_key_int(json, "expires_seconds", (int64_t)all->seconds);
    lu_json_object_end(json);
}

void session_answer(const app *a, const session *s, int status, http_answer *answer) {
    lu_json json = LU_JSON_INIT;
    session_write(a->sessions, s, &json);
    answer_json(answer, status, &json);
}

/* ---- wishes ---- */

bool session_wrong(wrong *why, int status, const char *name, const char *pointer,
                   const char *text) {
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
           session_wrong(why, 422, "bad-value", "/seed", error.text);
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
        snprintf(text, sizeof text, "%s isn't legal now%s%s",
                 inside ? game->head[h].option[option] : "this option", because ? ": " : "",
                 because ? because : "");
        return session_wrong(why, 422, "illegal", "/actions", text);
    }
    return true;
}

/* Illegal choices are refused; the rules take them all the same when `force` says so. */
static bool check_actions(const session *s, const int32_t *actions, wrong *why) {
    const lu_env *env = s->episode.env;
    unsigned asked = seats_asked(&s->seats, env);
    for (int seat = 0; seat < env->game->seats; seat++) {
        if (((asked >> seat) & 1) &&
            !is_choice_of(env, seat, actions + seat * env->game->heads, why)) {
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

/* A list with the actions of persons alone, into those of all seats. */
static bool spread_actions(const session_seats *seats, int heads, const lu_json_value *list,
                           int32_t *actions) {
    size_t from = 0;
    bool whole = true;
    for (int i = 0; i < seats->count * heads; i++) {
        if ((seats->persons >> (i / heads)) & 1) {
            whole = read_number(lu_json_at(list, from++), &actions[i]) && whole;
        }
    }
    return whole;
}

static bool read_actions(const lu_json_value *root, const session *s, int32_t *actions,
                         wrong *why) {
    const lu_json_value *list = lu_json_get(root, "actions"), *one = lu_json_get(root, "action");
    int heads = s->episode.game->heads, count = 0, first = 0;
    for (int seat = s->seats.count - 1; seat >= 0; seat--) {
        bool person = (s->seats.persons >> seat) & 1;
        count += person ? heads : 0;
        first = person ? seat : first;
    }
    if (one && !list && count == 1) {
        return read_number(one, &actions[first]) ||
               session_wrong(why, 422, "bad-value", "/action", "this must be an integer");
    }
    if (!list || one || lu_json_kind_of(list) != LU_JSON_ARRAY ||
        lu_json_count(list) != (size_t)count) {
        char text[120];
        snprintf(text, sizeof text, "actions must be a list of %d integers", count);
        return session_wrong(why, 422, "bad-value", "/actions", text);
    }
    return spread_actions(&s->seats, heads, list, actions) ||
           session_wrong(why, 422, "bad-value", "/actions", "these must be integers");
}

bool session_step(session *s, const lu_json_value *root, turn *t, wrong *why) {
    lu_error error = {0};
    bool force = false;
    if (lu_json_get(root, "force") && lu_json_get_bool(root, "force", &force, &error) != LU_OK) {
        return session_wrong(why, 422, "bad-value", "/force", error.text);
    }
    if (!read_actions(root, s, t->actions, why)) {
        return false;
    }
    if (s->episode.env->over) {
        return session_wrong(why, 409, "over", NULL, "the episode is over: reset begins a new one");
    }
    if (s->episode.env->decisions >= DECISIONS_MOST) {
        return session_wrong(why, 409, "over", NULL,
                             "the episode has too many decisions: reset it");
    }
    return force || check_actions(s, t->actions, why);
}

bool session_reset(session *s, const lu_json_value *root, turn *t, wrong *why) {
    (void)s;
    t->resets = true;
    return read_seed(root, &t->seed, why);
}

/* ---- a turn ---- */

/* One decision; players add their actions to those of persons. */
static bool decide(session *s, int32_t *actions) {
    lu_error error = {0};
    lu_crew_ask ask = {.env = s->episode.env, .actions = actions};
    if (s->seats.crew && lu_crew_act(s->seats.crew, &ask, 1, &error) != LU_OK) {
        return session_wrong(&s->why, 500, "failed", NULL,
                             "a model among the players has no answer");
    }
    lu_episode_step(&s->episode, actions);
    s->played++;
    return true;
}

/* Players decide until a person is asked, within limits. */
static void play_on(session *s) {
    const lu_env *env = s->episode.env;
    double until = lu_clock_seconds() + PLAY_SECONDS;
    while (s->seats.crew && !env->over && !seats_asked(&s->seats, env) && s->played < PLAYED_MOST &&
           env->decisions < DECISIONS_MOST && lu_clock_seconds() < until) {
        int32_t actions[LU_MAX_SEATS * LU_MAX_HEADS] = {0};
        if (!decide(s, actions)) {
            return;
        }
    }
}

static void turn_work(job *base, worker *w) {
    turn *t = (turn *)base;
    session *s = t->session;
    lu_error error = {0};
    size_t most = w->app->sessions->most_bytes;
    s->played = 0;
    s->why = (wrong){0};
    if (t->opens && seats_open(&s->seats, w, &s->episode, most, &error) != LU_OK) {
        session_wrong(&s->why, 422, "bad-value", "/seats", error.text);
        return;
    }
    if (t->resets) {
        lu_episode_reset(&s->episode, t->seed);
        if (s->seats.crew) {
            lu_crew_begin(s->seats.crew, 0, t->seed, t->seed, 0);
        }
    } else if (!decide(s, t->actions)) {
        return;
    }
    play_on(s);
}

static void turn_done(job *base) {
    turn *t = (turn *)base;
    session *s = t->session;
    sessions *all = t->app->sessions;
    s->busy = false;
    s->used = t->app->now;
    if (t->opens) {
        all->bytes += s->seats.bytes;
        if (all->bytes > all->most_bytes && !s->why.status) {
            session_wrong(&s->why, 503, "sessions", "/seats",
                          "too many models are playing here: try again later");
        }
    }
    for (session **at = &all->first; s->gone && *at; at = &(*at)->next) {
        if (*at == s) {
            session_end(all, at);
            break;
        }
    }
    free(t);
}

bool session_turn(app *a, session *s, const turn *wish, wrong *why) {
    turn *t = lu_alloc(sizeof *t);
    *t = *wish;
    t->base = (job){.work = turn_work, .done = turn_done};
    t->app = a;
    t->session = s;
    if (!seats_have_players(&s->seats)) {
        turn_work(&t->base, &a->here);
        turn_done(&t->base);
        return true;
    }
    s->busy = true;
    if (!app_post(a, WORKER_REPLAY, &t->base)) {
        s->busy = false;
        free(t);
        return session_wrong(why, 503, "busy", NULL,
                             "too many requests are waiting: try again in a moment");
    }
    return true;
}

/* ---- making one ---- */

/* Takes the members of an object as settings. */
static bool take_settings(lu_settings *settings, const lu_json_value *root, const char *key,
                          const char *pointer, wrong *why) {
    lu_error error = {0};
    const lu_json_value *value = lu_json_get(root, key);
    if (value && lu_json_kind_of(value) != LU_JSON_OBJECT) {
        return session_wrong(why, 422, "bad-value", pointer, "this must be an object");
    }
    return lu_settings_object(settings, key, value, LU_FROM_FLAG, &error) == LU_OK ||
           session_wrong(why, 422, "bad-value", pointer, error.text);
}

static bool open_game(lu_episode *episode, const lu_game *game, const lu_json_value *root,
                      wrong *why) {
    lu_error error = {0};
    lu_settings *settings = lu_game_settings(game), *options = lu_game_options(game);
    bool fine = take_settings(settings, root, "settings", "/settings", why) &&
                take_settings(options, root, "options", "/options", why);
    if (fine && lu_rules_bytes(game, settings) > RULES_MOST) {
        fine = session_wrong(why, 422, "bad-value", "/settings",
                             "these settings make the game too large");
    }
    if (!fine) {
        lu_settings_delete(settings);
        lu_settings_delete(options);
        return false;
    }
    if (lu_episode_open(episode, game, settings, NULL, &error) != LU_OK) {
        lu_settings_delete(options);
        return session_wrong(why, 422, "bad-value", "/settings", error.text);
    }
    return lu_episode_set_options(episode, options, &error) == LU_OK ||
           session_wrong(why, 422, "bad-value", "/options", error.text);
}

session *session_make(const lu_json_value *root, turn *t, wrong *why) {
    lu_error error = {0};
    const char *name;
    if (lu_json_get_text(root, "game", &name, &error) != LU_OK) {
        session_wrong(why, 422, "bad-value", "/game", error.text);
        return NULL;
    }
    const lu_game *game = lu_game_find(name, &error);
    if (!game) {
        session_wrong(why, 404, "not-found", "/game", "there is no such game");
        return NULL;
    }
    session *s = lu_alloc_zero(1, sizeof *s);
    bool fine = seats_read(&s->seats, game, lu_json_get(root, "seats"), &error) ||
                session_wrong(why, 422, "bad-value", "/seats", error.text);
    if (!fine || !read_seed(root, &t->seed, why) || !open_game(&s->episode, game, root, why)) {
        session_free(s);
        return NULL;
    }
    t->resets = true;
    t->opens = seats_have_players(&s->seats);
    random_hex(s->id, 32);
    return s;
}
