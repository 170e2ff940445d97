/* Ratings in the cards of models, which the policy server and `ludus model show` tell. */
#include "ludus/tournament.h"

#include "ludus/clock.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The rating as one number, and behind it how it was found. */
static void write_rating(const lu_tournament *t, int who, lu_json *json) {
    char date[LU_CLOCK_TEXT];
    const lu_rating *r = &t->rating[who];
    lu_json_key_int(json, "rating", lround(r->elo));
    lu_json_key_object(json, "rated");
    lu_json_key_int(json, "low", lround(r->low));
    lu_json_key_int(json, "high", lround(r->high));
    lu_json_key_object(json, "anchors");
    for (int i = 0; i < t->anchors; i++) {
        lu_json_key_real(json, t->players[t->anchor[i].player].name, t->anchor[i].elo);
    }
    lu_json_object_end(json);
    lu_json_key_int(json, "games", t->match.episodes);
    lu_json_key_int(json, "first_seed", (int64_t)t->match.first_seed);
    lu_json_key_array(json, "players");
    for (int i = 0; i < t->count; i++) {
        const char *name = t->players[i].name, *slash = strrchr(name, '/');
        lu_json_string(json, lu_player_is_file(&t->players[i]) && slash ? slash + 1 : name);
    }
    lu_json_array_end(json);
    lu_json_key_string(json, "date", lu_clock_utc(date, sizeof date));
    lu_json_object_end(json);
}

/* The card with another rating; all else stays. */
static lu_status new_card(const lu_tournament *t, int who, char **card, lu_error *error) {
    const char *old = *card ? *card : "{}";
    lu_json json = LU_JSON_INIT;
    lu_json_document *document = lu_json_read("card", old, strlen(old), error);
    if (!document) {
        return error->status;
    }
    const lu_json_value *root = lu_json_root(document);
    lu_json_object(&json);
    for (size_t i = 0; i < lu_json_count(root); i++) {
        const char *key;
        const lu_json_value *value = lu_json_member(root, i, &key);
        if (strcmp(key, "rating") != 0 && strcmp(key, "rated") != 0) {
            lu_json_key_value(&json, key, value);
        }
    }
    write_rating(t, who, &json);
    lu_json_object_end(&json);
    lu_json_close(document);
    free(*card);
    *card = lu_strdup(json.text);
    lu_json_free(&json);
    return LU_OK;
}

static bool is_archive(const char *path) {
    size_t length = strlen(path);
    return length > 4 && strcmp(path + length - 4, ".zip") == 0;
}

lu_status lu_tournament_keep(const lu_tournament *t, int who, lu_error *error) {
    const lu_player *player = &t->players[who];
    LU_TRY(new_card(t, who, &player->file->card, error));
    return is_archive(player->path) ? lu_model_file_export_zip(player->path, player->file, error)
                                    : lu_model_file_save(player->path, player->file, error);
}
