/* The rules of duel: reset, the tick, and what is told of it; its parts are duel_*.h. */
#include "duel.h"
#include "duel_baseline.h"
#include "duel_reset.h"
#include "duel_terms.h"

/* ---- choices ---- */

#define HEAD_BITS(at, options) ((((uint64_t)1 << (options)) - 1) << (at))

#define OPEN_AFTER(melee, ranged, mage, gear)                                                      \
    (~(HEAD_BITS(DUEL_AT_MELEE, 3) | HEAD_BITS(DUEL_AT_RANGED, 3) | HEAD_BITS(DUEL_AT_MAGE, 4) |   \
       HEAD_BITS(DUEL_AT_GEAR, 2)) |                                                               \
     (uint64_t)melee << DUEL_AT_MELEE | (uint64_t)ranged << DUEL_AT_RANGED |                       \
     (uint64_t)mage << DUEL_AT_MAGE | (uint64_t)gear << DUEL_AT_GEAR)

/* Options that a choice of attack leaves open in the heads that depend on it; the last row is for
 * numbers that are no choice. */
LU_TABLE uint64_t duel_open[5] = {OPEN_AFTER(1, 1, 1, 2), OPEN_AFTER(1, 1, 14, 1),
                                  OPEN_AFTER(1, 6, 1, 1), OPEN_AFTER(6, 1, 1, 1),
                                  OPEN_AFTER(1, 1, 1, 1)};

LU_INLINE uint64_t duel_open_after(int32_t attack) {
    return duel_open[(uint32_t)attack < 4 ? attack : 4];
}

/* Takes one choice; one that is not open counts as the first option. Returns false when the head
 * had another option to take. */
LU_INLINE bool duel_take_choice(uint64_t mask, int at, int options, int32_t wanted,
                                int32_t *chosen) {
    /* without branches: what is wanted is a surprise to the processor each time */
    uint64_t open = (mask >> at) & (((uint64_t)1 << options) - 1);
    uint32_t within = (uint32_t)wanted < (uint32_t)options ? 1 : 0;
    uint32_t legal = within & (uint32_t)(open >> (wanted & 7));
    *chosen = (int32_t)((uint32_t)wanted & (0u - legal));
    return (legal | (open == 0 ? 1u : 0u)) != 0;
}

/* Whether every choice is open, or the first option of a head that has none open: what is meant to
 * be played nearly always is, and then no head needs a look of its own. */
LU_INLINE bool duel_all_open(uint64_t mask, const int32_t *wanted) {
    const uint64_t attack = HEAD_BITS(DUEL_AT_ATTACK, 4), gear = HEAD_BITS(DUEL_AT_GEAR, 2);
    const uint64_t prayer = HEAD_BITS(DUEL_AT_PRAYER, 6);
    const uint32_t at[DUEL_HEADS] = {DUEL_AT_ATTACK,    DUEL_AT_MELEE,     DUEL_AT_RANGED,
                                     DUEL_AT_MAGE,      DUEL_AT_POTION,    DUEL_AT_FOOD,
                                     DUEL_AT_KARAMBWAN, DUEL_AT_VENGEANCE, DUEL_AT_GEAR,
                                     DUEL_AT_MOVEMENT,  DUEL_AT_FARCAST,   DUEL_AT_PRAYER};
    const uint32_t options[DUEL_HEADS] = {4, 3, 3, 4, 5, 2, 2, 2, 2, 5, 7, 6};
    uint64_t far = wanted[DUEL_HEAD_MOVEMENT] == DUEL_FARCAST ? 126 : 1, bits = 0;
    bool beyond = false;
    mask &= duel_open_after(wanted[DUEL_HEAD_ATTACK]);
    mask &= ~HEAD_BITS(DUEL_AT_FARCAST, 7) | far << DUEL_AT_FARCAST;
    mask |= (uint64_t)(mask & attack ? 0 : 1) << DUEL_AT_ATTACK;
    mask |= (uint64_t)(mask & gear ? 0 : 1) << DUEL_AT_GEAR;
    mask |= (uint64_t)(mask & prayer ? 0 : 1) << DUEL_AT_PRAYER;
    for (int k = 0; k < DUEL_HEADS; k++) {
        beyond |= (uint32_t)wanted[k] >= options[k];
        bits |= (uint64_t)1 << ((at[k] + (uint32_t)wanted[k]) & 63u);
    }
    return !beyond & ((bits & ~mask) == 0);
}

