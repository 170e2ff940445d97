/* Beside a training: see ludus/train_companions.h. */
#include "ludus/train_companions.h"

#include "ludus/clock.h"
#include "ludus/experiment.h"
#include "ludus/file.h"
#include "ludus/process.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static const double SERVER_SECONDS = 20; /* within which it tells its address */

static void tell(const lu_companions *s, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static void tell(const lu_companions *s, const char *format, ...) {
    char text[2000];
    va_list list;
    va_start(list, format);
    vsnprintf(text, sizeof text, format, list);
    va_end(list);
    s->note(text);
}

/* ---- the evaluator ---- */

static void start_evaluator(lu_companions *s) {
    lu_error error = {0};
    lu_text path = LU_TEXT_INIT;
    const char *words[] = {"ludus", "eval", "--follow", s->run, "--no-color", NULL};
    lu_text_addf(&path, "%s/evaluator.log", s->run);
    int log = lu_file_append(path.text, &error);
    lu_process_plan plan = {.words = words, .out = log, .err = log, .lower = 5};
    if (log < 0 || lu_process_start(&plan, &s->evaluator, &error) != LU_OK) {
        tell(s, "no evaluator: %s; `ludus eval --follow %s` can evaluate the windows later",
             error.text, s->run);
    }
    if (log >= 0) {
        close(log);
    }
    lu_text_free(&path);
}

bool lu_companions_evaluates(lu_companions *s) {
    int status;
    if (s->evaluator > 0 && waitpid(s->evaluator, &status, WNOHANG) == s->evaluator) {
        s->evaluator = 0;
        if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) {
            tell(s,
                 "the evaluator ended early; %s/evaluator.log says why, and `ludus eval --follow` "
                 "evaluates the rest",
                 s->run);
        }
    }
    return s->evaluator > 0;
}

/* Nothing of it is lost that counts. */
static void end_evaluator(lu_companions *s) {
    if (s->evaluator > 0) {
        lu_process_end(s->evaluator);
    }
    s->evaluator = 0;
}

/* ---- the site ---- */

/* The first line that a process prints, at most some seconds later; false: none. */
static bool first_line(int from, char *line, size_t room) {
    double until = lu_clock_seconds() + SERVER_SECONDS;
    size_t length = 0;
    while (length + 1 < room && lu_clock_seconds() < until) {
        struct pollfd wait = {.fd = from, .events = POLLIN};
        if (poll(&wait, 1, 100) <= 0) {
            continue;
        }
        if (read(from, line + length, 1) != 1) {
            break;
        }
        if (line[length] == '\n') {
            line[length] = 0;
            return true;
        }
        length++;
    }
    return false;
}

static bool start_server_at(lu_companions *s, const char *runs, const char *port, int log,
                            lu_error *error) {
    const char *words[] = {"ludus",        "serve", "--port",     port,
                           "--run.folder", runs,    "--no-color", NULL};
    int pipes[2];
    if (pipe2(pipes, O_CLOEXEC) != 0) {
        lu_fail(error, LU_IO, "cannot make a pipe: %s", strerror(errno));
        return false;
    }
    lu_process_plan plan = {.words = words, .out = pipes[1], .err = log};
    lu_status status = lu_process_start(&plan, &s->server, error);
    close(pipes[1]);
    bool serves = status == LU_OK && first_line(pipes[0], s->address, sizeof s->address);
    close(pipes[0]);
    if (status == LU_OK && !serves) {
        lu_process_end(s->server);
        s->server = 0;
        lu_fail(error, LU_FAILED, "%s/server.log says why", s->run);
    }
    return serves;
}

/* At the usual port, or at any that is free. */
static void start_server(lu_companions *s, const char *runs) {
    lu_error error = {0};
    lu_text path = LU_TEXT_INIT;
    lu_text_addf(&path, "%s/server.log", s->run);
    int log = lu_file_append(path.text, &error);
    if (log >= 0 && (start_server_at(s, runs, "8321", log, &error) ||
                     start_server_at(s, runs, "0", log, &error))) {
        tell(s, "site: %s", s->address);
    } else {
        tell(s, "the site could not be served: %s", error.text);
    }
    if (log >= 0) {
        close(log);
    }
    lu_text_free(&path);
}

