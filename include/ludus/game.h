/* The game contract: what a game is to the rest of ludus. A game is one constant block, its rules
 * (settings, tables, data), and one flat state; a lu_core holds plain functions over both, and a
 * lu_game its facts as tables: names, heads, observation fields, reward terms, settings, bots. What
 * hosts ask of a game is in game_ask.h.
 * Ownership: rules and states belong to the caller; a core never keeps a pointer.
 * Threads: a core's functions touch only what they are given, so any number may run at once.
 *
 * Rules every game keeps (`ludus conform GAME` proves them):
 * - The state is one struct without pointers and without padding, of fixed-width types; what is
 *   unused is zero. Hence a snapshot is memcpy, equal states are equal bytes, a hash is over bytes.
 * - reset, step, observe, critic, mask, submask and info are device-ready (LU_HD): no mutable data
 *   outside the state, no allocation, no input or output, no function pointers, no recursion, no
 *   libm but sqrt and floor; the file of the rules compiles as C17 and as C++20.
 * - step never fails: an illegal action has one defined effect and is reported.
 * - A game writes named terms; it never knows the weights that make them a reward. */
#pragma once

#include "ludus/cpu.h"
#include "ludus/device.h"
#include "ludus/error.h"
#include "ludus/json.h"
#include "ludus/rng.h"
#include "ludus/settings.h"
#include "ludus/text.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

LU_C_BEGIN

enum {
    LU_MAX_SEATS = 8,
    LU_MAX_HEADS = 32,
    LU_MAX_GROUPS = 64,
    LU_MAX_TERMS = 64,
    LU_MAX_MODES = 4,
    LU_MAX_INFOS = 192,
    LU_MAX_NAMES = 256, /* of one info field */
    LU_MAX_EVENTS = 64,
};

/* Encloses the declaration of a state struct: padding inside it is a compile error. */
#define LU_STATE_BEGIN _Pragma("GCC diagnostic push") _Pragma("GCC diagnostic error \"-Wpadded\"")
#define LU_STATE_END   _Pragma("GCC diagnostic pop")

#ifdef __cplusplus
#define LU_STATIC_ASSERT(condition, text) static_assert(condition, text)
#else
#define LU_STATIC_ASSERT(condition, text) _Static_assert(condition, text)
#endif

/* ---- the rules ---- */

/* Head of every rules block. The rules of a game are a struct that starts with it; what varies in
 * size follows the struct and is addressed by offsets from the start of the block. */
typedef struct lu_rules {
    uint32_t bytes;              /* size of the whole block */
    uint32_t state_bytes;        /* of a state under these settings: those of the game, or fewer
                                    when rules_init lowers it; no part of the hash */
    uint64_t hash;               /* over everything behind this field */
    uint64_t spec;               /* hash of the specification it was made for */
    uint64_t terms;              /* number of weights in use */
    double weight[LU_MAX_TERMS]; /* the reward is the sum of weight x term, in order */
} lu_rules;

/* Address of what lies `offset` bytes into a rules block. */
#define LU_RULES_AT(rules, type, offset)                                                           \
    ((const type *)(const void *)((const unsigned char *)(rules) + (offset)))

/* ---- facts ---- */

/* Rows of a table, and a table as lu_game takes it, how many rows and the rows:
 * `.terms = LU_ROWS(terms)` fills the members terms and term. */
#define LU_COUNT(table) ((int)(sizeof(table) / sizeof *(table)))
#define LU_ROWS(table)  LU_COUNT(table), table

typedef struct lu_field {
    const char *name; /* "fuel" */
    float low, high;  /* every value lies in [low, high] */
    const char *unit; /* "share of 1000", "" when it has none */
    int vocabulary;   /* > 0: the value is an id below this number */
} lu_field;

typedef enum lu_group_kind {
    LU_SCALARS, /* plain numbers, one slot */
    LU_SLOTS,   /* entities: slots x fields, one field says whether the slot is used */
    LU_IDS,     /* like LU_SLOTS, with at least one field that is an id */
} lu_group_kind;

