/* ludus-fetch prices: asks a source what crafting items cost and writes the static price file that
 * `ludus craft` reads. */
#include "gather.h"
#include "http.h"
#include "output.h"
#include "secret.h"
#include "verb.h"

#include "ludus/file.h"

#include <stdlib.h>
#include <string.h>

#define TOKEN "POE_TOKEN"

static const verb_example examples[] = {
    {"ludus-fetch prices --league \"Runes of Aldur\"", "prices.json from poe.ninja, for a league"},
    {"ludus-fetch prices --source scout --out scout.json",
     "from poe2scout, for the current league"},
    {"POE_TOKEN=$(pass poe) ludus-fetch prices --source exchange --league Standard",
     "from the official exchange"},
    {"ludus craft optimize --prices prices.json --base \"STR/DEX boots\" --want \"T1 life\"",
     "what it is for"},
    {NULL, NULL},
};

static const lu_setting options[] = {
    {"league", LU_TEXT, "", 0, 60, NULL,
     "The league as the site shows it; by default poe2scout uses the current one.", false},
    {"source", LU_ENUM, "ninja", 0, 0, "ninja|scout|exchange",
     "The source: poe.ninja, poe2scout or the official trade exchange.", false},
    {"out", LU_TEXT, "prices.json", 0, 4096, NULL, "The price file to write.", false},
    {"categories", LU_TEXT, "", 0, 1000, "commas",
     "Categories of the source, separated by commas; default: those that crafting needs.", false},
    {"max_age", LU_TEXT, "1h", 0, 20, NULL,
     "How old a cached answer may be: 90m, 1h, 2d; at least an hour.", false},
    {"force", LU_BOOL, "false", 0, 0, NULL,
     "Ignores the cache; a source that asked to wait is still left alone.", false},
    {"cache", LU_TEXT, "", 0, 4096, NULL,
     "Folder for cached answers, used for nothing else; default: ludus-fetch in XDG_CACHE_HOME or "
     "~/.cache.",
     false},
    {"url", LU_TEXT, "", 0, 1000, NULL,
     "Another address for the source: https, or http on this machine.", false},
    {"token_file", LU_TEXT, "", 0, 4096, NULL,
     "File with the OAuth token for the exchange; default: the variable " TOKEN ".", false},
    {"base_price", LU_REAL, "1", 0, 1e9, NULL,
     "Price of a white base in exalted orbs, which no market lists.", false},
    {"timeout", LU_REAL, "30", 1, 600, NULL, "Seconds per call.", false},
};

/* ---- what is asked ---- */

/* "90m" as seconds. */
static lu_status read_age(const char *text, double *seconds, lu_error *error) {
    static const struct {
        char letter;
        double seconds;
    } units[] = {{'s', 1.0}, {'m', 60.0}, {'h', 3600.0}, {'d', 86400.0}};
    size_t length = strlen(text);
    char number[32];
    for (size_t k = 0; k < sizeof units / sizeof *units && length > 1; k++) {
        if (text[length - 1] == units[k].letter) {
            snprintf(number, sizeof number, "%.*s", (int)(length - 1), text);
            LU_TRY(lu_parse_real("max_age", number, 0.0, 1e6, seconds, error));
            *seconds *= units[k].seconds;
            return *seconds >= 3600.0 ? LU_OK
                                      : lu_fail(error, LU_BAD_VALUE,
                                                "'max_age' = %s is below 1h: a source is asked at "
                                                "most once an hour; --force asks now",
                                                text);
        }
    }
    return lu_fail(error, LU_BAD_VALUE, "'max_age' = '%s' isn't a time; write 90m, 1h or 2d", text);
}

