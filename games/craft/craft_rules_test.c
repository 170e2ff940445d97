/* Every currency and omen row against its chance: played many times, the share of an outcome stays
 * within 4.5 standard errors of the number computed by enumeration over the pool, by hand, or by an
 * independent exact program (the public vectors, named there). 4.5 of them are passed by chance
 * once in 147,000 tests. */
#include "craft_apply.h"
#include "craft_target.h"

#include "test.h"

#include <stdlib.h>

enum { PLAYS = 200000 };

typedef struct table {
    const craft_pack *pack;
    craft_pool pool;
    craft_item item;
    lu_rng rng;
    lu_error error;
} table;

static table *table_new(const char *base, int ilvl, const craft_switches *switches) {
    table *t = lu_alloc_zero(1, sizeof *t);
    t->pack = craft_pack_find("poe2-0.4");
    t->rng = lu_rng_from(7);
    if (craft_pool_init(&t->pool, t->pack, craft_base_find(t->pack, base), ilvl, switches,
                        &t->error) != LU_OK) {
        lu_test_fail(__FILE__, __LINE__, "%s", t->error.text);
    }
    return t;
}

static table *boots(void) {
    craft_switches switches = craft_switches_of(4);
    return table_new("Blacksteel Sabatons", 82, &switches);
}

static int entry_named(const table *t, const char *mod) {
    int row = craft_mod_find(t->pack, mod);
    int entry = row < 0 ? CRAFT_NO_ENTRY : craft_entry_of(&t->pool, row);
    if (entry == CRAFT_NO_ENTRY) {
        lu_test_fail(__FILE__, __LINE__, "no modifier %s", mod);
        return 0;
    }
    return entry;
}

/* The item of the table: rarity and modifiers, separated by spaces. */
static void lay(table *t, int rarity, const char *mods) {
    char copy[512], *rest = copy;
    memset(&t->item, 0, sizeof t->item);
    t->item.rarity = (uint8_t)rarity;
    snprintf(copy, sizeof copy, "%s", mods);
    for (char *word; (word = strsep(&rest, " ")) != NULL;) {
        if (*word) {
            craft_put(&t->pool, &t->item, entry_named(t, word), 0, &t->rng);
        }
    }
}

static craft_effect use(table *t, const char *name, const char *omen1, const char *omen2) {
    const char *omens[] = {omen1, omen2};
    craft_effect effect;
    memset(&effect, 0, sizeof effect);
    if (craft_effect_init(&effect, &t->pool, t->pack, name, omens,
                          (omen1 != NULL) + (omen2 != NULL), &t->error) != LU_OK) {
        lu_test_fail(__FILE__, __LINE__, "%s", t->error.text);
    }
    return effect;
}

static int why(table *t, const char *name, const char *omen1, const char *omen2) {
    craft_effect e = use(t, name, omen1, omen2);
    return craft_why(&t->pool, &t->item, &e);
}

/* Row of a modifier; the last one asked for is kept, since the search is what takes the time. */
static int row_of(const table *t, const char *mod) {
    static const char *last;
    static int row;
    if (mod != last) {
        row = craft_mod_find(t->pack, mod);
        last = mod;
    }
    return row;
}

static bool has_mod(const table *t, const craft_item *item, const char *mod) {
    int row = row_of(t, mod);
    for (int k = 0; k < craft_item_mods(item); k++) {
        bool known = !(item->slot[k].flags & CRAFT_UNREVEALED);
        if (known && t->pool.entry[item->slot[k].entry].mod == row) {
            return true;
        }
    }
    return false;
}

static bool has_family(const table *t, const craft_item *item, const char *family) {
    int row = craft_family_find(t->pack, family);
    for (int k = 0; k < craft_item_mods(item); k++) {
        bool known = !(item->slot[k].flags & CRAFT_UNREVEALED);
        if (known && t->pack->mods[t->pool.entry[item->slot[k].entry].mod].family == row) {
            return true;
        }
    }
    return false;
}

/* What must hold of every item. */
static void check_item(const table *t, const craft_item *item) {
    craft_item again = *item;
    craft_item_sum(&t->pool, &again);
    int sides[CRAFT_SIDES] = {0};
    uint8_t families[CRAFT_POOL_FAMILIES] = {0};
    for (int k = 0; k < craft_item_mods(item); k++) {
        const craft_slot *slot = &item->slot[k];
        sides[craft_slot_side(slot)]++;
        if (!(slot->flags & CRAFT_UNREVEALED)) {
            const craft_entry *e = &t->pool.entry[slot->entry];
            CHECK_INT(families[e->family]++, 0);
            CHECK_INT(e->side, craft_slot_side(slot));
            for (int n = 0; n < CRAFT_RANGES; n++) {
                CHECK(n < e->ranges ? slot->roll[n] < e->steps[n] : slot->roll[n] == 0);
            }
        }
    }
    CHECK(memcmp(&again, item, sizeof again) == 0);
    CHECK(sides[0] == item->count[0] && sides[1] == item->count[1]);
    CHECK(item->count[0] <= t->pool.limit[item->rarity][0]);
    CHECK(item->count[1] <= t->pool.limit[item->rarity][1]);
}

typedef bool outcome(const table *t, const craft_item *item, const void *what);

static bool mod_there(const table *t, const craft_item *item, const void *what) {
    return has_mod(t, item, what);
}
static bool mod_gone(const table *t, const craft_item *item, const void *what) {
    return !has_mod(t, item, what);
}
static bool family_there(const table *t, const craft_item *item, const void *what) {
    return has_family(t, item, what);
}

/* Plays the effects one after the other, what cannot be used is skipped, and holds the share of the
 * outcome against `chance`. */
