/* What craft-look-v1 shows: for each legal action its price, what it would lead to in expectation
 * and the chance to be finished from there by plain draws; then the item. Nothing but rarity,
 * families, hits and flags of the item counts, so that items that no rule tells apart look the
 * same. Ownership: nothing is kept. Threads: no shared data. */
#pragma once

#include "craft.h"

#include "ludus/math.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The item that is looked at, and draws after each modifier has gone, which uses share. */
typedef struct craft_looker {
    const craft_rules *m;
    const craft_task *task;
    const craft_item *item;
    craft_standing now;
    double hope, log_hope, reach, log_reach, bet; /* of the item as it is */
    craft_odds gone[CRAFT_MODS][CRAFT_POOL_FLOORS];
    uint8_t known[CRAFT_MODS][CRAFT_POOL_FLOORS];
} craft_looker;

LU_INLINE void craft_odds_join(craft_odds *sum, const craft_odds *odds, double chance) {
    sum->hope += chance * odds->hope;
    sum->reach += chance * odds->reach;
    sum->bet += chance * odds->bet;
    sum->done += chance * odds->done;
    sum->hopeless += chance * odds->hopeless;
    sum->hits += chance * odds->hits;
}

LU_INLINE void craft_look_add(const craft_looker *l, const craft_effect *e, craft_odds *odds) {
    const craft_outlook *o = &l->task->outlook;
    craft_wish wish = craft_effect_wish(&l->m->pool, l->item, e);
    craft_standing s = l->now;
    craft_scope scope;
    s.rarity = (int8_t)wish.rarity;
    wish.catalyst = -1; /* shares of families are those without it */
    craft_scope_item(o, &l->m->pool, l->item, &wish, &scope);
    if (e->adds > 1) {
        craft_odds_two(o, &l->m->pool, &scope, &s, e->add_side, odds);
    } else {
        craft_odds_draw(o, &l->m->pool, &scope, &s, 1.0, odds);
    }
}

/* After the modifier of a slot has gone, and a draw of this floor; -1: without one. */
LU_INLINE void craft_look_gone(const craft_looker *l, int slot, int floor, craft_odds *odds) {
    const craft_outlook *o = &l->task->outlook;
    craft_item left = *l->item;
    craft_take(&l->m->pool, &left, slot);
    craft_standing s = craft_stand(o, &l->task->goal, &l->m->pool, &left);
    if (floor < 0) {
        craft_odds_add(o, &s, 1.0, odds);
        return;
    }
    craft_wish wish = craft_plain_wish(floor, left.rarity, CRAFT_ANY_SIDE);
    craft_scope scope;
    craft_scope_item(o, &l->m->pool, &left, &wish, &scope);
    craft_odds_draw(o, &l->m->pool, &scope, &s, 1.0, odds);
}

/* Any of these slots goes; with `draws` something is drawn for it. */
LU_INLINE void craft_look_remove(craft_looker *l, uint32_t slots, const craft_effect *e, bool draws,
                                 craft_odds *odds) {
    double count = 0.0;
    for (uint32_t left = slots; left; left &= left - 1) {
        count += 1.0;
    }
    for (int k = 0; k < craft_item_mods(l->item); k++) {
        if (!(slots >> k & 1u)) {
            continue;
        }
        odds->lost +=
            craft_hits(&l->task->goal, &l->m->pool, &l->item->slot[k]) ? 1.0 / count : 0.0;
        if (!draws) {
            craft_odds one = {0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0};
            craft_look_gone(l, k, -1, &one);
            craft_odds_join(odds, &one, 1.0 / count);
            continue;
        }
        if (!l->known[k][e->floor]) {
            craft_odds none = {0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0};
            l->known[k][e->floor] = 1;
            l->gone[k][e->floor] = none;
            craft_look_gone(l, k, e->floor, &l->gone[k][e->floor]);
        }
        craft_odds_join(odds, &l->gone[k][e->floor], 1.0 / count);
    }
}

/* Adds a given modifier to an item; `chance` of it. */
LU_INLINE void craft_look_put(const craft_looker *l, const craft_item *item, int entry,
                              double chance, craft_odds *odds) {
    const craft_outlook *o = &l->task->outlook;
    const craft_entry *e = &l->m->pool.entry[entry];
    craft_standing s = craft_stand(o, &l->task->goal, &l->m->pool, item);
    int needs = l->task->goal.hits[entry];
    int aim = needs ? craft_aim_of(o, e->side, needs) : -1;
    s.rarity = CRAFT_RARE;
    craft_stand_add(o, &s, e->side, o->wanted_of[e->family], aim);
    craft_odds_add(o, &s, chance, odds);
}

