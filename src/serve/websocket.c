/* Frames of WebSockets: see websocket.h. */
#include "websocket.h"

#include <math.h>
#include <string.h>

enum { OP_MORE = 0, OP_TEXT = 1, OP_BINARY = 2, OP_CLOSE = 8, OP_PING = 9, OP_PONG = 10 };
static const double PING_SECONDS = 30.0, HANGUP_SECONDS = 45.0; /* of a client that is silent */
static const double TICK = 0.004; /* seconds: streams wake at multiples of it, many in a round */
enum { FINAL = 0x80, RESERVED = 0x70, MASKED = 0x80, CONTROL_MOST = 125, MASK = 4 };

void websocket_init(websocket *w) {
    *w = (websocket){0};
    lu_text_init(&w->message);
}

void websocket_free(websocket *w) {
    lu_text_free(&w->message);
}

/* ---- the handshake ---- */

static uint32_t turned(uint32_t value, int bits) {
    return value << bits | value >> (32 - bits);
}

/* One block of SHA-1 (FIPS 180-4), which the handshake asks for; nothing rests on its strength. */
static void sha1_block(uint32_t state[5], const unsigned char block[64]) {
    static const uint32_t add[4] = {0x5a827999u, 0x6ed9eba1u, 0x8f1bbcdcu, 0xca62c1d6u};
    uint32_t w[80], a = state[0], b = state[1], c = state[2], d = state[3], e = state[4];
    for (int i = 0; i < 16; i++) {
        w[i] = (uint32_t)block[4 * i] << 24 | (uint32_t)block[4 * i + 1] << 16 |
               (uint32_t)block[4 * i + 2] << 8 | block[4 * i + 3];
    }
    for (int i = 16; i < 80; i++) {
        w[i] = turned(w[i - 3] ^ w[i - 8] ^ w[i - 14] ^ w[i - 16], 1);
    }
    for (int i = 0; i < 80; i++) {
        uint32_t mix = i < 20              ? (b & c) | (~b & d)
                       : i >= 40 && i < 60 ? (b & c) | (b & d) | (c & d)
                                           : b ^ c ^ d;
        uint32_t next = turned(a, 5) + mix + e + add[i / 20] + w[i];
        e = d;
        d = c;
        c = turned(b, 30);
        b = a;
        a = next;
    }
    const uint32_t end[5] = {a, b, c, d, e};
    for (int i = 0; i < 5; i++) {
        state[i] += end[i];
    }
}

void websocket_accept(const char *key, char accept[29]) {
    static const char salt[] = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";
    unsigned char blocks[128] = {0}, digest[20];
    uint32_t state[5] = {0x67452301u, 0xefcdab89u, 0x98badcfeu, 0x10325476u, 0xc3d2e1f0u};
    const size_t own = strlen(key), length = own + sizeof salt - 1;
    LU_ASSERT(own == 24); /* 60 bytes: two blocks with their length at the end */
    memcpy(blocks, key, own);
    memcpy(blocks + own, salt, sizeof salt - 1);
    blocks[length] = 0x80;
    blocks[126] = (unsigned char)(length * 8 >> 8);
    blocks[127] = (unsigned char)(length * 8);
    sha1_block(state, blocks);
    sha1_block(state, blocks + 64);
    for (int i = 0; i < 20; i++) {
        digest[i] = (unsigned char)(state[i / 4] >> (24 - i % 4 * 8));
    }
    lu_base64(digest, sizeof digest, accept);
    accept[28] = '\0';
}

/* ---- frames of ours ---- */

static void add_head(lu_text *out, int opcode, size_t length) {
    lu_text_add_char(out, (char)(FINAL | opcode));
    if (length <= CONTROL_MOST) {
        lu_text_add_char(out, (char)length);
        return;
    }
    int bytes = length <= UINT16_MAX ? 2 : 8;
    lu_text_add_char(out, (char)(bytes == 2 ? 126 : 127));
    for (int i = bytes - 1; i >= 0; i--) {
        lu_text_add_char(out, (char)((uint64_t)length >> (8 * i)));
    }
}

static void add_text(lu_text *out, const char *text, size_t length) {
    add_head(out, OP_TEXT, length);
    lu_text_add_n(out, text, length);
}

static void add_ping(lu_text *out) {
    add_head(out, OP_PING, 0);
}

static void add_close(lu_text *out, int status) {
    add_head(out, OP_CLOSE, 2);
    lu_text_add_char(out, (char)(status >> 8));
    lu_text_add_char(out, (char)status);
}

static websocket_event refused(lu_text *out, int status) {
    add_close(out, status);
    return WEBSOCKET_END;
}

/* ---- frames of a client ---- */

typedef struct frame {
    int opcode;
    bool final;
    size_t head, length; /* bytes */
} frame;

/* Reads the head of a frame: 0 when it is there, -1 when more bytes are needed, else the status to
 * close with. Frames that are refused are so before their payload is waited for. */
