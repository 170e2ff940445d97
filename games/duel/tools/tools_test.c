/* Tests of the tools of duel: vectors and extras pass, altered ones fail where they were altered;
 * odds and builds say what they should, and refuse with one sentence. */
#include "tool_said.h"

TEST(the_recorded_formulas_and_extras_pass) {
    tool_verify("duel", "games/duel/vectors/formulas.json", "{\"passed\":15,\"failed\":0}");
    tool_verify("duel", "games/duel/vectors/extras.json", "{\"passed\":20,\"failed\":0}");
}

static char *file_of(const char *path) {
    char *text = NULL;
    size_t length;
    lu_error error;
    if (lu_file_read(lu_test_source(path), 1 << 24, &text, &length, &error) != LU_OK) {
        lu_test_fail(__FILE__, __LINE__, "%s", error.text);
    }
    return text;
}

TEST(an_altered_number_fails_where_it_was_altered) {
    static const struct {
        const char *path, *old, *new, *at;
    } rows[] = {
        {"games/duel/vectors/formulas.json", "29184", "29185", "\"at\":\"ref/attack_roll\""},
        {"games/duel/vectors/formulas.json", "34027/58370", "34028/58370",
         "\"at\":\"ref/hit_chance\""},
        {"games/duel/vectors/formulas.json", "12.533502", "12.533602",
         "\"at\":\"ref/mean_damage\""},
        {"games/duel/vectors/formulas.json", "\"max_hit\"", "\"max_hat\"",
         "'max_hat' isn't a figure of an attack"},
        {"games/duel/vectors/formulas.json", "\"34027/58370\"", "0.45000000000",
         "\"at\":\"ref/hit_chance\""},
        /* formulas add up what is named, hands or no hands: a shield stands beside it */
        {"games/duel/vectors/formulas.json", "\"abyssal_whip\"", "\"dragon_claws\"",
         "\"at\":\"ref/attack_roll\""},
        {"games/duel/vectors/extras.json", "\"ticks\": 248", "\"ticks\": 249", "\"at\":\"ticks\""},
        {"games/duel/vectors/extras.json", "[1, 2, 2, 2, 3", "[1, 2, 2, 3, 3", "\"at\":\"list/3\""},
        {"games/duel/vectors/extras.json", "\"defence\": 91", "\"defence\": 90",
         "\"at\":\"after/0/defence\""},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        lu_error error = {0};
        char *text = file_of(rows[i].path);
        NEED(text);
        char *at = strstr(text, rows[i].old);
        NEED(at);
        NEED(strlen(rows[i].old) == strlen(rows[i].new));
        memcpy(at, rows[i].new, strlen(rows[i].new));
        CHECK_INT(
            tool_ask(lu_tool_find("duel", "verify"), (lu_tool_io){0}, NULL, "x.json", text, &error),
            LU_CHECK_FAILED);
        CHECK_HAS(said, rows[i].at);
        free(text);
    }
}

TEST(odds_answer_for_both_rule_sets) {
    static const char *const pairs[] = {"attacker.build=LMS_MED",        "attacker.set=spec",
                                        "attacker.potions=super_combat", "special=true",
                                        "defender.build=LMS_MED",        NULL};
    lu_error error = {0};
    CHECK_INT(tool_ask(lu_tool_find("duel", "odds"), (lu_tool_io){0}, pairs, NULL, NULL, &error),
              LU_OK);
    CHECK_HAS(said, "\"attack_roll\":26878");
    CHECK_HAS(said, "\"hit_chance\":\"38101/53758\"");
    CHECK_HAS(said, "\"attack_roll\":25873");
    CHECK_HAS(said, "\"max_hit\":37");
}

/* By the names of the game as by keys. */
TEST(odds_read_what_players_write) {
    static const char *const as[][6] = {
        {"attacker.gear=Dragon claws, Fire cape", "attacker.levels=Attack 118, strength=110",
         "attacker.potions=Super combat potion, Saradomin brew",
         "attacker.prayers=Piety, Protect from Melee", "special=true", NULL},
        {"attacker.gear=dragon_claws fire_cape", "attacker.levels=attack=118 strength=110",
         "attacker.potions=super_combat brew", "attacker.prayers=piety protect_melee",
         "special=true", NULL}};
    char first[sizeof said];
    lu_error error = {0};
    for (int k = 0; k < 2; k++) {
        CHECK_INT(
            tool_ask(lu_tool_find("duel", "odds"), (lu_tool_io){0}, as[k], NULL, NULL, &error),
            LU_OK);
        CHECK_TEXT(error.text, "");
        CHECK_HAS(said, "MED, Dragon claws (special) against MED");
        CHECK(k == 0 || strcmp(first, said) == 0);
        strcpy(first, said);
    }
}

