/* What may stand at the end of a line of words: verbs, games, tools, options, values, ids of runs,
 * all from the tables that the parser reads. The scripts of the shells ask for it at every Tab.
 * Ownership: the text belongs to the caller. Threads: the main thread. */
#pragma once

#include "cli.h"

/* Adds a line for everything that can complete the last of the words behind the program's name:
 * WORD, or WORD, a tab and what it is; ":files" where files fit too. A word that ends with '=' goes
 * on without a space. */
void completion_answer(int count, const char *const *words, lu_text *text);
