/* Builds from files: see duel_build.h. */
#include "duel_build.h"

#include "ludus/settings.h"
#include "ludus/text.h"

#include <stdio.h>
#include <string.h>

lu_status duel_item_find(const char *what, const char *key, int *item, lu_error *error) {
    *item = duel_named(duel_item_keys, DUEL_ITEMS, key);
    *item = *item > 0 ? *item : duel_named(duel_item_names, DUEL_ITEMS, key);
    if (*item > 0) {
        return LU_OK;
    }
    const char *near = lu_nearest(key, duel_item_keys, DUEL_ITEMS);
    return lu_fail(error, LU_BAD_DATA, "%s: '%s' isn't an item%s%s%s", what, key,
                   near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "");
}

lu_status duel_gear_read(const char *what, const lu_json_value *list, uint8_t *item,
                         lu_error *error) {
    if (lu_json_kind_of(list) != LU_JSON_ARRAY) {
        return lu_fail(error, LU_BAD_DATA, "%s must be a list of items", what);
    }
    memset(item, 0, DUEL_SLOTS);
    for (size_t i = 0; i < lu_json_count(list); i++) {
        const lu_json_value *entry = lu_json_at(list, i);
        int found;
        if (lu_json_kind_of(entry) != LU_JSON_STRING) {
            return lu_fail(error, LU_BAD_DATA, "%s: entry %zu must be the key of an item", what, i);
        }
        LU_TRY(duel_item_find(what, lu_json_text(entry, NULL), &found, error));
        uint8_t *slot = &item[duel_items[found].slot];
        if (*slot) {
            return lu_fail(error, LU_BAD_DATA, "%s: '%s' and '%s' go to the same slot", what,
                           duel_item_keys[*slot], duel_item_keys[found]);
        }
        *slot = (uint8_t)found;
    }
    return LU_OK;
}

int duel_build_food(const duel_build *build) {
    const uint8_t *first =
        build->item[build->item[0][DUEL_SLOT_WEAPON] ? DUEL_SET_MAGE : DUEL_SET_RANGED];
    int carried = duel_gear_count(build->item, DUEL_DRAWN_SETS) - duel_worn_count(first);
    int potions = build->combat + build->ranging + build->restore + build->brew;
    int runes = build->always_lunar ? 3 : 1;
    return DUEL_INVENTORY - carried - potions - build->karambwan - runes;
}

/* ---- the file ---- */

/* A key that nothing reads would be a wish that is passed over. */
static lu_status only_keys(const lu_json_value *object, const char *what, const char *const *keys,
                           size_t count, lu_error *error) {
    for (size_t i = 0; i < lu_json_count(object); i++) {
        const char *key;
        lu_json_member(object, i, &key);
        if (duel_word(keys, (int)count, key) < 0) {
            const char *near = lu_nearest(key, keys, count);
            return lu_fail(error, LU_BAD_DATA, "%s has no '%.60s'%s%s%s", what, key,
                           near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "");
        }
    }
    return LU_OK;
}

/* It is a word on screens and in files. */
static bool is_name(const char *name, size_t room) {
    static const char letters[] =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-";
    return *name && strlen(name) < room && name[strspn(name, letters)] == 0;
}

static lu_status choice(const lu_json_value *object, const char *key, const char *const *words,
                        int count, uint8_t *value, lu_error *error) {
    const char *text;
    LU_TRY(lu_json_get_text(object, key, &text, error));
    int found = duel_word(words, count, text);
    if (found < 0) {
        lu_text list = LU_TEXT_INIT;
        for (int i = 0; i < count; i++) {
            lu_text_addf(&list, "%s%s", i ? ", " : "", words[i]);
        }
        lu_fail(error, LU_BAD_DATA, "'%s' = '%s' must be one of: %s", key, text, list.text);
        lu_text_free(&list);
        return LU_BAD_DATA;
    }
    *value = (uint8_t)found;
    return LU_OK;
}

static lu_status read_levels(const lu_json_value *root, duel_build *build, lu_error *error) {
    const lu_json_value *levels = lu_json_get(root, "levels");
    if (lu_json_kind_of(levels) != LU_JSON_OBJECT) {
        return lu_fail(error, LU_BAD_DATA, "'levels' must be an object of the seven levels");
    }
    LU_TRY(only_keys(levels, "'levels'", duel_level_names, DUEL_LEVELS, error));
    for (int k = 0; k < DUEL_LEVELS; k++) {
        int64_t level;
        LU_TRY(lu_json_get_int(levels, duel_level_names[k], k == DUEL_HITPOINTS ? 10 : 1, 99,
                               &level, error));
        build->level[k] = (int16_t)level;
    }
    return LU_OK;
}

static lu_status read_supplies(const lu_json_value *root, duel_build *build, lu_error *error) {
    static const char *const foods[] = {"shark", "anglerfish"};
    const lu_json_value *supplies = lu_json_get(root, "supplies");
    struct {
        const char *name;
        uint8_t *count;
    } const rows[] = {
        {"super_combat", &build->combat}, {"ranging", &build->ranging},
        {"restore", &build->restore},     {"brew", &build->brew},
        {"karambwan", &build->karambwan},
    };
    if (lu_json_kind_of(supplies) != LU_JSON_OBJECT) {
        return lu_fail(error, LU_BAD_DATA,
                       "'supplies' must be an object of vials, karambwans and the food");
    }
    static const char *const keys[] = {"super_combat", "ranging",   "restore",
                                       "brew",         "karambwan", "food"};
    LU_TRY(only_keys(supplies, "'supplies'", keys, sizeof keys / sizeof *keys, error));
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        int64_t count;
        LU_TRY(lu_json_get_int(supplies, rows[i].name, 0, DUEL_INVENTORY, &count, error));
        *rows[i].count = (uint8_t)count;
    }
    LU_TRY(choice(supplies, "food", foods, 2, &build->food, error));
    build->other_food = build->food;
    return LU_OK;
}

