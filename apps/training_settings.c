/* Settings of trainings: see training_settings.h. */
#include "training_settings.h"

#include "ludus/dqn.h"
#include "ludus/evaluator.h"
#include "ludus/ppo.h"
#include "ludus/preset.h"
#include "ludus/run.h"
#include "ludus/self_play.h"
#include "ludus/training.h"

#include <stdio.h>
#include <string.h>

const lu_table *const training_tables[] = {
    &lu_algorithm_table,   &lu_ppo_table,
    &lu_dqn_table,         &lu_net_table,
    &lu_self_play_table,   &lu_run_place_table,
    &lu_run_table,         &lu_eval_table,
    &lu_band_table,        &lu_env_table,
    &lu_train_names_table, &lu_train_products_table,
    &lu_train_nets_table,  NULL,
};

/* ---- the preset ---- */

/* Who says who sits opposite has a plan already, which a preset's would get in the way of. */
static bool seats_are_given(const lu_settings *settings) {
    static const char *const opponents[] = {"train.opponents", "dqn.opponents"};
    bool given = false;
    for (int i = 0; i < LU_COUNT(opponents) && !given; i++) {
        given = lu_settings_origin(settings, opponents[i]) != LU_FROM_DEFAULT;
    }
    for (int i = 0; i < lu_self_play_table.count && !given; i++) {
        const char *key = lu_self_play_table.rows[i].key;
        given =
            lu_settings_has(settings, key) && lu_settings_origin(settings, key) != LU_FROM_DEFAULT;
    }
    return given;
}

/* Why the game's own preset does not suit the call; NULL: it does. */
static lu_status misfit(const verb_call *call, const char **why, lu_error *error) {
    lu_settings *alone = lu_settings_blank(call->settings);
    lu_status status =
        lu_preset_read(call->game->preset, call->game, alone, verb_shared_table, error);
    if (strcmp(lu_settings_text_of(alone, "algo"), lu_settings_text_of(call->settings, "algo")) !=
        0) {
        *why = "is for another algorithm";
    } else if (seats_are_given(call->settings)) {
        *why = "has opponents of its own";
    }
    lu_settings_delete(alone);
    return status;
}

lu_status training_preset(verb_call *call, lu_text *told, lu_error *error) {
    const char *own = call->game->preset, *why = NULL;
    if (call->files) {
        lu_text_add(told, call->preset ? call->preset : "none");
        return LU_OK;
    }
    if (!own) {
        lu_text_add(told, "none; the default settings");
        return LU_OK;
    }
    LU_TRY(misfit(call, &why, error));
    if (why) {
        lu_text_addf(told, "none; %s %s", own, why);
        return LU_OK;
    }
    call->preset = lu_strdup(own);
    lu_text_addf(told, "%s; --preset none uses the default settings", own);
    return lu_preset_read(own, call->game, call->settings, verb_shared_table, error);
}

/* ---- of several trainings ---- */

/* Options of verbs that stand for PREFIX.NAME of the algorithm. */
static const char *const names[] = {"steps", "seed", "threads", NULL};

/* Refuses flags of an algorithm other than the one that learns, which would do nothing; files may
 * hold settings of all. */
static lu_status check_flags(const verb_call *call, const lu_algorithm *algorithm,
                             lu_error *error) {
    for (int i = 0; lu_algorithms[i]; i++) {
        const lu_table *table = lu_algorithms[i]->table;
        for (int r = 0; table != algorithm->table && r < table->count; r++) {
            const char *key = table->rows[r].key;
            if (lu_settings_origin(call->settings, key) == LU_FROM_FLAG) {
                return lu_fail(error, LU_USAGE,
                               "'%s' isn't a setting of %s, the algorithm used here: use %s.*, or "
                               "another --algo",
                               key, algorithm->name, algorithm->prefix);
            }
        }
    }
    return LU_OK;
}

static lu_status check_own(const lu_settings *settings, const lu_algorithm *algorithm,
                           const char *what, lu_error *error) {
    for (int i = 0; names[i]; i++) {
        char key[64];
        snprintf(key, sizeof key, "%s.%s", algorithm->prefix, names[i]);
        if (lu_settings_origin(settings, key) > LU_FROM_FILE) {
            return lu_fail(error, LU_USAGE, "%s sets '%s' itself: use --%s instead", what, key,
                           names[i]);
        }
    }
    return LU_OK;
}

