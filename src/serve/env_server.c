/* `ludus serve-env`: a game for remote learners over lines of JSON. Agents log in by a name, reset
 * against a bot or another agent, and step; a match goes on when all its agents have stepped.
 * Agents are known by their names, not by their connections, so that one may be logged out from
 * elsewhere; it ends with the connection that logged it in. */
#include "env_server.h"

#include "ludus/contest.h"
#include "ludus/frame.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LINE_MOST = 8192, NAME_MOST = 100, AGENTS_MOST = 4096 };

typedef struct match match;

typedef struct agent {
    struct agent *next;
    char name[NAME_MOST + 1];
    line_peer *home;   /* the connection that logged it in */
    line_peer *asking; /* to whom its answer is owed; NULL: nothing is */
    match *match;      /* that it plays; NULL: none */
    int seat;
    bool stepped; /* waits for the others of its match */
    bool meeting; /* has reset and waits for its target to do the same */
    bool lost;    /* its target has left since its last answer */
    bool looks;   /* is shown the observation of its target */
    char target[NAME_MOST + 1], episode[NAME_MOST + 1];
    bool seeded;
    uint64_t seed;
    lu_settings *options; /* of its next match */
    int32_t actions[LU_MAX_HEADS];
} agent;

struct match {
    lu_env *env;
    agent *player[LU_MAX_SEATS]; /* NULL: a bot, the game, or one that has left */
    bool bots;
    lu_seated_bot bot[LU_MAX_SEATS];
};

typedef struct env_server {
    lu_episode place; /* rules, and options of the reset that is being made */
    agent *first;
    int agents;
    uint64_t seed, matches; /* so far */
    lu_json json;
} env_server;

/* A line that was read. */
typedef struct request {
    line_peer *peer;
    const char *name; /* of the agent */
    const lu_json_value *body;
} request;

/* ---- answers ---- */

static void refuse(void *user, line_peer *peer, const line_wrong *wrong) {
    env_server *s = user;
    lu_json *json = &s->json;
    lu_json_object(json);
    lu_json_key_bool(json, "error", true);
    lu_json_key_string(json, "message", wrong->text);
    lu_json_key_string(json, "code", wrong->code);
    lu_json_key_string(json, "field", *wrong->field ? wrong->field : NULL);
    lu_json_object_end(json);
    line_answer(peer, json->text, json->length);
    lu_json_clear(json);
}

static lu_json *body_begin(env_server *s) {
    lu_json_object(&s->json);
    lu_json_key_object(&s->json, "body");
    return &s->json;
}

static void body_end(env_server *s, line_peer *peer) {
    lu_json_object_end(&s->json);
    lu_json_object_end(&s->json);
    line_answer(peer, s->json.text, s->json.length);
    lu_json_clear(&s->json);
}

/* Answers the agent's question, which is then settled. */
static void settle(agent *a) {
    a->asking = NULL;
    a->stepped = a->meeting = false;
}

static void answer_wrong(env_server *s, agent *a, const line_wrong *wrong) {
    line_peer *peer = a->asking;
    settle(a);
    refuse(s, peer, wrong);
}

void env_write_observation(const lu_env *env, int seat, const char *key, lu_json *json) {
    int length = lu_game_observation_length(env->game);
    lu_json_key_array(json, key);
    for (int i = 0; i < length; i++) {
        lu_json_float(json, env->observation[seat * length + i]);
    }
    lu_json_array_end(json);
}

void env_write_masks(const lu_env *env, int seat, lu_json *json) {
    const lu_game *game = env->game;
    const uint8_t *mask = env->mask + (size_t)seat * (size_t)lu_game_mask_length(game);
    lu_json_key_array(json, "actionMasks");
    for (int h = 0; h < game->heads; h++) {
        lu_json_array(json);
        for (int o = 0; o < game->head[h].options; o++) {
            lu_json_bool(json, *mask++ != 0);
        }
        lu_json_array_end(json);
    }
    lu_json_array_end(json);
}

/* By the info flag `won` where the game has it, else by the returns, against the mean of all other
 * seats. A game for one that tells neither has ended, no more. */
