/* Reads price files: which form a file has is told by its members. */
#include "craft_price_file.h"

#include "ludus/error.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MARKETS = 100000 }; /* pairs of all leagues in a digest */
#define MOST 1e12          /* exalted, and pieces traded: no market is larger */

typedef struct reader {
    craft_price_list *list;
    const craft_pack *pack;
    const char *name; /* of the file */
    const char *league;
    lu_error *error;
} reader;

/* Short names of the trade site; all others are the name of the item with dashes. */
static const struct {
    const char *trade, *item;
} trade_names[] = {
    {"transmute", "orb_of_transmutation"},
    {"aug", "orb_of_augmentation"},
    {"regal", "regal_orb"},
    {"alch", "orb_of_alchemy"},
    {"exalted", "exalted_orb"},
    {"chaos", "chaos_orb"},
    {"annul", "orb_of_annulment"},
    {"divine", "divine_orb"},
    {"vaal", "vaal_orb"},
    {"chance", "orb_of_chance"},
    {"mirror", "mirror_of_kalandra"},
    {"artificers", "artificers_orb"},
    {"scrap", "armourers_scrap"},
    {"whetstone", "blacksmiths_whetstone"},
    {"etcher", "arcanists_etcher"},
};

/* ---- names ---- */

static bool is_word(char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
}

/* Bytes of an apostrophe, straight or curved, which ids leave out; 0: none here. */
static size_t apostrophe(const char *at) {
    return *at == '\'' ? 1 : strncmp(at, "\xe2\x80\x99", 3) == 0 ? 3 : 0;
}

/* The id of a name: "Hinekora's Lock" is hinekoras_lock. False: it has no letters or too many. */
static bool id_of(const char *name, char id[CRAFT_PRICE_NAME]) {
    size_t length = 0;
    for (const char *at = name; *at; at++) {
        char c = *at >= 'A' && *at <= 'Z' ? (char)(*at + 32) : *at;
        size_t quote = apostrophe(at);
        if (length + 2 > CRAFT_PRICE_NAME) {
            return false;
        }
        if (quote > 0) {
            at += quote - 1;
        } else if (is_word(c)) {
            id[length++] = c;
        } else if (length > 0 && id[length - 1] != '_') {
            id[length++] = '_';
        }
    }
    while (length > 0 && id[length - 1] == '_') {
        length--;
    }
    id[length] = '\0';
    return length > 0;
}

static bool id_of_trade(const char *trade, char id[CRAFT_PRICE_NAME]) {
    for (size_t k = 0; k < sizeof trade_names / sizeof *trade_names; k++) {
        if (strcmp(trade_names[k].trade, trade) == 0) {
            snprintf(id, CRAFT_PRICE_NAME, "%s", trade_names[k].item);
            return true;
        }
    }
    return id_of(trade, id);
}

bool craft_price_known(const craft_pack *pack, const char *item) {
    return strcmp(item, "white_base") == 0 || strcmp(item, "bench") == 0 ||
           craft_currency_find(pack, item) >= 0 || craft_omen_find(pack, item) >= 0 ||
           craft_essence_find(pack, item) >= 0 || craft_bone_find(pack, item) >= 0 ||
           craft_catalyst_find(pack, item) >= 0;
}

/* ---- the list ---- */

void craft_price_list_free(craft_price_list *list) {
    free(list->row);
    memset(list, 0, sizeof *list);
}

static craft_price_row *find(const craft_price_list *list, const char *item) {
    for (int k = 0; k < list->rows; k++) {
        if (strcmp(list->row[k].item, item) == 0) {
            return &list->row[k];
        }
    }
    return NULL;
}

const craft_price_row *craft_price_row_of(const craft_price_list *list, const char *item) {
    return find(list, item);
}