static void end_server(lu_companions *s) {
    if (s->server > 0 && !lu_process_end(s->server)) {
        tell(s, "the site's server ended early; %s/server.log says why", s->run);
    }
    s->server = 0;
}

/* ---- the experiment ---- */

static void open_experiment(lu_companions *s, const lu_companion_plan *plan) {
    const char *name = lu_settings_text_of(plan->settings, "run.experiment");
    lu_error error = {0};
    lu_text said = LU_TEXT_INIT;
    lu_experiment x = {.name = name,
                       .runs = plan->runs,
                       .run = plan->run,
                       .game = plan->game,
                       .settings = plan->settings,
                       .left_out = plan->left_out};
    if (*name) {
        s->named = lu_experiment_open(&x, &said, &error) == LU_OK;
        tell(s, "%s", s->named ? said.text : error.text);
    }
    lu_text_free(&said);
}

void lu_companions_model(lu_companions *s, const lu_model_file *model) {
    lu_error error = {0};
    if (s->named && lu_experiment_model(s->run, model, &error) != LU_OK) {
        tell(s, "no model.zip: %s", error.text);
        s->named = false;
    }
}

/* ---- files ---- */

static void open_board(lu_companions *s, const lu_settings *settings, int64_t kept) {
    lu_error error = {0};
    lu_text folder = LU_TEXT_INIT;
    lu_text_addf(&folder, "%s/tensorboard/train", s->run);
    s->board = lu_tensorboard_open(folder.text, kept, &error);
    if (s->board && kept < 0) {
        lu_tensorboard_settings(s->board, settings, 0, (double)time(NULL));
    }
    if (!s->board) {
        tell(s, "no TensorBoard file: %s", error.text);
    }
    lu_text_free(&folder);
}

/* One that cannot be written now is left alone from here on, for whoever holds it would hold up
 * every window. */
static void catalogue_it(lu_companions *s) {
    lu_error error = {0};
    if (s->catalogue && lu_catalogue_sync(s->catalogue, s->run, &error) != LU_OK) {
        tell(s, "the catalogue is out of date: %s; `ludus runs reindex` rebuilds it", error.text);
        lu_catalogue_close(s->catalogue);
        s->catalogue = NULL;
    }
}

void lu_companions_window(lu_companions *s, const char *row) {
    lu_error error = {0};
    lu_json_document *document = lu_json_read("row", row, strlen(row), &error);
    if (document && s->board &&
        lu_tensorboard_window(s->board, lu_json_root(document), &error) != LU_OK &&
        !s->told_board) {
        tell(s, "cannot write TensorBoard's file: %s", error.text);
        s->told_board = true;
    }
    lu_json_close(document);
    catalogue_it(s);
}

static void start_viewer(lu_companions *s) {
    lu_error error = {0};
    lu_text folder = LU_TEXT_INIT;
    lu_text_addf(&folder, "%s/tensorboard", s->run);
    if (lu_tensorboard_start(folder.text, &s->viewer, &error) == LU_OK) {
        tell(s, "TensorBoard: %s", s->viewer.address);
    } else {
        tell(s, "%s", error.text);
    }
    lu_text_free(&folder);
}

/* ---- all of it ---- */

void lu_companions_start(lu_companions *s, const lu_companion_plan *plan) {
    const lu_settings *settings = plan->settings;
    *s = (lu_companions){.run = plan->run, .note = s->note};
    open_board(s, settings, plan->kept);
    s->catalogue = lu_catalogue_open(plan->runs, LU_CATALOGUE_WRITE, NULL);
    catalogue_it(s);
    open_experiment(s, plan);
    if (lu_settings_bool(settings, "eval.on")) {
        start_evaluator(s);
    }
    if (lu_settings_bool(settings, "serve")) {
        start_server(s, plan->runs);
    }
    if (lu_settings_bool(settings, "tensorboard")) {
        start_viewer(s);
    }
}

void lu_companions_end(lu_companions *s) {
    end_evaluator(s);
    end_server(s);
    if (!lu_tensorboard_stop(&s->viewer)) {
        tell(s, "TensorBoard ended early; %s/tensorboard/tensorboard.log says why", s->run);
    }
    lu_tensorboard_close(s->board, NULL);
    s->board = NULL;
    catalogue_it(s);
    lu_catalogue_close(s->catalogue);
    s->catalogue = NULL;
}
