/* The tables: every cell is that of data/CSV, and what the rules say about them holds. */
#include "potion_test.h"

#include "ludus/file.h"

#include <stdlib.h>

/* ---- a small reader of data/NAME.csv: plain cells, no quotes ---- */

enum { CELLS = 40, ROWS = 256 };

typedef struct csv {
    char *text;
    int rows, cells;
    char *cell[ROWS][CELLS];
} csv;

static bool csv_read(csv *c, const char *name) {
    char path[128];
    size_t length;
    lu_error error;
    memset(c, 0, sizeof *c);
    snprintf(path, sizeof path, "games/potion/data/%s.csv", name);
    if (lu_file_read(lu_test_source(path), 1 << 20, &c->text, &length, &error) != LU_OK) {
        lu_test_fail(__FILE__, __LINE__, "%s", error.text);
        return false;
    }
    char *rest = strchr(c->text, '\n') + 1;
    while (*rest && c->rows < ROWS) {
        char *line = rest, *end = strchr(rest, '\n');
        rest = end + 1;
        *end = 0;
        for (c->cells = 0; line && c->cells < CELLS; c->cells++) {
            char *comma = strchr(line, ',');
            c->cell[c->rows][c->cells] = line;
            if (comma) {
                *comma = 0;
            }
            line = comma ? comma + 1 : NULL;
        }
        c->rows++;
    }
    return true;
}

static int number(const csv *c, int row, int cell) {
    return (int)strtol(c->cell[row][cell], NULL, 10);
}

/* ---- each file ---- */

static void check_places(const csv *c, int row, unsigned places) {
    char joined[128] = "";
    /* a list of several places names them in any order: count, and find each */
    unsigned count = 0;
    snprintf(joined, sizeof joined, "|%s|", c->cell[row][4]);
    for (const char *at = joined + 1; *at; at++) {
        count += *at == '|' ? 1u : 0u;
    }
    for (int p = 0; p < POTION_PLACES; p++) {
        char one[64];
        snprintf(one, sizeof one, "|%s|", potion_place_names[p]);
        bool listed = strstr(joined, one) != NULL;
        CHECK_INT((places >> p) & 1u, listed);
        count -= listed ? 1u : 0u;
    }
    CHECK_INT(count, 0);
}

TEST(ingredients_are_those_of_the_file) {
    csv c;
    NEED(csv_read(&c, "ingredients"));
    CHECK_INT(c.rows, POTION_INGREDIENTS);
    for (int r = 0; r < c.rows; r++) {
        const potion_ingredient *one = &potion_ingredients[r + 1];
        char kind[16];
        snprintf(kind, sizeof kind, "%s", potion_kind_names[one->kind]);
        if (strchr(kind, ' ')) {
            *strchr(kind, ' ') = '_';
        }
        CHECK_INT(number(&c, r, 0), r + 1);
        CHECK_TEXT(one->name, c.cell[r][1]);
        CHECK_TEXT(kind, c.cell[r][2]);
        CHECK_INT(one->chapter, number(&c, r, 3));
        check_places(&c, r, one->places);
        CHECK_TEXT(potion_rarity_names[one->rarity], c.cell[r][5]);
        int total = 0;
        for (int k = 0; k < POTION_MAGIMINS; k++) {
            CHECK_INT(one->magimins[k], number(&c, r, 6 + k));
            CHECK_INT(potion_adds[r + 1][k], number(&c, r, 6 + k));
            total += one->magimins[k];
            CHECK_INT(one->traits[k], number(&c, r, 11 + k));
            CHECK_INT(potion_traits[r + 1][k], number(&c, r, 11 + k));
        }
        CHECK_INT(one->total, total);
        CHECK_INT(potion_takes[r + 1], total);
        CHECK_INT(potion_adds[r + 1][POTION_ADDS_TOTAL], total);
        CHECK_INT(one->price, number(&c, r, 16));
        CHECK_INT(potion_adds[r + 1][POTION_ADDS_PRICE], number(&c, r, 16));
        CHECK_INT(one->weight, number(&c, r, 17));
        CHECK(total <= POTION_TOTAL_MAX);
    }
    free(c.text);
}

