/* `ludus duel odds`: attack roll, defence roll, exact hit chance, maximum hit and mean damage of
 * one attack, with and without protection, for both rule sets. */
#include "duel_mean.h"
#include "side.h"

#include "ludus/text.h"

#include <stdio.h>
#include <string.h>

#define BUILDS "MAXED|MED|ZERKER|PURE|LMS_MED|LMS_ZERKER|LMS_PURE"
#define SIDE(name, set_)                                                                           \
    {name ".build", LU_ENUM, "MED", 0, 0, BUILDS, "Build of the " name ".", false},                \
        {name, LU_ALIAS, name ".build", 0, 0, NULL, "Build of the " name ".", false},              \
        {name ".build.file",                                                                       \
         LU_FILE,                                                                                  \
         "",                                                                                       \
         0,                                                                                        \
         1 << 15,                                                                                  \
         NULL,                                                                                     \
         "A build from a file (`ludus duel build` checks it), instead of " name ".build.",         \
         false},                                                                                   \
        {name ".set",                                                                              \
         LU_ENUM,                                                                                  \
         set_,                                                                                     \
         0,                                                                                        \
         0,                                                                                        \
         "mage|ranged|melee|spec|tank",                                                            \
         "Gear set that the " name " wears.",                                                      \
         false},                                                                                   \
        {name ".gear",                                                                             \
         LU_TEXT,                                                                                  \
         "",                                                                                       \
         0,                                                                                        \
         400,                                                                                      \
         "commas",                                                                                 \
         "Items worn over the set, separated by commas: \"Abyssal whip, Fire cape\".",             \
         false},                                                                                   \
        {name ".levels",                                                                           \
         LU_TEXT,                                                                                  \
         "",                                                                                       \
         0,                                                                                        \
         200,                                                                                      \
         "commas",                                                                                 \
         "Current levels that differ from the build's: attack=118,hitpoints=40.",                  \
         false},                                                                                   \
        {name ".potions",                                                                          \
         LU_TEXT,                                                                                  \
         "",                                                                                       \
         0,                                                                                        \
         200,                                                                                      \
         "commas",                                                                                 \
         "Doses drunk beforehand, in order: super_combat, ranging, brew, restore.",                \
         false},                                                                                   \
    {                                                                                              \
        name ".prayers", LU_TEXT, "", 0, 200, "commas",                                            \
            "Active prayers, or none; default: those of the weapon's style.", false                \
    }

static const lu_setting rows[] = {
    SIDE("attacker", "melee"),
    SIDE("defender", "mage"),
    {"spell", LU_ENUM, "ice", 0, 0,
     "ice|blood|ice_rush|ice_burst|ice_blitz|ice_barrage|blood_rush|blood_burst|blood_blitz|"
     "blood_barrage",
     "Spell of an attacker with a staff; ice, blood: the best of these that the magic level "
     "allows.",
     false},
    {"special", LU_BOOL, "false", 0, 0, NULL, "Uses the weapon's special attack.", false},
    {"queued", LU_INT, "1", 1, 2, NULL, "Specials of a granite maul in one tick.", false},
};

/* The spell that the setting names, which the magic level must allow. */
static lu_status spell_of(const lu_settings *settings, int32_t magic, uint8_t *spell,
                          lu_error *error) {
    int choice = lu_settings_enum(settings, "spell");
    int first = choice == 0   ? DUEL_SPELL_ICE_RUSH
                : choice == 1 ? DUEL_SPELL_BLOOD_RUSH
                              : DUEL_SPELL_ICE_RUSH + choice - 2;
    *spell = (uint8_t)(choice < 2 ? duel_best_spell(magic, first) : first);
    return magic >= duel_spells[first].level
               ? LU_OK
               : lu_fail(error, LU_BAD_VALUE, "%s needs magic %d, and the attacker's is %d",
                         duel_spell_names[first], duel_spells[first].level, magic);
}

static lu_status blow_of(const lu_settings *settings, const duel_side *by, duel_blow *blow,
                         lu_error *error) {
    const duel_item *weapon = &duel_items[by->item[DUEL_SLOT_WEAPON]];
    bool special = lu_settings_bool(settings, "special");
    memset(blow, 0, sizeof *blow);
    if (by->item[DUEL_SLOT_WEAPON] == 0) {
        return lu_fail(error, LU_BAD_VALUE,
                       "the attacker holds no weapon: name one in "
                       "'attacker.gear'");
    }
    if (special && !weapon->special) {
        return lu_fail(error, LU_BAD_VALUE, "%s has no special attack: leave out 'special'",
                       duel_item_names[by->item[DUEL_SLOT_WEAPON]]);
    }
    blow->weapon = by->item[DUEL_SLOT_WEAPON];
    blow->ammo = by->item[DUEL_SLOT_AMMO];
    blow->type = weapon->type;
    blow->special = special ? weapon->special : 0;
    blow->dharok = duel_is_dharok(by->item);
    blow->queued = (uint8_t)lu_settings_int(settings, "queued");
    blow->base_hitpoints = by->base[DUEL_HITPOINTS];
    blow->style =
        weapon->kind == DUEL_CLASS_STAFF ? DUEL_SPELL : (uint8_t)duel_style_of(weapon->kind);
    if (blow->style == DUEL_SPELL && !special) {
        LU_TRY(spell_of(settings, by->level[DUEL_MAGIC], &blow->spell, error));
    }
    if (!blow->spell && lu_settings_origin(settings, "spell") != LU_FROM_DEFAULT) {
        return lu_fail(error, LU_BAD_VALUE,
                       "'spell' = %s is not cast in this attack with %s: wear a staff "
                       "('attacker.set' = mage), without 'special'",
                       lu_settings_text_of(settings, "spell"), duel_item_names[blow->weapon]);
    }
    if (blow->queued > 1 && blow->special != DUEL_SPECIAL_MAUL) {
        return lu_fail(error, LU_BAD_VALUE,
                       "'queued' = %d is for the special of a granite maul: set 'special', and "
                       "'attacker.gear' to granite_maul",
                       blow->queued);
    }
    return LU_OK;
}