/* The row of an item, new or as it is; NULL: there are too many. */
static craft_price_row *row_for(craft_price_list *list, const craft_pack *pack, const char *item) {
    craft_price_row *row = find(list, item);
    if (row || list->rows == CRAFT_PRICE_ROWS) {
        return row;
    }
    if (list->rows == list->room) {
        int room = list->room ? 2 * list->room : 256;
        craft_price_row *rows = lu_alloc_zero((size_t)room, sizeof *rows);
        if (list->rows > 0) {
            memcpy(rows, list->row, (size_t)list->rows * sizeof *rows);
        }
        free(list->row);
        list->row = rows;
        list->room = room;
    }
    row = &list->row[list->rows++];
    snprintf(row->item, sizeof row->item, "%s", item);
    row->known = craft_price_known(pack, item);
    row->exalted = row->volume = -1.0;
    return row;
}

static lu_status add(const reader *r, const char *item, double exalted, double volume) {
    craft_price_row *row = row_for(r->list, r->pack, item);
    if (!row) {
        return lu_fail(r->error, LU_BAD_DATA, "%s: more than %d items; use fewer", r->name,
                       CRAFT_PRICE_ROWS);
    }
    row->exalted = exalted > 0.0 || strcmp(item, "white_base") == 0 ? exalted : -1.0;
    row->exalted = isfinite(row->exalted) && row->exalted <= MOST ? row->exalted : -1.0;
    row->volume = isfinite(volume) && volume >= 0.0 ? volume : -1.0;
    return LU_OK;
}

/* Files of several dates are as old as the oldest of them. */
static void take_date(craft_price_list *list, const char *date) {
    double seconds, before;
    if (craft_date_read(date, &seconds) &&
        (!craft_date_read(list->date, &before) || seconds < before)) {
        snprintf(list->date, sizeof list->date, "%s", date);
    }
}

static const char *text_or(const lu_json_value *object, const char *key, const char *other) {
    const lu_json_value *value = lu_json_get(object, key);
    return lu_json_kind_of(value) == LU_JSON_STRING ? lu_json_text(value, NULL) : other;
}

static double number_or(const lu_json_value *object, const char *key, double other) {
    double value = lu_json_real_or(lu_json_get(object, key), other);
    return isfinite(value) && fabs(value) <= MOST ? value : other;
}

bool craft_date_read(const char *text, double *seconds) {
    int year, month, day, hour = 0, minute = 0, used = 0;
    if (sscanf(text, "%4d-%2d-%2d%n", &year, &month, &day, &used) != 3 || used != 10 ||
        year < 1970 || month < 1 || month > 12 || day < 1 || day > 31) {
        return false;
    }
    if ((text[used] == 'T' || text[used] == ' ') &&
        (sscanf(text + used + 1, "%2d:%2d", &hour, &minute) != 2 || hour < 0 || hour > 23 ||
         minute < 0 || minute > 59)) {
        return false;
    }
    /* days by years that begin in March, so that the leap day is the last one */
    int64_t y = month <= 2 ? year - 1 : year, m = (month + 9) % 12;
    int64_t days = 365 * y + y / 4 - y / 100 + y / 400 + (153 * m + 2) / 5 + day - 1 - 719468;
    *seconds = (double)days * 86400.0 + hour * 3600.0 + minute * 60.0;
    return true;
}

/* Lists are searched from end to end: their lengths are bounded, whatever a file has. */
static lu_status few(const reader *r, const lu_json_value *list, const char *what, size_t most) {
    return lu_json_count(list) <= most
               ? LU_OK
               : lu_fail(r->error, LU_BAD_DATA, "%s: '%s' has %zu entries, more than %zu", r->name,
                         what, lu_json_count(list), most);
}

/* ---- static: {"unit","date","rates","prices","volumes"} ---- */

static lu_status read_unit(const reader *r, const lu_json_value *root, double *rate) {
    const char *unit = text_or(root, "unit", "exalted");
    *rate = strcmp(unit, "exalted") == 0 ? 1.0 : number_or(lu_json_get(root, "rates"), unit, 0.0);
    if (!(*rate > 0.0)) {
        return lu_fail(r->error, LU_BAD_DATA,
                       "%s: 'rates' does not say how many exalted orbs one '%.40s' is", r->name,
                       unit);
    }
    return LU_OK;
}

