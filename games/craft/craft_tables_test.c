/* The tables and pools: what the sources say of them holds, and every base has a pool whose drawing
 * tables give each modifier exactly its weight. */
#include "craft_pool.h"

#include "test.h"

#include <stdlib.h>

static const craft_pack *pack_04(void) {
    return craft_pack_find("poe2-0.4");
}

/* A pool of the default version; the caller frees it. */
static craft_pool *pool_of(const char *base, int ilvl) {
    craft_pool *pool = lu_alloc(sizeof *pool);
    craft_switches switches = craft_switches_of(4);
    lu_error error = {0};
    if (craft_pool_init(pool, pack_04(), craft_base_find(pack_04(), base), ilvl, &switches,
                        &error) != LU_OK) {
        lu_test_fail(__FILE__, __LINE__, "%s", error.text);
    }
    return pool;
}

TEST(packs_have_names_and_sizes) {
    const craft_pack *pack = pack_04();
    int natural = 0;
    CHECK_INT(pack->base_count, 838);
    CHECK_INT(pack->mod_count, 1893);
    CHECK_INT(pack->essence_count, 81);
    CHECK_INT(pack->omen_count, 32);
    CHECK_INT(pack->group_count, 47);
    CHECK_INT(pack->pool_count, 51);
    for (int k = 0; k < pack->mod_count; k++) {
        natural += pack->mods[k].origin == CRAFT_ORIGIN_NATURAL;
    }
    CHECK_INT(natural, 1344);
    CHECK_INT(craft_pack_find("poe2-0.3")->about.version, 3);
    CHECK_INT(craft_pack_find("poe2-0.5")->about.version, 5);
    CHECK(craft_pack_find("poe2-0.6") == NULL && craft_pack_at(3) == NULL);
}

TEST(floors_differ_by_version) {
    const craft_pack *pack = pack_04();
    int row = craft_currency_find(pack, "greater_orb_of_transmutation");
    NEED(row >= 0);
    CHECK_INT(pack->currencies[row].floor[1], 55);
    CHECK_INT(pack->currencies[row].floor[2], 44);
    CHECK_INT(pack->currencies[row].line, CRAFT_LINE_ORB_OF_TRANSMUTATION);
    CHECK_INT(pack->omens[craft_omen_find(pack, "omen_of_homogenising_exaltation")].until, 3);
}

/* Published: 85 suffixes of weight 70,500 on strength body armour, 36 of 28,450 with floor 50. */
TEST(strength_body_armour_is_as_published) {
    craft_pool *pool = pool_of("Soldier Cuirass", 82);
    const craft_floor *all = &pool->floor[0], *high = &pool->floor[craft_floor_of(pool, 50)];
    CHECK_INT(all->cells[CRAFT_SUFFIX], 85);
    CHECK_INT(all->total[CRAFT_SUFFIX], 70500);
    CHECK_INT(high->cells[CRAFT_SUFFIX], 36);
    CHECK_INT(high->total[CRAFT_SUFFIX], 28450);
    free(pool);
}

TEST(families_of_boots_are_counted_by_pool) {
    craft_pool *pool = pool_of("Blacksteel Sabatons", 85);
    uint8_t seen[CRAFT_POOL_FAMILIES] = {0};
    int families[CRAFT_SIDES] = {0};
    for (int i = 0; i < pool->entries; i++) {
        const craft_entry *e = &pool->entry[i];
        if (craft_is_drawn(e) && !seen[e->family]++) {
            families[e->side]++;
        }
    }
    CHECK_INT(families[CRAFT_PREFIX], 6);
    CHECK_INT(families[CRAFT_SUFFIX], 13);
    double share =
        pool->floor[0].total[0] / (double)(pool->floor[0].total[0] + pool->floor[0].total[1]);
    CHECK(share > 0.36 && share < 0.38);
    free(pool);
}

/* With floor 50 these boots still offer item rarity (top level 40) and flat defences. */
TEST(a_floor_keeps_the_top_of_a_ladder) {
    craft_pool *pool = pool_of("Blacksteel Sabatons", 85);
    const craft_floor *high = &pool->floor[craft_floor_of(pool, 50)];
    int rarity = craft_family_find(pack_04(), "ItemFoundRarityIncrease"), kept = 0;
    for (int i = 0; i < pool->entries; i++) {
        const craft_entry *e = &pool->entry[i];
        const craft_mod *mod = &pack_04()->mods[e->mod];
        bool below = high->weight[i] > 0 && e->level < 50;
        CHECK(!below || e->tier == 1);
        kept += below && mod->family == rarity;
    }
    CHECK(kept > 0);
    free(pool);
}

