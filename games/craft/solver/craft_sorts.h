/* What the solver sees of items. Modifiers that no later draw and no requirement tells apart are
 * one sort; an item is a set of sorts, so that nothing is averaged and few states are left. Draws
 * go by atoms: a sort, and the added tags that bar it. Ownership: pack, pool and goal are the
 * caller's and stay until craft_sorts_free. Threads: constant once made. */
#pragma once

#include "craft_target.h"

#ifdef __cplusplus
extern "C" {
#endif

enum {
    CRAFT_SORTS = 2048,    /* at most: the number is below the flags of a set's modifier */
    CRAFT_WEIGHTINGS = 16, /* at most */
    CRAFT_DRAWS = 32,      /* at most: bits of a word */
    CRAFT_NO_FAMILY = 255,
    CRAFT_SHOWN = 3, /* options of a reveal */
    /* flags of a modifier in a set, above its sort */
    CRAFT_SET_FRACTURED = 0x1000,
    CRAFT_SET_DESECRATED = 0x2000,
    CRAFT_SET_CRAFTED = 0x4000,
    CRAFT_SET_SORT = 0x0fff
};

/* What sorts tell apart besides family, side, added tags and matches, as bits. */
enum {
    CRAFT_TELL_LEVELS = 1, /* Omen of Whittling */
    CRAFT_TELL_TAGS = 2,   /* Homogenising omens */
    CRAFT_TELL_MODS = 4,   /* a removed modifier that cannot return */
    CRAFT_TELL_ORDER = 8   /* sets keep the order of modifiers: the first of equal levels goes */
};

typedef struct craft_sort {
    uint64_t tags;     /* where they are told apart */
    uint16_t entry;    /* one of its modifiers; CRAFT_NO_ENTRY: unrevealed */
    uint8_t family;    /* CRAFT_NO_FAMILY: unrevealed */
    uint8_t side;      /* craft_side */
    uint8_t level;     /* where they are told apart; 1: unrevealed */
    uint8_t adds;      /* bits of added tags */
    uint8_t hits;      /* bits of the requirements it counts for */
    uint8_t forbidden; /* 1: no item with it fulfils the target */
    uint8_t mark;      /* 1: the Mark of the Abyss */
    uint8_t lord;      /* of what is unrevealed: craft_lord of its bone's omen */
    uint8_t floor;     /* of what is unrevealed: level of its bone's floor */
    uint8_t shown;     /* of what is unrevealed: craft_shown */
} craft_sort;

/* What is to be seen of an unrevealed modifier: nothing, its options, options that were drawn
 * again. */
typedef enum craft_shown { CRAFT_SHOWN_NOT, CRAFT_SHOWN_ONCE, CRAFT_SHOWN_AGAIN } craft_shown;

typedef struct craft_atom {
    uint16_t sort;
    uint16_t entry; /* one of its modifiers */
    uint8_t side, family;
    uint8_t bars; /* bits of added tags any of which keeps it from being drawn */
} craft_atom;

/* Share of an entry's weight that goes to an atom: values below and above a least value differ. */
typedef struct craft_portion {
    uint16_t entry, atom;
    double share;
} craft_portion;

/* Weights of all atoms under a floor; a catalyst's tag may multiply some. */
typedef struct craft_weighting {
    int32_t level, tag; /* tag: of modifiers, -1 = none */
    double factor;
    double *weight;
} craft_weighting;

/* From which sides one draw is: of any with room, of one, of one until it is full. */
typedef enum craft_from {
    CRAFT_ANY,
    CRAFT_ONLY_P,
    CRAFT_ONLY_S,
    CRAFT_FILL_P,
    CRAFT_FILL_S
} craft_from;

/* One draw, and what follows it. */
typedef struct craft_drawing {
    uint8_t weighting;
    uint8_t from;   /* craft_from */
    uint8_t shared; /* 1: it must share a tag with the item */
    uint8_t left;   /* draws, this one among them */
    uint8_t then;   /* the next one, if more than one is left */
} craft_drawing;

typedef struct craft_sorts {
    const craft_pack *pack;
    const craft_pool *pool;
    const craft_goal *goal;
    int tells;       /* CRAFT_TELL_LEVELS ... */
    uint64_t untold; /* tags that do not count */
    int count, atoms, portions, weightings, draws;
    craft_sort *sort;
    craft_atom *atom; /* prefixes first */
    craft_portion *portion;
    craft_weighting weighting[CRAFT_WEIGHTINGS];
    craft_drawing draw[CRAFT_DRAWS];
    struct {
        uint16_t entry;
        int16_t roll;     /* of its first number; below 0: it is rolled when it is kept */
    } shown[CRAFT_SHOWN]; /* options that the item which one starts from shows */
    int showns;
} craft_sorts;

/* An item as the solver sees it: its modifiers in the order of their numbers. */
typedef struct craft_set {
    uint16_t mod[CRAFT_MODS]; /* sort and CRAFT_SET flags; the unused are 0 */
    uint8_t rarity, count;
    uint8_t
        final; /* 1: corrupted, sanctified or mirrored: what it hides can be revealed, no more */
    uint8_t unused;
} craft_set;

LU_STATIC_ASSERT(sizeof(craft_set) == 16, "two words, compared as such");

lu_status craft_sorts_init(craft_sorts *sorts, const craft_pack *pack, const craft_pool *pool,
                           const craft_goal *goal, int tells, lu_error *error);
void craft_sorts_free(craft_sorts *sorts);

/* Sort of an entry whose first number has this roll. */
int craft_sort_of(const craft_sorts *sorts, int entry, int roll);
/* The first sort that is the same as this one to whoever tells only `tells` apart. */
int craft_sort_like(const craft_sorts *sorts, int sort, int tells);
/* Sort of what a bone of this floor and lord puts on a side; made on the first call. */
int craft_sort_hidden(craft_sorts *sorts, int side, int floor, int lord);
/* Number of a weighting, of a draw; made on the first call. -1: there are too many. */
int craft_weighting_of(craft_sorts *sorts, int level, int tag, double factor);
int craft_draw_of(craft_sorts *sorts, int weighting, int from, bool shared, int left);

/* ---- sets ---- */

const craft_sort *craft_sort_at(const craft_sorts *sorts, uint16_t mod);
/* The set with one more modifier, and without the one in a slot. There must be room. */
craft_set craft_set_with(const craft_sorts *sorts, const craft_set *set, uint16_t mod);
craft_set craft_set_without(const craft_set *set, int slot);
int craft_set_sided(const craft_sorts *sorts, const craft_set *set, int side);
bool craft_set_fulfils(const craft_sorts *sorts, const craft_set *set);
/* Modifiers that count for each requirement, up to as many as it wants; returns all of them. */
int craft_set_hits(const craft_sorts *sorts, const craft_set *set, uint8_t have[CRAFT_NEEDS_MAX]);
/* Takes over the options that an item shows; `roll`: of each, below 0: not rolled. */
void craft_sorts_show(craft_sorts *sorts, const craft_item *item, const int16_t *roll);
/* The set of an item. */
craft_set craft_set_of(craft_sorts *sorts, const craft_item *item);

/* What draws from a set see of it. */
typedef struct craft_sight {
    uint64_t family[2];
    uint64_t tags;
    uint16_t barred; /* entry that may not come, CRAFT_NO_ENTRY = none */
    uint8_t added;
    uint8_t room[CRAFT_SIDES];
} craft_sight;

craft_sight craft_sight_of(const craft_sorts *sorts, const craft_set *set);
/* Whether the draw takes from this side now. */
bool craft_draws_side(const craft_drawing *draw, const craft_sight *sight, int side);

LU_INLINE bool craft_sight_has(const craft_sight *sight, const craft_atom *atom) {
    return (sight->family[atom->family >> 6] >> (atom->family & 63) & 1u) != 0 ||
           (atom->bars & sight->added) != 0 || atom->entry == sight->barred;
}

/* Weight of an atom in a draw that takes from its side; 0: it cannot come. */
LU_INLINE double craft_atom_weight(const craft_sorts *sorts, const craft_drawing *draw,
                                   const craft_sight *sight, int atom) {
    const craft_atom *a = &sorts->atom[atom];
    bool out = draw->shared && !(sorts->sort[a->sort].tags & sight->tags);
    return out ? 0.0 : sorts->weighting[draw->weighting].weight[atom];
}

#ifdef __cplusplus
}
#endif
