/* `ludus joker find --want "..."`: seeds that have what is wanted (the grammar is told in
 * find_want.c). Seeds are gone through by their number (10.1 of the rules: the first letter counts
 * up fastest), some blocks at a time on the threads there are; each one found is told at once, and
 * the end says where to go on. */
#include "rules/joker_rng.h"

#include "find.h"
#include "joker_words.h"
#include "seed.h"
#include "steps.h"

#include "ludus/hash.h"
#include "ludus/tool.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SEEDS_ALL UINT64_C(2251875390625) /* 35^8 */
enum { PARTS = 16, PART_BLOCKS = 16, ROUND = PARTS * PART_BLOCKS };

static const lu_setting rows[] = {
    {"want", LU_TEXT, "", 0, 2000, NULL,
     "What a seed must have, separated by ;: blueprint or brainstorm ante 1-2; perkeo; negative "
     "any shop 4 ante 1; voucher telescope ante 2; tag negative big ante 2; boss hook. By default "
     "any shop or pack counts, in ante 1.",
     false},
    {"from", LU_TEXT, "", 0, 8, NULL,
     "The seed to start from, 8 letters and digits; default: one derived from the search.", false},
    {"seeds", LU_INT, "100M", 1, 2251875390625.0, NULL, "Maximum number of seeds to try.", false},
    {"count", LU_INT, "10", 1, 1e6, NULL, "Number of seeds to find.", false},
    {"deck", LU_TEXT, "b_red", 0, 40, NULL, "The deck by key, title or colour.", false},
    {"stake", LU_TEXT, "white", 0, 40, NULL, "The stake by colour or number, 1 white to 8 gold.",
     false},
    {"threads", LU_INT, "0", 0, 1024, NULL, "Threads; 0: one per processor.", false},
};

static void seed_of(uint64_t number, char seed[9]) {
    joker_seed_letters_of(number, seed);
    seed[8] = 0;
}

static lu_status number_of(const char *text, uint64_t *number, lu_error *error) {
    char seed[9];
    LU_TRY(joker_read_seed(text, seed, error));
    if (strlen(seed) != 8) {
        return lu_fail(error, LU_BAD_VALUE,
                       "from '%s': a seed to start from has 8 letters or digits", text);
    }
    *number = 0;
    for (size_t i = 8; i-- > 0;) {
        const char *at = strchr(joker_seed_letters, seed[i]);
        *number = *number * JOKER_FIND_DIGITS + (uint64_t)(at - joker_seed_letters);
    }
    return LU_OK;
}

/* Equal questions begin alike, and what is found does not look like counting. */
static uint64_t start_of(const char *want) {
    return lu_hash(want, strlen(want), 0) % SEEDS_ALL;
}

static void tell_found(const lu_tool_io *io, joker_find *find, const char *seed) {
    lu_json json = LU_JSON_INIT;
    lu_json_object(&json);
    lu_json_key_string(&json, "seed", seed);
    joker_find_why(find, seed, &json);
    lu_json_object_end(&json);
    io->emit(io->user, json.text, json.length);
    lu_json_free(&json);
}

static void tell_end(const lu_tool_io *io, int64_t found, uint64_t tried, uint64_t next) {
    char seed[9];
    lu_text words = LU_TEXT_INIT;
    lu_json json = LU_JSON_INIT;
    seed_of(next % SEEDS_ALL, seed);
    joker_step_number(&words, (double)found);
    lu_text_add(&words, " found in ");
    joker_step_number(&words, (double)tried);
    lu_text_addf(&words, " seed%s; continue with --from %s", tried == 1 ? "" : "s", seed);
    lu_json_object(&json);
    lu_json_key_int(&json, "found", found);
    lu_json_key_int(&json, "tried", (int64_t)tried);
    lu_json_key_string(&json, "next", seed);
    lu_json_key_array(&json, "words");
    lu_json_string(&json, words.text);
    lu_json_array_end(&json);
    lu_json_object_end(&json);
    io->emit(io->user, json.text, json.length);
    lu_json_free(&json);
    lu_text_free(&words);
}

