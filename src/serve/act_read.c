/* Questions to models, read from JSON: a table of members, each with its reader. */
#include "act.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What a reader is given. */
typedef struct reading {
    act_model *const *models;
    int count;
    act_ask *ask;
    line_wrong *wrong;
} reading;

/* ---- extensions ---- */

/* The chosen options in words, per head. */
static void write_names(const act_ask *ask, lu_json *json) {
    const lu_game *game = ask->model->game;
    lu_json_array(json);
    for (int h = 0; h < game->heads; h++) {
        lu_json_string(json, game->head[h].option[ask->actions[h]]);
    }
    lu_json_array_end(json);
}

/* One probability per row of a question, and a question has one. */
static void write_win_rate(const act_ask *ask, lu_json *json) {
    lu_json_object(json);
    lu_json_key_array(json, "WIN");
    lu_json_float(json, ask->win);
    lu_json_array_end(json);
    lu_json_key_array(json, "LOSE");
    lu_json_float(json, 1.0f - ask->win);
    lu_json_array_end(json);
    lu_json_object_end(json);
}

static const act_extension extensions[] = {{"names", false, write_names},
                                           {"winrate", true, write_win_rate}};

static const act_extension *extension_of(const char *name) {
    for (size_t i = 0; i < sizeof extensions / sizeof *extensions; i++) {
        if (strcmp(extensions[i].name, name) == 0) {
            return &extensions[i];
        }
    }
    return NULL;
}

/* ---- members ---- */

static bool is_flag(const lu_json_value *value, bool *flag) {
    lu_json_kind kind = lu_json_kind_of(value);
    double number = lu_json_real_or(value, -1.0);
    *flag = kind == LU_JSON_TRUE || number == 1.0;
    return kind == LU_JSON_TRUE || kind == LU_JSON_FALSE || number == 0.0 || number == 1.0;
}

/* A bot by its name; for one that looks at the state the game may have another, NAME_client. */
static const lu_bot *bot_of(const lu_game *game, const char *name) {
    char client[64];
    const lu_bot *bot = lu_game_bot(game, name), *other = NULL;
    if (bot && bot->sees_hidden) {
        snprintf(client, sizeof client, "%s_client", bot->name);
        other = lu_game_bot(game, client);
    }
    return other ? other : bot;
}

static bool take_bot(const reading *r, const char *name) {
    const char *plain = strncmp(name, "bot:", 4) == 0 ? name + 4 : name;
    for (int i = 0; i < r->count; i++) {
        const lu_bot *bot = bot_of(r->models[i]->game, plain);
        if (!bot) {
            continue;
        }
        bool hidden = bot->sees_hidden ||
                      (bot == &lu_bot_random && lu_game_core(r->models[i]->game)->submask);
        r->ask->bot = bot;
        r->ask->model = r->models[i];
        return !hidden ||
               line_wrong_set(r->wrong, "bad-value", "model",
                              "bot '%s' needs the state of the game, which is not known here",
                              plain);
    }
    return false;
}

static bool read_model(const reading *r, const lu_json_value *value) {
    const char *name = json_word(value);
    if (lu_json_kind_of(value) == LU_JSON_NULL && r->count == 1) {
        r->ask->model = r->models[0];
        return true;
    }
    if (!name) {
        return line_wrong_set(r->wrong, value ? "bad-value" : "missing-field", "model",
                              "model must be the name of one of the %d models here: {\"list\": "
                              "true} lists them",
                              r->count);
    }
    for (int i = 0; i < r->count; i++) {
        if (strcmp(r->models[i]->name, name) == 0) {
            r->ask->model = r->models[i];
            return true;
        }
    }
    r->wrong->code = NULL;
    return take_bot(r, name) ||
           (!r->wrong->code && line_wrong_set(r->wrong, "unknown-model", "model",
                                              "there is no model '%.100s' here: {\"list\": true} "
                                              "lists them",
                                              name));
}

