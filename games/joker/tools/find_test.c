/* Tests of the find tool: the fast way through the seeds finds exactly what the rules find, what is
 * found is what the seed tool shows, searches go on where they stopped, bad wants are refused. */
#include "rules/joker_make.h"

#include "find.h"

#include "ludus/tool.h"

#include "tool_said.h"

#include <stdlib.h>
#include <string.h>

extern const lu_tool lu_tool_joker_find;

static void seed_of(uint64_t number, char seed[9]) {
    joker_seed_letters_of(number, seed);
    seed[8] = 0;
}

/* ---- the scan against the rules ---- */

TEST(the_scan_finds_what_the_rules_find) {
    static const struct {
        const char *want;
        int deck, stake;
        int least; /* so many are found in 7,000 seeds at least */
    } rows[] = {
        {"joker blueprint shop 6 ante 1", JOKER_B_RED, 0, 40},
        {"joker joker shop ante 3", JOKER_B_RED, 7, 100},
        {"joker negative any shop 10 ante 2", JOKER_B_RED, 0, 80},
        {"joker foil baron pack 4 ante 1", JOKER_B_RED, 0, 1},
        {"joker madness pack 1 ante 1", JOKER_B_RED, 0, 30},
        {"joker egg pack 3 ante 2", JOKER_B_RED, 0, 20},
        {"tarot Death shop 8 ante 1", JOKER_B_RED, 0, 100},
        {"planet eris shop 40 ante 2", JOKER_B_RED, 0, 0},
        {"planet mars pack 2 ante 1", JOKER_B_ZODIAC, 0, 200},
        {"spectral cryptid pack 4 ante 1", JOKER_B_GHOST, 0, 10},
        {"spectral soul pack 2 ante 1", JOKER_B_RED, 0, 10},
        {"tag negative ante 2", JOKER_B_RED, 0, 400},
        {"tag rare small ante 1", JOKER_B_RED, 0, 300},
        {"tag Foil Tag in big ante 1", JOKER_B_RED, 0, 300},
        {"voucher telescope ante 1", JOKER_B_RED, 0, 300},
        {"voucher v_tarot_tycoon ante 4", JOKER_B_ZODIAC, 0, 300},
        {"boss The Hook ante 1", JOKER_B_RED, 0, 800},
        {"boss wall ante 2", JOKER_B_RED, 0, 100},
        {"boss Verdant Leaf ante 8", JOKER_B_RED, 0, 1200},
        {"boss head ante 1; tag economy ante 1;; voucher grabber ante 2;", JOKER_B_RED, 0, 1},
        {"blueprint ante 1-2", JOKER_B_RED, 0, 100},
        {"blueprint any ante 1-2", JOKER_B_RED, 0, 100},
        {"Blueprint in the shop 6 ante 1", JOKER_B_RED, 0, 40},
        {"blueprint or brainstorm shop 6", JOKER_B_RED, 0, 80},
        {"blueprint shop or pack", JOKER_B_RED, 0, 20},
        {"blueprint shop 6 or pack 4 ante 2 or brainstorm pack or shop ante 1-2", JOKER_B_RED, 0,
         80},
        {"negative any or the soul ante 1-3", JOKER_B_RED, 0, 100},
        {"perkeo or triboulet pack 4 ante 1", JOKER_B_RED, 0, 1},
        {"perkeo ante 1-4, voucher telescope", JOKER_B_RED, 0, 1},
        {"boss wall or hook ante 2", JOKER_B_RED, 0, 300},
        {"negative tag ante 2", JOKER_B_RED, 0, 400},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        joker_find find = {.rules = {.deck = rows[i].deck, .stake = rows[i].stake}};
        lu_error error = {LU_OK, ""};
        int found = 0, differ = 0;
        CHECK_INT(joker_find_read(&find, rows[i].want, &error), LU_OK);
        CHECK_TEXT(error.text, "");
        joker_find_begin(&find);
        for (uint64_t block = 77777000; block < 77777200; block++) {
            uint64_t hits = joker_find_block(&find, block);
            for (uint64_t k = 0; k < 35; k++) {
                char seed[9];
                seed_of(block * 35 + k, seed);
                bool hit = hits >> k & 1u;
                found += hit;
                differ += hit != joker_find_holds(&find, seed, NULL);
            }
        }
        CHECK_INT(differ, 0);
        if (found < rows[i].least || (rows[i].least == 0 && found > 0)) {
            lu_test_fail(__FILE__, __LINE__, "%s: %d found", rows[i].want, found);
        }
        joker_find_end(&find);
    }
}

