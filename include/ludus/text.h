/* A growing text: views, help, documents and JSON are appended to one and read as a C string. It
 * doubles its room when full, so that n appends cost O(n); `text` is always terminated and never
 * NULL after init. Running out of memory ends the program, so that no append needs a check.
 * Ownership: the lu_text owns its bytes until lu_text_free or lu_text_take. Threads: one per text.
 */
#pragma once

#include "ludus/linkage.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

LU_C_BEGIN

typedef struct lu_text {
    char *text;
    size_t length, room; /* room counts the terminator */
} lu_text;

/* What an empty text points at; never written through. */
extern char lu_no_text[1];
/* lu_text text = LU_TEXT_INIT; members of structs take lu_text_init. */
#define LU_TEXT_INIT ((lu_text){.text = lu_no_text})
void lu_text_init(lu_text *text);
void lu_text_free(lu_text *text);
/* Empties the text and keeps its room. */
void lu_text_clear(lu_text *text);
/* Hands the bytes to the caller, who frees them; the text is empty and initialised after. */
char *lu_text_take(lu_text *text);
/* Makes room for `more` further bytes. */
void lu_text_reserve(lu_text *text, size_t more);

void lu_text_add(lu_text *text, const char *part);
/* Adds `bytes` bytes, which may hold zeros. */
void lu_text_add_n(lu_text *text, const char *part, size_t bytes);
void lu_text_add_char(lu_text *text, char letter);
/* Adds the letter `count` times (count <= 0: nothing). */
void lu_text_fill(lu_text *text, char letter, int count);
/* Writes bytes as base64: 4 letters for every 3 of them, and no zero at the end. */
void lu_base64(const void *bytes, size_t length, char *letters);
void lu_text_addf(lu_text *text, const char *format, ...) __attribute__((format(printf, 2, 3)));
void lu_text_addv(lu_text *text, const char *format, va_list list)
    __attribute__((format(printf, 2, 0)));
/* Adds a number of bytes for people: "812 kB", "1.4 GB". */
void lu_text_add_bytes(lu_text *text, double bytes);
/* Adds a formatted line and its end. */
void lu_text_line(lu_text *text, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* True when the bytes are UTF-8 throughout. */
bool lu_text_is_utf8(const char *bytes, size_t length);

LU_C_END
