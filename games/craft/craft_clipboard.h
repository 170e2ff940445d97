/* Items as the game copies them: blocks between lines of dashes, plain or with a header in braces
 * for each modifier. The text becomes an item as people write it (craft_item_read). A modifier is
 * found by side, name and tier where there is a header, else by its text and values; a line that no
 * modifier has, or that two readings have, is told with its line and never guessed.
 * Ownership: only read. Threads: no state. */
#pragma once

#include "ludus/json.h"

#include "craft_tables.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Whether a text is no JSON, so that it may be an item of the clipboard. */
bool craft_is_clipboard(const char *text, size_t length);
/* Appends {"base","ilvl","rarity","mods",...}. */
lu_status craft_clipboard_read(const craft_pack *pack, const char *name, const char *text,
                               size_t length, lu_json *json, lu_error *error);

#ifdef __cplusplus
}
#endif
