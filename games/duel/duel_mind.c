/* What the bots of duel share: see duel_mind.h. */
#include "duel_mind.h"
#include "duel_mean.h"

#include <string.h>

bool duel_mind_ready(const lu_seat_view *view) {
    return view->mask[DUEL_AT_ATTACK + DUEL_NO_ATTACK] == 0;
}

static const int attack_of[DUEL_STYLES] = {DUEL_MELEE_ATTACK, DUEL_RANGED_ATTACK, DUEL_MAGE_ATTACK};
static const int basic_of[DUEL_STYLES] = {DUEL_AT_MELEE + DUEL_BASIC, DUEL_AT_RANGED + DUEL_BASIC,
                                          DUEL_AT_MAGE + DUEL_ICE};

bool duel_mind_may(const lu_seat_view *view, int style) {
    return view->mask[basic_of[style]] != 0;
}

int duel_mind_draw(const duel_mix *mix, lu_rng *rng) {
    double sum = 0.0, at = lu_rng_unit(rng);
    for (int k = 0; k < DUEL_STYLES; k++) {
        sum += mix->part[k];
    }
    for (int k = 0; k < DUEL_STYLES - 1; k++) {
        at -= sum > 0.0 ? mix->part[k] / sum : 1.0 / DUEL_STYLES;
        if (at < 0.0) {
            return k;
        }
    }
    return DUEL_STYLES - 1;
}

double duel_mind_his_health(const lu_seat_view *view) {
    const float *o = view->observation;
    /* 0 before the first splat: he is unhurt */
    double shown = o[DUEL_SEE_HIS_HEALTH] > 0.0f ? (double)o[DUEL_SEE_HIS_HEALTH] : 1.0;
    return shown - (double)o[DUEL_SEE_PENDING];
}

/* ---- choices ---- */

static void commit_attack(const lu_seat_view *view, const duel_plan *plan, int32_t *a) {
    static const int heads[DUEL_STYLES] = {DUEL_HEAD_MELEE, DUEL_HEAD_RANGED, DUEL_HEAD_MAGE};
    static const int from[DUEL_STYLES] = {DUEL_AT_MELEE, DUEL_AT_RANGED, DUEL_AT_MAGE};
    static const int options[DUEL_STYLES] = {3, 3, 4};
    static const int others[DUEL_STYLES] = {DUEL_SHOT, DUEL_SPELL, DUEL_MELEE};
    const uint8_t *mask = view->mask;
    int style = plan->attack - 1;
    if (style < 0 && !duel_mind_ready(view)) {
        return;
    }
    /* an attack that is due must be made: with another style where the wanted one is closed */
    for (int k = 0; k < DUEL_STYLES && (style < 0 || !mask[attack_of[style]]); k++) {
        style = mask[attack_of[others[k]]] ? others[k] : style;
    }
    if (style < 0 || !mask[attack_of[style]]) {
        return;
    }
    int kind = plan->attack == 1 + style && mask[from[style] + plan->kind] ? plan->kind : 0;
    for (int k = 1; k < options[style] && kind == 0; k++) {
        kind = mask[from[style] + k] ? k : 0;
    }
    a[DUEL_HEAD_ATTACK] = attack_of[style];
    a[heads[style]] = kind;
}

static void commit_prayer(const lu_seat_view *view, const duel_plan *plan, int32_t *a) {
    static const int prayers[6] = {0,
                                   DUEL_PRAY_MELEE,
                                   DUEL_PRAY_RANGED,
                                   DUEL_PRAY_MAGE,
                                   DUEL_PRAY_SMITE,
                                   DUEL_PRAY_REDEMPTION};
    static const int order[] = {DUEL_PRAY_RANGED, DUEL_PRAY_MAGE, DUEL_PRAY_MELEE, DUEL_PRAY_SMITE,
                                DUEL_PRAY_REDEMPTION};
    const uint8_t *mask = view->mask + DUEL_AT_PRAYER;
    int wanted = prayers[plan->shield];
    for (int k = 0; k < DUEL_STYLES && wanted == 0; k++) {
        wanted = view->observation[DUEL_SEE_SHIELD + k] > 0.0f ? prayers[1 + k] : 0;
    }
    for (int k = 0; k < 5 && !mask[wanted]; k++) {
        wanted = mask[order[k]] ? order[k] : wanted;
    }
    a[DUEL_HEAD_PRAYER] = mask[wanted] ? wanted : 0;
}