static void expect(table *t, const craft_effect *effects, int count, outcome *holds,
                   const void *what, double chance, int line) {
    int hits = 0;
    for (int k = 0; k < PLAYS; k++) {
        craft_item item = t->item;
        for (int n = 0; n < count; n++) {
            if (craft_why(&t->pool, &item, &effects[n]) == CRAFT_USABLE) {
                craft_apply(&t->pool, &item, &effects[n], &t->rng);
            }
        }
        hits += holds(t, &item, what);
        if (k < 500) {
            check_item(t, &item);
        }
    }
    double got = hits / (double)PLAYS, error = sqrt(chance * (1.0 - chance) / PLAYS);
    if (fabs(got - chance) > 4.5 * error + 1e-12) {
        lu_test_fail(__FILE__, line, "%s: %.6f, not %.6f (standard error %.6f)", (const char *)what,
                     got, chance, error);
    }
}
#define EXPECT(effects, holds, what, chance)                                                       \
    expect(t, effects, (int)(sizeof(effects) / sizeof *(effects)), holds, what, chance, __LINE__)

/* Chance that one draw gives the modifier, by walking over all of the pool. */
static double chance_of(const table *t, const char *mod, int floor, int rarity, int side) {
    double all = 0.0, own = 0.0;
    int at = craft_floor_of(&t->pool, floor);
    for (int i = 0; i < t->pool.entries; i++) {
        const craft_entry *e = &t->pool.entry[i];
        double weight = t->pool.floor[at].weight[i];
        bool open = e->side < 2 && craft_room(&t->pool, &t->item, rarity, e->side) > 0 &&
                    (side == CRAFT_ANY_SIDE || side == e->side);
        weight = open && !craft_has_family(&t->item, e->family) ? weight : 0.0;
        all += weight;
        own += i == entry_named(t, mod) ? weight : 0.0;
    }
    return own / all;
}

/* ---- currencies that add ---- */

TEST(orbs_that_add_one_draw_by_weight) {
    static const struct {
        const char *currency;
        int rarity;
        const char *mods;
        int after, floor;
    } cases[] = {
        {"orb_of_transmutation", CRAFT_NORMAL, "", CRAFT_MAGIC, 0},
        {"greater_orb_of_transmutation", CRAFT_NORMAL, "", CRAFT_MAGIC, 55},
        {"perfect_orb_of_transmutation", CRAFT_NORMAL, "", CRAFT_MAGIC, 70},
        {"orb_of_augmentation", CRAFT_MAGIC, "IncreasedLife3", CRAFT_MAGIC, 0},
        {"greater_orb_of_augmentation", CRAFT_MAGIC, "IncreasedLife3", CRAFT_MAGIC, 55},
        {"perfect_orb_of_augmentation", CRAFT_MAGIC, "IncreasedLife3", CRAFT_MAGIC, 70},
        {"regal_orb", CRAFT_MAGIC, "IncreasedLife3 ColdResist2", CRAFT_RARE, 0},
        {"greater_regal_orb", CRAFT_MAGIC, "IncreasedLife3 ColdResist2", CRAFT_RARE, 35},
        {"perfect_regal_orb", CRAFT_MAGIC, "IncreasedLife3 ColdResist2", CRAFT_RARE, 50},
        {"exalted_orb", CRAFT_RARE, "IncreasedLife3 ColdResist2 MovementVelocity2", CRAFT_RARE, 0},
        {"greater_exalted_orb", CRAFT_RARE, "IncreasedLife3 ColdResist2", CRAFT_RARE, 35},
        {"perfect_exalted_orb", CRAFT_RARE, "IncreasedLife3 ColdResist2", CRAFT_RARE, 50},
    };
    table *t = boots();
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        lay(t, cases[k].rarity, cases[k].mods);
        craft_effect e[] = {use(t, cases[k].currency, NULL, NULL)};
        double chance = chance_of(t, "FireResist8", cases[k].floor, cases[k].after, CRAFT_ANY_SIDE);
        EXPECT(e, mod_there, "FireResist8", chance);
        CHECK(chance > 0.0);
    }
    free(t);
}

TEST(side_omens_draw_from_one_side) {
    table *t = boots();
    lay(t, CRAFT_RARE, "IncreasedLife3 ColdResist2");
    craft_effect right[] = {use(t, "exalted_orb", "omen_of_dextral_exaltation", NULL)};
    EXPECT(right, mod_there, "FireResist8",
           chance_of(t, "FireResist8", 0, CRAFT_RARE, CRAFT_SUFFIX));
    craft_effect left[] = {use(t, "perfect_exalted_orb", "omen_of_sinistral_exaltation", NULL)};
    EXPECT(left, mod_there, "MovementVelocity5",
           chance_of(t, "MovementVelocity5", 50, CRAFT_RARE, CRAFT_PREFIX));
    lay(t, CRAFT_MAGIC, "ColdResist2");
    craft_effect crown[] = {use(t, "regal_orb", "omen_of_sinistral_coronation", NULL)};
    EXPECT(crown, mod_there, "IncreasedLife9",
           chance_of(t, "IncreasedLife9", 0, CRAFT_RARE, CRAFT_PREFIX));
    craft_effect heir[] = {use(t, "regal_orb", "omen_of_dextral_coronation", NULL)};
    EXPECT(heir, mod_there, "FireResist8",
           chance_of(t, "FireResist8", 0, CRAFT_RARE, CRAFT_SUFFIX));
    free(t);
}

/* Two draws: the first as one, the second without the family of the first. */
TEST(greater_exaltation_draws_two_one_after_the_other) {
    table *t = boots();
    lay(t, CRAFT_RARE, "IncreasedLife3");
    craft_item empty = t->item;
    double chance = 0.0;
    for (int i = 0; i < t->pool.entries; i++) {
        const craft_mod *mod = &t->pack->mods[t->pool.entry[i].mod];
        if (t->pool.floor[0].weight[i] == 0 || craft_has_family(&empty, t->pool.entry[i].family) ||
            t->pool.entry[i].side != CRAFT_SUFFIX) {
            continue;
        }
        double first = chance_of(t, mod->id, 0, CRAFT_RARE, CRAFT_SUFFIX);
        bool hit = i == entry_named(t, "FireResist8");
        craft_put(&t->pool, &t->item, i, 0, &t->rng);
        bool open = !craft_has_family(&empty, t->pool.entry[entry_named(t, "FireResist8")].family);
        chance += first * (hit    ? 1.0
                           : open ? chance_of(t, "FireResist8", 0, CRAFT_RARE, CRAFT_SUFFIX)
                                  : 0.0);
        t->item = empty;
    }
    craft_effect e[] = {
        use(t, "exalted_orb", "omen_of_greater_exaltation", "omen_of_dextral_exaltation")};
    EXPECT(e, mod_there, "FireResist8", chance);
    lay(t, CRAFT_RARE, "IncreasedLife3 MovementVelocity2 FireResist2 ColdResist2 LightningResist2");
    CHECK_INT(why(t, "exalted_orb", "omen_of_greater_exaltation", NULL), CRAFT_NO_ROOM);
    CHECK_INT(why(t, "exalted_orb", "omen_of_dextral_exaltation", NULL), CRAFT_NO_ROOM);
    CHECK_INT(why(t, "exalted_orb", NULL, NULL), CRAFT_USABLE);
    free(t);
}

