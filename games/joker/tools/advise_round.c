/* Advice while a hand is to be played: the best play over all choices and orders, step by step, the
 * best discard, and how likely the round is won either way. */
#include "advise.h"
#include "steps.h"

#include "search/joker_search.h"
#include "search/joker_search_discard.h"
#include "search/joker_search_order.h"

#include <math.h>
#include <stdlib.h>

enum { SEED = 20261115 }; /* of all samples: the same question gets the same answer */

/* Room to work in. */
typedef struct desk {
    joker_sim sim;
    joker_orders orders;
    joker_arrangements plans;
    joker_trace trace;
    joker_state scored;
    joker_scoring call;
} desk;

/* ---- cards and jokers as lists ---- */

static void add_card(const joker_state *s, int position, lu_text *text) {
    joker_put_card(&s->card[s->hand[position]], text);
}

static void write_cards(const joker_state *s, const char *key, const uint8_t *positions, int count,
                        lu_json *json) {
    lu_json_key_array(json, key);
    for (int i = 0; i < count; i++) {
        lu_text card = LU_TEXT_INIT;
        add_card(s, positions[i], &card);
        lu_json_string(json, card.text);
        lu_text_free(&card);
    }
    lu_json_array_end(json);
}

static void write_numbers(const char *key, const uint8_t *numbers, int count, lu_json *json) {
    lu_json_key_array(json, key);
    for (int i = 0; i < count; i++) {
        lu_json_int(json, numbers[i]);
    }
    lu_json_array_end(json);
}

static int positions_of(uint32_t set, uint8_t *positions) {
    int count = 0;
    for (int i = 0; i < JOKER_HAND_MAX; i++) {
        if (set >> i & 1u) {
            positions[count++] = (uint8_t)i;
        }
    }
    return count;
}

static void say_cards(const joker_state *s, const uint8_t *positions, int count, lu_text *text) {
    for (int i = 0; i < count; i++) {
        lu_text_add(text, i ? " " : "");
        add_card(s, positions[i], text);
    }
}

/* ---- a play ---- */

/* A chance, null where it is not known. */
static void write_chance(const char *key, double chance, lu_json *json) {
    lu_json_key(json, key);
    if (chance == JOKER_REACH_UNKNOWN) {
        lu_json_null(json);
    } else {
        lu_json_real(json, chance);
    }
}

static void write_plan(const joker_state *s, const joker_arrangement *plan, lu_json *json) {
    write_cards(s, "cards", plan->order, plan->count, json);
    write_numbers("positions", plan->order, plan->count, json);
    lu_json_key_string(json, "hand", joker_hand_words[plan->hand].title);
    lu_json_key_real(json, "worst", plan->look.worst);
    lu_json_key_real(json, "mean", plan->look.mean);
    lu_json_key_real(json, "best", plan->look.best);
    write_chance("wins", plan->look.reach, json);
    lu_json_key_real(json, "dollars", plan->look.dollars);
    lu_json_key_bool(json, "exact", plan->look.exact != 0);
}

static void write_orders(const joker_state *s, const joker_arrangement *plan, lu_json *json) {
    lu_json_key_bool(json, "move_cards", plan->moves_cards != 0);
    lu_json_key_bool(json, "move_held", plan->moves_held != 0);
    lu_json_key_bool(json, "move_jokers", plan->moves_jokers != 0);
    if (plan->moves_held) {
        write_cards(s, "held", plan->held, plan->held_count, json);
    }
    if (!plan->moves_jokers) {
        return;
    }
    lu_json_key_array(json, "jokers");
    for (int i = 0; i < s->jokers; i++) {
        lu_json_string(json, joker_joker_words[s->joker[plan->row[i]].id].title);
    }
    lu_json_array_end(json);
}

/* Scores a plan once more with its trace; the luck shown is the worst. */
static void trace_plan(const joker_ask *ask, desk *d, const joker_arrangement *plan) {
    const joker_state *s = &ask->state;
    joker_orders *o = &d->orders;
    joker_arrangement copy = *plan;
    joker_arrangement_look(&ask->rules, s, o, &copy); /* lays out cards and jokers */
    d->call = o->call;
    joker_copy_state(&d->scored, &o->t);
    d->call.trace = &d->trace;
    d->call.luck.mode = JOKER_LUCK_WORST;
    joker_score_run(&ask->rules, &d->scored, &d->call);
}

static void say_score(const joker_arrangement *plan, lu_text *line) {
    joker_step_number(line, plan->look.mean);
    if (plan->look.best > plan->look.worst) {
        lu_text_add(line, " on average (");
        joker_step_number(line, plan->look.worst);
        lu_text_add(line, " to ");
        joker_step_number(line, plan->look.best);
        lu_text_add(line, plan->look.exact ? ")" : "; too many outcomes for an exact mean)");
    }
}

