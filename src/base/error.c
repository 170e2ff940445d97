/* Names, texts and exit codes of the status list, the one way to fill an error, and allocation that
 * cannot fail. Out of memory ends the program here and nowhere else: what is known at start is
 * allocated at start, so there is no state worth saving that a checkpoint does not already hold. */
#include "ludus/error.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct status_row {
    const char *name, *text;
    int exit_code;
} status_row;

static const status_row status_rows[LU_STATUS_COUNT] = {
#define X(name, code, text) {#name, text, code},
    LU_STATUS_LIST(X)
#undef X
};

/* A status may come from a file or another library: outside the list it reads as LU_FAILED. */
static const status_row *row_of(lu_status status) {
    unsigned index = (unsigned)status;
    return &status_rows[index < LU_STATUS_COUNT ? index : LU_FAILED];
}

const char *lu_status_name(lu_status status) {
    return row_of(status)->name;
}

const char *lu_status_text(lu_status status) {
    return row_of(status)->text;
}

int lu_status_exit(lu_status status) {
    return row_of(status)->exit_code;
}

lu_status(lu_fail)(lu_error *error, lu_status status, const char *format, ...) {
    if (!error) {
        return status;
    }
    /* an argument may point into error->text (a sentence that gets a suffix): format beside it */
    char text[sizeof error->text];
    va_list list;
    va_start(list, format);
    int length = vsnprintf(text, sizeof text, format, list);
    va_end(list);
    if (length < 0) {
        snprintf(text, sizeof text, "%s", lu_status_text(status));
    }
    error->status = status;
    memcpy(error->text, text, strlen(text) + 1);
    return status;
}

LU_NORETURN void lu_assert_failed(const char *claim, const char *file, int line) {
    fprintf(stderr, "ludus: a fault in the program: %s does not hold in %s:%d\n", claim, file,
            line);
    fflush(stderr);
    abort();
}

LU_NORETURN void lu_out_of_memory(size_t bytes) {
    fprintf(stderr, "ludus: out of memory: could not allocate %zu bytes; use smaller sizes\n",
            bytes);
    fflush(stderr);
    /* no atexit handlers: they may allocate, or wait for a thread that stands in malloc too */
    _Exit(lu_status_exit(LU_FAILED));
}
