/* From text to a typed value, one function per type, and the sentence when the text is not one. The
 * sentence names the key, the text, what was expected and where the text came from. */
#include "number.h"
#include "settings_internal.h"
#include "utf8.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

const char *lu_type_name(lu_type type) {
    static const char *const names[] = {"bool", "integer", "number",   "text", "choice",
                                        "list", "json",    "schedule", "file", "alias"};
    return names[type];
}

/* A copy without surrounding white space. */
static char *trimmed(const char *text) {
    static const char space[] = " \t\r\n";
    text += strspn(text, space);
    size_t length = strlen(text);
    while (length > 0 && strchr(space, text[length - 1])) {
        length--;
    }
    char *copy = lu_alloc(length + 1);
    memcpy(copy, text, length);
    copy[length] = '\0';
    return copy;
}

static bool has_range(const lu_setting *row) {
    return row->low != 0 || row->high != 0;
}

/* A range row as int64: the rows hold doubles, and 2^63 itself does not fit. */
static int64_t whole_limit(double limit) {
    static const double edge = 9223372036854775808.0;
    return limit >= edge ? INT64_MAX : limit <= -edge ? INT64_MIN : (int64_t)limit;
}

static lu_status read_bool(const lu_setting *row, lu_value *value, lu_error *error) {
    static const char *const words[] = {"false", "true", "no", "yes", "off", "on", "0", "1"};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        if (strcasecmp(value->text, words[i]) == 0) {
            value->flag = i & 1;
            return LU_OK;
        }
    }
    char shown[LU_SHOW];
    return lu_fail(error, LU_BAD_VALUE, "'%s' = %s must be true or false", row->key,
                   lu_show(shown, value->text));
}

static lu_status read_text(const lu_setting *row, lu_value *value, lu_error *error) {
    size_t most = row->high > 0 ? (size_t)row->high : 4096, length = strlen(value->text);
    if (length > most) {
        return lu_fail(error, LU_BAD_VALUE, "'%s' has %zu bytes, more than the allowed %zu",
                       row->key, length, most);
    }
    return LU_OK;
}

/* Position of `text`, which takes its case, in "a|b|c", or -1. */
static int choice_index(const char *choices, char *text) {
    size_t length = strlen(text);
    int index = 0;
    for (const char *at = choices;; index++) {
        size_t span = strcspn(at, "|");
        if (span == length && strncasecmp(at, text, length) == 0) {
            memcpy(text, at, length);
            return index;
        }
        if (at[span] == '\0') {
            return -1;
        }
        at += span + 1;
    }
}

/* "a, b, c" and the word nearest to `text`. */
static void describe_choices(const char *choices, const char *text, char *list, size_t list_bytes,
                             char *near, size_t near_bytes) {
    enum { MOST = 64 };
    const char *words[MOST];
    size_t count = 0, used = 0;
    char *copy = lu_strdup(choices), *rest = copy;
    list[0] = near[0] = '\0';
    for (char *word; count < MOST && (word = strsep(&rest, "|"));) {
        words[count] = word;
        int added = snprintf(list + used, list_bytes - used, "%s%s", count ? ", " : "", word);
        used += (size_t)added < list_bytes - used ? (size_t)added : list_bytes - used - 1;
        count++;
    }
    const char *best = lu_nearest(text, words, count);
    if (best) {
        snprintf(near, near_bytes, "; did you mean '%.60s'?", best);
    }
    free(copy);
}

static lu_status read_enum(const lu_setting *row, lu_value *value, lu_error *error) {
    value->choice = choice_index(row->choices, value->text);
    if (value->choice >= 0) {
        return LU_OK;
    }
    char shown[LU_SHOW], list[300], near[96];
    describe_choices(row->choices, value->text, list, sizeof list, near, sizeof near);
    return lu_fail(error, LU_BAD_VALUE, "'%s' = %s is not one of %s%s", row->key,
                   lu_show(shown, value->text), list, near);
}

/* "1,2", or "[1,2]" as JSON has it. */
static lu_status read_list(const lu_setting *row, lu_value *value, lu_error *error) {
    double low = has_range(row) ? row->low : -INFINITY;
    double high = has_range(row) ? row->high : INFINITY;
    size_t count = 1, length = strlen(value->text);
    if (length >= 2 && value->text[0] == '[' && value->text[length - 1] == ']') {
        memmove(value->text, value->text + 1, length - 2);
        value->text[length - 2] = '\0';
    }
    if (!*value->text) {
        return LU_OK;
    }
    for (const char *c = value->text; *c; c++) {
        count += *c == ',';
    }
    value->list = lu_alloc(count * sizeof *value->list);
    char *copy = lu_strdup(value->text), *rest = copy, name[160];
    lu_status status = LU_OK;
    for (size_t i = 0; i < count && status == LU_OK; i++) {
        char *word = strsep(&rest, ",");
        char *number = trimmed(word);
        snprintf(name, sizeof name, "%.120s[%zu]", row->key, i);
        status = lu_parse_real(name, number, low, high, &value->list[i], error);
        free(number);
    }
    value->list_count = count;
    free(copy);
    return status;
}

/* Depth of a value: 0 for a scalar. */
static int depth_of(const lu_json_value *value) {
    int deepest = 0;
    for (size_t i = 0; i < lu_json_count(value); i++) {
        const lu_json_value *child = lu_json_kind_of(value) == LU_JSON_ARRAY
                                         ? lu_json_at(value, i)
                                         : lu_json_member(value, i, NULL);
        int depth = depth_of(child);
        deepest = depth > deepest ? depth : deepest;
    }
    lu_json_kind kind = lu_json_kind_of(value);
    return deepest + (kind == LU_JSON_ARRAY || kind == LU_JSON_OBJECT);
}

