/* Potion: mix ingredients in a cauldron so that their five magimins stand in the ratio of a recipe
 * and fill the cauldron. This header holds the state, the rules block, the reset options and the
 * numbers of groups, terms, info fields and events. The rules are in potion.c, the facts as tables
 * in potion_spec.c with potion_settings.c, what people read in potion_view.c, JSON in
 * potion_json.c, the bots in potion_bots.c; ingredients, recipes and prices in potion_tables.h.
 *
 * Two variants share state and rules: `potion-v1` shows the mix as a learner wants it and defaults
 * to the game's rules, `potion-peer-v1` shows and does what the peer's environment does. Ownership:
 * states and rules belong to the caller. Threads: nothing is shared. */
#pragma once

#include "ludus/game.h"
#include "ludus/math.h"

#include "potion_tables.h"

LU_C_BEGIN

/* Groups of potion-v1, in order, and where each begins. */
enum {
    POTION_GROUP_STOCK,
    POTION_GROUP_PIECES,
    POTION_GROUP_RECIPE,
    POTION_GROUP_RATIOS,
    POTION_GROUP_WANTED,
    POTION_GROUP_MISSING,
    POTION_GROUP_CAULDRON,
    POTION_GROUPS
};
enum {
    POTION_AT_STOCK = 0,
    POTION_AT_PIECES = 208,
    POTION_AT_RECIPE = 416,
    POTION_AT_RATIOS = 436,
    POTION_AT_WANTED = 441,
    POTION_AT_MISSING = 446,
    POTION_AT_CAULDRON = 451,
    POTION_OBSERVATION = 459
};

/* Fields of its last group. */
enum {
    POTION_SEEN_FULLNESS,
    POTION_SEEN_ITEMS,
    POTION_SEEN_FREE_ITEMS,
    POTION_SEEN_FREE_MAGIMINS,
    POTION_SEEN_MAX_ITEMS,
    POTION_SEEN_MAX_MAGIMINS,
    POTION_SEEN_GRADE,
    POTION_SEEN_CODE,
    POTION_SEEN
};

/* Groups of potion-peer-v1, in the order of the peer. */
enum {
    POTION_PEER_GROUP_STOCK,
    POTION_PEER_GROUP_PIECES,
    POTION_PEER_GROUP_RECIPE,
    POTION_PEER_GROUP_RATIOS,
    POTION_PEER_GROUP_WANTED,
    POTION_PEER_GROUP_CAULDRON,
    POTION_PEER_GROUPS
};
enum {
    POTION_PEER_AT_STOCK = 0,
    POTION_PEER_AT_PIECES = 208,
    POTION_PEER_AT_RECIPE = 416,
    POTION_PEER_AT_RATIOS = 417,
    POTION_PEER_AT_WANTED = 422,
    POTION_PEER_AT_CAULDRON = 427, /* total, most magimins, items, most items */
    POTION_PEER_OBSERVATION = 431
};

/* Groups of potion-look-v1, which shows what each legal action would lead to: slot i of the first
 * group is action i. It does not name the recipe, so that recipes never seen look like others. */
enum {
    POTION_LOOK_GROUP_ACTIONS,
    POTION_LOOK_GROUP_RATIOS,
    POTION_LOOK_GROUP_WANTED,
    POTION_LOOK_GROUP_MISSING,
    POTION_LOOK_GROUP_LIMITS,
    POTION_LOOK_GROUP_CAULDRON,
    POTION_LOOK_GROUPS
};
/* Fields of an action; all 0 where it is not legal. */
enum {
    POTION_LOOK_LEGAL,
    POTION_LOOK_FINISH,
    POTION_LOOK_STOCK,
    POTION_LOOK_PIECES,
    POTION_LOOK_ERROR,
    POTION_LOOK_CHANGE,
    POTION_LOOK_FULLNESS,
    POTION_LOOK_CODE,
    POTION_LOOK_CLEAN,
    POTION_LOOK_PRICE,
    POTION_LOOK_SIZE, /* in fair shares: magimins left by slots left */
    POTION_LOOK_NEED, /* magimins that each slot left then has to hold for a full cauldron */
    POTION_LOOK_ROOM, /* to a full cauldron in ratio, in the magimin that is nearest to it */
    POTION_LOOK_NEXT, /* the best score of ending then, or with one more clean piece */
    POTION_LOOK_FIELDS
};
enum {
    POTION_LOOK_AT_ACTIONS = 0,
    POTION_LOOK_AT_RATIOS = 2912,
    POTION_LOOK_AT_WANTED = 2917,
    POTION_LOOK_AT_MISSING = 2922,
    POTION_LOOK_AT_LIMITS = 2927, /* slots, magimins */
    POTION_LOOK_AT_CAULDRON =
        2929, /* fullness, items, free slots, free magimins, grade, stability */
    POTION_LOOK_OBSERVATION = 2935
};
enum { POTION_LOOK_SHARES = 4, POTION_LOOK_NEED_MOST = 200 }; /* what counts as 1 */

