/* The answer of `ludus craft advise`: one JSON document, and the words that a player reads. */
#include "advise.h"
#include "names.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- names ---- */

/* An action in words: a white base is taken, all else is used. */
static void say_action(lu_text *line, const craft_pack *pack, const char *action) {
    lu_text_add(line, strcmp(action, "white_base") == 0 ? "a new " : "");
    craft_say_use(line, pack, action);
}

/* One requirement in words. */
static void say_need(lu_text *line, const optimize_ask *ask, int need) {
    craft_target *one = lu_alloc_zero(1, sizeof *one);
    one->needs = 1;
    one->need[0] = ask->want.target.need[need];
    one->need[0].count = 1;
    craft_want_words(one, ask->pack, line);
    free(one);
}

static void say_needs(lu_text *line, const optimize_ask *ask, const char *verb, int bits) {
    const char *lead = verb;
    for (int need = 0; need < ask->goal.needs; need++) {
        if (bits >> need & 1) {
            lu_text_add(line, lead);
            say_need(line, ask, need);
            lead = " and ";
        }
    }
}

/* Text of a modifier with # for its numbers, as several tiers may be of one sort. */
static void say_entry(lu_text *line, const optimizer *o, uint16_t entry) {
    const char *at = entry == CRAFT_NO_ENTRY ? "unrevealed"
                                             : o->ask.pack->mods[o->ask.pool.entry[entry].mod].text;
    for (; *at; at++) {
        const char *close = *at == '(' ? strchr(at, ')') : NULL;
        bool number = *at >= '0' && *at <= '9';
        if (close && memchr(at, '-', (size_t)(close - at))) {
            lu_text_add(line, "#");
            at = close;
        } else if (number) {
            lu_text_add(line, "#");
            at += strspn(at, "0123456789.") - 1;
        } else {
            lu_text_add_char(line, *at);
        }
    }
}

/* Text of an option that is shown, with its first value where that is told. */
static void say_option(lu_text *line, const craft_advise_answer *a, int option) {
    const optimize_ask *ask = &a->o->ask;
    int at = a->o->use[a->odds->option[option].use].keeps - 1, roll = ask->option_roll[at];
    craft_slot slot = {.entry = (uint16_t)(ask->item.option[at] - 1)};
    if (roll >= 0) {
        slot.roll[0] = (uint8_t)roll;
        craft_slot_text(&ask->pool, ask->pack, &slot, line);
    } else {
        lu_text_add(line, ask->pack->mods[ask->pool.entry[slot.entry].mod].text);
    }
}

/* What an outcome is: "hits life", "loses life", "is in the way of life", "clears the way for
 * life", "misses with a prefix". */
static void say_outcome(lu_text *line, const craft_advise_answer *a,
                        const craft_advise_outcome *out) {
    const optimize_ask *ask = &a->o->ask;
    size_t before = line->length;
    if (a->odds->next == ADVISE_NEW_BASE) {
        lu_text_add(line, "a white base");
        return;
    }
    say_needs(line, ask, "hits ", out->gains);
    if (out->loses) {
        lu_text_add(line, line->length > before ? ", " : "");
        say_needs(line, ask, "loses ", out->loses);
    }
    if (out->blocks) {
        lu_text_add(line, line->length > before ? ", " : "");
        say_needs(line, ask, "blocks ", out->blocks);
    }
    if (out->frees) {
        lu_text_add(line, line->length > before ? ", " : "");
        say_needs(line, ask, "unblocks ", out->frees);
        lu_text_add(line, out->side == CRAFT_PREFIX   ? ", with a prefix"
                          : out->side == CRAFT_SUFFIX ? ", with a suffix"
                                                      : "");
    }
    if (line->length == before) {
        lu_text_add(line, out->next == ADVISE_MIXED   ? "anything else"
                          : out->next == ADVISE_DONE  ? "opens a wanted slot"
                          : out->side == CRAFT_PREFIX ? "misses with a prefix"
                          : out->side == CRAFT_SUFFIX ? "misses with a suffix"
                                                      : "misses");
    }
}

/* ---- JSON ---- */

static void write_bits(lu_json *json, const char *key, const optimize_ask *ask, int bits) {
    lu_json_key_array(json, key);
    for (int need = 0; need < ask->goal.needs; need++) {
        if (bits >> need & 1) {
            lu_text name = LU_TEXT_INIT;
            say_need(&name, ask, need);
            lu_json_string(json, name.text);
            lu_text_free(&name);
        }
    }
    lu_json_array_end(json);
}

