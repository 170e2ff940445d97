/* Tests of the verify tool on scored hands and hand detection, and of the score tool: the recorded
 * files pass, every altered one fails with its difference named, what is no case is refused. */
#include "case.h"
#include "verify.h"

#include "ludus/file.h"

#include "tool_said.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern const lu_tool lu_tool_joker_verify, lu_tool_joker_score;

static lu_status verify(const char *text, lu_error *error) {
    return tool_ask(&lu_tool_joker_verify, (lu_tool_io){0}, NULL, "file.json", text, error);
}

static char *vectors(const char *name) {
    char path[80], *text = NULL;
    size_t length;
    lu_error error;
    snprintf(path, sizeof path, "games/joker/vectors/%s.json", name);
    if (lu_file_read(lu_test_source(path), 1 << 24, &text, &length, &error) != LU_OK) {
        lu_test_fail(__FILE__, __LINE__, "%s", error.text);
        return NULL;
    }
    return text;
}

static const char *last_line(void) {
    size_t end = strlen(said) - 1;
    said[end] = '\0';
    const char *line = strrchr(said, '\n');
    return line ? line + 1 : said;
}

TEST(the_recorded_hands_pass) {
    static const struct {
        const char *name, *sum;
    } files[] = {{"scoring", "{\"passed\":340,\"failed\":0}"},
                 {"scoring_two_peers", "{\"passed\":48,\"failed\":0}"},
                 {"detection", "{\"passed\":136,\"failed\":0}"}};
    for (int k = 0; k < 3; k++) {
        lu_error error = {LU_OK, ""};
        char *text = vectors(files[k].name);
        NEED(text);
        CHECK_INT(verify(text, &error), LU_OK);
        CHECK_TEXT(error.text, "");
        CHECK_TEXT(last_line(), files[k].sum);
        free(text);
    }
}

/* One case in the layout of the files, with one text replaced. */
static lu_status verify_one(const char *old, const char *new, lu_error *error) {
    static const char *const whole =
        "{\"format\":\"ludus-joker-scoring-1\",\"cases\":[{\"id\":\"a\",\"played\":[\"2H\","
        "\"2S:goldseal\"],\"held\":[\"KC:steel\"],\"jokers\":[{\"key\":\"j_green_joker\",\"sell\":"
        "2,\"state\":{\"mult\":3}}],\"ctx\":{\"money\":4},\"expect\":{\"hand\":\"Pair\","
        "\"scoring\":[0,1],\"chips\":14,\"mult\":7,\"score\":98,\"dollars\":3},"
        "\"state_after_scoring\":[{\"mult\":4}]}]}";
    char text[1024];
    const char *at = strstr(whole, old);
    if (!at) {
        lu_test_fail(__FILE__, __LINE__, "'%s' is not in the case", old);
        return LU_BAD_DATA;
    }
    snprintf(text, sizeof text, "%.*s%s%s", (int)(at - whole), whole, new, at + strlen(old));
    return verify(text, error);
}

TEST(every_altered_hand_fails_where_it_was_altered) {
    static const struct {
        const char *old, *new, *at;
    } rows[] = {
        {"Pair", "Flush", "\"at\":\"hand\""},
        {"[0,1]", "[0]", "scoring"},
        {"\"chips\":14", "\"chips\":15", "\"at\":\"chips\""},
        {"\"mult\":7,", "\"mult\":7.00001,", "\"at\":\"mult\""},
        {"\"score\":98", "\"score\":99", "\"at\":\"score\""},
        {"\"dollars\":3", "\"dollars\":0", "\"at\":\"dollars\""},
        {"[{\"mult\":4}]", "[{\"mult\":3}]", "state_after_scoring/0/mult"},
        {"[{\"mult\":4}]", "[{\"x\":3}]", "state_after_scoring/0/x"},
        {"KC:steel", "KC", "\"at\":\"mult\""},
        {"2S:goldseal", "2S:goldseal,foil", "\"at\":\"chips\""},
    };
    lu_error error = {LU_OK, ""};
    CHECK_INT(verify_one("14", "14", &error), LU_OK);
    /* 2 + 4 mult, then x1.5: the joker comes behind the held card */
    CHECK_HAS(said, "\"passed\":1");
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        CHECK_INT(verify_one(rows[k].old, rows[k].new, &error), LU_CHECK_FAILED);
        CHECK_HAS(said, "\"failed\":1");
        CHECK_HAS(said, rows[k].at);
    }
}

