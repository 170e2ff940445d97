/* Schedules as other programs write them, {"type": "linear", "initial-value": 1, "final-value": 0,
 * "change-over-time-steps": 300}, made into texts of our own over the update u. */
#include "number.h"
#include "settings_internal.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MOST_TEXT = 2000 };

static bool refuse(char *why, size_t bytes, const char *what) {
    snprintf(why, bytes, "%s", what);
    return false;
}

static void add_number(lu_text *text, double value) {
    char shown[LU_NUMBER];
    lu_print_short(shown, value);
    lu_text_addf(text, "(%s)", shown);
}

/* From one value to another over so many updates; `log`: in equal ratios. */
static bool add_line(const lu_json_value *object, bool log, lu_text *text, char *why,
                     size_t bytes) {
    bool rounds = lu_json_kind_of(lu_json_get_same(object, "round_value")) == LU_JSON_TRUE;
    double digits = lu_json_real_or(lu_json_get_same(object, "round_digits"), 0.0);
    double from = lu_json_real_or(lu_json_get_same(object, "initial_value"), NAN);
    double to = lu_json_real_or(lu_json_get_same(object, "final_value"), NAN);
    double steps = lu_json_real_or(lu_json_get_same(object, "change_over_time_steps"), NAN);
    if (!(digits >= 0.0 && digits <= 9.0)) {
        return refuse(why, bytes, "needs 'round-digits' from 0 to 9");
    }
    if (!isfinite(from) || !isfinite(to) || !(steps >= 1.0) || (log && !(from > 0 && to > 0))) {
        return refuse(why, bytes,
                      log ? "needs 'initial-value' and 'final-value' above 0, and "
                            "'change-over-time-steps' from 1"
                          : "needs the numbers 'initial-value', 'final-value' and "
                            "'change-over-time-steps' from 1");
    }
    lu_text_add(text, rounds ? "round((" : "");
    add_number(text, from);
    if (log) {
        lu_text_add(text, "*(");
        add_number(text, to);
        lu_text_add(text, "/");
        add_number(text, from);
        lu_text_add(text, ")^min(1,u/");
    } else {
        lu_text_add(text, "+(");
        add_number(text, to);
        lu_text_add(text, "-");
        add_number(text, from);
        lu_text_add(text, ")*min(1,u/");
    }
    add_number(text, steps);
    lu_text_add(text, ")");
    if (rounds) {
        lu_text_addf(text, ")*10^%.0f)/10^%.0f", digits, digits);
    }
    return true;
}

static bool add_value(const lu_json_value *value, lu_text *text, char *why, size_t bytes);

/* The schedule of the largest threshold that is reached; thresholds rise. Updates are whole, so
 * that max(0,min(1,u-t+1)) is 0 before the threshold t and 1 from it on. */
static bool add_jumps(const lu_json_value *object, lu_text *text, char *why, size_t bytes) {
    const lu_json_value *jumps = lu_json_get_same(object, "jumps"), *before = NULL;
    double last = -1.0;
    for (size_t i = 0; i < lu_json_count(jumps); i++) {
        const char *key;
        const lu_json_value *value = lu_json_member(jumps, i, &key);
        size_t span = lu_number_span(key, strlen(key));
        double at = span > 0 && !key[span] ? lu_number_value(key, span) : -1.0;
        if (!(at > last) || floor(at) < at || (i == 0 && at != 0.0)) {
            break;
        }
        lu_text_add(text, i ? "+((" : "(");
        bool good = add_value(value, text, why, bytes);
        if (good && before) {
            lu_text_add(text, ")-(");
            good = add_value(before, text, why, bytes);
            lu_text_add(text, "))*max(0,min(1,u-");
            add_number(text, at);
            lu_text_add(text, "+1)");
        }
        lu_text_add(text, ")");
        if (!good) {
            return false;
        }
        before = value;
        last = at;
    }
    return lu_json_kind_of(jumps) == LU_JSON_OBJECT && before &&
                   before == lu_json_member(jumps, lu_json_count(jumps) - 1, &(const char *){NULL})
               ? true
               : refuse(why, bytes,
                        "needs 'jumps', rising numbers of updates from 0 on with a value each");
}

/* What a word of an expression stands for: t is the update, others are of its substitutions, and
 * the rest is for the grammar of schedules to know. "defaults" are of arguments that nobody here
 * gives, so that such a word is refused. */
static bool add_word(const lu_json_value *object, const char *word, lu_text *text, char *why,
                     size_t bytes) {
    const lu_json_value *value = lu_json_get(lu_json_get_same(object, "substitutions"), word);
    if (!value) {
        lu_text_add(text, strcmp(word, "t") == 0 ? "u" : word);
        return true;
    }
    lu_text_add(text, "(");
    bool good = add_value(value, text, why, bytes);
    lu_text_add(text, ")");
    return good;
}

/* Arithmetic as Python writes it, where ** is a power. */
static bool add_expression(const lu_json_value *object, lu_text *text, char *why, size_t bytes) {
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789";
    const char *at = lu_json_text(lu_json_get_same(object, "expression"), NULL);
    bool good = at || refuse(why, bytes, "needs an 'expression', such as \"1 - x\"");
    while (good && *at) {
        size_t span = strspn(at, "0123456789.") ? lu_number_span(at, strlen(at)) : 0;
        size_t length = span ? span : strspn(at, letters);
        if (text->length > MOST_TEXT) {
            good = refuse(why, bytes, "is too long");
        } else if (span == 0 && length > 0) {
            char word[64];
            snprintf(word, sizeof word, "%.*s", (int)(length < 63 ? length : 63), at);
            good = add_word(object, word, text, why, bytes);
        } else {
            bool power = strncmp(at, "**", 2) == 0;
            length = length ? length : power ? 2 : 1;
            lu_text_add_n(text, power ? "^" : at, power ? 1 : length);
        }
        at += length;
    }
    return good;
}

static bool add_value(const lu_json_value *value, lu_text *text, char *why, size_t bytes) {
    if (text->length > MOST_TEXT) { /* jumps within jumps stand there twice each */
        return refuse(why, bytes, "is too long");
    }
    if (lu_json_kind_of(value) == LU_JSON_NUMBER) {
        add_number(text, lu_json_real_or(value, 0.0));
        return true;
    }
    const char *type = lu_json_text(lu_json_get_same(value, "type"), NULL);
    if (type && strcmp(type, "constant") == 0 && lu_json_get_same(value, "value")) {
        return add_value(lu_json_get_same(value, "value"), text, why, bytes);
    }
    if (type && (strcmp(type, "linear") == 0 || strcmp(type, "log") == 0)) {
        return add_line(value, *type == 'l' && type[1] == 'o', text, why, bytes);
    }
    if (type && strcmp(type, "jump") == 0) {
        return add_jumps(value, text, why, bytes);
    }
    if (type && strcmp(type, "expression") == 0) {
        return add_expression(value, text, why, bytes);
    }
    return refuse(why, bytes, "must have as its 'type' constant, linear, log, jump or expression");
}

bool lu_schedule_from_json(const char *json, lu_text *text, char *why, size_t bytes) {
    lu_error error = {0};
    lu_json_document *document = lu_json_read("schedule", json, strlen(json), &error);
    if (!document) {
        return refuse(why, bytes, "is not JSON");
    }
    bool good = add_value(lu_json_root(document), text, why, bytes);
    lu_json_close(document);
    return good;
}
