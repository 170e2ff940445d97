/* Joker: the roguelike deck builder, by the real game's rules and seeds. This header holds the
 * state, the rules block, the reset options and the words all parts share. Parts (static functions,
 * so that the rules are one file to the compiler and build once per CPU level):
 *
 * rules/
 *   joker_rng.h        the game's seeded streams and a fast generator behind one interface
 *   joker_card.h       cards, suits, faces, zones (draw pile, hand, discard pile)
 *   joker_hand.h       which poker hand some cards are
 *   joker_rows.h       the 150 jokers as rows: metadata, effect, start state, hooks
 *   joker_scoring.h    one played hand: facts, who acts when, luck, trace, results
 *   joker_when.h       conditions and counters of joker rows
 *   joker_score.h      the score of a played hand, step by step
 *   joker_outlook.h    worst, mean and best score under all luck there is
 *   joker_pool.h       prices, slots, pools with blanks and blocked entries
 *   joker_item.h       jokers, consumables and cards as they are made
 *   joker_make.h       shop, packs, tags, vouchers, bosses, targets, the start of a run
 *   joker_zone.h       where cards lie: draw pile, hand, discard pile; drawing, debuffs
 *   joker_gain.h       what is gained and lost: money, jokers and what they change, consumables
 *   joker_event.h      what jokers do outside scoring: blinds, discards, round end, payout, selling
 *   joker_use.h        consumables
 *   joker_tags.h       vouchers and tags
 *   joker_round.h      a round: bosses, drawing, playing, discarding, its end
 *   joker_run.h        the course of a run: start, blind choice, cash-out, shop, packs, selling
 *   joker_act.h        actions, masks, what is legal and why not
 *   joker_reward.h     reward terms
 * variants/
 *   joker_layout.h     actions, heads, groups, fields, infos and events of joker-v1 as numbers
 *   joker_full.h       the observation of joker-v1
 *   joker_brief.h      joker-brief-v1: observation, mask, info (numbers: joker_brief_layout.h)
 *   joker_plan.h       joker-plan-v1: choices, planner, observation (numbers: joker_plan_layout.h)
 *   joker_info.h       the info record and the figures behind it
 * search/
 *   joker_best_play.h  the best hand by its expected score
 *   joker_search.h     a whole run by rule; joker_search_*.h look at the hand (play, order, maps,
 *                      discard), the round, the shop and the build
 *
 * joker.c includes them and is the core; facts are in joker_spec.c with joker_settings.c, words in
 * joker_view.c, JSON in joker_state_json.c with joker_json_parts.h, bots in joker_bots.c, and
 * joker_words.h declares what these share; names and numbers of all tables are in joker_tables.h
 * and rules/joker_data.h, made from data/CSV. Ownership: states and rules belong to the caller.
 * Threads: nothing is shared. */
#pragma once

#include "ludus/game.h"
#include "ludus/math.h"

#include "joker_tables.h"

LU_C_BEGIN

/* ---- capacities; reaching one is counted in joker_state.full ---- */

enum {
    JOKER_DECK_MAX = 128, /* cards owned */
    JOKER_HAND_MAX = 16,
    JOKER_PLAY_MAX = 5,
    JOKER_ROW_MAX = 16, /* jokers owned */
    JOKER_BAG_MAX = 8,  /* consumables owned */
    JOKER_SHOP_MAX = 4,
    JOKER_SHOP_PACKS = 2,
    JOKER_SHOP_VOUCHERS = 2,
    JOKER_PACK_MAX = 5,
    JOKER_TAGS_MAX = 16,
    JOKER_STREAM_SLOTS = 1024, /* a table for the streams of rng = game ... */
    JOKER_STREAMS_MAX = 900    /* ... that never gets fuller than this: old antes leave */
};

/* What of the capacities was reached: an index of joker_state.full. */
enum {
    JOKER_FULL_DECK,
    JOKER_FULL_HAND,
    JOKER_FULL_ROW,
    JOKER_FULL_BAG,
    JOKER_FULL_TAGS,
    JOKER_FULL_STREAMS,
    JOKER_FULL_VOUCHERS,
    JOKER_FULLS = 8
};

/* ---- cards ---- */

typedef enum joker_suit {
    JOKER_SPADES,
    JOKER_HEARTS,
    JOKER_CLUBS,
    JOKER_DIAMONDS,
    JOKER_SUITS
} joker_suit; /* the order in which flushes are looked for */

enum { JOKER_JACK = 11, JOKER_QUEEN, JOKER_KING, JOKER_ACE };

