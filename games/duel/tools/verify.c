/* `ludus verify duel FILE...`: formula vectors ("duel-formula-vectors/1") and extras
 * ("duel-extras/1": potion sequences, prayer drain, hit delays) against the rules. */
#include "duel_build.h"
#include "duel_mean.h"

#include "ludus/verify.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- one side of a vector ---- */

typedef struct side {
    duel_party party;
    int16_t level[DUEL_LEVELS], base[DUEL_LEVELS], bonus[DUEL_BONUSES];
    uint8_t item[DUEL_SLOTS];
} side;

static lu_status read_levels(const lu_json_value *object, const char *key, int16_t *level,
                             lu_error *error) {
    const lu_json_value *levels = lu_json_get(object, key);
    if (lu_json_kind_of(levels) != LU_JSON_OBJECT) {
        return lu_fail(error, LU_BAD_DATA, "'%s' must be an object of levels", key);
    }
    for (int k = 0; k < DUEL_LEVELS; k++) {
        int64_t value;
        LU_TRY(lu_json_get_int(levels, duel_level_names[k], 0, 255, &value, error));
        level[k] = (int16_t)value;
    }
    return LU_OK;
}

static lu_status read_prayers(const lu_json_value *list, uint32_t *bits, lu_error *error) {
    *bits = 0;
    for (size_t i = 0; i < lu_json_count(list); i++) {
        const char *name = lu_json_text(lu_json_at(list, i), NULL);
        int prayer = duel_word(duel_prayer_names, DUEL_PRAYERS, name);
        if (prayer < 0) {
            return lu_fail(error, LU_BAD_DATA, "'%s' isn't a prayer of this game",
                           name ? name : "");
        }
        *bits |= 1u << prayer;
    }
    return LU_OK;
}

static lu_status read_side(const lu_json_value *object, side *s, lu_error *error) {
    static const char *const stances[] = {"none",       "accurate",  "aggressive",
                                          "controlled", "defensive", "rapid"};
    memset(s, 0, sizeof *s);
    if (lu_json_kind_of(object) != LU_JSON_OBJECT) {
        return lu_fail(error, LU_BAD_DATA, "attacker and defender must be objects");
    }
    LU_TRY(read_levels(object, "levels", s->level, error));
    memcpy(s->base, s->level, sizeof s->base);
    if (lu_json_get(object, "max_levels")) {
        LU_TRY(read_levels(object, "max_levels", s->base, error));
    }
    LU_TRY(duel_gear_read("'gear'", lu_json_get(object, "gear"), s->item, error));
    LU_TRY(read_prayers(lu_json_get(object, "prayers"), &s->party.prayers, error));
    duel_gear_bonus(s->item, s->bonus);
    const char *text = lu_json_text(lu_json_get(object, "stance"), NULL);
    int stance = duel_word(stances, 6, text);
    s->party.stance = stance >= 0 ? stance : duel_items[s->item[DUEL_SLOT_WEAPON]].stance;
    s->party.level = s->level;
    s->party.bonus = s->bonus;
    return LU_OK;
}

