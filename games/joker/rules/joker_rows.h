/* Joker, part: the 150 jokers as rows. A row says what a joker gives while a hand scores, what it
 * stores and when the store changes, and what it changes just by being owned; price, rarity, flags
 * and hooks are in joker_joker_facts (jokers.csv). A new joker is a line of jokers.csv, a row here
 * and a case in joker_score_test.c; only what no row can say has a function, named by `call` and
 * run by one switch in the part that owns the hook (joker_score.h, joker_event.h).
 * Ownership: constants. Threads: no state. */
#pragma once

#include "ludus/linkage.h"

#include "rules/joker_hand.h"
#include "rules/joker_rng.h"

LU_C_BEGIN

/* What a joker gives. */
typedef enum joker_effect {
    JOKER_E_NONE,          /* nothing by its row: passive or a function alone */
    JOKER_E_FIXED,         /* chips, mult, x, money when `when` holds; at each of the hooks before,
                              main, debuffed_hand that the joker has */
    JOKER_E_FROM_RUN,      /* main: count * (chips, mult), x(1 + count * x) */
    JOKER_E_STORED_CHIPS,  /* main: + a chips */
    JOKER_E_STORED_MULT,   /* main: + a mult */
    JOKER_E_STORED_X,      /* main: x(stored x) */
    JOKER_E_MAKE,          /* a consumable, when `when` and the odds hold and a slot is free */
    JOKER_E_PER_SCORED,    /* chips, mult, money, x, make for every scored card that fits */
    JOKER_E_PER_HELD,      /* the same for held cards */
    JOKER_E_AGAIN_SCORED,  /* `again` more triggers of scored cards that fit, when `when` holds */
    JOKER_E_AGAIN_HELD,    /* `again` more triggers of held cards that did something */
    JOKER_E_PER_DISCARDED, /* money for every discarded card that fits */
    JOKER_E_ON_OTHER,      /* x after every joker of rarity `of` */
    JOKER_E_PAYOUT,        /* money at cash-out, when `when` holds; times the counter */
    JOKER_E_COPY_RIGHT,    /* acts as its right neighbour */
    JOKER_E_COPY_LEFTMOST, /* acts as the leftmost joker */
    JOKER_EFFECTS
} joker_effect;

/* Conditions; `of` is their hand or number. In a row that stores (STORED_..., PAYOUT from the
 * store) it says when the store grows, or, with `back`, when it starts again; in every other row
 * when the joker gives. */
typedef enum joker_when {
    JOKER_WHEN_ALWAYS,
    JOKER_WHEN_CONTAINS,          /* the played hand contains hand `of` */
    JOKER_WHEN_PLAYED_AT_MOST,    /* cards */
    JOKER_WHEN_PLAYED_EXACTLY,    /* cards */
    JOKER_WHEN_HANDS_LEFT,        /* exactly, this one already taken off */
    JOKER_WHEN_DISCARDS_LEFT,     /* exactly */
    JOKER_WHEN_EVERY,             /* the of-th hand since a = hands of the run at purchase */
    JOKER_WHEN_ALL_BLACK,         /* all held cards; an empty hand counts */
    JOKER_WHEN_FOUR_SUITS,        /* among the scoring cards, one suit per card */
    JOKER_WHEN_CLUB_AND_OTHER,    /* among the scoring cards */
    JOKER_WHEN_LISTED,            /* the hand is the one in a */
    JOKER_WHEN_REPEATED,          /* this hand was already played in this round */
    JOKER_WHEN_STRAIGHT_ACE,      /* a Straight is contained and an Ace scores */
    JOKER_WHEN_MONEY_AT_MOST,     /* before the hand */
    JOKER_WHEN_ENHANCED_AT_LEAST, /* cards of the full deck */
    JOKER_WHEN_BOSS_ACTED,        /* on this hand */
    JOKER_WHEN_NO_FACE,           /* among the scoring cards */
    JOKER_WHEN_NOT_MOST_PLAYED,   /* another visible hand was played at least as often */
    JOKER_WHEN_BOSS_BEATEN,       /* the round that ends was a boss */
    JOKER_WHEN_NO_DISCARD_USED,   /* in this round */
    JOKER_WHENS
} joker_when;

/* What JOKER_E_FROM_RUN and JOKER_E_PAYOUT count. */
typedef enum joker_counter {
    JOKER_N_ONE,
    JOKER_N_DISCARDS_LEFT,
    JOKER_N_STENCIL, /* free joker slots + Joker Stencils - 1 */
    JOKER_N_STEEL,   /* cards in the full deck ... */
    JOKER_N_STONE,
    JOKER_N_NINES,
    JOKER_N_MISSING,   /* ... below its size at the start */
    JOKER_N_DRAW_PILE, /* cards left in it */
    JOKER_N_JOKERS,
    JOKER_N_PLAYS, /* of this hand in the run, this one included */
    JOKER_N_TAROTS,
    JOKER_N_SKIPS,
    JOKER_N_PLANETS,     /* different ones used */
    JOKER_N_MONEY,       /* dollars, not below 0 */
    JOKER_N_MONEY_FIVES, /* full $5 */
    JOKER_N_SELL_OTHERS, /* sell values of all other jokers */
    JOKER_N_STORE,       /* a */
    JOKER_COUNTERS
} joker_counter;

