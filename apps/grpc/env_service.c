/* ludus.v1.Env: every game by messages of bytes (proto/ludus/v1/env.proto). What a session sends
 * are its own buffers, packed while it is held: one copy from the environments to the socket. */
#include "services.h"

#include <ludus/v1/env.pb-c.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#if __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error "arrays of messages are little-endian: this machine would have to turn them"
#endif

/* A question on its way to its answer. */
typedef struct work {
    const services *all;
    const rpc_question *question;
    rpc_answer *answer;
    bool in_stream; /* answers go in a StreamResponse */
} work;

/* What a session shows, and the memory of what is not its own buffers. */
typedef struct shown {
    Ludus__V1__StepResponse message;
    unsigned char *made;
} shown;

static void reply(const work *w, Ludus__V1__StreamResponse__KindCase kind, void *message) {
    if (!w->in_stream) {
        rpc_reply(w->answer, message);
        return;
    }
    Ludus__V1__StreamResponse turn = LUDUS__V1__STREAM_RESPONSE__INIT;
    turn.kind_case = kind;
    turn.step = message; /* one of several pointers that share their place */
    rpc_reply(w->answer, &turn.base);
}

/* ---- the rows of a session ---- */

/* `bytes` of each of these environments: where they stand (all of them), or copied to *room. */
static ProtobufCBinaryData rows_of(const void *from, size_t bytes, const int32_t *which, int count,
                                   unsigned char **room) {
    ProtobufCBinaryData data = {0, NULL};
    if (!from || bytes == 0) {
        return data;
    }
    data.len = bytes * (size_t)count;
    if (!which) {
        data.data = (uint8_t *)from;
        return data;
    }
    data.data = *room;
    for (int i = 0; i < count; i++) {
        const unsigned char *row = (const unsigned char *)from + (size_t)which[i] * bytes;
        memcpy(*room, row, bytes);
        *room += bytes;
    }
    return data;
}

/* Bytes of one environment: all its seats. */
typedef struct row_bytes {
    size_t observation, critic, mask, info, terms, reward;
} row_bytes;

static row_bytes row_bytes_of(const lu_game *game) {
    size_t seats = (size_t)game->seats;
    return (row_bytes){
        .observation = seats * (size_t)lu_game_observation_length(game) * sizeof(float),
        .critic = seats * (size_t)lu_game_critic_length(game) * sizeof(float),
        .mask = seats * (size_t)lu_game_mask_length(game),
        .info = seats * (size_t)game->infos * sizeof(double),
        .terms = seats * (size_t)game->terms * sizeof(float),
        .reward = seats * sizeof(float),
    };
}

/* What the next decisions of these environments see; `which` NULL: all. */
static void show_state(shown *to, const session *s, const int32_t *which, int count) {
    row_bytes bytes = row_bytes_of(s->place.game);
    const lu_buffers *b = &s->now;
    *to = (shown){.message = LUDUS__V1__STEP_RESPONSE__INIT};
    Ludus__V1__StepResponse *m = &to->message;
    if (which) {
        size_t each = bytes.observation + bytes.mask + 1 + bytes.info + bytes.critic;
        to->made = lu_alloc((size_t)count * each);
    }
    unsigned char *room = to->made;
    m->observation = rows_of(b->observation, bytes.observation, which, count, &room);
    m->mask = rows_of(b->mask, bytes.mask, which, count, &room);
    m->to_move = rows_of(b->to_move, 1, which, count, &room);
    m->info = rows_of(b->info, bytes.info, which, count, &room);
    m->critic = rows_of(b->critic, bytes.critic, which, count, &room);
}

/* The environments whose episodes ended in this step, and what they left. */
static void show_ends(shown *to, session *s) {
    const lu_buffers *b = &s->now;
    row_bytes bytes = row_bytes_of(s->place.game);
    int32_t *ended = s->ended;
    int count = 0;
    for (int i = 0; i < s->environments; i++) {
        bool over = b->terminated[i] || b->truncated[i];
        if (over && !s->was_over[i]) {
            ended[count++] = i;
        }
        s->was_over[i] = over && s->waits;
    }
    if (count == 0) {
        return;
    }
    Ludus__V1__StepResponse *m = &to->message;
    to->made = lu_alloc((size_t)count * (bytes.observation + bytes.info + sizeof(uint64_t)));
    unsigned char *room = to->made;
    m->n_ended = (size_t)count;
    m->ended = (uint32_t *)ended;
    m->final_observation = rows_of(b->final_observation, bytes.observation, ended, count, &room);
    m->final_info = rows_of(b->final_info, bytes.info, ended, count, &room);
    m->final_seed = rows_of(b->final_seed, sizeof(uint64_t), ended, count, &room);
}

