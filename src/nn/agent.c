/* Agents: see agent.h. Rows are answered in blocks of the net; every row has its own generator and
 * memory, and the kernels give a row the same bits whatever stands beside it. */
#include "ludus/agent.h"

#include "ludus/hash.h"
#include "ludus/policy.h"
#include "ludus/seeds.h"
#include "ludus/win_rate.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { AGENT_ROWS = 96 }; /* of a block: most that a net takes at once */

struct lu_agent {
    lu_agent_settings settings;
    const lu_game *game;
    lu_net *net;
    lu_policy policy;
    lu_net_work *work;
    int rows; /* of a block */
    bool q, greedy;
    float temperature; /* 1 where logits stay as they are */
    int seats, observation, mask, heads, critic;
    const lu_frames *frames;
    int inputs;    /* numbers that the net reads: observation x frames */
    size_t memory; /* floats of a row */
    size_t past; /* floats behind it: 1 when something was seen, and the last frames, newest first;
                    0 where the net reads one frame */
    size_t stride; /* floats from logits to logits: whole cache lines, as the kernels like */
    float *kept;   /* episodes x seats x (memory + past) */
    lu_rng *rng;   /* episodes x seats */
    /* one block */
    float *x, *critic_x, *rows_memory, *rows_past, *logits, *value, *log_probability;
    uint8_t *legal, *masks, *seat;
    uint32_t *best;
    int32_t *actions;
    lu_rng *draws;
    const void **state;
    lu_net_series series;
    float *win_x;      /* one row, for the win-rate predictor */
    uint64_t *answers; /* a hash of all logits and values so far, for lu_agent_probe; or NULL */
};

static void *block(const lu_agent *a, size_t count, size_t bytes) {
    return lu_alloc_zero(count * (size_t)a->rows + 1, bytes);
}

lu_agent *lu_agent_new(const lu_agent_settings *settings) {
    lu_agent *a = lu_alloc_zero(1, sizeof *a);
    a->settings = *settings;
    a->game = settings->file->game;
    a->net = settings->file->net;
    a->q = lu_net_kind_of(a->net) == LU_NET_Q;
    a->greedy = settings->greedy || (a->q && !(settings->temperature > 0.0));
    a->temperature = settings->temperature > 0.0 ? (float)settings->temperature : 1.0f;
    a->policy = lu_policy_of(a->game, settings->rules);
    a->seats = a->game->seats;
    size_t rows = (size_t)settings->episodes * (size_t)a->seats;
    a->rows = rows < AGENT_ROWS ? (int)rows : AGENT_ROWS;
    a->work = lu_net_work_new(a->net, a->rows);
    a->heads = a->game->heads;
    a->observation = lu_game_observation_length(a->game);
    a->mask = lu_game_mask_length(a->game);
    a->critic = settings->thinks ? lu_net_critic_inputs(a->net) : 0;
    a->memory = lu_net_memory_floats(a->net);
    a->stride = ((size_t)a->mask + 15) / 16 * 16;
    a->frames = lu_net_frames(a->net);
    a->inputs = lu_net_inputs(a->net);
    a->past = a->frames->depth > 1 ? 1 + (size_t)(a->frames->depth * a->observation) : 0;
    a->kept = lu_alloc_zero(rows * (a->memory + a->past) + 1, sizeof *a->kept);
    a->rng = lu_alloc_zero(rows, sizeof *a->rng);
    a->x = block(a, (size_t)a->inputs, sizeof *a->x);
    a->critic_x = block(a, (size_t)a->critic, sizeof *a->critic_x);
    a->rows_memory = block(a, a->memory, sizeof *a->rows_memory);
    a->rows_past = block(a, a->past, sizeof *a->rows_past);
    a->logits = block(a, a->stride, sizeof *a->logits);
    a->value = block(a, 1, sizeof *a->value);
    a->log_probability = block(a, 1, sizeof *a->log_probability);
    a->legal = block(a, (size_t)a->mask, sizeof *a->legal);
    a->masks = block(a, (size_t)a->mask, sizeof *a->masks);
    a->seat = block(a, 1, sizeof *a->seat);
    a->best = block(a, 1, sizeof *a->best);
    a->actions = block(a, (size_t)a->heads, sizeof *a->actions);
    a->draws = block(a, 1, sizeof *a->draws);
    a->state = block(a, 1, sizeof *a->state);
    a->series = (lu_net_series){.net = a->net,
                                .work = a->work,
                                .call = {.actions = a->actions,
                                         .actions_stride = (size_t)a->heads,
                                         .logits = a->logits,
                                         .logits_stride = a->stride}};
    a->win_x = lu_alloc_zero((size_t)a->observation + 1, sizeof *a->win_x);
    return a;
}