/* Blocks that are gone through at a time, in parts that know nothing of each other. */
typedef struct seed_round {
    joker_find find[PARTS];
    uint64_t first, last; /* blocks; what is behind the last is not looked at */
    uint64_t hits[ROUND];
} seed_round;

static seed_round *round_new(const joker_find *find) {
    seed_round *r = lu_alloc(sizeof *r);
    for (int i = 0; i < PARTS; i++) {
        r->find[i] = *find;
        joker_find_begin(&r->find[i]);
    }
    return r;
}

static void round_delete(seed_round *r) {
    for (int i = 0; i < PARTS; i++) {
        joker_find_end(&r->find[i]);
    }
    free(r);
}

static void scan_part(void *context, int part) {
    seed_round *r = context;
    for (int i = part * PART_BLOCKS; i < (part + 1) * PART_BLOCKS; i++) {
        uint64_t block = r->first + (uint64_t)i;
        r->hits[i] = block <= r->last ? joker_find_block(&r->find[part], block) : 0;
    }
}

static lu_status search(const lu_tool_io *io, seed_round *r, uint64_t from, lu_error *error) {
    const uint64_t seeds = (uint64_t)lu_settings_int(io->settings, "seeds");
    const int64_t count = lu_settings_int(io->settings, "count");
    uint64_t end = from + seeds, at = from;
    int64_t found = 0;
    char seed[9];
    end = end < SEEDS_ALL ? end : SEEDS_ALL;
    r->last = (end - 1) / JOKER_FIND_DIGITS;
    while (at < end && found < count) {
        if (io->progress) {
            io->progress(io->user, (double)(at - from) / (double)(end - from), "seeds");
        }
        if (io->cancelled && io->cancelled(io->user)) {
            tell_end(io, found, at - from, at);
            seed_of(at, seed);
            return lu_fail(error, LU_INTERRUPTED, "stopped; continue with --from %s", seed);
        }
        r->first = at / JOKER_FIND_DIGITS;
        lu_pool_run(io->pool, scan_part, r, PARTS);
        for (uint64_t next = (r->first + ROUND) * JOKER_FIND_DIGITS;
             at < next && at < end && found < count; at++) {
            uint64_t hits = r->hits[at / JOKER_FIND_DIGITS - r->first];
            if (hits >> (at % JOKER_FIND_DIGITS) & 1u) {
                seed_of(at, seed);
                tell_found(io, &r->find[0], seed);
                found++;
            }
        }
    }
    tell_end(io, found, at - from, at);
    return LU_OK;
}

static lu_status run(const lu_tool_io *io, lu_error *error) {
    joker_find find = {.terms = 0};
    uint64_t from = 0;
    const char *deck = lu_settings_text_of(io->settings, "deck");
    const char *stake = lu_settings_text_of(io->settings, "stake");
    const char *want = lu_settings_text_of(io->settings, "want");
    const char *first = lu_settings_text_of(io->settings, "from");
    lu_status status = joker_find_read(&find, want, error);
    from = start_of(want);
    LU_THEN(status, *first ? number_of(first, &from, error) : LU_OK);
    LU_THEN(status, joker_seed_read_deck(deck, &find.rules.deck, error));
    LU_THEN(status, joker_seed_read_stake(stake, &find.rules.stake, error));
    LU_THEN(status, joker_find_check(&find, error));
    if (status == LU_OK) {
        seed_round *r = round_new(&find);
        status = search(io, r, from, error);
        round_delete(r);
    }
    return status;
}

extern const lu_tool lu_tool_joker_find;
const lu_tool lu_tool_joker_find = {
    .game = "joker",
    .name = "find",
    .sentence =
        "Searches for seeds that have what you want: jokers, tags, vouchers, bosses by ante.",
    .settings = {"joker find", rows, sizeof rows / sizeof *rows},
    .run = run,
    .argument = "want",
};
