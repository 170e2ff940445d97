/* Searching seeds for a condition, the parts of the find tool: find.c holds the tool, find_want.c
 * reads what is wanted, find_scan.c goes through the seeds, find_why.c tells what a seed has. A
 * condition is a list of clauses that all have to hold, a clause a list of terms of which one does;
 * what is in shops and packs is told by the queues of an ante, as the seed tool lists them (nothing
 * blocked but inside one pack). Ownership: searches belong to the caller. Threads:
 * one per search. */
#pragma once

#include "joker.h"

#include "ludus/error.h"

enum {
    JOKER_FIND_CLAUSES = 16,
    JOKER_FIND_TERMS = 64, /* of all clauses */
    JOKER_FIND_TESTS = 4,  /* per term */
    JOKER_FIND_STEPS = 16, /* per test */
    JOKER_FIND_CARDS = 40, /* of a shop queue at most */
    JOKER_FIND_PACKS = 10, /* of a queue at most */
    JOKER_FIND_ANTES = 64,
    JOKER_FIND_DIGITS = 35 /* letters of seeds: joker_seed_letters */
};

typedef enum joker_find_kind {
    JOKER_FIND_JOKER,
    JOKER_FIND_CONSUMABLE,
    JOKER_FIND_TAG,
    JOKER_FIND_VOUCHER,
    JOKER_FIND_BOSS
} joker_find_kind;

typedef enum joker_find_place {
    JOKER_FIND_ANYWHERE, /* tags: at either blind */
    JOKER_FIND_SMALL,
    JOKER_FIND_BIG,
    JOKER_FIND_SHOP, /* among the first `count` cards of the ante */
    JOKER_FIND_PACK  /* in one of the first `count` packs of the ante; a legendary joker: as what
                        The Soul of that pack makes, the first of the run */
} joker_find_place;

typedef struct joker_find_term {
    int kind;    /* joker_find_kind */
    int id;      /* -1: any joker (with an edition) */
    int edition; /* of a joker; -1: any */
    int place;   /* joker_find_place */
    int count;
    int ante;
    int clause; /* terms of one lie behind each other */
} joker_find_term;

/* Where a term holds: the k-th card of the shops or the k-th pack, from 1 on; of a tag 1 the small
 * blind, 2 the big one; 0 elsewhere. */
typedef struct joker_find_spot {
    int term, at;
} joker_find_spot;

/* What a draw is worth: the first row whose number is not below draw * scale. */
typedef struct joker_find_step {
    double upto;
    int gain;
} joker_find_step;

/* A cheap look at the draws of a stream. Either they are in bins (n of [0, 1), bit = bin), and one
 * of `bins` is enough; with `twins` two draws in the same bin are too: the second is drawn again,
 * and may then be anything. Or (n is 0) each is worth something, and a sum above 0 is enough. The
 * tests of a term follow each other as the rules draw: the sum of one that `feeds` is how many
 * draws those behind it look at. */
typedef struct joker_find_test {
    int term;
    char key[48];
    int length;  /* of the key */
    bool starts; /* the first of a term */
    bool feeds;
    bool either;     /* it, or the next test */
    int first, last; /* draws of one that starts: first .. last - 1 */
    int n;
    bool twins;
    uint64_t bins;
    int given; /* worth without a draw */
    int steps;
    double scale;
    joker_find_step step[JOKER_FIND_STEPS];
} joker_find_test;

typedef struct joker_find {
    joker_rules rules;
    joker_state *state; /* where a seed is tried */
    int clauses, terms;
    joker_find_term term[JOKER_FIND_TERMS];
    int tests, term_now; /* of which tests are made */
    joker_find_test test[JOKER_FIND_TERMS * JOKER_FIND_TESTS];
} joker_find;

/* Cards of the shops of an ante without a reroll, and as many packs. */
LU_INLINE int joker_find_shops(int ante) {
    return ante == 1 ? 4 : 6;
}

/* Reads a condition. (find_want.c) */
lu_status joker_find_read(joker_find *find, const char *want, lu_error *error);

/* Refuses what never comes in a run of this deck in which nothing is bought or played.
 * (find_want.c)
 */
lu_status joker_find_check(const joker_find *find, lu_error *error);

/* Makes a search ready: deck and stake are those of the rules. (find_scan.c) */
void joker_find_begin(joker_find *find);
void joker_find_end(joker_find *find);
/* Whether a seed of 1 to 8 letters has it all, by the generators of the rules; `spots` (NULL: not
 * wanted) gets where, a clause each. (find_scan.c) */
bool joker_find_holds(joker_find *find, const char *seed, joker_find_spot *spots);
/* Adds to an open object why a seed was found, what else is good in its first two antes, and both
 * in words. (find_why.c) */
void joker_find_why(joker_find *find, const char *seed, lu_json *json);
/* Goes through the 35 seeds that differ in their first letter, number 35 * block on; bit = first
 * letter of a seed that has it all. (find_scan.c) */
uint64_t joker_find_block(joker_find *find, uint64_t block);