TEST(added_tags_bar_spells_of_other_kinds) {
    const craft_pack *pack = pack_04();
    craft_pool *pool = pool_of("Attuned Wand", 82);
    int adds = 0, barred = 0;
    for (int i = 0; i < pool->entries; i++) {
        adds += pool->entry[i].adds != 0;
        barred += pool->entry[i].bars != 0;
    }
    CHECK(adds > 0 && barred > 0);
    CHECK_INT(pack->spawn_count > CRAFT_ADDED_TAGS, 1);
    free(pool);
}

/* Weight of every entry that the cells of a side give, times cells. */
static void check_cells(const craft_pool *pool, const craft_floor *f, int side, const char *base) {
    uint64_t given[CRAFT_ENTRIES] = {0};
    for (uint32_t c = 0; c < f->cells[side]; c++) {
        given[f->cell[side][c].own] +=
            f->cell[side][c].cut < f->total[side] ? f->cell[side][c].cut : f->total[side];
        given[f->cell[side][c].other] +=
            f->cell[side][c].cut < f->total[side] ? f->total[side] - f->cell[side][c].cut : 0;
    }
    for (int i = 0; i < pool->entries; i++) {
        uint64_t want = pool->entry[i].side == side ? (uint64_t)f->weight[i] * f->cells[side] : 0;
        if (given[i] != want) {
            lu_test_fail(__FILE__, __LINE__, "%s: entry %d is given %llu, not %llu", base, i,
                         (unsigned long long)given[i], (unsigned long long)want);
            return;
        }
    }
}

TEST(every_base_has_a_pool_with_exact_cells) {
    const craft_pack *pack = pack_04();
    craft_pool *pool = lu_alloc(sizeof *pool);
    lu_error error;
    for (int version = 3; version <= 5; version++) {
        craft_switches switches = craft_switches_of(version);
        for (int b = 0; b < pack->base_count; b += version == 4 ? 1 : 7) {
            const craft_base *base = &pack->bases[b];
            lu_status status = craft_pool_init(pool, pack, b, b % 100 + 1, &switches, &error);
            bool diamond = strcmp(base->name, "Diamond") == 0;
            if ((status == LU_OK) == diamond) {
                lu_test_fail(__FILE__, __LINE__, "%s: %s", base->name, error.text);
                continue;
            }
            for (int f = 0; f < pool->floors && status == LU_OK; f++) {
                check_cells(pool, &pool->floor[f], CRAFT_PREFIX, base->name);
                check_cells(pool, &pool->floor[f], CRAFT_SUFFIX, base->name);
            }
        }
    }
    free(pool);
}

TEST(flat_weights_are_ones) {
    const craft_pack *pack = pack_04();
    craft_pool *pool = lu_alloc(sizeof *pool);
    craft_switches switches = craft_switches_of(4);
    lu_error error;
    switches.flat_weights = 1;
    NEED(craft_pool_init(pool, pack, craft_base_find(pack, "Ruby Ring"), 82, &switches, &error) ==
         LU_OK);
    CHECK_INT(pool->floor[0].total[0], pool->floor[0].cells[0]);
    free(pool);
}

TEST(essences_give_modifiers_of_every_pool) {
    const craft_pack *pack = pack_04();
    craft_pool *pool = pool_of("Blacksteel Sabatons", 82);
    uint16_t entries[3];
    int count = craft_essence_gives(
        pool, pack, craft_essence_find(pack, "greater_essence_of_the_body"), entries);
    NEED(count == 1);
    CHECK_INT(pack->mods[pool->entry[entries[0]].mod].ladder,
              craft_ladder_find(pack, "IncreasedLife"));
    CHECK_INT(craft_essence_gives(pool, pack, craft_essence_find(pack, "essence_of_the_infinite"),
                                  entries),
              3);
    CHECK_INT(
        craft_essence_gives(pool, pack, craft_essence_find(pack, "essence_of_the_abyss"), entries),
        2);
    free(pool);
}
