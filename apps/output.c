/* Checked output, colour, progress, tables and Ctrl-C: see output.h. */
#include "output.h"
#include "foreign.h"

#include "ludus/clock.h"
#include "ludus/settings.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

static volatile sig_atomic_t interrupts, progress_line; /* a line of progress is on the screen */
static void (*restore_screen)(void);
static const char *volatile last_words;
static bool plain;

/* ---- start and signals ---- */

static void on_interrupt(int number) {
    (void)number;
    if (++interrupts >= 2) {
        if (restore_screen) {
            restore_screen();
        }
        const char *words = last_words;
        ssize_t told = progress_line ? write(STDERR_FILENO, "\n", 1) : 0;
        told += words ? write(STDERR_FILENO, words, strlen(words)) : 0;
        (void)told;
        _exit(130);
    }
}

void out_last_words(const char *words) {
    last_words = words;
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
static int lost;              /* why what was written from there on is lost */

void out_outlive(void) {
    outlives = true;
}

static void write_failed(int code) {
    if (outlives) {
        silent = true;
        lost = code;
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
    progress_end();
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

void out_line(const char *format, ...) {
    va_list list;
    va_start(list, format);
    lu_text text = LU_TEXT_INIT, lines = LU_TEXT_INIT;
    lu_text_addv(&text, format, list);
    va_end(list);
    for (char *at = text.text, *end; *at; at = end) {
        end = at + strcspn(at, "\n");
        end += *end ? 1 : 0;
        if (end[-1] == '\n') {
            end[-1] = 0;
        }
        text_fold(&lines, at, out_columns());
    }
    lu_text_free(&text);
    out_text_end(&lines);
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

lu_status out_end(lu_error *error) {
    out_flush();
    return lost == 0 || lost == EPIPE
               ? LU_OK
               : lu_fail(
                     error, LU_IO,
                     "cannot write to standard output: %s; everything else is done, but its report "
                     "is lost",
                     strerror(lost));
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

/* What a message quotes may come from anywhere: nothing of it drives the terminal. */
static void print_message(const char *colour, const char *text) {
    lu_text shown = LU_TEXT_INIT, lines = LU_TEXT_INIT;
    struct winsize size = {0};
    ioctl(STDERR_FILENO, TIOCGWINSZ, &size); /* elsewhere the width stays 0 */
    fflush(stdout);
    progress_end();
    fputs(interrupts > 0 && size.ws_col > 0 ? "\r  \r" : "", stderr); /* over the ^C of Ctrl-C */
    lu_text_addf(&shown, "%s" LUDUS_PROGRAM ":%s ", colour, *colour ? "\033[0m" : "");
    foreign_add(&shown, text, 0);
    text_fold(&lines, shown.text, size.ws_col);
    fputs(lines.text, stderr);
    lu_text_free(&shown);
    lu_text_free(&lines);
}

void note(const char *format, ...) {
    va_list list;
    lu_text text = LU_TEXT_INIT;
    va_start(list, format);
    lu_text_addv(&text, format, list);
    va_end(list);
    print_message("", text.text);
    lu_text_free(&text);
}

void note_text(const char *sentence) {
    note("%s", sentence);
}

void note_error(const lu_error *error) {
    print_message(colour_on(STDERR_FILENO) ? "\033[31m" : "", error->text);
}

/* ---- progress ---- */

static double progress_since, progress_shown;

/* Columns for what is being done, so that figure and "^C" still fit. */
static int progress_room(void) {
    int columns = out_columns();
    return columns == 0 || columns > 70 ? 60 : columns > 11 ? columns - 11 : 1;
}

void progress_start(void) {
    progress_since = lu_clock_seconds();
    progress_shown = 0.0;
}

void progress(double share, const char *what) {
    double now = lu_clock_seconds();
    if (now - progress_since < 2.0 || now - progress_shown < 0.1 || !isatty(STDERR_FILENO)) {
        return;
    }
    int room = progress_room();
    progress_shown = now;
    progress_line = true;
    if (share < 0.0) {
        fprintf(stderr, "\r%-*.*s %5.0f s", room, room, what, now - progress_since);
    } else {
        fprintf(stderr, "\r%-*.*s %5.1f%%", room, room, what, 100.0 * share);
    }
    fflush(stderr);
}

void progress_end(void) {
    if (progress_line) {
        fprintf(stderr, "\r%*s\r", progress_room() + 10, "");
        fflush(stderr);
        progress_line = false;
    }
}

/* ---- tables ---- */

int out_columns(void) {
    struct winsize size;
    const char *given = getenv("COLUMNS");
    int64_t columns = 0;
    if (given && lu_parse_i64("COLUMNS", given, 1, 10000, &columns, NULL) == LU_OK) {
        return (int)columns;
    }
    return ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
}

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

/* Width of a row; a column of width 0 is left out. */
static int row_width(const table *t, const int *width) {
    int sum = -2;
    for (int c = 0; c < t->columns; c++) {
        sum += width[c] ? width[c] + 2 : 0;
    }
    return sum;
}

/* The widest column of text that can still be cut; -1: none. The first names its row: as much stays
 * as tells one run from another, the time in its id. */
static int widest_text(const table *t, const int *width) {
    enum { LEAST = 8, LEAST_NAME = 17 };
    int widest = -1;
    for (int c = 0; c < t->columns; c++) {
        if (strchr("lLw", t->align[c]) && width[c] > (c ? LEAST : LEAST_NAME) &&
            (widest < 0 || width[c] > width[widest])) {
            widest = c;
        }
    }
    return widest;
}

/* The longest word of a column, which is not broken. */
static int longest_word(const table *t, int column) {
    int longest = 0;
    for (int r = 0; r < t->rows; r++) {
        for (const char *at = t->cells[r * t->columns + column]; *at;) {
            size_t length = strcspn(at, " ");
            int columns = columns_in(at, length);
            longest = columns > longest ? columns : longest;
            at += length + strspn(at + length, " ");
        }
    }
    return longest;
}

static void fit_widths(const table *t, int *width, int most) {
    bool goes = false; /* neighbours go together: a mean and its interval */
    int last = t->columns - 1, whole = width[last];
    bool wraps = t->align[last] == 'w';
    width[last] = wraps ? longest_word(t, last) : whole;
    for (int c = last; c > 0; c--) {
        goes = isupper((unsigned char)t->align[c]) && (goes || row_width(t, width) > most);
        width[c] = goes ? 0 : width[c];
    }
    int widest, room = most - row_width(t, width);
    if (wraps && room > 0) {
        width[last] = width[last] + room < whole ? width[last] + room : whole;
    }
    while (row_width(t, width) > most && (widest = widest_text(t, width)) >= 0) {
        width[widest]--;
    }
    for (int c = t->columns - 1; c > 0 && row_width(t, width) > most; c--) {
        width[c] = 0;
    }
}

/* A cell in `width` columns, the first of them at `at`. */
static void add_cell(lu_text *text, const char *words, int at, int width, char align) {
    int columns = columns_of(words), pad = width > columns ? width - columns : 0;
    bool right = tolower((unsigned char)align) == 'r';
    lu_text_fill(text, ' ', right ? pad : 0);
    if (columns > width && align == 'w') {
        text_wrap(text, words, at, at, at + width);
        text->text[--text->length] = 0; /* its line break */
    } else if (columns > width) {
        size_t length = 0;
        while (columns_in(words, length + 1) < width) {
            length++;
        }
        lu_text_add_n(text, words, length);
        lu_text_add_char(text, '>');
    } else {
        lu_text_add(text, words);
    }
    lu_text_fill(text, ' ', 2 + (right ? 0 : pad));
}

/* The first row that equals this one behind its name. */
static int first_equal(const table *t, int row) {
    for (int r = 1; r < row; r++) {
        int c = 1;
        while (c < t->columns &&
               strcmp(t->cells[r * t->columns + c], t->cells[row * t->columns + c]) == 0) {
            c++;
        }
        if (c == t->columns) {
            return r;
        }
    }
    return row;
}

/* "steps = return = ticks" for every row that stands for others. */
static void add_folded(const table *t, lu_text *text) {
    for (int row = 1; row < t->rows; row++) {
        lu_text line = LU_TEXT_INIT;
        const char *last = t->cells[row * t->columns]; /* two rows may have one name */
        for (int r = row + 1; first_equal(t, row) == row && r < t->rows; r++) {
            const char *name = t->cells[r * t->columns];
            if (first_equal(t, r) == row && strcmp(name, last) != 0) {
                lu_text_addf(&line, "%s = %s", line.length ? "" : last, name);
                last = name;
            }
        }
        if (line.length) {
            text_wrap(text, line.text, 0, 2, out_columns() ? out_columns() : 100);
        }
        lu_text_free(&line);
    }
}

void table_print(const table *t) {
    lu_text text = LU_TEXT_INIT;
    int width[32] = {0};
    for (int i = 0; i < t->columns * t->rows; i++) {
        int columns = columns_of(t->cells[i]);
        int *w = &width[i % t->columns];
        *w = columns > *w ? columns : *w;
    }
    if (out_columns()) {
        fit_widths(t, width, out_columns());
    }
    for (int r = 0; r < t->rows; r++) {
        if (t->fold && first_equal(t, r) != r) {
            continue;
        }
        lu_text_add(&text, r == 0 ? paint(BOLD) : "");
        for (int c = 0, at = 0; c < t->columns; c++) {
            if (width[c]) {
                add_cell(&text, t->cells[r * t->columns + c], at, width[c], t->align[c]);
                at += width[c] + 2;
            }
        }
        /* empty cells at the end of a row leave no spaces that wrap on narrow terminals */
        while (text.length > 0 && text.text[text.length - 1] == ' ') {
            text.text[--text.length] = 0;
        }
        lu_text_add(&text, r == 0 ? paint(PLAIN) : "");
        lu_text_add_char(&text, '\n');
    }
    if (t->fold) {
        add_folded(t, &text);
    }
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

const char *counted(int64_t count, const char *thing) {
    return cell("%" PRId64 " %s%s", count, thing, count == 1 ? "" : "s");
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

/* Bytes of a word; a command between backticks is one, so that it can be copied in one piece. */
static size_t word_at(const char *text) {
    size_t length = 0;
    for (bool quoted = false; text[length] && (quoted || text[length] != ' '); length++) {
        quoted = text[length] == '`' ? !quoted && strchr(text + length + 1, '`') : quoted;
    }
    return length;
}

void text_fold(lu_text *text, const char *line, int width) {
    const int indent = (int)strspn(line, " ") + 4;
    int at = 0;
    while (*line) {
        size_t blanks = strspn(line, " "), length = word_at(line + blanks);
        int columns = (int)blanks + columns_in(line + blanks, length);
        if (width && at > indent && at + columns > width) {
            lu_text_add_char(text, '\n');
            lu_text_fill(text, ' ', indent);
            lu_text_add_n(text, line + blanks, length);
            at = indent + columns - (int)blanks;
        } else {
            lu_text_add_n(text, line, blanks + length);
            at += columns;
        }
        line += blanks + length;
    }
    lu_text_add_char(text, '\n');
}
