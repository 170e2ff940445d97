/* Bots of duel: the scripts of the reference, and a ladder of our own from a brawler to an ace.
 * Each rung can do something that the one below cannot. */
#include "duel.h"
#include "duel_baseline.h"
#include "duel_mean.h"
#include "duel_mind.h"

#include <string.h>

/* What a bot draws once per episode, so that no two play alike. */
typedef struct nature {
    double appetite; /* share of hitpoints below which it eats */
    double slips;    /* chance of a careless choice */
    int32_t awake;   /* 0 before the first decision */
    int32_t spare;
} nature;

static nature *nature_of(const lu_seat_view *view) {
    nature *n = view->memory;
    if (!n->awake) {
        n->awake = 1;
        n->appetite = 0.45 + 0.15 * lu_rng_unit(view->rng);
        n->slips = 0.06 * lu_rng_unit(view->rng);
    }
    return n;
}

static bool slips(const lu_seat_view *view) {
    return lu_rng_unit(view->rng) < nature_of(view)->slips;
}

/* ---- parts ---- */

static bool his_attack_is_near(const lu_seat_view *view) {
    return view->observation[DUEL_SEE_HIS_COOL] <= 1.0f;
}

/* Protection from the style that he shows. */
static int answer_of(const lu_seat_view *view) {
    const float *o = view->observation + DUEL_SEE_HIS_STYLE;
    return o[0] > 0.0f ? 1 + DUEL_MELEE : o[1] > 0.0f ? 1 + DUEL_SHOT : 1 + DUEL_SPELL;
}

/* The style that does most into the protection he has on. */
static int best_style(const lu_seat_view *view, bool reach_for_melee) {
    const float *shield = view->observation + DUEL_SEE_HIS_SHIELD;
    double mean[DUEL_STYLES], shielded[DUEL_STYLES], best = -1.0;
    int chosen = DUEL_SHOT;
    duel_mind_means(view, mean, shielded);
    for (int style = 0; style < DUEL_STYLES; style++) {
        bool near_enough =
            style != DUEL_MELEE || reach_for_melee || view->observation[DUEL_SEE_DISTANCE] <= 2.0f;
        double worth = shield[style] > 0.0f ? shielded[style] : mean[style];
        if (duel_mind_may(view, style) && near_enough && worth > best) {
            best = worth;
            chosen = style;
        }
    }
    return chosen;
}

/* Food alone, below the appetite. */
static void eat_simply(const lu_seat_view *view, duel_plan *plan) {
    double health = (double)view->observation[DUEL_SEE_HEALTH];
    plan->food = health < nature_of(view)->appetite;
}

/* Food, brew and karambwan together when it is needed, restores after brews, boosts when safe. */
static void keep_alive(const lu_seat_view *view, duel_plan *plan) {
    const float *o = view->observation;
    const uint8_t *mask = view->mask;
    double health = (double)o[DUEL_SEE_HEALTH], appetite = nature_of(view)->appetite;
    bool food = mask[DUEL_AT_FOOD + 1], fish = mask[DUEL_AT_KARAMBWAN + 1];
    bool brew = mask[DUEL_AT_POTION + DUEL_POTION_BREW];
    if (health < appetite) {
        bool deep = health < appetite - 0.15;
        plan->potion = brew ? DUEL_POTION_BREW : 0;
        plan->food = !brew || deep;
        plan->karambwan = (fish && deep) || (!brew && !food);
        return;
    }
    bool drained = o[DUEL_SEE_MAGIC] < 0.9f || o[DUEL_SEE_PRAYER] < 0.25f;
    if (drained && mask[DUEL_AT_POTION + DUEL_POTION_RESTORE]) {
        plan->potion = DUEL_POTION_RESTORE;
    } else if (o[DUEL_SEE_RANGED] < 0.95f && mask[DUEL_AT_POTION + DUEL_POTION_RANGING]) {
        plan->potion = DUEL_POTION_RANGING;
    } else if (o[DUEL_SEE_STRENGTH] < 0.95f && mask[DUEL_AT_POTION + DUEL_POTION_COMBAT]) {
        plan->potion = DUEL_POTION_COMBAT;
    }
}