static lu_status read_static(const reader *r, const lu_json_value *root) {
    const lu_json_value *prices = lu_json_get(root, "prices");
    const lu_json_value *volumes = lu_json_get(root, "volumes");
    const lu_json_value *rates = lu_json_get(root, "rates");
    double rate;
    LU_TRY(few(r, prices, "prices", CRAFT_PRICE_ROWS));
    LU_TRY(few(r, volumes, "volumes", CRAFT_PRICE_ROWS));
    LU_TRY(read_unit(r, root, &rate));
    for (size_t k = 0; k < lu_json_count(prices); k++) {
        const char *key;
        const lu_json_value *value = lu_json_member(prices, k, &key);
        double price = lu_json_real_or(value, -1.0);
        char id[CRAFT_PRICE_NAME];
        bool none = lu_json_kind_of(value) == LU_JSON_NULL;
        if (!none && !(price >= 0.0 && price <= MOST)) {
            return lu_fail(r->error, LU_BAD_DATA,
                           "%s:%u: the price of '%.60s' must be a number of 0 or more, or null",
                           r->name, lu_json_line(value), key);
        }
        if (!id_of(key, id)) {
            return lu_fail(r->error, LU_BAD_DATA, "%s:%u: '%.60s' names no item", r->name,
                           lu_json_line(value), key);
        }
        LU_TRY(add(r, id, none ? -1.0 : price * rate, number_or(volumes, key, -1.0)));
    }
    r->list->divine = number_or(rates, "divine", r->list->divine);
    r->list->chaos = number_or(rates, "chaos", r->list->chaos);
    snprintf(r->list->league, sizeof r->list->league, "%s",
             text_or(root, "league", r->list->league));
    snprintf(r->list->source, sizeof r->list->source, "%s", text_or(root, "source", "static file"));
    take_date(r->list, text_or(root, "date", ""));
    return LU_OK;
}

/* ---- poe.ninja: {"core","lines","items"} ---- */

/* Value of an id in the primary currency: its line, or by the rates; 0: not told. */
static double ninja_value(const lu_json_value *root, const char *id) {
    const lu_json_value *core = lu_json_get(root, "core"), *lines = lu_json_get(root, "lines");
    for (size_t k = 0; k < lu_json_count(lines); k++) {
        const lu_json_value *line = lu_json_at(lines, k);
        if (strcmp(text_or(line, "id", ""), id) == 0) {
            return number_or(line, "primaryValue", 0.0);
        }
    }
    if (strcmp(text_or(core, "primary", ""), id) == 0) {
        return 1.0;
    }
    double rate = number_or(lu_json_get(core, "rates"), id, 0.0);
    return rate > 0.0 ? 1.0 / rate : 0.0;
}

/* Name of an id, joined with the items of the answer; without it the id itself. */
static bool ninja_item(const lu_json_value *root, const char *id, char item[CRAFT_PRICE_NAME]) {
    const lu_json_value *lists[2] = {lu_json_get(root, "items"),
                                     lu_json_get(lu_json_get(root, "core"), "items")};
    for (int n = 0; n < 2; n++) {
        for (size_t k = 0; k < lu_json_count(lists[n]); k++) {
            const lu_json_value *entry = lu_json_at(lists[n], k);
            if (strcmp(text_or(entry, "id", ""), id) == 0) {
                return id_of(text_or(entry, "name", id), item);
            }
        }
    }
    return id_of_trade(id, item);
}

static lu_status read_ninja(const reader *r, const lu_json_value *root) {
    const lu_json_value *lines = lu_json_get(root, "lines"), *core = lu_json_get(root, "core");
    LU_TRY(few(r, lines, "lines", CRAFT_PRICE_ROWS));
    LU_TRY(few(r, lu_json_get(root, "items"), "items", CRAFT_PRICE_ROWS));
    LU_TRY(few(r, lu_json_get(core, "items"), "core.items", CRAFT_PRICE_ROWS));
    double exalted = ninja_value(root, "exalted"), divine = ninja_value(root, "divine");
    if (!(exalted > 0.0)) {
        return lu_fail(r->error, LU_BAD_DATA,
                       "%s: neither 'lines' nor 'core.rates' says what an exalted orb is worth",
                       r->name);
    }
    for (size_t k = 0; k < lu_json_count(lines); k++) {
        const lu_json_value *line = lu_json_at(lines, k);
        const char *id = text_or(line, "id", "");
        double volume = number_or(line, "volumePrimaryValue", -1.0);
        char item[CRAFT_PRICE_NAME];
        if (!ninja_item(root, id, item)) {
            return lu_fail(r->error, LU_BAD_DATA, "%s:%u: line %zu has no 'id' of an item", r->name,
                           lu_json_line(line), k);
        }
        LU_TRY(add(r, item, number_or(line, "primaryValue", -1.0) / exalted,
                   divine > 0.0 && volume >= 0.0 ? volume / divine : -1.0));
    }
    double chaos = ninja_value(root, "chaos");
    r->list->divine = divine > 0.0 ? divine / exalted : r->list->divine;
    r->list->chaos = chaos > 0.0 ? chaos / exalted : r->list->chaos;
    snprintf(r->list->source, sizeof r->list->source, "poe.ninja");
    return LU_OK;
}

