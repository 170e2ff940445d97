/* Words of the tables of duel, and its builds with their gear. */
#include "duel_tables.h"

#include <ctype.h>
#include <string.h>

#define KEY(item, key, ...) key,
const char *const duel_item_keys[DUEL_ITEMS] = {"none", DUEL_ITEM_ROWS(KEY)};
const char *const duel_prayer_names[DUEL_PRAYERS] = {DUEL_PRAYER_ROWS(KEY)};
const char *const duel_spell_names[DUEL_SPELLS] = {"none", DUEL_SPELL_ROWS(KEY)};
#undef KEY
#define NAME(item, key, id, name, ...) name,
const char *const duel_item_names[DUEL_ITEMS] = {"none", DUEL_ITEM_ROWS(NAME)};
#undef NAME
#define NUMBER(item, key, id, ...) id,
const int32_t duel_item_numbers[DUEL_ITEMS] = {0, DUEL_ITEM_ROWS(NUMBER)};
#undef NUMBER

const char *const duel_level_names[DUEL_LEVELS] = {"attack", "defence", "strength", "hitpoints",
                                                   "ranged", "prayer",  "magic"};
const char *const duel_set_names[DUEL_SETS] = {"mage", "ranged", "melee", "spec", "tank", "more"};

/* One designated initialiser per cell of the gear, so that rows come in any order. */
#define BUILD(id, text, fight_, a, d, s, h, r, p, m, high, combat_, ranging_, restore_, brew_,     \
              karambwan_, food_, other, lunar_, no_mage_)                                          \
    [id].name = (text), [id].level = {a, d, s, h, r, p, m}, [id].fight = (fight_),                 \
    [id].high_prayers = (high), [id].combat = (combat_), [id].ranging = (ranging_),                \
    [id].restore = (restore_), [id].brew = (brew_), [id].karambwan = (karambwan_),                 \
    [id].food = (food_), [id].other_food = (other), [id].lunar = (lunar_),                         \
    [id].no_mage = (no_mage_), [id].always_lunar = (id) == DUEL_BUILD_DHAROK,
#define GEAR(id, set, a, b, c, d, e, f, g, h, i, j, k)                                             \
    [id].item[set] = {a, b, c, d, e, f, g, h, i, j, k},
const duel_build duel_builds[DUEL_BUILDS] = {DUEL_BUILD_ROWS(BUILD) DUEL_GEAR_ROWS(GEAR)};
#undef BUILD
#undef GEAR

/* The next letter that counts in a name: in any case, '_' for gaps, no apostrophes or brackets. */
static char next_letter(const char **at) {
    *at += **at == ' ' && (*at)[1] == '('; /* "Dragon dagger (p++)", which the game writes as one */
    *at += strspn(*at, "'()");
    char c = **at == ' ' || **at == '-' ? '_' : (char)tolower((unsigned char)**at);
    *at += c != 0;
    return c;
}

int duel_named(const char *const *list, int count, const char *name) {
    for (int i = 0; i < count; i++) {
        const char *a = list[i], *b = name;
        char x = 0, y = 0;
        while (a && (x = next_letter(&a)) == (y = next_letter(&b)) && x) {
        }
        if (a && x == y) {
            return i;
        }
    }
    return -1;
}

int duel_word(const char *const *list, int count, const char *word) {
    for (int i = 0; word && i < count; i++) {
        if (list[i] && strcmp(list[i], word) == 0) {
            return i;
        }
    }
    return -1;
}
