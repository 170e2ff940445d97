/* What an answer tells beside its strategies: the target as JSON, prices and rules that it hangs
 * on, baselines and the agent. */
#include "names.h"
#include "optimize.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- the target ---- */

static void write_matcher(lu_json *json, const craft_matcher *m, const craft_pack *pack) {
    static const char *const keys[] = {"group", "family", "ladder", "mod"};
    lu_json_object(json);
    lu_json_key_string(json, keys[m->kind],
                       m->kind == CRAFT_MATCH_GROUP    ? pack->groups[m->row].id
                       : m->kind == CRAFT_MATCH_FAMILY ? pack->family_names[m->row]
                       : m->kind == CRAFT_MATCH_LADDER ? pack->ladder_names[m->row]
                                                       : pack->mods[m->row].id);
    if (m->max_tier > 0) {
        lu_json_key_int(json, "max_tier", m->max_tier);
    }
    if (m->min_level > 0) {
        lu_json_key_int(json, "min_tier_level", m->min_level);
    }
    if (m->min_value > 0.0) {
        lu_json_key_real(json, "min_value", m->min_value);
    }
    if (m->fractured) {
        lu_json_key_bool(json, "fractured", true);
    }
    lu_json_object_end(json);
}

/* What a target may leave out. */
static void write_rest(lu_json *json, const craft_target *target, const craft_pack *pack) {
    if (target->forbids > 0) {
        lu_json_key_array(json, "forbid");
        for (int k = 0; k < target->forbids; k++) {
            write_matcher(json, &target->forbid[k], pack);
        }
        lu_json_array_end(json);
    }
    if (target->excludes > 0) {
        lu_json_key_array(json, "exclude");
        for (int k = 0; k < target->excludes; k++) {
            lu_json_string(json, target->exclude[k]);
        }
        lu_json_array_end(json);
    }
    lu_json_key_object(json, "score");
    for (int k = 0; k < target->needs; k++) {
        lu_json_key_real(json, target->need[k].id, target->need[k].weight);
    }
    lu_json_object_end(json);
}

void optimize_write_target(lu_json *json, const craft_target *target, const craft_pack *pack) {
    lu_json_object(json);
    lu_json_key_array(json, "need");
    for (int k = 0; k < target->needs; k++) {
        const craft_need *need = &target->need[k];
        lu_json_object(json);
        lu_json_key_string(json, "id", need->id);
        lu_json_key_array(json, "any_of");
        for (int m = 0; m < need->matchers; m++) {
            write_matcher(json, &need->any_of[m], pack);
        }
        lu_json_array_end(json);
        lu_json_key_int(json, "count", need->count);
        lu_json_object_end(json);
    }
    lu_json_array_end(json);
    lu_json_key_int(json, "open_prefix", target->open[CRAFT_PREFIX]);
    lu_json_key_int(json, "open_suffix", target->open[CRAFT_SUFFIX]);
    write_rest(json, target, pack);
    lu_json_object_end(json);
}

/* ---- what it hangs on ---- */

double optimize_cost(const optimize_answer *a, const optimize_strategy *s) {
    return s->plan.from + a->problem->first;
}

/* Expected uses of an item: by how much an exalted more for it raises the cost. */
static double uses_of(const optimize_answer *a, const optimize_strategy *s, const char *item) {
    double uses = strcmp(item, "white_base") == 0 ? s->tally.bases : 0.0;
    for (int k = 0; k < a->graph->uses; k++) {
        const craft_use *use = &a->graph->use[k];
        for (int part = 0; part <= use->omens; part++) {
            const char *name = part == 0 ? use->item : use->omen[part - 1];
            uses += strcmp(name, item) == 0 ? s->tally.uses[k] : 0.0;
        }
    }
    return uses;
}

static const char *use_name(const optimize_answer *a, int use) {
    return use < 0 ? "white_base" : a->graph->use[use].name;
}

