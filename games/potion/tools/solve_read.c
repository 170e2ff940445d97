/* What the solver is asked: a key of a case goes before the setting of the same name, and both are
 * read by the same code. See solve.h. */
#include "solve.h"

#include "potion_inventory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Where a wish comes from. */
typedef struct source {
    const lu_settings *settings;
    const char *name;           /* of the file */
    const lu_json_value *entry; /* the case, or NULL */
} source;

/* A sentence about a key of the case with file and line, or about a setting. */
static lu_status refuse(const source *from, const lu_json_value *value, const lu_error *inner,
                        lu_error *error) {
    if (value) {
        return lu_fail(error, LU_BAD_DATA, "%s:%u: %s", from->name, lu_json_line(value),
                       inner->text);
    }
    return lu_fail(error, LU_BAD_VALUE, "%s", inner->text);
}

/* ---- plain wishes ---- */

static lu_status wish_int(const source *from, const char *key, int64_t low, int64_t high,
                          int64_t *wish, lu_error *error) {
    const lu_json_value *value = lu_json_get(from->entry, key);
    lu_error inner;
    if (!value) {
        *wish = lu_settings_int(from->settings, key);
        return LU_OK;
    }
    return lu_json_get_int(from->entry, key, low, high, wish, &inner) == LU_OK
               ? LU_OK
               : refuse(from, value, &inner, error);
}

static lu_status wish_bool(const source *from, const char *key, bool *wish, lu_error *error) {
    const lu_json_value *value = lu_json_get(from->entry, key);
    lu_error inner;
    if (!value) {
        *wish = lu_settings_bool(from->settings, key);
        return LU_OK;
    }
    return lu_json_get_bool(from->entry, key, wish, &inner) == LU_OK
               ? LU_OK
               : refuse(from, value, &inner, error);
}

/* ---- words ---- */

/* 0: another word, 1: the text begins the name, 2: it is the name, whatever the case. */
static int same_word(const char *name, const char *text) {
    while (*text && (*name | 32) == (*text | 32)) {
        name++;
        text++;
    }
    return *text ? 0 : *name ? 1 : 2;
}

lu_status solve_read_name(const char *key, const char *text, const char *const *names, int count,
                          int *value, lu_error *error) {
    int begun = 0, begin[2] = {0};
    char *end;
    long number = strtol(text, &end, 10);
    if (*text && !*end && number >= 0 && number < count) {
        *value = (int)number;
        return LU_OK;
    }
    for (int k = 0; k < count; k++) {
        int same = *text ? same_word(names[k], text) : 0;
        if (same == 2) {
            *value = k;
            return LU_OK;
        }
        if (same == 1) {
            begin[begun > 0] = k;
            begun++;
        }
    }
    if (begun == 1) {
        *value = begin[0];
        return LU_OK;
    }
    if (begun > 1) {
        return lu_fail(error, LU_BAD_VALUE,
                       "%s '%.60s' could be several names, such as '%s' and '%s'", key, text,
                       names[begin[0]], names[begin[1]]);
    }
    const char *near = lu_nearest(text, names, (size_t)count);
    if (near) {
        return lu_fail(error, LU_BAD_VALUE, "%s '%.60s' is unknown; did you mean '%s'?", key, text,
                       near);
    }
    return lu_fail(error, LU_BAD_VALUE, "%s '%.60s' must be a number from 0 to %d or a name", key,
                   text, count - 1);
}

/* A number of a list, or a name, from the case or the settings. */
static lu_status wish_choice(const source *from, const char *key, const char *const *names,
                             int count, int *wish, lu_error *error) {
    const lu_json_value *value = lu_json_get(from->entry, key);
    lu_error inner;
    lu_status status;
    int64_t number;
    if (value && lu_json_kind_of(value) != LU_JSON_STRING) {
        status = lu_json_get_int(from->entry, key, 0, count - 1, &number, &inner);
        *wish = status == LU_OK ? (int)number : 0;
    } else {
        const char *text =
            value ? lu_json_text(value, NULL) : lu_settings_text_of(from->settings, key);
        status = solve_read_name(key, text, names, count, wish, &inner);
    }
    return status == LU_OK ? LU_OK : refuse(from, value, &inner, error);
}

