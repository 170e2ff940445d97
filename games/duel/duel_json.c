/* States of duel as JSON, for tools and pages. Seat -1 writes everything; a seat gets what both
 * sides see of each other and everything of its own fighter. What derives from the rest (bonuses,
 * masks) is computed when read. */
#include "duel.h"
#include "duel_mean.h"
#include "duel_see.h"

#include "ludus/fields.h"

#include <string.h>

#define ONE(member, number, least, most)                                                           \
    { LU_FIELD(duel_fighter, member), .kind = LU_NUMBER_##number, .low = (least), .high = (most) }
#define LIST(member, number, entries, least, most)                                                 \
    {                                                                                              \
        LU_FIELD(duel_fighter, member), .kind = LU_NUMBER_##number, .count = (entries),            \
                                        .low = (least), .high = (most)                             \
    }
#define HIT(name_, member, number, least, most)                                                    \
    {                                                                                              \
        .name = (name_), .offset = offsetof(duel_fighter, hit[0].member),                          \
        .kind = LU_NUMBER_##number, .count = DUEL_HITS, .apart = sizeof(duel_hit), .low = (least), \
        .high = (most)                                                                             \
    }
#define TURN(member, number, most)                                                                 \
    {                                                                                              \
        .name = "turn_" #member, .offset = offsetof(duel_fighter, turn.member),                    \
        .kind = LU_NUMBER_##number, .high = (most)                                                 \
    }

/* What everybody sees of a fighter. */
static const lu_state_field open_fields[] = {
    ONE(build, U8, 0, DUEL_RULE_BUILDS - 1),
    ONE(x, I16, -DUEL_BORDER, DUEL_ARENA_X + DUEL_BORDER - 1),
    ONE(y, I16, -DUEL_BORDER, DUEL_ARENA_Y + DUEL_BORDER - 1),
    ONE(prayers, U32, 0, (1 << DUEL_PRAYERS) - 1),
    ONE(set, U8, 0, DUEL_SETS - 1),
    ONE(energy, U8, 0, 100),
    ONE(shown, I16, -1, 200),
    ONE(taken, I16, 0, INT16_MAX),
    ONE(cool, I8, DUEL_NEVER, 12),
    ONE(moved, U8, 0, 1),
    ONE(vengeance, U8, 0, 1),
    ONE(known_lunar, U8, 0, 1),
    ONE(bare_armour, U8, 0, 1),
    ONE(hits, U8, 0, DUEL_HITS),
    ONE(queued, U8, 0, DUEL_QUEUE),
    HIT("hit_delay", delay, I8, 0, 8),
    HIT("hit_style", style, U8, 0, DUEL_STYLES - 1),
    ONE(attacks, U16, 0, UINT16_MAX),
    LIST(by_style, U16, DUEL_STYLES, 0, UINT16_MAX),
    LIST(into, U16, DUEL_STYLES, 0, UINT16_MAX),
    ONE(blocked, U16, 0, UINT16_MAX),
    ONE(specials, U16, 0, UINT16_MAX),
    LIST(recent_style, U8, DUEL_RECENT, 0, 3),
    LIST(recent_into, U8, DUEL_RECENT, 0, 3),
    LIST(recent_open, U8, DUEL_RECENT, 0, 2),
    LIST(base, I16, DUEL_LEVELS, 1, 99),
    {.name = "freeze",
     .offset = offsetof(duel_fighter, timer[DUEL_TIMER_FREEZE]),
     .kind = LU_NUMBER_U8,
     .high = 32},
    {.name = "immune",
     .offset = offsetof(duel_fighter, timer[DUEL_TIMER_IMMUNE]),
     .kind = LU_NUMBER_U8,
     .high = 37},
    {.name = "veng_cooldown",
     .offset = offsetof(duel_fighter, timer[DUEL_TIMER_VENGEANCE]),
     .kind = LU_NUMBER_U8,
     .high = 50},
    {.name = "food_timer",
     .offset = offsetof(duel_fighter, timer[DUEL_TIMER_FOOD]),
     .kind = LU_NUMBER_U8,
     .high = 3},
    TURN(splat, I16, 1000),
    TURN(attacks, U8, 255),
    TURN(style, U8, DUEL_STYLES),
    TURN(speed, U8, 10),
    TURN(blocked, U8, 1),
    TURN(shield, U8, DUEL_STYLES),
    TURN(smote, U8, 1),
    TURN(special, U8, 1),
    TURN(frozen, U8, 32),
    TURN(was_style, U8, DUEL_STYLES - 1),
    TURN(was_shield, U8, DUEL_STYLES),
};

/* What only its owner sees. */
static const lu_state_field own_fields[] = {
    LIST(level, I16, DUEL_LEVELS, 0, 200),
    ONE(goal_x, I16, -DUEL_BORDER, DUEL_ARENA_X + DUEL_BORDER - 1),
    ONE(goal_y, I16, -DUEL_BORDER, DUEL_ARENA_Y + DUEL_BORDER - 1),
    ONE(path, U8, 0, 1),
    ONE(target, U8, 0, 1),
    ONE(armed, U8, 0, 1),
    ONE(mauls, U8, 0, 2),
    ONE(spell, U8, 0, DUEL_SPELLS - 1),
    ONE(drain, REAL, 0, 1),
    ONE(energy_clock, U8, 0, 50),
    ONE(run, U8, 0, 100),
    ONE(rest, U8, 0, 3),
    ONE(recoil, U8, 0, 40),
    ONE(food, U8, 0, 60),
    ONE(karambwan, U8, 0, 28),
    LIST(dose, U8, DUEL_POTIONS, 0, 120),
    {.name = "potion_timer",
     .offset = offsetof(duel_fighter, timer[DUEL_TIMER_POTION]),
     .kind = LU_NUMBER_U8,
     .high = 3},
    {.name = "karambwan_timer",
     .offset = offsetof(duel_fighter, timer[DUEL_TIMER_KARAMBWAN]),
     .kind = LU_NUMBER_U8,
     .high = 3},
    ONE(high_prayers, U8, 0, 1),
    ONE(food_kind, U8, 0, 1),
    ONE(lunar, U8, 0, 1),
    ONE(fixed, U8, 0, 28),
    {.name = "items",
     .offset = offsetof(duel_fighter, item),
     .kind = LU_NUMBER_U8,
     .count = DUEL_SETS * DUEL_SLOTS,
     .high = DUEL_ITEMS - 1},
    TURN(decided, I16, 2000),
    TURN(last_decided, I16, 1000),
    TURN(extra, I16, 2000),
    TURN(healed, I16, 200),
    TURN(wasted, I16, 200),
    TURN(hitpoints_at_meal, I16, 200),
    TURN(meals, U8, 3),
    TURN(doses, U8, 1),
};

/* What nobody sees. */
static const lu_state_field hidden_fields[] = {
    ONE(pid, U32, 0, UINT32_MAX),
    ONE(pid_clock, U8, 0, 255),
    ONE(bleed, I16, 0, 1000),
    ONE(bleed_clock, U8, 0, 3),
    ONE(sacrifice, U8, 0, 8),
    ONE(poison, U8, 0, 12),
    ONE(poison_clock, U8, 0, 30),
    ONE(poison_count, U8, 0, 5),
    ONE(seen_styles, U8, 0, 7),
    {.name = "seen",
     .offset = offsetof(duel_fighter, seen),
     .kind = LU_NUMBER_I16,
     .count = DUEL_STYLES * 5,
     .low = -500,
     .high = 1000},
    LIST(queue, I16, DUEL_QUEUE, 0, 500),
    HIT("hit_damage_0", damage[0], I16, 0, 500),
    HIT("hit_damage_1", damage[1], I16, 0, 500),
    HIT("hit_damage_2", damage[2], I16, 0, 500),
    HIT("hit_damage_3", damage[3], I16, 0, 500),
    HIT("hit_count", count, U8, 0, 4),
    HIT("hit_accurate", accurate, U8, 0, 1),
    HIT("hit_special", special, U8, 0, DUEL_SPECIAL_NIGHTMARE),
    HIT("hit_poison", poison, U8, 0, 12),
    LIST(memory, U8, 8, 0, 255),
    LIST(roll, I32, DUEL_STYLES, 0, 10000000),
};

static const lu_state_field fields[] = {
    {LU_FIELD(duel_state, tick), .kind = LU_NUMBER_I32, .high = INT32_MAX - 1},
    {LU_FIELD(duel_state, fight), .kind = LU_NUMBER_U8, .high = DUEL_FIGHT_ARENA},
    {LU_FIELD(duel_state, end), .kind = LU_NUMBER_U8, .high = DUEL_END_LIMIT},
    {LU_FIELD(duel_state, rng), .kind = LU_NUMBER_HEX, .hidden = true},
};

/* ---- writing ---- */

static void put_names(const char *key, uint32_t bits, lu_json *json) {
    lu_json_key_array(json, key);
    for (int p = 0; p < DUEL_PRAYERS; p++) {
        if ((bits >> p) & 1u) {
            lu_json_string(json, duel_prayer_names[p]);
        }
    }
    lu_json_array_end(json);
}

/* Mean damage of the attacks of the last tick, by what both are after it; `spell` of a cast. */
static double mean_of_turn(const duel_rules *r, const duel_state *s, int k, int spell) {
    static const int sets[DUEL_STYLES] = {DUEL_SET_MELEE, DUEL_SET_RANGED, DUEL_SET_MAGE};
    duel_fighter f = s->fighter[k];
    const duel_fighter *to = &s->fighter[1 - k];
    int style = f.turn.style - 1;
    if (r->rounds) { /* the exchange strikes in the style's set, without prayers */
        f.set = (uint8_t)sets[style];
        f.prayers = 0;
    }
    duel_party by = duel_party_of(&f, f.set), other = duel_party_of(to, to->set);
    duel_blow blow = duel_method_of(r, &f).blow;
    blow.style = (uint8_t)style;
    blow.spell = (uint8_t)spell;
    blow.special = f.turn.special ? duel_items[blow.weapon].special : 0;
    blow.queued = f.turn.attacks;
    return duel_mean(r->live, &blow, &by, &other, f.turn.blocked);
}

/* One number, of a spell two: as ice and as blood, since a state does not keep which it was. */
static void put_expected(const duel_rules *r, const duel_state *s, int k, lu_json *json) {
    const duel_fighter *f = &s->fighter[k];
    bool cast = f->turn.style == 1 + DUEL_SPELL && !f->turn.special;
    lu_json_key_array(json, "turn_expected");
    if (cast) {
        lu_json_real(
            json,
            mean_of_turn(r, s, k, duel_best_spell(f->level[DUEL_MAGIC], DUEL_SPELL_ICE_RUSH)));
        lu_json_real(
            json,
            mean_of_turn(r, s, k, duel_best_spell(f->level[DUEL_MAGIC], DUEL_SPELL_BLOOD_RUSH)));
    } else if (f->turn.style) {
        lu_json_real(json, mean_of_turn(r, s, k, 0));
    }
    lu_json_array_end(json);
}

static void put_fighter(const duel_rules *r, const duel_state *s, int k, int seat, lu_json *json) {
    const duel_fighter *f = &s->fighter[k];
    lu_json_object(json);
    lu_fields_to_json(open_fields, LU_COUNT(open_fields), f, -1, json);
    if (seat < 0 || seat == k) {
        lu_fields_to_json(own_fields, LU_COUNT(own_fields), f, -1, json);
    }
    if (seat < 0) {
        lu_fields_to_json(hidden_fields, LU_COUNT(hidden_fields), f, -1, json);
    }
    /* for readers only */
    lu_json_key_string(json, "build_name", r->build[f->build].name);
    lu_json_key_bool(json, "has_pid", duel_has_pid(s, k));
    if (seat < 0) {
        put_expected(r, s, k, json);
    }
    put_names("praying", f->prayers, json);
    lu_json_key_array(json, "wearing");
    for (int slot = 0; slot < DUEL_SLOTS; slot++) {
        lu_json_string(json, duel_item_keys[f->item[f->set][slot]]);
    }
    lu_json_array_end(json);
    lu_json_object_end(json);
}

void duel_to_json(const lu_rules *rules, const void *bytes, int seat, lu_json *json) {
    const duel_state *s = bytes;
    lu_json_object(json);
    lu_fields_to_json(fields, LU_COUNT(fields), s, seat, json);
    lu_json_key_array(json, "fighters");
    for (int k = 0; k < DUEL_SEATS; k++) {
        put_fighter((const duel_rules *)(const void *)rules, s, k, seat, json);
    }
    lu_json_array_end(json);
    lu_json_object_end(json);
}

/* ---- reading ---- */

void duel_refresh(const lu_rules *rules, duel_state *s) {
    const duel_rules *r = (const duel_rules *)(const void *)rules;
    for (int k = 0; k < DUEL_SEATS; k++) {
        duel_fighter *f = &s->fighter[k];
        for (int set = 0; set < DUEL_SETS; set++) {
            duel_set_derive(f, set);
        }
        f->gear = (uint8_t)duel_gear_count((const uint8_t(*)[DUEL_SLOTS])f->item, DUEL_SETS);
        duel_bare_derive(f);
    }
    for (int k = 0; k < DUEL_SEATS; k++) {
        duel_fighter *f = &s->fighter[k];
        bool dharok = f->build == DUEL_BUILD_DHAROK;
        f->mask = dharok ? dharok_mask_of(s, k) : duel_mask_of(r, s, k);
    }
}

static lu_status read_fighter(const lu_rules *rules, duel_fighter *f, const lu_json_value *value,
                              lu_error *error) {
    if (lu_json_kind_of(value) != LU_JSON_OBJECT) {
        return lu_fail(error, LU_BAD_DATA, "each of 'fighters' must be an object");
    }
    LU_TRY(lu_fields_from_json(open_fields, LU_COUNT(open_fields), rules, f, value, error));
    LU_TRY(lu_fields_from_json(own_fields, LU_COUNT(own_fields), rules, f, value, error));
    return lu_fields_from_json(hidden_fields, LU_COUNT(hidden_fields), rules, f, value, error);
}

/* A fighter keeps the variant that its state was made by. */
static lu_status check_relations(const duel_state *before, const duel_state *s, lu_error *error) {
    for (int k = 0; k < DUEL_SEATS; k++) {
        uint8_t was = before->fighter[k].build, is = s->fighter[k].build;
        if ((was == DUEL_BUILD_DHAROK) != (is == DUEL_BUILD_DHAROK)) {
            return lu_fail(error, LU_BAD_DATA, "'build' %d belongs to the other variant", is);
        }
    }
    return LU_OK;
}

lu_status duel_from_json(const lu_rules *rules, void *bytes, const lu_json_value *value,
                         lu_error *error) {
    duel_state next = *(const duel_state *)bytes;
    const lu_json_value *fighters = lu_json_get(value, "fighters");
    LU_TRY(lu_fields_from_json(fields, LU_COUNT(fields), rules, &next, value, error));
    if (fighters &&
        (lu_json_kind_of(fighters) != LU_JSON_ARRAY || lu_json_count(fighters) != DUEL_SEATS)) {
        return lu_fail(error, LU_BAD_DATA, "'fighters' must be a list of two");
    }
    for (int k = 0; fighters && k < DUEL_SEATS; k++) {
        LU_TRY(read_fighter(rules, &next.fighter[k], lu_json_at(fighters, (size_t)k), error));
    }
    LU_TRY(check_relations(bytes, &next, error));
    duel_refresh(rules, &next);
    *(duel_state *)bytes = next;
    return LU_OK;
}
