/* joker_guide.v1.JokerEnv: joker-brief-v1 as the joker brief describes it
 * (proto/joker_guide.proto). A session is one environment that waits at its end; the reward is 0
 * unless the settings ask for one. Its mask has the ranges of the heads, so that action types and
 * ids become choices by a table.
 */
#include "services.h"

#include <joker_guide.pb-c.h>

#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static const char game_id[] = "joker-brief-v1";

/* Heads of joker-brief-v1. */
enum {
    HEAD_CARD = 1,
    HEAD_BLIND = 9,
    HEAD_BUY,
    HEAD_SELL,
    HEAD_REROLL,
    HEAD_SKIP,
    HEAD_USE,
    HEAD_VOUCHER,
    HEAD_PACK,
    HEADS
};
enum { CARDS = 8, BLINDS = 3, MASK = 46 };
enum { TYPE_SELECT = 0, TYPE_SELECT_BLIND = 3 };

/* The head that takes the id of an action, by its type. */
static const int8_t id_head[] = {
    [5] = HEAD_BUY, [8] = HEAD_SELL, [10] = HEAD_USE, [12] = HEAD_PACK};

/* A step and its answer. */
typedef struct turn {
    JokerGuide__V1__StepResponse step;
    JokerGuide__V1__Observation observation;
    JokerGuide__V1__Tensor features, mask;
    JokerGuide__V1__EnvInfo info;
    float legal[MASK];
    int32_t features_shape, mask_shape;
} turn;

/* A question on its way to its answer. */
typedef struct work {
    const services *all;
    const rpc_question *question;
    rpc_answer *answer;
    bool in_stream; /* answers go in a TrainingResponse */
} work;

static void reply(const work *w, JokerGuide__V1__TrainingResponse__KindCase kind, void *message) {
    if (!w->in_stream) {
        rpc_reply(w->answer, message);
        return;
    }
    JokerGuide__V1__TrainingResponse turned = JOKER_GUIDE__V1__TRAINING_RESPONSE__INIT;
    turned.kind_case = kind;
    turned.step = message; /* one of two pointers that share their place */
    rpc_reply(w->answer, &turned.base);
}

/* ---- what is shown ---- */

static int64_t whole(double value) {
    return value >= 0x1p63                   ? INT64_MAX
           : value < -0x1p63 || isnan(value) ? INT64_MIN
                                             : (int64_t)value;
}

/* Where the fields of EnvInfo stand among the infos of the game, found by their names once. */
static int info_at[LU_MAX_INFOS];

static void find_infos(void) {
    const ProtobufCMessageDescriptor *kind = &joker_guide__v1__env_info__descriptor;
    const lu_game *game = lu_game_find(game_id, NULL);
    for (unsigned f = 0; game && f < kind->n_fields; f++) {
        info_at[f] = lu_game_info_index(game, kind->fields[f].name);
        LU_ASSERT(info_at[f] >= 0);
    }
}

static void fill_info(const session *s, JokerGuide__V1__EnvInfo *info) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    const ProtobufCMessageDescriptor *kind = info->base.descriptor;
    pthread_once(&once, find_infos);
    for (unsigned f = 0; f < kind->n_fields; f++) {
        const ProtobufCFieldDescriptor *field = &kind->fields[f];
        double value = s->now.info[info_at[f]];
        void *at = (unsigned char *)info + field->offset;
        if (field->type == PROTOBUF_C_TYPE_INT64) {
            *(int64_t *)at = whole(value);
        } else if (field->type == PROTOBUF_C_TYPE_FLOAT) {
            *(float *)at = (float)value;
        } else if (field->type == PROTOBUF_C_TYPE_BOOL) {
            *(protobuf_c_boolean *)at = value != 0.0;
        } else {
            *(int32_t *)at = (int32_t)value;
        }
    }
}

