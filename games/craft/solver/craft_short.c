/* Strategies short enough to follow by hand: see craft_short.h. */
#include "solver/craft_short.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- conditions ---- */

enum {
    IS_NORMAL,
    IS_MAGIC,
    IS_RARE,
    MODS_AT_MOST_1,
    MODS_AT_MOST_3,
    MODS_AT_MOST_4,
    MODS_AT_MOST_5,
    HITS_AT_LEAST_1,
    HITS_AT_LEAST_6 = HITS_AT_LEAST_1 + 5,
    LACKS_AT_MOST_1,
    LACKS_AT_MOST_2,
    CAN_FINISH,
    CANNOT_FINISH,
    OPEN_PREFIX,
    NO_OPEN_PREFIX,
    OPEN_SUFFIX,
    NO_OPEN_SUFFIX,
    NO_JUNK,
    JUNK_PREFIX,
    NO_JUNK_PREFIX,
    JUNK_SUFFIX,
    NO_JUNK_SUFFIX,
    HAS_NEED,
    LACKS_NEED = HAS_NEED + CRAFT_NEEDS_MAX,
    CONDITIONS = LACKS_NEED + CRAFT_NEEDS_MAX
};

LU_STATIC_ASSERT(CONDITIONS <= 64, "bits of a word");

#define BIT(condition) (UINT64_C(1) << (condition))

/* Texts of what no number or name is in. */
static const char *const texts[CONDITIONS] = {
    [IS_NORMAL] = "normal",
    [IS_MAGIC] = "magic",
    [IS_RARE] = "rare",
    [MODS_AT_MOST_1] = "at most one modifier",
    [MODS_AT_MOST_3] = "at most 3 modifiers",
    [MODS_AT_MOST_4] = "at most 4 modifiers",
    [MODS_AT_MOST_5] = "at most 5 modifiers",
    [HITS_AT_LEAST_1] = "at least 1 hit",
    [HITS_AT_LEAST_1 + 1] = "at least 2 hits",
    [HITS_AT_LEAST_1 + 2] = "at least 3 hits",
    [HITS_AT_LEAST_1 + 3] = "at least 4 hits",
    [HITS_AT_LEAST_1 + 4] = "at least 5 hits",
    [HITS_AT_LEAST_6] = "6 hits",
    [LACKS_AT_MOST_1] = "at most one hit missing",
    [LACKS_AT_MOST_2] = "at most two hits missing",
    [CAN_FINISH] = "additions can still finish it",
    [CANNOT_FINISH] = "additions cannot finish it",
    [OPEN_PREFIX] = "a prefix open",
    [NO_OPEN_PREFIX] = "no prefix open",
    [OPEN_SUFFIX] = "a suffix open",
    [NO_OPEN_SUFFIX] = "no suffix open",
    [NO_JUNK] = "nothing but hits",
    [JUNK_PREFIX] = "a prefix that isn't a hit",
    [NO_JUNK_PREFIX] = "no prefix that isn't a hit",
    [JUNK_SUFFIX] = "a suffix that isn't a hit",
    [NO_JUNK_SUFFIX] = "no suffix that isn't a hit",
};

static uint64_t when(bool holds, int condition) {
    return holds ? BIT(condition) : 0;
}