static void write_outcome(lu_json *json, const craft_advise_answer *a,
                          const craft_advise_outcome *out) {
    const optimize_ask *ask = &a->o->ask;
    lu_text text = LU_TEXT_INIT;
    lu_json_object(json);
    lu_json_key_real(json, "chance", out->chance);
    say_outcome(&text, a, out);
    lu_json_key_string(json, "what", text.text);
    write_bits(json, "hits", ask, out->gains);
    write_bits(json, "loses", ask, out->loses);
    write_bits(json, "blocks", ask, out->blocks);
    write_bits(json, "frees", ask, out->frees);
    lu_json_key_array(json, "such_as");
    for (int k = 0; k < out->came; k++) {
        lu_text_clear(&text);
        say_entry(&text, a->o, a->o->sorts.sort[out->mod[k].sort].entry);
        lu_json_object(json);
        lu_json_key_string(json, "text", text.text);
        lu_json_key_real(json, "chance", out->mod[k].chance);
        lu_json_object_end(json);
    }
    lu_json_array_end(json);
    lu_json_key_string(json, "next", craft_advise_use_name(a->o, out->next));
    lu_json_key_real(json, "cost_to_go", out->to_go / ask->unit);
    lu_json_object_end(json);
    lu_text_free(&text);
}

/* Cost to go; what a final item costs is a new base. */
static double to_go(const craft_advise_answer *a) {
    const optimizer *o = a->o;
    return a->odds->next == ADVISE_DONE ? 0.0 : o->strategy[0].plan.from + o->problem.first;
}

static void write_costs(lu_json *json, const craft_advise_answer *a) {
    const craft_plan *plan = &a->o->strategy[0].plan;
    double unit = a->o->ask.unit, first = a->o->problem.first;
    bool done = a->odds->next == ADVISE_DONE, proven = a->o->strategy[0].proven;
    lu_json_key_real(json, "cost_to_go", to_go(a) / unit);
    lu_json_key_array(json, "cost_bounds");
    lu_json_real(json, done || !proven ? 0.0 : (plan->lower + first) / unit);
    lu_json_real(json, done ? 0.0 : ((proven ? plan->upper : plan->from) + first) / unit);
    lu_json_array_end(json);
}

/* What to keep of a reveal: a tier, as its sort tells it apart from others, or any. */
static void write_keeps(lu_json *json, const craft_advise_answer *a) {
    const optimize_ask *ask = &a->o->ask;
    lu_json_key_array(json, "keep");
    for (int k = 0; k < a->odds->keeps; k++) {
        const craft_entry *e = &ask->pool.entry[a->odds->keep[k].entry];
        lu_text text = LU_TEXT_INIT;
        say_entry(&text, a->o, a->odds->keep[k].entry);
        lu_json_object(json);
        lu_json_key_string(json, "mod", ask->pack->mods[e->mod].id);
        lu_json_key_string(json, "text", text.text);
        lu_json_key_bool(json, "hits", ask->goal.hits[a->odds->keep[k].entry] != 0);
        lu_json_key_real(json, "cost_to_go", a->odds->keep[k].to_go / ask->unit);
        lu_json_object_end(json);
        lu_text_free(&text);
    }
    lu_json_array_end(json);
}

/* The options that the item shows, each with what it costs to go where it is kept. */
static void write_options(lu_json *json, const craft_advise_answer *a) {
    const optimize_ask *ask = &a->o->ask;
    lu_json_key_array(json, "options");
    for (int k = 0; k < a->odds->options; k++) {
        const craft_use *use = &a->o->use[a->odds->option[k].use];
        int entry = ask->item.option[use->keeps - 1] - 1;
        lu_text text = LU_TEXT_INIT;
        say_option(&text, a, k);
        lu_json_object(json);
        lu_json_key_string(json, "action", use->name);
        lu_json_key_string(json, "mod", ask->pack->mods[ask->pool.entry[entry].mod].id);
        lu_json_key_string(json, "text", text.text);
        lu_json_key_int(json, "tier", ask->pool.entry[entry].tier);
        lu_json_key_bool(json, "hits", ask->goal.hits[entry] != 0);
        lu_json_key_real(json, "cost_to_go", a->odds->option[k].to_go / ask->unit);
        lu_json_object_end(json);
        lu_text_free(&text);
    }
    lu_json_array_end(json);
}

static void write_next(lu_json *json, const craft_advise_answer *a) {
    const craft_advise_odds *odds = a->odds;
    double unit = a->o->ask.unit;
    write_costs(json, a);
    lu_json_key_string(json, "next", craft_advise_use_name(a->o, odds->next));
    lu_json_key_real(json, "price", odds->price / unit);
    lu_json_key_array(json, "outcomes");
    for (int k = 0; k < odds->outcomes; k++) {
        write_outcome(json, a, &odds->outcome[k]);
    }
    lu_json_array_end(json);
    if (odds->keeps > 0) {
        write_keeps(json, a);
    }
    if (odds->options > 0) {
        write_options(json, a);
    }
    lu_json_key_array(json, "alternatives");
    for (int k = 0; k < odds->others; k++) {
        lu_json_object(json);
        lu_json_key_string(json, "action", craft_advise_use_name(a->o, odds->other[k].next));
        lu_json_key_real(json, "cost_to_go", odds->other[k].cost / unit);
        lu_json_key_real(json, "dearer", (odds->other[k].cost - to_go(a)) / unit);
        lu_json_object_end(json);
    }
    lu_json_array_end(json);
}

