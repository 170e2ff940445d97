/* Settings of duel and of its Dharok variant, and the rules block that follows from them. */
#include "duel.h"
#include "duel_build.h"

#include <stdio.h>
#include <string.h>

#define BUILD_CHOICES "MAXED|MED|ZERKER|PURE|LMS_MED|LMS_ZERKER|LMS_PURE"

/* Rows of both variants. */
#define SHARED(fights_to_the_end)                                                                  \
    {"rules",                                                                                      \
     LU_ENUM,                                                                                      \
     "ref",                                                                                        \
     0,                                                                                            \
     0,                                                                                            \
     "ref|game",                                                                                   \
     "Formulas of the reference's simulation, or of the live game.",                               \
     false},                                                                                       \
        {"rules.live",                                                                             \
         LU_LIST,                                                                                  \
         "",                                                                                       \
         1,                                                                                        \
         DUEL_LIVE_ROWS,                                                                           \
         NULL,                                                                                     \
         "Differences (rows of the table in the README) taken from the live game under ref.",      \
         false},                                                                                   \
        {"ticks_max",                                                                              \
         LU_INT,                                                                                   \
         "3000",                                                                                   \
         0,                                                                                        \
         1e9,                                                                                      \
         NULL,                                                                                     \
         "Ticks after which a match is cut off; 0: never.",                                        \
         false},                                                                                   \
        {"pid.low",                                                                                \
         LU_INT,                                                                                   \
         "0",                                                                                      \
         0,                                                                                        \
         250,                                                                                      \
         NULL,                                                                                     \
         "Minimum ticks until a new PID; 0: 40 in ref, 100 in game.",                              \
         false},                                                                                   \
        {"pid.high",                                                                               \
         LU_INT,                                                                                   \
         "0",                                                                                      \
         0,                                                                                        \
         250,                                                                                      \
         NULL,                                                                                     \
         "Maximum ticks until a new PID; 0: 60 in ref, 150 in game.",                              \
         false},                                                                                   \
        {"death_match",                                                                            \
         LU_BOOL,                                                                                  \
         fights_to_the_end,                                                                        \
         0,                                                                                        \
         0,                                                                                        \
         NULL,                                                                                     \
         "Fight to the end; otherwise it is a tie when a side has no food left.",                  \
         false},                                                                                   \
        {"reward_on_damage_generated",                                                             \
         LU_BOOL,                                                                                  \
         "true",                                                                                   \
         0,                                                                                        \
         0,                                                                                        \
         NULL,                                                                                     \
         "Damage terms count damage when it is decided; otherwise when it is taken.",              \
         false},                                                                                   \
        {"safe_by_share",                                                                          \
         LU_BOOL,                                                                                  \
         "false",                                                                                  \
         0,                                                                                        \
         0,                                                                                        \
         NULL,                                                                                     \
         "The term safe is the share of hitpoints before eating; otherwise 1.",                    \
         false},                                                                                   \
    {                                                                                              \
        "food_on_death", LU_ENUM, "plain", 0, 0, "plain|curved",                                   \
            "Terms of food left at the end: its share x, or x (x + 1.2)^1.5 as in the main "       \
            "preset.",                                                                             \
            false                                                                                  \
    }

/* Names that the reference and its users have for settings and weights. */
#define ALIAS(name, key)                                                                           \
    { name, LU_ALIAS, key, 0, 0, NULL, "Another name.", false }
#define ALIASES                                                                                    \
    ALIAS("max_episode_ticks", "ticks_max"), ALIAS("reward.ko", "reward.win"),                     \
        ALIAS("reward.death", "reward.lose"), ALIAS("default_reward", "reward.default"),           \
        ALIAS("win_reward", "reward.win"), ALIAS("lose_reward", "reward.lose"),                    \
        ALIAS("tie_reward", "reward.tie"),                                                         \
        ALIAS("damage_dealt_reward_scale", "reward.damage_dealt_scale"),                           \
        ALIAS("damage_received_reward_scale", "reward.damage_received_scale"),                     \
        ALIAS("protected_correct_prayer_reward", "reward.protected_correct_prayer"),               \
        ALIAS("protected_wrong_prayer_reward", "reward.protected_wrong_prayer"),                   \
        ALIAS("protected_previous_correct_prayer_reward",                                          \
              "reward.protected_previous_correct_prayer"),                                         \
        ALIAS("protected_previous_wrong_prayer_reward", "reward.protected_previous_wrong_prayer"), \
        ALIAS("attacked_correct_prayer_reward", "reward.attacked_correct_prayer"),                 \
        ALIAS("attacked_wrong_prayer_reward", "reward.attacked_wrong_prayer"),                     \
        ALIAS("attacked_previous_correct_prayer_reward",                                           \
              "reward.attacked_previous_correct_prayer"),                                          \
        ALIAS("attacked_previous_wrong_prayer_reward", "reward.attacked_previous_wrong_prayer"),   \
        ALIAS("target_frozen_tick_reward", "reward.target_frozen_tick"),                           \
        ALIAS("player_frozen_tick_reward", "reward.player_frozen_tick"),                           \
        ALIAS("no_prayer_tick_reward", "reward.no_prayer_tick"),                                   \
        ALIAS("attack_level_scale_reward", "reward.attack_level_scale"),                           \
        ALIAS("strength_level_scale_reward", "reward.strength_level_scale"),                       \
        ALIAS("defense_level_scale_reward", "reward.defense_level_scale"),                         \
        ALIAS("ranged_level_scale_reward", "reward.ranged_level_scale"),                           \
        ALIAS("magic_level_scale_reward", "reward.magic_level_scale"),                             \
        ALIAS("reward_on_hit_with_boost_scale", "reward.hit_with_boost_scale")

