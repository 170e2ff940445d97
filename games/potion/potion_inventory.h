/* The inventory of a player: what is typed by hand or exported from a spreadsheet or a program,
 * as lines of text, CSV or JSON. The README's section "Inventory" says what may be written.
 * Ownership: the text belongs to the caller and is only read. Threads: no shared state. */
#pragma once

#include "ludus/error.h"

#include "potion_tables.h"

LU_C_BEGIN

enum { POTION_PIECES_MAX = 255 }; /* of one ingredient in an inventory */

/* Pieces of each ingredient from a text that need not be terminated; `name` is its file, for
 * messages. LU_BAD_DATA: the message names file and line, and the stock is untouched. */
lu_status potion_inventory_read(const char *name, const char *text, size_t length,
                                uint8_t stock[POTION_ACTIONS], lu_error *error);

/* The ingredient whose name is nearest to a misspelt one, or NULL. */
const char *potion_inventory_near(const char *name);

LU_C_END