static lu_status read_blow(const lu_json_value *vector, side *by, duel_blow *blow,
                           lu_error *error) {
    static const char *const kinds[] = {"melee", "ranged", "magic"};
    static const char *const types[] = {"stab", "slash", "crush", "magic", "ranged"};
    const lu_json_value *attacker = lu_json_get(vector, "attacker");
    const char *kind;
    int64_t number;
    memset(blow, 0, sizeof *blow);
    LU_TRY(lu_json_get_text(vector, "kind", &kind, error));
    int style = duel_word(kinds, 3, kind);
    if (style < 0) {
        return lu_fail(error, LU_BAD_DATA, "'kind' = '%s' must be melee, ranged or magic", kind);
    }
    blow->style = (uint8_t)style;
    blow->weapon = by->item[DUEL_SLOT_WEAPON];
    blow->ammo = by->item[DUEL_SLOT_AMMO];
    blow->queued = 1;
    blow->base_hitpoints = by->base[DUEL_HITPOINTS];
    blow->dharok = duel_is_dharok(by->item);
    int type = duel_word(types, 5, lu_json_text(lu_json_get(attacker, "type"), NULL));
    blow->type = type >= 0 ? (uint8_t)type : duel_items[blow->weapon].type;
    const char *special = lu_json_text(lu_json_get(attacker, "special"), NULL);
    if (special) {
        blow->special = duel_items[blow->weapon].special;
        if (!blow->special) {
            return lu_fail(error, LU_BAD_DATA, "'special' = '%.60s': the weapon '%s' has none",
                           special, duel_item_keys[blow->weapon]);
        }
    }
    const char *spell = lu_json_text(lu_json_get(attacker, "spell"), NULL);
    if (spell) {
        int found = duel_word(duel_spell_names, DUEL_SPELLS, spell);
        if (found < 1) {
            return lu_fail(error, LU_BAD_DATA, "'%s' isn't a spell of this game", spell);
        }
        blow->spell = (uint8_t)found;
    }
    if (lu_json_get(attacker, "queued")) {
        LU_TRY(lu_json_get_int(attacker, "queued", 1, 2, &number, error));
        blow->queued = (uint8_t)number;
    }
    if (lu_json_get(attacker, "hp")) {
        LU_TRY(lu_json_get_int(attacker, "hp", 0, 255, &number, error));
        by->level[DUEL_HITPOINTS] = (int16_t)number;
    }
    return LU_OK;
}

/* ---- comparing ---- */

