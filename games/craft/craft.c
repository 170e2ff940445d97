/* The environment of craft: one item, restarted on new bases, until it fulfils the target. Every
 * function is device-ready: see game.h. */
#include "craft_look.h"

LU_INLINE const craft_rules *craft_rules_of(const lu_rules *rules) {
    return (const craft_rules *)(const void *)rules;
}

/* ---- reset and step ---- */

LU_HD static void craft_reset(const lu_rules *rules, void *bytes, uint64_t seed,
                              const void *options) {
    const craft_rules *m = craft_rules_of(rules);
    const craft_options *wish = (const craft_options *)options;
    craft_state *s = (craft_state *)bytes;
    lu_rng rng = lu_rng_from(seed);
    memset(s, 0, sizeof *s);
    uint32_t task = lu_rng_below(&rng, (uint32_t)m->tasks);
    s->task = wish && wish->task >= 0 ? wish->task : (int32_t)task;
    craft_new_base(&m->pool, &s->item, &rng);
    s->bases = 1;
    s->spent = craft_task_of(m, s)->price[CRAFT_NEW_BASE];
    s->rng = rng.state;
}

/* How the episode ends with the item as it is; CRAFT_RUNNING = it goes on. */
LU_HD static int end_of(const craft_rules *m, const craft_state *s, int action) {
    const craft_task *task = craft_task_of(m, s);
    bool asked = m->auto_stop || action == CRAFT_STOP;
    if (s->spent > task->budget) {
        return CRAFT_END_BUDGET;
    }
    if (asked && craft_fulfils(&task->goal, &m->pool, &s->item)) {
        return CRAFT_END_SUCCESS;
    }
    if (action == CRAFT_STOP) {
        return CRAFT_END_STOPPED;
    }
    if (s->bases > task->max_bases) {
        return CRAFT_END_BASES;
    }
    return s->steps >= m->max_steps ? CRAFT_END_STEPS : CRAFT_RUNNING;
}

/* Does what a legal action does; returns its price. */
LU_HD static double act(const craft_rules *m, craft_state *s, int action) {
    const craft_task *task = craft_task_of(m, s);
    int use = craft_use_of(m, s, action);
    lu_rng rng = {s->rng};
    if (action == CRAFT_NEW_BASE) {
        craft_new_base(&m->pool, &s->item, &rng);
        s->bases++;
    } else {
        craft_apply(&m->pool, &s->item, &task->effect[use], &rng);
    }
    s->rng = rng.state;
    s->spent += task->price[use];
    return task->price[use];
}

LU_HD static void craft_step(const lu_rules *rules, void *bytes, const int32_t *actions,
                             double *terms, lu_step *step) {
    const craft_rules *m = craft_rules_of(rules);
    craft_state *s = (craft_state *)bytes;
    const craft_task *task = craft_task_of(m, s);
    int32_t action = actions[0];
    bool legal = craft_is_legal(m, s, action), used = legal && action != CRAFT_STOP;
    double most = task->goal.most > 0.0 ? task->goal.most : 1.0, before = s->score, price = 0.0;
    s->steps++;
    s->illegal += legal ? 0 : 1;
    if (used) {
        price = act(m, s, action);
        s->score = craft_score(&task->goal, &m->pool, &s->item);
    }
    s->end = (uint8_t)end_of(m, s, action);
    bool done = s->end == CRAFT_END_SUCCESS;
    double after = s->end ? 0.0 : m->gamma * s->score;
    terms[CRAFT_TERM_COST] = price / task->scale;
    terms[CRAFT_TERM_SUCCESS] = done ? 1.0 : 0.0;
    terms[CRAFT_TERM_UNFINISHED] = s->end && !done ? 1.0 : 0.0;
    terms[CRAFT_TERM_POTENTIAL] = (after - before) / most;
    terms[CRAFT_TERM_SCORE] = s->score - before;
    terms[CRAFT_TERM_CHAOS] = done ? task->chaos : 0.0;
    step->ticks = 1;
    step->terminated = s->end && s->end != CRAFT_END_STEPS ? 1 : 0;
    step->truncated = s->end == CRAFT_END_STEPS ? 1 : 0;
    step->illegal = legal ? 0 : 1;
    step->unused = 0;
    /* prices never change; without a use only the clock does */
    uint64_t fixed = UINT64_C(1) << CRAFT_GROUP_PRICES | UINT64_C(1) << CRAFT_GROUP_FREE;
    step->changed = used ? LU_ALL_CHANGED & ~fixed : UINT64_C(1) << CRAFT_GROUP_SPENT;
}