/* The special weapon when it may end the fight and he does not protect from it. */
static bool finish(const lu_seat_view *view, double below, duel_plan *plan) {
    bool shielded = view->observation[DUEL_SEE_HIS_SHIELD] > 0.0f;
    bool near_enough = view->observation[DUEL_SEE_DISTANCE] <= 2.0f;
    if (view->mask[DUEL_AT_MELEE + DUEL_SPEC] && !shielded && near_enough &&
        duel_mind_his_health(view) < below) {
        plan->attack = 1 + DUEL_MELEE;
        plan->kind = DUEL_SPEC;
        return true;
    }
    return false;
}

static void use_style(int style, duel_plan *plan) {
    plan->attack = 1 + style;
    plan->kind = style == DUEL_SPELL ? DUEL_ICE : DUEL_BASIC;
}

/* ---- scripts of the reference ---- */

/* All zeros, as published: an attack that is due is left out, which the mask forbids. */
static void noop(const lu_seat_view *view, int32_t *actions) {
    (void)view;
    memset(actions, 0, DUEL_HEADS * sizeof *actions);
}

static void stayalive(const lu_seat_view *view, int32_t *actions) {
    duel_plan plan = {.attack = 1 + DUEL_SHOT, .kind = DUEL_BASIC};
    plan.food = view->observation[DUEL_SEE_HEALTH] < 0.6f;
    duel_mind_commit(view, &plan, actions);
}

/* The potion that is needed most of those that can be drunk. */
static int client_potion(const float *o, const uint8_t *mask) {
    static const struct {
        int seen, potion;
        float below;
    } wants[] = {{DUEL_SEE_PRAYER, DUEL_POTION_RESTORE, 0.6f},
                 {DUEL_SEE_RANGED, DUEL_POTION_RANGING, 0.95f},
                 {DUEL_SEE_STRENGTH, DUEL_POTION_COMBAT, 0.95f}};
    for (int i = 0; i < 3; i++) {
        if (o[wants[i].seen] < wants[i].below && mask[DUEL_AT_POTION + wants[i].potion]) {
            return wants[i].potion;
        }
    }
    return 0;
}

/* What clients of the reference know as `baseline`: it plays by what a seat sees. */
static void baseline_client(const lu_seat_view *view, int32_t *actions) {
    const float *o = view->observation;
    int styles[DUEL_STYLES], open = 0;
    duel_plan plan = {.shield = answer_of(view), .potion = client_potion(o, view->mask)};
    plan.food = o[DUEL_SEE_HEALTH] < 0.6f;
    plan.karambwan = o[DUEL_SEE_HEALTH] < (view->mask[DUEL_AT_FOOD + 1] ? 0.4f : 0.6f);
    for (int style = 0; style < DUEL_STYLES; style++) {
        if (o[DUEL_SEE_HIS_SHIELD + style] <= 0.0f) {
            styles[open++] = style;
        }
    }
    use_style(open ? styles[lu_rng_below(view->rng, (uint32_t)open)] : DUEL_SHOT, &plan);
    duel_mind_commit(view, &plan, actions);
}

