/* `ludus craft prices FILE...`: reads price files of any form, says what looks wrong in them, which
 * items have no price and which are unknown. What it answers is itself a static price file:
 * `ludus craft prices FILE --json > prices.json`. Without a file it looks at the pack's prices. */
#include "craft_price_file.h"
#include "names.h"

#include "ludus/clock.h"
#include "ludus/tool.h"

#include <stdio.h>
#include <string.h>

enum { SHOWN = 8 }; /* names in a line for people */

static const lu_setting rows[] = {
    {"ruleset", LU_ENUM, "poe2-0.4", 0, 0, "poe2-0.4|poe2-0.3|poe2-0.5",
     "Pack whose items to look for.", false},
    {"data", LU_ALIAS, "ruleset", 0, 0, NULL, "The same.", false},
    {"league", LU_TEXT, "", 0, 60, NULL, "The league, if a file has several or does not say.",
     false},
    {"date", LU_TEXT, "", 0, 32, NULL,
     "When the answers were fetched, such as 2026-07-04 or 2026-07-04T12:00, if they do not say.",
     false},
    {"now", LU_TEXT, "", 0, 32, NULL, "Date from which ages are counted; default: now.", false},
    {"base_price", LU_REAL, "-1", -1, 1e9, NULL,
     "Price of a white base in exalted orbs, which no market lists; -1: from the file.", false},
};

/* Forms of one thing from the lesser to the better. */
static const char *const ladders[][4] = {
    {"lesser_", "", "greater_", "perfect_"},
    {"gnawed_", "preserved_", "ancient_", NULL},
};

typedef struct telling {
    const craft_price_list *list;
    const craft_pack *pack;
    lu_json *json;
    lu_text words; /* a line each */
    int flags;
} telling;

/* ---- flags ---- */

static void flag(telling *t, const char *item, const char *kind, const char *line) {
    lu_json_object(t->json);
    lu_json_key_string(t->json, "item", item);
    lu_json_key_string(t->json, "flag", kind);
    lu_json_key_string(t->json, "text", line);
    lu_json_object_end(t->json);
    lu_text_line(&t->words, "Check: %s", line);
    t->flags++;
}

/* What a name has behind its form, and which form that is; NULL: it is of no such ladder. */
static const char *stem_of(const char *item, const char *const form[4], int *place) {
    const char *stem = NULL;
    for (int k = 0; k < 4 && form[k]; k++) {
        size_t skip = strlen(form[k]);
        if (strncmp(item, form[k], skip) == 0 && (!stem || skip > 0)) {
            stem = item + skip;
            *place = k;
        }
    }
    return stem;
}

/* A better form that is cheaper than a lesser one: one of the two is not a price. */
static void flag_order(telling *t, const craft_price_row *row) {
    for (size_t n = 0; n < sizeof ladders / sizeof *ladders; n++) {
        int place = 0;
        const char *stem = stem_of(row->item, ladders[n], &place);
        for (int k = place - 1; stem && k >= 0; k--) {
            char item[2 * CRAFT_PRICE_NAME], line[4 * CRAFT_PRICE_NAME];
            snprintf(item, sizeof item, "%s%s", ladders[n][k], stem);
            const craft_price_row *below = craft_price_row_of(t->list, item);
            if (below && below->exalted > row->exalted) {
                snprintf(line, sizeof line, "%s for %.4g is cheaper than %s for %.4g",
                         craft_title(t->pack, row->item), row->exalted,
                         craft_title(t->pack, below->item), below->exalted);
                flag(t, row->item, "tier_order", line);
            }
        }
    }
}

static void flag_volume(telling *t, const craft_price_row *row) {
    char line[2 * CRAFT_PRICE_NAME];
    if (row->volume >= 0.0 && row->volume < 1.0) {
        snprintf(line, sizeof line, "%s: only %.3g divine orbs' worth is traded per day",
                 craft_title(t->pack, row->item), row->volume);
        flag(t, row->item, "thin", line);
    }
}

