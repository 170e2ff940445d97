/* Learning curves of the profile `classic`, in the format of python/anchors/cleanrl_style.py:
 *   learning_curve GAME FIRST..LAST [STEPS] [THREADS]
 * prints one JSON document with a curve per seed. tests/curve_test.py compares it with the anchors.
 */
#include "ludus/clock.h"
#include "ludus/json.h"
#include "ludus/ppo.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { EVERY = 10 }; /* updates between two points of a curve */

typedef struct plan {
    const lu_game *game;
    const char *steps, *threads;
    double solved;
} plan;

static lu_settings *settings_of(const plan *p, int seed, lu_error *error) {
    char number[24];
    snprintf(number, sizeof number, "%d", seed);
    const char *const pairs[][2] = {{"train.profile", "classic"},
                                    {"train.steps", p->steps},
                                    {"train.threads", p->threads},
                                    {"train.seed", number}};
    lu_settings *settings = lu_game_settings(p->game);
    lu_settings_add(settings, lu_ppo_table);
    lu_settings_add(settings, lu_net_table);
    lu_status status = LU_OK;
    for (size_t i = 0; status == LU_OK && i < sizeof pairs / sizeof pairs[0]; i++) {
        status =
            lu_settings_set(settings, pairs[i][0], pairs[i][1], LU_FROM_FLAG, "the call", error);
    }
    if (status != LU_OK || lu_ppo_profile(settings, error) != LU_OK) {
        lu_settings_delete(settings);
        return NULL;
    }
    return settings;
}

/* Trains to the end and writes the curve with its figures. */
static lu_status run_seed(const plan *p, lu_trainer *train, int seed, lu_json *json,
                          lu_error *error) {
    lu_progress stats = {0};
    lu_status status = LU_OK;
    int64_t reached = 0;
    double area = 0.0, points = 0.0, began = lu_clock_seconds(), solved_after = 0.0;
    clock_t processor = clock();
    lu_json_object(json);
    lu_json_key_int(json, "seed", seed);
    lu_json_key_array(json, "curve");
    while (!lu_trainer_done(train) && status == LU_OK) {
        status = lu_trainer_update(train, &stats, error);
        if (!reached && stats.recent == LU_RECENT_EPISODES && stats.recent_return >= p->solved) {
            reached = stats.steps;
            solved_after = lu_clock_seconds() - began;
        }
        if (status == LU_OK && (stats.updates % EVERY == 0 || lu_trainer_done(train))) {
            lu_json_array(json);
            lu_json_int(json, stats.steps);
            lu_json_real(json, stats.recent_return);
            lu_json_array_end(json);
            area += stats.recent_return;
            points += 1.0;
        }
    }
    double seconds = lu_clock_seconds() - began;
    double own = (double)(clock() - processor) / CLOCKS_PER_SEC;
    lu_json_array_end(json);
    lu_json_key(json, "steps_to_solved");
    if (reached) {
        lu_json_int(json, reached);
        lu_json_key_real(json, "seconds_to_solved", solved_after);
    } else {
        lu_json_null(json);
    }
    lu_json_key_real(json, "final_mean", stats.recent_return);
    lu_json_key_real(json, "area", points > 0.0 ? area / points : 0.0);
    lu_json_key_real(json, "seconds", seconds);
    lu_json_key_real(json, "cpu_seconds", own);
    lu_json_key_real(json, "steps_per_second", (double)stats.steps / seconds);
    lu_json_key_real(json, "steps_per_cpu_second", (double)stats.steps / own);
    lu_json_object_end(json);
    return status;
}

static lu_status run_one(const plan *p, int seed, lu_json *json, lu_error *error) {
    lu_settings *settings = settings_of(p, seed, error);
    lu_trainer *train = settings ? lu_ppo_new(p->game, settings, NULL, error) : NULL;
    lu_status status = train ? run_seed(p, train, seed, json, error) : LU_FAILED;
    lu_trainer_delete(train);
    lu_settings_delete(settings);
    return status;
}

int main(int count, char **words) {
    lu_error error;
    int first, last;
    lu_status status = LU_OK;
    if (count < 3 || count > 5 || sscanf(words[2], "%d..%d", &first, &last) != 2) {
        fputs("usage: learning_curve GAME FIRST..LAST [STEPS] [THREADS]\n", stderr);
        return 2;
    }
    plan p = {.game = lu_game_find(words[1], &error),
              .steps = count > 3 ? words[3] : "500000",
              .threads = count > 4 ? words[4] : "1"};
    if (!p.game) {
        fprintf(stderr, "%s\n", error.text);
        return 2;
    }
    p.solved = strcmp(p.game->name, "cartpole") == 0 ? 475.0 : -100.0;
    lu_json json = LU_JSON_INIT;
    lu_json_object(&json);
    lu_json_key_string(&json, "kind", "ludus learning curves");
    lu_json_key_string(&json, "env", p.game->id);
    lu_json_key_real(&json, "solved", p.solved);
    lu_json_key_int(&json, "window", LU_RECENT_EPISODES);
    lu_json_key_array(&json, "seeds");
    for (int seed = first; seed <= last && status == LU_OK; seed++) {
        status = run_one(&p, seed, &json, &error);
    }
    lu_json_array_end(&json);
    lu_json_object_end(&json);
    if (status == LU_OK) {
        puts(json.text);
    } else {
        fprintf(stderr, "%s\n", error.text);
    }
    lu_json_free(&json);
    return status == LU_OK ? 0 : 1;
}