/* ---- poe2scout: {"Items":[...]} or the list alone; leagues are a list of their own ---- */

static lu_status read_leagues(const reader *r, const lu_json_value *list) {
    const lu_json_value *chosen = NULL;
    int current = 0;
    for (size_t k = 0; k < lu_json_count(list); k++) {
        const lu_json_value *league = lu_json_at(list, k);
        bool wanted = *r->league
                          ? strcmp(text_or(league, "Value", ""), r->league) == 0
                          : lu_json_kind_of(lu_json_get(league, "IsCurrent")) == LU_JSON_TRUE;
        chosen = wanted ? league : chosen;
        current += wanted;
    }
    if (current != 1) {
        return lu_fail(r->error, LU_BAD_DATA,
                       *r->league ? "%s: %d leagues have the name '%.60s'; choose another --league"
                                  : "%s: %d leagues are current; choose one with --league",
                       r->name, current, r->league);
    }
    const char *base = text_or(chosen, "BaseCurrencyApiId", "exalted");
    double divine = number_or(chosen, "DivinePrice", 0.0);
    double chaos = number_or(chosen, "ChaosDivinePrice", 0.0); /* chaos of one divine */
    if (strcmp(base, "exalted") != 0) {
        return lu_fail(r->error, LU_BAD_DATA, "%s: prices are in '%.40s' and not in exalted",
                       r->name, base);
    }
    r->list->divine = divine > 0.0 ? divine : r->list->divine;
    r->list->chaos = divine > 0.0 && chaos > 0.0 ? divine / chaos : r->list->chaos;
    snprintf(r->list->league, sizeof r->list->league, "%s", text_or(chosen, "Value", ""));
    return LU_OK;
}

/* The newest entry of a log that is there. */
static const char *log_time(const lu_json_value *item) {
    const lu_json_value *log = lu_json_get(item, "PriceLogs");
    const char *newest = "";
    for (size_t k = 0; k < lu_json_count(log); k++) {
        const char *at = text_or(lu_json_at(log, k), "Time", "");
        newest = strcmp(at, newest) > 0 ? at : newest;
    }
    return newest;
}

static lu_status read_scout(const reader *r, const lu_json_value *list) {
    const char *newest = "";
    LU_TRY(few(r, list, "Items", CRAFT_PRICE_ROWS));
    for (size_t k = 0; k < lu_json_count(list); k++) {
        const lu_json_value *entry = lu_json_at(list, k);
        const char *time = log_time(entry);
        char item[CRAFT_PRICE_NAME];
        double price = number_or(entry, "CurrentPrice", -1.0);
        double pieces = number_or(entry, "CurrentQuantity", -1.0);
        if (!id_of(text_or(entry, "Text", ""), item) &&
            !id_of_trade(text_or(entry, "ApiId", ""), item)) {
            return lu_fail(r->error, LU_BAD_DATA, "%s:%u: entry %zu has no 'Text' of an item",
                           r->name, lu_json_line(entry), k);
        }
        bool told = price > 0.0 && pieces >= 0.0 && r->list->divine > 0.0;
        LU_TRY(add(r, item, price, told ? pieces * price / r->list->divine : -1.0));
        if (strcmp(item, "divine_orb") == 0 && price > 0.0 && !(r->list->divine > 0.0)) {
            r->list->divine = price;
        }
        newest = strcmp(time, newest) > 0 ? time : newest;
    }
    take_date(r->list, newest);
    snprintf(r->list->source, sizeof r->list->source, "poe2scout");
    return LU_OK;
}

