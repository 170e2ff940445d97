/* The answer of `ludus potion advise`: members for programs, and sentences for a player. */
#include "advise.h"

#include <stdio.h>
#include <string.h>

enum { OTHERS_SHOWN = 3 };

static const char *const magimin_names[POTION_MAGIMINS] = {"red (A)", "green (B)", "yellow (C)",
                                                           "blue (D)", "purple (E)"};
static const char *const limit_names[ADVISE_LIMITS] = {"slots", "magimins", "pieces"};

/* ---- parts of sentences ---- */

/* Whole gold: "14,654 gold". */
static void add_gold(lu_text *line, double gold) {
    int whole = (int)(gold + (gold < 0.0 ? -0.5 : 0.5)), size = whole < 0 ? -whole : whole;
    lu_text_add(line, whole < 0 ? "-" : "");
    if (size < 1000) {
        lu_text_addf(line, "%d gold", size);
    } else {
        lu_text_addf(line, "%d,%03d gold", size / 1000, size % 1000);
    }
}

static void add_grade(lu_text *line, int grade) {
    int stars = grade % POTION_STARS;
    lu_text_addf(line, "%s with %d star%s", potion_tier_names[grade / POTION_STARS], stars,
                 stars == 1 ? "" : "s");
}

/* "2 Mandrake Root, 1 Feyberry": pieces beyond those of `less` (NULL: all). Returns their price. */
static int add_pieces(lu_text *line, const uint8_t *pieces, const uint8_t *less) {
    int price = 0;
    for (int i = 1; i <= POTION_INGREDIENTS; i++) {
        int more = pieces[i] - (less ? less[i] : 0);
        if (more > 0) {
            lu_text_addf(line, "%s%d %s", price > 0 ? ", " : "", more, potion_ingredients[i].name);
            price += more * potion_ingredients[i].price;
        }
    }
    return price;
}

static void say(lu_json *json, lu_text *line) {
    lu_json_string_n(json, line->text, line->length);
    lu_text_clear(line);
}

/* Counts of good and bad that decide a sense. */
static void sense_of(const potion_brew *brew, int sense, int *good, int *bad) {
    uint8_t added[POTION_ITEMS_MAX];
    int items = 0;
    for (int i = 1; i <= POTION_INGREDIENTS; i++) {
        for (int c = 0; c < brew->pieces[i] && items < POTION_ITEMS_MAX; c++) {
            added[items++] = (uint8_t)i;
        }
    }
    potion_trait_pool(added, items, sense, 0, good, bad);
}

/* "good", "bad", "good or bad" for a tie that is drawn, or NULL: the potion has no such trait. */
static const char *sense_word(const potion_brew *brew, int sense) {
    int good, bad;
    sense_of(brew, sense, &good, &bad);
    return good > 0 && bad > 0 ? "good or bad" : good > 0 ? "good" : bad > 0 ? "bad" : NULL;
}

/* ---- members ---- */

static void write_pieces(lu_json *json, const char *key, const uint8_t *pieces, const uint8_t *less,
                         bool names) {
    lu_json_key_object(json, key);
    for (int i = 1; i <= POTION_INGREDIENTS; i++) {
        char number[16];
        int more = pieces[i] - (less ? less[i] : 0);
        snprintf(number, sizeof number, "%d", i);
        if (more > 0) {
            lu_json_key_int(json, names ? potion_ingredients[i].name : number, more);
        }
    }
    lu_json_object_end(json);
}

/* A potion, with what of it has to be bought; null when there is none. */
static void write_potion(lu_json *json, const char *key, int recipe, const potion_brew *brew,
                         const uint8_t *owned) {
    lu_json_key(json, key);
    if (!brew->found) {
        lu_json_null(json);
        return;
    }
    lu_json_object(json);
    lu_json_key_int(json, "recipe", recipe);
    lu_json_key_string(json, "recipe_title", potion_recipes[recipe].name);
    lu_json_key_string(json, "proof", brew->optimal ? "optimal" : "best found");
    if (!brew->optimal) {
        lu_json_key_int(json, "profit_bound", brew->bound);
    }
    lu_json_key_int(json, "total", brew->mix.total);
    lu_json_key_int(json, "items", brew->mix.items);
    lu_json_key_int(json, "brewed", brew->brewed);
    lu_json_key_int(json, "grade", brew->grade);
    lu_json_key_string(json, "tier", potion_tier_names[brew->grade / POTION_STARS]);
    lu_json_key_int(json, "stars", brew->grade % POTION_STARS);
    lu_json_key_int(json, "unit_price", brew->price);
    lu_json_key_real(json, "unit_value", potion_unit_value(brew->price, brew->trait_sum, 0.0));
    lu_json_key_int(json, "cost", brew->mix.cost);
    lu_json_key_real(json, "profit", brew->expected);
    lu_json_key_real(json, "trait_sum", brew->trait_sum);
    lu_json_key_object(json, "traits");
    for (int k = 0; k < POTION_SENSES; k++) {
        if (sense_word(brew, k)) {
            lu_json_key_string(json, potion_sense_names[k], sense_word(brew, k));
        }
    }
    lu_json_object_end(json);
    write_pieces(json, "mix", brew->pieces, NULL, false);
    write_pieces(json, "names", brew->pieces, NULL, true);
    write_pieces(json, "buy", brew->pieces, owned, true);
    lu_json_object_end(json);
}