enum {
    POTION_TERM_MIX,
    POTION_TERM_PRINTED,
    POTION_TERM_STABILITY,
    POTION_TERM_CANNOT_MAKE,
    POTION_TERM_PROFIT,
    POTION_TERM_SIGMOID,
    POTION_TERM_GRADE,
    POTION_TERM_CONTEST,
    POTION_TERM_PROGRESS,
    POTION_TERMS
};

enum {
    POTION_INFO_SCORE,
    POTION_INFO_TOTAL,
    POTION_INFO_FULLNESS,
    POTION_INFO_ITEMS,
    POTION_INFO_STABILITY,
    POTION_INFO_PERFECT,
    POTION_INFO_ACCURACY,
    POTION_INFO_GRADE,
    POTION_INFO_QUALITY,
    POTION_INFO_STARS,
    POTION_INFO_BREWED,
    POTION_INFO_PRICE,
    POTION_INFO_TRAIT_SUM,
    POTION_INFO_UNIT_VALUE,
    POTION_INFO_COST,
    POTION_INFO_PROFIT,
    POTION_INFO_CONTEST_WON,
    POTION_INFO_STEPS,
    POTION_INFO_ILLEGAL,
    POTION_INFO_RECIPE,
    POTION_INFO_CAULDRON,
    POTION_INFO_END,
    POTION_INFO_RNG,
    POTION_INFOS
};

enum {
    POTION_EVENT_ADDED,
    POTION_EVENT_IGNORED,
    POTION_EVENT_BREWED,
    POTION_EVENT_PERFECT,
    POTION_EVENT_FAILED,
    POTION_EVENT_FULL,
    POTION_EVENT_CONTEST,
    POTION_EVENTS
};

/* How an episode ended. */
typedef enum potion_end {
    POTION_RUNNING,
    POTION_END_FINISHED, /* the finish action */
    POTION_END_ITEMS,    /* no slot is free */
    POTION_END_MAGIMINS, /* exactly full of magimins */
    POTION_END_CAP,      /* too many decisions: as if finished */
    POTION_ENDS
} potion_end;

/* What a contest asks the price of. */
enum { POTION_BY_BASE_PRICE, POTION_BY_SALE_PRICE, POTION_BY_GRADE };

enum { POTION_BOTS = 2, POTION_STOCK_MAX = 99, POTION_STEPS_PER_ITEM = 4 };

LU_STATE_BEGIN
typedef struct potion_state {
    uint64_t rng;         /* hidden: what the draws at the end come from */
    potion_mix mix;       /* what is in the cauldron */
    int32_t steps;        /* decisions so far, legal or not */
    int32_t illegal;      /* of them not legal */
    int32_t max_items;    /* of the cauldron */
    int32_t max_magimins; /* of the cauldron */
    int32_t price;        /* base price of one potion; 0 until the end, and when there is none */
    uint8_t recipe;
    uint8_t cauldron;
    int8_t round;                   /* of the contest, 0..2; -1 = no contest */
    uint8_t code;                   /* stability of the mix as it is, 0 with fewer than two items */
    uint8_t raw;                    /* grade by magimins alone */
    uint8_t grade;                  /* final grade; 0 until the end, and when there is no potion */
    uint8_t end;                    /* potion_end */
    int8_t trait[POTION_SENSES];    /* of the potion; 0 until the end */
    uint8_t won;                    /* the contest's round */
    uint8_t unused[7];              /* zero */
    uint8_t added[16];              /* actions in the order they were added; 0 behind the last */
    uint8_t stock[POTION_ACTIONS];  /* pieces left of each ingredient; 0 at 0 and 207 */
    uint8_t pieces[POTION_ACTIONS]; /* pieces in the cauldron */
} potion_state;
LU_STATE_END

