/* What verbs that play share: the episode and the players a call asks for, figures in words. */
#pragma once

#include "verb.h"

#include "ludus/frame.h"
#include "ludus/player.h"

/* Opens a game with what the call says of it: the game's settings and reset options where the call
 * names that game, --with and --option of any. What it leaves alone is as a trained model has it
 * (NULL: the defaults). */
lu_status call_open_episode(const verb_call *call, const lu_game *game, const lu_model_file *file,
                            lu_episode *episode, lu_error *error);
/* The settings of a game without those of the verb, with their values and origins, the defaults for
 * another game than the call names; the caller deletes them. */
lu_settings *call_game_settings(const verb_call *call, const lu_game *game);
/* A range of seeds A..B, or `public` for those of seeds.h. */
lu_status seeds_parse(const char *range, uint64_t *first, int *count, lu_error *error);
/* A model by what --model or an argument says (a file, a run, `latest`), for `game` unless that is
 * NULL; the settings of the call must hold run.folder. NULL on an error. */
lu_model_file *model_open(const verb_call *call, const char *name, const lu_game *game,
                          lu_error *error);
/* Players by their names, as lu_player_open, lu_players_open and lu_player_model have it. */
lu_status call_player(const verb_call *call, const char *name, const lu_game *game,
                      lu_player *player, lu_error *error);
lu_status call_players(const verb_call *call, const char *const *names, int count,
                       const lu_game **game, lu_player *players, lu_error *error);
lu_status call_model(const verb_call *call, const char *name, const lu_game *game,
                     lu_player *player, lu_error *error);
/* Who sits where, by --seat and --opponent: in seat `own` whom the verb is about, behind it the
 * opponents one after the other, the last one in all seats that are left. */
typedef struct call_seats {
    bool persons; /* of the caller: `person` may be among them, ... */
    bool filled;  /* ... and where none is named the strongest bot sits there */
    int own, opponents;
    lu_player opponent[LU_MAX_SEATS];
} call_seats;

lu_status call_open_seats(const verb_call *call, const lu_game *game, call_seats *seats,
                          lu_error *error);
/* LU_BAD_VALUE where the game drives seat `own` itself under these settings. */
lu_status call_check_own(const call_seats *seats, const lu_episode *episode, lu_error *error);
void call_close_seats(call_seats *seats);
/* The opponent that sits so many seats behind `own`; NULL: nobody was named. */
const lu_player *call_opponent(const call_seats *seats, int behind);
/* The first model among a player and its opponents; NULL: none. */
const lu_model_file *call_first_model(const lu_player *own, const call_seats *seats);
/* Refuses a text that is given and empty, as by a script whose variable is unset. */
lu_status call_not_empty(const verb_call *call, const char *key, lu_error *error);
/* The value of --seed. */
lu_status call_seed(const verb_call *call, uint64_t *seed, lu_error *error);

/* An info field for people. */
const char *info_text(const lu_info *info, double value);
/* Whether a replay can be written there, asked before an episode is played; "" is fine. */
lu_status record_check(const char *path, lu_error *error);
