/* The facts of turnabout. */
#include "../learn_spec.h"

static const char *const options_0[] = {"a", "b"};
static const lu_head heads[] = {
    {.name = "guess", .options = 2, .option = options_0, .points_at = -1},
};
static const lu_field seen[] = {
    {"sign", -1.0f, 1.0f, "", 0},
    {"mine", 0.0f, 1.0f, "", 0},
};
static const lu_group groups[] = {{"seen", LU_SCALARS, 1, -1, 2, seen}};

LU_CORES_DECLARE(turnabout);

static const lu_game game = {
    LEARN_FACTS(turnabout),
    .sentence = "Guess the sign in turn, and be paid while the other moves.",
    .seats = 2,
    .heads = LU_ROWS(heads),
    .groups = LU_ROWS(groups),
};

LU_GAMES(turnabout) = {&game, NULL};
