/* Settings and reset options of joker, and the rules block that follows from them. */
#include "joker_words.h"

#include <string.h>

#define X(id, a, b, c, d, e, f, g, h, i, key, title, ...) title,
const char *const joker_deck_titles[JOKER_DECKS + 1] = {JOKER_DECK_ROWS(X) NULL};
#undef X
#define X(table, eternal, perishable, rental, key, title, ...) title,
const char *const joker_stake_titles[JOKER_STAKES + 1] = {JOKER_STAKE_ROWS(X) NULL};
#undef X

const lu_setting joker_setting_rows[JOKER_PLAN_SETTINGS] = {
    {"deck", LU_ENUM, "red", 0, 0,
     "red|blue|yellow|green|black|magic|nebula|ghost|abandoned|checkered|zodiac|painted|anaglyph|"
     "plasma|erratic",
     "The deck.", false},
    {"stake", LU_ENUM, "white", 0, 0, "white|red|green|black|blue|purple|orange|gold",
     "The stake: each has the effects of all before it.", false},
    {"rng", LU_ENUM, "game", 0, 0, "game|fast",
     "Randomness: the streams of the real game's seeds, or a fast generator for training.", false},
    {"win_ante", LU_INT, "8", 1, 38, NULL, "Beating the boss of this ante wins the run.", false},
    {"endless", LU_BOOL, "false", 0, 0, NULL, "Continues after the win, until the run is lost.",
     false},
    {"step_limit", LU_INT, "1000", 0, 1e6, NULL,
     "Decisions after which a run is cut off; 0 = none.", false},
    {"synergy_id", LU_BOOL, "false", 0, 0, NULL,
     "The reward for buying a joker depends on which one it is (doubled for multipliers).", false},
    /* joker-plan-v1 only */
    {"rollouts", LU_INT, "0", 0, 64, NULL,
     "Simulated rounds per option when playing cards; 0 = by rule.", false},
};

const lu_setting joker_option_rows[JOKER_OPTIONS] = {
    {"seed", LU_TEXT, "", 0, 8, NULL,
     "Seed of the game, up to 8 letters and digits, with 0 read as O; empty derives one from the "
     "episode's seed.",
     false},
};

static joker_rules *init(lu_rules *rules, const lu_settings *v, int32_t brief) {
    joker_rules *m = (joker_rules *)(void *)rules;
    m->deck = (int32_t)lu_settings_enum(v, "deck");
    m->stake = (int32_t)lu_settings_enum(v, "stake");
    m->fast = (int32_t)lu_settings_enum(v, "rng");
    rules->state_bytes = (uint32_t)joker_state_bytes(m);
    m->endless = lu_settings_bool(v, "endless");
    m->win_ante = (int32_t)lu_settings_int(v, "win_ante");
    m->step_limit = (int32_t)lu_settings_int(v, "step_limit");
    m->brief = brief;
    m->knows_joker = lu_settings_bool(v, "synergy_id");
    return m;
}

lu_status joker_rules_init(lu_rules *rules, const lu_settings *settings, lu_error *error) {
    (void)error;
    (void)init(rules, settings, 0);
    return LU_OK;
}

lu_status joker_brief_rules_init(lu_rules *rules, const lu_settings *settings, lu_error *error) {
    (void)error;
    (void)init(rules, settings, 1);
    return LU_OK;
}

lu_status joker_plan_rules_init(lu_rules *rules, const lu_settings *settings, lu_error *error) {
    (void)error;
    init(rules, settings, 0)->rollouts = (int32_t)lu_settings_int(settings, "rollouts");
    return LU_OK;
}

lu_status joker_read_seed(const char *text, char seed[9], lu_error *error) {
    memset(seed, 0, 9);
    text += strspn(text, " \t");
    size_t length = strlen(text);
    while (length > 0 && strchr(" \t", text[length - 1])) {
        length--;
    }
    for (size_t i = 0; i < length; i++) {
        char c = text[i] >= 'a' && text[i] <= 'z' ? (char)(text[i] - 'a' + 'A') : text[i];
        if (i >= 8 || !((c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z'))) {
            return lu_fail(error, LU_BAD_VALUE,
                           "seed '%.20s' must be up to 8 letters A to Z and digits, as in TESTSEED",
                           text);
        }
        seed[i] = c == '0' ? 'O' : c;
    }
    return LU_OK;
}

lu_status joker_options_init(const lu_rules *rules, const lu_settings *options, void *block,
                             lu_error *error) {
    joker_options *wish = block;
    char seed[9];
    (void)rules;
    memset(wish, 0, sizeof *wish);
    LU_TRY(joker_read_seed(lu_settings_text_of(options, "seed"), seed, error));
    memcpy(wish->seed, seed, sizeof wish->seed);
    return LU_OK;
}
