/* Gathering the answers of a source: see gather.h. */
#include "gather.h"

#include "ask_tool.h"
#include "http.h"

#include "ludus/hash.h"
#include "ludus/json.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { PATIENCE = 60, DATE = 32 }; /* seconds where a source does not say how long; a date's room */

/* ---- the parts ---- */

static lu_status add_part(gather *g, const char *name, size_t length, bool leagues,
                          lu_error *error) {
    if (length == 0 || length >= GATHER_NAME || g->parts == GATHER_PARTS) {
        return lu_fail(error, LU_BAD_VALUE,
                       "'categories' holds names separated by commas, at most %d of up to %d bytes",
                       GATHER_PARTS - 1, GATHER_NAME - 1);
    }
    part *p = &g->part[g->parts++];
    snprintf(p->name, sizeof p->name, "%.*s", (int)length, name);
    p->leagues = leagues;
    return LU_OK;
}

lu_status gather_open(gather *g, const char *categories, const char *cache_folder,
                      lu_error *error) {
    const char *at = *categories ? categories : g->from->categories;
    if (*categories && !strstr(g->from->path, "{category}")) {
        return lu_fail(error, LU_USAGE, "%s always answers with everything: leave out --categories",
                       g->from->title);
    }
    if (g->from->leagues) {
        LU_TRY(add_part(g, "leagues", strlen("leagues"), true, error));
    }
    for (bool more = true; more;) {
        size_t length = strcspn(at, ",");
        LU_TRY(add_part(g, at, length, false, error));
        more = at[length] == ',';
        at += length + more;
    }
    return cache_open(&g->cache, cache_folder, error);
}

void gather_close(gather *g) {
    for (int k = 0; k < g->parts; k++) {
        free(g->part[k].bytes);
    }
    cache_close(&g->cache);
    lu_text_free(&g->league);
}

/* ---- judging ---- */

/* Answers that count, as inputs of the tool: the leagues first, as they stand first. */
static int inputs_of(const gather *g, const part *only, lu_tool_input inputs[GATHER_PARTS]) {
    int count = 0;
    for (int k = 0; k < g->parts; k++) {
        const part *p = &g->part[k];
        if (p->bytes && (!only || p == only || p->leagues)) {
            inputs[count++] = (lu_tool_input){p->name, p->bytes, p->length};
        }
    }
    return count;
}

static lu_status ask_prices(const gather *g, const part *only, const char *date,
                            const char *base_price, lu_text *answer, lu_error *error) {
    lu_tool_input inputs[GATHER_PARTS];
    int count = inputs_of(g, only, inputs);
    const tool_pair pairs[] = {
        {"league", g->league.text}, {"date", date}, {"base_price", base_price}, {NULL, NULL}};
    lu_text_clear(answer);
    return ask_tool("prices", pairs, inputs, count, answer, error);
}

/* Pages of a list that comes in pages. */
static int pages_of(const part *p) {
    lu_json_document *document = lu_json_read(p->name, p->bytes, p->length, NULL);
    int64_t pages = 1;
    if (document) {
        (void)lu_json_get_int(lu_json_root(document), "Pages", 1, 1000000, &pages, NULL);
        lu_json_close(document);
    }
    return (int)pages;
}

/* Whether the answer of a part is one, and how much it tells. */
static lu_status judge(const gather *g, part *p, lu_error *error) {
    lu_text answer = LU_TEXT_INIT;
    lu_status status = ask_prices(g, p, NULL, NULL, &answer, error);
    lu_json_document *document =
        status == LU_OK ? lu_json_read("prices", answer.text, answer.length, error) : NULL;
    if (document) {
        const lu_json_value *root = lu_json_root(document);
        const char *league = "";
        size_t unknown = lu_json_count(lu_json_get(root, "unknown"));
        p->prices = (int)lu_json_count(lu_json_get(root, "prices"));
        p->pages = pages_of(p);
        (void)lu_json_get_text(root, "league", &league, NULL);
        snprintf(p->league, sizeof p->league, "%s", league);
        if (!p->leagues && p->prices == 0 && unknown == 0) {
            status = lu_fail(
                error, LU_BAD_DATA,
                "%s: it holds no price; is '%.60s' the name of a league as the site shows it?",
                p->name, g->league.text);
        }
        lu_json_close(document);
    }
    lu_text_free(&answer);
    return status;
}

/* ---- getting ---- */

static void drop(part *p) {
    free(p->bytes);
    p->bytes = NULL;
    p->length = 0;
    p->prices = 0;
}

/* The name of an answer's file: of its source, its category and its whole address but for the hour.
 */
static void file_name(const gather *g, const part *p, char name[2 * GATHER_NAME]) {
    lu_text address = LU_TEXT_INIT;
    char plain[GATHER_NAME];
    source_address(g->base, p->leagues ? g->from->leagues : g->from->path, g->league.text, p->name,
                   0.0, &address);
    for (size_t k = 0; k < sizeof plain; k++) {
        char c = p->name[k];
        bool good = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
        plain[k] = (char)(good || !c ? c : '_');
    }
    snprintf(name, 2 * GATHER_NAME, "%s-%s-%016llx", g->from->name, plain,
             (unsigned long long)lu_hash(address.text, address.length, 0));
    lu_text_free(&address);
}