static void show_step(shown *to, session *s) {
    const lu_buffers *b = &s->now;
    row_bytes bytes = row_bytes_of(s->place.game);
    int count = s->environments;
    show_state(to, s, NULL, count);
    Ludus__V1__StepResponse *m = &to->message;
    m->reward = rows_of(b->reward, bytes.reward, NULL, count, NULL);
    m->terminated = rows_of(b->terminated, 1, NULL, count, NULL);
    m->truncated = rows_of(b->truncated, 1, NULL, count, NULL);
    m->terms = rows_of(b->terms, bytes.terms, NULL, count, NULL);
    m->ticks = rows_of(b->ticks, sizeof(int32_t), NULL, count, NULL);
    m->illegal = rows_of(b->illegal, 1, NULL, count, NULL);
    show_ends(to, s);
}

/* ---- steps ---- */

static lu_status check_actions(const session *s, const Ludus__V1__StepRequest *ask,
                               lu_error *error) {
    size_t wanted = (size_t)s->rows * (size_t)s->place.game->heads * sizeof(int32_t);
    return ask->actions.len == wanted ? LU_OK
                                      : lu_fail(error, LU_BAD_VALUE,
                                                "actions of session %llu have %zu bytes, not %zu: "
                                                "%d rows of %d heads, 4 bytes each",
                                                (unsigned long long)s->id, ask->actions.len, wanted,
                                                s->rows, s->place.game->heads);
}

/* Steps the sessions of `asks`, all or none, and lets `send` reply while they are held. */
static lu_status step_all(const work *w, size_t count, Ludus__V1__StepRequest *const *asks,
                          void (*send)(const work *w, size_t count, shown *each), lu_error *error) {
    uint64_t *ids = lu_alloc((count + 1) * sizeof *ids);
    session **held = lu_alloc((count + 1) * sizeof *held);
    for (size_t i = 0; i < count; i++) {
        ids[i] = asks[i]->session;
    }
    lu_status status = sessions_take(w->all->sessions, ids, count, held, error);
    if (status == LU_OK) {
        for (size_t i = 0; i < count; i++) {
            LU_THEN(status, check_actions(held[i], asks[i], error));
        }
        LU_THEN(status, rpc_in_time(w->question, error));
        if (status == LU_OK) {
            shown *each = lu_alloc_zero(count + 1, sizeof *each);
            for (size_t i = 0; i < count; i++) {
                session_step(w->all, held[i], (const int32_t *)(const void *)asks[i]->actions.data);
                show_step(&each[i], held[i]);
            }
            send(w, count, each);
            for (size_t i = 0; i < count; i++) {
                free(each[i].made);
            }
            free(each);
        }
        sessions_release(w->all->sessions, held, count);
    }
    free(held);
    free(ids);
    return status;
}

static void send_one(const work *w, size_t count, shown *each) {
    (void)count;
    reply(w, LUDUS__V1__STREAM_RESPONSE__KIND_STEP, &each->message);
}

static void send_batch(const work *w, size_t count, shown *each) {
    Ludus__V1__StepBatchResponse batch = LUDUS__V1__STEP_BATCH_RESPONSE__INIT;
    batch.steps = lu_alloc((count + 1) * sizeof *batch.steps);
    batch.n_steps = count;
    for (size_t i = 0; i < count; i++) {
        batch.steps[i] = &each[i].message;
    }
    reply(w, LUDUS__V1__STREAM_RESPONSE__KIND_STEP_BATCH, &batch);
    free(batch.steps);
}

static lu_status do_step(const work *w, Ludus__V1__StepRequest *ask, lu_error *error) {
    return step_all(w, 1, &ask, send_one, error);
}

