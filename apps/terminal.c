/* Raw mode, keys and drawing by plain escape codes that every terminal of the last thirty years
 * knows; curses would add a library for what is two dozen codes. */
#include "terminal.h"

#include "ludus/text.h"
#include "output.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

static struct termios before;
static volatile sig_atomic_t opened, resized, stopping, continued;

static const char enter_screen[] = "\033[?1049h\033[?25l\033[H\033[2J";
static const char leave_screen[] = "\033[0m\033[?25h\033[?1049l";

static void put(const char *bytes, size_t length) {
    while (length > 0) {
        ssize_t wrote = write(STDOUT_FILENO, bytes, length);
        if (wrote < 0 && errno == EINTR) {
            continue;
        }
        if (wrote <= 0) {
            return; /* the terminal has gone away: the next key says so */
        }
        bytes += wrote;
        length -= (size_t)wrote;
    }
}

static void raw_mode(void) {
    struct termios raw = before;
    raw.c_iflag &= ~(tcflag_t)(BRKINT | ICRNL | INPCK | ISTRIP | IXON);
    raw.c_lflag &= ~(tcflag_t)(ECHO | ICANON | IEXTEN | ISIG);
    raw.c_cflag |= CS8;
    raw.c_cc[VMIN] = 0;
    raw.c_cc[VTIME] = 0;
    tcsetattr(STDIN_FILENO, TCSADRAIN, &raw);
}

/* Only calls that are safe in a signal handler. */
static void give_back(void) {
    if (opened) {
        opened = 0;
        put(leave_screen, sizeof leave_screen - 1);
        tcsetattr(STDIN_FILENO, TCSADRAIN, &before);
    }
}

static void on_end(int number) {
    give_back();
    signal(number, SIG_DFL);
    raise(number);
}

static void on_resize(int number) {
    (void)number;
    resized = 1;
}

/* By another than Ctrl-Z, which is a key here. */
static void on_stop(int number) {
    *(number == SIGTSTP ? &stopping : &continued) = 1;
}

bool terminal_open(void) {
    static bool prepared;
    if (!out_terminal() || tcgetattr(STDIN_FILENO, &before) != 0) {
        return false;
    }
    out_flush();
    if (!prepared) {
        static const int ends[] = {SIGHUP, SIGQUIT, SIGSEGV, SIGBUS, SIGABRT, SIGFPE, SIGILL};
        struct sigaction action = {.sa_handler = on_end};
        prepared = true;
        sigemptyset(&action.sa_mask);
        for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
            sigaction(ends[i], &action, NULL);
        }
        action.sa_handler = on_resize;
        sigaction(SIGWINCH, &action, NULL);
        action.sa_handler = on_stop;
        sigaction(SIGTSTP, &action, NULL);
        sigaction(SIGCONT, &action, NULL);
        atexit(terminal_close);
        out_before_end(give_back);
    }
    opened = 1;
    put(enter_screen, sizeof enter_screen - 1);
    raw_mode();
    return true;
}

void terminal_close(void) {
    give_back();
}

void terminal_size(int *columns, int *lines) {
    struct winsize size;
    *columns = 80;
    *lines = 24;
    if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 && size.ws_row > 0) {
        *columns = size.ws_col;
        *lines = size.ws_row;
    }
}

/* Ctrl-Z: the shell gets a clean terminal, and the screen comes back with the program, also when
 * that was stopped in a way which gave it no time for this. */
static void suspend(bool stop) {
    give_back();
    if (stop) {
        raise(SIGSTOP);
    }
    stopping = continued = 0;
    opened = 1;
    put(enter_screen, sizeof enter_screen - 1);
    raw_mode();
    resized = 1;
}

/* One byte, or -1 in time, or -2 when there will be none. */
static int read_byte(double seconds) {
    struct pollfd wait = {.fd = STDIN_FILENO, .events = POLLIN};
    int limit = seconds < 0 ? -1 : (int)(seconds * 1000.0 + 0.5);
    int ready = poll(&wait, 1, limit);
    if (ready < 0) {
        return errno == EINTR ? -1 : -2;
    }
    if (ready == 0) {
        return -1;
    }
    unsigned char byte;
    ssize_t got = read(STDIN_FILENO, &byte, 1);
    if (got == 1) {
        return byte;
    }
    return got < 0 && (errno == EINTR || errno == EAGAIN) ? -1 : -2;
}