/* Public vectors P1, P3 and P4. */
/* A modifier of this family of tier 3 or better, 2 or better. */
static bool high(const table *t, const craft_item *item, const char *family, int tier) {
    static const char *last;
    static int row;
    if (family != last) {
        row = craft_family_find(t->pack, family);
        last = family;
    }
    bool found = false;
    for (int k = 0; k < craft_item_mods(item); k++) {
        const craft_entry *e = &t->pool.entry[item->slot[k].entry];
        found = found || (t->pack->mods[e->mod].family == row && e->tier <= tier);
    }
    return found;
}
static bool in_top_two(const table *t, const craft_item *item, const void *what) {
    return high(t, item, what, 2);
}
static bool in_top_three(const table *t, const craft_item *item, const void *what) {
    return high(t, item, what, 3);
}

TEST(alchemy_and_the_plain_ladder_are_as_recorded) {
    table *t = boots();
    lay(t, CRAFT_NORMAL, "");
    craft_effect alchemy[] = {use(t, "orb_of_alchemy", NULL, NULL)};
    EXPECT(alchemy, in_top_two, "IncreasedLife", 0.0754733885);
    craft_effect ladder[] = {use(t, "orb_of_transmutation", NULL, NULL),
                             use(t, "orb_of_augmentation", NULL, NULL),
                             use(t, "regal_orb", NULL, NULL), use(t, "exalted_orb", NULL, NULL)};
    EXPECT(ladder, in_top_three, "MovementVelocity", 0.1265795717);
    free(t);
}

static bool three_prefixes(const table *t, const craft_item *item, const void *what) {
    (void)t;
    (void)what;
    return item->count[CRAFT_PREFIX] == 3 && item->count[CRAFT_SUFFIX] == 1;
}
static bool three_suffixes(const table *t, const craft_item *item, const void *what) {
    (void)t;
    (void)what;
    return item->count[CRAFT_PREFIX] == 1 && item->count[CRAFT_SUFFIX] == 3;
}

TEST(alchemy_omens_fill_a_side) {
    table *t = boots();
    lay(t, CRAFT_NORMAL, "");
    craft_effect left[] = {use(t, "orb_of_alchemy", "omen_of_sinistral_alchemy", NULL)};
    EXPECT(left, three_prefixes, "3 + 1", 1.0);
    craft_effect right[] = {use(t, "orb_of_alchemy", "omen_of_dextral_alchemy", NULL)};
    EXPECT(right, three_suffixes, "1 + 3", 1.0);
    lay(t, CRAFT_MAGIC, "ColdResist2");
    CHECK_INT(why(t, "orb_of_alchemy", NULL, NULL), CRAFT_WRONG_RARITY);
    free(t);
}

/* ---- currencies that remove ---- */

static const char four[] = "IncreasedLife3 MovementVelocity2 FireResist2 ColdResist6";

TEST(annulment_removes_each_as_likely) {
    table *t = boots();
    lay(t, CRAFT_RARE, four);
    craft_effect plain[] = {use(t, "orb_of_annulment", NULL, NULL)};
    EXPECT(plain, mod_gone, "FireResist2", 1.0 / 4);
    craft_effect left[] = {use(t, "orb_of_annulment", "omen_of_sinistral_annulment", NULL)};
    EXPECT(left, mod_gone, "IncreasedLife3", 1.0 / 2);
    craft_effect right[] = {use(t, "orb_of_annulment", "omen_of_dextral_annulment", NULL)};
    EXPECT(right, mod_gone, "IncreasedLife3", 0.0);
    craft_effect two[] = {use(t, "orb_of_annulment", "omen_of_greater_annulment", NULL)};
    EXPECT(two, mod_gone, "FireResist2", 1.0 / 2);
    t->item.slot[3].flags |= CRAFT_DESECRATED;
    craft_effect light[] = {use(t, "orb_of_annulment", "omen_of_light", NULL)};
    EXPECT(light, mod_gone, "ColdResist6", 1.0);
    t->item.slot[0].flags |= CRAFT_FRACTURED;
    EXPECT(plain, mod_gone, "IncreasedLife3", 0.0);
    EXPECT(plain, mod_gone, "FireResist2", 1.0 / 3);
    free(t);
}

/* What is removed, then a draw on what is left: the mean over the modifiers that may go. */
static double swap_chance(table *t, uint32_t slots, const char *mod, int floor) {
    craft_item before = t->item;
    double sum = 0.0;
    int count = 0;
    for (int k = 0; k < craft_item_mods(&before); k++) {
        if (slots >> k & 1u) {
            t->item = before;
            craft_take(&t->pool, &t->item, k);
            sum += chance_of(t, mod, floor, CRAFT_RARE, CRAFT_ANY_SIDE);
            count++;
        }
    }
    t->item = before;
    return sum / count;
}

