/* Models that answer: see act.h. */
#include "act.h"

#include "ludus/rng.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- models ---- */

static lu_status verify(act_model *m, lu_error *error) {
    lu_settings *settings = lu_game_settings(m->game);
    lu_settings_take(settings, m->file->settings, LU_FROM_FILE, "the model");
    LU_TRY(lu_episode_open(&m->place, m->game, settings, NULL, error));
    if (lu_agent_probe(m->file, m->place.rules, NULL) == 0) {
        return lu_fail(error, LU_BAD_DATA,
                       "%s: this model's net gives NaN or infinite logits; use an earlier model of "
                       "the same run",
                       m->name);
    }
    return LU_OK;
}

act_model *act_model_open(const char *name, lu_model_file *file, lu_error *error) {
    act_model *m = lu_alloc_zero(1, sizeof *m);
    m->name = lu_strdup(name);
    m->file = file;
    m->game = file->game;
    m->observation = lu_game_observation_length(m->game);
    m->critic = lu_game_critic_length(m->game);
    m->mask = lu_game_mask_length(m->game);
    m->frames = lu_net_frames(file->net)->count;
    m->reads_critic = lu_net_critic_inputs(file->net) > 0;
    if (verify(m, error) != LU_OK) {
        act_model_delete(m);
        return NULL;
    }
    m->agent = lu_agent_new(&(lu_agent_settings){
        .file = file, .rules = m->place.rules, .episodes = ACT_ROWS, .thinks = true});
    return m;
}

void act_model_delete(act_model *m) {
    if (m) {
        lu_agent_delete(m->agent);
        lu_episode_close(&m->place);
        lu_model_file_delete(m->file);
        free(m->name);
        free(m);
    }
}

void act_model_write(const act_model *m, lu_json *json) {
    const char *card = m->file->card;
    lu_json_document *document = card ? lu_json_read("card", card, strlen(card), NULL) : NULL;
    lu_json_object(json);
    lu_json_key_string(json, "name", m->name);
    lu_json_key_string(json, "game", m->game->id);
    lu_json_key_hex(json, "hash", m->file->spec);
    lu_json_key_int(json, "steps", m->file->step);
    lu_json_key_int(json, "parameters", (int64_t)lu_net_parameters(m->file->net));
    if (m->frames > 1) {
        lu_json_key_int(json, "frames", m->frames);
    }
    lu_json_key_value(json, "rating",
                      document ? lu_json_get(lu_json_root(document), "rating") : NULL);
    lu_json_object_end(json);
    lu_json_close(document);
}

void act_session_free(act_session *s) {
    free(s->memory);
    free(s);
}

/* ---- answering ---- */

/* The memory of a session for whoever is asked now; zero where it is another one than before. */
static void *recall(act_ask *ask, size_t bytes) {
    act_session *s = ask->session;
    if (s->serial != ask->model->serial || s->bot != ask->bot || ask->starts || !s->memory) {
        free(s->memory);
        s->memory = lu_alloc_zero(1, bytes + 1);
        s->serial = ask->model->serial;
        s->bot = ask->bot;
    }
    return s->memory;
}

static void run_bot(act_ask *ask) {
    size_t bytes = (size_t)ask->bot->memory_bytes;
    void *own = ask->session ? recall(ask, bytes) : lu_alloc_zero(1, bytes + 1);
    lu_rng rng = lu_rng_from(ask->seed);
    lu_seat_view view = {.rules = ask->model->place.rules,
                         .observation = ask->x,
                         .mask = ask->legal,
                         .memory = bytes > 0 ? own : NULL,
                         .rng = &rng};
    lu_bot_act(ask->model->game, ask->bot, &view, ask->actions);
    if (!ask->session) {
        free(own);
    }
}

/* Row `row` of the pass, with what its session remembers. */
static lu_agent_ask seat_row(act_ask *ask, int row, lu_thought *thought) {
    lu_agent *agent = ask->model->agent;
    size_t bytes;
    lu_agent_begin(agent, row, ask->seed);
    float *memory = lu_agent_memory(agent, row, &bytes);
    if (ask->session && bytes > 0) {
        memcpy(memory, recall(ask, bytes), bytes);
    }
    return (lu_agent_ask){.observation = ask->x,
                          .critic = ask->critic_x,
                          .all_frames = ask->all_frames,
                          .mask = ask->legal,
                          .episode = row,
                          .best = ask->best,
                          .actions = ask->actions,
                          .thought = ask->value ? thought : NULL,
                          .probabilities = ask->p,
                          .win_rate = ask->model->file->win_rate ? &ask->win : NULL,
                          .log_probability = ask->log_probability ? &ask->likelihood : NULL};
}

static void keep_memory(const act_ask *ask, int row) {
    size_t bytes;
    const float *memory = lu_agent_memory(ask->model->agent, row, &bytes);
    if (ask->session && bytes > 0) {
        memcpy(ask->session->memory, memory, bytes);
    }
}

