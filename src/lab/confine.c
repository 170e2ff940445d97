/* Least privilege: see ludus/confine.h. The calls of Landlock have no functions in the C library,
 * and the filter is a table of a few dozen instructions: a library would be larger than both. The
 * filter refuses what a server has no use for and an intruder has; what it may open is Landlock's
 * part.
 */
#include "ludus/confine.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/landlock.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

/* The address sanitizer looks for leaks from a process of its own, by what is given up here. */
#ifdef __SANITIZE_ADDRESS__
#define LOOKED_INTO true
#elif defined(__has_feature)
#define LOOKED_INTO __has_feature(address_sanitizer)
#else
#define LOOKED_INTO false
#endif

/* ---- files and connections ---- */

/* Later kernels know more than the header of this system: rights by the version that has them. */
enum {
    LANDLOCK_FIRST = 1,    /* all rights on files but those below */
    LANDLOCK_TRUNCATE = 3, /* which is bit 14; bit 13, REFER, came with 2 */
    LANDLOCK_NET = 4,      /* binding and connecting TCP */
};
#define RIGHTS_FIRST   (((uint64_t)1 << 13) - 1)
#define RIGHT_REFER    ((uint64_t)1 << 13)
#define RIGHT_TRUNCATE ((uint64_t)1 << 14)
#define RIGHTS_NET     ((uint64_t)3)
#define RIGHTS_NEVER                                                                               \
    (LANDLOCK_ACCESS_FS_EXECUTE | LANDLOCK_ACCESS_FS_MAKE_CHAR | LANDLOCK_ACCESS_FS_MAKE_BLOCK |   \
     LANDLOCK_ACCESS_FS_MAKE_SOCK | LANDLOCK_ACCESS_FS_MAKE_FIFO)
#define RIGHTS_READ (LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_READ_DIR)

typedef struct ruleset_wish {
    uint64_t files, net;
} ruleset_wish;

int lu_confine_landlock(void) {
    long version = syscall(SYS_landlock_create_ruleset, NULL, 0, LANDLOCK_CREATE_RULESET_VERSION);
    return version > 0 && !LOOKED_INTO ? (int)version : 0;
}

/* Allows what lies below a path; where there is nothing yet, below the nearest folder above it,
 * since somebody may make it. */
static bool allow(int rules, const char *path, uint64_t rights, bool above) {
    char *name = lu_strdup(path);
    int at = open(name, O_PATH | O_CLOEXEC);
    while (at < 0 && above && strrchr(name, '/')) {
        char *slash = strrchr(name, '/');
        slash[slash == name ? 1 : 0] = '\0';
        at = open(name, O_PATH | O_CLOEXEC);
        if (slash == name) {
            break;
        }
    }
    struct landlock_path_beneath_attr rule = {.allowed_access = rights, .parent_fd = at};
    bool done =
        at >= 0 && syscall(SYS_landlock_add_rule, rules, LANDLOCK_RULE_PATH_BENEATH, &rule, 0) == 0;
    if (at >= 0) {
        close(at);
    }
    free(name);
    return done || at < 0;
}

static bool allow_all(int rules, const char *const *paths, uint64_t rights, bool above) {
    bool done = true;
    for (; done && paths && *paths; paths++) {
        done = !**paths || allow(rules, *paths, rights, above);
    }
    return done;
}

static bool confine_files(const lu_confinement *wish) {
    int version = lu_confine_landlock();
    if (version == 0) {
        return true;
    }
    uint64_t truncate = version >= LANDLOCK_TRUNCATE ? RIGHT_TRUNCATE : 0;
    ruleset_wish all = {.files = RIGHTS_FIRST | (version >= 2 ? RIGHT_REFER : 0) | truncate,
                        .net = version >= LANDLOCK_NET ? RIGHTS_NET : 0};
    size_t size = version >= LANDLOCK_NET ? sizeof all : sizeof all.files;
    int rules = (int)syscall(SYS_landlock_create_ruleset, &all, size, 0);
    bool done =
        rules >= 0 && allow_all(rules, wish->read, RIGHTS_READ, true) &&
        allow_all(rules, wish->write,
                  LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_WRITE_FILE | truncate, false) &&
        allow_all(rules, wish->make, all.files & ~(uint64_t)RIGHTS_NEVER, false) &&
        syscall(SYS_landlock_restrict_self, rules, 0) == 0;
    if (rules >= 0) {
        close(rules);
    }
    return done;
}

/* ---- calls ---- */

#if defined(__x86_64__)
#define OWN_ARCH AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define OWN_ARCH AUDIT_ARCH_AARCH64
#endif

/* Calls that servers and their workers make none of once they serve: programs and processes of
 * others, new connections, the machine itself. The number of a call that an architecture lacks is
 * left out. */
