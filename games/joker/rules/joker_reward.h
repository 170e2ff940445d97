/* Reward terms of joker. The engine's own terms count what happened. The components of the guide
 * are functions of two info records, as a client would compute them: each is a plain function here
 * (`joker_guide_NAME`), and joker_guide puts them together step by step with a small memory. They
 * are computed only while one of their weights is not 0. Part of joker.c. */
#pragma once

#include "variants/joker_info.h"

/* ---- tables; ids are those of the guide's own files ---- */

enum {
    JOKER_GUIDE_BOSSES = 27,
    JOKER_GUIDE_TAGS = 25,
    JOKER_GUIDE_HANDS = 13,
    JOKER_GUIDE_GROUPS = 9,
    JOKER_GUIDE_BUILDS = 3
};

LU_TABLE double joker_guide_boss_difficulty[JOKER_GUIDE_BOSSES] = {
    0.8,  1.4,  0.9, 1.0,  1.3, 1.1, 1.1, 1.1, 1.1, 1.2, 1.2, 1.1, 1.2, 0.9,
    0.85, 0.95, 1.0, 0.95, 1.1, 1.3, 1.4, 1.0, 1.5, 1.3, 1.1, 1.2, 1.2};
LU_TABLE double joker_guide_tag_value[JOKER_GUIDE_TAGS] = {
    0.25, 0.4, 0.52, 0.2, 0.25, 0.35, 0.18, 0.3, 0.15, 0.12, 0.2,  0.15, 0.18,
    0.15, 0.2, 0.22, 0.1, 0.15, 0.12, 0.06, 0.2, 0.12, 0.1,  0.08, 0.18};
#define JOKER_GUIDE_TAG_MEAN 0.1972
LU_TABLE double joker_guide_hand_bonus[JOKER_GUIDE_HANDS] = {
    -0.03, -0.01, 0.02, 0.08, 0.11, 0.13, 0.16, 0.24, 0.30, 0.34, 0.30, 0.34, 0.40};
/* Hands of each build as bits: pairs, straight, flush. */
LU_TABLE uint16_t joker_guide_build_hands[JOKER_GUIDE_BUILDS] = {
    1u << 1 | 1u << 2 | 1u << 3 | 1u << 6 | 1u << 7 | 1u << 10 | 1u << 11 | 1u << 12,
    1u << 4 | 1u << 8 | 1u << 9, 1u << 5 | 1u << 8 | 1u << 9 | 1u << 11 | 1u << 12};

/* ---- weights by ante ---- */

LU_INLINE double joker_clip(double x, double low, double high) {
    return x < low ? low : x > high ? high : x;
}

LU_INLINE double joker_guide_early(int ante) {
    return ante <= 2 ? 1.3 : ante <= 4 ? 1.1 : ante <= 6 ? 1.0 : 0.8;
}

LU_INLINE double joker_guide_late(int ante) {
    return ante <= 2 ? 0.9 : ante <= 4 ? 1.0 : ante <= 6 ? 1.1 : 1.2;
}

/* Falling with the ante in three steps: sales and holding. */
LU_INLINE double joker_guide_steps(int ante) {
    return ante <= 2 ? 1.5 : ante <= 4 ? 1.2 : 1.0;
}

/* values[0] for antes 1 and 2 up to values[3] for 7 and 8; 1 elsewhere. */
LU_INLINE double joker_guide_pairs(int ante, double a, double b, double c, double d) {
    return ante < 1 || ante > 8 ? 1.0 : ante <= 2 ? a : ante <= 4 ? b : ante <= 6 ? c : d;
}

/* ---- money ---- */

/* Whole division that rounds down. */
LU_INLINE int joker_floor_div(int a, int b) {
    return a / b - (a % b < 0 ? 1 : 0);
}

LU_INLINE int joker_guide_interest(int money) {
    int full = joker_floor_div(money, 5);
    return full > 5 ? 5 : full;
}

LU_INLINE int joker_guide_interest_lost(int money, int cost) {
    int lost = joker_guide_interest(money) - joker_guide_interest(money - cost);
    return lost > 0 ? lost : 0;
}