static const char *terminal_state(const lu_env *env, int seat) {
    const lu_game *game = env->game;
    bool flag = strcmp(lu_match_decider(game), "won") == 0;
    double own = 0.0, others = 0.0;
    for (int p = 0; p < game->seats; p++) {
        double points = flag ? lu_env_info(env, p, "won") : env->returns[p];
        *(p == seat ? &own : &others) += p == seat ? points : points / (game->seats - 1);
    }
    if (game->seats == 1) {
        return flag ? (own > 0.0 ? "WON" : "LOST") : "ENDED";
    }
    return own > others ? "WON" : own < others ? "LOST" : "TIED";
}

static void write_meta(const agent *a, lu_json *json) {
    const lu_env *env = a->match->env;
    const lu_game *game = env->game;
    char seed[24]; /* as text: not every reader has numbers of 64 bits */
    snprintf(seed, sizeof seed, "%llu", (unsigned long long)env->seed);
    lu_json_key_object(json, "meta");
    lu_json_key_string(json, "id", a->name);
    lu_json_key_int(json, "seat", a->seat);
    lu_json_key_string(json, "target", a->target);
    lu_json_key_string(json, "episodeId", a->episode);
    lu_json_key_string(json, "seed", seed);
    lu_json_key_int(json, "episodeTicks", env->decisions);
    lu_json_key_int(json, "gameTicks", env->ticks);
    lu_json_key_bool(json, "toMove", (lu_env_choosers(env) >> a->seat) & 1);
    lu_json_key_bool(json, "illegal", (env->step.illegal >> a->seat) & 1);
    lu_json_key_bool(json, "truncated", env->step.truncated);
    lu_json_key_real(json, "reward", env->reward[a->seat]);
    lu_json_key_real(json, "return", env->returns[a->seat]);
    lu_json_key(json, "terms");
    lu_frame_write_terms(env, a->seat, json);
    lu_json_key(json, "info");
    lu_info_write(game, env->info + (size_t)a->seat * (size_t)game->infos, json);
    if (a->looks && game->seats > 1) {
        env_write_observation(env, (a->seat + 1) % game->seats, "targetObs", json);
    }
    lu_json_object_end(json);
}

static void leave(env_server *s, agent *a);

/* How the match stands, to one agent of it; with its end the agent is free. */
static void answer_match(env_server *s, agent *a) {
    const lu_env *env = a->match->env;
    line_peer *peer = a->asking;
    lu_json *json = body_begin(s);
    env_write_observation(env, a->seat, "obs", json);
    env_write_masks(env, a->seat, json);
    write_meta(a, json);
    if (env->over || a->lost) {
        lu_json_key_string(json, "terminalState",
                           env->over ? terminal_state(env, a->seat) : "TARGET_LOST");
    }
    settle(a);
    body_end(s, peer);
    if (env->over || a->lost) {
        leave(s, a);
    }
}

/* ---- matches ---- */

static void close_match(match *m, int seats) {
    for (int p = 0; p < seats && m->bots; p++) {
        if (m->bot[p].bot) {
            lu_seated_bot_free(&m->bot[p]);
        }
    }
    lu_env_delete(m->env);
    free(m);
}

/* Takes an agent out of its match; who is left without a target is told at its next step, or now
 * where it waits. */
static void leave(env_server *s, agent *a) {
    match *m = a->match;
    int seats = s->place.game->seats, left = 0;
    a->match = NULL;
    a->lost = false;
    if (!m) {
        return;
    }
    m->player[a->seat] = NULL;
    for (int p = 0; p < seats; p++) {
        agent *other = m->player[p];
        if (other && !m->env->over) {
            other->lost = true;
        }
        left += other != NULL;
    }
    if (left == 0) {
        close_match(m, seats);
        return;
    }
    for (int p = 0; p < seats; p++) {
        if (m->player[p] && m->player[p]->lost && m->player[p]->stepped) {
            answer_match(s, m->player[p]);
            return; /* it was the last one */
        }
    }
}

/* One decision, when all agents have made theirs. */
static void go_on(env_server *s, match *m) {
    const lu_game *game = s->place.game;
    int32_t actions[LU_MAX_SEATS * LU_MAX_HEADS] = {0};
    agent *players[LU_MAX_SEATS];
    for (int p = 0; p < game->seats; p++) {
        int32_t *own = actions + p * game->heads;
        players[p] = m->player[p];
        if (m->player[p] && !m->player[p]->stepped) {
            return;
        }
        if (m->player[p]) {
            memcpy(own, m->player[p]->actions, (size_t)game->heads * sizeof *own);
        } else if (m->bots && m->bot[p].bot && ((lu_env_choosers(m->env) >> p) & 1)) {
            lu_seated_bot_act(&m->bot[p], m->env, p, own);
        }
    }
    lu_env_step(m->env, actions);
    for (int p = 0; p < game->seats; p++) {
        if (players[p]) {
            answer_match(s, players[p]);
        }
    }
}