static void say_plan(joker_ask *ask, const desk *d, const joker_arrangement *plan) {
    const joker_state *s = &ask->state;
    double missing = s->target > s->score ? s->target - s->score : 0.0;
    lu_text line = LU_TEXT_INIT;
    lu_text_addf(&line, "Best play%s: ", d->plans.complete ? "" : " found");
    say_cards(s, plan->order, plan->count, &line);
    lu_text_addf(&line, " (%s): ", joker_hand_words[plan->hand].title);
    say_score(plan, &line);
    lu_text_add(&line, " of the ");
    joker_step_number(&line, missing);
    lu_text_add(&line, " you still need");
    lu_text_addf(&line,
                 plan->look.reach >= 1.0   ? ": wins the blind"
                 : plan->look.reach > 0.0  ? ": %.0f%% chance to win now"
                 : plan->look.reach == 0.0 ? ": not enough on its own"
                                           : ": its chance is not known",
                 100.0 * plan->look.reach);
    joker_ask_line(&ask->words, "%s", line.text);
    if (plan->moves_jokers) {
        lu_text_clear(&line);
        for (int i = 0; i < s->jokers; i++) {
            lu_text_addf(&line, "%s%s", i ? ", " : "",
                         joker_joker_words[s->joker[plan->row[i]].id].title);
        }
        joker_ask_line(&ask->words, "  first put the jokers into this order: %s", line.text);
    }
    if (plan->moves_cards) {
        joker_ask_line(&ask->words, "  first put the played cards into the order shown");
    }
    if (plan->moves_held) {
        lu_text_clear(&line);
        say_cards(s, plan->held, plan->held_count, &line);
        joker_ask_line(&ask->words, "  first put the cards that stay into this order: %s",
                       line.text);
    }
    for (int k = 0; k < d->trace.count; k++) {
        lu_text_clear(&line);
        joker_step_say(&d->scored, &d->call, &d->trace.step[k], &line);
        joker_ask_line(&ask->words, "    %s", line.text);
    }
    lu_text_free(&line);
}

static void advise_play(joker_ask *ask, desk *d, lu_json *json) {
    const joker_state *s = &ask->state;
    const joker_arrangement *best = &d->plans.plan[0], *surest = best;
    for (int i = 1; i < d->plans.count; i++) {
        const joker_arrangement *plan = &d->plans.plan[i];
        surest = plan->look.reach > 0.0 && plan->look.reach > surest->look.reach ? plan : surest;
    }
    trace_plan(ask, d, best);
    lu_json_key_object(json, "play");
    lu_json_key_string(json, "label", d->plans.complete ? "exact" : "best found");
    if (!d->plans.complete) {
        lu_json_key_string(json, "left_out", "orders of jokers and cards beyond the work limit");
    }
    lu_json_key_int(json, "runs", d->plans.runs);
    write_plan(s, best, json);
    write_orders(s, best, json);
    lu_json_key_array(json, "steps");
    for (int k = 0; k < d->trace.count; k++) {
        joker_step_write(&d->scored, &d->call, &d->trace.step[k], json);
    }
    lu_json_array_end(json);
    lu_json_object_end(json);
    lu_json_key_array(json, "others");
    for (int i = 1; i < d->plans.count; i++) {
        lu_json_object(json);
        write_plan(s, &d->plans.plan[i], json);
        write_orders(s, &d->plans.plan[i], json);
        lu_json_object_end(json);
    }
    lu_json_array_end(json);
    say_plan(ask, d, best);
    if (surest != best) {
        lu_text line = LU_TEXT_INIT;
        say_cards(s, surest->order, surest->count, &line);
        joker_ask_line(&ask->words, "Surest play%s: %s, %.0f%% chance to win now",
                       best->look.reach >= 0.0 ? "" : " of known chance", line.text,
                       100.0 * surest->look.reach);
        lu_text_free(&line);
    }
}

/* ---- a discard ---- */

static const char *const basis_names[] = {"sampled", "exact", "known order"};

static void advise_discard(joker_ask *ask, const joker_discarded *best, lu_json *json) {
    const joker_state *s = &ask->state;
    uint8_t positions[JOKER_HAND_MAX];
    int count = positions_of(best->thrown, positions);
    lu_text line = LU_TEXT_INIT;
    lu_json_key(json, "discard");
    if (!best->thrown) {
        lu_json_null(json);
        joker_ask_line(&ask->words, "No discard is left.");
        return;
    }
    lu_json_object(json);
    lu_json_key_string(json, "label", basis_names[best->basis]);
    lu_json_key_int(json, "draws", best->draws);
    write_cards(s, "cards", positions, count, json);
    write_numbers("positions", positions, count, json);
    lu_json_key_real(json, "mean", best->mean);
    lu_json_key_real(json, "error", best->error);
    lu_json_key_real(json, "wins", best->reach);
    lu_json_object_end(json);
    lu_text_add(&line, "Best discard: ");
    say_cards(s, positions, count, &line);
    lu_text_add(&line, ": the next hand then scores ");
    joker_step_number(&line, round(best->mean));
    if (best->basis == JOKER_DRAW_SAMPLED) {
        lu_text_add(&line, " (+/- ");
        joker_step_number(&line, round(best->error));
        lu_text_add(&line, ", ");
        joker_step_number(&line, (double)best->draws);
        lu_text_add(&line, " draws sampled)");
    } else {
        lu_text_add(&line, best->basis == JOKER_DRAW_ALL ? " on average (all draws)"
                                                         : " (the order of the pile is given)");
    }
    lu_text_addf(&line, "; %.0f%% chance to win with the next hand", 100.0 * best->reach);
    joker_ask_line(&ask->words, "%s", line.text);
    lu_text_free(&line);
}

