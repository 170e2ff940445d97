/* Did you mean: the known word nearest to a wrong one. */
#include "settings_internal.h"

#include <stdlib.h>
#include <string.h>

enum { LONGEST = 96 }; /* words beyond this get no suggestion, which bounds the work per error */

static size_t least(size_t a, size_t b) {
    return a < b ? a : b;
}

/* Edits (insert, delete, replace, swap of neighbours) from a to b: optimal string alignment. */
static size_t distance(const char *a, size_t a_length, const char *b, size_t b_length) {
    size_t rows[3][LONGEST + 1];
    size_t *before = rows[0], *last = rows[1], *now = rows[2];
    for (size_t j = 0; j <= b_length; j++) {
        last[j] = j;
        before[j] = 0;
    }
    for (size_t i = 1; i <= a_length; i++) {
        now[0] = i;
        for (size_t j = 1; j <= b_length; j++) {
            size_t change = last[j - 1] + (a[i - 1] != b[j - 1]);
            now[j] = least(change, least(last[j], now[j - 1]) + 1);
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
                now[j] = least(now[j], before[j - 2] + 1);
            }
        }
        size_t *oldest = before;
        before = last;
        last = now;
        now = oldest;
    }
    return last[b_length];
}

const char *lu_nearest(const char *word, const char *const *words, size_t count) {
    const char *best = NULL;
    size_t best_distance = SIZE_MAX, length = strnlen(word, LONGEST + 1);
    if (length > LONGEST) {
        return NULL;
    }
    for (size_t i = 0; i < count; i++) {
        size_t other = strnlen(words[i], LONGEST + 1);
        if (other > LONGEST) {
            continue;
        }
        size_t edits = distance(word, length, words[i], other);
        size_t longer = other > length ? other : length;
        if (edits * 3 <= longer && edits < best_distance) {
            best = words[i];
            best_distance = edits;
        }
    }
    return best;
}

const char *lu_settings_nearest(const lu_settings *settings, const char *key) {
    size_t count = settings->count + settings->alias_count;
    const char **words = lu_alloc(count * sizeof *words);
    for (size_t i = 0; i < count; i++) {
        words[i] = lu_settings_name(settings, i);
    }
    /* the last part alone ("mode" for "reward.mode") says more than any near spelling */
    const char *best = NULL, *dot = strchr(key, '.');
    size_t length = strnlen(key, LONGEST + 1), matches = 0;
    for (size_t i = 0; length > 0 && i < count; i++) {
        size_t all = strlen(words[i]);
        if (all > length && words[i][all - length - 1] == '.' &&
            strcmp(words[i] + all - length, key) == 0) {
            best = words[i];
            matches++;
        }
    }
    if (matches != 1) {
        best = lu_nearest(key, words, count);
    }
    if (!best && dot) {
        best = lu_nearest(dot + 1, words, count); /* in a section that files may have */
    }
    free(words);
    return best;
}
