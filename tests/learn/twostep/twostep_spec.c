/* The facts of twostep. */
#include "../learn_spec.h"

static const char *const options_0[] = {"a", "b"};
static const lu_head heads[] = {
    {.name = "act", .options = 2, .option = options_0, .points_at = -1},
};
static const lu_field seen[] = {
    {"first", 0.0f, 1.0f, "", 0},
    {"open", 0.0f, 1.0f, "", 0},
    {"sign", 0.0f, 1.0f, "", 0},
};
static const lu_group groups[] = {{"seen", LU_SCALARS, 1, -1, 3, seen}};

LU_CORES_DECLARE(twostep);

static const lu_game game = {
    LEARN_FACTS(twostep),
    .sentence = "The better door pays only after a second choice.",
    .seats = 1,
    .heads = LU_ROWS(heads),
    .groups = LU_ROWS(groups),
};

LU_GAMES(twostep) = {&game, NULL};
