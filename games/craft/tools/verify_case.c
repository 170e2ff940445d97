/* Answers of the verify tool, kind by kind. */
#include "verify.h"

#include "solver/craft_reveal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- chances ---- */

/* Playing uses one after the other. What later uses do not tell apart is forgotten as soon as it
 * no longer counts, between a removal and its draw too: levels of four modifiers are millions of
 * sets, what is left of them after the Omen of Whittling a few thousand. */
typedef struct course {
    const craft_case *c;
    craft_spread now, next, removed, one;
    uint16_t like[CRAFT_SORTS]; /* what a sort counts as from the next use on */
    int draw;                   /* what is drawn on all of `removed`, -1: not known yet */
} course;

static craft_set forget(const course *p, const craft_set *set) {
    craft_set less = {.rarity = set->rarity};
    for (int k = 0; k < set->count; k++) {
        uint16_t sort = p->like[set->mod[k] & CRAFT_SET_SORT];
        uint16_t mod = (uint16_t)(sort | (set->mod[k] & ~CRAFT_SET_SORT));
        less = craft_set_with(&p->c->sorts, &less, mod);
    }
    return less;
}

static void pass_on(const course *p, craft_spread *to, const craft_spread *from, double chance) {
    for (uint32_t k = 0; k < from->table.count; k++) {
        craft_set set = forget(p, &from->table.set[k]);
        craft_spread_add(to, &set, chance * from->chance[k]);
    }
    to->full = to->full || from->full;
}

/* Whether all branches end in the draw that everything else removed ends in. A draw that
 * goes by tags of the set, or by what was removed, must see them. */
static bool splits(course *p, const craft_branch *branch, int count) {
    bool same = count > 0 && p->c->pool.switches.removed_can_return != 0;
    for (int k = 0; k < count && same; k++) {
        p->draw = p->draw < 0 && branch[k].then == CRAFT_THEN_DRAW ? branch[k].what : p->draw;
        same = branch[k].then == CRAFT_THEN_DRAW && branch[k].what == p->draw &&
               !p->c->sorts.draw[p->draw].shared;
    }
    return same;
}

/* One set: its removals into `removed`, or all of the use into `next`; a set on which it cannot be
 * used stays. */
static void use_on(course *p, const craft_use *use, const craft_set *set, double chance) {
    craft_branch branch[CRAFT_BRANCHES];
    int count = craft_use_on(&p->c->sorts, use, set, branch);
    bool split = splits(p, branch, count);
    craft_spread_clear(&p->one);
    for (int k = 0; k < count && split; k++) {
        branch[k].then = CRAFT_THEN_NOTHING;
        (void)craft_spread_branch(&p->one, &p->c->sorts, &branch[k], set, 1.0);
    }
    if (split) {
        pass_on(p, &p->removed, &p->one, chance);
    } else if (craft_spread_use(&p->one, &p->c->sorts, use, set, 1.0)) {
        pass_on(p, &p->next, &p->one, chance);
    } else {
        craft_set stays = forget(p, set);
        craft_spread_add(&p->next, &stays, chance);
    }
}

/* False: something that was removed from leaves nothing to draw. */
static bool draw_on(course *p) {
    bool all = true;
    for (uint32_t k = 0; k < p->removed.table.count && all; k++) {
        craft_set set = p->removed.table.set[k];
        craft_spread_clear(&p->one);
        all = craft_spread_draw(&p->one, &p->c->sorts, &p->c->sorts.draw[p->draw], &set, 1.0);
        pass_on(p, &p->next, &p->one, p->removed.chance[k]);
    }
    return all;
}

/* A use on all of `now`. Where a draw finds nothing the use cannot be used, which only the set
 * before the removal can tell: then once more, without forgetting in between. */
