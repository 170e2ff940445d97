/* Mean damages and the mix of the exchange: see duel_mean.h. */
#include "duel_mean.h"

/* Mean of f(d) over d in low..high, after protection, cut to [least, most]. */
static double mean_between(int32_t low, int32_t high, bool shielded, int32_t least, int32_t most) {
    double sum = 0.0;
    for (int32_t d = low; d <= high; d++) {
        int32_t hit = shielded ? duel_shielded(d) : d;
        hit = hit < least ? least : hit > most ? most : hit;
        sum += (double)hit;
    }
    return high >= low ? sum / (double)(high - low + 1) : 0.0;
}

enum { NO_MOST = 1000000 };

static double plain(int32_t most, bool shielded) {
    return mean_between(0, most, shielded, 0, NO_MOST);
}

/* Mean of a shot with bolts. */
static double bolts(const duel_bolt *bolt, double chance, int32_t most, bool shielded,
                    bool magic_stopped) {
    double quiet = 0.0, loud = 0.0;
    int32_t adds = bolt->magic_stops && magic_stopped ? 0 : bolt->adds;
    for (int32_t d = 0; d <= most; d++) {
        int32_t hit = shielded ? duel_shielded(d) : d;
        quiet += (double)hit;
        int32_t louder = hit * bolt->times / 100 + adds;
        loud += (double)louder;
    }
    quiet /= (double)(most + 1);
    loud /= (double)(most + 1);
    double effect = (double)bolt->percent / 100.0;
    double on_hit = bolt->sure ? 1.0 : effect;
    double hit = on_hit * loud + (1.0 - on_hit) * quiet;
    double miss = bolt->passes ? effect * loud : bolt->needs_hit ? 0.0 : effect * (double)adds;
    return chance * hit + (1.0 - chance) * miss;
}

static int32_t rounded(int32_t times, int32_t m, int32_t parts) {
    return (2 * times * m + parts) / (2 * parts);
}

/* Sum of the hits that follow from a first one that is drawn from low..high. */
static double claws_from(int first, int32_t low, int32_t high) {
    double sum = 0.0;
    for (int32_t a = low; a <= high; a++) {
        int32_t half = a / 2, quarter = half / 2;
        int32_t all = first == 0   ? a + half + 2 * quarter
                      : first == 1 ? a + 2 * half
                      : first == 2 ? 2 * a
                                   : a;
        sum += (double)all + (first < 3 ? 0.5 : 0.0);
    }
    return high >= low ? sum / (double)(high - low + 1) : 0.0;
}

static double claws(double chance, int32_t most, bool shielded) {
    int32_t m = shielded ? duel_shielded(most) : most;
    /* the four rolls are ordinary ones: up to the whole maximum, then reduced; 1 becomes 0 */
    int32_t none = shielded && most > 0 ? 2 : 1;
    double lands = chance * (double)(most + 1 - none) / (double)(most + 1);
    double misses = 1.0 - lands;
    double mean = lands * claws_from(0, rounded(1, m, 2), m - 1);
    mean += misses * lands * claws_from(1, rounded(3, m, 8), rounded(7, m, 8));
    mean += misses * misses * lands * claws_from(2, rounded(1, m, 4), rounded(3, m, 4));
    mean += misses * misses * misses * lands * claws_from(3, rounded(1, m, 4), rounded(5, m, 4));
    return mean + misses * misses * misses * misses; /* two hits of 0 or 1 */
}

static double nightmare(int32_t magic, int32_t percent, bool shielded) {
    int32_t top = duel_nightmare_most(magic);
    double sum = 0.0;
    for (int32_t k = 1; k <= top; k++) {
        int32_t hit = k * (100 + percent) / 100;
        sum += (double)(shielded ? duel_shielded(hit) : hit);
    }
    return sum / (double)top;
}