/* The reference's script, which sees what is hidden, as choices of a seat. */
static void baseline(const lu_seat_view *view, int32_t *actions) {
    const duel_rules *r = (const duel_rules *)(const void *)view->rules;
    const duel_state *s = view->state;
    const duel_fighter *f = &s->fighter[view->seat], *to = &s->fighter[1 - view->seat];
    duel_plan plan = {0};
    int32_t full = f->base[DUEL_HITPOINTS], health = f->level[DUEL_HITPOINTS];
    int shield = duel_baseline_shield(f, to);
    if (lu_rng_below(view->rng, 5) == 0) {
        plan.shield = shield == DUEL_PRAYER_PROTECT_FROM_MELEE      ? 1 + DUEL_MELEE
                      : shield == DUEL_PRAYER_PROTECT_FROM_MISSILES ? 1 + DUEL_SHOT
                                                                    : 1 + DUEL_SPELL;
    }
    switch (duel_baseline_urge(r, f, to)) {
    case DUEL_URGE_SPEC:
        plan.attack = 1 + DUEL_MELEE;
        plan.kind = DUEL_SPEC;
        break;
    case DUEL_URGE_STEP_AWAY:
        plan.movement = DUEL_FARCAST;
        plan.farcast = 3;
        break;
    case DUEL_URGE_RESTORE:
        plan.potion = DUEL_POTION_RESTORE;
        break;
    case DUEL_URGE_ICE:
        use_style(DUEL_SPELL, &plan);
        break;
    case DUEL_URGE_MELEE:
        use_style(DUEL_MELEE, &plan);
        break;
    default:
        use_style(DUEL_SHOT, &plan);
        break;
    }
    bool angler = f->food_kind == DUEL_FOOD_ANGLERFISH && health <= full;
    plan.food = angler || health < 30 || (f->turn.splat > 0 && health * 100 <= full * 65);
    plan.karambwan = plan.food && health * 100 <= full * 65;
    if (!plan.food && plan.potion == 0) {
        plan.potion = f->level[DUEL_RANGED] <= f->base[DUEL_RANGED]       ? DUEL_POTION_RANGING
                      : f->level[DUEL_STRENGTH] <= f->base[DUEL_STRENGTH] ? DUEL_POTION_COMBAT
                                                                          : 0;
    }
    duel_mind_commit(view, &plan, actions);
}

/* ---- the ladder ---- */

/* Runs at him and hits; eats when hurt. */
static void brawler(const lu_seat_view *view, int32_t *actions) {
    duel_plan plan = {.attack = 1 + DUEL_MELEE, .kind = DUEL_BASIC};
    eat_simply(view, &plan);
    duel_mind_commit(view, &plan, actions);
}

/* Any style, each time drawn anew, against the protection of what he shows. */
static void juggler(const lu_seat_view *view, int32_t *actions) {
    duel_plan plan = {0};
    use_style((int)lu_rng_below(view->rng, DUEL_STYLES), &plan);
    plan.shield = slips(view) ? 0 : answer_of(view);
    eat_simply(view, &plan);
    duel_mind_commit(view, &plan, actions);
}

/* Strikes where he does not protect, with what does most. */
static void striker(const lu_seat_view *view, int32_t *actions) {
    duel_plan plan = {0};
    use_style(slips(view) ? (int)lu_rng_below(view->rng, DUEL_STYLES) : best_style(view, false),
              &plan);
    plan.shield = answer_of(view);
    eat_simply(view, &plan);
    duel_mind_commit(view, &plan, actions);
}

/* The same with the whole bag: potions, brews, several foods at once, and the special weapon. */
static void boxer(const lu_seat_view *view, int32_t *actions) {
    duel_plan plan = {0};
    if (!finish(view, 0.5, &plan)) {
        use_style(slips(view) ? (int)lu_rng_below(view->rng, DUEL_STYLES) : best_style(view, false),
                  &plan);
    }
    plan.shield = answer_of(view);
    keep_alive(view, &plan);
    duel_mind_commit(view, &plan, actions);
}

/* Chances of the exchange's equilibrium over the styles that are open. */
static void equilibrium(const lu_seat_view *view, duel_mix *attack, duel_mix *protect) {
    double mean[DUEL_STYLES], shielded[DUEL_STYLES], unused[DUEL_STYLES];
    const float *o = view->observation;
    duel_mind_means(view, mean, shielded);
    for (int k = 0; k < DUEL_STYLES; k++) {
        bool far = k == DUEL_MELEE && o[DUEL_SEE_DISTANCE] > 2.0f;
        if ((!duel_mind_may(view, k) && duel_mind_ready(view)) || far) {
            mean[k] = shielded[k] = 0.0;
        }
    }
    duel_equilibrium(mean, shielded, attack->part, unused);
    duel_mind_fears(view, mean, shielded);
    if (o[DUEL_SEE_HIS_FROZEN] > 0.0f && o[DUEL_SEE_BESIDE] < 1.0f) {
        mean[DUEL_MELEE] = shielded[DUEL_MELEE] = 0.0;
    }
    duel_equilibrium(mean, shielded, unused, protect->part);
}

