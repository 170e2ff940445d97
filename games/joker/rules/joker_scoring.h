/* Joker, part: one played hand as joker_score.h sees it. A joker_call holds the facts of section
 * 5.2, taken once from the state, which jokers act at which step, the played and held cards, where
 * luck comes from, and the results. Scoring works on copies of cards and jokers inside the call, so
 * that a hand can be tried without touching the state: facts once, then any number of hands.
 * Ownership: a call belongs to the caller; the trace it may point to as well. Threads: no state. */
#pragma once

#include "ludus/linkage.h"

#include "rules/joker_rows.h"

LU_C_BEGIN

/* ---- luck ---- */

typedef enum joker_luck_mode {
    JOKER_LUCK_STREAMS, /* as the game rolls; the only mode that changes the state's streams */
    JOKER_LUCK_WORST,   /* only certain odds hit */
    JOKER_LUCK_BEST,    /* all odds hit */
    JOKER_LUCK_MEAN,    /* every roll gives its expected part: one pass, exact but for floor() and
                           for what depends on a roll twice (Bull, Lucky Cat, Space Joker) */
    JOKER_LUCK_SCRIPT   /* outcomes as listed, those behind the list are 0; rolls that only bring
                           money or cards give their expected part */
} joker_luck_mode;

enum { JOKER_ROLLS_MAX = 64 };

typedef struct joker_luck {
    int32_t mode;                    /* joker_luck_mode */
    int32_t given;                   /* outcomes listed in choice */
    int32_t rolls;                   /* out: rolls of the script met, at most JOKER_ROLLS_MAX */
    int32_t lost;                    /* out: rolls beyond that, all outcome 0 */
    uint8_t choice[JOKER_ROLLS_MAX]; /* outcome of each roll: 0 = miss; filled up with 0 */
    uint8_t ways[JOKER_ROLLS_MAX];   /* out: outcomes each roll has */
    double chance;                   /* out: probability of these outcomes */
} joker_luck;

/* ---- trace ---- */

typedef enum joker_score_step {
    JOKER_STEP_BASE,      /* chips and mult of the level */
    JOKER_STEP_BLOCKED,   /* by the boss */
    JOKER_STEP_BOSS,      /* Arm, Ox, Flint acted */
    JOKER_STEP_BEFORE,    /* a joker before the cards */
    JOKER_STEP_CARD,      /* a scored card itself */
    JOKER_STEP_EDITION,   /* of a scored card */
    JOKER_STEP_SCORED,    /* a joker on a scored card */
    JOKER_STEP_HELD_CARD, /* a held Steel card itself */
    JOKER_STEP_HELD,      /* a joker on a held card */
    JOKER_STEP_MAIN,      /* a joker */
    JOKER_STEP_JOKER_EDITION,
    JOKER_STEP_OTHER,       /* a joker after another joker */
    JOKER_STEP_OBSERVATORY, /* a Planet of the hand */
    JOKER_STEP_PLASMA,
    JOKER_STEP_BREAK, /* a card is destroyed */
    JOKER_STEPS
} joker_score_step;

typedef struct joker_trace_step {
    uint8_t step;                 /* joker_score_step */
    int8_t card;                  /* 0.. played; JOKER_PLAY_MAX + i held; -1 = none */
    int8_t joker, acting;         /* places of the joker and of what it acts as; -1 = none */
    double chips, mult, x, money; /* given; x = 0: none */
    double chips_now, mult_now;   /* afterwards */
} joker_trace_step;

enum { JOKER_TRACE_MAX = 1024 };

typedef struct joker_trace {
    int32_t count, lost; /* steps beyond the room are only counted */
    joker_trace_step step[JOKER_TRACE_MAX];
} joker_trace;

/* ---- the call ---- */

enum { JOKER_SCORING_HELD = 32, JOKER_SCORING_MADE = 8 };

