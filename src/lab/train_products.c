/* Weights of rewards and numbers of exploiters that other programs give as a product of two
 * options: see ludus/preset.h. */
#include "ludus/preset.h"

#include "ludus/game_ask.h"
#include "ludus/text.h"

#include <string.h>
#include <strings.h>

#define SWITCH(name, sentence)                                                                     \
    { name, LU_BOOL, "", 0, 0, NULL, sentence, false }
#define TIMES(name, sentence)                                                                      \
    { name, LU_SCHEDULE, "", -1e6, 1e6, NULL, sentence, false }

static const lu_setting rows[] = {
    {"reward_heals", LU_TEXT, "", 0, 200, NULL,
     "Sets reward.heals to -reward.damage_received_scale (true), to 0 (false), or to the weight "
     "that it gives.",
     false},
    SWITCH("penalize_target_heals", "Sets reward.target_heals to -reward.damage_dealt_scale or 0."),
    TIMES("smite_damage_dealt_reward_multiplier",
          "Sets reward.smite_damage_dealt to this times reward.damage_dealt_scale."),
    TIMES("smite_damage_received_reward_multiplier",
          "Sets reward.smite_damage_received to this times reward.damage_received_scale."),
    SWITCH("penalize_wasted_food",
           "Sets reward.wasted_food to player_wasted_food_multiplier (default 1) times "
           "reward.damage_received_scale, or to 0."),
    TIMES("player_wasted_food_multiplier",
          "Sets reward.wasted_food to this times reward.damage_received_scale."),
    SWITCH("penalize_food_on_death",
           "Sets reward.died_with_food to player_died_with_food_multiplier (default 1) times "
           "reward.damage_received_scale, or to 0."),
    SWITCH(
        "reward_target_food_on_death",
        "Sets reward.target_died_with_food to player_died_with_food_multiplier (default 1) times "
        "reward.damage_dealt_scale, or to 0."),
    TIMES("player_died_with_food_multiplier",
          "Factor of penalize_food_on_death and reward_target_food_on_death; food_on_death = "
          "curved gives the reference's (scale + 1.2)^1.5."),
    TIMES("safe_penalty",
          "Sets reward.safe to minus this; safe_by_share stands for eat_at_food_scale."),
    SWITCH("train_main_exploiter",
           "Whether there are main exploiters: num_main_exploiters (default 1), or none."),
    SWITCH("train_league_exploiter",
           "Whether there are league exploiters: num_league_exploiters (default 1), or none."),
};
const lu_table lu_train_products_table = {"products", rows, (int)(sizeof rows / sizeof *rows)};

/* A weight is sign x factor x times, or 0 where `yes` says no; it stays where neither is given. */
typedef struct product {
    const char *weight, *factor; /* terms; factor NULL: 1 */
    const char *sign, *yes, *times;
} product;

static const product products[] = {
    {"heals", "damage_received_scale", "-1", "reward_heals", NULL},
    {"target_heals", "damage_dealt_scale", "-1", "penalize_target_heals", NULL},
    {"smite_damage_dealt", "damage_dealt_scale", "1", NULL, "smite_damage_dealt_reward_multiplier"},
    {"smite_damage_received", "damage_received_scale", "1", NULL,
     "smite_damage_received_reward_multiplier"},
    {"wasted_food", "damage_received_scale", "1", "penalize_wasted_food",
     "player_wasted_food_multiplier"},
    {"died_with_food", "damage_received_scale", "1", "penalize_food_on_death",
     "player_died_with_food_multiplier"},
    {"target_died_with_food", "damage_dealt_scale", "1", "reward_target_food_on_death",
     "player_died_with_food_multiplier"},
    {"safe", NULL, "-1", NULL, "safe_penalty"},
};

static bool given(const lu_settings *settings, const char *key) {
    return key && *lu_settings_text_of(settings, key);
}