static void step(course *p, const craft_use *use) {
    p->draw = -1;
    for (int whole = 0; whole < 2; whole++) {
        craft_spread_clear(&p->next);
        craft_spread_clear(&p->removed);
        for (uint32_t k = 0; k < p->now.table.count && !p->now.full; k++) {
            craft_set set = p->now.table.set[k];
            p->draw = whole ? CRAFT_DRAWS : p->draw;
            use_on(p, use, &set, p->now.chance[k]);
        }
        if (draw_on(p)) {
            break;
        }
    }
    p->next.full = p->next.full || p->now.full || p->removed.full;
    craft_spread swap = p->now;
    p->now = p->next;
    p->next = swap;
}

/* The first uses of a case from its item. False: there are too many sets. */
static bool play(const craft_case *c, int uses, craft_spread *spread) {
    course *p = lu_alloc_zero(1, sizeof *p);
    p->c = c;
    craft_spread_init(&p->now);
    craft_spread_init(&p->next);
    craft_spread_init(&p->removed);
    craft_spread_init(&p->one);
    craft_spread_add(&p->now, &c->start, 1.0);
    for (int k = 0; k < uses; k++) {
        int tells = c->sorts.tells & CRAFT_TELL_ORDER;
        for (int later = k + 1; later < c->asks; later++) {
            const craft_case_use *use = &c->asked[later];
            tells |= craft_use_tells(&c->pool, use->item, use->omen, use->omens);
        }
        for (int sort = 0; sort < c->sorts.count; sort++) {
            bool keeps = (tells & CRAFT_TELL_ORDER) != 0;
            p->like[sort] = (uint16_t)(keeps ? sort : craft_sort_like(&c->sorts, sort, tells));
        }
        step(p, &c->use[k]);
    }
    bool whole = !p->now.full;
    *spread = p->now;
    craft_spread_free(&p->next);
    craft_spread_free(&p->removed);
    craft_spread_free(&p->one);
    free(p);
    return whole;
}

static lu_status play_or_say(lu_check *check, const craft_case *c, int uses, craft_spread *spread) {
    if (play(c, uses, spread)) {
        return LU_OK;
    }
    craft_spread_free(spread);
    lu_check_say(check, "its actions lead to more items than fit into a gigabyte");
    return LU_BAD_VALUE;
}

static double fulfilled(const craft_case *c, const craft_spread *spread) {
    double sum = 0.0;
    for (uint32_t k = 0; k < spread->table.count; k++) {
        sum += craft_set_fulfils(&c->sorts, &spread->table.set[k]) ? spread->chance[k] : 0.0;
    }
    return sum;
}

static lu_status need_goal(lu_check *check, const craft_case *c) {
    return c->has_goal ? LU_OK : lu_check_bad(check, "'spec' is missing");
}

lu_status craft_case_prob(lu_check *check, const lu_tool_io *io, craft_case *c,
                          const lu_json_value *expect) {
    craft_spread spread;
    (void)io;
    lu_status status = need_goal(check, c);
    status = status == LU_OK ? craft_case_uses(check, c, "actions") : status;
    status = status == LU_OK ? craft_case_start(check, c) : status;
    if (status == LU_OK) {
        status = play_or_say(check, c, c->asks, &spread);
    }
    if (status == LU_OK) {
        craft_case_number(check, expect, "probability", fulfilled(c, &spread));
        craft_spread_free(&spread);
    }
    return status;
}

/* One more draw on all of `now`; where there is no room, or nothing for it, an item stays. */
static void draw_more(const craft_case *c, int draw, craft_spread *now) {
    craft_spread next;
    craft_spread_init(&next);
    for (uint32_t k = 0; k < now->table.count; k++) {
        craft_set set = now->table.set[k];
        if (!craft_spread_draw(&next, &c->sorts, &c->sorts.draw[draw], &set, now->chance[k])) {
            craft_spread_add(&next, &set, now->chance[k]);
        }
    }
    craft_spread_free(now);
    *now = next;
}