TEST(what_is_no_case_is_refused) {
    static const struct {
        const char *old, *new, *says;
    } rows[] = {
        {"\"2H\"", "\"1H\"", "'1H' isn't a card"},
        {"\"2H\"", "2", "entry 1 of 'played'"},
        {"\"2H\"", "\"2H\",\"2H\",\"2H\",\"2H\",\"2H\"", "'played' must be a list of 1 to 5"},
        {"goldseal", "goldseel", "'goldseel' of card"},
        {"goldseal", "+70000", "'+70000' of card"},
        {"goldseal", "goldseal,redseal", "'redseal' of card"},
        {"j_green_joker", "j_green_jocker", "did you mean 'green_joker'?"},
        {"{\"mult\":3}", "{\"x\":3}", "isn't a state of this joker"},
        {"{\"mult\":3}", "{\"mult\":-3}", "'mult'"},
        {"\"sell\":2", "\"ed\":\"gold\"", "edition 'gold'"},
        {"\"money\":4", "\"money\":\"x\"", "'money'"},
        {"\"money\":4", "\"blind\":\"bl_x\"", "blind: 'bl_x' is unknown"},
        {"\"money\":4", "\"odds\":0", "'odds'"},
        {"\"money\":4", "\"observatory\":{\"Par\":1}", "'observatory'"},
        {"\"ctx\":{\"money\":4}", "\"ctx\":4", "'ctx' must be an object"},
        {"\"ctx\":{\"money\":4}", "\"levels\":{\"Par\":4}", "there is no hand 'Par'"},
        {"\"ctx\":{\"money\":4}", "\"plays\":{\"Pair\":4}", "'plays' of 'Pair'"},
        {"[{\"mult\":4}]", "[]", "an entry for every joker"},
        {"\"expect\"", "\"except\"", "'expect' must be an object"},
    };
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        lu_error error = {LU_OK, ""};
        CHECK_INT(verify_one(rows[k].old, rows[k].new, &error), LU_BAD_DATA);
        CHECK_HAS(error.text, rows[k].says);
        CHECK_HAS(error.text, "file.json, case 'a'");
    }
}

TEST(cards_are_written_as_they_are_read) {
    static const char *const cards[] = {"2S",
                                        "TH:bonus",
                                        "AD:lucky,polychrome,redseal",
                                        "KC:+15",
                                        "9H:wild,foil,blueseal,+5,debuffed",
                                        "JD:debuffed",
                                        "QS:purpleseal"};
    for (size_t k = 0; k < sizeof cards / sizeof *cards; k++) {
        joker_card card;
        lu_text text = LU_TEXT_INIT;
        CHECK_INT(joker_card_read("cards", cards[k], &card, NULL), LU_OK);
        joker_put_card(&card, &text);
        CHECK_TEXT(text.text, cards[k]);
        lu_text_free(&text);
    }
}

TEST(cards_are_read_as_people_write_them) {
    static const char *const same[][2] = {{"10H", "TH"}, {"kh", "KH"}, {"10d:foil", "TD:foil"}};
    for (size_t k = 0; k < sizeof same / sizeof *same; k++) {
        joker_card a, b;
        CHECK_INT(joker_card_read("cards", same[k][0], &a, NULL), LU_OK);
        CHECK_INT(joker_card_read("cards", same[k][1], &b, NULL), LU_OK);
        CHECK(memcmp(&a, &b, sizeof a) == 0);
    }
}

/* ---- the score tool ---- */

/* Runs it with settings in pairs, up to a NULL. */
static lu_status score(const char *const *pairs, const char *file, lu_error *error) {
    return tool_ask(&lu_tool_joker_score, (lu_tool_io){0}, pairs, "cases.json", file, error);
}

TEST(every_step_of_a_score_is_shown) {
    static const char *const pairs[] = {"played=KH KD:redseal 5S", "held=KC",
                                        "jokers=blueprint, Baron ,mime", "ctx={\"money\":7}", NULL};
    lu_error error = {LU_OK, ""};
    CHECK_INT(score(pairs, NULL, &error), LU_OK);
    CHECK_TEXT(error.text, "");
    CHECK_HAS(said, "\"hand\":\"Pair\",\"level\":1,\"scoring\":[0,1]");
    CHECK_HAS(said, "\"chips\":40,\"mult\":10.125,\"score\":405");
    CHECK_HAS(said, "\"worst\":405,\"mean\":405,\"best\":405");
    CHECK_HAS(said, "{\"step\":\"held\",\"card\":\"KC\",\"held\":0,\"joker\":0,\"key\":"
                    "\"j_blueprint\",\"as\":1,\"x\":1.5,\"chips_now\":40,\"mult_now\":3}");
    CHECK_HAS(said, "\"Pair: 40 x 10.125 = 405\"");
    CHECK_HAS(said, "Blueprint as Baron on KC (held): x1.5  = 40 x 3");
}

