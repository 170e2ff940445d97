/* The rules of potion. Every function is device-ready: see game.h. Section numbers of the comments
 * are those of the rules in README.md. */
#include "potion.h"

#include <string.h>

LU_INLINE const potion_rules *potion_rules_of(const lu_rules *rules) {
    return (const potion_rules *)(const void *)rules;
}

/* ---- reset ---- */

/* Draws pieces of every ingredient. Each 64-bit number gives two entries by multiply and shift; the
 * numbers do not depend on each other, so that the loop becomes vector code. No choice is off its
 * fair share by more than 1 in 2^25. */
LU_HD static void stock_draw(const potion_rules *m, lu_rng *rng, uint8_t *stock) {
    enum { HALF = POTION_ACTIONS / 2 };
    for (int k = 0; k < HALF; k++) {
        uint64_t bits = lu_rng_u64(rng);
        uint64_t low = (bits & 0xffffffffu) * m->stock_span[k];
        uint64_t high = (bits >> 32) * m->stock_span[HALF + k];
        stock[k] = (uint8_t)(m->stock_low[k] + (uint8_t)(low >> 32));
        stock[HALF + k] = (uint8_t)(m->stock_low[HALF + k] + (uint8_t)(high >> 32));
    }
}

/* Every reset makes the same draws, whatever is fixed: recipe, cauldron, stock; what follows in the
 * generator is for the end of the episode. */
LU_HD static void potion_reset(const lu_rules *rules, void *bytes, uint64_t seed,
                               const void *options) {
    const potion_rules *m = potion_rules_of(rules);
    const potion_options *wish = (const potion_options *)options;
    potion_state *s = (potion_state *)bytes;
    lu_rng rng = lu_rng_from(seed);
    memset(s, 0, offsetof(potion_state, stock));
    memset(s->pieces, 0, sizeof s->pieces);

    bool held = wish && wish->held_out;
    uint32_t recipe = lu_rng_below(&rng, (uint32_t)(held ? m->held_out : m->recipes));
    uint32_t cauldron = lu_rng_below(&rng, (uint32_t)m->cauldrons);
    s->recipe = held ? m->held[recipe] : m->recipe[recipe];
    s->cauldron = m->cauldron[cauldron];
    stock_draw(m, &rng, s->stock);
    s->rng = rng.state;
    if (wish) {
        s->recipe = wish->recipe >= 0 ? (uint8_t)wish->recipe : s->recipe;
        s->cauldron = wish->cauldron >= 0 ? (uint8_t)wish->cauldron : s->cauldron;
        if (wish->stocked) {
            memcpy(s->stock, wish->stock, sizeof s->stock);
        }
    }
    s->max_items = potion_limits[s->cauldron][0];
    s->max_magimins = potion_limits[s->cauldron][1];
    s->round = (int8_t)potion_round_of(m, s->recipe);
}

/* ---- the end of an episode ---- */

/* Stars (4) and traits (7) are drawn once, in this order; only a real choice takes a number. */
LU_HD static void brew(const potion_rules *m, potion_state *s) {
    lu_rng rng = {s->rng};
    const potion_limit *row = &potion_stability[m->ruleset * 4 + POTION_PERFECT - s->code];
    int shift = row->shift;
    if (row->lucky_shift != row->shift) {
        shift = lu_rng_below(&rng, 2) ? row->lucky_shift : row->shift;
    }
    if (m->star_luck > 0.0 && s->code >= POTION_VERY_STABLE) {
        shift += lu_rng_unit(&rng) < m->star_luck ? 1 : 0;
    }
    s->grade = (uint8_t)potion_grade_after(s->raw, shift);
    s->price = potion_prices[s->recipe][s->grade];
    for (int k = 0; k < POTION_SENSES; k++) {
        int good, bad;
        potion_trait_pool(s->added, s->mix.items, k, m->copies, &good, &bad);
        int sign = good > 0 ? 1 : bad > 0 ? -1 : 0;
        if (good > 0 && bad > 0) {
            sign = (int)lu_rng_below(&rng, (uint32_t)(good + bad)) < good ? 1 : -1;
        }
        s->trait[k] = (int8_t)sign;
    }
    s->rng = rng.state;
}