/* The same where nothing but the exchange is played, exactly: both builds are known. */
static void exchange_mix(const lu_seat_view *view, duel_mix *attack, duel_mix *protect) {
    const duel_rules *r = (const duel_rules *)(const void *)view->rules;
    const duel_build *mine = &r->build[r->choice[view->seat][0]];
    const duel_build *his = &r->build[r->choice[1 - view->seat][0]];
    double mean[DUEL_STYLES], shielded[DUEL_STYLES], unused[DUEL_STYLES];
    duel_exchange_means(r->live, mine, his, mean, shielded);
    duel_equilibrium(mean, shielded, attack->part, unused);
    duel_exchange_means(r->live, his, mine, mean, shielded);
    duel_equilibrium(mean, shielded, unused, protect->part);
}

/* Cannot be read: styles and protections by the equilibrium of the exchange. */
static void mixer(const lu_seat_view *view, int32_t *actions) {
    duel_plan plan = {0};
    duel_mix attack, protect;
    bool exchange = ((const duel_rules *)(const void *)view->rules)->rounds > 0;
    if (exchange) {
        exchange_mix(view, &attack, &protect);
    } else {
        equilibrium(view, &attack, &protect);
    }
    use_style(duel_mind_draw(&attack, view->rng), &plan);
    plan.shield = his_attack_is_near(view) ? 1 + duel_mind_draw(&protect, view->rng) : 0;
    if (!exchange) {
        finish(view, 0.5, &plan);
        keep_alive(view, &plan);
    }
    duel_mind_commit(view, &plan, actions);
}

/* What he did so far, with the equilibrium as what is believed before. */
static duel_mix believed(const lu_seat_view *view, const duel_mix *before, int shares, int recent,
                         bool prayers) {
    const float *o = view->observation;
    static const int by_prayer[DUEL_STYLES] = {2, 1, 0}; /* lists go magic, ranged, melee */
    double known = (double)o[prayers ? 74 : DUEL_SEE_HIS_CONFIDENCE];
    duel_mix mix;
    for (int k = 0; k < DUEL_STYLES; k++) {
        int at = prayers ? by_prayer[k] : duel_mind_place(k);
        double seen = 0.5 * (double)o[shares + at] + 0.5 * (double)o[recent + at];
        mix.part[k] = (1.0 - known) * before->part[k] + known * seen;
    }
    return mix;
}

/* The style that pays most against a belief about his protections. */
static int best_against(const lu_seat_view *view, const duel_mix *shields) {
    double mean[DUEL_STYLES], shielded[DUEL_STYLES], best = -1.0;
    int chosen = DUEL_SHOT;
    duel_mind_means(view, mean, shielded);
    for (int k = 0; k < DUEL_STYLES; k++) {
        bool far = k == DUEL_MELEE && view->observation[DUEL_SEE_DISTANCE] > 2.0f;
        double worth = mean[k] - (mean[k] - shielded[k]) * shields->part[k];
        if (duel_mind_may(view, k) && !far && worth > best) {
            best = worth;
            chosen = k;
        }
    }
    return chosen;
}

static int best_shield(const lu_seat_view *view, const duel_mix *styles) {
    double mean[DUEL_STYLES], shielded[DUEL_STYLES], best = -1.0;
    int chosen = DUEL_SHOT;
    duel_mind_fears(view, mean, shielded);
    for (int k = 0; k < DUEL_STYLES; k++) {
        double saved = (mean[k] - shielded[k]) * styles->part[k];
        if (saved > best) {
            best = saved;
            chosen = k;
        }
    }
    return chosen;
}

/* Two habits that a reader looks for: a protection that follows the style shown, and attacks with
 * the best style past the protection shown. */
typedef struct habits {
    nature nature;             /* first, as in every memory */
    uint8_t followed, follows; /* attacks met by what was shown before; attacks */
    uint8_t passed, passes;    /* attacks of his that were foreseen; attacks */
    uint8_t shown;             /* 1 + own style before the tick */
    uint8_t foreseen;          /* 1 + style of his next attack by that habit */
    uint8_t unused[2];
} habits;