/* ---- the round ---- */

/* The share of rounds that are won after an option, played on by rule. */
static double round_wins(const joker_ask *ask, desk *d, const joker_arrangement *plan,
                         uint16_t thrown) {
    const joker_state *s = &ask->state;
    int won = 0;
    for (int k = 0; k < ask->samples; k++) {
        joker_state *t = &d->sim.state;
        lu_rng rng = lu_rng_from(SEED + (uint64_t)k);
        joker_copy_state(t, s);
        if (!ask->known) {
            joker_draw_anew(t, &rng);
        }
        t->rng = lu_rng_u64(&rng);
        if (thrown) {
            joker_discard(&d->sim.rules, t, thrown);
        } else {
            for (int i = 0; i < s->jokers; i++) {
                t->joker[i] = s->joker[plan->row[i]];
            }
            joker_play(&d->sim.rules, t, plan->chosen);
        }
        won += joker_rollout(&d->sim.rules, t) >= 1.0;
    }
    return (double)won / ask->samples;
}

static void advise_choice(joker_ask *ask, desk *d, const joker_discarded *discard, lu_json *json) {
    const joker_arrangement *best = &d->plans.plan[0];
    bool sure = best->look.reach >= 1.0;
    double play = sure ? 1.0 : round_wins(ask, d, best, 0), throw = 0.0;
    if (discard->thrown && !sure) {
        throw = round_wins(ask, d, NULL, discard->thrown);
    }
    bool plays = sure || !discard->thrown || play > throw ||
                 (play >= throw &&best->look.mean >= discard->mean);
    lu_json_key_object(json, "round");
    lu_json_key_string(json, "label", sure ? "exact" : "search estimate");
    lu_json_key_real(json, "play_wins", play);
    if (discard->thrown && !sure) {
        lu_json_key_real(json, "discard_wins", throw);
    }
    lu_json_key_int(json, "samples", sure ? 0 : ask->samples);
    lu_json_object_end(json);
    lu_json_key_string(json, "advice", plays ? "play" : "discard");
    if (sure) {
        joker_ask_line(&ask->words, "Advice: play; the blind is won.");
    } else if (discard->thrown) {
        bool even = play == throw;
        joker_ask_line(
            &ask->words,
            even ? "Advice: %s (search estimate: %.0f%% of %d simulated rounds are won either way; "
                   "this scores more on average)"
                 : "Advice: %s (search estimate: %.0f%% of %d simulated rounds are won after the "
                   "play, %.0f%% after the discard)",
            plays ? "play" : "discard", 100.0 * play, ask->samples, 100.0 * throw);
    } else {
        joker_ask_line(&ask->words,
                       "Advice: play (search estimate: %.0f%% of %d simulated rounds are won)",
                       100.0 * play, ask->samples);
    }
}

void joker_advise_round(joker_ask *ask, lu_json *json) {
    desk *d = lu_alloc_zero(1, sizeof *d);
    const joker_state *s = &ask->state;
    lu_json_key_string(json, "phase", "round");
    joker_sim_start(&d->sim, &ask->rules, s);
    joker_search_plays(&ask->rules, s, &d->orders, &d->plans);
    if (!ask->known) {
        joker_ask_line(&ask->unknown, "order of the draw pile (%d cards)", s->draws);
    }
    if (joker_active_boss(s) == JOKER_BL_HOOK) {
        joker_ask_line(
            &ask->unknown,
            "which cards The Hook discards before scoring: all held cards are assumed to stay");
    }
    if (joker_active_boss(s) == JOKER_BL_FINAL_LEAF && s->jokers > 0) {
        joker_ask_line(&ask->words, "Verdant Leaf: selling a joker removes the debuff from all "
                                    "cards; the figures assume no sale.");
    }
    if (d->plans.count > 0) {
        advise_play(ask, d, json);
        joker_discarded best = joker_search_discards(&d->sim, s, ask->samples, ask->known, SEED);
        advise_discard(ask, &best, json);
        advise_choice(ask, d, &best, json);
        if (s->bag > 0) {
            joker_write_opinion(ask, json); /* whether a consumable is used first */
        }
    } else {
        lu_json_key_string(json, "advice", "none");
        joker_ask_line(&ask->words, "All held cards are face down, so plays cannot be compared.");
    }
    free(d);
}
