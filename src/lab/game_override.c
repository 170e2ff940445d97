/* Settings of a game as a JSON object, in place of those of a training: see ludus/preset.h. */
#include "ludus/preset.h"

#include "ludus/game_ask.h"

#include <string.h>

/* The reference has settings of the game one level deeper. */
static const char *const sections[] = {"reset-params", "reset_params", NULL};

lu_settings *lu_game_override(const lu_settings *from, const char *key, const lu_game *game,
                              const lu_settings *base, lu_error *error) {
    const char *text = *lu_settings_text_of(from, key) ? lu_settings_text_of(from, key) : "{}";
    lu_settings *settings = lu_game_settings(game);
    lu_json_document *document = lu_json_read(key, text, strlen(text), error);
    const lu_json_value *root = document ? lu_json_root(document) : NULL;
    lu_status status = document ? LU_OK : LU_BAD_VALUE;
    if (document && lu_json_kind_of(root) != LU_JSON_OBJECT) {
        status = lu_fail(error, LU_BAD_VALUE, "it must be a JSON object, {\"KEY\": VALUE}");
    }
    lu_settings_read_files(settings);
    lu_settings_file_names(settings, sections, false);
    LU_THEN(status, lu_settings_object(settings, key, root, LU_FROM_FLAG, error));
    lu_json_close(document);
    if (status != LU_OK) {
        lu_settings_delete(settings);
        return NULL;
    }
    lu_settings_take_as_is(settings, base, "game.");
    return settings;
}