static void show(turn *t, const session *s) {
    int observation = lu_game_observation_length(s->place.game);
    *t = (turn){.step = JOKER_GUIDE__V1__STEP_RESPONSE__INIT,
                .observation = JOKER_GUIDE__V1__OBSERVATION__INIT,
                .features = JOKER_GUIDE__V1__TENSOR__INIT,
                .mask = JOKER_GUIDE__V1__TENSOR__INIT,
                .info = JOKER_GUIDE__V1__ENV_INFO__INIT,
                .features_shape = observation,
                .mask_shape = MASK};
    for (int i = 0; i < MASK; i++) {
        t->legal[i] = s->now.mask[i];
    }
    t->features.data = s->now.observation;
    t->features.n_data = (size_t)observation;
    t->features.shape = &t->features_shape;
    t->mask.data = t->legal;
    t->mask.n_data = MASK;
    t->mask.shape = &t->mask_shape;
    t->features.n_shape = t->mask.n_shape = 1;
    t->observation.features = &t->features;
    t->observation.action_mask = &t->mask;
    fill_info(s, &t->info);
    t->step.observation = &t->observation;
    t->step.info = &t->info;
}

/* ---- actions ---- */

/* The choices of all heads; what is not legal stays so. */
static lu_status read_action(const session *s, const JokerGuide__V1__Action *action, int32_t *heads,
                             lu_error *error) {
    static const JokerGuide__V1__Action none = JOKER_GUIDE__V1__ACTION__INIT;
    const JokerGuide__V1__Action *a = action ? action : &none;
    memset(heads, 0, HEADS * sizeof *heads);
    heads[0] = a->action_type;
    if (a->n_params == HEADS - 1) {
        memcpy(heads + 1, a->params, (HEADS - 1) * sizeof *heads);
        return LU_OK;
    }
    if (a->n_params != 0) {
        return lu_fail(error, LU_BAD_VALUE, "params: %zu given; expected none or %d", a->n_params,
                       HEADS - 1);
    }
    if (a->action_type == TYPE_SELECT) {
        bool beyond = (uint32_t)a->action_id >> CARDS != 0;
        for (int i = 0; i < CARDS; i++) {
            heads[HEAD_CARD + i] = beyond ? -1 : a->action_id >> i & 1;
        }
    } else if (a->action_type == TYPE_SELECT_BLIND) {
        /* the one that comes next */
        const uint8_t *blind = s->now.mask + lu_game_head_offset(s->place.game, HEAD_BLIND);
        while (heads[HEAD_BLIND] < BLINDS - 1 && !blind[heads[HEAD_BLIND]]) {
            heads[HEAD_BLIND]++;
        }
    } else if (a->action_type > 0 && a->action_type < LU_COUNT(id_head) &&
               id_head[a->action_type]) {
        heads[id_head[a->action_type]] = a->action_id;
    }
    return LU_OK;
}

static lu_status check_kind(const session *s, lu_error *error) {
    bool fits = strcmp(s->place.game->id, game_id) == 0 && s->environments == 1 && s->now.info;
    return fits ? LU_OK
                : lu_fail(error, LU_NOT_FOUND, "session %llu does not belong to JokerEnv",
                          (unsigned long long)s->id);
}

/* ---- steps ---- */

static void step_one(const work *w, session *s, const int32_t *heads, turn *t) {
    session_step(w->all, s, heads);
    show(t, s);
    t->step.reward = *s->now.reward;
    t->step.done = *s->now.terminated || *s->now.truncated;
}

