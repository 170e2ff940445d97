/* ludus-grpc bench: steps per second through a server of its own on loopback, beside the same
 * messages with an empty step, which is what gRPC and protobuf cost alone. */
#include "bench.h"
#include "client.h"
#include "output.h"
#include "services.h"

#include "ludus/clock.h"
#include "ludus/cpu.h"

#include <ludus/v1/env.pb-c.h>

#include <stdlib.h>
#include <time.h>

enum { LANES_MOST = 64, AHEAD = 8 }; /* AHEAD: batches of actions that are drawn beforehand */
#define WINDOW 0.05                  /* seconds of one measurement */

static const verb_example examples[] = {
    {"ludus-grpc bench", "prospector and cartpole, 256 environments per message"},
    {"ludus-grpc bench duel --environments 64 --seconds 2", "another game"},
    {NULL, NULL},
};

static const lu_setting options[] = {
    {"seconds", LU_REAL, "8", 0.1, 3600, NULL, "Seconds to measure each game.", false},
    {"environments", LU_INT, "256", 1, 4096, NULL, "Environments per session.", false},
    {"lanes", LU_INT, "2", 1, LANES_MOST, NULL,
     "Sessions stepped concurrently, each waiting for its answer.", false},
    {"write", LU_BOOL, "false", 0, 0, NULL, "Writes bench/results/grpc-PROCESSOR.json.", false},
};

static const lu_table *const tables[] = {&rpc_table, &sessions_table, NULL};

static const char details[] =
    "A server and a client in one process, over TCP on loopback. Full and empty steps "
    "alternate\nin windows of 0.05 s; the best window of each counts, the one with the least other "
    "load. By CPU time: the CPU\ntime of an empty step as a share of that of a full one, over all "
    "windows.";

typedef struct measured {
    const lu_game *game;
    int environments, lanes, windows;
    size_t answer;                /* bytes of a message */
    double full, empty;           /* environment steps per second, best window */
    double full_cost, empty_cost; /* seconds of processor per environment step, over all windows */
} measured;

/* What windows of one kind came to. */
typedef struct tally {
    double best, processor, steps;
} tally;

static double processor_seconds(void) {
    struct timespec used;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used);
    return (double)used.tv_sec + 1e-9 * (double)used.tv_nsec;
}

/* One game under measurement. */
typedef struct bench {
    const lu_game *game;
    services *all;
    client *client;
    int environments, lanes;
    uint64_t session[LANES_MOST];
    int32_t *actions; /* AHEAD x rows x heads */
    size_t batch;     /* numbers in one of them */
    int turn;
    size_t answer;
} bench;

static void send_step(bench *b, int lane) {
    Ludus__V1__StepRequest ask = LUDUS__V1__STEP_REQUEST__INIT;
    ask.session = b->session[lane];
    ask.actions.data = (uint8_t *)(b->actions + (size_t)(b->turn++ % AHEAD) * b->batch);
    ask.actions.len = b->batch * sizeof *b->actions;
    client_send(b->client, lane, "/ludus.v1.Env/Step", &ask.base);
}

/* Waits for one answer; its lane, or -1. */
static int take_step(bench *b, lu_error *error) {
    ProtobufCMessage *answer;
    int lane = client_wait(b->client, &ludus__v1__step_response__descriptor, &answer, error);
    if (lane >= 0) {
        b->answer = protobuf_c_message_get_packed_size(answer);
        protobuf_c_message_free_unpacked(answer, NULL);
    }
    return lane;
}

/* Steps for one window. */
static lu_status window(bench *b, bool empty, tally *sum, lu_error *error) {
    double steps = 0.0, used = processor_seconds();
    b->all->empty_step = empty; /* nothing is on its way now */
    double start = lu_clock_seconds(), now = start;
    for (int lane = 0; lane < b->lanes; lane++) {
        send_step(b, lane);
    }
    for (int open = b->lanes; open > 0;) {
        int lane = take_step(b, error);
        if (lane < 0) {
            return error->status;
        }
        now = lu_clock_seconds();
        steps += b->environments;
        if (now - start < WINDOW) {
            send_step(b, lane);
        } else {
            open--;
        }
    }
    double rate = steps / (now - start);
    sum->best = rate > sum->best ? rate : sum->best;
    sum->processor += processor_seconds() - used;
    sum->steps += steps;
    return LU_OK;
}

static lu_status open_sessions(bench *b, lu_error *error) {
    for (int lane = 0; lane < b->lanes; lane++) {
        ProtobufCMessage *answer;
        Ludus__V1__ResetRequest ask = LUDUS__V1__RESET_REQUEST__INIT;
        ask.game = (char *)b->game->id;
        ask.environments = (uint32_t)b->environments;
        ask.seed = (uint64_t)lane;
        client_send(b->client, 0, "/ludus.v1.Env/Reset", &ask.base);
        if (client_wait(b->client, &ludus__v1__reset_response__descriptor, &answer, error) < 0) {
            return error->status;
        }
        b->session[lane] = ((Ludus__V1__ResetResponse *)answer)->session;
        protobuf_c_message_free_unpacked(answer, NULL);
    }
    return LU_OK;
}

/* Uniform over all options, as `ludus bench` draws them. */
static void draw_actions(bench *b) {
    const lu_game *game = b->game;
    lu_rng rng = lu_rng_from(1);
    b->batch = (size_t)b->environments * (size_t)game->seats * (size_t)game->heads;
    b->actions = lu_alloc(AHEAD * b->batch * sizeof *b->actions);
    for (size_t i = 0; i < AHEAD * b->batch; i++) {
        uint32_t limit = (uint32_t)game->head[i % (size_t)game->heads].options;
        b->actions[i] = (int32_t)lu_rng_below(&rng, limit);
    }
}