const lu_setting duel_rows[] = {
    SHARED("true"),
    {"build", LU_ENUM, "PURE", 0, 0, BUILD_CHOICES, "Build of both sides.", false},
    {"build.file", LU_FILE, "", 0, 1 << 15, NULL,
     "A build from a file (`ludus duel build` checks it), instead of the setting build.", false},
    {"target_build", LU_ENUM, "same", 0, 0, "same|" BUILD_CHOICES,
     "Build of the second side; same: as the first.", false},
    {"randomize_build", LU_BOOL, "false", 0, 0, NULL,
     "Draws the build of each side from random_build_options.", false},
    {"random_build_options", LU_TEXT, "PURE,ZERKER,MED", 0, 120, "commas",
     "Builds to draw from, separated by commas.", false},
    {"randomize_gear", LU_BOOL, "false", 0, 0, NULL,
     "Draws changes of gear and supplies for each side.", false},
    {"fight_type", LU_ENUM, "build", 0, 0, "build|normal|lms|pvp_arena",
     "Fight type; build: that of the first side's build.", false},
    {"randomize_fight_type", LU_BOOL, "false", 0, 0, NULL, "Draws one of the three fight types.",
     false},
    {"only_switch_prayer_when_about_to_attack", LU_BOOL, "true", 0, 0, NULL,
     "Protections may only change when the opponent can attack next.", false},
    {"only_switch_gear_when_attack_soon", LU_BOOL, "true", 0, 0, NULL,
     "Attacks may only be chosen when one's own attack is due.", false},
    {"allow_smite", LU_BOOL, "true", 0, 0, NULL, "Smite may be used.", false},
    {"allow_redemption", LU_BOOL, "true", 0, 0, NULL, "Redemption may be used.", false},
    {"allow_moving_if_can_attack", LU_BOOL, "false", 0, 0, NULL,
     "Movement may be chosen when an attack is due.", false},
    {"scripted_opponent", LU_BOOL, "false", 0, 0, NULL,
     "The game drives the second side by the reference's script.", false},
    {"exchange.rounds", LU_INT, "0", 0, 10000, NULL,
     "The bare exchange instead of a fight: this many rounds of choosing a style and a protection, "
     "without supplies, movement or wounds; 0: a fight.",
     false},
    ALIASES,
    ALIAS("account_build", "build"),
};
LU_STATIC_ASSERT(LU_COUNT(duel_rows) == DUEL_ROWS, "duel.h counts the rows");
const lu_setting dharok_rows[] = {SHARED("false"), ALIASES};
LU_STATIC_ASSERT(LU_COUNT(dharok_rows) == DHAROK_ROWS, "duel.h counts the rows");

/* ---- the rules block ---- */

static lu_status shared_init(duel_rules *r, const lu_settings *settings, lu_error *error) {
    const double *rows;
    size_t count = lu_settings_list(settings, "rules.live", &rows);
    bool game = lu_settings_enum(settings, "rules") == 1;
    r->live = game ? DUEL_LIVE_ALL : 0;
    for (size_t i = 0; i < count; i++) {
        r->live |= 1u << ((int)rows[i] - 1);
    }
    bool late = (r->live & DUEL_LIVE_PID) != 0;
    r->pid_low = (int32_t)lu_settings_int(settings, "pid.low");
    r->pid_high = (int32_t)lu_settings_int(settings, "pid.high");
    r->pid_low = r->pid_low ? r->pid_low : late ? 100 : 40;
    r->pid_high = r->pid_high ? r->pid_high : late ? 150 : 60;
    if (r->pid_low > r->pid_high) {
        return lu_fail(error, LU_BAD_VALUE, "'pid.low' = %d is above 'pid.high' = %d", r->pid_low,
                       r->pid_high);
    }
    memcpy(r->build, duel_builds, sizeof duel_builds);
    r->limit = (int32_t)lu_settings_int(settings, "ticks_max");
    r->death_match = lu_settings_bool(settings, "death_match");
    r->generated = lu_settings_bool(settings, "reward_on_damage_generated");
    r->safe_by_share = lu_settings_bool(settings, "safe_by_share");
    r->curved_food = lu_settings_enum(settings, "food_on_death") == 1;
    return LU_OK;
}