static void write_turn(lu_json *json, const optimize_answer *a, const char *item) {
    for (int k = 0; k < a->spread->turns; k++) {
        const optimize_turn *turn = &a->spread->turn[k];
        if (strcmp(turn->item, item) != 0) {
            continue;
        }
        if (turn->at > 0.0) {
            lu_json_key_real(json, "switch_at", turn->at / a->ask->unit);
        }
        if (turn->to != OPTIMIZE_NO_USE) {
            lu_json_key_string(json, "switch_to", use_name(a, turn->to));
        }
        lu_json_key_string(json, "note", turn->note);
    }
}

void optimize_write_sensitivity(lu_json *json, const optimize_answer *a,
                                const optimize_strategy *s) {
    const char *item[OPTIMIZE_ITEMS];
    int count = optimize_items(a->graph, item);
    lu_json_key_array(json, "sensitivity");
    for (int k = 0; k < count; k++) {
        double uses = uses_of(a, s, item[k]);
        bool first = s == a->strategy;
        if (uses > 0.0 || (first && a->spread->turns > 0)) {
            lu_json_object(json);
            lu_json_key_string(json, "item", item[k]);
            lu_json_key_real(json, "d_cost", uses);
            if (first) {
                write_turn(json, a, item[k]);
            }
            lu_json_object_end(json);
        }
    }
    lu_json_array_end(json);
}

/* Least and most cost over the rules as they are and all others. */
static void range_of(const optimize_answer *a, double *low, double *high) {
    *low = *high = optimize_cost(a, a->strategy);
    for (int k = 0; k < a->spread->cases; k++) {
        double cost = a->spread->of[k].cost;
        *low = cost > 0.0 ? fmin(*low, cost) : *low;
        *high = fmax(*high, cost);
    }
}

void optimize_write_spread(lu_json *json, const optimize_answer *a) {
    double low, high, unit = a->ask->unit;
    if (!a->spread->looked) {
        return;
    }
    range_of(a, &low, &high);
    lu_json_key_object(json, "spread");
    lu_json_key_real(json, "min", low / unit);
    lu_json_key_real(json, "max", high / unit);
    lu_json_key_array(json, "cases");
    for (int k = 0; k < a->spread->cases; k++) {
        const optimize_case *one = &a->spread->of[k];
        lu_json_object(json);
        lu_json_key_string(json, "switch", one->key);
        lu_json_key_string(json, "value", one->value);
        if (one->cost > 0.0) {
            lu_json_key_real(json, "expected_cost", one->cost / unit);
        }
        if (*one->note) {
            lu_json_key_string(json, "note", one->note);
        }
        lu_json_object_end(json);
    }
    lu_json_array_end(json);
    lu_json_object_end(json);
}

/* ---- rivals ---- */

static void write_pair(lu_json *json, const char *key, double low, double high) {
    lu_json_key_array(json, key);
    lu_json_real(json, low);
    lu_json_real(json, high);
    lu_json_array_end(json);
}

static void write_rival(lu_json *json, const optimize_answer *a, const optimize_rival *rival) {
    double unit = a->ask->unit;
    lu_json_object(json);
    lu_json_key_string(json, "name", rival->name);
    if (rival->model) {
        lu_json_key_string(json, "model", rival->model);
    }
    lu_json_key_string(json, "method", "simulation");
    lu_json_key(json, "expected_cost");
    if (rival->success > 0.0) {
        lu_json_real(json, rival->cost / unit);
        write_pair(json, "cost_interval", rival->low / unit, rival->high / unit);
    } else {
        lu_json_null(json);
    }
    lu_json_key_real(json, "success_probability", rival->success);
    lu_json_key_real(json, "success_prob", rival->success);
    write_pair(json, "success_interval", rival->success_low, rival->success_high);
    lu_json_key_real(json, "mean_spent", rival->spent / unit);
    lu_json_key_int(json, "episodes", rival->episodes);
    lu_json_object_end(json);
}