static bool wrong_numbers(const reading *r) {
    const act_model *m = r->ask->model;
    char more[80] = "", frames[80] = "";
    if (m->critic > 0) {
        snprintf(more, sizeof more, ", or of %d with the critic's", m->observation + m->critic);
    }
    if (m->frames > 1) {
        snprintf(frames, sizeof frames, ", or a list of %d such frames, newest first", m->frames);
    }
    return line_wrong_set(r->wrong, "bad-value", "obs", "obs must be one frame of %d numbers%s%s",
                          m->observation, more, frames);
}

/* Numbers of one frame; those of the critic stand behind all frames. */
static bool read_frame(const reading *r, const lu_json_value *frame, float *x, float *critic) {
    size_t own = (size_t)r->ask->model->observation;
    for (size_t i = 0; i < lu_json_count(frame); i++) {
        const lu_json_value *entry = lu_json_at(frame, i);
        bool flag;
        float number = (float)lu_json_real_or(entry, NAN);
        if (!isfinite(number) && is_flag(entry, &flag)) {
            number = flag ? 1.0f : 0.0f;
        }
        if (!isfinite(number)) {
            return line_wrong_set(r->wrong, "bad-value", "obs",
                                  "number %zu of obs isn't a number that a float can hold", i);
        }
        *(i < own ? &x[i] : &critic[i - own]) = number;
    }
    return true;
}

/* One frame, plain or as a list of one, or every frame that the net reads, the newest first. The
 * newest may have the critic's numbers behind it, and so may the others, whose are not read. */
static bool read_obs(const reading *r, const lu_json_value *value) {
    act_ask *ask = r->ask;
    const act_model *m = ask->model;
    if (!value) {
        return line_wrong_set(r->wrong, "missing-field", "obs",
                              "obs is missing: one frame of %d "
                              "numbers",
                              m->observation);
    }
    const lu_json_value *first =
        lu_json_kind_of(value) == LU_JSON_ARRAY ? lu_json_at(value, 0) : NULL;
    bool nested = lu_json_kind_of(first) == LU_JSON_ARRAY;
    size_t frames = nested ? lu_json_count(value) : 1, n = (size_t)m->observation;
    if (frames != 1 && frames != (size_t)m->frames) {
        return wrong_numbers(r);
    }
    float *critic = ask->x + (size_t)m->frames * n;
    for (size_t f = frames; f-- > 0;) {
        const lu_json_value *frame = nested ? lu_json_at(value, f) : value;
        size_t count = lu_json_kind_of(frame) == LU_JSON_ARRAY ? lu_json_count(frame) : 0;
        bool whole = count == n + (size_t)m->critic && m->critic > 0;
        if (count != n && !whole) {
            return wrong_numbers(r);
        }
        if (!read_frame(r, frame, ask->x + f * n, critic)) {
            return false;
        }
        ask->critic_x = whole ? critic : NULL;
    }
    ask->all_frames = frames > 1;
    return true;
}

static bool read_mask(const reading *r, const lu_json_value *value) {
    const lu_game *game = r->ask->model->game;
    if (lu_json_kind_of(value) == LU_JSON_NULL) {
        memset(r->ask->legal, 1, (size_t)r->ask->model->mask);
        return true;
    }
    if (lu_json_kind_of(value) != LU_JSON_ARRAY || lu_json_count(value) != (size_t)game->heads) {
        return line_wrong_set(r->wrong, "bad-value", "actionMasks",
                              "actionMasks must be a list of %d lists: one per head", game->heads);
    }
    bool any = false;
    for (int h = 0; h < game->heads; h++) {
        const lu_json_value *head = lu_json_at(value, (size_t)h);
        size_t options = (size_t)game->head[h].options;
        uint8_t *legal = r->ask->legal + lu_game_head_offset(game, h);
        bool fits = lu_json_kind_of(head) == LU_JSON_ARRAY && lu_json_count(head) == options;
        for (size_t o = 0; o < options && fits; o++) {
            bool flag;
            fits = is_flag(lu_json_at(head, o), &flag);
            legal[o] = flag;
            any = any || flag;
        }
        if (!fits) {
            return line_wrong_set(r->wrong, "bad-value", "actionMasks",
                                  "list %d of actionMasks must have %zu entries, true or false", h,
                                  options);
        }
    }
    return any || line_wrong_set(r->wrong, "bad-value", "actionMasks",
                                 "actionMasks leave no option in any head");
}

