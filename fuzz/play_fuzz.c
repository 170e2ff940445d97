/* Fuzzes the JSON bodies of the server: the first line of an input makes a session, the others are
 * bodies of steps and resets and messages of its WebSocket. Each is answered, with a session or
 * with a problem that tells what is wrong. */
#include "fuzz_app.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Calls a handler with a body; the answer must be JSON and, when it fails, a problem. */
static int ask(handler *handle, const char *session, const char *body, size_t length,
               char location[200]) {
    http_request r = {.method = HTTP_POST, .id = "1", .given = {session}};
    http_answer answer;
    lu_error error = {0};
    answer_init(&answer);
    r.body = lu_alloc(length + 1);
    memcpy(r.body, body, length);
    r.body[length] = 0;
    r.length = length;
    handle(&the_app()->here, &r, &answer);
    lu_json_document *document =
        lu_json_read("answer", answer.body.text, answer.body.length, &error);
    const lu_json_value *root = document ? lu_json_root(document) : NULL;
    bool fine = answer.status < 400 ? lu_json_get(root, "session") != NULL
                                    : answer.status < 500 && lu_json_get(root, "detail") != NULL;
    if (!fine) {
        abort();
    }
    if (answer.fields.length > 0) {
        snprintf(location, 200, "%.150s", answer.fields.text);
    }
    int status = answer.status;
    lu_json_close(document);
    answer_free(&answer);
    request_free(&r);
    return status;
}

/* A message of the WebSocket, and all that it sends for it. */
static void tell(stream *play, const char *text, size_t length, double now) {
    lu_text out = LU_TEXT_INIT;
    double wake;
    if (play->hear(play, text, length)) {
        int pieces = 0;
        while (play->next(play, now, &out, &wake) == STREAM_MORE) {
            if (++pieces > 2) {
                abort();
            }
        }
        if (pieces == 0) {
            abort(); /* no message stays without an answer */
        }
    }
    lu_text_free(&out);
}

static void play(const char *id, const char *text, size_t size) {
    char nowhere[200];
    http_request r = {.id = "1", .given = {id}};
    http_answer answer;
    answer_init(&answer);
    on_session_socket(&the_app()->here, &r, &answer);
    for (int turn = 0; size > 0; turn++) {
        const char *end = memchr(text, '\n', size);
        size_t length = end ? (size_t)(end - text) : size;
        if (turn % 3 == 0) {
            ask(on_session_step, id, text, length, nowhere);
        } else if (turn % 3 == 1) {
            tell(answer.stream, text, length, the_app()->now);
        } else {
            ask(on_session_reset, id, text, length, nowhere);
        }
        size_t used = length + (end != NULL);
        text += used;
        size -= used;
    }
    answer_free(&answer);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    app *a = the_app();
    char location[200] = "";
    const char *text = (const char *)data;
    if (size > HTTP_BODY_MOST) {
        return 0;
    }
    a->peer = access_enter(a->access_control, "10.0.0.1");
    const char *end = memchr(text, '\n', size);
    size_t length = end ? (size_t)(end - text) : size;
    if (ask(on_session_post, NULL, text, length, location) == 201 && end) {
        const char *id = strstr(location, "/sessions/") + 10;
        char copy[33];
        snprintf(copy, sizeof copy, "%.32s", id);
        play(copy, end + 1, size - length - 1);
    }
    access_leave(a->access_control, a->peer);
    sessions_expire(a->sessions, a->access_control, 1e12);
    if (sessions_count(a->sessions) != 0) {
        abort();
    }
    return 0;
}
