/* `ludus potion advise`: what a player should brew from what is owned, in words. The recipes that
 * the chapter allows are solved exactly and compared; the best one is solved again without each of
 * its limits, to say what stands in its way, and all of them with the pieces that the shop sells.
 * For a contest the cheapest potion that wins is looked for. */
#include "advise.h"

#include "potion_inventory.h"
#include "solve.h"

#include "ludus/tool.h"

#include <string.h>

static const lu_setting rows[] = {
    {"recipe", LU_TEXT, "", 0, 60, NULL,
     "The recipe by number or name; default: the best one the chapter allows.", false},
    {"cauldron", LU_TEXT, "", 0, 60, NULL,
     "The cauldron by number or name; default: the contest's.", false},
    {"stock", LU_TEXT, "", 0, 0, "json",
     "What you own, instead of an inventory file: \"6 Dwarf Kraken, 4 Mandrake Root\", all, a "
     "number of each, shop:C, or a JSON object.",
     false},
    {"chapter", LU_INT, "0", 0, POTION_CHAPTERS, NULL,
     "The chapter you are in: it allows recipes and opens the shop; 0: that of the cauldron.",
     false},
    {"shop", LU_INT, "", 0, POTION_CHAPTERS, NULL,
     "A day's shop stock of chapters 1 to this one may be bought; 0: nothing; default: the "
     "chapter.",
     false},
    {"budget", LU_INT, "0", 0, 1e6, NULL, "Maximum worth of the ingredients in gold; 0: no limit.",
     false},
    {"goal", LU_ENUM, "profit", 0, 0, "profit|size|contest",
     "The most profit, traits counted; the most magimins; or winning a contest.", false},
    {"contest", LU_ENUM, "none", 0, 0, "none|roxanne|corsac|finn|anubia|robin",
     "The contest to win.", false},
    {"round", LU_INT, "0", 0, POTION_ROUNDS, NULL, "The round of the contest; 0: all three.",
     false},
    {"memory", LU_INT, "1024", 1, 65536, NULL, "Memory limit for tables and searches, in MB.",
     false},
};

typedef struct advisor {
    const lu_tool_io *io;
    advice a;
    size_t memory;
    int done, all; /* questions to the solver */
    const char *what;
} advisor;

/* ---- what is asked ---- */

static lu_status read_owned(advisor *d, lu_error *error) {
    const lu_settings *settings = d->io->settings;
    bool stock = lu_settings_is_set(settings, "stock");
    if (d->io->input_count + (stock ? 1 : 0) != 1) {
        return lu_fail(error, LU_USAGE,
                       stock || d->io->input_count
                           ? "potion advise takes what you own from one inventory file or from the "
                             "setting stock, not from both"
                           : "potion advise needs what you own: an inventory file, or the setting "
                             "stock, as in --stock \"6 Dwarf Kraken, 4 Mandrake Root\"");
    }
    if (stock) {
        lu_error inner;
        return potion_stock_read("stock", lu_settings_text_of(settings, "stock"), d->a.owned,
                                 &inner) == LU_OK
                   ? LU_OK
                   : lu_fail(error, LU_BAD_VALUE, "%s", inner.text);
    }
    const lu_tool_input *input = &d->io->inputs[0];
    return potion_inventory_read(input->name, input->text, input->length, d->a.owned, error);
}

/* The contest's rounds, and its cauldron where none is named. */
static lu_status read_contest(advisor *d, lu_error *error) {
    const lu_settings *settings = d->io->settings;
    int contest = lu_settings_enum(settings, "contest") - 1;
    int only = (int)lu_settings_int(settings, "round");
    if (contest >= 0 && !lu_settings_is_set(settings, "goal")) {
        d->a.goal = ADVISE_CONTEST;
    }
    if ((contest >= 0) != (d->a.goal == ADVISE_CONTEST)) {
        return lu_fail(error, LU_USAGE,
                       "goal=contest and a contest belong together: name one of %s",
                       "roxanne, corsac, finn, anubia and robin");
    }
    if (only > 0 && contest < 0) {
        return lu_fail(error, LU_USAGE, "a round belongs to a contest: name it, or leave it out");
    }
    for (int k = 0; k < POTION_ROUNDS && contest >= 0; k++) {
        if (only == 0 || only == k + 1) {
            d->a.rounds[d->a.round_count++].round = &potion_rounds[contest * POTION_ROUNDS + k];
        }
    }
    d->a.cauldron = contest >= 0 ? potion_rounds[contest * POTION_ROUNDS].cauldron : -1;
    return LU_OK;
}

