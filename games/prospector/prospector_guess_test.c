/* Unit tests of hidden things drawn anew: what the pilot saw stays to the bit, the rest differs
 * from draw to draw, and every world drawn is one that could be. */
#undef LU_ISA
#define LU_ISA _guess_test
#include "prospector_test.h"

static prospector_state truth, other; /* static: 57 kB each */
static lu_rng choice, hidden;

/* One action of a pilot that roams: it flies, scans and listens, and never runs out of anything. */
static void roam(void) {
    static const int32_t often[] = {PROSPECTOR_LISTEN, PROSPECTOR_WIDE_SCAN, PROSPECTOR_SELECT + 2,
                                    PROSPECTOR_DEEP_SCAN, PROSPECTOR_MINE + 1};
    s->fuel = 900.0;
    s->hull = 90.0;
    int32_t pick = (int32_t)lu_rng_below(&choice, 12);
    play(pick < 5 ? often[pick] : (int32_t)lu_rng_below(&choice, s->graph[s->node].degree));
}

static void guess(const prospector_state *from, prospector_state *to, uint64_t seed) {
    lu_rng rng = lu_rng_from(seed);
    *to = *from;
    prospector_determinise(&rules->head, to, 0, &rng);
}

/* What the pilot reads: the observation and the mask. */
static void see(const prospector_state *world, unsigned char *seen) {
    prospector_observe(&rules->head, world, 0, LU_ALL_CHANGED, (float *)(void *)seen);
    prospector_mask(&rules->head, world, 0, seen + sizeof(float) * PROSPECTOR_OBSERVATION);
}

static bool looks_the_same(const prospector_state *a, const prospector_state *b) {
    _Alignas(float) unsigned char seen[2][sizeof(float) * PROSPECTOR_OBSERVATION + 128] = {{0}};
    see(a, seen[0]);
    see(b, seen[1]);
    return memcmp(seen[0], seen[1], sizeof seen[0]) == 0;
}

static uint32_t visited_of(const prospector_state *world) {
    return world->made | 1u | (1u << world->node);
}

/* Every node visited shows what it showed: go there in both worlds and compare. */
static bool all_visited_look_the_same(const prospector_state *a, const prospector_state *b) {
    static prospector_state there[2];
    there[0] = *a;
    there[1] = *b;
    bool same = true;
    for (int i = 0; i < PROSPECTOR_NODES; i++) {
        if ((visited_of(a) >> i) & 1u) {
            for (int k = 0; k < 2; k++) {
                there[k].node = (uint8_t)i;
                there[k].selected = -1;
                there[k].open = 0;
            }
            same = same && looks_the_same(&there[0], &there[1]);
        }
    }
    return same;
}

/* Edges stand at both ends alike, hops are distances, unused bytes are zero: what from_json checks
 * and refresh computes. */
static bool could_be(prospector_state *world) {
    static prospector_state copy;
    lu_json json = LU_JSON_INIT;
    prospector_to_json(&rules->head, world, -1, &json);
    lu_error error = {LU_OK, ""};
    lu_json_document *doc = lu_json_read("guess", json.text, json.length, &error);
    memset(&copy, 0, sizeof copy);
    prospector_reset(&rules->head, &copy, 1, NULL);
    bool good =
        doc && prospector_from_json(&rules->head, &copy, lu_json_root(doc), &error) == LU_OK;
    lu_json_close(doc);
    lu_json_free(&json);
    return good && memcmp(&copy, world, sizeof copy) == 0;
}

TEST(a_guess_shows_what_was_seen_everywhere) {
    choice = lu_rng_from(1);
    hidden = lu_rng_from(2);
    for (uint64_t seed = 0; seed < 60; seed++) {
        begin(seed);
        for (int k = 0; k < 60 && s->end == PROSPECTOR_RUNNING; k++) {
            truth = *s;
            prospector_determinise(&rules->head, &truth, 0, &hidden);
            CHECK(looks_the_same(s, &truth));
            CHECK(all_visited_look_the_same(s, &truth));
            CHECK(truth.made == s->made && truth.rng != s->rng);
            CHECK(k % 20 || could_be(&truth));
            roam();
        }
    }
}

TEST(equal_generators_give_equal_guesses) {
    begin(31);
    choice = lu_rng_from(3);
    for (int k = 0; k < 100; k++) {
        roam();
        guess(s, &truth, 7);
        guess(s, &other, 7);
        CHECK(memcmp(&truth, &other, sizeof truth) == 0);
    }
}