typedef enum joker_enhancement { /* in the order of modifiers.csv, behind none */
                                 JOKER_PLAIN,
                                 JOKER_BONUS,
                                 JOKER_MULT,
                                 JOKER_WILD,
                                 JOKER_GLASS,
                                 JOKER_STEEL,
                                 JOKER_STONE,
                                 JOKER_GOLD,
                                 JOKER_LUCKY,
                                 JOKER_ENHANCEMENTS
} joker_enhancement;

typedef enum joker_edition {
    JOKER_BASE,
    JOKER_FOIL,
    JOKER_HOLO,
    JOKER_POLY,
    JOKER_NEGATIVE,
    JOKER_EDITIONS
} joker_edition;

typedef enum joker_seal {
    JOKER_NO_SEAL,
    JOKER_GOLD_SEAL,
    JOKER_RED_SEAL,
    JOKER_BLUE_SEAL,
    JOKER_PURPLE_SEAL,
    JOKER_SEALS
} joker_seal;

/* Bits of joker_card.flags. */
enum {
    JOKER_CARD_DEBUFFED = 1,
    JOKER_CARD_DOWN = 2,   /* face down */
    JOKER_CARD_PLAYED = 4, /* in this ante (The Pillar) */
    JOKER_CARD_FORCED = 8, /* always selected (Cerulean Bell) */
    JOKER_CARD_HIT = 16    /* a Lucky roll hit in this trigger */
};

typedef struct joker_card {
    uint8_t rank; /* 2..14; 0 = the slot is free */
    uint8_t suit : 2, edition : 3, seal : 3;
    uint8_t enhancement;
    uint8_t flags;
    uint16_t order; /* sort number: the order of creation */
    uint16_t bonus; /* chips kept for good (Hiker) */
} joker_card;       /* 8 bytes */

/* ---- jokers and other items ---- */

/* Bits of joker_joker.flags. */
enum {
    JOKER_ETERNAL = 1,
    JOKER_PERISHABLE = 2,
    JOKER_RENTAL = 4,
    JOKER_DEBUFFED = 8,  /* by a boss, or perished */
    JOKER_PERISHED = 16, /* debuffed for good */
    JOKER_DOWN = 32      /* face down (Amber Acorn) */
};

/* An owned or offered joker. What x, a and b mean says its row in joker_rows.h: x is a stored
 * multiplier, a is stored mult, chips, dollars, size or hands, b a second number (listed rank and
 * suit, countdown). */
typedef struct joker_joker {
    uint8_t id; /* row of jokers.csv - 1, i.e. 0..149; JOKER_NONE = free slot */
    uint8_t edition;
    uint8_t flags;
    uint8_t rounds; /* left for a perishable one */
    int16_t price;  /* it was made with: half of it is the sell value */
    int16_t bonus;  /* of the sell value (Egg, Gift Card) */
    int32_t a;
    int16_t b;
    uint16_t order; /* sort number: random draws among jokers list them by it */
    double x;
} joker_joker; /* 24 bytes */

enum { JOKER_NONE = 255 };

/* Consumables are numbered through: Tarots 0..21, Planets 22..33, Spectrals 34..51. */
enum { JOKER_TAROT_0 = 0, JOKER_PLANET_0 = 22, JOKER_SPECTRAL_0 = 34 };

typedef struct joker_bag_item {
    uint8_t id; /* 0..51, JOKER_NONE = free */
    uint8_t negative;
    int16_t price;  /* it was made with */
    int16_t bonus;  /* of the sell value */
    uint16_t order; /* sort number */
} joker_bag_item;   /* 8 bytes */

typedef enum joker_kind {
    JOKER_KIND_NONE,
    JOKER_KIND_JOKER,
    JOKER_KIND_CONSUMABLE,
    JOKER_KIND_CARD
} joker_kind;

/* A card on display, in the shop or in an open pack. */
typedef struct joker_item {
    uint8_t kind; /* joker_kind */
    uint8_t id;   /* consumable 0..51 */
    int16_t price;
    uint8_t free; /* by a tag: price is 0, the sell value is not changed */
    uint8_t unused;
    uint16_t order; /* sort number; card and joker carry it too */
    joker_card card;
    joker_joker joker;
} joker_item; /* 40 bytes */

typedef struct joker_offer { /* a voucher or a pack in the shop */
    uint8_t id;              /* row - 1; JOKER_NONE = gone */
    uint8_t free;
    int16_t price;
} joker_offer;

typedef struct joker_tag {
    uint8_t id;   /* row - 1 of tags.csv */
    uint8_t hand; /* of an Orbital Tag */
} joker_tag;

