/* ludus craft score, apply and measure: what they answer and what they refuse. */
#include "craft.h"
#include "names.h"

#include "tool_said.h"

#include <stdlib.h>

static const char item[] =
    "{\"base\":\"Blacksteel "
    "Sabatons\",\"ilvl\":82,\"rarity\":\"rare\",\"mods\":[\"IncreasedLife9\",\"FireResist6\"]}";

static lu_status ask(const char *tool, const char *text, const char *const *pairs,
                     lu_error *error) {
    lu_tool_io io = {0};
    return tool_ask(lu_tool_find("craft", tool), io, pairs, "item.json", text, error);
}

TEST(score_tells_what_is_missing) {
    const char *pairs[] = {
        "target={\"need\":[{\"id\":\"life\",\"any_of\":[{\"group\":\"life\",\"max_tier\":1}]},"
        "{\"id\":\"res\",\"any_of\":[{\"group\":\"resistance\"}],\"count\":2}],\"open_suffix\":1}",
        NULL};
    const char *done[] = {"target={\"need\":[{\"any_of\":[{\"group\":\"life\"}]}]}", NULL};
    lu_error error = {0};
    CHECK_INT(ask("score", item, pairs, &error), LU_OK);
    CHECK(strstr(said, "\"success\":false") &&
          strstr(said, "{\"id\":\"res\",\"have\":1,\"want\":2}"));
    CHECK_HAS(said, "missing: res 1 of 2");
    CHECK_INT(ask("score", item, done, &error), LU_OK);
    CHECK(strstr(said, "\"success\":true") && strstr(said, "\"missing\":[]"));
    const char *forbids[] = {"target={\"need\":[{\"any_of\":[{\"group\":\"life\"}]}],"
                             "\"forbid\":[{\"group\":\"fire_res\"}]}",
                             NULL};
    CHECK_INT(ask("score", item, forbids, &error), LU_OK);
    CHECK_HAS(said, "missing: forbid 1, none allowed");
    CHECK(ask("score", item, NULL, &error) != LU_OK && strstr(error.text, "'target_spec'"));
    const char *words[] = {"want=T1 life", NULL}, *odd[] = {"want=T1 lief", NULL};
    CHECK_INT(ask("score", item, words, &error), LU_OK);
    CHECK(strstr(said, "\"success\":true") && strstr(said, "\"most\":1,"));
    CHECK(ask("score", item, odd, &error) != LU_OK && strstr(error.text, "nearest: life"));
    const char *none[] = {"want=T99 life", NULL};
    CHECK(ask("score", item, none, &error) != LU_OK &&
          strstr(error.text, "tier 99, but on Blacksteel Sabatons its tiers go from 1 to 9"));
    const char *both[] = {"want=T1 life", done[0], NULL};
    CHECK_INT(ask("score", item, both, &error), LU_USAGE);
    CHECK(ask("score", "{\"base\":\"Ruby Ring\",\"need\":[]}", done, &error) != LU_OK &&
          strstr(error.text, "neither 'rarity' nor 'mods'"));
    CHECK(ask("score", "{\"base\":\"Tea Cup\",\"mods\":[]}", done, &error) != LU_OK &&
          strstr(error.text, "knows no base 'Tea Cup'"));
}

TEST(apply_uses_one_currency_with_its_price) {
    lu_error error = {0};
    const char *exalt[] = {"action=exalt_suffix", "seed=5", NULL};
    CHECK_INT(ask("apply", item, exalt, &error), LU_OK);
    CHECK(strstr(said, "\"used\":true") &&
          strstr(said, "\"omens\":[\"omen_of_dextral_exaltation\"]"));
    char first[sizeof said];
    strcpy(first, said);
    CHECK_INT(ask("apply", item, exalt, &error), LU_OK);
    CHECK(strcmp(first, said) == 0); /* the same seed, the same item */
    const char *two[] = {"action=exalted_orb+omen_of_greater_exaltation", NULL};
    CHECK_INT(ask("apply", item, two, &error), LU_OK);
    CHECK(strstr(said, "\"used\":true"));
    /* by the names of the game, with the same answer; the pack by either name of the setting */
    const char *named[] = {"action=Exalted Orb + Omen of Dextral Exaltation", "seed=5",
                           "data=poe2-0.4", NULL};
    CHECK_INT(ask("apply", item, named, &error), LU_OK);
    CHECK(strcmp(first, said) == 0);
    const char *augment[] = {"action=augment", NULL};
    CHECK_INT(ask("apply", item, augment, &error), LU_OK);
    CHECK(strstr(said, "\"used\":false") && strstr(said, "not for items of this rarity"));
    const char *essence[] = {"action=essence_1", NULL};
    CHECK(ask("apply", item, essence, &error) != LU_OK &&
          strstr(error.text, "' has nothing to use here: name the currency or essence"));
    const char *tea[] = {"action=tea", NULL};
    CHECK(ask("apply", item, tea, &error) != LU_OK && strstr(error.text, "'tea'"));
}