/* Two doses of brew lower magic from 99 to 78: ice burst, and no barrage. */
TEST(odds_are_of_spells_that_the_level_allows) {
    const char *pairs[] = {"attacker.set=mage", "attacker.potions=brew,brew", NULL, NULL};
    const lu_tool *tool = lu_tool_find("duel", "odds");
    lu_error error = {0};
    CHECK_INT(tool_ask(tool, (lu_tool_io){0}, pairs, NULL, NULL, &error), LU_OK);
    CHECK_HAS(said, "\"spell\":\"ice_burst\"");
    pairs[2] = "spell=blood";
    CHECK_INT(tool_ask(tool, (lu_tool_io){0}, pairs, NULL, NULL, &error), LU_OK);
    CHECK_HAS(said, "\"spell\":\"blood_burst\"");
    pairs[2] = "spell=ice_barrage";
    CHECK(tool_ask(tool, (lu_tool_io){0}, pairs, NULL, NULL, &error) != LU_OK);
    CHECK_HAS(error.text, "ice_barrage needs magic 94, and the attacker's is 78");
    pairs[1] = "attacker.levels=magic=20";
    pairs[2] = NULL;
    CHECK(tool_ask(tool, (lu_tool_io){0}, pairs, NULL, NULL, &error) != LU_OK);
    CHECK_HAS(error.text, "ice_rush needs magic 58, and the attacker's is 20");
}

TEST(odds_are_of_a_build_from_a_file_too) {
    lu_text pair = LU_TEXT_INIT;
    lu_json json = LU_JSON_INIT;
    lu_error error = {0};
    char *text = file_of("games/duel/data/build.json");
    NEED(text);
    lu_json_object(&json);
    lu_json_key_string(&json, "name", "b.json");
    lu_json_key_string(&json, "text", text);
    lu_json_object_end(&json);
    lu_text_addf(&pair, "attacker.build.file=%s", json.text);
    const char *const pairs[] = {pair.text, NULL};
    CHECK_INT(tool_ask(lu_tool_find("duel", "odds"), (lu_tool_io){0}, pairs, NULL, NULL, &error),
              LU_OK);
    CHECK_HAS(said, "WHIP_MED, Abyssal whip against MED");
    CHECK_HAS(said, "\"attack_roll\":20544,");
    lu_json_free(&json);
    lu_text_free(&pair);
    free(text);
}

TEST(odds_refuse_what_is_not_there) {
    static const struct {
        const char *pair, *part;
    } rows[] = {
        {"attacker.gear=abysal_whip", "did you mean 'abyssal_whip'?"},
        {"attacker.gear=Abysal whip, Fire cape", "did you mean 'abyssal_whip'?"},
        {"attacker.prayers=pity", "'pity' isn't a prayer"},
        {"attacker.levels=attack", "'attack' has no number; write attack=118"},
        {"attacker.levels=luck=3", "'luck' isn't a level: attack, strength"},
        {"attacker.potions=beer", "'beer' must be one of"},
        {"special=true", "Abyssal tentacle has no special attack"},
        {"spell=ice_rush", "'spell' = ice_rush is not cast in this attack with Abyssal tentacle"},
        {"attacker.prayers=piety,rigour", "'attacker.prayers': some of these switch others off"},
        {"defender.prayers=smite,protect_from_magic", "switch others off"},
        {"queued=2", "'queued' = 2 is for the special of a granite maul"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const char *const pairs[] = {rows[i].pair, NULL};
        lu_error error = {0};
        CHECK(tool_ask(lu_tool_find("duel", "odds"), (lu_tool_io){0}, pairs, NULL, NULL, &error) !=
              LU_OK);
        CHECK_HAS(error.text, rows[i].part);
    }
}

TEST(a_build_is_shown_and_a_wrong_one_refused) {
    static const struct {
        const char *old, *new, *part;
    } rows[] = {
        {"\"kodai_wand\"", "\"kodai_wond\"", "did you mean 'kodai_wand'?"},
        {"\"dragon_claws\"", "\"abyssal_whip\"", "'abyssal_whip' has no special attack"},
        {"\"prayer\": 77", "\"prayer\": 60", "needs prayer 77 and defence 70"},
        {"\"normal\"", "\"brawl\"", "must be one of: normal, lms, pvp_arena"},
        {"\"abyssal_whip\"", "\"dragon_claws\"", "takes both hands"},
        {"\"brew\": 4", "\"brew\": 24", "no food fits"},
        {"\"fight\"", "\"fihgt\"", "a build has no 'fihgt'; did you mean 'fight'?"},
        {"\"brew\": 4", "\"brew\": 4, \"shark\": 9", "'supplies' has no 'shark'"},
        {"WHIP_MED", "WHIP\\u001b[31m", "letters, digits, _ or -"},
    };
    lu_error error = {0};
    char *text = file_of("games/duel/data/build.json");
    NEED(text);
    const lu_tool *tool = lu_tool_find("duel", "build");
    CHECK_INT(tool_ask(tool, (lu_tool_io){0}, NULL, "b.json", text, &error), LU_OK);
    CHECK_HAS(said, "Guthan's helm, Imbued guthix cape, ");
    CHECK_HAS(said, "\"name\":\"WHIP_MED\"");
    CHECK_HAS(said, "\"food\":9");
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char *at = strstr(text, rows[i].old);
        NEED(at);
        lu_text changed = LU_TEXT_INIT;
        lu_text_add_n(&changed, text, (size_t)(at - text));
        lu_text_add(&changed, rows[i].new);
        lu_text_add(&changed, at + strlen(rows[i].old));
        CHECK(tool_ask(tool, (lu_tool_io){0}, NULL, "b.json", changed.text, &error) != LU_OK);
        CHECK_HAS(error.text, rows[i].part);
        CHECK_HAS(error.text, "b.json");
        lu_text_free(&changed);
    }
    free(text);
}