/* Resets under the options of an agent; false with what is wrong. */
static bool start(env_server *s, match *m, agent *a, line_wrong *wrong) {
    lu_error error = {0};
    lu_settings *options = a->options;
    a->options = NULL;
    if (lu_episode_set_options(&s->place, options, &error) != LU_OK) {
        return line_wrong_set(wrong, "bad-value", "resetParams", "%.380s", error.text);
    }
    uint64_t seed = a->seeded ? a->seed : lu_mix(s->seed, s->matches, 0);
    s->matches++;
    lu_env_reset(m->env, seed, s->place.options);
    for (int p = 0; p < s->place.game->seats; p++) {
        if (m->bots && m->bot[p].bot) {
            lu_seated_bot_begin(&m->bot[p], lu_mix(seed, (uint64_t)p, 1));
        }
    }
    return true;
}

static match *new_match(env_server *s) {
    match *m = lu_alloc_zero(1, sizeof *m);
    m->env = lu_env_new(s->place.game, s->place.rules);
    return m;
}

static void sit_down(match *m, agent *a, int seat) {
    a->match = m;
    a->seat = seat;
    m->player[seat] = a;
}

/* The first seat that the game leaves to others; -1: none. */
static int free_seat(const env_server *s, int from) {
    int seat = from;
    while (seat < s->place.game->seats && lu_game_drives(s->place.game, s->place.rules, seat)) {
        seat++;
    }
    return seat < s->place.game->seats ? seat : -1;
}

/* A match against bots, which begins now. */
static void meet_bots(env_server *s, agent *a, const lu_bot *bot) {
    const lu_game *game = s->place.game;
    match *m = new_match(s);
    line_wrong wrong;
    sit_down(m, a, free_seat(s, 0));
    m->bots = true;
    for (int p = 0; p < game->seats; p++) {
        if (p != a->seat && !lu_game_drives(game, s->place.rules, p)) {
            lu_seated_bot_init(&m->bot[p], bot);
        }
    }
    if (start(s, m, a, &wrong)) {
        answer_match(s, a);
    } else {
        leave(s, a);
        answer_wrong(s, a, &wrong);
    }
}

static agent *find(const env_server *s, const char *name) {
    agent *a = s->first;
    while (a && strcmp(a->name, name) != 0) {
        a = a->next;
    }
    return a;
}

/* A match of two agents begins when each has reset with the other as its target; the one that came
 * first has the first seat, and its options and seed count. */
static void meet_agent(env_server *s, agent *late) {
    line_wrong wrong;
    agent *early = find(s, late->target);
    if (!early || !early->meeting || strcmp(early->target, late->name) != 0) {
        late->meeting = true;
        return;
    }
    match *m = new_match(s);
    sit_down(m, early, 0);
    sit_down(m, late, 1);
    lu_settings_delete(late->options);
    late->options = NULL;
    early->meeting = false;
    if (start(s, m, early, &wrong)) {
        answer_match(s, early);
        answer_match(s, late);
        return;
    }
    leave(s, late);
    leave(s, early);
    answer_wrong(s, early, &wrong);
    answer_wrong(s, late, &wrong);
}

/* ---- reading ---- */

/* A name that is not too long; NULL: it is none. */
static const char *word_of(const lu_json_value *value) {
    const char *word = json_word(value);
    return word && *word && strlen(word) <= NAME_MOST ? word : NULL;
}

static bool take_option(lu_settings *options, const char *key, const lu_json_value *value,
                        line_wrong *wrong) {
    lu_error error = {0};
    lu_text pair = LU_TEXT_INIT;
    lu_json text = LU_JSON_INIT;
    lu_json_value_write(&text, value);
    lu_text_addf(&pair, "%s=%s", key,
                 lu_json_kind_of(value) == LU_JSON_STRING ? lu_json_text(value, NULL) : text.text);
    bool fits =
        lu_settings_set_pair(options, pair.text, LU_FROM_FILE, "resetParams", &error) == LU_OK;
    lu_text_free(&pair);
    lu_json_free(&text);
    return fits || line_wrong_set(wrong, "bad-value", "resetParams", "%.380s", error.text);
}