/* Share of wanted magimins that are off (9.3), and how full the cauldron is. */
LU_HD static double delta_of(const potion_state *s) {
    int32_t all, wanted;
    potion_distances(s->mix.amount, s->mix.total, s->recipe, &all, &wanted);
    return (double)wanted / (double)(potion_parts[s->recipe][POTION_PARTS_SUM] * s->mix.total);
}

LU_HD static void finish(const potion_rules *m, potion_state *s, double *terms) {
    if (s->code != POTION_CANNOT_BREW) {
        brew(m, s);
    }
    potion_outcome o = potion_outcome_of(m, s);
    s->won = potion_round_won(m, s, &o) ? 1 : 0;
    if (s->code != POTION_CANNOT_BREW) {
        double delta = delta_of(s), fullness = (double)s->mix.total / (double)s->max_magimins;
        terms[POTION_TERM_MIX] = (1.0 - delta) * fullness;
        terms[POTION_TERM_PRINTED] = 1.0 - delta * fullness;
        terms[POTION_TERM_GRADE] = (double)s->grade / (double)(POTION_GRADES - 1);
    } else {
        terms[POTION_TERM_CANNOT_MAKE] = 1.0;
    }
    terms[POTION_TERM_STABILITY] = m->bonus[s->code];
    terms[POTION_TERM_PROFIT] = o.profit / 1000.0;
    terms[POTION_TERM_SIGMOID] = 2.0 * lu_sigmoid(o.profit / m->profit_scale) - 1.0;
    terms[POTION_TERM_CONTEST] = (double)s->won;
}

/* ---- step ---- */

LU_HD static void add(const potion_rules *m, potion_state *s, int action) {
    s->added[s->mix.items] = (uint8_t)action;
    potion_mix_add(&s->mix, action, 1);
    s->stock[action]--;
    s->pieces[action]++;
    s->code =
        (uint8_t)potion_code_of(m->ruleset, s->mix.amount, s->mix.total, s->mix.items, s->recipe);
    s->raw = (uint8_t)potion_raw_grade(s->mix.total);
}

/* (1 - error) x fullness: how far a mix has come, by the share of all five magimins in place. */
LU_HD static double way_of(const potion_state *s) {
    int32_t all, wanted, sum = potion_parts[s->recipe][POTION_PARTS_SUM];
    potion_distances(s->mix.amount, s->mix.total, s->recipe, &all, &wanted);
    return ((double)s->mix.total - (double)all / (double)(2 * sum)) / (double)s->max_magimins;
}

LU_HD static void potion_step(const lu_rules *rules, void *bytes, const int32_t *actions,
                              double *terms, lu_step *step) {
    const potion_rules *m = potion_rules_of(rules);
    potion_state *s = (potion_state *)bytes;
    int32_t action = actions[0];
    bool fits = potion_fits(s, action), illegal = !fits && action != POTION_FINISH;
    if (fits) {
        double before = way_of(s);
        add(m, s, action);
        terms[POTION_TERM_PROGRESS] = way_of(s) - before;
    }
    s->steps++;
    s->illegal += illegal ? 1 : 0;

    /* the three ends (9.2), and the cap on what is no progress */
    if (action == POTION_FINISH) {
        s->end = POTION_END_FINISHED;
    } else if (s->mix.items == s->max_items) {
        s->end = POTION_END_ITEMS;
    } else if (s->mix.total == s->max_magimins && m->full_ends) {
        s->end = POTION_END_MAGIMINS;
    } else if (m->step_cap && s->steps >= POTION_STEPS_PER_ITEM * s->max_items) {
        s->end = POTION_END_CAP;
    }
    if (s->end) {
        finish(m, s, terms);
    }
    step->ticks = 1;
    step->terminated = s->end ? 1 : 0;
    step->truncated = 0;
    step->illegal = illegal ? 1 : 0;
    step->unused = 0;
    /* recipe and wanted ratios never change; nothing does when nothing was added */
    uint64_t fixed = UINT64_C(1) << POTION_GROUP_RECIPE | UINT64_C(1) << POTION_GROUP_WANTED;
    step->changed = fits ? LU_ALL_CHANGED & ~fixed : 0;
}

/* ---- observations ---- */

#define CHANGED(group) ((changed >> (group)) & 1u)

