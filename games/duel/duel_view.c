/* How duel looks to people: the board for a terminal, events, stories, and why an option is
 * closed. */
#include "duel.h"
#include "duel_see.h"

#include <string.h>

static const char *const styles[DUEL_STYLES] = {"melee", "ranged", "magic"};
static const char *const end_words[] = {"",          "seat 0 has won",   "seat 1 has won",
                                        "both fell", "tie: out of food", "the rounds are over",
                                        "time limit"};

/* ---- board ---- */

static void show_bar(lu_text *text, int value, int full) {
    int filled = full > 0 ? value * 20 / full : 0;
    filled = filled > 20 ? 20 : filled;
    lu_text_add(text, "[");
    lu_text_fill(text, '#', filled);
    lu_text_fill(text, '.', 20 - filled);
    lu_text_add(text, "]");
}

static const char *overhead(const duel_fighter *f) {
    uint8_t shield = duel_shield_of(f);
    return shield                                  ? styles[shield - 1]
           : duel_prays(f, DUEL_PRAYER_SMITE)      ? "smite"
           : duel_prays(f, DUEL_PRAYER_REDEMPTION) ? "redemption"
                                                   : "nothing";
}

/* What both sides see of a fighter. */
static void show_open(const duel_rules *r, const duel_state *s, int k, bool own, lu_text *text) {
    const duel_fighter *f = &s->fighter[k];
    int health = own ? f->level[DUEL_HITPOINTS] : f->shown;
    lu_text_addf(text, "Seat %d  %-10.10s ", k, r->build[f->build].name);
    show_bar(text, health < 0 ? f->base[DUEL_HITPOINTS] : health, f->base[DUEL_HITPOINTS]);
    if (health < 0) {
        lu_text_addf(text, "  ? of %d", f->base[DUEL_HITPOINTS]);
    } else {
        lu_text_addf(text, " %3d of %d", health, f->base[DUEL_HITPOINTS]);
    }
    lu_text_addf(text, "  took %d%s\n", f->turn.splat, duel_has_pid(s, k) ? "  PID" : "");
    lu_text_line(text, "  %-24.24s prays %-10s spec %3d%%",
                 duel_item_names[f->item[f->set][DUEL_SLOT_WEAPON]], overhead(f), f->energy);
    lu_text_line(text, "  at %d,%d  attack in %d  frozen %d  on the way %d%s", f->x, f->y,
                 f->cool > 0 ? f->cool : 0, f->timer[DUEL_TIMER_FREEZE], f->hits,
                 f->vengeance ? "  vengeance" : "");
}

static void show_own(const duel_fighter *f, lu_text *text) {
    lu_text_line(text, "  food %d  karambwan %d  brew %d  restore %d  combat %d  ranging %d",
                 f->food, f->karambwan, f->dose[DUEL_POTION_BREW], f->dose[DUEL_POTION_RESTORE],
                 f->dose[DUEL_POTION_COMBAT], f->dose[DUEL_POTION_RANGING]);
    lu_text_line(text, "  attack %d  strength %d  defence %d  ranged %d  magic %d  prayer %d",
                 f->level[DUEL_ATTACK], f->level[DUEL_STRENGTH], f->level[DUEL_DEFENCE],
                 f->level[DUEL_RANGED], f->level[DUEL_MAGIC], f->level[DUEL_PRAYER]);
}

void duel_show(const lu_rules *rules, const void *bytes, int seat, lu_text *text) {
    static const char *const fights[] = {"normal", "LMS", "PvP arena"};
    const duel_rules *r = (const duel_rules *)(const void *)rules;
    const duel_state *s = bytes;
    bool dharok = s->fighter[0].build == DUEL_BUILD_DHAROK;
    lu_text_line(text, "Tick %d, %s fight, distance %d%s%s", s->tick, fights[s->fight],
                 duel_distance(&s->fighter[0], &s->fighter[1]), s->end ? ": " : "",
                 end_words[s->end]);
    for (int k = 0; k < DUEL_SEATS; k++) {
        bool own = seat < 0 || seat == k;
        show_open(r, s, k, own || dharok, text);
        if (own) {
            show_own(&s->fighter[k], text);
        }
    }
}

/* ---- events ---- */