TEST(recipes_are_those_of_the_file) {
    csv c;
    NEED(csv_read(&c, "recipes"));
    CHECK_INT(c.rows, POTION_RECIPES);
    for (int r = 0; r < c.rows; r++) {
        const potion_recipe *one = &potion_recipes[r];
        int sum = 0;
        CHECK_TEXT(one->name, c.cell[r][1]);
        CHECK_TEXT(potion_recipe_names[r], c.cell[r][1]);
        CHECK_TEXT(potion_family_names[one->family], c.cell[r][2]);
        for (int k = 0; k < POTION_MAGIMINS; k++) {
            CHECK_INT(one->parts[k], number(&c, r, 3 + k));
            CHECK_INT(potion_parts[r][k], number(&c, r, 3 + k));
            sum += one->parts[k];
        }
        CHECK_INT(one->sum, sum);
        CHECK_INT(potion_parts[r][POTION_PARTS_SUM], sum);
        CHECK_INT(one->licence, number(&c, r, 8));
        for (int t = 0; t < POTION_TIERS; t++) {
            CHECK_INT(one->time[t], number(&c, r, 9 + t));
        }
    }
    free(c.text);
}

TEST(cauldrons_are_those_of_the_file) {
    csv c;
    NEED(csv_read(&c, "cauldrons"));
    CHECK_INT(c.rows, POTION_CAULDRONS);
    for (int r = 0; r < c.rows; r++) {
        const potion_cauldron *one = &potion_cauldrons[r];
        CHECK_TEXT(one->name, c.cell[r][1]);
        CHECK_TEXT(potion_cauldron_names[r], c.cell[r][1]);
        CHECK_INT(one->level, number(&c, r, 3));
        CHECK_INT(one->items, number(&c, r, 4));
        CHECK_INT(one->magimins, number(&c, r, 5));
        CHECK_INT(potion_limits[r][0], number(&c, r, 4));
        CHECK_INT(potion_limits[r][1], number(&c, r, 5));
        CHECK_INT(one->day, number(&c, r, 6));
        CHECK_INT(one->chapter, number(&c, r, 7));
        CHECK_INT(one->gold, number(&c, r, 8));
        CHECK_TEXT(one->extra ? potion_ingredients[one->extra].name : "", c.cell[r][9]);
        CHECK(one->items <= POTION_ITEMS_MAX && one->magimins <= POTION_MAGIMINS_MAX);
    }
    free(c.text);
}

TEST(grades_and_prices_are_those_of_the_files) {
    csv c;
    NEED(csv_read(&c, "grades"));
    CHECK_INT(c.rows, POTION_GRADES);
    for (int g = 0; g < c.rows; g++) {
        CHECK_TEXT(potion_tier_names[g / POTION_STARS], c.cell[g][1]);
        CHECK_INT(g % POTION_STARS, number(&c, g, 2));
        CHECK_INT(potion_grade_from[g], number(&c, g, 3));
    }
    free(c.text);
    NEED(csv_read(&c, "prices"));
    CHECK_INT(c.rows, POTION_RECIPES);
    CHECK_INT(c.cells, 2 + POTION_GRADES);
    for (int r = 0; r < c.rows; r++) {
        for (int g = 0; g < POTION_GRADES; g++) {
            CHECK_INT(potion_prices[r][g], number(&c, r, 2 + g));
        }
    }
    free(c.text);
    NEED(csv_read(&c, "peer_prices"));
    int different = 0;
    for (int r = 0; r < POTION_RECIPES; r++) {
        for (int g = 0; g < POTION_GRADES; g++) {
            different += potion_peer_price(r, g) != potion_prices[r][g] ? 1 : 0;
        }
    }
    CHECK_INT(different, c.rows);
    for (int r = 0; r < c.rows; r++) {
        CHECK_INT(potion_peer_price(number(&c, r, 0), number(&c, r, 1)), number(&c, r, 2));
    }
    free(c.text);
}

