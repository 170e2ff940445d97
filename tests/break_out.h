/* What a process may do that serves, works for others or judges: tried, and told in words, each
 * with a space before it. */
#pragma once

#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static inline void break_out(char could[64]) {
    int file = open("/etc/passwd", O_RDONLY),
        made = open("/tmp/ludus-break-out", O_WRONLY | O_CREAT, 0600),
        line = socket(AF_INET, SOCK_STREAM, 0);
    could[0] = 0;
    strcat(could, file >= 0 ? " read" : "");
    strcat(could, made >= 0 ? " write" : "");
    strcat(could, line >= 0 ? " connect" : "");
    bool signals = kill(getpid(), 0) == 0 || syscall(SYS_tgkill, getppid(), getppid(), 0) == 0;
    strcat(could, signals ? " signal" : "");
    strcat(could, utimensat(AT_FDCWD, ".", NULL, 0) == 0 ? " change" : "");
    pid_t child = fork();
    if (child == 0) {
        _exit(0);
    }
    if (child > 0) {
        strcat(could, " fork");
        waitpid(child, NULL, 0);
    }
    close(file);
    close(made);
    close(line);
}