void duel_mind_commit(const lu_seat_view *view, const duel_plan *plan, int32_t *a) {
    const uint8_t *mask = view->mask;
    memset(a, 0, DUEL_HEADS * sizeof *a);
    commit_attack(view, plan, a);
    commit_prayer(view, plan, a);
    a[DUEL_HEAD_POTION] = mask[DUEL_AT_POTION + plan->potion] ? plan->potion : 0;
    a[DUEL_HEAD_FOOD] = plan->food && mask[DUEL_AT_FOOD + 1];
    a[DUEL_HEAD_KARAMBWAN] = plan->karambwan && mask[DUEL_AT_KARAMBWAN + 1];
    a[DUEL_HEAD_VENGEANCE] = plan->vengeance && mask[DUEL_AT_VENGEANCE + 1];
    a[DUEL_HEAD_GEAR] = a[DUEL_HEAD_ATTACK] == DUEL_NO_ATTACK && mask[DUEL_AT_GEAR + 1];
    if (mask[DUEL_AT_MOVEMENT + plan->movement]) {
        a[DUEL_HEAD_MOVEMENT] = plan->movement;
        a[DUEL_HEAD_FARCAST] = plan->movement == DUEL_FARCAST ? plan->farcast - 1 : 0;
    }
}

/* ---- damage ---- */

/* One side as a seat sees it: levels and the few bonuses that are shown. */
typedef struct sight {
    int16_t level[DUEL_LEVELS], bonus[DUEL_BONUSES];
    duel_party party;
} sight;

static int16_t near(double value) {
    return (int16_t)(value + (value < 0.0 ? -0.5 : 0.5));
}

/* Levels at base; `drunk` boosts those that potions raise. */
static void sight_of(const float *o, bool drunk, bool high, int style, sight *s) {
    static const int base[DUEL_LEVELS] = {0, 2, 1, 6, 3, 5, 4};
    memset(s, 0, sizeof *s);
    for (int k = 0; k < DUEL_LEVELS; k++) {
        s->level[k] = near((double)o[DUEL_SEE_BASE + base[k]]);
    }
    if (drunk) {
        int16_t own[DUEL_LEVELS];
        memcpy(own, s->level, sizeof own);
        duel_drink(s->level, own, DUEL_POTION_RANGING);
    }
    s->party.level = s->level;
    s->party.bonus = s->bonus;
    s->party.prayers = duel_style_prayers(high, style);
    s->party.stance = style == DUEL_MELEE ? DUEL_STANCE_AGGRESSIVE : DUEL_STANCE_RAPID;
}

static void sight_own_levels(const float *o, sight *s) {
    double strength = (double)s->level[DUEL_STRENGTH], attack = (double)s->level[DUEL_ATTACK];
    double ranged = (double)s->level[DUEL_RANGED], magic = (double)s->level[DUEL_MAGIC];
    s->level[DUEL_STRENGTH] =
        near((double)o[DUEL_SEE_STRENGTH] * (strength + duel_combat_boost((int32_t)strength)));
    s->level[DUEL_ATTACK] =
        near((double)o[DUEL_SEE_ATTACK] * (attack + duel_combat_boost((int32_t)attack)));
    s->level[DUEL_RANGED] =
        near((double)o[DUEL_SEE_RANGED] * (ranged + duel_ranging_boost((int32_t)ranged)));
    s->level[DUEL_MAGIC] = near((double)o[DUEL_SEE_MAGIC] * magic);
}

static duel_blow plain_blow(int style) {
    duel_blow blow;
    memset(&blow, 0, sizeof blow);
    blow.style = (uint8_t)style;
    blow.type = DUEL_TYPE_SLASH;
    blow.queued = 1;
    blow.weapon = style == DUEL_MELEE  ? DUEL_ITEM_DRAGON_SCIMITAR
                  : style == DUEL_SHOT ? DUEL_ITEM_RUNE_CROSSBOW
                                       : DUEL_ITEM_KODAI_WAND;
    blow.spell = style == DUEL_SPELL ? DUEL_SPELL_ICE_BARRAGE : 0;
    return blow;
}

