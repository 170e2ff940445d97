/* One side of an attack from settings: see side.h. */
#include "side.h"

#include "duel_fighter.h"

#include <stdio.h>
#include <string.h>

/* The next word of a list with commas or spaces; false at its end. */
static bool next_word(const char **at, char *word, size_t room) {
    *at += strspn(*at, ", ");
    size_t length = strcspn(*at, ", ");
    snprintf(word, room, "%.*s", (int)(length < room ? length : room - 1), *at);
    *at += length;
    return length > 0;
}

static const char *setting(const lu_settings *settings, const char *name, const char *key) {
    char whole[48];
    snprintf(whole, sizeof whole, "%s.%s", name, key);
    return lu_settings_text_of(settings, whole);
}

/* Items put over those of the set. */
static lu_status put_gear(const char *name, const char *list, duel_side *side, lu_error *error) {
    char word[48], what[48];
    snprintf(what, sizeof what, "'%s.gear'", name);
    while (next_word(&list, word, sizeof word)) {
        int item;
        lu_error why = {0};
        if (duel_item_find(what, word, &item, &why) != LU_OK) {
            return lu_fail(error, LU_BAD_VALUE, "%s", why.text);
        }
        side->item[duel_items[item].slot] = (uint8_t)item;
        if (duel_items[item].two_handed) {
            side->item[DUEL_SLOT_SHIELD] = 0;
        } else if (duel_items[item].slot == DUEL_SLOT_SHIELD &&
                   duel_items[side->item[DUEL_SLOT_WEAPON]].two_handed) {
            return lu_fail(error, LU_BAD_VALUE,
                           "%s: '%s' takes both hands, so there is no place for '%s'", what,
                           duel_item_keys[side->item[DUEL_SLOT_WEAPON]], word);
        }
    }
    return LU_OK;
}

/* "attack=99 hitpoints=40": current levels. */
static lu_status put_levels(const char *name, const char *list, duel_side *side, lu_error *error) {
    char word[48];
    while (next_word(&list, word, sizeof word)) {
        char *equal = strchr(word, '=');
        int64_t value;
        if (equal) {
            *equal = 0;
        }
        int level = duel_word(duel_level_names, DUEL_LEVELS, word);
        if (!equal || level < 0) {
            return lu_fail(error, LU_BAD_VALUE,
                           "'%s.levels': '%s' isn't LEVEL=NUMBER with one of the seven levels",
                           name, word);
        }
        LU_TRY(lu_parse_i64(word, equal + 1, 0, 130, &value, error));
        side->level[level] = (int16_t)value;
    }
    return LU_OK;
}

static lu_status put_potions(const char *name, const char *list, duel_side *side, lu_error *error) {
    static const char *const words[DUEL_POTIONS] = {"none", "brew", "restore", "super_combat",
                                                    "ranging"};
    char word[48];
    while (next_word(&list, word, sizeof word)) {
        int potion = duel_word(words, DUEL_POTIONS, word);
        if (potion < 0) {
            return lu_fail(error, LU_BAD_VALUE,
                           "'%s.potions': '%s' must be one of brew, restore, super_combat, ranging",
                           name, word);
        }
        duel_drink(side->level, side->base, potion);
    }
    return LU_OK;
}

/* Prayers that can be on at once: one above the head, and others of one style. */
static bool may_stand_together(uint32_t prayers) {
    uint32_t above = prayers & DUEL_OVERHEADS, others = prayers & ~(uint32_t)DUEL_OVERHEADS;
    bool fits = false;
    for (int style = 0; style < DUEL_STYLES; style++) {
        fits = fits || !(others & ~duel_style_prayers(true, style)) ||
               !(others & ~duel_style_prayers(false, style));
    }
    return fits && !(above & (above - 1));
}

static lu_status put_prayers(const char *name, const char *list, int style, duel_side *side,
                             lu_error *error) {
    char word[48];
    if (!*list) {
        side->party.prayers = duel_style_prayers(side->build.high_prayers, style);
        return LU_OK;
    }
    while (next_word(&list, word, sizeof word)) {
        int prayer = duel_word(duel_prayer_names, DUEL_PRAYERS, word);
        if (prayer < 0 && strcmp(word, "none") != 0) {
            const char *near = lu_nearest(word, duel_prayer_names, DUEL_PRAYERS);
            return lu_fail(error, LU_BAD_VALUE, "'%s.prayers': '%s' isn't a prayer%s%s%s", name,
                           word, near ? "; did you mean '" : "", near ? near : "",
                           near ? "'?" : "");
        }
        side->party.prayers |= prayer >= 0 ? 1u << prayer : 0;
    }
    return may_stand_together(side->party.prayers)
               ? LU_OK
               : lu_fail(error, LU_BAD_VALUE, "'%s.prayers': some of these switch others off",
                         name);
}

lu_status duel_side_read(const lu_settings *settings, const char *name, duel_side *side,
                         lu_error *error) {
    char key[48];
    memset(side, 0, sizeof *side);
    const duel_build *build = &side->build;
    snprintf(key, sizeof key, "%s.build", name);
    side->build = duel_builds[lu_settings_enum(settings, key)];
    snprintf(key, sizeof key, "%s.build.file", name);
    const lu_file_text *file = lu_settings_file_of(settings, key, 0);
    if (file) {
        LU_TRY(duel_build_read(file->name, file->text, file->length, &side->build, error));
    }
    snprintf(key, sizeof key, "%s.set", name);
    int set = lu_settings_enum(settings, key);
    memcpy(side->level, build->level, sizeof side->level);
    memcpy(side->base, build->level, sizeof side->base);
    if (set == DUEL_SET_TANK) {
        duel_tank_set(build->item[DUEL_SET_MAGE], build->item[DUEL_SET_RANGED], side->item);
    } else {
        memcpy(side->item, build->item[set], DUEL_SLOTS);
    }
    LU_TRY(put_gear(name, setting(settings, name, "gear"), side, error));
    LU_TRY(put_potions(name, setting(settings, name, "potions"), side, error));
    LU_TRY(put_levels(name, setting(settings, name, "levels"), side, error));
    int kind = duel_items[side->item[DUEL_SLOT_WEAPON]].kind;
    int style = kind == DUEL_CLASS_STAFF ? DUEL_SPELL : duel_style_of(kind);
    LU_TRY(put_prayers(name, setting(settings, name, "prayers"), style, side, error));
    duel_gear_bonus(side->item, side->bonus);
    side->party.level = side->level;
    side->party.bonus = side->bonus;
    side->party.stance = duel_items[side->item[DUEL_SLOT_WEAPON]].stance;
    return LU_OK;
}
