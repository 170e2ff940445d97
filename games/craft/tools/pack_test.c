/* ludus craft pack: what each form becomes, that it can be crafted with, and what is refused. */
#include "craft_pack_file.h"
#include "craft_pool.h"

#include "fixture_test.h"

#include <stdio.h>

/* The answer of the tool to some fixtures, as a pack; NULL where it is refused. */
static craft_pack_file *made(const char *const *names, const char *const *pairs, lu_error *error) {
    const lu_tool *tool = lu_tool_find("craft", "pack");
    lu_settings *settings = lu_settings_new();
    lu_tool_input inputs[4];
    char *texts[4];
    int count = 0;
    lu_settings_add(settings, tool->settings);
    for (; pairs && *pairs; pairs++) {
        CHECK_INT(lu_settings_set_pair(settings, *pairs, LU_FROM_FLAG, "test", error), LU_OK);
    }
    for (; names[count]; count++) {
        texts[count] = fixture(names[count]);
        inputs[count] = (lu_tool_input){names[count], texts[count], strlen(texts[count])};
    }
    lu_tool_io io = {
        .settings = settings, .inputs = inputs, .input_count = count, .emit = said_add};
    said[0] = '\0';
    lu_status status = tool->run(&io, error);
    for (int k = 0; k < count; k++) {
        free(texts[k]);
    }
    lu_settings_delete(settings);
    return status == LU_OK ? craft_pack_file_read("made", said, strlen(said), error) : NULL;
}

static craft_pool *pool_of(const craft_pack *pack, const char *base, int ilvl) {
    craft_pool *pool = lu_alloc(sizeof *pool);
    craft_switches switches = craft_switches_of(4);
    lu_error error = {0};
    int row = craft_base_find(pack, base);
    CHECK(row >= 0);
    CHECK_TEXT(craft_pool_init(pool, pack, row, ilvl, &switches, &error) == LU_OK ? "" : error.text,
               "");
    return pool;
}

TEST(craft_of_exile_becomes_a_pack) {
    const char *names[] = {"coe_data.json", "coe_lang.json", "coe_common.json", NULL};
    lu_error error = {0};
    craft_pack_file *file = made(names, NULL, &error);
    CHECK_TEXT(error.text, "");
    NEED(file != NULL);
    CHECK_HAS(said, "read: 2 bench costs, with a median of 194");
    CHECK_HAS(said, "missing: 1 unknown weight (");
    const craft_pack *pack = craft_pack_file_pack(file);
    craft_pool *boots = pool_of(pack, "Made Up Boots", 82),
               *ring = pool_of(pack, "Made Up Ring", 82);
    CHECK_INT(boots->drawn[CRAFT_PREFIX], 2);
    CHECK_INT(boots->drawn[CRAFT_SUFFIX], 1);
    CHECK_INT(boots->floor[0].total[CRAFT_PREFIX], 1500);
    CHECK_INT(boots->entries, 4);            /* with the desecrated one */
    CHECK_INT(ring->drawn[CRAFT_SUFFIX], 0); /* its weight is not known */
    CHECK_INT(ring->floor[0].total[CRAFT_PREFIX], 800);
    const craft_mod *best = &pack->mods[boots->entry[0].mod];
    CHECK_TEXT(best->text, "+(20-29) to maximum Life");
    CHECK_INT(best->range[0].high, 29);
    CHECK(
        craft_in_group(pack, craft_group_find(pack, "fire_res"), &pack->mods[boots->entry[2].mod]));
    /* by what it reads like it is of the ladder that a target means by life */
    CHECK(craft_in_group(pack, craft_group_find(pack, "life"), best));
    CHECK_HAS(said, "next: --json > FILE writes the pack");
    free(boots);
    free(ring);
    craft_pack_file_free(file);
}

TEST(repoe_becomes_a_pack_with_its_spawn_lists) {
    const char *names[] = {"repoe_mods.json", "repoe_bases.json", NULL};
    const char *alone[] = {"repoe_mods.json", NULL};
    lu_error error = {0};
    craft_pack_file *file = made(names, NULL, &error);
    CHECK_TEXT(error.text, "");
    NEED(file != NULL);
    const craft_pack *pack = craft_pack_file_pack(file);
    craft_pool *boots = pool_of(pack, "made up boots", 82),
               *ring = pool_of(pack, "Made Up Ring", 5);
    CHECK_INT(boots->drawn[CRAFT_PREFIX], 2);
    CHECK_INT(boots->drawn[CRAFT_SUFFIX], 2);
    CHECK_INT(ring->drawn[CRAFT_PREFIX], 2);
    CHECK_INT(ring->floor[0].total[CRAFT_PREFIX], 1); /* the other is above its item level */
    int fire = craft_entry_of(boots, craft_mod_find(pack, "FireResist1"));
    int cold = craft_entry_of(boots, craft_mod_find(pack, "ColdOnly1"));
    CHECK(boots->entry[cold].adds & boots->entry[fire].bars); /* an added tag keeps fire out */
    free(boots);
    free(ring);
    craft_pack_file_free(file);
    CHECK(!made(alone, NULL, &error));
    CHECK_HAS(error.text, "base_items.json");
}

/* Text with so many more rows behind a mark. */
static char *with_rows(const char *name, const char *mark, const char *row, int count) {
    lu_text text = LU_TEXT_INIT;
    char *whole = fixture(name), *rest = strstr(whole, mark) + strlen(mark);
    lu_text_add_n(&text, whole, (size_t)(rest - whole));
    for (int k = 0; k < count; k++) {
        lu_text_addf(&text, row, k);
    }
    lu_text_add(&text, rest);
    free(whole);
    return text.text;
}

