/* Fuzzes the reader of lines and the questions to models: whatever bytes come, in whatever pieces,
 * every line gets one answer, which is one JSON object, and nothing is kept. The first byte is the
 * size of the pieces. */
#include "src/serve/act.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { MODELS = 2, MOST = 4096 };

static act_model *models[MODELS];

/* An untrained model of a game. */
static act_model *make_model(const char *game) {
    lu_error error = {0};
    lu_model_file *file = lu_alloc_zero(1, sizeof *file);
    file->game = lu_game_find(game, &error);
    file->settings = lu_game_settings(file->game);
    file->return_scale = 1.0;
    lu_settings_add(file->settings, lu_net_table);
    lu_settings_set(file->settings, "net.hidden", "16", LU_FROM_FLAG, "fuzz", NULL);
    lu_settings_set(file->settings, "net.memory", "mingru", LU_FROM_FLAG, "fuzz", NULL);
    file->net = lu_net_new(file->game, LU_NET_POLICY, file->settings, &error);
    act_model *model = act_model_open(file->game->name, file, &error);
    if (!model) {
        abort();
    }
    return model;
}

typedef struct heard {
    size_t lines, refused;
    act_session session;
} heard;

static void refuse(void *user, line_peer *peer, const line_wrong *wrong) {
    heard *h = user;
    lu_json json = LU_JSON_INIT;
    act_write_wrong(wrong, &json);
    line_answer(peer, json.text, json.length);
    lu_json_free(&json);
    h->refused++;
}

static void hear(void *user, line_peer *peer, char *line, size_t length) {
    heard *h = user;
    lu_error error = {0};
    line_wrong wrong = {0};
    act_ask ask, *asks = &ask;
    lu_json json = LU_JSON_INIT;
    lu_json_document *document = lu_json_read("line", line, length, &error);
    h->lines++;
    if (!document) {
        line_wrong_set(&wrong, "bad-json", NULL, "%.380s", error.text);
        act_write_wrong(&wrong, &json);
    } else if (!act_read(lu_json_root(document), models, MODELS, true, &ask, &wrong)) {
        act_write_wrong(&wrong, &json);
    } else {
        ask.session = ask.session_name ? &h->session : NULL;
        act_run(&asks, 1);
        act_write(&ask, &json);
        act_free(&ask);
    }
    line_answer(peer, json.text, json.length);
    lu_json_free(&json);
    lu_json_close(document);
}

/* Every answer is an object; returns how many there are. */
static size_t check_answers(const char *bytes, size_t length) {
    size_t count = 0;
    while (length > 0) {
        const char *end = memchr(bytes, '\n', length);
        size_t own = end ? (size_t)(end - bytes) : 0;
        lu_json_document *document = end ? lu_json_read("answer", bytes, own, NULL) : NULL;
        if (!document || lu_json_kind_of(lu_json_root(document)) != LU_JSON_OBJECT) {
            abort();
        }
        lu_json_close(document);
        bytes += own + 1;
        length -= own + 1;
        count++;
    }
    return count;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static const line_service service = {
        .line_most = MOST, .owed_most = 8, .hear = hear, .refuse = refuse};
    if (!models[0]) {
        models[0] = make_model("cartpole");
        models[1] = make_model("corridor");
    }
    if (size < 1) {
        return 0;
    }
    heard h = {0};
    line_host host = {
        .service = &service, .user = &h, .request_seconds = 10.0, .idle_seconds = 60.0};
    line_peer *p = line_peer_new(&host, 0.0);
    size_t step = data[0] ? data[0] : size, wanted = 0, at = 1, length;
    for (; at < size && line_room(p) > 0; at += step) {
        size_t piece = size - at < step ? size - at : step;
        line_hear(p, (const char *)data + at, piece, 0.0);
        line_feed(p, 0.0);
    }
    line_ended(p);
    line_feed(p, 0.0);
    const char *out = line_bytes(p, &length);
    wanted = check_answers(out, length);
    line_sent(p, length, 0.0);
    if (wanted != h.lines + h.refused || line_owed(p) || !line_done(p) || h.refused > 1) {
        abort();
    }
    line_peer_delete(p);
    if (host.held != 0 || host.touched) {
        abort();
    }
    free(h.session.memory);
    return 0;
}
