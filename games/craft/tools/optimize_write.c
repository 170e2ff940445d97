/* The answer of `ludus craft optimize`: one JSON document, and the words that people read. */
#include "names.h"
#include "optimize.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { ITEMS = 64 };

/* Expected uses by item: currencies, essences, omens, bases. */
typedef struct item_uses {
    int count;
    struct {
        const char *item;
        double uses, cost;
    } row[ITEMS];
} item_uses;

static void add_item(item_uses *list, const char *item, double uses, double price) {
    int k = 0;
    while (k < list->count && strcmp(list->row[k].item, item) != 0) {
        k++;
    }
    if (k == ITEMS) {
        return;
    }
    if (k == list->count) {
        list->count++;
        list->row[k].item = item;
        list->row[k].uses = list->row[k].cost = 0.0;
    }
    list->row[k].uses += uses;
    list->row[k].cost += uses * price;
}

static item_uses items_of(const optimize_answer *a, const optimize_strategy *s) {
    item_uses list = {.count = 0};
    const craft_prices *prices = &a->ask->prices;
    add_item(&list, "white_base", s->tally.bases, a->problem->base);
    for (int k = 0; k < a->graph->uses; k++) {
        const craft_use *use = &a->graph->use[k];
        for (int part = 0; part <= use->omens && s->tally.uses[k] > 0.0; part++) {
            const char *item = part == 0 ? use->item : use->omen[part - 1];
            if (!craft_is_free(item)) {
                add_item(&list, item, s->tally.uses[k], craft_priced(prices, item));
            }
        }
    }
    return list;
}

/* ---- the target ---- */

void optimize_write_want(lu_json *json, const optimize_ask *ask, const char *understood) {
    lu_json_key(json, "target");
    optimize_write_target(json, &ask->want.target, ask->pack);
    lu_json_key_string(json, "understood", understood);
    lu_json_key_array(json, "unparsed");
    for (int k = 0; k < ask->want.unparsed_count; k++) {
        lu_json_object(json);
        lu_json_key_string(json, "text", ask->want.unparsed[k].text);
        if (*ask->want.unparsed[k].nearest) {
            lu_json_key_string(json, "nearest", ask->want.unparsed[k].nearest);
        }
        lu_json_object_end(json);
    }
    lu_json_array_end(json);
}

static void write_asked(lu_json *json, const optimize_ask *ask, const char *understood) {
    lu_json_key_string(json, "schema", "ludus.craft.result/1");
    lu_json_key_string(json, "base", ask->pack->bases[ask->pool.base].name);
    lu_json_key_int(json, "ilvl", ask->pool.ilvl);
    lu_json_key_string(json, "ruleset", ask->pack->about.name);
    lu_json_key_object(json, "prices");
    lu_json_key_string(json, "date", ask->price_date);
    lu_json_key_string(json, "unit", ask->unit_name);
    lu_json_object_end(json);
    optimize_write_want(json, ask, understood);
    optimize_write_item(json, ask);
}

/* ---- one strategy ---- */

static void write_quantiles(lu_json *json, const optimize_answer *a, const craft_tally *t) {
    static const char *const names[CRAFT_QUANTILES] = {"p10", "p25", "p50", "p75", "p90", "p99"};
    lu_json_key_object(json, "cost_quantiles");
    for (int k = 0; k < CRAFT_QUANTILES; k++) {
        lu_json_key_real(json, names[k], t->quantile[k] / a->ask->unit);
    }
    lu_json_object_end(json);
    if (a->ask->budget > 0.0) {
        lu_json_key_real(json, "within_budget", t->within);
    }
}

static void write_distribution(lu_json *json, const optimize_answer *a, const craft_tally *t) {
    lu_json_key_object(json, "cost_distribution");
    lu_json_key_real(json, "from", t->bin_from / a->ask->unit);
    lu_json_key_real(json, "to", t->bin_to / a->ask->unit);
    lu_json_key_string(json, "bins", "log");
    lu_json_key_array(json, "share");
    for (int k = 0; k < CRAFT_BINS; k++) {
        lu_json_real(json, t->bin[k]);
    }
    lu_json_array_end(json);
    lu_json_object_end(json);
}

