/* Players: who sits in the seats of a game. A player is a bot, a trained agent, a source of random
 * legal actions, or a person, whose actions come from outside. One parser reads their names
 * wherever somebody asks for one. A crew is one player per seat, in any mix, and follows several
 * episodes at once: each model answers for all of its seats in one pass through the net. What a
 * player does depends on the episode's seed and on its seat, not on what is played beside it.
 * Ownership: a player that was opened owns its model and path until lu_player_close, but not its
 * name; players, rules and environments must outlive a crew. Threads: one at a time per crew;
 * several crews may share players. */
#pragma once

#include "ludus/agent.h"

LU_C_BEGIN

/* ---- players ---- */

typedef enum lu_player_kind {
    LU_PLAYER_BOT,
    LU_PLAYER_AGENT,
    LU_PLAYER_PERSON, /* a crew leaves the actions of this seat as they are */
} lu_player_kind;

typedef struct lu_player {
    lu_player_kind kind;
    const char *name;
    const lu_bot *bot;   /* of a bot */
    lu_model_file *file; /* of an agent */
    char *path;          /* of its model file; NULL where it was not opened by name */
    bool greedy;         /* an agent takes its best action, in place of a draw from its policy */
    double best_share;   /* ... else in this share of the episodes, spread evenly over seeds */
    double temperature;  /* of its draws, as in lu_agent_settings */
} lu_player;

/* Adds the path of the model file that a name stands for: a file, or whatever else the host knows,
 * as runs. `game`: that it should be of, or NULL. */
typedef lu_status lu_model_find(const void *context, const char *name, const lu_game *game,
                                lu_text *path, lu_error *error);

/* What a name stands for: `person`; bot:NAME, "random", "" for the strongest bot or the name of a
 * bot of the game (NULL: not known yet); else a model. *rest is the name without its prefix. */
lu_player_kind lu_player_kind_of(const char *name, const lu_game *game, const char **rest);
/* A bot of the game by its name; "" is the strongest. "random" is always there. LU_NOT_FOUND names
 * the nearest. */
lu_status lu_player_bot(lu_player *player, const char *name, const lu_game *game, lu_error *error);
/* A model by its name. LU_OTHER_SPEC when it plays another game than `game` (NULL: any). */
lu_status lu_player_model(lu_player *player, const char *name, const lu_game *game,
                          lu_model_find *find, const void *context, lu_error *error);
/* Any player of the game but a person, whom its host asks. */
lu_status lu_player_open(lu_player *player, const char *name, const lu_game *game,
                         lu_model_find *find, const void *context, lu_error *error);
/* Several players of one game. Where *game is NULL the first model says which one it is; LU_USAGE
 * when there is none. On an error those that were opened are closed. */
lu_status lu_players_open(lu_player *players, const char *const *names, int count,
                          const lu_game **game, lu_model_find *find, const void *context,
                          lu_error *error);
void lu_player_close(lu_player *player);
/* Whether it is a model named by its file. Checkpoints of runs are not: they stay as they are. */
bool lu_player_is_file(const lu_player *player);
/* A JSON object: its name, and of an agent how it chooses and how long it was trained. */
void lu_player_write(const lu_player *player, lu_json *json);

/* ---- crews ---- */

typedef struct lu_crew lu_crew;

/* `players`: one per seat; equal pointers are one player in several seats. `episodes`: followed at
 * once. `thinks`: thoughts of agents are wanted. */
lu_crew *lu_crew_new(const lu_game *game, const lu_rules *rules, const lu_player *const *players,
                     int episodes, bool thinks);
void lu_crew_delete(lu_crew *crew);
/* Forgets an episode and readies for one with this seed, in which everybody sits `turn` seats
 * further on, the last ones in front. `draws`: seed of what agents draw, as a rule the same. */
void lu_crew_begin(lu_crew *crew, int episode, uint64_t seed, uint64_t draws, int turn);

/* A question: what is done in this episode now? */
typedef struct lu_crew_ask {
    const lu_env *env;
    int episode;
    int32_t *actions;     /* out: seats x heads; zeros for seats that do not move */
    lu_thought *thoughts; /* out, or NULL: one per seat, known where an agent moves */
    float *win_rates;     /* out, or NULL: how likely each seat wins; NAN where nobody says */
} lu_crew_ask;

/* Answers for each episode at most once per decision. Errors are those of lu_agent_act. */
lu_status lu_crew_act(lu_crew *crew, const lu_crew_ask *asks, int count, lu_error *error);

LU_C_END
