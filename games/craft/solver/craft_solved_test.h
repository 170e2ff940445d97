/* A craft that tests of the solver solve: a belt, by uses of a list, on the pack or on a part of
 * it. Ownership: the caller's, until done. Threads: one. */
#pragma once

#include "solver/craft_tally.h"

#include "craft.h"
#include "craft_apply.h"
#include "test.h"

#include <math.h>
#include <stdlib.h>

enum { USES_MOST = 16 };

/* A solved craft. */
typedef struct solved {
    craft_pool pool;
    craft_goal goal;
    craft_item item; /* that it starts from */
    craft_sorts sorts;
    craft_use use[USES_MOST];
    int uses;
    craft_graph graph;
    craft_problem problem;
    craft_values values;
    craft_plan plan;
    craft_effect effect[USES_MOST]; /* the same by the rules of the game */
} solved;

typedef struct priced_use {
    const char *item, *omen;
    double price;
} priced_use;

static inline bool is_long(void) {
    return getenv("LUDUS_TEST_LONG") != NULL;
}

/* The pack; with few, a part of it in which all pools have few families: such crafts are solved at
 * once. */
static craft_pack small;

static inline const craft_pack *pack(void) {
    return small.weights ? &small : craft_pack_find("poe2-0.4");
}

static inline void with_few(bool few) {
    static const char *const kept[] = {
        "IncreasedLife",  "IncreasedMana",  "IncreasedPhysicalDamageReductionRating",
        "FireResistance", "ColdResistance", "LightningResistance",
        "Strength"};
    const craft_pack *all = craft_pack_find("poe2-0.4");
    static craft_weight *weights;
    if (!few) {
        small.weights = NULL;
        return;
    }
    small = *all;
    small.weight_count = 0;
    weights = weights ? weights : lu_alloc((size_t)all->weight_count * sizeof *weights);
    small.weights = weights;
    for (int k = 0; k < all->weight_count; k++) {
        const char *family = all->family_names[all->mods[all->weights[k].mod].family];
        for (size_t f = 0; f < sizeof kept / sizeof *kept; f++) {
            if (strcmp(family, kept[f]) == 0) {
                weights[small.weight_count++] = all->weights[k];
            }
        }
    }
}

static inline void read_goal(solved *s, const char *base, const char *target) {
    lu_error error = {LU_OK, ""};
    craft_switches switches = craft_switches_of(4);
    craft_target *wanted = lu_alloc(sizeof *wanted);
    lu_json_document *document = lu_json_read("target", target, strlen(target), &error);
    bool ok =
        document && craft_target_read(wanted, pack(), lu_json_root(document), &error) == LU_OK &&
        craft_pool_init(&s->pool, pack(), craft_base_find(pack(), base), 82, &switches, &error) ==
            LU_OK &&
        craft_goal_init(&s->goal, wanted, pack(), &s->pool, &error) == LU_OK;
    if (!ok) {
        lu_test_fail(__FILE__, __LINE__, "%s", error.text);
    }
    lu_json_close(document);
    free(wanted);
}

static inline craft_item read_item(const craft_pool *pool, const char *text) {
    lu_error error = {LU_OK, ""};
    craft_item item = {0};
    lu_json_document *document = lu_json_read("item", text, strlen(text), &error);
    if (!document ||
        craft_item_read(pool, pack(), lu_json_root(document), &item, &error) != LU_OK) {
        lu_test_fail(__FILE__, __LINE__, "%s", error.text);
    }
    lu_json_close(document);
    return item;
}

static inline void done(solved *s) {
    craft_plan_free(&s->plan);
    craft_values_free(&s->values);
    craft_graph_free(&s->graph);
    craft_sorts_free(&s->sorts);
    free(s);
}

/* By the uses of a list, from an item, NULL: a base; or from a set of the same sorts. */
static inline solved *solve_by(const priced_use *list, int count, const char *base,
                               const char *target, lu_pool *pool, const char *item,
                               const craft_set *set) {
    solved *s = lu_alloc_zero(1, sizeof *s);
    lu_error error = {LU_OK, ""};
    craft_set roots[2] = {{.rarity = CRAFT_NORMAL}};
    read_goal(s, base, target);
    lu_status status = craft_sorts_init(&s->sorts, pack(), &s->pool, &s->goal, 0, &error);
    s->item = item ? read_item(&s->pool, item) : (craft_item){.rarity = CRAFT_NORMAL};
    roots[1] = set ? *set : craft_set_of(&s->sorts, &s->item);
    s->problem.first = item || set ? 0.0 : 1.0;
    for (int k = 0; k < count && status == LU_OK; k++) {
        int omens = list[k].omen ? 1 : 0;
        status = craft_use_init(&s->use[k], &s->sorts, list[k].item, &list[k].omen, omens, &error);
        status = status == LU_OK ? craft_effect_init(&s->effect[k], &s->pool, pack(), list[k].item,
                                                     &list[k].omen, omens, &error)
                                 : status;
        s->problem.price[s->uses++] = list[k].price;
    }
    s->graph.memory = (size_t)1 << 30;
    status = status == LU_OK
                 ? craft_graph_init(&s->graph, &s->sorts, s->use, s->uses, roots, 2, &error)
                 : status;
    s->problem.graph = &s->graph;
    s->problem.base = 1.0;
    s->problem.pool = pool;
    craft_values_init(&s->values, &s->graph);
    status = status == LU_OK ? craft_solve(&s->problem, &s->values, &s->plan, &error) : status;
    if (status != LU_OK) {
        lu_test_fail(__FILE__, __LINE__, "%s", error.text);
    }
    return s;
}
