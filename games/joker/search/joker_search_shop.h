/* Joker, search: what to do between rounds. Every offer is measured by the strength of the build
 * with it (joker_search_build.h) against what it costs, interest included; packs and vouchers by
 * tables where no simulation can tell. Also what to do with consumables.
 * Ownership: states belong to the caller. Threads: no state. */
#pragma once

#include "search/joker_search_build.h"

/* What a bot is willing to do. */
typedef struct joker_skill {
    int samples;       /* rounds per build */
    int round_samples; /* rollouts per option of a play; 0 = by rule */
    /* when the build is in danger in this ante, in the next one, or safe: what a dollar is worth in
     * the logarithm of a round's score, and dollars that rerolls leave */
    double dollar[3];
    int reserve[3];
    double need[2]; /* margins that count as safe, of this ante and of the next */
} joker_skill;

LU_TABLE joker_skill joker_skill_steady = {2, 0, {0.006, 0.012, 0.02}, {0, 6, 20}, {0.3, 0.5}};
LU_TABLE joker_skill joker_skill_search = {10, 12, {0.006, 0.012, 0.02}, {0, 6, 20}, {0.3, 0.5}};

/* The situation, measured once per decision. */
typedef struct joker_situation {
    double strength;    /* of the build now, with bonuses */
    double round;       /* log of a round's score */
    double margin;      /* over the hardest target of this ante */
    double next_margin; /* over the boss of the next ante */
    double dollar;      /* what a dollar is worth, in the logarithm of a score */
    int reserve;        /* dollars to keep */
} joker_situation;

LU_INLINE void joker_situation_of(joker_sim *sim, const joker_rules *m, const joker_state *s,
                                  const joker_skill *skill, uint64_t seed, joker_situation *now) {
    now->round = joker_round_strength(sim, m, s, skill->samples, seed);
    int rounds = joker_rounds_left(m, s);
    now->strength = now->round + joker_sides_of(s, rounds);
    double boss = joker_target(m, s, s->ante, s->boss);
    double next = 2.0 * joker_target(m, s, s->ante + 1, JOKER_BL_SMALL);
    bool last = s->ante >= m->win_ante;
    now->margin = now->round - joker_log(boss > 1.0 ? boss : 1.0);
    now->next_margin = last ? now->margin : now->round - joker_log(next > 1.0 ? next : 1.0);
    int level = now->margin < skill->need[0] ? 0 : now->next_margin < skill->need[1] ? 1 : 2;
    now->dollar = skill->dollar[level];
    now->reserve = skill->reserve[level];
    if (rounds < 6) {
        now->dollar *= rounds / 6.0;
        now->reserve = rounds < 3 ? 0 : now->reserve / 2;
    }
}

/* Interest that a smaller purse loses per round. */
LU_INLINE double joker_cost(const joker_state *s, int price) {
    int cap = s->interest_cap, before = s->money / 5, after = (s->money - price) / 5;
    before = before > cap ? cap : before < 0 ? 0 : before;
    after = after > cap ? cap : after < 0 ? 0 : after;
    return price + 1.0 * (before - after);
}

/* What vouchers are worth in the logarithm of a round's score; `early`: half of it after ante 4. */
typedef struct joker_voucher_worth {
    uint8_t id, early;
    double value;
} joker_voucher_worth;

