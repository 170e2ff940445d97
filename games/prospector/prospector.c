/* Rules of prospector: reset, step, what the pilot sees, which actions are legal, figures for
 * reports. Compiled once per build level; the random numbers are in prospector_math.h, the world in
 * prospector_world.h, the actions in prospector_turn.h, hidden things drawn anew in
 * prospector_guess.h. Left out: words and tables (prospector_spec.c, prospector_view.c).
 * Every result is the same bit for bit at every level: only + - * /, sqrt and selects are used on
 * reals, in the order of the rules. */
#include "prospector_guess.h"

/* ---- reset ---- */

static LU_HD void prospector_reset(const lu_rules *head, void *bytes, uint64_t seed,
                                   const void *options) {
    const prospector_rules *rules = (const prospector_rules *)(const void *)head;
    prospector_state *s = (prospector_state *)bytes;
    (void)options;

    /* only rocks that were made are not zero: 53 kB would cost more than all the rest */
    for (uint32_t made = s->made; made; made &= made - 1u) {
        memset(&s->rock[lu_lowest_bit(made)], 0, sizeof s->rock[0]);
    }
    memset(s, 0, PROSPECTOR_HOT_BYTES);
    uint64_t rng = lu_pcg32_seed(seed, PROSPECTOR_STREAM);
    graph_make(rules, s, &rng);
    market_make(s, &rng);
    s->rng = rng;
    s->fuel = PROSPECTOR_FUEL_MAX;
    s->hull = PROSPECTOR_HULL_MAX;
    s->tool = PROSPECTOR_TOOL_MAX;
    s->time_left = rules->time_max;
    s->kits = 3;
    s->stabilizers = 2;
    s->decoys = 1;
    s->selected = -1;
    s->action = -1;
}

/* ---- step ---- */

static LU_HD void prospector_step(const lu_rules *head, void *bytes, const int32_t *actions,
                                  double *terms, lu_step *step) {
    const prospector_rules *rules = (const prospector_rules *)(const void *)head;
    prospector_state *s = (prospector_state *)bytes;
    double before[LANES], drop[LANES], credits = s->credits;
    memcpy(before, &s->fuel, sizeof before);
    double value = cargo_value(s), lost = s->value_lost, spend = s->total_spend;

    /* out of range: hold here, and once more as an invalid action */
    bool outside = (uint32_t)actions[0] >= (uint32_t)PROSPECTOR_ACTIONS;
    int action = outside ? (int)PROSPECTOR_HOLD : actions[0];
    turn t;
    t.rules = rules;
    t.s = s;
    t.changed = CHANGED_ALWAYS;
    int dt = act(&t, action);
    bool invalid = outside | (dt == 0);
    /* a hold, without a jump that half of all random actions would mispredict: alert and heat are
     * not negative, so taking nothing off changes nothing */
    double held = invalid ? 1.0 : 0.0;
    s->alert = lu_fmax(s->alert - 3.0 * held, 0.0);
    s->heat = lu_fmax(s->heat - 2.5 * held, 0.0);
    dt = invalid ? 1 : dt;
    double load = dynamics(rules, s, dt);
    gauges_settle(rules, s, load, before, drop);

    /* the end (10) */
    bool destroyed = s->hull <= 0.0;
    bool stranded = s->fuel <= 0.0 && s->node != 0;
    bool cashed = action == PROSPECTOR_CASH_OUT;
    bool terminated = destroyed | stranded | cashed;
    bool truncated = !terminated && s->time_left <= 0.0;
    prospector_end end = PROSPECTOR_RUNNING;
    if (terminated | truncated) {
        end = truncated ? PROSPECTOR_END_TIME : PROSPECTOR_END_CASH_OUT;
        end = stranded ? PROSPECTOR_END_STRANDED : end;
        end = destroyed ? (stranded ? PROSPECTOR_END_BOTH : PROSPECTOR_END_DESTROYED) : end;
    }
    s->end = (uint8_t)end;
    s->action = (int8_t)action;
    s->dt = (uint8_t)dt;
    s->invalid = invalid;
    if (s->credits != credits) {
        s->credits_shown = prospector_credits_shown(s->credits);
    }

    /* terms, scaled as in the reference reward (11); those left out here stay 0 */
    terms[PROSPECTOR_TERM_FUEL] = drop[0];
    terms[PROSPECTOR_TERM_DAMAGE] = drop[1];
    terms[PROSPECTOR_TERM_WEAR] = drop[3];
    terms[PROSPECTOR_TERM_CREDITS] = drop[7];
    terms[PROSPECTOR_TERM_CARGO] = 2e-5 * lu_fmax(cargo_value(s) - value, 0.0);
    terms[PROSPECTOR_TERM_TIME] = -0.001 * (double)dt;
    terms[PROSPECTOR_TERM_PIRATES] = -0.001 * (s->value_lost - lost);
    terms[PROSPECTOR_TERM_SPEND] = -0.001 * (s->total_spend - spend);
    terms[PROSPECTOR_TERM_INVALID] = invalid ? -0.01 : 0.0;
    if (s->heat > 70.0) {
        double hot = (s->heat - 70.0) / 100.0;
        terms[PROSPECTOR_TERM_HEAT] = -0.20 * (hot * hot);
    }
    if (action >= PROSPECTOR_WIDE_SCAN && action <= PROSPECTOR_DEEP_SCAN) {
        terms[PROSPECTOR_TERM_SCAN] = -0.005;
    }
    if (terminated | truncated) {
        bool lost_all = destroyed | stranded;
        terms[PROSPECTOR_TERM_STRANDED] = stranded ? -50.0 : 0.0;
        terms[PROSPECTOR_TERM_DESTROYED] = destroyed ? -100.0 : 0.0;
        terms[PROSPECTOR_TERM_BONUS] = lost_all ? 0.0 : 2e-6 * s->credits;
    }

    step->ticks = dt;
    step->terminated = terminated;
    step->truncated = truncated;
    step->illegal = invalid;
    step->unused = 0;
    step->changed = t.changed;
}