LU_INLINE double joker_guide_share(int cost, int money) {
    double share = money > 0 ? (double)cost / (double)money : 1.0;
    return share > 1.0 ? 1.0 : share;
}

/* The price of spending a share of what one has. */
LU_INLINE double joker_guide_price(int cost, int money) {
    double share = joker_guide_share(cost, money);
    return share > 0.0 ? 0.05 * lu_log(1.0 + 3.0 * share) : 0.0;
}

LU_INLINE double joker_guide_rarity(int price) {
    return price <= 4 ? 0.08 : price <= 6 ? 0.15 : price <= 8 ? 0.25 : 0.40;
}

/* ---- components ---- */

LU_INLINE double joker_guide_play_reward(double gained, double target, int hand, int ante,
                                         int plays) {
    if (target <= 0.0) {
        return 0.02;
    }
    if (gained <= 0.0) {
        return -0.03;
    }
    double share = gained / target, pace = target / 4.0;
    double value = 0.02 + (share >= 1.0 ? 0.12 + 0.05 * lu_log(share) : 0.12 * share);
    if (hand >= 0 && hand < JOKER_GUIDE_HANDS) {
        value += joker_guide_hand_bonus[hand] * (1.0 + 0.1 * (ante - 1));
    }
    value -= gained < 0.3 * pace ? 0.02 : gained < 0.5 * pace ? 0.01 : 0.0;
    value += share >= 1.0 && plays >= 2 ? 0.02 * (plays - 1) : 0.0;
    return joker_clip(value, -0.10, 0.30);
}

LU_INLINE double joker_guide_discard_reward(int cards) {
    return cards <= 0 ? -0.05 : -0.02;
}

LU_INLINE double joker_guide_blind_clear_reward(int plays, int blind, int ante) {
    double base = blind == 2 ? 1.3 : blind == 1 ? 0.3 : 0.2;
    return joker_clip((base + 0.02 * plays) * (1.0 + 0.2 * (ante - 1)), 0.20, 2.50);
}

LU_INLINE double joker_guide_ante_progress_reward(int before, int now) {
    if (now <= before) {
        return 0.0;
    }
    double a = before < 1 ? 0.0 : 0.12 * before * before + 0.08 * before;
    double b = now < 1 ? 0.0 : 0.12 * now * now + 0.08 * now;
    double value = b - a;
    value += before < 3 && now >= 3 ? 0.3 : 0.0;
    value += before < 4 && now >= 4 ? 0.4 : 0.0;
    value += before < 5 && now >= 5 ? 0.5 : 0.0;
    value += before < 7 && now >= 7 ? 0.8 : 0.0;
    return value;
}

LU_INLINE double joker_guide_game_end_reward(int end, int ante) {
    return end == 1 ? 5.0 : end == 2 ? -2.0 + 1.5 * ante / 8.0 : 0.0;
}

LU_INLINE double joker_guide_money_reward(int money, int ante) {
    int full = joker_guide_interest(money);
    full = full < 0 ? 0 : full;
    double value = 0.025 * full + (full < 5 && (full + 1) * 5 - money <= 2 ? 0.015 : 0.0);
    value *= joker_guide_pairs(ante, 1.4, 1.1, 0.8, 0.5);
    return value > 0.2 ? 0.2 : value;
}

/* `doubled`: the joker multiplies, and the caller knows it. */
LU_INLINE double joker_guide_joker_buy_reward(int cost, int money, int ante, int before, int now,
                                              int slots, bool doubled) {
    if (now <= before) {
        return 0.0;
    }
    double more = 0.01 * (cost - 4), value = joker_guide_rarity(cost);
    value += cost > 4 ? (more > 0.05 ? 0.05 : more) : 0.0;
    value *= doubled ? 2.0 : 1.0;
    value *= ante <= 3 && now == 1   ? 1.5
             : ante <= 3 && now == 2 ? 3.0
             : ante <= 4 && now == 3 ? 2.5
             : ante <= 4 && now <= 4 ? 1.5
                                     : 1.0;
    double price = 0.0;
    if (ante > 3) {
        price = joker_guide_price(cost, money) + 0.02 * joker_guide_interest_lost(money, cost);
    }
    double fill = (double)now / (double)(slots > 0 ? slots : 1);
    price += fill > 0.8 ? 0.03 * fill : 0.0;
    return joker_clip(value * joker_guide_early(ante) - price, -0.3, 0.8);
}