LU_INLINE bool duel_resolve(uint64_t mask, const int32_t *wanted, int32_t *chosen) {
    if (duel_all_open(mask, wanted)) {
        memcpy(chosen, wanted, DUEL_HEADS * sizeof *chosen);
        return true;
    }
    bool good = duel_take_choice(mask, DUEL_AT_ATTACK, 4, wanted[DUEL_HEAD_ATTACK], &chosen[0]);
    mask &= duel_open_after(chosen[0]);
    good &= duel_take_choice(mask, DUEL_AT_MELEE, 3, wanted[1], &chosen[1]);
    good &= duel_take_choice(mask, DUEL_AT_RANGED, 3, wanted[2], &chosen[2]);
    good &= duel_take_choice(mask, DUEL_AT_MAGE, 4, wanted[3], &chosen[3]);
    good &= duel_take_choice(mask, DUEL_AT_POTION, 5, wanted[4], &chosen[4]);
    good &= duel_take_choice(mask, DUEL_AT_FOOD, 2, wanted[5], &chosen[5]);
    good &= duel_take_choice(mask, DUEL_AT_KARAMBWAN, 2, wanted[6], &chosen[6]);
    good &= duel_take_choice(mask, DUEL_AT_VENGEANCE, 2, wanted[7], &chosen[7]);
    good &= duel_take_choice(mask, DUEL_AT_GEAR, 2, wanted[8], &chosen[8]);
    good &= duel_take_choice(mask, DUEL_AT_MOVEMENT, 5, wanted[9], &chosen[9]);
    uint64_t far = chosen[DUEL_HEAD_MOVEMENT] == DUEL_FARCAST ? 126 : 1;
    mask &= ~HEAD_BITS(DUEL_AT_FARCAST, 7) | far << DUEL_AT_FARCAST;
    good &= duel_take_choice(mask, DUEL_AT_FARCAST, 7, wanted[10], &chosen[10]);
    good &= duel_take_choice(mask, DUEL_AT_PRAYER, 6, wanted[11], &chosen[11]);
    return good;
}

LU_INLINE void duel_apply_prayer(duel_fighter *f, int32_t choice) {
    const int prayer[6] = {0,
                           DUEL_PRAYER_PROTECT_FROM_MAGIC,
                           DUEL_PRAYER_PROTECT_FROM_MISSILES,
                           DUEL_PRAYER_PROTECT_FROM_MELEE,
                           DUEL_PRAYER_SMITE,
                           DUEL_PRAYER_REDEMPTION};
    if (choice != DUEL_PRAY_NONE) {
        duel_overhead(f, prayer[choice]);
    }
}

LU_INLINE void duel_apply_attack(duel_state *s, duel_fighter *f, const int32_t *c) {
    if (c[DUEL_HEAD_ATTACK] == DUEL_MELEE_ATTACK && c[DUEL_HEAD_MELEE]) {
        bool special = c[DUEL_HEAD_MELEE] == DUEL_SPEC;
        duel_choose(s, f, special ? DUEL_SET_SPEC : DUEL_SET_MELEE, DUEL_MELEE, 0, special);
    } else if (c[DUEL_HEAD_ATTACK] == DUEL_RANGED_ATTACK && c[DUEL_HEAD_RANGED]) {
        duel_choose(s, f, DUEL_SET_RANGED, DUEL_SHOT, 0, c[DUEL_HEAD_RANGED] == DUEL_SPEC);
    } else if (c[DUEL_HEAD_ATTACK] == DUEL_MAGE_ATTACK && c[DUEL_HEAD_MAGE]) {
        bool special = c[DUEL_HEAD_MAGE] == DUEL_MAGIC_SPEC;
        int first = c[DUEL_HEAD_MAGE] == DUEL_ICE ? DUEL_SPELL_ICE_RUSH : DUEL_SPELL_BLOOD_RUSH;
        int spell = special ? 0 : duel_best_spell(f->level[DUEL_MAGIC], first);
        duel_choose(s, f, DUEL_SET_MAGE, DUEL_SPELL, spell, special);
        f->target = spell || special ? 1 : 0;
    }
}

