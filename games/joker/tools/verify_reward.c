/* Checks of the guide's rewards: single components by name and arguments, and whole episodes of
 * info records, to 1e-9. Jokers are named there by the guide's own numbers, which the rules do not
 * use; what depends on them stands here. */
#include "verify.h"

#include "rules/joker_reward.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- the guide's jokers ---- */

static const uint8_t multipliers[] = {27, 64, 93, 97, 100, 111, 112, 113, 114, 115, 120};

enum { PAIRS, STRAIGHT, FLUSH };
static const struct {
    uint8_t joker, build;
} builds[] = {
    {1, FLUSH},     {2, FLUSH},    {3, FLUSH},      {4, FLUSH},   {5, PAIRS},
    {6, PAIRS},     {8, STRAIGHT}, {9, FLUSH},      {10, PAIRS},  {11, PAIRS},
    {13, STRAIGHT}, {14, FLUSH},   {29, STRAIGHT},  {30, FLUSH},  {111, PAIRS},
    {112, PAIRS},   {113, PAIRS},  {114, STRAIGHT}, {115, FLUSH}, {131, STRAIGHT},
};

enum { GROUP_MOST = 7, BOSS_KILLERS = 8 };
static const uint8_t groups[][GROUP_MOST] = {
    {1, 57, 85},
    {5, 6, 10, 11, 111, 112, 113},
    {8, 13, 29, 114, 131},
    {9, 14, 30, 115},
    {23, 64, 97, 120, 129},
    {45, 46, 47, 48, 88},
    {58, 59, 79, 138},
    {53, 61, 62, 63},
    {68, 118},
};
enum { GROUPS = (int)(sizeof groups / sizeof *groups) };

static bool multiplies(double joker) {
    for (size_t k = 0; k < sizeof multipliers; k++) {
        if (joker == (double)multipliers[k]) {
            return true;
        }
    }
    return false;
}

static int build_of(double joker) {
    for (size_t k = 0; k < sizeof builds / sizeof *builds; k++) {
        if (joker == (double)builds[k].joker) {
            return builds[k].build;
        }
    }
    return -1;
}

static bool owns(const lu_json_value *jokers, int joker) {
    for (size_t k = 0; k < lu_json_count(jokers); k++) {
        if (lu_json_real_or(lu_json_at(jokers, k), -1.0) == (double)joker) {
            return true;
        }
    }
    return false;
}

static int owned_of_build(const lu_json_value *jokers, int build) {
    int count = 0;
    for (size_t k = 0; k < lu_json_count(jokers); k++) {
        count += build >= 0 && build_of(lu_json_real_or(lu_json_at(jokers, k), -1.0)) == build;
    }
    return count;
}

/* Different jokers owned of a group. */
static int owned_of_group(const lu_json_value *jokers, int group) {
    int count = 0;
    for (int k = 0; k < GROUP_MOST && groups[group][k]; k++) {
        count += owns(jokers, groups[group][k]);
    }
    return count;
}

/* ---- arguments ---- */

static double real_of(const lu_json_value *in, const char *key) {
    return lu_json_real_or(lu_json_get(in, key), -1.0);
}

static int int_of(const lu_json_value *in, const char *key) {
    double value = real_of(in, key);
    return value > -1e9 && value < 1e9 ? (int)value : -1;
}

/* ---- components ---- */

static double synergy(const lu_json_value *in) {
    const lu_json_value *jokers = lu_json_get(in, "joker_ids");
    int aligned = owned_of_build(jokers, int_of(in, "dominant_build"));
    double value = 0.0;
    if (lu_json_count(jokers) == 0) {
        return 0.0;
    }
    for (int g = 0; g < GROUPS; g++) {
        int count = owned_of_group(jokers, g);
        value += count >= 2 ? 0.02 * (count - 1) : 0.0;
    }
    value += aligned >= 2 ? 0.02 * (aligned - 1) : 0.0;
    value += int_of(in, "boss_blind_id") >= 0 ? 0.02 * owned_of_group(jokers, BOSS_KILLERS) : 0.0;
    return joker_clip(value, 0.0, 0.12);
}

