/* What `ludus craft optimize` is asked: base, target and prices. */
#include "optimize.h"

#include "craft_switches.h"

#include <stdio.h>
#include <string.h>

lu_status optimize_read_pack(optimize_ask *ask, lu_error *error) {
    const lu_file_text *file = lu_settings_file_of(ask->settings, "pack", 0);
    const char *ruleset = lu_settings_text_of(ask->settings, "ruleset");
    if (strcmp(ruleset, "classic") == 0) {
        return lu_fail(error, LU_BAD_VALUE,
                       "'ruleset': the simple rules of craft-classic-v1 have no solver: chaos "
                       "rerolls the whole item there, and `ludus craft measure --variant "
                       "craft-classic-v1 --bot chaos_spam` shows what that costs");
    }
    ask->pack = craft_pack_find(ruleset);
    if (file) {
        ask->own = craft_pack_file_read(file->name, file->text, file->length, error);
        ask->pack = ask->own ? craft_pack_file_pack(ask->own) : NULL;
    }
    return ask->pack ? LU_OK : LU_BAD_VALUE;
}

lu_status optimize_read_target(optimize_ask *ask, lu_error *error) {
    const lu_file_text *file = lu_settings_file_of(ask->settings, "target_spec", 0);
    const char *text = lu_settings_text_of(ask->settings, "want");
    if (file && *text) {
        return lu_fail(error, LU_USAGE, "use 'want' or 'target_spec', not both");
    }
    if (!file) {
        craft_want_read(&ask->want, ask->pack, text);
        return ask->want.target.needs + ask->want.target.open[0] + ask->want.target.open[1] +
                           ask->want.unparsed_count >
                       0
                   ? LU_OK
                   : lu_fail(error, LU_USAGE,
                             "this needs a target: 'want' in words (\"T1 life, 2 T2 res\") or "
                             "'target_spec' as a file");
    }
    lu_json_document *document = lu_json_read(file->name, file->text, file->length, error);
    if (!document) {
        return LU_BAD_VALUE;
    }
    lu_status status =
        craft_target_read(&ask->want.target, ask->pack, lu_json_root(document), error);
    lu_json_close(document);
    return status;
}

/* The base of the item, else of the settings, else of the target. */
lu_status optimize_read_base(optimize_ask *ask, lu_error *error) {
    craft_target *target = &ask->want.target;
    const char *asked = lu_settings_text_of(ask->settings, "base");
    int64_t level = lu_settings_int(ask->settings, "ilvl");
    craft_switches switches;
    level = level > 0 ? level : target->ilvl > 0 ? target->ilvl : 82;
    const char *name = *asked ? asked : target->base;
    if (ask->given) {
        LU_TRY(optimize_item_base(ask, &name, &level, error));
    }
    int ilvl = (int)level;
    craft_place place = {0, 0};
    int base = *name ? craft_want_base(ask->pack, name, ilvl, &place) : -1;
    if (base >= 0 && (place.start > 0 || name[place.end])) {
        return lu_fail(error, LU_BAD_VALUE,
                       "'base': in '%s' only '%.*s' names a base; put the rest into 'want'", name,
                       (int)(place.end - place.start), name + place.start);
    }
    if (base < 0) {
        return lu_fail(error, LU_BAD_VALUE,
                       *name ? "'base': %s has no base '%s' at item level %d; use a name or a "
                               "class with attributes, like \"STR/DEX boots\""
                             : "%s: name a base, like \"STR/DEX boots\"",
                       ask->pack->about.name, name, ilvl);
    }
    lu_status status =
        craft_switches_read(&switches, ask->pack->about.version, ask->settings, error);
    LU_THEN(status, craft_pool_init(&ask->pool, ask->pack, base, ilvl, &switches, error));
    LU_THEN(status, ask->given ? optimize_item_read(ask, error) : LU_OK);
    return status == LU_OK ? craft_goal_init(&ask->goal, target, ask->pack, &ask->pool, error)
                           : status;
}