/* Observation = the groups one behind the other; a group = its slots one behind the other. */
typedef struct lu_group {
    const char *name;
    lu_group_kind kind;
    int slots;    /* 1 for scalars */
    int presence; /* index of the field that is 1 when the slot is used, -1 = all are used */
    int fields;
    const lu_field *field;
} lu_group;

/* A requirement on earlier choices. For each option (option -1: the whole head) all LU_NEED_ALL
 * rows must hold, at least one LU_NEED_ANY row if there is one, and no LU_NEED_NONE row. */
typedef enum lu_need_kind { LU_NEED_ALL, LU_NEED_ANY, LU_NEED_NONE } lu_need_kind;
typedef struct lu_need {
    int option; /* of this head, or -1 */
    lu_need_kind kind;
    int on_head, on_option; /* an earlier head and its choice */
} lu_need;

typedef struct lu_head {
    const char *name;
    int options;
    const char *const *option; /* names, one per option */
    const char *const *sets;   /* per option the heading it is listed under, or NULL */
    int needs;
    const lu_need *need;
    int points_at; /* group whose slots the options point at, -1 = none */
    bool unused;   /* declared for a fixed layout, never asked */
} lu_head;

typedef struct lu_term {
    const char *name;
    const char *sentence;
    double weight[LU_MAX_MODES]; /* default weight in each reward mode */
} lu_term;

typedef enum lu_info_kind {
    LU_INFO_REAL,
    LU_INFO_COUNT, /* a whole number */
    LU_INFO_FLAG,  /* 0 or 1 */
    LU_INFO_BITS,  /* 64 bits carried in the double's bytes: shown as hex */
    LU_INFO_NAME,  /* an index into `names` */
} lu_info_kind;

typedef struct lu_info {
    const char *name;
    lu_info_kind kind;
    const char *unit;
    const char *sentence;
    const char *const *names; /* LU_INFO_NAME only: ends with NULL, fewer than LU_MAX_NAMES */
    bool mean;                /* worth averaging over episodes in reports */
} lu_info;

typedef struct lu_event {
    const char *name;
    const char *sentence;
} lu_event;

/* A figure at the end of an episode that is worth keeping when it is first reached: the evaluator
 * tags that replay `milestone:NAME:VALUE`. No part of the specification's hash. */
typedef struct lu_milestone {
    const char *name; /* an info field that is a number, or "return" */
    double value;     /* reached by this much or more */
    const char *sentence;
} lu_milestone;

/* What the limit of an episode is, which `truncated` reports, and how long it lets one be. */
typedef enum lu_limit_kind {
    LU_LIMIT_NONE, /* there is none: an episode ends by its rules */
    LU_LIMIT_RULE, /* part of the rules: the observation shows the clock, nothing comes after it */
    LU_LIMIT_CUT,  /* a cut: the last observation looks like any other, and play would go on */
} lu_limit_kind;
typedef struct lu_limit {
    lu_limit_kind kind;
    int64_t longest; /* no episode takes more decisions at default settings; 0: no bound known */
} lu_limit;

/* ---- what a step gives ---- */

typedef struct lu_step {
    int32_t ticks;      /* game time that passed, at least 1 (for gamma^dt) */
    uint8_t terminated; /* the game is over by its rules */
    uint8_t truncated;  /* it ended by its limit (lu_game.limit), and not terminated */
    uint8_t illegal;    /* bit k: the action of seat k was illegal */
    uint8_t unused;
    uint64_t changed; /* bit g: observation group g of some seat may have changed */
} lu_step;

#define LU_ALL_CHANGED (~(uint64_t)0)

/* ---- the rules ---- */

struct lu_loop;

