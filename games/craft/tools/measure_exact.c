/* Tasks of the environment before the solver: see measure_exact.h. */
#include "measure_exact.h"

#include "solver/craft_tally.h"

#include <stdlib.h>

/* ---- uses of a task ---- */

/* A legal action as the solver's use. */
static lu_status add_use(craft_exact *x, const craft_use_words *words, int action,
                         lu_error *error) {
    const char *omen[3] = {words->omen[0], words->omen[1], words->omen[2]};
    craft_use *use = &x->use[x->uses];
    LU_TRY(craft_use_init(use, &x->sorts, words->use, omen, words->omens, error));
    if (use->reaches) {
        x->problem.price[x->uses] = x->task->price[action];
        x->action[x->uses++] = action;
    }
    return LU_OK;
}

static lu_status words_of(const craft_exact *x, int action, craft_use_words *words,
                          lu_error *error) {
    const craft_pack *pack = craft_rules_pack(x->m);
    if (action < CRAFT_UPGRADE_FIRST || action >= CRAFT_SWAP_SIDE) {
        return craft_use_read(words, &x->m->pool, pack, craft_action_names[action], error);
    }
    int row = x->task->essence[action - CRAFT_UPGRADE_FIRST];
    return craft_use_read(words, &x->m->pool, pack, pack->essences[row].id, error);
}

static lu_status init_uses(craft_exact *x, lu_error *error) {
    craft_use_words *words = lu_alloc(CRAFT_ACTIONS * sizeof *words);
    int action[CRAFT_ACTIONS], count = 0, tells = 0;
    lu_status status = LU_OK;
    for (int a = CRAFT_NEW_BASE + 1; a < CRAFT_ACTIONS && status == LU_OK; a++) {
        if (x->task->legal[a]) {
            craft_use_words *w = &words[count];
            status = words_of(x, a, w, error);
            const char *omen[3] = {w->omen[0], w->omen[1], w->omen[2]};
            tells |= status == LU_OK ? craft_use_tells(&x->m->pool, w->use, omen, w->omens) : 0;
            action[count++] = a;
        }
    }
    if (status == LU_OK) {
        status = craft_sorts_init(&x->sorts, craft_rules_pack(x->m), &x->m->pool, &x->task->goal,
                                  tells, error);
    }
    for (int k = 0; k < count && status == LU_OK; k++) {
        status = add_use(x, &words[k], action[k], error);
    }
    free(words);
    return status;
}

lu_status craft_exact_open(craft_exact *x, const craft_rules *m, int task, size_t memory,
                           const lu_tool_io *io, lu_error *error) {
    craft_set fresh = {.rarity = CRAFT_NORMAL};
    memset(x, 0, sizeof *x);
    x->m = m;
    x->task = craft_task_at(m, task);
    x->problem.graph = &x->graph;
    x->problem.base = x->task->price[CRAFT_NEW_BASE];
    x->problem.pool = io->pool;
    x->problem.user = io->user;
    x->problem.cancelled = io->cancelled;
    x->graph.memory = memory;
    x->graph.user = io->user;
    x->graph.cancelled = io->cancelled;
    LU_TRY(init_uses(x, error));
    LU_TRY(craft_graph_init(&x->graph, &x->sorts, x->use, x->uses, &fresh, 1, error));
    craft_values_init(&x->values, &x->graph);
    return LU_OK;
}

void craft_exact_close(craft_exact *x) {
    craft_plan_free(&x->best);
    craft_values_free(&x->values);
    craft_graph_free(&x->graph);
    craft_sorts_free(&x->sorts);
}

/* Cost and chance within the budget of a plan that was evaluated. */
static lu_status weigh(craft_exact *x, craft_plan *plan, craft_worth *worth, lu_error *error) {
    craft_tally *tally = lu_alloc(sizeof *tally);
    double fresh = plan->fresh;
    worth->cost = x->problem.base + fresh;
    lu_status status =
        craft_tally_plan(tally, &x->problem, &x->values, plan, x->task->budget, 1, error);
    worth->within = tally->within;
    free(tally);
    return status;
}

lu_status craft_exact_best(craft_exact *x, craft_worth *worth, lu_error *error) {
    *worth = (craft_worth){0};
    LU_TRY(craft_solve(&x->problem, &x->values, &x->best, error));
    if (!x->best.possible) {
        return lu_fail(error, LU_BAD_VALUE, "no sequence of uses fulfils the target");
    }
    return weigh(x, &x->best, worth, error);
}

/* ---- strategies ---- */