/* Marks of a card as jokers see it; a row's filter holds those it looks for, one is enough. Bits 2
 * to 14 are ranks. A debuffed card has no marks (only a Glass card that is destroyed counts). */
enum {
    JOKER_M_ANY = 1 << 0,
    JOKER_M_SPADES = 1 << 16, /* suits as counted by jokers, in the order of joker_suit */
    JOKER_M_HEARTS = 1 << 17,
    JOKER_M_CLUBS = 1 << 18,
    JOKER_M_DIAMONDS = 1 << 19,
    JOKER_M_FACE = 1 << 20,
    JOKER_M_FIRST = 1 << 21,      /* of the scoring cards */
    JOKER_M_FIRST_FACE = 1 << 22, /* of the scoring cards */
    JOKER_M_LOWEST = 1 << 23,     /* of the held cards: by rank, the rightmost; no Stone card */
    JOKER_M_GOLD = 1 << 24,       /* a Gold card */
    JOKER_M_HIT = 1 << 25,        /* a Lucky card that has just hit */
    JOKER_M_GLASS = 1 << 26,      /* a Glass card, debuffed or not */
    JOKER_M_ANCIENT = 1 << 27,    /* the listed suit of Ancient Joker */
    JOKER_M_IDOL = 1 << 28,       /* the listed rank and suit of The Idol */
    JOKER_M_CASTLE = 1 << 29,     /* the listed suit of Castle */
    JOKER_M_MAIL = 1 << 30        /* the listed rank of Mail-In Rebate */
};
#define JOKER_R(rank) (1u << (rank))

/* Functions for what a row cannot say; who runs them is told by the joker's hooks. */
typedef enum joker_do {
    JOKER_DO_NOTHING,
    /* while a hand scores: joker_score.h */
    JOKER_DO_MISPRINT,    /* main: a whole number 0..mult */
    JOKER_DO_RAISED_FIST, /* held: mult times the chip value of the card */
    JOKER_DO_SPACE,       /* before: the level of the hand goes up */
    JOKER_DO_DNA,         /* before: copies the card of a single first hand */
    JOKER_DO_HIKER,       /* scored: the card keeps `chips` more */
    JOKER_DO_VAMPIRE,     /* before: strips enhancements, by_x for each */
    JOKER_DO_MIDAS_MASK,  /* before: scoring face cards become Gold */
    JOKER_DO_SIXTH_SENSE, /* destroy: a single first 6 */
    /* outside: joker_event.h */
    JOKER_DO_CEREMONIAL,  /* blind_set: destroys its right neighbour, stores twice its sell value */
    JOKER_DO_MARBLE,      /* blind_set: a Stone card joins the deck */
    JOKER_DO_BURGLAR,     /* blind_set: `again` more hands, no discards */
    JOKER_DO_MADNESS,     /* blind_set, not at a boss: by_x, destroys another joker */
    JOKER_DO_RIFF_RAFF,   /* blind_set: up to `again` Common jokers */
    JOKER_DO_CHICOT,      /* blind_set: the boss effect is off */
    JOKER_DO_CERTIFICATE, /* first_draw: a card with a seal joins the hand */
    JOKER_DO_BURNT,       /* pre_discard: the hand of the first discard gains a level */
    JOKER_DO_FACELESS,    /* discard: money for `of` or more face cards at once */
    JOKER_DO_GREEN,       /* discard: 1 off the store per discard action, not below 0 */
    JOKER_DO_TRADING,     /* discard: a single first card is destroyed for money */
    JOKER_DO_YORICK,      /* discard: by_x after start_b cards each */
    JOKER_DO_EXTINCT,     /* round_end: goes with the odds of the row */
    JOKER_DO_EGG,         /* round_end: its sell value grows by money */
    JOKER_DO_GIFT,        /* round_end: all sell values grow by money */
    JOKER_DO_TURTLE_BEAN, /* hand size + a while owned; round_end: one less */
    JOKER_DO_TODO_LIST,   /* round_end: another hand is listed in a (also when made) */
    JOKER_DO_LUCHADOR,    /* sell_self: the boss effect is off */
    JOKER_DO_DIET_COLA,   /* sell_self: a Double Tag */
    JOKER_DO_INVISIBLE,   /* sell_self: after `of` rounds another joker is duplicated */
    JOKER_DO_MR_BONES,    /* last_chance: saves with a quarter of the target */
    JOKER_DO_PERKEO,      /* shop_exit: a Negative copy of a held consumable */
    JOKER_DOS
} joker_do;

/* Bits of joker_row.flags. */
enum {
    JOKER_ROW_ELSE_BACK = 1, /* where `when` fails at the growing hook, the store starts again */
    JOKER_ROW_ENDS = 2,      /* destroyed instead when a would fall to 0, or x to 1, or below */
    JOKER_ROW_SINCE = 4      /* a starts as the hands played in the run when the joker is gained */
};

