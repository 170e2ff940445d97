/* Currencies that add and remove, versions, switches, and what is refused, against their chances.
 */
#include "craft_rules_test.h"

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
    CHECK(strstr(t->error.text, "does not exist in version 0.5") != NULL);
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
            const char *title = kind == 0   ? pack->currencies[row].name
                                : kind == 1 ? pack->essences[row].name
                                : kind == 2 ? pack->bones[row].name
                                            : pack->catalysts[row].name;
            bool played = false, named = false;
            for (int b = 0; b < 4; b++) {
                craft_effect e;
                lu_status status =
                    craft_effect_init(&e, &bases[b]->pool, pack, id, NULL, 0, &bases[b]->error);
                played = played || status == LU_OK;
                named = named || (status != LU_OK && strstr(bases[b]->error.text, title));
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
        {"exalted_orb", "omen_of_whittling", "Omen of Whittling is not for Exalted Orb"},
        {"orb_of_chance", NULL, "Orb of Chance is not covered: its odds are not published"},
        {"recombinator", NULL, " is not covered:"},
        {"Exaltd Orb", NULL, "'Exaltd Orb'; did you mean Exalted Orb?"},
        {"greater_essence_of_command", NULL, "does nothing on Blacksteel Sabatons"},
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
