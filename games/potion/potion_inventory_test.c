/* Tests of the reader of inventories: what may be written is understood, and what may not is
 * refused with file, line and what to do. */
#include "potion_inventory.h"

#include "ludus/file.h"
#include "test.h"

#include <stdlib.h>
#include <string.h>

enum { ROOT = 5, SHELL = 10, XENOPLASM = 162 }; /* actions */

static lu_status read_text(const char *text, uint8_t *stock, lu_error *error) {
    *error = (lu_error){LU_OK, ""};
    memset(stock, 7, POTION_ACTIONS);
    return potion_inventory_read("mine.txt", text, strlen(text), stock, error);
}

static int sum_of(const uint8_t *stock) {
    int sum = 0;
    for (int i = 0; i < POTION_ACTIONS; i++) {
        sum += stock[i];
    }
    return sum;
}

TEST(a_line_is_a_name_and_a_number) {
    static const char *const forms[] = {
        "Mandrake Root 4",
        "4 Mandrake Root",
        "4x Mandrake Root",
        "4 x Mandrake Root",
        "Mandrake Root x4",
        "Mandrake Root x 4",
        "Mandrake Root X4\r\n",
        "Mandrake Root,4",
        "Mandrake Root, x4",
        "4,Mandrake Root",
        "\"Mandrake Root\",4",
        "\"Mandrake Root\",\"4\"",
        "\"4\",\"Mandrake Root\"",
        "Mandrake Root;4",
        "Mandrake Root\t4",
        "Mandrake Root: 4",
        "Mandrake Root = 4",
        "mandrake   ROOT 004  # from the shop",
        "  \n# nothing yet\n\nMandrake Root 4",
        "\xef\xbb\xbfMandrake Root 4",
        "\xef\xbb\xbfname,pieces\r\nMandrake Root,4\r\n",
        "pieces;name\n4;Mandrake Root",
        "\"Name\",\"Pieces\"\n\"Mandrake Root\",\"4\"",
        "Mandrake Root 1\nmandrake root 0\nMANDRAKE ROOT 3",
        "{\"Mandrake Root\": 4}",
        "{\"5\": 4}",
        "\xef\xbb\xbf \r\n {\"mandrake root\": 4.0}",
        "{\"Mandrake Root\": 3, \"5\": 1}",
        "{\"day\": 3, \"inventory\": {\"Mandrake Root\": 4}}",
    };
    for (size_t k = 0; k < sizeof forms / sizeof *forms; k++) {
        uint8_t stock[POTION_ACTIONS];
        lu_error error;
        if (read_text(forms[k], stock, &error) != LU_OK || stock[ROOT] != 4 || sum_of(stock) != 4) {
            lu_test_fail(__FILE__, __LINE__, "'%s': %s", forms[k], error.text);
        }
    }
}

TEST(apostrophes_are_alike) {
    static const char *const forms[] = {"River-Pixie's Shell 2", "2 river-pixie\xe2\x80\x99s shell",
                                        "River-Pixie\xe2\x80\x98s Shell,2",
                                        "River-Pixie`s Shell x2",
                                        "{\"River-Pixie\xc2\xb4s Shell\": 2}"};
    for (size_t k = 0; k < sizeof forms / sizeof *forms; k++) {
        uint8_t stock[POTION_ACTIONS];
        lu_error error;
        CHECK_INT(read_text(forms[k], stock, &error), LU_OK);
        CHECK_TEXT(error.text, "");
        CHECK_INT(stock[SHELL], 2);
    }
}

TEST(an_x_may_begin_a_name) {
    uint8_t stock[POTION_ACTIONS];
    lu_error error;
    CHECK_INT(read_text("2 Xenoplasm\n3x xenoplasm\nXenoplasm x4", stock, &error), LU_OK);
    CHECK_INT(stock[XENOPLASM], 9);
}

TEST(every_name_is_read_in_every_form) {
    static const char *const forms[] = {"%s 3", "3 %s", "%s x3", "\"%s\",3", "{\"%s\": 3}"};
    for (int i = 1; i <= POTION_INGREDIENTS; i++) {
        for (size_t k = 0; k < sizeof forms / sizeof *forms; k++) {
            uint8_t stock[POTION_ACTIONS];
            char text[100];
            lu_error error;
            snprintf(text, sizeof text, forms[k], potion_ingredients[i].name);
            CHECK_INT(read_text(text, stock, &error), LU_OK);
            CHECK_INT(stock[i], 3);
            CHECK_INT(sum_of(stock), 3);
        }
    }
}

