/* Revealing what a bone put on an item: three options of its side, some of them modifiers that come
 * from bones alone.
 * Ownership: only read. Threads: no shared data. */
#pragma once

#include "solver/craft_uses.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { CRAFT_OPTIONS = 3 };

typedef struct craft_reveal {
    int side, lord, floor; /* craft_side, craft_lord, level */
} craft_reveal;

/* One set of options: entries, in the order they were drawn. Fewer than three: the pool has no
 * more. */
typedef void craft_options_told(void *user, const uint16_t *entry, int count, double chance);

/* Tells every set of options of an item with these entries, by chance. */
void craft_reveal_options(const craft_pool *pool, const uint16_t *on_item, int mods,
                          const craft_reveal *reveal, craft_options_told *told, void *user);
/* Chance that one of the wanted entries is among the options. */
double craft_reveal_chance(const craft_pool *pool, const uint16_t *on_item, int mods,
                           const craft_reveal *reveal, const uint16_t *wanted, int wants);

#ifdef __cplusplus
}
#endif
