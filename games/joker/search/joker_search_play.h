/* Joker, search: which held cards to lay, fast. The best hand to play of those worth a look, what
 * each kind of hand would score with the jokers as they stand, and which cards to keep when the
 * others are discarded. For bots and advisors; states are left as they are.
 * Ownership: states belong to the caller. Threads: no state. */
#pragma once

#include "search/joker_best_play.h"

/* The natural logarithm of a number > 0, the same bits on every machine. */
LU_INLINE double joker_log(double x) {
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    int power = (int)(bits >> 52 & 2047u) - 1023;
    bits = (bits & 0xfffffffffffffu) | 0x3ff0000000000000u;
    memcpy(&x, &bits, sizeof x);
    if (x > 1.4142135623730951) {
        x *= 0.5;
        power++;
    }
    double t = (x - 1.0) / (x + 1.0), square = t * t, sum = 0.0;
    for (int k = 19; k >= 1; k -= 2) { /* 2 atanh t */
        sum = sum * square + 1.0 / k;
    }
    return 2.0 * t * sum + power * 0.6931471805599453;
}

/* ---- which counts of played cards are worth a look ---- */

enum { JOKER_SIZES_ALL = 62 }; /* held cards count: every size */

/* Bit n: hands of n cards may score more than the same cards with more beside them. */
LU_INLINE uint32_t joker_play_sizes(const joker_state *s, const joker_scoring *call) {
    uint32_t sizes = 1u << (s->held < JOKER_PLAY_MAX ? s->held : JOKER_PLAY_MAX);
    bool holds = call->on_held != 0 || call->on_destroy != 0;
    for (int i = 0; i < s->held; i++) {
        holds = holds || s->card[s->hand[i]].enhancement == JOKER_STEEL;
    }
    for (int i = 0; i < s->jokers; i++) {
        switch (s->joker[i].id) {
        case JOKER_J_HALF:
            sizes |= 14u;
            break;
        case JOKER_J_SQUARE:
            sizes |= 1u << 4;
            break;
        case JOKER_J_BLACKBOARD:
            holds = true;
            break;
        default:
            break;
        }
    }
    return holds ? (uint32_t)JOKER_SIZES_ALL : sizes;
}

/* How much a held card is worth keeping: company of its rank and suit, then its rank. */
LU_INLINE void joker_keep_worth(const joker_state *s, double *worth) {
    for (int i = 0; i < s->held; i++) {
        const joker_card *card = &s->card[s->hand[i]];
        int rank = 0, suit = 0;
        for (int k = 0; k < s->held; k++) {
            rank += s->card[s->hand[k]].rank == card->rank;
            suit += s->card[s->hand[k]].suit == card->suit;
        }
        worth[i] = 3.0 * (rank - 1) + suit + 0.06 * card->rank + (card->enhancement ? 2.0 : 0.0) +
                   (card->edition ? 2.0 : 0.0) + (card->seal ? 1.0 : 0.0);
    }
}

/* Scores of hands already tried: with nothing that looks at held cards, hands of so many cards
 * whose scoring cards and kinds are the same score the same. */
enum { JOKER_TRIED_MAX = 64 };

typedef struct joker_tried {
    uint32_t key[JOKER_TRIED_MAX]; /* scoring positions, kinds that are contained */
    double score[JOKER_TRIED_MAX];
    int count;
} joker_tried;

/* The score of a choice of cards; its kind goes to `hand`. `held` = shapes of the held cards. */
LU_INLINE double joker_tried_score(const joker_rules *m, joker_state *s, joker_scoring *call,
                                   const joker_shape *held, uint32_t set, joker_tried *tried,
                                   uint8_t *hand) {
    joker_shape shapes[JOKER_PLAY_MAX];
    uint8_t at[JOKER_PLAY_MAX];
    int n = 0;
    uint32_t key = 0;
    for (uint32_t left = set; left; n++) {
        at[n] = (uint8_t)joker_next(&left);
        shapes[n] = held[at[n]];
    }
    joker_found found = joker_detect_shapes(shapes, n, call->rules);
    *hand = found.hand;
    for (int i = 0; i < n; i++) {
        key |= (uint32_t)joker_has(found.scoring, i) << at[i];
    }
    key |= (uint32_t)found.contains << JOKER_HAND_MAX;
    for (int i = 0; i < tried->count; i++) {
        if (tried->key[i] == key) {
            return tried->score[i];
        }
    }
    joker_scoring_choose(s, call, set);
    joker_scoring_lay(s, call);
    call->found = found;
    joker_score_laid(m, s, call);
    if (tried->count < JOKER_TRIED_MAX) {
        tried->key[tried->count] = key;
        tried->score[tried->count++] = call->score;
    }
    return call->score;
}