static lu_status read_ask(gather *g, const lu_settings *v, char **token, lu_error *error) {
    const char *url = lu_settings_text_of(v, "url");
    *g = (gather){.from = &sources[lu_settings_enum(v, "source")],
                  .force = lu_settings_bool(v, "force"),
                  .seconds = lu_settings_real(v, "timeout"),
                  .league = LU_TEXT_INIT,
                  .cache = {.folder = LU_TEXT_INIT, .lock = -1}};
    g->base = *url ? url : g->from->base;
    lu_text_add(&g->league, lu_settings_text_of(v, "league"));
    LU_TRY(http_check(g->base, error));
    LU_TRY(read_age(lu_settings_text_of(v, "max_age"), &g->max_age, error));
    if (!g->league.length && !g->from->any_league) {
        return lu_fail(error, LU_USAGE, "%s needs a league: --league \"NAME AS THE SITE SHOWS IT\"",
                       g->from->title);
    }
    if (!g->from->token) {
        return LU_OK;
    }
    LU_TRY(secret_read(lu_settings_text_of(v, "token_file"), TOKEN, token, error));
    g->token = *token;
    return *token ? LU_OK
                  : lu_fail(error, LU_USAGE,
                            "the %s needs an OAuth token (scope service:cxapi): set " TOKEN
                            " or name a --token-file",
                            g->from->title);
}

/* ---- what is told ---- */

static const char *age_text(double seconds) {
    return seconds < 90.0      ? cell("%.0f s", seconds > 0.0 ? seconds : 0.0)
           : seconds < 5400.0  ? cell("%.0f min", seconds / 60.0)
           : seconds < 172800. ? cell("%.1f h", seconds / 3600.0)
                               : cell("%.1f days", seconds / 86400.0);
}

static void part_line(const part *p, lu_text *text) {
    const char *what = p->leagues ? "list of leagues" : cell("%d prices", p->prices);
    switch (p->state) {
    case PART_FETCHED:
        lu_text_addf(text, "%s: %s, fetched now", p->name, what);
        break;
    case PART_CACHED:
        lu_text_addf(text, "%s: %s, %s old, from the cache", p->name, what, age_text(p->age));
        break;
    case PART_OLD:
        lu_text_addf(text, "%s; using the answer from %s ago (%s)", p->error.text, age_text(p->age),
                     what);
        break;
    case PART_FAILED:
        lu_text_addf(text, "%s; its prices are missing", p->error.text);
        break;
    }
    if (p->pages > 1) {
        lu_text_addf(text, "; the first of %d pages", p->pages);
    }
}

static void write_part(const part *p, lu_json *json) {
    static const char *const states[] = {"fetched", "cached", "old", "failed"};
    lu_json_object(json);
    lu_json_key_string(json, "category", p->name);
    lu_json_key_string(json, "state", states[p->state]);
    lu_json_key_int(json, "prices", p->prices);
    if (p->state != PART_FAILED) {
        lu_json_key_real(json, "age_seconds", p->age);
        lu_json_key_int(json, "pages", p->pages);
    }
    if (p->state >= PART_OLD) {
        lu_json_key_string(json, "error", p->error.text);
    }
    lu_json_object_end(json);
}

/* The lines that `ludus craft prices` has for people. */
static void add_words(const lu_json_value *file, lu_text *text) {
    const lu_json_value *words = lu_json_get(file, "words");
    for (size_t k = 0; k < lu_json_count(words); k++) {
        lu_text_line(text, "%s", lu_json_text(lu_json_at(words, k), NULL));
    }
}

static void tell_words(const gather *g, const lu_json_value *file, const char *out,
                       double base_price) {
    lu_text text = LU_TEXT_INIT;
    for (int k = 0; k < g->parts; k++) {
        part_line(&g->part[k], &text);
        lu_text_add_char(&text, '\n');
    }
    if (file) {
        add_words(file, &text);
        lu_text_line(&text, "A white base counts as %g exalted (--base-price)", base_price);
        lu_text_line(&text, "Written to %s; next: ludus craft optimize --prices %s", out, out);
    }
    out_text_end(&text);
}

