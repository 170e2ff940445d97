/* What verbs that play share: the episode a call asks for, bots in seats, stories in words and
 * recording. */
#pragma once

#include "verb.h"

#include "ludus/agent.h"
#include "ludus/frame.h"

/* Opens a game with what the call says of it: the game's settings and reset options where the call
 * names that game, --with and --option of any. What it leaves alone is as a trained model has it
 * (NULL: the defaults). */
lu_status call_open_episode(const verb_call *call, const lu_game *game, const lu_model_file *file,
                            lu_episode *episode, lu_error *error);
/* The settings of a game without those of the verb, with their values and origins, the defaults for
 * another game than the call names; the caller deletes them. */
lu_settings *call_game_settings(const verb_call *call, const lu_game *game);
/* A range of seeds A..B. */
lu_status seeds_parse(const char *range, uint64_t *first, int *count, lu_error *error);
/* A model by what --model or an argument says (a file, a run, `latest`), for `game` unless that is
 * NULL; the settings of the call must hold run.folder. NULL on an error. */
lu_model_file *model_open(const verb_call *call, const char *name, const lu_game *game,
                          lu_error *error);
/* The same, with the path of its file. */
lu_model_file *model_open_at(const verb_call *call, const char *name, const lu_game *game,
                             lu_text *path, lu_error *error);
/* Refuses a text that is given and empty, as by a script whose variable is unset. */
lu_status call_not_empty(const verb_call *call, const char *key, lu_error *error);
/* The value of --seed. */
lu_status call_seed(const verb_call *call, uint64_t *seed, lu_error *error);

/* Who drives the seats: an agent, a bot, or uniformly random legal actions where the bot is NULL.
 */
typedef struct crew {
    int seats;
    lu_agent *agent;    /* drives the seats of `trained`; or NULL */
    unsigned trained;   /* a bit per seat */
    lu_thought thought; /* of the last seat that the agent drove */
    lu_error failure;   /* of the agent; LU_OK as a rule */
    lu_driver driver[LU_MAX_SEATS];
    lu_rng rng[LU_MAX_SEATS];
} crew;

/* A bot by name; "" is the strongest. *bot is NULL for "random" where the game has no such bot. */
lu_status bot_find(const lu_game *game, const char *name, const lu_bot **bot, lu_error *error);
/* Seat 0 is driven by `first`, the others by `others`. */
void crew_init(crew *crew, const lu_game *game, const lu_bot *first, const lu_bot *others);
/* Gives seat 0 to an agent, and the others too when `all`. The crew owns it. */
void crew_train(crew *crew, lu_agent *agent, bool all);
void crew_free(crew *crew);
void crew_begin(crew *crew, uint64_t seed);
/* The action of one seat; zeros when it is not its turn. */
void crew_act(crew *crew, const lu_env *env, int seat, int32_t *actions);
/* Actions of all seats. */
void crew_act_all(crew *crew, const lu_env *env, int32_t *actions);

/* An info field for people. */
const char *info_text(const lu_info *info, double value);
/* Whether a replay can be written there, asked before an episode is played; "" is fine. */
lu_status record_check(const char *path, lu_error *error);
/* Finishes a record and writes the file. */
lu_status record_write(lu_recorder *recorder, const lu_env *env, const char *path, lu_error *error);