/* The best hand to play now; of equal ones the one that leaves the better cards in the hand. */
LU_INLINE joker_choice joker_quick_play(const joker_rules *m, joker_state *s) {
    joker_choice best = {0, JOKER_NONE, -1.0};
    uint16_t forced = joker_cards_to_lay(s).forced;
    double worth[JOKER_HAND_MAX], least = 0.0;
    joker_shape held[JOKER_HAND_MAX];
    joker_tried tried;
    joker_scoring call;
    call.trace = NULL;
    joker_scoring_facts(m, s, &call);
    call.hands_left = s->hands - 1;
    call.luck.mode = JOKER_LUCK_MEAN;
    call.luck.given = 0;
    joker_keep_worth(s, worth);
    for (int i = 0; i < s->held; i++) {
        held[i] = joker_shape_of(&s->card[s->hand[i]], call.rules);
    }
    uint32_t sizes = joker_play_sizes(s, &call);
    bool holds = sizes == JOKER_SIZES_ALL;
    for (int count = 1; count <= JOKER_PLAY_MAX && count <= s->held; count++) {
        if (!(sizes >> count & 1u)) {
            continue;
        }
        tried.count = 0;
        for (uint32_t set = (1u << count) - 1u; set < 1u << s->held;) {
            if ((set & forced) == forced) {
                uint8_t hand;
                tried.count = holds ? 0 : tried.count;
                double score = joker_tried_score(m, s, &call, held, set, &tried, &hand);
                double cost = 0.0;
                for (int i = 0; i < s->held && score >= best.score; i++) {
                    cost += set >> i & 1u ? worth[i] : 0.0;
                }
                if (score > best.score || (score >= best.score && cost < least)) {
                    best.chosen = (uint16_t)set;
                    best.hand = hand;
                    best.score = score;
                    least = cost;
                }
            }
            uint32_t low = set & (0u - set), next = set + low;
            set = next | ((set ^ next) / low >> 2);
        }
    }
    return best;
}

/* ---- what each kind of hand is worth ---- */

typedef struct joker_worths {
    double of[JOKER_HANDS]; /* score of a typical hand of the kind */
} joker_worths;

/* Typical cards of each kind: rank and suit per card, 0 behind the last. Suits are relative to the
 * suit that is held most. */
LU_TABLE uint8_t joker_typical[JOKER_HANDS][JOKER_PLAY_MAX][2] = {
    {{11, 0}, {11, 0}, {11, 0}, {11, 0}, {11, 0}}, {{12, 0}, {12, 0}, {12, 0}, {9, 0}, {9, 0}},
    {{11, 0}, {11, 1}, {11, 2}, {11, 3}, {11, 0}}, {{12, 0}, {11, 0}, {10, 0}, {9, 0}, {8, 0}},
    {{11, 0}, {11, 1}, {11, 2}, {11, 3}, {0, 0}},  {{12, 0}, {12, 1}, {12, 2}, {9, 3}, {9, 0}},
    {{14, 0}, {12, 0}, {9, 0}, {7, 0}, {4, 0}},    {{12, 0}, {11, 1}, {10, 2}, {9, 3}, {8, 0}},
    {{11, 0}, {11, 1}, {11, 2}, {0, 0}, {0, 0}},   {{12, 0}, {12, 1}, {9, 2}, {9, 3}, {0, 0}},
    {{12, 0}, {12, 1}, {0, 0}, {0, 0}, {0, 0}},    {{14, 0}, {0, 0}, {0, 0}, {0, 0}, {0, 0}},
};