static lu_status measure(const verb_call *call, services *all, int port, measured *m,
                         lu_error *error) {
    bench b = {.game = m->game, .all = all, .environments = m->environments, .lanes = m->lanes};
    double seconds = lu_settings_real(call->settings, "seconds");
    tally full = {0}, empty = {0};
    b.client = client_open(port, b.lanes);
    draw_actions(&b);
    lu_status status = open_sessions(&b, error);
    double start = lu_clock_seconds();
    for (double done = 0.0; status == LU_OK && (done < seconds || m->windows < 2);) {
        LU_THEN(status, window(&b, true, &empty, error));
        LU_THEN(status, window(&b, false, &full, error));
        m->windows++;
        done = lu_clock_seconds() - start;
        progress(done / seconds, m->game->id);
        if (interrupted()) {
            status = lu_fail(error, LU_INTERRUPTED, "interrupted");
        }
    }
    m->full = full.best;
    m->empty = empty.best;
    m->full_cost = full.processor / full.steps;
    m->empty_cost = empty.processor / empty.steps;
    m->answer = b.answer;
    client_close(b.client);
    free(b.actions);
    return status;
}

static void write_results(const measured *m, int count, lu_json *json) {
    lu_json_object(json);
    bench_machine(json);
    lu_json_key_array(json, "games");
    for (int i = 0; i < count; i++) {
        lu_json_object(json);
        lu_json_key_string(json, "game", m[i].game->id);
        lu_json_key_int(json, "environments", m[i].environments);
        lu_json_key_int(json, "lanes", m[i].lanes);
        lu_json_key_int(json, "observation", lu_game_observation_length(m[i].game));
        lu_json_key_int(json, "answer_bytes", (int64_t)m[i].answer);
        lu_json_key_int(json, "windows", m[i].windows);
        lu_json_key_real(json, "steps_per_second", m[i].full);
        lu_json_key_real(json, "empty_steps_per_second", m[i].empty);
        lu_json_key_real(json, "ratio", m[i].full / m[i].empty);
        lu_json_key_real(json, "processor_ratio", m[i].empty_cost / m[i].full_cost);
        lu_json_object_end(json);
    }
    lu_json_array_end(json);
    lu_json_object_end(json);
}

static void print_results(const measured *m, int count) {
    char name[128];
    table t = table_of("lrrrrrr");
    table_row(&t, "game", "floats", "answer", "steps/s", "empty steps/s", "ratio", "by CPU time");
    for (int i = 0; i < count; i++) {
        table_row(&t, m[i].game->id, cell("%d", lu_game_observation_length(m[i].game)),
                  cell("%.0f kB", (double)m[i].answer / 1e3), cell("%.0f", m[i].full),
                  cell("%.0f", m[i].empty), cell("%.2f", m[i].full / m[i].empty),
                  cell("%.2f", m[i].empty_cost / m[i].full_cost));
    }
    table_print(&t);
    table_free(&t);
    out_format("\nEnvironment steps per second, %d per message, %d messages in flight; the best of "
               "%d windows of 0.05 s.\nServer and client in one process over loopback. %s.\n",
               m->environments, m->lanes, m->windows, lu_cpu_name(name, sizeof name));
}

/* Starts a server and measures the games one after the other. */
static lu_status measure_all(const verb_call *call, measured *m, int count, lu_error *error) {
    services all = {.sessions = sessions_new(call->settings)};
    rpc_options rpc = {
        .bind = "127.0.0.1", .limits = call->settings, .methods = all_methods, .context = &all};
    rpc_server *server = rpc_open(&rpc, error);
    lu_status status = server ? LU_OK : error->status;
    progress_start();
    for (int i = 0; i < count; i++) {
        LU_THEN(status, measure(call, &all, rpc_port(server), &m[i], error));
    }
    progress_end();
    if (server) {
        rpc_close(server);
    }
    sessions_delete(all.sessions);
    return status;
}

static lu_status run(verb_call *call, lu_error *error) {
    static const char *const usual[] = {"prospector", "cartpole"};
    measured m[2] = {{0}};
    int count = call->game ? 1 : 2;
    lu_json json = LU_JSON_INIT;
    for (int i = 0; i < count; i++) {
        m[i].game = call->game ? call->game : lu_game_find(usual[i], error);
        m[i].environments = (int)lu_settings_int(call->settings, "environments");
        m[i].lanes = (int)lu_settings_int(call->settings, "lanes");
        if (!m[i].game) {
            return error->status;
        }
    }
    lu_status status = measure_all(call, m, count, error);
    if (status == LU_OK) {
        write_results(m, count, &json);
    }
    if (status == LU_OK && lu_settings_bool(call->settings, "write")) {
        lu_json_newline(&json);
        status = bench_keep("grpc", &json, error);
    }
    if (status == LU_OK && call->json) {
        out_json(&json);
    } else if (status == LU_OK) {
        print_results(m, count);
    }
    lu_json_free(&json);
    return status;
}

const verb verb_bench = {
    .name = "bench",
    .usage = "bench [GAME] [--environments N] [--seconds S]",
    .sentence =
        "Measures steps per second over loopback, next to the same messages with an empty step.",
    .details = details,
    .examples = examples,
    .options = VERB_OPTIONS("bench", options),
    .tables = tables,
    .game = VERB_GAME_MAYBE,
    .json = true,
    .run = run,
};
