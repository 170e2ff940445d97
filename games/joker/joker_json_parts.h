/* Parts of joker's JSON: cards as text, what is owned, what is on offer. joker_state_json.c puts
 * them together. Ownership: states and values belong to the caller. Threads: no state. */
#pragma once

#include "ludus/linkage.h"

#include "joker_words.h"

LU_C_BEGIN

/* A card from its text ("TH:wild,redseal,+10,debuffed"); `what` names the list in messages. */
lu_status joker_card_from(const char *what, const lu_json_value *value, joker_card *card,
                          lu_error *error);
lu_status joker_card_read(const char *what, const char *text, joker_card *card, lu_error *error);

/* LU_BAD_DATA for a member of an object that is none of `keys`: a misspelt one would change an
 * answer without a word. */
lu_status joker_check_keys(const lu_json_value *object, const char *what, const char *const *keys,
                           int count, lu_error *error);
/* LU_BAD_DATA for a name that is no row: `what` says where it stands, and the nearest is offered.
 */
lu_status joker_no_such(const char *what, const joker_words *words, int count, const char *name,
                        lu_error *error);
/* A joker as such a name, with extras behind a colon (joker_extras_read), or as an object with
 * `key` and, where they differ from a new one, `edition` (or `ed`), its numbers, `sell`, and
 * `state`: what it stores, in words. Members that mean nothing are refused. What some store lies in
 * the state of the run. */
lu_status joker_joker_from(const lu_json_value *value, joker_state *state, joker_joker *joker,
                           lu_error *error);
/* What a joker stores, as an object in words: {"mult": 12}. (joker_store.c) */
lu_status joker_store_read(const lu_json_value *value, joker_state *state, joker_joker *joker,
                           lu_error *error);
/* What a joker stores is told in numbers or in words; a number that it does not store is that of a
 * new one, which `fresh` is. (joker_store.c) */
lu_status joker_store_check(const lu_json_value *value, const joker_joker *fresh, lu_error *error);
/* What a typed joker has behind its name: "7,holo,eternal" of "Ride the Bus:7,holo,eternal".
 * (joker_store.c) */
lu_status joker_extras_read(const char *text, joker_joker *joker, lu_error *error);
void joker_store_write(const joker_state *state, const joker_joker *joker, lu_json *json);

/* Sorts places by what their cards are: suit, rank, then all the rest. */
void joker_sort_cards(const joker_state *s, uint8_t *index, int count);

/* Jokers, consumables, tags. */
void joker_put_owned(const joker_state *s, int seat, lu_json *json);
lu_status joker_read_owned(joker_state *s, const lu_json_value *value, lu_error *error);
/* Shop, packs on sale, vouchers, an open pack. */
void joker_put_shop(const joker_state *s, lu_json *json);
lu_status joker_read_shop(joker_state *s, const lu_json_value *value, lu_error *error);

LU_C_END