/* An essence: each modifier that it may give now is as likely as the others. */
LU_INLINE void craft_look_give(const craft_looker *l, const craft_effect *e, craft_odds *odds) {
    const craft_pool *pool = &l->m->pool;
    double may = 0.0;
    for (int k = 0; k < e->givens; k++) {
        may += craft_refuse_given(pool, l->item, e, e->given[k]) == CRAFT_USABLE ? 1.0 : 0.0;
    }
    for (int k = 0; k < e->givens; k++) {
        if (craft_refuse_given(pool, l->item, e, e->given[k]) != CRAFT_USABLE) {
            continue;
        }
        if (e->op == CRAFT_OP_UPGRADE) {
            craft_look_put(l, l->item, e->given[k], 1.0 / may, odds);
            continue;
        }
        craft_filter filter = craft_effect_filter(e);
        filter.side = craft_give_side(pool, l->item, e, e->given[k]);
        uint32_t slots = craft_removable(pool, l->item, &filter);
        double each = 0.0;
        for (uint32_t left = slots; left; left &= left - 1) {
            each += 1.0;
        }
        for (int n = 0; n < craft_item_mods(l->item); n++) {
            if (slots >> n & 1u) {
                craft_item left = *l->item;
                bool hit = craft_hits(&l->task->goal, pool, &l->item->slot[n]) != 0;
                craft_take(pool, &left, n);
                craft_look_put(l, &left, e->given[k], 1.0 / (may * each), odds);
                odds->lost += hit ? 1.0 / (may * each) : 0.0;
            }
        }
    }
}

/* What an action leads to. Values, fractures, bones and corruptions are not looked into: the item
 * counts as it is. */
LU_INLINE craft_odds craft_look_use(craft_looker *l, const craft_effect *e) {
    const craft_pool *pool = &l->m->pool;
    craft_odds odds = {0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0};
    craft_filter filter = craft_effect_filter(e);
    switch (e->op) {
    case CRAFT_OP_ADD:
        craft_look_add(l, e, &odds);
        break;
    case CRAFT_OP_SWAP:
    case CRAFT_OP_REMOVE:
        craft_look_remove(l, craft_removable(pool, l->item, &filter), e, e->op == CRAFT_OP_SWAP,
                          &odds);
        break;
    case CRAFT_OP_FILL4:
        odds = l->task->outlook.filled[e->add_side == CRAFT_PREFIX   ? 1
                                       : e->add_side == CRAFT_SUFFIX ? 2
                                                                     : 0];
        break;
    case CRAFT_OP_UPGRADE:
    case CRAFT_OP_GIVE:
        craft_look_give(l, e, &odds);
        break;
    case CRAFT_OP_KEEP:
        craft_look_put(l, l->item, l->item->option[e->row] - 1, 1.0, &odds);
        break;
    default:
        craft_odds_add(&l->task->outlook, &l->now, 1.0, &odds);
        break;
    }
    return odds;
}

/* ---- as numbers ---- */

LU_INLINE float craft_look_unit(double x) {
    return x < 0.0 ? 0.0f : x > 1.0 ? 1.0f : (float)x;
}

LU_INLINE double craft_look_log(double x) {
    return x <= 1e-12 ? -12.0 : lu_log(x) / 2.302585092994046;
}

LU_INLINE float craft_look_both(double x) {
    return x < -1.0 ? -1.0f : x > 1.0 ? 1.0f : (float)x;
}

/* A gain in stakes: what one use of the yardstick's strategy is worth on average. Choices that are
 * made on every base differ by parts of a stake, which is small where many bases are needed. */
LU_INLINE float craft_look_stake(const craft_outlook *o, double gain) {
    double z = gain * (o->uses > 1.0 ? o->uses : 1.0);
    return (float)(z / (1.0 + (z < 0.0 ? -z : z)));
}

/* A price as a share of the yardstick. */
LU_INLINE float craft_look_price(double share) {
    return craft_look_unit((craft_look_log(share) + 5.0) / 6.0);
}

