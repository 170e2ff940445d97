/* Figures of joker: the info record of the brief as a struct, for its rewards and for reports, and
 * our own behind it. Part of joker.c. */
#pragma once

#include "rules/joker_act.h"
#include "variants/joker_full.h"

/* The record; names are those of the brief. */
typedef struct joker_env {
    double chips, blind_target, score_delta;
    double flush_potential, straight_potential, pairs_potential;
    double joker_chip_contrib, joker_mult_contrib, joker_xmult_contrib;
    double score_efficiency, shop_quality_score;
    int episode_step, ante, stage, blind_type, plays_left, discards_left, money, money_delta;
    int last_action_type, last_action_cost, joker_count, joker_slot_limit, game_end, blind_cleared;
    int cards_played, cards_discarded, hand_type, tag_id, consumable_id, joker_sold_id;
    int best_shop_joker_cost, boss_blind_id, reroll_count_this_shop;
    /* for the reward only */
    int boss_guide_id, tag_guide_id; /* in the numbers of joker_reward.h's tables */
    bool bought_multiplies;          /* the joker bought is known to multiply */
} joker_env;

/* Our bosses (row - 3 of blinds.csv) and tags (row - 1) in the guide's numbers; 27: it has none. */
LU_TABLE int8_t joker_guide_boss_id[JOKER_BLINDS - 2] = {
    /* Hook Ox House Wall Wheel Arm Club Fish Psychic Goad Water Window Manacle Eye */
    0, 14, 15, 1, 2, 3, 5, 17, 9, 8, 27, 6, 18, 11,
    /* Mouth Plant Serpent Pillar Needle Head Tooth Flint Mark Acorn Leaf Vessel Heart Bell */
    10, 12, 13, 19, 20, 7, 27, 4, 16, 25, 26, 22, 23, 24};
LU_TABLE int8_t joker_guide_tag_id[JOKER_TAGS] = {
    /* Uncommon Rare Negative Foil Holo Poly Investment Voucher Boss Standard Charm Meteor */
    0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 24, 11,
    /* Buffoon Handy Garbage Ethereal Coupon Double Juggle D6 Top-up Speed Orbital Economy */
    10, 22, 23, 12, 14, 15, 16, 17, 18, 19, 20, 21};

/* Our hands in the brief's numbers: 0 High Card .. 12 Flush Five, 9 is not used. */
LU_TABLE int8_t joker_brief_hand[JOKER_HANDS] = {12, 11, 10, 8, 7, 6, 5, 4, 3, 2, 1, 0};

/* Whether a joker can multiply mult. */
LU_INLINE bool joker_multiplies(int id) {
    const joker_row *row = &joker_rows[id];
    return row->effect == JOKER_E_STORED_X ||
           (row->x > 0.0 && (row->effect == JOKER_E_FIXED || row->effect == JOKER_E_PER_SCORED ||
                             row->effect == JOKER_E_PER_HELD || row->effect == JOKER_E_ON_OTHER ||
                             row->effect == JOKER_E_FROM_RUN));
}

/* Whether two jokers want the same of a hand: its type, or the same cards. */
LU_INLINE bool joker_match(int a, int b) {
    const joker_row *p = &joker_rows[a], *q = &joker_rows[b];
    uint32_t cards = p->filter & q->filter & ~(uint32_t)JOKER_M_ANY;
    bool hand = p->when == JOKER_WHEN_CONTAINS && q->when == JOKER_WHEN_CONTAINS && p->of == q->of;
    return hand || cards != 0;
}

/* How good the jokers on offer are: rarity, matches among what is owned (two are full marks),
 * price against the list, and whether they multiply. */
LU_INLINE double joker_shop_quality(const joker_state *s) {
    const double by_rarity[4] = {0.2, 0.5, 0.8, 1.0};
    double sum = 0.0;
    int count = 0;
    for (int i = 0; i < JOKER_SHOP_MAX; i++) {
        if (s->shop[i].kind != JOKER_KIND_JOKER) {
            continue;
        }
        int id = s->shop[i].joker.id, matches = 0;
        for (int k = 0; k < s->jokers; k++) {
            matches += joker_match(id, s->joker[k].id);
        }
        double cheap = 2.0 - (double)s->shop[i].price / (double)joker_joker_facts[id].price;
        cheap = cheap < 0.0 ? 0.0 : cheap > 1.0 ? 1.0 : cheap;
        sum += 0.4 * by_rarity[joker_joker_facts[id].rarity] +
               0.3 * (matches >= 2 ? 1.0 : 0.5 * matches) + 0.2 * cheap +
               0.1 * (joker_multiplies(id) ? 0.2 : 0.0);
        count++;
    }
    return count > 0 ? sum / count : 0.0;
}

