/* Fuzzes a game for remote learners: lines of three connections in any order, ends of connections
 * in between. The first letter of a line says whose it is (a, b, c; in capitals the connection ends
 * instead). No connection gets more answers than it asked, and nobody stays when all are gone. */
#include "src/serve/env_server.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { PEERS = 3 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    lu_error error = {0};
    const lu_game *game = lu_game_find("duet", &error);
    lu_settings *settings = lu_game_settings(game);
    void *server = env_server_make(&(lu_env_options){.game = game, .settings = settings}, &error);
    lu_settings_delete(settings);
    if (!server) {
        abort();
    }
    line_host host = {.service = &env_server_kind.service,
                      .user = server,
                      .request_seconds = 10.0,
                      .idle_seconds = 60.0};
    line_peer *peers[PEERS] = {NULL};
    size_t asked[PEERS] = {0}, told[PEERS] = {0};
    for (size_t at = 0; at < size;) {
        const uint8_t *end = memchr(data + at, '\n', size - at);
        size_t length = end ? (size_t)(end - data) - at : size - at;
        int who = length > 0 ? (data[at] | 0x20) - 'a' : -1;
        if (who >= 0 && who < PEERS && (data[at] & 0x20) == 0 && peers[who]) {
            line_peer_delete(peers[who]);
            peers[who] = NULL;
        } else if (who >= 0 && who < PEERS) {
            peers[who] = peers[who] ? peers[who] : line_peer_new(&host, 0.0);
            line_hear(peers[who], (const char *)data + at + 1, length - 1, 0.0);
            line_hear(peers[who], "\n", 1, 0.0);
            asked[who]++;
        }
        for (int p = 0; p < PEERS; p++) {
            if (!peers[p]) {
                asked[p] = told[p] = 0;
                continue;
            }
            size_t bytes;
            line_feed(peers[p], 0.0);
            const char *out = line_bytes(peers[p], &bytes);
            for (size_t i = 0; i < bytes; i++) {
                told[p] += out[i] == '\n';
            }
            line_sent(peers[p], bytes, 0.0);
            if (told[p] > asked[p]) {
                abort();
            }
            if (line_done(peers[p])) {
                line_peer_delete(peers[p]);
                peers[p] = NULL;
            }
        }
        at += length + 1;
    }
    for (int p = 0; p < PEERS; p++) {
        if (peers[p]) {
            line_peer_delete(peers[p]);
        }
    }
    env_server_kind.free(server);
    return 0;
}