/* What joker_detect finds in them, where no joker changes what a hand is: all kinds that hold; all
 * cards score. */
#define KIND(hand) 1u << JOKER_##hand
LU_TABLE uint16_t joker_typical_kinds[JOKER_HANDS] = {
    KIND(FLUSH_FIVE) | KIND(FIVE) | KIND(FOUR) | KIND(FLUSH) | KIND(THREE) | KIND(PAIR) |
        KIND(HIGH_CARD),
    KIND(FLUSH_HOUSE) | KIND(FULL_HOUSE) | KIND(FLUSH) | KIND(THREE) | KIND(TWO_PAIR) | KIND(PAIR) |
        KIND(HIGH_CARD),
    KIND(FIVE) | KIND(FOUR) | KIND(THREE) | KIND(PAIR) | KIND(HIGH_CARD),
    KIND(STRAIGHT_FLUSH) | KIND(FLUSH) | KIND(STRAIGHT) | KIND(HIGH_CARD),
    KIND(FOUR) | KIND(THREE) | KIND(PAIR) | KIND(HIGH_CARD),
    KIND(FULL_HOUSE) | KIND(THREE) | KIND(TWO_PAIR) | KIND(PAIR) | KIND(HIGH_CARD),
    KIND(FLUSH) | KIND(HIGH_CARD),
    KIND(STRAIGHT) | KIND(HIGH_CARD),
    KIND(THREE) | KIND(PAIR) | KIND(HIGH_CARD),
    KIND(TWO_PAIR) | KIND(PAIR) | KIND(HIGH_CARD),
    KIND(PAIR) | KIND(HIGH_CARD),
    KIND(HIGH_CARD),
};
#undef KIND

/* Scores typical hands of all kinds with nothing else held; `suit` = the suit they lean to. */
LU_INLINE void joker_worths_of(const joker_rules *m, joker_state *s, int suit,
                               joker_worths *worths) {
    joker_scoring call;
    call.trace = NULL;
    joker_scoring_facts(m, s, &call);
    joker_scoring_jokers(s, &call);
    call.hands_left = s->hands - 1;
    call.luck.mode = JOKER_LUCK_MEAN;
    call.luck.given = 0;
    call.held_count = 0;
    bool usual = !(call.rules & JOKER_RULES_OF_HANDS);
    bool plain = !(call.on_before | call.on_scored | call.on_again);
    for (int hand = 0; hand < JOKER_HANDS; hand++) {
        int n = 0;
        for (; n < JOKER_PLAY_MAX && joker_typical[hand][n][0]; n++) {
            memset(&call.card[n], 0, sizeof call.card[n]);
            call.card[n].rank = joker_typical[hand][n][0];
            call.card[n].suit = (unsigned)(joker_typical[hand][n][1] + suit) & 3u;
        }
        call.played_count = n;
        joker_scoring_clear(s, &call);
        if (usual) {
            call.found.hand = (uint8_t)hand;
            call.found.scoring = (uint8_t)joker_first_bits(n);
            call.found.contains = joker_typical_kinds[hand];
        } else {
            call.found = joker_detect(call.card, n, call.rules);
        }
        if (plain) { /* which leaves the jokers as they are */
            joker_score_plain(m, s, &call);
        } else {
            joker_score_found(m, s, &call);
            joker_scoring_jokers(s, &call);
        }
        worths->of[hand] = call.score;
    }
}

/* ---- what to keep ---- */

/* Rough chances that fresh cards bring what is missing: a pair from nothing, a second pair beside
 * one, a pair beside three of a kind. */
#define JOKER_BRINGS_PAIR   0.6
#define JOKER_BRINGS_SECOND 0.45
#define JOKER_BRINGS_FULL   0.35

typedef struct joker_keep {
    uint16_t kept; /* positions */
    double value;  /* expected score after the draw, by rule of thumb */
} joker_keep;

enum { JOKER_KEEPS_MAX = 32 };

