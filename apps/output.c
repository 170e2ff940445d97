/* Checked output, colour, progress, tables and Ctrl-C: see output.h. */
#include "output.h"

#include "ludus/clock.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static volatile sig_atomic_t interrupts;
static void (*restore_screen)(void);
static bool plain;

/* ---- start and signals ---- */

static void on_interrupt(int number) {
    (void)number;
    if (++interrupts >= 2) {
        if (restore_screen) {
            restore_screen();
        }
        _exit(130);
    }
}

bool interrupted(void) {
    return interrupts > 0;
}

static bool stop(void *context) {
    (void)context;
    return interrupted();
}

static void show_progress(void *context, double share, const char *what) {
    (void)context;
    progress(share, what);
}

const lu_watch *out_watch(void) {
    static const lu_watch watch = {NULL, stop, show_progress};
    return &watch;
}

void out_before_end(void (*restore)(void)) {
    restore_screen = restore;
}

void out_start(void) {
    /* a closed descriptor would be given to the next file opened: hold its place with one on which
     * the wrong use fails */
    for (int fd = 0; fd <= 2; fd++) {
        if (fcntl(fd, F_GETFD) < 0 && errno == EBADF) {
            int held = open("/dev/null", fd == 0 ? O_WRONLY : O_RDONLY);
            (void)held;
        }
    }
    struct sigaction action = {.sa_handler = on_interrupt};
    sigemptyset(&action.sa_mask);
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    struct sigaction now;
    if (sigaction(SIGHUP, NULL, &now) == 0 && now.sa_handler != SIG_IGN) {
        sigaction(SIGHUP, &action, NULL); /* unless it is to outlive its terminal (nohup) */
    }
    action.sa_handler = SIG_IGN;
    sigaction(SIGPIPE, &action, NULL);
    sigaction(SIGXFSZ, &action, NULL); /* the write fails, and is told */
    static char buffer[1 << 16];
    setvbuf(stdout, buffer, isatty(STDOUT_FILENO) ? _IOLBF : _IOFBF, sizeof buffer);
}

/* ---- writing ---- */

static bool outlives, silent; /* no reader ends the program; there is none any more */

void out_outlive(void) {
    outlives = true;
}

static void write_failed(int code) {
    if (outlives) {
        silent = true;
        return;
    }
    if (restore_screen) {
        restore_screen();
    }
    if (code != EPIPE) {
        fprintf(stderr, LUDUS_PROGRAM ": cannot write to standard output: %s\n", strerror(code));
    }
    _exit(code == EPIPE ? 0 : 1);
}

void out_write(const char *bytes, size_t length) {
    errno = 0;
    if (silent) {
        return;
    }
    if (length > 0 && fwrite(bytes, 1, length, stdout) != length) {
        write_failed(errno ? errno : EIO);
    }
}

void out_text(const char *text) {
    out_write(text, strlen(text));
}

void out_format(const char *format, ...) {
    va_list list;
    va_start(list, format);
    lu_text text = LU_TEXT_INIT;
    lu_text_addv(&text, format, list);
    va_end(list);
    out_text_end(&text);
}

void out_json(lu_json *json) {
    out_write(json->text, json->length);
    out_write("\n", 1);
    lu_json_clear(json);
}

void out_json_end(lu_json *object) {
    lu_json_object_end(object);
    out_json(object);
    lu_json_free(object);
}

void out_text_end(lu_text *text) {
    out_write(text->text, text->length);
    lu_text_free(text);
}

void out_flush(void) {
    errno = 0;
    if (!silent && fflush(stdout) != 0) {
        write_failed(errno ? errno : EIO);
    }
}

/* ---- colour ---- */

void out_plain(void) {
    plain = true;
}

static bool colour_on(int fd) {
    const char *none = getenv("NO_COLOR"), *term = getenv("TERM");
    return !plain && isatty(fd) && !(none && *none) && term && *term && strcmp(term, "dumb") != 0;
}

bool out_colour(void) {
    return colour_on(STDOUT_FILENO);
}

bool out_terminal(void) {
    const char *term = getenv("TERM");
    return isatty(STDOUT_FILENO) && isatty(STDIN_FILENO) && term && *term &&
           strcmp(term, "dumb") != 0;
}

const char *paint(style wanted) {
    static const char *const codes[] = {
        [PLAIN] = "\033[0m", [BOLD] = "\033[1m",   [DIM] = "\033[2m",
        [RED] = "\033[31m",  [GREEN] = "\033[32m", [YELLOW] = "\033[33m",
        [BLUE] = "\033[34m", [CYAN] = "\033[36m",  [REVERSE] = "\033[7m",
    };
    return out_colour() ? codes[wanted] : "";
}

/* ---- messages ---- */

/* What a message quotes may come from anywhere: no control byte of it reaches the terminal. */
static void print_clean(const char *text) {
    for (; *text; text++) {
        fputc((unsigned char)*text < 0x20 || *text == 0x7f ? '?' : *text, stderr);
    }
    fputc('\n', stderr);
}

