/* Parts of joker's JSON: cards as text, what is owned, what is on offer. joker_state_json.c puts
 * them together. Ownership: states and values belong to the caller. Threads: no state. */
#pragma once

#include "ludus/linkage.h"

#include "joker_words.h"

LU_C_BEGIN

/* A card from its text ("TH:wild,redseal,+10,debuffed"); `what` names the list in messages. */
lu_status joker_card_from(const char *what, const lu_json_value *value, joker_card *card,
                          lu_error *error);
/* Sorts places by what their cards are: suit, rank, then all the rest. */
void joker_sort_cards(const joker_state *s, uint8_t *index, int count);

/* Jokers, consumables, tags. */
void joker_put_owned(const joker_state *s, int seat, lu_json *json);
lu_status joker_read_owned(joker_state *s, const lu_json_value *value, lu_error *error);
/* Shop, packs on sale, vouchers, an open pack. */
void joker_put_shop(const joker_state *s, lu_json *json);
lu_status joker_read_shop(joker_state *s, const lu_json_value *value, lu_error *error);

LU_C_END
