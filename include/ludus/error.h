/* Errors: one list of kinds, each with its exit code and its text, and one struct that carries the
 * sentence a person reads. A function that can fail because of the outside world returns a
 * lu_status and fills an optional lu_error; programming errors are LU_ASSERT instead.
 * Ownership: the caller owns the lu_error; it holds no pointers. Threads: no shared state. */
#pragma once

#include "ludus/linkage.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
#define LU_NORETURN [[noreturn]]
#else
#define LU_NORETURN _Noreturn
#endif

LU_C_BEGIN

/* X(name, exit code of the program when the error reaches main, short text) */
#define LU_STATUS_LIST(X)                                                                          \
    X(LU_OK, 0, "ok")                                                                              \
    X(LU_FAILED, 1, "failed")                                                                      \
    X(LU_IO, 1, "input or output failed")                                                          \
    X(LU_USAGE, 2, "wrong use of a command")                                                       \
    X(LU_UNKNOWN_KEY, 2, "unknown setting")                                                        \
    X(LU_BAD_VALUE, 2, "bad value of a setting")                                                   \
    X(LU_NOT_FOUND, 3, "not found")                                                                \
    X(LU_BAD_DATA, 4, "bad data")                                                                  \
    X(LU_FOREIGN_FILE, 4, "not a file of this kind")                                               \
    X(LU_DAMAGED_FILE, 4, "damaged file")                                                          \
    X(LU_OTHER_VERSION, 4, "file of another version")                                              \
    X(LU_OTHER_SPEC, 4, "made for another specification")                                          \
    X(LU_CHECK_FAILED, 5, "a check failed")                                                        \
    X(LU_LIMIT, 6, "stopped by a limit")                                                           \
    X(LU_BUSY, 7, "busy or locked")                                                                \
    X(LU_DIVERGED, 8, "NaN or infinite numbers")                                                   \
    X(LU_INTERRUPTED, 130, "interrupted")

typedef enum lu_status {
#define X(name, code, text) name,
    LU_STATUS_LIST(X)
#undef X
        LU_STATUS_COUNT
} lu_status;

typedef struct lu_error {
    lu_status status;
    char text[1020]; /* what, where, what to do next: one sentence, always terminated */
} lu_error;

/* Name of a status, e.g. "LU_DAMAGED_FILE". */
const char *lu_status_name(lu_status status);
/* Short text of a status, e.g. "damaged file". */
const char *lu_status_text(lu_status status);
/* Exit code the program ends with for a status. */
int lu_status_exit(lu_status status);

/* Fills *error (which may be NULL) and returns status, so that a function can `return
 * lu_fail(...)`. */
lu_status lu_fail(lu_error *error, lu_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
#ifdef __clang_analyzer__ /* which does not look into other files: the status is the one given */
#define lu_fail(error, status, ...) ((lu_fail)(error, status, __VA_ARGS__), (status))
#endif

/* Leaves a function that holds nothing with the status of a call that failed. */
#define LU_TRY(call)                                                                               \
    do {                                                                                           \
        lu_status tried_ = (call);                                                                 \
        if (tried_ != LU_OK) {                                                                     \
            return tried_;                                                                         \
        }                                                                                          \
    } while (0)
/* The next call of a chain, where a function has something to free at its end: made while all
 * before it went well. */
#define LU_THEN(status, call) ((status) = (status) == LU_OK ? (call) : (status))

/* Ends the program with the size that could not be had: the only exit outside apps/, beside
 * lu_assert_failed. */
LU_NORETURN void lu_out_of_memory(size_t bytes);
/* Ends the program by abort(), with the claim and its place. */
LU_NORETURN void lu_assert_failed(const char *claim, const char *file, int line);

/* What only a programming error makes untrue; checked in release builds too. LU_ASSERT_LOOP is for
 * what runs per step or per number, and is left out of release builds. */
#define LU_ASSERT(claim) ((claim) ? (void)0 : lu_assert_failed(#claim, __FILE__, __LINE__))
#ifdef NDEBUG
#define LU_ASSERT_LOOP(claim) ((void)sizeof((claim) ? 1 : 0))
#else
#define LU_ASSERT_LOOP(claim) LU_ASSERT(claim)
#endif
/* malloc, calloc and realloc that never return NULL (they end in lu_out_of_memory). */
void *lu_alloc(size_t bytes);
void *lu_alloc_zero(size_t count, size_t bytes);
void *lu_realloc(void *old, size_t bytes);
/* Zeroed bytes at the begin of a cache line, up to the end of one. */
void *lu_alloc_lines(size_t bytes);
char *lu_strdup(const char *text);
/* realloc for what grows as somebody outside wishes: NULL, and the old block as it was, where the
 * memory is not there. Up to a MiB it is lu_realloc: who lacks that cannot go on. */
void *lu_try_realloc(void *old, size_t bytes);
/* True when so much memory can be had now; up to a MiB it can, or the program ends. */
bool lu_memory_has(size_t bytes);
/* Keeps a block of this size in reserve for the functions above, which give it up before they end
 * the program; makes it again when it was given up. False when that cannot be done: memory is
 * short, and nothing new should be begun. Any thread may call it, always with the same size. */
bool lu_memory_keep(size_t bytes);
/* Frees the reserve; false when there is none. */
bool lu_memory_give_up(void);
/* After a call that failed with this errno: true when memory was short and the call is to be made
 * again, with the reserve given up; where there is none the program ends. */
bool lu_memory_again(int why);

LU_C_END
