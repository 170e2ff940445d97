/* Tests of the optimiser: costs of the recorded cases, what it understood, what it left out, and
 * what it refuses. */
#include "want.h"

#include "tool_said.h"

extern const lu_tool lu_tool_craft_optimize;

#define PRICES                                                                                     \
    "prices={\"name\":\"p.json\",\"text\":\"{\\\"date\\\":\\\"a day\\\",\\\"prices\\\":{"          \
    "\\\"exalted_orb\\\":1,\\\"orb_of_annulment\\\":22,\\\"orb_of_augmentation\\\":0.0092,"        \
    "\\\"orb_of_transmutation\\\":0.0028,\\\"regal_orb\\\":0.0081,\\\"chaos_orb\\\":8,"            \
    "\\\"fracturing_orb\\\":2,\\\"white_base\\\":1}}\"}"

#define CHEAP                                                                                      \
    "prices={\"name\":\"p.json\",\"text\":\"{\\\"prices\\\":{\\\"exalted_orb\\\":1,"               \
    "\\\"orb_of_annulment\\\":2,\\\"orb_of_augmentation\\\":0.0092,"                               \
    "\\\"orb_of_transmutation\\\":0.0028,\\\"regal_orb\\\":0.0081,"                                \
    "\\\"fracturing_orb\\\":0.1,\\\"white_base\\\":1}}\"}"

static lu_status optimize(const char *const *pairs, lu_error *error) {
    return tool_ask(&lu_tool_craft_optimize, (lu_tool_io){0}, pairs, NULL, NULL, error);
}

TEST(the_recorded_optimum_is_found_and_told) {
    lu_error error = {LU_OK, ""};
    CHECK_INT(optimize((const char *const[]){"base=STR/DEX boots", "ilvl=82",
                                             "want=T4 life and move speed 25%", PRICES,
                                             "actions=orb_of_transmutation, orb_of_augmentation, "
                                             "regal_orb, exalted_orb, orb_of_annulment",
                                             "budget=30", NULL},
                       &error),
              LU_OK);
    CHECK_TEXT(error.text, "");
    CHECK_HAS(said, "\"base\":\"Blacksteel Sabatons\"");
    CHECK_HAS(said, "\"expected_cost\":36.98674253");
    CHECK_HAS(said, "\"first_action\":\"orb_of_transmutation\"");
    CHECK_HAS(said, "\"status\":\"optimal\"");
    CHECK_HAS(said, "\"date\":\"a day\"");
    CHECK_HAS(said, "Best strategy: expected cost 36.99 exalted, success 100%, path ");
    CHECK_HAS(said, "\"within_budget\":0.5");
    CHECK_HAS(said, "\"kind\":\"rules\"");
    CHECK_HAS(said, "\"expected_cost_chaos\":4.62");
}

TEST(what_has_no_price_is_left_out_and_named) {
    lu_error error = {LU_OK, ""};
    CHECK_INT(optimize((const char *const[]){"base=Heavy Belt", "want=T5 life", PRICES,
                                             "actions=plain", NULL},
                       &error),
              LU_OK);
    CHECK_HAS(said, "\"without_price\":[\"greater_orb_of_transmutation\"");
    CHECK_HAS(said, "lack of a price: Greater Orb of Transmutation");
    CHECK_HAS(said, "\"unparsed\":[]");
}

TEST(what_is_not_understood_stops_the_plan) {
    lu_error error = {LU_OK, ""};
    CHECK_INT(optimize((const char *const[]){"base=Heavy Belt", "want=T5 life, no such thing",
                                             PRICES, "actions=plain", NULL},
                       &error),
              LU_BAD_VALUE);
    CHECK_HAS(error.text, "not understood: 'no such thing'");
    CHECK_HAS(error.text, "understood: maximum life tier 5 or better; rephrase it");
    CHECK_INT(
        optimize((const char *const[]){"base=Heavy Belt", "want=T1 lief", PRICES, NULL}, &error),
        LU_BAD_VALUE);
    CHECK_HAS(error.text, "'lief' (nearest: life); understood: nothing");
}

