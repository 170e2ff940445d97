/* The test harness: a test is a function that registers itself, a program is one folder's tests.
 * `PROGRAM [FILTER...]` runs the tests whose "file:name" contains a filter; the closing line is
 * "N passed, N failed". It has no dependency, so that it runs in every build. */
#pragma once

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

typedef void lu_test_function(void);

void lu_test_add(const char *file, const char *name, lu_test_function *function);
/* Notes a failure of the running test and goes on. */
void lu_test_fail(const char *file, int line, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* Marks the running test as skipped, with the reason. */
void lu_test_skip(const char *reason);
/* Folder for scratch files of this program, made on first use and removed at exit. */
const char *lu_test_folder(void);
/* Path of a file of the source tree, e.g. lu_test_source("tests/data/x"). One static buffer per
 * call site is not kept: the text is valid until eight later calls. */
const char *lu_test_source(const char *path);

#define TEST(name)                                                                                 \
    static void name(void);                                                                        \
    __attribute__((constructor)) static void name##_register(void) {                               \
        lu_test_add(__FILE__, #name, name);                                                        \
    }                                                                                              \
    static void name(void)

/* Each CHECK notes a failure with the values and goes on; each NEED also leaves the test. */
#define CHECK(condition)                                                                           \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            lu_test_fail(__FILE__, __LINE__, "%s", #condition);                                    \
        }                                                                                          \
    } while (0)
#define NEED(condition)                                                                            \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            lu_test_fail(__FILE__, __LINE__, "%s", #condition);                                    \
            return;                                                                                \
        }                                                                                          \
    } while (0)
#define CHECK_INT(got, want)                                                                       \
    do {                                                                                           \
        long long got_ = (long long)(got), want_ = (long long)(want);                              \
        if (got_ != want_) {                                                                       \
            lu_test_fail(__FILE__, __LINE__, "%s is %lld, not %lld", #got, got_, want_);           \
        }                                                                                          \
    } while (0)
#define CHECK_HEX(got, want)                                                                       \
    do {                                                                                           \
        unsigned long long got_ = (got), want_ = (want);                                           \
        if (got_ != want_) {                                                                       \
            lu_test_fail(__FILE__, __LINE__, "%s is %016llx, not %016llx", #got, got_, want_);     \
        }                                                                                          \
    } while (0)
#define CHECK_NEAR(got, want, tolerance)                                                           \
    do {                                                                                           \
        double got_ = (got), want_ = (want);                                                       \
        if (!(fabs(got_ - want_) <= (tolerance))) {                                                \
            lu_test_fail(__FILE__, __LINE__, "%s is %.17g, not %.17g", #got, got_, want_);         \
        }                                                                                          \
    } while (0)
#define CHECK_TEXT(got, want)                                                                      \
    do {                                                                                           \
        const char *got_ = (got), *want_ = (want);                                                 \
        if (!got_ || !want_ || strcmp(got_, want_) != 0) {                                         \
            lu_test_fail(__FILE__, __LINE__, "%s is \"%s\", not \"%s\"", #got,                     \
                         got_ ? got_ : "(null)", want_ ? want_ : "(null)");                        \
        }                                                                                          \
    } while (0)
/* `text` contains `part`. */
#define CHECK_HAS(text, part)                                                                      \
    do {                                                                                           \
        const char *text_ = (text), *part_ = (part);                                               \
        if (!text_ || !strstr(text_, part_)) {                                                     \
            lu_test_fail(__FILE__, __LINE__, "%s is \"%s\", without \"%s\"", #text,                \
                         text_ ? text_ : "(null)", part_);                                         \
        }                                                                                          \
    } while (0)