lu_status craft_case_classic(lu_check *check, const lu_tool_io *io, craft_case *c,
                             const lu_json_value *expect) {
    craft_set empty = {.rarity = CRAFT_RARE};
    double chance = 0.0;
    (void)io;
    lu_status status = need_goal(check, c);
    status = status == LU_OK ? craft_case_start(check, c) : status;
    if (status != LU_OK) {
        return status;
    }
    int weighting = craft_weighting_of(&c->sorts, 0, -1, 1.0);
    int draw[CRAFT_SIDES] = {craft_draw_of(&c->sorts, weighting, CRAFT_ONLY_P, false, 1),
                             craft_draw_of(&c->sorts, weighting, CRAFT_ONLY_S, false, 1)};
    for (int each = 0; each < 4; each++) { /* 2 or 3 of each side */
        int most[CRAFT_SIDES] = {2 + each % 2, 2 + each / 2};
        craft_spread all;
        craft_spread_init(&all);
        craft_spread_add(&all, &empty, 0.25);
        for (int k = 0; k < most[0] + most[1]; k++) {
            draw_more(c, draw[k < most[0] ? CRAFT_PREFIX : CRAFT_SUFFIX], &all);
        }
        chance += fulfilled(c, &all);
        craft_spread_free(&all);
    }
    craft_case_number(check, expect, "probability", chance);
    craft_case_number(check, expect, "expected_chaos", 1.0 / chance);
    return LU_OK;
}

lu_status craft_case_fracture(lu_check *check, const lu_tool_io *io, craft_case *c,
                              const lu_json_value *expect) {
    craft_branch branch[CRAFT_BRANCHES];
    const char *want = "";
    lu_error inner;
    double chance = 0.0;
    (void)io;
    if (lu_json_get_text(c->input, "want", &want, &inner) != LU_OK) {
        return lu_check_bad(check, inner.text);
    }
    c->asked[c->asks++] = (craft_case_use){.item = "fracturing_orb"};
    lu_status status = craft_case_start(check, c);
    if (status != LU_OK) {
        return status;
    }
    int mod = craft_mod_find(c->pack, want),
        count = craft_use_on(&c->sorts, c->use, &c->start, branch);
    int entry = mod < 0 ? CRAFT_NO_ENTRY : craft_entry_of(&c->pool, mod);
    for (int k = 0; k < count; k++) {
        uint16_t locked = craft_sort_at(&c->sorts, c->start.mod[branch[k].what])->entry;
        bool same = entry != CRAFT_NO_ENTRY && locked != CRAFT_NO_ENTRY &&
                    c->pool.entry[locked].family == c->pool.entry[entry].family;
        bool there = false;
        for (int i = 0; i < c->mods; i++) {
            there = there || c->mod[i] == entry;
        }
        chance += same && there ? branch[k].chance : 0.0;
    }
    craft_case_number(check, expect, "probability", chance);
    return LU_OK;
}

/* ---- reveal ---- */

static lu_status read_wanted(lu_check *check, const craft_case *c, uint16_t *wanted, int *wants) {
    const lu_json_value *list = lu_json_get(c->input, "wanted");
    for (size_t k = 0; k < lu_json_count(list) && *wants < CRAFT_ENTRIES; k++) {
        const lu_json_value *value = lu_json_at(list, k);
        const char *id = lu_json_kind_of(value) == LU_JSON_STRING ? lu_json_text(value, NULL) : "";
        int mod = craft_mod_find(c->pack, id);
        if (mod < 0) {
            return lu_check_bad(check, "'wanted' names an unknown modifier");
        }
        wanted[(*wants)++] = (uint16_t)craft_entry_of(&c->pool, mod);
    }
    return *wants > 0 ? LU_OK : lu_check_bad(check, "'wanted' must be a list of modifiers");
}