static int64_t divisor(int64_t a, int64_t b) {
    while (b) {
        int64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a ? a : 1;
}

/* The chance as the simulation computes it, in single precision step by step. */
static double single(int32_t attack, int32_t defence) {
    float a = (float)attack, d = (float)defence;
    return attack > defence ? (double)(1.0f - (d + 2.0f) / (2.0f * (a + 1.0f)))
                            : (double)(a / (2.0f * (d + 1.0f)));
}

static double rounded(double value, double parts) {
    return round(value * parts) / parts;
}

static void check_number(lu_check *c, const lu_json_value *block, const char *key, double got,
                         double allowed) {
    const lu_json_value *want = lu_json_get(block, key);
    if (lu_json_kind_of(want) != LU_JSON_NULL) {
        lu_check_number(c, key, lu_json_real_or(want, (double)NAN), got, allowed);
    }
}

/* What nothing is computed for cannot be right. */
static void check_known(lu_check *c, const lu_json_value *object, const char *const *keys,
                        int count) {
    for (size_t i = 0; i < lu_json_count(object); i++) {
        const char *key;
        char text[120];
        lu_json_member(object, i, &key);
        if (duel_word(keys, count, key) < 0) {
            snprintf(text, sizeof text, "'%.60s' isn't a figure of an attack", key);
            lu_check_say(c, text);
        }
    }
}

static void check_block(lu_check *c, const lu_json_value *block, uint32_t live,
                        const duel_blow *blow, const side *by, const side *to) {
    duel_odds odds = duel_odds_of(live, blow, &by->party, &to->party);
    int64_t over, under;
    char fraction[48];
    duel_chance_parts(odds.attack, odds.defence, &over, &under);
    int64_t common = divisor(over, under);
    snprintf(fraction, sizeof fraction, "%lld/%lld", (long long)(over / common),
             (long long)(under / common));
    static const char *const keys[] = {
        "attack_roll", "defence_roll",   "hit_chance",  "hit_chance_f",
        "max_hit",     "hit_chance_f32", "mean_damage", "mean_damage_protected"};
    check_known(c, block, keys, sizeof keys / sizeof *keys);
    check_number(c, block, "attack_roll", odds.attack, 0.0);
    check_number(c, block, "defence_roll", odds.defence, 0.0);
    double chance = duel_chance(odds.attack, odds.defence);
    const char *want = lu_json_text(lu_json_get(block, "hit_chance"), NULL);
    if (want) {
        lu_check_text(c, "hit_chance", want, fraction);
    } else {
        check_number(c, block, "hit_chance", chance, 1e-6);
    }
    check_number(c, block, "hit_chance_f", rounded(chance, 1e9), 1e-9);
    check_number(c, block, "max_hit", odds.most, 0.0);
    check_number(c, block, "hit_chance_f32", single(odds.attack, odds.defence), 1e-7);
    check_number(c, block, "mean_damage",
                 rounded(duel_mean(live, blow, &by->party, &to->party, false), 1e6), 1.01e-6);
    check_number(c, block, "mean_damage_protected",
                 rounded(duel_mean(live, blow, &by->party, &to->party, true), 1e6), 1.01e-6);
}

static lu_status check_vector(lu_check *c, const lu_json_value *vector) {
    static const char *const blocks[] = {"ref", "game"};
    lu_error inner;
    side by, to;
    duel_blow blow;
    if (read_side(lu_json_get(vector, "attacker"), &by, &inner) != LU_OK ||
        read_side(lu_json_get(vector, "defender"), &to, &inner) != LU_OK ||
        read_blow(vector, &by, &blow, &inner) != LU_OK) {
        return lu_check_bad(c, inner.text);
    }
    const lu_json_value *expect = lu_json_get(vector, "expect");
    check_known(c, expect, blocks, 2);
    for (int b = 0; b < 2; b++) {
        const lu_json_value *block = lu_json_get(expect, blocks[b]);
        if (lu_json_kind_of(block) == LU_JSON_OBJECT) {
            lu_check_part(c, blocks[b], -1);
            check_block(c, block, b ? DUEL_LIVE_ALL : 0, &blow, &by, &to);
        }
    }
    return LU_OK;
}

/* ---- extras ---- */

static const duel_build *build_of(const lu_json_value *entry) {
    const char *name = lu_json_text(lu_json_get(entry, "build"), NULL);
    for (int b = 0; name && b < DUEL_BUILDS; b++) {
        if (strcmp(duel_builds[b].name, name) == 0) {
            return &duel_builds[b];
        }
    }
    return NULL;
}

/* One step of a sequence: a word, or a list of a word and a number. */
static bool sequence_step(const lu_json_value *step, int16_t *level, const int16_t *base) {
    static const char *const potions[DUEL_POTIONS] = {"", "brew", "restore", "super_combat",
                                                      "ranging"};
    bool list = lu_json_kind_of(step) == LU_JSON_ARRAY;
    const char *word = lu_json_text(list ? lu_json_at(step, 0) : step, NULL);
    double number = lu_json_real_or(list ? lu_json_at(step, 1) : NULL, 0.0);
    int32_t amount = number >= 0.0 && number <= 1000.0 ? (int32_t)number : 0;
    int potion = duel_word(potions, DUEL_POTIONS, word);
    if (!word) {
        return false;
    }
    if (potion > 0) {
        duel_drink(level, base, potion);
    } else if (strcmp(word, "shark") == 0 || strcmp(word, "anglerfish") == 0) {
        duel_eat(level, base, *word == 's' ? DUEL_FOOD_SHARK : DUEL_FOOD_ANGLERFISH);
    } else if (strcmp(word, "karambwan") == 0) {
        duel_eat_karambwan(level, base);
    } else if (strcmp(word, "damage") == 0) {
        duel_lowered(&level[DUEL_HITPOINTS], amount);
    } else if (strcmp(word, "prayer_drain") == 0) {
        duel_lowered(&level[DUEL_PRAYER], amount);
    } else if (strcmp(word, "defence_cut") == 0) {
        level[DUEL_DEFENCE] = (int16_t)duel_seven_tenths(level[DUEL_DEFENCE], false);
    } else if (strcmp(word, "decay") == 0) {
        duel_decay(level, base);
    } else {
        return false;
    }
    return true;
}

static void write_levels(lu_json *json, const int16_t *level) {
    lu_json_object(json);
    for (int k = 0; k < DUEL_LEVELS; k++) {
        lu_json_key_int(json, duel_level_names[k], level[k]);
    }
    lu_json_object_end(json);
}

/* Compares a value that is written as JSON. */
static lu_status check_written(lu_check *c, const char *key, const lu_json_value *want,
                               const lu_json *json) {
    lu_error inner;
    lu_json_document *got = lu_json_read("got", json->text, json->length, &inner);
    if (!got) {
        return lu_check_bad(c, inner.text);
    }
    lu_check_value(c, key, want, lu_json_root(got));
    lu_json_close(got);
    return LU_OK;
}

static lu_status check_sequence(lu_check *c, const lu_json_value *entry) {
    const duel_build *build = build_of(entry);
    const lu_json_value *steps = lu_json_get(entry, "steps");
    int16_t level[DUEL_LEVELS];
    lu_error inner;
    if (!build) {
        return lu_check_bad(c, "'build' must be the name of a build");
    }
    if (read_levels(entry, "start", level, &inner) != LU_OK) {
        return lu_check_bad(c, inner.text);
    }
    lu_json json = LU_JSON_INIT;
    lu_status status = LU_OK;
    lu_json_array(&json);
    for (size_t i = 0; i < lu_json_count(steps) && status == LU_OK; i++) {
        if (!sequence_step(lu_json_at(steps, i), level, build->level)) {
            status = lu_check_bad(c, "a step isn't one of the potions, foods and events");
        }
        write_levels(&json, level);
    }
    lu_json_array_end(&json);
    if (status == LU_OK) {
        status = check_written(c, "after", lu_json_get(entry, "after"), &json);
    }
    lu_json_free(&json);
    return status;
}

static lu_status check_drain(lu_check *c, const lu_json_value *entry) {
    uint32_t prayers;
    int64_t points, bonus;
    lu_error inner;
    if (read_prayers(lu_json_get(entry, "prayers"), &prayers, &inner) != LU_OK ||
        lu_json_get_int(entry, "points", 0, 1000, &points, &inner) != LU_OK ||
        lu_json_get_int(entry, "bonus", -20, 1000, &bonus, &inner) != LU_OK) {
        return lu_check_bad(c, inner.text);
    }
    double rate = duel_drain(prayers, (int32_t)bonus), left = 0.0;
    int64_t ticks = 0;
    if (!(rate > 0.0)) {
        return lu_check_bad(c, "no prayer drains points");
    }
    while (points > 0) {
        left += rate;
        int64_t whole = (int64_t)left;
        left -= (double)whole;
        points -= whole;
        ticks++;
    }
    lu_check_number(c, "ticks", lu_json_real_or(lu_json_get(entry, "ticks"), (double)NAN),
                    (double)ticks, 0.0);
    return LU_OK;
}

/* Delays at distances 1 to 10 by the name of a weapon class. */
static lu_status check_delays(lu_check *c, const char *name, const lu_json_value *want) {
    static const struct {
        const char *name;
        uint8_t style, weapon;
        bool second;
    } rows[] = {
        {"crossbow", DUEL_SHOT, DUEL_ITEM_RUNE_CROSSBOW, false},
        {"dark_bow", DUEL_SHOT, DUEL_ITEM_DARK_BOW, false},
        {"dark_bow_second", DUEL_SHOT, DUEL_ITEM_DARK_BOW, true},
        {"ballista", DUEL_SHOT, DUEL_ITEM_HEAVY_BALLISTA, false},
        {"knife", DUEL_SHOT, DUEL_ITEM_DRAGON_KNIFE, false},
        {"javelin", DUEL_SHOT, DUEL_ITEM_MORRIGANS_JAVELIN, false},
        {"magic", DUEL_SPELL, DUEL_ITEM_KODAI_WAND, false},
        {"melee", DUEL_MELEE, DUEL_ITEM_ABYSSAL_WHIP, false},
    };
    size_t row = 0, count = sizeof rows / sizeof *rows;
    while (row < count && strcmp(rows[row].name, name) != 0) {
        row++;
    }
    if (row == count) {
        return lu_check_bad(c, "no weapon class of this name has delays");
    }
    duel_blow blow = {.style = rows[row].style, .weapon = rows[row].weapon};
    lu_json json = LU_JSON_INIT;
    lu_json_array(&json);
    for (int32_t d = 1; d <= 10; d++) {
        lu_json_int(&json, duel_delay(&blow, d, rows[row].second));
    }
    lu_json_array_end(&json);
    lu_status status = check_written(c, "list", want, &json);
    lu_json_free(&json);
    return status;
}

static lu_status check_special_delay(lu_check *c, const lu_json_value *want) {
    duel_blow blow = {
        .style = DUEL_SHOT, .weapon = DUEL_ITEM_HEAVY_BALLISTA, .special = DUEL_SPECIAL_STRONG};
    lu_check_number(c, "ticks", lu_json_real_or(want, (double)NAN), duel_delay(&blow, 5, false),
                    0.0);
    return LU_OK;
}

/* ---- files ---- */

static lu_status check_list(lu_verify *v, const lu_tool_input *input, const lu_json_value *root,
                            const char *list, lu_check_case *check) {
    const lu_json_value *entries = lu_json_get(root, list);
    lu_status status = LU_OK;
    for (size_t i = 0; i < lu_json_count(entries) && status == LU_OK; i++) {
        if (v->io->cancelled && v->io->cancelled(v->io->user)) {
            return lu_fail(v->error, LU_INTERRUPTED, "stopped at %s, %s %zu", input->name, list, i);
        }
        lu_check c = {.input = input, .error = v->error};
        const lu_json_value *entry = lu_json_at(entries, i);
        const char *own = lu_json_text(lu_json_get(entry, "id"), NULL);
        char id[64];
        snprintf(id, sizeof id, "%s.%zu", list, i);
        lu_check_start(&c, own ? own : id);
        status = lu_check_end(v, &c,
                              lu_json_kind_of(entry) == LU_JSON_OBJECT
                                  ? check(&c, entry)
                                  : lu_check_bad(&c, "a case must be an object"));
    }
    return status;
}

static lu_status check_extras(lu_verify *v, const lu_tool_input *input, const lu_json_value *root) {
    static const char delays[] = "hit_delay_by_distance_1_to_10";
    const lu_json_value *classes = lu_json_get(root, delays);
    const lu_json_value *special = lu_json_get(root, "ballista_special_delay");
    LU_TRY(check_list(v, input, root, "potion_sequences", check_sequence));
    LU_TRY(check_list(v, input, root, "prayer_drain", check_drain));
    lu_status status = LU_OK;
    for (size_t i = 0; i < lu_json_count(classes) && status == LU_OK; i++) {
        lu_check c = {.input = input, .error = v->error};
        const char *name;
        char id[64];
        const lu_json_value *want = lu_json_member(classes, i, &name);
        snprintf(id, sizeof id, "%s.%.28s", delays, name);
        lu_check_start(&c, id);
        status = lu_check_end(v, &c, check_delays(&c, name, want));
    }
    if (special && status == LU_OK) {
        lu_check c = {.input = input, .error = v->error};
        lu_check_start(&c, "ballista_special_delay");
        status = lu_check_end(v, &c, check_special_delay(&c, special));
    }
    return status;
}

static lu_status check_file(lu_verify *v, const lu_tool_input *input) {
    lu_json_document *document = lu_json_read(input->name, input->text, input->length, v->error);
    if (!document) {
        return LU_BAD_DATA;
    }
    const lu_json_value *root = lu_json_root(document);
    const char *format = lu_json_text(lu_json_get(root, "format"), NULL);
    lu_status status;
    if (lu_json_kind_of(lu_json_get(root, "vectors")) == LU_JSON_ARRAY) {
        status = check_list(v, input, root, "vectors", check_vector);
    } else if (format && strcmp(format, "duel-extras/1") == 0) {
        status = check_extras(v, input, root);
    } else {
        status = lu_fail(v->error, LU_BAD_DATA,
                         "%s is neither duel-formula-vectors/1 (a list 'vectors') nor "
                         "duel-extras/1",
                         input->name);
    }
    lu_json_close(document);
    return status;
}

static lu_status run(const lu_tool_io *io, lu_error *error) {
    lu_verify verify = {.io = io, .error = error, .what = "cases"};
    return lu_verify_files(&verify, check_file);
}

extern const lu_tool lu_tool_duel_verify;
const lu_tool lu_tool_duel_verify = {
    .game = "duel",
    .name = "verify",
    .sentence = "Checks formula vectors, potion sequences, prayer drain and hit delays.",
    .settings = {"duel verify", NULL, 0},
    .run = run,
};
