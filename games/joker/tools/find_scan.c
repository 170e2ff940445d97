/* Going through seeds. The hash of a text runs from its end to its start, and a seed stands at the
 * end of every key: the 35 seeds that differ in their first letter share all work up to it, and the
 * rest of it runs for several at once in plain loops that become vector code. Tests look at a few
 * draws each (joker_find_test), of the seeds that passed those before; only seeds that pass them
 * all are tried by the generators of the rules. So tests may let seeds pass that have nothing, but
 * never the other way. */
#include "rules/joker_make.h"

#include "find.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    LANES = JOKER_FIND_DIGITS,
    GROUP = 12 /* seeds in a loop: it becomes vector code, and three are a block */
};

#define ALL (((uint64_t)1 << LANES) - 1)

/* ---- tests of a term ---- */

static joker_find_test *add_test(joker_find *find, uint32_t key) {
    joker_find_test *test = &find->test[find->tests++];
    memset(test, 0, sizeof *test);
    test->term = find->term_now;
    test->length = joker_key_text(key, test->key);
    test->scale = 1.0;
    return test;
}

/* The first test of a term, with its number of draws. */
static joker_find_test *add_first(joker_find *find, uint32_t key, int draws) {
    joker_find_test *test = add_test(find, key);
    test->starts = true;
    test->last = draws;
    return test;
}

/* Draws up to there are worth so much; neighbours of the same worth are one step. */
static void add_step(joker_find_test *test, double upto, int gain) {
    if (test->steps == 0 || test->step[test->steps - 1].gain != gain) {
        test->steps++;
    }
    test->step[test->steps - 1] = (joker_find_step){upto, gain};
}

/* The draw may be entry `at`, or a blank that is drawn again. */
static void set_pool(joker_find_test *test, int n, uint64_t open, int at, bool twins) {
    uint64_t all = n == 64 ? UINT64_MAX : ((uint64_t)1 << n) - 1;
    test->n = n;
    test->bins = ((uint64_t)1 << at) | (all & ~open);
    test->twins = twins;
}

/* The kind of `count` shop cards: joker, Tarot, Planet, playing card, Spectral. */
static void add_shop(joker_find *find, int ante, int count, int kind) {
    joker_find_test *test = add_first(find, joker_key(JOKER_K_CDT, 0, ante, 0), count);
    double weight[5], sum = 0.0;
    joker_shop_weights(find->state, weight);
    test->feeds = true;
    test->scale = weight[0] + weight[1] + weight[2] + weight[3] + weight[4];
    for (int k = 0; k < 5; k++) {
        sum += weight[k];
        add_step(test, sum, k == kind);
    }
}

/* Made by The Soul alone. */
static bool is_legendary(const joker_find_term *term) {
    return term->kind == JOKER_FIND_JOKER && term->id >= 0 &&
           joker_joker_facts[term->id].rarity == JOKER_LEGENDARY;
}

/* Draws that a card of a pack is worth to a term, by the pack's kind; 0: never in such a pack. The
 * Soul and Black Hole come from two kinds, and a Spectral card is rolled for twice. */
static void pack_rolls(const joker_find_term *term, int rolls[JOKER_PACK_KINDS]) {
    static const int kinds[] = {JOKER_PACK_ARCANA, JOKER_PACK_CELESTIAL, JOKER_PACK_SPECTRAL};
    int id = is_legendary(term) ? (int)JOKER_C_SOUL : term->id;
    memset(rolls, 0, JOKER_PACK_KINDS * sizeof *rolls);
    if (term->kind == JOKER_FIND_JOKER && !is_legendary(term)) {
        rolls[JOKER_PACK_BUFFOON] = 1;
    } else if (joker_consumable_facts[id].pool) {
        rolls[kinds[joker_consumable_facts[id].set]] = 1;
    } else {
        rolls[id == JOKER_C_SOUL ? JOKER_PACK_ARCANA : JOKER_PACK_CELESTIAL] = 1;
        rolls[JOKER_PACK_SPECTRAL] = 2;
    }
}

