/* The baselines of craft. They are given the state, of which only the draws to come are hidden, and
 * never look at those. */
#include "craft.h"

enum {
    TRANSMUTE = 2,
    AUGMENT = 5,
    REGAL = 8,
    ALCHEMY = 13,
    EXALT = 16,
    CHAOS = 26,
    ANNUL = 33,
    ANNUL_DESECRATED = 37,
    BONE = 40,
    BONE_PREFIX = 42,
    PATIENCE = 30, /* uses of chaos_spam without a rise of the score */
    SAMPLES = 16   /* of what greedy does not enumerate */
};

/* What a bot looks at. */
typedef struct table {
    const craft_rules *m;
    const craft_state *s;
    const craft_task *task;
    const lu_seat_view *view;
    int missing[CRAFT_NEEDS_MAX]; /* modifiers that each requirement lacks */
    int all;                      /* of them */
    int hits;                     /* modifiers that hit */
} table;

static table table_of(const lu_seat_view *view) {
    table t = {.m = (const craft_rules *)(const void *)view->rules, .s = view->state, .view = view};
    int32_t matched[CRAFT_NEEDS_MAX];
    t.task = craft_task_of(t.m, t.s);
    craft_matched(&t.task->goal, &t.m->pool, &t.s->item, matched);
    for (int k = 0; k < t.task->goal.needs; k++) {
        int lack = t.task->goal.count[k] - matched[k];
        t.missing[k] = lack > 0 ? lack : 0;
        t.all += t.missing[k];
    }
    for (int k = 0; k < craft_item_mods(&t.s->item); k++) {
        t.hits += craft_hits(&t.task->goal, &t.m->pool, &t.s->item.slot[k]) ? 1 : 0;
    }
    return t;
}

static bool may(const table *t, int action) {
    return t->view->mask[action] != 0;
}

/* The first of up to three actions that is legal, else a new base, else stop. */
static int first_legal(const table *t, int a, int b, int c) {
    int wish[] = {a, b, c, CRAFT_NEW_BASE};
    for (int k = 0; k < 4; k++) {
        if (wish[k] >= 0 && may(t, wish[k])) {
            return wish[k];
        }
    }
    return CRAFT_STOP;
}

/* Families of a requirement that are still free. */
static int free_families(const table *t, int need) {
    const craft_pool *pool = &t->m->pool;
    int count = 0;
    for (int family = 0; family < pool->families; family++) {
        bool hit = t->task->hit_family[need][family] > 0.0f;
        count += hit && !craft_has_family(&t->s->item, family) ? 1 : 0;
    }
    return count;
}

/* The requirements left cannot fit the free slots and families. */
static bool hopeless(const table *t) {
    const craft_goal *goal = &t->task->goal;
    int room[CRAFT_SIDES], want[CRAFT_SIDES] = {0, 0}, all = 0;
    for (int side = 0; side < CRAFT_SIDES; side++) {
        room[side] = craft_room(&t->m->pool, &t->s->item, CRAFT_RARE, side) - goal->open[side];
    }
    for (int k = 0; k < goal->needs; k++) {
        if (t->missing[k] > free_families(t, k)) {
            return true;
        }
        all += t->missing[k];
        for (int side = 0; side < CRAFT_SIDES; side++) {
            want[side] += t->task->hit_total[k][1 - side] <= 0.0 ? t->missing[k] : 0;
        }
    }
    return want[0] > room[0] || want[1] > room[1] || all > room[0] + room[1];
}

/* The best option of a reveal. */
static int best_option(const table *t) {
    const craft_goal *goal = &t->task->goal;
    int best = 0;
    float most = -1.0f;
    for (int k = 0; k < 3 && t->s->item.option[k]; k++) {
        int entry = t->s->item.option[k] - 1;
        float worth = goal->close[entry] ? goal->quality[entry] : 0.0f;
        worth += goal->hits[entry] ? 2.0f : 0.0f;
        if (worth > most) {
            most = worth;
            best = k;
        }
    }
    return CRAFT_KEEP_FIRST + best;
}

/* Transmute, augment, regal, exalt until full. */
static int ladder(const table *t) {
    if (t->s->item.rarity != CRAFT_NORMAL && hopeless(t)) {
        return first_legal(t, -1, -1, -1);
    }
    switch (t->s->item.rarity) {
    case CRAFT_NORMAL:
        return first_legal(t, TRANSMUTE, ALCHEMY, -1);
    case CRAFT_MAGIC:
        return first_legal(t, AUGMENT, REGAL, -1);
    default:
        return first_legal(t, EXALT, -1, -1);
    }
}