/* Reset options of the game; `agent`, `target` and `episodeId` are told back. */
static bool read_params(env_server *s, agent *a, const lu_json_value *params, line_wrong *wrong) {
    if (params && lu_json_kind_of(params) != LU_JSON_OBJECT) {
        return line_wrong_set(wrong, "bad-value", "resetParams", "resetParams must be an object");
    }
    lu_settings_delete(a->options);
    a->options = lu_game_options(s->place.game);
    a->episode[0] = 0;
    for (size_t i = 0; i < lu_json_count(params); i++) {
        const char *key;
        const lu_json_value *value = lu_json_member(params, i, &key);
        if (strcmp(key, "episodeId") == 0 && word_of(value)) {
            snprintf(a->episode, sizeof a->episode, "%s", word_of(value));
        } else if (strcmp(key, "agent") != 0 && strcmp(key, "target") != 0 &&
                   strcmp(key, "episodeId") != 0 && !take_option(a->options, key, value, wrong)) {
            return false;
        }
    }
    return true;
}

static bool read_seed(agent *a, const lu_json_value *value, line_wrong *wrong) {
    const char *text =
        lu_json_kind_of(value) == LU_JSON_NUMBER ? lu_json_number_text(value) : word_of(value);
    a->seeded = value != NULL;
    return !value || (text && lu_parse_u64("seed", text, &a->seed, NULL) == LU_OK) ||
           line_wrong_set(wrong, "bad-value", "seed", "seed must be a whole number below 2^64");
}

/* A flag of the protocol: an option of that name where the game has it (deathMatch: death_match),
 * else without effect. */
static bool read_flag(agent *a, const lu_json_value *value, const char *key, const char *option,
                      line_wrong *wrong) {
    lu_json_kind kind = lu_json_kind_of(value);
    if (kind != LU_JSON_NULL && kind != LU_JSON_TRUE && kind != LU_JSON_FALSE) {
        return line_wrong_set(wrong, "bad-value", key, "%s must be true or false", key);
    }
    return kind == LU_JSON_NULL || !lu_settings_has(a->options, option) ||
           take_option(a->options, option, value, wrong);
}

static bool read_reset(env_server *s, agent *a, const lu_json_value *body, line_wrong *wrong) {
    const char *target = word_of(lu_json_get(body, "target"));
    if (!target && lu_json_get(body, "target")) {
        return line_wrong_set(wrong, "bad-value", "target",
                              "target must be the name of a bot or of another agent");
    }
    snprintf(a->target, sizeof a->target, "%s", target ? target : "");
    a->looks = lu_json_kind_of(lu_json_get(body, "maintainTargetEnvironment")) == LU_JSON_TRUE;
    return read_params(s, a, lu_json_get(body, "resetParams"), wrong) &&
           read_flag(a, lu_json_get(body, "deathMatch"), "deathMatch", "death_match", wrong) &&
           read_flag(a, lu_json_get(body, "training"), "training", "training", wrong) &&
           read_seed(a, lu_json_get(body, "seed"), wrong);
}

/* `baseline` is a bot of that name, or else the strongest one; NULL: the target is an agent. */
static const lu_bot *bot_of(const lu_game *game, const char *target) {
    const lu_bot *bot = lu_game_bot(game, target);
    bool any = game->seats == 1 || !*target || strcmp(target, "baseline") == 0;
    return bot ? bot : any ? lu_game_bot(game, game->strongest) : NULL;
}

static bool read_actions(const lu_game *game, agent *a, const lu_json_value *body,
                         line_wrong *wrong) {
    const lu_json_value *list =
        lu_json_kind_of(body) == LU_JSON_ARRAY ? body : lu_json_get(body, "action");
    bool fits =
        lu_json_kind_of(list) == LU_JSON_ARRAY && lu_json_count(list) == (size_t)game->heads;
    for (int h = 0; h < game->heads && fits; h++) {
        double option = lu_json_real_or(lu_json_at(list, (size_t)h), -1.0);
        fits = option >= 0.0 && option < game->head[h].options && option == (double)(int32_t)option;
        a->actions[h] = fits ? (int32_t)option : 0;
    }
    return fits || line_wrong_set(wrong, "bad-value", "action",
                                  "action must be a list of %d options, each a whole number below "
                                  "the options of its head",
                                  game->heads);
}

/* ---- the five actions ---- */