/* ---- observation ---- */

LU_INLINE float craft_unit(double x) {
    return x < 0.0 ? 0.0f : x > 1.0 ? 1.0f : (float)x;
}

LU_HD static void show_item(const craft_pool *pool, const craft_item *item, float *o) {
    int flags = craft_item_flags(item);
    memset(o, 0, 17 * sizeof *o);
    o[item->rarity] = 1.0f;
    for (int side = 0; side < CRAFT_SIDES; side++) {
        int limit = pool->limit[item->rarity][side], count = item->count[side];
        o[3 + side] = limit > 0 ? (float)count / (float)limit : 0.0f;
        o[5 + side] = (float)limit / 5.0f;
        o[7 + side] = count < limit ? 1.0f : 0.0f;
    }
    o[9] = item->flags & CRAFT_CORRUPTED ? 1.0f : 0.0f;
    o[10] = item->flags & CRAFT_SANCTIFIED ? 1.0f : 0.0f;
    o[11] = flags & CRAFT_FRACTURED ? 1.0f : 0.0f;
    o[12] = flags & CRAFT_UNREVEALED ? 1.0f : 0.0f;
    o[13] = flags & CRAFT_DESECRATED ? 1.0f : 0.0f;
    o[14] = flags & CRAFT_CRAFTED ? 1.0f : 0.0f;
    o[15] = craft_is_choosing(item) ? 1.0f : 0.0f;
    o[16] = (float)item->quality / 40.0f;
}

/* Weight of the hits of need k that a plain exalted orb may draw now. */
LU_HD static double hit_weight(const craft_rules *m, const craft_task *task, const craft_item *item,
                               int k) {
    const craft_pool *pool = &m->pool;
    double sum[CRAFT_SIDES] = {task->hit_total[k][0], task->hit_total[k][1]};
    if (item->added) {
        craft_wish wish = craft_plain_wish(0, CRAFT_RARE, CRAFT_ANY_SIDE);
        sum[0] = sum[1] = 0.0;
        for (int i = 0; i < pool->drawn[0] + pool->drawn[1]; i++) {
            int from = task->goal.from[k][i], steps = pool->entry[i].steps[0];
            double share = from == CRAFT_NEVER ? 0.0 : steps > 0 ? 1.0 - (double)from / steps : 1.0;
            sum[pool->entry[i].side] += share * (double)craft_entry_weight(pool, item, &wish, i);
        }
    } else {
        for (int n = 0; n < craft_item_mods(item); n++) {
            if (!(item->slot[n].flags & CRAFT_UNREVEALED)) {
                int family = pool->entry[item->slot[n].entry].family;
                sum[pool->family_side[family]] -= (double)task->hit_family[k][family];
            }
        }
    }
    for (int side = 0; side < CRAFT_SIDES; side++) {
        sum[side] = craft_room(pool, item, CRAFT_RARE, side) > 0 ? sum[side] : 0.0;
    }
    return sum[0] + sum[1];
}

/* What the modifiers are to the requirements. */
typedef struct craft_sight {
    int32_t hits[CRAFT_MODS]; /* bits of the requirements that each modifier hits */
    int32_t mods;
} craft_sight;