static void tell_json(const gather *g, const lu_json_value *file, const char *out) {
    static const char *const kept[] = {"date", "prices", "rates", "flags", "missing", "unknown"};
    lu_json json = LU_JSON_INIT;
    lu_json_object(&json);
    lu_json_key_int(&json, "schema", 1);
    lu_json_key_string(&json, "source", g->from->title);
    lu_json_key_string(&json, "league", g->league.text);
    lu_json_key_string(&json, "out", file ? out : NULL);
    lu_json_key_int(&json, "failed", gather_failed(g));
    lu_json_key_array(&json, "categories");
    for (int k = 0; k < g->parts; k++) {
        write_part(&g->part[k], &json);
    }
    lu_json_array_end(&json);
    for (size_t k = 0; file && k < sizeof kept / sizeof *kept; k++) {
        lu_json_key_value(&json, kept[k], lu_json_get(file, kept[k]));
    }
    out_json_end(&json);
}

/* ---- the work ---- */

/* The first failure, as that of the whole; there is one. */
static lu_status nothing_came(const gather *g, lu_error *error) {
    const part *p = g->part;
    while (p->state < PART_OLD) {
        p++;
    }
    return lu_fail(error, p->error.status,
                   "no category could be fetched, and nothing was written: %s", p->error.text);
}

/* Merges, writes and tells. A file is written only with prices in it. */
static lu_status finish(const gather *g, const verb_call *call, lu_error *error) {
    const char *out = lu_settings_text_of(call->settings, "out");
    double base_price = lu_settings_real(call->settings, "base_price");
    int failed = gather_failed(g), prices = 0;
    lu_text text = LU_TEXT_INIT;
    lu_json_document *file = NULL;
    lu_status status = LU_OK;
    for (int k = 0; k < g->parts; k++) {
        prices += g->part[k].prices;
    }
    if (prices > 0) {
        status = gather_merge(g, base_price, &text, error);
        file = status == LU_OK ? lu_json_read(out, text.text, text.length, error) : NULL;
        lu_text_add_char(&text, '\n');
        LU_THEN(status, lu_file_write(out, text.text, text.length, error));
    }
    if (status == LU_OK && call->json) {
        tell_json(g, file ? lu_json_root(file) : NULL, out);
    } else if (status == LU_OK) {
        tell_words(g, file ? lu_json_root(file) : NULL, out, base_price);
    }
    if (status == LU_OK && prices == 0) {
        status =
            failed > 0
                ? nothing_came(g, error)
                : lu_fail(error, LU_BAD_DATA,
                          "nothing used in crafting has a price there, and nothing was written");
    } else if (status == LU_OK && failed > 0) {
        status = lu_fail(error, LU_CHECK_FAILED, "%d of %d categories failed; %s has the rest",
                         failed, g->parts, out);
    }
    lu_json_close(file);
    lu_text_free(&text);
    return status;
}

static lu_status run(verb_call *call, lu_error *error) {
    gather g;
    char *token = NULL;
    lu_status status = read_ask(&g, call->settings, &token, error);
    LU_THEN(status, gather_open(&g, lu_settings_text_of(call->settings, "categories"),
                                lu_settings_text_of(call->settings, "cache"), error));
    progress_start();
    LU_THEN(status, gather_all(&g, error));
    LU_THEN(status, finish(&g, call, error));
    gather_close(&g);
    free(token);
    return status;
}

const verb verb_prices = {
    .name = "prices",
    .usage = "prices --league NAME [--source ninja|scout|exchange] [--out FILE]",
    .sentence = "Asks a source for prices, once an hour, and writes a price file for ludus craft.",
    .details = "If a category fails, it is reported, its last cached answer is used, and the "
               "others are written (exit code 5). If none arrives, nothing is written.",
    .examples = examples,
    .options = VERB_OPTIONS("prices", options),
    .json = true,
    .run = run,
};