static void write_within(lu_json *json, const craft_advise_answer *a) {
    double unit = a->o->ask.unit;
    lu_json_key_object(json, "budget");
    lu_json_key_real(json, "whole", a->o->ask.budget / unit);
    lu_json_key_real(json, "left", a->left / unit);
    lu_json_key_real(json, "within", a->tally ? a->tally->within : 1.0);
    lu_json_object_end(json);
}

static void write_session(lu_json *json, const craft_advise_answer *a) {
    lu_json_key_object(json, "so_far");
    lu_json_key_int(json, "steps", a->session->steps);
    lu_json_key_real(json, "spent", a->session->spent / a->o->ask.unit);
    lu_json_key(json, "last");
    if (a->now) {
        lu_json_object(json);
        lu_json_key_string(json, "action", a->now->action);
        lu_json_key_string(json, "how", craft_advise_how_words[a->now->how]);
        lu_json_key_real(json, "price", a->now->price / a->o->ask.unit);
        lu_json_key_real(json, "chance", a->now->chance);
        lu_json_object_end(json);
    } else {
        lu_json_null(json);
    }
    lu_json_object_end(json);
}

static void write_names(lu_json *json, const char *key, const char *const *names, int count) {
    lu_json_key_array(json, key);
    for (int k = 0; k < count; k++) {
        lu_json_string(json, names[k]);
    }
    lu_json_array_end(json);
}

/* ---- words ---- */

static void say(lu_json *json, lu_text *line) {
    lu_json_string(json, line->text);
    lu_text_clear(line);
}

static void say_last(lu_json *json, lu_text *line, const craft_advise_answer *a) {
    const optimize_ask *ask = &a->o->ask;
    const craft_advise_step *now = a->now;
    if (now && now->how == ADVISE_UNKNOWN) {
        lu_text_add(line, "This item does not follow from the advice: it is taken as it is, and "
                          "nothing is counted as spent (--did says what you used)");
        say(json, line);
    } else if (now) {
        lu_text_add(line, "Done: ");
        say_action(line, ask->pack, now->action);
        lu_text_addf(line, " for %s %s", craft_say_figure(now->price / ask->unit).text,
                     ask->unit_name);
        if (now->chance > 0.0 && now->chance < 1.0) {
            lu_text_addf(line, "; this outcome had a chance of %.3g%%", 100.0 * now->chance);
        }
        say(json, line);
    } else if (a->same) {
        lu_text_add(line, "The item is the same as in the last call: nothing has been used yet");
        say(json, line);
    }
    if (a->session) {
        lu_text_addf(line, "So far: %d step%s, %.4g %s spent", a->session->steps,
                     a->session->steps == 1 ? "" : "s", a->session->spent / ask->unit,
                     ask->unit_name);
        say(json, line);
    }
}

static void say_outcomes(lu_json *json, lu_text *line, const craft_advise_answer *a) {
    const optimize_ask *ask = &a->o->ask;
    for (int k = 0; k < a->odds->outcomes; k++) {
        const craft_advise_outcome *out = &a->odds->outcome[k];
        lu_text_addf(line, "  %6.2f%%  ", 100.0 * out->chance);
        say_outcome(line, a, out);
        if (out->next == ADVISE_DONE) {
            lu_text_add(line, ": done");
        } else {
            lu_text_add(line, ": ");
            if (out->next == ADVISE_MIXED) {
                lu_text_add(line, "ask again");
            } else {
                lu_text_add(line, "then ");
                say_action(line, ask->pack, craft_advise_use_name(a->o, out->next));
            }
            lu_text_addf(line, ", %s to go", craft_say_figure(out->to_go / ask->unit).text);
        }
        say(json, line);
    }
}