LU_TABLE joker_voucher_worth joker_voucher_worths[] = {
    {JOKER_V_GRABBER, 0, 0.3},         {JOKER_V_NACHO_TONG, 0, 0.3},
    {JOKER_V_WASTEFUL, 0, 0.15},       {JOKER_V_RECYCLOMANCY, 0, 0.15},
    {JOKER_V_PAINT_BRUSH, 0, 0.3},     {JOKER_V_PALETTE, 0, 0.3},
    {JOKER_V_ANTIMATTER, 0, 0.7},      {JOKER_V_BLANK, 1, 0.1},
    {JOKER_V_OVERSTOCK_NORM, 1, 0.3},  {JOKER_V_OVERSTOCK_PLUS, 1, 0.3},
    {JOKER_V_CLEARANCE_SALE, 1, 0.3},  {JOKER_V_LIQUIDATION, 1, 0.3},
    {JOKER_V_SEED_MONEY, 1, 0.25},     {JOKER_V_MONEY_TREE, 1, 0.25},
    {JOKER_V_HIEROGLYPH, 0, 0.35},     {JOKER_V_PETROGLYPH, 0, 0.35},
    {JOKER_V_REROLL_SURPLUS, 1, 0.2},  {JOKER_V_REROLL_GLUT, 1, 0.2},
    {JOKER_V_PLANET_MERCHANT, 1, 0.2}, {JOKER_V_PLANET_TYCOON, 1, 0.2},
    {JOKER_V_TAROT_MERCHANT, 1, 0.1},  {JOKER_V_TAROT_TYCOON, 1, 0.1},
    {JOKER_V_TELESCOPE, 1, 0.25},      {JOKER_V_OBSERVATORY, 0, 0.3},
    {JOKER_V_CRYSTAL_BALL, 1, 0.1},    {JOKER_V_HONE, 1, 0.12},
    {JOKER_V_GLOW_UP, 1, 0.12},        {JOKER_V_OMEN_GLOBE, 1, 0.1},
    {JOKER_V_DIRECTORS_CUT, 0, 0.1},
};

LU_INLINE double joker_voucher_value(const joker_state *s, int id) {
    bool interest = id == JOKER_V_SEED_MONEY || id == JOKER_V_MONEY_TREE;
    if (interest && s->money <= 25) {
        return 0.0;
    }
    for (size_t k = 0; k < sizeof joker_voucher_worths / sizeof *joker_voucher_worths; k++) {
        const joker_voucher_worth *v = &joker_voucher_worths[k];
        if (v->id == id) {
            return v->value * (v->early && s->ante > 4 ? 0.5 : 1.0);
        }
    }
    return 0.02;
}

/* What a pack of the smallest size is worth by its kind; Buffoon packs by the room for jokers. */
LU_TABLE double joker_pack_worths[JOKER_PACK_KINDS] = {0.06, 0.09, 0.03, 0.0, 0.09};

LU_INLINE double joker_pack_value(const joker_state *s, int pack) {
    const joker_pack_fact *fact = &joker_pack_facts[pack];
    bool room = joker_has_room_joker(s);
    double size = fact->picks > 1 ? 2.0 : fact->shown > 3 ? 1.3 : 1.0;
    if (fact->kind == JOKER_PACK_BUFFOON) {
        return (!room ? 0.1 : s->jokers < 3 ? 0.45 : 0.3) * size;
    }
    return joker_pack_worths[fact->kind] * size;
}

/* Tarots and Spectrals whose value does not depend on the state. */
typedef struct joker_card_worth {
    uint8_t id;
    double value;
} joker_card_worth;

LU_TABLE joker_card_worth joker_card_worths[] = {
    {JOKER_C_FOOL, 0.06},     {JOKER_C_HIGH_PRIESTESS, 0.1}, {JOKER_C_EMPEROR, 0.08},
    {JOKER_C_DEATH, 0.06},    {JOKER_C_HANGED_MAN, 0.06},    {JOKER_C_STRENGTH, 0.03},
    {JOKER_C_EMPRESS, 0.05},  {JOKER_C_HEIROPHANT, 0.04},    {JOKER_C_MAGICIAN, 0.05},
    {JOKER_C_JUSTICE, 0.06},  {JOKER_C_CHARIOT, 0.06},       {JOKER_C_LOVERS, 0.02},
    {JOKER_C_DEVIL, 0.05},    {JOKER_C_STAR, 0.05},          {JOKER_C_MOON, 0.05},
    {JOKER_C_SUN, 0.05},      {JOKER_C_WORLD, 0.05},         {JOKER_C_BLACK_HOLE, 0.6},
    {JOKER_C_AURA, 0.15},     {JOKER_C_DEJA_VU, 0.12},       {JOKER_C_TRANCE, 0.08},
    {JOKER_C_MEDIUM, 0.06},   {JOKER_C_TALISMAN, 0.08},      {JOKER_C_CRYPTID, 0.12},
    {JOKER_C_SIGIL, 0.05},    {JOKER_C_OUIJA, -0.1},         {JOKER_C_GRIM, 0.04},
    {JOKER_C_FAMILIAR, 0.02}, {JOKER_C_INCANTATION, -0.02},
};

