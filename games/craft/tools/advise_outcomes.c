/* What the best action may lead to, by kinds of outcomes, and what other actions would cost. */
#include "advise.h"

#include <stdlib.h>
#include <string.h>

enum { NO_USE = -4 };

/* What is done at a node under the optimum. */
static int next_at(const optimizer *o, uint32_t node) {
    uint32_t move = o->strategy[0].plan.policy[node];
    return o->graph.flags[node] & CRAFT_NODE_GOAL ? ADVISE_DONE
           : move == CRAFT_GIVE_UP                ? ADVISE_NEW_BASE
                                                  : o->graph.move[move].use;
}

const char *craft_advise_use_name(const optimizer *o, int use) {
    return use >= 0                 ? o->use[use].name
           : use == ADVISE_NEW_BASE ? "white_base"
           : use == ADVISE_DONE     ? "stop"
                                    : "";
}

int craft_advise_use_named(const optimizer *o, const char *name) {
    int use = strcmp(name, "white_base") == 0 ? ADVISE_NEW_BASE : NO_USE;
    for (int k = 0; k < o->uses; k++) {
        use = strcmp(o->use[k].name, name) == 0 ? k : use;
    }
    return use;
}

/* ---- kinds ---- */

/* What each requirement has; returns bits of those that lack something and are in the way. */
static uint8_t have_of(const optimizer *o, const craft_set *set, uint8_t have[CRAFT_NEEDS_MAX]) {
    const craft_goal *goal = &o->ask.goal;
    int blocked = 0;
    memset(have, 0, CRAFT_NEEDS_MAX);
    for (int k = 0; k < set->count; k++) {
        const craft_sort *sort = craft_sort_at(&o->sorts, set->mod[k]);
        int hits = sort->hits & (set->mod[k] & CRAFT_SET_FRACTURED ? 0xff : ~goal->fractured);
        blocked |= sort->entry != CRAFT_NO_ENTRY ? goal->blocks[sort->entry] & ~hits : 0;
        for (int need = 0; need < goal->needs; need++) {
            bool more = hits >> need & 1 && have[need] < goal->count[need];
            have[need] = (uint8_t)(have[need] + (more ? 1 : 0));
        }
    }
    for (int need = 0; need < goal->needs; need++) {
        blocked &= have[need] >= goal->count[need] ? ~(1 << need) : ~0;
    }
    return (uint8_t)blocked;
}

/* The first modifier of a set that another one lacks, -1 = none; *count: how many there are. */
static int came_of(const craft_set *before, const craft_set *after, int *count) {
    unsigned taken = 0;
    int first = -1;
    *count = 0;
    for (int k = after->count - 1; k >= 0; k--) {
        int j = 0;
        while (j < before->count && (taken >> j & 1 || before->mod[j] != after->mod[k])) {
            j++;
        }
        taken |= j < before->count ? 1u << j : 0;
        first = j < before->count ? first : after->mod[k];
        *count += j < before->count ? 0 : 1;
    }
    return first;
}

/* The likeliest of the modifiers that come, by the chances of all sorts. */
static void take_likeliest(craft_advise_outcome *out, double *chance, int sorts) {
    for (out->came = 0; out->came < ADVISE_CAME; out->came++) {
        int best = 0;
        for (int k = 1; k < sorts; k++) {
            best = chance[k] > chance[best] ? k : best;
        }
        if (chance[best] <= 0.0) {
            break;
        }
        out->mod[out->came].sort = (uint16_t)best;
        out->mod[out->came].chance = chance[best];
        chance[best] = 0.0;
    }
}

static bool same_kind(const craft_advise_outcome *a, const craft_advise_outcome *b) {
    return memcmp(a->have, b->have, sizeof a->have) == 0 && a->blocks == b->blocks &&
           a->frees == b->frees && a->side == b->side && a->next == b->next;
}

/* Adds an outcome to its kind, which is told; rare kinds beyond the last are one. */
static int add_outcome(craft_advise_odds *odds, const craft_advise_outcome *kind, double chance,
                       double to_go) {
    int at = 0;
    while (at < odds->outcomes && !same_kind(&odds->outcome[at], kind)) {
        at++;
    }
    if (at == ADVISE_OUTCOMES) {
        craft_advise_outcome *last = &odds->outcome[--at];
        *last = (craft_advise_outcome){
            .next = ADVISE_MIXED, .chance = last->chance, .to_go = last->to_go};
    } else if (at == odds->outcomes) {
        odds->outcome[odds->outcomes++] = *kind;
    }
    odds->outcome[at].chance += chance;
    odds->outcome[at].to_go += chance * to_go;
    return at;
}

static int likelier(const void *a, const void *b) {
    const craft_advise_outcome *x = a, *y = b;
    return (x->chance < y->chance) - (x->chance > y->chance);
}

/* What to keep of a reveal, the best first. */
static void rank_options(craft_advise_odds *odds, const optimizer *o, const craft_move *move) {
    const craft_graph *g = &o->graph;
    for (uint32_t row = 0; row < move->rows;) {
        const craft_option *option = &g->option[g->row_option[move->first + row]];
        double to_go = 0.0;
        for (int part = 0; part < option->parts; part++) {
            to_go += option->share[part] * o->values.v[g->row_next[move->first + row++]];
        }
        int at = odds->keeps < ADVISE_KEEPS ? odds->keeps++ : ADVISE_KEEPS;
        for (; at > 0 && odds->keep[at - 1].to_go > to_go; at--) {
            if (at < ADVISE_KEEPS) {
                odds->keep[at] = odds->keep[at - 1];
            }
        }
        if (at < ADVISE_KEEPS) {
            odds->keep[at].entry = option->entry;
            odds->keep[at].to_go = to_go;
        }
    }
}

