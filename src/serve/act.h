/* What models do, for those who have an observation and no game at hand: a question is read from
 * JSON, several are answered in one pass through the net, and each answer is the same whatever is
 * asked beside it. The server of lines and `POST /api/v1/act` both ask here
 * (docs/policy-server.md).
 * Ownership: a model belongs to its opener; a question owns its rows until act_free. Threads: one
 * at a time per model. */
#pragma once

#include "lines.h"

#include "ludus/agent.h"
#include "ludus/episode.h"
#include "ludus/json.h"

enum {
    ACT_ROWS = 64,         /* questions in one pass through the net */
    ACT_EXTENSIONS = 8,    /* of one question */
    ACT_SESSION_NAME = 64, /* longest name of a session */
};

/* ---- models ---- */

typedef struct act_model {
    char *name;
    uint64_t serial; /* of the owner: no two models have the same, also one after the other */
    const lu_game *game;
    lu_model_file *file;
    lu_episode place; /* the game under the settings it was trained with */
    lu_agent *agent;
    int observation, critic, mask; /* numbers of a row */
    int frames;                    /* that its net reads */
    bool reads_critic;             /* its value needs the critic block */
} act_model;

/* Takes the file, also when it fails: LU_BAD_DATA where the net gives numbers that are none. */
act_model *act_model_open(const char *name, lu_model_file *file, lu_error *error);
void act_model_delete(act_model *model);
/* One object: name, game, hash of its specification, steps, parameters, rating of its card. */
void act_model_write(const act_model *model, lu_json *json);

/* ---- sessions: what is remembered between questions ---- */

typedef struct act_session {
    struct act_session *next;
    char name[ACT_SESSION_NAME + 1];
    uint64_t serial; /* of the model of whom it remembers ... */
    const lu_bot *bot;
    void *memory;   /* ... this */
    bool in_flight; /* it is in the pass that is being gathered */
} act_session;

void act_session_free(act_session *session);

/* ---- questions ---- */

typedef struct act_ask act_ask;

/* A further answer that may be asked for by name. */
typedef struct act_extension {
    const char *name;
    bool wins; /* of models with a win-rate predictor alone */
    void (*write)(const act_ask *ask, lu_json *json);
} act_extension;

struct act_ask {
    const act_model *model;
    const lu_bot *bot; /* in place of the model, whose game it plays; NULL: the model answers */
    const char *session_name; /* in the document that was read; NULL: none */
    bool starts;              /* the session forgets first */
    act_session *session;     /* of the caller, or NULL */
    bool log_probability, entropy, value, probabilities; /* are wanted */
    bool seeded;
    uint64_t seed; /* of what is drawn; of the caller where it was not `seeded` */
    uint32_t best; /* bit h: head h takes its best option */
    int extensions;
    const act_extension *extension[ACT_EXTENSIONS];
    float *x, *critic_x; /* rows; critic_x NULL: not given */
    bool all_frames;     /* x has every frame; else the newest alone */
    uint8_t *legal;
    /* answer */
    int32_t actions[LU_MAX_HEADS];
    float likelihood, worth, win;
    float *p;
    bool failed;
    line_wrong wrong;
};

/* Reads a question to one of these models; false with what is wrong. Where one model is there its
 * name may be left out. `lasting`: sessions are taken. */
bool act_read(const lu_json_value *root, act_model *const *models, int count, bool lasting,
              act_ask *ask, line_wrong *wrong);
void act_free(act_ask *ask);
/* Answers all of them, each in its order where they share a session. */
void act_run(act_ask *const *asks, int count);
/* The answer, or what is wrong, as one object. */
void act_write(const act_ask *ask, lu_json *json);
void act_write_wrong(const line_wrong *wrong, lu_json *json);