static bool read_deterministic(const reading *r, const lu_json_value *value) {
    int heads = r->ask->model->game->heads;
    bool flag;
    r->ask->best = 0;
    if (!value) {
        return true;
    }
    if (is_flag(value, &flag)) {
        r->ask->best = flag ? ~(uint32_t)0 : 0;
        return true;
    }
    bool fits = lu_json_kind_of(value) == LU_JSON_ARRAY && lu_json_count(value) == (size_t)heads;
    for (int h = 0; h < heads && fits; h++) {
        fits = is_flag(lu_json_at(value, (size_t)h), &flag);
        r->ask->best |= fits && flag ? (uint32_t)1 << h : 0;
    }
    return fits ||
           line_wrong_set(r->wrong, "bad-value", "deterministic",
                          "deterministic must be true, false or a list of %d of them", heads);
}

static bool read_wish(const reading *r, const lu_json_value *value, const char *key, bool *wish) {
    *wish = false;
    if (!value || is_flag(value, wish)) {
        return true;
    }
    return line_wrong_set(r->wrong, "bad-value", key, "%s must be true or false", key);
}

static bool read_log_prob(const reading *r, const lu_json_value *value) {
    return read_wish(r, value, "returnLogProb", &r->ask->log_probability);
}

static bool read_entropy(const reading *r, const lu_json_value *value) {
    return read_wish(r, value, "returnEntropy", &r->ask->entropy);
}

static bool read_value(const reading *r, const lu_json_value *value) {
    const act_model *m = r->ask->model;
    if (!read_wish(r, value, "returnValue", &r->ask->value)) {
        return false;
    }
    return !r->ask->value || !m->reads_critic || r->ask->critic_x ||
           line_wrong_set(r->wrong, "bad-value", "returnValue",
                          "the critic of this model reads %d more numbers: send frames of %d",
                          m->critic, m->observation + m->critic);
}

static bool read_probs(const reading *r, const lu_json_value *value) {
    return read_wish(r, value, "returnProbs", &r->ask->probabilities);
}

static bool read_extensions(const reading *r, const lu_json_value *value) {
    size_t count = lu_json_count(value);
    if (value && (lu_json_kind_of(value) != LU_JSON_ARRAY || count > ACT_EXTENSIONS)) {
        return line_wrong_set(r->wrong, "bad-value", "extensions",
                              "extensions must be a list of at most %d names", ACT_EXTENSIONS);
    }
    for (size_t i = 0; i < count; i++) {
        const char *name = json_word(lu_json_at(value, i));
        const act_extension *found = name ? extension_of(name) : NULL;
        if (!found || (found->wins && !r->ask->model->file->win_rate)) {
            return line_wrong_set(r->wrong, "unknown-extension", "extensions",
                                  "model %s has no extension '%.60s'", r->ask->model->name,
                                  name ? name : "");
        }
        r->ask->extension[r->ask->extensions++] = found;
    }
    return true;
}

static bool read_session(const reading *r, const lu_json_value *value) {
    const char *name = value ? json_word(value) : NULL;
    r->ask->session_name = name;
    if (!value || (name && *name && strlen(name) <= ACT_SESSION_NAME)) {
        return true;
    }
    return line_wrong_set(r->wrong, "bad-value", "session",
                          "session must be a name of at most %d bytes", ACT_SESSION_NAME);
}

static bool read_start(const reading *r, const lu_json_value *value) {
    return read_wish(r, value, "start", &r->ask->starts);
}