static void write_brew_members(const advice *a, lu_json *json) {
    write_potion(json, "best", a->found[0].recipe, &a->found[0].brew, a->owned);
    lu_json_key_object(json, "limits");
    for (int k = 0; k < ADVISE_LIMITS; k++) {
        if (a->without[k].found) {
            write_potion(json, limit_names[k], a->found[0].recipe, &a->without[k], a->owned);
        }
    }
    lu_json_object_end(json);
    lu_json_key_array(json, "others");
    for (int k = 1; k < a->count; k++) {
        const potion_brew *brew = &a->found[k].brew;
        lu_json_object(json);
        lu_json_key_int(json, "recipe", a->found[k].recipe);
        lu_json_key_string(json, "recipe_title", potion_recipes[a->found[k].recipe].name);
        lu_json_key_bool(json, "possible", brew->found);
        if (brew->found) {
            lu_json_key_int(json, "total", brew->mix.total);
            lu_json_key_int(json, "grade", brew->grade);
            lu_json_key_real(json, "profit", brew->expected);
        }
        lu_json_object_end(json);
    }
    lu_json_array_end(json);
    write_potion(json, "better", a->better.recipe, &a->better.brew, a->owned);
    lu_json_key_bool(json, "better_proven", a->better_proven);
}

static void write_round(const advice *a, const advise_round *r, lu_json *json) {
    const potion_round *round = r->round;
    lu_json_object(json);
    lu_json_key_string(json, "contest", potion_contest_names[round->contest]);
    lu_json_key_int(json, "round", round->round);
    lu_json_key_int(json, "recipe", round->recipe);
    lu_json_key_string(json, "recipe_title", potion_recipes[round->recipe].name);
    lu_json_key_int(json, "target", round->target);
    lu_json_key_int(json, "need_grade", round->need_tier * POTION_STARS + round->need_star);
    lu_json_key(json, "winning_grade");
    if (r->grade >= 0) {
        lu_json_int(json, r->grade);
    } else {
        lu_json_null(json);
    }
    lu_json_key_bool(json, "can_win", r->grade >= 0 && r->brew.found);
    lu_json_key_bool(json, "proven", r->brew.optimal);
    write_potion(json, "cheapest", round->recipe, &r->brew, a->owned);
    lu_json_object_end(json);
}

/* ---- sentences about a potion ---- */

static void say_traits(const potion_brew *brew, lu_json *json, lu_text *line) {
    int count = 0;
    lu_text_add(line, "  Traits: ");
    for (int k = 0; k < POTION_SENSES; k++) {
        const char *word = sense_word(brew, k);
        if (word) {
            lu_text_addf(line, "%s%s %s", count++ > 0 ? ", " : "", word, potion_sense_names[k]);
        }
    }
    if (count == 0) {
        lu_text_add(line, "none; each sells at its base price");
    } else {
        lu_text_add(line, "; each sells for ");
        add_gold(line, potion_unit_value(brew->price, brew->trait_sum, 0.0));
    }
    lu_text_add(line, ".");
    say(json, line);
}

/* What goes in and what comes out. */
static void say_potion(const advice *a, const potion_brew *brew, lu_json *json, lu_text *line) {
    const potion_cauldron *cauldron = &potion_cauldrons[a->cauldron];
    lu_text_add(line, "  Put in: ");
    add_pieces(line, brew->pieces, NULL);
    lu_text_add(line, ".");
    say(json, line);
    lu_text_addf(line, "  Makes %d x ", brew->brewed);
    add_grade(line, brew->grade);
    lu_text_add(line, " at a base price of ");
    add_gold(line, brew->price);
    lu_text_addf(line, "; %d of %d magimins, %d of %d slots, perfect ratio.", brew->mix.total,
                 cauldron->magimins, brew->mix.items, cauldron->items);
    say(json, line);
    say_traits(brew, json, line);
    lu_text_add(line, "  The ingredients are worth ");
    add_gold(line, brew->mix.cost);
    lu_text_add(line, "; the profit is ");
    add_gold(line, brew->expected);
    lu_text_add(line, ".");
    say(json, line);
}

