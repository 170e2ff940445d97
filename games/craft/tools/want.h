/* Text to target: "STR/DEX boots ilvl 85, T1 life, >=2 T2 res, open suffix, move speed >= 25%"
 * becomes a base, an item level and requirements. Nothing is dropped silently: what is not
 * understood is told, with the nearest synonym.
 * Ownership: the caller's. Threads: no shared data. */
#pragma once

#include "craft_target.h"

#include "ludus/text.h"

enum { CRAFT_UNPARSED = 16 };

typedef struct craft_want {
    craft_target target; /* base and ilvl are filled in where the text says them */
    int unparsed_count;
    struct {
        char text[CRAFT_NAME];
        char nearest[CRAFT_NAME]; /* synonym, "" = none is near */
    } unparsed[CRAFT_UNPARSED];
} craft_want;

void craft_want_read(craft_want *want, const craft_pack *pack, const char *text);
/* A target for less than what was asked would be a guess: LU_BAD_VALUE names words that are not
 * understood. */
lu_status craft_want_understood(const craft_want *want, const craft_pack *pack, lu_error *error);
/* Part of a text. */
typedef struct craft_place {
    size_t start, end;
} craft_place;

/* Base that a text names, or of a class with attributes ("STR/DEX boots", "Boots (STR/DEX)",
 * "evasion boots"): of those the one with the highest required level that the item level allows,
 * 0 = any. -1 = none. `place`: what the text has for it, or for the class alone; may be NULL. */
int craft_want_base(const craft_pack *pack, const char *text, int ilvl, craft_place *place);
/* The target in words: "life tier 1, 2 x resistance tier 2 or better, 1 open suffix". */
void craft_want_words(const craft_target *target, const craft_pack *pack, lu_text *words);
