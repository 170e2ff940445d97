/* The switches of unsure rules as settings: one list of rows, for the game's own table and for
 * tools that take the same switches. Each sentence ends with how sure the default is: A the game's
 * own text, B two or more independent sources, C one source or an assumption. Ownership: constants.
 * Threads: no state. */
#pragma once

#include "ludus/settings.h"

#include "craft_pool.h"

#ifdef __cplusplus
extern "C" {
#endif

#define CRAFT_SWITCH(key, type, initial, choices, sentence)                                        \
    { key, type, initial, 0, 1, choices, sentence, false }

/* clang-format off */
#define CRAFT_SWITCH_LIST                                                                          \
    CRAFT_SWITCH("side_choice", LU_ENUM, "pooled", "pooled|side_first",                            \
        "A draw is by weight over both sides, or picks a side first, even (C)."),                  \
    CRAFT_SWITCH("floor_mode", LU_ENUM, "keep_top", "keep_top|strict|keep_absolute_top",           \
        "A ladder that a modifier level leaves without a tier keeps the best one that the item "   \
        "level allows, goes, or keeps its top tier alone (A; B for its unit)."),                   \
    CRAFT_SWITCH("floor_needs_ilvl", LU_BOOL, "true", NULL,                                        \
        "A currency cannot be used on an item below its modifier level (C)."),                     \
    CRAFT_SWITCH("magic_limit_shift", LU_BOOL, "false", NULL,                                      \
        "Bases that shift the limits of rare items do so on magic ones too (C)."),                 \
    CRAFT_SWITCH("alchemy_on_magic", LU_ENUM, "version", "version|off|keep|replace",               \
        "Alchemy on magic items: as the version has it (off before 0.5, then keep), never, "       \
        "filling up to four, or replacing (C)."),                                                  \
    CRAFT_SWITCH("removed_can_return", LU_BOOL, "true", NULL,                                      \
        "A modifier that a currency removes may be what it draws (C)."),                           \
    CRAFT_SWITCH("essence_blocked_by_family", LU_BOOL, "true", NULL,                               \
        "An essence cannot be used when the family of its modifier is on the item (B)."),          \
    CRAFT_SWITCH("bone_side", LU_ENUM, "even", "even|pooled",                                      \
        "The unrevealed modifier takes a side with room, even or by weight (C)."),                 \
    CRAFT_SWITCH("reveal_exclusive", LU_LIST, "0.8, 0.15, 0.05", NULL,                             \
        "Chances that 1, 2, 3 of the options are desecrated-only (C)."),                           \
    CRAFT_SWITCH("lord_omen", LU_ENUM, "one", "one|all",                                           \
        "Options that an omen of a lord makes that lord's (C)."),                                  \
    CRAFT_SWITCH("reveal_gate_65", LU_BOOL, "true", NULL,                                          \
        "Desecrated-only modifiers need their level as item level (C)."),                          \
    CRAFT_SWITCH("catalysing_factor", LU_ENUM, "reported", "reported|quality",                     \
        "Catalysing Exaltation weighs times 5 at 20 and 7.5 at 40 percent, or 1 + quality (C)."),  \
    CRAFT_SWITCH("fracture_unrevealed_counts", LU_BOOL, "true", NULL,                              \
        "An unrevealed modifier counts toward the four that a fracture needs (C)."),               \
    CRAFT_SWITCH("divine_fractured", LU_ENUM, "keep", "keep|reroll",                               \
        "A divine orb leaves fractured values or rerolls them (B)."),                              \
    CRAFT_SWITCH("vaal_outcomes", LU_LIST, "0.25, 0.25, 0.25, 0.25", NULL,                         \
        "Chances of a corruption: nothing, an implicit, swaps, a socket (C)."),                    \
    CRAFT_SWITCH("whittling_tie", LU_ENUM, "even", "even|first",                                   \
        "Of modifiers of equal level Whittling removes any, or the first (B)."),                   \
    CRAFT_SWITCH("weights", LU_ENUM, "est", "est|flat",                                            \
        "Weights are community estimates, or all 1 (C).")
/* clang-format on */
enum { CRAFT_SWITCH_ROWS = 17 };

extern const lu_setting craft_switch_rows[CRAFT_SWITCH_ROWS];
/* The switches of a version as settings that hold these rows say. */
lu_status craft_switches_read(craft_switches *switches, int version, const lu_settings *settings,
                              lu_error *error);

#ifdef __cplusplus
}
#endif