LU_INLINE void duel_apply(duel_state *s, duel_fighter *f, const duel_fighter *to, const int32_t *c,
                          lu_rng *rng) {
    duel_apply_prayer(f, c[DUEL_HEAD_PRAYER]);
    if (c[DUEL_HEAD_FOOD]) {
        duel_eat_food(f);
    }
    if (c[DUEL_HEAD_POTION]) {
        duel_drink_dose(f, c[DUEL_HEAD_POTION]);
    }
    if (c[DUEL_HEAD_KARAMBWAN]) {
        duel_eat_fish(f);
    }
    if (c[DUEL_HEAD_GEAR]) {
        duel_wear(s, f, DUEL_SET_TANK);
        duel_pray_for(f, DUEL_SPELL);
    }
    if (c[DUEL_HEAD_VENGEANCE]) {
        duel_cast_vengeance(f);
    }
    duel_apply_attack(s, f, c);
    duel_apply_movement(f, to, c[DUEL_HEAD_MOVEMENT], c[DUEL_HEAD_FARCAST], rng);
}

/* ---- the dharok variant ---- */

LU_INLINE bool dharok_resolve(uint64_t mask, const int32_t *wanted, int32_t *chosen) {
    bool good = duel_take_choice(mask, DHAROK_AT_ATTACK, 4, wanted[0], &chosen[0]);
    good &= duel_take_choice(mask, DHAROK_AT_POTION, 4, wanted[1], &chosen[1]);
    good &= duel_take_choice(mask, DHAROK_AT_FOOD, 2, wanted[2], &chosen[2]);
    good &= duel_take_choice(mask, DHAROK_AT_KARAMBWAN, 2, wanted[3], &chosen[3]);
    good &= duel_take_choice(mask, DHAROK_AT_VENGEANCE, 2, wanted[4], &chosen[4]);
    good &= duel_take_choice(mask, DHAROK_AT_GEAR, 3, wanted[5], &chosen[5]);
    return good;
}

LU_INLINE void dharok_apply(duel_state *s, duel_fighter *f, const int32_t *c) {
    if (c[DHAROK_HEAD_FOOD]) {
        duel_eat_food(f);
    }
    if (c[DHAROK_HEAD_POTION]) {
        duel_drink_dose(f, c[DHAROK_HEAD_POTION]);
    }
    if (c[DHAROK_HEAD_KARAMBWAN]) {
        duel_eat_fish(f);
    }
    if (c[DHAROK_HEAD_GEAR]) {
        f->bare_armour = c[DHAROK_HEAD_GEAR] == DHAROK_ARMOUR_OFF ? 1 : 0;
        duel_wear(s, f, f->set % 3 + (f->bare_armour ? 3 : 0));
    }
    if (c[DHAROK_HEAD_VENGEANCE]) {
        duel_cast_vengeance(f);
    }
    if (c[DHAROK_HEAD_ATTACK]) {
        int weapon = c[DHAROK_HEAD_ATTACK] - DHAROK_WHIP;
        bool maul = c[DHAROK_HEAD_ATTACK] == DHAROK_MAUL;
        duel_choose(s, f, weapon + (f->bare_armour ? 3 : 0), DUEL_MELEE, 0, maul);
        f->mauls = maul ? 2 : 0;
    }
}

/* ---- the exchange ---- */

/* One exchange: both strike at once in the style they chose, into the protection the other chose.
 * Nothing but damage changes, so that the mean damages are the same in every round: defence counts
 * in the tank set, and no prayer but the protections is on. */
