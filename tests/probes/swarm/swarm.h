/* Swarm, a probe of the game contract: a varying number of entities in slots with presence and ids,
 * two variants from one folder, and rules of varying size behind the struct. Bugs come and go;
 * squash them for the points of their kind. */
#pragma once

#include "ludus/game.h"

enum { SWARM_INFO_POINTS, SWARM_INFO_ROUND, SWARM_INFOS };
enum {
    SWARM_MANY = 12, /* slots of swarm-v1 */
    SWARM_FEW = 4,   /* slots of swarm-few-v1 */
    SWARM_KINDS_MAX = 8,
    SWARM_FIELDS = 3, /* of a slot: present, kind, age */
    SWARM_SCALARS = 2,
    SWARM_AGE_MAX = 9,
    SWARM_GOAL = 60,  /* points that end the game */
    SWARM_LIMIT = 40, /* rounds after which it is cut off */
    SWARM_TERMS = 1,
    SWARM_BOTS = 1,
};

/* One kind of bug; the table of them lies behind the rules, at kinds_at. */
typedef struct swarm_kind {
    int32_t points;   /* for squashing it */
    int32_t patience; /* rounds until it flies away, 1..9 */
} swarm_kind;

typedef struct swarm_rules {
    lu_rules head;
    uint64_t kinds_at; /* offset of the table in the block */
    int32_t kinds;     /* entries of it */
    int32_t unused;
} swarm_rules;

LU_STATE_BEGIN
typedef struct swarm_state {
    uint64_t rng;
    int32_t round;
    int32_t points;
    uint8_t kind[SWARM_MANY]; /* 1 + kind, 0 = no bug; then its age is 0 too */
    uint8_t age[SWARM_MANY];  /* rounds since it came */
} swarm_state;
LU_STATE_END

LU_STATIC_ASSERT(sizeof(swarm_state) == 40, "the state has no padding");

/* swarm_view.c */
void swarm_show(const lu_rules *rules, const void *state, int seat, lu_text *text);
uint64_t swarm_events_of(const lu_rules *rules, const void *before, const void *after,
                         const int32_t *actions);
void swarm_story(const lu_rules *rules, const void *before, const void *after,
                 const int32_t *actions, lu_text *text);
void swarm_to_json(const lu_rules *rules, const void *state, int seat, lu_json *json);
lu_status swarm_from_json(const lu_rules *rules, void *state, const lu_json_value *value,
                          lu_error *error);