TEST(chaos_swaps_one_for_a_draw) {
    table *t = boots();
    lay(t, CRAFT_RARE, "IncreasedLife3 MovementVelocity2 FireResist2 ColdResist6 LightningResist3");
    craft_effect plain[] = {use(t, "chaos_orb", NULL, NULL)};
    EXPECT(plain, mod_there, "ChaosResist4", swap_chance(t, 31, "ChaosResist4", 0));
    craft_effect greater[] = {use(t, "greater_chaos_orb", NULL, NULL)};
    EXPECT(greater, mod_there, "ChaosResist4", swap_chance(t, 31, "ChaosResist4", 35));
    craft_effect perfect[] = {use(t, "perfect_chaos_orb", NULL, NULL)};
    EXPECT(perfect, mod_there, "ChaosResist4", swap_chance(t, 31, "ChaosResist4", 50));
    craft_effect left[] = {use(t, "chaos_orb", "omen_of_sinistral_erasure", NULL)};
    EXPECT(left, mod_there, "ChaosResist4", swap_chance(t, 3, "ChaosResist4", 0));
    craft_effect right[] = {use(t, "chaos_orb", "omen_of_dextral_erasure", NULL)};
    EXPECT(right, mod_there, "ChaosResist4", swap_chance(t, 28, "ChaosResist4", 0));
    free(t);
}

TEST(whittling_removes_the_lowest_level) {
    table *t = boots();
    lay(t, CRAFT_RARE, "IncreasedLife9 MovementVelocity5 FireResist2 ColdResist2");
    int level = t->pool.entry[entry_named(t, "FireResist2")].level;
    CHECK_INT(t->pool.entry[entry_named(t, "ColdResist2")].level == level, 0);
    bool fire = level < t->pool.entry[entry_named(t, "ColdResist2")].level;
    const char *low = fire ? "FireResist2" : "ColdResist2",
               *high = fire ? "ColdResist2" : "FireResist2";
    craft_effect e[] = {use(t, "chaos_orb", "omen_of_whittling", NULL)};
    double back = swap_chance(t, fire ? 4 : 8, low, 0);
    EXPECT(e, mod_gone, low, 1.0 - back);
    EXPECT(e, mod_gone, high, 0.0);
    craft_effect perfect[] = {use(t, "perfect_chaos_orb", "omen_of_whittling", NULL)};
    EXPECT(perfect, mod_gone, low, 1.0);
    craft_effect left[] = {
        use(t, "perfect_chaos_orb", "omen_of_whittling", "omen_of_sinistral_erasure")};
    EXPECT(left, mod_gone, low, 0.0);
    free(t);
}

/* ---- essences ---- */

TEST(essences_give_their_modifier) {
    table *t = boots();
    lay(t, CRAFT_MAGIC, "MovementVelocity2 ColdResist2");
    craft_effect life[] = {use(t, "greater_essence_of_the_body", NULL, NULL)};
    EXPECT(life, family_there, "IncreasedLife", 1.0);
    craft_effect three[] = {use(t, "essence_of_the_infinite", NULL, NULL)};
    EXPECT(three, family_there, "Strength", 1.0 / 3);
    lay(t, CRAFT_MAGIC, "IncreasedLife2 ColdResist2");
    CHECK_INT(why(t, "greater_essence_of_the_body", NULL, NULL), CRAFT_FAMILY_TAKEN);
    lay(t, CRAFT_RARE, "MovementVelocity2 FireResist2 ColdResist2 LightningResist3");
    CHECK_INT(why(t, "greater_essence_of_the_body", NULL, NULL), CRAFT_WRONG_RARITY);
    free(t);
}

/* On boots Hysteria gives a prefix and Horror a suffix. */
TEST(swap_essences_remove_from_a_full_side) {
    table *t = boots();
    lay(t, CRAFT_RARE, "IncreasedLife2 FireResist2 ColdResist2 LightningResist3");
    craft_effect prefix[] = {use(t, "essence_of_hysteria", NULL, NULL)};
    EXPECT(prefix, mod_there, "MovementVelocity5", 1.0);
    EXPECT(prefix, mod_gone, "FireResist2", 1.0 / 4);
    craft_effect left[] = {
        use(t, "essence_of_hysteria", "omen_of_sinistral_crystallisation", NULL)};
    EXPECT(left, mod_gone, "IncreasedLife2", 1.0);
    craft_effect right[] = {use(t, "essence_of_hysteria", "omen_of_dextral_crystallisation", NULL)};
    EXPECT(right, mod_gone, "FireResist2", 1.0 / 3);
    craft_effect suffix[] = {use(t, "essence_of_horror", NULL, NULL)};
    CHECK_INT(t->pool.entry[suffix[0].given[0]].side, CRAFT_SUFFIX);
    EXPECT(suffix, mod_gone, "FireResist2", 1.0 / 3);
    EXPECT(suffix, mod_gone, "IncreasedLife2", 0.0);
    CHECK_INT(why(t, "essence_of_horror", "omen_of_sinistral_crystallisation", NULL),
              CRAFT_WRONG_SIDE);
    lay(t, CRAFT_RARE, "MovementVelocity2");
    CHECK_INT(why(t, "essence_of_hysteria", NULL, NULL), CRAFT_FAMILY_TAKEN);
    free(t);
}

static bool mark_suffix(const table *t, const craft_item *item, const void *what) {
    (void)t;
    (void)what;
    int mark = craft_mark_of(item);
    return mark >= 0 && craft_slot_side(&item->slot[mark]) == CRAFT_SUFFIX;
}
static bool hidden_prefix(const table *t, const craft_item *item, const void *what) {
    (void)t;
    (void)what;
    int flags = CRAFT_UNREVEALED | CRAFT_DESECRATED, at = craft_hidden_of(item);
    return (item->slot[at].flags & flags) == flags &&
           craft_slot_side(&item->slot[at]) == CRAFT_PREFIX;
}

TEST(the_mark_of_the_abyss_becomes_what_a_bone_reveals) {
    table *t = boots();
    lay(t, CRAFT_RARE, "MovementVelocity2 FireResist2");
    craft_effect e[] = {use(t, "essence_of_the_abyss", NULL, NULL),
                        use(t, "preserved_rib", NULL, NULL)};
    expect(t, e, 1, mark_suffix, "mark", 0.5, __LINE__);
    EXPECT(e, hidden_prefix, "hidden", 0.5);
    free(t);
}

/* ---- desecration ---- */

/* The unrevealed modifier of P6 and P10: a suffix beside life and fire resistance. */
static bool offers(const table *t, const craft_item *item, const void *what) {
    int row = row_of(t, what);
    bool found = false;
    for (int k = 0; k < 3; k++) {
        found = found || (item->option[k] && t->pool.entry[item->option[k] - 1].mod == row);
    }
    return found;
}