LU_HD static void duel_exchange(duel_state *s, const duel_rules *r, const int32_t *chosen,
                                lu_rng *rng) {
    const int sets[4] = {0, DUEL_SET_MAGE, DUEL_SET_RANGED, DUEL_SET_MELEE};
    for (int seat = 0; seat < DUEL_SEATS; seat++) {
        s->fighter[seat].prayers = 0;
        duel_apply_prayer(&s->fighter[seat], chosen[seat * DUEL_HEADS + DUEL_HEAD_PRAYER]);
    }
    for (int seat = 0; seat < DUEL_SEATS; seat++) {
        duel_fighter *f = &s->fighter[seat], *to = &s->fighter[1 - seat];
        int32_t attack = chosen[seat * DUEL_HEADS + DUEL_HEAD_ATTACK];
        if (attack == DUEL_NO_ATTACK) {
            continue;
        }
        f->set = (uint8_t)sets[attack];
        f->spell = attack == DUEL_MAGE_ATTACK ? DUEL_SPELL_ICE_BARRAGE : 0;
        uint32_t prayers = f->prayers;
        f->prayers = 0;
        duel_method m = duel_method_of(r, f);
        m.speed = 5;
        duel_strike(s, r, f, to, &m, rng);
        f->prayers = prayers;
        f->set = DUEL_SET_TANK;
        f->spell = 0;
        /* nothing lasts: neither freeze nor wounds */
        memset(to->timer, 0, sizeof to->timer);
        memset(to->hit, 0, sizeof to->hit);
        to->hits = 0;
        to->turn.splat = f->turn.decided;
        to->taken = (int16_t)duel_least(to->taken + f->turn.decided, 30000);
        to->shown = to->level[DUEL_HITPOINTS];
    }
}

/* ---- the tick ---- */

LU_HD static void duel_fight_tick(duel_state *s, const duel_rules *r, const int32_t *chosen,
                                  int heads, lu_rng *rng) {
    int first = duel_has_pid(s, 0) ? 0 : 1;
    duel_scheduled(&s->fighter[0], &s->fighter[1]);
    duel_scheduled(&s->fighter[1], &s->fighter[0]);
    for (int k = 0; k < DUEL_SEATS; k++) {
        int seat = k == 0 ? first : 1 - first;
        duel_fighter *f = &s->fighter[seat], *to = &s->fighter[1 - seat];
        bool driven = r->driven && seat == 1;
        if (driven && heads == DUEL_HEADS) {
            duel_baseline(s, r, f, to, rng);
        }
        duel_count_down(f);
        if (heads == DHAROK_HEADS) {
            dharok_apply(s, f, chosen + seat * heads);
        } else if (!driven) {
            duel_apply(s, f, to, chosen + seat * heads, rng);
        }
    }
    for (int k = 0; k < DUEL_SEATS; k++) {
        int seat = k == 0 ? first : 1 - first;
        duel_process(s, r, &s->fighter[seat], &s->fighter[1 - seat], rng);
    }
    if (r->driven) {
        duel_baseline_learn(r, &s->fighter[1]);
    }
    for (int seat = 0; seat < DUEL_SEATS; seat++) {
        duel_fighter *f = &s->fighter[seat];
        f->known_lunar = f->known_lunar || f->vengeance ? 1 : 0;
        if (s->fight == DUEL_FIGHT_LMS) {
            f->level[DUEL_PRAYER] = f->base[DUEL_PRAYER];
        }
    }
}

LU_INLINE bool duel_starved(const duel_fighter *f) {
    return f->food == 0 && f->karambwan == 0;
}

LU_INLINE uint8_t duel_end_of(const duel_rules *r, const duel_state *s) {
    bool fell[2] = {s->fighter[0].level[DUEL_HITPOINTS] == 0,
                    s->fighter[1].level[DUEL_HITPOINTS] == 0};
    if (r->rounds) {
        return s->tick >= r->rounds ? DUEL_END_ROUNDS : DUEL_RUNNING;
    }
    if (fell[0] || fell[1]) {
        return fell[0] && fell[1] ? DUEL_END_BOTH : fell[1] ? DUEL_END_WON : DUEL_END_LOST;
    }
    if (!r->death_match && (duel_starved(&s->fighter[0]) || duel_starved(&s->fighter[1]))) {
        return DUEL_END_SUPPLIES;
    }
    return r->limit && s->tick >= r->limit ? DUEL_END_LIMIT : DUEL_RUNNING;
}

/* In the reference both win when both fall; in the exchange who did more damage does. */
LU_INLINE bool duel_won(const duel_rules *r, const duel_state *s, int seat) {
    switch (s->end) {
    case DUEL_END_WON:
        return seat == 0;
    case DUEL_END_LOST:
        return seat == 1;
    case DUEL_END_BOTH:
        return !(r->live & DUEL_LIVE_KNOCKOUT);
    case DUEL_END_ROUNDS:
        return s->fighter[1 - seat].taken > s->fighter[seat].taken;
    default:
        return false;
    }
}