LU_INLINE double joker_guide_tag(int tag) {
    return tag >= 0 && tag < JOKER_GUIDE_TAGS ? joker_guide_tag_value[tag] : JOKER_GUIDE_TAG_MEAN;
}

LU_INLINE double joker_guide_skip_cost(int blind) {
    return blind == 2 ? 2.0 : blind == 1 ? 0.25 : 0.18;
}

/* The older form, kept for comparison. */
LU_INLINE double joker_guide_skip_blind_reward(int blind, int ante, int tag) {
    const double weight[8] = {0.7, 0.8, 0.9, 1.0, 0.85, 0.7, 0.5, 0.3};
    double w = ante >= 1 && ante <= 8 ? weight[ante - 1] : 0.7;
    return joker_clip(joker_guide_tag(tag) * w - joker_guide_skip_cost(blind), -0.20, 0.25);
}

LU_INLINE double joker_guide_skip_blind_reward_v2(int blind, int ante, int tag, double quality,
                                                  int jokers, int money) {
    const double weight[8] = {0.9, 0.95, 1.0, 1.0, 0.9, 0.8, 0.6, 0.4};
    double w = ante >= 1 && ante <= 8 ? weight[ante - 1] : 0.8;
    double context = jokers >= 4 && money < 4    ? 1.3
                     : jokers <= 1               ? 0.5
                     : jokers <= 2 && money >= 5 ? 0.7
                                                 : 1.0;
    double afford = money >= 5 ? 1.0 : 0.3;
    double risk = jokers <= 1   ? 0.25
                  : jokers <= 2 ? 0.15
                  : jokers <= 3 ? 0.08
                  : jokers <= 4 ? 0.05
                                : 0.0;
    double cost = joker_guide_skip_cost(blind) + 0.15 * quality * (1.0 - jokers / 5.0) * afford;
    return joker_clip(joker_guide_tag(tag) * context * w - cost - risk, -0.25, 0.30);
}

/* The older form, kept for comparison. */
LU_INLINE double joker_guide_reroll_reward(int cost, int money, int ante) {
    if (money <= 0) {
        return -0.1;
    }
    double value = (-0.02 - 0.03 * joker_guide_share(cost, money)) * joker_guide_early(ante);
    return joker_clip(value - 0.03 * joker_guide_interest_lost(money, cost), -0.15, 0.0);
}

LU_INLINE double joker_guide_reroll_reward_v2(int cost, int money, int ante, double quality,
                                              int jokers, int slots, int rerolls) {
    if (money <= 0) {
        return -0.1;
    }
    double value = ante <= 3 && jokers <= 2
                       ? 0.01 + 0.08 * (0.5 - quality)
                       : -0.02 - 0.03 * joker_guide_share(cost, money) + 0.04 * (quality - 0.5);
    value -= (double)jokers / (double)(slots > 0 ? slots : 1) >= 0.8 ? 0.02 : 0.0;
    value -= rerolls >= 3 ? 0.03 * (rerolls - 2) : 0.0;
    value -= rerolls >= 5 ? 0.05 : 0.0;
    value = value * joker_guide_early(ante) - 0.03 * joker_guide_interest_lost(money, cost);
    return joker_clip(value, -0.15, 0.05);
}

LU_INLINE double joker_guide_sell_joker_reward(int gained, int ante, int before, int slots,
                                               bool known) {
    if (before <= 1) {
        return -0.5;
    }
    if (before <= 2) {
        return -0.3;
    }
    if (before <= 3 && ante <= 3) {
        return -0.2;
    }
    double room = before >= slots ? 0.05 : before >= slots - 1 ? 0.0 : -0.08;
    double money = gained / 20.0;
    double loss = known ? 1.5 * joker_guide_rarity(2 * gained) : 0.12;
    double value = room + (money > 0.05 ? 0.05 : money) - loss;
    return joker_clip(value * joker_guide_steps(ante), -0.5, 0.1);
}

