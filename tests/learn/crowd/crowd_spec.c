/* The facts of crowd. */
#include "../learn_spec.h"

static const char *const options_0[] = {"thing_0", "thing_1", "thing_2", "thing_3",
                                        "thing_4", "thing_5", "thing_6", "thing_7"};
static const lu_head heads[] = {
    {.name = "thing", .options = 8, .option = options_0, .points_at = 0},
};
static const lu_field seen[] = {
    {"present", 0.0f, 1.0f, "", 0},
    {"kind", 0.0f, 15.0f, "", 16},
};
static const lu_group groups[] = {{"things", LU_IDS, 8, 0, 2, seen}};

LU_CORES_DECLARE(crowd);

static const lu_game game = {
    LEARN_FACTS(crowd),
    .sentence = "Point at the thing of the wanted kind.",
    .seats = 1,
    .heads = LU_ROWS(heads),
    .groups = LU_ROWS(groups),
};

LU_GAMES(crowd) = {&game, NULL};
