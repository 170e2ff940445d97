/* Broken, a game that is sound until its setting `fault` names a fault: the proof that the battery
 * finds what it claims to find. Two seats in turn pick open doors; behind them lie things of three
 * kinds in three slots; a treasure is hidden, and the critic sees it. */
#pragma once

#include "ludus/game.h"

/* X(fault, the check that must find it, other checks that may find it too: "*" = any) */
#define BROKEN_FAULTS(X)                                                                           \
    X(none, "", "")                                                                                \
    /* rules, seeds, equal bytes */                                                                \
    X(rules_counter, "rules", "replay")                                                            \
    X(state_long, "rules", "")                                                                     \
    X(state_short, "buffers", "rules")                                                             \
    X(options_unset, "options", "")                                                                \
    X(counter, "deterministic", "*")                                                               \
    X(address, "deterministic", "*")                                                               \
    X(seed_ignored, "index-differs", "")                                                           \
    X(seed_halved, "index-differs", "")                                                            \
    X(thread, "threads", "resets")                                                                 \
    X(level, "levels", "")                                                                         \
    /* the vector loop */                                                                          \
    X(loop_ticks, "vector-single", "resets")                                                       \
    X(loop_mask, "vector-single", "resets")                                                        \
    X(final_observation, "vector-single", "resets alone")                                          \
    X(final_info, "vector-single", "resets alone")                                                 \
    X(step_info, "vector-single", "resets")                                                        \
    X(final_mask, "vector-single", "resets")                                                       \
    X(restless, "resets", "")                                                                      \
    X(reset_some, "resets", "")                                                                    \
    X(final_seed, "alone", "")                                                                     \
    X(changed, "partial-observation", "")                                                          \
    /* snapshots and memory */                                                                     \
    X(outside, "snapshot", "threads vector-single alone buffers idle-seats replay resets")         \
    X(leftover, "clean-state", "replay")                                                           \
    X(inherits, "clean-state", "alone")                                                            \
    X(observe_short, "buffers", "vector-single alone determinise resets")                          \
    X(observe_past, "buffers", "")                                                                 \
    X(step_unset, "buffers", "")                                                                   \
    X(allocates, "no-allocation", "")                                                              \
    X(allocates_in_loop, "no-allocation", "")                                                      \
    /* masks */                                                                                    \
    X(mask_too_open, "mask-agrees", "bots")                                                        \
    X(mask_too_closed, "mask-agrees", "")                                                          \
    X(silent, "mask-agrees", "")                                                                   \
    X(range, "mask-agrees", "")                                                                    \
    X(mask_of_two, "mask-agrees", "")                                                              \
    X(no_option, "some-legal", "")                                                                 \
    X(nobody, "some-legal", "")                                                                    \
    X(idle, "idle-seats", "")                                                                      \
    /* values */                                                                                   \
    X(nan, "bounds", "fuzz json")                                                                  \
    X(high, "bounds", "fuzz json")                                                                 \
    X(critic_low, "bounds", "fuzz")                                                                \
    X(last_sight, "bounds", "fuzz")                                                                \
    X(ghost, "slots", "fuzz")                                                                      \
    X(half_there, "slots", "fuzz")                                                                 \
    X(half_id, "ids", "fuzz")                                                                      \
    X(endless, "ends", "")                                                                         \
    X(no_clock, "limit", "")                                                                       \
    X(both_flags, "flags", "fuzz resets")                                                          \
    X(flag_of_two, "flags", "fuzz resets")                                                         \
    X(third_seat, "flags", "fuzz")                                                                 \
    X(no_ticks, "ticks", "fuzz")                                                                   \
    X(term_nan, "terms", "fuzz")                                                                   \
    X(info_half, "info", "fuzz")                                                                   \
    X(wild, "fuzz", "")                                                                            \
    X(determinise_seen, "determinise", "")                                                         \
    X(determinise_counter, "determinise", "")                                                      \
    X(determinise_nothing, "determinise", "")                                                      \
    X(json_leaks, "determinise", "")                                                               \
    X(show_leaks, "determinise", "")                                                               \
    /* what people see */                                                                          \
    X(json_loses, "json", "")                                                                      \
    X(json_broken, "json", "")                                                                     \
    X(json_halfway, "json", "")                                                                    \
    X(json_trusts, "json", "")                                                                     \
    X(show_wide, "show", "")                                                                       \
    X(show_tall, "show", "")                                                                       \
    X(show_control, "show", "")                                                                    \
    X(event_unknown, "events", "")                                                                 \
    X(story_long, "events", "")                                                                    \
    X(bot_illegal, "bots", "")                                                                     \
    X(bot_counter, "bots", "")                                                                     \
    X(bot_memory, "bots", "")                                                                      \
    X(bot_silent, "bots", "")                                                                      \
    X(origin, "replay", "")

#define X(name, check, also) BROKEN_##name,
typedef enum broken_fault { BROKEN_FAULTS(X) BROKEN_FAULT_COUNT } broken_fault;
#undef X

enum {
    BROKEN_SEATS = 2,
    BROKEN_DOORS = 4,
    BROKEN_SLOTS = 3,
    BROKEN_KINDS = 4, /* 0 = none */
    BROKEN_SLOT_FIELDS = 2,
    BROKEN_SCALARS = 3,
    BROKEN_OBSERVATION = BROKEN_SCALARS + BROKEN_SLOTS * BROKEN_SLOT_FIELDS,
    BROKEN_LONGEST = 30,
    BROKEN_TERMS = 1,
    BROKEN_INFOS = 2,
    BROKEN_BOTS = 1,
};
#define BROKEN_CRITIC 1

typedef struct broken_rules {
    lu_rules head;
    int32_t fault;
    int32_t extra; /* for faults of the rules */
} broken_rules;

typedef struct broken_options {
    int32_t start; /* decisions that count as made */
    int32_t unused;
} broken_options;

LU_STATE_BEGIN
typedef struct broken_state {
    uint64_t rng;
    int32_t steps;
    int32_t treasure; /* hidden: 0..9 */
    int32_t score;    /* of both seats */
    uint8_t open;     /* bit d: door d may be chosen; at least one */
    uint8_t seat;     /* who chooses */
    uint8_t over;
    uint8_t spare;              /* zero, unless a fault soils it */
    uint8_t kind[BROKEN_SLOTS]; /* what lies in a slot, 0 = nothing */
    uint8_t shade;              /* seen by everybody, 0..100 */
    uint32_t spot;              /* zero, unless a fault writes it; seen by nobody */
} broken_state;
LU_STATE_END

LU_STATIC_ASSERT(sizeof(broken_state) == 32, "the state has no padding");

/* broken_view.c */
extern const lu_bot broken_bots[BROKEN_BOTS];
void broken_show(const lu_rules *rules, const void *state, int seat, lu_text *text);
void broken_story(const lu_rules *rules, const void *before, const void *after,
                  const int32_t *actions, lu_text *text);
uint64_t broken_events_of(const lu_rules *rules, const void *before, const void *after,
                          const int32_t *actions);
void broken_to_json(const lu_rules *rules, const void *state, int seat, lu_json *json);
lu_status broken_from_json(const lu_rules *rules, void *state, const lu_json_value *value,
                           lu_error *error);
