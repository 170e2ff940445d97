/* One step of a score for people and as JSON. Ownership: all is the caller's. Threads: no state. */
#pragma once

#include "joker_words.h"
#include "rules/joker_scoring.h"

#include "ludus/json.h"
#include "ludus/text.h"

/* A number for people: whole where it is, else a few places. */
void joker_step_number(lu_text *text, double value);
/* "Baron on KH (held): x1.5  = 60 x 12"; `s` and `c` are those the trace was made with. */
void joker_step_say(const joker_state *s, const joker_scoring *c, const joker_trace_step *step,
                    lu_text *line);
/* The same as an object. */
void joker_step_write(const joker_state *s, const joker_scoring *c, const joker_trace_step *step,
                      lu_json *json);