void lu_agent_delete(lu_agent *a) {
    if (!a) {
        return;
    }
    lu_net_work_delete(a->work);
    free(a->kept);
    free(a->rng);
    free(a->x);
    free(a->critic_x);
    free(a->rows_memory);
    free(a->rows_past);
    free(a->logits);
    free(a->value);
    free(a->log_probability);
    free(a->best);
    free(a->legal);
    free(a->masks);
    free(a->seat);
    free(a->actions);
    free(a->draws);
    free(a->state);
    free(a->win_x);
    free(a);
}

static size_t row_of(const lu_agent *a, int episode, int seat) {
    return (size_t)episode * (size_t)a->seats + (size_t)seat;
}

/* What is remembered of a seat: the memory of the net, then what it saw. */
static float *kept_of(const lu_agent *a, int episode, int seat) {
    return a->kept + row_of(a, episode, seat) * (a->memory + a->past);
}

void lu_agent_begin(lu_agent *a, int episode, uint64_t seed) {
    for (int seat = 0; seat < a->seats; seat++) {
        size_t row = row_of(a, episode, seat);
        memset(kept_of(a, episode, seat), 0, (a->memory + a->past) * sizeof *a->kept);
        a->rng[row] = lu_rng_from(lu_mix(seed, (uint64_t)seat, 3));
    }
}

float *lu_agent_memory(lu_agent *a, int episode, size_t *bytes) {
    *bytes = (size_t)a->seats * (a->memory + a->past) * sizeof *a->kept;
    return kept_of(a, episode, 0);
}

/* ---- thoughts ---- */

/* Into the options of a head, which begin at entry `first`; of equal ones the earlier stands first.
 */
static void add_top(lu_thought *thought, int first, int most, int option, float probability) {
    int at = thought->top_count;
    if (at == first + most && probability <= thought->top_probability[at - 1]) {
        return;
    }
    at = at < first + most ? thought->top_count++ : at - 1;
    for (; at > first && thought->top_probability[at - 1] < probability; at--) {
        thought->top_action[at] = thought->top_action[at - 1];
        thought->top_probability[at] = thought->top_probability[at - 1];
    }
    thought->top_action[at] = option;
    thought->top_probability[at] = probability;
}

/* Softmax over the legal options of one head, given the heads before it as chosen. */
static void think_head(const lu_agent *a, int first, int options, const float *logits,
                       const uint8_t *legal, lu_thought *thought) {
    double most = -INFINITY, sum = 0.0;
    int best = -1, begin = thought->top_count, kept = lu_thought_top(a->heads);
    for (int o = first; o < first + options; o++) {
        if (legal[o] && (double)logits[o] > most) {
            most = (double)logits[o];
            best = o;
        }
    }
    if (best < 0) {
        return;
    }
    if (a->q && a->greedy) {
        add_top(thought, begin, kept, best, 1.0f);
        return;
    }
    for (int o = first; o < first + options; o++) {
        sum += legal[o] ? exp((double)logits[o] - most) : 0.0;
    }
    for (int o = first; o < first + options; o++) {
        double p = legal[o] ? exp((double)logits[o] - most) / sum : 0.0;
        if (p > 0.0) {
            thought->entropy -= (float)(p * log(p));
            add_top(thought, begin, kept, o, (float)p);
        }
    }
}