static lu_status judge_code(const gather *g, const part *p, const char *name,
                            const http_answer *answer, lu_error *error) {
    if (answer->code == 200) {
        return LU_OK;
    }
    if (answer->code == 429 || answer->code == 503) {
        double wait = answer->wait > 0.0 ? answer->wait : PATIENCE;
        LU_TRY(cache_set_wait(&g->cache, name, wait, error));
        return lu_fail(error, LU_BUSY, "%s: %s answers %ld and is left alone for %.0f s", p->name,
                       g->from->title, answer->code, wait);
    }
    bool refused = answer->code == 401 || answer->code == 403;
    return lu_fail(error, answer->code == 404 ? LU_NOT_FOUND : LU_IO, "%s: %s answers %ld%s",
                   p->name, g->from->title, answer->code,
                   refused && g->token ? ": it rejects the token" : "");
}

static lu_status fetch(const gather *g, part *p, const char *name, lu_error *error) {
    double wait = cache_wait(&g->cache, name);
    if (wait > 0.0) {
        return lu_fail(error, LU_BUSY, "%s: %s asked to be left alone for another %.0f s", p->name,
                       g->from->title, wait);
    }
    lu_text address = LU_TEXT_INIT;
    char what[2 * GATHER_NAME];
    snprintf(what, sizeof what, "asking %s for %s", g->from->title, p->name);
    source_address(g->base, p->leagues ? g->from->leagues : g->from->path, g->league.text, p->name,
                   g->cache.now, &address);
    http_answer answer;
    lu_status status = http_call(&(http_ask){.url = address.text,
                                             .what = what,
                                             .bearer = g->token,
                                             .most = g->from->most,
                                             .seconds = g->seconds},
                                 &answer, error);
    LU_THEN(status, judge_code(g, p, name, &answer, error));
    if (status == LU_OK) {
        p->bytes = answer.bytes;
        p->length = answer.length;
        answer.bytes = NULL;
        status = judge(g, p, error);
    }
    LU_THEN(status, cache_write(&g->cache, name, p->bytes, p->length, error));
    http_free(&answer);
    lu_text_free(&address);
    return status;
}

/* Takes what the cache has; false: nothing, or nothing good. */
static bool recall(const gather *g, part *p, const char *name) {
    lu_error ignored;
    if (!cache_read(&g->cache, name, g->from->most, &p->bytes, &p->length, &p->age) ||
        judge(g, p, &ignored) != LU_OK) {
        drop(p);
        return false;
    }
    return true;
}

static lu_status get(const gather *g, part *p) {
    char name[2 * GATHER_NAME];
    file_name(g, p, name);
    if (recall(g, p, name) && !g->force && p->age >= 0.0 && p->age <= g->max_age) {
        p->state = PART_CACHED;
        return LU_OK;
    }
    drop(p);
    lu_status status = fetch(g, p, name, &p->error);
    p->age = 0.0;
    p->state = PART_FETCHED;
    if (status != LU_OK) {
        drop(p);
        p->state = recall(g, p, name) ? PART_OLD : PART_FAILED;
    }
    return status;
}

lu_status gather_all(gather *g, lu_error *error) {
    for (int k = 0; k < g->parts; k++) {
        part *p = &g->part[k];
        lu_status status = get(g, p);
        bool ends = status == LU_INTERRUPTED || (p->leagues && p->state == PART_FAILED);
        if (ends) {
            *error = p->error;
            return status;
        }
        if (!g->league.length) {
            lu_text_add(&g->league, p->league);
        }
    }
    return LU_OK;
}

int gather_failed(const gather *g) {
    int count = 0;
    for (int k = 0; k < g->parts; k++) {
        count += g->part[k].state == PART_OLD || g->part[k].state == PART_FAILED;
    }
    return count;
}

/* ---- the file ---- */

/* When the oldest answer was asked for. */
static void oldest(const gather *g, char date[DATE]) {
    double age = 0.0;
    for (int k = 0; k < g->parts; k++) {
        const part *p = &g->part[k];
        age = p->bytes && p->age > age ? p->age : age;
    }
    time_t then = (time_t)(g->cache.now - age);
    struct tm parts;
    gmtime_r(&then, &parts);
    strftime(date, DATE, "%Y-%m-%dT%H:%M:%SZ", &parts);
}

lu_status gather_merge(const gather *g, double base_price, lu_text *file, lu_error *error) {
    char date[DATE], price[40];
    oldest(g, date);
    snprintf(price, sizeof price, "%.17g", base_price);
    LU_TRY(ask_prices(g, NULL, g->from->dated ? NULL : date, price, file, error));
    if (!strstr(file->text, "\"date\":")) { /* no entry of a dated source has a time */
        LU_TRY(ask_prices(g, NULL, date, price, file, error));
    }
    return LU_OK;
}