static double targeting(const lu_json_value *in) {
    const lu_json_value *jokers = lu_json_get(in, "joker_ids");
    int hand = int_of(in, "hand_type"), build = -1;
    for (int b = JOKER_GUIDE_BUILDS - 1; b >= 0 && hand >= 0; b--) {
        build = joker_guide_build_hands[b] >> hand & 1u ? b : build;
    }
    double value = 0.02 * owned_of_build(jokers, build);
    if (hand >= 8 && owned_of_build(jokers, STRAIGHT) > 0 && owned_of_build(jokers, FLUSH) > 0) {
        value += 0.04;
    }
    return joker_clip(value, 0.0, 0.10);
}

static double potential(const lu_json_value *in) {
    return joker_guide_potential_change_reward(real_of(in, "new_flush") - real_of(in, "old_flush"),
                                               real_of(in, "new_straight") -
                                                   real_of(in, "old_straight"),
                                               real_of(in, "new_pairs") - real_of(in, "old_pairs"));
}

static double reroll(const lu_json_value *in, bool second) {
    int cost = int_of(in, "reroll_cost"), money = int_of(in, "money_before");
    int ante = int_of(in, "ante");
    return second ? joker_guide_reroll_reward_v2(
                        cost, money, ante, real_of(in, "shop_quality"), int_of(in, "joker_count"),
                        int_of(in, "joker_slot_limit"), int_of(in, "reroll_count_this_shop"))
                  : joker_guide_reroll_reward(cost, money, ante);
}

static double skip(const lu_json_value *in, bool second) {
    int blind = int_of(in, "blind_type"), ante = int_of(in, "ante"), tag = int_of(in, "tag_id");
    return second ? joker_guide_skip_blind_reward_v2(blind, ante, tag, real_of(in, "shop_quality"),
                                                     int_of(in, "joker_count"), int_of(in, "money"))
                  : joker_guide_skip_blind_reward(blind, ante, tag);
}

/* The rewards of playing and discarding. */
static bool round_component(const char *name, const lu_json_value *in, double *value) {
    if (strcmp(name, "play_reward") == 0) {
        *value = joker_guide_play_reward(real_of(in, "score_gained"), real_of(in, "required"),
                                         int_of(in, "hand_type"), int_of(in, "ante"),
                                         int_of(in, "plays_left"));
    } else if (strcmp(name, "discard_reward") == 0) {
        *value = joker_guide_discard_reward(int_of(in, "cards_discarded"));
    } else if (strcmp(name, "blind_clear_reward") == 0) {
        *value = joker_guide_blind_clear_reward(int_of(in, "plays_left"), int_of(in, "blind_type"),
                                                int_of(in, "ante"));
    } else if (strcmp(name, "ante_progress_reward") == 0) {
        *value = joker_guide_ante_progress_reward(int_of(in, "old_ante"), int_of(in, "new_ante"));
    } else if (strcmp(name, "game_end_reward") == 0) {
        *value = joker_guide_game_end_reward(int_of(in, "game_end"), int_of(in, "ante"));
    } else if (strcmp(name, "boss_clear_difficulty_bonus") == 0) {
        *value = joker_guide_boss_clear_difficulty_bonus(int_of(in, "boss_blind_id"),
                                                         int_of(in, "plays_left"));
    } else if (strcmp(name, "blind_progress_signal") == 0) {
        *value = joker_guide_blind_progress_signal(
            real_of(in, "score_before"), real_of(in, "score_after"), real_of(in, "blind_target"),
            int_of(in, "plays_left"), int_of(in, "total_plays"));
    } else if (strcmp(name, "hand_setup_reward") == 0) {
        *value = joker_guide_hand_setup_reward(int_of(in, "prev_hand"), int_of(in, "new_hand"),
                                               lu_json_kind_of(lu_json_get(in, "had_discard")) ==
                                                   LU_JSON_TRUE);
    } else if (strcmp(name, "potential_change_reward") == 0) {
        *value = potential(in);
    } else if (strcmp(name, "hand_type_targeting_reward") == 0) {
        *value = targeting(in);
    } else {
        return false;
    }
    return true;
}