/* ---- observation (12) ---- */

#define TWELFTH(k) (float)(k) / 12.0f
#define PART31(k)                                                                                  \
    (float)(k) / 31.0f, (float)(k + 1) / 31.0f, (float)(k + 2) / 31.0f, (float)(k + 3) / 31.0f
/* k / 12 and k / 31, without divisions while stepping */
LU_TABLE float twelfths[PROSPECTOR_SUPPLY_MAX + 1] = {
    TWELFTH(0), TWELFTH(1), TWELFTH(2), TWELFTH(3),  TWELFTH(4),  TWELFTH(5), TWELFTH(6),
    TWELFTH(7), TWELFTH(8), TWELFTH(9), TWELFTH(10), TWELFTH(11), TWELFTH(12)};
LU_TABLE float parts31[PROSPECTOR_NODES] = {PART31(0),  PART31(4),  PART31(8),  PART31(12),
                                            PART31(16), PART31(20), PART31(24), PART31(28)};

LU_ALWAYS_INLINE void observe_ship(const prospector_rules *rules, const prospector_state *s,
                                   float *o) {
    const prospector_node *node = &s->graph[s->node];
    double gauge[LANES];
    float load[LANES];
    memcpy(gauge, &s->fuel, sizeof gauge);
    EIGHT for (int k = 0; k < LANES; k++) {
        gauge[k] /= rules->scale[k];
    }
    EIGHT for (int k = 0; k < LANES; k++) {
        o[k] = (float)gauge[k];
    }
    o[7] = s->credits_shown;
    EIGHT for (int c = 0; c < LANES; c++) {
        load[c] = s->cargo[c] / 200.0f;
    }
    memcpy(o + 8, load, PROSPECTOR_GOODS * sizeof *o);
    o[14] = twelfths[s->kits];
    o[15] = twelfths[s->stabilizers];
    o[16] = twelfths[s->decoys];
    o[17] = o[19] = o[20] = o[21] = 0.0f;
    o[19 + node->type] = 1.0f;
    o[17] = o[19];
    o[18] = selected_open(s) ? 1.0f : 0.0f;
    o[22] = parts31[s->node];
    o[23] = parts31[node->hops];
}

LU_ALWAYS_INLINE void observe_neighbours(const prospector_state *s, float *o) {
    const prospector_node *node = &s->graph[s->node];
    memset(o, 0, (size_t)PROSPECTOR_SLOTS * (size_t)PROSPECTOR_NEIGHBOUR_FIELDS * sizeof *o);
    for (int k = 0; k < node->degree; k++, o += PROSPECTOR_NEIGHBOUR_FIELDS) {
        o[0] = 1.0f;
        o[1 + s->graph[node->neighbour[k]].type] = 1.0f;
        o[4] = (float)node->time[k] / 8.0f;
        o[5] = node->fuel[k] / 160.0f;
        o[6] = node->estimate[k];
    }
}