/* Recipes to compare: the one that was named, or those of the chapter. */
static lu_status read_recipes(advisor *d, lu_error *error) {
    bool named = lu_settings_is_set(d->io->settings, "recipe");
    int only = 0;
    if (named && d->a.goal == ADVISE_CONTEST) {
        return lu_fail(error, LU_USAGE, "a contest names its recipes: leave recipe unset");
    }
    if (named && solve_read_name("recipe", lu_settings_text_of(d->io->settings, "recipe"),
                                 potion_recipe_names, POTION_RECIPES, &only, error) != LU_OK) {
        return LU_BAD_VALUE;
    }
    for (int r = 0; r < POTION_RECIPES; r++) {
        if (named ? r == only : potion_recipes[r].licence <= d->a.chapter) {
            d->a.found[d->a.count++].recipe = r;
        }
    }
    return LU_OK;
}

static lu_status read_all(advisor *d, lu_error *error) {
    const lu_settings *settings = d->io->settings;
    uint64_t bytes = (uint64_t)lu_settings_int(settings, "memory") << 20;
    d->memory = bytes > SIZE_MAX ? SIZE_MAX : (size_t)bytes; /* in a page addresses end at 4 GB */
    d->a.goal = lu_settings_enum(settings, "goal");
    d->a.budget = (int)lu_settings_int(settings, "budget");
    lu_status status = read_contest(d, error);
    if (status == LU_OK && lu_settings_is_set(settings, "cauldron")) {
        status = solve_read_name("cauldron", lu_settings_text_of(settings, "cauldron"),
                                 potion_cauldron_names, POTION_CAULDRONS, &d->a.cauldron, error);
    } else if (status == LU_OK && d->a.cauldron < 0) {
        status = lu_fail(error, LU_USAGE,
                         "potion advise needs a cauldron by number or name: --cauldron Mudpack");
    }
    LU_THEN(status, read_owned(d, error));
    if (status != LU_OK) {
        return status;
    }
    int chapter = (int)lu_settings_int(settings, "chapter");
    bool shop = lu_settings_is_set(settings, "shop"), useful = false;
    d->a.chapter = chapter > 0 ? chapter : potion_cauldrons[d->a.cauldron].chapter;
    d->a.shop = shop ? (int)lu_settings_int(settings, "shop") : d->a.chapter;
    for (int i = 1; i <= POTION_INGREDIENTS; i++) {
        int sold = i <= potion_chapter_end[d->a.shop] ? potion_ingredients[i].shop : 0;
        int pieces = d->a.owned[i] + sold;
        d->a.market[i] = (uint8_t)(pieces > UINT8_MAX ? UINT8_MAX : pieces);
        useful = useful || (sold > 0 && d->a.owned[i] < POTION_ITEMS_MAX);
    }
    d->a.shop = useful ? d->a.shop : 0; /* nothing of it could be put in that is not owned */
    return read_recipes(d, error);
}

/* ---- questions to the solver ---- */

static void on_progress(void *user, double share, const char *what) {
    advisor *d = user;
    double done = (d->done + share) / d->all;
    (void)what;
    if (d->io->progress) {
        d->io->progress(d->io->user, done < 1.0 ? done : 1.0, d->what);
    }
}

static bool on_cancelled(void *user) {
    advisor *d = user;
    return d->io->cancelled && d->io->cancelled(d->io->user);
}

static potion_task task_of(advisor *d, int recipe, const uint8_t *stock) {
    potion_task task = potion_task_of(recipe, d->a.cauldron);
    memcpy(task.stock, stock, sizeof task.stock);
    task.budget = d->a.budget;
    task.memory = d->memory;
    task.user = d;
    task.progress = on_progress;
    task.cancelled = on_cancelled;
    d->what = potion_recipes[recipe].name;
    return task;
}

static lu_status ask(advisor *d, const potion_task *task, potion_brew *brew, lu_error *error) {
    lu_status status = d->a.goal == ADVISE_SIZE ? potion_solve_total(task, brew, error)
                                                : potion_solve_traits(task, brew, error);
    d->done++;
    return status;
}