/* The grade of "20", "Grand 2" or "Grand". */
static lu_status read_grade(const char *text, int32_t *grade, lu_error *error) {
    char word[32] = "", *end;
    long star = 0;
    size_t letters = strcspn(text, " ");
    snprintf(word, sizeof word, "%.*s", (int)(letters < 31 ? letters : 31), text);
    long number = strtol(text, &end, 10);
    if (*text && !*end && number >= 0 && number < POTION_GRADES) {
        *grade = (int32_t)number;
        return LU_OK;
    }
    if (text[letters]) {
        star = strtol(text + letters, &end, 10);
        star = *end || end == text + letters ? -1 : star;
    }
    for (int tier = 0; tier < POTION_TIERS && star >= 0 && star < POTION_STARS; tier++) {
        if (same_word(potion_tier_names[tier], word) == 2) {
            *grade = (int32_t)(tier * POTION_STARS + star);
            return LU_OK;
        }
    }
    return lu_fail(error, LU_BAD_VALUE,
                   "least_grade '%.60s' must be a number from 0 to %d or a tier with its stars, "
                   "like \"Greater 3\"",
                   text, POTION_GRADES - 1);
}

static lu_status wish_grade(const source *from, int32_t *grade, lu_error *error) {
    const lu_json_value *value = lu_json_get(from->entry, "least_grade");
    lu_error inner;
    lu_status status;
    int64_t number;
    if (value && lu_json_kind_of(value) != LU_JSON_STRING) {
        status = lu_json_get_int(from->entry, "least_grade", 0, POTION_GRADES - 1, &number, &inner);
        *grade = status == LU_OK ? (int32_t)number : 0;
    } else {
        const char *text =
            value ? lu_json_text(value, NULL) : lu_settings_text_of(from->settings, "least_grade");
        status = read_grade(text, grade, &inner);
    }
    return status == LU_OK ? LU_OK : refuse(from, value, &inner, error);
}

/* exact, perfect, very_stable, stable, unstable: the number of the task's stability. */
static lu_status wish_stability(const source *from, int32_t *stability, lu_error *error) {
    static const char *const names[] = {"exact", "perfect", "very_stable", "stable", "unstable"};
    const lu_json_value *value = lu_json_get(from->entry, "stability");
    int at = value ? -1 : lu_settings_enum(from->settings, "stability");
    for (int k = 0; k < 5 && lu_json_kind_of(value) == LU_JSON_STRING; k++) {
        at = same_word(names[k], lu_json_text(value, NULL)) == 2 ? k : at;
    }
    if (at < 0) {
        return lu_fail(error, LU_BAD_DATA,
                       "%s:%u: 'stability' must be one of exact, perfect, very_stable, stable, "
                       "unstable",
                       from->name, lu_json_line(value));
    }
    *stability = at == 0 ? 0 : POTION_CODES - at;
    return LU_OK;
}

/* ---- pieces ---- */

/* The action of a number or name in a list; 0 = neither. */
static int action_of(const lu_json_value *value) {
    double number = lu_json_real_or(value, 0.0);
    for (int i = 1; i <= POTION_INGREDIENTS; i++) {
        if (!(number < i) && !(number > i)) {
            return i;
        }
    }
    return lu_json_kind_of(value) == LU_JSON_STRING
               ? potion_ingredient_find(lu_json_text(value, NULL))
               : 0;
}

static lu_status close_listed(const lu_json_value *list, uint8_t *open, lu_error *error) {
    if (lu_json_kind_of(list) != LU_JSON_ARRAY) {
        return lu_fail(error, LU_BAD_VALUE, "forbid must be a list: [\"Fairy Flower Bulb\", 8]");
    }
    for (size_t k = 0; k < lu_json_count(list); k++) {
        int action = action_of(lu_json_at(list, k));
        open[action] = 0;
        if (action == 0) {
            const lu_json_value *entry = lu_json_at(list, k);
            bool named = lu_json_kind_of(entry) == LU_JSON_STRING;
            const char *name = named ? lu_json_text(entry, NULL) : "";
            const char *near = potion_inventory_near(name);
            return lu_fail(error, LU_BAD_VALUE,
                           near ? "entry %zu of forbid: '%.60s' isn't an ingredient; did you mean "
                                  "'%s'?"
                                : "entry %zu of forbid: '%.60s' isn't an ingredient; write its "
                                  "name as the game shows it",
                           k + 1, name, near);
        }
    }
    return LU_OK;
}