LU_STATIC_ASSERT(sizeof(potion_state) == 512, "the same on every machine");

/* What one round of the contest asks for. */
typedef struct potion_goal {
    int32_t recipe, grade, target;
} potion_goal;

typedef struct potion_rules {
    lu_rules head;
    double bonus[POTION_CODES];           /* the stability term by code */
    double shop_bonus;                    /* share by which a sale brings more */
    double star_luck;                     /* chance of one more star */
    double profit_scale;                  /* gold that the sigmoid counts as 1 */
    int32_t ruleset;                      /* potion_rules */
    int32_t copies;                       /* 1: each copy has a share in a tie of traits */
    int32_t step_cap;                     /* 1: the episode ends after 4 decisions per slot */
    int32_t full_ends;                    /* 1: it ends when exactly full of magimins */
    int32_t goals;                        /* rounds of the contest, 0 = there is none */
    int32_t judged;                       /* POTION_BY_* */
    int32_t recipes, held_out, cauldrons; /* entries of the lists below */
    int32_t unused;
    potion_goal goal[POTION_ROUNDS];
    uint8_t recipe[POTION_RECIPES];     /* what a reset draws from */
    uint8_t held[POTION_RECIPES];       /* what it draws from when asked for held-out recipes */
    uint8_t cauldron[POTION_CAULDRONS]; /* what a reset draws from */
    uint8_t unused2[2];
    uint8_t stock_low[POTION_ACTIONS];   /* fewest pieces */
    uint32_t stock_span[POTION_ACTIONS]; /* numbers of pieces it may be, 1 = always the fewest */
} potion_rules;

/* What a reset may be asked for beyond the settings. */
typedef struct potion_options {
    int32_t recipe;   /* -1: as the settings say */
    int32_t cauldron; /* -1: as the settings say */
    int32_t held_out; /* 1: a recipe that is held out */
    int32_t stocked;  /* 1: exactly the stock below */
    uint8_t stock[POTION_ACTIONS];
} potion_options;

/* ---- what follows from a state ---- */

/* Outcome of the mix: the drawn one when the episode is over, else what is expected. */
typedef struct potion_outcome {
    int32_t brewed;    /* potions */
    int32_t grade;     /* 0 when nothing is brewed */
    int32_t price;     /* gold, base price of one */
    double traits;     /* sum of the five */
    double unit_value; /* gold for one */
    double profit;     /* gold */
} potion_outcome;

/* Counts of good and bad among the ingredients that decide a sense: those of the largest total. */
LU_INLINE void potion_trait_pool(const uint8_t *added, int items, int sense, int copies, int *good,
                                 int *bad) {
    int best = 0;
    *good = *bad = 0;
    for (int k = 0; k < items; k++) {
        int sign = potion_traits[added[k]][sense], total = potion_takes[added[k]];
        bool seen = sign == 0 || total < best;
        for (int j = 0; j < k && !copies; j++) {
            seen = seen || added[j] == added[k];
        }
        if (seen) {
            continue;
        }
        if (total > best) {
            best = total;
            *good = *bad = 0;
        }
        *good += sign > 0 ? 1 : 0;
        *bad += sign < 0 ? 1 : 0;
    }
}

/* Plain average of the signs that decide a sense; 0 when nothing does. */
LU_INLINE double potion_trait_mean(const uint8_t *added, int items, int sense, int copies) {
    int good, bad;
    potion_trait_pool(added, items, sense, copies, &good, &bad);
    return good + bad > 0 ? (double)(good - bad) / (double)(good + bad) : 0.0;
}

LU_INLINE potion_outcome potion_outcome_of(const potion_rules *m, const potion_state *s) {
    potion_outcome o = {0, 0, 0, 0.0, 0.0, 0.0};
    if (s->code != POTION_CANNOT_BREW) {
        o.brewed = potion_brewed(s->mix.items);
        o.grade = s->grade;
        o.price = s->price;
        for (int k = 0; k < POTION_SENSES; k++) {
            o.traits += s->end ? (double)s->trait[k]
                               : potion_trait_mean(s->added, s->mix.items, k, m->copies);
        }
        if (!s->end) {
            int shift = potion_stability[m->ruleset * 4 + POTION_PERFECT - s->code].shift;
            o.grade = potion_grade_after(s->raw, shift);
            o.price = potion_prices[s->recipe][o.grade];
        }
        o.unit_value = potion_unit_value(o.price, o.traits, m->shop_bonus);
    }
    o.profit = (double)o.brewed * o.unit_value - (double)s->mix.cost;
    return o;
}

