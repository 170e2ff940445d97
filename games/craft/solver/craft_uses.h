/* Uses of currencies as the solver sees them: a currency, essence or bone with its omens, and what
 * one use makes of a set. A use is some branches by chance, each of which removes modifiers (none,
 * one, two; evenly) and then draws, gives, locks or does nothing more.
 * Ownership: the caller's. Threads: constant once made. */
#pragma once

#include "solver/craft_sorts.h"

#ifdef __cplusplus
extern "C" {
#endif

#define CRAFT_REVEALS "reveal" /* the use that shows what a bone hides; it is free */
#define CRAFT_AGAIN   "again"  /* a reveal where options are shown, for its omen's price */
#define CRAFT_KEEPS   "keep"   /* and the number of an option that is shown; free */

enum { CRAFT_USE_OMENS = 4, CRAFT_BRANCHES = CRAFT_NEEDS_MAX + 1, CRAFT_USE_NAME = 160 };

typedef struct craft_use {
    char name[CRAFT_USE_NAME]; /* "exalted_orb + omen_of_dextral_exaltation" */
    const char *item;          /* id of the currency, essence or bone */
    const char *omen[CRAFT_USE_OMENS];
    int32_t omens;
    int32_t line; /* craft_line */
    double price; /* all of it; below 0: not told */
    int32_t side; /* that an omen names, -1 = none */
    bool two, lowest, desecrated, shared, catalysed;
    bool again;    /* options may be drawn once more: its price counts where they are */
    bool shown;    /* options are shown: these are drawn once more */
    bool rots;     /* all becomes unrevealed, and the item corrupted */
    int32_t keeps; /* option that is kept, from 1 on; 0: another use */
    bool reaches;  /* the item level is high enough for its floor, the base of its kind */
    int32_t lord, floor;
    int32_t draw[5]; /* craft_drawing by how many are drawn; -1 = none */
    int32_t gives;   /* modifiers it gives, one of them by chance */
    uint16_t give[3];
} craft_use;

/* A use by the id of its currency and omens; LU_BAD_VALUE names what is unknown, or what the solver
 * does not know (values, corruption). */
lu_status craft_use_init(craft_use *use, craft_sorts *sorts, const char *item,
                         const char *const *omens, int omen_count, lu_error *error);
/* Whether what an id names costs nothing: to reveal and to keep. */
bool craft_is_free(const char *item);
/* What sorts must tell apart for this use: CRAFT_TELL bits. */
int craft_use_tells(const craft_pool *pool, const char *item, const char *const *omens,
                    int omen_count);

typedef enum craft_then {
    CRAFT_THEN_NOTHING,
    CRAFT_THEN_DRAW,
    CRAFT_THEN_GIVE,
    CRAFT_THEN_LOCK,
    CRAFT_THEN_ROT
} craft_then;

typedef struct craft_branch {
    double chance;
    uint8_t rarity;  /* of what comes out */
    uint8_t remove;  /* bits of the slots of which one goes; 0 = none */
    uint8_t removes; /* 0, 1, 2 */
    uint8_t then;    /* craft_then */
    uint16_t what;   /* draw, modifier with flags, slot, unrevealed prefix */
} craft_branch;

/* Branches of a use on a set; 0: it cannot be used. A draw may still find nothing to draw. */
int craft_use_on(const craft_sorts *sorts, const craft_use *use, const craft_set *set,
                 craft_branch branch[CRAFT_BRANCHES]);
/* The set after what follows a branch's removals: with the given modifier, or a locked one. Where
 * an essence gives a family that is on the item, that modifier gives way. */
craft_set craft_branch_end(const craft_sorts *sorts, const craft_branch *branch,
                           const craft_set *set);
/* Bits of the slots that remain when one of the slots goes. */
uint8_t craft_bits_without(uint8_t bits, int slot);
/* Whether there is room for all of a draw, whatever may be in the pool. */
bool craft_draw_fits(const craft_sorts *sorts, const craft_drawing *draw, const craft_set *set);

#ifdef __cplusplus
}
#endif