/* The kinds of the packs of a term. The first of a run is a Buffoon pack without a draw. */
static void add_packs(joker_find *find, const joker_find_term *term) {
    int sure = term->ante == 1, rolls[JOKER_PACK_KINDS];
    uint32_t key = joker_key(JOKER_K_SHOP_PACK, 0, term->ante, 0);
    joker_find_test *test = add_first(find, key, term->count - sure);
    double sum = 0.0;
    pack_rolls(term, rolls);
    test->feeds = true;
    test->scale = 22.42;
    test->given =
        sure * rolls[JOKER_PACK_BUFFOON] * joker_pack_facts[JOKER_P_BUFFOON_NORMAL_1].shown;
    for (int pack = 0; pack < JOKER_PACKS; pack++) {
        const joker_pack_fact *fact = &joker_pack_facts[pack];
        sum += fact->weight;
        add_step(test, sum, rolls[fact->kind] * fact->shown);
    }
}

static void add_joker(joker_find *find, const joker_find_term *term, const joker_taken *taken) {
    static const double rarity[] = {0.7, 0.95, 2.0};
    static const double edition[] = {0.96, 0.98, 0.994, 0.997, 2.0};
    bool pack = term->place == JOKER_FIND_PACK;
    int suffix = pack ? JOKER_SUFFIX_BUF : JOKER_SUFFIX_SHO, ante = term->ante;
    if (pack) {
        add_packs(find, term);
    } else {
        add_shop(find, ante, term->count, 0);
    }
    if (term->edition > JOKER_BASE) {
        /* one part in a million of room for the rounding of 1 - 0.04 */
        joker_find_test *test = add_test(find, joker_key(JOKER_K_EDITION, suffix, ante, 0));
        add_step(test, edition[term->edition - 1] - 1e-6, 0);
        add_step(test, edition[term->edition] + 1e-6, 1);
        add_step(test, 2.0, 0);
    }
    if (term->id < 0) {
        return;
    }
    int kind = joker_joker_facts[term->id].rarity, from = joker_rarity_from[kind], at = 0;
    while (joker_by_rarity[from + at] != term->id) {
        at++;
    }
    joker_find_test *test = add_test(find, joker_key(JOKER_K_RARITY, suffix, ante, 0));
    test->feeds = true;
    for (int k = 0; k < 3; k++) {
        add_step(test, rarity[k], k == kind);
    }
    test = add_test(find, joker_key(JOKER_K_JOKER1 + kind, suffix, ante, 0));
    set_pool(test, joker_rarity_from[kind + 1] - from, joker_pool_jokers(find->state, kind, taken),
             at, pack);
}

/* A roll above 0.997. */
static joker_find_test *add_soul_roll(joker_find *find, int base, int ante) {
    joker_find_test *test = add_test(find, joker_key(base, 0, ante, 0));
    add_step(test, 0.997, 0);
    add_step(test, 2.0, 1);
    return test;
}

static void add_soul(joker_find *find, const joker_find_term *term) {
    bool black_hole = term->kind == JOKER_FIND_CONSUMABLE && term->id != JOKER_C_SOUL;
    int base = black_hole ? JOKER_K_SOUL_PLANET : JOKER_K_SOUL_TAROT;
    add_packs(find, term);
    add_soul_roll(find, base, term->ante)->either = true;
    add_soul_roll(find, JOKER_K_SOUL_SPECTRAL, term->ante);
}

