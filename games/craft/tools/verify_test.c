/* Tests of the verify tool: the recorded cases pass, an altered one fails with its key, every kind
 * of switch is read, and what is no case is refused. */
#include "ludus/file.h"
#include "tool_said.h"

#include <stdlib.h>

extern const lu_tool lu_tool_craft_verify;

static lu_status verify(const char *text, lu_error *error) {
    return tool_ask(&lu_tool_craft_verify, (lu_tool_io){0}, NULL, "file.json", text, error);
}

/* A recorded case: P1 to P12 are public, O1 to O19 of our own (vectors/make.py). */
static char *vector_of(char series, int number) {
    char path[64], *text = NULL;
    size_t length;
    lu_error error;
    snprintf(path, sizeof path, "games/craft/vectors/%c%d.json", series, number);
    if (lu_file_read(lu_test_source(path), 1 << 20, &text, &length, &error) != LU_OK) {
        lu_test_fail(__FILE__, __LINE__, "%s", error.text);
        return NULL;
    }
    return text;
}

TEST(the_recorded_cases_pass) {
    for (int k = 1; k <= 12 + 19; k++) {
        lu_error error = {LU_OK, ""};
        char *text = k <= 12 ? vector_of('P', k) : vector_of('O', k - 12);
        NEED(text);
        CHECK_INT(verify(text, &error), LU_OK);
        CHECK_TEXT(error.text, "");
        CHECK_HAS(said, "{\"passed\":1,\"failed\":0}");
        free(text);
    }
}

TEST(an_altered_case_fails_with_its_key) {
    lu_error error = {LU_OK, ""};
    char *text = vector_of('P', 2), *at = text ? strstr(text, "774.314726") : NULL;
    NEED(at);
    at[2] = '5';
    CHECK_INT(verify(text, &error), LU_CHECK_FAILED);
    CHECK_HAS(said, "\"at\":\"optimal_total_cost\"");
    free(text);
}

#define BOOTS "\"base\":\"Blacksteel Sabatons\",\"ilvl\":82"
#define LIFE  "\"spec\":{\"need\":[{\"any_of\":[{\"family\":\"IncreasedLife\"}]}]}"
#define RARE4                                                                                      \
    "\"item\":{\"rarity\":\"rare\",\"mods\":[\"IncreasedLife9\",\"FireResist4\",\"ColdResist6\"]"

static const struct {
    const char *what, *kind, *input;
    double chance;
} rows[] = {
    /* the number of an enumeration that keeps every level to the end */
    {"levels are forgotten behind the omen", "prob",
     "\"base\":\"Heavy Belt\",\"ilvl\":60,\"item\":{\"rarity\":\"normal\",\"mods\":[]},\"spec\":{"
     "\"need\":[{\"any_of\":[{\"family\":\"IncreasedLife\",\"max_tier\":6}]}],\"open_suffix\":1},"
     "\"actions\":[{\"currency\":\"orb_of_transmutation\"},{\"currency\":\"regal_orb\"},"
     "{\"currency\":\"exalted_orb\"},{\"currency\":\"chaos_orb\",\"omens\":["
     "\"omen_of_whittling\",\"omen_of_dextral_erasure\"]},{\"currency\":\"exalted_orb\"}]",
     0.20851283119791167},
    {"one of three goes", "prob",
     BOOTS "," LIFE "," RARE4 "},\"actions\":[{\"currency\":\"orb_of_annulment\"}]", 2.0 / 3.0},
    {"a fractured one stays", "prob",
     BOOTS "," LIFE "," RARE4
           ",\"fractured\":[\"IncreasedLife9\"]},\"actions\":[{\"currency\":\"orb_of_annulment\"}]",
     1.0},
    {"only suffixes go", "prob",
     BOOTS "," LIFE "," RARE4
           "},\"actions\":[{\"currency\":\"orb_of_annulment\",\"omens\":[\"omen_of_dextral_"
           "annulment\"]}]",
     1.0},
    {"two of three go", "prob",
     BOOTS "," LIFE "," RARE4
           "},\"actions\":[{\"currency\":\"orb_of_annulment\",\"omens\":[\"omen_of_greater_"
           "annulment\"]}]",
     1.0 / 3.0},
    {"the lowest level goes", "prob",
     BOOTS "," LIFE "," RARE4
           "},\"actions\":[{\"currency\":\"chaos_orb\",\"omens\":[\"omen_of_whittling\"]}]",
     1.0},
    {"three real ones and an unrevealed one make four", "fracture",
     BOOTS "," RARE4 ",\"unrevealed\":[\"P\"]},\"want\":\"ColdResist6\"", 1.0 / 3.0},
    {"but not where it does not count", "fracture",
     BOOTS "," RARE4 ",\"unrevealed\":[\"P\"]},\"want\":\"ColdResist6\","
           "\"fracture_unrevealed_counts\":0",
     0.0},
    {"two prefixes have no room for a third", "classic_chaos",
     "\"base\":\"Gloam Ring\",\"ilvl\":34,\"weights\":\"flat\",\"spec\":{\"need\":[{\"any_of\":["
     "{\"ladder\":\"IncreasedLife\",\"max_tier\":4},{\"mod\":\"AddedColdDamage8\"}]}]}",
     0.040308978131099585},
    {"free slots alone are a target, and a name alone an action", "prob",
     BOOTS "," RARE4 "},\"spec\":{\"open_suffix\":2},\"actions\":[\"orb_of_annulment\"]",
     2.0 / 3.0},
    {"an essence gives its modifier", "prob",
     BOOTS "," LIFE ",\"item\":{\"rarity\":\"magic\",\"mods\":[\"FireResist6\"]},"
           "\"actions\":[{\"currency\":\"greater_essence_of_the_body\"}]",
     1.0},
    {"what cannot be used is passed over", "prob",
     BOOTS "," LIFE ",\"item\":{\"rarity\":\"normal\",\"mods\":[]},"
           "\"actions\":[{\"currency\":\"greater_essence_of_the_body\"},{\"currency\":\"exalted_"
           "orb\"}]",
     0.0},
};

