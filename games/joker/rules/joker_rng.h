/* Seeded randomness of joker. rng = game: every draw names a stream; a stream is a number that
 * starts as a hash of its key and the seed and takes one step per draw; the number seeds a fresh
 * generator, whose first value is the draw. All of it in IEEE doubles, bit for bit those of the
 * real game (needs -ffp-contract=off, no fast-math). rng = fast: one step of a counter generator
 * per draw, whatever the stream; the rules are the same.
 *
 * A stream key is a number made of base, suffix, ante and resample count; its text (joker_key_text)
 * is only made when the stream is hashed, i.e. on first use. The streams of a run are a table in
 * the state with open addressing; when it gets full, those of antes that are over leave. */
#pragma once

#include "ludus/linkage.h"

#include "joker.h"

LU_C_BEGIN

/* What the text of a key is made of, behind its base name. */
enum {
    JOKER_KEY_PLAIN = 0,
    JOKER_KEY_ANTE = 1,       /* base ante */
    JOKER_KEY_SUFFIX = 2,     /* base suffix ante, with JOKER_KEY_ANTE */
    JOKER_KEY_ANTE_FIRST = 4, /* base ante suffix */
    JOKER_KEY_BOTH = JOKER_KEY_ANTE | JOKER_KEY_SUFFIX,
    JOKER_KEY_RARITY = JOKER_KEY_BOTH | JOKER_KEY_ANTE_FIRST
};

/* X(constant, text, shape) */
#define JOKER_STREAM_BASES(X)                                                                      \
    X(SHUFFLE, "shuffle", PLAIN)                                                                   \
    X(NR, "nr", ANTE)                                                                              \
    X(CASHOUT, "cashout", ANTE)                                                                    \
    X(ERRATIC, "erratic", PLAIN)                                                                   \
    X(BOSS, "boss", PLAIN)                                                                         \
    X(ORBITAL, "orbital", PLAIN)                                                                   \
    X(TO_DO, "to_do", PLAIN)                                                                       \
    X(IDOL, "idol", ANTE)                                                                          \
    X(MAIL, "mail", ANTE)                                                                          \
    X(ANCIENT, "anc", ANTE)                                                                        \
    X(CASTLE, "cas", ANTE)                                                                         \
    X(LUCKY_MULT, "lucky_mult", PLAIN)                                                             \
    X(LUCKY_MONEY, "lucky_money", PLAIN)                                                           \
    X(GLASS, "glass", PLAIN)                                                                       \
    X(8BALL, "8ball", PLAIN)                                                                       \
    X(BUSINESS, "business", PLAIN)                                                                 \
    X(BLOODSTONE, "bloodstone", PLAIN)                                                             \
    X(PARKING, "parking", PLAIN)                                                                   \
    X(SPACE, "space", PLAIN)                                                                       \
    X(MISPRINT, "misprint", PLAIN)                                                                 \
    X(HALU, "halu", ANTE)                                                                          \
    X(GROS_MICHEL, "gros_michel", PLAIN)                                                           \
    X(CAVENDISH, "cavendish", PLAIN)                                                               \
    X(MARB_FR, "marb_fr", PLAIN)                                                                   \
    X(CERT_FR, "cert_fr", PLAIN)                                                                   \
    X(CERTSL, "certsl", PLAIN)                                                                     \
    X(MADNESS, "madness", PLAIN)                                                                   \
    X(INVISIBLE, "invisible", PLAIN)                                                               \
    X(PERKEO, "perkeo", PLAIN)                                                                     \
    X(HOOK, "hook", PLAIN)                                                                         \
    X(WHEEL, "wheel", PLAIN)                                                                       \
    X(CERULEAN_BELL, "cerulean_bell", PLAIN)                                                       \
    X(CRIMSON_HEART, "crimson_heart", PLAIN)                                                       \
    X(AAJK, "aajk", PLAIN)                                                                         \
    X(WHEEL_OF_FORTUNE, "wheel_of_fortune", PLAIN)                                                 \
    X(AURA, "aura", PLAIN)                                                                         \
    X(ECTOPLASM, "ectoplasm", PLAIN)                                                               \
    X(HEX, "hex", PLAIN)                                                                           \
    X(ANKH_CHOICE, "ankh_choice", PLAIN)                                                           \
    X(IMMOLATE, "immolate", PLAIN)                                                                 \
    X(SIGIL, "sigil", PLAIN)                                                                       \
    X(OUIJA, "ouija", PLAIN)                                                                       \
    X(RANDOM_DESTROY, "random_destroy", PLAIN)                                                     \
    X(FAMILIAR_CREATE, "familiar_create", PLAIN)                                                   \
    X(GRIM_CREATE, "grim_create", PLAIN)                                                           \
    X(INCANTATION_CREATE, "incantation_create", PLAIN)                                             \
    X(SPE_CARD, "spe_card", PLAIN)                                                                 \
    X(RARITY, "rarity", RARITY)                                                                    \
    X(JOKER1, "Joker1", BOTH)                                                                      \
    X(JOKER2, "Joker2", BOTH)                                                                      \
    X(JOKER3, "Joker3", BOTH)                                                                      \
    X(JOKER4, "Joker4", PLAIN)                                                                     \
    X(TAROT, "Tarot", BOTH)                                                                        \
    X(PLANET, "Planet", BOTH)                                                                      \
    X(SPECTRAL, "Spectral", BOTH)                                                                  \
    X(VOUCHER, "Voucher", ANTE)                                                                    \
    X(VOUCHER_FROMTAG, "Voucher_fromtag", PLAIN)                                                   \
    X(TAG, "Tag", ANTE)                                                                            \
    X(ENHANCED, "Enhanced", BOTH)                                                                  \
    X(FRONT, "front", BOTH)                                                                        \
    X(EDITION, "edi", BOTH)                                                                        \
    X(SOUL_TAROT, "soul_Tarot", ANTE)                                                              \
    X(SOUL_PLANET, "soul_Planet", ANTE)                                                            \
    X(SOUL_SPECTRAL, "soul_Spectral", ANTE)                                                        \
    X(ETPERPOLL, "etperpoll", ANTE)                                                                \
    X(PACKETPER, "packetper", ANTE)                                                                \
    X(SSJR, "ssjr", ANTE)                                                                          \
    X(PACKSSJR, "packssjr", ANTE)                                                                  \
    X(CDT, "cdt", ANTE)                                                                            \
    X(ILLUSION, "illusion", PLAIN)                                                                 \
    X(SHOP_PACK, "shop_pack", ANTE)                                                                \
    X(OMEN_GLOBE, "omen_globe", PLAIN)                                                             \
    X(STDSET, "stdset", ANTE)                                                                      \
    X(STANDARD_EDITION, "standard_edition", ANTE)                                                  \
    X(STDSEAL, "stdseal", ANTE)                                                                    \
    X(STDSEALTYPE, "stdsealtype", ANTE)