/* Whether a consumable lies in the first packs of an ante, all of them opened. */
static bool opened(const joker_rules *m, joker_state *s, const char *seed, int packs, int id) {
    bool there = false;
    memcpy(s->seed, seed, 8);
    s->hashed = joker_hash(s->seed, 8);
    s->streams = 0;
    memset(s->stream_key, 0, sizeof s->stream_key);
    s->ante = s->top_ante = 1;
    s->first_shop = 0;
    for (int i = 0; i < packs; i++) {
        joker_open_pack(m, s, joker_draw_pack(m, s));
        for (int k = 0; k < s->pack_shown; k++) {
            there = there || (s->shown[k].kind == JOKER_KIND_CONSUMABLE && s->shown[k].id == id);
        }
        joker_clear_pack(s);
    }
    return there;
}

TEST(packs_of_other_kinds_change_nothing) {
    static const struct {
        const char *want;
        int id;
    } rows[] = {{"spectral soul pack 4 ante 1", JOKER_C_SOUL},
                {"spectral black_hole pack 4 ante 1", JOKER_C_BLACK_HOLE},
                {"tarot death pack 4 ante 1", JOKER_C_DEATH}};
    joker_state *s = lu_alloc_zero(1, sizeof *s);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        joker_find find = {.terms = 0};
        lu_error error = {LU_OK, ""};
        int found = 0, differ = 0;
        CHECK_INT(joker_find_read(&find, rows[i].want, &error), LU_OK);
        joker_find_begin(&find);
        joker_start_values(&find.rules, s);
        for (uint64_t block = 3527336; block < 3527536; block++) {
            uint64_t hits = joker_find_block(&find, block);
            for (uint64_t k = 0; k < 35; k++) {
                char seed[9];
                seed_of(block * 35 + k, seed);
                found += (int)(hits >> k & 1u);
                differ += (hits >> k & 1u) != opened(&find.rules, s, seed, 4, rows[i].id);
            }
        }
        CHECK_INT(differ, 0);
        CHECK(found > 20);
        joker_find_end(&find);
    }
    free(s);
}

/* ---- the tool ---- */

static bool at_once(void *user) {
    (void)user;
    return true;
}

static lu_status run(const char *const *pairs, bool stop, lu_error *error) {
    return tool_ask(&lu_tool_joker_find, (lu_tool_io){.cancelled = stop ? at_once : NULL}, pairs,
                    NULL, NULL, error);
}

/* The seed of the vectors is found where it lies, with all the seed tool shows of it. */
TEST(a_known_seed_is_found) {
    static const char *const pairs[] = {
        "want=boss head ante 1; voucher crystal ball ante 1; tag economy small ante 1; tag "
        "investment big ante 1; joker raised fist shop 1 ante 1; joker holo smeared shop 4 ante 1; "
        "joker astronomer pack 1 ante 1; boss wall ante 2; planet saturn pack 4 ante 1",
        "from=1ESTSEED", "seeds=35", NULL};
    lu_error error = {LU_OK, ""};
    CHECK_INT(run(pairs, false, &error), LU_OK);
    CHECK_HAS(
        said,
        "{\"seed\":\"TESTSEED\",\"why\":[{\"kind\":\"boss\",\"name\":\"The Head\",\"ante\":1}");
    CHECK_HAS(said, "TESTSEED: The Head boss in ante 1, Crystal Ball voucher in ante 1");
    CHECK_HAS(
        said,
        "Economy Tag for the small blind of ante 1, Investment Tag for the big blind of ante 1");
    CHECK_HAS(said, "\"blind\":\"big\"");
    CHECK_HAS(said, "Holographic Smeared Joker in shop card ");
    CHECK_HAS(said, "{\"found\":1,\"tried\":35,\"next\":\"1FSTSEED\"");
    static const char *const any[] = {"want=boss the_head ante 1; joker holo any shop 4 ante 1",
                                      "from=TESTSEED", "seeds=1", NULL};
    CHECK_INT(run(any, false, &error), LU_OK);
    CHECK_HAS(said, "The Head boss in ante 1, Holographic Smeared Joker in shop card 4");
}

TEST(a_search_goes_on_where_it_stopped) {
    static const char *const all[] = {"want=joker blueprint shop 4 ante 1", "from=Z1ABCDE2",
                                      "seeds=2000", NULL};
    static const char *const first[] = {"want=joker blueprint shop 4 ante 1", "from=Z1ABCDE2",
                                        "seeds=2000", "count=3", NULL};
    char whole[4096], parts[4096], pair[32], *next;
    lu_error error = {LU_OK, ""};
    CHECK_INT(run(all, false, &error), LU_OK);
    strcpy(whole, said);
    CHECK_INT(run(first, false, &error), LU_OK);
    next = strstr(said, "\"next\":\"");
    NEED(next && strstr(said, "\"found\":3"));
    snprintf(pair, sizeof pair, "from=%.8s", next + 8);
    *strstr(said, "{\"found\"") = 0;
    strcpy(parts, said);
    const char *const rest[] = {"want=joker blueprint shop 4 ante 1", pair, "seeds=2000", NULL};
    CHECK_INT(run(rest, false, &error), LU_OK);
    size_t common = strlen(parts);
    CHECK(strncmp(whole, parts, common) == 0);
    char *end = strstr(whole, "{\"found\"");
    CHECK(strncmp(whole + common, said, (size_t)(end - whole) - common) == 0);
    CHECK_INT(run(all, true, &error), LU_INTERRUPTED);
    CHECK_HAS(error.text, "--from Z1ABCDE2");
    CHECK_HAS(said, "\"tried\":0,\"next\":\"Z1ABCDE2\"");
}