static void look_ahead(craft_advise_odds *odds, optimizer *o, uint32_t start) {
    const craft_plan *plan = &o->strategy[0].plan;
    const craft_move *move = &o->graph.move[plan->policy[start]];
    craft_set here = o->graph.table.set[start];
    const craft_set *set = &here;
    uint8_t before[CRAFT_NEEDS_MAX], blocked = have_of(o, set, before);
    uint32_t nodes = o->graph.table.count;
    double(*came)[CRAFT_SORTS] = lu_alloc_zero(ADVISE_OUTCOMES, sizeof *came);
    craft_spread spread;
    craft_spread_init(&spread);
    craft_spread_move(&spread, &o->graph, plan->keep, start, move, 1.0);
    odds->price = o->problem.price[move->use];
    if (move->rows > 0) {
        odds->price *=
            o->use[move->use].again ? craft_reveal_rows(&o->graph, plan->keep, move, NULL) : 1.0;
        rank_options(odds, o, move);
    }
    for (uint32_t k = 0; k < spread.table.count; k++) {
        const craft_set *after = &spread.table.set[k];
        uint32_t node = craft_table_add(&o->graph.table, after);
        LU_ASSERT(node < nodes); /* the graph has all that a use leads to */
        int count, mod = came_of(set, after, &count);
        craft_advise_outcome kind = {.next = (int16_t)next_at(o, node)};
        kind.side = count == 1 ? craft_sort_at(&o->sorts, (uint16_t)mod)->side : CRAFT_SIDES;
        uint8_t now = have_of(o, after, kind.have);
        kind.blocks = (uint8_t)(now & ~blocked);
        for (int need = 0; need < o->ask.goal.needs; need++) {
            kind.gains |= (uint8_t)((kind.have[need] > before[need]) << need);
            kind.loses |= (uint8_t)((kind.have[need] < before[need]) << need);
        }
        kind.frees = (uint8_t)(blocked & ~now & ~kind.gains);
        int at = add_outcome(odds, &kind, spread.chance[k], o->values.v[node]);
        if (mod >= 0) {
            came[at][mod & CRAFT_SET_SORT] += spread.chance[k];
        }
    }
    for (int k = 0; k < odds->outcomes; k++) {
        odds->outcome[k].to_go /= odds->outcome[k].chance;
        take_likeliest(&odds->outcome[k], came[k], o->sorts.count);
    }
    craft_spread_free(&spread);
    free(came);
    qsort(odds->outcome, (size_t)odds->outcomes, sizeof *odds->outcome, likelier);
}

/* ---- other actions ---- */

static void add_other(craft_advise_odds *odds, int next, double cost) {
    int at = odds->others < ADVISE_OTHERS ? odds->others++ : ADVISE_OTHERS;
    while (at > 0 && odds->other[at - 1].cost > cost) {
        if (at < ADVISE_OTHERS) {
            odds->other[at] = odds->other[at - 1];
        }
        at--;
    }
    if (at < ADVISE_OTHERS) {
        odds->other[at] = (craft_advise_choice){next, cost};
    }
}

static void rank_others(craft_advise_odds *odds, const optimizer *o, uint32_t node) {
    const craft_graph *g = &o->graph;
    double sale = o->problem.sale ? o->problem.sale[node] : 0.0;
    double again = o->problem.base + o->strategy[0].plan.fresh - sale;
    for (uint32_t k = 0; k < g->moves[node]; k++) {
        const craft_move *move = &g->move[g->move_at[node] + k];
        if (move->use != odds->next) {
            add_other(odds, move->use,
                      craft_move_cost(&o->values, node, move, o->problem.price[move->use]));
        }
    }
    if (odds->next != ADVISE_NEW_BASE && again < CRAFT_NEVER_COST) {
        add_other(odds, ADVISE_NEW_BASE, again);
    }
}

/* What each option that is shown costs to go. */
static void look_at_options(craft_advise_odds *odds, const optimizer *o, uint32_t node) {
    const craft_graph *g = &o->graph;
    for (uint32_t k = 0; k < g->moves[node]; k++) {
        const craft_move *move = &g->move[g->move_at[node] + k];
        if (g->use[move->use].keeps > 0) {
            odds->option[odds->options].use = move->use;
            odds->option[odds->options++].to_go = craft_move_cost(&o->values, node, move, 0.0);
        }
    }
}

void craft_advise_look(craft_advise_odds *odds, optimizer *o) {
    uint32_t node = o->graph.start;
    memset(odds, 0, sizeof *odds);
    craft_values_draws(&o->values, o->io->pool);
    odds->next = o->ask.is_final ? ADVISE_NEW_BASE : next_at(o, node);
    if (craft_fulfils(&o->ask.goal, &o->ask.pool, &o->ask.item)) {
        odds->next = ADVISE_DONE;
    }
    if (odds->next == ADVISE_DONE) {
        return;
    }
    if (odds->next == ADVISE_NEW_BASE) {
        odds->price = o->problem.base;
        craft_advise_outcome *out = &odds->outcome[odds->outcomes++];
        out->chance = 1.0;
        out->next = (int16_t)next_at(o, 0);
        out->to_go = o->strategy[0].plan.fresh;
    } else {
        look_ahead(odds, o, node);
    }
    if (!o->ask.is_final) {
        rank_others(odds, o, node);
        look_at_options(odds, o, node);
    }
}
