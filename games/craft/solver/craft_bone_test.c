/* Tests of bones in the solver: chances by a ranking are those of all sets of options, the value of
 * a reveal is that of the best of each set, what is promised is what is played by the rules of the
 * game, and bones are used where they are the cheapest way. */
#include "craft_solved_test.h"

#include "solver/craft_reveal.h"
#include "solver/craft_short.h"

#define COLLARBONE "preserved_collarbone"
#define ECHOES     "omen_of_abyssal_echoes"

static const priced_use bones[] = {{"orb_of_transmutation", NULL, 0.01},
                                   {"regal_orb", NULL, 0.05},
                                   {"exalted_orb", NULL, 1.0},
                                   {"orb_of_annulment", NULL, 3.0},
                                   {"orb_of_annulment", "omen_of_light", 1.5},
                                   {COLLARBONE, NULL, 0.4},
                                   {COLLARBONE, "omen_of_dextral_necromancy", 0.9},
                                   {COLLARBONE, "omen_of_the_liege", 0.5},
                                   {"ancient_collarbone", "omen_of_sinistral_necromancy", 1.5},
                                   {CRAFT_REVEALS, NULL, 0.0},
                                   {CRAFT_REVEALS, ECHOES, 1.0}};

enum { BONES = sizeof bones / sizeof *bones, BEFORE_BONES = 5 };

/* A natural prefix, and a suffix that comes from bones alone. */
#define BELT                                                                                       \
    "{\"need\":[{\"any_of\":[{\"family\":\"IncreasedLife\",\"max_tier\":4}]},"                     \
    "{\"any_of\":[{\"mod\":\"AbyssModArmourJewelleryAmanamuSuffixStrengthAndIntelligence\"}]}]}"
#define BELT_NATURAL                                                                               \
    "{\"need\":[{\"any_of\":[{\"family\":\"IncreasedLife\",\"max_tier\":4}]},"                     \
    "{\"any_of\":[{\"family\":\"FireResistance\",\"min_value\":33}]}],\"open_suffix\":1}"

static solved *solve(const char *target, int uses, lu_pool *pool) {
    return solve_by(bones, uses, "Heavy Belt", target, pool, NULL, NULL);
}

/* ---- options ---- */

/* Options by a ranking of their entries. */
typedef struct told {
    const solved *s;
    const craft_move *move;
    uint32_t node;
    double chance[CRAFT_ENTRIES]; /* of an entry to be the best */
    double best;                  /* mean value of the best */
} told;

/* Value of an item that keeps an entry: the mean over its rolls. */
static double value_of(const told *t, int entry) {
    const craft_sorts *sorts = &t->s->sorts;
    craft_set set = t->s->graph.table.set[t->node], without;
    const craft_entry *e = &t->s->pool.entry[entry];
    int slot = craft_hidden_slot(sorts, &set), steps = e->ranges > 0 ? e->steps[0] : 1;
    double sum = 0.0;
    without = craft_set_without(&set, slot);
    for (int roll = 0; roll < steps; roll++) {
        int sort = craft_sort_of(sorts, entry, roll) | CRAFT_SET_DESECRATED;
        craft_set kept = craft_set_with(sorts, &without, (uint16_t)sort);
        craft_table *table = &((solved *)(uintptr_t)t->s)->graph.table;
        sum += t->s->values.v[craft_table_add(table, &kept)] / steps;
    }
    return sum;
}

static void take_best(void *user, const uint16_t *entry, int count, double chance) {
    told *t = user;
    int best = 0;
    for (int k = 1; k < count; k++) {
        best = value_of(t, entry[k]) < value_of(t, entry[best]) ? k : best;
    }
    t->best += chance * value_of(t, entry[best]);
    t->chance[entry[best]] += chance;
}

/* A reveal of the node by all sets of options. */
static void enumerate(told *t) {
    const craft_sorts *sorts = &t->s->sorts;
    const craft_set *set = &t->s->graph.table.set[t->node];
    uint16_t entry[CRAFT_MODS];
    int mods = 0, slot = craft_hidden_slot(sorts, set);
    const craft_sort *hidden = craft_sort_at(sorts, set->mod[slot]);
    craft_reveal reveal = {hidden->side, hidden->lord, hidden->floor};
    for (int k = 0; k < set->count; k++) {
        if (k != slot) {
            entry[mods++] = craft_sort_at(sorts, set->mod[k])->entry;
        }
    }
    craft_reveal_options(&t->s->pool, entry, mods, &reveal, take_best, t);
}