/* ---- digests of the trade exchange: {"next_change_id","markets":[...]} ---- */

/* The two sides of a market "a|b". */
static bool market_sides(const lu_json_value *market, char side[2][CRAFT_PRICE_NAME]) {
    const char *id = text_or(market, "market_id", ""), *bar = strchr(id, '|');
    if (!bar || bar - id >= CRAFT_PRICE_NAME || strlen(bar + 1) >= CRAFT_PRICE_NAME) {
        return false;
    }
    memcpy(side[0], id, (size_t)(bar - id));
    side[0][bar - id] = '\0';
    snprintf(side[1], CRAFT_PRICE_NAME, "%s", bar + 1);
    return true;
}

/* Adds prices of what is traded for one currency, itself worth `rate`: markets of more volume go
 * before those that are already read. */
static lu_status read_markets(const reader *r, const lu_json_value *markets, const char *against,
                              double rate) {
    for (size_t k = 0; k < lu_json_count(markets); k++) {
        const lu_json_value *market = lu_json_at(markets, k);
        const lu_json_value *traded = lu_json_get(market, "volume_traded");
        char side[2][CRAFT_PRICE_NAME], item[CRAFT_PRICE_NAME];
        if (!market_sides(market, side)) {
            return lu_fail(r->error, LU_BAD_DATA, "%s:%u: market %zu has no 'market_id' of a|b",
                           r->name, lu_json_line(market), k);
        }
        int other = strcmp(side[0], against) == 0 ? 1 : strcmp(side[1], against) == 0 ? 0 : -1;
        if (other < 0 || (*r->league && strcmp(text_or(market, "league", ""), r->league) != 0)) {
            continue;
        }
        double pieces = number_or(traded, side[other], 0.0);
        double paid = number_or(traded, against, 0.0) * rate;
        const craft_price_row *row;
        if (!id_of_trade(side[other], item) || !(pieces > 0.0) || !(paid > 0.0)) {
            continue;
        }
        row = find(r->list, item);
        double volume = r->list->divine > 0.0 ? paid / r->list->divine : -1.0;
        if (!row || row->exalted < 0.0 || volume > row->volume) {
            LU_TRY(add(r, item, paid / pieces, volume));
        }
    }
    return LU_OK;
}

/* All markets must be of one league, or one must be named. */
static lu_status check_leagues(const reader *r, const lu_json_value *markets) {
    const char *first = text_or(lu_json_at(markets, 0), "league", "");
    bool found = false;
    for (size_t k = 0; k < lu_json_count(markets); k++) {
        const char *league = text_or(lu_json_at(markets, k), "league", "");
        found = found || strcmp(league, *r->league ? r->league : first) == 0;
        if (!*r->league && strcmp(league, first) != 0) {
            return lu_fail(r->error, LU_BAD_DATA,
                           "%s: it has the leagues '%.40s' and '%.40s'; choose one with --league",
                           r->name, first, league);
        }
    }
    if (!found) {
        return lu_fail(r->error, LU_BAD_DATA, "%s: it has no market for the league '%.60s'",
                       r->name, r->league);
    }
    snprintf(r->list->league, sizeof r->list->league, "%s", *r->league ? r->league : first);
    return LU_OK;
}

static void hour_text(double seconds, char text[40]) {
    int64_t days = (int64_t)(seconds / 86400.0), left = (int64_t)seconds - days * 86400;
    /* the same count of days as in craft_date_read, backwards */
    int64_t z = days + 719468, era = z / 146097, doe = z - era * 146097;
    int64_t yoe = (doe - doe / 1460 + doe / 36524 - doe / 146096) / 365;
    int64_t doy = doe - (365 * yoe + yoe / 4 - yoe / 100), mp = (5 * doy + 2) / 153;
    int month = (int)(mp < 10 ? mp + 3 : mp - 9);
    snprintf(text, 40, "%04d-%02d-%02dT%02d:%02dZ", (int)(yoe + era * 400 + (month <= 2)), month,
             (int)(doy - (153 * mp + 2) / 5 + 1), (int)(left / 3600), (int)(left / 60 % 60));
}

