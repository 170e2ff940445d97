/* The parts of a screen that play, watch and replay share: title bar, board, last step, summary.
 * Ownership: texts belong to the caller. Threads: any. */
#pragma once

#include "ludus/env.h"
#include "ludus/replay.h"

/* Title with the usual facts: game, seed, decision, return of the seat. A seed among the reset
 * options (NULL: none were given) is the one that is played. */
void board_head(lu_text *text, const lu_env *env, const lu_settings *options, int seat,
                int columns);
/* The game's board; returns its lines, at most `most`. Lines of words that are wider than the
 * screen go on in the next where there is room. */
int board_show(lu_text *text, const lu_env *env, int seat, int columns, int most);
/* One line about the last step: story, events, reward. */
void board_step(lu_text *text, const lu_env *env, int seat);
/* What an agent thought before that step, in one line: value, entropy and its likeliest options, of
 * several heads the likeliest of each. Returns the lines, 0 when it did not think. */
int board_thought(lu_text *text, const lu_game *game, const lu_thought *thought, int columns);
/* A message behind a mark ("> "), wrapped into at most a sixth of the screen, or two lines; returns
 * the lines. */
int board_message(lu_text *text, const char *mark, const char *message, int columns, int screen);
/* How the episode went: end, return, info fields worth reporting. Several lines. */
void board_summary(lu_text *text, const lu_env *env, int seat);
