/* Beside a training: see ludus/train_companions.h. */
#include "ludus/train_companions.h"

#include "ludus/file.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

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

/* In the child, where only plain system calls are allowed: own group, so that Ctrl-C is the
 * trainer's alone; the end of the trainer, however it comes, is the evaluator's too. */
static void become_evaluator(char *const *words, int log, pid_t parent) {
    int nothing = open("/dev/null", O_RDONLY);
    setpgid(0, 0);
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    if (getppid() != parent) {
        _exit(1);
    }
    (void)setpriority(PRIO_PROCESS, 0, 5);
    dup2(nothing, STDIN_FILENO);
    dup2(log, STDOUT_FILENO);
    dup2(log, STDERR_FILENO);
    execve("/proc/self/exe", words, environ);
    _exit(127);
}

static void start_evaluator(lu_companions *s) {
    lu_text path = LU_TEXT_INIT;
    char name[] = "ludus", evaluate[] = "eval", follow[] = "--follow", plain[] = "--no-color";
    char *run = lu_strdup(s->run);
    char *words[] = {name, evaluate, follow, run, plain, NULL};
    lu_text_addf(&path, "%s/evaluator.log", s->run);
    int log = lu_file_append(path.text, NULL);
    pid_t parent = getpid();
    s->evaluator = log >= 0 ? fork() : -1;
    if (s->evaluator == 0) {
        become_evaluator(words, log, parent);
    }
    if (s->evaluator < 0) {
        tell(s, "cannot start the evaluator: %s; `ludus eval --follow %s` judges the windows later",
             strerror(errno), s->run);
        s->evaluator = 0;
    }
    if (log >= 0) {
        close(log);
    }
    free(run);
    lu_text_free(&path);
}

bool lu_companions_evaluates(lu_companions *s) {
    int status;
    if (s->evaluator > 0 && waitpid(s->evaluator, &status, WNOHANG) == s->evaluator) {
        s->evaluator = 0;
        if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) {
            tell(s,
                 "the evaluator has ended early; %s/evaluator.log tells why, and `ludus eval "
                 "--follow` judges what is left",
                 s->run);
        }
    }
    return s->evaluator > 0;
}

/* It has some seconds to end by itself; nothing of it is lost that counts. */
static void end_evaluator(lu_companions *s) {
    int status;
    if (s->evaluator <= 0) {
        return;
    }
    kill(s->evaluator, SIGTERM);
    for (int i = 0; i < 500 && waitpid(s->evaluator, &status, WNOHANG) == 0; i++) {
        usleep(10000);
        if (i == 499) {
            kill(s->evaluator, SIGKILL);
            waitpid(s->evaluator, &status, 0);
        }
    }
    s->evaluator = 0;
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

static void catalogue_it(lu_companions *s) {
    lu_error error = {0};
    if (s->catalogue && lu_catalogue_sync(s->catalogue, s->run, &error) != LU_OK &&
        !s->told_catalogue) {
        tell(s, "the catalogue is behind: %s; `ludus runs reindex` makes it anew", error.text);
        s->told_catalogue = true;
    }
}

void lu_companions_window(lu_companions *s, const char *row) {
    lu_error error = {0};
    lu_json_document *document = lu_json_read("row", row, strlen(row), &error);
    if (document && s->board &&
        lu_tensorboard_window(s->board, lu_json_root(document), &error) != LU_OK &&
        !s->told_board) {
        tell(s, "TensorBoard's file cannot be written: %s", error.text);
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

void lu_companions_start(lu_companions *s, const lu_settings *settings, const char *runs,
                         const char *run, int64_t kept) {
    *s = (lu_companions){.run = run, .note = s->note};
    open_board(s, settings, kept);
    s->catalogue = lu_catalogue_open(runs, LU_CATALOGUE_WRITE, NULL);
    catalogue_it(s);
    if (lu_settings_bool(settings, "eval.on")) {
        start_evaluator(s);
    }
    if (lu_settings_bool(settings, "tensorboard")) {
        start_viewer(s);
    }
}

void lu_companions_end(lu_companions *s) {
    end_evaluator(s);
    if (!lu_tensorboard_stop(&s->viewer)) {
        tell(s, "TensorBoard has ended early; %s/tensorboard/tensorboard.log tells why", s->run);
    }
    lu_tensorboard_close(s->board, NULL);
    s->board = NULL;
    catalogue_it(s);
    lu_catalogue_close(s->catalogue);
    s->catalogue = NULL;
}
