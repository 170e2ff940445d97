/* Status list, lu_fail, allocation helpers and the end for lack of memory. */
#include "ludus/error.h"
#include "test.h"

#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

TEST(status_names_texts_and_exit_codes) {
    CHECK_TEXT(lu_status_name(LU_OK), "LU_OK");
    CHECK_TEXT(lu_status_name(LU_DAMAGED_FILE), "LU_DAMAGED_FILE");
    CHECK_TEXT(lu_status_text(LU_DAMAGED_FILE), "damaged file");
    static const struct {
        lu_status status;
        int code;
    } rows[] = {{LU_OK, 0},        {LU_FAILED, 1},    {LU_USAGE, 2},        {LU_UNKNOWN_KEY, 2},
                {LU_BAD_VALUE, 2}, {LU_NOT_FOUND, 3}, {LU_BAD_DATA, 4},     {LU_CHECK_FAILED, 5},
                {LU_LIMIT, 6},     {LU_BUSY, 7},      {LU_INTERRUPTED, 130}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        CHECK_INT(lu_status_exit(rows[i].status), rows[i].code);
    }
    for (int i = 0; i < LU_STATUS_COUNT; i++) {
        CHECK(strncmp(lu_status_name((lu_status)i), "LU_", 3) == 0);
        CHECK(lu_status_text((lu_status)i)[0] != '\0');
        CHECK((lu_status_exit((lu_status)i) == 0) == (i == LU_OK));
    }
}

TEST(a_status_outside_the_list_reads_as_failed) {
    CHECK_TEXT(lu_status_name((lu_status)9999), "LU_FAILED");
    CHECK_INT(lu_status_exit((lu_status)-1), 1);
}

TEST(fail_fills_the_error_and_returns_the_status) {
    lu_error error = {0};
    CHECK_INT(lu_fail(&error, LU_BAD_DATA, "%s:%d: %s", "run.json", 4, "broken"), LU_BAD_DATA);
    CHECK_INT(error.status, LU_BAD_DATA);
    CHECK_TEXT(error.text, "run.json:4: broken");
    CHECK_INT(lu_fail(NULL, LU_IO, "nobody listens"), LU_IO);
}

TEST(fail_may_extend_its_own_text) {
    lu_error error;
    lu_fail(&error, LU_BAD_VALUE, "first");
    lu_fail(&error, LU_BAD_DATA, "%s (line %d)", error.text, 7);
    CHECK_TEXT(error.text, "first (line 7)");
    CHECK_INT(error.status, LU_BAD_DATA);
}

TEST(fail_cuts_a_long_text_and_terminates_it) {
    char big[5000];
    memset(big, 'x', sizeof big - 1);
    big[sizeof big - 1] = '\0';
    lu_error error;
    lu_fail(&error, LU_FAILED, "%s", big);
    CHECK_INT(strlen(error.text), sizeof error.text - 1);
}

TEST(allocation_of_nothing_gives_a_pointer) {
    void *a = lu_alloc(0), *b = lu_alloc_zero(0, 8), *c = lu_alloc_zero(8, 0);
    CHECK(a && b && c);
    a = lu_realloc(a, 0);
    CHECK(a);
    free(a);
    free(b);
    free(c);
}

TEST(allocation_helpers) {
    int *numbers = lu_alloc_zero(100, sizeof *numbers);
    for (int i = 0; i < 100; i++) {
        CHECK_INT(numbers[i], 0);
        numbers[i] = i;
    }
    numbers = lu_realloc(numbers, 1000 * sizeof *numbers);
    CHECK_INT(numbers[99], 99);
    free(numbers);
    char *copy = lu_strdup("copy");
    CHECK_TEXT(copy, "copy");
    free(copy);
}

/* What a function that ends its process says; returns how it ended. */
static int last_words(void (*end)(void), char *text, size_t room) {
    int ends[2], state = 0;
    text[0] = '\0';
    if (pipe(ends) != 0) {
        return 0;
    }
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        dup2(ends[1], STDERR_FILENO);
        end();
        _exit(0);
    }
    close(ends[1]);
    ssize_t got = read(ends[0], text, room - 1);
    text[got > 0 ? got : 0] = '\0';
    close(ends[0]);
    waitpid(child, &state, 0);
    return state;
}

static void claim_loop(void) {
    int calls = 0;
    LU_ASSERT_LOOP(calls++ > 0);
    (void)calls;
}

static void claim(void) {
    LU_ASSERT(2 > 1);
    LU_ASSERT(1 > 2 && "one is more");
}

TEST(an_untrue_claim_ends_the_program_with_its_place) {
    char text[256];
    int state = last_words(claim, text, sizeof text);
    CHECK_HAS(text, "1 > 2 && \"one is more\" does not hold in src/base/error_test.c:");
    CHECK(WIFSIGNALED(state) && WTERMSIG(state) == SIGABRT);
    state = last_words(claim_loop, text, sizeof text);
#ifdef NDEBUG
    CHECK_TEXT(text, "");
    CHECK(WIFEXITED(state) && WEXITSTATUS(state) == 0);
#else
    CHECK_HAS(text, "calls++ > 0 does not hold");
    CHECK(WIFSIGNALED(state));
#endif
}

static void run_out(void) {
    lu_out_of_memory(123456789);
}

TEST(out_of_memory_ends_the_program_with_the_size) {
    char text[256];
    int state = last_words(run_out, text, sizeof text);
    CHECK_HAS(text, "out of memory");
    CHECK_HAS(text, "123456789 bytes");
    CHECK(WIFEXITED(state) && WEXITSTATUS(state) == 1);
}

TEST(a_reserve_is_given_up_once_and_made_again) {
    enum { BYTES = 1 << 20 };
    CHECK(!lu_memory_give_up());
    CHECK(lu_memory_keep(BYTES) && lu_memory_keep(BYTES));
    CHECK(lu_memory_give_up() && !lu_memory_give_up());
    CHECK(lu_memory_keep(BYTES) && lu_memory_give_up());
    CHECK(lu_memory_has(BYTES));
#ifndef __SANITIZE_ADDRESS__ /* which ends a program that asks for so much */
    CHECK(!lu_memory_has(SIZE_MAX / 2) && !lu_try_realloc(NULL, SIZE_MAX / 2));
#endif
    unsigned char *lines = lu_alloc_lines(100);
    CHECK((uintptr_t)lines % 64 == 0);
    CHECK_INT(lines[0] + lines[99] + lines[127], 0);
    free(lines);
}