/* The rewards of money and shop. */
static bool shop_component(const char *name, const lu_json_value *in, double *value) {
    int ante = int_of(in, "ante"), jokers = int_of(in, "joker_count");
    if (strcmp(name, "money_reward") == 0) {
        *value = joker_guide_money_reward(int_of(in, "money"), ante);
    } else if (strcmp(name, "joker_buy_reward") == 0) {
        *value = joker_guide_joker_buy_reward(
            int_of(in, "cost"), int_of(in, "money_before"), ante, int_of(in, "joker_count_before"),
            int_of(in, "joker_count_after"), int_of(in, "joker_slot_limit"),
            multiplies(real_of(in, "joker_id")));
    } else if (strncmp(name, "skip_blind_reward", 17) == 0) {
        *value = skip(in, strcmp(name + 17, "_v2") == 0);
    } else if (strncmp(name, "reroll_reward", 13) == 0) {
        *value = reroll(in, strcmp(name + 13, "_v2") == 0);
    } else if (strcmp(name, "sell_joker_reward") == 0) {
        *value = joker_guide_sell_joker_reward(
            int_of(in, "money_gained"), ante, int_of(in, "joker_count_before"),
            int_of(in, "joker_slot_limit"), int_of(in, "joker_sold_id") >= 0);
    } else if (strcmp(name, "joker_holding_bonus") == 0) {
        *value = joker_guide_joker_holding_bonus(jokers, ante);
    } else if (strcmp(name, "joker_shortage_penalty") == 0) {
        *value = joker_guide_joker_shortage_penalty(jokers, ante);
    } else if (strcmp(name, "shop_saving_reward") == 0) {
        *value = joker_guide_shop_saving_reward(int_of(in, "money"), jokers, ante,
                                                int_of(in, "best_shop_joker_cost"));
    } else if (strcmp(name, "consumable_use_reward") == 0) {
        *value = joker_guide_consumable_use_reward(ante, int_of(in, "consumable_id"));
    } else if (strcmp(name, "voucher_buy_reward") == 0) {
        *value =
            joker_guide_voucher_buy_reward(int_of(in, "cost"), int_of(in, "money_before"), ante);
    } else if (strcmp(name, "joker_synergy_reward") == 0) {
        *value = synergy(in);
    } else {
        return false;
    }
    return true;
}

/* Values in files have twelve digits behind the point. */
static void check_reward(lu_check *c, const char *at, double want, double got) {
    lu_check_number(c, at, want, got, 1e-9);
}

static lu_status check_component(lu_check *c, const lu_json_value *entry) {
    const lu_json_value *in = lu_json_get(entry, "in"), *out = lu_json_get(entry, "out");
    const char *name = "";
    double value = 0.0;
    if (lu_json_get_text(entry, "component", &name, NULL) != LU_OK ||
        lu_json_kind_of(in) != LU_JSON_OBJECT || lu_json_kind_of(out) != LU_JSON_NUMBER) {
        return lu_check_bad(c, "a component needs 'component', an object 'in' and a number 'out'");
    }
    if (!round_component(name, in, &value) && !shop_component(name, in, &value)) {
        char text[120];
        snprintf(text, sizeof text, "there is no component '%.60s'", name);
        return lu_check_bad(c, text);
    }
    check_reward(c, "out", lu_json_real_or(out, 0.0), value);
    return LU_OK;
}

/* ---- episodes ---- */

/* Fields that records may leave out, with what they then are. */
static double field(const lu_json_value *info, const char *key, double other) {
    const lu_json_value *value = lu_json_get(info, key);
    if (lu_json_kind_of(value) == LU_JSON_TRUE) {
        return 1.0;
    }
    double number = lu_json_real_or(value, other);
    return number > -1e15 && number < 1e15 ? number : other;
}

