/* Targets: what is read, what an item fulfils, how near it is, and what is refused with a reason.
 */
#include "craft_target.h"

#include "test.h"

#include <stdlib.h>

typedef struct bench {
    const craft_pack *pack;
    craft_pool pool;
    craft_target target;
    craft_goal goal;
    lu_error error;
} bench;

static bench *bench_new(const char *base, int ilvl) {
    bench *b = lu_alloc_zero(1, sizeof *b);
    craft_switches switches = craft_switches_of(4);
    b->pack = craft_pack_find("poe2-0.4");
    if (craft_pool_init(&b->pool, b->pack, craft_base_find(b->pack, base), ilvl, &switches,
                        &b->error) != LU_OK) {
        lu_test_fail(__FILE__, __LINE__, "%s", b->error.text);
    }
    return b;
}

static lu_status aim(bench *b, const char *text) {
    lu_json_document *document = lu_json_read("target", text, strlen(text), &b->error);
    if (!document) {
        return LU_BAD_DATA;
    }
    lu_status status = craft_target_read(&b->target, b->pack, lu_json_root(document), &b->error);
    lu_json_close(document);
    return status == LU_OK ? craft_goal_init(&b->goal, &b->target, b->pack, &b->pool, &b->error)
                           : status;
}

/* A rare item with these modifiers at their lowest values. */
static craft_item item_of(const bench *b, const char *const *mods) {
    craft_item item;
    memset(&item, 0, sizeof item);
    item.rarity = CRAFT_RARE;
    for (int k = 0; mods[k]; k++) {
        int entry = craft_entry_of(&b->pool, craft_mod_find(b->pack, mods[k]));
        int side = b->pool.entry[entry].side;
        item.slot[k].entry = (uint16_t)entry;
        item.slot[k].flags = side ? CRAFT_IS_SUFFIX : 0;
        item.count[side]++;
    }
    craft_item_sum(&b->pool, &item);
    return item;
}

static void refused(const char *base, int ilvl, const char *target, const char *why) {
    bench *b = bench_new(base, ilvl);
    lu_status status = aim(b, target);
    if (status == LU_OK || !strstr(b->error.text, why)) {
        lu_test_fail(__FILE__, __LINE__, "%s: '%s' lacks '%s'", target, b->error.text, why);
    }
    free(b);
}

static const char brief[] =
    "{\"need\":[{\"id\":\"life\",\"any_of\":[{\"group\":\"life\",\"max_tier\":1}]},"
    "{\"id\":\"res\",\"any_of\":[{\"group\":\"resistance\",\"max_tier\":2}],\"count\":2},"
    "{\"id\":\"ms\",\"any_of\":[{\"group\":\"move_speed\",\"min_value\":25}]}],"
    "\"open_suffix\":1,\"score\":{\"life\":3,\"res\":1,\"ms\":2}}";

TEST(the_briefs_target_holds_for_the_right_item) {
    bench *b = bench_new("Blacksteel Sabatons", 85);
    if (aim(b, brief) != LU_OK) {
        lu_test_fail(__FILE__, __LINE__, "%s", b->error.text);
    }
    const char *right[] = {"IncreasedLife9", "MovementVelocity5", "FireResist8", "ColdResist7",
                           NULL};
    const char *slow[] = {"IncreasedLife9", "MovementVelocity3", "FireResist8", "ColdResist7",
                          NULL};
    const char *full[] = {"IncreasedLife9", "MovementVelocity5", "FireResist8",
                          "ColdResist7",    "LifeRegeneration3", NULL};
    craft_item item = item_of(b, right);
    CHECK(craft_fulfils(&b->goal, &b->pool, &item));
    item = item_of(b, slow);
    CHECK(!craft_fulfils(&b->goal, &b->pool, &item));
    item = item_of(b, full);
    CHECK(!craft_fulfils(&b->goal, &b->pool, &item));
    CHECK_INT(b->goal.count[1], 2);
    CHECK(b->goal.most == 7.0);
    free(b);
}

TEST(the_score_counts_best_tiers_and_what_blocks) {
    bench *b = bench_new("Blacksteel Sabatons", 85);
    NEED(aim(b, brief) == LU_OK);
    const char *none[] = {NULL}, *life[] = {"IncreasedLife9", NULL},
               *low[] = {"IncreasedLife1", NULL};
    craft_item item = item_of(b, none);
    CHECK(craft_score(&b->goal, &b->pool, &item) == 0.0);
    item = item_of(b, life);
    int top = b->pool.entry[item.slot[0].entry].tier;
    CHECK_INT(top, 1);
    CHECK(craft_score(&b->goal, &b->pool, &item) == 3.0);
    item = item_of(b, low);
    double tiers = b->pool.entry[item.slot[0].entry].tiers;
    CHECK(fabs(craft_score(&b->goal, &b->pool, &item) - (3.0 * 0.5 / tiers - 0.25 * 2.0)) < 1e-6);
    free(b);
}