static const char *mod_name(const optimize_answer *a, uint16_t mod) {
    uint16_t entry = craft_sort_at(a->graph->sorts, mod)->entry;
    const craft_pool *pool = &a->ask->pool;
    return entry == CRAFT_NO_ENTRY ? "unrevealed" : a->ask->pack->mods[pool->entry[entry].mod].id;
}

#define RENEWED "[\"white_base\",[]]" /* the first step where the item is given up */

static void write_path(lu_json *json, const optimize_answer *a, const craft_path *path,
                       const char *rank) {
    lu_json_object(json);
    lu_json_key_string(json, "rank", rank);
    double paid = path->renewed ? a->problem->base : a->problem->first;
    lu_json_key_real(json, "cost_of_last_base", (path->cost + paid) / a->ask->unit);
    lu_json_key_array(json, "steps");
    if (path->renewed) {
        lu_json_raw(json, RENEWED, sizeof RENEWED - 1);
    }
    for (int k = 0; k < path->steps; k++) {
        const craft_set *set = &a->graph->table.set[path->step[k].node];
        lu_json_array(json);
        lu_json_string(json, a->graph->use[path->step[k].use].name);
        lu_json_array(json);
        for (int m = 0; m < set->count; m++) {
            lu_json_string(json, mod_name(a, set->mod[m]));
        }
        lu_json_array_end(json);
        lu_json_array_end(json);
    }
    lu_json_array_end(json);
    lu_json_object_end(json);
}

static const char *const ranks[CRAFT_PATHS] = {"cheap", "median", "unlucky"};

static void write_rules(lu_json *json, const optimize_answer *a, const craft_short *rules) {
    lu_json_key_array(json, "rules");
    for (int k = 0; k < CRAFT_SHORT_RULES; k++) {
        char text[160];
        if (rules->rule[k].use >= 0) {
            craft_short_condition(rules, k, &a->ask->want.target, text, sizeof text);
            lu_json_object(json);
            lu_json_key_string(json, "if", text);
            lu_json_key_string(json, "do", a->graph->use[rules->rule[k].use].name);
            lu_json_object_end(json);
        }
    }
    lu_json_object(json);
    lu_json_key_string(json, "if", "else");
    lu_json_key_string(json, "do", "white_base");
    lu_json_object_end(json);
    lu_json_array_end(json);
}

static void write_uses(lu_json *json, const item_uses *items) {
    lu_json_key_object(json, "uses");
    for (int k = 0; k < items->count; k++) {
        lu_json_key_real(json, items->row[k].item, items->row[k].uses);
    }
    lu_json_object_end(json);
}

enum { REASONS = 3 };

/* Why a strategy is as it is, in words; how many there are. */
static int reasons_of(const optimize_answer *a, const optimize_strategy *s, const item_uses *items,
                      char text[REASONS][200]) {
    double total = s->plan.from + a->problem->first;
    int dearest = 0, count = 0;
    if (total <= 0.0) {
        snprintf(text[0], 200, "nothing is left to pay for");
        return 1;
    }
    for (int k = 0; k < items->count; k++) {
        dearest = items->row[k].cost > items->row[dearest].cost ? k : dearest;
    }
    snprintf(text[count++], 200, "%.4g%% of bases are abandoned: a new one costs %s %s",
             100.0 * (1.0 - s->plan.success),
             craft_say_figure(a->problem->base / a->ask->unit).text, a->ask->unit_name);
    snprintf(text[count++], 200, "%s makes up %.3g%% of the cost, %s uses",
             craft_title(a->ask->pack, items->row[dearest].item),
             100.0 * items->row[dearest].cost / total,
             craft_say_figure(items->row[dearest].uses).text);
    if (a->add_only > total * (1.0 + 1e-9)) {
        snprintf(text[count++], 200, "never removing a modifier would cost at least %s %s",
                 craft_say_figure(a->add_only / a->ask->unit).text, a->ask->unit_name);
    } else if (a->add_only > 0.0) {
        snprintf(text[count++], 200, "removing modifiers would not make it cheaper");
    }
    return count;
}

