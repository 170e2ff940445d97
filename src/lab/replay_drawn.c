/* The page of a replay as the site draws it: web/vite.replay.ts makes the template, one page with
 * Watch's screen and the views of all games. Here the replay file and the game's module go into it,
 * in base64; the page plays the one by the other, so that no frame is stored. */
#include "replay_page_internal.h"

#include "ludus/file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const size_t file_most = (size_t)64 << 20;

typedef struct bytes {
    char *data;
    size_t length;
} bytes;

static void add_base64(lu_text *text, bytes b) {
    size_t letters = (b.length + 2) / 3 * 4;
    lu_text_reserve(text, letters + 1);
    lu_base64(b.data, b.length, text->text + text->length);
    text->length += letters;
    text->text[text->length] = 0;
}

static void add_facts(const lu_replay *replay, const char *name, int64_t from, lu_text *html) {
    lu_json json = LU_JSON_INIT;
    lu_json_object(&json);
    lu_json_key(&json, "header");
    lu_replay_write_header(replay, name, &json);
    lu_json_key_int(&json, "from", from);
    lu_json_object_end(&json);
    replay_json_add(&json, html);
    lu_json_free(&json);
}

/* Reads a file of the site, or of what is beside it: in the project where it is built, else where
 * it is installed. */
static lu_status read_part(const char *own, const char *installed, const char *name, bytes *b,
                           lu_error *error) {
    lu_text path = LU_TEXT_INIT;
    if (!lu_share()) {
        return lu_fail(error, LU_NOT_FOUND, "there is neither a project nor an installation");
    }
    lu_text_addf(&path, "%s/%s/%s", lu_share(), lu_home() ? own : installed, name);
    lu_status status = lu_file_read(path.text, file_most, &b->data, &b->length, error);
    lu_text_free(&path);
    return status;
}

/* The template with what belongs into it, mark by mark. */
static lu_status fill(bytes page, const lu_replay *replay, const char *name, int64_t from,
                      bytes file, bytes module, lu_text *html, lu_error *error) {
    static const char *const marks[] = {"@FACTS@", "@REPLAY@", "@MODULE@"};
    const char *at = page.data;
    for (int m = 0; m < 3; m++) {
        const char *mark = strstr(at, marks[m]);
        if (!mark) {
            return lu_fail(error, LU_DAMAGED_FILE,
                           "the site's replay page has no %s: rebuild the site", marks[m]);
        }
        lu_text_add_n(html, at, (size_t)(mark - at));
        at = mark + strlen(marks[m]);
        if (m == 0) {
            add_facts(replay, name, from, html);
        } else {
            add_base64(html, m == 1 ? file : module);
        }
    }
    lu_text_add(html, at);
    return LU_OK;
}

lu_status lu_replay_page_drawn(const lu_replay *replay, const char *path, int64_t from,
                               lu_text *html, lu_error *error) {
    bytes page = {0}, file = {0}, module = {0};
    char name[128];
    snprintf(name, sizeof name, "%s.wasm", replay->episode.game->name);
    lu_status status = read_part("web/dist", "site", "replay.html", &page, error);
    LU_THEN(status, read_part("build/wasm", "wasm", name, &module, error));
    LU_THEN(status, lu_file_read(path, LU_REPLAY_LIMIT, &file.data, &file.length, error));
    LU_THEN(status, fill(page, replay, path, from, file, module, html, error));
    free(page.data);
    free(module.data);
    free(file.data);
    return status;
}