/* Exalted of a unit: of the price file, else of the pack's prices. */
static double rate_of(const optimize_ask *ask, const char *unit) {
    char item[40];
    snprintf(item, sizeof item, "%s_orb", unit);
    double rate =
        ask->price_file
            ? lu_json_real_or(
                  lu_json_get(lu_json_get(lu_json_root(ask->price_file), "rates"), unit), -1.0)
            : -1.0;
    return strcmp(unit, "exalted") == 0 ? 1.0
           : rate > 0.0                 ? rate
                                        : craft_priced(&ask->prices, item);
}

static lu_status read_prices(optimize_ask *ask, lu_error *error) {
    static const char *const units[] = {"exalted", "chaos", "divine"};
    const lu_file_text *file = lu_settings_file_of(ask->settings, "prices", 0);
    const char *unit = "exalted", *date = ask->pack->price_date;
    ask->prices = (craft_prices){.pack = ask->pack, .rate = 1.0, .white_base = -1.0, .spread = 1.0};
    if (file) {
        ask->price_file = lu_json_read(file->name, file->text, file->length, error);
        const lu_json_value *root = ask->price_file ? lu_json_root(ask->price_file) : NULL;
        ask->prices.file = lu_json_get(root, "prices");
        date = "an unknown date";
        if (!root || lu_json_kind_of(ask->prices.file) != LU_JSON_OBJECT) {
            return root ? lu_fail(error, LU_BAD_VALUE, "%s: it has no object 'prices'", file->name)
                        : LU_BAD_VALUE;
        }
        (void)lu_json_get_text(root, "unit", &unit, NULL);
        (void)lu_json_get_text(root, "date", &date, NULL);
        ask->prices.rate = rate_of(ask, unit);
        if (ask->prices.rate <= 0.0) {
            return lu_fail(error, LU_BAD_VALUE,
                           "%s: 'rates' does not say how many exalted orbs one '%s' is", file->name,
                           unit);
        }
    }
    snprintf(ask->price_date, sizeof ask->price_date, "%s", date);
    ask->unit_name = units[lu_settings_enum(ask->settings, "unit")];
    ask->unit = rate_of(ask, ask->unit_name);
    if (ask->unit <= 0.0) {
        return lu_fail(error, LU_BAD_VALUE,
                       "'unit': the prices do not say how many exalted orbs one %s is",
                       ask->unit_name);
    }
    return craft_priced(&ask->prices, "white_base") > 0.0
               ? LU_OK
               : lu_fail(error, LU_BAD_VALUE,
                         "the prices lack 'white_base', what a new base costs");
}

lu_status optimize_read(optimize_ask *ask, const lu_settings *settings, const lu_tool_input *item,
                        lu_error *error) {
    memset(ask, 0, sizeof *ask);
    ask->given = item;
    ask->settings = settings;
    const char *actions = lu_settings_text_of(settings, "actions");
    ask->breadth = strcmp(actions, "plain") == 0 ? CRAFT_PLAIN
                   : strcmp(actions, "all") == 0 ? CRAFT_ALL
                                                 : CRAFT_LISTED;
    lu_status status = optimize_read_pack(ask, error);
    LU_THEN(status, optimize_read_target(ask, error));
    LU_THEN(status, craft_want_understood(&ask->want, ask->pack, error));
    LU_THEN(status, optimize_read_base(ask, error));
    status = status == LU_OK ? read_prices(ask, error) : status;
    LU_THEN(status, optimize_read_sale(ask, error));
    ask->budget = lu_settings_real(settings, "budget") * ask->unit;
    ask->budget = ask->budget > 0.0 ? ask->budget : ask->want.target.budget;
    LU_THEN(status, craft_choose(&ask->choice, &ask->pool, ask->pack, &ask->goal, &ask->want.target,
                                 &ask->prices, ask->breadth, actions, error));
    if (status == LU_OK && optimize_hides(ask)) {
        craft_choose_reveal(&ask->choice);
        craft_choose_shown(&ask->choice, &ask->item);
    }
    return status;
}

void optimize_free(optimize_ask *ask) {
    lu_json_close(ask->price_file);
    lu_json_close(ask->document);
    craft_pack_file_free(ask->own);
}