LU_INLINE bool duel_lost(const duel_rules *r, const duel_state *s, int seat) {
    return s->end != DUEL_END_BOTH && duel_won(r, s, 1 - seat);
}

LU_INLINE void duel_begin_turn(duel_fighter *f) {
    uint8_t style = (uint8_t)duel_shows(f), shield = duel_shield_of(f);
    memset(&f->turn, 0, sizeof f->turn);
    f->turn.was_style = style;
    f->turn.was_shield = shield;
}

LU_INLINE void duel_write_terms(const duel_rules *r, const duel_state *s, double *terms) {
    double *of[2] = {terms, terms + DUEL_TERMS};
    for (int seat = 0; seat < DUEL_SEATS; seat++) {
        const duel_fighter *f = &s->fighter[seat], *to = &s->fighter[1 - seat];
        duel_tick_terms(r, f, to, of[seat]);
        if (f->turn.attacks) {
            duel_attack_terms(f, to, of[seat], of[1 - seat]);
        }
        if (s->end && s->end != DUEL_END_LIMIT) {
            duel_end_terms(r, f, to, duel_won(r, s, seat), duel_lost(r, s, seat), of[seat]);
        }
    }
}

LU_INLINE void duel_step_done(duel_state *s, uint8_t illegal, lu_step *step) {
    step->ticks = 1;
    step->terminated = s->end != DUEL_RUNNING && s->end != DUEL_END_LIMIT;
    step->truncated = s->end == DUEL_END_LIMIT;
    step->illegal = illegal;
    step->unused = 0;
    step->changed = s->changed;
    s->changed = 0;
}

LU_HD static void duel_step(const lu_rules *rules, void *bytes, const int32_t *actions,
                            double *terms, lu_step *step) {
    const duel_rules *r = (const duel_rules *)(const void *)rules;
    duel_state *s = (duel_state *)bytes;
    int32_t chosen[2 * DUEL_HEADS];
    uint8_t illegal = 0;
    lu_rng rng = lu_rng_from(s->rng);
    for (int seat = 0; seat < DUEL_SEATS; seat++) {
        int at = seat * DUEL_HEADS;
        bool driven = r->driven && seat == 1;
        bool good = duel_resolve(s->fighter[seat].mask, actions + at, chosen + at);
        illegal = (uint8_t)(illegal | (good || driven ? 0u : 1u << seat));
        duel_begin_turn(&s->fighter[seat]);
    }
    s->changed = 1u << DUEL_GROUP_NOW | 1u << DUEL_GROUP_READY;
    if (r->rounds) {
        duel_exchange(s, r, chosen, &rng);
    } else {
        duel_fight_tick(s, r, chosen, DUEL_HEADS, &rng);
    }
    s->rng = rng.state;
    s->tick++;
    s->end = duel_end_of(r, s);
    for (int seat = 0; seat < DUEL_SEATS; seat++) {
        s->fighter[seat].mask = duel_mask_of(r, s, seat);
    }
    duel_write_terms(r, s, terms);
    duel_step_done(s, illegal, step);
}

LU_HD static void dharok_step(const lu_rules *rules, void *bytes, const int32_t *actions,
                              double *terms, lu_step *step) {
    const duel_rules *r = (const duel_rules *)(const void *)rules;
    duel_state *s = (duel_state *)bytes;
    int32_t chosen[2 * DHAROK_HEADS];
    uint8_t illegal = 0;
    lu_rng rng = lu_rng_from(s->rng);
    for (int seat = 0; seat < DUEL_SEATS; seat++) {
        int at = seat * DHAROK_HEADS;
        bool good = dharok_resolve(s->fighter[seat].mask, actions + at, chosen + at);
        illegal = (uint8_t)(illegal | (good ? 0u : 1u << seat));
        duel_begin_turn(&s->fighter[seat]);
    }
    s->changed = 1;
    duel_fight_tick(s, r, chosen, DHAROK_HEADS, &rng);
    s->changed = 1;
    s->rng = rng.state;
    s->tick++;
    s->end = duel_end_of(r, s);
    for (int seat = 0; seat < DUEL_SEATS; seat++) {
        s->fighter[seat].mask = dharok_mask_of(s, seat);
    }
    duel_write_terms(r, s, terms);
    duel_step_done(s, illegal, step);
}

