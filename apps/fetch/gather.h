/* The answers of a source, category by category: from the cache while they are young, else asked,
 * judged by `ludus craft prices`, and kept. A category that fails is told and hinders no other; an
 * older answer of it counts then.
 * Ownership: the caller's, from gather_open to gather_close. Threads: one. */
#pragma once

#include "cache.h"
#include "sources.h"

enum { GATHER_PARTS = 32, GATHER_NAME = 48 };

typedef enum part_state {
    PART_FETCHED, /* asked now */
    PART_CACHED,  /* young enough */
    PART_OLD,     /* an older answer, because the new one failed */
    PART_FAILED,
} part_state;

typedef struct part {
    char name[GATHER_NAME]; /* the category */
    char league[80];        /* that the answer is of, where it says */
    bool leagues;           /* the list of leagues, which has no prices */
    part_state state;
    double age;  /* of the answer in seconds */
    int prices;  /* of items that crafting knows */
    int pages;   /* that the source has; only the first is read */
    char *bytes; /* the answer; NULL where it failed */
    size_t length;
    lu_error error; /* why it failed, or why it is old */
} part;

typedef struct gather {
    const source *from;
    const char *base;  /* address */
    const char *token; /* or NULL */
    double seconds;    /* of one call */
    double max_age;    /* seconds for which an answer counts as young */
    bool force;        /* asks even so */
    lu_text league;    /* "" until the source has told it */
    cache cache;
    part part[GATHER_PARTS];
    int parts;
} gather;

/* Reads the list of categories, "": those of the source. */
lu_status gather_open(gather *g, const char *categories, const char *cache_folder, lu_error *error);
void gather_close(gather *g);
/* Gets every part. LU_OK also where parts failed; an error is one that ends the work. */
lu_status gather_all(gather *g, lu_error *error);
int gather_failed(const gather *g); /* parts that are old or failed */
/* All answers as one price file, the document of `ludus craft prices`. */
lu_status gather_merge(const gather *g, double base_price, lu_text *file, lu_error *error);
