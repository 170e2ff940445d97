/* What a seed gives, as JSON in the layout of vectors/seeds.json: streams, start values, what
 * the antes bring, the deck, round targets, queues of shop cards and packs, and the rounds of a run
 * in which every blind is won with the first hand and nothing is bought or skipped.
 * Ownership: the question belongs to the caller. Threads: no state. */
#pragma once

#include "joker.h"

#include "ludus/json.h"

enum { JOKER_SEED_KEY_MAX = 40 }; /* longest key of a stream that may be asked for */

typedef struct joker_seed_ask {
    char seed[9];
    int deck, stake;  /* rows - 1 */
    int antes;        /* with boss, voucher and tags */
    int queues;       /* antes of the queues */
    int cards, packs; /* of a queue */
    int rounds, rerolls;
    int played; /* cards of a dealt hand, from the left: Telescope looks at the hands played */
    const char *const *streams; /* their keys as the game spells them; ends with NULL */
    int calls;                  /* draws shown of each */
} joker_seed_ask;

/* The streams that are shown when none are asked for; ends with NULL. */
extern const char *const joker_seed_streams[];

/* Writes the members into an open object. (seed_write.c) */
void joker_seed_write(lu_json *json, const joker_seed_ask *ask);
/* Adds the member `words`, the lines that people read, told from the members that
 * joker_seed_write has put into the object. (seed_words.c) */
void joker_seed_words(lu_json *json, const joker_seed_ask *ask);
/* A deck by key, title or colour; LU_BAD_VALUE lists the decks and suggests one. */
lu_status joker_seed_read_deck(const char *text, int *deck, lu_error *error);
/* The row of a stake by its colour, "Gold Stake" or 1 to 8; LU_BAD_VALUE lists the stakes. */
lu_status joker_seed_read_stake(const char *text, int *stake, lu_error *error);