/* One pass through the net of a model. A row that cannot be answered spoils the pass:
 * then each is answered alone, and the one that is at fault is told. */
static void run_pass(const act_model *model, act_ask *const *asks, int count) {
    lu_agent_ask rows[ACT_ROWS] = {{0}};
    lu_thought thoughts[ACT_ROWS];
    lu_error error = {0};
    for (int i = 0; i < count; i++) {
        thoughts[i].value = 0.0f;
        rows[i] = seat_row(asks[i], i, &thoughts[i]);
    }
    lu_status status = lu_agent_act(model->agent, rows, count, &error);
    if (status != LU_OK && count > 1) {
        for (int i = 0; i < count; i++) {
            run_pass(model, asks + i, 1);
        }
        return;
    }
    for (int i = 0; i < count; i++) {
        if (status == LU_OK) {
            keep_memory(asks[i], i);
            asks[i]->worth = thoughts[i].value;
        } else {
            asks[i]->failed = true;
            line_wrong_set(&asks[i]->wrong, "failed", NULL, "%.380s", error.text);
        }
        if (asks[i]->session) {
            asks[i]->session->in_flight = false;
        }
    }
}

/* Gathers passes over one model, a session at most once in each. */
static void run_model(act_ask *const *asks, int count, const act_model *model) {
    act_ask *pass[ACT_ROWS];
    int rows = 0;
    for (int i = 0; i < count; i++) {
        act_ask *ask = asks[i];
        if (ask->model != model || ask->bot) {
            continue;
        }
        if (rows == ACT_ROWS || (ask->session && ask->session->in_flight)) {
            run_pass(model, pass, rows);
            rows = 0;
        }
        if (ask->session) {
            ask->session->in_flight = true;
        }
        pass[rows++] = ask;
    }
    run_pass(model, pass, rows);
}

void act_run(act_ask *const *asks, int count) {
    for (int i = 0; i < count; i++) {
        bool first = true;
        for (int j = 0; j < i && first; j++) {
            first = asks[j]->bot || asks[j]->model != asks[i]->model;
        }
        if (asks[i]->bot) {
            run_bot(asks[i]);
        } else if (first) {
            run_model(asks, count, asks[i]->model);
        }
    }
}

/* ---- answers ---- */

static void write_heads(const act_ask *ask, lu_json *json) {
    const lu_game *game = ask->model->game;
    lu_json_key_array(json, "probs");
    for (int h = 0; h < game->heads; h++) {
        const float *p = ask->p + lu_game_head_offset(game, h);
        lu_json_array(json);
        for (int o = 0; o < game->head[h].options; o++) {
            lu_json_float(json, p[o]);
        }
        lu_json_array_end(json);
    }
    lu_json_array_end(json);
}

static void write_entropy(const act_ask *ask, lu_json *json) {
    const lu_game *game = ask->model->game;
    lu_json_key_array(json, "entropy");
    for (int h = 0; h < game->heads; h++) {
        const float *p = ask->p + lu_game_head_offset(game, h);
        double sum = 0.0;
        for (int o = 0; o < game->head[h].options; o++) {
            sum -= p[o] > 0.0f ? (double)p[o] * log((double)p[o]) : 0.0;
        }
        lu_json_float(json, (float)sum);
    }
    lu_json_array_end(json);
}

static void key_null(lu_json *json, const char *key) {
    lu_json_key(json, key);
    lu_json_null(json);
}

static void key_float(lu_json *json, const char *key, bool wanted, float value) {
    lu_json_key(json, key);
    if (wanted) {
        lu_json_float(json, value);
    } else {
        lu_json_null(json);
    }
}

void act_write(const act_ask *ask, lu_json *json) {
    if (ask->failed) {
        act_write_wrong(&ask->wrong, json);
        return;
    }
    lu_json_object(json);
    lu_json_key_array(json, "action");
    for (int h = 0; h < ask->model->game->heads; h++) {
        lu_json_int(json, ask->actions[h]);
    }
    lu_json_array_end(json);
    key_float(json, "logProb", ask->log_probability, ask->likelihood);
    if (ask->entropy) {
        write_entropy(ask, json);
    } else {
        key_null(json, "entropy");
    }
    key_float(json, "values", ask->value, ask->worth);
    if (ask->probabilities) {
        write_heads(ask, json);
    } else {
        key_null(json, "probs");
    }
    lu_json_key_array(json, "extensionResults");
    for (int e = 0; e < ask->extensions; e++) {
        ask->extension[e]->write(ask, json);
    }
    lu_json_array_end(json);
    lu_json_object_end(json);
}

void act_write_wrong(const line_wrong *wrong, lu_json *json) {
    lu_json_object(json);
    lu_json_key_string(json, "error", wrong->code);
    lu_json_key_string(json, "message", wrong->text);
    lu_json_key_string(json, "field", *wrong->field ? wrong->field : NULL);
    lu_json_object_end(json);
}
