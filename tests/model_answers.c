/* Writes models of every game and what they answer in a short play, for the test of the WASM
 * modules: FOLDER/GAME-NET.safetensors and FOLDER/GAME-NET.json with the bits of logits,
 * probabilities and value per decision, all seats choosing their best options.
 * Usage: model_answers FOLDER */
#include "ludus/agent.h"
#include "ludus/file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DECISIONS = 40, SEED = 11 };

typedef struct net_kind {
    const char *name;
    lu_net_kind kind;
    const char *setting[6]; /* key=value, ends with NULL */
} net_kind;

static const net_kind nets[] = {
    {"relu", LU_NET_POLICY, {"net.hidden=48", "net.activation=relu", NULL}},
    {"tanh", LU_NET_POLICY, {"net.hidden=19", "net.activation=tanh", "net.critic=separate", NULL}},
    {"bf16", LU_NET_POLICY, {"net.hidden=32", "net.precision=bf16", NULL}},
    {"mingru", LU_NET_POLICY, {"net.hidden=24", "net.memory=mingru", NULL}},
    {"lstm", LU_NET_POLICY, {"net.hidden=20", "net.memory=lstm", NULL}},
    {"entity", LU_NET_POLICY, {"net.hidden=32", "net.encoder=entity", NULL}},
    {"series",
     LU_NET_POLICY,
     {"net.hidden=32", "net.heads=autoregressive", "net.head_hidden=20,12", NULL}},
    {"frames", LU_NET_POLICY, {"net.hidden=24", "net.frames=0,2,3", NULL}},
    {"q", LU_NET_Q, {"net.hidden=32", "net.dueling=true", NULL}},
};

typedef struct answers {
    lu_model_file file;
    lu_rules *rules;
    lu_env *env;
    lu_agent *agent;
    float *logits, *probabilities;
    lu_json json;
} answers;

/* Bytes as hex digits. */
static void put_bits(lu_json *json, const char *key, const void *bytes, size_t count) {
    const unsigned char *at = bytes;
    lu_text text = LU_TEXT_INIT;
    for (size_t i = 0; i < count; i++) {
        lu_text_addf(&text, "%02x", at[i]);
    }
    lu_json_key_string(json, key, text.text);
    lu_text_free(&text);
}

static lu_status answer(answers *a, int seat, int32_t *actions, lu_error *error) {
    lu_thought thought;
    size_t bytes = (size_t)lu_game_mask_length(a->file.game) * sizeof(float);
    lu_agent_ask ask = {.env = a->env,
                        .seat = seat,
                        .actions = actions,
                        .thought = &thought,
                        .probabilities = a->probabilities,
                        .logits = a->logits};
    lu_status status = lu_agent_act(a->agent, &ask, 1, error);
    if (status == LU_OK) {
        lu_json_object(&a->json);
        put_bits(&a->json, "logits", a->logits, bytes);
        put_bits(&a->json, "probabilities", a->probabilities, bytes);
        put_bits(&a->json, "value", &thought.value, sizeof thought.value);
        lu_json_object_end(&a->json);
    }
    return status;
}

static lu_status play(answers *a, lu_error *error) {
    int32_t actions[LU_MAX_SEATS * LU_MAX_HEADS];
    int heads = a->file.game->heads;
    lu_env_reset(a->env, SEED, NULL);
    for (int k = 0; k < DECISIONS && !a->env->over; k++) {
        for (int seat = 0; seat < a->file.game->seats; seat++) {
            LU_TRY(answer(a, seat, actions + seat * heads, error));
        }
        lu_env_step(a->env, actions);
    }
    return LU_OK;
}