TEST(threads_change_nothing) {
    static const char *const pairs[] = {"want=voucher telescope ante 1", "from=9ZABCDE2",
                                        "seeds=30000", "count=700", NULL};
    char alone[sizeof said];
    lu_error error = {LU_OK, ""};
    CHECK_INT(run(pairs, false, &error), LU_OK);
    strcpy(alone, said);
    CHECK_HAS(alone, "\"found\":700");
    for (int threads = 1; threads < 8; threads += 3) {
        lu_pool *pool = lu_pool_new(threads);
        lu_tool_io io = {.pool = pool};
        CHECK_INT(tool_ask(&lu_tool_joker_find, io, pairs, NULL, NULL, &error), LU_OK);
        CHECK_TEXT(said, alone);
        lu_pool_delete(pool);
    }
}

TEST(what_cannot_be_wanted_is_refused) {
    static const struct {
        const char *want, *sentence;
    } rows[] = {
        {"", "joker find: say what you want, as in --want \"blueprint or brainstorm"},
        {"; ;", "joker find: say what you want, as in --want \"blueprint or brainstorm"},
        {"bluprint ante 1", "did you mean Blueprint?"},
        {"joker blueprnt shop ante 1", "no joker 'blueprnt'; did you mean Blueprint?"},
        {"joker any shop ante 1", "no joker 'any'"},
        {"tag negatve ante 2", "no tag 'negatve'; did you mean Negative Tag?"},
        {"or blueprint", "a term begins with what to look for"},
        {"blueprint or", "a term begins with what to look for"},
        {"blueprint ante 2-1", "ends with 'ante N'"},
        {"blueprint ante 1-x", "ends with 'ante N'"},
        {"joker blueprint shop 0 ante 1", "from 1 to 40"},
        {"blueprint shop or pack 11", "from 1 to 10"},
        {"blueprint ante 1 or shop", "ends with 'ante N'"},
        {"or shop", "a term begins with what to look for"},
        {"shop or pack", "a term begins with what to look for"},
        {"perkeo shop or pack ante 1", "never appears in a shop; ask for pack"},
        {"joker blueprint pack 11 ante 1", "from 1 to 10"},
        {"joker blueprint shop 4 ante 65", "ends with 'ante N'"},
        {"joker blueprint shop 4 ante 1 please", "ends with 'ante N'"},
        {"joker perkeo shop 4 ante 1", "never appears in a shop; ask for pack"},
        {"spectral soul shop 4 ante 1", "never appears in a shop; ask for pack"},
        {"tag negative ante 1", "from ante 2 on"},
        {"spectral soul pack 1 ante 1", "a Buffoon Pack, never with The Soul; ask for pack 2"},
        {"perkeo pack 1", "a Buffoon Pack, never with The Soul; ask for pack 2"},
        {"observatory ante 2", "only once Telescope was bought"},
        {"cavendish ante 1-3", "only once Gros Michel has gone extinct"},
        {"Glass Joker", "only once the deck holds a Glass card"},
        {"Planet X ante 1", "Planet X appears only once its hand was played"},
        {"baron and mime", "put ';' between things that must all be there"},
        {"voucher nothing ante 1", "no voucher"},
        {"boss small ante 1", "a term begins with what to look for"},
        {"boss ox ante 2", "isn't a boss of ante 2"},
        {"boss hook ante 8", "isn't a boss of ante 8"},
        {"boss final_leaf ante 7", "isn't a boss of ante 7"},
        {"egg or egg or egg or egg or egg or egg or egg or egg or egg or egg or egg or egg or eggs",
         "no joker, card, tag, voucher or boss 'eggs'"}, /* the 25th word */
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char pair[128];
        const char *pairs[] = {pair, "seeds=35", NULL};
        lu_error error = {LU_OK, ""};
        snprintf(pair, sizeof pair, "want=%s", rows[i].want);
        lu_status status = run(pairs, false, &error);
        CHECK(status == LU_BAD_VALUE || status == LU_USAGE);
        CHECK_HAS(error.text, rows[i].sentence);
    }
    const char *from[] = {"want=boss hook ante 1", "from=TESTSEE", NULL};
    lu_error error = {LU_OK, ""};
    CHECK_INT(run(from, false, &error), LU_BAD_VALUE);
    CHECK_HAS(error.text, "from 'TESTSEE'");
}
