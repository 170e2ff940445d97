/* Load on a policy server: see policy_bench.h. */
#include "ludus/policy_bench.h"
#include "env_server.h"

#include "ludus/clock.h"
#include "ludus/episode.h"
#include "ludus/model.h"

#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum { QUESTIONS = 64, CLIENTS_MOST = 4096, TIMES_MOST = 1 << 22, EVENTS = 64, ROOM = 16 << 10 };
static const double WARM_SECONDS = 0.02, ROUND_SECONDS = 0.1;

/* ---- questions ---- */

static void write_question(const lu_env *env, int seat, lu_text *line) {
    lu_json json = LU_JSON_INIT;
    lu_json_object(&json);
    env_write_observation(env, seat, "obs", &json);
    env_write_masks(env, seat, &json);
    lu_json_object_end(&json);
    lu_text_add_n(line, json.text, json.length);
    lu_text_add_char(line, '\n');
    lu_json_free(&json);
}

/* One decision of random play in all seats. */
static void play_on(lu_env *env, lu_rng *rng) {
    const lu_game *game = env->game;
    int32_t actions[LU_MAX_SEATS * LU_MAX_HEADS] = {0};
    for (int seat = 0; seat < game->seats; seat++) {
        lu_action_random(game, env->rules, env->state, seat,
                         env->mask + (size_t)seat * (size_t)lu_game_mask_length(game), rng,
                         actions + seat * game->heads);
    }
    lu_env_step(env, actions);
}

static lu_status make_questions(const lu_model_file *file, lu_text *lines, lu_error *error) {
    lu_episode place;
    lu_settings *settings = lu_game_settings(file->game);
    lu_settings_take(settings, file->settings, LU_FROM_FILE, "the model");
    LU_TRY(lu_episode_open(&place, file->game, settings, NULL, error));
    lu_env *env = place.env;
    lu_rng rng = lu_rng_from(1);
    lu_env_reset(env, 1, NULL);
    for (int made = 0, at = 0; made < QUESTIONS; at++) {
        if (env->over) {
            lu_env_reset(env, (uint64_t)at, NULL);
        }
        unsigned choosers = lu_env_choosers(env);
        for (int seat = 0; seat < file->game->seats && made < QUESTIONS; seat++) {
            if ((choosers >> seat) & 1) {
                write_question(env, seat, &lines[made++]);
            }
        }
        play_on(env, &rng);
    }
    lu_episode_close(&place);
    return LU_OK;
}

/* ---- the server ---- */

typedef struct served {
    lu_line_server *server;
    pthread_t thread;
    atomic_bool ended;
    lu_status status;
    lu_error error;
} served;

static bool is_ended(void *context) {
    return atomic_load(&((served *)context)->ended);
}

static void *serve(void *data) {
    served *s = data;
    const lu_watch watch = {.context = s, .stop = is_ended};
    s->status = lu_line_server_run(s->server, &(lu_line_hooks){.watch = &watch}, &s->error);
    return NULL;
}

static lu_status start(served *s, const char *path, lu_error *error) {
    lu_settings *limits = lu_settings_new();
    lu_settings_add(limits, lu_line_table);
    lu_settings_set_pair(limits, "line.connections=100000", LU_FROM_FLAG, "bench", NULL);
    s->server = lu_policy_server_open(&(lu_line_options){.bind = "127.0.0.1", .limits = limits},
                                      &(lu_policy_options){.models = (const char *[]){path, NULL},
                                                           .runs = "",
                                                           .queue = CLIENTS_MOST},
                                      error);
    lu_settings_delete(limits);
    if (!s->server) {
        return error->status;
    }
    if (pthread_create(&s->thread, NULL, serve, s) != 0) {
        lu_line_server_close(s->server);
        return lu_fail(error, LU_FAILED, "cannot create a thread for the server");
    }
    return LU_OK;
}

static lu_status finish(served *s, lu_error *error) {
    atomic_store(&s->ended, true);
    pthread_join(s->thread, NULL);
    lu_line_server_close(s->server);
    return s->status == LU_OK ? LU_OK : lu_fail(error, s->status, "%.900s", s->error.text);
}

/* ---- clients ---- */

typedef struct client {
    int descriptor, next; /* question */
    double asked;
} client;