static void flag_age(telling *t, double now) {
    double then;
    char line[2 * CRAFT_PRICE_NAME];
    if (!craft_date_read(t->list->date, &then)) {
        flag(t, "", "no_date", "the prices have no date; set --date");
    } else if (now - then > 86400.0) {
        bool days = now - then >= 3.0 * 86400.0;
        snprintf(line, sizeof line, "the prices of %s are %.0f %s old, more than a day",
                 t->list->date, (now - then) / (days ? 86400.0 : 3600.0), days ? "days" : "hours");
        flag(t, "", "old", line);
    }
}

static void put_flags(telling *t, double now) {
    lu_json_key_array(t->json, "flags");
    flag_age(t, now);
    for (int k = 0; k < t->list->rows; k++) {
        const craft_price_row *row = &t->list->row[k];
        if (row->known && row->exalted >= 0.0) {
            flag_order(t, row);
            flag_volume(t, row);
        }
    }
    lu_json_array_end(t->json);
}

/* ---- what is not there ---- */

typedef struct names {
    lu_text line; /* the first of them */
    int count;
} names;

static void put_name(telling *t, names *n, const char *item) {
    lu_json_string(t->json, item);
    if (n->count < SHOWN) {
        lu_text_addf(&n->line, "%s%s", n->count > 0 ? ", " : "", craft_title(t->pack, item));
    }
    n->count++;
}

static void end_names(telling *t, names *n, const char *what) {
    lu_json_array_end(t->json);
    if (n->count > SHOWN) {
        lu_text_addf(&n->line, " and %d more (--json names them)", n->count - SHOWN);
    }
    if (n->count > 0) {
        lu_text_line(&t->words, "%s: %s", what, n->line.text);
    }
    lu_text_free(&n->line);
}

static void want(telling *t, names *n, const char *item) {
    const craft_price_row *row = craft_price_row_of(t->list, item);
    if (!row || row->exalted < 0.0) {
        put_name(t, n, item);
    }
}

#define WANT_ALL(table, number)                                                                    \
    for (int k = 0; k < t->pack->number##_count; k++) {                                            \
        want(t, &n, t->pack->table[k].id);                                                         \
    }

static void put_missing(telling *t) {
    names n = {LU_TEXT_INIT, 0};
    lu_json_key_array(t->json, "missing");
    WANT_ALL(currencies, currency)
    WANT_ALL(omens, omen)
    WANT_ALL(essences, essence)
    WANT_ALL(bones, bone)
    WANT_ALL(catalysts, catalyst)
    end_names(t, &n, "Without a price, so no plan uses them");
}

static void put_unknown(telling *t) {
    names n = {LU_TEXT_INIT, 0};
    lu_json_key_array(t->json, "unknown");
    for (int k = 0; k < t->list->rows; k++) {
        if (!t->list->row[k].known) {
            put_name(t, &n, t->list->row[k].item);
        }
    }
    end_names(t, &n, "Not used in crafting, left out");
}

/* ---- the file ---- */

static int put_prices(telling *t) {
    int count = 0;
    lu_json_key_object(t->json, "prices");
    for (int k = 0; k < t->list->rows; k++) {
        const craft_price_row *row = &t->list->row[k];
        if (row->known && row->exalted >= 0.0) {
            lu_json_key_real(t->json, row->item, row->exalted);
            count++;
        }
    }
    lu_json_object_end(t->json);
    lu_json_key_object(t->json, "volumes");
    for (int k = 0; k < t->list->rows; k++) {
        const craft_price_row *row = &t->list->row[k];
        if (row->known && row->exalted >= 0.0 && row->volume >= 0.0) {
            lu_json_key_real(t->json, row->item, row->volume);
        }
    }
    lu_json_object_end(t->json);
    return count;
}