static lu_status do_batch(const work *w, const Ludus__V1__StepBatchRequest *ask, lu_error *error) {
    return step_all(w, ask->n_steps, ask->steps, send_batch, error);
}

/* ---- resets ---- */

static lu_status read_parts(const Ludus__V1__ResetRequest *ask, unsigned *parts, lu_error *error) {
    *parts = 0;
    for (size_t i = 0; i < ask->n_parts; i++) {
        if ((unsigned)ask->parts[i] > LUDUS__V1__PART__ILLEGAL) {
            return lu_fail(error, LU_BAD_VALUE, "parts: no such part: %d", (int)ask->parts[i]);
        }
        *parts |= 1u << ask->parts[i];
    }
    if ((unsigned)ask->autoreset > LUDUS__V1__AUTORESET__DISABLED) {
        return lu_fail(error, LU_BAD_VALUE, "autoreset: no such mode: %d", (int)ask->autoreset);
    }
    return LU_OK;
}

/* A new session, held. NULL on an error. */
static session *open_session(const work *w, const Ludus__V1__ResetRequest *ask, lu_error *error) {
    session_wish wish = {.environments = ask->environments ? ask->environments : 1,
                         .seed = ask->seed,
                         .autoreset = (lu_autoreset)ask->autoreset};
    if (ask->n_which > 0) {
        lu_fail(error, LU_BAD_VALUE,
                "which: not for a new session, which starts all its environments");
        return NULL;
    }
    if (ask->n_seeds > 0 && ask->n_seeds != (size_t)wish.environments) {
        lu_fail(error, LU_BAD_VALUE, "seeds: %zu given for %lld environments", ask->n_seeds,
                (long long)wish.environments);
        return NULL;
    }
    wish.game = lu_game_find(ask->game, error);
    if (!wish.game || read_parts(ask, &wish.parts, error) != LU_OK) {
        return NULL;
    }
    wish.settings = lu_game_settings(wish.game);
    wish.options = *ask->options ? lu_game_options(wish.game) : NULL;
    lu_status status = read_object(wish.settings, "settings", ask->settings, error);
    if (wish.options) {
        LU_THEN(status, read_object(wish.options, "options", ask->options, error));
    }
    if (status != LU_OK) {
        lu_settings_delete(wish.settings);
        lu_settings_delete(wish.options);
        return NULL;
    }
    return sessions_open(w->all->sessions, &wish, error);
}

/* The environments that `ask` names, into s->ended as a list; *count of them. */
static lu_status read_which(session *s, const Ludus__V1__ResetRequest *ask, int *count,
                            lu_error *error) {
    uint8_t *seen = lu_alloc_zero((size_t)s->environments, 1);
    lu_status status = LU_OK;
    for (size_t i = 0; i < ask->n_which && status == LU_OK; i++) {
        uint32_t at = ask->which[i];
        if (at >= (uint32_t)s->environments || seen[at]) {
            status = lu_fail(error, LU_BAD_VALUE, "which: environment %u %s", at,
                             at < (uint32_t)s->environments ? "is listed twice" : "does not exist");
        } else {
            seen[at] = 1;
            s->ended[i] = (int32_t)at;
        }
    }
    free(seen);
    *count = (int)ask->n_which;
    return status;
}

/* What an open session cannot be asked for any more. */
static lu_status check_open(const session *s, const Ludus__V1__ResetRequest *ask, lu_error *error) {
    size_t chosen = ask->n_which > 0 ? ask->n_which : (size_t)s->environments;
    if (*ask->game || *ask->settings || ask->environments || ask->n_parts || ask->seed ||
        ask->autoreset) {
        return lu_fail(error, LU_BAD_VALUE,
                       "game, settings, environments, seed, autoreset and parts are for new "
                       "sessions: session %llu keeps its own",
                       (unsigned long long)s->id);
    }
    return ask->n_seeds == 0 || ask->n_seeds == chosen
               ? LU_OK
               : lu_fail(error, LU_BAD_VALUE, "seeds: %zu given for %zu environments", ask->n_seeds,
                         chosen);
}

