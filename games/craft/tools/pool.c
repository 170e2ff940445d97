/* ludus craft pool: what a base can have at an item level, tier by tier with its odds, and how a
 * target in words is read there. */
#include "optimize.h"

#include "craft_switches.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const lu_setting rows[] = {
    {"base", LU_TEXT, "", 0, 80, NULL,
     "The base by name, or a class with attributes: \"STR/DEX boots\".", false},
    {"ilvl", LU_INT, "0", 0, 100, NULL, "Item level of the base; 0: from the target, else 82.",
     false},
    {"want", LU_TEXT, "", 0, 1000, NULL,
     "A target in words, which may name base and item level too.", false},
    {"target_spec", LU_FILE, "", 0, 0, NULL, "The target as a JSON file, instead of want.", false},
    {"target", LU_ALIAS, "target_spec", 0, 0, NULL, "The same.", false},
    {"target_file", LU_ALIAS, "target_spec", 0, 0, NULL, "The same.", false},
    {"pack", LU_FILE, "", 0, 0, NULL, "Your own pack, instead of ruleset.", false},
    {"ruleset", LU_ENUM, "poe2-0.4", 0, 0, "poe2-0.4|poe2-0.3|poe2-0.5", "Pack of rules and data.",
     false},
    {"data", LU_ALIAS, "ruleset", 0, 0, NULL, "The same.", false},
    CRAFT_SWITCH_LIST,
};

static const char *const origins[] = {"natural", "natural", "essence", "desecrated", "corrupted"};

/* Share of the draws on an empty item, of both sides together. */
static double chance_of(const craft_pool *pool, int entry) {
    const craft_floor *floor = &pool->floor[0];
    double all = (double)floor->total[CRAFT_PREFIX] + (double)floor->total[CRAFT_SUFFIX];
    return craft_is_drawn(&pool->entry[entry]) && all > 0.0 ? (double)floor->weight[entry] / all
                                                            : 0.0;
}

static void write_entry(lu_json *json, const optimize_ask *ask, int k) {
    const craft_entry *e = &ask->pool.entry[k];
    const craft_mod *mod = &ask->pack->mods[e->mod];
    lu_json_object(json);
    lu_json_key_string(json, "mod", mod->id);
    lu_json_key_string(json, "text", mod->text);
    lu_json_key_string(json, "side", e->side == CRAFT_PREFIX ? "P" : "S");
    lu_json_key_string(json, "family", ask->pack->family_names[mod->family]);
    lu_json_key_string(json, "ladder", ask->pack->ladder_names[mod->ladder]);
    lu_json_key_int(json, "tier", e->tier);
    lu_json_key_int(json, "tiers", e->tiers);
    lu_json_key_int(json, "level", e->level);
    lu_json_key_string(json, "origin", origins[e->origin]);
    lu_json_key_int(json, "weight", craft_is_drawn(e) ? e->weight : 0);
    lu_json_key_real(json, "chance", chance_of(&ask->pool, k));
    if (ask->goal.hits[k]) {
        lu_json_key_bool(json, "hits", true);
    }
    lu_json_object_end(json);
}

static void write_words(lu_json *json, const optimize_ask *ask, const char *understood,
                        const char *problem) {
    char line[320];
    lu_json_key_array(json, "words");
    snprintf(line, sizeof line, "%s, item level %d%s%s", ask->pack->bases[ask->pool.base].name,
             (int)ask->pool.ilvl, *understood ? ": " : "", understood);
    lu_json_string(json, line);
    for (int k = 0; k < ask->want.unparsed_count; k++) {
        const char *near = ask->want.unparsed[k].nearest;
        snprintf(line, sizeof line, "Not understood: '%s'%s%s", ask->want.unparsed[k].text,
                 *near ? "; nearest: " : "", near);
        lu_json_string(json, line);
    }
    if (problem) {
        lu_json_string(json, problem);
    }
    for (int k = 0; k < ask->pool.entries; k++) {
        const craft_entry *e = &ask->pool.entry[k];
        if (craft_is_drawn(e)) {
            snprintf(line, sizeof line, "  %s T%-2d %6.3f%%  %s%s",
                     e->side == CRAFT_PREFIX ? "P" : "S", e->tier, 100.0 * chance_of(&ask->pool, k),
                     ask->pack->mods[e->mod].text, ask->goal.hits[k] ? "  (wanted)" : "");
            lu_json_string(json, line);
        }
    }
    lu_json_array_end(json);
}

static void answer(const lu_tool_io *io, const optimize_ask *ask, const char *problem) {
    const craft_base *base = &ask->pack->bases[ask->pool.base];
    lu_text understood = LU_TEXT_INIT;
    lu_json json = LU_JSON_INIT;
    craft_want_words(&ask->want.target, ask->pack, &understood);
    lu_json_object(&json);
    lu_json_key_string(&json, "base", base->name);
    lu_json_key_string(&json, "class", ask->pack->classes[base->item_class].name);
    lu_json_key_int(&json, "ilvl", ask->pool.ilvl);
    lu_json_key_string(&json, "ruleset", ask->pack->about.name);
    lu_json_key_int(&json, "prefixes", ask->pool.limit[CRAFT_RARE][CRAFT_PREFIX]);
    lu_json_key_int(&json, "suffixes", ask->pool.limit[CRAFT_RARE][CRAFT_SUFFIX]);
    optimize_write_want(&json, ask, understood.text);
    if (problem) {
        lu_json_key_string(&json, "problem", problem);
    }
    lu_json_key_array(&json, "entries");
    for (int k = 0; k < ask->pool.entries; k++) {
        write_entry(&json, ask, k);
    }
    lu_json_array_end(&json);
    write_words(&json, ask, understood.text, problem);
    lu_json_object_end(&json);
    io->emit(io->user, json.text, json.length);
    lu_json_free(&json);
    lu_text_free(&understood);
}

static lu_status run(const lu_tool_io *io, lu_error *error) {
    optimize_ask *ask = lu_alloc_zero(1, sizeof *ask);
    ask->settings = io->settings;
    bool wants = *lu_settings_text_of(io->settings, "want") ||
                 lu_settings_file_of(io->settings, "target_spec", 0);
    lu_error problem = {0};
    lu_status status = optimize_read_pack(ask, error);
    LU_THEN(status, wants ? optimize_read_target(ask, error) : LU_OK);
    if (status == LU_OK) {
        status = optimize_read_base(ask, &problem);
        if (ask->pool.entries > 0) { /* what it cannot have is told beside what it can */
            answer(io, ask, status == LU_OK ? NULL : problem.text);
            status = LU_OK;
        } else if (status != LU_OK) {
            status = lu_fail(error, status, "%s", problem.text);
        }
    }
    optimize_free(ask);
    free(ask);
    return status;
}

extern const lu_tool lu_tool_craft_pool;
const lu_tool lu_tool_craft_pool = {
    .game = "craft",
    .name = "pool",
    .sentence = "Lists the modifiers that a base can have with their odds, and reads a target.",
    .settings = {"craft pool", rows, sizeof rows / sizeof *rows},
    .run = run,
    .no_files = true,
};