static lu_status read_json(const lu_setting *row, lu_value *value, lu_error *error) {
    lu_error inner = {0};
    lu_json_document *document = lu_json_read(row->key, value->text, strlen(value->text), &inner);
    if (!document) {
        return lu_fail(error, LU_BAD_VALUE, "'%s' is not JSON: %s", row->key, inner.text);
    }
    int depth = depth_of(lu_json_root(document));
    lu_json_close(document);
    if (depth > LU_VALUE_DEPTH) {
        return lu_fail(error, LU_BAD_VALUE, "'%s' is JSON nested deeper than %d levels", row->key,
                       LU_VALUE_DEPTH);
    }
    return LU_OK;
}

/* A schedule that is written as an object becomes an expression. */
static lu_status read_object(const lu_setting *row, lu_value *value, lu_error *error) {
    char why[300], shown[LU_SHOW];
    lu_text text = LU_TEXT_INIT;
    if (*value->text != '{') {
        return LU_OK;
    }
    if (!lu_schedule_from_json(value->text, &text, why, sizeof why)) {
        lu_text_free(&text);
        return lu_fail(error, LU_BAD_VALUE, "the schedule '%s' = %s %s", row->key,
                       lu_show(shown, value->text), why);
    }
    free(value->text);
    value->text = text.text;
    return LU_OK;
}

static lu_status read_schedule(const lu_setting *row, lu_value *value, lu_error *error) {
    char why[300], shown[LU_SHOW];
    LU_TRY(read_object(row, value, error));
    value->schedule = lu_schedule_new(value->text, row->low, row->high, why, sizeof why);
    if (!value->schedule) {
        return lu_fail(error, LU_BAD_VALUE, "the schedule '%s' = %s %s", row->key,
                       lu_show(shown, value->text), why);
    }
    return LU_OK;
}

/* A number that other programs may give as a schedule: the object must hold one for all updates. */
static lu_status read_constant(const lu_setting *row, lu_value *value, lu_error *error) {
    char why[300], shown[LU_NUMBER];
    double always;
    if (*value->text != '{') {
        return LU_OK;
    }
    LU_TRY(read_object(row, value, error));
    lu_schedule *schedule = lu_schedule_new(value->text, 0, 0, why, sizeof why);
    bool constant = schedule && lu_schedule_is_constant(schedule, &always);
    lu_schedule_delete(schedule);
    if (!constant) {
        return lu_fail(error, LU_BAD_VALUE, "'%s' = %.60s holds for the whole run: give one number",
                       row->key, value->text);
    }
    lu_print_short(shown, always);
    free(value->text);
    value->text = lu_strdup(shown);
    return LU_OK;
}

static lu_status read_int(const lu_setting *row, lu_value *value, lu_error *error) {
    int64_t low = has_range(row) ? whole_limit(ceil(row->low)) : INT64_MIN;
    int64_t high = has_range(row) ? whole_limit(floor(row->high)) : INT64_MAX;
    LU_TRY(read_constant(row, value, error));
    return lu_parse_i64(row->key, value->text, low, high, &value->whole, error);
}

static lu_status read_real(const lu_setting *row, lu_value *value, lu_error *error) {
    double low = has_range(row) ? row->low : -INFINITY;
    double high = has_range(row) ? row->high : INFINITY;
    LU_TRY(read_constant(row, value, error));
    return lu_parse_real(row->key, value->text, low, high, &value->real, error);
}

lu_status lu_value_read(const lu_setting *row, const char *text, bool reads, const char *where,
                        lu_value *value, lu_error *error) {
    typedef lu_status read_function(const lu_setting *, lu_value *, lu_error *);
    static read_function *const readers[] = {read_bool, read_int,  read_real, read_text,
                                             read_enum, read_list, read_json, read_schedule};
    lu_status status = LU_OK;
    lu_error own = {0};
    *value = (lu_value){.choice = -1};
    value->text = row->type == LU_TEXT ? lu_strdup(text) : trimmed(text);
    bool unset = !*value->text && (!*row->initial || row->repeat);
    if (row->type == LU_FILE) {
        status = unset ? LU_OK : lu_value_read_file(row, reads, value, &own);
    } else if (row->type != LU_TEXT && strlen(value->text) > LU_VALUE_BYTES) {
        status = lu_fail(&own, LU_BAD_VALUE, "'%s' is longer than 64 KiB", row->key);
    } else if (!unset) {
        status = readers[row->type](row, value, &own);
    }
    if (status != LU_OK) {
        lu_value_free(value);
        char shown[LU_SHOW];
        return lu_fail(error, status, "%s (from %s)", own.text, lu_show(shown, where));
    }
    return LU_OK;
}

lu_value lu_value_copy(const lu_setting *row, const lu_value *value) {
    if (row->type == LU_FILE) {
        return (lu_value){.choice = -1,
                          .text = lu_strdup(value->text),
                          .file = value->file ? lu_file_text_copy(value->file) : NULL};
    }
    lu_value copy;
    lu_status status = lu_value_read(row, value->text, false, "", &copy, NULL);
    LU_ASSERT(status == LU_OK);
    return copy;
}

void lu_value_free(lu_value *value) {
    free(value->text);
    free(value->list);
    free(value->file);
    lu_schedule_delete(value->schedule);
    *value = (lu_value){.choice = -1};
}