/* The best Q over heads that were asked, as the mean that training uses. */
static float best_q(const lu_agent *a, const float *q, const uint8_t *legal) {
    double sum = 0.0;
    int asked = 0;
    for (int h = 0; h < a->heads; h++) {
        int first = a->policy.offset[h], options = a->policy.offset[h + 1] - first;
        int best = lu_q_best(q + first, legal + first, options);
        if (best >= 0) {
            sum += (double)q[first + best] * (double)a->temperature;
            asked++;
        }
    }
    return asked ? (float)(sum / asked) : 0.0f;
}

static void think(const lu_agent *a, int row, lu_thought *thought) {
    const float *logits = a->logits + (size_t)row * a->stride;
    const uint8_t *legal = a->legal + (size_t)row * (size_t)a->mask;
    double scale = a->settings.file->return_scale;
    float value = a->q ? best_q(a, logits, legal) : a->value[row];
    memset(thought, 0, sizeof *thought);
    thought->known = true;
    thought->value = (float)((double)value / (scale > 0.0 ? scale : 1.0));
    for (int h = 0; h < a->heads; h++) {
        int first = a->policy.offset[h];
        think_head(a, first, a->policy.offset[h + 1] - first, logits, legal, thought);
    }
}

static void believe(const lu_agent *a, int row, float *probabilities) {
    const float *logits = a->logits + (size_t)row * a->stride;
    const uint8_t *legal = a->legal + (size_t)row * (size_t)a->mask;
    lu_policy_probabilities(&a->policy, logits, legal, probabilities);
    for (int h = 0; h < a->heads && a->q && a->greedy; h++) {
        int first = a->policy.offset[h], options = a->policy.offset[h + 1] - first;
        int best = lu_q_best(logits + first, legal + first, options);
        for (int o = 0; o < options; o++) {
            probabilities[first + o] = o == best ? 1.0f : 0.0f;
        }
    }
}

/* ---- acting ---- */

/* The rows of a question, of its own or of the environment. */
static void rows_of(const lu_agent *a, const lu_agent_ask *ask, const float **observation,
                    const float **critic, const uint8_t **mask) {
    const lu_env *env = ask->env;
    size_t seat = (size_t)ask->seat;
    *observation = env ? env->observation + seat * (size_t)a->observation : ask->observation;
    *critic = env ? env->critic + seat * (size_t)a->critic : ask->critic;
    *mask = env ? env->mask + seat * (size_t)a->mask : ask->mask;
}

/* The row of a net that reads several frames. The past moves on by one, or begins full of what is
 * seen; a question that brings all frames leaves it as it is. */
static void gather_frames(lu_agent *a, const lu_agent_ask *ask, size_t i, const float *seen) {
    size_t n = (size_t)a->observation, inputs = (size_t)a->inputs;
    const float *past = kept_of(a, ask->episode, ask->seat) + a->memory;
    float *moved = a->rows_past + i * a->past, *frame = moved + 1;
    if (ask->all_frames) {
        memcpy(moved, past, a->past * sizeof *past);
        memcpy(a->x + i * inputs, seen, inputs * sizeof *seen);
        return;
    }
    for (int k = 0; k < a->frames->depth; k++) {
        const float *from = k == 0 || past[0] == 0.0f ? seen : past + 1 + (size_t)(k - 1) * n;
        memcpy(frame + (size_t)k * n, from, n * sizeof *from);
    }
    moved[0] = 1.0f;
    for (int f = 0; f < a->frames->count; f++) {
        memcpy(a->x + i * inputs + (size_t)f * n, frame + (size_t)a->frames->age[f] * n,
               n * sizeof *frame);
    }
}

