/* Runner of one test program: see test.h. It prints one line per test, so that ./check can add up
 * several programs and name the slowest tests, and a closing line "N passed, N failed". */
#include "test.h"

#include <stdarg.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#ifndef LU_SOURCE_DIR
#define LU_SOURCE_DIR "."
#endif

enum { MAX_TESTS = 2000 };

typedef struct test_entry {
    const char *file, *name;
    lu_test_function *function;
} test_entry;

static test_entry tests[MAX_TESTS];
static int test_count;
static int failures_now;
static const char *skipped_now;
static char folder[64];

void lu_test_add(const char *file, const char *name, lu_test_function *function) {
    if (test_count < MAX_TESTS) {
        const char *slash = strrchr(file, '/');
        tests[test_count++] = (test_entry){slash ? slash + 1 : file, name, function};
    } else {
        fprintf(stderr, "more than %d tests: raise MAX_TESTS\n", MAX_TESTS);
        exit(1);
    }
}

void lu_test_fail(const char *file, int line, const char *format, ...) {
    if (++failures_now > 10) {
        return; /* a loop that fails everywhere says enough with ten lines */
    }
    va_list list;
    va_start(list, format);
    printf("    %s:%d: ", file, line);
    vprintf(format, list);
    printf("\n");
    va_end(list);
}

void lu_test_skip(const char *reason) {
    skipped_now = reason;
}

static void remove_folder(void) {
    char command[128];
    snprintf(command, sizeof command, "rm -rf '%s'", folder);
    if (system(command) != 0) {
        fprintf(stderr, "could not remove %s\n", folder);
    }
}

const char *lu_test_folder(void) {
    if (!folder[0]) {
        snprintf(folder, sizeof folder, "/tmp/ludus-test-XXXXXX");
        if (!mkdtemp(folder)) {
            perror(folder);
            exit(1);
        }
        atexit(remove_folder);
    }
    return folder;
}

const char *lu_test_source(const char *path) {
    static char texts[8][1024];
    static int turn;
    turn = (turn + 1) % 8;
    snprintf(texts[turn], sizeof texts[turn], "%s/%s", LU_SOURCE_DIR, path);
    return texts[turn];
}

static double seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static bool wanted(const test_entry *test, int count, char **filters) {
    char full[512];
    snprintf(full, sizeof full, "%s:%s", test->file, test->name);
    for (int i = 1; i < count; i++) {
        if (strstr(full, filters[i])) {
            return true;
        }
    }
    return count <= 1;
}

int main(int argc, char **argv) {
    int passed = 0, failed = 0, skipped = 0;
    setvbuf(stdout, NULL, _IOLBF, 0);
    for (int i = 0; i < test_count; i++) {
        if (!wanted(&tests[i], argc, argv)) {
            continue;
        }
        failures_now = 0;
        skipped_now = NULL;
        double start = seconds();
        tests[i].function();
        double took = seconds() - start;
        const char *word = failures_now ? "FAIL" : skipped_now ? "skip" : "ok  ";
        printf("%s %8.3f s  %s:%s%s%s\n", word, took, tests[i].file, tests[i].name,
               skipped_now ? "  " : "", skipped_now ? skipped_now : "");
        failed += failures_now > 0;
        skipped += !failures_now && skipped_now;
        passed += !failures_now && !skipped_now;
    }
    if (skipped) {
        printf("%d passed, %d failed, %d skipped\n", passed, failed, skipped);
    } else {
        printf("%d passed, %d failed\n", passed, failed);
    }
    return failed || passed + skipped == 0;
}