#define X(name, text, shape) JOKER_K_##name,
typedef enum joker_stream_base {
    JOKER_K_NONE,
    JOKER_STREAM_BASES(X) JOKER_K_COUNT
} joker_stream_base;
#undef X

/* X(constant, text): where a made card comes from. */
#define JOKER_STREAM_SUFFIXES(X)                                                                   \
    X(SHO, "sho")                                                                                  \
    X(AR1, "ar1")                                                                                  \
    X(AR2, "ar2")                                                                                  \
    X(PL1, "pl1")                                                                                  \
    X(SPE, "spe")                                                                                  \
    X(STA, "sta")                                                                                  \
    X(BUF, "buf")                                                                                  \
    X(EMP, "emp")                                                                                  \
    X(PRI, "pri")                                                                                  \
    X(8BA, "8ba")                                                                                  \
    X(BLUSL, "blusl")                                                                              \
    X(FOOL, "fool")                                                                                \
    X(JUD, "jud")                                                                                  \
    X(WRA, "wra")                                                                                  \
    X(SOU, "sou")                                                                                  \
    X(RIF, "rif")                                                                                  \
    X(CAR, "car")                                                                                  \
    X(VAG, "vag")                                                                                  \
    X(SUP, "sup")                                                                                  \
    X(SEA, "sea")                                                                                  \
    X(SIXTH, "sixth")                                                                              \
    X(HAL, "hal")                                                                                  \
    X(UTA, "uta")                                                                                  \
    X(RTA, "rta")                                                                                  \
    X(TOP, "top")