static void say_proof(const advice *a, const potion_brew *brew, lu_json *json, lu_text *line) {
    if (brew->optimal) {
        lu_text_addf(line, "  Proven: no exactly perfect potion from what you own %s.",
                     a->goal == ADVISE_SIZE ? "is larger" : "brings more");
    } else {
        lu_text_add(line, "  The best found, not proven: more than ");
        add_gold(line, brew->bound);
        lu_text_add(line, " is impossible.");
    }
    say(json, line);
}

/* ---- what stands in the way ---- */

static void say_limits(const advice *a, lu_json *json, lu_text *line) {
    static const char *const words[ADVISE_LIMITS] = {"more slots", "room for more magimins",
                                                     "more of the same pieces"};
    int count = 0;
    lu_text_add(line, "  ");
    for (int k = 0; k < ADVISE_LIMITS; k++) {
        if (a->without[k].found) {
            lu_text_addf(line, count++ > 0 ? "; with %s " : "With %s you could make ", words[k]);
            if (a->goal == ADVISE_SIZE) {
                lu_text_addf(line, "%d magimins", a->without[k].mix.total);
            } else {
                add_gold(line, a->without[k].expected);
            }
        }
    }
    lu_text_add(line, count > 0 ? "."
                                : "More slots, magimins or pieces of what you own would not help: "
                                  "you need other ingredients.");
    say(json, line);
}

/* Why no potion of a recipe is exactly in ratio. */
static void say_missing(const advice *a, int recipe, lu_json *json, lu_text *line) {
    const int32_t *parts = potion_parts[recipe];
    bool held[POTION_MAGIMINS] = {false};
    int missing = 0;
    for (int i = 1; i <= POTION_INGREDIENTS; i++) {
        bool clean = a->owned[i] > 0;
        for (int m = 0; m < POTION_MAGIMINS; m++) {
            clean = clean && (parts[m] > 0 || potion_adds[i][m] == 0);
        }
        for (int m = 0; m < POTION_MAGIMINS && clean; m++) {
            held[m] = held[m] || potion_adds[i][m] > 0;
        }
    }
    for (int m = 0; m < POTION_MAGIMINS; m++) {
        if (parts[m] > 0 && !held[m]) {
            lu_text_addf(line, "%s%s", missing++ > 0 ? " and " : "  You own nothing with ",
                         magimin_names[m]);
        }
    }
    if (missing > 0) {
        lu_text_add(line, " and no magimins that the recipe does not want.");
    } else {
        lu_text_addf(
            line,
            "  You own its magimins, but no mix that fits into the cauldron%s has the exact ratio.",
            a->budget > 0 ? " and the budget" : "");
    }
    say(json, line);
}

static void say_others(const advice *a, lu_json *json, lu_text *line) {
    int shown = 0;
    for (int k = 1; k < a->count && a->found[k].brew.found && shown < OTHERS_SHOWN; k++) {
        const potion_brew *brew = &a->found[k].brew;
        lu_text_addf(line, "%s%s (",
                     shown++ > 0 ? ", " : "Next best: ", potion_recipes[a->found[k].recipe].name);
        if (a->goal == ADVISE_SIZE) {
            lu_text_addf(line, "%d magimins)", brew->mix.total);
        } else {
            add_gold(line, brew->expected);
            lu_text_add(line, ")");
        }
    }
    if (shown > 0) {
        lu_text_add(line, ".");
        say(json, line);
    }
}

/* ---- the shop ---- */

static void add_purchase(const advice *a, const potion_brew *brew, lu_text *line) {
    lu_text_add(line, "buy ");
    int price = add_pieces(line, brew->pieces, a->owned);
    lu_text_add(line, " for ");
    add_gold(line, price);
}

static void say_shop(const advice *a, lu_json *json, lu_text *line) {
    if (a->better.brew.found) {
        lu_text_addf(line, "To do better (shop of chapter %d), ", a->shop);
        add_purchase(a, &a->better.brew, line);
        lu_text_addf(line, " and brew %s:", potion_recipes[a->better.recipe].name);
        say(json, line);
        say_potion(a, &a->better.brew, json, line);
    } else if (a->shop > 0) {
        const char *words = a->better_proven
                                ? "A day's shop stock of chapter %d has nothing better."
                                : "With a day's shop stock of chapter %d nothing better was found, "
                                  "but that is not proven.";
        lu_text_addf(line, words, a->shop);
        say(json, line);
    }
}

