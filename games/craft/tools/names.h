/* What players call what the solver knows by keys: "Exalted Orb" for exalted_orb.
 * Ownership: texts are constants or the pack's. Threads: no state. */
#pragma once

#include "craft_tables.h"

#include "ludus/text.h"

/* Title of a currency, essence, bone, catalyst or omen, of a white base, a reveal or an option that
 * is kept; what is none of these is its own title. */
const char *craft_title(const craft_pack *pack, const char *key);
/* "Exalted Orb with Omen of Dextral Exaltation" of "exalted_orb + omen_of_dextral_exaltation". */
void craft_say_use(lu_text *line, const craft_pack *pack, const char *use);