double duel_mean(uint32_t live, const duel_blow *blow, const duel_party *by, const duel_party *to,
                 bool shielded) {
    duel_odds odds = duel_odds_of(live, blow, by, to);
    double chance = duel_chance(odds.attack, odds.defence);
    bool late = shielded && (live & DUEL_LIVE_PROTECT);
    int32_t m = odds.most;
    duel_bolt bolt = duel_bolt_of(live, blow, by->level[DUEL_RANGED]);
    bool bow = duel_items[blow->weapon].kind == DUEL_CLASS_DARK_BOW && blow->style == DUEL_SHOT;
    if (blow->style == DUEL_SHOT && bolt.percent > 0) {
        bool stopped = (to->prayers >> DUEL_PRAYER_PROTECT_FROM_MAGIC) & 1u;
        return bolts(&bolt, chance, m, shielded, stopped);
    }
    switch (blow->special) {
    case DUEL_SPECIAL_DOUBLE:
        return 2.0 * chance * plain(m, shielded);
    case DUEL_SPECIAL_MAUL:
        return (double)blow->queued * chance * plain(m, shielded);
    case DUEL_SPECIAL_CLAWS:
        return claws(chance, m, shielded);
    case DUEL_SPECIAL_FIFTH:
        return chance * mean_between(m / 5, m + m / 5, late, 0, NO_MOST);
    case DUEL_SPECIAL_QUARTER:
        return chance * mean_between(m / 4, m + m / 4, late, 0, NO_MOST);
    case DUEL_SPECIAL_DARK_BOW:
        return 2.0 * (chance * mean_between(0, m, shielded, 8, 48) + (1.0 - chance) * 8.0);
    case DUEL_SPECIAL_NIGHTMARE:
        return chance * nightmare(by->level[DUEL_MAGIC], by->bonus[DUEL_BONUS_MAGIC_DAMAGE], late);
    default:
        return (bow ? 2.0 : 1.0) * chance * plain(m, shielded);
    }
}

void duel_exchange_means(uint32_t live, const duel_build *by, const duel_build *to,
                         double mean[DUEL_STYLES], double shielded[DUEL_STYLES]) {
    static const int sets[DUEL_STYLES] = {DUEL_SET_MELEE, DUEL_SET_RANGED, DUEL_SET_MAGE};
    uint8_t tank[DUEL_SLOTS];
    int16_t attack[DUEL_BONUSES], defence[DUEL_BONUSES];
    duel_tank_set(to->item[DUEL_SET_MAGE], to->item[DUEL_SET_RANGED], tank);
    duel_gear_bonus(tank, defence);
    duel_party defender = {to->level, defence, 0, duel_items[tank[DUEL_SLOT_WEAPON]].stance};
    for (int style = 0; style < DUEL_STYLES; style++) {
        const uint8_t *item = by->item[sets[style]];
        const duel_item *weapon = &duel_items[item[DUEL_SLOT_WEAPON]];
        duel_party attacker = {by->level, attack, 0, weapon->stance};
        duel_blow blow = {.style = (uint8_t)style,
                          .weapon = item[DUEL_SLOT_WEAPON],
                          .ammo = item[DUEL_SLOT_AMMO],
                          .spell = style == DUEL_SPELL ? DUEL_SPELL_ICE_BARRAGE : 0,
                          .dharok = duel_is_dharok(item),
                          .queued = 1,
                          .type = weapon->type,
                          .base_hitpoints = by->level[DUEL_HITPOINTS]};
        bool armed = item[DUEL_SLOT_WEAPON] && !(style == DUEL_SPELL && by->always_lunar);
        duel_gear_bonus(item, attack);
        mean[style] = armed ? duel_mean(live, &blow, &attacker, &defender, false) : 0.0;
        shielded[style] = armed ? duel_mean(live, &blow, &attacker, &defender, true) : 0.0;
    }
}

double duel_equilibrium(const double mean[DUEL_STYLES], const double shielded[DUEL_STYLES],
                        double attack[DUEL_STYLES], double protect[DUEL_STYLES]) {
    bool kept[DUEL_STYLES];
    double value = 0.0, sum = 0.0;
    for (int i = 0; i < DUEL_STYLES; i++) {
        kept[i] = mean[i] > shielded[i];
    }
    /* dropping a style raises the value, so that this ends after at most three rounds */
    for (int round = 0; round < DUEL_STYLES; round++) {
        double shares = -1.0;
        sum = 0.0;
        for (int i = 0; i < DUEL_STYLES; i++) {
            double d = mean[i] - shielded[i];
            shares += kept[i] ? mean[i] / d : 0.0;
            sum += kept[i] ? 1.0 / d : 0.0;
        }
        value = sum > 0.0 ? shares / sum : 0.0;
        for (int i = 0; i < DUEL_STYLES; i++) {
            kept[i] = kept[i] && mean[i] >= value;
        }
    }
    for (int i = 0; i < DUEL_STYLES; i++) {
        double d = mean[i] - shielded[i];
        attack[i] = kept[i] ? 1.0 / d / sum : 0.0;
        protect[i] = kept[i] ? (mean[i] - value) / d : 0.0;
    }
    return value;
}