craft_item craft_exact_item(const craft_exact *x, const craft_set *set) {
    const craft_pool *pool = &x->m->pool;
    craft_item item;
    memset(&item, 0, sizeof item);
    item.rarity = set->rarity;
    for (int k = 0; k < set->count; k++) {
        const craft_sort *sort = craft_sort_at(&x->sorts, set->mod[k]);
        craft_slot *slot = &item.slot[k];
        const craft_entry *e = &pool->entry[sort->entry];
        slot->entry = sort->entry;
        slot->flags = (uint8_t)((sort->side == CRAFT_SUFFIX ? CRAFT_IS_SUFFIX : 0) |
                                (set->mod[k] & CRAFT_SET_FRACTURED ? CRAFT_FRACTURED : 0) |
                                (set->mod[k] & CRAFT_SET_DESECRATED ? CRAFT_DESECRATED : 0) |
                                (set->mod[k] & CRAFT_SET_CRAFTED ? CRAFT_CRAFTED : 0));
        slot->roll[0] = sort->hits && e->steps[0] > 0 ? (uint8_t)(e->steps[0] - 1) : 0;
        item.count[sort->side]++;
    }
    craft_item_sum(pool, &item);
    return item;
}

/* The move of a node that does an action; CRAFT_NO_MOVE: there is none. */
static uint32_t move_of(const craft_exact *x, uint32_t node, int action) {
    for (uint32_t k = 0; k < x->graph.moves[node]; k++) {
        uint32_t move = x->graph.move_at[node] + k;
        if (x->action[x->graph.move[move].use] == action) {
            return move;
        }
    }
    return CRAFT_NO_MOVE;
}

/* Nodes that a strategy comes to. */
typedef struct visits {
    uint32_t *list;
    uint8_t *seen;
    uint32_t count;
} visits;

static void visit(visits *v, const craft_graph *g, uint32_t node) {
    if (!v->seen[node] && !(g->flags[node] & CRAFT_NODE_GOAL)) {
        v->seen[node] = 1;
        v->list[v->count++] = node;
    }
}

/* Asks what is done at a node and goes on to what comes of it. */
static lu_status ask_node(craft_exact *x, visits *v, uint32_t node, craft_spread *spread,
                          craft_plan *plan, craft_choose_action *choose, void *user,
                          craft_worth *worth, lu_error *error) {
    craft_set set = x->graph.table.set[node];
    craft_item item = craft_exact_item(x, &set);
    int action = CRAFT_STOP;
    LU_TRY(choose(user, &item, &action, error));
    worth->items++;
    worth->stops = worth->stops || action == CRAFT_STOP;
    uint32_t move = action <= CRAFT_NEW_BASE ? CRAFT_GIVE_UP : move_of(x, node, action);
    if (move == CRAFT_NO_MOVE) {
        return lu_fail(error, LU_BAD_DATA, "'%s' was chosen where the solver does not know it",
                       craft_action_names[action]);
    }
    plan->policy[node] = move;
    if (move != CRAFT_GIVE_UP) {
        craft_spread_clear(spread);
        (void)craft_spread_use(spread, &x->sorts, &x->use[x->graph.move[move].use], &set, 1.0);
        for (uint32_t k = 0; k < spread->table.count; k++) {
            if (spread->chance[k] > 0.0) {
                visit(v, &x->graph, craft_table_add(&x->graph.table, &spread->table.set[k]));
            }
        }
    }
    return LU_OK;
}

lu_status craft_exact_policy(craft_exact *x, craft_choose_action *choose, void *user,
                             craft_worth *worth, lu_error *error) {
    uint32_t nodes = x->graph.table.count;
    craft_plan plan = {.policy = lu_alloc((nodes + 1) * sizeof *plan.policy), .possible = true};
    visits v = {lu_alloc((nodes + 1) * sizeof *v.list), lu_alloc_zero(nodes + 1, 1), 0};
    craft_spread spread;
    lu_status status = LU_OK;
    *worth = (craft_worth){0};
    for (uint32_t k = 0; k < nodes; k++) {
        plan.policy[k] = CRAFT_GIVE_UP;
    }
    craft_spread_init(&spread);
    visit(&v, &x->graph, 0);
    for (uint32_t k = 0; k < v.count && status == LU_OK; k++) {
        status = ask_node(x, &v, v.list[k], &spread, &plan, choose, user, worth, error);
        if (status == LU_OK && x->problem.cancelled && x->problem.cancelled(x->problem.user)) {
            status = lu_fail(error, LU_INTERRUPTED, "interrupted");
        }
    }
    if (status == LU_OK && !worth->stops) {
        status = craft_evaluate(&x->problem, &x->values, &plan, error);
    }
    if (status == LU_OK && !worth->stops && plan.success > 0.0) {
        status = weigh(x, &plan, worth, error);
    } else {
        worth->cost = CRAFT_NEVER_COST;
    }
    craft_spread_free(&spread);
    free(v.list);
    free(v.seen);
    craft_plan_free(&plan);
    return status;
}