TEST(chances_by_hand) {
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        lu_error error = {LU_OK, ""};
        char text[1200];
        snprintf(text, sizeof text,
                 "{\"kind\":\"%s\",\"input\":{%s},\"expect\":{\"probability\":%.17g}}",
                 rows[k].kind, rows[k].input, rows[k].chance);
        lu_status status = verify(text, &error);
        if (status != LU_OK) {
            lu_test_fail(__FILE__, __LINE__, "%s: %s %s", rows[k].what, error.text, said);
        }
    }
}

TEST(what_is_no_case_is_refused) {
    static const struct {
        const char *text, *says;
    } bad[] = {
        {"{\"kind\":\"guess\",\"input\":{" BOOTS "}}", "'kind' must be"},
        {"{\"kind\":\"prob\",\"input\":{\"base\":\"Boots\",\"ilvl\":1}}", "'base' names no base"},
        {"{\"kind\":\"prob\",\"input\":{" BOOTS "}}", "'spec' is missing"},
        {"{\"kind\":\"prob\",\"input\":{" BOOTS ",\"version\":\"0.9\"}}", "'version' must be"},
        {"{\"kind\":\"prob\",\"input\":{" BOOTS ",\"side_choice\":\"x\"}}", "'side_choice' has"},
        {"{\"kind\":\"reveal\",\"input\":{" BOOTS ",\"side\":\"S\"}}", "'wanted' must be"},
        {"{\"kind\":\"mdp\",\"input\":{" BOOTS "," LIFE ",\"item\":{\"rarity\":\"magic\"},"
         "\"actions\":[],\"prices\":{\"white_base\":1}}}",
         "starts from a white base"},
        {"{\"kind\":\"prob\",\"input\":{" BOOTS ",\"item\":{\"unrevealed\":[\"X\"]}}}",
         "'unrevealed' must be"},
        {"{\"kind\":\"prob\",\"input\":{" BOOTS ",\"item\":{\"fractured\":[\"X\"]}}}",
         "'fractured' names"},
    };
    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
        lu_error error = {LU_OK, ""};
        CHECK_INT(verify(bad[k].text, &error), LU_BAD_DATA);
        CHECK_HAS(error.text, bad[k].says);
    }
}

/* What is not read would change nothing, and what never ends has no mean. */
TEST(a_case_that_has_no_answer_says_why) {
    static const struct {
        const char *kind, *input, *says;
    } none[] = {
        {"prob", BOOTS "," LIFE ",\"actions\":[],\"colour\":1", "the key 'colour' is not known"},
        {"prob", BOOTS "," LIFE ",\"actions\":[],\"item\":{\"quality\":20}",
         "the key 'quality' is not known"},
        {"until",
         "\"base\":\"Heavy Belt\",\"ilvl\":1,\"spec\":{\"need\":[{\"any_of\":[{\"family\":"
         "\"IncreasedLife\"}],\"count\":2}]},\"setup\":[{\"currency\":\"orb_of_alchemy\"}],"
         "\"action\":{\"currency\":\"chaos_orb\"}",
         "no number of uses fulfils the target"},
    };
    for (size_t k = 0; k < sizeof none / sizeof *none; k++) {
        lu_error error = {LU_OK, ""};
        char text[1200];
        snprintf(text, sizeof text, "{\"kind\":\"%s\",\"input\":{%s},\"expect\":{}}", none[k].kind,
                 none[k].input);
        CHECK_INT(verify(text, &error), LU_CHECK_FAILED);
        CHECK_HAS(said, none[k].says);
    }
}

TEST(an_unknown_action_fails_its_case_alone) {
    static const struct {
        const char *action, *says;
    } unknown[] = {
        {"{\"currency\":\"divine_orb\"}", "the solver does not know divine_orb"},
        {"{\"currency\":\"vaal_orb\"}", "the solver does not know vaal_orb"},
        {"{\"currency\":\"exalted_orb\",\"omens\":[\"omen_of_sinistral_exaltation\","
         "\"omen_of_dextral_exaltation\"]}",
         "omen_of_dextral_exaltation contradicts another omen of exalted_orb"},
        {"{\"currency\":\"orb_of_tea\"}", "there is no currency, essence or bone 'orb_of_tea'"},
        {"{\"currency\":\"exalted_orb\",\"omens\":[\"omen_of_catalysing_exaltation\"]}",
         "the solver does not know omen_of_catalysing_exaltation"},
    };
    for (size_t k = 0; k < sizeof unknown / sizeof *unknown; k++) {
        static const char *const kinds[] = {"prob", "mdp"};
        for (int kind = 0; kind < 2; kind++) {
            lu_error error = {LU_OK, ""};
            char text[1200];
            snprintf(text, sizeof text,
                     "{\"id\":\"U\",\"kind\":\"%s\",\"input\":{" BOOTS "," LIFE
                     ",\"actions\":[%s]},\"expect\":{\"probability\":1}}",
                     kinds[kind], unknown[k].action);
            CHECK_INT(verify(text, &error), LU_CHECK_FAILED);
            CHECK_HAS(said, "\"id\":\"U\",\"ok\":false");
            CHECK_HAS(said, unknown[k].says);
            CHECK_HAS(said, "{\"passed\":0,\"failed\":1}");
        }
    }
}
