/* Fuzzes a connection of the server: whatever bytes come, in whatever pieces, every answer is
 * whole, every refusal is a problem, and what is kept stays bounded. Workers answer at once here.
 */
#include "src/serve/connection.h"

#include "fuzz_app.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void poke(void *user) {
    (void)user;
}

/* Takes what comes out; false when the connection is at its end. */
static bool take(connection *l, double *now, bool *first) {
    for (;;) {
        size_t length;
        switch (connection_go(l, *now)) {
        case CONNECTION_SEND: {
            const char *bytes = connection_bytes(l, &length);
            if (length == 0 || (*first && (length < 9 || memcmp(bytes, "HTTP/1.1 ", 9) != 0))) {
                abort();
            }
            *first = false;
            connection_sent(l, length, *now);
            break;
        }
        case CONNECTION_WAIT:
            abort(); /* workers answer at once */
        case CONNECTION_READ:
            return true;
        case CONNECTION_LINGER:
        case CONNECTION_CLOSE:
            return false;
        }
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static double now = 1.0;
    app *a = the_app();
    if (size < 1) {
        return 0;
    }
    size_t step = data[0] ? data[0] : size;
    connection *l = connection_open(a, access_enter(a->access_control, "10.0.0.1"), "10.0.0.1",
                                    poke, NULL, now);
    bool first = true, open = true;
    for (size_t at = 1; at < size && open; at += step) {
        size_t piece = size - at < step ? size - at : step;
        if (piece > connection_room(l)) {
            break; /* a WebSocket takes a frame at a time */
        }
        connection_hear(l, (const char *)data + at, piece);
        open = take(l, &now, &first);
    }
    if (open) {
        connection_ended(l);
        (void)take(l, &now, &first);
    }
    connection_close(l);
    now += 10000.0; /* sessions of this input expire */
    app_tick(a, now);
    if (a->held != 0 || access_links(a->access_control) != 0 || sessions_count(a->sessions) != 0) {
        abort();
    }
    return 0;
}
