/* Writes a small model for tests in other languages: FOLDER/sample.safetensors, the same as
 * FOLDER/sample.zip, and FOLDER/sample.json with what a reader must find in them. With a game's id
 * behind it an untrained net of that game instead: FOLDER/GAME.safetensors.
 * Usage: make_model FOLDER [GAME] */
#include "ludus/file.h"
#include "ludus/model.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void add_tensor(lu_json *json, const char *name, const char *type, int rank,
                       const int64_t *shape) {
    lu_json_key_object(json, name);
    lu_json_key_string(json, "dtype", type);
    lu_json_key_array(json, "shape");
    for (int i = 0; i < rank; i++) {
        lu_json_int(json, shape[i]);
    }
    lu_json_array_end(json);
    lu_json_key_array(json, "values");
}

static void add_doubles(lu_json *json, const char *name, int rank, int64_t length,
                        const double *values) {
    add_tensor(json, name, "F64", rank, &length);
    for (int64_t i = 0; i < length; i++) {
        lu_json_real(json, values[i]);
    }
    lu_json_array_end(json);
    lu_json_object_end(json);
}

/* Names, shapes and values as the model has them, not as its file says. */
static void describe(lu_json *json, const lu_model_file *file, const double *variance) {
    double clip = (double)file->observation.clip;
    lu_json_object(json);
    lu_json_key_object(json, "tensors");
    for (int t = 0; t < lu_net_tensors(file->net); t++) {
        const lu_tensor *tensor = lu_net_tensor(file->net, t);
        add_tensor(json, tensor->name, "F32", tensor->rank, tensor->shape);
        for (size_t i = 0; i < tensor->count; i++) {
            lu_json_float(json, lu_net_block(file->net)[tensor->offset + i]);
        }
        lu_json_array_end(json);
        lu_json_object_end(json);
    }
    add_doubles(json, "normaliser.mean", 1, file->observation.length, file->observation.mean);
    add_doubles(json, "normaliser.var", 1, file->observation.length, variance);
    add_doubles(json, "normaliser.count", 0, 1, &file->observation.count);
    add_doubles(json, "normaliser.clip", 0, 1, &clip);
    lu_json_object_end(json);
    lu_json_key_object(json, "metadata");
    lu_json_key_string(json, "format", "pt");
    lu_json_key_string(json, "ludus.game", file->game->id);
    lu_json_key_string(json, "ludus.kind", "policy");
    lu_json_key_string(json, "ludus.step", "1000");
    lu_json_key_string(json, "ludus.seed", "18446744073709551615");
    lu_json_key_string(json, "ludus.build", file->build);
    lu_json_object_end(json);
    lu_json_object_end(json);
}

/* The settings of a small net of a game. */
static lu_settings *small_net(const lu_game *game) {
    lu_settings *settings = lu_settings_new();
    lu_settings_add(settings, lu_net_table);
    lu_game_add_settings(game, settings);
    lu_settings_set(settings, "net.hidden", "4", LU_FROM_FLAG, "make_model", NULL);
    return settings;
}

static int make_untrained(const char *folder, const char *id) {
    lu_error error = {0};
    char path[4096];
    lu_model_file file = {.return_scale = 1, .seed = 1, .build = "test"};
    file.game = lu_game_find(id, &error);
    if (!file.game) {
        fprintf(stderr, "%s\n", error.text);
        return 1;
    }
    file.settings = small_net(file.game);
    file.net = lu_net_new(file.game, LU_NET_POLICY, file.settings, &error);
    snprintf(path, sizeof path, "%s/%s.safetensors", folder, id);
    lu_status status = file.net ? lu_folder_make(folder, &error) : error.status;
    LU_THEN(status, lu_model_file_save(path, &file, &error));
    if (status != LU_OK) {
        fprintf(stderr, "%s\n", error.text);
    }
    lu_net_delete(file.net);
    lu_settings_delete(file.settings);
    return lu_status_exit(status);
}

int main(int count, char **words) {
    lu_error error = {0};
    char path[4096];
    double variance[64];
    if (count == 3) {
        return make_untrained(words[1], words[2]);
    }
    if (count != 2) {
        fprintf(stderr, "usage: make_model FOLDER [GAME]\n");
        return 2;
    }
    lu_model_file file = {.return_scale = 1, .step = 1000, .seed = UINT64_MAX, .build = "test"};
    file.card = (char[]){"{\"title\":\"\xc3\x84 sample\"}"};
    file.game = lu_game_find("corridor-v1", &error);
    if (!file.game) {
        fprintf(stderr, "%s\n", error.text);
        return 1;
    }
    file.settings = small_net(file.game);
    file.net = lu_net_new(file.game, LU_NET_POLICY, file.settings, &error);
    int length = lu_game_observation_length(file.game);
    lu_normaliser_init(&file.observation, length);
    for (int r = 0; r < 7; r++) {
        float row[64] = {0};
        for (int i = 0; i < length && i < 64; i++) {
            row[i] = (float)(r * r + i) / 3.0f;
        }
        lu_normaliser_add(&file.observation, 1, row, 64);
    }
    lu_normaliser_freeze(&file.observation);
    for (int i = 0; i < length && i < 64; i++) {
        variance[i] = file.observation.square[i] / file.observation.count;
    }
    lu_json json = LU_JSON_INIT;
    describe(&json, &file, variance);
    lu_status status = lu_folder_make(words[1], &error);
    snprintf(path, sizeof path, "%s/sample.safetensors", words[1]);
    LU_THEN(status, lu_model_file_save(path, &file, &error));
    snprintf(path, sizeof path, "%s/sample.zip", words[1]);
    LU_THEN(status, lu_model_file_export_zip(path, &file, &error));
    snprintf(path, sizeof path, "%s/sample.json", words[1]);
    LU_THEN(status, lu_file_write(path, json.text, json.length, &error));
    if (status != LU_OK) {
        fprintf(stderr, "%s\n", error.text);
    }
    lu_json_free(&json);
    lu_normaliser_free(&file.observation);
    lu_net_delete(file.net);
    lu_settings_delete(file.settings);
    return lu_status_exit(status);
}
