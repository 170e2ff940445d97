/* Fracture, values, quality and corruption against their chances. */
#include "craft_rules_test.h"

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

/* Only what shares a tag may come; from 0.4 on the omens no longer drop, but work for who has one.
 */
static void homogenise(int version) {
    craft_switches switches = craft_switches_of(version);
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

TEST(homogenising_draws_what_shares_a_tag) {
    homogenise(3);
    homogenise(4);
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