/* A Tarot or Spectral card by itself; Planets are simulated. */
LU_INLINE double joker_consumable_value(const joker_state *s, int id, double dollar) {
    bool room = joker_has_room_joker(s);
    switch (id) {
    case JOKER_C_HERMIT:
        return dollar * (s->money < 0 ? 0 : s->money > 20 ? 20 : s->money);
    case JOKER_C_TEMPERANCE:
        return dollar * joker_temperance(s);
    case JOKER_C_JUDGEMENT:
        return room ? 0.3 : 0.0;
    case JOKER_C_WHEEL_OF_FORTUNE:
        return joker_plain_jokers(s) ? 0.08 : 0.0;
    case JOKER_C_SOUL:
        return room ? 2.0 : 0.0;
    case JOKER_C_IMMOLATE:
        return 0.15 + dollar * 20;
    case JOKER_C_WRAITH:
        return room ? 0.45 - dollar * s->money : 0.0;
    case JOKER_C_ECTOPLASM:
        return s->hand_size >= 8 && s->ectoplasms == 0 ? 0.25 : -1.0;
    case JOKER_C_HEX:
        return s->jokers <= 1 ? 0.2 : -1.0;
    case JOKER_C_ANKH:
        return s->jokers == 1 ? 0.3 : -1.0;
    default:
        break;
    }
    for (size_t k = 0; k < sizeof joker_card_worths / sizeof *joker_card_worths; k++) {
        if (joker_card_worths[k].id == id) {
            return joker_card_worths[k].value;
        }
    }
    return 0.0;
}

/* ---- which cards a consumable is used on ---- */

/* The suit that most of the deck has. */
LU_INLINE int joker_deck_suit(const joker_state *s) {
    int count[JOKER_SUITS] = {0}, best = 0;
    for (int i = 0; i < JOKER_DECK_MAX; i++) {
        count[s->card[i].suit] += s->card[i].rank > 0;
    }
    for (int suit = 1; suit < JOKER_SUITS; suit++) {
        best = count[suit] > count[best] ? suit : best;
    }
    return best;
}

/* How good a card is to have: its rank, suit and extras. */
LU_INLINE double joker_card_quality(const joker_state *s, const joker_card *card, int suit) {
    double value = card->rank + (card->suit == suit ? 3.0 : 0.0);
    (void)s;
    value += card->enhancement == JOKER_STONE ? -8.0 : card->enhancement ? 4.0 : 0.0;
    return value + (card->edition ? 5.0 : 0.0) + (card->seal ? 3.0 : 0.0);
}

/* The `count` held cards that are best (sign = 1) or worst (-1) of those allowed. */
LU_INLINE uint16_t joker_take_best(const joker_state *s, const double *value, uint32_t allowed,
                                   int count, double sign) {
    uint32_t chosen = 0;
    for (int n = 0; n < count; n++) {
        int best = -1;
        for (int i = 0; i < s->held; i++) {
            bool free = (allowed & ~chosen) >> i & 1u;
            if (free && (best < 0 || sign * value[i] > sign * value[best])) {
                best = i;
            }
        }
        chosen |= best >= 0 ? 1u << best : 0u;
    }
    return (uint16_t)chosen;
}