/* Names or numbers between commas as a JSON list. */
static void write_names(lu_json *json, const char *text) {
    lu_json_array(json);
    for (const char *at = text + strspn(text, " ,"); *at; at += strspn(at, " ,")) {
        size_t length = strcspn(at, ","), end = length;
        while (at[end - 1] == ' ') {
            end--;
        }
        if (strspn(at, "0123456789") == end && end < 9) {
            lu_json_int(json, strtol(at, NULL, 10));
        } else {
            lu_json_string_n(json, at, end);
        }
        at += length;
    }
    lu_json_array_end(json);
}

static lu_status wish_forbid(const source *from, uint8_t *open, lu_error *error) {
    const lu_json_value *value = lu_json_get(from->entry, "forbid");
    const char *text = lu_settings_text_of(from->settings, "forbid");
    lu_error inner;
    if (!value && !*text) {
        return LU_OK;
    }
    lu_json list = LU_JSON_INIT;
    if (*text && !strchr("[{", *text)) {
        write_names(&list, text);
        text = list.text;
    }
    lu_json_document *document = value ? NULL : lu_json_read("forbid", text, strlen(text), &inner);
    lu_status status = value || document
                           ? close_listed(value ? value : lu_json_root(document), open, &inner)
                           : LU_BAD_VALUE;
    lu_json_close(document);
    lu_json_free(&list);
    return status == LU_OK ? LU_OK : refuse(from, value, &inner, error);
}

/* A stock by word or object. */
static lu_status wish_pieces(const source *from, const char *key, uint8_t *pieces,
                             lu_error *error) {
    const lu_json_value *value = lu_json_get(from->entry, key);
    lu_error inner;
    lu_status status =
        value ? potion_stock_from(key, value, pieces, &inner)
              : potion_stock_read(key, lu_settings_text_of(from->settings, key), pieces, &inner);
    return status == LU_OK ? LU_OK : refuse(from, value, &inner, error);
}

/* Pieces by name only: no word stands for a stock that has to be in. */
static lu_status wish_must(const source *from, uint8_t *must, lu_error *error) {
    const lu_json_value *value = lu_json_get(from->entry, "must");
    if (value ? lu_json_kind_of(value) != LU_JSON_OBJECT
              : !strpbrk(lu_settings_text_of(from->settings, "must"), " {")) {
        lu_error inner;
        lu_fail(&inner, LU_BAD_VALUE,
                "'must' must be pieces with their ingredients, as in 2 Mandrake Root");
        return refuse(from, value, &inner, error);
    }
    return wish_pieces(from, "must", must, error);
}

/* ---- all of it ---- */

static void fill_stock(solve_asked *asked) {
    int end = asked->shop > 0 ? potion_chapter_end[asked->shop] : 0;
    for (int i = 1; i <= POTION_INGREDIENTS; i++) {
        asked->stock[i] = asked->open[i] ? asked->stock[i] : 0;
        int all = asked->stock[i] + (asked->open[i] && i <= end ? potion_ingredients[i].shop : 0);
        asked->task.stock[i] = (uint8_t)(all < UINT8_MAX ? all : UINT8_MAX);
        asked->task.owned[i] = asked->free ? asked->stock[i] : 0;
    }
}

static lu_status read_numbers(const source *from, solve_asked *asked, int64_t *chapter,
                              lu_error *error) {
    int64_t budget = 0;
    uint64_t bytes = (uint64_t)lu_settings_int(from->settings, "memory") << 20;
    asked->task.memory =
        bytes > SIZE_MAX ? SIZE_MAX : (size_t)bytes; /* in a page addresses end at 4 GB */
    lu_status status = wish_int(from, "budget", 0, 1000000, &budget, error);
    LU_THEN(status, wish_int(from, "chapter", 0, POTION_CHAPTERS, chapter, error));
    LU_THEN(status, wish_int(from, "shop", 0, POTION_CHAPTERS, &asked->shop, error));
    LU_THEN(status, wish_int(from, "top", 0, POTION_TOP_MOST, &asked->top, error));
    LU_THEN(status, wish_bool(from, "free", &asked->free, error));
    LU_THEN(status, wish_bool(from, "traits", &asked->traits, error));
    LU_THEN(status, wish_bool(from, "front", &asked->front, error));
    LU_THEN(status, wish_bool(from, "front_sizes", &asked->front_sizes, error));
    LU_THEN(status, wish_bool(from, "prove", &asked->prove, error));
    asked->task.budget = (int32_t)budget;
    asked->traits = asked->traits || lu_json_get(from->entry, "best_traits");
    return status;
}

