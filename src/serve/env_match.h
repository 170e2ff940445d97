/* Agents and matches of `ludus serve-env`: what its parts share. env_match.c plays matches and
 * answers agents, env_read.c reads what they ask, env_server.c hears lines and keeps the list of
 * agents. Ownership: the server owns agents and matches; a match ends with the last agent of it.
 * Threads: one.
 */
#pragma once

#include "env_server.h"

#include "ludus/episode.h"

enum { ENV_NAME_MOST = 100 };

typedef struct env_match env_match;

/* What a reset asked for. */
typedef struct env_wish {
    bool looks; /* is shown the observation of its target */
    bool seeded;
    uint64_t seed;
    char target[ENV_NAME_MOST + 1], episode[ENV_NAME_MOST + 1];
    lu_settings *options; /* NULL: they were taken, by the match */
} env_wish;

typedef struct env_agent {
    struct env_agent *next;
    char name[ENV_NAME_MOST + 1];
    line_peer *home;   /* the connection that logged it in */
    line_peer *asking; /* to whom its answer is owed; NULL: nothing is */
    env_match *match;  /* that it plays; NULL: none */
    int seat;
    bool stepped;  /* waits for the others of its env_match */
    bool meeting;  /* has reset and waits for its target to do the same */
    bool lost;     /* its target has left since its last answer */
    env_wish wish; /* of its last match, or of the one that it waits for */
    int32_t actions[LU_MAX_HEADS];
} env_agent;

struct env_match {
    lu_env *env;
    env_agent *player[LU_MAX_SEATS]; /* NULL: a bot, the game, or one that has left */
    bool bots;
    lu_seated_bot bot[LU_MAX_SEATS];
};

typedef struct env_server {
    lu_episode place; /* rules, and options of the reset that is being made */
    env_agent *first;
    int agents;
    uint64_t seed, matches; /* so far */
    lu_json json;
} env_server;

/* ---- answers ---- */

/* What is wrong, to whom it concerns. */
void env_refuse(void *user, line_peer *peer, const line_wrong *wrong);
/* An answer: members of its body are written between these two. */
lu_json *env_body_begin(env_server *s);
void env_body_end(env_server *s, line_peer *peer);
/* Forgets the question of an agent, which is answered then. */
void env_settle(env_agent *a);
void env_answer_wrong(env_server *s, env_agent *a, const line_wrong *wrong);
/* How the match stands, to one agent of it; with its end the agent is free. */
void env_answer_match(env_server *s, env_agent *a);

/* ---- matches ---- */

env_agent *env_find_agent(const env_server *s, const char *name);
/* The first seat that the game leaves to others; -1: none. */
int env_free_seat(const env_server *s, int from);
/* A match against bots, which begins now, or against the target, when it has reset too. */
void env_meet_bots(env_server *s, env_agent *a, const lu_bot *bot);
void env_meet_agent(env_server *s, env_agent *late);
/* One decision, when all agents have made theirs. */
void env_go_on(env_server *s, env_match *m);
/* Takes an agent out of its match. */
void env_leave(env_server *s, env_agent *a);

/* ---- reading ---- */

/* A name that is not too long; NULL: it is none. */
const char *env_word_of(const lu_json_value *value);
/* The wishes of a reset, whose options the caller deletes in any case, and the options of a step;
 * false with what is wrong. */
bool env_read_reset(env_server *s, env_wish *w, const lu_json_value *body, line_wrong *wrong);
bool env_read_actions(const lu_game *game, env_agent *a, const lu_json_value *body,
                      line_wrong *wrong);
/* The bot that a target names; NULL: it is an agent. */
const lu_bot *env_bot_of(const lu_game *game, const char *target);