TEST(an_empty_inventory_is_one) {
    static const char *const forms[] = {"", "\n", "# nothing", "{}", "name,pieces\n"};
    for (size_t k = 0; k < sizeof forms / sizeof *forms; k++) {
        uint8_t stock[POTION_ACTIONS];
        lu_error error;
        CHECK_INT(read_text(forms[k], stock, &error), LU_OK);
        CHECK_INT(sum_of(stock), 0);
    }
}

TEST(what_is_wrong_is_told_with_its_line) {
    static const struct {
        const char *text, *said;
    } rows[] = {
        {"Mandrake Root 4\nMandrak Root 2",
         "mine.txt:2: 'Mandrak Root' isn't an ingredient; did you mean 'Mandrake Root'?"},
        {"MANDRAKE ROTO 2", "did you mean 'Mandrake Root'?"},
        {"\n\nMana 2",
         "mine.txt:3: 'Mana' isn't an ingredient; write its name as the game shows it"},
        {"Mandrake Root", "mine.txt:1: 'Mandrake Root' has no number of pieces; write"},
        {"Mandrake Root 4\nname,pieces", "mine.txt:2: 'name,pieces' has no number"},
        {"finish 2", "'finish' isn't an ingredient"},
        {"reserved 2", "'reserved' isn't an ingredient"},
        {"17", "mine.txt:1: '17' has no ingredient"},
        {"8 2", "'2' isn't an ingredient"},
        {"Mandrake Root -4",
         "mine.txt:1: '-4' isn't a number of pieces; write an integer from 0 to 255"},
        {"Mandrake Root 1.5", "'1.5' isn't a number"},
        {"+4 Mandrake Root", "'+4' isn't a number"},
        {"Mandrake Root 256", "mine.txt:1: more than 255 pieces of Mandrake Root; write fewer"},
        {"Mandrake Root 99999999999999999999", "more than 255 pieces"},
        {"Mandrake Root 200\nMandrake Root 56", "mine.txt:2: more than 255 pieces"},
        {"Mandrake\x01Root 4", "'Mandrake?Root' isn't an ingredient"},
        {"An ingredient with a name that goes on and on beyond all others 4",
         "'An ingredient with a name that goes on a...' isn't an ingredient"},
        {"Feyberry of the realm beyond the sea w\xe2\x80\x99s 4",
         "'Feyberry of the realm beyond the sea w...' is"},
        {"{\"Mandrake Root\": 4,\n \"Mandrak Root\": 2}", "mine.txt:2: 'Mandrak Root' isn't"},
        {"{\"Mandrake Root\": 256}", "mine.txt:1: the pieces of Mandrake Root must be an integer"},
        {"{\"Mandrake Root\": \"4\"}", "must be an integer from 0 to 255"},
        {"{\"Mandrake Root\": 1.5}", "must be an integer"},
        {"{\"Mandrake Root\": 255,\n\"5\": 1}", "mine.txt:2: more than 255 pieces"},
        {"{\"207\": 1}", "'207' isn't an ingredient"},
        {"{\"inventory\": [1]}", "mine.txt:1: 'inventory' must be an object"},
        {"{\"Mandrake Root\": 4", "mine.txt:1"},
        {"{\"Mandrake Root\": 1, \"Mandrake Root\": 2}", "mine.txt:1"},
    };
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        uint8_t stock[POTION_ACTIONS];
        lu_error error;
        lu_status status = read_text(rows[k].text, stock, &error);
        if (status != LU_BAD_DATA || !strstr(error.text, rows[k].said)) {
            lu_test_fail(__FILE__, __LINE__, "row %zu: status %d, %s", k, (int)status, error.text);
        }
        CHECK_INT(sum_of(stock), 7 * POTION_ACTIONS); /* untouched */
    }
}

TEST(bytes_of_any_kind_are_refused) {
    static const char zeros[] = "Mandrake Root\0 4";
    uint8_t stock[POTION_ACTIONS];
    lu_error error;
    CHECK_INT(potion_inventory_read("mine.txt", zeros, sizeof zeros - 1, stock, &error),
              LU_BAD_DATA);
    CHECK_HAS(error.text, "mine.txt:1: 'Mandrake Root?' isn't an ingredient");
}

TEST(the_example_is_read) {
    uint8_t stock[POTION_ACTIONS];
    char *text;
    size_t length;
    lu_error error = {LU_OK, ""};
    NEED(lu_file_read(lu_test_source("games/potion/data/inventory.txt"), 1 << 20, &text, &length,
                      &error) == LU_OK);
    CHECK_INT(potion_inventory_read("inventory.txt", text, length, stock, &error), LU_OK);
    CHECK_TEXT(error.text, "");
    CHECK(sum_of(stock) > 20);
    free(text);
}
