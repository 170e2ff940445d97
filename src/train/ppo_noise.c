/* Noise on observations: which numbers of an observation get how much, read once from one text, and
 * the draws. The text is a list of entries, separated by semicolons: names of numbers, a colon, and
 * the deviation as a schedule. A name is a field (in every group that has it), a group,
 * GROUP.FIELD, the place of a number or a range of places, or `all`. Ids and marks of used slots
 * are no quantities: `all` and groups leave them out, and by name they are refused. */
#include "ppo_internal.h"

#include "ludus/math.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_PARTS = 32, MAX_NAME = 128 };

static const char key[] = "train.observation_noise";

struct ppo_noise {
    int parts;
    lu_schedule *schedule[MAX_PARTS];
    double deviation[MAX_PARTS]; /* of this update */
    int numbers;
    int8_t *part; /* of each number, -1: none */
};

void ppo_noise_delete(ppo_noise *noise) {
    if (!noise) {
        return;
    }
    for (int i = 0; i < noise->parts; i++) {
        lu_schedule_delete(noise->schedule[i]);
    }
    free(noise->part);
    free(noise);
}

/* ---- names ---- */

typedef enum found { FOUND_NONE, FOUND_MARK, FOUND_SOME } found;

static bool is_quantity(const lu_group *group, int field) {
    return field != group->presence && group->field[field].vocabulary == 0;
}

/* Whether a name means this field: by itself, by its group, by both, or as one of all. */
static bool means(const char *name, const lu_group *group, int field, bool *by_name) {
    size_t length = strlen(group->name);
    const char *own = group->field[field].name;
    *by_name =
        strcmp(name, own) == 0 || (strncmp(name, group->name, length) == 0 && name[length] == '.' &&
                                   strcmp(name + length + 1, own) == 0);
    return *by_name || strcmp(name, group->name) == 0 || strcmp(name, "all") == 0;
}

static found mark_names(ppo_noise *noise, const lu_game *game, const char *name, int part) {
    found result = FOUND_NONE;
    int at = 0;
    for (int g = 0; g < game->groups; g++) {
        const lu_group *group = &game->group[g];
        for (int place = 0; place < group->slots * group->fields; place++, at++) {
            bool by_name;
            if (!means(name, group, place % group->fields, &by_name)) {
                continue;
            }
            if (is_quantity(group, place % group->fields)) {
                noise->part[at] = (int8_t)part;
                result = FOUND_SOME;
            } else if (by_name) {
                return FOUND_MARK;
            } else if (result == FOUND_NONE) {
                result = FOUND_MARK; /* unless something else comes */
            }
        }
    }
    return result;
}

/* The field of a number by its place. */
static bool quantity_at(const lu_game *game, int number) {
    for (int g = 0; g < game->groups; g++) {
        const lu_group *group = &game->group[g];
        int length = group->slots * group->fields;
        if (number < length) {
            return is_quantity(group, number % group->fields);
        }
        number -= length;
    }
    return false;
}

/* "12" or "8-11". */
static lu_status mark_places(ppo_noise *noise, const lu_game *game, char *name, int part,
                             lu_error *error) {
    int64_t from, to, last = noise->numbers - 1;
    char *dash = strchr(name, '-');
    if (dash) {
        *dash = '\0';
    }
    LU_TRY(lu_parse_i64(key, name, 0, last, &from, error));
    to = from;
    if (dash) {
        LU_TRY(lu_parse_i64(key, dash + 1, from, last, &to, error));
    }
    for (int64_t i = from; i <= to; i++) {
        if (!quantity_at(game, (int)i)) {
            return lu_fail(error, LU_BAD_VALUE,
                           "'%s': number %lld of %s is an id or a slot marker, which noise would "
                           "corrupt: leave it out",
                           key, (long long)i, game->id);
        }
        noise->part[i] = (int8_t)part;
    }
    return LU_OK;
}