/* The value of nodes with a reveal is that of all sets of options; `keep` has the chances. */
static void check_reveals(solved *s, uint32_t every) {
    uint32_t checked = 0, seen = 0;
    for (uint32_t at = 0; at < s->graph.queued; at++) {
        uint32_t node = s->graph.queue[at];
        for (uint32_t m = 0; m < s->graph.moves[node]; m++) {
            const craft_move *move = &s->graph.move[s->graph.move_at[node] + m];
            if (move->rows == 0 || s->use[move->use].again || seen++ % every != 0) {
                continue;
            }
            told *t = lu_alloc_zero(1, sizeof *t);
            *t = (told){.s = s, .move = move, .node = node};
            enumerate(t);
            double value = craft_move_cost(&s->values, node, move, 0.0), sum = 0.0;
            CHECK_NEAR(value, t->best, 1e-9 * s->plan.fresh);
            CHECK(s->values.v[node] <= value * (1.0 + 1e-12));
            for (uint32_t row = 0; row < move->rows;) {
                const craft_option *option =
                    &s->graph.option[s->graph.row_option[move->first + row]];
                sum += fabs(s->values.keep[move->first + row]);
                row += option->parts;
            }
            CHECK_NEAR(sum, 1.0, 1e-12);
            checked++;
            free(t);
        }
    }
    CHECK(checked >= 20);
}

TEST(a_reveal_is_worth_the_best_of_each_set_of_options) {
    static const char *const targets[] = {BELT, BELT_NATURAL};
    with_few(true);
    for (int k = 0; k < 2; k++) {
        solved *s = solve(targets[k], BONES, NULL);
        CHECK(s->plan.possible);
        check_reveals(s, s->graph.queued / 400 + 1);
        done(s);
    }
    with_few(false);
}

/* Where few families are left, fewer than three options are offered. */
TEST(a_ranking_of_few_options_adds_up) {
    craft_switches switches = craft_switches_of(4);
    craft_offer offer = {.switches = &switches, .lord = CRAFT_LORD_AMANAMU};
    static const uint16_t order[] = {1, 0, 2};
    double chance[3] = {0.0};
    offer.of[0].weight = 100.0;
    offer.of[1].weight = 300.0;
    offer.of[0].family = offer.of[1].family = 4;
    offer.count = 2;
    craft_offer_rank(&offer, order, chance);
    CHECK_NEAR(chance[0], 0.25, 1e-15);
    CHECK_NEAR(chance[1], 0.75, 1e-15);
    offer.of[2].weight = 1.0; /* the lord's, always the first */
    offer.of[2].family = 5;
    offer.of[2].from_bone = 1;
    offer.of[2].lord = CRAFT_LORD_AMANAMU;
    offer.count = 3;
    craft_offer_rank(&offer, order, chance);
    CHECK_NEAR(chance[1], 0.75, 1e-15);
    CHECK_NEAR(chance[0], 0.25, 1e-15);
    CHECK_NEAR(chance[2], 0.0, 1e-15);
    static const uint16_t last[] = {2, 0, 1};
    craft_offer_rank(&offer, last, chance);
    CHECK_NEAR(chance[2], 1.0, 1e-15);
}

/* ---- the whole ---- */

TEST(bones_are_used_where_they_are_the_cheapest_way) {
    with_few(true);
    solved *with = solve(BELT_NATURAL, BONES, NULL), *without = solve(BELT_NATURAL, 4, NULL);
    craft_tally *tally = lu_alloc(sizeof *tally);
    lu_error error = {LU_OK, ""};
    double price = 0.0, hidden = 0.0;
    CHECK(with->plan.from < 0.9 * without->plan.from);
    CHECK(with->plan.lower > with->plan.fresh * (1.0 - 1e-6));
    CHECK(with->plan.lower <= with->plan.fresh && with->plan.fresh <= with->plan.upper);
    CHECK_INT(craft_tally_plan(tally, &with->problem, &with->values, &with->plan, 0.0, 3, &error),
              LU_OK);
    for (int k = 0; k < with->uses; k++) {
        price += tally->uses[k] * with->problem.price[k];
        hidden += k > BEFORE_BONES - 1 && k < BONES - 2 ? tally->uses[k] : 0.0;
    }
    CHECK(hidden > 0.1);
    CHECK_NEAR(price + tally->bases, with->plan.from + 1.0, 1e-8 * price);
    done(with);
    with = solve(BELT, BEFORE_BONES, NULL); /* what comes from bones alone */
    CHECK(!with->plan.possible);
    done(with);
    done(without);
    free(tally);
    with_few(false);
}