/* Rules of one build level. `state` is the game's own struct; `actions` holds seats x heads. */
typedef struct lu_core {
    /* Makes a new episode; every byte of the state is written or already holds its value. On a
     * first call the state is all zero; later it holds an earlier episode. `options` is the game's
     * flat option block or NULL. */
    void (*reset)(const lu_rules *rules, void *state, uint64_t seed, const void *options);
    /* One decision of every seat. `terms` (seats x terms) arrives zeroed. */
    void (*step)(const lu_rules *rules, void *state, const int32_t *actions, double *terms,
                 lu_step *step);
    /* Writes the groups whose bit is set; the other groups of the row already hold their values. */
    void (*observe)(const lu_rules *rules, const void *state, int seat, uint64_t changed,
                    float *observation);
    /* The critic-only block; NULL when the game has none. */
    void (*critic)(const lu_rules *rules, const void *state, int seat, float *critic);
    /* 1 for every legal option, heads one behind the other, before any dependency. Step reports an
     * action as illegal exactly when, after needs and submask, some head that has a legal option
     * holds another number; what a head without legal options holds does not count. */
    void (*mask)(const lu_rules *rules, const void *state, int seat, uint8_t *mask);
    /* Narrows the mask of one head after the earlier heads were chosen; NULL when the table of
     * needs says everything. */
    void (*submask)(const lu_rules *rules, const void *state, int seat, int head,
                    const int32_t *chosen, uint8_t *mask);
    /* Bit k: seat k chooses at the next step, and the actions of the others are ignored; NULL when
     * all seats always do. */
    uint8_t (*to_move)(const lu_rules *rules, const void *state);
    /* What is told of the episode so far, as seat `seat` has it. */
    void (*info)(const lu_rules *rules, const void *state, int seat, double *info);
    /* Draws everything hidden from `seat` anew; what it has seen stays: its observation, its mask,
     * and to_json and show for this seat are as they were. */
    void (*determinise)(const lu_rules *rules, void *state, int seat, lu_rng *rng);
    /* The game's own inner loop over many environments, which loop.h makes. */
    void (*loop)(const struct lu_loop *loop);
} lu_core;

/* ---- bots ---- */

/* What a bot is given when its seat chooses. */
typedef struct lu_seat_view {
    const lu_rules *rules;
    const void *state; /* NULL unless the bot sees what is hidden */
    int seat;
    const float *observation; /* the rows of this seat */
    const uint8_t *mask;
    void *memory; /* NULL when the bot has none */
    lu_rng *rng;  /* the bot's own generator */
} lu_seat_view;

typedef struct lu_bot {
    const char *name;
    const char *sentence;
    bool sees_hidden; /* is given the state; others act on what a seat sees */
    int memory_bytes; /* flat, checkpointed, zero at the start of an episode */
    void (*act)(const lu_seat_view *view, int32_t *actions);
    bool wild; /* kept as published: may choose illegal actions */
} lu_bot;

/* ---- the game ---- */

/* What a reset may be asked for; all zero: nothing. */
typedef struct lu_options {
    lu_table table;
    uint32_t bytes; /* of the block that reset is given */
    lu_status (*init)(const lu_rules *rules, const lu_settings *options, void *block,
                      lu_error *error);
} lu_options;

/* Every table stands as two members, its rows behind their number: LU_ROWS. LU_PARTS fills those
 * marked with a star. */