static void write_why(lu_json *json, const optimize_answer *a, const optimize_strategy *s,
                      const item_uses *items) {
    char text[REASONS][200];
    int count = reasons_of(a, s, items, text);
    lu_json_key_array(json, "why");
    for (int k = 0; k < count; k++) {
        lu_json_string(json, text[k]);
    }
    lu_json_array_end(json);
}

static const char *first_of(const optimize_answer *a, const optimize_strategy *s) {
    uint32_t move = s->plan.policy[a->graph->start];
    if (a->graph->flags[a->graph->start] & CRAFT_NODE_GOAL) {
        return "stop";
    }
    return move == CRAFT_GIVE_UP ? "white_base" : a->graph->use[a->graph->move[move].use].name;
}

/* Below which no strategy can be where nothing is proven: the bound of a relaxation, else a base
 * and the cheapest of all uses. */
static double least_cost(const optimize_answer *a) {
    const craft_choice *choice = &a->ask->choice;
    double least = a->strategy->plan.from;
    for (int k = 0; k < choice->uses; k++) {
        least = choice->use[k].price > 0.0 ? fmin(least, choice->use[k].price) : least;
    }
    return fmax(least, a->below) + a->problem->first;
}

/* Of the best cost there is; of another strategy its own, which is computed exactly. */
static void write_bounds(lu_json *json, const optimize_answer *a, const optimize_strategy *s) {
    double unit = a->ask->unit, base = a->problem->first;
    bool best = s == a->strategy;
    lu_json_key_array(json, "cost_bounds");
    lu_json_real(json, s->proven ? (s->plan.lower + base) / unit
                       : best    ? least_cost(a) / unit
                                 : (s->plan.from + base) / unit);
    lu_json_real(json, ((s->proven ? s->plan.upper : s->plan.from) + base) / unit);
    lu_json_array_end(json);
    if (best && !s->proven) {
        lu_json_key_string(json, "lower_bound",
                           a->below > 0.0 ? a->below_how : "trivial: a base and the cheapest use");
    }
}

/* What a strategy costs above the optimum, as a share of that; where nothing is left to pay, 0. */
static double gap_of(const optimize_answer *a, const optimize_strategy *s) {
    double best = optimize_cost(a, a->strategy);
    return best != 0.0 ? optimize_cost(a, s) / best - 1.0 : 0.0;
}

static void write_strategy(lu_json *json, const optimize_answer *a, const optimize_strategy *s) {
    item_uses items = items_of(a, s);
    double cost = s->plan.from + a->problem->first;
    lu_json_object(json);
    lu_json_key_string(json, "name", s->name);
    lu_json_key_string(json, "kind", s->kind);
    lu_json_key_string(json, "method", "exact");
    lu_json_key_real(json, "expected_cost", cost / a->ask->unit);
    write_bounds(json, a, s);
    if (s != a->strategy) {
        lu_json_key_real(json, "gap", gap_of(a, s));
    }
    lu_json_key_real(json, "success_probability", 1.0);
    lu_json_key_real(json, "success_per_base", s->plan.success);
    lu_json_key_real(json, "expected_bases", s->tally.bases);
    write_quantiles(json, a, &s->tally);
    write_distribution(json, a, &s->tally);
    write_uses(json, &items);
    optimize_write_sensitivity(json, a, s);
    if (s == a->strategy) {
        optimize_write_spread(json, a);
    }
    lu_json_key_string(json, "first_action", first_of(a, s));
    if (s->rules) {
        write_rules(json, a, s->rules);
    }
    lu_json_key_array(json, "paths");
    for (int k = 0; k < CRAFT_PATHS; k++) {
        write_path(json, a, &s->tally.path[k], ranks[k]);
    }
    lu_json_array_end(json);
    write_why(json, a, s, &items);
    lu_json_object_end(json);
}

/* ---- words ---- */

static void say(lu_json *words, lu_text *line) {
    lu_json_string(words, line->text);
    lu_text_clear(line);
}

static void say_path(lu_text *line, const optimize_answer *a, const craft_path *path) {
    lu_text_add(line, path->renewed ? "white base -> " : "");
    for (int k = 0; k < path->steps; k++) {
        craft_say_use(line, a->ask->pack, a->graph->use[path->step[k].use].name);
        lu_text_add(line, " -> ");
    }
    lu_text_add(line, "stop");
}