static lu_status mark(ppo_noise *noise, const lu_game *game, char *name, int part,
                      lu_error *error) {
    if (*name >= '0' && *name <= '9') {
        return mark_places(noise, game, name, part, error);
    }
    switch (mark_names(noise, game, name, part)) {
    case FOUND_NONE:
        return lu_fail(error, LU_BAD_VALUE,
                       "'%s': %s has no field or group '%.100s' in its observation; `ludus spec "
                       "%s` lists them",
                       key, game->id, name, game->name);
    case FOUND_MARK:
        return lu_fail(
            error, LU_BAD_VALUE,
            "'%s': '%.100s' is an id or a slot marker, which noise would corrupt: leave it out",
            key, name);
    default:
        return LU_OK;
    }
}

/* ---- the text ---- */

/* The next piece up to one of `ends`, without spaces around it; false when it does not fit. */
static bool take(const char **text, const char *ends, char *into, size_t room) {
    const char *from = *text + strspn(*text, " ");
    size_t length = strcspn(from, ends);
    *text = from + length;
    while (length > 0 && from[length - 1] == ' ') {
        length--;
    }
    if (length == 0 || length >= room) {
        return false;
    }
    memcpy(into, from, length);
    into[length] = '\0';
    return true;
}

static lu_status read_entry(ppo_noise *noise, const lu_game *game, const char **text,
                            lu_error *error) {
    char name[MAX_NAME], schedule[2048], why[200] = "is missing";
    int part = noise->parts;
    if (part == MAX_PARTS) {
        return lu_fail(error, LU_LIMIT, "'%s' has more than %d entries", key, MAX_PARTS);
    }
    for (bool more = true; more;) {
        if (!take(text, ",:;", name, sizeof name)) {
            return lu_fail(
                error, LU_BAD_VALUE,
                "'%s': an entry is 'NAME,NAME: DEVIATION', but here a name is missing or too long",
                key);
        }
        LU_TRY(mark(noise, game, name, part, error));
        more = **text == ',';
        *text += more;
    }
    *text += **text == ':';
    if (take(text, ";", schedule, sizeof schedule)) {
        noise->schedule[part] = lu_schedule_new(schedule, 0, 1e9, why, sizeof why);
    }
    if (!noise->schedule[part]) {
        return lu_fail(error, LU_BAD_VALUE, "'%s': the deviation of '%.100s' %s", key, name, why);
    }
    noise->parts++;
    return LU_OK;
}

ppo_noise *ppo_noise_new(const lu_game *game, const char *text, lu_error *error) {
    ppo_noise *noise = lu_alloc_zero(1, sizeof *noise);
    noise->numbers = lu_game_observation_length(game);
    noise->part = lu_alloc((size_t)noise->numbers);
    memset(noise->part, -1, (size_t)noise->numbers);
    lu_status status = LU_OK;
    for (text += strspn(text, " ;"); *text && status == LU_OK; text += strspn(text, " ;")) {
        status = read_entry(noise, game, &text, error);
    }
    if (status != LU_OK) {
        ppo_noise_delete(noise);
        return NULL;
    }
    return noise;
}

/* ---- draws ---- */

bool ppo_noise_begin(ppo_noise *noise, double progress, double update) {
    bool any = false;
    for (int i = 0; i < noise->parts; i++) {
        noise->deviation[i] = lu_schedule_at(noise->schedule[i], progress, update);
        any = any || noise->deviation[i] > 0.0;
    }
    return any;
}

/* Box and Muller: a point of the plane whose two numbers are normal and independent. */
static void draw_two(lu_rng *rng, double normal[2]) {
    double radius = lu_sqrt(-2.0 * lu_log(1.0 - lu_rng_unit(rng)));
    double angle = 6.283185307179586 * lu_rng_unit(rng);
    normal[0] = radius * lu_cos(angle);
    normal[1] = radius * lu_sin(angle);
}

void ppo_noise_add(const ppo_noise *noise, lu_rng *rng, float *observation) {
    double normal[2];
    int left = 0;
    for (int i = 0; i < noise->numbers; i++) {
        if (noise->part[i] < 0) {
            continue;
        }
        if (left == 0) {
            draw_two(rng, normal);
            left = 2;
        }
        observation[i] += (float)(noise->deviation[noise->part[i]] * normal[--left]);
    }
}
