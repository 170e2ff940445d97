/* What the files of craft's verify tool share: verify.c holds the tool and reads cases,
 * verify_case.c answers them.
 * Ownership: a case belongs to the tool while it is checked. Threads: one at a time. */
#pragma once

#include "solver/craft_solve.h"

#include "ludus/verify.h"

enum { CRAFT_CASE_USES = 40 };

/* A use as a case names it. */
typedef struct craft_case_use {
    const char *item;
    const char *omen[CRAFT_USE_OMENS];
    int omens;
} craft_case_use;

/* A case as read. */
typedef struct craft_case {
    const lu_json_value *input;
    const craft_pack *pack;
    craft_pool pool;
    craft_goal goal;
    bool has_goal;
    uint16_t mod[CRAFT_MODS]; /* entries */
    uint8_t flags[CRAFT_MODS];
    int mods;
    int hidden[CRAFT_SIDES]; /* unrevealed of each side */
    int rarity;
    craft_sorts sorts;
    craft_set start;
    craft_case_use asked[CRAFT_CASE_USES];
    craft_use use[CRAFT_CASE_USES];
    int asks;
} craft_case;

/* Answers a case of its kind and compares; LU_BAD_DATA with the reason, LU_BAD_VALUE where the case
 * fails with a sentence and others go on. */
typedef lu_status craft_case_kind(lu_check *check, const lu_tool_io *io, craft_case *c,
                                  const lu_json_value *expect);
craft_case_kind craft_case_prob, craft_case_until, craft_case_mdp, craft_case_reveal,
    craft_case_fracture, craft_case_classic;

/* Reads a list of uses, or one; adds them to those of the case. */
lu_status craft_case_uses(lu_check *check, craft_case *c, const char *key);
/* Sorts, uses and the item as a set; when all uses are read. LU_BAD_VALUE: the solver does not know
 * one of them, which is the case's mismatch. */
lu_status craft_case_start(lu_check *check, craft_case *c);
/* A number of `expect` against ours, relative to its size; absent: not compared. */
void craft_case_number(lu_check *check, const lu_json_value *expect, const char *key, double got);
