/* A pack of the user as a file: bases and modifiers with weights by pool, over the currencies,
 * omens, essences, bones, catalysts, groups and prices of a pack that is built in. `ludus craft
 * pack` writes such files. A file is hostile until it is read: every row is checked, and a refusal
 * names the row.
 *   {"schema":"ludus.craft.pack/1","name","rules":"poe2-0.4","patch","date","source","confidence",
 *    "bases":[{"base","class","pool","tags":[],"req_level","implicit","rare_prefixes",
 *              "rare_suffixes"}],
 *    "mods":[{"mod","name","text","side":"P"|"S","ladder","family","level","ranges":[[1,2]],
 *             "tags":[],"adds":[],"spawn":[["tag",1]],"origin","weights":{"pool":1}}],
 *    "essences":[{"essence","mod","one_of","pools":[]}]}
 * A modifier without `spawn` is on every base of its pools; one without weights is in none.
 * Ownership: the caller's until craft_pack_file_free; the pack points into it. Threads: constant
 * once read. */
#pragma once

#include "ludus/error.h"

#include "craft_tables.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct craft_pack_file craft_pack_file;

/* NULL with the reason when it is no pack. */
craft_pack_file *craft_pack_file_read(const char *name, const char *text, size_t length,
                                      lu_error *error);
const craft_pack *craft_pack_file_pack(const craft_pack_file *file);
void craft_pack_file_free(craft_pack_file *file); /* NULL is nothing */

#ifdef __cplusplus
}
#endif