#define X(name, text) JOKER_SUFFIX_##name,
typedef enum joker_stream_suffix {
    JOKER_SUFFIX_NONE,
    JOKER_STREAM_SUFFIXES(X) JOKER_SUFFIX_COUNT
} joker_stream_suffix;
#undef X

typedef struct joker_stream_name {
    char text[23];
    uint8_t shape; /* JOKER_KEY_ bits */
} joker_stream_name;

#define X(name, text, shape) {text, JOKER_KEY_##shape},
LU_TABLE joker_stream_name joker_stream_names[JOKER_K_COUNT] = {{"", JOKER_KEY_PLAIN},
                                                                JOKER_STREAM_BASES(X)};
#undef X
#define X(name, text) text,
LU_TABLE char joker_suffix_names[JOKER_SUFFIX_COUNT][8] = {"", JOKER_STREAM_SUFFIXES(X)};
#undef X

/* ---- keys ---- */

enum {
    JOKER_KEY_ANTE_ZERO = 128, /* antes are kept as 0..511 = -128..383 */
    JOKER_RESAMPLE_MAX = 2047, /* a pool is drawn from at most this often */
    JOKER_KEY_TEXT_MAX = 48    /* longest text of a key with an 8-letter seed behind it */
};

/* The key of a stream. Parts that its base does not use are left out: joker_key(JOKER_K_BOSS, 0, 0,
 * 0). resample: 0 for the first draw from a pool, 2, 3, .. for those after a blank. */
LU_INLINE uint32_t joker_key(int base, int suffix, int ante, int resample) {
    int shape = joker_stream_names[base].shape;
    uint32_t key = (uint32_t)base | (uint32_t)resample << 7;
    if (shape & JOKER_KEY_SUFFIX) {
        key |= (uint32_t)suffix << 18;
    }
    if (shape & JOKER_KEY_ANTE) {
        key |= ((uint32_t)(ante + JOKER_KEY_ANTE_ZERO) & 511u) << 23;
    }
    return key;
}

/* The key of a stream that knows no suffix, in the ante of the state. */
LU_INLINE uint32_t joker_key_now(const joker_state *s, int base) {
    return joker_key(base, 0, s->ante, 0);
}

LU_INLINE int joker_key_add(char *out, int n, const char *text) {
    for (int i = 0; text[i]; i++) {
        out[n++] = text[i];
    }
    return n;
}

LU_INLINE int joker_key_number(char *out, int n, int number) {
    char digits[12];
    int count = 0;
    if (number < 0) {
        out[n++] = '-';
        number = -number;
    }
    do {
        digits[count++] = (char)('0' + number % 10);
        number /= 10;
    } while (number > 0);
    while (count > 0) {
        out[n++] = digits[--count];
    }
    return n;
}

/* The text of a key, as the game spells it; returns its length, at most JOKER_KEY_TEXT_MAX - 8. */
LU_INLINE int joker_key_text(uint32_t key, char *out) {
    int base = (int)(key & 127u), resample = (int)(key >> 7 & 2047u);
    int suffix = (int)(key >> 18 & 31u), ante = (int)(key >> 23) - JOKER_KEY_ANTE_ZERO;
    int shape = joker_stream_names[base].shape;
    int n = joker_key_add(out, 0, joker_stream_names[base].text);
    if (shape & JOKER_KEY_ANTE_FIRST) {
        n = joker_key_number(out, n, ante);
    }
    if (shape & JOKER_KEY_SUFFIX) {
        n = joker_key_add(out, n, joker_suffix_names[suffix]);
    }
    if ((shape & JOKER_KEY_ANTE) && !(shape & JOKER_KEY_ANTE_FIRST)) {
        n = joker_key_number(out, n, ante);
    }
    if (resample > 0) {
        n = joker_key_add(out, n, "_resample");
        n = joker_key_number(out, n, resample);
    }
    return n;
}

/* ---- the arithmetic of the game's streams ---- */

/* fmod(x, 1) of x >= 0: the subtraction is exact. */
LU_ALWAYS_INLINE double joker_mod1(double x) {
    return x - lu_floor(x);
}

