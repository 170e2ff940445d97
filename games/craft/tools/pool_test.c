/* Tests of what the page asks beside costs: the modifiers of a base with a target read there, and
 * the policy and flow of an optimum. */
#include "craft.h"

#include "tool_said.h"

#include <stdlib.h>

extern const lu_tool lu_tool_craft_pool, lu_tool_craft_optimize;

static lu_status ask(const lu_tool *tool, const char *const *pairs, lu_error *error) {
    return tool_ask(tool, (lu_tool_io){0}, pairs, NULL, NULL, error);
}

/* Sum of the numbers behind a key. */
static double sum_of(const char *key) {
    double sum = 0.0;
    for (const char *at = strstr(said, key); at; at = strstr(at + 1, key)) {
        sum += strtod(at + strlen(key), NULL);
    }
    return sum;
}

TEST(a_base_tells_its_modifiers_and_how_words_are_read) {
    lu_error error = {LU_OK, ""};
    CHECK_INT(ask(&lu_tool_craft_pool,
                  (const char *const[]){"want=STR/DEX boots ilvl 85, T1 life, blorp", NULL},
                  &error),
              LU_OK);
    CHECK_HAS(said, "\"base\":\"Blacksteel Sabatons\",\"class\":\"Boots\",\"ilvl\":85");
    CHECK_HAS(said, "\"understood\":\"maximum life tier 1\"");
    CHECK_HAS(said, "\"unparsed\":[{\"text\":\"blorp\"");
    CHECK_HAS(said, "Not understood: 'blorp'");
    CHECK_HAS(said, "{\"mod\":\"IncreasedLife9\",\"text\":\"+(120-149) to maximum Life\"");
    CHECK_NEAR(sum_of("\"chance\":"), 1.0, 1e-9);
}

TEST(what_a_base_cannot_have_is_told_beside_what_it_can) {
    lu_error error = {LU_OK, ""};
    CHECK_INT(ask(&lu_tool_craft_pool,
                  (const char *const[]){"base=Heavy Belt", "want=move speed", NULL}, &error),
              LU_OK);
    CHECK_HAS(said, "\"problem\":\"");
    CHECK_HAS(said, "\"entries\":[{\"mod\":");
    CHECK(ask(&lu_tool_craft_pool, (const char *const[]){NULL}, &error) != LU_OK);
    CHECK_HAS(error.text, "name a base");
}

TEST(a_policy_and_its_flow_agree_with_the_optimum) {
    lu_error error = {LU_OK, ""};
    CHECK_INT(ask(&lu_tool_craft_optimize,
                  (const char *const[]){"base=Heavy Belt", "want=T4 life, fire res",
                                        "actions=orb_of_transmutation, orb_of_augmentation",
                                        "policy=true", NULL},
                  &error),
              LU_OK);
    double cost = strtod(strstr(said, "\"expected_cost\":") + 16, NULL);
    double success = strtod(strstr(said, "\"success_per_base\":") + 19, NULL);
    const char *fresh = strstr(said, "\"states\":[[0,0,");
    const char *done = strstr(said, "\"do\":\"stop\",\"visits\":");
    CHECK(fresh != NULL && done != NULL);
    if (fresh && done) {
        CHECK_NEAR(strtod(fresh + 15, NULL), cost - 1.0, 1e-3);
        CHECK_NEAR(strtod(done + 21, NULL), success, 1e-5);
    }
}