typedef struct joker_row {
    uint8_t id;      /* JOKER_J_..., the index of the row */
    uint8_t effect;  /* joker_effect */
    uint8_t call;    /* joker_do */
    uint8_t when;    /* joker_when */
    uint8_t of;      /* its hand or number */
    uint8_t counter; /* joker_counter */
    uint8_t key;     /* JOKER_K_...: stream of the odds */
    uint8_t make;    /* 1 + joker_set of the consumable made; 0 = none */
    uint8_t suffix;  /* JOKER_SUFFIX_... it is made with */
    uint8_t again;   /* more triggers; hands or jokers of a function */
    uint16_t odds;   /* 1 in so many; 0 = certain */
    uint32_t filter; /* JOKER_M_... of the cards it looks at */
    int16_t chips, mult, money;
    uint16_t flags; /* JOKER_ROW_... */
    double x;       /* multiplier, or its step per count; 0 = none */
    /* the store: its start, and what changes it */
    double start_x;
    int16_t start_a, start_b;
    uint32_t grows; /* JOKER_HOOK_... at which it grows: once, or per card that fits */
    uint32_t back;  /* JOKER_HOOK_... at which it starts again, when `when` holds */
    int32_t by;     /* added to a */
    double by_x;    /* added to x */
    /* while owned and not debuffed */
    int8_t hand_size, hands, discards, free_rerolls, floor, interest;
    uint8_t doubles; /* the numerator of every odds is doubled */
    uint8_t rules;   /* JOKER_RULE_... */
} joker_row;

#define JOKER_CARDS_FIBONACCI (JOKER_R(14) | JOKER_R(2) | JOKER_R(3) | JOKER_R(5) | JOKER_R(8))
#define JOKER_CARDS_EVEN      (JOKER_R(2) | JOKER_R(4) | JOKER_R(6) | JOKER_R(8) | JOKER_R(10))
#define JOKER_CARDS_ODD       (JOKER_R(14) | JOKER_R(3) | JOKER_R(5) | JOKER_R(7) | JOKER_R(9))