typedef struct load {
    const lu_text *lines;
    client *at;
    int clients, poll;
    float *times;
    size_t count;
} load;

static lu_status broken(lu_error *error) {
    return lu_fail(error, LU_IO, "the policy server has closed a connection of the bench: %s",
                   strerror(errno));
}

static lu_status ask(load *l, client *c, lu_error *error) {
    const lu_text *line = &l->lines[c->next++ % QUESTIONS];
    c->asked = lu_clock_seconds();
    return send(c->descriptor, line->text, line->length, MSG_NOSIGNAL) == (ssize_t)line->length
               ? LU_OK
               : broken(error);
}

static lu_status connect_all(load *l, int port, lu_error *error) {
    struct sockaddr_in to = {.sin_family = AF_INET,
                             .sin_port = htons((uint16_t)port),
                             .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    int one = 1;
    for (int i = 0; i < l->clients; i++) {
        client *c = &l->at[i];
        struct epoll_event event = {.events = EPOLLIN, .data.ptr = c};
        c->next = i;
        c->descriptor = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
        if (c->descriptor < 0 ||
            connect(c->descriptor, (const struct sockaddr *)&to, sizeof to) != 0 ||
            setsockopt(c->descriptor, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one) != 0 ||
            epoll_ctl(l->poll, EPOLL_CTL_ADD, c->descriptor, &event) != 0) {
            return broken(error);
        }
        LU_TRY(ask(l, c, error));
    }
    return LU_OK;
}

/* Takes an answer, which comes in one piece mostly, and asks the next question. */
static lu_status hear(load *l, client *c, bool counts, lu_error *error) {
    char bytes[ROOM];
    ssize_t got = recv(c->descriptor, bytes, sizeof bytes, 0);
    if (got <= 0) {
        return broken(error);
    }
    if (bytes[got - 1] != '\n') {
        return LU_OK;
    }
    if (strncmp(bytes, "{\"error", 7) == 0) {
        return lu_fail(error, LU_CHECK_FAILED, "the policy server refuses a request: %.*s",
                       (int)got - 1, bytes);
    }
    if (counts && l->count < TIMES_MOST) {
        l->times[l->count++] = (float)(lu_clock_seconds() - c->asked);
    }
    return ask(l, c, error);
}

static int by_size(const void *a, const void *b) {
    float x = *(const float *)a, y = *(const float *)b;
    return (x > y) - (x < y);
}

/* Adds a round. The one with the most answers per second counts: it met the least foreign load. */
static void sum_up(load *l, double seconds, lu_policy_load *result) {
    double rate = (double)l->count / seconds;
    result->clients = l->clients;
    result->answers += (int64_t)l->count;
    result->seconds += seconds;
    if (l->count == 0) {
        return;
    }
    qsort(l->times, l->count, sizeof *l->times, by_size);
    double longest = (double)l->times[l->count - 1];
    result->longest = longest > result->longest ? longest : result->longest;
    if (rate > result->rate) {
        result->rate = rate;
        result->middle = (double)l->times[l->count / 2];
        result->high = (double)l->times[l->count * 99 / 100];
    }
}

/* Seconds of a processor that the server's thread has taken so far. */
static double processor_of(const served *s) {
    clockid_t clock;
    struct timespec at = {0};
    if (pthread_getcpuclockid(s->thread, &clock) == 0) {
        clock_gettime(clock, &at);
    }
    return (double)at.tv_sec + (double)at.tv_nsec * 1e-9;
}

static lu_status run_clients(load *l, const served *server, const lu_watch *watch,
                             lu_policy_load *result, lu_error *error) {
    double from = lu_clock_seconds() + WARM_SECONDS, now = 0.0, taken = 0.0;
    bool counts = false;
    while (now < from + ROUND_SECONDS) {
        struct epoll_event events[EVENTS];
        int count = epoll_wait(l->poll, events, EVENTS, 1000);
        if (lu_watch_stops(watch)) {
            return lu_fail(error, LU_INTERRUPTED, "interrupted");
        }
        if (!counts && now >= from) {
            counts = true;
            taken = processor_of(server);
        }
        for (int i = 0; i < count; i++) {
            LU_TRY(hear(l, events[i].data.ptr, counts, error));
        }
        now = lu_clock_seconds();
    }
    sum_up(l, now - from, result);
    result->processor += processor_of(server) - taken;
    return LU_OK;
}

static lu_status measure(const lu_text *lines, const served *server, int clients,
                         const lu_watch *watch, lu_policy_load *result, lu_error *error) {
    int port = lu_line_server_port(server->server);
    load l = {.lines = lines, .clients = clients};
    l.at = lu_alloc_zero((size_t)clients, sizeof *l.at);
    l.times = lu_alloc(TIMES_MOST * sizeof *l.times);
    l.poll = epoll_create1(EPOLL_CLOEXEC);
    for (int i = 0; i < clients; i++) {
        l.at[i].descriptor = -1;
    }
    lu_status status = connect_all(&l, port, error);
    LU_THEN(status, run_clients(&l, server, watch, result, error));
    for (int i = 0; i < clients; i++) {
        if (l.at[i].descriptor >= 0) {
            close(l.at[i].descriptor);
        }
    }
    close(l.poll);
    free(l.at);
    free(l.times);
    return status;
}

/* ---- the bench ---- */

static void describe(const lu_model_file *file, const char *path, const lu_text *lines,
                     lu_policy_bench *result) {
    const char *slash = strrchr(path, '/');
    snprintf(result->model, sizeof result->model, "%s", slash ? slash + 1 : path);
    snprintf(result->game, sizeof result->game, "%s", file->game->id);
    result->parameters = (int64_t)lu_net_parameters(file->net);
    for (int i = 0; i < QUESTIONS; i++) {
        result->line_bytes += lines[i].length / QUESTIONS;
    }
}

lu_status lu_policy_bench_run(const char *path, const int *clients, int loads, double seconds,
                              const lu_watch *watch, lu_policy_bench *result, lu_error *error) {
    lu_text lines[QUESTIONS];
    served s = {0};
    *result = (lu_policy_bench){0};
    lu_model_file *file = lu_model_file_load(path, error);
    if (!file) {
        return error->status;
    }
    for (int i = 0; i < QUESTIONS; i++) {
        lu_text_init(&lines[i]);
    }
    lu_status status = make_questions(file, lines, error);
    if (status == LU_OK) {
        describe(file, path, lines, result);
        status = start(&s, path, error);
    }
    result->loads = loads;
    result->rounds = 1 + (int)(seconds / (loads * (ROUND_SECONDS + WARM_SECONDS)));
    for (int i = 0; i < result->rounds * loads && status == LU_OK; i++) {
        lu_watch_tell(watch, (double)i / (result->rounds * loads), "rounds");
        status = measure(lines, &s, clients[i % loads], watch, &result->load[i % loads], error);
    }
    if (s.server) {
        lu_status end = finish(&s, status == LU_OK ? error : NULL);
        status = status == LU_OK ? end : status;
    }
    for (int i = 0; i < QUESTIONS; i++) {
        lu_text_free(&lines[i]);
    }
    lu_model_file_delete(file);
    return status;
}

void lu_policy_bench_write(const lu_policy_bench *r, lu_json *json) {
    lu_json_key_string(json, "model", r->model);
    lu_json_key_string(json, "game", r->game);
    lu_json_key_int(json, "parameters", r->parameters);
    lu_json_key_int(json, "line_bytes", (int64_t)r->line_bytes);
    lu_json_key_int(json, "rounds", r->rounds);
    lu_json_key_array(json, "loads");
    for (int i = 0; i < r->loads; i++) {
        const lu_policy_load *one = &r->load[i];
        lu_json_object(json);
        lu_json_key_int(json, "clients", one->clients);
        lu_json_key_int(json, "answers", one->answers);
        lu_json_key_real(json, "seconds", one->seconds);
        lu_json_key_real(json, "answers_per_second", one->rate);
        lu_json_key_real(json, "processor_seconds", one->processor);
        lu_json_key_real(json, "p50_ms", one->middle * 1e3);
        lu_json_key_real(json, "p99_ms", one->high * 1e3);
        lu_json_key_real(json, "longest_ms", one->longest * 1e3);
        lu_json_object_end(json);
    }
    lu_json_array_end(json);
}