void optimize_write_rivals(lu_json *json, const optimize_answer *a) {
    lu_json_key_array(json, "baselines");
    if (a->add_only > 0.0) {
        lu_json_object(json);
        lu_json_key_string(json, "name", "add_only");
        lu_json_key_string(json, "method", "exact");
        lu_json_key_real(json, "expected_cost", a->add_only / a->ask->unit);
        lu_json_key_real(json, "success_probability", 1.0);
        lu_json_key_real(json, "success_prob", 1.0);
        lu_json_object_end(json);
    }
    for (int k = 0; k < a->rivals; k++) {
        if (!a->rival[k].model) {
            write_rival(json, a, &a->rival[k]);
        }
    }
    lu_json_array_end(json);
    lu_json_key(json, "agent");
    if (a->rivals > 0 && a->rival[a->rivals - 1].model) {
        write_rival(json, a, &a->rival[a->rivals - 1]);
    } else {
        lu_json_null(json);
    }
}

/* ---- words ---- */

static void say_rival(lu_text *line, const optimize_answer *a, const optimize_rival *rival) {
    double unit = a->ask->unit;
    if (rival->model) {
        lu_text_addf(line, "  %s: ", rival->model);
    } else {
        lu_text_addf(line, "  %c", rival->name[0] - 'a' + 'A');
        for (const char *c = rival->name + 1; *c; c++) {
            lu_text_add_char(line, *c == '_' ? ' ' : *c); /* Desecrate finish */
        }
        lu_text_add(line, ": ");
    }
    if (rival->success > 0.0) {
        lu_text_addf(line, "%s %s [%s, %s]", craft_say_figure(rival->cost / unit).text,
                     a->ask->unit_name, craft_say_figure(rival->low / unit).text,
                     craft_say_figure(rival->high / unit).text);
    } else {
        lu_text_add(line, "none finished");
    }
    lu_text_addf(line, ", success %.4g%% of %d attempts", 100.0 * rival->success, rival->episodes);
}

static void say_rivals(lu_json *words, lu_text *line, const optimize_answer *a) {
    if (a->rivals > 0) {
        lu_json_string(words, "For comparison, total spending per finished item:");
    }
    for (int k = 0; k < a->rivals; k++) {
        lu_text_clear(line);
        say_rival(line, a, &a->rival[k]);
        lu_json_string(words, line->text);
    }
    if (a->rivals > 0 && !a->agent) {
        lu_json_string(words,
                       "  no trained agent of " OPTIMIZE_AGENT " was found; name one with --agent");
    }
}

static void say_spread(lu_json *words, lu_text *line, const optimize_answer *a) {
    double low, high;
    if (!a->spread->looked || a->spread->cases == 0) {
        return;
    }
    range_of(a, &low, &high);
    lu_text_clear(line);
    lu_text_addf(line, "Under other readings of uncertain rules: %s to %s %s (",
                 craft_say_figure(low / a->ask->unit).text,
                 craft_say_figure(high / a->ask->unit).text, a->ask->unit_name);
    for (int k = 0; k < a->spread->cases; k++) {
        const optimize_case *one = &a->spread->of[k];
        lu_text_addf(line, "%s%s=%s ", k > 0 ? ", " : "", one->key, one->value);
        if (one->cost > 0.0) {
            lu_text_add(line, craft_say_figure(one->cost / a->ask->unit).text);
        } else {
            lu_text_add(line, one->note);
        }
    }
    lu_text_add(line, ")");
    lu_json_string(words, line->text);
}

static void say_turns(lu_json *words, lu_text *line, const optimize_answer *a) {
    for (int k = 0; k < a->spread->turns; k++) {
        const optimize_turn *turn = &a->spread->turn[k];
        if (turn->at > 0.0) {
            lu_text_clear(line);
            lu_text_addf(line, "At %s %s for %s: %s",
                         craft_say_figure(turn->at / a->ask->unit).text, a->ask->unit_name,
                         craft_title(a->ask->pack, turn->item), turn->note);
            if (turn->to != OPTIMIZE_NO_USE) {
                lu_text_add(line, " to ");
                craft_say_use(line, a->ask->pack, use_name(a, turn->to));
            }
            lu_json_string(words, line->text);
        }
    }
}

void optimize_say_beside(lu_json *words, const optimize_answer *a) {
    lu_text line = LU_TEXT_INIT;
    say_turns(words, &line, a);
    say_spread(words, &line, a);
    say_rivals(words, &line, a);
    lu_text_free(&line);
}
