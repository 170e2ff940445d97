/* How potion looks to people: the board for a terminal, what a decision did in words and as events,
 * and why an action is illegal. Left out: JSON (potion_json.c), names (potion_tables.c). */
#include "potion.h"

#include <stdio.h>
#include <string.h>

enum {
    BAR = 24,   /* columns of a magimin's bar */
    LINE = 78,  /* columns of the list of what is inside */
    LISTED = 5, /* lines of that list */
};

static const char *const magimin_names[POTION_MAGIMINS] = {"A red", "B green", "C yellow", "D blue",
                                                           "E purple"};

static const potion_rules *rules_of(const lu_rules *rules) {
    return (const potion_rules *)(const void *)rules;
}

/* "Greater 3" */
static void put_grade(lu_text *text, int grade) {
    lu_text_addf(text, "%s %d", potion_tier_names[grade / POTION_STARS], grade % POTION_STARS);
}

/* "taste +, sound -"; "?" is a tie that the end will draw. */
static void put_traits(const potion_rules *m, const potion_state *s, lu_text *text) {
    for (int k = 0; k < POTION_SENSES; k++) {
        double mean =
            s->end ? (double)s->trait[k] : potion_trait_mean(s->added, s->mix.items, k, m->copies);
        bool none = !(mean < 0.0 || mean > 0.0);
        int good, bad;
        potion_trait_pool(s->added, s->mix.items, k, m->copies, &good, &bad);
        if (none && (s->end || good + bad == 0)) {
            continue;
        }
        const char *sign = mean >= 1.0 ? "+" : mean <= -1.0 ? "-" : "?";
        lu_text_addf(text, ", %s %s", potion_sense_names[k], sign);
    }
}

/* ---- board ---- */

/* One magimin: '#' what is in the mix, '|' where the recipe wants the end of the bar. */
static void put_magimin(const potion_state *s, int k, lu_text *text) {
    const int32_t *parts = potion_parts[s->recipe];
    double have = s->mix.total > 0 ? (double)s->mix.amount[k] / (double)s->mix.total : 0.0;
    double want = (double)parts[k] / (double)parts[POTION_PARTS_SUM];
    int filled = (int)(have * BAR + 0.5), mark = (int)(want * BAR + 0.5);
    lu_text_addf(text, "%-9s", magimin_names[k]);
    for (int i = 0; i <= BAR; i++) {
        lu_text_add_char(text, parts[k] > 0 && i == mark ? '|' : i < filled ? '#' : '.');
    }
    lu_text_addf(text, " %5d  %5.1f%% of %5.1f%%\n", s->mix.amount[k], 100.0 * have, 100.0 * want);
}

static void put_outcome(const potion_rules *m, const potion_state *s, lu_text *text) {
    potion_outcome o = potion_outcome_of(m, s);
    lu_text_addf(text, "%s, accuracy %.2f%%, fullness %.1f%%\n", potion_code_names[s->code],
                 100.0 * (1.0 - potion_error_of(m, s)),
                 100.0 * (double)s->mix.total / (double)s->max_magimins);
    if (o.brewed > 0) {
        lu_text_addf(text, "%d x ", o.brewed);
        put_grade(text, o.grade);
        lu_text_addf(text, " at %d", o.price);
        put_traits(m, s, text);
        lu_text_add(text, "\n");
    } else {
        lu_text_line(text, "no potion%s", s->mix.items < 2 ? ": it takes two items" : "");
    }
    lu_text_line(text, "cost %d, profit %.1f", s->mix.cost, o.profit);
}

static void put_goal(const potion_rules *m, const potion_state *s, lu_text *text) {
    if (s->round >= 0) {
        const potion_goal *goal = &m->goal[s->round];
        lu_text_add(text, "contest: at least ");
        put_grade(text, goal->grade);
        if (m->judged != POTION_BY_GRADE) {
            lu_text_addf(text, " at %d gold or more", goal->target);
        }
        lu_text_line(text, "%s", !s->end ? "" : s->won ? ": won" : ": lost");
    }
}

/* "2 Chimera Waste" of each ingredient, in the order they came in, over a few lines. */
static void put_inside(const potion_state *s, lu_text *text) {
    int column = 0, lines = 1;
    lu_text_add(text, s->mix.items > 0 ? "inside: " : "the cauldron is empty");
    column = 8;
    for (int k = 0; k < s->mix.items; k++) {
        bool seen = memchr(s->added, s->added[k], (size_t)k) != NULL;
        char word[64];
        if (seen) {
            continue;
        }
        int length = snprintf(word, sizeof word, "%s%d %s", k > 0 ? ", " : "",
                              s->pieces[s->added[k]], potion_ingredients[s->added[k]].name);
        if (column + length > LINE && lines < LISTED) {
            lu_text_add(text, ",\n        ");
            column = 8 + length - 2;
            lines++;
            lu_text_add(text, word + 2);
            continue;
        }
        if (column + length > LINE) {
            lu_text_add(text, " ..");
            break;
        }
        lu_text_add(text, word);
        column += length;
    }
    lu_text_add(text, "\n");
}