TEST(bones_are_solved_to_the_same_bits_by_three_threads) {
    lu_pool *pool = lu_pool_new(3);
    with_few(true);
    solved *one = solve(BELT, BONES, NULL), *three = solve(BELT, BONES, pool);
    CHECK(memcmp(&one->plan.fresh, &three->plan.fresh, sizeof(double)) == 0);
    CHECK(memcmp(one->plan.policy, three->plan.policy,
                 one->graph.table.count * sizeof(craft_policy)) == 0);
    CHECK(memcmp(one->plan.keep, three->plan.keep, one->graph.rows * sizeof(double)) == 0);
    done(one);
    done(three);
    with_few(false);
    lu_pool_delete(pool);
}

/* ---- promised against played ---- */

/* Keeps the option whose item costs least to go; may draw them again. */
static double keep_best(solved *s, craft_item *item, uint32_t node, int use, lu_rng *rng) {
    told t = {.s = s, .node = node};
    const craft_move *move = &s->graph.move[s->plan.policy[node]];
    double again = s->problem.price[use] + craft_move_cost(&s->values, node, move, 1e9);
    double cost = 0.0, least = CRAFT_NEVER_COST;
    int best = 0;
    for (int tries = 0; tries < 2; tries++) {
        best = 0;
        least = CRAFT_NEVER_COST;
        for (int k = 0; k < 3 && item->option[k]; k++) {
            double value = value_of(&t, item->option[k] - 1);
            best = value < least ? k : best;
            least = value < least ? value : least;
        }
        if (tries == 1 || !s->use[use].again || least <= again) {
            break;
        }
        CHECK_INT(craft_why(&s->pool, item, &s->effect[s->uses - 1]), CRAFT_USABLE);
        craft_apply(&s->pool, item, &s->effect[s->uses - 1], rng);
        cost += s->problem.price[use];
    }
    char name[] = "keep1";
    craft_effect keep;
    lu_error error = {LU_OK, ""};
    name[4] = (char)('1' + best);
    CHECK_INT(craft_effect_init(&keep, &s->pool, pack(), name, NULL, 0, &error), LU_OK);
    craft_apply(&s->pool, item, &keep, rng);
    return cost;
}

static double play(solved *s, lu_rng *rng, int *reveals, int *agains) {
    craft_item item = {.rarity = CRAFT_NORMAL};
    double cost = s->problem.first;
    while (!craft_fulfils(&s->goal, &s->pool, &item)) {
        craft_set set = craft_set_of(&s->sorts, &item);
        uint32_t count = s->graph.table.count, node = craft_table_add(&s->graph.table, &set);
        uint32_t move = node < count ? s->plan.policy[node] : CRAFT_GIVE_UP;
        CHECK(node < count);
        if (move == CRAFT_GIVE_UP) {
            item = (craft_item){.rarity = CRAFT_NORMAL};
            cost += s->problem.base;
            continue;
        }
        int use = s->graph.move[move].use;
        bool reveal = s->use[use].line == CRAFT_LINE_REVEAL;
        const craft_effect *effect = &s->effect[reveal ? s->uses - 2 : use];
        CHECK_INT(craft_why(&s->pool, &item, effect), CRAFT_USABLE);
        craft_apply(&s->pool, &item, effect, rng);
        cost += reveal ? 0.0 : s->problem.price[use];
        if (reveal && craft_is_choosing(&item)) {
            double more = keep_best(s, &item, node, use, rng);
            cost += more;
            ++*reveals;
            *agains += more > 0.0 ? 1 : 0;
        }
    }
    return cost;
}

TEST(what_bones_promise_is_what_is_played) {
    enum { PLAYS = 3000 };
    static const char *const targets[] = {BELT, BELT_NATURAL};
    with_few(true);
    for (int t = 0; t < 2; t++) {
        solved *s = solve(targets[t], BONES, NULL);
        craft_tally *tally = lu_alloc(sizeof *tally);
        lu_error error = {LU_OK, ""};
        lu_rng rng = lu_rng_from(11);
        double sum = 0.0, squares = 0.0, below = 0.0;
        int reveals = 0, agains = 0;
        double *kept = lu_alloc(PLAYS * sizeof *kept);
        for (int k = 0; k < PLAYS; k++) {
            kept[k] = play(s, &rng, &reveals, &agains);
            sum += kept[k] / PLAYS;
            squares += kept[k] * kept[k] / PLAYS;
        }
        double off = sqrt((squares - sum * sum) / PLAYS);
        CHECK(fabs(sum - s->plan.from - s->problem.first) < 4.0 * off);
        CHECK(reveals > PLAYS / 10);
        CHECK_INT(craft_tally_plan(tally, &s->problem, &s->values, &s->plan, 0.0, 3, &error),
                  LU_OK);
        for (int k = 0; k < PLAYS; k++) {
            below += kept[k] <= tally->quantile[2] ? 1.0 / PLAYS : 0.0;
        }
        CHECK_NEAR(below, 0.5, 0.04);
        /* uses of the omen, by plays */
        CHECK(fabs((double)agains / PLAYS - tally->uses[BONES - 1]) <
              0.05 + 0.1 * tally->uses[BONES - 1]);
        free(tally);
        free(kept);
        done(s);
    }
    with_few(false);
}

