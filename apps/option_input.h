/* Choosing one option of a head by hand: what a person may type, and the legal options as a list
 * that fits a few lines. Options are chosen by number or by the beginnings of the words of their
 * names ("se r 3" is "select rock 3").
 * Ownership: everything belongs to the caller. Threads: any. */
#pragma once

#include "ludus/env.h"

/* What is asked: one head of one seat, after the choices of the earlier heads. */
typedef struct question {
    const lu_env *env;
    int seat, head;
    const uint8_t *legal; /* per option of the head */
} question;

/* The option meant by what was typed, or -1 with one sentence why there is none. */
int choose_option(const question *question, const char *typed, lu_text *why);

/* Legal options that match what is typed, grouped by heading, in at most `lines` lines of `columns`
 * columns: with names while they fit, else as numbers per heading, else cut with "...".
 * Returns the lines. */
int choose_list(const question *question, const char *typed, int columns, int lines, lu_text *text);
/* The same, as long as it takes, with names. */
void choose_list_all(const question *question, int columns, lu_text *text);