static void choose_one(duel_rules *r, int seat, int build) {
    r->choice[seat][0] = (uint8_t)build;
    r->choices[seat] = 1;
}

/* The list of random_build_options, for both seats. */
static lu_status choose_from(duel_rules *r, const char *text, lu_error *error) {
    int count = 0;
    while (*text) {
        char name[32];
        size_t length = strcspn(text, ",");
        int found = -1;
        snprintf(name, sizeof name, "%.*s", (int)(length < 31 ? length : 31), text);
        for (int b = 0; b < DUEL_NH_BUILDS; b++) {
            found = strcmp(duel_builds[b].name, name) == 0 ? b : found;
        }
        if (found < 0) {
            return lu_fail(error, LU_BAD_VALUE, "'random_build_options': '%s' isn't one of %s",
                           name, BUILD_CHOICES);
        }
        if (count == DUEL_NH_BUILDS) {
            return lu_fail(error, LU_BAD_VALUE, "'random_build_options' names more than %d builds",
                           DUEL_NH_BUILDS);
        }
        r->choice[0][count] = r->choice[1][count] = (uint8_t)found;
        count++;
        text += length + (text[length] ? 1 : 0);
    }
    if (count == 0) {
        return lu_fail(error, LU_BAD_VALUE, "'random_build_options' must name a build");
    }
    r->choices[0] = r->choices[1] = (uint8_t)count;
    return LU_OK;
}

/* A build that is named over a preset which draws builds would be passed over. */
static lu_status check_drawn(const lu_settings *settings, const lu_file_text *file,
                             lu_error *error) {
    static const char *const keys[] = {"build", "target_build"};
    const char *key = file ? "build.file" : NULL;
    for (int k = 0; k < 2 && !key; k++) {
        bool over =
            lu_settings_origin(settings, keys[k]) > lu_settings_origin(settings, "randomize_build");
        key = over ? keys[k] : NULL;
    }
    return key ? lu_fail(error, LU_BAD_VALUE,
                         "'%s' = %s is one build, and 'randomize_build' draws others: set it to "
                         "false",
                         key, file ? file->name : lu_settings_text_of(settings, key))
               : LU_OK;
}

static lu_status builds_init(duel_rules *r, const lu_settings *settings, lu_error *error) {
    const lu_file_text *file = lu_settings_file_of(settings, "build.file", 0);
    int mine = lu_settings_enum(settings, "build"),
        his = lu_settings_enum(settings, "target_build");
    if (file) {
        mine = DUEL_RULE_BUILDS - 1;
        LU_TRY(duel_build_read(file->name, file->text, file->length, &r->build[mine], error));
    }
    if (lu_settings_bool(settings, "randomize_build")) {
        LU_TRY(check_drawn(settings, file, error));
        return choose_from(r, lu_settings_text_of(settings, "random_build_options"), error);
    }
    choose_one(r, 0, mine);
    choose_one(r, 1, his > 0 ? his - 1 : mine);
    return LU_OK;
}

lu_status duel_rules_init(lu_rules *head, const lu_settings *settings, lu_error *error) {
    duel_rules *r = (duel_rules *)(void *)head;
    LU_TRY(shared_init(r, settings, error));
    LU_TRY(builds_init(r, settings, error));
    r->fight = (uint8_t)lu_settings_enum(settings, "fight_type");
    r->fight = lu_settings_bool(settings, "randomize_fight_type") ? 4 : r->fight;
    r->draw_gear = lu_settings_bool(settings, "randomize_gear");
    r->prayer_when_about = lu_settings_bool(settings, "only_switch_prayer_when_about_to_attack");
    r->gear_when_soon = lu_settings_bool(settings, "only_switch_gear_when_attack_soon");
    r->smite = lu_settings_bool(settings, "allow_smite");
    r->redemption = lu_settings_bool(settings, "allow_redemption");
    r->move_when_ready = lu_settings_bool(settings, "allow_moving_if_can_attack");
    r->driven = lu_settings_bool(settings, "scripted_opponent");
    r->rounds = (int32_t)lu_settings_int(settings, "exchange.rounds");
    if (r->rounds && r->driven) {
        return lu_fail(error, LU_BAD_VALUE,
                       "'scripted_opponent' cannot play the exchange: set 'exchange.rounds' to 0");
    }
    return LU_OK;
}

lu_status dharok_rules_init(lu_rules *head, const lu_settings *settings, lu_error *error) {
    duel_rules *r = (duel_rules *)(void *)head;
    LU_TRY(shared_init(r, settings, error));
    choose_one(r, 0, DUEL_BUILD_DHAROK);
    choose_one(r, 1, DUEL_BUILD_DHAROK);
    return LU_OK;
}

bool duel_drives(const lu_rules *rules, int seat) {
    return seat == 1 && ((const duel_rules *)(const void *)rules)->driven;
}
