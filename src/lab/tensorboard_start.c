/* TensorBoard as a child process: see ludus/tensorboard_start.h. */
#include "ludus/tensorboard_start.h"

#include "ludus/file.h"
#include "ludus/process.h"

#include <errno.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

/* Adds the path of a program of the PATH; false when there is none. */
static bool find_program(const char *name, lu_text *path) {
    const char *folders = getenv("PATH");
    while (folders && *folders) {
        size_t length = strcspn(folders, ":");
        lu_text_clear(path);
        lu_text_add_n(path, folders, length);
        lu_text_addf(path, "%s%s", length ? "/" : "", name);
        if (access(path->text, X_OK) == 0) {
            return true;
        }
        folders += length + (folders[length] == ':');
    }
    return false;
}

/* The program and its words before the options; 0 words when it is not installed. */
static int find_board(lu_text *program, const char **words) {
    if (find_program("tensorboard", program)) {
        words[0] = "tensorboard";
        return 1;
    }
    static const char *const ask[] = {
        "python3", "-c",
        "import sys, importlib.util as u; sys.exit(u.find_spec('tensorboard.main') is None)", NULL};
    lu_text said = LU_TEXT_INIT;
    bool there =
        find_program("python3", program) && lu_process_run(ask, 10.0, NULL, NULL, &said) == 0;
    lu_text_free(&said);
    words[0] = "python3";
    words[1] = "-m";
    words[2] = "tensorboard.main";
    return there ? 3 : 0;
}

/* A port of 127.0.0.1 that is free now; 0 when there is none. */
static int free_port(void) {
    struct sockaddr_in place = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t length = sizeof place;
    int file = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    bool ok = file >= 0 && bind(file, (struct sockaddr *)&place, sizeof place) == 0 &&
              getsockname(file, (struct sockaddr *)&place, &length) == 0;
    if (file >= 0) {
        close(file);
    }
    return ok ? ntohs(place.sin_port) : 0;
}

lu_status lu_tensorboard_start(const char *logdir, lu_tensorboard_viewer *board, lu_error *error) {
    const char *words[16] = {0};
    char port[16];
    lu_text program = LU_TEXT_INIT, path = LU_TEXT_INIT;
    int log = -1, count;
    lu_status status = lu_folder_make(logdir, error);
    *board = (lu_tensorboard_viewer){0};
    if (status != LU_OK) {
        goto done;
    }
    count = find_board(&program, words);
    if (count == 0) {
        status = lu_fail(error, LU_NOT_FOUND,
                         "TensorBoard is not installed; `pip install tensorboard` installs it, and "
                         "the event files in %s can be opened later",
                         logdir);
        goto done;
    }
    snprintf(port, sizeof port, "%d", free_port());
    words[count++] = "--logdir";
    words[count++] = logdir;
    words[count++] = "--host";
    words[count++] = "127.0.0.1";
    words[count++] = "--port";
    words[count++] = port;
    lu_text_addf(&path, "%s/tensorboard.log", logdir);
    log = lu_file_append(path.text, error);
    if (log < 0 || ftruncate(log, 0) != 0) {
        status = log < 0 ? error->status
                         : lu_fail(error, LU_IO, "cannot write %s: %s", path.text, strerror(errno));
        goto done;
    }
    status = lu_process_start(
        &(lu_process_plan){.program = program.text, .words = words, .out = log, .err = log},
        &board->process, error);
    snprintf(board->address, sizeof board->address, "http://127.0.0.1:%s", port);
done:
    if (log >= 0) {
        close(log);
    }
    lu_text_free(&program);
    lu_text_free(&path);
    return status;
}

bool lu_tensorboard_stop(lu_tensorboard_viewer *board) {
    pid_t process = board->process;
    board->process = 0;
    return process <= 0 || lu_process_end(process);
}
