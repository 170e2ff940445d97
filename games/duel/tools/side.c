/* One side of an attack from settings: see side.h. */
#include "side.h"

#include "duel_fighter.h"

#include <stdio.h>
#include <string.h>

enum { WORD = 48 };

/* The next name of a list with commas or spaces, as many words as mean something together
 * ("Abyssal whip"), else all up to the comma; false at its end. */
static bool next_name(const char **at, int (*find)(const char *name), char word[WORD], int *row) {
    *at += strspn(*at, ", ");
    size_t all = strcspn(*at, ","), length = all;
    while (all > 0 && (*at)[all - 1] == ' ') {
        length = --all;
    }
    for (*row = -1; length > 0 && *row < 0;) {
        snprintf(word, WORD, "%.*s", (int)(length < WORD ? length : WORD - 1), *at);
        *row = find(word);
        size_t shorter = length;
        while (shorter > 0 && (*at)[shorter - 1] != ' ') {
            shorter--;
        }
        if (*row < 0 && shorter == 0) {
            break;
        }
        length = *row < 0 ? shorter - 1 : length;
    }
    if (*row < 0) {
        snprintf(word, WORD, "%.*s", (int)(all < WORD ? all : WORD - 1), *at);
    }
    *at += *row < 0 ? all : length;
    return all > 0;
}

static int item_named(const char *name) {
    int item;
    return duel_item_find("", name, &item, NULL) == LU_OK ? item : -1;
}

static int potion_named(const char *name) {
    static const char *const words[][3] = {{"brew", "saradomin brew", NULL},
                                           {"restore", "super restore", NULL},
                                           {"super combat", "super combat potion", "combat"},
                                           {"ranging", "ranging potion", NULL}};
    for (int k = 0; k < (int)(sizeof words / sizeof *words); k++) {
        if (duel_named(words[k], 3, name) >= 0) {
            return k + 1;
        }
    }
    return -1;
}

static int prayer_named(const char *name) {
    static const char *const short_names[] = {"protect_magic", "protect_missiles", "protect_melee"};
    static const char *const whole[] = {"protect_from_magic", "protect_from_missiles",
                                        "protect_from_melee"};
    int row = duel_named(short_names, 3, name);
    return duel_named(&(const char *const){"none"}, 1, name) == 0
               ? DUEL_PRAYERS
               : duel_named(duel_prayer_names, DUEL_PRAYERS, row >= 0 ? whole[row] : name);
}

static const char *setting(const lu_settings *settings, const char *name, const char *key) {
    char whole[48];
    snprintf(whole, sizeof whole, "%s.%s", name, key);
    return lu_settings_text_of(settings, whole);
}

/* Items put over those of the set. */
static lu_status put_gear(const char *name, const char *list, duel_side *side, lu_error *error) {
    char word[WORD], what[48];
    int item;
    snprintf(what, sizeof what, "'%s.gear'", name);
    while (next_name(&list, item_named, word, &item)) {
        lu_error why = {0};
        if (item < 0) {
            duel_item_find(what, word, &item, &why);
            return lu_fail(error, LU_BAD_VALUE, "%s", why.text);
        }
        side->item[duel_items[item].slot] = (uint8_t)item;
        if (duel_items[item].two_handed) {
            side->item[DUEL_SLOT_SHIELD] = 0;
        } else if (duel_items[item].slot == DUEL_SLOT_SHIELD &&
                   duel_items[side->item[DUEL_SLOT_WEAPON]].two_handed) {
            return lu_fail(error, LU_BAD_VALUE,
                           "%s: %s takes both hands, so there is no place for %s", what,
                           duel_item_names[side->item[DUEL_SLOT_WEAPON]], duel_item_names[item]);
        }
    }
    return LU_OK;
}

/* "attack=99, hitpoints 40": current levels. */
static lu_status put_levels(const char *name, const char *list, duel_side *side, lu_error *error) {
    for (list += strspn(list, ", "); *list; list += strspn(list, ", ")) {
        char word[WORD], number[WORD];
        size_t length = strcspn(list, "=, "), gap = strspn(list + length, "= ");
        size_t digits = strcspn(list + length + gap, ", ");
        snprintf(word, sizeof word, "%.*s", (int)(length < WORD ? length : WORD - 1), list);
        snprintf(number, sizeof number, "%.*s", (int)(digits < WORD ? digits : WORD - 1),
                 list + length + gap);
        int64_t value;
        int level = duel_named(duel_level_names, DUEL_LEVELS, word);
        if (level < 0 || digits == 0) {
            return lu_fail(error, LU_BAD_VALUE,
                           level < 0 ? "'%s.levels': '%s' isn't a level: attack, strength, "
                                       "defence, ranged, magic, prayer or hitpoints"
                                     : "'%s.levels': '%s' has no number; write attack=118",
                           name, word);
        }
        LU_TRY(lu_parse_i64(word, number, 0, 130, &value, error));
        side->level[level] = (int16_t)value;
        list += length + gap + digits;
    }
    return LU_OK;
}

static lu_status put_potions(const char *name, const char *list, duel_side *side, lu_error *error) {
    char word[WORD];
    int potion;
    while (next_name(&list, potion_named, word, &potion)) {
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
    char word[WORD];
    int prayer;
    if (!*list) {
        side->party.prayers = duel_style_prayers(side->build.high_prayers, style);
        return LU_OK;
    }
    while (next_name(&list, prayer_named, word, &prayer)) {
        if (prayer < 0) {
            const char *near = lu_nearest(word, duel_prayer_names, DUEL_PRAYERS);
            return lu_fail(error, LU_BAD_VALUE, "'%s.prayers': '%s' isn't a prayer%s%s%s", name,
                           word, near ? "; did you mean '" : "", near ? near : "",
                           near ? "'?" : "");
        }
        side->party.prayers |= prayer < DUEL_PRAYERS ? 1u << prayer : 0;
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