LU_INLINE double joker_at_most_1(double x) {
    return x > 1.0 ? 1.0 : x;
}

/* Parts of jokers in the last hand; 0 where the last action was no play. */
LU_INLINE void joker_env_parts(const joker_state *s, joker_env *e) {
    e->joker_chip_contrib = e->joker_mult_contrib = e->joker_xmult_contrib = 0.0;
    if (s->last_action == JOKER_ACT_PLAY) {
        e->joker_chip_contrib = joker_at_most_1(s->chips_jokers);
        e->joker_mult_contrib = joker_at_most_1(s->mult_jokers);
        if (s->x_jokers > 1.0) {
            e->joker_xmult_contrib = joker_at_most_1(lu_log(s->x_jokers) / 1.3862943611198906);
        }
    }
}

LU_INLINE void joker_env_fill(const joker_rules *m, const joker_state *s, joker_env *e) {
    joker_promise promise = joker_promise_of(s);
    int act = s->last_action;
    e->episode_step = s->steps;
    e->chips = s->score;
    e->blind_target = s->target;
    e->ante = s->ante;
    e->stage = s->phase;
    e->blind_type = s->phase == JOKER_END ? -1 : s->blind;
    e->plays_left = s->hands;
    e->discards_left = s->discards;
    e->money = s->money;
    e->score_delta = s->last_gain;
    e->money_delta = s->last_money;
    e->last_action_type = act;
    e->last_action_cost = s->last_cost;
    e->joker_count = s->jokers;
    e->joker_slot_limit = s->jokers + joker_room_jokers(s);
    e->game_end = s->lost ? 2 : s->won ? 1 : 0;
    e->blind_cleared = s->last_cleared;
    e->cards_played = act == JOKER_ACT_PLAY ? s->last_cards : 0;
    e->cards_discarded = act == JOKER_ACT_DISCARD ? s->last_cards : 0;
    e->hand_type = s->last_type;
    e->tag_id = s->last_tag;
    e->consumable_id = s->last_consumable;
    e->joker_sold_id = s->last_sold;
    e->best_shop_joker_cost = 0;
    for (int i = 0; i < JOKER_SHOP_MAX && s->phase == JOKER_SHOP; i++) {
        bool there = s->shop[i].kind != JOKER_KIND_NONE;
        e->best_shop_joker_cost = there && s->shop[i].price > e->best_shop_joker_cost
                                      ? s->shop[i].price
                                      : e->best_shop_joker_cost;
    }
    e->flush_potential = joker_at_most_1(promise.suit / 5.0);
    e->straight_potential = joker_at_most_1(promise.run / 5.0);
    e->pairs_potential = joker_at_most_1(promise.rank / 4.0);
    joker_env_parts(s, e);
    e->score_efficiency = s->target > 0.0 ? s->last_gain / (s->target / 4.0) : 0.0;
    e->boss_blind_id = s->blind == 2 && s->phase != JOKER_END ? s->boss - 2 : -1;
    e->shop_quality_score = s->phase == JOKER_SHOP ? joker_shop_quality(s) : 0.0;
    e->reroll_count_this_shop = s->rerolls;
    e->boss_guide_id = e->boss_blind_id >= 0 ? joker_guide_boss_id[e->boss_blind_id] : -1;
    e->tag_guide_id = e->tag_id >= 0 ? joker_guide_tag_id[e->tag_id] : -1;
    e->bought_multiplies = m->knows_joker && act == JOKER_ACT_BUY && s->jokers > 0 &&
                           joker_multiplies(s->joker[s->jokers - 1].id);
}