TEST(stability_classes_are_those_of_the_file) {
    csv c;
    NEED(csv_read(&c, "stability"));
    CHECK_INT(c.rows, POTION_RULES * 4);
    for (int r = 0; r < c.rows; r++) {
        const potion_limit *one = &potion_stability[r];
        CHECK_TEXT(r < 4 ? "game" : "rl_peer", c.cell[r][0]);
        CHECK_INT(POTION_PERFECT - r % 4, number(&c, r, 1));
        CHECK_TEXT(potion_code_names[POTION_PERFECT - r % 4], c.cell[r][2]);
        CHECK_TEXT(r < 4 ? "all" : "wanted", c.cell[r][3]);
        CHECK_INT(one->times, number(&c, r, 4));
        CHECK_INT(one->limit, number(&c, r, 5));
        CHECK_INT(one->equal, number(&c, r, 6));
        CHECK_INT(one->shift, number(&c, r, 7));
        CHECK_INT(one->lucky_shift, number(&c, r, 8));
    }
    free(c.text);
}

TEST(contests_are_those_of_the_file) {
    csv c;
    NEED(csv_read(&c, "contests"));
    CHECK_INT(c.rows, POTION_CONTESTS * POTION_ROUNDS);
    for (int r = 0; r < c.rows; r++) {
        const potion_round *one = &potion_rounds[r];
        CHECK_INT(one->contest, r / POTION_ROUNDS);
        CHECK_TEXT(potion_contest_names[one->contest], c.cell[r][0]);
        CHECK_INT(one->chapter, number(&c, r, 1));
        CHECK_INT(one->day, number(&c, r, 2));
        CHECK_INT(one->round, number(&c, r, 3));
        CHECK_INT(one->round, r % POTION_ROUNDS + 1);
        CHECK_INT(one->recipe, number(&c, r, 4));
        CHECK_INT(one->need_tier, number(&c, r, 5));
        CHECK_INT(one->need_star, number(&c, r, 6));
        CHECK_INT(one->target, number(&c, r, 7));
        CHECK_INT(one->peer_cauldron, number(&c, r, 8));
        CHECK_INT(one->cauldron, number(&c, r, 9));
        CHECK(potion_cauldrons[one->cauldron].day <= one->day);
    }
    free(c.text);
}

/* ---- what holds about them ---- */

TEST(chapters_are_prefixes_of_the_actions) {
    static const int shop[POTION_RARITIES] = {10, 4, 2, 1};
    for (int i = 1; i <= POTION_INGREDIENTS; i++) {
        int chapter = potion_ingredients[i].chapter;
        CHECK(i <= potion_chapter_end[chapter] && i > potion_chapter_end[chapter - 1]);
        CHECK_INT(potion_ingredients[i].shop, shop[potion_ingredients[i].rarity]);
        CHECK_INT(potion_ingredient_find(potion_ingredients[i].name), i);
    }
    CHECK_INT(potion_chapter_end[POTION_CHAPTERS], POTION_INGREDIENTS);
    CHECK_INT(potion_ingredient_find("finish"), 0);
    CHECK_INT(potion_ingredient_find("FROG leg"), 25);
    CHECK_INT(potion_ingredient_find("frog"), 0);
}

/* floor(b 1.125^star (1.125^5 1.25)^tier + 0.5) gives all but nine cells. */
TEST(prices_follow_their_closed_form_but_for_nine) {
    int exceptions = 0;
    for (int r = 0; r < POTION_RECIPES; r++) {
        double tier = 1.0;
        for (int t = 0; t < POTION_TIERS; t++) {
            double price = potion_prices[r][0] * tier;
            for (int star = 0; star < POTION_STARS; star++) {
                exceptions += floor(price + 0.5) != potion_prices[r][t * POTION_STARS + star];
                price *= 1.125;
            }
            for (int k = 0; k < 5; k++) {
                tier *= 1.125;
            }
            tier *= 1.25;
        }
    }
    CHECK_INT(exceptions, 9);
}

TEST(a_grade_starts_at_its_threshold) {
    for (int g = 0; g < POTION_GRADES; g++) {
        CHECK_INT(potion_raw_grade(potion_grade_from[g]), g);
        if (g > 0) {
            CHECK_INT(potion_raw_grade(potion_grade_from[g] - 1), g - 1);
        }
    }
    CHECK_INT(potion_raw_grade(POTION_MAGIMINS_MAX), 35);
    CHECK_INT(potion_raw_grade(749), 30);
    CHECK_INT(potion_raw_grade(32), 3);
    CHECK_INT(potion_grade_after(35, 2), 35);
    CHECK_INT(potion_grade_after(0, -1), 0);
    CHECK_INT(potion_grade_after(5, 1), 6);
}