static void put_attack(sight *s, int style, double accuracy, double strength) {
    static const int type[DUEL_STYLES] = {DUEL_TYPE_SLASH, DUEL_TYPE_RANGED, DUEL_TYPE_MAGIC};
    static const int strong[DUEL_STYLES] = {DUEL_BONUS_STRENGTH, DUEL_BONUS_RANGED_STRENGTH,
                                            DUEL_BONUS_MAGIC_DAMAGE};
    s->bonus[DUEL_BONUS_ATTACK + type[style]] = near(accuracy);
    s->bonus[strong[style]] = near(strength);
}

static void put_defence(sight *s, const float *ranged_magic_slash) {
    s->bonus[DUEL_BONUS_DEFENCE + DUEL_TYPE_RANGED] = near((double)ranged_magic_slash[0]);
    s->bonus[DUEL_BONUS_DEFENCE + DUEL_TYPE_MAGIC] = near((double)ranged_magic_slash[1]);
    s->bonus[DUEL_BONUS_DEFENCE + DUEL_TYPE_SLASH] = near((double)ranged_magic_slash[2]);
}

static bool high_of(const float *o) {
    return o[DUEL_SEE_BASE + 2] >= 70.0f && o[DUEL_SEE_BASE + 5] >= 77.0f;
}

static double speed_of(const float *o, int style) {
    float ticks = style == DUEL_MELEE ? o[132] : style == DUEL_SHOT ? o[128] : 5.0f;
    return ticks > 0.0f ? (double)ticks : 5.0;
}

void duel_mind_means(const lu_seat_view *view, double mean[DUEL_STYLES],
                     double shielded[DUEL_STYLES]) {
    static const int gear[DUEL_STYLES] = {130, 126, 124};
    const float *o = view->observation;
    uint32_t live = ((const duel_rules *)(const void *)view->rules)->live;
    for (int style = 0; style < DUEL_STYLES; style++) {
        sight by, to;
        duel_blow blow = plain_blow(style);
        sight_of(o, false, high_of(o), style, &by);
        sight_own_levels(o, &by);
        sight_of(o, false, high_of(o), DUEL_SPELL, &to);
        put_attack(&by, style, (double)o[gear[style]], (double)o[gear[style] + 1]);
        put_defence(&to, o + DUEL_SEE_HIS_DEFENCE);
        double ticks = speed_of(o, style);
        mean[style] = duel_mean(live, &blow, &by.party, &to.party, false) / ticks;
        shielded[style] = duel_mean(live, &blow, &by.party, &to.party, true) / ticks;
    }
}

void duel_mind_fears(const lu_seat_view *view, double mean[DUEL_STYLES],
                     double shielded[DUEL_STYLES]) {
    static const int gear[DUEL_STYLES] = {4, 2, 0}; /* melee, ranged, magic behind HIS_GEAR */
    const float *o = view->observation;
    uint32_t live = ((const duel_rules *)(const void *)view->rules)->live;
    for (int style = 0; style < DUEL_STYLES; style++) {
        sight by, to;
        duel_blow blow = plain_blow(style);
        const float *his = o + DUEL_SEE_HIS_GEAR + gear[style];
        sight_of(o, true, high_of(o), style, &by);
        sight_of(o, false, high_of(o), DUEL_SPELL, &to);
        /* ammunition does not show: a crossbow seen with strength 0 shoots the own bolts */
        double strong = style == DUEL_SHOT && his[1] < o[127] ? (double)o[127] : (double)his[1];
        put_attack(&by, style, (double)his[0], strong);
        put_defence(&to, o + 136); /* the ranged set, which the tank set is made of */
        double ticks = speed_of(o, style);
        mean[style] = duel_mean(live, &blow, &by.party, &to.party, false) / ticks;
        shielded[style] = duel_mean(live, &blow, &by.party, &to.party, true) / ticks;
    }
}
