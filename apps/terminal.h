/* The terminal of a person: its size, single keys, a screen of its own, and a promise that it looks
 * as before when the program ends, however it ends (quit, Ctrl-C, Ctrl-Z, a signal, a crash).
 * Ownership: one terminal per process. Threads: the main thread only. */
#pragma once

#include <stdbool.h>

enum {
    KEY_NONE = 0, /* nothing came in time, or the size changed */
    KEY_ENTER = 13,
    KEY_TAB = 9,
    KEY_ESCAPE = 27,
    KEY_BACKSPACE = 127,
    KEY_CONTROL_C = 3,
    KEY_CONTROL_D = 4,
    KEY_CONTROL_L = 12,
    KEY_CONTROL_U = 21,
    KEY_CONTROL_W = 23,
    KEY_UP = 1000,
    KEY_DOWN,
    KEY_LEFT,
    KEY_RIGHT,
    KEY_PAGE_UP,
    KEY_PAGE_DOWN,
    KEY_HOME,
    KEY_END,
    KEY_CLOSED, /* the terminal has gone away */
};

/* Takes the terminal: raw keys, the alternate screen, no cursor. False when stdin or stdout is no
 * terminal. */
bool terminal_open(void);
/* Gives it back as it was. Safe to call twice. */
void terminal_close(void);
void terminal_size(int *columns, int *lines);
/* A key, waiting at most `seconds` (below 0: for ever). */
int terminal_key(double seconds);
/* Draws a text from the upper left corner, each line cut at the width (a '>' tells), the rest
 * cleared. The cursor shows at the given place (from 0) or is hidden (column < 0). */
void terminal_draw(const char *text, int cursor_column, int cursor_line);
