/* Statistics of strategies: what the tool measure is made of. Episodes come from a report or are
 * played by a baseline; figures are the same.
 * Ownership: a tally owns its list, from first add to free. Threads: one each. */
#pragma once

#include "ludus/env.h"
#include "ludus/tool.h"

#include "craft.h"

typedef struct craft_played {
    uint64_t seed;
    double spent; /* exalted */
    int bases, uses, end;
    bool success;
} craft_played;

typedef struct craft_tally {
    craft_played *list;
    int count, room;
} craft_tally;

void craft_tally_add(craft_tally *tally, const craft_played *played);
void craft_tally_free(craft_tally *tally);
/* Members of an open object: success, costs with intervals, quantiles, histogram, bases, ends. */
void craft_tally_write(const craft_tally *tally, lu_json *json);
/* Cost of a finished item with its interval (infinite where none is); returns the share of
 * successes. */
double craft_tally_cost(const craft_tally *tally, double *mean, double *low, double *high);
/* Lines for people, as entries of an open array. */
void craft_tally_words(const craft_tally *tally, const char *name, lu_json *json);

/* measure_final.c: items that episodes end with, by the requirements that they meet and the tiers
 * of what meets them. Zero at first. */
enum { CRAFT_FINALS = 256 };
typedef struct craft_final {
    uint16_t hit[CRAFT_MODS]; /* entries, rising */
    int hits, met;            /* modifiers that hit, requirements that are met */
    int64_t count;
} craft_final;
typedef struct craft_finals {
    craft_final row[CRAFT_FINALS];
    int rows;
    int64_t count, others; /* others: of further kinds */
} craft_finals;

void craft_finals_add(craft_finals *finals, const craft_goal *goal, const craft_pool *pool,
                      const craft_item *item);
/* Members of an open object: `final_items`, the most frequent first, and `other_items`. */
void craft_finals_write(craft_finals *finals, const craft_pack *pack, const craft_pool *pool,
                        lu_json *json);

/* measure_play.c: a baseline plays, with what it used and example paths as members too. */
lu_status craft_measure_bot(const lu_tool_io *io, const char *name, lu_error *error);
/* measure_targets.c: optimum, agent and baselines on so many drawn targets; 0: on the one of
 * `target_spec`. */
lu_status craft_measure_targets(const lu_tool_io *io, int targets, lu_error *error);
