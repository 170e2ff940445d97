/* Strategies short enough to follow by hand: see craft_short.h. */
#include "solver/craft_short.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What rules see of a node. */
typedef struct looks {
    uint8_t at;   /* craft_rule_at */
    uint8_t hits; /* requirements met, each up to its count */
} looks;

typedef struct search {
    const craft_problem *problem;
    craft_values *values;
    craft_plan *plan;
    craft_short *rules;
    looks *look;
    int needed;
    lu_error *error;
} search;

static int hits_of(const craft_sorts *s, const craft_set *set) {
    int matched[CRAFT_NEEDS_MAX] = {0}, sum = 0;
    for (int i = 0; i < set->count; i++) {
        for (int k = 0; k < s->goal->needs; k++) {
            matched[k] += craft_sort_at(s, set->mod[i])->hits >> k & 1;
        }
    }
    for (int k = 0; k < s->goal->needs; k++) {
        sum += matched[k] < s->goal->count[k] ? matched[k] : s->goal->count[k];
    }
    return sum;
}

/* Nodes from which additions alone may still fulfil the target: of rare ones, by their lists; magic
 * ones become rare first. */
static uint8_t *hopeful_nodes(const craft_graph *g) {
    uint8_t *hope = lu_alloc_zero(g->table.count + 1, 1);
    for (uint32_t k = 0; k < g->order.layer[CRAFT_LAYERS]; k++) {
        uint32_t node = g->order.node[k];
        uint32_t end = g->list_at[node] + g->list[0][node] + g->list[1][node];
        hope[node] = g->flags[node] & CRAFT_NODE_GOAL ? 1 : 0;
        for (uint32_t n = g->list_at[node]; n < end && !hope[node]; n++) {
            hope[node] = hope[g->next[n]];
        }
        for (uint32_t m = 0; m < g->moves[node] && !hope[node]; m++) {
            const craft_move *move = &g->move[g->move_at[node] + m];
            bool adds = g->table.set[node].rarity != CRAFT_RARE && !move->barred;
            for (uint32_t r = 0; adds && r < move->refs && !hope[node]; r++) {
                uint32_t ref = g->ref[move->first + r];
                uint32_t to = move->draws ? g->draw_node[ref] : ref;
                hope[node] = g->table.set[to].count >= g->table.set[node].count && hope[to];
            }
        }
    }
    return hope;
}

static looks look_at(const craft_graph *g, uint32_t node, const uint8_t *hope) {
    const craft_set *set = &g->table.set[node];
    looks look = {.hits = (uint8_t)hits_of(g->sorts, set)};
    look.at = set->rarity == CRAFT_NORMAL                    ? CRAFT_AT_NORMAL
              : set->rarity == CRAFT_MAGIC && set->count < 2 ? CRAFT_AT_MAGIC_ONE
              : set->rarity == CRAFT_MAGIC                   ? CRAFT_AT_MAGIC_TWO
              : hope[node]                                   ? CRAFT_AT_RARE
                                                             : CRAFT_AT_RARE_BLOCKED;
    if (set->rarity == CRAFT_MAGIC && !hope[node]) {
        look.hits = 0;
        look.at = CRAFT_AT_RARE_BLOCKED + 1; /* no rule is for it */
    }
    return look;
}

/* The policy of the rules. */
static void follow_rules(search *s) {
    const craft_graph *g = s->problem->graph;
    for (uint32_t node = 0; node < g->table.count; node++) {
        looks look = s->look[node];
        s->plan->policy[node] = CRAFT_GIVE_UP;
        if (look.at >= CRAFT_SHORT_RULES) {
            continue;
        }
        const craft_short_rule *rule = &s->rules->rule[look.at];
        for (uint32_t m = 0; m < g->moves[node] && look.hits >= rule->hits; m++) {
            if ((int)g->move[g->move_at[node] + m].use == rule->use) {
                s->plan->policy[node] = g->move_at[node] + m;
            }
        }
    }
}

/* Cost of the rules as they are; what is above `worth` need not be known. */
static lu_status judge(search *s, double worth, double *cost) {
    follow_rules(s);
    s->rules->evaluated++;
    craft_problem limited = *s->problem;
    limited.worth = worth < CRAFT_NEVER_COST ? worth : 0.0;
    lu_status status = craft_evaluate(&limited, s->values, s->plan, s->error);
    *cost = s->plan->success > 0.0 ? s->plan->fresh : CRAFT_NEVER_COST;
    return status;
}

