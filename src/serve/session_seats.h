/* Who sits in a session of play: persons, whose actions come with requests, and players of the
 * server: bots, chance, and models by the names that the list of models gives them, never by paths.
 * Ownership: seats own their names, models and crew until seats_free. Threads: seats_read belongs
 * to the service thread; seats_open may read files and belongs to a worker; the session hands its
 * seats from one to the other. */
#pragma once

#include "app.h"

#include "ludus/episode.h"
#include "ludus/player.h"

typedef struct session_seats {
    int count;
    unsigned persons; /* a bit per seat */
    char *name[LU_MAX_SEATS];
    lu_player player[LU_MAX_SEATS]; /* of the first seat of each name */
    lu_crew *crew;                  /* NULL: nobody but persons, or not open yet */
    size_t bytes;                   /* of models */
} session_seats;

/* Takes names; `list` NULL: persons all over. What is wrong is told in `error`. */
bool seats_read(session_seats *seats, const lu_game *game, const lu_json_value *list,
                lu_error *error);
/* Finds the players, whose models have at most `most` bytes, and readies them for the episode. */
lu_status seats_open(session_seats *seats, worker *worker, const lu_episode *episode, size_t most,
                     lu_error *error);
void seats_free(session_seats *seats);
/* True when somebody else than persons plays. */
bool seats_have_players(const session_seats *seats);
/* Seats of persons who are to move now; those that the game drives itself are not asked. */
unsigned seats_asked(const session_seats *seats, const lu_env *env);
/* Who sits where, and which seats the game drives itself: members of an open object. */
void seats_write(const session_seats *seats, const lu_env *env, lu_json *json);
