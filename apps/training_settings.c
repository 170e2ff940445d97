/* Settings of several trainings: see training_settings.h. */
#include "training_settings.h"

#include "session.h"

#include <stdio.h>

lu_status trainings_check_flags(const verb_call *call, const lu_algorithm *algorithm,
                                lu_error *error) {
    for (int i = 0; lu_algorithms[i]; i++) {
        const lu_table *table = lu_algorithms[i]->table;
        for (int r = 0; table != algorithm->table && r < table->count; r++) {
            const char *key = table->rows[r].key;
            if (lu_settings_origin(call->settings, key) == LU_FROM_FLAG) {
                return lu_fail(error, LU_USAGE,
                               "'%s' is no setting of %s, which learns here: use its %s.*, or "
                               "another --algo",
                               key, algorithm->name, algorithm->prefix);
            }
        }
    }
    return LU_OK;
}

static lu_status check_own(const lu_settings *settings, const lu_algorithm *algorithm,
                           const char *what, lu_error *error) {
    static const char *const names[] = {"steps", "seed", "threads"};
    for (int i = 0; i < 3; i++) {
        char key[64];
        snprintf(key, sizeof key, "%s.%s", algorithm->prefix, names[i]);
        if (lu_settings_origin(settings, key) > LU_FROM_FILE) {
            return lu_fail(error, LU_USAGE, "%s sets '%s' itself: give --%s instead", what, key,
                           names[i]);
        }
    }
    return LU_OK;
}

lu_settings *trainings_settings(const verb_call *call, const lu_algorithm *algorithm,
                                const char *what, lu_error *error) {
    if (trainings_check_flags(call, algorithm, error) != LU_OK) {
        return NULL;
    }
    lu_settings *settings = lu_game_settings(call->game);
    lu_settings_add(settings, lu_net_table);
    lu_settings_add(settings, *algorithm->table);
    lu_settings_take_as_is(settings, call->settings, "game.");
    if (check_own(settings, algorithm, what, error) != LU_OK) {
        lu_settings_delete(settings);
        return NULL;
    }
    return settings;
}
