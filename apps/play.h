/* An episode that persons play: what is asked and chosen (play_dialogue.c), and the ways in which a
 * person or a program is shown it and answers (play_screens.c).
 * Ownership: verb_play.c opens and frees everything. Threads: the main thread. */
#pragma once

#include "call_episode.h"
#include "option_input.h"

typedef struct play {
    const verb_call *call;
    lu_episode s;
    lu_player person; /* in our seat */
    call_seats seats;
    lu_crew *crew;
    bool thinks;      /* an agent is among them */
    lu_error failure; /* of such an agent; LU_OK as a rule */
    lu_seated_bot
        hint[LU_MAX_SEATS]; /* follow the episode, so that memories are right when asked */
    bool has_hint;
    lu_model_file *file; /* of an agent that gives hints in place of a bot, or NULL */
    lu_agent *agent;
    lu_thought thought;
    lu_error unable;        /* why the agent has no advice for this decision */
    unsigned persons, left; /* a bit per seat: where persons sit, who of them has yet to choose */
    int32_t actions[LU_MAX_SEATS * LU_MAX_HEADS]; /* of those who have */
    int seat, head;                               /* asked now */
    int32_t chosen[LU_MAX_HEADS];
    int32_t advice[LU_MAX_HEADS];
    int32_t shown[LU_MAX_HEADS]; /* the decision that was shown last, by a hint or a preview */
    bool advised;                /* one was shown: Enter plays it */
    uint8_t legal[1024];
    lu_recorder *recorder;
    lu_text typed, message;
    bool list;       /* the page of all actions is shown, ... */
    int page;        /* ... this one of them, from 0 */
    char search[32]; /* "/word" that options must have, or "" */
    bool json;
    bool done, interrupted, again;
} play;

/* Starts the question for the next decision, letting others move until a person is asked. */
void play_ask(play *p);
/* What was typed: options of one head after the other, or a word such as hint or quit. */
void play_command(play *p, const char *typed);
/* What the game notes of the action that is typed, where that is a whole one; true when it notes
 * something. */
bool play_preview(play *p, const char *typed, lu_text *text);
/* What is asked now. */
question play_question(const play *p);

/* Until the episode is left: in a terminal, line by line, as JSON lines. */
void play_keys(play *p);
void play_lines(play *p);
void play_json(play *p);