/* Steps the sessions of `asks`, all or none, and lets `send` reply while they are held. */
static lu_status step_all(const work *w, size_t count, JokerGuide__V1__StepRequest *const *asks,
                          void (*send)(const work *w, size_t count, turn *each), lu_error *error) {
    uint64_t *ids = lu_alloc((count + 1) * sizeof *ids);
    session **held = lu_alloc((count + 1) * sizeof *held);
    for (size_t i = 0; i < count; i++) {
        ids[i] = asks[i]->session_id;
    }
    lu_status status = sessions_take(w->all->sessions, ids, count, held, error);
    if (status == LU_OK) {
        int32_t(*heads)[HEADS] = lu_alloc((count + 1) * sizeof *heads);
        for (size_t i = 0; i < count; i++) {
            LU_THEN(status, check_kind(held[i], error));
            LU_THEN(status, read_action(held[i], asks[i]->action, heads[i], error));
        }
        LU_THEN(status, rpc_in_time(w->question, error));
        if (status == LU_OK) {
            turn *each = lu_alloc((count + 1) * sizeof *each);
            for (size_t i = 0; i < count; i++) {
                step_one(w, held[i], heads[i], &each[i]);
            }
            send(w, count, each);
            free(each);
        }
        free(heads);
        sessions_release(w->all->sessions, held, count);
    }
    free(held);
    free(ids);
    return status;
}

static void send_one(const work *w, size_t count, turn *each) {
    (void)count;
    reply(w, JOKER_GUIDE__V1__TRAINING_RESPONSE__KIND_STEP, &each->step);
}

static void send_batch(const work *w, size_t count, turn *each) {
    JokerGuide__V1__StepBatchResponse batch = JOKER_GUIDE__V1__STEP_BATCH_RESPONSE__INIT;
    batch.responses = lu_alloc((count + 1) * sizeof *batch.responses);
    batch.n_responses = count;
    for (size_t i = 0; i < count; i++) {
        batch.responses[i] = &each[i].step;
    }
    rpc_reply(w->answer, &batch.base);
    free(batch.responses);
}

static lu_status do_step(const work *w, JokerGuide__V1__StepRequest *ask, lu_error *error) {
    return step_all(w, 1, &ask, send_one, error);
}

static lu_status do_batch(const work *w, const JokerGuide__V1__StepBatchRequest *ask,
                          lu_error *error) {
    return step_all(w, ask->n_requests, ask->requests, send_batch, error);
}

/* ---- resets ---- */

/* A new session, held. NULL on an error. */
static session *open_session(const work *w, const char *settings, lu_error *error) {
    session_wish wish = {.game = lu_game_find(game_id, error),
                         .environments = 1,
                         .autoreset = LU_NO_RESET,
                         .parts = WITH_INFO};
    if (!wish.game) {
        return NULL;
    }
    wish.settings = lu_game_settings(wish.game);
    lu_status status =
        lu_settings_set(wish.settings, "reward.mode", "client", LU_FROM_PRESET, "JokerEnv", error);
    LU_THEN(status, read_object(wish.settings, "settings", settings, error));
    if (status != LU_OK) {
        lu_settings_delete(wish.settings);
        return NULL;
    }
    return sessions_open(w->all->sessions, &wish, error);
}

static lu_status start_episode(session *s, const JokerGuide__V1__ResetRequest *ask,
                               lu_error *error) {
    lu_settings *options = lu_game_options(s->place.game);
    lu_status status =
        lu_settings_set(options, "seed", ask->game_seed, LU_FROM_FILE, "game_seed", error);
    if (status != LU_OK) {
        lu_settings_delete(options);
        return status;
    }
    LU_TRY(lu_episode_set_options(&s->place, options, error));
    lu_vec_reset_some(s->vec, s->which, 1, &ask->seed, s->place.options, &s->now);
    return LU_OK;
}