static int shown_at(const float *o) {
    return o[0] > 0.0f ? 1 + DUEL_MELEE : o[1] > 0.0f ? 1 + DUEL_SHOT : 1 + DUEL_SPELL;
}

static int shield_at(const float *o) {
    return o[0] > 0.0f   ? 1 + DUEL_MELEE
           : o[1] > 0.0f ? 1 + DUEL_SHOT
           : o[2] > 0.0f ? 1 + DUEL_SPELL
                         : 0;
}

/* The style that hurts most past the own protection. */
static int foresee(const lu_seat_view *view) {
    double mean[DUEL_STYLES], shielded[DUEL_STYLES], best = -1.0;
    int shield = shield_at(view->observation + DUEL_SEE_SHIELD), chosen = 1 + DUEL_SHOT;
    duel_mind_fears(view, mean, shielded);
    for (int k = 0; k < DUEL_STYLES; k++) {
        bool far = k == DUEL_MELEE && view->observation[DUEL_SEE_DISTANCE] > 2.0f;
        double worth = shield == 1 + k ? shielded[k] : mean[k];
        if (!far && worth > best) {
            best = worth;
            chosen = 1 + k;
        }
    }
    return chosen;
}

static void count(uint8_t *hits, uint8_t *of, bool hit) {
    if (*of == 40) {
        *hits /= 2;
        *of /= 2;
    }
    *hits = (uint8_t)(*hits + (hit ? 1 : 0));
    ++*of;
}

static bool is_habit(uint8_t hits, uint8_t of) {
    return of >= 4 && hits * 100 >= of * 60;
}

/* Looks at the last tick and notes what the next one is compared with. */
static void watch(const lu_seat_view *view, habits *h) {
    const float *o = view->observation;
    if (o[49] > 0.0f && h->shown) {
        count(&h->followed, &h->follows, shield_at(o + DUEL_SEE_HIS_SHIELD) == h->shown);
    }
    if (o[DUEL_SEE_HIS_ATTACKED] > 0.0f && h->foreseen) {
        count(&h->passed, &h->passes, shown_at(o + DUEL_SEE_HIS_STYLE) == h->foreseen);
    }
    h->shown = (uint8_t)shown_at(o);
    h->foreseen = (uint8_t)foresee(view);
}

/* Style and protection of the next tick. */
static void read_him(const lu_seat_view *view, duel_plan *plan) {
    habits *h = view->memory;
    duel_mix attack, protect;
    watch(view, h);
    equilibrium(view, &attack, &protect);
    duel_mix shields =
        believed(view, &protect, DUEL_SEE_HIS_SHIELD_SHARES, DUEL_SEE_RECENT_SHIELD, true);
    duel_mix styles = believed(view, &attack, DUEL_SEE_HIS_SHARES, DUEL_SEE_RECENT_HIS, false);
    bool hide = lu_rng_unit(view->rng) < 0.25;
    if (is_habit(h->followed, h->follows)) {
        memset(&shields, 0, sizeof shields);
        shields.part[h->shown - 1] = 1.0;
        hide = false;
    }
    use_style(hide ? duel_mind_draw(&attack, view->rng) : best_against(view, &shields), plan);
    if (!his_attack_is_near(view)) {
        return;
    }
    if (is_habit(h->passed, h->passes)) {
        plan->shield = h->foreseen;
    } else {
        hide = lu_rng_unit(view->rng) < 0.25;
        plan->shield =
            1 + (hide ? duel_mind_draw(&protect, view->rng) : best_shield(view, &styles));
    }
}

/* Reads him: finds habits, answers the mix he has shown, and hides in the equilibrium at times. */
static void reader(const lu_seat_view *view, int32_t *actions) {
    duel_plan plan = {0};
    read_him(view, &plan);
    finish(view, 0.5, &plan);
    keep_alive(view, &plan);
    duel_mind_commit(view, &plan, actions);
}

/* Where he stands frozen and cannot follow: under him while waiting for the next attack. */
static void use_freeze(const lu_seat_view *view, duel_plan *plan) {
    const float *o = view->observation;
    bool held = o[DUEL_SEE_HIS_FROZEN] > 1.0f && !(o[DUEL_SEE_FROZEN] > 0.0f);
    if (held && o[DUEL_SEE_COOL] > 1.0f) {
        plan->movement = DUEL_UNDER;
    }
}

