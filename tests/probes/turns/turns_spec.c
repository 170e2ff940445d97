/* The facts of turns, how it looks, and its bots. */
#include "turns.h"

#include "ludus/fields.h"

static const char *const actions[] = {"take 1 of A", "take 2 of A", "take 3 of A",
                                      "take 1 of B", "take 2 of B", "take 3 of B",
                                      "take 1 of C", "take 2 of C", "take 3 of C"};
static const lu_head heads[] = {
    {.name = "take", .options = TURNS_ACTIONS, .option = actions, .points_at = -1},
};
static const lu_field seen[] = {
    {"heap_a", 0.0f, 1.0f, "share of 7", 0},
    {"heap_b", 0.0f, 1.0f, "share of 7", 0},
    {"heap_c", 0.0f, 1.0f, "share of 7", 0},
    {"my_turn", 0.0f, 1.0f, "", 0},
};
static const lu_group groups[] = {{"table", LU_SCALARS, 1, -1, TURNS_OBSERVATION, seen}};
static const lu_term terms[] = {{"win", "1 for the winner, -1 for the loser.", {1.0}}};
static const lu_info infos[TURNS_INFOS] = {
    [TURNS_INFO_MOVES] = {"moves", LU_INFO_COUNT, "", "Moves made.", NULL, true},
    [TURNS_INFO_WON] = {"won", LU_INFO_FLAG, "", "1 when this seat has won.", NULL, true},
};
static const lu_event events[] = {{"emptied", "A heap is empty now."}};

static void show(const lu_rules *rules, const void *bytes, int seat, lu_text *text) {
    const turns_state *s = bytes;
    (void)rules;
    (void)seat;
    for (int i = 0; i < TURNS_HEAPS; i++) {
        lu_text_addf(text, "%c ", 'A' + i);
        lu_text_fill(text, 'o', s->heap[i]);
        lu_text_add(text, "\n");
    }
    lu_text_line(text, "Seat %d to move", s->seat);
}

static uint64_t events_of(const lu_rules *rules, const void *before, const void *after,
                          const int32_t *action) {
    const turns_state *was = before, *is = after;
    (void)rules;
    (void)action;
    for (int i = 0; i < TURNS_HEAPS; i++) {
        if (was->heap[i] && !is->heap[i]) {
            return 1;
        }
    }
    return 0;
}

static void story(const lu_rules *rules, const void *before, const void *after,
                  const int32_t *action, lu_text *text) {
    const turns_state *was = before, *is = after;
    (void)rules;
    (void)action;
    for (int i = 0; i < TURNS_HEAPS; i++) {
        if (was->heap[i] != is->heap[i]) {
            lu_text_addf(text, "seat %d takes %d of %c", was->seat, was->heap[i] - is->heap[i],
                         'A' + i);
        }
    }
}

static const lu_state_field fields[] = {
    {"a", offsetof(turns_state, heap[0]), .kind = LU_NUMBER_U8, .high = TURNS_STONES},
    {"b", offsetof(turns_state, heap[1]), .kind = LU_NUMBER_U8, .high = TURNS_STONES},
    {"c", offsetof(turns_state, heap[2]), .kind = LU_NUMBER_U8, .high = TURNS_STONES},
    {LU_FIELD(turns_state, seat), .kind = LU_NUMBER_U8, .high = 1},
    {LU_FIELD(turns_state, moves), .kind = LU_NUMBER_I32, .high = 1000},
};
enum { FIELDS = LU_COUNT(fields) };

static void to_json(const lu_rules *rules, const void *bytes, int seat, lu_json *json) {
    (void)rules;
    lu_json_object(json);
    lu_fields_to_json(fields, FIELDS, bytes, seat, json);
    lu_json_object_end(json);
}

static lu_status from_json(const lu_rules *rules, void *bytes, const lu_json_value *value,
                           lu_error *error) {
    turns_state next = *(const turns_state *)bytes;
    LU_TRY(lu_fields_from_json(fields, FIELDS, rules, &next, value, error));
    *(turns_state *)bytes = next;
    return LU_OK;
}

/* Leaves heaps whose sizes modulo 4 have the exclusive or 0, which wins when takes are 1..3. */
static void expert(const lu_seat_view *view, int32_t *action) {
    int heap[TURNS_HEAPS];
    for (int i = 0; i < TURNS_HEAPS; i++) {
        heap[i] = (int)(view->observation[i] * (float)TURNS_STONES + 0.5f) % (TURNS_TAKE + 1);
    }
    int fallback = -1;
    for (int a = 0; a < TURNS_ACTIONS; a++) {
        int rest = heap[a / TURNS_TAKE] - (1 + a % TURNS_TAKE);
        int others = heap[0] ^ heap[1] ^ heap[2] ^ heap[a / TURNS_TAKE];
        if (view->mask[a] && rest >= 0 && (rest ^ others) == 0) {
            action[0] = a;
            return;
        }
        fallback = view->mask[a] && fallback < 0 ? a : fallback;
    }
    action[0] = fallback < 0 ? 0 : fallback;
}

static const lu_bot bots[TURNS_BOTS] = {
    {"expert", "Keeps the exclusive or at zero.", false, 0, expert, false},
};

LU_CORES_DECLARE(turns);

static const lu_game game = {
    .id = "turns-v1",
    LU_PARTS(turns, turns),
    .title = "Turns",
    .sentence = "Three heaps of stones, the last one wins: a probe with seats in turn.",
    .seats = TURNS_SEATS,
    .heads = LU_ROWS(heads),
    .groups = LU_ROWS(groups),
    .terms = LU_ROWS(terms),
    .infos = LU_ROWS(infos),
    .headline = "won",
    .events = LU_ROWS(events),
    .settings = {"turns", NULL, 0},
    .bots = LU_ROWS(bots),
    .limit = {LU_LIMIT_NONE, TURNS_HEAPS *TURNS_STONES},
    .to_json = to_json,
    .from_json = from_json,
    .show = show,
    .events_of = events_of,
    .story = story,
};

LU_GAMES(turns) = {&game, NULL};