typedef struct joker_made { /* a consumable that was made */
    uint8_t set, suffix;    /* joker_set, JOKER_SUFFIX_... */
} joker_made;

typedef struct joker_scoring {
    /* -- facts, filled by joker_call_facts; a tool may change them afterwards -- */
    uint32_t rules; /* JOKER_RULE_ bits */
    int32_t odds;   /* numerator of all odds */
    int32_t boss;   /* JOKER_BL_..., JOKER_NONE = none acts */
    int32_t plasma; /* deck */
    int32_t hands_left, discards_left;
    int32_t first; /* first hand of the round */
    int32_t money_before, enhanced, bag_free;
    int32_t money_counts;          /* for the score: Bull, Bootstraps, Lucky Cat */
    int32_t count[JOKER_COUNTERS]; /* where a joker that acts needs it */
    int32_t sell[JOKER_ROW_MAX];   /* sell value of each joker, where needed */
    uint8_t planets[JOKER_HANDS];  /* held Planets per hand, with Observatory */
    int32_t jokers;
    int8_t acts[JOKER_ROW_MAX]; /* place of the joker that acts at each place; -1 = none */
    uint32_t on_before, on_scored, on_held, on_again, on_again_held, on_main, on_other, on_destroy,
        on_blocked; /* places whose acting joker has the hook */

    /* -- the hand: indices into joker_state.card; joker_call_choose fills them -- */
    int32_t played_count, held_count;
    uint8_t played[JOKER_PLAY_MAX + 3], held[JOKER_SCORING_HELD];

    joker_luck luck;
    joker_trace *trace; /* NULL = none */

    /* -- working copies: after a run what cards and jokers have become -- */
    joker_card card[JOKER_PLAY_MAX], held_card[JOKER_SCORING_HELD];
    joker_joker joker[JOKER_ROW_MAX];
    uint32_t marks[JOKER_PLAY_MAX];

    /* -- results -- */
    joker_found found;
    double level; /* of the hand; whole but in JOKER_LUCK_MEAN */
    double chips, mult, score;
    double money;                               /* owned now */
    double dollars;                             /* won or lost by this hand */
    double chips_added, mult_added;             /* base and all additions, without Plasma Deck */
    double chips_jokers, mult_jokers, x_jokers; /* of them from jokers; product of their x */
    double hit;                 /* the Lucky card now scored has hit: 1, 0, or its chance */
    int32_t plays, plays_round; /* of this hand, this one included */
    int32_t acted, blocked;     /* by the boss */
    uint32_t broken;            /* played cards that are destroyed, bits */
    uint32_t ended;             /* jokers that are used up, bits */
    int32_t copies;             /* held cards at the end of held_card that DNA made */
    int32_t made_count;
    double made_mean; /* expected number, in JOKER_LUCK_MEAN */
    joker_made made[JOKER_SCORING_MADE];
} joker_scoring;

/* ---- rolls ---- */

/* Outcome 0..ways-1 of the next roll of a script; `chance` is that of outcome 1 when there are two
 * ways, else all are equal. */
LU_INLINE int joker_script(joker_luck *luck, int ways, double chance) {
    if (luck->rolls >= JOKER_ROLLS_MAX) {
        luck->lost++;
        return 0;
    }
    int at = luck->rolls++, choice = at < luck->given ? luck->choice[at] : 0;
    luck->choice[at] = (uint8_t)choice;
    luck->ways[at] = (uint8_t)ways;
    luck->chance *= ways > 2 ? 1.0 / ways : choice ? chance : 1.0 - chance;
    return choice;
}

/* Odds of 1 in d: 1 when they hit, 0 when not, or their chance. `counts` = the score may depend on
 * the outcome. */
