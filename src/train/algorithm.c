/* The table of algorithms, and the metrics of an update as text: see algorithm.h. */
#include "trainer.h"

#include <string.h>

const lu_algorithm *const lu_algorithms[] = {&lu_algorithm_ppo, &lu_algorithm_dqn, NULL};

static const lu_setting rows[] = {
    {"algo", LU_ENUM, "ppo", 0, 0, "ppo|dqn",
     "Algorithm: PPO (settings train.*) or DQN (settings dqn.*).", false},
};

const lu_table lu_algorithm_table = {"training", rows, 1};

const lu_algorithm *lu_algorithm_find(const char *name, lu_error *error) {
    char names[200] = "";
    for (int i = 0; lu_algorithms[i]; i++) {
        if (strcmp(lu_algorithms[i]->name, name) == 0) {
            return lu_algorithms[i];
        }
        strncat(names, i ? ", " : "", sizeof names - strlen(names) - 1);
        strncat(names, lu_algorithms[i]->name, sizeof names - strlen(names) - 1);
    }
    lu_fail(error, LU_BAD_VALUE, "'algo' = '%.100s' isn't an algorithm; choose from %s", name,
            names);
    return NULL;
}

/* ---- shares ---- */

static lu_status read_share(const char *key, const char *from, size_t length,
                            lu_opponent_share *entry, lu_error *error) {
    lu_error bad;
    if (length >= sizeof entry->name) {
        return lu_fail(error, LU_LIMIT, "'%s' has a name of more than %d bytes", key,
                       LU_OPPONENT_NAME - 1);
    }
    memcpy(entry->name, from, length);
    entry->name[length] = '\0';
    char *colon = strrchr(entry->name, ':');
    if (!colon || colon == entry->name ||
        lu_parse_real(key, colon + 1, 1e-9, 1e9, &entry->share, &bad) != LU_OK) {
        return lu_fail(error, LU_BAD_VALUE,
                       "'%s' has '%s' instead of NAME:SHARE with a share above 0 (bot:greedy:0.5)",
                       key, entry->name);
    }
    *colon = '\0';
    return LU_OK;
}

lu_status lu_opponent_shares_read(const char *key, const char *text,
                                  lu_opponent_share list[LU_MAX_OPPONENTS], int *count,
                                  lu_error *error) {
    lu_status status = LU_OK;
    *count = 0;
    for (text += strspn(text, " ,"); *text && status == LU_OK; text += strspn(text, " ,")) {
        if (*count == LU_MAX_OPPONENTS) {
            return lu_fail(error, LU_LIMIT, "'%s' names more than %d players", key,
                           LU_MAX_OPPONENTS);
        }
        size_t length = strcspn(text, " ,");
        status = read_share(key, text, length, &list[(*count)++], error);
        text += length;
    }
    return status;
}

/* ---- metrics ---- */

static double value_of(const lu_figure *list, int count, const char *name) {
    for (int i = 0; i < count; i++) {
        if (strcmp(list[i].name, name) == 0) {
            return list[i].value;
        }
    }
    return 0.0;
}

double lu_progress_figure(const lu_progress *progress, const char *name) {
    return value_of(progress->figure, progress->figures, name);
}

double lu_progress_part(const lu_progress *progress, const char *name) {
    return value_of(progress->part, progress->parts, name);
}

static void write_figures(lu_json *json, const lu_figure *list, int count) {
    for (int i = 0; i < count; i++) {
        lu_json_key_real(json, list[i].name, list[i].value);
    }
}

void lu_progress_write(const lu_progress *p, const lu_game *game, lu_json *json) {
    lu_json_key_int(json, "update", p->updates);
    lu_json_key_int(json, "env_steps", p->steps);
    lu_json_key_real(json, "steps_per_second", p->steps_per_second);
    lu_json_key_int(json, "episodes", p->episodes);
    if (p->episodes > 0) {
        lu_json_key_real(json, "episode_return", p->episode_return);
        lu_json_key_real(json, "episode_length", p->episode_length);
    }
    if (p->recent > 0) {
        lu_json_key_int(json, "recent", p->recent);
        lu_json_key_real(json, "recent_return", p->recent_return);
    }
    lu_json_key_int(json, "ticks", p->ticks);
    lu_json_key_int(json, "truncated", p->truncated);
    lu_json_key_int(json, "illegal", p->illegal);
    write_figures(json, p->figure, p->figures);
    lu_json_key_object(json, "seconds");
    lu_json_key_real(json, "update", p->seconds);
    write_figures(json, p->part, p->parts);
    lu_json_object_end(json);
    lu_json_key_object(json, "terms");
    for (int i = 0; i < game->terms; i++) {
        lu_json_key_real(json, game->term[i].name, p->term[i]);
    }
    lu_json_object_end(json);
    lu_json_key_int(json, "endings", p->endings);
    lu_json_key_object(json, "infos");
    for (int i = 0; i < game->infos && p->endings > 0; i++) {
        if (lu_info_is_number(&game->info[i])) {
            lu_json_key_real(json, game->info[i].name, p->info[i]);
        }
    }
    lu_json_object_end(json);
}