/* Normaliser from random play, so that its numbers are those of the game. */
static void learn_normaliser(answers *a) {
    size_t length = (size_t)lu_game_observation_length(a->file.game);
    int inputs = lu_net_inputs(a->file.net);
    float *row = lu_alloc_zero((size_t)inputs, sizeof *row);
    lu_normaliser_init(&a->file.observation, inputs);
    lu_rng rng = lu_rng_from(3);
    int32_t actions[LU_MAX_SEATS * LU_MAX_HEADS] = {0};
    lu_env_reset(a->env, 3, NULL);
    for (int k = 0; k < 30 && !a->env->over; k++) {
        for (size_t at = 0; at < (size_t)inputs; at += length) { /* of every frame */
            memcpy(row + at, a->env->observation, length * sizeof *row);
        }
        lu_normaliser_add(&a->file.observation, 1, row, (size_t)inputs);
        lu_action_random(a->file.game, a->rules, a->env->state, 0, a->env->mask, &rng, actions);
        lu_env_step(a->env, actions);
    }
    lu_normaliser_freeze(&a->file.observation);
    free(row);
}

static lu_status make(const lu_game *game, const net_kind *kind, const char *folder,
                      lu_error *error) {
    char path[4096];
    answers a = {.file = {.game = game, .return_scale = 1, .step = 1, .build = "test"}};
    lu_status status = LU_OK;
    a.file.settings = lu_settings_new();
    lu_settings_add(a.file.settings, lu_net_table);
    lu_game_add_settings(game, a.file.settings);
    for (int k = 0; kind->setting[k] && status == LU_OK; k++) {
        status = lu_settings_set_pair(a.file.settings, kind->setting[k], LU_FROM_FLAG,
                                      "model_answers", error);
    }
    if (status != LU_OK) {
        lu_settings_delete(a.file.settings);
        return status;
    }
    a.rules = lu_rules_new(game, a.file.settings, error);
    a.file.net = lu_net_new(game, kind->kind, a.file.settings, error);
    if (!a.rules || !a.file.net) {
        status = error->status;
        goto done;
    }
    a.env = lu_env_new(game, a.rules);
    a.logits = lu_alloc_zero((size_t)lu_game_mask_length(game), sizeof *a.logits);
    a.probabilities = lu_alloc_zero((size_t)lu_game_mask_length(game), sizeof *a.probabilities);
    learn_normaliser(&a);
    a.agent = lu_agent_new(&(lu_agent_settings){
        .file = &a.file, .rules = a.rules, .episodes = 1, .greedy = true, .thinks = true});
    lu_agent_begin(a.agent, 0, SEED);
    lu_json_init(&a.json);
    lu_json_object(&a.json);
    lu_json_key_string(&a.json, "game", game->id);
    lu_json_key_int(&a.json, "seed", SEED);
    lu_json_key_array(&a.json, "answers");
    status = play(&a, error);
    lu_json_array_end(&a.json);
    lu_json_object_end(&a.json);
    snprintf(path, sizeof path, "%s/%s-%s.safetensors", folder, game->id, kind->name);
    LU_THEN(status, lu_model_file_save(path, &a.file, error));
    snprintf(path, sizeof path, "%s/%s-%s.json", folder, game->id, kind->name);
    LU_THEN(status, lu_file_write(path, a.json.text, a.json.length, error));
done:
    lu_json_free(&a.json);
    free(a.logits);
    free(a.probabilities);
    lu_normaliser_free(&a.file.observation);
    lu_agent_delete(a.agent);
    lu_env_delete(a.env);
    lu_net_delete(a.file.net);
    lu_rules_delete(a.rules);
    lu_settings_delete(a.file.settings);
    return status;
}

int main(int count, char **words) {
    lu_error error = {LU_OK, ""};
    if (count != 2) {
        fprintf(stderr, "usage: model_answers FOLDER\n");
        return 2;
    }
    lu_status status = lu_folder_make(words[1], &error);
    for (int g = 0; g < lu_game_count() && status == LU_OK; g++) {
        for (size_t k = 0; k < sizeof nets / sizeof *nets && status == LU_OK; k++) {
            status = make(lu_game_at(g), &nets[k], words[1], &error);
        }
    }
    if (status != LU_OK) {
        fprintf(stderr, "%s\n", error.text);
    }
    return lu_status_exit(status);
}