/* `stock` is what an inventory has, or NULL. */
static lu_status read_all(const source *from, const uint8_t *stock, solve_asked *asked,
                          lu_error *error) {
    int64_t chapter = 0;
    memset(asked, 0, sizeof *asked);
    lu_status status =
        wish_choice(from, "recipe", potion_recipe_names, POTION_RECIPES, &asked->recipe, error);
    LU_THEN(status, wish_choice(from, "cauldron", potion_cauldron_names, POTION_CAULDRONS,
                                &asked->cauldron, error));
    if (status != LU_OK) {
        return status;
    }
    asked->task = potion_task_of(asked->recipe, asked->cauldron);
    if (stock) {
        memcpy(asked->stock, stock, sizeof asked->stock);
    } else {
        status = wish_pieces(from, "stock", asked->stock, error);
    }
    LU_THEN(status, read_numbers(from, asked, &chapter, error));
    for (int i = 1; i <= POTION_INGREDIENTS; i++) {
        asked->open[i] = chapter == 0 || i <= potion_chapter_end[chapter];
    }
    LU_THEN(status, wish_forbid(from, asked->open, error));
    if (status == LU_OK &&
        (lu_json_get(from->entry, "must") || *lu_settings_text_of(from->settings, "must"))) {
        status = wish_must(from, asked->task.must, error);
    }
    LU_THEN(status, wish_grade(from, &asked->task.least_grade, error));
    LU_THEN(status, wish_stability(from, &asked->task.stability, error));
    if (status == LU_OK) {
        fill_stock(asked);
    }
    return status;
}

lu_status solve_read_settings(const lu_settings *settings, const uint8_t *stock, solve_asked *asked,
                              lu_error *error) {
    source from = {.settings = settings};
    if (!lu_settings_is_set(settings, "recipe") || !lu_settings_is_set(settings, "cauldron")) {
        return lu_fail(error, LU_USAGE,
                       "potion solve needs a file of cases, or a recipe and a cauldron");
    }
    return read_all(&from, stock, asked, error);
}

/* Other keys are the case's own business, but one that is nearly a wish was meant as one; not so
 * recipe_id and its like. */
static lu_status check_keys(const char *name, const lu_json_value *entry, lu_error *error) {
    static const char *const known[] = {
        "recipe",    "cauldron", "stock",       "forbid",     "must",       "budget", "least_grade",
        "stability", "chapter",  "shop",        "free",       "traits",     "front",  "front_sizes",
        "top",       "prove",    "best_traits", "best_total", "best_profit"};
    for (size_t k = 0; k < lu_json_count(entry); k++) {
        const char *key;
        const lu_json_value *value = lu_json_member(entry, k, &key);
        const char *near = lu_nearest(key, known, sizeof known / sizeof *known);
        size_t length = near ? strlen(near) : 0;
        bool begins = near && strncmp(key, near, length) == 0;
        if (near && !(begins && (key[length] == '\0' || key[length] == '_'))) {
            return lu_fail(error, LU_BAD_DATA, "%s:%u: key '%.60s' is unknown; did you mean '%s'?",
                           name, lu_json_line(value), key, near);
        }
    }
    return LU_OK;
}

lu_status solve_read_case(const lu_settings *settings, const char *name, const lu_json_value *entry,
                          solve_asked *asked, lu_error *error) {
    static const char *const needed[] = {"recipe", "cauldron", "stock"};
    source from = {settings, name, entry};
    if (lu_json_kind_of(entry) != LU_JSON_OBJECT) {
        return lu_fail(error, LU_BAD_DATA, "%s:%u: a case must be an object", name,
                       lu_json_line(entry));
    }
    LU_TRY(check_keys(name, entry, error));
    for (int k = 0; k < 3; k++) {
        if (!lu_json_get(entry, needed[k])) {
            return lu_fail(error, LU_BAD_DATA, "%s:%u: the case has no '%s'", name,
                           lu_json_line(entry), needed[k]);
        }
    }
    return read_all(&from, NULL, asked, error);
}
