/* A verb of a program: `ludus VERB ...`. A file verb_NAME.c defines one verb_NAME, program.c lists
 * them; the parser, the help, the completion script, the manual and docs/settings.md are all made
 * from these tables and from the settings tables of the games.
 * Ownership: verbs are constants; a verb_call lives while its verb runs. Threads: one. */
#pragma once

#include "ludus/game_ask.h"
#include "ludus/tool.h"

typedef struct verb_call verb_call;

typedef enum verb_game {
    VERB_NO_GAME,    /* takes no game */
    VERB_GAME_MAYBE, /* the first argument may name a game */
    VERB_GAME,       /* the first argument names a game */
} verb_game;

typedef struct verb_example {
    const char *command, *sentence;
} verb_example;

typedef struct verb {
    const char *name;
    const char *also;             /* a second name, or NULL */
    const char *usage;            /* without "ludus": "trace GAME --actions FILE [--seed N]" */
    const char *sentence;         /* what it does, for the list of verbs */
    const char *details;          /* further lines for its help, each at most 78 columns; or NULL */
    const verb_example *examples; /* ends with {NULL, NULL} */
    lu_table options;
    const lu_table *const *tables; /* further settings it takes; ends with NULL, or is NULL */
    /* What the first argument may be: in place of a game, or, where the verb takes no game, needed.
     * Ends with NULL; NULL = none. */
    const char *const *words;
    bool first_word; /* without a word the first one is meant */
    bool learns;     /* a game by its plain name is the variant that has a preset */
    verb_game game;
    bool game_settings;   /* the game's settings are options too */
    const char *tool;     /* name of the game's tool whose settings are options too, or NULL */
    bool any_tool;        /* the first argument behind the game names the tool */
    int least, most;      /* arguments behind word or game; most -1 = any number */
    const char *argument; /* what such an argument is: "FILE", "VERB", "NAME"; NULL = none */
    bool dashes;          /* an argument may begin with a dash: "-old" */
    bool json;            /* has --json */
    lu_status (*run)(verb_call *call, lu_error *error);
} verb;

struct verb_call {
    const verb *verb;
    const char *word;      /* which of the verb's words was given, or NULL */
    const lu_game *game;   /* NULL when none was named */
    const lu_tool *tool;   /* NULL when the verb asks for none, or the game has none */
    lu_table game_table;   /* the game's settings and reset options as this verb offers them */
    lu_settings *settings; /* the verb's options and, when asked for, those of game and tool */
    int arguments;         /* positional arguments behind word or game */
    const char **argument;
    bool json;
    bool files;         /* --preset or --config was given */
    char *preset;       /* the preset that holds; NULL: none */
    bool help, version; /* only this is wanted */
};

/* The verbs, in the order of the help; ends with NULL. (program.c) */
extern const verb *const verbs[];
/* What else is particular to a program; its name is LUDUS_PROGRAM. (program.c) */
typedef struct program {
    const char *title;   /* what it is, one line */
    const char *details; /* what it does, for the manual */
    const verb_example *examples;
    const char *settings; /* how options are given, for the help */
    const verb *of_game;  /* what a game in place of a verb is short for; NULL: nothing */
    bool variables;       /* LUDUS_KEY sets options */
} program;
extern const program this_program;
/* Games that it is about. */
static inline int program_games(void) {
    return this_program.of_game ? lu_game_count() : 0;
}
/* NULL, with the nearest name in the error, when there is none. */
const verb *verb_find(const char *name, lu_error *error);

/* The tables of a verb in order: its options, then the further ones; NULL behind the last. (main.c)
 */
const lu_table *verb_table(const verb *asked, int index);
/* Further tables of all verbs, each once, in order; NULL behind the last. (main.c) */
const lu_table *verb_shared_table(int index);

/* Number of rows, for the tables of options. */
#define VERB_OPTIONS(module, rows)                                                                 \
    { module, rows, (int)(sizeof(rows) / sizeof *(rows)) }