LU_INLINE double joker_guide_joker_holding_bonus(int jokers, int ante) {
    if (jokers <= 0) {
        return ante <= 2 ? -0.08 : -0.05;
    }
    double value = 0.015 * jokers * joker_guide_steps(ante);
    return value > 0.08 ? 0.08 : value;
}

/* Jokers that an ante asks for. */
LU_INLINE int joker_guide_needed(int ante) {
    return ante < 1 || ante > 8 ? 2 : ante < 3 ? ante : 3;
}

LU_INLINE double joker_guide_joker_shortage_penalty(int jokers, int ante) {
    int missing = joker_guide_needed(ante) - jokers;
    return missing > 0 ? -0.03 * missing : 0.0;
}

LU_INLINE double joker_guide_shop_saving_reward(int money, int jokers, int ante, int best) {
    if (jokers >= joker_guide_needed(ante)) {
        return 0.0;
    }
    int target = best > 0 ? best : 6;
    return money >= target       ? 0.02
           : money >= target - 2 ? 0.015
           : money >= target / 2 ? 0.01
                                 : 0.005;
}

LU_INLINE double joker_guide_boss_clear_difficulty_bonus(int boss, int plays) {
    if (boss < 0) {
        return 0.0;
    }
    double difficulty = boss < JOKER_GUIDE_BOSSES ? joker_guide_boss_difficulty[boss] : 1.0;
    if (difficulty <= 0.8) {
        return 0.0;
    }
    return joker_clip((difficulty - 0.8) * 0.2 * (1.0 + 0.05 * plays), 0.0, 0.15);
}

LU_INLINE double joker_guide_consumable_use_reward(int ante, int id) {
    double value = id < 0 ? 0.12 : id < JOKER_PLANET_0 ? 0.10 : id < JOKER_SPECTRAL_0 ? 0.12 : 0.18;
    return joker_clip(joker_guide_late(ante) * value, 0.0, 0.25);
}

LU_INLINE double joker_guide_voucher_buy_reward(int cost, int money, int ante) {
    double value = 0.15 * joker_guide_pairs(ante, 1.4, 1.2, 1.0, 0.7);
    return joker_clip(value - 1.2 * joker_guide_price(cost, money), -0.25, 0.3);
}

LU_INLINE double joker_guide_blind_progress_signal(double before, double now, double target,
                                                   int plays, int total) {
    if (target <= 0.0) {
        return 0.0;
    }
    double p0 = before / target, p1 = now / target;
    if (p1 <= p0) {
        return 0.0;
    }
    int used = total - plays;
    double pace = (double)(used > 0 ? used : 0) / (double)(total > 1 ? total : 1);
    double value = 0.03 * (p1 - p0) + (p0 < 0.8 && p1 >= 0.8 ? 0.01 : 0.0);
    value += p1 > pace + 0.2 ? 0.005 : 0.0;
    return value > 0.05 ? 0.05 : value;
}

LU_INLINE double joker_guide_hand_setup_reward(int before, int now, bool discarded) {
    int better = now - before;
    if (!discarded || before < 0 || now < 0 || better == 0) {
        return 0.0;
    }
    double more = 0.01 * (better - 5);
    return better < 0    ? -0.01
           : better <= 2 ? 0.02
           : better <= 4 ? 0.04
                         : 0.06 + (more > 0.02 ? 0.02 : more);
}

LU_INLINE double joker_guide_potential_change_reward(double flush, double straight, double pairs) {
    return 0.1 * (0.40 * flush + 0.35 * straight + 0.25 * pairs);
}

/* ---- a step ---- */

LU_INLINE void joker_guide_forget(joker_guide_memory *g) {
    g->discards = 0;
    g->hand = -1;
    g->flush = g->straight = g->pairs = 0.0;
}