LU_INLINE void joker_info(const lu_rules *head, const void *bytes, int seat, double *info) {
    const joker_state *s = (const joker_state *)bytes;
    joker_env e;
    uint64_t letters = 0;
    (void)seat;
    joker_env_fill(joker_rules_of(head), s, &e);
    info[JOKER_INFO_EPISODE_STEP] = e.episode_step;
    info[JOKER_INFO_CHIPS] = e.chips;
    info[JOKER_INFO_MULT] = 1.0;
    info[JOKER_INFO_BLIND_TARGET] = e.blind_target;
    info[JOKER_INFO_ANTE] = e.ante;
    info[JOKER_INFO_STAGE] = e.stage;
    info[JOKER_INFO_BLIND_TYPE] = e.blind_type;
    info[JOKER_INFO_PLAYS_LEFT] = e.plays_left;
    info[JOKER_INFO_DISCARDS_LEFT] = e.discards_left;
    info[JOKER_INFO_MONEY] = e.money;
    info[JOKER_INFO_SCORE_DELTA] = e.score_delta;
    info[JOKER_INFO_MONEY_DELTA] = e.money_delta;
    info[JOKER_INFO_LAST_ACTION_TYPE] = e.last_action_type;
    info[JOKER_INFO_LAST_ACTION_COST] = e.last_action_cost;
    info[JOKER_INFO_JOKER_COUNT] = e.joker_count;
    info[JOKER_INFO_JOKER_SLOT_LIMIT] = e.joker_slot_limit;
    info[JOKER_INFO_GAME_END] = e.game_end;
    info[JOKER_INFO_BLIND_CLEARED] = e.blind_cleared;
    info[JOKER_INFO_CARDS_PLAYED] = e.cards_played;
    info[JOKER_INFO_CARDS_DISCARDED] = e.cards_discarded;
    info[JOKER_INFO_HAND_TYPE] = e.hand_type;
    info[JOKER_INFO_TAG_ID] = e.tag_id;
    info[JOKER_INFO_CONSUMABLE_ID] = e.consumable_id;
    info[JOKER_INFO_JOKER_SOLD_ID] = e.joker_sold_id;
    info[JOKER_INFO_BEST_SHOP_JOKER_COST] = e.best_shop_joker_cost;
    info[JOKER_INFO_FLUSH_POTENTIAL] = e.flush_potential;
    info[JOKER_INFO_STRAIGHT_POTENTIAL] = e.straight_potential;
    info[JOKER_INFO_PAIRS_POTENTIAL] = e.pairs_potential;
    info[JOKER_INFO_JOKER_CHIP_CONTRIB] = e.joker_chip_contrib;
    info[JOKER_INFO_JOKER_MULT_CONTRIB] = e.joker_mult_contrib;
    info[JOKER_INFO_JOKER_XMULT_CONTRIB] = e.joker_xmult_contrib;
    info[JOKER_INFO_SCORE_EFFICIENCY] = e.score_efficiency;
    info[JOKER_INFO_BOSS_BLIND_ID] = e.boss_blind_id;
    info[JOKER_INFO_SHOP_QUALITY_SCORE] = e.shop_quality_score;
    info[JOKER_INFO_REROLL_COUNT_THIS_SHOP] = e.reroll_count_this_shop;
    info[JOKER_INFO_WON] = s->won;
    info[JOKER_INFO_TOP_ANTE] = s->top_ante;
    info[JOKER_INFO_ROUNDS_WON] = s->round;
    info[JOKER_INFO_HANDS_PLAYED] = s->run_hands;
    info[JOKER_INFO_BEST_HAND] = s->best;
    info[JOKER_INFO_BLINDS_SKIPPED] = s->skips;
    info[JOKER_INFO_DECK_SIZE] = s->owned;
    info[JOKER_INFO_ILLEGAL] = s->illegal;
    info[JOKER_INFO_CAPACITY] = 0.0;
    for (int k = 0; k < JOKER_FULLS; k++) {
        info[JOKER_INFO_CAPACITY] += s->full[k];
    }
    info[JOKER_INFO_DECK] = s->deck;
    info[JOKER_INFO_STAKE] = s->stake;
    for (int k = 0; k < 8; k++) {
        letters = letters << 8 | (uint8_t)s->seed[k];
    }
    info[JOKER_INFO_SEED] = lu_double_from_bits(letters);
    info[JOKER_INFO_RNG] = lu_double_from_bits(s->rng);
}
