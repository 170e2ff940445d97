/* The facts of habit, and its bots. */
#include "../learn_spec.h"

static const char *const options_0[] = {"heads", "tails"};
static const lu_head heads[] = {
    {.name = "penny", .options = 2, .option = options_0, .points_at = -1},
};
static const lu_field seen[] = {
    {"seat", -1.0f, 1.0f, "", 0},
    {"round", 0.0f, 1.0f, "", 0},
    {"last", -1.0f, 1.0f, "", 0},
    {"before", -1.0f, 1.0f, "", 0},
};
static const lu_group groups[] = {{"seen", LU_SCALARS, 1, -1, 4, seen}};

typedef struct habit_memory {
    int32_t rounds, first;
} habit_memory;

/* The first penny is a coin; the others are equal to it, or alternate. */
static void act(void *memory, lu_rng *rng, bool alternates, int32_t *actions) {
    habit_memory *m = memory;
    if (m->rounds == 0) {
        m->first = (int32_t)lu_rng_below(rng, 2);
    }
    actions[0] = alternates && m->rounds % 2 == 1 ? 1 - m->first : m->first;
    m->rounds++;
}

static void stubborn(const lu_seat_view *view, int32_t *actions) {
    act(view->memory, view->rng, false, actions);
}

static void fickle(const lu_seat_view *view, int32_t *actions) {
    act(view->memory, view->rng, true, actions);
}

static const lu_bot bots[] = {
    {"stubborn", "Shows what it showed first.", false, sizeof(habit_memory), stubborn, false},
    {"fickle", "Shows the other side every round.", false, sizeof(habit_memory), fickle, false},
};

LU_CORES_DECLARE(habit);

static const lu_game game = {
    LEARN_FACTS(habit),
    .sentence = "Eight rounds of matching pennies against habits.",
    .seats = 2,
    .heads = LU_ROWS(heads),
    .groups = LU_ROWS(groups),
    .bots = LU_ROWS(bots),
};

LU_GAMES(habit) = {&game, NULL};
