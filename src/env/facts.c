/* What people and programs want to know of a game beside its specification: words, bots, events,
 * milestones. No model and no replay depends on it. */
#include "ludus/game_ask.h"

static void write_words(lu_json *json, const char *name, const char *sentence) {
    lu_json_object(json);
    lu_json_key_string(json, "name", name);
    lu_json_key_string(json, "sentence", sentence);
}

static void write_bots(const lu_game *game, lu_json *json) {
    lu_json_array(json);
    for (int b = 0; b < lu_game_bots(game); b++) {
        const lu_bot *bot = lu_game_bot_at(game, b);
        write_words(json, bot->name, bot->sentence);
        lu_json_key_bool(json, "sees_hidden", bot->sees_hidden);
        lu_json_key_int(json, "memory_bytes", bot->memory_bytes);
        lu_json_object_end(json);
    }
    lu_json_array_end(json);
}

static void write_events(const lu_game *game, lu_json *json) {
    lu_json_array(json);
    for (int e = 0; e < game->events; e++) {
        write_words(json, game->event[e].name, game->event[e].sentence);
        lu_json_object_end(json);
    }
    lu_json_array_end(json);
}

static void write_milestones(const lu_game *game, lu_json *json) {
    lu_json_array(json);
    for (int m = 0; m < game->milestones; m++) {
        write_words(json, game->milestone[m].name, game->milestone[m].sentence);
        lu_json_key_real(json, "value", game->milestone[m].value);
        lu_json_object_end(json);
    }
    lu_json_array_end(json);
}

void lu_game_facts_write(const lu_game *game, lu_json *json) {
    lu_json_key_string(json, "name", game->name);
    lu_json_key_string(json, "title", game->title);
    lu_json_key_string(json, "sentence", game->sentence);
    lu_json_key_string(json, "modes", game->modes ? game->modes : "");
    lu_json_key_string(json, "headline", game->headline ? game->headline : "");
    lu_json_key_string(json, "preset", game->preset ? game->preset : "");
    lu_json_key_string(json, "strongest", lu_game_strongest(game)->name);
    lu_json_key(json, "bots");
    write_bots(game, json);
    lu_json_key(json, "events");
    write_events(game, json);
    lu_json_key(json, "milestones");
    write_milestones(game, json);
}
