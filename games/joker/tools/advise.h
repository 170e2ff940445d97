/* What to do in a run of joker, from what the player sees. advise_read.c reads a state,
 * advise_round.c advises while a hand is to be played, advise_shop.c between rounds; advise.c is
 * the tool. Ownership: an ask belongs to the caller; joker_ask_free frees what it holds.
 * Threads: no state. */
#pragma once

#include "../joker_words.h"

#include "ludus/json.h"
#include "ludus/text.h"
#include "ludus/tool.h"

/* A question: the state, and what of it was not given. */
typedef struct joker_ask {
    joker_model model;
    joker_state state;
    int samples;     /* draws of a discard, rollouts of a round */
    bool known;      /* the draw pile lies in its true order */
    lu_text unknown; /* one line per thing that is not known */
    lu_text words;   /* lines for people */
} joker_ask;

/* Reads a state as documented in README.md, section State. What is left out gets a value that
 * `unknown` names. */
lu_status joker_ask_read(joker_ask *ask, const lu_tool_input *input, lu_error *error);
void joker_ask_free(joker_ask *ask);

/* Adds a line to a text of lines; the text is one sentence or less. */
void joker_ask_line(lu_text *lines, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Write their members into an open object, and lines into ask->words. */
void joker_advise_round(joker_ask *ask, lu_json *json);
void joker_advise_shop(joker_ask *ask, lu_json *json); /* also an open pack */
