/* Settings from the environment: LUDUS_KEY sets a key or an alias. All variables are checked before
 * any is set. */
#include "settings_internal.h"
#include "utf8.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* As it is compared: '.', '-' and '_' are equal, and so are letters of both cases. */
static int folded(char c) {
    return c == '.' || c == '-' ? '_' : tolower((unsigned char)c);
}

/* `name` (not terminated, after LUDUS_) names `key`. */
static bool names_key(const char *name, size_t length, const char *key) {
    size_t at = 0;
    while (at < length && key[at] && folded(name[at]) == folded(key[at])) {
        at++;
    }
    return at == length && !key[at];
}

static bool is_reserved(const char *name, size_t length) {
    static const char *const names[] = {"HOME", "ISA", "LOG"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        if (strlen(names[i]) == length && memcmp(name, names[i], length) == 0) {
            return true;
        }
    }
    return length >= 5 && memcmp(name, "TEST_", 5) == 0;
}

/* The error for a variable no table knows; the suggestion is spelt as a variable. */
static lu_status unknown_variable(const lu_settings *settings, const char *name, size_t length,
                                  lu_error *error) {
    char word[128], near[128] = "", shown[LU_SHOW];
    snprintf(word, sizeof word, "%.*s", (int)(length < 100 ? length : 100), name);
    size_t count = settings->count + settings->alias_count;
    char **words = lu_alloc(count * sizeof *words);
    for (size_t i = 0; i < count; i++) {
        words[i] = lu_strdup(lu_settings_name(settings, i));
        for (char *c = words[i]; *c; c++) {
            *c = (char)toupper(folded(*c));
        }
    }
    const char *best = lu_nearest(word, (const char *const *)words, count);
    if (best) {
        snprintf(near, sizeof near, "; did you mean LUDUS_%.80s?", best);
    }
    for (size_t i = 0; i < count; i++) {
        free(words[i]);
    }
    free(words);
    return lu_fail(error, LU_UNKNOWN_KEY, "the variable LUDUS_%s is not a setting%s",
                   lu_show(shown, word), near);
}

/* The entry that a variable names by its key or an alias, or NULL. */
static lu_status named_by(lu_batch *batch, const char *name, size_t length, lu_entry **found,
                          lu_error *error) {
    const lu_settings *s = batch->settings;
    const char *key = NULL;
    for (size_t i = 0; i < s->count + s->alias_count; i++) {
        const char *own = lu_settings_name(s, i), *first = key;
        if (names_key(name, length, own) && !lu_plainer(&key, own)) {
            return lu_fail(error, LU_BAD_VALUE, "LUDUS_%.*s names both '%s' and '%s'; use --set",
                           (int)length, name, first, own);
        }
    }
    *found = key ? lu_settings_find(s, key, &batch->alias) : NULL;
    return LU_OK;
}

static lu_status add_variable(lu_batch *batch, const char *variable, bool strict, lu_error *error) {
    static const char prefix[] = "LUDUS_";
    const char *name = variable + sizeof prefix - 1, *equals = strchr(variable, '=');
    if (strncmp(variable, prefix, sizeof prefix - 1) != 0 || !equals || equals <= name) {
        return LU_OK;
    }
    size_t length = (size_t)(equals - name);
    if (is_reserved(name, length) || !equals[1]) {
        return LU_OK; /* an empty variable counts as not set, as shells have it */
    }
    lu_entry *found = NULL;
    lu_status status = named_by(batch, name, length, &found, error);
    if (status != LU_OK || !found) {
        return status == LU_OK && strict ? unknown_variable(batch->settings, name, length, error)
                                         : status;
    }
    char where[160];
    snprintf(where, sizeof where, "%.*s", (int)(equals - variable), variable);
    batch->name = where;
    status = lu_batch_add(batch, found, equals + 1, 0, error);
    batch->name = NULL;
    return status;
}

lu_status lu_settings_variables(lu_settings *settings, char **environment, bool strict,
                                lu_error *error) {
    lu_status status = LU_OK;
    lu_batch batch;
    lu_batch_init(&batch, settings, NULL);
    for (char **at = environment; at && *at && status == LU_OK; at++) {
        status = add_variable(&batch, *at, strict, error);
    }
    if (status == LU_OK) {
        lu_batch_apply(&batch, LU_FROM_VARIABLE);
    }
    lu_batch_free(&batch);
    return status;
}