void potion_show(const lu_rules *rules, const void *bytes, int seat, lu_text *text) {
    const potion_rules *m = rules_of(rules);
    const potion_state *s = bytes;
    int kinds = 0, pieces = 0;
    (void)seat;
    for (int i = 1; i <= POTION_INGREDIENTS; i++) {
        kinds += s->stock[i] > 0 ? 1 : 0;
        pieces += s->stock[i];
    }
    lu_text_line(text, "%s in %s%s", potion_recipes[s->recipe].name,
                 potion_cauldrons[s->cauldron].name, s->end ? ": done" : "");
    lu_text_line(text, "%d of %d items, %d of %d magimins", s->mix.items, s->max_items,
                 s->mix.total, s->max_magimins);
    for (int k = 0; k < POTION_MAGIMINS; k++) {
        put_magimin(s, k, text);
    }
    lu_text_add(text, "\n");
    put_outcome(m, s, text);
    put_goal(m, s, text);
    put_inside(s, text);
    lu_text_line(text, "stock: %d pieces of %d ingredients", pieces, kinds);
}

/* ---- what happened ---- */

uint64_t potion_events_of(const lu_rules *rules, const void *before, const void *after,
                          const int32_t *actions) {
    const potion_state *was = before, *is = after;
    uint64_t bits = 0;
    (void)rules;
    if (is->mix.items > was->mix.items) {
        bits |= 1u << POTION_EVENT_ADDED;
    } else if (actions[0] != POTION_FINISH) {
        bits |= 1u << POTION_EVENT_IGNORED;
    }
    if (is->end && !was->end) {
        bool potion = is->code != POTION_CANNOT_BREW;
        bits |= 1u << (potion ? POTION_EVENT_BREWED : POTION_EVENT_FAILED);
        bits |= is->code == POTION_PERFECT ? 1u << POTION_EVENT_PERFECT : 0;
        bits |= is->won ? 1u << POTION_EVENT_CONTEST : 0;
    }
    if (is->mix.total == is->max_magimins && is->mix.total > was->mix.total) {
        bits |= 1u << POTION_EVENT_FULL;
    }
    return bits;
}

/* What a legal action would be illegal for, in the state before it. */
static const char *refusal(const potion_state *s, int action) {
    if (action < 1 || action > POTION_INGREDIENTS) {
        return "there is no such ingredient";
    }
    if (s->stock[action] == 0) {
        return "none is left in stock";
    }
    if (s->mix.items >= s->max_items) {
        return "every slot of the cauldron is taken";
    }
    return "its magimins do not fit into the cauldron";
}

void potion_story(const lu_rules *rules, const void *before, const void *after,
                  const int32_t *actions, lu_text *text) {
    const potion_rules *m = rules_of(rules);
    const potion_state *was = before, *is = after;
    uint64_t bits = potion_events_of(rules, before, after, actions);
    if (bits & (1u << POTION_EVENT_ADDED)) {
        lu_text_addf(text, "adds %s, %d of %d magimins", potion_ingredients[actions[0]].name,
                     is->mix.total, is->max_magimins);
    } else if (bits & (1u << POTION_EVENT_IGNORED)) {
        lu_text_addf(text, "adds nothing: %s", refusal(was, actions[0]));
    } else {
        lu_text_add(text, "finishes");
    }
    if (is->end && !was->end) {
        potion_outcome o = potion_outcome_of(m, is);
        if (o.brewed > 0) {
            lu_text_addf(text, "; %d %s ", o.brewed, potion_code_names[is->code]);
            put_grade(text, o.grade);
            lu_text_addf(text, ", profit %.0f%s", o.profit, is->won ? ", contest won" : "");
        } else {
            lu_text_add(text, "; no potion");
        }
    }
}

void potion_note(const lu_rules *rules, const void *state, int seat, int head,
                 const int32_t *chosen, lu_text *text) {
    const potion_state *s = state;
    int action = chosen[0];
    (void)rules;
    (void)seat;
    if (head != 0 || action < 1 || action > POTION_INGREDIENTS) {
        return;
    }
    const potion_ingredient *one = &potion_ingredients[action];
    for (int k = 0; k < POTION_MAGIMINS; k++) {
        if (one->magimins[k] > 0) {
            lu_text_addf(text, "%c%d ", 'A' + k, one->magimins[k]);
        }
    }
    lu_text_addf(text, "x%d %dg", s->stock[action], one->price);
}

const char *potion_why_not(const lu_rules *rules, const void *state, int seat, int head,
                           int option) {
    (void)rules;
    (void)seat;
    (void)head;
    return option == POTION_ACTIONS - 1 ? "kept free for an ingredient of your own"
                                        : refusal(state, option);
}