static lu_status read_reveal(lu_check *check, const craft_case *c, craft_reveal *reveal) {
    static const char *const lords[] = {"", "ulaman", "amanamu", "kurgal"};
    const char *side = "", *lord = "";
    (void)lu_json_get_text(c->input, "side", &side, NULL);
    (void)lu_json_get_text(c->input, "lord", &lord, NULL);
    reveal->side = *side == 'P' ? CRAFT_PREFIX : CRAFT_SUFFIX;
    reveal->floor = (int)lu_json_real_or(lu_json_get(c->input, "min_level"), 0.0);
    for (reveal->lord = 0; reveal->lord < CRAFT_LORDS && strcmp(lords[reveal->lord], lord) != 0;) {
        reveal->lord++;
    }
    if (reveal->lord == CRAFT_LORDS) {
        return lu_check_bad(check, "'lord' must be ulaman, amanamu or kurgal");
    }
    return *side == 'P' || *side == 'S' ? LU_OK : lu_check_bad(check, "'side' must be P or S");
}

lu_status craft_case_reveal(lu_check *check, const lu_tool_io *io, craft_case *c,
                            const lu_json_value *expect) {
    uint16_t wanted[CRAFT_ENTRIES];
    int wants = 0;
    craft_reveal reveal;
    (void)io;
    lu_status status = read_reveal(check, c, &reveal);
    status = status == LU_OK ? read_wanted(check, c, wanted, &wants) : status;
    if (status == LU_OK) {
        double one = craft_reveal_chance(&c->pool, c->mod, c->mods, &reveal, wanted, wants);
        lu_json_kind echoes = lu_json_kind_of(lu_json_get(c->input, "echoes"));
        bool twice =
            echoes == LU_JSON_TRUE || lu_json_real_or(lu_json_get(c->input, "echoes"), 0.0) > 0.0;
        double chance = twice ? 1.0 - (1.0 - one) * (1.0 - one) : one;
        craft_case_number(check, expect, "probability", chance);
    }
    return status;
}

/* ---- uses until, and the cheapest plan ---- */

enum { MEMORY_MB = 2048 };

static craft_problem task_of(const lu_tool_io *io, const craft_graph *graph) {
    return (craft_problem){.graph = graph,
                           .pool = io->pool,
                           .user = io->user,
                           .progress = io->progress,
                           .cancelled = io->cancelled};
}

lu_status craft_case_until(lu_check *check, const lu_tool_io *io, craft_case *c,
                           const lu_json_value *expect) {
    craft_graph graph = {
        .memory = (size_t)MEMORY_MB << 20, .user = io->user, .cancelled = io->cancelled};
    craft_spread spread;
    double expected = 0.0;
    lu_status status = need_goal(check, c);
    status = status == LU_OK ? craft_case_uses(check, c, "setup") : status;
    int setup = c->asks;
    status = status == LU_OK ? craft_case_uses(check, c, "action") : status;
    if (status == LU_OK && c->asks != setup + 1) {
        return lu_check_bad(check, "'action' must be one action");
    }
    status = status == LU_OK ? craft_case_start(check, c) : status;
    status = status == LU_OK ? play_or_say(check, c, setup, &spread) : status;
    if (status != LU_OK) {
        return status;
    }
    status = craft_graph_init(&graph, &c->sorts, &c->use[setup], 1, spread.table.set,
                              spread.table.count, check->error);
    if (status == LU_OK) {
        craft_problem task = task_of(io, &graph);
        status =
            craft_uses_until(&task, spread.chance, spread.table.count, &expected, check->error);
        if (expected >= CRAFT_NEVER_COST) {
            lu_check_say(check, "from some items no number of uses fulfils the target");
        } else {
            craft_case_number(check, expect, "expected_uses", expected);
        }
        craft_case_number(check, expect, "states", graph.states - graph.goals);
    }
    craft_graph_free(&graph);
    craft_spread_free(&spread);
    return status;
}