LU_INLINE double joker_roll(const joker_rules *m, joker_state *s, joker_scoring *c, int base, int d,
                            bool counts) {
    double chance = (double)c->odds / (double)d;
    switch (c->luck.mode) {
    case JOKER_LUCK_STREAMS:
        return joker_u(m, s, joker_key_now(s, base)) < chance ? 1.0 : 0.0;
    case JOKER_LUCK_BEST:
        return 1.0;
    case JOKER_LUCK_MEAN:
        return chance < 1.0 ? chance : 1.0;
    case JOKER_LUCK_SCRIPT:
        if (chance < 1.0 && !counts) {
            return chance;
        }
        return chance >= 1.0 || joker_script(&c->luck, 2, chance) ? 1.0 : 0.0;
    default:
        return chance >= 1.0 ? 1.0 : 0.0;
    }
}

/* A whole number 0..high, its middle in JOKER_LUCK_MEAN. */
LU_INLINE double joker_roll_number(const joker_rules *m, joker_state *s, joker_scoring *c, int base,
                                   int high) {
    switch (c->luck.mode) {
    case JOKER_LUCK_STREAMS:
        return joker_int(m, s, joker_key_now(s, base), 0, high);
    case JOKER_LUCK_BEST:
        return high;
    case JOKER_LUCK_MEAN:
        return 0.5 * high;
    case JOKER_LUCK_SCRIPT:
        return joker_script(&c->luck, high + 1, 0.0);
    default:
        return 0.0;
    }
}

/* ---- facts ---- */

/* Which joker acts at each place, and at which steps. */
LU_INLINE void joker_scoring_lineup(const joker_state *s, joker_scoring *c) {
    c->jokers = s->jokers;
    c->on_before = c->on_scored = c->on_held = c->on_again = c->on_again_held = 0;
    c->on_main = c->on_other = c->on_destroy = c->on_blocked = 0;
    for (int i = 0; i < s->jokers; i++) {
        int at = joker_acting(s->joker, s->jokers, i);
        c->acts[i] = (int8_t)at;
        if (at < 0) {
            continue;
        }
        uint32_t hooks = joker_joker_facts[s->joker[at].id].hooks, bit = 1u << i;
        c->on_before |= hooks & JOKER_HOOK_BEFORE ? bit : 0u;
        c->on_scored |= hooks & JOKER_HOOK_SCORED ? bit : 0u;
        c->on_held |= hooks & JOKER_HOOK_HELD ? bit : 0u;
        c->on_again |= hooks & JOKER_HOOK_AGAIN_SCORED ? bit : 0u;
        c->on_again_held |= hooks & JOKER_HOOK_AGAIN_HELD ? bit : 0u;
        c->on_main |= hooks & JOKER_HOOK_MAIN ? bit : 0u;
        c->on_other |= hooks & JOKER_HOOK_AFTER_OTHER ? bit : 0u;
        c->on_destroy |= hooks & JOKER_HOOK_DESTROY ? bit : 0u;
        c->on_blocked |= hooks & JOKER_HOOK_DEBUFFED_HAND ? bit : 0u;
    }
}

/* Steel, Stone and enhanced cards of the full deck. */
LU_INLINE void joker_scoring_deck(const joker_state *s, joker_scoring *c) {
    int of[JOKER_ENHANCEMENTS] = {0}, cards = 0;
    for (int i = 0; i < JOKER_DECK_MAX; i++) {
        of[s->card[i].enhancement] += s->card[i].rank ? 1 : 0;
        cards += s->card[i].rank ? 1 : 0;
    }
    c->count[JOKER_N_STEEL] = of[JOKER_STEEL];
    c->count[JOKER_N_STONE] = of[JOKER_STONE];
    c->enhanced = cards - of[JOKER_PLAIN];
}

