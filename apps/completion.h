/* Completion scripts of the shells, all made from the tables of verbs, games and settings. They ask
 * the program nothing while they complete, so that they are as fast as the shell.
 * Ownership: the texts belong to the caller. Threads: any. */
#pragma once

#include "cli.h"

/* The script of one shell, for `ludus completion SHELL`. */
void completion_bash(lu_text *text); /* verb_completion.c */
void completion_zsh(lu_text *text);
void completion_fish(lu_text *text);

/* What the scripts of zsh and fish are made of (completion.c). */

/* A word that an option may take as its value. */
typedef enum completes { COMPLETES_NOTHING, COMPLETES_FILES, COMPLETES_CHOICES } completes;

/* One option as a shell offers it. */
typedef struct offer {
    char name[80]; /* without dashes in front; a flag that is on is offered as no-KEY */
    bool value;    /* it takes one */
    completes completes;
    const char *choices; /* "a b c" for COMPLETES_CHOICES, else "" */
    const char *sentence;
} offer;

typedef void offer_function(lu_text *text, const offer *given);

/* Hands on what a verb offers by itself. */
void offers_of_verb(const verb *asked, lu_text *text, offer_function *give);
/* Hands on the settings of a game ... */
void offers_of_game(const lu_game *game, lu_text *text, offer_function *give);
/* ... and its bots, as values of --bot and --opponent. */
void offers_of_bots(const lu_game *game, lu_text *text, offer_function *give);
/* " a b c": ids and folder names of all games, and the names of all verbs. */
void completion_games(lu_text *text);
void completion_verbs(lu_text *text);
/* "prospector-v1", and the folder name behind `between` where it means this variant. */
void completion_names(const lu_game *game, const char *between, lu_text *text);
/* Text in single quotes; the letters of `escape` and the quote itself get a backslash, for zsh the
 * quote is closed and opened again. */
void completion_quote(lu_text *text, const char *words, const char *escape, bool zsh);