/* Adds "*(weight)" of a term: as it is set, or as its mode has it. */
static void add_factor(const lu_settings *settings, const lu_game *game, const char *term,
                       lu_text *text) {
    lu_text key = LU_TEXT_INIT;
    lu_text_addf(&key, "reward.%s", term);
    const char *set = lu_settings_text_of(settings, key.text);
    int mode =
        lu_settings_has(settings, "reward.mode") ? lu_settings_enum(settings, "reward.mode") : 0;
    for (int t = 0; t < game->terms && !*set; t++) {
        if (strcmp(game->term[t].name, term) == 0) {
            lu_text_addf(text, "*(%.17g)", game->term[t].weight[mode]);
        }
    }
    if (*set) {
        lu_text_addf(text, "*(%s)", set);
    }
    lu_text_free(&key);
}

/* Whether a word says yes, of the first `most` words here; -1: it is none of them. */
static int truth(const char *text, int most) {
    static const char *const words[] = {"false", "true", "no", "yes", "off", "on", "0", "1"};
    for (int i = 0; i < most; i++) {
        if (strcasecmp(text, words[i]) == 0) {
            return i & 1;
        }
    }
    return -1;
}

static lu_status set_product(lu_settings *settings, const lu_game *game, const product *p,
                             lu_error *error) {
    const char *from = given(settings, p->times) ? p->times : p->yes;
    const char *said = given(settings, p->yes) ? lu_settings_text_of(settings, p->yes) : "";
    lu_text key = LU_TEXT_INIT, text = LU_TEXT_INIT;
    lu_text_addf(&key, "reward.%s", p->weight);
    bool own = lu_same_key(from, key.text); /* numbers are the weight itself, and so is 1 */
    int yes = truth(said, own ? 6 : 8);
    lu_status status = LU_OK;
    if (!lu_settings_has(settings, key.text)) {
        status =
            lu_fail(error, LU_USAGE, "'%s' is for games with the term %s, which %s does not have",
                    from, p->weight, game->name);
    } else if (given(settings, key.text) &&
               lu_settings_origin(settings, key.text) >= lu_settings_origin(settings, from)) {
        status =
            lu_fail(error, LU_USAGE, "'%s' and '%s' set the same weight: keep one", from, key.text);
    } else if (yes == 0) {
        lu_text_add(&text, "0");
    } else if (yes < 0 && own) {
        lu_text_add(&text, said); /* the weight itself */
    } else {
        lu_text_add(&text, p->sign);
        if (given(settings, p->times)) {
            lu_text_addf(&text, "*(%s)", lu_settings_text_of(settings, p->times));
        }
        if (p->factor) {
            add_factor(settings, game, p->factor, &text);
        }
    }
    LU_THEN(status,
            lu_settings_set(settings, key.text, text.text, lu_settings_origin(settings, from),
                            lu_settings_where(settings, from), error));
    lu_text_free(&key);
    lu_text_free(&text);
    return status;
}

/* "No" is none, whatever their number is; "yes" is that number, and at least one. */
static lu_status set_exploiters(lu_settings *settings, const char *from, const char *key,
                                lu_error *error) {
    bool yes = truth(lu_settings_text_of(settings, from), 8) == 1;
    return !given(settings, from) || yes == (lu_settings_int(settings, key) > 0)
               ? LU_OK
               : lu_settings_set(settings, key, yes ? "1" : "0", lu_settings_origin(settings, from),
                                 from, error);
}

lu_status lu_train_products_settle(lu_settings *settings, const lu_game *game, lu_error *error) {
    lu_status status = LU_OK;
    for (size_t i = 0; i < sizeof products / sizeof *products && status == LU_OK; i++) {
        if (given(settings, products[i].yes) || given(settings, products[i].times)) {
            status = set_product(settings, game, &products[i], error);
        }
    }
    LU_THEN(status,
            set_exploiters(settings, "train_main_exploiter", "league.main_exploiters", error));
    LU_THEN(status,
            set_exploiters(settings, "train_league_exploiter", "league.league_exploiters", error));
    return status;
}
