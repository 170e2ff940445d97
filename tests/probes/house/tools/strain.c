/* strain: a tool that asks as much of its host as a test wants: threads, time, memory, files, a
 * large answer, what is none of its business, or its own end. */
#include "ludus/error.h"
#include "ludus/json.h"
#include "ludus/tool.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#ifndef __wasm__
#include "../../../break_out.h"
#endif

enum { PARTS = 64 };

static const lu_setting rows[] = {
    {"threads", LU_INT, "0", 0, 64, NULL, "Threads; 0 is one per processor.", false},
    {"rounds", LU_INT, "1000", 0, 1e12, NULL, "Additions in each of 64 parts.", false},
    {"seconds", LU_REAL, "0", 0, 1e6, NULL, "Time to pass after that.", false},
    {"memory", LU_INT, "0", 0, 1 << 20, NULL, "MiB to fill.", false},
    {"answer", LU_INT, "0", 0, 1 << 30, NULL, "Bytes of a text in the answer.", false},
    {"documents", LU_INT, "1", 0, 1e9, NULL, "How often the answer is given.", false},
    {"data", LU_FILE, "", 0, 4096, NULL, "A text that is told back.", false},
    {"deaf", LU_BOOL, "false", 0, 0, NULL, "Asks nobody whether it is to end.", false},
    {"fate", LU_ENUM, "well", 0, 0, "well|refuse|fail|crash|exit|break_out",
     "How it ends; break_out tries what a worker has no need for, and tells what it could do.",
     false},
    {"old.rounds", LU_ALIAS, "rounds", 0, 0, NULL, "Another name of rounds.", false},
};

typedef struct parts {
    uint64_t sum[PARTS];
    int64_t rounds;
} parts;

static void add_up(void *context, int index) {
    parts *all = context;
    uint64_t sum = (uint64_t)index;
    for (int64_t i = 0; i < all->rounds; i++) {
        sum = sum * 6364136223846793005u + 1442695040888963407u;
    }
    all->sum[index] = sum;
}

static double now(void) {
    struct timespec at;
    clock_gettime(CLOCK_MONOTONIC, &at);
    return (double)at.tv_sec + 1e-9 * (double)at.tv_nsec;
}

/* Lets time pass; false when it is to end early. */
static bool pass(const lu_tool_io *io, double seconds, bool deaf) {
    double began = now(), gone;
    while ((gone = now() - began) < seconds) {
        if (!deaf && io->cancelled && io->cancelled(io->user)) {
            return false;
        }
        if (io->progress) {
            io->progress(io->user, gone / seconds, "passing time");
        }
        nanosleep(&(struct timespec){.tv_nsec = 5000000}, NULL);
    }
    return true;
}

static void write_answer(const lu_tool_io *io, const parts *all, lu_json *json) {
    uint64_t sum = 0;
    int64_t bytes = lu_settings_int(io->settings, "answer");
    const lu_file_text *data = lu_settings_file_of(io->settings, "data", 0);
    for (int i = 0; i < PARTS; i++) {
        sum ^= all->sum[i];
    }
    lu_json_object(json);
    lu_json_key_int(json, "schema", 1);
    lu_json_key_int(json, "sum", (int64_t)(sum >> 12));
    lu_json_key_array(json, "inputs");
    for (int i = 0; i < io->input_count; i++) {
        lu_json_string_n(json, io->inputs[i].text, io->inputs[i].length);
    }
    lu_json_array_end(json);
    if (data) {
        lu_json_key_string(json, "name", data->name);
        lu_json_key_string(json, "data", data->text);
    }
    if (bytes > 0) {
        char *text = lu_alloc((size_t)bytes);
        memset(text, 'x', (size_t)bytes);
        lu_json_key(json, "text");
        lu_json_string_n(json, text, (size_t)bytes);
        free(text);
    }
    lu_json_object_end(json);
}

/* What the host lets it do beyond its work; a page has none of it. */
static lu_status try_to(lu_error *error) {
#ifdef __wasm__
    return lu_fail(error, LU_BAD_VALUE, "it could:");
#else
    char could[64];
    break_out(could);
    return lu_fail(error, LU_BAD_VALUE, "it could:%s", could);
#endif
}

static lu_status meet_fate(const lu_tool_io *io, lu_error *error) {
    switch (lu_settings_enum(io->settings, "fate")) {
    case 1:
        return lu_fail(error, LU_BAD_VALUE, "'fate' = refuse: this is refused as it was asked for");
    case 2:
        return lu_fail(error, LU_FAILED, "it failed as it was asked to");
    case 3:
        abort();
    case 4:
        _Exit(7);
    case 5:
        return try_to(error);
    default:
        return LU_OK;
    }
}

static lu_status run(const lu_tool_io *io, lu_error *error) {
    parts all = {.rounds = lu_settings_int(io->settings, "rounds")};
    size_t bytes = (size_t)lu_settings_int(io->settings, "memory") << 20;
    lu_pool_run(io->pool, add_up, &all, PARTS);
    if (bytes > 0) {
        char *block = lu_alloc(bytes);
        memset(block, 1, bytes);
        all.sum[0] += (uint64_t)(block[bytes - 1] - 1);
        free(block);
    }
    if (!pass(io, lu_settings_real(io->settings, "seconds"),
              lu_settings_bool(io->settings, "deaf"))) {
        return lu_fail(error, LU_INTERRUPTED, "ended early");
    }
    lu_status status = meet_fate(io, error);
    lu_json json = LU_JSON_INIT;
    write_answer(io, &all, &json);
    int64_t times = status == LU_OK ? lu_settings_int(io->settings, "documents") : 0;
    for (int64_t i = 0; i < times && status == LU_OK; i++) {
        io->emit(io->user, json.text, json.length);
        if (i % 256 == 255 && io->cancelled && io->cancelled(io->user)) {
            status = lu_fail(error, LU_INTERRUPTED, "ended early");
        }
    }
    lu_json_free(&json);
    return status;
}

const lu_tool lu_tool_house_strain = {
    .game = "house",
    .name = "strain",
    .sentence = "Asks as much of its host as is wanted.",
    .settings = {"house strain", rows, sizeof rows / sizeof *rows},
    .run = run,
    .address = "/strain",
};