/* The build that 60 % of at least five hands belong to, and its share; -1 = none. */
LU_INLINE int joker_guide_build(const joker_guide_memory *g, double *share) {
    int best = 0;
    for (int b = 1; b < JOKER_GUIDE_BUILDS; b++) {
        best = g->build[b] > g->build[best] ? b : best;
    }
    *share = g->hands > 0 ? (double)g->build[best] / (double)g->hands : 0.0;
    return g->hands >= 5 && *share >= 0.6 ? best : -1;
}

LU_INLINE void joker_guide_play(joker_guide_memory *g, const joker_env *was, const joker_env *e,
                                double *t) {
    double sum = 0.0, share;
    if (e->score_delta > 0.0) {
        double efficiency = e->score_efficiency - 1.0;
        t[JOKER_TERM_PLAY_REWARD] = joker_guide_play_reward(e->score_delta, e->blind_target,
                                                            e->hand_type, e->ante, e->plays_left);
        t[JOKER_TERM_JOKER_CONTRIBUTION_REWARD] =
            0.08 * (0.2 * e->joker_chip_contrib + 0.3 * e->joker_mult_contrib +
                    0.5 * e->joker_xmult_contrib);
        t[JOKER_TERM_SCORE_EFFICIENCY_REWARD] = e->blind_target > 0.0 && efficiency > 0.0
                                                    ? 0.06 * (efficiency > 1.0 ? 1.0 : efficiency)
                                                    : 0.0;
    }
    if (was) {
        int total = was->plays_left + 1;
        t[JOKER_TERM_BLIND_PROGRESS_SIGNAL] = joker_guide_blind_progress_signal(
            was->chips, e->chips, e->blind_target, e->plays_left, total > 1 ? total : 1);
    }
    if (e->hand_type >= 0) {
        g->hands++;
        for (int b = 0; b < JOKER_GUIDE_BUILDS; b++) {
            g->build[b] =
                (uint16_t)(g->build[b] + (joker_guide_build_hands[b] >> e->hand_type & 1u));
        }
    }
    int build = joker_guide_build(g, &share);
    if (build >= 0 && e->hand_type >= 0 && joker_guide_build_hands[build] >> e->hand_type & 1u) {
        t[JOKER_TERM_BUILD_MATCH] = e->hand_type >= 8 ? 0.05 : 0.03;
    }
    for (int k = JOKER_TERM_PLAY_REWARD; k < JOKER_TERM_PLAY_CAP; k++) {
        sum += t[k];
    }
    t[JOKER_TERM_PLAY_CAP] = sum > 0.5 ? 0.5 - sum : 0.0;
    joker_guide_forget(g);
}

LU_INLINE void joker_guide_discard(joker_guide_memory *g, const joker_env *was, const joker_env *e,
                                   double *t) {
    t[JOKER_TERM_DISCARD_REWARD] = joker_guide_discard_reward(e->cards_discarded);
    g->discards++;
    if (g->hand < 0 && was) {
        g->hand = (int16_t)was->hand_type;
        g->flush = was->flush_potential;
        g->straight = was->straight_potential;
        g->pairs = was->pairs_potential;
    }
    if (g->discards <= 2) {
        t[JOKER_TERM_HAND_SETUP_REWARD] =
            joker_guide_hand_setup_reward(g->hand, e->hand_type, e->cards_discarded > 0);
        t[JOKER_TERM_POTENTIAL_CHANGE_REWARD] = joker_guide_potential_change_reward(
            e->flush_potential - g->flush, e->straight_potential - g->straight,
            e->pairs_potential - g->pairs);
    } else {
        t[JOKER_TERM_DISCARD_LOOP] = -0.02 * (g->discards - 2);
    }
    g->hand = (int16_t)e->hand_type;
    g->flush = e->flush_potential;
    g->straight = e->straight_potential;
    g->pairs = e->pairs_potential;
}

LU_INLINE void joker_guide_cleared(joker_guide_memory *g, const joker_env *e, double *t) {
    t[JOKER_TERM_BLIND_CLEAR_REWARD] =
        joker_guide_blind_clear_reward(e->plays_left, e->blind_type, e->ante);
    if (e->blind_type == 2) {
        t[JOKER_TERM_BOSS_CLEAR_DIFFICULTY_BONUS] =
            joker_guide_boss_clear_difficulty_bonus(e->boss_guide_id, e->plays_left);
    } else if (e->blind_type == 1) {
        t[JOKER_TERM_BOSS_PREPARATION] = e->money >= 10 ? 0.08 : e->money >= 6 ? 0.04 : 0.0;
    }
    joker_guide_forget(g);
}