/* Pieces in the cauldron: few of 208, so that writing zeros first is cheapest. */
LU_HD static void show_pieces(const potion_state *s, float divisor, float *to) {
    memset(to, 0, POTION_ACTIONS * sizeof(float));
    for (int k = 0; k < s->mix.items; k++) {
        to[s->added[k]] = (float)s->pieces[s->added[k]] / divisor;
    }
}

/* Shares of the five magimins, zeros for an empty cauldron. */
LU_HD static void show_ratios(const potion_state *s, float *to) {
    float total = s->mix.total > 0 ? (float)s->mix.total : 1.0f;
    for (int k = 0; k < POTION_MAGIMINS; k++) {
        to[k] = (float)s->mix.amount[k] / total;
    }
}

LU_HD static void show_wanted(const potion_state *s, float *to) {
    const int32_t *parts = potion_parts[s->recipe];
    for (int k = 0; k < POTION_MAGIMINS; k++) {
        to[k] = (float)parts[k] / (float)parts[POTION_PARTS_SUM];
    }
}

/* Wanted less present. */
LU_HD static void show_missing(const potion_state *s, float *to) {
    float have[POTION_MAGIMINS], want[POTION_MAGIMINS];
    show_ratios(s, have);
    show_wanted(s, want);
    for (int k = 0; k < POTION_MAGIMINS; k++) {
        to[k] = want[k] - have[k];
    }
}

LU_HD static void show_cauldron(const potion_state *s, float *to) {
    to[POTION_SEEN_FULLNESS] = (float)s->mix.total / (float)s->max_magimins;
    to[POTION_SEEN_ITEMS] = (float)s->mix.items / (float)s->max_items;
    to[POTION_SEEN_FREE_ITEMS] = (float)(s->max_items - s->mix.items) / (float)POTION_ITEMS_MAX;
    to[POTION_SEEN_FREE_MAGIMINS] =
        (float)(s->max_magimins - s->mix.total) / (float)POTION_MAGIMINS_MAX;
    to[POTION_SEEN_MAX_ITEMS] = (float)s->max_items / (float)POTION_ITEMS_MAX;
    to[POTION_SEEN_MAX_MAGIMINS] = (float)s->max_magimins / (float)POTION_MAGIMINS_MAX;
    to[POTION_SEEN_GRADE] = (float)s->raw / (float)(POTION_GRADES - 1);
    to[POTION_SEEN_CODE] = (float)s->code / (float)POTION_PERFECT;
}

LU_HD static void potion_observe(const lu_rules *rules, const void *bytes, int seat,
                                 uint64_t changed, float *o) {
    const potion_state *s = (const potion_state *)bytes;
    (void)rules;
    (void)seat;
    if (CHANGED(POTION_GROUP_STOCK)) {
        for (int k = 0; k < POTION_ACTIONS; k++) {
            o[POTION_AT_STOCK + k] = (float)s->stock[k] * 0.1f;
        }
    }
    if (CHANGED(POTION_GROUP_PIECES)) {
        show_pieces(s, (float)POTION_ITEMS_MAX, o + POTION_AT_PIECES);
    }
    if (CHANGED(POTION_GROUP_RECIPE)) {
        memset(o + POTION_AT_RECIPE, 0, POTION_RECIPES * sizeof(float));
        o[POTION_AT_RECIPE + s->recipe] = 1.0f;
    }
    if (CHANGED(POTION_GROUP_RATIOS)) {
        show_ratios(s, o + POTION_AT_RATIOS);
    }
    if (CHANGED(POTION_GROUP_WANTED)) {
        show_wanted(s, o + POTION_AT_WANTED);
    }
    if (CHANGED(POTION_GROUP_MISSING)) {
        show_missing(s, o + POTION_AT_MISSING);
    }
    if (CHANGED(POTION_GROUP_CAULDRON)) {
        show_cauldron(s, o + POTION_AT_CAULDRON);
    }
}