TEST(jokers_and_levels_are_read_as_people_write_them) {
    static const char *const same[][4] = {
        {"played=AH AD", "jokers=joker:foil, Ride the Bus:7,holo, Ramen:x1.5",
         "levels=Pair 3, flush 2", NULL},
        {"played=[\"AH\",\"AD\"]",
         "jokers=[{\"key\":\"joker\",\"edition\":\"foil\"},{\"key\":\"j_ride_the_bus\",\"a\":7,"
         "\"ed\":\"holo\"},{\"key\":\"Ramen\",\"state\":{\"x\":1.5}}]",
         "levels={\"Pair\":3,\"Flush\":2}", NULL}};
    static const char *const wrong[][2] = {
        {"jokers=joker:7", "'7' of joker Joker is unknown or one too many"},
        {"jokers=joker:foil,Baron", "'Baron' of joker Joker is unknown"},
        {"jokers=joker:foil,holo", "'holo' of joker Joker is unknown or one too many"},
        {"jokers=Loyalty Card:3", "it stores no number"},
        {"jokers=Castle:7.5", "or the number it has stored"},
        {"jokers=[{\"key\":\"Ramen\",\"a\":150}]", "Ramen stores no 'a'"},
        {"levels=Pair", "'Pair' isn't a hand and its level, as in Pair 3"},
        {"levels=Peir 3", "there is no hand 'Peir'"},
        {"plays=Pair 3", "`ludus help joker score` shows"}};
    for (size_t k = 0; k < 2; k++) {
        lu_error error = {LU_OK, ""};
        CHECK_INT(score(same[k], NULL, &error), LU_OK);
        CHECK_TEXT(error.text, "");
        CHECK_HAS(said, "Pair: 112 x 39 = 4,368");
    }
    for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++) {
        const char *const pairs[] = {"played=2H", wrong[k][0], NULL};
        lu_error error = {LU_OK, ""};
        CHECK_INT(score(pairs, NULL, &error), LU_BAD_VALUE);
        CHECK_HAS(error.text, wrong[k][1]);
    }
}

TEST(luck_has_a_range) {
    static const char *const worst[] = {"played=[\"2H\"]", "jokers=[\"misprint\"]", NULL};
    static const char *const best[] = {"played=2H", "jokers=misprint", "luck=best", NULL};
    static const char *const few[] = {"played=2H", "jokers=misprint", "outcomes=5", NULL};
    lu_error error = {LU_OK, ""};
    CHECK_INT(score(worst, NULL, &error), LU_OK);
    CHECK_HAS(said, "\"score\":7,");
    CHECK_HAS(said, "\"luck\":{\"worst\":7,\"mean\":87.5");
    CHECK_HAS(said, "\"best\":168,\"dollars\":0,\"outcomes\":24,\"exact\":true}");
    CHECK_INT(score(best, NULL, &error), LU_OK);
    CHECK_HAS(said, "\"score\":168,");
    CHECK_INT(score(few, NULL, &error), LU_OK);
    CHECK_HAS(said, "\"exact\":false");
}

TEST(files_of_cases_are_scored) {
    static const char *const none[] = {NULL}, *const both[] = {"played=2H", NULL};
    static const char *const wrong[] = {"played=2H", "ctx={\"discard_left\":1}", NULL};
    lu_error error = {LU_OK, ""};
    CHECK_INT(score(none, "{\"cases\":[{\"id\":\"a\",\"played\":[\"2H\"]},{\"played\":[\"3H\"]}]}",
                    &error),
              LU_OK);
    CHECK_HAS(said, "{\"cases\":[{\"id\":\"a\",\"hand\":\"High Card\"");
    CHECK_HAS(said, "High Card: 8 x 1 = 8");
    CHECK_INT(score(none, "{\"played\":[\"2H\"]}", &error), LU_OK);
    CHECK_HAS(said, "\"score\":7,");
    CHECK_INT(score(none, "{\"played\":[\"0H\"]}", &error), LU_BAD_DATA);
    CHECK_HAS(error.text, "cases.json:1: played: '0H' isn't a card");
    CHECK_INT(score(none, "{\"played\":[\"2H\"],\"agree\":3,\"peers\":{},\"note\":\"\"}", &error),
              LU_OK);
    CHECK_INT(score(none, "{\"played\":[\"2H\"],\"joker\":[]}", &error), LU_BAD_DATA);
    CHECK_HAS(error.text, "a case has no 'joker'; did you mean 'jokers'?");
    CHECK_INT(score(none,
                    "{\"played\":[\"2H\"],\"jokers\":[{\"key\":\"j_ride_the_bus\",\"state\":7}]}",
                    &error),
              LU_BAD_DATA);
    CHECK_HAS(error.text, "'state' of j_ride_the_bus must be an object");
    CHECK_INT(score(none, "[1]", &error), LU_BAD_DATA);
    CHECK_INT(score(none, "{\"cases\":1}", &error), LU_BAD_DATA);
    CHECK_INT(score(none, "{", &error), LU_BAD_DATA);
    CHECK_INT(score(both, "{\"played\":[\"2H\"]}", &error), LU_USAGE);
    CHECK_INT(score(wrong, NULL, &error), LU_BAD_VALUE);
    CHECK_HAS(error.text, "'ctx' has no 'discard_left'; did you mean 'discards_left'?");
    CHECK_INT(score(none, NULL, &error), LU_USAGE);
    CHECK_HAS(error.text, "needs a file of cases, or played cards");
}
