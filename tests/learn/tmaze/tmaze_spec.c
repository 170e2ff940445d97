/* The facts of tmaze. */
#include "../learn_spec.h"

static const char *const options_0[] = {"a", "b"};
static const lu_head heads[] = {
    {.name = "act", .options = 2, .option = options_0, .points_at = -1},
};
static const lu_field seen[] = {
    {"left_sign", 0.0f, 1.0f, "", 0},
    {"right_sign", 0.0f, 1.0f, "", 0},
    {"junction", 0.0f, 1.0f, "", 0},
};
static const lu_group groups[] = {{"seen", LU_SCALARS, 1, -1, 3, seen}};

LU_CORES_DECLARE(tmaze);

static const lu_game game = {
    LEARN_FACTS(tmaze),
    .sentence = "Remember the sign until the corridor ends.",
    .seats = 1,
    .heads = LU_ROWS(heads),
    .groups = LU_ROWS(groups),
};

LU_GAMES(tmaze) = {&game, NULL};
