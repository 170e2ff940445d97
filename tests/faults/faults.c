/* A layer between a program and the C library, put there by LD_PRELOAD, that lets the n-th call of
 * a kind fail, come late, or be the last thing the program does. By variables:
 *   FAULTS=KIND:N:WHAT   KIND: alloc, write, fsync, rename, mkdir; N counts from 1;
 *                        WHAT: name of an errno (EIO, ENOSPC, ENOMEM), short (half is written),
 *                        kill, or late (100 ms)
 *   FAULTS_NO_EXCHANGE=1 folders cannot change places, as on some file systems
 *   FAULTS_TRACE=FILE    a line per call but for allocations, `KIND N PATH`, of a rename with a tab
 *                        and the old path, and at the end `alloc N`
 * Only the first program sees them: they are taken out of what its children get. Own writes go
 * straight to the kernel. Sizes of allocations do not matter, since all are counted alike. */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

enum kind { ALLOC, WRITE, FSYNC, RENAME, MKDIR, KINDS };
static const char *const kinds[KINDS] = {"alloc", "write", "fsync", "rename", "mkdir"};

enum what { NOTHING, FAIL, SHORT, KILL, LATE };

static atomic_long counts[KINDS];
static enum what what;
static enum kind chosen;
static long when;
static int error_number;
static int trace = -1;
static bool no_exchange;

static int errno_named(const char *name) {
    static const struct {
        const char *name;
        int number;
    } known[] = {{"EIO", EIO}, {"ENOSPC", ENOSPC}, {"ENOMEM", ENOMEM}, {"EMFILE", EMFILE}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        if (strcmp(known[i].name, name) == 0) {
            return known[i].number;
        }
    }
    fprintf(stderr, "FAULTS: %s isn't an errno that is known here\n", name);
    _exit(99);
}

__attribute__((constructor)) static void begin(void) {
    const char *wish = getenv("FAULTS"), *file = getenv("FAULTS_TRACE");
    char kind[16], action[16];
    if (wish && sscanf(wish, "%15[a-z]:%ld:%15s", kind, &when, action) == 3) {
        while (chosen < KINDS && strcmp(kinds[chosen], kind) != 0) {
            chosen++;
        }
        what = strcmp(action, "kill") == 0    ? KILL
               : strcmp(action, "late") == 0  ? LATE
               : strcmp(action, "short") == 0 ? SHORT
                                              : FAIL;
        error_number = what == FAIL ? errno_named(action) : 0;
    }
    if (file) {
        trace = open(file, O_WRONLY | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC, 0666);
        trace = trace >= 0 ? fcntl(trace, F_DUPFD_CLOEXEC, 900) : -1;
    }
    no_exchange = getenv("FAULTS_NO_EXCHANGE") != NULL;
    unsetenv("FAULTS");
    unsetenv("FAULTS_NO_EXCHANGE");
    unsetenv("FAULTS_TRACE");
    unsetenv("LD_PRELOAD");
}

static void say(const char *line, int length) {
    if (length > 0) {
        (void)!syscall(SYS_write, trace, line, (size_t)length);
    }
}

__attribute__((destructor)) static void end(void) {
    char line[64];
    if (trace >= 0) {
        say(line, snprintf(line, sizeof line, "alloc %ld\n", counts[ALLOC]));
    }
}

/* Counts a call; what is to become of it. */
static enum what turn(enum kind kind, int file, const char *path) {
    long own = atomic_fetch_add(&counts[kind], 1) + 1;
    if (trace >= 0 && kind != ALLOC) {
        char line[8400], name[4000], link[64];
        if (!path) {
            snprintf(link, sizeof link, "/proc/self/fd/%d", file);
            ssize_t length = readlink(link, name, sizeof name - 1);
            name[length > 0 ? length : 0] = '\0';
            path = name;
        }
        say(line, snprintf(line, sizeof line, "%s %ld %s\n", kinds[kind], own, path));
    }
    if (what == NOTHING || kind != chosen || own != when) {
        return NOTHING;
    }
    if (what == KILL) {
        syscall(SYS_kill, getpid(), SIGKILL);
    } else if (what == LATE) {
        nanosleep(&(struct timespec){.tv_nsec = 100000000}, NULL);
        return NOTHING;
    }
    errno = error_number;
    return what;
}

#define REAL(name)                                                                                 \
    static __typeof__(&name) real;                                                                 \
    if (!real) {                                                                                   \
        real = (__typeof__(&name))dlsym(RTLD_NEXT, #name);                                         \
    }

/* ---- files ---- */

ssize_t write(int file, const void *bytes, size_t length) {
    REAL(write)
    switch (turn(WRITE, file, NULL)) {
    case FAIL:
        return -1;
    case SHORT:
        return real(file, bytes, length / 2);
    default:
        return real(file, bytes, length);
    }
}

ssize_t pwrite64(int file, const void *bytes, size_t length, off64_t at) {
    REAL(pwrite64)
    switch (turn(WRITE, file, NULL)) {
    case FAIL:
        return -1;
    case SHORT:
        return real(file, bytes, length / 2, at);
    default:
        return real(file, bytes, length, at);
    }
}

int fsync(int file) {
    REAL(fsync)
    return turn(FSYNC, file, NULL) == FAIL ? -1 : real(file);
}

int fdatasync(int file) {
    REAL(fdatasync)
    return turn(FSYNC, file, NULL) == FAIL ? -1 : real(file);
}

static enum what turn_rename(const char *from, const char *to) {
    char both[8192];
    snprintf(both, sizeof both, "%s\t%s", to, from);
    return turn(RENAME, -1, both);
}

int rename(const char *from, const char *to) {
    REAL(rename)
    return turn_rename(from, to) == FAIL ? -1 : real(from, to);
}

int renameat2(int at, const char *from, int other, const char *to, unsigned flags) {
    REAL(renameat2)
    if (no_exchange) {
        errno = EINVAL;
        return -1;
    }
    return turn_rename(from, to) == FAIL ? -1 : real(at, from, other, to, flags);
}

int mkdir(const char *path, mode_t mode) {
    REAL(mkdir)
    return turn(MKDIR, -1, path) == FAIL ? -1 : real(path, mode);
}

/* ---- memory: left out where a sanitizer has its own ---- */

#ifndef FAULTS_NO_ALLOC
extern void *__libc_malloc(size_t bytes);
extern void *__libc_calloc(size_t count, size_t bytes);
extern void *__libc_realloc(void *old, size_t bytes);
extern void *__libc_memalign(size_t align, size_t bytes);

void *malloc(size_t bytes) {
    return turn(ALLOC, -1, NULL) == FAIL ? NULL : __libc_malloc(bytes);
}

void *calloc(size_t count, size_t bytes) {
    return turn(ALLOC, -1, NULL) == FAIL ? NULL : __libc_calloc(count, bytes);
}

void *realloc(void *old, size_t bytes) {
    return turn(ALLOC, -1, NULL) == FAIL ? NULL : __libc_realloc(old, bytes);
}

void *aligned_alloc(size_t align, size_t bytes) {
    return turn(ALLOC, -1, NULL) == FAIL ? NULL : __libc_memalign(align, bytes);
}
#endif