/* What the optimum takes, and why. */
static void say_uses(lu_json *words, lu_text *line, const optimize_answer *a,
                     const optimize_strategy *s) {
    item_uses items = items_of(a, s);
    char text[REASONS][200];
    int count = reasons_of(a, s, &items, text);
    const char *before = "  uses: ";
    for (int k = 0; k < items.count; k++) {
        if (items.row[k].uses > 0.0) {
            lu_text_addf(line, "%s%s %s", before, craft_title(a->ask->pack, items.row[k].item),
                         craft_say_figure(items.row[k].uses).text);
            before = ", ";
        }
    }
    say(words, line);
    for (int k = 0; k < count; k++) {
        lu_text_addf(line, "  why: %s", text[k]);
        say(words, line);
    }
}

static void say_strategy(lu_json *words, lu_text *line, const optimize_answer *a,
                         const optimize_strategy *s) {
    double unit = a->ask->unit, base = a->problem->first;
    lu_text_addf(line, "%s: %s %s, %s base%s, half of all within %s, 9 of 10 within %s",
                 s->rules           ? "With six rules"
                 : s == a->strategy ? "Optimum"
                                    : "Few bases",
                 craft_say_figure((s->plan.from + base) / unit).text, a->ask->unit_name,
                 craft_say_figure(s->tally.bases).text,
                 strcmp(craft_say_figure(s->tally.bases).text, "1") == 0 ? "" : "s",
                 craft_say_figure(s->tally.quantile[2] / unit).text,
                 craft_say_figure(s->tally.quantile[4] / unit).text);
    if (a->ask->budget > 0.0) {
        lu_text_addf(line, ", %.4g%% within the budget of %s", 100.0 * s->tally.within,
                     craft_say_figure(a->ask->budget / unit).text);
    }
    if (s != a->strategy) {
        lu_text_addf(line, ", %.3g%% above the optimum", 100.0 * gap_of(a, s));
    } else {
        lu_text_addf(line, " (%s)", s->proven ? "optimal" : "best found");
    }
    say(words, line);
    if (s == a->strategy && optimize_cost(a, s) > 0.0) {
        say_uses(words, line, a, s);
    }
    for (int k = 0; s->rules && k < CRAFT_SHORT_RULES; k++) {
        char text[160];
        if (s->rules->rule[k].use >= 0) {
            craft_short_condition(s->rules, k, &a->ask->want.target, text, sizeof text);
            lu_text_addf(line, "  %s: ", text);
            craft_say_use(line, a->ask->pack, a->graph->use[s->rules->rule[k].use].name);
            say(words, line);
        }
    }
    if (s->rules) {
        lu_text_add(line, "  else: a new base");
        say(words, line);
    }
}

static void say_left_out(lu_json *words, lu_text *line, const optimize_answer *a) {
    const craft_choice *choice = &a->ask->choice;
    for (int k = 0; k < choice->unpriced; k++) {
        lu_text_addf(line, "%s%s", k == 0 ? "Left out for lack of a price: " : ", ",
                     craft_title(a->ask->pack, choice->without_price[k]));
    }
    if (choice->unpriced > 0) {
        say(words, line);
    }
    for (int k = 0; k < a->drops; k++) {
        lu_text_addf(line, "%s%s",
                     k == 0 ? "Left out because it takes too much memory or time: " : ", ",
                     craft_title(a->ask->pack, a->dropped[k]));
    }
    if (a->drops > 0) {
        say(words, line);
    }
}

