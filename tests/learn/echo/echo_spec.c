/* The facts of echo. */
#include "../learn_spec.h"

static const char *const words[] = {"red", "green", "blue"};
static const lu_head heads[] = {
    {.name = "say", .options = 3, .option = words, .points_at = -1},
    {.name = "echo", .options = 3, .option = words, .points_at = -1},
};
static const lu_field seen[] = {
    {"one", 0.0f, 1.0f, "", 0},
};
static const lu_group groups[] = {{"seen", LU_SCALARS, 1, -1, 1, seen}};

LU_CORES_DECLARE(echo);

static const lu_game game = {
    LEARN_FACTS(echo),
    .sentence = "Say a word and say it again.",
    .seats = 1,
    .heads = LU_ROWS(heads),
    .groups = LU_ROWS(groups),
};

extern const lu_game *const lu_games_echo[];
const lu_game *const lu_games_echo[] = {&game, NULL};
