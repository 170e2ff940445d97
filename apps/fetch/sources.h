/* Where prices come from: addresses and categories of each source, in one table.
 * Ownership: constants; made texts belong to the caller. Threads: any. */
#pragma once

#include "ludus/text.h"

#include <stdbool.h>
#include <stddef.h>

typedef struct source {
    const char *name;       /* as --source says it */
    const char *title;      /* as people say it */
    const char *base;       /* begin of its addresses, which --url changes */
    const char *leagues;    /* path of the list of leagues, asked first; NULL: it has none */
    const char *path;       /* {league}, {category} and {hour} are filled in */
    const char *categories; /* those that crafting needs, separated by commas */
    bool any_league;        /* without a league it is the current one */
    bool token;             /* only with a token */
    bool dated;             /* its answers say of when they are */
    size_t most;            /* bytes of an answer */
} source;

/* In the order of the choices of --source. */
extern const source sources[];

/* The address of a path. `now`: seconds since 1970; {hour} is the last whole hour before it. */
void source_address(const char *base, const char *path, const char *league, const char *category,
                    double now, lu_text *address);
