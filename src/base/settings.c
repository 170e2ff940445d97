/* The settings object: entries in the order of their tables, an index sorted by key, and the rules
 * of precedence. Reading is a binary search and no allocation; a key or type that no table declares
 * is a mistake of the program and stops it. */
#include "settings_internal.h"
#include "utf8.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

lu_settings *lu_settings_new(void) {
    return lu_alloc_zero(1, sizeof(lu_settings));
}

static void clear_values(lu_entry *entry) {
    for (size_t i = 0; i < entry->count; i++) {
        lu_value_free(&entry->values[i]);
    }
    entry->count = 0;
}

void lu_settings_delete(lu_settings *settings) {
    if (!settings) {
        return;
    }
    for (size_t i = 0; i < settings->count; i++) {
        clear_values(&settings->entries[i]);
        free(settings->entries[i].values);
        free(settings->entries[i].where);
        free(settings->entries[i].own);
    }
    for (size_t i = 0; i < settings->alias_count; i++) {
        free(settings->aliases[i].own);
    }
    free(settings->entries);
    free(settings->order);
    free(settings->aliases);
    free(settings);
}

void lu_settings_read_files(lu_settings *settings) {
    settings->reads = true;
}

void lu_settings_file_names(lu_settings *settings, const char *const *sections, bool loose) {
    settings->sections = sections;
    settings->loose = loose;
}