/* The agent of a request; NULL with what is wrong. */
static agent *asked_agent(env_server *s, const request *r, line_wrong *wrong) {
    agent *a = find(s, r->name);
    if (!a) {
        line_wrong_set(wrong, "unknown-agent", "meta.id", "'%s' is not logged in", r->name);
    } else if (a->asking) {
        line_wrong_set(wrong, "busy", "meta.id", "'%s' waits for an answer already", r->name);
        a = NULL;
    }
    return a;
}

static bool on_login(env_server *s, const request *r, line_wrong *wrong) {
    const lu_game *game = s->place.game;
    const char *type = word_of(lu_json_get(r->body, "agentType"));
    const lu_game *other = type ? lu_game_find(type, NULL) : NULL;
    if (other && strcmp(other->name, game->name) != 0) {
        return line_wrong_set(wrong, "bad-value", "agentType", "this server plays %s", game->id);
    }
    if (find(s, r->name)) {
        return line_wrong_set(wrong, "bad-value", "meta.id", "'%s' is logged in already", r->name);
    }
    if (s->agents >= AGENTS_MOST) {
        return line_wrong_set(wrong, "busy", NULL, "%d agents are logged in: try again later",
                              s->agents);
    }
    agent *a = lu_alloc_zero(1, sizeof *a);
    snprintf(a->name, sizeof a->name, "%s", r->name);
    a->home = r->peer;
    a->next = s->first;
    s->first = a;
    s->agents++;
    lu_json *json = body_begin(s);
    lu_json_key_string(json, "game", game->id);
    lu_json_key_hex(json, "hash", lu_spec_hash(game));
    lu_json_key_int(json, "seats", game->seats);
    lu_json_key_int(json, "observation", lu_game_observation_length(game));
    lu_json_key_array(json, "heads");
    for (int h = 0; h < game->heads; h++) {
        lu_json_int(json, game->head[h].options);
    }
    lu_json_array_end(json);
    body_end(s, r->peer);
    return true;
}

static bool on_reset(env_server *s, const request *r, line_wrong *wrong) {
    const lu_game *game = s->place.game;
    agent *a = asked_agent(s, r, wrong);
    if (!a || !read_reset(s, a, r->body, wrong)) {
        return false;
    }
    const lu_bot *bot = bot_of(game, a->target);
    if (!bot && strcmp(a->target, "attacker") == 0) {
        return line_wrong_set(wrong, "bad-value", "target",
                              "nobody attacks here: name a bot or another agent");
    }
    if (!bot && (game->seats != 2 || strcmp(a->target, a->name) == 0 || free_seat(s, 0) != 0 ||
                 free_seat(s, 1) != 1)) {
        return line_wrong_set(wrong, "bad-value", "target",
                              "'%s' is no bot of %s, and it is not for two agents here", a->target,
                              game->name);
    }
    leave(s, a);
    a->asking = r->peer;
    if (bot) {
        meet_bots(s, a, bot);
    } else {
        meet_agent(s, a);
    }
    return true;
}

static bool on_step(env_server *s, const request *r, line_wrong *wrong) {
    agent *a = asked_agent(s, r, wrong);
    if (!a) {
        return false;
    }
    if (!a->match) {
        return line_wrong_set(wrong, "over", NULL, "'%s' is in no match: reset first", a->name);
    }
    if (!read_actions(s->place.game, a, r->body, wrong)) {
        return false;
    }
    a->asking = r->peer;
    a->stepped = true;
    if (a->lost) {
        answer_match(s, a);
    } else {
        go_on(s, a->match);
    }
    return true;
}

/* Takes an agent off the list; who waits for its answer is told. */
static void log_out(env_server *s, agent *a, bool told) {
    agent **at = &s->first;
    line_wrong wrong;
    while (*at != a) {
        at = &(*at)->next;
    }
    *at = a->next;
    s->agents--;
    leave(s, a);
    if (a->asking && told) {
        line_wrong_set(&wrong, "logged-out", "meta.id", "'%s' was logged out", a->name);
        answer_wrong(s, a, &wrong);
    }
    for (agent *other = s->first; other; other = other->next) {
        if (other->meeting && strcmp(other->target, a->name) == 0) {
            line_wrong_set(&wrong, "target-lost", "target", "'%s' was logged out", a->name);
            answer_wrong(s, other, &wrong);
        }
    }
    lu_settings_delete(a->options);
    free(a);
}