/* Whether anything of a kind differs among guesses from one position. */
typedef struct differences {
    bool nodes, ends, type, hazard, pirate, rocks, content, richness, wave, stock, threat;
} differences;

static void compare(const prospector_state *a, const prospector_state *b, differences *d) {
    uint32_t seen = visited_of(a);
    d->nodes |= a->nodes != b->nodes;
    d->wave |= a->phase[0] != b->phase[0] && a->period[3] != b->period[3];
    d->stock |= a->stock[1] != b->stock[1] && a->stock[5] != b->stock[5];
    for (int i = 1; i < PROSPECTOR_NODES; i++) {
        const prospector_node *one = &a->graph[i], *two = &b->graph[i];
        bool both = i < a->nodes && i < b->nodes;
        bool was = (seen >> i) & 1u;
        d->ends |= was && memcmp(one->neighbour, two->neighbour, sizeof one->neighbour) != 0;
        d->type |= both && one->type != two->type;
        d->rocks |= both && one->rocks != two->rocks;
        d->hazard |= was && one->hazard != two->hazard;
        d->pirate |= was && one->pirate != two->pirate;
        d->threat |= was && one->threat[0] != two->threat[0];
        d->content |= was && a->rock[i].content[0][0] != b->rock[i].content[0][0];
        d->richness |= was && a->rock[i].richness[0] != b->rock[i].richness[0];
    }
}

TEST(everything_hidden_differs_among_guesses) {
    begin(33);
    choice = lu_rng_from(4);
    while (lu_bits_set(visited_of(s)) < 4) {
        roam();
    }
    differences d = {0};
    for (uint64_t k = 0; k < 20; k++) {
        guess(s, &truth, 100 + k);
        guess(s, &other, 200 + k);
        compare(&truth, &other, &d);
    }
    CHECK(d.nodes && d.ends && d.type && d.rocks);
    CHECK(d.hazard && d.pirate && d.threat && d.content && d.richness);
    CHECK(d.wave && d.stock);
}

/* The draw does not depend on what it replaces: two worlds that look the same give equal guesses.
 */
TEST(a_guess_does_not_peek) {
    choice = lu_rng_from(5);
    for (uint64_t seed = 0; seed < 40; seed++) {
        begin(seed);
        for (int k = 0; k < 40; k++) {
            roam();
            guess(s, &other, seed);
            guess(s, &truth, 9);
            lu_rng rng = lu_rng_from(9);
            prospector_determinise(&rules->head, &other, 0, &rng);
            CHECK(memcmp(&truth, &other, sizeof truth) == 0);
        }
    }
}

TEST(a_guess_plays_on) {
    choice = lu_rng_from(6);
    for (uint64_t seed = 0; seed < 20; seed++) {
        begin(seed);
        for (int k = 0; k < 300; k++) {
            if (k % 15 == 14) {
                lu_rng rng = lu_rng_from(seed * 1000 + (uint64_t)k);
                prospector_determinise(&rules->head, s, 0, &rng);
            }
            int32_t action = (int32_t)lu_rng_below(&choice, 68);
            bool may = legal(action);
            s->fuel = 900.0;
            s->hull = 90.0;
            play(action);
            CHECK(may == !result.illegal);
            CHECK(s->node < s->nodes);
        }
        CHECK(could_be(s));
    }
}

/* At the start a price above its base is not shown; the next prices follow the wave that is drawn.
 */
TEST(a_guess_of_the_market_fits_the_prices) {
    double off = 0.0;
    int count = 0, moved = 0;
    for (uint64_t seed = 0; seed < 50; seed++) {
        begin(seed);
        guess(s, &other, seed);
        for (int c = 0; c < PROSPECTOR_GOODS; c++) {
            bool above = (double)s->price[c] > market_base[c];
            CHECK(above == ((double)other.price[c] > market_base[c]));
            CHECK(above || other.price[c] == s->price[c]);
            moved += other.price[c] != s->price[c];
        }
        for (int k = 0; k < 10; k++) {
            play(PROSPECTOR_HOLD);
        }
        guess(s, &truth, seed);
        *s = truth;
        play(PROSPECTOR_HOLD);
        for (int c = 0; c < PROSPECTOR_GOODS; c++, count++) {
            double step = ((double)s->price[c] - (double)s->last_price[c]) / market_base[c];
            off += step * step;
        }
    }
    CHECK(moved > 100);
    /* noise alone is 0.03 a step; a wave at random would be off by 0.2 */
    CHECK(lu_sqrt(off / count) < 0.08);
}
