/* Matches of `ludus serve-env`: agents meet bots or each other, a decision is made when all of them
 * have stepped, and each is answered with what its seat sees. */
#include "env_match.h"

#include "ludus/contest.h"
#include "ludus/frame.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- answers ---- */

void env_refuse(void *user, line_peer *peer, const line_wrong *wrong) {
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

lu_json *env_body_begin(env_server *s) {
    lu_json_object(&s->json);
    lu_json_key_object(&s->json, "body");
    return &s->json;
}

void env_body_end(env_server *s, line_peer *peer) {
    lu_json_object_end(&s->json);
    lu_json_object_end(&s->json);
    line_answer(peer, s->json.text, s->json.length);
    lu_json_clear(&s->json);
}

/* Answers the agent's question, which is then settled. */
void env_settle(env_agent *a) {
    a->asking = NULL;
    a->stepped = a->meeting = false;
}

void env_answer_wrong(env_server *s, env_agent *a, const line_wrong *wrong) {
    line_peer *peer = a->asking;
    env_settle(a);
    env_refuse(s, peer, wrong);
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

static void write_meta(const env_agent *a, lu_json *json) {
    const lu_env *env = a->match->env;
    const lu_game *game = env->game;
    char seed[24]; /* as text: not every reader has numbers of 64 bits */
    snprintf(seed, sizeof seed, "%llu", (unsigned long long)env->seed);
    lu_json_key_object(json, "meta");
    lu_json_key_string(json, "id", a->name);
    lu_json_key_int(json, "seat", a->seat);
    lu_json_key_string(json, "target", a->wish.target);
    lu_json_key_string(json, "episodeId", a->wish.episode);
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
    if (a->wish.looks && game->seats > 1) {
        env_write_observation(env, (a->seat + 1) % game->seats, "targetObs", json);
    }
    lu_json_object_end(json);
}

/* How the match stands, to one agent of it; with its end the agent is free. */
void env_answer_match(env_server *s, env_agent *a) {
    const lu_env *env = a->match->env;
    line_peer *peer = a->asking;
    lu_json *json = env_body_begin(s);
    env_write_observation(env, a->seat, "obs", json);
    env_write_masks(env, a->seat, json);
    write_meta(a, json);
    if (env->over || a->lost) {
        lu_json_key_string(json, "terminalState",
                           env->over ? terminal_state(env, a->seat) : "TARGET_LOST");
    }
    env_settle(a);
    env_body_end(s, peer);
    if (env->over || a->lost) {
        env_leave(s, a);
    }
}

/* ---- matches ---- */

static void close_match(env_match *m, int seats) {
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
void env_leave(env_server *s, env_agent *a) {
    env_match *m = a->match;
    int seats = s->place.game->seats, left = 0;
    a->match = NULL;
    a->lost = false;
    if (!m) {
        return;
    }
    m->player[a->seat] = NULL;
    for (int p = 0; p < seats; p++) {
        env_agent *other = m->player[p];
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
            env_answer_match(s, m->player[p]);
            return; /* it was the last one */
        }
    }
}

/* One decision, when all agents have made theirs. */
void env_go_on(env_server *s, env_match *m) {
    const lu_game *game = s->place.game;
    int32_t actions[LU_MAX_SEATS * LU_MAX_HEADS] = {0};
    env_agent *players[LU_MAX_SEATS];
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
            env_answer_match(s, players[p]);
        }
    }
}

/* Resets under the options of an agent; false with what is wrong. */
static bool start(env_server *s, env_match *m, env_agent *a, line_wrong *wrong) {
    lu_error error = {0};
    lu_settings *options = a->wish.options;
    a->wish.options = NULL;
    if (lu_episode_set_options(&s->place, options, &error) != LU_OK) {
        return line_wrong_set(wrong, "bad-value", "resetParams", "%.380s", error.text);
    }
    uint64_t seed = a->wish.seeded ? a->wish.seed : lu_mix(s->seed, s->matches, 0);
    s->matches++;
    lu_env_reset(m->env, seed, s->place.options);
    for (int p = 0; p < s->place.game->seats; p++) {
        if (m->bots && m->bot[p].bot) {
            lu_seated_bot_begin(&m->bot[p], lu_mix(seed, (uint64_t)p, 1));
        }
    }
    return true;
}

static env_match *new_match(env_server *s) {
    env_match *m = lu_alloc_zero(1, sizeof *m);
    m->env = lu_env_new(s->place.game, s->place.rules);
    return m;
}

static void sit_down(env_match *m, env_agent *a, int seat) {
    a->match = m;
    a->seat = seat;
    m->player[seat] = a;
}

/* The first seat that the game leaves to others; -1: none. */
int env_free_seat(const env_server *s, int from) {
    int seat = from;
    while (seat < s->place.game->seats && lu_game_drives(s->place.game, s->place.rules, seat)) {
        seat++;
    }
    return seat < s->place.game->seats ? seat : -1;
}

/* A match against bots, which begins now. */
void env_meet_bots(env_server *s, env_agent *a, const lu_bot *bot) {
    const lu_game *game = s->place.game;
    env_match *m = new_match(s);
    line_wrong wrong;
    sit_down(m, a, env_free_seat(s, 0));
    m->bots = true;
    for (int p = 0; p < game->seats; p++) {
        if (p != a->seat && !lu_game_drives(game, s->place.rules, p)) {
            lu_seated_bot_init(&m->bot[p], bot);
        }
    }
    if (start(s, m, a, &wrong)) {
        env_answer_match(s, a);
    } else {
        env_leave(s, a);
        env_answer_wrong(s, a, &wrong);
    }
}

env_agent *env_find_agent(const env_server *s, const char *name) {
    env_agent *a = s->first;
    while (a && strcmp(a->name, name) != 0) {
        a = a->next;
    }
    return a;
}

/* A match of two agents begins when each has reset with the other as its target; the one that came
 * first has the first seat, and its options and seed count. */
void env_meet_agent(env_server *s, env_agent *late) {
    line_wrong wrong;
    env_agent *early = env_find_agent(s, late->wish.target);
    if (!early || !early->meeting || strcmp(early->wish.target, late->name) != 0) {
        late->meeting = true;
        return;
    }
    env_match *m = new_match(s);
    sit_down(m, early, 0);
    sit_down(m, late, 1);
    lu_settings_delete(late->wish.options);
    late->wish.options = NULL;
    early->meeting = false;
    if (start(s, m, early, &wrong)) {
        env_answer_match(s, early);
        env_answer_match(s, late);
        return;
    }
    env_leave(s, late);
    env_leave(s, early);
    env_answer_wrong(s, early, &wrong);
    env_answer_wrong(s, late, &wrong);
}