uint64_t duel_events_of(const lu_rules *rules, const void *before, const void *after,
                        const int32_t *actions) {
    const duel_state *was = before, *is = after;
    uint64_t bits = 0;
    (void)rules;
    (void)actions;
    for (int k = 0; k < DUEL_SEATS; k++) {
        const duel_turn *turn = &is->fighter[k].turn;
        bool cast = is->fighter[k].timer[DUEL_TIMER_VENGEANCE] >
                    was->fighter[k].timer[DUEL_TIMER_VENGEANCE];
        bits |= turn->style ? (uint64_t)1 << (DUEL_EVENT_MELEE + turn->style - 1) : 0;
        bits |= (uint64_t)(turn->special ? 1 : 0) << DUEL_EVENT_SPECIAL;
        bits |= (uint64_t)(turn->blocked ? 1 : 0) << DUEL_EVENT_BLOCKED;
        bits |= (uint64_t)(turn->splat >= 40 ? 1 : 0) << DUEL_EVENT_BIG_HIT;
        bits |= (uint64_t)(turn->frozen ? 1 : 0) << DUEL_EVENT_FROZEN;
        bits |= (uint64_t)(turn->meals ? 1 : 0) << DUEL_EVENT_ATE;
        bits |= (uint64_t)(turn->doses ? 1 : 0) << DUEL_EVENT_DRANK;
        bits |= (uint64_t)(cast ? 1 : 0) << DUEL_EVENT_VENGEANCE;
    }
    bits |= (uint64_t)(duel_has_pid(was, 0) != duel_has_pid(is, 0) ? 1 : 0) << DUEL_EVENT_PID;
    bits |= (uint64_t)(is->end ? 1 : 0) << DUEL_EVENT_WON;
    return bits;
}

/* ---- story ---- */

/* "seat 0: ranged 12 into prayer, loses 7, eats"; false when there is nothing to tell. */
static bool tell_fighter(const duel_fighter *f, int k, bool any, lu_text *text) {
    const duel_turn *turn = &f->turn;
    const char *comma = "";
    if (!turn->style && !turn->splat && !turn->frozen && !turn->meals) {
        return false;
    }
    lu_text_addf(text, "%sseat %d: ", any ? "; " : "", k);
    if (turn->style) {
        lu_text_addf(text, "%s%s %d%s", styles[turn->style - 1], turn->special ? " special" : "",
                     turn->decided, turn->blocked ? " into prayer" : "");
        comma = ", ";
    }
    if (turn->splat) {
        lu_text_addf(text, "%sloses %d", comma, turn->splat);
        comma = ", ";
    }
    if (turn->frozen) {
        lu_text_addf(text, "%sfrozen", comma);
        comma = ", ";
    }
    if (turn->meals) {
        lu_text_addf(text, "%seats", comma);
    }
    return true;
}

void duel_story(const lu_rules *rules, const void *before, const void *after,
                const int32_t *actions, lu_text *text) {
    const duel_state *s = after;
    bool any = false;
    (void)rules;
    (void)before;
    (void)actions;
    for (int k = 0; k < DUEL_SEATS; k++) {
        any = tell_fighter(&s->fighter[k], k, any, text) || any;
    }
    if (s->end) {
        lu_text_addf(text, "%s%s", any ? "; " : "", end_words[s->end]);
    } else if (!any) {
        lu_text_add(text, "nothing happens");
    }
}

/* ---- closed options ---- */

const char *duel_why_not(const lu_rules *rules, const void *bytes, int seat, int head, int option) {
    const duel_rules *r = (const duel_rules *)(const void *)rules;
    const duel_fighter *f = &((const duel_state *)bytes)->fighter[seat];
    static const char *const reasons[DUEL_HEADS] = {
        [DUEL_HEAD_ATTACK] = "the attack is not due or no weapon of this kind can be used",
        [DUEL_HEAD_MELEE] = "not due, out of reach, or too little room or special energy",
        [DUEL_HEAD_RANGED] = "not due, or too little room or special energy",
        [DUEL_HEAD_MAGE] = "not due, too low a level or special energy, or unhurt",
        [DUEL_HEAD_POTION] = "no dose left, too soon after the last, or of no use now",
        [DUEL_HEAD_FOOD] = "none left, too soon after the last, or unhurt",
        [DUEL_HEAD_KARAMBWAN] = "none left, too soon after the last, or unhurt",
        [DUEL_HEAD_VENGEANCE] = "another spellbook, or cast too recently",
        [DUEL_HEAD_GEAR] = "the opponent cannot attack yet",
        [DUEL_HEAD_MOVEMENT] = "frozen, already there, or an attack is due",
        [DUEL_HEAD_FARCAST] = "no such tile",
    };
    static const char *const prayers[] = {
        "a prayer is chosen whenever one can be",
        "no prayer points, or the opponent cannot attack yet",
        "no prayer points, or the opponent cannot attack yet",
        "no prayer points, or the opponent cannot attack yet or come near",
        "no prayer points, the attack is not due, or this fight forbids it",
        "no prayer points, food is left, or this fight forbids it",
    };
    if (r->rounds) {
        return "the exchange only has styles and protections";
    }
    if (head == DUEL_HEAD_ATTACK && option == DUEL_NO_ATTACK && duel_ready(f)) {
        return "the attack is due";
    }
    return head == DUEL_HEAD_PRAYER ? prayers[option] : reasons[head];
}