LU_HD static craft_sight sight_of(const craft_task *task, const craft_pool *pool,
                                  const craft_item *item) {
    craft_sight sight;
    sight.mods = craft_item_mods(item);
    for (int k = 0; k < sight.mods; k++) {
        sight.hits[k] = craft_hits(&task->goal, pool, &item->slot[k]);
    }
    return sight;
}

/* `total` is the weight of all that a plain exalted orb may draw. */
LU_HD static void show_need(const craft_rules *m, const craft_task *task, const craft_item *item,
                            const craft_sight *sight, double total, int k, float *o) {
    const craft_goal *goal = &task->goal;
    int matched = 0, blocked = 0;
    float best = 0.0f, locked = 0.0f;
    for (int n = 0; n < sight->mods; n++) {
        const craft_slot *slot = &item->slot[n];
        if (slot->flags & CRAFT_UNREVEALED) {
            continue;
        }
        bool hit = sight->hits[n] >> k & 1;
        float quality = goal->close[slot->entry] >> k & 1 ? goal->quality[slot->entry] : 0.0f;
        matched += hit ? 1 : 0;
        blocked += !hit && goal->blocks[slot->entry] >> k & 1 ? 1 : 0;
        best = quality > best ? quality : best;
        locked = hit && (slot->flags & CRAFT_FRACTURED) ? 1.0f : locked;
    }
    double all = task->hit_total[k][0] + task->hit_total[k][1];
    o[0] = 1.0f;
    o[1] = craft_unit((double)goal->count[k] / 3.0);
    o[2] = craft_unit((double)matched / (double)goal->count[k]);
    o[3] = best;
    o[4] = craft_unit((double)blocked / (double)task->hit_families[k]);
    o[5] = locked;
    o[6] = all > 0.0 ? craft_unit(task->hit_total[k][0] / all) : 0.0f;
    o[7] = all > 0.0 ? craft_unit(task->hit_total[k][1] / all) : 0.0f;
    o[9] = craft_unit(goal->weight[k] / goal->heaviest);
    o[8] = total > 0.0 ? craft_unit(hit_weight(m, task, item, k) / total) : 0.0f;
}

LU_HD static void show_mods(const craft_pool *pool, const craft_item *item,
                            const craft_sight *sight, float *o) {
    int junk[CRAFT_SIDES] = {0, 0}, hits = 0, loose = 0, lowest = 0;
    for (int n = 0; n < sight->mods; n++) {
        const craft_slot *slot = &item->slot[n];
        int level = craft_slot_level(pool, slot);
        bool hit = sight->hits[n] != 0;
        junk[craft_slot_side(slot)] += hit ? 0 : 1;
        hits += hit ? 1 : 0;
        loose += hit && !(slot->flags & CRAFT_FRACTURED) ? 1 : 0;
        lowest = n == 0 || level < lowest ? level : lowest;
    }
    o[0] = craft_unit((double)junk[0] / 3.0);
    o[1] = craft_unit((double)junk[1] / 3.0);
    o[2] = (float)lowest / 100.0f;
    o[3] = (float)hits / 6.0f;
    o[4] = (float)loose / 6.0f;
}

LU_HD static void show_options(const craft_task *task, const craft_pool *pool,
                               const craft_item *item, float *o) {
    const craft_goal *goal = &task->goal;
    memset(o, 0, 3 * CRAFT_OPTION_FIELDS * sizeof *o);
    for (int k = 0; k < 3; k++, o += CRAFT_OPTION_FIELDS) {
        if (item->option[k]) {
            int entry = item->option[k] - 1;
            o[0] = goal->hits[entry] ? 1.0f : 0.0f;
            o[1] = goal->close[entry] ? goal->quality[entry] : 0.0f;
            o[2] = goal->blocks[entry] & ~goal->hits[entry] ? 1.0f : 0.0f;
            o[3] = pool->entry[entry].origin == CRAFT_ORIGIN_DESECRATED ? 1.0f : 0.0f;
        }
    }
}

