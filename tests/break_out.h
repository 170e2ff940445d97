/* What a process may do that serves, works for others or judges: tried, and told in words, each
 * with a space before it. */
#pragma once

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static inline void break_out(char could[64]) {
    int file = open("/etc/passwd", O_RDONLY),
        made = open("/tmp/ludus-break-out", O_WRONLY | O_CREAT, 0600),
        line = socket(AF_INET, SOCK_STREAM, 0);
    bool signals = kill(getpid(), 0) == 0 || syscall(SYS_tgkill, getppid(), getppid(), 0) == 0;
    struct rlimit limit; /* what may be asked of another process may be set */
    bool limits = syscall(SYS_prlimit64, getppid(), RLIMIT_CPU, NULL, &limit) == 0;
    bool types = ioctl(-1, TIOCSTI, "") != 0 && errno != EPERM;
    signals = signals || limits || types;
    bool changes = utimensat(AT_FDCWD, ".", NULL, 0) == 0;
    pid_t child = fork();
    if (child == 0) {
        _exit(0);
    }
    if (child > 0) {
        waitpid(child, NULL, 0);
    }
    (void)snprintf(could, 64, "%s%s%s%s%s%s", file >= 0 ? " read" : "", made >= 0 ? " write" : "",
                   line >= 0 ? " connect" : "", signals ? " signal" : "", changes ? " change" : "",
                   child > 0 ? " fork" : "");
    close(file);
    close(made);
    close(line);
}