LU_ALWAYS_INLINE void observe_market(const prospector_state *s, float *o) {
    float level[LANES], move[LANES], stock[LANES];
    EIGHT for (int c = 0; c < LANES; c++) {
        /* the idle lanes give 0 / 1 */
        float base = c < PROSPECTOR_GOODS ? (float)market_base[c] : 1.0f;
        level[c] = clampf(s->price[c] / base, 0.0f, 1.0f);
        stock[c] = clampf(s->stock[c] / 500.0f, 0.0f, 1.0f);
    }
    EIGHT for (int c = 0; c < LANES; c++) {
        double change = ((double)s->price[c] - (double)s->last_price[c]) / 100.0;
        move[c] = (float)clamp(change, -1.0, 1.0);
    }
    memcpy(o, level, PROSPECTOR_GOODS * sizeof *o);
    memcpy(o + 6, move, PROSPECTOR_GOODS * sizeof *o);
    o[12] = stock[0];
    o[13] = stock[2];
    o[14] = stock[3];
    o[15] = stock[4];
}

static LU_HD void prospector_observe(const lu_rules *head, const void *bytes, int seat,
                                     uint64_t changed, float *o) {
    const prospector_rules *rules = (const prospector_rules *)(const void *)head;
    const prospector_state *s = (const prospector_state *)bytes;
    (void)seat;
    if (changed & (UINT64_C(1) << PROSPECTOR_GROUP_SHIP)) {
        observe_ship(rules, s, o + PROSPECTOR_AT_SHIP);
    }
    if (changed & (UINT64_C(1) << PROSPECTOR_GROUP_NEIGHBOURS)) {
        observe_neighbours(s, o + PROSPECTOR_AT_NEIGHBOURS);
    }
    if (changed & (UINT64_C(1) << PROSPECTOR_GROUP_RESERVED)) {
        o[PROSPECTOR_AT_RESERVED] = o[PROSPECTOR_AT_RESERVED + 1] = 0.0f;
    }
    if (changed & (UINT64_C(1) << PROSPECTOR_GROUP_ROCKS)) {
        memcpy(o + PROSPECTOR_AT_ROCKS, s->rock[s->node].shown, sizeof s->rock[0].shown);
    }
    if (changed & (UINT64_C(1) << PROSPECTOR_GROUP_MARKET)) {
        observe_market(s, o + PROSPECTOR_AT_MARKET);
    }
}

/* ---- legal actions (14) ---- */

#define RANGE(first, count) (((UINT64_C(1) << (count)) - 1u) << (first))

/* Eight bits as eight bytes of 0 or 1. */
LU_ALWAYS_INLINE uint64_t spread_bits(uint64_t bits) {
    uint64_t each = ((bits & 0xffu) * UINT64_C(0x0101010101010101)) & UINT64_C(0x8040201008040201);
    return ((each + UINT64_C(0x007f7f7f7f7f7f7f)) >> 7) & UINT64_C(0x0101010101010101);
}

/* Legal actions without effect that the tight mask drops. */
LU_INLINE uint64_t idle_bits(const prospector_state *s) {
    uint64_t idle = 0;
    for (int c = 0; c < PROSPECTOR_GOODS; c++) {
        if (!(s->cargo[c] > 0.0f)) {
            idle |= RANGE(PROSPECTOR_SELL + 3 * c, 3) | RANGE(PROSPECTOR_JETTISON + c, 1);
        }
    }
    if (!(s->cargo[0] + s->cargo[1] > 0.0f)) {
        idle |= RANGE(PROSPECTOR_REFINE, 1);
    }
    if (s->node == 0) {
        idle |= RANGE(PROSPECTOR_WIDE_SCAN, 1);
    }
    if (s->fuel >= (double)PROSPECTOR_FUEL_MAX) {
        idle |= RANGE(PROSPECTOR_BUY_FUEL, 3);
    }
    return idle;
}

/* Legal actions 0..63; *rest gets 64..68 as bits 0..4. */
LU_ALWAYS_INLINE uint64_t legal_bits(const prospector_rules *rules, const prospector_state *s,
                                     uint64_t *rest) {
    uint64_t low = RANGE(PROSPECTOR_HOLD, 3) | RANGE(PROSPECTOR_LISTEN, 1) |
                   RANGE(PROSPECTOR_REFINE, 2) | RANGE(PROSPECTOR_JETTISON, PROSPECTOR_GOODS);
    uint64_t high = 1u << 4;
    low |= (UINT64_C(1) << s->graph[s->node].degree) - 1u;
    low |= (uint64_t)s->open << PROSPECTOR_SELECT;
    uint64_t sel = selected_open(s) ? 1u : 0u;
    low |= sel * (RANGE(PROSPECTOR_FOCUSED_SCAN, 2) | RANGE(PROSPECTOR_MINE, 3));
    low |= (sel & (s->stabilizers > 0 ? 1u : 0u)) << PROSPECTOR_STABILISE;
    low |= (s->kits > 0 ? RANGE(PROSPECTOR_FIX_TOOL, 2) : 0u);
    if (s->node == 0) {
        double c = s->credits;
        low |= RANGE(PROSPECTOR_DOCK, 19) | (uint64_t)(c >= 60.0) << 61 |
               (uint64_t)(c >= 120.0) << 62 | (uint64_t)(c >= 210.0) << 63;
        high |= (uint64_t)((c >= 150.0) & (s->kits < PROSPECTOR_SUPPLY_MAX)) |
                (uint64_t)((c >= 175.0) & (s->stabilizers < PROSPECTOR_SUPPLY_MAX)) << 1 |
                (uint64_t)((c >= 110.0) & (s->decoys < PROSPECTOR_SUPPLY_MAX)) << 2 |
                (uint64_t)(c >= 280.0) << 3;
    }
    if (rules->tight != 0.0) {
        low &= ~idle_bits(s);
    }
    *rest = high;
    return low;
}

