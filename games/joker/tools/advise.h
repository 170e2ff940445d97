/* What to do in a run of joker, from what the player sees. advise_read.c reads a state,
 * advise_notes.c names what was left out of it, advise_agent.c asks the trained agent,
 * advise_round.c advises while a hand is to be played, advise_shop.c between rounds; advise.c is
 * the tool. Ownership: an ask belongs to the caller; joker_ask_free frees what it holds. Threads:
 * no state. */
#pragma once

#include "joker_words.h"
#include "variants/joker_plan_layout.h"

#include "ludus/json.h"
#include "ludus/text.h"
#include "ludus/tool.h"

#define JOKER_AGENT_VARIANT "joker-plan-v1" /* the agent that is asked plays this one */

/* What the trained agent thinks of the state. */
typedef struct joker_opinion {
    int count;                        /* legal choices; 0: no agent was asked */
    uint8_t choice[JOKER_CHOICES];    /* the legal ones, likeliest first */
    float probability[JOKER_CHOICES]; /* of choice[i] */
    double value;                     /* as in lu_tool_agent */
} joker_opinion;

/* A question: the state, and what of it was not given. */
typedef struct joker_ask {
    joker_rules rules;
    joker_state state;
    const lu_tool_agent *agent; /* NULL: none is there */
    joker_opinion opinion;
    int samples;     /* draws of a discard, rollouts of a round */
    bool known;      /* the draw pile lies in its true order */
    lu_text unknown; /* one line per thing that is not known */
    lu_text words;   /* lines for people */
} joker_ask;

/* Reads a state as documented in README.md, section State. What is left out gets a value that
 * `unknown` names. */
lu_status joker_ask_read(joker_ask *ask, const lu_tool_input *input, lu_error *error);
void joker_ask_free(joker_ask *ask);

/* Gives offers without a price that of the rules, and names it. */
void joker_ask_prices(joker_ask *ask, const lu_json_value *root);
/* Names in `unknown` what counts here and was not given. */
void joker_ask_notes(joker_ask *ask, const lu_json_value *root);
/* Refuses a member that no state has, naming the nearest. */
lu_status joker_ask_check(const joker_ask *ask, const lu_json_value *root, lu_error *error);
/* Puts the pile into the order of the state's seed; false when that order is not known. */
bool joker_ask_deal(joker_ask *ask, const lu_json_value *root);
/* Whether a joker of a state is left out, as it lies face down without a key. */
bool joker_ask_left_out(const lu_json_value *joker);

/* Adds a line to a text of lines; the text is one sentence or less. */
void joker_ask_line(lu_text *lines, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Fills ask->opinion, when there is an agent and a choice. Errors as in lu_tool_agent. */
lu_status joker_ask_agent(joker_ask *ask, lu_error *error);
/* A choice of joker-plan-v1 in words: "buy Blueprint for $10, selling Egg". It must be legal. */
void joker_say_choice(const joker_rules *rules, const joker_state *state, int choice,
                      lu_text *text);
/* The choice that an action is; -1: it is none of them, but may prepare one (selling, moving). */
int joker_choice_of(int type, int index);
/* Writes the member `agent` (null where none was asked) and lines into ask->words; that there is no
 * agent goes to ask->unknown. */
void joker_write_opinion(joker_ask *ask, lu_json *json);

/* Write their members into an open object, and lines into ask->words. */
void joker_advise_round(joker_ask *ask, lu_json *json);
void joker_advise_shop(joker_ask *ask, lu_json *json); /* also an open pack */