static bool on_logout(env_server *s, const request *r, line_wrong *wrong) {
    agent *a = find(s, r->name);
    if (!a) {
        return line_wrong_set(wrong, "unknown-agent", "meta.id", "'%s' is not logged in", r->name);
    }
    log_out(s, a, true);
    body_begin(s);
    body_end(s, r->peer);
    return true;
}

static bool on_debug(env_server *s, const request *r, line_wrong *wrong) {
    const agent *a = find(s, r->name);
    (void)wrong;
    lu_json *json = body_begin(s);
    lu_json_key_string(json, "game", s->place.game->id);
    lu_json_key_int(json, "agents", s->agents);
    lu_json_key_int(json, "matches", (int64_t)s->matches);
    lu_json_key_bool(json, "loggedIn", a != NULL);
    lu_json_key(json, "state");
    if (a && a->match) {
        s->place.game->to_json(s->place.rules, a->match->env->state, a->seat, json);
    } else {
        lu_json_null(json);
    }
    body_end(s, r->peer);
    return true;
}

static const struct {
    const char *name;
    bool (*act)(env_server *s, const request *r, line_wrong *wrong);
} actions_known[] = {
    {"login", on_login},   {"reset", on_reset}, {"step", on_step},
    {"logout", on_logout}, {"debug", on_debug},
};

/* ---- the service ---- */

static bool act(env_server *s, request *r, const lu_json_value *root, line_wrong *wrong) {
    const char *action = word_of(lu_json_get(root, "action"));
    r->name = word_of(lu_json_get(lu_json_get(root, "meta"), "id"));
    r->body = lu_json_get(root, "body");
    if (!r->name) {
        return line_wrong_set(wrong, "missing-field", "meta.id",
                              "meta.id must be the name of an agent, of at most %d bytes",
                              NAME_MOST);
    }
    for (size_t i = 0; action && i < sizeof actions_known / sizeof *actions_known; i++) {
        if (strcmp(actions_known[i].name, action) == 0) {
            return actions_known[i].act(s, r, wrong);
        }
    }
    return line_wrong_set(wrong, "bad-value", "action",
                          "action must be login, reset, step, logout or debug");
}

static void hear(void *user, line_peer *peer, char *line, size_t length) {
    env_server *s = user;
    lu_error error = {0};
    line_wrong wrong;
    request r = {.peer = peer};
    lu_json_document *document = lu_json_read("line", line, length, &error);
    if (!document) {
        line_wrong_set(&wrong, "bad-json", NULL, "%.380s", error.text);
        refuse(s, peer, &wrong);
    } else if (!act(s, &r, lu_json_root(document), &wrong)) {
        refuse(s, peer, &wrong);
    }
    lu_json_close(document);
}

static void gone(void *user, line_peer *peer) {
    env_server *s = user;
    for (agent *a = s->first; a; a = a->next) {
        if (a->asking == peer) { /* its answer finds nobody */
            settle(a);
            a->asking = NULL;
        }
    }
    for (agent *a = s->first, *next; a; a = next) {
        next = a->next;
        if (a->home == peer) {
            log_out(s, a, true);
            next = s->first; /* the list has changed */
        }
    }
}

static void close_env(void *user) {
    env_server *s = user;
    while (s->first) {
        agent *a = s->first;
        a->asking = NULL;
        log_out(s, a, false);
    }
    lu_episode_close(&s->place);
    lu_json_free(&s->json);
    free(s);
}

const line_server_kind env_server_kind = {
    .service =
        {.line_most = LINE_MOST, .owed_most = 1, .hear = hear, .refuse = refuse, .gone = gone},
    .free = close_env,
};

void *env_server_make(const lu_env_options *options, lu_error *error) {
    env_server *s = lu_alloc_zero(1, sizeof *s);
    lu_settings *settings = lu_game_settings(options->game);
    lu_settings_take(settings, options->settings, LU_FROM_FILE, "the server");
    lu_json_init(&s->json);
    s->seed = options->seed;
    if (lu_episode_open(&s->place, options->game, settings, NULL, error) != LU_OK) {
        free(s);
        return NULL;
    }
    if (free_seat(s, 0) < 0) {
        lu_fail(error, LU_BAD_VALUE, "%s plays all its seats itself under these settings",
                options->game->name);
        close_env(s);
        return NULL;
    }
    return s;
}

lu_line_server *lu_env_server_open(const lu_line_options *line, const lu_env_options *options,
                                   lu_error *error) {
    void *s = env_server_make(options, error);
    return s ? line_server_open(line, &env_server_kind, s, error) : NULL;
}
