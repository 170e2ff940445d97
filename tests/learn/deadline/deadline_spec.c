/* The facts of deadline. */
#include "../learn_spec.h"

static const char *const options_0[] = {"back", "on"};
static const lu_head heads[] = {
    {.name = "act", .options = 2, .option = options_0, .points_at = -1},
};
static const lu_field seen[] = {
    {"place", 0.0f, 1.0f, "", 0},
    {"time", 0.0f, 1.0f, "", 0},
};
static const lu_group groups[] = {{"seen", LU_SCALARS, 1, -1, 2, seen}};

LU_CORES_DECLARE(deadline);

static const lu_game game = {
    LEARN_FACTS(deadline),       .sentence = "The door pays, before time runs out.",
    .limit.kind = LU_LIMIT_RULE, .seats = 1,
    .heads = LU_ROWS(heads),     .groups = LU_ROWS(groups),
};

LU_GAMES(deadline) = {&game, NULL};