static void ladder_act(const lu_seat_view *view, int32_t *actions) {
    table t = table_of(view);
    actions[0] = ladder(&t);
}

/* The essence slot of the heaviest requirement that lacks something; -1 = none. */
static int essence_slot(const table *t) {
    const craft_goal *goal = &t->task->goal;
    int best = -1;
    double most = 0.0;
    for (int at = CRAFT_UPGRADE_FIRST; at < CRAFT_UPGRADE_FIRST + CRAFT_UPGRADES; at++) {
        const craft_effect *e = &t->task->effect[at];
        for (int k = 0; k < goal->needs && may(t, at); k++) {
            bool hits = goal->hits[e->given[0]] >> k & 1;
            if (hits && t->missing[k] > 0 && goal->weight[k] > most) {
                most = goal->weight[k];
                best = at;
            }
        }
    }
    return best;
}

static void essence_act(const lu_seat_view *view, int32_t *actions) {
    table t = table_of(view);
    bool full = craft_item_mods(&t.s->item) == 2;
    if (t.s->item.rarity == CRAFT_MAGIC && full) {
        int slot = essence_slot(&t);
        actions[0] = slot >= 0 ? slot : first_legal(&t, -1, -1, -1);
    } else {
        actions[0] = ladder(&t);
    }
}

/* Keeps only magic items that hit; one annulment of a miss where that is cheaper than a base. */
static void magic_act(const lu_seat_view *view, int32_t *actions) {
    table t = table_of(view);
    uint8_t *annulled = view->memory;
    const double *price = t.task->price;
    int mods = craft_item_mods(&t.s->item);
    if (t.s->item.rarity == CRAFT_NORMAL) {
        *annulled = 0;
    }
    if (t.s->item.rarity != CRAFT_MAGIC) {
        actions[0] = ladder(&t);
    } else if (mods > 0 && t.hits == 0) {
        actions[0] = first_legal(&t, -1, -1, -1);
    } else if (mods < 2) {
        actions[0] = first_legal(&t, AUGMENT, REGAL, -1);
    } else if (t.hits == 1 && !*annulled && may(&t, ANNUL) &&
               price[ANNUL] < price[CRAFT_NEW_BASE]) {
        *annulled = 1;
        actions[0] = ANNUL;
    } else {
        actions[0] = hopeless(&t) ? first_legal(&t, -1, -1, -1) : first_legal(&t, REGAL, -1, -1);
    }
}

typedef struct patience {
    double best;
    int32_t uses, base;
} patience;

/* Counts uses on this base since the score rose; true = it is time to give up. */
static bool waits_too_long(const table *t) {
    patience *p = t->view->memory;
    if (p->base != t->s->bases || t->s->score > p->best) {
        p->base = t->s->bases;
        p->best = t->s->score;
        p->uses = 0;
    }
    return ++p->uses > PATIENCE;
}

static void chaos_act(const lu_seat_view *view, int32_t *actions) {
    table t = table_of(view);
    bool late = waits_too_long(&t);
    actions[0] = late ? first_legal(&t, -1, -1, -1) : first_legal(&t, ALCHEMY, CHAOS, REGAL);
}

/* ---- greedy ---- */

/* Expected score after a use: enumerated for one plain draw, else the mean of some samples. */
static double score_after(const table *t, const craft_effect *e) {
    const craft_pool *pool = &t->m->pool;
    craft_wish wish = craft_effect_wish(pool, &t->s->item, e);
    double sum = 0.0, weights = 0.0;
    if (e->op == CRAFT_OP_ADD && e->adds == 1 && pool->switches.side_choice == CRAFT_POOLED) {
        for (int i = 0; i < pool->drawn[0] + pool->drawn[1]; i++) {
            int side = pool->entry[i].side;
            bool open = craft_room(pool, &t->s->item, wish.rarity, side) > 0 &&
                        (wish.side == CRAFT_ANY_SIDE || wish.side == side);
            double weight = open ? craft_entry_weight(pool, &t->s->item, &wish, i) : 0.0;
            if (weight > 0.0) {
                craft_item item = t->s->item;
                craft_put(pool, &item, i, 0, t->view->rng);
                sum += weight * craft_score(&t->task->goal, pool, &item);
                weights += weight;
            }
        }
        return weights > 0.0 ? sum / weights : t->s->score;
    }
    for (int k = 0; k < SAMPLES; k++) {
        craft_item item = t->s->item;
        craft_apply(pool, &item, e, t->view->rng);
        sum += craft_score(&t->task->goal, pool, &item);
    }
    return sum / SAMPLES;
}