/* The fields of an action. */
LU_INLINE void craft_look_show(const craft_looker *l, int action, int use, const craft_odds *odds,
                               float *to) {
    const craft_outlook *o = &l->task->outlook;
    const craft_effect *e = &l->task->effect[use];
    double now = (double)craft_stand_hits(o, &l->now);
    bool adds = e->op == CRAFT_OP_ADD || e->op == CRAFT_OP_SWAP || e->op == CRAFT_OP_FILL4;
    bool removes = e->op == CRAFT_OP_REMOVE || e->op == CRAFT_OP_SWAP || e->op == CRAFT_OP_GIVE;
    bool gives = e->op == CRAFT_OP_UPGRADE || e->op == CRAFT_OP_GIVE || e->op == CRAFT_OP_KEEP;
    bool base = action == CRAFT_NEW_BASE;
    double gain = o->needed > 0 ? (odds->hits - now) / (double)o->needed : 0.0;
    double price = l->task->price[use] / o->cost, hope = craft_look_log(odds->hope);
    double reach = craft_look_log(odds->reach);
    to[CRAFT_LOOK_LEGAL] = 1.0f;
    to[CRAFT_LOOK_PRICE] = craft_look_price(price);
    to[CRAFT_LOOK_HOPE] = craft_look_unit((hope + 6.0) / 6.0);
    to[CRAFT_LOOK_CHANGE] = craft_look_both((hope - l->log_hope) / 3.0);
    to[CRAFT_LOOK_REACH] = craft_look_unit((reach + 6.0) / 6.0);
    to[CRAFT_LOOK_REACH_CHANGE] = craft_look_both((reach - l->log_reach) / 3.0);
    to[CRAFT_LOOK_REACH_PAYS] = craft_look_both(odds->reach - l->reach - price);
    to[CRAFT_LOOK_REACH_STAKE] = craft_look_stake(o, odds->reach - l->reach - price);
    to[CRAFT_LOOK_BET_STAKE] = craft_look_stake(o, odds->bet - l->bet - price);
    to[CRAFT_LOOK_PAYS] = craft_look_both(odds->hope - l->hope - price);
    to[CRAFT_LOOK_HOPE_STAKE] = craft_look_stake(o, odds->hope - l->hope - price);
    to[CRAFT_LOOK_DONE] = craft_look_unit(odds->done);
    to[CRAFT_LOOK_DONE_LOG] = craft_look_unit(craft_look_log(odds->done) / 4.0 + 1.0);
    to[CRAFT_LOOK_DONE_STAKE] = craft_look_stake(o, odds->done - price);
    to[CRAFT_LOOK_GAIN] = craft_look_both(gain);
    to[CRAFT_LOOK_LOST] = craft_look_unit(odds->lost);
    to[CRAFT_LOOK_HOPELESS] = craft_look_unit(odds->hopeless);
    to[CRAFT_LOOK_ADDS] = adds && !base ? 1.0f : 0.0f;
    to[CRAFT_LOOK_REMOVES] = removes && !base ? 1.0f : 0.0f;
    to[CRAFT_LOOK_GIVES] = gives && !base ? 1.0f : 0.0f;
    to[CRAFT_LOOK_BASE] = base ? 1.0f : 0.0f;
}

LU_INLINE void craft_look_actions(craft_looker *l, const craft_state *s, float *to) {
    int rarity = l->item->rarity;
    memset(to, 0, CRAFT_LOOK_AT_ITEM * sizeof *to);
    to[CRAFT_LOOK_LEGAL] = to[CRAFT_LOOK_STOP] = 1.0f;
    for (int k = 0; k < l->task->listed[rarity]; k++) {
        int action = l->task->list[rarity][k];
        if (craft_is_legal(l->m, s, action)) {
            int use = craft_use_of(l->m, s, action);
            const craft_outlook *o = &l->task->outlook;
            craft_odds odds = {o->hope, o->best, o->base_bet, 0.0, 0.0, 0.0, 0.0};
            if (action != CRAFT_NEW_BASE) {
                odds = craft_look_use(l, &l->task->effect[use]);
            }
            craft_look_show(l, action, use, &odds, to + action * CRAFT_LOOK_FIELDS);
        }
    }
}

/* What is known of the item before its actions are looked at. */
LU_INLINE void craft_look_start(craft_looker *l, const craft_rules *m, const craft_state *s) {
    l->m = m;
    l->task = craft_task_of(m, s);
    l->item = &s->item;
    l->now = craft_stand(&l->task->outlook, &l->task->goal, &m->pool, &s->item);
    craft_odds odds = {0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0};
    craft_odds_add(&l->task->outlook, &l->now, 1.0, &odds);
    l->hope = odds.hope;
    l->log_hope = craft_look_log(odds.hope);
    l->reach = s->item.rarity == CRAFT_NORMAL ? l->task->outlook.best : odds.reach;
    l->log_reach = craft_look_log(l->reach);
    l->bet = s->item.rarity == CRAFT_NORMAL ? l->task->outlook.base_bet : odds.bet;
    memset(l->known, 0, sizeof l->known);
}

