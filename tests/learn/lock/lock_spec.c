/* The facts of lock. */
#include "../learn_spec.h"

static const char *const options_0[] = {"wait", "open"};
static const char *const options_1[] = {"red", "green", "blue"};
static const lu_need key_needs[] = {{-1, LU_NEED_ALL, 0, 1}};
static const lu_head heads[] = {
    {.name = "verb", .options = 2, .option = options_0, .points_at = -1},
    {.name = "key",
     .options = 3,
     .option = options_1,
     .needs = 1,
     .need = key_needs,
     .points_at = -1},
};
static const lu_field seen[] = {
    {"key_0", 0.0f, 1.0f, "", 0},
    {"key_1", 0.0f, 1.0f, "", 0},
    {"key_2", 0.0f, 1.0f, "", 0},
};
static const lu_group groups[] = {{"seen", LU_SCALARS, 1, -1, 3, seen}};

LU_CORES_DECLARE(lock);

static const lu_game game = {
    LEARN_FACTS(lock),
    .sentence = "Wait, or open with the key that is seen.",
    .seats = 1,
    .heads = LU_ROWS(heads),
    .groups = LU_ROWS(groups),
};

LU_GAMES(lock) = {&game, NULL};
