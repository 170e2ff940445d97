/* The parts of `ludus potion solve`: what is asked (solve_read.c), what is answered as JSON and in
 * words (solve_write.c), and the run itself (solve.c). Ownership: an asked question holds copies
 * only. Threads: no shared state. */
#pragma once

#include "potion.h"
#include "solver/potion_solve.h"

#include "ludus/text.h"
#include "ludus/tool.h"

/* One task with all wishes. */
typedef struct solve_asked {
    int recipe, cauldron;
    potion_task task;              /* its stock has what the shop sells, too */
    uint8_t stock[POTION_ACTIONS]; /* what is there without buying */
    uint8_t open[POTION_ACTIONS];  /* 1: an ingredient that is not forbidden and of the chapters */
    int64_t shop;                  /* chapter, 0 = nothing is bought */
    bool free;                     /* pieces of the stock cost nothing */
    bool traits, front, front_sizes, prove;
    int64_t top;
} solve_asked;

/* A number below `count`, one of the names whatever the case, or the beginning of one alone. */
lu_status solve_read_name(const char *key, const char *text, const char *const *names, int count,
                          int *value, lu_error *error);

/* A task from the settings alone, from an inventory (`stock`, NULL = as the settings say), or from
 * a case, whose keys go before settings. Messages about a case name `name` and its line. */
lu_status solve_read_settings(const lu_settings *settings, const uint8_t *stock, solve_asked *asked,
                              lu_error *error);
lu_status solve_read_case(const lu_settings *settings, const char *name, const lu_json_value *entry,
                          solve_asked *asked, lu_error *error);

/* What is written: the answer, and the lines that people read. */
typedef struct solve_page {
    lu_json json, words;
    lu_text line;
} solve_page;

void solve_page_init(solve_page *page);
void solve_page_free(solve_page *page);
/* Ends the line that was gathered. */
void solve_page_line(solve_page *page);
/* The recipe, the cauldron, and the name of the case (or NULL). */
void solve_write_task(const solve_asked *asked, const lu_json_value *entry, solve_page *page);

/* How a potion is written. */
typedef struct solve_manner {
    const char *title;         /* for people; NULL: a row of a list */
    const potion_proof *proof; /* the second proof, or NULL */
    const char *no_proof;      /* why there is none although it was asked for, or NULL */
    bool traits;               /* profit with traits */
    bool buys;                 /* with what has to be bought beyond the stock */
} solve_manner;

void solve_write_brew(const solve_asked *asked, const potion_brew *brew, solve_manner manner,
                      solve_page *page);
/* What follows from the largest total. */
void solve_write_figures(const solve_asked *asked, const potion_brew *total, solve_page *page);