static void put_head(telling *t) {
    const craft_price_list *list = t->list;
    lu_json_key_string(t->json, "schema", "ludus.prices/1");
    lu_json_key_string(t->json, "unit", "exalted");
    lu_json_key_string(t->json, "source", list->source);
    if (*list->league) {
        lu_json_key_string(t->json, "league", list->league);
    }
    if (*list->date) {
        lu_json_key_string(t->json, "date", list->date);
    }
    lu_json_key_object(t->json, "rates");
    if (list->divine > 0.0) {
        lu_json_key_real(t->json, "divine", list->divine);
    }
    if (list->chaos > 0.0) {
        lu_json_key_real(t->json, "chaos", list->chaos);
    }
    lu_json_object_end(t->json);
}

static void put_words(telling *t, int prices) {
    const craft_price_list *list = t->list;
    char line[4 * CRAFT_PRICE_NAME];
    lu_json_key_array(t->json, "words");
    snprintf(line, sizeof line, "%d prices of %s%s%s, %s; %d to check", prices, list->source,
             *list->league ? ", league " : "", list->league,
             *list->date ? list->date : "without a date", t->flags);
    lu_json_string(t->json, line);
    for (char *at = t->words.text; *at;) {
        size_t length = strcspn(at, "\n");
        lu_json_string_n(t->json, at, length);
        at += length + (at[length] == '\n');
    }
    lu_json_array_end(t->json);
}

static void tell(const lu_tool_io *io, const craft_price_list *list, const craft_pack *pack,
                 double now) {
    lu_json json = LU_JSON_INIT;
    telling t = {.list = list, .pack = pack, .json = &json, .words = LU_TEXT_INIT};
    lu_json_object(&json);
    put_head(&t);
    int prices = put_prices(&t);
    put_flags(&t, now);
    put_missing(&t);
    put_unknown(&t);
    put_words(&t, prices);
    lu_json_object_end(&json);
    io->emit(io->user, json.text, json.length);
    lu_json_free(&json);
    lu_text_free(&t.words);
}

/* ---- the tool ---- */

static lu_status read_time(const char *key, const char *text, double *seconds, lu_error *error) {
    return craft_date_read(text, seconds)
               ? LU_OK
               : lu_fail(error, LU_BAD_VALUE,
                         "'%s' = '%s' isn't a date; write 2026-07-04 or 2026-07-04T12:00", key,
                         text);
}

static lu_status read_all(const lu_tool_io *io, craft_price_list *list, const craft_pack *pack,
                          double *now, lu_error *error) {
    const lu_settings *v = io->settings;
    const char *league = lu_settings_text_of(v, "league");
    const char *date = lu_settings_text_of(v, "date"), *today = lu_settings_text_of(v, "now");
    char clock[LU_CLOCK_TEXT];
    double seconds, base = lu_settings_real(v, "base_price");
    for (int k = 0; k < io->input_count; k++) {
        const lu_tool_input *input = &io->inputs[k];
        LU_TRY(craft_price_list_read(list, pack, input->name, input->text, input->length, league,
                                     error));
    }
    if (io->input_count == 0) {
        craft_price_list_own(list, pack);
    } else if (!*list->league) {
        snprintf(list->league, sizeof list->league, "%s", league);
    }
    if (*date) {
        LU_TRY(read_time("date", date, &seconds, error));
        snprintf(list->date, sizeof list->date, "%s", date);
    }
    if (base >= 0.0) {
        craft_price_list_set(list, pack, "white_base", base);
    }
    return read_time("now", *today ? today : lu_clock_utc(clock, sizeof clock), now, error);
}

static lu_status run(const lu_tool_io *io, lu_error *error) {
    const craft_pack *pack = craft_pack_find(lu_settings_text_of(io->settings, "ruleset"));
    craft_price_list list = {0};
    double now = 0.0;
    lu_status status = read_all(io, &list, pack, &now, error);
    if (status == LU_OK) {
        tell(io, &list, pack, now);
    }
    craft_price_list_free(&list);
    return status;
}

extern const lu_tool lu_tool_craft_prices;
const lu_tool lu_tool_craft_prices = {
    .game = "craft",
    .name = "prices",
    .sentence = "Reads price files of any format, flags what looks wrong, and writes a static one.",
    .settings = {"craft prices", rows, sizeof rows / sizeof *rows},
    .run = run,
};