/* ---- the course of a run ---- */

typedef enum joker_phase {
    JOKER_BLIND_SELECT,
    JOKER_PLAY,
    JOKER_CASH_OUT,
    JOKER_SHOP,
    JOKER_END
} joker_phase; /* also the stages 0..4 of the brief; an open pack is joker_state.pack_open */

/* Poker hands are numbered as in joker_data.h: 0 Flush Five (strongest) .. 11 High Card. */

/* Whether a set of positions has one. */
LU_INLINE uint8_t joker_has(uint32_t set, int position) {
    return set >> position & 1u;
}

LU_STATE_BEGIN
/* What the guide's reward remembers of earlier steps (joker_reward.h). */
typedef struct joker_guide_memory {
    double flush, straight, pairs; /* chances before the last discard */
    uint16_t hands, build[3];      /* played in the run; of them pairs, straights, flushes */
    int16_t discards;              /* in a row */
    int16_t hand;                  /* before the last discard, in the brief's numbers; -1 */
    int32_t unused;
} joker_guide_memory;

typedef struct joker_state {
    /* -- randomness -- */
    uint64_t rng;    /* rng = fast: the generator; hidden */
    double hashed;   /* rng = game: H of the seed */
    char seed[8];    /* the text seed; behind it zero when shorter */
    uint64_t number; /* the numeric seed of the episode */

    /* -- score -- */
    double score, target;                       /* of this blind */
    double last_chips, last_mult, last_score;   /* of the hand played last; 0 at the start */
    double chips_jokers, mult_jokers, x_jokers; /* jokers in it: share of the chips, share of all
                                                   mult added, product of multipliers (1 = none) */
    double best;                                /* highest score of one hand in the run */

    /* -- money and counters -- */
    int32_t money, owed; /* owed: what the next cash-out pays */
    int32_t steps, illegal;
    int32_t round;                       /* blinds beaten or saved in the run */
    int32_t run_hands;                   /* hands played in the run */
    int32_t unused_discards;             /* left over in all rounds (Garbage Tag) */
    int32_t skips;                       /* blinds skipped */
    int32_t tarots;                      /* used in the run */
    int32_t rerolls;                     /* in this shop */
    int32_t reroll_paid;                 /* of them paid: raises the price */
    int16_t ante, top_ante;              /* now, and the highest that was reached */
    int16_t hands, discards;             /* left in this round */
    int16_t round_hands, round_discards; /* per round, by deck, stake, vouchers, jokers */
    int16_t hand_size;                   /* by deck, vouchers, jokers, consumables; juggle apart */
    int16_t juggle;                      /* hand size of this round only: Juggle Tag, The Manacle */
    int16_t joker_slots, bag_slots;      /* without Negative ones */
    int16_t played_round, discarded_round; /* hands played, discards used in this round */
    int16_t free_rerolls;
    int16_t reroll_base;
    int16_t inflation;
    int16_t spending_floor; /* money may go down to minus this */
    uint16_t next_order;    /* sort number of the next card, joker or consumable that is made */

    /* -- blind, boss, tags -- */
    uint8_t phase;              /* joker_phase */
    uint8_t blind;              /* 0 Small, 1 Big, 2 Boss */
    uint8_t boss;               /* row - 1 of blinds.csv, drawn for this ante */
    uint8_t disabled;           /* the boss effect is switched off */
    uint8_t boss_acted;         /* on this hand (Matador) */
    uint8_t boss_rerolled;      /* in this ante (Director's Cut) */
    uint8_t tag_small, tag_big; /* to be had by skipping */
    uint8_t orbital[3];         /* hand of an Orbital Tag at each blind; JOKER_NONE = not drawn */
    uint8_t ox_hand;            /* most played when the last boss fell */
    uint8_t first_hand;         /* of this round (The Mouth); JOKER_NONE = none yet */
    uint8_t last_hand;          /* played last in the run; JOKER_NONE = none */
    uint8_t won, lost, saved;   /* saved: by Mr. Bones in this round */
    uint8_t first_shop;         /* the first pack of a run was made */
    uint8_t gros_michel_gone;
    uint8_t last_used; /* Tarot or Planet used last, for The Fool; JOKER_NONE */
    uint8_t heart;     /* joker debuffed by Crimson Heart; JOKER_NONE */
    uint8_t prepared;  /* a play or discard was made in this round (The Serpent, The House) */
    uint8_t idol_rank, idol_suit, mail_rank, ancient_suit, castle_suit; /* round targets */
    uint8_t interest_cap;           /* dollars of interest per round at most */
    uint8_t edition_rate, discount; /* 1, 2, 4; 0, 25, 50 */
    uint8_t ectoplasms;             /* used: each takes one more off the hand size */
    uint8_t deck, stake;            /* row - 1 */
    uint8_t tags;                   /* count */
    uint8_t boss_uses[32];          /* per blind row */
    joker_tag tag[JOKER_TAGS_MAX];
    uint32_t vouchers;     /* owned, bit = row - 1 */
    uint32_t planets_used; /* bit = Planet 0..11 */

    /* -- hands -- */
    uint16_t level[JOKER_HANDS], plays[JOKER_HANDS];
    uint8_t plays_round[JOKER_HANDS];
    uint16_t visible;  /* bit = hand */
    uint16_t selected; /* positions of the hand (mode = brief) */

    /* -- zones: indices into card -- */
    uint8_t draw[JOKER_DECK_MAX]; /* drawing takes the last */
    uint8_t hand[JOKER_HAND_MAX];
    uint8_t gone[JOKER_DECK_MAX];                               /* discard pile */
    uint8_t draws, held, gones, jokers, bag, start_deck, owned; /* counts */

    /* -- shop and packs -- */
    uint8_t shop_slots;             /* 2, 3, 4 */
    uint8_t pack_open;              /* 0 = none, else kind of the pack + 1 */
    uint8_t pack_shown, pack_picks; /* cards on display at first, picks left */
    uint8_t pack_hand;              /* the pack dealt a hand */
    uint8_t pack_back;              /* phase to return to */
    uint8_t ante_voucher;           /* drawn for this ante; JOKER_NONE = bought */
    uint8_t boss_took;              /* discards by The Water, hands by The Needle, in this round */
    uint8_t pressed; /* a hand was played since the last draw (The Fish, Crimson Heart) */
    joker_offer pack[JOKER_SHOP_PACKS];
    joker_offer voucher[JOKER_SHOP_VOUCHERS];
    joker_item shop[JOKER_SHOP_MAX];
    joker_item shown[JOKER_PACK_MAX];

    /* -- what is owned -- */
    joker_joker joker[JOKER_ROW_MAX];
    joker_bag_item consumable[JOKER_BAG_MAX];
    joker_card card[JOKER_DECK_MAX]; /* free slots are all zero */

    /* -- the record of the last action, for EnvInfo and rewards -- */
    int32_t last_action, last_cost, last_money, last_cards; /* type or -1, dollars, change, cards */
    int32_t last_type, last_tag, last_consumable,
        last_sold;        /* hand id of the brief; rows - 1; -1 */
    double last_gain;     /* score won by it */
    int32_t last_cleared; /* it won the blind */
    uint32_t streams;     /* in use of the table at the end */

    joker_guide_memory guide;

    uint32_t full[JOKER_FULLS]; /* how often a capacity was reached */

    /* -- cold: streams of rng = game, sorted in by a hash of their key; joker_rng.h. A state of
     * rng = fast ends before them: nothing may touch them there, nor copy the whole struct. -- */
    uint32_t stream_key[JOKER_STREAM_SLOTS]; /* 0 = free */
    double stream[JOKER_STREAM_SLOTS];
} joker_state;
LU_STATE_END

