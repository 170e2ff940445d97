/* What tools that look at one item share: the item from an input, on the pool of its base, and
 * prices. A part of the tools score and apply.
 * Ownership: the caller's, from open to close. Threads: one each. */
#pragma once

#include "ludus/tool.h"

#include "craft.h"
#include "craft_pack_file.h"
#include "craft_switches.h"

/* Settings of such a tool; the switches follow them. */
#define CRAFT_ITEM_SETTINGS                                                                          \
    {"data",                                                                                         \
     LU_ENUM,                                                                                        \
     "poe2-0.4",                                                                                     \
     0,                                                                                              \
     0,                                                                                              \
     "poe2-0.4|poe2-0.3|poe2-0.5",                                                                   \
     "Pack of modifiers, weights and rules.",                                                        \
     false},                                                                                         \
        {"pack", LU_FILE, "", 0, 0, NULL, "A pack of your own, in place of data.", false},           \
        {"base", LU_TEXT, "", 0, 64, NULL, "Name of the base, where the item does not say.", false}, \
    {                                                                                                \
        "ilvl", LU_INT, "82", 1, 100, NULL, "Item level, where the item does not say.", false        \
    }

typedef struct on_item {
    craft_pack_file *file; /* of the user, NULL: none */
    const craft_pack *pack;
    craft_pool pool;
    craft_item item;
    lu_json_document *document;
    const lu_json_value *root;
} on_item;

/* Reads the one input of the tool: {"base","ilvl","rarity","mods",...}. */
lu_status on_item_open(on_item *on, const lu_tool_io *io, lu_error *error);
void on_item_close(on_item *on);
/* Lines of the item for people, as entries of an open array. */
void on_item_words(const on_item *on, const craft_item *item, lu_json *json);
