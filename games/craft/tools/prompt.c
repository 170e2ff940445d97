/* ludus craft prompt: what to say to a language model so that it writes a wish down as a target.
 * The model is asked elsewhere (ludus-fetch, or by hand); its answer is a target file like any
 * other, which `pool` and `optimize` check. */
#include "craft_tables.h"

#include "ludus/text.h"
#include "ludus/tool.h"

static const lu_setting rows[] = {
    {"want", LU_TEXT, "", 0, 4000, NULL, "Your wish, in any words.", false},
    {"ruleset", LU_ENUM, "poe2-0.4", 0, 0, "poe2-0.4|poe2-0.3|poe2-0.5", "Pack of rules and data.",
     false},
    {"data", LU_ALIAS, "ruleset", 0, 0, NULL, "The same.", false},
};

static const char form[] =
    "You write down what somebody wants of a crafted item of Path of Exile 2 as one JSON object, "
    "and answer with nothing else.\n"
    "Example: T1 life, two T2 resistances, 25% movement speed and a free suffix on STR/DEX boots "
    "of "
    "item level 85 is\n"
    "{\"base\":\"STR/DEX boots\",\"ilvl\":85,\"need\":["
    "{\"id\":\"life\",\"any_of\":[{\"group\":\"life\",\"max_tier\":1}],\"count\":1},"
    "{\"id\":\"res\",\"any_of\":[{\"group\":\"resistance\",\"max_tier\":2}],\"count\":2},"
    "{\"id\":\"speed\",\"any_of\":[{\"group\":\"move_speed\",\"min_value\":25}],\"count\":1}],"
    "\"open_suffix\":1}\n"
    "base: the name of a base, or a class, with the attributes of armour (STR, DEX, INT) before "
    "it.\n"
    "ilvl: item level, 1 to 100.\n"
    "need: at most 8 requirements, each with an id of its own; count is how many modifiers must "
    "match one of any_of.\n"
    "any_of: a group of the list below; max_tier is the worst tier that counts (1 is the best), "
    "min_value the least number that is rolled.\n"
    "open_prefix, open_suffix: free places, 0 to 3.\n"
    "forbid: a list like any_of, of what must not be there.\n"
    "budget: what it may cost, in exalted orbs.\n"
    "Leave out what the wish does not say, and add no other keys.\n";

static void add_lists(const craft_pack *pack, lu_text *text) {
    lu_text_add(text, "Classes:");
    for (int k = 0; k < pack->class_count; k++) {
        lu_text_addf(text, "%s %s", k > 0 ? "," : "", pack->classes[k].name);
    }
    lu_text_add(text, "\nGroups, with what they are:\n");
    for (int k = 0; k < pack->group_count; k++) {
        lu_text_line(text, "%s: %s", pack->groups[k].id, pack->groups[k].label);
    }
}

static void put_message(lu_json *json, const char *role, const char *content) {
    lu_json_object(json);
    lu_json_key_string(json, "role", role);
    lu_json_key_string(json, "content", content);
    lu_json_object_end(json);
}

static lu_status run(const lu_tool_io *io, lu_error *error) {
    const char *want = lu_settings_text_of(io->settings, "want");
    lu_text text = LU_TEXT_INIT;
    lu_json json = LU_JSON_INIT;
    if (!*want) {
        return lu_fail(error, LU_USAGE,
                       "craft prompt needs a wish: --want \"boots with life and resistances\"");
    }
    lu_text_add(&text, form);
    add_lists(craft_pack_at(lu_settings_enum(io->settings, "ruleset")), &text);
    lu_json_object(&json);
    lu_json_key_array(&json, "messages");
    put_message(&json, "system", text.text);
    put_message(&json, "user", want);
    lu_json_array_end(&json);
    lu_json_key_array(&json, "words");
    lu_json_string(&json, text.text);
    lu_json_string(&json, want);
    lu_json_array_end(&json);
    lu_json_object_end(&json);
    io->emit(io->user, json.text, json.length);
    lu_json_free(&json);
    lu_text_free(&text);
    return LU_OK;
}

extern const lu_tool lu_tool_craft_prompt;
const lu_tool lu_tool_craft_prompt = {
    .game = "craft",
    .name = "prompt",
    .sentence = "Prints a prompt that makes a language model turn a wish into a target.",
    .settings = {"craft prompt", rows, sizeof rows / sizeof *rows},
    .run = run,
    .no_files = true,
};