static void write_words(lu_json *json, const optimize_answer *a, const char *understood) {
    lu_text line;
    lu_text_init(&line);
    lu_json_key_array(json, "words");
    if (a->strategies > 0) {
        lu_text_addf(&line, "Best strategy: expected cost %s %s, success 100%%, path ",
                     craft_say_figure(optimize_cost(a, a->strategy) / a->ask->unit).text,
                     a->ask->unit_name);
        say_path(&line, a, &a->strategy->tally.path[1]);
    } else {
        lu_text_add(&line, "No sequence of the allowed actions makes this item");
    }
    say(json, &line);
    lu_text_addf(&line, "Target on %s, item level %d: %s",
                 a->ask->pack->bases[a->ask->pool.base].name, (int)a->ask->pool.ilvl, understood);
    say(json, &line);
    say_left_out(json, &line, a);
    for (int k = 0; k < a->strategies; k++) {
        say_strategy(json, &line, a, &a->strategy[k]);
    }
    optimize_say_beside(json, a);
    lu_text_addf(&line, "Prices of %s; weights are community estimates", a->ask->price_date);
    say(json, &line);
    lu_json_array_end(json);
    lu_text_free(&line);
}

/* ---- the whole ---- */

static void write_names(lu_json *json, const char *key, const char *const *names, int count) {
    lu_json_key_array(json, key);
    for (int k = 0; k < count; k++) {
        lu_json_string(json, names[k]);
    }
    lu_json_array_end(json);
}

static void write_strategies(lu_json *json, const optimize_answer *a) {
    lu_json_key_array(json, "strategies");
    for (int k = 0; k < a->strategies; k++) {
        write_strategy(json, a, &a->strategy[k]);
    }
    lu_json_array_end(json);
    if (a->strategies == 0) {
        return;
    }
    const optimize_strategy *best = a->strategy;
    lu_json_key(json, "strategy");
    write_strategy(json, a, best);
    char chaos[] = "chaos_orb";
    double rate = craft_priced(&a->ask->prices, chaos);
    if (rate > 0.0) {
        lu_json_key_real(json, "expected_cost_chaos", (best->plan.from + a->problem->first) / rate);
    }
    write_distribution(json, a, &best->tally);
    lu_json_key_array(json, "example_paths");
    for (int p = 0; p < CRAFT_PATHS; p++) {
        const craft_path *path = &best->tally.path[p];
        lu_json_array(json);
        if (path->renewed) {
            lu_json_string(json, "white_base");
        }
        for (int k = 0; k < path->steps; k++) {
            lu_json_string(json, a->graph->use[path->step[k].use].name);
        }
        lu_json_array_end(json);
    }
    lu_json_array_end(json);
}

static void write_assumptions(lu_json *json, const optimize_ask *ask) {
    static const char *const always[] = {
        "weights are community estimates",
        "an attempt continues with new bases until the item is done",
        "values within a tier are rolled once; divine orbs are not used",
        "only essences for a requirement and the cheapest filler of each side are used"};
    lu_json_key_array(json, "assumptions");
    for (size_t k = 0; k < sizeof always / sizeof *always; k++) {
        lu_json_string(json, always[k]);
    }
    if (ask->sale.told) {
        lu_json_string(json, "abandoned items are sold at once for the given price");
    }
    lu_json_string(json, ask->pool.switches.flat_weights ? "weights=flat" : "weights=est");
    lu_json_string(json, ask->pool.switches.side_choice == CRAFT_POOLED ? "side_choice=pooled"
                                                                        : "side_choice=side_first");
    lu_json_array_end(json);
}

void optimize_write(lu_json *json, const optimize_answer *a) {
    lu_text understood;
    lu_text_init(&understood);
    craft_want_words(&a->ask->want.target, a->ask->pack, &understood);
    lu_json_object(json);
    write_asked(json, a->ask, understood.text);
    lu_json_key_bool(json, "feasible", a->strategies > 0);
    lu_json_key_string(json, "status",
                       a->strategies == 0 || a->strategy->proven ? "optimal" : "best found");
    lu_json_key_int(json, "states", a->graph->states);
    write_strategies(json, a);
    if (a->to_go && a->strategies > 0) {
        optimize_write_flow(json, a, a->walked);
        optimize_write_policy(json, a);
    }
    optimize_write_rivals(json, a);
    write_names(json, "without_price", a->ask->choice.without_price, a->ask->choice.unpriced);
    write_names(json, "left_out", a->ask->choice.left_out, a->ask->choice.not_taken);
    write_names(json, "dropped", a->dropped, a->drops);
    write_assumptions(json, a->ask);
    write_words(json, a, understood.text);
    lu_json_object_end(json);
    lu_text_free(&understood);
}