TEST(reveals_are_as_recorded) {
    table *t = boots();
    lay(t, CRAFT_RARE, "IncreasedLife9 FireResist6");
    craft_put_hidden(&t->item, CRAFT_SUFFIX);
    craft_effect e[] = {use(t, "reveal", NULL, NULL)};
    EXPECT(e, offers, "AbyssModBootsUlamanSuffixLifeRegenMoving", 0.08377622377622418); /* P6 */
    t->item.lord = CRAFT_LORD_AMANAMU;
    t->item.bone_floor = (uint8_t)craft_floor_of(&t->pool, 40);
    /* P10 sees two sets */
    double one = 1.0 - sqrt(1.0 - 0.3831893131150125);
    EXPECT(e, offers, "AbyssModBootsAmanamuSuffixDodgeRollDistance", one);
    free(t);
}

TEST(bones_hide_a_modifier_and_keeping_shows_it) {
    table *t = boots();
    lay(t, CRAFT_RARE, four);
    craft_effect plain[] = {use(t, "preserved_rib", NULL, NULL)};
    EXPECT(plain, hidden_prefix, "even", 0.5);
    craft_effect left[] = {use(t, "ancient_rib", "omen_of_sinistral_necromancy", NULL)};
    EXPECT(left, hidden_prefix, "sinistral", 1.0);
    craft_effect right[] = {use(t, "ancient_rib", "omen_of_dextral_necromancy", NULL)};
    EXPECT(right, hidden_prefix, "dextral", 0.0);
    CHECK_INT(why(t, "preserved_collarbone", NULL, NULL), CRAFT_WRONG_CLASS);
    CHECK_INT(why(t, "gnawed_rib", NULL, NULL), CRAFT_LEVEL_ABOVE);
    CHECK_INT(why(t, "preserved_rib", "omen_of_the_liege", NULL), CRAFT_WRONG_CLASS);
    craft_apply(&t->pool, &t->item, &plain[0], &t->rng);
    CHECK_INT(why(t, "preserved_rib", NULL, NULL), CRAFT_HAS_DESECRATED);
    CHECK_INT(why(t, "reveal", "omen_of_abyssal_echoes", NULL), CRAFT_NOT_CHOOSING);
    craft_effect reveal = use(t, "reveal", NULL, NULL), keep = use(t, "keep2", NULL, NULL);
    craft_effect echo = use(t, "reveal", "omen_of_abyssal_echoes", NULL);
    craft_apply(&t->pool, &t->item, &reveal, &t->rng);
    CHECK_INT(why(t, "exalted_orb", NULL, NULL), CRAFT_IS_CHOOSING);
    CHECK_INT(craft_why(&t->pool, &t->item, &echo), CRAFT_USABLE);
    craft_apply(&t->pool, &t->item, &echo, &t->rng);
    CHECK_INT(craft_why(&t->pool, &t->item, &echo), CRAFT_ECHOED);
    int option = t->item.option[1] - 1;
    CHECK_INT(craft_why(&t->pool, &t->item, &keep), CRAFT_USABLE);
    craft_apply(&t->pool, &t->item, &keep, &t->rng);
    check_item(t, &t->item);
    CHECK(craft_has_family(&t->item, t->pool.entry[option].family) && !craft_is_choosing(&t->item));
    CHECK(craft_item_flags(&t->item) == (CRAFT_DESECRATED | CRAFT_IS_SUFFIX) ||
          craft_item_flags(&t->item) & CRAFT_DESECRATED);
    free(t);
}

/* A full item loses one, and the unrevealed modifier takes its side. */
TEST(a_bone_on_a_full_item_takes_the_place_of_one) {
    table *t = boots();
    lay(t, CRAFT_RARE, "IncreasedLife3 MovementVelocity2 FireResist2 ColdResist6 LightningResist3");
    for (int i = 0; i < t->pool.entries && t->item.count[0] < 3; i++) {
        if (t->pool.entry[i].side == CRAFT_PREFIX &&
            !craft_has_family(&t->item, t->pool.entry[i].family)) {
            craft_put(&t->pool, &t->item, i, 0, &t->rng);
        }
    }
    craft_effect e[] = {use(t, "preserved_rib", NULL, NULL)};
    EXPECT(e, mod_gone, "FireResist2", 1.0 / 6);
    EXPECT(e, hidden_prefix, "even by what goes", 0.5);
    free(t);
}

static bool all_hidden(const table *t, const craft_item *item, const void *what) {
    (void)t;
    (void)what;
    return craft_item_mods(item) == 6 && (item->flags & CRAFT_CORRUPTED);
}

TEST(lords_and_putrefaction_on_a_ring) {
    craft_switches switches = craft_switches_of(4);
    table *t = table_new("Ruby Ring", 80, &switches);
    static const char *const omens[] = {"omen_of_the_sovereign", "omen_of_the_liege",
                                        "omen_of_the_blackblooded"};
    for (int lord = 0; lord < 3; lord++) {
        lay(t, CRAFT_RARE, "IncreasedLife2 ColdResist2");
        craft_effect e = use(t, "preserved_collarbone", omens[lord], NULL),
                     reveal = use(t, "reveal", NULL, NULL);
        int own = 0;
        craft_item white = t->item;
        for (int k = 0; k < 200; k++) {
            t->item = white;
            craft_apply(&t->pool, &t->item, &e, &t->rng);
            craft_apply(&t->pool, &t->item, &reveal, &t->rng);
            own += t->pool.entry[t->item.option[0] - 1].lord == lord + 1;
        }
        CHECK_INT(own, 200);
    }
    lay(t, CRAFT_RARE, "IncreasedLife2 ColdResist2");
    craft_effect rot[] = {use(t, "preserved_collarbone", "omen_of_putrefaction", NULL)};
    EXPECT(rot, all_hidden, "putrefied", 1.0);
    free(t);
}

/* ---- fracture, values, quality, corruption ---- */