typedef struct lu_game {
    const char *id;    /* "prospector-v1": changes with any change of the dynamics */
    const char *name;  /* * the folder: "prospector" */
    const char *title; /* "Asteroid Belt Prospector" */
    const char *sentence;
    int seats;
    int heads;
    const lu_head *head;
    const char *keys; /* one letter or digit per option of the first head, a space for none, as on
                         the site; NULL: there are none */
    int groups;
    const lu_group *group;
    int critic_groups;
    const lu_group *critic_group;
    int terms;
    const lu_term *term;
    const char *modes; /* of rewards: "profit|reference", the first is the default; NULL: one */
    int infos;
    const lu_info *info;
    const char *headline; /* name of the info field that reports quote first */
    const char *preset;   /* with which `ludus train` learns it; NULL: with default settings */
    int events;
    const lu_event *event;
    int milestones;
    const lu_milestone *milestone;
    lu_table settings;
    lu_options options;
    int bots; /* of its own, the strongest last: ./run shows it, and learned agents must beat it;
                 "random" comes from the platform */
    const lu_bot *bot;
    lu_limit limit;
    bool tick_discount;   /* discounts count ticks, not decisions */
    uint32_t state_bytes; /* * under any settings at most; lu_rules says how many under its own */

    uint32_t rules_bytes; /* * of the rules block */
    /* What these settings add to rules_bytes; NULL: nothing. */
    size_t (*rules_more)(const lu_settings *settings);
    /* Fills the block behind its head (the head is filled by lu_rules_new); NULL: there is nothing
     * to fill. A state whose last part no function touches under these settings may be cut there:
     * head.state_bytes is lowered. */
    lu_status (*rules_init)(lu_rules *rules, const lu_settings *settings, lu_error *error);
    /* True when the game itself drives this seat under these settings (its action is ignored);
     * NULL: never. */
    bool (*drives)(const lu_rules *rules, int seat);
    /* State as one JSON object: what `seat` may see, or everything for seat -1. */
    void (*to_json)(const lu_rules *rules, const void *state, int seat, lu_json *json);
    /* State from such an object (written with seat -1, or by a person: what is missing takes its
     * value after reset). On an error the state is as it was. */
    lu_status (*from_json)(const lu_rules *rules, void *state, const lu_json_value *value,
                           lu_error *error);
    /* The board for a terminal: at most 80 columns and 18 lines, no escape codes. Whoever shows it
     * may colour words. */
    void (*show)(const lu_rules *rules, const void *state, int seat, lu_text *text);
    /* What happened between two states, as bits over the event table ... */
    uint64_t (*events_of)(const lu_rules *rules, const void *before, const void *after,
                          const int32_t *actions);
    /* ... and in words, one short line. */
    void (*story)(const lu_rules *rules, const void *before, const void *after,
                  const int32_t *actions, lu_text *text);
    /* Why an option is illegal now, as half a sentence ("not at the station"); NULL allowed. */
    const char *(*why_not)(const lu_rules *rules, const void *state, int seat, int head,
                           int option);
    /* What a person wants to know of a choice before making it, in a few words that `seat` may
     * read: of option chosen[head] after the earlier choices ("A40, 6 owned, 35 gold"), or where
     * head is the number of heads of the whole action ("Pair, 64 of the 300 you need"). Writes
     * nothing where there is nothing to say; NULL allowed. */
    void (*note)(const lu_rules *rules, const void *state, int seat, int head,
                 const int32_t *chosen, lu_text *text);

    const lu_core *core[LU_ISA_COUNT]; /* * NULL where a level is not built */
} lu_game;

/* ---- the parts of a game ----
 * The file of the rules is compiled once per build level, and loop.h makes the core of each, which
 * LU_CORES_DECLARE(prospector) declares. LU_PARTS(prospector, prospector) fills what follows from
 * the names of a folder and of a core: name, the sizes of PREFIX_state and PREFIX_rules, cores; a
 * variant has a core of its own. LU_GAMES(prospector) = {&game, NULL} is the list of a folder. */
#define LU_PASTE_(a, b) a##b
#define LU_PASTE(a, b)  LU_PASTE_(a, b)
#ifndef LU_ISA
#define LU_ISA _base
#endif
#ifdef LUDUS_LEVELS
#define LU_CORES_DECLARE(name)                                                                     \
    extern const lu_core lu_core_##name##_base, lu_core_##name##_v3, lu_core_##name##_v4
#define LU_CORES(name)                                                                             \
    { &lu_core_##name##_base, &lu_core_##name##_v3, &lu_core_##name##_v4 }
#else
#define LU_CORES_DECLARE(name) extern const lu_core lu_core_##name##_base
#define LU_CORES(name)                                                                             \
    { &lu_core_##name##_base, NULL, NULL }
#endif
#define LU_PARTS(name_, core_)                                                                     \
    .name = #name_, .state_bytes = sizeof(name_##_state), .rules_bytes = sizeof(name_##_rules),    \
    .core = LU_CORES(core_)
#define LU_GAMES(name)                                                                             \
    extern const lu_game *const lu_games_##name[];                                                 \
    const lu_game *const lu_games_##name[]

LU_C_END
