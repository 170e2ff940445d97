/* Optimum cases of the verify tool: every mix an entry names is added up again, and the solver says
 * whether it is the best one. */
#include "verify.h"

#include "solver/potion_solve.h"

#include <math.h>
#include <string.h>

/* A mix by action and pieces, within stock and cauldron. */
static lu_status read_mix(lu_check *c, const potion_options *task, const lu_json_value *answer,
                          potion_mix *mix, uint8_t *added) {
    const lu_json_value *pieces = lu_json_get(answer, "mix");
    uint8_t count[POTION_ACTIONS];
    int items = 0;
    lu_error inner;
    memset(mix, 0, sizeof *mix);
    if (lu_json_kind_of(pieces) != LU_JSON_OBJECT) {
        return lu_check_bad(c, "'mix' must be an object of pieces by action");
    }
    if (potion_stock_from("'mix'", pieces, count, &inner) != LU_OK) {
        return lu_check_bad(c, inner.text);
    }
    for (int i = 1; i <= POTION_INGREDIENTS; i++) {
        if (count[i] > task->stock[i]) {
            lu_check_say(c, "more pieces than there are in stock");
        }
        items += count[i];
        for (int k = 0; k < count[i] && mix->items < POTION_ITEMS_MAX; k++) {
            added[mix->items] = (uint8_t)i;
            potion_mix_add(mix, i, 1);
        }
    }
    if (items > potion_limits[task->cauldron][0]) {
        lu_check_say(c, "more items than the cauldron has slots");
    }
    if (mix->total > potion_limits[task->cauldron][1]) {
        lu_check_say(c, "more magimins than the cauldron holds");
    }
    return LU_OK;
}

/* Names must say the same as the actions. */
static void check_names(lu_check *c, const lu_json_value *answer) {
    const lu_json_value *names = lu_json_get(answer, "names");
    uint8_t by_name[POTION_ACTIONS], by_action[POTION_ACTIONS];
    lu_error inner;
    if (lu_json_kind_of(names) != LU_JSON_OBJECT) {
        return;
    }
    if (potion_stock_from("names", names, by_name, &inner) != LU_OK ||
        potion_stock_from("mix", lu_json_get(answer, "mix"), by_action, &inner) != LU_OK ||
        memcmp(by_name, by_action, sizeof by_name) != 0) {
        lu_check_say(c, "names and actions differ");
    }
}

static lu_status check_answer(lu_check *c, const lu_json_value *entry, const char *part,
                              const potion_options *task, bool with_traits) {
    const lu_json_value *answer = lu_json_get(entry, part);
    potion_mix mix;
    uint8_t added[POTION_ITEMS_MAX];
    int32_t all, wanted;
    lu_check_part(c, part, -1);
    if (lu_json_kind_of(answer) == LU_JSON_NULL) {
        return LU_OK;
    }
    if (lu_json_kind_of(answer) != LU_JSON_OBJECT) {
        return lu_check_bad(c, "an answer must be an object or null");
    }
    LU_TRY(read_mix(c, task, answer, &mix, added));
    potion_distances(mix.amount, mix.total, task->recipe, &all, &wanted);
    if (all != 0 || mix.items < 2) {
        lu_check_say(c, "not exactly the ratio of the recipe");
    }
    int grade = potion_grade_after(potion_raw_grade(mix.total),
                                   potion_stability[POTION_RULES_GAME * 4].shift);
    int price = potion_prices[task->recipe][grade], brewed = potion_brewed(mix.items);
    double traits = 0.0;
    for (int k = 0; k < POTION_SENSES && with_traits; k++) {
        traits += potion_trait_mean(added, mix.items, k, 0);
    }
    potion_check_number(c, answer, "total", (double)mix.total, 0.0);
    potion_check_number(c, answer, "items", (double)mix.items, 0.0);
    potion_check_number(c, answer, "cost", (double)mix.cost, 0.0);
    potion_check_number(c, answer, "brewed", (double)brewed, 0.0);
    potion_check_number(c, answer, "grade", (double)grade, 0.0);
    potion_check_number(c, answer, "unit_price", (double)price, 0.0);
    potion_check_number(c, answer, "trait_sum", traits, POTION_VERIFY_TOLERANCE);
    potion_check_number(c, answer, "profit",
                        brewed * potion_unit_value(price, traits, 0.0) - (double)mix.cost,
                        POTION_VERIFY_TOLERANCE);
    check_names(c, answer);
    return LU_OK;
}

/* What follows from the largest total. */
static void check_fullness(lu_check *c, const lu_json_value *entry, const potion_options *task) {
    const lu_json_value *best = lu_json_get(entry, "best_total");
    double total = lu_json_real_or(lu_json_get(best, "total"), (double)NAN);
    double fullness = total / (double)potion_limits[task->cauldron][1];
    if (isnan(fullness)) {
        return;
    }
    lu_check_part(c, NULL, -1);
    potion_check_number(c, entry, "fullness", fullness, POTION_VERIFY_TOLERANCE);
    potion_check_number(c, entry, "rl_reward_perfect", 1.0 + fullness, POTION_VERIFY_TOLERANCE);
    potion_check_flag(c, entry, "rl_reward_is_maximum", fullness >= 0.75);
}

/* Each answer of an entry, or its null, against the solver's. */
static const char *const solver_parts[] = {"best_total by the solver", "best_profit by the solver",
                                           "best_traits by the solver"};

static lu_status check_best(lu_check *c, const lu_json_value *entry, const char *part,
                            const potion_options *asked, int which) {
    const lu_json_value *answer = lu_json_get(entry, part);
    potion_task task = potion_task_of(asked->recipe, asked->cauldron);
    potion_brew brew;
    if (!answer) {
        return LU_OK;
    }
    memcpy(task.stock, asked->stock, sizeof task.stock);
    lu_status status = which == 0   ? potion_solve_total(&task, &brew, c->error)
                       : which == 1 ? potion_solve_profit(&task, &brew, c->error)
                                    : potion_solve_traits(&task, &brew, c->error);
    if (status != LU_OK) {
        return status;
    }
    lu_check_part(c, solver_parts[which], -1);
    lu_check_flag(c, "found", lu_json_kind_of(answer) == LU_JSON_OBJECT, brew.found);
    if (brew.found && lu_json_kind_of(answer) == LU_JSON_OBJECT) {
        if (which == 0) {
            potion_check_number(c, answer, "total", (double)brew.mix.total, 0.0);
        }
        potion_check_number(c, answer, "profit", which == 2 ? brew.expected : (double)brew.profit,
                            POTION_VERIFY_TOLERANCE);
    }
    return LU_OK;
}

lu_status potion_check_case(lu_check *c, const lu_json_value *entry) {
    static const char *const parts[] = {"best_total", "best_profit", "best_traits"};
    potion_options task;
    lu_status status = potion_check_task(c, entry, &task);
    for (int k = 0; k < 3 && status == LU_OK; k++) {
        status = check_answer(c, entry, parts[k], &task, k == 2);
    }
    if (status == LU_OK) {
        check_fullness(c, entry, &task);
    }
    for (int k = 0; k < 3 && status == LU_OK; k++) {
        status = check_best(c, entry, parts[k], &task, k);
    }
    return status;
}