/* Its draw has no ante, and is the cheapest to look at first. */
static void add_legendary(joker_find *find, const joker_find_term *term, const joker_taken *taken) {
    int from = joker_rarity_from[JOKER_LEGENDARY], at = 0;
    while (joker_by_rarity[from + at] != term->id) {
        at++;
    }
    joker_find_test *test = add_first(find, joker_key(JOKER_K_JOKER4, 0, 0, 0), 1);
    set_pool(test, joker_rarity_from[JOKER_LEGENDARY + 1] - from,
             joker_pool_jokers(find->state, JOKER_LEGENDARY, taken), at, false);
    add_soul(find, term);
}

static void add_consumable(joker_find *find, const joker_find_term *term,
                           const joker_taken *taken) {
    static const uint8_t suffixes[] = {JOKER_SUFFIX_AR1, JOKER_SUFFIX_PL1, JOKER_SUFFIX_SPE};
    static const int shop[] = {1, 2, 4};
    bool pack = term->place == JOKER_FIND_PACK;
    int set = joker_consumable_facts[term->id].set, from = joker_set_from[set];
    if (!joker_consumable_facts[term->id].pool) {
        add_soul(find, term);
        return;
    }
    if (pack) {
        add_packs(find, term);
    } else {
        add_shop(find, term->ante, term->count, shop[set]);
    }
    int suffix = pack ? suffixes[set] : JOKER_SUFFIX_SHO;
    joker_find_test *test = add_test(find, joker_key(JOKER_K_TAROT + set, suffix, term->ante, 0));
    set_pool(test, joker_set_from[set + 1] - from, joker_pool_consumables(find->state, set, taken),
             term->id - from, pack);
}

static void add_tests(joker_find *find, const joker_find_term *term) {
    joker_taken taken = {{0, 0, 0}, 0};
    joker_find_test *test;
    uint64_t open = 0;
    switch (term->kind) {
    case JOKER_FIND_JOKER:
        if (is_legendary(term)) {
            add_legendary(find, term, &taken);
        } else {
            add_joker(find, term, &taken);
        }
        break;
    case JOKER_FIND_CONSUMABLE:
        add_consumable(find, term, &taken);
        break;
    case JOKER_FIND_TAG:
        for (int id = 0; id < JOKER_TAGS; id++) {
            open |= (uint64_t)(joker_tag_from[id] <= term->ante) << id;
        }
        test = add_first(find, joker_key(JOKER_K_TAG, 0, term->ante, 0),
                         term->place == JOKER_FIND_SMALL ? 1 : 2);
        test->first = term->place == JOKER_FIND_BIG;
        set_pool(test, JOKER_TAGS, open, term->id, false);
        break;
    case JOKER_FIND_VOUCHER:
        test = add_first(find, joker_key(JOKER_K_VOUCHER, 0, term->ante, 0), 1);
        set_pool(test, JOKER_VOUCHERS, joker_pool_vouchers(find->state), term->id, false);
        break;
    default: /* bosses of later antes depend on those before: only that of ante 1 is tested */
        if (term->ante == 1) {
            int at = 0;
            for (int i = 0; joker_bosses[i] != term->id; i++) {
                at += joker_blind_facts[joker_bosses[i]].from == 1 &&
                      joker_blind_facts[joker_bosses[i]].kind == JOKER_BLIND_BOSS;
            }
            test = add_first(find, joker_key(JOKER_K_BOSS, 0, 1, 0), 1);
            set_pool(test, 8, 255, at, false);
        }
        break;
    }
}