/* Reset options of the episodes that start now, into the session's place. */
static lu_status take_options(session *s, const char *text, lu_error *error) {
    lu_settings *options = lu_game_options(s->place.game);
    lu_status status = read_object(options, "options", text, error);
    if (status != LU_OK) {
        lu_settings_delete(options);
        return status;
    }
    return lu_episode_set_options(&s->place, options, error);
}

static void reply_reset(const work *w, session *s, const int32_t *which, int count) {
    shown state;
    show_state(&state, s, which, count);
    uint64_t *seeds = lu_alloc((size_t)count * sizeof *seeds);
    for (int i = 0; i < count; i++) {
        int at = which ? which[i] : i;
        seeds[i] = lu_vec_place(s->vec, at)->seed;
        s->was_over[at] = 0;
    }
    Ludus__V1__ResetResponse answer = LUDUS__V1__RESET_RESPONSE__INIT;
    answer.session = s->id;
    answer.state = &state.message;
    answer.seeds = (ProtobufCBinaryData){(size_t)count * sizeof *seeds, (uint8_t *)(void *)seeds};
    reply(w, LUDUS__V1__STREAM_RESPONSE__KIND_RESET, &answer);
    free(seeds);
    free(state.made);
}

static lu_status reset_new(const work *w, const Ludus__V1__ResetRequest *ask, lu_error *error) {
    session *s = open_session(w, ask, error);
    if (!s) {
        return error->status;
    }
    if (ask->n_seeds > 0) {
        lu_vec_reset_some(s->vec, s->which, s->environments, ask->seeds, NULL, &s->now);
    } else {
        lu_vec_reset(s->vec, &s->now);
    }
    reply_reset(w, s, NULL, s->environments);
    sessions_release(w->all->sessions, &s, 1);
    return LU_OK;
}

static lu_status reset_open(const work *w, session *s, const Ludus__V1__ResetRequest *ask,
                            lu_error *error) {
    int count = s->environments;
    LU_TRY(check_open(s, ask, error));
    if (ask->n_which > 0) {
        LU_TRY(read_which(s, ask, &count, error));
    }
    if (*ask->options) {
        LU_TRY(take_options(s, ask->options, error));
    }
    const int32_t *which = ask->n_which > 0 ? s->ended : s->which;
    lu_vec_reset_some(s->vec, which, count, ask->n_seeds > 0 ? ask->seeds : NULL,
                      *ask->options ? s->place.options : NULL, &s->now);
    reply_reset(w, s, ask->n_which > 0 ? which : NULL, count);
    return LU_OK;
}

static lu_status do_reset(const work *w, const Ludus__V1__ResetRequest *ask, lu_error *error) {
    session *s;
    if (!ask->session) {
        return reset_new(w, ask, error);
    }
    LU_TRY(sessions_take(w->all->sessions, &ask->session, 1, &s, error));
    lu_status status = reset_open(w, s, ask, error);
    sessions_release(w->all->sessions, &s, 1);
    return status;
}

static lu_status do_close(const work *w, const Ludus__V1__CloseRequest *ask, lu_error *error) {
    session *s;
    LU_TRY(sessions_take(w->all->sessions, &ask->session, 1, &s, error));
    sessions_close(w->all->sessions, s);
    Ludus__V1__CloseResponse answer = LUDUS__V1__CLOSE_RESPONSE__INIT;
    reply(w, LUDUS__V1__STREAM_RESPONSE__KIND_CLOSE, &answer);
    return LU_OK;
}

/* ---- games ---- */

static lu_status do_list(const work *w, lu_error *error) {
    (void)error;
    Ludus__V1__ListGamesResponse answer = LUDUS__V1__LIST_GAMES_RESPONSE__INIT;
    answer.n_games = (size_t)lu_game_count();
    answer.games = lu_alloc(answer.n_games * sizeof *answer.games);
    for (size_t i = 0; i < answer.n_games; i++) {
        answer.games[i] = (char *)lu_game_at((int)i)->id;
    }
    rpc_reply(w->answer, &answer.base);
    free(answer.games);
    return LU_OK;
}

