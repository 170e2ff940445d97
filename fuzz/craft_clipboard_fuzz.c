/* Fuzzes the readers of items of the clipboard and of sessions of `craft advise`: any bytes. A
 * refused text gives a sentence that names the file and nothing else; what was read is an item of
 * its base, and a session that is written again as it was read. */
#include "craft/craft.h"
#include "craft/craft_clipboard.h"
#include "craft/tools/advise.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* The item again, on the pool of its base. */
static void read_back(const craft_pack *pack, const lu_json *json) {
    lu_error error = {0};
    lu_json_document *document = lu_json_read("again", json->text, json->length, &error);
    const lu_json_value *root = document ? lu_json_root(document) : NULL;
    craft_pool *pool = malloc(sizeof *pool);
    craft_switches switches = craft_switches_of(pack->about.version);
    craft_item item;
    const char *base = NULL;
    int64_t ilvl = 0;
    if (!root || lu_json_get_text(root, "base", &base, &error) != LU_OK ||
        lu_json_get_int(root, "ilvl", 1, 100, &ilvl, &error) != LU_OK ||
        craft_pool_init(pool, pack, craft_base_find(pack, base), (int)ilvl, &switches, &error) !=
            LU_OK ||
        craft_item_read(pool, pack, root, &item, &error) != LU_OK) {
        abort();
    }
    free(pool);
    lu_json_close(document);
}

static const lu_setting rows[] = {OPTIMIZE_ASK_SETTINGS};
static const lu_table table = {"fuzz", rows, sizeof rows / sizeof *rows};

/* Reads a session and writes it; false: it was refused, with a sentence. */
static bool read_session(const char *text, size_t length, lu_json *json) {
    craft_advise_session session;
    lu_settings *settings = lu_settings_new();
    lu_error error = {0};
    lu_settings_add(settings, table);
    lu_status status = craft_advise_session_open(&session, "fuzz", text, length, &error);
    LU_THEN(status, craft_advise_session_settings(&session, &table, settings, &error));
    LU_THEN(status, craft_advise_session_read(&session, craft_pack_at(0), &error));
    bool begun = status == LU_OK && session.begun;
    LU_THEN(status, begun ? craft_advise_session_write(&session, craft_pack_at(0), &table, settings,
                                                       json, &error)
                          : LU_OK);
    if (status != LU_OK && !*error.text) {
        abort();
    }
    craft_advise_session_close(&session);
    lu_settings_delete(settings);
    return begun;
}

static void session_again(const char *text, size_t length) {
    lu_json first = LU_JSON_INIT, second = LU_JSON_INIT;
    if (read_session(text, length, &first)) {
        if (!read_session(first.text, first.length, &second) ||
            strcmp(first.text, second.text) != 0) {
            abort();
        }
    }
    lu_json_free(&first);
    lu_json_free(&second);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    const craft_pack *pack = craft_pack_at(0);
    lu_json json = LU_JSON_INIT;
    lu_error error = {0};
    char *bytes = malloc(size + 1); /* an own block, so that reading beyond it is found */
    memcpy(bytes, data, size);
    if (craft_clipboard_read(pack, "fuzz", bytes, size, &json, &error) == LU_OK) {
        read_back(pack, &json);
    } else if (json.length > 0 || !*error.text) {
        abort();
    }
    session_again(bytes, size);
    lu_json_free(&json);
    free(bytes);
    return 0;
}