/* What follows an escape: "[A" and its kin. */
static int read_escape(void) {
    char code[8];
    int length = 0, byte = read_byte(0.03);
    if (byte != '[' && byte != 'O') {
        return KEY_ESCAPE;
    }
    while (length < 7) {
        byte = read_byte(0.03);
        if (byte < 0) {
            break;
        }
        code[length++] = (char)byte;
        if (byte >= 0x40 && byte <= 0x7e) {
            break;
        }
    }
    code[length] = 0;
    static const struct {
        const char *code;
        int key;
    } keys[] = {
        {"A", KEY_UP},       {"B", KEY_DOWN},       {"C", KEY_RIGHT}, {"D", KEY_LEFT},
        {"5~", KEY_PAGE_UP}, {"6~", KEY_PAGE_DOWN}, {"H", KEY_HOME},  {"F", KEY_END},
        {"1~", KEY_HOME},    {"4~", KEY_END},       {"7~", KEY_HOME}, {"8~", KEY_END},
    };
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        if (strcmp(keys[i].code, code) == 0) {
            return keys[i].key;
        }
    }
    return KEY_NONE;
}

int terminal_key(double seconds) {
    if (stopping || continued) {
        suspend(stopping);
        return KEY_NONE;
    }
    if (resized || interrupted()) {
        resized = 0;
        return interrupted() ? KEY_CONTROL_C : KEY_NONE;
    }
    int byte = read_byte(seconds);
    if (interrupted()) {
        return KEY_CONTROL_C;
    }
    switch (byte) {
    case -1:
        resized = 0;
        return KEY_NONE;
    case -2:
        return KEY_CLOSED;
    case 10:
        return KEY_ENTER;
    case 8:
        return KEY_BACKSPACE;
    case 26:
        suspend(true);
        return KEY_NONE;
    case 27:
        return read_escape();
    default:
        return byte;
    }
}

/* Bytes of the escape code that a text begins with; 0 when it begins with none. */
static size_t escape_length(const char *text, size_t length) {
    size_t end = 1;
    if (length == 0 || text[0] != '\033') {
        return 0;
    }
    while (end < length && !(text[end] >= 'A' && text[end] <= 'z' && text[end] != '[')) {
        end++;
    }
    return end + (end < length);
}

static int columns_of(const char *line, size_t length) {
    int columns = 0;
    for (size_t i = 0; i < length;) {
        size_t escape = escape_length(line + i, length - i);
        columns += escape == 0 && ((unsigned char)line[i] & 0xc0) != 0x80;
        i += escape > 0 ? escape : 1;
    }
    return columns;
}

/* Adds one line of at most `columns` columns; a longer one ends with '>'. Escape codes take no
 * column and are kept. */
static void add_cut(lu_text *out, const char *line, size_t length, int columns) {
    bool cut = columns_of(line, length) > columns;
    int at = 0;
    for (size_t i = 0; i < length;) {
        size_t escape = escape_length(line + i, length - i);
        if (escape > 0) {
            lu_text_add_n(out, line + i, escape);
            i += escape;
            continue;
        }
        bool starts = ((unsigned char)line[i] & 0xc0) != 0x80;
        if (starts && cut && at == columns - 1) {
            lu_text_add_char(out, '>');
            break;
        }
        at += starts;
        lu_text_add_char(out, line[i] == '\t' ? ' ' : line[i]);
        i++;
    }
    if (out_colour()) {
        lu_text_add(out, "\033[0m");
    }
}

void terminal_draw(const char *text, int cursor_column, int cursor_line) {
    int columns, lines, count = 0;
    lu_text out = LU_TEXT_INIT;
    terminal_size(&columns, &lines);
    lu_text_add(&out, "\033[?25l\033[H");
    while (*text && count < lines) {
        size_t length = strcspn(text, "\n");
        add_cut(&out, text, length, columns);
        lu_text_add(&out, "\033[K");
        text += length;
        text += *text == '\n';
        count++;
        lu_text_add(&out, count < lines && *text ? "\r\n" : "");
    }
    lu_text_add(&out, "\033[J");
    if (cursor_column >= 0) {
        lu_text_addf(&out, "\033[%d;%dH\033[?25h", cursor_line + 1, cursor_column + 1);
    }
    put(out.text, out.length);
    lu_text_free(&out);
}