static void gather(lu_agent *a, const lu_agent_ask *asks, int rows) {
    for (int r = 0; r < rows; r++) {
        const float *observation, *critic;
        const uint8_t *mask;
        size_t at = row_of(a, asks[r].episode, asks[r].seat), i = (size_t)r;
        size_t inputs = (size_t)a->inputs, further = (size_t)a->critic;
        rows_of(a, &asks[r], &observation, &critic, &mask);
        LU_ASSERT(observation && mask);
        if (a->past > 0) {
            gather_frames(a, &asks[r], i, observation);
        } else {
            memcpy(a->x + i * inputs, observation, inputs * sizeof *a->x);
        }
        if (further > 0 && critic) {
            memcpy(a->critic_x + i * further, critic, further * sizeof *a->critic_x);
        } else {
            memset(a->critic_x + i * further, 0, further * sizeof *a->critic_x);
        }
        memcpy(a->masks + i * (size_t)a->mask, mask, (size_t)a->mask);
        memcpy(a->rows_memory + i * a->memory, kept_of(a, asks[r].episode, asks[r].seat),
               a->memory * sizeof *a->kept);
        a->draws[r] = a->rng[at];
        a->state[r] = asks[r].env ? asks[r].env->state : NULL;
        a->seat[r] = (uint8_t)asks[r].seat;
        a->best[r] = asks[r].best;
    }
}

/* How likely the seat of a row wins, by its newest frame. */
static float win_rate_of(const lu_agent *a, size_t row) {
    const lu_model_file *file = a->settings.file;
    if (!file->win_rate) {
        return NAN;
    }
    lu_win_rate_see(file->observation.length ? &file->observation : NULL, a->observation,
                    a->x + row * (size_t)a->inputs, a->win_x);
    return (float)lu_win_rate_run(file->win_rate, a->observation, a->win_x);
}

static void scatter(lu_agent *a, const lu_agent_ask *asks, int rows) {
    for (int r = 0; r < rows; r++) {
        size_t at = row_of(a, asks[r].episode, asks[r].seat), i = (size_t)r;
        float *kept = kept_of(a, asks[r].episode, asks[r].seat);
        memcpy(kept, a->rows_memory + i * a->memory, a->memory * sizeof *kept);
        memcpy(kept + a->memory, a->rows_past + i * a->past, a->past * sizeof *kept);
        a->rng[at] = a->draws[r];
        memcpy(asks[r].actions, a->actions + i * (size_t)a->heads,
               (size_t)a->heads * sizeof *a->actions);
        if (asks[r].thought) {
            think(a, r, asks[r].thought);
            asks[r].thought->foresees = a->settings.file->win_rate != NULL;
            asks[r].thought->win = asks[r].thought->foresees ? win_rate_of(a, i) : 0.0f;
        }
        if (asks[r].probabilities) {
            believe(a, r, asks[r].probabilities);
        }
        if (asks[r].log_probability) {
            *asks[r].log_probability = a->q && a->greedy ? 0.0f : a->log_probability[r];
        }
        if (asks[r].win_rate) {
            *asks[r].win_rate = win_rate_of(a, i);
        }
        if (asks[r].logits) {
            memcpy(asks[r].logits, a->logits + i * a->stride, (size_t)a->mask * sizeof *a->logits);
        }
    }
}

static void hash_answers(lu_agent *a, int rows) {
    for (int r = 0; r < rows; r++) {
        *a->answers = lu_hash(a->logits + (size_t)r * a->stride,
                              (size_t)a->mask * sizeof *a->logits, *a->answers);
        *a->answers = lu_hash(a->value + r, sizeof *a->value, *a->answers);
    }
}

/* Weights of a foreign model may be numbers and their sums not. */
static lu_status check_logits(const lu_agent *a, int rows, lu_error *error) {
    for (int r = 0; r < rows; r++) {
        for (int o = 0; o < a->mask; o++) {
            if (!isfinite(a->logits[(size_t)r * a->stride + (size_t)o])) {
                return lu_fail(error, LU_BAD_DATA,
                               "%s: this model's net gives NaN or infinite logits; use an earlier "
                               "model of the same run",
                               a->game->id);
            }
        }
    }
    return LU_OK;
}