void note(const char *format, ...) {
    va_list list;
    lu_text text = LU_TEXT_INIT;
    va_start(list, format);
    lu_text_addv(&text, format, list);
    va_end(list);
    fflush(stdout);
    progress_end();
    fputs(LUDUS_PROGRAM ": ", stderr);
    print_clean(text.text);
    lu_text_free(&text);
}

void note_text(const char *sentence) {
    note("%s", sentence);
}

void note_error(const lu_error *error) {
    bool colour = colour_on(STDERR_FILENO);
    fflush(stdout);
    progress_end();
    fprintf(stderr, "%s" LUDUS_PROGRAM ":%s ", colour ? "\033[31m" : "", colour ? "\033[0m" : "");
    print_clean(error->text);
}

/* ---- progress ---- */

static double progress_since, progress_shown;
static bool progress_line;

void progress_start(void) {
    progress_since = lu_clock_seconds();
    progress_shown = 0.0;
}

void progress(double share, const char *what) {
    double now = lu_clock_seconds();
    if (now - progress_since < 2.0 || now - progress_shown < 0.1 || !isatty(STDERR_FILENO)) {
        return;
    }
    progress_shown = now;
    progress_line = true;
    if (share < 0.0) {
        fprintf(stderr, "\r%-60.60s %5.0f s", what, now - progress_since);
    } else {
        fprintf(stderr, "\r%-60.60s %5.1f %%", what, 100.0 * share);
    }
    fflush(stderr);
}

void progress_end(void) {
    if (progress_line) {
        fprintf(stderr, "\r%70s\r", "");
        fflush(stderr);
        progress_line = false;
    }
}

/* ---- tables ---- */

/* Columns that bytes take: one per code point, none for escape codes. */
static int columns_in(const char *text, size_t length) {
    int columns = 0;
    for (size_t i = 0; i < length; i++) {
        if (text[i] == '\033') {
            while (i + 1 < length && text[i] != 'm') {
                i++;
            }
            continue;
        }
        columns += ((unsigned char)text[i] & 0xc0) != 0x80;
    }
    return columns;
}

static int columns_of(const char *text) {
    return columns_in(text, strlen(text));
}

table table_of(const char *align) {
    return (table){.columns = (int)strlen(align), .align = align};
}

void table_free(table *t) {
    for (int i = 0; i < t->columns * t->rows; i++) {
        free(t->cells[i]);
    }
    free(t->cells);
}

void table_row(table *t, ...) {
    va_list list;
    if (t->rows == t->room) {
        t->room = t->room ? 2 * t->room : 16;
        t->cells = lu_realloc(t->cells, (size_t)(t->room * t->columns) * sizeof *t->cells);
    }
    va_start(list, t);
    for (int c = 0; c < t->columns; c++) {
        t->cells[t->rows * t->columns + c] = lu_strdup(va_arg(list, const char *));
    }
    va_end(list);
    t->rows++;
}

/* The printed form, added to a text. */
static void table_add(const table *t, lu_text *text) {
    int width[32] = {0};
    for (int i = 0; i < t->columns * t->rows; i++) {
        int columns = columns_of(t->cells[i]);
        int *w = &width[i % t->columns];
        *w = columns > *w ? columns : *w;
    }
    for (int r = 0; r < t->rows; r++) {
        lu_text_add(text, r == 0 ? paint(BOLD) : "");
        for (int c = 0; c < t->columns; c++) {
            const char *words = t->cells[r * t->columns + c];
            int pad = width[c] - columns_of(words);
            bool last = c == t->columns - 1;
            lu_text_fill(text, ' ', t->align[c] == 'r' ? pad : 0);
            lu_text_add(text, words);
            lu_text_fill(text, ' ', last ? 0 : 2 + (t->align[c] == 'r' ? 0 : pad));
        }
        /* empty cells at the end of a row leave no spaces that wrap on narrow terminals */
        while (text->length > 0 && text->text[text->length - 1] == ' ') {
            text->text[--text->length] = 0;
        }
        lu_text_add(text, r == 0 ? paint(PLAIN) : "");
        lu_text_add_char(text, '\n');
    }
}

void table_print(const table *t) {
    lu_text text = LU_TEXT_INIT;
    table_add(t, &text);
    out_text_end(&text);
}

const char *cell(const char *format, ...) {
    static char texts[16][256];
    static int turn;
    va_list list;
    turn = (turn + 1) % 16;
    va_start(list, format);
    vsnprintf(texts[turn], sizeof texts[turn], format, list);
    va_end(list);
    return texts[turn];
}

void text_wrap(lu_text *text, const char *words, int at, int indent, int width) {
    bool first = true;
    while (*words) {
        size_t length = strcspn(words, " \n");
        if (length > 0) {
            int columns = columns_in(words, length);
            if (!first && at + 1 + columns > width) {
                lu_text_add_char(text, '\n');
                lu_text_fill(text, ' ', indent);
                at = indent;
            } else if (!first) {
                lu_text_add_char(text, ' ');
                at++;
            }
            lu_text_add_n(text, words, length);
            at += columns;
            first = false;
        }
        words += length;
        words += *words != 0;
    }
    lu_text_add_char(text, '\n');
}