static bool fractured(const table *t, const craft_item *item, const void *what) {
    int row = row_of(t, what);
    bool found = false;
    for (int k = 0; k < craft_item_mods(item); k++) {
        bool own =
            item->slot[k].entry != CRAFT_NO_ENTRY && t->pool.entry[item->slot[k].entry].mod == row;
        found = found || (own && (item->slot[k].flags & CRAFT_FRACTURED));
    }
    return found;
}

TEST(a_fracture_locks_each_as_likely) {
    table *t = boots();
    lay(t, CRAFT_RARE, four);
    craft_effect e[] = {use(t, "fracturing_orb", NULL, NULL)};
    EXPECT(e, fractured, "ColdResist6", 0.25); /* P9 */
    lay(t, CRAFT_RARE, "IncreasedLife3 MovementVelocity2 FireResist2");
    CHECK_INT(why(t, "fracturing_orb", NULL, NULL), CRAFT_TOO_FEW);
    craft_put_hidden(&t->item, CRAFT_SUFFIX);
    EXPECT(e, fractured, "FireResist2", 1.0 / 3);
    t->item.slot[0].flags |= CRAFT_FRACTURED;
    CHECK_INT(why(t, "fracturing_orb", NULL, NULL), CRAFT_HAS_FRACTURED);
    free(t);
}

static bool top_roll(const table *t, const craft_item *item, const void *what) {
    (void)what;
    return item->slot[0].roll[0] == t->pool.entry[item->slot[0].entry].steps[0] - 1;
}

TEST(divine_orbs_roll_each_value_as_likely) {
    table *t = boots();
    lay(t, CRAFT_RARE, four);
    int steps = t->pool.entry[t->item.slot[0].entry].steps[0];
    t->item.slot[0].roll[0] = 0;
    craft_effect e[] = {use(t, "divine_orb", NULL, NULL)};
    EXPECT(e, top_roll, "top", 1.0 / steps);
    t->item.slot[0].flags |= CRAFT_FRACTURED;
    EXPECT(e, top_roll, "fractured", 0.0);
    craft_effect blessed[] = {use(t, "divine_orb", "omen_of_the_blessed", NULL)};
    CHECK_INT(craft_why(&t->pool, &t->item, &blessed[0]),
              t->pool.implicit_steps > 1 ? CRAFT_USABLE : CRAFT_NO_VALUES);
    craft_effect holy = use(t, "divine_orb", "omen_of_sanctification", NULL);
    craft_apply(&t->pool, &t->item, &holy, &t->rng);
    CHECK(t->item.flags == CRAFT_SANCTIFIED && t->item.slot[1].factor[0] >= 1 &&
          t->item.slot[1].factor[0] <= 45);
    CHECK_INT(why(t, "exalted_orb", NULL, NULL), CRAFT_NO_CHANGE_ALLOWED);
    free(t);
}

/* Weights of modifiers with the catalyst's tag count five times at 20 percent. */
TEST(catalysts_weigh_and_are_used_up) {
    craft_switches switches = craft_switches_of(4);
    table *t = table_new("Ruby Ring", 80, &switches);
    craft_effect flesh = use(t, "flesh_catalyst", NULL, NULL);
    lay(t, CRAFT_NORMAL, "");
    for (int k = 0; k < 4; k++) {
        craft_apply(&t->pool, &t->item, &flesh, &t->rng);
    }
    CHECK_INT(t->item.quality, 20);
    CHECK_INT(craft_why(&t->pool, &t->item, &flesh), CRAFT_QUALITY_FULL);
    craft_item quality = t->item;
    lay(t, CRAFT_RARE, "ColdResist2");
    CHECK_INT(why(t, "exalted_orb", "omen_of_catalysing_exaltation", NULL), CRAFT_NO_QUALITY);
    t->item.quality = quality.quality;
    t->item.catalyst = quality.catalyst;
    int tag = flesh.row;
    double all = 0.0, own = 0.0;
    for (int i = 0; i < t->pool.entries; i++) {
        const craft_entry *e = &t->pool.entry[i];
        double weight = craft_has_family(&t->item, e->family) ? 0.0 : t->pool.floor[0].weight[i];
        weight *= e->tags >> tag & 1u ? 5.0 : 1.0;
        all += weight;
        own += i == entry_named(t, "IncreasedLife5") ? weight : 0.0;
    }
    craft_effect e[] = {use(t, "exalted_orb", "omen_of_catalysing_exaltation", NULL)};
    EXPECT(e, mod_there, "IncreasedLife5", own / all);
    craft_apply(&t->pool, &t->item, &e[0], &t->rng);
    CHECK(t->item.quality == 0 && t->item.catalyst == 0);
    free(t);
}

/* In 0.3: only what shares a tag may come. */
TEST(homogenising_draws_what_shares_a_tag) {
    craft_switches switches = craft_switches_of(3);
    table *t = table_new("Ruby Ring", 80, &switches);
    lay(t, CRAFT_RARE, "ColdResist2");
    uint64_t tags = craft_item_tags(&t->pool, &t->item);
    double all = 0.0, own = 0.0;
    for (int i = 0; i < t->pool.entries; i++) {
        const craft_entry *e = &t->pool.entry[i];
        bool fits = !craft_has_family(&t->item, e->family) && (e->tags & tags);
        all += fits ? t->pool.floor[0].weight[i] : 0.0;
        own += fits && i == entry_named(t, "FireResist5") ? t->pool.floor[0].weight[i] : 0.0;
    }
    craft_effect e[] = {use(t, "exalted_orb", "omen_of_homogenising_exaltation", NULL)};
    EXPECT(e, mod_there, "FireResist5", own / all);
    lay(t, CRAFT_MAGIC, "ColdResist2");
    craft_effect crown[] = {use(t, "regal_orb", "omen_of_homogenising_coronation", NULL)};
    EXPECT(crown, mod_there, "FireResist5", own / all);
    free(t);
}

static bool has_implicit(const table *t, const craft_item *item, const void *what) {
    (void)t;
    (void)what;
    return item->corruption != 0;
}