LU_INLINE void craft_look_item(const craft_looker *l, float *to) {
    const craft_outlook *o = &l->task->outlook;
    const craft_item *item = l->item;
    int flags = craft_item_flags(item);
    memset(to, 0, CRAFT_LOOK_ITEM_FIELDS * sizeof *to);
    to[item->rarity] = 1.0f;
    for (int side = 0; side < CRAFT_SIDES; side++) {
        int room = craft_room(&l->m->pool, item, CRAFT_RARE, side);
        to[3 + side] = craft_look_unit((double)room / 3.0);
        to[5 + side] = craft_look_unit((double)l->now.junk[side] / 3.0);
    }
    double hits = (double)craft_stand_hits(o, &l->now);
    to[7] = o->needed > 0 ? craft_look_unit(hits / (double)o->needed) : 0.0f;
    to[8] = craft_look_unit((double)o->needed / 6.0);
    to[9] = craft_look_unit((l->log_hope + 6.0) / 6.0);
    to[10] = craft_look_unit((craft_look_log(o->hope) + 6.0) / 6.0);
    to[11] = craft_look_unit(craft_look_log(o->uses / 1000.0) / 4.0 + 0.75);
    to[12] = craft_look_unit((l->log_reach + 6.0) / 6.0);
    to[13] = craft_look_unit((craft_look_log(o->best) + 6.0) / 6.0);
    to[14] = item->flags ? 1.0f : 0.0f;
    to[15] = flags & CRAFT_FRACTURED ? 1.0f : 0.0f;
    to[16] = flags & CRAFT_UNREVEALED ? 1.0f : 0.0f;
    to[17] = flags & CRAFT_DESECRATED ? 1.0f : 0.0f;
    to[18] = craft_is_choosing(item) ? 1.0f : 0.0f;
    to[19] = craft_look_stake(o, l->bet);
}

/* Chance that a draw under a floor, on a rare item, hits each requirement. */
LU_INLINE void craft_look_chances(const craft_looker *l, int floor, double *chance) {
    const craft_outlook *o = &l->task->outlook;
    craft_wish wish = craft_plain_wish(floor, CRAFT_RARE, CRAFT_ANY_SIDE);
    craft_comes list[CRAFT_COMES];
    craft_scope scope;
    craft_scope_item(o, &l->m->pool, l->item, &wish, &scope);
    int count = craft_draw_list(o, &l->m->pool, &scope, list);
    memset(chance, 0, CRAFT_NEEDS_MAX * sizeof *chance);
    for (int k = 0; k < count; k++) {
        int needs = list[k].aim < 0 ? 0 : o->aim[list[k].aim].needs;
        for (int n = 0; needs; n++, needs >>= 1) {
            chance[n] += needs & 1 ? list[k].chance : 0.0;
        }
    }
}

LU_INLINE void craft_look_needs(const craft_looker *l, float *to) {
    enum { GREATER_EXALT = 17 };
    const craft_task *task = l->task;
    const craft_outlook *o = &task->outlook;
    double plain[CRAFT_NEEDS_MAX], greater[CRAFT_NEEDS_MAX];
    int floor = task->legal[GREATER_EXALT] ? task->effect[GREATER_EXALT].floor : 0;
    craft_look_chances(l, 0, plain);
    craft_look_chances(l, floor, greater);
    memset(to, 0, CRAFT_NEEDS_MAX * CRAFT_LOOK_NEED_FIELDS * sizeof *to);
    for (int k = 0; k < task->goal.needs; k++, to += CRAFT_LOOK_NEED_FIELDS) {
        double all = task->hit_total[k][0] + task->hit_total[k][1], count = task->goal.count[k];
        int hits = 0, blocked = 0, families = 0;
        for (int a = 0; a < o->aims; a++) {
            bool own = o->aim[a].needs >> k & 1;
            hits += own ? l->now.hit[a] : 0;
            blocked += own ? l->now.blocked[a] : 0;
            families += own ? o->aim[a].families : 0;
        }
        to[0] = 1.0f;
        to[1] = craft_look_unit(count / 3.0);
        to[2] = craft_look_unit(1.0 - (double)hits / count);
        to[3] = families > 0 ? craft_look_unit((double)blocked / (double)families) : 0.0f;
        to[4] = all > 0.0 ? craft_look_unit(task->hit_total[k][0] / all) : 0.0f;
        to[5] = craft_look_unit(craft_look_log(plain[k]) / 4.0 + 1.0);
        to[6] = craft_look_unit(craft_look_log(greater[k]) / 4.0 + 1.0);
        to[7] = task->look_gift[k];
    }
}

#ifdef __cplusplus
}
#endif
