/* What tools that look at one item share: the item from an input, on the pool of its base, and
 * prices. A part of the tools score, apply, optimize, advise and measure.
 * Ownership: the caller's, from open to close. Threads: one each. */
#pragma once

#include "ludus/tool.h"

#include "craft.h"
#include "craft_pack_file.h"
#include "craft_switches.h"

/* Settings of such a tool; the switches follow them. */
#define CRAFT_ITEM_SETTINGS                                                                        \
    {                                                                                              \
        "ruleset",                                                                                 \
        LU_ENUM,                                                                                   \
        "poe2-0.4",                                                                                \
        0,                                                                                         \
        0,                                                                                         \
        "poe2-0.4|poe2-0.3|poe2-0.5",                                                              \
        "Pack of rules and data.",                                                                 \
        false},                                                                                    \
        {"data", LU_ALIAS, "ruleset", 0, 0, NULL, "The same.", false},                             \
        {"pack", LU_FILE, "", 0, 0, NULL, "Your own pack, instead of ruleset.", false},            \
        {"base", LU_TEXT, "", 0, 64, NULL, "Name of the base, unless the item says.", false}, {    \
        "ilvl", LU_INT, "82", 1, 100, NULL, "Item level, unless the item says.", false             \
    }

typedef struct on_item {
    craft_pack_file *file; /* of the user, NULL: none */
    const craft_pack *pack;
    craft_pool pool;
    craft_item item;
    lu_json_document *document;
    const lu_json_value *root;
} on_item;

/* An item as JSON, from JSON or as it was copied in the game; the caller closes it. NULL with the
 * reason: a line that no modifier has, or that two readings have, is told and not guessed. */
lu_json_document *on_item_document(const craft_pack *pack, const lu_tool_input *input,
                                   lu_error *error);
/* Its base and item level, where it says them; LU_BAD_DATA: they are none. */
lu_status on_item_base(const lu_json_value *root, const char **base, int64_t *ilvl,
                       lu_error *error);
/* Reads the one input of the tool: {"base","ilvl","rarity","mods",...}. */
lu_status on_item_open(on_item *on, const lu_tool_io *io, lu_error *error);
void on_item_close(on_item *on);
/* Lines of the item for people, as entries of an open array. */
void on_item_words(const craft_pool *pool, const craft_pack *pack, const craft_item *item,
                   lu_json *json);
/* Hands a file on to settings of the game, such as a pack; NULL is nothing. */
lu_status craft_file_setting(lu_settings *to, const char *key, const lu_file_text *file,
                             lu_error *error);
