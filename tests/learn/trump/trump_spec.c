/* The facts of trump. */
#define LEARN_WON
#include "../learn_spec.h"

static const char *const options_0[] = {"sit", "stand"};
static const lu_head heads[] = {
    {.name = "pose", .options = 2, .option = options_0, .points_at = -1},
};
static const lu_field seen[] = {
    {"card", 0.0f, 3.0f, "", 0},
    {"step", 0.0f, 4.0f, "", 0},
};
static const lu_group groups[] = {{"seen", LU_SCALARS, 1, -1, 2, seen}};

LU_CORES_DECLARE(trump);

static const lu_game game = {
    LEARN_FACTS(trump),
    .sentence = "The higher of two cards wins.",
    .seats = 2,
    .heads = LU_ROWS(heads),
    .groups = LU_ROWS(groups),
};

LU_GAMES(trump) = {&game, NULL};