LU_HD static void show_spent(const craft_rules *m, const craft_state *s, float *o) {
    const double ln10 = 2.302585092994046;
    o[0] = craft_unit(s->spent / craft_task_of(m, s)->budget);
    o[1] = craft_unit((double)s->steps / (double)m->max_steps);
    o[2] = craft_unit(lu_log(1.0 + s->spent) / (6.0 * ln10));
}

#define CHANGED(group) ((changed >> (group)) & 1u)

LU_HD static void craft_observe(const lu_rules *rules, const void *bytes, int seat,
                                uint64_t changed, float *o) {
    const craft_rules *m = craft_rules_of(rules);
    const craft_state *s = (const craft_state *)bytes;
    const craft_task *task = craft_task_of(m, s);
    (void)seat;
    if (CHANGED(CRAFT_GROUP_ITEM)) {
        show_item(&m->pool, &s->item, o + CRAFT_AT_ITEM);
    }
    if (CHANGED(CRAFT_GROUP_NEEDS) || CHANGED(CRAFT_GROUP_MODS)) {
        craft_sight sight = sight_of(task, &m->pool, &s->item);
        float *need = o + CRAFT_AT_NEEDS;
        memset(need + task->goal.needs * CRAFT_NEED_FIELDS, 0,
               (size_t)(CRAFT_NEEDS_MAX - task->goal.needs) * CRAFT_NEED_FIELDS * sizeof *need);
        craft_wish wish = craft_plain_wish(0, CRAFT_RARE, CRAFT_ANY_SIDE);
        uint32_t weight[CRAFT_SIDES];
        craft_weights(&m->pool, &s->item, &wish, weight);
        double total = (double)weight[0] + (double)weight[1];
        for (int k = 0; k < task->goal.needs; k++) {
            show_need(m, task, &s->item, &sight, total, k, need + k * CRAFT_NEED_FIELDS);
        }
        show_mods(&m->pool, &s->item, &sight, o + CRAFT_AT_MODS);
    }
    if (CHANGED(CRAFT_GROUP_SPENT)) {
        show_spent(m, s, o + CRAFT_AT_SPENT);
    }
    if (CHANGED(CRAFT_GROUP_OPTIONS)) {
        show_options(task, &m->pool, &s->item, o + CRAFT_AT_OPTIONS);
    }
    if (CHANGED(CRAFT_GROUP_PRICES)) {
        memcpy(o + CRAFT_AT_PRICES, task->shown, sizeof task->shown);
    }
    if (CHANGED(CRAFT_GROUP_FREE)) {
        memset(o + CRAFT_AT_FREE, 0, (CRAFT_OBSERVATION - CRAFT_AT_FREE) * sizeof *o);
    }
}

LU_HD static void craft_look_observe(const lu_rules *rules, const void *bytes, int seat,
                                     uint64_t changed, float *o) {
    const craft_rules *m = craft_rules_of(rules);
    const craft_state *s = (const craft_state *)bytes;
    craft_looker l;
    (void)seat;
    if (CHANGED(CRAFT_LOOK_GROUP_PRICES)) {
        const craft_task *task = craft_task_of(m, s);
        memcpy(o + CRAFT_LOOK_AT_PRICES, task->look_price, sizeof task->look_price);
    }
    if (CHANGED(CRAFT_LOOK_GROUP_ACTIONS) || CHANGED(CRAFT_LOOK_GROUP_ITEM) ||
        CHANGED(CRAFT_LOOK_GROUP_NEEDS)) {
        craft_look_start(&l, m, s);
        craft_look_actions(&l, s, o);
        craft_look_item(&l, o + CRAFT_LOOK_AT_ITEM);
        craft_look_needs(&l, o + CRAFT_LOOK_AT_NEEDS);
    }
}

/* ---- mask and figures ---- */