/* The hash of a text of n bytes, 0 <= h < 1. */
LU_INLINE double joker_hash(const char *text, int n) {
    double h = 1.0;
    for (int i = n; i >= 1; i--) {
        double byte = (double)(unsigned char)text[i - 1];
        h = joker_mod1(1.1239285023 / h * byte * LU_PI + LU_PI * (double)i);
    }
    return h;
}

/* The part of x * 1e13 that its nearest double leaves out, exactly (Dekker's product; x is a
 * multiple of 2^-52 below 1, so nothing can under- or overflow). */
LU_ALWAYS_INLINE double joker_tail13(double x, double product) {
    const double high = 0x1.2309p+43, low = 1e13 - high; /* 17 and 15 bits */
    double c = 134217729.0 * x;
    double x_high = c - (c - x), x_low = x - x_high;
    return ((x_high * high - product) + x_high * low + x_low * high) + x_low * low;
}

/* x in [0, 1) to 13 decimal places, as printf "%.13f" writes and strtod reads it. The product is
 * rounded to a multiple of 2^-10 or finer, so the nearest whole number of the rounded product is
 * that of the exact one unless the rounded one lies just between two: then the tail decides (and
 * without a tail the even one, which the magic addition took). Whole numbers below 10^13 and 10^13
 * itself are doubles, so the division gives the double nearest to the decimal. */
LU_ALWAYS_INLINE double joker_round13(double x) {
    const double magic = 0x1.8p52;
    double product = x * 1e13;
    double whole = (product + magic) - magic;
    double over = product - whole, tail = joker_tail13(x, product);
    whole += (over == 0.5 && tail > 0.0) ? 1.0 : 0.0;
    whole -= (over == -0.5 && tail < 0.0) ? 1.0 : 0.0;
    return whole / 1e13;
}

/* One step of a stream. */
LU_ALWAYS_INLINE double joker_stream_step(double v) {
    return joker_round13(joker_mod1(2.134453429141 + v * 1.72431234));
}

/* ---- the generator that a node seeds ---- */

typedef struct joker_generator {
    uint64_t word[4];
} joker_generator;

LU_ALWAYS_INLINE uint64_t joker_generator_mix(uint64_t z, int k, int q, int s) {
    return (((z << q) ^ z) >> (k - s)) ^ ((z & (UINT64_MAX << (64 - k))) << s);
}

LU_ALWAYS_INLINE uint64_t joker_generator_step(joker_generator *g) {
    g->word[0] = joker_generator_mix(g->word[0], 63, 31, 18);
    g->word[1] = joker_generator_mix(g->word[1], 58, 19, 28);
    g->word[2] = joker_generator_mix(g->word[2], 55, 24, 7);
    g->word[3] = joker_generator_mix(g->word[3], 47, 21, 8);
    return g->word[0] ^ g->word[1] ^ g->word[2] ^ g->word[3];
}

/* Seeds the generator and throws 10 steps away. */
LU_ALWAYS_INLINE void joker_generator_seed(joker_generator *g, double node) {
    const uint64_t least[4] = {1u << 1, 1u << 6, 1u << 9, 1u << 17};
    double d = node;
    for (int k = 0; k < 4; k++) {
        d = d * 3.14159265358979323846 + 2.7182818284590452354;
        uint64_t bits = lu_double_bits(d);
        g->word[k] = bits + (bits < least[k] ? least[k] : 0);
    }
    for (int i = 0; i < 10; i++) {
        (void)joker_generator_step(g);
    }
}

/* The low 52 bits as the fraction of a double in [1, 2), less 1. */
LU_ALWAYS_INLINE double joker_unit(uint64_t bits) {
    return lu_double_from_bits((bits & 0xfffffffffffffu) | 0x3ff0000000000000u) - 1.0;
}

/* The draw of a node. */
LU_INLINE double joker_node_unit(double node) {
    joker_generator g;
    joker_generator_seed(&g, node);
    return joker_unit(joker_generator_step(&g));
}

/* low..high by a draw. */
LU_INLINE int joker_between(double u, int low, int high) {
    return (int)lu_floor(u * (double)(high - low + 1)) + low;
}

/* ---- the streams of a state ---- */