TEST(corruption_has_four_outcomes) {
    table *t = boots();
    lay(t, CRAFT_RARE, four);
    craft_effect e[] = {use(t, "vaal_orb", NULL, NULL)};
    EXPECT(e, has_implicit, "implicit", 0.25);
    craft_effect omen[] = {use(t, "vaal_orb", "omen_of_corruption", NULL)};
    EXPECT(omen, has_implicit, "implicit of three", 1.0 / 3);
    craft_apply(&t->pool, &t->item, &e[0], &t->rng);
    CHECK_INT(why(t, "orb_of_annulment", NULL, NULL), CRAFT_NO_CHANGE_ALLOWED);
    free(t);
}

/* ---- versions and switches ---- */

TEST(version_05_fills_magic_items_and_marks_what_essences_give) {
    craft_switches switches = craft_switches_of(5);
    table *t = table_new("Blacksteel Sabatons", 82, &switches);
    lay(t, CRAFT_MAGIC, "MovementVelocity2");
    craft_effect e[] = {use(t, "orb_of_alchemy", NULL, NULL)};
    EXPECT(e, mod_gone, "MovementVelocity2", 0.0);
    craft_effect life = use(t, "greater_essence_of_the_body", NULL, NULL);
    craft_apply(&t->pool, &t->item, &life, &t->rng);
    CHECK(craft_item_flags(&t->item) & CRAFT_CRAFTED);
    CHECK_INT(why(t, "essence_of_hysteria", NULL, NULL), CRAFT_HAS_CRAFTED);
    CHECK(craft_effect_init(&life, &t->pool, t->pack, "vaal_orb",
                            (const char *const[]){"omen_of_corruption"}, 1,
                            &t->error) == LU_BAD_VALUE);
    CHECK(strstr(t->error.text, "cannot be had in version 0.5") != NULL);
    free(t);
}

/* Public vector P11: version 0.5, the side drawn first. */
TEST(sides_drawn_first_are_as_recorded) {
    craft_switches switches = craft_switches_of(5);
    switches.side_choice = CRAFT_SIDE_FIRST;
    table *t = table_new("Blacksteel Sabatons", 82, &switches);
    lay(t, CRAFT_NORMAL, "");
    craft_effect e[] = {use(t, "orb_of_alchemy", NULL, NULL)};
    EXPECT(e, in_top_three, "FireResistance", 0.0848777181);
    free(t);
}

TEST(a_removed_modifier_may_be_kept_out) {
    craft_switches switches = craft_switches_of(4);
    switches.removed_can_return = 0;
    table *t = table_new("Blacksteel Sabatons", 82, &switches);
    lay(t, CRAFT_RARE, "FireResist8");
    craft_effect e[] = {use(t, "chaos_orb", NULL, NULL)};
    EXPECT(e, mod_there, "FireResist8", 0.0);
    free(t);
}

/* A base with an implicit of 11 values: blessed orbs and omens change it alone. */
static bool implicit_top(const table *t, const craft_item *item, const void *what) {
    (void)what;
    return item->implicit_roll == t->pool.implicit_steps - 1;
}
static bool values_moved(const table *t, const craft_item *item, const void *what) {
    (void)what;
    return memcmp(item->slot, t->item.slot, sizeof item->slot) != 0;
}

TEST(blessings_change_implicits_alone) {
    craft_switches switches = craft_switches_of(4);
    table *t = table_new("Azure Amulet", 80, &switches);
    CHECK_INT(t->pool.implicit_steps, 11);
    lay(t, CRAFT_MAGIC, "IncreasedLife3");
    craft_effect orb[] = {use(t, "blessed_orb", NULL, NULL)};
    EXPECT(orb, implicit_top, "orb", 1.0 / 11);
    EXPECT(orb, values_moved, "orb", 0.0);
    craft_effect omen[] = {use(t, "divine_orb", "omen_of_the_blessed", NULL)};
    EXPECT(omen, implicit_top, "omen", 1.0 / 11);
    EXPECT(omen, values_moved, "omen", 0.0);
    craft_effect divine[] = {use(t, "divine_orb", NULL, NULL)};
    EXPECT(divine, implicit_top, "divine", 1.0 / 11);
    free(t);
}

/* Factors of 0.78 to 1.22 in steps of 0.01, each value its own. */
static bool raised(const table *t, const craft_item *item, const void *what) {
    (void)t;
    (void)what;
    return item->slot[0].factor[0] + 77 > 100 && item->slot[1].factor[0] + 77 > 100;
}

TEST(sanctification_draws_a_factor_for_each_value) {
    table *t = boots();
    lay(t, CRAFT_RARE, "IncreasedLife3 MovementVelocity2");
    craft_effect e[] = {use(t, "divine_orb", "omen_of_sanctification", NULL)};
    EXPECT(e, raised, "both above 1", (22.0 / 45) * (22.0 / 45));
    free(t);
}

/* P10 as a whole: the wanted option in the first set, or in the second by Abyssal Echoes. */
TEST(echoes_show_a_second_set) {
    table *t = boots();
    int hits = 0, wanted = entry_named(t, "AbyssModBootsAmanamuSuffixDodgeRollDistance");
    craft_effect reveal = use(t, "reveal", NULL, NULL);
    craft_effect echo = use(t, "reveal", "omen_of_abyssal_echoes", NULL);
    lay(t, CRAFT_RARE, "IncreasedLife9 FireResist6");
    craft_put_hidden(&t->item, CRAFT_SUFFIX);
    t->item.lord = CRAFT_LORD_AMANAMU;
    t->item.bone_floor = (uint8_t)craft_floor_of(&t->pool, 40);
    for (int n = 0; n < PLAYS; n++) {
        craft_item item = t->item;
        bool found = false;
        craft_apply(&t->pool, &item, &reveal, &t->rng);
        for (int set = 0; set < 2; set++) {
            for (int k = 0; k < 3; k++) {
                found = found || item.option[k] == wanted + 1;
            }
            if (set == 0) {
                craft_apply(&t->pool, &item, &echo, &t->rng);
            }
        }
        hits += found;
    }
    double chance = 0.3831893131150125, error = sqrt(chance * (1.0 - chance) / PLAYS);
    CHECK(fabs(hits / (double)PLAYS - chance) < 4.5 * error);
    free(t);
}