static void say_brew(const advice *a, lu_json *json, lu_text *line) {
    const advise_find *best = &a->found[0];
    const char *cauldron = potion_cauldrons[a->cauldron].name;
    if (best->brew.found) {
        lu_text_addf(line, "Brew %s in the %s cauldron.", potion_recipes[best->recipe].name,
                     cauldron);
        say(json, line);
        say_potion(a, &best->brew, json, line);
        say_proof(a, &best->brew, json, line);
        say_limits(a, json, line);
        say_others(a, json, line);
    } else {
        lu_text_addf(line, "With what you own, no %s has the exact ratio in the %s cauldron",
                     a->count == 1 ? potion_recipes[best->recipe].name : "potion", cauldron);
        if (a->budget > 0) {
            lu_text_add(line, " for at most ");
            add_gold(line, a->budget);
        }
        lu_text_add(line, ".");
        say(json, line);
        if (a->count == 1) {
            say_missing(a, best->recipe, json, line);
        }
    }
    say_shop(a, json, line);
}

/* ---- contests ---- */

static void say_round(const advice *a, const advise_round *r, lu_json *json, lu_text *line) {
    const potion_round *round = r->round;
    const char *name = potion_recipes[round->recipe].name;
    int need = r->grade >= 0 ? r->grade : round->need_tier * POTION_STARS + round->need_star;
    int shift = potion_stability[POTION_RULES_GAME * 4].shift;
    lu_text_addf(line, "Round %d asks for %s at ", round->round, name);
    add_gold(line, round->target);
    lu_text_add(line, " or more: ");
    if (r->grade >= 0) {
        add_grade(line, r->grade);
        lu_text_addf(line, " wins, %d magimins when perfect.",
                     potion_grade_from[need > shift ? need - shift : 0]);
    } else {
        lu_text_add(line, "none sells for more than ");
        add_gold(line, potion_prices[round->recipe][POTION_GRADES - 1]);
        lu_text_add(line, ". By its grade alone it takes ");
        add_grade(line, need);
        lu_text_add(line, ".");
    }
    say(json, line);
    if (!r->brew.found) {
        lu_text_addf(line, "  %s in the %s cauldron with what you own%s.",
                     !r->brew.optimal ? "No such potion was found, but that is not proven,"
                     : r->grade >= 0  ? "It cannot be won"
                                      : "That cannot be brewed",
                     potion_cauldrons[a->cauldron].name,
                     a->shop > 0 ? " and one day of the shop" : "");
        say(json, line);
        if (r->brew.optimal) {
            say_missing(a, round->recipe, json, line);
        }
        return;
    }
    lu_text_addf(line, "  %s ", r->grade >= 0 ? "You can win it;" : "That you can brew;");
    if (r->bought) {
        add_purchase(a, &r->brew, line);
        lu_text_add(line, ", then ");
    }
    lu_text_addf(line, "the cheapest mix%s is worth ", r->brew.optimal ? "" : " found");
    add_gold(line, r->brew.mix.cost);
    lu_text_add(line, r->brew.optimal ? ", proven:" : ", not proven:");
    say(json, line);
    say_potion(a, &r->brew, json, line);
}

static void say_contest(const advice *a, lu_json *json, lu_text *line) {
    char name[16];
    const potion_round *round = a->rounds[0].round;
    snprintf(name, sizeof name, "%s", potion_contest_names[round->contest]);
    name[0] = (char)(name[0] - 'a' + 'A');
    lu_text_addf(line, "The contest of %s on day %d, brewed in the %s cauldron.", name, round->day,
                 potion_cauldrons[a->cauldron].name);
    say(json, line);
    for (int k = 0; k < a->round_count; k++) {
        say_round(a, &a->rounds[k], json, line);
    }
}

void advise_write(const advice *a, lu_json *json) {
    static const char *const goals[] = {"profit", "size", "contest"};
    lu_text line = LU_TEXT_INIT;
    lu_json_object(json);
    lu_json_key_string(json, "goal", goals[a->goal]);
    lu_json_key_int(json, "cauldron", a->cauldron);
    lu_json_key_string(json, "cauldron_title", potion_cauldrons[a->cauldron].name);
    lu_json_key_int(json, "max_items", potion_cauldrons[a->cauldron].items);
    lu_json_key_int(json, "max_magimins", potion_cauldrons[a->cauldron].magimins);
    lu_json_key_int(json, "chapter", a->chapter);
    lu_json_key_int(json, "shop", a->shop);
    if (a->goal == ADVISE_CONTEST) {
        lu_json_key_array(json, "rounds");
        for (int k = 0; k < a->round_count; k++) {
            write_round(a, &a->rounds[k], json);
        }
        lu_json_array_end(json);
    } else {
        write_brew_members(a, json);
    }
    lu_json_key_array(json, "words");
    if (a->goal == ADVISE_CONTEST) {
        say_contest(a, json, &line);
    } else {
        say_brew(a, json, &line);
    }
    lu_json_array_end(json);
    lu_json_object_end(json);
    lu_text_free(&line);
}