/* All becomes unrevealed and the item final; a fractured modifier stays. */
TEST(what_putrefaction_promises_is_what_is_played) {
    enum { PLAYS = 3000 };
    static const priced_use rot[] = {
        {"orb_of_transmutation", NULL, 0.01}, {"regal_orb", NULL, 0.05},
        {"exalted_orb", NULL, 1.0},           {COLLARBONE, "omen_of_putrefaction", 0.4},
        {CRAFT_REVEALS, NULL, 0.0},           {CRAFT_REVEALS, ECHOES, 1.0}};
    static const char target[] =
        "{\"need\":[{\"any_of\":[{\"family\":\"IncreasedLife\",\"max_tier\":4}]},"
        "{\"any_of\":[{\"family\":\"FireResistance\",\"min_value\":33}]}]}";
    with_few(true);
    solved *s = solve_by(rot, 6, "Heavy Belt", target, NULL, NULL, NULL);
    solved *without = solve_by(rot, 3, "Heavy Belt", target, NULL, NULL, NULL);
    lu_rng rng = lu_rng_from(17);
    double sum = 0.0, squares = 0.0;
    int reveals = 0, agains = 0;
    for (int k = 0; k < PLAYS; k++) {
        double cost = play(s, &rng, &reveals, &agains);
        sum += cost / PLAYS;
        squares += cost * cost / PLAYS;
    }
    CHECK(s->plan.from < 0.9 * without->plan.from);
    CHECK(s->plan.lower > s->plan.fresh * (1.0 - 1e-6));
    CHECK(reveals > 4 * PLAYS);
    CHECK(fabs(sum - s->plan.from - 1.0) < 4.0 * sqrt((squares - sum * sum) / PLAYS));
    craft_set rare = {.rarity = CRAFT_RARE};
    rare =
        craft_set_with(&s->sorts, &rare, (uint16_t)(s->sorts.atom[0].sort | CRAFT_SET_FRACTURED));
    rare = craft_set_with(&s->sorts, &rare, s->sorts.atom[s->sorts.atoms - 1].sort);
    craft_branch branch[CRAFT_BRANCHES];
    CHECK_INT(craft_use_on(&s->sorts, &s->use[3], &rare, branch), 1);
    craft_set rotten = craft_branch_end(&s->sorts, branch, &rare);
    int hidden = 0, fractured = 0;
    for (int k = 0; k < rotten.count; k++) {
        hidden += craft_sort_at(&s->sorts, rotten.mod[k])->family == CRAFT_NO_FAMILY;
        fractured += rotten.mod[k] & CRAFT_SET_FRACTURED ? 1 : 0;
    }
    CHECK(rotten.final && rotten.count == 6 && hidden == 5 && fractured == 1);
    for (int use = 0; use < 4; use++) {
        CHECK_INT(craft_use_on(&s->sorts, &s->use[use], &rotten, branch), 0);
    }
    done(without);
    done(s);
    with_few(false);
}

TEST(six_rules_with_bones_cost_what_they_say) {
    with_few(true);
    solved *s = solve(BELT, BONES, NULL);
    double *optimal = lu_alloc((s->graph.table.count + 1) * sizeof *optimal);
    craft_short rules;
    craft_plan plan;
    lu_error error = {LU_OK, ""};
    bool reveals = false;
    memcpy(optimal, s->values.v, s->graph.table.count * sizeof *optimal);
    CHECK_INT(
        craft_short_find(&rules, &s->problem, &s->values, &s->plan, optimal, NULL, &plan, &error),
        LU_OK);
    for (int k = 0; k < CRAFT_SHORT_RULES; k++) {
        int use = rules.rule[k].use;
        reveals = reveals || (use >= 0 && s->use[use].line == CRAFT_LINE_REVEAL);
    }
    CHECK(reveals && plan.possible && plan.from >= s->plan.from * (1.0 - 1e-9));
    craft_plan_free(&plan);
    free(optimal);
    done(s);
    with_few(false);
}
