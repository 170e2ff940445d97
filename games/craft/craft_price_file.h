/* Price files of craft: the static form, answers of poe.ninja, of poe2scout and hourly digests of
 * the trade exchange, read into one list in exalted. Several files add up; what is read later
 * counts. A file is hostile until it is read: a refusal names the file.
 * Ownership: the list owns its rows until craft_price_list_free. Threads: one each. */
#pragma once

#include "ludus/json.h"

#include "craft_tables.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { CRAFT_PRICE_NAME = 80, CRAFT_PRICE_ROWS = 5000 };

typedef struct craft_price_row {
    char item[CRAFT_PRICE_NAME]; /* id, such as "greater_chaos_orb" */
    double exalted;              /* -1: named without a price */
    double volume;               /* divine orbs a day; -1: not told */
    bool known;                  /* to the pack */
} craft_price_row;

typedef struct craft_price_list {
    craft_price_row *row;
    int rows, room;
    double divine, chaos; /* exalted of one; 0: not told */
    char source[CRAFT_PRICE_NAME];
    char league[CRAFT_PRICE_NAME];
    char date[40]; /* "2026-07-04", with a time behind T where it is told; "": not told */
} craft_price_list;

void craft_price_list_free(craft_price_list *list);
/* Adds a file to the list. `league` chooses one where a file has several, "": it must have one. */
lu_status craft_price_list_read(craft_price_list *list, const craft_pack *pack, const char *name,
                                const char *text, size_t length, const char *league,
                                lu_error *error);
/* Adds the dated prices of the pack. */
void craft_price_list_own(craft_price_list *list, const craft_pack *pack);
/* Sets one price. */
void craft_price_list_set(craft_price_list *list, const craft_pack *pack, const char *item,
                          double exalted);
/* Whether the pack, or a price file for it, has such an item. */
bool craft_price_known(const craft_pack *pack, const char *item);
const craft_price_row *craft_price_row_of(const craft_price_list *list, const char *item);
/* Seconds since 1970 of a date with or without a time; false: it is none. */
bool craft_date_read(const char *text, double *seconds);

#ifdef __cplusplus
}
#endif