static lu_status read_digest(const reader *r, const lu_json_value *root) {
    const lu_json_value *markets = lu_json_get(root, "markets");
    double hour = number_or(root, "next_change_id", 0.0);
    LU_TRY(few(r, markets, "markets", MARKETS));
    LU_TRY(check_leagues(r, markets));
    LU_TRY(add(r, "exalted_orb", 1.0, -1.0));
    LU_TRY(read_markets(r, markets, "exalted", 1.0));
    const char *coins[2] = {"divine", "chaos"};
    double *rates[2] = {&r->list->divine, &r->list->chaos};
    for (int k = 0; k < 2; k++) {
        const craft_price_row *row = find(r->list, k == 0 ? "divine_orb" : "chaos_orb");
        *rates[k] = row && row->exalted > 0.0 ? row->exalted : *rates[k];
        if (*rates[k] > 0.0) {
            LU_TRY(read_markets(r, markets, coins[k], *rates[k]));
        }
    }
    if (hour > 0.0 && hour < 1e11) {
        char text[40];
        hour_text(hour, text);
        take_date(r->list, text);
    }
    snprintf(r->list->source, sizeof r->list->source, "trade exchange");
    return LU_OK;
}

/* ---- any ---- */

static lu_status read_root(const reader *r, const lu_json_value *root) {
    bool object = lu_json_kind_of(root) == LU_JSON_OBJECT;
    const lu_json_value *items = object ? lu_json_get(root, "Items") : root;
    const lu_json_value *first = lu_json_at(items, 0);
    if (object && lu_json_kind_of(lu_json_get(root, "prices")) == LU_JSON_OBJECT) {
        return read_static(r, root);
    }
    if (object && lu_json_kind_of(lu_json_get(root, "lines")) == LU_JSON_ARRAY) {
        return read_ninja(r, root);
    }
    if (object && lu_json_kind_of(lu_json_get(root, "markets")) == LU_JSON_ARRAY) {
        return read_digest(r, root);
    }
    if (lu_json_kind_of(items) == LU_JSON_ARRAY && lu_json_get(first, "DivinePrice")) {
        return read_leagues(r, items);
    }
    if (lu_json_kind_of(items) == LU_JSON_ARRAY && lu_json_get(first, "ApiId")) {
        return read_scout(r, items);
    }
    return lu_fail(r->error, LU_BAD_DATA,
                   "%s: not a price file: it has neither 'prices' (static), 'lines' (poe.ninja), "
                   "'Items' with 'ApiId' (poe2scout) nor 'markets' (trade exchange)",
                   r->name);
}

lu_status craft_price_list_read(craft_price_list *list, const craft_pack *pack, const char *name,
                                const char *text, size_t length, const char *league,
                                lu_error *error) {
    reader r = {list, pack, name, league, error};
    lu_json_document *document = lu_json_read(name, text, length, error);
    if (!document) {
        return LU_BAD_DATA;
    }
    lu_status status = read_root(&r, lu_json_root(document));
    lu_json_close(document);
    return status;
}

void craft_price_list_set(craft_price_list *list, const craft_pack *pack, const char *item,
                          double exalted) {
    craft_price_row *row = row_for(list, pack, item);
    if (row) {
        row->exalted = exalted;
    }
}

void craft_price_list_own(craft_price_list *list, const craft_pack *pack) {
    for (int k = 0; k < pack->price_count; k++) {
        craft_price_row *row = row_for(list, pack, pack->prices[k].item);
        if (row) {
            row->exalted = pack->prices[k].exalted;
            row->volume = pack->prices[k].volume;
        }
    }
    double divine = craft_price_of(pack, "divine_orb"), chaos = craft_price_of(pack, "chaos_orb");
    list->divine = divine > 0.0 ? divine : 0.0;
    list->chaos = chaos > 0.0 ? chaos : 0.0;
    snprintf(list->source, sizeof list->source, "%s", pack->about.name);
    take_date(list, pack->price_date);
}
