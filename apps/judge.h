/* What verbs that judge share: who plays, on which seeds and in what manner, as the call says it;
 * playing with a line of progress; and reports as text (the figures are those of report.h).
 * Ownership: the caller owns what it fills in. Threads: the main thread. */
#pragma once

#include "call_episode.h"

#include "ludus/report.h"
#include "ludus/seeds.h"

/* Options that several verbs have alike. */
#define JUDGE_SEEDS                                                                                \
    {                                                                                              \
        "seeds", LU_TEXT, "", 0, 80, NULL,                                                         \
            "Range of seeds A..B; default, and `public`: " LU_PUBLIC_SEEDS ".", false              \
    }
#define JUDGE_EPISODES                                                                             \
    {                                                                                              \
        "episodes", LU_INT, "0", 0, 1000000, NULL,                                                 \
            "Plays this many episodes, starting with the first seed; 0 plays all seeds.", false    \
    }
#define JUDGE_GAMES                                                                                \
    {                                                                                              \
        "games", LU_INT, "0", 0, 2000000, NULL,                                                    \
            "Games per pair, two on each seed, starting with the first; an odd number plays one "  \
            "more. 0 plays all seeds.",                                                            \
            false                                                                                  \
    }
#define JUDGE_GREEDY                                                                               \
    {                                                                                              \
        "greedy", LU_BOOL, "false", 0, 0, NULL,                                                    \
            "Agents take the best action; Q-networks always do.", false                            \
    }
#define JUDGE_SAMPLE                                                                               \
    {                                                                                              \
        "sample", LU_BOOL, "false", 0, 0, NULL,                                                    \
            "Agents sample from their policy, as in training: the default.", false                 \
    }
#define JUDGE_OPPONENT                                                                             \
    {                                                                                              \
        "opponent", LU_TEXT, "", 0, 4096, NULL,                                                    \
            "Player in the other seats of a multiplayer game; default: the strongest bot.", false  \
    }
#define JUDGE_WITH                                                                                 \
    {                                                                                              \
        "with", LU_TEXT, "", 0, 4096, NULL,                                                        \
            "KEY=VALUE: overrides a game setting of the training.", true                           \
    }
#define JUDGE_OPTION                                                                               \
    { "option", LU_TEXT, "", 0, 4096, NULL, "KEY=VALUE: a reset option of the game.", true }
#define JUDGE_THREADS                                                                              \
    {                                                                                              \
        "threads", LU_INT, "0", 0, 1024, NULL,                                                     \
            "Threads, 0 for one per processor; results do not depend on it.", false                \
    }

/* First seed and number of episodes by --seeds and --episodes, unset the public ones. */
lu_status judge_seeds(const verb_call *call, lu_match *match, lu_error *error);
/* First seed and number of games by --seeds and --games: two on each seed. */
lu_status judge_games(const verb_call *call, lu_match *match, lu_error *error);
/* How an agent chooses, by --greedy and --sample, and by --temperature where the verb has it. */
lu_status judge_manner(const verb_call *call, lu_player *player, lu_error *error);
/* The players of these names, and the game (--game, or that of the first model) with the settings
 * of the first model. */
lu_status judge_open(const verb_call *call, const char *const *names, int count, lu_player *who,
                     lu_episode *episode, lu_error *error);
/* Sits a player and its opponents down to a match, and says where a model of these plays by other
 * settings than it was trained with. */
void judge_sit_down(lu_match *match, const lu_player *own, const call_seats *seats);
/* Says where a model plays by other settings than it was trained with. */
void judge_note_settings(const lu_episode *episode, const lu_player *player);
/* Lets a match be ended by Ctrl-C and show how far it is, between progress_start and progress_end
 * of the caller. */
void judge_ready(lu_match *match);
/* Plays all episodes so. */
lu_status judge_play(lu_match *match, lu_error *error);

/* The name of a player, and of what is meant by `latest` and its kin the id of the run. */
const char *judge_name(const lu_player *player);
/* Adds the names of the other players, with commas. */
void judge_opponents(const lu_match *match, lu_text *text);
void judge_print(const lu_match *match);
/* Beside others that played the same seeds. */
void judge_print_against(const lu_match *match, const lu_match *other);

/* For cells: a share with its interval as "62 % (57 .. 67)". */
const char *figure_share(double share, double low, double high);
/* Whether two figures have equal values; NULL for the second: whether all are 0. */
bool figure_equals(const lu_match_figure *figure, const lu_match_figure *other, int episodes);