static const int refused[] = {
    SYS_execve,
    SYS_execveat,
    SYS_kill,
    SYS_tkill,
    SYS_rt_sigqueueinfo,
    SYS_rt_tgsigqueueinfo,
    SYS_pidfd_send_signal,
    SYS_ptrace,
    SYS_process_vm_readv,
    SYS_process_vm_writev,
    SYS_socket,
    SYS_connect,
    SYS_bind,
    SYS_listen,
    SYS_mount,
    SYS_umount2,
    SYS_pivot_root,
    SYS_chroot,
    SYS_unshare,
    SYS_setns,
    SYS_bpf,
    SYS_perf_event_open,
    SYS_userfaultfd,
    SYS_keyctl,
    SYS_add_key,
    SYS_request_key,
    SYS_init_module,
    SYS_finit_module,
    SYS_delete_module,
    SYS_kexec_load,
    SYS_reboot,
    SYS_swapon,
    SYS_swapoff,
    SYS_settimeofday,
    SYS_clock_settime,
    SYS_sethostname,
    SYS_setdomainname,
    SYS_personality,
    SYS_open_by_handle_at,
    SYS_name_to_handle_at,
    SYS_acct,
    SYS_quotactl,
    SYS_io_uring_setup,
    SYS_pidfd_getfd,
    SYS_setuid,
    SYS_setgid,
    SYS_setresuid,
    SYS_setresgid,
    SYS_setgroups,
    /* what Landlock leaves open of files */
    SYS_fchmodat,
    SYS_fchownat,
    SYS_setxattr,
    SYS_lsetxattr,
    SYS_removexattr,
    SYS_lremovexattr,
    SYS_utimensat,
#ifdef SYS_fork
    SYS_fork,
    SYS_vfork,
    SYS_iopl,
    SYS_ioperm,
    SYS_chmod,
    SYS_chown,
    SYS_lchown,
    SYS_utime,
    SYS_utimes,
    SYS_futimesat,
#endif
#ifdef SYS_fchmodat2
    SYS_fchmodat2,
#endif
};
/* The same by a descriptor, where no file is made. */
static const int refused_of_files[] = {SYS_fchmod, SYS_fchown, SYS_fsetxattr, SYS_fremovexattr};
enum {
    REFUSED = sizeof refused / sizeof *refused,
    OF_FILES = sizeof refused_of_files / sizeof *refused_of_files
};

static bool confine_calls(bool makes) {
#ifdef OWN_ARCH
    enum { HEAD = 6, TAIL = 20 };
    struct sock_filter code[HEAD + 2 * (REFUSED + OF_FILES) + TAIL];
    size_t n = 0;
    const uint32_t no = SECCOMP_RET_ERRNO | EPERM, unknown = SECCOMP_RET_ERRNO | ENOSYS;
#define LOAD(field)                                                                                \
    BPF_STMT(BPF_LD | BPF_W | BPF_ABS, (uint32_t)offsetof(struct seccomp_data, field))
#define EQUAL(value, yes, other) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)(value), yes, other)
#define ANSWER(value)            BPF_STMT(BPF_RET | BPF_K, value)
    const struct sock_filter head[HEAD] = {
        LOAD(arch), EQUAL(OWN_ARCH, 1, 0), ANSWER(SECCOMP_RET_KILL_PROCESS), LOAD(nr),
        /* calls of the other ABI of x86-64 have this bit */
        BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, 0x40000000u, 0, 1), ANSWER(no)};
    memcpy(code, head, sizeof head);
    n = HEAD;
    for (int i = 0; i < REFUSED + (makes ? 0 : OF_FILES); i++) {
        int number = i < REFUSED ? refused[i] : refused_of_files[i - REFUSED];
        code[n++] = (struct sock_filter)EQUAL(number, 0, 1);
        code[n++] = (struct sock_filter)ANSWER(no);
    }
    /* a signal goes to this process alone, and limits are those of this one (0), for one of time
     * ends another; nothing is typed into the terminal, whose shell would run it; a thread may be
     * made, a process not; where the flags lie in memory the C library is told to take the older
     * call */
    const struct sock_filter tail[TAIL] = {EQUAL(SYS_tgkill, 0, 3),
                                           LOAD(args[0]),
                                           EQUAL(getpid(), 16, 0),
                                           ANSWER(no),
                                           EQUAL(SYS_prlimit64, 0, 3),
                                           LOAD(args[0]),
                                           EQUAL(0, 12, 0),
                                           ANSWER(no),
                                           EQUAL(SYS_ioctl, 0, 4),
                                           LOAD(args[1]),
                                           EQUAL(TIOCSTI, 1, 0),
                                           EQUAL(TIOCLINUX, 0, 7),
                                           ANSWER(no),
                                           EQUAL(SYS_clone3, 0, 1),
                                           ANSWER(unknown),
                                           EQUAL(SYS_clone, 0, 3),
                                           LOAD(args[0]),
                                           BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, CLONE_THREAD, 1, 0),
                                           ANSWER(no),
                                           ANSWER(SECCOMP_RET_ALLOW)};
    memcpy(code + n, tail, sizeof tail);
    n += TAIL;
    struct sock_fprog program = {.len = (unsigned short)n, .filter = code};
    return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program, 0, 0) == 0 || errno == EINVAL;
#else
    (void)makes;
    return true;
#endif
}

bool lu_confine_seccomp(void) {
#ifdef OWN_ARCH
    return !LOOKED_INTO && prctl(PR_GET_SECCOMP, 0, 0, 0, 0) >= 0 &&
           syscall(SYS_seccomp, SECCOMP_GET_ACTION_AVAIL, 0, &(uint32_t){SECCOMP_RET_ERRNO}) == 0;
#else
    return false;
#endif
}

/* ---- both ---- */

lu_status lu_confine(const lu_confinement *wish, lu_error *error) {
    bool done = prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 && confine_files(wish) &&
                (LOOKED_INTO || confine_calls(wish->make != NULL));
    return done ? LU_OK
                : lu_fail(error, LU_FAILED,
                          "the kernel refuses to confine this process (%s); a server's setting "
                          "confine=false serves without",
                          strerror(errno));
}
