/* Going through seeds. The hash of a text runs from its end to its start, and a seed stands at the
 * end of every key: the 35 seeds that differ in their first letter share all work up to it, and the
 * rest of it runs for all 35 at once in plain loops that become vector code. Those loops look at a
 * few draws each (joker_find_test); only seeds that pass them all are tried by the generators of
 * the rules, so that the tests may let seeds pass that have nothing, but never the other way. */
#include "../joker_make.h"

#include "find.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LANES = 36 }; /* 35 letters, and one more for an even number */

/* ---- tests of a term ---- */

static joker_find_test *add_test(joker_find *find, uint32_t key, int first, int last) {
    joker_find_test *test = &find->test[find->tests++];
    memset(test, 0, sizeof *test);
    test->length = joker_key_text(key, test->key);
    test->first = first;
    test->last = last;
    return test;
}

/* The draw may be entry `at`, or a blank that is drawn again; at < 0: nothing to test. */
static void add_pool(joker_find *find, uint32_t key, int last, int n, uint64_t open, int at,
                     bool twins) {
    uint64_t all = n == 64 ? UINT64_MAX : ((uint64_t)1 << n) - 1;
    joker_find_test *test = add_test(find, key, 0, last);
    test->n = n;
    test->bins = ((uint64_t)1 << at) | (all & ~open);
    test->twins = twins;
}

static void add_range(joker_find *find, uint32_t key, int last, double low, double high) {
    joker_find_test *test = add_test(find, key, 0, last);
    test->low = low;
    test->high = high;
}

static void add_joker(joker_find *find, const joker_find_term *term, const joker_taken *taken) {
    static const double rarity[] = {-1.0, 0.7, 0.95, 2.0};
    static const double edition[] = {-1.0, 0.96, 0.98, 0.994, 0.997, 2.0};
    bool pack = term->place == JOKER_FIND_PACK;
    int suffix = pack ? JOKER_SUFFIX_BUF : JOKER_SUFFIX_SHO, ante = term->ante;
    int most = pack ? (ante == 1 ? 2 : 4) + 4 * (term->count - 1) : term->count;
    if (term->edition > JOKER_BASE) {
        /* one part in a million of room for the rounding of 1 - 0.04 */
        add_range(find, joker_key(JOKER_K_EDITION, suffix, ante, 0), most,
                  edition[term->edition] - 1e-6, edition[term->edition + 1] + 1e-6);
    }
    if (term->id < 0) {
        return;
    }
    int kind = joker_joker_facts[term->id].rarity, from = joker_rarity_from[kind], at = 0;
    while (joker_by_rarity[from + at] != term->id) {
        at++;
    }
    if (kind != JOKER_COMMON) {
        add_range(find, joker_key(JOKER_K_RARITY, suffix, ante, 0), most, rarity[kind],
                  rarity[kind + 1]);
    }
    add_pool(find, joker_key(JOKER_K_JOKER1 + kind, suffix, ante, 0), most,
             joker_rarity_from[kind + 1] - from, joker_pool_jokers(find->state, kind, taken), at,
             pack);
}

/* The Soul and Black Hole come from two kinds of packs; a Spectral card is rolled for twice. */
static void add_soul(joker_find *find, const joker_find_term *term) {
    int other = term->id == JOKER_C_SOUL ? JOKER_K_SOUL_TAROT : JOKER_K_SOUL_PLANET;
    add_range(find, joker_key(other, 0, term->ante, 0), JOKER_PACK_MAX * term->count, 0.997, 2.0);
    find->test[find->tests - 1].either = true;
    add_range(find, joker_key(JOKER_K_SOUL_SPECTRAL, 0, term->ante, 0), 8 * term->count, 0.997,
              2.0);
}

static void add_consumable(joker_find *find, const joker_find_term *term,
                           const joker_taken *taken) {
    static const uint8_t suffixes[] = {JOKER_SUFFIX_AR1, JOKER_SUFFIX_PL1, JOKER_SUFFIX_SPE};
    bool pack = term->place == JOKER_FIND_PACK;
    int set = joker_consumable_facts[term->id].set, from = joker_set_from[set];
    if (joker_consumable_facts[term->id].pool) {
        add_pool(
            find,
            joker_key(JOKER_K_TAROT + set, pack ? suffixes[set] : JOKER_SUFFIX_SHO, term->ante, 0),
            pack ? JOKER_PACK_MAX * term->count : term->count, joker_set_from[set + 1] - from,
            joker_pool_consumables(find->state, set, taken), term->id - from, pack);
    } else {
        add_soul(find, term);
    }
}

