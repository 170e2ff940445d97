/* What players call what the solver knows by keys: "Exalted Orb" for exalted_orb; its figures as
 * they read them.
 * Ownership: texts are constants or the pack's. Threads: no state. */
#pragma once

#include "craft_tables.h"

#include "ludus/text.h"

/* Title of a currency, essence, bone, catalyst or omen, of a white base, a reveal or an option that
 * is kept; what is none of these is its own title. */
const char *craft_title(const craft_pack *pack, const char *key);
/* "Exalted Orb with Omen of Dextral Exaltation" of "exalted_orb + omen_of_dextral_exaltation". */
void craft_say_use(lu_text *line, const craft_pack *pack, const char *use);

typedef struct craft_figure {
    char text[32];
} craft_figure;
/* A cost or a count: "4.079", "237.1", "606,482"; four digits below 1,000, whole from there on. */
craft_figure craft_say_figure(double value);