/* ---- reset ---- */

LU_HD static void duel_reset(const lu_rules *rules, void *bytes, uint64_t seed,
                             const void *options) {
    const duel_rules *r = (const duel_rules *)(const void *)rules;
    duel_state *s = (duel_state *)bytes;
    (void)options;
    duel_begin(r, s, seed);
    for (int seat = 0; seat < DUEL_SEATS; seat++) {
        s->fighter[seat].mask = duel_mask_of(r, s, seat);
    }
}

LU_HD static void dharok_reset(const lu_rules *rules, void *bytes, uint64_t seed,
                               const void *options) {
    duel_state *s = (duel_state *)bytes;
    (void)options;
    duel_begin((const duel_rules *)(const void *)rules, s, seed);
    for (int seat = 0; seat < DUEL_SEATS; seat++) {
        s->fighter[seat].mask = dharok_mask_of(s, seat);
    }
}

/* ---- what is seen ---- */

LU_HD static void duel_observe(const lu_rules *rules, const void *bytes, int seat, uint64_t changed,
                               float *observation) {
    duel_see((const duel_rules *)(const void *)rules, (const duel_state *)bytes, seat, changed,
             observation);
}

LU_HD static void duel_critic(const lu_rules *rules, const void *bytes, int seat, float *critic) {
    duel_see_critic((const duel_rules *)(const void *)rules, (const duel_state *)bytes, seat,
                    critic);
}

LU_HD static void duel_mask(const lu_rules *rules, const void *bytes, int seat, uint8_t *mask) {
    (void)rules;
    duel_mask_write(((const duel_state *)bytes)->fighter[seat].mask, mask);
}

LU_INLINE float dharok_part(int32_t ticks, float whole) {
    return (float)duel_left(ticks) / whole;
}

LU_HD static void dharok_observe(const lu_rules *rules, const void *bytes, int seat,
                                 uint64_t changed, float *o) {
    const duel_state *s = (const duel_state *)bytes;
    const duel_fighter *f = &s->fighter[seat], *to = &s->fighter[1 - seat];
    int32_t full = f->base[DUEL_HITPOINTS], his = to->base[DUEL_HITPOINTS], since = f->cool;
    (void)rules;
    (void)changed;
    for (int k = 0; k < 3; k++) {
        o[k] = duel_flag(f->set % 3 == k);
        o[3 + k] = duel_flag(to->set % 3 == k);
    }
    o[6] = (float)f->energy / 100.0f;
    o[7] = (float)to->energy / 100.0f;
    o[8] = duel_share(f->level[DUEL_HITPOINTS], full);
    o[9] = duel_share(to->level[DUEL_HITPOINTS], his);
    o[10] = (float)f->dose[DUEL_POTION_COMBAT];
    o[11] = (float)f->dose[DUEL_POTION_RESTORE];
    o[12] = (float)f->dose[DUEL_POTION_BREW];
    o[13] = (float)f->food;
    o[14] = (float)f->karambwan;
    o[15] = duel_share(f->level[DUEL_PRAYER], f->base[DUEL_PRAYER]);
    o[16] = duel_boosted(f, DUEL_STRENGTH, duel_combat_boost(f->base[DUEL_STRENGTH]));
    o[17] = duel_boosted(f, DUEL_ATTACK, duel_combat_boost(f->base[DUEL_ATTACK]));
    o[18] = duel_boosted(f, DUEL_DEFENCE, duel_combat_boost(f->base[DUEL_DEFENCE]));
    o[19] = dharok_part(f->cool, 6.0f);
    o[20] = dharok_part(f->timer[DUEL_TIMER_FOOD], 2.0f);
    o[21] = dharok_part(f->timer[DUEL_TIMER_POTION], 2.0f);
    o[22] = dharok_part(f->timer[DUEL_TIMER_KARAMBWAN], 2.0f);
    o[23] = (float)((since < -2 ? -2 : since > 1 ? 1 : since) + 2) / 3.0f;
    o[24] = dharok_part(to->cool, 6.0f);
    o[25] = dharok_part(to->timer[DUEL_TIMER_FOOD], 2.0f);
    o[26] = duel_share(duel_pending(to), his);
    o[27] = duel_flag(f->hits > 0 || f->queued > 0);
    o[28] = duel_flag(f->turn.attacks > 0);
    o[29] = duel_flag(to->turn.attacks > 0);
    o[30] = duel_share(f->turn.last_decided, his);
    o[31] = duel_share(f->turn.splat, full);
    o[32] = duel_share(to->turn.splat, his);
    o[33] = duel_flag(duel_has_pid(s, seat));
    o[34] = duel_flag(duel_left(f->timer[DUEL_TIMER_VENGEANCE]) == 0);
    o[35] = duel_flag(f->vengeance != 0);
    o[36] = duel_flag(duel_left(to->timer[DUEL_TIMER_VENGEANCE]) == 0);
    o[37] = duel_flag(to->vengeance != 0);
    o[38] = duel_flag(f->bare_armour != 0);
    o[39] = duel_flag(to->bare_armour != 0);
}