/* What a potion is worth for the goal. */
static double advise_value(const advice *a, const potion_brew *brew) {
    return a->goal == ADVISE_SIZE ? (double)brew->mix.total : brew->expected;
}

static bool is_better(const advice *a, const potion_brew *brew, const potion_brew *than) {
    double one = advise_value(a, brew), other = advise_value(a, than);
    if (!brew->found || !than->found) {
        return brew->found;
    }
    return one > other || (!(one < other) && brew->expected > than->expected);
}

/* ---- profit and size ---- */

/* Every recipe, sorted into its place among those before it. */
static lu_status compare_recipes(advisor *d, lu_error *error) {
    for (int k = 0; k < d->a.count; k++) {
        advise_find next = d->a.found[k];
        potion_task task = task_of(d, next.recipe, d->a.owned);
        LU_TRY(ask(d, &task, &next.brew, error));
        int at = k;
        for (; at > 0 && is_better(&d->a, &next.brew, &d->a.found[at - 1].brew); at--) {
            d->a.found[at] = d->a.found[at - 1];
        }
        d->a.found[at] = next;
    }
    return LU_OK;
}

/* The best recipe without one limit at a time: as many slots or magimins as the largest cauldron
 * has, or as many pieces as fit of every kind that is owned. */
static lu_status lift_limits(advisor *d, lu_error *error) {
    lu_status status = LU_OK;
    for (int k = 0; k < ADVISE_LIMITS && status == LU_OK; k++) {
        potion_task task = task_of(d, d->a.found[0].recipe, d->a.owned);
        task.max_items = k == ADVISE_SLOTS ? POTION_ITEMS_MAX : task.max_items;
        task.max_magimins = k == ADVISE_MAGIMINS ? POTION_MAGIMINS_MAX : task.max_magimins;
        for (int i = 1; i <= POTION_INGREDIENTS && k == ADVISE_PIECES; i++) {
            bool few = task.stock[i] > 0 && task.stock[i] < POTION_ITEMS_MAX;
            task.stock[i] = few ? POTION_ITEMS_MAX : task.stock[i];
        }
        if (k != ADVISE_PIECES && task.max_items == potion_limits[d->a.cauldron][0] &&
            task.max_magimins == potion_limits[d->a.cauldron][1]) {
            d->done++;
            continue; /* the largest cauldron: there is no more of it */
        }
        status = ask(d, &task, &d->a.without[k], error);
        d->a.without[k].found =
            is_better(&d->a, &d->a.without[k], &d->a.found[0].brew); /* else it is no limit */
    }
    return status;
}

/* No potion of the recipe is worth more: a full cauldron, five good traits, ingredients for free.
 */
static double most_worth(const advice *a, int recipe) {
    const potion_cauldron *cauldron = &potion_cauldrons[a->cauldron];
    int grade = potion_grade_after(potion_raw_grade(cauldron->magimins),
                                   potion_stability[POTION_RULES_GAME * 4].shift);
    double unit = potion_unit_value(potion_prices[recipe][grade], POTION_SENSES, 0.0);
    return a->goal == ADVISE_SIZE ? cauldron->magimins : potion_brewed(cauldron->items) * unit;
}

/* All recipes with what the shop sells, the best of them now first: it leaves the fewest to ask. */
static lu_status look_into_shop(advisor *d, lu_error *error) {
    d->a.better_proven = true;
    for (int k = 0; k < d->a.count && d->a.shop > 0; k++) {
        advise_find next = {.recipe = d->a.found[k].recipe};
        const potion_brew *than = d->a.better.brew.found ? &d->a.better.brew : &d->a.found[0].brew;
        double least = than->found ? advise_value(&d->a, than) : -1e9;
        if (most_worth(&d->a, next.recipe) <= least) {
            d->done++;
            continue;
        }
        potion_task task = task_of(d, next.recipe, d->a.market);
        LU_TRY(ask(d, &task, &next.brew, error));
        d->a.better_proven = d->a.better_proven && next.brew.optimal;
        if (next.brew.found && advise_value(&d->a, &next.brew) > least) {
            d->a.better = next;
        }
    }
    return LU_OK;
}

