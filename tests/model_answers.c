/* Writes models of every game and what they answer in a short play, for the test of the WASM
 * modules: FOLDER/GAME-NET.safetensors and FOLDER/GAME-NET.json with the bits of logits,
 * probabilities and value per decision, all seats choosing their best options.
 * Usage: model_answers FOLDER */
#include "ludus/env.h"
#include "ludus/file.h"
#include "ludus/model.h"
#include "ludus/policy.h"

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
    {"q", LU_NET_Q, {"net.hidden=32", "net.dueling=true", NULL}},
};

typedef struct answers {
    lu_model_file file;
    lu_rules *rules;
    lu_env *env;
    lu_net_work *work;
    lu_policy policy;
    float *memory, *logits, *probabilities, value;
    uint8_t *legal;
    int32_t best[LU_MAX_HEADS];
    lu_json json;
} answers;

/* Bytes as hex digits. */
static void put_bits(lu_json *json, const char *key, const void *bytes, size_t count) {
    const unsigned char *at = bytes;
    lu_text text;
    lu_text_init(&text);
    for (size_t i = 0; i < count; i++) {
        lu_text_addf(&text, "%02x", at[i]);
    }
    lu_json_key_string(json, key, text.text);
    lu_text_free(&text);
}

/* A Q net: 1 for the best option of each head that was asked, and the mean of their Q values. */
static void believe_best(answers *a) {
    double sum = 0.0;
    int asked = 0;
    for (int h = 0; h < a->policy.heads; h++) {
        int first = a->policy.offset[h], last = a->policy.offset[h + 1];
        bool any = memchr(a->legal + first, 1, (size_t)(last - first)) != NULL;
        for (int o = first; o < last; o++) {
            a->probabilities[o] = any && o == first + a->best[h] ? 1.0f : 0.0f;
        }
        sum += any ? (double)a->logits[first + a->best[h]] : 0.0;
        asked += any;
    }
    a->value = asked ? (float)(sum / asked) : 0.0f;
}

static lu_status answer(answers *a, int seat, lu_error *error) {
    const lu_game *game = a->file.game;
    const lu_env *env = a->env;
    size_t at = (size_t)seat, options = (size_t)a->policy.logits;
    size_t length = (size_t)lu_game_observation_length(game);
    size_t critic = (size_t)lu_game_critic_length(game);
    size_t memory = lu_net_memory_floats(a->file.net);
    lu_net_infer run = {.rows = 1,
                        .observation = env->observation + at * length,
                        .observation_stride = length,
                        .critic = critic ? env->critic + at * critic : NULL,
                        .critic_stride = critic,
                        .normaliser = &a->file.observation,
                        .memory = memory ? a->memory + at * memory : NULL,
                        .logits = a->logits,
                        .logits_stride = (options + 15) / 16 * 16,
                        .value = &a->value};
    lu_net_run(a->file.net, a->work, &run);
    const void *state = env->state;
    uint8_t whose = (uint8_t)seat;
    lu_rng rng = lu_rng_from(0);
    lu_policy_act act = {.rows = 1,
                         .logits = a->logits,
                         .logits_stride = options,
                         .mask = env->mask + at * options,
                         .mask_stride = options,
                         .state = &state,
                         .seat = &whose,
                         .rng = &rng,
                         .greedy = true,
                         .actions = a->best,
                         .actions_stride = LU_MAX_HEADS,
                         .legal = a->legal,
                         .legal_stride = options};
    lu_status status = lu_policy_choose(&a->policy, &act, error);
    if (status != LU_OK) {
        return status;
    }
    lu_policy_probabilities(&a->policy, a->logits, a->legal, a->probabilities);
    if (lu_net_kind_of(a->file.net) == LU_NET_Q) {
        believe_best(a);
    }
    lu_json_object(&a->json);
    put_bits(&a->json, "logits", a->logits, options * sizeof(float));
    put_bits(&a->json, "probabilities", a->probabilities, options * sizeof(float));
    put_bits(&a->json, "value", &a->value, sizeof a->value);
    lu_json_object_end(&a->json);
    return LU_OK;
}

static lu_status play(answers *a, lu_error *error) {
    int32_t actions[LU_MAX_SEATS * LU_MAX_HEADS];
    int heads = a->file.game->heads;
    lu_env_reset(a->env, SEED, NULL);
    for (int k = 0; k < DECISIONS && !a->env->over; k++) {
        for (int seat = 0; seat < a->file.game->seats; seat++) {
            lu_status status = answer(a, seat, error);
            if (status != LU_OK) {
                return status;
            }
            memcpy(actions + seat * heads, a->best, (size_t)heads * sizeof *actions);
        }
        lu_env_step(a->env, actions);
    }
    return LU_OK;
}

/* Normaliser from random play, so that its numbers are those of the game. */
static void learn_normaliser(answers *a) {
    int length = lu_game_observation_length(a->file.game);
    lu_normaliser_init(&a->file.observation, length);
    lu_rng rng = lu_rng_from(3);
    int32_t actions[LU_MAX_SEATS * LU_MAX_HEADS] = {0};
    lu_env_reset(a->env, 3, NULL);
    for (int k = 0; k < 30 && !a->env->over; k++) {
        lu_normaliser_add(&a->file.observation, 1, a->env->observation, (size_t)length);
        lu_action_random(a->file.game, a->rules, a->env->state, 0, a->env->mask, &rng, actions);
        lu_env_step(a->env, actions);
    }
    lu_normaliser_freeze(&a->file.observation);
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
    a.work = lu_net_work_new(a.file.net, 1);
    a.policy = lu_policy_of(game, a.rules);
    size_t wide = ((size_t)a.policy.logits + 15) / 16 * 16;
    size_t memory = (size_t)game->seats * lu_net_memory_floats(a.file.net);
    a.memory = lu_alloc_zero(memory + 1, sizeof *a.memory);
    a.logits = lu_alloc_zero(wide, sizeof *a.logits);
    a.probabilities = lu_alloc_zero(wide, sizeof *a.probabilities);
    a.legal = lu_alloc_zero(wide, 1);
    learn_normaliser(&a);
    lu_json_init(&a.json);
    lu_json_object(&a.json);
    lu_json_key_string(&a.json, "game", game->id);
    lu_json_key_int(&a.json, "seed", SEED);
    lu_json_key(&a.json, "answers");
    lu_json_array(&a.json);
    status = play(&a, error);
    lu_json_array_end(&a.json);
    lu_json_object_end(&a.json);
    snprintf(path, sizeof path, "%s/%s-%s.safetensors", folder, game->id, kind->name);
    status = status == LU_OK ? lu_model_file_save(path, &a.file, error) : status;
    snprintf(path, sizeof path, "%s/%s-%s.json", folder, game->id, kind->name);
    status = status == LU_OK ? lu_file_write(path, a.json.text, a.json.length, error) : status;
done:
    lu_json_free(&a.json);
    free(a.memory);
    free(a.logits);
    free(a.probabilities);
    free(a.legal);
    lu_normaliser_free(&a.file.observation);
    lu_net_work_delete(a.work);
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
