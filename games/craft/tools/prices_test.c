/* ludus craft prices: each form of file, flags, what is missing, and that its answer reads back. */
#include "craft_price_file.h"

#include "fixture_test.h"

#include <math.h>
#include <stdio.h>

static lu_status ask(const char *text, const char *const *pairs, lu_error *error) {
    return tool_ask(lu_tool_find("craft", "prices"), (lu_tool_io){0}, pairs, "p.json", text, error);
}

static void ask_file(const char *name, const char *const *pairs) {
    char *text = fixture(name);
    lu_error error = {0};
    CHECK_TEXT(ask(text, pairs, &error) == LU_OK ? "" : error.text, "");
    free(text);
}

/* Price of an item as the last answer has it; -1: none. */
static double price(const char *item) {
    char key[CRAFT_PRICE_NAME];
    const char *prices = strstr(said, "\"prices\":{");
    const char *end = prices ? strchr(prices, '}') : NULL;
    snprintf(key, sizeof key, "\"%s\":", item);
    const char *at = prices ? strstr(prices, key) : NULL;
    return at && at < end ? strtod(at + strlen(key), NULL) : -1.0;
}

TEST(prices_of_ninja_are_joined_and_flagged) {
    const char *pairs[] = {"date=2026-07-04T10:00", "now=2026-07-04T20:00", NULL};
    ask_file("ninja.json", pairs);
    CHECK_NEAR(price("exalted_orb"), 1.0, 1e-12);
    CHECK_NEAR(price("chaos_orb"), 25.0, 1e-9);
    CHECK_NEAR(price("regal_orb"), 4.0, 1e-9);
    CHECK_HAS(said, "\"rates\":{\"divine\":200");
    CHECK_HAS(said, "Greater Regal Orb for 2 is cheaper than Regal Orb for 4");
    CHECK_HAS(said, "Greater Regal Orb: only 0.4 divine orbs' worth");
    CHECK_HAS(said, "\"unknown\":[\"tea_leaf\"]");
    CHECK_HAS(said, "\"orb_of_annulment\"");
    CHECK(price("tea_leaf") < 0.0 && !strstr(said, "\"old\""));
}

TEST(prices_of_scout_take_leagues_and_items) {
    char *leagues = fixture("scout_leagues.json"), *items = fixture("scout_items.json");
    const craft_pack *pack = craft_pack_at(0);
    craft_price_list list = {0};
    lu_error error = {0};
    CHECK_INT(craft_price_list_read(&list, pack, "l", leagues, strlen(leagues), "", &error), LU_OK);
    CHECK_INT(craft_price_list_read(&list, pack, "i", items, strlen(items), "", &error), LU_OK);
    const craft_price_row *lock = craft_price_row_of(&list, "hinekoras_lock");
    const craft_price_row *none = craft_price_row_of(&list, "orb_of_annulment");
    NEED(lock && none);
    CHECK_NEAR(lock->exalted, 4000.0, 1e-9);
    CHECK_NEAR(lock->volume, 60.0, 1e-9);
    CHECK_NEAR(list.chaos, 25.0, 1e-9);
    CHECK_TEXT(list.date, "2026-07-04T12:00:00");
    CHECK_TEXT(list.league, "Made Up League");
    CHECK(none->exalted < 0.0);
    CHECK(craft_price_list_read(&list, pack, "l", leagues, strlen(leagues), "Tea", &error) !=
              LU_OK &&
          strstr(error.text, "'Tea'"));
    craft_price_list_free(&list);
    free(leagues);
    free(items);
}

TEST(prices_of_a_digest_go_over_divines) {
    const char *pairs[] = {"now=2026-07-06", "base_price=2", NULL};
    ask_file("digest.json", pairs);
    CHECK_NEAR(price("divine_orb"), 200.0, 1e-9);
    CHECK_NEAR(price("chaos_orb"), 25.0, 1e-9);
    CHECK_NEAR(price("perfect_chaos_orb"), 100.0, 1e-9);
    CHECK_NEAR(price("white_base"), 2.0, 1e-9);
    CHECK(price("orb_of_alchemy") < 0.0);
    CHECK_HAS(said, "\"date\":\"2026-07-04T12:00Z\"");
    CHECK_HAS(said, "are 36 hours old, more than a day");
}