static lu_status advise_brew(advisor *d, lu_error *error) {
    d->all = 2 * d->a.count + ADVISE_LIMITS;
    lu_status status = compare_recipes(d, error);
    if (status == LU_OK && d->a.found[0].brew.found) {
        status = lift_limits(d, error);
    }
    return status == LU_OK ? look_into_shop(d, error) : status;
}

/* ---- contests ---- */

enum { QUESTIONS_PER_ROUND = 12 }; /* about so many: for the progress */

/* A cheaper potion than the one that is known, if there is any: what it may cost is halved until
 * nothing is found below. The last one is the cheapest if the solver proved each time that there is
 * nothing: then it is optimal. */
static lu_status find_cheaper(advisor *d, potion_task *task, potion_brew *brew, lu_error *error) {
    int low = 0; /* no potion was found that costs that or less */
    bool sure = true;
    task->budget = brew->found ? brew->mix.cost - 1 : d->a.budget;
    do {
        potion_brew next;
        lu_status status = potion_solve_profit(task, &next, error);
        d->done++;
        if (status != LU_OK) {
            return status;
        }
        sure = sure && (next.found || next.optimal);
        if (next.found) {
            *brew = next;
        } else {
            low = task->budget;
        }
        task->budget = low + (brew->mix.cost - low) / 2;
    } while (brew->found && low + 1 < brew->mix.cost);
    brew->optimal = sure;
    return LU_OK;
}

/* The cheapest potion of at least the grade. It is most often a small one, and small cauldrons are
 * solved fast: it is looked for in one that ends at the next grade, then in the whole one, where
 * mostly one question is left to ask. */
static lu_status find_cheapest(advisor *d, potion_task *task, potion_brew *brew, lu_error *error) {
    int room = task->max_magimins;
    int next = task->least_grade - potion_stability[POTION_RULES_GAME * 4].shift + 1;
    next = next < 1 ? 1 : next;
    if (next < POTION_GRADES && potion_grade_from[next] < room) {
        task->max_magimins = potion_grade_from[next];
    }
    lu_status status = find_cheaper(d, task, brew, error);
    if (status == LU_OK && task->max_magimins < room) {
        task->max_magimins = room;
        status = find_cheaper(d, task, brew, error);
    }
    return status;
}

static lu_status advise_round_of(advisor *d, advise_round *r, lu_error *error) {
    const potion_round *round = r->round;
    int need = round->need_tier * POTION_STARS + round->need_star;
    r->grade = -1;
    for (int g = POTION_GRADES - 1; g >= need; g--) {
        r->grade = potion_prices[round->recipe][g] >= round->target ? g : r->grade;
    }
    potion_task task = task_of(d, round->recipe, d->a.owned);
    task.least_grade = r->grade >= 0 ? r->grade : need;
    lu_status status = find_cheapest(d, &task, &r->brew, error);
    if (status == LU_OK && !r->brew.found && d->a.shop > 0) {
        memcpy(task.stock, d->a.market, sizeof task.stock);
        status = find_cheapest(d, &task, &r->brew, error);
        r->bought = r->brew.found;
    }
    return status;
}

static lu_status advise_contest(advisor *d, lu_error *error) {
    lu_status status = LU_OK;
    d->all = d->a.round_count * QUESTIONS_PER_ROUND;
    for (int k = 0; k < d->a.round_count && status == LU_OK; k++) {
        d->done = k * QUESTIONS_PER_ROUND;
        status = advise_round_of(d, &d->a.rounds[k], error);
    }
    return status;
}

static lu_status run(const lu_tool_io *io, lu_error *error) {
    advisor d = {.io = io};
    lu_status status = read_all(&d, error);
    LU_THEN(status,
            d.a.goal == ADVISE_CONTEST ? advise_contest(&d, error) : advise_brew(&d, error));
    if (status == LU_OK) {
        lu_json json = LU_JSON_INIT;
        advise_write(&d.a, &json);
        io->emit(io->user, json.text, json.length);
        lu_json_free(&json);
    }
    return status;
}

extern const lu_tool lu_tool_potion_advise;
const lu_tool lu_tool_potion_advise = {
    .game = "potion",
    .name = "advise",
    .sentence = "Tells you what to brew from what you own, why, and what to buy.",
    .settings = {"potion advise", rows, (int)(sizeof rows / sizeof *rows)},
    .run = run,
};