LU_HD static void craft_mask(const lu_rules *rules, const void *bytes, int seat, uint8_t *mask) {
    const craft_rules *m = craft_rules_of(rules);
    const craft_state *s = (const craft_state *)bytes;
    const craft_task *task = craft_task_of(m, s);
    int rarity = s->item.rarity;
    (void)seat;
    memset(mask, 0, (size_t)m->actions);
    mask[CRAFT_STOP] = 1;
    for (int k = 0; k < task->listed[rarity]; k++) {
        int action = task->list[rarity][k];
        mask[action] = craft_is_legal(m, s, action) ? 1 : 0;
    }
}

LU_HD static void craft_info(const lu_rules *rules, const void *bytes, int seat, double *info) {
    const craft_rules *m = craft_rules_of(rules);
    const craft_state *s = (const craft_state *)bytes;
    const craft_task *task = craft_task_of(m, s);
    craft_sight sight = sight_of(task, &m->pool, &s->item);
    int hits = 0;
    (void)seat;
    for (int k = 0; k < sight.mods; k++) {
        hits += sight.hits[k] ? 1 : 0;
    }
    info[CRAFT_INFO_SUCCESS] = s->end == CRAFT_END_SUCCESS ? 1.0 : 0.0;
    info[CRAFT_INFO_SPENT] = s->spent;
    info[CRAFT_INFO_SCORE] = s->score;
    info[CRAFT_INFO_SHARE] = task->goal.most > 0.0 ? s->score / task->goal.most : 0.0;
    info[CRAFT_INFO_BASES] = (double)s->bases;
    info[CRAFT_INFO_STEPS] = (double)s->steps;
    info[CRAFT_INFO_USES] =
        (double)(s->steps - s->illegal - (s->bases - 1) - (s->end == CRAFT_END_STOPPED ? 1 : 0));
    info[CRAFT_INFO_ILLEGAL] = (double)s->illegal;
    info[CRAFT_INFO_RARITY] = (double)s->item.rarity;
    info[CRAFT_INFO_PREFIXES] = (double)s->item.count[CRAFT_PREFIX];
    info[CRAFT_INFO_SUFFIXES] = (double)s->item.count[CRAFT_SUFFIX];
    info[CRAFT_INFO_HITS] = (double)hits;
    info[CRAFT_INFO_TASK] = (double)s->task;
    info[CRAFT_INFO_END] = (double)s->end;
    info[CRAFT_INFO_RNG] = lu_double_from_bits(s->rng);
}

/* Only the draws to come are hidden. */
LU_HD static void craft_determinise(const lu_rules *rules, void *bytes, int seat, lu_rng *rng) {
    (void)rules;
    (void)seat;
    ((craft_state *)bytes)->rng = lu_rng_u64(rng);
}

#define LU_LOOP_GAME  craft
#define LU_LOOP_NAMES CRAFT
#define LU_LOOP_STATE craft_state
#define LU_LOOP_MASK  CRAFT_ACTIONS
#include "ludus/loop.h"

/* shows what actions lead to */
#undef LU_LOOP_GAME
#undef LU_LOOP_OBSERVATION
#define LU_LOOP_GAME           craft_look
#define LU_LOOP_OBSERVATION    CRAFT_LOOK_OBSERVATION
#define craft_look_reset       craft_reset
#define craft_look_step        craft_step
#define craft_look_mask        craft_mask
#define craft_look_info        craft_info
#define craft_look_determinise craft_determinise
#include "ludus/loop.h"

/* the classic rules have fewer actions */
#undef LU_LOOP_GAME
#undef LU_LOOP_MASK
#undef LU_LOOP_OBSERVATION
#define LU_LOOP_OBSERVATION       CRAFT_OBSERVATION
#define LU_LOOP_GAME              craft_classic
#define LU_LOOP_MASK              CRAFT_CLASSIC_ACTIONS
#define craft_classic_reset       craft_reset
#define craft_classic_step        craft_step
#define craft_classic_observe     craft_observe
#define craft_classic_mask        craft_mask
#define craft_classic_info        craft_info
#define craft_classic_determinise craft_determinise
#include "ludus/loop.h"