/* A state of rng = fast; one of rng = game is the whole struct. */
#define JOKER_HOT_BYTES offsetof(joker_state, stream_key)
LU_STATIC_ASSERT(JOKER_HOT_BYTES <= 4096 && JOKER_HOT_BYTES % 8 == 0, "4 KiB with rng = fast");
LU_STATIC_ASSERT(sizeof(joker_state) <= 16384, "16 KiB with rng = game");

/* Settings as the rules read them. */
typedef struct joker_rules {
    lu_rules head;
    int32_t deck, stake; /* row - 1 */
    int32_t fast;        /* rng = fast */
    int32_t endless;     /* goes on after the win */
    int32_t win_ante;    /* 8 */
    int32_t step_limit;  /* decisions; 0 = none */
    int32_t brief;       /* the variant joker-brief-v1 */
    int32_t knows_joker; /* the reward for buying knows the joker */
    int32_t rollouts;    /* per option of a round in joker-plan-v1; 0 = by rule */
    int32_t unused;
} joker_rules;

/* Bytes of a state under these settings. */
LU_INLINE size_t joker_state_bytes(const joker_rules *m) {
    return m->fast ? JOKER_HOT_BYTES : sizeof(joker_state);
}

/* Reset options: a seed of the game as text; empty = made from the number of the episode. */
typedef struct joker_options {
    char seed[8];
} joker_options;

LU_C_END