/* What there is no room for is told, in both forms. */
TEST(tags_and_tiers_beyond_the_room_are_told) {
    const struct {
        const char *name, *mark, *row, *beside[3], *sentence;
    } rows[] = {
        {"repoe_mods.json",
         "\"spawn_weights\": [",
         "{\"tag\": \"tag%d\", \"weight\": 1}, ",
         {"repoe_bases.json"},
         "missing: tags of spawn lists beyond 1024, asked for"},
        {"coe_data.json",
         "\"tiers\":{\"100\":{\"1\":[",
         "{\"ilvl\":\"1\",\"weighting\":\"1\",\"nvalues\":\"[[%d,2000]]\"},",
         {"coe_lang.json", "coe_common.json"},
         "missing: rows of tiers beyond 96 of one modifier: 937"},
    };
    const lu_tool *tool = lu_tool_find("craft", "pack");
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char *texts[4] = {with_rows(rows[i].name, rows[i].mark, rows[i].row, 1030)};
        lu_tool_input inputs[4] = {{rows[i].name, texts[0], strlen(texts[0])}};
        lu_settings *settings = lu_settings_new();
        lu_tool_io io = {
            .settings = settings, .inputs = inputs, .input_count = 1, .emit = said_add};
        lu_error error = {0};
        for (int k = 0; rows[i].beside[k]; k++, io.input_count++) {
            texts[k + 1] = fixture(rows[i].beside[k]);
            inputs[k + 1] = (lu_tool_input){rows[i].beside[k], texts[k + 1], strlen(texts[k + 1])};
        }
        lu_settings_add(settings, tool->settings);
        said[0] = '\0';
        tool->run(&io, &error);
        CHECK_TEXT(error.text, "");
        CHECK_HAS(said, rows[i].sentence);
        lu_settings_delete(settings);
        for (int k = 0; k < io.input_count; k++) {
            free(texts[k]);
        }
    }
}

TEST(plain_lists_become_a_pack_of_one_base) {
    const char *names[] = {"plain_mods.json", NULL};
    const char *pairs[] = {"base=My Belt", "class=Belt", "name=short", NULL};
    const char *teapot[] = {"class=Teapot", NULL};
    lu_error error = {0};
    craft_pack_file *file = made(names, pairs, &error);
    CHECK_TEXT(error.text, "");
    NEED(file != NULL);
    const craft_pack *pack = craft_pack_file_pack(file);
    craft_pool *pool = pool_of(pack, "My Belt", 82);
    CHECK_TEXT(pack->about.name, "short");
    CHECK_TEXT(pack->mods[pool->entry[0].mod].id, "life_1"); /* the better tier is the first */
    CHECK_INT(pool->entry[0].tiers, 2);
    CHECK_INT(pool->floor[0].total[CRAFT_SUFFIX], 200);
    CHECK_HAS(said, "weights of modifiers, which are not drawn: 1");
    free(pool);
    craft_pack_file_free(file);
    CHECK(!made(names, teapot, &error));
    CHECK_HAS(error.text, "'Teapot'");
}

#define HEAD  "{\"schema\":\"ludus.craft.pack/1\",\"name\":\"x\","
#define BASE  "\"bases\":[{\"base\":\"B\",\"class\":\"Boots\",\"pool\":\"p\"}],"
#define MOD   "{\"mod\":\"M\",\"family\":\"F\",\"side\":\"P\""
#define BASED HEAD BASE "\"mods\":["

TEST(a_pack_file_is_refused_with_its_row) {
    static const struct {
        const char *text, *says;
    } cases[] = {
        {"{\"schema\":\"tea\"}", "ludus.craft.pack/1"},
        {HEAD "\"rules\":\"tea\"}", "no pack 'tea'"},
        {HEAD "\"bases\":[]}", "'bases' must be a list"},
        {HEAD "\"bases\":[{\"base\":\"B\",\"class\":\"Tea\",\"pool\":\"p\"}],\"mods\":[1]}",
         "isn't a class of items"},
        {HEAD "\"bases\":[{\"base\":\"B\",\"class\":\"Boots\",\"pool\":\"p\",\"rare_prefixes\":5}],"
              "\"mods\":[1]}",
         "at most 6"},
        {BASED "{\"mod\":\"M\",\"family\":\"F\",\"side\":\"X\"}]}", "'side'"},
        {BASED MOD ",\"weights\":{\"q\":1}}]}", "no base is of the pool 'q'"},
        {BASED MOD ",\"weights\":{\"p\":70000}}]}", "'p'"},
        {BASED MOD ",\"ranges\":[[1,999]]}]}", "at most 254"},
        {BASED MOD ",\"ranges\":[[2,1]]}]}", "[low, high]"},
        {BASED MOD "}," MOD "}]}", "'M' is listed twice"},
        {BASED MOD ",\"weights\":{\"p\":1}},{\"mod\":\"N\",\"family\":\"F\",\"side\":\"S\","
                   "\"weights\":{\"p\":1}}]}",
         "prefixes and suffixes on one pool"},
        {BASED MOD ",\"adds\":[\"t\"],\"spawn\":[[\"t\",1]]}]}",
         "' is added by modifiers and can only exclude others"},
        {BASED MOD "}],\"essences\":[{\"essence\":\"tea\",\"mod\":\"M\"}]}", "an essence"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        lu_error error = {0};
        craft_pack_file *file =
            craft_pack_file_read("f", cases[k].text, strlen(cases[k].text), &error);
        CHECK(!file);
        CHECK_HAS(error.text, cases[k].says);
        CHECK_HAS(error.text, "f:1: ");
        craft_pack_file_free(file);
    }
}