/* The peer's layout: the same order, plain numbers. Its groups 2 and 4 never change either. */
LU_HD static void potion_peer_observe(const lu_rules *rules, const void *bytes, int seat,
                                      uint64_t changed, float *o) {
    const potion_state *s = (const potion_state *)bytes;
    (void)rules;
    (void)seat;
    if (CHANGED(POTION_PEER_GROUP_STOCK)) {
        for (int k = 0; k < POTION_ACTIONS; k++) {
            o[POTION_PEER_AT_STOCK + k] = (float)s->stock[k];
        }
    }
    if (CHANGED(POTION_PEER_GROUP_PIECES)) {
        show_pieces(s, 1.0f, o + POTION_PEER_AT_PIECES);
    }
    if (CHANGED(POTION_PEER_GROUP_RECIPE)) {
        o[POTION_PEER_AT_RECIPE] = (float)s->recipe;
    }
    if (CHANGED(POTION_PEER_GROUP_RATIOS)) {
        show_ratios(s, o + POTION_PEER_AT_RATIOS);
    }
    if (CHANGED(POTION_PEER_GROUP_WANTED)) {
        show_wanted(s, o + POTION_PEER_AT_WANTED);
    }
    if (CHANGED(POTION_PEER_GROUP_CAULDRON)) {
        float *to = o + POTION_PEER_AT_CAULDRON;
        to[0] = (float)s->mix.total;
        to[1] = (float)s->max_magimins;
        to[2] = (float)s->mix.items;
        to[3] = (float)s->max_items;
    }
}

/* D_all and D_want after each action, and the magimins of it that the recipe wants. */
LU_HD static void look_ahead(const potion_state *s, int32_t *all, int32_t *wanted, int32_t *clean) {
    const int32_t *parts = potion_parts[s->recipe];
    int32_t sum = parts[POTION_PARTS_SUM];
    memset(all, 0, POTION_ACTIONS * sizeof *all);
    memset(wanted, 0, POTION_ACTIONS * sizeof *wanted);
    memset(clean, 0, POTION_ACTIONS * sizeof *clean);
    for (int k = 0; k < POTION_MAGIMINS; k++) {
        int32_t part = parts[k], counts = part > 0 ? 1 : 0;
        int32_t now = sum * s->mix.amount[k] - part * s->mix.total;
        for (int i = 0; i < POTION_ACTIONS; i++) {
            int32_t mine = potion_columns[k][i];
            int32_t off = now + sum * mine - part * potion_takes[i];
            off = off < 0 ? -off : off;
            all[i] += off;
            wanted[i] += counts * off;
            clean[i] += counts * mine;
        }
    }
}

/* The score of ending, as a whole number of parts of 4 x sum x most magimins. */
LU_HD static int32_t score_parts(const potion_rules *m, const potion_state *s, int32_t all,
                                 int32_t wanted, int32_t total) {
    int32_t sum = potion_parts[s->recipe][POTION_PARTS_SUM];
    int32_t counted = m->ruleset == POTION_RULES_GAME ? all : wanted;
    int32_t code = potion_code_at(m->ruleset, counted, total, s->recipe);
    return code > 0 ? 4 * (sum * total - wanted) + code * sum * s->max_magimins : 0;
}

/* Legal ingredients without unwanted magimins: what exact mixes are made of. Returns how many. */
LU_HD static int clean_list(const potion_state *s, const int32_t *clean, int32_t *list) {
    int count = 0;
    for (int i = 1; i <= POTION_INGREDIENTS; i++) {
        if (clean[i] == potion_takes[i] && potion_fits(s, i)) {
            list[count++] = i;
        }
    }
    return count;
}

/* Raises `best` of every clean ingredient to the best score of adding it and one more. There are at
 * most 85 of them, and what a pair is off is a sum of what each one moves. Whole numbers make the
 * inner loop vector code. */
