/* What a reveal offers on an item, as the solver has it: options that nothing tells apart are one,
 * and which of three is kept follows from a ranking, so that a reveal under a ranking is a use with
 * chances like any other. craft_reveal.h tells the same by entries.
 * Ownership: the caller's. Threads: no shared data. */
#pragma once

#include "solver/craft_sorts.h"

#ifdef __cplusplus
extern "C" {
#endif

enum {
    CRAFT_OPTION_PARTS = CRAFT_NEEDS_MAX + 1,
    CRAFT_OFFER_MOST = CRAFT_ENTRIES /* options of one side, at most */
};

/* Modifiers that a reveal may offer and that become the same when they are kept: a sort, or several
 * by the value that is rolled then. */
typedef struct craft_option {
    uint16_t entry; /* one of its modifiers */
    uint8_t side, family;
    uint8_t bars;      /* bits of added tags any of which keeps it from being offered */
    uint8_t from_bone; /* 1: it comes from bones alone */
    uint8_t lord;      /* of those: craft_lord */
    uint8_t parts;
    uint16_t sort[CRAFT_OPTION_PARTS];
    double share[CRAFT_OPTION_PARTS];
    double weight[CRAFT_POOL_FLOORS]; /* under each floor; from bones alone: how many there are */
} craft_option;

/* All options of a pool; *list is the caller's. Returns how many. */
int craft_option_list(craft_option **list, const craft_sorts *sorts);
/* Slot of what is unrevealed, the one whose options are shown before others; -1 = none. */
int craft_hidden_slot(const craft_sorts *sorts, const craft_set *set);

/* The options of one item. */
typedef struct craft_offer {
    const craft_switches *switches;
    int lord, count;
    struct {
        double weight;
        uint8_t family, from_bone, lord;
    } of[CRAFT_OFFER_MOST];
} craft_offer;

/* Weight with which an option may be offered for the unrevealed modifier; 0: it cannot be. */
double craft_option_weight(const craft_sorts *sorts, const craft_option *option,
                           const craft_sight *sight, const craft_sort *hidden);
/* Chance of each option to be the best of those offered, where `order` ranks them. */
void craft_offer_rank(const craft_offer *offer, const uint16_t *order, double *chance);

#ifdef __cplusplus
}
#endif