/* Uses that the best policy makes where a rule looks. */
static void find_possible(const search *s, const craft_plan *best,
                          uint8_t possible[CRAFT_SHORT_RULES][CRAFT_USES_MAX]) {
    const craft_graph *g = s->problem->graph;
    memset(possible, 0, (size_t)CRAFT_SHORT_RULES * CRAFT_USES_MAX);
    craft_values_follow(s->values, best->policy, true);
    for (uint32_t k = 0; k < s->values->reach.layer[CRAFT_LAYERS]; k++) {
        uint32_t node = s->values->reach.node[k], move = best->policy[node];
        bool real = (g->flags[node] & (CRAFT_NODE_REAL | CRAFT_NODE_GOAL)) == CRAFT_NODE_REAL;
        if (real && move != CRAFT_GIVE_UP && s->look[node].at < CRAFT_SHORT_RULES) {
            possible[s->look[node].at][g->move[move].use] = 1;
        }
    }
}

/* Tries every use and least number of hits of one rule. */
static lu_status improve(search *s, int at, const uint8_t *possible, double *best) {
    craft_short_rule kept = s->rules->rule[at];
    lu_status status = LU_OK;
    for (int use = -1; use < s->problem->graph->uses; use++) {
        if (use >= 0 && !possible[use]) {
            continue;
        }
        int most = at == CRAFT_AT_NORMAL || use < 0 ? 0 : s->needed;
        for (int hits = 0; hits <= most && status == LU_OK; hits++) {
            double cost;
            s->rules->rule[at] = (craft_short_rule){use, hits};
            status = judge(s, *best, &cost);
            if (status == LU_OK && cost < *best * (1.0 - 1e-9)) {
                *best = cost;
                kept = s->rules->rule[at];
            }
        }
    }
    s->rules->rule[at] = kept;
    return status;
}

/* Begins with the cheapest use at each place, whatever the hits. */
static void begin(search *s, uint8_t possible[CRAFT_SHORT_RULES][CRAFT_USES_MAX]) {
    for (int at = 0; at < CRAFT_SHORT_RULES; at++) {
        craft_short_rule *rule = &s->rules->rule[at];
        *rule = (craft_short_rule){-1, 0};
        for (int use = 0; use < s->problem->graph->uses && at != CRAFT_AT_RARE_BLOCKED; use++) {
            bool adds = s->problem->graph->use[use].line != CRAFT_LINE_ORB_OF_ANNULMENT &&
                        s->problem->graph->use[use].line != CRAFT_LINE_CHAOS_ORB;
            bool less = rule->use < 0 || s->problem->price[use] < s->problem->price[rule->use];
            if (possible[at][use] && adds && less) {
                rule->use = use;
            }
        }
    }
}

lu_status craft_short_find(craft_short *rules, const craft_problem *problem, craft_values *values,
                           const craft_plan *best_plan, craft_plan *plan, lu_error *error) {
    const craft_graph *g = problem->graph;
    search s = {problem, values, plan, rules, NULL, 0, error};
    uint8_t(*possible)[CRAFT_USES_MAX] = lu_alloc((size_t)CRAFT_SHORT_RULES * sizeof *possible);
    uint8_t *hope = hopeful_nodes(g);
    double best = CRAFT_NEVER_COST, before, cost;
    *rules = (craft_short){.evaluated = 0};
    *plan = (craft_plan){.policy = lu_alloc((g->table.count + 1) * sizeof *plan->policy)};
    s.look = lu_alloc((g->table.count + 1) * sizeof *s.look);
    for (uint32_t node = 0; node < g->table.count; node++) {
        s.look[node] = look_at(g, node, hope);
    }
    for (int k = 0; k < g->sorts->goal->needs; k++) {
        s.needed += g->sorts->goal->count[k];
    }
    find_possible(&s, best_plan, possible);
    begin(&s, possible);
    lu_status status = judge(&s, CRAFT_NEVER_COST, &best);
    do {
        before = best;
        for (int at = CRAFT_SHORT_RULES - 1; at >= 0 && status == LU_OK; at--) {
            status = improve(&s, at, possible[at], &best);
        }
    } while (status == LU_OK && best < before * 0.999);
    status = status == LU_OK ? judge(&s, CRAFT_NEVER_COST, &cost) : status;
    plan->possible = plan->success > 0.0;
    plan->upper = plan->fresh;
    free(s.look);
    free(hope);
    free(possible);
    return status;
}

void craft_short_condition(const craft_short *rules, int at, char *text, int room) {
    static const char *const places[] = {"normal", "magic, one modifier or none",
                                         "magic, two modifiers", "rare", "rare"};
    static const char *const ends[] = {"", ", nothing wanted blocked", ", nothing wanted blocked",
                                       ", additions can still finish it",
                                       ", additions cannot finish it"};
    char hits[40] = "";
    if (rules->rule[at].hits > 0) {
        snprintf(hits, sizeof hits, ", at least %d hit%s", rules->rule[at].hits,
                 rules->rule[at].hits > 1 ? "s" : "");
    }
    snprintf(text, (size_t)room, "%s%s%s", places[at], hits, ends[at]);
}
