/* The facts of bandit. */
#include "../learn_spec.h"

static const char *const options_0[] = {"arm_0", "arm_1", "arm_2", "arm_3",
                                        "arm_4", "arm_5", "arm_6", "arm_7"};
static const lu_head heads[] = {
    {.name = "arm", .options = 8, .option = options_0, .points_at = -1},
};
static const lu_field seen[] = {
    {"one", 0.0f, 1.0f, "", 0},
};
static const lu_group groups[] = {{"seen", LU_SCALARS, 1, -1, 1, seen}};

LU_CORES_DECLARE(bandit);

static const lu_game game = {
    LEARN_FACTS(bandit),
    .sentence = "The best of the legal arms.",
    .seats = 1,
    .heads = LU_ROWS(heads),
    .groups = LU_ROWS(groups),
};

LU_GAMES(bandit) = {&game, NULL};