typedef struct answer {
    duel_odds odds;
    char fraction[48];
    double chance, mean, shielded;
    int speed;
} answer;

static answer answer_of(uint32_t live, const duel_blow *blow, const duel_side *by,
                        const duel_side *to) {
    answer a;
    int64_t over, under, x, y;
    a.odds = duel_odds_of(live, blow, &by->party, &to->party);
    duel_chance_parts(a.odds.attack, a.odds.defence, &over, &under);
    for (x = under, y = over; y;) {
        int64_t rest = x % y;
        x = y;
        y = rest;
    }
    snprintf(a.fraction, sizeof a.fraction, "%lld/%lld", (long long)(over / x),
             (long long)(under / x));
    a.chance = (double)over / (double)under;
    a.mean = duel_mean(live, blow, &by->party, &to->party, false);
    a.shielded = duel_mean(live, blow, &by->party, &to->party, true);
    a.speed = blow->style == DUEL_SPELL ? 5 : duel_speed(&duel_items[blow->weapon], live);
    return a;
}

static void write_answer(const char *key, const answer *a, lu_json *json) {
    lu_json_key_object(json, key);
    lu_json_key_int(json, "attack_roll", a->odds.attack);
    lu_json_key_int(json, "defence_roll", a->odds.defence);
    lu_json_key_string(json, "hit_chance", a->fraction);
    lu_json_key_real(json, "hit_chance_f", a->chance);
    lu_json_key_int(json, "max_hit", a->odds.most);
    lu_json_key_real(json, "mean_damage", a->mean);
    lu_json_key_real(json, "mean_damage_protected", a->shielded);
    lu_json_key_int(json, "ticks", a->speed);
    lu_json_object_end(json);
}

static void write_words(const duel_blow *blow, const duel_side *by, const duel_side *to,
                        const answer *answers, lu_json *json) {
    static const char *const names[] = {"reference rules", "game rules"};
    lu_text line = LU_TEXT_INIT;
    lu_json_key_array(json, "words");
    lu_text_addf(&line, "%s, %s%s", by->build.name, duel_item_names[blow->weapon],
                 blow->special ? " (special)" : "");
    if (blow->spell) {
        lu_text_addf(&line, " and %s", duel_spell_names[blow->spell]);
    }
    lu_text_addf(&line, " against %s in %s:", to->build.name,
                 duel_item_names[to->item[DUEL_SLOT_WEAPON]]);
    lu_json_string(json, line.text);
    for (int k = 0; k < 2; k++) {
        const answer *a = &answers[k];
        lu_text_clear(&line);
        lu_text_addf(&line,
                     "  %-15s  roll %d against %d, hits %.2f%% (%s), at most %d, on average %.3f, "
                     "through protection %.3f",
                     names[k], a->odds.attack, a->odds.defence, 100.0 * a->chance, a->fraction,
                     a->odds.most, a->mean, a->shielded);
        lu_json_string(json, line.text);
    }
    lu_json_array_end(json);
    lu_text_free(&line);
}

static lu_status run(const lu_tool_io *io, lu_error *error) {
    duel_side by, to;
    duel_blow blow;
    LU_TRY(duel_side_read(io->settings, "attacker", &by, error));
    LU_TRY(duel_side_read(io->settings, "defender", &to, error));
    LU_TRY(blow_of(io->settings, &by, &blow, error));
    answer answers[2] = {answer_of(0, &blow, &by, &to), answer_of(DUEL_LIVE_ALL, &blow, &by, &to)};
    lu_json json = LU_JSON_INIT;
    lu_json_object(&json);
    lu_json_key_string(&json, "weapon", duel_item_keys[blow.weapon]);
    lu_json_key_bool(&json, "special", blow.special != 0);
    lu_json_key_string(&json, "spell", duel_spell_names[blow.spell]);
    write_answer("ref", &answers[0], &json);
    write_answer("game", &answers[1], &json);
    write_words(&blow, &by, &to, answers, &json);
    lu_json_object_end(&json);
    io->emit(io->user, json.text, json.length);
    lu_json_free(&json);
    return LU_OK;
}

extern const lu_tool lu_tool_duel_odds;
const lu_tool lu_tool_duel_odds = {
    .game = "duel",
    .name = "odds",
    .sentence = "Rolls, exact hit chance, maximum hit and mean damage of one attack.",
    .settings = {"duel odds", rows, sizeof rows / sizeof *rows},
    .run = run,
    .no_files = true,
};
