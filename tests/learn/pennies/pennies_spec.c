/* The facts of pennies. */
#include "../learn_spec.h"

static const char *const options_0[] = {"heads", "tails"};
static const lu_head heads[] = {
    {.name = "penny", .options = 2, .option = options_0, .points_at = -1},
};
static const lu_field seen[] = {
    {"seat_0", 0.0f, 1.0f, "", 0},
    {"seat_1", 0.0f, 1.0f, "", 0},
};
static const lu_group groups[] = {{"seen", LU_SCALARS, 1, -1, 2, seen}};

LU_CORES_DECLARE(pennies);

static const lu_game game = {
    LEARN_FACTS(pennies),
    .sentence = "Matching pennies for two seats.",
    .seats = 2,
    .heads = LU_ROWS(heads),
    .groups = LU_ROWS(groups),
};

LU_GAMES(pennies) = {&game, NULL};