LU_INLINE void joker_guide_cash(const joker_guide_memory *g, const joker_env *e, double *t) {
    double share;
    t[JOKER_TERM_MONEY_REWARD] = joker_guide_money_reward(e->money, e->ante);
    t[JOKER_TERM_JOKER_HOLDING_BONUS] = joker_guide_joker_holding_bonus(e->joker_count, e->ante);
    if (e->joker_count >= 3 && joker_guide_build(g, &share) >= 0) {
        int more = e->joker_count - 2;
        t[JOKER_TERM_JOKER_SYNERGY_REWARD] =
            joker_clip(0.02 * (more > 3 ? 3 : more) * share, 0.0, 0.08);
    }
}

LU_INLINE void joker_guide_spend(const joker_env *was, const joker_env *e, double *t) {
    switch (e->last_action_type) {
    case JOKER_ACT_BUY:
        if (was && e->joker_count > was->joker_count && e->money_delta < 0) {
            t[JOKER_TERM_JOKER_BUY_REWARD] = joker_guide_joker_buy_reward(
                e->last_action_cost, was->money, e->ante, was->joker_count, e->joker_count,
                e->joker_slot_limit, e->bought_multiplies);
        } else if (was && e->joker_count <= was->joker_count) {
            t[JOKER_TERM_JOKER_BUY_REWARD] = -0.05;
        }
        break;
    case JOKER_ACT_SELL_JOKER:
        if (was) {
            t[JOKER_TERM_SELL_JOKER_REWARD] =
                joker_guide_sell_joker_reward(e->money_delta, e->ante, was->joker_count,
                                              e->joker_slot_limit, e->joker_sold_id >= 0);
        }
        break;
    case JOKER_ACT_REROLL:
        t[JOKER_TERM_REROLL_REWARD] = joker_guide_reroll_reward_v2(
            e->last_action_cost, was ? was->money : e->money, e->ante, e->shop_quality_score,
            e->joker_count, e->joker_slot_limit, e->reroll_count_this_shop);
        break;
    case JOKER_ACT_BUY_VOUCHER:
        if (was && e->last_action_cost > 0 && e->money_delta < 0) {
            t[JOKER_TERM_VOUCHER_BUY_REWARD] =
                joker_guide_voucher_buy_reward(e->last_action_cost, was->money, e->ante);
        } else if (e->last_action_cost == 0) {
            t[JOKER_TERM_VOUCHER_BUY_REWARD] = -0.05;
        }
        break;
    default: /* JOKER_ACT_BUY_PACK */
        t[JOKER_TERM_PACK] = e->last_action_cost > 0 && e->money_delta < 0 ? 0.05
                             : e->last_action_cost == 0                    ? -0.03
                                                                           : 0.0;
        break;
    }
}

/* What is added whatever the action was. */
LU_INLINE void joker_guide_always(const joker_env *e, double *t) {
    bool laid = e->last_action_type == JOKER_ACT_PLAY || e->last_action_type == JOKER_ACT_DISCARD;
    bool nothing = !(e->score_delta < 0.0 || e->score_delta > 0.0) && e->money_delta == 0 &&
                   e->cards_played == 0 && e->cards_discarded == 0 && !e->blind_cleared &&
                   e->game_end == 0;
    if ((laid || e->last_action_type == JOKER_ACT_SELECT) && nothing) {
        t[JOKER_TERM_NO_OP] = -0.03;
    }
    if (e->stage == JOKER_SHOP) {
        t[JOKER_TERM_JOKER_SHORTAGE_PENALTY] =
            joker_guide_joker_shortage_penalty(e->joker_count, e->ante);
        t[JOKER_TERM_SHOP_SAVING_REWARD] = joker_guide_shop_saving_reward(
            e->money, e->joker_count, e->ante, e->best_shop_joker_cost);
    }
    if (laid && e->stage == JOKER_PLAY && e->blind_type == 2) {
        t[JOKER_TERM_BOSS_ACTION] = 0.0001;
    }
}

