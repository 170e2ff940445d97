/* Peers of ludus bench train: see bench_peer.h. */
#include "bench_peer.h"

#include "ludus/clock.h"
#include "ludus/file.h"
#include "ludus/json.h"
#include "ludus/text.h"

#include <fcntl.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { ANSWER_SECONDS = 300 }; /* torch starts slowly, and compiles for a minute */

static lu_status spawn(peer *p, const char *command, int threads, lu_error *error) {
    int to[2] = {-1, -1}, from[2] = {-1, -1};
    char number[16];
    lu_text script = LU_TEXT_INIT;
    snprintf(number, sizeof number, "%d", threads);
    lu_text_addf(&script, "%s/python/anchors/torch_update.py", lu_home());
    const char *words[] = {command, script.text, "--threads", number, NULL};
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    bool failed = pipe2(to, O_CLOEXEC) != 0 || pipe2(from, O_CLOEXEC) != 0;
    if (!failed) {
        posix_spawn_file_actions_adddup2(&actions, to[0], STDIN_FILENO);
        posix_spawn_file_actions_adddup2(&actions, from[1], STDOUT_FILENO);
        failed = posix_spawnp(&p->child, command, &actions, NULL, (char *const *)words, environ);
    }
    posix_spawn_file_actions_destroy(&actions);
    lu_text_free(&script);
    close(to[0]);
    close(from[1]);
    p->to = to[1];
    p->from = from[0];
    if (failed) {
        close(p->to);
        close(p->from);
        p->child = 0;
        return lu_fail(error, LU_NOT_FOUND, "cannot run the peer '%s': tools/peers makes some",
                       command);
    }
    return LU_OK;
}

/* Reads to the end of a line, which becomes the end of the text. */
static lu_status read_line(peer *p, lu_error *error) {
    double until = lu_clock_seconds() + ANSWER_SECONDS;
    p->length = 0;
    while (p->length == 0 || p->line[p->length - 1] != '\n') {
        struct pollfd wait = {.fd = p->from, .events = POLLIN};
        if (lu_watch_stops(p->watch)) {
            return lu_fail(error, LU_INTERRUPTED, "interrupted");
        }
        if (lu_clock_seconds() > until || p->length == sizeof p->line - 1) {
            return lu_fail(error, LU_BAD_DATA, "the peer %s gives no answer", p->name);
        }
        if (poll(&wait, 1, 100) <= 0) {
            continue;
        }
        ssize_t got = read(p->from, p->line + p->length, sizeof p->line - 1 - p->length);
        if (got <= 0) {
            return lu_fail(error, LU_BAD_DATA, "the peer %s ended: does its Python have torch?",
                           p->name);
        }
        p->length += (size_t)got;
    }
    p->line[p->length] = 0;
    return LU_OK;
}

static lu_status read_about(peer *p, lu_error *error) {
    lu_status status = read_line(p, error);
    lu_json_document *document = NULL;
    if (status == LU_OK && !(document = lu_json_read(p->name, p->line, p->length, error))) {
        status = error->status;
    }
    const char *torch, *blas;
    LU_THEN(status, lu_json_get_text(lu_json_root(document), "torch", &torch, error));
    LU_THEN(status, lu_json_get_text(lu_json_root(document), "blas", &blas, error));
    if (status == LU_OK) {
        snprintf(p->about, sizeof p->about, "torch %.40s, BLAS %.40s", torch, blas);
    }
    lu_json_close(document);
    return status;
}

lu_status peer_open(peer *p, const char *command, int threads, const lu_watch *watch,
                    lu_error *error) {
    const char *slash = strrchr(command, '/');
    *p = (peer){.watch = watch, .to = -1, .from = -1};
    snprintf(p->name, sizeof p->name, "%.47s", slash ? slash + 1 : command);
    if (!lu_home()) {
        return lu_fail(error, LU_NOT_FOUND,
                       "no project folder for the peer's script; set "
                       "LUDUS_HOME");
    }
    lu_status status = spawn(p, command, threads, error);
    if (status == LU_OK && (status = read_about(p, error)) != LU_OK) {
        peer_close(p);
    }
    return status;
}

lu_status peer_round(peer *p, bool bf16, peer_times *times, lu_error *error) {
    const char *line = bf16 ? "bf16\n" : "fp32\n";
    if (write(p->to, line, strlen(line)) != (ssize_t)strlen(line)) {
        return lu_fail(error, LU_BAD_DATA, "the peer %s has ended", p->name);
    }
    lu_status status = read_line(p, error);
    lu_json_document *document = NULL;
    if (status == LU_OK && !(document = lu_json_read(p->name, p->line, p->length, error))) {
        status = error->status;
    }
    struct {
        const char *key;
        double least, *to;
    } parts[] = {{"seconds", 1e-9, &times->update},
                 {"minibatch", 1e-9, &times->minibatch},
                 {"cpu", 0, &times->cpu}};
    for (int i = 0; i < 3 && status == LU_OK; i++) {
        status = lu_json_get_real(lu_json_root(document), parts[i].key, parts[i].least, 1e9,
                                  parts[i].to, error);
    }
    lu_json_close(document);
    return status;
}

void peer_close(peer *p) {
    if (p->child > 0) {
        close(p->to);
        close(p->from);
        kill(p->child, SIGTERM);
        waitpid(p->child, NULL, 0);
        p->child = 0;
    }
}