static void greedy_act(const lu_seat_view *view, int32_t *actions) {
    table t = table_of(view);
    double most = 0.0;
    int best = -1;
    if (craft_is_choosing(&t.s->item)) {
        actions[0] = best_option(&t);
        return;
    }
    for (int a = CRAFT_NEW_BASE + 1; a < CRAFT_ACTIONS; a++) {
        int use = craft_use_of(t.m, t.s, a);
        if (may(&t, a)) {
            double gain = score_after(&t, &t.task->effect[use]) - t.s->score;
            double ratio = gain / (t.task->price[use] + 1e-6);
            if (ratio > most) {
                most = ratio;
                best = a;
            }
        }
    }
    actions[0] = best >= 0 ? best : first_legal(&t, -1, -1, -1);
}

/* ---- desecration at the end ---- */

/* Bone with the omen of the side where most of what is missing lies. */
static int bone_for(const table *t) {
    double weight[CRAFT_SIDES] = {0.0, 0.0};
    for (int k = 0; k < t->task->goal.needs; k++) {
        for (int side = 0; side < CRAFT_SIDES; side++) {
            weight[side] += t->missing[k] > 0 ? t->task->hit_total[k][side] : 0.0;
        }
    }
    int side = weight[CRAFT_SUFFIX] > weight[CRAFT_PREFIX] ? CRAFT_SUFFIX : CRAFT_PREFIX;
    return BONE_PREFIX + side;
}

static void desecrate_act(const lu_seat_view *view, int32_t *actions) {
    table t = table_of(view);
    int flags = craft_item_flags(&t.s->item);
    double left = t.task->budget - t.s->spent;
    bool affordable = may(&t, ANNUL_DESECRATED) && t.task->price[ANNUL_DESECRATED] < left;
    if (craft_is_choosing(&t.s->item)) {
        actions[0] = best_option(&t);
    } else if (flags & CRAFT_UNREVEALED) {
        actions[0] = CRAFT_REVEAL_ACTION;
    } else if (flags & CRAFT_DESECRATED) {
        actions[0] = affordable && t.all == 1 ? ANNUL_DESECRATED : ladder(&t);
    } else if (t.s->item.rarity == CRAFT_RARE && t.all == 1 && !hopeless(&t)) {
        actions[0] = first_legal(&t, bone_for(&t), BONE, EXALT);
    } else {
        actions[0] = ladder(&t);
    }
}

/* ---- the tables ---- */

const lu_bot craft_bots[CRAFT_BOTS] = {
    {"ladder", "Transmute, augment, regal, exalt; a new base when the rest cannot fit.", true, 0,
     ladder_act, false},
    {"magic_first", "Keeps only magic items that hit, then regal and exalt.", true, 8, magic_act,
     false},
    {"chaos_spam", "Alchemy, then chaos; a new base after 30 uses without a better item.", true,
     sizeof(patience), chaos_act, false},
    {"greedy", "Whatever raises the expected score most for its price, one step ahead.", true, 0,
     greedy_act, false},
    {"desecrate_finish", "Ladder until one modifier is missing, then a bone and what it reveals.",
     true, 0, desecrate_act, false},
    {"essence_spam",
     "Like ladder, with the essence of the heaviest requirement instead of the regal.", true, 0,
     essence_act, false},
};

/* Chaos until what is missing may come from an exalted orb. */
static void classic_act(const lu_seat_view *view, int32_t *actions) {
    table t = table_of(view);
    bool near = t.all == 1 && !hopeless(&t);
    actions[0] = near ? first_legal(&t, CRAFT_CLASSIC_EXALT, CRAFT_CLASSIC_CHAOS, -1)
                      : first_legal(&t, CRAFT_CLASSIC_CHAOS, -1, -1);
}

const lu_bot craft_classic_bots[CRAFT_CLASSIC_BOTS] = {
    {"chaos_spam", "Chaos, and an exalted orb when one modifier is missing.", true, 0, classic_act,
     false},
};
