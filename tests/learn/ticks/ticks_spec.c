/* The facts of ticks. */
#include "../learn_spec.h"

static const char *const options_0[] = {"a", "b"};
static const lu_head heads[] = {
    {.name = "act", .options = 2, .option = options_0, .points_at = -1},
};
static const lu_field seen[] = {{"first", -1.0f, 1.0f, "", 0}};
static const lu_group groups[] = {{"seen", LU_SCALARS, 1, -1, 1, seen}};

LU_CORES_DECLARE(ticks);

static const lu_game game = {
    LEARN_FACTS(ticks),
    .sentence = "One is paid after two decisions of three ticks each.",
    .seats = 1,
    .heads = LU_ROWS(heads),
    .groups = LU_ROWS(groups),
    .tick_discount = true,
};

LU_GAMES(ticks) = {&game, NULL};
