/* Games and their facts. */
#include "app.h"

#include <stdlib.h>
#include <string.h>

/* What people want to know first, beside id and seats. */
static void write_head(const app *a, const lu_game *game, lu_json *json) {
    char module[128];
    snprintf(module, sizeof module, "/wasm/%s.wasm", game->name);
    lu_game_facts_write(game, json);
    lu_json_key_string(json, "wasm", site_has(a->site, module) ? module : NULL);
}

void on_games_list(worker *w, const http_request *r, http_answer *answer) {
    lu_json json = LU_JSON_INIT;
    (void)r;
    lu_json_object(&json);
    lu_json_key_array(&json, "games");
    for (int i = 0; i < lu_game_count(); i++) {
        const lu_game *game = lu_game_at(i);
        lu_json_object(&json);
        lu_json_key_string(&json, "id", game->id);
        lu_json_key_int(&json, "seats", game->seats);
        write_head(w->app, game, &json);
        lu_json_object_end(&json);
    }
    lu_json_array_end(&json);
    lu_json_object_end(&json);
    answer_json(answer, 200, &json);
}

static void write_schema(lu_json *json, const char *key, lu_settings *settings, const char *title) {
    char *schema = lu_settings_schema(settings, title);
    lu_json_key_raw(json, key, schema);
    free(schema);
    lu_settings_delete(settings);
}

/* Members beside those of the specification. */
static void write_more(const app *a, const lu_game *game, lu_json *json) {
    lu_json_object(json);
    write_head(a, game, json);
    lu_json_key_hex(json, "hash", lu_spec_hash(game));
    write_schema(json, "settings", lu_game_settings(game), game->id);
    write_schema(json, "options", lu_game_options(game), game->id);
    lu_json_object_end(json);
}

void on_game_get(worker *w, const http_request *r, http_answer *answer) {
    lu_json spec = LU_JSON_INIT, more = LU_JSON_INIT;
    const lu_game *game = lu_game_find(r->given[0], NULL);
    if (!game) {
        answer_problem(answer, r, 404, "not-found", NULL, "there is no such game");
        return;
    }
    lu_spec_write(game, &spec);
    write_more(w->app, game, &more);
    /* two objects become one: the members of the second follow those of the first */
    answer->type = "application/json";
    lu_text_add_n(&answer->body, spec.text, spec.length - 1);
    lu_text_add_char(&answer->body, ',');
    lu_text_add_n(&answer->body, more.text + 1, more.length - 1);
    lu_json_free(&spec);
    lu_json_free(&more);
}