/* Asks twice: in memory that is too small for all uses, and in enough. Costs and lower bounds. */
static void ask_in_both(const char *want, const char *prices, const char *actions, const char *how,
                        double cost[2], double low[2]) {
    static const char *const memory[] = {"memory=16", "memory=1024"};
    for (int k = 0; k < 2; k++) {
        lu_error error = {LU_OK, ""};
        CHECK_INT(
            optimize((const char *const[]){"base=Heavy Belt", "ilvl=82", "episodes=0", "spread=off",
                                           memory[k], want, actions, prices, NULL},
                     &error),
            LU_OK);
        lu_json_document *document = lu_json_read("said", said, strlen(said), &error);
        const lu_json_value *best = lu_json_get(lu_json_root(document), "strategy");
        cost[k] = lu_json_real_or(lu_json_get(best, "expected_cost"), -1.0);
        low[k] = lu_json_real_or(lu_json_at(lu_json_get(best, "cost_bounds"), 0), -1.0);
        CHECK_HAS(said, k == 0 ? "\"status\":\"best found\"" : "\"status\":\"optimal\"");
        CHECK_HAS(said, k == 0 ? how : "\"dropped\":[]");
        lu_json_close(document);
    }
    CHECK(low[0] > 2.0 && low[0] <= cost[1] && cost[1] < cost[0]);
}

TEST(where_uses_are_left_out_a_relaxation_bounds_the_cost) {
    double cost[2], low[2];
    ask_in_both("want=T4 life, T3 fire resistance", CHEAP,
                "actions=orb_of_transmutation, orb_of_augmentation, regal_orb, exalted_orb, "
                "orb_of_annulment, fracturing_orb",
                "as if removals could be chosen", cost, low);
}

TEST(bones_are_solved_in_memory_or_left_out_by_name) {
    double cost[2], low[2];
    ask_in_both("want=T6 life, T5 fire resistance", NULL,
                "actions=orb_of_transmutation, regal_orb, exalted_orb, "
                "preserved_collarbone+omen_of_dextral_necromancy, "
                "reveal+omen_of_abyssal_echoes",
                "\"dropped\":[\"bones\"]", cost, low);
    CHECK_HAS(said, "\"item\":\"preserved_collarbone\",\"d_cost\":1.3");
    CHECK_HAS(said, "\"uses\":{\"white_base\":12.6");
    CHECK(low[0] > 5.0 && low[1] > cost[1] * (1.0 - 1e-6));
}

TEST(what_cannot_be_is_refused_with_the_reason) {
    static const struct {
        const char *pairs[4], *says;
    } rows[] = {
        {{"base=Heavy Belt", NULL}, "needs a target"},
        {{"want=life", NULL}, "name a base"},
        {{"base=Heavy Bell", "want=life", NULL}, "has no base 'Heavy Bell'"},
        {{"base=Heavy Belt", "want=move speed", NULL}, "names no modifier of Heavy Belt"},
        {{"base=Heavy Belt", "want=life", "actions=orb", NULL},
         "knows no currency, essence or bone 'orb'"},
        {{"base=Heavy Belt", "want=life", "actions=Regal Orb, Exaltd Orb", NULL},
         "did you mean Exalted Orb?"},
        {{"base=purple boots dex", "want=life", NULL}, "only 'boots dex' names a base"},
    };
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        lu_error error = {LU_OK, ""};
        CHECK(optimize(rows[k].pairs, &error) != LU_OK);
        CHECK_HAS(error.text, rows[k].says);
    }
}