/* A row per joker: the members are those of joker_row in their order. */
#pragma GCC diagnostic push
#ifdef __cplusplus
#pragma GCC diagnostic ignored "-Wmissing-field-initializers"
#endif
// clang-format off
#define ROW(key, ...) {.id = JOKER_J_##key, __VA_ARGS__},
#define CONTAINS(hand) .when = JOKER_WHEN_CONTAINS, .of = hand
LU_TABLE joker_row joker_rows[JOKER_JOKERS] = {
    ROW(JOKER, .effect = JOKER_E_FIXED, .mult = 4)
    ROW(GREEDY_JOKER, .effect = JOKER_E_PER_SCORED, .filter = JOKER_M_DIAMONDS, .mult = 3)
    ROW(LUSTY_JOKER, .effect = JOKER_E_PER_SCORED, .filter = JOKER_M_HEARTS, .mult = 3)
    ROW(WRATHFUL_JOKER, .effect = JOKER_E_PER_SCORED, .filter = JOKER_M_SPADES, .mult = 3)
    ROW(GLUTTENOUS_JOKER, .effect = JOKER_E_PER_SCORED, .filter = JOKER_M_CLUBS, .mult = 3)
    ROW(JOLLY, .effect = JOKER_E_FIXED, CONTAINS(JOKER_PAIR), .mult = 8)
    ROW(ZANY, .effect = JOKER_E_FIXED, CONTAINS(JOKER_THREE), .mult = 12)
    ROW(MAD, .effect = JOKER_E_FIXED, CONTAINS(JOKER_TWO_PAIR), .mult = 10)
    ROW(CRAZY, .effect = JOKER_E_FIXED, CONTAINS(JOKER_STRAIGHT), .mult = 12)
    ROW(DROLL, .effect = JOKER_E_FIXED, CONTAINS(JOKER_FLUSH), .mult = 10)
    ROW(SLY, .effect = JOKER_E_FIXED, CONTAINS(JOKER_PAIR), .chips = 50)
    ROW(WILY, .effect = JOKER_E_FIXED, CONTAINS(JOKER_THREE), .chips = 100)
    ROW(CLEVER, .effect = JOKER_E_FIXED, CONTAINS(JOKER_TWO_PAIR), .chips = 80)
    ROW(DEVIOUS, .effect = JOKER_E_FIXED, CONTAINS(JOKER_STRAIGHT), .chips = 100)
    ROW(CRAFTY, .effect = JOKER_E_FIXED, CONTAINS(JOKER_FLUSH), .chips = 80)
    ROW(HALF, .effect = JOKER_E_FIXED, .when = JOKER_WHEN_PLAYED_AT_MOST, .of = 3, .mult = 20)
    ROW(STENCIL, .effect = JOKER_E_FROM_RUN, .counter = JOKER_N_STENCIL, .x = 1)
    ROW(FOUR_FINGERS, .rules = JOKER_RULE_FOUR_FINGERS)
    ROW(MIME, .effect = JOKER_E_AGAIN_HELD, .again = 1)
    ROW(CREDIT_CARD, .floor = 20)
    ROW(CEREMONIAL, .effect = JOKER_E_STORED_MULT, .call = JOKER_DO_CEREMONIAL)
    ROW(BANNER, .effect = JOKER_E_FROM_RUN, .counter = JOKER_N_DISCARDS_LEFT, .chips = 30)
    ROW(MYSTIC_SUMMIT, .effect = JOKER_E_FIXED, .when = JOKER_WHEN_DISCARDS_LEFT, .of = 0, .mult = 15)
    ROW(MARBLE, .call = JOKER_DO_MARBLE)
    ROW(LOYALTY_CARD, .effect = JOKER_E_FIXED, .when = JOKER_WHEN_EVERY, .of = 6, .flags = JOKER_ROW_SINCE, .x = 4)
    ROW(8_BALL, .effect = JOKER_E_PER_SCORED, .key = JOKER_K_8BALL, .make = 1 + JOKER_TAROT, .suffix = JOKER_SUFFIX_8BA, .odds = 4, .filter = JOKER_R(8))
    ROW(MISPRINT, .call = JOKER_DO_MISPRINT, .key = JOKER_K_MISPRINT, .mult = 23)
    ROW(DUSK, .effect = JOKER_E_AGAIN_SCORED, .when = JOKER_WHEN_HANDS_LEFT, .of = 0, .again = 1, .filter = JOKER_M_ANY)
    ROW(RAISED_FIST, .effect = JOKER_E_PER_HELD, .call = JOKER_DO_RAISED_FIST, .filter = JOKER_M_LOWEST, .mult = 2)
    ROW(CHAOS, .free_rerolls = 1)
    ROW(FIBONACCI, .effect = JOKER_E_PER_SCORED, .filter = JOKER_CARDS_FIBONACCI, .mult = 8)
    ROW(STEEL_JOKER, .effect = JOKER_E_FROM_RUN, .counter = JOKER_N_STEEL, .x = 0.2)
    ROW(SCARY_FACE, .effect = JOKER_E_PER_SCORED, .filter = JOKER_M_FACE, .chips = 30)
    ROW(ABSTRACT, .effect = JOKER_E_FROM_RUN, .counter = JOKER_N_JOKERS, .mult = 3)
    ROW(DELAYED_GRAT, .effect = JOKER_E_PAYOUT, .when = JOKER_WHEN_NO_DISCARD_USED, .counter = JOKER_N_DISCARDS_LEFT, .money = 2)
    ROW(HACK, .effect = JOKER_E_AGAIN_SCORED, .again = 1, .filter = JOKER_R(2) | JOKER_R(3) | JOKER_R(4) | JOKER_R(5))
    ROW(PAREIDOLIA, .rules = JOKER_RULE_PAREIDOLIA)
    ROW(GROS_MICHEL, .effect = JOKER_E_FIXED, .call = JOKER_DO_EXTINCT, .key = JOKER_K_GROS_MICHEL, .odds = 6, .mult = 15)
    ROW(EVEN_STEVEN, .effect = JOKER_E_PER_SCORED, .filter = JOKER_CARDS_EVEN, .mult = 4)
    ROW(ODD_TODD, .effect = JOKER_E_PER_SCORED, .filter = JOKER_CARDS_ODD, .chips = 31)
    ROW(SCHOLAR, .effect = JOKER_E_PER_SCORED, .filter = JOKER_R(14), .chips = 20, .mult = 4)
    ROW(BUSINESS, .effect = JOKER_E_PER_SCORED, .key = JOKER_K_BUSINESS, .odds = 2, .filter = JOKER_M_FACE, .money = 2)
    ROW(SUPERNOVA, .effect = JOKER_E_FROM_RUN, .counter = JOKER_N_PLAYS, .mult = 1)
    ROW(RIDE_THE_BUS, .effect = JOKER_E_STORED_MULT, .when = JOKER_WHEN_NO_FACE, .flags = JOKER_ROW_ELSE_BACK, .grows = JOKER_HOOK_BEFORE, .by = 1)
    ROW(SPACE, .call = JOKER_DO_SPACE, .key = JOKER_K_SPACE, .odds = 4)
    ROW(EGG, .call = JOKER_DO_EGG, .money = 3)
    ROW(BURGLAR, .call = JOKER_DO_BURGLAR, .again = 3)
    ROW(BLACKBOARD, .effect = JOKER_E_FIXED, .when = JOKER_WHEN_ALL_BLACK, .x = 3)
    ROW(RUNNER, .effect = JOKER_E_STORED_CHIPS, CONTAINS(JOKER_STRAIGHT), .grows = JOKER_HOOK_BEFORE, .by = 15)
    ROW(ICE_CREAM, .effect = JOKER_E_STORED_CHIPS, .flags = JOKER_ROW_ENDS, .start_a = 100, .grows = JOKER_HOOK_AFTER, .by = -5)
    ROW(DNA, .call = JOKER_DO_DNA)
    ROW(SPLASH, .rules = JOKER_RULE_SPLASH)
    ROW(BLUE_JOKER, .effect = JOKER_E_FROM_RUN, .counter = JOKER_N_DRAW_PILE, .chips = 2)
    ROW(SIXTH_SENSE, .call = JOKER_DO_SIXTH_SENSE, .make = 1 + JOKER_SPECTRAL, .suffix = JOKER_SUFFIX_SIXTH, .filter = JOKER_R(6))
    ROW(CONSTELLATION, .effect = JOKER_E_STORED_X, .start_x = 1, .grows = JOKER_HOOK_PLANET_USED, .by_x = 0.1)
    ROW(HIKER, .call = JOKER_DO_HIKER, .filter = JOKER_M_ANY, .chips = 5)
    ROW(FACELESS, .call = JOKER_DO_FACELESS, .of = 3, .filter = JOKER_M_FACE, .money = 5)
    ROW(GREEN_JOKER, .effect = JOKER_E_STORED_MULT, .call = JOKER_DO_GREEN, .grows = JOKER_HOOK_BEFORE, .by = 1)
    ROW(SUPERPOSITION, .effect = JOKER_E_MAKE, .when = JOKER_WHEN_STRAIGHT_ACE, .make = 1 + JOKER_TAROT, .suffix = JOKER_SUFFIX_SUP)
    ROW(TODO_LIST, .effect = JOKER_E_FIXED, .call = JOKER_DO_TODO_LIST, .when = JOKER_WHEN_LISTED, .money = 4)
    ROW(CAVENDISH, .effect = JOKER_E_FIXED, .call = JOKER_DO_EXTINCT, .key = JOKER_K_CAVENDISH, .odds = 1000, .x = 3)
    ROW(CARD_SHARP, .effect = JOKER_E_FIXED, .when = JOKER_WHEN_REPEATED, .x = 3)
    ROW(RED_CARD, .effect = JOKER_E_STORED_MULT, .grows = JOKER_HOOK_PACK_SKIP, .by = 3)
    ROW(MADNESS, .effect = JOKER_E_STORED_X, .call = JOKER_DO_MADNESS, .start_x = 1, .by_x = 0.5)
    ROW(SQUARE, .effect = JOKER_E_STORED_CHIPS, .when = JOKER_WHEN_PLAYED_EXACTLY, .of = 4, .grows = JOKER_HOOK_BEFORE, .by = 4)
    ROW(SEANCE, .effect = JOKER_E_MAKE, CONTAINS(JOKER_STRAIGHT_FLUSH), .make = 1 + JOKER_SPECTRAL, .suffix = JOKER_SUFFIX_SEA)
    ROW(RIFF_RAFF, .call = JOKER_DO_RIFF_RAFF, .suffix = JOKER_SUFFIX_RIF, .again = 2)
    ROW(VAMPIRE, .effect = JOKER_E_STORED_X, .call = JOKER_DO_VAMPIRE, .start_x = 1, .by_x = 0.1)
    ROW(SHORTCUT, .rules = JOKER_RULE_SHORTCUT)
    ROW(HOLOGRAM, .effect = JOKER_E_STORED_X, .start_x = 1, .grows = JOKER_HOOK_CARD_ADDED, .by_x = 0.25)
    ROW(VAGABOND, .effect = JOKER_E_MAKE, .when = JOKER_WHEN_MONEY_AT_MOST, .of = 4, .make = 1 + JOKER_TAROT, .suffix = JOKER_SUFFIX_VAG)
    ROW(BARON, .effect = JOKER_E_PER_HELD, .filter = JOKER_R(13), .x = 1.5)
    ROW(CLOUD_9, .effect = JOKER_E_PAYOUT, .counter = JOKER_N_NINES, .money = 1)
    ROW(ROCKET, .effect = JOKER_E_PAYOUT, .when = JOKER_WHEN_BOSS_BEATEN, .counter = JOKER_N_STORE, .money = 1, .start_a = 1, .grows = JOKER_HOOK_ROUND_END, .by = 2)
    ROW(OBELISK, .effect = JOKER_E_STORED_X, .when = JOKER_WHEN_NOT_MOST_PLAYED, .flags = JOKER_ROW_ELSE_BACK, .start_x = 1, .grows = JOKER_HOOK_BEFORE, .by_x = 0.2)
    ROW(MIDAS_MASK, .call = JOKER_DO_MIDAS_MASK)
    ROW(LUCHADOR, .call = JOKER_DO_LUCHADOR)
    ROW(PHOTOGRAPH, .effect = JOKER_E_PER_SCORED, .filter = JOKER_M_FIRST_FACE, .x = 2)
    ROW(GIFT, .call = JOKER_DO_GIFT, .money = 1)
    ROW(TURTLE_BEAN, .call = JOKER_DO_TURTLE_BEAN, .start_a = 5)
    ROW(EROSION, .effect = JOKER_E_FROM_RUN, .counter = JOKER_N_MISSING, .mult = 4)
    ROW(RESERVED_PARKING, .effect = JOKER_E_PER_HELD, .key = JOKER_K_PARKING, .odds = 2, .filter = JOKER_M_FACE, .money = 1)
    ROW(MAIL, .effect = JOKER_E_PER_DISCARDED, .filter = JOKER_M_MAIL, .money = 5)
    ROW(TO_THE_MOON, .interest = 1)
    ROW(HALLUCINATION, .effect = JOKER_E_MAKE, .key = JOKER_K_HALU, .make = 1 + JOKER_TAROT, .suffix = JOKER_SUFFIX_HAL, .odds = 2)
    ROW(FORTUNE_TELLER, .effect = JOKER_E_FROM_RUN, .counter = JOKER_N_TAROTS, .mult = 1)
    ROW(JUGGLER, .hand_size = 1)
    ROW(DRUNKARD, .discards = 1)
    ROW(STONE, .effect = JOKER_E_FROM_RUN, .counter = JOKER_N_STONE, .chips = 25)
    ROW(GOLDEN, .effect = JOKER_E_PAYOUT, .money = 4)
    ROW(LUCKY_CAT, .effect = JOKER_E_STORED_X, .filter = JOKER_M_HIT, .start_x = 1, .grows = JOKER_HOOK_SCORED, .by_x = 0.25)
    ROW(BASEBALL, .effect = JOKER_E_ON_OTHER, .of = JOKER_UNCOMMON, .x = 1.5)
    ROW(BULL, .effect = JOKER_E_FROM_RUN, .counter = JOKER_N_MONEY, .chips = 2)
    ROW(DIET_COLA, .call = JOKER_DO_DIET_COLA)
    ROW(TRADING, .call = JOKER_DO_TRADING, .money = 3)
    ROW(FLASH, .effect = JOKER_E_STORED_MULT, .grows = JOKER_HOOK_REROLL, .by = 2)
    ROW(POPCORN, .effect = JOKER_E_STORED_MULT, .flags = JOKER_ROW_ENDS, .start_a = 20, .grows = JOKER_HOOK_ROUND_END, .by = -4)
    ROW(TROUSERS, .effect = JOKER_E_STORED_MULT, CONTAINS(JOKER_TWO_PAIR), .grows = JOKER_HOOK_BEFORE, .by = 2)
    ROW(ANCIENT, .effect = JOKER_E_PER_SCORED, .filter = JOKER_M_ANCIENT, .x = 1.5)
    ROW(RAMEN, .effect = JOKER_E_STORED_X, .filter = JOKER_M_ANY, .flags = JOKER_ROW_ENDS, .start_x = 2, .grows = JOKER_HOOK_DISCARD, .by_x = -0.01)
    ROW(WALKIE_TALKIE, .effect = JOKER_E_PER_SCORED, .filter = JOKER_R(10) | JOKER_R(4), .chips = 10, .mult = 4)
    ROW(SELZER, .effect = JOKER_E_AGAIN_SCORED, .again = 1, .filter = JOKER_M_ANY, .flags = JOKER_ROW_ENDS, .start_a = 10, .grows = JOKER_HOOK_AFTER, .by = -1)
    ROW(CASTLE, .effect = JOKER_E_STORED_CHIPS, .filter = JOKER_M_CASTLE, .grows = JOKER_HOOK_DISCARD, .by = 3)
    ROW(SMILEY, .effect = JOKER_E_PER_SCORED, .filter = JOKER_M_FACE, .mult = 5)
    ROW(CAMPFIRE, .effect = JOKER_E_STORED_X, .when = JOKER_WHEN_BOSS_BEATEN, .start_x = 1, .grows = JOKER_HOOK_SELL_ANY, .back = JOKER_HOOK_ROUND_END, .by_x = 0.25)
    ROW(TICKET, .effect = JOKER_E_PER_SCORED, .filter = JOKER_M_GOLD, .money = 4)
    ROW(MR_BONES, .call = JOKER_DO_MR_BONES)
    ROW(ACROBAT, .effect = JOKER_E_FIXED, .when = JOKER_WHEN_HANDS_LEFT, .of = 0, .x = 3)
    ROW(SOCK_AND_BUSKIN, .effect = JOKER_E_AGAIN_SCORED, .again = 1, .filter = JOKER_M_FACE)
    ROW(SWASHBUCKLER, .effect = JOKER_E_FROM_RUN, .counter = JOKER_N_SELL_OTHERS, .mult = 1)
    ROW(TROUBADOUR, .hand_size = 2, .hands = -1)
    ROW(CERTIFICATE, .call = JOKER_DO_CERTIFICATE)
    ROW(SMEARED, .rules = JOKER_RULE_SMEARED)
    ROW(THROWBACK, .effect = JOKER_E_FROM_RUN, .counter = JOKER_N_SKIPS, .x = 0.25)
    ROW(HANGING_CHAD, .effect = JOKER_E_AGAIN_SCORED, .again = 2, .filter = JOKER_M_FIRST)
    ROW(ROUGH_GEM, .effect = JOKER_E_PER_SCORED, .filter = JOKER_M_DIAMONDS, .money = 1)
    ROW(BLOODSTONE, .effect = JOKER_E_PER_SCORED, .key = JOKER_K_BLOODSTONE, .odds = 2, .filter = JOKER_M_HEARTS, .x = 1.5)
    ROW(ARROWHEAD, .effect = JOKER_E_PER_SCORED, .filter = JOKER_M_SPADES, .chips = 50)
    ROW(ONYX_AGATE, .effect = JOKER_E_PER_SCORED, .filter = JOKER_M_CLUBS, .mult = 7)
    ROW(GLASS, .effect = JOKER_E_STORED_X, .filter = JOKER_M_GLASS, .start_x = 1, .grows = JOKER_HOOK_CARDS_LOST, .by_x = 0.75)
    ROW(RING_MASTER, .rules = JOKER_RULE_SHOWMAN)
    ROW(FLOWER_POT, .effect = JOKER_E_FIXED, .when = JOKER_WHEN_FOUR_SUITS, .x = 3)
    ROW(BLUEPRINT, .effect = JOKER_E_COPY_RIGHT)
    ROW(WEE, .effect = JOKER_E_STORED_CHIPS, .filter = JOKER_R(2), .grows = JOKER_HOOK_SCORED, .by = 8)
    ROW(MERRY_ANDY, .hand_size = -1, .discards = 3)
    ROW(OOPS, .doubles = 1)
    ROW(IDOL, .effect = JOKER_E_PER_SCORED, .filter = JOKER_M_IDOL, .x = 2)
    ROW(SEEING_DOUBLE, .effect = JOKER_E_FIXED, .when = JOKER_WHEN_CLUB_AND_OTHER, .x = 2)
    ROW(MATADOR, .effect = JOKER_E_FIXED, .when = JOKER_WHEN_BOSS_ACTED, .money = 8)
    ROW(HIT_THE_ROAD, .effect = JOKER_E_STORED_X, .filter = JOKER_R(11), .start_x = 1, .grows = JOKER_HOOK_DISCARD, .back = JOKER_HOOK_ROUND_END, .by_x = 0.5)
    ROW(DUO, .effect = JOKER_E_FIXED, CONTAINS(JOKER_PAIR), .x = 2)
    ROW(TRIO, .effect = JOKER_E_FIXED, CONTAINS(JOKER_THREE), .x = 3)
    ROW(FAMILY, .effect = JOKER_E_FIXED, CONTAINS(JOKER_FOUR), .x = 4)
    ROW(ORDER, .effect = JOKER_E_FIXED, CONTAINS(JOKER_STRAIGHT), .x = 3)
    ROW(TRIBE, .effect = JOKER_E_FIXED, CONTAINS(JOKER_FLUSH), .x = 2)
    ROW(STUNTMAN, .effect = JOKER_E_FIXED, .chips = 250, .hand_size = -2)
    ROW(INVISIBLE, .call = JOKER_DO_INVISIBLE, .of = 2, .grows = JOKER_HOOK_ROUND_END, .by = 1)
    ROW(BRAINSTORM, .effect = JOKER_E_COPY_LEFTMOST)
    ROW(SATELLITE, .effect = JOKER_E_PAYOUT, .counter = JOKER_N_PLANETS, .money = 1)
    ROW(SHOOT_THE_MOON, .effect = JOKER_E_PER_HELD, .filter = JOKER_R(12), .mult = 13)
    ROW(DRIVERS_LICENSE, .effect = JOKER_E_FIXED, .when = JOKER_WHEN_ENHANCED_AT_LEAST, .of = 16, .x = 3)
    ROW(CARTOMANCER, .effect = JOKER_E_MAKE, .make = 1 + JOKER_TAROT, .suffix = JOKER_SUFFIX_CAR)
    ROW(ASTRONOMER, .rules = JOKER_RULE_ASTRONOMER)
    ROW(BURNT, .call = JOKER_DO_BURNT)
    ROW(BOOTSTRAPS, .effect = JOKER_E_FROM_RUN, .counter = JOKER_N_MONEY_FIVES, .mult = 2)
    ROW(CAINO, .effect = JOKER_E_STORED_X, .filter = JOKER_M_FACE, .start_x = 1, .grows = JOKER_HOOK_CARDS_LOST, .by_x = 1)
    ROW(TRIBOULET, .effect = JOKER_E_PER_SCORED, .filter = JOKER_R(13) | JOKER_R(12), .x = 2)
    ROW(YORICK, .effect = JOKER_E_STORED_X, .call = JOKER_DO_YORICK, .start_x = 1, .start_b = 23, .by_x = 1)
    ROW(CHICOT, .call = JOKER_DO_CHICOT)
    ROW(PERKEO, .call = JOKER_DO_PERKEO)
};
#undef ROW
#undef CONTAINS
// clang-format on
#pragma GCC diagnostic pop

