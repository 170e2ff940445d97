/* ludus games: the registry as a table. */
#include "output.h"
#include "verb.h"

static const verb_example examples[] = {
    {"ludus games", "every built-in game, with its sizes"},
    {"ludus games --json", "the same for programs"},
    {NULL, NULL},
};

static void print_json(void) {
    lu_json json = LU_JSON_INIT;
    lu_json_object(&json);
    lu_json_key_int(&json, "schema", 1);
    lu_json_key_array(&json, "games");
    for (int i = 0; i < lu_game_count(); i++) {
        const lu_game *game = lu_game_at(i);
        lu_json_object(&json);
        lu_json_key_string(&json, "id", game->id);
        lu_json_key_string(&json, "name", game->name);
        lu_json_key_string(&json, "title", game->title);
        lu_json_key_string(&json, "sentence", game->sentence);
        lu_json_key_int(&json, "seats", game->seats);
        lu_json_key_int(&json, "heads", game->heads);
        lu_json_key_int(&json, "actions", lu_game_mask_length(game));
        lu_json_key_int(&json, "observation", lu_game_observation_length(game));
        lu_json_key_int(&json, "state_bytes", game->state_bytes);
        lu_json_key_hex(&json, "hash", lu_spec_hash(game));
        lu_json_key_array(&json, "bots");
        for (int b = 0; b < lu_game_bots(game); b++) {
            lu_json_string(&json, lu_game_bot_at(game, b)->name);
        }
        lu_json_array_end(&json);
        lu_json_key_string(&json, "strongest", lu_game_strongest(game)->name);
        lu_json_object_end(&json);
    }
    lu_json_array_end(&json);
    out_json_end(&json);
}

static lu_status run(verb_call *call, lu_error *error) {
    (void)error;
    if (call->json) {
        print_json();
        return LU_OK;
    }
    table t = table_of("llrrrr");
    table_row(&t, "game", "id", "seats", "actions", "observation", "state bytes");
    for (int i = 0; i < lu_game_count(); i++) {
        const lu_game *game = lu_game_at(i);
        table_row(&t, game->name, game->id, cell("%d", game->seats),
                  cell("%d", lu_game_mask_length(game)),
                  cell("%d", lu_game_observation_length(game)), cell("%u", game->state_bytes));
    }
    table_print(&t);
    table_free(&t);
    out_text("\n");
    int width = out_columns() > 0 && out_columns() < 80 ? out_columns() : 80;
    for (int i = 0; i < lu_game_count(); i++) {
        lu_text text = LU_TEXT_INIT;
        lu_text_addf(&text, "%s: ", lu_game_at(i)->id);
        text_wrap(&text, lu_game_at(i)->sentence, (int)text.length, 4, width);
        out_text_end(&text);
    }
    return LU_OK;
}

const verb verb_games = {
    .name = "games",
    .usage = "games [--json]",
    .sentence = "Lists the games.",
    .examples = examples,
    .options = {"games", NULL, 0},
    .json = true,
    .run = run,
};