TEST(text_becomes_a_target) {
    const craft_pack *pack = craft_pack_find("poe2-0.4");
    craft_want want;
    lu_text words;
    lu_text_init(&words);
    craft_want_read(&want, pack,
                    "STR/DEX boots ilvl 85, T1 life, \xe2\x89\xa5"
                    "2 T2 res, open suffix, move speed \xe2\x89\xa5 25%");
    craft_want_words(&want.target, pack, &words);
    CHECK_TEXT(words.text, "maximum life tier 1, 2 x any resistance tier 2 or better, movement "
                           "speed of at least 25, 1 open suffix");
    CHECK_TEXT(want.target.base, "Blacksteel Sabatons");
    CHECK_INT(want.target.ilvl, 85);
    CHECK_INT(want.unparsed_count, 0);
    lu_text_clear(&words);
    craft_want_read(&want, pack, "ring life and two ele res");
    craft_want_words(&want.target, pack, &words);
    CHECK_TEXT(words.text, "maximum life, 2 x one of fire, cold, lightning");
    CHECK(craft_base_find(pack, want.target.base) >= 0);
    CHECK_INT(want.unparsed_count, 0);
    craft_want_read(&want, pack, "tier 2 or better fire resistance, lief");
    CHECK_INT(want.target.needs, 1);
    CHECK_INT(want.target.need[0].any_of[0].max_tier, 2);
    CHECK_INT(want.unparsed_count, 1);
    lu_text_free(&words);
}

/* As people say it: the base anywhere, several requirements in one piece, tiers on either side. */
TEST(text_of_players_becomes_a_target) {
    static const struct {
        const char *text, *base, *words, *unparsed, *nearest;
    } rows[] = {
        {"30 ms, open suffix on str/dex boots", "Blacksteel Sabatons",
         "movement speed of at least 30, 1 open suffix", NULL, NULL},
        {"Boots (STR/DEX) with 30% movement speed and 100+ life", "Blacksteel Sabatons",
         "movement speed of at least 30, maximum life of at least 100", NULL, NULL},
        {"belt: life, 3 res", "Fine Belt", "maximum life, 3 x any resistance", NULL, NULL},
        {"at least 80 life on a ring", "Unset Ring", "maximum life of at least 80", NULL, NULL},
        {"gloves dex with attack speed t1", "Polished Bracers", "attack speed tier 1", NULL, NULL},
        {"evasion boots, 30ms", "Drakeskin Boots", "movement speed of at least 30", NULL, NULL},
        {"ring int 30", "Unset Ring", "intelligence of at least 30", NULL, NULL},
        {"life ring 3 t1 res", "Unset Ring", "maximum life, 3 x any resistance tier 1", NULL, NULL},
        {"chaos res ring t1", "Unset Ring", "chaos resistance tier 1", NULL, NULL},
        {"ring with 2+ res, t1-t3 life", "Unset Ring",
         "2 x any resistance, maximum life tier 3 or better", NULL, NULL},
        {"Blacksteel Sabatons ilvl 82 t3 ms t4 life", "Blacksteel Sabatons",
         "movement speed tier 3 or better, maximum life tier 4 or better", NULL, NULL},
        {"armour/es helm, t2 es%, one prefix free", "Cryptic Crown",
         "% local defence tier 2 or better, 1 open prefix", NULL, NULL},
        {"sapphire jewel with spell damage", "Sapphire", "spell damage (weapon)", NULL, NULL},
        {"focus, energy shield t1", "Tasalian Focus", "", "energy shield t1", "flat energy shield"},
        {"ring with life but not mana", "Unset Ring", "", "life but not mana", ""},
        {"ring t0 life, 0 mana", "Unset Ring", "", "t0 life", ""},
        {"t1 ring", "Unset Ring", "", "t1", ""},
        {"ring ilvl 200 life", "Unset Ring", "maximum life", "ilvl 200", ""},
        {"boots t1 ms", "boots", "movement speed tier 1", NULL, NULL},
    };
    const craft_pack *pack = craft_pack_find("poe2-0.4");
    lu_text words = LU_TEXT_INIT;
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        craft_want want;
        craft_want_read(&want, pack, rows[k].text);
        lu_text_clear(&words);
        lu_text_add(&words, "");
        craft_want_words(&want.target, pack, &words);
        CHECK_TEXT(want.target.base, rows[k].base);
        CHECK_TEXT(words.text, rows[k].words);
        CHECK_INT(want.unparsed_count > 0, rows[k].unparsed ? 1 : 0);
        CHECK_TEXT(want.unparsed[0].text, rows[k].unparsed ? rows[k].unparsed : "");
        CHECK_TEXT(want.unparsed[0].nearest, rows[k].nearest ? rows[k].nearest : "");
    }
    lu_text_free(&words);
}