/* Cards for a consumable; 0 when there is no good choice (or it takes none). */
LU_INLINE uint16_t joker_pick_targets(const joker_state *s, int id) {
    const joker_consumable_fact *fact = &joker_consumable_facts[id];
    int suit = joker_deck_suit(s), most = fact->choose_max;
    double value[JOKER_HAND_MAX];
    uint32_t plain = 0, all = joker_first_bits(s->held);
    joker_change change = joker_change_of(id);
    if (most == 0) {
        return 0;
    }
    for (int i = 0; i < s->held; i++) {
        const joker_card *card = &s->card[s->hand[i]];
        value[i] = joker_card_quality(s, card, suit);
        plain |= card->enhancement == JOKER_PLAIN ? 1u << i : 0u;
    }
    if (change.what == JOKER_CHANGE_SUIT) {
        uint32_t others = 0;
        for (int i = 0; i < s->held; i++) {
            others |= s->card[s->hand[i]].suit != change.value ? 1u << i : 0u;
        }
        return change.value == suit ? joker_take_best(s, value, others, most, 1.0)
                                    : joker_take_best(s, value, others, 1, -1.0);
    }
    if (change.what == JOKER_CHANGE_ENHANCEMENT) {
        return joker_take_best(s, value, plain ? plain : all, most, 1.0);
    }
    if (change.what == JOKER_CHANGE_RANK_UP) {
        uint32_t low = 0;
        for (int i = 0; i < s->held; i++) {
            low |= s->card[s->hand[i]].rank < JOKER_ACE ? 1u << i : 0u;
        }
        return joker_take_best(s, value, low, most, 1.0);
    }
    if (id == JOKER_C_HANGED_MAN) {
        return joker_take_best(s, value, all, most, -1.0);
    }
    if (id == JOKER_C_DEATH) { /* the left one becomes the right one */
        int left = 0, right = 1;
        double best = -1e9;
        for (int i = 0; i < s->held; i++) {
            for (int k = i + 1; k < s->held; k++) {
                if (value[k] - value[i] > best) {
                    best = value[k] - value[i];
                    left = i;
                    right = k;
                }
            }
        }
        return (uint16_t)(s->held > 1 ? 1u << left | 1u << right : 0u);
    }
    uint32_t allowed = joker_targets(s, id);
    return joker_take_best(s, value, allowed, most, 1.0);
}

/* ---- offers ---- */

/* The state with a joker more, or with one in the place of another (-1 = in a free place). */
LU_INLINE void joker_with_joker(const joker_rules *m, joker_state *t, const joker_joker *joker,
                                int instead) {
    if (instead >= 0) {
        joker_lose_joker(t, instead);
    }
    (void)joker_gain_joker(m, t, joker);
}

typedef struct joker_wish {
    double gain;  /* over what it costs; <= 0: no */
    double value; /* of the build with it, less that without it */
    int instead;  /* joker to sell first; -1 = none */
} joker_wish;

/* What a joker on offer is worth, in a free place or instead of another. */
LU_INLINE joker_wish joker_wish_for(joker_sim *sim, joker_state *scratch, const joker_rules *m,
                                    const joker_state *s, const joker_skill *skill,
                                    const joker_situation *now, const joker_joker *joker, int price,
                                    uint64_t seed) {
    joker_wish best = {-1e9, 0.0, -1};
    bool room = joker->edition == JOKER_NEGATIVE || joker_has_room_joker(s);
    for (int i = room ? -1 : 0; i < (room ? 0 : s->jokers); i++) {
        int refund = 0;
        if (i >= 0) {
            if (s->joker[i].flags & JOKER_ETERNAL) {
                continue;
            }
            refund = joker_sell_value(&s->joker[i]);
        }
        if (s->money + refund - price < -s->spending_floor) {
            continue;
        }
        joker_copy_state(scratch, s);
        joker_with_joker(m, scratch, joker, i);
        double value = joker_build_value(sim, m, scratch, skill->samples, seed) - now->strength;
        double gain = value - now->dollar * (joker_cost(s, price - refund));
        gain -= i >= 0 ? 0.12 : 0.0; /* change for its own sake is none */
        if (gain > best.gain) {
            best.gain = gain;
            best.value = value;
            best.instead = i;
        }
    }
    return best;
}

/* What one more level of a Planet's hand is worth. */
LU_INLINE double joker_planet_value(joker_sim *sim, joker_state *scratch, const joker_rules *m,
                                    const joker_state *s, const joker_skill *skill,
                                    const joker_situation *now, int id, uint64_t seed) {
    joker_copy_state(scratch, s);
    joker_level_up(scratch, joker_consumable_facts[id].hand, 1);
    joker_on_planet_used(m, scratch);
    return joker_build_value(sim, m, scratch, skill->samples, seed) - now->strength;
}