lu_settings *trainings_settings(const verb_call *call, const lu_algorithm *algorithm,
                                const char *what, lu_error *error) {
    if (what && check_flags(call, algorithm, error) != LU_OK) {
        return NULL;
    }
    lu_settings *settings = lu_game_settings(call->game);
    lu_settings_add(settings, lu_net_table);
    lu_settings_add(settings, *algorithm->table);
    if (!what && call->game->seats > 1) {
        lu_settings_add(settings, lu_self_play_table);
    }
    lu_settings_take_as_is(settings, call->settings, "game.");
    if (what && check_own(settings, algorithm, what, error) != LU_OK) {
        lu_settings_delete(settings);
        return NULL;
    }
    return settings;
}

/* ---- of one training ---- */

/* --steps and its kin are short names of settings that depend on the algorithm. */
static lu_status apply_short(const verb_call *call, const char *name, const char *key,
                             lu_error *error) {
    const char *value = lu_settings_text_of(call->settings, name);
    lu_origin origin = lu_settings_origin(call->settings, name);
    char where[64];
    if (!*value) {
        return LU_OK;
    }
    if (lu_settings_origin(call->settings, key) == origin) {
        return lu_fail(error, LU_USAGE, "'%s' and '%s' are the same setting: keep one", name, key);
    }
    snprintf(where, sizeof where, "--%s", name);
    return lu_settings_set(call->settings, key, value, origin, where, error);
}

static lu_status apply_shorts(const verb_call *call, const lu_algorithm *algorithm,
                              lu_error *error) {
    lu_status status = LU_OK;
    for (int i = 0; names[i] && status == LU_OK; i++) {
        char key[64];
        snprintf(key, sizeof key, "%s.%s", algorithm->prefix, names[i]);
        status = apply_short(call, names[i], key, error);
    }
    return status;
}

/* Settings of the game that env.kwargs has as a JSON object, in place of options. */
static lu_status apply_kwargs(const verb_call *call, lu_error *error) {
    lu_settings *none = lu_settings_new();
    lu_settings *own = lu_game_override(call->settings, "env.kwargs", call->game, none, error);
    lu_status status = own ? LU_OK : error->status;
    lu_origin origin = lu_settings_origin(call->settings, "env.kwargs");
    for (size_t i = 0; own && i < lu_settings_rows(own) && status == LU_OK; i++) {
        const char *key = lu_settings_row(own, i, NULL)->key;
        if (lu_settings_origin(own, key) != LU_FROM_FLAG) {
            continue;
        }
        /* of presets the one that imports may have the other form */
        status = origin == LU_FROM_FLAG && lu_settings_origin(call->settings, key) == origin
                     ? lu_fail(error, LU_USAGE, "'%s' is given in env.kwargs too: keep one", key)
                     : lu_settings_set(call->settings, key, lu_settings_text_of(own, key), origin,
                                       "env.kwargs", error);
    }
    lu_settings_delete(none);
    lu_settings_delete(own);
    return status;
}

lu_status training_settle(const verb_call *call, lu_error *error) {
    LU_TRY(apply_kwargs(call, error));
    LU_TRY(lu_train_products_settle(call->settings, call->game, error));
    return lu_train_nets_settle(call->settings, error);
}

const lu_algorithm *training_settings(const verb_call *call, const char *path, lu_error *error) {
    const lu_algorithm *a =
        *path ? lu_training_algorithm(path, call->game, error)
              : lu_algorithm_find(lu_settings_text_of(call->settings, "algo"), error);
    if (!a || (!*path && check_flags(call, a, error) != LU_OK) ||
        (!*path && training_settle(call, error) != LU_OK) ||
        apply_shorts(call, a, error) != LU_OK) {
        return NULL;
    }
    lu_status status = *path ? lu_run_settings(path, lu_training_own_keys, lu_training_open_keys,
                                               call->settings, error)
                       : a->profile ? a->profile(call->settings, error)
                                    : LU_OK;
    LU_THEN(status, lu_self_play_settle(call->settings, call->game, a->prefix, error));
    return status == LU_OK ? a : NULL;
}