TEST(prices_answer_is_a_price_file) {
    lu_error error = {0};
    const char *pairs[] = {"now=2026-07-04", NULL};
    CHECK_INT(ask(NULL, pairs, &error), LU_OK);
    double chaos = price("chaos_orb");
    CHECK(chaos > 0.0 && strstr(said, "\"missing\":["));
    char *first = strdup(said);
    CHECK_INT(ask(first, pairs, &error), LU_OK);
    CHECK_NEAR(price("chaos_orb"), chaos, 0.0);
    char *again = strdup(said);
    CHECK_INT(ask(again, pairs, &error), LU_OK);
    CHECK_TEXT(said, again);
    free(first);
    free(again);
}

TEST(prices_refuse_with_a_sentence) {
    static const struct {
        const char *text, *says;
    } cases[] = {
        {"{\"prices\":{\"chaos_orb\":-1}}", "price of 'chaos_orb'"},
        {"{\"prices\":{\"chaos_orb\":\"dear\"}}", "price of 'chaos_orb'"},
        {"{\"unit\":\"tea\",\"prices\":{}}", "how many exalted orbs one 'tea' is"},
        {"{\"tea\":1}", ": not a price file: it has neither 'prices' (static), 'lines'"},
        {"{\"lines\":[{\"id\":\"chaos\",\"primaryValue\":1}]}", "what an exalted orb is worth"},
        {"{\"markets\":[{\"league\":\"A\"},{\"league\":\"B\"}]}", "'A' and 'B'"},
        {"[{\"Value\":\"A\",\"DivinePrice\":1,\"IsCurrent\":true},"
         "{\"Value\":\"B\",\"DivinePrice\":1,\"IsCurrent\":true}]",
         "2 leagues are current"},
        {"{", "p.json"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        lu_error error = {0};
        CHECK(ask(cases[k].text, NULL, &error) != LU_OK);
        CHECK_HAS(error.text, cases[k].says);
    }
    const char *bad[] = {"now=soon", NULL};
    lu_error error = {0};
    CHECK(ask("{\"prices\":{}}", bad, &error) != LU_OK && strstr(error.text, "'soon'"));
}

TEST(prices_convert_units_and_name_what_has_none) {
    lu_error error = {0};
    const char *pairs[] = {"now=2026-07-04", NULL};
    CHECK_INT(ask("{\"unit\":\"divine\",\"date\":\"2026-07-04\",\"rates\":{\"divine\":200},"
                  "\"prices\":{\"Chaos Orb\":0.5,\"regal_orb\":null}}",
                  pairs, &error),
              LU_OK);
    CHECK_NEAR(price("chaos_orb"), 100.0, 1e-9);
    CHECK_HAS(strstr(said, "\"missing\":["), "\"regal_orb\"");
}

TEST(prices_of_a_file_that_names_no_league_are_of_the_one_given) {
    const char *pairs[] = {"date=2026-07-04", "league=Made Up League", NULL};
    ask_file("ninja.json", pairs);
    CHECK_HAS(said, "\"league\":\"Made Up League\"");
}

TEST(prices_refuse_lists_that_take_long_to_search) {
    lu_text text = LU_TEXT_INIT;
    lu_error error = {0};
    lu_text_add(&text, "{\"core\":{\"primary\":\"exalted\"},\"lines\":[");
    for (int k = 0; k <= CRAFT_PRICE_ROWS; k++) {
        lu_text_add(&text, k > 0 ? ",{\"id\":\"a\"}" : "{\"id\":\"a\"}");
    }
    lu_text_add(&text, "]}");
    CHECK_INT(ask(text.text, NULL, &error), LU_BAD_DATA);
    CHECK_HAS(error.text, "'lines' has 5001 entries");
    lu_text_free(&text);
}
