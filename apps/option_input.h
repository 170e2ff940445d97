/* Choosing one option of a head by hand: what a person may type, and the legal options as a list
 * that fits a few lines. Options are chosen by the game's key, by the beginnings of words of their
 * names, of which some may be left out ("se r 3", "select 3", "rock 3" and "r3" are "select rock
 * 3"), or, where names hold no numbers, by their place in the list.
 * Ownership: everything belongs to the caller. Threads: any. */
#pragma once

#include "ludus/env.h"

/* What is asked: one head of one seat, after the choices of the earlier heads. */
typedef struct question {
    const lu_env *env;
    int seat, head;
    const uint8_t *legal;  /* per option of the head */
    const int32_t *chosen; /* of the earlier heads */
} question;

/* A name as people read and type it: "greater transmute" for greater_transmute. */
void choose_name(const char *name, lu_text *text);
/* The first heads of an action as they are typed: "play 4 5", "buy 2"; further options behind
 * commas. */
void choose_action(const lu_game *game, const int32_t *action, int heads, lu_text *text);
/* The option of the first head whose key this is, legal or not; -1: it is no key of the game. */
int choose_key(const question *question, const char *typed);
/* The number in the name of a head of yes and no ("card 4": 4), 0: it is none of those. */
int choose_flag(const lu_head *head);
/* What the game notes of an option before it is chosen; nothing where it has nothing to say. */
void choose_note(const question *question, int option, lu_text *text);
/* The option meant by what was typed, or one of these with one sentence why there is none. */
enum { CHOSE_NONE = -1, CHOSE_ILLEGAL = -2 /* one is meant that is not legal */ };
int choose_option(const question *question, const char *typed, lu_text *why);

/* Legal options that match what is typed ("/word": that have a word which begins so), grouped by
 * heading, in at most `lines` lines of `columns` columns: with names while they fit, else as
 * numbers per heading, else cut with "...". Returns the lines. */
int choose_list(const question *question, const char *typed, int columns, int lines, lu_text *text);
/* The same, as long as it takes, with names. */
void choose_list_all(const question *question, const char *typed, int columns, lu_text *text);
