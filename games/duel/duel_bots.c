/* Bots of duel. */
#include "duel.h"
#include "duel_baseline.h"
#include "duel_see.h"

static void noop(const lu_seat_view *v, int32_t *a) {
    for (int h = 0; h < DUEL_HEADS; h++) a[h] = 0;
    (void)v;
}
const lu_bot duel_bots[DUEL_BOTS] = {
    {"noop", "x", false, 0, noop, true},
    {"ace", "x", false, 0, noop, true},
    {"baseline", "x", false, 0, noop, true},
};
const lu_bot dharok_bots[DHAROK_BOTS] = {
    {"noop", "x", false, 0, noop, true},
    {"gambler", "x", false, 0, noop, true},
};