LU_INLINE uint32_t joker_stream_slot(uint32_t key) {
    return (key * 0x9e3779b1u) >> 22; /* 1024 slots */
}

/* The slot of a key, or the free one where it belongs. */
LU_INLINE uint32_t joker_stream_find(const joker_state *s, uint32_t key) {
    uint32_t slot = joker_stream_slot(key);
    while (s->stream_key[slot] != 0 && s->stream_key[slot] != key) {
        slot = (slot + 1) & (JOKER_STREAM_SLOTS - 1);
    }
    return slot;
}

/* Takes a stream out and moves those behind it up, so that all can still be found. */
LU_INLINE void joker_stream_remove(joker_state *s, uint32_t slot) {
    const uint32_t mask = JOKER_STREAM_SLOTS - 1;
    uint32_t hole = slot;
    for (uint32_t at = (slot + 1) & mask; s->stream_key[at] != 0; at = (at + 1) & mask) {
        uint32_t home = joker_stream_slot(s->stream_key[at]);
        if (((at - home) & mask) >= ((at - hole) & mask)) {
            s->stream_key[hole] = s->stream_key[at];
            s->stream[hole] = s->stream[at];
            hole = at;
        }
    }
    s->stream_key[hole] = 0;
    s->stream[hole] = 0.0;
    s->streams--;
}

/* Streams of antes that are over (no voucher leads back there) make room. */
LU_INLINE void joker_stream_evict(joker_state *s) {
    const int32_t oldest = s->top_ante - 3 + JOKER_KEY_ANTE_ZERO;
    for (uint32_t slot = 0; slot < JOKER_STREAM_SLOTS;) {
        uint32_t key = s->stream_key[slot];
        bool dated = key != 0 && (joker_stream_names[key & 127u].shape & JOKER_KEY_ANTE) != 0;
        if (dated && (int32_t)(key >> 23) < oldest) {
            joker_stream_remove(s, slot); /* another one may have come here: look again */
        } else {
            slot++;
        }
    }
}

/* What a stream starts with: the hash of its key with the seed behind it. */
LU_INLINE double joker_stream_start(const joker_state *s, uint32_t key) {
    char text[JOKER_KEY_TEXT_MAX];
    int n = joker_key_text(key, text);
    for (int i = 0; i < 8 && s->seed[i]; i++) {
        text[n++] = s->seed[i];
    }
    return joker_hash(text, n);
}

/* The next node of a stream (rng = game). */
LU_INLINE double joker_node(joker_state *s, uint32_t key) {
    uint32_t slot = joker_stream_find(s, key);
    double v;
    if (s->stream_key[slot] == key) {
        v = joker_stream_step(s->stream[slot]);
        s->stream[slot] = v;
        return (v + s->hashed) / 2.0;
    }
    v = joker_stream_step(joker_stream_start(s, key));
    if (s->streams >= JOKER_STREAMS_MAX) {
        joker_stream_evict(s);
        slot = joker_stream_find(s, key);
    }
    if (s->streams >= JOKER_STREAMS_MAX) {
        s->full[JOKER_FULL_STREAMS]++; /* it will repeat its first draw */
    } else {
        s->stream_key[slot] = key;
        s->stream[slot] = v;
        s->streams++;
    }
    return (v + s->hashed) / 2.0;
}

/* ---- draws ---- */

