/* Corridor: the smallest game, and the one `ludus new` copies. A walker stands on a line of cells
 * with a lamp at one unknown end; it sees how bright its cell is and walks until it stands at the
 * lamp. This header holds the state and the names that rules, view and tests share. */
#pragma once

#include "ludus/game.h"

enum {
    CORRIDOR_LEFT,
    CORRIDOR_RIGHT,
    CORRIDOR_STAY,
    CORRIDOR_ACTIONS,
};

enum { CORRIDOR_TERM_LAMP, CORRIDOR_TERM_TIME, CORRIDOR_TERMS };
enum { CORRIDOR_INFO_POSITION, CORRIDOR_INFO_STEPS, CORRIDOR_INFO_FOUND, CORRIDOR_INFOS };
enum { CORRIDOR_EVENT_FOUND, CORRIDOR_EVENT_WALL, CORRIDOR_EVENTS };
enum { CORRIDOR_SEES_POSITION, CORRIDOR_SEES_LIGHT, CORRIDOR_SEES_TIME, CORRIDOR_OBSERVATION };
enum { CORRIDOR_BOTS = 1 };

/* What does not change during an episode: the settings. */
typedef struct corridor_rules {
    lu_rules head;
    int32_t length; /* cells, 3 .. 1000 */
    int32_t limit;  /* decisions before the episode is cut off */
} corridor_rules;

LU_STATE_BEGIN
typedef struct corridor_state {
    int32_t position; /* cell of the walker, 0 .. length - 1 */
    int32_t lamp;     /* cell of the lamp: the first or the last one */
    int32_t steps;    /* decisions so far */
    int32_t found;    /* 1 when the walker stands at the lamp */
} corridor_state;
LU_STATE_END

LU_STATIC_ASSERT(sizeof(corridor_state) == 16, "the state has no padding");

/* corridor_view.c */
extern const lu_bot corridor_bots[CORRIDOR_BOTS];
void corridor_show(const lu_rules *rules, const void *state, int seat, lu_text *text);
void corridor_story(const lu_rules *rules, const void *before, const void *after,
                    const int32_t *actions, lu_text *text);
uint64_t corridor_events_of(const lu_rules *rules, const void *before, const void *after,
                            const int32_t *actions);
const char *corridor_why_not(const lu_rules *rules, const void *state, int seat, int head,
                             int option);
void corridor_to_json(const lu_rules *rules, const void *state, int seat, lu_json *json);
lu_status corridor_from_json(const lu_rules *rules, void *state, const lu_json_value *value,
                             lu_error *error);