typedef struct joker_keeps {
    joker_keep list[JOKER_KEEPS_MAX];
    int count;
    int ranks[16], suits[JOKER_SUITS], left; /* to be drawn: face-down cards are among them */
    int held_rank[16], held_suit[JOKER_SUITS];
} joker_keeps;

/* Chance that at least `need` of `k` drawn cards are among `good` of `left`, drawn one by one. */
LU_INLINE double joker_chance(int k, int need, int good, int left) {
    double at[8] = {1.0}; /* at[j] = chance of j hits so far */
    if (need <= 0) {
        return 1.0;
    }
    if (left <= 0 || need > 7) {
        return 0.0;
    }
    double p = (double)good / left;
    p = p > 1.0 ? 1.0 : p;
    for (int i = 0; i < k; i++) {
        for (int j = need; j > 0; j--) {
            at[j] = j == need ? at[j] + at[j - 1] * p : at[j] * (1.0 - p) + at[j - 1] * p;
        }
        at[0] *= 1.0 - p;
    }
    return at[need];
}

LU_INLINE bool joker_seen_card(const joker_card *card) {
    return !(card->flags & JOKER_CARD_DOWN) && card->enhancement != JOKER_STONE;
}

/* Counts what is held and what may be drawn. */
LU_INLINE void joker_keeps_count(const joker_state *s, joker_keeps *keeps) {
    memset(keeps, 0, sizeof *keeps);
    for (int i = 0; i < s->draws; i++) {
        const joker_card *card = &s->card[s->draw[i]];
        keeps->ranks[card->rank]++;
        keeps->suits[card->suit]++;
    }
    keeps->left = s->draws;
    for (int i = 0; i < s->held; i++) {
        const joker_card *card = &s->card[s->hand[i]];
        if (joker_seen_card(card)) {
            keeps->held_rank[card->rank]++;
            keeps->held_suit[card->suit]++;
        }
    }
}

/* Adds a choice of cards to keep; what is thrown is at most five. */
LU_INLINE void joker_keeps_add(const joker_state *s, joker_keeps *keeps, uint32_t kept,
                               double value) {
    uint32_t all = joker_first_bits(s->held), thrown = all & ~kept;
    uint16_t forced = joker_cards_to_lay(s).forced;
    thrown |= forced;
    /* the rightmost are the lowest: they go first */
    while (joker_bits(thrown) > JOKER_PLAY_MAX) {
        uint32_t free = thrown & ~(uint32_t)forced;
        thrown &= ~(free & (0u - free));
    }
    if (!thrown || keeps->count >= JOKER_KEEPS_MAX) {
        return;
    }
    kept = all & ~thrown;
    for (int i = 0; i < keeps->count; i++) {
        if (keeps->list[i].kept == kept) {
            keeps->list[i].value = value > keeps->list[i].value ? value : keeps->list[i].value;
            return;
        }
    }
    keeps->list[keeps->count].kept = (uint16_t)kept;
    keeps->list[keeps->count++].value = value;
}

LU_INLINE double joker_most(double a, double b) {
    return a > b ? a : b;
}

LU_INLINE void joker_keep_flush(const joker_state *s, const joker_worths *w, uint32_t rules,
                                double now, joker_keeps *keeps) {
    int need = rules & JOKER_RULE_FOUR_FINGERS ? 4 : 5;
    for (int suit = 0; suit < JOKER_SUITS; suit++) {
        uint32_t kept = 0;
        int have = 0, good = 0;
        for (int i = 0; i < s->held; i++) {
            const joker_card *card = &s->card[s->hand[i]];
            if (joker_seen_card(card) && joker_own_suits(card, rules) >> suit & 1u && have < 5) {
                kept |= 1u << i;
                have++;
            }
        }
        for (int other = 0; other < JOKER_SUITS; other++) {
            bool same = other == suit || (rules & JOKER_RULE_SMEARED && ((other ^ suit) & 1) == 0);
            good += same ? keeps->suits[other] : 0;
        }
        int thrown = s->held - have < JOKER_PLAY_MAX ? s->held - have : (int)JOKER_PLAY_MAX;
        double chance = joker_chance(thrown, need - have, good, keeps->left);
        double fallback = w->of[JOKER_HIGH_CARD] > JOKER_BRINGS_PAIR * w->of[JOKER_PAIR]
                              ? w->of[JOKER_HIGH_CARD]
                              : JOKER_BRINGS_PAIR * w->of[JOKER_PAIR];
        (void)now;
        joker_keeps_add(s, keeps, kept, chance * w->of[JOKER_FLUSH] + (1.0 - chance) * fallback);
    }
}