/* The round of the contest that asks for this recipe; -1 = none does. */
LU_INLINE int potion_round_of(const potion_rules *m, int recipe) {
    int round = -1;
    for (int k = m->goals - 1; k >= 0; k--) {
        round = m->goal[k].recipe == recipe ? k : round;
    }
    return round;
}

/* Whether this outcome wins the state's round: by tier, star and price. */
LU_INLINE bool potion_round_won(const potion_rules *m, const potion_state *s,
                                const potion_outcome *o) {
    if (s->round < 0 || o->brewed == 0) {
        return false;
    }
    const potion_goal *goal = &m->goal[s->round];
    double price = m->judged == POTION_BY_SALE_PRICE ? o->unit_value : (double)o->price;
    bool paid = m->judged == POTION_BY_GRADE || price >= (double)goal->target;
    return o->grade >= goal->grade && paid;
}

/* Share of magimins in the wrong place, as the rules count it; 1 for an empty cauldron. */
LU_INLINE double potion_error_of(const potion_rules *m, const potion_state *s) {
    int32_t all, wanted;
    potion_distances(s->mix.amount, s->mix.total, s->recipe, &all, &wanted);
    double scale = (double)potion_parts[s->recipe][POTION_PARTS_SUM] * (double)s->mix.total;
    if (s->mix.total == 0) {
        return 1.0;
    }
    return m->ruleset == POTION_RULES_GAME ? (double)all / (2.0 * scale) : (double)wanted / scale;
}

/* Whether adding an ingredient is legal now. */
LU_INLINE bool potion_fits(const potion_state *s, int action) {
    return action >= 1 && action <= POTION_INGREDIENTS && s->stock[action] > 0 &&
           s->mix.items < s->max_items && s->mix.total + potion_takes[action] <= s->max_magimins;
}

/* ---- parts in other files ---- */

/* potion_settings.c: tables of settings and reset options, and what follows from them. */
enum { POTION_ROWS = 24, POTION_OPTION_ROWS = 4 };
extern const lu_setting potion_rows[], potion_peer_rows[], potion_option_rows[];
lu_status potion_rules_init(lu_rules *rules, const lu_settings *settings, lu_error *error);
lu_status potion_options_init(const lu_rules *rules, const lu_settings *options, void *block,
                              lu_error *error);
/* Pieces of each ingredient from a word: "all" (as many as the largest cauldron holds), "N" of
 * each, "shop:c" or "chapter:c" (one day of the shop of chapters 1..c), or a JSON object of pieces
 * by action or name. `what` names the text in messages. */
lu_status potion_stock_read(const char *what, const char *text, uint8_t *stock, lu_error *error);
/* The same from a JSON value: a string as above, or an object. */
lu_status potion_stock_from(const char *what, const lu_json_value *value, uint8_t *stock,
                            lu_error *error);

/* potion_view.c */
void potion_show(const lu_rules *rules, const void *state, int seat, lu_text *text);
void potion_story(const lu_rules *rules, const void *before, const void *after,
                  const int32_t *actions, lu_text *text);
uint64_t potion_events_of(const lu_rules *rules, const void *before, const void *after,
                          const int32_t *actions);
void potion_note(const lu_rules *rules, const void *state, int seat, int head,
                 const int32_t *chosen, lu_text *text);
const char *potion_why_not(const lu_rules *rules, const void *state, int seat, int head,
                           int option);

/* potion_json.c */
void potion_to_json(const lu_rules *rules, const void *state, int seat, lu_json *json);
lu_status potion_from_json(const lu_rules *rules, void *state, const lu_json_value *value,
                           lu_error *error);

/* potion_bots.c: the same bots for each layout. */
extern const lu_bot potion_bots[POTION_BOTS], potion_peer_bots[POTION_BOTS],
    potion_look_bots[POTION_BOTS];

LU_C_END