/* Place of `key` in the order: the first entry that is not before it. */
static size_t lower_bound(const lu_settings *settings, const char *key) {
    size_t low = 0, high = settings->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (strcmp(settings->entries[settings->order[middle]].row->key, key) < 0) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

static lu_entry *find_key(const lu_settings *settings, const char *key) {
    size_t place = lower_bound(settings, key);
    if (place < settings->count) {
        lu_entry *entry = &settings->entries[settings->order[place]];
        if (strcmp(entry->row->key, key) == 0) {
            return entry;
        }
    }
    return NULL;
}

lu_entry *lu_settings_find(const lu_settings *settings, const char *key, const char **alias) {
    lu_entry *entry = find_key(settings, key);
    const char *other = NULL;
    for (size_t i = 0; i < settings->alias_count && !entry; i++) {
        const lu_setting *row = settings->aliases[i].row;
        if (strcmp(row->key, key) == 0) {
            entry = find_key(settings, row->initial);
            other = row->key;
        }
    }
    if (alias) {
        *alias = other;
    }
    return entry;
}

const char *lu_alias_text(const lu_settings *settings, const char *alias, const char *text,
                          char room[LU_ALIAS_TEXT]) {
    static const char *const words[] = {"true", "false", "yes", "no", "on", "off", "1", "0"};
    const char *choices = NULL;
    for (size_t i = 0; i < settings->alias_count && alias; i++) {
        const lu_setting *row = settings->aliases[i].row;
        choices = strcmp(row->key, alias) == 0 ? row->choices : choices;
    }
    for (size_t i = 0; choices && i < sizeof words / sizeof *words; i++) {
        if (strcmp(text, words[i]) == 0) {
            const char *no = strchr(choices, '|') + 1;
            snprintf(room, LU_ALIAS_TEXT, "%.*s", i % 2 ? (int)strlen(no) : (int)(no - choices) - 1,
                     i % 2 ? no : choices);
            return room;
        }
    }
    return text;
}

static void append_value(lu_entry *entry, const lu_value *value) {
    if (entry->count == entry->room) {
        entry->room = entry->room ? entry->room * 2 : 1;
        entry->values = lu_realloc(entry->values, entry->room * sizeof *entry->values);
    }
    entry->values[entry->count++] = *value;
}

static void add_alias(lu_settings *settings, const lu_setting *row, void *own) {
    size_t count = settings->alias_count++;
    settings->aliases =
        lu_realloc(settings->aliases, settings->alias_count * sizeof *settings->aliases);
    settings->aliases[count] = (lu_alias){row, own};
}

/* Adds a row; `own` is the block it lies in when the object is to free it, else NULL. */
static void add_row(lu_settings *settings, const lu_setting *row, const char *module, void *own) {
    LU_ASSERT(!find_key(settings, row->key) && "two tables with the same key");
    if (row->type == LU_ALIAS) {
        add_alias(settings, row, own);
        return;
    }
    if (settings->count == settings->room) {
        settings->room = settings->room ? settings->room * 2 : 64;
        settings->entries =
            lu_realloc(settings->entries, settings->room * sizeof *settings->entries);
        settings->order = lu_realloc(settings->order, settings->room * sizeof *settings->order);
    }
    size_t place = lower_bound(settings, row->key);
    memmove(settings->order + place + 1, settings->order + place,
            (settings->count - place) * sizeof *settings->order);
    settings->order[place] = settings->count;
    lu_entry *entry = &settings->entries[settings->count++];
    *entry = (lu_entry){.row = row, .module = module, .own = own, .where = lu_strdup("default")};
    lu_value value;
    lu_status status = lu_value_read(row, row->initial, false, "default", &value, NULL);
    LU_ASSERT(status == LU_OK && "the default of a setting is not a value of its type and range");
    if (row->repeat && !*row->initial) {
        lu_value_free(&value);
    } else {
        append_value(entry, &value);
    }
}

void lu_settings_add(lu_settings *settings, lu_table table) {
    for (int i = 0; i < table.count; i++) {
        add_row(settings, &table.rows[i], table.module, NULL);
    }
}

/* Adds a copy of a row: one block holds the row and, behind it, every text it points at. */
static void add_row_copy(lu_settings *settings, const lu_setting *row, const char *module) {
    const char *texts[] = {row->key, row->initial, row->choices, row->sentence, module};
    enum { TEXTS = sizeof texts / sizeof *texts };
    size_t bytes = sizeof(lu_setting);
    for (int i = 0; i < TEXTS; i++) {
        bytes += texts[i] ? strlen(texts[i]) + 1 : 0;
    }
    lu_setting *own = lu_alloc(bytes);
    char *put = (char *)(own + 1);
    for (int i = 0; i < TEXTS; i++) {
        size_t length = texts[i] ? strlen(texts[i]) + 1 : 0;
        texts[i] = texts[i] ? memcpy(put, texts[i], length) : NULL;
        put += length;
    }
    *own = *row;
    own->key = texts[0];
    own->initial = texts[1];
    own->choices = texts[2];
    own->sentence = texts[3];
    add_row(settings, own, texts[4], own);
}

void lu_settings_add_copy(lu_settings *settings, lu_table table) {
    for (int i = 0; i < table.count; i++) {
        add_row_copy(settings, &table.rows[i], table.module);
    }
}

/* Adds a row of another object, as a copy where that had one. */
static void add_row_of(lu_settings *settings, const lu_setting *row, const char *module,
                       const void *own) {
    if (own) {
        add_row_copy(settings, row, module);
    } else {
        add_row(settings, row, module, NULL);
    }
}

lu_settings *lu_settings_blank(const lu_settings *settings) {
    lu_settings *copy = lu_settings_new();
    copy->reads = settings->reads;
    copy->sections = settings->sections;
    copy->loose = settings->loose;
    for (size_t i = 0; i < settings->alias_count; i++) {
        add_row_of(copy, settings->aliases[i].row, "", settings->aliases[i].own);
    }
    for (size_t i = 0; i < settings->count; i++) {
        const lu_entry *from = &settings->entries[i];
        add_row_of(copy, from->row, from->module, from->own);
    }
    return copy;
}

lu_settings *lu_settings_copy(const lu_settings *settings) {
    lu_settings *copy = lu_settings_blank(settings);
    for (size_t i = 0; i < settings->count; i++) {
        const lu_entry *from = &settings->entries[i];
        lu_entry *to = &copy->entries[i];
        clear_values(to);
        for (size_t v = 0; v < from->count; v++) {
            lu_value value = lu_value_copy(from->row, &from->values[v]);
            append_value(to, &value);
        }
        const char *alias = NULL;
        if (from->alias) {
            lu_settings_find(copy, from->alias, &alias);
        }
        to->alias = alias;
        to->origin = from->origin;
        to->given = from->given;
        free(to->where);
        to->where = lu_strdup(from->where);
    }
    return copy;
}

/* ---- setting ---- */

/* Fails when a command line gives a setting under two of its names. */
static lu_status check_name(const lu_entry *entry, const char *alias, lu_origin origin,
                            const char *where, lu_error *error) {
    char shown[LU_SHOW], place[LU_SHOW];
    if (origin != LU_FROM_FLAG || entry->origin != LU_FROM_FLAG || alias == entry->alias ||
        strncmp(where, "--", 2) != 0 || strncmp(entry->where, "--", 2) != 0) {
        return LU_OK;
    }
    return lu_fail(error, LU_USAGE, "'%s' is given under two names, by %s and by %s; keep one",
                   entry->row->key, lu_show(shown, entry->where), lu_show(place, where));
}

void lu_entry_store(lu_entry *entry, lu_value *value, const char *alias, lu_origin origin,
                    const char *where) {
    if (origin < entry->origin) {
        lu_value_free(value);
        return;
    }
    bool clears = !entry->row->repeat || !entry->given || origin > entry->origin || !*value->text;
    if (clears) {
        clear_values(entry);
    }
    if (entry->row->repeat && !*value->text) {
        lu_value_free(value); /* an empty text empties the list */
    } else {
        append_value(entry, value);
    }
    entry->origin = origin;
    entry->given = true;
    entry->alias = alias;
    char *copy = lu_strdup(where);
    free(entry->where);
    entry->where = copy;
}

lu_status lu_settings_unknown(const lu_settings *settings, const char *key, bool named,
                              const char *where, lu_error *error) {
    char shown[LU_SHOW], place[LU_SHOW];
    const char *near = lu_settings_nearest(settings, key);
    return lu_fail(error, LU_UNKNOWN_KEY, "unknown setting '%s' %s%s%s%s%s%s",
                   lu_show(shown, *key ? key : " "), named ? "in " : "(from ",
                   lu_show(place, where), named ? "" : ")",
                   near ? "; did you mean '" : "; no known setting has a similar name",
                   near ? near : "", near ? "'?" : "");
}

lu_status lu_settings_set(lu_settings *settings, const char *key, const char *value,
                          lu_origin origin, const char *where, lu_error *error) {
    const char *alias;
    lu_entry *entry = lu_settings_find(settings, key, &alias);
    if (!entry) {
        bool named = origin == LU_FROM_FILE || origin == LU_FROM_PRESET;
        return lu_settings_unknown(settings, key, named, where, error);
    }
    lu_value read;
    char room[LU_ALIAS_TEXT];
    lu_status status = check_name(entry, alias, origin, where, error);
    value = lu_alias_text(settings, alias, value, room);
    LU_THEN(status, lu_value_read(entry->row, value, settings->reads, where, &read, error));
    if (status == LU_OK) {
        lu_entry_store(entry, &read, alias, origin, where);
    }
    return status;
}

lu_status lu_settings_set_pair(lu_settings *settings, const char *pair, lu_origin origin,
                               const char *where, lu_error *error) {
    const char *equals = strchr(pair, '=');
    if (!equals || equals == pair) {
        char shown[LU_SHOW], place[LU_SHOW];
        return lu_fail(error, LU_USAGE, "%s (from %s) is not of the form key=value",
                       lu_show(shown, pair), lu_show(place, where));
    }
    size_t length = (size_t)(equals - pair);
    char *key = lu_alloc(length + 1);
    memcpy(key, pair, length);
    key[length] = '\0';
    const char *known = lu_settings_key(settings, key);
    lu_status status =
        lu_settings_set(settings, known ? known : key, equals + 1, origin, where, error);
    free(key);
    return status;
}

/* ---- from one object into another ---- */

/* One row, unless `to` has it from somewhere, or `from` holds what `to` holds by default. `where`
 * NULL: origin and place as they are. */
static void take_row(lu_settings *to, const lu_setting *row, const lu_settings *from,
                     const char *key, lu_origin origin, const char *where) {
    lu_origin own = lu_settings_origin(from, key);
    if (lu_settings_origin(to, row->key) != LU_FROM_DEFAULT ||
        (own == LU_FROM_DEFAULT &&
         strcmp(lu_settings_text_of(from, key), lu_settings_text_of(to, row->key)) == 0)) {
        return;
    }
    lu_entry *entry = lu_settings_find(to, row->key, NULL);
    const lu_entry *given = lu_settings_find(from, key, NULL);
    for (size_t n = 0; n < given->count; n++) {
        const lu_value *old = &given->values[n];
        lu_value value;
        if (row->type == LU_FILE && old->file) {
            value = lu_value_copy(row, old); /* its text names the file and does not hold it */
        } else if (lu_value_read(row, old->text, false, "", &value, NULL) != LU_OK) {
            continue;
        }
        lu_entry_store(entry, &value, NULL, where ? origin : own, where ? where : given->where);
    }
}

void lu_settings_take(lu_settings *to, const lu_settings *from, lu_origin origin,
                      const char *where) {
    for (size_t i = 0; i < to->count; i++) {
        const lu_setting *row = to->entries[i].row;
        if (lu_settings_has(from, row->key)) {
            take_row(to, row, from, row->key, origin, where);
        }
    }
}

void lu_settings_take_as_is(lu_settings *to, const lu_settings *from, const char *prefix) {
    for (size_t i = 0; i < to->count; i++) {
        const lu_setting *row = to->entries[i].row;
        char longer[200];
        snprintf(longer, sizeof longer, "%s%s", prefix, row->key);
        const char *key = lu_settings_has(from, longer) ? longer : row->key;
        if (lu_settings_has(from, key)) {
            take_row(to, row, from, key, LU_FROM_DEFAULT, NULL);
        }
    }
}

/* ---- names ---- */

static char plain(char c) {
    return c == '.' || c == '-' ? '_' : c;
}

const char *lu_settings_name(const lu_settings *settings, size_t index) {
    return index < settings->count ? settings->entries[index].row->key
                                   : settings->aliases[index - settings->count].row->key;
}

bool lu_same_key(const char *a, const char *b) {
    while (*a && plain(*a) == plain(*b)) {
        a++;
        b++;
    }
    return plain(*a) == plain(*b);
}

bool lu_plainer(const char **found, const char *key) {
    bool dots = *found && strchr(*found, '.');
    bool several = dots && strchr(key, '.');
    *found = *found && !dots ? *found : key;
    return !several;
}

const char *lu_settings_key(const lu_settings *settings, const char *word) {
    const lu_entry *entry = lu_settings_find(settings, word, NULL);
    const char *found = entry ? word : NULL;
    bool several = false;
    for (size_t i = 0; i < settings->count + settings->alias_count && !entry; i++) {
        const char *key = lu_settings_name(settings, i);
        several = (lu_same_key(key, word) && !lu_plainer(&found, key)) || several;
    }
    return several ? NULL : found;
}

/* ---- reading ---- */

/* The entry of a key that must be there: else the program is wrong. */
static const lu_entry *must_find(const lu_settings *settings, const char *key) {
    const lu_entry *entry = lu_settings_find(settings, key, NULL);
    LU_ASSERT(entry && "no table has this setting");
    return entry;
}

static const lu_value *value_of(const lu_settings *settings, const char *key, lu_type type) {
    static const lu_value unset = {.text = (char *)"", .choice = -1};
    const lu_entry *entry = must_find(settings, key);
    LU_ASSERT(entry->row->type == type && "the setting has another type");
    return entry->count ? &entry->values[entry->count - 1] : &unset;
}

bool lu_settings_has(const lu_settings *settings, const char *key) {
    return lu_settings_find(settings, key, NULL) != NULL;
}

bool lu_settings_is_set(const lu_settings *settings, const char *key) {
    const lu_entry *entry = must_find(settings, key);
    return entry->origin != LU_FROM_DEFAULT && entry->count > 0 &&
           *entry->values[entry->count - 1].text;
}

bool lu_settings_bool(const lu_settings *settings, const char *key) {
    return value_of(settings, key, LU_BOOL)->flag;
}

int64_t lu_settings_int(const lu_settings *settings, const char *key) {
    return value_of(settings, key, LU_INT)->whole;
}

double lu_settings_real(const lu_settings *settings, const char *key) {
    return value_of(settings, key, LU_REAL)->real;
}

const char *lu_settings_text_of(const lu_settings *settings, const char *key) {
    const lu_entry *entry = must_find(settings, key);
    return entry->count ? entry->values[entry->count - 1].text : "";
}

int lu_settings_enum(const lu_settings *settings, const char *key) {
    return value_of(settings, key, LU_ENUM)->choice;
}

size_t lu_settings_list(const lu_settings *settings, const char *key, const double **values) {
    const lu_value *value = value_of(settings, key, LU_LIST);
    *values = value->list;
    return value->list_count;
}

size_t lu_settings_count(const lu_settings *settings, const char *key) {
    return must_find(settings, key)->count;
}

const char *lu_settings_nth(const lu_settings *settings, const char *key, size_t index) {
    const lu_entry *entry = must_find(settings, key);
    LU_ASSERT(index < entry->count);
    return entry->values[index].text;
}

const lu_file_text *lu_settings_file_of(const lu_settings *settings, const char *key,
                                        size_t index) {
    const lu_entry *entry = must_find(settings, key);
    LU_ASSERT(entry->row->type == LU_FILE && "a setting is asked for as another type");
    return index < entry->count ? entry->values[index].file : NULL;
}

const lu_schedule *lu_settings_schedule(const lu_settings *settings, const char *key) {
    return value_of(settings, key, LU_SCHEDULE)->schedule;
}

lu_origin lu_settings_origin(const lu_settings *settings, const char *key) {
    return must_find(settings, key)->origin;
}

const char *lu_settings_where(const lu_settings *settings, const char *key) {
    return must_find(settings, key)->where;
}

size_t lu_settings_rows(const lu_settings *settings) {
    return settings->count;
}

size_t lu_settings_aliases(const lu_settings *settings) {
    return settings->alias_count;
}

const lu_setting *lu_settings_alias(const lu_settings *settings, size_t index) {
    LU_ASSERT(index < settings->alias_count);
    return settings->aliases[index].row;
}

const lu_setting *lu_settings_row(const lu_settings *settings, size_t index, const char **module) {
    LU_ASSERT(index < settings->count);
    if (module) {
        *module = settings->entries[index].module;
    }
    return settings->entries[index].row;
}