LU_HD static void look_at_pairs(const potion_rules *m, const potion_state *s, const int32_t *list,
                                int count, int32_t *best) {
    const int32_t *parts = potion_parts[s->recipe];
    const potion_limit *limit = &potion_stability[m->ruleset * 4];
    int32_t sum = parts[POTION_PARTS_SUM], most = s->max_magimins;
    int32_t by_all = m->ruleset == POTION_RULES_GAME ? 1 : 0;
    int32_t moves[POTION_MAGIMINS][POTION_ACTIONS], takes[POTION_ACTIONS], reach[POTION_ACTIONS];
    int32_t counts[POTION_MAGIMINS], times[4], open[4], least[4];
    for (int k = 0; k < 4; k++) {
        times[k] = limit[k].times;
        open[k] = 1 - limit[k].equal;
        least[k] = limit[k].limit * sum;
    }
    for (int k = 0; k < POTION_MAGIMINS; k++) {
        counts[k] = parts[k] > 0 ? 1 : 0;
    }
    for (int n = 0; n < count; n++) {
        takes[n] = potion_takes[list[n]];
        reach[n] = 0;
        for (int k = 0; k < POTION_MAGIMINS; k++) {
            moves[k][n] = sum * potion_columns[k][list[n]] - parts[k] * takes[n];
        }
    }
    for (int a = 0; a < count; a++) {
        int32_t before = s->mix.total + takes[a], own = reach[a], now[POTION_MAGIMINS];
        for (int k = 0; k < POTION_MAGIMINS; k++) {
            now[k] = sum * s->mix.amount[k] - parts[k] * s->mix.total + moves[k][a];
        }
        for (int b = s->stock[list[a]] > 1 ? a : a + 1; b < count; b++) {
            int32_t total = before + takes[b], all = 0, wanted = 0, code = 0;
            for (int k = 0; k < POTION_MAGIMINS; k++) {
                int32_t off = now[k] + moves[k][b];
                off = off < 0 ? -off : off;
                all += off;
                wanted += counts[k] * off;
            }
            int32_t counted = by_all ? all : wanted;
            for (int k = 0; k < 4; k++) { /* each class includes the better ones */
                code += times[k] * counted + open[k] <= least[k] * total ? 1 : 0;
            }
            int32_t score = 4 * (sum * total - wanted) + code * sum * most;
            score = ((code > 0) & (total <= most)) ? score : 0;
            reach[b] = score > reach[b] ? score : reach[b];
            own = score > own ? score : own;
        }
        best[list[a]] = own > best[list[a]] ? own : best[list[a]];
    }
}

/* What is left to a full cauldron in ratio, in the wanted magimin that is nearest to it. */
LU_HD static float room_after(const potion_state *s, int i) {
    const int32_t *parts = potion_parts[s->recipe];
    int32_t sum = parts[POTION_PARTS_SUM], least = sum * s->max_magimins;
    for (int k = 0; k < POTION_MAGIMINS; k++) {
        int32_t left = parts[k] * s->max_magimins - sum * (s->mix.amount[k] + potion_columns[k][i]);
        least = parts[k] > 0 && left < least ? left : least;
    }
    return (float)least / (float)(sum * s->max_magimins);
}

/* The fields of one legal action; finishing adds nothing. */
LU_HD static void show_action(const potion_rules *m, const potion_state *s, int i,
                              const int32_t *off, int32_t clean, float now, float *to) {
    int32_t total = s->mix.total + potion_takes[i], items = s->mix.items + (i > 0 ? 1 : 0);
    int32_t counted = m->ruleset == POTION_RULES_GAME ? off[0] : off[1];
    int32_t slots = s->max_items - s->mix.items, room = s->max_magimins - s->mix.total;
    int code = items < 2 ? 0 : potion_code_at(m->ruleset, counted, total, s->recipe);
    float scale = (float)(2 * potion_parts[s->recipe][POTION_PARTS_SUM] * total);
    float error = total > 0 ? (float)off[0] / scale : 1.0f;
    float shares =
        room > 0 ? (float)(potion_takes[i] * slots) / (float)(room * POTION_LOOK_SHARES) : 0.0f;
    int32_t after = s->max_items - items;
    float need =
        (float)(s->max_magimins - total) / (float)((after > 0 ? after : 1) * POTION_LOOK_NEED_MOST);
    to[POTION_LOOK_LEGAL] = 1.0f;
    to[POTION_LOOK_FINISH] = i == POTION_FINISH ? 1.0f : 0.0f;
    to[POTION_LOOK_STOCK] = (float)s->stock[i] * 0.1f;
    to[POTION_LOOK_PIECES] = (float)s->pieces[i] / (float)POTION_ITEMS_MAX;
    to[POTION_LOOK_ERROR] = error;
    to[POTION_LOOK_CHANGE] = error - now;
    to[POTION_LOOK_FULLNESS] = (float)total / (float)s->max_magimins;
    to[POTION_LOOK_CODE] = (float)code / (float)POTION_PERFECT;
    to[POTION_LOOK_CLEAN] = i > 0 ? (float)clean / (float)potion_takes[i] : 0.0f;
    to[POTION_LOOK_PRICE] = (float)potion_adds[i][POTION_ADDS_PRICE] / 500.0f;
    to[POTION_LOOK_SIZE] = shares < 1.0f ? shares : 1.0f;
    to[POTION_LOOK_NEED] = need < 1.0f ? need : 1.0f;
    to[POTION_LOOK_ROOM] = room_after(s, i);
}