/* Conditions that hold at a node. */
static uint64_t look_at(const craft_graph *g, uint32_t node, bool hope) {
    const craft_set *set = &g->table.set[node];
    const craft_sorts *s = g->sorts;
    uint8_t have[CRAFT_NEEDS_MAX];
    int hits = craft_set_hits(s, set, have), needed = 0, junk[CRAFT_SIDES] = {0, 0};
    uint64_t look = BIT(IS_NORMAL + set->rarity) | BIT(hope ? CAN_FINISH : CANNOT_FINISH);
    for (int k = 0; k < set->count; k++) {
        const craft_sort *sort = craft_sort_at(s, set->mod[k]);
        junk[sort->side] += sort->hits ? 0 : 1;
    }
    for (int k = 0; k < s->goal->needs; k++) {
        needed += s->goal->count[k];
        look |= BIT((have[k] >= s->goal->count[k] ? HAS_NEED : LACKS_NEED) + k);
    }
    for (int k = 1; k <= hits && k <= 6; k++) {
        look |= BIT(HITS_AT_LEAST_1 + k - 1);
    }
    look |= when(set->count <= 1, MODS_AT_MOST_1) | when(set->count <= 3, MODS_AT_MOST_3) |
            when(set->count <= 4, MODS_AT_MOST_4) | when(set->count <= 5, MODS_AT_MOST_5);
    look |= when(needed - hits <= 1, LACKS_AT_MOST_1) | when(needed - hits <= 2, LACKS_AT_MOST_2);
    for (int side = 0; side < CRAFT_SIDES; side++) {
        bool open = craft_set_sided(s, set, side) < s->pool->limit[set->rarity][side];
        look |= BIT((side ? OPEN_SUFFIX : OPEN_PREFIX) + (open ? 0 : 1));
        look |= BIT((side ? JUNK_SUFFIX : JUNK_PREFIX) + (junk[side] > 0 ? 0 : 1));
    }
    return look | when(junk[0] + junk[1] == 0, NO_JUNK);
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
            for (uint32_t row = 0; row < move->rows && !hope[node]; row++) {
                hope[node] = hope[g->row_next[move->first + row]];
            }
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

/* ---- the search ---- */

enum {
    WALKS = 600,           /* of bases that succeed, and as many that fail, by one strategy */
    USES = 24,             /* that lists are made of */
    MASKS = 4096,          /* combinations of conditions */
    BEAM = 100,            /* rules that get a third condition */
    PASSES = 4,            /* over all rules of a list */
    ROUNDS = 6,            /* of walks with the best list */
    ROUND_VISITS = 6 << 20 /* of nodes by all rounds, about */
};

#define FEW_BASES 0.2   /* rules for them count so much where hardly any is needed */
#define NEVER     1e100 /* costs of what does not end are above */

/* Nodes that no rule tells apart: what each use loses there against the optimum, by how often
 * strategies come to them. */
typedef struct sample {
    uint64_t look;
    uint32_t usable;       /* bits of the uses */
    double loss[USES + 1]; /* the last: a new base */
} sample;

typedef struct search {
    const craft_problem *problem;
    craft_values *values; /* to compute with */
    craft_values star;    /* of the optimum */
    double give;          /* what giving up costs there */
    uint64_t *look;       /* of nodes */
    double *visits;       /* of nodes, by the strategies walked so far */
    int uses, use[USES];  /* that the optimum makes */
    sample *sample;
    int samples;
    uint64_t *mask; /* combinations of conditions that samples have */
    int masks;
    double least; /* cost of the best list so far */
    lu_rng rng;
    lu_error *error;
} search;

/* Uses of the optimum where it comes; of more than there is room for, those that most items ask
 * for. */
static void find_uses(search *s, const craft_plan *best) {
    const craft_graph *g = s->problem->graph;
    uint32_t items[CRAFT_USES_MAX] = {0};
    craft_values_follow(s->values, best->policy, best->keep, true);
    for (uint32_t k = 0; k < s->values->reach.layer[CRAFT_LAYERS]; k++) {
        uint32_t node = s->values->reach.node[k], move = best->policy[node];
        bool real = (g->flags[node] & (CRAFT_NODE_REAL | CRAFT_NODE_GOAL)) == CRAFT_NODE_REAL;
        if (real && move != CRAFT_GIVE_UP) {
            items[g->move[move].use]++;
        }
    }
    for (int k = 0; k < g->uses; k++) {
        int more = 0; /* uses that come before it */
        for (int j = 0; j < g->uses; j++) {
            more += items[j] > items[k] || (items[j] == items[k] && j < k) ? 1 : 0;
        }
        if (items[k] > 0 && more < USES) {
            s->use[s->uses++] = k;
        }
    }
}

/* Adds how often walks from a node come to each, of which so many end well. */
static void walk_some(search *s, const craft_plan *plan, uint32_t from, double chance,
                      double often) {
    for (int k = 0; k < 2 * WALKS; k++) {
        bool well = k < WALKS;
        double weight = often * (well ? chance : 1.0 - chance) / WALKS;
        craft_path path = {.steps = 0};
        if (weight <= 0.0) {
            continue;
        }
        (void)craft_walk(s->problem, s->values, plan->policy, from, well, &s->rng, &path);
        s->visits[from] += weight;
        for (int step = 0; step < path.steps; step++) {
            s->visits[path.step[step].node] += weight;
        }
    }
}

/* Adds how often a strategy comes to each node, for one base: as often as the optimum needs them;
 * or for the start and the bases behind it. Values are its chances of success. */
static void walk_along(search *s, const craft_plan *plan, double bases) {
    uint32_t start = s->problem->graph->start;
    if (start == 0) {
        walk_some(s, plan, 0, plan->success, plan->success > 0.0 ? bases / plan->success : 1.0);
        return;
    }
    walk_some(s, plan, start, plan->start_success, 1.0);
    if (plan->success > 0.0) {
        double behind = (1.0 - plan->start_success) / plan->success;
        walk_some(s, plan, 0, plan->success, behind > FEW_BASES ? behind : FEW_BASES);
    }
}

static void fill_sample(const search *s, sample *one, uint32_t node) {
    const craft_graph *g = s->problem->graph;
    double best = s->star.v[node], weight = s->visits[node];
    double sold = s->problem->sale ? s->problem->sale[node] : 0.0;
    *one = (sample){.look = s->look[node]};
    one->loss[USES] = weight * (s->give - sold - best);
    for (uint32_t m = 0; m < g->moves[node]; m++) {
        const craft_move *move = &g->move[g->move_at[node] + m];
        for (int k = 0; k < s->uses; k++) {
            if (s->use[k] == move->use) {
                double value = craft_move_cost(&s->star, node, move, s->problem->price[move->use]);
                one->loss[k] = weight * (value - best);
                one->usable |= 1u << k;
            }
        }
    }
}

static int by_look(const void *a, const void *b) {
    const sample *x = a, *y = b;
    return x->look != y->look ? (x->look > y->look) - (x->look < y->look)
                              : (x->usable > y->usable) - (x->usable < y->usable);
}

/* All nodes that were walked through, those together that no rule tells apart. */
static void take_samples(search *s) {
    const craft_graph *g = s->problem->graph;
    size_t count = 0, kept = 0;
    free(s->sample);
    for (uint32_t k = 0; k < g->queued; k++) {
        count += s->visits[g->queue[k]] > 0.0 ? 1 : 0;
    }
    sample *all = s->sample = lu_alloc((count + 1) * sizeof *all);
    count = 0;
    for (uint32_t k = 0; k < g->queued; k++) { /* in the order of the queue: sums stay the same */
        uint32_t node = g->queue[k];
        if (s->visits[node] > 0.0 && !(g->flags[node] & CRAFT_NODE_GOAL)) {
            fill_sample(s, &all[count++], node);
        }
    }
    qsort(all, count, sizeof *all, by_look);
    for (size_t k = 0; k < count; k++) {
        if (kept > 0 && by_look(&all[kept - 1], &all[k]) == 0) {
            for (int use = 0; use <= USES; use++) {
                all[kept - 1].loss[use] += all[k].loss[use];
            }
        } else {
            all[kept++] = all[k];
        }
    }
    s->samples = (int)kept;
}

/* Combinations of a rarity and up to two further conditions that some sample has. */
static void list_masks(search *s) {
    uint64_t any = 0;
    s->masks = 0;
    for (int k = 0; k < s->samples; k++) {
        any |= s->sample[k].look;
    }
    for (int rarity = IS_NORMAL; rarity <= IS_RARE; rarity++) {
        for (int a = IS_RARE; a < CONDITIONS && any & BIT(rarity); a++) {
            bool alone = a == IS_RARE; /* stands for no condition */
            for (int b = a; b < CONDITIONS && s->masks < MASKS; b++) {
                bool single = b == a;
                bool held = (alone || any & BIT(a)) && (single || any & BIT(b));
                if (held && !(alone && !single)) {
                    uint64_t mask = BIT(rarity) | (alone ? 0 : BIT(a)) | (single ? 0 : BIT(b));
                    s->mask[s->masks++] = mask;
                }
            }
        }
    }
}

/* What a list does at a sample from a rule on: a place among the uses. */
static int choice_at(const craft_short *rules, const sample *one, int from, int to) {
    for (int at = from; at < to; at++) {
        int use = rules->rule[at].use;
        uint64_t wanted = rules->rule[at].wanted;
        if (use >= 0 && (one->look & wanted) == wanted && one->usable >> use & 1) {
            return use;
        }
    }
    return to == CRAFT_SHORT_RULES ? USES : -1;
}

/* What a list loses over all samples. */
static double loss_of(const search *s, const craft_short *rules) {
    double sum = 0.0;
    for (int k = 0; k < s->samples; k++) {
        sum += s->sample[k].loss[choice_at(rules, &s->sample[k], 0, CRAFT_SHORT_RULES)];
    }
    return sum;
}

/* A rule, and what it gains. */
typedef struct bid {
    craft_short_rule rule;
    double gain;
} bid;

/* The best use under some conditions; `after`: what the rules behind lose, below 0: those before
 * take it. */
static bid bid_for(const search *s, uint64_t mask, const double *after) {
    double gain[USES] = {0.0};
    bid best = {.rule = {.use = -1}};
    for (int k = 0; k < s->samples; k++) {
        const sample *one = &s->sample[k];
        if ((one->look & mask) == mask && after[k] >= 0.0) {
            for (int use = 0; use < s->uses; use++) {
                gain[use] += one->usable >> use & 1 ? after[k] - one->loss[use] : 0.0;
            }
        }
    }
    for (int use = 0; use < s->uses; use++) {
        if (gain[use] > best.gain) {
            best = (bid){{.use = use, .wanted = mask}, gain[use]};
        }
    }
    return best;
}

/* Keeps the best bids, falling. */
static void take_bid(bid *best, const bid *one) {
    int at = BEAM;
    while (at > 0 && one->gain > best[at - 1].gain) {
        at--;
    }
    if (at < BEAM && one->gain > 0.0) {
        memmove(&best[at + 1], &best[at], (size_t)(BEAM - 1 - at) * sizeof *best);
        best[at] = *one;
    }
}

/* The rule at one place that loses least, with the others as they are: of all with a rarity and two
 * conditions, and of the best of those with one more. */
static void improve(const search *s, craft_short *rules, int at) {
    double *after = lu_alloc(((size_t)s->samples + 1) * sizeof *after);
    bid best[BEAM] = {{{0}, 0.0}}, more[BEAM] = {{{0}, 0.0}};
    for (int k = 0; k < s->samples; k++) {
        const sample *one = &s->sample[k];
        bool before = choice_at(rules, one, 0, at) >= 0;
        int next = choice_at(rules, one, at + 1, CRAFT_SHORT_RULES);
        after[k] = before ? -1.0 : one->loss[next];
    }
    for (int m = 0; m < s->masks; m++) {
        bid one = bid_for(s, s->mask[m], after);
        take_bid(best, &one);
    }
    for (int k = 0; k < BEAM && best[k].gain > 0.0; k++) {
        for (int c = IS_RARE + 1; c < CONDITIONS; c++) {
            bid one = bid_for(s, best[k].rule.wanted | BIT(c), after);
            take_bid(more, &one);
        }
    }
    const bid *taken = more[0].gain > best[0].gain * 1.001 ? &more[0] : &best[0];
    rules->rule[at] = taken->gain > 0.0 ? taken->rule : (craft_short_rule){.use = -1};
    free(after);
}

/* The policy of a list over all nodes. */
static void follow_rules(const search *s, const craft_short *rules, craft_plan *plan) {
    const craft_graph *g = s->problem->graph;
    for (uint32_t node = 0; node < g->table.count; node++) {
        plan->policy[node] = CRAFT_GIVE_UP;
        for (int at = 0; at < CRAFT_SHORT_RULES && plan->policy[node] == CRAFT_GIVE_UP; at++) {
            const craft_short_rule *rule = &rules->rule[at];
            bool fits = rule->use >= 0 && (s->look[node] & rule->wanted) == rule->wanted;
            for (uint32_t m = 0; fits && m < g->moves[node]; m++) {
                if ((int)g->move[g->move_at[node] + m].use == s->use[rule->use]) {
                    plan->policy[node] = g->move_at[node] + m;
                }
            }
        }
    }
}

/* Improves a list over the samples, rule by rule, until nothing is gained. */
static double improve_list(const search *s, craft_short *rules, const int *order) {
    double before, now = loss_of(s, rules);
    int pass = 0;
    do {
        before = now;
        for (int k = 0; k < CRAFT_SHORT_RULES; k++) {
            improve(s, rules, order[k]);
        }
        now = loss_of(s, rules);
    } while (++pass < PASSES && now < before * (1.0 - 1e-4));
    return now;
}

/* The best of several searches: from the list as it is, and from none by several orders. */
static void search_list(const search *s, craft_short *rules) {
    static const int orders[][CRAFT_SHORT_RULES] = {
        {4, 3, 2, 1, 0}, {0, 1, 2, 3, 4}, {2, 4, 0, 3, 1}, {3, 1, 4, 2, 0},
        {1, 0, 3, 4, 2}, {0, 4, 1, 3, 2}, {4, 0, 2, 1, 3}, {2, 1, 0, 4, 3}};
    enum { ORDERS = sizeof orders / sizeof *orders };
    const craft_problem *problem = s->problem;
    craft_short best = *rules;
    double least = improve_list(s, &best, orders[0]);
    for (int k = 0; k < ORDERS; k++) {
        if (problem->progress) {
            problem->progress(problem->user, (double)k / ORDERS, "looking for rules");
        }
        craft_short list = {.evaluated = rules->evaluated};
        for (int at = 0; at < CRAFT_SHORT_RULES; at++) {
            list.rule[at].use = -1;
        }
        double loss = improve_list(s, &list, orders[k]);
        if (loss < least * (1.0 - 1e-9)) {
            least = loss;
            best = list;
        }
    }
    *rules = best;
}

static void begin(search *s, const craft_plan *best, const double *optimal) {
    const craft_graph *g = s->problem->graph;
    uint8_t *hope = hopeful_nodes(g);
    s->look = lu_alloc((g->table.count + 1) * sizeof *s->look);
    s->visits = lu_alloc_zero(g->table.count + 1, sizeof *s->visits);
    s->mask = lu_alloc(MASKS * sizeof *s->mask);
    for (uint32_t node = 0; node < g->table.count; node++) {
        s->look[node] = look_at(g, node, hope[node]);
    }
    free(hope);
    craft_values_init(&s->star, g);
    memcpy(s->star.v, optimal, g->table.count * sizeof *optimal);
    craft_values_draws(&s->star, s->problem->pool);
    find_uses(s, best);
}

static void end(search *s) {
    craft_values_free(&s->star);
    free(s->look);
    free(s->visits);
    free(s->sample);
    free(s->mask);
}

/* Whether a strategy ends: from the start alone, or by new bases. */
static bool is_a_way(const craft_plan *plan) {
    return plan->from < NEVER;
}

/* Evaluates a list over the graph; it is kept if it is the best so far. */
static lu_status try_list(search *s, craft_short *list, craft_short *kept, craft_plan *plan) {
    follow_rules(s, list, plan);
    lu_status status = craft_evaluate(s->problem, s->values, plan, s->error);
    list->evaluated++;
    if (status == LU_OK && is_a_way(plan) && plan->from < s->least) {
        s->least = plan->from;
        *kept = *list;
    }
    return status;
}

/* A list that is known to do, with its uses as places among those of the search. */
static craft_short known_list(search *s, const craft_short *known) {
    craft_short list = {.evaluated = 0};
    for (int at = 0; at < CRAFT_SHORT_RULES; at++) {
        int use = known ? known->rule[at].use : -1, place = 0;
        while (place < s->uses && s->use[place] != use) {
            place++;
        }
        if (use >= 0 && place == s->uses && s->uses < USES) {
            s->use[s->uses++] = use;
        }
        bool there = use >= 0 && place < s->uses;
        list.rule[at] = (craft_short_rule){.use = there ? place : -1,
                                           .wanted = there ? known->rule[at].wanted : 0};
    }
    return list;
}

/* Walks, searches and evaluates in turn; the best list so far is kept. */
static lu_status find_list(search *s, craft_plan *walked, const craft_short *known,
                           craft_short *kept, craft_plan *plan) {
    uint32_t nodes = s->problem->graph->table.count + 1;
    int rounds = ROUND_VISITS / (int)nodes / 16 + 2;
    craft_short list = known_list(s, known);
    lu_status status = craft_evaluate(s->problem, s->values, walked, s->error);
    *kept = known_list(s, NULL);
    if (status == LU_OK) {
        walk_along(s, walked, walked->success);
    }
    if (status == LU_OK && known) {
        status = try_list(s, &list, kept, plan);
    }
    for (int round = 0; round < rounds && round < ROUNDS && status == LU_OK; round++) {
        if (list.evaluated > 0 && is_a_way(plan)) {
            walk_along(s, plan, walked->success);
        }
        take_samples(s);
        list_masks(s);
        craft_short before = list;
        search_list(s, &list);
        if (memcmp(before.rule, list.rule, sizeof list.rule) == 0) {
            break;
        }
        status = try_list(s, &list, kept, plan);
    }
    if (status == LU_OK) {
        follow_rules(s, kept, plan);
        status = craft_evaluate(s->problem, s->values, plan, s->error);
    }
    kept->evaluated = list.evaluated;
    return status;
}

/* Rules of different rarities never meet: normal items come first, then magic, then rare ones. */
static void order_rules(craft_short *rules) {
    craft_short sorted = {.evaluated = rules->evaluated};
    int count = 0;
    for (int rarity = IS_NORMAL; rarity <= IS_RARE; rarity++) {
        for (int at = 0; at < CRAFT_SHORT_RULES; at++) {
            const craft_short_rule *rule = &rules->rule[at];
            if (rule->use >= 0 && rule->wanted & BIT(rarity)) {
                sorted.rule[count++] = *rule;
            }
        }
    }
    while (count < CRAFT_SHORT_RULES) {
        sorted.rule[count++].use = -1;
    }
    *rules = sorted;
}

lu_status craft_short_find(craft_short *rules, const craft_problem *problem, craft_values *values,
                           const craft_plan *best, const double *optimal, const craft_short *known,
                           craft_plan *plan, lu_error *error) {
    const craft_graph *g = problem->graph;
    search s = {.problem = problem, .values = values, .rng = lu_rng_from(1), .error = error};
    s.least = CRAFT_NEVER_COST;
    craft_plan walked = *best;
    s.give = problem->base + best->fresh;
    craft_plan_init(plan, g);
    if (plan->keep) { /* of a reveal what the optimum keeps */
        memcpy(plan->keep, best->keep, g->rows * sizeof *plan->keep);
    }
    begin(&s, best, optimal);
    lu_status status = find_list(&s, &walked, known, rules, plan);
    for (int at = 0; at < CRAFT_SHORT_RULES; at++) { /* from places to uses of the graph */
        int place = rules->rule[at].use;
        rules->rule[at].use = place < 0 ? -1 : s.use[place];
    }
    order_rules(rules);
    plan->possible = is_a_way(plan);
    plan->upper = plan->from;
    end(&s);
    return status;
}

/* ---- words ---- */

void craft_short_condition(const craft_short *rules, int at, const craft_target *target, char *text,
                           int room) {
    uint64_t wanted = rules->rule[at].wanted;
    size_t used = 0;
    *text = '\0';
    for (int k = 0; k < CONDITIONS; k++) {
        bool need = k >= HAS_NEED;
        int which = k >= LACKS_NEED ? k - LACKS_NEED : k - HAS_NEED;
        if (wanted >> k & 1 && used < (size_t)room) {
            const char *between = used > 0 ? ", " : "";
            int wrote = need
                            ? snprintf(text + used, (size_t)room - used, "%s%s '%s'", between,
                                       k >= LACKS_NEED ? "without" : "with", target->need[which].id)
                            : snprintf(text + used, (size_t)room - used, "%s%s", between, texts[k]);
            used += wrote > 0 ? (size_t)wrote : 0;
        }
    }
}