LU_INLINE void joker_keep_straight(const joker_state *s, const joker_worths *w, uint32_t rules,
                                   joker_keeps *keeps) {
    int need = rules & JOKER_RULE_FOUR_FINGERS ? 4 : 5;
    for (int low = 1; low + need - 1 <= 14; low++) {
        uint32_t kept = 0, seen = 0;
        int missing = 0, first = 0, second = 0;
        for (int r = low; r < low + need; r++) {
            int rank = r == 1 ? (int)JOKER_ACE : r;
            if (keeps->held_rank[rank]) {
                seen |= 1u << rank;
            } else {
                second = first;
                first = keeps->ranks[rank];
                missing++;
            }
        }
        if (missing > 2 || missing == 0) {
            continue;
        }
        for (int i = 0; i < s->held; i++) {
            const joker_card *card = &s->card[s->hand[i]];
            if (joker_seen_card(card) && seen >> card->rank & 1u) {
                kept |= 1u << i;
                seen &= ~(1u << card->rank);
            }
        }
        int thrown = s->held - joker_bits(kept);
        thrown = thrown < JOKER_PLAY_MAX ? thrown : (int)JOKER_PLAY_MAX;
        double chance = joker_chance(thrown, 1, first, keeps->left);
        if (missing == 2) {
            chance *= joker_chance(thrown - 1, 1, second, keeps->left);
        }
        joker_keeps_add(s, keeps, kept,
                        chance * w->of[JOKER_STRAIGHT] +
                            (1.0 - chance) * JOKER_BRINGS_PAIR * w->of[JOKER_PAIR]);
    }
}

/* What hands hold of one rank: how many, of which rank, and the next rank of two or more. */
typedef struct joker_groups {
    int pairs, best, best_rank, second_rank;
} joker_groups;

/* Worth of keeping the groups and drawing `thrown` cards anew. */
LU_INLINE double joker_groups_worth(const joker_groups *g, const joker_worths *w,
                                    const joker_keeps *keeps, int thrown) {
    int left = keeps->left, same = keeps->ranks[g->best_rank];
    if (g->best >= 4) {
        double five = joker_chance(thrown, 1, same, left);
        return five * w->of[JOKER_FIVE] + (1.0 - five) * w->of[JOKER_FOUR];
    }
    if (g->best == 3) {
        double four = joker_chance(thrown, 1, same, left);
        double full = g->second_rank ? 1.0 : JOKER_BRINGS_FULL;
        double rest = full * joker_most(w->of[JOKER_FULL_HOUSE], w->of[JOKER_THREE]) +
                      (1.0 - full) * w->of[JOKER_THREE];
        return four * joker_most(w->of[JOKER_FOUR], rest) + (1.0 - four) * rest;
    }
    if (g->best == 2 && g->pairs >= 2) {
        double full = joker_chance(thrown, 1, same + keeps->ranks[g->second_rank], left);
        return full * w->of[JOKER_FULL_HOUSE] +
               (1.0 - full) * joker_most(w->of[JOKER_TWO_PAIR], w->of[JOKER_PAIR]);
    }
    if (g->best == 2) {
        double three = joker_chance(thrown, 1, same, left), two = JOKER_BRINGS_SECOND;
        double rest = two * joker_most(w->of[JOKER_TWO_PAIR], w->of[JOKER_PAIR]) +
                      (1.0 - two) * w->of[JOKER_PAIR];
        return three * joker_most(w->of[JOKER_THREE], rest) + (1.0 - three) * rest;
    }
    return JOKER_BRINGS_PAIR * w->of[JOKER_PAIR] + 0.4 * w->of[JOKER_HIGH_CARD];
}