/* Below 65 there are no desecrated-only options, which is what Gnawed bones give. */
static bool any_exclusive(const table *t, const craft_item *item, const void *what) {
    (void)what;
    bool found = false;
    for (int k = 0; k < 3 && item->option[k]; k++) {
        found = found || t->pool.entry[item->option[k] - 1].origin == CRAFT_ORIGIN_DESECRATED;
    }
    return found;
}

TEST(gnawed_bones_give_natural_options) {
    craft_switches switches = craft_switches_of(4);
    table *t = table_new("Blacksteel Sabatons", 64, &switches);
    lay(t, CRAFT_RARE, four);
    craft_effect e[] = {use(t, "gnawed_rib", NULL, NULL), use(t, "reveal", NULL, NULL)};
    EXPECT(e, any_exclusive, "below 65", 0.0);
    free(t);
    switches.reveal_gate_65 = 0;
    t = table_new("Blacksteel Sabatons", 64, &switches);
    lay(t, CRAFT_RARE, four);
    craft_effect open[] = {use(t, "gnawed_rib", NULL, NULL), use(t, "reveal", NULL, NULL)};
    EXPECT(open, any_exclusive, "without the gate", 0.5); /* boots have them as suffixes alone */
    free(t);
}

/* Every row of the tables makes an effect on some base, or is refused with the reason. */
TEST(every_row_is_played_or_refused_by_name) {
    craft_switches switches = craft_switches_of(4);
    table *bases[] = {boots(), table_new("Ruby Ring", 60, &switches),
                      table_new("Attuned Wand", 82, &switches), table_new("Ruby", 82, &switches)};
    const craft_pack *pack = bases[0]->pack;
    int counts[] = {pack->currency_count, pack->essence_count, pack->bone_count,
                    pack->catalyst_count};
    for (int kind = 0; kind < 4; kind++) {
        for (int row = 0; row < counts[kind]; row++) {
            const char *id = kind == 0   ? pack->currencies[row].id
                             : kind == 1 ? pack->essences[row].id
                             : kind == 2 ? pack->bones[row].id
                                         : pack->catalysts[row].id;
            bool played = false, named = false;
            for (int b = 0; b < 4; b++) {
                craft_effect e;
                lu_status status =
                    craft_effect_init(&e, &bases[b]->pool, pack, id, NULL, 0, &bases[b]->error);
                played = played || status == LU_OK;
                named = named || (status != LU_OK && strstr(bases[b]->error.text, id));
            }
            if (!played && !named) {
                lu_test_fail(__FILE__, __LINE__, "%s is neither played nor refused", id);
            }
        }
    }
    for (int b = 0; b < 4; b++) {
        free(bases[b]);
    }
}

/* On a wand a fire modifier keeps those of other elements out. */
TEST(added_tags_keep_other_spells_out) {
    craft_switches switches = craft_switches_of(4);
    table *t = table_new("Attuned Wand", 82, &switches);
    lay(t, CRAFT_RARE, "");
    int first = -1, barred = 0;
    for (int i = 0; i < t->pool.drawn[0] && first < 0; i++) {
        first = t->pool.entry[i].adds && t->pool.floor[0].weight[i] > 0 ? i : first;
    }
    NEED(first >= 0);
    craft_put(&t->pool, &t->item, first, 0, &t->rng);
    craft_wish wish = craft_plain_wish(0, CRAFT_RARE, CRAFT_ANY_SIDE);
    craft_item before = t->item;
    for (int n = 0; n < 20000; n++) {
        int entry = craft_draw(&t->pool, &t->item, &wish, &t->rng);
        barred += (t->pool.entry[entry].bars & before.added) != 0;
    }
    CHECK_INT(barred, 0);
    craft_effect annul = use(t, "orb_of_annulment", NULL, NULL);
    craft_apply(&t->pool, &t->item, &annul, &t->rng);
    CHECK_INT(t->item.added, 0);
    free(t);
}

TEST(what_is_unknown_or_not_played_is_named) {
    static const struct {
        const char *name, *omen, *said;
    } cases[] = {
        {"orb_of_tea", NULL, "knows no currency, essence, bone or catalyst 'orb_of_tea'"},
        {"exalted_orb", "omen_of_tea", "knows no omen 'omen_of_tea'"},
        {"exalted_orb", "omen_of_whittling", "'omen_of_whittling' is not for 'exalted_orb'"},
        {"exalted_orb", "omen_of_homogenising_exaltation", "cannot be had in version 0.4"},
        {"orb_of_chance", NULL, "'orb_of_chance' is not played: its odds are not published"},
        {"recombinator", NULL, "is not played"},
        {"greater_essence_of_command", NULL, "gives nothing on Blacksteel Sabatons"},
    };
    table *t = boots();
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        craft_effect e;
        lu_status status = craft_effect_init(&e, &t->pool, t->pack, cases[k].name, &cases[k].omen,
                                             cases[k].omen != NULL, &t->error);
        if (status == LU_OK || !strstr(t->error.text, cases[k].said)) {
            lu_test_fail(__FILE__, __LINE__, "'%s' lacks '%s'", t->error.text, cases[k].said);
        }
    }
    const char *both[] = {"omen_of_sinistral_exaltation", "omen_of_dextral_exaltation"};
    craft_effect e;
    CHECK(craft_effect_init(&e, &t->pool, t->pack, "exalted_orb", both, 2, &t->error) != LU_OK);
    CHECK(strstr(t->error.text, "contradicts") != NULL);
    CHECK_INT(why(t, "perfect_orb_of_transmutation", NULL, NULL), CRAFT_USABLE);
    free(t);
}

TEST(floors_need_the_item_level) {
    craft_switches switches = craft_switches_of(4);
    table *t = table_new("Blacksteel Sabatons", 60, &switches);
    lay(t, CRAFT_NORMAL, "");
    CHECK_INT(why(t, "perfect_orb_of_transmutation", NULL, NULL), CRAFT_LEVEL_BELOW_FLOOR);
    CHECK_INT(why(t, "greater_orb_of_transmutation", NULL, NULL), CRAFT_USABLE);
    free(t);
}
