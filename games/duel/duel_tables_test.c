/* Tables and formulas of duel against known numbers. */
#include "duel_build.h"
#include "duel_mean.h"

#include "test.h"

/* Sums of the bonuses of every set. */
static const struct {
    int build, set, bonus[DUEL_BONUSES];
} sums[] = {
    {DUEL_BUILD_MAXED,
     DUEL_SET_MAGE,
     {70, 82, 12, 128, 0, 202, 196, 236, 104, 131, 84, 122, 31, 5}},
    {DUEL_BUILD_MAXED,
     DUEL_SET_RANGED,
     {18, 15, 15, 4, 157, 303, 297, 323, 139, 303, 20, 122, 2, 14}},
    {DUEL_BUILD_MAXED,
     DUEL_SET_MELEE,
     {18, 147, 95, 4, 47, 236, 228, 238, 122, 235, 152, 122, 2, 18}},
    {DUEL_BUILD_MAXED,
     DUEL_SET_SPEC,
     {18, 147, 95, 4, 47, 236, 228, 238, 122, 235, 152, 122, 2, 18}},
    {DUEL_BUILD_MAXED,
     DUEL_SET_TANK,
     {18, 15, 15, 4, 157, 303, 297, 323, 139, 303, 20, 122, 2, 14}},
    {DUEL_BUILD_MED, DUEL_SET_MAGE, {70, 82, 12, 128, 0, 202, 196, 236, 104, 131, 84, 122, 31, 5}},
    {DUEL_BUILD_MED,
     DUEL_SET_RANGED,
     {22, 19, 19, -10, 158, 312, 306, 332, 136, 315, 28, 122, 0, 16}},
    {DUEL_BUILD_MED,
     DUEL_SET_MELEE,
     {52, 138, 47, -15, 44, 275, 266, 275, 114, 243, 122, 122, 0, 12}},
    {DUEL_BUILD_MED,
     DUEL_SET_SPEC,
     {22, 151, 99, -10, 48, 245, 237, 247, 119, 247, 160, 122, 0, 20}},
    {DUEL_BUILD_MED,
     DUEL_SET_TANK,
     {22, 19, 19, -10, 158, 312, 306, 332, 136, 315, 28, 122, 0, 16}},
    {DUEL_BUILD_ZERKER, DUEL_SET_MAGE, {12, 12, 12, 120, 15, 84, 91, 95, 108, 87, 12, 122, 27, 3}},
    {DUEL_BUILD_ZERKER,
     DUEL_SET_RANGED,
     {26, 26, 26, 12, 183, 208, 198, 221, 154, 216, 28, 122, 0, 11}},
    {DUEL_BUILD_ZERKER,
     DUEL_SET_MELEE,
     {54, 112, 42, 9, 71, 175, 163, 177, 135, 153, 99, 122, 0, 9}},
    {DUEL_BUILD_ZERKER,
     DUEL_SET_SPEC,
     {67, 83, 22, 12, 73, 168, 169, 166, 138, 155, 84, 122, 0, 9}},
    {DUEL_BUILD_ZERKER,
     DUEL_SET_TANK,
     {26, 26, 26, 12, 183, 208, 198, 221, 154, 216, 28, 122, 0, 11}},
    {DUEL_BUILD_PURE, DUEL_SET_MAGE, {8, 8, 8, 110, 7, 9, 12, 12, 87, 6, 7, 122, 27, 2}},
    {DUEL_BUILD_PURE, DUEL_SET_RANGED, {22, 22, 22, 50, 145, 78, 72, 78, 116, 80, 23, 122, 0, 9}},
    {DUEL_BUILD_PURE, DUEL_SET_MELEE, {30, 89, 20, 50, 35, 64, 59, 66, 101, 64, 89, 122, 0, 8}},
    {DUEL_BUILD_PURE, DUEL_SET_SPEC, {63, 79, 18, 35, 35, 77, 84, 73, 86, 64, 79, 122, 0, 8}},
    {DUEL_BUILD_PURE, DUEL_SET_TANK, {22, 22, 22, 50, 145, 78, 72, 78, 116, 80, 23, 122, 0, 9}},
    {DUEL_BUILD_LMS_MED, DUEL_SET_MAGE, {34, 21, 87, 81, 22, 91, 95, 110, 78, 90, 95, 105, 7, 7}},
    {DUEL_BUILD_LMS_MED,
     DUEL_SET_RANGED,
     {22, 22, 22, -5, 131, 169, 177, 200, 69, 189, 27, 105, 2, 7}},
    {DUEL_BUILD_LMS_MED,
     DUEL_SET_MELEE,
     {47, 128, 45, -8, 39, 155, 160, 173, 65, 142, 115, 105, 2, 6}},
    {DUEL_BUILD_LMS_MED,
     DUEL_SET_SPEC,
     {87, 71, 41, -7, 39, 155, 160, 173, 66, 142, 73, 105, 2, 6}},
    {DUEL_BUILD_LMS_MED,
     DUEL_SET_TANK,
     {34, 21, 87, 10, 41, 172, 182, 202, 84, 189, 95, 105, 7, 7}},
    {DUEL_BUILD_LMS_ZERKER,
     DUEL_SET_MAGE,
     {34, 21, 87, 76, 17, 91, 95, 109, 75, 90, 95, 105, 7, 4}},
    {DUEL_BUILD_LMS_ZERKER,
     DUEL_SET_RANGED,
     {22, 22, 22, -10, 126, 169, 177, 199, 66, 189, 27, 105, 2, 4}},
    {DUEL_BUILD_LMS_ZERKER,
     DUEL_SET_MELEE,
     {42, 123, 40, -13, 34, 150, 155, 167, 62, 142, 114, 105, 2, 3}},
    {DUEL_BUILD_LMS_ZERKER,
     DUEL_SET_SPEC,
     {82, 66, 36, -12, 34, 150, 155, 167, 63, 142, 72, 105, 2, 3}},
    {DUEL_BUILD_LMS_ZERKER,
     DUEL_SET_TANK,
     {34, 21, 87, 5, 36, 172, 182, 201, 81, 189, 95, 105, 7, 4}},
    {DUEL_BUILD_LMS_PURE, DUEL_SET_MAGE, {24, 13, 54, 65, 14, 11, 14, 16, 45, 6, 62, 105, 12, 6}},
    {DUEL_BUILD_LMS_PURE,
     DUEL_SET_RANGED,
     {24, 24, 24, 34, 131, 30, 34, 44, 52, 35, 18, 105, 2, 8}},
    {DUEL_BUILD_LMS_PURE, DUEL_SET_MELEE, {32, 91, 22, 34, 41, 30, 35, 44, 52, 35, 84, 105, 2, 8}},
    {DUEL_BUILD_LMS_PURE, DUEL_SET_SPEC, {64, 49, 20, 35, 41, 30, 34, 44, 53, 35, 58, 105, 2, 8}},
    {DUEL_BUILD_LMS_PURE, DUEL_SET_TANK, {34, 23, 64, 49, 41, 32, 37, 45, 67, 35, 68, 105, 2, 7}},
};