static int read_head(const unsigned char *bytes, size_t length, frame *f) {
    if (length < 2) {
        return -1;
    }
    size_t wide = (bytes[1] & 127) == 126 ? 2 : (bytes[1] & 127) == 127 ? 8 : 0;
    uint64_t payload = bytes[1] & 127;
    f->opcode = bytes[0] & 15;
    f->final = bytes[0] & FINAL;
    f->head = 2 + wide + MASK;
    bool control = f->opcode >= OP_CLOSE;
    bool known = f->opcode <= OP_BINARY || (control && f->opcode <= OP_PONG);
    if (bytes[0] & RESERVED || !(bytes[1] & MASKED) || !known || (control && (wide || !f->final))) {
        return WEBSOCKET_CLOSE_PROTOCOL;
    }
    if (f->opcode == OP_BINARY) {
        return WEBSOCKET_CLOSE_KIND;
    }
    if (length < 2 + wide) {
        return -1;
    }
    if (wide) {
        payload = 0;
        for (size_t i = 0; i < wide; i++) {
            payload = payload << 8 | bytes[2 + i];
        }
        if (payload <= CONTROL_MOST || (wide == 8 && payload <= UINT16_MAX)) {
            return WEBSOCKET_CLOSE_PROTOCOL; /* the shortest form is asked for */
        }
    }
    if (payload > HTTP_MESSAGE_MOST) {
        return WEBSOCKET_CLOSE_LARGE;
    }
    f->length = (size_t)payload;
    return length < f->head + f->length ? -1 : 0;
}

/* A close of the client is answered with its own status, or with what is wrong with it. */
static websocket_event hear_close(const unsigned char *payload, size_t length, lu_text *out) {
    int status = length >= 2 ? payload[0] << 8 | payload[1] : WEBSOCKET_CLOSE_NORMAL;
    bool known = (status >= 1000 && status <= 1003) || (status >= 1007 && status <= 1014) ||
                 (status >= 3000 && status <= 4999);
    bool text = length <= 2 || lu_text_is_utf8((const char *)payload + 2, length - 2);
    return refused(out, length == 1 || !known ? WEBSOCKET_CLOSE_PROTOCOL
                        : !text               ? WEBSOCKET_CLOSE_TEXT
                                              : status);
}

static websocket_event hear_text(websocket *w, const frame *f, const char *payload, lu_text *out) {
    if ((f->opcode == OP_MORE) != w->begun) {
        return refused(out, WEBSOCKET_CLOSE_PROTOCOL);
    }
    if (w->message.length + f->length > HTTP_MESSAGE_MOST) {
        return refused(out, WEBSOCKET_CLOSE_LARGE);
    }
    lu_text_add_n(&w->message, payload, f->length);
    w->begun = !f->final;
    if (!f->final) {
        return WEBSOCKET_CONTROL;
    }
    return lu_text_is_utf8(w->message.text, w->message.length) ? WEBSOCKET_MESSAGE
                                                               : refused(out, WEBSOCKET_CLOSE_TEXT);
}

websocket_event websocket_read(websocket *w, char *bytes, size_t length, size_t *used,
                               lu_text *out) {
    frame f;
    *used = 0;
    if (!w->begun) {
        lu_text_clear(&w->message);
    }
    int status = read_head((const unsigned char *)bytes, length, &f);
    if (status != 0) {
        return status < 0 ? WEBSOCKET_MORE : refused(out, status);
    }
    char *payload = bytes + f.head;
    for (size_t i = 0; i < f.length; i++) {
        payload[i] = (char)(payload[i] ^ bytes[f.head - MASK + i % MASK]);
    }
    *used = f.head + f.length;
    switch (f.opcode) {
    case OP_CLOSE:
        return hear_close((const unsigned char *)payload, f.length, out);
    case OP_PING:
        add_head(out, OP_PONG, f.length);
        lu_text_add_n(out, payload, f.length);
        return WEBSOCKET_CONTROL;
    case OP_PONG:
        return WEBSOCKET_CONTROL;
    default:
        return hear_text(w, &f, payload, out);
    }
}

/* ---- the conversation ---- */

static void hear(websocket *w, stream *own, lu_text *in, lu_text *out) {
    size_t used;
    while (!w->deaf && !w->leaving) {
        websocket_event event = websocket_read(w, in->text, in->length, &used, out);
        if (event == WEBSOCKET_MORE) {
            return;
        }
        text_drop(in, used);
        w->leaving = event == WEBSOCKET_END;
        if (event == WEBSOCKET_MESSAGE) {
            w->deaf = true;
            if (!own->hear(own, w->message.text, w->message.length)) {
                w->leaving = true;
                add_close(out, WEBSOCKET_CLOSE_AWAY);
            }
        }
    }
}

/* Adds what the stream has now, as a message; returns until when it has nothing. */
static double tell(websocket *w, stream *own, lu_text *out, double now) {
    lu_text piece = LU_TEXT_INIT;
    double wake = INFINITY;
    stream_step step = own->next(own, now, &piece, &wake);
    if (piece.length > 0) {
        add_text(out, piece.text, piece.length);
    }
    if (step == STREAM_END) {
        w->leaving = true;
        add_close(out, WEBSOCKET_CLOSE_NORMAL);
    } else if (step == STREAM_WAIT) {
        w->deaf = false;
        wake = ceil(wake / TICK) * TICK;
    }
    lu_text_free(&piece);
    return wake;
}

bool websocket_go(websocket *w, stream *own, lu_text *in, lu_text *out, double now, double *wake) {
    if (w->fresh) {
        w->heard = now;
        w->pinged = w->fresh = false;
    }
    if (now >= w->heard + HANGUP_SECONDS) {
        return false;
    }
    for (bool again = true; again && out->length == 0;) {
        hear(w, own, in, out);
        if (out->length == 0 && now >= w->heard + PING_SECONDS && !w->pinged) {
            w->pinged = true;
            add_ping(out);
        }
        bool waited = w->deaf;
        *wake = out->length == 0 ? tell(w, own, out, now) : now;
        again = waited && !w->deaf && in->length > 0; /* it hears again, and more has come */
    }
    *wake = fmin(*wake, w->heard + (w->pinged ? HANGUP_SECONDS : PING_SECONDS));
    return true;
}
