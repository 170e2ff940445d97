/* One handler for all messages: see log.h. The level is atomic because any thread may log while
 * another asks; the handler is set before threads start. A line goes to stderr in one write, so
 * that lines of different threads do not mix. */
#include "ludus/log.h"

#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TEXT_ROOM = 2000, LEVEL_UNREAD = -1 };

static const char *const level_names[] = {"debug", "info", "warning", "error", "off"};

static lu_log_handler *handler_now;
static void *user_now;
static atomic_int level_now = LEVEL_UNREAD;

const char *lu_log_level_name(lu_log_level level) {
    return level >= LU_LOG_DEBUG && level <= LU_LOG_OFF ? level_names[level] : "?";
}

bool lu_log_level_parse(const char *name, lu_log_level *level) {
    for (int i = LU_LOG_DEBUG; i <= LU_LOG_OFF; i++) {
        if (strcmp(name, level_names[i]) == 0) {
            *level = (lu_log_level)i;
            return true;
        }
    }
    return false;
}

void lu_log_set(lu_log_handler *handler, void *user) {
    handler_now = handler;
    user_now = user;
}

void lu_log_set_level(lu_log_level level) {
    atomic_store(&level_now, (int)level);
}

lu_log_level lu_log_get_level(void) {
    int level = atomic_load_explicit(&level_now, memory_order_relaxed);
    if (level == LEVEL_UNREAD) {
        /* two threads may both read the variable: they find the same */
        lu_log_level read = LU_LOG_INFO;
        const char *name = getenv("LUDUS_LOG");
        if (name && !lu_log_level_parse(name, &read)) {
            read = LU_LOG_INFO;
        }
        int unread = LEVEL_UNREAD;
        if (!atomic_compare_exchange_strong(&level_now, &unread, (int)read)) {
            return (lu_log_level)unread; /* set meanwhile: the exchange has fetched it */
        }
        level = (int)read;
    }
    return (lu_log_level)level;
}

bool lu_log_wants(lu_log_level level) {
    return level < LU_LOG_OFF && level >= lu_log_get_level();
}

void lu_log_write(lu_log_level level, const char *format, ...) {
    if (!lu_log_wants(level)) {
        return;
    }
    char text[TEXT_ROOM];
    va_list list;
    va_start(list, format);
    int length = vsnprintf(text, sizeof text, format, list);
    va_end(list);
    if (length < 0) {
        return;
    }
    if (handler_now) {
        handler_now(user_now, level, text);
    } else {
        fprintf(stderr, "%s: %s\n", lu_log_level_name(level), text);
    }
}