/* Each set needs a weapon of its style; a lunar build has no mage set. */
static lu_status read_sets(const lu_json_value *root, duel_build *build, lu_error *error) {
    const lu_json_value *sets = lu_json_get(root, "sets");
    if (lu_json_kind_of(sets) != LU_JSON_OBJECT) {
        return lu_fail(error, LU_BAD_DATA,
                       "'sets' must be an object with mage, ranged, melee, "
                       "spec");
    }
    LU_TRY(only_keys(sets, "'sets'", duel_set_names, DUEL_DRAWN_SETS, error));
    for (int s = 0; s < DUEL_DRAWN_SETS; s++) {
        char what[32];
        snprintf(what, sizeof what, "sets.%s", duel_set_names[s]);
        const lu_json_value *list = lu_json_get(sets, duel_set_names[s]);
        if (s == DUEL_SET_MAGE && (!list || lu_json_count(list) == 0)) {
            continue;
        }
        const uint8_t *item = build->item[s];
        LU_TRY(duel_gear_read(what, list, build->item[s], error));
        if (item[DUEL_SLOT_SHIELD] && duel_items[item[DUEL_SLOT_WEAPON]].two_handed) {
            return lu_fail(error, LU_BAD_DATA,
                           "%s: '%s' takes both hands, so there is no place for '%s'", what,
                           duel_item_keys[item[DUEL_SLOT_WEAPON]],
                           duel_item_keys[item[DUEL_SLOT_SHIELD]]);
        }
        int kind = duel_items[build->item[s][DUEL_SLOT_WEAPON]].kind;
        bool fits = s == DUEL_SET_MAGE     ? kind == DUEL_CLASS_STAFF
                    : s == DUEL_SET_RANGED ? duel_style_of(kind) == DUEL_SHOT
                                           : kind > DUEL_CLASS_NONE && kind < DUEL_CLASS_CROSSBOW;
        if (!fits) {
            return lu_fail(error, LU_BAD_DATA, "%s: '%s' isn't a %s weapon", what,
                           duel_item_keys[build->item[s][DUEL_SLOT_WEAPON]],
                           s == DUEL_SET_MAGE     ? "magic"
                           : s == DUEL_SET_RANGED ? "ranged"
                                                  : "melee");
        }
    }
    if (!duel_items[build->item[DUEL_SET_SPEC][DUEL_SLOT_WEAPON]].special) {
        return lu_fail(error, LU_BAD_DATA, "sets.spec: '%s' has no special attack",
                       duel_item_keys[build->item[DUEL_SET_SPEC][DUEL_SLOT_WEAPON]]);
    }
    return LU_OK;
}

static lu_status check_build(const duel_build *build, lu_error *error) {
    if (build->high_prayers &&
        (build->level[DUEL_PRAYER] < 77 || build->level[DUEL_DEFENCE] < 70)) {
        return lu_fail(error, LU_BAD_DATA, "'prayers' = 'high' needs prayer 77 and defence 70");
    }
    if (build->level[DUEL_PRAYER] < 45) {
        return lu_fail(error, LU_BAD_DATA, "'levels.prayer' must be at least 45 for the low set");
    }
    if (duel_build_food(build) < 1) {
        return lu_fail(error, LU_BAD_DATA,
                       "gear, potions and runes fill %d of 28 slots: no food fits",
                       DUEL_INVENTORY - duel_build_food(build));
    }
    return LU_OK;
}

static lu_status read_root(const lu_json_value *root, duel_build *build, lu_error *error) {
    static const char *const fights[] = {"normal", "lms", "pvp_arena"};
    static const char *const prayers[] = {"low", "high"};
    static const char *const books[] = {"ancient", "lunar"};
    const char *name;
    if (lu_json_kind_of(root) != LU_JSON_OBJECT) {
        return lu_fail(error, LU_BAD_DATA, "a build must be one JSON object");
    }
    static const char *const keys[] = {"name",   "fight",    "prayers", "spellbook",
                                       "levels", "supplies", "sets"};
    LU_TRY(only_keys(root, "a build", keys, sizeof keys / sizeof *keys, error));
    LU_TRY(lu_json_get_text(root, "name", &name, error));
    if (!is_name(name, sizeof build->name)) {
        return lu_fail(error, LU_BAD_DATA, "'name' must have 1 to %zu letters, digits, _ or -",
                       sizeof build->name - 1);
    }
    snprintf(build->name, sizeof build->name, "%s", name);
    LU_TRY(choice(root, "fight", fights, 3, &build->fight, error));
    LU_TRY(choice(root, "prayers", prayers, 2, &build->high_prayers, error));
    LU_TRY(choice(root, "spellbook", books, 2, &build->always_lunar, error));
    LU_TRY(read_levels(root, build, error));
    LU_TRY(read_supplies(root, build, error));
    LU_TRY(read_sets(root, build, error));
    return check_build(build, error);
}

lu_status duel_build_read(const char *name, const char *text, size_t length, duel_build *build,
                          lu_error *error) {
    lu_error inner;
    duel_build read;
    memset(&read, 0, sizeof read);
    lu_json_document *document = lu_json_read(name, text, length, error);
    if (!document) {
        return LU_BAD_DATA;
    }
    lu_status status = read_root(lu_json_root(document), &read, &inner);
    lu_json_close(document);
    if (status != LU_OK) {
        return lu_fail(error, status, "%s: %s", name, inner.text);
    }
    *build = read;
    return LU_OK;
}