/* Price of each use: the currency and its omens. */
static lu_status read_prices(lu_check *check, craft_case *c, craft_problem *task) {
    const lu_json_value *prices = lu_json_get(c->input, "prices");
    task->base = lu_json_real_or(lu_json_get(prices, "white_base"), -1.0);
    double least = task->base;
    for (int k = 0; k < c->asks; k++) {
        double price = lu_json_real_or(lu_json_get(prices, c->use[k].item), -1.0);
        for (int o = 0; o < c->use[k].omens && price >= 0.0; o++) {
            double omen = lu_json_real_or(lu_json_get(prices, c->use[k].omen[o]), -1.0);
            price = omen < 0.0 ? -1.0 : price + omen;
        }
        task->price[k] = price;
        least = price < least ? price : least;
    }
    return least < 0.0 ? lu_check_bad(check, "'prices' lacks a price of an action or of white_base")
                       : LU_OK;
}

/* Whether the action that a case names is the use. */
static bool is_use(const lu_json_value *value, const craft_use *use) {
    const lu_json_value *omens = lu_json_get(value, "omens");
    const char *item = "";
    (void)lu_json_get_text(value, "currency", &item, NULL);
    bool same = strcmp(item, use->item) == 0 && lu_json_count(omens) == (size_t)use->omens;
    for (int k = 0; k < use->omens && same; k++) {
        const lu_json_value *omen = lu_json_at(omens, (size_t)k);
        same = lu_json_kind_of(omen) == LU_JSON_STRING &&
               strcmp(lu_json_text(omen, NULL), use->omen[k]) == 0;
    }
    return same;
}

static void compare_plan(lu_check *check, const craft_case *c, const craft_graph *graph,
                         const craft_problem *task, const craft_plan *plan, double given_up,
                         const lu_json_value *expect) {
    const lu_json_value *first = lu_json_get(expect, "first_action");
    craft_case_number(check, expect, "states", graph->states);
    if (lu_json_get(expect, "edges")) {
        craft_case_number(check, expect, "edges", (double)craft_graph_edges(graph));
    }
    craft_case_number(check, expect, "optimal_total_cost", plan->fresh + task->base);
    craft_case_number(check, expect, "give_up_probability_per_base", given_up);
    craft_case_number(check, expect, "lower_bound_fresh", plan->lower);
    craft_case_number(check, expect, "upper_bound_fresh", plan->upper);
    if (lu_json_kind_of(first) == LU_JSON_OBJECT && plan->policy[0] != CRAFT_GIVE_UP) {
        const craft_use *use = &c->use[graph->move[plan->policy[0]].use];
        lu_check_flag(check, "first_action", true, is_use(first, use));
    }
}

lu_status craft_case_mdp(lu_check *check, const lu_tool_io *io, craft_case *c,
                         const lu_json_value *expect) {
    craft_graph graph = {
        .memory = (size_t)MEMORY_MB << 20, .user = io->user, .cancelled = io->cancelled};
    craft_values values;
    craft_plan plan;
    lu_status status = need_goal(check, c);
    status = status == LU_OK ? craft_case_uses(check, c, "actions") : status;
    status = status == LU_OK ? craft_case_start(check, c) : status;
    craft_problem task = task_of(io, &graph);
    status = status == LU_OK ? read_prices(check, c, &task) : status;
    if (status != LU_OK) {
        return status;
    }
    if (c->start.rarity != CRAFT_NORMAL || c->start.count > 0) {
        return lu_check_bad(check, "'item': a cheapest plan starts from a white base");
    }
    status = craft_graph_init(&graph, &c->sorts, c->use, c->asks, &c->start, 1, check->error);
    if (status == LU_OK) {
        craft_values_init(&values, &graph);
        status = craft_solve(&task, &values, &plan, check->error);
        if (status == LU_OK && plan.possible) {
            double given_up = 0.0;
            status = craft_evaluate_fail(&task, &values, &plan, &given_up, check->error);
            compare_plan(check, c, &graph, &task, &plan, given_up, expect);
        } else if (status == LU_OK) {
            lu_check_say(check, "no sequence of actions fulfils the target");
        }
        craft_plan_free(&plan);
        craft_values_free(&values);
    }
    craft_graph_free(&graph);
    return status;
}