/* One step of the fast generator: a Weyl sequence through the splitmix64 finish. */
LU_INLINE uint64_t joker_fast_bits(joker_state *s) {
    uint64_t z = s->rng += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

/* A fresh draw u of a stream, 0 <= u < 1. */
LU_INLINE double joker_u(const joker_rules *m, joker_state *s, uint32_t key) {
    return m->fast ? joker_unit(joker_fast_bits(s)) : joker_node_unit(joker_node(s, key));
}

/* A whole number low..high. */
LU_INLINE int joker_int(const joker_rules *m, joker_state *s, uint32_t key, int low, int high) {
    return joker_between(joker_u(m, s, key), low, high);
}

/* An index 0..n-1; n >= 1. */
LU_INLINE int joker_pick(const joker_rules *m, joker_state *s, uint32_t key, int n) {
    return joker_int(m, s, key, 0, n - 1);
}

/* The numerator of all odds: doubled by every live Oops! All 6s. */
LU_INLINE int joker_odds_numerator(const joker_state *s) {
    int odds = 1;
    for (int i = 0; i < s->jokers; i++) {
        if (s->joker[i].id == JOKER_J_OOPS && !(s->joker[i].flags & JOKER_DEBUFFED)) {
            odds *= 2;
        }
    }
    return odds;
}

/* Odds of 1 in d, with the numerator above. */
LU_INLINE bool joker_odds(const joker_rules *m, joker_state *s, uint32_t key, int d) {
    return joker_u(m, s, key) < (double)joker_odds_numerator(s) / (double)d;
}

/* Shuffles a list that is in order already, by one generator. */
LU_INLINE void joker_shuffle_list(const joker_rules *m, joker_state *s, uint32_t key, uint8_t *list,
                                  int n) {
    joker_generator g = {{0, 0, 0, 0}};
    if (!m->fast) {
        joker_generator_seed(&g, joker_node(s, key));
    }
    for (int i = n - 1; i >= 1; i--) {
        double u = joker_unit(m->fast ? joker_fast_bits(s) : joker_generator_step(&g));
        int other = joker_between(u, 0, i);
        uint8_t held = list[i];
        list[i] = list[other];
        list[other] = held;
    }
}

/* Puts indices of joker_state.card into the order of their sort numbers. Slots are mostly filled in
 * that order, so that going through them leaves little to move. */
LU_INLINE void joker_sort_by_order(const joker_state *s, uint8_t *index, int n) {
    uint8_t here[JOKER_DECK_MAX] = {0};
    int count = 0;
    for (int i = 0; i < n; i++) {
        here[index[i]] = 1;
    }
    for (int slot = 0; slot < JOKER_DECK_MAX; slot++) {
        if (!here[slot]) {
            continue;
        }
        int at = count++;
        while (at > 0 && s->card[index[at - 1]].order > s->card[slot].order) {
            index[at] = index[at - 1];
            at--;
        }
        index[at] = (uint8_t)slot;
    }
}

/* Shuffles n different indices of joker_state.card; the result depends on which cards they are, not
 * on how they lay. */
LU_INLINE void joker_shuffle(const joker_rules *m, joker_state *s, uint32_t key, uint8_t *index,
                             int n) {
    joker_sort_by_order(s, index, n);
    joker_shuffle_list(m, s, key, index, n);
}

/* ---- seeds ---- */

/* The letters of seeds made from numbers: the 34 of the game's own, and the O that it accepts. No
 * seed holds a 0, which the game takes as O. */
LU_TABLE char joker_seed_letters[36] = "123456789ABCDEFGHIJKLMNPQRSTUVWXYZO";

/* No stream has been used. */
LU_INLINE void joker_streams_clear(const joker_rules *m, joker_state *s) {
    s->streams = 0;
    if (!m->fast) {
        memset(s->stream_key, 0, sizeof s->stream_key);
        memset(s->stream, 0, sizeof s->stream);
    }
}

/* Sets the seed of a run: at most 8 letters, zero behind a shorter text. The fast generator starts
 * from the same text. */
LU_INLINE void joker_seed_text(const joker_rules *m, joker_state *s, const char *text) {
    int n = 0;
    uint64_t mixed = 0xcbf29ce484222325u;
    memset(s->seed, 0, sizeof s->seed);
    while (n < 8 && text[n]) {
        s->seed[n] = text[n];
        mixed = (mixed ^ (unsigned char)text[n]) * 0x100000001b3u;
        n++;
    }
    s->hashed = joker_hash(s->seed, n);
    s->rng = mixed;
    joker_streams_clear(m, s);
}

/* The letters of a number: 8 digits to base 35, the lowest first. */
LU_INLINE void joker_seed_letters_of(uint64_t number, char out[8]) {
    for (int i = 0; i < 8; i++) {
        out[i] = joker_seed_letters[number % 35u];
        number /= 35u;
    }
}

/* Sets the seed of a run by a number. */
LU_INLINE void joker_seed_number(const joker_rules *m, joker_state *s, uint64_t number) {
    char text[8];
    joker_seed_letters_of(number, text);
    joker_seed_text(m, s, text);
    s->rng = number;
}

LU_C_END
