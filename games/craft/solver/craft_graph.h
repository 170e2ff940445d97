/* All that can become of an item under some uses, as a graph that the solver sweeps. Draws are kept
 * apart from uses: what an exalted orb draws on a set is the same as what a chaos orb draws when a
 * modifier has gone, so each set has one list of what a draw makes of it, and a use is a few
 * references. What a reveal offers is a list of rows, one for each thing that an option may become;
 * which option is kept is a matter of values. Nodes are sets; some are only passed through within a
 * use (`real` tells).
 * Ownership: the caller's until craft_graph_free; sorts and uses must stay. Threads: constant once
 * made. */
#pragma once

#include "solver/craft_offer.h"
#include "solver/craft_spread.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { CRAFT_LAYERS = 96, CRAFT_USES_MAX = 200 };
enum { CRAFT_NODE_REAL = 1, CRAFT_NODE_GOAL = 2, CRAFT_NODE_LISTED = 4, CRAFT_NODE_HIDES = 8 };

/* One use on one node: the mean of its references; a reveal: of the rows of its options. */
typedef struct craft_move {
    uint8_t use;
    uint8_t draws;  /* 1: references are to draws (nodes where `barred`), 0: to nodes */
    uint8_t draw;   /* which */
    uint8_t uneven; /* 1: by the chances beside the references, 0: even */
    uint8_t barred; /* 1: each reference is followed by the entry that may not come */
    uint8_t refs;
    uint16_t rows;  /* of a reveal; 0: another use */
    uint32_t first; /* among the references, or the rows */
} craft_move;

/* Nodes by layers: what is drawn from a node is in an earlier one. */
typedef struct craft_order {
    uint32_t *node;
    uint32_t layer[CRAFT_LAYERS + 1]; /* where each begins */
} craft_order;

typedef struct craft_graph {
    const craft_sorts *sorts;
    const craft_use *use;
    int uses;
    size_t memory; /* most bytes */
    bool full;     /* more would be needed: what is found does not count */
    void *user;
    void (*progress)(void *user, double share, const char *what); /* may be NULL */
    bool (*cancelled)(void *user);                                /* may be NULL */
    craft_table table;
    /* of each node */
    uint8_t *flags;
    uint32_t *asked;   /* bits of the draws that are asked of it */
    uint32_t *draw_at; /* place of the first of those draws among all */
    uint32_t *list_at; /* its list: what one draw makes of it, prefixes first */
    uint16_t *list[2]; /* prefixes, suffixes in it */
    uint32_t *move_at; /* its first move */
    uint16_t *moves;
    uint32_t room;
    /* lists, moves, references */
    uint32_t *next;
    uint16_t *atom;
    uint32_t nexts, next_room;
    craft_move *move;
    uint32_t move_count, move_room;
    uint32_t *ref;
    double *chance; /* NULL: all moves are even */
    uint32_t refs, ref_room;
    /* rows of reveals: options in turn, each with as many rows as it has parts */
    craft_option *option;
    int options; /* 0: nothing is revealed */
    uint32_t *row_next;
    uint16_t *row_option;
    uint32_t rows, row_room;
    uint32_t draws;      /* asked, of all nodes */
    uint32_t *draw_node; /* of each draw */
    uint32_t states, goals;
    uint32_t first_goals; /* that the first root leads to */
    uint32_t start;       /* node of the last root */
    uint32_t *queue, queued, queue_room;
    craft_order order; /* all nodes */
} craft_graph;

/* Finds all nodes from the roots on; distinct roots are the first nodes. LU_LIMIT: they take more
 * than `memory`. LU_INTERRUPTED. */
lu_status craft_graph_init(craft_graph *graph, const craft_sorts *sorts, const craft_use *use,
                           int uses, const craft_set *roots, uint32_t root_count, lu_error *error);
void craft_graph_free(craft_graph *graph);
size_t craft_graph_bytes(const craft_graph *graph);
/* Orders the nodes of a list. */
void craft_order_init(craft_order *order, const craft_graph *graph, const uint32_t *nodes,
                      uint32_t count);
/* Distinct outcomes of all uses on all states, goals apart. */
uint64_t craft_graph_edges(const craft_graph *graph);
/* The options of a node's reveal; places[k]: the first row of option k, from the move's first on.
 */
void craft_offer_of(const craft_graph *graph, uint32_t node, const craft_move *move,
                    craft_offer *offer, uint16_t places[CRAFT_OFFER_MOST]);
/* Place of a node's draw among all draws; it must be asked for. */
uint32_t craft_draw_place(const craft_graph *graph, uint32_t node, int draw);

#ifdef __cplusplus
}
#endif