/* Sell values, and what Joker Stencil counts. */
LU_INLINE void joker_scoring_row(const joker_state *s, joker_scoring *c) {
    int free = s->joker_slots - s->jokers, stencils = 0, sum = 0;
    for (int i = 0; i < s->jokers; i++) {
        free += s->joker[i].edition == JOKER_NEGATIVE ? 1 : 0;
        stencils += s->joker[i].id == JOKER_J_STENCIL ? 1 : 0;
        c->sell[i] = joker_sell_value(&s->joker[i]);
        sum += c->sell[i];
    }
    c->count[JOKER_N_STENCIL] = free + stencils - 1;
    c->count[JOKER_N_SELL_OTHERS] = sum;
}

/* Held consumables: free slots, and Planets per hand for Observatory. */
LU_INLINE void joker_scoring_bag(const joker_state *s, joker_scoring *c) {
    int free = s->bag_slots - s->bag;
    bool observatory = (s->vouchers >> JOKER_V_OBSERVATORY & 1u) != 0;
    for (int hand = 0; hand < JOKER_HANDS; hand++) {
        c->planets[hand] = 0;
    }
    for (int i = 0; i < s->bag; i++) {
        uint8_t hand = joker_consumable_facts[s->consumable[i].id].hand;
        free += s->consumable[i].negative ? 1 : 0;
        if (observatory && hand < JOKER_HANDS) {
            c->planets[hand]++;
        }
    }
    c->bag_free = free > 0 ? free : 0;
}

/* Takes the facts of the state for hands played now: the hand is already taken off hands left.
 * Cost: some 20 ns per joker; the deck is counted only where a joker asks for it. */
LU_INLINE void joker_scoring_facts(const joker_rules *m, const joker_state *s, joker_scoring *c) {
    (void)m;
    c->rules = joker_rule_bits(s);
    c->odds = joker_odds_numerator(s);
    c->boss = joker_active_boss(s);
    c->plasma = s->deck == JOKER_B_PLASMA;
    c->hands_left = s->hands;
    c->discards_left = s->discards;
    c->first = s->played_round == 0;
    c->money_before = s->money;
    c->enhanced = 0;
    joker_scoring_lineup(s, c);
    joker_scoring_bag(s, c);
    uint32_t counters = 0;
    bool license = false, hits = false;
    for (int i = 0; i < c->jokers; i++) {
        const joker_row *row = &joker_rows[s->joker[i].id];
        counters |= 1u << row->counter;
        license = license || row->when == JOKER_WHEN_ENHANCED_AT_LEAST;
        hits = hits || row->filter & JOKER_M_HIT;
    }
    c->money_counts = hits || counters & (1u << JOKER_N_MONEY | 1u << JOKER_N_MONEY_FIVES);
    for (int k = 0; k < JOKER_COUNTERS; k++) {
        c->count[k] = 0;
    }
    c->count[JOKER_N_ONE] = 1;
    c->count[JOKER_N_DISCARDS_LEFT] = s->discards;
    c->count[JOKER_N_MISSING] = s->owned < s->start_deck ? s->start_deck - s->owned : 0;
    c->count[JOKER_N_DRAW_PILE] = s->draws;
    c->count[JOKER_N_JOKERS] = s->jokers;
    c->count[JOKER_N_TAROTS] = s->tarots;
    c->count[JOKER_N_SKIPS] = s->skips;
    if (license || counters & (1u << JOKER_N_STEEL | 1u << JOKER_N_STONE)) {
        joker_scoring_deck(s, c);
    }
    if (counters & (1u << JOKER_N_STENCIL | 1u << JOKER_N_SELL_OTHERS)) {
        joker_scoring_row(s, c);
    }
}

/* The hand to be scored: the chosen positions of the held cards are played, the others stay. */
LU_INLINE void joker_scoring_choose(const joker_state *s, joker_scoring *c, uint32_t chosen) {
    c->played_count = c->held_count = 0;
    for (int i = 0; i < s->held; i++) {
        if (chosen >> i & 1u && c->played_count < JOKER_PLAY_MAX) {
            c->played[c->played_count++] = s->hand[i];
        } else {
            c->held[c->held_count++] = s->hand[i];
        }
    }
}

LU_C_END
