/* Fuzzes the reader of WebSocket frames: whatever bytes come, every message that is heard is UTF-8
 * and within its bounds, what goes out is whole frames of a server with nothing behind a close, and
 * all of it is the same in whatever pieces the bytes come. The stream says back what it hears. */
#include "src/serve/websocket.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

typedef struct echo {
    stream base;
    lu_text said;
    bool told;
} echo;

static void must(bool fact) {
    if (!fact) {
        abort();
    }
}

static bool echo_hear(stream *base, const char *text, size_t length) {
    echo *e = (echo *)base;
    must(e->told && length <= HTTP_MESSAGE_MOST && lu_text_is_utf8(text, length));
    lu_text_clear(&e->said);
    lu_text_add(&e->said, "=");
    lu_text_add_n(&e->said, text, length);
    e->told = false;
    return length < 4 || memcmp(text, "away", 4) != 0;
}

static stream_step echo_next(stream *base, double now, lu_text *out, double *wake) {
    echo *e = (echo *)base;
    (void)now;
    *wake = INFINITY;
    if (!e->told) {
        lu_text_add_n(out, e->said.text, e->said.length);
        e->told = true;
    }
    return STREAM_WAIT;
}

/* Whole frames of a server, and nothing behind a close. */
static void check_frames(const lu_text *out) {
    const unsigned char *bytes = (const unsigned char *)out->text;
    for (size_t at = 0; at < out->length;) {
        int opcode = bytes[at] & 15;
        size_t length = out->length - at < 2 ? SIZE_MAX : bytes[at + 1], head = 2;
        must((bytes[at] & 0xf0) == 0x80 && length < 128 && (opcode < 8 || length < 126));
        must(opcode == 1 || opcode == 8 || opcode == 10);
        size_t wide = length == 126 ? 2 : length == 127 ? 8 : 0;
        for (size_t i = 0; i < wide; i++) {
            must(at + 2 + i < out->length);
            length = (i == 0 ? 0 : length << 8) | bytes[at + 2 + i];
        }
        head += wide;
        must(length <= out->length - at - head);
        at += head + length;
        must(opcode != 8 || at == out->length);
    }
}

/* Feeds the bytes in pieces; all that goes out is added to `all`. */
static void converse(const uint8_t *data, size_t size, size_t step, lu_text *all) {
    websocket socket;
    echo e = {.base = {.next = echo_next, .hear = echo_hear}, .told = true};
    lu_text in = LU_TEXT_INIT, out = LU_TEXT_INIT;
    double wake;
    lu_text_init(&e.said);
    websocket_init(&socket);
    for (size_t at = 0; at < size && !socket.leaving; at += step) {
        lu_text_add_n(&in, (const char *)data + at, size - at < step ? size - at : step);
        socket.fresh = true;
        do {
            lu_text_clear(&out);
            must(websocket_go(&socket, &e.base, &in, &out, 1.0, &wake));
            lu_text_add_n(all, out.text, out.length);
        } while (out.length > 0 && !socket.leaving);
    }
    lu_text_free(&in);
    lu_text_free(&out);
    lu_text_free(&e.said);
    websocket_free(&socket);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    lu_text whole = LU_TEXT_INIT, pieces = LU_TEXT_INIT;
    if (size < 2) {
        return 0;
    }
    converse(data + 1, size - 1, size, &whole);
    converse(data + 1, size - 1, data[0] ? data[0] : 1, &pieces);
    check_frames(&whole);
    must(whole.length == pieces.length &&
         (whole.length == 0 || memcmp(whole.text, pieces.text, whole.length) == 0));
    lu_text_free(&whole);
    lu_text_free(&pieces);
    return 0;
}