TEST(the_bonuses_of_every_set_add_up) {
    CHECK_INT(sizeof sums / sizeof *sums, 35);
    for (size_t i = 0; i < sizeof sums / sizeof *sums; i++) {
        const duel_build *b = &duel_builds[sums[i].build];
        uint8_t tank[DUEL_SLOTS];
        int16_t bonus[DUEL_BONUSES];
        duel_tank_set(b->item[DUEL_SET_MAGE], b->item[DUEL_SET_RANGED], tank);
        duel_gear_bonus(sums[i].set == DUEL_SET_TANK ? tank : b->item[sums[i].set], bonus);
        for (int k = 0; k < DUEL_BONUSES; k++) {
            CHECK_INT(bonus[k], sums[i].bonus[k]);
        }
    }
}

TEST(there_are_110_items_and_the_inventory_is_full_of_food) {
    static const int food[DUEL_BUILDS] = {12, 9, 9, 11, 14, 15, 16, 14};
    CHECK_INT(DUEL_ITEMS - 1, 110);
    for (int b = 0; b < DUEL_BUILDS; b++) {
        CHECK_INT(duel_build_food(&duel_builds[b]), food[b]);
    }
}

TEST(seven_tenths_are_one_too_low_in_single_precision) {
    for (int32_t x = 0; x <= 200; x++) {
        bool low = x == 90 || x == 170 || x == 180;
        CHECK_INT(duel_seven_tenths(x, true), x * 7 / 10);
        CHECK_INT(duel_seven_tenths(x, false), x * 7 / 10 - (low ? 1 : 0));
    }
}

TEST(chances_are_those_of_the_formula) {
    int64_t over, under;
    duel_chance_parts(24240, 24700, &over, &under);
    CHECK_INT(over, 24240);
    CHECK_INT(under, 2 * 24701);
    duel_chance_parts(29184, 24341, &over, &under);
    CHECK_INT(over, 34027);
    CHECK_INT(under, 58370);
    CHECK_NEAR(duel_chance(0, 0), 0.0, 0.0);
}

TEST(anglerfish_heal_by_level) {
    static const int rows[][2] = {{10, 3}, {25, 6}, {50, 11}, {75, 15}, {93, 22}, {99, 22}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        CHECK_INT(duel_angler_heals(rows[i][0]), rows[i][1]);
    }
}

/* In the equilibrium no protection and no style does better than another. */
TEST(the_equilibrium_makes_both_sides_indifferent) {
    static const double mean[3] = {8.0, 10.0, 9.0}, shielded[3] = {4.6, 5.9, 5.2};
    double attack[3], protect[3];
    double value = duel_equilibrium(mean, shielded, attack, protect);
    CHECK_NEAR(attack[0] + attack[1] + attack[2], 1.0, 1e-12);
    CHECK_NEAR(protect[0] + protect[1] + protect[2], 1.0, 1e-12);
    for (int i = 0; i < 3; i++) {
        double taken = 0.0;
        for (int k = 0; k < 3; k++) {
            taken += attack[k] * (k == i ? shielded[k] : mean[k]);
        }
        CHECK_NEAR(taken, value, 1e-12);
        CHECK_NEAR(mean[i] - protect[i] * (mean[i] - shielded[i]), value, 1e-12);
    }
}

TEST(a_style_that_nobody_fears_is_dropped) {
    static const double mean[3] = {1.0, 10.0, 9.0}, shielded[3] = {0.5, 5.9, 5.2};
    double attack[3], protect[3];
    double value = duel_equilibrium(mean, shielded, attack, protect);
    CHECK(attack[0] <= 0.0 && protect[0] <= 0.0);
    CHECK(value > 1.0);
    CHECK_NEAR(attack[1] + attack[2], 1.0, 1e-12);
    CHECK_NEAR(protect[1] + protect[2], 1.0, 1e-12);
}