static LU_HD void prospector_mask(const lu_rules *head, const void *bytes, int seat,
                                  uint8_t *mask) {
    const prospector_rules *rules = (const prospector_rules *)(const void *)head;
    const prospector_state *s = (const prospector_state *)bytes;
    uint64_t high, low = legal_bits(rules, s, &high), word;
    (void)seat;
    for (int k = 0; k < 8; k++) {
        word = spread_bits(low >> (8 * k));
        memcpy(mask + 8 * k, &word, 8);
    }
    /* the last word overlaps the one before: bytes 61..68 */
    word = spread_bits((low >> 61) | (high << 3));
    memcpy(mask + PROSPECTOR_ACTIONS - 8, &word, 8);
}

/* ---- figures (13) ---- */

static LU_HD void prospector_info(const lu_rules *head, const void *bytes, int seat, double *info) {
    const prospector_state *s = (const prospector_state *)bytes;
    double ticks = (double)s->ticks, profit = s->credits - s->total_spend;
    bool lost = s->end >= PROSPECTOR_END_DESTROYED && s->end <= PROSPECTOR_END_BOTH;
    (void)head;
    (void)seat;
    info[PROSPECTOR_INFO_ACTION] = (double)s->action;
    info[PROSPECTOR_INFO_DT] = (double)s->dt;
    info[PROSPECTOR_INFO_INVALID] = (double)s->invalid;
    info[PROSPECTOR_INFO_TERMINATED] = lost || s->end == PROSPECTOR_END_CASH_OUT ? 1.0 : 0.0;
    info[PROSPECTOR_INFO_TRUNCATED] = s->end == PROSPECTOR_END_TIME ? 1.0 : 0.0;
    info[PROSPECTOR_INFO_CREDITS] = s->credits;
    info[PROSPECTOR_INFO_TRUE_PROFIT] = s->credits;
    info[PROSPECTOR_INFO_NET_PROFIT] = profit;
    info[PROSPECTOR_INFO_PROFIT_PER_TICK] = profit / lu_fmax(ticks, 1.0);
    info[PROSPECTOR_INFO_SURVIVAL] = lost ? 0.0 : 1.0;
    info[PROSPECTOR_INFO_OVERHEAT_TICKS] = (double)s->overheat_ticks;
    info[PROSPECTOR_INFO_PIRATE_ENCOUNTERS] = (double)s->encounters;
    info[PROSPECTOR_INFO_VALUE_LOST] = s->value_lost;
    info[PROSPECTOR_INFO_FUEL_USED] = lu_fmax((double)PROSPECTOR_FUEL_MAX - s->fuel, 0.0);
    info[PROSPECTOR_INFO_HULL_DAMAGE] = lu_fmax((double)PROSPECTOR_HULL_MAX - s->hull, 0.0);
    info[PROSPECTOR_INFO_TOOL_WEAR] = lu_fmax((double)PROSPECTOR_TOOL_MAX - s->tool, 0.0);
    info[PROSPECTOR_INFO_SCAN_COUNT] = (double)s->scans;
    info[PROSPECTOR_INFO_MINING_TICKS] = (double)s->mining_ticks;
    info[PROSPECTOR_INFO_CARGO_USE] = s->ticks > 0 ? s->use_sum / ticks : 0.0;
    info[PROSPECTOR_INFO_NODE_CONTEXT] = s->node == 0 ? 0.0 : 1.0;
    info[PROSPECTOR_INFO_TIME_REMAINING] = s->time_left;
    info[PROSPECTOR_INFO_TICKS_ELAPSED] = ticks;
    info[PROSPECTOR_INFO_TOTAL_SPEND] = s->total_spend;
    info[PROSPECTOR_INFO_RNG] = lu_double_from_bits(s->rng);
    info[PROSPECTOR_INFO_END] = (double)s->end;
}

#define LU_LOOP_GAME  prospector
#define LU_LOOP_NAMES PROSPECTOR
#define LU_LOOP_HOT   PROSPECTOR_HOT_BYTES
#include "ludus/loop.h"