static void add_tests(joker_find *find, const joker_find_term *term) {
    joker_taken taken = {{0, 0, 0}, 0};
    uint64_t open = 0;
    switch (term->kind) {
    case JOKER_FIND_JOKER:
        add_joker(find, term, &taken);
        break;
    case JOKER_FIND_CONSUMABLE:
        add_consumable(find, term, &taken);
        break;
    case JOKER_FIND_TAG:
        for (int id = 0; id < JOKER_TAGS; id++) {
            open |= (uint64_t)(joker_tag_from[id] <= term->ante) << id;
        }
        add_pool(find, joker_key(JOKER_K_TAG, 0, term->ante, 0),
                 term->place == JOKER_FIND_SMALL ? 1 : 2, JOKER_TAGS, open, term->id, false);
        find->test[find->tests - 1].first = term->place == JOKER_FIND_BIG;
        break;
    case JOKER_FIND_VOUCHER:
        open = joker_pool_vouchers(find->state);
        add_pool(find, joker_key(JOKER_K_VOUCHER, 0, term->ante, 0), 1, JOKER_VOUCHERS, open,
                 term->id, false);
        break;
    default: /* bosses of later antes depend on those before: only that of ante 1 is tested */
        if (term->ante == 1) {
            int at = 0;
            for (int i = 0; joker_bosses[i] != term->id; i++) {
                at += joker_blind_facts[joker_bosses[i]].from == 1 &&
                      joker_blind_facts[joker_bosses[i]].kind == JOKER_BLIND_BOSS;
            }
            add_pool(find, joker_key(JOKER_K_BOSS, 0, 1, 0), 1, 8, 255, at, false);
        }
        break;
    }
}

void joker_find_begin(joker_find *find) {
    find->state = lu_alloc_zero(1, sizeof *find->state);
    find->tests = 0;
    joker_start_values(&find->model, find->state);
    for (int i = 0; i < find->terms; i++) {
        add_tests(find, &find->term[i]);
    }
}

void joker_find_end(joker_find *find) {
    free(find->state);
}

/* ---- a seed by the rules ---- */

static bool is_wanted(const joker_find_term *term, const joker_item *item) {
    if (term->kind == JOKER_FIND_CONSUMABLE) {
        return item->kind == JOKER_KIND_CONSUMABLE && item->id == term->id;
    }
    return item->kind == JOKER_KIND_JOKER && (term->id < 0 || item->joker.id == term->id) &&
           (term->edition < 0 || item->joker.edition == term->edition);
}

static bool shop_holds(const joker_model *m, joker_state *s, const joker_find_term *term) {
    for (int i = 0; i < term->count; i++) {
        joker_item item;
        joker_make_shop_card(m, s, &item);
        if (is_wanted(term, &item)) {
            return true;
        }
    }
    return false;
}

static bool pack_holds(const joker_model *m, joker_state *s, const joker_find_term *term) {
    bool found = false;
    s->first_shop = term->ante > 1;
    for (int i = 0; i < term->count && !found; i++) {
        joker_open_pack(m, s, joker_draw_pack(m, s));
        for (int k = 0; k < s->pack_shown; k++) {
            found = found || is_wanted(term, &s->shown[k]);
        }
        joker_clear_pack(s);
    }
    return found;
}

static bool boss_holds(const joker_model *m, joker_state *s, const joker_find_term *term) {
    memset(s->boss_uses, 0, sizeof s->boss_uses);
    for (int ante = 1; ante <= term->ante; ante++) {
        s->ante = (int16_t)ante;
        joker_draw_boss(m, s);
    }
    return s->boss == term->id;
}

/* Every term starts from streams that were not used. */
static bool term_holds(const joker_model *m, joker_state *s, const joker_find_term *term) {
    s->streams = 0;
    memset(s->stream_key, 0, sizeof s->stream_key);
    s->ante = s->top_ante = (int16_t)term->ante;
    switch (term->kind) {
    case JOKER_FIND_TAG:
        joker_draw_tags(m, s);
        return (term->place != JOKER_FIND_BIG && s->tag_small == term->id) ||
               (term->place != JOKER_FIND_SMALL && s->tag_big == term->id);
    case JOKER_FIND_VOUCHER:
        joker_draw_voucher(m, s);
        return s->ante_voucher == term->id;
    case JOKER_FIND_BOSS:
        return boss_holds(m, s, term);
    default:
        return term->place == JOKER_FIND_SHOP ? shop_holds(m, s, term) : pack_holds(m, s, term);
    }
}

bool joker_find_holds(joker_find *find, const char *seed) {
    joker_state *s = find->state;
    int n = 0;
    memset(s->seed, 0, sizeof s->seed);
    while (n < 8 && seed[n]) {
        s->seed[n] = seed[n];
        n++;
    }
    s->hashed = joker_hash(s->seed, n);
    for (int i = 0; i < find->terms; i++) {
        if (!term_holds(&find->model, s, &find->term[i])) {
            return false;
        }
    }
    return true;
}