/* One rank alone: fours rather than full houses. */
LU_INLINE void joker_keep_rank(const joker_state *s, const joker_worths *w, const joker_groups *g,
                               joker_keeps *keeps) {
    uint32_t one = 0;
    for (int i = 0; i < s->held; i++) {
        one |= s->card[s->hand[i]].rank == g->best_rank ? 1u << i : 0u;
    }
    double more =
        joker_chance(JOKER_PLAY_MAX, g->best >= 3 ? 1 : 2, keeps->ranks[g->best_rank], keeps->left);
    double then = w->of[JOKER_FOUR];
    double base = w->of[g->best >= 3 ? JOKER_THREE : JOKER_PAIR];
    joker_keeps_add(s, keeps, one, more * then + (1.0 - more) * base);
}

/* Pairs, triples and fours with nothing, or one high card, beside them. */
LU_INLINE void joker_keep_groups(const joker_state *s, const joker_worths *w, joker_keeps *keeps) {
    uint32_t kept = 0;
    joker_groups g = {0};
    for (int rank = 14; rank >= 2; rank--) {
        int n = keeps->held_rank[rank];
        g.pairs += n >= 2;
        if (n > g.best) {
            g.second_rank = g.best >= 2 ? g.best_rank : g.second_rank;
            g.best = n;
            g.best_rank = rank;
        } else if (n >= 2 && !g.second_rank) {
            g.second_rank = rank;
        }
    }
    for (int i = 0; i < s->held; i++) {
        const joker_card *card = &s->card[s->hand[i]];
        bool in = joker_seen_card(card) && keeps->held_rank[card->rank] >= 2;
        kept |= in ? 1u << i : 0u;
    }
    int thrown = s->held - joker_bits(kept);
    thrown = thrown < JOKER_PLAY_MAX ? thrown : (int)JOKER_PLAY_MAX;
    double value = joker_groups_worth(&g, w, keeps, thrown);
    if (g.best < 2) {
        kept = 0;
        for (int i = 0; i < s->held && i < 3; i++) { /* the hand is sorted high to low */
            kept |= 1u << i;
        }
    }
    joker_keeps_add(s, keeps, kept, value);
    if (g.best >= 2) {
        joker_keep_rank(s, w, &g, keeps);
    }
}

/* All choices of cards to keep that a player would think of, each with a rough value. */
LU_INLINE void joker_keeps_of(const joker_state *s, const joker_worths *worths, double now,
                              joker_keeps *keeps) {
    uint32_t rules = joker_rule_bits(s);
    joker_keeps_count(s, keeps);
    joker_keep_flush(s, worths, rules, now, keeps);
    joker_keep_straight(s, worths, rules, keeps);
    joker_keep_groups(s, worths, keeps);
}

/* The suit that most held cards have. */
LU_INLINE int joker_main_suit(const joker_state *s) {
    int count[JOKER_SUITS] = {0}, best = 0;
    for (int i = 0; i < s->held; i++) {
        count[s->card[s->hand[i]].suit]++;
    }
    for (int suit = 1; suit < JOKER_SUITS; suit++) {
        best = count[suit] > count[best] ? suit : best;
    }
    return best;
}

/* The positions to discard by rule; 0 when nothing is worth it. */
LU_INLINE uint16_t joker_rule_discard(const joker_rules *m, joker_state *s, double now) {
    joker_worths worths;
    joker_keeps keeps;
    const joker_keep *best = NULL;
    joker_worths_of(m, s, joker_main_suit(s), &worths);
    joker_keeps_of(s, &worths, now, &keeps);
    for (int i = 0; i < keeps.count; i++) {
        if (!best || keeps.list[i].value > best->value) {
            best = &keeps.list[i];
        }
    }
    if (!best || best->value <= now) {
        return 0;
    }
    return (uint16_t)(joker_first_bits(s->held) & ~best->kept);
}