LU_HD static void show_actions(const potion_rules *m, const potion_state *s, float *o) {
    int32_t all[POTION_ACTIONS], wanted[POTION_ACTIONS], clean[POTION_ACTIONS];
    int32_t list[POTION_ACTIONS], best[POTION_ACTIONS];
    look_ahead(s, all, wanted, clean);
    int32_t sum = potion_parts[s->recipe][POTION_PARTS_SUM];
    float scale = (float)(2 * sum * s->mix.total), whole = (float)(8 * sum * s->max_magimins);
    float now = s->mix.total > 0 ? (float)all[POTION_FINISH] / scale : 1.0f;
    for (int i = 0; i < POTION_ACTIONS; i++) {
        int32_t items = s->mix.items + (i > 0 ? 1 : 0), total = s->mix.total + potion_takes[i];
        best[i] = items < 2 ? 0 : score_parts(m, s, all[i], wanted[i], total);
    }
    if (s->mix.items + 2 <= s->max_items) {
        look_at_pairs(m, s, list, clean_list(s, clean, list), best);
    }
    for (int i = 0; i < POTION_ACTIONS; i++, o += POTION_LOOK_FIELDS) {
        int32_t off[2] = {all[i], wanted[i]};
        memset(o, 0, POTION_LOOK_FIELDS * sizeof *o);
        if (i == POTION_FINISH || potion_fits(s, i)) {
            show_action(m, s, i, off, clean[i], now, o);
            o[POTION_LOOK_NEXT] = (float)best[i] / whole;
        }
    }
}

LU_HD static void potion_look_observe(const lu_rules *rules, const void *bytes, int seat,
                                      uint64_t changed, float *o) {
    const potion_state *s = (const potion_state *)bytes;
    (void)seat;
    if (CHANGED(POTION_LOOK_GROUP_ACTIONS)) {
        show_actions(potion_rules_of(rules), s, o + POTION_LOOK_AT_ACTIONS);
    }
    if (CHANGED(POTION_LOOK_GROUP_RATIOS)) {
        show_ratios(s, o + POTION_LOOK_AT_RATIOS);
    }
    if (CHANGED(POTION_LOOK_GROUP_WANTED)) {
        show_wanted(s, o + POTION_LOOK_AT_WANTED);
    }
    if (CHANGED(POTION_LOOK_GROUP_MISSING)) {
        show_missing(s, o + POTION_LOOK_AT_MISSING);
    }
    if (CHANGED(POTION_LOOK_GROUP_LIMITS) || CHANGED(POTION_LOOK_GROUP_CAULDRON)) {
        float seen[POTION_SEEN];
        show_cauldron(s, seen);
        o[POTION_LOOK_AT_LIMITS] = seen[POTION_SEEN_MAX_ITEMS];
        o[POTION_LOOK_AT_LIMITS + 1] = seen[POTION_SEEN_MAX_MAGIMINS];
        memcpy(o + POTION_LOOK_AT_CAULDRON, seen, 4 * sizeof *o);
        o[POTION_LOOK_AT_CAULDRON + 4] = seen[POTION_SEEN_GRADE];
        o[POTION_LOOK_AT_CAULDRON + 5] = seen[POTION_SEEN_CODE];
    }
}

/* step names the groups that never change once for all layouts */
LU_STATIC_ASSERT((int)POTION_GROUP_RECIPE == (int)POTION_PEER_GROUP_RECIPE &&
                     (int)POTION_GROUP_WANTED == (int)POTION_PEER_GROUP_WANTED,
                 "what never changes has the same number");
LU_STATIC_ASSERT((int)POTION_GROUP_RECIPE == (int)POTION_LOOK_GROUP_WANTED &&
                     (int)POTION_GROUP_WANTED == (int)POTION_LOOK_GROUP_LIMITS,
                 "what never changes has the same number");

