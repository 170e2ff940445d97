/* The facts of constant. */
#include "../learn_spec.h"

static const char *const options_0[] = {"a", "b"};
static const lu_head heads[] = {
    {.name = "act", .options = 2, .option = options_0, .points_at = -1},
};
static const lu_field seen[] = {
    {"one", 0.0f, 1.0f, "", 0},
};
static const lu_group groups[] = {{"seen", LU_SCALARS, 1, -1, 1, seen}};

LU_CORES_DECLARE(constant);

static const lu_game game = {
    LEARN_FACTS(constant),
    .sentence = "The reward is 1 whatever is done.",
    .seats = 1,
    .heads = LU_ROWS(heads),
    .groups = LU_ROWS(groups),
};

LU_GAMES(constant) = {&game, NULL};
