/* What the solver answers, as JSON and as lines that people read. See solve.h. */
#include "solve.h"

#include <stdio.h>
#include <string.h>

void solve_page_init(solve_page *page) {
    lu_json_init(&page->json);
    lu_json_init(&page->words);
    lu_text_init(&page->line);
    lu_json_array(&page->words);
}

void solve_page_free(solve_page *page) {
    lu_json_free(&page->json);
    lu_json_free(&page->words);
    lu_text_free(&page->line);
}

void solve_page_line(solve_page *page) {
    lu_json_string(&page->words, page->line.text ? page->line.text : "");
    lu_text_clear(&page->line);
}

void solve_write_task(const solve_asked *asked, const lu_json_value *entry, solve_page *page) {
    lu_json *json = &page->json;
    const lu_json_value *id = lu_json_get(entry, "id");
    if (id) {
        lu_json_key_value(json, "id", id);
    }
    lu_json_key_int(json, "recipe", asked->recipe);
    lu_json_key_string(json, "recipe_title", potion_recipes[asked->recipe].name);
    lu_json_key_int(json, "cauldron", asked->cauldron);
    lu_json_key_string(json, "cauldron_title", potion_cauldrons[asked->cauldron].name);
    lu_json_key_int(json, "max_items", asked->task.max_items);
    lu_json_key_int(json, "max_magimins", asked->task.max_magimins);
    if (lu_json_kind_of(id) == LU_JSON_STRING) {
        lu_text_addf(&page->line, "%.80s: ", lu_json_text(id, NULL));
    }
    lu_text_addf(&page->line, "%s in %s, %d items and %d magimins at most",
                 potion_recipes[asked->recipe].name, potion_cauldrons[asked->cauldron].name,
                 (int)asked->task.max_items, (int)asked->task.max_magimins);
    solve_page_line(page);
}

/* ---- a mix ---- */

static void write_mix(const potion_brew *brew, lu_json *json) {
    lu_json_key_object(json, "mix");
    for (int i = 1; i <= POTION_INGREDIENTS; i++) {
        char key[16];
        snprintf(key, sizeof key, "%d", i);
        if (brew->pieces[i] > 0) {
            lu_json_key_int(json, key, brew->pieces[i]);
        }
    }
    lu_json_object_end(json);
    lu_json_key_object(json, "names");
    for (int i = 1; i <= POTION_INGREDIENTS; i++) {
        if (brew->pieces[i] > 0) {
            lu_json_key_int(json, potion_ingredients[i].name, brew->pieces[i]);
        }
    }
    lu_json_object_end(json);
}

static int bought(const solve_asked *asked, const potion_brew *brew, int action) {
    int more = brew->pieces[action] - asked->stock[action];
    return more > 0 ? more : 0;
}

static void write_places(int action, lu_json *json) {
    lu_json_key_array(json, "places");
    for (int p = 0; p < POTION_PLACES; p++) {
        if (potion_ingredients[action].places >> p & 1) {
            lu_json_string(json, potion_place_names[p]);
        }
    }
    lu_json_array_end(json);
}

/* The shopping list: what the mix has beyond the stock. */
static void write_purchase(const solve_asked *asked, const potion_brew *brew, lu_json *json) {
    int64_t gold = 0;
    lu_json_key_array(json, "buy");
    for (int i = 1; i <= POTION_INGREDIENTS; i++) {
        int more = bought(asked, brew, i), price = potion_ingredients[i].price;
        if (more == 0) {
            continue;
        }
        lu_json_object(json);
        lu_json_key_int(json, "action", i);
        lu_json_key_string(json, "name", potion_ingredients[i].name);
        lu_json_key_int(json, "pieces", more);
        lu_json_key_int(json, "price", price);
        lu_json_key_int(json, "gold", (int64_t)more * price);
        write_places(i, json);
        lu_json_object_end(json);
        gold += (int64_t)more * price;
    }
    lu_json_array_end(json);
    lu_json_key_int(json, "buy_gold", gold);
}

/* ---- in words ---- */

static void say_pieces(const potion_brew *brew, solve_page *page) {
    const char *between = "  ";
    for (int i = 1; i <= POTION_INGREDIENTS; i++) {
        if (brew->pieces[i] > 0) {
            lu_text_addf(&page->line, "%s%d %s", between, brew->pieces[i],
                         potion_ingredients[i].name);
            between = ", ";
        }
    }
    solve_page_line(page);
}

static void say_purchase(const solve_asked *asked, const potion_brew *brew, solve_page *page) {
    const char *between = "  buy ";
    int gold = 0;
    for (int i = 1; i <= POTION_INGREDIENTS; i++) {
        int more = bought(asked, brew, i);
        if (more > 0) {
            lu_text_addf(&page->line, "%s%d %s at %d", between, more, potion_ingredients[i].name,
                         potion_ingredients[i].price);
            between = ", ";
            gold += more * potion_ingredients[i].price;
        }
    }
    if (gold > 0) {
        lu_text_addf(&page->line, ": %d gold", gold);
    } else {
        lu_text_add(&page->line, "  nothing needs to be bought");
    }
    solve_page_line(page);
}

