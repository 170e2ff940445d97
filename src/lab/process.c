/* Child processes: see ludus/process.h. */
#include "ludus/process.h"

#include "ludus/clock.h"
#include "ludus/file.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* Reads until the end, the limit of time, or the watcher's wish; false for the latter two. */
static bool drain(int fd, double until, const lu_watch *watch, const char *what, lu_text *output) {
    for (;;) {
        char buffer[4096];
        double left = until - lu_clock_seconds();
        struct pollfd wait = {.fd = fd, .events = POLLIN};
        if (left <= 0 || lu_watch_stops(watch)) {
            return false;
        }
        lu_watch_tell(watch, -1, what);
        if (poll(&wait, 1, left < 0.1 ? (int)(left * 1000.0) + 1 : 100) <= 0) {
            continue;
        }
        ssize_t got = read(fd, buffer, sizeof buffer);
        if (got <= 0) {
            return got == 0;
        }
        if (output->length < (1u << 20)) {
            lu_text_add_n(output, buffer, (size_t)got);
        }
    }
}

int lu_process_run(const char *const *words, double seconds, const lu_watch *watch,
                   const char *what, lu_text *output) {
    int pipes[2], status = 0;
    pid_t child;
    if (pipe2(pipes, O_CLOEXEC) != 0) {
        return -1;
    }
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&actions, pipes[1], STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&actions, pipes[1], STDERR_FILENO);
    int failed = posix_spawnp(&child, words[0], &actions, NULL, (char *const *)words, environ);
    posix_spawn_file_actions_destroy(&actions);
    close(pipes[1]);
    if (failed) {
        close(pipes[0]);
        return -1;
    }
    if (!drain(pipes[0], lu_clock_seconds() + seconds, watch, what, output)) {
        kill(child, SIGKILL);
    }
    close(pipes[0]);
    waitpid(child, &status, 0);
    return WIFEXITED(status) && WEXITSTATUS(status) != 127 ? WEXITSTATUS(status) : -1;
}

/* ---- beside this one ---- */

/* In the child, where only plain system calls are allowed. */
static void become(const lu_process_plan *plan, const char *program, const char *cannot,
                   pid_t parent) {
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    signal(SIGINT, SIG_DFL);
    signal(SIGTERM, SIG_DFL);
    signal(SIGPIPE, SIG_DFL);
    setpgid(0, 0);
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    if (plan->lower) {
        (void)setpriority(PRIO_PROCESS, 0, plan->lower);
    }
    int nothing = open("/dev/null", O_RDONLY | O_CLOEXEC);
    if (getppid() == parent && nothing >= 0 && dup2(nothing, STDIN_FILENO) >= 0 &&
        dup2(plan->out, STDOUT_FILENO) >= 0 && dup2(plan->err, STDERR_FILENO) >= 0) {
        execv(program, (char *const *)plan->words);
        (void)!write(STDERR_FILENO, cannot, strlen(cannot));
    }
    _exit(127);
}

lu_status lu_process_start(const lu_process_plan *plan, pid_t *process, lu_error *error) {
    const char *program = plan->program ? plan->program : "/proc/self/exe";
    char cannot[400];
    pid_t parent = getpid();
    snprintf(cannot, sizeof cannot, "ludus: cannot start %.300s%s\n", program,
             plan->program ? "" : ": is /proc mounted?");
    *process = fork();
    if (*process == 0) {
        become(plan, program, cannot, parent);
    }
    if (*process < 0) {
        *process = 0;
        return lu_fail(error, LU_IO, "cannot start %s: %s", plan->words[0], strerror(errno));
    }
    setpgid(*process, *process); /* both do: whoever comes first */
    return LU_OK;
}

/* Waits for the end of a process, at most some seconds. */
static bool ended(pid_t process, double seconds) {
    const struct timespec pause = {.tv_nsec = 20 * 1000 * 1000};
    double until = lu_clock_seconds() + seconds;
    while (waitpid(process, NULL, WNOHANG) == 0) {
        if (lu_clock_seconds() > until) {
            return false;
        }
        nanosleep(&pause, NULL);
    }
    return true;
}

bool lu_process_end(pid_t process) {
    if (ended(process, 0.0)) {
        return false;
    }
    kill(-process, SIGTERM);
    if (!ended(process, 5.0)) {
        kill(-process, SIGKILL);
        waitpid(process, NULL, 0);
    }
    return true;
}

const char *lu_process_compiler(void) {
#ifdef __clang__
    return __VERSION__; /* names itself */
#else
    return "gcc " __VERSION__;
#endif
}

extern const char lu_commit_short[], lu_commit_exact[]; /* made by the build: cmake/commit.cmake */

void lu_process_commit(bool exact, char *commit, size_t room) {
    snprintf(commit, room, "%.60s", exact ? lu_commit_exact : lu_commit_short);
}