/* Options [from, to) of all rows. */
static void temper(lu_agent *a, int rows, int from, int to) {
    for (int r = 0; r < rows && a->temperature != 1.0f; r++) {
        float *row = a->logits + (size_t)r * a->stride;
        for (int o = from; o < to; o++) {
            row[o] /= a->temperature;
        }
    }
}

/* One head of a net in series. */
static void make_logits(void *user, int head) {
    lu_agent *a = user;
    lu_net_make_logits(&a->series, head);
    temper(a, a->series.call.rows, a->policy.offset[head], a->policy.offset[head + 1]);
}

/* Values cost a pass through the critic: without a memory, which must move on, it is run only where
 * somebody asks. */
static bool values_wanted(const lu_agent *a, const lu_agent_ask *asks, int rows) {
    bool wanted = a->memory > 0 || a->answers;
    for (int r = 0; r < rows && !wanted; r++) {
        wanted = asks[r].thought;
    }
    return a->settings.thinks && wanted;
}

static bool likelihood_wanted(const lu_agent_ask *asks, int rows) {
    for (int r = 0; r < rows; r++) {
        if (asks[r].log_probability) {
            return true;
        }
    }
    return false;
}

static lu_status act_block(lu_agent *a, const lu_agent_ask *asks, int rows, lu_error *error) {
    const lu_model_file *file = a->settings.file;
    bool likelihood = likelihood_wanted(asks, rows);
    gather(a, asks, rows);
    lu_net_run(a->net, a->work,
               &(lu_net_infer){.rows = rows,
                               .observation = a->x,
                               .observation_stride = (size_t)a->inputs,
                               .critic = a->critic > 0 ? a->critic_x : NULL,
                               .critic_stride = (size_t)a->critic,
                               .normaliser = file->observation.length ? &file->observation : NULL,
                               .critic_normaliser = file->critic.length ? &file->critic : NULL,
                               .memory = a->memory ? a->rows_memory : NULL,
                               .logits = a->logits,
                               .logits_stride = a->stride,
                               .value = values_wanted(a, asks, rows) ? a->value : NULL});
    bool in_series = lu_net_in_series(a->net);
    if (!in_series) {
        temper(a, rows, 0, a->mask);
    }
    a->series.call.rows = rows;
    lu_status status =
        lu_policy_choose(&a->policy,
                         &(lu_policy_act){.rows = rows,
                                          .make_logits = in_series ? make_logits : NULL,
                                          .user = a,
                                          .logits = a->logits,
                                          .logits_stride = a->stride,
                                          .mask = a->masks,
                                          .mask_stride = (size_t)a->mask,
                                          .state = a->state,
                                          .seat = a->seat,
                                          .rng = a->draws,
                                          .greedy = a->greedy,
                                          .best = a->best,
                                          .actions = a->actions,
                                          .actions_stride = (size_t)a->heads,
                                          .log_probability = likelihood ? a->log_probability : NULL,
                                          .legal = a->legal,
                                          .legal_stride = (size_t)a->mask},
                         error);
    LU_TRY(check_logits(a, rows, error));
    if (status == LU_OK) {
        scatter(a, asks, rows);
    }
    if (status == LU_OK && a->answers) {
        hash_answers(a, rows);
    }
    return status;
}

lu_status lu_agent_act(lu_agent *a, const lu_agent_ask *asks, int count, lu_error *error) {
    lu_status status = LU_OK;
    for (int first = 0; first < count && status == LU_OK; first += a->rows) {
        int rows = count - first < a->rows ? count - first : a->rows;
        status = act_block(a, asks + first, rows, error);
    }
    return status;
}

/* ---- the probe ---- */

enum { PROBE_SEEDS = 8, PROBE_DECISIONS = 16, PROBE_FIRST = LU_PUBLIC_FIRST };