/* ---- 35 seeds at once ---- */

/* The part behind the point of x >= 0, as joker_mod1 has it up to 2^51; without a call. */
LU_ALWAYS_INLINE double part(double x) {
    double whole = (x + 0x1p52) - 0x1p52;
    whole -= whole > x ? 1.0 : 0.0;
    return x - whole;
}

/* Hashes of a key with the 35 seeds behind it; `tail` are their last seven letters. `large` grows
 * to the largest number seen: beyond 2^51 a hash is not sure. */
static void hash_lanes(const char *key, int length, const char tail[7], double *hash,
                       double *large) {
    double h = 1.0;
    for (int i = 7; i >= 1; i--) {
        double byte = (double)(unsigned char)tail[i - 1];
        h = joker_mod1(1.1239285023 / h * byte * LU_PI + LU_PI * (double)(length + 1 + i));
    }
    for (int lane = 0; lane < LANES; lane++) {
        double byte = (double)(unsigned char)joker_seed_letters[lane];
        double x = 1.1239285023 / h * byte * LU_PI + LU_PI * (double)(length + 1);
        hash[lane] = part(x);
        large[lane] = x > large[lane] ? x : large[lane];
    }
    for (int i = length; i >= 1; i--) {
        double byte = (double)(unsigned char)key[i - 1], at = LU_PI * (double)i;
        for (int lane = 0; lane < LANES; lane++) {
            double x = 1.1239285023 / hash[lane] * byte * LU_PI + at;
            hash[lane] = part(x);
            large[lane] = x > large[lane] ? x : large[lane];
        }
    }
}

/* One step of every stream, and the draws. */
static void draw_lanes(double *stream, const double *hashed, double *u) {
    uint64_t word[4][LANES];
    for (int lane = 0; lane < LANES; lane++) {
        stream[lane] = joker_round13(part(2.134453429141 + stream[lane] * 1.72431234));
    }
    for (int lane = 0; lane < LANES; lane++) {
        double d = (stream[lane] + hashed[lane]) / 2.0;
        for (int k = 0; k < 4; k++) { /* the bits of a number above 2 are never too small */
            d = d * 3.14159265358979323846 + 2.7182818284590452354;
            word[k][lane] = lu_double_bits(d);
        }
    }
    for (int lane = 0; lane < LANES; lane++) {
        joker_generator g = {{word[0][lane], word[1][lane], word[2][lane], word[3][lane]}};
        for (int i = 0; i < 10; i++) {
            (void)joker_generator_step(&g);
        }
        u[lane] = joker_unit(joker_generator_step(&g));
    }
}

/* The seeds whose draws pass a test, of those in `left`. */
static uint64_t run_test(const joker_find_test *test, const char tail[7], const double *hashed,
                         double *large, uint64_t left) {
    double stream[LANES], u[LANES];
    uint64_t passed = 0, seen[LANES] = {0};
    hash_lanes(test->key, test->length, tail, stream, large);
    for (int draw = 0; draw < test->last && (left & ~passed); draw++) {
        draw_lanes(stream, hashed, u);
        if (draw < test->first) {
            continue;
        }
        for (int lane = 0; lane < JOKER_FIND_DIGITS; lane++) {
            uint64_t bin = test->n ? (uint64_t)1 << (int)(u[lane] * (double)test->n) : 0;
            bool hit = test->n ? (test->bins & bin) != 0 || (test->twins && (seen[lane] & bin))
                               : u[lane] > test->low && u[lane] <= test->high;
            seen[lane] |= bin;
            passed |= (uint64_t)hit << lane;
        }
    }
    for (int lane = 0; lane < JOKER_FIND_DIGITS; lane++) {
        passed |= (uint64_t)(large[lane] > 0x1p51) << lane;
    }
    return left & passed;
}

uint64_t joker_find_block(joker_find *find, uint64_t block) {
    char seed[9] = "";
    double hashed[LANES], large[LANES] = {0};
    uint64_t left = ((uint64_t)1 << JOKER_FIND_DIGITS) - 1;
    joker_seed_letters_of(block * JOKER_FIND_DIGITS, seed);
    hash_lanes("", 0, seed + 1, hashed, large);
    for (int i = 0; i < find->tests && left; i++) {
        uint64_t passed = run_test(&find->test[i], seed + 1, hashed, large, left);
        if (find->test[i].either) {
            passed |= run_test(&find->test[++i], seed + 1, hashed, large, left & ~passed);
        }
        left = passed;
    }
    for (int lane = 0; lane < JOKER_FIND_DIGITS; lane++) {
        if (left >> lane & 1u) {
            seed[0] = joker_seed_letters[lane];
            left &= ~((uint64_t)!joker_find_holds(find, seed) << lane);
        }
    }
    return left;
}
