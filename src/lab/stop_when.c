/* Conditions under which a training stops: see stop_when.h. */
#include "stop_when.h"

#include "ludus/game_ask.h"
#include "ludus/json.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- reading ---- */

static const char *past_space(const char *at) {
    while (*at == ' ' || *at == '\t') {
        at++;
    }
    return at;
}

static lu_status refuse(const char *text, const char *what, lu_error *error) {
    return lu_fail(error, LU_BAD_VALUE,
                   "'run.stop_when' = '%.200s': %s; write 'NAME < NUMBER' (or >, <=, >=), joined "
                   "by 'and' and 'or'",
                   text, what);
}

/* One comparison; returns what follows it, NULL where there is none. */
static const char *read_part(const char *at, stop_when *when, const char **what) {
    size_t length = 0;
    while (isalnum((unsigned char)at[length]) || (at[length] && strchr("_./-", at[length]))) {
        length++;
    }
    if (length == 0 || length >= STOP_WHEN_NAME) {
        *what = "a metric's name is missing or too long";
        return NULL;
    }
    memcpy(when->part[when->count].name, at, length);
    at = past_space(at + length);
    if (*at != '<' && *at != '>') {
        *what = "a name must be followed by a comparison";
        return NULL;
    }
    char sign = *at++;
    if (*at == '=') {
        sign = sign == '<' ? 'l' : 'g';
        at++;
    }
    char *end;
    double value = strtod(at, &end);
    if (end == at || !isfinite(value)) {
        *what = "a comparison must end with a number";
        return NULL;
    }
    when->part[when->count].sign = sign;
    when->part[when->count++].value = value;
    return past_space(end);
}

lu_status stop_when_read(stop_when *when, const char *text, lu_error *error) {
    const char *at = past_space(text), *what = NULL;
    memset(when, 0, sizeof *when);
    while (*at) {
        if (when->count == STOP_WHEN_PARTS) {
            return refuse(text, "it has more than 16 comparisons", error);
        }
        at = read_part(at, when, &what);
        if (!at) {
            return refuse(text, what, error);
        }
        if (!*at) {
            return LU_OK;
        }
        bool also = strncmp(at, "and ", 4) == 0, either = strncmp(at, "or ", 3) == 0;
        if ((!also && !either) || when->count == STOP_WHEN_PARTS) {
            return refuse(text, "comparisons are joined by 'and' or 'or'", error);
        }
        when->part[when->count].or_else = either;
        at = past_space(at + (also ? 4 : 3));
        if (!*at) {
            return refuse(text, "it ends with 'and' or 'or'", error);
        }
    }
    return LU_OK;
}

/* ---- asking ---- */

/* The figure of a name: that of the row, of its object `infos`, `terms` or `seconds` as infos.won,
 * infos/won or infos_won. */
static const lu_json_value *figure(const lu_json_value *row, const char *name) {
    static const char *const objects[] = {"infos", "terms", "seconds"};
    const lu_json_value *found = lu_json_get(row, name);
    for (size_t i = 0; i < sizeof objects / sizeof *objects && !found; i++) {
        size_t length = strlen(objects[i]);
        if (strncmp(name, objects[i], length) == 0 && name[length] && strchr("._/", name[length])) {
            found = lu_json_get(lu_json_get(row, objects[i]), name + length + 1);
        }
    }
    return found;
}

/* Names that an update has only where an episode ended. */
static bool is_sometimes(const lu_game *game, const char *name) {
    static const char *const names[] = {"episode_return", "episode_length", "recent",
                                        "recent_return"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (strcmp(names[i], name) == 0) {
            return true;
        }
    }
    for (int i = 0; i < game->infos; i++) {
        if (strncmp(name, "infos", 5) == 0 && name[5] &&
            strcmp(name + 6, game->info[i].name) == 0 && lu_info_is_number(&game->info[i])) {
            return true;
        }
    }
    return false;
}

static bool compares(double is, char sign, double value) {
    return sign == '<'   ? is < value
           : sign == '>' ? is > value
           : sign == 'l' ? is <= value
                         : is >= value;
}

lu_status stop_when_ask(const stop_when *when, const lu_progress *progress, const lu_game *game,
                        bool *holds, lu_error *error) {
    *holds = false;
    if (when->count == 0) {
        return LU_OK;
    }
    lu_json json = LU_JSON_INIT;
    lu_json_object(&json);
    lu_progress_write(progress, game, &json);
    lu_json_object_end(&json);
    lu_json_document *row = lu_json_read("update", json.text, json.length, error);
    lu_status status = row ? LU_OK : error->status;
    bool all = true;
    for (int i = 0; i < when->count && status == LU_OK; i++) {
        const char *name = when->part[i].name;
        const lu_json_value *found = figure(lu_json_root(row), name);
        if (when->part[i].or_else) {
            *holds = *holds || all;
            all = true;
        }
        if (!found && !is_sometimes(game, name)) {
            status = lu_fail(error, LU_BAD_VALUE,
                             "'run.stop_when' uses '%s', which updates of this training do not "
                             "have; the rows of metrics/updates.jsonl show the names",
                             name);
        }
        double is = found ? lu_json_real_or(found, (double)NAN) : (double)NAN;
        all = all && compares(is, when->part[i].sign, when->part[i].value);
    }
    *holds = status == LU_OK && (*holds || all);
    lu_json_close(row);
    lu_json_free(&json);
    return status;
}