/* All components of one step; `was` is the record before it, NULL at the first. */
LU_INLINE void joker_guide(joker_guide_memory *g, const joker_env *was, const joker_env *e,
                           double *t) {
    if (e->game_end != 0) {
        t[JOKER_TERM_GAME_END_REWARD] = joker_guide_game_end_reward(e->game_end, e->ante);
    } else if (e->blind_cleared) {
        joker_guide_cleared(g, e, t);
    } else {
        switch (e->last_action_type) {
        case JOKER_ACT_PLAY:
            joker_guide_play(g, was, e, t);
            break;
        case JOKER_ACT_DISCARD:
            joker_guide_discard(g, was, e, t);
            break;
        case JOKER_ACT_CASH_OUT:
            joker_guide_cash(g, e, t);
            break;
        case JOKER_ACT_NEXT_ROUND:
            t[JOKER_TERM_ANTE_PROGRESS_REWARD] =
                was ? joker_guide_ante_progress_reward(was->ante, e->ante) : 0.0;
            break;
        case JOKER_ACT_SKIP_BLIND:
            t[JOKER_TERM_SKIP_BLIND_REWARD] =
                joker_guide_skip_blind_reward_v2(e->blind_type, e->ante, e->tag_guide_id,
                                                 e->shop_quality_score, e->joker_count, e->money);
            break;
        case JOKER_ACT_USE:
        case JOKER_ACT_BUY_AND_USE:
            t[JOKER_TERM_CONSUMABLE_USE_REWARD] =
                joker_guide_consumable_use_reward(e->ante, e->consumable_id);
            break;
        case JOKER_ACT_BUY:
        case JOKER_ACT_SELL_JOKER:
        case JOKER_ACT_REROLL:
        case JOKER_ACT_BUY_VOUCHER:
        case JOKER_ACT_BUY_PACK:
            joker_guide_spend(was, e, t);
            break;
        default:
            break;
        }
    }
    joker_guide_always(e, t);
}

/* ---- terms of a step in the engine ---- */

/* What the terms need of the state before an action. */
typedef struct joker_prior {
    double score, target;
    int money, ante, round, won, lost;
    bool guide; /* a component has a weight: env is filled in */
    joker_env env;
} joker_prior;

LU_INLINE bool joker_guided(const joker_rules *m) {
    double sum = 0.0;
    for (int k = JOKER_TERM_GUIDE; k < JOKER_TERMS; k++) {
        sum += m->head.weight[k] * m->head.weight[k];
    }
    return sum > 0.0;
}

LU_INLINE void joker_prior_fill(const joker_rules *m, const joker_state *s, joker_prior *b) {
    b->score = s->score;
    b->target = s->target;
    b->money = s->money;
    b->ante = s->top_ante;
    b->round = s->round;
    b->won = s->won;
    b->lost = s->lost;
    b->guide = joker_guided(m);
    if (b->guide) {
        joker_env_fill(m, s, &b->env);
    }
}

LU_INLINE void joker_terms(const joker_rules *m, joker_state *s, const joker_prior *b, double *t) {
    double missing = b->target - b->score;
    double gained = s->last_gain < missing ? s->last_gain : missing;
    t[JOKER_TERM_WIN] = s->won && !b->won ? 1.0 : 0.0;
    t[JOKER_TERM_LOSS] = s->lost && !b->lost ? 1.0 : 0.0;
    t[JOKER_TERM_BLIND] = (double)(s->round - b->round);
    t[JOKER_TERM_ANTE] = (double)(s->top_ante - b->ante);
    t[JOKER_TERM_PROGRESS] = b->target > 0.0 && gained > 0.0 ? gained / b->target : 0.0;
    t[JOKER_TERM_MONEY] = (double)s->last_money / 100.0;
    if (b->guide) {
        joker_env env;
        joker_env_fill(m, s, &env);
        joker_guide(&s->guide, &b->env, &env, t);
    }
}