LU_HD static void dharok_critic(const lu_rules *rules, const void *bytes, int seat, float *critic) {
    float o[DHAROK_OBSERVATION];
    dharok_observe(rules, bytes, 1 - seat, LU_ALL_CHANGED, o);
    for (int k = 0; k < 10; k++) {
        critic[k] = o[10 + k];
    }
    critic[10] = o[21];
    critic[11] = o[22];
    critic[12] = o[23];
    critic[13] = o[26];
    critic[14] = o[30];
}

LU_HD static void dharok_mask(const lu_rules *rules, const void *bytes, int seat, uint8_t *mask) {
    (void)rules;
    dharok_mask_write(((const duel_state *)bytes)->fighter[seat].mask, mask);
}

/* ---- what is told ---- */

LU_INLINE double duel_part_of(int32_t part, int32_t whole) {
    return whole > 0 ? (double)part / (double)whole : 0.0;
}

LU_HD static void duel_info(const lu_rules *rules, const void *bytes, int seat, double *info) {
    const duel_rules *r = (const duel_rules *)(const void *)rules;
    const duel_state *s = (const duel_state *)bytes;
    const duel_fighter *f = &s->fighter[seat], *to = &s->fighter[1 - seat];
    info[DUEL_INFO_WON] = duel_won(r, s, seat) ? 1.0 : 0.0;
    info[DUEL_INFO_LOST] = duel_lost(r, s, seat) ? 1.0 : 0.0;
    info[DUEL_INFO_END] = (double)s->end;
    info[DUEL_INFO_TICKS] = (double)s->tick;
    info[DUEL_INFO_DAMAGE_DEALT] = (double)to->taken;
    info[DUEL_INFO_DAMAGE_RECEIVED] = (double)f->taken;
    info[DUEL_INFO_ATTACKS] = (double)f->attacks;
    info[DUEL_INFO_OFF_PRAYER] = duel_part_of(f->attacks - f->blocked, f->attacks);
    info[DUEL_INFO_PRAYED_RIGHT] = duel_part_of(to->blocked, to->attacks);
    for (int k = 0; k < DUEL_STYLES; k++) {
        info[DUEL_INFO_MELEE_SHARE + k] = duel_part_of(f->by_style[k], f->attacks);
        info[DUEL_INFO_PRAY_MELEE_SHARE + k] = duel_part_of(to->into[k], to->attacks);
    }
    info[DUEL_INFO_HITPOINTS] = (double)f->level[DUEL_HITPOINTS];
    info[DUEL_INFO_FOOD_LEFT] = (double)(f->food + f->karambwan);
    info[DUEL_INFO_BREWS_LEFT] = (double)f->dose[DUEL_POTION_BREW];
    info[DUEL_INFO_SPECIALS] = (double)f->specials;
    info[DUEL_INFO_BUILD] = (double)f->build;
    info[DUEL_INFO_FIGHT] = (double)s->fight;
}

/* Hidden from a seat: chance, when PID changes, and of the opponent levels, prayer points,
 * supplies, two timers, what he targets, where he walks, what he ate since the last splat and the
 * damage of hits that are on their way. His gear is known by name of the build and stays. */