/* The brief's own fields say the same. */
TEST(the_words_of_the_brief_are_read) {
    bench *b = bench_new("Blacksteel Sabatons", 85);
    static const char words[] =
        "{\"base\":\"Blacksteel Sabatons\",\"must_have_groups\":[\"life\",\"move_speed\"],"
        "\"min_res_mods\":2,\"min_tier_by_group\":{\"life\":1,\"resistance\":2},"
        "\"required_open_suffixes\":1,\"custom_score_weights\":{\"life\":3}}";
    if (aim(b, words) != LU_OK) {
        lu_test_fail(__FILE__, __LINE__, "%s", b->error.text);
    }
    CHECK_INT(b->target.needs, 3);
    CHECK_INT(b->target.need[0].any_of[0].max_tier, 1);
    CHECK(b->target.need[0].weight == 3.0 && b->target.need[2].count == 2);
    CHECK(b->target.open[1] == 1 && b->target.need[2].any_of[0].max_tier == 2);
    free(b);
    refused("Blacksteel Sabatons", 82, "{\"must_have_groups\":[\"tea\"]}", "knows no group 'tea'");
    refused("Blacksteel Sabatons", 82, "{\"min_res_mods\":2,\"colour\":1}", "'colour' is unknown");
}

/* A value inside a tier is a matter of the roll. */
TEST(a_value_inside_a_tier_asks_the_roll) {
    bench *b = bench_new("Blacksteel Sabatons", 85);
    NEED(aim(b, "{\"need\":[{\"any_of\":[{\"group\":\"life\",\"min_value\":130}]}]}") == LU_OK);
    const char *life[] = {"IncreasedLife9", NULL};
    craft_item item = item_of(b, life);
    int low = b->pool.entry[item.slot[0].entry].low;
    CHECK(!craft_fulfils(&b->goal, &b->pool, &item));
    item.slot[0].roll[0] = (uint8_t)(130 - low);
    CHECK(craft_fulfils(&b->goal, &b->pool, &item));
    item.slot[0].roll[0] = (uint8_t)(129 - low);
    CHECK(!craft_fulfils(&b->goal, &b->pool, &item));
    item.slot[0].factor[0] = 25; /* 102 percent, rounded up */
    CHECK(craft_fulfils(&b->goal, &b->pool, &item));
    free(b);
}

/* One modifier counts for every requirement it matches. */
TEST(a_modifier_counts_for_every_requirement) {
    bench *b = bench_new("Ruby Ring", 80);
    NEED(aim(b, "{\"need\":[{\"any_of\":[{\"group\":\"fire_res\"}]},{\"any_of\":[{\"group\":"
                "\"resistance\"}],\"count\":2}]}") == LU_OK);
    const char *two[] = {"FireResist6", "ColdResist6", NULL};
    craft_item item = item_of(b, two);
    CHECK(craft_fulfils(&b->goal, &b->pool, &item));
    free(b);
}

TEST(impossible_targets_are_refused_with_the_reason) {
    const char *boots = "Blacksteel Sabatons";
    refused(boots, 50,
            "{\"need\":[{\"id\":\"life\",\"any_of\":[{\"group\":\"life\",\"max_tier\":1}]}]}",
            "'life' asks for a tier or value that is impossible");
    refused(boots, 82, "{\"need\":[{\"id\":\"cast\",\"any_of\":[{\"group\":\"cast_speed\"}]}]}",
            "'cast' names no modifier of");
    refused(boots, 82,
            "{\"need\":[{\"any_of\":[{\"group\":\"resistance\"}],\"count\":3}],\"open_suffix\":1}",
            "do not fit together");
    refused(boots, 82,
            "{\"need\":[{\"any_of\":[{\"mod\":\"IncreasedLife9\"}]},{\"any_of\":[{\"mod\":"
            "\"IncreasedLife8\"}]}]}",
            "do not fit together");
    refused(boots, 82, "{\"need\":[],\"open_prefix\":4}", "has only 3 prefixes");
}

TEST(what_a_target_file_does_not_know_is_named) {
    const char *boots = "Blacksteel Sabatons";
    refused(boots, 82, "[]", "a target is an object");
    refused(boots, 82, "{\"need\":[],\"colour\":1}", "'colour' is unknown");
    refused(boots, 82, "{\"need\":[{\"any_of\":[{\"group\":\"colour\"}]}]}",
            "knows no group 'colour'");
    refused(boots, 82, "{\"need\":[{\"any_of\":[{\"max_tier\":1}]}]}", "names a group, family");
    refused(boots, 82,
            "{\"need\":[{\"any_of\":[{\"group\":\"life\",\"family\":\"IncreasedLife\"}]}]}",
            "name one of");
    refused(boots, 82, "{\"need\":[],\"score\":{\"life\":1}}", "no requirement has the id 'life'");
    refused(boots, 82, "{\"need\":[],\"exclude\":[\"omen_of_tea\"]}", "knows no 'omen_of_tea'");
    refused(boots, 82, "{\"need\":[{\"any_of\":[]}]}", "any_of is empty");
}