/* ---- what every part asks of the rows ---- */

LU_INLINE const joker_row *joker_row_of(const joker_joker *joker) {
    return &joker_rows[joker->id];
}

LU_INLINE bool joker_live(const joker_joker *joker) {
    return !(joker->flags & JOKER_DEBUFFED);
}

/* Sell value of what was made at a price: half of it, at least $1, and what it gained since. */
LU_INLINE int joker_sell_half(int price, int bonus) {
    return (price < 2 ? 1 : price / 2) + bonus;
}

LU_INLINE int joker_sell_value(const joker_joker *joker) {
    return joker_sell_half(joker->price, joker->bonus);
}

LU_INLINE int joker_bag_value(const joker_bag_item *item) {
    return joker_sell_half(item->price, item->bonus);
}

/* A joker as it is made: the store at its start. To Do List still needs its hand. */
LU_INLINE void joker_start_store(const joker_state *s, joker_joker *joker) {
    const joker_row *row = joker_row_of(joker);
    joker->a = row->flags & JOKER_ROW_SINCE ? s->run_hands : row->start_a;
    joker->b = row->start_b;
    joker->x = row->start_x;
}

/* The store starts again (Ride the Bus, Obelisk, Campfire, Hit the Road). */
LU_INLINE void joker_store_back(const joker_row *row, joker_joker *joker) {
    joker->a = row->start_a;
    joker->x = row->start_x;
}

