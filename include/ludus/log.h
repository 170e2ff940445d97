/* Messages for the person who runs the program: one handler receives them all, and libraries print
 * nothing by any other way. Without a handler of one's own they go to stderr, one line each with
 * the level in front; LUDUS_LOG=debug|info|warning|error|off sets the lowest level shown (info when
 * unset).
 * Ownership: the text is valid during the handler only. Threads: lu_log_write may be called from
 * any thread, lu_log_set only before threads start. */
#pragma once

#include "ludus/linkage.h"

#include <stdbool.h>

LU_C_BEGIN

typedef enum lu_log_level {
    LU_LOG_DEBUG,
    LU_LOG_INFO,
    LU_LOG_WARNING,
    LU_LOG_ERROR,
    LU_LOG_OFF, /* as a level to show: nothing */
} lu_log_level;

typedef void lu_log_handler(void *user, lu_log_level level, const char *text);

/* Sends messages to `handler`; NULL goes back to stderr. */
void lu_log_set(lu_log_handler *handler, void *user);
/* The lowest level that reaches the handler; it wins over LUDUS_LOG. */
void lu_log_set_level(lu_log_level level);
lu_log_level lu_log_get_level(void);
/* True when a message of this level would be handled: guards text that costs time to make. */
bool lu_log_wants(lu_log_level level);

/* Sends one message, without a line end; text beyond 2,000 bytes is cut. */
void lu_log_write(lu_log_level level, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* "debug", "info", "warning", "error", "off". */
const char *lu_log_level_name(lu_log_level level);
/* Level of such a name; false when there is none. */
bool lu_log_level_parse(const char *name, lu_log_level *level);

LU_C_END