LU_HD static void potion_mask(const lu_rules *rules, const void *bytes, int seat, uint8_t *mask) {
    const potion_state *s = (const potion_state *)bytes;
    int32_t room = s->mix.items < s->max_items ? s->max_magimins - s->mix.total : -1;
    int16_t most = (int16_t)room;
    (void)rules;
    (void)seat;
    for (int k = 0; k < POTION_ACTIONS; k++) {
        mask[k] = (uint8_t)((s->stock[k] != 0) & (potion_takes[k] <= most));
    }
    mask[POTION_FINISH] = 1;
}

/* ---- figures ---- */

LU_HD static void potion_info(const lu_rules *rules, const void *bytes, int seat, double *info) {
    const potion_rules *m = potion_rules_of(rules);
    const potion_state *s = (const potion_state *)bytes;
    potion_outcome o = potion_outcome_of(m, s);
    double fullness = (double)s->mix.total / (double)s->max_magimins;
    bool brewable = s->code != POTION_CANNOT_BREW;
    int32_t tier = o.grade / POTION_STARS;
    (void)seat;
    info[POTION_INFO_SCORE] =
        brewable ? (1.0 - delta_of(s)) * fullness + 0.25 * (double)s->code : 0.0;
    info[POTION_INFO_TOTAL] = (double)s->mix.total;
    info[POTION_INFO_FULLNESS] = fullness;
    info[POTION_INFO_ITEMS] = (double)s->mix.items;
    info[POTION_INFO_STABILITY] = (double)s->code;
    info[POTION_INFO_PERFECT] = s->code == POTION_PERFECT ? 1.0 : 0.0;
    info[POTION_INFO_ACCURACY] = 1.0 - potion_error_of(m, s);
    info[POTION_INFO_GRADE] = (double)o.grade;
    info[POTION_INFO_QUALITY] = (double)tier;
    info[POTION_INFO_STARS] = (double)(o.grade - tier * POTION_STARS);
    info[POTION_INFO_BREWED] = (double)o.brewed;
    info[POTION_INFO_PRICE] = (double)o.price;
    info[POTION_INFO_TRAIT_SUM] = o.traits;
    info[POTION_INFO_UNIT_VALUE] = o.unit_value;
    info[POTION_INFO_COST] = (double)s->mix.cost;
    info[POTION_INFO_PROFIT] = o.profit;
    info[POTION_INFO_CONTEST_WON] = (double)s->won;
    info[POTION_INFO_STEPS] = (double)s->steps;
    info[POTION_INFO_ILLEGAL] = (double)s->illegal;
    info[POTION_INFO_RECIPE] = (double)s->recipe;
    info[POTION_INFO_CAULDRON] = (double)s->cauldron;
    info[POTION_INFO_END] = (double)s->end;
    info[POTION_INFO_RNG] = lu_double_from_bits(s->rng);
}

/* Only the draws of the end are hidden. */
LU_HD static void potion_determinise(const lu_rules *rules, void *bytes, int seat, lu_rng *rng) {
    (void)rules;
    (void)seat;
    ((potion_state *)bytes)->rng = lu_rng_u64(rng);
}

#define LU_LOOP_GAME        potion
#define LU_LOOP_NAMES       POTION
#define LU_LOOP_STATE       potion_state
#define LU_LOOP_OBSERVATION POTION_OBSERVATION
#include "ludus/loop.h"

/* the other variants differ in what they show */
#undef LU_LOOP_GAME
#undef LU_LOOP_OBSERVATION
#define LU_LOOP_GAME            potion_peer
#define LU_LOOP_OBSERVATION     POTION_PEER_OBSERVATION
#define potion_peer_reset       potion_reset
#define potion_peer_step        potion_step
#define potion_peer_mask        potion_mask
#define potion_peer_info        potion_info
#define potion_peer_determinise potion_determinise
#include "ludus/loop.h"

#undef LU_LOOP_GAME
#undef LU_LOOP_OBSERVATION
#define LU_LOOP_GAME            potion_look
#define LU_LOOP_OBSERVATION     POTION_LOOK_OBSERVATION
#define potion_look_reset       potion_reset
#define potion_look_step        potion_step
#define potion_look_mask        potion_mask
#define potion_look_info        potion_info
#define potion_look_determinise potion_determinise
#include "ludus/loop.h"