/* The store grows `times` times; true when the joker is used up instead and has to go. */
LU_INLINE bool joker_store_grow(const joker_row *row, joker_joker *joker, int times) {
    int32_t a = joker->a + row->by * times;
    double x = joker->x + row->by_x * times;
    if ((row->flags & JOKER_ROW_ENDS) &&
        ((row->by < 0 && a <= 0) || (row->by_x < 0.0 && x <= 1.0))) {
        return true;
    }
    joker->a = a;
    joker->x = x;
    return false;
}

/* The rules that live jokers change, JOKER_RULE_ bits. */
LU_INLINE uint32_t joker_rule_bits(const joker_state *s) {
    uint32_t rules = 0;
    for (int i = 0; i < s->jokers; i++) {
        rules |= joker_live(&s->joker[i]) ? joker_rows[s->joker[i].id].rules : 0u;
    }
    return rules;
}

/* Marks of a card as jokers see it, without those of its place (FIRST, FIRST_FACE, LOWEST). */
LU_INLINE uint32_t joker_marks(const joker_state *s, const joker_card *card, uint32_t rules) {
    uint32_t glass = card->enhancement == JOKER_GLASS ? (uint32_t)JOKER_M_GLASS : 0u;
    if (joker_card_debuffed(card)) {
        return glass;
    }
    uint32_t suits = joker_own_suits(card, rules), rank = joker_rank_bit(card);
    uint32_t marks = (uint32_t)JOKER_M_ANY | rank | suits << 16 | glass;
    marks |= joker_own_face(card, rules) ? (uint32_t)JOKER_M_FACE : 0u;
    marks |= card->enhancement == JOKER_GOLD ? (uint32_t)JOKER_M_GOLD : 0u;
    marks |= suits >> s->ancient_suit & 1u ? (uint32_t)JOKER_M_ANCIENT : 0u;
    marks |= suits >> s->castle_suit & 1u ? (uint32_t)JOKER_M_CASTLE : 0u;
    marks |= rank >> s->mail_rank & 1u ? (uint32_t)JOKER_M_MAIL : 0u;
    marks |= (rank >> s->idol_rank & suits >> s->idol_suit & 1u) ? (uint32_t)JOKER_M_IDOL : 0u;
    return marks;
}

