/* Conformance: the battery every registered game gets for free. Each check has a name and a
 * sentence; it plays the game by random and fuzzed actions and reports the first fault it finds
 * with what a person needs to see it again. What needs several builds (compilers, WASM, symbols,
 * C++20) compares the hash of one standard play between them: tools/conform-builds.
 * Ownership: nothing is kept. Threads: one run at a time. */
#pragma once

#include "ludus/game_ask.h"

LU_C_BEGIN

typedef struct lu_conform_result {
    const char *check; /* "mask-agrees" */
    const char *sentence;
    bool passed, skipped;
    const char *detail; /* what was seen, valid during the call */
    double seconds;
} lu_conform_result;

typedef struct lu_conform_options {
    uint64_t seed;
    int64_t steps;      /* decisions per check, default 20000 */
    int threads;        /* the N of "1 and N threads" */
    const char *golden; /* path of the golden playthrough; NULL = not checked */
    const char *only;   /* name of one check, or NULL */
    void *user;
    void (*report)(void *user, const lu_conform_result *result); /* may be NULL */
} lu_conform_options;

/* Default options. */
lu_conform_options lu_conform_default(void);
/* Runs the checks; returns the number of failed ones. `settings` holds the game's tables. */
int lu_conform(const lu_game *game, const lu_settings *settings, const lu_conform_options *options);
/* Names and sentences of the checks, in order. */
int lu_conform_count(void);
const char *lu_conform_check(int index, const char **sentence);

/* Hash of the standard play: `steps` decisions of mixed legal and wild actions over several
 * environments, over every observation, mask, term, flag and state byte. Equal for every build. */
uint64_t lu_conform_hash(const lu_game *game, const lu_rules *rules, uint64_t seed, int64_t steps);

/* The golden playthrough: a text a person can read in a diff. */
void lu_golden_write(const lu_game *game, lu_text *text);

LU_C_END
