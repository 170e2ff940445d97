/* What a build that counts its coverage needs to tell it (preset `cover`): programs that end by
 * _exit write their counts first, and the kernel is one without Landlock, which would keep the
 * server from writing them where it was built. */
#include <errno.h>
#include <sys/syscall.h>

void __gcov_dump(void);
_Noreturn void __real__exit(int code);
_Noreturn void __wrap__exit(int code);
_Noreturn void __wrap__Exit(int code);
long __real_syscall(long number, long a, long b, long c, long d, long e, long f);
long __wrap_syscall(long number, long a, long b, long c, long d, long e, long f);

_Noreturn void __wrap__exit(int code) {
    __gcov_dump();
    __real__exit(code);
}

_Noreturn void __wrap__Exit(int code) {
    __wrap__exit(code);
}

long __wrap_syscall(long number, long a, long b, long c, long d, long e, long f) {
    if (number == SYS_landlock_create_ruleset) {
        errno = ENOSYS;
        return -1;
    }
    return __real_syscall(number, a, b, c, d, e, f);
}