TEST(what_players_read_has_names_and_grouped_figures) {
    const craft_pack *pack = craft_pack_find("poe2-0.4");
    const char *catalyst[] = {"action=uul_netols_catalyst", NULL};
    lu_error error = {0};
    CHECK_INT(ask("apply", item, catalyst, &error), LU_OK);
    CHECK_HAS(said, "Uul-Netol's Catalyst cannot be used: ");
    CHECK_TEXT(craft_title(pack, "omen_of_whittling"), "Omen of Whittling");
    CHECK_TEXT(craft_say_figure(4.0794921).text, "4.079");
    CHECK_TEXT(craft_say_figure(999.96).text, "1,000");
    CHECK_TEXT(craft_say_figure(8344816.6).text, "8,344,817");
    CHECK_TEXT(craft_say_figure(-123456.0).text, "-123,456");
}

TEST(measure_plays_a_baseline) {
    const char *pairs[] = {"bot=ladder", "episodes=300", NULL};
    const char *settings[] = {"bot=chaos_spam", "variant=craft-classic-v1", "episodes=20",
                              "settings={\"budget\":5}", NULL};
    const char *nobody[] = {"bot=tea", NULL};
    lu_error error = {0};
    CHECK_INT(ask("measure", NULL, pairs, &error), LU_OK);
    /* kinds of final items and what is left add up to all */
    lu_json_document *document = lu_json_read("answer", said, strlen(said), &error);
    const lu_json_value *root = lu_json_root(document), *kinds = lu_json_get(root, "final_items");
    double sum = lu_json_real_or(lu_json_get(root, "other_items"), -1.0);
    for (size_t k = 0; k < lu_json_count(kinds); k++) {
        const lu_json_value *kind = lu_json_at(kinds, k);
        sum += lu_json_real_or(lu_json_get(kind, "share"), -1.0);
        CHECK(lu_json_count(lu_json_get(kind, "hits")) >=
              (size_t)lu_json_real_or(lu_json_get(kind, "requirements"), 99.0));
    }
    CHECK(lu_json_count(kinds) > 1 && sum > 1.0 - 1e-9 && sum < 1.0 + 1e-9);
    lu_json_close(document);
    CHECK(strstr(said, "\"episodes\":300") && strstr(said, "\"rank\":\"p90\""));
    CHECK(strstr(said, "\"uses_by_action\":{\"new_base\":"));
    CHECK_INT(ask("measure", NULL, settings, &error), LU_OK);
    CHECK(strstr(said, "\"budget\":1,"));
    CHECK(ask("measure", NULL, nobody, &error) != LU_OK && strstr(error.text, "no bot 'tea'"));
    CHECK(ask("measure", NULL, NULL, &error) != LU_OK && strstr(error.text, "--bot NAME"));
}

/* Costs 2, 4 and a failure of 6: a finished item costs (2 + 4 + 6) / 2. */
TEST(measure_counts_what_failures_cost) {
    static const char report[] = "{\"game\":\"craft-v1\",\"each\":["
                                 "{\"seed\":1,\"info\":{\"spent\":2,\"success\":true,\"bases\":1,"
                                 "\"uses\":3,\"end\":\"success\"}},"
                                 "{\"seed\":2,\"info\":{\"spent\":4,\"success\":true,\"bases\":1,"
                                 "\"uses\":3,\"end\":\"success\"}},"
                                 "{\"seed\":3,\"info\":{\"spent\":6,\"success\":false,\"bases\":4,"
                                 "\"uses\":3,\"end\":\"budget\"}}]}";
    lu_error error = {0};
    CHECK_INT(ask("measure", report, NULL, &error), LU_OK);
    CHECK(strstr(said, "\"expected_cost\":{\"mean\":6,") &&
          strstr(said, "\"cost_per_attempt\":4,"));
    CHECK(strstr(said, "\"bases\":2,") && strstr(said, "\"p50\":2,"));
    CHECK(ask("measure", "{}", NULL, &error) != LU_OK && strstr(error.text, "'each' must be"));
}
