/* What a training changes of its game: a reward of its own, as a formula over the terms of a step,
 * and options that are closed to the net that learns. Both are for the learner alone: evaluations
 * play the game as it is. */
#include "trainer.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_CLOSED = 64 };

/* An option that is closed while a schedule is above 0. */
typedef struct closed {
    int option, first, end; /* places in a mask: its own, and those of its head */
    lu_schedule *schedule;
} closed;

struct train_shape {
    lu_schedule *reward; /* NULL: none */
    int options;
    closed option[MOST_CLOSED];
};

/* ---- reading ---- */

static lu_status read_reward(train_shape *s, const lu_trainer *t, const char *key,
                             lu_error *error) {
    const char *names[LU_MAX_TERMS], *text = lu_settings_text_of(t->settings, key);
    char why[200] = "";
    for (int i = 0; i < t->game->terms; i++) {
        names[i] = t->game->term[i].name;
    }
    s->reward = *text ? lu_formula_new(text, names, t->game->terms, why, sizeof why) : NULL;
    return s->reward || !*text ? LU_OK
                               : lu_fail(error, LU_BAD_VALUE,
                                         "'%s' = '%.200s' %s; names are those of the terms of "
                                         "rewards, which `ludus spec %s` lists",
                                         key, text, why, t->game->name);
}

/* HEAD:OPTION, with the length of both. */
static bool find_option(const lu_game *game, const char *text, size_t length, closed *c) {
    int first = 0;
    for (int h = 0; h < game->heads; first += game->head[h++].options) {
        size_t own = strlen(game->head[h].name);
        for (int o = 0; o < game->head[h].options; o++) {
            const char *name = game->head[h].option[o];
            if (length == own + 1 + strlen(name) && memcmp(text, game->head[h].name, own) == 0 &&
                text[own] == ':' && memcmp(text + own + 1, name, length - own - 1) == 0) {
                *c = (closed){first + o, first, first + game->head[h].options, NULL};
                return true;
            }
        }
    }
    return false;
}

/* HEAD:OPTION, or HEAD:OPTION=SCHEDULE. */
static lu_status read_closed(train_shape *s, const lu_trainer *t, const char *text,
                             lu_error *error) {
    size_t length = strcspn(text, "=");
    char why[200] = "";
    closed *c = &s->option[s->options];
    if (s->options == MOST_CLOSED || !find_option(t->game, text, length, c)) {
        return lu_fail(error, LU_BAD_VALUE,
                       "'train.closed' = '%.100s' isn't HEAD:OPTION or HEAD:OPTION=SCHEDULE, at "
                       "most %d of them: `ludus spec %s` lists heads and options",
                       text, MOST_CLOSED, t->game->name);
    }
    c->schedule = lu_schedule_new(text[length] ? text + length + 1 : "1", 0, 1, why, sizeof why);
    if (!c->schedule) {
        return lu_fail(error, LU_BAD_VALUE, "'train.closed' = '%.100s' %s", text, why);
    }
    s->options++;
    return LU_OK;
}

lu_status shape_read(lu_trainer *t, lu_error *error) {
    char key[64];
    snprintf(key, sizeof key, "%sreward", t->kind->module);
    size_t count = lu_settings_has(t->settings, "train.closed")
                       ? lu_settings_count(t->settings, "train.closed")
                       : 0;
    if (count == 0 && !*lu_settings_text_of(t->settings, key)) {
        return LU_OK;
    }
    t->shape = lu_alloc_zero(1, sizeof *t->shape);
    if (count > 0 && lu_game_core(t->game)->submask) {
        return lu_fail(error, LU_BAD_VALUE,
                       "'train.closed': %s has options that its state closes, and so none may be "
                       "left: leave it unset",
                       t->game->id);
    }
    lu_status status = read_reward(t->shape, t, key, error);
    for (size_t i = 0; i < count && status == LU_OK; i++) {
        status = read_closed(t->shape, t, lu_settings_nth(t->settings, "train.closed", i), error);
    }
    return status;
}

void shape_drop(lu_trainer *t) {
    if (t->shape) {
        for (int i = 0; i < t->shape->options; i++) {
            lu_schedule_delete(t->shape->option[i].schedule);
        }
        lu_schedule_delete(t->shape->reward);
        free(t->shape);
    }
}

/* ---- in a step ---- */

void shape_reward(lu_trainer *t, const train_shard *s) {
    int terms = t->game->terms, first = s->first * t->seats, end = first + s->count * t->seats;
    double progress = train_progress(t), value[LU_MAX_TERMS];
    for (int full = first; t->shape && t->shape->reward && full < end; full++) {
        for (int i = 0; i < terms; i++) {
            value[i] = (double)t->scratch.terms[(size_t)full * (size_t)terms + (size_t)i];
        }
        t->scratch.reward[full] +=
            (float)lu_formula_at(t->shape->reward, progress, (double)t->updates, value);
    }
}

/* An option that would leave its head without any stays open. */
static void close_option(uint8_t *mask, const closed *c) {
    int open = 0;
    for (int o = c->first; o < c->end; o++) {
        open += mask[o] != 0;
    }
    mask[c->option] = open > 1 ? 0 : mask[c->option];
}

void shape_mask(lu_trainer *t, const train_strip *strip) {
    double progress = train_progress(t);
    for (int i = 0; t->shape && i < t->shape->options; i++) {
        const closed *c = &t->shape->option[i];
        if (!(lu_schedule_at(c->schedule, progress, (double)t->updates) > 0.0)) {
            continue;
        }
        for (int r = 0; r < strip->rows; r++) {
            size_t full = (size_t)(strip->full + r * strip->stride);
            close_option(t->scratch.mask + full * (size_t)t->mask, c);
        }
    }
}
