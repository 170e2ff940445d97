/* Lists as a person types them, written as the JSON that the tools read: cards, jokers, levels.
 * Ownership: nothing is kept. Threads: no state. */
#pragma once

#include "ludus/error.h"
#include "ludus/json.h"

/* "KH, KD:steel,redseal 10S": cards between spaces or commas; behind a ':' a comma stands between
 * what a card has. */
void joker_typed_cards(lu_json *json, const char *text);
/* "Blueprint, Ride the Bus:7,holo": jokers between commas; behind a ':' a comma with a space. */
void joker_typed_jokers(lu_json *json, const char *text);
/* "Pair 3, Full House 2": hands with their levels. */
lu_status joker_typed_levels(lu_json *json, const char *text, lu_error *error);