/* One decision of every seat that is to move. */
static lu_status probe_step(lu_agent *a, int episode, lu_env *env) {
    int32_t actions[LU_MAX_SEATS * LU_MAX_HEADS] = {0};
    lu_agent_ask asks[LU_MAX_SEATS];
    int count = 0;
    for (int seat = 0; seat < a->seats; seat++) {
        if ((lu_env_choosers(env) >> seat) & 1) {
            asks[count++] = (lu_agent_ask){
                .env = env, .episode = episode, .seat = seat, .actions = actions + seat * a->heads};
        }
    }
    lu_status status = lu_agent_act(a, asks, count, NULL);
    if (status == LU_OK) {
        lu_env_step(env, actions);
    }
    return status;
}

uint64_t lu_agent_probe(const lu_model_file *file, const lu_rules *rules, const void *options) {
    uint64_t hash = 0;
    lu_status status = LU_OK;
    lu_agent *a = lu_agent_new(&(lu_agent_settings){
        .file = file, .rules = rules, .episodes = PROBE_SEEDS, .thinks = true});
    lu_env *env = lu_env_new(file->game, rules);
    a->answers = &hash;
    for (int e = 0; e < PROBE_SEEDS && status == LU_OK; e++) {
        lu_env_reset(env, PROBE_FIRST + (uint64_t)e, options);
        lu_agent_begin(a, e, PROBE_FIRST + (uint64_t)e);
        for (int n = 0; n < PROBE_DECISIONS && !env->over && status == LU_OK; n++) {
            status = probe_step(a, e, env);
        }
    }
    lu_env_delete(env);
    lu_agent_delete(a);
    return status == LU_OK ? hash : 0;
}

/* ---- for tools ---- */

static lu_status think_of_state(void *user, const lu_rules *rules, const void *state, int seat,
                                float *probabilities, double *value, lu_error *error) {
    const lu_model_file *file = user;
    int32_t actions[LU_MAX_HEADS];
    lu_thought thought = {0};
    lu_env *env = lu_env_new(file->game, rules);
    lu_agent *agent = lu_agent_new(&(lu_agent_settings){
        .file = file, .rules = rules, .episodes = 1, .greedy = true, .thinks = true});
    memcpy(env->state, state, rules->state_bytes);
    lu_env_refresh(env);
    lu_agent_begin(agent, 0, 0);
    lu_agent_ask ask = {.env = env,
                        .seat = seat,
                        .actions = actions,
                        .thought = &thought,
                        .probabilities = probabilities};
    lu_status status = lu_agent_act(agent, &ask, 1, error);
    *value = (double)thought.value;
    lu_agent_delete(agent);
    lu_env_delete(env);
    return status;
}

/* An agent for as many environments as may be asked about at once. */
typedef struct talk {
    lu_agent *agent;
    lu_agent_ask *asks;
    int heads;
} talk;

static void *begin_talk(void *user, const lu_rules *rules, int most) {
    const lu_model_file *file = user;
    talk *t = lu_alloc(sizeof *t);
    *t = (talk){.agent = lu_agent_new(&(lu_agent_settings){
                    .file = file, .rules = rules, .episodes = most, .greedy = true}),
                .asks = lu_alloc((size_t)most * sizeof *t->asks),
                .heads = file->game->heads};
    return t;
}

static lu_status choose_for_all(void *user, struct lu_env *const *envs, int count, int32_t *actions,
                                lu_error *error) {
    talk *t = user;
    for (int k = 0; k < count; k++) {
        lu_agent_begin(t->agent, k, 0);
        t->asks[k] =
            (lu_agent_ask){.env = envs[k], .episode = k, .actions = actions + k * t->heads};
    }
    return lu_agent_act(t->agent, t->asks, count, error);
}

static void end_talk(void *user) {
    talk *t = user;
    lu_agent_delete(t->agent);
    free(t->asks);
    free(t);
}

lu_tool_agent lu_agent_for_tool(lu_model_file *file, const char *name) {
    return (lu_tool_agent){.name = name,
                           .step = file->step,
                           .user = file,
                           .think = think_of_state,
                           .begin = begin_talk,
                           .choose = choose_for_all,
                           .end = end_talk};
}