static bool read_seed(const reading *r, const lu_json_value *value) {
    const char *text =
        lu_json_kind_of(value) == LU_JSON_NUMBER ? lu_json_number_text(value) : json_word(value);
    r->ask->seeded = value != NULL;
    if (!value || (text && lu_parse_u64("seed", text, &r->ask->seed, NULL) == LU_OK)) {
        return true;
    }
    return line_wrong_set(r->wrong, "bad-value", "seed",
                          "seed must be an integer below 2^64, also as a string");
}

/* In the order in which they are read: the shapes of later ones are those of the model. */
static const struct {
    const char *key;
    bool (*read)(const reading *r, const lu_json_value *value); /* of an absent one too */
    bool lasting; /* taken where a connection lasts alone */
} members[] = {
    {"model", read_model, false},
    {"obs", read_obs, false},
    {"actionMasks", read_mask, false},
    {"deterministic", read_deterministic, false},
    {"returnLogProb", read_log_prob, false},
    {"returnEntropy", read_entropy, false},
    {"returnValue", read_value, false},
    {"returnProbs", read_probs, false},
    {"extensions", read_extensions, false},
    {"seed", read_seed, false},
    {"session", read_session, true},
    {"start", read_start, true},
};
enum { MEMBERS = sizeof members / sizeof *members };

static bool only_members(const lu_json_value *root, bool lasting, line_wrong *wrong) {
    for (size_t i = 0; i < lu_json_count(root); i++) {
        const char *key;
        bool known = false;
        lu_json_member(root, i, &key);
        for (int m = 0; m < MEMBERS && !known; m++) {
            known = strcmp(members[m].key, key) == 0 && (lasting || !members[m].lasting);
        }
        if (!known) {
            return line_wrong_set(wrong, "unknown-field", key,
                                  "'%.60s' isn't a member of a request", key);
        }
    }
    return true;
}

/* A bot has one answer: what it does. */
static bool fits_bot(const reading *r) {
    const act_ask *ask = r->ask;
    bool plain = !ask->log_probability && !ask->entropy && !ask->value && !ask->probabilities &&
                 ask->extensions == 0;
    return !ask->bot || plain ||
           line_wrong_set(r->wrong, "bad-value", "model",
                          "bot '%s' only gives an action: no probabilities, values or extensions",
                          ask->bot->name);
}

/* Room for the rows of a question to its model, in one block. */
static void make_rows(act_ask *ask) {
    size_t inputs = (size_t)(ask->model->frames * ask->model->observation + ask->model->critic);
    size_t options = (size_t)ask->model->mask;
    ask->x = lu_alloc((inputs + options) * sizeof *ask->x + options);
    ask->p = ask->x + inputs;
    ask->legal = (uint8_t *)(ask->p + options);
}

bool act_read(const lu_json_value *root, act_model *const *models, int count, bool lasting,
              act_ask *ask, line_wrong *wrong) {
    reading r = {.models = models, .count = count, .ask = ask, .wrong = wrong};
    memset(ask, 0, sizeof *ask);
    if (lu_json_kind_of(root) != LU_JSON_OBJECT) {
        return line_wrong_set(wrong, "bad-json", NULL, "a request is one JSON object");
    }
    bool fits = only_members(root, lasting, wrong);
    for (int m = 0; m < MEMBERS && fits; m++) {
        const lu_json_value *value = lu_json_get(root, members[m].key);
        bool absent = lu_json_kind_of(value) == LU_JSON_NULL; /* null too, as clients write it */
        fits = members[m].read(&r, absent ? NULL : value);
        if (fits && m == 0) {
            make_rows(ask);
        }
    }
    fits = fits && fits_bot(&r);
    if (fits && !ask->entropy && !ask->probabilities) {
        ask->p = NULL;
    }
    if (!fits) {
        act_free(ask);
    }
    return fits;
}

void act_free(act_ask *ask) {
    free(ask->x);
    ask->x = NULL;
}