LU_HD static void duel_guess(const duel_rules *r, duel_state *s, int seat, lu_rng *rng) {
    duel_fighter *f = &s->fighter[seat], *to = &s->fighter[1 - seat];
    const int levels[5] = {DUEL_ATTACK, DUEL_STRENGTH, DUEL_DEFENCE, DUEL_RANGED, DUEL_MAGIC};
    s->rng = lu_rng_u64(rng);
    for (int k = 0; k < DUEL_SEATS; k++) {
        s->fighter[k].pid_clock = (uint8_t)duel_between(rng, 1, r->pid_high);
    }
    for (int k = 0; k < 5; k++) {
        int32_t base = to->base[levels[k]];
        to->level[levels[k]] = (int16_t)duel_between(rng, base - base / 4, base + base / 7);
    }
    if (to->level[DUEL_PRAYER] > 0 && s->fight != DUEL_FIGHT_LMS) {
        to->level[DUEL_PRAYER] = (int16_t)duel_between(rng, 1, to->base[DUEL_PRAYER]);
    }
    for (int k = DUEL_POTION_BREW; k < DUEL_POTIONS && !r->rounds; k++) {
        to->dose[k] = (uint8_t)duel_between(rng, 0, to->dose[k] + 4);
    }
    int32_t room = to->food + to->karambwan;
    to->food = (uint8_t)duel_between(rng, 0, room);
    to->karambwan = (uint8_t)duel_between(rng, 0, duel_least(3, room - to->food));
    to->timer[DUEL_TIMER_POTION] = (uint8_t)duel_between(rng, 0, to->timer[DUEL_TIMER_FOOD]);
    to->timer[DUEL_TIMER_KARAMBWAN] = (uint8_t)duel_between(rng, 0, to->timer[DUEL_TIMER_FOOD]);
    for (int k = 0; k < f->hits; k++) {
        for (int i = 0; i < f->hit[k].count; i++) {
            f->hit[k].damage[i] = (int16_t)duel_between(rng, 0, 40);
        }
    }
    to->target = (uint8_t)lu_rng_below(rng, 2);
    duel_stop(to);
}

LU_HD static void duel_determinise(const lu_rules *rules, void *bytes, int seat, lu_rng *rng) {
    const duel_rules *r = (const duel_rules *)(const void *)rules;
    duel_state *s = (duel_state *)bytes;
    duel_fighter *to = &s->fighter[1 - seat];
    duel_guess(r, s, seat, rng);
    if (!r->rounds && to->level[DUEL_HITPOINTS] > 0) {
        int32_t low = to->shown > 0 ? to->shown : to->base[DUEL_HITPOINTS];
        to->level[DUEL_HITPOINTS] =
            (int16_t)duel_between(rng, low, duel_least(low + 40, to->base[DUEL_HITPOINTS]));
    }
    to->mask = duel_mask_of(r, s, 1 - seat);
}

/* Here the opponent's hitpoints are seen. */
LU_HD static void dharok_determinise(const lu_rules *rules, void *bytes, int seat, lu_rng *rng) {
    duel_state *s = (duel_state *)bytes;
    duel_guess((const duel_rules *)(const void *)rules, s, seat, rng);
    s->fighter[1 - seat].mask = dharok_mask_of(s, 1 - seat);
}

#define LU_LOOP_GAME   duel
#define LU_LOOP_NAMES  DUEL
#define LU_LOOP_SEATS  2
#define LU_LOOP_HEADS  DUEL_HEADS
#define LU_LOOP_CRITIC 93
#include "ludus/loop.h"

#undef LU_LOOP_GAME
#undef LU_LOOP_NAMES
#undef LU_LOOP_HEADS
#undef LU_LOOP_CRITIC
#undef LU_LOOP_STATE
#undef LU_LOOP_TERMS
#undef LU_LOOP_INFOS
#undef LU_LOOP_OBSERVATION
#undef LU_LOOP_MASK
#undef LU_LOOP_HOT
#define LU_LOOP_GAME        dharok
#define LU_LOOP_STATE       duel_state
#define LU_LOOP_HEADS       DHAROK_HEADS
#define LU_LOOP_TERMS       DUEL_TERMS
#define LU_LOOP_INFOS       DUEL_INFOS
#define LU_LOOP_OBSERVATION DHAROK_OBSERVATION
#define LU_LOOP_MASK        DHAROK_ACTIONS
#define LU_LOOP_CRITIC      15
#define dharok_info         duel_info
#include "ludus/loop.h"
