/* The facts of delay. */
#include "../learn_spec.h"

static const char *const options_0[] = {"a", "b"};
static const lu_head heads[] = {
    {.name = "act", .options = 2, .option = options_0, .points_at = -1},
};
static const lu_field seen[] = {
    {"step_0", 0.0f, 1.0f, "", 0},
    {"step_1", 0.0f, 1.0f, "", 0},
    {"step_2", 0.0f, 1.0f, "", 0},
    {"step_3", 0.0f, 1.0f, "", 0},
};
static const lu_group groups[] = {{"seen", LU_SCALARS, 1, -1, 4, seen}};

LU_CORES_DECLARE(delay);

static const lu_game game = {
    LEARN_FACTS(delay),
    .sentence = "One is paid after four decisions.",
    .seats = 1,
    .heads = LU_ROWS(heads),
    .groups = LU_ROWS(groups),
};

LU_GAMES(delay) = {&game, NULL};