/* Reads, freezes who can move, and waits under who cannot. */
static void ace(const lu_seat_view *view, int32_t *actions) {
    duel_plan plan = {0};
    const float *o = view->observation;
    bool loose = !(o[DUEL_SEE_HIS_FROZEN] > 0.0f) && !(o[DUEL_SEE_HIS_IMMUNE] > 0.0f);
    bool warded = o[DUEL_SEE_HIS_SHIELD + 2] > 0.0f;
    read_him(view, &plan);
    if (loose && duel_mind_may(view, DUEL_SPELL) && !warded) {
        use_style(DUEL_SPELL, &plan);
    }
    finish(view, 0.5, &plan);
    keep_alive(view, &plan);
    use_freeze(view, &plan);
    duel_mind_commit(view, &plan, actions);
}

enum { NATURE = sizeof(nature), HABITS = sizeof(habits) };
const lu_bot duel_bots[DUEL_BOTS] = {
    {"noop", "Does nothing at all.", false, 0, noop, true},
    {"stayalive", "Always shoots, and eats below 60%.", false, 0, stayalive, false},
    {"baseline_client", "The reference's script for clients, which sees only what its seat sees.",
     false, 0, baseline_client, false},
    {"baseline", "The reference's script, which sees hitpoints and supplies.", true, 0, baseline,
     false},
    {"juggler", "Draws a style each time and protects from what it sees.", false, NATURE, juggler,
     false},
    {"brawler", "Runs at the opponent and hits.", false, NATURE, brawler, false},
    {"striker", "Strikes with whatever does most against the protection it sees.", false, NATURE,
     striker, false},
    {"mixer", "Mixes styles and protections by the equilibrium of the exchange.", false, NATURE,
     mixer, false},
    {"boxer", "Also uses potions, brews and the special weapon.", false, NATURE, boxer, false},
    {"reader", "Finds habits, and answers the mix that the opponent has shown.", false, HABITS,
     reader, false},
    {"ace", "Also freezes, and waits under an opponent who cannot move.", false, HABITS, ace,
     false},
};

/* ---- dharok ---- */

static void dharok_commit(const lu_seat_view *view, int attack, int potion, bool food, bool fish,
                          int32_t *a) {
    const uint8_t *mask = view->mask;
    a[DHAROK_HEAD_ATTACK] = mask[DHAROK_AT_ATTACK + attack] ? attack : 0;
    a[DHAROK_HEAD_POTION] = mask[DHAROK_AT_POTION + potion] ? potion : 0;
    a[DHAROK_HEAD_FOOD] = food && mask[DHAROK_AT_FOOD + 1];
    a[DHAROK_HEAD_KARAMBWAN] = fish && mask[DHAROK_AT_KARAMBWAN + 1];
    a[DHAROK_HEAD_VENGEANCE] = mask[DHAROK_AT_VENGEANCE + 1] && view->observation[35] < 1.0f;
    a[DHAROK_HEAD_GEAR] = 0;
}

static void whipper(const lu_seat_view *view, int32_t *actions) {
    dharok_commit(view, DHAROK_WHIP, 0, view->observation[8] < 0.5f, false, actions);
}

/* Stays low with the axe in hand, and ends with the maul. */
static void gambler(const lu_seat_view *view, int32_t *actions) {
    const float *o = view->observation;
    bool low = o[8] < 0.35f, finish_now = o[9] < 0.4f && o[6] >= 0.5f;
    int potion = o[16] < 0.95f ? DUEL_POTION_COMBAT : o[15] < 0.3f ? DUEL_POTION_RESTORE : 0;
    int attack = finish_now ? DHAROK_MAUL : o[8] < 0.7f ? DHAROK_AXE : DHAROK_WHIP;
    dharok_commit(view, attack, potion, low, low, actions);
}

const lu_bot dharok_bots[DHAROK_BOTS] = {
    {"whipper", "Whips and eats below half.", false, 0, whipper, false},
    {"gambler", "Fights at low health with the axe and finishes with the maul.", false, 0, gambler,
     false},
};