void joker_find_begin(joker_find *find) {
    find->state = lu_alloc_zero(1, sizeof *find->state);
    find->tests = 0;
    joker_start_values(&find->rules, find->state);
    for (int i = 0; i < find->terms; i++) {
        find->term_now = i;
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

/* The place from 1 on, or 0. */
static int shop_holds(const joker_rules *m, joker_state *s, const joker_find_term *term) {
    for (int i = 1; i <= term->count; i++) {
        joker_item item;
        joker_make_shop_card(m, s, &item);
        if (is_wanted(term, &item)) {
            return i;
        }
    }
    return 0;
}

/* What The Soul makes is wanted, the first one of a run. */
static bool soul_makes(const joker_rules *m, joker_state *s, const joker_find_term *term) {
    joker_item made;
    joker_make_joker(m, s, JOKER_LEGENDARY, JOKER_SUFFIX_SOU, JOKER_PLACE_NONE, &made);
    return is_wanted(term, &made);
}

/* Packs of other kinds use other streams: they need not be opened. */
static int pack_holds(const joker_rules *m, joker_state *s, const joker_find_term *term) {
    const joker_find_term soul = {.kind = JOKER_FIND_CONSUMABLE, .id = JOKER_C_SOUL};
    const joker_find_term *shown = is_legendary(term) ? &soul : term;
    bool found = false;
    int rolls[JOKER_PACK_KINDS], i = 0;
    pack_rolls(term, rolls);
    s->first_shop = term->ante > 1;
    for (; i < term->count && !found; i++) {
        int pack = joker_draw_pack(m, s);
        if (!rolls[joker_pack_facts[pack].kind]) {
            continue;
        }
        joker_open_pack(m, s, pack);
        for (int k = 0; k < s->pack_shown; k++) {
            found = found || is_wanted(shown, &s->shown[k]);
        }
        joker_clear_pack(s);
    }
    return found && (shown == term || soul_makes(m, s, term)) ? i : 0;
}

static bool boss_holds(const joker_rules *m, joker_state *s, const joker_find_term *term) {
    memset(s->boss_uses, 0, sizeof s->boss_uses);
    for (int ante = 1; ante <= term->ante; ante++) {
        s->ante = (int16_t)ante;
        joker_draw_boss(m, s);
    }
    return s->boss == term->id;
}

/* Every term starts from streams that were not used. Tells its place in `at`. */
static bool term_holds(const joker_rules *m, joker_state *s, const joker_find_term *term, int *at) {
    s->streams = 0;
    memset(s->stream_key, 0, sizeof s->stream_key);
    s->ante = s->top_ante = (int16_t)term->ante;
    *at = 0;
    switch (term->kind) {
    case JOKER_FIND_TAG:
        joker_draw_tags(m, s);
        *at = term->place != JOKER_FIND_BIG && s->tag_small == term->id   ? 1
              : term->place != JOKER_FIND_SMALL && s->tag_big == term->id ? 2
                                                                          : 0;
        return *at > 0;
    case JOKER_FIND_VOUCHER:
        joker_draw_voucher(m, s);
        return s->ante_voucher == term->id;
    case JOKER_FIND_BOSS:
        return boss_holds(m, s, term);
    default:
        *at = term->place == JOKER_FIND_SHOP ? shop_holds(m, s, term) : pack_holds(m, s, term);
        return *at > 0;
    }
}

bool joker_find_holds(joker_find *find, const char *seed, joker_find_spot *spots) {
    joker_state *s = find->state;
    int n = 0, held = 0;
    memset(s->seed, 0, sizeof s->seed);
    while (n < 8 && seed[n]) {
        s->seed[n] = seed[n];
        n++;
    }
    s->hashed = joker_hash(s->seed, n);
    for (int i = 0; i < find->terms && held >= find->term[i].clause; i++) {
        int at;
        if (held == find->term[i].clause && term_holds(&find->rules, s, &find->term[i], &at)) {
            if (spots) {
                spots[held] = (joker_find_spot){i, at};
            }
            held++;
        }
    }
    return held == find->clauses;
}

/* ---- 35 seeds at once ---- */

/* The part behind the point of x >= 0, as joker_mod1 has it up to 2^51; without a call. */
LU_ALWAYS_INLINE double part(double x) {
    double whole = (x + 0x1p52) - 0x1p52;
    whole -= whole > x ? 1.0 : 0.0;
    return x - whole;
}

/* Seeds of one block on their way through the tests. */
typedef struct scan {
    char tail[7];         /* the letters they share */
    double hashed[LANES]; /* of the seed alone */
    double large[LANES];  /* the largest number seen: beyond 2^51 a hash is not sure */
    int limit[LANES];     /* draws that the next test looks at */
} scan;

/* Some of them at once: the seeds of `lane`. */
typedef struct group {
    int lane[GROUP];
    double byte[GROUP]; /* first letters */
    double stream[GROUP], hashed[GROUP], large[GROUP], u[GROUP];
    uint64_t seen[GROUP]; /* bins of the draws so far */
    int sum[GROUP], limit[GROUP];
} group;

/* The hash of the letters that all seeds of a block share, behind a key so long. */
static double hash_tail(const char tail[7], int length) {
    double h = 1.0;
    for (int i = 7; i >= 1; i--) {
        double byte = (double)(unsigned char)tail[i - 1];
        h = joker_mod1(1.1239285023 / h * byte * LU_PI + LU_PI * (double)(length + 1 + i));
    }
    return h;
}

/* Hashes of a key with the seeds behind it. */
static void hash_group(const joker_find_test *test, double tail, group *g) {
    for (int k = 0; k < GROUP; k++) {
        double x = 1.1239285023 / tail * g->byte[k] * LU_PI + LU_PI * (double)(test->length + 1);
        g->stream[k] = part(x);
        g->large[k] = x > g->large[k] ? x : g->large[k];
    }
    for (int i = test->length; i >= 1; i--) {
        double byte = (double)(unsigned char)test->key[i - 1], at = LU_PI * (double)i;
        for (int k = 0; k < GROUP; k++) {
            double x = 1.1239285023 / g->stream[k] * byte * LU_PI + at;
            g->stream[k] = part(x);
            g->large[k] = x > g->large[k] ? x : g->large[k];
        }
    }
}

/* One step of every stream, and the draws. */
static void draw_group(group *g) {
    uint64_t word[4][GROUP];
    for (int k = 0; k < GROUP; k++) {
        g->stream[k] = joker_round13(part(2.134453429141 + g->stream[k] * 1.72431234));
    }
    for (int k = 0; k < GROUP; k++) {
        double d = (g->stream[k] + g->hashed[k]) / 2.0;
        for (int i = 0; i < 4; i++) { /* the bits of a number above 2 are never too small */
            d = d * 3.14159265358979323846 + 2.7182818284590452354;
            word[i][k] = lu_double_bits(d);
        }
    }
    for (int k = 0; k < GROUP; k++) {
        joker_generator gen = {{word[0][k], word[1][k], word[2][k], word[3][k]}};
        for (int i = 0; i < 10; i++) {
            (void)joker_generator_step(&gen);
        }
        g->u[k] = joker_unit(joker_generator_step(&gen));
    }
}

/* What a draw is worth to a test. */
static int worth(const joker_find_test *test, double u, uint64_t *seen) {
    if (test->n) {
        uint64_t bin = (uint64_t)1 << (int)(u * (double)test->n);
        bool hit = (test->bins & bin) != 0 || (test->twins && (*seen & bin));
        *seen |= bin;
        return hit;
    }
    double x = u * test->scale;
    int i = 0;
    while (i < test->steps - 1 && x > test->step[i].upto) {
        i++;
    }
    return test->step[i].gain;
}

/* Runs a test over the first n seeds of a group. */
static void test_group(const joker_find_test *test, double tail, int n, group *g) {
    bool more = true;
    hash_group(test, tail, g);
    for (int draw = 0; more; draw++) {
        more = false;
        for (int k = 0; k < n; k++) {
            more = more || (draw < g->limit[k] && (test->feeds || !g->sum[k]));
        }
        if (more) {
            draw_group(g);
        }
        for (int k = 0; k < n; k++) {
            if (more && draw >= test->first && draw < g->limit[k]) {
                g->sum[k] += worth(test, g->u[k], &g->seen[k]);
            }
        }
    }
}

/* Takes the next seeds of `left` into a group; returns their number. Places left over repeat one:
 * they are calculated and not looked at. */
static int take_group(const joker_find_test *test, const scan *s, uint64_t *left, group *g) {
    int n = 0;
    memset(g, 0, sizeof *g);
    for (; *left && n < GROUP; n++) {
        g->lane[n] = __builtin_ctzll(*left);
        *left &= *left - 1;
    }
    for (int k = 0; k < GROUP; k++) {
        int lane = g->lane[k < n ? k : 0];
        g->byte[k] = (double)(unsigned char)joker_seed_letters[lane];
        g->hashed[k] = s->hashed[lane];
        g->large[k] = s->large[lane];
        g->limit[k] = test->starts ? test->last : s->limit[lane];
        g->sum[k] = test->given;
    }
    return n;
}

/* The seeds that pass a test, of those in `left`. */
static uint64_t run_test(const joker_find_test *test, scan *s, uint64_t left) {
    uint64_t passed = 0;
    double tail = hash_tail(s->tail, test->length);
    group g;
    while (left) {
        int n = take_group(test, s, &left, &g);
        test_group(test, tail, n, &g);
        for (int k = 0; k < n; k++) {
            int lane = g.lane[k];
            bool unsure = g.large[k] > 0x1p51;
            s->large[lane] = g.large[k];
            passed |= (uint64_t)(g.sum[k] > 0 || unsure) << lane;
            if (test->feeds) {
                s->limit[lane] = g.sum[k];
            } else if (test->starts) {
                s->limit[lane] = test->last;
            }
        }
    }
    return passed;
}

/* Hashes of the 35 seeds alone. */
static void hash_seeds(scan *s) {
    const joker_find_test none = {.length = 0};
    double tail = hash_tail(s->tail, 0);
    group g;
    for (uint64_t left = ALL; left;) {
        int n = take_group(&none, s, &left, &g);
        hash_group(&none, tail, &g);
        for (int k = 0; k < n; k++) {
            s->hashed[g.lane[k]] = g.stream[k];
            s->large[g.lane[k]] = g.large[k];
        }
    }
}

/* The seeds of `left` that pass the tests of a term; `at` is its first one, and moves behind its
 * last. A term without tests lets all pass. */
static uint64_t run_tests(const joker_find *find, int term, scan *s, uint64_t left, int *at) {
    while (*at < find->tests && find->test[*at].term == term) {
        const joker_find_test *test = &find->test[(*at)++];
        uint64_t passed = left ? run_test(test, s, left) : 0;
        if (test->either) {
            passed |= run_test(&find->test[(*at)++], s, left & ~passed);
        }
        left = passed;
    }
    return left;
}

/* The seeds of `left` that may have one of the terms of a clause, the first of which is *term. */
static uint64_t run_clause(const joker_find *find, scan *s, uint64_t left, int *term, int *at) {
    uint64_t passed = 0;
    for (int clause = find->term[*term].clause;
         *term < find->terms && find->term[*term].clause == clause; (*term)++) {
        passed |= run_tests(find, *term, s, left & ~passed, at);
    }
    return passed;
}

uint64_t joker_find_block(joker_find *find, uint64_t block) {
    char seed[9] = "";
    uint64_t left = ALL;
    scan s = {.tail = ""};
    joker_seed_letters_of(block * JOKER_FIND_DIGITS, seed);
    memcpy(s.tail, seed + 1, sizeof s.tail);
    hash_seeds(&s);
    for (int term = 0, at = 0; term < find->terms && left;) {
        left = run_clause(find, &s, left, &term, &at);
    }
    for (uint64_t rest = left; rest; rest &= rest - 1) {
        int lane = __builtin_ctzll(rest);
        seed[0] = joker_seed_letters[lane];
        left &= ~((uint64_t)!joker_find_holds(find, seed, NULL) << lane);
    }
    return left;
}