static void read_env(const lu_json_value *info, joker_env *e) {
    memset(e, 0, sizeof *e);
    e->chips = field(info, "chips", 0);
    e->blind_target = field(info, "blind_target", 0);
    e->score_delta = field(info, "score_delta", 0);
    e->flush_potential = field(info, "flush_potential", 0);
    e->straight_potential = field(info, "straight_potential", 0);
    e->pairs_potential = field(info, "pairs_potential", 0);
    e->joker_chip_contrib = field(info, "joker_chip_contrib", 0);
    e->joker_mult_contrib = field(info, "joker_mult_contrib", 0);
    e->joker_xmult_contrib = field(info, "joker_xmult_contrib", 0);
    e->score_efficiency = field(info, "score_efficiency", 0);
    e->shop_quality_score = field(info, "shop_quality_score", 0.5);
    const struct {
        const char *key;
        int *into;
        int other;
    } whole[] = {
        {"episode_step", &e->episode_step, 0},
        {"ante", &e->ante, 1},
        {"stage", &e->stage, 0},
        {"blind_type", &e->blind_type, -1},
        {"plays_left", &e->plays_left, 0},
        {"discards_left", &e->discards_left, 0},
        {"money", &e->money, 0},
        {"money_delta", &e->money_delta, 0},
        {"last_action_type", &e->last_action_type, -1},
        {"last_action_cost", &e->last_action_cost, 0},
        {"joker_count", &e->joker_count, 0},
        {"joker_slot_limit", &e->joker_slot_limit, 5},
        {"game_end", &e->game_end, 0},
        {"blind_cleared", &e->blind_cleared, 0},
        {"cards_played", &e->cards_played, 0},
        {"cards_discarded", &e->cards_discarded, 0},
        {"hand_type", &e->hand_type, -1},
        {"tag_id", &e->tag_guide_id, -1},
        {"consumable_id", &e->consumable_id, -1},
        {"joker_sold_id", &e->joker_sold_id, -1},
        {"best_shop_joker_cost", &e->best_shop_joker_cost, 0},
        {"boss_blind_id", &e->boss_guide_id, -1},
        {"reroll_count_this_shop", &e->reroll_count_this_shop, 0},
    };
    for (size_t k = 0; k < sizeof whole / sizeof *whole; k++) {
        double number = field(info, whole[k].key, whole[k].other);
        *whole[k].into = number > -1e9 && number < 1e9 ? (int)number : whole[k].other;
    }
    e->hand_type = e->hand_type < JOKER_GUIDE_HANDS ? e->hand_type : -1;
}

static lu_status check_episode(lu_check *c, const lu_json_value *steps) {
    joker_guide_memory memory = {.hand = -1};
    joker_env env[2];
    if (lu_json_kind_of(steps) != LU_JSON_ARRAY) {
        return lu_check_bad(c, "'steps' must be a list");
    }
    for (size_t k = 0; k < lu_json_count(steps); k++) {
        const lu_json_value *step = lu_json_at(steps, k), *want = lu_json_get(step, "reward");
        double terms[JOKER_TERMS] = {0}, sum = 0.0;
        char at[40];
        if (lu_json_kind_of(lu_json_get(step, "info")) != LU_JSON_OBJECT ||
            lu_json_kind_of(want) != LU_JSON_NUMBER) {
            return lu_check_bad(c, "a step needs an object 'info' and a number 'reward'");
        }
        read_env(lu_json_get(step, "info"), &env[k % 2]);
        joker_guide(&memory, k > 0 ? &env[(k + 1) % 2] : NULL, &env[k % 2], terms);
        for (int t = JOKER_TERM_GUIDE; t < JOKER_TERMS; t++) {
            sum += terms[t];
        }
        snprintf(at, sizeof at, "steps/%zu/reward", k);
        check_reward(c, at, lu_json_real_or(want, 0.0), sum);
    }
    return LU_OK;
}

lu_status joker_check_reward(lu_check *c, const lu_json_value *entry) {
    const lu_json_value *steps = lu_json_get(entry, "steps");
    return steps ? check_episode(c, steps) : check_component(c, entry);
}
