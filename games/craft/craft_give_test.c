/* Essences and desecration against their chances. */
#include "craft_rules_test.h"

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
    for (int n = 0; n < plays(); n++) {
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
    double chance = 0.3831893131150125, error = sqrt(chance * (1.0 - chance) / plays());
    CHECK(fabs(hits / (double)plays() - chance) < 4.5 * error);
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