static void say_proof(const potion_brew *brew, const solve_manner *manner, lu_text *line) {
    if (brew->optimal) {
        lu_text_add(line, "; proven best");
    } else if (brew->total_bound > brew->mix.total) {
        lu_text_addf(line, "; best found, at most %d magimins", (int)brew->total_bound);
    } else {
        lu_text_addf(line, "; best found, at most %d gold", (int)brew->bound);
    }
    if (manner->proof) {
        lu_text_add(line, manner->proof->proven ? ", twice" : ", the second proof was abandoned");
    }
}

static void say_brew(const solve_asked *asked, const potion_brew *brew, const solve_manner *manner,
                     solve_page *page) {
    lu_text *line = &page->line;
    if (manner->title) {
        lu_text_addf(line, "%s: ", manner->title);
    }
    if (!brew->found) {
        lu_text_add(line, brew->optimal ? "none, there is no such potion" : "none was found");
        solve_page_line(page);
        return;
    }
    int stars = (int)brew->grade % POTION_STARS;
    lu_text_addf(line,
                 "%d magimins, %s, %d x %s with %d star%s at %d gold each, cost %d, profit %.6g",
                 (int)brew->mix.total, potion_code_names[brew->code], (int)brew->brewed,
                 potion_tier_names[brew->grade / POTION_STARS], stars, stars == 1 ? "" : "s",
                 (int)brew->price, (int)brew->mix.cost,
                 manner->traits ? brew->expected : (double)brew->profit);
    if (manner->title) {
        say_proof(brew, manner, line);
    }
    solve_page_line(page);
    say_pieces(brew, page);
    if (manner->buys) {
        say_purchase(asked, brew, page);
    }
}

/* ---- a potion ---- */

static void write_proof(const potion_brew *brew, const solve_manner *manner, lu_json *json) {
    lu_json_key_string(json, "proof", brew->optimal ? "optimal" : "best found");
    if (!brew->optimal && brew->total_bound > brew->mix.total) {
        lu_json_key_int(json, "total_bound", brew->total_bound);
    } else if (!brew->optimal) {
        lu_json_key_int(json, "profit_bound", brew->bound);
    }
    if (manner->proof) {
        lu_json_key_object(json, "second_proof");
        lu_json_key_bool(json, "proven", manner->proof->proven);
        lu_json_key_int(json, "nodes", manner->proof->nodes);
        lu_json_object_end(json);
    }
    if (manner->no_proof) {
        lu_json_key_string(json, "second_proof", manner->no_proof);
    }
}

void solve_write_brew(const solve_asked *asked, const potion_brew *brew, solve_manner manner,
                      solve_page *page) {
    lu_json *json = &page->json;
    say_brew(asked, brew, &manner, page);
    if (!brew->found && brew->optimal) {
        lu_json_null(json);
        return;
    }
    lu_json_object(json);
    if (!brew->found) {
        lu_json_key_string(json, "proof", "none found");
        lu_json_key_int(json, "total_bound", brew->total_bound);
        lu_json_object_end(json);
        return;
    }
    write_proof(brew, &manner, json);
    lu_json_key_int(json, "total", brew->mix.total);
    lu_json_key_int(json, "items", brew->mix.items);
    lu_json_key_string(json, "stability", potion_code_names[brew->code]);
    lu_json_key_int(json, "brewed", brew->brewed);
    lu_json_key_int(json, "grade", brew->grade);
    lu_json_key_int(json, "unit_price", brew->price);
    lu_json_key_int(json, "cost", brew->mix.cost);
    if (asked->free) {
        lu_json_key_int(json, "paid", brew->paid);
    }
    if (manner.traits) {
        lu_json_key_real(json, "profit", brew->expected);
        lu_json_key_real(json, "trait_sum", brew->trait_sum);
    } else {
        lu_json_key_int(json, "profit", brew->profit);
    }
    write_mix(brew, json);
    if (manner.buys) {
        write_purchase(asked, brew, json);
    }
    lu_json_object_end(json);
}

void solve_write_figures(const solve_asked *asked, const potion_brew *total, solve_page *page) {
    lu_json *json = &page->json;
    double fullness = (double)total->mix.total / (double)asked->task.max_magimins;
    lu_json_key_real(json, "fullness", fullness);
    if (asked->task.stability == 0) {
        lu_json_key_real(json, "rl_reward_perfect", 1.0 + fullness);
        lu_json_key_bool(json, "rl_reward_is_maximum", fullness >= 0.75);
    }
    if (asked->task.stability == POTION_PERFECT) { /* a lower class scores less than 1.75 */
        double most = 1.0 + (double)total->total_bound / (double)asked->task.max_magimins;
        lu_json_key_real(json, "rl_reward_bound", most > 1.75 ? most : 1.75);
    }
}
