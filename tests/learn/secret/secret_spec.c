/* The facts of secret. */
#include "../learn_spec.h"

static const char *const options_0[] = {"a", "b"};
static const lu_head heads[] = {
    {.name = "act", .options = 2, .option = options_0, .points_at = -1},
};
static const lu_field seen[] = {
    {"one", 0.0f, 1.0f, "", 0},
};
static const lu_group groups[] = {{"seen", LU_SCALARS, 1, -1, 1, seen}};
static const lu_field secret[] = {{"coin", -1.0f, 1.0f, "", 0}};
static const lu_group critic[] = {{"secret", LU_SCALARS, 1, -1, 1, secret}};

LU_CORES_DECLARE(secret);

static const lu_game game = {
    LEARN_FACTS(secret),
    .sentence = "A coin that only the critic sees.",
    .seats = 1,
    .heads = LU_ROWS(heads),
    .groups = LU_ROWS(groups),
    .critic_groups = LU_ROWS(critic),
};

LU_GAMES(secret) = {&game, NULL};