static lu_status do_reset(const work *w, const JokerGuide__V1__ResetRequest *ask, lu_error *error) {
    session *s = NULL;
    lu_status status = LU_OK;
    if (ask->session_id) {
        LU_TRY(sessions_take(w->all->sessions, &ask->session_id, 1, &s, error));
        status = check_kind(s, error);
        if (status == LU_OK && *ask->settings) {
            status = lu_fail(error, LU_BAD_VALUE,
                             "settings are for new sessions: session %llu keeps its own",
                             (unsigned long long)s->id);
        }
    } else if (!(s = open_session(w, ask->settings, error))) {
        return error->status;
    }
    LU_THEN(status, start_episode(s, ask, error));
    if (status == LU_OK) {
        turn t;
        JokerGuide__V1__ResetResponse answer = JOKER_GUIDE__V1__RESET_RESPONSE__INIT;
        show(&t, s);
        answer.observation = &t.observation;
        answer.info = &t.info;
        answer.session_id = s->id;
        reply(w, JOKER_GUIDE__V1__TRAINING_RESPONSE__KIND_RESET, &answer);
    } else if (!ask->session_id) {
        sessions_close(w->all->sessions, s);
        return status;
    }
    sessions_release(w->all->sessions, &s, 1);
    return status;
}

/* ---- methods ---- */

static lu_status do_spec(const work *w, lu_error *error) {
    const lu_game *game = lu_game_find(game_id, error);
    if (!game) {
        return error->status;
    }
    int32_t observation = lu_game_observation_length(game), mask = MASK;
    JokerGuide__V1__TensorSpec features = JOKER_GUIDE__V1__TENSOR_SPEC__INIT, legal = features;
    JokerGuide__V1__GetSpecResponse answer = JOKER_GUIDE__V1__GET_SPEC_RESPONSE__INIT;
    features.shape = &observation;
    legal.shape = &mask;
    features.n_shape = legal.n_shape = 1;
    features.dtype = legal.dtype = (char *)"f32";
    answer.observation = &features;
    answer.action_mask = &legal;
    answer.action_space = MASK;
    rpc_reply(w->answer, &answer.base);
    return LU_OK;
}

static lu_status do_turn(work *w, const JokerGuide__V1__TrainingRequest *ask, lu_error *error) {
    w->in_stream = true;
    switch (ask->kind_case) {
    case JOKER_GUIDE__V1__TRAINING_REQUEST__KIND_RESET:
        return do_reset(w, ask->reset, error);
    case JOKER_GUIDE__V1__TRAINING_REQUEST__KIND_STEP:
        return do_step(w, ask->step, error);
    default:
        return lu_fail(error, LU_BAD_VALUE, "a stream request must hold a reset or a step");
    }
}

/* A handler that unpacks its question as `kind` and hands it to `call`. */
#define HANDLER(name, kind, call)                                                                  \
    static lu_status name(void *context, const rpc_question *question, rpc_answer *answer,         \
                          lu_error *error) {                                                       \
        work w = {context, question, answer, false};                                               \
        ProtobufCMessage *ask =                                                                    \
            rpc_unpack(&joker_guide__v1__##kind##__descriptor, question, error);                   \
        lu_status status = ask ? call : error->status;                                             \
        protobuf_c_message_free_unpacked(ask, NULL);                                               \
        return status;                                                                             \
    }
HANDLER(on_reset, reset_request, do_reset(&w, (JokerGuide__V1__ResetRequest *)ask, error))
HANDLER(on_step, step_request, do_step(&w, (JokerGuide__V1__StepRequest *)ask, error))
HANDLER(on_batch, step_batch_request, do_batch(&w, (JokerGuide__V1__StepBatchRequest *)ask, error))
HANDLER(on_spec, get_spec_request, do_spec(&w, error))
HANDLER(on_turn, training_request, do_turn(&w, (JokerGuide__V1__TrainingRequest *)ask, error))

const rpc_method joker_methods[] = {
    {"/joker_guide.v1.JokerEnv/Reset", RPC_UNARY, on_reset},
    {"/joker_guide.v1.JokerEnv/Step", RPC_UNARY, on_step},
    {"/joker_guide.v1.JokerEnv/StepBatch", RPC_UNARY, on_batch},
    {"/joker_guide.v1.JokerEnv/GetSpec", RPC_UNARY, on_spec},
    {"/joker_guide.v1.JokerEnv/TrainingStream", RPC_STREAM, on_turn},
    {NULL, RPC_UNARY, NULL},
};
