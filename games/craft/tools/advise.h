/* What the files of `ludus craft advise` share: advise.c holds the tool, advise_outcomes.c what an
 * action may lead to, advise_session.c a craft that is kept between calls, advise_write.c the
 * answer. Ownership: the tool's run owns all of it. Threads: one at a time. */
#pragma once

#include "optimize.h"

/* ---- a craft that is kept between calls ---- */

enum { ADVISE_STEPS = 4000, ADVISE_BYTES = 8 << 20 };

/* How a step was known: it follows from the advice, the player said it, or neither. */
typedef enum craft_advise_how {
    ADVISE_ADVISED,
    ADVISE_TOLD,
    ADVISE_UNKNOWN,
    ADVISE_HOWS
} craft_advise_how;

extern const char *const craft_advise_how_words[ADVISE_HOWS];

/* An item with its base. */
typedef struct craft_advise_thing {
    int32_t base, ilvl;
    craft_item item;
} craft_advise_thing;

typedef struct craft_advise_step {
    char action[CRAFT_USE_NAME]; /* "": not known */
    double price;                /* exalted */
    double chance;               /* of this outcome; 0: not known */
    craft_advise_how how;
    craft_advise_thing before, after;
} craft_advise_step;

typedef struct craft_advise_session {
    lu_json_document *document;
    const lu_json_value *settings; /* object; NULL: none */
    const char *name;              /* of its file */
    bool begun;                    /* there is an item */
    craft_advise_thing item;       /* as it was when it was last asked about */
    char next[CRAFT_USE_NAME];     /* what was advised then */
    craft_advise_step *step;       /* room for one more */
    int steps;
    double spent;     /* exalted */
    craft_pool *pool; /* of the item that was read or written last */
} craft_advise_session;

/* Opens the text of a session: its version and settings; an empty one has not begun.
 * LU_DAMAGED_FILE and its like name the file and what is wrong. */
lu_status craft_advise_session_open(craft_advise_session *session, const char *name,
                                    const char *text, size_t length, lu_error *error);
/* Reads its items by the pack. */
lu_status craft_advise_session_read(craft_advise_session *session, const craft_pack *pack,
                                    lu_error *error);
/* Its settings for whatever the caller has not set. `table`: those of the tool. */
lu_status craft_advise_session_settings(const craft_advise_session *session, const lu_table *table,
                                        lu_settings *settings, lu_error *error);
/* The text of a session. */
lu_status craft_advise_session_write(craft_advise_session *session, const craft_pack *pack,
                                     const lu_table *table, const lu_settings *settings,
                                     lu_json *json, lu_error *error);
void craft_advise_session_close(craft_advise_session *session);

/* ---- what an action may lead to ---- */

enum {
    ADVISE_OUTCOMES = 24,
    ADVISE_OTHERS = 3,
    ADVISE_CAME = 3,
    ADVISE_KEEPS = 12,
    /* what is done next, in place of the number of a use */
    ADVISE_NEW_BASE = -1,
    ADVISE_DONE = -2,
    ADVISE_MIXED = -3
};

/* Outcomes that are told alike: what each requirement then has, what is newly in the way, the side
 * of what came, what is done next. */
typedef struct craft_advise_outcome {
    uint8_t have[CRAFT_NEEDS_MAX];
    uint8_t gains, loses, blocks, frees; /* bits of requirements */
    uint8_t side; /* of the one modifier that comes; CRAFT_SIDES: none, or more */
    int16_t next; /* use, or ADVISE_NEW_BASE ... */
    double chance;
    double to_go; /* exalted, mean over them */
    int came;     /* modifiers that come, the likeliest first */
    struct {
        uint16_t sort;
        double chance;
    } mod[ADVISE_CAME];
} craft_advise_outcome;

typedef struct craft_advise_choice {
    int next;
    double cost; /* exalted: its price and all that follows */
} craft_advise_choice;

typedef struct craft_advise_odds {
    int next; /* what to do now */
    int outcomes;
    craft_advise_outcome outcome[ADVISE_OUTCOMES];
    int others;
    craft_advise_choice other[ADVISE_OTHERS]; /* the cheapest of the other actions */
    double price;                             /* of what is done now, on average */
    int keeps; /* of a reveal: what to keep of what is offered, the best first */
    struct {
        uint16_t entry;
        double to_go; /* exalted */
    } keep[ADVISE_KEEPS];
    int options; /* that the item shows: what each costs to go where it is kept */
    struct {
        int use;
        double to_go; /* exalted */
    } option[CRAFT_SHOWN];
} craft_advise_odds;

/* From values of the optimum. */
void craft_advise_look(craft_advise_odds *odds, optimizer *o);
/* Number of the use of this name; -1: a new base; -4: none. */
int craft_advise_use_named(const optimizer *o, const char *name);
const char *craft_advise_use_name(const optimizer *o, int use);

/* ---- the answer ---- */

typedef struct craft_advise_answer {
    optimizer *o;
    const craft_advise_odds *odds;       /* NULL: nothing leads to the target */
    const craft_advise_session *session; /* NULL: none is kept */
    const craft_advise_step *now;        /* what happened since the last call; NULL: nothing */
    bool same;                           /* the item is the one of the last call */
    const craft_tally *tally;            /* NULL: no budget */
    double left;                         /* of the budget, exalted */
    const char *kept;                    /* text of the session; NULL: none */
} craft_advise_answer;

void craft_advise_write(lu_json *json, const craft_advise_answer *answer);
