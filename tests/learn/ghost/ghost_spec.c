/* The facts of ghost. */
#include "../learn_spec.h"

static const char *const options_0[] = {"a", "b"};
static const lu_head heads[] = {
    {.name = "guess", .options = 2, .option = options_0, .points_at = -1},
};
static const lu_field seen[] = {{"sign", -1.0f, 1e6f, "", 0}};
static const lu_group groups[] = {{"seen", LU_SCALARS, 1, -1, 1, seen}};

static bool drives(const lu_rules *rules, int seat) {
    (void)rules;
    return seat == 1;
}

LU_CORES_DECLARE(ghost);

static const lu_game game = {
    LEARN_FACTS(ghost),
    .sentence = "Two seats guess, the one between them belongs to the game.",
    .seats = 3,
    .heads = LU_ROWS(heads),
    .groups = LU_ROWS(groups),
    .drives = drives,
};

LU_GAMES(ghost) = {&game, NULL};