static lu_status do_spec(const work *w, const Ludus__V1__GetSpecRequest *ask, lu_error *error) {
    const lu_game *game = lu_game_find(ask->game, error);
    if (!game) {
        return error->status;
    }
    char hash[17], *terms[LU_MAX_TERMS], *infos[LU_MAX_INFOS];
    uint32_t heads[LU_MAX_HEADS];
    lu_json json = LU_JSON_INIT;
    Ludus__V1__GetSpecResponse answer = LUDUS__V1__GET_SPEC_RESPONSE__INIT;
    lu_spec_write(game, &json);
    snprintf(hash, sizeof hash, "%016llx", (unsigned long long)lu_spec_hash(game));
    for (int i = 0; i < game->heads; i++) {
        heads[i] = (uint32_t)game->head[i].options;
    }
    for (int i = 0; i < game->terms; i++) {
        terms[i] = (char *)game->term[i].name;
    }
    for (int i = 0; i < game->infos; i++) {
        infos[i] = (char *)game->info[i].name;
    }
    answer.game = (char *)game->id;
    answer.hash = hash;
    answer.seats = (uint32_t)game->seats;
    answer.observation = (uint32_t)lu_game_observation_length(game);
    answer.critic = (uint32_t)lu_game_critic_length(game);
    answer.n_heads = (size_t)game->heads;
    answer.heads = heads;
    answer.n_terms = (size_t)game->terms;
    answer.terms = terms;
    answer.n_infos = (size_t)game->infos;
    answer.infos = infos;
    answer.json = json.text;
    rpc_reply(w->answer, &answer.base);
    lu_json_free(&json);
    return LU_OK;
}

static lu_status do_turn(work *w, const Ludus__V1__StreamRequest *ask, lu_error *error) {
    w->in_stream = true;
    switch (ask->kind_case) {
    case LUDUS__V1__STREAM_REQUEST__KIND_RESET:
        return do_reset(w, ask->reset, error);
    case LUDUS__V1__STREAM_REQUEST__KIND_STEP:
        return do_step(w, ask->step, error);
    case LUDUS__V1__STREAM_REQUEST__KIND_STEP_BATCH:
        return do_batch(w, ask->step_batch, error);
    case LUDUS__V1__STREAM_REQUEST__KIND_CLOSE:
        return do_close(w, ask->close, error);
    default:
        return lu_fail(error, LU_BAD_VALUE,
                       "a stream request must hold a reset, step, step_batch or close");
    }
}

/* ---- methods ---- */

/* A handler that unpacks its question as `kind` and hands it to `call`. */
#define HANDLER(name, kind, call)                                                                  \
    static lu_status name(void *context, const rpc_question *question, rpc_answer *answer,         \
                          lu_error *error) {                                                       \
        work w = {context, question, answer, false};                                               \
        ProtobufCMessage *ask = rpc_unpack(&ludus__v1__##kind##__descriptor, question, error);     \
        lu_status status = ask ? call : error->status;                                             \
        protobuf_c_message_free_unpacked(ask, NULL);                                               \
        return status;                                                                             \
    }
HANDLER(on_list, list_games_request, do_list(&w, error))
HANDLER(on_spec, get_spec_request, do_spec(&w, (Ludus__V1__GetSpecRequest *)ask, error))
HANDLER(on_reset, reset_request, do_reset(&w, (Ludus__V1__ResetRequest *)ask, error))
HANDLER(on_step, step_request, do_step(&w, (Ludus__V1__StepRequest *)ask, error))
HANDLER(on_batch, step_batch_request, do_batch(&w, (Ludus__V1__StepBatchRequest *)ask, error))
HANDLER(on_turn, stream_request, do_turn(&w, (Ludus__V1__StreamRequest *)ask, error))
HANDLER(on_close, close_request, do_close(&w, (Ludus__V1__CloseRequest *)ask, error))

const rpc_method env_methods[] = {
    {"/ludus.v1.Env/ListGames", RPC_UNARY, on_list},  {"/ludus.v1.Env/GetSpec", RPC_UNARY, on_spec},
    {"/ludus.v1.Env/Reset", RPC_UNARY, on_reset},     {"/ludus.v1.Env/Step", RPC_UNARY, on_step},
    {"/ludus.v1.Env/StepBatch", RPC_UNARY, on_batch}, {"/ludus.v1.Env/Stream", RPC_STREAM, on_turn},
    {"/ludus.v1.Env/Close", RPC_UNARY, on_close},     {NULL, RPC_UNARY, NULL},
};