/* Jokers of a row grow with destroyed cards (Glass Joker, Canio): one report for all of them. */
LU_INLINE void joker_row_lost(joker_joker *jokers, int n, const uint32_t *marks, int cards) {
    for (int i = 0; i < n; i++) {
        const joker_row *row = joker_row_of(&jokers[i]);
        if (!(row->grows & JOKER_HOOK_CARDS_LOST) || !joker_live(&jokers[i])) {
            continue;
        }
        int times = 0;
        for (int k = 0; k < cards; k++) {
            times += marks[k] & row->filter ? 1 : 0;
        }
        (void)joker_store_grow(row, &jokers[i], times);
    }
}

/* Jokers of a row grow with `cards` cards that join the deck (Hologram). */
LU_INLINE void joker_row_added(joker_joker *jokers, int n, int cards) {
    for (int i = 0; i < n; i++) {
        const joker_row *row = joker_row_of(&jokers[i]);
        if (row->grows & JOKER_HOOK_CARD_ADDED && joker_live(&jokers[i])) {
            (void)joker_store_grow(row, &jokers[i], cards);
        }
    }
}

/* The joker that acts at place i: itself, or what a copier stands for (5.1); -1 = none acts. */
LU_INLINE int joker_acting(const joker_joker *jokers, int n, int i) {
    int at = i;
    for (int steps = 0; steps <= n; steps++) {
        if (at >= n || !joker_live(&jokers[at])) {
            return -1;
        }
        int effect = joker_row_of(&jokers[at])->effect, from = at;
        if (effect == JOKER_E_COPY_RIGHT) {
            at++;
        } else if (effect == JOKER_E_COPY_LEFTMOST) {
            at = 0;
        } else {
            bool copyable = (joker_joker_facts[jokers[at].id].flags & JOKER_IS_COPYABLE) != 0;
            return at == i || copyable ? at : -1;
        }
        if (at == from) {
            return -1;
        }
    }
    return -1;
}

LU_C_END