static void say_next(lu_json *json, lu_text *line, const craft_advise_answer *a) {
    const optimize_ask *ask = &a->o->ask;
    const craft_advise_odds *odds = a->odds;
    double unit = ask->unit;
    if (odds->next == ADVISE_DONE) {
        lu_text_add(line, "Stop: it fulfils the target");
        say(json, line);
        return;
    }
    lu_text_add(line, "Next: ");
    say_action(line, ask->pack, craft_advise_use_name(a->o, odds->next));
    lu_text_addf(line, odds->price > 0.0 ? " (%s %s)" : " (free)",
                 craft_say_figure(odds->price / unit).text, ask->unit_name);
    say(json, line);
    lu_text_addf(line, "Expected remaining cost: %s %s (%s)",
                 craft_say_figure(to_go(a) / unit).text, ask->unit_name,
                 a->o->strategy[0].proven ? "optimal" : "best found");
    say(json, line);
    say_outcomes(json, line, a);
    for (int k = 0; k < odds->options; k++) {
        lu_text_addf(line, "  option %d, ", a->o->use[odds->option[k].use].keeps);
        say_option(line, a, k);
        lu_text_addf(line, ": %s %s to go if you keep it",
                     craft_say_figure(odds->option[k].to_go / unit).text, ask->unit_name);
        say(json, line);
    }
    for (int k = 0; k < odds->keeps; k++) {
        bool hits = ask->goal.hits[odds->keep[k].entry] != 0;
        lu_text_add(line, k == 0 ? "Keep the first of these that is offered: " : ", ");
        say_entry(line, a->o, odds->keep[k].entry);
        lu_text_add(line, hits ? " (as wanted)" : "");
    }
    if (odds->keeps > 0) {
        say(json, line);
    }
    if (odds->others > 0) {
        lu_text_add(line, "Second best: ");
        say_action(line, ask->pack, craft_advise_use_name(a->o, odds->other[0].next));
        lu_text_addf(line, ", %s %s more",
                     craft_say_figure((odds->other[0].cost - to_go(a)) / unit).text,
                     ask->unit_name);
        say(json, line);
    }
    if (a->tally) {
        lu_text_addf(line, "Chance to finish within %s %s%s: %.3g%%",
                     craft_say_figure(ask->budget / unit).text, ask->unit_name,
                     a->session ? " in all" : "", 100.0 * a->tally->within);
        say(json, line);
    }
}

static void write_words(lu_json *json, const craft_advise_answer *a, const char *understood) {
    const optimize_ask *ask = &a->o->ask;
    lu_text line = LU_TEXT_INIT;
    lu_json_key_array(json, "words");
    lu_text_addf(&line, "%s %s, item level %d; wanted: %s", craft_rarity_names[ask->item.rarity],
                 ask->pack->bases[ask->pool.base].name, (int)ask->pool.ilvl, understood);
    say(json, &line);
    on_item_words(&ask->pool, ask->pack, &ask->item, json);
    optimize_item_notes(ask, json);
    say_last(json, &line, a);
    if (a->odds) {
        say_next(json, &line, a);
    } else {
        lu_text_add(&line, "No sequence of the allowed actions is certain to reach the target, "
                           "from this item or from a new base");
        say(json, &line);
    }
    lu_text_addf(&line, "Prices of %s; weights are community estimates", ask->price_date);
    say(json, &line);
    lu_json_array_end(json);
    lu_text_free(&line);
}

/* ---- the whole ---- */

void craft_advise_write(lu_json *json, const craft_advise_answer *a) {
    const optimizer *o = a->o;
    const optimize_ask *ask = &o->ask;
    lu_text understood = LU_TEXT_INIT;
    craft_want_words(&ask->want.target, ask->pack, &understood);
    lu_json_object(json);
    lu_json_key_string(json, "schema", "ludus.craft.advice/1");
    lu_json_key_string(json, "base", ask->pack->bases[ask->pool.base].name);
    lu_json_key_int(json, "ilvl", ask->pool.ilvl);
    lu_json_key_string(json, "ruleset", ask->pack->about.name);
    lu_json_key_object(json, "prices");
    lu_json_key_string(json, "date", ask->price_date);
    lu_json_key_string(json, "unit", ask->unit_name);
    lu_json_object_end(json);
    optimize_write_want(json, ask, understood.text);
    optimize_write_item(json, ask);
    lu_json_key_bool(json, "feasible", a->odds != NULL);
    lu_json_key_bool(json, "done", a->odds && a->odds->next == ADVISE_DONE);
    lu_json_key_string(json, "status",
                       o->strategies == 0 || o->strategy[0].proven ? "optimal" : "best found");
    lu_json_key_int(json, "states", o->graph.states);
    if (a->odds) {
        write_next(json, a);
    }
    if (a->tally) {
        write_within(json, a);
    }
    if (a->session) {
        write_session(json, a);
    }
    write_names(json, "without_price", ask->choice.without_price, ask->choice.unpriced);
    write_names(json, "left_out", ask->choice.left_out, ask->choice.not_taken);
    write_names(json, "dropped", o->dropped, o->named);
    write_words(json, a, understood.text);
    if (a->kept) {
        lu_json_key_string(json, "session", a->kept);
    }
    lu_json_object_end(json);
    lu_text_free(&understood);
}
